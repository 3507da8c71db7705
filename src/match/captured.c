/* match/captured.c - from what a capture printed to a fingerprint: where the standard library is what the table
 * says, "table" takes the place of a list, and only differences are told.
 *
 * A captured document says "stdlib": "listed" and gives each module of the standard library "s": true, which
 * is taken away. What the table answers is asked of a target of the same Python that lists nothing. */
#include <string.h>

#include "match/build.h"

typedef struct settling {
  pks_match_target *target, *table; /* table: NULL when there is none for this Python */
  bool full;                        /* all modules were looked for, not only those asked about */
  pks_node added;                   /* a list of modules that are found to be absent */
  bool refused;
} settling;

static bool is_true(const pks_node *object, const char *key) {
  const pks_node *node = pks_match_node_find(object, key);
  return node && node->type == PKS_NODE_TRUE;
}

static void remove_key(pks_node *object, const char *key) {
  pks_span span = pks_match_span(key);
  for (pks_node **at = &object->child; *at; at = &(*at)->next)
    if (pks_match_span_order((*at)->key, span) == 0) {
      *at = (*at)->next;
      return;
    }
}

/* What no table has is not there, as far as the standard library goes. */
static pks_answer of_table(const settling *s, pks_span module) {
  pks_match_answer a = pks_match_has_module(s->table, module);
  return a.why == PKS_WHY_OPEN_WORLD ? PKS_ANSWER_NO : a.value;
}

static size_t last_dot(pks_span name) {
  size_t at = name.size;
  while (at > 0 && name.data[at - 1] != '.') at--;
  return at ? at - 1 : 0;
}

/* ---- one module ------------------------------------------------------------------------------------ */

/* Does the table say the same of these names of the module? */
static bool agree(const settling *s, pks_span module, const pks_node *names, pks_answer said) {
  for (const pks_node *node = names ? names->child : NULL; node; node = node->next) {
    pks_match_answer a = pks_match_has_attribute(s->table, module, node->text, true);
    /* A submodule is an attribute when somebody has imported it, which the capture may have. */
    bool loose = said == PKS_ANSWER_YES && a.why == PKS_WHY_SUBMODULE;
    if (a.value != said && !loose) return false;
  }
  return true;
}

/* Are all names that the table has among those of the module? */
static bool has_all(const settling *s, pks_span module, const pks_match_module *m) {
  uint32_t index = pks_match_stdlib_find(module), place = 0;
  pks_stdlib_fact fact;
  pks_span name;
  while (pks_match_stdlib_attribute_next(index, &place, &name, &fact)) {
    if (!(fact.present >> s->target->facts.version & 1) || fact.kind == PKS_STDLIB_LAZY) continue;
    if (memchr(name.data, '.', name.size)) continue; /* inside a class */
    if (pks_match_names_find(&m->attributes, name) != PKS_MATCH_NONE) continue;
    if (pks_match_has_attribute(s->table, module, name, false).value == PKS_ANSWER_YES)
      return false;
  }
  return true;
}

static bool is_lazy(const settling *s, pks_span module) {
  uint32_t index = pks_match_stdlib_find(module), place = 0;
  pks_stdlib_fact fact;
  pks_span name;
  while (pks_match_stdlib_attribute_next(index, &place, &name, &fact))
    if (fact.kind == PKS_STDLIB_LAZY && fact.present >> s->target->facts.version & 1) return true;
  return false;
}

/* Is an entry of the standard library what the table says anyway? */
static bool is_told(const settling *s, const pks_node *node) {
  pks_span module = node->key;
  uint32_t index = pks_match_names_find(&s->target->facts.modules, module);
  if (index == PKS_MATCH_NONE) return false;
  const pks_match_module *m = &s->target->facts.module[index];
  const pks_node *names = pks_match_node_find(node, "a");
  pks_answer there = of_table(s, module);
  if (m->broken) return false;
  if (there == PKS_ANSWER_UNKNOWN) return !names; /* its file is there: it may still not import */
  if (there == PKS_ANSWER_NO) {
    /* Below a package that is listed for itself a child is as unknown as its siblings. */
    size_t dot = last_dot(module);
    return dot > 0 && !names && of_table(s, (pks_span){module.data, dot}) == PKS_ANSWER_NO;
  }
  if (!names) return true;
  if (m->open && m->attributes.count == 0 && m->lacks.count == 0) return false;
  bool all = is_true(node, "all");
  return agree(s, module, names, PKS_ANSWER_YES) &&
         agree(s, module, pks_match_node_find(node, "lacks"), PKS_ANSWER_NO) &&
         (!all || has_all(s, module, m)) && (!all || !m->open || is_lazy(s, module));
}

static void settle_modules(settling *s) {
  pks_node *modules = pks_match_node_find(s->target->document.root, "modules");
  for (pks_node **at = modules ? &modules->child : NULL; at && *at;) {
    bool standard = is_true(*at, "s");
    bool told = standard && s->table && is_told(s, *at);
    remove_key(*at, "s");
    remove_key(*at, "all");
    if (told)
      *at = (*at)->next;
    else
      at = &(*at)->next;
  }
}

/* ---- what is missing ------------------------------------------------------------------------------------ */

/* Is the module, or a package around it, absent? */
static bool is_absent(const settling *s, pks_span module) {
  const pks_match_names *names = &s->target->facts.absent;
  for (size_t i = 1; names->count > 0 && i <= module.size; i++)
    if ((i == module.size || module.data[i] == '.') &&
        pks_match_names_find(names, (pks_span){module.data, i}) != PKS_MATCH_NONE)
      return true;
  for (const pks_node *node = s->added.child; node; node = node->next)
    if (module.size >= node->text.size &&
        memcmp(module.data, node->text.data, node->text.size) == 0 &&
        (module.size == node->text.size || module.data[node->text.size] == '.'))
      return true;
  return false;
}

static void put_absent(settling *s, pks_span module) {
  pks_match_target *t = s->target;
  pks_node *node = pks_match_node_put(&t->mem, &t->document, &s->added, NULL, PKS_NODE_TEXT);
  if (!node || !pks_match_node_set_text(&t->mem, &t->document, node, module)) s->refused = true;
}

/* What was added goes before what was there: a long list is not walked for each. */
static void take_added(settling *s) {
  pks_match_target *t = s->target;
  static const pks_span key = {(const uint8_t *)"absent", 6};
  pks_node *list = pks_match_node_find(t->document.root, "absent"), *last = s->added.child;
  if (!last || s->refused) return;
  if (!list)
    list = pks_match_node_put(&t->mem, &t->document, t->document.root, &key, PKS_NODE_ARRAY);
  if (!list) {
    s->refused = true;
    return;
  }
  while (last->next) last = last->next;
  last->next = list->child;
  list->child = s->added.child;
}

/* Was the module found, or may one that was found make it (os makes os.path)? */
static bool is_found(const settling *s, pks_span module) {
  const pks_match_facts *f = &s->target->facts;
  if (pks_match_names_find(&f->modules, module) != PKS_MATCH_NONE) return true;
  size_t dot = last_dot(module);
  uint32_t around =
      dot ? pks_match_names_find(&f->modules, (pks_span){module.data, dot}) : PKS_MATCH_NONE;
  return around != PKS_MATCH_NONE && f->module[around].kind != PKS_MODULE_PACKAGE &&
         f->module[around].kind != PKS_MODULE_NAMESPACE;
}

static void settle_missing(settling *s) {
  for (uint32_t i = 0; i < pks_match_stdlib_count() && !s->refused; i++) {
    pks_span module = pks_match_stdlib_name(i);
    if (!is_found(s, module) && of_table(s, module) == PKS_ANSWER_YES && !is_absent(s, module))
      put_absent(s, module);
  }
}

/* What the table does not have need not be said. */
static void settle_absent(settling *s) {
  pks_node *absent = pks_match_node_find(s->target->document.root, "absent");
  for (pks_node **at = absent ? &absent->child : NULL; at && *at;) {
    if (pks_match_has_module(s->table, (*at)->text).value == PKS_ANSWER_NO)
      *at = (*at)->next;
    else
      at = &(*at)->next;
  }
  if (absent && !absent->child) remove_key(s->target->document.root, "absent");
}

/* A module that is listed with names was imported, so nothing that it is built on is missing. */
static bool is_listed(const settling *s, pks_span module) {
  const pks_node *modules = pks_match_node_find(s->target->document.root, "modules");
  return modules && pks_match_node_find_span(modules, module);
}

static void settle_built_on(settling *s) {
#define BUILT_ON(module, on) {module, on},
  static const struct {
    const char *module, *on;
  } rows[] = {
#include "match/built_on.def"
  };
#undef BUILT_ON
  if (s->target->facts.python < PKS_PYTHON(3, 0, 0)) return;
  for (size_t i = 0; i < sizeof rows / sizeof *rows && !s->refused; i++) {
    pks_span module = pks_match_span(rows[i].module);
    if (is_absent(s, pks_match_span(rows[i].on)) && !is_absent(s, module) &&
        of_table(s, module) == PKS_ANSWER_YES && !is_listed(s, module))
      put_absent(s, module);
  }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static void settle_stdlib(settling *s) {
  pks_match_target *t = s->target;
  static const pks_span key = {(const uint8_t *)"stdlib", 6};
  pks_node *node = pks_match_node_put(&t->mem, &t->document, t->document.root, &key, PKS_NODE_TEXT);
  if (!node || !pks_match_node_set_text(&t->mem, &t->document, node, pks_match_span("table")))
    s->refused = true;
}

static pks_status no_memory(const pks_match_target *t, pks_error *error) {
  if (error) {
    error->status = t->mem.status;
    error->offset = 0;
    error->text = pks_status_text(error->status);
  }
  return t->mem.status;
}

static pks_status settle(settling *s, pks_error *error) {
  pks_match_target *t = s->target;
  if (t->facts.version >= 0 && !t->facts.table) {
    pks_status status = pks_match_target_named(&t->mem.alloc, t->name, &s->table, error);
    if (status != PKS_OK) return status;
    s->table->facts.os = t->facts.os;
    s->table->facts.bits = t->facts.bits;
  }
  s->full = (t->facts.complete & PKS_COMPLETE_DISTRIBUTIONS) != 0;
  if (s->table && s->full) settle_missing(s);
  settle_modules(s);
  if (s->table) settle_absent(s);
  if (s->table && s->full) settle_built_on(s);
  take_added(s);
  if (s->table) settle_stdlib(s);
  return s->refused ? no_memory(t, error) : pks_match_target_refresh(t, error);
}

pks_status pks_match_target_captured(const pks_alloc *alloc, const void *data, size_t size,
                                     pks_match_target **target, pks_error *error) {
  settling s = {.added = {.type = PKS_NODE_ARRAY}};
  pks_status status = pks_match_target_read(alloc, data, size, target, error);
  if (status != PKS_OK) return status;
  s.target = *target;
  status = settle(&s, error);
  pks_match_target_free(s.table);
  if (status == PKS_OK) return PKS_OK;
  pks_match_target_free(*target);
  *target = NULL;
  return status;
}
