/* code/flow.h - inside the room: stack depths, and what a version's compiler would have written. */
#ifndef PKS_CODE_FLOW_H
#define PKS_CODE_FLOW_H

#include "code/scan.h"

/* Memory for a walk: a depth for each unit and the places still to visit. */
typedef struct pks_code_flow_memory {
  pks_mem *mem;
  pks_vec *depths, *work;
} pks_code_flow_memory;

typedef struct pks_code_flow {
  bool holds;         /* no underflow, no two depths at one place, the right depth at a return,
                         within co_stacksize */
  bool stack_exact;   /* co_stacksize is what this version's compiler computes */
  bool unreached;     /* some instruction is not reached */
  const int32_t *depths; /* by unit; PKS_DEPTH_NONE: not reached. Until the memory is used again */
} pks_code_flow;
#define PKS_DEPTH_NONE INT32_MIN

/* Walks every path of code that passed a scan under this table (3.6 to 3.12). Each instruction is
 * visited at most 20 times on average; code that needs more does not hold, except in 3.6. False: memory
 * was refused. */
bool pks_code_flow_run(const pks_code_flow_memory *memory, const pks_code_view *view,
                       const pks_code_table *table, const pks_code_scan *scan, pks_code_flow *out);

/* Signs against a version among code that it could have: how many kinds of them there are. flow may be
 * NULL. marks: memory for one byte a constant. False: memory was refused. */
bool pks_code_idioms(pks_mem *mem, pks_vec *marks, const pks_code_view *view,
                     const pks_code_table *table, const pks_code_scan *scan,
                     const pks_code_flow *flow, uint16_t *signs);

#endif
