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

struct pks_arena_block {
  pks_arena_block *next;
  size_t size; /* of data */
  uint64_t data[];
};

/* As below, when the current block has no room. */
void *pks_base_arena_more(pks_mem *mem, pks_arena *arena, size_t size);

/* Bytes aligned for a uint64_t, or NULL (mem->status says why). */
static inline void *pks_base_arena_take(pks_mem *mem, pks_arena *arena, size_t size) {
  size_t need = (size + 7) & ~(size_t)7;
  pks_arena_block *block = arena->current;
  if (!block || need < size || need > block->size - arena->used)
    return pks_base_arena_more(mem, arena, size);
  uint8_t *result = (uint8_t *)block->data + arena->used;
  arena->used += need;
  arena->bytes += need;
  return result;
}
/* A copy of `size` bytes; NULL when there is no memory. */
const uint8_t *pks_base_arena_copy(pks_mem *mem, pks_arena *arena, const void *data, size_t size);
void pks_base_arena_reset(pks_arena *arena); /* keeps its blocks */
void pks_base_arena_free(pks_mem *mem, pks_arena *arena);

#endif
