/* code/table.h - instruction tables of the versions, merged from bytecode/ and opcodes.def. */
#ifndef PKS_CODE_TABLE_H
#define PKS_CODE_TABLE_H

#include "code/infer.h"

/* One number for a name whatever the version; 0 is no instruction. */
enum {
  PKS_OPCODE_NONE,
#define PKS_OPCODE(name, rule, ends) PKS_OPCODE_##name,
#include "code/opcodes.def"
#undef PKS_OPCODE
  PKS_OPCODES
};

/* What a compiler keeps to in an argument. The first ones are a bound and nothing else (below); what
 * comes after PKS_RULE_BOUNDS has a case of its own in scan.c. */
typedef enum pks_code_rule {
  PKS_RULE_ANY,
  PKS_RULE_NAME,      /* index in co_names                                                     */
  PKS_RULE_LOAD_NAME, /* the same, and reads a global when there is no local of that name      */
  PKS_RULE_GLOBAL,    /* LOAD_GLOBAL: index, from 3.11 above a flag bit                        */
  PKS_RULE_ATTR,      /* LOAD_ATTR: index, from 3.12 above a flag bit                          */
  PKS_RULE_SUPER,     /* LOAD_SUPER_ATTR: index above two flag bits                            */
  PKS_RULE_LOAD_CONST,
  PKS_RULE_CONST,
  PKS_RULE_LOAD_FAST,
  PKS_RULE_LOCAL,
  PKS_RULE_LOCAL_SET,
  PKS_RULE_BINARY_OP,
  PKS_RULE_UP_TO_1,
  PKS_RULE_UP_TO_2,
  PKS_RULE_RAISE,
  PKS_RULE_FORMAT,
  PKS_RULE_BYTE,
  PKS_RULE_SPECIAL_METHOD,
  PKS_RULE_COMMON,
  PKS_RULE_BOUNDS,     /* no rule: from here on there is more to ask */
  PKS_RULE_IMPORT,     /* IMPORT_NAME: index, in 3.15 above two flag bits                       */
  PKS_RULE_LOCAL_PAIR, /* two indexes of four bits                                              */
  PKS_RULE_FREE,
  PKS_RULE_COMPARE,
  PKS_RULE_FROM_1,
  PKS_RULE_FROM_2,
  PKS_RULE_SLICE,
  PKS_RULE_CONVERT,
  PKS_RULE_MAKE_FUNCTION,
  PKS_RULE_FUNCTION_ATTRIBUTE,
  PKS_RULE_CALL,
  PKS_RULE_CALL_KW,
  PKS_RULE_KW_NAMES,
  PKS_RULE_KEY_MAP,
  PKS_RULE_PRECALL,
  PKS_RULE_RERAISE,
  PKS_RULE_RESUME,
  PKS_RULE_GEN_START,
  PKS_RULE_YIELD,
  PKS_RULE_INTRINSIC_1,
  PKS_RULE_INTRINSIC_2,
  PKS_RULE_COPY_FREE,
  PKS_RULE_RETURN_GENERATOR,
  PKS_RULE_JUMP,
  PKS_RULE_STALE, /* 3.10: its unused argument may be left over from another instruction */
  PKS_RULE_EXTENDED
} pks_code_rule;

/* What an argument, shifted, must be below. */
typedef enum pks_code_bound {
  PKS_BOUND_NOTHING, /* no number is below it: not an instruction of this version */
  PKS_BOUND_UNUSED,  /* 1: the argument must be 0 */
  PKS_BOUND_FREE,    /* any number will do */
  PKS_BOUND_NAMES,
  PKS_BOUND_CONSTS,
  PKS_BOUND_LOCALS,
  PKS_BOUND_CELLS, /* up to 3.10: cells and free variables; later: locals and other cells */
  PKS_BOUND_SLOTS, /* 3.11 and later: locals, other cells, free variables */
  PKS_BOUND_OPERATORS,
  PKS_BOUND_SPECIALS,
  PKS_BOUND_CONSTANTS,
  PKS_BOUND_2,
  PKS_BOUND_3,
  PKS_BOUND_4,
  PKS_BOUND_8,
  PKS_BOUND_256,
  PKS_BOUND_COUNT
} pks_code_bound;

/* How the stack depth changes: base plus a function of the argument a. */
typedef enum pks_code_form {
  PKS_FORM_CONST,           /* 0                               */
  PKS_FORM_PLUS_ARG,        /* a                               */
  PKS_FORM_MINUS_ARG,       /* -a                              */
  PKS_FORM_MINUS_TWICE_ARG, /* -2a                             */
  PKS_FORM_PLUS_BIT0,       /* a & 1                           */
  PKS_FORM_MINUS_BIT0,      /* -(a & 1)                        */
  PKS_FORM_MINUS_BIT2,      /* -(a >> 2 & 1)                   */
  PKS_FORM_MINUS_BITS0_3,   /* - how many of the low four bits */
  PKS_FORM_MINUS_IF_3,      /* -(a == 3)                       */
  PKS_FORM_PLUS_LOW_HIGH,   /* (a & 255) + (a >> 8)            */
  PKS_FORM_NOT_KNOWN
} pks_code_form;

#define PKS_OP_READS 1u /* reads its argument                     */
#define PKS_OP_ENDS 2u  /* nothing falls through it               */
#define PKS_OP_REL 4u   /* jumps: forward from the next instruction */
#define PKS_OP_ABS 8u   /* jumps: from the start                  */
#define PKS_OP_BACK 16u /* jumps: backward                        */
#define PKS_OP_JUMPS (PKS_OP_REL | PKS_OP_ABS | PKS_OP_BACK)
#define PKS_OP_USES 128u /* reads a global or an import by name */
#define PKS_OP_FIRST 64u /* code of 3.11 and later may start with it */
#define PKS_OP_PLAIN \
  32u /* uses.c has nothing to ask: it neither jumps, ends, yields nor reads a global
                            or an import */

typedef struct pks_code_op {
  uint8_t name;      /* PKS_OPCODE_..., 0: no instruction of this version */
  uint8_t rule;      /* pks_code_rule */
  uint8_t bound;     /* pks_code_bound of argument >> shift */
  uint8_t shift;     /* flag bits below an index in co_names */
  uint8_t flags;     /* PKS_OP_... */
  uint8_t caches;    /* code units after it */
  int8_t stay, leap; /* bases of the stack effect, when it does not jump and when it does */
  uint8_t stay_form, leap_form;
} pks_code_op;

typedef struct pks_code_table {
  const pks_code_op *ops; /* 256 */
  uint16_t magic;
  uint8_t version;   /* PKS_CODE_... */
  uint8_t minor;     /* of Python 3; 0 for Python 2 */
  uint8_t jump_unit; /* bytes a jump's argument counts in */
  bool words;        /* instructions are two bytes; else one or three */
  bool pypy;
  uint8_t operators, intrinsics1, intrinsics2, specials, constants; /* how many; 0: not known */
  uint32_t flags; /* co_flags that its compiler sets */
} pks_code_table;

/* NULL: there is no table. */
const pks_code_table *pks_code_table_of(unsigned version);
/* The same, or for a PyPy without one that of the nearest relative. */
const pks_code_table *pks_code_table_near(unsigned version);
const char *pks_code_opcode_name(unsigned name);

/* Position of the lowest bit; bits not 0. */
static inline unsigned pks_code_lowest(uint64_t bits) {
#if defined(__GNUC__) || defined(__clang__)
  return (unsigned)__builtin_ctzll(bits);
#else
  unsigned i = 0;
  while (!(bits >> i & 1)) i++;
  return i;
#endif
}

int64_t pks_code_effect(int8_t base, uint8_t form, uint32_t arg);

#endif
