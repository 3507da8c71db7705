/* match/describe.c - a target in public words, and how it reads. */
#include "match/check.h"

bool pks_match_describe(const pks_match_target *t, pks_target_info *info) {
  const pks_match_facts *f = &t->facts;
  const char *dash = strrchr(t->name, '-'); /* an implementation may have some */
  pks_target_info all = {.name = t->name,
                         .id = t->id,
                         .implementation = t->implementation,
                         .version = dash ? dash + 1 : t->name,
                         .python = f->python,
                         .magic = f->magic < 0 ? 0 : (uint16_t)f->magic,
                         .max_protocol = f->max_protocol};
  all.size = info->size < sizeof all ? info->size : sizeof all;
  memcpy(info, &all, all.size);
  return true;
}
