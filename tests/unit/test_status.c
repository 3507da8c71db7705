/* Every status that decoder and inspector can give, with offset, opcode and exception; every limit at its edge.
 * Adding a status to PKS_STATUS_MAP without a case here fails. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/facts.h"
#include "support/asm.h"
#include "support/failing.h"
#include "support/trace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- a case for each status ---------------------------------------------------------------------- */

/* want: the outcome of an inspector; decoder: that of a decoder where it gives the status, too. */
static const struct status_row {
  pks_status status;
  const char *program, *want, *decoder;
} rows[] = {
    {PKS_END, "NONE STOP", "END 2", "END 2"},
    {PKS_E_TRUNCATED, "", "E_TRUNCATED 0 - EOFError", "E_TRUNCATED 0 - EOFError"},
    {PKS_E_TRUNCATED, "NONE", "E_TRUNCATED 1 - EOFError", "E_TRUNCATED 1 - EOFError"},
    {PKS_E_TRUNCATED, "NONE BINBYTES #5 'abc'", "E_TRUNCATED 1 BINBYTES UnpicklingError",
     "E_TRUNCATED 1 BINBYTES UnpicklingError"},
    {PKS_E_TRUNCATED, "NONE FRAME 2 NONE", "E_TRUNCATED 1 FRAME UnpicklingError", NULL},
    {PKS_E_OPCODE, "NONE =ff", "E_OPCODE 1 - UnpicklingError", "E_OPCODE 1 - UnpicklingError"},
    {PKS_E_ARGUMENT, "INT 'x'", "E_ARGUMENT 0 INT ValueError", "E_ARGUMENT 0 INT ValueError"},
    {PKS_E_ARGUMENT, "NONE SHORT_BINUNICODE '%ff'",
     "E_ARGUMENT 1 SHORT_BINUNICODE UnicodeDecodeError",
     "E_ARGUMENT 1 SHORT_BINUNICODE UnicodeDecodeError"},
    {PKS_E_FRAME, "FRAME 0x8000000000000000", "E_FRAME 0 FRAME OverflowError",
     "E_FRAME 0 FRAME OverflowError"},
    {PKS_E_STACK, "NONE REDUCE", "E_STACK 1 REDUCE UnpicklingError", NULL},
    {PKS_E_STACK, "MARK DUP", "E_STACK 1 DUP UnpicklingError", NULL},
    {PKS_E_MARK, "NONE TUPLE", "E_MARK 1 TUPLE UnpicklingError", NULL},
    {PKS_E_MEMO, "BINGET 5", "E_MEMO 0 BINGET UnpicklingError", NULL},
    {PKS_E_MEMO, "NONE PUT '-1'", "E_MEMO 1 PUT ValueError", NULL},
    {PKS_E_MEMO, "NONE GET '99999999999999999999'", "E_MEMO 1 GET OverflowError",
     "E_MEMO 1 GET OverflowError"},
    {PKS_E_OPERAND, "NONE NONE APPEND", "E_OPERAND 2 APPEND AttributeError", NULL},
    {PKS_E_OPERAND, "NONE EMPTY_TUPLE REDUCE", "E_OPERAND 2 REDUCE TypeError", NULL},
    {PKS_E_NEED, "NONE POP NEXT_BUFFER", "E_NEED 2 NEXT_BUFFER UnpicklingError", NULL},
    {PKS_E_NEED, "SHORT_BINSTRING '%e9' STOP", "E_NEED 0 SHORT_BINSTRING UnicodeDecodeError",
     "E_NEED 0 SHORT_BINSTRING UnicodeDecodeError"},
    {PKS_E_LIMIT_OPS, "NONE NONE NONE NONE NONE NONE NONE NONE NONE", "E_LIMIT_OPS 8 NONE -",
     "E_LIMIT_OPS 8 NONE -"},
    {PKS_E_LIMIT_DEPTH, "MARK MARK MARK MARK MARK", "E_LIMIT_DEPTH 4 MARK -", NULL},
    {PKS_E_PROTOCOL, "NONE PROTO 6", "E_PROTOCOL 1 PROTO ValueError",
     "E_PROTOCOL 1 PROTO ValueError"},
};

/* Given by calls and not by payloads, or by other tests of this file. */
static const pks_status elsewhere[] = {
    PKS_OK,             /* pks_decoder_next: test_decode */
    PKS_NEED_MORE,      /* feed */
    PKS_E_LIMIT_MEMORY, /* below: limits at their edge */
    PKS_E_LIMIT_NAME,
    PKS_E_LIMIT_KEEP,
    PKS_E_LIMIT_CODE,
    PKS_E_LIMIT_FRAME,
    PKS_E_LIMIT_AGAIN,
    PKS_E_LIMIT_ITEMS, /* test_facts: lost_arguments_are_noticed */
    PKS_E_NO_MEMORY,   /* below, and test_alloc */
    PKS_E_USAGE,       /* test_decode, test_facts */
};

/* Produced by a room that these tests do not reach, or that is not built yet. */
static const pks_status other_rooms[] = {
    PKS_E_CODE,         /* code: marshal streams */
    PKS_E_CONTAINER,    /* inflate, contain */
    PKS_E_FINGERPRINT,  /* match */
    PKS_E_LIMIT_OUTPUT, /* inflate, contain */
    PKS_E_PYTHON,       /* match */
    PKS_E_FORMAT,       /* contain, match */
    PKS_E_IO,           /* report, cli */
};

static bool listed(const pks_status *list, size_t count, pks_status status) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == status) return true;
  return false;
}

static size_t cases_of(pks_status status) {
  size_t count = 0;
  for (size_t i = 0; i < COUNT(rows); i++) count += rows[i].status == status;
  return count;
}

START_TEST(every_status_has_a_case) {
#define X(value, name, text)                                                                   \
  ck_assert_msg((cases_of(PKS_##name) > 0) + listed(elsewhere, COUNT(elsewhere), PKS_##name) + \
                        listed(other_rooms, COUNT(other_rooms), PKS_##name) ==                 \
                    1,                                                                         \
                "%s has no case, or more than one place", #name);
  PKS_STATUS_MAP(X)
#undef X
}
END_TEST

static pks_options row_options(void) {
  pks_options options = {.size = sizeof options};
  pks_options_init(&options);
  options.encoding = "ASCII";
  options.buffers = 0;
  return options;
}

static pks_limits row_limits(void) {
  pks_limits limits = {.size = sizeof limits};
  pks_limits_init(&limits);
  limits.max_ops = 8;
  limits.max_depth = 4;
  return limits;
}

START_TEST(status_of_an_inspector) {
  pks_options options = row_options();
  pks_limits limits = row_limits();
  pks_inspector *f = pks_inspector_new(&options, &limits, NULL);
  pickle p = pickle_of(rows[_i].program);
  char want[TRACE_OUTCOME + 1];
  snprintf(want, sizeof want, "%s\n", rows[_i].want);
  char *got = trace_inspector_cuts(f, p.data, p.size, "");
  ck_assert_str_eq(got, want);
  ck_assert_int_eq(
      strncmp(want, pks_status_name(rows[_i].status), strlen(pks_status_name(rows[_i].status))), 0);
  free(got);
  pickle_free(&p);
  pks_inspector_free(f);
}
END_TEST

START_TEST(status_of_a_decoder) {
  pks_options options = row_options();
  pks_limits limits = row_limits();
  if (!rows[_i].decoder) return;
  pks_decoder *d = pks_decoder_new(&options, &limits, NULL);
  pickle p = pickle_of(rows[_i].program);
  char *got = trace_decoder_cuts(d, p.data, p.size);
  const char *last = got;
  for (const char *at = got; *at; at++)
    if (*at == '\n' && at[1]) last = at + 1;
  ck_assert_msg(strncmp(got, "cut", 3) != 0 &&
                    strncmp(last, rows[_i].decoder, strlen(rows[_i].decoder)) == 0,
                "%s", got);
  free(got);
  pickle_free(&p);
  pks_decoder_free(d);
}
END_TEST

/* A failure of every kind in decode/fail.def has a sentence, and a status of an error zone. */
START_TEST(failures_have_a_sentence) {
  for (int fail = 1; fail < PKS_FAIL_COUNT; fail++) {
    const pks_fail_info *info = &pks_decode_fails[fail];
    ck_assert_uint_gt(strlen(info->text), 10);
    ck_assert_int_ne((int)pks_status_classify(info->status), PKS_CLASS_PROGRESS);
    bool limit = pks_status_classify(info->status) == PKS_CLASS_LIMIT;
    bool system = info->status == PKS_E_USAGE;
    bool any = fail == PKS_FAIL_PYPY_LITERAL; /* which class it is depends on the arguments */
    ck_assert_msg(info->exception || limit || system || any, "failure %d has no exception", fail);
  }
}
END_TEST

/* ---- limits at their edges ------------------------------------------------------------------------- */

/* The program needs exactly `need` of the limit: one less and it is reached, by the opcode at `at`. Where
 * reading goes on, the summary says so; else it is the status. */
static const struct limit_row {
  const char *name, *program;
  uint64_t need, at;
  pks_status status;
  bool stops, pieces_only, whole_only;
} limit_rows[] = {
    {"max_ops", "NONE NONE NONE STOP", 4, 3, PKS_E_LIMIT_OPS, true, false, false},
    {"max_depth", "MARK MARK MARK NONE STOP", 3, 2, PKS_E_LIMIT_DEPTH, true, false, false},
    {"max_depth", "MARK POP MARK POP MARK NONE STOP", 1, 0, PKS_E_LIMIT_DEPTH, true, false, false},
    {"max_name", "GLOBAL 'abcdefgh' 'x' STOP", 8, 0, PKS_E_LIMIT_NAME, false, false, false},
    {"max_name", "GLOBAL 'x' 'abcdefgh' STOP", 8, 0, PKS_E_LIMIT_NAME, false, false, false},
    {"max_name", "SHORT_BINUNICODE 'x' BINUNICODE 'abcdefgh' STACK_GLOBAL STOP", 8, 16,
     PKS_E_LIMIT_NAME, false, false, false},
    {"max_name", "MARK INST 'abc' 'abcdefgh' STOP", 8, 1, PKS_E_LIMIT_NAME, false, false, false},
    {"max_name",
     "GLOBAL 'dill._dill' '_import_module' SHORT_BINUNICODE 'a_module_that_is_quite_long' TUPLE1 "
     "REDUCE STOP",
     27, 57, PKS_E_LIMIT_NAME, false, false, false},
    /* what is kept: opcode, count and text */
    {"max_keep", "SHORT_BINUNICODE 'abcd' SHORT_BINUNICODE 'xy' STACK_GLOBAL STOP", 10, 6,
     PKS_E_LIMIT_KEEP, false, true, false},
    {"max_code",
     "GLOBAL 'types' 'CodeType' MARK BININT1 0 BININT1 0 BININT1 0 BININT1 0 BININT1 1 BININT1 3 "
     "SHORT_BINBYTES '%97%00d%00S%00' NONE TUPLE1 EMPTY_TUPLE EMPTY_TUPLE SHORT_BINUNICODE 'f.py' "
     "SHORT_BINUNICODE 'f' SHORT_BINUNICODE 'f' BININT1 1 SHORT_BINBYTES '' SHORT_BINBYTES '' "
     "EMPTY_TUPLE EMPTY_TUPLE TUPLE REDUCE STOP",
     6, 62, PKS_E_LIMIT_CODE, false, true, false},
    {"max_frame", "FRAME 8 BINUNICODE 'a' STOP NONE", 8, 0, PKS_E_LIMIT_FRAME, false, true, false},
    {"max_again", "INT '+5' STOP", 5, 5, PKS_E_LIMIT_AGAIN, false, false, true},
};

static void set_limit(pks_limits *limits, const char *name, uint64_t value) {
  bool known = false;
#define X(field, standard, text)   \
  if (strcmp(name, #field) == 0) { \
    limits->field = value;         \
    known = true;                  \
  }
  PKS_LIMITS_MAP(X)
#undef X
  ck_assert_msg(known, "%s", name);
}

static void check_limit(const struct limit_row *row, uint64_t value, bool pieces) {
  pks_limits limits = {.size = sizeof limits};
  pks_limits_init(&limits);
  set_limit(&limits, row->name, value);
  pks_inspector *f = pks_inspector_new(NULL, &limits, NULL);
  pickle p = pickle_of(row->program);
  size_t every[200];
  for (size_t i = 0; i < p.size; i++) every[i] = i + 1;
  pks_status status =
      trace_inspect(f, p.data, p.size, pieces ? every : NULL, pieces ? p.size - 1 : 0);
  pks_summary summary = {.size = sizeof summary};
  pks_inspector_summary(f, &summary);
  bool reached = value < row->need && !(pieces ? row->whole_only : row->pieces_only);
  pks_status named = row->stops ? status : summary.limit;
  ck_assert_msg(named == (reached      ? row->status
                          : row->stops ? PKS_END
                                       : PKS_OK),
                "%s = %" PRIu64 ", %s: %s, %s", row->name, value, pieces ? "pieces" : "whole",
                pks_status_name(status), pks_status_name(summary.limit));
  if (!row->stops) ck_assert_int_eq(status, PKS_END);
  ck_assert_int_eq(summary.complete, !reached);
  pks_error error = {.size = sizeof error};
  pks_inspector_error(f, &error);
  uint64_t at = row->stops ? error.offset : summary.limit_offset;
  if (reached && value == row->need - 1)
    ck_assert_msg(at == row->at, "%s, %s: at %" PRIu64, row->name, pieces ? "pieces" : "whole", at);
  pickle_free(&p);
  pks_inspector_free(f);
}

START_TEST(limit_at_its_edge) {
  const struct limit_row *row = &limit_rows[_i];
  for (int pieces = 0; pieces < 2; pieces++) {
    check_limit(row, 0, pieces);
    check_limit(row, row->need - 1, pieces);
    check_limit(row, row->need, pieces);
    check_limit(row, row->need + 1, pieces);
    check_limit(row, UINT64_MAX, pieces);
  }
}
END_TEST

START_TEST(every_limit_has_a_row) {
#define X(field, standard, text)                                          \
  do {                                                                    \
    size_t found = strcmp(#field, "max_memory") == 0; /* the next test */ \
    for (size_t i = 0; i < COUNT(limit_rows); i++)                        \
      found += strcmp(limit_rows[i].name, #field) == 0;                   \
    ck_assert_msg(found > 0, "%s has no row", #field);                    \
  } while (0);
  PKS_LIMITS_MAP(X)
#undef X
}
END_TEST

/* max_memory: what a payload is seen to take is enough for it, and one byte less is not. */
START_TEST(memory_limit_at_its_edge) {
  static const char *const repeated[] = {"NONE",
                                         "MARK",
                                         "NONE MEMOIZE POP",
                                         "EMPTY_LIST MEMOIZE POP",
                                         "GLOBAL 'm' 'n' EMPTY_TUPLE REDUCE POP",
                                         "EXT1 1 POP"};
  pks_limits limits = {.size = sizeof limits};
  pks_limits_init(&limits);
  for (size_t i = 0; i < COUNT(repeated); i++) {
    pickle p = {0};
    pickle_add_times(&p, 3000, repeated[i]);
    pickle_add(&p, "NONE STOP");
    pks_summary summary = {.size = sizeof summary};
    limits.max_memory = UINT64_MAX;
    pks_inspector *f = pks_inspector_new(NULL, &limits, NULL);
    ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
    pks_inspector_summary(f, &summary);
    pks_inspector_free(f);
    for (int less = -1; less < 2; less++) {
      pks_error error = {.size = sizeof error};
      limits.max_memory = summary.peak_memory - (uint64_t)(int64_t)less;
      f = pks_inspector_new(NULL, &limits, NULL);
      ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL),
                       less > 0 ? PKS_E_LIMIT_MEMORY : PKS_END);
      pks_inspector_error(f, &error);
      if (less > 0) ck_assert_str_eq(error.exception, "MemoryError");
      pks_inspector_free(f);
    }
    pickle_free(&p);
  }
  limits.max_memory = sizeof(pks_inspector) - 1;
  ck_assert_ptr_null(pks_inspector_new(NULL, &limits, NULL));
  limits.max_memory = 0;
  ck_assert_ptr_null(pks_decoder_new(NULL, &limits, NULL));
}
END_TEST

/* ---- the suite --------------------------------------------------------------------------------------- */

int main(void) {
  Suite *suite = suite_create("status");
  TCase *status = tcase_create("status"), *limits = tcase_create("limits");
  suite_add_tcase(suite, status);
  tcase_add_test(status, every_status_has_a_case);
  tcase_add_loop_test(status, status_of_an_inspector, 0, (int)COUNT(rows));
  tcase_add_loop_test(status, status_of_a_decoder, 0, (int)COUNT(rows));
  tcase_add_test(status, failures_have_a_sentence);
  suite_add_tcase(suite, limits);
  tcase_add_loop_test(limits, limit_at_its_edge, 0, (int)COUNT(limit_rows));
  tcase_add_test(limits, every_limit_has_a_row);
  tcase_add_test(limits, memory_limit_at_its_edge);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
