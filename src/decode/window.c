/* decode/window.c - an opcode's size, and the bytes of one that is not whole yet. */
#include "base/utf8.h"
#include "decode/decode.h"

static size_t ask(pks_want *want, uint64_t bytes) {
  want->bytes = bytes;
  want->line = false;
  return 0;
}

static size_t ask_line(pks_want *want) {
  want->bytes = 0;
  want->line = true;
  return 0;
}

/* Header of `head` bytes, then `count` more. */
static size_t counted(const uint8_t *p, size_t size, size_t head, uint32_t rules, pks_want *want,
                      pks_fail *fail) {
  uint64_t count = 0;
  if (size < head) return ask(want, head);
  if (head == 2) count = p[1];
  if (head == 5) count = pks_read4(p + 1);
  if (head == 9) count = pks_read8(p + 1);
  if (count > pks_decode_most_bytes(*p, rules)) {
    *fail = PKS_FAIL_COUNT_RANGE;
    return 0;
  }
  if (count > size - head) return ask(want, count + head);
  return (size_t)count + head;
}

static size_t lines(const uint8_t *p, size_t size, int count, pks_want *want) {
  const uint8_t *at = p + 1, *end = p + size;
  for (; count; count--) {
    at = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    if (!at) return ask_line(want);
    at++;
  }
  return (size_t)(at - p);
}

size_t pks_decode_op_size(const uint8_t *p, size_t size, uint32_t rules, pks_want *want,
                          pks_fail *fail) {
  static const uint8_t fixed[] = {
      [PKS_ARG_NONE] = 1, [PKS_ARG_U1] = 2, [PKS_ARG_U2] = 3, [PKS_ARG_U4] = 5,
      [PKS_ARG_U8] = 9,   [PKS_ARG_I4] = 5, [PKS_ARG_F8] = 9};
  *fail = PKS_FAIL_NONE;
  if (size == 0) return ask(want, 1);
  const pks_op_info *info = &pks_decode_ops[*p];
  if (!info->name || !pks_decode_knows(rules, info->protocol)) {
    *fail = *p == 0 && rules & PKS_RULE_CPICKLE ? PKS_FAIL_ZERO : PKS_FAIL_OPCODE;
    return 0;
  }
  switch ((pks_arg)info->argument) {
    case PKS_ARG_LINE: return lines(p, size, 1, want);
    case PKS_ARG_LINE2: return lines(p, size, 2, want);
    case PKS_ARG_N1:
    case PKS_ARG_L1: return counted(p, size, 2, rules, want, fail);
    case PKS_ARG_L4:
    case PKS_ARG_N4: {
      bool is_signed = info->argument == PKS_ARG_L4 ||
                       (*p == PKS_OP_BINSTRING && (rules & PKS_RULE_SIGNED_STRING)) ||
                       (*p == PKS_OP_BINUNICODE && (rules & PKS_RULE_CPICKLE));
      if (is_signed && size >= 5 && pks_read4(p + 1) > INT32_MAX) {
        *fail = PKS_FAIL_COUNT_NEGATIVE;
        return 0;
      }
      return counted(p, size, 5, rules, want, fail);
    }
    case PKS_ARG_N8: return counted(p, size, 9, rules, want, fail);
    case PKS_ARG_NONE:
    case PKS_ARG_U1:
    case PKS_ARG_U2:
    case PKS_ARG_U4:
    case PKS_ARG_U8:
    case PKS_ARG_I4:
    case PKS_ARG_F8: break;
  }
  return size < fixed[info->argument] ? ask(want, fixed[info->argument]) : fixed[info->argument];
}

/* GLOBAL and INST decode the first line before they read the second (load_global, load_inst). */
pks_fail pks_decode_cut(const uint8_t *p, size_t size, uint32_t rules) {
  if (size == 0) return PKS_FAIL_EOF;
  if (rules & PKS_RULE_CPICKLE) return pks_decode_cpickle_cut(p, size);
  if (*p == PKS_OP_GLOBAL || *p == PKS_OP_INST) {
    const uint8_t *newline = memchr(p + 1, '\n', size - 1);
    size_t text = newline ? (size_t)(newline - p) - 1 : 0;
    if (text == 0) return newline ? PKS_FAIL_EMPTY_LINE : PKS_FAIL_TRUNCATED;
    if (*p == PKS_OP_GLOBAL && !pks_base_utf8_valid(p + 1, text, false)) return PKS_FAIL_UTF8;
    if (*p == PKS_OP_INST && pks_base_ascii_prefix(p + 1, text) != text) return PKS_FAIL_ASCII;
  }
  if (*p == PKS_OP_FRAME && size == 9) return PKS_FAIL_FRAME_SHORT;
  return PKS_FAIL_TRUNCATED;
}

static bool take(pks_mem *mem, pks_window *w, pks_input *in, size_t count, pks_fail *fail) {
  if (count > w->capacity - w->size) {
    size_t capacity = w->capacity ? w->capacity : 256;
    while (capacity - w->size < count) {
      if (capacity > SIZE_MAX / 2) {
        *fail = PKS_FAIL_MEMORY;
        return false;
      }
      capacity *= 2;
    }
    uint8_t *carry = pks_base_resize(mem, w->carry, w->capacity, capacity);
    if (!carry) {
      *fail = pks_decode_fail_of(mem);
      return false;
    }
    w->carry = carry;
    w->capacity = capacity;
  }
  memcpy(w->carry + w->size, in->data + in->pos, count);
  w->size += count;
  in->pos += count;
  return true;
}

bool pks_decode_window_fill(pks_mem *mem, pks_window *w, pks_input *in, const pks_want *want,
                            pks_fail *fail) {
  size_t left = in->size - in->pos;
  if (left == 0) return false;
  if (want->line) {
    const uint8_t *start = in->data + in->pos;
    const uint8_t *newline = memchr(start, '\n', left);
    return take(mem, w, in, newline ? (size_t)(newline - start) + 1 : left, fail) &&
           newline != NULL;
  }
  uint64_t missing = want->bytes - w->size;
  if (missing > left) {
    take(mem, w, in, left, fail);
    return false;
  }
  return take(mem, w, in, (size_t)missing, fail);
}

void pks_decode_window_drop(pks_window *w, size_t used) {
  w->size -= used;
  if (w->size) memmove(w->carry, w->carry + used, w->size);
}

void pks_decode_window_free(pks_mem *mem, pks_window *w) {
  pks_base_release(mem, w->carry, w->capacity);
  memset(w, 0, sizeof *w);
}
