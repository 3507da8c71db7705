/* decode/text.c - the three ways in which a pickle spells text.
 *
 * STRING is a Python 2 repr (PyBytes_DecodeEscape of Objects/bytesobject.c), UNICODE is
 * raw-unicode-escape (_PyUnicode_DecodeRawUnicodeEscapeStateful of Objects/unicodeobject.c), the
 * counted kinds are UTF-8 with surrogatepass or, for Python 2, bytes in some encoding. */
#include "base/utf8.h"
#include "decode/decode.h"

static int hex_value(uint8_t c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* ---- encodings ------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  pks_encoding encoding;
} encodings[] = {
#define ENCODING(name, kind) {name, PKS_ENCODING_##kind},
#include "decode/encodings.def"
#undef ENCODING
};

/* encodings.normalize_encoding and search_function of Lib/encodings: letters and digits in lower case,
 * whatever stands between them is one _. */
static bool normalise(const char *name, char *out, size_t size) {
  size_t n = 0;
  bool between = false;
  for (; *name; name++) {
    char c = *name >= 'A' && *name <= 'Z' ? (char)(*name + 32) : *name;
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.')) {
      between = true;
      continue;
    }
    if (n + 3 > size) return false;
    if (between && n) out[n++] = '_';
    between = false;
    out[n++] = c == '.' ? '_' : c;
  }
  out[n] = 0;
  return true;
}

static pks_encoding encoding_named(const char *name) {
  char plain[40];
  if (strcmp(name, "bytes") == 0) return PKS_ENCODING_BYTES;
  if (!normalise(name, plain, sizeof plain)) return PKS_ENCODING_INVALID;
  for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++)
    if (strcmp(encodings[i].name, plain) == 0) return encodings[i].encoding;
  return PKS_ENCODING_INVALID;
}

void pks_decode_strings(pks_strings *out, const char *encoding, const char *errors) {
  static const struct {
    const char *name;
    pks_handler handler;
  } handlers[] = {{"strict", PKS_HANDLER_STRICT},
                  {"ignore", PKS_HANDLER_IGNORE},
                  {"replace", PKS_HANDLER_REPLACE},
                  {"backslashreplace", PKS_HANDLER_BACKSLASHREPLACE},
                  {"surrogateescape", PKS_HANDLER_SURROGATEESCAPE},
                  {"surrogatepass", PKS_HANDLER_SURROGATEPASS},
                  {"xmlcharrefreplace", PKS_HANDLER_ENCODE},
                  {"namereplace", PKS_HANDLER_ENCODE}};
  out->pypy = false;
  out->encoding = encoding ? encoding_named(encoding) : PKS_ENCODING_UNKNOWN;
  out->errors = errors ? PKS_HANDLER_UNKNOWN : PKS_HANDLER_STRICT;
  for (size_t i = 0; errors && i < sizeof handlers / sizeof *handlers; i++)
    if (strcmp(errors, handlers[i].name) == 0) out->errors = handlers[i].handler;
}

bool pks_decode_string_known(const pks_strings *strings, bool ascii) {
  bool other = strings->encoding == PKS_ENCODING_UNKNOWN || strings->encoding == PKS_ENCODING_OTHER;
  return strings->encoding != PKS_ENCODING_WIDE && (ascii || !other);
}

pks_fail pks_decode_string_bad(const pks_strings *strings) {
  switch (strings->errors) {
    case PKS_HANDLER_UNKNOWN: return PKS_FAIL_ENCODING_NAME;
    case PKS_HANDLER_ENCODE: return PKS_FAIL_ENCODING_HANDLER;
    case PKS_HANDLER_STRICT:
    case PKS_HANDLER_SURROGATEPASS: return PKS_FAIL_ENCODING;
    case PKS_HANDLER_IGNORE:
    case PKS_HANDLER_REPLACE:
    case PKS_HANDLER_BACKSLASHREPLACE:
    case PKS_HANDLER_SURROGATEESCAPE: break;
  }
  return PKS_FAIL_NONE;
}

/* ---- STRING ----------------------------------------------------------------------------------- */

/* The next byte of a text that may be escaped. */
typedef struct reader {
  const uint8_t *p, *end;
  bool escaped;
  uint8_t pending[2];
  unsigned pending_count;
  pks_fail fail;
} reader;

static int octal(reader *r, int value) {
  for (int i = 0; i < 2 && r->p < r->end && *r->p >= '0' && *r->p <= '7'; i++)
    value = value * 8 + (*r->p++ - '0');
  return value & 0xff;
}

static int escape(reader *r) {
  if (r->p == r->end) {
    r->fail = PKS_FAIL_ESCAPE;
    return -1;
  }
  uint8_t c = *r->p++;
  switch (c) {
    case '\n': return -2; /* a line never holds one */
    case '\\':
    case '\'':
    case '"': return c;
    case 'b': return '\b';
    case 'f': return '\f';
    case 't': return '\t';
    case 'n': return '\n';
    case 'r': return '\r';
    case 'v': return '\v';
    case 'a': return '\a';
    case 'x': {
      int high = r->end - r->p >= 2 ? hex_value(r->p[0]) : -1;
      int low = high >= 0 ? hex_value(r->p[1]) : -1;
      if (low < 0) {
        r->fail = PKS_FAIL_ESCAPE;
        return -1;
      }
      r->p += 2;
      return high * 16 + low;
    }
    default:
      if (c >= '0' && c <= '7') return octal(r, c - '0');
      r->pending[0] = c; /* not an escape: both characters stand */
      r->pending_count = 1;
      return '\\';
  }
}

/* -1: the end, or r->fail. */
static int next_byte(reader *r) {
  if (r->pending_count) {
    r->pending_count = 0;
    return r->pending[0];
  }
  while (r->p < r->end) {
    uint8_t c = *r->p++;
    if (c != '\\' || !r->escaped) return c;
    int value = escape(r);
    if (value != -2) return value;
  }
  return -1;
}

pks_fail pks_decode_string_line(const uint8_t *line, size_t size, pks_span *inside) {
  size_t text = size - 1; /* without the newline */
  if (text < 2 || line[0] != line[text - 1] || (line[0] != '\'' && line[0] != '"'))
    return PKS_FAIL_QUOTES;
  inside->data = line + 1;
  inside->size = text - 2;
  if (!memchr(inside->data, '\\', inside->size)) return PKS_FAIL_NONE;
  reader r = {.p = inside->data, .end = inside->data + inside->size, .escaped = true};
  while (next_byte(&r) >= 0) {}
  return r.fail;
}

bool pks_decode_string_ascii(pks_span text, bool escaped) {
  if (pks_base_ascii_prefix(text.data, text.size) != text.size) return false;
  if (!escaped || !memchr(text.data, '\\', text.size)) return true;
  reader r = {.p = text.data, .end = text.data + text.size, .escaped = true};
  for (int c; (c = next_byte(&r)) >= 0;)
    if (c >= 0x80) return false;
  return true;
}

static bool is_utf8(pks_span text, bool escaped, bool surrogates) {
  if (!escaped) return pks_base_utf8_valid(text.data, text.size, surrogates);
  reader r = {.p = text.data, .end = text.data + text.size, .escaped = true};
  pks_utf8 state = {0};
  for (int c; (c = next_byte(&r)) >= 0;) {
    uint8_t byte = (uint8_t)c;
    pks_base_utf8_feed(&state, &byte, 1, surrogates);
  }
  return pks_base_utf8_done(&state);
}

pks_fail pks_decode_string_check(const pks_strings *strings, uint32_t rules, pks_span text,
                                 bool escaped) {
  switch (strings->encoding) {
    case PKS_ENCODING_UNKNOWN:
    case PKS_ENCODING_LATIN1:
    case PKS_ENCODING_BYTES:
    case PKS_ENCODING_OTHER:
    case PKS_ENCODING_WIDE: return PKS_FAIL_NONE;
    case PKS_ENCODING_INVALID:
      if (text.size == 0 &&
          ((escaped && !(rules & PKS_RULE_PYPY)) || !(rules & PKS_RULE_EMPTY_LOOKUP)))
        return PKS_FAIL_NONE;
      return PKS_FAIL_ENCODING_NAME;
    case PKS_ENCODING_ASCII:
      if (pks_decode_string_ascii(text, escaped)) return PKS_FAIL_NONE;
      break;
    case PKS_ENCODING_UTF8:
      if (is_utf8(text, escaped, strings->errors == PKS_HANDLER_SURROGATEPASS))
        return PKS_FAIL_NONE;
      break;
  }
  return pks_decode_string_bad(strings);
}

/* ---- UNICODE ---------------------------------------------------------------------------------- */

/* One character of raw-unicode-escape at p; its value, or -1. *both: a backslash that stands with
 * the byte after it. */
static int64_t raw_char(const uint8_t **pos, const uint8_t *end, bool *both) {
  const uint8_t *p = *pos;
  uint8_t c = *p++;
  *both = false;
  *pos = p;
  if (c != '\\' || p == end) return c;
  c = *p++;
  if (c != 'u' && c != 'U') {
    *both = true;
    return '\\';
  }
  int digits = c == 'u' ? 4 : 8;
  uint32_t value = 0;
  for (; digits; digits--) {
    int digit = p < end ? hex_value(*p++) : -1;
    if (digit < 0) return -1;
    value = value << 4 | (uint32_t)digit;
  }
  *pos = p;
  return value > 0x10ffff ? -1 : (int64_t)value;
}

pks_fail pks_decode_unicode_line(const uint8_t *line, size_t size) {
  const uint8_t *p = line, *end = line + size;
  while (p < end && (p = memchr(p, '\\', (size_t)(end - p))) != NULL) {
    bool both;
    if (raw_char(&p, end, &both) < 0) return PKS_FAIL_UNICODE_ESCAPE;
    if (both) p++;
  }
  return PKS_FAIL_NONE;
}

/* ---- the text of a value ---------------------------------------------------------------------- */

typedef struct writer {
  uint8_t *p;
  size_t size, capacity;
  bool full;
} writer;

static void put_byte(writer *w, unsigned byte) {
  if (w->size == w->capacity)
    w->full = true;
  else
    w->p[w->size++] = (uint8_t)byte;
}

static void put_char(writer *w, uint32_t c) {
  if (c < 0x80) {
    put_byte(w, c);
  } else if (c < 0x800) {
    put_byte(w, 0xc0 | c >> 6);
    put_byte(w, 0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put_byte(w, 0xe0 | c >> 12);
    put_byte(w, 0x80 | (c >> 6 & 0x3f));
    put_byte(w, 0x80 | (c & 0x3f));
  } else {
    put_byte(w, 0xf0 | c >> 18);
    put_byte(w, 0x80 | (c >> 12 & 0x3f));
    put_byte(w, 0x80 | (c >> 6 & 0x3f));
    put_byte(w, 0x80 | (c & 0x3f));
  }
}

static void write_unicode(writer *w, pks_span line, bool pypy) {
  const uint8_t *p = line.data, *end = p + line.size;
  while (p < end) {
    bool both, odd = false;
    int64_t c = pypy ? pks_decode_pypy_char(&p, end, &both, &odd) : raw_char(&p, end, &both);
    put_char(w, c < 0 ? 0xfffd : (uint32_t)c);
    if (both) put_char(w, *p++);
  }
}

/* What the error handler makes of bytes that do not decode. */
static void write_bad(writer *w, const uint8_t *bytes, size_t count, pks_handler handler) {
  static const char digits[] = "0123456789abcdef";
  if (handler == PKS_HANDLER_REPLACE) put_char(w, 0xfffd);
  for (size_t i = 0; i < count; i++) {
    if (handler == PKS_HANDLER_SURROGATEESCAPE) put_char(w, 0xdc00u + bytes[i]);
    if (handler != PKS_HANDLER_BACKSLASHREPLACE) continue;
    put_byte(w, '\\');
    put_byte(w, 'x');
    put_byte(w, (uint8_t)digits[bytes[i] >> 4]);
    put_byte(w, (uint8_t)digits[bytes[i] & 15]);
  }
}

/* unicode_decode_utf8 of Objects/unicodeobject.c: an error is the longest start of a character. */
static void write_utf8(writer *w, reader *r, const pks_strings *strings) {
  bool surrogates = strings->errors == PKS_HANDLER_SURROGATEPASS;
  uint8_t pending[4];
  size_t count = 0;
  pks_utf8 state = {0};
  for (int c = next_byte(r); c >= 0;) {
    pending[count] = (uint8_t)c;
    pks_base_utf8_feed(&state, &pending[count], 1, surrogates);
    if (state.bad) {
      write_bad(w, pending, count ? count : 1, strings->errors);
      if (count == 0) c = next_byte(r); /* else it starts another character */
      state = (pks_utf8){0};
      count = 0;
      continue;
    }
    count++;
    if (state.left == 0) {
      for (size_t i = 0; i < count; i++) put_byte(w, pending[i]);
      count = 0;
    }
    c = next_byte(r);
  }
  if (count) write_bad(w, pending, count, strings->errors);
}

/* A Python 2 string as the encoding has it; as Latin-1, which is the best that can be shown, when the
 * encoding is not known. */
static void write_string(writer *w, pks_span text, bool escaped, const pks_strings *strings) {
  reader r = {.p = text.data, .end = text.data + text.size, .escaped = escaped};
  if (strings->encoding == PKS_ENCODING_UTF8) {
    write_utf8(w, &r, strings);
    return;
  }
  for (int c; (c = next_byte(&r)) >= 0;) {
    uint8_t byte = (uint8_t)c;
    if (strings->encoding == PKS_ENCODING_BYTES)
      put_byte(w, byte);
    else if (byte >= 0x80 && strings->encoding == PKS_ENCODING_ASCII)
      write_bad(w, &byte, 1, strings->errors);
    else
      put_char(w, byte);
  }
}

static pks_span rest_of_line(const uint8_t *p) {
  const uint8_t *newline = p;
  while (*newline != '\n') newline++; /* a value's opcode was read whole */
  return (pks_span){p, (size_t)(newline - p)};
}

bool pks_decode_value_text(const uint8_t *op, const pks_strings *strings, uint8_t *buffer,
                           size_t capacity, pks_span *out) {
  bool escaped = false, string = false;
  pks_span raw;
  if (*op == PKS_OP_SHORT_BINUNICODE || *op == PKS_OP_SHORT_BINBYTES) { /* most are */
    *out = (pks_span){op + 2, op[1]};
    return true;
  }
  writer w = {.p = buffer, .capacity = capacity};
  switch (pks_decode_ops[*op].argument) {
    case PKS_ARG_N1: raw = (pks_span){op + 2, op[1]}; break;
    case PKS_ARG_N4: raw = (pks_span){op + 5, pks_read4(op + 1)}; break;
    case PKS_ARG_N8: raw = (pks_span){op + 9, (size_t)pks_read8(op + 1)}; break;
    default: raw = rest_of_line(op + 1);
  }
  *out = raw;
  if (*op == PKS_OP_UNICODE) {
    if (!memchr(raw.data, '\\', raw.size) && pks_base_ascii_prefix(raw.data, raw.size) == raw.size)
      return true;
    write_unicode(&w, raw, strings->pypy);
  } else {
    escaped = *op == PKS_OP_STRING;
    string = escaped || *op == PKS_OP_BINSTRING || *op == PKS_OP_SHORT_BINSTRING;
    if (escaped) {
      while (raw.data[raw.size - 1] != raw.data[0]) raw.size--; /* Python 2.7: blanks may follow */
      *out = raw = (pks_span){raw.data + 1, raw.size - 2};
    }
    bool plain = !escaped || !memchr(raw.data, '\\', raw.size);
    bool keep = !string || strings->encoding == PKS_ENCODING_BYTES ||
                pks_base_ascii_prefix(raw.data, raw.size) == raw.size;
    if (plain && keep) return true;
    write_string(&w, raw, escaped, strings);
  }
  if (!w.full) *out = (pks_span){buffer, w.size};
  return !w.full;
}
