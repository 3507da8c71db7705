/* code: candidate versions, what they mean for each other, imports and globals. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "code/infer.h"
#include "support/hex.h"

#define BIT(id) PKS_CODE_BIT(PKS_CODE_##id)
#define OLDER (BIT(CPYTHON_3_8) | BIT(CPYTHON_3_9))
#define NEW_PAIR (BIT(CPYTHON_3_11) | BIT(CPYTHON_3_12))

/* ---- constructor arguments, written down ---------------------------------------------------------- */

static pks_code_value none_value(void) { return (pks_code_value){.kind = PKS_CV_NONE}; }
static pks_code_value int_value(int64_t n) {
  return (pks_code_value){.kind = PKS_CV_INT, .number = n};
}
static pks_code_value code_value(void) { return (pks_code_value){.kind = PKS_CV_CODE}; }
static pks_code_value text_value(const char *text) {
  return (pks_code_value){.kind = PKS_CV_STR, .text = {(const uint8_t *)text, strlen(text)}};
}
static pks_code_value tuple_value(const pks_code_value *items, size_t count) {
  return (pks_code_value){.kind = PKS_CV_TUPLE, .items = items, .count = count};
}
/* Blocks live until the end of the test. */
static uint8_t *blocks[200];
static size_t block_count;
static pks_code_value bytes_value(const char *hex) {
  pks_code_value value = {.kind = PKS_CV_BYTES};
  uint8_t *data = hex_decode(hex, &value.text.size);
  ck_assert_ptr_nonnull(data);
  ck_assert_uint_lt(block_count, 200);
  value.text.data = blocks[block_count++] = data;
  return value;
}

/* A function of `arguments` parameters and `locals` locals named a, b, c ... */
typedef struct function {
  size_t shape;
  const char *code, *lines;
  int arguments, locals, stack;
  int64_t flags;
  const pks_code_value *consts;
  size_t const_count;
  const pks_code_value *names;
  size_t name_count;
} function;

static const char letters[] = "a\0b\0c\0d\0e\0f\0g\0h";
static pks_code_value local_names[8];

static size_t arguments_of(const function *f, pks_code_value *args) {
  size_t n = 0;
  for (int i = 0; i < 8; i++) local_names[i] = text_value(letters + 2 * i);
  args[n++] = int_value(f->arguments);
  if (f->shape >= 16) args[n++] = int_value(0);
  if (f->shape >= 15) args[n++] = int_value(0);
  args[n++] = int_value(f->locals);
  args[n++] = int_value(f->stack);
  args[n++] = int_value(f->flags);
  args[n++] = bytes_value(f->code);
  args[n++] = tuple_value(f->consts, f->const_count);
  args[n++] = tuple_value(f->names, f->name_count);
  args[n++] = tuple_value(local_names, (size_t)f->locals);
  args[n++] = text_value("job.py");
  args[n++] = text_value("f");
  if (f->shape == 18) args[n++] = text_value("C.f");
  args[n++] = int_value(7);
  args[n++] = bytes_value(f->lines);
  if (f->shape == 18) args[n++] = bytes_value("");
  args[n++] = tuple_value(local_names, 0);
  args[n++] = tuple_value(local_names, 0);
  ck_assert_uint_eq(n, f->shape);
  return n;
}

static pks_mem mem;
static pks_code_scratch scratch;
static pks_code_facts facts;
static pks_code_value args[24], none_and_one[2], import_consts[4], import_names[4], from_names[1];

static void setup(void) {
  pks_base_mem_init(&mem, NULL, UINT64_MAX);
  none_and_one[0] = none_value();
  none_and_one[1] = int_value(1);
  from_names[0] = text_value("sib");
  import_consts[0] = none_value();
  import_consts[1] = int_value(0);
  import_consts[2] = int_value(1);
  import_consts[3] = tuple_value(from_names, 1);
  import_names[0] = text_value("json");
  import_names[1] = text_value("xml.dom");
  import_names[2] = text_value("");
  import_names[3] = text_value("sib");
}

static void teardown(void) {
  while (block_count) free(blocks[--block_count]);
  pks_code_scratch_free(&scratch, &mem);
  ck_assert_uint_eq(mem.used, 0);
}

static void inspect(size_t argc, unsigned flags) {
  ck_assert_int_eq(pks_code_inspect(&scratch, &mem, args, argc, flags, &facts), PKS_OK);
}

/* lambda a: a + 1 */
#define INCREMENT_OLD "7c00640117005300"
#define INCREMENT_NEW "97007c0064017a0000005300"

static size_t increment(size_t shape, const char *code, const char *lines) {
  function f = {.shape = shape,
                .code = code,
                .lines = lines,
                .arguments = 1,
                .locals = 1,
                .stack = 2,
                .flags = shape == 18 ? 3 : 67,
                .consts = none_and_one,
                .const_count = 2};
  return arguments_of(&f, args);
}

/* def f(a): import json; if a: import xml.dom; from . import sib; return json */
#define IMPORTS_3_8 "640164006c007d017c007214640164006c017d02640264036c026d037d0301007c015300"
#define IMPORTS_3_10 "640164006c007d017c00720a640164006c017d02640264036c026d037d0301007c015300"
#define IMPORTS_3_12 "9700640164006c007d017c007204640164006c017d02640264036c026d037d0301007c015300"

static size_t imports(size_t shape, const char *code, const char *lines) {
  function f = {.shape = shape,
                .code = code,
                .lines = lines,
                .arguments = 1,
                .locals = 4,
                .stack = 2,
                .flags = shape == 18 ? 3 : 67,
                .consts = import_consts,
                .const_count = 4,
                .names = import_names,
                .name_count = 4};
  return arguments_of(&f, args);
}

/* ---- versions -------------------------------------------------------------------------------------------- */

START_TEST(versions_have_names_and_magics) {
  ck_assert_uint_eq(pks_code_version_count(), PKS_CODE_VERSIONS);
  for (size_t i = 0; i < pks_code_version_count(); i++) {
    ck_assert_ptr_nonnull(strchr(pks_code_version_name(i), '-'));
    ck_assert_int_eq(pks_code_version_of_magic(pks_code_version_magic(i)), (int)i);
  }
  ck_assert_ptr_null(pks_code_version_name(PKS_CODE_VERSIONS));
  ck_assert_uint_eq(pks_code_version_magic(PKS_CODE_VERSIONS), 0);
  ck_assert_uint_eq(pks_code_version_magic(PKS_CODE_CPYTHON_3_12), 3531);
  ck_assert_int_eq(pks_code_version_of_magic(3350), PKS_CODE_CPYTHON_3_5);
  ck_assert_int_eq(pks_code_version_of_magic(320), PKS_CODE_PYPY_3_9);
  ck_assert_int_eq(pks_code_version_of_magic(1), -1);
}
END_TEST

START_TEST(sets_are_counted) {
  uint16_t magics[PKS_CODE_VERSIONS];
  pks_code_set set = BIT(CPYTHON_3_8) | BIT(CPYTHON_3_9) | BIT(GRAALPY_3_11);
  ck_assert_uint_eq(pks_code_set_size(set), 3);
  ck_assert_uint_eq(pks_code_set_first(set), PKS_CODE_CPYTHON_3_8);
  ck_assert_uint_eq(pks_code_set_size(0), 0);
  ck_assert_uint_eq(pks_code_set_magics(set, magics), 3);
  ck_assert_uint_eq(magics[0], 3413);
  ck_assert_uint_eq(magics[1], 3425);
}
END_TEST

/* ---- one code object ------------------------------------------------------------------------------------------ */

static const struct {
  size_t shape;
  const char *code, *lines;
  unsigned flags;
  pks_code_set set, likely;
  pks_code_kinds kind;
} increments[] = {
    {15, INCREMENT_OLD, "", 0, BIT(CPYTHON_3_6) | BIT(CPYTHON_3_7),
     BIT(CPYTHON_3_6) | BIT(CPYTHON_3_7), PKS_CODE_EQUIVALENT},
    {16, INCREMENT_OLD, "", 0, OLDER, OLDER, PKS_CODE_EQUIVALENT},
    /* a line table that covers the code is of 3.10; one that starts like an lnotab is none */
    {16, INCREMENT_OLD, "0800", 0, BIT(CPYTHON_3_10), BIT(CPYTHON_3_10), PKS_CODE_EXACT},
    {16, INCREMENT_OLD, "00010801", 0, OLDER, OLDER, PKS_CODE_EQUIVALENT},
    {16, INCREMENT_OLD, "0001", 0, OLDER, OLDER, PKS_CODE_EQUIVALENT},
    /* cloudpickle 1.1 to 1.6 */
    {16, INCREMENT_OLD, "0001", PKS_CODE_CLOUDPICKLE_OLD, OLDER | BIT(CPYTHON_3_10),
     OLDER | BIT(CPYTHON_3_10), PKS_CODE_EQUIVALENT},
    {16, INCREMENT_OLD, "0800", PKS_CODE_CLOUDPICKLE_OLD, BIT(CPYTHON_3_10), BIT(CPYTHON_3_10),
     PKS_CODE_EXACT},
    {18, INCREMENT_NEW, "80009061980191638000", 0, NEW_PAIR, NEW_PAIR, PKS_CODE_EQUIVALENT},
    /* a table that is of neither, or was cut away, says nothing */
    {18, INCREMENT_NEW, "8000", 0, NEW_PAIR, NEW_PAIR, PKS_CODE_EQUIVALENT},
    {18, INCREMENT_NEW, "", 0, NEW_PAIR, NEW_PAIR, PKS_CODE_EQUIVALENT},
    /* two neighbours at one place: not written by 3.12 */
    {18, "97007c005300", "800098018801", 0, NEW_PAIR, NEW_PAIR, PKS_CODE_EQUIVALENT},
    {18, "97007c005300", "800098019801", 0, BIT(CPYTHON_3_11), BIT(CPYTHON_3_11), PKS_CODE_EXACT},
    /* other RESUMEs */
    {18, "950056005300", "800098018801", 0, 0, 0, PKS_CODE_NONE},
    {15, "", "", 0, 0, 0, PKS_CODE_NONE},
    {16, "7c0064011700530000", "", 0, 0, 0, PKS_CODE_NONE},
};

START_TEST(increment_is) {
  size_t argc = increment(increments[_i].shape, increments[_i].code, increments[_i].lines);
  inspect(argc, increments[_i].flags);
  ck_assert_uint_eq(facts.shape, increments[_i].shape);
  ck_assert_uint_eq(facts.set, increments[_i].set);
  ck_assert_uint_eq(facts.likely, increments[_i].likely);
  ck_assert_int_eq(facts.kind, increments[_i].kind);
  ck_assert(!facts.broken_call);
}
END_TEST

START_TEST(plain_facts) {
  inspect(increment(18, INCREMENT_NEW, "80009061980191638000"), 0);
  ck_assert_mem_eq(facts.name.data, "f", 1);
  ck_assert_mem_eq(facts.qualname.data, "C.f", 3);
  ck_assert_mem_eq(facts.file.data, "job.py", 6);
  ck_assert_uint_eq(facts.bytecode.size, 12);
  ck_assert_int_eq(facts.line, 7);
  ck_assert_int_eq(facts.argcount, 1);
  ck_assert_int_eq(facts.nlocals, 1);
  ck_assert_int_eq(facts.stacksize, 2);
  ck_assert_int_eq(facts.flags, 3);
  ck_assert_int_eq(facts.at[PKS_CF_QUALNAME], 12);
  ck_assert_int_eq(facts.at[PKS_CF_LEAD], -1);
  ck_assert_ptr_eq(facts.names, &args[8]);
  ck_assert_ptr_eq(facts.consts, &args[7]);
}
END_TEST

/* Every instruction of it is the same in 3.8 and 3.10, but a jump counts bytes in one and units in the
 * other. */
START_TEST(jumps_conflict) {
  /* if a: return None; return 1 -- the jump goes to offset 4, or to 8 */
  function f = {.shape = 16,
                .code = "7c007204640053006401 5300",
                .lines = "000104010401",
                .arguments = 1,
                .locals = 1,
                .stack = 1,
                .flags = 67,
                .consts = none_and_one,
                .const_count = 2};
  size_t argc = arguments_of(&f, args);
  inspect(argc, PKS_CODE_CLOUDPICKLE_OLD);
  ck_assert_uint_eq(facts.set, OLDER | BIT(CPYTHON_3_10));
  ck_assert_int_eq(facts.kind, PKS_CODE_CONFLICTING);
  ck_assert_int_eq(pks_code_set_kind(OLDER, facts.conflicts), PKS_CODE_EQUIVALENT);
  inspect(argc, 0);
  ck_assert_uint_eq(facts.set, OLDER);
  ck_assert_int_eq(facts.kind, PKS_CODE_EQUIVALENT);
  f.lines = "040104010401";
  inspect(arguments_of(&f, args), 0);
  ck_assert_uint_eq(facts.set, BIT(CPYTHON_3_10));
}
END_TEST

/* 3.10's code with an lnotab, which neither 3.8 nor 3.9 can have made: nothing else is left. */
START_TEST(lnotab_of_3_10_when_nothing_else_is_left) {
  pks_code_value consts[3] = {none_value(), code_value(), text_value("f.<locals>.g")};
  function f = {
      .shape = 16,
      .lines = "0001",
      .stack = 4,
      .flags = 67,
      .consts = consts,
      .const_count = 3,
      /* LOAD_CONST 1 .. MAKE_FUNCTION, DUP_TOP, ROT_N 2, POP_TOP, RETURN_VALUE: only 3.10 has ROT_N */
      .code = "6401640284000400630201005300"};
  inspect(arguments_of(&f, args), 0);
  ck_assert_uint_eq(facts.set, BIT(CPYTHON_3_10));
  ck_assert_int_eq(facts.kind, PKS_CODE_EXACT);
}
END_TEST

/* async for: GET_AITER in 3.6 gives an awaitable. */
START_TEST(aiter_conflicts) {
  function f = {.shape = 15,
                .code = "7c003200010064005300",
                .lines = "",
                .arguments = 1,
                .locals = 1,
                .stack = 1,
                .flags = 67 | 0x80,
                .consts = none_and_one,
                .const_count = 1};
  inspect(arguments_of(&f, args), 0);
  ck_assert_uint_eq(facts.set, BIT(CPYTHON_3_6) | BIT(CPYTHON_3_7));
  ck_assert_int_eq(facts.kind, PKS_CODE_CONFLICTING);
}
END_TEST

/* LOAD_FAST of a local that may not be bound is checked in 3.11 and not in 3.12. */
START_TEST(unbound_locals_conflict) {
  function f = {.shape = 18,
                .code = "97007c005300",
                .lines = "800098018801",
                .locals = 1,
                .stack = 1,
                .flags = 3,
                .consts = none_and_one,
                .const_count = 1};
  inspect(arguments_of(&f, args), 0);
  ck_assert_uint_eq(facts.set, NEW_PAIR);
  ck_assert_int_eq(facts.kind, PKS_CODE_CONFLICTING);
  f.arguments = 1;
  inspect(arguments_of(&f, args), 0);
  ck_assert_int_eq(facts.kind, PKS_CODE_EQUIVALENT);
}
END_TEST

/* ---- calls that add something, or leave something out ------------------------------------------------------------ */

START_TEST(dill_puts_an_lnotab_first) {
  size_t argc = increment(16, INCREMENT_OLD, "0800");
  memmove(args + 1, args, argc * sizeof *args);
  args[0] = bytes_value("0001");
  inspect(argc + 1, PKS_CODE_DILL);
  ck_assert_int_eq(facts.shape, PKS_SHAPE_16);
  ck_assert_int_eq(facts.at[PKS_CF_LEAD], 0);
  ck_assert_int_eq(facts.at[PKS_CF_CODE], 7);
  ck_assert_uint_eq(facts.set, BIT(CPYTHON_3_10));
  argc = increment(18, INCREMENT_NEW, "80009061980191638000");
  memmove(args + 1, args, argc * sizeof *args);
  args[0] = bytes_value("");
  inspect(argc + 1, PKS_CODE_DILL);
  ck_assert_int_eq(facts.shape, PKS_SHAPE_18);
  ck_assert_uint_eq(facts.set, NEW_PAIR);
}
END_TEST

START_TEST(pypy_says_its_magic) {
  size_t argc = increment(16, INCREMENT_OLD, "");
  args[argc] = int_value(168624464);
  inspect(argc + 1, PKS_CODE_PYPY);
  ck_assert_uint_eq(facts.given_magic, 336);
  ck_assert_uint_eq(facts.set, BIT(PYPY_3_9));
  ck_assert_int_eq(facts.kind, PKS_CODE_EXACT);
  inspect(argc + 1, 0); /* 17 arguments say it too */
  ck_assert_uint_eq(facts.set, BIT(PYPY_3_9));
  args[argc] = int_value(0x0a0d0001);
  inspect(argc + 1, PKS_CODE_PYPY);
  ck_assert_uint_eq(facts.given_magic, 1);
  ck_assert_int_eq(facts.kind, PKS_CODE_NONE);
}
END_TEST

/* Instructions that both have with the same number say nothing; LIST_EXTEND does: 162, or 164. */
START_TEST(pypy_may_have_made_it) {
  function f = {.shape = 16,
                .code = "67007c00a2015300",
                .lines = "",
                .arguments = 1,
                .locals = 1,
                .stack = 2,
                .flags = 67,
                .consts = none_and_one,
                .const_count = 1};
  inspect(increment(16, INCREMENT_OLD, ""), 0);
  ck_assert(facts.pypy & BIT(PYPY_3_9));
  inspect(arguments_of(&f, args), 0);
  ck_assert_uint_eq(facts.set, BIT(CPYTHON_3_9));
  ck_assert(!(facts.pypy & BIT(PYPY_3_9)));
  f.code = "7c007c00cb015300"; /* LOAD_FAST, LOAD_FAST, BUILD_LIST_FROM_ARG, RETURN_VALUE */
  inspect(arguments_of(&f, args), 0);
  ck_assert_uint_eq(facts.set, 0);
  ck_assert(facts.pypy & BIT(PYPY_3_9));
}
END_TEST

START_TEST(newer_code_in_an_older_call) {
  size_t argc = increment(18, INCREMENT_NEW, "80009061980191638000");
  memmove(args + 12, args + 13, 2 * sizeof *args); /* no qualname */
  memmove(args + 14, args + 16, 2 * sizeof *args); /* no exception table */
  inspect(argc - 2, 0);
  ck_assert_int_eq(facts.shape, PKS_SHAPE_16);
  ck_assert_int_eq(facts.kind, PKS_CODE_NONE);
  ck_assert(facts.broken_call);
}
END_TEST

START_TEST(not_a_constructor_call) {
  size_t argc = increment(16, INCREMENT_OLD, "");
  for (size_t n = 0; n < 24; n++) {
    if (n == 14 || n == 15 || n == 16) continue;
    pks_code_value padded[24] = {{0}};
    memcpy(padded, args, argc * sizeof *args);
    ck_assert_int_eq(pks_code_inspect(&scratch, &mem, padded, n, 0, &facts), PKS_OK);
    if (n != 17 && n != 18) ck_assert_int_eq(facts.shape, PKS_SHAPE_NONE);
    if (n != 17 && n != 18) ck_assert_int_eq(facts.kind, PKS_CODE_NONE);
  }
  args[5] = text_value("flags");
  inspect(argc, 0);
  ck_assert_int_eq(facts.shape, PKS_SHAPE_NONE);
}
END_TEST

/* What was not kept bounds nothing and rules nothing out. */
START_TEST(unknown_arguments) {
  for (size_t unknown = 0; unknown < 18; unknown++) {
    size_t argc = imports(18, IMPORTS_3_12, "8000db040fd9070bdb0816dd0415d80b0f804b");
    args[unknown] = (pks_code_value){.kind = PKS_CV_UNKNOWN};
    inspect(argc, 0);
    ck_assert(facts.set & BIT(CPYTHON_3_12));
    ck_assert_int_eq(facts.scanned, unknown != 6);
    if (unknown == 6) ck_assert_int_eq(facts.kind, PKS_CODE_CONFLICTING);
  }
  size_t argc = imports(16, IMPORTS_3_10, "0801040108010c010401");
  args[13] = (pks_code_value){.kind = PKS_CV_UNKNOWN};
  inspect(argc, 0);
  ck_assert(facts.set & BIT(CPYTHON_3_10));
}
END_TEST

/* Bytecode as text, one character a byte: what latin-1 makes of Python 2's str, and what dill takes. */
START_TEST(bytecode_as_text) {
  size_t argc = increment(16, "7c00640117005300", "");
  args[6] = text_value("");
  static const uint8_t text[] = {0x7c, 0, 0x64, 1, 0x17, 0, 0x53, 0};
  args[6].text = (pks_span){text, sizeof text};
  inspect(argc, PKS_CODE_DILL); /* up to 0.3.5 it gives an lnotab on 3.10, too */
  ck_assert_uint_eq(facts.set, OLDER | BIT(CPYTHON_3_10));
  static const uint8_t high[] = {0x7c, 0, 0xc2, 0xa2, 0}; /* 7c 00 a2 00 */
  args[6].text = (pks_span){high, sizeof high};
  inspect(argc, PKS_CODE_DILL);
  ck_assert_uint_eq(facts.bytecode.size, 4);
  ck_assert_uint_eq(facts.bytecode.data[2], 0xa2);
}
END_TEST

/* ---- imports and globals ------------------------------------------------------------------------------------------------- */

static const struct {
  size_t shape;
  const char *code, *lines;
  uint32_t offsets[3];
} importing[] = {
    {16, IMPORTS_3_8, "00010801040108010c01", {4, 16, 24}},
    {16, IMPORTS_3_10, "0801040108010c010401", {4, 16, 24}},
    {18, IMPORTS_3_12, "8000db040fd9070bdb0816dd0415d80b0f804b", {6, 18, 26}},
};

START_TEST(imports_are_listed) {
  inspect(imports(importing[_i].shape, importing[_i].code, importing[_i].lines), 0);
  const pks_code_import *list = facts.imports;
  ck_assert_uint_eq(facts.import_count, 3);
  for (int i = 0; i < 3; i++) ck_assert_uint_eq(list[i].offset, importing[_i].offsets[i]);
  ck_assert_mem_eq(list[0].module.data, "json", 4);
  ck_assert_int_eq(list[0].level, 0);
  ck_assert_ptr_null(list[0].from);
  ck_assert(list[0].straight);
  ck_assert_mem_eq(list[1].module.data, "xml.dom", 7);
  ck_assert(!list[1].straight);
  ck_assert_uint_eq(list[2].module.size, 0);
  ck_assert_int_eq(list[2].level, 1);
  ck_assert_ptr_eq(list[2].from, &import_consts[3]);
  ck_assert_uint_eq(list[2].name, 2);
}
END_TEST

START_TEST(globals_are_listed_once) {
  pks_code_value names[3] = {text_value("a"), text_value("os"), text_value("len")};
  function f = {
      .shape = 16,
      .lines = "",
      .stack = 3,
      .flags = 67,
      .consts = none_and_one,
      .const_count = 1,
      .names = names,
      .name_count = 3,
      /* LOAD_GLOBAL len, LOAD_GLOBAL os, LOAD_ATTR a, LOAD_GLOBAL len, pops, RETURN_VALUE */
      .code = "740274016a0074020100010053 00"};
  inspect(arguments_of(&f, args), 0);
  ck_assert_uint_eq(facts.global_count, 2);
  ck_assert_mem_eq(facts.globals[0].name.data, "len", 3);
  ck_assert_uint_eq(facts.globals[0].offset, 0);
  ck_assert_mem_eq(facts.globals[1].name.data, "os", 2);
  ck_assert_uint_eq(facts.globals[1].index, 1);
  ck_assert(!facts.globals[1].by_name);
}
END_TEST

/* Of code that no version can have made every reading is listed. */
START_TEST(uses_of_code_of_nobody) {
  size_t argc = imports(18, IMPORTS_3_12 "ff00", "00");
  inspect(argc, 0);
  ck_assert_int_eq(facts.kind, PKS_CODE_NONE);
  ck_assert_uint_ge(facts.import_count, 3);
  ck_assert(facts.imports[0].under & BIT(CPYTHON_3_12));
}
END_TEST

START_TEST(magic_is_given) {
  size_t argc = imports(18, IMPORTS_3_12, "8000");
  ck_assert_int_eq(pks_code_inspect_as(&scratch, &mem, args, argc, 3531, &facts), PKS_OK);
  ck_assert_uint_eq(facts.set, BIT(CPYTHON_3_12));
  ck_assert_int_eq(facts.kind, PKS_CODE_EXACT);
  ck_assert_uint_eq(facts.import_count, 3);
  ck_assert_int_eq(pks_code_inspect_as(&scratch, &mem, args, argc, 7, &facts), PKS_OK);
  ck_assert_int_eq(facts.kind, PKS_CODE_NONE);
  ck_assert_uint_eq(facts.given_magic, 7);
}
END_TEST

/* ---- several code objects -------------------------------------------------------------------------------------------------------- */

static pks_code_facts of(pks_code_set set, uint16_t soft_3_9) {
  pks_code_facts f;
  memset(&f, 0, sizeof f);
  f.set = set;
  f.soft[PKS_CODE_CPYTHON_3_9] = soft_3_9;
  return f;
}

START_TEST(joins) {
  static const struct {
    pks_code_set sets[3];
    pks_code_set set;
    pks_code_kinds kind;
    bool mixed;
    uint32_t nones;
  } cases[] = {
      {{OLDER, OLDER, OLDER}, OLDER, PKS_CODE_EQUIVALENT, false, 0},
      {{OLDER, BIT(CPYTHON_3_8), OLDER}, BIT(CPYTHON_3_8), PKS_CODE_EXACT, false, 0},
      {{BIT(CPYTHON_3_9), BIT(CPYTHON_3_8), OLDER}, 0, PKS_CODE_NONE, true, 0},
      {{OLDER, 0, OLDER}, OLDER, PKS_CODE_EQUIVALENT, false, 1},
      {{0, 0, 0}, 0, PKS_CODE_NONE, false, 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pks_code_join join = {0};
    pks_code_joint joint;
    for (int k = 0; k < 3; k++) {
      pks_code_facts f = of(cases[i].sets[k], 0);
      pks_code_join_add(&join, &f);
    }
    pks_code_join_get(&join, &joint);
    ck_assert_uint_eq(joint.set, cases[i].set);
    ck_assert_int_eq(joint.kind, cases[i].kind);
    ck_assert_int_eq(joint.mixed, cases[i].mixed);
    ck_assert_uint_eq(join.nones, cases[i].nones);
  }
}
END_TEST

START_TEST(signs_add_up) {
  pks_code_join join = {0};
  pks_code_joint joint;
  pks_code_facts plain = of(OLDER, 0), sign = of(OLDER, 1);
  pks_code_join_add(&join, &plain);
  pks_code_join_get(&join, &joint);
  ck_assert_uint_eq(joint.likely, OLDER);
  pks_code_join_add(&join, &sign);
  pks_code_join_get(&join, &joint);
  ck_assert_uint_eq(joint.set, OLDER);
  ck_assert_uint_eq(joint.likely, BIT(CPYTHON_3_8));
}
END_TEST

START_TEST(given_magics_are_compared) {
  pks_code_join join = {0};
  pks_code_facts f = of(BIT(PYPY_3_9), 0);
  f.given_magic = 336;
  pks_code_join_add(&join, &f);
  ck_assert(!join.given_differs);
  f.given_magic = 384;
  pks_code_join_add(&join, &f);
  ck_assert(join.given_differs);
}
END_TEST

/* ---- cost ------------------------------------------------------------------------------------------------------------------------ */

/* Ten million bytes of code are one pass, not memory or time without measure. */
START_TEST(long_code) {
  size_t size = 10000000;
  uint8_t *code = malloc(size);
  for (size_t i = 0; i < size; i += 2) {
    code[i] = 0x64; /* LOAD_CONST, POP_TOP */
    code[i + 1] = 0;
    i += 2;
    code[i] = 0x01;
    code[i + 1] = 0;
  }
  memcpy(code + size - 4, "\x64\x00\x53\x00", 4);
  size_t argc = increment(16, INCREMENT_OLD, "");
  args[6].text = (pks_span){code, size};
  inspect(argc, 0);
  ck_assert_uint_eq(facts.set, OLDER);
  ck_assert_uint_lt(mem.peak, 2 * size);
  free(code);
}
END_TEST

/* No more memory than the limit: the arguments' own facts are there all the same. */
START_TEST(memory_limit) {
  pks_mem tight;
  pks_code_scratch own = {0};
  size_t argc = increment(16, INCREMENT_OLD, "");
  pks_base_mem_init(&tight, NULL, 16);
  ck_assert_int_eq(pks_code_inspect(&own, &tight, args, argc, 0, &facts), PKS_E_LIMIT_MEMORY);
  ck_assert_int_eq(facts.shape, PKS_SHAPE_16);
  ck_assert_int_eq(facts.line, 7);
  pks_code_scratch_free(&own, &tight);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("code, inference");
  TCase *one = tcase_create("one"), *several = tcase_create("several");
  tcase_add_checked_fixture(one, setup, teardown);
  tcase_add_test(one, versions_have_names_and_magics);
  tcase_add_test(one, sets_are_counted);
  tcase_add_loop_test(one, increment_is, 0, (int)(sizeof increments / sizeof *increments));
  tcase_add_test(one, plain_facts);
  tcase_add_test(one, jumps_conflict);
  tcase_add_test(one, lnotab_of_3_10_when_nothing_else_is_left);
  tcase_add_test(one, aiter_conflicts);
  tcase_add_test(one, unbound_locals_conflict);
  tcase_add_test(one, dill_puts_an_lnotab_first);
  tcase_add_test(one, pypy_says_its_magic);
  tcase_add_test(one, pypy_may_have_made_it);
  tcase_add_test(one, newer_code_in_an_older_call);
  tcase_add_test(one, not_a_constructor_call);
  tcase_add_test(one, unknown_arguments);
  tcase_add_test(one, bytecode_as_text);
  tcase_add_loop_test(one, imports_are_listed, 0, 3);
  tcase_add_test(one, globals_are_listed_once);
  tcase_add_test(one, uses_of_code_of_nobody);
  tcase_add_test(one, magic_is_given);
  tcase_add_test(one, long_code);
  tcase_add_test(one, memory_limit);
  tcase_add_test(several, joins);
  tcase_add_test(several, signs_add_up);
  tcase_add_test(several, given_magics_are_compared);
  suite_add_tcase(suite, one);
  suite_add_tcase(suite, several);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
