/* What a code object uses: imports and globals, read under given versions. */
#include "code/uses.h"

#include <string.h>

/* An instruction that may be the load of an import's level or names. */
typedef struct earlier_load {
  const pks_code_op *op; /* NULL: there is none */
  uint32_t arg;
} earlier_load;

typedef struct reading {
  pks_code_scratch *scratch;
  pks_mem *mem;
  const pks_code_view *view;
  const pks_code_table *table;
  unsigned version;
  earlier_load before, before2;
  uint32_t *entry_of; /* name index -> position in globals + 1 */
  size_t earlier;     /* imports of the version before, to compare with */
  size_t earlier_count;
  size_t straight_end; /* the straight path ends here at the latest */
  bool straight;
} reading;

/* Where the first range with a handler starts. Every generator and coroutine of 3.12 and later lies
 * in one that only turns StopIteration into RuntimeError (wrap_in_stopiteration_handler): not meant. */
static size_t first_region(const pks_code_view *v, const pks_code_table *t) {
  pks_code_region region;
  size_t at = 0;
  if (t->minor < 11 || t->pypy || !v->has_exceptions) return v->size;
  while (pks_code_region_next(v->exceptions, &at, &region)) {
    if (region.target < v->size && (region.target & 1) == 0) {
      const pks_code_op *op = &t->ops[v->code[region.target]];
      if (op->rule == PKS_RULE_INTRINSIC_1 && v->code[region.target + 1] == 3) continue;
    }
    return region.start < v->size ? (size_t)region.start : v->size;
  }
  return v->size;
}

static const pks_code_value *constant(const reading *r, const earlier_load *load) {
  const pks_code_items *consts = &r->view->consts;
  if (load->op->rule != PKS_RULE_LOAD_CONST || !consts->items || load->arg >= consts->count)
    return NULL;
  return &consts->items[load->arg];
}

static int32_t level(const reading *r) {
  if (!r->before2.op) return PKS_LEVEL_UNKNOWN;
  if (r->before2.op->rule == PKS_RULE_BYTE) return (int32_t)(r->before2.arg & 255);
  const pks_code_value *value = constant(r, &r->before2);
  if (!value || value->kind != PKS_CV_INT || value->number < -1 || value->number > INT32_MAX)
    return PKS_LEVEL_UNKNOWN;
  return (int32_t)value->number;
}

static bool add_import(reading *r, uint32_t index, size_t offset) {
  pks_code_set bit = PKS_CODE_BIT(r->version);
  /* Versions mostly read the same imports in the same order. */
  if (r->earlier < r->earlier_count) {
    pks_code_import *same = &PKS_VEC_AT(&r->scratch->imports, pks_code_import, r->earlier);
    if (same->offset == offset && same->name == index) {
      same->under |= bit;
      r->earlier++;
      return true;
    }
  }
  pks_code_import *out = pks_base_vec_push(r->mem, &r->scratch->imports, sizeof *out);
  if (!out) return false;
  const pks_code_value *from = r->before.op ? constant(r, &r->before) : NULL;
  memset(out, 0, sizeof *out);
  out->module = r->view->names.items[index].text;
  out->from = from && from->kind == PKS_CV_TUPLE ? from : NULL;
  out->level = level(r);
  out->name = index;
  out->offset = (uint32_t)offset;
  out->under = bit;
  out->straight = r->straight;
  return true;
}

static bool add_global(reading *r, uint32_t index, const pks_code_op *op, size_t offset) {
  pks_code_set bit = PKS_CODE_BIT(r->version);
  if (r->entry_of[index]) {
    PKS_VEC_AT(&r->scratch->globals, pks_code_global, r->entry_of[index] - 1).under |= bit;
    return true;
  }
  pks_code_global *out = pks_base_vec_push(r->mem, &r->scratch->globals, sizeof *out);
  if (!out) return false;
  memset(out, 0, sizeof *out);
  out->name = r->view->names.items[index].text;
  out->index = index;
  out->offset = (uint32_t)offset;
  out->under = bit;
  out->straight = r->straight;
  out->by_name = op->rule == PKS_RULE_LOAD_NAME;
  r->entry_of[index] = (uint32_t)r->scratch->globals.count;
  return true;
}

static bool take(reading *r, const pks_code_op *op, uint32_t arg, size_t offset) {
  uint32_t index = arg >> op->shift;
  if (index >= r->view->names.count) return true;
  pks_code_kind kind = r->view->names.items[index].kind; /* Python 2 has bytes for names */
  if (kind != PKS_CV_STR && kind != PKS_CV_BYTES) return true;
  return op->rule == PKS_RULE_IMPORT ? add_import(r, index, offset)
                                     : add_global(r, index, op, offset);
}

/* Where the two instructions before an import start; SIZE_MAX: there is none. */
typedef struct starts {
  size_t last, before;
} starts;

static earlier_load load_at(const reading *r, size_t at) {
  earlier_load load = {NULL, 0};
  pks_code_ins ins;
  if (at == SIZE_MAX) return load;
  pks_code_cursor cursor = pks_code_cursor_at(r->table, r->view->code, r->view->size, at);
  if (!pks_code_next(&cursor, &ins)) return load;
  return (earlier_load){ins.op, ins.arg};
}

static bool look(reading *r, const pks_code_ins *ins, const starts *s) {
  if (ins->offset >= r->straight_end) r->straight = false;
  if (ins->op->rule == PKS_RULE_IMPORT) {
    r->before = load_at(r, s->last);
    r->before2 = load_at(r, s->before);
  }
  if ((ins->op->flags & PKS_OP_USES) && !take(r, ins->op, ins->arg, ins->offset)) return false;
  if ((ins->op->flags & (PKS_OP_JUMPS | PKS_OP_ENDS)) || ins->op->rule == PKS_RULE_YIELD ||
      !ins->op->name)
    r->straight = false;
  return true;
}

/* The scan under this version, when it noted all. */
static const pks_code_scan *scan_of(const pks_inspection *in, unsigned version) {
  for (unsigned i = 0; i < in->passed; i++)
    if (in->versions[i] == version)
      return in->scans[i].use_count <= PKS_CODE_USES ? &in->scans[i] : NULL;
  return NULL;
}

static bool read_noted(reading *r, const pks_code_scan *scan) {
  size_t region = first_region(r->view, r->table);
  for (size_t i = 0; i < scan->use_count; i++) {
    const pks_code_use *use = &scan->uses[i];
    r->straight = use->offset < region && use->offset < scan->straight_end;
    r->before = (earlier_load){use->before, use->before_arg};
    r->before2 = (earlier_load){use->before2, use->before2_arg};
    if (!take(r, use->op, use->arg, use->offset)) return false;
  }
  return true;
}

static bool read_all(reading *r) {
  pks_code_cursor cursor = pks_code_cursor_at(r->table, r->view->code, r->view->size, 0);
  starts s = {SIZE_MAX, SIZE_MAX};
  pks_code_ins ins;
  r->straight = true;
  r->straight_end = first_region(r->view, r->table);
  for (;;) {
    size_t at = cursor.at;
    while (cursor.words && at < cursor.size &&
           cursor.size - at >= 2) { /* most are of no interest */
      const pks_code_op *op = &cursor.ops[cursor.code[at]];
      if (!(op->flags & PKS_OP_PLAIN)) break;
      s.before = s.last;
      s.last = at;
      at += 2;
      if (cursor.caches) at += (size_t)op->caches * 2;
    }
    cursor.at = at < cursor.size ? at : cursor.size;
    if (!pks_code_next(&cursor, &ins)) return true;
    if (!look(r, &ins, &s)) return false;
    s.before = s.last;
    s.last = ins.start;
  }
}

static bool read_under(reading *r, const pks_inspection *in, unsigned version) {
  r->table = pks_code_table_near(version);
  if (!r->table) return true;
  r->version = version;
  r->earlier = 0;
  r->earlier_count = r->scratch->imports.count;
  const pks_code_scan *scan = scan_of(in, version);
  return scan ? read_noted(r, scan) : read_all(r);
}

bool pks_code_uses(pks_inspection *in, pks_code_set under) {
  pks_code_scratch *scratch = in->scratch;
  const pks_code_view *view = &in->view;
  scratch->imports.count = scratch->globals.count = 0;
  if (!view->code || !view->names.items || view->names.count == 0) return true;
  scratch->marks.count = 0;
  if (!pks_base_vec_reserve(in->mem, &scratch->marks, sizeof(uint32_t), view->names.count))
    return false;
  memset(scratch->marks.data, 0, view->names.count * sizeof(uint32_t));
  reading r = {.scratch = scratch, .mem = in->mem, .view = view};
  r.entry_of = (uint32_t *)(void *)scratch->marks.data;
  for (; under; under &= under - 1)
    if (!read_under(&r, in, pks_code_lowest(under))) return false;
  return true;
}
