/* code/list.h - the instructions of a code object under one version, as `dis` shows them. */
#ifndef PKS_CODE_LIST_H
#define PKS_CODE_LIST_H

#include "code/infer.h"

typedef struct pks_code_line {
  size_t offset;    /* of the instruction, after its EXTENDED_ARGs                */
  size_t start;     /* of the first of those                                      */
  size_t end;       /* of what comes next                                         */
  const char *name; /* "LOAD_FAST"; "?": no instruction of this version. Static */
  uint8_t number;
  bool known;    /* false: name is "?"                                         */
  bool labelled; /* something jumps here                                       */
  uint32_t arg;
  pks_operand operand;
  pks_span text, text2;        /* data NULL: the index is out of range, or names were not kept */
  const pks_code_value *value; /* NULL: likewise                               */
  size_t target;               /* SIZE_MAX: out of the code                    */
} pks_code_line;

/* Zero-initialise. */
typedef struct pks_code_list {
  const void *table;
  const uint8_t *code;
  size_t size, at;
  unsigned minor;
  const pks_code_value *consts, *names, *locals, *cells, *frees; /* tuples */
  size_t shared_cells; /* cells that are locals too: the first ones */
  pks_vec text, targets;
} pks_code_list;

/* args as for pks_code_inspect; they must stay. PKS_OK; PKS_E_PYTHON: no table for this version;
 * PKS_E_CODE: no code object, or its bytecode was not kept; or memory was refused. */
PKS_MUST pks_status pks_code_list_start(pks_code_list *list, pks_mem *mem,
                                        const pks_code_value *args, size_t argc, unsigned flags,
                                        unsigned version);
/* False at the end. Bytes at the end that are no instruction come as one line named "?". */
bool pks_code_list_next(pks_code_list *list, pks_code_line *out);
void pks_code_list_free(pks_code_list *list, pks_mem *mem);

#endif
