/* Claim: an input that comes in pieces gives the same opcodes, arguments and error as it does whole; a call
 * delivers an opcode, or takes all it was given; what is held is bounded by the longest opcode that
 * came, not by what a length claims. */
#include "fuzz.h"

typedef struct trace {
  fuzz_text ops;
  pks_status status;
  pks_error error;
} trace;

static void put_op(trace *t, const pks_op *op) {
  char line[256];
  int size = snprintf(line, sizeof line, "%llu %s %u %u %lld %a %llu %zu %zu ",
                      (unsigned long long)op->offset, op->name, op->argument, op->clipped,
                      (long long)op->number, op->real, (unsigned long long)op->length, op->arg.size,
                      op->arg2.size);
  fuzz_text_write(&t->ops, line, (size_t)size);
  fuzz_text_write(&t->ops, (const char *)op->arg.data, op->arg.size);
  fuzz_text_write(&t->ops, (const char *)op->arg2.data, op->arg2.size);
  fuzz_text_write(&t->ops, "\n", 1);
}

/* Each piece lies in a block of its own. tail NULL: all is one piece. */
static trace decode(pks_decoder *d, const uint8_t *data, size_t size, fuzz_tail *tail) {
  trace t = {.status = PKS_NEED_MORE, .error = {.size = sizeof t.error}};
  pks_decoder_reset(d);
  for (size_t at = 0; t.status == PKS_NEED_MORE && at < size;) {
    size_t count = tail ? fuzz_piece(tail, size - at) : size - at;
    uint8_t *piece = fuzz_copy(data + at, count);
    pks_input in = {piece, count, 0};
    pks_op op = {.size = sizeof op};
    while ((t.status = pks_decoder_next(d, &in, &op)) == PKS_OK) put_op(&t, &op);
    FUZZ_CHECK(t.status != PKS_NEED_MORE || in.pos == in.size);
    free(piece);
    at += count;
  }
  if (t.status == PKS_NEED_MORE) t.status = pks_decoder_finish(d);
  FUZZ_CHECK(t.status != PKS_OK && t.status != PKS_NEED_MORE);
  FUZZ_CHECK(t.status == pks_decoder_finish(d));
  pks_decoder_error(d, &t.error);
  return t;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint64_t names[] = {1024, 0, 1, 7, 64, UINT64_MAX}, ops[] = {UINT64_MAX, 0, 5};
  fuzz_tail tail = fuzz_tail_of(data, size);
  fuzz_memory memory;
  pks_alloc alloc = fuzz_memory_init(&memory, 0);
  pks_options options = fuzz_options(&tail);
  pks_limits limits = {.size = sizeof limits};
  FUZZ_CHECK(pks_limits_init(&limits) == PKS_OK);
  limits.max_name = names[fuzz_pick(&tail, 6)];
  limits.max_ops = ops[fuzz_pick(&tail, 3)];
  limits.max_memory = UINT64_MAX;
  pks_decoder *d = pks_decoder_new(&options, &limits, &alloc);
  uint64_t empty = memory.live;
  trace whole = decode(d, data, size, NULL), pieces = decode(d, data, size, &tail);
  FUZZ_CHECK(fuzz_text_same(&whole.ops, &pieces.ops));
  FUZZ_CHECK(whole.status == pieces.status && whole.error.offset == pieces.error.offset);
  FUZZ_CHECK(whole.error.opcode == pieces.error.opcode);
  FUZZ_CHECK(whole.error.exception == pieces.error.exception);
  FUZZ_CHECK(memory.peak - empty <= 2 * size + 512);
  pks_decoder_free(d);
  FUZZ_CHECK(memory.live == 0);
  free(whole.ops.data);
  free(pieces.ops.data);
  return 0;
}
