/* match/common.c - what several targets have in common, for thousands of them.
 *
 * Targets of one cluster are much alike. So the names of all are merged pair by pair, which leaves one list that
 * is hardly longer than each; a bit a target then says who has a name. What the table answers is asked once
 * for all targets of one Python. Nothing here is slower for names that were chosen to be. */
#include "match/common.h"

#include <string.h>

#include "base/settings.h"
#include "match/build.h"

/* A module (version empty), or a distribution in a version. */
typedef struct entry {
  pks_span name, version;
} entry;

typedef struct work {
  pks_match_common *common;
  const pks_match_target *const *targets;
  uint32_t count;
  uint32_t *some;        /* room for the indices of all targets      */
  size_t words;          /* of a bit a target                        */
  pks_vec entries;       /* entry: those of all targets, each once   */
  pks_match_names names; /* of the entries, each once               */
  uint64_t *bits;        /* `words` for each of the entries          */
} work;

/* A copy of the first `count` of w->some. */
static bool keep(work *w, uint32_t count, pks_match_some *out) {
  pks_match_common *c = w->common;
  out->target = (const uint32_t *)(const void *)pks_base_arena_copy(&c->mem, &c->arena, w->some,
                                                                    count * sizeof *w->some);
  out->count = count;
  return out->target != NULL;
}

/* ---- protocol and bytecode ---------------------------------------------------------------------------- */

static void find_protocol(work *w) {
  int lowest = w->count ? w->targets[0]->facts.max_protocol : -1;
  for (uint32_t i = 1; i < w->count; i++) {
    int protocol = w->targets[i]->facts.max_protocol;
    if (protocol < lowest) lowest = protocol;
  }
  w->common->protocol = lowest;
}

static bool is_grouped(const work *w, int64_t magic) {
  const pks_vec *groups = &w->common->groups;
  for (size_t i = 0; magic >= 0 && i < groups->count; i++)
    if (PKS_VEC_AT(groups, pks_match_group, i).magic == magic) return true;
  return false;
}

static bool find_groups(work *w) {
  pks_match_common *c = w->common;
  for (uint32_t i = 0; i < w->count; i++) {
    int64_t magic = w->targets[i]->facts.magic;
    uint32_t count = 0;
    if (is_grouped(w, magic)) continue;
    for (uint32_t j = i; j < w->count; j++)
      if (j == i || (magic >= 0 && w->targets[j]->facts.magic == magic)) w->some[count++] = j;
    pks_match_group *group = pks_base_vec_push(&c->mem, &c->groups, sizeof *group);
    if (!group) return false;
    group->magic = magic;
    if (!keep(w, count, &group->targets)) return false;
  }
  return true;
}

/* ---- merging ------------------------------------------------------------------------------------------ */

static int order(const entry *a, const entry *b) {
  int names = pks_match_span_order(a->name, b->name);
  return names ? names : pks_match_span_order(a->version, b->version);
}

/* Sorted a and b into one; what both have is there once. Frees them. */
static bool merge(work *w, pks_vec *a, pks_vec *b, pks_vec *out) {
  pks_mem *mem = &w->common->mem;
  size_t i = 0, j = 0;
  *out = (pks_vec){0};
  bool fine = pks_base_vec_reserve(mem, out, sizeof(entry), a->count + b->count);
  while (fine && (i < a->count || j < b->count)) {
    const entry *x = i < a->count ? &PKS_VEC_AT(a, entry, i) : NULL;
    const entry *y = j < b->count ? &PKS_VEC_AT(b, entry, j) : NULL;
    int which = !x ? 1 : !y ? -1 : order(x, y);
    PKS_VEC_AT(out, entry, out->count++) = which <= 0 ? *x : *y;
    i += which <= 0;
    j += which >= 0;
  }
  pks_base_vec_free(mem, a, sizeof(entry));
  pks_base_vec_free(mem, b, sizeof(entry));
  return fine;
}

typedef bool (*list_fn)(work *w, uint32_t target, pks_vec *out);

/* The lists of all targets, and `more`, as w->entries. Like a binary counter: two lists that were merged from as
 * many lists become one, so that there are never more than the logarithm of their number. */
static bool gather(work *w, list_fn list, uint32_t more) {
  pks_vec pending[34];
  uint32_t rank[34], top = 0;
  bool fine = true;
  for (uint32_t i = 0; fine && i < w->count + more; i++) {
    pending[top] = (pks_vec){0};
    rank[top] = 0;
    fine = list(w, i, &pending[top++]);
    for (; fine && top > 1 && rank[top - 1] == rank[top - 2]; top--) {
      pks_vec both;
      fine = merge(w, &pending[top - 2], &pending[top - 1], &both);
      pending[top - 2] = both;
      rank[top - 2]++;
    }
  }
  for (; fine && top > 1; top--) {
    pks_vec both;
    fine = merge(w, &pending[top - 2], &pending[top - 1], &both);
    pending[top - 2] = both;
  }
  if (fine && top == 1) w->entries = pending[--top];
  while (top > 0) pks_base_vec_free(&w->common->mem, &pending[--top], sizeof(entry));
  return fine;
}

static entry *entry_at(const work *w, size_t index) {
  return &PKS_VEC_AT(&w->entries, entry, index);
}

static bool same_name(const work *w, size_t a, size_t b) {
  return pks_match_span_order(entry_at(w, a)->name, entry_at(w, b)->name) == 0;
}

/* The table of w->entries, and no bit for any of them. */
static bool prepare(work *w) {
  pks_match_common *c = w->common;
  size_t count = w->entries.count, names = 0;
  if (count > UINT32_MAX / 2 || (w->words && count > SIZE_MAX / 16 / w->words)) {
    c->mem.status = PKS_E_LIMIT_MEMORY;
    return false;
  }
  for (size_t i = 0; i < count; i++) names += i == 0 || !same_name(w, i, i - 1);
  if (!pks_match_names_take(&c->mem, &c->arena, &w->names, (uint32_t)names)) return false;
  for (size_t i = 0; i < count; i++)
    if (i == 0 || !same_name(w, i, i - 1)) pks_match_names_add(&w->names, entry_at(w, i)->name);
  w->bits = pks_base_resize(&c->mem, NULL, 0, (count * w->words + 1) * sizeof *w->bits);
  if (!w->bits) return false;
  memset(w->bits, 0, (count * w->words + 1) * sizeof *w->bits);
  return true;
}

static void forget(work *w) {
  pks_mem *mem = &w->common->mem;
  if (w->bits) pks_base_release(mem, w->bits, (w->entries.count * w->words + 1) * sizeof *w->bits);
  w->bits = NULL;
  pks_base_vec_free(mem, &w->entries, sizeof(entry));
}

/* ---- bits --------------------------------------------------------------------------------------------- */

static uint64_t *bits_of(const work *w, size_t index) { return w->bits + index * w->words; }

static void set_bit(const work *w, size_t index, uint32_t target, bool value) {
  uint64_t bit = (uint64_t)1 << target % 64, *word = bits_of(w, index) + target / 64;
  *word = value ? *word | bit : *word & ~bit;
}

/* The targets that have it, in w->some. */
static uint32_t spread(const work *w, size_t index) {
  uint32_t count = 0;
  for (size_t i = 0; i < w->words; i++)
    for (uint64_t word = bits_of(w, index)[i], at = i * 64; word; word >>= 1, at++)
      if (word & 1) w->some[count++] = (uint32_t)at;
  return count;
}

/* ---- modules ------------------------------------------------------------------------------------------ */

static bool list_modules(work *w, uint32_t target, pks_vec *out) {
  bool table = target == w->count; /* the list after the last */
  const pks_match_names *names = table ? NULL : &w->targets[target]->facts.modules;
  size_t count = table ? pks_match_stdlib_count() : names->count;
  if (!pks_base_vec_reserve(&w->common->mem, out, sizeof(entry), count + 1)) return false;
  for (; out->count < count; out->count++)
    PKS_VEC_AT(out, entry, out->count) =
        (entry){table ? pks_match_stdlib_name((uint32_t)out->count) : names->text[out->count], {0}};
  return true;
}

/* Does the table give the same modules to both? */
static bool same_table(const pks_match_facts *a, const pks_match_facts *b) {
  return a->version == b->version && a->table == b->table && a->python == b->python &&
         a->os == b->os;
}

/* What the table says to target `first` holds for all that are like it, from there on. */
static void ask_table(work *w, uint32_t first, uint64_t *alike) {
  pks_match_target shell = {.facts = w->targets[first]->facts};
  static const pks_match_names none;
  shell.facts.modules = shell.facts.absent = shell.facts.unlisted = none;
  memset(alike, 0, w->words * sizeof *alike);
  for (uint32_t i = first; i < w->count; i++)
    if (same_table(&w->targets[first]->facts, &w->targets[i]->facts))
      alike[i / 64] |= (uint64_t)1 << i % 64;
  for (uint32_t i = 0; i < pks_match_stdlib_count(); i++) {
    pks_span name = pks_match_stdlib_name(i);
    if (pks_match_has_module(&shell, name).value != PKS_ANSWER_YES) continue;
    uint64_t *bits = bits_of(w, pks_match_names_find(&w->names, name));
    for (size_t word = 0; word < w->words; word++) bits[word] |= alike[word];
  }
}

static bool ask_tables(work *w) {
  pks_match_common *c = w->common;
  uint64_t *alike = pks_base_arena_take(&c->mem, &c->arena, (w->words + 1) * sizeof *alike);
  pks_vec asked = {0};
  bool fine = alike != NULL;
  for (uint32_t i = 0; fine && i < w->count; i++) {
    size_t at = 0;
    while (at < asked.count &&
           !same_table(&w->targets[PKS_VEC_AT(&asked, uint32_t, at)]->facts, &w->targets[i]->facts))
      at++;
    if (at < asked.count) continue;
    uint32_t *first = pks_base_vec_push(&c->mem, &asked, sizeof *first);
    fine = first != NULL;
    if (!fine) break;
    *first = i;
    ask_table(w, i, alike);
  }
  pks_base_vec_free(&c->mem, &asked, sizeof(uint32_t));
  return fine;
}

/* Names that are `part`, or inside of it, are not there. */
static void clear_inside(work *w, pks_span part, uint32_t target) {
  uint32_t low = 0, high = w->names.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (pks_match_span_order(w->names.text[middle], part) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < w->names.count; low++) {
    pks_span name = w->names.text[low];
    if (name.size < part.size || memcmp(name.data, part.data, part.size) != 0) return;
    if (name.size == part.size || name.data[part.size] == '.') set_bit(w, low, target, false);
  }
}

/* What one target says itself: modules that are not in its list have the table's answer, or none. */
static void ask_target(work *w, uint32_t target) {
  const pks_match_facts *f = &w->targets[target]->facts;
  for (uint32_t i = 0; i < f->absent.count; i++) clear_inside(w, f->absent.text[i], target);
  for (uint32_t i = 0; i < f->modules.count; i++) {
    pks_span name = f->modules.text[i];
    bool there = pks_match_has_module(w->targets[target], name).value == PKS_ANSWER_YES;
    set_bit(w, pks_match_names_find(&w->names, name), target, there);
  }
}

static bool find_modules(work *w) {
  pks_match_common *c = w->common;
  if (!gather(w, list_modules, 1) || !prepare(w) || !ask_tables(w)) return false;
  for (uint32_t i = 0; i < w->count; i++) ask_target(w, i);
  for (size_t i = 0; i < w->entries.count; i++) {
    uint32_t count = spread(w, i);
    if (count == 0) continue;
    if (count == w->count) {
      pks_span *shared = pks_base_vec_push(&c->mem, &c->shared, sizeof *shared);
      if (!shared) return false;
      *shared = entry_at(w, i)->name;
      continue;
    }
    pks_match_partial *partial = pks_base_vec_push(&c->mem, &c->partial, sizeof *partial);
    if (!partial || !keep(w, count, &partial->targets)) return false;
    partial->name = entry_at(w, i)->name;
  }
  return true;
}

/* ---- versions ------------------------------------------------------------------------------------------ */

static bool list_distributions(work *w, uint32_t target, pks_vec *out) {
  const pks_match_facts *f = &w->targets[target]->facts;
  if (!pks_base_vec_reserve(&w->common->mem, out, sizeof(entry),
                            (size_t)f->distributions.count + 1))
    return false;
  for (uint32_t i = 0; i < f->distributions.count; i++)
    PKS_VEC_AT(out, entry, out->count++) =
        (entry){f->distributions.text[i], f->distribution_version[i]};
  return true;
}

/* Where the versions of each name begin among the entries; one more than there are names. */
static size_t *find_starts(work *w) {
  pks_match_common *c = w->common;
  size_t *start = pks_base_arena_take(&c->mem, &c->arena, (w->names.count + 1u) * sizeof *start);
  size_t name = 0;
  if (!start) return NULL;
  for (size_t i = 0; i < w->entries.count; i++)
    if (i == 0 || !same_name(w, i, i - 1)) start[name++] = i;
  start[name] = w->entries.count;
  return start;
}

static void ask_versions(work *w, const size_t *start, uint32_t target) {
  const pks_match_facts *f = &w->targets[target]->facts;
  for (uint32_t i = 0; i < f->distributions.count; i++) {
    uint32_t name = pks_match_names_find(&w->names, f->distributions.text[i]);
    size_t low = start[name], high = start[name + 1];
    while (high - low > 1) {
      size_t middle = low + (high - low) / 2;
      if (pks_match_span_order(entry_at(w, middle)->version, f->distribution_version[i]) <= 0)
        low = middle;
      else
        high = middle;
    }
    set_bit(w, low, target, true);
  }
}

/* Rows of one distribution, from `first` on, by their first targets: few of them, or a target each. */
static void sort_rows(pks_match_differing *row, size_t count) {
  for (size_t gap = count / 2; gap > 0; gap /= 2) /* shell sort */
    for (size_t i = gap; i < count; i++) {
      pks_match_differing moved = row[i];
      size_t at = i;
      for (; at >= gap && row[at - gap].targets.target[0] > moved.targets.target[0]; at -= gap)
        row[at] = row[at - gap];
      row[at] = moved;
    }
}

static bool find_versions(work *w) {
  pks_match_common *c = w->common;
  if (!gather(w, list_distributions, 0) || !prepare(w)) return false;
  const size_t *start = find_starts(w);
  if (!start) return false;
  for (uint32_t i = 0; i < w->count; i++) ask_versions(w, start, i);
  for (uint32_t name = 0; name < w->names.count; name++) {
    size_t before = c->differing.count;
    if (start[name + 1] - start[name] < 2) continue;
    for (size_t i = start[name]; i < start[name + 1]; i++) {
      uint32_t count = spread(w, i);
      pks_match_differing *row = pks_base_vec_push(&c->mem, &c->differing, sizeof *row);
      if (!row || !keep(w, count, &row->targets)) return false;
      row->distribution = entry_at(w, i)->name;
      row->version = entry_at(w, i)->version;
    }
    sort_rows(&PKS_VEC_AT(&c->differing, pks_match_differing, before), c->differing.count - before);
  }
  return true;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

pks_status pks_match_common_new(const pks_alloc *alloc, const pks_match_target *const *targets,
                                uint32_t count, pks_match_common **common) {
  pks_limits limits;
  pks_base_limits(&limits, NULL);
  pks_match_common *c = pks_base_object_new(alloc, limits.max_memory, sizeof *c);
  *common = c;
  if (!c) return PKS_E_NO_MEMORY;
  work w = {.common = c, .targets = targets, .count = count, .words = (count + 63u) / 64u};
  w.some = pks_base_arena_take(&c->mem, &c->arena, ((size_t)count + 1) * sizeof *w.some);
  find_protocol(&w);
  bool fine = w.some && find_groups(&w) && find_modules(&w);
  forget(&w);
  fine = fine && find_versions(&w);
  forget(&w);
  if (fine) return PKS_OK;
  pks_status status = c->mem.status;
  pks_match_common_free(c);
  *common = NULL;
  return status;
}

void pks_match_common_free(pks_match_common *c) {
  if (!c) return;
  pks_base_vec_free(&c->mem, &c->groups, sizeof(pks_match_group));
  pks_base_vec_free(&c->mem, &c->shared, sizeof(pks_span));
  pks_base_vec_free(&c->mem, &c->partial, sizeof(pks_match_partial));
  pks_base_vec_free(&c->mem, &c->differing, sizeof(pks_match_differing));
  pks_base_arena_free(&c->mem, &c->arena);
  pks_base_object_free(c, sizeof *c);
}
