/* decode/skip.c - counted arguments that are checked but not kept. */
#include "decode/decode.h"

void pks_decode_skip_start(pks_skip *skip, int op, uint64_t count, const pks_strings *strings) {
  *skip = (pks_skip){.left = count,
                     .count = count,
                     .op = (uint8_t)op,
                     .ascii = true,
                     .surrogates = strings->errors == PKS_HANDLER_SURROGATEPASS,
                     .zeros = true,
                     .ones = true};
}

static void feed_number(pks_skip *skip, const uint8_t *data, size_t size) {
  uint64_t at = skip->count - skip->left;
  for (size_t i = 0; i < size; i++, at++) {
    if (at < 8) {
      skip->low |= (uint64_t)data[i] << (8 * at);
    } else {
      skip->zeros = skip->zeros && data[i] == 0;
      skip->ones = skip->ones && data[i] == 0xff;
    }
  }
  if (size) skip->last = data[size - 1];
}

size_t pks_decode_skip_feed(pks_skip *skip, const uint8_t *data, size_t size) {
  size_t here = skip->left < size ? (size_t)skip->left : size;
  if (pks_decode_is_text(skip->op)) {
    pks_base_utf8_feed(&skip->utf8, data, here, true);
  } else if (pks_decode_is_string(skip->op)) {
    if (skip->ascii) skip->ascii = pks_base_ascii_prefix(data, here) == here;
    pks_base_utf8_feed(&skip->utf8, data, here, skip->surrogates);
  } else if (pks_decode_is_long(skip->op)) {
    feed_number(skip, data, here);
  }
  skip->left -= here;
  return here;
}

void pks_decode_skip_number(const pks_skip *skip, pks_number *out) {
  bool negative = skip->count > 0 && (skip->last & 0x80);
  bool fits = negative ? skip->ones : skip->zeros;
  uint64_t low = skip->low;
  out->boolean = false;
  if (skip->count < 8) {
    if (negative) low |= UINT64_MAX << (8 * skip->count);
  } else {
    fits = fits && (low >> 63 != 0) == negative;
  }
  out->big = !fits;
  out->value = fits ? (int64_t)low : negative ? INT64_MIN : INT64_MAX;
}

pks_fail pks_decode_skip_end(const pks_skip *skip, const pks_strings *strings) {
  if (pks_decode_is_text(skip->op))
    return pks_base_utf8_done(&skip->utf8) ? PKS_FAIL_NONE : PKS_FAIL_UTF8;
  if (!pks_decode_is_string(skip->op)) return PKS_FAIL_NONE;
  if (strings->encoding == PKS_ENCODING_INVALID) return PKS_FAIL_ENCODING_NAME;
  bool decodes = skip->ascii;
  if (strings->encoding == PKS_ENCODING_UTF8) decodes = pks_base_utf8_done(&skip->utf8);
  bool checked = strings->encoding == PKS_ENCODING_UTF8 || strings->encoding == PKS_ENCODING_ASCII;
  return decodes || !checked ? PKS_FAIL_NONE : pks_decode_string_bad(strings);
}
