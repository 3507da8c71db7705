/* machine/run.c - the dispatch loop: one case per row of pickle_ops.def, made of an ARG_ and a DO_.
 *
 * Order inside an opcode is that of Modules/_pickle.c: read the argument, check the stack, parse the
 * argument; where C does otherwise (INST, PUT, PERSID) the DO_ says so. */
#include "machine/fast.h"

/* ---- the loop ---------------------------------------------------------------------------------- */

#define OFFSET(at) ((uint64_t)((uintptr_t)(at)-origin))
#define FAIL_WITH(id)     \
  do {                    \
    fail = PKS_FAIL_##id; \
    goto failed;          \
  } while (0)
#define CHECK(expression)                        \
  do {                                           \
    if ((fail = (expression)) != 0) goto failed; \
  } while (0)
/* Calls that see the machine: the stack pointer goes out before and comes back after. */
#define OUT(expression)    \
  do {                     \
    m->top = sp;           \
    fail = (expression);   \
    sp = m->top;           \
    if (fail) goto failed; \
  } while (0)
#define NEED(n)                                     \
  do {                                              \
    if ((size_t)(sp - floor) < (n)) goto underflow; \
  } while (0)
#define PUSH(value)                        \
  do {                                     \
    pks_value pushed = (value);            \
    if (sp == ceiling) {                   \
      m->top = sp;                         \
      if (!pks_machine_grow_stack(m)) {    \
        fail = pks_decode_fail_of(m->mem); \
        goto failed;                       \
      }                                    \
      sp = m->top;                         \
      ceiling = m->stack_end;              \
      floor = m->stack + m->fence;         \
    }                                      \
    *sp++ = pushed;                        \
  } while (0)
#define POP_MARK_TO(first)                                      \
  do {                                                          \
    if (m->mark_count == 0) FAIL_WITH(MARK);                    \
    (first) = m->stack + m->marks[--m->mark_count];             \
    m->fence = m->mark_count ? m->marks[m->mark_count - 1] : 0; \
    floor = m->stack + m->fence;                                \
  } while (0)
/* What is made of the items from `first` on takes the first one's place, also when there is none. */
#define ROOM_FOR_ONE                            \
  do {                                          \
    size_t height = (size_t)(first - m->stack); \
    PUSH(0);                                    \
    sp--;                                       \
    first = m->stack + height;                  \
  } while (0)

#define ROOM(n)                              \
  do {                                       \
    if ((size_t)(limit - p) < (size_t)(n)) { \
      wanted = (uint64_t)(n);                \
      goto cut;                              \
    }                                        \
    next = p + (n);                          \
  } while (0)
#define ARG_NONE next = p + 1
#define ARG_U1 \
  ROOM(2);     \
  number = p[1]
#define ARG_U2 \
  ROOM(3);     \
  number = pks_read2(p + 1)
#define ARG_U4 \
  ROOM(5);     \
  number = pks_read4(p + 1)
#define ARG_I4 \
  ROOM(5);     \
  number = (uint64_t)(int64_t)(int32_t)pks_read4(p + 1)
#define ARG_U8 \
  ROOM(9);     \
  number = pks_read8(p + 1)
#define ARG_F8 ROOM(9)
#define LINE_AFTER(from)                \
  do {                                  \
    next = newline_from((from), limit); \
    if (!next) {                        \
      wanted = 0;                       \
      goto cut;                         \
    }                                   \
  } while (0)
#define ARG_LINE LINE_AFTER(p + 1)
#define ARG_LINE2    \
  LINE_AFTER(p + 1); \
  LINE_AFTER(next)
#define COUNTED(head, count)                       \
  do {                                             \
    number = (count);                              \
    if (number > (size_t)(limit - p) - (head)) {   \
      wanted = number + (head);                    \
      goto cut_counted;                            \
    }                                              \
    text = (pks_span){p + (head), (size_t)number}; \
    next = text.data + text.size;                  \
  } while (0)
#define ARG_N1 \
  ROOM(2);     \
  COUNTED(2, p[1])
#define ARG_N4                                                        \
  ROOM(5);                                                            \
  if (op == PKS_OP_BINSTRING && pks_read4(p + 1) > INT32_MAX) {       \
    m->quirks |= PKS_QUIRK_COUNT;                                     \
    if (m->rules & PKS_RULE_SIGNED_STRING) FAIL_WITH(COUNT_NEGATIVE); \
  }                                                                   \
  COUNTED(5, pks_read4(p + 1))
#define ARG_N8                                                                        \
  ROOM(9);                                                                            \
  if (pks_read8(p + 1) > pks_decode_most_bytes(op, m->rules)) FAIL_WITH(COUNT_RANGE); \
  COUNTED(9, pks_read8(p + 1))
#define ARG_L1 \
  ROOM(2);     \
  COUNTED(2, p[1])
#define ARG_L4                                                 \
  ROOM(5);                                                     \
  if (pks_read4(p + 1) > INT32_MAX) FAIL_WITH(COUNT_NEGATIVE); \
  COUNTED(5, pks_read4(p + 1))

/* What mostly follows is tried before the dispatch: a branch that is foreseen costs less. */
#define THEN(NAME)                               \
  if (next != limit && *next == PKS_OP_##NAME) { \
    p = next;                                    \
    COUNT_OP;                                    \
    goto op_##NAME;                              \
  }

/* A MEMOIZE of `value`, which was just pushed and is no container: it is done right here. */
#define MEMOIZE_VALUE                                                   \
  if (next != limit && *next == PKS_OP_MEMOIZE) {                       \
    p = next++;                                                         \
    COUNT_OP;                                                           \
    seen |= 1u << 4;                                                    \
    if (m->memo_next != m->memo_stop)                                   \
      *m->memo_next++ = value;                                          \
    else                                                                \
      CHECK(pks_machine_memo_put(m, pks_machine_memo_count(m), value)); \
  }

#define DO_MARK                                                           \
  if (m->mark_count == m->mark_capacity) CHECK(pks_machine_push_mark(m)); \
  m->fence = (size_t)(sp - m->stack);                                     \
  floor = sp;                                                             \
  m->marks[m->mark_count++] = m->fence
#define DO_STOP \
  NEED(1);      \
  sp--;         \
  goto stopped
#define DO_POP                                                                 \
  if (m->mark_count && m->marks[m->mark_count - 1] == (size_t)(sp - m->stack)) \
    POP_MARK_TO(first);                                                        \
  else {                                                                       \
    NEED(1);                                                                   \
    sp--;                                                                      \
  }
#define DO_POP_MARK   \
  POP_MARK_TO(first); \
  sp = first
#define DO_DUP                                                      \
  NEED(1);                                                          \
  SHARE;                                                            \
  if (pks_kind(sp[-1]) == PKS_V_GLOBAL) m->hooks->again(m, sp[-1]); \
  PUSH(sp[-1])
#define DO_NONE PUSH(PKS_V_NONE)
#define DO_TRUE PUSH(PKS_V_TRUE)
#define DO_FALSE PUSH(PKS_V_FALSE)
#define DO_FLOAT PUSH(PKS_V_FLOAT)
#define DO_INT                                             \
  PUSH(pks_make(PKS_V_INT, number & 0xffffffffffffffull)); \
  THEN(BININT)
#define DO_LINE                                                              \
  CHECK(pks_machine_line_value(m, p, (size_t)(next - p), OFFSET(p), &kept)); \
  PUSH(kept)
#define DO_FLOAT_LINE           \
  if (plain_float(p + 1, next)) \
    PUSH(PKS_V_FLOAT);          \
  else {                        \
    DO_LINE;                    \
  }
#define DO_INT_LINE                                                    \
  if (p[1] != '0' && short_decimal(p + 1, next, limit, &parsed.value)) \
    PUSH(pks_make_int(parsed.value));                                  \
  else if (next - p == 4 && p[1] == '0' && (p[2] | 1) == '1')          \
    PUSH(p[2] == '1' ? PKS_V_TRUE : PKS_V_FALSE);                      \
  else {                                                               \
    DO_LINE;                                                           \
  }
#define DO_LONG_LINE                                 \
  if (plain_long(p + 1, next, limit, &parsed.value)) \
    PUSH(pks_make_int(parsed.value));                \
  else {                                             \
    DO_LINE;                                         \
  }
#define DO_STRING_LINE DO_LINE
#define DO_UNICODE_LINE DO_LINE
#define DO_LONG                                         \
  pks_decode_long_bytes(text.data, text.size, &parsed); \
  PUSH(pks_machine_number(&parsed))
/* Of a payload that lies whole a text is where it stands. */
#define TEXT_VALUE(kind)                                                             \
  value = pks_make((kind), OFFSET(p));                                               \
  if (!m->whole) {                                                                   \
    CHECK(pks_machine_kept_value(m, (unsigned)(value & 0xff), p, (size_t)(next - p), \
                                 (size_t)(limit - p), text.size, OFFSET(p), &kept)); \
    value = kept;                                                                    \
  }
#define DO_BYTES           \
  TEXT_VALUE(PKS_V_BYTES); \
  PUSH(value);             \
  MEMOIZE_VALUE
#define DO_BYTEARRAY PUSH(pks_make(PKS_V_BYTEARRAY, text.size))
#define DO_STRING                                                                    \
  CHECK(pks_machine_string_value(m, p, (size_t)(next - p), text, OFFSET(p), &kept)); \
  PUSH(kept)
#define DO_UNICODE                                                    \
  if (!is_ascii(text.data, text.size, (size_t)(limit - text.data)) && \
      !pks_base_utf8_valid(text.data, text.size, true))               \
    FAIL_WITH(UTF8);                                                  \
  TEXT_VALUE(PKS_V_STR | key_flag(text.data, text.size));             \
  PUSH(value);                                                        \
  MEMOIZE_VALUE
#define DO_EMPTY_TUPLE PUSH(pks_make(PKS_V_TUPLE | PKS_VF_DROPPED, 0))
#define DO_EMPTY_LIST            \
  PUSH(pks_make(PKS_V_LIST, 0)); \
  THEN(MEMOIZE)
#define DO_EMPTY_DICT                                      \
  PUSH(pks_make(PKS_V_DICT, OFFSET(p) & PKS_DICT_OFFSET)); \
  THEN(MEMOIZE)
#define DO_EMPTY_SET PUSH(PKS_V_SET)
#define DO_TUPLE_OF(n)                              \
  NEED(n);                                          \
  value = pks_machine_make_tuple(m, sp - (n), (n)); \
  if (!value) FAIL_WITH(ALLOC);                     \
  sp[-(n)] = value;                                 \
  sp -= (n)-1;                                      \
  MEMOIZE_VALUE
#define DO_TUPLE1 DO_TUPLE_OF(1)
#define DO_TUPLE2 DO_TUPLE_OF(2)
#define DO_TUPLE3 DO_TUPLE_OF(3)
#define DO_TUPLE                                                  \
  POP_MARK_TO(first);                                             \
  value = pks_machine_make_tuple(m, first, (size_t)(sp - first)); \
  if (!value) FAIL_WITH(ALLOC);                                   \
  sp = first;                                                     \
  PUSH(value);                                                    \
  MEMOIZE_VALUE
#define DO_LIST                                         \
  POP_MARK_TO(first);                                   \
  value = pks_make(PKS_V_LIST, (uint64_t)(sp - first)); \
  pks_machine_hold_views(m, first, sp);                 \
  sp = first;                                           \
  PUSH(value)
#define DO_DICT                              \
  POP_MARK_TO(first);                        \
  if ((sp - first) % 2) FAIL_WITH(ODD_DICT); \
  ROOM_FOR_ONE;                              \
  OUT(pks_machine_dict(m, first, OFFSET(p)))
#define DO_FROZENSET                               \
  POP_MARK_TO(first);                              \
  OUT(pks_machine_frozenset(m, first, OFFSET(p))); \
  sp = first;                                      \
  PUSH(PKS_V_FROZENSET)
/* A view that goes into a list is looked at; so is what is no list. */
#define LIST_GROWS(list, count, rest)                                             \
  if (!m->views && pks_kind(list) == PKS_V_LIST_REF)                              \
    *pks_segment_word(&m->cells, (size_t)pks_payload(list)) += (uint64_t)(count); \
  else if (!m->views && pks_kind(list) == PKS_V_LIST)                             \
    (list) += (uint64_t)(count) << 8;                                             \
  else                                                                            \
    rest
#define DO_APPEND                         \
  NEED(2);                                \
  LIST_GROWS(sp[-2], 1, goto append_one); \
  sp--
#define DO_APPENDS                                     \
  POP_MARK_TO(first);                                  \
  if (first <= floor) goto underflow;                  \
  LIST_GROWS(first[-1], sp - first, goto append_many); \
  sp = first
#define DO_ADDITEMS                   \
  POP_MARK_TO(first);                 \
  if (first <= floor) goto underflow; \
  OUT(pks_machine_additems(m, first - 1, OFFSET(p)))
#define DO_SETITEM \
  NEED(3);         \
  OUT(pks_machine_setitems(m, sp - 3, op, OFFSET(p)))
#define DO_SETITEMS                   \
  POP_MARK_TO(first);                 \
  if (first <= floor) goto underflow; \
  OUT(pks_machine_setitems(m, first - 1, op, OFFSET(p)))
#define DO_BUILD \
  NEED(2);       \
  OUT(pks_machine_build(m, OFFSET(p)))
#define DO_REDUCE \
  NEED(2);        \
  OUT(pks_machine_reduce(m, OFFSET(p)))
#define DO_NEWOBJ \
  NEED(2);        \
  OUT(pks_machine_newobj(m, op, OFFSET(p)))
#define DO_NEWOBJ_EX \
  NEED(3);           \
  OUT(pks_machine_newobj(m, op, OFFSET(p)))
#define DO_OBJ                     \
  POP_MARK_TO(first);              \
  if (sp == first) goto underflow; \
  OUT(pks_machine_obj(m, first, OFFSET(p)))
#define DO_INST       \
  POP_MARK_TO(first); \
  ROOM_FOR_ONE;       \
  OUT(pks_machine_inst(m, first, p + 1, OFFSET(p)))
#define DO_GLOBAL \
  PUSH(0);        \
  sp--;           \
  OUT(pks_machine_global(m, p + 1, OFFSET(p)))
#define DO_STACK_GLOBAL \
  NEED(2);              \
  OUT(pks_machine_stack_global(m, OFFSET(p)))
#define DO_PERSID                                                                     \
  if (m->persistent_load == PKS_ANSWER_NO) FAIL_WITH(NO_PERSID);                      \
  if (pks_base_ascii_prefix(p + 1, (size_t)(next - p) - 2) != (size_t)(next - p) - 2) \
    FAIL_WITH(PERSID_ASCII);                                                          \
  CHECK(text_value(m, PKS_V_STR, p, (size_t)(next - p), (size_t)(next - p),           \
                   (pks_span){p + 1, (size_t)(next - p) - 2}, OFFSET(p), &kept));     \
  PUSH(kept);                                                                         \
  OUT(pks_machine_persid(m, kept, OFFSET(p)))
#define DO_BINPERSID                                                             \
  if (m->persistent_load == PKS_ANSWER_NO && !(m->rules & PKS_RULE_PERSID_LATE)) \
    FAIL_WITH(NO_PERSID);                                                        \
  NEED(1);                                                                       \
  if (m->persistent_load == PKS_ANSWER_NO) FAIL_WITH(NO_PERSID);                 \
  OUT(pks_machine_persid(m, sp[-1], OFFSET(p)))
#define GET_AT(index)                                                                    \
  pks_value got = (index) < m->memo.words ? *pks_segment_word(&m->memo, (size_t)(index)) \
                                          : pks_machine_memo_get(m, (index));            \
  if (1u << pks_kind(got) & (1u << PKS_V_EMPTY | 1u << PKS_V_GLOBAL)) {                  \
    if (!got) got = pks_machine_memo_get(m, (index));                                    \
    if (!got) {                                                                          \
      if (m->rules & PKS_RULE_MEMO_KEYERROR)                                             \
        FAIL_WITH(MEMO_KEY);                                                             \
      else                                                                               \
        FAIL_WITH(MEMO);                                                                 \
    }                                                                                    \
    if (pks_kind(got) == PKS_V_GLOBAL) m->hooks->again(m, got);                          \
  }                                                                                      \
  PUSH(got)
#define DO_GET GET_AT(number)
#define DO_GET_LINE                                                           \
  if (!short_decimal(p + 1, next, limit, &parsed.value))                      \
    CHECK(pks_machine_index_line(m, p + 1, (size_t)(next - p) - 1, &parsed)); \
  GET_AT(parsed.value < 0 ? UINT64_MAX : (uint64_t)parsed.value)
/* What gets a second reference gets an identity. */
#define SHARE                                                   \
  if (pks_is_unshared(sp[-1])) {                                \
    if (m->cell_next != m->cell_stop) {                         \
      *m->cell_next++ = pks_payload(sp[-1]);                    \
      sp[-1] = pks_make(pks_kind(sp[-1]) + 3, m->cell_count++); \
    } else                                                      \
      CHECK(pks_machine_share(m, sp - 1));                      \
  }
/* Real picklers write entry after entry, so the next one has a short way. */
#define PUT_AT(index)                                                         \
  SHARE;                                                                      \
  if (m->memo_next != m->memo_stop && (index) == pks_machine_memo_count(m)) { \
    *m->memo_next++ = sp[-1];                                                 \
  } else                                                                      \
    CHECK(pks_machine_memo_put(m, (index), sp[-1]))
#define DO_PUT                                                                       \
  NEED(1);                                                                           \
  if (number > INT32_MAX && (m->rules & PKS_RULE_SIZE32)) FAIL_WITH(INDEX_NEGATIVE); \
  PUT_AT(number)
#define DO_PUT_LINE                                                           \
  if (next - p < 3) FAIL_WITH(EMPTY_LINE);                                    \
  NEED(1);                                                                    \
  if (!short_decimal(p + 1, next, limit, &parsed.value))                      \
    CHECK(pks_machine_index_line(m, p + 1, (size_t)(next - p) - 1, &parsed)); \
  if (parsed.value < 0) FAIL_WITH(INDEX_NEGATIVE);                            \
  PUT_AT((uint64_t)parsed.value)
#define DO_MEMOIZE /* index: how many are occupied, not highest + 1 */ \
  NEED(1);                                                             \
  SHARE;                                                               \
  if (m->memo_next != m->memo_stop)                                    \
    *m->memo_next++ = sp[-1];                                          \
  else                                                                 \
    CHECK(pks_machine_memo_put(m, pks_machine_memo_count(m), sp[-1]))
#define DO_PROTO                                                                        \
  if (number <= 5) seen |= 1u << number;                                                \
  if (number > 5 || (number > 4 && !(m->rules & PKS_RULE_PROTO5))) FAIL_WITH(PROTOCOL); \
  m->protocol = (int)number
#define DO_EXT     \
  PUSH(PKS_V_EXT); \
  OUT(pks_machine_extension(m, (int64_t)number, OFFSET(p)))
#define DO_FRAME                                                     \
  fail = pks_machine_frame(m, number, OFFSET(p), OFFSET(end), last); \
  if (fail == PKS_FAIL_COUNT) goto wait;                             \
  if (fail) goto failed;                                             \
  if (m->cut_drop) {                                                 \
    p = next;                                                        \
    goto done;                                                       \
  }                                                                  \
  limit = LIMIT_AT(next)
/* Where the loop must stop in the bytes from `at` on. */
#define LIMIT_AT(at) pks_machine_limit(m, OFFSET(at), (at), (size_t)(end - (at)))
/* The opcode at p, which needs `wanted` bytes, reads past the place where the loop must ask. */
#define PAST_STOP (wanted && m->stop > OFFSET(p) && wanted > m->stop - OFFSET(p))
#define DO_NEXT_BUFFER \
  PUSH(PKS_V_BUFFER);  \
  OUT(pks_machine_next_buffer(m, OFFSET(p)))
#define DO_READONLY_BUFFER \
  NEED(1);                 \
  OUT(pks_machine_readonly_buffer(m, OFFSET(p)))

/* To the opcode at p. Every opcode ends with its own jump: one shared jump would have to be predicted
 * from the whole history alone. Without labels as values, a switch does the same. */
#define COUNT_OP \
  if (__builtin_sub_overflow(ops_left, (uint64_t)1, &ops_left)) goto too_many
#if defined(__GNUC__) && !defined(PKS_SWITCH)
#define DISPATCH                        \
  do {                                  \
    COUNT_OP;                           \
    goto *(&&op_unknown + targets[*p]); \
  } while (0)
#define NEXT                                            \
  p = next;                                             \
  if (__builtin_expect(p == limit, 0)) goto window_end; \
  DISPATCH
#else
#define DISPATCH goto dispatch
#define NEXT goto window_end
#endif

/* Crossjumping would make one jump of the many again. */
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("no-crossjumping", "no-gcse")))
#endif
pks_status
pks_machine_run(pks_machine *m, const uint8_t *data, size_t size, bool last, size_t *used) {
  if (!m->stack && !pks_machine_grow_stack(m))
    pks_machine_fail_at(m, pks_decode_fail_of(m->mem), m->offset, -1, UINT64_MAX);
  const size_t skipped = m->skip.left ? pks_machine_skip_on(m, data, size, last) : 0;
  if (m->fail || m->skip.left) {
    *used = skipped;
    return pks_machine_ended(m);
  }
  const uint8_t *p = data + skipped, *next = p, *end = data + size, *limit = end;
  const uintptr_t origin = (uintptr_t)data - (uintptr_t)(m->offset - skipped);
  pks_value *sp = m->top, *floor = m->stack + m->fence, *first, value = 0, kept = 0;
  uint64_t number = 0, wanted = 0, ops_left = m->max_ops - m->ops;
  pks_span text = {NULL, 0};
  pks_number parsed;
  pks_fail fail = PKS_FAIL_NONE;
  pks_value *ceiling = m->stack_end;
  uint64_t stop;
  unsigned seen = m->seen_protocols;

#if defined(__GNUC__) && !defined(PKS_SWITCH)
  static const int32_t targets[256] = {
#define OP(byte, NAME, proto, argument, need, mark, pops, pushes, effect) \
  [byte] = (int32_t)(&&op_##NAME - &&op_unknown),
#include "decode/pickle_ops.def"
#undef OP
  };
#endif

  if (m->stop) limit = LIMIT_AT(p);

  goto window_end; /* which looks whether there is anything */

#define OP(byte, NAME, proto, argument, need, mark, pops, pushes, effect) \
  op_##NAME : {                                                           \
    const int op = (byte);                                                \
    (void)op;                                                             \
    if ((proto) > 0) seen |= 1u << (proto);                               \
    if ((proto) == 5 && !(m->rules & PKS_RULE_PROTO5)) goto op_unknown;   \
    ARG_##argument;                                                       \
    DO_##effect;                                                          \
    NEXT;                                                                 \
  }
#include "decode/pickle_ops.def"
#undef OP
append_one:
  first = sp - 1;
append_many:
  OUT(pks_machine_append(m, first - 1, *p, OFFSET(p)));
  NEXT;
op_unknown:
  FAIL_WITH(OPCODE);

window_end:
  p = next;
  if (p < limit) DISPATCH;
  if (limit != end) { /* the frame is done, or the file's buffer */
    limit = LIMIT_AT(p);
    DISPATCH;
  }
  m->want = (pks_want){.bytes = 1};
  if (!last) goto done;
  ops_left--;
  FAIL_WITH(EOF);

too_many:
  ops_left = UINT64_MAX; /* 0 again when the opcode is taken back */
  FAIL_WITH(OPS);

cut_counted:
  if (limit == end && !last && number > pks_machine_kept_size(m, *p) && !PAST_STOP) {
    /* It will not be kept: its bytes go by, and it is done when they all have come. */
    m->skip_offset = OFFSET(p);
    pks_decode_skip_start(&m->skip, *p, number, &m->strings);
    p += wanted - number;
    ops_left++;
    goto done;
  }
cut:
  ops_left++;
  if (limit != end || PAST_STOP) {
    stop = m->stop;
    fail = pks_machine_cross(m, p, (size_t)(end - p), OFFSET(p));
    if (fail) goto cut_failed;
    if (m->cut_drop) goto done;
    if (limit != end || m->stop != stop) { /* the same opcode once more */
      limit = m->stop == stop ? end : LIMIT_AT(p);
      next = p;
      goto window_end;
    }
  }
  m->want.bytes = wanted;
  m->want.line = wanted == 0;
  if (!last) goto done;
  fail = pks_decode_cut(p, (size_t)(end - p), m->rules);
cut_failed:
  if (*p == PKS_OP_INST && m->mark_count == 0) fail = PKS_FAIL_MARK; /* before it reads its lines */
  goto failed_before;

#if !defined(__GNUC__) || defined(PKS_SWITCH)
dispatch:
  COUNT_OP;
  switch (*p) {
#define OP(byte, NAME, proto, argument, need, mark, pops, pushes, effect) \
  case byte:                                                              \
    goto op_##NAME;
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
  ops_left++;  /* the opcode at fault is not done */
failed_before: /* it was not counted */
  pks_machine_fail_at(m, fail, OFFSET(p), p < end ? *p : -1, last ? OFFSET(end) : UINT64_MAX);

done:
  m->top = sp;
  m->ops = m->max_ops - ops_left;
  m->seen_protocols = seen;
  m->offset = OFFSET(p);
  *used = (size_t)(p - data);
  if (m->skip.left) *used += pks_machine_skip_on(m, p, (size_t)(end - p), false);
  return pks_machine_ended(m);
}
