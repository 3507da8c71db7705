/* facts/inspect.c - a payload whole or in pieces, from the first byte to STOP. */
#include "base/settings.h"
#include "facts/facts.h"

pks_status pks_facts_whole(pks_inspector *f, const uint8_t *data, size_t size, size_t *consumed) {
  pks_facts_reset(f);
  pks_status status = pks_machine_whole(&f->machine, data, size);
  if ((f->machine.quirks || f->machine.fail) && !f->is_other) {
    pks_facts_read_others(f, data, size);
    status = pks_machine_ended(&f->machine);
  }
  if (consumed) *consumed = (size_t)pks_machine_end(&f->machine);
  return status;
}

pks_status pks_facts_feed(pks_inspector *f, pks_input *in) {
  if (f->machine.total != UINT64_MAX || f->file.format) return PKS_E_USAGE; /* it was given whole */
  return pks_machine_feed(&f->machine, in);
}

pks_status pks_facts_finish(pks_inspector *f) {
  return f->file.format ? PKS_E_USAGE : pks_machine_finish(&f->machine);
}

/* ---- the object ------------------------------------------------------------------------------------ */

static void copy_text(char *to, size_t size, const char *from, const char **public_text) {
  size_t length = strlen(from);
  if (length >= size) length = size - 1;
  memcpy(to, from, length);
  to[length] = 0;
  *public_text = to;
}

pks_status pks_facts_set_options(pks_inspector *f, const pks_options *options) {
  pks_machine *m = &f->machine;
  pks_options all;
  if (pks_base_options(&all, options) != PKS_OK) return PKS_E_USAGE;
  if (all.encoding) copy_text(f->encoding, sizeof f->encoding, all.encoding, &all.encoding);
  if (all.errors) copy_text(f->errors, sizeof f->errors, all.errors, &all.errors);
  f->options = all;
  m->rules = pks_decode_reader_rules(all.python, all.implementation == PKS_IMPLEMENTATION_PYPY);
  m->hash_depth = m->rules & PKS_RULE_PYPY ? PKS_PYPY_HASH_DEPTH : PKS_TUPLE_DEPTH_MAX;
  m->reading = all.reading;
  m->file_buffer = all.file_buffer ? all.file_buffer : pks_decode_file_buffer(all.python);
  m->inert = all.opaque == PKS_OPAQUE_INERT;
  m->persistent_load = all.persistent_load;
  m->extensions = all.extensions;
  pks_decode_strings(&m->strings, all.encoding, all.errors);
  if (m->inert && !all.persistent_load) m->persistent_load = PKS_ANSWER_NO;
  if (m->inert && !all.encoding) pks_decode_strings(&m->strings, "ASCII", all.errors);
  if (m->rules & PKS_RULE_CPICKLE) pks_decode_strings_cpickle(&m->strings);
  m->strings.pypy = m->rules & PKS_RULE_PYPY;
  pks_facts_reset(f);
  return PKS_OK;
}

pks_inspector *pks_facts_new(const pks_options *options, const pks_limits *limits,
                             const pks_alloc *alloc) {
  pks_limits all;
  if (pks_base_limits(&all, limits) != PKS_OK) return NULL;
  pks_inspector *f = pks_base_object_new(alloc, all.max_memory, sizeof *f);
  if (!f) return NULL;
  pks_machine *m = &f->machine;
  f->limits = all;
  f->seed = (uint64_t)(uintptr_t)f * 0x9e3779b97f4a7c15ull;
  m->mem = &f->mem;
  m->hooks = &pks_facts_hooks;
  m->user = f;
  m->max_ops = all.max_ops;
  m->max_depth = all.max_depth;
  m->max_name = all.max_name;
  m->max_keep = all.max_keep;
  m->max_code = all.max_code;
  m->max_frame = all.max_frame;
  if (pks_facts_set_options(f, options) != PKS_OK) {
    pks_facts_free(f);
    return NULL;
  }
  return f;
}

void pks_facts_reset(pks_inspector *f) {
  pks_machine_reset(&f->machine);
  f->machine.buffers = f->options.buffers;
  pks_facts_names_reset(f);
  pks_base_arena_reset(&f->text);
  f->globals.count = f->calls.count = f->codes.count = f->modules.count = 0;
  f->extensions.count = f->events.count = f->classes.count = 0;
  f->uses.count = 0;
  f->load_calls = false;
  if (f->trait_count) memset(f->traits, 0, sizeof f->traits);
  f->trait_count = 0;
  memset(f->assumed_count, 0, sizeof f->assumed_count);
  f->persistent_ids = f->buffers = f->encoding_offset = 0;
  f->encoding_needed = f->modern_cloudpickle = false;
  f->encoded_count = 0;
  f->join = (pks_code_join){.count = 0};
  f->serial++;
  f->relative_imports = false;
  f->code_work_done = f->code_size = 0;
  f->file = (pks_code_file){.format = PKS_PAYLOAD_PICKLE};
  f->item_count = 0;
  f->reading_count = 0;
  f->compared = false;
}

void pks_facts_free(pks_inspector *f) {
  if (!f) return;
  pks_facts_others_free(f);
  pks_machine_free(&f->machine);
  pks_facts_names_free(f);
  pks_base_arena_free(&f->mem, &f->text);
  pks_base_arena_free(&f->mem, &f->code_text);
  pks_base_vec_free(&f->mem, &f->code_work, sizeof(pks_code_work));
  pks_base_vec_free(&f->mem, &f->code_later, sizeof(uint32_t));
  pks_code_marshal_free(&f->marshal, &f->mem);
  pks_code_scratch_free(&f->scratch, &f->mem);
  pks_base_vec_free(&f->mem, &f->globals, sizeof(pks_global_record));
  pks_base_vec_free(&f->mem, &f->calls, sizeof(pks_call_record));
  pks_base_vec_free(&f->mem, &f->codes, sizeof(pks_code_record));
  pks_base_vec_free(&f->mem, &f->modules, sizeof(pks_module_record));
  pks_base_vec_free(&f->mem, &f->extensions, sizeof(pks_extension_record));
  pks_base_vec_free(&f->mem, &f->events, sizeof(pks_event_record));
  pks_base_vec_free(&f->mem, &f->classes, sizeof(pks_class_record));
  pks_base_vec_free(&f->mem, &f->uses, sizeof(pks_use_record));
  pks_base_object_free(f, sizeof *f);
}
