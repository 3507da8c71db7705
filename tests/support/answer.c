#include "support/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/chunks.h"
#include "support/trace.h"

static void put(FILE *out, pks_span text) {
  for (size_t i = 0; i < text.size; i++) fprintf(out, "%02x", text.data[i]);
}

void answer_read(const pks_inspector *inspector, pks_status status, bool spelled, answer *out) {
  pks_summary s = {.size = sizeof s};
  pks_error e = {.size = sizeof e};
  size_t size = 0, count = 0;
  memset(out, 0, sizeof *out);
  pks_inspector_summary(inspector, &s);
  pks_inspector_error(inspector, &e);
  out->ok = status == PKS_END;
  out->consumed = out->ok ? s.bytes : 0;
  out->ids = s.persistent_ids;
  out->buffers = s.buffers;
  snprintf(out->exception, sizeof out->exception, "%s", e.exception ? e.exception : "-");
  FILE *text = open_memstream(&out->lookups, &size);
  if (!text) abort();
  for (size_t i = 0; i < s.events; i++) {
    pks_event event = {.size = sizeof event};
    pks_global g = {.size = sizeof g};
    if (pks_inspector_event(inspector, i, &event) != PKS_OK) abort();
    if (event.kind != PKS_EVENT_GLOBAL) continue;
    if (pks_inspector_global(inspector, event.index, &g) != PKS_OK) abort();
    if (count++) fputc(',', text);
    put(text, spelled ? g.spelled_module : g.module);
    fputc(':', text);
    put(text, spelled ? g.spelled_name : g.name);
  }
  if (count == 0) fputc('-', text);
  fclose(text);
}

void answer_free(answer *a) {
  free(a->lookups);
  a->lookups = NULL;
}

bool answer_same(const answer *a, const answer *b) {
  return a->ok == b->ok && a->consumed == b->consumed && a->ids == b->ids &&
         a->buffers == b->buffers && strcmp(a->exception, b->exception) == 0 &&
         strcmp(a->lookups, b->lookups) == 0;
}

/* ---- in pieces ----------------------------------------------------------------------------------- */

typedef struct cutting {
  pks_inspector *f;
  const uint8_t *data;
  size_t size;
  bool spelled;
  const answer *whole;
  char *differs;
} cutting;

static bool cut_is_same(void *user, const size_t *cuts, size_t count) {
  cutting *c = user;
  static const size_t none;
  char text[512];
  answer a;
  pks_status status = trace_inspect(c->f, c->data, c->size, cuts ? cuts : &none, count);
  answer_read(c->f, status, c->spelled, &a);
  bool same = answer_same(&a, c->whole);
  snprintf(text, sizeof text, "cut %s: %s %.200s, whole: %s %.200s",
           chunks_text(c->size, cuts, count), a.exception, a.lookups, c->whole->exception,
           c->whole->lookups);
  if (!same) c->differs = strdup(text);
  answer_free(&a);
  return same;
}

char *answer_in_every_cut(pks_inspector *inspector, const uint8_t *data, size_t size, bool spelled,
                          const answer *whole) {
  cutting c = {inspector, data, size, spelled, whole, NULL};
  (void)chunks_each(size, cut_is_same, &c);
  return c.differs;
}
