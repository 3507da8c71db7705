/* decode/number.c - numbers as text, exactly as the C unpickler reads them.
 *
 * Modules/_pickle.c (load_int, load_long, load_float, load_get, load_put) works on a NUL-terminated
 * copy of the line, newline included, so a NUL ends the number and hides the rest of the line. */
#include <math.h>
#include <stdlib.h>

#include "decode/number.h"

bool pks_decode_strtol(const uint8_t *s, size_t size, unsigned base, pks_number *out) {
  size_t i = 0, end = 0;
  magnitude m = {0, false};
  bool negative = false;
  while (i < size && is_space(s[i])) i++;
  if (i < size && (s[i] == '-' || s[i] == '+')) negative = s[i++] == '-';
  if (base == 0) {
    base = 10;
    if (i < size && s[i] == '0') {
      base = 8;
      if (i + 2 < size && (s[i + 1] | 0x20) == 'x' && digit_value(s[i + 2]) < 16) {
        base = 16;
        i += 2;
      }
    }
  }
  for (; i < size && digit_value(s[i]) < (int)base; i++) {
    magnitude_add(&m, base, (unsigned)digit_value(s[i]));
    end = i + 1;
  }
  number_set(out, &m, negative);
  return !out->big && (end == size || s[end] == '\n');
}

int64_t pks_decode_read_digits(const uint8_t *s, size_t size, size_t *pos, unsigned base,
                               magnitude *m) {
  int64_t count = 0;
  size_t i = *pos;
  uint8_t previous = 0;
  for (; i < size && (s[i] == '_' || digit_value(s[i]) < (int)base); previous = s[i++]) {
    if (s[i] == '_') {
      if (previous == '_' || count == 0) return -1;
      continue;
    }
    magnitude_add(m, base, (unsigned)digit_value(s[i]));
    count++;
  }
  if (previous == '_' || count == 0) return -1;
  *pos = i;
  return count;
}

/* PyLong_FromString(s, NULL, base) of Objects/longobject.c for base 0 or 10. */
static pks_fail read_long(const uint8_t *s, size_t size, unsigned base, uint32_t rules,
                          pks_number *out) {
  size_t i = 0;
  magnitude m = {0, false};
  bool negative = false, only_zero = false, limited = base == 10;
  while (i < size && is_space(s[i])) i++;
  if (i < size && (s[i] == '-' || s[i] == '+')) negative = s[i++] == '-';
  if (base == 0) {
    uint8_t letter = i + 1 < size && s[i] == '0' ? (uint8_t)(s[i + 1] | 0x20) : 0;
    base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    if (base != 10) {
      i += 2;
      if (i < size && s[i] == '_') i++;
    } else {
      /* "0123" was octal in Python 2: only zeros may follow a zero */
      only_zero = i < size && s[i] == '0';
      limited = true;
    }
  }
  int64_t digits = pks_decode_read_digits(s, size, &i, base, &m);
  if (digits < 0) return PKS_FAIL_INT_TEXT;
  if (limited && digits > MAX_DIGITS && (rules & PKS_RULE_DIGITS)) return PKS_FAIL_INT_DIGITS;
  if (only_zero && (m.over || m.value != 0)) return PKS_FAIL_INT_TEXT;
  while (i < size && is_space(s[i])) i++;
  if (i != size) return PKS_FAIL_INT_TEXT;
  number_set(out, &m, negative);
  return PKS_FAIL_NONE;
}

/* The message quotes the first 200 bytes as UTF-8. load_int puts another message in its place. */
static pks_fail read_quoted(const uint8_t *s, size_t size, unsigned base, uint32_t rules,
                            pks_number *out) {
  pks_fail fail = read_long(s, size, base, rules, out);
  if (fail == PKS_FAIL_INT_TEXT && !pks_base_utf8_valid(s, size < 200 ? size : 200, false))
    return PKS_FAIL_UTF8;
  return fail;
}

pks_fail pks_decode_int_line(const uint8_t *line, size_t size, uint32_t rules, pks_number *out) {
  if (size < 2) return PKS_FAIL_EMPTY_LINE;
  unsigned base = (rules & PKS_RULE_INT10) ? 10 : 0;
  size_t text = c_length(line, size);
  if (pks_decode_strtol(line, text, base, out)) {
    bool short_line = size == 3 && (out->value == 0 || out->value == 1);
    if (rules & PKS_RULE_BOOL_EXACT) /* 3.15: s[0] == '0' and s[1] is 0 or 1 */
      short_line = size == 3 && line[0] == '0' && (line[1] == '0' || line[1] == '1');
    out->boolean = short_line;
    return PKS_FAIL_NONE;
  }
  return read_long(line, text, base, rules, out);
}

pks_fail pks_decode_long_line(const uint8_t *line, size_t size, uint32_t rules, pks_number *out) {
  if (size < 2) return PKS_FAIL_EMPTY_LINE;
  /* the L before the newline becomes a NUL */
  size_t text = c_length(line, line[size - 2] == 'L' ? size - 2 : size);
  return read_quoted(line, text, (rules & PKS_RULE_INT10) ? 10 : 0, rules, out);
}

bool pks_decode_is_plain_number(int op, const uint8_t *line, size_t size) {
  size_t i = 0, end = size - 1; /* without the newline */
  if (op == PKS_OP_INT && end == 2 && line[0] == '0') return line[1] == '0' || line[1] == '1';
  if (op == PKS_OP_LONG && end > 0 && line[end - 1] == 'L') end--;
  if (i < end && line[i] == '-') i++;
  if (i == end || end - i > MAX_DIGITS || (line[i] == '0' && end > 1)) return false;
  for (; i < end; i++)
    if (line[i] < '0' || line[i] > '9') return false;
  return true;
}

pks_fail pks_decode_index_line(const uint8_t *line, size_t size, uint32_t rules, pks_number *out) {
  if (size < 2) return PKS_FAIL_EMPTY_LINE;
  pks_fail fail = read_quoted(line, c_length(line, size), 10, rules, out);
  if (fail) return fail;
  if (out->big || ((rules & PKS_RULE_SIZE32) && (out->value > INT32_MAX || out->value < INT32_MIN)))
    return PKS_FAIL_INDEX_RANGE;
  return PKS_FAIL_NONE;
}

void pks_decode_long_bytes(const uint8_t *data, size_t size, pks_number *out) {
  uint64_t value = 0;
  bool negative = size > 0 && (data[size - 1] & 0x80);
  uint8_t fill = negative ? 0xff : 0;
  size_t used = size;
  while (used > 8 && data[used - 1] == fill) used--;
  out->boolean = false;
  out->big = used > 8 || (used == 8 && ((data[7] & 0x80) != 0) != negative);
  if (out->big) {
    out->value = negative ? INT64_MIN : INT64_MAX;
    return;
  }
  for (size_t i = 0; i < 8; i++) value |= (uint64_t)(i < used ? data[i] : fill) << (8 * i);
  out->value = (int64_t)value;
}

double pks_decode_double(const uint8_t *p) {
  uint64_t bits = 0;
  double value;
  for (int i = 0; i < 8; i++) bits = bits << 8 | p[i];
  memcpy(&value, &bits, sizeof value);
  return value;
}

static bool word_at(const uint8_t *s, size_t size, const char *word, size_t *pos) {
  size_t length = strlen(word);
  if (size - *pos < length) return false;
  for (size_t i = 0; i < length; i++)
    if ((s[*pos + i] | 0x20) != word[i]) return false;
  *pos += length;
  return true;
}

/* strtod looks at the locale only for the decimal point, so it is never shown one: the digits go in
 * as an integer with its own exponent. A double needs at most 767 significant digits; what follows
 * them counts as one more digit that is not zero. */
#define KEPT_DIGITS 800

static double scale(const char *digits, size_t count, int64_t exponent, bool negative) {
  char text[KEPT_DIGITS + 40];
  size_t n = 0;
  if (negative) text[n++] = '-';
  memcpy(text + n, digits, count);
  n += count;
  text[n++] = 'e';
  if (exponent > 99999) exponent = 99999;
  if (exponent < -99999) exponent = -99999;
  uint64_t left = exponent < 0 ? (uint64_t)-exponent : (uint64_t)exponent;
  if (exponent < 0) text[n++] = '-';
  for (uint64_t unit = 100000; unit; unit /= 10) text[n++] = (char)('0' + left / unit % 10);
  text[n] = 0;
  return strtod(text, NULL);
}

static int64_t read_exponent(const uint8_t *s, size_t size, size_t *pos) {
  size_t i = *pos + 1;
  bool negative = false;
  int64_t value = 0;
  if (i < size && (s[i] == '-' || s[i] == '+')) negative = s[i++] == '-';
  if (i >= size || s[i] < '0' || s[i] > '9') return 0; /* the e belongs to what follows */
  for (; i < size && s[i] >= '0' && s[i] <= '9'; i++)
    if (value < 1000000000000000) value = value * 10 + (s[i] - '0');
  *pos = i;
  return negative ? -value : value;
}

/* PyOS_string_to_double of Python/pystrtod.c; the end of the number, or 0 when there is none. */
static size_t read_double(const uint8_t *s, size_t size, double *out) {
  size_t i = 0, kept = 0, digits = 0;
  int64_t exponent = 0;
  bool negative = false, point = false, rest = false;
  char text[KEPT_DIGITS + 1];
  if (i < size && (s[i] == '-' || s[i] == '+')) negative = s[i++] == '-';
  if (word_at(s, size, "inf", &i)) {
    word_at(s, size, "inity", &i);
    *out = negative ? -HUGE_VAL : HUGE_VAL;
    return i;
  }
  if (word_at(s, size, "nan", &i)) {
    *out = (double)NAN;
    return i;
  }
  for (; i < size; i++) {
    if (s[i] == '.' && !point) {
      point = true;
      continue;
    }
    if (s[i] < '0' || s[i] > '9') break;
    digits++;
    if (point) exponent--;
    if (kept == 0 && s[i] == '0') continue;
    if (kept < KEPT_DIGITS) {
      text[kept++] = (char)s[i];
    } else {
      exponent++;
      rest = rest || s[i] != '0';
    }
  }
  if (digits == 0) return 0;
  if (rest) text[kept - 1] = text[kept - 1] == '0' ? '1' : text[kept - 1];
  if (i < size && (s[i] | 0x20) == 'e') exponent += read_exponent(s, size, &i);
  *out = kept ? scale(text, kept, exponent, negative) : (negative ? -0.0 : 0.0);
  return i;
}

pks_fail pks_decode_float_line(const uint8_t *line, size_t size, double *out) {
  if (size < 2) return PKS_FAIL_EMPTY_LINE;
  size_t text = c_length(line, size);
  size_t first = line[0] == '-' || line[0] == '+';
  bool word = text > first && ((line[first] | 0x20) == 'i' || (line[first] | 0x20) == 'n');
  *out = 0;
  size_t end = read_double(line, text, out);
  if (end == 0) return PKS_FAIL_FLOAT_TEXT;
  if (!word && isinf(*out)) return PKS_FAIL_FLOAT_RANGE;
  if (end != text && line[end] != '\n') return PKS_FAIL_FLOAT_TEXT;
  return PKS_FAIL_NONE;
}
