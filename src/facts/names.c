/* facts/names.c - every (module, name) once, with the Python 2 mapping and the helper it is. */
#include "facts/facts.h"

/* ---- Python 2 names ------------------------------------------------------------------------------ */

typedef struct py2_name {
  const char *module, *name, *new_module, *new_name;
} py2_name;
typedef struct py2_module {
  const char *module, *new_module;
  uint8_t until; /* name flag of the Pythons that still have it; 0: all of them */
} py2_module;

#define PY2_NAME(a, b, c, d) {a, b, c, d},
#define PY2_MODULE(a, b)
#define PY2_MODULE_UNTIL(a, b, rule)
static const py2_name py2_names[] = {
#include "facts/py2_names.def"
};
#undef PY2_NAME
#undef PY2_MODULE
#undef PY2_MODULE_UNTIL
#define PY2_NAME(a, b, c, d)
#define PY2_MODULE(a, b) {a, b, 0},
#define PY2_MODULE_UNTIL(a, b, rule) {a, b, PKS_NAME_##rule},
static const py2_module py2_modules[] = {
#include "facts/py2_names.def"
};
#undef PY2_NAME
#undef PY2_MODULE
#undef PY2_MODULE_UNTIL

static int compare(const char *text, pks_span span) {
  size_t length = strlen(text);
  int order = memcmp(text, span.data, length < span.size ? length : span.size);
  return order ? order : (length > span.size) - (length < span.size);
}

/* _Unpickler_find_class: (module, name) first, then the module alone; once. */
static void map_py2(pks_name *entry, pks_span module, pks_span name) {
  size_t low = 0, high = sizeof py2_names / sizeof *py2_names;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = compare(py2_names[middle].module, module);
    if (order == 0) order = compare(py2_names[middle].name, name);
    if (order == 0) {
      entry->py2_module = py2_names[middle].new_module;
      entry->py2_name = py2_names[middle].new_name;
      return;
    }
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (size_t i = 0; i < sizeof py2_modules / sizeof *py2_modules; i++) {
    const py2_module *m = &py2_modules[i];
    if (compare(m->module, module) != 0) continue;
    entry->was_mapped = m->until != 0;
    if (!m->until || entry->flags & m->until) entry->py2_module = m->new_module;
  }
}

/* ---- helpers ---------------------------------------------------------------------------------------- */

static pks_span last_part(pks_span module) {
  size_t start = module.size;
  while (start && module.data[start - 1] != '.') start--;
  return (pks_span){module.data + start, module.size - start};
}

static bool is_module_of(pks_library library, pks_span module) {
  switch (library) {
    case PKS_LIBRARY_CLOUDPICKLE:
      return compare("cloudpickle", last_part(module)) == 0 ||
             compare("cloudpickle_fast", last_part(module)) == 0;
    case PKS_LIBRARY_DILL:
      return compare("dill._dill", module) == 0 || compare("dill.dill", module) == 0;
    case PKS_LIBRARY_BUILTINS: return compare("builtins", module) == 0;
    case PKS_LIBRARY_TYPES: return compare("types", module) == 0;
    case PKS_LIBRARY_PYPY: return compare("_pickle_support", module) == 0;
    case PKS_LIBRARY_CODECS: return compare("_codecs", module) == 0;
    case PKS_LIBRARY_COPYREG: return compare("copyreg", module) == 0;
    case PKS_LIBRARY_OPERATOR:
      return compare("operator", module) == 0 || compare("_operator", module) == 0;
    case PKS_LIBRARY_FUNCTOOLS:
      return compare("functools", module) == 0 || compare("_functools", module) == 0;
    case PKS_LIBRARY_MARSHAL:
      return compare("marshal", module) == 0 || compare("_marshal", module) == 0;
    case PKS_LIBRARY_IMPORTLIB: return compare("importlib", module) == 0;
    case PKS_LIBRARY_PATHLIB:
      return compare("pathlib", module) == 0 || compare("pathlib._local", module) == 0;
    case PKS_LIBRARY_NUMPY: return compare("numpy", module) == 0;
    case PKS_LIBRARY_NUMPY_RANDOM: return compare("numpy.random._pickle", module) == 0;
    case PKS_LIBRARY_PANDAS_BLOCKS: return compare("pandas.core.internals.blocks", module) == 0;
    case PKS_LIBRARY_NONE: break;
  }
  return false;
}

static void find_role(pks_name *entry, pks_span module, pks_span name) {
  static const struct {
    pks_library library;
    const char *name;
    pks_role role;
  } helpers[] = {
#define HELPER(library, name, role) {PKS_LIBRARY_##library, name, PKS_ROLE_##role},
#include "facts/helpers.def"
#undef HELPER
  };
  for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
    if (compare(helpers[i].name, name) != 0 || !is_module_of(helpers[i].library, module)) continue;
    entry->role = (uint8_t)helpers[i].role;
    entry->library = (uint8_t)helpers[i].library;
    return;
  }
  static const char cython[] = "__pyx_unpickle_";
  if (name.size >= sizeof cython && memcmp(name.data, cython, sizeof cython - 1) == 0)
    entry->role = PKS_ROLE_CHECKSUM;
}

/* ---- the table ------------------------------------------------------------------------------------- */

#define MAX_NAME_TEXT ((size_t)1 << 20) /* texts kept over a reset */

static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = (a ^ b) * 0x9e3779b97f4a7c15ull;
  return x ^ x >> 29;
}

static uint64_t hash_span(uint64_t hash, pks_span span) {
  const uint8_t *p = span.data;
  size_t left = span.size;
  uint64_t word = 0;
  for (; left >= 8; left -= 8, p += 8) {
    memcpy(&word, p, 8);
    hash = mix(hash, word);
  }
  word = 0;
  if (left) memcpy(&word, p, left);
  return mix(hash, word ^ (uint64_t)span.size << 56);
}

static bool same(const pks_name *entry, pks_span module, pks_span name, unsigned flags) {
  return entry->flags == flags && entry->module_size == module.size &&
         entry->name_size == name.size &&
         (module.size == 0 || memcmp(entry->text, module.data, module.size) == 0) &&
         (name.size == 0 || memcmp(entry->text + module.size, name.data, name.size) == 0);
}

static bool rehash(pks_inspector *f) {
  size_t count = f->bucket_count ? f->bucket_count * 2 : 64;
  uint32_t *buckets = pks_base_resize(&f->mem, NULL, 0, count * sizeof *buckets);
  if (!buckets) return false;
  memset(buckets, 0, count * sizeof *buckets);
  pks_base_release(&f->mem, f->buckets, f->bucket_count * sizeof *buckets);
  for (size_t i = 0; i < f->names.count; i++) {
    size_t at = (size_t)PKS_VEC_AT(&f->names, pks_name, i).hash & (count - 1);
    while (buckets[at]) at = (at + 1) & (count - 1);
    buckets[at] = (uint32_t)i + 1;
  }
  f->buckets = buckets;
  f->bucket_count = count;
  return true;
}

static pks_name *new_name(pks_inspector *f, pks_span module, pks_span name, unsigned flags,
                          uint64_t hash) {
  uint8_t *text = pks_base_arena_take(&f->mem, &f->name_text, module.size + name.size + 1);
  pks_name *entry = text ? pks_base_vec_push(&f->mem, &f->names, sizeof *entry) : NULL;
  if (!entry) return NULL;
  if (module.size) memcpy(text, module.data, module.size);
  if (name.size) memcpy(text + module.size, name.data, name.size);
  *entry = (pks_name){.hash = hash,
                      .text = text,
                      .module_size = (uint32_t)module.size,
                      .name_size = (uint32_t)name.size,
                      .flags = (uint8_t)flags};
  if (flags & PKS_NAME_UNCERTAIN) return entry;
  if (flags & PKS_NAME_PY2) map_py2(entry, module, name);
  pks_name known = *entry; /* helpers are known by their names of today */
  if (flags & PKS_NAME_PYTHON2) map_py2(&known, module, name);
  entry->watch = (uint8_t)(pks_facts_watch(module, name) & PKS_USE_OLD); /* as Python 2 spells it */
  pks_facts_name_spans(&known, &module, &name);
  entry->watch |=
      (uint8_t)(pks_facts_watch(module, name) & (PKS_USE_VALUE | PKS_USE_ARITY | PKS_USE_SLOT));
  entry->forms = (uint16_t)pks_facts_forms_of(module, name);
  entry->lacks = (uint8_t)pks_facts_lacks_of(module, name);
  find_role(entry, module, name);
  return entry;
}

/* Where a name with this hash stands, or could: the table has a free bucket. */
static size_t bucket_of(const pks_inspector *f, uint64_t hash, pks_span module, pks_span name,
                        unsigned flags) {
  size_t at = (size_t)hash & (f->bucket_count - 1);
  for (; f->buckets[at]; at = (at + 1) & (f->bucket_count - 1)) {
    const pks_name *entry = &PKS_VEC_AT(&f->names, pks_name, f->buckets[at] - 1);
    if (entry->hash == hash && same(entry, module, name, flags)) break;
  }
  return at;
}

/* The table grows for a new name only, so that names seen before allocate nothing. */
static uint32_t find_in_table(pks_inspector *f, pks_span module, pks_span name, unsigned flags) {
  uint64_t hash = hash_span(hash_span(f->seed + flags, module), name);
  hash ^= hash >> 32;
  if (!f->bucket_count && !rehash(f)) return PKS_NO_INDEX;
  size_t at = bucket_of(f, hash, module, name, flags);
  if (f->buckets[at]) return f->buckets[at] - 1;
  if (f->names.count * 2 >= f->bucket_count) {
    if (!rehash(f)) return PKS_NO_INDEX;
    at = bucket_of(f, hash, module, name, flags);
  }
  if (!new_name(f, module, name, flags, hash)) return PKS_NO_INDEX;
  f->buckets[at] = (uint32_t)f->names.count;
  return (uint32_t)f->names.count - 1;
}

static uint32_t *next_name(pks_inspector *f) {
  return f->last_name == PKS_NO_INDEX ? &f->first_name
                                      : &PKS_VEC_AT(&f->names, pks_name, f->last_name).next;
}

/* Payloads of one kind look the same names up in the same order, so the name that came next the
 * last time is tried before the table. */
static uint32_t find_name(pks_inspector *f, pks_span module, pks_span name, unsigned flags) {
  uint32_t index = *next_name(f);
  if (index >= f->names.count ||
      !same(&PKS_VEC_AT(&f->names, pks_name, index), module, name, flags)) {
    index = find_in_table(f, module, name, flags);
    if (index == PKS_NO_INDEX) return PKS_NO_INDEX;
    *next_name(f) = index;
  }
  f->last_name = index;
  return index;
}

uint32_t pks_facts_global(pks_inspector *f, pks_span module, pks_span name, unsigned flags, int via,
                          uint64_t offset) {
  uint32_t index = find_name(f, module, name, flags);
  if (index == PKS_NO_INDEX) {
    pks_facts_fail(f);
    return PKS_NO_INDEX;
  }
  pks_name *entry = &PKS_VEC_AT(&f->names, pks_name, index);
  if (entry->epoch != f->epoch) {
    pks_global_record *record = pks_base_vec_push(&f->mem, &f->globals, sizeof *record);
    if (!record) {
      pks_facts_fail(f);
      return PKS_NO_INDEX;
    }
    *record = (pks_global_record){.offset = offset, .name = index, .via = (uint8_t)via};
    entry->epoch = f->epoch;
    entry->record = (uint32_t)f->globals.count - 1;
  }
  PKS_VEC_AT(&f->globals, pks_global_record, entry->record).count++;
  return entry->record;
}

void pks_facts_name_spans(const pks_name *entry, pks_span *module, pks_span *text) {
  *module = (pks_span){entry->text, entry->module_size};
  *text = (pks_span){entry->text + entry->module_size, entry->name_size};
  if (entry->py2_module)
    *module = (pks_span){(const uint8_t *)entry->py2_module, strlen(entry->py2_module)};
  if (entry->py2_name)
    *text = (pks_span){(const uint8_t *)entry->py2_name, strlen(entry->py2_name)};
}

void pks_facts_names_reset(pks_inspector *f) {
  f->epoch++;
  f->last_name = PKS_NO_INDEX;
  if (f->name_text.bytes + f->names.count * sizeof(pks_name) < MAX_NAME_TEXT && f->epoch) return;
  pks_base_arena_reset(&f->name_text);
  f->names.count = 0;
  if (f->buckets) memset(f->buckets, 0, f->bucket_count * sizeof *f->buckets);
  f->epoch = 1;
}

void pks_facts_names_free(pks_inspector *f) {
  pks_base_arena_free(&f->mem, &f->name_text);
  pks_base_vec_free(&f->mem, &f->names, sizeof(pks_name));
  pks_base_release(&f->mem, f->buckets, f->bucket_count * sizeof *f->buckets);
  f->buckets = NULL;
}
