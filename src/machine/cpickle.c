/* machine/cpickle.c - the unpickler of Python 2.7: load and load_... of Modules/cPickle.c.
 *
 * It knows protocols 0 to 2 and is another program than _pickle.c. Marks are heights of the stack and
 * nothing else: items below one are taken, and a mark may be left above the top. Lines may lack their
 * newline at the end of the input. The memo is a dict, where a line is another key than a number. */
#include "machine/fast.h"

/* The opcode at p; a line at the end of the input is `cut` when it has no newline. */
typedef struct opcode {
  const uint8_t *p;
  size_t size;
  bool cut;
  uint64_t offset;
} opcode;

static size_t height(const pks_machine *m) { return (size_t)(m->top - m->stack); }

static pks_fail push(pks_machine *m, pks_value v) {
  if (m->top == m->stack_end && !pks_machine_grow_stack(m)) return pks_decode_fail_of(m->mem);
  *m->top++ = v;
  return PKS_FAIL_NONE;
}

static pks_fail need(const pks_machine *m, size_t count) {
  return height(m) < count ? PKS_FAIL_STACK : PKS_FAIL_NONE;
}

/* marker(): takes the top mark away; how high it was. */
static pks_fail take_mark(pks_machine *m, size_t *at) {
  if (m->mark_count == 0) return PKS_FAIL_MARK;
  *at = m->marks[--m->mark_count];
  return PKS_FAIL_NONE;
}

/* The same where items from the mark on make something: Pdata_popTuple and Pdata_popList ask for a
 * negative number of them when it is above the top. */
static pks_fail take_items(pks_machine *m, size_t *at) {
  pks_fail fail = take_mark(m, at);
  return !fail && *at > height(m) ? PKS_FAIL_MARK_ABOVE : fail;
}

/* ---- arguments ----------------------------------------------------------------------------------- */

static pks_span counted(const opcode *o) {
  size_t head = 5;
  pks_arg argument = (pks_arg)pks_decode_ops[*o->p].argument;
  if (argument == PKS_ARG_N1 || argument == PKS_ARG_L1) head = 2;
  return (pks_span){o->p + head, o->size - head};
}

static int64_t number_of(const opcode *o) {
  switch ((int)pks_decode_ops[*o->p].argument) {
    case PKS_ARG_U1: return o->p[1];
    case PKS_ARG_U2: return (int64_t)pks_read2(o->p + 1);
    case PKS_ARG_I4: return (int32_t)pks_read4(o->p + 1);
    default: return (int64_t)pks_read4(o->p + 1);
  }
}

/* Two lines without their last bytes; each must have one. */
static pks_fail two_lines(const opcode *o, pks_span lines[2]) {
  const uint8_t *at = o->p + 1, *end = o->p + o->size;
  for (int i = 0; i < 2; i++) {
    const uint8_t *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    const uint8_t *next = newline ? newline + 1 : end;
    if (next - at < 2) return newline ? PKS_FAIL_EMPTY_LINE : PKS_FAIL_TRUNCATED;
    lines[i] = (pks_span){at, (size_t)(next - at) - 1};
    at = next;
  }
  return PKS_FAIL_NONE;
}

/* ---- values -------------------------------------------------------------------------------------- */

static pks_fail push_text(pks_machine *m, const opcode *o, pks_span text, unsigned flags) {
  pks_value v = PKS_V_STR | PKS_VF_UNREADABLE; /* nothing comes after a line that is cut */
  pks_fail fail = PKS_FAIL_NONE;
  if (!o->cut) fail = text_value(m, PKS_V_STR, o->p, o->size, o->size, text, o->offset, &v);
  return fail ? fail : push(m, v | flags);
}

/* A str of Python 2: bytes, of which those that are ASCII are known as text. */
static pks_fail push_string(pks_machine *m, const opcode *o, pks_span text) {
  bool ascii = pks_decode_string_ascii(text, *o->p == PKS_OP_STRING);
  return push_text(m, o, text, ascii ? 0 : PKS_VF_STRING);
}

static pks_fail push_number(pks_machine *m, const pks_number *n) {
  if (n->boolean) return push(m, n->value ? PKS_V_TRUE : PKS_V_FALSE);
  return push(m, pks_machine_number(n));
}

static pks_fail load_line(pks_machine *m, const opcode *o) {
  pks_number number;
  double real;
  pks_span text;
  pks_fail fail = pks_decode_cpickle_line(o->p, o->size, &number, &real, &text);
  if (fail) return fail;
  switch (*o->p) {
    case PKS_OP_FLOAT: return push(m, PKS_V_FLOAT);
    case PKS_OP_STRING: return push_string(m, o, text);
    case PKS_OP_UNICODE: return push_text(m, o, text, 0);
    default: return push_number(m, &number);
  }
}

static pks_fail load_long_bytes(pks_machine *m, const opcode *o) {
  pks_number number;
  pks_span text = counted(o);
  pks_decode_long_bytes(text.data, text.size, &number);
  return push_number(m, &number);
}

static pks_fail load_binunicode(pks_machine *m, const opcode *o) {
  pks_span text = counted(o);
  if (!pks_base_utf8_valid(text.data, text.size, true)) return PKS_FAIL_UTF8;
  return push_text(m, o, text, 0);
}

/* ---- containers ---------------------------------------------------------------------------------- */

static pks_fail make_tuple(pks_machine *m, size_t from) {
  pks_value tuple = pks_machine_make_tuple(m, m->stack + from, height(m) - from);
  if (!tuple) return PKS_FAIL_ALLOC;
  m->top = m->stack + from;
  return push(m, tuple);
}

static pks_fail load_counted_tuple(pks_machine *m, size_t count) {
  pks_fail fail = need(m, count);
  return fail ? fail : make_tuple(m, height(m) - count);
}

static pks_fail load_tuple(pks_machine *m) {
  size_t at;
  pks_fail fail = take_items(m, &at);
  return fail ? fail : make_tuple(m, at);
}

static pks_fail load_list(pks_machine *m) {
  size_t at;
  pks_fail fail = take_items(m, &at);
  if (fail) return fail;
  pks_value list = pks_make(PKS_V_LIST, height(m) - at);
  m->top = m->stack + at;
  return push(m, list);
}

/* The last of an odd number of items is not looked at. */
static pks_fail load_dict(pks_machine *m, uint64_t offset) {
  size_t at;
  pks_fail fail = take_mark(m, &at);
  if (!fail) fail = push(m, PKS_V_NONE); /* there is room for the dict */
  if (fail) return fail;
  m->top--;
  if (at >= height(m)) return push(m, pks_make(PKS_V_DICT, offset & PKS_DICT_OFFSET));
  if ((height(m) - at) % 2) m->top--;
  return pks_machine_dict(m, m->stack + at, offset);
}

/* do_append and do_setitems work on what is below `at`. */
static pks_fail load_append(pks_machine *m, size_t at, int op, uint64_t offset) {
  if (at == 0 || at > height(m)) return PKS_FAIL_STACK;
  return pks_machine_append(m, m->stack + at - 1, op, offset);
}

static pks_fail load_setitems(pks_machine *m, size_t at, int op, uint64_t offset) {
  if (at == 0 || at > height(m)) return PKS_FAIL_STACK;
  return pks_machine_setitems(m, m->stack + at - 1, op, offset);
}

static pks_fail load_many(pks_machine *m, int op, uint64_t offset) {
  size_t at;
  pks_fail fail = take_mark(m, &at);
  if (fail) return fail;
  return op == PKS_OP_APPENDS ? load_append(m, at, op, offset) : load_setitems(m, at, op, offset);
}

/* ---- stack and memo ------------------------------------------------------------------------------ */

static pks_fail load_mark(pks_machine *m) {
  pks_fail fail = m->mark_count == m->mark_capacity ? pks_machine_push_mark(m) : PKS_FAIL_NONE;
  if (!fail) m->marks[m->mark_count++] = height(m);
  return fail;
}

static pks_fail load_pop(pks_machine *m) {
  if (m->mark_count && m->marks[m->mark_count - 1] == height(m)) {
    m->mark_count--;
    return PKS_FAIL_NONE;
  }
  pks_fail fail = need(m, 1);
  if (!fail) m->top--;
  return fail;
}

static pks_fail load_pop_mark(pks_machine *m) {
  size_t at;
  pks_fail fail = take_mark(m, &at);
  if (!fail && at < height(m)) m->top = m->stack + at;
  return fail;
}

/* What gets a second reference gets an identity. */
static pks_fail share_top(pks_machine *m) {
  pks_fail fail = need(m, 1);
  return !fail && pks_is_unshared(m->top[-1]) ? pks_machine_share(m, m->top - 1) : fail;
}

static pks_fail push_again(pks_machine *m, pks_value v) {
  if (pks_kind(v) == PKS_V_GLOBAL) m->hooks->again(m, v);
  return push(m, v);
}

static pks_fail load_dup(pks_machine *m) {
  pks_fail fail = share_top(m);
  return fail ? fail : push_again(m, m->top[-1]);
}

/* Numbers of BINPUT are even indexes of the memo, those of PUT odd ones, other lines have their own. */
static pks_fail memo_index(pks_machine *m, const opcode *o, bool add, uint64_t *index) {
  pks_number number;
  double real;
  pks_span text;
  if (pks_decode_ops[*o->p].argument != PKS_ARG_LINE) {
    *index = 2 * (uint64_t)number_of(o);
    return PKS_FAIL_NONE;
  }
  pks_fail fail = pks_decode_cpickle_line(o->p, o->size, &number, &real, &text);
  if (fail) return fail;
  if (add) fail = need(m, 1);
  if (fail) return fail;
  *index = number.big ? pks_machine_memo_key(m, text, add) : 2 * (uint64_t)number.value + 1;
  return m->fail;
}

static pks_fail load_get(pks_machine *m, const opcode *o) {
  uint64_t index = 0;
  pks_fail fail = memo_index(m, o, false, &index);
  if (fail) return fail;
  pks_value v = pks_machine_memo_get(m, index);
  return v ? push_again(m, v) : PKS_FAIL_MEMO_GET;
}

static pks_fail load_put(pks_machine *m, const opcode *o) {
  uint64_t index = 0;
  pks_fail fail = memo_index(m, o, true, &index);
  if (!fail) fail = share_top(m);
  return fail ? fail : pks_machine_memo_put(m, index, m->top[-1]);
}

/* ---- names and calls ----------------------------------------------------------------------------- */

#define MAX_BYTES 2048 /* of a name that is not ASCII */

/* Names are bytes there; here they are text, so they read as Latin-1. False: too long. */
static bool name_text(pks_machine *m, pks_span raw, uint8_t *buffer, uint64_t offset,
                      pks_span *out) {
  size_t n = 0;
  *out = raw;
  if (pks_base_ascii_prefix(raw.data, raw.size) == raw.size) return true;
  if (raw.size > MAX_BYTES) {
    *out = (pks_span){NULL, 0};
    pks_machine_met_limit(m, PKS_E_LIMIT_NAME, offset);
    return false;
  }
  for (size_t i = 0; i < raw.size; i++) {
    if (raw.data[i] >= 0x80) buffer[n++] = (uint8_t)(0xc0 | raw.data[i] >> 6);
    buffer[n++] = raw.data[i] < 0x80 ? raw.data[i] : (uint8_t)(0x80 | (raw.data[i] & 0x3f));
  }
  *out = (pks_span){buffer, n};
  return true;
}

static pks_fail find_class(pks_machine *m, const opcode *o, pks_value *out) {
  uint8_t buffers[2][2 * MAX_BYTES];
  pks_span lines[2], names[2];
  pks_fail fail = two_lines(o, lines);
  if (fail) return fail;
  bool certain = true;
  for (int i = 0; i < 2; i++) certain &= name_text(m, lines[i], buffers[i], o->offset, &names[i]);
  *out = pks_machine_lookup(m, *o->p, names[0], names[1], certain, o->offset);
  return m->fail;
}

static pks_fail load_global(pks_machine *m, const opcode *o) {
  pks_value v = 0;
  pks_fail fail = find_class(m, o, &v);
  return fail ? fail : push(m, v);
}

static pks_fail load_inst(pks_machine *m, const opcode *o) {
  size_t at;
  pks_value class = 0;
  pks_fail fail = take_mark(m, &at);
  if (!fail) fail = find_class(m, o, &class);
  if (fail) return fail;
  if (at > height(m)) return PKS_FAIL_MARK_ABOVE;
  fail = make_tuple(m, at);
  if (fail) return fail;
  m->top[-1] = m->hooks->call(m, PKS_OP_INST, class, m->top[-1], o->offset);
  return m->fail;
}

static pks_fail load_obj(pks_machine *m, uint64_t offset) {
  size_t at;
  pks_fail fail = take_mark(m, &at);
  if (fail) return fail;
  return at >= height(m) ? PKS_FAIL_STACK : pks_machine_obj(m, m->stack + at, offset);
}

static pks_fail load_persid(pks_machine *m, const opcode *o) {
  bool line = *o->p == PKS_OP_PERSID;
  if (m->persistent_load == PKS_ANSWER_NO) return PKS_FAIL_NO_PERSID;
  if (line && o->size < 3) return o->size < 2 ? PKS_FAIL_TRUNCATED : PKS_FAIL_EMPTY_LINE;
  pks_fail fail = line ? push(m, PKS_V_STR | PKS_VF_UNREADABLE) : need(m, 1);
  return fail ? fail : pks_machine_persid(m, m->top[-1], o->offset);
}

static pks_fail load_extension(pks_machine *m, const opcode *o) {
  pks_fail fail = push(m, PKS_V_EXT);
  return fail ? fail : pks_machine_extension(m, number_of(o), o->offset);
}

static pks_fail load_proto(pks_machine *m, const opcode *o) {
  if (o->p[1] > 5) return PKS_FAIL_PROTOCOL;
  m->protocol = o->p[1];
  m->seen_protocols |= 1u << o->p[1];
  return o->p[1] > 2 ? PKS_FAIL_PROTOCOL : PKS_FAIL_NONE;
}

static pks_fail load_stop(pks_machine *m) {
  pks_fail fail = need(m, 1);
  if (fail) return fail;
  m->top--;
  m->stopped = true;
  return PKS_FAIL_NONE;
}

/* Those that are in _pickle.c what they are here, once there are enough items. */
static pks_fail load_common(pks_machine *m, const opcode *o) {
  pks_fail fail = need(m, 2);
  if (fail) return fail;
  switch (*o->p) {
    case PKS_OP_REDUCE: return pks_machine_reduce(m, o->offset);
    case PKS_OP_NEWOBJ: return pks_machine_newobj(m, *o->p, o->offset);
    default: return pks_machine_build(m, o->offset);
  }
}

/* ---- the loop ------------------------------------------------------------------------------------ */

static pks_fail step(pks_machine *m, const opcode *o) {
  int op = *o->p;
  switch (op) {
    case PKS_OP_MARK: return load_mark(m);
    case PKS_OP_STOP: return load_stop(m);
    case PKS_OP_POP: return load_pop(m);
    case PKS_OP_POP_MARK: return load_pop_mark(m);
    case PKS_OP_DUP: return load_dup(m);
    case PKS_OP_NONE: return push(m, PKS_V_NONE);
    case PKS_OP_NEWTRUE: return push(m, PKS_V_TRUE);
    case PKS_OP_NEWFALSE: return push(m, PKS_V_FALSE);
    case PKS_OP_BINFLOAT: return push(m, PKS_V_FLOAT);
    case PKS_OP_BININT:
    case PKS_OP_BININT1:
    case PKS_OP_BININT2: return push(m, pks_make_int(number_of(o)));
    case PKS_OP_INT:
    case PKS_OP_LONG:
    case PKS_OP_FLOAT:
    case PKS_OP_STRING:
    case PKS_OP_UNICODE: return load_line(m, o);
    case PKS_OP_LONG1:
    case PKS_OP_LONG4: return load_long_bytes(m, o);
    case PKS_OP_BINSTRING:
    case PKS_OP_SHORT_BINSTRING: return push_string(m, o, counted(o));
    case PKS_OP_BINUNICODE: return load_binunicode(m, o);
    case PKS_OP_EMPTY_TUPLE: return load_counted_tuple(m, 0);
    case PKS_OP_TUPLE1: return load_counted_tuple(m, 1);
    case PKS_OP_TUPLE2: return load_counted_tuple(m, 2);
    case PKS_OP_TUPLE3: return load_counted_tuple(m, 3);
    case PKS_OP_TUPLE: return load_tuple(m);
    case PKS_OP_EMPTY_LIST: return push(m, pks_make(PKS_V_LIST, 0));
    case PKS_OP_LIST: return load_list(m);
    case PKS_OP_EMPTY_DICT: return push(m, pks_make(PKS_V_DICT, o->offset & PKS_DICT_OFFSET));
    case PKS_OP_DICT: return load_dict(m, o->offset);
    case PKS_OP_APPEND: return load_append(m, height(m) - (height(m) > 0), op, o->offset);
    case PKS_OP_SETITEM:
      return height(m) < 3 ? PKS_FAIL_STACK : load_setitems(m, height(m) - 2, op, o->offset);
    case PKS_OP_APPENDS:
    case PKS_OP_SETITEMS: return load_many(m, op, o->offset);
    case PKS_OP_BUILD:
    case PKS_OP_REDUCE:
    case PKS_OP_NEWOBJ: return load_common(m, o);
    case PKS_OP_OBJ: return load_obj(m, o->offset);
    case PKS_OP_INST: return load_inst(m, o);
    case PKS_OP_GLOBAL: return load_global(m, o);
    case PKS_OP_PERSID:
    case PKS_OP_BINPERSID: return load_persid(m, o);
    case PKS_OP_GET:
    case PKS_OP_BINGET:
    case PKS_OP_LONG_BINGET: return load_get(m, o);
    case PKS_OP_PUT:
    case PKS_OP_BINPUT:
    case PKS_OP_LONG_BINPUT: return load_put(m, o);
    case PKS_OP_EXT1:
    case PKS_OP_EXT2:
    case PKS_OP_EXT4: return load_extension(m, o);
    case PKS_OP_PROTO: return load_proto(m, o);
    default: return PKS_FAIL_OPCODE;
  }
}

static void mark_seen(pks_machine *m, int op) {
  unsigned protocol = pks_decode_ops[op].protocol;
  if (protocol) m->seen_protocols |= 1u << protocol;
}

/* A counted argument that is too long to be kept goes by; how long is its head? 0: it is kept. */
static size_t goes_by(pks_machine *m, const uint8_t *p, size_t size) {
  size_t head =
      pks_decode_ops[*p].argument == PKS_ARG_N4 || pks_decode_ops[*p].argument == PKS_ARG_L4 ? 5
                                                                                             : 0;
  if (head == 0 || size < head || pks_read4(p + 1) <= pks_machine_kept_size(m, *p)) return 0;
  m->skip_offset = m->offset;
  pks_decode_skip_start(&m->skip, *p, pks_read4(p + 1), &m->strings);
  return head;
}

/* How many bytes of the next opcode to take; 0: it is not all there, or *fail. */
static size_t next_opcode(pks_machine *m, opcode *o, size_t size, bool last, pks_fail *fail) {
  size_t whole = pks_decode_op_size(o->p, size, m->rules, &m->want, fail);
  if (*fail || whole) return whole;
  if (!last) return goes_by(m, o->p, size);
  pks_arg argument = (pks_arg)pks_decode_ops[*o->p].argument;
  o->cut = argument == PKS_ARG_LINE || argument == PKS_ARG_LINE2;
  if (o->cut) return size;
  *fail = PKS_FAIL_ARGUMENT_EOF;
  return 0;
}

/* The next opcode, unless its bytes are not there (size 0) or go by. */
static pks_fail run_next(pks_machine *m, opcode *o, size_t size, bool last) {
  pks_fail fail = PKS_FAIL_NONE;
  o->size = 0;
  if (m->ops == m->max_ops) return PKS_FAIL_OPS;
  mark_seen(m, *o->p);
  o->size = next_opcode(m, o, size, last, &fail);
  if (fail || o->size == 0 || m->skip.left) return fail;
  fail = step(m, o);
  m->ops += !fail;
  return fail;
}

pks_status pks_machine_run_cpickle(pks_machine *m, const uint8_t *data, size_t size, bool last,
                                   size_t *used) {
  size_t at = 0;
  uint64_t end = last ? m->offset + size : UINT64_MAX;
  if (!m->stack && !pks_machine_grow_stack(m))
    pks_machine_fail_at(m, pks_decode_fail_of(m->mem), m->offset, -1, UINT64_MAX);
  while (!m->fail && !m->stopped) {
    if (m->skip.left) {
      at += pks_machine_skip_on(m, data + at, size - at, last);
      if (m->skip.left) break;
      continue;
    }
    m->want = (pks_want){.bytes = 1};
    if (at == size) {
      if (last) pks_machine_fail_at(m, PKS_FAIL_EOF, m->offset, -1, end);
      break;
    }
    opcode o = {.p = data + at, .offset = m->offset};
    pks_fail fail = run_next(m, &o, size - at, last);
    if (fail) pks_machine_fail_at(m, fail, o.offset, *o.p, end);
    if (fail || o.size == 0) break;
    at += o.size;
    m->offset += o.size;
  }
  *used = at;
  return pks_machine_ended(m);
}
