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
  bool holds;            /* no underflow, no two depths at one place, the right depth at a return */
  bool settles;          /* no way round a loop makes the stack higher each time */
  bool fits;             /* in co_stacksize */
  bool stack_exact;      /* co_stacksize is what this version's compiler computes */
  bool unreached;        /* some instruction is not reached */
  const int32_t *depths; /* by unit; PKS_DEPTH_NONE: not reached. Until the memory is used again */
} pks_code_flow;
#define PKS_DEPTH_NONE INT32_MIN

/* Walks every path of code that passed a scan under this table (3.6 to 3.12). Each instruction is
 * visited at most 20 times on average. False: memory was refused. */
bool pks_code_flow_run(const pks_code_flow_memory *memory, const pks_code_view *view,
                       const pks_code_table *table, const pks_code_scan *scan, pks_code_flow *out);

/* fits and stack_exact as 3.6 computes them; *out is that of 3.7 or 3.6. Uses the memory again. */
bool pks_code_flow_size_3_6(const pks_code_flow_memory *memory, const pks_code_view *view,
                            const pks_code_table *table, const pks_code_scan *scan,
                            pks_code_flow *out);

/* What one pass finds of the signs that an instruction and its neighbours can give. */
typedef struct pks_code_gather {
  const pks_code_view *view;
  const pks_code_table *table;
  const pks_code_scan *scan;
  uint8_t *marks; /* by constant; until the memory is used again */
  uint32_t const_count;
  int64_t last_name;            /* highest index in co_names that occurs; -1: none */
  bool display;                 /* a list or set of three or more constants, built one by one */
  bool call_ex;                 /* keywords of f(**kw) do not come from a merge */
  bool return_const;            /* a constant is returned by two instructions */
  bool aiter_waits, aiter_goes; /* async for awaits what __aiter__ gave; does not */
  bool attribute_called;        /* obj.name(...) loads an attribute and calls it */
  uint8_t last_flags;           /* of the last instruction */
} pks_code_gather;

/* depths (may be NULL) serve attribute_called. False: memory was refused. */
bool pks_code_gather_run(pks_mem *mem, pks_vec *marks, const pks_code_view *view,
                         const pks_code_table *table, const pks_code_scan *scan,
                         const int32_t *depths, pks_code_gather *out);

/* How many kinds of signs there are against Python 3.minor. flow may be NULL. */
uint16_t pks_code_signs(const pks_code_gather *gather, unsigned minor, const pks_code_flow *flow);

/* lnotab with a step of no line: 3.8 writes such steps, 3.9 does not. */
bool pks_code_zero_line_step(const pks_code_view *view);

#endif
