/* match/fingerprint.c - from a fingerprint document (pickle-target/1) to facts. */
#include <string.h>

#include "code/infer.h"
#include "match/build.h"

bool pks_match_fault(pks_reading *r, const pks_node *node, const char *text) {
  if (r->status == PKS_OK) {
    r->status = PKS_E_FINGERPRINT;
    r->offset = node ? node->offset : 0;
    r->text = text;
  }
  return false;
}

bool pks_match_fault_memory(pks_reading *r) {
  if (r->status == PKS_OK) {
    r->status = r->target->mem.status;
    r->text = pks_status_text(r->status);
  }
  return false;
}

/* ---- values of one kind ------------------------------------------------------------------------------ */

/* The value of `key`, of that type; NULL when there is none, or when it is of another: a fault. */
static pks_node *want(pks_reading *r, const pks_node *object, const char *key, pks_node_type type,
                      const char *complaint) {
  pks_node *node = pks_match_node_find(object, key);
  if (!node || node->type == type) return node;
  pks_match_fault(r, node, complaint);
  return NULL;
}

static bool read_bool(pks_reading *r, const pks_node *object, const char *key, bool usual,
                      const char *complaint) {
  const pks_node *node = pks_match_node_find(object, key);
  if (!node) return usual;
  if (node->type != PKS_NODE_TRUE && node->type != PKS_NODE_FALSE)
    pks_match_fault(r, node, complaint);
  return node->type == PKS_NODE_TRUE;
}

static int64_t read_integer(pks_reading *r, const pks_node *object, const char *key, int64_t most,
                            int64_t usual, const char *complaint) {
  const pks_node *node = want(r, object, key, PKS_NODE_INTEGER, complaint);
  if (!node) return usual;
  if (node->integer < 0 || node->integer > most) pks_match_fault(r, node, complaint);
  return node->integer;
}

/* A text without a zero byte, copied and ended with one. */
static const char *read_string(pks_reading *r, const pks_node *object, const char *key,
                               const char *usual, const char *complaint) {
  const pks_node *node = want(r, object, key, PKS_NODE_TEXT, complaint);
  if (!node) return usual;
  if (node->text.size > PKS_MATCH_MAX_NAME || memchr(node->text.data, 0, node->text.size)) {
    pks_match_fault(r, node, complaint);
    return usual;
  }
  pks_match_target *t = r->target;
  char *copy = pks_base_arena_take(&t->mem, &t->arena, node->text.size + 1);
  if (!copy) {
    pks_match_fault_memory(r);
    return usual;
  }
  memcpy(copy, node->text.data, node->text.size);
  copy[node->text.size] = '\0';
  return copy;
}

/* Sorts an array of texts and takes it as names. `complaint` also for one that is empty or too long. */
static bool read_names(pks_reading *r, pks_node *array, pks_match_names *names,
                       const char *complaint) {
  pks_match_target *t = r->target;
  uint32_t count = 0;
  *names = (pks_match_names){0};
  if (!array) return true;
  for (const pks_node *node = array->child; node; node = node->next)
    if (node->type != PKS_NODE_TEXT || node->text.size == 0 || node->text.size > PKS_MATCH_MAX_NAME)
      return pks_match_fault(r, node, complaint);
  pks_match_node_sort_texts(array);
  for (const pks_node *node = array->child; node; node = node->next) count++;
  if (!pks_match_names_take(&t->mem, &t->arena, names, count)) return pks_match_fault_memory(r);
  for (const pks_node *node = array->child; node; node = node->next)
    pks_match_names_add(names, node->text);
  return true;
}

static bool read_names_of(pks_reading *r, const pks_node *object, const char *key,
                          pks_match_names *names, const char *complaint) {
  pks_node *array = want(r, object, key, PKS_NODE_ARRAY, complaint);
  return r->status == PKS_OK && read_names(r, array, names, complaint);
}

/* ---- the interpreter ----------------------------------------------------------------------------------- */

static bool read_schema(pks_reading *r, const pks_node *root) {
  static const char family[] = "pickle-target/";
  const pks_node *node =
      want(r, root, "schema", PKS_NODE_TEXT, "\"schema\" is not \"pickle-target/1\"");
  if (!node) return pks_match_fault(r, root, "there is no \"schema\"");
  size_t at = sizeof family - 1, from = at;
  uint32_t major = 0;
  if (node->text.size <= at || memcmp(node->text.data, family, at) != 0)
    return pks_match_fault(r, node, "\"schema\" is not \"pickle-target/1\"");
  for (; at < node->text.size && node->text.data[at] >= '0' && node->text.data[at] <= '9'; at++)
    major = major < 100000 ? major * 10 + (uint32_t)(node->text.data[at] - '0') : major;
  bool minor = at < node->text.size && node->text.data[at] == '.';
  if (at == from || (at < node->text.size && !minor) || major == 0)
    return pks_match_fault(r, node, "\"schema\" is not \"pickle-target/1\"");
  if (major == 1) return true;
  pks_match_fault(r, node, "a newer format than this reader's, which is pickle-target/1");
  r->status = PKS_E_FORMAT;
  return false;
}

static bool read_implementation(pks_reading *r, const pks_node *root) {
  const char *complaint = "\"implementation\" is not a lower-case name of 1 to 24 characters";
  const pks_node *node = want(r, root, "implementation", PKS_NODE_TEXT, complaint);
  if (!node) return pks_match_fault(r, root, "there is no \"implementation\"");
  if (node->text.size == 0 || node->text.size > 24) return pks_match_fault(r, node, complaint);
  for (size_t i = 0; i < node->text.size; i++) {
    uint8_t c = node->text.data[i];
    if (!((c >= 'a' && c <= 'z') || (i > 0 && ((c >= '0' && c <= '9') || c == '-' || c == '_'))))
      return pks_match_fault(r, node, complaint);
  }
  r->target->facts.implementation = node->text;
  return true;
}

static bool read_version(pks_reading *r, const pks_node *root) {
  const char *complaint = "\"version\" is not a list of 2 or 3 numbers up to 254";
  const pks_node *array = want(r, root, "version", PKS_NODE_ARRAY, complaint);
  uint32_t part[3] = {0, 0, 0xff}, count = 0;
  if (!array) return pks_match_fault(r, root, "there is no \"version\"");
  for (const pks_node *node = array->child; node; node = node->next) {
    if (count == 3 || node->type != PKS_NODE_INTEGER || node->integer < 0 || node->integer > 254)
      return pks_match_fault(r, node, complaint);
    part[count++] = (uint32_t)node->integer;
  }
  if (count < 2) return pks_match_fault(r, array, complaint);
  if (part[0] != 2 && part[0] != 3)
    return pks_match_fault(r, array, "\"version\" is of neither Python 2 nor Python 3");
  r->target->facts.python = PKS_PYTHON(part[0], part[1], part[2]);
  return true;
}

static int known_version(const pks_match_facts *f) {
  for (unsigned i = 0; i < pks_match_version_count; i++) {
    const pks_match_version *v = &pks_match_versions[i];
    if (f->python >> 16 == v->major && (f->python >> 8 & 0xff) == v->minor &&
        pks_span_is(f->implementation, v->implementation))
      return (int)i;
  }
  return -1;
}

static bool read_interpreter(pks_reading *r, const pks_node *root) {
  pks_match_facts *f = &r->target->facts;
  if (!read_schema(r, root) || !read_implementation(r, root) || !read_version(r, root))
    return false;
  f->version = known_version(f);
  const pks_match_version *v = f->version >= 0 ? &pks_match_versions[f->version] : NULL;
  /* A fork that has a tag of its own has bytecode of its own; its number is not that of the version. */
  const pks_node *tag = pks_match_node_find(root, "cache_tag");
  if (v && tag && tag->type == PKS_NODE_TEXT && *v->cache_tag &&
      !pks_span_is(tag->text, v->cache_tag))
    v = NULL;
  f->magic = read_integer(r, root, "magic", 0xffff, v ? v->magic : -1,
                          "\"magic\" is not a number from 0 to 65535");
  int code = f->magic < 0 ? -1 : pks_code_version_of_magic((uint16_t)f->magic);
  f->code = code < 0 ? 0 : PKS_CODE_BIT(code);
  f->code_args = (int)read_integer(r, root, "code_args", 255, v ? v->code_args : -1,
                                   "\"code_args\" is not a number from 0 to 255");
  f->max_protocol = (int)read_integer(r, root, "max_protocol", 255, v ? v->max_protocol : -1,
                                      "\"max_protocol\" is not a number from 0 to 255");
  want(r, root, "cache_tag", PKS_NODE_TEXT, "\"cache_tag\" is not a text");
  want(r, root, "release", PKS_NODE_TEXT, "\"release\" is not a text");
  return r->status == PKS_OK;
}

static bool read_platform(pks_reading *r, const pks_node *root) {
  static const struct {
    const char *name;
    pks_match_os os;
  } known[] = {{"linux", PKS_OS_LINUX},
               {"windows", PKS_OS_WINDOWS},
               {"win32", PKS_OS_WINDOWS},
               {"macos", PKS_OS_MACOS},
               {"darwin", PKS_OS_MACOS}};
  pks_match_facts *f = &r->target->facts;
  const pks_node *object =
      want(r, root, "platform", PKS_NODE_OBJECT, "\"platform\" is not an object");
  f->big_endian = -1;
  if (!object) return r->status == PKS_OK;
  const pks_node *os = want(r, object, "os", PKS_NODE_TEXT, "\"os\" is not a text");
  const pks_node *machine = want(r, object, "machine", PKS_NODE_TEXT, "\"machine\" is not a text");
  const pks_node *order =
      want(r, object, "byteorder", PKS_NODE_TEXT, "\"byteorder\" is not a text");
  f->bits = (int)read_integer(r, object, "bits", 128, 0, "\"bits\" is not a number from 0 to 128");
  if (os) f->os = PKS_OS_OTHER;
  for (size_t i = 0; os && i < sizeof known / sizeof *known; i++)
    if (pks_span_is(os->text, known[i].name)) f->os = known[i].os;
  if (machine) f->machine = machine->text;
  if (order && pks_span_is(order->text, "big")) f->big_endian = 1;
  if (order && pks_span_is(order->text, "little")) f->big_endian = 0;
  if (order && f->big_endian < 0)
    return pks_match_fault(r, order, "\"byteorder\" is not \"little\" or \"big\"");
  return r->status == PKS_OK;
}

/* ---- the loader ------------------------------------------------------------------------------------------ */

static bool read_loader(pks_reading *r, const pks_node *root) {
  static const char *const known[] = {"pickle", "cloudpickle", "dill", "joblib", "torch", "pandas"};
  pks_match_facts *f = &r->target->facts;
  const pks_node *object = want(r, root, "loader", PKS_NODE_OBJECT, "\"loader\" is not an object");
  bool python3 = f->python >> 16 >= 3;
  f->loader_name = pks_match_span("pickle");
  const pks_node *name = want(r, object, "name", PKS_NODE_TEXT, "\"name\" is not a text");
  if (name) {
    f->loader_name = name->text;
    f->loader = PKS_LOADER_OTHER;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
      if (pks_span_is(name->text, known[i])) f->loader = (pks_match_loader)i;
  }
  /* pandas.read_pickle hands no buffers over, and what ASCII does not decode it reads again as latin1
   * (pandas/io/pickle.py). */
  bool pandas = f->loader == PKS_LOADER_PANDAS;
  f->encoding = read_string(r, object, "encoding",
                            !python3 ? NULL
                            : pandas ? "latin1"
                                     : "ASCII",
                            "\"encoding\" is not a text, or too long");
  f->errors = read_string(r, object, "errors", python3 ? "strict" : NULL,
                          "\"errors\" is not a text, or too long");
  f->fix_imports = read_bool(r, object, "fix_imports", python3, "\"fix_imports\" is not a boolean");
  f->buffers = pandas ? PKS_ANSWER_NO : PKS_ANSWER_UNKNOWN;
  if (pks_match_node_find(object, "buffers"))
    f->buffers = read_bool(r, object, "buffers", false, "\"buffers\" is not a boolean")
                     ? PKS_ANSWER_YES
                     : PKS_ANSWER_NO;
  /* torch.load answers persistent ids; a loader that is not known may. */
  f->persistent_load = f->loader == PKS_LOADER_TORCH   ? PKS_ANSWER_YES
                       : f->loader == PKS_LOADER_OTHER ? PKS_ANSWER_UNKNOWN
                                                       : PKS_ANSWER_NO;
  if (pks_match_node_find(object, "persistent_load"))
    f->persistent_load =
        read_bool(r, object, "persistent_load", false, "\"persistent_load\" is not a boolean")
            ? PKS_ANSWER_YES
            : PKS_ANSWER_NO;
  f->has_allowed = pks_match_node_find(object, "allowed") != NULL;
  return r->status == PKS_OK &&
         read_names_of(r, object, "allowed", &f->allowed, "\"allowed\" is not a list of names");
}

/* ---- the lists ------------------------------------------------------------------------------------------- */

static bool read_complete(pks_reading *r, const pks_node *root) {
  static const char *const known[] = {"top_level", "modules", "distributions", "extensions"};
  pks_match_names names;
  if (!read_names_of(r, root, "complete", &names, "\"complete\" is not a list of names"))
    return false;
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (pks_match_names_find(&names, pks_match_span(known[i])) != PKS_MATCH_NONE)
      r->target->facts.complete |= 1u << i;
  return true;
}

static bool read_stdlib(pks_reading *r, const pks_node *root) {
  const char *complaint = "\"stdlib\" is not \"table\" or \"listed\"";
  const pks_node *node = want(r, root, "stdlib", PKS_NODE_TEXT, complaint);
  r->target->facts.table = true;
  if (!node) return r->status == PKS_OK;
  r->target->facts.table = pks_span_is(node->text, "table");
  return r->target->facts.table || pks_span_is(node->text, "listed") ||
         pks_match_fault(r, node, complaint);
}

static bool read_main(pks_reading *r, const pks_node *root) {
  pks_match_facts *f = &r->target->facts;
  const pks_node *object = want(r, root, "main", PKS_NODE_OBJECT, "\"main\" is not an object");
  f->main_open = read_bool(r, object, "open", true, "\"open\" is not a boolean");
  return r->status == PKS_OK &&
         read_names_of(r, object, "names", &f->main, "\"names\" is not a list of names");
}

/* Normalises the keys of `distributions`, the names of `unlisted`. */
static bool normalise(pks_reading *r, pks_node *node, pks_span *name) {
  pks_match_target *t = r->target;
  if (name->size == 0 || name->size > PKS_MATCH_MAX_NAME)
    return pks_match_fault(r, node, "a distribution's name is empty or too long");
  pks_span normal = pks_match_normalised(&t->mem, &t->document.texts, *name);
  if (!normal.data) return pks_match_fault_memory(r);
  *name = normal;
  return true;
}

static bool read_distributions(pks_reading *r, const pks_node *root) {
  pks_match_target *t = r->target;
  pks_match_facts *f = &t->facts;
  pks_node *object =
      want(r, root, "distributions", PKS_NODE_OBJECT, "\"distributions\" is not an object");
  uint32_t count = 0;
  if (!object) return r->status == PKS_OK;
  for (pks_node *node = object->child; node; node = node->next, count++) {
    if (node->type != PKS_NODE_TEXT)
      return pks_match_fault(r, node, "a distribution's version is not a text");
    if (!normalise(r, node, &node->key)) return false;
  }
  const pks_node *twin = pks_match_node_sort_keys(object);
  if (twin) return pks_match_fault(r, twin, "a distribution that occurs twice");
  if (!pks_match_names_take(&t->mem, &t->arena, &f->distributions, count))
    return pks_match_fault_memory(r);
  f->distribution_version = pks_base_arena_take(&t->mem, &t->arena, (count + 1) * sizeof(pks_span));
  if (!f->distribution_version) return pks_match_fault_memory(r);
  count = 0;
  for (const pks_node *node = object->child; node; node = node->next, count++) {
    pks_match_names_add(&f->distributions, node->key);
    f->distribution_version[count] = node->text;
  }
  return true;
}

static bool read_unlisted(pks_reading *r, const pks_node *root) {
  const char *complaint = "\"unlisted\" is not a list of distributions";
  pks_node *array = want(r, root, "unlisted", PKS_NODE_ARRAY, complaint);
  for (pks_node *node = array ? array->child : NULL; node; node = node->next) {
    if (node->type != PKS_NODE_TEXT) return pks_match_fault(r, node, complaint);
    if (!normalise(r, node, &node->text)) return false;
  }
  return r->status == PKS_OK && read_names(r, array, &r->target->facts.unlisted, complaint);
}

/* "240": "module:name" */
static bool read_extension(pks_reading *r, const pks_node *node, pks_match_extension *out) {
  const char *complaint = "an extension is not \"CODE\": \"MODULE:NAME\", CODE 1 to 2147483647";
  uint64_t code = 0;
  const uint8_t *colon =
      node->type == PKS_NODE_TEXT ? memchr(node->text.data, ':', node->text.size) : NULL;
  for (size_t i = 0; i < node->key.size; i++) {
    uint8_t c = node->key.data[i];
    if (c < '0' || c > '9' || (i == 0 && c == '0') || i > 9)
      return pks_match_fault(r, node, complaint);
    code = code * 10 + (uint64_t)(c - '0');
  }
  if (!colon || code == 0 || code > INT32_MAX || node->text.size > 2 * PKS_MATCH_MAX_NAME)
    return pks_match_fault(r, node, complaint);
  out->code = (uint32_t)code;
  out->module = (pks_span){node->text.data, (size_t)(colon - node->text.data)};
  out->name = (pks_span){colon + 1, node->text.size - out->module.size - 1};
  if (out->module.size == 0 || out->name.size == 0) return pks_match_fault(r, node, complaint);
  return true;
}

static bool read_extensions(pks_reading *r, const pks_node *root) {
  pks_match_target *t = r->target;
  pks_match_facts *f = &t->facts;
  const pks_node *object =
      want(r, root, "extensions", PKS_NODE_OBJECT, "\"extensions\" is not an object");
  if (!object) return r->status == PKS_OK;
  for (const pks_node *node = object->child; node; node = node->next) f->extensions++;
  f->extension =
      pks_base_arena_take(&t->mem, &t->arena, (f->extensions + 1) * sizeof *f->extension);
  if (!f->extension) return pks_match_fault_memory(r);
  uint32_t count = 0;
  for (const pks_node *node = object->child; node; node = node->next)
    if (!read_extension(r, node, &f->extension[count++])) return false;
  return true;
}

/* ---- modules --------------------------------------------------------------------------------------------- */

static pks_match_kind kind_of(pks_span letter) {
  static const char letters[] = "pmenx";
  const char *found = letter.size == 1 && letter.data[0]
                          ? memchr(letters, letter.data[0], sizeof letters - 1)
                          : NULL;
  return found ? (pks_match_kind)(found - letters + 1) : PKS_MODULE_ANY;
}

/* No part of a dotted name is empty. */
static bool is_dotted_name(pks_span name) {
  if (name.size == 0 || name.size > PKS_MATCH_MAX_NAME || name.data[name.size - 1] == '.')
    return false;
  for (size_t i = 0; i < name.size; i++)
    if (name.data[i] == '.' && (i == 0 || name.data[i - 1] == '.')) return false;
  return true;
}

static bool read_module(pks_reading *r, pks_node *node, pks_match_module *module) {
  *module = (pks_match_module){.why = PKS_WHY_LISTED};
  if (!is_dotted_name(node->key)) return pks_match_fault(r, node, "not the name of a module");
  if (node->type != PKS_NODE_OBJECT) return pks_match_fault(r, node, "a module is not an object");
  pks_node *distribution = want(r, node, "d", PKS_NODE_TEXT, "\"d\" is not a text");
  const pks_node *kind = want(r, node, "k", PKS_NODE_TEXT, "\"k\" is not a text");
  pks_node *names = want(r, node, "a", PKS_NODE_ARRAY, "\"a\" is not a list of names");
  pks_node *lacks = want(r, node, "lacks", PKS_NODE_ARRAY, "\"lacks\" is not a list of names");
  module->open = read_bool(r, node, "open", false, "\"open\" is not a boolean");
  module->broken = read_bool(r, node, "fails", false, "\"fails\" is not a boolean");
  if (kind) module->kind = (uint8_t)kind_of(kind->text);
  if (distribution) {
    if (!normalise(r, distribution, &distribution->text)) return false;
    module->distribution = distribution->text;
  }
  module->has_attributes = names != NULL;
  return r->status == PKS_OK &&
         read_names(r, names, &module->attributes, "\"a\" is not a list of names") &&
         read_names(r, lacks, &module->lacks, "\"lacks\" is not a list of names");
}

static bool read_modules(pks_reading *r, const pks_node *root) {
  pks_match_target *t = r->target;
  const pks_node *object =
      want(r, root, "modules", PKS_NODE_OBJECT, "\"modules\" is not an object");
  size_t count = 0;
  if (r->status != PKS_OK) return false;
  for (const pks_node *node = object ? object->child : NULL; node; node = node->next) count++;
  pks_match_module *listed = pks_base_arena_take(&t->mem, &t->arena, (count + 1) * sizeof *listed);
  if (!listed) return pks_match_fault_memory(r);
  count = 0;
  for (pks_node *node = object ? object->child : NULL; node; node = node->next)
    if (!read_module(r, node, &listed[count++])) return false;
  return pks_match_read_modules(r, object, listed);
}

bool pks_match_read_facts(pks_reading *r) {
  const pks_node *root = r->target->document.root;
  r->target->facts = (pks_match_facts){0};
  return read_interpreter(r, root) && read_platform(r, root) && read_loader(r, root) &&
         read_complete(r, root) && read_stdlib(r, root) && read_main(r, root) &&
         read_names_of(r, root, "absent", &r->target->facts.absent,
                       "\"absent\" is not a list of names") &&
         read_distributions(r, root) && read_unlisted(r, root) && read_extensions(r, root) &&
         read_modules(r, root);
}
