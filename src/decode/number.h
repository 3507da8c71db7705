/* decode/number.h - what the readers of numbers as text share (number.c, cpickle.c, pypy.c). */
#ifndef PKS_DECODE_NUMBER_H
#define PKS_DECODE_NUMBER_H

#include "decode/decode.h"

static inline bool is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static inline int digit_value(uint8_t c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

/* Magnitude that saturates. */
typedef struct magnitude {
  uint64_t value;
  bool over;
} magnitude;

static inline void magnitude_add(magnitude *m, unsigned base, unsigned digit) {
  uint64_t high;
  if (m->over) return;
  if (__builtin_mul_overflow(m->value, (uint64_t)base, &high) ||
      __builtin_add_overflow(high, (uint64_t)digit, &m->value))
    m->over = true;
}

static inline void number_set(pks_number *out, const magnitude *m, bool negative) {
  uint64_t most = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
  out->big = m->over || m->value > most;
  out->boolean = false;
  if (out->big)
    out->value = negative ? INT64_MIN : INT64_MAX;
  else
    out->value = negative ? (int64_t)(0 - m->value) : (int64_t)m->value;
}

/* C string: what stands before the first NUL. */
static inline size_t c_length(const uint8_t *line, size_t size) {
  const uint8_t *nul = memchr(line, 0, size);
  return nul ? (size_t)(nul - line) : size;
}

#define MAX_DIGITS 4300 /* sys.int_info.default_max_str_digits */

/* Digits with single underscores between them, from *pos on; how many, or -1. */
int64_t pks_decode_read_digits(const uint8_t *s, size_t size, size_t *pos, unsigned base,
                               magnitude *m);

/* strtol(s, &end, base) for base 0 or 10. Returns whether the unpickler takes its answer: no ERANGE
 * and the line, or its C string, ends where the digits do. */
bool pks_decode_strtol(const uint8_t *s, size_t size, unsigned base, pks_number *out);

#endif
