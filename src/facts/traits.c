/* facts/traits.c - what arguments and states show of the writer's libraries and system (traits.def). */
#include "facts/facts.h"

static const pks_span nothing = {NULL, 0};

/* A short text, without a copy that stays: a payload may come here again and again. */
static bool is_short(const pks_inspector *f, pks_value v, const char *other) {
  uint8_t buffer[64];
  pks_span text;
  return (pks_machine_short_text(&f->machine, v, &text) ||
          pks_machine_text(&f->machine, v, buffer, sizeof buffer, &text)) &&
         pks_span_is(text, other);
}

void pks_facts_trait(pks_inspector *f, pks_trait trait, pks_span value, uint32_t call,
                     uint64_t offset) {
  pks_trait_record *record = &f->traits[trait];
  if (record->seen) return;
  uint32_t global =
      call == PKS_NO_INDEX ? PKS_NO_INDEX : PKS_VEC_AT(&f->calls, pks_call_record, call).global;
  *record = (pks_trait_record){offset, value, global, true};
  f->trait_count++;
}

/* numpy.random._pickle: the first argument is a name or the class of a bit generator; there may be a second. */
void pks_facts_random(pks_inspector *f, pks_value generator, size_t count, uint32_t call,
                      uint64_t offset) {
  if (pks_kind(generator) == PKS_V_STR && !f->traits[PKS_TRAIT_RANDOM_NAME].seen)
    pks_facts_trait(f, PKS_TRAIT_RANDOM_NAME, pks_facts_text(f, generator), call, offset);
  if (pks_kind(generator) == PKS_V_GLOBAL)
    pks_facts_trait(f, PKS_TRAIT_RANDOM_CLASS, nothing, call, offset);
  if (count == 2) pks_facts_trait(f, PKS_TRAIT_RANDOM_TWO, nothing, call, offset);
}

/* (version, byte order, subarray, names, fields, ...). Only nodes of sklearn.tree._tree have such fields. */
void pks_facts_dtype(pks_inspector *f, pks_value dtype, pks_value state, uint64_t offset) {
  size_t count = 0, fields = 0;
  const pks_value *items = NULL;
  bool left = false, impurity = false, missing = false;
  if (pks_kind(state) == PKS_V_TUPLE) items = pks_machine_tuple(&f->machine, state, &count);
  if (!items || count < 4 || pks_kind(items[3]) != PKS_V_TUPLE) return;
  const pks_value *names = pks_machine_tuple(&f->machine, items[3], &fields);
  for (size_t i = 0; names && i < fields && i < 16; i++) {
    left = left || is_short(f, names[i], "left_child");
    impurity = impurity || is_short(f, names[i], "impurity");
    missing = missing || is_short(f, names[i], "missing_go_to_left");
  }
  if (!left || !impurity) return;
  pks_trait trait = missing ? PKS_TRAIT_TREE_LONG : PKS_TRAIT_TREE_SHORT;
  pks_facts_trait(f, trait, nothing, pks_object_index(dtype), offset);
}

void pks_facts_stamp(pks_inspector *f, pks_span key, pks_value value, uint64_t dict) {
  bool text = pks_kind(value) == PKS_V_STR;
  if (text && pks_span_is(key, "_sklearn_version") && !f->traits[PKS_TRAIT_SKLEARN_STAMP].seen)
    pks_facts_trait(f, PKS_TRAIT_SKLEARN_STAMP, pks_facts_text(f, value), PKS_NO_INDEX, dict);
  if (text && pks_span_is(key, "_django_version") && !f->traits[PKS_TRAIT_DJANGO_STAMP].seen)
    pks_facts_trait(f, PKS_TRAIT_DJANGO_STAMP, pks_facts_text(f, value), PKS_NO_INDEX, dict);
  if (!text && pks_span_is(key, "_mgr"))
    pks_facts_trait(f, PKS_TRAIT_PANDAS_MGR, nothing, PKS_NO_INDEX, dict);
}
