/* spell.c - arguments in all the ways in which they can be written. */
#include "gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void number_in(gen *g, uint64_t number, unsigned base, bool capitals) {
  const char *digits = capitals ? "0123456789ABCDEF" : "0123456789abcdef";
  char text[64];
  size_t at = sizeof text;
  do text[--at] = digits[number % base];
  while ((number /= base) != 0);
  bytes_put(g->out, text + at, sizeof text - at);
}

/* Python 2 takes fewer ways of writing a number. */
static bool plain(const gen *g) { return g->protocol < 4; }

static void blanks(gen *g) {
  static const char space[] = {' ', '\t', '\v', '\f', '\r', ' '};
  if (plain(g) || !rng_one_in(g->r, 8)) return;
  for (uint32_t n = 1 + rng_below(g->r, 2); n; n--)
    bytes_byte(g->out, (uint8_t)RNG_PICK(g->r, space));
}

/* What stands after a NUL does not count. */
static void hidden(gen *g) {
  if (plain(g) || !rng_one_in(g->r, 16)) return;
  bytes_byte(g->out, 0);
  for (uint32_t n = rng_below(g->r, 4); n; n--) {
    uint8_t byte = (uint8_t)rng_next(g->r);
    bytes_byte(g->out, byte == '\n' ? 'x' : byte);
  }
}

/* Decimal digits with an underscore here and there. */
static void digits(gen *g, uint64_t number, bool underscores) {
  size_t start = g->out->size;
  number_in(g, number, 10, false);
  for (size_t i = g->out->size - 1; underscores && !plain(g) && i > start; i--)
    if (rng_one_in(g->r, 3)) bytes_replace(g->out, i, 0, "_", 1);
}

static void sign(gen *g, int64_t number) {
  if (number < 0)
    bytes_byte(g->out, '-');
  else if (rng_one_in(g->r, 12))
    bytes_byte(g->out, number == 0 && rng_one_in(g->r, 2) ? '-' : '+');
}

static void prefixed(gen *g, uint64_t number) {
  static const char *const hex[] = {"0x", "0X", "0x0", "0x_"}, *const octal[] = {"0o", "0O_"},
                           *const binary[] = {"0b", "0B0"};
  switch (rng_below(g->r, 4)) {
    case 0:
      bytes_text(g->out, RNG_PICK(g->r, octal));
      number_in(g, number, 8, false);
      break;
    case 1:
      bytes_text(g->out, RNG_PICK(g->r, binary));
      number_in(g, number, 2, false);
      break;
    default: bytes_text(g->out, RNG_PICK(g->r, hex)); number_in(g, number, 16, rng_one_in(g->r, 2));
  }
}

static uint64_t magnitude(int64_t number) {
  return number < 0 ? (uint64_t)0 - (uint64_t)number : (uint64_t)number;
}

void spell_int(gen *g, int64_t number) {
  uint64_t size = magnitude(number);
  bool strtol_stops = false;
  blanks(g);
  sign(g, number);
  if (!g->decimal && !plain(g) && rng_one_in(g->r, 5)) {
    prefixed(g, size);
  } else if (!g->decimal && rng_one_in(g->r, 12)) {
    bytes_byte(g->out, '0');
    number_in(g, size, 8, false);
    if (rng_one_in(g->r, 8)) hidden(g);
    strtol_stops = true;
  } else {
    digits(g, size, rng_one_in(g->r, 8));
  }
  if (!strtol_stops) blanks(g);
  hidden(g);
  bytes_byte(g->out, '\n');
}

bool spell_is_bool(const uint8_t *line, size_t size) {
  if (size != 3) return false;
  char text[4] = {(char)line[0], (char)line[1], (char)line[2], 0}, *end;
  long value = strtol(text, &end, 0);
  return (value == 0 || value == 1) && (*end == '\n' || *end == 0);
}

void spell_long(gen *g, int64_t number) {
  uint64_t size = magnitude(number);
  blanks(g);
  sign(g, number);
  if (!g->decimal && !plain(g) && rng_one_in(g->r, 5))
    prefixed(g, size);
  else
    digits(g, size, rng_one_in(g->r, 8));
  blanks(g);
  hidden(g);
  if (!rng_one_in(g->r, 4)) bytes_byte(g->out, 'L');
  bytes_byte(g->out, '\n');
}

void spell_index(gen *g, uint32_t index) {
  blanks(g);
  sign(g, index);
  while (rng_one_in(g->r, 16)) bytes_byte(g->out, '0');
  digits(g, index, rng_one_in(g->r, 12));
  blanks(g);
  hidden(g);
  bytes_byte(g->out, '\n');
}

void spell_float(gen *g) {
  static const char *const words[] = {"inf",  "-inf",     "nan",      "+Infinity", "INF",
                                      "-NaN", "infinity", "iNfInItY", "+nan"};
  static const char *const forms[] = {"1.5",
                                      "5.",
                                      ".5",
                                      "-0",
                                      "0",
                                      "1e5",
                                      "1E+5",
                                      "1e-400",
                                      "00001.0",
                                      "1e308",
                                      "1.7976931348623157e308",
                                      "4.9e-324",
                                      "2.5e-324",
                                      "123456789012345678901234567890",
                                      "0e999",
                                      "-1.0",
                                      "+1.5",
                                      "0.1e1",
                                      "1.e1",
                                      "0000000000000000000000000000000000001e308",
                                      "1.7976931348623158e308",
                                      "179769313486231570000e289"};
  if (rng_one_in(g->r, 3)) {
    bytes_text(g->out, RNG_PICK(g->r, words));
  } else if (rng_one_in(g->r, 2)) {
    bytes_text(g->out, RNG_PICK(g->r, forms));
  } else {
    for (uint32_t n = 1 + rng_below(g->r, rng_one_in(g->r, 20) ? 900 : 6); n; n--)
      bytes_byte(g->out, '0' + rng_below(g->r, 10));
    if (rng_one_in(g->r, 2)) {
      bytes_byte(g->out, '.');
      for (uint32_t n = rng_below(g->r, 6); n; n--) bytes_byte(g->out, '0' + rng_below(g->r, 10));
    }
    if (rng_one_in(g->r, 3)) {
      bytes_text(g->out, rng_one_in(g->r, 2) ? "e" : "e-");
      number_in(g, rng_below(g->r, 380), 10, false);
    }
  }
  hidden(g);
  bytes_byte(g->out, '\n');
}

/* ---- text --------------------------------------------------------------------------------------- */

static const char *const words[] = {"",
                                    "a",
                                    "os",
                                    "system",
                                    "__builtin__",
                                    "eval",
                                    "builtins",
                                    "getattr",
                                    "copy_reg",
                                    "_reconstructor",
                                    "copyreg",
                                    "__class__",
                                    "__dict__",
                                    "module",
                                    "__name__",
                                    "__module__",
                                    "os.path",
                                    "path.join",
                                    "types",
                                    "CodeType",
                                    "FunctionType",
                                    "cloudpickle.cloudpickle",
                                    "_make_skeleton_class",
                                    "subimport",
                                    "_fill_function",
                                    "_builtin_type",
                                    "dill._dill",
                                    "_create_function",
                                    "_create_code",
                                    "_create_type",
                                    "_load_type",
                                    "commands",
                                    "getoutput",
                                    "exceptions",
                                    "ValueError",
                                    "a b",
                                    "x'y",
                                    "x\"y",
                                    "\\",
                                    "\\n",
                                    "__main__",
                                    "object",
                                    "<locals>",
                                    "f.<locals>.g",
                                    "numpy.core.multiarray",
                                    "_reconstruct",
                                    "__",
                                    "__x__",
                                    "joblib.numpy_pickle",
                                    "NumpyArrayWrapper",
                                    "_code_to_function",
                                    "_make_function",
                                    "code",
                                    "_make_cell",
                                    "_empty_cell_value",
                                    "marshal",
                                    "loads",
                                    "_pickle_support",
                                    "reconstruct"};

static const char *const utf8[] = {"\xc3\xa9",     "\xe2\x82\xac",     "\xf0\x9f\x98\x80",
                                   "\xed\xa0\x80", "\xed\xb0\x80",     "\xed\xa0\xbd\xed\xb8\x80",
                                   "\xef\xbb\xbf", "\xf4\x8f\xbf\xbf", "\xdf\xbf",
                                   "\xe0\xa0\x80"};

static void some_ascii(rng *r, bytes *out) {
  uint32_t size = rng_one_in(r, 64) ? rng_below(r, 700) : rng_below(r, 9);
  for (; size; size--) bytes_byte(out, 1 + rng_below(r, 126));
}

/* Some are longer than max_name. */
static void long_text(rng *r, bytes *out) {
  for (uint32_t n = 1000 + rng_below(r, 60); n; n--) bytes_byte(out, 'a');
  if (rng_one_in(r, 8)) memset(bytes_room(out, 5000), 'b', 5000);
}

void spell_utf8(rng *r, bytes *out) {
  switch (rng_below(r, 8)) {
    case 0:
      for (uint32_t n = 1 + rng_below(r, 4); n; n--)
        bytes_text(out, rng_one_in(r, 2) ? RNG_PICK(r, utf8) : "a");
      break;
    case 1: some_ascii(r, out); break;
    case 2:
      if (rng_one_in(r, 200)) {
        long_text(r, out);
        break;
      }
      bytes_byte(out, rng_below(r, 128));
      break;
    default: bytes_text(out, RNG_PICK(r, words));
  }
}

void spell_py2(gen *g, bytes *out, bool high) {
  if (!high || rng_one_in(g->r, 3)) {
    if (rng_one_in(g->r, 4))
      some_ascii(g->r, out);
    else
      bytes_text(out, RNG_PICK(g->r, words));
    return;
  }
  for (uint32_t n = 1 + rng_below(g->r, 6); n; n--) {
    if (g->how.encoding == 2 && !rng_one_in(g->r, 40)) /* UTF-8 */
      bytes_text(out, rng_one_in(g->r, 2) ? utf8[rng_below(g->r, 3)] : "b");
    else
      bytes_byte(out, (unsigned)rng_next(g->r) & 0xff);
  }
}

void spell_string(gen *g, bool high) {
  static const char *const escapes[] = {"\\\\", "\\'",     "\\\"",  "\\a",   "\\b",  "\\f",
                                        "\\n",  "\\r",     "\\t",   "\\v",   "\\0",  "\\7",
                                        "\\12", "\\101",   "\\x41", "\\x7F", "\\q",  "\\8",
                                        "\\N",  "\\u0041", "\\400", "\\08",  "\\x0a"};
  static const char *const high_escapes[] = {"\\xe9",      "\\377", "\\777",
                                             "\\xC3\\xa9", "\xe9",  "\\200"};
  char quote = rng_one_in(g->r, 4) ? '"' : '\'';
  bytes_byte(g->out, (uint8_t)quote);
  size_t start = g->out->size;
  if (rng_one_in(g->r, 2)) {
    const char *word = RNG_PICK(g->r, words);
    if (!strchr(word, '\\')) bytes_text(g->out, word);
  }
  while (rng_one_in(g->r, 2)) {
    if (high && rng_one_in(g->r, 2))
      bytes_text(g->out, RNG_PICK(g->r, high_escapes));
    else if (rng_one_in(g->r, 2))
      bytes_text(g->out, RNG_PICK(g->r, escapes));
    else
      bytes_byte(g->out, 32 + rng_below(g->r, 60)); /* no backslash */
  }
  if (rng_one_in(g->r, 300)) long_text(g->r, g->out);
  for (size_t i = start; i < g->out->size; i++)
    if (g->out->data[i] == '\n') g->out->data[i] = ' ';
  bytes_byte(g->out, (uint8_t)quote);
  bytes_byte(g->out, '\n');
}

void spell_unicode(gen *g) {
  static const char *const escapes[] = {
      "\\u0041",     "\\u00e9", "\\u20AC",     "\\ud800", "\\ud83d\\ude00", "\\U0001f600",
      "\\U0010ffff", "\\\\",    "\\n",         "\\x41",   "\\\\u0041",      "\\\\\\u0041",
      "\\N{BULLET}", "\\u000a", "\\U00000000", "\\'"};
  if (rng_one_in(g->r, 2)) {
    const char *word = RNG_PICK(g->r, words);
    if (!strchr(word, '\\')) bytes_text(g->out, word);
  }
  while (rng_one_in(g->r, 2)) {
    if (rng_one_in(g->r, 2)) {
      bytes_text(g->out, RNG_PICK(g->r, escapes));
    } else {
      uint8_t byte = (uint8_t)rng_next(g->r);
      bytes_byte(g->out, byte == '\n' || byte == '\\' ? 'c' : byte);
    }
  }
  if (rng_one_in(g->r, 300)) long_text(g->r, g->out);
  if (rng_one_in(g->r, 30)) bytes_byte(g->out, '\\'); /* a last backslash stands for itself */
  bytes_byte(g->out, '\n');
}

void spell_name(gen *g, bool ascii) {
  size_t start = g->out->size;
  if (!ascii && rng_one_in(g->r, 6)) {
    bytes_text(g->out, "\xc3\xa9");
    if (rng_one_in(g->r, 2)) bytes_text(g->out, RNG_PICK(g->r, utf8)); /* surrogates do not pass */
  } else if (rng_one_in(g->r, 10)) {
    some_ascii(g->r, g->out);
  } else if (rng_one_in(g->r, 400)) {
    long_text(g->r, g->out);
  } else {
    bytes_text(g->out, RNG_PICK(g->r, words));
  }
  for (size_t i = start; i < g->out->size; i++)
    if (g->out->data[i] == '\n') g->out->data[i] = '\r';
  if (g->out->size == start) bytes_byte(g->out, 'e');
  bytes_byte(g->out, '\n');
}

void spell_anything(gen *g) {
  static const char *const parts[] = {"0",
                                      "1",
                                      "00",
                                      "01",
                                      "7",
                                      "8",
                                      "9",
                                      "_",
                                      "+",
                                      "-",
                                      " ",
                                      "\t",
                                      "0x",
                                      "0o",
                                      "0b",
                                      "L",
                                      "l",
                                      ".",
                                      "e",
                                      "E",
                                      "x",
                                      "inf",
                                      "nan",
                                      "\0",
                                      "\r",
                                      "\v",
                                      "a",
                                      "f",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "infinity",
                                      "1e400",
                                      "2147483648",
                                      "4294967296",
                                      "\xc2\xa0",
                                      "\x1c",
                                      "j",
                                      "'",
                                      "0777777777777777777777",
                                      "0xffffffffffffffff",
                                      "\xd9\xa0",
                                      "n",
                                      "i"};
  for (uint32_t n = rng_below(g->r, 6); n; n--) {
    const char *part = RNG_PICK(g->r, parts);
    bytes_put(g->out, part, *part ? strlen(part) : 1);
  }
  if (rng_one_in(g->r, 60))
    for (uint32_t n = 4296 + rng_below(g->r, 8); n; n--)
      bytes_byte(g->out,
                 rng_one_in(g->r, 40) ? '_' : '0' + rng_below(g->r, rng_one_in(g->r, 3) ? 1 : 10));
  bytes_byte(g->out, '\n');
}
