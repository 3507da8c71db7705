/* machine/run.c - the dispatch loop: one case per row of pickle_ops.def, made of an ARG_ and a DO_.
 *
 * Order inside an opcode is that of Modules/_pickle.c: read the argument, check the stack, parse the
 * argument; where C does otherwise (INST, PUT, PERSID) the DO_ says so. */
#include "machine/machine.h"

/* ---- texts -------------------------------------------------------------------------------------- */

static inline bool is_ascii(const uint8_t *data, size_t size, size_t room) {
  uint64_t word, any = 0;
  if (size >= 8) {
    size_t i = 0;
    for (; size - i >= 8; i += 8) {
      memcpy(&word, data + i, 8);
      any |= word;
    }
    if (size != i) {
      memcpy(&word, data + size - 8, 8);
      any |= word;
    }
  } else if (room >= 8) {
    memcpy(&word, data, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    any = size ? word >> (64 - 8 * size) : 0;
#else
    any = size ? word << (64 - 8 * size) : 0;
#endif
  } else {
    for (size_t i = 0; i < size; i++) any |= data[i];
    return !(any & 0x80);
  }
  return !(any & 0x8080808080808080ull);
}

/* Keys whose values say what a payload carries: __dunder__, cloudpickle's "module", and the methods
 * that APPENDS and ADDITEMS call. */
static inline unsigned key_flag(const uint8_t *data, size_t size) {
  bool key = size > 4 && data[0] == '_' && data[1] == '_';
  if (size == 6)
    key = key || memcmp(data, "module", 6) == 0 || memcmp(data, "append", 6) == 0 ||
          memcmp(data, "extend", 6) == 0;
  if (size == 3) key = memcmp(data, "add", 3) == 0;
  return key ? PKS_VF_KEY : 0;
}

/* Copies a short opcode to where the kept texts end, 16 bytes at a time: `readable` bytes lie at p, and
 * the block has room for one step too many. */
static inline bool keep_short(pks_machine *m, const uint8_t *p, size_t size, size_t readable,
                              uint64_t *position) {
  size_t steps = (size + 15) & ~(size_t)15;
  if (size > 64 || steps > readable || steps > m->keep_left) return false;
  for (size_t i = 0; i < steps; i += 16) memcpy(m->keep_at + i, p + i, 16);
  *position = m->keep_used;
  m->keep_at += size;
  m->keep_left -= size;
  m->keep_used += size;
  m->keep_bytes += size;
  return true;
}

/* A STR or BYTES whose opcode is `size` bytes at p. */
static inline pks_fail text_value(pks_machine *m, unsigned kind, const uint8_t *p, size_t size,
                                  size_t readable, pks_span text, uint64_t offset,
                                  pks_value *out) {
  unsigned flags = kind == PKS_V_STR ? key_flag(text.data, text.size) : 0;
  if (m->whole) {
    *out = pks_make(kind | flags, offset);
    return PKS_FAIL_NONE;
  }
  uint64_t position = UINT64_MAX;
  pks_fail fail = PKS_FAIL_NONE;
  if (text.size > (kind == PKS_V_STR ? m->max_name : pks_machine_kept_size(m, *p))) {
    /* as if it had gone by */
  } else if (kind != PKS_V_STR || !keep_short(m, p, size, readable, &position))
    fail = pks_machine_keep(m, p, size, &position);
  *out = position == UINT64_MAX ? pks_make(kind | PKS_VF_UNREADABLE, 0)
                                : pks_make(kind | flags, position);
  return fail;
}

/* BINSTRING, SHORT_BINSTRING and STRING: text of Python 2. */
static pks_fail string_value(pks_machine *m, const uint8_t *p, size_t size, pks_span text,
                             uint64_t offset, pks_value *out) {
  bool escaped = *p == PKS_OP_STRING;
  pks_fail fail = pks_decode_string_check(&m->strings, m->rules, text, escaped);
  bool ascii = pks_decode_string_ascii(text, escaped);
  if (!ascii) m->hooks->encoding(m, offset);
  if (fail) return fail;
  if (!ascii && m->strings.encoding == PKS_ENCODING_UNKNOWN) {
    if (m->inert) return PKS_FAIL_ENCODING; /* the default is ASCII, strict */
    pks_machine_assume(m, PKS_ASSUME_ENCODING, offset);
  }
  unsigned kind = m->strings.encoding == PKS_ENCODING_BYTES ? PKS_V_BYTES : PKS_V_STR;
  fail = text_value(m, kind, p, size, size, text, offset, out);
  if (!ascii && kind == PKS_V_STR) *out |= PKS_VF_STRING;
  return fail;
}

static pks_fail line_value(pks_machine *m, const uint8_t *p, size_t size, uint64_t offset,
                           pks_value *out) {
  const uint8_t *line = p + 1;
  size_t line_size = size - 1;
  pks_number number;
  double real;
  pks_span inside;
  pks_fail fail;
  switch (*p) {
    case PKS_OP_INT:
      fail = pks_decode_int_line(line, line_size, m->rules, &number);
      if (!fail)
        *out = number.boolean ? (pks_value)(number.value ? PKS_V_TRUE : PKS_V_FALSE)
               : number.big   ? (pks_value)PKS_V_BIGINT
                              : pks_make_int(number.value);
      return fail;
    case PKS_OP_LONG:
      fail = pks_decode_long_line(line, line_size, m->rules, &number);
      if (!fail) *out = number.big ? (pks_value)PKS_V_BIGINT : pks_make_int(number.value);
      return fail;
    case PKS_OP_FLOAT: *out = PKS_V_FLOAT; return pks_decode_float_line(line, line_size, &real);
    case PKS_OP_STRING:
      fail = pks_decode_string_line(line, line_size, &inside);
      return fail ? fail : string_value(m, p, size, inside, offset, out);
    default: /* UNICODE */
      fail = pks_decode_unicode_line(line, line_size - 1);
      inside = (pks_span){line, line_size - 1};
      return fail ? fail : text_value(m, PKS_V_STR, p, size, size, inside, offset, out);
  }
}

/* ---- frames ------------------------------------------------------------------------------------ */

/* FRAME: are its bytes there? (load_frame) */
static pks_fail frame_start(pks_machine *m, uint64_t length, uint64_t offset, size_t left,
                            bool last) {
  uint64_t body = offset + 9;
  if (length > INT64_MAX) return PKS_FAIL_FRAME_SIZE;
  if (m->rules & PKS_RULE_FRAMES && m->frame_end > body) return PKS_FAIL_FRAME_NESTED;
  if (m->frame_end > body) m->ambiguous = true; /* frames that hold would refuse it */
  if (length > (uint64_t)INT64_MAX - body) return PKS_FAIL_READ_OVERFLOW;
  if (length > left) {
    if (last) return PKS_FAIL_FRAME_SHORT;
    if (length <= m->max_frame) {
      m->want = (pks_want){.bytes = length + 9};
      return PKS_FAIL_COUNT; /* not a failure: come again with all of it */
    }
  }
  m->frame_end = body + length;
  if (m->unseen_end <= offset) m->unseen_end = 0; /* that one was whole */
  if (length <= left) return PKS_FAIL_NONE;
  if (!m->unseen_end) {
    m->unseen_end = m->frame_end;
    m->unseen_offset = offset;
  } else if (m->frame_end > m->unseen_end && !m->limit) {
    m->limit = PKS_E_LIMIT_FRAME; /* one of two is watched */
  }
  return PKS_FAIL_NONE;
}

/* Does a read of the opcode at p start inside the frame and end outside? One that starts right at
 * the frame's end does not (opcode in the frame, its argument after it). */
static bool crosses_frame(const uint8_t *p, const uint8_t *limit) {
  size_t room = (size_t)(limit - p), head = 0;
  if (room == 1) return false;
  switch ((pks_arg)pks_decode_ops[*p].argument) {
    case PKS_ARG_N1:
    case PKS_ARG_L1: head = 2; break;
    case PKS_ARG_N4:
    case PKS_ARG_L4: head = 5; break;
    case PKS_ARG_N8: head = 9; break;
    case PKS_ARG_LINE2: return memchr(p + 1, '\n', room - 1) != p + room - 1;
    case PKS_ARG_NONE:
    case PKS_ARG_U1:
    case PKS_ARG_U2:
    case PKS_ARG_U4:
    case PKS_ARG_U8:
    case PKS_ARG_I4:
    case PKS_ARG_F8:
    case PKS_ARG_LINE: break;
  }
  return room != head;
}

/* ---- lines ---------------------------------------------------------------------------------------- */

#define ONES 0x0101010101010101ull

/* Just after the next newline, or NULL. Most lines are short, so the first 16 bytes are looked at in
 * words before memchr is asked. */
static inline const uint8_t *newline_from(const uint8_t *from, const uint8_t *limit) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (int i = 0; i < 2 && limit - from >= 8; i++, from += 8) {
    uint64_t word;
    memcpy(&word, from, 8);
    word ^= ONES * '\n';
    uint64_t found = (word - ONES) & ~word & (ONES << 7);
    if (found) return from + (__builtin_ctzll(found) >> 3) + 1;
  }
#endif
  from = from < limit ? memchr(from, '\n', (size_t)(limit - from)) : NULL;
  return from ? from + 1 : NULL;
}

/* The line from `from` to `next` (just after its newline) as 1 to 8 decimal digits and nothing else;
 * what it means is then the same to every reader. */
static inline bool short_decimal(const uint8_t *from, const uint8_t *next, const uint8_t *limit,
                                 int64_t *value) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  size_t count = (size_t)(next - from) - 1;
  uint64_t word;
  if (count - 1 > 7 || limit - from < 8) return false;
  memcpy(&word, from, 8);
  word = count == 8 ? word : word << (64 - 8 * count) | (ONES * '0') >> (8 * count);
  if (((word - ONES * '0') | (word + ONES * 0x46)) & (ONES << 7)) return false;
  word -= ONES * '0';
  word = word * 10 + (word >> 8); /* pairs, then fours, then all eight digits */
  *value = (int64_t)((((word & 0x000000ff000000ffull) * 0x000f424000000064ull) +
                      ((word >> 16 & 0x000000ff000000ffull) * 0x0000271000000001ull)) >> 32);
  return true;
#else
  (void)from, (void)next, (void)limit, (void)value;
  return false;
#endif
}

/* A FLOAT line that every reader takes: digits, at most one point, no exponent, and short. */
static inline bool plain_float(const uint8_t *from, const uint8_t *next) {
  const uint8_t *end = next - 1;
  if (from < end && *from == '-') from++;
  unsigned points = 0;
  if (end - from > 40 || end == from) return false;
  for (; from < end; from++) {
    points += *from == '.';
    if (*from != '.' && (*from < '0' || *from > '9')) return false;
  }
  return points == 0 || (points == 1 && end[-1] != '.');
}

/* ---- the loop ---------------------------------------------------------------------------------- */

#define OFFSET(at) (start + (uint64_t)((at)-data))
#define FAIL_WITH(id)        \
  do {                       \
    fail = PKS_FAIL_##id;    \
    goto failed;             \
  } while (0)
#define CHECK(expression)              \
  do {                                 \
    if ((fail = (expression)) != 0) goto failed; \
  } while (0)
/* Calls that see the machine: the stack pointer goes out before and comes back after. */
#define OUT(expression)                \
  do {                                 \
    m->top = sp;                       \
    SAVE_MEMO;                         \
    fail = (expression);               \
    sp = m->top;                       \
    if (fail) goto failed;             \
  } while (0)
/* The memo's height lives in a local while entries follow one another (`dense`). */
#define SAVE_MEMO                      \
  do {                                 \
    if (dense) m->memo_count = m->memo_high = high; \
  } while (0)
#define LOAD_MEMO                      \
  do {                                 \
    high = m->memo_high;               \
    room = m->memo.words;              \
    dense = m->memo_count == high && !m->sparse_count; \
  } while (0)
#define NEED(n)                        \
  do {                                 \
    if ((size_t)(sp - floor) < (n)) goto underflow; \
  } while (0)
#define PUSH(value)                    \
  do {                                 \
    pks_value pushed = (value);        \
    if (sp == ceiling) {               \
      m->top = sp;                     \
      if (!pks_machine_grow_stack(m)) { \
        fail = pks_decode_fail_of(m->mem); \
        goto failed;                   \
      }                                \
      sp = m->top;                     \
      ceiling = m->stack_end;          \
      floor = m->stack + m->fence;     \
    }                                  \
    *sp++ = pushed;                    \
  } while (0)
#define POP_MARK_TO(first)             \
  do {                                 \
    if (m->mark_count == 0) FAIL_WITH(MARK); \
    (first) = m->stack + m->marks[--m->mark_count]; \
    m->fence = m->mark_count ? m->marks[m->mark_count - 1] : 0; \
    floor = m->stack + m->fence;       \
  } while (0)
/* What is made of the items from `first` on takes the first one's place, also when there is none. */
#define ROOM_FOR_ONE                   \
  do {                                 \
    size_t height = (size_t)(first - m->stack); \
    PUSH(0);                           \
    sp--;                              \
    first = m->stack + height;         \
  } while (0)

#define ROOM(n)                        \
  do {                                 \
    if ((size_t)(limit - p) < (size_t)(n)) { wanted = (uint64_t)(n); goto cut; } \
    next = p + (n);                    \
  } while (0)
#define ARG_NONE next = p + 1
#define ARG_U1 ROOM(2); number = p[1]
#define ARG_U2 ROOM(3); number = pks_read2(p + 1)
#define ARG_U4 ROOM(5); number = pks_read4(p + 1)
#define ARG_I4 ROOM(5); number = (uint64_t)(int64_t)(int32_t)pks_read4(p + 1)
#define ARG_U8 ROOM(9); number = pks_read8(p + 1)
#define ARG_F8 ROOM(9)
#define LINE_AFTER(from)               \
  do {                                 \
    next = newline_from((from), limit); \
    if (!next) { wanted = 0; goto cut; } \
  } while (0)
#define ARG_LINE LINE_AFTER(p + 1)
#define ARG_LINE2 LINE_AFTER(p + 1); LINE_AFTER(next)
#define COUNTED(head, count)           \
  do {                                 \
    number = (count);                  \
    if (number > (size_t)(limit - p) - (head)) { wanted = number + (head); goto cut_counted; } \
    text = (pks_span){p + (head), (size_t)number}; \
    next = text.data + text.size;      \
  } while (0)
#define ARG_N1 ROOM(2); COUNTED(2, p[1])
#define ARG_N4                         \
  ROOM(5);                             \
  if (op == PKS_OP_BINSTRING && (m->rules & PKS_RULE_SIGNED_STRING) && pks_read4(p + 1) > INT32_MAX) \
    FAIL_WITH(COUNT_NEGATIVE);         \
  COUNTED(5, pks_read4(p + 1))
#define ARG_N8                         \
  ROOM(9);                             \
  if (pks_read8(p + 1) > pks_decode_most_bytes(op, m->rules)) FAIL_WITH(COUNT_RANGE); \
  COUNTED(9, pks_read8(p + 1))
#define ARG_L1 ROOM(2); COUNTED(2, p[1])
#define ARG_L4                         \
  ROOM(5);                             \
  if (pks_read4(p + 1) > INT32_MAX) FAIL_WITH(COUNT_NEGATIVE); \
  COUNTED(5, pks_read4(p + 1))

#define DO_MARK                        \
  if (m->mark_count == m->mark_capacity) CHECK(pks_machine_push_mark(m)); \
  m->fence = (size_t)(sp - m->stack);  \
  floor = sp;                          \
  m->marks[m->mark_count++] = m->fence
#define DO_STOP NEED(1); sp--; goto stopped
#define DO_POP                         \
  if (m->mark_count && m->marks[m->mark_count - 1] == (size_t)(sp - m->stack)) POP_MARK_TO(first); \
  else { NEED(1); sp--; }
#define DO_POP_MARK POP_MARK_TO(first); sp = first
#define DO_DUP                         \
  NEED(1);                             \
  SHARE;                               \
  if (pks_kind(sp[-1]) == PKS_V_GLOBAL) m->hooks->again(m, sp[-1]); \
  PUSH(sp[-1])
#define DO_NONE PUSH(PKS_V_NONE)
#define DO_TRUE PUSH(PKS_V_TRUE)
#define DO_FALSE PUSH(PKS_V_FALSE)
#define DO_FLOAT PUSH(PKS_V_FLOAT)
#define DO_INT PUSH(pks_make(PKS_V_INT, number & 0xffffffffffffffull))
#define DO_LINE CHECK(line_value(m, p, (size_t)(next - p), OFFSET(p), &value)); PUSH(value)
#define DO_FLOAT_LINE                  \
  if (plain_float(p + 1, next)) PUSH(PKS_V_FLOAT); \
  else { DO_LINE; }
#define DO_INT_LINE                    \
  if (p[1] != '0' && next - p > 3 && short_decimal(p + 1, next, limit, &parsed.value)) \
    PUSH(pks_make_int(parsed.value));  \
  else { DO_LINE; }
#define DO_LONG_LINE DO_LINE
#define DO_STRING_LINE DO_LINE
#define DO_UNICODE_LINE DO_LINE
#define DO_LONG                        \
  pks_decode_long_bytes(text.data, text.size, &parsed); \
  PUSH(parsed.big ? (pks_value)PKS_V_BIGINT : pks_make_int(parsed.value))
#define DO_BYTES                       \
  CHECK(text_value(m, PKS_V_BYTES, p, (size_t)(next - p), (size_t)(limit - p), text, OFFSET(p), \
                   &value)); \
  PUSH(value)
#define DO_BYTEARRAY PUSH(pks_make(PKS_V_BYTEARRAY, text.size))
#define DO_STRING                      \
  CHECK(string_value(m, p, (size_t)(next - p), text, OFFSET(p), &value)); \
  PUSH(value)
#define DO_UNICODE                     \
  if (!is_ascii(text.data, text.size, (size_t)(limit - text.data)) && \
      !pks_base_utf8_valid(text.data, text.size, true)) \
    FAIL_WITH(UTF8);                   \
  CHECK(text_value(m, PKS_V_STR, p, (size_t)(next - p), (size_t)(limit - p), text, OFFSET(p), \
                   &value)); \
  PUSH(value)
#define DO_EMPTY_TUPLE PUSH(pks_make(PKS_V_TUPLE | PKS_VF_DROPPED, 0))
#define DO_EMPTY_LIST PUSH(pks_make(PKS_V_LIST, 0))
#define DO_EMPTY_DICT PUSH(pks_make(PKS_V_DICT, OFFSET(p) & PKS_DICT_OFFSET))
#define DO_EMPTY_SET PUSH(PKS_V_SET)
#define DO_TUPLE_OF(n)                 \
  NEED(n);                             \
  value = pks_machine_make_tuple(m, sp - (n), (n)); \
  if (!value) FAIL_WITH(ALLOC);        \
  sp[-(n)] = value;                    \
  sp -= (n)-1
#define DO_TUPLE1 DO_TUPLE_OF(1)
#define DO_TUPLE2 DO_TUPLE_OF(2)
#define DO_TUPLE3 DO_TUPLE_OF(3)
#define DO_TUPLE                       \
  POP_MARK_TO(first);                  \
  value = pks_machine_make_tuple(m, first, (size_t)(sp - first)); \
  if (!value) FAIL_WITH(ALLOC);        \
  sp = first;                          \
  PUSH(value)
#define DO_LIST                        \
  POP_MARK_TO(first);                  \
  value = pks_make(PKS_V_LIST, (uint64_t)(sp - first)); \
  if (m->views) pks_machine_hold_views(m, first, sp); \
  sp = first;                          \
  PUSH(value)
#define DO_DICT                        \
  POP_MARK_TO(first);                  \
  if ((sp - first) % 2) FAIL_WITH(ODD_DICT); \
  ROOM_FOR_ONE;                        \
  OUT(pks_machine_dict(m, first, OFFSET(p)))
#define DO_FROZENSET                   \
  POP_MARK_TO(first);                  \
  OUT(pks_machine_frozenset(m, first, OFFSET(p))); \
  sp = first;                          \
  PUSH(PKS_V_FROZENSET)
#define DO_APPEND                      \
  NEED(2);                             \
  if (pks_kind(sp[-2]) == PKS_V_LIST && pks_kind(sp[-1]) != PKS_V_VIEW) { sp[-2] += 1 << 8; sp--; } \
  else OUT(pks_machine_append(m, sp - 2, op, OFFSET(p)))
#define DO_APPENDS                     \
  POP_MARK_TO(first);                  \
  if (first <= floor) goto underflow;  \
  if (pks_kind(first[-1]) == PKS_V_LIST && !m->views) { first[-1] += (uint64_t)(sp - first) << 8; sp = first; } \
  else OUT(pks_machine_append(m, first - 1, op, OFFSET(p)))
#define DO_ADDITEMS                    \
  POP_MARK_TO(first);                  \
  if (first <= floor) goto underflow;  \
  OUT(pks_machine_additems(m, first - 1, OFFSET(p)))
#define DO_SETITEM NEED(3); OUT(pks_machine_setitems(m, sp - 3, op, OFFSET(p)))
#define DO_SETITEMS                    \
  POP_MARK_TO(first);                  \
  if (first <= floor) goto underflow;  \
  OUT(pks_machine_setitems(m, first - 1, op, OFFSET(p)))
#define DO_BUILD NEED(2); OUT(pks_machine_build(m, OFFSET(p)))
#define DO_REDUCE NEED(2); OUT(pks_machine_reduce(m, OFFSET(p)))
#define DO_NEWOBJ NEED(2); OUT(pks_machine_newobj(m, op, OFFSET(p)))
#define DO_NEWOBJ_EX NEED(3); OUT(pks_machine_newobj(m, op, OFFSET(p)))
#define DO_OBJ                         \
  POP_MARK_TO(first);                  \
  if (sp == first) goto underflow;     \
  OUT(pks_machine_obj(m, first, OFFSET(p)))
#define DO_INST                        \
  POP_MARK_TO(first);                  \
  ROOM_FOR_ONE;                        \
  OUT(pks_machine_inst(m, first, p + 1, OFFSET(p)))
#define DO_GLOBAL                      \
  PUSH(0);                             \
  sp--;                                \
  OUT(pks_machine_global(m, p + 1, OFFSET(p)))
#define DO_STACK_GLOBAL NEED(2); OUT(pks_machine_stack_global(m, OFFSET(p)))
#define DO_PERSID                      \
  if (m->persistent_load == PKS_ANSWER_NO) FAIL_WITH(NO_PERSID); \
  if (pks_base_ascii_prefix(p + 1, (size_t)(next - p) - 2) != (size_t)(next - p) - 2) \
    FAIL_WITH(PERSID_ASCII);           \
  CHECK(text_value(m, PKS_V_STR, p, (size_t)(next - p), (size_t)(next - p), (pks_span){p + 1, (size_t)(next - p) - 2}, \
                   OFFSET(p), &value)); \
  PUSH(value);                         \
  OUT(pks_machine_persid(m, value, OFFSET(p)))
#define DO_BINPERSID                   \
  if (m->persistent_load == PKS_ANSWER_NO && !(m->rules & PKS_RULE_PERSID_LATE)) \
    FAIL_WITH(NO_PERSID);              \
  NEED(1);                             \
  if (m->persistent_load == PKS_ANSWER_NO) FAIL_WITH(NO_PERSID); \
  OUT(pks_machine_persid(m, sp[-1], OFFSET(p)))
#define GET_AT(index)                  \
  if ((index) < high) value = *pks_segment_word(&m->memo, (size_t)(index)); \
  else { SAVE_MEMO; value = pks_machine_memo_get(m, (index)); } \
  if (!value) { if (m->rules & PKS_RULE_MEMO_KEYERROR) FAIL_WITH(MEMO_KEY); else FAIL_WITH(MEMO); } \
  if (pks_kind(value) == PKS_V_GLOBAL) m->hooks->again(m, value); \
  PUSH(value)
#define DO_GET GET_AT(number)
#define DO_GET_LINE                    \
  if (!short_decimal(p + 1, next, limit, &parsed.value)) CHECK(pks_decode_index_line(p + 1, (size_t)(next - p) - 1, m->rules, &parsed)); \
  GET_AT(parsed.value < 0 ? UINT64_MAX : (uint64_t)parsed.value)
/* What gets a second reference gets an identity. */
#define SHARE if (pks_is_unshared(sp[-1])) CHECK(pks_machine_share(m, sp - 1))
/* Real picklers write entry after entry, so the next one has a short way. */
#define PUT_AT(index)                  \
  SHARE;                               \
  if (dense && (index) == high && high < room) { \
    *pks_segment_word(&m->memo, high++) = sp[-1]; \
  } else {                             \
    SAVE_MEMO;                         \
    CHECK(pks_machine_memo_put(m, (index), sp[-1])); \
    LOAD_MEMO;                         \
  }
#define DO_PUT                         \
  NEED(1);                             \
  if (number > INT32_MAX && (m->rules & PKS_RULE_SIZE32)) FAIL_WITH(INDEX_NEGATIVE); \
  PUT_AT(number)
#define DO_PUT_LINE                    \
  if (next - p < 3) FAIL_WITH(EMPTY_LINE); \
  NEED(1);                             \
  if (!short_decimal(p + 1, next, limit, &parsed.value)) CHECK(pks_decode_index_line(p + 1, (size_t)(next - p) - 1, m->rules, &parsed)); \
  if (parsed.value < 0) FAIL_WITH(INDEX_NEGATIVE); \
  PUT_AT((uint64_t)parsed.value)
#define DO_MEMOIZE /* index: how many are occupied, not highest + 1 */ \
  NEED(1);                             \
  number = dense ? high : m->memo_count; \
  PUT_AT(number)
#define DO_PROTO                       \
  if (number <= 5) seen |= 1u << number; \
  if (number > 5 || (number > 4 && !(m->rules & PKS_RULE_PROTO5))) FAIL_WITH(PROTOCOL); \
  m->protocol = (int)number
#define DO_EXT                         \
  PUSH(PKS_V_EXT);                     \
  OUT(pks_machine_extension(m, (int64_t)number, OFFSET(p)))
#define DO_FRAME                       \
  fail = frame_start(m, number, OFFSET(p), (size_t)(end - next), last); \
  if (fail == PKS_FAIL_COUNT) goto wait; \
  if (fail) goto failed;               \
  limit = m->frame_end - OFFSET(data) < size ? data + (m->frame_end - OFFSET(data)) : end
#define DO_NEXT_BUFFER                 \
  PUSH(PKS_V_BUFFER);                  \
  OUT(pks_machine_next_buffer(m, OFFSET(p)))
#define DO_READONLY_BUFFER NEED(1); OUT(pks_machine_readonly_buffer(m, OFFSET(p)))

/* To the opcode at p. Every opcode ends with its own jump: one shared jump would have to be predicted
 * from the whole history alone. Without labels as values, a switch does the same. */
#define COUNT_OP                       \
  if (__builtin_sub_overflow(ops_left, (uint64_t)1, &ops_left)) goto too_many
#if defined(__GNUC__) && !defined(PKS_SWITCH)
#define DISPATCH                       \
  do {                                 \
    op = *p;                           \
    COUNT_OP;                          \
    goto *(&&op_unknown + targets[op]); \
  } while (0)
#define NEXT                           \
  p = next;                            \
  if (__builtin_expect(p == limit, 0)) goto window_end; \
  DISPATCH
#else
#define DISPATCH goto dispatch
#define NEXT goto window_end
#endif

pks_status pks_machine_run(pks_machine *m, const uint8_t *data, size_t size, bool last,
                           size_t *used) {
  if (!m->stack && !pks_machine_grow_stack(m))
    pks_machine_fail_at(m, pks_decode_fail_of(m->mem), m->offset, -1, UINT64_MAX);
  const size_t skipped = m->skip.left ? pks_machine_skip_on(m, data, size, last) : 0;
  if (m->fail || m->skip.left) {
    *used = skipped;
    return pks_machine_ended(m);
  }
  const uint8_t *p = data + skipped, *next = p, *end = data + size, *limit = end;
  const uint64_t start = m->offset - skipped;
  pks_value *sp = m->top, *floor = m->stack + m->fence, *first, value = 0;
  uint64_t number = 0, wanted = 0, ops_left = m->max_ops - m->ops;
  pks_span text = {NULL, 0};
  pks_number parsed;
  pks_fail fail = PKS_FAIL_NONE;
  pks_value *ceiling = m->stack_end;
  size_t high, room;
  bool dense;
  int op = -1;
  unsigned seen = m->seen_protocols;

#if defined(__GNUC__) && !defined(PKS_SWITCH)
  static const int32_t targets[256] = {
#define OP(byte, NAME, proto, argument, need, mark, pops, pushes, effect) \
  [byte] = (int32_t)(&&op_##NAME - &&op_unknown),
#include "decode/pickle_ops.def"
#undef OP
  };
#endif

  LOAD_MEMO;
  if (m->frame_end > m->offset && m->frame_end - start < size)
    limit = data + (m->frame_end - start);

  goto window_end; /* which looks whether there is anything */

#define OP(byte, NAME, proto, argument, need, mark, pops, pushes, effect) \
  op_##NAME : {                                                         \
    if ((proto) > 0) seen |= 1u << (proto);                             \
    if ((proto) == 5 && !(m->rules & PKS_RULE_PROTO5)) goto op_unknown; \
    ARG_##argument;                                                     \
    DO_##effect;                                                        \
    NEXT;                                                               \
  }
#include "decode/pickle_ops.def"
#undef OP
op_unknown:
  FAIL_WITH(OPCODE);

window_end:
  p = next;
  if (p < limit) DISPATCH;
  if (limit != end) { /* the frame is done */
    limit = end;
    DISPATCH;
  }
  m->want = (pks_want){.bytes = 1};
  if (!last) goto done;
  op = -1;
  ops_left--;
  FAIL_WITH(EOF);

too_many:
  ops_left = UINT64_MAX; /* 0 again when the opcode is taken back */
  FAIL_WITH(OPS);

cut_counted:
  if (limit == end && !last && number > pks_machine_kept_size(m, op)) {
    /* It will not be kept: its bytes go by, and it is done when they all have come. */
    m->skip_offset = OFFSET(p);
    pks_decode_skip_start(&m->skip, op, number);
    p += wanted - number;
    ops_left++;
    goto done;
  }
cut:
  ops_left++;
  if (limit != end) { /* the same opcode once more, with all the bytes there are */
    if (crosses_frame(p, limit)) {
      if (m->rules & PKS_RULE_FRAMES) {
        ops_left--;
        FAIL_WITH(FRAME_CROSSED);
      }
      m->ambiguous = true;
    }
    limit = end;
    next = p;
    goto window_end;
  }
  m->want = wanted ? (pks_want){.bytes = wanted} : (pks_want){.line = true};
  if (!last) goto done;
  ops_left--;
  fail = pks_decode_cut(p, (size_t)(end - p), m->rules);
  goto failed;

#if !defined(__GNUC__) || defined(PKS_SWITCH)
dispatch:
  op = *p;
  COUNT_OP;
  switch (op) {
#define OP(byte, NAME, proto, argument, need, mark, pops, pushes, effect) \
  case byte: goto op_##NAME;
#include "decode/pickle_ops.def"
#undef OP
    default: goto op_unknown;
  }
#endif

wait:
  ops_left++;
  goto done;

stopped:
  m->stopped = true;
  p = next;
  goto done;

underflow:
  m->top = sp;
  fail = pks_machine_underflow(m);
failed:
  ops_left++; /* the opcode at fault is not done */
  pks_machine_fail_at(m, fail, OFFSET(p), op, last ? OFFSET(end) : UINT64_MAX);

done:
  m->top = sp;
  SAVE_MEMO;
  m->ops = m->max_ops - ops_left;
  m->seen_protocols = seen;
  m->offset = OFFSET(p);
  *used = (size_t)(p - data);
  if (m->skip.left) *used += pks_machine_skip_on(m, p, (size_t)(end - p), false);
  return pks_machine_ended(m);
}
