/* facts/classes.c - classes by value: does loading call their methods?
 *
 * Loading an object of such a class can run bytecode that the payload carries: __setstate__ (BUILD),
 * __new__ (NEWOBJ), __init__ (a call of the class), __hash__ and __eq__ (a key), append, extend, add,
 * __setitem__ (items), what its metaclass or bases define for making a class. Then the bytecode must
 * fit for the load itself, not only for a later run. */
#include "facts/facts.h"

uint32_t pks_facts_hook_named(pks_span name) {
  static const struct {
    const char *name;
    uint32_t bit;
  } hooks[] = {
#define X(id, text) {text, PKS_HOOK_##id},
      PKS_HOOK_MAP(X)
#undef X
  };
  for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
    if (strlen(hooks[i].name) == name.size && memcmp(hooks[i].name, name.data, name.size) == 0)
      return hooks[i].bit;
  return 0;
}

void pks_facts_load_calls(pks_inspector *f, uint64_t offset) {
  if (!f->load_calls) f->load_calls_offset = offset;
  f->load_calls = true;
}

static pks_class_record *class_of(pks_inspector *f, pks_value v, pks_special special) {
  if (pks_kind(v) != PKS_V_OBJECT || pks_object_special(v) != special) return NULL;
  return &PKS_VEC_AT(&f->classes, pks_class_record, pks_object_index(v));
}

/* Is the method code that the payload carries? A name is the target's own code, and so is what getattr
 * gives for one; what another call gives (staticmethod, classmethod, a partial) most likely wraps such. */
bool pks_facts_is_by_value(const pks_inspector *f, pks_value method) {
  uint32_t global, call;
  if (pks_kind(method) == PKS_V_GLOBAL) return false;
  if (pks_kind(method) != PKS_V_OBJECT || pks_object_special(method) != PKS_SPECIAL_NONE ||
      !pks_facts_origin(f, method, &global, &call) || call == PKS_NO_INDEX)
    return true;
  global = PKS_VEC_AT(&f->calls, pks_call_record, call).global;
  if (global == PKS_NO_INDEX) return true;
  uint32_t name = PKS_VEC_AT(&f->globals, pks_global_record, global).name;
  return PKS_VEC_AT(&f->names, pks_name, name).role != PKS_ROLE_GETATTR &&
         PKS_VEC_AT(&f->names, pks_name, name).role != PKS_ROLE_GETATTR_OR;
}

/* Hooks among the newest items of a dict. */
static void dict_hooks(const pks_inspector *f, pks_value dict, uint32_t *hooks, uint32_t *masked) {
  unsigned kind = pks_kind(dict);
  if (kind != PKS_V_DICT && kind != PKS_V_DICT_REF) return;
  uint64_t offset = pks_machine_state(&f->machine, dict) & PKS_DICT_OFFSET;
  for (size_t i = f->item_count, seen = 0; i-- && seen < PKS_ITEMS; seen++) {
    const pks_item *item = &f->items[i % PKS_ITEMS];
    if (item->dict != offset) continue;
    if (item->key == PKS_KEY_HOOK) *hooks |= (uint32_t)item->value;
    if (item->key == PKS_KEY_MASK) *masked |= (uint32_t)item->value;
  }
}

/* What a class has of its own hides what it inherits. */
static void take_dict(const pks_inspector *f, pks_class_record *record, pks_value dict) {
  uint32_t hooks = 0, masked = 0;
  dict_hooks(f, dict, &hooks, &masked);
  record->hooks = (record->hooks & ~masked) | hooks;
  record->masked = (record->masked & ~hooks) | masked;
}

/* The first base that has a hook is the one whose hook is inherited. */
static void inherit(pks_inspector *f, pks_class_record *record, pks_value bases) {
  size_t count = 0;
  const pks_value *items = NULL;
  if (pks_kind(bases) == PKS_V_TUPLE) items = pks_machine_tuple(&f->machine, bases, &count);
  for (size_t i = 0; items && i < count; i++) {
    const pks_class_record *base = class_of(f, items[i], PKS_SPECIAL_CLASS);
    if (!base) continue;
    record->hooks |= base->hooks & ~record->masked;
    record->masked |= base->masked & ~record->hooks;
    if (record->metaclass == PKS_NO_INDEX) record->metaclass = base->metaclass;
  }
}

static uint32_t metaclass_hooks(const pks_inspector *f, const pks_class_record *record) {
  if (record->metaclass == PKS_NO_INDEX) return 0;
  return PKS_VEC_AT(&f->classes, pks_class_record, record->metaclass).hooks;
}

/* type.__new__ calls __set_name__ of what is in the class's dict (type_new_set_names): is there an object
 * that has one? */
static bool names_are_set(const pks_inspector *f) {
  for (size_t i = f->classes.count, seen = 0; i-- && seen < 64; seen++) {
    const pks_class_record *other = &PKS_VEC_AT(&f->classes, pks_class_record, i);
    if (other->instance != PKS_NO_INDEX && other->hooks & PKS_HOOK_SET_NAME) return true;
  }
  return false;
}

/* Does making the class call code of the payload? __init_subclass__ of a base runs, and what the metaclass
 * defines; an enumeration makes its members, too. */
static bool making_calls(const pks_inspector *f, const pks_class_record *record, unsigned maker) {
  uint32_t inherited = PKS_HOOK_INIT_SUBCLASS;
  if (maker == PKS_MAKER_ENUM) inherited |= PKS_HOOK_NEW | PKS_HOOK_INIT;
  if (record->hooks & inherited) return true;
  if (metaclass_hooks(f, record) & (PKS_HOOK_NEW | PKS_HOOK_INIT | PKS_HOOK_PREPARE)) return true;
  return maker == PKS_MAKER_WHOLE && names_are_set(f);
}

pks_value pks_facts_class(pks_inspector *f, uint32_t call, pks_value metaclass, pks_value bases,
                          pks_value dict, unsigned maker, uint64_t offset) {
  pks_class_record *record = pks_base_vec_push(&f->mem, &f->classes, sizeof *record);
  if (!record) {
    pks_facts_fail(f);
    return PKS_V_UNKNOWN;
  }
  *record = (pks_class_record){.call = call,
                               .instance = PKS_NO_INDEX,
                               .metaclass = class_of(f, metaclass, PKS_SPECIAL_CLASS)
                                                ? pks_object_index(metaclass)
                                                : PKS_NO_INDEX,
                               .is_enum = maker == PKS_MAKER_ENUM};
  inherit(f, record, bases);
  if (making_calls(f, record, maker)) pks_facts_load_calls(f, offset);
  take_dict(f, record, dict);
  return pks_object((uint32_t)f->classes.count - 1, PKS_SPECIAL_CLASS, 0);
}

/* set([...]) of objects in a list that nobody looks into: is there one whose class has a __hash__? */
void pks_facts_some_hashed(pks_inspector *f, uint64_t offset) {
  for (size_t i = f->classes.count, seen = 0; i-- && seen < 64; seen++) {
    const pks_class_record *record = &PKS_VEC_AT(&f->classes, pks_class_record, i);
    if (record->instance != PKS_NO_INDEX && record->hooks & PKS_HOOK_HASH)
      pks_facts_load_calls(f, offset);
  }
}

/* setattr(object, ...) calls __setattr__ of the object's class, or of a class's metaclass. */
void pks_facts_attribute_set(pks_inspector *f, pks_value object, uint64_t offset) {
  const pks_class_record *record = class_of(f, object, PKS_SPECIAL_CLASS);
  if (record && metaclass_hooks(f, record) & PKS_HOOK_SETATTR) pks_facts_load_calls(f, offset);
  pks_facts_hooks_called(f, object, PKS_HOOK_SETATTR, offset);
}

/* The state of a class: its dict, or (dict, slots). Its items become attributes by setattr, which is the
 * metaclass's. */
void pks_facts_class_state(pks_inspector *f, pks_value class, pks_value state, uint64_t offset) {
  size_t count = 0;
  pks_class_record *record = class_of(f, class, PKS_SPECIAL_CLASS);
  if (!record) return;
  if (metaclass_hooks(f, record) & PKS_HOOK_SETATTR) pks_facts_load_calls(f, offset);
  take_dict(f, record, state);
  if (pks_kind(state) != PKS_V_TUPLE) return;
  const pks_value *items = pks_machine_tuple(&f->machine, state, &count);
  if (items && count) take_dict(f, record, items[0]);
}

/* op: of the call; BUILD: neither __new__ nor __init__ of the class is called. */
pks_value pks_facts_instance(pks_inspector *f, int op, pks_value class, uint32_t call,
                             uint64_t offset) {
  pks_class_record *record = class_of(f, class, PKS_SPECIAL_CLASS);
  if (!record) return pks_object(call, PKS_SPECIAL_NONE, 0);
  bool is_new = op == PKS_OP_NEWOBJ || op == PKS_OP_NEWOBJ_EX;
  uint32_t called = is_new ? PKS_HOOK_NEW : PKS_HOOK_NEW | PKS_HOOK_INIT;
  if (op == PKS_OP_BUILD) called = 0;
  if (record->is_enum && !is_new) called = PKS_HOOK_NEW; /* old cloudpickle carries Enum.__new__ */
  if (record->hooks & called) pks_facts_load_calls(f, offset);
  if (!is_new && op != PKS_OP_BUILD && metaclass_hooks(f, record) & PKS_HOOK_CALL)
    pks_facts_load_calls(f, offset);
  record->instance = call;
  return pks_object(pks_object_index(class), PKS_SPECIAL_INSTANCE, 0);
}

void pks_facts_hooks_called(pks_inspector *f, pks_value object, uint32_t hooks, uint64_t offset) {
  const pks_class_record *record = class_of(f, object, PKS_SPECIAL_INSTANCE);
  if (record && record->hooks & hooks) pks_facts_load_calls(f, offset);
}

/* load_build of _pickle.c: __setstate__ is looked up, which __getattribute__ answers, or __getattr__ where
 * there is none; without it a dict goes into __dict__ item by item, and a dict of slots through setattr. */
void pks_facts_built(pks_inspector *f, pks_value object, pks_value state, uint64_t offset) {
  const pks_class_record *record = class_of(f, object, PKS_SPECIAL_INSTANCE);
  size_t count = 0;
  if (!record) return;
  uint32_t called = PKS_HOOK_SETSTATE | PKS_HOOK_GETATTRIBUTE;
  if (!((record->hooks | record->masked) & PKS_HOOK_SETSTATE)) {
    called |= PKS_HOOK_GETATTR;
    const pks_value *items = NULL;
    if (pks_kind(state) == PKS_V_TUPLE) items = pks_machine_tuple(&f->machine, state, &count);
    if (count == 2 && (!items || pks_kind(items[1]) != PKS_V_NONE)) called |= PKS_HOOK_SETATTR;
  }
  pks_facts_hooks_called(f, object, called, offset);
}

/* As a key, or in a tuple that is one. __eq__ is called only where two hashes are the same. */
void pks_facts_hashed(pks_inspector *f, pks_value object, uint64_t offset) {
  pks_facts_hooks_called(f, object, PKS_HOOK_HASH, offset);
}
