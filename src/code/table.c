#include "code/table.h"

#include <string.h>

/* Rules of an instruction, known by its name: RULE_<NAME> and ENDS_<NAME>. */
enum {
#define PKS_OPCODE(name, rule, ends) \
  RULE_##name = PKS_RULE_##rule, ENDS_##name = (ends) ? PKS_OP_ENDS : 0,
#include "code/opcodes.def"
#undef PKS_OPCODE
  RULES_END
};

_Static_assert(PKS_OPCODES <= 256, "an opcode's name must fit a byte");
_Static_assert(PKS_CODE_VERSIONS <= 32, "a version must have a bit in pks_code_set");

enum { JUMP_NONE = 0, JUMP_REL = PKS_OP_REL, JUMP_ABS = PKS_OP_ABS, JUMP_BACK = PKS_OP_BACK };

/* Bounds and shifts as constant expressions, so that the tables stay read-only data. MINOR is that of
 * the table at hand, 0 for Python 2. */
#define SHIFT(rule)                                    \
  ((rule) == PKS_RULE_GLOBAL   ? (MINOR >= 11 ? 1 : 0) \
   : (rule) == PKS_RULE_ATTR   ? (MINOR >= 12 ? 1 : 0) \
   : (rule) == PKS_RULE_IMPORT ? (MINOR >= 15 ? 2 : 0) \
   : (rule) == PKS_RULE_SUPER  ? 2                     \
                               : 0)

/* 3.12 inlines comprehensions, whose cells become locals for a while: they are loaded and stored like
 * locals. Free variables are only ever loaded so. */
#define BOUND_LOCAL(rule)                            \
  (MINOR <= 10                    ? PKS_BOUND_LOCALS \
   : (rule) == PKS_RULE_LOCAL     ? PKS_BOUND_SLOTS  \
   : MINOR == 11                  ? PKS_BOUND_LOCALS \
   : (rule) == PKS_RULE_LOCAL_SET ? PKS_BOUND_CELLS  \
                                  : PKS_BOUND_SLOTS)

#define BOUND(rule)                                                                           \
  ((rule) == PKS_RULE_NAME || (rule) == PKS_RULE_LOAD_NAME || (rule) == PKS_RULE_GLOBAL ||    \
           (rule) == PKS_RULE_ATTR || (rule) == PKS_RULE_SUPER || (rule) == PKS_RULE_IMPORT   \
       ? PKS_BOUND_NAMES                                                                      \
   : (rule) == PKS_RULE_LOAD_CONST || (rule) == PKS_RULE_CONST || (rule) == PKS_RULE_KW_NAMES \
       ? PKS_BOUND_CONSTS                                                                     \
   : (rule) == PKS_RULE_LOAD_FAST || (rule) == PKS_RULE_LOCAL || (rule) == PKS_RULE_LOCAL_SET \
       ? BOUND_LOCAL(rule)                                                                    \
   : (rule) == PKS_RULE_FREE           ? (MINOR <= 10 ? PKS_BOUND_CELLS : PKS_BOUND_SLOTS)    \
   : (rule) == PKS_RULE_BINARY_OP      ? PKS_BOUND_OPERATORS                                  \
   : (rule) == PKS_RULE_SPECIAL_METHOD ? PKS_BOUND_SPECIALS                                   \
   : (rule) == PKS_RULE_COMMON         ? PKS_BOUND_CONSTANTS                                  \
   : (rule) == PKS_RULE_UP_TO_1        ? PKS_BOUND_2                                          \
   : (rule) == PKS_RULE_UP_TO_2        ? PKS_BOUND_3                                          \
   : (rule) == PKS_RULE_RAISE          ? (MINOR == 0 ? PKS_BOUND_4 : PKS_BOUND_3)             \
   : (rule) == PKS_RULE_FORMAT         ? PKS_BOUND_8                                          \
   : (rule) == PKS_RULE_BYTE           ? PKS_BOUND_256                                        \
                                       : PKS_BOUND_FREE)

/* 3.10's optimiser leaves arguments behind on NOP and on the rotations it makes (swaptimize). */
#define IS_STALE(op)                                                                       \
  ((op) == PKS_OPCODE_NOP || (op) == PKS_OPCODE_ROT_TWO || (op) == PKS_OPCODE_ROT_THREE || \
   (op) == PKS_OPCODE_ROT_FOUR)
#define RULE(op, rule, jumps)                                               \
  ((rule) == PKS_RULE_ANY && (jumps)                       ? PKS_RULE_JUMP  \
   : MINOR == 10 && (rule) == PKS_RULE_ANY && IS_STALE(op) ? PKS_RULE_STALE \
                                                           : (rule))

#define IS_PLAIN(op, rule, jumps)                                           \
  (!(ENDS_##op) && !(jumps) && !IS_USE(rule) && (rule) != PKS_RULE_YIELD && \
   (rule) != PKS_RULE_EXTENDED)

#define IS_USE(rule) \
  ((rule) == PKS_RULE_IMPORT || (rule) == PKS_RULE_GLOBAL || (rule) == PKS_RULE_LOAD_NAME)
#define IS_FIRST(op)                                                                 \
  (MINOR >= 11 && ((op) == PKS_OPCODE_RESUME || (op) == PKS_OPCODE_COPY_FREE_VARS || \
                   (op) == PKS_OPCODE_MAKE_CELL || (op) == PKS_OPCODE_RETURN_GENERATOR))

/* The two readings of a .def of bytecode/: one entry for each instruction, and its first line. The
 * operand column is not used here: the rule of the name says more. */
#define PKS_BYTECODE(number, op, argument, units, operand, jump, base, form, leap_base,  \
                     leap_form_)                                                         \
  [number] = {.name = PKS_OPCODE_##op,                                                   \
              .rule = RULE(PKS_OPCODE_##op, RULE_##op + 0, JUMP_##jump),                 \
              .bound = (argument)                                 ? BOUND(RULE_##op + 0) \
                       : MINOR == 10 && IS_STALE(PKS_OPCODE_##op) ? PKS_BOUND_FREE       \
                                                                  : PKS_BOUND_UNUSED,    \
              .shift = SHIFT(RULE_##op + 0),                                             \
              .flags = ((argument) ? PKS_OP_READS : 0) | ENDS_##op | JUMP_##jump |       \
                       (IS_PLAIN(op, RULE_##op + 0, JUMP_##jump) ? PKS_OP_PLAIN : 0) |   \
                       (IS_USE(RULE_##op + 0) ? PKS_OP_USES : 0) |                       \
                       (IS_FIRST(PKS_OPCODE_##op) ? PKS_OP_FIRST : 0),                   \
              .caches = units,                                                           \
              .stay = base,                                                              \
              .leap = leap_base,                                                         \
              .stay_form = PKS_FORM_##form,                                              \
              .leap_form = PKS_FORM_##leap_form_},
#define PKS_BYTECODE_TABLE(id, magic, operators, one, two, specials, constants)

#define MINOR 0
static const pks_code_op ops_2_7[256] = {
#include "code/bytecode/cpython_2_7.def"
};
#undef MINOR
#define MINOR 4
static const pks_code_op ops_3_4[256] = {
#include "code/bytecode/cpython_3_4.def"
};
#undef MINOR
#define MINOR 5
static const pks_code_op ops_3_5[256] = {
#include "code/bytecode/cpython_3_5.def"
};
#undef MINOR
#define MINOR 6
static const pks_code_op ops_3_6[256] = {
#include "code/bytecode/cpython_3_6.def"
};
#undef MINOR
#define MINOR 7
static const pks_code_op ops_3_7[256] = {
#include "code/bytecode/cpython_3_7.def"
};
#undef MINOR
#define MINOR 8
static const pks_code_op ops_3_8[256] = {
#include "code/bytecode/cpython_3_8.def"
};
#undef MINOR
#define MINOR 9
static const pks_code_op ops_3_9[256] = {
#include "code/bytecode/cpython_3_9.def"
};
#undef MINOR
#define MINOR 10
static const pks_code_op ops_3_10[256] = {
#include "code/bytecode/cpython_3_10.def"
};
#undef MINOR
#define MINOR 11
static const pks_code_op ops_3_11[256] = {
#include "code/bytecode/cpython_3_11.def"
};
#undef MINOR
#define MINOR 12
static const pks_code_op ops_3_12[256] = {
#include "code/bytecode/cpython_3_12.def"
};
#undef MINOR
#define MINOR 13
static const pks_code_op ops_3_13[256] = {
#include "code/bytecode/cpython_3_13.def"
};
#undef MINOR
#define MINOR 14
static const pks_code_op ops_3_14[256] = {
#include "code/bytecode/cpython_3_14.def"
};
#undef MINOR
#define MINOR 15
static const pks_code_op ops_3_15[256] = {
#include "code/bytecode/cpython_3_15.def"
};
#undef MINOR
#define MINOR 9
static const pks_code_op ops_pypy_3_9[256] = {
#include "code/bytecode/pypy_3_9.def"
};
#undef MINOR
#undef PKS_BYTECODE
#undef PKS_BYTECODE_TABLE

#define PKS_BYTECODE(number, op, argument, units, operand, jump, base, form, leap_base, leap_form_)
#define PKS_BYTECODE_TABLE(id, magic_, operators_, one, two, specials_, constants_) \
  [PKS_CODE_##id] = {.magic = magic_,                                               \
                     .version = PKS_CODE_##id,                                      \
                     .operators = operators_,                                       \
                     .intrinsics1 = one,                                            \
                     .intrinsics2 = two,                                            \
                     .specials = specials_,                                         \
                     .constants = constants_,

/* co_flags by version (Include/code.h, later Include/cpython/code.h). Bits of the future imports
 * moved up by four in 3.8.2 (bpo-39562), so 3.8 code has either. */
#define FLAGS_FUNCTION 0x3bfu
#define FLAG_NOFREE 0x40u
#define FUTURES_OLD 0xfe000u
#define FUTURES_NEW 0xfe0000u
#define FLAGS_3_8 \
  (FLAGS_FUNCTION | FLAG_NOFREE | FUTURES_OLD | 0x100000u | FUTURES_NEW | 0x1000000u)
#define FLAGS_3_9 (FLAGS_FUNCTION | FLAG_NOFREE | FUTURES_NEW | 0x1000000u)
#define FLAGS_3_11 (FLAGS_FUNCTION | FUTURES_NEW | 0x1000000u)
#define FLAGS_3_13 (FLAGS_3_11 | 0x2000000u)              /* CO_NO_MONITORING_EVENTS */
#define FLAGS_3_14 (FLAGS_3_13 | 0x4000000u | 0x8000000u) /* CO_HAS_DOCSTRING, CO_METHOD */

static const pks_code_table tables[PKS_CODE_VERSIONS] =
    {
#include "code/bytecode/cpython_2_7.def"
        .ops = ops_2_7, .minor = 0, .jump_unit = 1, .flags = 0x7fu | 0x3f000u},
#include "code/bytecode/cpython_3_4.def"
                            .ops = ops_3_4, .minor = 4, .jump_unit = 1, .flags = 0x7fu | 0x7e000u
}
,
#include "code/bytecode/cpython_3_5.def"
    .ops = ops_3_5, .minor = 5, .jump_unit = 1, .flags = 0x1ffu | FUTURES_OLD
}
,
#include "code/bytecode/cpython_3_6.def"
    .ops = ops_3_6, .minor = 6, .jump_unit = 1, .words = true,
    .flags = FLAGS_FUNCTION | FLAG_NOFREE | FUTURES_OLD
}
,
#include "code/bytecode/cpython_3_7.def"
    .ops = ops_3_7, .minor = 7, .jump_unit = 1, .words = true,
    .flags = FLAGS_FUNCTION | FLAG_NOFREE | FUTURES_OLD | 0x100000u
}
,
#include "code/bytecode/cpython_3_8.def"
    .ops = ops_3_8, .minor = 8, .jump_unit = 1, .words = true, .flags = FLAGS_3_8
}
,
#include "code/bytecode/cpython_3_9.def"
    .ops = ops_3_9, .minor = 9, .jump_unit = 1, .words = true, .flags = FLAGS_3_9
}
,
#include "code/bytecode/cpython_3_10.def"
    .ops = ops_3_10, .minor = 10, .jump_unit = 2, .words = true, .flags = FLAGS_3_9
}
,
#include "code/bytecode/cpython_3_11.def"
    .ops = ops_3_11, .minor = 11, .jump_unit = 2, .words = true, .flags = FLAGS_3_11
}
,
#include "code/bytecode/cpython_3_12.def"
    .ops = ops_3_12, .minor = 12, .jump_unit = 2, .words = true, .flags = FLAGS_3_11
}
,
#include "code/bytecode/cpython_3_13.def"
    .ops = ops_3_13, .minor = 13, .jump_unit = 2, .words = true, .flags = FLAGS_3_13
}
,
#include "code/bytecode/cpython_3_14.def"
    .ops = ops_3_14, .minor = 14, .jump_unit = 2, .words = true, .flags = FLAGS_3_14
}
,
#include "code/bytecode/cpython_3_15.def"
    .ops = ops_3_15, .minor = 15, .jump_unit = 2, .words = true, .flags = FLAGS_3_14
}
,
#include "code/bytecode/pypy_3_9.def"
    .ops = ops_pypy_3_9, .minor = 9, .jump_unit = 1, .words = true, .pypy = true,
    .flags = FLAGS_3_8 | 0x6000000u
}
,
}
;

const pks_code_table *pks_code_table_of(unsigned version) {
  if (version >= PKS_CODE_VERSIONS || !tables[version].ops) return NULL;
  return &tables[version];
}

/* PyPys without a table differ from these in a few instructions, which then have no name. */
const pks_code_table *pks_code_table_near(unsigned version) {
  switch (version) {
    case PKS_CODE_PYPY_2_7: return &tables[PKS_CODE_CPYTHON_2_7];
    case PKS_CODE_PYPY_3_5: return &tables[PKS_CODE_CPYTHON_3_5];
    case PKS_CODE_PYPY_3_6: return &tables[PKS_CODE_CPYTHON_3_6];
    case PKS_CODE_PYPY_3_7: return &tables[PKS_CODE_CPYTHON_3_7];
    case PKS_CODE_PYPY_3_8:
    case PKS_CODE_PYPY_3_10:
    case PKS_CODE_PYPY_3_11: return &tables[PKS_CODE_PYPY_3_9];
    default: return pks_code_table_of(version);
  }
}

const char *pks_code_opcode_name(unsigned name) {
  static const char *const names[PKS_OPCODES] = {
      "?",
#define PKS_OPCODE(name, rule, ends) #name,
#include "code/opcodes.def"
#undef PKS_OPCODE
  };
  return name < PKS_OPCODES ? names[name] : "?";
}

int64_t pks_code_effect(int8_t base, uint8_t form, uint32_t arg) {
  int64_t a = arg;
  switch (form) {
    case PKS_FORM_PLUS_ARG: return base + a;
    case PKS_FORM_MINUS_ARG: return base - a;
    case PKS_FORM_MINUS_TWICE_ARG: return base - 2 * a;
    case PKS_FORM_PLUS_BIT0: return base + (a & 1);
    case PKS_FORM_MINUS_BIT0: return base - (a & 1);
    case PKS_FORM_MINUS_BIT2: return base - (a >> 2 & 1);
    case PKS_FORM_MINUS_BITS0_3: return base - (a & 1) - (a >> 1 & 1) - (a >> 2 & 1) - (a >> 3 & 1);
    case PKS_FORM_MINUS_IF_3: return base - (a == 3);
    case PKS_FORM_PLUS_LOW_HIGH: return base + (a & 255) + (a >> 8);
    default: return base;
  }
}

/* ---- versions ------------------------------------------------------------------------------ */

static const struct {
  const char *name;
  uint16_t magic;
} versions[PKS_CODE_VERSIONS] = {
#define PKS_CODE_VERSION(id, name, magic, minor, family) {name, magic},
#include "code/versions.def"
#undef PKS_CODE_VERSION
};

size_t pks_code_version_count(void) { return PKS_CODE_VERSIONS; }

const char *pks_code_version_name(size_t version) {
  return version < PKS_CODE_VERSIONS ? versions[version].name : NULL;
}

uint16_t pks_code_version_magic(size_t version) {
  return version < PKS_CODE_VERSIONS ? versions[version].magic : 0;
}

int pks_code_version_of_magic(uint16_t magic) {
  static const struct {
    uint16_t magic;
    uint8_t version;
  } more[] = {
#define PKS_CODE_MAGIC(magic, id, why) {magic, PKS_CODE_##id},
#include "code/magics.def"
#undef PKS_CODE_MAGIC
  };
  for (int i = 0; i < PKS_CODE_VERSIONS; i++)
    if (versions[i].magic == magic) return i;
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    if (more[i].magic == magic) return more[i].version;
  return -1;
}

unsigned pks_code_set_size(pks_code_set set) {
  unsigned size = 0;
  for (; set; set &= set - 1) size++;
  return size;
}

unsigned pks_code_set_first(pks_code_set set) {
  return set ? pks_code_lowest(set) : PKS_CODE_VERSIONS;
}

const uint16_t *pks_code_magic_of(size_t version) { return &versions[version].magic; }

const char *const *pks_code_name_of(size_t version) { return &versions[version].name; }

size_t pks_code_set_magics(pks_code_set set, uint16_t *out) {
  size_t count = 0;
  for (; set; set &= set - 1) out[count++] = versions[pks_code_set_first(set)].magic;
  return count;
}
