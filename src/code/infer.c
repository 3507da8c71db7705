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
  bool borrowed;              /* 3.10 was tried with an lnotab: no table says that it is its code */
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

/* Where both know the same instructions, 3.7 asks as much as 3.6 does and 3.9 no less than 3.8: so for
 * code that passed as the newer one, the instructions that occur decide about the older. */
static pks_status try_pair(inspection *in, unsigned newer, unsigned older) {
  const pks_code_table *a = pks_code_table_of(newer), *b = pks_code_table_of(older);
  pks_code_check check;
  pks_status status = try_version(in, newer, false, &check);
  if (status) return status;
  if (check) return try_set(in, PKS_CODE_BIT(older), false);
  in->out->set |= PKS_CODE_BIT(newer);
  if (in->view.has_flags && (in->view.flags & ~b->flags)) return PKS_OK;
  const pks_code_scan *scan = &in->scans[in->passed - 1];
  for (unsigned word = 0; word < 4; word++)
    for (uint64_t bits = scan->seen[word]; bits; bits &= bits - 1) {
      unsigned number = word * 64 + pks_code_lowest(bits);
      if (!b->ops[number].name) return PKS_OK;
      if (b->ops[number].name != a->ops[number].name) return try_set(in, PKS_CODE_BIT(older), false);
    }
  in->out->set |= PKS_CODE_BIT(older);
  in->scans[in->passed] = *scan;
  in->versions[in->passed++] = (uint8_t)older;
  return PKS_OK;
}

/* Does the code start the way 3.11 and later do, in a call that has no place for it? */
static bool newer_than_its_call(const inspection *in) {
  for (pks_code_set set = SET_18; set; set &= set - 1)
    if (pks_code_prefix(&in->view, pks_code_table_of(pks_code_set_first(set)))) return true;
  return false;
}

/* 3.4 and 3.5 write another form, with instructions of one byte and three: only when it is not that of
 * 3.6 and 3.7, as their tables are not checked against an interpreter. */
static pks_status try_15(inspection *in) {
  pks_status status = try_pair(in, PKS_CODE_CPYTHON_3_7, PKS_CODE_CPYTHON_3_6);
  if (status || in->out->set) return status;
  return try_set(in, BIT(CPYTHON_3_4) | BIT(CPYTHON_3_5), false);
}

/* A table that covers the code is 3.10's. Otherwise 3.10 comes in with an lnotab: where a writer is
 * known that does so, or when nothing else is left. */
static pks_status try_16(inspection *in) {
  pks_code_facts *out = in->out;
  pks_code_set newest = BIT(CPYTHON_3_10);
  if (!in->view.has_lines) return try_set(in, SET_16, false);
  bool covers = pks_code_pairs_ok(&in->view);
  pks_status status = covers ? try_set(in, newest, false) : PKS_OK;
  if (!status && !out->set) status = try_pair(in, PKS_CODE_CPYTHON_3_9, PKS_CODE_CPYTHON_3_8);
  if (!status && !covers && (!out->set || (in->flags & PKS_CODE_CLOUDPICKLE_OLD)))
    status = try_set(in, newest, in->borrowed = true);
  if (!status && !out->set) out->broken_call = newer_than_its_call(in);
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
  if (in->view.shape == PKS_SHAPE_15) return try_15(in);
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
  pks_code_cursor cursor = pks_code_cursor_at(table, v->code, v->size, 0);
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
    for (uint64_t bits = scan->seen[word]; bits; bits &= bits - 1) {
      unsigned number = word * 64 + pks_code_lowest(bits);
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

/* A walk of very long code is saved: all it can do is to take candidates away. */
#define LONGEST_WALK ((size_t)1 << 20)

static void keep_if(inspection *in, unsigned i, bool holds) {
  if (!holds) in->out->set &= ~PKS_CODE_BIT(in->versions[i]);
}

/* Any candidates, each by itself. Up to 3.10 data flow takes candidates away too, where it tells some
 * apart. */
static bool rank_each(inspection *in) {
  pks_code_flow_memory memory = {in->mem, &in->scratch->depths, &in->scratch->work};
  for (unsigned i = 0; i < in->passed; i++) {
    const pks_code_table *table = pks_code_table_of(in->versions[i]);
    bool walked = in->view.size <= LONGEST_WALK;
    pks_code_flow flow;
    pks_code_gather gather;
    if (walked && !pks_code_flow_run(&memory, &in->view, table, &in->scans[i], &flow)) return false;
    if (walked && table->minor <= 10) keep_if(in, i, flow.holds && flow.fits && (flow.settles || table->minor == 6));
    if (!pks_code_gather_run(in->mem, &in->scratch->marks, &in->view, table, &in->scans[i], NULL, &gather))
      return false;
    in->out->soft[in->versions[i]] = pks_code_signs(&gather, table->minor, walked ? &flow : NULL);
  }
  return true;
}

/* 3.6 and 3.7: what is in both is the same instruction, so one walk and one pass serve both. */
static bool rank_15(inspection *in) {
  pks_code_flow_memory memory = {in->mem, &in->scratch->depths, &in->scratch->work};
  const pks_code_table *table = pks_code_table_of(PKS_CODE_CPYTHON_3_7);
  const pks_code_scan *scan = &in->scans[0]; /* of 3.7 */
  uint16_t *soft = in->out->soft;
  pks_code_gather gather;
  pks_code_flow flow;
  bool walked = in->view.size <= LONGEST_WALK;
  if (walked && !pks_code_flow_run(&memory, &in->view, table, scan, &flow)) return false;
  if (!pks_code_gather_run(in->mem, &in->scratch->marks, &in->view, table, scan,
                           walked && flow.holds ? flow.depths : NULL, &gather))
    return false;
  soft[PKS_CODE_CPYTHON_3_7] = pks_code_signs(&gather, 7, walked ? &flow : NULL);
  /* The nominal walk of 3.6 only speaks against 3.6: not asked for when 3.7 is behind already. */
  if (!walked || soft[PKS_CODE_CPYTHON_3_7]) {
    soft[PKS_CODE_CPYTHON_3_6] = pks_code_signs(&gather, 6, NULL);
    if (walked) keep_if(in, 0, flow.holds && flow.fits && flow.settles);
    if (walked) keep_if(in, 1, flow.holds);
    return true;
  }
  /* A loop around a handler: 3.6 leaves by a way that a plain walk does not see (CONTINUE_LOOP). */
  keep_if(in, 0, flow.holds && flow.fits && flow.settles);
  if (!pks_code_flow_size_3_6(&memory, &in->view, pks_code_table_of(PKS_CODE_CPYTHON_3_6), scan, &flow))
    return false;
  keep_if(in, 1, flow.holds && flow.fits);
  soft[PKS_CODE_CPYTHON_3_6] = pks_code_signs(&gather, 6, &flow);
  return true;
}

static bool occurs(const pks_code_scan *scan, const pks_code_table *table, unsigned name) {
  for (unsigned word = 0; word < 4; word++)
    for (uint64_t bits = scan->seen[word]; bits; bits &= bits - 1)
      if (table->ops[word * 64 + pks_code_lowest(bits)].name == name) return true;
  return false;
}

/* 3.8 and 3.9 alone: only signs that count for one of them matter, and all are against 3.9. */
static bool rank_8_9(inspection *in) {
  const pks_code_table *table = pks_code_table_of(PKS_CODE_CPYTHON_3_9);
  const pks_code_scan *scan = &in->scans[0];
  uint16_t *signs = &in->out->soft[PKS_CODE_CPYTHON_3_9];
  pks_code_gather gather;
  *signs = pks_code_zero_line_step(&in->view);
  if (!occurs(scan, table, PKS_OPCODE_BUILD_LIST) && !occurs(scan, table, PKS_OPCODE_BUILD_SET) &&
      !occurs(scan, table, PKS_OPCODE_CALL_FUNCTION_EX))
    return true;
  if (!pks_code_gather_run(in->mem, &in->scratch->marks, &in->view, table, scan, NULL, &gather)) return false;
  *signs = (uint16_t)(*signs + gather.display + gather.call_ex);
  return true;
}

static pks_status rank(inspection *in) {
  pks_code_set set = in->out->set;
  if (set & (BIT(CPYTHON_3_4) | BIT(CPYTHON_3_5))) return PKS_OK; /* no effects are known */
  bool done = set == SET_15                                        ? rank_15(in)
              : set == (BIT(CPYTHON_3_8) | BIT(CPYTHON_3_9)) ? rank_8_9(in)
                                                                   : rank_each(in);
  return done ? PKS_OK : in->mem->status;
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

/* The magic number is given: nothing is inferred. */
static void take_given(inspection *in, int version) {
  pks_code_facts *out = in->out;
  out->set = out->likely = version >= 0 ? PKS_CODE_BIT(version) : 0;
  out->kind = version >= 0 ? PKS_CODE_EXACT : PKS_CODE_NONE;
  out->scanned = in->view.code != NULL;
}

static pks_status judge(inspection *in) {
  pks_code_facts *out = in->out;
  pks_status status = candidates(in);
  if (!status && (in->passed > 1 || in->borrowed)) status = rank(in);
  if (!status) status = judge_pypy(in);
  if (status) return status;
  out->conflicts = conflicts(in);
  out->kind = pks_code_set_kind(out->set, out->conflicts);
  out->likely = best_of_one(out);
  return PKS_OK;
}

static bool begin(inspection *in, pks_code_scratch *scratch, pks_mem *mem, const pks_code_value *args,
                  size_t argc, unsigned flags, pks_code_facts *out) {
  in->scratch = scratch;
  in->mem = mem;
  in->out = out;
  in->flags = flags;
  in->passed = 0;
  in->borrowed = false;
  scratch->imports.count = scratch->globals.count = 0;
  return pks_code_unpack(mem, &scratch->text, args, argc, flags, out, &in->view);
}

pks_status pks_code_inspect(pks_code_scratch *scratch, pks_mem *mem, const pks_code_value *args,
                            size_t argc, unsigned flags, pks_code_facts *out) {
  inspection in;
  if (!begin(&in, scratch, mem, args, argc, flags, out)) return PKS_OK;
  if (out->given_magic) {
    take_given(&in, pks_code_version_of_magic((uint16_t)out->given_magic));
    return list_uses(&in);
  }
  pks_status status = judge(&in);
  return status ? status : list_uses(&in);
}

pks_status pks_code_inspect_as(pks_code_scratch *scratch, pks_mem *mem, const pks_code_value *args,
                               size_t argc, uint16_t magic, pks_code_facts *out) {
  inspection in;
  if (!begin(&in, scratch, mem, args, argc, 0, out)) return PKS_OK;
  out->given_magic = magic;
  take_given(&in, pks_code_version_of_magic(magic));
  return list_uses(&in);
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
