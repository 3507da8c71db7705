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
  bool bad, unsettled, refused;
  int64_t depth;    /* before the instruction at hand, then after it */
  size_t leap_unit; /* SIZE_MAX: the instruction does not jump */
  int64_t leap_depth;
} walk;

/* ---- effects -------------------------------------------------------------------------------------- */

/* 3.6 and 3.7 as the evaluation loop does it: a handler starts with six values more, which
 * END_FINALLY and POP_EXCEPT take away. False: what the table says is right. */
static bool restated(unsigned name, int64_t *stay, int64_t *leap) {
#define EFFECT(on, off)    \
  *stay = on, *leap = off; \
  return true
  switch (name) {
    case PKS_OPCODE_FOR_ITER: EFFECT(1, -1);
    case PKS_OPCODE_JUMP_IF_TRUE_OR_POP:
    case PKS_OPCODE_JUMP_IF_FALSE_OR_POP: EFFECT(-1, 0);
    case PKS_OPCODE_SETUP_EXCEPT:
    case PKS_OPCODE_SETUP_FINALLY: EFFECT(0, 6);
    case PKS_OPCODE_SETUP_WITH: EFFECT(1, 6);
    case PKS_OPCODE_SETUP_ASYNC_WITH: EFFECT(0, 5);
    case PKS_OPCODE_SETUP_LOOP: EFFECT(0, 0);
    case PKS_OPCODE_POP_EXCEPT: EFFECT(-3, -3);
    case PKS_OPCODE_END_FINALLY: EFFECT(-6, -6);
    case PKS_OPCODE_WITH_CLEANUP_START: EFFECT(2, 2);
    case PKS_OPCODE_WITH_CLEANUP_FINISH: EFFECT(-3, -3);
    default: return false;
  }
#undef EFFECT
}

static void effects(const pks_code_table *t, const pks_code_ins *ins, int64_t *stay,
                    int64_t *leap) {
  const pks_code_op *op = ins->op;
  if (t->minor <= 7 && restated(op->name, stay, leap)) return;
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

/* Not when the place was passed at this depth already. */
static void later(walk *w, size_t unit, int64_t depth) {
  if (w->depths[unit] == depth) return;
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

static void leap(walk *w, const pks_code_ins *ins, int64_t change) {
  int64_t depth = w->depth + change;
  if (ins->op->name == PKS_OPCODE_CALL_FINALLY) {
    note(w, w->depth + 1); /* the block it calls is reached otherwise too */
    return;
  }
  if (depth < 0) {
    w->bad = true;
    depth = 0;
  }
  note(w, depth);
  w->leap_unit = pks_code_target(w->table, ins, w->view->size) / 2;
  w->leap_depth = depth;
}

/* One instruction; false: the path ends here. */
static bool step(walk *w, const pks_code_ins *ins) {
  int64_t stay, jumping;
  w->leap_unit = SIZE_MAX;
  if (returns(w, ins)) return false;
  effects(w->table, ins, &stay, &jumping);
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
    leap(w, ins, jumping);
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
  pks_code_cursor cursor =
      pks_code_cursor_at(w->table, w->view->code, w->view->size, (size_t)from.unit * 2);
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
      w->unsettled = true;
      w->memory->work->count = 0;
      return;
    }
    w->depths[unit] = (int32_t)w->depth;
    note(w, w->depth);
    handler_at(w, unit);
    bool on = step(w, &ins);
    if (w->leap_unit != SIZE_MAX) later(w, w->leap_unit, w->leap_depth);
    if (!on) return;
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

/* ---- in one go ------------------------------------------------------------------------------------ */

/* Notes the depth that a jump brings. False: it goes back, to a place that was passed at a lower depth
 * or not at all, so that one pass does not do. */
static bool bring(walk *w, size_t from) {
  int32_t *there = &w->depths[w->leap_unit];
  bool known = *there != PKS_DEPTH_NONE;
  if (known && *there != w->leap_depth && w->table->minor >= 10) w->bad = true;
  if (known && *there >= w->leap_depth) return true;
  if (w->leap_unit <= from) return false;
  *there = (int32_t)w->leap_depth;
  return true;
}

/* Most code only jumps back to where it came from: then one pass in the order of the instructions meets
 * every path, as whatever leads to a place lies before it. False: it does not, walk the paths. */
static bool in_order(walk *w, int64_t depth) {
  pks_code_cursor cursor = pks_code_cursor_at(w->table, w->view->code, w->view->size, 0);
  pks_code_ins ins;
  bool reached = true;
  w->depth = depth;
  while (!w->bad && pks_code_next(&cursor, &ins)) {
    size_t unit = ins.start / 2;
    int32_t brought = w->depths[unit];
    if (brought != PKS_DEPTH_NONE) {
      if (reached && brought != w->depth && w->table->minor >= 10) w->bad = true;
      if (!reached || brought > w->depth) w->depth = brought;
      reached = true;
    }
    if (!reached) {
      if (pks_code_bit(w->scan->targets, unit)) return false;
      continue;
    }
    w->depths[unit] = (int32_t)w->depth;
    note(w, w->depth);
    reached = step(w, &ins);
    if (w->leap_unit != SIZE_MAX && !bring(w, unit)) return false;
  }
  if (reached) w->bad = true; /* runs out of the code */
  return true;
}

/* ---- 3.6: the nominal walk ------------------------------------------------------------------------------ */

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

static void nominal_leap(walk *w, const pks_code_ins *ins, int64_t depth) {
  size_t target = pks_code_target(w->table, ins, w->view->size) / 2;
  int64_t there = depth + target_adjust(ins->op->name);
  note(w, there);
  if (target > ins->start / 2 && there > w->depths[target]) w->depths[target] = (int32_t)there;
}

static bool nominal_end(unsigned name, bool stop) {
  return name == PKS_OPCODE_JUMP_ABSOLUTE || name == PKS_OPCODE_JUMP_FORWARD ||
         (stop && name == PKS_OPCODE_RETURN_VALUE);
}

/* The greatest depth by the numbers of stack_effect(), in order. stop: not past a return (the compiler
 * sizes the stack before it removes what follows one). Jumps back add nothing: the walk does not enter
 * a block that it is in. */
static void nominal(walk *w, size_t units, bool stop) {
  pks_code_cursor cursor = pks_code_cursor_at(w->table, w->view->code, w->view->size, 0);
  pks_code_ins ins;
  int64_t depth = 0;
  bool reached = true;
  for (size_t i = 0; i < units; i++) w->depths[i] = PKS_DEPTH_NONE;
  w->most = w->most_folded = 0;
  while (pks_code_next(&cursor, &ins)) {
    int32_t brought = w->depths[ins.start / 2];
    if (brought != PKS_DEPTH_NONE && (!reached || brought > depth)) {
      depth = brought;
      reached = true;
    }
    if (!reached) continue;
    unsigned name = ins.op->name;
    if (ins.op->rule == PKS_RULE_LOAD_CONST && depth + folded_width(w, &ins) > w->most_folded)
      w->most_folded = depth + folded_width(w, &ins);
    depth += ins.op->stay_form ? pks_code_effect(ins.op->stay, ins.op->stay_form, ins.arg)
                               : ins.op->stay;
    note(w, depth);
    if (depth < 0) depth = 0;
    if (depth > INT32_MAX / 4) return;
    if (ins.op->flags & PKS_OP_JUMPS) nominal_leap(w, &ins, depth);
    if (name == PKS_OPCODE_JUMP_IF_TRUE_OR_POP || name == PKS_OPCODE_JUMP_IF_FALSE_OR_POP) depth--;
    reached = !nominal_end(name, stop);
  }
}

/* ---- all of it -------------------------------------------------------------------------------------------- */

static bool start(walk *w, const pks_code_flow_memory *memory, const pks_code_view *view,
                  const pks_code_table *table, const pks_code_scan *scan) {
  size_t units = view->size / 2;
  w->memory = memory;
  w->view = view;
  w->table = table;
  w->scan = scan;
  w->handlers = NULL;
  w->steps = 0;
  w->most_steps = 20 * (uint64_t)scan->count + 100;
  w->most = w->most_folded = 0;
  w->bad = w->unsettled = w->refused = false;
  memory->depths->count = memory->work->count = 0;
  if (!pks_base_vec_reserve(memory->mem, memory->depths, sizeof(int32_t), units * 2)) return false;
  w->depths = (int32_t *)(void *)memory->depths->data;
  return true;
}

static void judge_size(const walk *w, pks_code_flow *out) {
  int64_t size = w->view->stacksize;
  out->fits = out->stack_exact = true;
  if (w->bad || size < 0) return;
  out->fits = w->most <= size;
  out->stack_exact = w->most == size;
  if (w->table->minor <= 9 && w->most < size && size <= w->most_folded) out->stack_exact = true;
  if (w->table->minor >= 11 && size == 1 && w->most < 1) out->stack_exact = true;
}

static bool unreached(const walk *w, size_t units) {
  for (size_t i = 0; i < units; i++)
    if (pks_code_bit(w->scan->starts, i) && w->depths[i] == PKS_DEPTH_NONE) return true;
  return false;
}

static void paths(walk *w, size_t units, int64_t depth) {
  for (size_t i = 0; i < units; i++) w->depths[i] = PKS_DEPTH_NONE;
  place_handlers(w, units);
  w->most = w->most_folded = 0;
  w->bad = false;
  later(w, 0, depth);
  while (w->memory->work->count && !w->bad && !w->refused)
    path(w, PKS_VEC_AT(w->memory->work, visit, --w->memory->work->count));
}

bool pks_code_flow_run(const pks_code_flow_memory *memory, const pks_code_view *view,
                       const pks_code_table *table, const pks_code_scan *scan, pks_code_flow *out) {
  walk w;
  size_t units = view->size / 2;
  if (!start(&w, memory, view, table, scan)) return false;
  for (size_t i = 0; i < units; i++) w.depths[i] = PKS_DEPTH_NONE;
  /* 3.10: a generator starts with the value that GEN_START takes away. */
  bool generator = table->minor == 10 && view->has_flags && (view->flags & PKS_CO_YIELDS);
  if (table->minor >= 11 || !in_order(&w, generator)) paths(&w, units, generator);
  out->holds = !w.bad;
  out->settles = !w.unsettled;
  out->depths = w.depths;
  out->unreached = unreached(&w, units);
  judge_size(&w, out);
  return !w.refused;
}

bool pks_code_flow_size_3_6(const pks_code_flow_memory *memory, const pks_code_view *view,
                            const pks_code_table *table, const pks_code_scan *scan,
                            pks_code_flow *out) {
  walk w;
  size_t units = view->size / 2;
  int64_t size = view->stacksize;
  out->fits = out->stack_exact = true;
  if (!start(&w, memory, view, table, scan)) return false;
  if (size < 0 || !out->holds) return true;
  nominal(&w, units, true);
  out->fits = out->stack_exact = w.most <= size;
  if (w.most == size || !out->fits) return true;
  nominal(&w, units, false);
  out->stack_exact = size <= w.most || size <= w.most_folded;
  return true;
}
