/* decode: arguments longer than what is kept of them, whole and in every cut. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"
#include "support/asm.h"
#include "support/failing.h"
#include "support/suite.h"
#include "support/trace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static pks_decoder *decoder_for(uint32_t python, const pks_limits *limits) {
  pks_options options = {.size = offsetof(pks_options, opaque), .python = python};
  pks_decoder *d = pks_decoder_new(&options, limits, NULL);
  ck_assert_ptr_nonnull(d);
  return d;
}

static void check_trace(pks_decoder *d, const pickle *p, const char *want) {
  char *got = trace_decoder_cuts(d, p->data, p->size);
  ck_assert_str_eq(got, want);
  free(got);
}

/* ---- arguments longer than what is kept ---------------------------------------------------------- */

#define KEPT 20

static const struct {
  const char *name, *kind; /* kind: how it is written */
} clip_rows[] = {
    {"BINUNICODE", "text"}, {"BINUNICODE8", "text"},     {"SHORT_BINUNICODE", "text"},
    {"BINSTRING", "text"},  {"SHORT_BINSTRING", "text"}, {"BINBYTES", "text"},
    {"BINBYTES8", "text"},  {"SHORT_BINBYTES", "text"},  {"BYTEARRAY8", "text"},
    {"UNICODE", "line"},    {"PERSID", "line"},          {"STRING", "quoted"},
};

/* `size` bytes of argument, and two opcodes after it. */
static pickle clip_program(const char *name, const char *kind, size_t size, char *letters) {
  pickle p = {0};
  int op = pickle_opcode(name, strlen(name));
  for (size_t i = 0; i < size; i++) letters[i] = (char)('a' + i % 26);
  letters[size] = 0;
  if (*kind == 'q' && size > 0) letters[0] = letters[size - 1] = '"';
  if (*kind == 't')
    pickle_add_text(&p, op, letters, size);
  else
    pickle_add_line(&p, op, letters);
  pickle_add(&p, "NONE STOP");
  pickle_fit(&p);
  return p;
}

START_TEST(clipped_past_max_name) {
  static const size_t sizes[] = {KEPT - 1, KEPT, KEPT + 1, KEPT + 9, 3 * KEPT, 250};
  pks_limits limits = {.size = sizeof limits};
  pks_limits_init(&limits);
  limits.max_name = KEPT;
  pks_decoder *d = decoder_for(PKS_PYTHON(3, 11, 7), &limits);
  for (size_t i = 0; i < COUNT(sizes); i++) {
    char letters[300], want[600], claim[32] = "";
    pickle p = clip_program(clip_rows[_i].name, clip_rows[_i].kind, sizes[i], letters);
    size_t shown = sizes[i] > KEPT ? KEPT : sizes[i];
    if (sizes[i] > KEPT) snprintf(claim, sizeof claim, " #%zu", sizes[i]);
    snprintf(want, sizeof want, "0 %s%s '%.*s'\n%zu NONE\n%zu STOP\nEND %zu\n", clip_rows[_i].name,
             claim, (int)shown, letters, p.size - 2, p.size - 1, p.size);
    check_trace(d, &p, want);
    pickle_free(&p);
  }
  pks_decoder_free(d);
}
END_TEST

/* The two lines of GLOBAL and INST are there whole. */
START_TEST(names_are_not_clipped) {
  pks_limits limits = {.size = sizeof limits};
  pks_limits_init(&limits);
  limits.max_name = 3;
  pks_decoder *d = decoder_for(PKS_PYTHON(3, 11, 7), &limits);
  pickle p = pickle_of("GLOBAL 'a_module' 'a_name' INST 'a_module' 'a_name' STOP");
  check_trace(d, &p,
              "0 GLOBAL 'a_module' 'a_name'\n17 INST 'a_module' 'a_name'\n34 STOP\nEND 35\n");
  pickle_free(&p);
  pks_decoder_free(d);
}
END_TEST

/* A bad byte in what goes by unseen, and in what is cut off, is found all the same. */
START_TEST(clipped_text_is_checked) {
  pks_limits limits = {.size = sizeof limits};
  pks_limits_init(&limits);
  limits.max_name = KEPT;
  pks_decoder *d = decoder_for(PKS_PYTHON(3, 11, 7), &limits);
  for (size_t at = 0; at < 60; at++) {
    char letters[300];
    pickle p = clip_program("BINUNICODE", "text", 60, letters);
    p.data[5 + at] = 0xff;
    check_trace(d, &p, "E_ARGUMENT 0 BINUNICODE UnicodeDecodeError\n");
    p.data[5 + at] = 'a';
    p.size = 5 + at;
    check_trace(d, &p, "E_TRUNCATED 0 BINUNICODE UnpicklingError\n");
    pickle_free(&p);
  }
  pks_decoder_free(d);
}
END_TEST

/* A LONG4 past max_name is not kept, but its number is known. */
START_TEST(clipped_long) {
  static const struct {
    size_t size;
    uint8_t low, fill;
    const char *number;
  } rows[] = {
      {KEPT - 1, 5, 0, "5"},
      {KEPT, 5, 0, "5"},
      {KEPT, 0xfb, 0xff, "-5"},
      {KEPT, 5, 1, "9223372036854775807"},
      {KEPT + 1, 5, 0, "5"},
      {KEPT + 1, 5, 0xff, "-251"},
      {KEPT + 1, 0xff, 0xff, "-1"},
      {200, 5, 0x7f, "9223372036854775807"},
      {200, 5, 0x80, "-9223372036854775808"},
  };
  pks_limits limits = {.size = sizeof limits};
  pks_limits_init(&limits);
  limits.max_name = KEPT;
  pks_decoder *d = decoder_for(PKS_PYTHON(3, 11, 7), &limits);
  for (size_t i = 0; i < COUNT(rows); i++) {
    uint8_t bytes[200];
    char want[128];
    pickle p = {0};
    memset(bytes, rows[i].fill, sizeof bytes);
    bytes[0] = rows[i].low;
    pickle_add_text(&p, PKS_OP_LONG4, bytes, rows[i].size);
    pickle_add(&p, "STOP");
    pickle_fit(&p);
    snprintf(want, sizeof want, "0 LONG4 %s\n%zu STOP\nEND %zu\n", rows[i].number, p.size - 1,
             p.size);
    check_trace(d, &p, want);
    pickle_free(&p);
  }
  pks_decoder_free(d);
}
END_TEST

/* No limit: nothing is clipped. */
START_TEST(max_name_without_end) {
  pks_limits limits = {.size = sizeof limits};
  pks_limits_init(&limits);
  limits.max_name = UINT64_MAX;
  pks_decoder *d = decoder_for(PKS_PYTHON(3, 11, 7), &limits);
  char letters[300], want[600];
  pickle p = clip_program("BINUNICODE8", "text", 250, letters);
  snprintf(want, sizeof want, "0 BINUNICODE8 '%s'\n259 NONE\n260 STOP\nEND 261\n", letters);
  check_trace(d, &p, want);
  pickle_free(&p);
  pks_decoder_free(d);
}
END_TEST

/* What a length claims is not allocated: only bytes that came are kept, and those up to max_name. */
START_TEST(claimed_length_allocates_nothing) {
  static const char *const programs[] = {
      "BINBYTES8 #0x4000000000000000 'abc'",
      "BINBYTES8 #0x8000000000000000 'abc'",
      "BINUNICODE8 #0x7fffffffffffffff 'abc'",
      "BYTEARRAY8 #0x4000000000000000 'abc'",
      "BINBYTES #0xffffffff 'abc'",
      "BINUNICODE #0xffffffff 'abc'",
      "BINSTRING #0xffffffff 'abc'",
      "LONG4 #0x7fffffff 'abc'",
      "FRAME 0x4000000000000000",
  };
  for (size_t i = 0; i < COUNT(programs); i++) {
    failing memory;
    failing_init(&memory, 0);
    pks_decoder *d = pks_decoder_new(NULL, NULL, &memory.alloc);
    uint64_t before = memory.live;
    pickle p = pickle_of(programs[i]);
    free(trace_decoder_cuts(d, p.data, p.size));
    ck_assert_uint_le(memory.peak, before + 256);
    pks_decoder_free(d);
    ck_assert_uint_eq(memory.blocks, 0);
    pickle_free(&p);
  }
}
END_TEST

/* ---- the suite ---------------------------------------------------------------------------------- */

int main(void) {
  Suite *suite = suite_create("clipped");
  TCase *clipped = suite_case(suite, "clipped");
  tcase_add_loop_test(clipped, clipped_past_max_name, 0, (int)COUNT(clip_rows));
  tcase_add_test(clipped, names_are_not_clipped);
  tcase_add_test(clipped, clipped_text_is_checked);
  tcase_add_test(clipped, clipped_long);
  tcase_add_test(clipped, max_name_without_end);
  tcase_add_test(clipped, claimed_length_allocates_nothing);
  return suite_run(suite);
}
