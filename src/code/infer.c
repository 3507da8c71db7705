/* From arguments to candidates: which versions are tried for which shape, and what is said of those
 * that are left. */
#include "code/infer.h"

#include <string.h>

#include "code/flow.h"
#include "code/uses.h"

#define BIT(id) PKS_CODE_BIT(PKS_CODE_##id)
#define SET_15 (BIT(CPYTHON_3_6) | BIT(CPYTHON_3_7))
#define SET_16 (BIT(CPYTHON_3_8) | BIT(CPYTHON_3_9) | BIT(CPYTHON_3_10))
#define SET_18                                                                                     \
  (BIT(CPYTHON_3_11) | BIT(CPYTHON_3_12) | BIT(CPYTHON_3_13) | BIT(CPYTHON_3_14) | BIT(CPYTHON_3_15))

/* Most versions tried on one code object that may pass: the five of 18 arguments. */
#define SLOTS 5

typedef struct inspection {
  pks_code_scratch *scratch;
  pks_mem *mem;
  pks_code_view view;
  pks_code_facts *out;
  unsigned flags;
  unsigned passed;            /* versions that passed the scan, in order */
  uint8_t versions[SLOTS];
  pks_code_scan scans[SLOTS]; /* what their scans left; scans[passed] is free for the next */
} inspection;

static pks_code_set shape_set(pks_code_shape shape) {
  switch (shape) {
    case PKS_SHAPE_14: return BIT(CPYTHON_2_7);
    case PKS_SHAPE_15: return SET_15;
    case PKS_SHAPE_16: return SET_16;
    case PKS_SHAPE_18: return SET_18;
    case PKS_SHAPE_20:
    case PKS_SHAPE_NONE:
    default: return 0;
  }
}

/* PyPys whose constructor takes this many arguments. */
static pks_code_set pypy_set(pks_code_shape shape) {
  switch (shape) {
    case PKS_SHAPE_14: return BIT(PYPY_2_7);
    case PKS_SHAPE_15: return BIT(PYPY_3_5) | BIT(PYPY_3_6) | BIT(PYPY_3_7);
    case PKS_SHAPE_16: return BIT(PYPY_3_8) | BIT(PYPY_3_9) | BIT(PYPY_3_10);
    case PKS_SHAPE_18: return BIT(PYPY_3_11);
    case PKS_SHAPE_20:
    case PKS_SHAPE_NONE:
    default: return 0;
  }
}

/* ---- hard checks --------------------------------------------------------------------------------- */

static bool lines_ok(const inspection *in, const pks_code_table *table, const pks_code_scan *scan,
                     bool lnotab) {
  uint64_t end;
  if (!lnotab) return pks_code_lines_ok(&in->view, table, scan);
  return !in->view.has_lines || pks_code_lnotab_ok(&in->view, table->words, &end);
}

/* Bit sets for the scan of one more version. */
static bool lend_bits(inspection *in, unsigned slot) {
  size_t words = pks_code_words(in->view.size);
  size_t from = slot * words;
  if (slot == 0) {
    in->scratch->starts.count = in->scratch->targets.count = 0;
    if (!pks_base_vec_reserve(in->mem, &in->scratch->starts, sizeof(uint64_t), words * SLOTS) ||
        !pks_base_vec_reserve(in->mem, &in->scratch->targets, sizeof(uint64_t), words * SLOTS))
      return false;
  }
  in->scans[slot] = (pks_code_scan){0};
  in->scans[slot].starts = &PKS_VEC_AT(&in->scratch->starts, uint64_t, from);
  in->scans[slot].targets = &PKS_VEC_AT(&in->scratch->targets, uint64_t, from);
  return true;
}

/* Tries one version. lnotab: 3.10 code whose line table is in the older form. */
static pks_status try_version(inspection *in, unsigned version, bool lnotab, pks_code_check *check) {
  const pks_code_table *table = pks_code_table_of(version);
  *check = PKS_CHECK_SHAPE;
  if (in->passed == SLOTS) return PKS_OK;
  if (!lend_bits(in, in->passed)) return in->mem->status;
  pks_code_scan *scan = &in->scans[in->passed];
  *check = pks_code_scan_run(&in->view, table, scan);
  if (!*check && !lines_ok(in, table, scan, lnotab)) *check = PKS_CHECK_LINES;
  if (!*check && table->minor >= 11 && !pks_code_exceptions_ok(&in->view, scan))
    *check = PKS_CHECK_EXCEPTIONS;
  if (!*check) in->versions[in->passed++] = (uint8_t)version;
  return PKS_OK;
}

static pks_status try_set(inspection *in, pks_code_set set, bool lnotab) {
  for (; set; set &= set - 1) {
    unsigned version = pks_code_set_first(set);
    pks_code_check check;
    pks_status status = try_version(in, version, lnotab, &check);
    if (status) return status;
    if (!check) in->out->set |= PKS_CODE_BIT(version);
  }
  return PKS_OK;
}

/* Does the code start the way 3.11 and later do, in a call that has no place for it? */
static bool newer_than_its_call(const inspection *in) {
  for (pks_code_set set = SET_18; set; set &= set - 1)
    if (pks_code_prefix(&in->view, pks_code_table_of(pks_code_set_first(set)))) return true;
  return false;
}

static pks_status try_16(inspection *in) {
  pks_status status = try_set(in, SET_16, false);
  if (status) return status;
  if ((in->flags & PKS_CODE_CLOUDPICKLE_OLD) && !(in->out->set & BIT(CPYTHON_3_10)))
    status = try_set(in, BIT(CPYTHON_3_10), true);
  if (status || in->out->set) return status;
  status = try_set(in, BIT(CPYTHON_3_10), true);
  if (!in->out->set) in->out->broken_call = newer_than_its_call(in);
  return status;
}

static pks_status candidates(inspection *in) {
  pks_code_set all = shape_set(in->view.shape);
  if (!in->view.code) {
    in->out->set = all;
    return PKS_OK;
  }
  in->out->scanned = true;
  if (in->view.shape == PKS_SHAPE_16) return try_16(in);
  return try_set(in, all, false);
}

/* ---- what the candidates have in common ------------------------------------------------------------- */

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

/* 3.12 reads a local without asking whether it is bound; its compiler writes LOAD_FAST_CHECK where it
 * may not be. */
static bool may_be_unbound(const inspection *in, const pks_code_table *table) {
  const pks_code_view *v = &in->view;
  pks_code_cursor cursor = {table, v->code, v->size, 0};
  pks_code_ins ins;
  if (!v->has_flags || v->argcount < 0 || v->kwonly < 0) return true;
  uint64_t parameters = (uint64_t)v->argcount + (uint64_t)v->kwonly +
                        !!(v->flags & PKS_CO_VARARGS) + !!(v->flags & PKS_CO_VARKEYWORDS);
  uint64_t bound = 0;
  while (pks_code_next(&cursor, &ins)) {
    if (ins.op->name == PKS_OPCODE_DELETE_FAST) return true;
    if (ins.op->name == PKS_OPCODE_STORE_FAST && ins.arg < 64) bound |= (uint64_t)1 << ins.arg;
    if (ins.op->name == PKS_OPCODE_LOAD_FAST && ins.arg >= parameters &&
        (ins.arg >= 64 || !(bound >> ins.arg & 1)))
      return true;
  }
  return false;
}

static bool differ(const inspection *in, unsigned first, unsigned second) {
  const pks_code_table *a = pks_code_table_of(first), *b = pks_code_table_of(second);
  if (!in->passed || !a || !b) return true;
  /* The scans of two versions that passed agree about where instructions are. */
  const pks_code_scan *scan = &in->scans[0];
  if (a->jump_unit != b->jump_unit && scan->jumps) return true;
  for (unsigned word = 0; word < 4; word++) {
    unsigned number = word * 64;
    for (uint64_t bits = scan->seen[word]; bits; bits >>= 1, number++) {
      if (!(bits & 1)) continue;
      const pks_code_op *x = &a->ops[number], *y = &b->ops[number];
      if (x->name != y->name || x->caches != y->caches || x->flags != y->flags) return true;
      if (means_other(scan, a, b, x->name)) return true;
    }
  }
  return a->minor == 11 && b->minor == 12 && may_be_unbound(in, a);
}

static uint16_t conflicts(const inspection *in) {
  uint16_t result = 0;
  pks_code_set set = in->out->set;
  if (!(set & (set - 1))) return 0;
  for (size_t i = 0; i < PAIRS; i++)
    if (set >> pairs[i].a & 1 && set >> pairs[i].b & 1 && differ(in, pairs[i].a, pairs[i].b))
      result |= (uint16_t)(1u << i);
  return result;
}

pks_code_kinds pks_code_set_kind(pks_code_set set, uint16_t apart) {
  if (!set) return PKS_CODE_NONE;
  if (!(set & (set - 1))) return PKS_CODE_EXACT;
  for (size_t i = 0; i < PAIRS; i++)
    if (apart >> i & 1 && set >> pairs[i].a & 1 && set >> pairs[i].b & 1) return PKS_CODE_CONFLICTING;
  return PKS_CODE_EQUIVALENT;
}

/* ---- ranking ------------------------------------------------------------------------------------------ */

/* Signs against each candidate. Data flow also takes candidates away: of code up to 3.10, where it
 * tells some apart. What a walk would cost on very long code is saved: it can only take away. */
#define LONGEST_WALK ((size_t)1 << 20)

static bool walk_candidate(inspection *in, unsigned i, bool *holds) {
  const pks_code_table *table = pks_code_table_of(in->versions[i]);
  pks_code_flow_memory memory = {in->mem, &in->scratch->depths, &in->scratch->work};
  pks_code_flow flow;
  bool walked = in->view.size <= LONGEST_WALK;
  *holds = true;
  if (walked && !pks_code_flow_run(&memory, &in->view, table, &in->scans[i], &flow)) return false;
  if (walked && table->minor <= 10) *holds = flow.holds;
  return pks_code_idioms(in->mem, &in->scratch->marks, &in->view, table, &in->scans[i],
                         walked ? &flow : NULL, &in->out->soft[in->versions[i]]);
}

static pks_status rank(inspection *in) {
  pks_code_facts *out = in->out;
  pks_code_set left = 0;
  for (unsigned i = 0; i < in->passed; i++) {
    bool holds;
    if (!walk_candidate(in, i, &holds)) return in->mem->status;
    if (holds) left |= PKS_CODE_BIT(in->versions[i]);
  }
  out->set = left;
  uint64_t end;
  /* A 3.10 table covers the code to its end; an lnotab stops where the last line starts. That it does
   * not was counted once already. */
  if ((left & BIT(CPYTHON_3_10)) && in->view.has_lines &&
      pks_code_lnotab_ok(&in->view, true, &end) && end >= in->view.size) {
    out->soft[PKS_CODE_CPYTHON_3_8] = (uint16_t)(out->soft[PKS_CODE_CPYTHON_3_8] + 2);
    out->soft[PKS_CODE_CPYTHON_3_9] = (uint16_t)(out->soft[PKS_CODE_CPYTHON_3_9] + 2);
  }
  return PKS_OK;
}

static pks_code_set best(pks_code_set set, const uint32_t *soft) {
  uint32_t least = UINT32_MAX;
  pks_code_set result = 0;
  for (unsigned i = 0; i < PKS_CODE_VERSIONS; i++) {
    if (!(set >> i & 1) || soft[i] > least) continue;
    if (soft[i] < least) result = 0;
    least = soft[i];
    result |= PKS_CODE_BIT(i);
  }
  return result;
}

static pks_code_set best_of_one(const pks_code_facts *facts) {
  uint32_t soft[PKS_CODE_VERSIONS];
  for (unsigned i = 0; i < PKS_CODE_VERSIONS; i++) soft[i] = facts->soft[i];
  return best(facts->set, soft);
}

/* ---- PyPy ------------------------------------------------------------------------------------------------ */

/* PyPy 3.9 shares most numbers with CPython: nothing of its own and nothing of CPython's alone means
 * that either may have made it. Of the other PyPys there is no table, so they stay possible. */
static pks_status judge_pypy(inspection *in) {
  pks_code_facts *out = in->out;
  pks_code_check check;
  out->pypy = pypy_set(in->view.shape);
  if (!out->scanned) return PKS_OK;
  if (in->view.shape == PKS_SHAPE_18 && out->set) out->pypy = 0;
  if (in->view.shape != PKS_SHAPE_16) return PKS_OK;
  if (out->set && !differ(in, pks_code_set_first(out->set), PKS_CODE_PYPY_3_9)) return PKS_OK;
  pks_status status = try_version(in, PKS_CODE_PYPY_3_9, false, &check);
  if (status) return status;
  if (check) out->pypy &= ~BIT(PYPY_3_9);
  else in->passed--;
  return PKS_OK;
}

/* ---- one code object ---------------------------------------------------------------------------------------- */

/* Versions whose reading of imports and globals is wanted: one where all read the same. */
static pks_code_set readers(const inspection *in) {
  const pks_code_facts *out = in->out;
  if (out->kind == PKS_CODE_EXACT || out->kind == PKS_CODE_EQUIVALENT)
    return PKS_CODE_BIT(pks_code_set_first(out->set));
  if (out->set) return out->set;
  if (out->broken_call) return SET_18;
  if (in->view.shape == PKS_SHAPE_20) return BIT(CPYTHON_3_11);
  return shape_set(in->view.shape) | (out->pypy & BIT(PYPY_3_9));
}

static pks_status list_uses(inspection *in) {
  pks_code_facts *out = in->out;
  if (!pks_code_uses(in->scratch, in->mem, &in->view, readers(in))) return in->mem->status;
  out->imports = (const pks_code_import *)(const void *)in->scratch->imports.data;
  out->import_count = in->scratch->imports.count;
  out->globals = (const pks_code_global *)(const void *)in->scratch->globals.data;
  out->global_count = in->scratch->globals.count;
  return PKS_OK;
}

static pks_status judge(inspection *in) {
  pks_code_facts *out = in->out;
  int given = out->given_magic ? pks_code_version_of_magic((uint16_t)out->given_magic) : -1;
  if (out->given_magic) {
    out->set = given >= 0 ? PKS_CODE_BIT(given) : 0;
    out->scanned = in->view.code != NULL;
  } else {
    pks_status status = candidates(in);
    if (!status && in->passed > 1) status = rank(in);
    if (!status) status = judge_pypy(in);
    if (status) return status;
    out->conflicts = conflicts(in);
  }
  out->kind = pks_code_set_kind(out->set, out->conflicts);
  out->likely = best_of_one(out);
  return PKS_OK;
}

pks_status pks_code_inspect(pks_code_scratch *scratch, pks_mem *mem, const pks_code_value *args,
                            size_t argc, unsigned flags, pks_code_facts *out) {
  inspection in;
  in.scratch = scratch;
  in.mem = mem;
  in.out = out;
  in.flags = flags;
  in.passed = 0;
  scratch->imports.count = scratch->globals.count = 0;
  if (!pks_code_unpack(mem, &scratch->text, args, argc, flags, out, &in.view)) return PKS_OK;
  pks_status status = judge(&in);
  if (!status) status = list_uses(&in);
  return status;
}

void pks_code_scratch_free(pks_code_scratch *s, pks_mem *mem) {
  pks_base_vec_free(mem, &s->starts, sizeof(uint64_t));
  pks_base_vec_free(mem, &s->targets, sizeof(uint64_t));
  pks_base_vec_free(mem, &s->depths, sizeof(int32_t));
  pks_base_vec_free(mem, &s->work, sizeof(uint64_t));
  pks_base_vec_free(mem, &s->text, 1);
  pks_base_vec_free(mem, &s->marks, sizeof(uint32_t));
  pks_base_vec_free(mem, &s->imports, sizeof(pks_code_import));
  pks_base_vec_free(mem, &s->globals, sizeof(pks_code_global));
}

/* ---- the code objects of one payload ------------------------------------------------------------------------- */

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
  for (unsigned i = 0; i < PKS_CODE_VERSIONS; i++)
    if (join->soft[i] < UINT32_MAX - UINT16_MAX) join->soft[i] += facts->soft[i];
}

void pks_code_join_get(const pks_code_join *join, pks_code_joint *out) {
  out->set = join->all;
  out->mixed = join->any && !join->all;
  out->likely = best(join->all, join->soft);
  out->pypy = join->pypy;
  out->kind = pks_code_set_kind(join->all, join->conflicts);
}
