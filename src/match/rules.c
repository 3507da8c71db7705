/* match/rules.c - what a trait of the payload asks of the target: rows of rules.def, the operating system,
 * versions that a payload is stamped with. */
#include <string.h>

#include "match/build.h"
#include "match/check.h"

typedef struct rule_row {
  uint8_t trait, state;
  const char *distribution, *since, *before, *why, *hint;
} rule_row;

#define RULE(trait, distribution, since, before, state, why, hint) \
  {PKS_TRAIT_##trait, PKS_STATE_##state, distribution, since, before, why, hint},
#define CHECKSUM(distribution, module, name, value, takes, refuses)
#define GENERATOR(name, since)
static const rule_row rules[] = {
#include "match/rules.def"
};
#undef RULE
#undef CHECKSUM
#undef GENERATOR

#define COUNT(array) (sizeof(array) / sizeof *(array))

static pks_ruling ruling(pks_state state, const char *why, const char *hint) {
  return (pks_ruling){.state = state, .why = why, .hint = hint};
}

/* ---- the operating system ------------------------------------------------------------------------------ */

/* pathlib.PosixPath.__new__ and WindowsPath.__new__ raise on the other system. What is not said is taken for
 * Linux, as it is for the tables of the standard library, but not as evidence against a path. */
static pks_ruling rule_path(const pks_match_target *t, bool windows) {
  const char *why = windows ? "pathlib makes a WindowsPath on Windows only"
                            : "pathlib makes no PosixPath on Windows";
  const char *hint = windows ? "load it on Windows, or pickle str(path) or a PureWindowsPath"
                             : "load it on Linux or macOS, or pickle str(path) or a PurePosixPath";
  bool there = t->facts.os == PKS_OS_WINDOWS;
  if (t->facts.os == PKS_OS_UNKNOWN && windows)
    return ruling(PKS_STATE_UNKNOWN,
                  "pathlib makes a WindowsPath on Windows only; the "
                  "target's system is not known",
                  hint);
  return ruling(there == windows ? PKS_STATE_MET : PKS_STATE_DIFFERENT, why, hint);
}

/* ---- stamps -------------------------------------------------------------------------------------------- */

/* Major and minor number, or the whole text where there is no second dot. */
static pks_span minor_of(pks_span version) {
  size_t dots = 0, at = 0;
  for (; at < version.size; at++)
    if (version.data[at] == '.' && ++dots == 2) break;
  return (pks_span){version.data, at};
}

/* A library that writes its version into a state warns when it differs; whether the object works is then
 * nobody's promise. */
static pks_ruling rule_stamp(const pks_match_target *t, const pks_requirement *r,
                             const char *name) {
  pks_span there = pks_match_installed(&t->facts, name);
  pks_ruling out =
      ruling(PKS_STATE_UNKNOWN,
             there.size ? "it was written by another version: it loads with a warning, "
                          "and may not work"
                        : "the library's version on the target is not known",
             "install the version that wrote it");
  out.value = r->helper;
  out.distribution = name;
  if (!there.size) return out;
  pks_span a = minor_of(there), b = minor_of(r->helper);
  if (a.size == b.size && memcmp(a.data, b.data, a.size) == 0) out.state = PKS_STATE_MET;
  return out;
}

/* ---- numbers and names ----------------------------------------------------------------------------------- */

static pks_ruling rule_checksum(const pks_match_target *t, const pks_requirement *r) {
#define RULE(trait, distribution, since, before, state, why, hint)
#define GENERATOR(name, since)
#define CHECKSUM(distribution, module, name, value, takes, refuses) \
  {distribution, module, name, #value, takes, refuses},
  static const struct {
    const char *distribution, *module, *name, *value, *takes, *refuses;
  } rows[] = {
#include "match/checksums.def"
#include "match/rules.def"
  };
#undef RULE
#undef CHECKSUM
#undef GENERATOR
  pks_ruling out =
      ruling(PKS_STATE_UNKNOWN, "which layouts the target's class accepts is not known",
             "install the version of the "
             "library that wrote it");
  out.value = r->helper;
  for (size_t i = 0; i < COUNT(rows); i++) {
    if (!pks_span_is(r->module, rows[i].module) || !pks_span_is(r->name, rows[i].name) ||
        !pks_span_is(r->helper, rows[i].value))
      continue;
    pks_span version = pks_match_installed(&t->facts, rows[i].distribution);
    if (!version.size) break;
    if (pks_match_within(version, rows[i].takes, "") == PKS_ANSWER_YES) out.state = PKS_STATE_MET;
    int order = pks_match_version_order(version, pks_match_span(rows[i].refuses));
    if (*rows[i].refuses && order <= 0) {
      out.state = PKS_STATE_DIFFERENT;
      out.why = "this version's class has another layout";
      out.hint = "install a newer version of the library";
    }
  }
  return out;
}

static pks_ruling rule_generator(const pks_match_target *t, const pks_requirement *r) {
#define RULE(trait, distribution, since, before, state, why, hint)
#define GENERATOR(name, since) {name, since},
#define CHECKSUM(distribution, module, name, value, takes, refuses)
  static const struct {
    const char *name, *since;
  } rows[] = {
#include "match/rules.def"
  };
#undef RULE
#undef CHECKSUM
#undef GENERATOR
  pks_ruling out = ruling(PKS_STATE_DIFFERENT,
                          "numpy knows no bit generator of "
                          "that name",
                          "pickle it again with the library that brings it installed, or "
                          "with one of numpy's own generators");
  out.value = r->helper;
  if (!r->helper.data) out.state = PKS_STATE_UNKNOWN;
  for (size_t i = 0; i < COUNT(rows); i++) {
    if (!pks_span_is(r->helper, rows[i].name)) continue;
    pks_span version = pks_match_installed(&t->facts, "numpy");
    pks_answer there =
        version.size ? pks_match_within(version, rows[i].since, "") : PKS_ANSWER_UNKNOWN;
    out.state = there == PKS_ANSWER_YES  ? PKS_STATE_MET
                : there == PKS_ANSWER_NO ? PKS_STATE_DIFFERENT
                                         : PKS_STATE_UNKNOWN;
    if (there == PKS_ANSWER_UNKNOWN) out.why = "numpy's version on the target is not known";
    out.hint = "install a newer numpy";
  }
  return out;
}

/* _make_skel_func of cloudpickle 0.5.4 - 0.7.0 is given a module's name; before, it took a dict. */
static pks_ruling rule_skeleton(const pks_match_target *t, const pks_requirement *r) {
  pks_match_helper helper;
  pks_ruling out = ruling(PKS_STATE_UNKNOWN,
                          "cloudpickle takes a module's name there since 0.5.4; which version the "
                          "target has is not known",
                          "install cloudpickle 0.5.4 to 2.2.1");
  if (pks_match_has_helper(t, r->module, r->name, &helper).value == PKS_ANSWER_UNKNOWN) return out;
  pks_answer takes = pks_match_within(pks_match_span(helper.version), "0.5.4", "");
  out.why = "cloudpickle takes a module's name there since 0.5.4";
  out.state = takes == PKS_ANSWER_YES ? PKS_STATE_MET : PKS_STATE_DIFFERENT;
  return out;
}

/* ---- the interpreter --------------------------------------------------------------------------------------- */

/* cell_set_contents of Objects/cellobject.c came with 3.7. dill 0.3.5 has a _setattr that does without it, which
 * payloads ask for by getattr(dill._dill, "_setattr", setattr). */
static pks_ruling rule_cell(const pks_match_target *t, const pks_requirement *r) {
  pks_span dill = pks_match_installed(&t->facts, "dill");
  bool own = pks_span_is(r->name, "getattr") && dill.size &&
             pks_match_within(dill, "0.3.5", "0.3.6") == PKS_ANSWER_YES;
  bool there = t->facts.python >= PKS_PYTHON(3, 7, 0) || own;
  return ruling(there ? PKS_STATE_MET : PKS_STATE_DIFFERENT,
                "the contents of a cell can be set from Python 3.7 on", "use Python 3.7 or newer");
}

/* PyPy's method-wrapper is a bound method as another; CPython's has no tp_new. */
static pks_ruling rule_wrapper(const pks_match_target *t) {
  bool cpython = pks_span_is(t->facts.implementation, "cpython");
  return ruling(cpython ? PKS_STATE_DIFFERENT : PKS_STATE_MET,
                "CPython makes no objects of its types of built-in methods",
                "pickle it again under CPython");
}

/* ---- rows ------------------------------------------------------------------------------------------------- */

static pks_ruling rule_row_of(const pks_match_target *t, unsigned trait) {
  for (size_t i = 0; i < COUNT(rules); i++) {
    const rule_row *row = &rules[i];
    if (row->trait != trait) continue;
    pks_span version = pks_match_installed(&t->facts, row->distribution);
    pks_ruling out = ruling(PKS_STATE_UNKNOWN, row->why, row->hint);
    out.distribution = row->distribution;
    if (t->facts.loader == PKS_LOADER_PANDAS && trait == PKS_TRAIT_NEW_BLOCK)
      out.why = "which releases of pandas.read_pickle repair it is not known";
    else if (version.size == 0)
      out.open = true;
    else if (pks_match_within(version, row->since, row->before) == PKS_ANSWER_YES)
      out.state = PKS_STATE_MET;
    else if (pks_match_within(version, row->since, row->before) == PKS_ANSWER_NO)
      out.state = (pks_state)row->state;
    return out;
  }
  return ruling(PKS_STATE_UNKNOWN, "nothing is known of it", NULL);
}

pks_ruling pks_match_rule(const pks_match_target *t, const pks_requirement *r) {
  pks_trait trait = (pks_trait)(r->trait - 1);
  switch (trait) {
    case PKS_TRAIT_POSIX_PATH: return rule_path(t, false);
    case PKS_TRAIT_WINDOWS_PATH: return rule_path(t, true);
    case PKS_TRAIT_SKLEARN_STAMP: return rule_stamp(t, r, "scikit-learn");
    case PKS_TRAIT_DJANGO_STAMP: return rule_stamp(t, r, "django");
    case PKS_TRAIT_CHECKSUM: return rule_checksum(t, r);
    case PKS_TRAIT_RANDOM_NAME: return rule_generator(t, r);
    case PKS_TRAIT_SKEL_NAME: return rule_skeleton(t, r);
    case PKS_TRAIT_CELL_SET: return rule_cell(t, r);
    case PKS_TRAIT_WRAPPER_CALL: return rule_wrapper(t);
    case PKS_TRAIT_TREE_SHORT:
    case PKS_TRAIT_TREE_LONG:
    case PKS_TRAIT_RANDOM_CLASS:
    case PKS_TRAIT_RANDOM_TWO:
    case PKS_TRAIT_PANDAS_MGR:
    case PKS_TRAIT_NEW_BLOCK:
    case PKS_TRAIT_COUNT: break;
  }
  return rule_row_of(t, trait);
}
