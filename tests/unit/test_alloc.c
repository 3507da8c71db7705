/* Memory: every request refused in turn, over real payloads and over large ones made here; a reused object
 * allocates nothing; how much a payload costs at the peak. */
#include <check.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"
#include "support/asm.h"
#include "support/failing.h"
#include "support/trace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ALL "gckmxeas" /* every list of trace_facts */

/* ---- pieces ------------------------------------------------------------------------------------ */

typedef struct cuts {
  size_t *at, count;
} cuts;

static cuts cut_every(size_t size, size_t piece) {
  cuts c = {calloc(size / piece + 1, sizeof *c.at), 0};
  for (size_t at = piece; at < size; at += piece) c.at[c.count++] = at;
  return c;
}

/* ---- one inspector with one request refused ------------------------------------------------------- */

static pks_read reading; /* of the test at hand */

static pks_options options_with_events(void) {
  pks_options options = {.size = sizeof options};
  pks_options_init(&options);
  options.events = 1;
  options.reading = reading;
  options.file_buffer = 16;
  return options;
}

typedef struct subject {
  const char *name;
  const uint8_t *data;
  size_t size;
  const cuts *pieces;   /* NULL: whole */
  char *events, *facts; /* when nothing is refused */
} subject;

static pks_status read_it(pks_inspector *f, const subject *s) {
  if (!s->pieces) return trace_inspect(f, s->data, s->size, NULL, 0);
  return trace_inspect(f, s->data, s->size, s->pieces->at, s->pieces->count);
}

/* The n-th request is refused: E_NO_MEMORY, what was found before stays, and after a reset all is as if
 * it had not been. Returns whether there was an n-th request. */
static bool refuse(const subject *s, size_t n) {
  failing memory;
  pks_options options = options_with_events();
  failing_init(&memory, n);
  pks_inspector *f = pks_inspector_new(&options, NULL, &memory.alloc);
  if (f) {
    pks_status status = read_it(f, s);
    bool refused = memory.calls >= n;
    pks_error error = {.size = sizeof error};
    pks_inspector_error(f, &error);
    char *events = trace_facts(f, "e"), *facts = trace_facts(f, ALL);
    ck_assert_msg(!refused || status == PKS_E_NO_MEMORY, "%s, request %zu: %s", s->name, n,
                  pks_status_name(status));
    if (refused) ck_assert_str_eq(error.exception, "MemoryError");
    ck_assert_msg(strncmp(events, s->events, strlen(events)) == 0, "%s, request %zu: %s", s->name,
                  n, events);
    free(events);
    free(facts);
    read_it(f, s);
    facts = trace_facts(f, ALL);
    ck_assert_str_eq(facts, s->facts);
    free(facts);
    pks_inspector_free(f);
  }
  ck_assert_uint_eq(memory.blocks, 0);
  return memory.calls >= n;
}

/* Reads it twice with one inspector: the second time it allocates nothing. */
static size_t reference(subject *s) {
  failing memory;
  pks_options options = options_with_events();
  failing_init(&memory, 0);
  pks_inspector *f = pks_inspector_new(&options, NULL, &memory.alloc);
  read_it(f, s);
  s->events = trace_facts(f, "e");
  s->facts = trace_facts(f, ALL);
  size_t calls = memory.calls;
  read_it(f, s);
  char *again = trace_facts(f, ALL);
  ck_assert_str_eq(again, s->facts);
  ck_assert_msg(memory.calls == calls, "%s: read again it makes %zu requests", s->name,
                memory.calls - calls);
  free(again);
  pks_inspector_free(f);
  ck_assert_uint_eq(memory.blocks, 0);
  return calls;
}

static void refuse_each(const char *name, const uint8_t *data, size_t size, const cuts *pieces) {
  subject s = {name, data, size, pieces, NULL, NULL};
  size_t calls = reference(&s), n = 1;
  while (refuse(&s, n)) n++;
  ck_assert_uint_eq(n, calls + 1);
  free(s.events);
  free(s.facts);
}

static void refuse_whole_and_pieces(const char *name, const pickle *p, size_t piece) {
  cuts pieces = cut_every(p->size, piece);
  refuse_each(name, p->data, p->size, NULL);
  refuse_each(name, p->data, p->size, &pieces);
  free(pieces.at);
}

/* ---- real payloads ----------------------------------------------------------------------------------- */

static pickle read_file(const char *folder, const char *name) {
  char path[512];
  uint8_t buffer[4096];
  pickle p = {0};
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "%s", path);
  for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
    pickle_add_raw(&p, buffer, got);
  fclose(file);
  pickle_fit(&p);
  return p;
}

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Large ones are long lists of the same. */
static void each_payload(const char *folder, void (*run)(const char *name, const pickle *p)) {
  struct dirent **entry;
  size_t ran = 0;
  int count = scandir(folder, &entry, visible, alphasort);
  ck_assert_int_gt(count, 50);
  for (int i = 0; i < count; i++) {
    pickle p = read_file(folder, entry[i]->d_name);
    if (p.size < 20000) {
      run(entry[i]->d_name, &p);
      ran++;
    }
    pickle_free(&p);
    free(entry[i]);
  }
  free(entry);
  ck_assert_uint_gt(ran, 50);
}

static const char *const folders[] = {"corpus/payloads", "corpus/facts", "corpus/decode"};

static void refuse_payload(const char *name, const pickle *p) {
  refuse_whole_and_pieces(name, p, 7);
}

START_TEST(real_payloads_without_memory) { each_payload(folders[_i], refuse_payload); }
END_TEST

static void refuse_in_decoder(const char *name, const pickle *p) {
  cuts pieces = cut_every(p->size, 7);
  char *want = NULL;
  for (size_t n = 0;; n++) {
    failing memory;
    failing_init(&memory, n); /* 0: none is refused */
    pks_decoder *d = pks_decoder_new(NULL, NULL, &memory.alloc);
    if (d) {
      char *got = trace_decoder(d, p->data, p->size, pieces.at, pieces.count);
      if (n == 0) want = strdup(got);
      if (n > 0 && memory.calls >= n)
        ck_assert_msg(strstr(got, "E_NO_MEMORY ") && strstr(got, " MemoryError\n"), "%s: %s", name,
                      got);
      free(got);
      got = trace_decoder(d, p->data, p->size, pieces.at, pieces.count);
      ck_assert_str_eq(got, want); /* after a reset */
      free(got);
      pks_decoder_free(d);
    }
    ck_assert_uint_eq(memory.blocks, 0);
    if (n > 0 && memory.calls < n) break;
  }
  free(want);
  free(pieces.at);
}

START_TEST(decoder_without_memory) { each_payload(folders[_i], refuse_in_decoder); }
END_TEST

/* ---- large ones -------------------------------------------------------------------------------------- */

/* The program `count` times, with numbers from `from` on in place of its '@'. */
static void add_names(pickle *p, const char *program, int from, int count) {
  const char *at = strchr(program, '@');
  for (int i = from; i < from + count; i++) {
    char text[512];
    snprintf(text, sizeof text, "%.*s%d%s", (int)(at - program), program, i, at + 1);
    pickle_add(p, text);
  }
}

static void make_dense_memo(pickle *p) { pickle_add_times(p, 12000, "NONE MEMOIZE POP"); }
static void make_sparse_memo(pickle *p) {
  pickle_add(p, "NONE");
  for (uint64_t i = 0; i < 2000; i++) pickle_add_number(p, PKS_OP_LONG_BINPUT, i * 70001);
}
static void make_high_stack(pickle *p) { pickle_add_times(p, 40000, "NONE"); }
static void make_marks(pickle *p) { pickle_add_times(p, 40000, "MARK"); }
static void make_shared_lists(pickle *p) { pickle_add_times(p, 5000, "EMPTY_LIST MEMOIZE POP"); }
static void make_tuples(pickle *p) { pickle_add_times(p, 40000, "NONE NONE TUPLE2 POP"); }
static void make_texts(pickle *p) {
  pickle_add_times(p, 3000, "SHORT_BINUNICODE 'a text that is kept for a while' POP");
  pickle_add_times(p, 100, "SHORT_BINBYTES 'and bytes' POP");
}
static void make_names(pickle *p) { add_names(p, "GLOBAL 'm@' 'n' POP", 0, 3000); }
static void make_long_lines(pickle *p) {
  char line[5001];
  memset(line, 'x', sizeof line - 1);
  line[sizeof line - 1] = 0;
  pickle_add_line(p, PKS_OP_UNICODE, line);
}
static void make_calls(pickle *p) {
  add_names(p, "GLOBAL 'm' 'f@' EMPTY_TUPLE REDUCE EMPTY_TUPLE NEWOBJ POP", 0, 500);
}
static void make_extensions(pickle *p) { add_names(p, "EXT2 @ POP", 1, 500); }
static void make_modules(pickle *p) {
  add_names(p,
            "GLOBAL 'cloudpickle.cloudpickle' 'subimport' SHORT_BINUNICODE 'm@' TUPLE1 REDUCE POP",
            0, 500);
}
static void make_escaped_modules(pickle *p) {
  add_names(p, "GLOBAL 'dill._dill' '_import_module' UNICODE '\\u00e9@' TUPLE1 REDUCE POP", 0, 500);
}
static void make_classes(pickle *p) {
  add_names(p,
            "GLOBAL 'builtins' 'type' SHORT_BINUNICODE 'C@' EMPTY_TUPLE EMPTY_DICT TUPLE3 REDUCE "
            "EMPTY_TUPLE NEWOBJ NONE BUILD POP",
            0, 300);
}
static void make_codes(pickle *p) {
  add_names(p,
            "GLOBAL 'types' 'CodeType' MARK BININT1 0 BININT1 0 BININT1 0 BININT1 0 BININT1 1 "
            "BININT1 3 SHORT_BINBYTES '%97%00d%00S%00' NONE TUPLE1 EMPTY_TUPLE EMPTY_TUPLE "
            "SHORT_BINUNICODE 'f.py' SHORT_BINUNICODE 'f@' SHORT_BINUNICODE 'f' BININT1 1 "
            "SHORT_BINBYTES '' SHORT_BINBYTES '' EMPTY_TUPLE EMPTY_TUPLE TUPLE REDUCE POP",
            0, 100);
}
static void make_frame(pickle *p) {
  pickle_add(p, "FRAME 5001");
  pickle_add_times(p, 5000, "NONE");
}

static const struct {
  const char *name;
  void (*make)(pickle *p);
  size_t requests; /* it makes at least so many: it does grow what it is for */
} large[] = {
    {"dense memo", make_dense_memo, 14},
    {"sparse memo", make_sparse_memo, 8},
    {"high stack", make_high_stack, 9},
    {"marks", make_marks, 11},
    {"shared lists", make_shared_lists, 10},
    {"tuples", make_tuples, 9},
    {"texts", make_texts, 2},
    {"names", make_names, 20},
    {"long lines", make_long_lines, 2},
    {"calls", make_calls, 15},
    {"extensions", make_extensions, 9},
    {"modules", make_modules, 15},
    {"escaped modules", make_escaped_modules, 15},
    {"classes", make_classes, 15},
    {"codes", make_codes, 15},
    {"frame", make_frame, 2},
};

START_TEST(large_payloads_without_memory) {
  failing memory;
  pickle p = {0};
  large[_i].make(&p);
  pickle_add(&p, "NONE STOP");
  pickle_fit(&p);
  failing_init(&memory, 0);
  pks_inspector *f = pks_inspector_new(NULL, NULL, &memory.alloc);
  ck_assert_int_eq(trace_inspect(f, p.data, p.size, NULL, 0), PKS_END);
  ck_assert_uint_ge(memory.calls, large[_i].requests);
  pks_inspector_free(f);
  refuse_whole_and_pieces(large[_i].name, &p, 1000);
  pickle_free(&p);
}
END_TEST

/* A reader of streams loses what an argument that crosses the end of its frame leaves. */
START_TEST(lost_bytes_without_memory) {
  static const char *const programs[] = {
      "FRAME 2 GLOBAL 'os' 'system' NONE STOP",
      "FRAME 9 BINUNICODE 'abcdefghijkl' MEMOIZE NONE STOP",
      "FRAME 3 FRAME 40 SHORT_BINUNICODE 'abcdef' MEMOIZE STOP NONE NONE NONE NONE NONE NONE NONE",
      "NONE FRAME 12 BINBYTES8 'abcdef' INT '12' TUPLE2 STOP",
      "FRAME 4 SHORT_BINUNICODE 'abcdefghijklmnopqrstuvwxyz' SHORT_BINUNICODE 'x' STACK_GLOBAL "
      "STOP"};
  reading = (pks_read)_i;
  for (size_t i = 0; i < COUNT(programs); i++)
    for (size_t piece = 1; piece < 6; piece++) {
      pickle p = pickle_of(programs[i]);
      refuse_whole_and_pieces(programs[i], &p, piece);
      pickle_free(&p);
    }
}
END_TEST

/* Options may be set between payloads, also when memory is scarce: nothing is allocated for it. */
START_TEST(setting_options_allocates_nothing) {
  failing memory;
  failing_init(&memory, 0);
  pks_inspector *f = pks_inspector_new(NULL, NULL, &memory.alloc);
  size_t calls = memory.calls;
  pks_options options = options_with_events();
  options.encoding = "latin1";
  options.errors = "surrogateescape";
  ck_assert_int_eq(pks_inspector_options(f, &options), PKS_OK);
  pks_inspector_reset(f);
  ck_assert_uint_eq(memory.calls, calls);
  pks_inspector_free(f);
  ck_assert_uint_eq(memory.blocks, 0);
}
END_TEST

/* Different payloads one after the other: once each has been read, none allocates. */
START_TEST(reuse_over_many_payloads) {
  failing memory;
  pks_options options = options_with_events();
  failing_init(&memory, 0);
  pks_inspector *f = pks_inspector_new(&options, NULL, &memory.alloc);
  size_t after_two = 0;
  for (int round = 0; round < 5; round++) {
    for (size_t i = 0; i < COUNT(large); i++) {
      pickle p = {0};
      large[i].make(&p);
      pickle_add(&p, "NONE STOP");
      ck_assert_int_eq(trace_inspect(f, p.data, p.size, NULL, 0), PKS_END);
      pickle_free(&p);
    }
    if (round == 1) after_two = memory.calls;
  }
  ck_assert_uint_eq(memory.calls, after_two);
  pks_inspector_free(f);
  ck_assert_uint_eq(memory.blocks, 0);
}
END_TEST

/* ---- what a million objects cost ------------------------------------------------------------------------ */

#define MILLION 1000000

/* One object as a pickler of protocol 4 writes it in a list, and its memo entries. */
static const struct {
  const char *name, *before, *object;
  size_t before_entries, entries;
} millions[] = {
    {"lists of ints", "", "EMPTY_LIST MEMOIZE MARK BININT1 1 BININT1 2 APPENDS", 0, 1},
    {"tuples", "", "BININT1 1 BININT1 2 TUPLE2 MEMOIZE", 0, 1},
    {"tuples of four", "", "MARK BININT1 1 BININT1 2 BININT1 3 BININT1 4 TUPLE MEMOIZE", 0, 1},
    {"dicts", "SHORT_BINUNICODE 'a' MEMOIZE POP", "EMPTY_DICT MEMOIZE BINGET 1 BININT1 1 SETITEM",
     1, 1},
    {"strings", "", "SHORT_BINUNICODE 'abcdefgh' MEMOIZE", 0, 1},
    {"long strings", "", "SHORT_BINUNICODE 'abcdefghijklmnopqrstuvwxyz' MEMOIZE", 0, 1},
    {"datetimes",
     "SHORT_BINUNICODE 'datetime' MEMOIZE SHORT_BINUNICODE 'datetime' MEMOIZE STACK_GLOBAL MEMOIZE "
     "POP",
     "BINGET 3 SHORT_BINBYTES '%07%e8%01%02%03%04%05%00%00%00' MEMOIZE TUPLE1 MEMOIZE REDUCE "
     "MEMOIZE",
     3, 3},
    {"instances", "GLOBAL 'm' 'C' MEMOIZE POP",
     "BINGET 1 EMPTY_TUPLE NEWOBJ MEMOIZE EMPTY_DICT MEMOIZE NONE NONE SETITEM BUILD", 1, 2},
};

/* A list of a million, in batches of a thousand. */
static pickle make_million(size_t row) {
  pickle p = {0}, batch = {0};
  pickle_add(&p, "PROTO 4 EMPTY_LIST MEMOIZE");
  pickle_add(&p, millions[row].before);
  pickle_add(&batch, "MARK");
  pickle_add_times(&batch, 1000, millions[row].object);
  pickle_add(&batch, "APPENDS");
  for (size_t i = 0; i < MILLION / 1000; i++) pickle_add_raw(&p, batch.data, batch.size);
  pickle_add(&p, "STOP");
  pickle_free(&batch);
  return p;
}

START_TEST(a_million_objects) {
  failing memory;
  pickle p = make_million((size_t)_i);
  uint64_t entries = 1 + millions[_i].before_entries + MILLION * (uint64_t)millions[_i].entries;
  failing_init(&memory, 0);
  pks_inspector *f = pks_inspector_new(NULL, NULL, &memory.alloc);
  ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
  pks_summary summary = {.size = sizeof summary};
  pks_inspector_summary(f, &summary);
  ck_assert_msg(memory.peak <= 16 * entries + 1000000, "%s: %" PRIu64 " bytes, %.2f an entry",
                millions[_i].name, memory.peak, (double)memory.peak / (double)entries);
  ck_assert_uint_eq(summary.peak_memory, memory.peak);
  size_t calls = memory.calls;
  ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
  ck_assert_uint_eq(memory.calls, calls);
  pks_inspector_free(f);
  ck_assert_uint_eq(memory.blocks, 0);
  pickle_free(&p);
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------------------ */

int main(void) {
  Suite *suite = suite_create("alloc");
  TCase *refused = tcase_create("refused"), *cost = tcase_create("cost");
  suite_add_tcase(suite, refused);
  tcase_set_timeout(refused, 60);
  tcase_add_loop_test(refused, real_payloads_without_memory, 0, (int)COUNT(folders));
  tcase_add_loop_test(refused, decoder_without_memory, 0, (int)COUNT(folders));
  tcase_add_loop_test(refused, large_payloads_without_memory, 0, (int)COUNT(large));
  tcase_add_loop_test(refused, lost_bytes_without_memory, 0, 3);
  tcase_add_test(refused, setting_options_allocates_nothing);
  tcase_add_test(refused, reuse_over_many_payloads);
  suite_add_tcase(suite, cost);
  tcase_set_timeout(cost, 60);
  tcase_add_loop_test(cost, a_million_objects, 0, (int)COUNT(millions));
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
