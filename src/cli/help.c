/* cli/help.c - help, version and completions, from the tables of commands and options. */
#include <string.h>

#include "cli/cli.h"

void pks_cli_cmd_version(pks_cli *cli) { fprintf(cli->out, "picklesight %s\n", pks_version()); }

/* ---- help ------------------------------------------------------------------------------------------ */

static void list_options(FILE *out, unsigned commands) {
  for (size_t i = 0; i < PKS_CLI_OPTION_COUNT; i++) {
    const pks_cli_option *option = &pks_cli_options[i];
    char text[48];
    if (!(option->commands & commands)) continue;
    snprintf(text, sizeof text, "--%s%s%s", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    if (option->letter)
      fprintf(out, "  -%c, %-22s %s\n", option->letter, text, option->help);
    else
      fprintf(out, "      %-22s %s\n", text, option->help);
  }
}

static void help_command(FILE *out, const pks_cli_command *command) {
  bool asks = command->summary[strlen(command->summary) - 1] == '?';
  fprintf(out, "usage: picklesight %s%s%s\n\n", command->name, *command->operands ? " " : "",
          command->operands);
  fprintf(out, "%s: %s%s\n%s\nOptions:\n", command->name, command->summary, asks ? "" : ".",
          command->details);
  list_options(out, command->bit);
}

static void help_all(FILE *out) {
  fputs(
      "usage: picklesight COMMAND [OPTION...] [--] [FILE|DIR|-]...\n\n"
      "Looks into Python pickles without loading them and says what they need, and whether a\n"
      "target can load and run them. Nothing a pickle names is imported, called or opened, and "
      "the\n"
      "network is not used. Without FILE, standard input is read. Folders are searched; gzip and\n"
      "zlib files are inflated; several pickles in a row in one file are read one after the "
      "other.\n"
      "\nCommands:\n",
      out);
  for (const pks_cli_command *command = pks_cli_commands; command->name; command++)
    fprintf(out, "  %-9s %s\n", command->name, command->summary);
  fputs("\nOptions:\n", out);
  list_options(out, PKS_CLI_TELLING);
  fputs("\nExit status: 0 all loads (commands that only read: all was read to its end); 1 a pickle "
        "fails\n"
        "its target; 2 trouble (usage, a file that cannot be read, a broken pickle, a failed "
        "write);\n"
        "3 nothing fails, but something is not certain or over a limit. When several apply: 1, "
        "then 2,\n"
        "then 3.\n",
        out);
}

/* ---- completions ----------------------------------------------------------------------------------- */

static void words_of_options(FILE *out, unsigned commands) {
  const char *before = "";
  for (size_t i = 0; i < PKS_CLI_OPTION_COUNT; i++) {
    if (!(pks_cli_options[i].commands & commands)) continue;
    fprintf(out, "%s--%s", before, pks_cli_options[i].name);
    before = " ";
  }
}

static void words_of_commands(FILE *out) {
  for (const pks_cli_command *command = pks_cli_commands; command->name; command++)
    fprintf(out, "%s%s", command == pks_cli_commands ? "" : " ", command->name);
}

static bool is_file(const pks_cli_option *option) {
  return option->choices && strcmp(option->choices, "FILE") == 0;
}

static bool is_target(const pks_cli_option *option) {
  return option->choices && strcmp(option->choices, "TARGET") == 0;
}

/* The command's operands are targets, not payloads. */
static bool takes_targets(const pks_cli_command *command) {
  return (command->bit & (PKS_CLI_SHOW | PKS_CLI_COMMON)) != 0;
}

static void words_of_targets(FILE *out) {
  for (size_t i = 0; i < pks_target_count(); i++)
    fprintf(out, "%s%s", i ? " " : "", pks_target_name(i));
}

static void complete_bash(FILE *out) {
  fputs("# bash completion of picklesight: source <(picklesight help --completion bash)\n"
        "_picklesight() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= i\n"
        "  local targets='",
        out);
  words_of_targets(out);
  fputs("'\n"
        "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "    case ${COMP_WORDS[i]} in -*) ;; *) command=${COMP_WORDS[i]}; break ;; esac\n"
        "  done\n"
        "  COMPREPLY=()\n"
        "  case $before in\n",
        out);
  for (size_t i = 0; i < PKS_CLI_OPTION_COUNT; i++) {
    const pks_cli_option *option = &pks_cli_options[i];
    if (!option->argument) continue;
    fprintf(out, "    --%s) ", option->name);
    if (is_target(option))
      fputs("COMPREPLY=($(compgen -W \"$targets\" -- \"$word\") $(compgen -f -- \"$word\")); ",
            out);
    else if (is_file(option))
      fputs("COMPREPLY=($(compgen -f -- \"$word\")); ", out);
    else if (option->choices)
      fprintf(out, "COMPREPLY=($(compgen -W '%s' -- \"$word\")); ", option->choices);
    fputs("return ;;\n", out);
  }
  fputs("  esac\n  case $command in\n", out);
  for (const pks_cli_command *command = pks_cli_commands; command->name; command++) {
    fprintf(out, "    %s) set -- '", command->name);
    words_of_options(out, command->bit);
    fputs(takes_targets(command) ? "' \"$targets\" ;;\n" : "' '' ;;\n", out);
  }
  fputs("    *) COMPREPLY=($(compgen -W '", out);
  words_of_commands(out);
  fputs("' -- \"$word\")); return ;;\n"
        "  esac\n"
        "  case $word in\n"
        "    -*) COMPREPLY=($(compgen -W \"$1\" -- \"$word\")) ;;\n"
        "    *) COMPREPLY=($(compgen -W \"$2\" -- \"$word\") $(compgen -f -- \"$word\")) ;;\n"
        "  esac\n"
        "}\n"
        "complete -o filenames -F _picklesight picklesight\n",
        out);
}

/* '...' in a shell. */
static void quote(FILE *out, const char *text, const char *escape) {
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", out);
    else
      fprintf(out, "%s%c", strchr(escape, *text) ? "\\" : "", *text);
  }
}

static void complete_zsh(FILE *out) {
  fputs("#compdef picklesight\n# zsh completion of picklesight\n"
        "_picklesight_target() { _files; compadd ",
        out);
  words_of_targets(out);
  fputs("; }\n_picklesight() {\n  local -a commands\n  commands=(\n", out);
  for (const pks_cli_command *command = pks_cli_commands; command->name; command++) {
    fprintf(out, "    '%s:", command->name);
    quote(out, command->summary, ":");
    fputs("'\n", out);
  }
  fputs("  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
        "  case $words[2] in\n",
        out);
  for (const pks_cli_command *command = pks_cli_commands; command->name; command++) {
    fprintf(out, "    %s) _arguments \\\n", command->name);
    for (size_t i = 0; i < PKS_CLI_OPTION_COUNT; i++) {
      const pks_cli_option *option = &pks_cli_options[i];
      if (!(option->commands & command->bit)) continue;
      fprintf(out, "      '--%s[", option->name);
      quote(out, option->help, "[]:");
      fputs("]", out);
      if (option->argument) {
        fprintf(out, ":%s:", option->argument);
        if (is_target(option))
          fputs("_picklesight_target", out);
        else if (is_file(option))
          fputs("_files", out);
        else if (option->choices)
          fprintf(out, "(%s)", option->choices);
      }
      fputs("' \\\n", out);
    }
    fprintf(out, "      '*:%s' ;;\n",
            takes_targets(command) ? "target:_picklesight_target" : "file:_files");
  }
  fputs("  esac\n}\n_picklesight \"$@\"\n", out);
}

static void complete_fish(FILE *out) {
  fputs("# fish completion of picklesight: picklesight help --completion fish | source\n", out);
  for (const pks_cli_command *command = pks_cli_commands; command->name; command++) {
    fprintf(out, "complete -c picklesight -n __fish_use_subcommand -a %s -d '", command->name);
    quote(out, command->summary, "");
    fputs("'\n", out);
    for (size_t i = 0; i < PKS_CLI_OPTION_COUNT; i++) {
      const pks_cli_option *option = &pks_cli_options[i];
      if (!(option->commands & command->bit)) continue;
      fprintf(out, "complete -c picklesight -n '__fish_seen_subcommand_from %s' -l %s",
              command->name, option->name);
      if (option->letter) fprintf(out, " -s %c", option->letter);
      if (option->argument) fputs(is_file(option) || is_target(option) ? " -rF" : " -x", out);
      if (is_target(option)) {
        fputs(" -a '", out);
        words_of_targets(out);
        fputs("'", out);
      } else if (option->choices && !is_file(option)) {
        fprintf(out, " -a '%s'", option->choices);
      }
      fputs(" -d '", out);
      quote(out, option->help, "");
      fputs("'\n", out);
    }
  }
}

void pks_cli_cmd_help(pks_cli *cli) {
  const pks_cli_settings *set = &cli->set;
  const pks_cli_command *about = set->command;
  if (set->completion && strcmp(set->completion, "bash") == 0) {
    complete_bash(cli->out);
  } else if (set->completion && strcmp(set->completion, "zsh") == 0) {
    complete_zsh(cli->out);
  } else if (set->completion && strcmp(set->completion, "fish") == 0) {
    complete_fish(cli->out);
  } else if (set->completion) {
    pks_cli_usage(cli, "no completions for", set->completion, NULL);
  } else if (set->operands > 0 && about && about->bit == PKS_CLI_HELP) {
    about = pks_cli_find_command(set->operand[0]);
    if (about)
      help_command(cli->out, about);
    else
      pks_cli_usage(cli, "no command", set->operand[0], NULL);
  } else if (about && about->bit != PKS_CLI_HELP) {
    help_command(cli->out, about);
  } else {
    help_all(cli->out);
  }
}
