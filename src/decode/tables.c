#include "decode/decode.h"

const pks_op_info pks_decode_ops[256] = {
#define OP(byte, NAME, protocol, argument, need, mark, pops, pushes, effect) \
  [byte] = {#NAME, #effect, protocol, PKS_ARG_##argument, need, mark, pops, pushes},
#include "decode/pickle_ops.def"
#undef OP
};

#define OP(byte, NAME, protocol, argument, need, mark, pops, pushes, effect) +1
_Static_assert(0
#include "decode/pickle_ops.def"
                   == 68,
               "protocols 0 to 5 have 68 opcodes");
#undef OP

const pks_fail_info pks_decode_fails[PKS_FAIL_COUNT] = {
    [PKS_FAIL_NONE] = {PKS_OK, NULL, "no error"},
#define FAIL(id, status, exception, text) [PKS_FAIL_##id] = {PKS_##status, exception, text},
#include "decode/fail.def"
#undef FAIL
};

void pks_decode_error(pks_error *out, pks_fail fail, uint64_t offset, int opcode) {
  const pks_fail_info *info = &pks_decode_fails[fail];
  pks_error error = {.status = info->status,
                     .offset = fail ? offset : 0,
                     .opcode = opcode >= 0 && fail ? pks_decode_ops[opcode].name : NULL,
                     .exception = info->exception,
                     .text = info->text};
  error.size = out->size < sizeof error ? out->size : sizeof error;
  memcpy(out, &error, error.size);
}

uint32_t pks_decode_open_rules(uint32_t python) {
  uint32_t minor = python >> 8;
  if ((python & 0xff) != 0xff) return 0;
  if (minor == 0x030d || minor == 0x030e) return PKS_RULE_FRAMES;
  return minor >= 0x0307 && minor <= 0x030a ? PKS_RULE_DIGITS : 0;
}

/* Versions that differ are listed in the comments of decode.h; a micro version that nobody said
 * (0xff) reads as the one that was measured: the digit limit is in every late release, frames are
 * enforced only from the release named. */
uint32_t pks_decode_rules(uint32_t python) {
  uint32_t minor = python >> 8, micro = python & 0xff, rules = 0;
  bool said = micro != 0xff;
  if (minor < 0x0300) return PKS_RULE_CPICKLE | PKS_RULE_SIGNED_STRING;
  if (minor >= 0x0308) rules |= PKS_RULE_PROTO5;
  if (minor >= 0x0307) rules |= PKS_RULE_DIGITS;
  if (said && ((minor == 0x0307 && micro < 14) || (minor == 0x0308 && micro < 14) ||
               (minor == 0x0309 && micro < 14) || (minor == 0x030a && micro < 7)))
    rules &= ~PKS_RULE_DIGITS;
  if (minor >= 0x030e) rules |= PKS_RULE_INT10 | PKS_RULE_SIGNED_STRING;
  if (minor >= 0x030d) rules |= PKS_RULE_PERSID_LATE;
  if (minor >= 0x030f)
    rules |= PKS_RULE_BOOL_EXACT | PKS_RULE_FRAMES | PKS_RULE_MEMO_ARRAY | PKS_RULE_EMPTY_EXTEND;
  if (said && ((minor == 0x030d && micro >= 15) || (minor == 0x030e && micro >= 7)))
    rules |= PKS_RULE_FRAMES;
  if (minor <= 0x0309 || (said && minor == 0x030a && micro < 6)) rules |= PKS_RULE_INDEX_FIRST;
  if (minor <= 0x0308) rules |= PKS_RULE_MEMO_KEYERROR | PKS_RULE_EMPTY_LOOKUP;
  if (minor <= 0x030c) rules |= PKS_RULE_TIX;
  if (minor <= 0x030e) rules |= PKS_RULE_CGI;
  if (minor <= 0x0306) rules |= PKS_RULE_APPEND_METHOD;
  if (minor <= 0x0307) rules |= PKS_RULE_BYTES_WINDOW;
  return rules;
}

/* What Lib/pickle.py does otherwise and has a rule of its own; the rest is in pypy.c of both rooms. */
uint32_t pks_decode_reader_rules(uint32_t python, bool pypy) {
  uint32_t rules = pks_decode_rules(python);
  if (!pypy || rules & PKS_RULE_CPICKLE) return rules;
  rules &= ~(PKS_RULE_INDEX_FIRST | PKS_RULE_APPEND_METHOD | PKS_RULE_BYTES_WINDOW);
  return rules | PKS_RULE_PYPY | PKS_RULE_FRAMES | PKS_RULE_SIGNED_STRING | PKS_RULE_PERSID_LATE |
         PKS_RULE_EMPTY_EXTEND | PKS_RULE_EMPTY_LOOKUP | PKS_RULE_BOOL_EXACT;
}
