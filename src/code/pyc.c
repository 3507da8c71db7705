/* The bytes before the marshal stream of a .pyc: Lib/importlib/_bootstrap_external.py (PEP 552), and
 * import.c of Python 2. */
#include "code/marshal.h"

typedef enum family { PY2, WIDE, WORD, PYPY, GRAAL } family;

static const struct {
  uint8_t minor, family;
} versions[] = {
#define PKS_CODE_VERSION(id, name, magic, minor, family) {minor, family},
#include "code/versions.def"
#undef PKS_CODE_VERSION
};

static bool is_python2(unsigned version) {
  return versions[version].family == PY2 || version == PKS_CODE_PYPY_2_7;
}

pks_code_shape pks_code_version_shape(unsigned version) {
  if (version >= PKS_CODE_VERSIONS || versions[version].family == GRAAL) return PKS_SHAPE_NONE;
  if (is_python2(version)) return PKS_SHAPE_14;
  unsigned minor = versions[version].minor;
  /* PyPy keeps the layout of 3.8. */
  if (versions[version].family == PYPY) return minor < 8 ? PKS_SHAPE_15 : PKS_SHAPE_16;
  return minor < 8 ? PKS_SHAPE_15 : minor < 11 ? PKS_SHAPE_16 : PKS_SHAPE_18;
}

static uint32_t u32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Python 2: time. 3.3: and size. 3.7: flags first, then time and size, or a hash. */
static pks_status stamps(pks_span data, pks_code_pyc *out) {
  const uint8_t *p = data.data + 4;
  bool flags = !is_python2((unsigned)out->version) && versions[out->version].minor >= 7;
  out->header = is_python2((unsigned)out->version) ? 8 : flags ? 16 : 12;
  if (data.size < out->header) return PKS_E_TRUNCATED;
  if (flags) {
    uint32_t bits = u32(p);
    p += 4;
    if (bits & ~3u) return PKS_E_FORMAT;
    out->hashed = bits & 1;
    out->checked = bits & 2;
  }
  if (out->hashed) {
    out->source_hash = (uint64_t)u32(p + 4) << 32 | u32(p);
    return PKS_OK;
  }
  out->source_time = u32(p);
  if (out->header > 8) out->source_size = u32(p + 4);
  return PKS_OK;
}

pks_status pks_code_pyc_header(pks_span data, pks_code_pyc *out) {
  *out = (pks_code_pyc){.version = -1};
  if (data.size < 4) return PKS_E_TRUNCATED;
  if (data.data[2] != '\r' || data.data[3] != '\n') return PKS_E_FORMAT;
  out->magic = (uint16_t)(data.data[0] | data.data[1] << 8);
  out->version = pks_code_version_of_magic(out->magic);
  if (out->version < 0) return PKS_E_PYTHON;
  return stamps(data, out);
}
