/* facts/query.c - records as the public structs. */
#include "facts/facts.h"

void pks_facts_error(const pks_inspector *f, pks_error *error) {
  pks_decode_error(error, f->machine.fail, f->machine.fail_offset, f->machine.fail_op);
  if (!f->file.format || f->file.status == PKS_END) return;
  pks_error value = {.size = sizeof value,
                     .status = f->file.status,
                     .offset = f->file.offset,
                     .text = f->file.text};
  value.size = error->size < sizeof value ? error->size : sizeof value;
  memcpy(error, &value, value.size);
}

void pks_facts_summary(const pks_inspector *f, pks_summary *s) {
  const pks_machine *m = &f->machine;
  *s = (pks_summary){
      .bytes = pks_machine_end(m),
      .ops = m->ops,
      .protocol = m->protocol,
      .complete = m->stopped && !m->limit,
      .ambiguous = f->compared ? f->reading_count > 0 : m->quirks != 0,
      .readings = f->reading_count,
      .encoding_needed = f->encoding_needed,
      .encoding_offset = f->encoding_offset,
      .load_calls = f->load_calls,
      .load_calls_offset = f->load_calls_offset,
      .min_protocol = m->seen_protocols > 1 ? 31 - __builtin_clz(m->seen_protocols) : 0,
      .persistent_ids = f->persistent_ids,
      .buffers = f->buffers,
      .globals = f->globals.count,
      .calls = f->calls.count,
      .codes = f->codes.count,
      .modules = f->modules.count,
      .extensions = f->extensions.count,
      .events = f->events.count,
      .limit = m->limit,
      .limit_offset = m->limit_offset,
      .peak_memory = f->mem.peak,
  };
  for (int i = 0; i < PKS_ASSUME_COUNT; i++) s->assumed += f->assumed_count[i] != 0;
  s->format = f->file.format;
  if (!s->format) return;
  s->bytes = f->file.end;
  s->protocol = s->min_protocol = -1;
  s->complete = f->file.status == PKS_END && !m->limit;
}

static const char *via_name(uint8_t op) { return op ? pks_decode_ops[op].name : "argument"; }

bool pks_facts_get_global(const pks_inspector *f, size_t index, pks_global *out) {
  if (index >= f->globals.count) return false;
  const pks_global_record *record = &PKS_VEC_AT(&f->globals, pks_global_record, index);
  const pks_name *name = &PKS_VEC_AT(&f->names, pks_name, record->name);
  *out = (pks_global){.offset = record->offset,
                      .count = record->count,
                      .used = record->used,
                      .certain = !(name->flags & PKS_NAME_UNCERTAIN),
                      .via = via_name(record->via)};
  pks_facts_name_spans(name, &out->module, &out->name);
  out->spelled_module = (pks_span){name->text, name->module_size};
  out->spelled_name = (pks_span){name->text + name->module_size, name->name_size};
  /* what came onto the stack more often than a call, a base or a key took it is held by something */
  if (record->pushes > record->uses) out->used |= PKS_USED_REFERENCE;
  return true;
}

bool pks_facts_get_call(const pks_inspector *f, size_t index, pks_call *out) {
  if (index >= f->calls.count) return false;
  const pks_call_record *record = &PKS_VEC_AT(&f->calls, pks_call_record, index);
  *out = (pks_call){
      .offset = record->offset,
      .count = record->count,
      .via = via_name(record->via),
      .global = record->global == PKS_NO_INDEX ? SIZE_MAX : record->global,
      .result_of = record->result_of == PKS_NO_INDEX ? SIZE_MAX : record->result_of,
  };
  return true;
}

/* The one version that soft evidence over all code objects prefers, as a magic number, or 0. */
static uint16_t likely_magic(const pks_inspector *f) {
  pks_code_joint joint;
  if (f->join.count == 0) return 0;
  pks_code_join_get(&f->join, &joint);
  pks_code_set best = joint.likely;
  if (pks_code_set_size(best) != 1) return 0;
  if (best == joint.set) return f->joint_magic[0];
  return pks_code_version_magic(pks_code_set_first(best));
}

bool pks_facts_get_code(const pks_inspector *f, size_t index, pks_code *out) {
  if (index >= f->codes.count) return false;
  const pks_code_record *record = &PKS_VEC_AT(&f->codes, pks_code_record, index);
  *out = (pks_code){.offset = record->offset,
                    .how = record->how,
                    .arguments = record->arguments,
                    .name = record->name,
                    .qualname = record->qualname,
                    .file = record->file,
                    .line = record->line,
                    .bytecode = record->bytecode,
                    .kind = record->kind,
                    .magic = record->magic,
                    .python = record->python,
                    .magic_count = record->magic_count,
                    .likely = likely_magic(f),
                    .imports = record->imports,
                    .import_count = record->import_count,
                    .globals = record->globals,
                    .global_count = record->global_count,
                    .flags = record->numbers.flags,
                    .argcount = record->numbers.argcount,
                    .posonlyargcount = record->numbers.posonly,
                    .kwonlyargcount = record->numbers.kwonly,
                    .nlocals = record->numbers.nlocals,
                    .stacksize = record->numbers.stacksize};
  return true;
}

bool pks_facts_bytecode(const pks_inspector *f, pks_code *out) {
  pks_code_joint joint;
  if (f->join.count == 0) return false;
  pks_code_join_get(&f->join, &joint);
  *out = (pks_code){.kind = (pks_candidates)joint.kind,
                    .magic = f->joint_magic,
                    .python = f->joint_python,
                    .likely = likely_magic(f)};
  for (size_t i = 0; i < PKS_CODE_VERSIONS; i++) out->magic_count += (joint.set >> i) & 1;
  return true;
}

bool pks_facts_get_module(const pks_inspector *f, size_t index, pks_module *out) {
  if (index >= f->modules.count) return false;
  const pks_module_record *record = &PKS_VEC_AT(&f->modules, pks_module_record, index);
  *out = (pks_module){.kind = record->kind, .name = record->name, .offset = record->offset};
  return true;
}

bool pks_facts_get_event(const pks_inspector *f, size_t index, pks_event *out) {
  if (index >= f->events.count) return false;
  const pks_event_record *record = &PKS_VEC_AT(&f->events, pks_event_record, index);
  *out = (pks_event){.kind = (pks_event_kind)record->kind,
                     .offset = record->offset,
                     .index = record->index == PKS_NO_INDEX ? SIZE_MAX : record->index};
  return true;
}

bool pks_facts_get_assumption(const pks_inspector *f, size_t index, pks_assumption *out) {
  static const char *const texts[] = {
#define X(id, text) text,
      PKS_ASSUME_MAP(X)
#undef X
  };
  for (size_t i = 0; i < PKS_ASSUME_COUNT; i++) {
    if (f->assumed_count[i] == 0 || index-- > 0) continue;
    *out = (pks_assumption){
        .offset = f->assumed_offset[i], .count = f->assumed_count[i], .text = texts[i]};
    return true;
  }
  return false;
}
