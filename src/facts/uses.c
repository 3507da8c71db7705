/* facts/uses.c - uses of standard library classes that depend on the version beside the name: a value of an
 * enumeration, a number of arguments, a class that Python 2 has as an old-style one. */
#include "facts/facts.h"

typedef struct watched {
  const char *module, *name;
  uint8_t size, use; /* size: of name */
} watched;

static const watched table[] = {
#define USE_VALUE(module, name, value, versions) {module, name, sizeof name - 1, PKS_USE_VALUE},
#define USE_ARITY(module, name, versions, least, most) \
  {module, name, sizeof name - 1, PKS_USE_ARITY},
#define USE_SLOT(module, name, slot, versions, maybe) {module, name, sizeof name - 1, PKS_USE_SLOT},
#define USE_LACK(module, name, key, versions)
#define USE_OLD(module, name) {module, name, sizeof name - 1, PKS_USE_OLD},
#include "facts/uses.def"
#undef USE_VALUE
#undef USE_ARITY
#undef USE_SLOT
#undef USE_LACK
#undef USE_OLD
};

static const char *const slots[] = {
#define USE_VALUE(module, name, value, versions)
#define USE_ARITY(module, name, versions, least, most)
#define USE_SLOT(module, name, slot, versions, maybe) slot,
#define USE_LACK(module, name, key, versions) key,
#define USE_OLD(module, name)
#include "facts/uses.def"
#undef USE_VALUE
#undef USE_ARITY
#undef USE_SLOT
#undef USE_LACK
#undef USE_OLD
};

/* Asked once a name. */
unsigned pks_facts_watch(pks_span module, pks_span name) {
  unsigned found = 0;
  if (name.size == 0) return 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].size == name.size && memcmp(table[i].name, name.data, name.size) == 0 &&
        pks_span_is(module, table[i].module))
      found |= table[i].use;
  return found;
}

/* Payloads of one kind use few such classes, so only the newest are compared. */
void pks_facts_add_use(pks_inspector *f, pks_use_record use) {
  for (size_t i = f->uses.count, seen = 0; i-- && seen < 64; seen++) {
    const pks_use_record *old = &PKS_VEC_AT(&f->uses, pks_use_record, i);
    if (old->global == use.global && old->use == use.use && old->count == use.count &&
        old->value.size == use.value.size &&
        (use.value.size == 0 || memcmp(old->value.data, use.value.data, use.value.size) == 0))
      return;
  }
  pks_use_record *record = pks_base_vec_push(&f->mem, &f->uses, sizeof *record);
  if (record)
    *record = use;
  else
    pks_facts_fail(f);
}

static pks_span decimal(pks_inspector *f, int64_t number) {
  uint8_t digits[24];
  size_t at = sizeof digits;
  uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  do {
    digits[--at] = (uint8_t)('0' + left % 10);
  } while (left /= 10);
  if (number < 0) digits[--at] = '-';
  pks_span text = {NULL, sizeof digits - at};
  text.data = pks_base_arena_copy(&f->mem, &f->text, digits + at, text.size);
  if (!text.data) pks_facts_fail(f);
  return text;
}

static pks_span member_value(pks_inspector *f, pks_value v) {
  static const pks_span none = {NULL, 0};
  if (pks_kind(v) == PKS_V_INT) return decimal(f, pks_int(v));
  if (pks_kind(v) != PKS_V_STR) return none;
  pks_span text = pks_facts_text(f, v);
  return text.size <= 256 ? text : none;
}

void pks_facts_used(pks_inspector *f, uint32_t global, unsigned watch, int op, pks_value args,
                    uint64_t offset) {
  size_t count = 0;
  const pks_value *items = NULL;
  pks_use_record use = {.offset = offset, .global = global};
  if (op == PKS_OP_NEWOBJ || op == PKS_OP_NEWOBJ_EX || op == PKS_OP_BUILD) {
    use.use = PKS_USE_OLD;
    if (watch & PKS_USE_OLD) pks_facts_add_use(f, use);
  }
  if (op == PKS_OP_NEWOBJ_EX || op == PKS_OP_BUILD || pks_kind(args) != PKS_V_TUPLE) return;
  items = pks_machine_tuple(&f->machine, args, &count);
  use.use = PKS_USE_ARITY;
  use.count = (uint32_t)count;
  if (watch & PKS_USE_ARITY && (items || count == 0)) pks_facts_add_use(f, use);
  use.use = PKS_USE_VALUE;
  use.count = 0;
  if (!(watch & PKS_USE_VALUE) || op != PKS_OP_REDUCE || count != 1 || !items) return;
  use.value = member_value(f, items[0]);
  if (use.value.data) pks_facts_add_use(f, use);
}

/* The number of a slot that not every version has, plus 1; 0: no such. */
unsigned pks_facts_slot(pks_span name) {
  for (unsigned i = 0; i < sizeof slots / sizeof *slots; i++)
    if (pks_span_is(name, slots[i])) return i + 1;
  return 0;
}

/* ---- keys that a state lacks ---- */

static const pks_lack lacks[] = {
#define USE_VALUE(module, name, value, versions)
#define USE_ARITY(module, name, versions, least, most)
#define USE_SLOT(module, name, slot, versions, maybe)
#define USE_LACK(module, name, key, versions) {module, name, key, versions},
#define USE_OLD(module, name)
#include "facts/uses.def"
#undef USE_VALUE
#undef USE_ARITY
#undef USE_SLOT
#undef USE_LACK
#undef USE_OLD
};
#define LACKS (sizeof lacks / sizeof *lacks)

const pks_lack *pks_facts_lack(size_t number) { return &lacks[number]; }

/* Asked once a name: its first row, plus 1; 0: it has none. */
unsigned pks_facts_lacks_of(pks_span module, pks_span name) {
  for (unsigned i = 0; i < LACKS; i++)
    if (pks_span_is(name, lacks[i].name) && pks_span_is(module, lacks[i].module)) return i + 1;
  return 0;
}

static void lacking(pks_inspector *f, size_t number, uint64_t offset) {
  pks_facts_add_use(f, (pks_use_record){.offset = offset,
                                        .global = PKS_NO_INDEX,
                                        .use = PKS_USE_LACK,
                                        .count = (uint32_t)number});
}

/* A dict that was filled with more keys than are kept may have had any. */
static bool may_have(const pks_inspector *f, uint64_t dict, const char *key) {
  for (size_t i = f->item_count, seen = 0; i--; seen++) {
    if (seen == PKS_ITEMS) return true;
    const pks_item *item = &f->items[i % PKS_ITEMS];
    if (item->dict == dict && item->key == PKS_KEY_SLOT && strcmp(slots[item->value], key) == 0)
      return true;
  }
  return false;
}

void pks_facts_lacks(pks_inspector *f, size_t first, pks_value state, uint64_t offset) {
  unsigned kind = pks_kind(state);
  if (kind != PKS_V_DICT && kind != PKS_V_DICT_REF) return;
  uint64_t dict = pks_machine_state(&f->machine, state) & PKS_DICT_OFFSET;
  for (size_t i = first; i < LACKS && strcmp(lacks[i].name, lacks[first].name) == 0; i++)
    if (*lacks[i].key && !may_have(f, dict, lacks[i].key)) lacking(f, i, offset);
}

/* Items of an object whose class takes some keys and no others. */
void pks_facts_items_set(pks_inspector *f, size_t first, uint64_t count, uint64_t offset) {
  if (!*lacks[first].key && count > 8) lacking(f, first, offset);
}

/* (dict, dict of slots) is the state of an object of a class that is looked up. */
void pks_facts_slots_set(pks_inspector *f, pks_value object, pks_value state, uint64_t offset) {
  uint32_t global, call;
  size_t count = 0;
  if (pks_kind(object) != PKS_V_OBJECT || pks_object_special(object) != PKS_SPECIAL_NONE ||
      pks_kind(state) != PKS_V_TUPLE || !pks_facts_origin(f, object, &global, &call) ||
      call == PKS_NO_INDEX)
    return;
  global = PKS_VEC_AT(&f->calls, pks_call_record, call).global;
  if (global == PKS_NO_INDEX) return;
  uint32_t name = PKS_VEC_AT(&f->globals, pks_global_record, global).name;
  const pks_value *items = pks_machine_tuple(&f->machine, state, &count);
  if (!(PKS_VEC_AT(&f->names, pks_name, name).watch & PKS_USE_SLOT) || !items || count != 2) return;
  unsigned kind = pks_kind(items[1]);
  if (kind != PKS_V_DICT && kind != PKS_V_DICT_REF) return;
  uint64_t dict = pks_machine_state(&f->machine, items[1]) & PKS_DICT_OFFSET;
  for (size_t i = f->item_count, seen = 0; i-- && seen < PKS_ITEMS; seen++) {
    const pks_item *item = &f->items[i % PKS_ITEMS];
    if (item->dict != dict || item->key != PKS_KEY_SLOT) continue;
    const char *slot = slots[item->value];
    pks_span text = {(const uint8_t *)slot, strlen(slot)};
    pks_facts_add_use(
        f,
        (pks_use_record){.offset = offset, .global = global, .use = PKS_USE_SLOT, .value = text});
  }
}
