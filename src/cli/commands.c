/* cli/commands.c - the table of commands. */
#include <string.h>

#include "cli/cli.h"

const pks_cli_command pks_cli_commands[] = {
    {"check", PKS_CLI_CHECK,
     "--against TARGET [--with NAME==VERSION]... [--bare] [OPTION...] [--] [FILE|DIR|-]...",
     "will it load and run there?",
     "For each pickle and each target a verdict: loads, unsure, fails or broken, and what is "
     "missing,\n"
     "different or not known there. A TARGET is a built-in Python (see 'picklesight targets') or "
     "a\n"
     "file with a fingerprint. Built-in ones know their standard library; say with --with which\n"
     "distributions are installed too, and with --bare that nothing else is. A .pyc file or a "
     "code\n"
     "object that marshal wrote is asked the same: is it taken there, and does it run?\n",
     pks_cli_cmd_check},
    {"needs", PKS_CLI_NEEDS, "[OPTION...] [--] [FILE|DIR|-]...", "what it asks of a target",
     "All that a target must have: protocol, modules, names, code constructor, bytecode and "
     "more;\n"
     "of a .pyc file or a marshalled code object its layout, bytecode and imports.\n",
     pks_cli_cmd_needs},
    {"facts", PKS_CLI_FACTS, "[OPTION...] [--] [FILE|DIR|-]...", "what is in a pickle",
     "For each pickle: the names that loading it looks up and what becomes of them, the calls it\n"
     "makes, code it carries, modules it carries by value, persistent ids, buffers, extension\n"
     "codes, what was taken for granted, and where it breaks. Of a .pyc file and of a code object\n"
     "that marshal wrote: the code in it.\n",
     pks_cli_cmd_facts},
    {"ops", PKS_CLI_OPS, "[OPTION...] [--] [FILE|DIR|-]...", "opcode by opcode, with offsets",
     "One line an opcode: offset, name, argument. Where the pickle breaks, the error comes last.\n",
     pks_cli_cmd_ops},
    {"targets", PKS_CLI_TARGETS, "[OPTION...]", "the built-in targets",
     "With a third number (cpython-3.13.5) a name also says which micro version; what came within\n"
     "3.13 is then known, too.\n",
     pks_cli_cmd_targets},
    {"show", PKS_CLI_SHOW, "[OPTION...] [--] TARGET", "what is known of a target",
     "With --json the fingerprint itself, in the canonical form whose SHA-256 is the target's "
     "id.\n",
     pks_cli_cmd_show},
    {"common", PKS_CLI_COMMON, "[OPTION...] [--] TARGET TARGET...", "what several targets share",
     "The highest protocol that all of them read, which of them run the same bytecode, which "
     "modules\n"
     "all or some of them have, and distributions whose versions differ. Exit status 0: they all "
     "run\n"
     "the same bytecode; 1: they do not.\n",
     pks_cli_cmd_common},
    {"capture", PKS_CLI_CAPTURE,
     "[--python EXE] [--modules A,B,...] [--for REPORT] [--main open|closed|NAME,...]",
     "print the fingerprint of an interpreter",
     "Runs a script with the interpreter and prints what it and its environment are, as a target\n"
     "to check against: versions, the modules that are there, the distributions that are "
     "installed.\n"
     "Folders are read for that and nothing is imported, but for the modules whose names are "
     "asked\n"
     "for. No path, host, user or time is in it: the same environment has the same fingerprint.\n",
     pks_cli_cmd_capture},
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
