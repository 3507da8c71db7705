#include "match/stdlib.h"

#include <string.h>

#include "match/hash.h"

#define MODULE_BITS 12 /* of a hash that finds a module's slot */
#define NAME_BITS 15

typedef struct module_row {
  uint16_t offset; /* in module_text */
  uint8_t size, os;
  uint16_t present, unknown;
} module_row;

typedef struct name_row {
  uint32_t offset; /* in name_text */
  uint16_t pair;   /* its first one */
} name_row;

typedef struct pair_row {
  uint16_t module, packed; /* class, group << 9, home << 15 */
} pair_row;

typedef struct slot_row {
  uint16_t slot[16];
} slot_row;

/* The arrays, sorted but for the slots:
 *   module_text, modules        by name
 *   name_text, names            attribute names; one row more than there are, for the ends
 *   pairs                       by name, then module: which modules have it
 *   classes                     what differs from pair to pair
 *   module_slots, name_slots    open hash tables: index + 1, or 0 */
#define STDLIB_ROWS(type, name) static const type name[] = {
#define STDLIB_END \
  }                \
  ;
#include "match/stdlib.def"

/* ---- finding ------------------------------------------------------------------------------------ */

static bool same(pks_span text, const char *other, size_t size) {
  return text.size == size && memcmp(text.data, other, size) == 0;
}

static inline uint32_t slot_at(const slot_row *slots, size_t at) {
  return slots[at / 16].slot[at % 16];
}

uint32_t pks_match_stdlib_find(pks_span module) {
  return pks_match_stdlib_find_hashed(module, pks_match_hash(module));
}

uint32_t pks_match_stdlib_find_hashed(pks_span module, uint64_t hash) {
  size_t mask = (1u << MODULE_BITS) - 1, at = hash & mask;
  for (uint32_t slot; (slot = slot_at(module_slots, at)) > 0; at = (at + 1) & mask) {
    const module_row *row = &modules[slot - 1];
    if (same(module, module_text + row->offset, row->size)) return slot - 1;
  }
  return PKS_STDLIB_NONE;
}

static const name_row *find_name(pks_span name) {
  size_t mask = (1u << NAME_BITS) - 1, at = pks_match_hash(name) & mask;
  for (uint32_t slot; (slot = slot_at(name_slots, at)) > 0; at = (at + 1) & mask) {
    const name_row *row = &names[slot - 1];
    if (same(name, name_text + row->offset, row[1].offset - row->offset)) return row;
  }
  return NULL;
}

static const pair_row *find_pair(const name_row *name, uint32_t module) {
  const pair_row *low = pairs + name->pair, *end = pairs + name[1].pair;
  for (size_t count = (size_t)(end - low); count > 1;) {
    size_t half = count / 2;
    low = low[half].module <= module ? low + half : low;
    count -= half;
  }
  return low < end && low->module == module ? low : NULL;
}

/* ---- asking -------------------------------------------------------------------------------------- */

pks_span pks_match_stdlib_name(uint32_t module) {
  const module_row *row = &modules[module];
  return (pks_span){(const uint8_t *)module_text + row->offset, row->size};
}

uint32_t pks_match_stdlib_count(void) { return sizeof modules / sizeof *modules; }

pks_stdlib_fact pks_match_stdlib_module_fact(uint32_t module) {
  const module_row *row = &modules[module];
  return (pks_stdlib_fact){row->present, row->unknown, PKS_STDLIB_MODULE, row->os};
}

pks_stdlib_fact pks_match_stdlib_attribute_fact(uint32_t module, pks_span name) {
  const name_row *row = find_name(name);
  const pair_row *pair = row ? find_pair(row, module) : NULL;
  return pair ? classes[pair->packed & 511] : (pks_stdlib_fact){0};
}

bool pks_match_stdlib_attribute_next(uint32_t module, uint32_t *place, pks_span *name,
                                     pks_stdlib_fact *fact) {
  const uint32_t count = sizeof names / sizeof *names - 1; /* the last row is the end */
  for (uint32_t i = *place; i < count; i++) {
    const name_row *row = &names[i];
    const pair_row *pair = find_pair(row, module);
    if (!pair) continue;
    *name = (pks_span){(const uint8_t *)name_text + row->offset, row[1].offset - row->offset};
    *fact = classes[pair->packed & 511];
    *place = i + 1;
    return true;
  }
  *place = count;
  return false;
}

static pks_answer answer_of(const pks_stdlib_fact *fact, unsigned version) {
  if (fact->present >> version & 1) return PKS_ANSWER_YES;
  return fact->unknown >> version & 1 ? PKS_ANSWER_UNKNOWN : PKS_ANSWER_NO;
}

pks_answer pks_match_stdlib_module(unsigned version, pks_span module) {
  uint32_t index = pks_match_stdlib_find(module);
  if (index == PKS_STDLIB_NONE) return PKS_ANSWER_NO;
  pks_stdlib_fact fact = pks_match_stdlib_module_fact(index);
  return answer_of(&fact, version);
}

pks_answer pks_match_stdlib_attribute(unsigned version, pks_span module, pks_span name) {
  uint32_t index = pks_match_stdlib_find(module);
  if (index == PKS_STDLIB_NONE) return PKS_ANSWER_NO;
  pks_stdlib_fact fact = pks_match_stdlib_module_fact(index);
  pks_answer there = answer_of(&fact, version);
  if (there != PKS_ANSWER_YES) return there;
  fact = pks_match_stdlib_attribute_fact(index, name);
  return answer_of(&fact, version);
}

static unsigned group_of(const pair_row *pair) { return pair->packed >> 9 & 63; }

/* How bad a module is to name in a hint: private parts, not where the object says it lives, parts,
 * length. */
static unsigned badness(const pair_row *pair) {
  pks_span name = pks_match_stdlib_name(pair->module);
  unsigned parts = 1, private = 0;
  for (size_t i = 0; i < name.size; i++) {
    if (name.data[i] == '.') parts++;
    if (name.data[i] == '_' && (i == 0 || name.data[i - 1] == '.')) private++;
  }
  return private << 24 | (pair->packed >> 15 ? 0u : 1u) << 16 | parts << 8 | (unsigned)name.size;
}

uint32_t pks_match_stdlib_moved(unsigned version, uint32_t module, pks_span name) {
  const name_row *row = find_name(name);
  const pair_row *from = row ? find_pair(row, module) : NULL, *best = NULL;
  if (!from || group_of(from) == 0) return PKS_STDLIB_NONE;
  for (const pair_row *p = pairs + row->pair; p < pairs + row[1].pair; p++) {
    unsigned there = classes[p->packed & 511].present & modules[p->module].present;
    if (p != from && group_of(p) == group_of(from) && there >> version & 1 &&
        (!best || badness(p) < badness(best)))
      best = p;
  }
  return best ? best->module : PKS_STDLIB_NONE;
}
