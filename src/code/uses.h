/* code/uses.h - inside the room: imports and globals of one code object. */
#ifndef PKS_CODE_USES_H
#define PKS_CODE_USES_H

#include "code/scan.h"

/* Reads them under each version of the set into scratch->imports and scratch->globals. False: memory
 * was refused. */
bool pks_code_uses(pks_code_scratch *scratch, pks_mem *mem, const pks_code_view *view,
                   pks_code_set under);

#endif
