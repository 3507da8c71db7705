/* facts/marshalled.c - code that marshal wrote: argument of marshal.loads, .pyc, bare stream. */
#include "facts/facts.h"

/* ---- code objects of a stream -------------------------------------------------------------------------- */

/* All that f->marshal holds, nested ones first, as records. Offsets are `offset`, or from there. False:
 * no memory (machine.fail). */
static bool keep_codes(pks_inspector *f, const pks_code_given *all, bool own_offsets) {
  const pks_code_marshal *m = &f->marshal;
  pks_code_given given = *all;
  given.base = (uint32_t)f->codes.count;
  for (size_t i = 0; i < m->codes.count; i++) {
    const pks_code_marshalled *code = &PKS_VEC_AT(&m->codes, pks_code_marshalled, i);
    given.args = code->args;
    given.argc = code->argc;
    given.ordinal = i;
    if (own_offsets) given.offset = all->offset + code->offset;
    if (pks_facts_code_record(f, &given) == PKS_NO_INDEX) return false;
  }
  return true;
}

static bool refused(pks_status status) {
  return status == PKS_E_NO_MEMORY || status == PKS_E_LIMIT_MEMORY;
}

/* ---- marshal.loads -------------------------------------------------------------------------------------- */

static bool argument(pks_inspector *f, pks_value v, uint64_t offset, pks_span *out) {
  bool special = pks_kind(v) == PKS_V_OBJECT && pks_object_special(v) == PKS_SPECIAL_BYTES;
  *out = (pks_span){NULL, 0};
  if (special) (void)pks_facts_encoded(f, v, out);
  if (pks_kind(v) == PKS_V_BYTES) *out = pks_facts_text(f, v);
  if (pks_kind(v) == PKS_V_STR) {
    /* Python 2; its bytes, when they were not decoded as Latin-1 */
    bool raw = f->machine.strings.encoding == PKS_ENCODING_UTF8 ||
               f->machine.strings.encoding == PKS_ENCODING_BYTES;
    if (raw && (v & PKS_VF_STRING))
      *out = pks_facts_text(f, v);
    else
      (void)pks_facts_latin1(f, v, out);
    if (!out->data && (v & PKS_VF_UNREADABLE)) pks_facts_limit(f, PKS_E_LIMIT_NAME, offset);
  }
  if (!out->data && (special || pks_kind(v) == PKS_V_BYTES))
    pks_facts_limit(f, PKS_E_LIMIT_CODE, offset);
  return out->data != NULL;
}

pks_value pks_facts_marshal(pks_inspector *f, pks_value data, uint32_t call, uint64_t offset) {
  pks_code_given given = {.offset = offset, .how = "marshal"};
  bool read =
      argument(f, data, offset, &given.stream) && pks_facts_spend(f, given.stream.size, offset);
  pks_status status = PKS_E_CODE;
  if (read) {
    f->mem.status = PKS_OK;
    status = pks_code_marshal_any(&f->marshal, &f->mem, given.stream);
    if (refused(status)) {
      pks_facts_fail(f);
      return PKS_V_UNKNOWN;
    }
    if (!keep_codes(f, &given, false)) return PKS_V_UNKNOWN;
  }
  uint32_t last = (uint32_t)f->codes.count - 1;
  if (!status && f->marshal.root.kind == PKS_CV_CODE)
    return pks_object(last, PKS_SPECIAL_CODE, PKS_LIBRARY_MARSHAL);
  if (status) { /* there may be code that cannot be told */
    given.stream = (pks_span){NULL, 0};
    if (pks_facts_code_record(f, &given) == PKS_NO_INDEX) return PKS_V_UNKNOWN;
  }
  return pks_object(call, PKS_SPECIAL_NONE, 0);
}

/* ---- files ------------------------------------------------------------------------------------------------ */

static pks_status stop(pks_inspector *f, pks_status status, uint64_t offset, const char *text) {
  f->file.status = status;
  f->file.offset = offset;
  f->file.text = text;
  return status;
}

static const char *head_text(pks_status status) {
  switch ((int)status) {
    case PKS_E_TRUNCATED: return "the file ends inside the head of a .pyc";
    case PKS_E_PYTHON: return "a .pyc of a Python this library has no table for";
    default: return "the head of a .pyc has flags that no Python sets";
  }
}

static bool is_graalpy(int version) {
  return pks_code_version_shape((unsigned)version) == PKS_SHAPE_NONE;
}

/* Where its marshal stream starts; false: f->file says why there is none. */
static bool read_head(pks_inspector *f, pks_span data, pks_code_given *given) {
  pks_code_pyc *pyc = &f->file.pyc;
  pks_status status = pks_code_pyc_header(data, pyc);
  given->how = "pyc";
  given->magic = pyc->magic;
  if (status) {
    stop(f, status, status == PKS_E_FORMAT ? 4 : 0, head_text(status));
    return false;
  }
  given->offset = pyc->header;
  given->stream = (pks_span){data.data + pyc->header, data.size - pyc->header};
  return true;
}

pks_status pks_facts_code_file(pks_inspector *f, pks_payload_format format, pks_span data) {
  pks_code_given given = {.how = "marshal", .stream = data};
  pks_status status;
  pks_facts_reset(f);
  f->file = (pks_code_file){.format = format, .pyc = {.version = -1}};
  f->code_size = data.size;
  if (format == PKS_PAYLOAD_PYC && !read_head(f, data, &given)) return f->file.status;
  if (format == PKS_PAYLOAD_MARSHAL) {
    status = pks_code_marshal_any(&f->marshal, &f->mem, data);
  } else if (is_graalpy(f->file.pyc.version)) {
    /* not to be read, but it says whose it is */
    pks_code_given whose = {.offset = given.offset, .how = given.how, .magic = given.magic};
    if (pks_facts_code_record(f, &whose) == PKS_NO_INDEX)
      return stop(f, f->mem.status, given.offset, pks_status_text(f->mem.status));
    return stop(f, PKS_E_FORMAT, given.offset, "bytecode of GraalPy, which this does not read");
  } else {
    status = pks_code_marshal_read(&f->marshal, &f->mem, given.stream,
                                   pks_code_version_shape((unsigned)f->file.pyc.version));
  }
  if (!refused(status) && !keep_codes(f, &given, true)) status = f->mem.status;
  f->file.end = given.offset + f->marshal.consumed;
  if (refused(status)) return stop(f, status, f->file.end, pks_status_text(status));
  if (status) return stop(f, status, given.offset + f->marshal.offset, f->marshal.text);
  if (f->marshal.root.kind != PKS_CV_CODE)
    return stop(f, PKS_E_CODE, given.offset, "it holds no code object");
  if (format == PKS_PAYLOAD_PYC) f->file.end = data.size;
  return stop(f, PKS_END, f->file.end, "");
}

bool pks_facts_get_pyc(const pks_inspector *f, pks_pyc *out) {
  const pks_code_pyc *pyc = &f->file.pyc;
  if (f->file.format != PKS_PAYLOAD_PYC || !pyc->magic) return false;
  *out = (pks_pyc){.magic = pyc->magic,
                   .hashed = pyc->hashed,
                   .checked = pyc->checked,
                   .source_time = pyc->source_time,
                   .source_size = pyc->source_size,
                   .source_hash = pyc->source_hash};
  if (pyc->version >= 0) out->python = pks_code_version_name((size_t)pyc->version);
  return true;
}
