/* match/serializers.c - cloudpickle and dill by version, and copies of them in other distributions. */
#include <string.h>

#include "match/build.h"
#include "match/hash.h"

#define CLOUDPICKLE PKS_SERIALIZER_CLOUDPICKLE
#define DILL PKS_SERIALIZER_DILL

typedef struct version_row {
  uint8_t library, index;
  uint16_t fails; /* Pythons it does not import on, bits of versions.def */
  const char *text;
} version_row;

typedef struct name_row {
  const char *part, *name;
  uint64_t versions;
  uint16_t since, before;
  uint8_t library, size, least, most;
} name_row;

typedef struct copy_row {
  const char *distribution, *first, *last, *module, *version;
} copy_row;

#define SERIALIZER_VERSION(library, index, text, fails) {library, index, fails, text},
#define SERIALIZER_MODULE(library, part, versions, since, before)
#define SERIALIZER_NAME(library, part, name, versions, since, before, least, most, hash)
static const version_row versions[] = {
#include "match/serializers.def"
};
#undef SERIALIZER_VERSION
#undef SERIALIZER_MODULE

#define SERIALIZER_VERSION(library, index, text, fails)
#define SERIALIZER_MODULE(library, part, versions, since, before) \
  {library, part, versions, since, before},
const pks_match_part pks_match_parts[] = {
#include "match/serializers.def"
};
const size_t pks_match_part_count = sizeof pks_match_parts / sizeof *pks_match_parts;
#undef SERIALIZER_MODULE
#undef SERIALIZER_NAME

#define SERIALIZER_MODULE(library, part, versions, since, before)
#define SERIALIZER_NAME(library, part, name, versions, since, before, least, most, hash) \
  {part, name, versions, since, before, library, sizeof name - 1, least, most},
static const name_row names[] = {
#include "match/serializers.def"
};
#undef SERIALIZER_NAME

#define SERIALIZER_NAME(library, part, name, versions, since, before, least, most, hash) hash,
static const uint16_t name_hashes[] = {
#include "match/serializers.def"
};
#undef SERIALIZER_VERSION
#undef SERIALIZER_MODULE
#undef SERIALIZER_NAME

#define VENDORED(distribution, first, last, module, version) \
  {distribution, first, last, module, version},
static const copy_row copies[] = {
#include "match/vendored.def"
};
#undef VENDORED

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- versions -------------------------------------------------------------------------------------- */

uint8_t pks_match_serializer_version(pks_serializer library, pks_span version) {
  for (size_t i = 0; i < COUNT(versions); i++)
    if (versions[i].library == library && pks_span_is(version, versions[i].text))
      return versions[i].index;
  return PKS_SERIALIZER_NO_VERSION;
}

static const version_row *version_of(pks_serializer library, uint8_t index) {
  for (size_t i = 0; i < COUNT(versions); i++)
    if (versions[i].library == library && versions[i].index == index) return &versions[i];
  return NULL;
}

bool pks_match_serializer_fails(pks_serializer library, uint8_t version, int python_version) {
  const version_row *row = version_of(library, version);
  return row && python_version >= 0 && (row->fails >> python_version & 1);
}

/* Numbers divided by dots; *at moves past one and its dot. -1: none is left; -2: not a number. */
static int64_t next_number(pks_span text, size_t *at) {
  int64_t value = 0;
  size_t from = *at;
  if (from >= text.size) return -1;
  if (text.data[from] == '+') return -1;
  for (; *at < text.size && text.data[*at] != '.' && text.data[*at] != '+'; ++*at) {
    if (text.data[*at] < '0' || text.data[*at] > '9' || value > 1000000) return -2;
    value = value * 10 + (text.data[*at] - '0');
  }
  if (*at == from) return -2;
  if (*at < text.size && text.data[*at] == '.') ++*at;
  return value;
}

int pks_match_version_order(pks_span a, pks_span b) {
  size_t i = 0, j = 0;
  for (;;) {
    int64_t x = next_number(a, &i), y = next_number(b, &j);
    if (x == -2 || y == -2) return 2;
    if (x == -1 && y == -1) return 0;
    if (x < 0) x = 0;
    if (y < 0) y = 0;
    if (x != y) return x < y ? -1 : 1;
  }
}

bool pks_match_serializer_in(pks_span distribution, pks_span version, pks_match_copy *copy) {
  copy->module = distribution;
  copy->library = pks_span_is(distribution, "cloudpickle") ? PKS_SERIALIZER_CLOUDPICKLE
                  : pks_span_is(distribution, "dill")      ? PKS_SERIALIZER_DILL
                                                           : PKS_SERIALIZER_NONE;
  for (size_t i = 0; i < COUNT(copies) && !copy->library; i++) {
    const copy_row *row = &copies[i];
    if (!pks_span_is(distribution, row->distribution)) continue;
    int first = pks_match_version_order(pks_match_span(row->first), version);
    int last = pks_match_version_order(version, pks_match_span(row->last));
    if (first > 0 || last > 0) continue;
    copy->library = PKS_SERIALIZER_CLOUDPICKLE;
    copy->module = pks_match_span(row->module);
    version = pks_match_span(row->version);
  }
  if (!copy->library) return false;
  copy->version = pks_match_serializer_version(copy->library, version);
  return copy->version != PKS_SERIALIZER_NO_VERSION;
}

/* ---- questions ---------------------------------------------------------------------------------------- */

static const pks_match_module *serializer_module(const pks_match_target *target, pks_span module) {
  uint32_t index = pks_match_names_find(&target->facts.modules, module);
  if (index == PKS_MATCH_NONE || !target->facts.module[index].serializer) return NULL;
  return &target->facts.module[index];
}

static pks_match_answer answer(pks_answer value, pks_match_why why, pks_span module) {
  return (pks_match_answer){value, why, (uint32_t)module.size, true};
}

pks_match_answer pks_match_has_helper(const pks_match_target *target, pks_span module,
                                      pks_span name, pks_match_helper *helper) {
  const pks_match_module *m = serializer_module(target, module);
  *helper = (pks_match_helper){0};
  if (!m) return answer(PKS_ANSWER_UNKNOWN, PKS_WHY_NAMES_NOT_CAPTURED, module);
  helper->library = (pks_serializer)m->serializer;
  helper->version = version_of(helper->library, m->version)->text;
  return pks_match_helper_of(target, m, module, name, helper);
}

pks_match_answer pks_match_helper_of(const pks_match_target *target, const pks_match_module *m,
                                     pks_span module, pks_span name, pks_match_helper *helper) {
  uint16_t python = (uint16_t)(target->facts.python >> 8), hash = (uint16_t)pks_match_hash(name);
  bool known = false;
  for (size_t i = m->first_name; i < m->end_name; i++) {
    const name_row *row = &names[i];
    if (name_hashes[i] != hash || row->size != name.size ||
        memcmp(row->name, name.data, name.size) != 0)
      continue;
    known = true;
    if (!(row->versions >> m->version & 1) || python < row->since || python >= row->before)
      continue;
    helper->signature = row->most <= PKS_ARGUMENTS_ANY;
    helper->least = row->least;
    helper->most = row->most;
    return answer(PKS_ANSWER_YES, PKS_WHY_SERIALIZER, module);
  }
  return known ? answer(PKS_ANSWER_NO, PKS_WHY_NOT_IN_SERIALIZER, module)
               : answer(PKS_ANSWER_UNKNOWN, PKS_WHY_NAMES_NOT_CAPTURED, module);
}

void pks_match_serializer_names(const pks_match_part *part, uint8_t *first, uint8_t *end) {
  *first = *end = 0;
  for (size_t i = 0; i < COUNT(names); i++) {
    if (names[i].library != part->library || strcmp(names[i].part, part->name) != 0) continue;
    if (*end == 0) *first = (uint8_t)i;
    *end = (uint8_t)(i + 1);
  }
}

/* dill._dill._reverse_typemap: what `types` has, under Python 3 also the classes of `builtins`, and some of
 * its own; those that not every version has are not known. */
static pks_match_answer dill_type(const pks_match_target *target, pks_span module, pks_span name) {
  static const char *const always[] = {"AttrGetterType",
                                       "BufferedRandomType",
                                       "BufferedReaderType",
                                       "BufferedWriterType",
                                       "CellType",
                                       "ExitType",
                                       "ItemGetterType",
                                       "PartialType",
                                       "PyBufferedRandomType",
                                       "PyBufferedReaderType",
                                       "PyBufferedWriterType",
                                       "PyTextWrapperType",
                                       "SuperType",
                                       "TextWrapperType"};
  static const char *const some[] = {"ClassMethodDescriptorType",
                                     "DictItemsType",
                                     "DictKeysType",
                                     "DictValuesType",
                                     "FileType",
                                     "GenericAliasIteratorType",
                                     "InputType",
                                     "MethodDescriptorType",
                                     "MethodWrapperType",
                                     "OdictItemsType",
                                     "OdictKeysType",
                                     "OdictValuesType",
                                     "OutputType",
                                     "PyCapsuleType",
                                     "WrapperDescriptorType"};
  for (size_t i = 0; i < COUNT(always); i++)
    if (pks_span_is(name, always[i])) return answer(PKS_ANSWER_YES, PKS_WHY_SERIALIZER, module);
  for (size_t i = 0; i < COUNT(some); i++)
    if (pks_span_is(name, some[i]))
      return answer(PKS_ANSWER_UNKNOWN, PKS_WHY_NAMES_NOT_CAPTURED, module);
  if (pks_span_is(name, "NoneType") && pks_span_is(target->facts.implementation, "pypy"))
    return answer(PKS_ANSWER_YES, PKS_WHY_SERIALIZER, module); /* its builtins have that */
  bool plain = !pks_span_is(name, "NoneType") &&
               !pks_span_is(name, "__main__"); /* which dill's loader answers */
  if (plain && target->facts.python >= PKS_PYTHON(3, 0, 0)) {
    pks_match_answer there =
        pks_match_has_attribute(target, pks_match_span("builtins"), name, false);
    if (there.value != PKS_ANSWER_NO) return there;
  }
  return answer(PKS_ANSWER_NO, PKS_WHY_NOT_IN_SERIALIZER, module);
}

pks_match_answer pks_match_has_type(const pks_match_target *target, pks_span helper_module,
                                    pks_span name) {
  const pks_match_module *m = serializer_module(target, helper_module);
  pks_match_answer there = pks_match_has_attribute(target, pks_match_span("types"), name, false);
  bool dill = helper_module.size >= 4 && memcmp(helper_module.data, "dill", 4) == 0;
  if (there.value != PKS_ANSWER_NO) return there;
  /* dill has a table of its own. Python 2's class type: cloudpickle up to 1.2.2 puts it into `types`,
   * from 1.4.1 on it answers `type`. */
  if (dill) return dill_type(target, helper_module, name);
  if (!m && pks_span_is(name, "ClassType"))
    return answer(PKS_ANSWER_UNKNOWN, PKS_WHY_NAMES_NOT_CAPTURED, helper_module);
  if (!pks_span_is(name, "ClassType")) return there;
  uint8_t first = pks_match_serializer_version(PKS_SERIALIZER_CLOUDPICKLE, pks_match_span("1.3.0"));
  return m->version < first || m->version > first + 1
             ? answer(PKS_ANSWER_YES, PKS_WHY_SERIALIZER, helper_module)
             : answer(PKS_ANSWER_NO, PKS_WHY_NOT_IN_SERIALIZER, helper_module);
}
