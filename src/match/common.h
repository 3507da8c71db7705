/* match/common.h - what several targets have in common: the handshake of a cluster. */
#ifndef PKS_MATCH_COMMON_H
#define PKS_MATCH_COMMON_H

#include "match/target.h"

/* Some of the targets: indices, rising. */
typedef struct pks_match_some {
  const uint32_t *target;
  uint32_t count;
} pks_match_some;

typedef struct pks_match_group {
  int64_t magic; /* -1: not known; then the group is one target */
  pks_match_some targets;
} pks_match_group;

typedef struct pks_match_partial {
  pks_span name; /* of a module */
  pks_match_some targets;
} pks_match_partial;

typedef struct pks_match_differing {
  pks_span distribution, version;
  pks_match_some targets;
} pks_match_differing;

/* The public pks_common. */
typedef struct pks_common pks_match_common;
struct pks_common {
  pks_mem mem; /* first, for base_object */
  pks_arena arena;
  int protocol;    /* the highest that all read; -1: a target does not say */
  pks_vec groups;  /* pks_match_group, by first target           */
  pks_vec shared;  /* pks_span, by name: modules that all have   */
  pks_vec partial; /* pks_match_partial, by name: some have      */
  pks_vec
      differing; /* pks_match_differing, by distribution, then first target: versions that differ */
};

/* The targets must outlive it. PKS_OK, E_NO_MEMORY, E_LIMIT_MEMORY. */
pks_status pks_match_common_new(const pks_alloc *alloc, const pks_match_target *const *targets,
                                uint32_t count, pks_match_common **common);
void pks_match_common_free(pks_match_common *common);

#endif
