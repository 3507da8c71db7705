/* A listing of bytecode: what stands at each place and what its argument means. */
#include "code/list.h"

#include <string.h>

#include "code/scan.h"

/* ---- start ------------------------------------------------------------------------------------------ */

static const pks_code_value *tuple_of(const pks_code_value *args, const pks_code_facts *facts,
                                      pks_code_field which) {
  const pks_code_value *value = facts->at[which] < 0 ? NULL : &args[facts->at[which]];
  return value && value->kind == PKS_CV_TUPLE && value->items ? value : NULL;
}

/* What is jumped to, and where handlers start. */
static void note_targets(pks_code_list *list, const pks_code_table *table,
                         const pks_code_view *view) {
  uint64_t *targets = &PKS_VEC_AT(&list->targets, uint64_t, 0);
  pks_code_cursor cursor = pks_code_cursor_at(table, list->code, list->size, 0);
  pks_code_ins ins;
  memset(targets, 0, pks_code_words(list->size) * sizeof *targets);
  while (pks_code_next(&cursor, &ins)) {
    if (!(ins.op->flags & PKS_OP_JUMPS)) continue;
    size_t target = pks_code_target(table, &ins, list->size);
    if (target != SIZE_MAX) pks_code_bit_set(targets, target);
  }
  pks_code_region region;
  size_t at = 0;
  while (table->minor >= 11 && view->has_exceptions &&
         pks_code_region_next(view->exceptions, &at, &region))
    if (region.target < list->size) pks_code_bit_set(targets, (size_t)region.target);
}

pks_status pks_code_list_start(pks_code_list *list, pks_mem *mem, const pks_code_value *args,
                               size_t argc, unsigned flags, unsigned version) {
  const pks_code_table *table = pks_code_table_near(version);
  pks_code_facts facts;
  pks_code_view view;
  if (!table) return PKS_E_PYTHON;
  if (!pks_code_unpack(mem, &list->text, args, argc, flags, &facts, &view) || !view.code)
    return PKS_E_CODE;
  list->table = table;
  list->code = view.code;
  list->size = view.size;
  list->at = 0;
  list->minor = table->minor;
  list->consts = tuple_of(args, &facts, PKS_CF_CONSTS);
  list->names = tuple_of(args, &facts, PKS_CF_NAMES);
  list->locals = tuple_of(args, &facts, PKS_CF_VARNAMES);
  list->cells = tuple_of(args, &facts, PKS_CF_CELLVARS);
  list->frees = tuple_of(args, &facts, PKS_CF_FREEVARS);
  list->shared_cells = view.shared_cells;
  list->targets.count = 0;
  if (!pks_base_vec_reserve(mem, &list->targets, sizeof(uint64_t), pks_code_words(view.size)))
    return mem->status;
  note_targets(list, table, &view);
  return PKS_OK;
}

void pks_code_list_free(pks_code_list *list, pks_mem *mem) {
  pks_base_vec_free(mem, &list->text, 1);
  pks_base_vec_free(mem, &list->targets, sizeof(uint64_t));
}

/* ---- operands -------------------------------------------------------------------------------------------- */

static pks_span item_text(const pks_code_value *tuple, uint64_t index) {
  pks_span none = {NULL, 0};
  if (!tuple || index >= tuple->count) return none;
  return tuple->items[index].text;
}

/* A place among locals, cells and free variables. Up to 3.10 cells and free variables are counted by
 * themselves; from 3.11 on all are one row, in which a cell that is a parameter has only one place. */
static pks_span variable(const pks_code_list *list, uint64_t index, bool is_cell) {
  uint64_t locals = list->locals ? list->locals->count : 0;
  uint64_t cells = list->cells ? list->cells->count : 0, shared = list->shared_cells;
  if (list->minor < 11) {
    if (!is_cell) return item_text(list->locals, index);
    return index < cells ? item_text(list->cells, index) : item_text(list->frees, index - cells);
  }
  if (index < locals) return item_text(list->locals, index);
  index -= locals;
  if (index < cells - shared) return item_text(list->cells, index + shared);
  return item_text(list->frees, index - (cells - shared));
}

static pks_span fixed(const char *text) {
  pks_span span = {(const uint8_t *)text, strlen(text)};
  return span;
}

/* cmp_op of Lib/opcode.py. */
static pks_span comparison(unsigned minor, uint32_t arg) {
  static const char *const texts[] = {
      "<", "<=", "==", "!=", ">", ">=", "in", "not in", "is", "is not", "exception match"};
  pks_span none = {NULL, 0};
  uint32_t index = minor >= 13 ? arg >> 5 : minor == 12 ? arg >> 4 : arg;
  return index < sizeof texts / sizeof *texts ? fixed(texts[index]) : none;
}

/* _nb_ops of Lib/opcode.py. */
static pks_span binary(uint32_t arg) {
  static const char *const texts[] = {"+",  "&",  "//", "<<",  "@",   "*",  "%",   "|",   "**",
                                      ">>", "-",  "/",  "^",   "+=",  "&=", "//=", "<<=", "@=",
                                      "*=", "%=", "|=", "**=", ">>=", "-=", "/=",  "^=",  "[]"};
  pks_span none = {NULL, 0};
  return arg < sizeof texts / sizeof *texts ? fixed(texts[arg]) : none;
}

static void describe(const pks_code_list *list, const pks_code_ins *ins, pks_code_line *out) {
  const pks_code_table *table = list->table;
  if (ins->op->flags & PKS_OP_JUMPS) {
    out->operand = PKS_OPERAND_JUMP;
    out->target = pks_code_target(table, ins, list->size);
    return;
  }
  out->operand = ins->op->flags & PKS_OP_READS ? PKS_OPERAND_NUMBER : PKS_OPERAND_NONE;
  switch (ins->op->rule) {
    case PKS_RULE_NAME:
    case PKS_RULE_LOAD_NAME:
    case PKS_RULE_GLOBAL:
    case PKS_RULE_ATTR:
    case PKS_RULE_SUPER:
    case PKS_RULE_IMPORT:
      out->operand = PKS_OPERAND_NAME;
      out->text = item_text(list->names, pks_code_name_index(ins));
      break;
    case PKS_RULE_LOAD_CONST:
    case PKS_RULE_CONST:
    case PKS_RULE_KW_NAMES:
      out->operand = PKS_OPERAND_CONST;
      if (list->consts && ins->arg < list->consts->count)
        out->value = &list->consts->items[ins->arg];
      break;
    case PKS_RULE_LOAD_FAST:
    case PKS_RULE_LOCAL:
    case PKS_RULE_LOCAL_SET:
    case PKS_RULE_FREE:
      out->operand = PKS_OPERAND_LOCAL;
      out->text = variable(list, ins->arg, ins->op->rule == PKS_RULE_FREE);
      break;
    case PKS_RULE_LOCAL_PAIR:
      out->operand = PKS_OPERAND_LOCALS;
      out->text = variable(list, ins->arg >> 4, false);
      out->text2 = variable(list, ins->arg & 15, false);
      break;
    case PKS_RULE_COMPARE:
      out->operand = PKS_OPERAND_OPERATOR;
      out->text = comparison(list->minor, ins->arg);
      break;
    case PKS_RULE_BINARY_OP:
      out->operand = PKS_OPERAND_OPERATOR;
      out->text = binary(ins->arg);
      break;
    default: break;
  }
}

bool pks_code_list_next(pks_code_list *list, pks_code_line *out) {
  pks_code_cursor cursor = pks_code_cursor_at(list->table, list->code, list->size, list->at);
  pks_code_ins ins;
  memset(out, 0, sizeof *out);
  if (list->at >= list->size) return false;
  out->target = SIZE_MAX;
  if (!pks_code_next(&cursor, &ins)) {
    out->offset = out->start = list->at;
    out->end = list->at = list->size;
    out->name = pks_code_opcode_name(0);
    out->number = list->code[out->offset];
    return true;
  }
  out->offset = ins.offset;
  out->start = ins.start;
  out->end = list->at = ins.end;
  out->name = pks_code_opcode_name(ins.op->name);
  out->known = ins.op->name != 0;
  out->number = ins.number;
  /* 3.10 leaves arguments behind that nothing reads. */
  out->arg = !ins.op->name || (ins.op->flags & PKS_OP_READS) ? ins.arg : 0;
  out->labelled = pks_code_bit(&PKS_VEC_AT(&list->targets, uint64_t, 0), ins.start);
  if (out->known) describe(list, &ins, out);
  return true;
}
