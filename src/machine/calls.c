/* machine/calls.c - opcodes that look up, call or set state.
 *
 * load_reduce, load_newobj, load_obj, load_inst, instantiate, load_build, load_global,
 * load_stack_global, load_persid, load_extension and the buffer opcodes of Modules/_pickle.c. */
#include "machine/machine.h"

/* ---- calls --------------------------------------------------------------------------------------- */

/* Is `args` a tuple? fail: what it is called when not. */
static pks_fail args_tuple(pks_machine *m, pks_value args, pks_fail fail, uint64_t offset) {
  if (pks_kind(args) == PKS_V_TUPLE) return PKS_FAIL_NONE;
  if (!pks_is_opaque(args) || m->inert) return fail;
  pks_machine_assume(m, PKS_ASSUME_ARGS, offset);
  return PKS_FAIL_NONE;
}

static pks_fail call(pks_machine *m, int op, pks_value callee, pks_value args, pks_value *result,
                     uint64_t offset) {
  *result = m->hooks->call(m, op, callee, args, offset);
  return m->fail;
}

pks_fail pks_machine_reduce(pks_machine *m, uint64_t offset) {
  pks_value args = m->top[-1], callee = m->top[-2];
  m->top -= 2;
  pks_fail fail = args_tuple(m, args, PKS_FAIL_ARGS_TUPLE, offset);
  if (fail) return fail;
  if (!pks_is_opaque(callee)) return PKS_FAIL_NOT_CALLABLE;
  return call(m, PKS_OP_REDUCE, callee, args, m->top++, offset);
}

pks_fail pks_machine_newobj(pks_machine *m, int op, uint64_t offset) {
  bool has_kwargs = op == PKS_OP_NEWOBJ_EX;
  pks_value kwargs = has_kwargs ? *--m->top : 0, args = *--m->top, class = *--m->top;
  if (!pks_is_opaque(class)) return PKS_FAIL_NEW_CLASS;
  pks_fail fail = args_tuple(m, args, PKS_FAIL_NEW_ARGS, offset);
  if (fail) return fail;
  if (has_kwargs && pks_kind(kwargs) != PKS_V_DICT && pks_kind(kwargs) != PKS_V_DICT_REF) {
    if (!pks_is_opaque(kwargs) || m->inert) return PKS_FAIL_NEW_KWARGS;
    pks_machine_assume(m, PKS_ASSUME_KWARGS, offset);
  }
  /* a class that ignores keywords takes any, the inert one does not */
  if (has_kwargs && m->inert && (pks_machine_state(m, kwargs) & PKS_DICT_SOME_NO_STR))
    return PKS_FAIL_KEYWORD;
  return call(m, op, class, args, m->top++, offset);
}

/* The class is the first item above the mark. */
pks_fail pks_machine_obj(pks_machine *m, pks_value *first, uint64_t offset) {
  pks_value args = pks_machine_make_tuple(m, first + 1, (size_t)(m->top - first) - 1);
  if (!args) return PKS_FAIL_ALLOC;
  m->top = first;
  if (!pks_is_opaque(*first)) return PKS_FAIL_NOT_CALLABLE;
  return call(m, PKS_OP_OBJ, *first, args, m->top++, offset);
}

/* ---- names --------------------------------------------------------------------------------------- */

static pks_span line_at(const uint8_t *line) {
  const uint8_t *end = line;
  while (*end != '\n') end++; /* the caller has seen the newline */
  return (pks_span){line, (size_t)(end - line)};
}

/* A text past max_name is no name; the other one may still be known. */
pks_value pks_machine_lookup(pks_machine *m, int op, pks_span module, pks_span name, bool certain,
                             uint64_t offset) {
  static const pks_span none = {NULL, 0};
  if (module.size > m->max_name || name.size > m->max_name) {
    pks_machine_met_limit(m, PKS_E_LIMIT_NAME, offset);
    if (module.size > m->max_name) module = none;
    if (name.size > m->max_name) name = none;
    certain = false;
  }
  return m->hooks->lookup(m, op, module, name, certain, offset);
}

/* Two lines; the first is decoded before the second is read. */
pks_fail pks_machine_global(pks_machine *m, const uint8_t *line, uint64_t offset) {
  pks_span module = line_at(line);
  if (module.size == 0) return PKS_FAIL_EMPTY_LINE;
  if (!pks_base_utf8_valid(module.data, module.size, false)) return PKS_FAIL_UTF8;
  pks_span name = line_at(module.data + module.size + 1);
  if (name.size == 0) return PKS_FAIL_EMPTY_LINE;
  if (!pks_base_utf8_valid(name.data, name.size, false)) return PKS_FAIL_UTF8;
  *m->top++ = pks_machine_lookup(m, PKS_OP_GLOBAL, module, name, true, offset);
  return m->fail;
}

/* Room for the object at *first is there even when there are no arguments. */
pks_fail pks_machine_inst(pks_machine *m, pks_value *first, const uint8_t *line, uint64_t offset) {
  pks_span module = line_at(line);
  if (module.size == 0) return PKS_FAIL_EMPTY_LINE;
  if (pks_base_ascii_prefix(module.data, module.size) != module.size) return PKS_FAIL_ASCII;
  pks_span name = line_at(module.data + module.size + 1);
  if (name.size == 0) return PKS_FAIL_EMPTY_LINE;
  if (pks_base_ascii_prefix(name.data, name.size) != name.size) return PKS_FAIL_ASCII;
  pks_value class = pks_machine_lookup(m, PKS_OP_INST, module, name, true, offset);
  if (m->fail) return m->fail;
  pks_value args = pks_machine_make_tuple(m, first, (size_t)(m->top - first));
  if (!args) return PKS_FAIL_ALLOC;
  m->top = first + 1;
  return call(m, PKS_OP_INST, class, args, first, offset);
}

/* A name on the stack: known, or one that only a run could tell, or lost: too long to be kept. */
typedef struct name_operand {
  pks_span text;
  bool certain, lost;
} name_operand;

static pks_fail name_on_stack(pks_machine *m, pks_value v, uint8_t *buffer, size_t capacity,
                              name_operand *out, uint64_t offset) {
  *out = (name_operand){.certain = true};
  if (pks_kind(v) == PKS_V_STR) {
    if (pks_machine_text(m, v, buffer, capacity, &out->text)) {
      if (v & PKS_VF_STRING) out->certain = false;
      return PKS_FAIL_NONE;
    }
    out->text = (pks_span){NULL, 0};
    out->lost = true;
  } else if (!pks_is_opaque(v) || m->inert) {
    return PKS_FAIL_NOT_STR;
  } else {
    pks_machine_assume(m, PKS_ASSUME_NAME, offset);
  }
  out->certain = false;
  return PKS_FAIL_NONE;
}

/* Out of line: the buffers are large. */
#if defined(__GNUC__)
__attribute__((noinline, cold))
#endif
static pks_fail
stack_global(pks_machine *m, uint64_t offset) {
  uint8_t buffers[2][4096]; /* a line of max_name bytes grows when it is decoded */
  name_operand module, name;
  m->top -= 2;
  pks_fail fail = name_on_stack(m, m->top[0], buffers[0], sizeof buffers[0], &module, offset);
  if (!fail) fail = name_on_stack(m, m->top[1], buffers[1], sizeof buffers[1], &name, offset);
  if (fail) return fail;
  if (module.certain && module.text.size == 0 && !m->inert) return PKS_FAIL_EMPTY_MODULE;
  if (module.lost || name.lost) pks_machine_met_limit(m, PKS_E_LIMIT_NAME, offset);
  *m->top++ = pks_machine_lookup(m, PKS_OP_STACK_GLOBAL, module.text, name.text,
                                 module.certain && name.certain, offset);
  return m->fail;
}

/* A str that stands in the payload and is no longer than a name may be. */
static inline bool plain_name(const pks_machine *m, pks_value v, pks_span *out) {
  return (v & (0x1f | PKS_VF_STRING)) == PKS_V_STR && pks_machine_short_text(m, v, out) &&
         out->size <= m->max_name;
}

pks_fail pks_machine_stack_global(pks_machine *m, uint64_t offset) {
  pks_span module, name;
  if (!plain_name(m, m->top[-2], &module) || module.size == 0 || !plain_name(m, m->top[-1], &name))
    return stack_global(m, offset);
  m->top[-2] = m->hooks->lookup(m, PKS_OP_STACK_GLOBAL, module, name, true, offset);
  m->top--;
  return m->fail;
}

pks_fail pks_machine_extension(pks_machine *m, int64_t code, uint64_t offset) {
  if (code <= 0) return PKS_FAIL_EXT_CODE;
  m->hooks->extension(m, (uint32_t)code, offset);
  bool none = m->extensions == PKS_ANSWER_NO || (m->inert && m->extensions == PKS_ANSWER_UNKNOWN);
  if (none) return PKS_FAIL_EXT_UNKNOWN;
  return m->fail;
}

/* ---- persistent ids and buffers ------------------------------------------------------------------ */

pks_fail pks_machine_persid(pks_machine *m, pks_value id, uint64_t offset) {
  m->hooks->persid(m, id, offset);
  m->top[-1] = PKS_V_PERSID;
  return m->fail;
}

pks_fail pks_machine_next_buffer(pks_machine *m, uint64_t offset) {
  if (m->buffers == PKS_BUFFERS_NONE || (m->buffers == PKS_BUFFERS_UNKNOWN && m->inert))
    return PKS_FAIL_NO_BUFFERS;
  if (m->buffers == 0) return PKS_FAIL_FEW_BUFFERS;
  if (m->buffers > 0) m->buffers--;
  m->hooks->buffer(m, offset);
  /* the oracle hands out writable bytearrays of 4 bytes; else nobody knows what it is */
  if (m->inert) m->top[-1] = pks_make(PKS_V_BYTEARRAY, 4);
  return m->fail;
}

pks_fail pks_machine_readonly_buffer(pks_machine *m, uint64_t offset) {
  pks_value *slot = m->top - 1;
  switch (pks_kind(*slot)) {
    case PKS_V_BYTES:
    case PKS_V_VIEW:
    case PKS_V_BUFFER: return PKS_FAIL_NONE;
    case PKS_V_BYTEARRAY: *slot = PKS_V_VIEW; return PKS_FAIL_NONE; /* nobody else has it */
    case PKS_V_BYTEARRAY_REF:
      *pks_segment_word(&m->cells, (size_t)pks_payload(*slot)) |= PKS_BYTEARRAY_EXPORTED;
      *slot = pks_make(PKS_V_VIEW, pks_payload(*slot) + 1);
      m->views++;
      return PKS_FAIL_NONE;
    default: break;
  }
  if (!pks_is_opaque(*slot) || m->inert) return PKS_FAIL_NO_BUFFER;
  pks_machine_assume(m, PKS_ASSUME_BUFFER, offset);
  return PKS_FAIL_NONE;
}

/* ---- BUILD --------------------------------------------------------------------------------------- */

static bool is_dict(pks_value v) {
  return pks_kind(v) == PKS_V_DICT || pks_kind(v) == PKS_V_DICT_REF;
}

/* setattr of each slot on an object that has no attributes to set. */
static pks_fail set_slots(pks_machine *m, pks_value slots, uint64_t offset) {
  if (!is_dict(slots)) {
    if (!pks_is_opaque(slots) || m->inert) return PKS_FAIL_SLOTS_DICT;
    pks_machine_assume(m, PKS_ASSUME_STATE_KIND, offset);
    return PKS_FAIL_NONE;
  }
  uint64_t state = pks_machine_state(m, slots);
  if (!(state & PKS_DICT_NONEMPTY)) return PKS_FAIL_NONE;
  if (state & (PKS_DICT_FIRST_NO_STR | PKS_DICT_FIRST_CLASS)) return PKS_FAIL_SLOT_NAME;
  return PKS_FAIL_NO_DICT;
}

/* No literal has __setstate__ or __dict__. */
static pks_fail build_literal(pks_machine *m, pks_value state, uint64_t offset) {
  pks_value slots = 0;
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
  if (pks_kind(state) != PKS_V_NONE) {
    if (is_dict(state)) return PKS_FAIL_NO_DICT;
    if (!pks_is_opaque(state) || m->inert) return PKS_FAIL_STATE_DICT;
    pks_machine_assume(m, PKS_ASSUME_STATE_KIND, offset);
  }
  return slots ? set_slots(m, slots, offset) : PKS_FAIL_NONE;
}

pks_fail pks_machine_build(pks_machine *m, uint64_t offset) {
  pks_value state = *--m->top, object = m->top[-1];
  if (!pks_is_opaque(object)) return build_literal(m, state, offset);
  m->hooks->build(m, object, state, offset);
  if (!m->inert) pks_machine_assume(m, PKS_ASSUME_STATE, offset);
  return m->fail;
}
