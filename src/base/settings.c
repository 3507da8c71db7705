#include "base/settings.h"

#include <string.h>

static const pks_options default_options = {
    .size = sizeof(pks_options),
    .python = PKS_PYTHON(3, 14, 0xff), /* the newest final one */
    .opaque = PKS_OPAQUE_UNKNOWN,
    .buffers = PKS_BUFFERS_UNKNOWN,
};

static const pks_limits default_limits = {.size = sizeof(pks_limits),
#define X(name, value, text) .name = (value),
                                          PKS_LIMITS_MAP(X)
#undef X
};

/* Copies what fits of `from` into a struct of `size` bytes and restores its size field. */
static pks_status overlay(void *to, const void *from, size_t size, size_t most) {
  if (size < sizeof size || size > most) return PKS_E_USAGE;
  memcpy((uint8_t *)to + sizeof size, (const uint8_t *)from + sizeof size, size - sizeof size);
  return PKS_OK;
}

/* A version that is not known here is read by the rules of the nearest one; there is no Python 0, 1 or 4. */
static int is_options(const pks_options *o) {
  uint32_t major = o->python >> 16;
  return (major == 2 || major == 3) && (unsigned)o->opaque <= PKS_OPAQUE_INERT &&
         o->buffers >= PKS_BUFFERS_NONE && (unsigned)o->persistent_load <= PKS_ANSWER_YES &&
         (unsigned)o->extensions <= PKS_ANSWER_YES && (unsigned)o->reading <= PKS_READ_FILE &&
         (unsigned)o->implementation <= PKS_IMPLEMENTATION_PYPY;
}

pks_status pks_base_options(pks_options *out, const pks_options *given) {
  *out = default_options;
  if (given && overlay(out, given, given->size, sizeof *out) != PKS_OK) return PKS_E_USAGE;
  return is_options(out) ? PKS_OK : PKS_E_USAGE;
}

pks_status pks_base_limits(pks_limits *out, const pks_limits *given) {
  *out = default_limits;
  return given ? overlay(out, given, given->size, sizeof *out) : PKS_OK;
}

pks_status pks_options_init(pks_options *options) {
  if (!options) return PKS_E_USAGE;
  return overlay(options, &default_options, options->size, sizeof *options);
}

pks_status pks_limits_init(pks_limits *limits) {
  if (!limits) return PKS_E_USAGE;
  return overlay(limits, &default_limits, limits->size, sizeof *limits);
}
