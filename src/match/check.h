/* match/check.h - requirements against a target: states, outcomes, verdict. The public pks_check. */
#ifndef PKS_MATCH_CHECK_H
#define PKS_MATCH_CHECK_H

#include "match/target.h"
#include "needs/needs.h"

/* Why a need has the state it has; the sentence is made when somebody asks (explain.c). */
typedef enum pks_reason {
  PKS_REASON_NONE = 0,
  PKS_REASON_NO_TARGET,    /* nothing was said of the target                     */
  PKS_REASON_PROTOCOL,     /* highest protocol is lower                          */
  PKS_REASON_MICRO,        /* that depends on the third number of the version    */
  PKS_REASON_OTHER_READER, /* the target is no CPython                        */
  PKS_REASON_READ,         /* the target's unpickler stops with an error         */
  PKS_REASON_NAME,         /* what the target answered of a name: pks_finding.why */
  PKS_REASON_HELPER,       /* this version of a serializer's helper takes others  */
  PKS_REASON_COMPUTED,     /* the name is computed or unreadable                 */
  PKS_REASON_ARGUMENTS,    /* the code constructor takes another number          */
  PKS_REASON_LAYOUT,       /* marshal there reads another number of fields       */
  PKS_REASON_LAYOUT_OPEN,
  PKS_REASON_DILL_CODE,   /* dill's _create_code there does not adapt to it     */
  PKS_REASON_REFUSED,     /* a number that no code constructor takes            */
  PKS_REASON_BROKEN_CALL, /* no interpreter takes this call                     */
  PKS_REASON_NO_PERSID,
  PKS_REASON_OPEN_PERSID, /* nobody said whether there is a persistent_load      */
  PKS_REASON_NO_BUFFERS,
  PKS_REASON_FEW_BUFFERS,
  PKS_REASON_OPEN_BUFFERS,
  PKS_REASON_ENCODING,       /* ASCII, strict                                       */
  PKS_REASON_ENCODING_GIVEN, /* another, which does not decode it                  */
  PKS_REASON_LOADER,         /* only dill's loader answers it                       */
  PKS_REASON_ALLOWED,        /* the loader has a list of names                      */
  PKS_REASON_USE,            /* its version of a class does not take it             */
  PKS_REASON_RULE,           /* what pks_match_rule says                            */
  PKS_REASON_PYC,            /* a .pyc with another magic number                    */
  PKS_REASON_MAGIC,          /* bytecode of another Python                          */
  PKS_REASON_MAGIC_OPEN,     /* candidates differ, or there is none                 */
  PKS_REASON_WHEN_RUN        /* a missing module that only a run may import         */
} pks_reason;

typedef struct pks_finding {
  uint32_t requirement;
  uint8_t kind, state, reason; /* kind: an attribute whose module is missing is a module */
  uint8_t why;                 /* pks_match_why */
} pks_finding;

/* What the target said of a name, kept because payloads name the same ones again and again. The whole
 * name is compared. */
#define PKS_SAID 256u
#define PKS_SAID_TEXT 106u
typedef struct pks_said {
  uint64_t
      key; /* pks_check.age at that time << 32 | size of the module << 16 | of the name << 1 | dotted */
  uint8_t state, reason, why, kind, least, most;
  char text[PKS_SAID_TEXT]; /* module, name */
} pks_said;

struct pks_check {
  pks_mem mem; /* first: pks_base_object_new */
  pks_vec requirements, findings;
  const pks_inspector *inspector;
  const pks_match_target *target; /* NULL: nothing is known of it */
  int64_t buffers; /* handed over, when the inspector was not told: as pks_options.buffers */
  pks_verdict verdict;
  pks_outcome parse, load, run;
  char what[512], why[1024], hint[512];
  uint32_t age; /* counts the targets that were asked, one after the other */
  char asked[sizeof((pks_match_target *)0)->id]; /* the newest one's id */
  pks_said said[PKS_SAID];
};

/* rules.c: what the target says of a requirement with a trait. Texts are static, but for value. */
typedef struct pks_ruling {
  pks_state state;
  const char *why, *hint;   /* hint NULL: none                                  */
  pks_span value;           /* belongs to `what`; size 0: none                  */
  const char *distribution; /* whose version decides; NULL: none                */
  bool open;                /* that version is not known                        */
} pks_ruling;
/* uses.c: does it take this use of a class? */
pks_state pks_match_use(const pks_match_target *target, const pks_requirement *r);
pks_ruling pks_match_rule(const pks_match_target *target, const pks_requirement *r);

pks_check *pks_match_check_new(const pks_alloc *alloc);
void pks_match_check_free(pks_check *c);
pks_status pks_match_check(pks_check *c, const pks_inspector *f, const pks_match_target *target);
/* Name, id, version ... of a target; false: no such. */
bool pks_match_describe(const pks_match_target *target, pks_target_info *info);
/* explain.c: fills the texts for finding `index`. */
void pks_match_explain(pks_check *c, size_t index, pks_need *out);

#endif
