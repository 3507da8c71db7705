/* decode: texts as lines and strings of Python 2, byte for byte as CPython's C unpickler takes them.
 *
 * The tables are what CPython 3.6.15, 3.11.7, 3.14.2 and 3.15.0rc1 answered. %XX is the byte with that
 * number. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"
#include "support/asm.h"
#include "support/suite.h"
#include "support/trace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct {
  uint32_t python;
  size_t column; /* of a number's answers */
} profiles[] = {{PKS_PYTHON(3, 6, 15), 0},
                {PKS_PYTHON(3, 11, 7), 0},
                {PKS_PYTHON(3, 14, 2), 1},
                {PKS_PYTHON(3, 15, 0), 2}};

/* ---- texts ------------------------------------------------------------------------------------ */

/* "=text" in UTF-8 with surrogatepass, or the exception; all versions agree. STRING: encoding ASCII. */
typedef struct text_row {
  const char *line, *answer;
} text_row;

/* clang-format off */
static const text_row string_rows[] = {
    {"'abc'", "=abc"},
    {"\"abc\"", "=abc"},
    {"''", "="},
    {"\"\"", "="},
    {"'", "UnpicklingError"},
    {"", "UnpicklingError"},
    {"abc", "UnpicklingError"},
    {"'abc", "UnpicklingError"},
    {"abc'", "UnpicklingError"},
    {"'a\"", "UnpicklingError"},
    {"'a'b'", "=a'b"},
    {"'\\'", "ValueError"},
    {"'\\''", "='"},
    {"'\\\\'", "=\\"},
    {"'\\x41'", "=A"},
    {"'\\x4'", "ValueError"},
    {"'\\x'", "ValueError"},
    {"'\\xzz'", "ValueError"},
    {"'\\101'", "=A"},
    {"'\\400'", "=%00"},
    {"'\\777'", "UnicodeDecodeError"},
    {"'\\8'", "=\\8"},
    {"'\\q'", "=\\q"},
    {"'\\u0041'", "=\\u0041"},
    {"'\\N'", "=\\N"},
    {"' '", "= "},
    {"'a' ", "UnpicklingError"},
    {"'a'%0d", "UnpicklingError"},
    {" 'a'", "UnpicklingError"},
    {"'%e9'", "UnicodeDecodeError"},
    {"'\\xe9'", "UnicodeDecodeError"},
    {"'a%00b'", "=a%00b"},
    {"'\\n'", "=%0a"},
    {"'\\a\\b\\f\\v\\r\\t'", "=%07%08%0c%0b%0d%09"},
    {"\"'\"", "='"},
    {"'\\0'", "=%00"},
    {"'\\1'", "=%01"},
    {"'\\18'", "=%018"},
    {"'\\1234'", "=S4"},
    {"'\\x4g'", "ValueError"},
    {"'\\X41'", "=\\X41"},
    {"'a\\'", "ValueError"},
    {"'\\\\\\''", "=\\'"},
    {"'\\xff'", "UnicodeDecodeError"},
    {"'%25'", "=%25"},
    {"'\\377'", "UnicodeDecodeError"},
    {"\"a\\\"b\"", "=a\"b"},
    {"'\\%e9'", "UnicodeDecodeError"},
};

static const text_row unicode_rows[] = {
    {"abc", "=abc"},
    {"", "="},
    {"\\u0041", "=A"},
    {"\\u004", "UnicodeDecodeError"},
    {"\\u", "UnicodeDecodeError"},
    {"\\U0001f600", "=%f0%9f%98%80"},
    {"\\U00110000", "UnicodeDecodeError"},
    {"\\U0001F60", "UnicodeDecodeError"},
    {"\\uzzzz", "UnicodeDecodeError"},
    {"\\\\u0041", "=\\\\u0041"},
    {"\\\\\\u0041", "=\\\\A"},
    {"\\\\u", "=\\\\u"},
    {"\\x41", "=\\x41"},
    {"\\", "=\\"},
    {"%e9", "=%c3%a9"},
    {"\\ud800", "=%ed%a0%80"},
    {"\\ud83d\\ude00", "=%ed%a0%bd%ed%b8%80"},
    {"a%00b", "=a%00b"},
    {"a%0d", "=a%0d"},
    {"\\N{BULLET}", "=\\N{BULLET}"},
    {"\\Uffffffff", "UnicodeDecodeError"},
    {"\\ud83d", "=%ed%a0%bd"},
    {"\\u00e9\\", "=%c3%a9\\"},
    {"\\U00000041x", "=Ax"},
    {"\\u0041\\", "=A\\"},
    {"\\\\", "=\\\\"},
    {"\\\\\\", "=\\\\\\"},
    {"\\%e9", "=\\%c3%a9"},
    {"%ff%fe", "=%c3%bf%c3%be"},
    {"\\uD83d\\uDE00", "=%ed%a0%bd%ed%b8%80"},
    {"\\U0010ffff", "=%f4%8f%bf%bf"},
    {"a\\u00e", "UnicodeDecodeError"},
    {"\\u+123", "UnicodeDecodeError"},
    {"\\U-0000001", "UnicodeDecodeError"},
    {"\\u00410", "=A0"},
};
/* clang-format on */

static const struct text_kind {
  const char *name;
  const text_row *rows;
  size_t count;
} text_kinds[] = {{"STRING", string_rows, COUNT(string_rows)},
                  {"UNICODE", unicode_rows, COUNT(unicode_rows)}};

static void show(char *out, size_t size, pks_span text) {
  size_t n = (size_t)snprintf(out, size, "=");
  for (size_t i = 0; i < text.size; i++) {
    bool plain = text.data[i] >= 0x20 && text.data[i] < 0x7f && text.data[i] != '%';
    n += (size_t)snprintf(out + n, size - n, plain ? "%c" : "%%%02x", text.data[i]);
  }
}

static pks_options options_of(uint32_t python, const char *encoding, const char *errors) {
  pks_options options = {.size = sizeof options};
  pks_options_init(&options);
  options.python = python;
  options.encoding = encoding;
  options.errors = errors;
  return options;
}

static void check_text(pks_decoder *d, const char *name, const text_row *row) {
  char want[256], got[256];
  uint8_t buffer[256];
  pks_span text;
  pks_strings strings;
  pickle program = pickle_of_line(name, row->line);
  char *trace = trace_decoder_cuts(d, program.data, program.size);
  if (row->answer[0] == '=') {
    pks_decode_strings(&strings, "ASCII", NULL);
    ck_assert(pks_decode_value_text(program.data, &strings, buffer, sizeof buffer, &text));
    show(got, sizeof got, text);
    ck_assert_str_eq(got, row->answer);
    snprintf(want, sizeof want, "\nEND %zu\n", program.size);
    ck_assert_msg(strstr(trace, want) && strncmp(trace, "cut", 3) != 0, "%s: %s", row->line, trace);
  } else {
    bool need = *name == 'S' && strcmp(row->answer, "UnicodeDecodeError") == 0;
    snprintf(want, sizeof want, "%s 0 %s %s\n", need ? "E_NEED" : "E_ARGUMENT", name, row->answer);
    ck_assert_str_eq(trace, want);
  }
  free(trace);
  pickle_free(&program);
}

START_TEST(texts_read_as_cpython_reads_them) {
  const struct text_kind *kind = &text_kinds[_i];
  for (size_t p = 0; p < COUNT(profiles); p++) {
    pks_options options = options_of(profiles[p].python, "ASCII", NULL);
    pks_decoder *d = pks_decoder_new(&options, NULL, NULL);
    for (size_t i = 0; i < kind->count; i++) check_text(d, kind->name, &kind->rows[i]);
    pks_decoder_free(d);
  }
}
END_TEST

/* A text that must be decoded fits its buffer or is refused; nothing is written past it. */
START_TEST(texts_keep_to_their_buffer) {
  const struct text_kind *kind = &text_kinds[_i];
  size_t decoded = 0;
  pks_strings strings;
  pks_decode_strings(&strings, "latin1", NULL);
  for (size_t i = 0; i < kind->count; i++) {
    uint8_t full[256];
    pks_span text, again;
    if (kind->rows[i].answer[0] != '=') continue;
    pickle program = pickle_of_line(kind->name, kind->rows[i].line);
    ck_assert(pks_decode_value_text(program.data, &strings, full, sizeof full, &text));
    decoded += text.data == full;
    for (size_t room = 0; text.data == full && room <= text.size; room++) {
      uint8_t *buffer = malloc(room ? room : 1);
      ck_assert_int_eq(pks_decode_value_text(program.data, &strings, buffer, room, &again),
                       room == text.size);
      free(buffer);
    }
    pickle_free(&program);
  }
  ck_assert_uint_gt(decoded, 10);
}
END_TEST

/* ---- Python 2 strings -------------------------------------------------------------------------- */

/* Strings of these bytes; exception "": it is well. */
static const struct {
  const char *encoding, *errors, *text, *exception;
} encoding_rows[] = {
    {NULL, NULL, "abc", ""},
    {NULL, NULL, "%e9", ""}, /* nobody said which: a need, not a fault */
    {"ASCII", NULL, "abc", ""},
    {"ASCII", NULL, "%e9", "UnicodeDecodeError"},
    {"ascii", "strict", "%e9", "UnicodeDecodeError"},
    {"US-ASCII", "strict", "%e9", "UnicodeDecodeError"},
    {"ASCII", "ignore", "%e9", ""},
    {"ASCII", "replace", "%e9", ""},
    {"ASCII", "surrogateescape", "%e9", ""},
    {"ASCII", "backslashreplace", "%e9", ""},
    {"ASCII", "nosuch", "%e9", "LookupError"},
    {"ASCII", "nosuch", "abc", ""},
    {"latin1", NULL, "%e9", ""},
    {"latin-1", NULL, "%e9", ""},
    {"ISO-8859-1", NULL, "%e9", ""},
    {"bytes", NULL, "%e9", ""},
    {"utf-8", NULL, "%c3%a9", ""},
    {"UTF8", NULL, "%e9", "UnicodeDecodeError"},
    {"utf-8", NULL, "%ed%a0%80", "UnicodeDecodeError"}, /* strict: no surrogates */
    {"utf-8", "replace", "%e9", ""},
    {"cp1252", NULL, "%e9", ""},
    {"nosuch", NULL, "abc", "LookupError"},
    {"nosuch", NULL, "%e9", "LookupError"},
    {"hex", NULL, "abc", "LookupError"},
    {"rot13", NULL, "abc", "LookupError"},
    {"a name longer than any encoding has", NULL, "abc", "LookupError"},
};

static void check_string(pks_decoder *d, const char *name, size_t row) {
  const char *quote = *name == 'S' && name[1] == 'T' ? "%22" : "";
  const char *exception = encoding_rows[row].exception;
  char program_text[128], want[128];
  snprintf(program_text, sizeof program_text, "NONE %s '%s%s%s' STOP", name, quote,
           encoding_rows[row].text, quote);
  pickle program = pickle_of(program_text);
  char *got = trace_decoder_cuts(d, program.data, program.size);
  if (*exception)
    snprintf(want, sizeof want, "0 NONE\nE_NEED 1 %s %s\n", name, exception);
  else
    snprintf(want, sizeof want, "\nEND %zu\n", program.size);
  ck_assert_msg(strstr(got, want) != NULL && strncmp(got, "cut", 3) != 0, "%s: %s, not %s",
                program_text, got, want);
  free(got);
  pickle_free(&program);
}

/* Also when the string goes by because it is longer than what is kept. */
START_TEST(strings_decode_with_their_encoding) {
  pks_options options =
      options_of(PKS_PYTHON(3, 11, 7), encoding_rows[_i].encoding, encoding_rows[_i].errors);
  pks_limits limits = {.size = sizeof limits};
  pks_limits_init(&limits);
  for (int clip = 0; clip < 2; clip++) {
    limits.max_name = clip ? 0 : 100;
    pks_decoder *d = pks_decoder_new(&options, &limits, NULL);
    check_string(d, "BINSTRING", (size_t)_i);
    check_string(d, "SHORT_BINSTRING", (size_t)_i);
    check_string(d, "STRING", (size_t)_i);
    pks_decoder_free(d);
  }
}
END_TEST

/* Up to 3.8 an unknown codec is looked up for an empty string too; for STRING never. */
START_TEST(empty_strings_and_unknown_codecs) {
  static const struct {
    const char *program;
    uint32_t python;
    const char *want;
  } rows[] = {
      {"SHORT_BINSTRING '' STOP", PKS_PYTHON(3, 8, 18), "E_NEED 0 SHORT_BINSTRING LookupError\n"},
      {"SHORT_BINSTRING '' STOP", PKS_PYTHON(3, 9, 18), "0 SHORT_BINSTRING ''\n2 STOP\nEND 3\n"},
      {"STRING '%22%22' STOP", PKS_PYTHON(3, 6, 15), "0 STRING '\"\"'\n4 STOP\nEND 5\n"},
      {"STRING '%22%22' STOP", PKS_PYTHON(3, 9, 18), "0 STRING '\"\"'\n4 STOP\nEND 5\n"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    pks_options options = options_of(rows[i].python, "nosuch", NULL);
    pks_decoder *d = pks_decoder_new(&options, NULL, NULL);
    pickle program = pickle_of(rows[i].program);
    char *got = trace_decoder_cuts(d, program.data, program.size);
    ck_assert_str_eq(got, rows[i].want);
    free(got);
    pickle_free(&program);
    pks_decoder_free(d);
  }
}
END_TEST

/* ---- the suite --------------------------------------------------------------------------------- */

int main(void) {
  Suite *suite = suite_create("texts");
  TCase *texts = suite_case(suite, "texts");
  tcase_add_loop_test(texts, texts_read_as_cpython_reads_them, 0, (int)COUNT(text_kinds));
  tcase_add_loop_test(texts, texts_keep_to_their_buffer, 0, (int)COUNT(text_kinds));
  tcase_add_loop_test(texts, strings_decode_with_their_encoding, 0, (int)COUNT(encoding_rows));
  tcase_add_test(texts, empty_strings_and_unknown_codecs);
  return suite_run(suite);
}
