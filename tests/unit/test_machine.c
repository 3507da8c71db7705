/* machine: stack, marks, memo and values, step by step as CPython's C unpickler takes them. Each program
 * is run by the machine alone, with hooks that write down what they are told, and by an inspector in
 * every cut. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/facts.h"
#include "support/asm.h"
#include "support/failing.h"
#include "support/trace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- a machine whose hooks write ---------------------------------------------------------------- */

typedef struct rig {
  failing memory;
  pks_mem mem;
  pks_machine m;
  FILE *out;
  char *text;
  size_t text_size, lookups, calls;
} rig;

static rig *rig_of(pks_machine *m) { return m->user; }

static void put_value(const pks_machine *m, FILE *out, pks_value v) {
  static const char *const names[] = {
      "(none)",    "None",   "False",  "True",   "int",  "bigint",    "float",  "str",  "bytes",
      "frozenset", "tuple",  "set",    "list",   "dict", "bytearray", "list",   "dict", "bytearray",
      "view",      "global", "object", "persid", "ext",  "buffer",    "unknown"};
  unsigned kind = pks_kind(v);
  size_t count = 0;
  fputs(names[kind], out);
  if (kind == PKS_V_INT) fprintf(out, " %" PRId64, pks_int(v));
  if (kind == PKS_V_GLOBAL || kind == PKS_V_OBJECT) fprintf(out, " %" PRIu64, pks_payload(v));
  if (kind == PKS_V_TUPLE) {
    pks_machine_tuple(m, v, &count);
    fprintf(out, " %zu", count);
  }
  if (kind == PKS_V_LIST || kind == PKS_V_LIST_REF)
    fprintf(out, " %" PRIu64, pks_machine_state(m, v));
  if (kind == PKS_V_BYTEARRAY || kind == PKS_V_BYTEARRAY_REF)
    fprintf(out, " %" PRIu64, pks_machine_state(m, v) & PKS_BYTEARRAY_LENGTH);
}

static void put(pks_machine *m, const char *what, const char *name, pks_value v, uint64_t offset) {
  FILE *out = rig_of(m)->out;
  fprintf(out, "%s@%" PRIu64 "%s%s ", what, offset, *name ? " " : "", name);
  if (v) put_value(m, out, v);
  fputs("; ", out);
}

static pks_value on_lookup(pks_machine *m, int op, pks_span module, pks_span name, bool certain,
                           uint64_t offset) {
  fprintf(rig_of(m)->out, "lookup@%" PRIu64 " %s %.*s %.*s%s; ", offset, pks_decode_ops[op].name,
          (int)module.size, (const char *)module.data, (int)name.size, (const char *)name.data,
          certain ? "" : "?");
  return pks_make(PKS_V_GLOBAL, rig_of(m)->lookups++);
}
static void on_again(pks_machine *m, pks_value global) { put(m, "again", "", global, m->offset); }
static pks_value on_call(pks_machine *m, int op, pks_value callee, pks_value args,
                         uint64_t offset) {
  put(m, "call", pks_decode_ops[op].name, callee, offset);
  put(m, "with", "", args, offset);
  return pks_make(PKS_V_OBJECT, rig_of(m)->calls++);
}
static void on_build(pks_machine *m, pks_value object, pks_value state, uint64_t offset) {
  put(m, "build", "", object, offset);
  put(m, "state", "", state, offset);
}
static void on_method(pks_machine *m, int op, pks_value object, uint64_t offset) {
  put(m, "method", pks_decode_ops[op].name, object, offset);
}
static void on_key(pks_machine *m, pks_value object, uint64_t offset) {
  put(m, "key", "", object, offset);
}
static void on_item(pks_machine *m, uint64_t dict, pks_value key, pks_value value) {
  uint8_t buffer[32];
  pks_span text;
  ck_assert(pks_machine_text(m, key, buffer, sizeof buffer, &text));
  fprintf(rig_of(m)->out, "item of %" PRIu64 " %.*s ", dict, (int)text.size,
          (const char *)text.data);
  put_value(m, rig_of(m)->out, value);
  fputs("; ", rig_of(m)->out);
}
static void on_persid(pks_machine *m, pks_value id, uint64_t offset) {
  put(m, "persid", "", id, offset);
}
static void on_buffer(pks_machine *m, uint64_t offset) { put(m, "buffer", "", 0, offset); }
static void on_extension(pks_machine *m, uint32_t code, uint64_t offset) {
  put(m, "extension", "", pks_make_int(code), offset);
}
static void on_assume(pks_machine *m, pks_assume what, uint64_t offset) {
  static const char *const names[] = {
#define X(id, text) #id,
      PKS_ASSUME_MAP(X)
#undef X
  };
  put(m, "assume", names[what], 0, offset);
}
static void on_encoding(pks_machine *m, uint64_t offset) { put(m, "encoding", "", 0, offset); }

static const pks_hooks hooks = {on_lookup, on_again,     on_call,   on_build,
                                on_method, on_key,       on_item,   on_persid,
                                on_buffer, on_extension, on_assume, on_encoding};

static void rig_open(rig *r, uint32_t python, bool inert, const pks_limits *limits) {
  pks_limits most = {.size = sizeof most};
  pks_limits_init(&most);
  if (limits) most = *limits;
  memset(r, 0, sizeof *r);
  failing_init(&r->memory, 0);
  pks_base_mem_init(&r->mem, &r->memory.alloc, most.max_memory);
  r->m.mem = &r->mem;
  r->m.hooks = &hooks;
  r->m.user = r;
  r->m.rules = pks_decode_rules(python);
  r->m.inert = inert;
  r->m.buffers = PKS_BUFFERS_UNKNOWN;
  pks_decode_strings(&r->m.strings, inert ? "ASCII" : NULL, NULL);
  r->m.max_ops = most.max_ops;
  r->m.max_depth = most.max_depth;
  r->m.max_name = most.max_name;
  r->m.max_keep = most.max_keep;
  r->m.max_code = most.max_code;
  r->m.max_frame = most.max_frame;
  pks_machine_reset(&r->m);
}

/* Runs it whole: what the hooks were told, then the value at STOP, or the failure. Free it. */
static char *rig_run(rig *r, const uint8_t *data, size_t size) {
  size_t used = 0;
  pks_error error = {.size = sizeof error};
  char outcome[TRACE_OUTCOME];
  r->out = open_memstream(&r->text, &r->text_size);
  r->m.whole = data;
  pks_status status = pks_machine_run(&r->m, data, size, true, &used);
  if (status == PKS_END) {
    ck_assert_uint_eq(used, size);
    put_value(&r->m, r->out, *r->m.top);
  } else {
    pks_decode_error(&error, r->m.fail, r->m.fail_offset, r->m.fail_op);
    trace_outcome(outcome, status, used, &error);
    fputs(outcome, r->out);
  }
  fclose(r->out);
  return r->text;
}

static void rig_close(rig *r) {
  pks_machine_free(&r->m);
  ck_assert_uint_eq(r->mem.used, 0);
  ck_assert_uint_eq(r->memory.blocks, 0);
}

/* The failure at the end of what is wanted, or NULL. */
static const char *failure(const char *want) {
  const char *last = strrchr(want, ';');
  last = last ? last + 2 : want;
  return strncmp(last, "E_", 2) == 0 ? last : NULL;
}

/* The inspector ends where the machine does, in every cut. */
static void check_cuts(const pickle *p, uint32_t python, bool inert, const char *want) {
  pks_options options = {.size = sizeof options};
  pks_options_init(&options);
  options.python = python;
  options.opaque = inert ? PKS_OPAQUE_INERT : PKS_OPAQUE_UNKNOWN;
  options.persistent_load = PKS_ANSWER_YES;
  options.events = 1;
  pks_inspector *f = pks_inspector_new(&options, NULL, NULL);
  char *got = trace_inspector_cuts(f, p->data, p->size, "gcmxeas"), end[32];
  const char *outcome = failure(want);
  snprintf(end, sizeof end, "END %zu", p->size);
  if (!outcome) outcome = end;
  ck_assert_msg(strncmp(got, outcome, strlen(outcome)) == 0 && got[strlen(outcome)] == '\n',
                "%s: %s", want, got);
  free(got);
  pks_inspector_free(f);
}

/* STOP is added unless the program is to fail before. */
static void check_program(const char *program, uint32_t python, bool inert, const char *want) {
  rig r;
  pickle p = {0};
  pickle_add(&p, program);
  if (!failure(want)) pickle_add(&p, "STOP");
  pickle_fit(&p);
  rig_open(&r, python, inert, NULL);
  char *got = rig_run(&r, p.data, p.size);
  ck_assert_msg(strcmp(got, want) == 0, "%s: %s, not %s", program, got, want);
  free(got);
  rig_close(&r);
  check_cuts(&p, python, inert, want);
  pickle_free(&p);
}

#define PY36 PKS_PYTHON(3, 6, 15)
#define PY38 PKS_PYTHON(3, 8, 18)
#define PY311 PKS_PYTHON(3, 11, 7)
#define PY312 PKS_PYTHON(3, 12, 1)
#define PY313 PKS_PYTHON(3, 13, 0)
#define PY314 PKS_PYTHON(3, 14, 2)
#define PY315 PKS_PYTHON(3, 15, 0)

typedef struct program_row {
  const char *program;
  uint32_t python;
  const char *want;
} program_row;

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
  check_program(stack_rows[_i].program, stack_rows[_i].python, false, stack_rows[_i].want);
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
  check_program(memo_rows[_i].program, memo_rows[_i].python, false, memo_rows[_i].want);
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
  check_program(identity_rows[_i].program, identity_rows[_i].python, false, identity_rows[_i].want);
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

static uint64_t noise(uint64_t *state) { /* splitmix64 */
  uint64_t x = *state += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
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
  check_program(number_rows[_i].program, number_rows[_i].python, false, number_rows[_i].want);
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
  check_program(item_rows[_i].program, item_rows[_i].python, false, item_rows[_i].want);
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
    const char *end = failure(got) ? failure(got) : got; /* without what on_item wrote */
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
  check_program(opaque_rows[_i].program, PY312, false, opaque_rows[_i].unknown);
  check_program(opaque_rows[_i].program, PY312, true, inert);
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

/* ---- depth ------------------------------------------------------------------------------------------ */

#define DEEP ((size_t)10000000)

/* Ten million deep. roomy: limits are raised; want is the outcome with them, and without. */
static const struct {
  const char *before, *repeated, *middle, *repeated_after, *after, *want, *want_default;
} deep_rows[] = {
    {"", "MARK", "NONE", "", "STOP", "None", "E_LIMIT_DEPTH 1000000 MARK -"},
    {"NONE", "TUPLE1", "", "", "STOP", "tuple 1", "tuple 1"},
    {"", "EMPTY_LIST", "NONE", "APPEND", "STOP", "list 1",
     "E_LIMIT_MEMORY 8388608 EMPTY_LIST MemoryError"},
    {"", "MARK", "", "LIST", "STOP", "list 1", "E_LIMIT_DEPTH 1000000 MARK -"},
    {"", "MARK", "", "TUPLE", "STOP", "tuple 1", "E_LIMIT_DEPTH 1000000 MARK -"},
    {"", "MARK", "", "POP", "NONE STOP", "None", "E_LIMIT_DEPTH 1000000 MARK -"},
    {"", "MARK NONE", "NONE", "DICT", "STOP", "dict", "E_LIMIT_DEPTH 2000000 MARK -"},
    {"EMPTY_DICT NONE", "TUPLE1", "", "", "NONE SETITEM STOP", "E_LIMIT_DEPTH 10000003 SETITEM -",
     "E_LIMIT_DEPTH 10000003 SETITEM -"},
    {"EMPTY_DICT EMPTY_LIST", "TUPLE1", "", "", "NONE SETITEM STOP",
     "E_LIMIT_DEPTH 10000003 SETITEM -", "E_LIMIT_DEPTH 10000003 SETITEM -"},
};

static char *run_deep(size_t row, const pks_limits *limits) {
  rig r;
  pickle p = {0};
  pickle_add(&p, deep_rows[row].before);
  pickle_add_times(&p, DEEP, deep_rows[row].repeated);
  pickle_add(&p, deep_rows[row].middle);
  pickle_add_times(&p, DEEP, deep_rows[row].repeated_after);
  pickle_add(&p, deep_rows[row].after);
  rig_open(&r, PY311, false, limits);
  char *got = rig_run(&r, p.data, p.size);
  if (!limits) ck_assert_uint_le(r.memory.peak, ((uint64_t)64 << 20));
  rig_close(&r);
  pickle_free(&p);
  return got;
}

START_TEST(deep_nesting) {
  pks_limits roomy = {.size = sizeof roomy};
  pks_limits_init(&roomy);
  roomy.max_memory = (uint64_t)1 << 30;
  roomy.max_depth = 2 * DEEP;
  for (int with_limits = 0; with_limits < 2; with_limits++) {
    const char *want = with_limits ? deep_rows[_i].want : deep_rows[_i].want_default;
    char *got = run_deep((size_t)_i, with_limits ? &roomy : NULL);
    ck_assert_str_eq(got, want);
    free(got);
  }
}
END_TEST

/* CPython hashes nested tuples by recursion in C: 3,000 deep is fine, 300,000 is a crash. */
START_TEST(hash_depth) {
  static const struct {
    size_t depth;
    const char *want;
  } rows[] = {{1, "dict"},
              {3000, "dict"},
              {PKS_TUPLE_DEPTH_MAX - 1, "dict"},
              {PKS_TUPLE_DEPTH_MAX, "E_LIMIT_DEPTH 8194 SETITEM -"},
              {PKS_TUPLE_DEPTH_MAX + 1, "E_LIMIT_DEPTH 8195 SETITEM -"}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    rig r;
    pickle p = {0};
    pickle_add(&p, "EMPTY_DICT NONE");
    pickle_add_times(&p, rows[i].depth, "TUPLE1");
    pickle_add(&p, "NONE SETITEM STOP");
    rig_open(&r, PY311, false, NULL);
    char *got = rig_run(&r, p.data, p.size);
    ck_assert_str_eq(got, rows[i].want);
    free(got);
    rig_close(&r);
    pickle_free(&p);
  }
}
END_TEST

/* ---- what a payload can make us allocate --------------------------------------------------------------- */

static uint64_t peak_of(const pickle *p, uint32_t python, const char *want) {
  rig r;
  rig_open(&r, python, false, NULL);
  char *got = rig_run(&r, p->data, p->size);
  ck_assert_msg(strcmp(got, want) == 0, "%s, not %s", got, want);
  free(got);
  uint64_t peak = r.memory.peak;
  rig_close(&r);
  return peak;
}

START_TEST(claimed_length_allocates_nothing) {
  static const struct {
    const char *program, *want;
  } rows[] = {
      {"BINBYTES8 #0x8000000000000000 'abc'", "E_ARGUMENT 0 BINBYTES8 OverflowError"},
      {"BINBYTES8 #0x4000000000000000 'abc'", "E_TRUNCATED 0 BINBYTES8 UnpicklingError"},
      {"BYTEARRAY8 #0x4000000000000000 'abc'", "E_TRUNCATED 0 BYTEARRAY8 UnpicklingError"},
      {"BINUNICODE8 #0x7fffffffffffffff 'abc'", "E_TRUNCATED 0 BINUNICODE8 UnpicklingError"},
      {"LONG4 #0x7fffffff 'abc'", "E_TRUNCATED 0 LONG4 UnpicklingError"},
      {"BINSTRING #0xffffffff 'abc'", "E_TRUNCATED 0 BINSTRING UnpicklingError"},
      {"FRAME 0x7fffffffffffffff", "E_ARGUMENT 0 FRAME UnpicklingError"},
      {"FRAME 0x7000000000000000 NONE", "E_TRUNCATED 0 FRAME UnpicklingError"},
      {"FRAME 0x8000000000000000", "E_FRAME 0 FRAME OverflowError"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    pickle p = pickle_of(rows[i].program);
    ck_assert_uint_le(peak_of(&p, PY311, rows[i].want), 2048); /* the stack */
    failing memory;                                            /* in pieces, too */
    failing_init(&memory, 0);
    pks_options options = {.size = sizeof options};
    pks_options_init(&options);
    options.python = PY311;
    pks_inspector *f = pks_inspector_new(&options, NULL, &memory.alloc);
    uint64_t before = memory.live;
    char *got = trace_inspector_cuts(f, p.data, p.size, "");
    ck_assert_msg(strncmp(got, rows[i].want, strlen(rows[i].want)) == 0, "%s", got);
    ck_assert_uint_le(memory.peak, 2 * (before + 4096)); /* whole, Python 2 is asked too */
    free(got);
    pks_inspector_free(f);
    pickle_free(&p);
  }
}
END_TEST

/* Far indexes cost as much as the bytes that name them, not as their size. */
START_TEST(memo_bombs) {
  static const uint32_t pythons[] = {PY311, PY315};
  for (size_t i = 0; i < COUNT(pythons); i++)
    for (uint32_t step = 1; step < 400000; step = step * 5 + 3) {
      pickle p = {0};
      pickle_add(&p, "NONE");
      for (uint32_t n = 0; n < 1000; n++)
        pickle_add_number(&p, PKS_OP_LONG_BINPUT, (uint64_t)n * step);
      pickle_add(&p, "STOP");
      uint64_t peak = peak_of(&p, pythons[i], "None");
      ck_assert_msg(peak < 1000 * 64 + 16384, "step %u: %" PRIu64, step, peak);
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

/* ---- frames and pieces ------------------------------------------------------------------------------------ */

static const struct {
  const char *program;
  uint32_t python;
  const char *want; /* outcome and summary */
} frame_rows[] = {
    {"PROTO 4 FRAME 2 NONE STOP", PY311, "END 13\nbytes 13 ops 4 protocol 4 of 4 complete\n"},
    {"FRAME 1 NONE STOP", PY311, "END 11\nbytes 11 ops 3 protocol 0 of 4 complete\n"},
    {"FRAME 0 NONE STOP", PY311, "END 11\nbytes 11 ops 3 protocol 0 of 4 complete\n"},
    {"FRAME 9 NONE STOP", PY311,
     "E_TRUNCATED 0 FRAME UnpicklingError\nbytes 0 ops 0 protocol 0 of 4\n"},
    {"NONE FRAME 3 NONE STOP =ff", PY311, "END 12\nbytes 12 ops 4 protocol 0 of 4 complete\n"},
    {"FRAME 11 NONE FRAME 0 NONE STOP", PY311,
     "END 21\nbytes 21 ops 5 protocol 0 of 4 complete ambiguous\n"},
    {"FRAME 11 NONE FRAME 0 NONE STOP", PY315,
     "E_FRAME 10 FRAME UnpicklingError\nbytes 10 ops 2 protocol 0 of 4 ambiguous\n"},
    {"FRAME 10 NONE FRAME 0 NONE STOP", PY315, /* the last thing in its frame */
     "END 21\nbytes 21 ops 5 protocol 0 of 4 complete\n"},
    {"FRAME 2 SHORT_BINUNICODE 'abc' STOP", PY311, /* the text starts right at the frame's end */
     "END 15\nbytes 15 ops 3 protocol 0 of 4 complete\n"},
    {"FRAME 3 SHORT_BINUNICODE 'abc' STOP", PY311,
     "END 15\nbytes 15 ops 3 protocol 0 of 4 complete ambiguous\n"},
    {"FRAME 3 SHORT_BINUNICODE 'abc' STOP", PY315,
     "E_FRAME 9 SHORT_BINUNICODE UnpicklingError\nbytes 9 ops 1 protocol 0 of 4 ambiguous\n"},
    {"FRAME 1 BININT1 7 STOP", PY315, "END 12\nbytes 12 ops 3 protocol 0 of 4 complete\n"},
    {"FRAME 2 BININT 7 STOP", PY315,
     "E_FRAME 9 BININT UnpicklingError\nbytes 9 ops 1 protocol 0 of 4 ambiguous\n"},
    {"FRAME 3 GLOBAL 'm' 'n' STOP", PY315, "END 15\nbytes 15 ops 3 protocol 0 of 4 complete\n"},
    {"FRAME 4 GLOBAL 'm' 'n' STOP", PY315,
     "E_FRAME 9 GLOBAL UnpicklingError\nbytes 9 ops 1 protocol 0 of 4 ambiguous\n"},
    {"FRAME 2 GLOBAL 'm' 'n' STOP", PY311,
     "END 15\nbytes 15 ops 3 protocol 0 of 4 complete ambiguous\n"},
    /* longer than what is kept: the bytes go by */
    {"FRAME 5 BINUNICODE 'abcdefghijkl' STOP", PY315,
     "END 27\nbytes 27 ops 3 protocol 0 of 4 complete\n"},
    {"FRAME 7 BINUNICODE 'abcdefghijkl' STOP", PY311,
     "END 27\nbytes 27 ops 3 protocol 0 of 4 complete ambiguous\n"},
    {"FRAME 7 BINUNICODE 'abcdefghijkl' STOP", PY315,
     "E_FRAME 9 BINUNICODE UnpicklingError\nbytes 9 ops 1 protocol 0 of 4 ambiguous\n"},
    {"FRAME 7 BINBYTES8 'abcdefghijkl' NONE STOP", PY311,
     "END 32\nbytes 32 ops 4 protocol 0 of 4 complete ambiguous\n"},
    {"FRAME 8 BINUNICODE 'ab'", PY311,
     "E_TRUNCATED 0 FRAME UnpicklingError\nbytes 0 ops 0 protocol 0 of 4\n"},
    {"FRAME 7 BINUNICODE 'ab'", PY311,
     "E_TRUNCATED 16 - EOFError\nbytes 16 ops 2 protocol 0 of 4\n"},
    {"FRAME 7 BINUNICODE #9 'ab'", PY311,
     "E_TRUNCATED 9 BINUNICODE UnpicklingError\nbytes 9 ops 1 protocol 0 of 4\n"},
    {"FRAME 7 BINUNICODE #9 'abc'", PY315,
     "E_FRAME 9 BINUNICODE UnpicklingError\nbytes 9 ops 1 protocol 0 of 4\n"},
    {"BINUNICODE 'abcdef%ff' STOP", PY311,
     "E_ARGUMENT 0 BINUNICODE UnicodeDecodeError\nbytes 0 ops 0 protocol 0 of 1\n"},
    {"NONE BINUNICODE #9 'abcdef'", PY311,
     "E_TRUNCATED 1 BINUNICODE UnpicklingError\nbytes 1 ops 1 protocol 0 of 1\n"},
    {"EMPTY_LIST NONE APPEND LONG4 '%00%00%00%00%00%00%00%00%00%00' NONE SETITEM STOP", PY311,
     "END 21\nbytes 21 ops 7 protocol 0 of 2 complete\n"},
    {"EMPTY_LIST NONE APPEND LONG4 '%01%00%00%00%00%00%00%00%00%00' NONE SETITEM STOP", PY311,
     "E_OPERAND 19 SETITEM IndexError\nbytes 19 ops 5 protocol 0 of 2\n"},
    {"BYTEARRAY8 'abcdef' BININT1 5 BININT1 1 SETITEM STOP", PY311,
     "END 21\nbytes 21 ops 5 protocol 0 of 5 complete\n"},
};

/* With room for a frame, and nothing kept of a text: in every cut the whole's answer. */
START_TEST(frames_and_long_arguments_in_any_cut) {
  pks_options options = {.size = offsetof(pks_options, opaque), .python = frame_rows[_i].python};
  for (uint64_t kept = 0; kept < 20; kept += 6) {
    pks_limits limits = {.size = sizeof limits};
    pks_limits_init(&limits);
    limits.max_name = limits.max_code = kept;
    pks_inspector *f = pks_inspector_new(&options, &limits, NULL);
    pickle p = pickle_of(frame_rows[_i].program);
    char *got = trace_inspector_cuts(f, p.data, p.size, "s"), *names = strstr(got, " E_LIMIT_NAME");
    if (names && strncmp(got, "cut", 3) != 0) strcpy(names, "\n"); /* GLOBAL's, when kept is 0 */
    ck_assert_msg(names || strcmp(got, frame_rows[_i].want) == 0, "%s, %d kept: %s",
                  frame_rows[_i].program, (int)kept, got);
    free(got);
    pickle_free(&p);
    pks_inspector_free(f);
  }
}
END_TEST

/* Streams of frames and arguments that cross them, whatever comes of it. */
static void random_framed(uint64_t *state, pickle *p) {
  static const char *const programs[] = {"NONE",
                                         "POP",
                                         "MARK",
                                         "TUPLE",
                                         "EMPTY_LIST",
                                         "MEMOIZE",
                                         "APPEND",
                                         "DUP",
                                         "SHORT_BINUNICODE 'ab'",
                                         "SHORT_BINUNICODE 'x'",
                                         "BINUNICODE 'abcdefgh'",
                                         "SHORT_BINBYTES 'abcde'",
                                         "BINBYTES8 'abc'",
                                         "BYTEARRAY8 'abcd'",
                                         "BINSTRING 'abcdef'",
                                         "GLOBAL 'mod' 'name'",
                                         "GLOBAL 'm' 'n'",
                                         "INT '123'",
                                         "UNICODE 'abc'",
                                         "BININT 7",
                                         "BINFLOAT 1.5",
                                         "LONG1 'abc'",
                                         "LONG4 '%00%00%00%00%00%00%00%00%00'",
                                         "STACK_GLOBAL",
                                         "PROTO 4",
                                         "BINGET 0",
                                         "=8c05",
                                         "=5805000000",
                                         "=63",
                                         "=8e",
                                         "FRAME 2 =9500 =0300000000000000 NONE",
                                         "FRAME 3 =950000 =0200000000000000",
                                         "FRAME 1 =95 =0400000000000000",
                                         "STOP"};
  size_t steps = 1 + noise(state) % 10;
  for (size_t i = 0; i < steps; i++) {
    if (noise(state) % 3 == 0) pickle_add_number(p, PKS_OP_FRAME, noise(state) % 24);
    pickle_add(p, programs[noise(state) % COUNT(programs)]);
  }
  if (noise(state) % 4) pickle_add(p, "STOP");
  if (noise(state) % 3 == 0) pickle_add(p, "NONE NONE NONE NONE NONE");
  pickle_fit(p);
}

START_TEST(framed_streams_in_any_cut) {
  static const uint32_t pythons[] = {PKS_PYTHON(2, 7, 18), PKS_PYTHON(3, 7, 16),
                                     PKS_PYTHON(3, 11, 7), PY315};
  static const uint32_t buffers[] = {0, 1, 7, 16};
  static const uint64_t kept[] = {0, 4, 1024};
  uint64_t state = (uint64_t)_i;
  for (int round = 0; round < 400; round++) {
    pks_options options = {.size = sizeof options};
    pks_limits limits = {.size = sizeof limits};
    pickle p = {0};
    pks_options_init(&options);
    pks_limits_init(&limits);
    random_framed(&state, &p);
    options.events = 1;
    options.python = pythons[noise(&state) % COUNT(pythons)];
    options.reading = (pks_read)(noise(&state) % 3);
    options.file_buffer = buffers[noise(&state) % COUNT(buffers)];
    limits.max_name = limits.max_code = kept[noise(&state) % COUNT(kept)];
    limits.max_frame = UINT64_MAX;
    pks_inspector *f = pks_inspector_new(&options, &limits, NULL);
    char *got = trace_inspector_cuts(f, p.data, p.size, "gcmxeas");
    ck_assert_msg(strncmp(got, "cut", 3) != 0, "seed %d, round %d, reading %d: %s", _i, round,
                  (int)options.reading, got);
    free(got);
    pickle_free(&p);
    pks_inspector_free(f);
  }
}
END_TEST

/* A frame past max_frame is read on without its end: what is said then names the limit. */
START_TEST(frames_past_max_frame) {
  static const struct {
    const char *program, *want;
  } rows[] = {
      {"FRAME 2 NONE STOP", "END 11\nbytes 11 ops 3 protocol 0 of 4 E_LIMIT_FRAME\n"},
      {"FRAME 1 NONE STOP", "END 11\nbytes 11 ops 3 protocol 0 of 4 complete\n"},
      {"FRAME 9 NONE STOP", "END 11\nbytes 11 ops 3 protocol 0 of 4 E_LIMIT_FRAME\n"},
      {"FRAME 9 NONE",
       "E_TRUNCATED 0 FRAME UnpicklingError\nbytes 10 ops 2 protocol 0 of 4 E_LIMIT_FRAME\n"},
      {"FRAME 9 POP",
       "E_STACK 9 POP UnpicklingError\nbytes 9 ops 1 protocol 0 of 4 E_LIMIT_FRAME\n"},
      {"FRAME 99 BINUNICODE #50 'abcdefghijkl'",
       "E_TRUNCATED 0 FRAME UnpicklingError\nbytes 9 ops 1 protocol 0 of 4 E_LIMIT_FRAME\n"},
      {"FRAME 99 MARK FRAME 2 TUPLE STOP",
       "END 21\nbytes 21 ops 5 protocol 0 of 4 ambiguous E_LIMIT_FRAME\n"},
      {"FRAME 20 MARK FRAME 99 TUPLE STOP",
       "END 21\nbytes 21 ops 5 protocol 0 of 4 ambiguous E_LIMIT_FRAME\n"},
      {"FRAME 99 MARK FRAME 2 TUPLE", "E_TRUNCATED 0 FRAME UnpicklingError\nbytes 20 ops 4 "
                                      "protocol 0 of 4 ambiguous E_LIMIT_FRAME\n"},
      {"FRAME 7 BINUNICODE 'abcdefghijkl' STOP",
       "END 27\nbytes 27 ops 3 protocol 0 of 4 complete ambiguous\n"},
  };
  pks_limits limits = {.size = sizeof limits};
  pks_limits_init(&limits);
  limits.max_frame = 0;
  limits.max_name = 4;
  pks_inspector *f = pks_inspector_new(NULL, &limits, NULL);
  for (size_t i = 0; i < COUNT(rows); i++) {
    pickle p = pickle_of(rows[i].program);
    for (size_t cut = 0; cut <= p.size; cut++)
      for (size_t more = cut; more <= p.size; more++) {
        size_t cuts[] = {cut, more};
        char outcome[TRACE_OUTCOME], got[256];
        pks_status status = trace_inspect(f, p.data, p.size, cuts, 2);
        trace_inspector_outcome(outcome, f, status);
        char *facts = trace_facts(f, "s");
        snprintf(got, sizeof got, "%s\n%s", outcome, facts);
        /* a frame that is whole in one piece was seen */
        bool seen = strstr(got, "E_LIMIT_FRAME") == NULL;
        if (!seen || strstr(rows[i].want, "complete"))
          ck_assert_msg(strcmp(got, rows[i].want) == 0, "%s cut at %zu and %zu: %s",
                        rows[i].program, cut, more, got);
        free(facts);
      }
    pickle_free(&p);
  }
  pks_inspector_free(f);
}
END_TEST

/* Texts that are kept stay what they are, whatever was kept before them. */
START_TEST(kept_texts_stay) {
  pks_inspector *f = pks_inspector_new(NULL, NULL, NULL);
  for (size_t size = 16000; size < 50000; size += 500) {
    pickle p = {0};
    char *big = calloc(1, size);
    memset(big, 'x', size);
    pickle_add(&p, "SHORT_BINUNICODE 'first' BINPUT 0");
    pickle_add_text(&p, PKS_OP_BINBYTES, big, size);
    pickle_add(&p, "SHORT_BINUNICODE 'os' SHORT_BINUNICODE 'system' STACK_GLOBAL BINGET 0 "
                   "SHORT_BINUNICODE 'last' STACK_GLOBAL ");
    pickle_add_times(&p, 100, "NONE"); /* so that there is room to read in steps */
    pickle_add(&p, "STOP");
    size_t none = 0;
    ck_assert_int_eq(trace_inspect(f, p.data, p.size, &none, 0), PKS_END);
    char *got = trace_facts(f, "g");
    ck_assert_msg(strncmp(got, "0 os system ", 12) == 0 && strstr(got, "1 first last "), "%s", got);
    free(got);
    free(big);
    pickle_free(&p);
  }
  pks_inspector_free(f);
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------------------- */

static TCase *add_case(Suite *suite, const char *name) {
  TCase *test_case = tcase_create(name);
  suite_add_tcase(suite, test_case);
  return test_case;
}

int main(void) {
  Suite *suite = suite_create("machine");
  TCase *stack = add_case(suite, "stack");
  tcase_add_loop_test(stack, stack_and_marks, 0, (int)COUNT(stack_rows));
  tcase_add_loop_test(stack, effect_of_opcode_is_what_its_row_says, 0, 256);
  tcase_add_loop_test(stack, need_of_opcode_is_what_its_row_says, 0, 256);
  TCase *entries = add_case(suite, "memo");
  tcase_add_loop_test(entries, memo_entries, 0, (int)COUNT(memo_rows));
  tcase_add_loop_test(entries, memo_keeps_identity, 0, (int)COUNT(identity_rows));
  tcase_add_loop_test(entries, memo_agrees_with_a_plain_one, 0, 4);
  tcase_add_test(entries, memo_bombs);
  TCase *values = add_case(suite, "values");
  tcase_add_loop_test(values, numbers, 0, (int)COUNT(number_rows));
  tcase_add_loop_test(values, short_lines_read_as_long_ones, 0, 3);
  tcase_add_loop_test(values, items_of_literals, 0, (int)COUNT(item_rows));
  tcase_add_loop_test(values, state_of_literals, 0, (int)COUNT(build_rows));
  tcase_add_loop_test(values, opaque_objects, 0, (int)COUNT(opaque_rows));
  tcase_add_test(values, needs);
  tcase_add_test(values, tuples_keep_their_items_for_a_while);
  tcase_add_test(values, tuples_of_every_size);
  tcase_add_test(values, tuple_positions_wrap);
  TCase *size = add_case(suite, "size");
  tcase_add_loop_test(size, deep_nesting, 0, (int)COUNT(deep_rows));
  tcase_add_test(size, hash_depth);
  tcase_add_test(size, claimed_length_allocates_nothing);
  TCase *pieces = add_case(suite, "pieces");
  tcase_add_loop_test(pieces, frames_and_long_arguments_in_any_cut, 0, (int)COUNT(frame_rows));
  tcase_add_loop_test(pieces, framed_streams_in_any_cut, 0, 5);
  tcase_add_test(pieces, frames_past_max_frame);
  tcase_add_test(pieces, kept_texts_stay);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
