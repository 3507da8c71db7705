/* machine/items.c - APPEND, APPENDS, ADDITEMS, SETITEM, SETITEMS, DICT, FROZENSET.
 *
 * do_append, do_setitems, load_additems, load_dict and load_frozenset of Modules/_pickle.c, and what
 * the object under them answers. */
#include "machine/machine.h"

void pks_machine_hold_all(pks_machine *m, const pks_value *items, const pks_value *end) {
  for (; items < end; items++)
    if (pks_kind(*items) == PKS_V_VIEW && pks_payload(*items))
      *pks_segment_word(&m->cells, (size_t)pks_payload(*items) - 1) |= PKS_BYTEARRAY_HELD;
}

/* An int in 0..255 (_getbytevalue of Objects/bytearrayobject.c). */
static pks_fail byte_value(pks_machine *m, pks_value v, uint64_t offset) {
  switch (pks_kind(v)) {
    case PKS_V_FALSE:
    case PKS_V_TRUE: return PKS_FAIL_NONE;
    case PKS_V_INT:
      return pks_int(v) >= 0 && pks_int(v) <= 255 ? PKS_FAIL_NONE : PKS_FAIL_BYTE_RANGE;
    case PKS_V_BIGINT: return PKS_FAIL_BYTE_RANGE;
    default: break;
  }
  if (!pks_is_opaque(v) || m->inert) return PKS_FAIL_BYTE_TYPE;
  pks_machine_assume(m, PKS_ASSUME_BYTE, offset);
  return PKS_FAIL_NONE;
}

/* seq[key] = ... for a sequence of `length` items. */
static pks_fail index_value(pks_machine *m, pks_value key, uint64_t length, uint64_t offset) {
  int64_t index;
  switch (pks_kind(key)) {
    case PKS_V_FALSE: index = 0; break;
    case PKS_V_TRUE: index = 1; break;
    case PKS_V_INT: index = pks_int(key); break;
    case PKS_V_BIGINT: return PKS_FAIL_INDEX_OUT;
    default:
      if (!pks_is_opaque(key) || m->inert) return PKS_FAIL_INDEX_TYPE;
      pks_machine_assume(m, PKS_ASSUME_INDEX, offset);
      return PKS_FAIL_NONE;
  }
  if (index < 0) index += (int64_t)length;
  return index >= 0 && (uint64_t)index < length ? PKS_FAIL_NONE : PKS_FAIL_INDEX_OUT;
}

/* A view that a container took may be gone with it; searches for one cost, so a payload gets a number
 * of them. */
#define MAX_SCANS 64

/* Is a view of the bytearray in `cell` on the stack or in the memo? */
static bool view_lives(pks_machine *m, uint64_t cell) {
  pks_value view = pks_make(PKS_V_VIEW, cell + 1);
  if (m->scans++ >= MAX_SCANS) return false;
  for (const pks_value *v = m->stack; v < m->top; v++)
    if (*v == view) return true;
  pks_machine_memo_sync(m);
  for (size_t i = 0; i < m->memo_high; i++)
    if (*pks_segment_word(&m->memo, i) == view) return true;
  for (size_t i = 0; m->sparse_count && i < m->sparse_capacity; i++)
    if (m->sparse[2 * i] && m->sparse[2 * i + 1] == view) return true;
  return false;
}

static pks_fail extend_bytearray(pks_machine *m, pks_value *target, uint64_t count,
                                 uint64_t offset) {
  for (const pks_value *v = target + 1; v < m->top; v++) {
    pks_fail fail = byte_value(m, *v, offset);
    if (fail) return fail;
  }
  uint64_t state = pks_machine_state(m, *target);
  if (state & PKS_BYTEARRAY_EXPORTED) {
    if (view_lives(m, pks_payload(*target))) return PKS_FAIL_EXPORTED;
    if ((state & PKS_BYTEARRAY_HELD) || m->scans > MAX_SCANS)
      pks_machine_assume(m, PKS_ASSUME_VIEW, offset);
    else
      state &= ~PKS_BYTEARRAY_EXPORTED;
  }
  pks_machine_set_state(m, target, state + count);
  return PKS_FAIL_NONE;
}

/* Nothing to append is no error, whatever the target is; from 3.15 it must have the method. */
static pks_fail append_nothing(pks_machine *m, pks_value target, unsigned own, pks_fail fail) {
  unsigned kind = pks_kind(target);
  bool grows = kind == PKS_V_LIST || kind == PKS_V_BYTEARRAY || kind == PKS_V_BYTEARRAY_REF;
  if (kind == own || pks_is_opaque(target) || (own == PKS_V_LIST_REF && grows))
    return PKS_FAIL_NONE;
  m->quirks |= PKS_QUIRK_EMPTY;
  return m->rules & PKS_RULE_EMPTY_EXTEND ? fail : PKS_FAIL_NONE;
}

pks_fail pks_machine_append(pks_machine *m, pks_value *target, int op, uint64_t offset) {
  uint64_t count = (uint64_t)(m->top - target) - 1;
  pks_fail fail = PKS_FAIL_NONE;
  if (count == 0) return append_nothing(m, *target, PKS_V_LIST_REF, PKS_FAIL_NO_APPEND);
  unsigned kind = pks_kind(*target);
  if (kind == PKS_V_LIST || kind == PKS_V_LIST_REF) {
    pks_machine_hold_views(m, target + 1, m->top);
    pks_machine_set_state(m, target, pks_machine_state(m, *target) + count);
  } else if (kind == PKS_V_BYTEARRAY || kind == PKS_V_BYTEARRAY_REF) {
    fail = extend_bytearray(m, target, count, offset);
  } else if (pks_is_opaque(*target)) {
    m->hooks->method(m, op, *target, count, offset);
    if (!m->inert) pks_machine_assume(m, PKS_ASSUME_APPEND, offset);
    fail = m->fail;
  } else {
    return PKS_FAIL_NO_APPEND;
  }
  m->top = target + 1;
  return fail;
}

static pks_fail hash_all(pks_machine *m, const pks_value *from, size_t step, uint64_t offset) {
  for (const pks_value *v = from; v < m->top; v += step) {
    if (pks_kind(*v) <= PKS_V_LAST_PLAIN) continue;
    pks_fail fail = pks_machine_hashable(m, *v, offset);
    if (fail) return fail;
  }
  return PKS_FAIL_NONE;
}

pks_fail pks_machine_additems(pks_machine *m, pks_value *target, uint64_t offset) {
  pks_fail fail;
  if (m->top == target + 1) return append_nothing(m, *target, PKS_V_SET, PKS_FAIL_NO_ADD);
  if (pks_kind(*target) == PKS_V_SET) {
    fail = hash_all(m, target + 1, 1, offset);
  } else if (pks_is_opaque(*target)) {
    m->hooks->method(m, PKS_OP_ADDITEMS, *target, (uint64_t)(m->top - target) - 1, offset);
    if (!m->inert) pks_machine_assume(m, PKS_ASSUME_ADD, offset);
    fail = m->fail;
  } else {
    return PKS_FAIL_NO_ADD;
  }
  m->top = target + 1;
  return fail;
}

/* What later rules ask of a dict's first key (BUILD with slots on a literal). */
static uint64_t first_key(const pks_machine *m, pks_value key) {
  uint8_t buffer[16];
  pks_span text;
  uint64_t state = PKS_DICT_NONEMPTY;
  if (pks_is_opaque(key) && !m->inert) return state | PKS_DICT_FIRST_OPAQUE;
  if (pks_kind(key) != PKS_V_STR) return state | PKS_DICT_FIRST_NO_STR;
  if (!(key & PKS_VF_KEY)) return state;
  if ((pks_machine_short_text(m, key, &text) ||
       pks_machine_text(m, key, buffer, sizeof buffer, &text)) &&
      text.size == 9 && memcmp(text.data, "__class__", 9) == 0)
    state |= PKS_DICT_FIRST_CLASS;
  return state;
}

/* Does __key__: value say anything to `item`? Under such a key only a text or what a run would tell does. */
static inline bool says_nothing(const pks_machine *m, pks_value key, pks_value value) {
  pks_span text;
  return pks_kind(value) != PKS_V_STR && !pks_is_opaque(value) &&
         pks_machine_short_text(m, key, &text) && text.data[0] == '_' && text.data[1] == '_';
}

/* The pairs from `first` on, at least one, go into a dict. */
static inline pks_fail set_pairs(pks_machine *m, uint64_t *state, const pks_value *first,
                                 uint64_t offset) {
  const pks_value *top = m->top;
  if (!(*state & PKS_DICT_NONEMPTY)) *state |= first_key(m, *first);
  for (const pks_value *v = first; v < top; v += 2) {
    unsigned kind = pks_kind(*v);
    if (kind == PKS_V_STR) {
      if ((*v & PKS_VF_KEY) && !says_nothing(m, v[0], v[1]))
        m->hooks->item(m, *state & PKS_DICT_OFFSET, v[0], v[1]);
      continue;
    }
    *state |= PKS_DICT_SOME_NO_STR;
    if (kind <= PKS_V_LAST_PLAIN) continue;
    pks_fail fail = pks_machine_hashable(m, *v, offset);
    if (fail) return fail;
  }
  pks_machine_hold_views(m, first, top);
  return m->fail;
}

static inline pks_fail set_dict_items(pks_machine *m, pks_value *target, uint64_t offset) {
  if (pks_kind(*target) == PKS_V_DICT_REF)
    return set_pairs(m, pks_segment_word(&m->cells, (size_t)pks_payload(*target)), target + 1,
                     offset);
  uint64_t state = pks_payload(*target);
  pks_fail fail = set_pairs(m, &state, target + 1, offset);
  *target = pks_make(PKS_V_DICT, state);
  return fail;
}

static pks_fail set_list_items(pks_machine *m, const pks_value *target, uint64_t offset) {
  uint64_t length = pks_machine_state(m, *target);
  for (const pks_value *v = target + 1; v < m->top; v += 2) {
    pks_fail fail = index_value(m, v[0], length, offset);
    if (fail) return fail;
  }
  pks_machine_hold_views(m, target + 1, m->top);
  return PKS_FAIL_NONE;
}

/* Does PyNumber_AsSsize_t refuse it? */
static bool is_past_size(pks_value key) {
  return pks_kind(key) == PKS_V_BIGINT && pks_payload(key);
}

/* bytearray_ass_subscript: the kind of the key, then the value, then the range (gh-91153). */
static pks_fail set_bytes(pks_machine *m, const pks_value *target, uint64_t offset) {
  uint64_t length = pks_machine_state(m, *target) & PKS_BYTEARRAY_LENGTH;
  for (const pks_value *v = target + 1; v < m->top; v += 2) {
    pks_fail index = index_value(m, v[0], length, offset);
    if (index == PKS_FAIL_INDEX_TYPE || is_past_size(v[0])) return index;
    if (index && (m->rules & PKS_RULE_INDEX_FIRST)) return index;
    pks_fail fail = byte_value(m, v[1], offset);
    if (fail) return fail;
    if (index) return index;
  }
  return PKS_FAIL_NONE;
}

/* PyObject_SetItem looks at the key of a sequence before it sees that it takes no items. */
static pks_fail no_items(pks_value target, pks_value key) {
  unsigned kind = pks_kind(target);
  bool sequence = kind == PKS_V_STR || kind == PKS_V_BYTES || kind == PKS_V_TUPLE ||
                  kind == PKS_V_SET || kind == PKS_V_FROZENSET;
  return sequence && is_past_size(key) ? PKS_FAIL_INDEX_OUT : PKS_FAIL_NO_SETITEM;
}

pks_fail pks_machine_setitems(pks_machine *m, pks_value *target, int op, uint64_t offset) {
  pks_fail fail;
  if (m->top == target + 1) return PKS_FAIL_NONE;
  if ((m->top - target) % 2 == 0) return PKS_FAIL_ODD_DICT;
  switch (pks_kind(*target)) {
    case PKS_V_DICT:
    case PKS_V_DICT_REF: fail = set_dict_items(m, target, offset); break;
    case PKS_V_LIST:
    case PKS_V_LIST_REF: fail = set_list_items(m, target, offset); break;
    case PKS_V_BYTEARRAY:
    case PKS_V_BYTEARRAY_REF: fail = set_bytes(m, target, offset); break;
    case PKS_V_VIEW: return PKS_FAIL_READ_ONLY;
    default:
      if (!pks_is_opaque(*target)) return no_items(*target, target[1]);
      m->hooks->method(m, op, *target, (uint64_t)(m->top - target) / 2, offset);
      if (!m->inert) pks_machine_assume(m, PKS_ASSUME_SETITEM, offset);
      fail = m->fail;
  }
  m->top = target + 1;
  return fail;
}

/* Room for the dict at *first is there even when no items are. */
pks_fail pks_machine_dict(pks_machine *m, pks_value *first, uint64_t offset) {
  uint64_t state = offset & PKS_DICT_OFFSET;
  pks_fail fail = first < m->top ? set_pairs(m, &state, first, offset) : PKS_FAIL_NONE;
  *first = pks_make(PKS_V_DICT, state);
  m->top = first + 1;
  return fail;
}

pks_fail pks_machine_frozenset(pks_machine *m, pks_value *first, uint64_t offset) {
  return hash_all(m, first, 1, offset);
}
