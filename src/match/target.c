/* match/target.c - making and changing targets. */
#include "match/target.h"

#include <string.h>

#include "base/settings.h"
#include "base/utf8.h"
#include "match/build.h"

static pks_status say(pks_error *error, pks_status status, uint64_t offset, const char *text) {
  if (error && status != PKS_OK) {
    error->status = status;
    error->offset = offset;
    error->opcode = error->exception = NULL;
    error->text = text;
  }
  return status;
}

static pks_status say_memory(pks_error *error, const pks_match_target *t) {
  pks_status status = t ? t->mem.status : PKS_E_NO_MEMORY;
  return say(error, status, 0, pks_status_text(status));
}

/* ---- name and id -------------------------------------------------------------------------------------- */

static char *append(char *at, const char *text, size_t size) {
  memcpy(at, text, size);
  return at + size;
}

static char *append_number(char *at, uint32_t value) {
  char digits[3];
  size_t count = 0;
  do {
    digits[count++] = (char)('0' + value % 10);
    value /= 10;
  } while (value > 0);
  while (count > 0) *at++ = digits[--count];
  return at;
}

/* "cpython-3.12.1": an implementation of at most 24 characters, numbers of at most three. */
static void set_name(pks_match_target *t) {
  const pks_match_facts *f = &t->facts;
  char *at = append(t->name, (const char *)f->implementation.data, f->implementation.size);
  memcpy(t->implementation, t->name, f->implementation.size);
  t->implementation[f->implementation.size] = '\0';
  *at++ = '-';
  at = append_number(at, f->python >> 16);
  *at++ = '.';
  at = append_number(at, f->python >> 8 & 0xff);
  if ((f->python & 0xff) != 0xff) {
    *at++ = '.';
    at = append_number(at, f->python & 0xff);
  }
  *at = '\0';
}

static void feed(void *sha, const void *data, size_t size) {
  pks_base_sha256_feed(sha, data, size);
}

static void set_id(pks_match_target *t) {
  pks_sha256 sha;
  uint8_t digest[PKS_SHA256_SIZE];
  pks_base_sha256_start(&sha);
  pks_match_document_write(t->document.root, feed, &sha);
  pks_base_sha256_finish(&sha, digest);
  pks_base_sha256_hex(digest, append(t->id, "sha256:", 7));
}

void pks_match_target_write(const pks_match_target *target, pks_document_write_fn write,
                            void *user) {
  pks_match_document_write(target->document.root, write, user);
}

/* The names of micro.def that concern this version. */
static void set_micros(pks_match_facts *f) {
#define MICRO(bit, module, name, since) {bit, module, name, since},
  static const struct {
    int version;
    const char *module, *name;
    uint8_t since;
  } rows[] = {
#include "match/micro.def"
  };
#undef MICRO
  for (size_t i = 0; i < sizeof rows / sizeof *rows && f->micros < PKS_MATCH_MICROS; i++)
    if (rows[i].version == f->version)
      f->micro[f->micros++] =
          (pks_match_micro){pks_match_stdlib_find(pks_match_span(rows[i].module)),
                            pks_match_span(rows[i].name), rows[i].since};
}

pks_status pks_match_target_refresh(pks_match_target *t, pks_error *error) {
  pks_reading reading = {.target = t};
  pks_base_arena_reset(&t->arena);
  if (!pks_match_read_facts(&reading))
    return say(error, reading.status, reading.offset, reading.text);
  set_micros(&t->facts);
  set_name(t);
  if (!t->quick) set_id(t);
  return PKS_OK;
}

/* ---- making ---------------------------------------------------------------------------------------------- */

static pks_match_target *new_target(const pks_alloc *alloc) {
  pks_limits limits;
  pks_base_limits(&limits, NULL);
  return pks_base_object_new(alloc, limits.max_memory, sizeof(pks_match_target));
}

void pks_match_target_free(pks_match_target *t) {
  if (!t) return;
  pks_match_document_free(&t->mem, &t->document);
  pks_base_arena_free(&t->mem, &t->arena);
  pks_base_object_free(t, sizeof *t);
}

/* Hands out t, or frees it when status is an error. */
static pks_status finish(pks_match_target *t, pks_status status, pks_match_target **target) {
  if (status != PKS_OK) {
    pks_match_target_free(t);
    t = NULL;
  }
  *target = t;
  return status;
}

static pks_status read(const pks_alloc *alloc, const void *data, size_t size, bool quick,
                       pks_match_target **target, pks_error *error) {
  pks_match_target *t = new_target(alloc);
  *target = NULL;
  if (!t) return say_memory(error, NULL);
  t->quick = quick;
  pks_status status = pks_match_document_read(&t->mem, &t->document, data, size, error);
  if (status == PKS_OK) status = pks_match_target_refresh(t, error);
  return finish(t, status, target);
}

pks_status pks_match_target_read(const pks_alloc *alloc, const void *data, size_t size,
                                 pks_match_target **target, pks_error *error) {
  return read(alloc, data, size, false, target, error);
}

pks_status pks_match_target_read_quick(const pks_alloc *alloc, const void *data, size_t size,
                                       pks_match_target **target, pks_error *error) {
  return read(alloc, data, size, true, target, error);
}

/* "cpython-3.13.5" -> its version; *micro 0xff when the name has none. -1: no such. */
static int parse_name(const char *name, uint32_t *micro) {
  for (unsigned i = 0; i < pks_match_version_count; i++) {
    const char *base = pks_match_version_name(i);
    size_t size = strlen(base);
    if (strncmp(name, base, size) != 0) continue;
    const char *rest = name + size;
    *micro = 0xff;
    if (!*rest) return (int)i;
    uint32_t value = 0;
    size_t digits = 0;
    if (*rest++ != '.' || (rest[0] == '0' && rest[1])) continue;
    for (; *rest >= '0' && *rest <= '9' && digits < 4; digits++)
      value = value * 10 + (uint32_t)(*rest++ - '0');
    if (*rest || digits == 0 || value > 254) continue;
    *micro = value;
    return (int)i;
  }
  return -1;
}

/* ---- changing documents -------------------------------------------------------------------------------------- */

/* What a document is changed with: after the first refusal nothing is done any more. */
typedef struct edit {
  pks_match_target *target;
  bool refused;
} edit;

static pks_node *put(edit *e, pks_node *parent, const char *key, pks_node_type type) {
  if (e->refused || !parent) return NULL;
  pks_match_target *t = e->target;
  pks_span span = pks_match_span(key ? key : "");
  pks_node *node = pks_match_node_put(&t->mem, &t->document, parent, key ? &span : NULL, type);
  if (!node) e->refused = true;
  return node;
}

/* The object or array of that key, made when there is none. Of another type: as it is, for the reader
 * to complain of. */
static pks_node *have(edit *e, pks_node *parent, const char *key, pks_node_type type) {
  pks_node *node = pks_match_node_find(parent, key);
  return node ? node : put(e, parent, key, type);
}

static void put_span(edit *e, pks_node *parent, const char *key, pks_span text) {
  pks_node *node = put(e, parent, key, PKS_NODE_TEXT);
  pks_match_target *t = e->target;
  if (node && !pks_match_node_set_text(&t->mem, &t->document, node, text)) e->refused = true;
}

static void put_text(edit *e, pks_node *parent, const char *key, const char *text) {
  put_span(e, parent, key, pks_match_span(text));
}

static void put_integer(edit *e, pks_node *parent, const char *key, int64_t value) {
  pks_node *node = put(e, parent, key, PKS_NODE_INTEGER);
  if (node) node->integer = value;
}

static void put_bool(edit *e, pks_node *parent, const char *key, bool value) {
  put(e, parent, key, value ? PKS_NODE_TRUE : PKS_NODE_FALSE);
}

static pks_status finish_edit(edit *e, pks_error *error) {
  return e->refused ? say_memory(error, e->target) : pks_match_target_refresh(e->target, error);
}

/* The fingerprint of a built-in Python: its standard library is known, nothing else is. */
static void put_builtin(edit *e, const pks_match_version *v, uint32_t micro) {
  pks_node *root = pks_base_arena_take(&e->target->mem, &e->target->document.nodes, sizeof *root);
  if (!root) {
    e->refused = true;
    return;
  }
  memset(root, 0, sizeof *root);
  root->type = PKS_NODE_OBJECT;
  e->target->document.root = root;
  put_text(e, root, "schema", "pickle-target/1");
  put_text(e, root, "implementation", v->implementation);
  pks_node *version = put(e, root, "version", PKS_NODE_ARRAY);
  put_integer(e, version, NULL, v->major);
  put_integer(e, version, NULL, v->minor);
  if (micro != 0xff) put_integer(e, version, NULL, micro);
  put_integer(e, root, "magic", v->magic);
  put_integer(e, root, "code_args", v->code_args);
  put_integer(e, root, "max_protocol", v->max_protocol);
  if (*v->cache_tag) put_text(e, root, "cache_tag", v->cache_tag);
  put_text(e, root, "stdlib", "table");
  pks_node *loader = put(e, root, "loader", PKS_NODE_OBJECT);
  put_text(e, loader, "name", "pickle");
  put_bool(e, loader, "fix_imports", v->major >= 3);
  put_bool(e, loader, "persistent_load", false);
  if (v->major >= 3) put_text(e, loader, "encoding", "ASCII");
}

pks_status pks_match_target_named(const pks_alloc *alloc, const char *name,
                                  pks_match_target **target, pks_error *error) {
  uint32_t micro;
  int version = name ? parse_name(name, &micro) : -1;
  *target = NULL;
  if (version < 0) return say(error, PKS_E_PYTHON, 0, "no built-in target of that name");
  pks_match_target *t = new_target(alloc);
  if (!t) return say_memory(error, NULL);
  edit e = {.target = t};
  put_builtin(&e, &pks_match_versions[version], micro);
  return finish(t, finish_edit(&e, error), target);
}

/* ---- changing targets ------------------------------------------------------------------------------------------ */

static bool is_one_of(char c, const char *others) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         (c && strchr(others, c));
}

/* Parts "NAME==VERSION". */
static bool parse_distribution(const char *text, pks_span *name, pks_span *version) {
  size_t size = 0;
  while (is_one_of(text[size], "-_.")) size++;
  *name = (pks_span){(const uint8_t *)text, size};
  if (size == 0 || size > PKS_MATCH_MAX_NAME || strncmp(text + size, "==", 2) != 0) return false;
  *version = pks_match_span(text + size + 2);
  for (size_t i = 0; i < version->size; i++)
    if (!is_one_of((char)version->data[i], ".+!_-")) return false;
  return version->size > 0;
}

/* Takes the modules that a distribution brings off the list of absent ones. */
static void no_longer_absent(pks_node *absent, size_t row, pks_span distribution) {
  for (; row < pks_match_brought_count &&
         pks_match_span_order(pks_match_brought[row].distribution, distribution) == 0;
       row++) {
    pks_span module = pks_match_brought[row].module;
    for (pks_node **at = &absent->child; *at;) {
      pks_span text = (*at)->text;
      bool inside = text.size >= module.size && memcmp(text.data, module.data, module.size) == 0 &&
                    (text.size == module.size || text.data[module.size] == '.');
      if (inside)
        *at = (*at)->next;
      else
        at = &(*at)->next;
    }
  }
}

pks_status pks_match_target_with(pks_match_target *t, const char *distribution, pks_error *error) {
  pks_span name, version;
  if (!distribution || !parse_distribution(distribution, &name, &version))
    return say(error, PKS_E_USAGE, 0, "a distribution is not NAME==VERSION");
  edit e = {.target = t};
  pks_node *root = t->document.root;
  name = pks_match_normalised(&t->mem, &t->document.texts, name);
  if (!name.data) return say_memory(error, t);
  pks_node *list = have(&e, root, "distributions", PKS_NODE_OBJECT);
  pks_node *node =
      e.refused ? NULL : pks_match_node_put(&t->mem, &t->document, list, &name, PKS_NODE_TEXT);
  if (!node || !pks_match_node_set_text(&t->mem, &t->document, node, version))
    return say_memory(error, t);
  size_t row = pks_match_brought_by(name);
  if (row == pks_match_brought_count) {
    pks_node *unlisted = have(&e, root, "unlisted", PKS_NODE_ARRAY);
    put_span(&e, unlisted, NULL, name);
  }
  pks_node *absent = pks_match_node_find(root, "absent");
  if (absent) no_longer_absent(absent, row, name);
  return finish_edit(&e, error);
}

pks_status pks_match_target_bare(pks_match_target *t, pks_error *error) {
  edit e = {.target = t};
  pks_node *complete = have(&e, t->document.root, "complete", PKS_NODE_ARRAY);
  put_text(&e, complete, NULL, "distributions");
  put_text(&e, complete, NULL, "top_level");
  return finish_edit(&e, error);
}

static bool is_name(const char *text) {
  pks_span span = pks_match_span(text ? text : "");
  return span.size <= PKS_MATCH_MAX_NAME && pks_base_utf8_valid(span.data, span.size, false);
}

static void drop(pks_node *object, const char *key) {
  for (pks_node **at = object ? &object->child : NULL; at && *at; at = &(*at)->next)
    if (pks_match_span_order((*at)->key, pks_match_span(key)) == 0) {
      *at = (*at)->next;
      return;
    }
}

/* What follows from a loader goes with it: whether there is a persistent_load, and what pandas.read_pickle
 * gives pickle.load, for which its callers have no arguments (read_loader in fingerprint.c). */
static void put_loader(edit *e, pks_node *loader, const char *name) {
  bool pandas = strcmp(name, "pandas") == 0;
  put_text(e, loader, "name", name);
  drop(loader, "persistent_load");
  if (!pandas && e->target->facts.loader != PKS_LOADER_PANDAS) return;
  drop(loader, "encoding");
  drop(loader, "errors");
  drop(loader, "buffers");
}

pks_status pks_match_target_loading(pks_match_target *t, const pks_match_loading *loading,
                                    pks_error *error) {
  if (!is_name(loading->loader) || !is_name(loading->encoding) || !is_name(loading->errors))
    return say(error, PKS_E_USAGE, 0, "a loader, encoding or error handler that is no name");
  edit e = {.target = t};
  pks_node *loader = have(&e, t->document.root, "loader", PKS_NODE_OBJECT);
  if (loading->loader) put_loader(&e, loader, loading->loader);
  if (loading->encoding) put_text(&e, loader, "encoding", loading->encoding);
  if (loading->errors) put_text(&e, loader, "errors", loading->errors);
  if (loading->buffers) put_bool(&e, loader, "buffers", loading->buffers == PKS_ANSWER_YES);
  if (loading->persistent_load)
    put_bool(&e, loader, "persistent_load", loading->persistent_load == PKS_ANSWER_YES);
  return finish_edit(&e, error);
}
