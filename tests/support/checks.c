#include "support/checks.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/trace.h"

static void must(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "checks: not so: %s\n", what);
  abort();
}

pks_target *check_target(const char *text, const pks_alloc *alloc) {
  char copy[1024];
  pks_target *target = NULL;
  pks_error error = {.size = sizeof error, .text = ""};
  snprintf(copy, sizeof copy, "%s", text);
  if (*text == '{') {
    pks_status status = pks_target_read(text, strlen(text), alloc, &target, &error);
    must(status == PKS_OK, text);
    return target;
  }
  char *word = strtok(copy, " ");
  must(pks_target_builtin(word, alloc, &target) == PKS_OK, text);
  while ((word = strtok(NULL, " "))) {
    if (strcmp(word, "bare") == 0)
      must(pks_target_bare(target) == PKS_OK, text);
    else if (strncmp(word, "loader=", 7) == 0)
      must(pks_target_loader(target, word + 7) == PKS_OK, text);
    else
      must(pks_target_with(target, word) == PKS_OK, text);
  }
  return target;
}

typedef struct reading {
  pks_options options;
  char text[128];
} reading;

static void reading_of(reading *r, const char *text) {
  memset(r, 0, sizeof *r);
  r->options.size = sizeof r->options;
  must(pks_options_init(&r->options) == PKS_OK, __func__);
  snprintf(r->text, sizeof r->text, "%s", text ? text : "");
  for (char *word = strtok(r->text, " "); word; word = strtok(NULL, " ")) {
    if (strncmp(word, "encoding=", 9) == 0) r->options.encoding = word + 9;
    if (strncmp(word, "errors=", 7) == 0) r->options.errors = word + 7;
    if (strncmp(word, "buffers=", 8) == 0) r->options.buffers = atoi(word + 8);
    if (strcmp(word, "nobuffers") == 0) r->options.buffers = PKS_BUFFERS_NONE;
    if (strcmp(word, "persid") == 0) r->options.persistent_load = PKS_ANSWER_YES;
    if (strcmp(word, "nopersid") == 0) r->options.persistent_load = PKS_ANSWER_NO;
    if (strcmp(word, "noext") == 0) r->options.extensions = PKS_ANSWER_NO;
    if (strcmp(word, "inert") == 0) r->options.opaque = PKS_OPAQUE_INERT;
  }
}

pks_inspector *check_inspector(const pks_target *target, const char *how) {
  reading r;
  reading_of(&r, how);
  if (target) must(pks_target_options(target, &r.options) == PKS_OK, __func__);
  pks_inspector *f = pks_inspector_new(&r.options, NULL, NULL);
  must(f != NULL, "an inspector");
  return f;
}

char *check_text(pks_check *check, const pks_result *result) {
  static const char *const verdicts[] = {"loads", "unsure", "fails", "broken"};
  static const char *const outcomes[] = {"yes", "unknown", "no", "none"};
  static const char *const phases[] = {"parse", "load", "run"};
  static const char *const states[] = {"met", "missing", "different", "unknown"};
  static const char *const kinds[] = {
#define X(id, name) name,
      PKS_NEED_MAP(X)
#undef X
  };
  static char text[4096];
  size_t used =
      (size_t)snprintf(text, sizeof text, "%s: %s %s %s\n", verdicts[result->verdict],
                       outcomes[result->parse], outcomes[result->load], outcomes[result->run]);
  for (size_t i = 0; i < result->needs; i++) {
    pks_need need = {.size = sizeof need};
    must(pks_check_need(check, i, &need) == PKS_OK, __func__);
    must(need.what && *need.what && need.why && *need.why, "a need says what and why");
    must(need.state != PKS_STATE_MET || !need.hint, "no hint for what is met");
    if (need.state == PKS_STATE_MET) continue;
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "%s %s %s '%s' @%d\n", phases[need.phase],
                         kinds[need.kind], states[need.state], need.what, (int)need.offset);
  }
  return text;
}

char *check_run(const pks_target *target, const char *how, const uint8_t *data, size_t size,
                const size_t *cuts, size_t count) {
  pks_inspector *f = check_inspector(target, how);
  pks_check *check = pks_check_new(NULL);
  pks_result result = {.size = sizeof result};
  (void)trace_inspect(f, data, size, cuts, count);
  must(pks_check_run(check, f, target, &result) == PKS_OK, __func__);
  char *text = check_text(check, &result);
  pks_check_free(check);
  pks_inspector_free(f);
  return text;
}
