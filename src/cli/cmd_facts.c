/* cli/cmd_facts.c - picklesight facts. */
#include "cli/cli.h"

typedef struct state {
  pks_cli *cli;
  pks_report *report;
} state;

static void end(void *user, const pks_place *place, const pks_inspector *inspector) {
  state *s = user;
  pks_status status = pks_report_facts(s->report, place, inspector);
  if (status != PKS_OK && status != PKS_E_IO)
    pks_cli_trouble(s->cli, place->path, pks_status_text(status));
  if (s->cli->set.format == PKS_FORMAT_JSONL) pks_cli_output_flush(s->cli);
}

void pks_cli_cmd_facts(pks_cli *cli) {
  state s = {cli, pks_report_new(cli->set.format, pks_cli_write, cli, NULL)};
  const pks_cli_visitor visitor = {.user = &s, .code = true, .end = end};
  if (!s.report) {
    pks_cli_trouble(cli, NULL, "no memory");
    return;
  }
  pks_cli_read_all(cli, &visitor);
  pks_status status = pks_report_finish(s.report, cli->files);
  if (status != PKS_OK && status != PKS_E_IO) pks_cli_trouble(cli, NULL, pks_status_text(status));
  pks_report_free(s.report);
}
