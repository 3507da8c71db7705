/* What targets answer: against real interpreters (lookups.tsv), and in every kind of world
 * (questions.tsv). */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/target.h"
#include "support/failing.h"
#include "support/tsv.h"

#define FOLDER "tests/data/fingerprints/"

static pks_span span(const char *text) { return (pks_span){(const uint8_t *)text, strlen(text)}; }

static pks_match_target *named(const char *name, const pks_alloc *alloc) {
  pks_match_target *t;
  pks_error error = {.size = sizeof error};
  pks_status status = pks_match_target_named(alloc, name, &t, &error);
  ck_assert_msg(status == PKS_OK, "%s: %s", name, error.text);
  return t;
}

static pks_match_target *from_file(const char *file) {
  static char text[1 << 16];
  char path[256];
  snprintf(path, sizeof path, "%s%s", FOLDER, file);
  FILE *stream = fopen(path, "rb");
  ck_assert_msg(stream != NULL, "%s", path);
  size_t size = fread(text, 1, sizeof text, stream);
  fclose(stream);
  pks_match_target *t;
  pks_error error = {.size = sizeof error};
  ck_assert_msg(pks_match_target_read(NULL, text, size, &t, &error) == PKS_OK, "%s: %s", file,
                error.text);
  return t;
}

/* ---- real interpreters --------------------------------------------------------------------------------- */

/* Column `_i` of lookups.tsv. Never the opposite of what the interpreter said; where it is left
 * open, there is a reason. */
START_TEST(real_lookups) {
  tsv *table = tsv_read(FOLDER "lookups.tsv");
  const char *name = tsv_field(&table->heading, (size_t)_i);
  pks_match_target *t = named(name, NULL);
  size_t decided = 0, open = 0, wrong = 0;
  for (size_t i = 0; i < table->count; i++) {
    const tsv_row *row = &table->row[i];
    char said = tsv_field(row, (size_t)_i)[0];
    pks_match_answer a =
        pks_match_has_attribute(t, span(tsv_field(row, 0)), span(tsv_field(row, 1)), true);
    if (said == '-') continue;
    if (a.value == PKS_ANSWER_UNKNOWN) {
      ck_assert_int_ne(a.why, PKS_WHY_NOTHING);
      open++;
      continue;
    }
    decided++;
    bool same = said == 'y' ? a.value == PKS_ANSWER_YES
                            : a.value == PKS_ANSWER_NO && a.attribute == (said == 'n');
    if (same) continue;
    fprintf(stderr, "%s: %s %s: %c, not %d (%s)\n", name, tsv_field(row, 0), tsv_field(row, 1),
            said, a.value, pks_match_why_name(a.why));
    wrong++;
  }
  ck_assert_uint_eq(wrong, 0);
  ck_assert_uint_gt(decided, 850);
  ck_assert_uint_lt(open, 40);
  pks_match_target_free(t);
  tsv_free(table);
}
END_TEST

/* ---- worlds ------------------------------------------------------------------------------------------------ */

/* "with:numpy==1;bare;loader:dill" */
static void edit(pks_match_target *t, const char *edits) {
  char copy[256];
  snprintf(copy, sizeof copy, "%s", edits);
  pks_match_loading loading = {0};
  for (char *at = copy, *next; at && *at; at = next) {
    next = strchr(at, ';');
    if (next) *next++ = '\0';
    if (strncmp(at, "with:", 5) == 0)
      ck_assert_int_eq(pks_match_target_with(t, at + 5, NULL), PKS_OK);
    else if (strcmp(at, "bare") == 0)
      ck_assert_int_eq(pks_match_target_bare(t, NULL), PKS_OK);
    else if (strncmp(at, "loader:", 7) == 0)
      loading.loader = at + 7;
    else if (strncmp(at, "encoding:", 9) == 0)
      loading.encoding = at + 9;
    else if (strncmp(at, "errors:", 7) == 0)
      loading.errors = at + 7;
    else if (strcmp(at, "buffers") == 0)
      loading.buffers = PKS_ANSWER_YES;
    else if (strcmp(at, "persistent") == 0)
      loading.persistent_load = PKS_ANSWER_YES;
    else
      ck_assert_msg(strcmp(at, "-") == 0, "edit: %s", at);
  }
  ck_assert_int_eq(pks_match_target_loading(t, &loading, NULL), PKS_OK);
}

START_TEST(questions) {
  static const char *const values[] = {"unknown", "no", "yes"};
  tsv *table = tsv_read(FOLDER "questions.tsv");
  size_t wrong = 0;
  for (size_t i = 0; i < table->count; i++) {
    const tsv_row *row = &table->row[i];
    const char *target = tsv_field(row, 0), *module = tsv_field(row, 2), *name = tsv_field(row, 3);
    pks_match_target *t = strstr(target, ".json") ? from_file(target) : named(target, NULL);
    edit(t, tsv_field(row, 1));
    pks_match_answer a =
        strcmp(name, "-") == 0
            ? pks_match_has_module(t, span(module))
            : pks_match_has_attribute(t, span(module), span(name), tsv_field(row, 4)[0] == '1');
    if (strcmp(values[a.value], tsv_field(row, 5)) != 0 ||
        strcmp(pks_match_why_name(a.why), tsv_field(row, 6)) != 0 ||
        a.part != strlen(tsv_field(row, 7)) || strncmp(module, tsv_field(row, 7), a.part) != 0) {
      fprintf(stderr, "line %zu: %s %s %s:%s is %s, %s, of %.*s\n", row->line, target,
              tsv_field(row, 1), module, name, values[a.value], pks_match_why_name(a.why),
              (int)a.part, module);
      wrong++;
    }
    pks_match_target_free(t);
  }
  ck_assert_uint_eq(wrong, 0);
  tsv_free(table);
}
END_TEST

START_TEST(reasons_have_sentences) {
  for (int why = 0; why < PKS_WHY_COUNT; why++) {
    ck_assert_uint_gt(strlen(pks_match_why_text((pks_match_why)why)), 10);
    ck_assert_uint_gt(strlen(pks_match_why_name((pks_match_why)why)), 2);
  }
  ck_assert_str_eq(pks_match_why_name(PKS_WHY_COUNT), "?");
}
END_TEST

START_TEST(extensions) {
  pks_match_target *t = from_file("y_extensions.json"), *plain = named("cpython-3.12", NULL);
  pks_span module, name;
  pks_match_answer a = pks_match_has_extension(t, 1, &module, &name);
  ck_assert_int_eq(a.value, PKS_ANSWER_YES);
  ck_assert_mem_eq(module.data, "a.b", 3);
  ck_assert_uint_eq(module.size, 3);
  ck_assert_mem_eq(name.data, "C.D", 3);
  ck_assert_uint_eq(name.size, 3);
  ck_assert_int_eq(pks_match_has_extension(t, 0x7fffffff, &module, &name).value, PKS_ANSWER_YES);
  ck_assert_int_eq(pks_match_has_extension(t, 2, &module, &name).why, PKS_WHY_NO_EXTENSION);
  ck_assert_int_eq(pks_match_has_extension(plain, 1, &module, &name).why, PKS_WHY_OPEN_EXTENSIONS);
  pks_match_target_free(t);
  pks_match_target_free(plain);
}
END_TEST

/* ---- serializers --------------------------------------------------------------------------------------------- */

static const struct {
  const char *target, *with, *module, *name;
  pks_answer value;
  int least, most; /* least -1: no signature */
} helpers[] = {
    {"cpython-3.12", "cloudpickle==3.1.2", "cloudpickle.cloudpickle", "_make_function",
     PKS_ANSWER_YES, 5, 5},
    {"cpython-3.12", "cloudpickle==1.6.0", "cloudpickle.cloudpickle", "_make_dict_keys",
     PKS_ANSWER_YES, 1, 1},
    {"cpython-3.12", "cloudpickle==2.0.0", "cloudpickle.cloudpickle", "_make_dict_keys",
     PKS_ANSWER_YES, 1, 2},
    {"cpython-3.12", "cloudpickle==2.2.1", "cloudpickle.cloudpickle", "_fill_function",
     PKS_ANSWER_YES, 0, PKS_ARGUMENTS_ANY},
    {"cpython-3.12", "cloudpickle==3.0.0", "cloudpickle.cloudpickle", "_fill_function",
     PKS_ANSWER_NO, 0, 0},
    {"cpython-3.6", "cloudpickle==2.2.1", "cloudpickle.cloudpickle",
     "_create_parametrized_type_hint", PKS_ANSWER_YES, 2, 2},
    {"cpython-3.8", "cloudpickle==2.2.1", "cloudpickle.cloudpickle",
     "_create_parametrized_type_hint", PKS_ANSWER_YES, -1, 0},
    {"cpython-3.8", "cloudpickle==1.4.1", "cloudpickle.cloudpickle",
     "_create_parametrized_type_hint", PKS_ANSWER_NO, 0, 0},
    {"cpython-3.9", "dill==0.3.0", "dill._dill", "_create_function", PKS_ANSWER_YES, 2, 6},
    {"cpython-3.9", "dill==0.3.1", "dill._dill", "_create_function", PKS_ANSWER_YES, 2, 7},
    {"cpython-3.9", "dill==0.3.5.1", "dill._dill", "_create_code", PKS_ANSWER_YES, 14, 16},
    {"cpython-3.11", "dill==0.3.5.1", "dill._dill", "_create_code", PKS_ANSWER_YES, -1, 0},
    {"cpython-3.11", "dill==0.4.1", "dill._dill", "_create_code", PKS_ANSWER_YES, 0,
     PKS_ARGUMENTS_ANY},
    {"cpython-3.11", "joblib==1.3.0", "joblib.externals.cloudpickle.cloudpickle", "_make_cell",
     PKS_ANSWER_YES, 0, 1},
    {"cpython-3.6", "joblib==0.12.5", "joblib.externals.cloudpickle.cloudpickle", "_make_cell",
     PKS_ANSWER_NO, 0, 0},
    {"cpython-3.11", "ray==2.9.0", "ray.cloudpickle.cloudpickle", "_make_function", PKS_ANSWER_YES,
     5, 5},
    {"cpython-3.11", "ray==2.9.3", "ray.cloudpickle.cloudpickle", "_function_setstate",
     PKS_ANSWER_NO, 0, 0},
    {"cpython-3.11", "ray==2.9.3", "ray.cloudpickle.cloudpickle_fast", "_function_setstate",
     PKS_ANSWER_YES, 2, 2},
    {"cpython-3.11", "ray==2.10.0", "ray.cloudpickle.cloudpickle", "_function_setstate",
     PKS_ANSWER_YES, 2, 2},
    {"cpython-3.11", "ray==2.60.0", "ray.cloudpickle.cloudpickle", "_make_dict_keys",
     PKS_ANSWER_YES, 1, 2},
    {"cpython-3.11", "ray==0.8.0", "ray.cloudpickle.cloudpickle", "_make_function",
     PKS_ANSWER_UNKNOWN, 0, 0},
    {"cpython-3.8", "pyspark==3.1.3", "pyspark.cloudpickle.cloudpickle", "_make_dict_keys",
     PKS_ANSWER_NO, 0, 0},
    {"cpython-3.8", "pyspark==3.2.4", "pyspark.cloudpickle.cloudpickle", "_make_dict_keys",
     PKS_ANSWER_YES, 1, 1},
    {"cpython-3.8", "pyspark==3.3.4", "pyspark.cloudpickle.cloudpickle", "_make_function",
     PKS_ANSWER_NO, 0, 0},
    {"cpython-3.8", "pyspark==3.4.0", "pyspark.cloudpickle.cloudpickle", "_make_function",
     PKS_ANSWER_YES, 5, 5},
    {"cpython-3.11", "pyspark==4.0.0", "pyspark.cloudpickle.cloudpickle", "_class_setstate",
     PKS_ANSWER_YES, 2, 2},
    {"cpython-3.11", "numpy==1.24", "numpy", "_make_cell", PKS_ANSWER_UNKNOWN, 0, 0},
};

START_TEST(helper_signatures) {
  for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
    pks_match_target *t = named(helpers[i].target, NULL);
    pks_match_helper h;
    ck_assert_int_eq(pks_match_target_with(t, helpers[i].with, NULL), PKS_OK);
    pks_match_answer a =
        pks_match_has_helper(t, span(helpers[i].module), span(helpers[i].name), &h);
    ck_assert_msg(a.value == helpers[i].value, "%s %s: %d", helpers[i].with, helpers[i].name,
                  a.value);
    if (a.value == PKS_ANSWER_YES && helpers[i].least >= 0) {
      ck_assert_msg(h.signature && h.least == helpers[i].least && h.most == helpers[i].most,
                    "%s %s: %d to %d", helpers[i].with, helpers[i].name, h.least, h.most);
      if (h.library == PKS_SERIALIZER_DILL)
        ck_assert_ptr_nonnull(strstr(helpers[i].with, h.version));
    } else if (a.value == PKS_ANSWER_YES) {
      ck_assert(!h.signature || h.least > h.most);
    }
    pks_match_target_free(t);
  }
}
END_TEST

START_TEST(names_looked_up_in_types) {
  static const struct {
    const char *target, *with, *module, *name;
    pks_answer value;
  } cases[] = {
      {"cpython-3.8", "cloudpickle==1.3.0", "cloudpickle.cloudpickle", "CellType", PKS_ANSWER_YES},
      {"cpython-3.7", "cloudpickle==1.3.0", "cloudpickle.cloudpickle", "CellType", PKS_ANSWER_NO},
      {"cpython-3.8", "cloudpickle==1.2.2", "cloudpickle.cloudpickle", "ClassType", PKS_ANSWER_YES},
      {"cpython-3.8", "cloudpickle==1.3.0", "cloudpickle.cloudpickle", "ClassType", PKS_ANSWER_NO},
      {"cpython-3.8", "cloudpickle==1.4.0", "cloudpickle.cloudpickle", "ClassType", PKS_ANSWER_NO},
      {"cpython-3.8", "cloudpickle==1.4.1", "cloudpickle.cloudpickle", "ClassType", PKS_ANSWER_YES},
      {"cpython-2.7", "cloudpickle==1.3.0", "cloudpickle.cloudpickle", "ClassType", PKS_ANSWER_YES},
      {"cpython-3.8", "dill==0.4.1", "dill._dill", "ObjectType", PKS_ANSWER_NO},
      {"cpython-3.8", "dill==0.4.1", "dill._dill", "NoneType", PKS_ANSWER_NO},
      {"cpython-3.10", "dill==0.4.1", "dill._dill", "NoneType", PKS_ANSWER_YES},
      {"cpython-3.8", "dill==0.4.1", "dill._dill", "int", PKS_ANSWER_YES},
      {"cpython-2.7", "dill==0.3.4", "dill._dill", "int", PKS_ANSWER_NO},
      {"cpython-2.7", "dill==0.3.4", "dill._dill", "PartialType", PKS_ANSWER_YES},
      {"cpython-3.8", "dill==0.4.1", "dill._dill", "CodeType", PKS_ANSWER_YES},
      {"cpython-3.8", "numpy==1", "ray.cloudpickle", "ClassType", PKS_ANSWER_UNKNOWN},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pks_match_target *t = named(cases[i].target, NULL);
    ck_assert_int_eq(pks_match_target_with(t, cases[i].with, NULL), PKS_OK);
    pks_match_answer a = pks_match_has_type(t, span(cases[i].module), span(cases[i].name));
    ck_assert_msg(a.value == cases[i].value, "%s %s: %d", cases[i].with, cases[i].name, a.value);
    pks_match_target_free(t);
  }
}
END_TEST

/* ---- hints ----------------------------------------------------------------------------------------------------- */

static void same_text(pks_span text, const char *want, const char *what) {
  ck_assert_msg(
      text.size == strlen(want) && (text.size == 0 || memcmp(text.data, want, text.size) == 0),
      "%s: %.*s, not %s", what, (int)text.size, text.size ? (const char *)text.data : "", want);
}

START_TEST(where_it_moved) {
  static const char *const cases[][4] = {
      {"cpython-3.12", "pathlib._local", "PosixPath", "pathlib"},
      {"cpython-3.12", "collections", "Mapping", "collections.abc"},
      {"cpython-3.12", "Queue", "Queue", "queue"},
      {"cpython-2.7", "queue", "Queue", "Queue"},
      {"cpython-3.7", "asyncio.exceptions", "CancelledError", "asyncio"},
      {"cpython-3.15", "sre_compile", "compile", "re._compiler"},
      {"pypy-3.9", "_datetime", "datetime", "datetime"},
      {"pypy-3.9", "_pickle", "Unpickler", "pickle"},
      {"cpython-3.12", "imp", "find_module", ""},
      {"cpython-3.12", "distutils.version", "LooseVersion", ""},
      {"cpython-3.12", "asyncio", "coroutine", ""},
      {"cpython-3.12", "numpy", "ndarray", ""},
      {"cpython-3.12", "json", "nope", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pks_match_target *t = named(cases[i][0], NULL);
    pks_span to = pks_match_moved(t, span(cases[i][1]), span(cases[i][2]));
    same_text(to, cases[i][3], cases[i][1]);
    if (to.size)
      ck_assert_int_eq(pks_match_has_attribute(t, to, span(cases[i][2]), true).value,
                       PKS_ANSWER_YES);
    pks_match_target_free(t);
  }
}
END_TEST

START_TEST(which_versions) {
  static const char *const cases[][4] = {
      {"distutils", "", "cpython-2.7", "cpython-3.11"},
      {"pathlib._local", "PosixPath", "cpython-3.13", "cpython-3.15"},
      {"asyncio", "coroutine", "cpython-3.6", "cpython-3.10"},
      {"types", "UnionType", "cpython-3.10", "cpython-3.15"},
      {"numpy", "", "", ""},
      {"json", "nope", "", ""},
      {"cffi", "", "", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    unsigned first = 0, last = 0;
    bool any = pks_match_span_of(span(cases[i][0]), span(cases[i][1]), &first, &last);
    ck_assert_msg(any == (cases[i][2][0] != '\0'), "%s", cases[i][0]);
    if (!any) continue;
    ck_assert_str_eq(pks_match_version_name(first), cases[i][2]);
    ck_assert_str_eq(pks_match_version_name(last), cases[i][3]);
  }
}
END_TEST

START_TEST(who_brings_it) {
  same_text(pks_match_provider(span("sklearn.linear_model")), "scikit-learn", "sklearn");
  same_text(pks_match_provider(span("PIL")), "pillow", "PIL");
  same_text(pks_match_provider(span("numpy")), "numpy", "numpy");
  same_text(pks_match_provider(span("cv2")), "opencv-python", "cv2");
  same_text(pks_match_provider(span("no_such_module")), "", "no_such_module");
  pks_match_target *t = named("cpython-3.12", NULL);
  edit(t, "with:Scikit_Learn==1.4.0;with:PyYAML==6.0");
  same_text(pks_match_distribution(t, span("scikit.learn")), "1.4.0", "scikit.learn");
  same_text(pks_match_distribution(t, span("pyyaml")), "6.0", "pyyaml");
  same_text(pks_match_distribution(t, span("numpy")), "", "numpy");
  pks_match_target_free(t);
}
END_TEST

/* ---- memory ------------------------------------------------------------------------------------------------------ */

START_TEST(questions_take_no_memory) {
  failing memory;
  failing_init(&memory, 0);
  pks_match_target *t = named("cpython-3.12", &memory.alloc);
  edit(t, "with:cloudpickle==3.1.2;with:numpy==1.26;with:nobody-knows==1;bare");
  size_t calls = memory.calls;
  uint64_t live = memory.live;
  pks_span module, name;
  pks_match_helper helper;
  static const char *const names[][2] = {{"os", "path.join"},  {"numpy.core", "x"},
                                         {"a.b.c.d", "e.f.g"}, {"collections", "Mapping"},
                                         {"__main__", "f"},    {"xml", "etree"},
                                         {"dill.dill", "x"},   {"cloudpickle.cloudpickle", "y"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    pks_match_has_module(t, span(names[i][0]));
    pks_match_has_attribute(t, span(names[i][0]), span(names[i][1]), true);
    pks_match_has_helper(t, span(names[i][0]), span(names[i][1]), &helper);
    pks_match_has_type(t, span(names[i][0]), span(names[i][1]));
    pks_match_moved(t, span(names[i][0]), span(names[i][1]));
    pks_match_distribution(t, span(names[i][0]));
  }
  pks_match_has_extension(t, 5, &module, &name);
  ck_assert_uint_eq(memory.calls, calls);
  ck_assert_uint_eq(memory.live, live);
  pks_match_target_free(t);
  ck_assert_uint_eq(memory.blocks, 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("match");
  TCase *names = tcase_create("names"), *worlds = tcase_create("worlds"),
        *more = tcase_create("more");
  tcase_add_loop_test(names, real_lookups, 2, 14);
  tcase_add_test(worlds, questions);
  tcase_add_test(worlds, extensions);
  tcase_add_test(worlds, reasons_have_sentences);
  tcase_add_test(more, helper_signatures);
  tcase_add_test(more, names_looked_up_in_types);
  tcase_add_test(more, where_it_moved);
  tcase_add_test(more, which_versions);
  tcase_add_test(more, who_brings_it);
  tcase_add_test(more, questions_take_no_memory);
  suite_add_tcase(suite, names);
  suite_add_tcase(suite, worlds);
  suite_add_tcase(suite, more);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
