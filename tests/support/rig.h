/* rig.h - the machine alone, with hooks that write down what they are told. */
#ifndef TESTS_RIG_H
#define TESTS_RIG_H

#include <stdio.h>

#include "facts/facts.h"
#include "support/failing.h"

typedef struct rig {
  failing memory;
  pks_mem mem;
  pks_machine m;
  FILE *out;
  char *text;
  size_t text_size, lookups, calls;
} rig;

/* limits may be NULL. */
void rig_open(rig *r, uint32_t python, bool inert, const pks_limits *limits);
/* Runs it whole: what the hooks were told, then the value at STOP, or the failure. Free it. */
char *rig_run(rig *r, const uint8_t *data, size_t size);
/* Aborts when memory is left. */
void rig_close(rig *r);

/* The failure at the end of what is wanted, or NULL. */
const char *rig_failure(const char *want);
/* Runs a program (asm.h) in a rig, and with an inspector in every cut; aborts when that is not what is
 * wanted. STOP is added unless it is to fail before. */
void rig_check(const char *program, uint32_t python, bool inert, const char *want);

#define PY36 PKS_PYTHON(3, 6, 15)
#define PY38 PKS_PYTHON(3, 8, 18)
#define PY311 PKS_PYTHON(3, 11, 7)
#define PY312 PKS_PYTHON(3, 12, 1)
#define PY313 PKS_PYTHON(3, 13, 0)
#define PY314 PKS_PYTHON(3, 14, 2)
#define PY315 PKS_PYTHON(3, 15, 0)

typedef struct program_row {
  const char *program;
  uint32_t python;
  const char *want;
} program_row;

#endif
