#include "decode/decoder.h"

#include "base/settings.h"

static pks_status fail_at(pks_decoder *d, pks_fail fail, int op) {
  d->fail = fail;
  d->fail_offset = d->offset;
  d->fail_op = op;
  return pks_decode_fails[fail].status;
}

/* ---- one whole opcode to a pks_op ------------------------------------------------------------------ */

static void set_number(pks_op *op, int64_t number) {
  op->argument = PKS_ARGUMENT_NUMBER;
  op->number = number;
}

static void set_span(const pks_decoder *d, pks_op *op, pks_argument kind, pks_span text,
                     uint64_t length) {
  op->argument = (uint8_t)kind;
  op->length = length;
  op->arg = text;
  if (length > d->max_name) {
    op->clipped = 1;
    if (op->arg.size > d->max_name) op->arg.size = (size_t)d->max_name;
  }
}

static pks_fail read_cpickle_line(const pks_decoder *d, const uint8_t *p, size_t size, pks_op *op) {
  pks_number number;
  pks_span text;
  pks_fail fail = pks_decode_cpickle_line(p, size, &number, &op->real, &text);
  if (fail) return fail;
  bool key = *p == PKS_OP_GET || *p == PKS_OP_PUT;
  if (*p == PKS_OP_FLOAT)
    op->argument = PKS_ARGUMENT_REAL;
  else if (*p == PKS_OP_INT || *p == PKS_OP_LONG || (key && !number.big))
    set_number(op, number.value);
  else
    set_span(d, op, PKS_ARGUMENT_TEXT, (pks_span){p + 1, size - 2}, size - 2);
  return PKS_FAIL_NONE;
}

static pks_fail read_line(const pks_decoder *d, const uint8_t *p, size_t size, pks_op *op) {
  const uint8_t *line = p + 1;
  size_t line_size = size - 1; /* with its newline */
  pks_number number = {0, false, false};
  pks_span inside = {line, line_size - 1};
  pks_fail fail = PKS_FAIL_NONE;
  if (d->rules & PKS_RULE_CPICKLE) return read_cpickle_line(d, p, size, op);
  switch (*p) {
    case PKS_OP_INT: fail = pks_decode_int_line(line, line_size, d->rules, &number); break;
    case PKS_OP_LONG: fail = pks_decode_long_line(line, line_size, d->rules, &number); break;
    case PKS_OP_GET:
    case PKS_OP_PUT: fail = pks_decode_index_line(line, line_size, d->rules, &number); break;
    case PKS_OP_FLOAT:
      op->argument = PKS_ARGUMENT_REAL;
      return pks_decode_float_line(line, line_size, &op->real);
    case PKS_OP_STRING:
      fail = pks_decode_string_line(line, line_size, &inside);
      if (!fail) fail = pks_decode_string_check(&d->strings, d->rules, inside, true);
      break;
    case PKS_OP_UNICODE: fail = pks_decode_unicode_line(line, line_size - 1); break;
    default: /* PERSID */
      if (pks_base_ascii_prefix(line, line_size - 1) != line_size - 1) fail = PKS_FAIL_PERSID_ASCII;
  }
  if (fail) return fail;
  bool text = *p == PKS_OP_STRING || *p == PKS_OP_UNICODE || *p == PKS_OP_PERSID;
  if (text)
    set_span(d, op, PKS_ARGUMENT_TEXT, (pks_span){line, line_size - 1}, line_size - 1);
  else
    set_number(op, number.value);
  return PKS_FAIL_NONE;
}

static pks_fail read_names(const pks_decoder *d, const uint8_t *p, size_t size, pks_op *op) {
  const uint8_t *newline = memchr(p + 1, '\n', size - 1);
  op->argument = PKS_ARGUMENT_NAMES;
  op->arg = (pks_span){p + 1, (size_t)(newline - p) - 1};
  op->arg2 = (pks_span){newline + 1, size - op->arg.size - 3};
  if (op->arg.size == 0) return PKS_FAIL_EMPTY_LINE;
  bool ascii = *p == PKS_OP_INST, any = d->rules & PKS_RULE_CPICKLE;
  for (int i = 0; i < 2; i++) {
    pks_span s = i ? op->arg2 : op->arg;
    if (s.size == 0) return PKS_FAIL_EMPTY_LINE;
    if (any) continue;
    if (ascii && pks_base_ascii_prefix(s.data, s.size) != s.size) return PKS_FAIL_ASCII;
    if (!ascii && !pks_base_utf8_valid(s.data, s.size, false)) return PKS_FAIL_UTF8;
  }
  return PKS_FAIL_NONE;
}

static pks_fail read_counted(const pks_decoder *d, const uint8_t *p, size_t size, size_t head,
                             pks_op *op) {
  pks_span text = {p + head, size - head};
  uint64_t length = d->clipped ? d->skip.count : text.size;
  bool is_text = pks_decode_is_text(*p), is_string = pks_decode_is_string(*p);
  set_span(d, op, is_text || is_string ? PKS_ARGUMENT_TEXT : PKS_ARGUMENT_BYTES, text, length);
  if (d->clipped) return pks_decode_skip_end(&d->skip, &d->strings);
  if (is_text && !pks_base_utf8_valid(text.data, text.size, true)) return PKS_FAIL_UTF8;
  if (is_string) return pks_decode_string_check(&d->strings, d->rules, text, false);
  return PKS_FAIL_NONE;
}

static void read_long(const pks_decoder *d, const uint8_t *p, size_t size, size_t head,
                      pks_op *op) {
  pks_number number;
  op->length = d->clipped ? d->skip.count : size - head;
  if (d->clipped)
    pks_decode_skip_number(&d->skip, &number);
  else
    pks_decode_long_bytes(p + head, size - head, &number);
  set_number(op, number.value);
}

static pks_fail read_op(const pks_decoder *d, const uint8_t *p, size_t size, pks_op *op) {
  switch ((pks_arg)pks_decode_ops[*p].argument) {
    case PKS_ARG_NONE: break;
    case PKS_ARG_U1:
      set_number(op, p[1]);
      if (*p == PKS_OP_PROTO && p[1] > pks_decode_highest_protocol(d->rules))
        return PKS_FAIL_PROTOCOL;
      break;
    case PKS_ARG_U2: set_number(op, pks_read2(p + 1)); break;
    case PKS_ARG_U4: set_number(op, pks_read4(p + 1)); break;
    case PKS_ARG_I4: set_number(op, (int32_t)pks_read4(p + 1)); break;
    case PKS_ARG_U8: /* FRAME */
      if (pks_read8(p + 1) > INT64_MAX) return PKS_FAIL_FRAME_SIZE;
      set_number(op, (int64_t)pks_read8(p + 1));
      break;
    case PKS_ARG_F8:
      op->argument = PKS_ARGUMENT_REAL;
      op->real = pks_decode_double(p + 1);
      break;
    case PKS_ARG_LINE: return read_line(d, p, size, op);
    case PKS_ARG_LINE2: return read_names(d, p, size, op);
    case PKS_ARG_N1: return read_counted(d, p, size, 2, op);
    case PKS_ARG_N4: return read_counted(d, p, size, 5, op);
    case PKS_ARG_N8: return read_counted(d, p, size, 9, op);
    case PKS_ARG_L1: read_long(d, p, size, 2, op); break;
    case PKS_ARG_L4: read_long(d, p, size, 5, op); break;
  }
  return PKS_FAIL_NONE;
}

/* `size` bytes at p are the opcode (or, clipped, its start); `total` is what it takes of the stream. */
static pks_status deliver(pks_decoder *d, const uint8_t *p, size_t size, uint64_t total,
                          pks_op *out) {
  pks_op op = {.offset = d->offset,
               .byte = *p,
               .protocol = pks_decode_ops[*p].protocol,
               .name = pks_decode_ops[*p].name};
  pks_fail fail = d->ops == d->max_ops ? PKS_FAIL_OPS : read_op(d, p, size, &op);
  op.size = out->size < sizeof op ? out->size : sizeof op;
  if (fail) return fail_at(d, fail, *p);
  memcpy(out, &op, op.size);
  d->ops++;
  d->offset += total;
  d->stopped = *p == PKS_OP_STOP;
  d->clipped = false;
  return PKS_OK;
}

/* ---- the stream ---------------------------------------------------------------------------------------- */

/* The counted argument at p is longer than what is kept, and not all here. */
static bool is_long(const pks_decoder *d, const uint8_t *p, size_t size, const pks_want *want,
                    size_t *head, uint64_t *count) {
  pks_arg arg = (pks_arg)pks_decode_ops[*p].argument;
  *head = arg == PKS_ARG_N4 || arg == PKS_ARG_L4 ? 5 : arg == PKS_ARG_N8 ? 9 : 0;
  if (*head == 0 || size < *head) return false;
  *count = want->bytes - *head;
  return *count > d->max_name;
}

/* Its first bytes stay in the carry, the rest goes by. */
static pks_status go_by(pks_decoder *d, pks_input *in, pks_op *op) {
  in->pos += pks_decode_skip_feed(&d->skip, in->data + in->pos, in->size - in->pos);
  if (d->skip.left) return PKS_NEED_MORE;
  d->window.done = d->window.size;
  size_t head = pks_decode_ops[d->window.carry[0]].argument == PKS_ARG_N8 ? 9 : 5;
  return deliver(d, d->window.carry, d->window.size, head + d->skip.count, op);
}

static pks_status from_carry(pks_decoder *d, pks_input *in, pks_op *op) {
  pks_fail fail = PKS_FAIL_NONE;
  size_t head = 0;
  uint64_t count = 0;
  for (;;) {
    if (!pks_decode_window_fill(&d->mem, &d->window, in, &d->want, &fail))
      return fail ? fail_at(d, fail, d->window.size ? d->window.carry[0] : -1) : PKS_NEED_MORE;
    size_t size = pks_decode_op_size(d->window.carry, d->window.size, d->rules, &d->want, &fail);
    if (fail) return fail_at(d, fail, d->window.carry[0]);
    if (size) {
      d->window.done = size;
      return deliver(d, d->window.carry, size, size, op);
    }
    if (is_long(d, d->window.carry, d->window.size, &d->want, &head, &count)) {
      d->clipped = true;
      pks_decode_skip_start(&d->skip, d->window.carry[0], count, &d->strings);
      pks_decode_skip_feed(&d->skip, d->window.carry + head, d->window.size - head);
      d->want.bytes = head + d->max_name;
      size_t before = d->window.size;
      if (!pks_decode_window_fill(&d->mem, &d->window, in, &d->want, &fail) && fail)
        return fail_at(d, fail, d->window.carry[0]);
      pks_decode_skip_feed(&d->skip, d->window.carry + before, d->window.size - before);
      return go_by(d, in, op);
    }
  }
}

pks_status pks_decode_next(pks_decoder *d, pks_input *in, pks_op *op) {
  pks_fail fail = PKS_FAIL_NONE;
  if (d->fail) return pks_decode_fails[d->fail].status;
  if (d->stopped) return PKS_END;
  if (d->window.done) pks_decode_window_drop(&d->window, d->window.done);
  d->window.done = 0;
  if (in->pos == in->size) return PKS_NEED_MORE;
  if (d->clipped) { /* the carry still lacks some of the first bytes */
    if (d->window.size < d->want.bytes) {
      size_t before = d->window.size;
      if (!pks_decode_window_fill(&d->mem, &d->window, in, &d->want, &fail) && fail)
        return fail_at(d, fail, d->window.carry[0]);
      pks_decode_skip_feed(&d->skip, d->window.carry + before, d->window.size - before);
    }
    return go_by(d, in, op);
  }
  if (d->window.size) return from_carry(d, in, op);
  const uint8_t *p = in->data + in->pos;
  size_t left = in->size - in->pos;
  size_t size = pks_decode_op_size(p, left, d->rules, &d->want, &fail);
  if (fail) return fail_at(d, fail, *p);
  if (size == 0) return from_carry(d, in, op);
  pks_status status = deliver(d, p, size, size, op);
  if (status == PKS_OK) in->pos += size;
  return status;
}

pks_status pks_decode_finish(pks_decoder *d) {
  if (d->fail) return pks_decode_fails[d->fail].status;
  if (d->stopped) return PKS_END;
  if (d->window.done) pks_decode_window_drop(&d->window, d->window.done);
  d->window.done = 0;
  if (d->window.size == 0) return fail_at(d, PKS_FAIL_EOF, -1);
  return fail_at(d, pks_decode_cut(d->window.carry, d->window.size, d->rules), d->window.carry[0]);
}

/* ---- the object ------------------------------------------------------------------------------------------ */

pks_decoder *pks_decode_decoder_new(const pks_options *options, const pks_limits *limits,
                                    const pks_alloc *alloc) {
  pks_options how;
  pks_limits most;
  if (pks_base_options(&how, options) != PKS_OK || pks_base_limits(&most, limits) != PKS_OK)
    return NULL;
  pks_decoder *d = pks_base_object_new(alloc, most.max_memory, sizeof *d);
  if (!d) return NULL;
  d->rules = pks_decode_rules(how.python);
  pks_decode_strings(&d->strings, how.encoding, how.errors);
  if (d->rules & PKS_RULE_CPICKLE) pks_decode_strings_cpickle(&d->strings);
  d->max_ops = most.max_ops;
  d->max_name = most.max_name;
  pks_decode_decoder_reset(d);
  return d;
}

void pks_decode_decoder_reset(pks_decoder *d) {
  d->offset = d->ops = 0;
  d->window.size = d->window.done = 0;
  d->want = (pks_want){.bytes = 1};
  d->clipped = d->stopped = false;
  d->fail = PKS_FAIL_NONE;
  d->fail_op = -1;
}

void pks_decode_decoder_free(pks_decoder *d) {
  if (!d) return;
  pks_decode_window_free(&d->mem, &d->window);
  pks_base_object_free(d, sizeof *d);
}
