/* decode: numbers and texts as lines, byte for byte as CPython's C unpickler takes them.
 *
 * The tables are what CPython 3.6.15, 3.11.7, 3.14.2 and 3.15.0rc1 answered to each line (the last two
 * in 32 bits: lines whose answer depends on that are not here). %XX is the byte with that
 * number. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"
#include "support/asm.h"
#include "support/trace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct {
  uint32_t python;
  size_t column; /* of a number's answers */
} profiles[] = {{PKS_PYTHON(3, 6, 15), 0},
                {PKS_PYTHON(3, 11, 7), 0},
                {PKS_PYTHON(3, 14, 2), 1},
                {PKS_PYTHON(3, 15, 0), 2}};

/* ---- numbers --------------------------------------------------------------------------------- */

/* An answer is a number ("MAX", "MIN": past 64 bits) or the name of an exception. Where they differ:
 * "up to 3.13|3.14|3.15". */
typedef struct line_row {
  const char *line, *answers;
} line_row;

/* clang-format off */
static const line_row int_rows[] = {
    {"0", "0"},
    {"1", "1"},
    {"00", "False"},
    {"01", "True"},
    {"-0", "False|False|0"},
    {"+0", "False|False|0"},
    {"+1", "True|True|1"},
    {"-1", "-1"},
    {"02", "2"},
    {"010", "8|10"},
    {"08", "ValueError|8"},
    {"09", "ValueError|9"},
    {"0x10", "16|ValueError"},
    {"0X1f", "31|ValueError"},
    {"0b101", "5|ValueError"},
    {"0o17", "15|ValueError"},
    {"0b2", "ValueError"},
    {"0x", "ValueError"},
    {"1_000", "1000"},
    {"0_1", "ValueError|1"},
    {"0_0", "0"},
    {"00_0", "0"},
    {"_1", "ValueError"},
    {"1_", "ValueError"},
    {"1__0", "ValueError"},
    {" 1", "True|True|1"},
    {"  1", "1"},
    {"1 ", "1"},
    {"0 ", "0"},
    {"1%09", "1"},
    {"1%0d", "1"},
    {"%091", "True|True|1"},
    {" 01", "1"},
    {"0%0d", "0"},
    {"1L", "ValueError"},
    {"12L", "ValueError"},
    {"1.0", "ValueError"},
    {"1e3", "ValueError"},
    {"", "UnpicklingError"},
    {"-", "ValueError"},
    {"+", "ValueError"},
    {"--1", "ValueError"},
    {"- 1", "ValueError"},
    {"abc", "ValueError"},
    {"inf", "ValueError"},
    {"9223372036854775807", "9223372036854775807"},
    {"9223372036854775808", "MAX"},
    {"-9223372036854775808", "-9223372036854775808"},
    {"-9223372036854775809", "MIN"},
    {"0777777777777777777777", "9223372036854775807|MAX"},
    {"01777777777777777777777", "ValueError|MAX"},
    {"0xffffffffffffffffff", "MAX|ValueError"},
    {"037777777777", "4294967295|37777777777"},
    {"2147483648", "2147483648"},
    {"1%00", "True|True|1"},
    {"0%00", "False|False|0"},
    {"%00", "0"},
    {"12%00junk", "12"},
    {"1%00%00", "1"},
    {"1_0%00zz", "10"},
    {"0x%00", "ValueError"},
    {" ", "ValueError"},
    {"%0b", "ValueError"},
    {"%0c1", "True|True|1"},
    {"%a01", "ValueError"},
    {"%b2", "ValueError"},
    {"true", "ValueError"},
    {"True", "ValueError"},
    {"0x1_0", "16|ValueError"},
    {"0X", "ValueError"},
    {"-0x1", "-1|ValueError"},
    {"-01", "-1"},
    {"-00", "0"},
    {"+00", "0"},
    {"1111111111111111111", "1111111111111111111"},
    {"000000000000000000000000000000", "0"},
    {"0x8000000000000000", "MAX|ValueError"},
    {"0x7fffffffffffffff", "9223372036854775807|ValueError"},
    {"-0x8000000000000000", "-9223372036854775808|ValueError"},
    {"0b1_0", "2|ValueError"},
    {"0_x1", "ValueError"},
    {"1_0_0", "100"},
    {"+ 1", "ValueError"},
    {"1%0b%0c", "1"},
    {"00x1", "ValueError"},
    {"-0b1", "-1|ValueError"},
};

static const line_row long_rows[] = {
    {"1L", "1"},
    {"1", "1"},
    {"0L", "0"},
    {"00L", "0"},
    {"00", "0"},
    {"L", "ValueError"},
    {"", "UnpicklingError"},
    {"-L", "ValueError"},
    {"01L", "ValueError|1"},
    {"0012L", "ValueError|12"},
    {"0x10L", "16|ValueError"},
    {"0b1L", "1|ValueError"},
    {"1_0L", "10"},
    {" 1L", "1"},
    {"1 L", "1"},
    {"1L ", "ValueError"},
    {"1LL", "ValueError"},
    {"1l", "ValueError"},
    {"-1L", "-1"},
    {"+1L", "1"},
    {"1%00L", "1"},
    {"1%00zzL", "1"},
    {"12L%0d", "ValueError"},
    {"1.0L", "ValueError"},
    {"0o7L", "7|ValueError"},
    {"%00", "ValueError"},
    {"%00L", "ValueError"},
    {"-0L", "0"},
    {"9223372036854775807L", "9223372036854775807"},
    {"9223372036854775808L", "MAX"},
    {"-9223372036854775808L", "-9223372036854775808"},
    {"-9223372036854775809L", "MIN"},
    {"0xffffffffffffffffL", "MAX|ValueError"},
    {"1_L", "ValueError"},
    {"_1L", "ValueError"},
    {" L", "ValueError"},
    {"0_0L", "0"},
    {"1%09L", "1"},
};

static const line_row float_rows[] = {
    {"1", "1"},
    {"1.0", "1"},
    {".5", "0.5"},
    {"5.", "5"},
    {".", "ValueError"},
    {"1e5", "100000"},
    {"1e", "ValueError"},
    {"1E+5", "100000"},
    {"1e400", "OverflowError"},
    {"-1e400", "OverflowError"},
    {"1e-400", "0"},
    {"inf", "inf"},
    {"-inf", "-inf"},
    {"+Infinity", "inf"},
    {"nan", "nan"},
    {"-nan", "nan"},
    {"NaN", "nan"},
    {"infin", "ValueError"},
    {"nan(1)", "ValueError"},
    {"1_0.0", "ValueError"},
    {"1_0", "ValueError"},
    {" 1.0", "ValueError"},
    {"1.0 ", "ValueError"},
    {"%091", "ValueError"},
    {"0x1p3", "ValueError"},
    {"0x10", "ValueError"},
    {"", "UnpicklingError"},
    {"-", "ValueError"},
    {"+1.5", "1.5"},
    {"1.0%00junk", "1"},
    {"%00", "ValueError"},
    {"1,5", "ValueError"},
    {"1.0%0d", "ValueError"},
    {"1.0L", "ValueError"},
    {"1.0f", "ValueError"},
    {"1e5_0", "ValueError"},
    {"00001.0", "1"},
    {"-1.0", "-1"},
    {"-1", "-1"},
    {"1e308", "1e+308"},
    {"1.7976931348623159e308", "OverflowError"},
    {".e1", "ValueError"},
    {"e1", "ValueError"},
    {"infinity", "inf"},
    {"INFINITYx", "ValueError"},
    {"+nan", "nan"},
    {"0.1", "0.10000000000000001"},
    {"1e23", "9.9999999999999992e+22"},
    {"9007199254740993", "9007199254740992"},
    {"9007199254740993.00000000000000000001", "9007199254740994"},
    {"2.2250738585072011e-308", "2.2250738585072009e-308"},
    {"4.9e-324", "4.9406564584124654e-324"},
    {"2.4e-324", "0"},
    {"2.5e-324", "4.9406564584124654e-324"},
    {"1.7976931348623157e308", "1.7976931348623157e+308"},
    {"1.797693134862315807e308", "1.7976931348623157e+308"},
    {"179769313486231580793e288", "1.7976931348623157e+308"},
    {"-0", "-0"},
    {"-.0e9", "-0"},
    {"0e999999999999999999999", "0"},
    {"1e-99999999999999999999", "0"},
    {"1e99999999999999999999", "OverflowError"},
    {"0.000001e6", "1"},
    {"1e+", "ValueError"},
    {"1e-", "ValueError"},
    {"1ee5", "ValueError"},
    {"1.2.3", "ValueError"},
    {"+", "ValueError"},
    {"+-1", "ValueError"},
    {"123456789012345678901234567890", "1.2345678901234568e+29"},
};

/* What GET and PUT make of a line; whether there is such an entry is the machine's business. */
static const line_row index_rows[] = {
    {"0", "0"},
    {"00", "0"},
    {"007", "7"},
    {" 0", "0"},
    {"0 ", "0"},
    {"+0", "0"},
    {"-0", "0"},
    {"0_0", "0"},
    {"1_0", "10"},
    {"0x0", "ValueError"},
    {"0b0", "ValueError"},
    {"0o0", "ValueError"},
    {"", "UnpicklingError"},
    {"-1", "-1"},
    {"a", "ValueError"},
    {"0%0d", "0"},
    {"0%0b", "0"},
    {"0%00", "0"},
    {"0%00z", "0"},
    {"0L", "ValueError"},
    {"%00", "ValueError"},
    {" ", "ValueError"},
    {"1__0", "ValueError"},
    {"%d9%a0", "ValueError"},
    {"4294967296", "4294967296"},
    {"9223372036854775807", "9223372036854775807"},
    {"9223372036854775808", "OverflowError"},
    {"-9223372036854775808", "-9223372036854775808"},
    {"-9223372036854775809", "OverflowError"},
    {"99999999999999999999", "OverflowError"},
    {"-99999999999999999999", "OverflowError"},
};
/* clang-format on */

static const struct kind {
  const char *name;
  const line_row *rows;
  size_t count;
} kinds[] = {{"INT", int_rows, COUNT(int_rows)},
             {"LONG", long_rows, COUNT(long_rows)},
             {"FLOAT", float_rows, COUNT(float_rows)},
             {"GET", index_rows, COUNT(index_rows)},
             {"PUT", index_rows, COUNT(index_rows)}};

/* The answer of a column, or of the last one that there is. */
static const char *answer_of(const line_row *row, size_t column, char *out) {
  const char *answer = row->answers;
  for (const char *next; column-- && (next = strchr(answer, '|'));) answer = next + 1;
  size_t size = strcspn(answer, "|");
  memcpy(out, answer, size);
  out[size] = 0;
  return out;
}

static bool is_exception(const char *answer) { return strstr(answer, "Error") != NULL; }

static int op_named(const char *name) { return pickle_opcode(name, strlen(name)); }

/* The line with its newline, in a block of its own size. */
static pickle line_of(const char *text) {
  pickle line = {0};
  pickle_add_escaped(&line, text);
  pickle_add_raw(&line, "\n", 1);
  pickle_fit(&line);
  return line;
}

/* An opcode with this line, and STOP. */
static pickle program_of(const char *name, const char *text) {
  uint8_t op = (uint8_t)op_named(name);
  pickle program = {0}, line = line_of(text);
  pickle_add_raw(&program, &op, 1);
  pickle_add_raw(&program, line.data, line.size);
  pickle_add(&program, "STOP");
  pickle_fit(&program);
  pickle_free(&line);
  return program;
}

static void number_text(char *out, size_t size, int op, const pickle *line, uint32_t rules) {
  pks_number n = {0};
  double real = 0;
  pks_fail fail = PKS_FAIL_NONE;
  switch (op) {
    case PKS_OP_INT: fail = pks_decode_int_line(line->data, line->size, rules, &n); break;
    case PKS_OP_LONG: fail = pks_decode_long_line(line->data, line->size, rules, &n); break;
    case PKS_OP_FLOAT: fail = pks_decode_float_line(line->data, line->size, &real); break;
    default: fail = pks_decode_index_line(line->data, line->size, rules, &n);
  }
  if (fail)
    snprintf(out, size, "%s", pks_decode_fails[fail].exception);
  else if (op == PKS_OP_FLOAT)
    snprintf(out, size, "%.17g", real);
  else if (n.boolean)
    snprintf(out, size, "%s", n.value ? "True" : "False");
  else if (n.big)
    snprintf(out, size, "%s", n.value < 0 ? "MIN" : "MAX");
  else
    snprintf(out, size, "%lld", (long long)n.value);
}

/* The reader of the line alone: it tells bool from int, too. */
START_TEST(lines_read_as_cpython_reads_them) {
  const struct kind *kind = &kinds[_i];
  for (size_t p = 0; p < COUNT(profiles); p++)
    for (size_t i = 0; i < kind->count; i++) {
      char got[64], want[64];
      pickle line = line_of(kind->rows[i].line);
      number_text(got, sizeof got, op_named(kind->name), &line,
                  pks_decode_rules(profiles[p].python));
      answer_of(&kind->rows[i], profiles[p].column, want);
      ck_assert_msg(strcmp(got, want) == 0, "%s %s, Python %x: %s, not %s", kind->name,
                    kind->rows[i].line, profiles[p].python, got, want);
      pickle_free(&line);
    }
}
END_TEST

/* What the decoder must say of one opcode and STOP, which stands at `end`. */
static void expected_trace(char *out, size_t size, const char *name, const char *answer,
                           size_t end) {
  if (is_exception(answer)) {
    bool index = strcmp(name, "GET") == 0 || strcmp(name, "PUT") == 0;
    const char *status = index && strcmp(answer, "OverflowError") == 0 ? "E_MEMO" : "E_ARGUMENT";
    snprintf(out, size, "%s 0 %s %s\n", status, name, answer);
    return;
  }
  if (strcmp(answer, "True") == 0) answer = "1";
  if (strcmp(answer, "False") == 0) answer = "0";
  if (strcmp(answer, "MAX") == 0) answer = "9223372036854775807";
  if (strcmp(answer, "MIN") == 0) answer = "-9223372036854775808";
  snprintf(out, size, "0 %s %s\n%zu STOP\nEND %zu\n", name, answer, end, end + 1);
}

START_TEST(lines_decode_in_any_cut) {
  const struct kind *kind = &kinds[_i];
  for (size_t p = 0; p < COUNT(profiles); p++) {
    pks_options options = {.size = offsetof(pks_options, opaque), .python = profiles[p].python};
    pks_decoder *d = pks_decoder_new(&options, NULL, NULL);
    for (size_t i = 0; i < kind->count; i++) {
      char want[256], answer[64];
      pickle program = program_of(kind->name, kind->rows[i].line);
      expected_trace(want, sizeof want, kind->name,
                     answer_of(&kind->rows[i], profiles[p].column, answer), program.size - 1);
      char *got = trace_decoder_cuts(d, program.data, program.size);
      ck_assert_str_eq(got, want);
      free(got);
      pickle_free(&program);
    }
    pks_decoder_free(d);
  }
}
END_TEST

/* ---- more digits than int() takes ------------------------------------------------------------- */

/* `count` times `digit` between prefix and suffix. 3.6 has no limit of 4300 digits. */
static const struct {
  const char *name, *prefix;
  char digit;
  size_t count;
  const char *suffix, *in_36, *in_311, *in_314;
} digit_rows[] = {
    {"INT", "", '9', 4300, "", "MAX", "MAX", "MAX"},
    {"INT", "", '9', 4301, "", "MAX", "ValueError", "ValueError"},
    {"INT", "-", '9', 4301, "", "MIN", "ValueError", "ValueError"},
    {"INT", "   ", '9', 4300, "", "MAX", "MAX", "MAX"},
    {"INT", "1_", '9', 4299, "", "MAX", "MAX", "MAX"},
    {"INT", "", '0', 5000, "", "0", "0", "0"}, /* strtol takes them */
    {"INT", "0x", 'f', 5000, "", "MAX", "MAX", "ValueError"},
    {"INT", "0b", '1', 5000, "", "MAX", "MAX", "ValueError"},
    {"LONG", "", '9', 4300, "L", "MAX", "MAX", "MAX"},
    {"LONG", "", '9', 4301, "L", "MAX", "ValueError", "ValueError"},
    {"LONG", "-", '9', 4300, "L", "MIN", "MIN", "MIN"},
    {"LONG", "", '0', 4300, "L", "0", "0", "0"},
    {"LONG", "", '0', 4301, "L", "0", "ValueError", "ValueError"},
    {"LONG", "0x", 'f', 5000, "L", "MAX", "MAX", "ValueError"},
    {"PUT", "", '0', 4300, "", "0", "0", "0"},
    {"PUT", "", '0', 4301, "", "0", "ValueError", "ValueError"},
    {"GET", "", '0', 4299, "7", "7", "7", "7"},
};

static pickle digits_line(size_t row) {
  pickle line = {0};
  pickle_add_escaped(&line, digit_rows[row].prefix);
  for (size_t i = 0; i < digit_rows[row].count; i++)
    pickle_add_raw(&line, &digit_rows[row].digit, 1);
  pickle_add_escaped(&line, digit_rows[row].suffix);
  pickle_add_raw(&line, "\n", 1);
  pickle_fit(&line);
  return line;
}

START_TEST(digit_limit) {
  static const uint32_t pythons[] = {PKS_PYTHON(3, 6, 15), PKS_PYTHON(3, 11, 7),
                                     PKS_PYTHON(3, 14, 2)};
  const char *want[] = {digit_rows[_i].in_36, digit_rows[_i].in_311, digit_rows[_i].in_314};
  pickle line = digits_line((size_t)_i);
  for (size_t p = 0; p < COUNT(pythons); p++) {
    char got[64];
    number_text(got, sizeof got, op_named(digit_rows[_i].name), &line,
                pks_decode_rules(pythons[p]));
    ck_assert_str_eq(got, want[p]);
  }
  pickle_free(&line);
}
END_TEST

/* ---- floats against strtod -------------------------------------------------------------------- */

static uint64_t noise(uint64_t *state) { /* splitmix64 */
  uint64_t x = *state += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

/* A decimal of up to 60 digits, sometimes with a thousand zeros before the last. */
static size_t random_decimal(char *out, uint64_t *state) {
  size_t n = 0, digits = 1 + noise(state) % 60, point = noise(state) % (digits + 1);
  bool zeros = noise(state) % 8 == 0;
  if (noise(state) & 1) out[n++] = '-';
  for (size_t i = 0; i < digits; i++) {
    if (i == point) out[n++] = '.';
    for (size_t j = 0; zeros && i == digits - 1 && j < 1000; j++) out[n++] = '0';
    out[n++] = (char)('0' + noise(state) % 10);
  }
  return n + (size_t)sprintf(out + n, "e%d", (int)(noise(state) % 660) - 340);
}

/* Tests do not call setlocale, so strtod sees the point here. */
START_TEST(floats_agree_with_strtod) {
  uint64_t state = 1;
  for (int i = 0; i < 100000; i++) {
    char text[2000];
    double got = 0;
    size_t size = random_decimal(text, &state);
    double want = strtod(text, NULL);
    text[size] = '\n';
    pks_fail fail = pks_decode_float_line((const uint8_t *)text, size + 1, &got);
    bool same =
        isinf(want) ? fail == PKS_FAIL_FLOAT_RANGE : !fail && memcmp(&got, &want, sizeof got) == 0;
    text[size] = 0;
    if (!same) ck_abort_msg("%s: %.17g, not %.17g", text, got, want);
  }
}
END_TEST

/* A number halfway between two doubles, and one more digit far behind it. */
START_TEST(floats_round_by_the_last_digit) {
  static const size_t zeros[] = {0, 1, 700, 766, 783, 784, 785, 800, 5000};
  for (size_t i = 0; i < COUNT(zeros); i++)
    for (int last = 0; last < 2; last++) {
      pickle line = {0};
      double got = 0;
      pickle_add_escaped(&line, "9007199254740993.");
      for (size_t j = 0; j < zeros[i]; j++) pickle_add_escaped(&line, "0");
      pickle_add_escaped(&line, last ? "1%0a" : "0%0a");
      pickle_fit(&line);
      ck_assert_int_eq(pks_decode_float_line(line.data, line.size, &got), PKS_FAIL_NONE);
      ck_assert_double_eq(got, last ? 9007199254740994.0 : 9007199254740992.0);
      pickle_free(&line);
    }
}
END_TEST

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
  pickle program = program_of(name, row->line);
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
    pickle program = program_of(kind->name, kind->rows[i].line);
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
  Suite *suite = suite_create("lines");
  TCase *numbers = tcase_create("numbers"), *texts = tcase_create("texts");
  suite_add_tcase(suite, numbers);
  tcase_add_loop_test(numbers, lines_read_as_cpython_reads_them, 0, (int)COUNT(kinds));
  tcase_add_loop_test(numbers, lines_decode_in_any_cut, 0, (int)COUNT(kinds));
  tcase_add_loop_test(numbers, digit_limit, 0, (int)COUNT(digit_rows));
  tcase_add_test(numbers, floats_agree_with_strtod);
  tcase_add_test(numbers, floats_round_by_the_last_digit);
  suite_add_tcase(suite, texts);
  tcase_add_loop_test(texts, texts_read_as_cpython_reads_them, 0, (int)COUNT(text_kinds));
  tcase_add_loop_test(texts, texts_keep_to_their_buffer, 0, (int)COUNT(text_kinds));
  tcase_add_loop_test(texts, strings_decode_with_their_encoding, 0, (int)COUNT(encoding_rows));
  tcase_add_test(texts, empty_strings_and_unknown_codecs);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
