#include "base/utf8.h"

#include <string.h>

#define HIGH_BITS 0x8080808080808080ull

static inline uint64_t load8(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

size_t pks_base_ascii_prefix(const uint8_t *data, size_t size) {
  size_t i = 0;
  for (; size - i >= 32; i += 32) {
    uint64_t any =
        load8(data + i) | load8(data + i + 8) | load8(data + i + 16) | load8(data + i + 24);
    if (any & HIGH_BITS) break;
  }
  for (; size - i >= 8; i += 8)
    if (load8(data + i) & HIGH_BITS) break;
  while (i < size && data[i] < 0x80) i++;
  return i;
}

/* Lead byte -> how many continuation bytes and the range of the first (RFC 3629, table 3-7 of the
 * Unicode standard; with surrogates, ED may be followed by A0..BF as in Python's surrogatepass). */
static bool start(pks_utf8 *s, uint8_t lead, bool surrogates) {
  s->low = 0x80;
  s->high = 0xbf;
  if (lead >= 0xc2 && lead <= 0xdf) {
    s->left = 1;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    s->left = 2;
    if (lead == 0xe0) s->low = 0xa0;
    if (lead == 0xed && !surrogates) s->high = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    s->left = 3;
    if (lead == 0xf0) s->low = 0x90;
    if (lead == 0xf4) s->high = 0x8f;
  } else {
    return false;
  }
  return true;
}

void pks_base_utf8_feed(pks_utf8 *s, const uint8_t *data, size_t size, bool surrogates) {
  size_t i = 0;
  if (s->bad) return;
  while (i < size) {
    if (s->left == 0) {
      i += pks_base_ascii_prefix(data + i, size - i);
      if (i == size) return;
      if (!start(s, data[i++], surrogates)) {
        s->bad = true;
        return;
      }
    } else {
      if (data[i] < s->low || data[i] > s->high) {
        s->bad = true;
        return;
      }
      s->low = 0x80;
      s->high = 0xbf;
      s->left--;
      i++;
    }
  }
}

bool pks_base_utf8_valid(const uint8_t *data, size_t size, bool surrogates) {
  pks_utf8 state = {0};
  pks_base_utf8_feed(&state, data, size, surrogates);
  return pks_base_utf8_done(&state);
}
