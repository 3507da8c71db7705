/* The JSON reader: what it says of every file of tests/data/json (cases.tsv), of every prefix of
 * them, and when memory is refused. */
#include <check.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_in.h"
#include "support/failing.h"
#include "support/tsv.h"

#define FOLDER "tests/data/json/"
#define DEPTH 8

static uint8_t *read_file(const char *name, size_t *size) {
  char path[256];
  snprintf(path, sizeof path, "%s%s", FOLDER, name);
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "%s", path);
  uint8_t *data = malloc(1 << 16);
  ck_assert_ptr_nonnull(data);
  *size = fread(data, 1, 1 << 16, file);
  fclose(file);
  uint8_t *exact = malloc(*size ? *size : 1); /* so that a sanitizer sees a read past the end */
  ck_assert_ptr_nonnull(exact);
  if (*size) memcpy(exact, data, *size);
  free(data);
  return exact;
}

/* ---- events as text ------------------------------------------------------------------------------ */

typedef struct trace {
  char text[4096];
  size_t size;
  pks_status status;
  uint64_t used; /* memory after close */
} trace;

static void say(trace *t, char what, const pks_span *text, bool hex) {
  if (t->size) t->text[t->size++] = ' ';
  t->text[t->size++] = what;
  for (size_t i = 0; text && i < text->size; i++) {
    ck_assert_uint_lt(t->size, sizeof t->text - 8);
    t->size += (size_t)snprintf(t->text + t->size, 3, hex ? "%02x" : "%c", text->data[i]);
  }
  t->text[t->size] = '\0';
}

static void say_event(trace *t, const pks_json_in *json, pks_json_event event) {
  static const char plain[] = "..{}[]....ftn";
  char number[24];
  pks_span text = {(const uint8_t *)number, 0};
  if (event == PKS_JSON_KEY) {
    say(t, 'k', &json->text, true);
  } else if (event == PKS_JSON_TEXT) {
    say(t, 's', &json->text, true);
  } else if (event == PKS_JSON_REAL) {
    say(t, 'r', &json->text, false);
  } else if (event == PKS_JSON_INTEGER) {
    text.size = (size_t)snprintf(number, sizeof number, "%" PRId64, json->integer);
    say(t, 'i', &text, false);
  } else {
    say(t, plain[event], NULL, false);
  }
}

static void read_text(const uint8_t *data, size_t size, const char *flags, const pks_alloc *alloc,
                      trace *t) {
  pks_mem mem;
  pks_base_mem_init(&mem, alloc, 1 << 20);
  pks_json_in json = {
      .mem = &mem, .data = data, .size = size, .max_depth = DEPTH, .malformed = PKS_E_FINGERPRINT};
  if (strchr(flags, 'r')) json.flags |= PKS_JSON_REALS;
  if (strchr(flags, 's')) json.flags |= PKS_JSON_SURROGATES;
  pks_json_event event;
  t->size = 0;
  t->text[0] = '\0';
  while ((event = pks_base_json_in_next(&json)) > PKS_JSON_END) say_event(t, &json, event);
  ck_assert_int_eq(pks_base_json_in_next(&json), event);
  t->status = json.status;
  if (event == PKS_JSON_FAILED) {
    ck_assert_ptr_nonnull(json.why);
    ck_assert_uint_le(json.offset, size);
    snprintf(t->text, sizeof t->text, "%zu", json.offset);
  } else {
    ck_assert_int_eq(json.status, PKS_OK);
  }
  pks_base_json_in_close(&json);
  t->used = mem.used;
}

/* ---- tests --------------------------------------------------------------------------------------- */

START_TEST(cases) {
  tsv *table = tsv_read(FOLDER "cases.tsv");
  size_t name = tsv_column(table, "file"), flags = tsv_column(table, "flags"),
         result = tsv_column(table, "result"), files = 0, failed = 0;
  for (size_t i = 0; i < table->count; i++) {
    const tsv_row *row = &table->row[i];
    const char *file = tsv_field(row, name);
    size_t size;
    uint8_t *data = read_file(file, &size);
    trace t;
    read_text(data, size, tsv_field(row, flags), NULL, &t);
    bool plain = strcmp(tsv_field(row, flags), "-") == 0;
    pks_status want =
        file[0] == 'y' || !(tsv_field(row, result)[0] >= '0' && tsv_field(row, result)[0] <= '9')
            ? PKS_OK
            : PKS_E_FINGERPRINT;
    if (strcmp(t.text, tsv_field(row, result)) != 0 || t.status != want || t.used != 0) {
      fprintf(stderr, "%s (%s): %s, not %s\n", file, tsv_field(row, flags), t.text,
              tsv_field(row, result));
      failed++;
    }
    if (i == 0 || strcmp(file, tsv_field(&table->row[i - 1], name)) != 0) files++;
    ck_assert_msg(!plain || file[0] == (want == PKS_OK ? 'y' : 'n'), "%s", file);
    free(data);
  }
  ck_assert_uint_eq(failed, 0);
  DIR *folder = opendir(FOLDER);
  ck_assert_ptr_nonnull(folder);
  for (struct dirent *entry; (entry = readdir(folder));)
    if (strstr(entry->d_name, ".json")) files--;
  closedir(folder);
  ck_assert_msg(files == 0, "files without a row in cases.tsv, or the other way round");
  tsv_free(table);
}
END_TEST

/* A text cut short fails, at its end or before, unless what is left is a whole value. */
START_TEST(prefixes) {
  tsv *table = tsv_read(FOLDER "cases.tsv");
  for (size_t i = 0; i < table->count; i++) {
    size_t size;
    uint8_t *data = read_file(tsv_field(&table->row[i], 0), &size);
    for (size_t cut = 0; cut < size && size < 200; cut++) {
      uint8_t *part = malloc(cut ? cut : 1);
      ck_assert_ptr_nonnull(part);
      memcpy(part, data, cut);
      trace t;
      read_text(part, cut, "rs", NULL, &t);
      if (cut && (data[0] == '{' || data[0] == '[' || data[0] == '"') &&
          data[cut - 1] != data[0] + 2 && data[cut - 1] != '"' && data[cut - 1] != ' ' &&
          data[cut - 1] != '\n')
        ck_assert_int_eq(t.status, PKS_E_FINGERPRINT);
      free(part);
    }
    free(data);
  }
  tsv_free(table);
}
END_TEST

/* Keys in an order that is bad for a simple sort, and very many of them. */
START_TEST(many_keys) {
  enum { KEYS = 20000, ROOM = KEYS * 16 };
  char *text = malloc(ROOM);
  ck_assert_ptr_nonnull(text);
  for (int order = 0; order < 2; order++) {
    size_t size = 0;
    for (int i = 0; i < KEYS; i++)
      size += (size_t)snprintf(text + size, ROOM - size, "%c\"%05d\":1", i ? ',' : '{',
                               order ? KEYS - i : i * 7919 % KEYS);
    text[size] = '}';
    pks_mem mem;
    pks_base_mem_init(&mem, NULL, 1 << 20);
    pks_json_in json = {.mem = &mem,
                        .data = (const uint8_t *)text,
                        .size = size + 1,
                        .max_depth = 1,
                        .malformed = PKS_E_FINGERPRINT};
    pks_json_event event;
    while ((event = pks_base_json_in_next(&json)) > PKS_JSON_END) {}
    ck_assert_int_eq(event, PKS_JSON_END);
    pks_base_json_in_close(&json);
    ck_assert_uint_eq(mem.used, 0);
  }
  free(text);
}
END_TEST

START_TEST(memory_refused) {
  static const char text[] = "{\"\\u0061\":[1,{\"b\":\"\\n\",\"c\":[[]]}],\"d\":{\"e\":{\"f\":1}}}";
  size_t n = 1;
  for (;; n++) {
    failing memory;
    failing_init(&memory, n);
    trace t;
    read_text((const uint8_t *)text, sizeof text - 1, "-", &memory.alloc, &t);
    ck_assert_uint_eq(memory.blocks, 0);
    if (memory.calls < n) {
      ck_assert_int_eq(t.status, PKS_OK);
      break;
    }
    ck_assert_int_eq(t.status, PKS_E_NO_MEMORY);
  }
  ck_assert_uint_gt(n, 3);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("json");
  TCase *reader = tcase_create("reader");
  tcase_add_test(reader, cases);
  tcase_add_test(reader, prefixes);
  tcase_add_test(reader, many_keys);
  tcase_add_test(reader, memory_refused);
  suite_add_tcase(suite, reader);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
