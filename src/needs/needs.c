#include "needs/needs.h"

const char *pks_needs_kind_name(pks_need_kind kind) {
  static const char *const names[] = {
#define X(id, name) name,
      PKS_NEED_MAP(X)
#undef X
  };
  return kind < PKS_NEED_KINDS ? names[kind] : "?";
}

const char *pks_needs_phase_name(pks_phase phase) {
  static const char *const names[] = {"parse", "load", "run"};
  return phase <= PKS_PHASE_RUN ? names[phase] : "?";
}

bool pks_needs_names_main(pks_span module) {
  static const struct {
    const char *name;
    bool begins;
  } names[] = {
#define MAIN(name) {name, false},
#define MAIN_PREFIX(name) {name, true},
#include "needs/mains.def"
#undef MAIN
#undef MAIN_PREFIX
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t size = strlen(names[i].name);
    if (module.size < size || (module.size > size && !names[i].begins)) continue;
    if (memcmp(module.data, names[i].name, size) == 0) return true;
  }
  return false;
}

static pks_requirement *add(pks_mem *mem, pks_vec *out, pks_need_kind kind, pks_phase phase,
                            uint64_t offset) {
  pks_requirement *r = pks_base_vec_push(mem, out, sizeof *r);
  if (r)
    *r = (pks_requirement){
        .kind = (uint8_t)kind, .phase = (uint8_t)phase, .offset = offset, .certain = true};
  return r;
}

/* ---- parse ---------------------------------------------------------------------------------------- */

/* Where the reader that was asked for stops. Where that is a protocol which younger ones read, the need
 * of the protocol says it all. */
static bool collect_stop(const pks_inspector *f, pks_mem *mem, pks_vec *out) {
  const pks_machine *m = &f->machine;
  pks_status status = pks_decode_fails[m->fail].status;
  pks_need_kind kind = PKS_NEED_OPCODE;
  bool stops = pks_status_classify(status) == PKS_CLASS_MALFORMED || status == PKS_E_PROTOCOL;
  if (!stops || status == PKS_E_NEED || pks_machine_is_too_old(m)) return true;
  if (status == PKS_E_FRAME) kind = PKS_NEED_FRAME;
  if (status == PKS_E_ARGUMENT) kind = PKS_NEED_NUMBER;
  pks_requirement *r = add(mem, out, kind, PKS_PHASE_PARSE, m->fail_offset);
  return r != NULL;
}

/* What readers do not agree about: the check asks whether the target's is known. */
static bool collect_quirk(const pks_inspector *f, pks_mem *mem, pks_vec *out, pks_need_kind kind,
                          unsigned quirks, uint64_t offset) {
  const pks_machine *m = &f->machine;
  if (!(m->quirks & quirks) || (m->fail && m->fail_offset == offset)) return true;
  pks_requirement *r = add(mem, out, kind, PKS_PHASE_PARSE, offset);
  if (r) r->certain = false;
  return r != NULL;
}

static bool collect_quirks(const pks_inspector *f, pks_mem *mem, pks_vec *out) {
  const pks_machine *m = &f->machine;
  return collect_quirk(f, mem, out, PKS_NEED_FRAME, PKS_QUIRK_FRAMES, m->frame_quirk) &&
         collect_quirk(f, mem, out, PKS_NEED_NUMBER, PKS_QUIRK_NUMBER, m->number_quirk);
}

static bool collect_parse(const pks_inspector *f, pks_mem *mem, pks_vec *out) {
  if (f->file.format) return true; /* no pickle */
  unsigned seen = f->machine.seen_protocols;
  uint64_t offset = pks_machine_is_too_old(&f->machine) ? f->machine.fail_offset : 0;
  pks_requirement *r = add(mem, out, PKS_NEED_PROTOCOL, PKS_PHASE_PARSE, offset);
  if (!r) return false;
  while (seen >>= 1) r->number++; /* the highest bit */
  return (!f->machine.quirks || collect_quirks(f, mem, out)) && collect_stop(f, mem, out);
}

/* ---- load ----------------------------------------------------------------------------------------- */

/* dill's own unpickler answers this name with __main__'s dict; pickle's does not (dill issue 316). */
static bool is_dill_main(const pks_name *name) {
  static const char spelled[] = "__builtin____main__";
  return name->module_size == 11 && name->name_size == 8 && memcmp(name->text, spelled, 19) == 0;
}

/* Module of a global, and its name. */
static pks_span global_names(const pks_inspector *f, uint32_t index, pks_span *name) {
  const pks_global_record *record = &PKS_VEC_AT(&f->globals, pks_global_record, index);
  pks_span module, text;
  pks_facts_name_spans(&PKS_VEC_AT(&f->names, pks_name, record->name), &module, &text);
  if (name) *name = text;
  return module;
}

static bool collect_globals(const pks_inspector *f, pks_mem *mem, pks_vec *out) {
  if (!pks_base_vec_reserve(mem, out, sizeof(pks_requirement), f->globals.count)) return false;
  pks_requirement *r = &PKS_VEC_AT(out, pks_requirement, out->count);
  for (size_t i = 0; i < f->globals.count; i++, r++) {
    const pks_global_record *record = &PKS_VEC_AT(&f->globals, pks_global_record, i);
    const pks_name *name = &PKS_VEC_AT(&f->names, pks_name, record->name);
    const bool argument = name->flags & PKS_NAME_ARGUMENT;
    const bool certain = !(name->flags & PKS_NAME_UNCERTAIN);
    *r = (pks_requirement){.kind = PKS_NEED_ATTRIBUTE,
                           .phase = PKS_PHASE_LOAD,
                           .certain = certain,
                           .dotted = argument || record->dotted,
                           .index = (uint32_t)i,
                           .offset = record->offset,
                           .named = name};
    pks_facts_name_spans(name, &r->module, &r->name);
    if (pks_needs_is_main(r->module)) r->kind = PKS_NEED_MAIN;
    if (is_dill_main(name)) r->kind = PKS_NEED_LOADER;
    if (record->instance && r->kind != PKS_NEED_ATTRIBUTE) {
      r--; /* the class is asked for by itself */
      continue;
    }
    r->straight = record->instance;
    r->plain = r->kind == PKS_NEED_ATTRIBUTE && certain && !argument && !record->helper;
    if (record->calls[0]) /* REDUCE */
      r->number = PKS_VEC_AT(&f->calls, pks_call_record, record->calls[0] - 1).arguments;
    if (record->helper) r->helper = global_names(f, record->helper - 1, NULL);
  }
  out->count = (size_t)(r - (pks_requirement *)out->data);
  return true;
}

/* What arguments and states say beside names. */
static bool collect_traits(const pks_inspector *f, pks_mem *mem, pks_vec *out) {
  for (unsigned i = 0; f->trait_count && i < PKS_TRAIT_COUNT; i++) {
    const pks_trait_record *trait = &f->traits[i];
    pks_need_kind kind = PKS_NEED_VERSION;
    if (!trait->seen) continue;
    if (i == PKS_TRAIT_POSIX_PATH || i == PKS_TRAIT_WINDOWS_PATH) kind = PKS_NEED_PLATFORM;
    if (i == PKS_TRAIT_SKEL_NAME) kind = PKS_NEED_HELPER;
    pks_requirement *r = add(mem, out, kind, PKS_PHASE_LOAD, trait->offset);
    if (!r) return false;
    r->trait = (uint8_t)(i + 1);
    r->helper = trait->value;
    if (trait->global != PKS_NO_INDEX) r->module = global_names(f, trait->global, &r->name);
  }
  return true;
}

/* A form that makes the load fail in some versions, and in some gives an object that is of no use. */
static bool collect_form(const pks_use_record *use, pks_mem *mem, pks_vec *out) {
  const pks_form *form = pks_facts_form(use->count);
  const uint16_t refusing[] = {(uint16_t)(form->load | form->open), form->run};
  for (unsigned i = 0; i < 2; i++) {
    if (!refusing[i]) continue;
    pks_requirement *r =
        add(mem, out, PKS_NEED_CONSTRUCTOR, i ? PKS_PHASE_RUN : PKS_PHASE_LOAD, use->offset);
    if (!r) return false;
    r->use = PKS_USE_FORM;
    r->module = (pks_span){(const uint8_t *)form->module, strlen(form->module)};
    r->name = (pks_span){(const uint8_t *)form->name, strlen(form->name)};
    r->number = use->count;
  }
  return true;
}

/* What not every version takes of a class that it has. */
static bool collect_uses(const pks_inspector *f, pks_mem *mem, pks_vec *out) {
  for (size_t i = 0; i < f->uses.count; i++) {
    const pks_use_record *use = &PKS_VEC_AT(&f->uses, pks_use_record, i);
    if (use->use == PKS_USE_LACK) {
      const pks_lack *lack = pks_facts_lack(use->count);
      pks_requirement *r = add(mem, out, PKS_NEED_CONSTRUCTOR, PKS_PHASE_LOAD, use->offset);
      if (!r) return false;
      r->use = PKS_USE_LACK;
      r->module = (pks_span){(const uint8_t *)lack->module, strlen(lack->module)};
      r->name = (pks_span){(const uint8_t *)lack->name, strlen(lack->name)};
      r->number = use->count;
      continue;
    }
    if (use->use == PKS_USE_FORM) {
      if (!collect_form(use, mem, out)) return false;
      continue;
    }
    const pks_global_record *global = &PKS_VEC_AT(&f->globals, pks_global_record, use->global);
    pks_requirement *r = add(mem, out, PKS_NEED_CONSTRUCTOR, PKS_PHASE_LOAD, use->offset);
    if (!r) return false;
    r->use = use->use;
    r->named = &PKS_VEC_AT(&f->names, pks_name, global->name);
    pks_facts_name_spans(r->named, &r->module, &r->name);
    r->helper = use->value;
    r->number = use->count;
  }
  return true;
}

static bool collect_modules(const pks_inspector *f, pks_mem *mem, pks_vec *out) {
  for (size_t i = 0; i < f->modules.count; i++) {
    const pks_module_record *record = &PKS_VEC_AT(&f->modules, pks_module_record, i);
    if (record->kind != PKS_MODULE_ARGUMENT) continue;
    pks_requirement *r = add(mem, out, PKS_NEED_MODULE, PKS_PHASE_LOAD, record->offset);
    if (!r) return false;
    r->module = record->name;
    r->dotted = record->dotted;
  }
  return true;
}

/* dill's _create_code adapts to other numbers of arguments; before 0.3.2 dill called the type itself. */
static uint32_t dill_adapts(const pks_inspector *f) {
  for (uint32_t i = 0; i < f->globals.count; i++) {
    const pks_global_record *record = &PKS_VEC_AT(&f->globals, pks_global_record, i);
    const pks_name *name = &PKS_VEC_AT(&f->names, pks_name, record->name);
    if (name->library == PKS_LIBRARY_DILL && name->role == PKS_ROLE_CODE) return i;
  }
  return PKS_NO_INDEX;
}

/* One a number of arguments. */
static bool collect_constructors(const pks_inspector *f, pks_mem *mem, pks_vec *out) {
  uint64_t seen = 0;
  for (size_t i = 0; i < f->codes.count; i++) {
    const pks_code_record *record = &PKS_VEC_AT(&f->codes, pks_code_record, i);
    uint64_t bit = (uint64_t)1 << (record->arguments & 31)
                               << (record->broken_call || record->refused ? 32 : 0);
    if (seen & bit) continue;
    seen |= bit;
    uint32_t helper = record->flags & PKS_CODE_DILL ? dill_adapts(f) : PKS_NO_INDEX;
    pks_requirement *r = add(mem, out, PKS_NEED_CONSTRUCTOR, PKS_PHASE_LOAD, record->offset);
    if (!r) return false;
    r->number = (uint64_t)record->arguments;
    r->index = (uint32_t)i;
    r->certain = record->arguments != 0;
    if (helper == PKS_NO_INDEX) continue;
    r->module = global_names(f, helper, &r->name);
    r->helper = r->module;
  }
  return true;
}

/* A reader that was told what it has stops at the first thing that it has not: that is needed too. */
static bool collect_loader(const pks_inspector *f, pks_mem *mem, pks_vec *out) {
  const pks_machine *m = &f->machine;
  bool id = m->fail == PKS_FAIL_NO_PERSID;
  bool buffer = m->fail == PKS_FAIL_NO_BUFFERS || m->fail == PKS_FAIL_FEW_BUFFERS;
  uint64_t buffers = f->buffers + buffer;
  if (f->persistent_ids || id) {
    uint64_t offset = f->persistent_ids ? f->persid_offset : m->fail_offset;
    if (!add(mem, out, PKS_NEED_PERSISTENT_ID, PKS_PHASE_LOAD, offset)) return false;
  }
  if (buffers) {
    uint64_t offset = f->buffers ? f->buffer_offset : m->fail_offset;
    pks_requirement *r = add(mem, out, PKS_NEED_BUFFERS, PKS_PHASE_LOAD, offset);
    if (!r) return false;
    r->number = buffers;
  }
  return true;
}

static bool collect_reader(const pks_inspector *f, pks_mem *mem, pks_vec *out) {
  if (!collect_loader(f, mem, out)) return false;
  for (size_t i = 0; i < f->extensions.count; i++) {
    const pks_extension_record *record = &PKS_VEC_AT(&f->extensions, pks_extension_record, i);
    pks_requirement *r = add(mem, out, PKS_NEED_EXTENSION, PKS_PHASE_LOAD, record->offset);
    if (!r) return false;
    r->number = record->code;
  }
  bool undecoded =
      f->machine.fail == PKS_FAIL_ENCODING || f->machine.fail == PKS_FAIL_ENCODING_NAME;
  if (!f->encoding_needed && !undecoded) return true;
  uint64_t offset = f->encoding_needed ? f->encoding_offset : f->machine.fail_offset;
  return add(mem, out, PKS_NEED_ENCODING, PKS_PHASE_LOAD, offset) != NULL;
}

/* ---- run ------------------------------------------------------------------------------------------ */

/* Under another magic number than its own a .pyc is not even loaded (importlib._bootstrap_external.
 * _classify_pyc, run_pyc_file in Python/pythonrun.c). */
static bool collect_bytecode(const pks_inspector *f, pks_mem *mem, pks_vec *out) {
  bool pyc = f->file.format == PKS_PAYLOAD_PYC && f->file.pyc.magic;
  if (f->codes.count == 0 && !pyc) return true;
  pks_phase phase = f->load_calls || pyc ? PKS_PHASE_LOAD : PKS_PHASE_RUN;
  uint64_t offset = pyc ? 0 : PKS_VEC_AT(&f->codes, pks_code_record, 0).offset;
  return add(mem, out, PKS_NEED_BYTECODE, phase, offset) != NULL;
}

/* Modules imported inside carried functions; one of each, `straight` when any is. Relative imports only
 * where the payload says of which package the function is. */
static bool collect_imports(const pks_inspector *f, pks_mem *mem, pks_vec *out) {
  size_t first = out->count;
  for (size_t i = 0; i < f->codes.count; i++) {
    const pks_code_record *code = &PKS_VEC_AT(&f->codes, pks_code_record, i);
    for (size_t k = 0; k < code->import_count; k++) {
      const pks_import *import = &code->imports[k];
      pks_span module = import->level > 0 ? import->absolute : import->module;
      size_t at = first;
      if (module.size == 0) continue;
      if (out->count - first > 256) return true; /* more than a person reads; one unmet will do */
      for (; at < out->count; at++) {
        pks_requirement *r = &PKS_VEC_AT(out, pks_requirement, at);
        if (r->module.size != module.size || memcmp(r->module.data, module.data, module.size) != 0)
          continue;
        r->straight = r->straight || import->straight;
        break;
      }
      if (at < out->count) continue;
      pks_requirement *r = add(mem, out, PKS_NEED_IMPORT, PKS_PHASE_RUN, code->offset);
      if (!r) return false;
      r->module = module;
      r->straight = import->straight;
    }
  }
  return true;
}

bool pks_needs_collect(const pks_inspector *f, pks_mem *mem, pks_vec *out) {
  return collect_parse(f, mem, out) && collect_globals(f, mem, out) &&
         collect_modules(f, mem, out) && collect_traits(f, mem, out) && collect_uses(f, mem, out) &&
         collect_constructors(f, mem, out) && collect_reader(f, mem, out) &&
         collect_bytecode(f, mem, out) && collect_imports(f, mem, out);
}
