/* facts/codes.c - the arguments of a code constructor go to the code room; what it says is kept. */
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
    case PKS_LIBRARY_TYPES: break;
  }
  return "types";
}

/* ---- machine values to code values ----------------------------------------------------------------- */

/* The bytes that encoding a text as Latin-1 makes. */
static bool latin1_bytes(pks_inspector *f, pks_value text, pks_span *out) {
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

static void object_value(pks_inspector *f, pks_value v, pks_code_value *out) {
  uint32_t index = pks_object_index(v);
  if (pks_kind(v) != PKS_V_OBJECT) return;
  if (pks_object_special(v) == PKS_SPECIAL_CODE) {
    out->kind = PKS_CV_CODE;
    out->number = index;
  } else if (pks_object_special(v) == PKS_SPECIAL_BYTES) {
    const pks_encoded *encoded = &f->encoded[index % PKS_ENCODED];
    if (encoded->serial == index && latin1_bytes(f, encoded->text, &out->text))
      out->kind = PKS_CV_BYTES;
  }
}

/* Anything but a tuple's items. Filled in place: as a result it would be copied right after it was
 * written in smaller parts, which stalls. */
static void code_value(pks_inspector *f, pks_value v, pks_code_value *out) {
  unsigned kind = PKS_CV_OTHER;
  out->number = 0;
  out->text = (pks_span){NULL, 0};
  out->items = NULL;
  out->count = 0;
  switch (pks_kind(v)) {
    case PKS_V_NONE: kind = PKS_CV_NONE; break;
    case PKS_V_TRUE: out->number = 1; /* fall through */
    case PKS_V_FALSE: kind = PKS_CV_BOOL; break;
    case PKS_V_INT:
      kind = PKS_CV_INT;
      out->number = pks_int(v);
      break;
    case PKS_V_BIGINT:
      kind = PKS_CV_INT;
      out->number = INT64_MAX;
      break;
    case PKS_V_FLOAT: kind = PKS_CV_FLOAT; break;
    case PKS_V_STR:
      kind = PKS_CV_STR;
      out->text = pks_facts_text(f, v);
      break;
    case PKS_V_BYTES:
      kind = PKS_CV_BYTES;
      out->text = pks_facts_text(f, v);
      break;
    case PKS_V_FROZENSET: kind = PKS_CV_FROZENSET; break;
    case PKS_V_TUPLE: kind = PKS_CV_TUPLE; break;
    default:
      if (!pks_is_opaque(v)) break;
      out->kind = PKS_CV_UNKNOWN;
      object_value(f, v, out);
      return;
  }
  out->kind = (pks_code_kind)kind;
}

static pks_code_value *values_of(pks_inspector *f, const pks_value *items, size_t count,
                                 unsigned depth) {
  pks_code_value *out = pks_base_arena_take(&f->mem, &f->code_text, (count + 1) * sizeof *out);
  if (!out) return NULL;
  for (size_t i = 0; i < count; i++) {
    code_value(f, items[i], &out[i]);
    if (out[i].kind != PKS_CV_TUPLE) continue;
    out[i].count = pks_tuple_count(items[i]);
    if (depth == MAX_DEPTH) continue;
    pks_code_work *work = pks_base_vec_push(&f->mem, &f->code_work, sizeof *work);
    if (!work) return NULL;
    *work = (pks_code_work){&out[i], items[i], depth + 1};
  }
  return out;
}

/* Of the arguments themselves, not of constants, every text is needed. */
static void note_limits(pks_inspector *f, const pks_code_value *values, const pks_value *args,
                        size_t count) {
  for (size_t i = 0; i < count; i++) {
    bool bytes = pks_kind(args[i]) == PKS_V_BYTES ||
                 (pks_kind(args[i]) == PKS_V_OBJECT &&
                  pks_object_special(args[i]) == PKS_SPECIAL_BYTES);
    if (values[i].text.data) continue;
    if (bytes) pks_facts_limit(f, PKS_E_LIMIT_CODE);
    if (pks_kind(args[i]) == PKS_V_STR) pks_facts_limit(f, PKS_E_LIMIT_NAME);
  }
}

/* Arguments with the items of their tuples; NULL: no memory. */
static pks_code_value *convert(pks_inspector *f, const pks_value *args, size_t count) {
  pks_base_arena_reset(&f->code_text);
  f->code_work.count = 0;
  pks_code_value *out = values_of(f, args, count, 1);
  if (out) note_limits(f, out, args, count);
  while (out && f->code_work.count) {
    pks_code_work work = PKS_VEC_AT(&f->code_work, pks_code_work, --f->code_work.count);
    size_t size = 0;
    const pks_value *items = pks_machine_tuple(&f->machine, work.tuple, &size);
    work.to->count = size;
    if (!items && size) continue; /* not kept */
    work.to->items = values_of(f, items, size, work.depth);
    if (!work.to->items) return NULL;
  }
  return out;
}

/* ---- what is kept ------------------------------------------------------------------------------------- */

static bool keep_versions(pks_inspector *f, pks_code_record *record) {
  uint16_t all[PKS_CODE_VERSIONS];
  size_t count = pks_code_set_magics(record->set, all), n = 0;
  const char **python = pks_base_arena_take(&f->mem, &f->text, (count + 1) * sizeof *python);
  record->magic = (const uint16_t *)(const void *)pks_base_arena_copy(&f->mem, &f->text, all,
                                                                      count * sizeof *all);
  if (!python || !record->magic) return false;
  for (pks_code_set set = record->set; set; set &= set - 1)
    python[n++] = pks_code_version_name(pks_code_set_first(set));
  record->python = python;
  record->magic_count = count;
  return true;
}

static bool keep_uses(pks_inspector *f, pks_code_record *record, const pks_code_facts *facts) {
  pks_import *imports =
      pks_base_arena_take(&f->mem, &f->text, (facts->import_count + 1) * sizeof *imports);
  pks_span *globals =
      pks_base_arena_take(&f->mem, &f->text, (facts->global_count + 1) * sizeof *globals);
  if (!imports || !globals) return false;
  for (size_t i = 0; i < facts->import_count; i++) {
    const pks_code_import *from = &facts->imports[i];
    imports[i] = (pks_import){from->module, from->level == PKS_LEVEL_UNKNOWN ? 0 : from->level,
                              from->straight};
    if (!from->module.data) pks_facts_limit(f, PKS_E_LIMIT_NAME);
  }
  for (size_t i = 0; i < facts->global_count; i++) {
    globals[i] = facts->globals[i].name;
    if (!globals[i].data) pks_facts_limit(f, PKS_E_LIMIT_NAME);
  }
  record->imports = imports;
  record->import_count = facts->import_count;
  record->globals = globals;
  record->global_count = facts->global_count;
  return true;
}

/* Bytecode that was spelled as text lies where the next code object's will. */
static bool keep_bytecode(pks_inspector *f, pks_code_facts *facts) {
  if (!facts->bytecode.data || facts->bytecode.data != f->scratch.text.data) return true;
  facts->bytecode.data =
      pks_base_arena_copy(&f->mem, &f->text, facts->bytecode.data, facts->bytecode.size);
  return facts->bytecode.data != NULL;
}

/* Kept up to date so that asking needs no room. */
static void update_joint(pks_inspector *f) {
  pks_code_joint joint;
  size_t n = 0;
  pks_code_join_get(&f->join, &joint);
  pks_code_set_magics(joint.set, f->joint_magic);
  for (pks_code_set set = joint.set; set; set &= set - 1)
    f->joint_python[n++] = pks_code_version_name(pks_code_set_first(set));
}

static bool inspect_arguments(pks_inspector *f, pks_code_record *record, const pks_value *args,
                              size_t count, unsigned library) {
  pks_code_facts facts;
  unsigned flags = 0;
  if (library == PKS_LIBRARY_CLOUDPICKLE && !f->modern_cloudpickle)
    flags |= PKS_CODE_CLOUDPICKLE_OLD;
  if (library == PKS_LIBRARY_DILL) flags |= PKS_CODE_DILL;
  if (library == PKS_LIBRARY_PYPY) flags |= PKS_CODE_PYPY;
  if (args) { /* else its arguments are out of sight: nothing is known of it */
    f->mem.status = PKS_OK; /* what is refused in there shows here */
    const pks_code_value *values = convert(f, args, count);
    if (!values || pks_code_inspect(&f->scratch, &f->mem, values, count, flags, &facts) != PKS_OK ||
        f->mem.status != PKS_OK)
      return false;
  } else {
    facts = (pks_code_facts){.line = -1};
  }
  if (!keep_bytecode(f, &facts)) return false;
  pks_code_join_add(&f->join, &facts);
  update_joint(f);
  record->name = facts.name;
  record->qualname = facts.qualname;
  record->file = facts.file;
  record->bytecode = facts.bytecode;
  record->line = facts.line;
  record->set = facts.set;
  record->pypy = facts.pypy;
  record->conflicts = facts.conflicts;
  record->given_magic = facts.given_magic;
  record->kind = (pks_candidates)facts.kind;
  record->broken_call = facts.broken_call;
  return keep_versions(f, record) && keep_uses(f, record, &facts);
}

pks_value pks_facts_code(pks_inspector *f, unsigned library, pks_value args, uint32_t call,
                         uint64_t offset) {
  size_t count = 0;
  const pks_value *items = NULL;
  (void)call;
  if (pks_kind(args) == PKS_V_TUPLE) items = pks_machine_tuple(&f->machine, args, &count);
  if (!items && count) pks_facts_limit(f, PKS_E_LIMIT_MEMORY); /* not kept */
  pks_code_record *record = pks_base_vec_push(&f->mem, &f->codes, sizeof *record);
  if (!record) {
    pks_facts_fail(f);
    return PKS_V_UNKNOWN;
  }
  *record = (pks_code_record){
      .offset = offset, .how = how_named(library), .arguments = (int)count, .line = -1};
  if (count > MAX_ARGUMENTS) items = NULL;
  if (!inspect_arguments(f, record, items, count, library)) pks_facts_fail(f);
  return pks_object((uint32_t)f->codes.count - 1, PKS_SPECIAL_CODE, library);
}
