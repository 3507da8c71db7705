/* What a capture printed, in its shortest form; names that were asked for; many targets in common. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/common.h"
#include "support/failing.h"

#define START "{\"schema\":\"pickle-target/1\",\"implementation\":\"cpython\",\"version\":[3,12,1],"

typedef struct text {
  char data[8192];
  size_t size;
} text;

static void take(void *user, const void *data, size_t size) {
  text *t = user;
  ck_assert_uint_lt(size, sizeof t->data - t->size);
  memcpy(t->data + t->size, data, size);
  t->size += size;
  t->data[t->size] = '\0';
}

static pks_match_target *captured(const char *json) {
  pks_match_target *t = NULL;
  pks_error error = {.size = sizeof error};
  pks_status status = pks_match_target_captured(NULL, json, strlen(json), &t, &error);
  ck_assert_msg(status == PKS_OK, "%s", status == PKS_OK ? "" : error.text);
  return t;
}

/* The document without its first keys and its last. */
static void expect(const char *json, const char *absent, const char *modules) {
  pks_match_target *t = captured(json);
  text out = {.size = 0};
  char wanted[4096];
  pks_match_target_write(t, take, &out);
  snprintf(wanted, sizeof wanted,
           "{%s%s\"implementation\":\"cpython\",\"modules\":{%s},\"schema\":\"pickle-target/1\","
           "\"stdlib\":\"table\",\"version\":[3,12,1]}",
           absent, *absent ? "," : "", modules);
  ck_assert_str_eq(out.data, wanted);
  pks_match_target_free(t);
}

#define LISTED START "\"stdlib\":\"listed\","

START_TEST(what_the_table_says) {
  expect(LISTED
         "\"modules\":{\"os\":{\"k\":\"m\",\"s\":true},\"os.path\":{\"k\":\"x\",\"s\":true}}}",
         "", "");
  /* names that were asked for */
  expect(LISTED "\"modules\":{\"json\":{\"k\":\"p\",\"s\":true,\"open\":true,\"a\":[\"dumps\"],"
                "\"lacks\":[\"x\"]}}}",
         "", "");
  /* a list of all names is only the table's when it has all of them */
#define BISECT "\"bisect_left\",\"bisect_right\",\"insort_left\""
  expect(LISTED "\"modules\":{\"_bisect\":{\"k\":\"e\",\"s\":true,\"all\":true,\"a\":[" BISECT
                ",\"insort_right\"]}}}",
         "", "");
  expect(LISTED "\"modules\":{\"_bisect\":{\"k\":\"e\",\"s\":true,\"all\":true,\"a\":[" BISECT
                "]}}}",
         "", "\"_bisect\":{\"a\":[" BISECT "],\"k\":\"e\"}");
  /* what it cannot tell stays untold, but not what was found out */
  expect(LISTED "\"modules\":{\"winreg\":{\"k\":\"e\",\"s\":true},\"dbm.gnu\":{\"k\":\"m\",\"s\":"
                "true,\"a\":[\"open\"]}}}",
         "", "\"dbm.gnu\":{\"a\":[\"open\"],\"k\":\"m\"}");
  expect(LISTED "\"modules\":{},\"absent\":[\"distutils\",\"lzma\",\"mine\"]}",
         "\"absent\":[\"lzma\",\"mine\"]", "");
}
END_TEST

START_TEST(what_differs) {
  expect(LISTED "\"modules\":{\"json\":{\"k\":\"p\",\"s\":true,\"open\":true,\"a\":[\"new\"]}}}",
         "", "\"json\":{\"a\":[\"new\"],\"k\":\"p\",\"open\":true}");
  expect(LISTED "\"modules\":{\"json\":{\"k\":\"p\",\"s\":true,\"open\":true,\"a\":[],\"lacks\":["
                "\"dumps\"]}}}",
         "", "\"json\":{\"a\":[],\"k\":\"p\",\"lacks\":[\"dumps\"],\"open\":true}");
  expect(LISTED "\"modules\":{\"ssl\":{\"k\":\"m\",\"s\":true,\"fails\":true}}}", "",
         "\"ssl\":{\"fails\":true,\"k\":\"m\"}");
  expect(LISTED "\"modules\":{\"_new\":{\"k\":\"m\",\"s\":true},\"_new.part\":{\"k\":\"m\",\"s\":"
                "true},\"x\":{\"k\":\"p\"}}}",
         "", "\"_new\":{\"k\":\"m\"},\"x\":{\"k\":\"p\"}");
}
END_TEST

static pks_answer has(const pks_match_target *t, const char *module) {
  return pks_match_has_module(t, pks_match_span(module)).value;
}

/* All modules of the table but some. */
START_TEST(what_is_missing) {
  static const char *const without[] = {"_lzma", "tkinter", "tkinter.ttk", "_tkinter", "os.path"};
  text *out = calloc(1, sizeof *out);
  pks_match_target *table, *t;
  size_t size = 1 << 20, used;
  char *json = malloc(size);
  used = (size_t)snprintf(
      json, size, "%s\"complete\":[\"distributions\"],\"modules\":{\"mine\":{\"k\":\"p\"}", LISTED);
  ck_assert_int_eq(pks_match_target_named(NULL, "cpython-3.12.1", &table, NULL), PKS_OK);
  for (uint32_t i = 0; i < pks_match_stdlib_count(); i++) {
    pks_span name = pks_match_stdlib_name(i);
    bool left_out = strncmp((const char *)name.data, "tkinter.", 8) == 0;
    for (size_t k = 0; k < sizeof without / sizeof *without; k++)
      left_out |= name.size == strlen(without[k]) && memcmp(name.data, without[k], name.size) == 0;
    if (left_out || pks_match_has_module(table, name).value != PKS_ANSWER_YES) continue;
    used += (size_t)snprintf(json + used, size - used, ",\"%.*s\":{\"k\":\"%c\",\"s\":true}",
                             (int)name.size, (const char *)name.data, name.size == 2 ? 'm' : 'p');
  }
  snprintf(json + used, size - used, "}}");
  t = captured(json);
  pks_match_target_write(t, take, out);
  ck_assert_ptr_nonnull(
      strstr(out->data, "\"absent\":[\"_lzma\",\"_tkinter\",\"lzma\",\"tkinter\",\"turtle\"]"));
  ck_assert_ptr_nonnull(strstr(out->data, "\"modules\":{\"mine\":{\"k\":\"p\"}}"));
  ck_assert_int_eq(has(t, "lzma"), PKS_ANSWER_NO);
  ck_assert_int_eq(has(t, "tkinter.ttk"), PKS_ANSWER_NO);
  ck_assert_int_eq(has(t, "os.path"), PKS_ANSWER_YES);
  ck_assert_int_eq(has(t, "bz2"), PKS_ANSWER_YES);
  pks_match_target_free(table);
  pks_match_target_free(t);
  free(json);
  free(out);
}
END_TEST

START_TEST(answers) {
  static const char json[] = START "\"modules\":{\"a\":{\"k\":\"m\",\"open\":true,\"a\":[\"C\",\"C."
                                   "m\"],\"lacks\":[\"D\",\"C.n\"]},"
                                   "\"b\":{\"k\":\"p\",\"fails\":true}}}";
  static const struct {
    const char *module, *name;
    pks_answer value;
    pks_match_why why;
  } rows[] = {{"a", "C", PKS_ANSWER_YES, PKS_WHY_LISTED},
              {"a", "C.m", PKS_ANSWER_YES, PKS_WHY_LISTED},
              {"a", "D", PKS_ANSWER_NO, PKS_WHY_NOT_IN_MODULE},
              {"a", "D.x.y", PKS_ANSWER_NO, PKS_WHY_NOT_IN_MODULE},
              {"a", "C.n", PKS_ANSWER_NO, PKS_WHY_NOT_IN_CLASS},
              {"a", "C.n.o", PKS_ANSWER_NO, PKS_WHY_NOT_IN_CLASS},
              {"a", "C.o", PKS_ANSWER_UNKNOWN, PKS_WHY_MEMBER},
              {"a", "E", PKS_ANSWER_UNKNOWN, PKS_WHY_OPEN_MODULE},
              {"b", "x", PKS_ANSWER_NO, PKS_WHY_BROKEN_IMPORT},
              {"b.c", "x", PKS_ANSWER_NO, PKS_WHY_BROKEN_IMPORT}};
  pks_match_target *t;
  ck_assert_int_eq(pks_match_target_read(NULL, json, sizeof json - 1, &t, NULL), PKS_OK);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    pks_match_answer a = pks_match_has_attribute(t, pks_match_span(rows[i].module),
                                                 pks_match_span(rows[i].name), true);
    ck_assert_msg(a.value == rows[i].value && a.why == rows[i].why, "%s %s: %d, %s", rows[i].module,
                  rows[i].name, (int)a.value, pks_match_why_name(a.why));
  }
  pks_match_target_free(t);
}
END_TEST

START_TEST(memory_refused) {
  static const char json[] = LISTED "\"complete\":[\"distributions\"],\"absent\":[\"x\"],"
                                    "\"modules\":{\"os\":{\"k\":\"m\",\"s\":true}}}";
  for (size_t n = 1;; n++) {
    failing memory;
    pks_match_target *t;
    failing_init(&memory, n);
    pks_status status = pks_match_target_captured(&memory.alloc, json, sizeof json - 1, &t, NULL);
    pks_match_target_free(t);
    ck_assert_uint_eq(memory.blocks, 0);
    ck_assert_int_eq(status, memory.calls < n ? PKS_OK : PKS_E_NO_MEMORY);
    if (memory.calls < n) break;
  }
}
END_TEST

/* ---- many targets ----------------------------------------------------------------------------------- */

#define MANY 150u

/* Some Pythons, distributions in few versions, modules that some have and some lack. */
static pks_target *one_of_many(unsigned i) {
  char json[2048];
  pks_target *t;
  snprintf(json, sizeof json,
           "{\"schema\":\"pickle-target/1\",\"implementation\":\"%s\",\"version\":[3,%u,%u],"
           "\"complete\":[\"top_level\"],\"absent\":[%s],\"distributions\":{\"cloudpickle\":\"%s\","
           "\"d%u\":\"1.%u\"},"
           "\"modules\":{\"m%u\":{\"k\":\"p\"},\"m%u.a\":{\"k\":\"m\",\"fails\":%s},\"shared\":{"
           "\"k\":\"m\"}%s}}",
           i % 11 ? "cpython" : "pypy", i % 11 ? 10 + i % 4 : 9, i % 3,
           i % 5 ? "" : "\"json\",\"sqlite3.dbapi2\"", i % 2 ? "3.1.2" : "2.2.1", i % 7, i % 3,
           i % 13, i % 13, i % 4 ? "false" : "true", i % 6 ? "" : ",\"distutils\":{\"k\":\"p\"}");
  ck_assert_int_eq(pks_target_read(json, strlen(json), NULL, &t, NULL), PKS_OK);
  return t;
}

/* Each item beside what each target says itself. */
START_TEST(many_in_common) {
  pks_target *target[MANY];
  pks_common *c;
  pks_common_item item = {.size = sizeof item};
  size_t seen = 0;
  for (unsigned i = 0; i < MANY; i++) target[i] = one_of_many(i);
  ck_assert_int_eq(pks_common_new((const pks_target *const *)target, MANY, NULL, &c), PKS_OK);
  ck_assert_int_eq(pks_common_protocol(c), 5);
  for (size_t i = 0; i < pks_common_groups(c); i++, seen += item.target_count)
    ck_assert_int_eq(pks_common_group(c, i, &item), PKS_OK);
  ck_assert_uint_eq(seen, MANY);
  size_t shared = pks_common_shared(c), modules = shared + pks_common_partial(c), names = 0;
  for (size_t i = 0; i < modules; i++) {
    ck_assert_int_eq(pks_common_module(c, i, &item), PKS_OK);
    ck_assert_int_eq(item.targets == NULL, i < shared);
    for (unsigned k = 0, at = 0; k < MANY; k++) {
      bool is = pks_match_has_module(target[k], item.name).value == PKS_ANSWER_YES;
      bool said = !item.targets || (at < item.target_count && item.targets[at] == k);
      ck_assert_msg(is == said, "%.*s of %u", (int)item.name.size, (const char *)item.name.data, k);
      at += said;
    }
  }
  /* none is left out */
  for (uint32_t i = 0; i < pks_match_stdlib_count(); i++)
    for (unsigned k = 0; k < MANY; k++)
      if (pks_match_has_module(target[k], pks_match_stdlib_name(i)).value == PKS_ANSWER_YES) {
        names++;
        break;
      }
  ck_assert_uint_gt(modules, names);
  for (size_t i = 0; i < pks_common_versions(c); i++) {
    ck_assert_int_eq(pks_common_version(c, i, &item), PKS_OK);
    for (size_t k = 0; k < item.target_count; k++) {
      pks_span version = pks_match_distribution(target[item.targets[k]], item.name);
      ck_assert_int_eq(pks_match_span_order(version, item.version), 0);
    }
  }
  ck_assert_uint_eq(pks_common_versions(c), 2 + 7 * 3);
  ck_assert_int_eq(pks_common_version(c, pks_common_versions(c), &item), PKS_E_USAGE);
  pks_common_free(c);
  ck_assert_int_eq(pks_common_new(NULL, 0, NULL, &c), PKS_E_USAGE);
  ck_assert_ptr_null(c);
  for (unsigned i = 0; i < MANY; i++) pks_target_free(target[i]);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("match_captured");
  TCase *capture = tcase_create("captured"), *common = tcase_create("common");
  tcase_add_test(capture, what_the_table_says);
  tcase_add_test(capture, what_differs);
  tcase_add_test(capture, what_is_missing);
  tcase_add_test(capture, answers);
  tcase_add_test(capture, memory_refused);
  tcase_add_test(common, many_in_common);
  suite_add_tcase(suite, capture);
  suite_add_tcase(suite, common);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
