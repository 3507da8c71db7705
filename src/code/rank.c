/* Soft evidence: which of several candidates did what its compiler would have done? */
#include "code/inspection.h"

#include "code/flow.h"

/* A walk of very long code is saved: all it can do is to take candidates away, and in code made for it,
 * it takes many times the memory of the code. */
#define LONGEST_WALK ((size_t)1 << 16)

static void keep_if(pks_inspection *in, unsigned i, bool holds) {
  if (!holds) in->out->set &= ~PKS_CODE_BIT(in->versions[i]);
}

/* One candidate by itself. Up to 3.10 data flow takes candidates away too, where it tells some apart. */
static bool rank_one(pks_inspection *in, unsigned i, pks_code_gather *gather, pks_code_flow *flow) {
  pks_code_flow_memory memory = {in->mem, &in->scratch->depths, &in->scratch->work};
  const pks_code_table *table = pks_code_table_of(in->versions[i]);
  bool walked = in->view.size <= LONGEST_WALK;
  if (walked && !pks_code_flow_run(&memory, &in->view, table, &in->scans[i], flow)) return false;
  if (walked && table->minor <= 10)
    keep_if(in, i, flow->holds && flow->fits && (flow->settles || table->minor == 6));
  if (!pks_code_gather_run(in->mem, &in->scratch->marks, &in->view, table, &in->scans[i], NULL,
                           gather))
    return false;
  in->out->soft[in->versions[i]] = pks_code_signs(gather, table->minor, walked ? flow : NULL);
  return true;
}

/* Any candidates. Where 3.8 comes after 3.9 (try_pair) and both read the code alike, one walk and one pass serve
 * both. */
static bool rank_each(pks_inspection *in, bool alike) {
  pks_code_gather gather;
  pks_code_flow flow;
  for (unsigned i = 0; i < in->passed; i++) {
    if (alike && i && in->versions[i] == PKS_CODE_CPYTHON_3_8) {
      bool walked = in->view.size <= LONGEST_WALK;
      keep_if(in, i, !walked || (flow.holds && flow.fits && flow.settles));
      in->out->soft[PKS_CODE_CPYTHON_3_8] = pks_code_signs(&gather, 8, walked ? &flow : NULL);
    } else if (!rank_one(in, i, &gather, &flow)) {
      return false;
    }
  }
  return true;
}

/* 3.11 and 3.12, reading alike: a walk would say the same of both. */
static bool rank_11_12(pks_inspection *in) {
  const pks_code_table *table = pks_code_table_of(PKS_CODE_CPYTHON_3_12);
  pks_code_gather gather;
  if (!pks_code_gather_run(in->mem, &in->scratch->marks, &in->view, table, &in->scans[0], NULL,
                           &gather))
    return false;
  in->out->soft[PKS_CODE_CPYTHON_3_11] = pks_code_signs(&gather, 11, NULL);
  in->out->soft[PKS_CODE_CPYTHON_3_12] = pks_code_signs(&gather, 12, NULL);
  return true;
}

/* 3.6 and 3.7: what is in both is the same instruction, so one walk and one pass serve both. */
static bool rank_15(pks_inspection *in) {
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
  if (!pks_code_flow_size_3_6(&memory, &in->view, pks_code_table_of(PKS_CODE_CPYTHON_3_6), scan,
                              &flow))
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
static bool rank_8_9(pks_inspection *in) {
  const pks_code_table *table = pks_code_table_of(PKS_CODE_CPYTHON_3_9);
  const pks_code_scan *scan = &in->scans[0];
  uint16_t *signs = &in->out->soft[PKS_CODE_CPYTHON_3_9];
  pks_code_gather gather;
  *signs = pks_code_zero_line_step(&in->view);
  if (!occurs(scan, table, PKS_OPCODE_BUILD_LIST) && !occurs(scan, table, PKS_OPCODE_BUILD_SET) &&
      !occurs(scan, table, PKS_OPCODE_CALL_FUNCTION_EX))
    return true;
  if (!pks_code_gather_run(in->mem, &in->scratch->marks, &in->view, table, scan, NULL, &gather))
    return false;
  *signs = (uint16_t)(*signs + gather.display + gather.call_ex);
  return true;
}

/* Notes a pair of candidates that reads the code alike: sets.c need not ask again. */
static bool alike(pks_inspection *in, unsigned first, unsigned second) {
  pks_code_set both = PKS_CODE_BIT(first) | PKS_CODE_BIT(second);
  if ((in->out->set & both) != both || pks_code_differ(in, first, second)) return false;
  in->alike = both;
  return true;
}

pks_status pks_code_rank(pks_inspection *in) {
  pks_code_set set = in->out->set;
  bool done;
  if (set & (PKS_BIT(CPYTHON_3_4) | PKS_BIT(CPYTHON_3_5))) return PKS_OK; /* no effects are known */
  if (set == PKS_SET_15) {
    done = rank_15(in);
  } else if (alike(in, PKS_CODE_CPYTHON_3_11, PKS_CODE_CPYTHON_3_12)) {
    done = rank_11_12(in);
  } else {
    bool same = alike(in, PKS_CODE_CPYTHON_3_8, PKS_CODE_CPYTHON_3_9);
    done = same && set == PKS_SET_OLD_16 ? rank_8_9(in) : rank_each(in, same);
  }
  return done ? PKS_OK : in->mem->status;
}
