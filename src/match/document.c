#include "match/document.h"

#include <string.h>

#include "base/json_in.h"

int pks_match_span_order(pks_span a, pks_span b) {
  size_t least = a.size < b.size ? a.size : b.size;
  int order = least ? memcmp(a.data, b.data, least) : 0;
  return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

/* ---- sorting lists ------------------------------------------------------------------------------- */

static bool not_after(const pks_node *a, const pks_node *b, bool by_key) {
  return pks_match_span_order(by_key ? a->key : a->text, by_key ? b->key : b->text) <= 0;
}

/* Takes two sorted lists apart into one; returns where its last next pointer is. */
static pks_node **merge(pks_node *a, pks_node *b, bool by_key, pks_node **tail) {
  while (a && b) {
    pks_node **from = not_after(a, b, by_key) ? &a : &b;
    *tail = *from;
    tail = &(*from)->next;
    *from = *tail;
  }
  *tail = a ? a : b;
  while (*tail) tail = &(*tail)->next;
  return tail;
}

/* Cuts `count` nodes off the list; returns the rest. */
static pks_node *cut(pks_node *list, size_t count) {
  while (list && --count > 0) list = list->next;
  if (!list) return NULL;
  pks_node *rest = list->next;
  list->next = NULL;
  return rest;
}

/* Merge sort from runs of one up: no recursion, no memory, no slow input. */
static pks_node *sort_list(pks_node *list, bool by_key) {
  const pks_node *sorted = list; /* canonical documents are */
  while (sorted && sorted->next && not_after(sorted, sorted->next, by_key)) sorted = sorted->next;
  if (!sorted || !sorted->next) return list;
  for (size_t run = 1;; run *= 2) {
    pks_node *first = NULL, **tail = &first;
    size_t merges = 0;
    for (pks_node *a = list; a; merges++) {
      pks_node *b = cut(a, run), *rest = cut(b, run);
      tail = merge(a, b, by_key, tail);
      a = rest;
    }
    list = first;
    if (merges <= 1) return list;
  }
}

void pks_match_node_sort_texts(pks_node *array) {
  array->child = sort_list(array->child, false);
  for (pks_node *node = array->child; node && node->next;) {
    if (pks_match_span_order(node->text, node->next->text) == 0)
      node->next = node->next->next;
    else
      node = node->next;
  }
}

const pks_node *pks_match_node_sort_keys(pks_node *object) {
  object->child = sort_list(object->child, true);
  for (pks_node *node = object->child; node && node->next; node = node->next)
    if (pks_match_span_order(node->key, node->next->key) == 0)
      return node->offset > node->next->offset ? node : node->next;
  return NULL;
}

/* ---- reading -------------------------------------------------------------------------------------- */

typedef struct builder {
  pks_document *document;
  pks_node *open[PKS_DOCUMENT_DEPTH], **tail[PKS_DOCUMENT_DEPTH];
  size_t depth;
  pks_span key;
} builder;

static bool add_value(pks_json_in *json, builder *b, pks_json_event event) {
  static const pks_node_type types[] = {
      [PKS_JSON_OBJECT] = PKS_NODE_OBJECT, [PKS_JSON_ARRAY] = PKS_NODE_ARRAY,
      [PKS_JSON_TEXT] = PKS_NODE_TEXT,     [PKS_JSON_INTEGER] = PKS_NODE_INTEGER,
      [PKS_JSON_FALSE] = PKS_NODE_FALSE,   [PKS_JSON_TRUE] = PKS_NODE_TRUE,
      [PKS_JSON_NULL] = PKS_NODE_NULL};
  pks_node *node = pks_base_arena_take(json->mem, &b->document->nodes, sizeof *node);
  if (!node) return false;
  memset(node, 0, sizeof *node);
  node->offset = (uint32_t)json->offset;
  node->key = b->key;
  b->key = (pks_span){0};
  node->type = types[event];
  if (node->type == PKS_NODE_TEXT) node->text = json->text;
  if (node->type == PKS_NODE_INTEGER) node->integer = json->integer;
  if (b->depth > 0) {
    *b->tail[b->depth - 1] = node;
    b->tail[b->depth - 1] = &node->next;
  } else {
    b->document->root = node;
  }
  if (node->type >= PKS_NODE_ARRAY) {
    b->open[b->depth] = node;
    b->tail[b->depth++] = &node->child;
  }
  return true;
}

static pks_status read_events(pks_json_in *json, pks_document *document) {
  builder b = {.document = document};
  for (pks_json_event event; (event = pks_base_json_in_next(json)) > PKS_JSON_END;) {
    if (event == PKS_JSON_KEY) {
      b.key = json->text;
    } else if (event == PKS_JSON_OBJECT_END || event == PKS_JSON_ARRAY_END) {
      b.depth--;
      if (event == PKS_JSON_OBJECT_END) pks_match_node_sort_keys(b.open[b.depth]);
    } else if (!add_value(json, &b, event)) {
      json->status = json->mem->status;
      json->why = pks_status_text(json->status);
      break;
    }
  }
  return json->status;
}

static void say(pks_error *error, pks_status status, uint64_t offset, const char *text) {
  if (!error) return;
  error->status = status;
  error->offset = offset;
  error->opcode = error->exception = NULL;
  error->text = text;
}

pks_status pks_match_document_read(pks_mem *mem, pks_document *document, const void *data,
                                   size_t size, pks_error *error) {
  const uint8_t *copy = NULL;
  if (size > UINT32_MAX)
    mem->status = PKS_E_LIMIT_MEMORY;
  else
    copy = pks_base_arena_copy(mem, &document->texts, data, size);
  if (!copy) {
    say(error, mem->status, 0, pks_status_text(mem->status));
    return mem->status;
  }
  pks_json_in json = {.mem = mem,
                      .data = copy,
                      .size = size,
                      .max_depth = PKS_DOCUMENT_DEPTH,
                      .malformed = PKS_E_FINGERPRINT,
                      .texts = document->texts};
  pks_status status = read_events(&json, document);
  document->texts = json.texts; /* the document keeps what the reader decoded */
  json.texts = (pks_arena){0};
  if (status != PKS_OK) {
    say(error, status, json.offset, json.why);
  } else if (document->root->type != PKS_NODE_OBJECT) {
    status = PKS_E_FINGERPRINT;
    say(error, status, document->root->offset, "an object is expected");
  }
  pks_base_json_in_close(&json);
  return status;
}

void pks_match_document_free(pks_mem *mem, pks_document *document) {
  pks_base_arena_free(mem, &document->nodes);
  pks_base_arena_free(mem, &document->texts);
  document->root = NULL;
}

/* ---- finding and changing --------------------------------------------------------------------------- */

pks_node *pks_match_node_find_span(const pks_node *object, pks_span key) {
  pks_node *node = object ? object->child : NULL;
  while (node && pks_match_span_order(node->key, key) != 0) node = node->next;
  return node;
}

pks_node *pks_match_node_find(const pks_node *object, const char *key) {
  return pks_match_node_find_span(object, pks_match_span(key));
}

bool pks_match_node_set_text(pks_mem *mem, pks_document *document, pks_node *node, pks_span text) {
  node->text.data = pks_base_arena_copy(mem, &document->texts, text.data, text.size);
  node->text.size = text.size;
  return node->text.data != NULL;
}

pks_node *pks_match_node_put(pks_mem *mem, pks_document *document, pks_node *parent,
                             const pks_span *key, pks_node_type type) {
  pks_node **at = &parent->child;
  int order = -1;
  while (*at && (!key || (order = pks_match_span_order((*at)->key, *key)) < 0)) at = &(*at)->next;
  pks_node *node = *at;
  if (!node || !key || order != 0) {
    node = pks_base_arena_take(mem, &document->nodes, sizeof *node);
    if (!node) return NULL;
    memset(node, 0, sizeof *node);
    if (key) {
      node->key.data = pks_base_arena_copy(mem, &document->texts, key->data, key->size);
      if (!node->key.data) return NULL;
      node->key.size = key->size;
    }
    node->next = *at;
    *at = node;
  }
  node->type = type;
  node->child = NULL;
  node->text = (pks_span){0};
  node->integer = 0;
  return node;
}

/* ---- writing ---------------------------------------------------------------------------------------- */

typedef struct writer {
  pks_document_write_fn write;
  void *user;
} writer;

static void put(const writer *w, const char *text) { w->write(w->user, text, strlen(text)); }

static void put_escape(const writer *w, uint8_t c) {
  static const char short_ones[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
  const char *known = c ? strchr(short_ones, c) : NULL;
  char escape[7] = "\\u00";
  if (known) {
    escape[1] = letters[known - short_ones];
    w->write(w->user, escape, 2);
    return;
  }
  escape[4] = "0123456789abcdef"[c >> 4];
  escape[5] = "0123456789abcdef"[c & 15];
  w->write(w->user, escape, 6);
}

static void put_text(const writer *w, pks_span text) {
  size_t done = 0;
  put(w, "\"");
  for (size_t i = 0; i < text.size; i++) {
    uint8_t c = text.data[i];
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    if (i > done) w->write(w->user, text.data + done, i - done);
    put_escape(w, c);
    done = i + 1;
  }
  if (text.size > done) w->write(w->user, text.data + done, text.size - done);
  put(w, "\"");
}

static void put_integer(const writer *w, int64_t value) {
  char digits[24];
  size_t at = sizeof digits;
  uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do {
    digits[--at] = (char)('0' + left % 10);
    left /= 10;
  } while (left > 0);
  if (value < 0) digits[--at] = '-';
  w->write(w->user, digits + at, sizeof digits - at);
}

static void put_simple(const writer *w, const pks_node *node) {
  switch (node->type) {
    case PKS_NODE_NULL: put(w, "null"); break;
    case PKS_NODE_FALSE: put(w, "false"); break;
    case PKS_NODE_TRUE: put(w, "true"); break;
    case PKS_NODE_INTEGER: put_integer(w, node->integer); break;
    case PKS_NODE_TEXT: put_text(w, node->text); break;
    case PKS_NODE_ARRAY:
    case PKS_NODE_OBJECT: break;
  }
}

void pks_match_document_write(const pks_node *root, pks_document_write_fn write, void *user) {
  const writer w = {write, user};
  const pks_node *open[PKS_DOCUMENT_DEPTH], *node = root;
  size_t depth = 0;
  while (node) {
    if (depth > 0 && open[depth - 1]->type == PKS_NODE_OBJECT) {
      put_text(&w, node->key);
      put(&w, ":");
    }
    if (node->type >= PKS_NODE_ARRAY) {
      put(&w, node->type == PKS_NODE_OBJECT ? "{" : "[");
      open[depth++] = node;
      if (node->child) {
        node = node->child;
        continue;
      }
      depth--;
      put(&w, node->type == PKS_NODE_OBJECT ? "}" : "]");
    } else {
      put_simple(&w, node);
    }
    /* On to the next sibling, of this node or of the innermost one around it that has any. */
    while (depth > 0 && !node->next) {
      node = open[--depth];
      put(&w, node->type == PKS_NODE_OBJECT ? "}" : "]");
    }
    if (depth > 0) put(&w, ",");
    node = depth > 0 ? node->next : NULL;
  }
}
