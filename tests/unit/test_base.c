/* base: counted memory, arena, growing arrays, UTF-8, statuses. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "support/failing.h"
#include "support/suite.h"

/* ---- counted memory -------------------------------------------------------------------------- */

START_TEST(memory_is_counted) {
  failing memory;
  pks_mem mem;
  failing_init(&memory, 0);
  pks_base_mem_init(&mem, &memory.alloc, 1000);
  uint8_t *a = pks_base_resize(&mem, NULL, 0, 300);
  uint8_t *b = pks_base_resize(&mem, NULL, 0, 200);
  ck_assert_ptr_nonnull(a);
  ck_assert_ptr_nonnull(b);
  memset(a, 7, 300);
  ck_assert_uint_eq(mem.used, 500);
  a = pks_base_resize(&mem, a, 300, 100);
  ck_assert_uint_eq(a[99], 7);
  ck_assert_uint_eq(mem.used, 300);
  ck_assert_uint_eq(mem.peak, 500);
  ck_assert_uint_eq(memory.live, mem.used);
  ck_assert_ptr_null(pks_base_resize(&mem, b, 200, 0));
  pks_base_release(&mem, NULL, 0);
  pks_base_release(&mem, a, 100);
  ck_assert_uint_eq(mem.used, 0);
  ck_assert_uint_eq(memory.blocks, 0);
  ck_assert_uint_eq(mem.peak, 500);
}
END_TEST

/* held, old size, new size of one block, and whether a limit of 1000 allows it */
static const struct {
  size_t held, old_size, size;
  bool fits;
} limit_cases[] = {
    {0, 0, 999, true},      {0, 0, 1000, true},      {0, 0, 1001, false},
    {400, 0, 600, true},    {400, 0, 601, false},    {400, 100, 600, true},
    {400, 100, 601, false}, {999, 0, 1, true},       {1000, 0, 1, false},
    {1, 999, 999, true},    {0, 0, SIZE_MAX, false}, {1, 1, SIZE_MAX, false},
    {0, 1000, 1, true},     {600, 400, 399, true},   {500, 0, SIZE_MAX - 400, false},
};

START_TEST(memory_has_a_limit) {
  failing memory;
  pks_mem mem;
  size_t held = limit_cases[_i].held, old_size = limit_cases[_i].old_size;
  size_t size = limit_cases[_i].size;
  bool fits = limit_cases[_i].fits;
  failing_init(&memory, 0);
  pks_base_mem_init(&mem, &memory.alloc, 1000);
  void *rest = pks_base_resize(&mem, NULL, 0, held);
  void *old = pks_base_resize(&mem, NULL, 0, old_size);
  void *now = pks_base_resize(&mem, old, old_size, size);
  ck_assert_int_eq(now != NULL, fits);
  ck_assert_uint_eq(mem.used, held + (fits ? size : old_size));
  ck_assert_uint_eq(memory.live, mem.used);
  ck_assert_int_eq(mem.status, fits ? PKS_OK : PKS_E_LIMIT_MEMORY);
  pks_base_release(&mem, fits ? now : old, fits ? size : old_size);
  pks_base_release(&mem, rest, held);
  ck_assert_uint_eq(mem.used, 0);
  ck_assert_uint_eq(memory.blocks, 0);
}
END_TEST

START_TEST(memory_that_is_not_to_be_had) {
  failing memory;
  pks_mem mem;
  failing_init(&memory, 2);
  pks_base_mem_init(&mem, &memory.alloc, UINT64_MAX);
  uint8_t *block = pks_base_resize(&mem, NULL, 0, 10);
  block[9] = 42;
  ck_assert_ptr_null(pks_base_resize(&mem, block, 10, 20));
  ck_assert_int_eq(mem.status, PKS_E_NO_MEMORY);
  ck_assert_uint_eq(mem.used, 10);
  ck_assert_uint_eq(block[9], 42);
  pks_base_release(&mem, block, 10);
  ck_assert_uint_eq(memory.blocks, 0);
}
END_TEST

START_TEST(memory_of_libc) {
  pks_alloc none = {NULL, NULL};
  const pks_alloc *given[] = {NULL, &none};
  for (size_t i = 0; i < 2; i++) {
    pks_mem mem;
    pks_base_mem_init(&mem, given[i], 100);
    uint8_t *block = pks_base_resize(&mem, NULL, 0, 10);
    ck_assert_ptr_nonnull(block);
    block[0] = 1;
    block = pks_base_resize(&mem, block, 10, 100);
    ck_assert_uint_eq(block[0], 1);
    pks_base_release(&mem, block, 100);
    ck_assert_uint_eq(mem.used, 0);
  }
}
END_TEST

typedef struct object {
  pks_mem mem;
  uint8_t body[100];
} object;

START_TEST(object_is_charged_to_itself) {
  failing memory;
  failing_init(&memory, 0);
  ck_assert_ptr_null(pks_base_object_new(&memory.alloc, sizeof(object) - 1, sizeof(object)));
  ck_assert_uint_eq(memory.calls, 0);
  object *o = pks_base_object_new(&memory.alloc, sizeof(object), sizeof(object));
  ck_assert_ptr_nonnull(o);
  ck_assert_uint_eq(o->mem.used, sizeof(object));
  for (size_t i = 0; i < sizeof o->body; i++) ck_assert_uint_eq(o->body[i], 0);
  ck_assert_ptr_null(pks_base_resize(&o->mem, NULL, 0, 1));
  ck_assert_int_eq(o->mem.status, PKS_E_LIMIT_MEMORY);
  pks_base_object_free(o, sizeof(object));
  ck_assert_uint_eq(memory.blocks, 0);
  failing_init(&memory, 1);
  ck_assert_ptr_null(pks_base_object_new(&memory.alloc, UINT64_MAX, sizeof(object)));
}
END_TEST

/* ---- growing arrays -------------------------------------------------------------------------- */

START_TEST(vec_grows) {
  failing memory;
  pks_mem mem;
  pks_vec vec = {0};
  failing_init(&memory, 0);
  pks_base_mem_init(&mem, &memory.alloc, 1 << 20);
  for (uint32_t i = 0; i < 1000; i++) {
    uint32_t *item = pks_base_vec_push(&mem, &vec, sizeof *item);
    ck_assert_ptr_nonnull(item);
    *item = i * 3;
  }
  ck_assert_uint_eq(vec.count, 1000);
  ck_assert_uint_le(memory.calls, 8); /* 8, 16 ... 1024 */
  for (uint32_t i = 0; i < 1000; i++) ck_assert_uint_eq(PKS_VEC_AT(&vec, uint32_t, i), i * 3);
  size_t calls = memory.calls, room = vec.capacity - vec.count;
  ck_assert(pks_base_vec_reserve(&mem, &vec, sizeof(uint32_t), room));
  ck_assert_uint_eq(memory.calls, calls);
  ck_assert(pks_base_vec_reserve(&mem, &vec, sizeof(uint32_t), room + 1));
  ck_assert_uint_eq(memory.calls, calls + 1);
  pks_base_vec_free(&mem, &vec, sizeof(uint32_t));
  ck_assert_uint_eq(mem.used, 0);
  ck_assert_ptr_null(vec.data);
}
END_TEST

/* A count that no memory holds is refused before any arithmetic wraps. */
static const struct {
  size_t count, more, element;
} vec_overflows[] = {
    {0, SIZE_MAX, 1},
    {0, SIZE_MAX / 2 + 1, 1},
    {1, SIZE_MAX / 2, 1},
    {0, SIZE_MAX / 8 + 1, 8},
    {0, SIZE_MAX / 16 + 1, 8},
    {SIZE_MAX / 2, 1, 1},
    {SIZE_MAX / 2, SIZE_MAX, 1},
    {SIZE_MAX / 24, 2, 24},
};

START_TEST(vec_does_not_overflow) {
  failing memory;
  pks_mem mem;
  size_t count = vec_overflows[_i].count;
  pks_vec vec = {NULL, count, count};
  failing_init(&memory, 0);
  pks_base_mem_init(&mem, &memory.alloc, UINT64_MAX);
  ck_assert(!pks_base_vec_reserve(&mem, &vec, vec_overflows[_i].element, vec_overflows[_i].more));
  ck_assert_int_eq(mem.status, PKS_E_LIMIT_MEMORY);
  ck_assert_uint_eq(memory.calls, 0);
  ck_assert_uint_eq(vec.count, count);
  ck_assert_uint_eq(vec.capacity, count);
}
END_TEST

START_TEST(vec_stays_when_refused) {
  failing memory;
  pks_mem mem;
  pks_vec vec = {0};
  failing_init(&memory, 2);
  pks_base_mem_init(&mem, &memory.alloc, UINT64_MAX);
  for (uint8_t i = 0; i < 8; i++) *(uint8_t *)pks_base_vec_push(&mem, &vec, 1) = i;
  ck_assert_ptr_null(pks_base_vec_push(&mem, &vec, 1));
  ck_assert_uint_eq(vec.count, 8);
  ck_assert_uint_eq(vec.data[7], 7);
  ck_assert_ptr_nonnull(pks_base_vec_push(&mem, &vec, 1));
  pks_base_vec_free(&mem, &vec, 1);
  ck_assert_uint_eq(memory.blocks, 0);
}
END_TEST

/* ---- arena ----------------------------------------------------------------------------------- */

typedef struct arena_fixture {
  failing memory;
  pks_mem mem;
  pks_arena arena;
} arena_fixture;

static arena_fixture f;

static void arena_setup(void) {
  memset(&f, 0, sizeof f);
  failing_init(&f.memory, 0);
  pks_base_mem_init(&f.mem, &f.memory.alloc, UINT64_MAX);
}

static void arena_teardown(void) {
  pks_base_arena_free(&f.mem, &f.arena);
  ck_assert_uint_eq(f.mem.used, 0);
  ck_assert_uint_eq(f.memory.blocks, 0);
  ck_assert_ptr_null(f.arena.first);
}

#define TAKES 300
static size_t take_size(size_t i) { return i % 7 == 6 ? 3000 * (i % 5) : i; }

static void take_all(uint8_t *taken[TAKES]) {
  for (size_t i = 0; i < TAKES; i++) {
    taken[i] = pks_base_arena_take(&f.mem, &f.arena, take_size(i));
    ck_assert_ptr_nonnull(taken[i]);
    ck_assert_uint_eq((uintptr_t)taken[i] % 8, 0);
    memset(taken[i], (int)(i & 0xff), take_size(i));
  }
}

/* What was taken neither moves nor overlaps. */
START_TEST(arena_does_not_move) {
  uint8_t *taken[TAKES];
  take_all(taken);
  for (size_t i = 0; i < TAKES; i++)
    for (size_t j = 0; j < take_size(i); j++) ck_assert_uint_eq(taken[i][j], i & 0xff);
}
END_TEST

START_TEST(arena_reset_keeps_its_blocks) {
  uint8_t *first[TAKES], *second[TAKES];
  take_all(first);
  size_t calls = f.memory.calls, bytes = f.arena.bytes;
  uint64_t used = f.mem.used;
  ck_assert_uint_gt(calls, 10);
  for (int round = 0; round < 3; round++) {
    pks_base_arena_reset(&f.arena);
    ck_assert_uint_eq(f.arena.bytes, 0);
    take_all(second);
    ck_assert_uint_eq(f.arena.bytes, bytes);
    ck_assert_mem_eq(first, second, sizeof first);
  }
  ck_assert_uint_eq(f.memory.calls, calls);
  ck_assert_uint_eq(f.mem.used, used);
}
END_TEST

/* After a reset a request larger than the kept blocks passes over them. */
START_TEST(arena_passes_over_small_blocks) {
  for (int i = 0; i < 3; i++) ck_assert_ptr_nonnull(pks_base_arena_take(&f.mem, &f.arena, 8000));
  ck_assert_uint_eq(f.memory.calls, 3);
  pks_base_arena_reset(&f.arena);
  uint8_t *big = pks_base_arena_take(&f.mem, &f.arena, 9000);
  ck_assert_ptr_nonnull(big);
  memset(big, 1, 9000);
  ck_assert_uint_eq(f.memory.calls, 4);
  pks_base_arena_reset(&f.arena);
  for (int i = 0; i < 4; i++) ck_assert_ptr_nonnull(pks_base_arena_take(&f.mem, &f.arena, 8000));
  ck_assert_uint_eq(f.memory.calls, 4);
}
END_TEST

START_TEST(arena_copies) {
  char text[] = "abc";
  const uint8_t *copy = pks_base_arena_copy(&f.mem, &f.arena, text, 3);
  ck_assert_ptr_ne(copy, text);
  text[0] = 'x';
  ck_assert_mem_eq(copy, "abc", 3);
  ck_assert_ptr_nonnull(pks_base_arena_copy(&f.mem, &f.arena, NULL, 0));
}
END_TEST

START_TEST(arena_refuses) {
  const size_t huge[] = {SIZE_MAX, SIZE_MAX - 6, SIZE_MAX - 7, SIZE_MAX - 15};
  for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
    f.mem.status = PKS_OK;
    ck_assert_ptr_null(pks_base_arena_take(&f.mem, &f.arena, huge[i]));
    ck_assert_int_ne(f.mem.status, PKS_OK);
  }
  ck_assert_ptr_nonnull(pks_base_arena_take(&f.mem, &f.arena, 5000));
  f.memory.fail_at = f.memory.calls + 1;
  ck_assert_ptr_null(pks_base_arena_take(&f.mem, &f.arena, 5000));
  ck_assert_int_eq(f.mem.status, PKS_E_NO_MEMORY);
  uint8_t *after = pks_base_arena_take(&f.mem, &f.arena, 3000); /* what is left still serves */
  ck_assert_ptr_nonnull(after);
  memset(after, 1, 3000);
}
END_TEST

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

/* One character by RFC 3629, written for clarity: how many bytes it takes, or 0. */
static size_t reference_char(const uint8_t *p, size_t size, bool surrogates) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t bytes = p[0] < 0x80       ? 1
                 : p[0] >> 5 == 6  ? 2
                 : p[0] >> 4 == 14 ? 3
                 : p[0] >> 3 == 30 ? 4
                                   : 0;
  if (bytes == 0 || bytes > size) return 0;
  if (bytes == 1) return 1;
  uint32_t value = p[0] & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; i++) {
    if (p[i] >> 6 != 2) return 0;
    value = value << 6 | (p[i] & 0x3fu);
  }
  if (value < least[bytes] || value > 0x10ffff) return 0;
  if (value >= 0xd800 && value <= 0xdfff && !surrogates) return 0;
  return bytes;
}

static bool reference(const uint8_t *p, size_t size, bool surrogates) {
  while (size) {
    size_t bytes = reference_char(p, size, surrogates);
    if (bytes == 0) return false;
    p += bytes;
    size -= bytes;
  }
  return true;
}

static bool in_pieces(const uint8_t *p, size_t size, size_t cut, bool surrogates) {
  pks_utf8 state = {0};
  pks_base_utf8_feed(&state, p, cut, surrogates);
  pks_base_utf8_feed(&state, p + cut, 0, surrogates);
  pks_base_utf8_feed(&state, p + cut, size - cut, surrogates);
  return pks_base_utf8_done(&state);
}

/* Not ck_assert in the inner loop: it writes a record each time. */
static void utf8_agrees(const uint8_t *p, size_t size) {
  for (int surrogates = 0; surrogates < 2; surrogates++) {
    bool want = reference(p, size, surrogates);
    bool same = pks_base_utf8_valid(p, size, surrogates) == want;
    for (size_t cut = 0; same && cut <= size; cut++)
      same = in_pieces(p, size, cut, surrogates) == want;
    if (!same)
      ck_abort_msg("%02x %02x %02x %02x: surrogates %d, valid %d", p[0], size > 1 ? p[1] : 0,
                   size > 2 ? p[2] : 0, size > 3 ? p[3] : 0, surrogates, want);
  }
}

START_TEST(utf8_every_one_and_two_bytes) {
  for (uint32_t value = 0; value < 0x10000; value++) {
    uint8_t text[] = {(uint8_t)(value >> 8), (uint8_t)value};
    if (text[1] == 0) utf8_agrees(text, 1);
    utf8_agrees(text, 2);
  }
}
END_TEST

START_TEST(utf8_every_three_bytes) {
  for (uint32_t value = 0; value < 0x10000; value++) {
    uint8_t text[] = {(uint8_t)_i, (uint8_t)(value >> 8), (uint8_t)value};
    utf8_agrees(text, 3);
  }
}
END_TEST

/* Every lead and second byte of four; the others at the edges of their ranges. */
START_TEST(utf8_four_bytes) {
  static const uint8_t edges[] = {0x00, 0x7f, 0x80, 0x8f, 0x90, 0xbf, 0xc0, 0xff};
  for (uint32_t value = 0xee00; value < 0x10000; value++)
    for (size_t i = 0; i < sizeof edges * sizeof edges; i++) {
      uint8_t text[] = {(uint8_t)(value >> 8), (uint8_t)value, edges[i / sizeof edges],
                        edges[i % sizeof edges]};
      utf8_agrees(text, 4);
    }
}
END_TEST

/* A character in a long text, at every place a word-wise loop may begin or end at. */
START_TEST(utf8_in_long_texts) {
  static const char *const parts[] = {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                                      "\xff",     "\x80",         "\xed\xa0\x80",
                                      "\xc3",     "\xf0\x9f"};
  uint8_t text[100];
  for (size_t part = 0; part < sizeof parts / sizeof *parts; part++)
    for (size_t size = strlen(parts[part]); size <= 80; size++)
      for (size_t at = 0; at + strlen(parts[part]) <= size; at++) {
        memset(text, 'a', sizeof text);
        memcpy(text + at, parts[part], strlen(parts[part]));
        ck_assert_uint_eq(pks_base_ascii_prefix(text, size), at);
        utf8_agrees(text, size);
      }
  ck_assert_uint_eq(pks_base_ascii_prefix(text, 0), 0);
}
END_TEST

START_TEST(utf8_error_stays) {
  pks_utf8 state = {0};
  pks_base_utf8_feed(&state, (const uint8_t *)"\xff", 1, true);
  ck_assert(!pks_base_utf8_done(&state));
  pks_base_utf8_feed(&state, (const uint8_t *)"abc", 3, true);
  ck_assert(!pks_base_utf8_done(&state));
}
END_TEST

/* ---- statuses -------------------------------------------------------------------------------- */

static const struct {
  int value;
  const char *name, *text;
} statuses[] = {
#define X(value, name, text) {value, #name, text},
    PKS_STATUS_MAP(X)
#undef X
};
#define STATUSES (sizeof statuses / sizeof *statuses)

START_TEST(status_has_name_text_and_class) {
  for (size_t i = 0; i < STATUSES; i++) {
    pks_status status = (pks_status)statuses[i].value;
    ck_assert_str_eq(pks_status_name(status), statuses[i].name);
    ck_assert_str_eq(pks_status_text(status), statuses[i].text);
    ck_assert_uint_gt(strlen(statuses[i].text), 5);
    for (size_t j = 0; j < i; j++) ck_assert_int_ne(statuses[i].value, statuses[j].value);
    /* the zones that the header gives, and the E_ of what is an error */
    int value = statuses[i].value, zone = value < 10   ? 0
                                          : value < 40 ? 1
                                          : value < 60 ? 2
                                          : value < 80 ? 3
                                                       : 4;
    ck_assert_int_eq((int)pks_status_classify(status), zone);
    ck_assert_int_eq(strncmp(statuses[i].name, "E_", 2) == 0, zone != 0);
    ck_assert_int_eq(strncmp(statuses[i].name, "E_LIMIT_", 8) == 0, zone == 2);
  }
}
END_TEST

/* Pinned: a program compiled today reads tomorrow's numbers. */
START_TEST(status_values_are_pinned) {
  static const struct {
    const char *name;
    int value;
  } pinned[] = {
      {"OK", 0},
      {"NEED_MORE", 1},
      {"END", 2},
      {"E_TRUNCATED", 10},
      {"E_OPCODE", 11},
      {"E_ARGUMENT", 12},
      {"E_FRAME", 13},
      {"E_STACK", 14},
      {"E_MARK", 15},
      {"E_MEMO", 16},
      {"E_OPERAND", 17},
      {"E_CODE", 18},
      {"E_CONTAINER", 19},
      {"E_FINGERPRINT", 20},
      {"E_NEED", 21},
      {"E_LIMIT_OPS", 40},
      {"E_LIMIT_DEPTH", 41},
      {"E_LIMIT_MEMORY", 42},
      {"E_LIMIT_NAME", 43},
      {"E_LIMIT_KEEP", 44},
      {"E_LIMIT_CODE", 45},
      {"E_LIMIT_OUTPUT", 46},
      {"E_LIMIT_FRAME", 47},
      {"E_LIMIT_AGAIN", 48},
      {"E_LIMIT_ITEMS", 49},
      {"E_PROTOCOL", 60},
      {"E_PYTHON", 61},
      {"E_FORMAT", 62},
      {"E_NO_MEMORY", 80},
      {"E_IO", 81},
      {"E_USAGE", 82},
  };
  for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++)
    ck_assert_str_eq(pks_status_name((pks_status)pinned[i].value), pinned[i].name);
}
END_TEST

START_TEST(status_of_other_numbers) {
  for (int value = -3; value < 300; value++) {
    bool known = false;
    for (size_t i = 0; i < STATUSES; i++) known = known || statuses[i].value == value;
    if (known) continue;
    ck_assert_str_eq(pks_status_name((pks_status)value), "?");
    ck_assert_str_eq(pks_status_text((pks_status)value), "not a status");
  }
}
END_TEST

START_TEST(version_is_the_header_s) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", PKS_VERSION_MAJOR, PKS_VERSION_MINOR, PKS_VERSION_PATCH);
  ck_assert_str_eq(pks_version(), text);
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------- */

int main(void) {
  Suite *suite = suite_create("base");
  TCase *memory = suite_case(suite, "memory");
  tcase_add_test(memory, memory_is_counted);
  tcase_add_loop_test(memory, memory_has_a_limit, 0,
                      (int)(sizeof limit_cases / sizeof *limit_cases));
  tcase_add_test(memory, memory_that_is_not_to_be_had);
  tcase_add_test(memory, memory_of_libc);
  tcase_add_test(memory, object_is_charged_to_itself);
  TCase *vec = suite_case(suite, "vec");
  tcase_add_test(vec, vec_grows);
  tcase_add_loop_test(vec, vec_does_not_overflow, 0,
                      (int)(sizeof vec_overflows / sizeof *vec_overflows));
  tcase_add_test(vec, vec_stays_when_refused);
  TCase *arena = suite_case(suite, "arena");
  tcase_add_checked_fixture(arena, arena_setup, arena_teardown);
  tcase_add_test(arena, arena_does_not_move);
  tcase_add_test(arena, arena_reset_keeps_its_blocks);
  tcase_add_test(arena, arena_passes_over_small_blocks);
  tcase_add_test(arena, arena_copies);
  tcase_add_test(arena, arena_refuses);
  TCase *utf8 = suite_case(suite, "utf8");
  tcase_add_test(utf8, utf8_every_one_and_two_bytes);
  tcase_add_loop_test(utf8, utf8_every_three_bytes, 0xdf, 0xf1);
  tcase_add_test(utf8, utf8_four_bytes);
  tcase_add_test(utf8, utf8_in_long_texts);
  tcase_add_test(utf8, utf8_error_stays);
  TCase *status = suite_case(suite, "status");
  tcase_add_test(status, status_has_name_text_and_class);
  tcase_add_test(status, status_values_are_pinned);
  tcase_add_test(status, status_of_other_numbers);
  tcase_add_test(status, version_is_the_header_s);
  return suite_run(suite);
}
