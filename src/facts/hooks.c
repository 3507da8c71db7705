/* facts/hooks.c - what the machine reports becomes records. */
#include "facts/facts.h"

static pks_inspector *facts_of(pks_machine *m) { return m->user; }

void pks_facts_fail(pks_inspector *f) {
  if (!f->machine.fail) f->machine.fail = pks_decode_fail_of(&f->mem);
}

void pks_facts_limit(pks_inspector *f, pks_status limit, uint64_t offset) {
  pks_machine_met_limit(&f->machine, limit, offset);
}

static void event(pks_inspector *f, pks_event_kind kind, uint32_t index, uint64_t offset) {
  if (!f->options.events) return;
  pks_event_record *record = pks_base_vec_push(&f->mem, &f->events, sizeof *record);
  if (record)
    *record = (pks_event_record){offset, index, (uint8_t)kind};
  else
    pks_facts_fail(f);
}

static pks_global_record *global_at(pks_inspector *f, pks_value v) {
  return &PKS_VEC_AT(&f->globals, pks_global_record, (uint32_t)pks_payload(v));
}

static const pks_name *name_of(const pks_inspector *f, const pks_global_record *record) {
  return &PKS_VEC_AT(&f->names, pks_name, record->name);
}

static unsigned py2_flags(uint32_t rules) {
  if (rules & PKS_RULE_CPICKLE) return PKS_NAME_PYTHON2;
  return PKS_NAME_PY2 | (rules & PKS_RULE_TIX ? PKS_NAME_TIX : 0) |
         (rules & PKS_RULE_CGI ? PKS_NAME_CGI : 0);
}

static pks_value on_lookup(pks_machine *m, int op, pks_span module, pks_span name, bool certain,
                           uint64_t offset) {
  pks_inspector *f = facts_of(m);
  unsigned flags = (m->protocol < 3 ? py2_flags(m->rules) : 0) | (certain ? 0 : PKS_NAME_UNCERTAIN);
  uint32_t index = pks_facts_global(f, module, name, flags, op, offset);
  if (index == PKS_NO_INDEX) return PKS_V_UNKNOWN;
  pks_global_record *record = &PKS_VEC_AT(&f->globals, pks_global_record, index);
  record->pushes++;
  record->dotted = record->dotted || m->protocol >= 4;
  const pks_name *names = name_of(f, record);
  if (names->role == PKS_ROLE_MAKE_FUNCTION) f->modern_cloudpickle = true;
  if (names->role == PKS_ROLE_NEW_BLOCK)
    pks_facts_trait(f, PKS_TRAIT_NEW_BLOCK, (pks_span){NULL, 0}, PKS_NO_INDEX, offset);
  if (names->was_mapped) m->quirks |= PKS_QUIRK_RENAMED;
  event(f, PKS_EVENT_GLOBAL, index, offset);
  return pks_make(PKS_V_GLOBAL, index);
}

static void on_again(pks_machine *m, pks_value global) { global_at(facts_of(m), global)->pushes++; }

bool pks_facts_origin(const pks_inspector *f, pks_value v, uint32_t *global, uint32_t *call) {
  *global = *call = PKS_NO_INDEX;
  if (pks_kind(v) == PKS_V_GLOBAL) {
    *global = (uint32_t)pks_payload(v);
    return true;
  }
  if (pks_kind(v) != PKS_V_OBJECT) return false;
  if (pks_object_special(v) == PKS_SPECIAL_CODE) return false;
  uint32_t index = pks_object_index(v);
  switch (pks_object_special(v)) {
    case PKS_SPECIAL_BYTES: *call = f->encoded[index % PKS_ENCODED].call; break;
    case PKS_SPECIAL_CLASS: *call = PKS_VEC_AT(&f->classes, pks_class_record, index).call; break;
    case PKS_SPECIAL_INSTANCE:
      *call = PKS_VEC_AT(&f->classes, pks_class_record, index).instance;
      break;
    case PKS_SPECIAL_NONE:
    case PKS_SPECIAL_CODE_TYPE:
    case PKS_SPECIAL_FUNCTION_TYPE:
    case PKS_SPECIAL_CELL_TYPE:
    case PKS_SPECIAL_CODE:
    case PKS_SPECIAL_FUNCTION:
    case PKS_SPECIAL_DTYPE:
    case PKS_SPECIAL_WRAPPER_TYPE:
    case PKS_SPECIAL_SETTER:
    case PKS_SPECIAL_ITEMGETTER:
    case PKS_SPECIAL_ATTRGETTER:
    case PKS_SPECIAL_MODULE: *call = index; break;
  }
  return true;
}

/* Marks the global behind an opaque value: a class itself, or the class of an object made from it. */
static void mark(pks_inspector *f, pks_value v, unsigned used, bool consumed) {
  uint32_t global, call;
  if (!pks_facts_origin(f, v, &global, &call)) return;
  if (call != PKS_NO_INDEX) global = PKS_VEC_AT(&f->calls, pks_call_record, call).global;
  if (global == PKS_NO_INDEX) return;
  pks_global_record *record = &PKS_VEC_AT(&f->globals, pks_global_record, global);
  record->used |= (uint8_t)used;
  record->uses += consumed && call == PKS_NO_INDEX;
}

static unsigned via_index(int op) {
  switch (op) {
    case PKS_OP_REDUCE: return 0;
    case PKS_OP_NEWOBJ: return 1;
    case PKS_OP_NEWOBJ_EX: return 2;
    case PKS_OP_OBJ: return 3;
    default: return 4; /* INST */
  }
}

#define MAX_CHAIN 32 /* results of results; past it they count as one */

/* The record for calling `callee` with `op`; PKS_NO_INDEX: no memory. */
static uint32_t call_record(pks_inspector *f, int op, pks_value callee, uint64_t offset) {
  uint32_t global = PKS_NO_INDEX, result_of = PKS_NO_INDEX, *slot = NULL;
  unsigned depth = 0, via = via_index(op);
  pks_facts_origin(f, callee, &global, &result_of);
  if (global != PKS_NO_INDEX) {
    slot = &PKS_VEC_AT(&f->globals, pks_global_record, global).calls[via];
  } else if (result_of != PKS_NO_INDEX) {
    pks_call_record *before = &PKS_VEC_AT(&f->calls, pks_call_record, result_of);
    depth = before->depth + 1u;
    slot = &before->calls[via];
    if (depth > MAX_CHAIN) {
      before->count++;
      return result_of;
    }
  }
  if (slot && *slot) {
    PKS_VEC_AT(&f->calls, pks_call_record, *slot - 1).count++;
    return *slot - 1;
  }
  if (f->calls.count >= PKS_NO_INDEX - 1) {
    f->machine.fail = PKS_FAIL_MEMORY;
    return PKS_NO_INDEX;
  }
  if (slot) *slot = (uint32_t)f->calls.count + 1;
  pks_call_record *record = pks_base_vec_push(&f->mem, &f->calls, sizeof *record);
  if (!record) {
    pks_facts_fail(f);
    return PKS_NO_INDEX;
  }
  *record = (pks_call_record){.offset = offset,
                              .count = 1,
                              .global = global,
                              .result_of = result_of,
                              .via = (uint8_t)op,
                              .depth = (uint8_t)depth};
  return (uint32_t)f->calls.count - 1;
}

/* How many arguments a global gets, when it is called first. */
static void note_arguments(pks_inspector *f, uint32_t call, pks_value args) {
  pks_call_record *record = &PKS_VEC_AT(&f->calls, pks_call_record, call);
  size_t count = 0;
  if (record->count != 1 || pks_kind(args) != PKS_V_TUPLE) return;
  if (pks_machine_tuple(&f->machine, args, &count) && count < 255)
    record->arguments = (uint8_t)(count + 1);
}

static void getter_made(pks_inspector *f, int op, pks_value class, pks_value args,
                        uint64_t offset) {
  static const pks_span module = {(const uint8_t *)"_operator", 9};
  static const pks_span names[] = {{(const uint8_t *)"itemgetter", 10},
                                   {(const uint8_t *)"attrgetter", 10}};
  pks_special special = pks_object_special(class);
  if (special != PKS_SPECIAL_ITEMGETTER && special != PKS_SPECIAL_ATTRGETTER) return;
  if (op == PKS_OP_NEWOBJ && pks_kind(args) == PKS_V_TUPLE)
    pks_facts_form_named(f, module, names[special == PKS_SPECIAL_ATTRGETTER], pks_tuple_count(args),
                         offset);
}

static pks_value on_call(pks_machine *m, int op, pks_value callee, pks_value args,
                         uint64_t offset) {
  pks_inspector *f = facts_of(m);
  bool is_new = op == PKS_OP_NEWOBJ || op == PKS_OP_NEWOBJ_EX;
  uint32_t call = call_record(f, op, callee, offset);
  if (call == PKS_NO_INDEX) return PKS_V_UNKNOWN;
  mark(f, callee, is_new ? PKS_USED_NEW : PKS_USED_CALL, true);
  event(f, PKS_EVENT_CALL, call, offset);
  unsigned form = 0;
  if (pks_kind(callee) == PKS_V_GLOBAL) {
    const pks_name *name = name_of(f, global_at(f, callee));
    note_arguments(f, call, args);
    if (name->watch)
      pks_facts_used(f, (uint32_t)pks_payload(callee), name->watch, op, args, offset);
    if (name->forms || name->lacks)
      form = pks_facts_form_new(f, (uint32_t)pks_payload(callee), op, args, 0, offset);
    if (name->role) return pks_facts_helper(f, name->library, name->role, args, call, offset);
  } else if (pks_kind(callee) == PKS_V_OBJECT) {
    unsigned library = pks_object_library(callee);
    if (pks_object_special(callee) == PKS_SPECIAL_CODE_TYPE)
      return pks_facts_code(f, library, args, offset);
    if (pks_object_special(callee) == PKS_SPECIAL_FUNCTION_TYPE)
      return pks_facts_helper(f, library, PKS_ROLE_FUNCTION, args, call, offset);
    if (pks_object_special(callee) == PKS_SPECIAL_FUNCTION) pks_facts_load_calls(f, offset);
    getter_made(f, op, callee, args, offset);
    if (pks_object_special(callee) == PKS_SPECIAL_SETTER)
      pks_facts_set_attribute(f, args, pks_object_index(callee), offset);
    if (pks_object_special(callee) == PKS_SPECIAL_WRAPPER_TYPE)
      pks_facts_trait(f, PKS_TRAIT_WRAPPER_CALL, (pks_span){NULL, 0}, PKS_NO_INDEX, offset);
    if (pks_object_special(callee) == PKS_SPECIAL_CLASS)
      return pks_facts_instance(f, op, callee, call, offset);
    pks_facts_hooks_called(f, callee, PKS_HOOK_CALL, offset);
  }
  return pks_object_formed(pks_object(call, PKS_SPECIAL_NONE, 0), form);
}

static void on_build(pks_machine *m, pks_value object, pks_value state, uint64_t offset) {
  pks_inspector *f = facts_of(m);
  if (pks_kind(object) == PKS_V_OBJECT && pks_object_special(object) == PKS_SPECIAL_DTYPE)
    pks_facts_dtype(f, object, state, offset);
  mark(f, object, PKS_USED_BUILD, false);
  pks_facts_built(f, object, state, offset);
  pks_facts_slots_set(f, object, state, offset);
  if (pks_kind(object) == PKS_V_OBJECT && pks_object_special(object) == PKS_SPECIAL_NONE &&
      pks_object_place(object))
    pks_facts_form_state(f, object, state, offset);
  event(f, PKS_EVENT_BUILD, PKS_NO_INDEX, offset);
}

static void on_method(pks_machine *m, int op, pks_value object, uint64_t count, uint64_t offset) {
  uint32_t hooks = PKS_HOOK_SETITEM;
  if (op == PKS_OP_APPEND || op == PKS_OP_APPENDS) hooks = PKS_HOOK_APPEND | PKS_HOOK_EXTEND;
  if (op == PKS_OP_ADDITEMS) hooks = PKS_HOOK_ADD;
  mark(facts_of(m), object, PKS_USED_BUILD, false);
  if (pks_kind(object) == PKS_V_OBJECT && pks_object_special(object) == PKS_SPECIAL_NONE &&
      pks_object_place(object) >= PKS_FORM_LACKS)
    pks_facts_items_set(facts_of(m), pks_object_place(object) - PKS_FORM_LACKS, count, offset);
  pks_facts_hooks_called(facts_of(m), object, hooks, offset);
}

static void on_key(pks_machine *m, pks_value object, uint64_t offset) {
  mark(facts_of(m), object, PKS_USED_KEY, true);
  pks_facts_hashed(facts_of(m), object, offset);
}

static void on_item(pks_machine *m, uint64_t dict, pks_value key, pks_value value) {
  pks_inspector *f = facts_of(m);
  uint8_t buffer[32], which = PKS_KEY_NONE;
  pks_span text;
  bool plain = !pks_is_opaque(value) && pks_kind(value) != PKS_V_STR;
  if (!pks_machine_short_text(m, key, &text) &&
      !pks_machine_text(m, key, buffer, sizeof buffer, &text))
    return;
  unsigned slot = text.data[0] == '_' && text.data[1] == '_' ? 0 : pks_facts_slot(text);
  if (slot) {
    f->items[f->item_count++ % PKS_ITEMS] = (pks_item){dict, slot - 1, PKS_KEY_SLOT};
    return;
  }
  if (plain) return;
  if (text.size > 1 && text.data[0] == '_' && text.data[1] != '_') {
    pks_facts_stamp(f, text, value, dict);
    return;
  }
  if (pks_is_opaque(value)) {
    bool carried = pks_facts_is_by_value(f, value);
    value = pks_facts_hook_named(text);
    if (value) which = carried ? PKS_KEY_HOOK : PKS_KEY_MASK;
  } else if (pks_kind(value) == PKS_V_STR) {
    if (text.size == 8 && memcmp(text.data, "__name__", 8) == 0) which = PKS_KEY_NAME;
    if (text.size == 11 && memcmp(text.data, "__package__", 11) == 0) which = PKS_KEY_PACKAGE;
    if (text.size == 10 && memcmp(text.data, "__module__", 10) == 0) which = PKS_KEY_MODULE;
    if (text.size == 6 && memcmp(text.data, "module", 6) == 0) which = PKS_KEY_MODULE;
  }
  if (which) f->items[f->item_count++ % PKS_ITEMS] = (pks_item){dict, value, which};
}

static void on_persid(pks_machine *m, pks_value id, uint64_t offset) {
  pks_inspector *f = facts_of(m);
  (void)id;
  if (f->persistent_ids++ == 0) f->persid_offset = offset;
  event(f, PKS_EVENT_PERSID, PKS_NO_INDEX, offset);
}

static void on_buffer(pks_machine *m, uint64_t offset) {
  pks_inspector *f = facts_of(m);
  if (f->buffers++ == 0) f->buffer_offset = offset;
  event(f, PKS_EVENT_BUFFER, PKS_NO_INDEX, offset);
}

static void on_extension(pks_machine *m, uint32_t code, uint64_t offset) {
  pks_inspector *f = facts_of(m);
  size_t count = f->extensions.count, index = count;
  for (size_t i = count > 64 ? count - 64 : 0; i < count; i++)
    if (PKS_VEC_AT(&f->extensions, pks_extension_record, i).code == code) index = i;
  if (index == count) {
    pks_extension_record *record = pks_base_vec_push(&f->mem, &f->extensions, sizeof *record);
    if (!record) {
      pks_facts_fail(f);
      return;
    }
    *record = (pks_extension_record){offset, code};
  }
  event(f, PKS_EVENT_EXTENSION, (uint32_t)index, offset);
}

static void on_assume(pks_machine *m, pks_assume what, uint64_t offset) {
  pks_inspector *f = facts_of(m);
  if (f->assumed_count[what]++ == 0) f->assumed_offset[what] = offset;
}

static void on_encoding(pks_machine *m, uint64_t offset) {
  pks_inspector *f = facts_of(m);
  if (!f->encoding_needed) f->encoding_offset = offset;
  f->encoding_needed = true;
}

const pks_hooks pks_facts_hooks = {
    .lookup = on_lookup,
    .again = on_again,
    .call = on_call,
    .build = on_build,
    .method = on_method,
    .key = on_key,
    .item = on_item,
    .persid = on_persid,
    .buffer = on_buffer,
    .extension = on_extension,
    .assume = on_assume,
    .encoding = on_encoding,
};
