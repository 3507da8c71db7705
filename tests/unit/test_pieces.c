/* machine: depth, what a payload can make us allocate, frames and pieces. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/asm.h"
#include "support/noise.h"
#include "support/rig.h"
#include "support/suite.h"
#include "support/trace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- depth ------------------------------------------------------------------------------------------ */

#define DEEP ((size_t)10000000)

/* Ten million deep. roomy: limits are raised; want is the outcome with them, and without. */
static const struct {
  const char *before, *repeated, *middle, *repeated_after, *after, *want, *want_default;
} deep_rows[] = {
    {"", "MARK", "NONE", "", "STOP", "None", "E_LIMIT_DEPTH 1000000 MARK -"},
    {"NONE", "TUPLE1", "", "", "STOP", "tuple 1", "tuple 1"},
    {"", "EMPTY_LIST", "NONE", "APPEND", "STOP", "list 1",
     "E_LIMIT_MEMORY 8388608 EMPTY_LIST MemoryError"},
    {"", "MARK", "", "LIST", "STOP", "list 1", "E_LIMIT_DEPTH 1000000 MARK -"},
    {"", "MARK", "", "TUPLE", "STOP", "tuple 1", "E_LIMIT_DEPTH 1000000 MARK -"},
    {"", "MARK", "", "POP", "NONE STOP", "None", "E_LIMIT_DEPTH 1000000 MARK -"},
    {"", "MARK NONE", "NONE", "DICT", "STOP", "dict", "E_LIMIT_DEPTH 2000000 MARK -"},
    {"EMPTY_DICT NONE", "TUPLE1", "", "", "NONE SETITEM STOP", "E_LIMIT_DEPTH 10000003 SETITEM -",
     "E_LIMIT_DEPTH 10000003 SETITEM -"},
    {"EMPTY_DICT EMPTY_LIST", "TUPLE1", "", "", "NONE SETITEM STOP",
     "E_LIMIT_DEPTH 10000003 SETITEM -", "E_LIMIT_DEPTH 10000003 SETITEM -"},
};

static char *run_deep(size_t row, const pks_limits *limits) {
  rig r;
  pickle p = {0};
  pickle_add(&p, deep_rows[row].before);
  pickle_add_times(&p, DEEP, deep_rows[row].repeated);
  pickle_add(&p, deep_rows[row].middle);
  pickle_add_times(&p, DEEP, deep_rows[row].repeated_after);
  pickle_add(&p, deep_rows[row].after);
  rig_open(&r, PY311, false, limits);
  char *got = rig_run(&r, p.data, p.size);
  if (!limits) ck_assert_uint_le(r.memory.peak, ((uint64_t)64 << 20));
  rig_close(&r);
  pickle_free(&p);
  return got;
}

START_TEST(deep_nesting) {
  pks_limits roomy = {.size = sizeof roomy};
  pks_limits_init(&roomy);
  roomy.max_memory = (uint64_t)1 << 30;
  roomy.max_depth = 2 * DEEP;
  for (int with_limits = 0; with_limits < 2; with_limits++) {
    const char *want = with_limits ? deep_rows[_i].want : deep_rows[_i].want_default;
    char *got = run_deep((size_t)_i, with_limits ? &roomy : NULL);
    ck_assert_str_eq(got, want);
    free(got);
  }
}
END_TEST

/* CPython hashes nested tuples by recursion in C: 3,000 deep is fine, 300,000 is a crash. */
START_TEST(hash_depth) {
  static const struct {
    size_t depth;
    const char *want;
  } rows[] = {{1, "dict"},
              {3000, "dict"},
              {PKS_TUPLE_DEPTH_MAX - 1, "dict"},
              {PKS_TUPLE_DEPTH_MAX, "E_LIMIT_DEPTH 8194 SETITEM -"},
              {PKS_TUPLE_DEPTH_MAX + 1, "E_LIMIT_DEPTH 8195 SETITEM -"}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    rig r;
    pickle p = {0};
    pickle_add(&p, "EMPTY_DICT NONE");
    pickle_add_times(&p, rows[i].depth, "TUPLE1");
    pickle_add(&p, "NONE SETITEM STOP");
    rig_open(&r, PY311, false, NULL);
    char *got = rig_run(&r, p.data, p.size);
    ck_assert_str_eq(got, rows[i].want);
    free(got);
    rig_close(&r);
    pickle_free(&p);
  }
}
END_TEST

/* ---- what a payload can make us allocate --------------------------------------------------------------- */

static uint64_t peak_of(const pickle *p, uint32_t python, const char *want) {
  rig r;
  rig_open(&r, python, false, NULL);
  char *got = rig_run(&r, p->data, p->size);
  ck_assert_msg(strcmp(got, want) == 0, "%s, not %s", got, want);
  free(got);
  uint64_t peak = r.memory.peak;
  rig_close(&r);
  return peak;
}

START_TEST(claimed_length_allocates_nothing) {
  static const struct {
    const char *program, *want;
  } rows[] = {
      {"BINBYTES8 #0x8000000000000000 'abc'", "E_ARGUMENT 0 BINBYTES8 OverflowError"},
      {"BINBYTES8 #0x4000000000000000 'abc'", "E_TRUNCATED 0 BINBYTES8 UnpicklingError"},
      {"BYTEARRAY8 #0x4000000000000000 'abc'", "E_TRUNCATED 0 BYTEARRAY8 UnpicklingError"},
      {"BINUNICODE8 #0x7fffffffffffffff 'abc'", "E_TRUNCATED 0 BINUNICODE8 UnpicklingError"},
      {"LONG4 #0x7fffffff 'abc'", "E_TRUNCATED 0 LONG4 UnpicklingError"},
      {"BINSTRING #0xffffffff 'abc'", "E_TRUNCATED 0 BINSTRING UnpicklingError"},
      {"FRAME 0x7fffffffffffffff", "E_ARGUMENT 0 FRAME UnpicklingError"},
      {"FRAME 0x7000000000000000 NONE", "E_TRUNCATED 0 FRAME UnpicklingError"},
      {"FRAME 0x8000000000000000", "E_FRAME 0 FRAME OverflowError"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    pickle p = pickle_of(rows[i].program);
    ck_assert_uint_le(peak_of(&p, PY311, rows[i].want), 2048); /* the stack */
    failing memory;                                            /* in pieces, too */
    failing_init(&memory, 0);
    pks_options options = {.size = sizeof options};
    pks_options_init(&options);
    options.python = PY311;
    pks_inspector *f = pks_inspector_new(&options, NULL, &memory.alloc);
    uint64_t before = memory.live;
    char *got = trace_inspector_cuts(f, p.data, p.size, "");
    ck_assert_msg(strncmp(got, rows[i].want, strlen(rows[i].want)) == 0, "%s", got);
    ck_assert_uint_le(memory.peak, 2 * (before + 4096)); /* whole, Python 2 is asked too */
    free(got);
    pks_inspector_free(f);
    pickle_free(&p);
  }
}
END_TEST

/* Far indexes cost as much as the bytes that name them, not as their size. */
START_TEST(memo_bombs) {
  static const uint32_t pythons[] = {PY311, PY315};
  for (size_t i = 0; i < COUNT(pythons); i++)
    for (uint32_t step = 1; step < 400000; step = step * 5 + 3) {
      pickle p = {0};
      pickle_add(&p, "NONE");
      for (uint32_t n = 0; n < 1000; n++)
        pickle_add_number(&p, PKS_OP_LONG_BINPUT, (uint64_t)n * step);
      pickle_add(&p, "STOP");
      uint64_t peak = peak_of(&p, pythons[i], "None");
      ck_assert_msg(peak < 1000 * 64 + 16384, "step %u: %" PRIu64, step, peak);
      pickle_free(&p);
    }
}
END_TEST

/* ---- frames and pieces ------------------------------------------------------------------------------------ */

static const struct {
  const char *program;
  uint32_t python;
  const char *want; /* outcome and summary */
} frame_rows[] = {
    {"PROTO 4 FRAME 2 NONE STOP", PY311, "END 13\nbytes 13 ops 4 protocol 4 of 4 complete\n"},
    {"FRAME 1 NONE STOP", PY311, "END 11\nbytes 11 ops 3 protocol 0 of 4 complete\n"},
    {"FRAME 0 NONE STOP", PY311, "END 11\nbytes 11 ops 3 protocol 0 of 4 complete\n"},
    {"FRAME 9 NONE STOP", PY311,
     "E_TRUNCATED 0 FRAME UnpicklingError\nbytes 0 ops 0 protocol 0 of 4\n"},
    {"NONE FRAME 3 NONE STOP =ff", PY311, "END 12\nbytes 12 ops 4 protocol 0 of 4 complete\n"},
    {"FRAME 11 NONE FRAME 0 NONE STOP", PY311,
     "END 21\nbytes 21 ops 5 protocol 0 of 4 complete ambiguous\n"},
    {"FRAME 11 NONE FRAME 0 NONE STOP", PY315,
     "E_FRAME 10 FRAME UnpicklingError\nbytes 10 ops 2 protocol 0 of 4 ambiguous\n"},
    {"FRAME 10 NONE FRAME 0 NONE STOP", PY315, /* the last thing in its frame */
     "END 21\nbytes 21 ops 5 protocol 0 of 4 complete\n"},
    {"FRAME 2 SHORT_BINUNICODE 'abc' STOP", PY311, /* the text starts right at the frame's end */
     "END 15\nbytes 15 ops 3 protocol 0 of 4 complete\n"},
    {"FRAME 3 SHORT_BINUNICODE 'abc' STOP", PY311,
     "END 15\nbytes 15 ops 3 protocol 0 of 4 complete ambiguous\n"},
    {"FRAME 3 SHORT_BINUNICODE 'abc' STOP", PY315,
     "E_FRAME 9 SHORT_BINUNICODE UnpicklingError\nbytes 9 ops 1 protocol 0 of 4 ambiguous\n"},
    {"FRAME 1 BININT1 7 STOP", PY315, "END 12\nbytes 12 ops 3 protocol 0 of 4 complete\n"},
    {"FRAME 2 BININT 7 STOP", PY315,
     "E_FRAME 9 BININT UnpicklingError\nbytes 9 ops 1 protocol 0 of 4 ambiguous\n"},
    {"FRAME 3 GLOBAL 'm' 'n' STOP", PY315, "END 15\nbytes 15 ops 3 protocol 0 of 4 complete\n"},
    {"FRAME 4 GLOBAL 'm' 'n' STOP", PY315,
     "E_FRAME 9 GLOBAL UnpicklingError\nbytes 9 ops 1 protocol 0 of 4 ambiguous\n"},
    {"FRAME 2 GLOBAL 'm' 'n' STOP", PY311,
     "END 15\nbytes 15 ops 3 protocol 0 of 4 complete ambiguous\n"},
    /* longer than what is kept: the bytes go by */
    {"FRAME 5 BINUNICODE 'abcdefghijkl' STOP", PY315,
     "END 27\nbytes 27 ops 3 protocol 0 of 4 complete\n"},
    {"FRAME 7 BINUNICODE 'abcdefghijkl' STOP", PY311,
     "END 27\nbytes 27 ops 3 protocol 0 of 4 complete ambiguous\n"},
    {"FRAME 7 BINUNICODE 'abcdefghijkl' STOP", PY315,
     "E_FRAME 9 BINUNICODE UnpicklingError\nbytes 9 ops 1 protocol 0 of 4 ambiguous\n"},
    {"FRAME 7 BINBYTES8 'abcdefghijkl' NONE STOP", PY311,
     "END 32\nbytes 32 ops 4 protocol 0 of 4 complete ambiguous\n"},
    {"FRAME 8 BINUNICODE 'ab'", PY311,
     "E_TRUNCATED 0 FRAME UnpicklingError\nbytes 0 ops 0 protocol 0 of 4\n"},
    {"FRAME 7 BINUNICODE 'ab'", PY311,
     "E_TRUNCATED 16 - EOFError\nbytes 16 ops 2 protocol 0 of 4\n"},
    {"FRAME 7 BINUNICODE #9 'ab'", PY311,
     "E_TRUNCATED 9 BINUNICODE UnpicklingError\nbytes 9 ops 1 protocol 0 of 4\n"},
    {"FRAME 7 BINUNICODE #9 'abc'", PY315,
     "E_FRAME 9 BINUNICODE UnpicklingError\nbytes 9 ops 1 protocol 0 of 4\n"},
    {"BINUNICODE 'abcdef%ff' STOP", PY311,
     "E_ARGUMENT 0 BINUNICODE UnicodeDecodeError\nbytes 0 ops 0 protocol 0 of 1\n"},
    {"NONE BINUNICODE #9 'abcdef'", PY311,
     "E_TRUNCATED 1 BINUNICODE UnpicklingError\nbytes 1 ops 1 protocol 0 of 1\n"},
    {"EMPTY_LIST NONE APPEND LONG4 '%00%00%00%00%00%00%00%00%00%00' NONE SETITEM STOP", PY311,
     "END 21\nbytes 21 ops 7 protocol 0 of 2 complete\n"},
    {"EMPTY_LIST NONE APPEND LONG4 '%01%00%00%00%00%00%00%00%00%00' NONE SETITEM STOP", PY311,
     "E_OPERAND 19 SETITEM IndexError\nbytes 19 ops 5 protocol 0 of 2\n"},
    {"BYTEARRAY8 'abcdef' BININT1 5 BININT1 1 SETITEM STOP", PY311,
     "END 21\nbytes 21 ops 5 protocol 0 of 5 complete\n"},
};

/* With room for a frame, and nothing kept of a text: in every cut the whole's answer. */
START_TEST(frames_and_long_arguments_in_any_cut) {
  pks_options options = {.size = offsetof(pks_options, opaque), .python = frame_rows[_i].python};
  for (uint64_t kept = 0; kept < 20; kept += 6) {
    pks_limits limits = {.size = sizeof limits};
    pks_limits_init(&limits);
    limits.max_name = limits.max_code = kept;
    pks_inspector *f = pks_inspector_new(&options, &limits, NULL);
    pickle p = pickle_of(frame_rows[_i].program);
    char *got = trace_inspector_cuts(f, p.data, p.size, "s"), *names = strstr(got, " E_LIMIT_NAME");
    if (names && strncmp(got, "cut", 3) != 0) strcpy(names, "\n"); /* GLOBAL's, when kept is 0 */
    ck_assert_msg(names || strcmp(got, frame_rows[_i].want) == 0, "%s, %d kept: %s",
                  frame_rows[_i].program, (int)kept, got);
    free(got);
    pickle_free(&p);
    pks_inspector_free(f);
  }
}
END_TEST

/* Streams of frames and arguments that cross them, whatever comes of it. */
static void random_framed(uint64_t *state, pickle *p) {
  static const char *const programs[] = {"NONE",
                                         "POP",
                                         "MARK",
                                         "TUPLE",
                                         "EMPTY_LIST",
                                         "MEMOIZE",
                                         "APPEND",
                                         "DUP",
                                         "SHORT_BINUNICODE 'ab'",
                                         "SHORT_BINUNICODE 'x'",
                                         "BINUNICODE 'abcdefgh'",
                                         "SHORT_BINBYTES 'abcde'",
                                         "BINBYTES8 'abc'",
                                         "BYTEARRAY8 'abcd'",
                                         "BINSTRING 'abcdef'",
                                         "GLOBAL 'mod' 'name'",
                                         "GLOBAL 'm' 'n'",
                                         "INT '123'",
                                         "UNICODE 'abc'",
                                         "BININT 7",
                                         "BINFLOAT 1.5",
                                         "LONG1 'abc'",
                                         "LONG4 '%00%00%00%00%00%00%00%00%00'",
                                         "STACK_GLOBAL",
                                         "PROTO 4",
                                         "BINGET 0",
                                         "=8c05",
                                         "=5805000000",
                                         "=63",
                                         "=8e",
                                         "FRAME 2 =9500 =0300000000000000 NONE",
                                         "FRAME 3 =950000 =0200000000000000",
                                         "FRAME 1 =95 =0400000000000000",
                                         "STOP"};
  size_t steps = 1 + noise(state) % 10;
  for (size_t i = 0; i < steps; i++) {
    if (noise(state) % 3 == 0) pickle_add_number(p, PKS_OP_FRAME, noise(state) % 24);
    pickle_add(p, programs[noise(state) % COUNT(programs)]);
  }
  if (noise(state) % 4) pickle_add(p, "STOP");
  if (noise(state) % 3 == 0) pickle_add(p, "NONE NONE NONE NONE NONE");
  pickle_fit(p);
}

START_TEST(framed_streams_in_any_cut) {
  static const uint32_t pythons[] = {PKS_PYTHON(2, 7, 18), PKS_PYTHON(3, 7, 16),
                                     PKS_PYTHON(3, 11, 7), PY315};
  static const uint32_t buffers[] = {0, 1, 7, 16};
  static const uint64_t kept[] = {0, 4, 1024};
  uint64_t state = (uint64_t)_i;
  for (int round = 0; round < 400; round++) {
    pks_options options = {.size = sizeof options};
    pks_limits limits = {.size = sizeof limits};
    pickle p = {0};
    pks_options_init(&options);
    pks_limits_init(&limits);
    random_framed(&state, &p);
    options.events = 1;
    options.python = pythons[noise(&state) % COUNT(pythons)];
    options.reading = (pks_read)(noise(&state) % 3);
    options.file_buffer = buffers[noise(&state) % COUNT(buffers)];
    limits.max_name = limits.max_code = kept[noise(&state) % COUNT(kept)];
    limits.max_frame = UINT64_MAX;
    pks_inspector *f = pks_inspector_new(&options, &limits, NULL);
    char *got = trace_inspector_cuts(f, p.data, p.size, "gcmxeas");
    ck_assert_msg(strncmp(got, "cut", 3) != 0, "seed %d, round %d, reading %d: %s", _i, round,
                  (int)options.reading, got);
    free(got);
    pickle_free(&p);
    pks_inspector_free(f);
  }
}
END_TEST

/* A frame past max_frame is read on without its end: what is said then names the limit. */
START_TEST(frames_past_max_frame) {
  static const struct {
    const char *program, *want;
  } rows[] = {
      {"FRAME 2 NONE STOP", "END 11\nbytes 11 ops 3 protocol 0 of 4 E_LIMIT_FRAME at 0\n"},
      {"FRAME 1 NONE STOP", "END 11\nbytes 11 ops 3 protocol 0 of 4 complete\n"},
      {"FRAME 9 NONE STOP", "END 11\nbytes 11 ops 3 protocol 0 of 4 E_LIMIT_FRAME at 0\n"},
      {"FRAME 9 NONE",
       "E_TRUNCATED 0 FRAME UnpicklingError\nbytes 10 ops 2 protocol 0 of 4 E_LIMIT_FRAME at 0\n"},
      {"FRAME 9 POP",
       "E_STACK 9 POP UnpicklingError\nbytes 9 ops 1 protocol 0 of 4 E_LIMIT_FRAME at 0\n"},
      {"FRAME 99 BINUNICODE #50 'abcdefghijkl'",
       "E_TRUNCATED 0 FRAME UnpicklingError\nbytes 9 ops 1 protocol 0 of 4 E_LIMIT_FRAME at 0\n"},
      {"FRAME 99 MARK FRAME 2 TUPLE STOP",
       "END 21\nbytes 21 ops 5 protocol 0 of 4 ambiguous E_LIMIT_FRAME at 0\n"},
      {"FRAME 20 MARK FRAME 99 TUPLE STOP",
       "END 21\nbytes 21 ops 5 protocol 0 of 4 ambiguous E_LIMIT_FRAME at 10\n"},
      {"FRAME 99 MARK FRAME 2 TUPLE", "E_TRUNCATED 0 FRAME UnpicklingError\nbytes 20 ops 4 "
                                      "protocol 0 of 4 ambiguous E_LIMIT_FRAME at 0\n"},
      {"FRAME 7 BINUNICODE 'abcdefghijkl' STOP",
       "END 27\nbytes 27 ops 3 protocol 0 of 4 complete ambiguous\n"},
  };
  pks_limits limits = {.size = sizeof limits};
  pks_limits_init(&limits);
  limits.max_frame = 0;
  limits.max_name = 4;
  pks_inspector *f = pks_inspector_new(NULL, &limits, NULL);
  for (size_t i = 0; i < COUNT(rows); i++) {
    pickle p = pickle_of(rows[i].program);
    for (size_t cut = 0; cut <= p.size; cut++)
      for (size_t more = cut; more <= p.size; more++) {
        size_t cuts[] = {cut, more};
        char outcome[TRACE_OUTCOME], got[256];
        pks_status status = trace_inspect(f, p.data, p.size, cuts, 2);
        trace_inspector_outcome(outcome, f, status);
        char *facts = trace_facts(f, "s");
        snprintf(got, sizeof got, "%s\n%s", outcome, facts);
        /* a frame that is whole in one piece was seen */
        bool seen = strstr(got, "E_LIMIT_FRAME") == NULL;
        if (!seen || strstr(rows[i].want, "complete"))
          ck_assert_msg(strcmp(got, rows[i].want) == 0, "%s cut at %zu and %zu: %s",
                        rows[i].program, cut, more, got);
        free(facts);
      }
    pickle_free(&p);
  }
  pks_inspector_free(f);
}
END_TEST

/* Texts that are kept stay what they are, whatever was kept before them. */
START_TEST(kept_texts_stay) {
  pks_inspector *f = pks_inspector_new(NULL, NULL, NULL);
  for (size_t size = 16000; size < 50000; size += 500) {
    pickle p = {0};
    char *big = calloc(1, size);
    memset(big, 'x', size);
    pickle_add(&p, "SHORT_BINUNICODE 'first' BINPUT 0");
    pickle_add_text(&p, PKS_OP_BINBYTES, big, size);
    pickle_add(&p, "SHORT_BINUNICODE 'os' SHORT_BINUNICODE 'system' STACK_GLOBAL BINGET 0 "
                   "SHORT_BINUNICODE 'last' STACK_GLOBAL ");
    pickle_add_times(&p, 100, "NONE"); /* so that there is room to read in steps */
    pickle_add(&p, "STOP");
    size_t none = 0;
    ck_assert_int_eq(trace_inspect(f, p.data, p.size, &none, 0), PKS_END);
    char *got = trace_facts(f, "g");
    ck_assert_msg(strncmp(got, "0 os system ", 12) == 0 && strstr(got, "1 first last "), "%s", got);
    free(got);
    free(big);
    pickle_free(&p);
  }
  pks_inspector_free(f);
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------------------- */

int main(void) {
  Suite *suite = suite_create("pieces");
  TCase *size = suite_case(suite, "size");
  tcase_add_loop_test(size, deep_nesting, 0, (int)COUNT(deep_rows));
  tcase_add_test(size, hash_depth);
  tcase_add_test(size, claimed_length_allocates_nothing);
  tcase_add_test(size, memo_bombs);
  TCase *pieces = suite_case(suite, "pieces");
  tcase_add_loop_test(pieces, frames_and_long_arguments_in_any_cut, 0, (int)COUNT(frame_rows));
  tcase_add_loop_test(pieces, framed_streams_in_any_cut, 0, 5);
  tcase_add_test(pieces, frames_past_max_frame);
  tcase_add_test(pieces, kept_texts_stay);
  return suite_run(suite);
}
