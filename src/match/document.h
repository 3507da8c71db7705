/* match/document.h - a JSON document as a tree that can be changed and written in canonical form. */
#ifndef PKS_MATCH_DOCUMENT_H
#define PKS_MATCH_DOCUMENT_H

#include "base/arena.h"

#define PKS_DOCUMENT_DEPTH 32 /* objects and arrays within one another */

typedef enum pks_node_type {
  PKS_NODE_NULL,
  PKS_NODE_FALSE,
  PKS_NODE_TRUE,
  PKS_NODE_INTEGER,
  PKS_NODE_TEXT,
  PKS_NODE_ARRAY,
  PKS_NODE_OBJECT
} pks_node_type;

typedef struct pks_node pks_node;
struct pks_node {
  pks_node *next;  /* sibling; in an object by key */
  pks_node *child; /* first one */
  pks_span key, text;
  int64_t integer;
  uint32_t offset; /* where it begins in what was read; 0 for one that was put there */
  pks_node_type type;
};

typedef struct pks_document {
  pks_arena nodes, texts;
  pks_node *root; /* an object, or NULL */
} pks_document;

/* Reads a text, which need not stay. E_FINGERPRINT, E_NO_MEMORY, E_LIMIT_MEMORY: *error says where and
 * why (may be NULL). Only integers are numbers. */
pks_status pks_match_document_read(pks_mem *mem, pks_document *document, const void *data,
                                   size_t size, pks_error *error);
void pks_match_document_free(pks_mem *mem, pks_document *document);

/* The value of a key, or NULL. */
pks_node *pks_match_node_find(const pks_node *object, const char *key);
pks_node *pks_match_node_find_span(const pks_node *object, pks_span key);

/* The value of that key, new or emptied, of that type; or, in an array, a new one at the end (key NULL).
 * NULL: no memory. Texts are copied. */
pks_node *pks_match_node_put(pks_mem *mem, pks_document *document, pks_node *parent,
                             const pks_span *key, pks_node_type type);
bool pks_match_node_set_text(pks_mem *mem, pks_document *document, pks_node *node, pks_span text);

/* Sorts an array of texts by code point; what occurs twice stays once. */
void pks_match_node_sort_texts(pks_node *array);
/* Sorts an object whose keys were changed; of two with one key the later one is returned. */
const pks_node *pks_match_node_sort_keys(pks_node *object);

/* By bytes, which for UTF-8 is by code point. */
int pks_match_span_order(pks_span a, pks_span b);
static inline pks_span pks_match_span(const char *text) {
  pks_span span = {(const uint8_t *)text, 0};
  while (text[span.size]) span.size++;
  return span;
}

/* Canonical form: keys sorted, no spaces, escapes only where JSON needs one. */
typedef void (*pks_document_write_fn)(void *user, const void *data, size_t size);
void pks_match_document_write(const pks_node *root, pks_document_write_fn write, void *user);

#endif
