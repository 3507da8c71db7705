/* api/api_common.c - the public functions over match/common. */
#include "match/common.h"

static void take_targets(pks_match_some some, const uint32_t **targets, size_t *count) {
  *targets = some.target;
  *count = some.count;
}

pks_status pks_common_new(const pks_target *const *targets, size_t count, const pks_alloc *alloc,
                          pks_common **out) {
  if (!out) return PKS_E_USAGE;
  *out = NULL;
  if ((!targets && count) || count == 0 || count > UINT32_MAX / 2) return PKS_E_USAGE;
  for (size_t i = 0; i < count; i++)
    if (!targets[i]) return PKS_E_USAGE;
  return pks_match_common_new(alloc, targets, (uint32_t)count, out);
}

void pks_common_free(pks_common *common) { pks_match_common_free(common); }

int pks_common_protocol(const pks_common *common) { return common ? common->protocol : -1; }

size_t pks_common_groups(const pks_common *common) { return common ? common->groups.count : 0; }
size_t pks_common_shared(const pks_common *common) { return common ? common->shared.count : 0; }
size_t pks_common_partial(const pks_common *common) { return common ? common->partial.count : 0; }
size_t pks_common_versions(const pks_common *common) {
  return common ? common->differing.count : 0;
}

static bool misused(const pks_common *common, const pks_common_item *item, size_t index,
                    size_t count) {
  return !common || !item || item->size < sizeof *item || index >= count;
}

pks_status pks_common_group(const pks_common *common, size_t index, pks_common_item *item) {
  if (misused(common, item, index, pks_common_groups(common))) return PKS_E_USAGE;
  const pks_match_group *group = &PKS_VEC_AT(&common->groups, pks_match_group, index);
  *item = (pks_common_item){.size = item->size, .magic = group->magic};
  take_targets(group->targets, &item->targets, &item->target_count);
  return PKS_OK;
}

pks_status pks_common_module(const pks_common *common, size_t index, pks_common_item *item) {
  size_t shared = pks_common_shared(common);
  if (misused(common, item, index, shared + pks_common_partial(common))) return PKS_E_USAGE;
  *item = (pks_common_item){.size = item->size, .magic = -1};
  if (index < shared) {
    item->name = PKS_VEC_AT(&common->shared, pks_span, index);
    return PKS_OK;
  }
  const pks_match_partial *partial =
      &PKS_VEC_AT(&common->partial, pks_match_partial, index - shared);
  item->name = partial->name;
  take_targets(partial->targets, &item->targets, &item->target_count);
  return PKS_OK;
}

pks_status pks_common_version(const pks_common *common, size_t index, pks_common_item *item) {
  if (misused(common, item, index, pks_common_versions(common))) return PKS_E_USAGE;
  const pks_match_differing *row = &PKS_VEC_AT(&common->differing, pks_match_differing, index);
  *item = (pks_common_item){.size = item->size, .magic = -1};
  item->name = row->distribution;
  item->version = row->version;
  take_targets(row->targets, &item->targets, &item->target_count);
  return PKS_OK;
}
