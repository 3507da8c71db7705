/* judge.c - what two readings of a stream must have in common, and the shortest stream on which they
 * have not. */
#include "oracle.h"

#include <picklesight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the real reader must not be asked ----------------------------------------------------- */

#define MOST_INDEX ((int64_t)1 << 24)   /* CPython's memo is an array: 8 * 2 * index bytes */
#define MOST_BYTES ((uint64_t)64 << 20) /* bytes objects are allocated before they are read */
#define NO_MACHINE \
  ((uint64_t)1 << 40) /* a claim that is refused at once, whatever the machine has */

static bool is_put(uint8_t op) { return op == 'p' || op == 'q' || op == 'r'; }
static bool is_bytes(uint8_t op) { return op == 'B' || op == 'C' || op == 0x8e || op == 0x96; }

/* An index or a length that fits no 32 bits. */
static bool is_wide(const pks_op *op) {
  bool memo = is_put(op->byte) || op->byte == 'g' || op->byte == 'j';
  return memo && (op->number > INT32_MAX || op->number < INT32_MIN);
}

/* A buffered file makes an object of what it is asked for, and cannot when that is near 2^63. */
static bool is_past_file(const sample *s, uint64_t count) {
  bool file = how_readings[s->how.reading].kind == READ_FILE;
  return file && count > INT64_MAX - 4096 && count <= INT64_MAX;
}

/* The opcode at p is not whole: does it claim a length that is allocated before it is read? */
static bool claims_memory(const sample *s, const uint8_t *p, size_t size) {
  uint64_t claim = 0;
  bool wide = size >= 9 && (*p == 0x8d || *p == 0x8e || *p == 0x96);
  for (int i = wide ? 8 : size >= 5 && *p == 'B' ? 4 : 0; i; i--) claim = claim << 8 | p[i];
  if (wide && is_past_file(s, claim)) return true;
  return size && is_bytes(*p) && claim > MOST_BYTES && claim < NO_MACHINE;
}

/* Walks the opcodes that picklesight did, the one that failed too. */
static verdict would_allocate(const sample *s, uint64_t end, int64_t most_index, bool size32) {
  static pks_decoder *decoder;
  if (!decoder) decoder = ours_decoder(); /* it must read numbers as the reader does */
  pks_decoder_reset(decoder);
  pks_input in = {s->data.data, s->data.size, 0};
  for (;;) {
    pks_op op = {.size = sizeof op};
    size_t at = in.pos, left = in.size - in.pos;
    pks_status status = pks_decoder_next(decoder, &in, &op);
    if (status != PKS_OK) {
      return claims_memory(s, s->data.data + at, left) ? V_MEMORY : V_SAME;
    }
    if (op.offset > end) return V_SAME;
    if (size32 && is_wide(&op)) return V_MEMORY;
    if (op.byte == 0x95 && is_past_file(s, (uint64_t)op.number)) return V_MEMORY;
    if (is_put(op.byte) && op.number > most_index && op.number < MOST_INDEX * 32) return V_MEMORY;
    if (is_bytes(op.byte) && op.length > MOST_BYTES) return V_MEMORY;
  }
}

verdict judge_before(const reader *who, const sample *s, const reading *ours) {
  if (ours->limited) return V_LIMIT;
  return would_allocate(s, ours->at, MOST_INDEX, who->size32);
}

bool judge_costly(const sample *s) {
  return would_allocate(s, s->data.size, MOST_INDEX >> 7, false) != V_SAME;
}

/* ---- comparing -------------------------------------------------------------------------------------- */

static const uint8_t *past_name(const uint8_t *p) {
  uint32_t size =
      (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
  return p + 4 + size;
}

static bool same_trace(const bytes *ours, const bytes *real) {
  if (ours->size == real->size &&
      (ours->size == 0 || memcmp(ours->data, real->data, ours->size) == 0))
    return true;
  const uint8_t *a = ours->data, *a_end = a + ours->size;
  const uint8_t *b = real->data, *b_end = b + real->size;
  while (a < a_end && b < b_end) {
    size_t size = 1;
    if (*b == 'G') size = (size_t)(past_name(past_name(b + 1)) - b);
    if (*b == 'X') size = 5;
    if (*a == 'g' && *b == 'G') {
      a++;
    } else {
      if ((size_t)(a_end - a) < size || memcmp(a, b, size) != 0) return false;
      a += size;
    }
    b += size;
  }
  return a == a_end && b == b_end;
}

/* What PyPy's x.__new__(x, ...) says of an x that is no class may be of any class: none is named.
 * MemoryError is what is left of a refusal whose class depends on the machine (CPython allocates
 * before it reads); to a 32-bit build more numbers are too large. */
static bool same_exception(const reader *who, const char *ours, const char *real) {
  bool large = strcmp(real, "OverflowError") == 0 || strcmp(real, "IndexError") == 0;
  if (who->pypy && strcmp(ours, "E_OPERAND") == 0) return strcmp(real, "-") != 0;
  return strcmp(ours, real) == 0 || strcmp(ours, "MemoryError") == 0 ||
         strcmp(real, "MemoryError") == 0 || (who->size32 && large);
}

/* Tuples in tuples? */
static bool may_be_deep(const sample *s) {
  size_t count = 0;
  for (size_t i = 0; i < s->data.size; i++) {
    uint8_t byte = s->data.data[i];
    count += byte == 't' || (byte >= 0x85 && byte <= 0x87);
  }
  return count > 900;
}

verdict judge_after(const reader *who, const sample *s, const reading *ours, const reading *real) {
  /* WebAssembly's own stack, smaller than any other, ends the interpreter */
  if (real->crashed && who->size32 && may_be_deep(s)) return V_DEEP;
  if (real->crashed) return V_CRASH;
  if (!real->ok && strcmp(real->exception, "RecursionError") == 0) return V_DEEP;
  if (ours->ok == real->ok && ours->consumed == real->consumed &&
      same_exception(who, ours->exception, real->exception) &&
      same_trace(&ours->trace, &real->trace))
    return V_SAME;
  /* where bytes are lost, would_allocate walks other opcodes than were read */
  if (s->how.reading && strcmp(real->exception, "MemoryError") == 0) return V_MEMORY;
  return ours->unsure ? V_UNSURE : V_DIFFERENT;
}

/* ---- shortening ------------------------------------------------------------------------------------- */

static verdict judge(const reader *who, const sample *s) {
  static reading ours, real;
  ours_read(s, &ours);
  if (ours.foreign) return V_SAME;
  verdict v = judge_before(who, s, &ours);
  if (v != V_SAME) return v;
  who->read(&s, 1, &real);
  return judge_after(who, s, &ours, &real);
}

static bool without(const reader *who, sample *s, size_t at, size_t size) {
  static sample try;
  if (size == 0) return false;
  sample_copy(&try, s);
  bytes_replace(&try.data, at, size, NULL, 0);
  if (judge(who, &try) != V_DIFFERENT) return false;
  sample_copy(s, &try);
  return true;
}

/* Takes out opcodes, from the end: runs of them, then one at a time. */
static bool drop_opcodes(const reader *who, sample *s) {
  size_t *at, count = mutate_find(&s->data, &at);
  bool shorter = false;
  for (size_t run = count / 2 ? count / 2 : 1; run; run /= 2) {
    for (size_t end = count; end;) {
      size_t start = end > run ? end - run : 0;
      if (end <= count && without(who, s, at[start], at[end] - at[start])) {
        shorter = true;
        count = mutate_find(&s->data, &at);
      }
      end = start;
    }
  }
  return shorter;
}

/* Takes out bytes, from the end: pieces of every size. */
static bool drop_pieces(const reader *who, sample *s) {
  bool shorter = false;
  for (size_t size = s->data.size / 2 ? s->data.size / 2 : 1; size; size /= 2) {
    for (size_t at = s->data.size; at > 0;) {
      at = at > size ? at - size : 0;
      if (at + size <= s->data.size && without(who, s, at, size)) shorter = true;
    }
  }
  return shorter;
}

/* Options that do not matter become the plain ones. */
static void plain_options(const reader *who, sample *s) {
  static const how plain = {.buffers = -1, .persid = true};
  for (size_t i = 0; i < 6; i++) {
    how before = s->how;
    if (i == 0) s->how.encoding = plain.encoding;
    if (i == 1) s->how.errors = plain.errors;
    if (i == 2) s->how.buffers = plain.buffers;
    if (i == 3) s->how.persid = plain.persid;
    if (i == 4) s->how.extensions = plain.extensions;
    if (i == 5) s->how.reading = plain.reading;
    if (judge(who, s) != V_DIFFERENT) s->how = before;
  }
}

/* Bytes that do not matter become N (NONE) or a. */
static void plain_bytes(const reader *who, sample *s) {
  for (size_t i = 0; i < s->data.size && s->data.size < 4096; i++) {
    uint8_t before = s->data.data[i];
    if (before == 'N') continue;
    s->data.data[i] = 'N';
    if (judge(who, s) != V_DIFFERENT) s->data.data[i] = before;
  }
}

void judge_shrink(const reader *who, sample *s) {
  for (int round = 0; round < 8; round++) {
    bool shorter = drop_opcodes(who, s);
    if (!drop_pieces(who, s) && !shorter) break;
  }
  plain_options(who, s);
  plain_bytes(who, s);
  while (drop_pieces(who, s)) {}
}

/* ---- showing ---------------------------------------------------------------------------------------- */

static void print_hex(const uint8_t *data, size_t size) {
  for (size_t i = 0; i < size; i++) printf("%02x", data[i]);
}

static const uint8_t *print_name(const uint8_t *p) {
  const uint8_t *end = past_name(p);
  print_hex(p + 4, (size_t)(end - p) - 4);
  return end;
}

static void print_trace(const bytes *trace) {
  const uint8_t *p = trace->data, *end = p + trace->size;
  while (p < end) {
    uint8_t kind = *p++;
    printf(" %c", kind);
    if (kind == 'G') {
      p = print_name(p);
      putchar(':');
      p = print_name(p);
    }
    if (kind == 'X') {
      printf("%u",
             (unsigned)p[0] | (unsigned)p[1] << 8 | (unsigned)p[2] << 16 | (unsigned)p[3] << 24);
      p += 4;
    }
  }
}

static void print_reading(const char *who, const reading *r) {
  printf("  %-16s %s", who, r->crashed ? "(no answer)" : r->exception);
  if (r->ok) printf(" %llu", (unsigned long long)r->consumed);
  print_trace(&r->trace);
  putchar('\n');
}

static void print_row(const reader *who, const sample *s, const reading *real) {
  static const char *const kinds[] = {"cpython", "stream", "file"};
  size_t globals = 0, ids = 0;
  const uint8_t *p = real->trace.data, *end = p + real->trace.size;
  unsigned major = who->python >> 16, minor = who->python >> 8 & 0xff;
  const how_reading *from = &how_readings[s->how.reading];
  if (from->buffer) printf("  buffer of %u\n", from->buffer);
  printf("%s-%u.%u\t", kinds[from->kind], major, minor);
  print_hex(s->data.data, s->data.size);
  const char *encoding = how_encodings[s->how.encoding], *errors = how_errors[s->how.errors];
  printf("\t%s\t%s\t", encoding ? encoding : "", errors ? errors : "");
  if (s->how.buffers >= 0) printf("%d", s->how.buffers);
  printf("\t%d\ttype\t%d\t%s\t", s->how.persid, real->ok, real->exception);
  if (real->ok)
    printf("%llu\t", (unsigned long long)real->consumed);
  else
    printf("-\t");
  while (p < end) {
    uint8_t kind = *p++;
    if (kind == 'G') {
      if (globals++) putchar(',');
      p = print_name(p);
      putchar(':');
      p = print_name(p);
    }
    if (kind == 'X') p += 4;
    ids += kind == 'P';
  }
  printf("%s\t%zu\t\n", globals ? "" : "-", ids);
}

void judge_print(const reader *who, const sample *s, const reading *ours, const reading *real) {
  print_reading("picklesight", ours);
  print_reading(who->name, real);
  print_row(who, s, real);
  fflush(stdout);
}
