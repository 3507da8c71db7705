/* facts: what an inspector says of real payloads; one payload after the other; structs of every size, bad
 * calls. */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/facts.h"
#include "support/asm.h"
#include "support/failing.h"
#include "support/suite.h"
#include "support/trace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ALL "gckmxeas" /* every list of trace_facts */

static pks_options with_events(void) {
  pks_options options = {.size = sizeof options};
  pks_options_init(&options);
  options.events = 1;
  return options;
}

/* ---- real payloads ------------------------------------------------------------------------------------- */

static pickle read_payload(const char *name) {
  char path[512];
  uint8_t buffer[4096];
  pickle p = {0};
  snprintf(path, sizeof path, "corpus/payloads/%s", name);
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "%s", path);
  for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
    pickle_add_raw(&p, buffer, got);
  fclose(file);
  pickle_fit(&p);
  return p;
}

static const struct {
  const char *file, *which, *want;
} payload_rows[] = {
    {"cp311_cloudpickle_3.1.2_lambda_task.pkl", "gckm",
     "0 cloudpickle.cloudpickle _make_function STACK_GLOBAL@54 x1 C\n"
     "1 cloudpickle.cloudpickle _builtin_type STACK_GLOBAL@75 x1 C\n"
     "2 types CodeType argument@90 x1 R\n"
     "3 cloudpickle.cloudpickle _function_setstate STACK_GLOBAL@367 x1 C\n"
     "4 cloudpickle.cloudpickle subimport STACK_GLOBAL@574 x1 C\n"
     "0 REDUCE@90 x1 global 1\n"
     "1 REDUCE@281 x1 result 0\n"
     "2 REDUCE@342 x1 global 0\n"
     "3 REDUCE@580 x1 global 4\n"
     "4 REDUCE@591 x1 global 3\n"
     "0 cloudpickle@281 18 '<lambda>' '<lambda>' 'job.py' 4 "
     "'%97%00t%01%00%00%00%00%00%00%00%00%00%00j%01%00%00%00%00%00%00%00%00|%00%a6%01%00%00%ab%01%"
     "00%00%00%00%00%00%00%00|%01z%05%00%00t%04%00%00%00%00%00%00%00%00%00%00z%00%00%00S%00' "
     "cpython-3.11:3495 uses 'math' uses 'offset'\n"
     "value __main__@342\n"
     "argument math@580\n"},
    {"py27_cloudpickle_1.3.0_closure.pkl", "km",
     "0 cloudpickle@239 14 'apply' '' 'job.py' 2 '|%00%00%88%00%00%14%88%01%00%17S' "
     "cpython-2.7:62211\n"
     "value __main__@298\n"},
    {"py27_cloudpickle_0.5.3_class_methods.pkl", "k",
     "0 cloudpickle@417 14 'describe' '' 'job.py' 7 'd%01%00|%00%00j%00%00%17S' cpython-2.7:62211\n"
     "1 cloudpickle@611 14 '__init__' '' 'job.py' 4 '|%01%00|%00%00_%00%00d%00%00S' "
     "cpython-2.7:62211\n"
     "2 cloudpickle@825 14 'short' '' 'job.py' 18 '|%00%00j%00%00|%00%00j%01%00%20S' "
     "cpython-2.7:62211\n"
     "3 cloudpickle@984 14 'make' '' 'job.py' 26 '|%00%00|%01%00%83%01%00S' cpython-2.7:62211\n"
     "4 cloudpickle@1146 14 'describe' '' 'job.py' 15 "
     "'t%00%00t%01%00|%00%00%83%02%00j%02%00%83%00%00d%01%00%17S' cpython-2.7:62211 uses 'super' "
     "uses 'Worker'\n"
     "5 cloudpickle@1299 14 'twice' '' 'job.py' 22 'd%01%00|%00%00%14S' cpython-2.7:62211\n"},
    {"cp310_dill_0.3.6_session.pkl", "m", "argument __main__@56\n"},
    {"pypy39_code_p2.pkl", "gck",
     "0 _pickle_support code_new GLOBAL@2 x1 C\n"
     "1 _codecs encode GLOBAL@43 x1 C\n"
     "0 REDUCE@104 x4 global 1\n"
     "1 REDUCE@247 x2 global 0\n"
     "0 pypy@247 17 'add' '' 'job.py' 2 '|%00|%01%17%00%88%00%17%00S%00' pypy-3.9:336\n"
     "1 pypy@337 17 'outer' '' 'job.py' 1 'd%01%87%00f%01d%02d%03%84%09}%01|%01S%00' "
     "pypy-3.9:336\n"},
    {"py27_newstyle_p2.pkl", "gceas",
     "0 __main__ New GLOBAL@6 x1 NB\n"
     "0 NEWOBJ@23 x2 global 0\n"
     "GLOBAL@6 0\n"
     "CALL@23 0\n"
     "BUILD@37 -\n"
     "CALL@41 0\n"
     "BUILD@55 -\n"
     "assumed@37 x2 an object takes the state that it is given\n"
     "bytes 58 ops 29 protocol 2 of 2 complete\n"},
    {"cp311_buffers_p5.pkl", "gces",
     "BUFFER@14 -\n"
     "BUFFER@16 -\n"
     "bytes 29 ops 12 protocol 5 of 5 complete buffers 2\n"},
    {"cp313_ext_p5.pkl", "xes",
     "extension 240@14\n"
     "extension 4660@26\n"
     "extension 305419896@39\n"
     "extension 241@52\n"
     "EXTENSION@14 0\n"
     "CALL@24 0\n"
     "EXTENSION@26 1\n"
     "CALL@30 1\n"
     "EXTENSION@39 2\n"
     "CALL@50 2\n"
     "EXTENSION@52 3\n"
     "EXTENSION@54 0\n"
     "EXTENSION@56 0\n"
     "CALL@66 3\n"
     "bytes 70 ops 40 protocol 5 of 5 complete\n"},
    {"py27_nonascii_str_p2.pkl", "as",
     "assumed@13 x3 a Python 2 string decodes with the encoding that will be given\n"
     "bytes 68 ops 22 protocol 2 of 2 complete encoding@13\n"},
    {"cp311_cloudpickle_3.1.2_hooks.pkl", "ms",
     "value __main__@165\n"
     "bytes 2393 ops 814 protocol 5 of 5 complete load_calls@2325\n"},
};

START_TEST(facts_of_a_payload) {
  pickle p = read_payload(payload_rows[_i].file);
  pks_options options = with_events();
  pks_inspector *f = pks_inspector_new(&options, NULL, NULL);
  trace_inspect(f, p.data, p.size, NULL, 0);
  char *got = trace_facts(f, payload_rows[_i].which);
  ck_assert_msg(strcmp(got, payload_rows[_i].want) == 0, "%s: %s", payload_rows[_i].file, got);
  free(got);
  pickle_free(&p);
  pks_inspector_free(f);
}
END_TEST

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Every fact of every payload is the same in every cut, and no limit is in the way. */
START_TEST(payloads_in_every_cut) {
  struct dirent **entry;
  pks_options options = with_events();
  if (_i) options.opaque = PKS_OPAQUE_INERT;
  pks_inspector *f = pks_inspector_new(&options, NULL, NULL);
  int count = scandir("corpus/payloads", &entry, visible, alphasort);
  ck_assert_int_gt(count, 100);
  for (int i = 0; i < count; i++) {
    pickle p = read_payload(entry[i]->d_name);
    char *got = trace_inspector_cuts(f, p.data, p.size, ALL);
    ck_assert_msg(strncmp(got, "cut", 3) != 0, "%s: %s", entry[i]->d_name, got);
    ck_assert_msg(!strstr(got, "E_LIMIT"), "%s: %s", entry[i]->d_name, got);
    free(got);
    pickle_free(&p);
    free(entry[i]);
  }
  free(entry);
  pks_inspector_free(f);
}
END_TEST

/* ---- one payload after the other ------------------------------------------------------------------------ */

static void check_next(pks_inspector *f, const char *program, const char *want) {
  pickle p = pickle_of(program);
  trace_inspect(f, p.data, p.size, NULL, 0);
  char *got = trace_facts(f, "gcas");
  ck_assert_str_eq(got, want);
  free(got);
  pickle_free(&p);
}

START_TEST(nothing_stays_over_a_reset) {
  pks_inspector *f = pks_inspector_new(NULL, NULL, NULL);
  static const char first[] = "0 m a GLOBAL@0 x2 R\n"
                              "bytes 12 ops 4 protocol 0 of 2 complete\n";
  check_next(f, "GLOBAL 'm' 'a' GLOBAL 'm' 'a' TUPLE2 STOP", first);
  check_next(f, "NONE GLOBAL 'm' 'b' GLOBAL 'm' 'a' EMPTY_TUPLE REDUCE TUPLE3 STOP",
             "0 m b GLOBAL@1 x1 R\n"
             "1 m a GLOBAL@6 x1 C\n"
             "0 REDUCE@12 x1 global 1\n"
             "bytes 15 ops 7 protocol 0 of 2 complete\n");
  check_next(f, "GLOBAL '__builtin__' 'map' NONE APPEND PERSID '1' POP POP MARK STOP",
             "0 builtins map=__builtin__ map GLOBAL@0 x1 BR\n"
             "assumed@18 x1 an object has an append or extend that takes these items\n"
             "bytes 25 ops 7 protocol 0 of 0 ids 1\n");
  check_next(f, "GLOBAL 'm' 'a' GLOBAL 'm' 'a' TUPLE2 STOP", first);
  pks_inspector_free(f);
}
END_TEST

/* The table of names outlives payloads, but not without end. */
START_TEST(table_of_names_is_capped) {
  failing memory;
  failing_init(&memory, 0);
  pks_inspector *f = pks_inspector_new(NULL, NULL, &memory.alloc);
  uint64_t peak = 0;
  for (int payload = 0; payload < 60; payload++) {
    pickle p = {0};
    for (int i = 0; i < 2000; i++) {
      char text[64];
      snprintf(text, sizeof text, "module_%d_%d", payload, i);
      pickle_add_line(&p, PKS_OP_GLOBAL, text);
      pickle_add_raw(&p, "name\n", 5);
    }
    pickle_add(&p, "STOP");
    ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
    char *got = trace_facts(f, "g");
    char want[64];
    snprintf(want, sizeof want, "\n1999 module_%d_1999 name GLOBAL@", payload);
    ck_assert_ptr_nonnull(strstr(got, want));
    free(got);
    pickle_free(&p);
    if (payload == 20) peak = memory.peak;
  }
  ck_assert_uint_eq(memory.peak, peak);
  ck_assert_uint_lt(peak, 4 << 20);
  pks_inspector_free(f);
  ck_assert_uint_eq(memory.blocks, 0);
}
END_TEST

START_TEST(options_change_the_next_reading) {
  pks_inspector *f = pks_inspector_new(NULL, NULL, NULL);
  pickle p = pickle_of("SHORT_BINSTRING '%e9' POP INT '010' POP NEXT_BUFFER STOP");
  pks_options options = with_events();
  char encoding[] = "ASCII";
  ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
  options.encoding = encoding;
  ck_assert_int_eq(pks_inspector_options(f, &options), PKS_OK);
  strcpy(encoding, "x"); /* it was copied */
  ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_E_NEED);
  options.encoding = "latin1";
  options.buffers = PKS_BUFFERS_NONE;
  ck_assert_int_eq(pks_inspector_options(f, &options), PKS_OK);
  ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_E_NEED);
  pks_error error = {.size = sizeof error};
  pks_inspector_error(f, &error);
  ck_assert_str_eq(error.opcode, "NEXT_BUFFER");
  options.buffers = 1;
  ck_assert_int_eq(pks_inspector_options(f, &options), PKS_OK);
  for (int i = 0; i < 3; i++) /* each reading is handed them anew */
    ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
  pickle_free(&p);
  pks_inspector_free(f);
}
END_TEST

/* ---- use ------------------------------------------------------------------------------------------------- */

/* Something of each kind. */
#define RICH                                                                                       \
  "GLOBAL 'cloudpickle.cloudpickle' 'subimport' SHORT_BINUNICODE 'json' TUPLE1 REDUCE NONE BUILD " \
  "EXT1 5 GLOBAL 'types' 'CodeType' EMPTY_TUPLE REDUCE TUPLE3 STOP"

/* Writes at most `size` bytes of a struct whose size field says so: a sanitizer sees the next one. */
#define CHECK_SHORT(noun, type)                                                            \
  for (size_t size = sizeof(size_t); size <= sizeof(type); size++) {                       \
    type whole = {.size = sizeof whole}, *part = malloc(size);                             \
    part->size = size;                                                                     \
    ck_assert_int_eq(pks_inspector_##noun(f, 0, part), PKS_OK);                            \
    ck_assert_int_eq(pks_inspector_##noun(f, 0, &whole), PKS_OK);                          \
    ck_assert_uint_eq(part->size, size);                                                   \
    ck_assert_mem_eq((uint8_t *)part + sizeof(size_t), (uint8_t *)&whole + sizeof(size_t), \
                     size - sizeof(size_t));                                               \
    free(part);                                                                            \
  }                                                                                        \
  do {                                                                                     \
    type none = {.size = 0}, good = {.size = sizeof good};                                 \
    ck_assert_int_eq(pks_inspector_##noun(f, 0, &none), PKS_E_USAGE);                      \
    ck_assert_int_eq(pks_inspector_##noun(f, 0, NULL), PKS_E_USAGE);                       \
    ck_assert_int_eq(pks_inspector_##noun(NULL, 0, &good), PKS_E_USAGE);                   \
    ck_assert_int_eq(pks_inspector_##noun(f, 1000, &good), PKS_E_USAGE);                   \
    ck_assert_int_eq(pks_inspector_##noun(f, SIZE_MAX, &good), PKS_E_USAGE);               \
  } while (0)

START_TEST(structs_of_every_size) {
  pks_options options = with_events();
  pks_inspector *f = pks_inspector_new(&options, NULL, NULL);
  pickle p = pickle_of(RICH);
  ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
  CHECK_SHORT(global, pks_global);
  CHECK_SHORT(call, pks_call);
  CHECK_SHORT(code, pks_code);
  CHECK_SHORT(module, pks_module);
  CHECK_SHORT(event, pks_event);
  CHECK_SHORT(assumption, pks_assumption);
  for (size_t size = sizeof(size_t); size <= sizeof(pks_summary); size++) {
    pks_summary *part = malloc(size);
    part->size = size;
    pks_inspector_summary(f, part);
    ck_assert_uint_eq(part->size, size);
    free(part);
  }
  pickle_free(&p);
  pks_inspector_free(f);
}
END_TEST

START_TEST(counts_are_the_indexes_that_there_are) {
  pks_options options = with_events();
  pks_inspector *f = pks_inspector_new(&options, NULL, NULL);
  pks_summary s = {.size = sizeof s};
  pks_global global = {.size = sizeof global};
  pks_call call = {.size = sizeof call};
  pks_code code = {.size = sizeof code};
  pks_module module = {.size = sizeof module};
  pks_event event = {.size = sizeof event};
  pks_assumption assumption = {.size = sizeof assumption};
  pickle p = pickle_of(RICH);
  ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
  pks_inspector_summary(f, &s);
  ck_assert(s.globals && s.calls && s.codes && s.modules && s.extensions && s.events && s.assumed);
  ck_assert_int_eq(pks_inspector_global(f, s.globals - 1, &global), PKS_OK);
  ck_assert_int_eq(pks_inspector_global(f, s.globals, &global), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspector_call(f, s.calls - 1, &call), PKS_OK);
  ck_assert_int_eq(pks_inspector_call(f, s.calls, &call), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspector_code(f, s.codes - 1, &code), PKS_OK);
  ck_assert_int_eq(pks_inspector_code(f, s.codes, &code), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspector_module(f, s.modules - 1, &module), PKS_OK);
  ck_assert_int_eq(pks_inspector_module(f, s.modules, &module), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspector_event(f, s.events - 1, &event), PKS_OK);
  ck_assert_int_eq(pks_inspector_event(f, s.events, &event), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspector_assumption(f, s.assumed - 1, &assumption), PKS_OK);
  ck_assert_int_eq(pks_inspector_assumption(f, s.assumed, &assumption), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspector_extension(f, s.extensions - 1, NULL, NULL), PKS_OK);
  ck_assert_int_eq(pks_inspector_extension(f, s.extensions, NULL, NULL), PKS_E_USAGE);
  pickle_free(&p);
  pks_inspector_free(f);
}
END_TEST

START_TEST(bad_calls_are_refused) {
  pks_inspector *f = pks_inspector_new(NULL, NULL, NULL);
  const uint8_t data[] = "N.rest";
  pks_input good = {data, 6, 0}, past = {data, 6, 7}, nothing = {NULL, 1, 0}, empty = {NULL, 0, 0};
  size_t consumed = 99;
  ck_assert_int_eq(pks_inspect(NULL, data, 2, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspect(f, NULL, 2, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspector_feed(NULL, &good), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspector_feed(f, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspector_feed(f, &past), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspector_feed(f, &nothing), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspector_finish(NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspector_options(NULL, NULL), PKS_E_USAGE);
  pks_inspector_error(NULL, NULL);
  pks_inspector_summary(NULL, NULL);
  pks_inspector_reset(NULL);
  pks_inspector_free(NULL);
  ck_assert_int_eq(pks_inspector_feed(f, &empty), PKS_NEED_MORE);
  ck_assert_int_eq(pks_inspector_feed(f, &good), PKS_END); /* none of them did harm */
  ck_assert_uint_eq(good.pos, 2);
  ck_assert_int_eq(pks_inspector_feed(f, &good), PKS_END);
  ck_assert_uint_eq(good.pos, 2); /* nothing past STOP */
  ck_assert_int_eq(pks_inspector_finish(f), PKS_END);
  ck_assert_int_eq(pks_inspect(f, data, 6, &consumed), PKS_END);
  ck_assert_uint_eq(consumed, 2);
  ck_assert_int_eq(pks_inspect(f, NULL, 0, &consumed), PKS_E_TRUNCATED);
  ck_assert_uint_eq(consumed, 0);
  good.pos = 0;
  ck_assert_int_eq(pks_inspector_feed(f, &good), PKS_E_USAGE); /* a whole one is being read */
  pks_inspector_reset(f);
  ck_assert_int_eq(pks_inspector_feed(f, &good), PKS_END);
  pks_inspector_free(f);
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------------------- */

#define ADD_ROWS(rows) tcase_add_loop_test(tables, check_##rows, 0, (int)COUNT(rows))

int main(void) {
  Suite *suite = suite_create("payloads");
  TCase *payloads = suite_case(suite, "payloads");
  tcase_set_timeout(payloads, 60);
  tcase_add_loop_test(payloads, facts_of_a_payload, 0, (int)COUNT(payload_rows));
  tcase_add_loop_test(payloads, payloads_in_every_cut, 0, 2);
  TCase *use = suite_case(suite, "use");
  tcase_add_test(use, nothing_stays_over_a_reset);
  tcase_add_test(use, table_of_names_is_capped);
  tcase_add_test(use, options_change_the_next_reading);
  tcase_add_test(use, structs_of_every_size);
  tcase_add_test(use, counts_are_the_indexes_that_there_are);
  tcase_add_test(use, bad_calls_are_refused);
  return suite_run(suite);
}
