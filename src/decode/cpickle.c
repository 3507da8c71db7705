/* decode/cpickle.c - lines as Python 2.7 reads them (load_int, load_long, load_float, load_string,
 * load_unicode, load_get, load_put of Modules/cPickle.c).
 *
 * readline() gives what is left when the input ends before a newline, and cPickle takes its last byte
 * off without looking. */
#include "decode/number.h"

/* PyLong_FromString(s, NULL, 0) of Objects/longobject.c, Python 2.7. */
static pks_fail read_long(const uint8_t *s, size_t size, pks_number *out) {
  size_t i = 0, start;
  magnitude m = {0, false};
  unsigned base = 10;
  bool negative = false;
  while (i < size && is_space(s[i])) i++;
  if (i < size && (s[i] == '-' || s[i] == '+')) negative = s[i++] == '-';
  while (i < size && is_space(s[i])) i++;
  if (i < size && s[i] == '0') {
    uint8_t letter = i + 1 < size ? (uint8_t)(s[i + 1] | 0x20) : 0;
    base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
    if (base != 8 || letter == 'o') i += 2;
  }
  for (start = i; i < size && digit_value(s[i]) < (int)base; i++)
    magnitude_add(&m, base, (unsigned)digit_value(s[i]));
  if (i == start) return PKS_FAIL_INT_TEXT;
  if (i < size && (s[i] | 0x20) == 'l') i++;
  while (i < size && is_space(s[i])) i++;
  if (i != size) return PKS_FAIL_INT_TEXT;
  number_set(out, &m, negative);
  return PKS_FAIL_NONE;
}

/* strtol's answer counts only when a newline follows and then nothing. */
static pks_fail read_int(const uint8_t *line, size_t size, pks_number *out) {
  size_t text = c_length(line, size);
  bool whole = text == size && line[size - 1] == '\n';
  if (!whole || !pks_decode_strtol(line, size, 0, out)) return read_long(line, text, out);
  out->boolean = size == 3 && (out->value == 0 || out->value == 1);
  return PKS_FAIL_NONE;
}

static pks_fail read_float(const uint8_t *line, size_t size, double *out) {
  pks_fail fail = pks_decode_float_line(line, size, out);
  if (fail) return fail;
  return c_length(line, size) == size && line[size - 1] == '\n' ? fail : PKS_FAIL_FLOAT_TEXT;
}

/* What follows the last quote and is no printable ASCII is cut off; char is signed there. */
static pks_fail read_string(const uint8_t *line, size_t size, pks_span *inside) {
  while (size > 0 && (line[size - 1] <= ' ' || line[size - 1] >= 0x80)) size--;
  pks_fail fail = pks_decode_string_line(line, size + 1, inside);
  return fail == PKS_FAIL_QUOTES ? PKS_FAIL_INSECURE : fail;
}

/* The last escape of a line may use the byte that was taken off. */
static pks_fail read_unicode(const uint8_t *line, size_t size) {
  pks_fail fail = pks_decode_unicode_line(line, size - 1);
  return fail && line[size - 1] != '\n' ? pks_decode_unicode_line(line, size) : fail;
}

/* A memo key is the line as it is written. */
static void read_key(pks_span text, pks_number *out) {
  *out = (pks_number){.big = true};
  if (text.size > 18 || (text.data[0] == '0' && text.size > 1)) return;
  int64_t value = 0;
  for (size_t i = 0; i < text.size; i++) {
    if (text.data[i] < '0' || text.data[i] > '9') return;
    value = value * 10 + (text.data[i] - '0');
  }
  *out = (pks_number){.value = value};
}

pks_fail pks_decode_cpickle_line(const uint8_t *p, size_t size, pks_number *number, double *real,
                                 pks_span *text) {
  const uint8_t *line = p + 1;
  size_t line_size = size - 1;
  *number = (pks_number){0, false, false};
  *text = (pks_span){line, line_size ? line_size - 1 : 0};
  if (line_size < (*p == PKS_OP_UNICODE ? 1 : 2)) /* bad_readline */
    return line_size ? PKS_FAIL_EMPTY_LINE : PKS_FAIL_TRUNCATED;
  switch (*p) {
    case PKS_OP_INT: return read_int(line, line_size, number);
    case PKS_OP_LONG: return read_long(line, c_length(line, line_size), number);
    case PKS_OP_FLOAT: return read_float(line, line_size, real);
    case PKS_OP_STRING: return read_string(line, line_size, text);
    case PKS_OP_UNICODE: return read_unicode(line, line_size);
    case PKS_OP_GET:
    case PKS_OP_PUT: read_key(*text, number); break;
    default: break; /* PERSID */
  }
  return PKS_FAIL_NONE;
}

pks_fail pks_decode_cpickle_cut(const uint8_t *p, size_t size) {
  pks_arg argument = (pks_arg)pks_decode_ops[*p].argument;
  pks_number number;
  double real;
  pks_span text;
  pks_fail fail = PKS_FAIL_TRUNCATED;
  if (argument == PKS_ARG_LINE) {
    fail = pks_decode_cpickle_line(p, size, &number, &real, &text);
  } else if (argument == PKS_ARG_LINE2) {
    const uint8_t *newline = memchr(p + 1, '\n', size - 1);
    if (newline == p + 1) fail = PKS_FAIL_EMPTY_LINE;
    if (newline && newline > p + 1 && p + size - newline > 2) fail = PKS_FAIL_NONE;
  } else {
    return PKS_FAIL_ARGUMENT_EOF;
  }
  return fail ? fail : PKS_FAIL_EOF;
}
