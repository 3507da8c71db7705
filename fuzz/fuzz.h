/* fuzz.h - what every fuzz target shares. Header only; each target is one file.
 *
 * A target keeps nothing between inputs, and opens with what it claims. Engines call
 * LLVMFuzzerTestOneInput; without an engine replay_main.c does. */
#ifndef PKS_FUZZ_H
#define PKS_FUZZ_H

#include <picklesight.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* States what must hold for every input. */
#define FUZZ_CHECK(condition)                                                 \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                                \
    }                                                                         \
  } while (0)

/* ---- choices ---------------------------------------------------------------------------------
 *
 * Choices (where to cut, which option) are read from the end of the input, backwards, and stay part
 * of it: so an ordinary pickle is a good seed as it is, and what stands after its STOP, which no
 * reader looks at, steers the choices. When the bytes are used up, every choice is 0. */
typedef struct fuzz_tail {
  const uint8_t *data;
  size_t left;
} fuzz_tail;

static inline fuzz_tail fuzz_tail_of(const uint8_t *data, size_t size) {
  fuzz_tail tail = {data, size};
  return tail;
}

static inline uint8_t fuzz_byte(fuzz_tail *tail) {
  return tail->left > 0 ? tail->data[--tail->left] : 0;
}

/* A number below `count`. */
static inline size_t fuzz_pick(fuzz_tail *tail, size_t count) {
  size_t value = fuzz_byte(tail);
  if (count > 256) value = value << 8 | fuzz_byte(tail);
  return count > 0 ? value % count : 0;
}

/* Size of the next piece of `size` bytes that are left: all of them (0), a few, or none at all
 * (255). Ends: a tail has an end, and then all are taken. */
static inline size_t fuzz_piece(fuzz_tail *tail, size_t size) {
  size_t value = fuzz_byte(tail);
  if (value == 255) return 0;
  return value == 0 || value > size ? size : value;
}

/* ---- memory ----------------------------------------------------------------------------------
 *
 *   fuzz_memory memory;
 *   pks_alloc alloc = fuzz_memory_init(&memory, limit);
 *   ... pass &alloc ...
 *   FUZZ_CHECK(memory.live == 0);
 *
 * Aborts when an object holds more than `limit` bytes (0: no limit), or gives an old size that is
 * not what it asked for. Blocks move at every change of size, and new bytes are not zero. */
typedef struct fuzz_memory {
  uint64_t calls; /* requests, those that free not counted */
  uint64_t live, peak, limit;
  uint64_t fail_at; /* this request, counted from 1, is refused; 0: none is */
} fuzz_memory;

typedef union fuzz_block {
  size_t size;
  long double align;
  void *align_pointer;
} fuzz_block;

static inline void *fuzz_resize(void *user, void *ptr, size_t old_size, size_t size) {
  fuzz_memory *memory = user;
  fuzz_block *old = ptr ? (fuzz_block *)ptr - 1 : NULL;
  fuzz_block *block = NULL;
  FUZZ_CHECK((old ? old->size : 0) == old_size);
  if (size > 0) {
    if (++memory->calls == memory->fail_at) return NULL;
    if (size > SIZE_MAX - sizeof *block) return NULL;
    block = malloc(sizeof *block + size);
    if (!block) return NULL;
    block->size = size;
    memset(block + 1, 0xa5, size);
    if (old) memcpy(block + 1, old + 1, old_size < size ? old_size : size);
    memory->live += size;
    if (memory->live - old_size > memory->peak) memory->peak = memory->live - old_size;
  }
  memory->live -= old_size;
  free(old);
  FUZZ_CHECK(memory->limit == 0 || memory->live <= memory->limit);
  return block ? block + 1 : NULL;
}

static inline pks_alloc fuzz_memory_init(fuzz_memory *memory, uint64_t limit) {
  pks_alloc alloc = {fuzz_resize, memory};
  memset(memory, 0, sizeof *memory);
  memory->limit = limit;
  return alloc;
}

#endif
