/* cli/targets.c - names and files to targets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "match/target.h"

/* ---- fingerprint files --------------------------------------------------------------------------- */

static void say_malformed(pks_cli *cli, const char *path, const pks_error *error) {
  const pks_place place = {.size = sizeof place, .path = path};
  cli->outcome |= PKS_CLI_TROUBLE;
  pks_cli_file_error(cli, &place, error);
}

/* `common` shows no id. */
static pks_status read_target(const pks_cli *cli, const pks_cli_bytes *b, pks_target **target,
                              pks_error *error) {
  bool quick = cli->set.command && cli->set.command->bit == PKS_CLI_COMMON;
  return quick ? pks_match_target_read_quick(NULL, b->data, b->size, target, error)
               : pks_target_read(b->data, b->size, NULL, target, error);
}

static pks_target *from_file(pks_cli *cli, const char *path) {
  pks_cli_bytes b = {NULL, 0, 0};
  pks_target *target = NULL;
  pks_error error = {.size = sizeof error, .text = ""};
  if (access(path, F_OK) != 0 && errno == ENOENT) {
    pks_cli_usage(cli, "no target", path, "(a built-in name or a fingerprint file)");
    return NULL;
  }
  if (pks_cli_bytes_read(cli, path, &b) && read_target(cli, &b, &target, &error) != PKS_OK)
    say_malformed(cli, path, &error);
  free(b.data);
  return target;
}

/* ---- targets ------------------------------------------------------------------------------------- */

static bool settle(pks_cli *cli, const char *what, pks_status status) {
  if (status == PKS_OK) return true;
  if (status == PKS_E_USAGE)
    pks_cli_usage(cli, "--with cannot be", what, "(NAME==VERSION)");
  else
    pks_cli_trouble(cli, what, pks_status_text(status));
  return false;
}

bool pks_cli_target_loading(pks_cli *cli, const char *name, pks_target *target) {
  const pks_options *options = &cli->set.options;
  const pks_match_loading loading = {
      .loader = cli->set.loader,
      .encoding = options->encoding,
      .errors = options->errors,
      .buffers = options->buffers == PKS_BUFFERS_UNKNOWN ? PKS_ANSWER_UNKNOWN
                 : options->buffers == PKS_BUFFERS_NONE  ? PKS_ANSWER_NO
                                                         : PKS_ANSWER_YES,
      .persistent_load = options->persistent_load,
  };
  bool said = loading.loader || loading.encoding || loading.errors || loading.buffers ||
              loading.persistent_load;
  pks_status status = said ? pks_match_target_loading(target, &loading, NULL) : PKS_OK;
  if (status != PKS_OK) pks_cli_trouble(cli, name, pks_status_text(status));
  return status == PKS_OK;
}

pks_target *pks_cli_target_open(pks_cli *cli, const char *name) {
  pks_target *target = NULL;
  pks_status status = pks_target_builtin(name, NULL, &target);
  if (status == PKS_E_PYTHON)
    target = from_file(cli, name);
  else if (status != PKS_OK)
    pks_cli_trouble(cli, name, pks_status_text(status));
  if (target && !pks_cli_target_loading(cli, name, target)) {
    pks_target_free(target);
    target = NULL;
  }
  return target;
}

bool pks_cli_target_change(pks_cli *cli, pks_target *target, size_t at) {
  const pks_cli_settings *set = &cli->set;
  for (; at < set->steps && set->step[at].option != PKS_CLI_OPTION_AGAINST; at++) {
    const char *text = set->step[at].text;
    if (set->step[at].option == PKS_CLI_OPTION_BARE
            ? !settle(cli, "--bare", pks_target_bare(target))
            : !settle(cli, text, pks_target_with(target, text)))
      return false;
  }
  return true;
}

/* ---- all that are checked against ------------------------------------------------------------------ */

/* Adds an inspector that reads as the target does. What is asked of the loader is compared with what it is
 * given by the check, so that the reading goes on past the first thing that is lacking; inert stand-ins are
 * for an exact comparison, and stop there. */
static void add_reader(pks_cli *cli, const pks_target *target) {
  pks_options options = cli->set.options;
  if (options.opaque != PKS_OPAQUE_INERT) {
    options.buffers = PKS_BUFFERS_UNKNOWN;
    if (options.persistent_load == PKS_ANSWER_NO) options.persistent_load = PKS_ANSWER_UNKNOWN;
  }
  pks_status status = pks_target_options(target, &options);
  if (status != PKS_OK)
    cli->refused = status;
  else
    (void)pks_cli_inspector_add(cli, &options); /* without it every file says why it is not read */
}

static bool add_target(pks_cli *cli, size_t step) {
  pks_target *target = pks_cli_target_open(cli, cli->set.step[step].text);
  if (!target) return false;
  cli->target[cli->targets++] = target;
  if (!pks_cli_target_change(cli, target, step + 1)) return false;
  add_reader(cli, target);
  return true;
}

bool pks_cli_targets_open(pks_cli *cli) {
  size_t steps = cli->set.steps;
  cli->target = calloc(steps + 1, sizeof *cli->target);
  cli->inspector = calloc(steps + 1, sizeof *cli->inspector);
  if (!cli->target || !cli->inspector) {
    pks_cli_trouble(cli, NULL, "no memory");
    return false;
  }
  for (size_t i = 0; i < steps; i++)
    if (cli->set.step[i].option == PKS_CLI_OPTION_AGAINST && !add_target(cli, i)) return false;
  return true;
}

void pks_cli_targets_close(pks_cli *cli) {
  for (size_t i = 0; i < cli->inspectors; i++) pks_inspector_free(cli->inspector[i]);
  for (size_t i = 0; i < cli->targets; i++) pks_target_free(cli->target[i]);
  free(cli->inspector);
  free(cli->target);
}
