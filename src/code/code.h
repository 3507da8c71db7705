/* code/code.h - code objects: which Python's bytecode is this, and what does it use?
 *
 * This room sees values, not pickles: `facts` turns the arguments of a code constructor into
 * pks_code_value, the marshal reader makes the same from marshal. Nothing here recurses on input. */
#ifndef PKS_CODE_CODE_H
#define PKS_CODE_CODE_H

#include "base/mem.h"

typedef enum pks_code_kind {
  PKS_CV_UNKNOWN = 0, /* only a run could tell, or it was not kept */
  PKS_CV_NONE,
  PKS_CV_BOOL,
  PKS_CV_INT,
  PKS_CV_FLOAT,
  PKS_CV_STR,   /* text: UTF-8 with surrogatepass */
  PKS_CV_BYTES, /* text: raw */
  PKS_CV_TUPLE,
  PKS_CV_FROZENSET,
  PKS_CV_CODE, /* a code object made earlier; number: its index, or -1 */
  PKS_CV_OTHER /* some literal of another kind */
} pks_code_kind;

typedef struct pks_code_value {
  pks_code_kind kind;
  int64_t number;                     /* BOOL, INT (saturated) */
  pks_span text;                      /* STR, BYTES; data NULL: not kept (size is still right) */
  const struct pks_code_value *items; /* TUPLE; NULL: not kept (count is still right) */
  size_t count;
} pks_code_value;

#endif
