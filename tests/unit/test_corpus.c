/* Real payloads against what real unpicklers look up in them (tests/data/README.md): in order, names
 * after the Python 2 mapping; whole and in pieces. */
#include <check.h>
#include <picklesight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "support/answer.h"
#include "support/tsv.h"

static const struct set {
  const char *table, *folder;
} sets[] = {{"tests/data/corpus_lookups.tsv", "corpus/payloads"},
            {"tests/data/corpus_more_lookups.tsv", "corpus/more"}};

static struct {
  size_t file, offset, size, interpreter, reader, encoding, persid, buffers, extensions, ok,
      exception, lookups, ids, buffers_used;
} col;

static tsv *load(const char *path) {
  tsv *t = tsv_read(path);
  col.file = tsv_column(t, "file");
  col.offset = tsv_column(t, "offset");
  col.size = tsv_column(t, "size");
  col.interpreter = tsv_column(t, "interpreter");
  col.reader = tsv_column(t, "reader");
  col.encoding = tsv_column(t, "encoding");
  col.persid = tsv_column(t, "persid");
  col.buffers = tsv_column(t, "buffers");
  col.extensions = tsv_column(t, "extensions");
  col.ok = tsv_column(t, "ok");
  col.exception = tsv_column(t, "exception");
  col.lookups = tsv_column(t, "lookups");
  col.ids = tsv_column(t, "persistent_ids");
  col.buffers_used = tsv_column(t, "buffers_used");
  return t;
}

static uint8_t *inflated(const uint8_t *data, size_t *size) {
  z_stream z;
  memset(&z, 0, sizeof z);
  size_t room = 1 << 22;
  uint8_t *out = malloc(room);
  z.next_in = (Bytef *)(uintptr_t)data;
  z.avail_in = (uInt)*size;
  z.next_out = out;
  z.avail_out = (uInt)room;
  ck_assert_int_eq(inflateInit2(&z, 47), Z_OK);
  while (inflate(&z, Z_NO_FLUSH) == Z_STREAM_END && z.avail_in > 18) inflateReset2(&z, 47);
  *size = room - z.avail_out;
  inflateEnd(&z);
  return out;
}

static uint8_t *read_payload(const char *folder, const char *name, size_t *size) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "%s", path);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t *data = malloc(*size + 1);
  ck_assert_uint_eq(fread(data, 1, *size, file), *size);
  fclose(file);
  size_t length = strlen(name);
  if (strcmp(name + length - 3, ".gz") == 0 || strcmp(name + length - 3, ".zz") == 0) {
    uint8_t *raw = data;
    data = inflated(raw, size);
    free(raw);
  }
  return data;
}

/* "cpython-3.12" */
static uint32_t python_named(const char *name) {
  unsigned major = 3, minor = 11;
  sscanf(name, "cpython-%u.%u", &major, &minor);
  return PKS_PYTHON(major, minor, 0xff);
}

/* Registered codes are looked up by their registry's names, which no payload holds: those lookups
 * are taken out of the expected ones, the first of each. */
static char *without_extensions(const char *lookups, const char *extensions) {
  char *left = strdup(lookups), *copy = strdup(extensions), *next = NULL;
  for (char *one = strtok_r(copy, ",", &next); one; one = strtok_r(NULL, ",", &next)) {
    char hex[256] = "";
    const char *name = strchr(one, '=') + 1;
    for (size_t i = 0, n = 0; name[i]; i++)
      n += (size_t)(name[i] == ':' ? snprintf(hex + n, 3, ":")
                                   : snprintf(hex + n, 3, "%02x", (unsigned char)name[i]));
    char *at = strstr(left, hex);
    if (!at) continue;
    size_t size = strlen(hex);
    if (at[size] == ',')
      size++;
    else if (at > left) {
      at--;
      size++;
    }
    memmove(at, at + size, strlen(at + size) + 1);
  }
  free(copy);
  if (!*left) strcpy(left, "-");
  return left;
}

typedef struct run {
  pks_inspector *f;
  const uint8_t *data;
  size_t size;
  answer whole;
  const char *what;
} run;

static size_t failures;

/* The recordings are of inert objects. With objects of which nothing is known, what loaded must still
 * be read the same; what failed may read on. */
static void check_row(const char *folder, const tsv_row *row, pks_opaque opaque) {
  size_t size;
  uint8_t *data = read_payload(folder, tsv_field(row, col.file), &size);
  size_t offset = (size_t)atoll(tsv_field(row, col.offset));
  const char *encoding = tsv_field(row, col.encoding), *buffers = tsv_field(row, col.buffers);
  const char *extensions = tsv_field(row, col.extensions), *consumed = tsv_field(row, col.size);
  pks_options options = {.size = sizeof options};
  pks_options_init(&options);
  options.python = python_named(tsv_field(row, col.interpreter));
  options.encoding = *encoding ? encoding : "ASCII";
  options.buffers = *buffers ? atoll(buffers) : PKS_BUFFERS_NONE;
  options.persistent_load = *tsv_field(row, col.persid) == '1' ? PKS_ANSWER_YES : PKS_ANSWER_NO;
  options.extensions = *extensions ? PKS_ANSWER_YES : PKS_ANSWER_NO;
  options.opaque = opaque;
  options.events = 1;
  run r = {.f = pks_inspector_new(&options, NULL, NULL),
           .data = data + offset,
           .size = size - offset,
           .what = tsv_field(row, col.file)};
  ck_assert_ptr_nonnull(r.f);
  answer_read(r.f, pks_inspect(r.f, r.data, r.size, NULL), false, &r.whole);
  char *lookups = without_extensions(tsv_field(row, col.lookups), extensions);
  bool ok = *tsv_field(row, col.ok) == '1';
  bool same = r.whole.ok == ok && strcmp(r.whole.lookups, lookups) == 0 &&
              strcmp(r.whole.exception, tsv_field(row, col.exception)) == 0 &&
              r.whole.ids == (uint64_t)atoll(tsv_field(row, col.ids)) &&
              r.whole.buffers == (uint64_t)atoll(tsv_field(row, col.buffers_used)) &&
              (!ok || r.whole.consumed == (uint64_t)atoll(consumed));
  if (!same && (ok || opaque == PKS_OPAQUE_INERT)) {
    failures++;
    fprintf(stderr, "%s (%s): %s %s %llu, real: %s %s %s\n", r.what,
            tsv_field(row, col.interpreter), r.whole.exception, r.whole.lookups,
            (unsigned long long)r.whole.consumed, tsv_field(row, col.exception), lookups, consumed);
  }
  char *differs = answer_in_every_cut(r.f, r.data, r.size, false, &r.whole);
  ck_assert_msg(!differs, "%s, %s", r.what, differs);
  free(lookups);
  answer_free(&r.whole);
  pks_inspector_free(r.f);
  free(data);
}

START_TEST(lookups_agree) {
  const struct set *set = &sets[_i];
  tsv *table = load(set->table);
  size_t checked = 0;
  failures = 0;
  for (size_t i = 0; i < table->count; i++) {
    const tsv_row *row = &table->row[i];
    /* joblib's own readers skip raw arrays, which a pickle reader does not */
    if (strcmp(tsv_field(row, col.reader), "pickle") != 0) continue;
    check_row(set->folder, row, PKS_OPAQUE_INERT);
    check_row(set->folder, row, PKS_OPAQUE_UNKNOWN);
    checked++;
  }
  ck_assert_uint_gt(checked, 200);
  ck_assert_uint_eq(failures, 0);
  tsv_free(table);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("corpus");
  TCase *agree = tcase_create("agree");
  tcase_set_timeout(agree, 300);
  tcase_add_loop_test(agree, lookups_agree, 0, (int)(sizeof sets / sizeof *sets));
  suite_add_tcase(suite, agree);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
