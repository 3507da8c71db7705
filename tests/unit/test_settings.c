/* base and api: options and limits as callers give them. */
#include <check.h>
#include <stdbool.h>
#include <string.h>

#include "base/settings.h"
#include "support/suite.h"

/* ---- settings -------------------------------------------------------------------------------- */

START_TEST(defaults) {
  pks_limits limits = {.size = sizeof limits};
  pks_options options = {.size = sizeof options};
  ck_assert_int_eq(pks_limits_init(&limits), PKS_OK);
  ck_assert_int_eq(pks_options_init(&options), PKS_OK);
#define X(name, value, text) ck_assert_uint_eq(limits.name, value);
  PKS_LIMITS_MAP(X)
#undef X
  ck_assert_uint_eq(limits.size, sizeof limits);
  ck_assert_uint_eq(options.size, sizeof options);
  ck_assert_uint_eq(options.python, PKS_PYTHON(3, 14, 0xff));
  ck_assert_int_eq(options.opaque, PKS_OPAQUE_UNKNOWN);
  ck_assert_ptr_null(options.encoding);
  ck_assert_ptr_null(options.errors);
  ck_assert_int_eq(options.buffers, PKS_BUFFERS_UNKNOWN);
  ck_assert_int_eq(options.persistent_load, PKS_ANSWER_UNKNOWN);
  ck_assert_int_eq(options.extensions, PKS_ANSWER_UNKNOWN);
  ck_assert_int_eq(options.events, 0);
  ck_assert_int_eq(pks_limits_init(NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_options_init(NULL), PKS_E_USAGE);
}
END_TEST

/* A struct of every size: what lies past it is not written. */
START_TEST(init_keeps_to_the_size) {
  for (size_t size = 0; size <= sizeof(pks_limits) + 8; size++) {
    union {
      pks_limits limits;
      uint8_t bytes[sizeof(pks_limits) + 16];
    } given, whole;
    memset(&given, 0xee, sizeof given);
    memset(&whole, 0, sizeof whole);
    whole.limits.size = sizeof(pks_limits);
    given.limits.size = size;
    bool good = size >= sizeof(size_t) && size <= sizeof(pks_limits);
    ck_assert_int_eq(pks_limits_init(&given.limits), good ? PKS_OK : PKS_E_USAGE);
    ck_assert_int_eq(pks_limits_init(&whole.limits), PKS_OK);
    ck_assert_uint_eq(given.limits.size, size);
    size_t written = good ? size : sizeof(size_t);
    ck_assert_mem_eq(given.bytes + sizeof(size_t), whole.bytes + sizeof(size_t),
                     written - sizeof(size_t));
    for (size_t i = written; i < sizeof given.bytes; i++) ck_assert_uint_eq(given.bytes[i], 0xee);
  }
}
END_TEST

/* An older caller's shorter struct: the fields it does not have keep their defaults. */
START_TEST(short_structs_overlay) {
  pks_limits limits, given = {.max_memory = 1, .max_ops = 2, .max_depth = 3};
  pks_options options, asked = {.python = PKS_PYTHON(3, 6, 1), .encoding = "x", .events = 1};
  given.size = offsetof(pks_limits, max_depth);
  ck_assert_int_eq(pks_base_limits(&limits, &given), PKS_OK);
  ck_assert_uint_eq(limits.max_memory, 1);
  ck_assert_uint_eq(limits.max_ops, 2);
  ck_assert_uint_eq(limits.max_depth, 1000000);
  ck_assert_uint_eq(limits.size, sizeof limits);
  asked.size = offsetof(pks_options, encoding);
  ck_assert_int_eq(pks_base_options(&options, &asked), PKS_OK);
  ck_assert_uint_eq(options.python, PKS_PYTHON(3, 6, 1));
  ck_assert_ptr_null(options.encoding);
  ck_assert_int_eq(options.events, 0);
  ck_assert_int_eq(pks_base_options(&options, NULL), PKS_OK);
  ck_assert_uint_eq(options.python, PKS_PYTHON(3, 14, 0xff));
}
END_TEST

static void refuses(const pks_options *options, const char *what) {
  pks_options as_2 = {.size = sizeof as_2};
  pks_inspector *inspector;
  ck_assert_int_eq(pks_options_init(&as_2), PKS_OK);
  as_2.python = PKS_PYTHON(2, 7, 18);
  inspector = pks_inspector_new(&as_2, NULL, NULL);
  ck_assert_msg(pks_inspector_options(inspector, options) == PKS_E_USAGE, "%s", what);
  /* GET of a text: a key that only Python 2 takes */
  ck_assert_msg(pks_inspect(inspector, "Npx\ngx\n.", 8, NULL) == PKS_END, "%s", what);
  pks_inspector_free(inspector);
  ck_assert_msg(!pks_inspector_new(options, NULL, NULL), "%s", what);
  ck_assert_msg(!pks_decoder_new(options, NULL, NULL), "%s", what);
}

START_TEST(objects_refuse_bad_sizes) {
  const size_t sizes[] = {0, sizeof(size_t) - 1, 4096};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    pks_limits limits = {.size = sizes[i]};
    pks_options options = {.size = sizes[i]};
    ck_assert_ptr_null(pks_decoder_new(&options, NULL, NULL));
    ck_assert_ptr_null(pks_decoder_new(NULL, &limits, NULL));
    ck_assert_ptr_null(pks_inspector_new(&options, NULL, NULL));
    ck_assert_ptr_null(pks_inspector_new(NULL, &limits, NULL));
    pks_inspector *inspector = pks_inspector_new(NULL, NULL, NULL);
    ck_assert_int_eq(pks_inspector_options(inspector, &options), PKS_E_USAGE);
    pks_inspector_free(inspector);
  }
}
END_TEST

/* A value that is none is refused, and what was set before stays. */
START_TEST(objects_refuse_bad_values) {
#define ROW(field, bad)                                   \
  do {                                                    \
    pks_options options = {.size = sizeof options};       \
    ck_assert_int_eq(pks_options_init(&options), PKS_OK); \
    options.field = (bad);                                \
    refuses(&options, #field " = " #bad);                 \
  } while (0)
  ROW(python, 0);
  ROW(python, 0x0d);
  ROW(python, PKS_PYTHON(1, 5, 2));
  ROW(python, PKS_PYTHON(4, 0, 0));
  ROW(python, UINT32_MAX);
  ROW(opaque, (pks_opaque)2);
  ROW(opaque, (pks_opaque)-1);
  ROW(buffers, -3);
  ROW(buffers, INT64_MIN);
  ROW(persistent_load, (pks_answer)3);
  ROW(persistent_load, (pks_answer)-1);
  ROW(extensions, (pks_answer)3);
  ROW(reading, (pks_read)3);
  ROW(reading, (pks_read)-1);
#undef ROW
}
END_TEST

START_TEST(objects_take_values_at_the_edge) {
  static const uint32_t pythons[] = {PKS_PYTHON(2, 7, 18), PKS_PYTHON(3, 0, 0),
                                     PKS_PYTHON(3, 99, 0xff)};
  static const int64_t buffers[] = {PKS_BUFFERS_NONE, PKS_BUFFERS_UNKNOWN, 0, INT64_MAX};
  pks_options options = {.size = sizeof options};
  pks_inspector *inspector = pks_inspector_new(NULL, NULL, NULL);
  ck_assert_int_eq(pks_options_init(&options), PKS_OK);
  for (size_t i = 0; i < sizeof pythons / sizeof *pythons; i++) {
    options.python = pythons[i];
    ck_assert_int_eq(pks_inspector_options(inspector, &options), PKS_OK);
  }
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
    options.buffers = buffers[i];
    ck_assert_int_eq(pks_inspector_options(inspector, &options), PKS_OK);
  }
  pks_inspector_free(inspector);
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------- */

int main(void) {
  Suite *suite = suite_create("settings");
  TCase *settings = suite_case(suite, "settings");
  tcase_add_test(settings, defaults);
  tcase_add_test(settings, init_keeps_to_the_size);
  tcase_add_test(settings, short_structs_overlay);
  tcase_add_test(settings, objects_refuse_bad_sizes);
  tcase_add_test(settings, objects_refuse_bad_values);
  tcase_add_test(settings, objects_take_values_at_the_edge);
  return suite_run(suite);
}
