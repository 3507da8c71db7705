/* Stack depths along every path.
 *
 * The effects are those of stack_effect() in Python/compile.c of the version. Two things differ from
 * it on purpose: 3.6 and 3.7 give one number for an instruction whether it jumps or not (the greater),
 * so what really happens is restated below; and 3.6 sizes the stack by a nominal walk over these
 * numbers (stackdepth_walk), not by the depths that occur. */
#include "code/flow.h"

#include <string.h>

typedef struct visit {
  uint32_t unit;
  int32_t depth;
} visit;

typedef struct walk {
  const pks_code_flow_memory *memory;
  const pks_code_view *view;
  const pks_code_table *table;
  const pks_code_scan *scan;
  int32_t *depths;
  uint32_t *handlers; /* 3.11+, by unit: position in regions + 1 */
  uint64_t steps, most_steps;
  int64_t most, most_folded; /* greatest depth; with the items of folded tuples beside it */
  bool bad, refused;
  int64_t depth; /* before the instruction at hand */
} walk;

/* ---- effects -------------------------------------------------------------------------------------- */

typedef struct effect {
  uint8_t name;
  int8_t stay, leap;
} effect;

/* 3.6 and 3.7 as the evaluation loop does it: a handler starts with six values more, which
 * END_FINALLY and POP_EXCEPT take away. */
static const effect restated[] = {
    {PKS_OPCODE_FOR_ITER, 1, -1},          {PKS_OPCODE_JUMP_IF_TRUE_OR_POP, -1, 0},
    {PKS_OPCODE_JUMP_IF_FALSE_OR_POP, -1, 0}, {PKS_OPCODE_SETUP_EXCEPT, 0, 6},
    {PKS_OPCODE_SETUP_FINALLY, 0, 6},      {PKS_OPCODE_SETUP_WITH, 1, 6},
    {PKS_OPCODE_SETUP_ASYNC_WITH, 0, 5},   {PKS_OPCODE_SETUP_LOOP, 0, 0},
    {PKS_OPCODE_POP_EXCEPT, -3, -3},       {PKS_OPCODE_END_FINALLY, -6, -6},
    {PKS_OPCODE_WITH_CLEANUP_START, 2, 2}, {PKS_OPCODE_WITH_CLEANUP_FINISH, -3, -3},
};

static void effects(const pks_code_table *t, const pks_code_ins *ins, int64_t *stay, int64_t *leap) {
  const pks_code_op *op = ins->op;
  if (t->minor <= 7 && ((op->flags & PKS_OP_JUMPS) || op->stay <= -3 || op->stay >= 2 || !op->stay)) {
    for (size_t i = 0; i < sizeof restated / sizeof *restated; i++)
      if (restated[i].name == op->name) {
        *stay = restated[i].stay;
        *leap = restated[i].leap;
        return;
      }
  }
  if (op->name == PKS_OPCODE_RETURN_GENERATOR) { /* 3.11, 3.12: the caller's send pushes None */
    *stay = *leap = 1;
    return;
  }
  *stay = op->stay_form ? pks_code_effect(op->stay, op->stay_form, ins->arg) : op->stay;
  *leap = !(op->flags & PKS_OP_JUMPS) ? *stay
          : op->leap_form             ? pks_code_effect(op->leap, op->leap_form, ins->arg)
                                      : op->leap;
}

/* How many values an instruction reads, for those that read more than they take away. */
static int64_t reads(const pks_code_table *t, const pks_code_ins *ins) {
  int64_t arg = ins->arg;
  switch (ins->op->name) {
    case PKS_OPCODE_COPY:
    case PKS_OPCODE_SWAP:
    case PKS_OPCODE_BUILD_TUPLE:
    case PKS_OPCODE_BUILD_LIST:
    case PKS_OPCODE_BUILD_SET:
    case PKS_OPCODE_BUILD_STRING: return arg;
    case PKS_OPCODE_PRECALL: return arg + 2;
    case PKS_OPCODE_CALL: return t->minor == 11 ? 0 : arg + 2;
    case PKS_OPCODE_CALL_FUNCTION: return arg + 1;
    case PKS_OPCODE_CALL_METHOD: return arg + 2;
    case PKS_OPCODE_LOAD_ATTR:
    case PKS_OPCODE_LOAD_METHOD:
    case PKS_OPCODE_POP_TOP:
    case PKS_OPCODE_GET_ITER:
    case PKS_OPCODE_UNPACK_SEQUENCE:
    case PKS_OPCODE_UNARY_NOT:
    case PKS_OPCODE_TO_BOOL:
    case PKS_OPCODE_FOR_ITER: return 1;
    case PKS_OPCODE_LIST_APPEND:
    case PKS_OPCODE_SET_ADD:
    case PKS_OPCODE_LIST_EXTEND:
    case PKS_OPCODE_SET_UPDATE:
    case PKS_OPCODE_DICT_UPDATE:
    case PKS_OPCODE_DICT_MERGE: return arg + 1;
    default: return 0;
  }
}

/* Up to 3.10 these take what a block left behind, whose height a plain walk does not know. */
static bool ends_block(unsigned name) {
  switch (name) {
    case PKS_OPCODE_END_FINALLY:
    case PKS_OPCODE_RAISE_VARARGS:
    case PKS_OPCODE_RERAISE:
    case PKS_OPCODE_END_ASYNC_FOR:
    case PKS_OPCODE_POP_FINALLY:
    case PKS_OPCODE_POP_EXCEPT:
    case PKS_OPCODE_WITH_CLEANUP_FINISH: return true;
    default: return false;
  }
}

/* ---- the walk ----------------------------------------------------------------------------------------- */

static void note(walk *w, int64_t depth) {
  if (depth > w->most) w->most = depth;
}

static void later(walk *w, size_t unit, int64_t depth) {
  visit *v = pks_base_vec_push(w->memory->mem, w->memory->work, sizeof *v);
  if (!v) {
    w->refused = true;
    return;
  }
  v->unit = (uint32_t)unit;
  v->depth = (int32_t)depth;
}

/* Until 3.9 constants are folded into tuples after the stack is sized, so the items count. */
static void note_folded(walk *w, const pks_code_ins *ins) {
  const pks_code_items *consts = &w->view->consts;
  if (w->table->minor > 9 || ins->op->rule != PKS_RULE_LOAD_CONST) return;
  if (!consts->items || ins->arg >= consts->count) return;
  const pks_code_value *value = &consts->items[ins->arg];
  if (value->kind != PKS_CV_TUPLE) return;
  int64_t depth = w->depth + (int64_t)value->count;
  if (depth > w->most_folded) w->most_folded = depth;
}

static bool returns(walk *w, const pks_code_ins *ins) {
  if (ins->op->name == PKS_OPCODE_RETURN_VALUE) {
    /* 3.8 and later return from the bottom of the stack; before, blocks may lie under the value. */
    if (w->depth < 1 || (w->depth != 1 && w->table->minor >= 8)) w->bad = true;
    return true;
  }
  if (ins->op->name == PKS_OPCODE_RETURN_CONST) {
    if (w->depth != 0) w->bad = true;
    return true;
  }
  return false;
}

static void leap_to(walk *w, const pks_code_ins *ins, int64_t leap) {
  size_t target = pks_code_target(w->table, ins, w->view->size);
  if (ins->op->name == PKS_OPCODE_CALL_FINALLY) {
    note(w, w->depth + 1); /* the block it calls is reached otherwise too */
    return;
  }
  int64_t depth = w->depth + leap;
  if (depth < 0) {
    w->bad = true;
    depth = 0;
  }
  note(w, depth);
  later(w, target / 2, depth);
}

/* One instruction; false: the path ends here. */
static bool step(walk *w, const pks_code_ins *ins) {
  int64_t stay, leap;
  if (returns(w, ins)) return false;
  effects(w->table, ins, &stay, &leap);
  int64_t depth = w->depth + stay;
  if (depth < 0) {
    if (w->table->minor >= 11 || !ends_block(ins->op->name)) w->bad = true;
    depth = 0;
  }
  if (reads(w->table, ins) > w->depth) w->bad = true;
  note(w, depth);
  note_folded(w, ins);
  if (ins->op->flags & PKS_OP_JUMPS) {
    if (ins->op->name == PKS_OPCODE_CONTINUE_LOOP) return false;
    leap_to(w, ins, leap);
  }
  w->depth = depth;
  return !(ins->op->flags & PKS_OP_ENDS) && depth < INT32_MAX / 2;
}

static void handler_at(walk *w, size_t unit) {
  if (!w->handlers || !w->handlers[unit]) return;
  size_t at = w->handlers[unit] - 1;
  pks_code_region region;
  if (!pks_code_region_next(w->view->exceptions, &at, &region)) return;
  if (w->depth < (int64_t)region.depth) w->bad = true;
  int64_t depth = (int64_t)region.depth + region.lasti + 1;
  if (depth > INT32_MAX / 2) return;
  note(w, depth);
  later(w, (size_t)region.target / 2, depth);
}

static void path(walk *w, visit from) {
  pks_code_cursor cursor = {w->table, w->view->code, w->view->size, (size_t)from.unit * 2};
  pks_code_ins ins;
  w->depth = from.depth;
  while (!w->bad && !w->refused) {
    size_t unit = cursor.at / 2;
    if (!pks_code_next(&cursor, &ins)) { /* runs out of the code */
      w->bad = true;
      return;
    }
    int32_t before = w->depths[unit];
    if (before != PKS_DEPTH_NONE) {
      if (before != w->depth && w->table->minor >= 10) w->bad = true;
      if (before >= w->depth || w->bad) return;
    }
    if (++w->steps > w->most_steps) {
      if (w->table->minor > 6) w->bad = true;
      w->memory->work->count = 0;
      return;
    }
    w->depths[unit] = (int32_t)w->depth;
    note(w, w->depth);
    handler_at(w, unit);
    if (!step(w, &ins)) return;
  }
}

/* 3.11+: for each unit the entry of the exception table it lies in. Entries do not overlap, so this is
 * linear. The positions share the vector of the depths. */
static void place_handlers(walk *w, size_t units) {
  pks_code_region region;
  size_t at = 0, here;
  w->handlers = NULL;
  if (w->table->minor < 11 || !w->view->has_exceptions || w->view->exceptions.size == 0) return;
  w->handlers = (uint32_t *)(void *)(w->depths + units);
  memset(w->handlers, 0, units * sizeof *w->handlers);
  for (;;) {
    here = at;
    if (!pks_code_region_next(w->view->exceptions, &at, &region)) return;
    for (uint64_t unit = region.start / 2; unit < region.end / 2; unit++)
      w->handlers[unit] = (uint32_t)here + 1;
  }
}

/* ---- 3.6: the nominal walk ------------------------------------------------------------------------------ */

#define SEEN 1

/* Width that a constant had on the stack before it was folded, at least. */
static int64_t folded_width(const walk *w, const pks_code_ins *ins) {
  const pks_code_items *consts = &w->view->consts;
  if (!consts->items || ins->arg >= consts->count) return 1;
  const pks_code_value *value = &consts->items[ins->arg];
  switch (value->kind) {
    case PKS_CV_TUPLE:
    case PKS_CV_FROZENSET: return (int64_t)value->count;
    case PKS_CV_INT:
    case PKS_CV_FLOAT:
    case PKS_CV_STR:
    case PKS_CV_BYTES:
    case PKS_CV_OTHER: return 2;
    case PKS_CV_UNKNOWN:
    case PKS_CV_NONE:
    case PKS_CV_BOOL:
    case PKS_CV_CODE:
    default: return 1;
  }
}

/* Effect of a jump at its target in stackdepth_walk, beside the instruction's own. */
static int64_t target_adjust(unsigned name) {
  if (name == PKS_OPCODE_FOR_ITER) return -2;
  if (name == PKS_OPCODE_SETUP_FINALLY || name == PKS_OPCODE_SETUP_EXCEPT) return 3;
  return 0;
}

/* One block: from `from` to the next jump target. Pushes what follows in reverse. */
static void nominal_block(walk *w, visit from, bool stop) {
  pks_code_cursor cursor = {w->table, w->view->code, w->view->size, (size_t)from.unit * 2};
  pks_code_ins ins;
  int64_t depth = from.depth;
  size_t first = w->memory->work->count;
  while (++w->steps <= w->most_steps && pks_code_next(&cursor, &ins)) {
    unsigned name = ins.op->name;
    if (ins.op->rule == PKS_RULE_LOAD_CONST && depth + folded_width(w, &ins) > w->most_folded)
      w->most_folded = depth + folded_width(w, &ins);
    depth += pks_code_effect(ins.op->stay, ins.op->stay_form, ins.arg);
    note(w, depth);
    if (depth < 0) depth = 0;
    if (depth > INT32_MAX / 4) break;
    if (ins.op->flags & PKS_OP_JUMPS) {
      int64_t there = depth + target_adjust(name);
      if (there > depth) note(w, there);
      if (name == PKS_OPCODE_JUMP_IF_TRUE_OR_POP || name == PKS_OPCODE_JUMP_IF_FALSE_OR_POP) depth--;
      later(w, pks_code_target(w->table, &ins, w->view->size) / 2, there);
      if (name == PKS_OPCODE_JUMP_ABSOLUTE || name == PKS_OPCODE_JUMP_FORWARD) break;
    }
    if (stop && name == PKS_OPCODE_RETURN_VALUE) break;
    if (cursor.at >= w->view->size) break;
    if (pks_code_bit(w->scan->targets, cursor.at / 2)) {
      later(w, cursor.at / 2, depth);
      break;
    }
  }
  visit *work = &PKS_VEC_AT(w->memory->work, visit, 0);
  for (size_t i = first, j = w->memory->work->count; i + 1 < j; i++) {
    visit swap = work[i];
    work[i] = work[--j];
    work[j] = swap;
  }
}

/* The greatest depth of the nominal walk; stop: not past a return. False: given up. */
static bool nominal(walk *w, size_t units, bool stop) {
  pks_vec *work = w->memory->work;
  for (size_t i = 0; i < units; i++) w->depths[i] = -2;
  w->steps = 0;
  w->most = w->most_folded = 0;
  work->count = 0;
  later(w, 0, 0);
  while (work->count && !w->refused && w->steps <= w->most_steps) {
    visit v = PKS_VEC_AT(work, visit, --work->count);
    if (v.depth < 0) { /* the walk from here is done */
      w->depths[v.unit] &= ~SEEN;
      continue;
    }
    int32_t known = w->depths[v.unit];
    if ((known & SEEN) || known >= v.depth * 2) continue;
    w->depths[v.unit] = v.depth * 2 | SEEN;
    later(w, v.unit, -1);
    nominal_block(w, v, stop);
  }
  return !w->refused && w->steps <= w->most_steps;
}

static void nominal_size(walk *w, size_t units, pks_code_flow *out) {
  int64_t size = w->view->stacksize;
  w->most_steps = 20 * (uint64_t)w->scan->count + 1000;
  if (!nominal(w, units, true)) return;
  int64_t least = w->most;
  if (least > size) out->holds = false;
  if (!nominal(w, units, false)) return;
  int64_t greatest = w->most > w->most_folded ? w->most : w->most_folded;
  out->stack_exact = least <= size && size <= greatest;
}

/* ---- all of it -------------------------------------------------------------------------------------------- */

static void judge_size(const walk *w, pks_code_flow *out) {
  int64_t size = w->view->stacksize;
  if (size < 0) return;
  if (w->most > size) out->holds = false;
  out->stack_exact = w->most == size;
  if (w->table->minor <= 9 && w->most < size && size <= w->most_folded) out->stack_exact = true;
  if (w->table->minor >= 11 && size == 1 && w->most < 1) out->stack_exact = true;
}

static bool unreached(const walk *w, size_t units) {
  for (size_t i = 0; i < units; i++)
    if (pks_code_bit(w->scan->starts, i) && w->depths[i] == PKS_DEPTH_NONE) return true;
  return false;
}

bool pks_code_flow_run(const pks_code_flow_memory *memory, const pks_code_view *view,
                       const pks_code_table *table, const pks_code_scan *scan, pks_code_flow *out) {
  walk w = {.memory = memory, .view = view, .table = table, .scan = scan};
  size_t units = view->size / 2;
  memory->depths->count = memory->work->count = 0;
  if (!pks_base_vec_reserve(memory->mem, memory->depths, sizeof(int32_t), units * 2)) return false;
  w.depths = (int32_t *)(void *)memory->depths->data;
  for (size_t i = 0; i < units; i++) w.depths[i] = PKS_DEPTH_NONE;
  place_handlers(&w, units);
  w.most_steps = 20 * (uint64_t)scan->count + 100;
  /* 3.10: a generator starts with the value that GEN_START takes away. */
  bool generator = table->minor == 10 && view->has_flags && (view->flags & PKS_CO_YIELDS);
  later(&w, 0, generator ? 1 : 0);
  while (memory->work->count && !w.bad && !w.refused)
    path(&w, PKS_VEC_AT(memory->work, visit, --memory->work->count));

  out->holds = !w.bad;
  out->stack_exact = true;
  out->depths = w.depths;
  out->unreached = unreached(&w, units);
  if (!w.bad && table->minor != 6) judge_size(&w, out);
  if (!w.bad && table->minor == 6 && view->stacksize >= 0) nominal_size(&w, units, out);
  return !w.refused;
}
