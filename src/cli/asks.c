/* cli/asks.c - reports and lists of modules become questions for a capture. */
#include "cli/asks.h"

#include <string.h>

#include "base/json_in.h"

#define DEPTH 32

/* An object or array that is open. */
typedef struct level {
  pks_span key; /* of it; of an item of an array: the array's */
  pks_span module, name;
  bool object, relative;
} level;

typedef struct reading {
  pks_cli_asks *asks;
  pks_json_in json;
  level level[DEPTH];
  size_t depth;
  pks_span key;
  bool report; /* its schema, or a payload without one, was seen */
} reading;

void pks_cli_asks_init(pks_cli_asks *asks, uint64_t limit) {
  memset(asks, 0, sizeof *asks);
  pks_base_mem_init(&asks->mem, NULL, limit);
}

void pks_cli_asks_free(pks_cli_asks *asks) {
  pks_base_arena_free(&asks->mem, &asks->texts);
  pks_base_vec_free(&asks->mem, &asks->asks, sizeof(pks_capture_ask));
}

bool pks_cli_asks_next(void *user, size_t index, pks_capture_ask *ask) {
  const pks_cli_asks *asks = user;
  if (index >= asks->asks.count) return false;
  *ask = PKS_VEC_AT(&asks->asks, pks_capture_ask, index);
  return true;
}

/* ---- questions --------------------------------------------------------------------------------------- */

static bool copy(pks_cli_asks *asks, pks_span text, pks_span *out) {
  out->size = text.size;
  out->data = pks_base_arena_copy(&asks->mem, &asks->texts, text.data, text.size);
  return out->data != NULL;
}

static bool add(pks_cli_asks *asks, pks_span module, const pks_span *name) {
  pks_capture_ask *ask = pks_base_vec_push(&asks->mem, &asks->asks, sizeof *ask);
  pks_span *kept = NULL;
  if (!ask) return false;
  *ask = (pks_capture_ask){{0}, NULL};
  if (name) {
    kept = pks_base_arena_take(&asks->mem, &asks->texts, sizeof *kept);
    if (!kept || !copy(asks, *name, kept)) return false;
  }
  ask->name = kept;
  return copy(asks, module, &ask->module);
}

bool pks_cli_asks_modules(pks_cli_asks *asks, const char *list) {
  for (size_t size; *list; list += size + (list[size] == ',')) {
    size = strcspn(list, ",");
    pks_span module = {(const uint8_t *)list, size};
    if (size && !add(asks, module, NULL)) return false;
  }
  return true;
}

/* ---- reports ----------------------------------------------------------------------------------------- */

static bool is(pks_span text, const char *other) {
  return text.size == strlen(other) && memcmp(text.data, other, text.size) == 0;
}

static bool one_of(pks_span text, const char *const *others) {
  for (; *others; others++)
    if (is(text, *others)) return true;
  return false;
}

/* A text in an array: a module, or a name that an import statement takes from one. */
static bool item(reading *r, const level *array) {
  static const char *const modules[] = {"by_reference", "when_run", "imports", NULL};
  static const pks_span whole = {(const uint8_t *)"", 0};
  pks_span text = r->json.text;
  if (text.size == 0) return true;
  if (one_of(array->key, modules)) return add(r->asks, text, &whole);
  const level *around = r->depth > 1 ? &r->level[r->depth - 2] : NULL;
  bool imported = is(array->key, "names") && around && is(around->key, "import_details");
  if (!imported || around->relative || around->module.size == 0 || is(text, "*")) return true;
  return add(r->asks, around->module, &text);
}

static bool text(reading *r) {
  level *at = r->depth ? &r->level[r->depth - 1] : NULL;
  if (!at) return true;
  if (!at->object) return item(r, at);
  if (r->depth == 1 && is(r->key, "schema"))
    r->report =
        r->json.text.size >= 19 && memcmp(r->json.text.data, "picklesight-report/", 19) == 0;
  if (r->depth == 1 && is(r->key, "container")) r->report = true; /* a payload of jsonl */
  if (is(r->key, "module")) at->module = r->json.text;
  if (is(r->key, "name")) at->name = r->json.text;
  if (is(r->key, "absolute")) {
    at->module = r->json.text;
    at->relative = false;
  }
  return true;
}

static bool open_level(reading *r, bool object) {
  if (r->depth == DEPTH) return false; /* the reader is told the same limit */
  const level *around = r->depth ? &r->level[r->depth - 1] : NULL;
  level *at = &r->level[r->depth++];
  *at = (level){.object = object};
  at->key = around && !around->object ? around->key : around ? r->key : (pks_span){0};
  return true;
}

static bool close_level(reading *r) {
  const level *at = &r->level[--r->depth];
  bool global = at->object && (is(at->key, "globals") || is(at->key, "spelled"));
  if (!global || at->module.size == 0 || at->name.size == 0) return true;
  return add(r->asks, at->module, &at->name);
}

static bool event(reading *r, pks_json_event e) {
  switch (e) {
    case PKS_JSON_OBJECT: return open_level(r, true);
    case PKS_JSON_ARRAY: return open_level(r, false);
    case PKS_JSON_OBJECT_END:
    case PKS_JSON_ARRAY_END: return close_level(r);
    case PKS_JSON_KEY: r->key = r->json.text; return true;
    case PKS_JSON_TEXT: return text(r);
    case PKS_JSON_INTEGER:
      if (r->depth && is(r->key, "level") && r->json.integer > 0)
        r->level[r->depth - 1].relative = true;
      return true;
    case PKS_JSON_FAILED:
    case PKS_JSON_END:
    case PKS_JSON_REAL:
    case PKS_JSON_FALSE:
    case PKS_JSON_TRUE:
    case PKS_JSON_NULL: return true;
  }
  return true;
}

static bool fail(pks_error *error, pks_status status, uint64_t offset, const char *why) {
  error->status = status;
  error->offset = offset;
  error->text = why;
  return false;
}

/* One JSON value. *report: it is one of ours. */
static bool read_value(pks_cli_asks *asks, const uint8_t *data, size_t size, bool *report,
                       pks_error *error) {
  reading r = {.asks = asks};
  pks_json_event e;
  r.json = (pks_json_in){.mem = &asks->mem,
                         .data = data,
                         .size = size,
                         .max_depth = DEPTH,
                         .flags = PKS_JSON_REALS | PKS_JSON_SURROGATES,
                         .malformed = PKS_E_FORMAT};
  bool good = true;
  while (good && (e = pks_base_json_in_next(&r.json)) > PKS_JSON_END) good = event(&r, e);
  if (!good)
    (void)fail(error, asks->mem.status, 0, pks_status_text(asks->mem.status));
  else if (r.json.status != PKS_OK)
    good = fail(error, r.json.status, r.json.offset, r.json.why);
  *report = r.report;
  pks_base_json_in_close(&r.json);
  return good;
}

/* Offsets in *error are from the line's start; `from` puts them right. */
static bool read_line(pks_cli_asks *asks, const uint8_t *data, size_t from, size_t size, bool *any,
                      pks_error *error) {
  bool report = false;
  if (!read_value(asks, data + from, size, &report, error)) {
    error->offset += from;
    return false;
  }
  *any |= report;
  return true;
}

bool pks_cli_asks_report(pks_cli_asks *asks, const void *data, size_t size, pks_error *error) {
  const uint8_t *bytes = data, *newline = size ? memchr(bytes, '\n', size) : NULL;
  size_t first = newline ? (size_t)(newline - bytes) : size;
  /* A first line that ends what it begins: an object a line. */
  bool lines = first > 0 && first < size && bytes[0] == '{' && bytes[first - 1] == '}';
  bool any = false;
  for (size_t from = 0, next; from < size; from = next) {
    newline = lines ? memchr(bytes + from, '\n', size - from) : NULL;
    next = newline ? (size_t)(newline - bytes) + 1 : size;
    if (next - from > 1 && !read_line(asks, bytes, from, next - from, &any, error)) return false;
  }
  return any ||
         fail(error, PKS_E_FORMAT, 0, "no report of picklesight (facts, needs or check --json)");
}
