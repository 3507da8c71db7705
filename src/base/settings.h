/* base/settings.h - a caller's options and limits over the defaults. */
#ifndef PKS_BASE_SETTINGS_H
#define PKS_BASE_SETTINGS_H

#include <picklesight.h>

/* *out: the defaults, overlaid with as much of `given` (may be NULL) as its size says. PKS_E_USAGE when
 * that size is none, or a value of the options is none of its kind. */
pks_status pks_base_options(pks_options *out, const pks_options *given);
pks_status pks_base_limits(pks_limits *out, const pks_limits *given);

#endif
