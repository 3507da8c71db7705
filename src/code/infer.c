/* From arguments to candidates: which versions are tried for which shape. */
#include "code/infer.h"

#include <string.h>

#include "code/inspection.h"
#include "code/uses.h"

static pks_code_set shape_set(pks_code_shape shape) {
  switch (shape) {
    case PKS_SHAPE_14: return PKS_BIT(CPYTHON_2_7);
    case PKS_SHAPE_15: return PKS_SET_15;
    case PKS_SHAPE_16: return PKS_SET_16;
    case PKS_SHAPE_18: return PKS_SET_18;
    case PKS_SHAPE_20:
    case PKS_SHAPE_NONE:
    default: return 0;
  }
}

/* PyPys whose constructor takes this many arguments. */
static pks_code_set pypy_set(pks_code_shape shape) {
  switch (shape) {
    case PKS_SHAPE_14: return PKS_BIT(PYPY_2_7);
    case PKS_SHAPE_15: return PKS_BIT(PYPY_3_5) | PKS_BIT(PYPY_3_6) | PKS_BIT(PYPY_3_7);
    case PKS_SHAPE_16: return PKS_BIT(PYPY_3_8) | PKS_BIT(PYPY_3_9) | PKS_BIT(PYPY_3_10);
    case PKS_SHAPE_18: return PKS_BIT(PYPY_3_11);
    case PKS_SHAPE_20:
    case PKS_SHAPE_NONE:
    default: return 0;
  }
}

/* ---- hard checks --------------------------------------------------------------------------------- */

static bool lines_ok(const pks_inspection *in, const pks_code_table *table,
                     const pks_code_scan *scan, bool lnotab) {
  uint64_t end;
  if (!lnotab) return pks_code_lines_ok(&in->view, table, scan);
  return !in->view.has_lines || pks_code_lnotab_ok(&in->view, table->words, &end);
}

/* Bit sets for the scan of one more version. */
static bool lend_bits(pks_inspection *in, unsigned slot) {
  size_t words = pks_code_words(in->view.size);
  size_t from = slot * words;
  if (slot == 0) {
    in->scratch->starts.count = in->scratch->targets.count = 0;
    if (!pks_base_vec_reserve(in->mem, &in->scratch->starts, sizeof(uint64_t), words * PKS_SLOTS) ||
        !pks_base_vec_reserve(in->mem, &in->scratch->targets, sizeof(uint64_t), words * PKS_SLOTS))
      return false;
  }
  in->scans[slot] = (pks_code_scan){0};
  in->scans[slot].starts = &PKS_VEC_AT(&in->scratch->starts, uint64_t, from);
  in->scans[slot].targets = &PKS_VEC_AT(&in->scratch->targets, uint64_t, from);
  in->scans[slot].uses = in->uses[slot];
  return true;
}

static bool tables_ok(const pks_inspection *in, const pks_code_table *table,
                      const pks_code_scan *scan, bool lnotab, pks_code_check *check) {
  if (!lines_ok(in, table, scan, lnotab))
    *check = PKS_CHECK_LINES;
  else if (table->minor >= 11 && !pks_code_exceptions_ok(&in->view, scan))
    *check = PKS_CHECK_EXCEPTIONS;
  return !*check;
}

/* The instructions alone, of a version whose first ones are there. */
static pks_status try_instructions(pks_inspection *in, const pks_code_table *table,
                                   pks_code_check *check) {
  *check = PKS_CHECK_SHAPE;
  if (in->passed == PKS_SLOTS) return PKS_OK;
  if (!lend_bits(in, in->passed)) return in->mem->status;
  *check = pks_code_scan_run(&in->view, table, &in->scans[in->passed]);
  return PKS_OK;
}

/* Tries one version. lnotab: 3.10 code whose line table is in the older form. */
static pks_status try_version(pks_inspection *in, unsigned version, bool lnotab,
                              pks_code_check *check) {
  const pks_code_table *table = pks_code_table_of(version);
  *check = PKS_CHECK_PREFIX;
  if (table->minor >= 11 && !pks_code_prefix(&in->view, table)) return PKS_OK;
  pks_status status = try_instructions(in, table, check);
  if (status || *check) return status;
  if (tables_ok(in, table, &in->scans[in->passed], lnotab, check))
    in->versions[in->passed++] = (uint8_t)version;
  return PKS_OK;
}

static pks_status try_set(pks_inspection *in, pks_code_set set, bool lnotab) {
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
static pks_status try_pair(pks_inspection *in, unsigned newer, unsigned older) {
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
      if (b->ops[number].name != a->ops[number].name)
        return try_set(in, PKS_CODE_BIT(older), false);
    }
  in->out->set |= PKS_CODE_BIT(older);
  in->scans[in->passed] = *scan;
  in->versions[in->passed++] = (uint8_t)older;
  return PKS_OK;
}

/* Does the code start the way 3.11 and later do, in a call that has no place for it? */
static bool newer_than_its_call(const pks_inspection *in) {
  for (pks_code_set set = PKS_SET_18; set; set &= set - 1)
    if (pks_code_prefix(&in->view, pks_code_table_of(pks_code_set_first(set)))) return true;
  return false;
}

/* 3.4 and 3.5 write another form, with instructions of one byte and three: only when it is not that of
 * 3.6 and 3.7, as their tables are not checked against an interpreter. */
static pks_status try_15(pks_inspection *in) {
  pks_status status = try_pair(in, PKS_CODE_CPYTHON_3_7, PKS_CODE_CPYTHON_3_6);
  if (status || in->out->set) return status;
  return try_set(in, PKS_BIT(CPYTHON_3_4) | PKS_BIT(CPYTHON_3_5), false);
}

/* A table that covers the code is 3.10's. Otherwise 3.10 comes in with an lnotab: where a writer is
 * known that does so, or when nothing else is left. */
static pks_status try_16(pks_inspection *in) {
  pks_code_facts *out = in->out;
  pks_code_set newest = PKS_BIT(CPYTHON_3_10);
  if (!in->view.has_lines) return try_set(in, PKS_SET_16, false);
  bool covers = pks_code_pairs_ok(&in->view);
  pks_status status = covers ? try_set(in, newest, false) : PKS_OK;
  if (!status && !out->set) status = try_pair(in, PKS_CODE_CPYTHON_3_9, PKS_CODE_CPYTHON_3_8);
  if (!status && !covers && (!out->set || (in->flags & (PKS_CODE_CLOUDPICKLE_OLD | PKS_CODE_DILL))))
    status = try_set(in, newest, in->borrowed = true);
  if (!status && !out->set) out->broken_call = newer_than_its_call(in);
  return status;
}

/* Of the versions whose instructions these are, those whose tables lie beside them; all, when that is
 * none: a table that was cut away says nothing about the instructions. */
static void keep_by_tables(pks_inspection *in) {
  unsigned kept = 0, fits = 0;
  for (unsigned i = 0; i < in->passed; i++) {
    pks_code_check check = PKS_CHECK_OK;
    if (tables_ok(in, pks_code_table_of(in->versions[i]), &in->scans[i], false, &check))
      fits |= 1u << i;
  }
  for (unsigned i = 0; fits && i < in->passed; i++) {
    if (!(fits >> i & 1)) {
      in->out->set &= ~PKS_CODE_BIT(in->versions[i]);
      continue;
    }
    in->versions[kept] = in->versions[i];
    in->scans[kept++] = in->scans[i];
  }
  if (fits) in->passed = kept;
}

/* Code that passed as version a and has an instruction that b does not know, or with another number of
 * caches: is no code of b's. Up to the first such one both read the same. There b misses its caches, as no
 * instruction of a's is number 0; or it finds one of a's zeros where an instruction has to be. */
#define EXTENDED_ARG 144 /* from 3.6 to 3.12 */
static bool reads_apart(const pks_code_scan *scan, const pks_code_table *a,
                        const pks_code_table *b) {
  if (a->ops[EXTENDED_ARG].rule != PKS_RULE_EXTENDED ||
      b->ops[EXTENDED_ARG].rule != PKS_RULE_EXTENDED)
    return false;
  for (unsigned word = 0; word < 4; word++)
    for (uint64_t bits = scan->seen[word]; bits; bits &= bits - 1) {
      unsigned number = word * 64 + pks_code_lowest(bits);
      if (b->ops[number].bound == PKS_BOUND_NOTHING ||
          b->ops[number].caches != a->ops[number].caches)
        return true;
    }
  return false;
}

/* The first instructions leave one or two. */
static pks_status try_18(pks_inspection *in) {
  const pks_code_view *v = &in->view;
  for (pks_code_set set = PKS_SET_18; set; set &= set - 1) {
    unsigned version = pks_code_set_first(set);
    const pks_code_table *table = pks_code_table_of(version);
    pks_code_check check;
    if (!pks_code_starts(v, table) || !pks_code_prefix(v, table)) continue;
    if (in->passed && reads_apart(&in->scans[in->passed - 1],
                                  pks_code_table_of(in->versions[in->passed - 1]), table))
      continue;
    pks_status status = try_instructions(in, table, &check);
    if (status) return status;
    if (check) continue;
    in->out->set |= PKS_CODE_BIT(version);
    in->versions[in->passed++] = (uint8_t)version;
  }
  if (in->passed > 1) keep_by_tables(in);
  return PKS_OK;
}

static pks_status candidates(pks_inspection *in) {
  pks_code_set all = shape_set(in->view.shape);
  if (!in->view.code) {
    in->out->set = all;
    return PKS_OK;
  }
  in->out->scanned = true;
  if (in->view.shape == PKS_SHAPE_16) return try_16(in);
  if (in->view.shape == PKS_SHAPE_15) return try_15(in);
  if (in->view.shape == PKS_SHAPE_18) return try_18(in);
  return try_set(in, all, false);
}

static pks_code_set best_of_one(const pks_code_facts *facts) {
  uint32_t soft[PKS_CODE_VERSIONS];
  if (!(facts->set & (facts->set - 1))) return facts->set;
  for (unsigned i = 0; i < PKS_CODE_VERSIONS; i++) soft[i] = facts->soft[i];
  return pks_code_best(facts->set, soft);
}

/* ---- PyPy ------------------------------------------------------------------------------------------------ */

static bool has_op(const pks_inspection *in, unsigned number) {
  return pks_code_bit(in->scans[0].seen, number);
}

/* An except clause is entered by SETUP_EXCEPT in PyPy, which CPython no longer has: there SETUP_FINALLY is for
 * both, and leaves other things on the stack. Asked of what compilers write: PyPy has no POP_EXCEPT without
 * one, but for with. */
static bool has_other_clauses(const pks_inspection *in) {
  enum { POP_EXCEPT = 89, SETUP_EXCEPT = 120, EXC_MATCH = 121, SETUP_WITH = 143, ASYNC_WITH = 154 };
  if (!in->passed || has_op(in, SETUP_EXCEPT)) return false;
  return has_op(in, EXC_MATCH) ||
         (has_op(in, POP_EXCEPT) && !has_op(in, SETUP_WITH) && !has_op(in, ASYNC_WITH));
}

/* The body of a class is a function of one argument in PyPy: its dict. */
static bool is_class_of_pypy(const pks_code_view *v) {
  static const char name[] = "__locals__";
  if (v->argcount != 1 || !v->locals.items || !v->locals.count) return false;
  const pks_code_value *first = &v->locals.items[0];
  return first->kind == PKS_CV_STR && first->text.data && first->text.size == sizeof name - 1 &&
         memcmp(first->text.data, name, sizeof name - 1) == 0;
}

/* PyPy 3.9 shares most numbers with CPython: nothing of its own and nothing of CPython's alone means
 * that either may have made it. Of the other PyPys there is no table, so they stay possible. */
static pks_status judge_pypy(pks_inspection *in) {
  pks_code_facts *out = in->out;
  pks_code_check check;
  out->pypy = pypy_set(in->view.shape);
  if (!out->scanned) return PKS_OK;
  if (in->view.shape == PKS_SHAPE_18 && out->set) out->pypy = 0;
  if (in->view.shape != PKS_SHAPE_16) return PKS_OK;
  if (has_other_clauses(in)) {
    out->pypy &= ~PKS_BIT(PYPY_3_9);
    return PKS_OK;
  }
  if (is_class_of_pypy(&in->view)) {
    out->set = 0;
    in->passed = 0;
  }
  /* What 3.9 takes and PyPy reads alike needs no look of its own. */
  if (out->set & PKS_BIT(CPYTHON_3_9) &&
      !pks_code_differ(in, PKS_CODE_CPYTHON_3_9, PKS_CODE_PYPY_3_9))
    return PKS_OK;
  pks_status status = try_version(in, PKS_CODE_PYPY_3_9, false, &check);
  if (status) return status;
  if (check)
    out->pypy &= ~PKS_BIT(PYPY_3_9);
  else
    in->passed--;
  out->pypy_differs =
      out->set && pks_code_differ(in, pks_code_set_first(out->set), PKS_CODE_PYPY_3_9);
  return PKS_OK;
}

/* ---- one code object ---------------------------------------------------------------------------------------- */

/* Versions whose reading of imports and globals is wanted: one where all read the same. */
static pks_code_set readers(const pks_inspection *in) {
  const pks_code_facts *out = in->out;
  if (out->kind == PKS_CODE_EXACT || out->kind == PKS_CODE_EQUIVALENT)
    return PKS_CODE_BIT(pks_code_set_first(out->set));
  if (out->set) return out->set;
  if (out->broken_call) return PKS_SET_18;
  if (in->view.shape == PKS_SHAPE_20) return PKS_BIT(CPYTHON_3_11);
  return shape_set(in->view.shape) | (out->pypy & PKS_BIT(PYPY_3_9));
}

static pks_status list_uses(pks_inspection *in) {
  pks_code_facts *out = in->out;
  if (!pks_code_uses(in, readers(in))) return in->mem->status;
  out->imports = (const pks_code_import *)(const void *)in->scratch->imports.data;
  out->import_count = in->scratch->imports.count;
  out->globals = (const pks_code_global *)(const void *)in->scratch->globals.data;
  out->global_count = in->scratch->globals.count;
  return PKS_OK;
}

/* The magic number is given: nothing is inferred. */
static void take_given(pks_inspection *in, int version) {
  pks_code_facts *out = in->out;
  out->set = out->likely = version >= 0 ? PKS_CODE_BIT(version) : 0;
  out->kind = version >= 0 ? PKS_CODE_EXACT : PKS_CODE_NONE;
  out->scanned = in->view.code != NULL;
}

static pks_status judge(pks_inspection *in) {
  pks_code_facts *out = in->out;
  pks_status status = candidates(in);
  if (!status && (in->passed > 1 || in->borrowed)) status = pks_code_rank(in);
  if (!status) status = judge_pypy(in);
  if (status) return status;
  out->conflicts = pks_code_conflicts(in);
  out->kind = pks_code_set_kind(out->set, out->conflicts);
  out->likely = best_of_one(out);
  return PKS_OK;
}

static bool begin(pks_inspection *in, pks_code_scratch *scratch, pks_mem *mem,
                  const pks_code_value *args, size_t argc, unsigned flags, pks_code_facts *out) {
  in->scratch = scratch;
  in->mem = mem;
  in->out = out;
  in->flags = flags;
  in->passed = 0;
  in->alike = 0;
  in->borrowed = false;
  scratch->imports.count = scratch->globals.count = 0;
  return pks_code_unpack(mem, &scratch->text, args, argc, flags, out, &in->view);
}

pks_status pks_code_inspect(pks_code_scratch *scratch, pks_mem *mem, const pks_code_value *args,
                            size_t argc, unsigned flags, pks_code_facts *out) {
  pks_inspection in;
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
  pks_inspection in;
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
