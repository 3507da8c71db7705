/* cli/cmd_check.c - picklesight check, picklesight needs. */
#include <stdlib.h>

#include "cli/cli.h"
#include "match/check.h"

typedef struct state {
  pks_cli *cli;
  pks_report *report;
  pks_check **check; /* one a target; needs: one against none */
  size_t checks;
} state;

static void say(const state *s, const pks_place *place, pks_status status) {
  if (status != PKS_OK && status != PKS_E_IO)
    pks_cli_trouble(s->cli, place ? place->path : NULL, pks_status_text(status));
}

static void tell(state *s, const pks_place *place, const pks_inspector *inspector) {
  const pks_cli_settings *set = &s->cli->set;
  say(s, place,
      pks_report_checks(s->report, place, inspector, s->check, s->checks, set->any, set->verbose));
  if (set->format == PKS_FORMAT_JSONL) pks_cli_output_flush(s->cli);
}

/* ---- check --------------------------------------------------------------------------------------- */

/* The facts that are shown: those of the first reader that comes to the end. */
static const pks_inspector *best_reader(const pks_cli *cli) {
  pks_summary summary = {.size = sizeof summary};
  for (size_t i = 0; i < cli->inspectors; i++) {
    pks_inspector_summary(cli->inspector[i], &summary);
    if (summary.complete) return cli->inspector[i];
  }
  return cli->inspector[0];
}

/* What kept a reader from its end, on standard error. */
static void say_why(const state *s, const pks_place *place, const pks_inspector *inspector) {
  pks_error error = {.size = sizeof error};
  pks_summary summary = {.size = sizeof summary};
  pks_inspector_error(inspector, &error);
  pks_inspector_summary(inspector, &summary);
  if (error.status == PKS_OK && summary.limit != PKS_OK)
    error = (pks_error){.size = sizeof error,
                        .status = summary.limit,
                        .offset = summary.limit_offset,
                        .text = pks_status_text(summary.limit)};
  if (error.status != PKS_OK) pks_cli_payload_error(s->cli, place, &error);
}

static void count(const state *s, const pks_place *place, const pks_inspector *inspector,
                  pks_verdict verdict) {
  switch (verdict) {
    case PKS_VERDICT_LOADS: return;
    case PKS_VERDICT_UNSURE: s->cli->outcome |= PKS_CLI_UNSURE; break;
    case PKS_VERDICT_FAILS: s->cli->outcome |= PKS_CLI_FAILS; return;
    case PKS_VERDICT_BROKEN: s->cli->outcome |= PKS_CLI_TROUBLE; break;
  }
  say_why(s, place, inspector);
}

static void end_check(void *user, const pks_place *place, const pks_inspector *inspector) {
  state *s = user;
  pks_cli *cli = s->cli;
  pks_verdict verdict = cli->set.any ? PKS_VERDICT_BROKEN : PKS_VERDICT_LOADS;
  for (size_t i = 0; inspector && i < s->checks; i++) {
    pks_result result = {.size = sizeof result};
    pks_status status = pks_check_run(s->check[i], cli->inspector[i], cli->target[i], &result);
    if (status != PKS_OK) {
      say(s, place, status);
      return;
    }
    if (cli->set.any ? result.verdict < verdict : result.verdict > verdict)
      verdict = result.verdict;
  }
  if (inspector) inspector = best_reader(cli);
  if (inspector && !place->error) count(s, place, inspector, verdict);
  tell(s, place, inspector);
}

/* ---- needs --------------------------------------------------------------------------------------- */

static void end_needs(void *user, const pks_place *place, const pks_inspector *inspector) {
  state *s = user;
  pks_status status = inspector ? pks_check_run(s->check[0], inspector, NULL, NULL) : PKS_OK;
  if (status == PKS_OK)
    tell(s, place, inspector);
  else
    say(s, place, status);
}

/* ---- both ---------------------------------------------------------------------------------------- */

/* An object for each of `count` checks, and the report. */
static bool open_state(state *s, size_t count) {
  pks_cli *cli = s->cli;
  s->check = calloc(count, sizeof *s->check);
  s->report = pks_report_new(cli->set.format, pks_cli_write, cli, NULL);
  while (s->check && s->checks < count) {
    pks_check *check = pks_check_new(NULL);
    if (!check) break;
    check->buffers = cli->set.options.buffers;
    s->check[s->checks++] = check;
  }
  if (s->report && s->checks == count) return true;
  pks_cli_trouble(cli, NULL, "no memory");
  return false;
}

static void close_state(state *s) {
  for (size_t i = 0; i < s->checks; i++) pks_check_free(s->check[i]);
  free(s->check);
  pks_report_free(s->report);
}

static void read_all(state *s, const pks_cli_visitor *visitor) {
  for (size_t i = 0; i < s->cli->targets; i++)
    say(s, NULL, pks_report_target(s->report, s->cli->target[i]));
  pks_cli_read_all(s->cli, visitor);
  say(s, NULL, pks_report_finish(s->report, s->cli->files));
}

void pks_cli_cmd_check(pks_cli *cli) {
  state s = {.cli = cli};
  const pks_cli_visitor visitor = {.user = &s, .judges = true, .code = true, .end = end_check};
  if (!pks_cli_targets_open(cli)) return;
  if (open_state(&s, cli->targets)) read_all(&s, &visitor);
  close_state(&s);
}

void pks_cli_cmd_needs(pks_cli *cli) {
  state s = {.cli = cli};
  const pks_cli_visitor visitor = {.user = &s, .code = true, .end = end_needs};
  if (open_state(&s, 1)) read_all(&s, &visitor);
  close_state(&s);
}
