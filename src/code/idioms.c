/* What a version's own compiler would have written otherwise. Valid bytecode may show any of these
 * signs, so they order candidates and never remove one. Rates of false alarms on each version's own
 * standard library were 0 to 0.2 % (most: 0). */
#include "code/flow.h"

#include <string.h>

#define USED 1u
#define KEY 2u /* keyword names, keys of a dict display, names of an import: written as they are */

typedef pks_code_gather gather;

/* ---- one pass over the instructions ------------------------------------------------------------------ */

static void mark_const(gather *g, const pks_code_ins *ins, uint8_t mark) {
  if (ins->arg < g->const_count) g->marks[ins->arg] |= mark;
}

static bool has_name(unsigned rule) {
  return rule == PKS_RULE_NAME || rule == PKS_RULE_LOAD_NAME || rule == PKS_RULE_GLOBAL ||
         rule == PKS_RULE_ATTR || rule == PKS_RULE_SUPER || rule == PKS_RULE_IMPORT;
}

static bool gives_keywords(unsigned name) {
  return name == PKS_OPCODE_DICT_MERGE || name == PKS_OPCODE_BUILD_MAP ||
         name == PKS_OPCODE_MAP_ADD || name == PKS_OPCODE_BUILD_CONST_KEY_MAP ||
         name == PKS_OPCODE_DICT_UPDATE;
}

/* Looks at one instruction and the two before it; loads: LOAD_CONSTs just before it. */
static void look(gather *g, const pks_code_ins *ins, const pks_code_ins *before,
                 const pks_code_ins *before2, uint32_t loads) {
  unsigned name = ins->op->name, rule = ins->op->rule, last = before->op ? before->op->name : 0;
  unsigned last2 = before2->op ? before2->op->name : 0;
  if (has_name(rule)) {
    uint32_t index = pks_code_name_index(ins);
    if (index > g->last_name) g->last_name = index;
  }
  if (rule == PKS_RULE_LOAD_CONST || rule == PKS_RULE_CONST || rule == PKS_RULE_KW_NAMES)
    mark_const(g, ins, USED);
  if (last == PKS_OPCODE_LOAD_CONST &&
      (rule == PKS_RULE_CALL_KW || rule == PKS_RULE_KEY_MAP || rule == PKS_RULE_IMPORT))
    mark_const(g, before, KEY);
  if ((name == PKS_OPCODE_BUILD_LIST || name == PKS_OPCODE_BUILD_SET) && ins->arg >= 3 &&
      loads >= ins->arg)
    g->display = true;
  if (name == PKS_OPCODE_CALL_FUNCTION_EX && (ins->arg & 1) && last && !gives_keywords(last))
    g->call_ex = true;
  if (name == PKS_OPCODE_RETURN_VALUE && last == PKS_OPCODE_LOAD_CONST &&
      !pks_code_bit(g->scan->targets, ins->start / 2))
    g->return_const = true;
  /* async for: 3.6 awaits what __aiter__ returned. */
  if (last2 == PKS_OPCODE_GET_AITER) {
    if (last == PKS_OPCODE_LOAD_CONST && name == PKS_OPCODE_YIELD_FROM)
      g->aiter_waits = true;
    else
      g->aiter_goes = true;
  }
}

#define DEEP 64

/* For each depth the instruction that last brought the stack there, in the order of the code. */
typedef struct makers {
  uint8_t name[DEEP];
  int32_t top;
} makers;

static bool is_decorator(unsigned before) {
  switch (before) {
    case PKS_OPCODE_MAKE_FUNCTION:
    case PKS_OPCODE_CALL_FUNCTION:
    case PKS_OPCODE_CALL_METHOD:
    case PKS_OPCODE_CALL_FUNCTION_KW:
    case PKS_OPCODE_CALL_FUNCTION_EX: return true;
    default: return false;
  }
}

/* Is what CALL_FUNCTION calls an attribute? 3.7 makes LOAD_METHOD .. CALL_METHOD of obj.name(...); a
 * decorator is called otherwise. */
static void look_at_call(gather *g, makers *m, const pks_code_ins *ins, unsigned before,
                         int32_t depth) {
  if (depth < 0 || depth >= DEEP) return;
  for (int32_t i = depth + 1; i <= m->top; i++) m->name[i] = 0;
  m->top = depth;
  m->name[depth] = (uint8_t)before;
  if (ins->op->name != PKS_OPCODE_CALL_FUNCTION || ins->arg > (uint32_t)depth) return;
  if (m->name[depth - (int32_t)ins->arg] == PKS_OPCODE_LOAD_ATTR &&
      !(ins->arg == 1 && is_decorator(before)))
    g->attribute_called = true;
}

static void pass(gather *g, const int32_t *depths) {
  pks_code_cursor cursor = pks_code_cursor_at(g->table, g->view->code, g->view->size, 0);
  pks_code_ins ins, before = {0}, before2 = {0};
  makers m;
  uint32_t loads = 0;
  m.top = DEEP - 1;
  while (pks_code_next(&cursor, &ins)) {
    look(g, &ins, &before, &before2, loads);
    if (depths) look_at_call(g, &m, &ins, before.op ? before.op->name : 0, depths[ins.start / 2]);
    loads = ins.op->rule == PKS_RULE_LOAD_CONST ? loads + 1 : 0;
    g->last_flags = ins.op->flags;
    before2 = before;
    before = ins;
  }
}

/* ---- tables beside the code -------------------------------------------------------------------------------- */

/* Not (0, 0): that is what a distance of a multiple of 127 or 128 lines leaves. */
bool pks_code_zero_line_step(const pks_code_view *v) {
  for (size_t i = 0; v->has_lines && i + 1 < v->lines.size; i += 2) {
    unsigned step = v->lines.data[i];
    if (v->lines.data[i + 1] == 0 && step > 0 && step < 254) return true;
  }
  return false;
}

/* Does a line start where no instruction does? Long steps are written in pieces that may. */
static bool lines_off_start(const gather *g) {
  const pks_code_view *v = g->view;
  uint64_t at = 0;
  if (!v->has_lines || (v->lines.size & 1)) return false;
  for (size_t i = 0; i + 1 < v->lines.size; i += 2) {
    unsigned step = v->lines.data[i], line = v->lines.data[i + 1];
    at += step;
    if (step >= 254 || line == 127 || line == 128) continue;
    if (at / 2 >= v->size / 2 || !pks_code_bit(g->scan->starts, (size_t)at / 2)) return true;
  }
  return false;
}

/* 3.12: every generator's body lies in a handler that turns StopIteration into RuntimeError. */
static bool no_stop_handler(const gather *g) {
  const pks_code_view *v = g->view;
  pks_code_region region;
  size_t at = 0;
  if (!v->has_flags || !(v->flags & PKS_CO_YIELDS) || !v->has_exceptions) return false;
  while (pks_code_region_next(v->exceptions, &at, &region))
    if (region.target + 1 < v->size && v->code[region.target + 1] == 3 &&
        g->table->ops[v->code[region.target]].rule == PKS_RULE_INTRINSIC_1)
      return false;
  return true;
}

/* 3.11: handlers start with one of a few instructions. */
static bool odd_handler(const gather *g) {
  const pks_code_view *v = g->view;
  pks_code_region region;
  size_t at = 0;
  while (v->has_exceptions && pks_code_region_next(v->exceptions, &at, &region)) {
    size_t target = (size_t)region.target;
    while (target + 2 < v->size && g->table->ops[v->code[target]].rule == PKS_RULE_EXTENDED)
      target += 2;
    unsigned name = g->table->ops[v->code[target]].name;
    if (name != PKS_OPCODE_PUSH_EXC_INFO && name != PKS_OPCODE_COPY &&
        name != PKS_OPCODE_LOAD_CONST && name != PKS_OPCODE_END_ASYNC_FOR)
      return true;
  }
  return false;
}

/* ---- constants ---------------------------------------------------------------------------------------------- */

/* How many constants from 1 on nothing loads; *last: is the last one loaded? */
static uint32_t unused_consts(const gather *g, bool *last) {
  uint32_t unused = 0;
  for (uint32_t i = 1; i < g->const_count; i++) unused += !(g->marks[i] & USED);
  *last = g->const_count <= 1 || (g->marks[g->const_count - 1] & USED);
  return unused;
}

/* 3.6 folds constants late and leaves the parts behind; only tuples make it leave none. */
static bool parts_without_tuple(const gather *g, uint32_t unused) {
  if (!unused || !g->view->consts.items) return false;
  for (uint32_t i = 0; i < g->const_count; i++) {
    pks_code_kind kind = g->view->consts.items[i].kind;
    if ((g->marks[i] & USED) &&
        (kind == PKS_CV_TUPLE || kind == PKS_CV_FROZENSET || kind == PKS_CV_UNKNOWN))
      return false;
  }
  return true;
}

/* Is a constant like `want` among the first `before`? Spends from *budget so that all of this stays
 * linear; when that is used up the answer is yes. */
static bool earlier(const gather *g, const pks_code_value *want, int64_t number, uint32_t before,
                    int64_t *budget) {
  for (uint32_t i = 0; i < before; i++) {
    const pks_code_value *value = &g->view->consts.items[i];
    if (--*budget < 0 || value->kind == PKS_CV_UNKNOWN) return true;
    if (value->kind != want->kind) continue;
    if (want->kind == PKS_CV_INT && value->number != number) continue;
    if ((want->kind == PKS_CV_TUPLE || want->kind == PKS_CV_FROZENSET) &&
        value->count != want->count)
      continue;
    return true;
  }
  return false;
}

static bool parts_missing(const gather *g, uint32_t index, int64_t *budget) {
  const pks_code_value *value = &g->view->consts.items[index];
  if (value->kind == PKS_CV_INT)
    return value->number < 0 && value->number > -((int64_t)1 << 62) &&
           !earlier(g, value, -value->number, index, budget);
  if (value->kind != PKS_CV_TUPLE || !value->items || value->count > 64) return false;
  for (size_t i = 0; i < value->count; i++) {
    const pks_code_value *item = &value->items[i];
    if (item->kind == PKS_CV_CODE || item->kind == PKS_CV_UNKNOWN) continue;
    if (!earlier(g, item, item->number, index, budget)) return true;
  }
  return false;
}

/* 3.6: a folded tuple or negative number has its parts at lower indexes. */
static bool folded_from_nothing(const gather *g) {
  int64_t budget = 16 * (int64_t)g->const_count + 1024;
  if (!g->view->consts.items) return false;
  for (uint32_t i = 0; i < g->const_count; i++)
    if ((g->marks[i] & (USED | KEY)) == USED && parts_missing(g, i, &budget)) return true;
  return false;
}

/* 3.7: a function with nothing but a docstring has an entry in its lnotab; 3.6 has none. */
static bool docstring_alone(const gather *g) {
  const pks_code_value *consts = g->view->consts.items;
  /* A text of one line may stand on the line of the def. */
  return g->scan->count == 2 && g->view->has_lines && g->view->lines.size == 0 &&
         g->const_count == 2 && consts && consts[0].kind == PKS_CV_STR && consts[0].text.data &&
         consts[0].text.size && memchr(consts[0].text.data, '\n', consts[0].text.size) &&
         consts[1].kind == PKS_CV_NONE && (g->marks[1] & USED);
}

/* ---- all of it ------------------------------------------------------------------------------------------------------ */

/* Signs that every version's compiler keeps from leaving. */
static unsigned general(const gather *g, unsigned minor, bool last_used) {
  const pks_code_view *v = g->view;
  uint64_t end = 0;
  unsigned signs = !last_used;
  signs += v->names.count != UINT32_MAX && g->last_name != (int64_t)v->names.count - 1;
  if (minor > 9) return signs;
  signs += v->has_lines && pks_code_lnotab_ok(v, true, &end) && end >= v->size && end;
  signs += lines_off_start(g);
  return signs + !(g->last_flags & PKS_OP_ENDS);
}

uint16_t pks_code_signs(const pks_code_gather *g, unsigned minor, const pks_code_flow *flow) {
  bool last_used;
  uint32_t unused = unused_consts(g, &last_used);
  unsigned signs = general(g, minor, last_used && (minor < 12 || !unused));
  switch (minor) {
    case 6: signs += (unsigned)folded_from_nothing(g) + g->aiter_goes; break;
    case 7:
      signs += (unsigned)parts_without_tuple(g, unused) + docstring_alone(g) + g->aiter_waits +
               g->attribute_called;
      break;
    case 9: signs += (unsigned)pks_code_zero_line_step(g->view) + g->call_ex + g->display; break;
    case 10: signs += (unsigned)g->call_ex + g->display; break;
    case 11: signs += (unsigned)odd_handler(g) + g->display; break;
    case 12: signs += (unsigned)no_stop_handler(g) + g->return_const + g->display; break;
    default: break;
  }
  if (flow) signs += !flow->stack_exact;
  if (flow && minor >= 10) signs += flow->unreached;
  return (uint16_t)signs;
}

bool pks_code_gather_run(pks_mem *mem, pks_vec *marks, const pks_code_view *view,
                         const pks_code_table *table, const pks_code_scan *scan,
                         const int32_t *depths, pks_code_gather *g) {
  memset(g, 0, sizeof *g);
  g->view = view;
  g->table = table;
  g->scan = scan;
  g->const_count = view->consts.items ? view->consts.count : 0;
  g->last_name = -1;
  marks->count = 0;
  if (!pks_base_vec_reserve(mem, marks, sizeof(uint32_t), g->const_count / sizeof(uint32_t) + 1))
    return false;
  g->marks = marks->data;
  memset(g->marks, 0, g->const_count);
  pass(g, depths);
  return true;
}
