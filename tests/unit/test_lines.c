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
#include "support/noise.h"
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
      pickle program = pickle_of_line(kind->name, kind->rows[i].line);
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

/* ---- the suite --------------------------------------------------------------------------------- */

int main(void) {
  Suite *suite = suite_create("lines");
  TCase *numbers = suite_case(suite, "numbers");
  tcase_add_loop_test(numbers, lines_read_as_cpython_reads_them, 0, (int)COUNT(kinds));
  tcase_add_loop_test(numbers, lines_decode_in_any_cut, 0, (int)COUNT(kinds));
  tcase_add_loop_test(numbers, digit_limit, 0, (int)COUNT(digit_rows));
  tcase_add_test(numbers, floats_agree_with_strtod);
  tcase_add_test(numbers, floats_round_by_the_last_digit);
  return suite_run(suite);
}
