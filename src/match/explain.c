/* match/explain.c - what a need is, why it has its state, what would meet it: sentences for people.
 *
 * Names in them come from the payload, which is hostile: control characters, quotes, everything that is
 * not plain ASCII is escaped. */
#include "match/check.h"

typedef struct text {
  char *at;
  size_t size, capacity;
} text;

static void put(text *t, const char *s) {
  for (; *s && t->size + 1 < t->capacity; s++) t->at[t->size++] = *s;
  t->at[t->size] = 0;
}

static void put_span(text *t, pks_span s) {
  static const char digits[] = "0123456789abcdef";
  size_t shown = s.size < 200 ? s.size : 200;
  for (size_t i = 0; i < shown; i++) {
    uint8_t c = s.data[i];
    char plain[2] = {(char)c, 0};
    char coded[5] = {'\\', 'x', digits[c >> 4], digits[c & 15], 0};
    put(t, c >= 0x20 && c < 0x7f && c != '\\' && c != '\'' ? plain : coded);
  }
  if (shown < s.size) put(t, "...");
}

static void put_number(text *t, uint64_t number) {
  char digits[24];
  size_t n = sizeof digits;
  digits[--n] = 0;
  do {
    digits[--n] = (char)('0' + number % 10);
  } while (number /= 10);
  put(t, digits + n);
}

static void put_name(text *t, const pks_requirement *r) {
  put_span(t, r->module);
  if (r->name.size) put(t, ".");
  put_span(t, r->name);
}

static void put_target(text *t, const pks_check *c) {
  put(t, c->target ? c->target->name : "the target");
}

/* "CPython 3.11" for the version with this bit. */
static void put_python(text *t, unsigned version) {
  const char *name = pks_code_version_name(version);
  if (strncmp(name, "cpython-", 8) == 0) {
    put(t, "CPython ");
    put(t, name + 8);
  } else {
    put(t, name);
  }
}

static void put_versions(text *t, pks_code_set set) {
  bool first = true;
  for (unsigned i = 0; i < PKS_CODE_VERSIONS; i++) {
    if (!(set & PKS_CODE_BIT(i))) continue;
    if (!first) put(t, " or ");
    put_python(t, i);
    first = false;
  }
}

/* The code object that speaks for the bytecode need: the first that the target cannot run, else the
 * first of all. */
static const pks_code_record *code_at_fault(const pks_check *c) {
  const pks_inspector *f = c->inspector;
  int64_t magic = c->target ? c->target->facts.magic : -1;
  int version = magic < 0 || magic > UINT16_MAX ? -1 : pks_code_version_of_magic((uint16_t)magic);
  for (size_t i = 0; version >= 0 && i < f->codes.count; i++) {
    const pks_code_record *code = &PKS_VEC_AT(&f->codes, pks_code_record, i);
    pks_code_set may = code->set | code->pypy;
    if (may && !(may & PKS_CODE_BIT(version))) return code;
  }
  return &PKS_VEC_AT(&f->codes, pks_code_record, 0);
}

static pks_code_set joint_set(const pks_check *c) {
  pks_code_joint joint;
  pks_code_join_get(&c->inspector->join, &joint);
  return joint.mixed || !joint.set ? code_at_fault(c)->set : joint.set;
}

/* ---- what ------------------------------------------------------------------------------------------- */

static bool is_pyc(const pks_check *c) {
  return c->inspector->file.format == PKS_PAYLOAD_PYC && c->inspector->file.pyc.magic;
}

static void explain_magic(text *t, const pks_check *c) {
  uint16_t magics[PKS_CODE_VERSIONS];
  if (is_pyc(c)) {
    put(t, "magic ");
    put_number(t, c->inspector->file.pyc.magic);
    return;
  }
  size_t count = pks_code_set_magics(joint_set(c), magics);
  put(t, "magic ");
  for (size_t i = 0; i < count; i++) {
    if (i) put(t, " or ");
    put_number(t, magics[i]);
  }
  if (count == 0) put(t, "not known");
}

static bool is_marshalled(const pks_check *c, const pks_requirement *r) {
  return r->number &&
         pks_needs_is_marshalled(&PKS_VEC_AT(&c->inspector->codes, pks_code_record, r->index));
}

static void put_count(text *t, const char *before, uint64_t number, const char *after) {
  put(t, before);
  put_number(t, number);
  put(t, after);
}

static void explain_named(text *t, const pks_requirement *r, pks_need_kind kind) {
  put(t, pks_needs_kind_name(kind));
  put(t, " ");
  if (kind == PKS_NEED_MODULE || kind == PKS_NEED_IMPORT)
    put_span(t, r->module);
  else if (r->certain)
    put_name(t, r);
  else
    put(t, "with a computed name");
}

/* "tree nodes of 7 fields"; "layout checksum of a Cython class: 65708578" */
static void what_rule(text *t, const pks_check *c, const pks_requirement *r) {
  static const char *const texts[] = {
#define TRAIT(id, text) text,
#include "facts/traits.def"
#undef TRAIT
  };
  pks_ruling ruling = {.value = r->helper};
  if (c->target) ruling = pks_match_rule(c->target, r);
  put(t, texts[r->trait - 1]);
  if (ruling.value.size) put(t, " ");
  put_span(t, ruling.value);
}

/* "http.HTTPStatus(418)" */
static void what_use(text *t, const pks_requirement *r) {
  put_name(t, r);
  if (r->use == PKS_USE_VALUE) {
    put(t, "(");
    put_span(t, r->helper);
    put(t, ")");
  } else if (r->use == PKS_USE_SLOT) {
    put(t, " with slot ");
    put_span(t, r->helper);
  } else if (r->use == PKS_USE_ARITY) {
    put_count(t, " with ", r->number, r->number == 1 ? " argument" : " arguments");
  } else if (r->use == PKS_USE_FORM) {
    put(t, " in the form that it is written in");
  } else if (r->use == PKS_USE_LACK) {
    const char *key = pks_facts_lack(r->number)->key;
    put(t, *key ? " without " : " with more keys");
    put(t, key);
  } else {
    put(t, " as a new-style class");
  }
}

static void explain_what(text *t, const pks_check *c, const pks_requirement *r,
                         pks_need_kind kind) {
  if (r->trait) {
    what_rule(t, c, r);
    return;
  }
  switch (kind) {
    case PKS_NEED_BYTECODE: explain_magic(t, c); break;
    case PKS_NEED_MODULE:
    case PKS_NEED_IMPORT:
    case PKS_NEED_ATTRIBUTE:
    case PKS_NEED_MAIN:
    case PKS_NEED_LOADER: explain_named(t, r, kind); break;
    case PKS_NEED_CONSTRUCTOR:
      if (r->use)
        what_use(t, r);
      else if (is_marshalled(c, r))
        put_count(t, "marshalled code of ", r->number, " fields");
      else if (r->certain)
        put_count(t, "code constructor of ", r->number, " arguments");
      else
        put(t, "code constructor");
      break;
    case PKS_NEED_PERSISTENT_ID: put(t, "persistent_load"); break;
    case PKS_NEED_BUFFERS:
      put_count(t, "", r->number, r->number == 1 ? " out-of-band buffer" : " out-of-band buffers");
      break;
    case PKS_NEED_ENCODING: put(t, "encoding of Python 2 strings"); break;
    case PKS_NEED_EXTENSION: put_count(t, "extension code ", r->number, ""); break;
    case PKS_NEED_PROTOCOL: put_count(t, "protocol ", r->number, ""); break;
    case PKS_NEED_HELPER:
      explain_named(t, r, kind);
      put_count(t, " with ", r->number - 1, r->number == 2 ? " argument" : " arguments");
      break;
    case PKS_NEED_OPCODE:
    case PKS_NEED_NUMBER:
    case PKS_NEED_FRAME:
    case PKS_NEED_PLATFORM:
    case PKS_NEED_VERSION:
    case PKS_NEED_NAME:
    case PKS_NEED_KINDS:
      put(t, pks_needs_kind_name(kind));
      put(t, " that the unpickler takes");
      break;
  }
}

/* ---- why -------------------------------------------------------------------------------------------- */

/* "cpython-3.12 has no module 'pathlib._local': ...", or "'a.b' may be missing on ..." */
static void why_name(text *t, const pks_check *c, const pks_requirement *r,
                     const pks_finding *finding) {
  bool module = finding->kind == PKS_NEED_MODULE || finding->kind == PKS_NEED_IMPORT;
  bool unknown = finding->state == PKS_STATE_UNKNOWN && finding->reason != PKS_REASON_WHEN_RUN;
  if (!unknown) {
    put_target(t, c);
    put(t, finding->state == PKS_STATE_MET ? " has " : " has no ");
  }
  put(t, module ? "module '" : "'");
  if (module)
    put_span(t, r->module);
  else
    put_name(t, r);
  put(t, "'");
  if (unknown) {
    put(t, " may be missing on ");
    put_target(t, c);
  }
  put(t, ": ");
  put(t, pks_match_why_text((pks_match_why)finding->why));
}

static void why_layout(text *t, const pks_check *c, const pks_requirement *r, bool open) {
  int64_t magic = c->target->facts.magic;
  int version = magic < 0 || magic > UINT16_MAX ? -1 : pks_code_version_of_magic((uint16_t)magic);
  if (r->number)
    put_count(t, "marshal wrote code objects of ", r->number, " fields; ");
  else
    put(t, "how marshal wrote its code objects is not known; ");
  put_target(t, c);
  if (version < 0 || open)
    put(t, version < 0 ? " reads what is not known" : " may read something else");
  else
    put_count(t, " reads ", pks_code_version_shape((unsigned)version), "");
}

static void put_magic(text *t, const pks_check *c) {
  if (c->target->facts.magic < 0)
    put(t, "not known");
  else
    put_number(t, (uint64_t)c->target->facts.magic);
}

/* "a .pyc with magic 3495 (CPython 3.11); the target imports magic 3531" */
static void why_pyc(text *t, const pks_check *c) {
  const pks_code_pyc *pyc = &c->inspector->file.pyc;
  put_count(t, "a .pyc with magic ", pyc->magic, "");
  if (pyc->version >= 0) {
    put(t, " (");
    put_python(t, (unsigned)pyc->version);
    put(t, ")");
  }
  put(t, "; the target imports magic ");
  put_magic(t, c);
}

static void why_magic(text *t, const pks_check *c, bool open) {
  const pks_code_record *code = code_at_fault(c);
  put(t, "code object '");
  put_span(t, code->name);
  put(t, "' holds ");
  if (code->set)
    put_versions(t, code->set);
  else
    put(t, "no");
  put(t, code->set ? " bytecode" : " bytecode that can be told");
  put(t, open ? ", which cannot be told apart from what the target runs, magic "
              : "; the target runs magic ");
  put_magic(t, c);
}

static const char *library_name(pks_serializer library) {
  return library == PKS_SERIALIZER_DILL ? "dill" : "cloudpickle";
}

static void why_use(text *t, const pks_check *c, const pks_requirement *r) {
  put_target(t, c);
  if (r->use == PKS_USE_VALUE) {
    put(t, "'s ");
    put_name(t, r);
    put(t, " has no member ");
    put_span(t, r->helper);
  } else if (r->use == PKS_USE_SLOT) {
    put(t, "'s ");
    put_name(t, r);
    put(t,
        pks_match_use(c->target, r) == PKS_STATE_UNKNOWN ? " may have no slot " : " has no slot ");
    put_span(t, r->helper);
  } else if (r->use == PKS_USE_ARITY) {
    put(t, "'s ");
    put_name(t, r);
    put(t, " takes another number of arguments");
  } else if (r->use == PKS_USE_LACK) {
    const char *key = pks_facts_lack(r->number)->key;
    put(t, "'s ");
    put_name(t, r);
    put(t, *key ? " has an attribute that the state does not give: " : " knows fewer keys");
    put(t, key);
  } else if (r->use == PKS_USE_FORM) {
    put(t, "'s ");
    put_name(t, r);
    put(t, r->phase == PKS_PHASE_RUN
               ? " loads from arguments and a state of these kinds, but is then not what it was"
           : pks_match_use(c->target, r) == PKS_STATE_UNKNOWN
               ? " takes a state of this kind, but may lack attributes that the version has"
               : " does not take arguments or a state of these kinds");
  } else {
    put(t, " has ");
    put_name(t, r);
    put(t, " as an old-style class, of which no object is made by __new__");
  }
}

/* "cloudpickle 1.6.0's _make_dict_keys takes 1 argument; the payload gives 2" */
static void why_helper(text *t, const pks_check *c, const pks_requirement *r) {
  pks_match_helper helper;
  (void)pks_match_has_helper(c->target, r->module, r->name, &helper);
  put(t, library_name(helper.library));
  put(t, " ");
  put(t, helper.version ? helper.version : "");
  put(t, "'s ");
  put_span(t, r->name);
  if (helper.least > helper.most) {
    put(t, " takes no number of arguments");
  } else {
    put_count(t, " takes ", helper.least, "");
    if (helper.most != helper.least) put_count(t, " to ", helper.most, "");
    put(t, helper.most == 1 ? " argument" : " arguments");
  }
  put_count(t, "; the payload gives ", r->number - 1, "");
}

/* "scikit-learn 1.3 and later want ...; cpython-3.11 has scikit-learn 1.3.2" */
static void why_rule(text *t, const pks_check *c, const pks_requirement *r) {
  pks_ruling ruling = pks_match_rule(c->target, r);
  put(t, ruling.why);
  if (!ruling.distribution) return;
  pks_span version = pks_match_distribution(c->target, pks_match_span(ruling.distribution));
  put(t, "; ");
  put_target(t, c);
  put(t, version.size ? " has " : " says no version of ");
  put(t, ruling.distribution);
  if (version.size) put(t, " ");
  put_span(t, version);
}

static void explain_why(text *t, const pks_check *c, const pks_requirement *r,
                        const pks_finding *finding) {
  switch ((pks_reason)finding->reason) {
    case PKS_REASON_NONE: put(t, "the target has it"); break;
    case PKS_REASON_NO_TARGET: put(t, "nothing is known of the target"); break;
    case PKS_REASON_PROTOCOL:
      put_count(t, "the payload is written in protocol ", r->number, "; ");
      put_target(t, c);
      put_count(t, " reads up to ", (uint64_t)c->target->facts.max_protocol, "");
      break;
    case PKS_REASON_MICRO:
      put(t, "whether ");
      put_target(t, c);
      put(t, " stops there depends on the third number of its version: ");
      put(t, r->kind == PKS_NEED_FRAME
                 ? "from 3.13.15 and 3.14.7 on no argument may cross the end of its frame"
                 : "late ones read integers of at most 4300 digits");
      break;
    case PKS_REASON_OTHER_READER:
      put(t, "whether the unpickler of ");
      put_target(t, c);
      put(t, " reads this as CPython's does is not known");
      break;
    case PKS_REASON_READ:
      put_target(t, c);
      put(t, " stops there: ");
      put(t, pks_decode_fails[c->inspector->machine.fail].text);
      break;
    case PKS_REASON_NAME:
      if (finding->kind == PKS_NEED_EXTENSION) {
        put_count(t, "extension code ", r->number, ": ");
        put(t, pks_match_why_text((pks_match_why)finding->why));
      } else {
        why_name(t, c, r, finding);
      }
      break;
    case PKS_REASON_HELPER: why_helper(t, c, r); break;
    case PKS_REASON_COMPUTED: put(t, "what is looked up is computed while loading"); break;
    case PKS_REASON_ARGUMENTS:
      put_count(t, "the payload makes code objects of ", r->number, " arguments; ");
      put_target(t, c);
      put_count(t, " takes ", (uint64_t)c->target->facts.code_args, "");
      break;
    case PKS_REASON_DILL_CODE:
      put_count(t, "the payload makes code objects of ", r->number,
                " arguments by dill's _create_code; the one of ");
      put_target(t, c);
      put(t, " makes none of so many");
      break;
    case PKS_REASON_LAYOUT: why_layout(t, c, r, false); break;
    case PKS_REASON_LAYOUT_OPEN: why_layout(t, c, r, true); break;
    case PKS_REASON_PYC: why_pyc(t, c); break;
    case PKS_REASON_BROKEN_CALL:
      put(t, "its writer left out arguments; no Python makes a code object of these");
      break;
    case PKS_REASON_REFUSED:
      put(t,
          "a number among its arguments is out of range; no CPython makes a code object of these");
      break;
    case PKS_REASON_NO_PERSID: put(t, "the loader has no persistent_load"); break;
    case PKS_REASON_OPEN_PERSID:
      put(t, "nobody said whether the loader has a persistent_load");
      break;
    case PKS_REASON_NO_BUFFERS: put(t, "the loader is given no buffers"); break;
    case PKS_REASON_FEW_BUFFERS:
      put_count(t, "the payload takes ", r->number, " out-of-band buffers and fewer are given");
      break;
    case PKS_REASON_OPEN_BUFFERS:
      put(t, "nobody said how many out-of-band buffers come with the payload");
      break;
    case PKS_REASON_ENCODING:
      put(t, "a Python 2 string holds bytes that the loader's encoding, ASCII, does not decode");
      break;
    case PKS_REASON_ENCODING_GIVEN:
      put(t, "a Python 2 string does not decode with the loader's encoding");
      break;
    case PKS_REASON_LOADER: put(t, "only dill's own load answers this name"); break;
    case PKS_REASON_ALLOWED:
      put(t, "the loader looks up a list of names only, and ");
      put_name(t, r);
      put(t, r->certain ? " is not in it" : "what it is asked for is computed while loading");
      break;
    case PKS_REASON_USE: why_use(t, c, r); break;
    case PKS_REASON_RULE: why_rule(t, c, r); break;
    case PKS_REASON_MAGIC: why_magic(t, c, false); break;
    case PKS_REASON_MAGIC_OPEN: why_magic(t, c, true); break;
    case PKS_REASON_WHEN_RUN:
      put(t, "code in it imports the module, perhaps guarded; ");
      why_name(t, c, r, finding);
      break;
  }
}

/* ---- hint ------------------------------------------------------------------------------------------- */

static void hint_versions(text *t, pks_span module, pks_span name) {
  unsigned first, last;
  if (!pks_match_span_of(module, name, &first, &last)) return;
  put(t, pks_match_version_name(first));
  if (first != last) {
    put(t, " to ");
    put(t, pks_match_version_name(last));
  }
  put(t, first == last ? " has it" : " have it");
}

/* What would make it known. */
static void hint_unknown(text *t, const pks_check *c, const pks_requirement *r, pks_span provider) {
  bool here = provider.size && pks_match_distribution(c->target, provider).size;
  bool ours = pks_match_stdlib_find(r->module) != PKS_STDLIB_NONE;
  if (!here && !ours) {
    put(t, "say it with --with ");
    provider.size ? put_span(t, provider) : put(t, "NAME");
    put(t, "==VERSION, or ");
  }
  put(t, "check against a captured fingerprint");
}

/* "install numpy 1.26.0 or newer", "install pandas before 2.0" */
static void hint_releases(text *t, const pks_match_releases *releases) {
  put(t, "install ");
  put(t, releases->distribution);
  if (*releases->since) put(t, " ");
  put(t, releases->since);
  if (*releases->since) put(t, *releases->before ? " up to before " : " or newer");
  if (!*releases->since) put(t, " before ");
  put(t, releases->before);
}

/* A missing name of a library, from `provider` when that is known. */
static void hint_install(text *t, const pks_check *c, const pks_requirement *r, pks_span provider,
                         pks_span name) {
  pks_match_releases releases;
  pks_span here = provider.size ? pks_match_distribution(c->target, provider) : (pks_span){NULL, 0};
  if (here.size && pks_match_releases_of(r->module, name, &releases)) {
    hint_releases(t, &releases);
  } else if (here.size) {
    put(t, "install another version of ");
    put_span(t, provider);
    put(t, " than ");
    put_span(t, here);
  } else if (pks_match_stdlib_find(r->module) != PKS_STDLIB_NONE) {
    return;
  } else if (provider.size) {
    put(t, "install ");
    put_span(t, provider);
  } else {
    put(t, "install what brings ");
    put_span(t, r->module);
    put(t, ", or pickle it by value: cloudpickle.register_pickle_by_value(");
    put_span(t, r->module);
    put(t, ")");
  }
}

/* A name that is not there, or may not be. */
static void hint_name(text *t, const pks_check *c, const pks_requirement *r,
                      const pks_finding *finding) {
  pks_span none = {NULL, 0};
  bool module = finding->kind == PKS_NEED_MODULE || finding->kind == PKS_NEED_IMPORT;
  if (finding->kind == PKS_NEED_MAIN) {
    put(t, "define it in the main script, or pickle it by value (cloudpickle)");
    return;
  }
  if (finding->kind == PKS_NEED_EXTENSION) {
    put(t, "register it with copyreg.add_extension before loading");
    return;
  }
  if (finding->why == PKS_WHY_LINE_END) {
    put(t, "copy the file as bytes, without changing its line ends");
    return;
  }
  pks_span other = pks_match_moved(c->target, r->module, r->name);
  if (other.size) {
    pks_match_releases releases;
    put(t, "on this target the name lives in module ");
    put_span(t, other);
    if (pks_match_stdlib_find(r->module) != PKS_STDLIB_NONE ||
        !pks_match_releases_of(r->module, module ? none : r->name, &releases))
      return;
    put(t, "; ");
    hint_releases(t, &releases);
    return;
  }
  hint_versions(t, r->module, module ? none : r->name);
  if (t->size) return;
  other = pks_match_provider(r->module);
  if (finding->state == PKS_STATE_UNKNOWN && finding->reason == PKS_REASON_NAME) {
    hint_unknown(t, c, r, other);
    return;
  }
  hint_install(t, c, r, other, module ? none : r->name);
}

static void hint_rule(text *t, const pks_check *c, const pks_requirement *r) {
  pks_ruling ruling = pks_match_rule(c->target, r);
  if (ruling.open) {
    put(t, "say it with --with ");
    put(t, ruling.distribution);
    put(t, "==VERSION, or check against a captured fingerprint");
  } else if (ruling.hint) {
    put(t, ruling.hint);
  }
}

static void hint_helper(text *t, const pks_check *c, const pks_requirement *r) {
  pks_match_helper helper;
  (void)pks_match_has_helper(c->target, r->module, r->name, &helper);
  put(t, "install the version of ");
  put(t, library_name(helper.library));
  put(t, " that wrote it, or a newer one");
}

static void hint_magic(text *t, const pks_check *c) {
  const pks_inspector *f = c->inspector;
  pks_code_set set = f->codes.count ? joint_set(c) : 0;
  const char *again = f->file.format ? "compile its source under " : "pickle it again under ";
  if (set) {
    put(t, "run it on ");
    put_versions(t, set);
    put(t, ", or ");
  }
  put(t, again);
  put_target(t, c);
}

static void explain_hint(text *t, const pks_check *c, const pks_requirement *r,
                         const pks_finding *finding) {
  if (finding->state == PKS_STATE_MET || !c->target) return;
  switch ((pks_reason)finding->reason) {
    case PKS_REASON_PROTOCOL:
      put_count(t, "pickle it with protocol ", (uint64_t)c->target->facts.max_protocol, "");
      break;
    case PKS_REASON_NAME:
    case PKS_REASON_WHEN_RUN: hint_name(t, c, r, finding); break;
    case PKS_REASON_HELPER: hint_helper(t, c, r); break;
    case PKS_REASON_LAYOUT:
    case PKS_REASON_LAYOUT_OPEN:
    case PKS_REASON_PYC:
    case PKS_REASON_ARGUMENTS:
    case PKS_REASON_DILL_CODE: hint_magic(t, c); break;
    case PKS_REASON_BROKEN_CALL: put(t, "pickle it again with a newer cloudpickle"); break;
    case PKS_REASON_NO_PERSID:
    case PKS_REASON_OPEN_PERSID:
      put(t, "load it with a persistent_load (--persistent-load)");
      break;
    case PKS_REASON_NO_BUFFERS:
    case PKS_REASON_FEW_BUFFERS:
    case PKS_REASON_OPEN_BUFFERS: put_count(t, "give buffers (--buffers ", r->number, ")"); break;
    case PKS_REASON_ENCODING:
    case PKS_REASON_ENCODING_GIVEN:
      put(t, "load it with encoding='latin1' (--encoding latin1)");
      break;
    case PKS_REASON_LOADER: put(t, "load it with dill (--loader dill)"); break;
    case PKS_REASON_ALLOWED: put(t, "add the name to what the loader allows"); break;
    case PKS_REASON_RULE: hint_rule(t, c, r); break;
    case PKS_REASON_MAGIC:
    case PKS_REASON_MAGIC_OPEN: hint_magic(t, c); break;
    case PKS_REASON_MICRO: put(t, "name all three numbers of the target"); break;
    case PKS_REASON_NONE:
    case PKS_REASON_USE:
    case PKS_REASON_NO_TARGET:
    case PKS_REASON_OTHER_READER:
    case PKS_REASON_REFUSED:
    case PKS_REASON_READ:
    case PKS_REASON_COMPUTED: break;
  }
}

void pks_match_explain(pks_check *c, size_t index, pks_need *out) {
  const pks_finding *finding = &PKS_VEC_AT(&c->findings, pks_finding, index);
  const pks_requirement *r = &PKS_VEC_AT(&c->requirements, pks_requirement, finding->requirement);
  text what = {c->what, 0, sizeof c->what}, why = {c->why, 0, sizeof c->why},
       hint = {c->hint, 0, sizeof c->hint};
  c->what[0] = c->why[0] = c->hint[0] = 0;
  explain_what(&what, c, r, (pks_need_kind)finding->kind);
  explain_why(&why, c, r, finding);
  explain_hint(&hint, c, r, finding);
  *out = (pks_need){.kind = (pks_need_kind)finding->kind,
                    .phase = (pks_phase)r->phase,
                    .state = (pks_state)finding->state,
                    .offset = r->offset,
                    .what = c->what,
                    .why = c->why,
                    .hint = hint.size ? c->hint : NULL};
  if (finding->kind == PKS_NEED_BYTECODE && !is_pyc(c)) out->offset = code_at_fault(c)->offset;
}
