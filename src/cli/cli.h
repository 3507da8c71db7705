/* cli/cli.h - what the files of the command line share.
 *
 *   main.c      from arguments to exit status        options.c   arguments -> settings
 *   commands.c  the table of commands                help.c      help, version, completions
 *   inputs.c    operands -> files                    reader.c    a file -> payloads
 *   source.c    a file -> bytes                      mapping.c   a file in memory that may shrink
 *   sniff.c     what the bytes of no pickle are      code_files.c  .pyc and marshal among files
 *   output.c    results                              message.c   standard error, progress
 *   targets.c   names and files -> targets           bytes.c     files, in memory
 *   child.c     an interpreter that answers          asks.c      reports -> questions for a capture
 *   cmd_*.c     one command each, or two
 */
#ifndef PKS_CLI_CLI_H
#define PKS_CLI_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "report/text_out.h"

/* ---- commands and options -------------------------------------------------------------------- */

/* Bits of pks_cli_option.commands. */
#define PKS_CLI_FACTS 1u
#define PKS_CLI_OPS 2u
#define PKS_CLI_HELP 4u
#define PKS_CLI_VERSION 8u
#define PKS_CLI_CHECK 16u
#define PKS_CLI_NEEDS 32u
#define PKS_CLI_TARGETS 64u
#define PKS_CLI_SHOW 128u
#define PKS_CLI_COMMON 256u
#define PKS_CLI_CAPTURE 512u
/* Commands that read payloads; those that have results. */
#define PKS_CLI_READING (PKS_CLI_FACTS | PKS_CLI_OPS | PKS_CLI_CHECK | PKS_CLI_NEEDS)
#define PKS_CLI_TELLING (PKS_CLI_READING | PKS_CLI_TARGETS | PKS_CLI_SHOW | PKS_CLI_COMMON)
#define PKS_CLI_ANY (~0u)

typedef struct pks_cli pks_cli;

typedef struct pks_cli_command {
  const char *name;
  unsigned bit;
  const char *operands; /* as in its usage line */
  const char *summary;
  const char *details; /* paragraphs for its help */
  void (*run)(pks_cli *cli);
} pks_cli_command;
extern const pks_cli_command pks_cli_commands[]; /* ended by a NULL name */
const pks_cli_command *pks_cli_find_command(const char *name);

typedef enum pks_cli_option_id {
#define OPTION(id, letter, name, argument, commands, choices, help) PKS_CLI_OPTION_##id,
#include "cli/options.def"
#undef OPTION
  PKS_CLI_OPTION_COUNT
} pks_cli_option_id;

typedef struct pks_cli_option {
  char letter;
  const char *name, *argument;
  unsigned commands;
  const char *choices, *help;
} pks_cli_option;
extern const pks_cli_option pks_cli_options[PKS_CLI_OPTION_COUNT];

typedef enum pks_cli_when { PKS_CLI_AUTO, PKS_CLI_ALWAYS, PKS_CLI_NEVER } pks_cli_when;

/* --against, --with, --bare: in the order in which they were given, because the last two are about the
 * --against before them; and --modules, --for. */
typedef struct pks_cli_step {
  pks_cli_option_id option;
  const char *text;
} pks_cli_step;

#define PKS_CLI_MAX_OUTPUT (4ull << 30)

typedef struct pks_cli_settings {
  const pks_cli_command *command;                  /* NULL: none was named */
  unsigned seen[(PKS_CLI_OPTION_COUNT + 31) / 32]; /* options that were given */
  pks_format format;
  const char *output, *files0_from, *completion;
  pks_limits limits;
  uint64_t max_output;
  pks_cli_when color, progress;
  bool quiet, verbose, help, version, all, any, code, list_limits;
  uint16_t as_magic;       /* of the bytecode that --as names, or 0 */
  const char *as_bytecode; /* what --as names, when it is not an unpickler's Python; or NULL */
  int unsure;              /* exit status that 3 becomes */
  pks_options options;
  const char *loader; /* NULL: not said */
  const char *python, *main, *from;
  bool script;
  pks_cli_step *step;
  size_t steps;
  char **operand; /* as in argv */
  size_t operands;
} pks_cli_settings;

/* set.operand and set.step: room for argc each. False: a message was written. */
bool pks_cli_parse(pks_cli *cli, int argc, char **argv);
void pks_cli_list_limits(FILE *file);

/* ---- one run --------------------------------------------------------------------------------- */

/* Bits of pks_cli.outcome. */
#define PKS_CLI_FAILS 1u
#define PKS_CLI_TROUBLE 2u
#define PKS_CLI_UNSURE 4u

struct pks_cli {
  pks_cli_settings set;
  unsigned outcome;
  bool stop; /* a write failed: nothing that is still read could be told */
  FILE *out;
  bool color; /* of results */
  int width;  /* of the terminal that they go to; 0: to none */
  uint64_t files, bytes;
  pks_target **target; /* what is checked against */
  size_t targets;
  pks_inspector **inspector; /* all read the same bytes; NULL: one, as the options say */
  size_t inspectors;
  pks_status refused; /* PKS_OK, or why there is no inspector (or decoder) to read with */
  uint8_t *buffer;    /* PKS_CLI_PIECE bytes as read, as many inflated */
  double shown;       /* when progress was shown last; 0: never */
  bool bar, drawn;
};
#define PKS_CLI_PIECE ((size_t)64 << 10)

/* ---- message.c ------------------------------------------------------------------------------- */

/* "picklesight: BEFORE 'WHAT' AFTER" and where help is; counts as trouble. what and after may be NULL.
 * BEFORE "... --": WHAT is an option's name. */
void pks_cli_usage(pks_cli *cli, const char *before, const char *what, const char *after);
/* "picklesight: FILE: TEXT"; counts as trouble. */
void pks_cli_trouble(pks_cli *cli, const char *file, const char *text);
/* As pks_cli_trouble with what errno says. */
void pks_cli_trouble_errno(pks_cli *cli, const char *file, int error);
/* Only with -v: "picklesight: FILE: TEXT". */
void pks_cli_note(pks_cli *cli, const char *file, const char *text);
/* "picklesight: FILE: offset N: TEXT (STATUS)..."; of a payload, not with -q. */
void pks_cli_file_error(pks_cli *cli, const pks_place *place, const pks_error *error);
void pks_cli_payload_error(pks_cli *cli, const pks_place *place, const pks_error *error);
/* "picklesight: FILE: skipped: REASON"; not with -q. */
void pks_cli_skipped(pks_cli *cli, const char *path, const char *reason);
void pks_cli_progress(pks_cli *cli, const char *path);
void pks_cli_progress_end(pks_cli *cli);

/* ---- output.c -------------------------------------------------------------------------------- */

bool pks_cli_output_open(pks_cli *cli);
/* A pks_write_fn; user is the pks_cli. */
int pks_cli_write(void *user, const char *data, size_t size);
void pks_cli_output_flush(pks_cli *cli);
void pks_cli_output_close(pks_cli *cli);

/* ---- bytes.c --------------------------------------------------------------------------------- */

typedef struct pks_cli_bytes {
  char *data; /* of malloc */
  size_t size, capacity;
} pks_cli_bytes;

/* False: no memory. */
bool pks_cli_bytes_add(pks_cli_bytes *bytes, const void *data, size_t size);
/* All of a file, or of standard input ("-"), and no more of it than max_memory. False: a message was
 * written. */
bool pks_cli_bytes_read(pks_cli *cli, const char *path, pks_cli_bytes *bytes);

/* ---- targets.c ------------------------------------------------------------------------------- */

/* A built-in target or a fingerprint file, with the loader that the options name. NULL: a message was
 * written. */
pks_target *pks_cli_target_open(pks_cli *cli, const char *name);
/* The loader that the command line names in place of the target's own. False: a message was written. */
bool pks_cli_target_loading(pks_cli *cli, const char *name, pks_target *target);
/* --with and --bare, from step `at` on up to the next --against. False: a message was written. */
bool pks_cli_target_change(pks_cli *cli, pks_target *target, size_t at);
/* Fills cli->target and cli->inspector from --against, --with and --bare. */
bool pks_cli_targets_open(pks_cli *cli);
void pks_cli_targets_close(pks_cli *cli);

/* ---- inputs.c, reader.c ---------------------------------------------------------------------- */

/* What a command does with payloads. begin and bytes may be NULL. */
typedef struct pks_cli_visitor {
  void *user;
  bool judges; /* `end` says what is wrong with a payload and counts it, not the reader */
  bool code;   /* takes .pyc files and marshal streams, too */
  void (*begin)(void *user, const pks_place *place);
  /* Bytes of the payload, in order, which inspector has read (it may have found an error there). */
  void (*bytes)(void *user, const pks_inspector *inspector, const uint8_t *data, size_t size);
  /* inspector: the first, all are cli->inspector. NULL: place->error or place->skipped says why. */
  void (*end)(void *user, const pks_place *place, const pks_inspector *inspector);
} pks_cli_visitor;

/* All inputs that the settings name. */
void pks_cli_read_all(pks_cli *cli, const pks_cli_visitor *visitor);
/* One file; "-" is standard input. */
void pks_cli_read_file(pks_cli *cli, const char *path, const pks_cli_visitor *visitor);
/* One that is not opened on purpose: it is said and counted, and never passes. */
void pks_cli_skip_file(pks_cli *cli, const char *path, const char *reason,
                       const pks_cli_visitor *visitor);
/* A file or folder that could not be opened: what errno says. */
void pks_cli_fail_file(pks_cli *cli, const char *path, int error, const pks_cli_visitor *visitor);
/* One more that reads all payloads. False: cli->refused says why, and no file is read. */
bool pks_cli_inspector_add(pks_cli *cli, const pks_options *options);

/* ---- sniff.c --------------------------------------------------------------------------------- */

/* What bytes that are no pickle seem to be, or NULL. binary_only: not whether it is text. Static. */
const char *pks_cli_sniff(const uint8_t *head, size_t size, bool binary_only);
/* The same for what follows a file's last pickle. Never NULL. */
const char *pks_cli_sniff_rest(const uint8_t *head, size_t size);

/* ---- commands -------------------------------------------------------------------------------- */

void pks_cli_cmd_check(pks_cli *cli);
void pks_cli_cmd_needs(pks_cli *cli);
void pks_cli_cmd_targets(pks_cli *cli);
void pks_cli_cmd_show(pks_cli *cli);
void pks_cli_cmd_common(pks_cli *cli);
void pks_cli_cmd_capture(pks_cli *cli);
void pks_cli_cmd_facts(pks_cli *cli);
void pks_cli_cmd_ops(pks_cli *cli);
void pks_cli_cmd_help(pks_cli *cli);
void pks_cli_cmd_version(pks_cli *cli);

#endif
