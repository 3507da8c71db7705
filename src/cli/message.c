/* cli/message.c - standard error: messages and the progress line. All that is quoted is escaped. */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

static int to_stderr(void *user, const char *data, size_t size) {
  (void)user;
  return fwrite(data, 1, size, stderr) == size ? 0 : 1;
}

static void begin(pks_cli *cli, pks_text_out *out) {
  pks_cli_progress_end(cli);
  pks_report_text_init(out, to_stderr, NULL);
  pks_report_put(out, "picklesight: ");
}

static void finish(pks_text_out *out) {
  pks_report_put(out, "\n");
  pks_report_text_flush(out);
}

void pks_cli_usage(pks_cli *cli, const char *before, const char *what, const char *after) {
  pks_text_out out;
  cli->outcome |= PKS_CLI_TROUBLE;
  begin(cli, &out);
  pks_report_put(&out, before);
  if (what) {
    size_t size = strlen(before);
    bool option = size > 2 && before[size - 1] == '-'; /* the name of one */
    pks_report_put(&out, option ? "" : " '");
    pks_report_put_string(&out, what);
    pks_report_put(&out, option ? "" : "'");
  }
  if (after) {
    pks_report_put(&out, " ");
    pks_report_put(&out, after);
  }
  pks_report_put(&out, cli->set.command ? "\nusage: picklesight " : "\nusage: picklesight COMMAND");
  if (cli->set.command) {
    pks_report_put(&out, cli->set.command->name);
    if (*cli->set.command->operands) pks_report_put(&out, " ");
    pks_report_put(&out, cli->set.command->operands);
  } else {
    pks_report_put(&out, " [OPTION...] [--] [FILE|DIR|-]...");
  }
  pks_report_put(&out, "\n'picklesight help' says more");
  finish(&out);
}

static void say(pks_cli *cli, const char *file, const char *text) {
  pks_text_out out;
  begin(cli, &out);
  if (file) {
    pks_report_put_string(&out, file);
    pks_report_put(&out, ": ");
  }
  pks_report_put_string(&out, text);
  finish(&out);
}

void pks_cli_trouble(pks_cli *cli, const char *file, const char *text) {
  cli->outcome |= PKS_CLI_TROUBLE;
  say(cli, file, text);
}

void pks_cli_trouble_errno(pks_cli *cli, const char *file, int error) {
  pks_cli_trouble(cli, file, strerror(error));
}

void pks_cli_note(pks_cli *cli, const char *file, const char *text) {
  if (cli->set.verbose && !cli->set.quiet) say(cli, file, text);
}

void pks_cli_skipped(pks_cli *cli, const char *path, const char *reason) {
  pks_text_out out;
  if (cli->set.quiet) return;
  begin(cli, &out);
  pks_report_put_string(&out, path);
  pks_report_put(&out, ": skipped: ");
  pks_report_put(&out, reason);
  finish(&out);
}

void pks_cli_payload_error(pks_cli *cli, const pks_place *place, const pks_error *error) {
  if (!cli->set.quiet) pks_cli_file_error(cli, place, error);
}

void pks_cli_file_error(pks_cli *cli, const pks_place *place, const pks_error *error) {
  pks_text_out out;
  begin(cli, &out);
  pks_report_put_string(&out, place->path);
  pks_report_put(&out, ": ");
  if (error->status == PKS_E_IO && error->offset == 0 &&
      !error->stored) { /* it could not be opened */
    pks_report_put_string(&out, error->text);
    finish(&out);
    return;
  }
  pks_report_put(&out, "offset ");
  pks_report_put_uint(&out, error->offset);
  pks_report_put(&out, ": ");
  pks_report_put_string(&out, error->text);
  pks_report_put(&out, " (");
  pks_report_put(&out, pks_status_name(error->status));
  if (error->opcode) {
    pks_report_put(&out, " at ");
    pks_report_put(&out, error->opcode);
  }
  pks_report_put(&out, ")");
  pks_report_put_stored(&out, error);
  if (place->offset > 0) {
    pks_report_put(&out, " of the pickle at ");
    pks_report_put_int(&out, place->offset);
  }
  if (place->looks_like) {
    pks_report_put(&out, "; looks like ");
    pks_report_put_string(&out, place->looks_like);
  }
  finish(&out);
}

/* ---- progress ---------------------------------------------------------------------------------- */

static double now(void) {
  struct timespec t;
  if (clock_gettime(CLOCK_MONOTONIC, &t) != 0) return 0;
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* At most ten times a second, and not in the first half second. */
void pks_cli_progress(pks_cli *cli, const char *path) {
  pks_text_out out;
  if (!cli->bar) return;
  double time = now();
  if (cli->shown == 0) cli->shown = cli->set.progress == PKS_CLI_ALWAYS ? time - 1 : time + 0.4;
  if (time - cli->shown < 0.1) return;
  cli->shown = time;
  cli->drawn = true;
  pks_report_text_init(&out, to_stderr, NULL);
  pks_report_put(&out, "\r\033[K");
  pks_report_put_uint(&out, cli->files);
  pks_report_put(&out, cli->files == 1 ? " file, " : " files, ");
  pks_report_put_uint(&out, cli->bytes >> 20);
  pks_report_put(&out, " MiB  ");
  pks_report_put_text(&out, (pks_span){(const uint8_t *)path, strlen(path)}, 48);
  pks_report_text_flush(&out);
}

/* Takes the line away. */
void pks_cli_progress_end(pks_cli *cli) {
  if (cli->drawn) fputs("\r\033[K", stderr);
  cli->drawn = false;
}
