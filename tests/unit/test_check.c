/* Requirements against targets: verdicts, states, sentences; the public level 3. */
#include <check.h>
#include <picklesight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/asm.h"
#include "support/checks.h"
#include "support/chunks.h"
#include "support/failing.h"
#include "support/suite.h"
#include "support/trace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- what follows from a program -------------------------------------------------------------------- */

static const struct row {
  const char *target, *how, *program, *want;
} rows[] = {
    {"cpython-3.12", NULL, "NONE STOP", "loads: yes yes none\n"},
    /* modules named in arguments */
    {"cpython-3.12", NULL,
     "GLOBAL 'importlib' 'import_module' SHORT_BINUNICODE 'asyncore' TUPLE1 REDUCE STOP",
     "fails: yes no none\nload module missing 'module asyncore' @36\n"},
    {"cpython-3.12", NULL,
     "GLOBAL 'builtins' '__import__' SHORT_BINUNICODE 'json' TUPLE1 REDUCE STOP",
     "loads: yes yes none\n"},
    {"cpython-3.12 dill==0.4.1", NULL,
     "GLOBAL 'dill._dill' '_import_module' SHORT_BINUNICODE 'json.loads' TUPLE1 REDUCE STOP",
     "loads: yes yes none\n"},
    {"cpython-3.12 dill==0.4.1", NULL,
     "GLOBAL 'dill._dill' '_import_module' SHORT_BINUNICODE 'json.decoder' TUPLE1 REDUCE STOP",
     "loads: yes yes none\n"},
    {"cpython-3.12 dill==0.4.1", NULL,
     "GLOBAL 'dill._dill' '_import_module' SHORT_BINUNICODE 'json.nothing' TUPLE1 REDUCE STOP",
     "fails: yes no none\nload attribute missing 'attribute json.nothing' @42\n"},
    {"cpython-3.12 dill==0.4.1", NULL,
     "GLOBAL 'dill._dill' '_import_module' SHORT_BINUNICODE 'json.nothing' NEWTRUE TUPLE2 REDUCE "
     "STOP",
     "loads: yes yes none\n"},
    /* cloudpickle 0.5.4 gives a module's name as globals, which 0.5.3 does not take */
    {"cpython-3.6 cloudpickle==0.5.4", NULL,
     "GLOBAL 'cloudpickle.cloudpickle' '_make_skel_func' NONE BININT1 0 SHORT_BINUNICODE 'm' "
     "TUPLE3 REDUCE STOP",
     "loads: yes yes none\n"},
    {"cpython-3.6 cloudpickle==0.5.3", NULL,
     "GLOBAL 'cloudpickle.cloudpickle' '_make_skel_func' NONE BININT1 0 SHORT_BINUNICODE 'm' "
     "TUPLE3 REDUCE STOP",
     "fails: yes no none\nload helper different '_make_skel_func with a module's name' @48\n"},
    /* a loader with a list of names */
    {"{\"schema\":\"pickle-target/1\",\"implementation\":\"cpython\",\"version\":[3,12],"
     "\"loader\":{\"allowed\":[\"json.loads\"]}}",
     NULL, "GLOBAL 'json' 'loads' STOP", "loads: yes yes none\n"},
    {"{\"schema\":\"pickle-target/1\",\"implementation\":\"cpython\",\"version\":[3,12],"
     "\"loader\":{\"allowed\":[\"json.loads\"]}}",
     NULL, "GLOBAL 'json' 'dumps' STOP",
     "fails: yes no none\nload loader missing 'loader json.dumps' @0\n"},
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
    {"cpython-3.14.7", NULL, "FRAME 11 FRAME 2 NONE STOP",
     "fails: no yes none\nparse frame different 'frame that the unpickler takes' @9\n"},
    /* that came within a version: not known of two numbers, known of three */
    {"cpython-3.13.5", NULL, "FRAME 3 SHORT_BINUNICODE 'abc' STOP", "loads: yes yes none\n"},
    {"cpython-3.14.2", NULL, "FRAME 11 FRAME 2 NONE STOP", "loads: yes yes none\n"},
    {"cpython-3.13", NULL, "FRAME 3 SHORT_BINUNICODE 'abc' STOP",
     "unsure: unknown yes none\nparse frame unknown 'frame that the unpickler takes' @9\n"},
    {"cpython-3.14", NULL, "FRAME 11 FRAME 2 NONE STOP",
     "unsure: unknown yes none\nparse frame unknown 'frame that the unpickler takes' @9\n"},
    {"cpython-3.14", NULL, "FRAME 3 SHORT_BINUNICODE 'abc' GLOBAL 'json' 'nothing' STOP",
     "fails: unknown no none\nparse frame unknown 'frame that the unpickler takes' @9\n"
     "load attribute missing 'attribute json.nothing' @14\n"},
    /* PyPy's unpickler is another one, and read as that */
    {"pypy-3.9", NULL, "INT '010' STOP",
     "fails: no yes none\nparse number different 'number that the unpickler takes' @0\n"},
    {"pypy-3.9", NULL, "FLOAT '1_0' STOP", "loads: yes yes none\n"},
    {"pypy-3.9", NULL, "GLOBAL 'json' 'nothing' EMPTY_LIST REDUCE STOP",
     "fails: yes no none\nload attribute missing 'attribute json.nothing' @0\n"},
    {"pypy-3.9", NULL, "FRAME 3 SHORT_BINUNICODE 'abc' STOP",
     "fails: no yes none\nparse frame different 'frame that the unpickler takes' @9\n"},
    {"pypy-3.9", NULL, "NONE POP STOP",
     "broken: no yes none\nparse opcode different 'opcode that the unpickler takes' @2\n"},
    {"pypy-3.9", NULL, "PROTO 4 INT '12' FLOAT '1.5' STOP", "loads: yes yes none\n"},
    /* broken is what nobody reads; what another Python reads fails here */
    {"cpython-3.12", NULL, "NONE MARK STOP",
     "fails: no yes none\nparse opcode different 'opcode that the unpickler takes' @2\n"},
    {"cpython-2.7", NULL, "NONE MARK STOP", "loads: yes yes none\n"},
    {"cpython-3.12", NULL, "PROTO 3 NONE MARK STOP",
     "broken: no yes none\nparse opcode different 'opcode that the unpickler takes' @4\n"},
    {"cpython-2.7", NULL, "NONE PUT '0' GET '00' STOP",
     "fails: no yes none\nparse opcode different 'opcode that the unpickler takes' @4\n"},
    {"cpython-3.12", NULL, "NONE PUT '0' GET '00' STOP", "loads: yes yes none\n"},
    {"cpython-3.14", NULL, "INT '0x10' STOP",
     "fails: no yes none\nparse number different 'number that the unpickler takes' @0\n"},
    {"cpython-3.13", NULL, "INT '08' STOP",
     "fails: no yes none\nparse number different 'number that the unpickler takes' @0\n"},
    {"cpython-3.15", NULL, "NONE MARK APPENDS STOP",
     "fails: no yes none\nparse opcode different 'opcode that the unpickler takes' @2\n"},
    {"cpython-3.13", NULL, "GLOBAL 'CGIHTTPServer' 'CGIHTTPRequestHandler' STOP",
     "loads: yes yes none\n"},
    {"cpython-3.15", NULL, "GLOBAL 'CGIHTTPServer' 'CGIHTTPRequestHandler' STOP",
     "fails: yes no none\nload module missing 'module CGIHTTPServer' @0\n"},
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
  pks_target *target = check_target(row->target, NULL);
  bool pieces = row->how && strcmp(row->how, "pieces") == 0;
  char *got = check_run(target, row->how, p.data, p.size, pieces ? &p.size : NULL, pieces);
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
  char *got = check_run(s->target, s->row->how, s->p.data, s->p.size, cuts, count);
  ck_assert_msg(strcmp(got, s->whole) == 0, "%s on %s, %s:\n%s", s->row->program, s->row->target,
                chunks_text(s->p.size, cuts, count), got);
  return true;
}

/* The same in every cut, but for what the way of reading decides. */
START_TEST(programs_in_any_cut) {
  cut_state s = {.row = &rows[_i], .p = pickle_of(rows[_i].program)};
  s.target = check_target(rows[_i].target, NULL);
  strcpy(s.whole, check_run(s.target, rows[_i].how, s.p.data, s.p.size, NULL, 0));
  pks_inspector *f = check_inspector(s.target, rows[_i].how);
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
  pks_target *target = check_target(row->target, NULL);
  for (size_t count = 0; count < 2; count++) { /* whole, and cut in the middle */
    size_t cuts[] = {size / 2};
    char *got = check_run(target, row->how, data, size, count ? cuts : NULL, count);
    ck_assert_msg(strcmp(got, row->want) == 0, "%s on %s (%s):\n%s", row->file, row->target,
                  row->how ? row->how : "", got);
  }
  pks_target_free(target);
  free(data);
}
END_TEST

/* ---- without a target -------------------------------------------------------------------------------------- */

START_TEST(needs_of_no_target) {
  size_t size;
  uint8_t *data = read_file(LAMBDA, &size);
  char *got = check_run(NULL, NULL, data, size, NULL, 0);
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
  pks_target *target = check_target("cpython-3.12 cloudpickle==3.1.2", &memory.alloc);
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
  pks_target *changed = check_target("cpython-3.12", NULL);
  for (int round = 0; round < 3; round++)
    for (size_t i = 0; i < COUNT(lookups); i++)
      for (size_t k = 0; k <= COUNT(targets); k++) {
        pks_target *target = k < COUNT(targets) ? check_target(targets[k], NULL) : changed;
        pickle p = pickle_of(lookups[i]);
        char want[4096];
        strcpy(want, check_run(target, NULL, p.data, p.size, NULL, 0));
        pks_inspector *f = check_inspector(target, NULL);
        pks_result result = {.size = sizeof result};
        (void)trace_inspect(f, p.data, p.size, NULL, 0);
        for (int again = 0; again < 2; again++) {
          ck_assert_int_eq(pks_check_run(old, f, target, &result), PKS_OK);
          ck_assert_str_eq(check_text(old, &result), want);
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
  pks_target *target = check_target("cpython-3.12", NULL);
  pks_inspector *f = check_inspector(target, NULL);
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
  pks_target *target = check_target("cpython-3.12", NULL);
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
  pks_inspector *f = check_inspector(NULL, NULL);
  pks_check *check = pks_check_new(NULL);
  pks_result result = {.size = sizeof result}, small = {.size = sizeof(size_t) - 1};
  pks_need need = {.size = sizeof need}, narrow = {.size = 3};
  pks_target *target = check_target("cpython-3.12", NULL), *none = target;
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
  pks_inspector *f = check_inspector(NULL, NULL);
  pks_check *check = pks_check_new(NULL);
  pks_target *target = check_target("cpython-3.12", NULL);
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
    pks_target *target = check_target(pks_target_name(i), NULL);
    ck_assert_int_eq(pks_target_describe(target, &info), PKS_OK);
    ck_assert_str_eq(info.name, pks_target_name(i));
    ck_assert_msg(strncmp(info.id, "sha256:", 7) == 0 && strlen(info.id) == 71, "%s", info.id);
    ck_assert_str_eq(info.version, strrchr(info.name, '-') + 1);
    ck_assert_uint_eq(info.python & 0xff, 0xff);
    ck_assert(info.magic != 0 && info.max_protocol >= 2);
    pks_target_free(target);
  }
  pks_target *target = check_target(WORKER, NULL);
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
  pks_target *target = check_target("cpython-3.12", NULL);
  int calls = 0;
  ck_assert_int_eq(pks_target_write(target, stop_at_second, &calls), PKS_E_IO);
  ck_assert_int_eq(calls, 2);
  pks_target_free(target);
}
END_TEST

START_TEST(options_are_the_targets) {
  pks_options options = {.size = sizeof options};
  pks_target *target = check_target(WORKER, NULL);
  ck_assert_int_eq(pks_options_init(&options), PKS_OK);
  ck_assert_int_eq(pks_target_options(target, &options), PKS_OK);
  ck_assert_uint_eq(options.python, PKS_PYTHON(3, 12, 1));
  ck_assert_str_eq(options.encoding, "latin1");
  ck_assert_int_eq(options.persistent_load, PKS_ANSWER_UNKNOWN);
  options.encoding = "bytes";
  ck_assert_int_eq(pks_target_options(target, &options), PKS_OK);
  ck_assert_str_eq(options.encoding, "bytes");
  pks_target_free(target);
  target = check_target("cpython-3.9 loader=torch", NULL);
  ck_assert_int_eq(pks_options_init(&options), PKS_OK);
  ck_assert_int_eq(pks_target_options(target, &options), PKS_OK);
  ck_assert_uint_eq(options.python, PKS_PYTHON(3, 9, 0xff));
  ck_assert_ptr_null(options.encoding); /* ASCII: the check compares it */
  ck_assert_int_eq(options.persistent_load, PKS_ANSWER_YES);
  pks_target_free(target);
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------------ */

int main(void) {
  Suite *suite = suite_create("check");
  TCase *tcase = suite_case(suite, "check");
  tcase_add_loop_test(tcase, programs, 0, COUNT(rows));
  tcase_add_loop_test(tcase, programs_in_any_cut, 0, COUNT(rows));
  tcase_add_loop_test(tcase, real_payloads, 0, COUNT(reals));
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
  return suite_run(suite);
}
