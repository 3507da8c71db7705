/* Streams at the edges of what unpicklers take, with what real ones said of each
 * (edge_streams.tsv and edge_more.tsv of tests/data): ok or error, error class, end, lookups in order,
 * persistent ids; whole and in every cut, and in three ways of reading. A row stands for an interpreter;
 * where one has no row for a stream it says what CPython 3.11 says. */
#include <check.h>
#include <picklesight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/answer.h"
#include "support/hex.h"
#include "support/tsv.h"

static const struct interpreter {
  const char *name;
  uint32_t python;
  bool cuts; /* in every cut too */
  pks_read reading;
  bool pypy;
} interpreters[] = {
    {"cpython-3.11", PKS_PYTHON(3, 11, 7), true, PKS_READ_WHOLE, false},
    {"stream-3.11", PKS_PYTHON(3, 11, 7), true, PKS_READ_STREAM, false},
    {"file-3.11", PKS_PYTHON(3, 11, 7), true, PKS_READ_FILE, false},
    {"cpython-2.7", PKS_PYTHON(2, 7, 18), true, PKS_READ_WHOLE, false},
    {"cpython-3.6", PKS_PYTHON(3, 6, 15), false, PKS_READ_WHOLE, false},
    {"cpython-3.7", PKS_PYTHON(3, 7, 16), false, PKS_READ_WHOLE, false},
    {"cpython-3.8", PKS_PYTHON(3, 8, 18), false, PKS_READ_WHOLE, false},
    {"cpython-3.9", PKS_PYTHON(3, 9, 18), false, PKS_READ_WHOLE, false},
    {"cpython-3.10", PKS_PYTHON(3, 10, 13), false, PKS_READ_WHOLE, false},
    {"cpython-3.12", PKS_PYTHON(3, 12, 1), false, PKS_READ_WHOLE, false},
    {"cpython-3.13", PKS_PYTHON(3, 13, 0), false, PKS_READ_WHOLE, false},
    {"cpython-3.14.2-wasm32", PKS_PYTHON(3, 14, 2), false, PKS_READ_WHOLE, false},
    {"cpython-3.15.0rc1-wasm32", PKS_PYTHON(3, 15, 0), false, PKS_READ_WHOLE, false},
    {"pypy-3.9", PKS_PYTHON(3, 9, 16), true, PKS_READ_WHOLE, true},
};
#define INTERPRETERS (sizeof interpreters / sizeof *interpreters)

static const char *const tables[] = {"tests/data/edge_streams.tsv", "tests/data/edge_more.tsv"};
static tsv *table;
static struct {
  size_t interpreter, hex, encoding, errors, buffers, persid, stub, ok, exception, consumed,
      globals, ids, note;
} col;

static void load(const char *path) {
  table = tsv_read(path);
  col.interpreter = tsv_column(table, "interpreter");
  col.hex = tsv_column(table, "hex");
  col.encoding = tsv_column(table, "encoding");
  col.errors = tsv_column(table, "errors");
  col.buffers = tsv_column(table, "buffers");
  col.persid = tsv_column(table, "persid");
  col.stub = tsv_column(table, "stub");
  col.ok = tsv_column(table, "ok");
  col.exception = tsv_column(table, "exception");
  col.consumed = tsv_column(table, "consumed");
  col.globals = tsv_column(table, "globals");
  col.ids = tsv_column(table, "persistent_ids");
  col.note = tsv_column(table, "note");
}

static bool same_stream(const tsv_row *a, const tsv_row *b) {
  size_t columns[] = {col.hex, col.encoding, col.errors, col.buffers, col.persid, col.stub};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    if (strcmp(tsv_field(a, columns[i]), tsv_field(b, columns[i])) != 0) return false;
  return true;
}

/* ---- comparing ---------------------------------------------------------------------------------------- */

typedef struct run {
  pks_inspector *f;
  const uint8_t *data;
  size_t size;
  answer whole;
  const char *what;
} run;

/* MemoryError is what is left of a refusal whose class depends on the machine (the reference build
 * allocates first); a refusal of either class is the same answer. */
static bool same_exception(const char *said, const char *want) {
  return strcmp(said, want) == 0 || strcmp(said, "-") == 0 || strcmp(want, "MemoryError") == 0 ||
         strcmp(said, "MemoryError") == 0;
}

/* The two newest columns come from 32-bit builds, where an index or length of 2^31 is too large. */
static bool is_size32(const struct interpreter *who, const char *want) {
  bool large = strcmp(want, "OverflowError") == 0 || strcmp(want, "IndexError") == 0;
  return large && strstr(who->name, "wasm32") != NULL;
}

static size_t failures;

/* own: the row is of this interpreter. Another's end is not that of a reader who leaves the file at the
 * end of a frame. */
static void check_row(const tsv_row *row, const struct interpreter *who, bool own) {
  size_t size;
  uint8_t *data = hex_decode(tsv_field(row, col.hex), &size);
  const char *encoding = tsv_field(row, col.encoding), *errors = tsv_field(row, col.errors);
  const char *buffers = tsv_field(row, col.buffers), *consumed = tsv_field(row, col.consumed);
  pks_options options = {.size = sizeof options};
  pks_options_init(&options);
  options.python = who->python;
  options.implementation = who->pypy ? PKS_IMPLEMENTATION_PYPY : PKS_IMPLEMENTATION_CPYTHON;
  options.reading = who->reading;
  options.opaque = PKS_OPAQUE_INERT;
  options.encoding = *encoding ? encoding : NULL;
  options.errors = *errors ? errors : NULL;
  options.buffers = *buffers ? atoll(buffers) : PKS_BUFFERS_NONE;
  options.persistent_load = *tsv_field(row, col.persid) == '1' ? PKS_ANSWER_YES : PKS_ANSWER_NO;
  options.events = 1;
  run r = {.f = pks_inspector_new(&options, NULL, NULL),
           .data = data,
           .size = size,
           .what = tsv_field(row, col.note)};
  ck_assert_ptr_nonnull(r.f);
  answer_read(r.f, pks_inspect(r.f, data, size, NULL), true, &r.whole);
  bool ok = *tsv_field(row, col.ok) == '1';
  bool same = r.whole.ok == ok && strcmp(r.whole.lookups, tsv_field(row, col.globals)) == 0 &&
              r.whole.ids == (uint64_t)atoll(tsv_field(row, col.ids)) &&
              (ok || same_exception(r.whole.exception, tsv_field(row, col.exception))) &&
              (!ok || *consumed == '-' || (!own && (who->pypy || who->reading != PKS_READ_WHOLE)) ||
               r.whole.consumed == (uint64_t)atoll(consumed));
  if (!same && !is_size32(who, tsv_field(row, col.exception))) {
    failures++;
    fprintf(stderr, "%s: %s (%.60s): %s %s %llu, real: %s %s %s\n", who->name,
            tsv_field(row, col.note), tsv_field(row, col.hex), r.whole.exception, r.whole.lookups,
            (unsigned long long)r.whole.consumed, tsv_field(row, col.exception),
            tsv_field(row, col.globals), consumed);
  }
  char *differs = who->cuts ? answer_in_every_cut(r.f, r.data, r.size, true, &r.whole) : NULL;
  ck_assert_msg(!differs, "%s, %s", r.what, differs);
  answer_free(&r.whole);
  pks_inspector_free(r.f);
  free(data);
}

/* How many streams there are. only: those that the interpreter has a row of its own for. */
static size_t check_table(const struct interpreter *who, bool only) {
  size_t checked = 0;
  for (size_t i = 0; i < table->count; i++) {
    const tsv_row *row = &table->row[i];
    if (strcmp(tsv_field(row, col.interpreter), "cpython-3.11") != 0) continue;
    if (strcmp(tsv_field(row, col.stub), "type") != 0) continue;
    const tsv_row *own = row;
    for (size_t j = i; j < table->count && same_stream(row, &table->row[j]); j++)
      if (strcmp(tsv_field(&table->row[j], col.interpreter), who->name) == 0) own = &table->row[j];
    if (!only || own != row) check_row(own, who, own != row);
    checked++;
  }
  return checked;
}

START_TEST(interpreter_agrees) {
  size_t checked = 0;
  failures = 0;
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    load(tables[i]);
    checked +=
        check_table(&interpreters[_i], i > 0 && interpreters[_i].python < PKS_PYTHON(3, 0, 0));
    tsv_free(table);
  }
  ck_assert_uint_gt(checked, 510);
  ck_assert_uint_eq(failures, 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("edges");
  TCase *agree = tcase_create("agree");
  tcase_set_timeout(agree, 120);
  tcase_add_loop_test(agree, interpreter_agrees, 0, (int)INTERPRETERS);
  suite_add_tcase(suite, agree);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
