/* code: what real interpreters compiled. tests/code/data has the sources of tests/code/samples as each
 * of them compiled and marshalled them (tests/code/make_samples.sh); no test here runs Python. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/codes_file.h"
#include "code/list.h"
#include "code/marshal_file.h"
#include "support/failing.h"

/* alone: how many of its code objects only this version can have made, at least, in percent; likely:
 * how many are said to be of it; with: what the others may also be. */
static const struct {
  const char *name;
  int version;
  unsigned alone, likely;
  pks_code_set with;
} files[] = {
    {"cpython-2.7", PKS_CODE_CPYTHON_2_7, 100, 100, 0},
    {"cpython-3.6", PKS_CODE_CPYTHON_3_6, 0, 30, PKS_CODE_BIT(PKS_CODE_CPYTHON_3_7)},
    {"cpython-3.7", PKS_CODE_CPYTHON_3_7, 25, 30, PKS_CODE_BIT(PKS_CODE_CPYTHON_3_6)},
    {"cpython-3.8", PKS_CODE_CPYTHON_3_8, 20, 35, PKS_CODE_BIT(PKS_CODE_CPYTHON_3_9)},
    {"cpython-3.9", PKS_CODE_CPYTHON_3_9, 25, 25, PKS_CODE_BIT(PKS_CODE_CPYTHON_3_8)},
    {"cpython-3.10", PKS_CODE_CPYTHON_3_10, 100, 100, 0},
    {"cpython-3.11", PKS_CODE_CPYTHON_3_11, 90, 90, PKS_CODE_BIT(PKS_CODE_CPYTHON_3_12)},
    {"cpython-3.12", PKS_CODE_CPYTHON_3_12, 85, 85, PKS_CODE_BIT(PKS_CODE_CPYTHON_3_11)},
    {"cpython-3.13", PKS_CODE_CPYTHON_3_13, 100, 100, 0},
    {"cpython-3.14", PKS_CODE_CPYTHON_3_14, 100, 100, 0},
    {"cpython-3.15", PKS_CODE_CPYTHON_3_15, 100, 100, 0},
    {"pypy-3.9", PKS_CODE_PYPY_3_9, 0, 0, 0},
};
#define FILES ((int)(sizeof files / sizeof *files))

static void open_codes(file *f, int i) {
  char path[80];
  snprintf(path, sizeof path, "tests/code/data/%s.codes", files[i].name);
  codes_open(f, path);
  ck_assert_str_eq(f->version, files[i].name);
}

static void close_codes(file *f) {
  free(f->values);
  free(f->data);
}

START_TEST(the_truth_is_a_candidate) {
  file f;
  record r;
  pks_mem mem;
  pks_code_scratch scratch = {0};
  pks_code_facts facts;
  pks_code_set truth = PKS_CODE_BIT(files[_i].version);
  bool pypy = files[_i].version == PKS_CODE_PYPY_3_9;
  unsigned count = 0, alone = 0, likely = 0;
  open_codes(&f, _i);
  pks_base_mem_init(&mem, NULL, UINT64_MAX);
  for (; codes_next(&f, &r); count++) {
    ck_assert_int_eq(pks_code_inspect(&scratch, &mem, r.args, r.argc, 0, &facts), PKS_OK);
    ck_assert(facts.scanned);
    ck_assert_msg((pypy ? facts.pypy : facts.set) & truth, "code object %u", count);
    if (pypy) continue;
    ck_assert_uint_eq(facts.set & ~(truth | files[_i].with), 0);
    ck_assert(facts.likely & truth);
    ck_assert_int_eq(facts.kind == PKS_CODE_EXACT, facts.set == truth);
    alone += facts.set == truth;
    likely += facts.likely == truth;
  }
  ck_assert_uint_ge(count, 30);
  ck_assert_uint_ge(alone * 100, files[_i].alone * count);
  ck_assert_uint_ge(likely * 100, files[_i].likely * count);
  pks_code_scratch_free(&scratch, &mem);
  ck_assert_uint_eq(mem.used, 0);
  close_codes(&f);
}
END_TEST

/* All code objects of a file together: the hard set is the truth alone, from 3.8 on. */
START_TEST(together_they_are_told) {
  file f;
  record r;
  pks_mem mem;
  pks_code_scratch scratch = {0};
  pks_code_facts facts;
  pks_code_join join = {0};
  pks_code_joint joint;
  if (files[_i].version == PKS_CODE_PYPY_3_9) return;
  open_codes(&f, _i);
  pks_base_mem_init(&mem, NULL, UINT64_MAX);
  while (codes_next(&f, &r)) {
    ck_assert_int_eq(pks_code_inspect(&scratch, &mem, r.args, r.argc, 0, &facts), PKS_OK);
    pks_code_join_add(&join, &facts);
  }
  pks_code_join_get(&join, &joint);
  ck_assert_uint_eq(joint.likely, PKS_CODE_BIT(files[_i].version));
  ck_assert_uint_eq(joint.set, PKS_CODE_BIT(files[_i].version));
  ck_assert_int_eq(joint.kind, PKS_CODE_EXACT);
  ck_assert(!joint.mixed);
  pks_code_scratch_free(&scratch, &mem);
  close_codes(&f);
}
END_TEST

static void same_uses(const pks_code_facts *a, const pks_code_facts *b) {
  const pks_code_import *imports = a->imports;
  const pks_code_global *globals = a->globals;
  ck_assert_uint_eq(a->import_count, b->import_count);
  for (size_t i = 0; i < a->import_count; i++) {
    ck_assert_uint_eq(imports[i].offset, b->imports[i].offset);
    ck_assert_uint_eq(imports[i].name, b->imports[i].name);
    ck_assert_int_eq(imports[i].level, b->imports[i].level);
    ck_assert_ptr_eq(imports[i].from, b->imports[i].from);
    ck_assert_int_eq(imports[i].straight, b->imports[i].straight);
  }
  ck_assert_uint_eq(a->global_count, b->global_count);
  for (size_t i = 0; i < a->global_count; i++) {
    ck_assert_uint_eq(globals[i].offset, b->globals[i].offset);
    ck_assert_uint_eq(globals[i].index, b->globals[i].index);
    ck_assert_int_eq(globals[i].straight, b->globals[i].straight);
    ck_assert_int_eq(globals[i].by_name, b->globals[i].by_name);
  }
}

/* What a scan notes on its way is what a reading of its own finds, where the magic number is given. */
START_TEST(scans_note_what_is_used) {
  file f;
  record r;
  pks_mem mem;
  pks_code_scratch one = {0}, two = {0};
  pks_code_facts noted, read;
  uint16_t magic = pks_code_version_magic((size_t)files[_i].version);
  size_t uses = 0;
  if (files[_i].version == PKS_CODE_PYPY_3_9) return; /* is never alone */
  open_codes(&f, _i);
  pks_base_mem_init(&mem, NULL, UINT64_MAX);
  while (codes_next(&f, &r)) {
    ck_assert_int_eq(pks_code_inspect(&one, &mem, r.args, r.argc, 0, &noted), PKS_OK);
    ck_assert_int_eq(pks_code_inspect_as(&two, &mem, r.args, r.argc, magic, &read), PKS_OK);
    if (noted.kind != PKS_CODE_CONFLICTING) same_uses(&noted, &read);
    uses += read.import_count + read.global_count;
  }
  ck_assert_uint_ge(uses, 10);
  pks_code_scratch_free(&one, &mem);
  pks_code_scratch_free(&two, &mem);
  ck_assert_uint_eq(mem.used, 0);
  close_codes(&f);
}
END_TEST

/* Instructions follow each other without a gap, all are known, jumps go to the start of one. */
START_TEST(listings_are_whole) {
  file f;
  record r;
  pks_mem mem;
  pks_code_list list = {0};
  pks_code_line line;
  open_codes(&f, _i);
  pks_base_mem_init(&mem, NULL, UINT64_MAX);
  while (codes_next(&f, &r)) {
    size_t at = 0;
    ck_assert_int_eq(
        pks_code_list_start(&list, &mem, r.args, r.argc, 0, (unsigned)files[_i].version), PKS_OK);
    while (pks_code_list_next(&list, &line)) {
      ck_assert_uint_eq(line.start, at);
      ck_assert_uint_ge(line.offset, at);
      ck_assert_uint_gt(line.end, line.offset);
      ck_assert(line.known);
      if (line.operand == PKS_OPERAND_JUMP) ck_assert_uint_lt(line.target, list.size);
      if (line.operand == PKS_OPERAND_CONST) ck_assert_ptr_nonnull(line.value);
      if (line.operand == PKS_OPERAND_NAME || line.operand == PKS_OPERAND_LOCAL ||
          line.operand == PKS_OPERAND_LOCALS || line.operand == PKS_OPERAND_OPERATOR)
        ck_assert_ptr_nonnull(line.text.data);
      at = line.end;
    }
    ck_assert_uint_eq(at, list.size);
  }
  pks_code_list_free(&list, &mem);
  ck_assert_uint_eq(mem.used, 0);
  close_codes(&f);
}
END_TEST

/* ---- marshal --------------------------------------------------------------------------------------- */

static void open_marshal(marshal_file *f, int i) {
  char path[80];
  snprintf(path, sizeof path, "tests/code/data/%s.marshal", files[i].name);
  marshal_open(f, path);
  ck_assert_int_eq(f->version, files[i].version);
}

START_TEST(marshal_gives_the_same_tree) {
  marshal_file f;
  marshal_entry entry;
  pks_mem mem;
  pks_code_marshal m = {0};
  int count = 0;
  open_marshal(&f, _i);
  pks_base_mem_init(&mem, NULL, UINT64_MAX);
  for (; marshal_next(&f, &entry); count++) {
    buffer out = {0};
    pks_code_shape shape = pks_code_version_shape((unsigned)f.version);
    ck_assert_int_eq(pks_code_marshal_read(&m, &mem, entry.stream, shape), PKS_OK);
    ck_assert_uint_eq(m.consumed, entry.stream.size);
    put_codes(&out, &m);
    ck_assert_uint_eq(out.size, entry.wanted.size);
    ck_assert_mem_eq(out.data, entry.wanted.data, out.size);
    ck_assert_int_eq(pks_code_marshal_any(&m, &mem, entry.stream), PKS_OK);
    ck_assert_int_eq(m.shape, shape);
    ck_assert_uint_eq(m.consumed, entry.stream.size);
    free(out.data);
  }
  ck_assert_int_ge(count, 2);
  pks_code_marshal_free(&m, &mem);
  ck_assert_uint_eq(mem.used, 0);
  free(f.data);
}
END_TEST

/* Cut anywhere, a stream is truncated; the block ends where the stream does. */
START_TEST(marshal_cut_short) {
  marshal_file f;
  marshal_entry entry;
  pks_mem mem;
  pks_code_marshal m = {0};
  open_marshal(&f, _i);
  pks_base_mem_init(&mem, NULL, UINT64_MAX);
  while (marshal_next(&f, &entry)) {
    size_t step = entry.stream.size / 64 + 1;
    for (size_t size = 0; size < entry.stream.size; size += step) {
      uint8_t *copy = malloc(size ? size : 1);
      memcpy(copy, entry.stream.data, size);
      pks_span cut = {copy, size};
      ck_assert_int_eq(
          pks_code_marshal_read(&m, &mem, cut, pks_code_version_shape((unsigned)f.version)),
          PKS_E_TRUNCATED);
      ck_assert_uint_le(m.offset, size);
      free(copy);
    }
  }
  pks_code_marshal_free(&m, &mem);
  free(f.data);
}
END_TEST

/* ---- memory ------------------------------------------------------------------------------------------- */

/* Reads one stream and inspects what is in it, all with an allocator that refuses one request. */
static bool work(failing *memory, pks_span stream, pks_code_shape shape, int version) {
  pks_mem mem;
  pks_code_marshal m = {0};
  pks_code_scratch scratch = {0};
  pks_code_list list = {0};
  pks_code_facts facts;
  pks_code_line line;
  pks_base_mem_init(&mem, &memory->alloc, UINT64_MAX);
  pks_status status = pks_code_marshal_read(&m, &mem, stream, shape);
  for (size_t i = 0; !status && i < m.codes.count; i++) {
    const pks_code_marshalled *code = &PKS_VEC_AT(&m.codes, pks_code_marshalled, i);
    status = pks_code_inspect(&scratch, &mem, code->args, code->argc, 0, &facts);
    if (!status)
      status = pks_code_list_start(&list, &mem, code->args, code->argc, 0, (unsigned)version);
    while (!status && pks_code_list_next(&list, &line)) continue;
  }
  if (status) ck_assert_int_eq(status, PKS_E_NO_MEMORY);
  pks_code_list_free(&list, &mem);
  pks_code_scratch_free(&scratch, &mem);
  pks_code_marshal_free(&m, &mem);
  ck_assert_uint_eq(mem.used, 0);
  ck_assert_uint_eq(memory->blocks, 0);
  return status == PKS_OK;
}

START_TEST(each_request_refused) {
  marshal_file f;
  marshal_entry entry;
  open_marshal(&f, _i);
  ck_assert(marshal_next(&f, &entry));
  pks_code_shape shape = pks_code_version_shape((unsigned)f.version);
  for (size_t n = 1;; n++) {
    failing memory;
    failing_init(&memory, n);
    bool done = work(&memory, entry.stream, shape, f.version);
    ck_assert_int_eq(done, memory.calls < n);
    if (done) break;
  }
  free(f.data);
}
END_TEST

/* Inspecting the same again asks for no memory. */
START_TEST(memory_is_kept) {
  file f;
  record r;
  failing memory;
  pks_mem mem;
  pks_code_scratch scratch = {0};
  pks_code_facts facts;
  open_codes(&f, _i);
  failing_init(&memory, 0);
  pks_base_mem_init(&mem, &memory.alloc, UINT64_MAX);
  size_t start = f.at;
  for (int round = 0; round < 2; round++) {
    size_t calls = memory.calls;
    f.at = start;
    while (codes_next(&f, &r))
      ck_assert_int_eq(pks_code_inspect(&scratch, &mem, r.args, r.argc, 0, &facts), PKS_OK);
    if (round) ck_assert_uint_eq(memory.calls, calls);
  }
  pks_code_scratch_free(&scratch, &mem);
  close_codes(&f);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("code, samples");
  TCase *codes = tcase_create("codes"), *marshal = tcase_create("marshal"),
        *memory = tcase_create("memory");
  tcase_add_loop_test(codes, the_truth_is_a_candidate, 0, FILES);
  tcase_add_loop_test(codes, together_they_are_told, 0, FILES);
  tcase_add_loop_test(codes, scans_note_what_is_used, 0, FILES);
  tcase_add_loop_test(codes, listings_are_whole, 0, FILES);
  tcase_add_loop_test(marshal, marshal_gives_the_same_tree, 0, FILES);
  tcase_add_loop_test(marshal, marshal_cut_short, 0, FILES);
  tcase_add_loop_test(memory, each_request_refused, 0, FILES);
  tcase_add_loop_test(memory, memory_is_kept, 0, FILES);
  suite_add_tcase(suite, codes);
  suite_add_tcase(suite, marshal);
  suite_add_tcase(suite, memory);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
