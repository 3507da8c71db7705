/* decode/skip.c - counted arguments that are checked but not kept. */
#include "decode/decode.h"

void pks_decode_skip_start(pks_skip *skip, int op, uint64_t count) {
  *skip = (pks_skip){.left = count, .count = count, .op = (uint8_t)op, .ascii = true};
}

size_t pks_decode_skip_feed(pks_skip *skip, const uint8_t *data, size_t size) {
  size_t here = skip->left < size ? (size_t)skip->left : size;
  if (pks_decode_is_text(skip->op)) {
    pks_base_utf8_feed(&skip->utf8, data, here, true);
  } else if (pks_decode_is_string(skip->op)) {
    if (skip->ascii) skip->ascii = pks_base_ascii_prefix(data, here) == here;
    pks_base_utf8_feed(&skip->utf8, data, here, false);
  }
  if (here) skip->last = data[here - 1];
  skip->left -= here;
  return here;
}

pks_fail pks_decode_skip_end(const pks_skip *skip, const pks_strings *strings) {
  if (pks_decode_is_text(skip->op))
    return pks_base_utf8_done(&skip->utf8) ? PKS_FAIL_NONE : PKS_FAIL_UTF8;
  if (!pks_decode_is_string(skip->op)) return PKS_FAIL_NONE;
  if (strings->encoding == PKS_ENCODING_INVALID) return PKS_FAIL_ENCODING_NAME;
  bool decodes = skip->ascii;
  if (strings->encoding == PKS_ENCODING_UTF8) decodes = pks_base_utf8_done(&skip->utf8);
  bool checked = strings->encoding == PKS_ENCODING_UTF8 || strings->encoding == PKS_ENCODING_ASCII;
  if (decodes || !checked) return PKS_FAIL_NONE;
  if (!strings->known_errors) return PKS_FAIL_ENCODING_NAME;
  return strings->strict ? PKS_FAIL_ENCODING : PKS_FAIL_NONE;
}
