/* inflate: gzip and zlib in any cut, limits, corruption, memory. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "inflate/inflate.h"
#include "support/chunks.h"
#include "support/failing.h"

/* ---- compressing ------------------------------------------------------------------------------- */

typedef struct bytes {
  uint8_t data[1 << 16];
  size_t size;
} bytes;

static void append(bytes *to, const void *data, size_t size) {
  ck_assert_uint_le(size, sizeof to->data - to->size);
  if (size) memcpy(to->data + to->size, data, size);
  to->size += size;
}

static void compress_to(bytes *to, pks_inflate_kind kind, const uint8_t *data, size_t size) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  int bits = kind == PKS_INFLATE_GZIP ? 15 + 16 : 15;
  ck_assert_int_eq(deflateInit2(&stream, 6, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  uint8_t *copy = malloc(size + 1);
  ck_assert_ptr_nonnull(copy);
  if (size) memcpy(copy, data, size);
  stream.next_in = copy;
  stream.avail_in = (uInt)size;
  stream.next_out = to->data + to->size;
  stream.avail_out = (uInt)(sizeof to->data - to->size);
  ck_assert_int_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
  to->size += stream.total_out;
  deflateEnd(&stream);
  free(copy);
}

static void sample(uint8_t *data, size_t size) {
  uint32_t state = 1;
  for (size_t i = 0; i < size; i++) {
    state = state * 1664525u + 1013904223u;
    data[i] = (uint8_t)(state >> 30);
  }
}

/* ---- inflating in pieces ------------------------------------------------------------------------- */

typedef struct run {
  pks_inflate *inflate;
  pks_inflate_kind kind;
  size_t capacity; /* of the output buffer */
  uint64_t max_output;
  const bytes *input;
  bytes output;
  pks_status status;
  pks_error error;
} run;

static bool take_piece(void *user, const uint8_t *data, size_t size) {
  run *r = user;
  pks_input in = {data, size, 0};
  uint8_t out[4096];
  do {
    size_t written = 0;
    r->status = pks_inflate_next(r->inflate, &in, out, r->capacity, &written);
    ck_assert_uint_le(written, r->capacity);
    ck_assert(in.pos <= in.size);
    append(&r->output, out, written);
  } while (r->status == PKS_OK);
  if (r->status == PKS_NEED_MORE) ck_assert_uint_eq(in.pos, in.size);
  return r->status == PKS_NEED_MORE;
}

static bool inflate_cut(void *user, const size_t *cuts, size_t count) {
  run *r = user;
  pks_mem mem;
  failing memory;
  failing_init(&memory, 0);
  pks_base_mem_init(&mem, &memory.alloc, 1 << 20);
  r->inflate = pks_inflate_new(&mem, r->kind, r->max_output);
  r->output.size = 0;
  ck_assert_ptr_nonnull(r->inflate);
  bool all = chunks_pieces(r->input->data, r->input->size, cuts, count, take_piece, r);
  if (all || r->status == PKS_NEED_MORE) r->status = pks_inflate_finish(r->inflate);
  r->error = (pks_error){.size = sizeof r->error};
  pks_inflate_error(r->inflate, &r->error);
  pks_inflate_free(r->inflate);
  ck_assert_uint_eq(mem.used, 0);
  ck_assert_uint_eq(memory.blocks, 0);
  return true;
}

typedef struct expected {
  run r;
  const uint8_t *data;
  size_t size;
  pks_status status;
  uint64_t offset;
} expected;

static bool check_cut(void *user, const size_t *cuts, size_t count) {
  expected *e = user;
  inflate_cut(&e->r, cuts, count);
  const char *how = chunks_text(e->r.input->size, cuts, count);
  ck_assert_msg(e->r.status == e->status, "%s: %s, not %s", how, pks_status_name(e->r.status),
                pks_status_name(e->status));
  ck_assert_msg(e->r.output.size == e->size, "%s: %zu bytes", how, e->r.output.size);
  ck_assert_msg(e->size == 0 || memcmp(e->r.output.data, e->data, e->size) == 0, "%s", how);
  if (e->status != PKS_END)
    ck_assert_msg(e->r.error.offset == e->offset, "%s: offset %llu", how,
                  (unsigned long long)e->r.error.offset);
  return true;
}

static void check(pks_inflate_kind kind, const bytes *input, const uint8_t *data, size_t size,
                  uint64_t max_output, pks_status status, uint64_t offset) {
  static const size_t capacities[] = {1, 7, 4096};
  for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
    expected e = {
        .r = {.kind = kind, .capacity = capacities[i], .max_output = max_output, .input = input},
        .data = data,
        .size = size,
        .status = status,
        .offset = offset};
    ck_assert(chunks_each(input->size, check_cut, &e));
  }
}

/* ---- tests --------------------------------------------------------------------------------------- */

static uint8_t data[20000];
static bytes input;

static void setup(void) {
  sample(data, sizeof data);
  input.size = 0;
}

static const pks_inflate_kind kinds[] = {PKS_INFLATE_GZIP, PKS_INFLATE_ZLIB};

START_TEST(any_cut_gives_the_same) {
  static const size_t sizes[] = {0, 1, 300, sizeof data};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    input.size = 0;
    compress_to(&input, kinds[_i], data, sizes[i]);
    check(kinds[_i], &input, data, sizes[i], UINT64_MAX, PKS_END, 0);
  }
}
END_TEST

START_TEST(gzip_members_and_padding) {
  static const uint8_t zeros[9];
  compress_to(&input, PKS_INFLATE_GZIP, data, 100);
  compress_to(&input, PKS_INFLATE_GZIP, data + 100, 0);
  compress_to(&input, PKS_INFLATE_GZIP, data + 100, 50);
  check(PKS_INFLATE_GZIP, &input, data, 150, UINT64_MAX, PKS_END, 0);
  append(&input, zeros, sizeof zeros);
  check(PKS_INFLATE_GZIP, &input, data, 150, UINT64_MAX, PKS_END, 0);
  append(&input, "x", 1);
  check(PKS_INFLATE_GZIP, &input, data, 150, UINT64_MAX, PKS_E_CONTAINER, input.size - 1);
}
END_TEST

START_TEST(gzip_then_something_else) {
  compress_to(&input, PKS_INFLATE_GZIP, data, 100);
  size_t end = input.size;
  append(&input, "hello", 5);
  check(PKS_INFLATE_GZIP, &input, data, 100, UINT64_MAX, PKS_E_CONTAINER, end);
}
END_TEST

/* What follows a zlib stream is the caller's to judge. */
START_TEST(zlib_ends_at_its_end) {
  compress_to(&input, PKS_INFLATE_ZLIB, data, 100);
  size_t end = input.size;
  append(&input, "hello", 5);
  pks_mem mem;
  pks_base_mem_init(&mem, NULL, UINT64_MAX);
  pks_inflate *s = pks_inflate_new(&mem, PKS_INFLATE_ZLIB, UINT64_MAX);
  pks_input in = {input.data, input.size, 0};
  uint8_t out[200];
  size_t written;
  ck_assert_int_eq(pks_inflate_next(s, &in, out, sizeof out, &written), PKS_END);
  ck_assert_uint_eq(written, 100);
  ck_assert_uint_eq(in.pos, end);
  ck_assert_int_eq(pks_inflate_next(s, &in, out, sizeof out, &written), PKS_END);
  ck_assert_int_eq(pks_inflate_finish(s), PKS_END);
  pks_inflate_free(s);
}
END_TEST

START_TEST(cut_short_at_every_byte) {
  bytes part;
  compress_to(&input, kinds[_i], data, 60);
  for (part.size = 0; part.size < input.size; part.size++) {
    memcpy(part.data, input.data, part.size);
    expected e = {
        .r = {.kind = kinds[_i], .capacity = 64, .max_output = UINT64_MAX, .input = &part}};
    inflate_cut(&e.r, NULL, 0);
    ck_assert_int_eq(e.r.status, PKS_E_CONTAINER);
    ck_assert_uint_eq(e.r.error.offset, part.size);
    ck_assert(e.r.output.size <= 60 && memcmp(e.r.output.data, data, e.r.output.size) == 0);
  }
}
END_TEST

/* Every byte of the file changed: an error, or the same bytes (a gzip header holds idle fields). */
START_TEST(corrupt_at_every_byte) {
  compress_to(&input, kinds[_i], data, 60);
  for (size_t i = 0; i < input.size; i++) {
    bytes bad = input;
    bad.data[i] ^= 0x41;
    run r = {.kind = kinds[_i], .capacity = 4096, .max_output = 1 << 15, .input = &bad};
    inflate_cut(&r, NULL, 0);
    if (r.status == PKS_END)
      ck_assert(r.output.size == 60 && memcmp(r.output.data, data, 60) == 0);
    else
      ck_assert(r.status == PKS_E_CONTAINER || r.status == PKS_E_LIMIT_OUTPUT);
    ck_assert(r.status == PKS_END || strlen(r.error.text) > 0);
  }
}
END_TEST

START_TEST(output_has_a_limit) {
  compress_to(&input, kinds[_i], data, 1000);
  check(kinds[_i], &input, data, 1000, 1001, PKS_END, 0);
  check(kinds[_i], &input, data, 1000, 1000, PKS_END, 0);
  run r = {.kind = kinds[_i], .capacity = 4096, .max_output = 999, .input = &input};
  inflate_cut(&r, NULL, 0);
  ck_assert_int_eq(r.status, PKS_E_LIMIT_OUTPUT);
  ck_assert_uint_eq(r.output.size, 999);
}
END_TEST

/* The limit is on all members together. */
START_TEST(limit_over_members) {
  for (int i = 0; i < 10; i++) compress_to(&input, PKS_INFLATE_GZIP, data, 100);
  run r = {.kind = PKS_INFLATE_GZIP, .capacity = 4096, .max_output = 950, .input = &input};
  inflate_cut(&r, NULL, 0);
  ck_assert_int_eq(r.status, PKS_E_LIMIT_OUTPUT);
  ck_assert_uint_eq(r.output.size, 950);
}
END_TEST

START_TEST(each_request_refused) {
  compress_to(&input, kinds[_i], data, sizeof data);
  for (size_t n = 1;; n++) {
    failing memory;
    pks_mem mem;
    failing_init(&memory, n);
    pks_base_mem_init(&mem, &memory.alloc, UINT64_MAX);
    pks_inflate *s = pks_inflate_new(&mem, kinds[_i], UINT64_MAX);
    if (s) {
      run r = {.inflate = s, .capacity = 4096};
      bool more = take_piece(&r, input.data, input.size);
      if (more) r.status = pks_inflate_finish(s);
      ck_assert(r.status == PKS_END || r.status == PKS_E_NO_MEMORY);
      ck_assert(r.status == PKS_END || memory.calls >= n);
    } else {
      ck_assert_int_eq(mem.status, PKS_E_NO_MEMORY);
    }
    pks_inflate_free(s);
    ck_assert_uint_eq(memory.blocks, 0);
    if (memory.calls < n) break;
  }
}
END_TEST

START_TEST(sniffing) {
  static const struct {
    const char *bytes;
    size_t size;
    pks_inflate_kind kind;
  } cases[] = {
      {"\x1f\x8b\x08", 3, PKS_INFLATE_GZIP}, {"\x1f\x8b\x07", 3, PKS_INFLATE_NONE},
      {"\x1f\x8b", 2, PKS_INFLATE_NONE},     {"\x78\x9c", 2, PKS_INFLATE_ZLIB},
      {"\x78\x01", 2, PKS_INFLATE_ZLIB},     {"\x78\xda", 2, PKS_INFLATE_ZLIB},
      {"\x78\x5e", 2, PKS_INFLATE_ZLIB},     {"\x78\x9d", 2, PKS_INFLATE_NONE},
      {"\x78\xbb", 2, PKS_INFLATE_NONE}, /* asks for a dictionary */
      {"\x80\x04", 2, PKS_INFLATE_NONE},     {"", 0, PKS_INFLATE_NONE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_msg(pks_inflate_sniff((const uint8_t *)cases[i].bytes, cases[i].size) ==
                      cases[i].kind,
                  "case %zu", i);
  ck_assert_str_eq(pks_inflate_name(PKS_INFLATE_GZIP), "gzip");
  ck_assert_str_eq(pks_inflate_name(PKS_INFLATE_ZLIB), "zlib");
  ck_assert_str_eq(pks_inflate_name(PKS_INFLATE_NONE), "raw");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("inflate");
  TCase *all = tcase_create("inflate");
  suite_add_tcase(suite, all);
  tcase_add_checked_fixture(all, setup, NULL);
  tcase_add_loop_test(all, any_cut_gives_the_same, 0, 2);
  tcase_add_test(all, gzip_members_and_padding);
  tcase_add_test(all, gzip_then_something_else);
  tcase_add_test(all, zlib_ends_at_its_end);
  tcase_add_loop_test(all, cut_short_at_every_byte, 0, 2);
  tcase_add_loop_test(all, corrupt_at_every_byte, 0, 2);
  tcase_add_loop_test(all, output_has_a_limit, 0, 2);
  tcase_add_test(all, limit_over_members);
  tcase_add_loop_test(all, each_request_refused, 0, 2);
  tcase_add_test(all, sniffing);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
