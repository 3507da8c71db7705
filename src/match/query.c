/* match/query.c - the questions: is there such a module, attribute, extension? No memory, no recursion. */
#include <string.h>

#include "match/build.h"
#include "match/hash.h"
#include "needs/needs.h"

static pks_match_answer answer(pks_answer value, pks_match_why why, size_t part) {
  return (pks_match_answer){value, why, (uint32_t)part, false};
}
static pks_match_answer yes(pks_match_why why, size_t part) {
  return answer(PKS_ANSWER_YES, why, part);
}
static pks_match_answer no(pks_match_why why, size_t part) {
  return answer(PKS_ANSWER_NO, why, part);
}
static pks_match_answer unknown(pks_match_why why, size_t part) {
  return answer(PKS_ANSWER_UNKNOWN, why, part);
}
static pks_match_answer of_attribute(pks_match_answer a) {
  a.attribute = true;
  return a;
}

static inline bool is(pks_span text, const char *other, size_t size) {
  return text.size == size && memcmp(text.data, other, size) == 0;
}
#define IS(text, literal) is(text, literal, sizeof(literal) - 1)

/* Where the first dot at or after `from` is, or the size. */
static size_t dot_after(pks_span name, size_t from) {
  if (from >= name.size) return name.size;
  const uint8_t *dot = memchr(name.data + from, '.', name.size - from);
  return dot ? (size_t)(dot - name.data) : name.size;
}

static pks_span first_of(pks_span name, size_t size) { return (pks_span){name.data, size}; }

static bool is_among(pks_span name, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (is(name, list[i], strlen(list[i]))) return true;
  return false;
}

static bool is_special(pks_span name) {
  return name.size > 4 && name.data[0] == '_' && name.data[1] == '_' &&
         name.data[name.size - 1] == '_' && name.data[name.size - 2] == '_';
}

/* Every object of Python 3 has it, and every module of Python 2. */
static bool of_object(pks_span name) {
  static const char *const names[] = {
      "__class__",       "__delattr__", "__doc__",          "__eq__",     "__format__",
      "__ge__",          "__gt__",      "__getattribute__", "__hash__",   "__init__",
      "__le__",          "__lt__",      "__ne__",           "__new__",    "__reduce__",
      "__reduce_ex__",   "__repr__",    "__setattr__",      "__sizeof__", "__str__",
      "__subclasshook__"};
  return is_special(name) && is_among(name, names, sizeof names / sizeof *names);
}

/* Names that are not in the lists because of what a module is. YES: every module object has them; UNKNOWN:
 * the captures leave them out; NO: others. */
static pks_answer of_module_object(pks_span name) {
  static const char *const maybe[] = {
      "__all__",     "__annotations__", "__builtins__",      "__cached__",
      "__dir__",     "__file__",        "__init_subclass__", "__loader__",
      "__package__", "__path__",        "__spec__",          "__warningregistry__"};
  if (!is_special(name)) return PKS_ANSWER_NO;
  if (of_object(name) || IS(name, "__dict__") || IS(name, "__name__")) return PKS_ANSWER_YES;
  return is_among(name, maybe, sizeof maybe / sizeof *maybe) ? PKS_ANSWER_UNKNOWN : PKS_ANSWER_NO;
}

/* ---- __main__ ---------------------------------------------------------------------------------------- */

static pks_match_answer main_attribute(const pks_match_facts *f, pks_span module, pks_span name) {
  if (of_module_object(name) == PKS_ANSWER_YES) return yes(PKS_WHY_MODULE_OBJECT, module.size);
  if (pks_match_names_find(&f->main, name) != PKS_MATCH_NONE ||
      pks_match_names_find(&f->main, first_of(name, dot_after(name, 0))) != PKS_MATCH_NONE)
    return yes(PKS_WHY_MAIN_LISTED, module.size);
  return f->main_open ? unknown(PKS_WHY_MAIN_OPEN, module.size)
                      : no(PKS_WHY_MAIN_CLOSED, module.size);
}

/* ---- the standard library ----------------------------------------------------------------------------- */

/* What a micro version changes: NULL: nothing. */
static const pks_match_micro *micro_of(const pks_match_facts *f, uint32_t module, pks_span name) {
  for (uint32_t i = 0; i < f->micros; i++)
    if (f->micro[i].module == module && f->micro[i].name.size == name.size &&
        (name.size == 0 || memcmp(f->micro[i].name.data, name.data, name.size) == 0))
      return &f->micro[i];
  return NULL;
}

static pks_match_answer micro_answer(const pks_match_facts *f, const pks_match_micro *micro,
                                     size_t part) {
  if ((f->python & 0xff) == 0xff) return unknown(PKS_WHY_MICRO_OPEN, part);
  return (f->python & 0xff) >= micro->since ? yes(PKS_WHY_STDLIB, part)
                                            : no(PKS_WHY_NOT_IN_MICRO, part);
}

/* The tables were made on Linux: elsewhere, what some build lacks may be missing. */
static bool elsewhere(const pks_match_facts *f) {
  return f->os != PKS_OS_UNKNOWN && f->os != PKS_OS_LINUX;
}

static uint16_t version_bit(const pks_match_facts *f) { return (uint16_t)(1u << f->version); }

/* Versions of the same implementation as the target's: what only PyPy has is third-party elsewhere. */
static bool same_implementation(const pks_match_facts *f, uint16_t present) {
  uint16_t pypy = 0;
  for (unsigned i = 0; i < pks_match_version_count; i++)
    if (pks_match_versions[i].implementation[0] == 'p') pypy |= (uint16_t)(1u << i);
  return pks_match_versions[f->version].implementation[0] == 'p' || (present & ~pypy) != 0;
}

/* Parts that the captures leave out. */
static bool is_left_out(pks_span module) {
  for (size_t from = 0, to; from < module.size; from = to + 1) {
    pks_span part = {module.data + from, (to = dot_after(module, from)) - from};
    if (IS(part, "__main__") || IS(part, "test") || IS(part, "tests")) return true;
  }
  return false;
}

/* A dotted name below a top-level module that this version has; `module` itself it does not have. */
static pks_match_answer missing_in_stdlib(const pks_match_facts *f, pks_span module) {
  size_t to = 0;
  for (size_t from = 0; from < module.size; from = to + 1) {
    to = dot_after(module, from);
    uint32_t index = pks_match_stdlib_find(first_of(module, to));
    if (index == PKS_STDLIB_NONE) break;
    pks_stdlib_fact fact = pks_match_stdlib_module_fact(index);
    if (fact.present & version_bit(f)) continue;
    if (fact.unknown & version_bit(f) || !fact.present) return unknown(PKS_WHY_PLATFORM, to);
    break;
  }
  return is_left_out(module) ? unknown(PKS_WHY_NOT_CAPTURED, to) : no(PKS_WHY_NOT_IN_VERSION, to);
}

/* What the table says of a module. value UNKNOWN and why NOTHING: it is not of the standard library, as far
 * as this version is concerned. *index: in the table, or PKS_STDLIB_NONE. */
static pks_match_answer stdlib_module(const pks_match_facts *f, pks_span module, uint64_t hash,
                                      uint32_t *index) {
  *index = pks_match_stdlib_find_hashed(module, hash);
  uint16_t bit = version_bit(f);
  pks_stdlib_fact fact = {0};
  if (*index != PKS_STDLIB_NONE) {
    fact = pks_match_stdlib_module_fact(*index);
    const pks_match_micro *micro = micro_of(f, *index, (pks_span){0});
    if (micro) return micro_answer(f, micro, module.size);
    if (fact.present & bit)
      return fact.unknown && elsewhere(f) ? unknown(PKS_WHY_PLATFORM, module.size)
                                          : yes(PKS_WHY_STDLIB, module.size);
    if (fact.unknown & bit) return unknown(PKS_WHY_PLATFORM, module.size);
  }
  size_t dot = dot_after(module, 0);
  uint32_t top = dot < module.size ? pks_match_stdlib_find(first_of(module, dot)) : *index;
  if (top == PKS_STDLIB_NONE)
    return unknown(is(first_of(module, dot), "test", 4) ? PKS_WHY_NOT_CAPTURED : PKS_WHY_NOTHING,
                   dot);
  pks_stdlib_fact above = pks_match_stdlib_module_fact(top);
  if (!above.present) return unknown(PKS_WHY_PLATFORM, dot);
  if ((above.present | above.unknown) & bit) return missing_in_stdlib(f, module);
  if (!fact.present || !same_implementation(f, fact.present)) return unknown(PKS_WHY_NOTHING, dot);
  return no(PKS_WHY_NOT_IN_VERSION, dot);
}

/* ---- modules ---------------------------------------------------------------------------------------------- */

/* A name that an import system finds no file for. */
static bool has_line_end(pks_span name) {
  return memchr(name.data, '\r', name.size) || memchr(name.data, '\n', name.size);
}

static pks_match_answer listed_module(const pks_match_module *m, size_t part) {
  if (m->why == PKS_WHY_LISTED && m->open && !m->has_attributes)
    return unknown(PKS_WHY_REFUSED_IMPORT, part); /* a capture asked for its names, and got none */
  if (m->broken) return no(PKS_WHY_BROKEN_IMPORT, part);
  if (m->missing) return no(PKS_WHY_NOT_IN_SERIALIZER, part);
  return m->unsure ? unknown(PKS_WHY_UNSURE_IMPORT, part) : yes((pks_match_why)m->why, part);
}

/* A module that is not listed: the first part of its name that is not decides. */
static pks_match_answer unlisted_module(const pks_match_facts *f, pks_span module) {
  const pks_match_module *around = NULL;
  for (size_t from = 0, to; from < module.size; from = to + 1) {
    to = dot_after(module, from);
    uint32_t index = pks_match_names_find(&f->modules, first_of(module, to));
    if (index != PKS_MATCH_NONE) {
      around = &f->module[index];
      pks_match_answer a = listed_module(around, to);
      if (a.value == PKS_ANSWER_NO) return a;
      continue;
    }
    if (!around) {
      if (!(f->complete & PKS_COMPLETE_TOP_LEVEL)) return unknown(PKS_WHY_OPEN_WORLD, to);
      return f->unlisted.count ? unknown(PKS_WHY_UNLISTED, to) : no(PKS_WHY_CLOSED_TOP_LEVEL, to);
    }
    if (around->kind == PKS_MODULE_PLAIN || around->kind == PKS_MODULE_EXTENSION)
      return no(PKS_WHY_NOT_A_PACKAGE, from - 1);
    bool loose = around->kind == PKS_MODULE_NAMESPACE || around->kind == PKS_MODULE_CREATED;
    return f->complete & PKS_COMPLETE_MODULES && !loose ? no(PKS_WHY_CLOSED_MODULES, to)
                                                        : unknown(PKS_WHY_OPEN_PACKAGE, to);
  }
  return no(PKS_WHY_EMPTY, 0);
}

/* Does this version have the top-level module? */
static bool top_is_there(const pks_match_facts *f, pks_span module) {
  uint32_t top = pks_match_stdlib_find(first_of(module, dot_after(module, 0)));
  return top != PKS_STDLIB_NONE && pks_match_stdlib_module_fact(top).present & version_bit(f);
}

/* Also gives the module's places: in the fingerprint's list and in the table. */
static pks_match_answer find_module(const pks_match_facts *f, pks_span module, uint32_t *listed,
                                    uint32_t *stdlib) {
  *stdlib = PKS_STDLIB_NONE;
  uint64_t hash = pks_match_hash(module);
  *listed = pks_match_names_find_hashed(&f->modules, module, hash);
  if (*listed != PKS_MATCH_NONE) {
    if (f->module[*listed].why == PKS_WHY_DISTRIBUTION) { /* not every release brings it */
      pks_match_answer known = pks_match_history_module(f, module);
      if (known.value == PKS_ANSWER_NO) return known;
    }
    return listed_module(&f->module[*listed], module.size);
  }
  if (module.size == 0) return no(PKS_WHY_EMPTY, 0);
  for (size_t from = 0, to; f->absent.count > 0 && from < module.size; from = to + 1) {
    to = dot_after(module, from);
    if (pks_match_names_find(&f->absent, first_of(module, to)) != PKS_MATCH_NONE)
      return no(PKS_WHY_ABSENT_LISTED, to);
  }
  pks_match_answer a = unknown(PKS_WHY_NOTHING, 0);
  if (f->table && f->version >= 0) a = stdlib_module(f, module, hash, stdlib);
  /* What this version lacks, a distribution may bring (distutils). */
  bool brought =
      a.value == PKS_ANSWER_NO && f->modules.count > 0 && !top_is_there(f, module) &&
      pks_match_names_find(&f->modules, first_of(module, dot_after(module, 0))) != PKS_MATCH_NONE;
  if (a.why != PKS_WHY_NOTHING && !brought) return a;
  a = unlisted_module(f, module);
  if (a.value != PKS_ANSWER_YES && has_line_end(module)) return no(PKS_WHY_LINE_END, module.size);
  if (a.value == PKS_ANSWER_UNKNOWN && f->distributions.count > 0) {
    pks_match_answer known = pks_match_history_module(f, module);
    if (known.value != PKS_ANSWER_UNKNOWN) return known;
  }
  if (a.why == PKS_WHY_OPEN_WORLD && f->table && f->version < 0 &&
      pks_match_stdlib_find(first_of(module, a.part)) != PKS_STDLIB_NONE)
    a.why = PKS_WHY_NO_TABLE;
  return a;
}

pks_match_answer pks_match_has_module(const pks_match_target *target, pks_span module) {
  uint32_t listed, stdlib;
  if (pks_needs_is_main(module))
    return module.data[2] == 'm' ? yes(PKS_WHY_MAIN, module.size)
                                 : unknown(PKS_WHY_MAIN_OPEN, module.size);
  return find_module(&target->facts, module, &listed, &stdlib);
}

/* ---- attributes ------------------------------------------------------------------------------------------- */

/* "a.b" and "c" as "a.b.c" in `buffer`; size 0: too long to be in any table. */
#define DOTTED_ROOM 256
static pks_span joined(uint8_t *buffer, pks_span module, pks_span name) {
  if (module.size + name.size + 1 > DOTTED_ROOM) return (pks_span){0};
  memcpy(buffer, module.data, module.size);
  buffer[module.size] = '.';
  memcpy(buffer + module.size + 1, name.data, name.size);
  return (pks_span){buffer, module.size + 1 + name.size};
}

/* The module lacks the name, as far as a complete list says. */
static pks_match_answer lacking(const pks_match_facts *f, pks_span module, pks_span name) {
  uint8_t buffer[DOTTED_ROOM];
  uint32_t listed, stdlib;
  pks_answer object = of_module_object(name);
  if (object == PKS_ANSWER_YES) return yes(PKS_WHY_MODULE_OBJECT, module.size);
  if (object == PKS_ANSWER_UNKNOWN) return unknown(PKS_WHY_NOT_CAPTURED, module.size);
  pks_span inside = joined(buffer, module, name);
  if (inside.size > 0 && find_module(f, inside, &listed, &stdlib).value != PKS_ANSWER_NO &&
      (listed != PKS_MATCH_NONE || stdlib != PKS_STDLIB_NONE))
    return unknown(PKS_WHY_SUBMODULE, module.size);
  return no(PKS_WHY_NOT_IN_MODULE, module.size);
}

/* Was the name, or what it is inside of, asked for and not there? */
static bool is_lacked(const pks_match_module *m, pks_span name, size_t *part) {
  for (size_t from = 0; m->lacks.count > 0 && from < name.size; from = *part + 1) {
    *part = dot_after(name, from);
    if (pks_match_names_find(&m->lacks, first_of(name, *part)) != PKS_MATCH_NONE) return true;
  }
  return false;
}

/* In a list of the fingerprint's. */
static pks_match_answer listed_attribute(const pks_match_facts *f, const pks_match_module *m,
                                         pks_span module, pks_span name) {
  size_t dot = dot_after(name, 0);
  if (pks_match_names_find(&m->attributes, name) != PKS_MATCH_NONE)
    return yes(PKS_WHY_LISTED, module.size);
  size_t part;
  if (is_lacked(m, name, &part))
    return no(part == dot ? PKS_WHY_NOT_IN_MODULE : PKS_WHY_NOT_IN_CLASS, module.size);
  if (dot < name.size &&
      pks_match_names_find(&m->attributes, first_of(name, dot)) != PKS_MATCH_NONE)
    return unknown(PKS_WHY_MEMBER, module.size);
  pks_match_answer a = lacking(f, module, first_of(name, dot));
  if (a.value == PKS_ANSWER_NO && m->open) return unknown(PKS_WHY_OPEN_MODULE, module.size);
  return a.value == PKS_ANSWER_YES && dot < name.size ? unknown(PKS_WHY_MEMBER, module.size) : a;
}

/* A name without a dot, or the first part of one, in the table. */
static pks_match_answer table_attribute(const pks_match_facts *f, uint32_t index, pks_span module,
                                        pks_span name, pks_stdlib_fact *fact) {
  *fact = pks_match_stdlib_attribute_fact(index, name);
  const pks_match_micro *micro = micro_of(f, index, name);
  if (micro) return micro_answer(f, micro, module.size);
  if (fact->present & version_bit(f))
    return fact->unknown && elsewhere(f) ? unknown(PKS_WHY_PLATFORM, module.size)
                                         : yes(PKS_WHY_STDLIB, module.size);
  if (fact->unknown & version_bit(f)) return unknown(PKS_WHY_PLATFORM, module.size);
  /* A name that no table has in a module of the operating system may be another system's. */
  if (!fact->present && f->os != PKS_OS_LINUX && pks_match_stdlib_module_fact(index).os &&
      of_module_object(name) == PKS_ANSWER_NO)
    return unknown(PKS_WHY_PLATFORM, module.size);
  return lacking(f, module, name);
}

/* The module that is bound to `name` in module `*index`, which a module attribute is not told by the table:
 * its submodule of that name, else the top-level module, unless a neighbour has that name too. */
static bool follow(const pks_match_facts *f, uint32_t *index, pks_span name, bool *sure) {
  uint8_t buffer[DOTTED_ROOM];
  pks_span module = pks_match_stdlib_name(*index);
  uint32_t inside = pks_match_stdlib_find(joined(buffer, module, name)), next = inside;
  size_t last = module.size;
  while (last > 0 && module.data[last - 1] != '.') last--;
  if (inside == PKS_STDLIB_NONE) {
    if (last > 0 &&
        pks_match_stdlib_find(joined(buffer, first_of(module, last - 1), name)) != PKS_STDLIB_NONE)
      return false;
    next = pks_match_stdlib_find(name);
    *sure = false;
  }
  if (next == PKS_STDLIB_NONE || !(pks_match_stdlib_module_fact(next).present & version_bit(f)))
    return false;
  *index = next;
  return true;
}

/* "Class.member" or longer, of a class or another object that is there; the first dot is at `dot`. */
static pks_match_answer stdlib_member(const pks_match_facts *f, uint32_t index, pks_span name,
                                      size_t dot, size_t part) {
  size_t end = dot_after(name, dot + 1);
  pks_span member = {name.data + dot + 1, end - dot - 1};
  uint16_t bit = version_bit(f);
  if (of_object(member) && f->python >> 16 >= 3)
    return end == name.size ? yes(PKS_WHY_OBJECT, part) : unknown(PKS_WHY_MEMBER, part);
  bool asked = pks_match_stdlib_attribute_fact(index, first_of(name, dot + 1)).present & bit;
  /* Of special names only those are captured that some version has. */
  if (!asked ||
      (is_special(member) && !pks_match_stdlib_attribute_fact(index, first_of(name, end)).present))
    return unknown(PKS_WHY_MEMBER, part);
  bool there =
      end > dot + 1 && pks_match_stdlib_attribute_fact(index, first_of(name, end)).present & bit;
  return there ? unknown(PKS_WHY_MEMBER, part) : no(PKS_WHY_NOT_IN_CLASS, part);
}

static pks_match_answer stdlib_attribute(const pks_match_facts *f, uint32_t index, pks_span module,
                                         pks_span name) {
  pks_stdlib_fact fact;
  size_t dot = dot_after(name, 0);
  bool sure = true;
  for (;;) {
    if (dot + 1 < name.size && name.data[name.size - 1] != '.' &&
        pks_match_stdlib_attribute_fact(index, name).present & version_bit(f))
      return yes(PKS_WHY_STDLIB, module.size); /* a class in a class, or a member of one */
    pks_match_answer a =
        table_attribute(f, index, pks_match_stdlib_name(index), first_of(name, dot), &fact);
    a.part = (uint32_t)module.size;
    if (a.value == PKS_ANSWER_NO && !sure) return unknown(PKS_WHY_MEMBER, module.size);
    if (a.value != PKS_ANSWER_YES || dot == name.size) return a;
    if (fact.kind != PKS_STDLIB_MODULE) return stdlib_member(f, index, name, dot, module.size);
    if (!follow(f, &index, first_of(name, dot), &sure)) return unknown(PKS_WHY_MEMBER, module.size);
    name = (pks_span){name.data + dot + 1, name.size - dot - 1};
    dot = dot_after(name, 0);
  }
}

/* dill's own unpickler. */
static bool dill_answers(pks_span module, pks_span name) {
  /* Below protocol 3 the name may come here as Python 3 maps it. */
  return (IS(module, "__builtin__") || IS(module, "builtins")) &&
         (IS(name, "__main__") || IS(name, "NoneType"));
}

/* The module is not there, says the table; but if no version's module of that name has the attribute, it
 * may be somebody's own module that is meant. */
static bool is_another(const pks_match_facts *f, pks_match_answer a, uint32_t stdlib,
                       pks_span module, pks_span name) {
  if (a.why != PKS_WHY_NOT_IN_VERSION || f->complete & PKS_COMPLETE_TOP_LEVEL) return false;
  if (stdlib == PKS_STDLIB_NONE || of_module_object(name) != PKS_ANSWER_NO) return false;
  if (top_is_there(f, module) || module.data[0] == '_') return false;
  uint8_t buffer[DOTTED_ROOM];
  name = first_of(name, dot_after(name, 0));
  return !pks_match_stdlib_attribute_fact(stdlib, name).present &&
         pks_match_stdlib_find(joined(buffer, module, name)) == PKS_STDLIB_NONE;
}

/* A name of a function's inside: "f.<locals>.g". */
static bool is_local(pks_span name) {
  if (!memchr(name.data, '<', name.size)) return false;
  for (size_t from = 0, to; from < name.size; from = to + 1) {
    to = dot_after(name, from);
    if (is((pks_span){name.data + from, to - from}, "<locals>", 8)) return true;
  }
  return false;
}

/* In a module that is there, at these places in the lists. */
static pks_match_answer attribute_of(const pks_match_target *target, pks_span module, pks_span name,
                                     uint32_t listed, uint32_t stdlib) {
  const pks_match_facts *f = &target->facts;
  const pks_match_module *m = listed != PKS_MATCH_NONE ? &f->module[listed] : NULL;
  if (m && m->has_attributes) {
    /* Where not all names of a standard library module were captured, the table has the others. */
    pks_match_answer a = listed_attribute(f, m, module, name);
    bool table = a.why == PKS_WHY_OPEN_MODULE && f->table && f->version >= 0 &&
                 pks_match_stdlib_module((unsigned)f->version, module) == PKS_ANSWER_YES;
    return table ? stdlib_attribute(f, pks_match_stdlib_find(module), module, name) : a;
  }
  if (m && f->table && f->version >= 0 &&
      pks_match_stdlib_module((unsigned)f->version, module) == PKS_ANSWER_YES)
    stdlib = pks_match_stdlib_find(module);
  if (stdlib != PKS_STDLIB_NONE) return stdlib_attribute(f, stdlib, module, name);
  if (m && m->serializer) {
    pks_match_helper helper;
    size_t dot = dot_after(name, 0);
    pks_match_answer a = pks_match_helper_of(target, m, module, first_of(name, dot), &helper);
    if (a.value == PKS_ANSWER_NO || (a.value == PKS_ANSWER_YES && dot == name.size)) return a;
  }
  if (of_module_object(name) == PKS_ANSWER_YES) return yes(PKS_WHY_MODULE_OBJECT, module.size);
  if (f->distributions.count > 0) {
    size_t dot = dot_after(name, 0);
    pks_match_answer known = pks_match_history_name(f, module, first_of(name, dot));
    if (known.value == PKS_ANSWER_NO || (known.value == PKS_ANSWER_YES && dot == name.size))
      return known;
  }
  return unknown(PKS_WHY_NAMES_NOT_CAPTURED, module.size);
}

static pks_match_answer look_up(const pks_match_target *target, pks_span module, pks_span name,
                                bool plain) {
  const pks_match_facts *f = &target->facts;
  uint32_t listed, stdlib;
  pks_match_answer a = find_module(f, module, &listed, &stdlib);
  if (a.value == PKS_ANSWER_NO && is_another(f, a, stdlib, module, name))
    return unknown(PKS_WHY_OPEN_WORLD, a.part);
  if (a.value != PKS_ANSWER_YES) return a;
  if (plain) return of_attribute(no(PKS_WHY_PLAIN_NAME, module.size));
  return of_attribute(attribute_of(target, module, name, listed, stdlib));
}

/* pandas.read_pickle tries the name as it is, then where it has been moved to. */
static pks_match_answer look_up_by(const pks_match_target *target, pks_span module, pks_span name,
                                   bool plain) {
  pks_match_answer a = look_up(target, module, name, plain);
  if (a.value == PKS_ANSWER_YES || target->facts.loader != PKS_LOADER_PANDAS) return a;
  size_t size = module.size;
  if (!pks_match_renamed(target->facts.loader, &module, &name)) return a;
  a = look_up(target, module, name, plain);
  if (a.part > size) a.part = (uint32_t)size;
  return a;
}

pks_answer pks_match_allows(const pks_match_target *target, pks_span module, pks_span name) {
  uint8_t buffer[DOTTED_ROOM];
  pks_span full = joined(buffer, module, name);
  if (!target->facts.has_allowed) return PKS_ANSWER_YES;
  return full.size && pks_match_names_find(&target->facts.allowed, full) != PKS_MATCH_NONE
             ? PKS_ANSWER_YES
             : PKS_ANSWER_NO;
}

pks_match_answer pks_match_has_attribute(const pks_match_target *target, pks_span module,
                                         pks_span name, bool dotted) {
  const pks_match_facts *f = &target->facts;
  if (name.size == 0) return of_attribute(no(PKS_WHY_EMPTY, module.size));
  if (is_local(name)) return of_attribute(no(PKS_WHY_LOCALS, module.size));
  bool plain = !dotted && dot_after(name, 0) < name.size;
  if (pks_needs_is_main(module))
    return of_attribute(plain ? no(PKS_WHY_PLAIN_NAME, module.size)
                              : main_attribute(f, module, name));
  if (f->loader != PKS_LOADER_DILL) return look_up_by(target, module, name, plain);
  if (dill_answers(module, name)) return of_attribute(yes(PKS_WHY_LOADER, module.size));
  pks_match_answer a = look_up(target, module, name, plain);
  if (a.value != PKS_ANSWER_YES && IS(module, "dill.dill")) /* renamed in 0.2.8 */
    a = look_up(target, pks_match_span("dill._dill"), name, plain);
  if (a.part > module.size) a.part = (uint32_t)module.size;
  return a;
}

/* ---- extensions ---------------------------------------------------------------------------------------------- */

pks_match_answer pks_match_has_extension(const pks_match_target *target, uint32_t code,
                                         pks_span *module, pks_span *name) {
  const pks_match_facts *f = &target->facts;
  for (uint32_t i = 0; i < f->extensions; i++)
    if (f->extension[i].code == code) {
      *module = f->extension[i].module;
      *name = f->extension[i].name;
      return yes(PKS_WHY_LISTED, 0);
    }
  return f->complete & PKS_COMPLETE_EXTENSIONS ? no(PKS_WHY_NO_EXTENSION, 0)
                                               : unknown(PKS_WHY_OPEN_EXTENSIONS, 0);
}
