/* match/uses.c - does the target's version take a use of a standard library class (facts/uses.c)? */
#include "match/build.h"
#include "match/check.h"

/* `text`: the value or the slot; "" for a number of arguments. */
typedef struct use_row {
  const char *module, *name, *text;
  uint16_t versions, maybe;
  uint8_t use, least, most;
} use_row;

#define USE_VALUE(module, name, value, versions) \
  {module, name, value, versions, 0, PKS_USE_VALUE, 0, 0},
#define USE_ARITY(module, name, versions, least, most) \
  {module, name, "", versions, 0, PKS_USE_ARITY, least, most},
#define USE_SLOT(module, name, slot, versions, maybe) \
  {module, name, slot, versions, maybe, PKS_USE_SLOT, 0, 0},
#define USE_LACK(module, name, key, versions)
#define USE_OLD(module, name)
static const use_row rows[] = {
#include "facts/uses.def"
};
#undef USE_VALUE
#undef USE_ARITY
#undef USE_SLOT
#undef USE_LACK
#undef USE_OLD

static bool is_about(const use_row *row, const pks_requirement *r) {
  return row->use == r->use && (row->use == PKS_USE_ARITY || pks_span_is(r->helper, row->text)) &&
         pks_span_is(r->name, row->name) && pks_span_is(r->module, row->module);
}

/* What no row is about does not depend on the version: a value that no row has is in every version of the
 * enumeration, or in none. Numbers of arguments have a row for each group of versions. */
static pks_state by_version(const pks_match_facts *f, const pks_requirement *r) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const use_row *row = &rows[i];
    if (!is_about(row, r)) continue;
    if (f->version < 0 || row->maybe >> f->version & 1) return PKS_STATE_UNKNOWN;
    bool has = row->versions >> f->version & 1;
    if (row->use == PKS_USE_ARITY && !has) continue;
    if (row->use == PKS_USE_ARITY) has = r->number >= row->least && r->number <= row->most;
    return has ? PKS_STATE_MET : PKS_STATE_DIFFERENT;
  }
  return PKS_STATE_MET;
}

static pks_state of_form(const pks_match_facts *f, const pks_requirement *r) {
  const pks_form *form = pks_facts_form(r->number);
  unsigned refusing = r->phase == PKS_PHASE_RUN ? form->run : form->load;
  if (f->version < 0) return PKS_STATE_UNKNOWN;
  if (r->phase == PKS_PHASE_LOAD && form->open >> f->version & 1) return PKS_STATE_UNKNOWN;
  return refusing >> f->version & 1 ? PKS_STATE_DIFFERENT : PKS_STATE_MET;
}

/* Without a key an object is not as its class expects it, but what is done with it may do. */
static pks_state of_lack(const pks_match_facts *f, const pks_requirement *r) {
  const pks_lack *lack = pks_facts_lack(r->number);
  if (f->version < 0) return PKS_STATE_UNKNOWN;
  bool has = lack->versions >> f->version & 1;
  if (!*lack->key) return has ? PKS_STATE_MET : PKS_STATE_DIFFERENT;
  return has ? PKS_STATE_UNKNOWN : PKS_STATE_MET;
}

pks_state pks_match_use(const pks_match_target *target, const pks_requirement *r) {
  const pks_match_facts *f = &target->facts;
  switch (r->use) {
    case PKS_USE_OLD: return f->python < PKS_PYTHON(3, 0, 0) ? PKS_STATE_DIFFERENT : PKS_STATE_MET;
    case PKS_USE_FORM: return of_form(f, r);
    case PKS_USE_LACK: return of_lack(f, r);
    default: return by_version(f, r);
  }
}
