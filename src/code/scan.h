/* code/scan.h - inside the room: one code object, its instructions, the checks on it. */
#ifndef PKS_CODE_SCAN_H
#define PKS_CODE_SCAN_H

#include "code/table.h"

/* For what is done for every instruction: compilers find it too large to inline by themselves. */
#if defined(__GNUC__) || defined(__clang__)
#define PKS_CODE_INLINE static inline __attribute__((always_inline))
#else
#define PKS_CODE_INLINE static inline
#endif

/* ---- a code object's arguments, unpacked ------------------------------------------------------ */

/* A tuple whose length bounds an argument; not known: no bound. */
typedef struct pks_code_items {
  const pks_code_value *items; /* NULL: not kept */
  uint32_t count;              /* UINT32_MAX: not known */
} pks_code_items;

typedef struct pks_code_view {
  pks_code_shape shape;
  const uint8_t *code;
  size_t size;
  bool has_lines, has_exceptions; /* the tables were kept */
  pks_span lines, exceptions;
  pks_code_items consts, names, locals, cells, frees;
  int64_t argcount, posonly, kwonly, nlocals, stacksize; /* -1: not known */
  bool has_flags;
  uint32_t flags;
  bool cells_exact;      /* the two below were counted */
  uint32_t shared_cells; /* cells that are parameters or locals too */
  uint64_t shared_first; /* which of the first 64 locals are */
} pks_code_view;

#define PKS_CO_VARARGS 0x4u
#define PKS_CO_VARKEYWORDS 0x8u
#define PKS_CO_GENERATOR 0x20u
#define PKS_CO_NOFREE 0x40u
#define PKS_CO_COROUTINE 0x80u
#define PKS_CO_ASYNC_GENERATOR 0x200u
#define PKS_CO_YIELDS (PKS_CO_GENERATOR | PKS_CO_COROUTINE | PKS_CO_ASYNC_GENERATOR)

/* Which argument is which; fills shape, at and the plain facts of *out. False: no constructor takes
 * these arguments. text holds bytecode that came as text. */
bool pks_code_unpack(pks_mem *mem, pks_vec *text, const pks_code_value *args, size_t argc,
                     unsigned flags, pks_code_facts *out, pks_code_view *view);

/* Is a constant of this kind? Unknown constants are of every kind. */
static inline bool pks_code_const_is(const pks_code_view *view, uint32_t index,
                                     pks_code_kind kind) {
  if (!view->consts.items || index >= view->consts.count) return true;
  pks_code_kind is = view->consts.items[index].kind;
  return is == kind || is == PKS_CV_UNKNOWN;
}

/* ---- instructions -------------------------------------------------------------------------------- */

typedef struct pks_code_ins {
  size_t start;  /* of its first EXTENDED_ARG */
  size_t offset; /* of itself */
  size_t end;    /* of the next instruction: after its caches */
  const pks_code_op *op;
  uint32_t arg;
  uint8_t number;
  uint8_t extended;   /* EXTENDED_ARGs before it, saturated */
  bool extended_zero; /* the first byte of an argument is 0; only of use when extended */
} pks_code_ins;

/* Reads a table's instructions one after another. Holds what it needs of the table itself, so that
 * nothing written in between makes it look again. */
typedef struct pks_code_cursor {
  const pks_code_op *ops;
  const uint8_t *code;
  size_t size, at;
  bool words, caches;
} pks_code_cursor;

static inline pks_code_cursor pks_code_cursor_at(const pks_code_table *table, const uint8_t *code,
                                                 size_t size, size_t at) {
  pks_code_cursor c = {table->ops, code, size, at, table->words, table->minor >= 11};
  return c;
}

/* The ways that are seldom gone, out of line: EXTENDED_ARG, and the instructions of Python 2, 3.4 and
 * 3.5, which have one byte or three. */
bool pks_code_next_extended(pks_code_cursor *c, pks_code_ins *ins);
bool pks_code_next_wide(pks_code_cursor *c, pks_code_ins *ins);

/* The next instruction; false at the end, or when what is left is no whole instruction (then at is
 * still below size). Unknown numbers have op->name 0. */
PKS_CODE_INLINE bool pks_code_next(pks_code_cursor *c, pks_code_ins *ins) {
  size_t at = c->at, size = c->size;
  if (!c->words) return pks_code_next_wide(c, ins);
  if (size - at < 2) return false;
  const pks_code_op *op = &c->ops[c->code[at]];
  if (op->rule == PKS_RULE_EXTENDED) return pks_code_next_extended(c, ins);
  ins->start = ins->offset = at;
  ins->extended = 0;
  ins->op = op;
  ins->number = c->code[at];
  ins->arg = c->code[at + 1];
  at += 2;
  if (c->caches) {
    size_t caches = (size_t)op->caches * 2;
    at += caches <= size - at ? caches : size - at;
  }
  ins->end = c->at = at;
  return true;
}

/* Where a jump goes, as an offset in bytes; SIZE_MAX: out of the code or not on a unit. */
static inline size_t pks_code_target(const pks_code_table *t, const pks_code_ins *ins,
                                     size_t size) {
  uint64_t bytes = (uint64_t)ins->arg * t->jump_unit, target;
  if (ins->op->flags & PKS_OP_ABS) {
    target = bytes;
  } else if (ins->op->flags & PKS_OP_REL) {
    target = ins->end + bytes;
  } else {
    if (bytes > ins->end) return SIZE_MAX;
    target = ins->end - bytes;
  }
  if (target >= size || (t->words && (target & 1))) return SIZE_MAX;
  return (size_t)target;
}

/* Index in co_names of an instruction that has one: some keep flag bits below it. */
static inline uint32_t pks_code_name_index(const pks_code_ins *ins) {
  return ins->arg >> ins->op->shift;
}

/* ---- bit sets ---------------------------------------------------------------------------------------- */

/* Words of a set of count bits. */
static inline size_t pks_code_words(size_t count) { return count / 64 + 1; }
static inline void pks_code_bit_set(uint64_t *bits, size_t i) {
  bits[i >> 6] |= (uint64_t)1 << (i & 63);
}
static inline bool pks_code_bit(const uint64_t *bits, size_t i) {
  return bits[i >> 6] >> (i & 63) & 1;
}

/* ---- checks --------------------------------------------------------------------------------------------- */

/* Why a version was ruled out. */
#define PKS_CODE_CHECK_MAP(X)                                           \
  X(OK, "nothing speaks against it")                                    \
  X(SHAPE, "not its number of arguments")                               \
  X(SIZE, "no bytecode, or an odd number of bytes")                     \
  X(FLAGS, "co_flags it does not set")                                  \
  X(LOCALS, "more parameters than locals")                              \
  X(OPCODE, "an unknown instruction")                                   \
  X(EXTENDED, "an EXTENDED_ARG too many, or before nothing")            \
  X(UNUSED_ARGUMENT, "an argument where none is read")                  \
  X(CACHE, "a cache that is not zero or not there")                     \
  X(NAME, "an index above co_names")                                    \
  X(CONST, "an index above co_consts")                                  \
  X(LOCAL, "an index above the locals")                                 \
  X(FREE, "an index of no cell and no free variable")                   \
  X(DOMAIN, "an argument out of its range")                             \
  X(NEIGHBOUR, "an instruction that never stands before or after this") \
  X(CONST_KIND, "a constant of the wrong kind")                         \
  X(JUMP, "a jump to no instruction")                                   \
  X(PREFIX, "not the instructions it starts with")                      \
  X(YIELD, "a yield outside a generator")                               \
  X(LAST, "it runs past the end")                                       \
  X(LINES, "not its line table")                                        \
  X(EXCEPTIONS, "not its exception table")

typedef enum pks_code_check {
#define X(name, text) PKS_CHECK_##name,
  PKS_CODE_CHECK_MAP(X)
#undef X
      PKS_CHECK_COUNT
} pks_code_check;

/* An instruction that reads a global or an import, and the two before it. */
typedef struct pks_code_use {
  const pks_code_op *op, *before, *before2;
  uint32_t arg, before_arg, before2_arg;
  uint32_t offset;
} pks_code_use;

#define PKS_CODE_USES 8 /* as many are kept; code that has more is read again for them */

/* What a scan leaves for the later steps. */
typedef struct pks_code_scan {
  uint64_t seen[4];       /* instruction numbers that occur */
  uint64_t *starts;       /* bit i: an instruction starts at unit i */
  uint64_t *targets;      /* bit i: something jumps there */
  size_t count;           /* instructions */
  bool jumps;             /* with an argument that is not 0 */
  uint32_t make_function; /* arguments of every MAKE_FUNCTION, or-ed */
  pks_code_use *uses;     /* room for PKS_CODE_USES; NULL: not wanted */
  size_t use_count;       /* how many there are */
  size_t straight_end;    /* offset of the first that jumps, ends or yields */
} pks_code_scan;

/* Every check but what pks_code_prefix says, the tables beside the bytecode and the data flow. */
pks_code_check pks_code_scan_run(const pks_code_view *view, const pks_code_table *table,
                                 pks_code_scan *scan);

/* The instructions that 3.11+ puts first; cheap, and different from version to version. */
bool pks_code_prefix(const pks_code_view *view, const pks_code_table *table);
/* May the very first one stand there? */
static inline bool pks_code_starts(const pks_code_view *view, const pks_code_table *table) {
  return view->size >= 2 && (table->ops[view->code[0]].flags & PKS_OP_FIRST);
}

/* Line and exception tables, after a scan. */
bool pks_code_lines_ok(const pks_code_view *view, const pks_code_table *table,
                       const pks_code_scan *scan);
bool pks_code_exceptions_ok(const pks_code_view *view, const pks_code_scan *scan);
/* lnotab (up to 3.9): even length, even steps. *end: where its steps lead. */
bool pks_code_lnotab_ok(const pks_code_view *view, bool words, uint64_t *end);
/* A line table of 3.10, which no lnotab looks like. */
bool pks_code_pairs_ok(const pks_code_view *view);

/* One range of an exception table (3.11+), in bytes of the code. */
typedef struct pks_code_region {
  uint64_t start, end, target, depth;
  bool lasti;
} pks_code_region;
/* Reads one and moves *at; false at the end or when it is malformed (then *at is SIZE_MAX). */
bool pks_code_region_next(pks_span table, size_t *at, pks_code_region *out);

#endif
