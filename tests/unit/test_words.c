/* match and report: sentences, hints, and how reports show checks. */
#include <check.h>
#include <picklesight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/asm.h"
#include "support/checks.h"
#include "support/suite.h"
#include "support/trace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- sentences ------------------------------------------------------------------------------------------ */

static const struct sentence {
  const char *target, *how, *program, *why, *hint; /* of the first need that is not met */
} sentences[] = {
    {"cpython-3.12", NULL, "GLOBAL 'pathlib._local' 'PosixPath' STOP",
     "cpython-3.12 has no module 'pathlib._local': the standard library of this version does not "
     "have it",
     "on this target the name lives in module pathlib"},
    {"cpython-3.12", NULL, "GLOBAL 'asyncore' 'dispatcher' STOP",
     "cpython-3.12 has no module 'asyncore': the standard library of this version does not have it",
     "cpython-2.7 to cpython-3.11 have it"},
    {"cpython-3.12", NULL, "GLOBAL 'json' 'nothing' STOP",
     "cpython-3.12 has no 'json.nothing': the module does not have it", NULL},
    {"cpython-3.12", NULL, "GLOBAL 'numpy' 'ndarray' STOP",
     "module 'numpy' may be missing on cpython-3.12: nothing is known of third-party modules there",
     "say it with --with numpy==VERSION, or check against a captured fingerprint"},
    {"cpython-3.12", NULL, "GLOBAL 'app' 'f' STOP",
     "module 'app' may be missing on cpython-3.12: nothing is known of third-party modules there",
     "say it with --with NAME==VERSION, or check against a captured fingerprint"},
    {"cpython-3.12 bare", NULL, "GLOBAL 'numpy' 'ndarray' STOP",
     "cpython-3.12 has no module 'numpy': it is not among the top-level modules, which are all "
     "listed",
     "install numpy"},
    {"cpython-3.12 bare", NULL, "GLOBAL 'app' 'f' STOP",
     "cpython-3.12 has no module 'app': it is not among the top-level modules, which are all "
     "listed",
     "install what brings app, or pickle it by value: "
     "cloudpickle.register_pickle_by_value(app)"},
    {"cpython-3.12 cloudpickle==2.0.0", NULL,
     "GLOBAL 'cloudpickle.cloudpickle' '_make_function' STOP",
     "cpython-3.12 has no 'cloudpickle.cloudpickle._make_function': this version of the serializer "
     "does "
     "not have it",
     "install another version of cloudpickle than 2.0.0"},
    {"cpython-3.8 cloudpickle==1.6.0", NULL,
     "GLOBAL 'cloudpickle.cloudpickle' '_make_dict_keys' EMPTY_DICT NONE TUPLE2 REDUCE STOP",
     "cloudpickle 1.6.0's _make_dict_keys takes 1 argument; the payload gives 2",
     "install the version of cloudpickle that wrote it, or a newer one"},
    {"cpython-3.12", NULL, "GLOBAL '__main__' 'f' STOP",
     "'__main__.f' may be missing on cpython-3.12: the entry script decides",
     "define it in the main script, or pickle it by value (cloudpickle)"},
    {"cpython-3.12", NULL, "EXT1 7 STOP",
     "extension code 7: the extension codes are not all listed",
     "register it with copyreg.add_extension before loading"},
    {"cpython-3.7", NULL, "PROTO 5 NONE STOP",
     "the payload is written in protocol 5; cpython-3.7 reads up to 4",
     "pickle it with protocol 4"},
    {"cpython-3.15", NULL, "FRAME 3 SHORT_BINUNICODE 'abc' STOP",
     "cpython-3.15 stops there: an argument crosses the end of its frame", NULL},
    {"cpython-3.12", NULL, "PERSID 'a' STOP", "the loader has no persistent_load",
     "load it with a persistent_load (--persistent-load)"},
    {WORKER, NULL, "PERSID 'a' STOP", "nobody said whether the loader has a persistent_load",
     "load it with a persistent_load (--persistent-load)"},
    {"cpython-3.12", NULL, "NEXT_BUFFER STOP",
     "nobody said how many out-of-band buffers come with the payload",
     "give buffers (--buffers 1)"},
    {"cpython-3.12", "nobuffers", "NEXT_BUFFER STOP", "the loader is given no buffers",
     "give buffers (--buffers 1)"},
    {"cpython-3.12", "buffers=1", "NEXT_BUFFER NEXT_BUFFER STOP",
     "the payload takes 2 out-of-band buffers and fewer are given", "give buffers (--buffers 2)"},
    {"cpython-3.12", NULL, "SHORT_BINSTRING '%e9' STOP",
     "a Python 2 string holds bytes that the loader's encoding, ASCII, does not decode",
     "load it with encoding='latin1' (--encoding latin1)"},
    {"cpython-3.12", "encoding=utf-8", "SHORT_BINSTRING '%e9' STOP",
     "a Python 2 string does not decode with the loader's encoding",
     "load it with encoding='latin1' (--encoding latin1)"},
    {"cpython-3.12", NULL, "PROTO 3 GLOBAL '__builtin__' '__main__' STOP",
     "only dill's own load answers this name", "load it with dill (--loader dill)"},
    {"cpython-3.12", NULL, "GLOBAL 'm' 'n' NONE STACK_GLOBAL STOP",
     "cpython-3.12 stops there: the module or the name is no str", NULL},
    /* hostile names */
    {"cpython-3.12", NULL, "GLOBAL '%1b[31m%c3%a9%27%5c' 'x' STOP",
     "module '\\x1b[31m\\xc3\\xa9\\x27\\x5c' may be missing on cpython-3.12: nothing is known of "
     "third-party modules there",
     "say it with --with NAME==VERSION, or check against a captured fingerprint"},
};

START_TEST(sentences_and_hints) {
  const struct sentence *row = &sentences[_i];
  pickle p = pickle_of(row->program);
  pks_target *target = check_target(row->target, NULL);
  pks_inspector *f = check_inspector(target, row->how);
  pks_check *check = pks_check_new(NULL);
  pks_result result = {.size = sizeof result};
  pks_need need = {.size = sizeof need};
  (void)trace_inspect(f, p.data, p.size, NULL, 0);
  ck_assert_int_eq(pks_check_run(check, f, target, &result), PKS_OK);
  for (size_t i = 0; i < result.needs && need.state == PKS_STATE_MET; i++)
    ck_assert_int_eq(pks_check_need(check, i, &need), PKS_OK);
  ck_assert_str_eq(need.why, row->why);
  if (row->hint)
    ck_assert_str_eq(need.hint, row->hint);
  else
    ck_assert_ptr_null(need.hint);
  pks_check_free(check);
  pks_inspector_free(f);
  pks_target_free(target);
  pickle_free(&p);
}
END_TEST

/* Names of a megabyte are cut in sentences, not overrun. */
START_TEST(long_names_are_cut) {
  pickle p = {0};
  char name[1001];
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = 0;
  pickle_add_line(&p, 'c', name);
  p.size -= 1; /* GLOBAL has two lines: the second follows the first's newline */
  pickle_add_raw(&p, "\n", 1);
  pickle_add_raw(&p, name, sizeof name - 1);
  pickle_add_raw(&p, "\n.", 2);
  pks_target *target = check_target("cpython-3.12 bare", NULL);
  char *got = check_run(target, NULL, p.data, p.size, NULL, 0);
  ck_assert_ptr_nonnull(strstr(got, "xxx...'"));
  ck_assert_uint_lt(strlen(got), 500);
  pks_target_free(target);
  pickle_free(&p);
}
END_TEST

/* ---- reports -------------------------------------------------------------------------------------------------------- */

static struct {
  char text[65536];
  size_t size;
} out;

static int take(void *user, const char *data, size_t size) {
  (void)user;
  ck_assert_uint_lt(out.size + size, sizeof out.text);
  memcpy(out.text + out.size, data, size);
  out.size += size;
  out.text[out.size] = 0;
  return 0;
}

static void has(const char *text) {
  ck_assert_msg(strstr(out.text, text) != NULL, "no %s in\n%s", text, out.text);
}

typedef struct bench {
  pks_target *target[2];
  pks_check *check[2];
  pks_report *report;
  pks_inspector *f;
} bench;

static void open_bench(bench *b, pks_format format) {
  out.size = 0;
  b->target[0] = check_target("cpython-3.12", NULL);
  b->target[1] = check_target("cpython-3.12 bare", NULL);
  b->report = pks_report_new(format, take, NULL, NULL);
  b->f = check_inspector(NULL, NULL);
  for (int i = 0; i < 2; i++) {
    b->check[i] = pks_check_new(NULL);
    ck_assert_int_eq(pks_report_target(b->report, b->target[i]), PKS_OK);
  }
}

static void add_program(bench *b, const char *program, int best, int verbose, int width) {
  pickle p = pickle_of(program);
  pks_place place = {
      .size = sizeof place, .path = "p", .container = "raw", .bytes = -1, .width = width};
  (void)trace_inspect(b->f, p.data, p.size, NULL, 0);
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(pks_check_run(b->check[i], b->f, b->target[i], NULL), PKS_OK);
  ck_assert_int_eq(pks_report_checks(b->report, &place, b->f, b->check, 2, best, verbose), PKS_OK);
  pickle_free(&p);
}

static void close_bench(bench *b) {
  ck_assert_int_eq(pks_report_finish(b->report, 1), PKS_OK);
  pks_report_free(b->report);
  pks_inspector_free(b->f);
  for (int i = 0; i < 2; i++) {
    pks_check_free(b->check[i]);
    pks_target_free(b->target[i]);
  }
}

START_TEST(payloads_count_by_their_worst_or_best) {
  for (int best = 0; best < 2; best++) {
    bench b;
    open_bench(&b, PKS_FORMAT_JSONL);
    add_program(&b, "NONE STOP", best, 0, 0);
    add_program(&b, "GLOBAL 'app' 'f' STOP", best, 0, 0);
    add_program(&b, "POP STOP", best, 0, 0);
    ck_assert_int_eq(pks_report_target(b.report, b.target[0]), PKS_E_USAGE); /* too late */
    pks_place place = {.size = sizeof place, .path = "s", .skipped = "no reason"};
    ck_assert_int_eq(pks_report_checks(b.report, &place, NULL, b.check, 2, best, 0), PKS_OK);
    close_bench(&b);
    has(best ? "\"loads\": 1, \"unsure\": 1, \"fails\": 0, \"broken\": 1, \"skipped\": 1"
             : "\"loads\": 1, \"unsure\": 0, \"fails\": 1, \"broken\": 1, \"skipped\": 1");
    has("{\"target\": \"cpython-3.12\", \"verdict\": \"unsure\", \"parse\": \"loads\", \"load\": "
        "\"unknown\", \"run\": \"none\", \"needs\": [{\"kind\": \"module\", \"phase\": \"load\", "
        "\"what\": \"module app\", \"state\": \"unknown\", \"offset\": 0, \"why\": ");
  }
}
END_TEST

START_TEST(met_needs_when_asked_for) {
  bench b;
  open_bench(&b, PKS_FORMAT_JSON);
  add_program(&b, "GLOBAL 'json' 'loads' STOP", 0, 1, 0);
  close_bench(&b);
  has("\"targets\": [\n    {\n      \"id\": \"sha256:");
  has("{\"kind\": \"attribute\", \"phase\": \"load\", \"what\": \"attribute json.loads\", "
      "\"state\": "
      "\"met\", \"offset\": 0, \"why\": \"cpython-3.12 has 'json.loads': the standard library of "
      "this "
      "version has it\", \"hint\": null}");
}
END_TEST

START_TEST(text_is_folded) {
  bench b;
  open_bench(&b, PKS_FORMAT_TEXT);
  add_program(&b, "GLOBAL 'numpy' 'ndarray' STOP", 0, 0, 60);
  add_program(&b, "GLOBAL 'json' 'loads' STOP", 0, 1, 0);
  close_bench(&b);
  ck_assert_str_eq(out.text, "p: protocol 0, 16 bytes\n"
                             "  cpython-3.12: unsure: whether it loads is not known\n"
                             "    ? module 'numpy' may be missing on cpython-3.12: nothing\n"
                             "      is known of third-party modules there (at 0)\n"
                             "      hint: say it with --with numpy==VERSION, or check\n"
                             "            against a captured fingerprint\n"
                             "  cpython-3.12: fails: it does not load\n"
                             "    - cpython-3.12 has no module 'numpy': it is not among\n"
                             "      the top-level modules, which are all listed (at 0)\n"
                             "      hint: install numpy\n"
                             "\n"
                             "p: protocol 0, 13 bytes\n"
                             "  cpython-3.12: loads\n"
                             "    + protocol 0 (at 0)\n"
                             "    + attribute json.loads (at 0)\n"
                             "  cpython-3.12: loads\n"
                             "    + protocol 0 (at 0)\n"
                             "    + attribute json.loads (at 0)\n"
                             "\n"
                             "1 file, 2 payloads, 1 loads, 1 fails\n");
}
END_TEST

/* A target lacks many things: ten are shown, those that fail first. */
START_TEST(long_lists_are_cut) {
  pickle p = {0};
  char *program = calloc(1, 4096);
  bench b;
  for (int i = 0; i < 12; i++) sprintf(program + strlen(program), "GLOBAL 'm%d' 'n' POP ", i);
  strcat(program, "GLOBAL 'json' 'nothing' STOP");
  open_bench(&b, PKS_FORMAT_TEXT);
  add_program(&b, program, 0, 0, 0);
  close_bench(&b);
  const char *fails = strstr(out.text, "json.nothing"), *unknown = strstr(out.text, "'m0'");
  ck_assert(fails && unknown && fails < unknown);
  has("    and 3 more (-v shows all)\n");
  ck_assert_ptr_null(strstr(out.text, "module 'm9' may"));
  free(program);
  pickle_free(&p);
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------------ */

int main(void) {
  Suite *suite = suite_create("words");
  TCase *words = suite_case(suite, "words");
  tcase_add_loop_test(words, sentences_and_hints, 0, COUNT(sentences));
  tcase_add_test(words, long_names_are_cut);
  tcase_add_test(words, payloads_count_by_their_worst_or_best);
  tcase_add_test(words, met_needs_when_asked_for);
  tcase_add_test(words, text_is_folded);
  tcase_add_test(words, long_lists_are_cut);
  return suite_run(suite);
}
