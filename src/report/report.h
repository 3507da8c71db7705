/* report/report.h - one report, three formats: text.c for people, json.c for programs. */
#ifndef PKS_REPORT_REPORT_H
#define PKS_REPORT_REPORT_H

#include "base/json_out.h"
#include "base/mem.h"
#include "match/check.h"
#include "report/text_out.h"

struct pks_report {
  pks_mem mem; /* first: pks_base_object_new */
  pks_format format;
  union {
    pks_json json;
    pks_text_out text;
  } out;
  pks_status status; /* PKS_OK, or why it ended */
  bool begun, ended; /* the outer object */
  uint64_t payloads, broken, unsure, skipped, loads, fails;
  pks_vec targets;      /* of const pks_match_target * */
  pks_vec modules;      /* of pks_span, while a payload is written */
  pks_listing *listing; /* NULL: not needed yet */
};

/* What is said of one payload, gathered once. */
typedef struct pks_subject {
  pks_place place;
  const pks_inspector *inspector; /* NULL: nothing was read */
  pks_summary summary;
  pks_error error; /* status PKS_OK: none */
  bool complete;
  int64_t bytes;            /* of the pickle, or -1 */
  pks_check *const *checks; /* one a target */
  size_t check_count;
  bool checked; /* the payload is checked or its needs are asked for, not its facts alone */
  bool best, verbose;
} pks_subject;

pks_report *pks_report_make(pks_format format, pks_write_fn write, void *user,
                            const pks_alloc *alloc);
void pks_report_drop(pks_report *report);
pks_status pks_report_add_target(pks_report *report, const pks_match_target *target);
/* checks NULL: facts alone. */
pks_status pks_report_add(pks_report *report, const pks_place *place,
                          const pks_inspector *inspector, pks_check *const *checks, size_t count,
                          int best, int verbose);
pks_status pks_report_end(pks_report *report, uint64_t files);

/* json.c: the key "error" and its value. */
void pks_report_json_error(pks_json *json, const pks_error *error, const char *looks_like);

/* ---- inside the room ------------------------------------------------------------------------- */

/* json.c */
pks_status pks_report_json_facts(pks_report *report, const pks_subject *subject);
void pks_report_json_end(pks_report *report, uint64_t files);

/* text.c */
pks_status pks_report_text_facts(pks_report *report, const pks_subject *subject);
void pks_report_text_end(pks_report *report, uint64_t files);

/* checks.c: verdicts and needs. */
const char *pks_report_verdict_name(pks_verdict verdict);
/* The payload's verdict over its targets: the worst, or the best. */
pks_verdict pks_report_verdict(const pks_subject *subject);
void pks_report_json_targets(pks_report *report);
void pks_report_json_results(pks_report *report, const pks_subject *subject);
void pks_report_text_results(pks_report *report, const pks_subject *subject);

/* listing.c: the instructions of code object `index`, when place.listings asks for them. */
void pks_report_json_listing(pks_report *report, const pks_subject *subject, size_t index,
                             const pks_code *code);
void pks_report_text_listing(pks_report *report, const pks_subject *subject, size_t index,
                             const pks_code *code);

/* query.c: what a call calls. Returns how many calls lie between ("result of" as often, at most
 * PKS_REPORT_CHAIN: output stays linear) and fills *global; not pks_report_known: nobody can tell. */
#define PKS_REPORT_CHAIN 32
size_t pks_report_callee(const pks_inspector *inspector, size_t call, pks_global *global);
bool pks_report_known(const pks_global *global);

/* Modules of a payload, sorted and unique, in report->modules. */
typedef enum pks_module_list {
  PKS_MODULES_BY_REFERENCE, /* loading imports them                */
  PKS_MODULES_BY_VALUE,     /* their code is in the payload        */
  PKS_MODULES_WHEN_RUN      /* code in the payload imports them    */
} pks_module_list;
pks_status pks_report_modules(pks_report *report, const pks_subject *subject, pks_module_list list);

#endif
