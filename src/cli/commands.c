/* cli/commands.c - the table of commands. */
#include <string.h>

#include "cli/cli.h"

const pks_cli_command pks_cli_commands[] = {
    {"facts", PKS_CLI_FACTS, "[OPTION...] [--] [FILE|DIR|-]...", "what is in a pickle",
     "For each pickle: the names that loading it looks up and what becomes of them, the calls it\n"
     "makes, code it carries, modules it carries by value, persistent ids, buffers, extension\n"
     "codes, what was taken for granted, and where it breaks.\n",
     pks_cli_cmd_facts},
    {"ops", PKS_CLI_OPS, "[OPTION...] [--] [FILE|DIR|-]...", "opcode by opcode, with offsets",
     "One line an opcode: offset, name, argument. Where the pickle breaks, the error comes last.\n",
     pks_cli_cmd_ops},
    {"help", PKS_CLI_HELP, "[--completion SHELL] [COMMAND]", "help on a command", "",
     pks_cli_cmd_help},
    {"version", PKS_CLI_VERSION, "", "the version", "", pks_cli_cmd_version},
    {NULL, 0, NULL, NULL, NULL, NULL},
};

const pks_cli_command *pks_cli_find_command(const char *name) {
  for (const pks_cli_command *command = pks_cli_commands; command->name; command++)
    if (strcmp(command->name, name) == 0) return command;
  return NULL;
}
