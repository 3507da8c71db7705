/* facts/codes.c - the arguments of a code constructor, as the payload gives them. */
#include "facts/facts.h"

/* Where the arguments stand, by how many there are (code_new of Objects/codeobject.c): 14 Python
 * 2.7, 15 3.6 and 3.7, 16 3.8 to 3.10, 17 PyPy (16 and the magic), 18 from 3.11. */
typedef struct shape {
  uint8_t count, code, file, name, qualname, line;
} shape;
static const shape shapes[] = {
    {14, 4, 8, 9, 0, 10}, {15, 5, 9, 10, 0, 11}, {16, 6, 10, 11, 0, 12}, {18, 6, 10, 11, 12, 13}};

static const shape *find_shape(size_t count) {
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (shapes[i].count == count) return &shapes[i];
  return NULL;
}

static const char *how_named(unsigned library) {
  switch ((pks_library)library) {
    case PKS_LIBRARY_CLOUDPICKLE: return "cloudpickle";
    case PKS_LIBRARY_DILL: return "dill";
    case PKS_LIBRARY_PYPY: return "pypy";
    case PKS_LIBRARY_NONE:
    case PKS_LIBRARY_BUILTINS:
    case PKS_LIBRARY_TYPES: break;
  }
  return "types";
}

static void read_arguments(pks_inspector *f, pks_code_record *record, const pks_value *a,
                           size_t count) {
  if (count && pks_kind(*a) == PKS_V_BYTES) { /* dill: the old line table comes first */
    a++;
    count--;
  }
  const shape *s = find_shape(count == 17 ? 16 : count);
  if (!s) return;
  record->name = pks_facts_text(f, a[s->name]);
  record->file = pks_facts_text(f, a[s->file]);
  if (s->qualname) record->qualname = pks_facts_text(f, a[s->qualname]);
  if (pks_kind(a[s->line]) == PKS_V_INT) record->line = pks_int(a[s->line]);
  record->bytecode = pks_facts_text(f, a[s->code]);
}

pks_value pks_facts_code(pks_inspector *f, unsigned library, pks_value args, uint32_t call,
                         uint64_t offset) {
  size_t count = 0;
  const pks_value *a = NULL;
  (void)call;
  if (pks_kind(args) == PKS_V_TUPLE) a = pks_machine_tuple(&f->machine, args, &count);
  pks_code_record *record = pks_base_vec_push(&f->mem, &f->codes, sizeof *record);
  if (!record) {
    pks_facts_fail(f);
    return PKS_V_UNKNOWN;
  }
  *record = (pks_code_record){
      .offset = offset, .how = how_named(library), .arguments = (int)count, .line = -1};
  if (a) read_arguments(f, record, a, count);
  return pks_object((uint32_t)f->codes.count - 1, PKS_SPECIAL_CODE, library);
}
