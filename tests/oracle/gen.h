/* gen.h - inside the generator: a program is written opcode by opcode beside an abstract stack. */
#ifndef ORACLE_GEN_H
#define ORACLE_GEN_H

#include "oracle.h"

typedef enum value_kind {
  K_NONE,
  K_BOOL,
  K_INT,
  K_FLOAT,
  K_STR,
  K_BYTES,
  K_TUPLE,
  K_LIST,
  K_DICT,
  K_SET,
  K_FROZENSET,
  K_BYTEARRAY,
  K_VIEW,
  K_OPAQUE,
  K_COUNT
} value_kind;
#define IS(kind) (1u << (kind))
#define ANY (IS(K_COUNT) - 1u)

typedef struct object {
  uint8_t kind;
  bool unhashable;        /* TUPLE: an item is */
  bool viewed;            /* BYTEARRAY */
  bool filled;            /* DICT */
  uint8_t depth;          /* TUPLE */
  uint32_t first, second; /* TUPLE of two: its items */
  int64_t number;         /* INT: value; LIST, BYTEARRAY, TUPLE: length */
} object;

#define MEMO_DENSE 8192
#define FRAMES 6

typedef struct gen {
  rng *r;
  bytes *out;
  how how;
  uint32_t python;
  unsigned protocol; /* highest that the reader knows: 2, 4, 5 */
  bool decimal;      /* 3.14: INT and LONG are */
  unsigned theme;    /* kinds that are made more often */
  unsigned depth;
  int buffers;

  object *objects;
  uint32_t object_count, object_capacity;
  uint32_t *stack;
  size_t height, stack_capacity;
  size_t marks[64];
  size_t mark_count, fence;

  uint32_t memo[MEMO_DENSE]; /* object, 0: none */
  uint32_t memo_high;        /* entries that may be written */
  uint32_t written[256];     /* indexes that were, some of them */
  uint32_t written_count, occupied;
  struct {
    uint32_t index, object;
  } sparse[8];
  uint32_t sparse_count;
  size_t frames[FRAMES], frame_count;
} gen;

/* generate.c */
object *gen_object(gen *g, uint32_t index);
uint32_t gen_push(gen *g, value_kind kind); /* a new object; its index */
void gen_push_old(gen *g, uint32_t index);
object *gen_at(gen *g, size_t from_top); /* 0: the top */
size_t gen_items(const gen *g);          /* above the fence */
bool gen_hashable(gen *g, uint32_t index);
void gen_mark(gen *g);
size_t gen_pop_mark(gen *g); /* the height it stood at */
/* Writes what pushes one object of a kind in `kinds`. */
void gen_value(gen *g, unsigned kinds);
void gen_action(gen *g);
/* May put the top into the memo. */
void gen_memoize(gen *g);

/* The items from `from` on become a tuple. */
void gen_tuple(gen *g, size_t from);

/* change.c */
void gen_change(gen *g); /* APPEND, SETITEM and their kin on the top, or on what is made for them */
void gen_build(gen *g);
void gen_close_mark(gen *g);

/* values.c: opcodes that push what they say, with every argument form */
void gen_literal(gen *g, value_kind kind);
void gen_opaque(gen *g);

/* wild.c */
void gen_wild(gen *g);

/* spell.c: arguments. Lines end with their newline. */
void spell_int(gen *g, int64_t number);               /* INT's line; number is small */
bool spell_is_bool(const uint8_t *line, size_t size); /* 3.14 and earlier */
void spell_long(gen *g, int64_t number);
void spell_index(gen *g, uint32_t index);
void spell_float(gen *g);
void spell_string(gen *g, bool high); /* STRING's line; high: bytes >= 0x80 */
void spell_unicode(gen *g);           /* UNICODE's line */
void spell_utf8(rng *r, bytes *out);  /* text for the counted kinds */
void spell_py2(gen *g, bytes *out, bool high);
void spell_name(gen *g, bool ascii); /* a line of GLOBAL or INST */
void spell_anything(gen *g);         /* a line that is perhaps a number */

#endif
