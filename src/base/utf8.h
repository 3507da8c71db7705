/* base/utf8.h - is this text what CPython's utf-8 codec takes? */
#ifndef PKS_BASE_UTF8_H
#define PKS_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* State of a check that goes on from piece to piece; zero-initialised it is at the start. */
typedef struct pks_utf8 {
  uint8_t left;      /* continuation bytes still to come            */
  uint8_t low, high; /* range of the next one                       */
  bool bad;          /* something was wrong; stays                  */
} pks_utf8;

/* surrogates: take U+D800..DFFF too (the surrogatepass handler). */
void pks_base_utf8_feed(pks_utf8 *state, const uint8_t *data, size_t size, bool surrogates);
static inline bool pks_base_utf8_done(const pks_utf8 *state) {
  return !state->bad && state->left == 0;
}

/* Whole text at once. */
bool pks_base_utf8_valid(const uint8_t *data, size_t size, bool surrogates);

/* Index of the first byte >= 0x80, or size. */
size_t pks_base_ascii_prefix(const uint8_t *data, size_t size);

#endif
