#include <string.h>

#include "match/build.h"

/* ---- sorted texts ---------------------------------------------------------------------------------- */

static uint64_t prefix_of(pks_span text) {
  uint64_t value = 0;
  size_t size = text.size < 8 ? text.size : 8;
  for (size_t i = 0; i < size; i++) value = value << 8 | text.data[i];
  return size == 0 ? 0 : value << 8 * (8 - size);
}

bool pks_match_names_take(pks_mem *mem, pks_arena *arena, pks_match_names *names, uint32_t count) {
  names->count = count;
  if (count == 0) return true;
  names->text = pks_base_arena_take(mem, arena, count * sizeof *names->text);
  names->prefix = pks_base_arena_take(mem, arena, count * sizeof *names->prefix);
  return names->text && names->prefix;
}

void pks_match_names_set(pks_match_names *names, uint32_t index, pks_span text) {
  names->text[index] = text;
  names->prefix[index] = prefix_of(text);
}

/* Index of the first prefix that is not less. */
static uint32_t lower_bound(const pks_match_names *names, uint64_t prefix) {
  const uint64_t *low = names->prefix;
  for (uint32_t count = names->count; count > 1;) {
    uint32_t half = count / 2;
    low = low[half - 1] < prefix ? low + half : low;
    count -= half;
  }
  return (uint32_t)(low - names->prefix) + (*low < prefix);
}

uint32_t pks_match_names_find(const pks_match_names *names, pks_span text) {
  if (names->count == 0) return PKS_MATCH_NONE;
  uint64_t prefix = prefix_of(text);
  uint32_t low = lower_bound(names, prefix), high = low + 1;
  if (low == names->count || names->prefix[low] != prefix) return PKS_MATCH_NONE;
  if (high < names->count && names->prefix[high] == prefix)
    high = prefix == UINT64_MAX ? names->count : lower_bound(names, prefix + 1);
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
