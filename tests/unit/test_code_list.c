/* code: listings. tests/code/check_truth.sh compares them with dis of the interpreters; here is what no
 * compiler writes. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "code/list.h"

static pks_mem mem;
static pks_code_list list;
static pks_code_value args[18], names[2], consts[2];

static void setup(void) { pks_base_mem_init(&mem, NULL, UINT64_MAX); }
static void teardown(void) {
  pks_code_list_free(&list, &mem);
  ck_assert_uint_eq(mem.used, 0);
}

static pks_code_value text_value(const char *text) {
  return (pks_code_value){.kind = PKS_CV_STR, .text = {(const uint8_t *)text, strlen(text)}};
}

/* Arguments with two names (json, dumps), two constants, local a, cells b and a, free variable c. */
static void arguments(size_t argc, const char *code, size_t size) {
  static pks_code_value locals[1], cells[2], frees[1];
  size_t at = argc == 14 ? 4 : argc == 15 ? 5 : 6;
  names[0] = text_value("json");
  names[1] = text_value("dumps");
  consts[0] = (pks_code_value){.kind = PKS_CV_NONE};
  consts[1] = text_value("text");
  locals[0] = text_value("a");
  cells[0] = text_value("a");
  cells[1] = text_value("b");
  frees[0] = text_value("c");
  for (size_t i = 0; i < argc; i++) args[i] = (pks_code_value){.kind = PKS_CV_INT, .number = 1};
  args[at] = (pks_code_value){.kind = PKS_CV_BYTES, .text = {(const uint8_t *)code, size}};
  args[at + 1] = (pks_code_value){.kind = PKS_CV_TUPLE, .items = consts, .count = 2};
  args[at + 2] = (pks_code_value){.kind = PKS_CV_TUPLE, .items = names, .count = 2};
  args[at + 3] = (pks_code_value){.kind = PKS_CV_TUPLE, .items = locals, .count = 1};
  args[at + 4] = args[at + 5] = text_value("f");
  if (argc == 18) args[at + 6] = text_value("f");
  args[argc - 3] = (pks_code_value){.kind = PKS_CV_BYTES};
  if (argc == 18) args[argc - 4] = args[argc - 3];
  args[argc - 2] = (pks_code_value){.kind = PKS_CV_TUPLE, .items = frees, .count = 1};
  args[argc - 1] = (pks_code_value){.kind = PKS_CV_TUPLE, .items = cells, .count = 2};
}

static const struct {
  int version;
  size_t argc;
  const char *code;
  size_t size;
  const char *name;
  uint32_t arg;
  pks_operand operand;
  const char *text; /* what text shows; NULL: nothing */
  size_t end, target;
} lines[] = {
    {PKS_CODE_CPYTHON_3_8, 16, "\x6c\x00", 2, "IMPORT_NAME", 0, PKS_OPERAND_NAME, "json", 2,
     SIZE_MAX},
    {PKS_CODE_CPYTHON_3_15, 18, "\x48\x04", 2, "IMPORT_NAME", 4, PKS_OPERAND_NAME, "dumps", 2,
     SIZE_MAX},
    {PKS_CODE_CPYTHON_3_8, 16, "\x6a\x02", 2, "LOAD_ATTR", 2, PKS_OPERAND_NAME, NULL, 2, SIZE_MAX},
    {PKS_CODE_CPYTHON_3_12, 18, "\x6a\x03", 2, "LOAD_ATTR", 3, PKS_OPERAND_NAME, "dumps", 2,
     SIZE_MAX},
    {PKS_CODE_CPYTHON_3_8, 16, "\x7c\x00", 2, "LOAD_FAST", 0, PKS_OPERAND_LOCAL, "a", 2, SIZE_MAX},
    {PKS_CODE_CPYTHON_3_8, 16, "\x88\x01", 2, "LOAD_DEREF", 1, PKS_OPERAND_LOCAL, "b", 2, SIZE_MAX},
    {PKS_CODE_CPYTHON_3_8, 16, "\x88\x02", 2, "LOAD_DEREF", 2, PKS_OPERAND_LOCAL, "c", 2, SIZE_MAX},
    {PKS_CODE_CPYTHON_3_8, 16, "\x88\x03", 2, "LOAD_DEREF", 3, PKS_OPERAND_LOCAL, NULL, 2,
     SIZE_MAX},
    /* 3.11: a (a cell too), b, c */
    {PKS_CODE_CPYTHON_3_11, 18, "\x89\x00", 2, "LOAD_DEREF", 0, PKS_OPERAND_LOCAL, "a", 2,
     SIZE_MAX},
    {PKS_CODE_CPYTHON_3_11, 18, "\x89\x01", 2, "LOAD_DEREF", 1, PKS_OPERAND_LOCAL, "b", 2,
     SIZE_MAX},
    {PKS_CODE_CPYTHON_3_11, 18, "\x89\x02", 2, "LOAD_DEREF", 2, PKS_OPERAND_LOCAL, "c", 2,
     SIZE_MAX},
    {PKS_CODE_CPYTHON_3_11, 18, "\x89\x03", 2, "LOAD_DEREF", 3, PKS_OPERAND_LOCAL, NULL, 2,
     SIZE_MAX},
    {PKS_CODE_CPYTHON_3_8, 16, "\x6b\x05", 2, "COMPARE_OP", 5, PKS_OPERAND_OPERATOR, ">=", 2,
     SIZE_MAX},
    {PKS_CODE_CPYTHON_3_13, 18, "\x3a\xff", 2, "COMPARE_OP", 255, PKS_OPERAND_OPERATOR, "not in", 2,
     SIZE_MAX},
    {PKS_CODE_CPYTHON_3_8, 16, "\x6b\xff", 2, "COMPARE_OP", 255, PKS_OPERAND_OPERATOR, NULL, 2,
     SIZE_MAX},
    /* jumps: bytes, units, back; out of the code */
    {PKS_CODE_CPYTHON_3_8, 16, "\x6e\x02\x09\x00\x09\x00", 6, "JUMP_FORWARD", 2, PKS_OPERAND_JUMP,
     NULL, 2, 4},
    {PKS_CODE_CPYTHON_3_10, 16, "\x6e\x01\x09\x00\x09\x00", 6, "JUMP_FORWARD", 1, PKS_OPERAND_JUMP,
     NULL, 2, 4},
    {PKS_CODE_CPYTHON_3_11, 18, "\x8c\x01", 2, "JUMP_BACKWARD", 1, PKS_OPERAND_JUMP, NULL, 2, 0},
    {PKS_CODE_CPYTHON_3_11, 18, "\x8c\x02", 2, "JUMP_BACKWARD", 2, PKS_OPERAND_JUMP, NULL, 2,
     SIZE_MAX},
    {PKS_CODE_CPYTHON_3_8, 16, "\x6e\xff", 2, "JUMP_FORWARD", 255, PKS_OPERAND_JUMP, NULL, 2,
     SIZE_MAX},
    {PKS_CODE_CPYTHON_3_8, 16, "\x6e\x01\x09\x00", 4, "JUMP_FORWARD", 1, PKS_OPERAND_JUMP, NULL, 2,
     SIZE_MAX},
    /* caches are part of an instruction, as many as there are */
    {PKS_CODE_CPYTHON_3_12, 18, "\x7a\x00\x00\x00", 4, "BINARY_OP", 0, PKS_OPERAND_OPERATOR, "+", 4,
     SIZE_MAX},
    {PKS_CODE_CPYTHON_3_12, 18, "\x7a\x1a", 2, "BINARY_OP", 26, PKS_OPERAND_OPERATOR, "[]", 2,
     SIZE_MAX},
    /* EXTENDED_ARG belongs to what follows it; with nothing behind, it is no instruction */
    {PKS_CODE_CPYTHON_3_8, 16, "\x90\x01\x83\x02", 4, "CALL_FUNCTION", 258, PKS_OPERAND_NUMBER,
     NULL, 4, SIZE_MAX},
    {PKS_CODE_CPYTHON_3_8, 16, "\x90\x01", 2, "?", 0, PKS_OPERAND_NONE, NULL, 2, SIZE_MAX},
    {PKS_CODE_CPYTHON_3_8, 16, "\x53", 1, "?", 0, PKS_OPERAND_NONE, NULL, 1, SIZE_MAX},
    {PKS_CODE_CPYTHON_3_8, 16, "\xff\x07", 2, "?", 7, PKS_OPERAND_NONE, NULL, 2, SIZE_MAX},
    /* Python 2: one byte or three */
    {PKS_CODE_CPYTHON_2_7, 14, "\x53", 1, "RETURN_VALUE", 0, PKS_OPERAND_NONE, NULL, 1, SIZE_MAX},
    {PKS_CODE_CPYTHON_2_7, 14, "\x64\x01\x00", 3, "LOAD_CONST", 1, PKS_OPERAND_CONST, NULL, 3,
     SIZE_MAX},
    {PKS_CODE_CPYTHON_2_7, 14, "\x91\x01\x00\x64\x00\x00", 6, "LOAD_CONST", 65536,
     PKS_OPERAND_CONST, NULL, 6, SIZE_MAX},
    {PKS_CODE_CPYTHON_2_7, 14, "\x64\x01", 2, "?", 0, PKS_OPERAND_NONE, NULL, 2, SIZE_MAX},
    {PKS_CODE_CPYTHON_3_5, 15, "\x84\x00\x01", 3, "MAKE_FUNCTION", 256, PKS_OPERAND_NUMBER, NULL, 3,
     SIZE_MAX},
};

START_TEST(line_is) {
  pks_code_line line;
  arguments(lines[_i].argc, lines[_i].code, lines[_i].size);
  ck_assert_int_eq(
      pks_code_list_start(&list, &mem, args, lines[_i].argc, 0, (unsigned)lines[_i].version),
      PKS_OK);
  ck_assert(pks_code_list_next(&list, &line));
  ck_assert_str_eq(line.name, lines[_i].name);
  ck_assert_uint_eq(line.arg, lines[_i].arg);
  ck_assert_int_eq(line.operand, lines[_i].operand);
  ck_assert_uint_eq(line.end, lines[_i].end);
  ck_assert_uint_eq(line.target, lines[_i].target);
  if (lines[_i].text) {
    ck_assert_uint_eq(line.text.size, strlen(lines[_i].text));
    ck_assert_mem_eq(line.text.data, lines[_i].text, line.text.size);
  } else {
    ck_assert_ptr_null(line.text.data);
  }
}
END_TEST

START_TEST(targets_have_labels) {
  static const char code[] = "\x6e\x02\x09\x00\x90\x00\x83\x01"; /* jumps to EXTENDED_ARG */
  pks_code_line line;
  arguments(16, code, 8);
  ck_assert_int_eq(pks_code_list_start(&list, &mem, args, 16, 0, PKS_CODE_CPYTHON_3_8), PKS_OK);
  ck_assert(pks_code_list_next(&list, &line));
  ck_assert(!line.labelled);
  ck_assert(pks_code_list_next(&list, &line));
  ck_assert(!line.labelled);
  ck_assert(pks_code_list_next(&list, &line));
  ck_assert_uint_eq(line.start, 4);
  ck_assert_uint_eq(line.offset, 6);
  ck_assert(line.labelled);
  ck_assert(!pks_code_list_next(&list, &line));
}
END_TEST

START_TEST(what_cannot_be_listed) {
  arguments(16, "\x53\x00", 2);
  ck_assert_int_eq(pks_code_list_start(&list, &mem, args, 16, 0, PKS_CODE_GRAALPY_3_11),
                   PKS_E_PYTHON);
  ck_assert_int_eq(pks_code_list_start(&list, &mem, args, 16, 0, PKS_CODE_VERSIONS), PKS_E_PYTHON);
  ck_assert_int_eq(pks_code_list_start(&list, &mem, args, 3, 0, PKS_CODE_CPYTHON_3_8), PKS_E_CODE);
  args[6].text.data = NULL;
  ck_assert_int_eq(pks_code_list_start(&list, &mem, args, 16, 0, PKS_CODE_CPYTHON_3_8), PKS_E_CODE);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("code, listings");
  TCase *all = tcase_create("all");
  tcase_add_checked_fixture(all, setup, teardown);
  tcase_add_loop_test(all, line_is, 0, (int)(sizeof lines / sizeof *lines));
  tcase_add_test(all, targets_have_labels);
  tcase_add_test(all, what_cannot_be_listed);
  suite_add_tcase(suite, all);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
