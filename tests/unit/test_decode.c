/* decode: pks_decoder_next over every opcode and argument, whole and in every cut. Numbers and texts
 * as lines are in test_lines.c. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"
#include "support/asm.h"
#include "support/hex.h"
#include "support/suite.h"
#include "support/trace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static pks_decoder *decoder_for(uint32_t python, const pks_limits *limits) {
  pks_options options = {.size = offsetof(pks_options, opaque), .python = python};
  pks_decoder *d = pks_decoder_new(&options, limits, NULL);
  ck_assert_ptr_nonnull(d);
  return d;
}

static void check_trace(pks_decoder *d, const pickle *p, const char *want) {
  char *got = trace_decoder_cuts(d, p->data, p->size);
  ck_assert_str_eq(got, want);
  free(got);
}

static pickle pickle_of_hex(const char *hex) {
  pickle p = {0};
  p.data = hex_decode(hex, &p.size);
  ck_assert_ptr_nonnull(p.data);
  p.capacity = p.size;
  return p;
}

/* ---- every opcode ----------------------------------------------------------------------------- */

/* Written by hand and not by asm.h, which has the same table as the decoder. text: how trace.h shows
 * it; kind: none, # number, real, text, bytes, names (s). */
static const struct opcode_row {
  const char *hex, *text;
  char kind;
  int protocol;
} opcode_rows[] = {
    {"28", "MARK", 'n', 0},
    {"29", "EMPTY_TUPLE", 'n', 1},
    {"2e", "STOP", 'n', 0},
    {"30", "POP", 'n', 0},
    {"31", "POP_MARK", 'n', 1},
    {"32", "DUP", 'n', 0},
    {"42 03000000 610a00", "BINBYTES 'a%0a%00'", 'b', 3},
    {"43 02 ff27", "SHORT_BINBYTES '%ff%27'", 'b', 3},
    {"46 312e35 0a", "FLOAT 1.5", 'r', 0},
    {"47 3ff8000000000000", "BINFLOAT 1.5", 'r', 1},
    {"49 3132 0a", "INT 12", '#', 0},
    {"4a feffffff", "BININT -2", '#', 1},
    {"4b ff", "BININT1 255", '#', 1},
    {"4c 2d334c 0a", "LONG -3", '#', 0},
    {"4d 0180", "BININT2 32769", '#', 1},
    {"4e", "NONE", 'n', 0},
    {"50 6964 0a", "PERSID 'id'", 't', 0},
    {"51", "BINPERSID", 'n', 1},
    {"52", "REDUCE", 'n', 0},
    {"53 276127 0a", "STRING '%27a%27'", 't', 0},
    {"54 01000000 e9", "BINSTRING '%e9'", 't', 1},
    {"55 02 6162", "SHORT_BINSTRING 'ab'", 't', 1},
    {"56 c9 5c7530303431 0a", "UNICODE '%c9\\u0041'", 't', 0},
    {"58 02000000 c3a9", "BINUNICODE '%c3%a9'", 't', 1},
    {"5d", "EMPTY_LIST", 'n', 1},
    {"61", "APPEND", 'n', 0},
    {"62", "BUILD", 'n', 0},
    {"63 6f73 0a 61 20 62 0a", "GLOBAL 'os' 'a%20b'", 's', 0},
    {"64", "DICT", 'n', 0},
    {"65", "APPENDS", 'n', 1},
    {"67 37 0a", "GET 7", '#', 0},
    {"68 07", "BINGET 7", '#', 1},
    {"69 6d 0a 6e 0a", "INST 'm' 'n'", 's', 0},
    {"6a 00000080", "LONG_BINGET 2147483648", '#', 1},
    {"6c", "LIST", 'n', 0},
    {"6f", "OBJ", 'n', 1},
    {"70 38 0a", "PUT 8", '#', 0},
    {"71 08", "BINPUT 8", '#', 1},
    {"72 ffffffff", "LONG_BINPUT 4294967295", '#', 1},
    {"73", "SETITEM", 'n', 0},
    {"74", "TUPLE", 'n', 0},
    {"75", "SETITEMS", 'n', 1},
    {"7d", "EMPTY_DICT", 'n', 1},
    {"80 05", "PROTO 5", '#', 2},
    {"81", "NEWOBJ", 'n', 2},
    {"82 00", "EXT1 0", '#', 2},
    {"83 ffff", "EXT2 65535", '#', 2},
    {"84 ffffffff", "EXT4 -1", '#', 2},
    {"85", "TUPLE1", 'n', 2},
    {"86", "TUPLE2", 'n', 2},
    {"87", "TUPLE3", 'n', 2},
    {"88", "NEWTRUE", 'n', 2},
    {"89", "NEWFALSE", 'n', 2},
    {"8a 02 00ff", "LONG1 -256", '#', 2},
    {"8b 03000000 010000", "LONG4 1", '#', 2},
    {"8c 03 efbbbf", "SHORT_BINUNICODE '%ef%bb%bf'", 't', 4},
    {"8d 0100000000000000 78", "BINUNICODE8 'x'", 't', 4},
    {"8e 0200000000000000 fffe", "BINBYTES8 '%ff%fe'", 'b', 4},
    {"8f", "EMPTY_SET", 'n', 4},
    {"90", "ADDITEMS", 'n', 4},
    {"91", "FROZENSET", 'n', 4},
    {"92", "NEWOBJ_EX", 'n', 4},
    {"93", "STACK_GLOBAL", 'n', 4},
    {"94", "MEMOIZE", 'n', 4},
    {"95 0001000000000000", "FRAME 256", '#', 4},
    {"96 0100000000000000 80", "BYTEARRAY8 '%80'", 'b', 5},
    {"97", "NEXT_BUFFER", 'n', 5},
    {"98", "READONLY_BUFFER", 'n', 5},
};

static const int kind_values[128] = {
    ['n'] = PKS_ARGUMENT_NONE, ['#'] = PKS_ARGUMENT_NUMBER, ['r'] = PKS_ARGUMENT_REAL,
    ['t'] = PKS_ARGUMENT_TEXT, ['b'] = PKS_ARGUMENT_BYTES,  ['s'] = PKS_ARGUMENT_NAMES};

/* One opcode between NONE and STOP. */
static pickle between(const char *hex) {
  pickle p = {0}, op = pickle_of_hex(hex);
  pickle_add(&p, "NONE");
  pickle_add_raw(&p, op.data, op.size);
  pickle_add(&p, "STOP");
  pickle_fit(&p);
  pickle_free(&op);
  return p;
}

START_TEST(opcode_is_decoded) {
  const struct opcode_row *row = &opcode_rows[_i];
  pks_decoder *d = decoder_for(PKS_PYTHON(3, 13, 0), NULL);
  pickle p = between(row->hex);
  char want[128];
  if (strcmp(row->text, "STOP") == 0)
    snprintf(want, sizeof want, "0 NONE\n1 STOP\nEND 2\n");
  else
    snprintf(want, sizeof want, "0 NONE\n1 %s\n%zu STOP\nEND %zu\n", row->text, p.size - 1, p.size);
  check_trace(d, &p, want);
  pickle_free(&p);
  pks_decoder_free(d);
}
END_TEST

START_TEST(opcode_has_its_fields) {
  const struct opcode_row *row = &opcode_rows[_i];
  pks_decoder *d = decoder_for(PKS_PYTHON(3, 13, 0), NULL);
  pickle p = pickle_of_hex(row->hex);
  pks_input in = {p.data, p.size, 0};
  pks_op op;
  memset(&op, 0xee, sizeof op);
  op.size = sizeof op;
  ck_assert_int_eq(pks_decoder_next(d, &in, &op), PKS_OK);
  ck_assert_uint_eq(in.pos, p.size);
  ck_assert_uint_eq(op.size, sizeof op);
  ck_assert_uint_eq(op.offset, 0);
  ck_assert_uint_eq(op.byte, p.data[0]);
  ck_assert_int_eq(op.protocol, row->protocol);
  ck_assert_int_eq(op.argument, kind_values[(int)row->kind]);
  ck_assert_uint_eq(op.clipped, 0);
  ck_assert_uint_eq(strlen(op.name), strcspn(row->text, " "));
  ck_assert_int_eq(strncmp(op.name, row->text, strlen(op.name)), 0);
  if (row->kind == 't' || row->kind == 'b') { /* whole: a view */
    ck_assert_uint_eq(op.length, op.arg.size);
    ck_assert(op.arg.data > p.data && op.arg.data + op.arg.size <= p.data + p.size);
  }
  pickle_free(&p);
  pks_decoder_free(d);
}
END_TEST

START_TEST(every_opcode_has_a_row) {
  size_t opcodes = 0;
  for (int byte = 0; byte < 256; byte++) {
    size_t rows = 0;
    for (size_t i = 0; i < COUNT(opcode_rows); i++)
      rows += strtol(opcode_rows[i].hex, NULL, 16) == byte;
    ck_assert_uint_eq(rows, pks_decode_ops[byte].name != NULL);
    opcodes += rows;
  }
  ck_assert_uint_eq(opcodes, 68);
}
END_TEST

START_TEST(other_bytes_are_no_opcodes) {
  pks_decoder *d = decoder_for(PKS_PYTHON(3, 13, 0), NULL);
  for (int byte = 0; byte < 256; byte++) {
    uint8_t data[] = {'N', (uint8_t)byte, '.'};
    pickle p = {data, sizeof data, 0};
    if (pks_decode_ops[byte].name) continue;
    check_trace(d, &p, "0 NONE\nE_OPCODE 1 - UnpicklingError\n");
  }
  pks_decoder_free(d);
}
END_TEST

/* ---- cut short --------------------------------------------------------------------------------- */

/* Input that ends at each offset inside the opcode; 3 bytes stand before it. */
START_TEST(truncated_at_every_offset) {
  const struct opcode_row *row = &opcode_rows[_i];
  pks_decoder *d = decoder_for(PKS_PYTHON(3, 13, 0), NULL);
  pickle op = pickle_of_hex(row->hex);
  char want[128];
  for (size_t size = 0; size < op.size; size++) {
    pickle p = {0};
    pickle_add(&p, "NONE POP NONE");
    pickle_add_raw(&p, op.data, size);
    pickle_fit(&p);
    snprintf(want, sizeof want, "0 NONE\n1 POP\n2 NONE\nE_TRUNCATED 3 %.*s %s\n",
             size ? (int)strcspn(row->text, " ") : 1, size ? row->text : "-",
             size ? "UnpicklingError" : "EOFError");
    check_trace(d, &p, want);
    pickle_free(&p);
  }
  pickle_free(&op);
  pks_decoder_free(d);
}
END_TEST

/* ---- arguments at fault ------------------------------------------------------------------------- */

#define PY36 PKS_PYTHON(3, 6, 15)
#define PY37 PKS_PYTHON(3, 7, 16)
#define PY311 PKS_PYTHON(3, 11, 7)
#define PY314 PKS_PYTHON(3, 14, 2)

/* After one NONE, so that the fault is at 1. */
static const struct {
  const char *program;
  uint32_t python;
  const char *want;
} fault_rows[] = {
    {"PROTO 5", PY311, ""},
    {"PROTO 0", PY311, ""},
    {"PROTO 6", PY311, "E_PROTOCOL 1 PROTO ValueError"},
    {"PROTO 255", PY314, "E_PROTOCOL 1 PROTO ValueError"},
    {"PROTO 4", PY37, ""},
    {"PROTO 5", PY37, "E_PROTOCOL 1 PROTO ValueError"},
    {"NEXT_BUFFER", PY37, "E_OPCODE 1 NEXT_BUFFER UnpicklingError"},
    {"READONLY_BUFFER", PY37, "E_OPCODE 1 READONLY_BUFFER UnpicklingError"},
    {"BYTEARRAY8 'a'", PY37, "E_OPCODE 1 BYTEARRAY8 UnpicklingError"},
    {"FRAME 0x7fffffffffffffff", PY311, ""}, /* the decoder does not look for its bytes */
    {"FRAME 0x8000000000000000", PY311, "E_FRAME 1 FRAME OverflowError"},
    {"FRAME 0xffffffffffffffff", PY311, "E_FRAME 1 FRAME OverflowError"},
    {"LONG4 #0x80000000 ''", PY311, "E_ARGUMENT 1 LONG4 UnpicklingError"},
    {"LONG4 #0xffffffff ''", PY36, "E_ARGUMENT 1 LONG4 UnpicklingError"},
    {"LONG4 #0x7fffffff ''", PY311, "E_TRUNCATED 1 LONG4 UnpicklingError"},
    {"BINSTRING #0xffffffff ''", PY311, "E_TRUNCATED 1 BINSTRING UnpicklingError"},
    {"BINSTRING #0x80000000 ''", PY314, "E_ARGUMENT 1 BINSTRING UnpicklingError"},
    {"BINSTRING #0x7fffffff ''", PY314, "E_TRUNCATED 1 BINSTRING UnpicklingError"},
    {"BINUNICODE #0xffffffff ''", PY314, "E_TRUNCATED 1 BINUNICODE UnpicklingError"},
    {"BINBYTES #0xffffffff ''", PY311, "E_TRUNCATED 1 BINBYTES UnpicklingError"},
    {"BINUNICODE8 #0x8000000000000000 ''", PY311, "E_ARGUMENT 1 BINUNICODE8 OverflowError"},
    {"BINUNICODE8 #0x7fffffffffffffff ''", PY311, "E_TRUNCATED 1 BINUNICODE8 UnpicklingError"},
    {"BINBYTES8 #0xffffffffffffffff ''", PY311, "E_ARGUMENT 1 BINBYTES8 OverflowError"},
    {"BINBYTES8 #0x7fffffffffffffdf ''", PY311, "E_ARGUMENT 1 BINBYTES8 OverflowError"},
    {"BINBYTES8 #0x7fffffffffffffde ''", PY311, "E_TRUNCATED 1 BINBYTES8 UnpicklingError"},
    {"BINBYTES8 #0x7fffffffffffffff ''", PY36, "E_TRUNCATED 1 BINBYTES8 UnpicklingError"},
    {"BYTEARRAY8 #0x8000000000000000 ''", PY311, "E_ARGUMENT 1 BYTEARRAY8 OverflowError"},
    {"SHORT_BINUNICODE '%ff'", PY311, "E_ARGUMENT 1 SHORT_BINUNICODE UnicodeDecodeError"},
    {"SHORT_BINUNICODE '%c0%80'", PY311, "E_ARGUMENT 1 SHORT_BINUNICODE UnicodeDecodeError"},
    {"SHORT_BINUNICODE '%c3'", PY311, "E_ARGUMENT 1 SHORT_BINUNICODE UnicodeDecodeError"},
    {"SHORT_BINUNICODE '%ed%a0%80'", PY311, ""}, /* surrogatepass */
    {"BINUNICODE '%f4%90%80%80'", PY311, "E_ARGUMENT 1 BINUNICODE UnicodeDecodeError"},
    {"BINUNICODE8 '%80'", PY311, "E_ARGUMENT 1 BINUNICODE8 UnicodeDecodeError"},
    {"PERSID '%e9'", PY311, "E_ARGUMENT 1 PERSID UnpicklingError"},
    {"PERSID ''", PY311, ""},
    {"GLOBAL '' 'x'", PY311, "E_ARGUMENT 1 GLOBAL UnpicklingError"},
    {"GLOBAL 'x' ''", PY311, "E_ARGUMENT 1 GLOBAL UnpicklingError"},
    {"GLOBAL '%c3%a9' 'x'", PY311, ""},
    {"GLOBAL '%e9' 'x'", PY311, "E_ARGUMENT 1 GLOBAL UnicodeDecodeError"},
    {"GLOBAL 'x' '%ed%a0%80'", PY311, "E_ARGUMENT 1 GLOBAL UnicodeDecodeError"},
    {"INST 'x' ''", PY311, "E_ARGUMENT 1 INST UnpicklingError"},
    {"INST '%c3%a9' 'x'", PY311, "E_ARGUMENT 1 INST UnicodeDecodeError"},
    {"INST 'x' '%c3%a9'", PY311, "E_ARGUMENT 1 INST UnicodeDecodeError"},
};

START_TEST(fault_in_argument) {
  pks_decoder *d = decoder_for(fault_rows[_i].python, NULL);
  pickle p = {0};
  pickle_add(&p, "NONE");
  pickle_add(&p, fault_rows[_i].program);
  bool cut = strncmp(fault_rows[_i].want, "E_TRUNCATED", 11) == 0;
  if (!cut) pickle_add(&p, "STOP"); /* else it would be taken for a byte of the argument */
  pickle_fit(&p);
  char *got = trace_decoder_cuts(d, p.data, p.size), want[128];
  if (*fault_rows[_i].want)
    snprintf(want, sizeof want, "0 NONE\n%s\n", fault_rows[_i].want);
  else
    snprintf(want, sizeof want, " STOP\nEND %zu\n", p.size);
  ck_assert_msg(strncmp(got, "cut", 3) != 0 && strstr(got, want), "%s: %s", fault_rows[_i].program,
                got);
  free(got);
  pickle_free(&p);
  pks_decoder_free(d);
}
END_TEST

/* The first line of two is decoded before the second is read: what is wrong with it comes first. */
START_TEST(fault_in_the_first_of_two_lines) {
  static const struct {
    const char *bytes, *want;
  } rows[] = {
      {"=63 =0a", "E_ARGUMENT 0 GLOBAL UnpicklingError\n"},
      {"=63 =ff =0a =61", "E_ARGUMENT 0 GLOBAL UnicodeDecodeError\n"},
      {"=63 =ff", "E_TRUNCATED 0 GLOBAL UnpicklingError\n"},
      {"=63 =c3a9 =0a =ff", "E_TRUNCATED 0 GLOBAL UnpicklingError\n"},
      {"=69 =c3a9 =0a =61", "E_ARGUMENT 0 INST UnicodeDecodeError\n"},
      {"=69 =0a =61", "E_ARGUMENT 0 INST UnpicklingError\n"},
  };
  pks_decoder *d = decoder_for(PY311, NULL);
  for (size_t i = 0; i < COUNT(rows); i++) {
    pickle p = pickle_of(rows[i].bytes);
    check_trace(d, &p, rows[i].want);
    pickle_free(&p);
  }
  pks_decoder_free(d);
}
END_TEST

/* ---- numbers in bytes --------------------------------------------------------------------------- */

/* LONG1 and LONG4, lowest byte first. */
START_TEST(long_bytes) {
  static const struct {
    const char *hex;
    int64_t value;
    bool big;
  } rows[] = {
      {"", 0, false},
      {"00", 0, false},
      {"ff", -1, false},
      {"7f", 127, false},
      {"80", -128, false},
      {"ff00", 255, false},
      {"0000000000000080", INT64_MIN, false},
      {"ffffffffffffff7f", INT64_MAX, false},
      {"ffffffffffffff7f00", INT64_MAX, false},
      {"000000000000008000", INT64_MAX, true},
      {"0000000000000080ff", INT64_MIN, false},
      {"ffffffffffffff7fff", INT64_MIN, true},
      {"00000000000000000000", 0, false},
      {"ffffffffffffffffffffffff", -1, false},
      {"0500000000000000000000000000", 5, false},
      {"000000000000000001", INT64_MAX, true},
      {"0000000000000000fe", INT64_MIN, true},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    pks_number n;
    pickle p = pickle_of_hex(rows[i].hex);
    pks_decode_long_bytes(p.data, p.size, &n);
    ck_assert_int_eq(n.value, rows[i].value);
    ck_assert_int_eq(n.big, rows[i].big);
    ck_assert(!n.boolean);
    for (size_t cut = 0; cut <= p.size; cut++) { /* the same when the bytes go by */
      pks_number gone;
      pks_skip skip;
      pks_decode_skip_start(&skip, PKS_OP_LONG4, p.size,
                            &(pks_strings){PKS_ENCODING_ASCII, PKS_HANDLER_STRICT, false});
      ck_assert_uint_eq(pks_decode_skip_feed(&skip, p.data, cut), cut);
      ck_assert_uint_eq(pks_decode_skip_feed(&skip, p.data + cut, 1000), p.size - cut);
      pks_decode_skip_number(&skip, &gone);
      ck_assert_int_eq(gone.value, rows[i].value);
      ck_assert_int_eq(gone.big, rows[i].big);
    }
    pickle_free(&p);
  }
}
END_TEST

START_TEST(float_bytes) {
  static const struct {
    const char *hex, *text;
  } rows[] = {
      {"0000000000000000", "0"},
      {"8000000000000000", "-0"},
      {"0000000000000001", "4.9406564584124654e-324"},
      {"7fefffffffffffff", "1.7976931348623157e+308"},
      {"7ff0000000000000", "inf"},
      {"fff0000000000000", "-inf"},
      {"400921fb54442d18", "3.1415926535897931"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char got[64];
    pickle p = pickle_of_hex(rows[i].hex);
    snprintf(got, sizeof got, "%.17g", pks_decode_double(p.data));
    ck_assert_str_eq(got, rows[i].text);
    pickle_free(&p);
  }
}
END_TEST

/* ---- the end ------------------------------------------------------------------------------------ */

START_TEST(nothing_is_taken_past_stop) {
  pickle p = pickle_of("NONE STOP BININT1 7 STOP =ff");
  pks_input in = {p.data, p.size, 0};
  pks_op op = {.size = sizeof op};
  pks_decoder *d = decoder_for(PY311, NULL);
  ck_assert_int_eq(pks_decoder_next(d, &in, &op), PKS_OK);
  ck_assert_int_eq(pks_decoder_next(d, &in, &op), PKS_OK);
  ck_assert_uint_eq(op.byte, '.');
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(pks_decoder_next(d, &in, &op), PKS_END);
    ck_assert_int_eq(pks_decoder_finish(d), PKS_END);
    ck_assert_uint_eq(in.pos, 2);
  }
  pks_decoder_reset(d); /* the next payload of the same input */
  ck_assert_int_eq(pks_decoder_next(d, &in, &op), PKS_OK);
  ck_assert_int_eq(op.number, 7);
  ck_assert_uint_eq(op.offset, 0);
  ck_assert_int_eq(pks_decoder_next(d, &in, &op), PKS_OK);
  ck_assert_int_eq(pks_decoder_next(d, &in, &op), PKS_END);
  ck_assert_uint_eq(in.pos, p.size - 1);
  pickle_free(&p);
  pks_decoder_free(d);
}
END_TEST

START_TEST(finish_ends_it) {
  pks_decoder *d = decoder_for(PY311, NULL);
  pks_error error = {.size = sizeof error};
  pks_decoder_error(d, &error);
  ck_assert_int_eq(error.status, PKS_OK);
  ck_assert_ptr_nonnull(error.text);
  ck_assert_int_eq(pks_decoder_finish(d), PKS_E_TRUNCATED);
  pks_decoder_error(d, &error);
  ck_assert_str_eq(error.exception, "EOFError");
  ck_assert_uint_eq(error.offset, 0);
  ck_assert_ptr_null(error.opcode);
  pks_input in = {(const uint8_t *)"N.", 2, 0};
  pks_op op = {.size = sizeof op};
  ck_assert_int_eq(pks_decoder_next(d, &in, &op), PKS_E_TRUNCATED); /* final until a reset */
  ck_assert_uint_eq(in.pos, 0);
  pks_decoder_reset(d);
  ck_assert_int_eq(pks_decoder_next(d, &in, &op), PKS_OK);
  pks_decoder_free(d);
}
END_TEST

/* ---- use ---------------------------------------------------------------------------------------- */

START_TEST(max_ops_counts_opcodes) {
  pickle p = pickle_of("NONE NONE NONE STOP");
  for (uint64_t most = 0; most < 6; most++) {
    pks_limits limits = {.size = sizeof limits};
    pks_limits_init(&limits);
    limits.max_ops = most;
    pks_decoder *d = decoder_for(PY311, &limits);
    char *got = trace_decoder_cuts(d, p.data, p.size), want[64] = "END 4\n";
    if (most < 4)
      snprintf(want, sizeof want, "E_LIMIT_OPS %d %s -\n", (int)most, most < 3 ? "NONE" : "STOP");
    ck_assert_str_eq(strstr(got, most < 4 ? "E_" : "END"), want);
    free(got);
    pks_decoder_free(d);
  }
  pickle_free(&p);
}
END_TEST

/* A caller's shorter pks_op and pks_error are written as far as they go. */
START_TEST(short_structs_are_not_overrun) {
  pks_decoder *d = decoder_for(PY311, NULL);
  for (size_t size = sizeof(size_t); size <= sizeof(pks_op); size++) {
    pks_input in = {(const uint8_t *)"\x8c\x01"
                                     "a\xff",
                    4, 0};
    pks_op whole = {.size = sizeof whole}, *op = malloc(size);
    op->size = size;
    pks_decoder_reset(d);
    ck_assert_int_eq(pks_decoder_next(d, &in, op), PKS_OK);
    ck_assert_uint_eq(op->size, size);
    in.pos = 0;
    pks_decoder_reset(d);
    ck_assert_int_eq(pks_decoder_next(d, &in, &whole), PKS_OK);
    ck_assert_mem_eq((uint8_t *)op + sizeof(size_t), (uint8_t *)&whole + sizeof(size_t),
                     size - sizeof(size_t));
    free(op);
    ck_assert_int_eq(pks_decoder_next(d, &in, &whole), PKS_E_OPCODE);
  }
  for (size_t size = sizeof(size_t); size <= sizeof(pks_error); size++) {
    pks_error *error = malloc(size);
    error->size = size;
    pks_decoder_error(d, error);
    ck_assert_uint_eq(error->size, size);
    free(error);
  }
  pks_decoder_free(d);
}
END_TEST

START_TEST(bad_calls_are_refused) {
  pks_decoder *d = decoder_for(PY311, NULL);
  pks_op op = {.size = sizeof op}, no_size = {.size = 0};
  pks_input good = {(const uint8_t *)"N.", 2, 0}, past = {(const uint8_t *)"N.", 2, 3};
  pks_input nothing = {NULL, 1, 0}, empty = {NULL, 0, 0};
  ck_assert_int_eq(pks_decoder_next(NULL, &good, &op), PKS_E_USAGE);
  ck_assert_int_eq(pks_decoder_next(d, NULL, &op), PKS_E_USAGE);
  ck_assert_int_eq(pks_decoder_next(d, &good, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_decoder_next(d, &good, &no_size), PKS_E_USAGE);
  ck_assert_int_eq(pks_decoder_next(d, &past, &op), PKS_E_USAGE);
  ck_assert_int_eq(pks_decoder_next(d, &nothing, &op), PKS_E_USAGE);
  ck_assert_int_eq(pks_decoder_finish(NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_decoder_next(d, &empty, &op), PKS_NEED_MORE);
  pks_decoder_error(NULL, NULL);
  pks_decoder_error(d, NULL);
  pks_decoder_reset(NULL);
  pks_decoder_free(NULL);
  ck_assert_int_eq(pks_decoder_next(d, &good, &op), PKS_OK); /* none of them did harm */
  pks_decoder_free(d);
}
END_TEST

/* ---- which interpreter reads ---------------------------------------------------------------------- */

START_TEST(rules_by_version) {
  static const struct {
    uint32_t python, rule;
    bool set;
  } rows[] = {
      {PKS_PYTHON(3, 7, 16), PKS_RULE_PROTO5, false},
      {PKS_PYTHON(3, 8, 0), PKS_RULE_PROTO5, true},
      {PKS_PYTHON(3, 6, 15), PKS_RULE_DIGITS, false},
      {PKS_PYTHON(3, 7, 13), PKS_RULE_DIGITS, false},
      {PKS_PYTHON(3, 7, 14), PKS_RULE_DIGITS, true},
      {PKS_PYTHON(3, 9, 13), PKS_RULE_DIGITS, false},
      {PKS_PYTHON(3, 10, 6), PKS_RULE_DIGITS, false},
      {PKS_PYTHON(3, 10, 7), PKS_RULE_DIGITS, true},
      {PKS_PYTHON(3, 8, 0xff), PKS_RULE_DIGITS, true}, /* micro not known: the late ones */
      {PKS_PYTHON(3, 11, 0), PKS_RULE_DIGITS, true},
      {PKS_PYTHON(3, 13, 0xff), PKS_RULE_INT10, false},
      {PKS_PYTHON(3, 14, 0), PKS_RULE_INT10, true},
      {PKS_PYTHON(3, 14, 0), PKS_RULE_BOOL_EXACT, false},
      {PKS_PYTHON(3, 15, 0), PKS_RULE_BOOL_EXACT, true},
      {PKS_PYTHON(3, 13, 14), PKS_RULE_FRAMES, false},
      {PKS_PYTHON(3, 13, 15), PKS_RULE_FRAMES, true},
      {PKS_PYTHON(3, 13, 0xff), PKS_RULE_FRAMES, false},
      {PKS_PYTHON(3, 14, 6), PKS_RULE_FRAMES, false},
      {PKS_PYTHON(3, 14, 7), PKS_RULE_FRAMES, true},
      {PKS_PYTHON(3, 15, 0xff), PKS_RULE_FRAMES, true},
      {PKS_PYTHON(3, 8, 18), PKS_RULE_MEMO_KEYERROR, true},
      {PKS_PYTHON(3, 9, 0), PKS_RULE_MEMO_KEYERROR, false},
      {PKS_PYTHON(3, 6, 15), PKS_RULE_APPEND_METHOD, true},
      {PKS_PYTHON(3, 7, 0), PKS_RULE_APPEND_METHOD, false},
      {PKS_PYTHON(3, 7, 16), PKS_RULE_BYTES_WINDOW, true},
      {PKS_PYTHON(3, 8, 0), PKS_RULE_BYTES_WINDOW, false},
      {PKS_PYTHON(3, 12, 1), PKS_RULE_PERSID_LATE, false},
      {PKS_PYTHON(3, 13, 0), PKS_RULE_PERSID_LATE, true},
      {PKS_PYTHON(3, 14, 2), PKS_RULE_MEMO_ARRAY, false},
      {PKS_PYTHON(3, 15, 0), PKS_RULE_MEMO_ARRAY, true},
  };
  for (size_t i = 0; i < COUNT(rows); i++)
    ck_assert_msg(((pks_decode_rules(rows[i].python) & rows[i].rule) != 0) == rows[i].set,
                  "Python %x, rule %x", rows[i].python, rows[i].rule);
}
END_TEST

/* ---- the suite ---------------------------------------------------------------------------------- */

int main(void) {
  Suite *suite = suite_create("decode");
  TCase *opcodes = suite_case(suite, "opcodes");
  tcase_add_loop_test(opcodes, opcode_is_decoded, 0, (int)COUNT(opcode_rows));
  tcase_add_loop_test(opcodes, opcode_has_its_fields, 0, (int)COUNT(opcode_rows));
  tcase_add_test(opcodes, every_opcode_has_a_row);
  tcase_add_test(opcodes, other_bytes_are_no_opcodes);
  tcase_add_loop_test(opcodes, truncated_at_every_offset, 0, (int)COUNT(opcode_rows));
  TCase *arguments = suite_case(suite, "arguments");
  tcase_add_loop_test(arguments, fault_in_argument, 0, (int)COUNT(fault_rows));
  tcase_add_test(arguments, fault_in_the_first_of_two_lines);
  tcase_add_test(arguments, long_bytes);
  tcase_add_test(arguments, float_bytes);
  TCase *use = suite_case(suite, "use");
  tcase_add_test(use, nothing_is_taken_past_stop);
  tcase_add_test(use, finish_ends_it);
  tcase_add_test(use, max_ops_counts_opcodes);
  tcase_add_test(use, short_structs_are_not_overrun);
  tcase_add_test(use, bad_calls_are_refused);
  tcase_add_test(use, rules_by_version);
  return suite_run(suite);
}
