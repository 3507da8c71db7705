/* machine: numbers, items and state of literals, objects that only a run could tell, tuples; each program
 * in a rig and by an inspector in every cut. */
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

/* ---- numbers on the stack ------------------------------------------------------------------------- */

static const program_row number_rows[] = {
    {"BININT1 255", PY311, "int 255"},
    {"BININT2 65535", PY311, "int 65535"},
    {"BININT -2147483648", PY311, "int -2147483648"},
    {"INT '01'", PY311, "True"},
    {"INT '00'", PY311, "False"},
    {"INT '1'", PY311, "int 1"},
    {"INT ' 1'", PY314, "True"},
    {"INT ' 1'", PY315, "int 1"},
    {"INT '12345678'", PY311, "int 12345678"},
    {"INT '123456789'", PY311, "int 123456789"},
    {"INT '36028797018963967'", PY311, "int 36028797018963967"}, /* 2^55 - 1: fits the word */
    {"INT '36028797018963968'", PY311, "bigint"},
    {"INT '-36028797018963968'", PY311, "int -36028797018963968"},
    {"INT '010'", PY311, "int 8"},
    {"INT '010'", PY314, "int 10"},
    {"LONG '12L'", PY311, "int 12"},
    {"LONG '99999999999999999999L'", PY311, "bigint"},
    {"LONG1 ''", PY311, "int 0"},
    {"LONG1 '%ff'", PY311, "int -1"},
    {"LONG1 '%00%00%00%00%00%00%00%00%01'", PY311, "bigint"},
    {"LONG4 '%05%00%00%00%00%00%00%00%00%00%00'", PY311, "int 5"},
    {"FLOAT '1.5'", PY311, "float"},
    {"FLOAT '.'", PY311, "E_ARGUMENT 0 FLOAT ValueError"},
    {"FLOAT '-'", PY311, "E_ARGUMENT 0 FLOAT ValueError"},
    {"FLOAT '1.2.3'", PY311, "E_ARGUMENT 0 FLOAT ValueError"},
    {"FLOAT '5.'", PY311, "float"},
    {"FLOAT '-.5'", PY311, "float"},
    {"FLOAT ''", PY311, "E_ARGUMENT 0 FLOAT UnpicklingError"},
    {"INT ''", PY311, "E_ARGUMENT 0 INT UnpicklingError"},
    {"BINFLOAT 1.5", PY311, "float"},
};

START_TEST(numbers) {
  rig_check(number_rows[_i].program, number_rows[_i].python, false, number_rows[_i].want);
}
END_TEST

/* Lines that a short way may take, with any byte in them, against the reader of test_lines.c. */
static void random_line(uint64_t *state, char *line) {
  static const char rare[] = "/:;@ +-.eL_x\x7f\x80\xaf\xb0\xb9\xba\xff";
  size_t size = noise(state) % 11;
  for (size_t i = 0; i < size; i++)
    line[i] = noise(state) % 12 ? (char)('0' + noise(state) % 10)
                                : rare[noise(state) % (sizeof rare - 1)];
  line[size] = 0;
}

static void expected_number(char *want, size_t size, int op, const char *line) {
  pks_number n = {0};
  double real;
  char bytes[32];
  size_t length = (size_t)snprintf(bytes, sizeof bytes, "%s\n", line);
  const uint8_t *text = (const uint8_t *)bytes;
  uint32_t rules = pks_decode_rules(PY311);
  pks_fail fail = op == PKS_OP_FLOAT ? pks_decode_float_line(text, length, &real)
                  : op == PKS_OP_INT ? pks_decode_int_line(text, length, rules, &n)
                                     : pks_decode_index_line(text, length, rules, &n);
  if (fail)
    snprintf(want, size, "E_ARGUMENT 1 %s %s", pks_decode_ops[op].name,
             pks_decode_fails[fail].exception);
  else if (op == PKS_OP_FLOAT)
    snprintf(want, size, "float");
  else if (op == PKS_OP_GET)
    snprintf(want, size, "E_MEMO 1 GET UnpicklingError");
  else
    snprintf(want, size, n.boolean ? n.value ? "True" : "False" : "int %" PRId64, n.value);
}

START_TEST(short_lines_read_as_long_ones) {
  static const int ops[] = {PKS_OP_INT, PKS_OP_FLOAT, PKS_OP_GET};
  uint64_t state = (uint64_t)_i;
  rig r;
  rig_open(&r, PY311, false, NULL);
  for (int round = 0; round < 20000; round++) {
    char line[32], want[96];
    pickle p = {0};
    random_line(&state, line);
    pickle_add(&p, "NONE");
    pickle_add_line(&p, ops[_i], line);
    pickle_add(&p, "STOP");
    pickle_fit(&p);
    expected_number(want, sizeof want, ops[_i], line);
    pks_machine_reset(&r.m);
    char *got = rig_run(&r, p.data, p.size);
    if (strcmp(got, want) != 0) ck_abort_msg("'%s': %s, not %s", line, got, want);
    free(got);
    pickle_free(&p);
  }
  rig_close(&r);
}
END_TEST

/* ---- items of literals ----------------------------------------------------------------------------- */

static const program_row item_rows[] = {
    {"EMPTY_LIST NONE APPEND", PY311, "list 1"},
    {"EMPTY_LIST MARK APPENDS", PY311, "list 0"},
    {"NONE MARK APPENDS", PY311, "None"}, /* nothing to append needs no list */
    {"NONE MARK APPENDS", PY315, "E_OPERAND 2 APPENDS AttributeError"},
    {"EMPTY_LIST MARK APPENDS", PY315, "list 0"},
    {"BYTEARRAY8 'a' MARK APPENDS", PY315, "bytearray 1"},
    {"NONE NONE APPEND", PY311, "E_OPERAND 2 APPEND AttributeError"},
    {"EMPTY_DICT NONE APPEND", PY311, "E_OPERAND 2 APPEND AttributeError"},
    {"EMPTY_SET MARK NONE APPENDS", PY311, "E_OPERAND 3 APPENDS AttributeError"},
    {"EMPTY_TUPLE NONE APPEND", PY311, "E_OPERAND 2 APPEND AttributeError"},
    {"SHORT_BINBYTES 'a' NONE APPEND", PY311, "E_OPERAND 4 APPEND AttributeError"},
    {"BYTEARRAY8 '' BININT1 255 APPEND", PY311, "bytearray 1"},
    {"BYTEARRAY8 '' NEWTRUE APPEND", PY311, "bytearray 1"},
    {"BYTEARRAY8 '' BININT2 256 APPEND", PY311, "E_OPERAND 12 APPEND ValueError"},
    {"BYTEARRAY8 '' BININT -1 APPEND", PY311, "E_OPERAND 14 APPEND ValueError"},
    {"BYTEARRAY8 '' LONG '99999999999999999999' APPEND", PY311, "E_OPERAND 31 APPEND ValueError"},
    {"BYTEARRAY8 '' NONE APPEND", PY311, "E_OPERAND 10 APPEND TypeError"},
    /* a living view holds the bytearray fast */
    {"BYTEARRAY8 'a' MEMOIZE READONLY_BUFFER BINGET 0 BININT1 1 APPEND", PY311,
     "E_OPERAND 16 APPEND BufferError"},
    {"BYTEARRAY8 'a' MEMOIZE READONLY_BUFFER POP BINGET 0 BININT1 1 APPEND", PY311, "bytearray 2"},
    {"BYTEARRAY8 'a' MEMOIZE READONLY_BUFFER MEMOIZE POP BINGET 0 BININT1 1 APPEND", PY311,
     "E_OPERAND 18 APPEND BufferError"},
    /* one that a container took may be gone with it */
    {"EMPTY_LIST BYTEARRAY8 'a' MEMOIZE READONLY_BUFFER APPEND BINGET 0 BININT1 1 APPEND", PY311,
     "assume@18 VIEW ; E_TRUNCATED 19 - EOFError"},
    {"BYTEARRAY8 'a' MEMOIZE READONLY_BUFFER TUPLE1 POP BINGET 0 BININT1 1 APPEND", PY311,
     "assume@18 VIEW ; E_TRUNCATED 19 - EOFError"},
    {"EMPTY_LIST MARK BYTEARRAY8 'a' MEMOIZE READONLY_BUFFER APPENDS BINGET 0 BININT1 1 APPEND",
     PY311, "assume@19 VIEW ; E_TRUNCATED 20 - EOFError"},
    {"MARK BYTEARRAY8 'a' MEMOIZE READONLY_BUFFER LIST BINGET 0 BININT1 1 APPEND", PY311,
     "assume@18 VIEW ; E_TRUNCATED 19 - EOFError"},
    {"EMPTY_DICT NONE BYTEARRAY8 'a' MEMOIZE READONLY_BUFFER SETITEM BINGET 0 BININT1 1 APPEND",
     PY311, "assume@19 VIEW ; E_TRUNCATED 20 - EOFError"},
    {"MARK NONE BYTEARRAY8 'a' MEMOIZE READONLY_BUFFER DICT BINGET 0 BININT1 1 APPEND", PY311,
     "assume@19 VIEW ; E_TRUNCATED 20 - EOFError"},
    {"EMPTY_SET MARK NONE ADDITEMS", PY311, "set"},
    {"EMPTY_SET MARK EMPTY_LIST ADDITEMS", PY311, "E_OPERAND 3 ADDITEMS TypeError"},
    {"EMPTY_LIST MARK NONE ADDITEMS", PY311, "E_OPERAND 3 ADDITEMS AttributeError"},
    {"EMPTY_LIST MARK ADDITEMS", PY311, "list 0"},
    {"EMPTY_LIST MARK ADDITEMS", PY315, "E_OPERAND 2 ADDITEMS AttributeError"},
    {"MARK NONE FROZENSET MARK NONE ADDITEMS", PY311, "E_OPERAND 5 ADDITEMS AttributeError"},
    {"EMPTY_DICT NONE NONE SETITEM", PY311, "dict"},
    {"EMPTY_DICT EMPTY_LIST NONE SETITEM", PY311, "E_OPERAND 3 SETITEM TypeError"},
    {"EMPTY_DICT MARK NONE NONE NEWTRUE NONE SETITEMS", PY311, "dict"},
    {"EMPTY_DICT MARK NONE SETITEMS", PY311, "E_OPERAND 3 SETITEMS UnpicklingError"},
    {"NONE MARK NONE SETITEMS", PY311, "E_OPERAND 3 SETITEMS UnpicklingError"}, /* odd first */
    {"NONE MARK SETITEMS", PY315, "None"},
    {"NONE NONE NONE SETITEM", PY311, "E_OPERAND 3 SETITEM TypeError"},
    {"EMPTY_TUPLE NONE NONE SETITEM", PY311, "E_OPERAND 3 SETITEM TypeError"},
    {"MARK NONE LIST BININT1 0 NEWTRUE SETITEM", PY311, "list 1"},
    {"MARK NONE LIST NEWFALSE NEWTRUE SETITEM", PY311, "list 1"},
    {"MARK NONE LIST BININT -1 NEWTRUE SETITEM", PY311, "list 1"},
    {"MARK NONE LIST BININT -2 NEWTRUE SETITEM", PY311, "E_OPERAND 9 SETITEM IndexError"},
    {"MARK NONE LIST NEWTRUE NEWTRUE SETITEM", PY311, "E_OPERAND 5 SETITEM IndexError"},
    {"MARK NONE LIST LONG '99999999999999999999' NONE SETITEM", PY311,
     "E_OPERAND 26 SETITEM IndexError"},
    {"MARK NONE LIST NONE NONE SETITEM", PY311, "E_OPERAND 5 SETITEM TypeError"},
    {"BYTEARRAY8 'ab' BININT1 1 BININT1 255 SETITEM", PY311, "bytearray 2"},
    {"BYTEARRAY8 'ab' BININT1 2 BININT1 255 SETITEM", PY311, "E_OPERAND 15 SETITEM IndexError"},
    {"BYTEARRAY8 'ab' BININT1 1 BININT2 256 SETITEM", PY311, "E_OPERAND 16 SETITEM ValueError"},
    {"BYTEARRAY8 'ab' BININT1 1 NONE SETITEM", PY311, "E_OPERAND 14 SETITEM TypeError"},
    {"BYTEARRAY8 'ab' NONE BININT1 1 SETITEM", PY311, "E_OPERAND 14 SETITEM TypeError"},
    {"BYTEARRAY8 'ab' READONLY_BUFFER BININT1 1 BININT1 1 SETITEM", PY311,
     "E_OPERAND 16 SETITEM TypeError"},
    {"SHORT_BINBYTES 'a' READONLY_BUFFER", PY311, "bytes"},
    {"BYTEARRAY8 'a' READONLY_BUFFER", PY311, "view"},
    {"BYTEARRAY8 'a' READONLY_BUFFER READONLY_BUFFER", PY311, "view"},
    {"NONE READONLY_BUFFER", PY311, "E_OPERAND 1 READONLY_BUFFER TypeError"},
    {"SHORT_BINUNICODE 'a' READONLY_BUFFER", PY311, "E_OPERAND 3 READONLY_BUFFER TypeError"},
    /* what hashes */
    {"EMPTY_DICT EMPTY_TUPLE NONE SETITEM", PY311, "dict"},
    {"EMPTY_DICT NONE TUPLE1 TUPLE1 NONE SETITEM", PY311, "dict"},
    {"EMPTY_DICT EMPTY_LIST TUPLE1 TUPLE1 NONE SETITEM", PY311, "E_OPERAND 5 SETITEM TypeError"},
    {"EMPTY_DICT NONE EMPTY_SET TUPLE2 NONE SETITEM", PY311, "E_OPERAND 5 SETITEM TypeError"},
    {"EMPTY_DICT MARK NONE FROZENSET NONE SETITEM", PY311, "dict"},
    {"EMPTY_DICT BYTEARRAY8 'a' NONE SETITEM", PY311, "E_OPERAND 12 SETITEM TypeError"},
    {"EMPTY_DICT BYTEARRAY8 'a' READONLY_BUFFER NONE SETITEM", PY311,
     "E_OPERAND 13 SETITEM TypeError"},
    {"EMPTY_DICT BYTEARRAY8 'a' READONLY_BUFFER TUPLE1 NONE SETITEM", PY311,
     "E_OPERAND 14 SETITEM TypeError"},
    {"EMPTY_DICT LONG '99999999999999999999' NONE SETITEM", PY311, "dict"},
    {"MARK EMPTY_DICT NONE DICT", PY311, "E_OPERAND 3 DICT TypeError"},
    {"MARK EMPTY_LIST FROZENSET", PY311, "E_OPERAND 2 FROZENSET TypeError"},
};

START_TEST(items_of_literals) {
  rig_check(item_rows[_i].program, item_rows[_i].python, false, item_rows[_i].want);
}
END_TEST

/* ---- state of literals ------------------------------------------------------------------------------ */

/* After an object: none has __setstate__ or attributes. */
static const struct {
  const char *state, *want;
} build_rows[] = {
    {"NONE", ""},
    {"NONE EMPTY_DICT TUPLE2", ""},
    {"EMPTY_DICT", "AttributeError"},
    {"EMPTY_LIST", "UnpicklingError"},
    {"NEWFALSE", "UnpicklingError"},
    {"EMPTY_TUPLE", "UnpicklingError"},
    {"NONE TUPLE1", "UnpicklingError"},
    {"NONE NONE NONE TUPLE3", "UnpicklingError"},
    {"NONE NONE TUPLE2", "UnpicklingError"},
    {"NONE EMPTY_LIST TUPLE2", "UnpicklingError"},
    {"EMPTY_DICT EMPTY_DICT TUPLE2", "AttributeError"},
    {"EMPTY_LIST EMPTY_DICT TUPLE2", "UnpicklingError"},
    {"NONE EMPTY_DICT SHORT_BINUNICODE 'a' NONE SETITEM TUPLE2", "AttributeError"},
    {"NONE EMPTY_DICT NONE NONE SETITEM TUPLE2", "TypeError"},
    {"NONE EMPTY_DICT SHORT_BINUNICODE '__class__' NONE SETITEM TUPLE2", "TypeError"},
    {"NONE EMPTY_DICT SHORT_BINUNICODE '__clasS__' NONE SETITEM TUPLE2", "AttributeError"},
    /* only the first key is tried */
    {"NONE EMPTY_DICT SHORT_BINUNICODE 'a' NONE SETITEM NONE NONE SETITEM TUPLE2",
     "AttributeError"},
};

START_TEST(state_of_literals) {
  static const char *const objects[] = {
      "NONE",      "EMPTY_LIST",   "EMPTY_TUPLE",          "EMPTY_DICT",    "EMPTY_SET",
      "BININT1 1", "BINFLOAT 1.5", "SHORT_BINUNICODE 'a'", "BYTEARRAY8 'a'"};
  for (size_t i = 0; i < COUNT(objects); i++) {
    char program[256], want[64];
    rig r;
    snprintf(program, sizeof program, "NEWTRUE %s %s BUILD POP", objects[i], build_rows[_i].state);
    pickle p = {0};
    pickle_add(&p, program);
    if (*build_rows[_i].want)
      snprintf(want, sizeof want, "E_OPERAND %zu BUILD %s", p.size - 2, build_rows[_i].want);
    else
      snprintf(want, sizeof want, "True");
    pickle_add(&p, "STOP");
    pickle_fit(&p);
    rig_open(&r, PY311, false, NULL);
    char *got = rig_run(&r, p.data, p.size);
    const char *end = rig_failure(got) ? rig_failure(got) : got; /* without what on_item wrote */
    ck_assert_msg(strcmp(end, want) == 0, "%s: %s, not %s", program, got, want);
    free(got);
    rig_close(&r);
    pickle_free(&p);
  }
}
END_TEST

/* ---- objects that only a run could tell -------------------------------------------------------------- */

/* G: a global; O: what calling one gave. what the hooks are told, then the outcome. */
static const struct {
  const char *program, *unknown, *inert;
} opaque_rows[] = {
    {"GLOBAL 'os' 'system'", "lookup@0 GLOBAL os system; global 0", "="},
    {"GLOBAL 'a' 'b' DUP TUPLE2", "lookup@0 GLOBAL a b; again@0 global 0; tuple 2", "="},
    {"GLOBAL 'a' 'b' BINPUT 0 BINGET 0 TUPLE2", "lookup@0 GLOBAL a b; again@0 global 0; tuple 2",
     "="},
    {"GLOBAL 'a' 'b' EMPTY_TUPLE REDUCE",
     "lookup@0 GLOBAL a b; call@6 REDUCE global 0; with@6 tuple 0; object 0", "="},
    {"GLOBAL 'a' 'b' NONE REDUCE", "lookup@0 GLOBAL a b; E_OPERAND 6 REDUCE TypeError", "="},
    {"NONE EMPTY_TUPLE REDUCE", "E_OPERAND 2 REDUCE TypeError", "="},
    {"NONE NONE REDUCE", "E_OPERAND 2 REDUCE TypeError", "="},
    {"GLOBAL 'a' 'b' DUP REDUCE",
     "lookup@0 GLOBAL a b; again@0 global 0; assume@6 ARGS ; call@6 REDUCE global 0; with@6 global "
     "0; "
     "object 0",
     "lookup@0 GLOBAL a b; again@0 global 0; E_OPERAND 6 REDUCE TypeError"},
    {"GLOBAL 'a' 'b' EMPTY_TUPLE NEWOBJ",
     "lookup@0 GLOBAL a b; call@6 NEWOBJ global 0; with@6 tuple 0; object 0", "="},
    {"NONE EMPTY_TUPLE NEWOBJ", "E_OPERAND 2 NEWOBJ UnpicklingError", "="},
    {"GLOBAL 'a' 'b' EMPTY_LIST NEWOBJ", "lookup@0 GLOBAL a b; E_OPERAND 6 NEWOBJ UnpicklingError",
     "="},
    {"GLOBAL 'a' 'b' EMPTY_TUPLE EMPTY_DICT NEWOBJ_EX",
     "lookup@0 GLOBAL a b; call@7 NEWOBJ_EX global 0; with@7 tuple 0; object 0", "="},
    {"GLOBAL 'a' 'b' EMPTY_TUPLE NONE NEWOBJ_EX",
     "lookup@0 GLOBAL a b; E_OPERAND 7 NEWOBJ_EX UnpicklingError", "="},
    {"GLOBAL 'a' 'b' EMPTY_TUPLE GLOBAL 'c' 'd' NEWOBJ_EX",
     "lookup@0 GLOBAL a b; lookup@6 GLOBAL c d; assume@11 KWARGS ; call@11 NEWOBJ_EX global 0; "
     "with@11 "
     "tuple 0; object 0",
     "lookup@0 GLOBAL a b; lookup@6 GLOBAL c d; E_OPERAND 11 NEWOBJ_EX UnpicklingError"},
    {"MARK GLOBAL 'a' 'b' NONE NEWTRUE OBJ",
     "lookup@1 GLOBAL a b; call@8 OBJ global 0; with@8 tuple 2; object 0", "="},
    {"MARK NONE OBJ", "E_OPERAND 2 OBJ TypeError", "="},
    {"MARK NONE INST 'a' 'b'", "lookup@2 INST a b; call@2 INST global 0; with@2 tuple 1; object 0",
     "="},
    {"GLOBAL 'a' 'b' NONE BUILD",
     "lookup@0 GLOBAL a b; build@6 global 0; state@6 None; assume@6 STATE ; global 0",
     "lookup@0 GLOBAL a b; build@6 global 0; state@6 None; global 0"},
    {"NONE GLOBAL 'a' 'b' BUILD", "lookup@1 GLOBAL a b; assume@6 STATE_KIND ; None",
     "lookup@1 GLOBAL a b; E_OPERAND 6 BUILD UnpicklingError"},
    {"GLOBAL 'a' 'b' NONE APPEND",
     "lookup@0 GLOBAL a b; method@6 APPEND global 0; assume@6 APPEND ; global 0",
     "lookup@0 GLOBAL a b; method@6 APPEND global 0; global 0"},
    {"GLOBAL 'a' 'b' MARK NONE ADDITEMS",
     "lookup@0 GLOBAL a b; method@7 ADDITEMS global 0; assume@7 ADD ; global 0",
     "lookup@0 GLOBAL a b; method@7 ADDITEMS global 0; global 0"},
    {"GLOBAL 'a' 'b' NONE NONE SETITEM",
     "lookup@0 GLOBAL a b; method@7 SETITEM global 0; assume@7 SETITEM ; global 0",
     "lookup@0 GLOBAL a b; method@7 SETITEM global 0; global 0"},
    {"GLOBAL 'a' 'b' MARK APPENDS", "lookup@0 GLOBAL a b; global 0", "="},
    {"EMPTY_DICT GLOBAL 'a' 'b' NONE SETITEM",
     "lookup@1 GLOBAL a b; key@7 global 0; assume@7 HASH ; dict",
     "lookup@1 GLOBAL a b; key@7 global 0; dict"},
    {"MARK NONE LIST GLOBAL 'a' 'b' NONE SETITEM", "lookup@3 GLOBAL a b; assume@9 INDEX ; list 1",
     "lookup@3 GLOBAL a b; E_OPERAND 9 SETITEM TypeError"},
    {"BYTEARRAY8 'a' GLOBAL 'a' 'b' APPEND", "lookup@10 GLOBAL a b; assume@15 BYTE ; bytearray 2",
     "lookup@10 GLOBAL a b; E_OPERAND 15 APPEND TypeError"},
    {"GLOBAL 'a' 'b' READONLY_BUFFER", "lookup@0 GLOBAL a b; assume@5 BUFFER ; global 0",
     "lookup@0 GLOBAL a b; E_OPERAND 5 READONLY_BUFFER TypeError"},
    {"GLOBAL 'a' 'b' SHORT_BINUNICODE 'c' STACK_GLOBAL",
     "lookup@0 GLOBAL a b; assume@8 NAME ; lookup@8 STACK_GLOBAL  c?; global 1",
     "lookup@0 GLOBAL a b; E_OPERAND 8 STACK_GLOBAL UnpicklingError"},
    {"SHORT_BINUNICODE 'os' SHORT_BINUNICODE 'system' STACK_GLOBAL",
     "lookup@12 STACK_GLOBAL os system; global 0", "="},
    {"UNICODE 'o\\u0073' SHORT_BINSTRING 'x' STACK_GLOBAL", "lookup@12 STACK_GLOBAL os x; global 0",
     "="},
    {"SHORT_BINUNICODE 'm' BINPUT 0 POP SHORT_BINUNICODE 'n' BINGET 0 STACK_GLOBAL",
     "lookup@11 STACK_GLOBAL n m; global 0", "="},
    {"NONE SHORT_BINUNICODE 'a' STACK_GLOBAL", "E_OPERAND 4 STACK_GLOBAL UnpicklingError", "="},
    {"SHORT_BINUNICODE 'a' SHORT_BINBYTES 'b' STACK_GLOBAL",
     "E_OPERAND 6 STACK_GLOBAL UnpicklingError", "="},
    {"SHORT_BINUNICODE '' SHORT_BINUNICODE 'a' STACK_GLOBAL", "E_OPERAND 5 STACK_GLOBAL ValueError",
     "lookup@5 STACK_GLOBAL  a; global 0"},
    {"SHORT_BINSTRING '%e9' SHORT_BINUNICODE 'a' STACK_GLOBAL",
     "encoding@0 ; assume@0 ENCODING ; lookup@6 STACK_GLOBAL \xc3\xa9 a?; global 0",
     "encoding@0 ; E_NEED 0 SHORT_BINSTRING UnicodeDecodeError"},
    {"PERSID 'id'", "persid@0 str; persid", "="},
    {"NONE BINPERSID", "persid@1 None; persid", "="},
    {"PERSID '%e9'", "E_ARGUMENT 0 PERSID UnpicklingError", "="},
    {"EXT1 7", "extension@0 int 7; ext", "extension@0 int 7; E_NEED 0 EXT1 ValueError"},
    {"EXT1 0", "E_ARGUMENT 0 EXT1 UnpicklingError", "="},
    {"EXT4 -5", "E_ARGUMENT 0 EXT4 UnpicklingError", "="},
    {"NEXT_BUFFER", "buffer@0 ; buffer", "E_NEED 0 NEXT_BUFFER UnpicklingError"},
    {"EMPTY_DICT SHORT_BINUNICODE '__module__' SHORT_BINUNICODE 'm' SETITEM",
     "item of 0 __module__ str; dict", "="},
    {"EMPTY_DICT SHORT_BINUNICODE 'module' NONE SETITEM", "item of 0 module None; dict", "="},
    {"EMPTY_DICT SHORT_BINUNICODE 'other_' NONE SETITEM", "dict", "="},
    {"MARK UNICODE '__name__' NONE DICT", "item of 12 __name__ None; dict", "="},
};

START_TEST(opaque_objects) {
  const char *inert = opaque_rows[_i].inert;
  if (strcmp(inert, "=") == 0) inert = opaque_rows[_i].unknown;
  rig_check(opaque_rows[_i].program, PY312, false, opaque_rows[_i].unknown);
  rig_check(opaque_rows[_i].program, PY312, true, inert);
}
END_TEST

/* What the reader was told it will be given. */
START_TEST(needs) {
  static const struct {
    const char *program;
    uint32_t python;
    int64_t buffers;
    pks_answer persistent_load, extensions;
    const char *want;
  } rows[] = {
      {"NEXT_BUFFER", PY311, PKS_BUFFERS_NONE, 0, 0, "E_NEED 0 NEXT_BUFFER UnpicklingError"},
      {"NEXT_BUFFER NEXT_BUFFER", PY311, 2, 0, 0, "buffer@0 ; buffer@1 ; buffer"},
      {"NEXT_BUFFER NEXT_BUFFER", PY311, 1, 0, 0,
       "buffer@0 ; E_NEED 1 NEXT_BUFFER UnpicklingError"},
      {"NEXT_BUFFER", PY311, 0, 0, 0, "E_NEED 0 NEXT_BUFFER UnpicklingError"},
      {"PERSID 'a'", PY311, 0, PKS_ANSWER_NO, 0, "E_NEED 0 PERSID UnpicklingError"},
      {"PERSID 'a'", PY311, 0, PKS_ANSWER_YES, 0, "persid@0 str; persid"},
      {"NONE BINPERSID", PY313, 0, PKS_ANSWER_NO, 0, "E_NEED 1 BINPERSID UnpicklingError"},
      {"BINPERSID", PY312, 0, PKS_ANSWER_NO, 0, "E_NEED 0 BINPERSID UnpicklingError"},
      {"BINPERSID", PY313, 0, PKS_ANSWER_NO, 0, "E_STACK 0 BINPERSID UnpicklingError"},
      {"EXT2 300", PY311, 0, 0, PKS_ANSWER_NO, "extension@0 int 300; E_NEED 0 EXT2 ValueError"},
      {"EXT2 300", PY311, 0, 0, PKS_ANSWER_YES, "extension@0 int 300; ext"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    rig r;
    pickle p = {0};
    pickle_add(&p, rows[i].program);
    pickle_add(&p, "STOP");
    pickle_fit(&p);
    rig_open(&r, rows[i].python, false, NULL);
    r.m.buffers = rows[i].buffers;
    r.m.persistent_load = rows[i].persistent_load;
    r.m.extensions = rows[i].extensions;
    char *got = rig_run(&r, p.data, p.size);
    ck_assert_msg(strcmp(got, rows[i].want) == 0, "%s: %s", rows[i].program, got);
    free(got);
    rig_close(&r);
    pickle_free(&p);
  }
}
END_TEST

/* ---- items of tuples ------------------------------------------------------------------------------------ */

/* Kept for the newest tuples: right after it was made always, and what is gone is never taken for it. */
START_TEST(tuples_keep_their_items_for_a_while) {
  rig r;
  size_t kept = 0, lost = 0;
  pks_value first[3] = {pks_make_int(7), pks_make_int(8), pks_make_int(9)}, other = PKS_V_NONE;
  rig_open(&r, PY311, false, NULL);
  pks_value tuple = pks_machine_make_tuple(&r.m, first, 3);
  for (size_t i = 0; i < 100000; i++) {
    size_t count = 0;
    const pks_value *items = pks_machine_tuple(&r.m, tuple, &count);
    ck_assert_uint_eq(count, 3);
    if (items) ck_assert_mem_eq(items, first, sizeof first);
    kept += items != NULL;
    lost += items == NULL;
    pks_machine_make_tuple(&r.m, &other, 1);
  }
  ck_assert_uint_gt(kept, 1000);
  ck_assert_uint_gt(lost, 1000);
  ck_assert_uint_le(r.memory.peak, 3 * 65536 * 8);
  rig_close(&r);
}
END_TEST

START_TEST(tuples_of_every_size) {
  static pks_value items[70000];
  rig r;
  rig_open(&r, PY311, false, NULL);
  for (size_t i = 0; i < COUNT(items); i++) items[i] = pks_make_int((int64_t)i);
  for (size_t size = 0; size < COUNT(items); size = size < 600 ? size + 1 : size * 2 - 7) {
    size_t count = 0;
    pks_value tuple = pks_machine_make_tuple(&r.m, items, size);
    const pks_value *got = pks_machine_tuple(&r.m, tuple, &count);
    if (got) {
      ck_assert_uint_eq(count, size);
      ck_assert_mem_eq(got, items, size * sizeof *items);
    } else {
      ck_assert(size == 0 || size > 32000);
      ck_assert_uint_eq(count, size < PKS_TUPLE_COUNT_MAX ? size : PKS_TUPLE_COUNT_MAX);
    }
  }
  rig_close(&r);
}
END_TEST

/* Positions have 34 bits. A tuple that is exactly as old points into items of others: what it finds
 * there is no count that reaches past the ring. */
START_TEST(tuple_positions_wrap) {
  rig r;
  pks_value big[2] = {UINT64_MAX, UINT64_MAX};
  rig_open(&r, PY311, false, NULL);
  pks_value old = pks_machine_make_tuple(&r.m, big, 2);
  for (int i = 0; i < 40000; i++) pks_machine_make_tuple(&r.m, big, 2);
  r.m.ring_pos = (uint64_t)1 << PKS_TUPLE_POS_BITS | 3;
  for (uint64_t i = 0; i < r.m.ring_capacity; i++) r.m.ring[i] = UINT64_MAX - 5;
  size_t count = 0;
  const pks_value *items = pks_machine_tuple(&r.m, old, &count);
  ck_assert(items == NULL || count < r.m.ring_capacity);
  rig_close(&r);
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------------------- */

int main(void) {
  Suite *suite = suite_create("values");
  TCase *values = suite_case(suite, "values");
  tcase_add_loop_test(values, numbers, 0, (int)COUNT(number_rows));
  tcase_add_loop_test(values, short_lines_read_as_long_ones, 0, 3);
  tcase_add_loop_test(values, items_of_literals, 0, (int)COUNT(item_rows));
  tcase_add_loop_test(values, state_of_literals, 0, (int)COUNT(build_rows));
  tcase_add_loop_test(values, opaque_objects, 0, (int)COUNT(opaque_rows));
  tcase_add_test(values, needs);
  tcase_add_test(values, tuples_keep_their_items_for_a_while);
  tcase_add_test(values, tuples_of_every_size);
  tcase_add_test(values, tuple_positions_wrap);
  return suite_run(suite);
}
