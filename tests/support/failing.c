#include "support/failing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stands before each block. */
typedef union head {
  struct {
    failing *owner;
    size_t size;
  } block;
  max_align_t align;
} head;

static void *resize(void *user, void *ptr, size_t old_size, size_t size) {
  failing *memory = user;
  head *old = ptr ? (head *)ptr - 1 : NULL;
  head *now = NULL;

  if (old ? old->block.owner != memory || old->block.size != old_size : old_size != 0) {
    fprintf(stderr, "failing: a block of %zu bytes is said to have %zu\n",
            old ? old->block.size : 0, old_size);
    abort();
  }
  if (size > 0) {
    if (++memory->calls == memory->fail_at || size > SIZE_MAX - sizeof *now) return NULL;
    now = malloc(sizeof *now + size);
    if (!now) return NULL;
    now->block.owner = memory;
    now->block.size = size;
    memset(now + 1, 0xa5, size);
    if (old) memcpy(now + 1, old + 1, old_size < size ? old_size : size);
    memory->blocks++;
    memory->live += size;
  }
  if (old) {
    memset(old, 0x5a, sizeof *old + old_size);
    free(old);
    memory->blocks--;
    memory->live -= old_size;
    memory->frees += size == 0;
  }
  if (memory->live > memory->peak) memory->peak = memory->live;
  return now ? now + 1 : NULL;
}

void failing_init(failing *memory, size_t fail_at) {
  memset(memory, 0, sizeof *memory);
  memory->alloc.resize = resize;
  memory->alloc.user = memory;
  memory->fail_at = fail_at;
}
