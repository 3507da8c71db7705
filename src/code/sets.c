/* What a set of versions means: do its members read a code object alike, and what is left when the code
 * objects of one payload are taken together? */
#include "code/inspection.h"

/* ---- two versions, one code object ------------------------------------------------------------------ */

static const struct {
  uint8_t a, b;
} pairs[] = {
#define PKS_CODE_PAIR(a, b) {PKS_CODE_##a, PKS_CODE_##b},
#include "code/pairs.def"
#undef PKS_CODE_PAIR
};
#define PAIRS (sizeof pairs / sizeof *pairs)

/* The same name and number in both, but not the same done. */
static bool means_other(const pks_code_scan *scan, const pks_code_table *a, const pks_code_table *b,
                        unsigned name) {
  /* 3.7: __aiter__ no longer returns an awaitable (bpo-31709); the code after GET_AITER differs. */
  if (name == PKS_OPCODE_GET_AITER) return a->minor == 6 && b->minor == 7;
  /* 3.10: annotations are a tuple of names and values, not a dict. */
  if (name == PKS_OPCODE_MAKE_FUNCTION)
    return a->minor <= 9 && b->minor == 10 && (scan->make_function & 4);
  return false;
}

/* Where the first range of the exception table starts: what is stored from there on a handler may not find. */
static uint64_t first_range(const pks_code_view *v) {
  pks_code_region region;
  uint64_t first = UINT64_MAX;
  size_t at = 0;
  while (v->has_exceptions && pks_code_region_next(v->exceptions, &at, &region))
    if (region.start < first) first = region.start;
  return first;
}

/* 3.12 reads a local without asking whether it is bound; its compiler writes LOAD_FAST_CHECK where it
 * may not be. */
static bool may_be_unbound(const pks_inspection *in, const pks_code_table *table) {
  const pks_code_view *v = &in->view;
  pks_code_cursor cursor = pks_code_cursor_at(table, v->code, v->size, 0);
  pks_code_ins ins;
  if (!v->has_flags || v->argcount < 0 || v->kwonly < 0) return true;
  uint64_t parameters = (uint64_t)v->argcount + (uint64_t)v->kwonly +
                        !!(v->flags & PKS_CO_VARARGS) + !!(v->flags & PKS_CO_VARKEYWORDS);
  uint64_t bound = 0, deleted = 0, loaded = 0, tried = first_range(v);
  bool back = false;
  while (pks_code_next(&cursor, &ins)) {
    bool is_load = ins.op->name == PKS_OPCODE_LOAD_FAST;
    if (ins.op->flags & PKS_OP_BACK) back = true;
    if (ins.op->name == PKS_OPCODE_DELETE_FAST && ins.arg >= 64) return true;
    if (ins.op->name == PKS_OPCODE_DELETE_FAST) deleted |= (uint64_t)1 << ins.arg;
    if (is_load && ins.arg < 64) loaded |= (uint64_t)1 << ins.arg;
    if (is_load && ins.arg < 64 && deleted >> ins.arg & 1) return true;
    if (ins.op->name == PKS_OPCODE_STORE_FAST && ins.arg < 64 && ins.offset < tried)
      bound |= (uint64_t)1 << ins.arg;
    if (ins.op->name == PKS_OPCODE_LOAD_FAST && ins.arg >= parameters &&
        (ins.arg >= 64 || !(bound >> ins.arg & 1)))
      return true;
  }
  return back && (deleted & loaded); /* what was deleted is read when the loop comes round */
}

bool pks_code_differ(const pks_inspection *in, unsigned first, unsigned second) {
  const pks_code_table *a = pks_code_table_of(first), *b = pks_code_table_of(second);
  if (!in->passed || !a || !b) return true;
  /* The scans of two versions that passed agree about where instructions are. */
  const pks_code_scan *scan = &in->scans[0];
  if (a->jump_unit != b->jump_unit && scan->jumps) return true;
  for (unsigned word = 0; word < 4; word++) {
    for (uint64_t bits = scan->seen[word]; bits; bits &= bits - 1) {
      unsigned number = word * 64 + pks_code_lowest(bits);
      const pks_code_op *x = &a->ops[number], *y = &b->ops[number];
      if (x->name != y->name || x->caches != y->caches || x->flags != y->flags) return true;
      if (means_other(scan, a, b, x->name)) return true;
    }
  }
  return a->minor == 11 && b->minor == 12 && may_be_unbound(in, a);
}

uint16_t pks_code_conflicts(const pks_inspection *in) {
  uint16_t result = 0;
  pks_code_set set = in->out->set;
  if (!(set & (set - 1)) || !(set & ~in->alike)) return 0;
  for (size_t i = 0; i < PAIRS; i++)
    if (set >> pairs[i].a & 1 && set >> pairs[i].b & 1 &&
        pks_code_differ(in, pairs[i].a, pairs[i].b))
      result |= (uint16_t)(1u << i);
  return result;
}

pks_code_kinds pks_code_set_kind(pks_code_set set, uint16_t apart) {
  if (!set) return PKS_CODE_NONE;
  if (!(set & (set - 1))) return PKS_CODE_EXACT;
  for (size_t i = 0; i < PAIRS; i++)
    if (apart >> i & 1 && set >> pairs[i].a & 1 && set >> pairs[i].b & 1)
      return PKS_CODE_CONFLICTING;
  return PKS_CODE_EQUIVALENT;
}

/* ---- the code objects of one payload ---------------------------------------------------------------- */

pks_code_set pks_code_best(pks_code_set set, const uint32_t *soft) {
  uint32_t least = UINT32_MAX;
  pks_code_set result = 0;
  if (!(set & (set - 1))) return set;
  for (unsigned i = 0; i < PKS_CODE_VERSIONS; i++) {
    if (!(set >> i & 1) || soft[i] > least) continue;
    if (soft[i] < least) result = 0;
    least = soft[i];
    result |= PKS_CODE_BIT(i);
  }
  return result;
}

void pks_code_join_add(pks_code_join *join, const pks_code_facts *facts) {
  join->pypy = join->count ? join->pypy & facts->pypy : facts->pypy;
  join->count++;
  join->conflicts |= facts->conflicts;
  if (facts->given_magic) {
    if (join->given_magic && join->given_magic != facts->given_magic) join->given_differs = true;
    join->given_magic = facts->given_magic;
  }
  if (!facts->set) {
    join->nones++;
    return;
  }
  join->all = join->any ? join->all & facts->set : facts->set;
  join->any |= facts->set;
  /* of others nobody asks: they are not in `all` */
  for (pks_code_set set = facts->set; set; set &= set - 1) {
    unsigned i = pks_code_set_first(set);
    if (join->soft[i] < UINT32_MAX - UINT16_MAX) join->soft[i] += facts->soft[i];
  }
}

void pks_code_join_get(const pks_code_join *join, pks_code_joint *out) {
  out->set = join->all;
  out->mixed = join->any && !join->all;
  out->likely = pks_code_best(join->all, join->soft);
  out->pypy = join->pypy;
  out->kind = pks_code_set_kind(join->all, join->conflicts);
}
