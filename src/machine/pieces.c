/* machine/pieces.c - a payload in pieces: arguments that go by unkept, frames whose end is not seen. */
#include "machine/machine.h"

void pks_machine_fail_at(pks_machine *m, pks_fail fail, uint64_t offset, int op, uint64_t end) {
  if (m->fail) { /* a hook found no memory: that comes first */
    fail = m->fail;
  } else if (m->unseen_end > end && !(m->rules & PKS_RULE_PYPY)) {
    fail = PKS_FAIL_FRAME_SHORT; /* what whole reading finds at the FRAME opcode */
    offset = m->unseen_offset;
    op = PKS_OP_FRAME;
  }
  m->fail = fail;
  m->fail_offset = offset;
  m->fail_op = op;
}

pks_status pks_machine_ended(pks_machine *m) {
  if (!m->fail && !m->stopped) return PKS_NEED_MORE;
  if (m->unseen_end > m->offset) pks_machine_met_limit(m, PKS_E_LIMIT_FRAME, m->unseen_offset);
  return m->fail ? pks_decode_fails[m->fail].status : PKS_END;
}

#define FREE_CODE ((uint64_t)1 << 20) /* byte strings kept whole whatever they are for */

/* Byte strings may be bytecode, so more of them is kept than of text. Numbers and bytearrays are not
 * kept, but it is easier to wait for one that is not too long. */
uint64_t pks_machine_kept_size(const pks_machine *m, int op) {
  pks_arg arg = (pks_arg)pks_decode_ops[op].argument;
  bool line = arg == PKS_ARG_LINE || arg == PKS_ARG_LINE2;
  if (line || pks_decode_is_text(op) || pks_decode_is_string(op)) return m->max_name;
  uint64_t left = m->max_code > m->code_bytes ? m->max_code - m->code_bytes : 0;
  uint64_t most = m->code_bytes < FREE_CODE ? FREE_CODE : m->max_name;
  return most < left ? most : left;
}

/* The argument has come to its end: what does the opcode push? */
static pks_fail skip_value(pks_machine *m, pks_value *out) {
  bool text = pks_decode_is_text(m->skip.op), string = pks_decode_is_string(m->skip.op);
  bool bytes = !text && (!string || m->strings.encoding == PKS_ENCODING_BYTES);
  *out = (pks_value)(bytes ? PKS_V_BYTES : PKS_V_STR) | PKS_VF_UNREADABLE;
  if (m->skip.op == PKS_OP_BYTEARRAY8) *out = pks_make(PKS_V_BYTEARRAY, m->skip.count);
  if (pks_decode_is_long(m->skip.op)) {
    pks_number number;
    pks_decode_skip_number(&m->skip, &number);
    *out = pks_machine_number(&number);
  }
  if (m->rules & PKS_RULE_CPICKLE) string = false; /* it stays as it is */
  if (string && !m->skip.ascii) m->hooks->encoding(m, m->skip_offset);
  if (string && !pks_decode_string_known(&m->strings, m->skip.ascii))
    pks_machine_assume(m, PKS_ASSUME_ENCODING, m->skip_offset);
  return pks_decode_skip_end(&m->skip, &m->strings);
}

static pks_fail skip_push(pks_machine *m) {
  pks_value value;
  pks_fail fail = skip_value(m, &value);
  if (fail) return fail;
  if (m->top == m->stack_end && !pks_machine_grow_stack(m)) return pks_decode_fail_of(m->mem);
  *m->top++ = value;
  return PKS_FAIL_NONE;
}

size_t pks_machine_skip_on(pks_machine *m, const uint8_t *data, size_t size, bool last) {
  size_t used = pks_decode_skip_feed(&m->skip, data, size);
  m->offset += used;
  m->want = (pks_want){.bytes = 1};
  pks_fail fail = PKS_FAIL_NONE;
  if (m->skip.left && last) {
    fail = m->rules & PKS_RULE_CPICKLE ? PKS_FAIL_ARGUMENT_EOF : PKS_FAIL_TRUNCATED;
    if (m->rules & PKS_RULE_PYPY) fail = pks_machine_pypy_short(m);
  }
  if (!m->skip.left) {
    fail = skip_push(m);
    m->ops += !fail;
  }
  if (fail) {
    uint64_t end = last ? m->offset + (size - used) : UINT64_MAX;
    m->offset = m->skip_offset;
    pks_machine_fail_at(m, fail, m->skip_offset, m->skip.op, end);
  }
  return used;
}
