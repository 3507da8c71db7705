/* machine/pypy.c - the unpickler of PyPy 3: _Unpickler and _Unframer of its Lib/pickle.py.
 *
 * It checks little itself: what is wrong is what the objects that it works with say. A frame must hold, but
 * may be longer than the input; an argument may lack its end where the input ends, and the next opcode is what
 * is missed. Marks, stack and memo are as in _pickle.c, so steps that ask nothing else are those of run.c. */
#include "machine/fast.h"
#include "machine/pypy.h"

/* The opcode at p; `size` bytes of it are read so far, `there` are there. */
typedef struct opcode {
  const uint8_t *p;
  size_t size, there;
  bool last; /* no more come */
  bool cut;  /* the input ends in its argument, and no frame does */
  bool wait; /* m->want says for what */
  uint64_t offset;
} opcode;

/* ---- reading ------------------------------------------------------------------------------------- */

/* What is left of the frame from `at` on; outside of one: no end. */
static uint64_t frame_left(const pks_machine *m, uint64_t at) {
  return m->frame_end > at ? m->frame_end - at : UINT64_MAX;
}

static pks_fail crossed(pks_machine *m, const opcode *o) {
  if (!(m->quirks & PKS_QUIRK_FRAMES)) m->frame_quirk = o->offset;
  m->quirks |= PKS_QUIRK_CROSSED;
  return PKS_FAIL_FRAME_CROSSED;
}

/* The input ends before the read does. A frame that it ends, too, is crossed. */
static pks_fail read_rest(pks_machine *m, opcode *o, uint64_t left) {
  if (o->there > o->size && left != UINT64_MAX) return PKS_FAIL_FRAME_CROSSED;
  (void)m;
  o->size = o->there;
  o->cut = true;
  return PKS_FAIL_NONE;
}

/* _Unframer.read */
static pks_fail read_bytes(pks_machine *m, opcode *o, uint64_t count) {
  size_t there = o->there - o->size;
  uint64_t left = frame_left(m, o->offset + o->size);
  if (count == 0) return PKS_FAIL_NONE;
  if (count <= there && count <= left) {
    o->size += (size_t)count;
    return PKS_FAIL_NONE;
  }
  if (count > left && there) return crossed(m, o);
  if (o->last) return read_rest(m, o, left);
  m->want = (pks_want){.bytes = o->size + (count > left ? 1 : count)};
  o->wait = true;
  return PKS_FAIL_NONE;
}

/* _Unframer.readline */
static pks_fail read_line(pks_machine *m, opcode *o, pks_span *line) {
  const uint8_t *at = o->p + o->size;
  size_t there = o->there - o->size;
  uint64_t left = frame_left(m, o->offset + o->size);
  size_t here = left < there ? (size_t)left : there;
  const uint8_t *newline = here ? memchr(at, '\n', here) : NULL;
  pks_fail fail = PKS_FAIL_NONE;
  if (newline) {
    o->size = (size_t)(newline - o->p) + 1;
  } else if (left <= there) {
    fail = crossed(m, o);
  } else if (o->last) {
    fail = read_rest(m, o, left);
  } else {
    m->want = (pks_want){.line = true};
    o->wait = true;
  }
  *line = (pks_span){at, (size_t)(o->p + o->size - at)};
  return fail;
}

/* Lines are taken without their last byte, whatever it is. */
static pks_span chopped(pks_span line) {
  return (pks_span){line.data, line.size ? line.size - 1 : 0};
}

static uint64_t unsigned_at(const uint8_t *p, size_t size) {
  return size == 1 ? p[0] : size == 2 ? pks_read2(p) : size == 4 ? pks_read4(p) : pks_read8(p);
}

/* struct.unpack, or one byte. */
static pks_fail read_number(pks_machine *m, opcode *o, size_t size, uint64_t *number) {
  pks_fail fail = read_bytes(m, o, size);
  if (fail || o->wait) return fail;
  if (o->cut) return size == 1 ? PKS_FAIL_PYPY_BYTE : PKS_FAIL_PYPY_UNPACK;
  *number = unsigned_at(o->p + o->size - size, size);
  return PKS_FAIL_NONE;
}

static size_t head_of(int op) {
  switch ((int)pks_decode_ops[op].argument) {
    case PKS_ARG_N1:
    case PKS_ARG_L1: return 1;
    case PKS_ARG_N8: return 8;
    default: return 4;
  }
}

/* An argument too long to be kept, whose end is not there, goes by. */
static bool goes_by(pks_machine *m, opcode *o, uint64_t count) {
  uint64_t left = frame_left(m, o->offset + o->size);
  if (o->last || count <= o->there - o->size || count > left) return false;
  if (count <= pks_machine_kept_size(m, *o->p)) return false;
  m->skip_offset = o->offset;
  pks_decode_skip_start(&m->skip, *o->p, count, &m->strings);
  return true;
}

static pks_fail read_counted(pks_machine *m, opcode *o, pks_span *text) {
  int op = *o->p;
  bool is_signed = op == PKS_OP_BINSTRING || op == PKS_OP_LONG4;
  uint64_t count = 0;
  pks_fail fail = read_number(m, o, head_of(op), &count);
  if (fail || o->wait) return fail;
  if (is_signed && count > INT32_MAX) {
    if (op == PKS_OP_BINSTRING) m->quirks |= PKS_QUIRK_COUNT;
    return PKS_FAIL_COUNT_NEGATIVE;
  }
  if (count > INT64_MAX) return PKS_FAIL_PYPY_COUNT;
  size_t head = o->size;
  if (goes_by(m, o, count)) return PKS_FAIL_NONE;
  fail = read_bytes(m, o, count);
  *text = (pks_span){o->p + head, o->size - head};
  return fail;
}

pks_fail pks_machine_pypy_short(const pks_machine *m) {
  uint64_t start = m->skip_offset + 1 + head_of(m->skip.op);
  if (m->frame_end > start && m->skip.left < m->skip.count) return PKS_FAIL_FRAME_CROSSED;
  pks_fail fail = pks_decode_skip_end(&m->skip, &m->strings);
  return fail ? fail : PKS_FAIL_EOF;
}

/* ---- values -------------------------------------------------------------------------------------- */

/* Nothing comes after what is cut. */
static pks_fail push_text(pks_machine *m, const opcode *o, unsigned kind, pks_span text) {
  pks_value v = kind | PKS_VF_UNREADABLE;
  pks_fail fail = PKS_FAIL_NONE;
  if (!o->cut) fail = text_value(m, kind, o->p, o->size, o->there, text, o->offset, &v);
  return fail ? fail : push(m, v);
}

static pks_fail push_string(pks_machine *m, const opcode *o, pks_span text) {
  pks_value v = 0;
  if (o->cut) {
    pks_fail fail = pks_decode_string_check(&m->strings, m->rules, text, *o->p == PKS_OP_STRING);
    if (!fail && !pks_decode_string_known(&m->strings, false)) /* or is a piece of it no text? */
      pks_machine_assume(m, PKS_ASSUME_ENCODING, o->offset);
    return fail ? fail : push(m, PKS_V_STR | PKS_VF_UNREADABLE);
  }
  pks_fail fail = pks_machine_string_value(m, o->p, o->size, text, o->offset, &v);
  return fail ? fail : push(m, v);
}

static pks_fail load_int(pks_machine *m, const opcode *o, pks_span line) {
  pks_number number;
  bool is_bool =
      line.size == 3 && line.data[0] == '0' && (line.data[1] | 1) == '1' && line.data[2] == '\n';
  if (*o->p == PKS_OP_INT && is_bool)
    return push(m, line.data[1] == '1' ? PKS_V_TRUE : PKS_V_FALSE);
  if (line.size && !o->cut && !pks_decode_is_plain_number(*o->p, line.data, line.size)) {
    if (!(m->quirks & PKS_QUIRK_NUMBER)) m->number_quirk = o->offset;
    m->quirks |= line.size > 4300 ? PKS_QUIRK_NUMBER | PKS_QUIRK_DIGITS : PKS_QUIRK_NUMBER;
  }
  if (*o->p == PKS_OP_LONG) {
    line = chopped(line);
    if (line.size && line.data[line.size - 1] == 'L') line.size--;
  }
  pks_fail fail = pks_decode_pypy_int(line, 0, m->rules, &number);
  return fail ? fail : push(m, pks_machine_number(&number));
}

static pks_fail load_float(pks_machine *m, pks_span line) {
  bool zero;
  pks_fail fail = pks_decode_pypy_float(chopped(line), &zero);
  return fail ? fail : push(m, pks_make(PKS_V_FLOAT, zero));
}

static pks_fail load_string(pks_machine *m, const opcode *o, pks_span line) {
  pks_span inside;
  line = chopped(line);
  pks_fail fail = pks_decode_string_line(line.data, line.size + 1, &inside);
  return fail ? fail : push_string(m, o, inside);
}

static pks_fail load_unicode(pks_machine *m, const opcode *o, pks_span line) {
  bool odd;
  line = chopped(line);
  pks_fail fail = pks_decode_pypy_unicode(line, &odd);
  if (!fail) fail = push_text(m, o, PKS_V_STR, line);
  if (fail || !odd) return fail;
  pks_machine_assume(m, PKS_ASSUME_TEXT, o->offset);
  m->top[-1] |= PKS_VF_STRING;
  return PKS_FAIL_NONE;
}

static pks_fail load_long_bytes(pks_machine *m, pks_span data) {
  pks_number number;
  pks_decode_long_bytes(data.data, data.size, &number);
  return push(m, pks_machine_number(&number));
}

static pks_fail load_counted(pks_machine *m, opcode *o) {
  pks_span text = {NULL, 0};
  pks_fail fail = read_counted(m, o, &text);
  if (fail || o->wait || m->skip.left) return fail;
  switch (*o->p) {
    case PKS_OP_LONG1:
    case PKS_OP_LONG4: return load_long_bytes(m, text);
    case PKS_OP_BYTEARRAY8: return push(m, pks_make(PKS_V_BYTEARRAY, text.size));
    case PKS_OP_BINSTRING:
    case PKS_OP_SHORT_BINSTRING: return push_string(m, o, text);
    case PKS_OP_BINBYTES:
    case PKS_OP_SHORT_BINBYTES:
    case PKS_OP_BINBYTES8: return push_text(m, o, PKS_V_BYTES, text);
    default: break;
  }
  if (!pks_base_utf8_valid(text.data, text.size, true)) return PKS_FAIL_UTF8;
  return push_text(m, o, PKS_V_STR, text);
}

static pks_fail load_binfloat(pks_machine *m, opcode *o) {
  uint64_t bits = 0;
  pks_fail fail = read_number(m, o, 8, &bits);
  if (fail || o->wait) return fail;
  double value = pks_decode_double(o->p + 1);
  return push(m, pks_make(PKS_V_FLOAT, !(value < 0 || value > 0 || value != value)));
}

static pks_fail load_binint(pks_machine *m, opcode *o, size_t size) {
  uint64_t number = 0;
  pks_fail fail = read_number(m, o, size, &number);
  if (fail || o->wait) return fail;
  return push(m, pks_make_int(size == 4 ? (int32_t)(uint32_t)number : (int64_t)number));
}

static pks_fail load_counted_tuple(pks_machine *m, size_t count) {
  pks_fail fail = need(m, count);
  return fail ? fail : pks_pypy_make_tuple(m, m->top - count);
}

/* ---- stack and memo ------------------------------------------------------------------------------ */

static pks_fail load_mark(pks_machine *m) {
  pks_fail fail = m->mark_count == m->mark_capacity ? pks_machine_push_mark(m) : PKS_FAIL_NONE;
  if (fail) return fail;
  m->fence = (size_t)(m->top - m->stack);
  m->marks[m->mark_count++] = m->fence;
  return PKS_FAIL_NONE;
}

static pks_fail load_pop(pks_machine *m, bool mark) {
  pks_value *first = m->top - 1;
  pks_fail fail = PKS_FAIL_NONE;
  if (mark || height(m) == 0) fail = take_mark(m, &first);
  if (!fail) m->top = first;
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

#define MOST_DIGITS 4300

/* Where the memo, a dict, has the number of the line. One that is past 64 bits is a key of its own; where
 * it may have more digits than PyPy takes, it is too long for that. */
static pks_fail line_index(pks_machine *m, pks_span line, bool add, uint64_t *index) {
  uint8_t buffer[MOST_DIGITS];
  pks_number number;
  pks_span digits;
  if (line.size > MOST_DIGITS) m->quirks |= PKS_QUIRK_DIGITS;
  pks_fail fail = pks_decode_pypy_int(chopped(line), 10, m->rules, &number);
  if (fail) return fail;
  *index = (uint64_t)number.value;
  if (number.value < 0) {
    *index = UINT64_MAX;
    return add ? PKS_FAIL_INDEX_NEGATIVE : PKS_FAIL_NONE;
  }
  if (!number.big) return add ? need(m, 1) : PKS_FAIL_NONE;
  if (add && (fail = need(m, 1)) != 0) return fail;
  if (!pks_decode_pypy_digits(chopped(line), buffer, sizeof buffer, &digits))
    return PKS_FAIL_INT_DIGITS;
  *index = pks_machine_memo_key(m, digits, add);
  return m->fail;
}

static pks_fail get_at(pks_machine *m, uint64_t index) {
  pks_value v = pks_machine_memo_get(m, index);
  if (v) return push_again(m, v);
  return m->rules & PKS_RULE_MEMO_KEYERROR ? PKS_FAIL_MEMO_KEY : PKS_FAIL_MEMO;
}

static pks_fail put_at(pks_machine *m, uint64_t index) {
  pks_fail fail = share_top(m);
  return fail ? fail : pks_machine_memo_put(m, index, m->top[-1]);
}

static pks_fail load_memo(pks_machine *m, opcode *o, size_t size, bool put) {
  uint64_t index = 0;
  pks_fail fail = read_number(m, o, size, &index);
  if (fail || o->wait) return fail;
  return put ? put_at(m, index) : get_at(m, index);
}

static pks_fail load_memo_line(pks_machine *m, pks_span line, bool put) {
  uint64_t index = 0;
  pks_fail fail = line_index(m, line, put, &index);
  if (fail) return fail;
  return put ? put_at(m, index) : get_at(m, index);
}

static pks_fail load_memoize(pks_machine *m) {
  pks_machine_memo_sync(m);
  return put_at(m, m->memo_count);
}

/* ---- names and calls ----------------------------------------------------------------------------- */

/* Each line is decoded when it is read. */
static pks_fail read_name(pks_machine *m, opcode *o, pks_span *name) {
  pks_fail fail = read_line(m, o, name);
  if (fail || o->wait) return fail;
  *name = chopped(*name);
  if (*o->p == PKS_OP_INST)
    return pks_base_ascii_prefix(name->data, name->size) == name->size ? PKS_FAIL_NONE
                                                                       : PKS_FAIL_ASCII;
  return pks_base_utf8_valid(name->data, name->size, false) ? PKS_FAIL_NONE : PKS_FAIL_UTF8;
}

static pks_fail find_class(pks_machine *m, opcode *o, pks_value *out) {
  pks_span module, name;
  pks_fail fail = read_name(m, o, &module);
  if (!fail && !o->wait) fail = read_name(m, o, &name);
  if (fail || o->wait) return fail;
  if (module.size == 0 && !m->inert) return PKS_FAIL_EMPTY_MODULE;
  *out = pks_machine_lookup(m, *o->p, module, name, true, o->offset);
  return m->fail;
}

static pks_fail load_global(pks_machine *m, opcode *o) {
  pks_value v = 0;
  pks_fail fail = find_class(m, o, &v);
  return fail || o->wait ? fail : push(m, v);
}

static pks_fail load_inst(pks_machine *m, opcode *o) {
  pks_value class = 0, *first;
  pks_fail fail = find_class(m, o, &class);
  if (fail || o->wait) return fail;
  fail = take_mark(m, &first);
  if (!fail) fail = pks_pypy_make_tuple(m, first);
  if (fail) return fail;
  m->top[-1] = m->hooks->call(m, PKS_OP_INST, class, m->top[-1], o->offset);
  return m->fail;
}

static pks_fail load_persid(pks_machine *m, opcode *o) {
  pks_span line;
  pks_fail fail = PKS_FAIL_NONE;
  if (*o->p == PKS_OP_PERSID) {
    fail = read_line(m, o, &line);
    if (fail || o->wait) return fail;
    line = chopped(line);
    if (pks_base_ascii_prefix(line.data, line.size) != line.size) return PKS_FAIL_PERSID_ASCII;
    if (m->persistent_load != PKS_ANSWER_NO) fail = push_text(m, o, PKS_V_STR, line);
  } else {
    fail = need(m, 1);
  }
  if (fail) return fail;
  if (m->persistent_load == PKS_ANSWER_NO) return PKS_FAIL_NO_PERSID;
  return pks_machine_persid(m, m->top[-1], o->offset);
}

static pks_fail load_extension(pks_machine *m, opcode *o, size_t size) {
  uint64_t code = 0;
  pks_fail fail = read_number(m, o, size, &code);
  if (!fail && !o->wait) fail = push(m, PKS_V_EXT);
  if (fail || o->wait) return fail;
  int64_t number = size == 4 ? (int32_t)(uint32_t)code : (int64_t)code;
  return pks_machine_extension(m, number, o->offset);
}

static pks_fail load_next_buffer(pks_machine *m, uint64_t offset) {
  pks_fail fail = push(m, PKS_V_BUFFER);
  return fail ? fail : pks_machine_next_buffer(m, offset);
}

/* ---- protocol and frames ------------------------------------------------------------------------- */

static pks_fail load_proto(pks_machine *m, opcode *o) {
  uint64_t number = 0;
  pks_fail fail = read_number(m, o, 1, &number);
  if (fail || o->wait) return fail;
  if (number <= 5) m->seen_protocols |= 1u << number;
  if (number > 5 || (number > 4 && !(m->rules & PKS_RULE_PROTO5))) return PKS_FAIL_PROTOCOL;
  m->protocol = (int)number;
  return PKS_FAIL_NONE;
}

/* _Unframer.load_frame: a frame is what there is of it. */
static pks_fail load_frame(pks_machine *m, opcode *o) {
  uint64_t length = 0, body = o->offset + 9;
  pks_fail fail = read_number(m, o, 8, &length);
  if (fail || o->wait) return fail;
  if (length > INT64_MAX) return PKS_FAIL_PYPY_FRAME_SIZE;
  if (m->frame_end > body && o->there > o->size) {
    if (!(m->quirks & PKS_QUIRK_FRAMES)) m->frame_quirk = o->offset;
    m->quirks |= PKS_QUIRK_NESTED;
    return PKS_FAIL_FRAME_NESTED;
  }
  if (m->frame_end > body && !o->last) { /* is there more of the one around it? */
    m->want = (pks_want){.bytes = o->size + 1};
    o->wait = true;
    return PKS_FAIL_NONE;
  }
  bool here = o->last || length <= o->there - o->size;
  if (!here && length <= m->max_frame) {
    m->want = (pks_want){.bytes = o->size + length};
    o->wait = true;
    return PKS_FAIL_NONE;
  }
  uint64_t most = o->last ? o->there - o->size : (uint64_t)INT64_MAX;
  m->frame_end = body + (length < most ? length : most);
  m->unseen_end = here ? 0 : m->frame_end;
  m->unseen_offset = o->offset;
  m->frame_read = true; /* the file is left where it ends */
  return PKS_FAIL_NONE;
}

/* ---- the loop ------------------------------------------------------------------------------------ */

static pks_fail load_stop(pks_machine *m) {
  pks_fail fail = need(m, 1);
  if (fail) return fail;
  m->top--;
  m->stopped = true;
  return PKS_FAIL_NONE;
}

static pks_fail load_line(pks_machine *m, opcode *o) {
  pks_span line;
  pks_fail fail = read_line(m, o, &line);
  if (fail || o->wait) return fail;
  switch (*o->p) {
    case PKS_OP_FLOAT: return load_float(m, line);
    case PKS_OP_STRING: return load_string(m, o, line);
    case PKS_OP_UNICODE: return load_unicode(m, o, line);
    case PKS_OP_GET:
    case PKS_OP_PUT: return load_memo_line(m, line, *o->p == PKS_OP_PUT);
    default: return load_int(m, o, line);
  }
}

static pks_fail load_tuple(pks_machine *m) {
  pks_value *first;
  pks_fail fail = take_mark(m, &first);
  return fail ? fail : pks_pypy_make_tuple(m, first);
}

static pks_fail load_stack_global(pks_machine *m, uint64_t offset) {
  pks_fail fail = need(m, 2);
  return fail ? fail : pks_machine_stack_global(m, offset);
}

/* Opcodes that have no argument. */
static pks_fail step_plain(pks_machine *m, int op, uint64_t offset) {
  switch (op) {
    case PKS_OP_MARK: return load_mark(m);
    case PKS_OP_STOP: return load_stop(m);
    case PKS_OP_POP: return load_pop(m, false);
    case PKS_OP_POP_MARK: return load_pop(m, true);
    case PKS_OP_DUP: return load_dup(m);
    case PKS_OP_NONE: return push(m, PKS_V_NONE);
    case PKS_OP_NEWTRUE: return push(m, PKS_V_TRUE);
    case PKS_OP_NEWFALSE: return push(m, PKS_V_FALSE);
    case PKS_OP_EMPTY_TUPLE: return load_counted_tuple(m, 0);
    case PKS_OP_TUPLE1: return load_counted_tuple(m, 1);
    case PKS_OP_TUPLE2: return load_counted_tuple(m, 2);
    case PKS_OP_TUPLE3: return load_counted_tuple(m, 3);
    case PKS_OP_TUPLE: return load_tuple(m);
    case PKS_OP_EMPTY_LIST: return push(m, pks_make(PKS_V_LIST, 0));
    case PKS_OP_LIST: return pks_pypy_list(m);
    case PKS_OP_EMPTY_DICT: return push(m, pks_make(PKS_V_DICT, offset & PKS_DICT_OFFSET));
    case PKS_OP_DICT: return pks_pypy_dict(m, offset);
    case PKS_OP_EMPTY_SET: return pks_pypy_push_set(m);
    case PKS_OP_FROZENSET: return pks_pypy_frozenset(m, offset);
    case PKS_OP_APPEND:
    case PKS_OP_APPENDS: return pks_pypy_append(m, op, offset);
    case PKS_OP_ADDITEMS: return pks_pypy_additems(m, offset);
    case PKS_OP_SETITEM:
    case PKS_OP_SETITEMS: return pks_pypy_setitems(m, op, offset);
    case PKS_OP_BUILD: return pks_pypy_build(m, offset);
    case PKS_OP_REDUCE: return pks_pypy_reduce(m, offset);
    case PKS_OP_NEWOBJ:
    case PKS_OP_NEWOBJ_EX: return pks_pypy_newobj(m, op, offset);
    case PKS_OP_OBJ: return pks_pypy_obj(m, offset);
    case PKS_OP_STACK_GLOBAL: return load_stack_global(m, offset);
    case PKS_OP_MEMOIZE: return load_memoize(m);
    case PKS_OP_NEXT_BUFFER: return load_next_buffer(m, offset);
    case PKS_OP_READONLY_BUFFER: return pks_pypy_readonly_buffer(m, offset);
    default: return PKS_FAIL_PYPY_OPCODE;
  }
}

static pks_fail step(pks_machine *m, opcode *o) {
  switch (*o->p) {
    case PKS_OP_PROTO: return load_proto(m, o);
    case PKS_OP_FRAME: return load_frame(m, o);
    case PKS_OP_BINFLOAT: return load_binfloat(m, o);
    case PKS_OP_BININT: return load_binint(m, o, 4);
    case PKS_OP_BININT1: return load_binint(m, o, 1);
    case PKS_OP_BININT2: return load_binint(m, o, 2);
    case PKS_OP_BINGET: return load_memo(m, o, 1, false);
    case PKS_OP_LONG_BINGET: return load_memo(m, o, 4, false);
    case PKS_OP_BINPUT: return load_memo(m, o, 1, true);
    case PKS_OP_LONG_BINPUT: return load_memo(m, o, 4, true);
    case PKS_OP_EXT1: return load_extension(m, o, 1);
    case PKS_OP_EXT2: return load_extension(m, o, 2);
    case PKS_OP_EXT4: return load_extension(m, o, 4);
    case PKS_OP_GLOBAL: return load_global(m, o);
    case PKS_OP_INST: return load_inst(m, o);
    case PKS_OP_PERSID:
    case PKS_OP_BINPERSID: return load_persid(m, o);
    default: break;
  }
  switch ((int)pks_decode_ops[*o->p].argument) {
    case PKS_ARG_LINE: return load_line(m, o);
    case PKS_ARG_NONE: return step_plain(m, *o->p, o->offset);
    default: return load_counted(m, o);
  }
}

/* The next opcode, unless its bytes are not there (size 0) or go by. */
static pks_fail run_next(pks_machine *m, opcode *o) {
  const pks_op_info *info = &pks_decode_ops[*o->p];
  if (m->ops == m->max_ops) return PKS_FAIL_OPS;
  if (!info->name) return PKS_FAIL_PYPY_OPCODE;
  if (info->protocol) m->seen_protocols |= 1u << info->protocol;
  if (!pks_decode_knows(m->rules, info->protocol)) return PKS_FAIL_PYPY_OPCODE;
  if (o->last && m->frame_end > o->offset + o->there) m->frame_end = o->offset + o->there;
  pks_fail fail = step(m, o);
  if (o->wait) o->size = 0;
  m->ops += !fail && !o->wait && !m->skip.left;
  return fail;
}

pks_status pks_machine_run_pypy(pks_machine *m, const uint8_t *data, size_t size, bool last,
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
    opcode o = {.p = data + at, .size = 1, .there = size - at, .last = last, .offset = m->offset};
    pks_fail fail = run_next(m, &o);
    if (fail) pks_machine_fail_at(m, fail, o.offset, *o.p, end);
    if (fail || o.size == 0) break;
    at += o.size;
    m->offset += o.size;
  }
  *used = at;
  return pks_machine_ended(m);
}
