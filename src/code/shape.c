/* Constructor arguments to fields. The orders are those of code_new in Objects/codeobject.c of each
 * version (2.7, 3.0, 3.8, 3.11), of dill's _create_code and of PyPy's _pickle_support.code_new. */
#include "code/scan.h"

#include <string.h>

/* Position of each field without dill's and PyPy's extra argument, in the order of pks_code_field. */
static const struct {
  int8_t shape;
  int8_t at[PKS_CF_COUNT];
} shapes[] = {
    /*        argc pos kw nl st fl co cs nm vn fi na qn ln lt ex fv cv le mg */
    {PKS_SHAPE_14, {0, -1, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, 10, 11, -1, 12, 13, -1, -1}},
    {PKS_SHAPE_15, {0, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1, 11, 12, -1, 13, 14, -1, -1}},
    {PKS_SHAPE_16, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -1, 12, 13, -1, 14, 15, -1, -1}},
    {PKS_SHAPE_18, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, -1, -1}},
    {PKS_SHAPE_20, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 18, 19, -1, -1}},
};

static const int8_t *positions(size_t argc) {
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if ((size_t)shapes[i].shape == argc) return shapes[i].at;
  return NULL;
}

/* Sets out->at and out->shape from the number of arguments and what the two ends are. */
static bool place(const pks_code_value *args, size_t argc, unsigned flags, pks_code_facts *out) {
  size_t lead = 0, count = argc;
  bool magic = false;
  if (argc && args[0].kind == PKS_CV_BYTES) {
    lead = 1;
    count--;
  }
  if (count && !lead && ((flags & PKS_CODE_PYPY) || count == 17) &&
      (args[argc - 1].kind == PKS_CV_INT || args[argc - 1].kind == PKS_CV_UNKNOWN)) {
    magic = true;
    count--;
  }
  const int8_t *at = positions(count);
  memset(out->at, -1, sizeof out->at);
  if (!at) return false;
  memcpy(out->at, at, sizeof out->at);
  for (int i = 0; lead && i < PKS_CF_COUNT; i++)
    if (at[i] >= 0) out->at[i] = (int8_t)(at[i] + 1);
  if (lead) out->at[PKS_CF_LEAD] = 0;
  if (magic) out->at[PKS_CF_MAGIC] = (int8_t)(argc - 1);
  out->shape = (pks_code_shape)count;
  return true;
}

static const pks_code_value *field(const pks_code_value *args, const pks_code_facts *facts,
                                   pks_code_field which) {
  int at = facts->at[which];
  return at < 0 ? NULL : &args[at];
}

/* An integer argument; -1 when it is not there or not known. */
static bool take_int(const pks_code_value *value, int64_t *out) {
  *out = -1;
  if (!value || value->kind == PKS_CV_UNKNOWN) return true;
  if (value->kind != PKS_CV_INT && value->kind != PKS_CV_BOOL) return false;
  *out = value->number;
  return true;
}

static bool take_text(const pks_code_value *value, pks_span *out) {
  out->data = NULL;
  out->size = 0;
  if (!value || value->kind == PKS_CV_UNKNOWN) return true;
  if (value->kind != PKS_CV_STR && value->kind != PKS_CV_BYTES) return false;
  *out = value->text;
  return true;
}

static bool take_items(const pks_code_value *value, pks_code_items *out) {
  out->items = NULL;
  out->count = UINT32_MAX;
  if (!value || value->kind == PKS_CV_UNKNOWN) return true;
  if (value->kind != PKS_CV_TUPLE) return false;
  out->items = value->items;
  out->count = value->count < UINT32_MAX ? (uint32_t)value->count : UINT32_MAX;
  return true;
}

/* Bytes written as text, each character one byte: what a Python 2 str becomes under latin-1, and
 * what dill takes for bytecode. False when a character is above 255 or memory is refused. */
static bool latin1(pks_mem *mem, pks_vec *buffer, pks_span text, pks_span *out) {
  buffer->count = 0;
  if (!pks_base_vec_reserve(mem, buffer, 1, text.size ? text.size : 1)) return false;
  size_t n = 0;
  for (size_t i = 0; i < text.size; i++) {
    unsigned c = text.data[i];
    if (c >= 0x80) {
      if (c > 0xc3 || c < 0xc2 || i + 1 >= text.size || (text.data[i + 1] & 0xc0) != 0x80)
        return false;
      c = (c & 3) << 6 | (text.data[++i] & 0x3fu);
    }
    buffer->data[n++] = (uint8_t)c;
  }
  out->data = buffer->data;
  out->size = n;
  return true;
}

static bool take_code(pks_mem *mem, pks_vec *buffer, const pks_code_value *value, pks_span *out) {
  out->data = NULL;
  out->size = 0;
  if (value->kind == PKS_CV_UNKNOWN) return true;
  if (value->kind == PKS_CV_STR && value->text.data) {
    if (!latin1(mem, buffer, value->text, out)) *out = value->text;
    return true;
  }
  return take_text(value, out);
}

static bool same_text(const pks_code_value *a, const pks_code_value *b) {
  return a->text.size == b->text.size && a->text.data && b->text.data &&
         memcmp(a->text.data, b->text.data, a->text.size) == 0;
}

/* From 3.11 on a cell that is a parameter keeps its place among the locals, the others come after
 * them. Comparing all with all is only done while that is little work; else any place will do. */
static void count_shared_cells(pks_code_view *v) {
  v->cells_exact = v->cells.count == 0;
  v->shared_cells = 0;
  v->shared_first = 0;
  if (v->cells_exact || !v->cells.items || !v->locals.items) return;
  if ((uint64_t)v->cells.count * v->locals.count > 4096) return;
  for (uint32_t i = 0; i < v->cells.count; i++)
    for (uint32_t j = 0; j < v->locals.count; j++)
      if (same_text(&v->cells.items[i], &v->locals.items[j])) {
        v->shared_cells++;
        if (j < 64) v->shared_first |= (uint64_t)1 << j;
        break;
      }
  v->cells_exact = true;
}

/* PyArg_Parse's "i", and what code_new and PyCode_New refuse: negative counts in every version, negative
 * flags from 3.6 on and a negative stack size from 3.8 on. */
static bool is_refused(const pks_code_value *value, pks_code_field which, pks_code_shape shape) {
  if (!value || value->kind != PKS_CV_INT) return false;
  if (value->number > INT32_MAX || value->number < INT32_MIN) return true;
  if (value->number >= 0 || which == PKS_CF_FIRSTLINENO) return false;
  if (which == PKS_CF_STACKSIZE) return shape >= PKS_SHAPE_16;
  return which != PKS_CF_FLAGS || shape >= PKS_SHAPE_15;
}

static bool unpack_numbers(const pks_code_value *args, pks_code_facts *out, pks_code_view *v) {
  int64_t *numbers[] = {&out->argcount, &out->posonly,   &out->kwonly,
                        &out->nlocals,  &out->stacksize, &out->flags};
  bool ok = true;
  for (int i = 0; i < 6; i++) {
    const pks_code_value *value = field(args, out, (pks_code_field)i);
    if (value && value->kind == PKS_CV_INT && (uint64_t)value->number <= INT32_MAX) {
      *numbers[i] = value->number; /* most */
      continue;
    }
    ok &= take_int(value, numbers[i]);
    out->refused |= is_refused(value, (pks_code_field)i, out->shape);
  }
  ok &= take_int(field(args, out, PKS_CF_FIRSTLINENO), &out->line);
  out->refused |= is_refused(field(args, out, PKS_CF_FIRSTLINENO), PKS_CF_FIRSTLINENO, out->shape);
  if (out->line > INT32_MAX || out->line < 0) out->line = -1; /* no line that anybody has */
  v->argcount = out->argcount;
  v->posonly = out->posonly;
  v->kwonly = out->kwonly;
  v->nlocals = out->nlocals;
  v->stacksize = out->stacksize;
  const pks_code_value *flags = field(args, out, PKS_CF_FLAGS);
  v->has_flags = flags->kind == PKS_CV_INT;
  v->flags = (uint32_t)out->flags;
  if (v->has_flags && (out->flags < 0 || out->flags > UINT32_MAX)) ok = false;
  return ok;
}

/* Field by field: clearing the whole struct costs more than all of unpacking. */
static void clear(pks_code_facts *out) {
  const pks_span none = {NULL, 0};
  out->shape = PKS_SHAPE_NONE;
  out->name = out->qualname = out->file = out->bytecode = none;
  out->names = out->consts = NULL;
  out->line = out->flags = out->argcount = -1;
  out->posonly = out->kwonly = out->nlocals = out->stacksize = -1;
  out->set = out->likely = out->pypy = 0;
  out->kind = PKS_CODE_NONE;
  out->conflicts = 0;
  memset(out->soft, 0, sizeof out->soft);
  out->given_magic = 0;
  out->scanned = out->broken_call = out->refused = out->pypy_differs = false;
  out->imports = NULL;
  out->globals = NULL;
  out->import_count = out->global_count = 0;
}

bool pks_code_unpack(pks_mem *mem, pks_vec *text, const pks_code_value *args, size_t argc,
                     unsigned flags, pks_code_facts *out, pks_code_view *view) {
  clear(out);
  if (!place(args, argc, flags, out)) return false;

  bool ok = unpack_numbers(args, out, view);
  ok &= take_code(mem, text, field(args, out, PKS_CF_CODE), &out->bytecode);
  ok &= take_items(field(args, out, PKS_CF_CONSTS), &view->consts);
  ok &= take_items(field(args, out, PKS_CF_NAMES), &view->names);
  ok &= take_items(field(args, out, PKS_CF_VARNAMES), &view->locals);
  ok &= take_items(field(args, out, PKS_CF_FREEVARS), &view->frees);
  ok &= take_items(field(args, out, PKS_CF_CELLVARS), &view->cells);
  ok &= take_text(field(args, out, PKS_CF_FILENAME), &out->file);
  ok &= take_text(field(args, out, PKS_CF_NAME), &out->name);
  ok &= take_text(field(args, out, PKS_CF_QUALNAME), &out->qualname);
  ok &= take_text(field(args, out, PKS_CF_LINETABLE), &view->lines);
  ok &= take_text(field(args, out, PKS_CF_EXCEPTIONTABLE), &view->exceptions);
  if (!ok) {
    out->shape = PKS_SHAPE_NONE;
    return false;
  }
  out->names = field(args, out, PKS_CF_NAMES);
  out->consts = field(args, out, PKS_CF_CONSTS);
  const pks_code_value *lines = field(args, out, PKS_CF_LINETABLE);
  const pks_code_value *exceptions = field(args, out, PKS_CF_EXCEPTIONTABLE);
  view->has_lines = lines->kind == PKS_CV_BYTES && (lines->text.data || lines->text.size == 0);
  view->has_exceptions = exceptions && exceptions->kind == PKS_CV_BYTES &&
                         (exceptions->text.data || exceptions->text.size == 0);
  const pks_code_value *magic = field(args, out, PKS_CF_MAGIC);
  if (magic && magic->kind == PKS_CV_INT) out->given_magic = (uint32_t)magic->number & 0xffffu;
  view->shape = out->shape;
  view->code = out->bytecode.data;
  view->size = out->bytecode.size;
  count_shared_cells(view);
  return true;
}
