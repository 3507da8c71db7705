/* fuzz_fingerprint.c - a fingerprint may be hostile.
 *
 * Claims: reading ends in a target or an error inside the input, within its memory; what a target writes
 * reads back with the same id, byte for byte; questions take no memory; no answer NO without a list that
 * is complete or a table; edits work or fail, and nothing is left behind. */
#include "fuzz.h"

#include "match/common.h"

typedef struct text {
  uint8_t *data;
  size_t size, room;
} text;

static void take(void *user, const void *data, size_t size) {
  text *t = user;
  while (size > t->room - t->size) {
    t->room = t->room ? 2 * t->room : 4096;
    t->data = realloc(t->data, t->room);
    FUZZ_CHECK(t->data);
  }
  memcpy(t->data + t->size, data, size);
  t->size += size;
}

static void same_again(const pks_match_target *t) {
  text first = {0}, second = {0};
  pks_match_target *again;
  pks_match_target_write(t, take, &first);
  FUZZ_CHECK(pks_match_target_read(NULL, first.data, first.size, &again, NULL) == PKS_OK);
  FUZZ_CHECK(strcmp(t->id, again->id) == 0);
  pks_match_target_write(again, take, &second);
  FUZZ_CHECK(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
  pks_match_target_free(again);
  free(first.data);
  free(second.data);
}

/* What a capture printed may be hostile, too: its shortest form is a target like any other. */
static void settle(const uint8_t *data, size_t size) {
  pks_match_target *t, *again;
  text first = {0}, second = {0};
  if (pks_match_target_captured(NULL, data, size, &t, NULL) != PKS_OK) return;
  same_again(t);
  pks_match_target_write(t, take, &first);
  FUZZ_CHECK(pks_match_target_captured(NULL, first.data, first.size, &again, NULL) == PKS_OK);
  pks_match_target_write(again, take, &second);
  FUZZ_CHECK(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
  pks_match_target_free(again);
  pks_match_target_free(t);
  free(first.data);
  free(second.data);
}

static void ask(const pks_match_target *t, pks_span module, pks_span name) {
  const pks_match_facts *f = &t->facts;
  pks_match_answer a = pks_match_has_module(t, module);
  FUZZ_CHECK(a.part <= module.size);
  bool open = !f->table && f->complete == 0 && f->absent.count == 0 && f->modules.count == 0;
  FUZZ_CHECK(a.value != PKS_ANSWER_NO || !open || a.why == PKS_WHY_EMPTY);
  pks_match_answer b = pks_match_has_attribute(t, module, name, true);
  FUZZ_CHECK(b.part <= module.size);
  FUZZ_CHECK(b.value != PKS_ANSWER_YES || a.value != PKS_ANSWER_NO || f->loader == PKS_LOADER_DILL);
  FUZZ_CHECK(pks_match_has_attribute(t, module, name, false).value != PKS_ANSWER_YES ||
             b.value != PKS_ANSWER_NO);
  pks_match_helper helper;
  pks_match_has_helper(t, module, name, &helper);
  pks_match_moved(t, module, name);
  pks_match_provider(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_memory memory;
  fuzz_tail tail = fuzz_tail_of(data, size);
  pks_alloc alloc = fuzz_memory_init(&memory, 64u << 20);
  pks_match_target *t;
  pks_error error = {.size = sizeof error};
  pks_status status = pks_match_target_read(&alloc, data, size, &t, &error);
  FUZZ_CHECK((status == PKS_OK) == (t != NULL));
  if (status != PKS_OK) FUZZ_CHECK(error.status == status && error.text && error.offset <= size);
  if (t) {
    uint64_t calls = memory.calls;
    const pks_match_facts *f = &t->facts;
    static const char *const names[] = {"os", "path.join", "a.b", "__main__",
                                        "cloudpickle.cloudpickle"};
    for (uint32_t i = 0; i < f->modules.count && i < 64; i++) {
      const pks_match_names *list = &f->module[i].attributes;
      ask(t, f->modules.text[i],
          list->count ? list->text[fuzz_pick(&tail, list->count)]
                      : pks_match_span(names[fuzz_pick(&tail, 5)]));
    }
    for (size_t i = 0; i < 5; i++) ask(t, pks_match_span(names[i]), pks_match_span(names[4 - i]));
    ask(t, (pks_span){data, size < 40 ? size : 40}, pks_match_span("x"));
    FUZZ_CHECK(memory.calls == calls);
    settle(data, size);
    same_again(t);
    memory.fail_at = fuzz_byte(&tail) % 4 == 1 ? memory.calls + fuzz_byte(&tail) : 0;
    static const char *const dists[] = {"cloudpickle==3.1.2", "joblib==1.4.0", "x==1",
                                        "dill==0.3.5"};
    status = pks_match_target_with(t, dists[fuzz_pick(&tail, 4)], NULL);
    if (status == PKS_OK) status = pks_match_target_bare(t, NULL);
    if (status == PKS_OK) same_again(t);
  }
  pks_match_target_free(t);
  FUZZ_CHECK(memory.live == 0);
  return 0;
}
