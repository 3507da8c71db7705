/* cli/main.c - from arguments to exit status. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static int exit_status(const pks_cli *cli) {
  if (cli->outcome & PKS_CLI_FAILS) return 1;
  if (cli->outcome & PKS_CLI_UNSURE && cli->set.unsure == 1) return 1;
  if (cli->outcome & PKS_CLI_TROUBLE) return 2;
  if (cli->outcome & PKS_CLI_UNSURE) return cli->set.unsure;
  return 0;
}

static void run(pks_cli *cli) {
  if (!pks_cli_output_open(cli)) return;
  if (cli->set.version)
    pks_cli_cmd_version(cli);
  else if (cli->set.help)
    pks_cli_cmd_help(cli);
  else if (cli->set.list_limits)
    pks_cli_list_limits(cli->out);
  else
    cli->set.command->run(cli);
  pks_cli_progress_end(cli);
  pks_cli_output_close(cli);
}

int main(int argc, char **argv) {
  pks_cli cli;
  memset(&cli, 0, sizeof cli);
  cli.set.operand = calloc((size_t)argc + 1, sizeof *cli.set.operand);
  cli.set.step = calloc((size_t)argc + 1, sizeof *cli.set.step);
  cli.buffer = malloc(2 * PKS_CLI_PIECE);
  if (!cli.set.operand || !cli.set.step || !cli.buffer)
    pks_cli_trouble(&cli, NULL, "no memory");
  else if (pks_cli_parse(&cli, argc, argv))
    run(&cli);
  pks_cli_targets_close(&cli);
  free(cli.buffer);
  free(cli.set.step);
  free(cli.set.operand);
  return exit_status(&cli);
}
