/* machine/pypy_objects.c - what PyPy's unpickler asks of the objects it makes: items, calls, states.
 *
 * It checks nothing before: what is wrong is what the object says. bool() of a state counts in load_build, so
 * these values say more than elsewhere: FLOAT (payload 1: zero), FROZENSET (1: empty), SET (a cell: 0 is
 * empty). A read-only view hashes like bytes there and hinders no bytearray, so it is BYTES that cannot be
 * read (VIEW). */
#include "machine/pypy.h"

#define VIEW pks_make(PKS_V_BYTES | PKS_VF_UNREADABLE, 1)
#define EMPTY_VIEW pks_make(PKS_V_BYTES | PKS_VF_UNREADABLE, 3)

/* ---- containers ---------------------------------------------------------------------------------- */

pks_fail pks_pypy_make_tuple(pks_machine *m, pks_value *first) {
  pks_value tuple = pks_machine_make_tuple(m, first, (size_t)(m->top - first));
  if (!tuple) return PKS_FAIL_ALLOC;
  m->top = first;
  return push(m, tuple);
}

/* A set has a cell from the start. */
pks_fail pks_pypy_push_set(pks_machine *m) {
  pks_value v = pks_make(PKS_V_LIST, 0);
  pks_fail fail = pks_machine_share(m, &v);
  return fail ? fail : push(m, pks_make(PKS_V_SET, pks_payload(v)));
}

pks_fail pks_pypy_list(pks_machine *m) {
  pks_value *first;
  pks_fail fail = take_mark(m, &first);
  if (fail) return fail;
  pks_value list = pks_make(PKS_V_LIST, (uint64_t)(m->top - first));
  m->top = first;
  return push(m, list);
}

pks_fail pks_pypy_frozenset(pks_machine *m, uint64_t offset) {
  pks_value *first;
  pks_fail fail = take_mark(m, &first);
  if (!fail) fail = pks_machine_frozenset(m, first, offset);
  if (fail) return fail;
  bool empty = m->top == first;
  m->top = first;
  return push(m, pks_make(PKS_V_FROZENSET, empty));
}

/* The last of an odd number of items is missed when all pairs are in. */
pks_fail pks_pypy_dict(pks_machine *m, uint64_t offset) {
  pks_value *first;
  pks_fail fail = take_mark(m, &first);
  if (fail) return fail;
  size_t from = (size_t)(first - m->stack), count = (size_t)(m->top - first);
  if ((fail = push(m, PKS_V_NONE)) != 0) return fail; /* there is room for the dict */
  m->top -= 1 + count % 2;
  fail = pks_machine_dict(m, m->stack + from, offset);
  return !fail && count % 2 ? PKS_FAIL_PYPY_ODD : fail;
}

pks_fail pks_pypy_append(pks_machine *m, int op, uint64_t offset) {
  pks_value *first = m->top - 1;
  pks_fail fail = PKS_FAIL_NONE;
  if (op == PKS_OP_APPENDS)
    fail = take_mark(m, &first);
  else
    fail = need(m, 2);
  if (fail) return fail;
  if (first - m->stack <= (ptrdiff_t)m->fence) return PKS_FAIL_PYPY_STACK;
  return pks_machine_append(m, first - 1, op, offset);
}

pks_fail pks_pypy_additems(pks_machine *m, uint64_t offset) {
  pks_value *first;
  pks_fail fail = take_mark(m, &first);
  if (fail) return fail;
  if (first - m->stack <= (ptrdiff_t)m->fence) return PKS_FAIL_PYPY_STACK;
  bool some = m->top > first;
  fail = pks_machine_additems(m, first - 1, offset);
  if (!fail && some && pks_kind(first[-1]) == PKS_V_SET)
    *pks_segment_word(&m->cells, (size_t)pks_payload(first[-1])) = 1;
  return fail;
}

static bool takes_items(pks_value v) {
  unsigned kind = pks_kind(v);
  return pks_is_opaque(v) || (kind >= PKS_V_LIST && kind <= PKS_V_BYTEARRAY_REF);
}

pks_fail pks_pypy_setitems(pks_machine *m, int op, uint64_t offset) {
  pks_value *first = m->top - 2;
  pks_fail fail = op == PKS_OP_SETITEMS ? take_mark(m, &first) : need(m, 3);
  if (fail) return fail;
  if (first - m->stack <= (ptrdiff_t)m->fence) return PKS_FAIL_PYPY_STACK;
  size_t count = (size_t)(m->top - first);
  m->top -= count % 2;
  if (count > 1 && !takes_items(first[-1])) return PKS_FAIL_NO_SETITEM;
  fail = pks_machine_setitems(m, first - 1, op, offset);
  return !fail && count % 2 ? PKS_FAIL_PYPY_ODD : fail;
}

static bool is_dict(pks_value v) {
  return pks_kind(v) == PKS_V_DICT || pks_kind(v) == PKS_V_DICT_REF;
}

static bool is_number(pks_value v) {
  return pks_kind(v) >= PKS_V_NONE && pks_kind(v) <= PKS_V_FLOAT;
}

static bool is_view(pks_value v) {
  return pks_kind(v) == PKS_V_BYTES && v & PKS_VF_UNREADABLE && pks_payload(v) & 1;
}

/* bool(): 0, 1, or -1 for what only a run could tell. */
static int truth(const pks_machine *m, pks_value v) {
  uint8_t buffer[1];
  pks_span text;
  switch (pks_kind(v)) {
    case PKS_V_NONE:
    case PKS_V_FALSE: return 0;
    case PKS_V_TRUE:
    case PKS_V_BIGINT: return 1;
    case PKS_V_INT: return pks_int(v) != 0;
    case PKS_V_FLOAT:
    case PKS_V_FROZENSET: return pks_payload(v) == 0;
    case PKS_V_STR:
    case PKS_V_BYTES:
      if (is_view(v)) return v != EMPTY_VIEW;
      if (v & PKS_VF_STRING) return -1;
      if (v & PKS_VF_UNREADABLE) return 1; /* it is long */
      if (pks_machine_text(m, v, buffer, sizeof buffer, &text)) return text.size != 0;
      return 1;
    case PKS_V_TUPLE: return pks_tuple_count(v) != 0;
    case PKS_V_SET: return *pks_segment_word(&m->cells, (size_t)pks_payload(v)) != 0;
    case PKS_V_LIST:
    case PKS_V_LIST_REF: return pks_machine_state(m, v) != 0;
    case PKS_V_DICT:
    case PKS_V_DICT_REF: return (pks_machine_state(m, v) & PKS_DICT_NONEMPTY) != 0;
    case PKS_V_BYTEARRAY:
    case PKS_V_BYTEARRAY_REF: return (pks_machine_state(m, v) & PKS_BYTEARRAY_LENGTH) != 0;
    default: return m->inert ? 1 : -1;
  }
}

/* *args: whatever can be iterated. Of what is no tuple the items are not known. */
static pks_fail unpack(pks_machine *m, pks_value *args, uint64_t offset) {
  if (pks_kind(*args) == PKS_V_TUPLE) return PKS_FAIL_NONE;
  if (is_number(*args) || (m->inert && pks_is_opaque(*args))) return PKS_FAIL_PYPY_ARGS;
  if (pks_is_opaque(*args))
    pks_machine_assume(m, PKS_ASSUME_ARGS, offset);
  else
    *args = PKS_V_UNKNOWN;
  return PKS_FAIL_NONE;
}

/* **kwargs: a dict whose keys are str. */
static pks_fail unpack_keywords(pks_machine *m, pks_value kwargs, uint64_t offset) {
  if (!is_dict(kwargs)) {
    if (m->inert || !pks_is_opaque(kwargs)) return PKS_FAIL_PYPY_KWARGS;
    pks_machine_assume(m, PKS_ASSUME_KWARGS, offset);
    return PKS_FAIL_NONE;
  }
  uint64_t state = pks_machine_state(m, kwargs);
  if (!(state & PKS_DICT_SOME_NO_STR)) return PKS_FAIL_NONE;
  if (m->inert || state & PKS_DICT_FIRST_NO_STR) return PKS_FAIL_KEYWORD;
  pks_machine_assume(m, PKS_ASSUME_KWARGS, offset);
  return PKS_FAIL_NONE;
}

pks_fail pks_pypy_reduce(pks_machine *m, uint64_t offset) {
  pks_fail fail = need(m, 2);
  if (fail) return fail;
  pks_value args = *--m->top;
  if ((fail = unpack(m, &args, offset)) != 0) return fail;
  if (!pks_is_opaque(m->top[-1])) return PKS_FAIL_NOT_CALLABLE;
  m->top[-1] = m->hooks->call(m, PKS_OP_REDUCE, m->top[-1], args, offset);
  return m->fail;
}

/* x.__new__(x, ...) of an object that is no class: of None it takes nothing and gives None, of a view it
 * takes a buffer and gives a view. The others want a class, but a number, a text or a tuple may first say
 * of the arguments that nothing can be made of them, in an error of any class. */
static pks_fail new_of_literal(pks_machine *m, pks_value class, pks_value args, bool keywords,
                               uint64_t offset) {
  bool any = keywords || truth(m, args) != 0;
  unsigned kind = pks_kind(class);
  if (kind == PKS_V_NONE) return any ? PKS_FAIL_PYPY_CLASS : push(m, PKS_V_NONE);
  if (!is_view(class)) {
    bool looks = kind >= PKS_V_FALSE && kind <= PKS_V_TUPLE;
    return any && looks ? PKS_FAIL_PYPY_LITERAL : PKS_FAIL_PYPY_CLASS;
  }
  if (keywords) return PKS_FAIL_PYPY_LITERAL;
  if (pks_kind(args) != PKS_V_TUPLE || pks_tuple_count(args) != 1) return PKS_FAIL_PYPY_LITERAL;
  size_t count;
  const pks_value *items = pks_machine_tuple(m, args, &count);
  if (!items) pks_machine_assume(m, PKS_ASSUME_BUFFER, offset);
  unsigned item = items ? pks_kind(*items) : PKS_V_BYTES;
  bool buffer = item == PKS_V_BYTES || item == PKS_V_BYTEARRAY || item == PKS_V_BYTEARRAY_REF;
  return buffer ? push(m, VIEW) : PKS_FAIL_PYPY_CLASS;
}

pks_fail pks_pypy_newobj(pks_machine *m, int op, uint64_t offset) {
  bool has_kwargs = op == PKS_OP_NEWOBJ_EX;
  pks_fail fail = need(m, has_kwargs ? 3 : 2);
  if (fail) return fail;
  pks_value kwargs = has_kwargs ? *--m->top : 0, args = *--m->top, class = *--m->top, given = args;
  if ((fail = unpack(m, &args, offset)) != 0) return fail;
  if (has_kwargs && (fail = unpack_keywords(m, kwargs, offset)) != 0) return fail;
  if (!pks_is_opaque(class))
    return new_of_literal(m, class, given, has_kwargs && truth(m, kwargs) != 0, offset);
  *m->top = m->hooks->call(m, op, class, args, offset);
  m->top++;
  return m->fail;
}

/* setattr of each slot on an object that has no attributes to set. */
static pks_fail set_slots(pks_machine *m, pks_value slots, uint64_t offset) {
  int some = truth(m, slots);
  if (some == 0) return PKS_FAIL_NONE;
  if (some < 0) {
    pks_machine_assume(m, PKS_ASSUME_STATE_KIND, offset);
    return PKS_FAIL_NONE;
  }
  if (!is_dict(slots)) return PKS_FAIL_PYPY_SLOTS;
  bool name = pks_machine_state(m, slots) & (PKS_DICT_FIRST_NO_STR | PKS_DICT_FIRST_CLASS);
  return name ? PKS_FAIL_SLOT_NAME : PKS_FAIL_NO_DICT;
}

/* No literal has __setstate__ or __dict__. */
static pks_fail build_literal(pks_machine *m, pks_value state, uint64_t offset) {
  pks_value slots = PKS_V_NONE;
  if (pks_kind(state) == PKS_V_TUPLE && pks_tuple_count(state) == 2) {
    size_t count;
    const pks_value *items = pks_machine_tuple(m, state, &count);
    if (!items) {
      pks_machine_assume(m, PKS_ASSUME_STATE, offset);
      return PKS_FAIL_NONE;
    }
    state = items[0];
    slots = items[1];
  }
  int some = truth(m, state);
  if (some > 0) return PKS_FAIL_NO_DICT;
  if (some < 0) pks_machine_assume(m, PKS_ASSUME_STATE_KIND, offset);
  return set_slots(m, slots, offset);
}

pks_fail pks_pypy_build(pks_machine *m, uint64_t offset) {
  pks_fail fail = need(m, 2);
  if (fail) return fail;
  if (pks_is_opaque(m->top[-2])) return pks_machine_build(m, offset);
  pks_value state = *--m->top;
  return build_literal(m, state, offset);
}

pks_fail pks_pypy_obj(pks_machine *m, uint64_t offset) {
  pks_value *first;
  pks_fail fail = take_mark(m, &first);
  if (fail) return fail;
  if (m->top == first) return PKS_FAIL_PYPY_STACK;
  if (!pks_is_opaque(*first)) return PKS_FAIL_PYPY_NO_NAME;
  return pks_machine_obj(m, first, offset);
}

pks_fail pks_pypy_readonly_buffer(pks_machine *m, uint64_t offset) {
  pks_fail fail = need(m, 1);
  if (fail) return fail;
  unsigned kind = pks_kind(m->top[-1]);
  if (kind != PKS_V_BYTEARRAY && kind != PKS_V_BYTEARRAY_REF)
    return pks_machine_readonly_buffer(m, offset);
  m->top[-1] = truth(m, m->top[-1]) ? VIEW : EMPTY_VIEW;
  return PKS_FAIL_NONE;
}
