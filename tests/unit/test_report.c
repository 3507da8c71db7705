/* report: the JSON writer, escaped text, reports of facts in three formats. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "report/text_out.h"
#include "support/failing.h"

/* ---- a sink -------------------------------------------------------------------------------------- */

typedef struct sink {
  char text[1 << 18];
  size_t size;
  size_t fail_at; /* the write that would pass this size is refused; 0: none */
  unsigned writes;
} sink;

static int take(void *user, const char *data, size_t size) {
  sink *s = user;
  s->writes++;
  if (s->fail_at && s->size + size > s->fail_at) return 1;
  ck_assert_uint_lt(s->size + size, sizeof s->text);
  memcpy(s->text + s->size, data, size);
  s->size += size;
  s->text[s->size] = 0;
  return 0;
}

static sink out;
static pks_json json;

static void setup(void) {
  memset(&out, 0, sizeof out);
  pks_base_json_init(&json, take, &out, 0);
}

static pks_span span(const char *text, size_t size) {
  return (pks_span){(const uint8_t *)text, size};
}

static const char *written(void) {
  ck_assert(pks_base_json_flush(&json));
  return out.text;
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

#define TEXT(bytes, expected) \
  { bytes, sizeof bytes - 1, expected }

static const struct {
  const char *bytes;
  size_t size;
  const char *expected;
} text_cases[] = {
    TEXT("", "\"\""),
    TEXT("plain ~", "\"plain ~\""),
    TEXT("a\"b\\c/", "\"a\\\"b\\\\c/\""),
    TEXT("\n\r\t\b\f", "\"\\n\\r\\t\\b\\f\""),
    TEXT("\0\x01\x1f\x7f", "\"\\u0000\\u0001\\u001f\\u007f\""),
    TEXT("\xc3\xa9", "\"\\u00e9\""),
    TEXT("\xe2\x80\xae", "\"\\u202e\""),
    TEXT("\xf0\x9f\x90\x8d", "\"\\ud83d\\udc0d\""),
    TEXT("\xf4\x8f\xbf\xbf", "\"\\udbff\\udfff\""),
    TEXT("\xed\xa0\x80", "\"\\ud800\""), /* surrogatepass */
    TEXT("\xed\xbf\xbf", "\"\\udfff\""),
    TEXT("\xff", "\"\\udcff\""), /* surrogateescape */
    TEXT("\x80z", "\"\\udc80z\""),
    TEXT("\xc3", "\"\\udcc3\""),
    TEXT("\xc3(", "\"\\udcc3(\""),
    TEXT("\xc0\xaf", "\"\\udcc0\\udcaf\""),
    TEXT("\xe2\x80", "\"\\udce2\\udc80\""),
    TEXT("\xf4\x90\x80\x80", "\"\\udcf4\\udc90\\udc80\\udc80\""),
    TEXT("\xf8\x88\x80\x80\x80", "\"\\udcf8\\udc88\\udc80\\udc80\\udc80\""),
};

START_TEST(json_texts) {
  pks_base_json_text(&json, span(text_cases[_i].bytes, text_cases[_i].size));
  ck_assert_str_eq(written(), text_cases[_i].expected);
}
END_TEST

/* Of a path every byte can be told, those of an encoded surrogate too: each is \udcXX of its own. */
static const struct {
  const char *bytes;
  size_t size;
  const char *expected;
} path_cases[] = {
    TEXT("a/b c", "\"a/b c\""),
    TEXT("\xc3\xa9", "\"\\u00e9\""),
    TEXT("\xf0\x9f\x90\x8d", "\"\\ud83d\\udc0d\""),
    TEXT("\xff", "\"\\udcff\""),
    TEXT("\xed\xa0\x80", "\"\\udced\\udca0\\udc80\""),
    TEXT("\xed\xb3\xbf", "\"\\udced\\udcb3\\udcbf\""), /* what \udcff would encode to */
    TEXT("\xed\xa0\xbd\xed\xb0\x8d", "\"\\udced\\udca0\\udcbd\\udced\\udcb0\\udc8d\""),
    TEXT("\xed\x9f\xbf\xee\x80\x80", "\"\\ud7ff\\ue000\""),
};

START_TEST(json_paths) {
  pks_base_json_path(&json, span(path_cases[_i].bytes, path_cases[_i].size));
  ck_assert_str_eq(written(), path_cases[_i].expected);
}
END_TEST

START_TEST(json_no_text_is_null) {
  pks_base_json_open(&json, '[');
  pks_base_json_string(&json, NULL);
  pks_base_json_text(&json, span(NULL, 0));
  pks_base_json_path(&json, span(NULL, 0));
  pks_base_json_close(&json);
  ck_assert_str_eq(written(), "[null, null, null]");
}
END_TEST

START_TEST(json_numbers) {
  static const int64_t numbers[] = {0,
                                    -1,
                                    1 - (1ll << 53),
                                    -(1ll << 53),
                                    -(1ll << 53) - 1,
                                    1ll << 53,
                                    (1ll << 53) + 1,
                                    INT64_MAX,
                                    INT64_MIN};
  pks_base_json_open(&json, '[');
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    pks_base_json_int(&json, numbers[i]);
  pks_base_json_uint(&json, UINT64_MAX);
  pks_base_json_close(&json);
  ck_assert_str_eq(written(),
                   "[0, -1, -9007199254740991, -9007199254740992, \"-9007199254740993\", "
                   "9007199254740992, \"9007199254740993\", \"9223372036854775807\", "
                   "\"-9223372036854775808\", \"18446744073709551615\"]");
}
END_TEST

static void nested(void) {
  pks_base_json_open(&json, '{');
  pks_base_json_key(&json, "a");
  pks_base_json_open(&json, '[');
  pks_base_json_bool(&json, true);
  pks_base_json_open(&json, '{');
  pks_base_json_close(&json);
  pks_base_json_open(&json, '{');
  pks_base_json_key(&json, "b");
  pks_base_json_null(&json);
  pks_base_json_key(&json, "c");
  pks_base_json_open(&json, '[');
  pks_base_json_close(&json);
  pks_base_json_close(&json);
  pks_base_json_close(&json);
  pks_base_json_key(&json, "d");
  pks_base_json_begin(&json);
  pks_base_json_part(&json, span("x", 1));
  pks_base_json_part(&json, span("\"", 1));
  pks_base_json_part(&json, span(NULL, 0));
  pks_base_json_end(&json);
  pks_base_json_close(&json);
}

START_TEST(json_nests) {
  nested();
  ck_assert_str_eq(written(), "{\"a\": [true, {}, {\"b\": null, \"c\": []}], \"d\": \"x\\\"\"}");
}
END_TEST

START_TEST(json_breaks_outer_lines) {
  pks_base_json_init(&json, take, &out, 2);
  nested();
  ck_assert_str_eq(written(),
                   "{\n  \"a\": [\n    true,\n    {},\n    {\"b\": null, \"c\": []}\n  ],\n"
                   "  \"d\": \"x\\\"\"\n}");
}
END_TEST

START_TEST(json_depth_ends) {
  for (int i = 0; i < PKS_JSON_DEPTH; i++) pks_base_json_open(&json, '[');
  for (int i = 0; i < PKS_JSON_DEPTH; i++) pks_base_json_close(&json);
  ck_assert_uint_eq(strlen(written()), 2 * PKS_JSON_DEPTH);
  for (int i = 0; i <= PKS_JSON_DEPTH; i++) pks_base_json_open(&json, '[');
  ck_assert(!pks_base_json_flush(&json));
}
END_TEST

/* Longer than the buffer, in one piece and in many. */
START_TEST(json_long_text) {
  char text[10000];
  memset(text, 'x', sizeof text);
  pks_base_json_begin(&json);
  pks_base_json_part(&json, span(text, sizeof text));
  for (size_t i = 0; i < sizeof text; i++) pks_base_json_part(&json, span("\x01", 1));
  pks_base_json_end(&json);
  ck_assert_uint_eq(strlen(written()), 2 + sizeof text * 7);
  ck_assert_uint_gt(out.writes, 10);
}
END_TEST

START_TEST(json_failed_write_is_final) {
  char text[5000];
  memset(text, 'x', sizeof text);
  out.fail_at = 3000;
  pks_base_json_text(&json, span(text, sizeof text));
  ck_assert(!pks_base_json_flush(&json));
  out.fail_at = 0;
  unsigned writes = out.writes;
  pks_base_json_text(&json, span(text, sizeof text));
  ck_assert(!pks_base_json_flush(&json));
  ck_assert_uint_eq(out.writes, writes);
}
END_TEST

/* ---- text for people ------------------------------------------------------------------------------- */

static const struct {
  const char *bytes;
  size_t size;
  const char *expected;
} escape_cases[] = {
    TEXT("plain \"'", "plain \"'"),
    TEXT("a\\x41", "a\\\\x41"),
    TEXT("\0\n\x1b[31m\x7f", "\\x00\\x0a\\x1b[31m\\x7f"),
    TEXT("\xc2\x9b", "\\u009b"), /* CSI in one character */
    TEXT("\xc3\xa9\xf0\x9f\x90\x8d", "\xc3\xa9\xf0\x9f\x90\x8d"),
    TEXT("\xe2\x80\xae\xe2\x81\xa6\xd8\x9c", "\\u202e\\u2066\\u061c"),
    TEXT("\xe2\x80\x8b\xef\xbb\xbf\xc2\xad", "\\u200b\\ufeff\\u00ad"),
    TEXT("\xf3\xa0\x81\x81", "\\U000e0041"), /* a tag */
    TEXT("\xed\xa0\x80", "\\ud800"),
    TEXT("\xff\xc3", "\\xff\\xc3"),
    TEXT("\xe2\x80(", "\\xe2\\x80("),
};

START_TEST(text_is_escaped) {
  pks_text_out text;
  pks_report_text_init(&text, take, &out);
  pks_report_put_text(&text, span(escape_cases[_i].bytes, escape_cases[_i].size), 0);
  ck_assert(pks_report_text_flush(&text));
  ck_assert_str_eq(out.text, escape_cases[_i].expected);
}
END_TEST

START_TEST(text_is_cut) {
  pks_text_out text;
  pks_report_text_init(&text, take, &out);
  ck_assert_uint_eq(pks_report_put_text(&text, span("abcdef", 6), 6), 6);
  ck_assert_uint_eq(pks_report_put_text(&text, span("abcdef", 6), 5), 8);
  ck_assert_uint_eq(pks_report_put_text(&text, span("\xc3\xa9\xc3\xa9", 4), 3), 2);
  pks_report_put_offset(&text, 42, 5);
  pks_report_put_int(&text, INT64_MIN);
  ck_assert(pks_report_text_flush(&text));
  ck_assert_str_eq(out.text, "abcdefabcde...\xc3\xa9\xc3\xa9   42-9223372036854775808");
}
END_TEST

/* ---- reports --------------------------------------------------------------------------------------- */

#define PICKLE(bytes) bytes, sizeof(bytes) - 1

/* os.system("id"), with the lookup and the call twice; then a broken stack */
static const char calls[] = "cos\nsystem\n(S'id'\ntR0cos\nsystem\n(S'id'\ntR.";

static pks_inspector *inspected(const char *data, size_t size) {
  pks_options options = {.size = sizeof options};
  ck_assert_int_eq(pks_options_init(&options), PKS_OK);
  options.events = 1;
  pks_inspector *inspector = pks_inspector_new(&options, NULL, NULL);
  ck_assert_ptr_nonnull(inspector);
  (void)!pks_inspect(inspector, data, size, NULL);
  return inspector;
}

static pks_place a_place(void) {
  return (pks_place){.size = sizeof(pks_place),
                     .path = "a\xff\x1b.pkl",
                     .container = "raw",
                     .offset = 0,
                     .bytes = -1};
}

static void add(pks_report *report, const pks_place *place, const char *data, size_t size) {
  pks_inspector *inspector = inspected(data, size);
  ck_assert_int_eq(pks_report_facts(report, place, inspector), PKS_OK);
  pks_inspector_free(inspector);
}

static void finish(pks_report *report, uint64_t files) {
  ck_assert_int_eq(pks_report_finish(report, files), PKS_OK);
  ck_assert_int_eq(pks_report_finish(report, files), PKS_E_USAGE);
  pks_report_free(report);
}

static void has(const char *what) {
  ck_assert_msg(strstr(out.text, what) != NULL, "no %s in\n%s", what, out.text);
}

START_TEST(jsonl_is_a_line_a_payload) {
  pks_report *report = pks_report_new(PKS_FORMAT_JSONL, take, &out, NULL);
  pks_place place = a_place();
  add(report, &place, calls, sizeof calls - 1);
  ck_assert_ptr_eq(strchr(out.text, '\n'), out.text + out.size - 1);
  has("{\"path\": \"a\\udcff\\u001b.pkl\", \"member\": null, \"container\": \"raw\", \"offset\": "
      "0, "
      "\"size\": 42, \"protocol\": 0, \"complete\": true, \"ambiguous\": false, \"error\": null, "
      "\"skipped\": null, \"limit\": null, ");
  has("\"globals\": [{\"module\": \"os\", \"name\": \"system\", \"offset\": 0, \"via\": "
      "\"GLOBAL\", "
      "\"used\": [\"call\"], \"count\": 2, \"certain\": true}]");
  has("\"calls\": [{\"offset\": 19, \"callee\": \"os.system\", \"via\": \"REDUCE\", \"count\": "
      "2}]");
  has("\"modules\": {\"by_reference\": [\"os\"], \"by_value\": [], \"when_run\": []}");
  has("\"requires\": {\"min_protocol\": 0, \"magic\": null, \"python\": null}");
  has("\"readings\": [], \"results\": [], \"findings\": []}\n");
  ck_assert_ptr_null(strstr(out.text, "events"));
  out.size = 0;
  place.events = 1;
  add(report, &place, calls, sizeof calls - 1);
  has("\"events\": [{\"kind\": \"global\", \"offset\": 0, \"module\": \"os\", \"name\": "
      "\"system\", "
      "\"via\": \"GLOBAL\"}, {\"kind\": \"call\", \"offset\": 19, \"callee\": \"os.system\", "
      "\"via\": \"REDUCE\"}, ");
  out.size = 0;
  finish(report, 2);
  ck_assert_str_eq(out.text, "{\"summary\": {\"files\": 2, \"payloads\": 2, \"loads\": 0, "
                             "\"unsure\": 0, \"fails\": 0, \"broken\": 0, \"skipped\": 0, "
                             "\"findings\": 0}}\n");
}
END_TEST

START_TEST(json_is_one_object) {
  pks_report *report = pks_report_new(PKS_FORMAT_JSON, take, &out, NULL);
  pks_place place = a_place();
  ck_assert_uint_eq(out.size, 0);
  add(report, &place, PICKLE("N."));
  add(report, &place, PICKLE("0"));
  finish(report, 1);
  ck_assert_msg(
      strncmp(out.text, "{\n  \"schema\": \"picklesight-report/1\",\n  \"version\": \"", 49) == 0,
      "%s", out.text);
  has("\"targets\": [],\n  \"payloads\": [\n    {\n      \"path\"");
  has("\n    },\n    {\n");
  has("\"error\": {\n        \"status\": \"E_STACK\",\n        \"offset\": 0,\n        \"opcode\": "
      "\"POP\",\n        \"exception\": \"UnpicklingError\",\n");
  has("\n  ],\n  \"summary\": {\n    \"files\": 1,\n    \"payloads\": 2,\n");
  has("\"broken\": 1,");
  ck_assert_str_eq(out.text + out.size - 7, "\n  }\n}\n");
}
END_TEST

START_TEST(json_of_nothing) {
  finish(pks_report_new(PKS_FORMAT_JSON, take, &out, NULL), 0);
  has("\"payloads\": [],\n  \"summary\": {\n    \"files\": 0,");
}
END_TEST

START_TEST(names_of_python_2) {
  pks_report *report = pks_report_new(PKS_FORMAT_JSONL, take, &out, NULL);
  pks_place place = a_place();
  add(report, &place, PICKLE("c__builtin__\nunicode\n."));
  has("\"module\": \"builtins\", \"name\": \"str\"");
  has("\"spelled\": {\"module\": \"__builtin__\", \"name\": \"unicode\"}");
  finish(report, 1);
}
END_TEST

START_TEST(uncertain_names_are_null) {
  pks_report *report = pks_report_new(PKS_FORMAT_JSONL, take, &out, NULL);
  pks_place place = a_place();
  /* STACK_GLOBAL of two results of calls */
  add(report, &place,
      PICKLE("\x80\x04"
             "cos\ngetcwd\n)Rcos\ngetcwd\n)R\x93)R."));
  has("{\"module\": null, \"name\": null,");
  has("\"certain\": false");
  has("\"callee\": null");
  finish(report, 1);
}
END_TEST

START_TEST(results_of_results) {
  pks_report *report = pks_report_new(PKS_FORMAT_JSONL, take, &out, NULL);
  pks_place place = a_place();
  char deep[2000] = "cos\na\n";
  for (int i = 0; i < 400; i++) strcat(deep, i % 2 ? ")R" : ")\x81");
  strcat(deep, ".");
  add(report, &place, PICKLE("cos\na\n(tR(tR(tR."));
  has("\"callee\": \"result of result of os.a\"");
  out.size = 0;
  add(report, &place, deep, strlen(deep));
  has("result of result of os.a\"");
  ck_assert_uint_lt(out.size, 400 * 500);
  finish(report, 1);
}
END_TEST

START_TEST(modules_are_sorted_and_unique) {
  pks_report *report = pks_report_new(PKS_FORMAT_JSONL, take, &out, NULL);
  pks_place place = a_place();
  add(report, &place, PICKLE("\x80\x03(cm\na\ncb\nx\ncm\nb\nca\nx\ncz\nx\ncab\nx\nca\ny\nt."));
  has("\"by_reference\": [\"a\", \"ab\", \"b\", \"m\", \"z\"]");
  finish(report, 1);
}
END_TEST

START_TEST(trouble_around_a_payload) {
  pks_report *report = pks_report_new(PKS_FORMAT_JSONL, take, &out, NULL);
  pks_place place = a_place();
  pks_error error = {.size = sizeof error,
                     .status = PKS_E_CONTAINER,
                     .offset = 7,
                     .text = "the compressed data are cut short"};
  place.error = &error;
  place.container = "gzip";
  place.offset = -1;
  place.looks_like = "a door";
  ck_assert_int_eq(pks_report_facts(report, &place, NULL), PKS_OK);
  has("\"container\": \"gzip\", \"offset\": null, \"size\": null, \"protocol\": null, "
      "\"complete\": "
      "false, \"ambiguous\": false, \"error\": {\"status\": \"E_CONTAINER\", \"offset\": 7, "
      "\"opcode\": null, \"exception\": null, \"text\": \"the compressed data are cut short\", "
      "\"looks_like\": \"a door\"}");
  has("\"requires\": {\"min_protocol\": null, ");
  /* what was found before the trouble stays, but it is not complete */
  out.size = 0;
  add(report, &place, calls, sizeof calls - 1);
  has("\"complete\": false");
  has("\"callee\": \"os.system\"");
  place = a_place();
  place.skipped = "why not";
  out.size = 0;
  ck_assert_int_eq(pks_report_facts(report, &place, NULL), PKS_OK);
  has("\"error\": null, \"skipped\": \"why not\"");
  out.size = 0;
  finish(report, 3);
  has("\"payloads\": 3, \"loads\": 0, \"unsure\": 0, \"fails\": 0, \"broken\": 2, \"skipped\": 1,");
}
END_TEST

START_TEST(text_for_people) {
  pks_report *report = pks_report_new(PKS_FORMAT_TEXT, take, &out, NULL);
  pks_place place = a_place();
  place.events = 1;
  add(report, &place, calls, sizeof calls - 1);
  ck_assert_str_eq(out.text, "a\\xff\\x1b.pkl: protocol 0, 42 bytes, 12 opcodes\n"
                             "  looks up\n"
                             "         0  os system: called  x2\n"
                             "  calls\n"
                             "        19  os.system  by REDUCE  x2\n"
                             "  imports to load: os\n"
                             "  in order\n"
                             "         0  look up os system\n"
                             "        19  call os.system\n"
                             "        21  look up os system\n"
                             "        40  call os.system\n");
  out.size = 0;
  place.color = 1;
  place.offset = 42;
  place.looks_like = "a window";
  add(report, &place, PICKLE("0"));
  has("\n\033[1ma\\xff\\x1b.pkl\033[0m, pickle at 42: protocol 0");
  has("\033[31merror\033[0m at offset 0, POP: ");
  has("\n  looks like a window\n");
  out.size = 0;
  finish(report, 1);
  ck_assert_str_eq(out.text, "\n1 file, 2 payloads, 1 broken\n");
}
END_TEST

START_TEST(failed_write_ends_a_report) {
  static const pks_format formats[] = {PKS_FORMAT_TEXT, PKS_FORMAT_JSON, PKS_FORMAT_JSONL};
  pks_place place = a_place();
  pks_inspector *inspector = inspected(calls, sizeof calls - 1);
  pks_report *report = pks_report_new(formats[_i], take, &out, NULL);
  out.fail_at = 10;
  ck_assert_int_eq(pks_report_facts(report, &place, inspector), PKS_E_IO);
  out.fail_at = 0;
  ck_assert_int_eq(pks_report_facts(report, &place, inspector), PKS_E_IO);
  ck_assert_int_eq(pks_report_finish(report, 1), PKS_E_IO);
  pks_report_free(report);
  pks_inspector_free(inspector);
}
END_TEST

START_TEST(each_request_refused) {
  pks_place place = a_place();
  pks_inspector *inspector = inspected(calls, sizeof calls - 1);
  for (size_t n = 1;; n++) {
    failing memory;
    failing_init(&memory, n);
    out.size = 0;
    pks_report *report = pks_report_new(PKS_FORMAT_JSON, take, &out, &memory.alloc);
    if (report) {
      pks_status status = pks_report_facts(report, &place, inspector);
      ck_assert_int_eq(status, memory.calls < n ? PKS_OK : PKS_E_NO_MEMORY);
      if (status != PKS_OK) has("\"by_reference\": null");
      ck_assert_int_eq(pks_report_finish(report, 1), PKS_OK); /* what was written is whole */
    }
    pks_report_free(report);
    ck_assert_uint_eq(memory.blocks, 0);
    if (memory.calls < n) break;
  }
  pks_inspector_free(inspector);
}
END_TEST

START_TEST(report_refuses_bad_arguments) {
  pks_place place = a_place();
  ck_assert_ptr_null(pks_report_new(PKS_FORMAT_JSON, NULL, NULL, NULL));
  ck_assert_ptr_null(pks_report_new((pks_format)17, take, &out, NULL));
  ck_assert_int_eq(pks_report_facts(NULL, &place, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_report_finish(NULL, 0), PKS_E_USAGE);
  pks_report *report = pks_report_new(PKS_FORMAT_JSONL, take, &out, NULL);
  ck_assert_int_eq(pks_report_facts(report, NULL, NULL), PKS_E_USAGE);
  place.size = 0;
  ck_assert_int_eq(pks_report_facts(report, &place, NULL), PKS_E_USAGE);
  pks_report_free(report);
  pks_report_free(NULL);
}
END_TEST

/* A caller built with an older header gives a shorter pks_place. */
START_TEST(short_places) {
  pks_place place = a_place();
  place.size = offsetof(pks_place, error);
  place.error = (const pks_error *)(const void *)"not to be read";
  place.looks_like = "nor this";
  pks_report *report = pks_report_new(PKS_FORMAT_JSONL, take, &out, NULL);
  add(report, &place, PICKLE("N."));
  has("\"error\": null");
  finish(report, 1);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("report");
  TCase *writer = tcase_create("json");
  suite_add_tcase(suite, writer);
  tcase_add_checked_fixture(writer, setup, NULL);
  tcase_add_loop_test(writer, json_paths, 0, (int)(sizeof path_cases / sizeof *path_cases));
  tcase_add_loop_test(writer, json_texts, 0, (int)(sizeof text_cases / sizeof *text_cases));
  tcase_add_test(writer, json_no_text_is_null);
  tcase_add_test(writer, json_numbers);
  tcase_add_test(writer, json_nests);
  tcase_add_test(writer, json_breaks_outer_lines);
  tcase_add_test(writer, json_depth_ends);
  tcase_add_test(writer, json_long_text);
  tcase_add_test(writer, json_failed_write_is_final);
  TCase *text = tcase_create("text");
  suite_add_tcase(suite, text);
  tcase_add_checked_fixture(text, setup, NULL);
  tcase_add_loop_test(text, text_is_escaped, 0, (int)(sizeof escape_cases / sizeof *escape_cases));
  tcase_add_test(text, text_is_cut);
  TCase *report = tcase_create("report");
  suite_add_tcase(suite, report);
  tcase_add_checked_fixture(report, setup, NULL);
  tcase_add_test(report, jsonl_is_a_line_a_payload);
  tcase_add_test(report, json_is_one_object);
  tcase_add_test(report, json_of_nothing);
  tcase_add_test(report, names_of_python_2);
  tcase_add_test(report, uncertain_names_are_null);
  tcase_add_test(report, results_of_results);
  tcase_add_test(report, modules_are_sorted_and_unique);
  tcase_add_test(report, trouble_around_a_payload);
  tcase_add_test(report, text_for_people);
  tcase_add_loop_test(report, failed_write_ends_a_report, 0, 3);
  tcase_add_test(report, each_request_refused);
  tcase_add_test(report, report_refuses_bad_arguments);
  tcase_add_test(report, short_places);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
