/* capture/script.h - the script that captures an interpreter, and what a capture asks for. */
#ifndef PKS_CAPTURE_SCRIPT_H
#define PKS_CAPTURE_SCRIPT_H

#include <stdbool.h>

#include <picklesight.h>

/* src/capture/capture.py, ASCII. */
extern const char pks_capture_script[];

/* A module whose names are all asked for; with `name`, that name of it; with "", whether it is there. */
typedef struct pks_capture_ask {
  pks_span module;
  const pks_span *name; /* NULL: all names */
} pks_capture_ask;

typedef struct pks_capture_request {
  bool main_open;
  const pks_span *main; /* names that the entry script defines */
  size_t mains;
  bool only;        /* nothing but what is asked for */
  bool inside;      /* in this process: nothing is forked, nothing is imported */
  int fd;           /* where the script writes; -1: standard output */
  unsigned timeout; /* seconds for one import */
} pks_capture_request;

/* Writes `REQUEST = {...}` and the script: a Python program. `next` gives what is asked for, one at a time, until
 * it gives false; it is asked twice. Texts are UTF-8. PKS_OK, or PKS_E_IO when write failed. */
typedef bool (*pks_capture_next_fn)(void *user, size_t index, pks_capture_ask *ask);
pks_status pks_capture_write(const pks_capture_request *request, pks_capture_next_fn next,
                             void *asks, pks_write_fn write, void *user);

#endif
