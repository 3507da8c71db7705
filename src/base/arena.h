/* base/arena.h - memory that is given back all at once; what it hands out never moves. */
#ifndef PKS_BASE_ARENA_H
#define PKS_BASE_ARENA_H

#include "base/mem.h"

typedef struct pks_arena_block pks_arena_block;

typedef struct pks_arena {
  pks_arena_block *first, *current;
  size_t used;  /* of the current block */
  size_t bytes; /* handed out since the last reset */
} pks_arena;

/* Bytes aligned for a uint64_t, or NULL (mem->status says why). */
void *pks_base_arena_take(pks_mem *mem, pks_arena *arena, size_t size);
/* A copy of `size` bytes; NULL when there is no memory. */
const uint8_t *pks_base_arena_copy(pks_mem *mem, pks_arena *arena, const void *data, size_t size);
void pks_base_arena_reset(pks_arena *arena); /* keeps its blocks */
void pks_base_arena_free(pks_mem *mem, pks_arena *arena);

#endif
