/* Ways of reading: what a stream, a file and Python 2.7 make of frames, lines and marks, as real ones
 * said; and the readings that differ from the one that was asked for. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/facts.h"
#include "support/answer.h"
#include "support/asm.h"
#include "support/chunks.h"
#include "support/failing.h"
#include "support/hex.h"
#include "support/trace.h"
#include "support/tsv.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PY37 PKS_PYTHON(3, 7, 16)
#define PY311 PKS_PYTHON(3, 11, 7)
#define PY314 PKS_PYTHON(3, 14, 2)
#define PY315 PKS_PYTHON(3, 15, 0)

static pks_options options_for(uint32_t python, pks_read reading, uint32_t buffer) {
  pks_options options = {.size = sizeof options};
  pks_options_init(&options);
  options.python = python;
  options.reading = reading;
  options.file_buffer = buffer;
  options.opaque = PKS_OPAQUE_INERT;
  options.buffers = PKS_BUFFERS_NONE;
  options.persistent_load = PKS_ANSWER_YES;
  options.extensions = PKS_ANSWER_NO;
  options.events = 1;
  return options;
}

/* ---- what real ones said ----------------------------------------------------------------------------- */

typedef struct run {
  pks_inspector *f;
  const uint8_t *data;
  size_t size;
  answer whole;
  uint64_t offset; /* of the error */
  const char *what;
} run;

static uint64_t error_offset(const pks_inspector *f) {
  pks_error e = {.size = sizeof e};
  pks_inspector_error(f, &e);
  return e.offset;
}

static bool cut_is_same(void *user, const size_t *cuts, size_t count) {
  run *r = user;
  answer a;
  static const size_t none;
  pks_status status = trace_inspect(r->f, r->data, r->size, cuts ? cuts : &none, count);
  answer_read(r->f, status, true, &a);
  pks_summary s = {.size = sizeof s};
  pks_inspector_summary(r->f, &s); /* a frame past max_frame is read on in pieces, and named */
  ck_assert_msg(s.limit == PKS_E_LIMIT_FRAME ||
                    (answer_same(&a, &r->whole) && error_offset(r->f) == r->offset),
                "%s, cut %s: %s %s %d, whole: %s %s %d", r->what, chunks_text(r->size, cuts, count),
                a.exception, a.lookups, (int)a.consumed, r->whole.exception, r->whole.lookups,
                (int)r->whole.consumed);
  answer_free(&a);
  return true;
}

enum { PYTHON, READ, BUFFER, HEX, OK, EXCEPTION, CONSUMED, GLOBALS, IDS };

static void check_row(const tsv_row *row) {
  unsigned major, minor, micro;
  size_t size;
  ck_assert_int_eq(sscanf(tsv_field(row, PYTHON), "%u.%u.%u", &major, &minor, &micro), 3);
  pks_read reading = *tsv_field(row, READ) == 'w'   ? PKS_READ_WHOLE
                     : *tsv_field(row, READ) == 's' ? PKS_READ_STREAM
                                                    : PKS_READ_FILE;
  pks_options options =
      options_for(PKS_PYTHON(major, minor, micro), reading, (uint32_t)atoi(tsv_field(row, BUFFER)));
  uint8_t *data = hex_decode(tsv_field(row, HEX), &size);
  run r = {.f = pks_inspector_new(&options, NULL, NULL),
           .data = data,
           .size = size,
           .what = tsv_field(row, HEX)};
  answer_read(r.f, pks_inspect(r.f, data, size, NULL), true, &r.whole);
  r.offset = error_offset(r.f);
  bool ok = *tsv_field(row, OK) == '1';
  bool same = r.whole.ok == ok && strcmp(r.whole.exception, tsv_field(row, EXCEPTION)) == 0 &&
              (!ok || r.whole.consumed == (uint64_t)atoll(tsv_field(row, CONSUMED))) &&
              strcmp(r.whole.lookups, tsv_field(row, GLOBALS)) == 0 &&
              r.whole.ids == (uint64_t)atoll(tsv_field(row, IDS));
  ck_assert_msg(same, "%s %s %s %s: %s %d %s", tsv_field(row, PYTHON), tsv_field(row, READ),
                tsv_field(row, BUFFER), tsv_field(row, HEX), r.whole.exception,
                (int)r.whole.consumed, r.whole.lookups);
  chunks_each(size, cut_is_same, &r);
  answer_free(&r.whole);
  pks_inspector_free(r.f);
  free(data);
}

START_TEST(as_real_ones) {
  tsv *table = tsv_read("tests/data/reading_streams.tsv");
  ck_assert_uint_gt(table->count, 800);
  for (size_t i = (size_t)_i; i < table->count; i += 4) check_row(&table->row[i]);
  tsv_free(table);
}
END_TEST

/* ---- a file's buffer --------------------------------------------------------------------------------- */

/* `before` bytes, and then a frame whose end a name crosses. A frame that the buffer holds whole keeps
 * it together. Asked of 3.11.7 with io.BufferedReader. */
static const struct {
  size_t before;
  uint32_t buffer;
  const char *name;
} edges[] = {{4084, 4096, "tem"},      {4084, 8192, "system"},  {8160, 8192, "system"},
             {8171, 8192, "system"},   {8172, 8192, "system"},  {8176, 8192, "system"},
             {8180, 4096, "tem"},      {8180, 8192, "tem"},     {8180, 0, "tem"},
             {8180, 131072, "system"}, {8184, 8192, "system"},  {8190, 8192, "system"},
             {8192, 8192, "system"},   {131060, 131072, "tem"}, {131060, 0, "tem"}};

START_TEST(at_the_edge_of_a_buffer) {
  static const uint8_t framed[] = "\x95\x07\0\0\0\0\0\0\0cos\nsystem\n.";
  size_t before = edges[_i].before, size = before + sizeof framed - 1;
  uint8_t *data = malloc(size);
  for (size_t i = 0; i < before; i += 2) memcpy(data + i, "N0", 2);
  memcpy(data + before, framed, sizeof framed - 1);
  pks_options options = options_for(PY311, PKS_READ_FILE, edges[_i].buffer);
  pks_inspector *f = pks_inspector_new(&options, NULL, NULL);
  size_t consumed = 0;
  ck_assert_int_eq(pks_inspect(f, data, size, &consumed), PKS_END);
  ck_assert_uint_eq(consumed, size);
  pks_global g = {.size = sizeof g};
  ck_assert_int_eq(pks_inspector_global(f, 0, &g), PKS_OK);
  ck_assert_msg(g.name.size == strlen(edges[_i].name) &&
                    memcmp(g.name.data, edges[_i].name, g.name.size) == 0,
                "%.*s", (int)g.name.size, (const char *)g.name.data);
  pks_summary s = {.size = sizeof s};
  pks_inspector_summary(f, &s);
  ck_assert(s.ambiguous);
  pks_inspector_free(f);
  free(data);
}
END_TEST

/* ---- other readings ---------------------------------------------------------------------------------- */

static const char *way_name(pks_read way) {
  return way == PKS_READ_WHOLE ? "whole" : way == PKS_READ_STREAM ? "stream" : "file";
}

/* A line for each reading: profile, way, status, names. */
static char *readings_text(const pks_inspector *f) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  pks_other_reading r = {.size = sizeof r};
  const pks_inspector *other;
  for (size_t i = 0; (other = pks_inspector_reading(f, i, &r)) != NULL; i++) {
    pks_summary s = {.size = sizeof s};
    pks_inspector_summary(other, &s);
    fprintf(out, "%s %s %s", r.profile, way_name(r.read), pks_status_name(r.status));
    for (size_t j = 0; j < s.globals; j++) {
      pks_global g = {.size = sizeof g};
      ck_assert_int_eq(pks_inspector_global(other, j, &g), PKS_OK);
      fprintf(out, " %.*s.%.*s", (int)g.module.size, (const char *)g.module.data, (int)g.name.size,
              (const char *)g.name.data);
    }
    fputc('\n', out);
  }
  fclose(out);
  return text;
}

static const struct {
  const char *program;
  uint32_t python;
  pks_read reading;
  const char *want;
} reading_rows[] = {
    /* nothing of the sort */
    {"PROTO 4 FRAME 2 NONE STOP", PY311, PKS_READ_WHOLE, ""},
    {"INT '12' INT '00' INT '-5' LONG '12L' LONG '-3' STOP", PY311, PKS_READ_WHOLE, ""},
    /* an argument crosses the end of its frame */
    {"FRAME 7 GLOBAL 'os' 'system' STOP", PY311, PKS_READ_WHOLE,
     "cpython-3.11 stream END os.tem\ncpython-3.15 whole E_FRAME\n"},
    {"FRAME 7 GLOBAL 'os' 'system' STOP", PY311, PKS_READ_STREAM,
     "cpython-3.11 whole END os.system\ncpython-3.15 stream E_FRAME\n"},
    {"FRAME 7 GLOBAL 'os' 'system' STOP", PY311, PKS_READ_FILE,
     "cpython-3.11 stream END os.tem\ncpython-3.15 file E_FRAME\n"},
    {"FRAME 7 GLOBAL 'os' 'system' STOP", PY315, PKS_READ_WHOLE,
     "cpython-3.14 whole END os.system\ncpython-3.14 stream END os.tem\n"},
    /* bytes take the rest of the window from 3.8 on: only strict frames differ, and 3.7 */
    {"FRAME 4 SHORT_BINBYTES 'abcd' STOP", PY311, PKS_READ_WHOLE, "cpython-3.15 whole E_FRAME\n"},
    {"FRAME 4 SHORT_BINBYTES 'abcd' STOP", PY37, PKS_READ_WHOLE,
     "cpython-3.7 stream E_TRUNCATED\n"},
    /* a value that crosses is another value, and nothing else */
    {"FRAME 2 BININT2 0x107 NONE STOP", PY314, PKS_READ_WHOLE, "cpython-3.15 whole E_FRAME\n"},
    /* a frame starts in a frame */
    {"FRAME 15 FRAME 7 GLOBAL 'os' 'x' NONE NONE NONE NONE NONE NONE STOP", PY311, PKS_READ_WHOLE,
     "cpython-3.11 stream END\ncpython-3.15 whole E_FRAME\n"},
    {"FRAME 16 FRAME 7 GLOBAL 'os' 'x' NONE NONE NONE NONE NONE NONE STOP", PY311, PKS_READ_WHOLE,
     "cpython-3.15 whole E_FRAME\n"},
    /* numbers */
    {"INT '0x1F' GLOBAL 'os' 'x' STOP", PY311, PKS_READ_WHOLE, "cpython-3.14 whole E_ARGUMENT\n"},
    {"GLOBAL 'os' 'x' INT '0x1F' STOP", PY314, PKS_READ_WHOLE, "cpython-3.13 whole END os.x\n"},
    {"INT '08' GLOBAL 'os' 'x' STOP", PY311, PKS_READ_WHOLE, "cpython-3.14 whole END os.x\n"},
    {"INT '010' STOP", PY311, PKS_READ_WHOLE, ""}, /* 8 or 10: nobody asks */
    {"EMPTY_LIST MARK NONE NONE NONE NONE NONE NONE NONE NONE NONE APPENDS INT '010' NONE SETITEM "
     "GLOBAL 'os' 'x' STOP",
     PY311, PKS_READ_WHOLE, "cpython-3.14 whole E_OPERAND\n"},
    /* the memo of 3.15 counts its array's entries */
    {"GLOBAL 'os' 'a' BINPUT 0 LONG_BINPUT 100000 GLOBAL 'os' 'b' MEMOIZE BINGET 2 STOP", PY311,
     PKS_READ_WHOLE, "cpython-3.15 whole E_MEMO os.a os.b\n"},
    {"NONE MARK APPENDS GLOBAL 'os' 'a' STOP", PY314, PKS_READ_WHOLE,
     "cpython-3.15 whole E_OPERAND\n"},
    {"NONE MARK APPENDS GLOBAL 'os' 'a' STOP", PY315, PKS_READ_WHOLE,
     "cpython-3.14 whole END os.a\n"},
    /* what only younger ones read is no other reading */
    {"PROTO 5 INT '010' STOP", PY311, PKS_READ_WHOLE, ""},
    {"GLOBAL 'os' 'x' PROTO 5 INT '0x10' STOP", PY311, PKS_READ_WHOLE,
     "cpython-3.14 whole E_ARGUMENT os.x\n"},
    /* who is too old stops there, but not before */
    {"INT '0x10' GLOBAL 'os' 'x' PROTO 5 STOP", PY37, PKS_READ_WHOLE,
     "cpython-3.14 whole E_ARGUMENT\n"},
    /* strict frames came to those that read 0x1F, too: and then nobody reads both */
    {"INT '0x1F' GLOBAL 'a' 'b' FRAME 7 GLOBAL 'os' 'system' GLOBAL 'c' 'd' STOP", PY314,
     PKS_READ_WHOLE,
     "cpython-3.13 whole END a.b os.system c.d\ncpython-3.13 stream END a.b os.tem c.d\n"
     "cpython-3.13.15 whole E_FRAME a.b\n"},
    {"INT '08' GLOBAL 'a' 'b' FRAME 7 GLOBAL 'os' 'system' STOP", PY314, PKS_READ_WHOLE,
     "cpython-3.14 stream END a.b os.tem\ncpython-3.13 whole E_ARGUMENT\n"
     "cpython-3.15 whole E_FRAME a.b\n"},
    /* names of Python 2 that not all map */
    {"GLOBAL 'Tix' 'Tk' STOP", PY314, PKS_READ_WHOLE, "cpython-3.12 whole END tkinter.tix.Tk\n"},
    {"GLOBAL 'Tix' 'Tk' STOP", PY311, PKS_READ_WHOLE, "cpython-3.14 whole END Tix.Tk\n"},
    {"PROTO 3 GLOBAL 'Tix' 'Tk' STOP", PY314, PKS_READ_WHOLE, ""},
    {"GLOBAL 'CGIHTTPServer' 'x' STOP", PY314, PKS_READ_WHOLE,
     "cpython-3.15 whole END CGIHTTPServer.x\n"},
    {"GLOBAL 'CGIHTTPServer' 'x' STOP", PY315, PKS_READ_WHOLE,
     "cpython-3.14 whole END http.server.x\n"},
    {"GLOBAL 'commands' 'getoutput' STOP", PY314, PKS_READ_WHOLE, ""},
    /* what no Python 3 reads, Python 2 may */
    {"GLOBAL 'os' 'x' NONE MARK STOP", PY314, PKS_READ_WHOLE, "cpython-2.7 whole END os.x\n"},
    {"GLOBAL 'os' 'x' NONE MARK TUPLE2 POP POP", PY314, PKS_READ_WHOLE, ""}, /* nor that */
    {"NONE MARK NONE TUPLE2 GLOBAL 'os' 'x'", PY314, PKS_READ_WHOLE,
     "cpython-2.7 whole E_TRUNCATED os.x\n"},
    {"PROTO 3 NONE MARK STOP", PY314, PKS_READ_WHOLE, ""},
    {"NONE PUT '0' GET '00' STOP", PKS_PYTHON(2, 7, 18), PKS_READ_WHOLE,
     "cpython-3.14 whole END\n"},
    {"NONE SHORT_BINUNICODE 'a' STOP", PKS_PYTHON(2, 7, 18), PKS_READ_WHOLE, ""},
    /* names that only a run could tell are the same when they stand at the same place */
    {"INT '0x1F' GLOBAL 'a' 'b' SHORT_BINUNICODE 'x' STACK_GLOBAL INT '+1' STOP", PY311,
     PKS_READ_WHOLE, "cpython-3.14 whole E_ARGUMENT\n"},
    {"GLOBAL 'a' 'b' SHORT_BINUNICODE 'x' STACK_GLOBAL INT '+1' STOP", PY311, PKS_READ_WHOLE, ""},
    /* one oddity hides another until it is read past */
    {"INT '0x1F' FRAME 7 GLOBAL 'os' 'system' STOP", PY314, PKS_READ_WHOLE,
     "cpython-3.13 whole END os.system\ncpython-3.13 stream END os.tem\n"},
};

START_TEST(other_readings) {
  pks_options options = options_for(reading_rows[_i].python, reading_rows[_i].reading, 0);
  pks_inspector *f = pks_inspector_new(&options, NULL, NULL);
  pickle p = pickle_of(reading_rows[_i].program);
  for (int again = 0; again < 2; again++) {
    trace_inspect(f, p.data, p.size, NULL, 0);
    char *text = readings_text(f);
    ck_assert_msg(strcmp(text, reading_rows[_i].want) == 0, "%s:\n%s", reading_rows[_i].program,
                  text);
    pks_summary s = {.size = sizeof s};
    pks_inspector_summary(f, &s);
    ck_assert_int_eq(s.ambiguous != 0, *reading_rows[_i].want != 0);
    ck_assert_int_eq(s.readings != 0, *reading_rows[_i].want != 0);
    free(text);
  }
  /* in pieces it may be ambiguous, and then says so */
  size_t half[] = {p.size / 2};
  trace_inspect(f, p.data, p.size, half, 1);
  pks_summary s = {.size = sizeof s};
  pks_inspector_summary(f, &s);
  bool python2 = strstr(reading_rows[_i].want, "cpython-2.7") || options.python < 0x030000;
  ck_assert(s.ambiguous || !*reading_rows[_i].want || python2); /* that is known whole only */
  ck_assert_uint_eq(s.readings, 0);
  ck_assert_ptr_null(pks_inspector_reading(f, 0, NULL));
  pks_inspector_reset(f);
  ck_assert_ptr_null(pks_inspector_reading(f, 0, NULL));
  pks_inspector_free(f);
  pickle_free(&p);
}
END_TEST

START_TEST(readings_and_memory) {
  pickle p = pickle_of("FRAME 7 GLOBAL 'os' 'system' INT '0x10' STOP");
  pks_options options = options_for(PY311, PKS_READ_WHOLE, 0);
  for (size_t n = 1;; n++) { /* each request is refused once */
    failing memory;
    failing_init(&memory, n);
    pks_inspector *f = pks_inspector_new(&options, NULL, &memory.alloc);
    pks_status status = f ? pks_inspect(f, p.data, p.size, NULL) : PKS_E_NO_MEMORY;
    bool refused = memory.calls >= n;
    ck_assert_int_eq(status, refused ? PKS_E_NO_MEMORY : PKS_END);
    memory.fail_at = 0;
    if (f) ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
    size_t calls = memory.calls;
    if (f) ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
    ck_assert_uint_eq(memory.calls, calls); /* what was made is used again */
    pks_inspector_free(f);
    ck_assert_uint_eq(memory.blocks, 0);
    if (!refused) break;
  }
  for (uint64_t most = sizeof(pks_inspector) + 20000; most < 1 << 20; most += 9973) {
    pks_limits limits = {.size = sizeof limits};
    failing memory;
    failing_init(&memory, 0);
    pks_limits_init(&limits);
    limits.max_memory = most;
    pks_inspector *f = pks_inspector_new(&options, &limits, &memory.alloc);
    ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
    ck_assert_uint_le(memory.peak, most);
    pks_summary s = {.size = sizeof s};
    pks_inspector_summary(f, &s);
    ck_assert(s.ambiguous);
    ck_assert(s.limit == PKS_E_LIMIT_MEMORY ? !s.complete : s.complete && s.readings == 4);
    pks_inspector_free(f);
  }
  pickle_free(&p);
}
END_TEST

START_TEST(ordinary_payloads_are_read_once) {
  pickle p = pickle_of("PROTO 4 FRAME 17 EMPTY_LIST MEMOIZE MARK SHORT_BINUNICODE 'a' MEMOIZE "
                       "SHORT_BINUNICODE 'b' MEMOIZE BININT1 1 BININT1 2 APPENDS STOP");
  pks_options options = options_for(PY311, PKS_READ_WHOLE, 0);
  pks_inspector *f = pks_inspector_new(&options, NULL, NULL);
  ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
  ck_assert_uint_eq(f->others.count, 0);
  pks_inspector_free(f);
  pickle_free(&p);
}
END_TEST

START_TEST(bad_arguments) {
  pks_options options = options_for(PY311, (pks_read)3, 0);
  ck_assert_ptr_null(pks_inspector_new(&options, NULL, NULL));
  options.reading = PKS_READ_STREAM;
  pks_inspector *f = pks_inspector_new(&options, NULL, NULL);
  pks_other_reading r = {.size = 0};
  ck_assert_int_eq(pks_inspect(f, "N.", 2, NULL), PKS_END);
  pks_input in = {(const uint8_t *)"N.", 2, 0};
  ck_assert_int_eq(pks_inspector_feed(f, &in), PKS_E_USAGE); /* it was given whole */
  ck_assert_ptr_null(pks_inspector_reading(NULL, 0, NULL));
  ck_assert_ptr_null(pks_inspector_reading(f, 0, &r));
  pks_inspector_free(f);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("reading");
  TCase *real = tcase_create("real"), *others = tcase_create("others");
  tcase_set_timeout(real, 120);
  tcase_add_loop_test(real, as_real_ones, 0, 4);
  tcase_add_loop_test(real, at_the_edge_of_a_buffer, 0, (int)COUNT(edges));
  tcase_add_loop_test(others, other_readings, 0, (int)COUNT(reading_rows));
  tcase_add_test(others, readings_and_memory);
  tcase_add_test(others, ordinary_payloads_are_read_once);
  tcase_add_test(others, bad_arguments);
  suite_add_tcase(suite, real);
  suite_add_tcase(suite, others);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
