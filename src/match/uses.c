/* match/uses.c - does the target's version take a use of a standard library class (facts/uses.c)? */
#include "match/build.h"
#include "match/check.h"

static bool is(pks_span text, const char *other) {
  size_t size = strlen(other);
  return text.size == size && memcmp(text.data, other, size) == 0;
}

/* A value that no row has is in every version of the enumeration, or in none. */
static pks_state of_value(const pks_match_facts *f, const pks_requirement *r) {
  static const struct {
    const char *module, *name, *value;
    uint16_t versions;
  } rows[] = {
#define USE_VALUE(module, name, value, versions) {module, name, value, versions},
#define USE_ARITY(module, name, versions, least, most)
#define USE_SLOT(module, name, slot, versions, maybe)
#define USE_LACK(module, name, key, versions)
#define USE_OLD(module, name)
#include "facts/uses.def"
#undef USE_VALUE
#undef USE_ARITY
#undef USE_SLOT
#undef USE_LACK
#undef USE_OLD
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!is(r->helper, rows[i].value) || !is(r->name, rows[i].name) ||
        !is(r->module, rows[i].module))
      continue;
    if (f->version < 0) return PKS_STATE_UNKNOWN;
    return rows[i].versions >> f->version & 1 ? PKS_STATE_MET : PKS_STATE_DIFFERENT;
  }
  return PKS_STATE_MET;
}

static pks_state of_arity(const pks_match_facts *f, const pks_requirement *r) {
  static const struct {
    const char *module, *name;
    uint16_t versions;
    uint8_t least, most;
  } rows[] = {
#define USE_VALUE(module, name, value, versions)
#define USE_ARITY(module, name, versions, least, most) {module, name, versions, least, most},
#define USE_SLOT(module, name, slot, versions, maybe)
#define USE_LACK(module, name, key, versions)
#define USE_OLD(module, name)
#include "facts/uses.def"
#undef USE_VALUE
#undef USE_ARITY
#undef USE_SLOT
#undef USE_LACK
#undef USE_OLD
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!is(r->name, rows[i].name) || !is(r->module, rows[i].module)) continue;
    if (f->version < 0) return PKS_STATE_UNKNOWN;
    if (!(rows[i].versions >> f->version & 1)) continue;
    return r->number >= rows[i].least && r->number <= rows[i].most ? PKS_STATE_MET
                                                                   : PKS_STATE_DIFFERENT;
  }
  return PKS_STATE_MET;
}

static pks_state of_slot(const pks_match_facts *f, const pks_requirement *r) {
  static const struct {
    const char *module, *name, *slot;
    uint16_t versions, maybe;
  } rows[] = {
#define USE_VALUE(module, name, value, versions)
#define USE_ARITY(module, name, versions, least, most)
#define USE_SLOT(module, name, slot, versions, maybe) {module, name, slot, versions, maybe},
#define USE_LACK(module, name, key, versions)
#define USE_OLD(module, name)
#include "facts/uses.def"
#undef USE_VALUE
#undef USE_ARITY
#undef USE_SLOT
#undef USE_LACK
#undef USE_OLD
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!is(r->helper, rows[i].slot) || !is(r->name, rows[i].name) ||
        !is(r->module, rows[i].module))
      continue;
    if (f->version < 0 || rows[i].maybe >> f->version & 1) return PKS_STATE_UNKNOWN;
    return rows[i].versions >> f->version & 1 ? PKS_STATE_MET : PKS_STATE_DIFFERENT;
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
    case PKS_USE_VALUE: return of_value(f, r);
    case PKS_USE_ARITY: return of_arity(f, r);
    case PKS_USE_SLOT: return of_slot(f, r);
    case PKS_USE_FORM: return of_form(f, r);
    case PKS_USE_LACK: return of_lack(f, r);
    default: return f->python < PKS_PYTHON(3, 0, 0) ? PKS_STATE_DIFFERENT : PKS_STATE_MET;
  }
}
