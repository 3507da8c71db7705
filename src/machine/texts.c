/* machine/texts.c - values whose text is looked at: strings of Python 2, numbers and texts on a line. */
#include "machine/fast.h"

/* cloudpickle's "module", the methods that APPENDS and ADDITEMS call, and keys of states that say which
 * library or version wrote them. */
#if defined(__GNUC__)
__attribute__((noinline, cold))
#endif
bool pks_machine_is_key(const uint8_t *data, size_t size) {
#define IS(text) (memcmp(data, text, sizeof text - 1) == 0)
  switch (size) {
    case 3: return IS("add") || IS("doc");
    case 4: return IS("_mgr");
    case 5: return IS("_line") || IS("_path") || IS("_code");
    case 6:
      return IS("module") || IS("append") || IS("extend") || IS("_lines") || IS("policy") ||
             IS("indent") || IS("_style");
    case 7: return IS("kw_only") || IS("tabsize");
    case 8: return IS("_pathcls");
    case 9: return IS("fillvalue");
    case 10: return IS("end_lineno") || IS("match_args");
    case 11: return IS("_end_offset") || IS("_sort_dicts") || IS("merge_extra");
    case 13: return IS("exit_on_error");
    case 14: return IS("_compresslevel") || IS("compress_level") || IS("_removed_tests");
    case 15: return IS("_django_version");
    case 16: return IS("_sklearn_version");
    case 21: return IS("_JSONEncoder__encoder");
    default: return false;
  }
#undef IS
}

/* Copies a short opcode to where the kept texts end, in steps of 32 bytes: `readable` bytes lie at p,
 * and the block has room for one step too many. */
static inline bool keep_short(pks_machine *m, const uint8_t *p, size_t size, size_t readable,
                              uint64_t *position) {
  size_t step = size <= 32 ? 32 : 64;
  if (size > 64 || step > readable || step > m->keep_left) return false;
  memcpy(m->keep_at, p, 32);
  if (size > 32) memcpy(m->keep_at + 32, p + 32, 32);
  *position = m->keep_used;
  m->keep_at += size;
  m->keep_left -= size;
  m->keep_used += size;
  m->keep_bytes += size;
  return true;
}

/* The value of a payload in pieces; `text_size` bytes of its opcode are the text. */
pks_fail pks_machine_kept_value(pks_machine *m, unsigned kind, const uint8_t *p, size_t size,
                                size_t readable, size_t text_size, uint64_t offset,
                                pks_value *out) {
  bool is_str = (kind & 0x1f) == PKS_V_STR;
  uint64_t position = UINT64_MAX;
  pks_fail fail = PKS_FAIL_NONE;
  if (text_size > (is_str ? m->max_name : pks_machine_kept_size(m, *p))) {
    /* as if it had gone by */
  } else if (!is_str || !keep_short(m, p, size, readable, &position)) {
    fail = pks_machine_keep(m, p, size, offset, &position);
  }
  *out = position == UINT64_MAX ? pks_make((kind & 0x1f) | PKS_VF_UNREADABLE, 0)
                                : pks_make(kind, position);
  return fail;
}

/* BINSTRING, SHORT_BINSTRING and STRING: text of Python 2. */
pks_fail pks_machine_string_value(pks_machine *m, const uint8_t *p, size_t size, pks_span text,
                                  uint64_t offset, pks_value *out) {
  bool escaped = *p == PKS_OP_STRING;
  pks_fail fail = pks_decode_string_check(&m->strings, m->rules, text, escaped);
  bool ascii = pks_decode_string_ascii(text, escaped);
  if (!ascii) m->hooks->encoding(m, offset);
  if (text.size == 0 && m->strings.encoding == PKS_ENCODING_INVALID) m->quirks |= PKS_QUIRK_CODEC;
  if (fail) return fail;
  bool known = pks_decode_string_known(&m->strings, ascii);
  if (!known) pks_machine_assume(m, PKS_ASSUME_ENCODING, offset);
  unsigned kind = m->strings.encoding == PKS_ENCODING_BYTES ? PKS_V_BYTES : PKS_V_STR;
  fail = text_value(m, kind, p, size, size, text, offset, out);
  if (!known) *out |= PKS_VF_STRING;
  return fail;
}

pks_fail pks_machine_line_value(pks_machine *m, const uint8_t *p, size_t size, uint64_t offset,
                                pks_value *out) {
  const uint8_t *line = p + 1;
  size_t line_size = size - 1;
  pks_number number;
  double real;
  pks_span inside;
  pks_fail fail;
  bool number_line = *p == PKS_OP_INT || *p == PKS_OP_LONG;
  if (number_line && !pks_decode_is_plain_number(*p, line, line_size)) {
    if (!(m->quirks & PKS_QUIRK_NUMBER)) m->number_quirk = offset;
    m->quirks |= line_size > 4300 ? PKS_QUIRK_NUMBER | PKS_QUIRK_DIGITS : PKS_QUIRK_NUMBER;
  }
  switch (*p) {
    case PKS_OP_INT:
      fail = pks_decode_int_line(line, line_size, m->rules, &number);
      if (!fail)
        *out = number.boolean ? (pks_value)(number.value ? PKS_V_TRUE : PKS_V_FALSE)
                              : pks_machine_number(&number);
      return fail;
    case PKS_OP_LONG:
      fail = pks_decode_long_line(line, line_size, m->rules, &number);
      if (!fail) *out = pks_machine_number(&number);
      return fail;
    case PKS_OP_FLOAT: *out = PKS_V_FLOAT; return pks_decode_float_line(line, line_size, &real);
    case PKS_OP_STRING:
      fail = pks_decode_string_line(line, line_size, &inside);
      return fail ? fail : pks_machine_string_value(m, p, size, inside, offset, out);
    default: /* UNICODE */
      fail = pks_decode_unicode_line(line, line_size - 1);
      inside = (pks_span){line, line_size - 1};
      return fail ? fail : text_value(m, PKS_V_STR, p, size, size, inside, offset, out);
  }
}

pks_fail pks_machine_index_line(pks_machine *m, const uint8_t *line, size_t size, pks_number *out) {
  if (size > 4300) m->quirks |= PKS_QUIRK_DIGITS; /* the limit came with 3.7 */
  return pks_decode_index_line(line, size, m->rules, out);
}
