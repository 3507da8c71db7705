/* code/uses.h - inside the room: imports and globals of one code object. */
#ifndef PKS_CODE_USES_H
#define PKS_CODE_USES_H

#include "code/inspection.h"

/* Reads them under each version of the set into in->scratch->imports and ->globals. False: memory was
 * refused. */
bool pks_code_uses(pks_inspection *in, pks_code_set under);

#endif
