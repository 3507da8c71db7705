/* machine/value.h - what is known of an object that loading would make: one 8-byte word.
 *
 *   bits 0-4  kind      bits 5-7  flags      bits 8-63  payload (56 bits)
 *
 * Where the payload cannot say all, it is an index:
 *   STR, BYTES     where the opcode that made it stands (in the payload, or among the kept texts of
 *                  a payload in pieces); the text is decoded again when somebody asks
 *   TUPLE          depth 13 bits | count 9 bits | position of its items in the ring 34 bits
 *   LIST, DICT, BYTEARRAY   the state itself (length, or offset and what is known of its keys) while
 *                  one stack slot holds the only reference; memoised or duplicated, the state moves
 *                  to a cell of 8 bytes and the word becomes a ..._REF with the cell's index. So
 *                  identity is kept: a list may change after it was memoised.
 *   GLOBAL, OBJECT indexes that the hooks gave (facts)                                           */
#ifndef PKS_MACHINE_VALUE_H
#define PKS_MACHINE_VALUE_H

#include "base/mem.h"

typedef uint64_t pks_value;

enum {
  PKS_V_EMPTY = 0, /* no value: a memo entry not written */
  PKS_V_NONE,
  PKS_V_FALSE,
  PKS_V_TRUE,
  PKS_V_INT, /* payload: signed */
  PKS_V_BIGINT,
  PKS_V_FLOAT,
  PKS_V_STR,
  PKS_V_BYTES,
  PKS_V_FROZENSET,
  PKS_V_LAST_PLAIN = PKS_V_FROZENSET, /* up to here every value hashes, without calling anything */
  PKS_V_TUPLE,
  PKS_V_SET,
  PKS_V_LIST, /* these three hold their state; each has a _REF three further on */
  PKS_V_DICT,
  PKS_V_BYTEARRAY,
  PKS_V_LIST_REF,
  PKS_V_DICT_REF,
  PKS_V_BYTEARRAY_REF,
  PKS_V_VIEW, /* read-only memoryview of a bytearray; payload: cell of the bytearray + 1, or 0 */
  PKS_V_FIRST_OPAQUE,
  PKS_V_GLOBAL = PKS_V_FIRST_OPAQUE, /* only a run could tell what these are */
  PKS_V_OBJECT,                      /* result of a call */
  PKS_V_PERSID,
  PKS_V_EXT,
  PKS_V_BUFFER,
  PKS_V_UNKNOWN
};

#define PKS_VF_KEY 0x20u        /* STR: a key that rules look at (fast.h: key_flag)              */
#define PKS_VF_UNREADABLE 0x40u /* STR, BYTES: longer than what is kept                          */
#define PKS_VF_STRING 0x80u     /* STR: a Python 2 string of which we do not know how it reads    */
#define PKS_VF_UNHASHABLE 0x20u /* TUPLE: an item cannot be hashed                               */
#define PKS_VF_DROPPED 0x40u    /* TUPLE: its items are not in the ring                          */

static inline unsigned pks_kind(pks_value v) { return (unsigned)(v & 0x1f); }
static inline uint64_t pks_payload(pks_value v) { return v >> 8; }
static inline pks_value pks_make(unsigned kind, uint64_t payload) { return (payload << 8) | kind; }
static inline int64_t pks_int(pks_value v) { return (int64_t)v >> 8; }
static inline bool pks_is_opaque(pks_value v) { return pks_kind(v) >= PKS_V_FIRST_OPAQUE; }
static inline pks_value pks_make_int(int64_t number) {
  return number >= -((int64_t)1 << 55) && number < ((int64_t)1 << 55)
             ? pks_make(PKS_V_INT, (uint64_t)number & 0xffffffffffffffull)
             : (pks_value)PKS_V_BIGINT;
}

static inline bool pks_is_unshared(pks_value v) { return pks_kind(v) - PKS_V_LIST < 3; }
static inline bool pks_is_ref(pks_value v) { return pks_kind(v) - PKS_V_LIST_REF < 3; }

/* TUPLE */
#define PKS_TUPLE_POS_BITS 34
#define PKS_TUPLE_COUNT_MAX 511u
#define PKS_TUPLE_DEPTH_MAX 8191u
#define PKS_PYPY_HASH_DEPTH \
  3000u /* 3999 pass on a fresh stack of PyPy 7.3, 4000 are a RecursionError */
static inline uint64_t pks_tuple_pos(pks_value v) {
  return pks_payload(v) & (((uint64_t)1 << PKS_TUPLE_POS_BITS) - 1);
}
static inline unsigned pks_tuple_count(pks_value v) { /* 511: that many or more */
  return (unsigned)(pks_payload(v) >> PKS_TUPLE_POS_BITS) & PKS_TUPLE_COUNT_MAX;
}
static inline unsigned pks_tuple_depth(pks_value v) {
  return (unsigned)(pks_payload(v) >> (PKS_TUPLE_POS_BITS + 9)) & PKS_TUPLE_DEPTH_MAX;
}

/* State of a DICT: offset of its opcode, and */
#define PKS_DICT_NONEMPTY ((uint64_t)1 << 48)
#define PKS_DICT_FIRST_NO_STR ((uint64_t)1 << 49) /* its first key is no str     */
#define PKS_DICT_FIRST_CLASS ((uint64_t)1 << 50)  /* its first key is __class__  */
#define PKS_DICT_FIRST_OPAQUE ((uint64_t)1 << 51) /* only a run could tell       */
#define PKS_DICT_SOME_NO_STR ((uint64_t)1 << 52)  /* a key is no str             */
#define PKS_DICT_OFFSET (PKS_DICT_NONEMPTY - 1)

/* State of a BYTEARRAY: its length, whether a view was made of it, and whether a container took one */
#define PKS_BYTEARRAY_EXPORTED ((uint64_t)1 << 55)
#define PKS_BYTEARRAY_HELD ((uint64_t)1 << 54)
#define PKS_BYTEARRAY_LENGTH (PKS_BYTEARRAY_HELD - 1)

#endif
