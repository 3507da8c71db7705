/* cli/asks.h - what a capture asks an environment: modules and names, from --modules and from reports. */
#ifndef PKS_CLI_ASKS_H
#define PKS_CLI_ASKS_H

#include "base/arena.h"
#include "capture/script.h"
#include "cli/cli.h"

typedef struct pks_cli_asks {
  pks_mem mem;
  pks_arena texts;
  pks_vec asks; /* pks_capture_ask */
} pks_cli_asks;

void pks_cli_asks_init(pks_cli_asks *asks, uint64_t limit);
void pks_cli_asks_free(pks_cli_asks *asks);

/* "A,B": all names of these modules. False: no memory. */
bool pks_cli_asks_modules(pks_cli_asks *asks, const char *list);

/* What the payloads of a report (picklesight-report/1, one object or an object a line) look up. A failure is
 * told by *error. */
bool pks_cli_asks_report(pks_cli_asks *asks, const void *data, size_t size, pks_error *error);

/* A pks_capture_next_fn. */
bool pks_cli_asks_next(void *asks, size_t index, pks_capture_ask *ask);

#endif
