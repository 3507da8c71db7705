/* facts/codes.c - the arguments of a code constructor as values of the code room. */
#include "facts/facts.h"

#define MAX_ARGUMENTS 24
#define MAX_DEPTH 3 /* arguments, their tuples, and tuples in co_consts */

static const char *how_named(unsigned library) {
  switch ((pks_library)library) {
    case PKS_LIBRARY_CLOUDPICKLE: return "cloudpickle";
    case PKS_LIBRARY_DILL: return "dill";
    case PKS_LIBRARY_PYPY: return "pypy";
    case PKS_LIBRARY_NONE:
    case PKS_LIBRARY_BUILTINS:
    case PKS_LIBRARY_CODECS:
    case PKS_LIBRARY_COPYREG:
    case PKS_LIBRARY_OPERATOR:
    case PKS_LIBRARY_FUNCTOOLS:
    case PKS_LIBRARY_MARSHAL:
    case PKS_LIBRARY_IMPORTLIB:
    case PKS_LIBRARY_PATHLIB:
    case PKS_LIBRARY_NUMPY:
    case PKS_LIBRARY_NUMPY_RANDOM:
    case PKS_LIBRARY_PANDAS_BLOCKS:
    case PKS_LIBRARY_TYPES: break;
  }
  return "types";
}

/* ---- machine values to code values ----------------------------------------------------------------- */

bool pks_facts_latin1(pks_inspector *f, pks_value text, pks_span *out) {
  pks_span utf8 = pks_facts_text(f, text);
  if (!utf8.data) return false;
  uint8_t *bytes = pks_base_arena_take(&f->mem, &f->text, utf8.size + 1);
  size_t n = 0;
  if (!bytes) {
    pks_facts_fail(f);
    return false;
  }
  for (size_t i = 0; i < utf8.size; i++) {
    if (utf8.data[i] < 0x80) {
      bytes[n++] = utf8.data[i];
    } else if (utf8.data[i] <= 0xc3 && i + 1 < utf8.size) {
      bytes[n++] = (uint8_t)(utf8.data[i] << 6 | (utf8.data[i + 1] & 0x3f));
      i++;
    } else {
      return false;
    }
  }
  *out = (pks_span){bytes, n};
  return true;
}

/* _codecs.encode(text, "latin1"), among the newest ones. */
bool pks_facts_encoded(pks_inspector *f, pks_value object, pks_span *out) {
  uint32_t index = pks_object_index(object);
  const pks_encoded *encoded = &f->encoded[index % PKS_ENCODED];
  if (pks_object_special(object) != PKS_SPECIAL_BYTES || encoded->serial != index) return false;
  if (pks_kind(encoded->text) != PKS_V_NONE) return pks_facts_latin1(f, encoded->text, out);
  *out = (pks_span){(const uint8_t *)"", 0};
  return true;
}

static void object_value(pks_inspector *f, pks_value v, pks_code_value *out) {
  uint32_t index = pks_object_index(v);
  if (pks_kind(v) != PKS_V_OBJECT) return;
  if (pks_object_special(v) == PKS_SPECIAL_CODE) {
    out->kind = PKS_CV_CODE;
    out->number = index;
  } else if (pks_object_special(v) == PKS_SPECIAL_BYTES) {
    if (pks_facts_encoded(f, v, &out->text)) out->kind = PKS_CV_BYTES;
  }
}

/* What becomes of each kind; UNKNOWN: object_value tells. */
static const uint8_t code_kinds[32] = {
    [PKS_V_EMPTY] = PKS_CV_OTHER,     [PKS_V_NONE] = PKS_CV_NONE,
    [PKS_V_FALSE] = PKS_CV_BOOL,      [PKS_V_TRUE] = PKS_CV_BOOL,
    [PKS_V_INT] = PKS_CV_INT,         [PKS_V_BIGINT] = PKS_CV_INT,
    [PKS_V_FLOAT] = PKS_CV_FLOAT,     [PKS_V_STR] = PKS_CV_STR,
    [PKS_V_BYTES] = PKS_CV_BYTES,     [PKS_V_FROZENSET] = PKS_CV_FROZENSET,
    [PKS_V_TUPLE] = PKS_CV_TUPLE,     [PKS_V_SET] = PKS_CV_OTHER,
    [PKS_V_LIST] = PKS_CV_OTHER,      [PKS_V_DICT] = PKS_CV_OTHER,
    [PKS_V_BYTEARRAY] = PKS_CV_OTHER, [PKS_V_LIST_REF] = PKS_CV_OTHER,
    [PKS_V_DICT_REF] = PKS_CV_OTHER,  [PKS_V_BYTEARRAY_REF] = PKS_CV_OTHER,
    [PKS_V_VIEW] = PKS_CV_OTHER};

/* Anything but a tuple's items. Filled in place: as a result it would be copied right after it was
 * written in smaller parts, which stalls. */
static inline void code_value(pks_inspector *f, pks_value v, pks_code_value *out) {
  unsigned kind = code_kinds[pks_kind(v)];
  *out = (pks_code_value){.kind = (pks_code_kind)kind};
  if (kind == PKS_CV_INT)
    out->number = pks_kind(v) == PKS_V_INT ? pks_int(v) : INT64_MAX;
  else if (kind == PKS_CV_STR || kind == PKS_CV_BYTES)
    out->text = pks_facts_text(f, v);
  else if (kind == PKS_CV_UNKNOWN)
    object_value(f, v, out);
  else if (kind == PKS_CV_BOOL)
    out->number = pks_kind(v) == PKS_V_TRUE;
}

#define MAY_BE_LOST (1u << PKS_CV_UNKNOWN | 1u << PKS_CV_STR | 1u << PKS_CV_BYTES)

/* How many bytes texts have, and whether one is not there. */
typedef struct text_sum {
  uint64_t size;
  bool lost;
} text_sum;

static const pks_code_value *values_of(pks_inspector *f, const pks_value *items, size_t count,
                                       unsigned depth, text_sum *sum) {
  pks_arena *arena = f->options.listings ? &f->text : &f->code_text;
  pks_code_value *out = pks_base_arena_take(&f->mem, arena, (count + !count) * sizeof *out);
  if (!out) return NULL;
  for (size_t i = 0; i < count; i++) {
    static const pks_code_value nothing;
    code_value(f, items[i], &out[i]);
    sum->size += out[i].text.size;
    if (!out[i].text.data) sum->lost |= MAY_BE_LOST >> out[i].kind & 1;
    if (out[i].kind != PKS_CV_TUPLE) continue;
    out[i].count = pks_tuple_count(items[i]);
    if (out[i].count == 0) out[i].items = &nothing;
    if (depth == MAX_DEPTH || out[i].count == 0) continue;
    pks_code_work *work = pks_base_vec_push(&f->mem, &f->code_work, sizeof *work);
    if (!work) return NULL;
    *work = (pks_code_work){&out[i], items[i], depth + 1};
  }
  return out;
}

/* Of the arguments themselves, not of constants, every text is needed. */
static void note_limits(pks_inspector *f, const pks_code_value *values, const pks_value *args,
                        size_t count, uint64_t offset) {
  for (size_t i = 0; i < count; i++) {
    if (values[i].text.data || values[i].kind == PKS_CV_INT || values[i].kind == PKS_CV_TUPLE)
      continue;
    bool bytes =
        pks_kind(args[i]) == PKS_V_BYTES ||
        (pks_kind(args[i]) == PKS_V_OBJECT && pks_object_special(args[i]) == PKS_SPECIAL_BYTES);
    if (bytes) pks_facts_limit(f, PKS_E_LIMIT_CODE, offset);
    if (pks_kind(args[i]) == PKS_V_STR) pks_facts_limit(f, PKS_E_LIMIT_NAME, offset);
  }
}

/* Arguments with the items of their tuples; NULL: no memory. */
static const pks_code_value *convert(pks_inspector *f, const pks_value *args, size_t count,
                                     uint64_t offset, uint64_t *text_size) {
  text_sum sum = {0, false};
  pks_base_arena_reset(&f->code_text);
  f->code_work.count = 0;
  const pks_code_value *out = values_of(f, args, count, 1, &sum);
  if (out && sum.lost) note_limits(f, out, args, count, offset);
  *text_size = sum.size;
  while (out && f->code_work.count) {
    pks_code_work work = PKS_VEC_AT(&f->code_work, pks_code_work, --f->code_work.count);
    size_t size = 0;
    const pks_value *items = pks_machine_tuple(&f->machine, work.tuple, &size);
    work.to->count = size;
    if (!items && size) continue; /* not kept */
    if (!pks_facts_spend(f, size, offset)) continue;
    work.to->items = values_of(f, items, size, work.depth, &sum);
    if (!work.to->items) return NULL;
  }
  return out;
}

/* ---- a call ------------------------------------------------------------------------------------------- */

static unsigned flags_of(const pks_inspector *f, unsigned library) {
  switch ((pks_library)library) {
    case PKS_LIBRARY_CLOUDPICKLE: return f->modern_cloudpickle ? 0 : PKS_CODE_CLOUDPICKLE_OLD;
    case PKS_LIBRARY_DILL: return PKS_CODE_DILL;
    case PKS_LIBRARY_PYPY: return PKS_CODE_PYPY;
    case PKS_LIBRARY_NONE:
    case PKS_LIBRARY_BUILTINS:
    case PKS_LIBRARY_CODECS:
    case PKS_LIBRARY_COPYREG:
    case PKS_LIBRARY_OPERATOR:
    case PKS_LIBRARY_FUNCTOOLS:
    case PKS_LIBRARY_MARSHAL:
    case PKS_LIBRARY_IMPORTLIB:
    case PKS_LIBRARY_PATHLIB:
    case PKS_LIBRARY_NUMPY:
    case PKS_LIBRARY_NUMPY_RANDOM:
    case PKS_LIBRARY_PANDAS_BLOCKS:
    case PKS_LIBRARY_TYPES: break;
  }
  return 0;
}

pks_value pks_facts_code(pks_inspector *f, unsigned library, pks_value args, uint64_t offset) {
  size_t count = 0;
  const pks_value *items = NULL;
  pks_code_given given = {
      .offset = offset, .how = how_named(library), .flags = flags_of(f, library)};
  if (pks_kind(args) == PKS_V_TUPLE) items = pks_machine_tuple(&f->machine, args, &count);
  if (!items && count) pks_facts_limit(f, pks_machine_dropped(&f->machine, count), offset);
  given.argc = count;
  if (items && count <= MAX_ARGUMENTS) {
    f->mem.status = PKS_OK; /* what is refused in there shows here */
    given.args = convert(f, items, count, offset, &given.text_size);
    if (!given.args || f->mem.status != PKS_OK) {
      pks_facts_fail(f);
      return PKS_V_UNKNOWN;
    }
  }
  uint32_t index = pks_facts_code_record(f, &given);
  if (index == PKS_NO_INDEX) return PKS_V_UNKNOWN;
  return pks_object(index, PKS_SPECIAL_CODE, library);
}
