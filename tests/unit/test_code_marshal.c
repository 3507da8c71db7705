/* code: marshal streams and .pyc headers, one oddity each. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "code/marshal.h"
#include "support/hex.h"

static pks_mem mem;
static pks_code_marshal m;

static void setup(void) { pks_base_mem_init(&mem, NULL, UINT64_MAX); }
static uint8_t *blocks[8]; /* values are views into them */
static size_t block_count;
static void teardown(void) {
  while (block_count) free(blocks[--block_count]);
  pks_code_marshal_free(&m, &mem);
  ck_assert_uint_eq(mem.used, 0);
}

static pks_status read_hex(const char *hex, pks_code_shape shape) {
  size_t size;
  uint8_t *data = hex_decode(hex, &size);
  ck_assert_ptr_nonnull(data);
  ck_assert_uint_lt(block_count, 8);
  blocks[block_count++] = data;
  pks_status status = pks_code_marshal_read(&m, &mem, (pks_span){data, size}, shape);
  if (!status) ck_assert_uint_eq(m.consumed, size);
  return status;
}

/* ---- objects ---------------------------------------------------------------------------------------- */

static const struct {
  const char *hex;
  pks_code_kind kind;
  int64_t number;
  const char *text; /* of STR and BYTES */
  pks_code_shape shape;
} objects[] = {
    {"4e", PKS_CV_NONE, 0, NULL, PKS_SHAPE_18},
    {"54", PKS_CV_BOOL, 1, NULL, PKS_SHAPE_18},
    {"46", PKS_CV_BOOL, 0, NULL, PKS_SHAPE_18},
    {"2e", PKS_CV_OTHER, 0, NULL, PKS_SHAPE_18},
    {"53", PKS_CV_OTHER, 0, NULL, PKS_SHAPE_18},
    {"69 ffffffff", PKS_CV_INT, -1, NULL, PKS_SHAPE_18},
    {"e9 07000000", PKS_CV_INT, 7, NULL, PKS_SHAPE_18},
    {"49 0100000001000000", PKS_CV_INT, 4294967297, NULL, PKS_SHAPE_14},
    {"6c 03000000 0100 0000 0100", PKS_CV_INT, 1073741825, NULL, PKS_SHAPE_18},
    {"6c fdffffff 0100 0000 0100", PKS_CV_INT, -1073741825, NULL, PKS_SHAPE_18},
    {"6c 05000000 ff7f ff7f ff7f ff7f 0700", PKS_CV_INT, INT64_MAX, NULL, PKS_SHAPE_18},
    {"6c 05000000 0000 0000 0000 0000 0800", PKS_CV_INT, INT64_MAX, NULL, PKS_SHAPE_18},
    {"6c faffffff 0000 0000 0000 0000 0000 0100", PKS_CV_INT, INT64_MIN, NULL, PKS_SHAPE_18},
    {"6c 00000000", PKS_CV_INT, 0, NULL, PKS_SHAPE_18},
    {"66 03 312e35", PKS_CV_FLOAT, 0, NULL, PKS_SHAPE_18},
    {"67 000000000000f83f", PKS_CV_FLOAT, 0, NULL, PKS_SHAPE_18},
    {"78 01 31 01 32", PKS_CV_OTHER, 0, NULL, PKS_SHAPE_18},
    {"79 0000000000000000 0000000000000000", PKS_CV_OTHER, 0, NULL, PKS_SHAPE_18},
    {"73 02000000 6162", PKS_CV_BYTES, 0, "ab", PKS_SHAPE_18},
    {"75 02000000 c3a9", PKS_CV_STR, 0, "\xc3\xa9", PKS_SHAPE_18},
    {"75 03000000 eda080", PKS_CV_STR, 0, "\xed\xa0\x80", PKS_SHAPE_18},
    {"74 01000000 61", PKS_CV_STR, 0, "a", PKS_SHAPE_18},
    {"74 01000000 61", PKS_CV_BYTES, 0, "a", PKS_SHAPE_14},
    {"7a 01 61", PKS_CV_STR, 0, "a", PKS_SHAPE_18},
    {"da 01 61", PKS_CV_STR, 0, "a", PKS_SHAPE_18},
    {"61 01000000 61", PKS_CV_STR, 0, "a", PKS_SHAPE_18},
    {"41 02000000 61e9", PKS_CV_STR, 0, "a\xc3\xa9", PKS_SHAPE_18}, /* latin-1, never written */
    {"5b 01000000 4e", PKS_CV_OTHER, 0, NULL, PKS_SHAPE_18},
    {"7b 4e 54 30", PKS_CV_OTHER, 0, NULL, PKS_SHAPE_18},
    {"7b 30", PKS_CV_OTHER, 0, NULL, PKS_SHAPE_18},
    {"7d 4e 54 30", PKS_CV_OTHER, 0, NULL, PKS_SHAPE_18},
    {"3c 01000000 4e", PKS_CV_OTHER, 0, NULL, PKS_SHAPE_18},
    {"3a 4e 4e 4e", PKS_CV_OTHER, 0, NULL, PKS_SHAPE_18},
    /* a list that holds itself; a tuple that names its first item again */
    {"db 01000000 72 00000000", PKS_CV_OTHER, 0, NULL, PKS_SHAPE_18},
    {"5b 02000000 da 01 61 72 00000000", PKS_CV_OTHER, 0, NULL, PKS_SHAPE_18},
};

START_TEST(object_is) {
  ck_assert_int_eq(read_hex(objects[_i].hex, objects[_i].shape), PKS_OK);
  ck_assert_int_eq(m.root.kind, objects[_i].kind);
  ck_assert_int_eq(m.root.number, objects[_i].number);
  if (objects[_i].text) {
    ck_assert_uint_eq(m.root.text.size, strlen(objects[_i].text));
    ck_assert_mem_eq(m.root.text.data, objects[_i].text, m.root.text.size);
  }
  ck_assert_int_eq(m.shape, PKS_SHAPE_NONE);
}
END_TEST

START_TEST(tuples_keep_their_items) {
  ck_assert_int_eq(read_hex("a9 04 da 01 61 29 00 3e 02000000 4e 54 72 01000000", PKS_SHAPE_18),
                   PKS_OK);
  ck_assert_int_eq(m.root.kind, PKS_CV_TUPLE);
  ck_assert_uint_eq(m.root.count, 4);
  ck_assert_int_eq(m.root.items[0].kind, PKS_CV_STR);
  ck_assert_int_eq(m.root.items[1].kind, PKS_CV_TUPLE);
  ck_assert_uint_eq(m.root.items[1].count, 0);
  ck_assert_int_eq(m.root.items[2].kind, PKS_CV_FROZENSET);
  ck_assert_uint_eq(m.root.items[2].count, 2);
  ck_assert_ptr_eq(m.root.items[3].text.data, m.root.items[0].text.data);
}
END_TEST

/* Python 2: interned strings are numbered, and only they. */
START_TEST(strings_of_python_2) {
  ck_assert_int_eq(read_hex("28 04000000 73 01000000 61 74 01000000 62 52 00000000 74 01000000 63",
                            PKS_SHAPE_14),
                   PKS_OK);
  ck_assert_mem_eq(m.root.items[2].text.data, "b", 1);
}
END_TEST

/* ---- errors --------------------------------------------------------------------------------------------- */

static const struct {
  const char *hex;
  pks_status status;
  uint64_t offset;
  pks_code_shape shape;
} errors[] = {
    {"", PKS_E_TRUNCATED, 0, PKS_SHAPE_18},
    {"69 000000", PKS_E_TRUNCATED, 0, PKS_SHAPE_18},
    {"29 02 4e", PKS_E_TRUNCATED, 0, PKS_SHAPE_18}, /* two items are more than what is left */
    {"29 01 69 0000", PKS_E_TRUNCATED, 2, PKS_SHAPE_18},
    {"28 ffffff7f 4e", PKS_E_TRUNCATED, 0, PKS_SHAPE_18},
    {"28 ffffffff 4e", PKS_E_CODE, 0, PKS_SHAPE_18}, /* a negative size */
    {"73 00000080", PKS_E_CODE, 0, PKS_SHAPE_18},
    {"6c ffffff7f 0100", PKS_E_TRUNCATED, 0, PKS_SHAPE_18},
    {"6c 00000080 0100", PKS_E_TRUNCATED, 0, PKS_SHAPE_18},
    {"6c 01000000 0080", PKS_E_CODE, 0, PKS_SHAPE_18}, /* a digit of 16 bits */
    {"6c 02000000 0100 0000", PKS_E_CODE, 0, PKS_SHAPE_18},
    {"75 01000000 ff", PKS_E_CODE, 0, PKS_SHAPE_18},
    {"30", PKS_E_CODE, 0, PKS_SHAPE_18},
    {"29 02 4e 30", PKS_E_CODE, 3, PKS_SHAPE_18},
    {"72 00000000", PKS_E_CODE, 0, PKS_SHAPE_18},
    {"a9 01 72 00000000", PKS_E_CODE, 2, PKS_SHAPE_18}, /* a tuple in itself */
    {"29 02 da 01 61 72 01000000", PKS_E_CODE, 5, PKS_SHAPE_18},
    {"52 00000000", PKS_E_CODE, 0, PKS_SHAPE_18},
    {"72 00000000", PKS_E_CODE, 0, PKS_SHAPE_14},
    {"7a 01 61", PKS_E_CODE, 0, PKS_SHAPE_14},
    {"e9 07000000", PKS_E_CODE, 0, PKS_SHAPE_14},
    {"3f", PKS_E_CODE, 0, PKS_SHAPE_18},
    {"43 1c", PKS_E_FORMAT, 0, PKS_SHAPE_18}, /* GraalPy */
    {"63 00000000", PKS_E_TRUNCATED, 0, PKS_SHAPE_18},
    {"4e", PKS_E_FORMAT, 0, PKS_SHAPE_NONE},
    {"63", PKS_E_FORMAT, 0, PKS_SHAPE_20},
};

START_TEST(error_is) {
  ck_assert_int_eq(read_hex(errors[_i].hex, errors[_i].shape), errors[_i].status);
  ck_assert_int_eq(m.status, errors[_i].status);
  ck_assert_uint_eq(m.offset, errors[_i].offset);
  ck_assert_ptr_nonnull(m.text);
}
END_TEST

/* CPython gives up at 2000; a list in a list needs no stack of ours. */
START_TEST(depth) {
  static const size_t depths[] = {PKS_MARSHAL_DEPTH - 1, PKS_MARSHAL_DEPTH, 100000};
  for (int i = 0; i < 3; i++) {
    size_t n = depths[i] - 1; /* tuples around one None */
    uint8_t *data = malloc(2 * n + 1);
    for (size_t k = 0; k < n; k++) {
      data[2 * k] = ')';
      data[2 * k + 1] = 1;
    }
    data[2 * n] = 'N';
    pks_status status = pks_code_marshal_read(&m, &mem, (pks_span){data, 2 * n + 1}, PKS_SHAPE_18);
    ck_assert_int_eq(status, i < 2 ? PKS_OK : PKS_E_LIMIT_DEPTH);
    if (status) ck_assert_uint_eq(m.offset, 2 * (PKS_MARSHAL_DEPTH - 1));
    free(data);
  }
}
END_TEST

/* What a size claims is not allocated, however often it is claimed. */
START_TEST(claims_cost_nothing) {
  size_t n = 1000;
  uint8_t *data = malloc(5 * n + 100000);
  for (size_t k = 0; k < n; k++) memcpy(data + 5 * k, "(\0\0\1\0", 5); /* 65536 items */
  memset(data + 5 * n, 'N', 100000);
  pks_status status =
      pks_code_marshal_read(&m, &mem, (pks_span){data, 5 * n + 100000}, PKS_SHAPE_18);
  ck_assert_int_eq(status, PKS_E_TRUNCATED);
  ck_assert_uint_lt(mem.peak, 100 * (5 * n + 100000));
  free(data);
}
END_TEST

/* ---- layouts ------------------------------------------------------------------------------------------------ */

/* A code object of 3.11 whose locals' names and kinds do not match. */
START_TEST(kinds_of_locals) {
  static const char head[] =
      "63 01000000 00000000 00000000 01000000 03000000 73 00000000 29 00 29 00 29 01 7a 01 61 ";
  static const char tail[] = " 7a 01 66 7a 01 66 7a 01 66 01000000 73 00000000 73 00000000";
  char hex[400];
  strcpy(hex, head);
  strcat(hex, "73 01000000 20");
  strcat(hex, tail);
  ck_assert_int_eq(read_hex(hex, PKS_SHAPE_18), PKS_OK);
  const pks_code_marshalled *code = &PKS_VEC_AT(&m.codes, pks_code_marshalled, 0);
  ck_assert_int_eq(code->args[3].number, 1);
  ck_assert_uint_eq(code->args[9].count, 1);
  ck_assert_uint_eq(code->args[16].count, 0);
  strcpy(hex, head);
  strcat(hex, "73 01000000 80");
  strcat(hex, tail);
  ck_assert_int_eq(read_hex(hex, PKS_SHAPE_18), PKS_OK);
  code = &PKS_VEC_AT(&m.codes, pks_code_marshalled, 0);
  ck_assert_uint_eq(code->args[9].count, 0);
  ck_assert_uint_eq(code->args[16].count, 1);
  strcpy(hex, head);
  strcat(hex, "73 00000000");
  strcat(hex, tail);
  ck_assert_int_eq(read_hex(hex, PKS_SHAPE_18), PKS_E_CODE);
  ck_assert_uint_eq(m.offset, 0);
}
END_TEST

START_TEST(any_layout) {
  ck_assert_int_eq(read_hex("4e", PKS_SHAPE_18), PKS_OK);
  static const uint8_t bad[] = {0xa9, 2, 'N', '?'};
  ck_assert_int_eq(pks_code_marshal_any(&m, &mem, (pks_span){bad, 4}), PKS_E_CODE);
  ck_assert_uint_eq(m.offset, 3);
  static const uint8_t more[] = {'N', 'N'};
  ck_assert_int_eq(pks_code_marshal_any(&m, &mem, (pks_span){more, 2}), PKS_OK);
  ck_assert_uint_eq(m.consumed, 1);
}
END_TEST

/* ---- .pyc ----------------------------------------------------------------------------------------------------- */

static const struct {
  const char *hex;
  pks_status status;
  int version;
  size_t header;
  bool hashed, checked;
  uint32_t time, size;
} pycs[] = {
    {"03f30d0a 01000000", PKS_OK, PKS_CODE_CPYTHON_2_7, 8, false, false, 1, 0},
    {"ee0c0d0a 01000000 02000000", PKS_OK, PKS_CODE_CPYTHON_3_4, 12, false, false, 1, 2},
    {"330d0d0a 01000000 02000000", PKS_OK, PKS_CODE_CPYTHON_3_6, 12, false, false, 1, 2},
    {"cb0d0d0a 00000000 01000000 02000000", PKS_OK, PKS_CODE_CPYTHON_3_12, 16, false, false, 1, 2},
    {"cb0d0d0a 01000000 0102030405060708", PKS_OK, PKS_CODE_CPYTHON_3_12, 16, true, false, 0, 0},
    {"cb0d0d0a 03000000 0102030405060708", PKS_OK, PKS_CODE_CPYTHON_3_12, 16, true, true, 0, 0},
    {"50010d0a 00000000 01000000 02000000", PKS_OK, PKS_CODE_PYPY_3_9, 16, false, false, 1, 2},
    {"2a530d0a 00000000 01000000 02000000", PKS_OK, PKS_CODE_GRAALPY_3_11, 16, false, false, 1, 2},
    {"cb0d0d0a 04000000 0102030405060708", PKS_E_FORMAT, PKS_CODE_CPYTHON_3_12, 16, false, false, 0,
     0},
    {"cb0d0d0a 00000000 01000000 020000", PKS_E_TRUNCATED, PKS_CODE_CPYTHON_3_12, 16, false, false,
     0, 0},
    {"cb0d0d", PKS_E_TRUNCATED, -1, 0, false, false, 0, 0},
    {"cb0d0d0d 00000000", PKS_E_FORMAT, -1, 0, false, false, 0, 0},
    {"01000d0a 00000000", PKS_E_PYTHON, -1, 0, false, false, 0, 0},
};

START_TEST(pyc_is) {
  size_t size;
  uint8_t *data = hex_decode(pycs[_i].hex, &size);
  pks_code_pyc pyc;
  ck_assert_int_eq(pks_code_pyc_header((pks_span){data, size}, &pyc), pycs[_i].status);
  ck_assert_int_eq(pyc.version, pycs[_i].version);
  ck_assert_uint_eq(pyc.header, pycs[_i].header);
  ck_assert_int_eq(pyc.hashed, pycs[_i].hashed);
  ck_assert_int_eq(pyc.checked, pycs[_i].checked);
  ck_assert_uint_eq(pyc.source_time, pycs[_i].time);
  ck_assert_uint_eq(pyc.source_size, pycs[_i].size);
  if (pyc.hashed) ck_assert_uint_eq(pyc.source_hash, 0x0807060504030201ull);
  free(data);
}
END_TEST

START_TEST(shapes_of_versions) {
  static const struct {
    int version;
    pks_code_shape shape;
  } cases[] = {
      {PKS_CODE_CPYTHON_2_7, PKS_SHAPE_14},    {PKS_CODE_CPYTHON_3_4, PKS_SHAPE_15},
      {PKS_CODE_CPYTHON_3_7, PKS_SHAPE_15},    {PKS_CODE_CPYTHON_3_8, PKS_SHAPE_16},
      {PKS_CODE_CPYTHON_3_10, PKS_SHAPE_16},   {PKS_CODE_CPYTHON_3_11, PKS_SHAPE_18},
      {PKS_CODE_CPYTHON_3_15, PKS_SHAPE_18},   {PKS_CODE_PYPY_2_7, PKS_SHAPE_14},
      {PKS_CODE_PYPY_3_6, PKS_SHAPE_15},       {PKS_CODE_PYPY_3_9, PKS_SHAPE_16},
      {PKS_CODE_GRAALPY_3_11, PKS_SHAPE_NONE}, {PKS_CODE_VERSIONS, PKS_SHAPE_NONE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_int_eq(pks_code_version_shape((unsigned)cases[i].version), cases[i].shape);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("code, marshal");
  TCase *read = tcase_create("read"), *pyc = tcase_create("pyc");
  tcase_add_checked_fixture(read, setup, teardown);
  tcase_add_loop_test(read, object_is, 0, (int)(sizeof objects / sizeof *objects));
  tcase_add_test(read, tuples_keep_their_items);
  tcase_add_test(read, strings_of_python_2);
  tcase_add_loop_test(read, error_is, 0, (int)(sizeof errors / sizeof *errors));
  tcase_add_test(read, depth);
  tcase_add_test(read, claims_cost_nothing);
  tcase_add_test(read, kinds_of_locals);
  tcase_add_test(read, any_layout);
  tcase_add_loop_test(pyc, pyc_is, 0, (int)(sizeof pycs / sizeof *pycs));
  tcase_add_test(pyc, shapes_of_versions);
  suite_add_tcase(suite, read);
  suite_add_tcase(suite, pyc);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
