/* match/check.c - each requirement against the target, then the verdict.
 *
 * Three-valued: a need fails only on positive evidence; what a target does not say is unknown, never
 * missing. */
#include "match/build.h"
#include "match/check.h"

typedef struct answer {
  uint8_t kind, state, reason, why; /* pks_need_kind, pks_state, pks_reason, pks_match_why */
  uint8_t least, most;              /* of a serializer's helper: how many arguments it takes */
} answer;

static answer unmet(unsigned kind, pks_state state, pks_reason reason) {
  return (answer){(uint8_t)kind, (uint8_t)state, (uint8_t)reason, PKS_WHY_NOTHING, 0, UINT8_MAX};
}
static answer met(unsigned kind) { return unmet(kind, PKS_STATE_MET, PKS_REASON_NONE); }
static answer named(unsigned kind, pks_match_answer said) {
  pks_state state = said.value == PKS_ANSWER_YES  ? PKS_STATE_MET
                    : said.value == PKS_ANSWER_NO ? PKS_STATE_MISSING
                                                  : PKS_STATE_UNKNOWN;
  return (answer){(uint8_t)kind, (uint8_t)state, PKS_REASON_NAME, (uint8_t)said.why, 0, UINT8_MAX};
}

/* ---- names ---------------------------------------------------------------------------------------- */

static answer ask_attribute(const pks_match_target *t, const pks_requirement *r) {
  if (!r->certain) return unmet(r->kind, PKS_STATE_UNKNOWN, PKS_REASON_COMPUTED);
  pks_match_answer said = pks_match_has_attribute(t, r->module, r->name, r->dotted);
  answer a = named(said.attribute || r->kind == PKS_NEED_MAIN ? r->kind : PKS_NEED_MODULE, said);
  pks_match_helper helper;
  if (said.value == PKS_ANSWER_YES &&
      pks_match_has_helper(t, r->module, r->name, &helper).value == PKS_ANSWER_YES &&
      helper.signature && helper.most != PKS_ARGUMENTS_ANY) {
    a.least = helper.least;
    a.most = helper.most;
  }
  return a;
}

/* A helper that is there, but takes another number of arguments than the payload gives it. */
static answer fit(answer a, const pks_requirement *r) {
  if (a.state != PKS_STATE_MET || r->number == 0) return a;
  if (r->number - 1 >= a.least && r->number - 1 <= a.most) return a;
  return unmet(PKS_NEED_HELPER, PKS_STATE_DIFFERENT, PKS_REASON_HELPER);
}

/* ---- names that were asked for before ---- */

/* 0: it is not kept. */
static inline uint64_t said_key(const pks_check *c, const pks_requirement *r) {
  size_t module = r->module.size, name = r->name.size;
  if (module - 1 >= PKS_SAID_TEXT || name - 1 >= PKS_SAID_TEXT - module) return 0;
  return (uint64_t)c->age << 32 | module << 16 | name << 1 | r->dotted;
}

/* Where it is, or could be: here or in the neighbour. */
static inline size_t said_place(const pks_requirement *r) {
  return (size_t)(r->named->hash ^ r->named->hash >> 32) % PKS_SAID;
}

static inline bool is_said(const pks_said *said, uint64_t key, const pks_requirement *r) {
  const uint8_t *after = r->module.data + r->module.size; /* where the name mostly is */
  if (said->key != key) return false;
  if (after == r->name.data)
    return memcmp(said->text, r->module.data, r->module.size + r->name.size) == 0;
  return memcmp(said->text, r->module.data, r->module.size) == 0 &&
         memcmp(said->text + r->module.size, r->name.data, r->name.size) == 0;
}

static void note(pks_said *said, uint64_t key, const pks_requirement *r, answer a) {
  *said = (pks_said){.key = key,
                     .state = a.state,
                     .reason = a.reason,
                     .why = a.why,
                     .kind = a.kind,
                     .least = a.least,
                     .most = a.most};
  memcpy(said->text, r->module.data, r->module.size);
  memcpy(said->text + r->module.size, r->name.data, r->name.size);
}

static answer ask_again(pks_check *c, const pks_requirement *r) {
  uint64_t key = said_key(c, r);
  if (!r->certain || !key) return ask_attribute(c->target, r);
  size_t at = said_place(r);
  for (size_t i = 0; i < 2; i++) {
    const pks_said *said = &c->said[at ^ i];
    if (is_said(said, key, r))
      return (answer){said->kind, said->state, said->reason, said->why, said->least, said->most};
  }
  answer a = ask_attribute(c->target, r);
  note(&c->said[at ^ (c->said[at].key >> 32 == c->age)], key, r, a);
  return a;
}

/* Most names: asked for before, there, and taking what it gets here. Nothing else is to be asked of it. */
static inline const pks_said *met_again(const pks_check *c, const pks_requirement *r) {
  if (!r->plain) return NULL;
  uint64_t key = said_key(c, r), arguments = r->number - 1;
  size_t at = said_place(r);
  const pks_said *said = &c->said[c->said[at].key == key ? at : at ^ 1];
  if (!key || said->state != PKS_STATE_MET || !is_said(said, key, r)) return NULL;
  return r->number == 0 || (arguments >= said->least && arguments <= said->most) ? said : NULL;
}

/* Another target, or one that was changed: what was said is no longer true. */
static void note_target(pks_check *c) {
  if (!c->target || memcmp(c->asked, c->target->id, sizeof c->asked) == 0) return;
  memcpy(c->asked, c->target->id, sizeof c->asked);
  if (++c->age > 0) return;
  memset(c->said, 0, sizeof c->said);
  c->age = 1;
}

/* Python 3 looks for a name of Python 2 where it has it now, unless it was told not to. */
static void spell(pks_requirement *r) {
  if (!r->named) return;
  r->module = (pks_span){r->named->text, r->named->module_size};
  r->name = (pks_span){r->named->text + r->named->module_size, r->named->name_size};
}

/* "a.b" for a helper that tries both: module b of package a, and what a calls b. */
static answer ask_dotted(const pks_match_target *t, const pks_requirement *r) {
  size_t dot = r->module.size;
  while (dot > 0 && r->module.data[dot - 1] != '.') dot--;
  pks_match_answer whole = pks_match_has_module(t, r->module);
  if (whole.value == PKS_ANSWER_YES || dot < 2) return named(r->kind, whole);
  pks_span module = {r->module.data, dot - 1};
  pks_span name = {r->module.data + dot, r->module.size - dot};
  pks_match_answer part = pks_match_has_attribute(t, module, name, false);
  if (part.value != PKS_ANSWER_NO || whole.value != PKS_ANSWER_NO)
    return named(r->kind,
                 part.value == PKS_ANSWER_YES || whole.value == PKS_ANSWER_NO ? part : whole);
  return named(part.attribute ? PKS_NEED_ATTRIBUTE : r->kind, part.attribute ? part : whole);
}

static answer ask_module(const pks_match_target *t, const pks_requirement *r) {
  return r->dotted ? ask_dotted(t, r) : named(r->kind, pks_match_has_module(t, r->module));
}

/* A trait: what rules.c says. A library whose version is not known is named where its names are asked for. */
static answer ask_trait(const pks_match_target *t, const pks_requirement *r) {
  return unmet(r->kind, pks_match_rule(t, r).state, PKS_REASON_RULE);
}

/* Cython puts a module into sys.modules under the name that it was compiled under, which for some is not where
 * its file lies (__Pyx_InitGlobals: PyDict_SetItemString(modules, "_loss", m)). Then its classes say that name,
 * and it can be imported once another module of its distribution has been. */
static bool is_bare(const pks_match_target *t, const pks_requirement *r) {
  return t->facts.distributions.count > 0 && r->module.size > 1 && r->module.data[0] == '_' &&
         r->module.data[1] != '_' && !memchr(r->module.data, '.', r->module.size) &&
         pks_match_stdlib_find(r->module) == PKS_STDLIB_NONE;
}

/* Beside the name itself: may the loader look it up; is it one that a helper looks up in its own way? */
static answer ask_lookup(pks_check *c, const pks_requirement *r) {
  const pks_match_target *t = c->target;
  bool argument = r->named && r->named->flags & PKS_NAME_ARGUMENT;
  if (!argument && t->facts.has_allowed &&
      (!r->certain || pks_match_allows(t, r->module, r->name) == PKS_ANSWER_NO))
    return unmet(PKS_NEED_LOADER, r->certain ? PKS_STATE_MISSING : PKS_STATE_UNKNOWN,
                 PKS_REASON_ALLOWED);
  if (r->helper.size >= 4 && memcmp(r->helper.data, "dill", 4) == 0)
    return named(r->kind,
                 pks_match_has_type(t, r->helper, r->name)); /* it has a table of its own */
  answer a = ask_again(c, r);
  if (a.kind == PKS_NEED_MODULE && a.state == PKS_STATE_MISSING && is_bare(t, r))
    return named(a.kind, (pks_match_answer){.value = PKS_ANSWER_UNKNOWN, .why = PKS_WHY_BARE_NAME});
  if (r->straight && a.state == PKS_STATE_UNKNOWN) return met(r->kind);
  if (r->helper.size == 0 || a.state == PKS_STATE_MET) return a;
  return named(r->kind, pks_match_has_type(t, r->helper, r->name));
}

/* An ordinary function may guard an import, so a missing module fails a run only on the straight way;
 * else it is said, and the run is unsure. What is not known of a module that only a run may import
 * leaves the run open in the same way. */
static answer ask_import(const pks_match_target *t, const pks_requirement *r) {
  answer a = ask_module(t, r);
  if (a.state != PKS_STATE_MISSING || r->straight) return a;
  a.state = PKS_STATE_UNKNOWN;
  a.reason = PKS_REASON_WHEN_RUN;
  return a;
}

/* ---- the reader's side ----------------------------------------------------------------------------- */

static answer ask_persid(const pks_check *c, const pks_requirement *r) {
  pks_answer said = c->inspector->options.persistent_load;
  if (said == PKS_ANSWER_UNKNOWN) said = c->target->facts.persistent_load;
  if (said == PKS_ANSWER_YES) return met(r->kind);
  if (said == PKS_ANSWER_NO) return unmet(r->kind, PKS_STATE_MISSING, PKS_REASON_NO_PERSID);
  return unmet(r->kind, PKS_STATE_UNKNOWN, PKS_REASON_OPEN_PERSID);
}

static answer ask_buffers(const pks_check *c, const pks_requirement *r) {
  int64_t said = c->inspector->options.buffers;
  pks_fail fail = c->inspector->machine.fail;
  if (said == PKS_BUFFERS_UNKNOWN) said = c->buffers;
  if (said == PKS_BUFFERS_UNKNOWN && c->target->facts.buffers == PKS_ANSWER_NO)
    said = PKS_BUFFERS_NONE;
  if (said == PKS_BUFFERS_NONE || fail == PKS_FAIL_NO_BUFFERS)
    return unmet(r->kind, PKS_STATE_MISSING, PKS_REASON_NO_BUFFERS);
  if (said == PKS_BUFFERS_UNKNOWN)
    return unmet(r->kind, PKS_STATE_UNKNOWN, PKS_REASON_OPEN_BUFFERS);
  if ((uint64_t)said < r->number) return unmet(r->kind, PKS_STATE_MISSING, PKS_REASON_FEW_BUFFERS);
  return met(r->kind);
}

static answer ask_extension(const pks_check *c, const pks_requirement *r) {
  pks_span module, name;
  pks_match_answer said = pks_match_has_extension(c->target, (uint32_t)r->number, &module, &name);
  if (said.value != PKS_ANSWER_NO && c->inspector->machine.fail == PKS_FAIL_EXT_UNKNOWN &&
      c->inspector->machine.fail_offset == r->offset)
    said = (pks_match_answer){.value = PKS_ANSWER_NO, .why = PKS_WHY_NO_EXTENSION};
  return named(r->kind, said);
}

/* Python 2 reads its own strings; else ASCII, the default, fails on any byte >= 0x80. Another encoding
 * has been tried by the inspector, when it was told of it: it stops where that fails. */
static answer ask_encoding(const pks_check *c, const pks_requirement *r) {
  const pks_options *options = &c->inspector->options;
  pks_fail fail = c->inspector->machine.fail;
  pks_strings strings;
  if (fail == PKS_FAIL_ENCODING || fail == PKS_FAIL_ENCODING_NAME)
    return unmet(r->kind, PKS_STATE_DIFFERENT,
                 options->encoding ? PKS_REASON_ENCODING_GIVEN : PKS_REASON_ENCODING);
  if (c->target->facts.python < PKS_PYTHON(3, 0, 0)) return met(r->kind);
  const char *encoding = options->encoding ? options->encoding : c->target->facts.encoding;
  const char *errors = options->errors ? options->errors : c->target->facts.errors;
  pks_decode_strings(&strings, encoding ? encoding : "ASCII", errors);
  if (strings.encoding == PKS_ENCODING_ASCII && strings.errors == PKS_HANDLER_STRICT)
    return unmet(r->kind, PKS_STATE_DIFFERENT, PKS_REASON_ENCODING);
  return met(r->kind);
}

/* ---- code ------------------------------------------------------------------------------------------- */

/* marshal.loads takes the fields of a code object as its own Python writes them, and says "bad marshal
 * data" to others. */
static answer ask_layout(const pks_check *c, const pks_requirement *r) {
  pks_code_set mine = c->target->facts.code;
  if (!mine || r->number == 0) return unmet(r->kind, PKS_STATE_UNKNOWN, PKS_REASON_LAYOUT_OPEN);
  if (r->number == pks_code_version_shape(pks_code_set_first(mine))) return met(r->kind);
  return unmet(r->kind, PKS_STATE_DIFFERENT, PKS_REASON_LAYOUT);
}

static bool is_cpython(const pks_check *c) {
  pks_span name = c->target->facts.implementation;
  return name.size == 7 && memcmp(name.data, "cpython", 7) == 0;
}

/* dill._dill._create_code by version: what of `count` arguments it makes of is what the target's constructor
 * takes. From 0.3.6 on the first one may be a table of lines. The names that Python 3 writes are unicode to
 * Python 2, whose constructor wants str. */
static bool dill_makes(const pks_match_target *t, const char *version, uint64_t count) {
  pks_span own = {(const uint8_t *)version, strlen(version)};
  pks_span adapting = {(const uint8_t *)"0.3.6", 5}, early = {(const uint8_t *)"0.3.5", 5};
  if (pks_match_version_order(own, adapting) >= 0) return count >= 15 && count <= 20;
  if (t->facts.python >= PKS_PYTHON(3, 11, 0)) return false;
  return (count >= 14 && count <= 16) || (count == 20 && pks_match_version_order(own, early) >= 0);
}

static answer ask_dill_code(const pks_check *c, const pks_requirement *r) {
  pks_match_helper helper;
  pks_match_answer said = pks_match_has_helper(c->target, r->module, r->name, &helper);
  bool python2 = c->target->facts.python < PKS_PYTHON(3, 0, 0);
  if (!r->certain) return met(r->kind);
  if ((python2 && r->number != 14) ||
      (said.value == PKS_ANSWER_YES && !dill_makes(c->target, helper.version, r->number)))
    return unmet(r->kind, PKS_STATE_DIFFERENT, PKS_REASON_DILL_CODE);
  return met(r->kind);
}

/* Was the payload read as the target does? A PyPy that was not asked reads otherwise. */
static bool is_read_as_target(const pks_check *c) {
  return is_cpython(c) || c->inspector->machine.rules & PKS_RULE_PYPY;
}

static answer ask_constructor(const pks_check *c, const pks_requirement *r) {
  if (r->use) return unmet(r->kind, pks_match_use(c->target, r), PKS_REASON_USE);
  if (r->helper.size) return ask_dill_code(c, r);
  const pks_code_record *code = &PKS_VEC_AT(&c->inspector->codes, pks_code_record, r->index);
  if (pks_needs_is_marshalled(code)) return ask_layout(c, r);
  if (code->broken_call) return unmet(r->kind, PKS_STATE_DIFFERENT, PKS_REASON_BROKEN_CALL);
  if (code->refused && is_cpython(c))
    return unmet(r->kind, PKS_STATE_DIFFERENT, PKS_REASON_REFUSED);
  if (!r->certain) return unmet(r->kind, PKS_STATE_UNKNOWN, PKS_REASON_COMPUTED);
  /* PyPy's own constructor is a name of its own: _pickle_support is there or not */
  if (code->flags & PKS_CODE_PYPY) return met(r->kind);
  if (c->target->facts.code_args < 0)
    return unmet(r->kind, PKS_STATE_UNKNOWN, PKS_REASON_ARGUMENTS);
  if (r->number == (uint64_t)c->target->facts.code_args) return met(r->kind);
  return unmet(r->kind, PKS_STATE_DIFFERENT, PKS_REASON_ARGUMENTS);
}

/* The number itself is compared: what a beta wrote is not taken by the release. */
static answer ask_pyc(const pks_check *c, const pks_requirement *r) {
  int64_t magic = c->target->facts.magic;
  if (magic < 0) return unmet(r->kind, PKS_STATE_UNKNOWN, PKS_REASON_PYC);
  if (magic == c->inspector->file.pyc.magic) return met(r->kind);
  return unmet(r->kind, PKS_STATE_DIFFERENT, PKS_REASON_PYC);
}

/* CPython had no word code before 3.6: what reads as code of a later version is not its own. */
static bool is_before_word_code(const pks_match_target *t) {
  pks_span cpython = {(const uint8_t *)"cpython", 7};
  return t->facts.python >= PKS_PYTHON(3, 0, 0) && t->facts.python < PKS_PYTHON(3, 6, 0) &&
         pks_match_span_order(t->facts.implementation, cpython) == 0;
}

/* PyPy's bytecode is CPython's but for some numbers: where both read a code object alike, it does not matter
 * which of them made it, and what CPython cannot have made is PyPy's. */
static bool pypy_runs(const pks_inspector *f, pks_code_set mine) {
  for (size_t i = 0; i < f->codes.count; i++) {
    const pks_code_record *code = &PKS_VEC_AT(&f->codes, pks_code_record, i);
    if (!(code->pypy & mine) || code->pypy_differs || code->bytecode.data == NULL) return false;
  }
  return true;
}

static answer ask_bytecode(const pks_check *c, const pks_requirement *r) {
  const pks_inspector *f = c->inspector;
  pks_code_set mine = c->target->facts.code;
  pks_code_joint joint;
  bool open = false;
  if (f->file.format == PKS_PAYLOAD_PYC) return ask_pyc(c, r);
  pks_code_join_get(&f->join, &joint);
  if (!mine && !joint.mixed && joint.set && is_before_word_code(c->target))
    return unmet(r->kind, PKS_STATE_DIFFERENT, PKS_REASON_MAGIC);
  if (!mine) return unmet(r->kind, PKS_STATE_UNKNOWN, PKS_REASON_MAGIC_OPEN);
  for (size_t i = 0; i < f->codes.count; i++) {
    const pks_code_record *code = &PKS_VEC_AT(&f->codes, pks_code_record, i);
    pks_code_set may = code->set | code->pypy;
    if (may == 0)
      open = true;
    else if (!(may & mine))
      return unmet(r->kind, PKS_STATE_DIFFERENT, PKS_REASON_MAGIC);
  }
  if (!joint.mixed && joint.set && !((joint.set | joint.pypy) & mine))
    return unmet(r->kind, PKS_STATE_DIFFERENT, PKS_REASON_MAGIC);
  if (!open && joint.pypy & mine && pypy_runs(f, mine)) return met(r->kind);
  bool agreed = joint.kind == PKS_CODE_EXACT || joint.kind == PKS_CODE_EQUIVALENT;
  if (open || joint.mixed || !agreed || !(joint.set & mine))
    return unmet(r->kind, PKS_STATE_UNKNOWN, PKS_REASON_MAGIC_OPEN);
  return met(r->kind);
}

/* ---- how the target's unpickler reads ------------------------------------------------------------------- */

/* Another unpickler than the C one, such as PyPy's Lib/pickle.py when the payload was not read as that does,
 * reads some of what this one refuses; and the other way round. */
static bool other_may_go_on(pks_fail fail) {
  static const uint8_t fails[] = {
      PKS_FAIL_INT_DIGITS,    PKS_FAIL_INDEX_RANGE, PKS_FAIL_INDEX_MEMORY, PKS_FAIL_FLOAT_TEXT,
      PKS_FAIL_FLOAT_RANGE,   PKS_FAIL_EMPTY_LINE,  PKS_FAIL_FRAME_SHORT,  PKS_FAIL_FRAME_SIZE,
      PKS_FAIL_READ_OVERFLOW, PKS_FAIL_STATE_DICT,  PKS_FAIL_SLOTS_DICT,   PKS_FAIL_NO_DICT,
      PKS_FAIL_SLOT_NAME,     PKS_FAIL_ARGS_TUPLE,  PKS_FAIL_NEW_ARGS,     PKS_FAIL_NEW_CLASS,
      PKS_FAIL_NEW_KWARGS,    PKS_FAIL_EXPORTED,    PKS_FAIL_UNHASHABLE};
  return memchr(fails, (int)fail, sizeof fails) != NULL;
}

/* It stops, but whether the target does is not known: another implementation, or a limit of digits that came
 * within a version whose third number nobody said. */
static bool stop_is_open(const pks_check *c) {
  const pks_inspector *f = c->inspector;
  pks_fail fail = f->machine.fail;
  if (fail == PKS_FAIL_INT_DIGITS && pks_decode_open_rules(f->options.python) & PKS_RULE_DIGITS)
    return true;
  return c->target && !is_read_as_target(c) && other_may_go_on(fail);
}

static answer ask_reader(const pks_check *c, const pks_requirement *r) {
  const pks_inspector *f = c->inspector;
  bool strict = pks_decode_open_rules(f->options.python) & PKS_RULE_FRAMES; /* late ones are */
  if (r->certain && !stop_is_open(c)) return unmet(r->kind, PKS_STATE_DIFFERENT, PKS_REASON_READ);
  if (!is_read_as_target(c)) return unmet(r->kind, PKS_STATE_UNKNOWN, PKS_REASON_OTHER_READER);
  if (r->certain || (r->kind == PKS_NEED_FRAME && strict))
    return unmet(r->kind, PKS_STATE_UNKNOWN, PKS_REASON_MICRO);
  return met(r->kind);
}

/* ---- all of them -------------------------------------------------------------------------------------- */

static answer ask_protocol(const pks_check *c, const pks_requirement *r) {
  if (c->target->facts.max_protocol < 0)
    return unmet(r->kind, PKS_STATE_UNKNOWN, PKS_REASON_PROTOCOL);
  if (r->number <= (uint64_t)c->target->facts.max_protocol) return met(r->kind);
  return unmet(r->kind, PKS_STATE_DIFFERENT, PKS_REASON_PROTOCOL);
}

static answer ask(pks_check *c, const pks_requirement *r) {
  const pks_match_target *t = c->target;
  if (!t) return unmet(r->kind, PKS_STATE_UNKNOWN, PKS_REASON_NO_TARGET);
  if (r->trait) return ask_trait(t, r);
  switch ((pks_need_kind)r->kind) {
    case PKS_NEED_PROTOCOL: return ask_protocol(c, r);
    case PKS_NEED_ATTRIBUTE:
    case PKS_NEED_MAIN: return fit(ask_lookup(c, r), r);
    case PKS_NEED_MODULE: return ask_module(t, r);
    case PKS_NEED_LOADER:
      if (t->facts.loader == PKS_LOADER_DILL) return met(r->kind);
      return unmet(r->kind, PKS_STATE_DIFFERENT, PKS_REASON_LOADER);
    case PKS_NEED_CONSTRUCTOR: return ask_constructor(c, r);
    case PKS_NEED_PERSISTENT_ID: return ask_persid(c, r);
    case PKS_NEED_BUFFERS: return ask_buffers(c, r);
    case PKS_NEED_EXTENSION: return ask_extension(c, r);
    case PKS_NEED_ENCODING: return ask_encoding(c, r);
    case PKS_NEED_BYTECODE: return ask_bytecode(c, r);
    case PKS_NEED_IMPORT: return ask_import(t, r);
    case PKS_NEED_OPCODE:
    case PKS_NEED_NUMBER:
    case PKS_NEED_FRAME: return ask_reader(c, r);
    case PKS_NEED_HELPER:
    case PKS_NEED_PLATFORM:
    case PKS_NEED_VERSION:
    case PKS_NEED_NAME:
    case PKS_NEED_KINDS: break;
  }
  return unmet(r->kind, PKS_STATE_UNKNOWN, PKS_REASON_NO_TARGET);
}

static pks_outcome worse(pks_outcome a, pks_state state) {
  if (state == PKS_STATE_MISSING || state == PKS_STATE_DIFFERENT) return PKS_OUTCOME_NO;
  if (state == PKS_STATE_UNKNOWN && a == PKS_OUTCOME_YES) return PKS_OUTCOME_UNKNOWN;
  return a;
}

static void count_in(pks_check *c, pks_phase phase, pks_state state) {
  switch (phase) {
    case PKS_PHASE_PARSE: c->parse = worse(c->parse, state); break;
    case PKS_PHASE_LOAD: c->load = worse(c->load, state); break;
    case PKS_PHASE_RUN: c->run = worse(c->run, state); break;
  }
}

/* Bytecode that the load itself calls counts for both: what cannot be called cannot be run later. */
static void count_state(pks_check *c, const pks_requirement *r, pks_state state) {
  count_in(c, r->phase, state);
  if (r->kind == PKS_NEED_BYTECODE && r->phase == PKS_PHASE_LOAD) count_in(c, PKS_PHASE_RUN, state);
}

/* Of code in no pickle: whether it is what marshal writes, in whatever layout. */
static void count_code_file(pks_check *c) {
  const pks_inspector *f = c->inspector;
  bool malformed = pks_status_classify(f->file.status) == PKS_CLASS_MALFORMED;
  bool whole = f->file.status == PKS_END && !f->machine.limit;
  c->parse = whole ? PKS_OUTCOME_YES : malformed ? PKS_OUTCOME_NO : PKS_OUTCOME_UNKNOWN;
  c->load = whole ? PKS_OUTCOME_YES : PKS_OUTCOME_UNKNOWN;
  c->run = whole ? PKS_OUTCOME_YES : PKS_OUTCOME_UNKNOWN;
}

/* How the stream itself read. What a reader lacks (buffers, persistent_load, an encoding) is asked
 * while it loads; what follows is then not known. */
static void count_reading(pks_check *c) {
  const pks_machine *m = &c->inspector->machine;
  pks_status status = pks_decode_fails[m->fail].status;
  pks_status_class class = pks_status_classify(status);
  bool complete = m->stopped && !m->limit;
  if (c->inspector->file.format) {
    count_code_file(c);
    return;
  }
  c->parse = c->load = PKS_OUTCOME_YES;
  c->run = c->inspector->codes.count ? PKS_OUTCOME_YES : PKS_OUTCOME_NONE;
  if (status == PKS_E_NEED) {
    c->load = PKS_OUTCOME_NO;
    c->parse = PKS_OUTCOME_UNKNOWN;
  } else if (stop_is_open(c)) {
    c->parse = PKS_OUTCOME_UNKNOWN;
  } else if (class == PKS_CLASS_MALFORMED || status == PKS_E_PROTOCOL) {
    c->parse = PKS_OUTCOME_NO;
  } else if (!complete || (m->quirks && m->total == UINT64_MAX)) {
    c->parse = PKS_OUTCOME_UNKNOWN; /* in pieces nobody knows what the other readings look up */
  }
}

/* From 3.14 on INT and LONG are decimal, before they were as in a program: "0x10", but not "010". */
static bool other_base_reads(const pks_machine *m) {
  pks_number number;
  if (m->fail != PKS_FAIL_INT_TEXT || !m->whole || m->total <= m->fail_offset) return false;
  const uint8_t *line = m->whole + m->fail_offset + 1;
  size_t left = (size_t)(m->total - m->fail_offset - 1);
  const uint8_t *end = left ? memchr(line, '\n', left) : NULL;
  uint32_t rules = m->rules ^ PKS_RULE_INT10;
  if (!end) return false;
  size_t size = (size_t)(end - line) + 1;
  return (m->fail_op == PKS_OP_INT && !pks_decode_int_line(line, size, rules, &number)) ||
         (m->fail_op == PKS_OP_LONG && !pks_decode_long_line(line, size, rules, &number));
}

/* Is there a reader that goes on where this one stopped? */
static bool others_go_on(const pks_inspector *f) {
  const pks_machine *m = &f->machine;
  if (pks_machine_is_too_old(m)) return true;
  if (f->compared) return pks_facts_others_end(f);
  if (m->fail == PKS_FAIL_FRAME_CROSSED || m->fail == PKS_FAIL_FRAME_NESTED) return true;
  return m->quirks || m->fail == PKS_FAIL_INT_DIGITS || other_base_reads(m);
}

/* No reader that this library knows comes to STOP. */
static bool is_broken(const pks_check *c) {
  const pks_inspector *f = c->inspector;
  if (f->file.format) return pks_status_classify(f->file.status) == PKS_CLASS_MALFORMED;
  pks_status status = pks_decode_fails[f->machine.fail].status;
  if (status == PKS_E_NEED || stop_is_open(c)) return false;
  if (pks_status_classify(status) != PKS_CLASS_MALFORMED && status != PKS_E_PROTOCOL) return false;
  return !others_go_on(f);
}

static pks_verdict verdict_of(const pks_check *c) {
  if (is_broken(c)) return PKS_VERDICT_BROKEN;
  if (c->parse == PKS_OUTCOME_NO || c->load == PKS_OUTCOME_NO || c->run == PKS_OUTCOME_NO)
    return PKS_VERDICT_FAILS;
  if (c->parse == PKS_OUTCOME_UNKNOWN || c->load == PKS_OUTCOME_UNKNOWN ||
      c->run == PKS_OUTCOME_UNKNOWN)
    return PKS_VERDICT_UNSURE;
  return PKS_VERDICT_LOADS;
}

/* Names of one module that is not there are one finding. Only the newest are looked at: a payload may
 * name millions. */
#define LOOK_BACK 32
static bool is_known(const pks_check *c, const answer *a, const pks_requirement *r) {
  if (a->kind != PKS_NEED_MODULE || a->state == PKS_STATE_MET) return false;
  for (size_t i = c->findings.count, seen = 0; i-- > 0 && seen < LOOK_BACK; seen++) {
    const pks_finding *old = &PKS_VEC_AT(&c->findings, pks_finding, i);
    if (old->kind != a->kind || old->state != a->state) continue;
    const pks_requirement *other = &PKS_VEC_AT(&c->requirements, pks_requirement, old->requirement);
    if (other->module.size == r->module.size &&
        memcmp(other->module.data, r->module.data, r->module.size) == 0)
      return true;
  }
  return false;
}

pks_status pks_match_check(pks_check *c, const pks_inspector *f, const pks_match_target *target) {
  c->inspector = f;
  c->target = target;
  c->requirements.count = c->findings.count = 0;
  if (!pks_needs_collect(f, &c->mem, &c->requirements) ||
      !pks_base_vec_reserve(&c->mem, &c->findings, sizeof(pks_finding), c->requirements.count))
    return c->mem.status;
  count_reading(c);
  note_target(c);
  bool as_spelled = target && !target->facts.fix_imports;
  bool names_are_free = target && !target->facts.has_allowed;
  pks_requirement *r = (pks_requirement *)(void *)c->requirements.data;
  pks_finding *finding = (pks_finding *)(void *)c->findings.data;
  for (size_t i = 0, count = c->requirements.count; i < count; i++, r++) {
    if (as_spelled) spell(r);
    const pks_said *said = names_are_free ? met_again(c, r) : NULL;
    if (said) {
      *finding++ = (pks_finding){(uint32_t)i, said->kind, said->state, said->reason, said->why};
      continue;
    }
    answer a = ask(c, r);
    c->findings.count = (size_t)(finding - (pks_finding *)(void *)c->findings.data);
    if (is_known(c, &a, r)) continue;
    count_state(c, r, (pks_state)a.state);
    *finding++ = (pks_finding){(uint32_t)i, a.kind, a.state, a.reason, a.why};
  }
  c->findings.count = (size_t)(finding - (pks_finding *)(void *)c->findings.data);
  c->verdict = verdict_of(c);
  return PKS_OK;
}

pks_check *pks_match_check_new(const pks_alloc *alloc) {
  pks_check *c = pks_base_object_new(alloc, UINT64_MAX, sizeof *c);
  if (c) c->buffers = PKS_BUFFERS_UNKNOWN;
  return c;
}

void pks_match_check_free(pks_check *c) {
  if (!c) return;
  pks_base_vec_free(&c->mem, &c->requirements, sizeof(pks_requirement));
  pks_base_vec_free(&c->mem, &c->findings, sizeof(pks_finding));
  pks_base_object_free(c, sizeof *c);
}
