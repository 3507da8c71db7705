/* machine/machine.h - the unpickler's stack, marks and memo, with values that stand for objects.
 *
 * One step per opcode, as Modules/_pickle.c takes it; nothing is imported, called or made. What the
 * machine cannot decide it asks or tells its hooks (the facts room). */
#ifndef PKS_MACHINE_MACHINE_H
#define PKS_MACHINE_MACHINE_H

#include "base/utf8.h"
#include "decode/decode.h"
#include "machine/value.h"

typedef struct pks_machine pks_machine;

/* What was taken for granted of an opaque object. ASSUME(ID, "text") */
#define PKS_ASSUME_MAP(X)                                                                \
  X(CALLABLE, "an object that only a run could tell can be called with these arguments") \
  X(ARGS, "arguments that only a run could tell are a tuple")                            \
  X(CLASS, "an object that only a run could tell is a class")                            \
  X(KWARGS, "keyword arguments that only a run could tell are a dict")                   \
  X(STATE, "an object takes the state that it is given")                                 \
  X(STATE_KIND, "a state that only a run could tell is a dict")                          \
  X(APPEND, "an object has an append or extend that takes these items")                  \
  X(ADD, "an object has an add that takes these items")                                  \
  X(SETITEM, "an object takes these keys and values")                                    \
  X(HASH, "an object that only a run could tell can be hashed")                          \
  X(INDEX, "an object that only a run could tell is an index in range")                  \
  X(BYTE, "an object that only a run could tell is an int in 0..255")                    \
  X(BUFFER, "an object that only a run could tell is a buffer")                          \
  X(VIEW, "no view that a container took is alive when its bytearray grows")             \
  X(NAME, "an object that only a run could tell is a str")                               \
  X(ENCODING, "a Python 2 string decodes with the encoding that will be given")          \
  X(TEXT, "what PyPy makes of a backslash before a byte past 0x7f does not matter")
typedef enum pks_assume {
#define X(id, text) PKS_ASSUME_##id,
  PKS_ASSUME_MAP(X)
#undef X
      PKS_ASSUME_COUNT
} pks_assume;

/* offset: of the opcode that acts. A hook that runs out of memory sets machine->fail. */
typedef struct pks_hooks {
  /* find_class. module, name: as the payload spells them, alive during the call only; certain false:
   * computed or unreadable (a span is then empty). Returns the value that stands for the result. */
  pks_value (*lookup)(pks_machine *m, int op, pks_span module, pks_span name, bool certain,
                      uint64_t offset);
  /* A GLOBAL comes onto the stack again (GET, DUP). */
  void (*again)(pks_machine *m, pks_value global);
  /* callee is opaque, args a TUPLE or opaque. Returns the value that stands for the result. */
  pks_value (*call)(pks_machine *m, int op, pks_value callee, pks_value args, uint64_t offset);
  /* BUILD on an opaque object. */
  void (*build)(pks_machine *m, pks_value object, pks_value state, uint64_t offset);
  /* extend, append, add or __setitem__ of an opaque object is called. */
  void (*method)(pks_machine *m, int op, pks_value object, uint64_t count, uint64_t offset);
  /* An opaque object is hashed as a key or a set's item. */
  void (*key)(pks_machine *m, pks_value object, uint64_t offset);
  /* dict[key] = value where key has PKS_VF_KEY; dict: offset of its opcode. Not of a __dunder__ key whose
   * value is neither a str nor opaque. */
  void (*item)(pks_machine *m, uint64_t dict, pks_value key, pks_value value);
  void (*persid)(pks_machine *m, pks_value id, uint64_t offset);
  void (*buffer)(pks_machine *m, uint64_t offset);
  void (*extension)(pks_machine *m, uint32_t code, uint64_t offset);
  void (*assume)(pks_machine *m, pks_assume what, uint64_t offset);
  /* A Python 2 string with a byte >= 0x80. */
  void (*encoding)(pks_machine *m, uint64_t offset);
} pks_hooks;

/* What makes another reader read a payload differently. */
#define PKS_QUIRK_CROSSED 0x01u /* an argument crosses the end of its frame           */
#define PKS_QUIRK_NESTED 0x02u  /* a frame starts before the one around it ends       */
#define PKS_QUIRK_NUMBER 0x04u  /* a number spelled as no pickler does                */
#define PKS_QUIRK_DIGITS 0x100u /* a number that may have more than 4300 digits       */
#define PKS_QUIRK_MEMO 0x08u    /* memo entries past CPython 3.15's array             */
#define PKS_QUIRK_EMPTY 0x10u   /* nothing is appended to what has no append          */
#define PKS_QUIRK_RENAMED 0x20u /* a Python 2 name that not all CPythons map          */
#define PKS_QUIRK_CODEC 0x40u   /* an empty string, and an encoding that is none      */
#define PKS_QUIRK_COUNT 0x80u   /* a BINSTRING of 2 GiB or more                       */

#define PKS_QUIRK_FRAMES (PKS_QUIRK_CROSSED | PKS_QUIRK_NESTED)

#define PKS_SEGMENT_BITS 10
#define PKS_SEGMENT_SIZE ((size_t)1 << PKS_SEGMENT_BITS)

/* Words in segments: grows without moving what is there. */
typedef struct pks_segments {
  pks_vec directory; /* of uint64_t * */
  size_t words;      /* covered by segments */
} pks_segments;

struct pks_machine {
  pks_mem *mem;
  const pks_hooks *hooks;
  void *user; /* of the hooks */

  uint32_t rules;
  bool inert;          /* PKS_OPAQUE_INERT */
  unsigned hash_depth; /* tuples nested this deep: nobody says that they can be hashed */
  pks_strings strings;
  int64_t buffers; /* still to be handed out, or PKS_BUFFERS_... */
  pks_answer persistent_load, extensions;
  uint64_t max_ops, max_depth, max_name, max_keep, max_code, max_frame;
  pks_read reading;
  uint64_t file_buffer; /* PKS_READ_FILE: bytes that the file's buffer holds */

  const uint8_t *whole; /* the payload when it lies whole in memory, else NULL */
  uint64_t offset;      /* of the next byte */
  uint64_t ops;
  uint64_t total;         /* size of the payload, or UINT64_MAX: not known */
  uint64_t frame_end;     /* offset; 0: no frame */
  uint64_t unseen_end;    /* of a frame longer than max_frame whose end has not come yet; else 0 */
  uint64_t unseen_offset; /* of its FRAME opcode */
  bool frame_read;        /* what is left of the frame is lost by a read that goes past its end */
  uint64_t stop; /* offset where the loop asks reading.c: end of a frame or buffer; 0: nowhere */
  uint64_t file_end; /* PKS_READ_FILE: offset of the end of the file's buffer */
  int protocol;
  unsigned seen_protocols; /* bit n: an opcode that protocol n brought, or PROTO n */
  bool stopped;
  unsigned quirks;       /* PKS_QUIRK_... */
  uint64_t frame_quirk;  /* offset of the first opcode where frames would not hold */
  uint64_t number_quirk; /* of the first number that is spelled oddly */

  pks_value *stack, *top, *stack_end;
  size_t fence; /* stack height of the top mark, or 0 */
  size_t *marks;
  size_t mark_count, mark_capacity;

  pks_segments memo;
  size_t memo_high; /* entries of `memo` that may be written; those above are 0 */
  /* Where the next entry goes, up to the end of its segment; the same: not known, or the memo has gaps.
   * memo_high and memo_count lack what was written since memo_from. */
  uint64_t *memo_next, *memo_stop, *memo_from;
  uint64_t memo_count; /* occupied, sparse ones too (3.15: array ones only) */
  uint64_t memo_array; /* 3.15: capacity of CPython's array */
  pks_value *sparse;   /* open addressing: pairs of index + 1 and value */
  size_t sparse_capacity, sparse_count;

  pks_vec key_text, keys; /* Python 2.7: memo keys that are no plain numbers */
  uint32_t *key_buckets;  /* index + 1; 0: free */
  size_t key_bucket_count;

  pks_segments cells;
  size_t cell_count;
  uint64_t *cell_next, *cell_stop; /* where cell cell_count goes; the same: not known */
  size_t views;                    /* of shared bytearrays made so far */
  unsigned scans;                  /* searches for a living view done so far */

  uint64_t *ring;                  /* items of tuples: count, then items */
  size_t ring_capacity, ring_left; /* values.c */
  uint64_t ring_pos;

  pks_vec keep_blocks; /* texts of a payload in pieces */
  uint8_t *keep_at;    /* where the next text goes, and how much room there is */
  size_t keep_left;
  uint64_t keep_used, keep_bytes, code_bytes;
  pks_status limit;      /* a limit that made something unreadable, or PKS_OK */
  uint64_t limit_offset; /* of the opcode that met it */

  pks_skip skip; /* a counted argument that is not kept */
  uint64_t skip_offset;

  pks_window window; /* the start of an unfinished opcode, of a payload in pieces */
  pks_want want;
  /* After NEED_MORE: of the opcode at the end cut_kept bytes stay, and cut_drop bytes after them are
   * lost (reading.c). Then, until that opcode is done: */
  uint64_t cut_kept, cut_drop;
  uint64_t drop_left; /* of the lost bytes: still to come */
  uint64_t shift;     /* what m->offset lacks */
  uint64_t moved;     /* FRAME: how much its offset is too high */

  pks_fail fail;
  uint64_t fail_offset;
  int fail_op; /* opcode, or -1 */
};

/* hooks, mem and the settings above `whole` are the caller's to set before the first run. */
void pks_machine_reset(pks_machine *m); /* keeps memory */
void pks_machine_free(pks_machine *m);

/* A payload that lies whole at data, which stays there; or pieces of one, of which nothing is taken past
 * STOP, and their end. PKS_END, PKS_NEED_MORE (feed), or m->fail, m->fail_offset, m->fail_op. */
pks_status pks_machine_whole(pks_machine *m, const uint8_t *data, size_t size);
pks_status pks_machine_feed(pks_machine *m, pks_input *in);
pks_status pks_machine_finish(pks_machine *m);
/* Where the unpickler leaves the input: after STOP, or at the end of a frame that was read. */
uint64_t pks_machine_end(const pks_machine *m);

/* It stopped at what a younger protocol brought, which younger interpreters read. */
static inline bool pks_machine_is_too_old(const pks_machine *m) {
  int highest = pks_decode_highest_protocol(m->rules);
  if (m->fail == PKS_FAIL_PROTOCOL) return m->seen_protocols >> (highest + 1) != 0;
  return m->fail == PKS_FAIL_OPCODE && m->fail_op >= 0 && pks_decode_ops[m->fail_op].name;
}

/* Number of items of a TUPLE, and the items when they are still there (else NULL). */
const pks_value *pks_machine_tuple(const pks_machine *m, pks_value tuple, size_t *count);

/* Of a tuple with items that are not there: the limit they fell to. */
pks_status pks_machine_dropped(const pks_machine *m, size_t count);

/* Text of a STR or BYTES; buffer is used when it must be decoded. False: not readable, or (out->data
 * not NULL) it needs more than `capacity`: at most twice out->size. */
bool pks_machine_text(const pks_machine *m, pks_value v, uint8_t *buffer, size_t capacity,
                      pks_span *out);

#define PKS_BLOCK_BITS 14
#define PKS_BLOCK_SIZE ((size_t)1 << PKS_BLOCK_BITS)

/* Texts of a payload in pieces; positions of blocks are PKS_BLOCK_SIZE apart. */
typedef struct pks_keep_block {
  uint8_t *data; /* NULL: the block before it reaches over this one's positions */
  size_t size;
} pks_keep_block;

/* The opcode, with its argument, that made a readable STR or BYTES. */
static inline const uint8_t *pks_machine_opcode(const pks_machine *m, pks_value v) {
  uint64_t at = pks_payload(v);
  if (m->whole) return m->whole + at;
  const pks_keep_block *block = &PKS_VEC_AT(&m->keep_blocks, pks_keep_block, at >> PKS_BLOCK_BITS);
  return block->data + (at & (PKS_BLOCK_SIZE - 1));
}

/* The same for the opcodes that make most texts; false: ask above. */
static inline bool pks_machine_short_text(const pks_machine *m, pks_value v, pks_span *out) {
  unsigned kind = pks_kind(v);
  if ((kind != PKS_V_STR && kind != PKS_V_BYTES) || (v & PKS_VF_UNREADABLE)) return false;
  const uint8_t *op = pks_machine_opcode(m, v);
  if (*op != PKS_OP_SHORT_BINUNICODE && *op != PKS_OP_SHORT_BINBYTES) return false;
  *out = (pks_span){op + 2, op[1]};
  return true;
}

/* ---- inside the room ------------------------------------------------------------------------- */

/* Runs all whole opcodes of data, whose first byte is at m->offset. last: no more input follows.
 *   PKS_NEED_MORE  *used bytes were taken; m->want says what must be there next time
 *   PKS_END        STOP was done; *used is just after it
 *   else           m->fail, m->fail_offset, m->fail_op */
pks_status pks_machine_run(pks_machine *m, const uint8_t *data, size_t size, bool last,
                           size_t *used);

/* BIGINT's payload: does it fit no Py_ssize_t either? */
static inline pks_value pks_machine_number(const pks_number *number) {
  return number->big ? pks_make(PKS_V_BIGINT, 1) : pks_make_int(number->value);
}
/* cpickle.c: the same for Python 2.7. */
pks_status pks_machine_run_cpickle(pks_machine *m, const uint8_t *data, size_t size, bool last,
                                   size_t *used);

/* pypy.c: for PyPy 3. */
pks_status pks_machine_run_pypy(pks_machine *m, const uint8_t *data, size_t size, bool last,
                                size_t *used);
/* `last` and m->skip.left: what the opcode comes to, of whose argument the rest is not there. */
pks_fail pks_machine_pypy_short(const pks_machine *m);

bool pks_machine_grow_stack(pks_machine *m);
pks_fail pks_machine_push_mark(pks_machine *m);

static inline uint64_t *pks_segment_word(const pks_segments *s, size_t index) {
  return &((uint64_t **)(void *)
               s->directory.data)[index >> PKS_SEGMENT_BITS][index & (PKS_SEGMENT_SIZE - 1)];
}

/* reading.c */
/* Where the loop stops in the `size` bytes at data, which is at `offset`. */
const uint8_t *pks_machine_limit(pks_machine *m, uint64_t offset, const uint8_t *data, size_t size);
/* The opcode at p, of which `size` bytes are there, reads past m->stop. Afterwards m->stop is past it
 * or 0; or it is what it was, and more bytes must be there to tell; or m->cut_drop is set. */
pks_fail pks_machine_cross(pks_machine *m, const uint8_t *p, size_t size, uint64_t offset);
/* FRAME at `offset`; bytes up to offset `end` are there. PKS_FAIL_COUNT: not a failure, m->want says
 * what must be there. */
pks_fail pks_machine_frame(pks_machine *m, uint64_t length, uint64_t offset, uint64_t end,
                           bool last);
/* Follows the reads of an opcode through the file's buffer. False: more bytes must be there. */
bool pks_machine_file_read(pks_machine *m, const uint8_t *p, size_t size, uint64_t offset);

/* texts.c */
pks_fail pks_machine_string_value(pks_machine *m, const uint8_t *p, size_t size, pks_span text,
                                  uint64_t offset, pks_value *out);
pks_fail pks_machine_line_value(pks_machine *m, const uint8_t *p, size_t size, uint64_t offset,
                                pks_value *out);

/* GET and PUT. */
pks_fail pks_machine_index_line(pks_machine *m, const uint8_t *line, size_t size, pks_number *out);
/* pieces.c */
/* The opcode at `offset` fails. end: offset at which the input ends, UINT64_MAX when more may come. */
void pks_machine_fail_at(pks_machine *m, pks_fail fail, uint64_t offset, int op, uint64_t end);
/* What a run comes to: NEED_MORE, END or the failure. */
pks_status pks_machine_ended(pks_machine *m);
/* Most bytes of an opcode's argument that are kept. */
uint64_t pks_machine_kept_size(const pks_machine *m, int op);
/* Takes what there is of an argument that goes by, from m->offset on; how many bytes. When it is done,
 * its value is on the stack and m->skip.left is 0. */
size_t pks_machine_skip_on(pks_machine *m, const uint8_t *data, size_t size, bool last);

/* memo.c */
static inline uint64_t pks_machine_memo_count(const pks_machine *m) {
  return m->memo_count + (uint64_t)(m->memo_next - m->memo_from);
}
/* Brings memo_high and memo_count up to date. */
static inline void pks_machine_memo_sync(pks_machine *m) {
  size_t more = (size_t)(m->memo_next - m->memo_from);
  m->memo_from = m->memo_next;
  m->memo_high += more;
  m->memo_count += more;
}
pks_value pks_machine_memo_get(const pks_machine *m, uint64_t index);
pks_fail pks_machine_memo_put(pks_machine *m, uint64_t index, pks_value v);
void pks_machine_memo_reset(pks_machine *m);
void pks_machine_memo_free(pks_machine *m);
/* Python 2.7: the index of a key that is no plain number; add: make one when there is none (else
 * UINT64_MAX). No memory: m->fail. */
uint64_t pks_machine_memo_key(pks_machine *m, pks_span text, bool add);
/* The unshared LIST, DICT or BYTEARRAY at *slot gets a cell. */
pks_fail pks_machine_share(pks_machine *m, pks_value *slot);
/* State of a LIST, DICT or BYTEARRAY at *slot, in its cell or in the word itself. */
static inline uint64_t pks_machine_state(const pks_machine *m, pks_value v) {
  return pks_is_ref(v) ? *pks_segment_word(&m->cells, (size_t)pks_payload(v)) : pks_payload(v);
}
void pks_machine_set_state(pks_machine *m, pks_value *slot, uint64_t state);

/* values.c: tuples, kept texts. A tuple is 0 when the allocator returned no memory. */
pks_value pks_machine_make_tuple(pks_machine *m, const pks_value *items, size_t count);
pks_fail pks_machine_keep(pks_machine *m, const uint8_t *op, size_t size, uint64_t offset,
                          uint64_t *position);
/* A limit makes something unreadable at the opcode at `offset`; the first one is told. */
static inline void pks_machine_met_limit(pks_machine *m, pks_status limit, uint64_t offset) {
  if (m->limit) return;
  m->limit = limit;
  m->limit_offset = offset;
}
pks_fail pks_machine_hashable(pks_machine *m, pks_value v, uint64_t offset);

/* A view that goes into a container lives on, out of sight. */
void pks_machine_hold_all(pks_machine *m, const pks_value *items, const pks_value *end);
static inline void pks_machine_hold_views(pks_machine *m, const pks_value *items,
                                          const pks_value *end) {
  if (m->views) pks_machine_hold_all(m, items, end);
}

/* items.c, calls.c: opcodes that look at what they are given. m->top is the stack. */
pks_fail pks_machine_append(pks_machine *m, pks_value *target, int op, uint64_t offset);
pks_fail pks_machine_additems(pks_machine *m, pks_value *target, uint64_t offset);
pks_fail pks_machine_setitems(pks_machine *m, pks_value *target, int op, uint64_t offset);
pks_fail pks_machine_dict(pks_machine *m, pks_value *first, uint64_t offset);
pks_fail pks_machine_frozenset(pks_machine *m, pks_value *first, uint64_t offset);
pks_fail pks_machine_build(pks_machine *m, uint64_t offset);
pks_fail pks_machine_reduce(pks_machine *m, uint64_t offset);
pks_fail pks_machine_newobj(pks_machine *m, int op, uint64_t offset);
pks_fail pks_machine_obj(pks_machine *m, pks_value *first, uint64_t offset);
pks_fail pks_machine_inst(pks_machine *m, pks_value *first, const uint8_t *line, uint64_t offset);
/* find_class, with an eye on max_name. */
pks_value pks_machine_lookup(pks_machine *m, int op, pks_span module, pks_span name, bool certain,
                             uint64_t offset);
pks_fail pks_machine_global(pks_machine *m, const uint8_t *line, uint64_t offset);
pks_fail pks_machine_stack_global(pks_machine *m, uint64_t offset);
pks_fail pks_machine_persid(pks_machine *m, pks_value id, uint64_t offset);
pks_fail pks_machine_next_buffer(pks_machine *m, uint64_t offset);
pks_fail pks_machine_readonly_buffer(pks_machine *m, uint64_t offset);
pks_fail pks_machine_extension(pks_machine *m, int64_t code, uint64_t offset);

/* Underflow as Pdata_stack_underflow names it. */
static inline pks_fail pks_machine_underflow(const pks_machine *m) {
  return m->mark_count ? PKS_FAIL_MARK_FOUND : PKS_FAIL_STACK;
}
static inline void pks_machine_assume(pks_machine *m, pks_assume what, uint64_t offset) {
  m->hooks->assume(m, what, offset);
}

#endif
