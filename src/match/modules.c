/* match/modules.c - the modules of a target: those its fingerprint lists, the packages around them, and
 * what its distributions are known to bring. */
#include <string.h>

#include "match/build.h"

/* ---- distributions --------------------------------------------------------------------------------- */

#define BRINGS(distribution, module)                         \
  {{(const uint8_t *)distribution, sizeof distribution - 1}, \
   {(const uint8_t *)module, sizeof module - 1}},
const pks_match_brings pks_match_brought[] = {
#include "match/distributions.def"
};
#undef BRINGS
const size_t pks_match_brought_count = sizeof pks_match_brought / sizeof *pks_match_brought;

size_t pks_match_brought_by(pks_span distribution) {
  size_t low = 0, high = pks_match_brought_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (pks_match_span_order(pks_match_brought[middle].distribution, distribution) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < pks_match_brought_count &&
                 pks_match_span_order(pks_match_brought[low].distribution, distribution) == 0
             ? low
             : pks_match_brought_count;
}

static bool is_separator(uint8_t c) { return c == '-' || c == '_' || c == '.'; }

pks_span pks_match_normalised(pks_mem *mem, pks_arena *arena, pks_span name) {
  bool normal = true;
  for (size_t i = 0; i < name.size; i++) {
    uint8_t c = name.data[i];
    if ((c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
        (c == '-' && i > 0 && is_separator(name.data[i - 1])))
      normal = false;
  }
  if (normal) return name;
  uint8_t *copy = pks_base_arena_take(mem, arena, name.size);
  pks_span result = {copy, 0};
  if (!copy) return result;
  for (size_t i = 0; i < name.size; i++) {
    uint8_t c = name.data[i];
    if (is_separator(c)) {
      if (i > 0 && is_separator(name.data[i - 1])) continue;
      c = '-';
    }
    copy[result.size++] = c >= 'A' && c <= 'Z' ? (uint8_t)(c - 'A' + 'a') : c;
  }
  return result;
}

bool pks_match_same_distribution(pks_span spelled, pks_span normal) {
  size_t at = 0;
  for (size_t i = 0; i < spelled.size; i++) {
    uint8_t c = spelled.data[i];
    if (is_separator(c)) {
      if (i > 0 && is_separator(spelled.data[i - 1])) continue;
      c = '-';
    }
    if (c >= 'A' && c <= 'Z') c = (uint8_t)(c - 'A' + 'a');
    if (at >= normal.size || normal.data[at++] != c) return false;
  }
  return at == normal.size;
}

/* ---- collecting --------------------------------------------------------------------------------------- */

/* How a module became known: of two entries of one name the lower one stays. */
enum { LISTED, AROUND, BROUGHT, AROUND_BROUGHT };

typedef struct entry {
  pks_span name;
  const pks_match_module *listed; /* LISTED: what the fingerprint says */
  const pks_match_part *part;     /* BROUGHT: this part of a serializer */
  pks_span distribution;
  uint8_t rank, version;
  bool missing;
} entry;

typedef struct collection {
  pks_reading *reading;
  pks_vec entries;
} collection;

static entry *add(collection *c, pks_span name, unsigned rank) {
  entry *e = pks_base_vec_push(&c->reading->target->mem, &c->entries, sizeof *e);
  if (!e) {
    pks_match_fault_memory(c->reading);
    return NULL;
  }
  *e = (entry){.name = name, .rank = (uint8_t)rank};
  return e;
}

/* The packages around a module. */
static bool add_around(collection *c, pks_span name, unsigned rank) {
  for (size_t i = 0; i < name.size; i++)
    if (name.data[i] == '.' && !add(c, (pks_span){name.data, i}, rank)) return false;
  return true;
}

static bool add_listed(collection *c, const pks_node *object, const pks_match_module *listed) {
  for (const pks_node *node = object ? object->child : NULL; node; node = node->next, listed++) {
    entry *e = add(c, node->key, LISTED);
    if (!e || !add_around(c, node->key, AROUND)) return false;
    /* add may have moved the entries: find this one again. */
    for (e = &PKS_VEC_AT(&c->entries, entry, c->entries.count - 1); e->rank != LISTED;) e--;
    e->listed = listed;
  }
  return true;
}

/* "joblib.externals.cloudpickle" and "cloudpickle_fast" put together. */
static pks_span part_name(collection *c, pks_span module, const char *part) {
  pks_match_target *t = c->reading->target;
  size_t size = strlen(part);
  if (size == 0) return module;
  uint8_t *text = pks_base_arena_take(&t->mem, &t->arena, module.size + 1 + size);
  if (!text) return (pks_span){0};
  memcpy(text, module.data, module.size);
  text[module.size] = '.';
  memcpy(text + module.size + 1, part, size);
  return (pks_span){text, module.size + 1 + size};
}

static bool has_part(const pks_match_copy *copy, const char *name) {
  for (size_t i = 0; i < pks_match_part_count; i++) {
    const pks_match_part *part = &pks_match_parts[i];
    if (part->library == copy->library && part->versions >> copy->version & 1 &&
        strcmp(part->name, name) == 0)
      return true;
  }
  return false;
}

static bool add_serializer(collection *c, const pks_match_copy *copy, pks_span distribution) {
  const pks_match_facts *f = &c->reading->target->facts;
  uint16_t python = (uint16_t)(f->python >> 8);
  for (size_t i = 0; i < pks_match_part_count; i++) {
    const pks_match_part *part = &pks_match_parts[i];
    if (part->library != copy->library) continue;
    bool there = part->versions >> copy->version & 1;
    if (!there && has_part(copy, part->name)) continue; /* another row is about this version */
    pks_span name = part_name(c, copy->module, part->name);
    if (!name.data || !add_around(c, name, AROUND_BROUGHT))
      return pks_match_fault_memory(c->reading);
    entry *e = add(c, name, BROUGHT);
    if (!e) return false;
    e->part = part;
    e->version = copy->version;
    e->distribution = distribution;
    e->missing = !there || python < part->since || python >= part->before;
  }
  return true;
}

static bool add_distributions(collection *c) {
  const pks_match_facts *f = &c->reading->target->facts;
  for (uint32_t i = 0; i < f->distributions.count; i++) {
    pks_span name = f->distributions.text[i];
    pks_match_copy copy;
    for (size_t row = pks_match_brought_by(name);
         row < pks_match_brought_count &&
         pks_match_span_order(pks_match_brought[row].distribution, name) == 0;
         row++) {
      entry *e = add(c, pks_match_brought[row].module, BROUGHT);
      if (!e) return false;
      e->distribution = name;
    }
    if (pks_match_serializer_in(name, f->distribution_version[i], &copy) &&
        !add_serializer(c, &copy, name))
      return false;
  }
  return true;
}

/* ---- sorting ------------------------------------------------------------------------------------------- */

static bool less(const entry *a, const entry *b) {
  int order = pks_match_span_order(a->name, b->name);
  if (order != 0) return order < 0;
  if (a->rank != b->rank) return a->rank < b->rank;
  return !a->part < !b->part; /* of two that are brought, the one that says more comes last */
}

static void sift(entry *e, size_t root, size_t count) {
  entry moved = e[root];
  for (size_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && less(&e[child], &e[child + 1])) child++;
    if (!less(&moved, &e[child])) break;
    e[root] = e[child];
  }
  e[root] = moved;
}

static void sort(entry *e, size_t count) {
  for (size_t i = count / 2; i-- > 0;) sift(e, i, count);
  for (size_t end = count; end > 1;) {
    entry last = e[--end];
    e[end] = e[0];
    e[0] = last;
    sift(e, 0, end);
  }
}

/* ---- taking ---------------------------------------------------------------------------------------------- */

/* Length of the part of a dotted name that is listed as absent, or 0. */
static size_t absent_part(const pks_match_facts *f, pks_span name) {
  for (size_t i = 1; f->absent.count > 0 && i <= name.size; i++)
    if ((i == name.size || name.data[i] == '.') &&
        pks_match_names_find(&f->absent, (pks_span){name.data, i}) != PKS_MATCH_NONE)
      return i;
  return 0;
}

static const pks_node *absent_node(const pks_match_target *t, pks_span name) {
  const pks_node *array = pks_match_node_find(t->document.root, "absent");
  const pks_node *node = array ? array->child : NULL;
  while (node && pks_match_span_order(node->text, name) != 0) node = node->next;
  return node;
}

static void describe(pks_match_module *m, const entry *e, const pks_match_facts *f) {
  if (e->listed) *m = *e->listed;
  if (!m->why) m->why = e->rank == AROUND ? PKS_WHY_IMPLIED : PKS_WHY_DISTRIBUTION;
  if (m->distribution.size == 0) m->distribution = e->distribution;
  if (!e->part) return;
  bool pypy = f->version >= 0 && pks_match_versions[f->version].implementation[0] == 'p';
  m->serializer = (uint8_t)e->part->library;
  m->version = e->version;
  pks_match_serializer_names(e->part, &m->first_name, &m->end_name);
  if (m->why != PKS_WHY_DISTRIBUTION) return; /* what the fingerprint says goes first */
  m->why = e->missing ? PKS_WHY_NOT_IN_SERIALIZER : PKS_WHY_SERIALIZER;
  m->missing = e->missing;
  m->unsure = pypy && e->part->since != 0;
  m->broken = pks_match_serializer_fails(e->part->library, e->version, f->version);
}

/* Each name once; `count` entries, sorted. */
static bool take(collection *c, size_t count) {
  pks_match_target *t = c->reading->target;
  pks_match_facts *f = &t->facts;
  const entry *e = &PKS_VEC_AT(&c->entries, entry, 0);
  if (!pks_match_names_take(&t->mem, &t->arena, &f->modules, (uint32_t)count))
    return pks_match_fault_memory(c->reading);
  f->module = pks_base_arena_take(&t->mem, &t->arena, (count + 1) * sizeof *f->module);
  if (!f->module) return pks_match_fault_memory(c->reading);
  for (size_t i = 0; i < count; i++) {
    uint32_t kept = f->modules.count;
    bool again = kept > 0 && pks_match_span_order(f->modules.text[kept - 1], e[i].name) == 0;
    if (!again) {
      size_t part = absent_part(f, e[i].name);
      if (part > 0 && e[i].rank >= BROUGHT) continue;
      if (part > 0)
        return pks_match_fault(c->reading, absent_node(t, (pks_span){e[i].name.data, part}),
                               "a module that is listed, or holds one, is listed as absent");
      pks_match_names_add(&f->modules, e[i].name);
      f->module[kept] = (pks_match_module){0};
    }
    describe(&f->module[f->modules.count - 1], &e[i], f);
  }
  return true;
}

bool pks_match_read_modules(pks_reading *reading, const pks_node *object,
                            const pks_match_module *listed) {
  collection c = {.reading = reading};
  bool fine = add_listed(&c, object, listed) && add_distributions(&c);
  if (fine && c.entries.count > UINT32_MAX / 2) {
    reading->target->mem.status = PKS_E_LIMIT_MEMORY;
    fine = pks_match_fault_memory(reading);
  }
  if (fine && c.entries.count > 0) {
    sort(&PKS_VEC_AT(&c.entries, entry, 0), c.entries.count);
    fine = take(&c, c.entries.count);
  }
  pks_base_vec_free(&reading->target->mem, &c.entries, sizeof(entry));
  return fine;
}
