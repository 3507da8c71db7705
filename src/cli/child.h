/* cli/child.h - an interpreter that is given a program and answers. */
#ifndef PKS_CLI_CHILD_H
#define PKS_CLI_CHILD_H

#include "cli/cli.h"

#define PKS_CLI_CHILD_FD 3                    /* where it answers */
#define PKS_CLI_CHILD_MOST ((size_t)64 << 20) /* bytes of an answer */

typedef struct pks_cli_child {
  const char *program; /* a path, or a name that PATH is searched for */
  pks_span program_text;
  unsigned seconds; /* it is killed after */

  pks_cli_bytes answer;
  int error;        /* of starting it: as errno, or 0                   */
  const char *what; /* what went wrong while it ran, or NULL            */
  int status;       /* as waitpid gives it                              */
  char last[160];   /* the last line that it wrote to standard error    */
  bool line_ended;
} pks_cli_child;

/* True: it ended with exit status 0. Else error, what, status say why, in this order. The answer is the
 * caller's to free in both cases. */
bool pks_cli_child_run(pks_cli_child *child);

#endif
