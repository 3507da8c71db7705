#include <string.h>

#include "match/build.h"
#include "match/hash.h"

/* ---- sorted texts ---------------------------------------------------------------------------------- */

/* A hash table beside the sorted texts. It gives up on a text after so many places, and a search that finds
 * no empty place among as many goes on by halving: whatever the texts are, none is slow to find. */
#define PLACES 32

/* Names that differ in their last characters alone differ in the upper bits of their hashes alone. */
static size_t first_place(uint64_t hash) { return (size_t)(hash * 0x9e3779b97f4a7c15u >> 32); }

bool pks_match_names_take(pks_mem *mem, pks_arena *arena, pks_match_names *names, uint32_t count) {
  size_t slots = 4;
  *names = (pks_match_names){0};
  if (count == 0) return true;
  while (slots < 2 * (size_t)count) slots *= 2;
  names->text = pks_base_arena_take(mem, arena, count * sizeof *names->text);
  names->slot = pks_base_arena_take(mem, arena, slots * sizeof *names->slot);
  if (!names->text || !names->slot) return false;
  memset(names->slot, 0, slots * sizeof *names->slot);
  names->mask = (uint32_t)(slots - 1);
  return true;
}

void pks_match_names_add(pks_match_names *names, pks_span text) {
  size_t at = first_place(pks_match_hash(text));
  names->text[names->count++] = text;
  for (uint32_t i = 0; i < PLACES; i++) {
    uint32_t *slot = &names->slot[(at + i) & names->mask];
    if (*slot) continue;
    *slot = names->count;
    return;
  }
}

static uint32_t find_by_halving(const pks_match_names *names, pks_span text) {
  uint32_t low = 0, high = names->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = pks_match_span_order(names->text[middle], text);
    if (order == 0) return middle;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return PKS_MATCH_NONE;
}

uint32_t pks_match_names_find_hashed(const pks_match_names *names, pks_span text, uint64_t hash) {
  if (names->count == 0) return PKS_MATCH_NONE;
  size_t at = first_place(hash);
  for (uint32_t i = 0; i < PLACES; i++) {
    uint32_t slot = names->slot[(at + i) & names->mask];
    if (slot == 0) return PKS_MATCH_NONE;
    const pks_span *found = &names->text[slot - 1];
    if (found->size == text.size && memcmp(found->data, text.data, text.size) == 0) return slot - 1;
  }
  return find_by_halving(names, text);
}

uint32_t pks_match_names_find(const pks_match_names *names, pks_span text) {
  return names->count == 0 ? PKS_MATCH_NONE
                           : pks_match_names_find_hashed(names, text, pks_match_hash(text));
}

/* ---- tables of names ----------------------------------------------------------------------------------- */

#define VERSION(bit, implementation, major, minor, micro, magic, tag, args, highest, usual) \
  {implementation, major, minor, micro, magic, tag, args, highest, usual},
const pks_match_version pks_match_versions[] = {
#include "match/versions.def"
};
#undef VERSION
const unsigned pks_match_version_count = sizeof pks_match_versions / sizeof *pks_match_versions;

#define VERSION(bit, implementation, major, minor, micro, magic, tag, args, highest, usual) \
  implementation "-" #major "." #minor,
const char *pks_match_version_name(unsigned version) {
  static const char *const names[] = {
#include "match/versions.def"
  };
  return names[version];
}
#undef VERSION

const char *pks_match_why_name(pks_match_why why) {
#define X(name, text) #name,
  static const char *const names[] = {PKS_MATCH_WHY_MAP(X)};
#undef X
  return why < PKS_WHY_COUNT ? names[why] : "?";
}

const char *pks_match_why_text(pks_match_why why) {
#define X(name, text) text,
  static const char *const texts[] = {PKS_MATCH_WHY_MAP(X)};
#undef X
  return why < PKS_WHY_COUNT ? texts[why] : "?";
}
