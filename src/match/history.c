/* match/history.c - what is known of a library by its version: modules and names that came and went, and where
 * a loader looks for names that moved. */
#include <string.h>

#include "match/build.h"

typedef struct library_row {
  const char *distribution, *oldest, *newest;
} library_row;

typedef struct history_row {
  const char *distribution, *module, *name, *since, *before;
  bool sure; /* else a star import or __getattr__ may bring it */
} history_row;
#define YES true
#define MAYBE false

#define LIBRARY(distribution, oldest, newest) {distribution, oldest, newest},
#define HISTORY(distribution, module, name, since, before, sure)
static const library_row libraries[] = {
#include "match/history.def"
};
#undef LIBRARY
#undef HISTORY
#define LIBRARY(distribution, oldest, newest)
#define HISTORY(distribution, module, name, since, before, sure) \
  {distribution, module, name, since, before, sure},
static const history_row history[] = {
#include "match/history.def"
};
#undef LIBRARY
#undef HISTORY

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- versions -------------------------------------------------------------------------------------- */

pks_span pks_match_installed(const pks_match_facts *f, const char *distribution) {
  if (f->distributions.count == 0) return (pks_span){0};
  uint32_t at = pks_match_names_find(&f->distributions, pks_match_span(distribution));
  if (at == PKS_MATCH_NONE) return (pks_span){0};
  return f->distribution_version[at];
}

/* Is a version at or after `bound`? bound "": it is. Unknown: a version that is not only numbers. */
static pks_answer at_least(pks_span version, const char *bound) {
  if (!*bound) return PKS_ANSWER_YES;
  int order = pks_match_version_order(version, pks_match_span(bound));
  if (order == 2) return PKS_ANSWER_UNKNOWN;
  return order >= 0 ? PKS_ANSWER_YES : PKS_ANSWER_NO;
}

pks_answer pks_match_within(pks_span version, const char *since, const char *before) {
  pks_answer from = at_least(version, since);
  pks_answer past = *before ? at_least(version, before) : PKS_ANSWER_NO;
  if (from == PKS_ANSWER_NO || past == PKS_ANSWER_YES) return PKS_ANSWER_NO;
  return from == PKS_ANSWER_UNKNOWN || past == PKS_ANSWER_UNKNOWN ? PKS_ANSWER_UNKNOWN
                                                                  : PKS_ANSWER_YES;
}

/* Is the version one between the oldest and the newest that were looked at? */
static bool is_known(const char *distribution, pks_span version) {
  for (size_t i = 0; i < COUNT(libraries); i++)
    if (strcmp(libraries[i].distribution, distribution) == 0)
      return at_least(version, libraries[i].oldest) == PKS_ANSWER_YES &&
             (at_least(version, libraries[i].newest) == PKS_ANSWER_NO ||
              pks_match_version_order(version, pks_match_span(libraries[i].newest)) == 0);
  return false;
}

static bool same_row(const history_row *a, const history_row *b) {
  return strcmp(a->module, b->module) == 0 && strcmp(a->name, b->name) == 0;
}

/* A name may come and go: its rows stand together. *end: after the last of those that row `first` begins. */
static pks_answer in_version(const pks_match_facts *f, size_t first, size_t *end) {
  const char *distribution = history[first].distribution;
  pks_span version = pks_match_installed(f, distribution);
  bool known = version.size > 0 && is_known(distribution, version);
  pks_answer said = known ? PKS_ANSWER_NO : PKS_ANSWER_UNKNOWN;
  for (*end = first; *end < COUNT(history) && same_row(&history[*end], &history[first]); ++*end) {
    const history_row *row = &history[*end];
    pks_answer there = known ? pks_match_within(version, row->since, row->before) : said;
    if (there == PKS_ANSWER_YES && !row->sure) there = PKS_ANSWER_UNKNOWN;
    if (there == PKS_ANSWER_YES || said == PKS_ANSWER_NO) said = there;
  }
  return said;
}

/* ---- questions ----------------------------------------------------------------------------------------- */

static pks_match_answer answer(pks_answer value, pks_match_why why, size_t part) {
  return (pks_match_answer){value, why, (uint32_t)part, false};
}

/* Is `text` the name `module` or of a module in it? */
static bool holds(const char *module, pks_span text) {
  size_t size = strlen(module);
  return text.size >= size && memcmp(text.data, module, size) == 0 &&
         (text.size == size || text.data[size] == '.');
}

pks_match_answer pks_match_history_module(const pks_match_facts *f, pks_span module) {
  pks_match_answer said = answer(PKS_ANSWER_UNKNOWN, PKS_WHY_NOTHING, 0);
  for (size_t i = 0, end; i < COUNT(history); i = end) {
    const history_row *row = &history[i];
    size_t size = strlen(row->module);
    end = i + 1;
    if (*row->name || !holds(row->module, module)) continue;
    pks_answer there = in_version(f, i, &end);
    if (there == PKS_ANSWER_NO) return answer(there, PKS_WHY_NOT_IN_RELEASE, size);
    if (there == PKS_ANSWER_YES && size == module.size)
      said = answer(there, PKS_WHY_IN_RELEASE, size);
  }
  return said;
}

pks_match_answer pks_match_history_name(const pks_match_facts *f, pks_span module, pks_span name) {
  for (size_t i = 0, end; i < COUNT(history); i = end) {
    const history_row *row = &history[i];
    end = i + 1;
    if (!*row->name || !pks_span_is(module, row->module) || !pks_span_is(name, row->name)) continue;
    pks_answer there = in_version(f, i, &end);
    if (there == PKS_ANSWER_YES) return answer(there, PKS_WHY_IN_RELEASE, module.size);
    if (there == PKS_ANSWER_NO) return answer(there, PKS_WHY_NOT_IN_RELEASE, module.size);
  }
  return answer(PKS_ANSWER_UNKNOWN, PKS_WHY_NOTHING, module.size);
}

/* ---- hints ------------------------------------------------------------------------------------------- */

bool pks_match_releases_of(pks_span module, pks_span name, pks_match_releases *out) {
  size_t best = 0; /* of the packages around a module the one that says most */
  for (size_t i = 0; i < COUNT(history); i++) {
    const history_row *row = &history[i];
    bool same = name.size ? pks_span_is(module, row->module) && pks_span_is(name, row->name)
                          : !*row->name && holds(row->module, module);
    if (!same || !row->sure || strlen(row->module) < best) continue;
    best = strlen(row->module);
    *out = (pks_match_releases){row->distribution, row->since, row->before};
  }
  return best > 0 && (*out->since || *out->before);
}

pks_span pks_match_history_moved(const pks_match_facts *f, pks_span module, pks_span name) {
  const char *distribution = NULL;
  for (size_t i = 0; i < COUNT(history) && !distribution; i++)
    if (pks_span_is(module, history[i].module)) distribution = history[i].distribution;
  for (size_t i = 0, end; i < COUNT(history) && distribution && name.size; i = end) {
    const history_row *row = &history[i];
    end = i + 1;
    if (strcmp(row->distribution, distribution) == 0 && pks_span_is(name, row->name) &&
        !pks_span_is(module, row->module) && in_version(f, i, &end) == PKS_ANSWER_YES)
      return pks_match_span(row->module);
  }
  return (pks_span){0};
}

/* ---- loaders that look elsewhere ------------------------------------------------------------------------ */

bool pks_match_renamed(pks_match_loader loader, pks_span *module, pks_span *name) {
#define RENAME(loader, module, name, new_module, new_name) \
  {PKS_LOADER_##loader, module, name, new_module, new_name},
  static const struct {
    pks_match_loader loader;
    const char *module, *name, *new_module, *new_name;
  } rows[] = {
#include "match/renames.def"
  };
#undef RENAME
  for (size_t i = 0; i < COUNT(rows); i++) {
    if (rows[i].loader != loader || !pks_span_is(*module, rows[i].module) ||
        !pks_span_is(*name, rows[i].name))
      continue;
    *module = pks_match_span(rows[i].new_module);
    *name = pks_match_span(rows[i].new_name);
    return true;
  }
  return false;
}
