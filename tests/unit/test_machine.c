/* machine: stack, marks and memo, step by step as CPython's C unpickler takes them. Each program
 * is run by the machine alone, with hooks that write down what they are told, and by an inspector in
 * every cut. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/asm.h"
#include "support/noise.h"
#include "support/rig.h"
#include "support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- stack and marks ----------------------------------------------------------------------------- */

static const program_row stack_rows[] = {
    {"NONE", PY311, "None"},
    {"STOP", PY311, "E_STACK 0 STOP UnpicklingError"},
    {"MARK STOP", PY311, "E_STACK 1 STOP UnpicklingError"},
    {"NONE MARK STOP", PY311, "E_STACK 2 STOP UnpicklingError"},
    {"MARK NONE", PY311, "None"},
    {"NONE NEWTRUE", PY311, "True"},
    {"POP", PY311, "E_STACK 0 POP UnpicklingError"},
    {"NONE NEWTRUE POP", PY311, "None"},
    {"NONE MARK POP", PY311, "None"}, /* takes the mark */
    {"NONE MARK POP POP STOP", PY311, "E_STACK 4 STOP UnpicklingError"},
    {"NEWFALSE MARK NONE POP POP", PY311, "False"},
    {"NONE MARK MARK POP POP", PY311, "None"},
    {"NEWTRUE MARK NONE POP STOP", PY311, "E_STACK 4 STOP UnpicklingError"},
    {"POP_MARK", PY311, "E_MARK 0 POP_MARK UnpicklingError"},
    {"NONE POP_MARK", PY311, "E_MARK 1 POP_MARK UnpicklingError"},
    {"NONE MARK NEWTRUE NEWTRUE POP_MARK", PY311, "None"},
    {"NONE MARK POP_MARK", PY311, "None"},
    {"NONE MARK NEWTRUE MARK NEWFALSE POP_MARK POP_MARK", PY311, "None"},
    {"DUP", PY311, "E_STACK 0 DUP UnpicklingError"},
    {"NONE MARK DUP", PY311, "E_STACK 2 DUP UnpicklingError"},
    {"NONE DUP TUPLE2", PY311, "tuple 2"},
    {"EMPTY_TUPLE", PY311, "tuple 0"},
    {"MARK TUPLE", PY311, "tuple 0"},
    {"NEWTRUE MARK NONE NONE TUPLE TUPLE2", PY311, "tuple 2"},
    {"NEWTRUE MARK NONE TUPLE2", PY311, "E_STACK 3 TUPLE2 UnpicklingError"},
    {"MARK NONE NONE NONE LIST", PY311, "list 3"},
    {"MARK LIST", PY311, "list 0"},
    {"MARK NONE NONE DICT", PY311, "dict"},
    {"MARK DICT", PY311, "dict"},
    {"MARK NONE DICT", PY311, "E_OPERAND 2 DICT UnpicklingError"},
    {"MARK NONE NONE FROZENSET", PY311, "frozenset"},
    {"EMPTY_SET", PY311, "set"},
    /* a mark is taken before the operands under it are looked for */
    {"NONE MARK MARK NONE APPENDS", PY311, "E_STACK 4 APPENDS UnpicklingError"},
    {"EMPTY_LIST MARK NONE APPENDS", PY311, "list 1"},
    {"MARK NONE APPENDS", PY311, "E_STACK 2 APPENDS UnpicklingError"},
    {"MARK NONE SETITEMS", PY311, "E_STACK 2 SETITEMS UnpicklingError"},
    {"MARK NONE ADDITEMS", PY311, "E_STACK 2 ADDITEMS UnpicklingError"},
    {"MARK OBJ", PY311, "E_STACK 1 OBJ UnpicklingError"},
    {"NONE OBJ", PY311, "E_MARK 1 OBJ UnpicklingError"},
    {"INST 'a' 'b'", PY311, "E_MARK 0 INST UnpicklingError"},
    {"NONE NONE NONE TUPLE3", PY311, "tuple 3"},
    {"NONE NONE TUPLE3", PY311, "E_STACK 2 TUPLE3 UnpicklingError"},
};

START_TEST(stack_and_marks) {
  rig_check(stack_rows[_i].program, stack_rows[_i].python, false, stack_rows[_i].want);
}
END_TEST

/* ---- what pickle_ops.def says of each opcode ------------------------------------------------------ */

/* Operands with which every opcode succeeds: below and above a mark, or without one. */
static void add_operands(pickle *p, int op) {
  const pks_op_info *info = &pks_decode_ops[op];
  switch (op) {
    case PKS_OP_APPENDS: pickle_add(p, "EMPTY_LIST MARK NONE"); return;
    case PKS_OP_SETITEMS: pickle_add(p, "EMPTY_DICT MARK NONE NONE"); return;
    case PKS_OP_ADDITEMS: pickle_add(p, "EMPTY_SET MARK NONE"); return;
    case PKS_OP_OBJ: pickle_add(p, "MARK GLOBAL 'm' 'n' NONE"); return;
    case PKS_OP_DICT: pickle_add(p, "MARK NONE NONE"); return;
    case PKS_OP_APPEND: pickle_add(p, "EMPTY_LIST NONE"); return;
    case PKS_OP_SETITEM: pickle_add(p, "EMPTY_DICT NONE NONE"); return;
    case PKS_OP_BUILD: pickle_add(p, "GLOBAL 'm' 'n' NONE"); return;
    case PKS_OP_REDUCE:
    case PKS_OP_NEWOBJ: pickle_add(p, "GLOBAL 'm' 'n' EMPTY_TUPLE"); return;
    case PKS_OP_NEWOBJ_EX: pickle_add(p, "GLOBAL 'm' 'n' EMPTY_TUPLE EMPTY_DICT"); return;
    case PKS_OP_STACK_GLOBAL: pickle_add(p, "SHORT_BINUNICODE 'm' SHORT_BINUNICODE 'n'"); return;
    case PKS_OP_READONLY_BUFFER: pickle_add(p, "SHORT_BINBYTES 'b'"); return;
    case PKS_OP_POP: pickle_add(p, "NONE"); return;
    default: break;
  }
  if (info->mark) pickle_add(p, "MARK NONE NONE");
  for (int i = 0; i < info->need; i++) pickle_add(p, "NONE");
}

static void add_opcode(pickle *p, int op) {
  char text[64];
  const char *arguments[] = {
      [PKS_ARG_NONE] = "",    [PKS_ARG_U1] = "0",     [PKS_ARG_U2] = "1",
      [PKS_ARG_U4] = "0",     [PKS_ARG_U8] = "1",     [PKS_ARG_I4] = "1",
      [PKS_ARG_F8] = "1.5",   [PKS_ARG_LINE] = "'0'", [PKS_ARG_LINE2] = "'m' 'n'",
      [PKS_ARG_N1] = "'a'",   [PKS_ARG_N4] = "'a'",   [PKS_ARG_N8] = "'a'",
      [PKS_ARG_L1] = "'%01'", [PKS_ARG_L4] = "'%01'"};
  const char *argument = arguments[pks_decode_ops[op].argument];
  if (op == PKS_OP_STRING) argument = "'%22%22'";
  if (op == PKS_OP_EXT1) argument = "1";
  snprintf(text, sizeof text, "%s %s", pks_decode_ops[op].name, argument);
  pickle_add(p, text);
}

/* Stack height and open marks after the program. */
static void heights(const pickle *p, size_t *height, size_t *marks) {
  rig r;
  rig_open(&r, PY313, false, NULL);
  free(rig_run(&r, p->data, p->size));
  *height = (size_t)(r.m.top - r.m.stack);
  *marks = r.m.mark_count;
  rig_close(&r);
}

START_TEST(effect_of_opcode_is_what_its_row_says) {
  const pks_op_info *info = &pks_decode_ops[_i];
  size_t before, after, marks_before, marks_after, above = 0;
  pickle p = {0};
  if (!info->name) return;
  pickle_add(&p, "NEWTRUE BINPUT 0 MARK NEWTRUE"); /* something below that must stay */
  add_operands(&p, _i);
  heights(&p, &before, &marks_before);
  for (size_t i = 0; i < p.size; i++) above = p.data[i] == '(' ? 0 : above + 1;
  add_opcode(&p, _i);
  pickle_fit(&p);
  heights(&p, &after, &marks_after);
  if (info->mark) { /* operands: GLOBAL's eight bytes are one of them */
    above = _i == PKS_OP_OBJ ? 2 : above;
    before -= above;
  }
  ck_assert_uint_eq(after, before - info->pops + info->pushes);
  ck_assert_uint_eq(marks_after, marks_before - info->mark + (_i == PKS_OP_MARK));
  pickle_free(&p);
}
END_TEST

/* With one operand fewer than `need`, or no mark, the stack is at fault and nothing else. */
START_TEST(need_of_opcode_is_what_its_row_says) {
  const pks_op_info *info = &pks_decode_ops[_i];
  char want[64];
  if (!info->name) return;
  for (int have = 0; have < info->need; have++) {
    rig r;
    pickle p = {0};
    pickle_add(&p, "NONE NONE NONE MARK");
    pickle_add_times(&p, (size_t)have, "NONE");
    if (info->mark) pickle_add(&p, "MARK NONE NONE");
    size_t offset = p.size;
    add_opcode(&p, _i);
    rig_open(&r, PY313, false, NULL);
    char *got = rig_run(&r, p.data, p.size);
    snprintf(want, sizeof want, "E_STACK %zu %s UnpicklingError", offset, info->name);
    ck_assert_str_eq(got, want);
    free(got);
    rig_close(&r);
    pickle_free(&p);
  }
  if (info->mark) {
    snprintf(want, sizeof want, "NONE NONE NONE ");
    pickle p = {0};
    rig r;
    pickle_add(&p, want);
    add_opcode(&p, _i);
    rig_open(&r, PY313, false, NULL);
    char *got = rig_run(&r, p.data, p.size);
    snprintf(want, sizeof want, "E_MARK 3 %s UnpicklingError", info->name);
    ck_assert_str_eq(got, want);
    free(got);
    rig_close(&r);
    pickle_free(&p);
  }
}
END_TEST

/* ---- memo ---------------------------------------------------------------------------------------- */

static const program_row memo_rows[] = {
    {"NONE BINPUT 0 POP BINGET 0", PY311, "None"},
    {"NONE PUT '7' POP GET ' 7 '", PY311, "None"},
    {"NEWTRUE LONG_BINPUT 70000 POP LONG_BINGET 70000", PY311, "True"},
    {"NEWTRUE LONG_BINPUT 300 NONE LONG_BINPUT 300 LONG_BINGET 300", PY311, "None"},
    {"BINGET 0", PY311, "E_MEMO 0 BINGET UnpicklingError"},
    {"BINGET 0", PY38, "E_MEMO 0 BINGET KeyError"},
    {"NONE BINPUT 1 BINGET 0", PY311, "E_MEMO 3 BINGET UnpicklingError"}, /* a hole */
    {"LONG_BINGET 4294967295", PY311, "E_MEMO 0 LONG_BINGET UnpicklingError"},
    {"NONE BINPUT 0 GET '-1'", PY311, "E_MEMO 3 GET UnpicklingError"},
    {"NONE BINPUT 0 GET '-1'", PY36, "E_MEMO 3 GET KeyError"},
    {"NONE BINPUT 0 GET '9223372036854775807'", PY311, "E_MEMO 3 GET UnpicklingError"},
    {"NONE BINPUT 0 GET '9223372036854775808'", PY311, "E_MEMO 3 GET OverflowError"},
    {"NONE PUT '-1'", PY311, "E_MEMO 1 PUT ValueError"},
    {"NONE PUT '99999999999999999999'", PY311, "E_MEMO 1 PUT OverflowError"},
    {"BINPUT 0", PY311, "E_STACK 0 BINPUT UnpicklingError"},
    {"NONE MARK BINPUT 0", PY311, "E_STACK 2 BINPUT UnpicklingError"},
    {"MEMOIZE", PY311, "E_STACK 0 MEMOIZE UnpicklingError"},
    {"PUT 'z'", PY311, "E_STACK 0 PUT UnpicklingError"}, /* the stack before the number */
    {"PUT ''", PY311, "E_ARGUMENT 0 PUT UnpicklingError"},
    {"NONE PUT 'z'", PY311, "E_ARGUMENT 1 PUT ValueError"},
    /* CPython's array grows to twice the index: past any memory */
    {"NONE LONG_BINPUT 0xffffffff", PY311, "E_MEMO 1 LONG_BINPUT MemoryError"},
    {"NONE PUT '9223372036854775807'", PY311, "E_MEMO 1 PUT MemoryError"},
    {"NONE LONG_BINPUT 0xffffffff LONG_BINGET 0xffffffff", PY315, "None"}, /* a dict there */
    {"NONE LONG_BINPUT 0x1fffffff LONG_BINGET 0x1fffffff", PY311, "None"},
    /* MEMOIZE: index is the number of occupied slots */
    {"NONE MEMOIZE NEWTRUE MEMOIZE BINGET 0", PY311, "None"},
    {"NONE BINPUT 5 NEWTRUE MEMOIZE BINGET 1", PY311, "True"},
    {"NONE BINPUT 5 NEWTRUE MEMOIZE BINGET 6", PY311, "E_MEMO 5 BINGET UnpicklingError"},
    {"NONE BINPUT 1 NEWTRUE MEMOIZE NEWFALSE MEMOIZE BINGET 1", PY311, "False"},
    {"NONE BINPUT 1 NEWTRUE MEMOIZE NEWFALSE MEMOIZE BINGET 2", PY311,
     "E_MEMO 7 BINGET UnpicklingError"},
    {"NONE BINPUT 0 BINPUT 0 NEWTRUE MEMOIZE BINGET 1", PY311, "True"},
    {"NONE LONG_BINPUT 1000000 NEWTRUE MEMOIZE BINGET 1", PY314, "True"},
    {"NONE LONG_BINPUT 1000000 NEWTRUE MEMOIZE BINGET 0", PY315, "True"}, /* gh-115952 */
    {"NONE LONG_BINPUT 1000000 NEWTRUE MEMOIZE BINGET 1", PY315, "E_MEMO 8 BINGET UnpicklingError"},
    {"NONE BINPUT 31 NEWTRUE MEMOIZE BINGET 1", PY315, "True"},
    {"NONE BINPUT 32 NEWTRUE MEMOIZE BINGET 0", PY315, "True"},
    {"NONE BINPUT 32 NEWTRUE MEMOIZE BINGET 32", PY315, "None"},
};

START_TEST(memo_entries) {
  rig_check(memo_rows[_i].program, memo_rows[_i].python, false, memo_rows[_i].want);
}
END_TEST

/* The memo holds the object, not a copy of it: what changes later has changed there, too. */
static const program_row identity_rows[] = {
    {"EMPTY_LIST BINPUT 0 NONE APPEND POP BINGET 0", PY311, "list 1"},
    {"EMPTY_LIST BINPUT 0 POP BINGET 0 NONE APPEND NONE APPEND POP BINGET 0", PY311, "list 2"},
    {"EMPTY_LIST BINPUT 0 BINPUT 1 NONE APPEND POP BINGET 1", PY311, "list 1"},
    {"EMPTY_LIST BINPUT 0 POP BINGET 0 BININT1 0 NONE SETITEM", PY311,
     "E_OPERAND 9 SETITEM IndexError"},
    {"EMPTY_LIST BINPUT 0 NONE APPEND POP BINGET 0 BININT1 0 NONE SETITEM", PY311, "list 1"},
    {"EMPTY_LIST DUP NONE APPEND POP", PY311, "list 1"},
    {"EMPTY_LIST DUP MARK NONE NONE APPENDS POP", PY311, "list 2"},
    {"EMPTY_LIST MEMOIZE EMPTY_LIST MEMOIZE NONE APPEND POP POP BINGET 0", PY311, "list 0"},
    {"EMPTY_LIST BINPUT 0 BINGET 0 APPEND", PY311, "list 1"}, /* holds itself */
    {"MARK NONE LIST PUT '3' NONE APPEND POP GET '3'", PY311, "list 2"},
    {"BYTEARRAY8 'ab' MEMOIZE BININT1 1 APPEND POP BINGET 0", PY311, "bytearray 3"},
    /* a dict filled after it was memoised is no longer an empty state */
    {"NONE NONE EMPTY_DICT BINPUT 0 TUPLE2 BUILD", PY311, "None"},
    {"EMPTY_DICT BINPUT 0 NONE NONE SETITEM POP NONE NONE BINGET 0 TUPLE2 BUILD", PY311,
     "E_OPERAND 12 BUILD TypeError"},
    {"EMPTY_DICT BINPUT 0 POP NONE NONE BINGET 0 BINGET 0 SHORT_BINUNICODE 'a' NONE SETITEM POP "
     "TUPLE2 BUILD",
     PY311, "E_OPERAND 17 BUILD AttributeError"},
    {"EMPTY_SET BINPUT 0 MARK NONE ADDITEMS POP BINGET 0", PY311, "set"},
};

START_TEST(memo_keeps_identity) {
  rig_check(identity_rows[_i].program, identity_rows[_i].python, false, identity_rows[_i].want);
}
END_TEST

/* A memo written for clarity, against random programs: an array of pairs. rule_315: what lies past
 * CPython's array and past twice its entries is not counted. */
typedef struct model {
  uint64_t index[4096];
  uint8_t value[4096];
  bool counted[4096];
  size_t count;
  uint64_t occupied, capacity;
  bool rule_315;
} model;

static size_t model_find(const model *memo, uint64_t index) {
  for (size_t i = 0; i < memo->count; i++)
    if (memo->index[i] == index) return i;
  return memo->count;
}

static uint64_t model_occupied(const model *memo) { return memo->occupied; }

static void model_put(model *memo, uint64_t index, uint8_t value) {
  bool counted = true;
  if (memo->rule_315 && index >= memo->capacity) {
    counted = index <= 2 * model_occupied(memo);
    if (counted) memo->capacity = 2 * index;
  }
  size_t at = model_find(memo, index);
  if (at == memo->count) {
    memo->index[memo->count++] = index;
    memo->counted[at] = false;
  }
  memo->occupied += counted && !memo->counted[at]; /* one of the dict comes into the array */
  memo->counted[at] = memo->counted[at] || counted;
  memo->value[at] = value;
}

static uint64_t random_index(uint64_t *state, const model *memo) {
  switch (noise(state) % 4) {
    case 0: return noise(state) % 8;
    case 1: return model_occupied(memo) + noise(state) % 3;
    case 2: return noise(state) % 3000;
    default: return noise(state) % 100000;
  }
}

static void random_memo_program(uint64_t *state, model *memo, pickle *p) {
  /* the long ones grow past entries that lay far off */
  size_t steps = 1 + noise(state) % (noise(state) % 16 ? 300 : 4000);
  for (size_t i = 0; i < steps; i++) {
    uint8_t value = (uint8_t)noise(state);
    uint64_t index = model_occupied(memo);
    bool memoize = noise(state) % 3 > 0;
    if (!memoize) index = random_index(state, memo);
    pickle_add_number(p, PKS_OP_BININT1, value);
    if (memoize)
      pickle_add(p, "MEMOIZE");
    else
      pickle_add_number(p, PKS_OP_LONG_BINPUT, index);
    pickle_add(p, "POP");
    model_put(memo, index, value);
  }
  pickle_add(p, "NONE STOP");
}

/* What is at `index` of the model, or nothing. */
static void check_entry(const pks_machine *m, const model *memo, uint64_t index) {
  size_t at = model_find(memo, index);
  pks_value want = at < memo->count ? pks_make_int(memo->value[at]) : 0;
  if (pks_machine_memo_get(m, index) != want)
    ck_abort_msg("entry %" PRIu64 " of %zu: %s", index, memo->count, want ? "wrong" : "not empty");
}

START_TEST(memo_agrees_with_a_plain_one) {
  uint64_t state = (uint64_t)_i;
  rig r;
  rig_open(&r, _i % 2 ? PY315 : PY311, false, NULL);
  for (int round = 0; round < 300; round++) {
    pickle p = {0};
    model *memo = calloc(1, sizeof *memo);
    memo->rule_315 = _i % 2;
    memo->capacity = 32;
    random_memo_program(&state, memo, &p);
    pks_machine_reset(&r.m);
    char *got = rig_run(&r, p.data, p.size);
    ck_assert_str_eq(got, "None");
    for (size_t i = 0; i < memo->count; i++) check_entry(&r.m, memo, memo->index[i]);
    for (int i = 0; i < 300; i++) check_entry(&r.m, memo, random_index(&state, memo));
    free(got);
    free(memo);
    pickle_free(&p);
  }
  rig_close(&r);
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------------------- */

int main(void) {
  Suite *suite = suite_create("machine");
  TCase *stack = suite_case(suite, "stack");
  tcase_add_loop_test(stack, stack_and_marks, 0, (int)COUNT(stack_rows));
  tcase_add_loop_test(stack, effect_of_opcode_is_what_its_row_says, 0, 256);
  tcase_add_loop_test(stack, need_of_opcode_is_what_its_row_says, 0, 256);
  TCase *entries = suite_case(suite, "memo");
  tcase_add_loop_test(entries, memo_entries, 0, (int)COUNT(memo_rows));
  tcase_add_loop_test(entries, memo_keeps_identity, 0, (int)COUNT(identity_rows));
  tcase_add_loop_test(entries, memo_agrees_with_a_plain_one, 0, 4);
  return suite_run(suite);
}
