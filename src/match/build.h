/* match/build.h - between the files that make a target. Private to the room. */
#ifndef PKS_MATCH_BUILD_H
#define PKS_MATCH_BUILD_H

#include "match/target.h"

/* A name of a module or attribute longer than this is refused, as it is in payloads. */
#define PKS_MATCH_MAX_NAME 1024u

/* What a document is read with. The first fault stays. */
typedef struct pks_reading {
  pks_match_target *target;
  pks_status status;
  uint64_t offset;
  const char *text;
} pks_reading;

/* Both give false, for `return pks_match_fault(...)`. */
bool pks_match_fault(pks_reading *reading, const pks_node *node, const char *text);
bool pks_match_fault_memory(pks_reading *reading);

/* Facts, name and id of the document as it now is. */
pks_status pks_match_target_refresh(pks_match_target *target, pks_error *error);

/* Document to facts; sorts and normalises the document. */
bool pks_match_read_facts(pks_reading *reading);

/* facts.modules: those of the document's object (or NULL), and those that follow from them and from the
 * distributions. `listed` is in the order of the object. */
bool pks_match_read_modules(pks_reading *reading, const pks_node *object,
                            const pks_match_module *listed);

/* Memory for `count` texts, which are then added in order. */
bool pks_match_names_take(pks_mem *mem, pks_arena *arena, pks_match_names *names, uint32_t count);
void pks_match_names_add(pks_match_names *names, pks_span text);

/* ---- distributions ------------------------------------------------------------------------------ */

/* Lower case, runs of - _ . as one -. NULL data: no memory. */
pks_span pks_match_normalised(pks_mem *mem, pks_arena *arena, pks_span name);

/* Is `normal` the normalised form of `spelled`? */
bool pks_match_same_distribution(pks_span spelled, pks_span normal);

typedef struct pks_match_brings {
  pks_span distribution, module;
} pks_match_brings;
extern const pks_match_brings pks_match_brought[];
extern const size_t pks_match_brought_count;

/* First of the rows of a distribution (normalised), or the count. */
size_t pks_match_brought_by(pks_span distribution);

/* ---- serializers ---------------------------------------------------------------------------------- */

#define PKS_SERIALIZER_NO_VERSION 0xffu

typedef struct pks_match_part {
  pks_serializer library;
  const char *name;       /* "cloudpickle_fast"; "" for the library itself */
  uint64_t versions;      /* mask */
  uint16_t since, before; /* Pythons, major << 8 | minor */
} pks_match_part;
extern const pks_match_part pks_match_parts[];
extern const size_t pks_match_part_count;

/* Where the names of this part are among all names of serializers. */
void pks_match_serializer_names(const pks_match_part *part, uint8_t *first, uint8_t *end);
/* As pks_match_has_helper, of a module that is a serializer's; fills in the arguments only. */
pks_match_answer pks_match_helper_of(const pks_match_target *target, const pks_match_module *m,
                                     pks_span module, pks_span name, pks_match_helper *helper);

/* Index of a version of the library, or PKS_SERIALIZER_NO_VERSION. */
uint8_t pks_match_serializer_version(pks_serializer library, pks_span version);
bool pks_match_serializer_fails(pks_serializer library, uint8_t version, int python_version);

/* Which library, under which name, an installed distribution holds: itself, or a copy. False: none, or of a
 * version that is not known. */
typedef struct pks_match_copy {
  pks_serializer library;
  uint8_t version;
  pks_span module; /* "joblib.externals.cloudpickle" */
} pks_match_copy;
bool pks_match_serializer_in(pks_span distribution, pks_span version, pks_match_copy *copy);

/* ---- libraries by version (history.c) ------------------------------------------------------------- */

/* Order of two versions; 2: one of them is not only numbers. 1.0 and 1.0.0 are the same; what follows a "+"
 * does not count. */
int pks_match_version_order(pks_span a, pks_span b);
/* Is it in [since, before)? "": no bound. */
pks_answer pks_match_within(pks_span version, const char *since, const char *before);
/* Version of an installed distribution (normalised name); size 0: not known. */
pks_span pks_match_installed(const pks_match_facts *f, const char *distribution);

/* What the installed release says; UNKNOWN: nothing. */
pks_match_answer pks_match_history_module(const pks_match_facts *f, pks_span module);
pks_match_answer pks_match_history_name(const pks_match_facts *f, pks_span module, pks_span name);

/* Another module in which the installed release of the same library has the name; size 0: none. */
pks_span pks_match_history_moved(const pks_match_facts *f, pks_span module, pks_span name);

/* Where a loader with tables of its own looks for a name. False: it has none for it. */
bool pks_match_renamed(pks_match_loader loader, pks_span *module, pks_span *name);

#endif
