/* Claim: an object never holds more than max_memory, by its allocator's count; a payload in pieces gives the
 * facts, events, error and summary that it gives whole, or its summary names the limit that made the
 * difference (README.md), and is ambiguous when it is whole; a reused inspector says the same again and allocates nothing; a refused
 * allocation is E_NO_MEMORY, and after a reset all is as before. */
#include "fuzz.h"

typedef struct reading {
  pks_status status;
  pks_error error;
  pks_summary summary;
  fuzz_text facts;
} reading;

static void take_facts(const pks_inspector *f, reading *r) {
  pks_place place = {.size = sizeof place, .container = "raw", .bytes = -1, .events = 1};
  pks_report *report = pks_report_new(PKS_FORMAT_JSONL, fuzz_text_write, &r->facts, NULL);
  r->error.size = sizeof r->error;
  r->summary.size = sizeof r->summary;
  pks_inspector_error(f, &r->error);
  pks_inspector_summary(f, &r->summary);
  FUZZ_CHECK(pks_report_facts(report, &place, f) == PKS_OK);
  pks_report_free(report);
  FUZZ_CHECK(r->status == PKS_END ? !r->error.status : r->status == r->error.status);
}

static reading read_whole(pks_inspector *f, const uint8_t *data, size_t size) {
  reading r = {.status = pks_inspect(f, data, size, NULL)};
  FUZZ_CHECK(r.status != PKS_OK && r.status != PKS_NEED_MORE);
  take_facts(f, &r);
  return r;
}

static reading read_pieces(pks_inspector *f, const uint8_t *data, size_t size, fuzz_tail *tail) {
  reading r = {.status = PKS_NEED_MORE};
  pks_inspector_reset(f);
  for (size_t at = 0; r.status == PKS_NEED_MORE && at < size;) {
    size_t count = fuzz_piece(tail, size - at);
    uint8_t *piece = fuzz_copy(data + at, count);
    pks_input in = {piece, count, 0};
    r.status = pks_inspector_feed(f, &in);
    FUZZ_CHECK(r.status != PKS_OK && (r.status != PKS_NEED_MORE || in.pos == in.size));
    free(piece);
    at += count;
  }
  pks_status end = pks_inspector_finish(f);
  FUZZ_CHECK(r.status == PKS_NEED_MORE || r.status == end);
  r.status = end;
  take_facts(f, &r);
  return r;
}

/* The limit was reached by the payload, or by reading it again in other ways. */
static int lacks_memory(const reading *r) {
  return r->status == PKS_E_LIMIT_MEMORY || r->summary.limit == PKS_E_LIMIT_MEMORY;
}

static void cut_out(fuzz_text *text, const char *from, const char *to) {
  char *start = fuzz_find(text, 0, from);
  char *end = start ? fuzz_find(text, (size_t)(start - text->data), to) : NULL;
  if (!end) return;
  memmove(start, end, (size_t)(text->data + text->size - end));
  text->size -= (size_t)(end - start);
}

/* In pieces nobody reads again: there a payload is ambiguous when it may be. */
static void forget_readings(reading *r) {
  cut_out(&r->facts, "\"ambiguous\": ", "\"error\": ");
  cut_out(&r->facts, "\"readings\": [", "\"results\": ");
}

static void must_be_same(const reading *a, const reading *b) {
  FUZZ_CHECK(fuzz_text_same(&a->facts, &b->facts));
  FUZZ_CHECK(a->status == b->status && a->error.offset == b->error.offset);
  FUZZ_CHECK(a->error.opcode == b->error.opcode && a->error.exception == b->error.exception);
  FUZZ_CHECK(a->summary.bytes == b->summary.bytes && a->summary.ops == b->summary.ops);
  FUZZ_CHECK(a->summary.encoding_offset == b->summary.encoding_offset);
  FUZZ_CHECK(a->summary.load_calls_offset == b->summary.load_calls_offset);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint32_t buffers[] = {0, 1, 16, 100};
  fuzz_tail tail = fuzz_tail_of(data, size);
  pks_options options = fuzz_options(&tail);
  pks_limits limits = fuzz_limits(&tail);
  options.reading = (pks_read)fuzz_pick(&tail, 3);
  options.file_buffer = buffers[fuzz_pick(&tail, 4)];
  fuzz_memory memory;
  pks_alloc alloc = fuzz_memory_init(&memory, limits.max_memory);
  pks_inspector *f = pks_inspector_new(&options, &limits, &alloc);
  if (!f) return 0;
  reading whole = read_whole(f, data, size);
  FUZZ_CHECK(whole.summary.peak_memory == memory.peak);
  uint64_t calls = memory.calls;
  reading again = read_whole(f, data, size);
  if (!lacks_memory(&whole)) { /* what is refused is asked for again */
    FUZZ_CHECK(memory.calls == calls);
    must_be_same(&whole, &again);
  }
  reading pieces = read_pieces(f, data, size, &tail);
  forget_readings(&whole);
  forget_readings(&pieces);
  bool unread = whole.summary.limit == PKS_E_LIMIT_AGAIN; /* by other readers */
  if (!pieces.summary.limit && !unread && !lacks_memory(&pieces) && !lacks_memory(&whole)) {
    must_be_same(&whole, &pieces);
    bool fails = whole.status != PKS_END; /* Python 2 may read it */
    FUZZ_CHECK(!whole.summary.ambiguous || pieces.summary.ambiguous || fails);
  }
  free(again.facts.data);
  free(pieces.facts.data);
  pks_inspector_free(f);
  FUZZ_CHECK(memory.live == 0);

  memory.fail_at = memory.calls + 1 + fuzz_byte(&tail) % (calls + 1);
  f = pks_inspector_new(&options, &limits, &alloc);
  if (f) {
    pieces = read_pieces(f, data, size, &tail);
    if (memory.calls >= memory.fail_at) FUZZ_CHECK(pieces.status == PKS_E_NO_MEMORY);
    free(pieces.facts.data);
    memory.fail_at = 0;
    again = read_whole(f, data, size);
    forget_readings(&again);
    if (!lacks_memory(&whole) && !lacks_memory(&again)) must_be_same(&whole, &again);
    free(again.facts.data);
    pks_inspector_free(f);
  }
  free(whole.facts.data);
  FUZZ_CHECK(memory.live == 0);
  return 0;
}
