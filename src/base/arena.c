#include "base/arena.h"

#include <string.h>

#define BLOCK_SIZE ((size_t)8192)

void *pks_base_arena_more(pks_mem *mem, pks_arena *arena, size_t size) {
  size_t need = (size + 7) & ~(size_t)7;
  if (need < size) {
    mem->status = PKS_E_LIMIT_MEMORY;
    return NULL;
  }
  /* Blocks kept from before a reset come first; one that is too small is passed over. */
  while (arena->current && need > arena->current->size - arena->used && arena->current->next) {
    arena->current = arena->current->next;
    arena->used = 0;
  }
  if (!arena->current || need > arena->current->size - arena->used) {
    size_t data = need > BLOCK_SIZE ? need : BLOCK_SIZE;
    if (data > SIZE_MAX - sizeof(pks_arena_block)) {
      mem->status = PKS_E_LIMIT_MEMORY;
      return NULL;
    }
    pks_arena_block *block = pks_base_resize(mem, NULL, 0, sizeof *block + data);
    if (!block) return NULL;
    block->next = NULL;
    block->size = data;
    if (arena->current)
      arena->current->next = block;
    else
      arena->first = block;
    arena->current = block;
    arena->used = 0;
  }
  uint8_t *result = (uint8_t *)arena->current->data + arena->used;
  arena->used += need;
  arena->bytes += need;
  return result;
}

const uint8_t *pks_base_arena_copy(pks_mem *mem, pks_arena *arena, const void *data, size_t size) {
  uint8_t *copy = pks_base_arena_take(mem, arena, size ? size : 1);
  if (copy && size) memcpy(copy, data, size);
  return copy;
}

void pks_base_arena_reset(pks_arena *arena) {
  arena->current = arena->first;
  arena->used = arena->bytes = 0;
}

void pks_base_arena_free(pks_mem *mem, pks_arena *arena) {
  pks_arena_block *block = arena->first;
  while (block) {
    pks_arena_block *next = block->next;
    pks_base_release(mem, block, sizeof *block + block->size);
    block = next;
  }
  memset(arena, 0, sizeof *arena);
}
