/* Claim: bytes, checked against two built-in targets as each of them reads, end in a report whose JSON
 * parses; its verdicts follow from its answers and needs; whole and in pieces give the same report, or
 * what made the difference is named (README.md); a check done again says the same and allocates nothing. */
#include "fuzz.h"

#include "base/json_in.h"

#define TARGETS 2

typedef struct bench {
  pks_target *target[TARGETS];
  pks_inspector *inspector[TARGETS];
  pks_check *check[TARGETS];
  fuzz_memory *memory;
} bench;

typedef struct reading {
  fuzz_text json;
  bool limited, ambiguous, number; /* what pieces may read differently */
} reading;

/* Any built-in target, as it is, with cloudpickle, or bare. */
static pks_target *pick_target(fuzz_tail *tail, pks_options *options) {
  static const char *const more[] = {NULL, "cloudpickle==3.1.2", "dill==0.4.1"};
  const char *with;
  pks_target *target;
  size_t index = (10 + fuzz_pick(tail, pks_target_count())) % pks_target_count();
  FUZZ_CHECK(pks_target_builtin(pks_target_name(index), NULL, &target) == PKS_OK);
  with = more[fuzz_pick(tail, sizeof more / sizeof *more)];
  if (with) FUZZ_CHECK(pks_target_with(target, with) == PKS_OK);
  if (fuzz_pick(tail, 2)) FUZZ_CHECK(pks_target_bare(target) == PKS_OK);
  FUZZ_CHECK(pks_target_options(target, options) == PKS_OK);
  return target;
}

/* ---- what a report must be ----------------------------------------------------------------------- */

static void must_parse(const fuzz_text *text) {
  pks_mem mem;
  pks_json_event event;
  pks_base_mem_init(&mem, NULL, UINT64_MAX);
  pks_json_in json = {.mem = &mem,
                      .data = (const uint8_t *)text->data,
                      .size = text->size,
                      .max_depth = 16,
                      .flags = PKS_JSON_SURROGATES,
                      .malformed = PKS_E_FINGERPRINT};
  while ((event = pks_base_json_in_next(&json)) > PKS_JSON_END) FUZZ_CHECK(event != PKS_JSON_REAL);
  if (event != PKS_JSON_END) fprintf(stderr, "%s at %zu\n", json.why, json.offset);
  FUZZ_CHECK(event == PKS_JSON_END);
  pks_base_json_in_close(&json);
}

/* No verdict without a reason. */
static void must_follow(pks_check *check, const pks_result *r, const pks_summary *s,
                        const pks_error *error) {
  bool fails = r->parse == PKS_OUTCOME_NO || r->load == PKS_OUTCOME_NO || r->run == PKS_OUTCOME_NO;
  bool open = r->parse == PKS_OUTCOME_UNKNOWN || r->load == PKS_OUTCOME_UNKNOWN ||
              r->run == PKS_OUTCOME_UNKNOWN;
  bool unmet = false, unknown = false;
  for (size_t i = 0; i < r->needs; i++) {
    pks_need need = {.size = sizeof need};
    FUZZ_CHECK(pks_check_need(check, i, &need) == PKS_OK);
    FUZZ_CHECK(need.what && *need.what && need.why && *need.why);
    unmet = unmet || need.state == PKS_STATE_MISSING || need.state == PKS_STATE_DIFFERENT;
    unknown = unknown || need.state == PKS_STATE_UNKNOWN;
  }
  FUZZ_CHECK(fails == unmet);
  FUZZ_CHECK((r->run == PKS_OUTCOME_NONE) == (s->codes == 0));
  switch (r->verdict) {
    case PKS_VERDICT_LOADS:
      FUZZ_CHECK(!fails && !open && s->complete && error->status == PKS_OK);
      break;
    case PKS_VERDICT_UNSURE:
      FUZZ_CHECK(!fails && open && (unknown || !s->complete || s->ambiguous));
      break;
    case PKS_VERDICT_FAILS: FUZZ_CHECK(fails); break;
    case PKS_VERDICT_BROKEN: FUZZ_CHECK(r->parse == PKS_OUTCOME_NO && error->status != PKS_OK);
  }
}

/* ---- from bytes to a report ------------------------------------------------------------------------ */

static void run_checks(bench *b, reading *r) {
  for (int i = 0; i < TARGETS; i++) {
    pks_result first = {.size = sizeof first}, again = first;
    pks_summary summary = {.size = sizeof summary};
    pks_error error = {.size = sizeof error};
    pks_inspector_summary(b->inspector[i], &summary);
    pks_inspector_error(b->inspector[i], &error);
    FUZZ_CHECK(pks_check_run(b->check[i], b->inspector[i], b->target[i], &first) == PKS_OK);
    uint64_t calls = b->memory->calls;
    FUZZ_CHECK(pks_check_run(b->check[i], b->inspector[i], b->target[i], &again) == PKS_OK);
    FUZZ_CHECK(b->memory->calls == calls && memcmp(&first, &again, sizeof first) == 0);
    must_follow(b->check[i], &first, &summary, &error);
    r->limited |= summary.limit || error.status == PKS_E_LIMIT_MEMORY;
    r->ambiguous |= summary.ambiguous != 0;
    r->number |= error.status == PKS_E_ARGUMENT;
  }
}

static void report(bench *b, reading *r) {
  pks_place place = {
      .size = sizeof place, .path = "p", .container = "raw", .bytes = -1, .events = 1};
  pks_report *out = pks_report_new(PKS_FORMAT_JSON, fuzz_text_write, &r->json, NULL);
  for (int i = 0; i < TARGETS; i++) FUZZ_CHECK(pks_report_target(out, b->target[i]) == PKS_OK);
  FUZZ_CHECK(pks_report_checks(out, &place, b->inspector[0], b->check, TARGETS, 0, 1) == PKS_OK);
  FUZZ_CHECK(pks_report_finish(out, 1) == PKS_OK);
  pks_report_free(out);
  must_parse(&r->json);
}

static reading read_whole(bench *b, const uint8_t *data, size_t size) {
  reading r = {.limited = false};
  for (int i = 0; i < TARGETS; i++)
    FUZZ_CHECK(pks_inspect(b->inspector[i], data, size, NULL) != PKS_OK);
  run_checks(b, &r);
  report(b, &r);
  return r;
}

static reading read_pieces(bench *b, const uint8_t *data, size_t size, fuzz_tail *tail) {
  reading r = {.limited = false};
  for (int i = 0; i < TARGETS; i++) pks_inspector_reset(b->inspector[i]);
  for (size_t at = 0; at < size;) {
    size_t count = fuzz_piece(tail, size - at);
    uint8_t *piece = fuzz_copy(data + at, count);
    for (int i = 0; i < TARGETS; i++) {
      pks_input in = {piece, count, 0};
      FUZZ_CHECK(pks_inspector_feed(b->inspector[i], &in) != PKS_OK);
    }
    free(piece);
    at += count;
  }
  for (int i = 0; i < TARGETS; i++) FUZZ_CHECK(pks_inspector_finish(b->inspector[i]) != PKS_OK);
  run_checks(b, &r);
  report(b, &r);
  return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_tail tail = fuzz_tail_of(data, size);
  fuzz_memory memory;
  pks_alloc alloc = fuzz_memory_init(&memory, 0);
  bench b = {.memory = &memory};
  pks_options options = fuzz_options(&tail);
  options.events = 1;
  for (int i = 0; i < TARGETS; i++) {
    pks_options own = options;
    b.target[i] = pick_target(&tail, &own);
    b.inspector[i] = pks_inspector_new(&own, NULL, NULL);
    b.check[i] = pks_check_new(&alloc);
  }
  reading whole = read_whole(&b, data, size), pieces = read_pieces(&b, data, size, &tail);
  if (!whole.limited && !pieces.limited && !whole.ambiguous && !whole.number)
    FUZZ_CHECK(fuzz_text_same(&whole.json, &pieces.json));
  free(whole.json.data);
  free(pieces.json.data);
  for (int i = 0; i < TARGETS; i++) {
    pks_check_free(b.check[i]);
    pks_inspector_free(b.inspector[i]);
    pks_target_free(b.target[i]);
  }
  FUZZ_CHECK(memory.live == 0);
  return 0;
}
