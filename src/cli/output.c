/* cli/output.c - results: written, flushed, checked and closed, or it is trouble. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
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

/* Writing over an input would destroy it before it is read. */
static bool output_is_input(const pks_cli *cli) {
  struct stat out, in;
  if (stat(cli->set.output, &out) != 0 || !S_ISREG(out.st_mode)) return false;
  for (size_t i = 0; i < cli->set.operands; i++)
    if (stat(cli->set.operand[i], &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
      return true;
  return false;
}

bool pks_cli_output_open(pks_cli *cli) {
  if (cli->set.output && output_is_input(cli)) {
    pks_cli_trouble(cli, cli->set.output, "is an input too; it is not written over");
    return false;
  }
  cli->out = cli->set.output ? fopen(cli->set.output, "wb") : stdout;
  if (!cli->out) {
    pks_cli_trouble_errno(cli, cli->set.output, errno);
    return false;
  }
  /* Help is written piece by piece: with room for all of it, it is the last flush that fails, and says why. */
  static char buffer[64 << 10];
  if (!isatty(fileno(cli->out))) (void)setvbuf(cli->out, buffer, _IOFBF, sizeof buffer);
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
