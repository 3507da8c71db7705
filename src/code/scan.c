/* The checks on the instructions themselves: one pass, no memory but two bit sets.
 *
 * What a version's compiler never writes. Found in Python/compile.c (3.12: flowgraph.c too,
 * 3.13: codegen.c) and the evaluation loop of each version, then held against every code object of
 * its standard library; a rule that failed there is not here. */
#include "code/scan.h"

#include <string.h>

/* What the next instruction has to be. */
typedef enum want {
  WANT_ANY,
  WANT_RESUME,
  WANT_PRECALL,
  WANT_CALL,
  WANT_SAME_CALL,
  WANT_TEST
} want;

typedef struct step {
  const pks_code_op *op;
  uint32_t arg;
} step;

typedef struct walk {
  const pks_code_view *view;
  const pks_code_table *table;
  pks_code_scan *scan;
  uint64_t limits[PKS_BOUND_COUNT];
  step trail[4]; /* the newest instructions: number i at i % 4 */
  size_t index;  /* instructions so far */
  want want;
  uint32_t want_arg;
  bool yields;
} walk;

/* The instruction that is `back` before the one at hand. */
static inline const step *earlier(const walk *w, unsigned back) {
  return &w->trail[(w->index - back) & 3];
}

/* ---- decoding, the seldom ways ------------------------------------------------------------------------ */

bool pks_code_next_wide(pks_code_cursor *c, pks_code_ins *ins) {
  uint32_t arg = 0;
  size_t at = c->at;
  ins->start = at;
  ins->extended = 0;
  while (at < c->size) {
    const pks_code_op *op = &c->ops[c->code[at]];
    size_t width = op->flags & PKS_OP_READS ? 3 : 1;
    if (c->size - at < width) return false;
    if (width == 3) arg = arg << 16 | (uint32_t)(c->code[at + 1] | c->code[at + 2] << 8);
    if (op->rule != PKS_RULE_EXTENDED) {
      ins->offset = at;
      ins->op = op;
      ins->number = c->code[at];
      ins->arg = arg;
      ins->end = c->at = at + width;
      return true;
    }
    if (ins->extended++ == 0) ins->extended_zero = arg == 0;
    if (ins->extended == 0) ins->extended = 255;
    at += width;
  }
  return false;
}

bool pks_code_next_extended(pks_code_cursor *c, pks_code_ins *ins) {
  size_t at = c->at, size = c->size;
  uint32_t arg = c->code[at + 1];
  const pks_code_op *op = &c->ops[c->code[at]];
  ins->start = at;
  ins->extended = 0;
  ins->extended_zero = arg == 0;
  while (op->rule == PKS_RULE_EXTENDED) {
    if (ins->extended < 255) ins->extended++;
    at += 2;
    if (size - at < 2) return false;
    op = &c->ops[c->code[at]];
    arg = arg << 8 | c->code[at + 1];
  }
  ins->offset = at;
  ins->op = op;
  ins->arg = arg;
  ins->number = c->code[at];
  at += 2;
  size_t caches = (size_t)op->caches * 2;
  ins->end = c->at = at + (caches <= size - at ? caches : size - at);
  return true;
}

/* ---- limits --------------------------------------------------------------------------------------------- */

/* No bound where the tuple was not kept. */
static uint64_t most(uint32_t count) { return count == UINT32_MAX ? UINT64_MAX : count; }

static uint64_t both(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

static void set_limits(walk *w) {
  static const uint64_t fixed[PKS_BOUND_COUNT] = {
      [PKS_BOUND_UNUSED] = 1, [PKS_BOUND_2] = 2, [PKS_BOUND_3] = 3,
      [PKS_BOUND_4] = 4,      [PKS_BOUND_8] = 8, [PKS_BOUND_256] = 256};
  const pks_code_view *v = w->view;
  uint64_t *limits = w->limits;
  uint64_t locals = most(v->locals.count), cells = most(v->cells.count),
           frees = most(v->frees.count);
  memcpy(limits, fixed, sizeof fixed);
  limits[PKS_BOUND_FREE] = UINT64_MAX;
  limits[PKS_BOUND_NAMES] = most(v->names.count);
  limits[PKS_BOUND_CONSTS] = most(v->consts.count);
  limits[PKS_BOUND_OPERATORS] = w->table->operators;
  limits[PKS_BOUND_SPECIALS] = w->table->specials;
  limits[PKS_BOUND_CONSTANTS] = w->table->constants;
  limits[PKS_BOUND_LOCALS] = locals;
  if (w->table->minor <= 10) {
    limits[PKS_BOUND_CELLS] = both(cells, frees);
    return;
  }
  uint64_t plain = both(locals, v->cells_exact ? cells - v->shared_cells : cells);
  limits[PKS_BOUND_SLOTS] = both(plain, frees);
  limits[PKS_BOUND_CELLS] = v->cells_exact ? plain : limits[PKS_BOUND_SLOTS];
}

/* ---- single rules ---------------------------------------------------------------------------------- */

static bool free_ok(const walk *w, uint32_t arg) {
  const pks_code_view *v = w->view;
  if (w->table->minor < 11 || arg >= v->locals.count) return true; /* the bound has been checked */
  return !v->cells_exact || arg >= 64 || (v->shared_first >> arg & 1);
}

/* COMPARE_OP: an index in cmp_op; from 3.12 on it carries a mask for the specialised forms
 * (compare_masks in compile.c), from 3.13 on also whether a bool is wanted. */
static bool compare_ok(walk *w, uint32_t arg) {
  static const uint8_t mask[] = {2, 10, 8, 7, 4, 12};
  unsigned minor = w->table->minor;
  if (minor <= 8) return arg < 11;
  if (minor <= 11) return arg < 6;
  uint32_t operation = arg >> (minor == 12 ? 4 : 5);
  if (minor > 12 && (arg & 16)) w->want = WANT_TEST;
  return operation < 6 && (arg & 15) == mask[operation];
}

static bool resume_ok(unsigned minor, uint32_t arg) {
  if (minor <= 12) return arg <= 3;
  if (minor <= 14) return arg <= 7;
  return arg <= 15 && (arg & 7) <= 4;
}

static bool gen_start_ok(const walk *w, uint32_t arg) {
  uint32_t flags = w->view->flags;
  if (w->index || arg > 2) return false;
  if (!w->view->has_flags) return true;
  return (flags & PKS_CO_YIELDS) && (arg == 0) == ((flags & PKS_CO_GENERATOR) != 0) &&
         (arg == 1) == ((flags & PKS_CO_COROUTINE) != 0);
}

static bool is_const_load(const pks_code_op *op) {
  return op->rule == PKS_RULE_LOAD_CONST || op->rule == PKS_RULE_BYTE ||
         op->rule == PKS_RULE_COMMON;
}

/* A function is made of a code constant, until 3.10 with its qualified name after it. */
static bool make_function_ok(walk *w, uint32_t arg) {
  unsigned minor = w->table->minor;
  if (minor == 0)
    return earlier(w, 1)->op->rule == PKS_RULE_LOAD_CONST &&
           pks_code_const_is(w->view, earlier(w, 1)->arg, PKS_CV_CODE);
  w->scan->make_function |= arg;
  if (arg > 15 && minor >= 6) return false; /* before, the argument counts defaults */
  if (earlier(w, 1)->op->rule != PKS_RULE_LOAD_CONST) return false;
  if (minor >= 11) return pks_code_const_is(w->view, earlier(w, 1)->arg, PKS_CV_CODE);
  return earlier(w, 2)->op->rule == PKS_RULE_LOAD_CONST &&
         pks_code_const_is(w->view, earlier(w, 1)->arg, PKS_CV_STR) &&
         pks_code_const_is(w->view, earlier(w, 2)->arg, PKS_CV_CODE);
}

/* Is constant `index` a tuple of at least one and at most `most` names? */
static bool keyword_names(const walk *w, uint32_t index, uint32_t most) {
  if (!pks_code_const_is(w->view, index, PKS_CV_TUPLE)) return false;
  if (!w->view->consts.items || index >= w->view->consts.count) return true;
  const pks_code_value *names = &w->view->consts.items[index];
  if (names->kind != PKS_CV_TUPLE) return true;
  if (names->count == 0 || names->count > most) return false;
  /* Only the first ones are looked at, so that a scan stays linear in the bytecode. */
  for (size_t i = 0; names->items && i < names->count && i < 16; i++)
    if (names->items[i].kind != PKS_CV_STR && names->items[i].kind != PKS_CV_UNKNOWN) return false;
  return true;
}

static bool key_map_ok(const walk *w, uint32_t arg) {
  uint32_t index = earlier(w, 1)->arg;
  if (earlier(w, 1)->op->rule != PKS_RULE_LOAD_CONST) return false;
  if (!pks_code_const_is(w->view, index, PKS_CV_TUPLE)) return false;
  if (!w->view->consts.items || index >= w->view->consts.count) return true;
  const pks_code_value *keys = &w->view->consts.items[index];
  return keys->kind != PKS_CV_TUPLE || keys->count == arg;
}

static bool attribute_ok(unsigned minor, uint32_t arg) {
  return arg == 1 || arg == 2 || arg == 4 || arg == 8 || (arg == 16 && minor >= 14);
}

/* ---- one instruction ------------------------------------------------------------------------------------ */

#define HOLDS(condition, check) ((condition) ? PKS_CHECK_OK : PKS_CHECK_##check)

static pks_code_check jump(walk *w, const pks_code_ins *ins) {
  size_t target = pks_code_target(w->table, ins, w->view->size);
  if (target == SIZE_MAX) return PKS_CHECK_JUMP;
  pks_code_bit_set(w->scan->targets, w->table->words ? target / 2 : target);
  if (ins->arg) w->scan->jumps = true;
  return PKS_CHECK_OK;
}

/* 3.9 and 3.10: what is merged into a dict comes after the BUILD_MAP of that dict. PyPy 3.9 has other
 * instructions under these numbers, which extend lists and sets. */
static pks_code_check map_made(const walk *w, const pks_code_ins *ins) {
  enum { BUILD_MAP = 105, BUILD_CONST_KEY_MAP = 156 };
  const pks_code_table *t = w->table;
  const uint64_t *seen = w->scan->seen;
  bool merges = ins->op->name == PKS_OPCODE_DICT_MERGE || ins->op->name == PKS_OPCODE_DICT_UPDATE;
  if (!merges || t->pypy || t->minor < 9 || t->minor > 10) return PKS_CHECK_OK;
  bool made = pks_code_bit(seen, BUILD_MAP) || pks_code_bit(seen, BUILD_CONST_KEY_MAP);
  return HOLDS(made, NEIGHBOUR);
}

/* Rules that look at the argument alone, and are no bound. */
static pks_code_check domain(walk *w, const pks_code_ins *ins) {
  const pks_code_table *t = w->table;
  uint32_t arg = ins->arg;
  switch (ins->op->rule) {
    case PKS_RULE_COMPARE: return HOLDS(compare_ok(w, arg), DOMAIN);
    case PKS_RULE_FROM_1: return arg >= 1 || t->pypy ? map_made(w, ins) : PKS_CHECK_DOMAIN;
    case PKS_RULE_FROM_2: return HOLDS(arg >= 2, DOMAIN);
    case PKS_RULE_SLICE: return HOLDS(arg == 2 || arg == 3, DOMAIN);
    case PKS_RULE_CONVERT: return HOLDS(arg >= 1 && arg <= 3, DOMAIN);
    case PKS_RULE_FUNCTION_ATTRIBUTE: return HOLDS(attribute_ok(t->minor, arg), DOMAIN);
    case PKS_RULE_RERAISE: return HOLDS(arg <= (t->minor <= 10 ? 1u : 2u), DOMAIN);
    case PKS_RULE_RESUME: return HOLDS(resume_ok(t->minor, arg), DOMAIN);
    case PKS_RULE_INTRINSIC_1: return HOLDS(arg > 0 && arg < t->intrinsics1, DOMAIN);
    case PKS_RULE_INTRINSIC_2: return HOLDS(arg > 0 && arg < t->intrinsics2, DOMAIN);
    case PKS_RULE_LOCAL_PAIR:
      return HOLDS(arg <= 255 && arg >> 4 < w->limits[PKS_BOUND_SLOTS] &&
                       (arg & 15) < w->limits[PKS_BOUND_SLOTS],
                   LOCAL);
    case PKS_RULE_FREE: return HOLDS(free_ok(w, arg), FREE);
    case PKS_RULE_STALE: return HOLDS(ins->op->name == PKS_OPCODE_NOP || arg <= 4, UNUSED_ARGUMENT);
    case PKS_RULE_GEN_START: return HOLDS(gen_start_ok(w, arg), PREFIX);
    case PKS_RULE_COPY_FREE:
      return HOLDS(w->index == 0 &&
                       (arg == w->view->frees.count || w->view->frees.count == UINT32_MAX),
                   PREFIX);
    case PKS_RULE_RETURN_GENERATOR:
      return HOLDS(!w->view->has_flags || (w->view->flags & PKS_CO_YIELDS), PREFIX);
    default: return PKS_CHECK_OK;
  }
}

/* Rules that tie an instruction to the ones around it. */
static pks_code_check more(walk *w, const pks_code_ins *ins) {
  unsigned minor = w->table->minor;
  uint32_t arg = ins->arg;
  bool after_const = earlier(w, 1)->op->rule == PKS_RULE_LOAD_CONST;
  switch (ins->op->rule) {
    case PKS_RULE_JUMP: return jump(w, ins);
    case PKS_RULE_IMPORT:
      return HOLDS(is_const_load(earlier(w, 1)->op) && is_const_load(earlier(w, 2)->op), NEIGHBOUR);
    case PKS_RULE_MAKE_FUNCTION: return HOLDS(make_function_ok(w, arg), CONST_KIND);
    case PKS_RULE_CALL_KW: /* up to 3.5 it takes a dict, no names */
      return HOLDS(minor <= 5 || (after_const && keyword_names(w, earlier(w, 1)->arg, arg)),
                   CONST_KIND);
    case PKS_RULE_KEY_MAP: return HOLDS(key_map_ok(w, arg), CONST_KIND);
    case PKS_RULE_KW_NAMES:
      w->want = minor == 11 ? WANT_PRECALL : WANT_CALL;
      return HOLDS(keyword_names(w, arg, UINT32_MAX), CONST_KIND);
    case PKS_RULE_PRECALL:
      w->want = WANT_SAME_CALL;
      w->want_arg = arg;
      return PKS_CHECK_OK;
    case PKS_RULE_CALL:
      return HOLDS(minor != 11 || earlier(w, 1)->op->rule == PKS_RULE_PRECALL, NEIGHBOUR);
    case PKS_RULE_YIELD:
      w->yields = true;
      if (minor >= 11) w->want = WANT_RESUME;
      return HOLDS(minor < 13 || arg <= 1, DOMAIN);
    default: return domain(w, ins);
  }
}

/* Does this instruction meet what the one before it asked for? */
static bool wanted(walk *w, const pks_code_ins *ins) {
  want asked = w->want;
  unsigned name = ins->op->name;
  w->want = WANT_ANY;
  switch (asked) {
    case WANT_ANY: return true;
    case WANT_RESUME: return ins->op->rule == PKS_RULE_RESUME;
    case WANT_PRECALL: return ins->op->rule == PKS_RULE_PRECALL;
    case WANT_CALL: return ins->op->rule == PKS_RULE_CALL;
    case WANT_SAME_CALL: return ins->op->rule == PKS_RULE_CALL && ins->arg == w->want_arg;
    case WANT_TEST: /* what reads a bool: a conditional jump, not, or a copy for a chain */
      return (ins->op->flags & PKS_OP_JUMPS) || name == PKS_OPCODE_UNARY_NOT ||
             name == PKS_OPCODE_COPY || name == PKS_OPCODE_TO_BOOL || name == PKS_OPCODE_NOT_TAKEN;
    default: return false;
  }
}

/* Are the code units that the interpreter keeps for itself there, and zero? Moves *at past them. */
static inline bool caches_ok(const uint8_t *code, size_t size, size_t *at, unsigned count) {
  uint64_t any = 0, word;
  const uint8_t *from = code + *at;
  size_t bytes = (size_t)count * 2;
  if (size - *at < bytes) return false;
  *at += bytes;
  if (bytes < 8) {
    for (size_t i = 0; i < bytes; i++) any |= from[i];
    return any == 0;
  }
  for (size_t i = 0; i + 8 < bytes; i += 8) {
    memcpy(&word, from + i, 8);
    any |= word;
  }
  memcpy(&word, from + bytes - 8, 8);
  return (any | word) == 0;
}

/* Why an argument is not below its bound. */
static pks_code_check out_of_bound(const pks_code_op *op) {
  switch (op->bound) {
    case PKS_BOUND_NOTHING: return PKS_CHECK_OPCODE;
    case PKS_BOUND_UNUSED: return PKS_CHECK_UNUSED_ARGUMENT;
    case PKS_BOUND_NAMES: return PKS_CHECK_NAME;
    case PKS_BOUND_CONSTS: return PKS_CHECK_CONST;
    case PKS_BOUND_LOCALS:
    case PKS_BOUND_SLOTS: return PKS_CHECK_LOCAL;
    case PKS_BOUND_CELLS: return PKS_CHECK_FREE;
    default: return PKS_CHECK_DOMAIN;
  }
}

static pks_code_check extended(const walk *w, const pks_code_ins *ins) {
  if (ins->extended > 3) return PKS_CHECK_EXTENDED;
  if (!(ins->op->flags & PKS_OP_READS) && ins->op->rule != PKS_RULE_STALE)
    return PKS_CHECK_EXTENDED;
  /* Up to 3.9 the assembler does not shrink a jump's argument again. */
  return HOLDS(!ins->extended_zero || w->table->minor < 10, EXTENDED);
}

/* The instruction at hand reads a global or an import. */
static void note_use(const walk *w, size_t count, size_t offset) {
  const step *op = earlier(w, 0), *before = earlier(w, 1), *before2 = earlier(w, 2);
  if (!w->scan->uses || count >= PKS_CODE_USES) return;
  w->scan->uses[count] = (pks_code_use){op->op,      before->op,   before2->op,     op->arg,
                                        before->arg, before2->arg, (uint32_t)offset};
}

/* One instruction after another, in the words of 3.6 and later. What most of them need stays out of
 * *w, so that nothing written in between makes the loop look again. */
static pks_code_check words(walk *w, size_t *stopped) {
  const pks_code_op *ops = w->table->ops;
  const uint8_t *code = w->view->code;
  const size_t size = w->view->size;
  uint64_t *starts = w->scan->starts, *seen = w->scan->seen;
  pks_code_check check;
  pks_code_ins ins;
  size_t at = 0, index = 0, use_count = 0, straight_end = SIZE_MAX;
  for (; size - at >= 2; index++) {
    const pks_code_op *op = &ops[code[at]];
    uint32_t arg = code[at + 1];
    pks_code_bit_set(starts, at >> 1);
    ins.start = at;
    ins.extended = 0;
    if (op->rule == PKS_RULE_EXTENDED) {
      pks_code_cursor cursor = pks_code_cursor_at(w->table, code, size, at);
      if (!pks_code_next_extended(&cursor, &ins)) break;
      op = ins.op;
      arg = ins.arg;
      at = ins.offset;
    }
    if (arg >> op->shift >= w->limits[op->bound]) return out_of_bound(op);
    if (ins.extended && (check = extended(w, &ins))) return check;
    w->trail[index & 3] = (step){op, arg};
    pks_code_bit_set(seen, code[at]);
    size_t offset = at;
    at += 2;
    if (op->caches && !caches_ok(code, size, &at, op->caches)) return PKS_CHECK_CACHE;
    if (w->want || op->rule > PKS_RULE_BOUNDS) {
      ins.offset = offset;
      ins.end = at;
      ins.op = op;
      ins.arg = arg;
      w->index = index;
      if (w->want && !wanted(w, &ins)) return PKS_CHECK_NEIGHBOUR;
      if (op->rule > PKS_RULE_BOUNDS && (check = more(w, &ins))) return check;
    }
    if (op->flags & PKS_OP_PLAIN) continue;
    if (op->flags & PKS_OP_USES) {
      w->index = index;
      note_use(w, use_count++, offset);
    } else if (straight_end == SIZE_MAX) {
      straight_end = offset;
    }
  }
  w->index = index;
  w->scan->use_count = use_count;
  w->scan->straight_end = straight_end;
  *stopped = at;
  return PKS_CHECK_OK;
}

/* The same for one byte and three: Python 2, 3.4 and 3.5. */
static pks_code_check bytes(walk *w, size_t *stopped) {
  pks_code_cursor cursor = pks_code_cursor_at(w->table, w->view->code, w->view->size, 0);
  pks_code_ins ins;
  pks_code_check check;
  while (pks_code_next_wide(&cursor, &ins)) {
    const pks_code_op *op = ins.op;
    if (ins.arg >> op->shift >= w->limits[op->bound]) return out_of_bound(op);
    if (ins.extended && (check = extended(w, &ins))) return check;
    if (op->rule > PKS_RULE_BOUNDS && (check = more(w, &ins))) return check;
    pks_code_bit_set(w->scan->starts, ins.start);
    pks_code_bit_set(w->scan->seen, ins.number);
    w->trail[w->index++ & 3] = (step){op, ins.arg};
  }
  w->scan->use_count = PKS_CODE_USES + 1; /* not noted */
  *stopped = cursor.at;
  return PKS_CHECK_OK;
}

static pks_code_check instructions(walk *w) {
  static const pks_code_op none;
  size_t stopped = 0, size = w->view->size;
  unsigned unit = w->table->words ? 1 : 0;
  w->trail[2] = w->trail[3] = (step){&none, 0};
  pks_code_check check = w->table->words ? words(w, &stopped) : bytes(w, &stopped);
  if (check) return check;
  w->scan->count = w->index;
  if (stopped < size) return PKS_CHECK_EXTENDED;
  if (w->want) return PKS_CHECK_NEIGHBOUR;
  for (size_t i = 0; i <= size >> unit >> 6; i++)
    if (w->scan->targets[i] & ~w->scan->starts[i]) return PKS_CHECK_JUMP;
  return PKS_CHECK_OK;
}

/* ---- what the arguments say by themselves ------------------------------------------------------------------- */

static bool flags_ok(const pks_code_view *v, const pks_code_table *t) {
  if (!v->has_flags) return true;
  uint32_t yields = v->flags & PKS_CO_YIELDS;
  if (v->flags & ~t->flags) return false;
  if (yields & (yields - 1)) return false;
  if (t->minor >= 11 || t->pypy) return true;
  /* PyCode_NewWithPosOnlyArgs sets CO_NOFREE exactly when there is no cell and no free variable. */
  if (v->frees.count == UINT32_MAX || v->cells.count == UINT32_MAX) return true;
  return ((v->flags & PKS_CO_NOFREE) != 0) == (v->frees.count == 0 && v->cells.count == 0);
}

static bool counts_ok(const pks_code_view *v) {
  if (v->locals.count == UINT32_MAX) return true;
  int64_t locals = v->locals.count;
  if (v->nlocals >= 0 && v->nlocals != locals) return false;
  if (v->argcount > locals || v->kwonly > locals) return false;
  int64_t parameters = (v->argcount > 0 ? v->argcount : 0) + (v->kwonly > 0 ? v->kwonly : 0);
  if (v->has_flags) parameters += !!(v->flags & PKS_CO_VARARGS) + !!(v->flags & PKS_CO_VARKEYWORDS);
  return parameters <= locals;
}

static bool generator_prefix_3_15(pks_code_cursor *c, pks_code_ins *ins) {
  /* A generator expression makes its iterator before the generator: RESUME 4, LOAD_FAST 0, GET_ITER. */
  if (!pks_code_next(c, ins) || ins->arg != 0) return false;
  if (ins->op->name != PKS_OPCODE_LOAD_FAST && ins->op->name != PKS_OPCODE_LOAD_FAST_BORROW &&
      ins->op->name != PKS_OPCODE_LOAD_FAST_CHECK &&
      ins->op->name != PKS_OPCODE_LOAD_FAST_AND_CLEAR)
    return false;
  if (!pks_code_next(c, ins)) return false;
  if (ins->op->name == PKS_OPCODE_GET_ITER || ins->op->name == PKS_OPCODE_GET_AITER)
    return pks_code_next(c, ins);
  return true;
}

bool pks_code_prefix(const pks_code_view *v, const pks_code_table *t) {
  pks_code_cursor c = pks_code_cursor_at(t, v->code, v->size, 0);
  pks_code_ins ins;
  bool generator = v->has_flags && (v->flags & PKS_CO_YIELDS);
  uint32_t cells = 0;
  if (!generator && v->has_flags && v->frees.count == 0 && v->cells.count == 0)
    return v->size >= 2 && t->ops[v->code[0]].rule == PKS_RULE_RESUME && v->code[1] == 0;
  if (!pks_code_next(&c, &ins)) return false;
  if (ins.op->rule == PKS_RULE_COPY_FREE) {
    if (v->frees.count == 0 || !pks_code_next(&c, &ins)) return false;
  } else if (v->frees.count != 0 && v->frees.count != UINT32_MAX) {
    return false;
  }
  while (ins.op->name == PKS_OPCODE_MAKE_CELL) {
    cells++;
    if (!pks_code_next(&c, &ins)) return false;
  }
  if (v->cells.count != UINT32_MAX &&
      (t->minor == 11 ? cells != v->cells.count : cells > v->cells.count))
    return false;
  if (t->minor >= 15 && generator && ins.op->rule == PKS_RULE_RESUME && ins.arg == 4 &&
      !generator_prefix_3_15(&c, &ins))
    return false;
  if (generator || (!v->has_flags && ins.op->rule == PKS_RULE_RETURN_GENERATOR)) {
    if (ins.op->rule != PKS_RULE_RETURN_GENERATOR) return false;
    if (!pks_code_next(&c, &ins) || ins.op->name != PKS_OPCODE_POP_TOP) return false;
    if (!pks_code_next(&c, &ins)) return false;
  }
  return ins.op->rule == PKS_RULE_RESUME && ins.arg == 0;
}

pks_code_check pks_code_scan_run(const pks_code_view *v, const pks_code_table *t,
                                 pks_code_scan *scan) {
  walk w; /* not initialised as a whole: that would cost as much as ten instructions */
  w.view = v;
  w.table = t;
  w.scan = scan;
  w.index = 0;
  w.want = WANT_ANY;
  w.yields = false;
  size_t words = pks_code_words(t->words ? v->size / 2 : v->size);
  if (v->size == 0 || (t->words && (v->size & 1))) return PKS_CHECK_SIZE;
  if (!flags_ok(v, t)) return PKS_CHECK_FLAGS;
  if (!counts_ok(v)) return PKS_CHECK_LOCALS;
  scan->starts[0] = scan->targets[0] = 0;
  for (size_t i = 1; i < words; i++) scan->starts[i] = scan->targets[i] = 0;
  set_limits(&w);
  pks_code_check check = instructions(&w);
  if (check) return check;
  bool generator = !v->has_flags || (v->flags & PKS_CO_YIELDS);
  if (w.yields && !generator) return PKS_CHECK_YIELD;
  if (t->minor == 10 && v->has_flags && generator && t->ops[v->code[0]].rule != PKS_RULE_GEN_START)
    return PKS_CHECK_PREFIX;
  /* Up to 3.9 unreachable code may stay at the end. */
  if (t->minor >= 10 && !(earlier(&w, 1)->op->flags & PKS_OP_ENDS)) return PKS_CHECK_LAST;
  return PKS_CHECK_OK;
}
