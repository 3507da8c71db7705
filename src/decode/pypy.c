/* decode/pypy.c - lines as PyPy's int(), float() and raw-unicode-escape take them.
 *
 * Lib/pickle.py hands the line to these as bytes: a NUL ends nothing, blanks may stand around a number and
 * (W_IntObject of PyPy, unlike CPython) between its sign and its digits. Measured on PyPy 7.3. */
#include "decode/number.h"

static pks_span strip(pks_span text) {
  while (text.size && is_space(text.data[0])) {
    text.data++;
    text.size--;
  }
  while (text.size && is_space(text.data[text.size - 1])) text.size--;
  return text;
}

/* Takes the sign away, and blanks after it. */
static pks_span without_sign(pks_span text, bool *negative) {
  text = strip(text);
  *negative = text.size && text.data[0] == '-';
  if (text.size == 0 || (text.data[0] != '-' && text.data[0] != '+')) return text;
  return strip((pks_span){text.data + 1, text.size - 1});
}

pks_fail pks_decode_pypy_int(pks_span text, unsigned base, uint32_t rules, pks_number *out) {
  bool negative, only_zero = false, limited = base == 10; /* not: decimal under base 0 */
  magnitude m = {0, false};
  size_t i = 0;
  text = without_sign(text, &negative);
  if (base == 0) {
    uint8_t letter = text.size > 1 && text.data[0] == '0' ? (uint8_t)(text.data[1] | 0x20) : 0;
    base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    only_zero = base == 10 && text.size && text.data[0] == '0';
    if (base != 10) i = text.size > 2 && text.data[2] == '_' ? 3 : 2;
  }
  int64_t digits = pks_decode_read_digits(text.data, text.size, &i, base, &m);
  if (digits < 0 || i != text.size) return PKS_FAIL_INT_TEXT;
  if (limited && digits > MAX_DIGITS && (rules & PKS_RULE_DIGITS)) return PKS_FAIL_INT_DIGITS;
  if (only_zero && (m.over || m.value != 0)) return PKS_FAIL_INT_TEXT;
  number_set(out, &m, negative);
  return PKS_FAIL_NONE;
}

bool pks_decode_pypy_digits(pks_span text, uint8_t *buffer, size_t capacity, pks_span *out) {
  bool negative;
  size_t count = 0;
  text = without_sign(text, &negative);
  for (size_t i = 0; i < text.size; i++) {
    if (text.data[i] == '_' || (count == 0 && text.data[i] == '0')) continue;
    if (count == capacity) return false;
    buffer[count++] = text.data[i];
  }
  *out = (pks_span){buffer, count};
  return true;
}

/* ---- float() ------------------------------------------------------------------------------------ */

static bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

static bool is_word(pks_span text, const char *word) {
  if (text.size != strlen(word)) return false;
  for (size_t i = 0; i < text.size; i++)
    if ((text.data[i] | 0x20) != word[i]) return false;
  return true;
}

/* Digits with single underscores between them; how many. */
static size_t some_digits(pks_span text, size_t *pos, bool *nonzero) {
  size_t i = *pos, count = 0;
  for (; i < text.size; i++) {
    bool between = text.data[i] == '_' && count && is_digit(text.data[i - 1]) &&
                   i + 1 < text.size && is_digit(text.data[i + 1]);
    if (between) continue;
    if (!is_digit(text.data[i])) break;
    if (text.data[i] != '0') *nonzero = true;
    count++;
  }
  *pos = i;
  return count;
}

/* A number whose digits are not all 0 is 0 where it is too small; the text has no blanks. */
static bool is_too_small(pks_span text) {
  uint8_t plain[1024];
  size_t count = 0;
  double value;
  for (size_t i = 0; i < text.size; i++) {
    if (text.data[i] == '_') continue;
    if (count == sizeof plain - 1) return false;
    plain[count++] = text.data[i];
  }
  plain[count++] = '\n';
  return pks_decode_float_line(plain, count, &value) == PKS_FAIL_NONE && !(value < 0 || value > 0);
}

pks_fail pks_decode_pypy_float(pks_span text, bool *zero) {
  text = strip(text);
  pks_span whole = text;
  *zero = false;
  if (text.size && (text.data[0] == '-' || text.data[0] == '+'))
    text = (pks_span){text.data + 1, text.size - 1};
  if (is_word(text, "inf") || is_word(text, "infinity") || is_word(text, "nan"))
    return PKS_FAIL_NONE;
  size_t i = 0, digits;
  bool nonzero = false, ignored = false;
  digits = some_digits(text, &i, &nonzero);
  if (i < text.size && text.data[i] == '.') {
    i++;
    digits += some_digits(text, &i, &nonzero);
  }
  if (digits == 0) return PKS_FAIL_FLOAT_TEXT;
  if (i < text.size && (text.data[i] | 0x20) == 'e') {
    i++;
    if (i < text.size && (text.data[i] == '-' || text.data[i] == '+')) i++;
    if (some_digits(text, &i, &ignored) == 0) return PKS_FAIL_FLOAT_TEXT;
  }
  if (i != text.size) return PKS_FAIL_FLOAT_TEXT;
  *zero = !nonzero || is_too_small(whole);
  return PKS_FAIL_NONE;
}

/* ---- raw-unicode-escape ------------------------------------------------------------------------- */

static size_t past_spaces(pks_span text, size_t at) {
  while (at < text.size && text.data[at] == ' ') at++;
  return at;
}

/* int(digits, 16) of RPython: spaces around, a sign, spaces after it. */
static int64_t hex_number(pks_span text) {
  int64_t value = 0;
  size_t i = past_spaces(text, 0), digits = 0;
  bool negative = i < text.size && text.data[i] == '-';
  if (i < text.size && (text.data[i] == '-' || text.data[i] == '+')) i = past_spaces(text, i + 1);
  for (; i < text.size && digit_value(text.data[i]) < 16; i++, digits++)
    value = value * 16 + digit_value(text.data[i]);
  if (digits == 0 || past_spaces(text, i) != text.size) return -1;
  return value > 0x10ffff || (negative && value) ? -1 : value;
}

int64_t pks_decode_pypy_char(const uint8_t **pos, const uint8_t *end, bool *both, bool *odd) {
  const uint8_t *p = *pos;
  uint8_t c = *p++;
  *both = false;
  *pos = p;
  if (c != '\\' || p == end) return c;
  c = *p;
  if (c == '\\') { /* two are one */
    *pos = p + 1;
    return '\\';
  }
  if (c != 'u' && c != 'U') {
    *both = true;
    if (c >= 0x80) *odd = true;
    return '\\';
  }
  size_t size = c == 'u' ? 4 : 8;
  p++;
  if ((size_t)(end - p) < size) return -1;
  *pos = p + size;
  return hex_number((pks_span){p, size});
}

pks_fail pks_decode_pypy_unicode(pks_span line, bool *odd) {
  const uint8_t *p = line.data, *end = p + line.size;
  *odd = false;
  while (p < end && (p = memchr(p, '\\', (size_t)(end - p))) != NULL) {
    bool both;
    if (pks_decode_pypy_char(&p, end, &both, odd) < 0) return PKS_FAIL_UNICODE_ESCAPE;
    if (*odd) return PKS_FAIL_NONE; /* what follows is read with it */
    if (both) p++;
  }
  return PKS_FAIL_NONE;
}
