/* cli/output.c - results: written, flushed, checked and closed, or it is trouble. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"

static bool wants_color(const pks_cli *cli) {
  if (cli->set.color != PKS_CLI_AUTO) return cli->set.color == PKS_CLI_ALWAYS;
  const char *term = getenv("TERM"), *none = getenv("NO_COLOR");
  if (none && *none) return false;
  return term && strcmp(term, "dumb") != 0 && isatty(fileno(cli->out));
}

static int terminal_width(int fd) {
  struct winsize size;
  return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 ? size.ws_col : 0;
}

bool pks_cli_output_open(pks_cli *cli) {
  cli->out = cli->set.output ? fopen(cli->set.output, "wb") : stdout;
  if (!cli->out) {
    pks_cli_trouble_errno(cli, cli->set.output, errno);
    return false;
  }
  cli->color = wants_color(cli);
  cli->width = terminal_width(fileno(cli->out));
  cli->bar = cli->set.progress == PKS_CLI_ALWAYS ||
             (cli->set.progress == PKS_CLI_AUTO && !cli->set.quiet && isatty(STDERR_FILENO) &&
              !isatty(fileno(cli->out)));
  return true;
}

static void failed(pks_cli *cli, int error) {
  if (!cli->stop)
    pks_cli_trouble_errno(cli, cli->set.output ? cli->set.output : "standard output",
                          error ? error : EIO);
  cli->stop = true;
}

int pks_cli_write(void *user, const char *data, size_t size) {
  pks_cli *cli = user;
  if (cli->stop) return 1;
  errno = 0;
  if (fwrite(data, 1, size, cli->out) == size) return 0;
  failed(cli, errno);
  return 1;
}

void pks_cli_output_flush(pks_cli *cli) {
  errno = 0;
  if (!cli->stop && fflush(cli->out) != 0) failed(cli, errno);
}

void pks_cli_output_close(pks_cli *cli) {
  pks_cli_output_flush(cli);
  errno = 0;
  if (ferror(cli->out)) failed(cli, errno);
  if (fclose(cli->out) != 0) failed(cli, errno);
}
