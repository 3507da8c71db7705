#include "match/common.h"

#include <string.h>

#include "base/settings.h"
#include "match/build.h"

typedef struct work {
  pks_match_common *common;
  const pks_match_target *const *targets;
  uint32_t count;
  uint32_t *some;  /* room for the indices of all targets       */
  uint32_t *place; /* how far each target's list has been read  */
} work;

/* A copy of the first `count` of w->some. */
static bool keep(work *w, uint32_t count, pks_match_some *out) {
  pks_match_common *c = w->common;
  out->target = (const uint32_t *)(const void *)pks_base_arena_copy(&c->mem, &c->arena, w->some,
                                                                    count * sizeof *w->some);
  out->count = count;
  return out->target != NULL;
}

static bool find_protocol(work *w) {
  int lowest = w->count ? w->targets[0]->facts.max_protocol : -1;
  for (uint32_t i = 1; i < w->count; i++) {
    int protocol = w->targets[i]->facts.max_protocol;
    if (protocol < lowest) lowest = protocol;
  }
  w->common->protocol = lowest;
  return true;
}

static bool is_grouped(const work *w, uint32_t target) {
  int64_t magic = w->targets[target]->facts.magic;
  for (uint32_t i = 0; magic >= 0 && i < target; i++)
    if (w->targets[i]->facts.magic == magic) return true;
  return false;
}

static bool find_groups(work *w) {
  pks_match_common *c = w->common;
  for (uint32_t i = 0; i < w->count; i++) {
    int64_t magic = w->targets[i]->facts.magic;
    uint32_t count = 0;
    if (is_grouped(w, i)) continue;
    for (uint32_t j = i; j < w->count; j++)
      if (j == i || (magic >= 0 && w->targets[j]->facts.magic == magic)) w->some[count++] = j;
    pks_match_group *group = pks_base_vec_push(&c->mem, &c->groups, sizeof *group);
    if (!group) return false;
    group->magic = magic;
    if (!keep(w, count, &group->targets)) return false;
  }
  return true;
}

/* ---- merging sorted lists --------------------------------------------------------------------------- */

typedef const pks_match_names *(*list_fn)(const pks_match_target *target);

static const pks_match_names *modules_of(const pks_match_target *t) { return &t->facts.modules; }
static const pks_match_names *distributions_of(const pks_match_target *t) {
  return &t->facts.distributions;
}

/* The least name that some list has and that was not read yet; moves past it. *stdlib, unless NULL, is how far
 * the table's modules have been read. */
static bool next_name(work *w, list_fn list, uint32_t *stdlib, pks_span *name) {
  bool found = stdlib && *stdlib < pks_match_stdlib_count();
  if (found) *name = pks_match_stdlib_name(*stdlib);
  for (uint32_t i = 0; i < w->count; i++) {
    const pks_match_names *names = list(w->targets[i]);
    if (w->place[i] == names->count) continue;
    pks_span head = names->text[w->place[i]];
    if (!found || pks_match_span_order(head, *name) < 0) *name = head;
    found = true;
  }
  if (!found) return false;
  if (stdlib && *stdlib < pks_match_stdlib_count() &&
      pks_match_span_order(pks_match_stdlib_name(*stdlib), *name) == 0)
    ++*stdlib;
  for (uint32_t i = 0; i < w->count; i++) {
    const pks_match_names *names = list(w->targets[i]);
    if (w->place[i] < names->count && pks_match_span_order(names->text[w->place[i]], *name) == 0)
      w->place[i]++;
  }
  return true;
}

static bool find_modules(work *w) {
  pks_match_common *c = w->common;
  uint32_t stdlib = 0;
  pks_span name;
  memset(w->place, 0, w->count * sizeof *w->place);
  while (next_name(w, modules_of, &stdlib, &name)) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->count; i++)
      if (pks_match_has_module(w->targets[i], name).value == PKS_ANSWER_YES) w->some[count++] = i;
    if (count == 0) continue;
    if (count == w->count) {
      pks_span *shared = pks_base_vec_push(&c->mem, &c->shared, sizeof *shared);
      if (!shared) return false;
      *shared = name;
      continue;
    }
    pks_match_partial *partial = pks_base_vec_push(&c->mem, &c->partial, sizeof *partial);
    if (!partial || !keep(w, count, &partial->targets)) return false;
    partial->name = name;
  }
  return true;
}

/* Version of a distribution (normalised name), NULL: not installed or not listed. */
static const pks_span *version_of(const pks_match_target *t, pks_span distribution) {
  uint32_t index = pks_match_names_find(&t->facts.distributions, distribution);
  return index == PKS_MATCH_NONE ? NULL : &t->facts.distribution_version[index];
}

static bool same_version(const work *w, uint32_t a, uint32_t b, pks_span distribution) {
  const pks_span *x = version_of(w->targets[a], distribution);
  const pks_span *y = version_of(w->targets[b], distribution);
  return x && y && pks_match_span_order(*x, *y) == 0;
}

/* One row a version, if there are several. */
static bool add_versions(work *w, pks_span distribution) {
  pks_match_common *c = w->common;
  size_t before = c->differing.count;
  for (uint32_t i = 0; i < w->count; i++) {
    const pks_span *version = version_of(w->targets[i], distribution);
    uint32_t first = 0, count = 0;
    while (first < i && !same_version(w, first, i, distribution)) first++;
    if (!version || first < i) continue;
    for (uint32_t j = i; j < w->count; j++)
      if (same_version(w, i, j, distribution)) w->some[count++] = j;
    pks_match_differing *row = pks_base_vec_push(&c->mem, &c->differing, sizeof *row);
    if (!row || !keep(w, count, &row->targets)) return false;
    row->distribution = distribution;
    row->version = *version;
  }
  if (c->differing.count == before + 1) c->differing.count = before;
  return true;
}

static bool find_versions(work *w) {
  pks_span name;
  memset(w->place, 0, w->count * sizeof *w->place);
  while (next_name(w, distributions_of, NULL, &name))
    if (!add_versions(w, name)) return false;
  return true;
}

/* ---- the whole ---------------------------------------------------------------------------------------------- */

pks_status pks_match_common_new(const pks_alloc *alloc, const pks_match_target *const *targets,
                                uint32_t count, pks_match_common **common) {
  pks_limits limits;
  pks_base_limits(&limits, NULL);
  pks_match_common *c = pks_base_object_new(alloc, limits.max_memory, sizeof *c);
  *common = c;
  if (!c) return PKS_E_NO_MEMORY;
  work w = {.common = c, .targets = targets, .count = count};
  w.some = pks_base_arena_take(&c->mem, &c->arena, ((size_t)count + 1) * sizeof *w.some);
  w.place = pks_base_arena_take(&c->mem, &c->arena, ((size_t)count + 1) * sizeof *w.place);
  if (w.some && w.place && find_protocol(&w) && find_groups(&w) && find_modules(&w) &&
      find_versions(&w))
    return PKS_OK;
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
