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

/* Bytes in a block of exactly their size, so that a sanitizer sees a read past it. Free it. */
static inline uint8_t *fuzz_copy(const uint8_t *data, size_t size) {
  uint8_t *copy = malloc(size > 0 ? size : 1);
  FUZZ_CHECK(copy != NULL);
  if (size > 0) memcpy(copy, data, size);
  return copy;
}

/* How the payload will be read: any interpreter, encoding, buffers ... All zero: the defaults. */
static inline pks_options fuzz_options(fuzz_tail *tail) {
  static const uint32_t pythons[] = {
      PKS_PYTHON(3, 13, 0xff), PKS_PYTHON(3, 6, 15), PKS_PYTHON(3, 8, 18), PKS_PYTHON(3, 11, 7),
      PKS_PYTHON(3, 13, 15),   PKS_PYTHON(3, 14, 2), PKS_PYTHON(3, 15, 0), PKS_PYTHON(2, 7, 18)};
  static const char *const encodings[] = {NULL,    "ASCII",  "latin1", "utf-8",
                                          "bytes", "cp1252", "no"};
  static const char *const errors[] = {NULL, "replace", "no"};
  static const int64_t buffers[] = {PKS_BUFFERS_UNKNOWN, PKS_BUFFERS_NONE, 0, 2};
  pks_options options = {.size = sizeof options};
  if (pks_options_init(&options) != PKS_OK) abort();
  options.python = pythons[fuzz_pick(tail, sizeof pythons / sizeof *pythons)];
  options.opaque = fuzz_pick(tail, 2) ? PKS_OPAQUE_INERT : PKS_OPAQUE_UNKNOWN;
  options.encoding = encodings[fuzz_pick(tail, sizeof encodings / sizeof *encodings)];
  options.errors = errors[fuzz_pick(tail, sizeof errors / sizeof *errors)];
  options.buffers = buffers[fuzz_pick(tail, sizeof buffers / sizeof *buffers)];
  options.persistent_load = (pks_answer)fuzz_pick(tail, 3);
  options.extensions = (pks_answer)fuzz_pick(tail, 3);
  options.events = (int)fuzz_pick(tail, 2);
  return options;
}

/* The defaults, or any of them small. */
static inline pks_limits fuzz_limits(fuzz_tail *tail) {
  static const uint64_t small[] = {0, 1, 3, 10, 40, 200, 1000, 20000};
  pks_limits limits = {.size = sizeof limits};
  if (pks_limits_init(&limits) != PKS_OK) abort();
  size_t which = fuzz_byte(tail);
#define X(name, value, text)                              \
  if (which & 1) limits.name = small[fuzz_pick(tail, 8)]; \
  which >>= 1;
  PKS_LIMITS_MAP(X)
#undef X
  if (limits.max_memory <= 20000) limits.max_memory = 13000 + 100 * limits.max_memory;
  return limits;
}

/* ---- text: what a report writes, kept to be compared ------------------------------------------ */

typedef struct fuzz_text {
  char *data;
  size_t size, capacity;
} fuzz_text;

/* A pks_write_fn. */
static inline int fuzz_text_write(void *user, const char *data, size_t size) {
  fuzz_text *text = user;
  if (size > text->capacity - text->size) {
    text->capacity = (text->size + size) * 2;
    text->data = realloc(text->data, text->capacity);
    FUZZ_CHECK(text->data != NULL);
  }
  if (size > 0) memcpy(text->data + text->size, data, size);
  text->size += size;
  return 0;
}

/* The first `what` from offset `from` on, or NULL. */
static inline char *fuzz_find(const fuzz_text *text, size_t from, const char *what) {
  size_t length = strlen(what);
  for (size_t i = from; i + length <= text->size; i++)
    if (memcmp(text->data + i, what, length) == 0) return text->data + i;
  return NULL;
}

static inline bool fuzz_text_same(const fuzz_text *a, const fuzz_text *b) {
  if (a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0)) return true;
  fprintf(stderr, "%.*s\n--- or\n%.*s\n", (int)a->size, a->data, (int)b->size, b->data);
  return false;
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
