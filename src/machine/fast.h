/* machine/fast.h - what the dispatch loop does without a call: short lines, short texts.
 *
 * Included by the readers of this room (run.c, texts.c), nowhere else. */
#ifndef PKS_MACHINE_FAST_H
#define PKS_MACHINE_FAST_H

#include "machine/machine.h"

/* ---- texts ------------------------------------------------------------------------------------- */

static inline bool is_ascii(const uint8_t *data, size_t size, size_t room) {
  uint64_t word, any = 0;
  if (size >= 8) { /* the first and the last eight, which cover most texts, then what is between */
    memcpy(&any, data, 8);
    memcpy(&word, data + size - 8, 8);
    any |= word;
    for (size_t i = 8; i + 8 < size; i += 8) {
      memcpy(&word, data + i, 8);
      any |= word;
    }
  } else if (room >= 8) {
    memcpy(&word, data, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    any = size ? word >> (64 - 8 * size) : 0;
#else
    any = size ? word << (64 - 8 * size) : 0;
#endif
  } else {
    for (size_t i = 0; i < size; i++) any |= data[i];
    return !(any & 0x80);
  }
  return !(any & 0x8080808080808080ull);
}

/* Is it one of the keys below that begin so and have this size? */
bool pks_machine_is_key(const uint8_t *data, size_t size);

/* Keys whose values say what a payload carries: __dunder__, and what is named in texts.c, of which most
 * texts are told by their size and first letter. */
#define LETTER(c) (1u << ((c)&31))
static const uint32_t key_letters[22] = {[3] = LETTER('a') | LETTER('d'),
                                         [4] = LETTER('_'),
                                         [5] = LETTER('_'),
                                         [6] = LETTER('m') | LETTER('a') | LETTER('e') |
                                               LETTER('_') | LETTER('p') | LETTER('i'),
                                         [7] = LETTER('k') | LETTER('t'),
                                         [8] = LETTER('_'),
                                         [9] = LETTER('f'),
                                         [10] = LETTER('e') | LETTER('m'),
                                         [11] = LETTER('_') | LETTER('m'),
                                         [13] = LETTER('e'),
                                         [14] = LETTER('_') | LETTER('c'),
                                         [15] = LETTER('_'),
                                         [16] = LETTER('_'),
                                         [21] = LETTER('_')};
static inline unsigned key_flag(const uint8_t *data, size_t size) {
  if (size > 4 && data[0] == '_' && data[1] == '_') return PKS_VF_KEY;
  if (size - 3 > 18 || !(key_letters[size] >> (data[0] & 31) & 1)) return 0;
  return pks_machine_is_key(data, size) ? PKS_VF_KEY : 0;
}

/* Of a payload in pieces (texts.c: a call, so that the dispatch loop stays small); `text_size` bytes of
 * the opcode are the text. */
pks_fail pks_machine_kept_value(pks_machine *m, unsigned kind, const uint8_t *p, size_t size,
                                size_t readable, size_t text_size, uint64_t offset, pks_value *out);

/* A STR or BYTES whose opcode is `size` bytes at p. */
static inline pks_fail text_value(pks_machine *m, unsigned kind, const uint8_t *p, size_t size,
                                  size_t readable, pks_span text, uint64_t offset, pks_value *out) {
  if (kind == PKS_V_STR) kind |= key_flag(text.data, text.size);
  if (!m->whole) return pks_machine_kept_value(m, kind, p, size, readable, text.size, offset, out);
  *out = pks_make(kind, offset);
  return PKS_FAIL_NONE;
}

/* ---- lines ------------------------------------------------------------------------------------- */

#define ONES 0x0101010101010101ull

/* Just after the next newline, or NULL. Most lines are short, so the first 16 bytes are looked at in
 * words before memchr is asked. */
static inline const uint8_t *newline_from(const uint8_t *from, const uint8_t *limit) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (int i = 0; i < 2 && limit - from >= 8; i++, from += 8) {
    uint64_t word;
    memcpy(&word, from, 8);
    word ^= ONES * '\n';
    uint64_t found = (word - ONES) & ~word & (ONES << 7);
    if (found) return from + (__builtin_ctzll(found) >> 3) + 1;
  }
#endif
  from = from < limit ? memchr(from, '\n', (size_t)(limit - from)) : NULL;
  return from ? from + 1 : NULL;
}

/* 1 to 8 decimal digits and nothing else, of which at least 8 bytes can be read. */
static inline bool eight_digits(const uint8_t *from, size_t count, int64_t *value) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t word;
  memcpy(&word, from, 8);
  word = count == 8 ? word : word << (64 - 8 * count) | (ONES * '0') >> (8 * count);
  if (((word - ONES * '0') | (word + ONES * 0x46)) & (ONES << 7)) return false;
  word -= ONES * '0';
  word = word * 10 + (word >> 8); /* pairs, then fours, then all eight digits */
  *value = (int64_t)((((word & 0x000000ff000000ffull) * 0x000f424000000064ull) +
                      ((word >> 16 & 0x000000ff000000ffull) * 0x0000271000000001ull)) >>
                     32);
  return true;
#else
  (void)from, (void)count, (void)value;
  return false;
#endif
}

/* The line from `from` to `next` (just after its newline) as 1 to 8 decimal digits and nothing else;
 * what it means is then the same to every reader. */
static inline bool short_decimal(const uint8_t *from, const uint8_t *next, const uint8_t *limit,
                                 int64_t *value) {
  size_t count = (size_t)(next - from) - 1;
  return count - 1 <= 7 && limit - from >= 8 && eight_digits(from, count, value);
}

/* A LONG line of up to 18 digits as picklers write it: no zero in front, L behind. */
static inline bool plain_long(const uint8_t *from, const uint8_t *next, const uint8_t *limit,
                              int64_t *value) {
  int64_t part;
  size_t count = (size_t)(next - from) - 1;
  if (count < 2 || next[-2] != 'L' || (*from == '0' && count != 2)) return false;
  count--;
  if (count > 18 || limit - from < 8) return false;
  size_t lead = (count - 1) % 8 + 1;
  if (!eight_digits(from, lead, value)) return false;
  for (from += lead; from < next - 2; from += 8) {
    if (!eight_digits(from, 8, &part)) return false;
    *value = *value * 100000000 + part;
  }
  return true;
}

/* A FLOAT line that every reader takes: digits, at most one point, no exponent, and short. */
static inline bool plain_float(const uint8_t *from, const uint8_t *next) {
  const uint8_t *end = next - 1;
  if (from < end && *from == '-') from++;
  unsigned points = 0;
  if (end - from > 40 || end == from) return false;
  for (; from < end; from++) {
    points += *from == '.';
    if (*from != '.' && (*from < '0' || *from > '9')) return false;
  }
  return points == 0 || (points == 1 && end[-1] != '.');
}

#endif
