/* code/inspection.h - inside the room: one code object on its way to its facts. */
#ifndef PKS_CODE_INSPECTION_H
#define PKS_CODE_INSPECTION_H

#include "code/scan.h"

#define PKS_BIT(id) PKS_CODE_BIT(PKS_CODE_##id)
#define PKS_SET_15 (PKS_BIT(CPYTHON_3_6) | PKS_BIT(CPYTHON_3_7))
#define PKS_SET_OLD_16 (PKS_BIT(CPYTHON_3_8) | PKS_BIT(CPYTHON_3_9))
#define PKS_SET_16 (PKS_SET_OLD_16 | PKS_BIT(CPYTHON_3_10))
#define PKS_SET_18                                                                                 \
  (PKS_BIT(CPYTHON_3_11) | PKS_BIT(CPYTHON_3_12) | PKS_BIT(CPYTHON_3_13) | PKS_BIT(CPYTHON_3_14) | \
   PKS_BIT(CPYTHON_3_15))

/* Most versions tried on one code object that may pass: the five of 18 arguments. */
#define PKS_SLOTS 5

typedef struct pks_inspection {
  pks_code_scratch *scratch;
  pks_mem *mem;
  pks_code_view view;
  pks_code_facts *out;
  unsigned flags;
  bool borrowed;      /* 3.10 was tried with an lnotab: no table says that it is its code */
  pks_code_set alike; /* candidates of which it is known that they read the code alike */
  unsigned passed;    /* versions that passed the scan, in order */
  uint8_t versions[PKS_SLOTS];
  pks_code_scan scans[PKS_SLOTS]; /* what their scans left; scans[passed] is free for the next */
  pks_code_use uses[PKS_SLOTS][PKS_CODE_USES];
} pks_inspection;

/* rank.c: counts signs against the candidates, and takes away those that data flow speaks against.
 * PKS_OK, or why memory was refused. */
pks_status pks_code_rank(pks_inspection *in);

/* sets.c: do two candidates read this code differently, or do other things with it? */
bool pks_code_differ(const pks_inspection *in, unsigned first, unsigned second);
/* All pairs of candidates that do, as bits of pairs.def. */
uint16_t pks_code_conflicts(const pks_inspection *in);
/* Those of a set with the fewest signs against them. */
pks_code_set pks_code_best(pks_code_set set, const uint32_t *soft);

#endif
