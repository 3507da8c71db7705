/* util.c - bytes, chance, ways of reading. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

#include "support/noise.h"

uint8_t *bytes_room(bytes *b, size_t size) {
  if (!b->data || size > b->capacity - b->size) {
    size_t capacity = b->capacity ? b->capacity : 256;
    while (capacity - b->size < size) capacity *= 2;
    b->data = realloc(b->data, capacity);
    if (!b->data) abort();
    b->capacity = capacity;
  }
  uint8_t *at = b->data + b->size;
  b->size += size;
  return at;
}

void bytes_put(bytes *b, const void *data, size_t size) {
  uint8_t *to = bytes_room(b, size);
  if (size) memcpy(to, data, size);
}

void bytes_byte(bytes *b, unsigned byte) { *bytes_room(b, 1) = (uint8_t)byte; }

void bytes_le(bytes *b, uint64_t number, unsigned size) {
  for (; size; size--, number >>= 8) bytes_byte(b, (unsigned)(number & 0xff));
}

void bytes_text(bytes *b, const char *text) { bytes_put(b, text, strlen(text)); }

void bytes_replace(bytes *b, size_t at, size_t remove, const void *data, size_t size) {
  size_t after = b->size - at - remove;
  bytes_room(b, size > remove ? size - remove : 0);
  if (after) memmove(b->data + at + size, b->data + at + remove, after);
  if (size) memcpy(b->data + at, data, size);
  b->size = at + size + after;
}

void bytes_free(bytes *b) {
  free(b->data);
  memset(b, 0, sizeof *b);
}

uint64_t rng_next(rng *r) { return noise(&r->state); }

uint32_t rng_below(rng *r, uint32_t count) {
  return (uint32_t)(((rng_next(r) >> 32) * count) >> 32);
}

const char *const how_encodings[] = {NULL,    "latin1",  "utf-8",        "bytes",       "ASCII",
                                     "rot13", "no-such", "Windows-1252", "ISO 8859-15", "utf_16"};
const size_t how_encoding_count = sizeof how_encodings / sizeof *how_encodings;
const char *const how_errors[] = {NULL,      "strict",           "ignore",
                                  "replace", "backslashreplace", "surrogateescape",
                                  "no-such", "surrogatepass",    "xmlcharrefreplace"};
const size_t how_error_count = sizeof how_errors / sizeof *how_errors;
const how_reading how_readings[] = {{READ_WHOLE, 0},  {READ_STREAM, 0}, {READ_FILE, 8192},
                                    {READ_FILE, 16},  {READ_FILE, 64},  {READ_FILE, 256},
                                    {READ_FILE, 1000}};
const size_t how_reading_count = sizeof how_readings / sizeof *how_readings;
const uint32_t ext_codes[] = {1, 2, 3, 77, 200, 255, 256, 1000, 65535, 65536, 70000, 0x7fffffff};
const size_t ext_code_count = sizeof ext_codes / sizeof *ext_codes;

void sample_copy(sample *to, const sample *from) {
  to->how = from->how;
  to->data.size = 0;
  bytes_put(&to->data, from->data.data, from->data.size);
}

void sample_random_how(sample *s, rng *r) {
  static const uint8_t encodings[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6};
  s->how.encoding = RNG_PICK(r, encodings);
  if (rng_one_in(r, 100)) s->how.encoding = (uint8_t)(7 + rng_below(r, 3)); /* not decoded */
  s->how.errors = rng_one_in(r, 6) ? (uint8_t)rng_below(r, (uint32_t)how_error_count) : 0;
  s->how.buffers = rng_one_in(r, 4) ? (int8_t)-1 : (int8_t)rng_below(r, 4);
  s->how.persid = !rng_one_in(r, 8);
  s->how.extensions = rng_one_in(r, 16);
  s->how.reading = 0;
  if (rng_one_in(r, 4))
    s->how.reading =
        rng_one_in(r, 2) ? 1 : (uint8_t)(2 + rng_below(r, (uint32_t)how_reading_count - 2));
}
