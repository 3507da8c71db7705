/* facts/code_records.c - what the code room says of a code object, kept until the payload is reset. */
#include "facts/facts.h"

/* The text lies in the payload or in this payload's arena, or a marshal reader lent it. */
static bool keep_text(pks_inspector *f, const pks_code_given *given, pks_span *text) {
  uintptr_t at = (uintptr_t)text->data, from = (uintptr_t)given->stream.data;
  if (!given->stream.data || !text->data) return true;
  if (at >= from && at - from < given->stream.size) return true;
  text->data = pks_base_arena_copy(&f->mem, &f->text, text->data, text->size);
  return text->data != NULL;
}

static bool keep_versions(pks_inspector *f, pks_code_record *record) {
  size_t count = pks_code_set_size(record->set), n = 0;
  record->magic_count = 0;
  if (count == 0) return true;
  unsigned first = pks_code_set_first(record->set);
  if (count == 1) {
    record->python = pks_code_name_of(first);
    record->magic = pks_code_magic_of(first);
    record->magic_count = 1;
    if (!record->given_magic || record->given_magic == *record->magic) return true;
  }
  const char **python = pks_base_arena_take(&f->mem, &f->text, count * sizeof *python);
  uint16_t *magic = pks_base_arena_take(&f->mem, &f->text, count * sizeof *magic);
  if (!python || !magic) return false;
  pks_code_set_magics(record->set, magic);
  for (pks_code_set set = record->set; set; set &= set - 1)
    python[n++] = pks_code_version_name(pks_code_set_first(set));
  if (count == 1) magic[0] = (uint16_t)record->given_magic; /* an older or a twin number */
  record->python = python;
  record->magic = magic;
  record->magic_count = count;
  return true;
}

/* ---- work that one byte can ask for -------------------------------------------------------------------- */

#define WORK_A_BYTE 8

bool pks_facts_overspent(pks_inspector *f, uint64_t offset) {
  if (f->code_work_done <= PKS_FREE_WORK + WORK_A_BYTE * (offset + f->code_size)) return false;
  pks_facts_limit(f, PKS_E_LIMIT_MEMORY, offset);
  return true;
}

/* ---- what the code uses ------------------------------------------------------------------------------- */

static bool keep_names(pks_inspector *f, const pks_code_given *given, const pks_code_value *from,
                       pks_import *import) {
  if (!from || !from->items || !from->count) return true;
  if (!pks_facts_spend(f, from->count, given->offset)) return true;
  pks_span *names = pks_base_arena_take(&f->mem, &f->text, from->count * sizeof *names);
  if (!names) return false;
  for (size_t i = 0; i < from->count; i++) {
    names[i] = from->items[i].text;
    if (!keep_text(f, given, &names[i])) return false;
  }
  import->names = names;
  import->name_count = from->count;
  return true;
}

static bool keep_imports(pks_inspector *f, const pks_code_given *given, pks_code_record *record,
                         const pks_code_facts *facts) {
  if (!facts->import_count) return true;
  pks_import *imports =
      pks_base_arena_take(&f->mem, &f->text, facts->import_count * sizeof *imports);
  if (!imports) return false;
  for (size_t i = 0; i < facts->import_count; i++) {
    const pks_code_import *from = &facts->imports[i];
    pks_import *to = &imports[i];
    *to = (pks_import){.module = from->module,
                       .level = from->level == PKS_LEVEL_UNKNOWN ? 0 : from->level,
                       .straight = from->straight,
                       .offset = from->offset};
    if (!keep_text(f, given, &to->module) || !keep_names(f, given, from->from, to)) return false;
    if (from->level == 0) to->absolute = to->module;
    if (to->level > 0) record->relative = f->relative_imports = true;
    if (!to->module.data) pks_facts_limit(f, PKS_E_LIMIT_NAME, given->offset);
  }
  record->imports = imports;
  record->import_count = facts->import_count;
  return true;
}

static bool keep_globals(pks_inspector *f, const pks_code_given *given, pks_code_record *record,
                         const pks_code_facts *facts) {
  if (!facts->global_count) return true;
  pks_span *globals = pks_base_arena_take(&f->mem, &f->text, facts->global_count * sizeof *globals);
  if (!globals) return false;
  for (size_t i = 0; i < facts->global_count; i++) {
    globals[i] = facts->globals[i].name;
    if (!keep_text(f, given, &globals[i])) return false;
    if (!globals[i].data) pks_facts_limit(f, PKS_E_LIMIT_NAME, given->offset);
  }
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

/* Kept up to date so that asking needs no room. Most code objects are of the version of the one before,
 * in whatever payload. */
static void update_joint(pks_inspector *f) {
  pks_code_set all = f->join.all;
  uint32_t given = f->join.given_differs ? 0 : f->join.given_magic;
  if (all == f->joint_set && given == f->joint_given) return;
  size_t count = pks_code_set_magics(all, f->joint_magic), n = 0;
  if (count == 1 && given &&
      pks_code_version_of_magic((uint16_t)given) == (int)pks_code_set_first(all))
    f->joint_magic[0] = (uint16_t)given;
  for (pks_code_set set = all; set; set &= set - 1)
    f->joint_python[n++] = pks_code_version_name(pks_code_set_first(set));
  f->joint_set = all;
  f->joint_given = given;
}

/* ---- code inside code ----------------------------------------------------------------------------------- */

static pks_code_record *record_at(pks_inspector *f, uint32_t index) {
  return &PKS_VEC_AT(&f->codes, pks_code_record, index);
}

/* Constants that are code come before the code object that holds them. */
static void adopt(pks_inspector *f, const pks_code_given *given, const pks_code_facts *facts,
                  uint32_t parent) {
  if (!facts->consts || !facts->consts->items) return;
  for (size_t i = 0; i < facts->consts->count; i++) {
    const pks_code_value *value = &facts->consts->items[i];
    if (value->kind != PKS_CV_CODE || value->number < 0) continue;
    uint64_t index = (uint64_t)value->number + given->base;
    if (index >= parent) continue;
    pks_code_record *child = record_at(f, (uint32_t)index);
    if (child->owned) continue;
    child->owned = true;
    child->sibling = record_at(f, parent)->child;
    record_at(f, parent)->child = (uint32_t)index;
  }
}

/* `from ..a import b` in package p.q is p.a. */
static bool resolve(pks_inspector *f, pks_import *import, pks_span package) {
  size_t size = package.size;
  for (int up = 1; up < import->level; up++) {
    while (size && package.data[size - 1] != '.') size--;
    if (!size) return true; /* beyond the top: nothing */
    size--;
  }
  bool dot = import->module.size != 0;
  uint8_t *text = pks_base_arena_take(&f->mem, &f->text, size + dot + import->module.size + 1);
  if (!text) return false;
  memcpy(text, package.data, size);
  if (dot) {
    text[size] = '.';
    memcpy(text + size + 1, import->module.data, import->module.size);
  }
  import->absolute = (pks_span){text, size + dot + import->module.size};
  return true;
}

static bool resolve_all(pks_inspector *f, pks_code_record *record, pks_span package) {
  for (size_t i = 0; record->relative && i < record->import_count; i++) {
    pks_import *import = &record->imports[i];
    if (import->level > 0 && import->module.size <= f->limits.max_name &&
        (import->module.data || import->module.size == 0) && !resolve(f, import, package))
      return false;
  }
  return true;
}

/* The first function that is made of a code object says for it, and for all code in it. */
void pks_facts_package(pks_inspector *f, uint32_t code, pks_span package) {
  uint32_t next = code;
  if (!f->relative_imports || !package.size || code >= f->codes.count) return;
  f->code_work.count = 0;
  while (next != PKS_NO_INDEX) {
    pks_code_record *record = record_at(f, next);
    if (next != code && record->sibling != PKS_NO_INDEX) {
      uint32_t *later = pks_base_vec_push(&f->mem, &f->code_later, sizeof *later);
      if (!later) break;
      *later = record->sibling;
    }
    bool done = record->packaged;
    record->packaged = true;
    if (!done && !resolve_all(f, record, package)) break;
    next = done ? PKS_NO_INDEX : record->child;
    if (next == PKS_NO_INDEX && f->code_later.count)
      next = PKS_VEC_AT(&f->code_later, uint32_t, --f->code_later.count);
  }
  if (next != PKS_NO_INDEX) pks_facts_fail(f);
  f->code_later.count = 0;
}

/* ---- one code object -------------------------------------------------------------------------------------- */

/* Texts of the arguments themselves. */
static bool affordable(pks_inspector *f, const pks_code_given *given) {
  uint64_t size = given->text_size;
  for (size_t i = 0; !given->text_size && i < given->argc; i++) size += given->args[i].text.size;
  return pks_facts_spend(f, size, given->offset);
}

static bool inspect(pks_inspector *f, const pks_code_given *given, pks_code_facts *facts) {
  if (!given->args ||
      !affordable(f, given)) { /* its arguments are out of sight: nothing is known of it */
    *facts = (pks_code_facts){.line = -1,
                              .flags = -1,
                              .argcount = -1,
                              .posonly = -1,
                              .kwonly = -1,
                              .nlocals = -1,
                              .stacksize = -1};
    int version = given->magic ? pks_code_version_of_magic(given->magic) : -1;
    if (version >= 0) {
      facts->set = facts->likely = PKS_CODE_BIT(version);
      facts->kind = PKS_CODE_EXACT;
      facts->given_magic = given->magic;
    }
    return true;
  }
  f->mem.status = PKS_OK; /* what is refused in there shows here */
  pks_status status =
      given->magic
          ? pks_code_inspect_as(&f->scratch, &f->mem, given->args, given->argc, given->magic, facts)
          : pks_code_inspect(&f->scratch, &f->mem, given->args, given->argc, given->flags, facts);
  return status == PKS_OK && f->mem.status == PKS_OK;
}

static bool fill(pks_inspector *f, const pks_code_given *given, pks_code_record *record,
                 pks_code_facts *facts) {
  if (!keep_bytecode(f, facts)) return false;
  pks_code_join_add(&f->join, facts);
  update_joint(f);
  record->name = facts->name;
  record->qualname = facts->qualname;
  record->file = facts->file;
  record->bytecode = facts->bytecode;
  record->line = facts->line;
  record->numbers = (pks_code_numbers){facts->flags,  facts->argcount, facts->posonly,
                                       facts->kwonly, facts->nlocals,  facts->stacksize};
  record->set = facts->set;
  record->pypy = facts->pypy;
  record->conflicts = facts->conflicts;
  record->given_magic = facts->given_magic;
  record->kind = (pks_candidates)facts->kind;
  record->broken_call = facts->broken_call;
  record->refused = facts->refused;
  record->pypy_differs = facts->pypy_differs;
  return keep_text(f, given, &record->name) && keep_text(f, given, &record->qualname) &&
         keep_text(f, given, &record->file) && keep_versions(f, record) &&
         keep_imports(f, given, record, facts) && keep_globals(f, given, record, facts);
}

uint32_t pks_facts_code_record(pks_inspector *f, const pks_code_given *given) {
  pks_code_facts facts;
  pks_code_record *record = pks_base_vec_push(&f->mem, &f->codes, sizeof *record);
  uint32_t index = (uint32_t)f->codes.count - 1;
  if (!record) {
    pks_facts_fail(f);
    return PKS_NO_INDEX;
  }
  *record = (pks_code_record){.offset = given->offset,
                              .how = given->how,
                              .arguments = (int)given->argc,
                              .line = -1,
                              .numbers = {-1, -1, -1, -1, -1, -1},
                              .child = PKS_NO_INDEX,
                              .sibling = PKS_NO_INDEX,
                              .args = f->options.listings ? given->args : NULL,
                              .stream = given->stream,
                              .ordinal = given->ordinal,
                              .flags = given->flags};
  if (!inspect(f, given, &facts) || !fill(f, given, record, &facts)) {
    pks_facts_fail(f);
    return PKS_NO_INDEX;
  }
  if (f->relative_imports) adopt(f, given, &facts, index);
  return index;
}
