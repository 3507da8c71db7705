/* Requirements against targets: verdicts, states, sentences; the public level 3. */
#include <check.h>
#include <picklesight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/asm.h"
#include "support/chunks.h"
#include "support/failing.h"
#include "support/trace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- targets and options as text ------------------------------------------------------------------ */

/* "cpython-3.12 cloudpickle==3.1.2 bare": a name or a fingerprint's text, then what is added. */
static pks_target *target_of(const char *text, const pks_alloc *alloc) {
  char copy[1024];
  pks_target *target = NULL;
  pks_error error = {.size = sizeof error, .text = ""};
  snprintf(copy, sizeof copy, "%s", text);
  if (*text == '{') {
    pks_status status = pks_target_read(text, strlen(text), alloc, &target, &error);
    ck_assert_msg(status == PKS_OK, "%s: %s at %d", text, error.text, (int)error.offset);
    return target;
  }
  char *word = strtok(copy, " ");
  ck_assert_int_eq(pks_target_builtin(word, alloc, &target), PKS_OK);
  while ((word = strtok(NULL, " "))) {
    if (strcmp(word, "bare") == 0)
      ck_assert_int_eq(pks_target_bare(target), PKS_OK);
    else if (strncmp(word, "loader=", 7) == 0)
      ck_assert_int_eq(pks_target_loader(target, word + 7), PKS_OK);
    else
      ck_assert_int_eq(pks_target_with(target, word), PKS_OK);
  }
  return target;
}

/* "encoding=latin1 buffers=2 persid inert pieces" */
typedef struct reading {
  pks_options options;
  char text[128];
  bool pieces;
} reading;

static void reading_of(reading *r, const char *text) {
  memset(r, 0, sizeof *r);
  r->options.size = sizeof r->options;
  ck_assert_int_eq(pks_options_init(&r->options), PKS_OK);
  snprintf(r->text, sizeof r->text, "%s", text ? text : "");
  for (char *word = strtok(r->text, " "); word; word = strtok(NULL, " ")) {
    if (strncmp(word, "encoding=", 9) == 0) r->options.encoding = word + 9;
    if (strncmp(word, "errors=", 7) == 0) r->options.errors = word + 7;
    if (strncmp(word, "buffers=", 8) == 0) r->options.buffers = atoi(word + 8);
    if (strcmp(word, "nobuffers") == 0) r->options.buffers = PKS_BUFFERS_NONE;
    if (strcmp(word, "persid") == 0) r->options.persistent_load = PKS_ANSWER_YES;
    if (strcmp(word, "nopersid") == 0) r->options.persistent_load = PKS_ANSWER_NO;
    if (strcmp(word, "noext") == 0) r->options.extensions = PKS_ANSWER_NO;
    if (strcmp(word, "inert") == 0) r->options.opaque = PKS_OPAQUE_INERT;
    if (strcmp(word, "pieces") == 0) r->pieces = true;
  }
}

/* An inspector that reads as the target does, as far as `reading` says nothing else. */
static pks_inspector *inspector_for(const pks_target *target, const char *how) {
  reading r;
  reading_of(&r, how);
  if (target) ck_assert_int_eq(pks_target_options(target, &r.options), PKS_OK);
  pks_inspector *f = pks_inspector_new(&r.options, NULL, NULL);
  ck_assert_ptr_nonnull(f);
  return f;
}

/* ---- a check as text ------------------------------------------------------------------------------- */

/* "fails: loads fails none", then a line an unmet need: "load module missing 'module x' @0". */
static char *describe(pks_check *check, const pks_result *result) {
  static const char *const verdicts[] = {"loads", "unsure", "fails", "broken"};
  static const char *const outcomes[] = {"yes", "unknown", "no", "none"};
  static const char *const phases[] = {"parse", "load", "run"};
  static const char *const states[] = {"met", "missing", "different", "unknown"};
  static const char *const kinds[] = {
#define X(id, name) name,
      PKS_NEED_MAP(X)
#undef X
  };
  static char text[4096];
  size_t used =
      (size_t)snprintf(text, sizeof text, "%s: %s %s %s\n", verdicts[result->verdict],
                       outcomes[result->parse], outcomes[result->load], outcomes[result->run]);
  for (size_t i = 0; i < result->needs; i++) {
    pks_need need = {.size = sizeof need};
    ck_assert_int_eq(pks_check_need(check, i, &need), PKS_OK);
    ck_assert(need.what && *need.what && need.why && *need.why);
    ck_assert(need.state != PKS_STATE_MET || !need.hint);
    if (need.state == PKS_STATE_MET) continue;
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "%s %s %s '%s' @%d\n", phases[need.phase],
                         kinds[need.kind], states[need.state], need.what, (int)need.offset);
  }
  return text;
}

static char *run_check(const pks_target *target, const char *how, const uint8_t *data, size_t size,
                       const size_t *cuts, size_t count) {
  pks_inspector *f = inspector_for(target, how);
  pks_check *check = pks_check_new(NULL);
  pks_result result = {.size = sizeof result};
  (void)trace_inspect(f, data, size, cuts, count);
  ck_assert_int_eq(pks_check_run(check, f, target, &result), PKS_OK);
  char *text = describe(check, &result);
  pks_check_free(check);
  pks_inspector_free(f);
  return text;
}

/* ---- what follows from a program -------------------------------------------------------------------- */

#define WORKER                                                                                   \
  "{\"schema\": \"pickle-target/1\", \"implementation\": \"cpython\", \"version\": [3, 12, 1],"  \
  "\"complete\": [\"top_level\", \"extensions\"], \"modules\": {\"app\": {\"k\": \"m\", \"a\": " \
  "[\"f\"]}},"                                                                                   \
  "\"main\": {\"names\": [\"g\"], \"open\": false}, \"extensions\": {\"7\": \"app:f\"},"         \
  "\"loader\": {\"name\": \"ours\", \"buffers\": false, \"encoding\": \"latin1\"}}"

static const struct row {
  const char *target, *how, *program, *want;
} rows[] = {
    {"cpython-3.12", NULL, "NONE STOP", "loads: yes yes none\n"},
    {"cpython-3.12", NULL, "GLOBAL 'json' 'loads' STOP", "loads: yes yes none\n"},
    /* names */
    {"cpython-3.12", NULL, "GLOBAL 'json' 'nothing' STOP",
     "fails: yes no none\nload attribute missing 'attribute json.nothing' @0\n"},
    {"cpython-3.12", NULL, "GLOBAL 'asyncore' 'loop' STOP",
     "fails: yes no none\nload module missing 'module asyncore' @0\n"},
    {"cpython-3.11", NULL, "GLOBAL 'asyncore' 'loop' STOP", "loads: yes yes none\n"},
    {"cpython-3.12", NULL, "GLOBAL 'app' 'f' GLOBAL 'app' 'g' TUPLE2 STOP",
     "unsure: yes unknown none\nload module unknown 'module app' @0\n"},
    {"cpython-3.12 bare", NULL, "GLOBAL 'app' 'f' GLOBAL 'app' 'g' TUPLE2 STOP",
     "fails: yes no none\nload module missing 'module app' @0\n"},
    {WORKER, NULL, "GLOBAL 'app' 'f' STOP", "loads: yes yes none\n"},
    {WORKER, NULL, "GLOBAL 'app' 'g' STOP",
     "fails: yes no none\nload attribute missing 'attribute app.g' @0\n"},
    {"cpython-3.12", NULL, "GLOBAL '__main__' 'g' STOP",
     "unsure: yes unknown none\nload main unknown 'main __main__.g' @0\n"},
    {WORKER, NULL, "GLOBAL '__main__' 'g' STOP", "loads: yes yes none\n"},
    {WORKER, NULL, "GLOBAL '__main__' 'h' STOP",
     "fails: yes no none\nload main missing 'main __main__.h' @0\n"},
    /* a name of Python 2 is looked up where Python 3 has it, below protocol 3 */
    {"cpython-3.12", NULL, "GLOBAL 'copy_reg' '_reconstructor' STOP", "loads: yes yes none\n"},
    {"cpython-3.12", NULL, "PROTO 3 GLOBAL 'copy_reg' '_reconstructor' STOP",
     "fails: yes no none\nload module missing 'module copy_reg' @2\n"},
    /* dots walk attributes from protocol 4 on */
    {"cpython-3.12", NULL, "PROTO 4 GLOBAL 'json' 'JSONDecoder.decode' STOP",
     "unsure: yes unknown none\nload attribute unknown 'attribute json.JSONDecoder.decode' @2\n"},
    {"cpython-3.12", NULL, "GLOBAL 'json' 'JSONDecoder.decode' STOP",
     "fails: yes no none\nload attribute missing 'attribute json.JSONDecoder.decode' @0\n"},
    {"cpython-3.12", NULL, "PROTO 4 GLOBAL 'app' 'f.<locals>.g' STOP",
     "fails: yes no none\nload attribute missing 'attribute app.f.<locals>.g' @2\n"},
    /* a name that only a run can tell */
    {"cpython-3.12", NULL, "GLOBAL 'app' 'f' EMPTY_TUPLE REDUCE GLOBAL 'app' 'f' STACK_GLOBAL STOP",
     "unsure: yes unknown none\nload module unknown 'module app' @0\n"
     "load attribute unknown 'attribute with a computed name' @16\n"},
    /* how many arguments a serializer's helper takes */
    {"cpython-3.8 cloudpickle==1.6.0", NULL,
     "GLOBAL 'cloudpickle.cloudpickle' '_make_dict_keys' EMPTY_DICT NONE TUPLE2 REDUCE STOP",
     "fails: yes no none\n"
     "load helper different 'helper cloudpickle.cloudpickle._make_dict_keys with 2 arguments' "
     "@0\n"},
    {"cpython-3.8 cloudpickle==1.6.0", NULL,
     "GLOBAL 'cloudpickle.cloudpickle' '_make_dict_keys' EMPTY_DICT TUPLE1 REDUCE STOP",
     "loads: yes yes none\n"},
    {"cpython-3.8 cloudpickle==2.0.0", NULL,
     "GLOBAL 'cloudpickle.cloudpickle' '_make_dict_keys' EMPTY_DICT NONE TUPLE2 REDUCE STOP",
     "loads: yes yes none\n"},
    /* reading */
    {"cpython-3.7", NULL, "PROTO 5 NONE STOP",
     "fails: no yes none\nparse protocol different 'protocol 5' @0\n"},
    {"cpython-3.7", NULL, "NONE BYTEARRAY8 'a' STOP",
     "fails: no yes none\nparse protocol different 'protocol 5' @1\n"},
    {"cpython-3.7", "pieces", "PROTO 5 NONE STOP",
     "fails: no yes none\nparse protocol different 'protocol 5' @0\n"},
    {"cpython-2.7", NULL, "PROTO 3 NONE STOP",
     "fails: no yes none\nparse protocol different 'protocol 3' @0\n"},
    {"cpython-3.12", NULL, "PROTO 6 NONE STOP",
     "broken: no yes none\nparse opcode different 'opcode that the unpickler takes' @0\n"},
    {"cpython-3.7", NULL, "PROTO 6 NONE STOP",
     "broken: no yes none\nparse opcode different 'opcode that the unpickler takes' @0\n"},
    {"cpython-3.12", NULL, "=ff",
     "broken: no yes none\nparse opcode different 'opcode that the unpickler takes' @0\n"},
    {"cpython-3.12", NULL, "GLOBAL 'json' 'nothing' POP",
     "broken: no no none\nparse opcode different 'opcode that the unpickler takes' @15\n"
     "load attribute missing 'attribute json.nothing' @0\n"},
    {"cpython-3.12", NULL, "BININT1 1 POP POP STOP",
     "broken: no yes none\nparse opcode different 'opcode that the unpickler takes' @3\n"},
    {"cpython-3.15", NULL, "FRAME 3 SHORT_BINUNICODE 'abc' STOP",
     "fails: no yes none\nparse frame different 'frame that the unpickler takes' @9\n"},
    {"cpython-3.13.15", NULL, "FRAME 3 SHORT_BINUNICODE 'abc' STOP",
     "fails: no yes none\nparse frame different 'frame that the unpickler takes' @9\n"},
    {"cpython-3.12", NULL, "FRAME 3 SHORT_BINUNICODE 'abc' STOP", "loads: yes yes none\n"},
    {"cpython-3.12", "pieces", "FRAME 3 SHORT_BINUNICODE 'abc' STOP", "unsure: unknown yes none\n"},
    /* what the loader is given */
    {"cpython-3.12", NULL, "PERSID 'a' STOP",
     "fails: yes no none\nload persistent-id missing 'persistent_load' @0\n"},
    {"cpython-3.12", "persid", "PERSID 'a' STOP", "loads: yes yes none\n"},
    {"cpython-3.12", "nopersid", "NONE BINPERSID PERSID 'a' STOP",
     "fails: unknown no none\nload persistent-id missing 'persistent_load' @1\n"},
    {"cpython-3.12 loader=torch", NULL, "PERSID 'a' STOP", "loads: yes yes none\n"},
    {WORKER, NULL, "PERSID 'a' STOP",
     "unsure: yes unknown none\nload persistent-id unknown 'persistent_load' @0\n"},
    {"cpython-3.12", NULL, "PROTO 5 NEXT_BUFFER NEXT_BUFFER TUPLE2 STOP",
     "unsure: yes unknown none\nload buffers unknown '2 out-of-band buffers' @2\n"},
    {"cpython-3.12", "nobuffers", "PROTO 5 NEXT_BUFFER STOP",
     "fails: unknown no none\nload buffers missing '1 out-of-band buffer' @2\n"},
    {"cpython-3.12", "buffers=1", "PROTO 5 NEXT_BUFFER NEXT_BUFFER TUPLE2 STOP",
     "fails: unknown no none\nload buffers missing '2 out-of-band buffers' @2\n"},
    {"cpython-3.12", "buffers=0", "PROTO 5 NONE NEXT_BUFFER STOP",
     "fails: unknown no none\nload buffers missing '1 out-of-band buffer' @3\n"},
    {"cpython-3.12", "buffers=2", "PROTO 5 NEXT_BUFFER NEXT_BUFFER TUPLE2 STOP",
     "loads: yes yes none\n"},
    {"cpython-3.12", "inert", "PROTO 5 NEXT_BUFFER STOP",
     "fails: unknown no none\nload buffers missing '1 out-of-band buffer' @2\n"},
    {WORKER, NULL, "PROTO 5 NEXT_BUFFER STOP",
     "fails: yes no none\nload buffers missing '1 out-of-band buffer' @2\n"},
    {"cpython-3.12", NULL, "EXT1 7 STOP",
     "unsure: yes unknown none\nload extension unknown 'extension code 7' @0\n"},
    {"cpython-3.12", "noext", "EXT1 7 STOP",
     "fails: unknown no none\nload extension missing 'extension code 7' @0\n"},
    {WORKER, NULL, "EXT1 7 STOP", "loads: yes yes none\n"},
    {WORKER, NULL, "EXT1 8 STOP",
     "fails: yes no none\nload extension missing 'extension code 8' @0\n"},
    /* strings of Python 2 */
    {"cpython-3.12", NULL, "SHORT_BINSTRING 'a' STOP", "loads: yes yes none\n"},
    {"cpython-3.12", NULL, "SHORT_BINSTRING '%e9' GLOBAL 'json' 'nothing' TUPLE2 STOP",
     "fails: yes no none\nload attribute missing 'attribute json.nothing' @3\n"
     "load encoding different 'encoding of Python 2 strings' @0\n"},
    {"cpython-3.12", "encoding=ASCII", "SHORT_BINSTRING '%e9' STOP",
     "fails: unknown no none\nload encoding different 'encoding of Python 2 strings' @0\n"},
    {"cpython-3.12", "encoding=UTF-8", "SHORT_BINSTRING '%e9' STOP",
     "fails: unknown no none\nload encoding different 'encoding of Python 2 strings' @0\n"},
    {"cpython-3.12", "encoding=latin1", "SHORT_BINSTRING '%e9' STOP", "loads: yes yes none\n"},
    {"cpython-3.12", "encoding=ASCII errors=replace", "SHORT_BINSTRING '%e9' STOP",
     "loads: yes yes none\n"},
    {"cpython-3.12", "inert", "SHORT_BINSTRING '%e9' STOP",
     "fails: unknown no none\nload encoding different 'encoding of Python 2 strings' @0\n"},
    {"cpython-2.7", NULL, "SHORT_BINSTRING '%e9' STOP", "loads: yes yes none\n"},
    {WORKER, NULL, "SHORT_BINSTRING '%e9' STOP", "loads: yes yes none\n"},
    /* dill's name for __main__'s dict */
    {"cpython-3.12", NULL, "PROTO 3 GLOBAL '__builtin__' '__main__' STOP",
     "fails: yes no none\nload loader different 'loader __builtin__.__main__' @2\n"},
    {"cpython-3.12 loader=dill", NULL, "PROTO 3 GLOBAL '__builtin__' '__main__' STOP",
     "loads: yes yes none\n"},
};

START_TEST(programs) {
  const struct row *row = &rows[_i];
  pickle p = pickle_of(row->program);
  pks_target *target = target_of(row->target, NULL);
  bool pieces = row->how && strcmp(row->how, "pieces") == 0;
  char *got = run_check(target, row->how, p.data, p.size, pieces ? &p.size : NULL, pieces);
  ck_assert_msg(strcmp(got, row->want) == 0, "%s on %s (%s):\n%s", row->program, row->target,
                row->how ? row->how : "", got);
  pks_target_free(target);
  pickle_free(&p);
}
END_TEST

typedef struct cut_state {
  const pks_target *target;
  const struct row *row;
  pickle p;
  char whole[4096];
} cut_state;

static bool same_in_pieces(void *user, const size_t *cuts, size_t count) {
  cut_state *s = user;
  char *got = run_check(s->target, s->row->how, s->p.data, s->p.size, cuts, count);
  ck_assert_msg(strcmp(got, s->whole) == 0, "%s on %s, %s:\n%s", s->row->program, s->row->target,
                chunks_text(s->p.size, cuts, count), got);
  return true;
}

/* The same in every cut, but for what the way of reading decides. */
START_TEST(programs_in_any_cut) {
  cut_state s = {.row = &rows[_i], .p = pickle_of(rows[_i].program)};
  s.target = target_of(rows[_i].target, NULL);
  strcpy(s.whole, run_check(s.target, rows[_i].how, s.p.data, s.p.size, NULL, 0));
  pks_inspector *f = inspector_for(s.target, rows[_i].how);
  pks_summary summary = {.size = sizeof summary};
  (void)trace_inspect(f, s.p.data, s.p.size, NULL, 0);
  pks_inspector_summary(f, &summary);
  if (!summary.ambiguous) chunks_each(s.p.size, same_in_pieces, &s);
  pks_inspector_free(f);
  pks_target_free((pks_target *)(uintptr_t)s.target);
  pickle_free(&s.p);
}
END_TEST

/* ---- real payloads ------------------------------------------------------------------------------------ */

static uint8_t *read_file(const char *name, size_t *size) {
  char path[256];
  snprintf(path, sizeof path, "corpus/payloads/%s", name);
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "no %s", path);
  uint8_t *data = malloc(1 << 20);
  *size = fread(data, 1, 1 << 20, file);
  fclose(file);
  return data;
}

#define LAMBDA "cp311_cloudpickle_3.1.2_lambda_task.pkl"
#define SETSTATE "cp311_cloudpickle_3.1.2_setstate.pkl"
static const struct real {
  const char *file, *target, *how, *want;
} reals[] = {
    {LAMBDA, "cpython-3.11 cloudpickle==3.1.2", NULL, "loads: yes yes yes\n"},
    {LAMBDA, "cpython-3.11.9 cloudpickle==3.1.2 bare", NULL, "loads: yes yes yes\n"},
    {LAMBDA, "cpython-3.12 cloudpickle==3.1.2", NULL,
     "fails: yes yes no\nrun bytecode different 'magic 3495' @281\n"},
    {LAMBDA, "cpython-3.10 cloudpickle==3.1.2", NULL,
     "fails: yes no no\nload constructor different 'code constructor of 18 arguments' @281\n"
     "run bytecode different 'magic 3495' @281\n"},
    {LAMBDA, "cpython-3.11", NULL,
     "unsure: yes unknown yes\nload module unknown 'module cloudpickle.cloudpickle' @54\n"},
    {LAMBDA, "cpython-3.11 bare", NULL,
     "fails: yes no yes\nload module missing 'module cloudpickle.cloudpickle' @54\n"},
    {LAMBDA, "cpython-3.7 cloudpickle==2.2.1", NULL,
     "fails: no yes none\nparse protocol different 'protocol 5' @0\n"},
    {"cp313_pathlib_local_p5.pkl", "cpython-3.12", NULL,
     "fails: yes no none\nload module missing 'module pathlib._local' @51\n"},
    {"cp313_pathlib_local_p5.pkl", "cpython-3.13", NULL, "loads: yes yes none\n"},
    {"cp312_orders_p5.pkl", "cpython-3.7", NULL,
     "fails: no yes none\nparse protocol different 'protocol 5' @0\n"},
    {"cp312_orders_p5.pkl", "cpython-3.8 bare", NULL, "loads: yes yes none\n"},
    {SETSTATE, "cpython-3.11 cloudpickle==3.1.2", NULL, "loads: yes yes yes\n"},
    {SETSTATE, "cpython-3.12 cloudpickle==3.1.2", NULL,
     "fails: yes no no\nload bytecode different 'magic 3495' @438\n"},
    {"cp311_buffers_p5.pkl", "cpython-3.11", NULL,
     "unsure: yes unknown none\nload buffers unknown '2 out-of-band buffers' @14\n"},
    {"cp311_buffers_p5.pkl", "cpython-3.11", "buffers=1",
     "fails: unknown no none\nload buffers missing '2 out-of-band buffers' @14\n"},
    {"cp311_buffers_p5.pkl", "cpython-3.11", "buffers=2", "loads: yes yes none\n"},
    {"cp36_persid_p2.pkl", "cpython-3.6", NULL,
     "fails: yes no none\nload persistent-id missing 'persistent_load' @38\n"},
    {"cp36_persid_p2.pkl", "cpython-3.6", "persid", "loads: yes yes none\n"},
    {"py27_nonascii_str_p2.pkl", "cpython-3.12", NULL,
     "fails: yes no none\nload encoding different 'encoding of Python 2 strings' @13\n"},
    {"py27_nonascii_str_p2.pkl", "cpython-3.12", "encoding=latin1", "loads: yes yes none\n"},
    {"py27_nonascii_str_p2.pkl", "cpython-2.7", NULL, "loads: yes yes none\n"},
    /* only the run imports it, perhaps guarded: a missing module leaves the run open */
    {"cp311_cloudpickle_3.1.2_guarded.pkl", "cpython-3.11 cloudpickle==3.1.2 bare", NULL,
     "unsure: yes yes unknown\nrun import unknown 'import ujson' @696\n"},
};

START_TEST(real_payloads) {
  const struct real *row = &reals[_i];
  size_t size;
  uint8_t *data = read_file(row->file, &size);
  pks_target *target = target_of(row->target, NULL);
  for (size_t count = 0; count < 2; count++) { /* whole, and cut in the middle */
    size_t cuts[] = {size / 2};
    char *got = run_check(target, row->how, data, size, count ? cuts : NULL, count);
    ck_assert_msg(strcmp(got, row->want) == 0, "%s on %s (%s):\n%s", row->file, row->target,
                  row->how ? row->how : "", got);
  }
  pks_target_free(target);
  free(data);
}
END_TEST

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
  pks_target *target = target_of(row->target, NULL);
  pks_inspector *f = inspector_for(target, row->how);
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
  pks_target *target = target_of("cpython-3.12 bare", NULL);
  char *got = run_check(target, NULL, p.data, p.size, NULL, 0);
  ck_assert_ptr_nonnull(strstr(got, "xxx...'"));
  ck_assert_uint_lt(strlen(got), 500);
  pks_target_free(target);
  pickle_free(&p);
}
END_TEST

/* ---- without a target -------------------------------------------------------------------------------------- */

START_TEST(needs_of_no_target) {
  size_t size;
  uint8_t *data = read_file(LAMBDA, &size);
  char *got = run_check(NULL, NULL, data, size, NULL, 0);
  ck_assert_str_eq(
      got, "unsure: unknown unknown unknown\n"
           "parse protocol unknown 'protocol 5' @0\n"
           "load attribute unknown 'attribute cloudpickle.cloudpickle._make_function' @54\n"
           "load attribute unknown 'attribute cloudpickle.cloudpickle._builtin_type' @75\n"
           "load attribute unknown 'attribute types.CodeType' @90\n"
           "load attribute unknown 'attribute cloudpickle.cloudpickle._function_setstate' @367\n"
           "load attribute unknown 'attribute cloudpickle.cloudpickle.subimport' @574\n"
           "load module unknown 'module math' @580\n"
           "load constructor unknown 'code constructor of 18 arguments' @281\n"
           "run bytecode unknown 'magic 3495' @281\n");
  free(data);
}
END_TEST

/* ---- memory --------------------------------------------------------------------------------------------------- */

/* A check of an inspected payload against a parsed target allocates nothing once its lists are long
 * enough. */
START_TEST(checks_allocate_nothing) {
  static const char *const files[] = {LAMBDA,
                                      SETSTATE,
                                      "cp313_pathlib_local_p5.pkl",
                                      "cp313_references_p5.pkl",
                                      "cp313_dill_0.4.1_session.pkl",
                                      "py27_stdlib_p2.pkl",
                                      "cp313_ext_p5.pkl"};
  failing memory;
  failing_init(&memory, 0);
  pks_target *target = target_of("cpython-3.12 cloudpickle==3.1.2", &memory.alloc);
  pks_check *check = pks_check_new(&memory.alloc);
  pks_inspector *f = pks_inspector_new(NULL, NULL, &memory.alloc);
  size_t calls = 0;
  for (int again = 0; again < 2; again++) {
    for (size_t i = 0; i < COUNT(files); i++) {
      size_t size;
      uint8_t *data = read_file(files[i], &size);
      (void)!pks_inspect(f, data, size, NULL);
      calls = memory.calls;
      pks_result result = {.size = sizeof result};
      pks_need need = {.size = sizeof need};
      ck_assert_int_eq(pks_check_run(check, f, target, &result), PKS_OK);
      for (size_t k = 0; k < result.needs; k++)
        ck_assert_int_eq(pks_check_need(check, k, &need), PKS_OK);
      if (again) ck_assert_uint_eq(memory.calls, calls);
      free(data);
    }
  }
  pks_inspector_free(f);
  pks_check_free(check);
  pks_target_free(target);
  ck_assert_uint_eq(memory.blocks, 0);
}
END_TEST

/* One check asked of one target after the other, and of one that is changed in between, says what a new
 * one says. */
#define LONG_NAME                                                                                 \
  "PROTO 4 GLOBAL 'a.very.long.name.of.a.module.that.is.nowhere.at.all.and.has.no.end.in.sight' " \
  "'with.a.name.in.it.that.is.longer.than.any.other.name' STOP"

START_TEST(what_is_remembered_is_the_targets) {
  static const char *const lookups[] = {"GLOBAL 'asyncore' 'loop' STOP",
                                        "GLOBAL 'json' 'loads' STOP",
                                        "GLOBAL 'jso' 'nloads' STOP",
                                        "GLOBAL 'json' 'JSONDecoder.decode' STOP",
                                        "PROTO 4 GLOBAL 'json' 'JSONDecoder.decode' STOP",
                                        "GLOBAL 'cloudpickle' 'dumps' STOP",
                                        "GLOBAL '__main__' 'f' STOP",
                                        LONG_NAME};
  static const char *const targets[] = {"cpython-3.11",      "cpython-3.12",
                                        "cpython-3.12 bare", "cpython-3.12 cloudpickle==3.1.2",
                                        "cpython-2.7",       WORKER};
  pks_check *old = pks_check_new(NULL);
  pks_target *changed = target_of("cpython-3.12", NULL);
  for (int round = 0; round < 3; round++)
    for (size_t i = 0; i < COUNT(lookups); i++)
      for (size_t k = 0; k <= COUNT(targets); k++) {
        pks_target *target = k < COUNT(targets) ? target_of(targets[k], NULL) : changed;
        pickle p = pickle_of(lookups[i]);
        char want[4096];
        strcpy(want, run_check(target, NULL, p.data, p.size, NULL, 0));
        pks_inspector *f = inspector_for(target, NULL);
        pks_result result = {.size = sizeof result};
        (void)trace_inspect(f, p.data, p.size, NULL, 0);
        for (int again = 0; again < 2; again++) {
          ck_assert_int_eq(pks_check_run(old, f, target, &result), PKS_OK);
          ck_assert_str_eq(describe(old, &result), want);
        }
        pks_inspector_free(f);
        pickle_free(&p);
        if (target != changed)
          pks_target_free(target);
        else if (round == 0 && i == 4)
          ck_assert_int_eq(pks_target_with(changed, "cloudpickle==3.1.2"), PKS_OK);
        else if (round == 1 && i == 4)
          ck_assert_int_eq(pks_target_bare(changed), PKS_OK);
      }
  pks_target_free(changed);
  pks_check_free(old);
}
END_TEST

/* More names than are remembered. */
START_TEST(many_names) {
  char *program = calloc(1, 200000);
  size_t used = 0;
  for (int i = 0; i < 2000; i++)
    used += (size_t)sprintf(program + used, "GLOBAL 'json' 'n%d' POP ", i);
  strcpy(program + used, "NONE STOP");
  pickle p = pickle_of(program);
  pks_target *target = target_of("cpython-3.12", NULL);
  pks_inspector *f = inspector_for(target, NULL);
  pks_check *check = pks_check_new(NULL);
  pks_result result = {.size = sizeof result};
  (void)trace_inspect(f, p.data, p.size, NULL, 0);
  for (int again = 0; again < 3; again++) {
    ck_assert_int_eq(pks_check_run(check, f, target, &result), PKS_OK);
    ck_assert_uint_eq(result.needs, 2001);
    for (size_t i = 1; i < result.needs; i++) {
      pks_need need = {.size = sizeof need};
      ck_assert_int_eq(pks_check_need(check, i, &need), PKS_OK);
      ck_assert_int_eq(need.state, PKS_STATE_MISSING);
    }
  }
  pks_check_free(check);
  pks_inspector_free(f);
  pks_target_free(target);
  pickle_free(&p);
  free(program);
}
END_TEST

START_TEST(each_request_refused) {
  size_t size;
  uint8_t *data = read_file("cp313_references_p5.pkl", &size);
  pks_inspector *f = pks_inspector_new(NULL, NULL, NULL);
  pks_target *target = target_of("cpython-3.12", NULL);
  (void)!pks_inspect(f, data, size, NULL);
  for (size_t n = 1;; n++) {
    failing memory;
    failing_init(&memory, n);
    pks_check *check = pks_check_new(&memory.alloc);
    if (check) {
      pks_result result = {.size = sizeof result};
      pks_status status = pks_check_run(check, f, target, &result);
      ck_assert_int_eq(status, memory.calls < n ? PKS_OK : PKS_E_NO_MEMORY);
      ck_assert_int_eq(pks_check_run(check, f, target, &result),
                       PKS_OK); /* it can be asked again */
    }
    pks_check_free(check);
    ck_assert_uint_eq(memory.blocks, 0);
    if (memory.calls < n) break;
  }
  pks_target_free(target);
  pks_inspector_free(f);
  free(data);
}
END_TEST

/* ---- the public functions ---------------------------------------------------------------------------------------- */

START_TEST(checks_refuse_bad_arguments) {
  pks_inspector *f = inspector_for(NULL, NULL);
  pks_check *check = pks_check_new(NULL);
  pks_result result = {.size = sizeof result}, small = {.size = sizeof(size_t) - 1};
  pks_need need = {.size = sizeof need}, narrow = {.size = 3};
  pks_target *target = target_of("cpython-3.12", NULL), *none = target;
  pks_options options = {.size = sizeof options};
  pks_target_info info = {.size = sizeof info};
  ck_assert_int_eq(pks_check_need(check, 0, &need), PKS_E_USAGE); /* nothing was checked yet */
  ck_assert_int_eq(pks_check_run(NULL, f, target, &result), PKS_E_USAGE);
  ck_assert_int_eq(pks_check_run(check, NULL, target, &result), PKS_E_USAGE);
  ck_assert_int_eq(pks_check_run(check, f, target, &small), PKS_E_USAGE);
  ck_assert_int_eq(pks_check_run(check, f, target, NULL), PKS_OK);
  ck_assert_int_eq(pks_check_need(check, 99, &need), PKS_E_USAGE);
  ck_assert_int_eq(pks_check_need(check, 0, &narrow), PKS_E_USAGE);
  ck_assert_int_eq(pks_check_need(NULL, 0, &need), PKS_E_USAGE);
  ck_assert_int_eq(pks_check_need(check, 0, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_builtin(NULL, NULL, &none), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_builtin("cpython-3.12", NULL, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_builtin("cpython-1.5", NULL, &none), PKS_E_PYTHON);
  ck_assert_ptr_null(none);
  ck_assert_int_eq(pks_target_read(NULL, 1, NULL, &none, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_read("{}", 2, NULL, NULL, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_read("{}", 2, NULL, &none, NULL), PKS_E_FINGERPRINT);
  ck_assert_int_eq(pks_target_with(target, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_with(target, "x=1"), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_with(NULL, "x==1"), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_bare(NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_loader(target, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_loader(NULL, "dill"), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_options(target, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_options(NULL, &options), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_describe(NULL, &info), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_describe(target, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_target_write(NULL, NULL, NULL), PKS_E_USAGE);
  ck_assert_ptr_null(pks_target_name(pks_target_count()));
  pks_target_free(NULL);
  pks_check_free(NULL);
  pks_target_free(target);
  pks_check_free(check);
  pks_inspector_free(f);
}
END_TEST

START_TEST(short_structs_are_filled_in_part) {
  pks_inspector *f = inspector_for(NULL, NULL);
  pks_check *check = pks_check_new(NULL);
  pks_target *target = target_of("cpython-3.12", NULL);
  pks_result result, want = {.size = sizeof want};
  memset(&result, 0x5a, sizeof result);
  result.size = offsetof(pks_result, load);
  pickle p = pickle_of("NONE STOP");
  (void)trace_inspect(f, p.data, p.size, NULL, 0);
  ck_assert_int_eq(pks_check_run(check, f, target, &want), PKS_OK);
  ck_assert_int_eq(pks_check_run(check, f, target, &result), PKS_OK);
  ck_assert_int_eq(result.verdict, want.verdict);
  ck_assert_int_eq(result.parse, want.parse);
  ck_assert_int_eq((int)result.load, 0x5a5a5a5a);
  pks_target_info info;
  memset(&info, 0x5a, sizeof info);
  info.size = offsetof(pks_target_info, version);
  ck_assert_int_eq(pks_target_describe(target, &info), PKS_OK);
  ck_assert_str_eq(info.implementation, "cpython");
  ck_assert_uint_eq(info.python, 0x5a5a5a5a);
  pickle_free(&p);
  pks_target_free(target);
  pks_check_free(check);
  pks_inspector_free(f);
}
END_TEST

START_TEST(targets_in_public_words) {
  pks_target_info info = {.size = sizeof info};
  for (size_t i = 0; i < pks_target_count(); i++) {
    pks_target *target = target_of(pks_target_name(i), NULL);
    ck_assert_int_eq(pks_target_describe(target, &info), PKS_OK);
    ck_assert_str_eq(info.name, pks_target_name(i));
    ck_assert_msg(strncmp(info.id, "sha256:", 7) == 0 && strlen(info.id) == 71, "%s", info.id);
    ck_assert_str_eq(info.version, strrchr(info.name, '-') + 1);
    ck_assert_uint_eq(info.python & 0xff, 0xff);
    ck_assert(info.magic != 0 && info.max_protocol >= 2);
    pks_target_free(target);
  }
  pks_target *target = target_of(WORKER, NULL);
  ck_assert_int_eq(pks_target_describe(target, &info), PKS_OK);
  ck_assert_str_eq(info.name, "cpython-3.12.1");
  ck_assert_str_eq(info.version, "3.12.1");
  ck_assert_uint_eq(info.python, PKS_PYTHON(3, 12, 1));
  pks_target_free(target);
}
END_TEST

static int stop_at_second(void *user, const char *data, size_t size) {
  int *calls = user;
  (void)data;
  (void)size;
  return ++*calls == 2;
}

START_TEST(a_failed_write_is_told) {
  pks_target *target = target_of("cpython-3.12", NULL);
  int calls = 0;
  ck_assert_int_eq(pks_target_write(target, stop_at_second, &calls), PKS_E_IO);
  ck_assert_int_eq(calls, 2);
  pks_target_free(target);
}
END_TEST

START_TEST(options_are_the_targets) {
  pks_options options = {.size = sizeof options};
  pks_target *target = target_of(WORKER, NULL);
  ck_assert_int_eq(pks_options_init(&options), PKS_OK);
  ck_assert_int_eq(pks_target_options(target, &options), PKS_OK);
  ck_assert_uint_eq(options.python, PKS_PYTHON(3, 12, 1));
  ck_assert_str_eq(options.encoding, "latin1");
  ck_assert_int_eq(options.persistent_load, PKS_ANSWER_UNKNOWN);
  options.encoding = "bytes";
  ck_assert_int_eq(pks_target_options(target, &options), PKS_OK);
  ck_assert_str_eq(options.encoding, "bytes");
  pks_target_free(target);
  target = target_of("cpython-3.9 loader=torch", NULL);
  ck_assert_int_eq(pks_options_init(&options), PKS_OK);
  ck_assert_int_eq(pks_target_options(target, &options), PKS_OK);
  ck_assert_uint_eq(options.python, PKS_PYTHON(3, 9, 0xff));
  ck_assert_ptr_null(options.encoding); /* ASCII: the check compares it */
  ck_assert_int_eq(options.persistent_load, PKS_ANSWER_YES);
  pks_target_free(target);
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
  b->target[0] = target_of("cpython-3.12", NULL);
  b->target[1] = target_of("cpython-3.12 bare", NULL);
  b->report = pks_report_new(format, take, NULL, NULL);
  b->f = inspector_for(NULL, NULL);
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

int main(void) {
  Suite *suite = suite_create("check");
  TCase *tcase = tcase_create("check");
  suite_add_tcase(suite, tcase);
  tcase_add_loop_test(tcase, programs, 0, COUNT(rows));
  tcase_add_loop_test(tcase, programs_in_any_cut, 0, COUNT(rows));
  tcase_add_loop_test(tcase, real_payloads, 0, COUNT(reals));
  tcase_add_loop_test(tcase, sentences_and_hints, 0, COUNT(sentences));
  tcase_add_test(tcase, long_names_are_cut);
  tcase_add_test(tcase, needs_of_no_target);
  tcase_add_test(tcase, checks_allocate_nothing);
  tcase_add_test(tcase, what_is_remembered_is_the_targets);
  tcase_add_test(tcase, many_names);
  tcase_add_test(tcase, each_request_refused);
  tcase_add_test(tcase, checks_refuse_bad_arguments);
  tcase_add_test(tcase, short_structs_are_filled_in_part);
  tcase_add_test(tcase, targets_in_public_words);
  tcase_add_test(tcase, a_failed_write_is_told);
  tcase_add_test(tcase, options_are_the_targets);
  tcase_add_test(tcase, payloads_count_by_their_worst_or_best);
  tcase_add_test(tcase, met_needs_when_asked_for);
  tcase_add_test(tcase, text_is_folded);
  tcase_add_test(tcase, long_lists_are_cut);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
