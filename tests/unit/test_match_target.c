/* Making and changing targets: every fingerprint of tests/data/fingerprints (cases.tsv), built-in
 * targets (builtin.tsv), what they hold, what they have in common, and when memory is refused. */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/common.h"
#include "support/failing.h"
#include "support/tsv.h"

#define FOLDER "tests/data/fingerprints/"

static pks_span span(const char *text) { return (pks_span){(const uint8_t *)text, strlen(text)}; }

static uint8_t *read_file(const char *name, size_t *size) {
  char path[256];
  snprintf(path, sizeof path, "%s%s", FOLDER, name);
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "%s", path);
  uint8_t *data = malloc(1 << 16);
  ck_assert_ptr_nonnull(data);
  *size = fread(data, 1, 1 << 16, file);
  fclose(file);
  uint8_t *exact = malloc(*size ? *size : 1);
  ck_assert_ptr_nonnull(exact);
  if (*size) memcpy(exact, data, *size);
  free(data);
  return exact;
}

typedef struct text {
  uint8_t data[1 << 16];
  size_t size;
} text;

static void take(void *user, const void *data, size_t size) {
  text *t = user;
  ck_assert_uint_le(size, sizeof t->data - t->size);
  memcpy(t->data + t->size, data, size);
  t->size += size;
}

/* ---- files ------------------------------------------------------------------------------------------- */

/* What is written in canonical form reads back as the same target, byte for byte. */
static void check_canonical(const pks_match_target *t) {
  static text first, second;
  first.size = second.size = 0;
  pks_match_target *again;
  pks_match_target_write(t, take, &first);
  ck_assert_int_eq(pks_match_target_read(NULL, first.data, first.size, &again, NULL), PKS_OK);
  pks_match_target_write(again, take, &second);
  ck_assert_str_eq(again->id, t->id);
  ck_assert_str_eq(again->name, t->name);
  ck_assert_uint_eq(first.size, second.size);
  ck_assert_mem_eq(first.data, second.data, first.size);
  pks_match_target_free(again);
}

START_TEST(files) {
  tsv *table = tsv_read(FOLDER "cases.tsv");
  size_t count = 0, wrong = 0;
  for (size_t i = 0; i < table->count; i++, count++) {
    const char *file = tsv_field(&table->row[i], 0), *want = tsv_field(&table->row[i], 2);
    size_t size;
    uint8_t *data = read_file(file, &size);
    pks_match_target *t;
    pks_error error = {.size = sizeof error};
    pks_status status = pks_match_target_read(NULL, data, size, &t, &error);
    char said[100];
    free(data); /* the target must not need it */
    snprintf(said, sizeof said, "%s", t ? t->id : "");
    if (status != PKS_OK) {
      ck_assert_ptr_null(t);
      ck_assert_uint_gt(strlen(error.text), 5);
      ck_assert_uint_le(error.offset, size);
      snprintf(said, sizeof said, "%llu", (unsigned long long)error.offset);
    }
    const char *name = status == PKS_OK ? "-" : pks_status_name(status);
    if (strcmp(said, want) != 0 || strcmp(name, tsv_field(&table->row[i], 1)) != 0) {
      fprintf(stderr, "%s: %s %s, not %s %s (%s)\n", file, name, said, tsv_field(&table->row[i], 1),
              want, status == PKS_OK ? "" : error.text);
      wrong++;
    }
    if (t) check_canonical(t);
    pks_match_target_free(t);
  }
  ck_assert_uint_eq(wrong, 0);
  DIR *folder = opendir(FOLDER);
  ck_assert_ptr_nonnull(folder);
  for (struct dirent *entry; (entry = readdir(folder));)
    if (strstr(entry->d_name, ".json")) count--;
  closedir(folder);
  ck_assert_msg(count == 0, "files without a row in cases.tsv, or the other way round");
  tsv_free(table);
}
END_TEST

/* A fingerprint that is cut, or has one byte changed, is refused or read: never a crash. */
START_TEST(damaged) {
  size_t size;
  uint8_t *data = read_file("y_contract.json", &size);
  for (size_t cut = 0; cut < size; cut++) {
    pks_match_target *t;
    uint8_t *part = malloc(cut ? cut : 1);
    ck_assert_ptr_nonnull(part);
    memcpy(part, data, cut);
    pks_error error = {.size = sizeof error};
    ck_assert_int_eq(pks_match_target_read(NULL, part, cut, &t, &error), PKS_E_FINGERPRINT);
    ck_assert_uint_le(error.offset, cut);
    free(part);
    uint8_t kept = data[cut];
    data[cut] = (uint8_t)(kept ^ 0x15);
    pks_match_target_read(NULL, data, size, &t, NULL);
    pks_match_target_free(t);
    data[cut] = kept;
  }
  free(data);
}
END_TEST

/* ---- built-in -------------------------------------------------------------------------------------------- */

static void edit(pks_match_target *t, const char *edits) {
  char copy[256];
  snprintf(copy, sizeof copy, "%s", edits);
  pks_match_loading loading = {0};
  for (char *at = copy, *next; at && *at; at = next) {
    next = strchr(at, ';');
    if (next) *next++ = '\0';
    if (strncmp(at, "with:", 5) == 0)
      ck_assert_int_eq(pks_match_target_with(t, at + 5, NULL), PKS_OK);
    if (strcmp(at, "bare") == 0) ck_assert_int_eq(pks_match_target_bare(t, NULL), PKS_OK);
    if (strncmp(at, "loader:", 7) == 0) loading.loader = at + 7;
    if (strncmp(at, "encoding:", 9) == 0) loading.encoding = at + 9;
    if (strncmp(at, "errors:", 7) == 0) loading.errors = at + 7;
    if (strcmp(at, "buffers") == 0) loading.buffers = PKS_ANSWER_YES;
    if (strcmp(at, "persistent") == 0) loading.persistent_load = PKS_ANSWER_YES;
  }
  ck_assert_int_eq(pks_match_target_loading(t, &loading, NULL), PKS_OK);
}

START_TEST(built_in) {
  tsv *table = tsv_read(FOLDER "builtin.tsv");
  size_t versions = 0;
  for (size_t i = 0; i < table->count; i++) {
    pks_match_target *t;
    const char *name = tsv_field(&table->row[i], 0);
    ck_assert_int_eq(pks_match_target_named(NULL, name, &t, NULL), PKS_OK);
    edit(t, tsv_field(&table->row[i], 1));
    ck_assert_msg(strcmp(t->id, tsv_field(&table->row[i], 2)) == 0, "%s %s", name,
                  tsv_field(&table->row[i], 1));
    ck_assert_str_eq(t->name, name);
    check_canonical(t);
    for (unsigned v = 0; v < pks_match_version_count; v++)
      versions += strcmp(pks_match_version_name(v), name) == 0 &&
                  strcmp(tsv_field(&table->row[i], 1), "-") == 0;
    pks_match_target_free(t);
  }
  ck_assert_uint_eq(versions, pks_match_version_count);
  tsv_free(table);
}
END_TEST

START_TEST(no_such_name) {
  static const char *const names[] = {"",
                                      "cpython",
                                      "cpython-",
                                      "cpython-3",
                                      "cpython-3.1",
                                      "cpython-3.5",
                                      "cpython-3.16",
                                      "cpython-3.12.",
                                      "cpython-3.12.x",
                                      "cpython-3.12.01",
                                      "cpython-3.12.255",
                                      "cpython-3.12.1.1",
                                      "CPython-3.12",
                                      "pypy-3.10",
                                      "pypy-2.7",
                                      "cpython-3.120",
                                      "3.12",
                                      "cpython-3.12.99999999999999999999",
                                      "cpython-3.12 "};
  pks_match_target *t;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    pks_error error = {.size = sizeof error};
    ck_assert_msg(pks_match_target_named(NULL, names[i], &t, &error) == PKS_E_PYTHON, "%s",
                  names[i]);
    ck_assert_ptr_null(t);
    ck_assert_int_eq(error.status, PKS_E_PYTHON);
  }
  ck_assert_int_eq(pks_match_target_named(NULL, NULL, &t, NULL), PKS_E_PYTHON);
}
END_TEST

START_TEST(what_it_holds) {
  pks_match_target *t;
  ck_assert_int_eq(pks_match_target_named(NULL, "cpython-3.13.5", &t, NULL), PKS_OK);
  const pks_match_facts *f = &t->facts;
  ck_assert_uint_eq(f->python, PKS_PYTHON(3, 13, 5));
  ck_assert_int_eq((int)f->magic, 3571);
  ck_assert_int_eq(f->code_args, 18);
  ck_assert_int_eq(f->max_protocol, 5);
  ck_assert_int_eq(f->loader, PKS_LOADER_PICKLE);
  ck_assert_str_eq(f->encoding, "ASCII");
  ck_assert_str_eq(f->errors, "strict");
  ck_assert(f->fix_imports && f->main_open && f->table);
  ck_assert_int_eq(f->persistent_load, PKS_ANSWER_NO);
  ck_assert_int_eq(f->buffers, PKS_ANSWER_UNKNOWN);
  edit(t, "loader:torch;encoding:latin1");
  ck_assert_int_eq(t->facts.persistent_load, PKS_ANSWER_YES);
  ck_assert_str_eq(t->facts.encoding, "latin1");
  ck_assert_int_eq(t->facts.loader, PKS_LOADER_TORCH);
  edit(t, "loader:mine;buffers");
  ck_assert_int_eq(t->facts.loader, PKS_LOADER_OTHER);
  ck_assert_int_eq(t->facts.persistent_load, PKS_ANSWER_UNKNOWN);
  ck_assert_int_eq(t->facts.buffers, PKS_ANSWER_YES);
  pks_match_target_free(t);
  ck_assert_int_eq(pks_match_target_named(NULL, "cpython-2.7", &t, NULL), PKS_OK);
  ck_assert_ptr_null(t->facts.encoding);
  ck_assert(!t->facts.fix_imports);
  ck_assert_uint_eq(t->facts.python, PKS_PYTHON(2, 7, 255));
  ck_assert_int_eq(t->facts.max_protocol, 2);
  pks_match_target_free(t);
}
END_TEST

START_TEST(bad_edits) {
  static const char *const bad[] = {
      "",       "numpy",      "numpy=1",   "numpy==",    "==1",
      "a b==1", "numpy==1 2", "nu/mpy==1", "numpy==1;2", "n\xc3\xa9==1"};
  pks_match_target *t;
  ck_assert_int_eq(pks_match_target_named(NULL, "cpython-3.12", &t, NULL), PKS_OK);
  char id[sizeof t->id];
  memcpy(id, t->id, sizeof id);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    ck_assert_int_eq(pks_match_target_with(t, bad[i], NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_match_target_with(t, NULL, NULL), PKS_E_USAGE);
  pks_match_loading loading = {.encoding = "\xff"};
  ck_assert_int_eq(pks_match_target_loading(t, &loading, NULL), PKS_E_USAGE);
  ck_assert_str_eq(id, t->id);
  pks_match_target_free(t);
}
END_TEST

/* --with is stronger than what a fingerprint lists as absent. */
START_TEST(no_longer_absent) {
  static const char source[] =
      "{\"schema\":\"pickle-target/1\",\"implementation\":\"cpython\",\"version\":[3,12],"
      "\"absent\":[\"numpy\",\"numpy.core\",\"numpydoc\",\"zzz\"]}";
  pks_match_target *t;
  ck_assert_int_eq(pks_match_target_read(NULL, source, sizeof source - 1, &t, NULL), PKS_OK);
  ck_assert_int_eq(pks_match_has_module(t, span("numpy")).value, PKS_ANSWER_NO);
  edit(t, "with:numpy==1.26");
  ck_assert_int_eq(pks_match_has_module(t, span("numpy")).value, PKS_ANSWER_YES);
  ck_assert_int_eq(pks_match_has_module(t, span("numpy.core")).value, PKS_ANSWER_YES);
  ck_assert_int_eq(pks_match_has_module(t, span("numpy.nope")).value, PKS_ANSWER_UNKNOWN);
  ck_assert_int_eq(pks_match_has_module(t, span("numpydoc")).value, PKS_ANSWER_NO);
  ck_assert_int_eq(pks_match_has_module(t, span("zzz.a")).value, PKS_ANSWER_NO);
  pks_match_target_free(t);
}
END_TEST

/* ---- many names ------------------------------------------------------------------------------------------- */

/* Lists as large as an installation has, with long common prefixes. */
START_TEST(many_modules) {
  enum { MODULES = 3000, ROOM = MODULES * 60 };
  char *source = malloc(ROOM);
  ck_assert_ptr_nonnull(source);
  size_t size = (size_t)snprintf(source, ROOM,
                                 "{\"schema\":\"pickle-target/1\",\"implementation\":\"cpython\","
                                 "\"version\":[3,12],\"complete\":[\"modules\",\"top_level\"],"
                                 "\"modules\":{\"package\":{\"k\":\"p\"}");
  for (int i = 0; i < MODULES; i++)
    size += (size_t)snprintf(source + size, ROOM - size, ",\"package.part%d\":{\"a\":[\"name%d\"]}",
                             i * 7919 % MODULES, i);
  size += (size_t)snprintf(source + size, ROOM - size, "}}");
  pks_match_target *t;
  ck_assert_int_eq(pks_match_target_read(NULL, source, size, &t, NULL), PKS_OK);
  free(source);
  ck_assert_uint_eq(t->facts.modules.count, MODULES + 1);
  for (int i = 0; i < MODULES; i++) {
    char module[40], name[40];
    snprintf(module, sizeof module, "package.part%d", i * 7919 % MODULES);
    snprintf(name, sizeof name, "name%d", i);
    ck_assert_int_eq(pks_match_has_attribute(t, span(module), span(name), true).value,
                     PKS_ANSWER_YES);
    ck_assert_int_eq(pks_match_has_attribute(t, span(module), span("name"), true).why,
                     PKS_WHY_NOT_IN_MODULE);
    snprintf(module, sizeof module, "package.part%d", MODULES + i);
    ck_assert_int_eq(pks_match_has_module(t, span(module)).why, PKS_WHY_CLOSED_MODULES);
  }
  pks_match_target_free(t);
}
END_TEST

/* ---- in common ---------------------------------------------------------------------------------------------- */

static bool has_name(const pks_vec *vec, const char *name) {
  for (size_t i = 0; i < vec->count; i++) {
    pks_span one = PKS_VEC_AT(vec, pks_span, i);
    if (one.size == strlen(name) && memcmp(one.data, name, one.size) == 0) return true;
  }
  return false;
}

static const pks_match_some *partial(const pks_match_common *c, const char *name) {
  for (size_t i = 0; i < c->partial.count; i++) {
    const pks_match_partial *p = &PKS_VEC_AT(&c->partial, pks_match_partial, i);
    if (p->name.size == strlen(name) && memcmp(p->name.data, name, p->name.size) == 0)
      return &p->targets;
  }
  return NULL;
}

static void check_sorted(const pks_match_common *c) {
  for (size_t i = 1; i < c->shared.count; i++)
    ck_assert_int_lt(pks_match_span_order(PKS_VEC_AT(&c->shared, pks_span, i - 1),
                                          PKS_VEC_AT(&c->shared, pks_span, i)),
                     0);
}

START_TEST(in_common) {
  pks_match_target *t[4];
  pks_match_common *c;
  static const char graal[] =
      "{\"schema\":\"pickle-target/1\",\"implementation\":\"graalpy\",\"version\":[3,11]}";
  ck_assert_int_eq(pks_match_target_named(NULL, "cpython-3.11", &t[0], NULL), PKS_OK);
  ck_assert_int_eq(pks_match_target_named(NULL, "cpython-3.12", &t[1], NULL), PKS_OK);
  ck_assert_int_eq(pks_match_target_named(NULL, "cpython-3.12.4", &t[2], NULL), PKS_OK);
  ck_assert_int_eq(pks_match_target_read(NULL, graal, sizeof graal - 1, &t[3], NULL), PKS_OK);
  edit(t[0], "with:cloudpickle==3.1.2;with:numpy==1.26");
  edit(t[1], "with:cloudpickle==2.2.1;with:numpy==1.26");
  edit(t[2], "with:cloudpickle==3.1.2");
  const pks_match_target *targets[] = {t[0], t[1], t[2], t[3]};

  ck_assert_int_eq(pks_match_common_new(NULL, targets, 3, &c), PKS_OK);
  ck_assert_int_eq(c->protocol, 5);
  ck_assert_uint_eq(c->groups.count, 2);
  const pks_match_group *group = &PKS_VEC_AT(&c->groups, pks_match_group, 1);
  ck_assert_int_eq((int)group->magic, 3531);
  ck_assert_uint_eq(group->targets.count, 2);
  ck_assert_uint_eq(group->targets.target[0], 1);
  ck_assert_uint_eq(group->targets.target[1], 2);
  ck_assert(has_name(&c->shared, "json.decoder") &&
            has_name(&c->shared, "cloudpickle.cloudpickle"));
  ck_assert(!has_name(&c->shared, "distutils") && !has_name(&c->shared, "numpy"));
  ck_assert_uint_eq(partial(c, "numpy")->count, 2);
  ck_assert_uint_eq(partial(c, "distutils.version")->count, 1);
  ck_assert_ptr_null(partial(c, "pathlib._local"));
  check_sorted(c);
  ck_assert_uint_eq(c->differing.count, 2);
  const pks_match_differing *d = &PKS_VEC_AT(&c->differing, pks_match_differing, 0);
  ck_assert_mem_eq(d->version.data, "3.1.2", 5);
  ck_assert_uint_eq(d->targets.count, 2);
  ck_assert_uint_eq(d->targets.target[1], 2);
  pks_match_common_free(c);

  ck_assert_int_eq(pks_match_common_new(NULL, targets, 4, &c), PKS_OK);
  ck_assert_int_eq(c->protocol, -1);
  ck_assert_uint_eq(c->groups.count, 3);
  ck_assert_int_eq((int)PKS_VEC_AT(&c->groups, pks_match_group, 2).magic, -1);
  ck_assert_uint_eq(c->shared.count, 0);
  pks_match_common_free(c);

  ck_assert_int_eq(pks_match_common_new(NULL, targets, 0, &c), PKS_OK);
  ck_assert_int_eq(c->protocol, -1);
  ck_assert_uint_eq(c->groups.count + c->shared.count + c->partial.count, 0);
  pks_match_common_free(c);
  for (size_t i = 0; i < 4; i++) pks_match_target_free(t[i]);
}
END_TEST

/* ---- refused memory --------------------------------------------------------------------------------------------- */

static pks_status work(const pks_alloc *alloc, const uint8_t *data, size_t size) {
  pks_match_target *a = NULL, *b = NULL;
  pks_match_common *c = NULL;
  pks_match_loading loading = {.loader = "dill", .encoding = "latin1"};
  pks_status status = pks_match_target_read(alloc, data, size, &a, NULL);
  if (status == PKS_OK) status = pks_match_target_named(alloc, "cpython-3.12", &b, NULL);
  if (status == PKS_OK) status = pks_match_target_with(b, "My_Lib==1", NULL);
  if (status == PKS_OK) status = pks_match_target_with(b, "joblib==1.4.0", NULL);
  if (status == PKS_OK) status = pks_match_target_bare(b, NULL);
  if (status == PKS_OK) status = pks_match_target_loading(b, &loading, NULL);
  const pks_match_target *both[] = {a, b};
  if (status == PKS_OK) status = pks_match_common_new(alloc, both, 2, &c);
  pks_match_common_free(c);
  pks_match_target_free(a);
  pks_match_target_free(b);
  return status;
}

START_TEST(memory_refused) {
  size_t size, n = 1;
  uint8_t *data = read_file("y_unsorted.json", &size);
  for (;; n++) {
    failing memory;
    failing_init(&memory, n);
    pks_status status = work(&memory.alloc, data, size);
    ck_assert_uint_eq(memory.blocks, 0);
    if (memory.calls < n) {
      ck_assert_int_eq(status, PKS_OK);
      break;
    }
    ck_assert_int_eq(status, PKS_E_NO_MEMORY);
  }
  ck_assert_uint_gt(n, 10);
  free(data);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("match_target");
  TCase *reading = tcase_create("reading"), *making = tcase_create("making"),
        *whole = tcase_create("whole");
  tcase_add_test(reading, files);
  tcase_add_test(reading, damaged);
  tcase_add_test(reading, many_modules);
  tcase_add_test(making, built_in);
  tcase_add_test(making, no_such_name);
  tcase_add_test(making, what_it_holds);
  tcase_add_test(making, bad_edits);
  tcase_add_test(making, no_longer_absent);
  tcase_add_test(whole, in_common);
  tcase_add_test(whole, memory_refused);
  suite_add_tcase(suite, reading);
  suite_add_tcase(suite, making);
  suite_add_tcase(suite, whole);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
