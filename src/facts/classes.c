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

/* Hooks among the newest items of a dict. */
static uint32_t dict_hooks(const pks_inspector *f, pks_value dict) {
  uint32_t hooks = 0;
  unsigned kind = pks_kind(dict);
  if (kind != PKS_V_DICT && kind != PKS_V_DICT_REF) return 0;
  uint64_t offset = pks_machine_state(&f->machine, dict) & PKS_DICT_OFFSET;
  for (size_t i = f->item_count, seen = 0; i-- && seen < PKS_ITEMS; seen++) {
    const pks_item *item = &f->items[i % PKS_ITEMS];
    if (item->dict == offset && item->key == PKS_KEY_HOOK) hooks |= (uint32_t)item->value;
  }
  return hooks;
}

/* Inherited hooks; __init_subclass__ of a base runs when the class is made. */
static uint32_t base_hooks(pks_inspector *f, pks_value bases) {
  size_t count = 0;
  uint32_t hooks = 0;
  const pks_value *items = NULL;
  if (pks_kind(bases) == PKS_V_TUPLE) items = pks_machine_tuple(&f->machine, bases, &count);
  for (size_t i = 0; items && i < count; i++) {
    const pks_class_record *base = class_of(f, items[i], PKS_SPECIAL_CLASS);
    if (base) hooks |= base->hooks;
  }
  return hooks;
}

pks_value pks_facts_class(pks_inspector *f, uint32_t call, pks_value metaclass, pks_value bases,
                          pks_value dict, uint64_t offset) {
  uint32_t inherited = base_hooks(f, bases);
  const pks_class_record *meta = class_of(f, metaclass, PKS_SPECIAL_CLASS);
  bool runs = (inherited & PKS_HOOK_INIT_SUBCLASS) != 0;
  if (meta && meta->hooks & (PKS_HOOK_NEW | PKS_HOOK_INIT | PKS_HOOK_PREPARE)) runs = true;
  if (runs) pks_facts_load_calls(f, offset);
  pks_class_record *record = pks_base_vec_push(&f->mem, &f->classes, sizeof *record);
  if (!record) {
    pks_facts_fail(f);
    return PKS_V_UNKNOWN;
  }
  *record = (pks_class_record){.call = call,
                               .instance = PKS_NO_INDEX,
                               .hooks = inherited | dict_hooks(f, dict),
                               .metaclass = class_of(f, metaclass, PKS_SPECIAL_CLASS)
                                                ? pks_object_index(metaclass)
                                                : PKS_NO_INDEX};
  return pks_object((uint32_t)f->classes.count - 1, PKS_SPECIAL_CLASS, 0);
}

/* The state of a class: its dict, or (dict, slots). */
void pks_facts_class_state(pks_inspector *f, pks_value class, pks_value state) {
  size_t count = 0;
  pks_class_record *record = class_of(f, class, PKS_SPECIAL_CLASS);
  if (!record) return;
  record->hooks |= dict_hooks(f, state);
  if (pks_kind(state) != PKS_V_TUPLE) return;
  const pks_value *items = pks_machine_tuple(&f->machine, state, &count);
  if (items && count) record->hooks |= dict_hooks(f, items[0]);
}

pks_value pks_facts_instance(pks_inspector *f, int op, pks_value class, uint32_t call,
                             uint64_t offset) {
  pks_class_record *record = class_of(f, class, PKS_SPECIAL_CLASS);
  if (!record) return pks_object(call, PKS_SPECIAL_NONE, 0);
  bool is_new = op == PKS_OP_NEWOBJ || op == PKS_OP_NEWOBJ_EX;
  uint32_t called = is_new ? PKS_HOOK_NEW : PKS_HOOK_NEW | PKS_HOOK_INIT;
  if (record->hooks & called) pks_facts_load_calls(f, offset);
  if (!is_new && record->metaclass != PKS_NO_INDEX &&
      PKS_VEC_AT(&f->classes, pks_class_record, record->metaclass).hooks & PKS_HOOK_CALL)
    pks_facts_load_calls(f, offset);
  record->instance = call;
  return pks_object(pks_object_index(class), PKS_SPECIAL_INSTANCE, 0);
}

void pks_facts_hooks_called(pks_inspector *f, pks_value object, uint32_t hooks, uint64_t offset) {
  const pks_class_record *record = class_of(f, object, PKS_SPECIAL_INSTANCE);
  if (record && record->hooks & hooks) pks_facts_load_calls(f, offset);
}
