/* match/hints.c - what would help where something is missing. */
#include "match/build.h"

pks_span pks_match_moved(const pks_match_target *target, pks_span module, pks_span name) {
  const pks_match_facts *f = &target->facts;
  uint32_t from = pks_match_stdlib_find(module);
  uint32_t to = f->table && f->version >= 0 && from != PKS_STDLIB_NONE
                    ? pks_match_stdlib_moved((unsigned)f->version, from, name)
                    : PKS_STDLIB_NONE;
  return to != PKS_STDLIB_NONE ? pks_match_stdlib_name(to)
                               : pks_match_history_moved(f, module, name);
}

bool pks_match_span_of(pks_span module, pks_span name, unsigned *first, unsigned *last) {
  uint32_t index = pks_match_stdlib_find(module);
  bool any = false;
  if (index == PKS_STDLIB_NONE) return false;
  uint16_t present = pks_match_stdlib_module_fact(index).present;
  if (name.size) present &= pks_match_stdlib_attribute_fact(index, name).present;
  for (unsigned i = 0; i < pks_match_version_count; i++) {
    if (!(present >> i & 1) || pks_match_versions[i].implementation[0] != 'c') continue;
    if (!any) *first = i;
    *last = i;
    any = true;
  }
  return any;
}

pks_span pks_match_provider(pks_span module) {
  size_t size = 0;
  while (size < module.size && module.data[size] != '.') size++;
  pks_span top = {module.data, size};
  pks_span best = {0};
  for (size_t i = 0; i < pks_match_brought_count; i++) {
    pks_span name = pks_match_brought[i].distribution;
    if (pks_match_span_order(pks_match_brought[i].module, top) != 0) continue;
    if (pks_match_same_distribution(top, name)) return name;
    if (best.size == 0 || name.size < best.size) best = name;
  }
  return best;
}

pks_span pks_match_distribution(const pks_match_target *target, pks_span distribution) {
  const pks_match_facts *f = &target->facts;
  for (uint32_t i = 0; i < f->distributions.count; i++) {
    pks_span name = f->distributions.text[i];
    if (pks_match_same_distribution(distribution, name)) return f->distribution_version[i];
  }
  return (pks_span){0};
}
