/* Claims: any bytes as a marshal stream, or as the arguments of a code object (first byte c), are read
 * to an end or to an error inside them, in memory that follows their size. Every code object found has
 * its likely versions among its candidates, and lists to its end under each; one with one candidate
 * uses the same as when that one's magic number is given (what a scan noted, and a reading of its own). */
#include "code/list.h"
#include "code/marshal.h"
#include "fuzz.h"

static pks_mem mem; /* these are set up and emptied for each input */
static pks_code_scratch scratch, again;
static pks_code_list list;
static pks_code_marshal marshal;

static void same_uses(const pks_code_facts *noted, const pks_code_value *args, size_t argc) {
  pks_code_facts read;
  uint16_t magic = pks_code_version_magic(pks_code_set_first(noted->set));
  FUZZ_CHECK(pks_code_inspect_as(&again, &mem, args, argc, magic, &read) == PKS_OK);
  FUZZ_CHECK(noted->import_count == read.import_count && noted->global_count == read.global_count);
  for (size_t i = 0; i < read.import_count; i++) {
    const pks_code_import *a = &noted->imports[i], *b = &read.imports[i];
    FUZZ_CHECK(a->offset == b->offset && a->name == b->name && a->level == b->level &&
               a->from == b->from && a->straight == b->straight);
  }
  for (size_t i = 0; i < read.global_count; i++) {
    const pks_code_global *a = &noted->globals[i], *b = &read.globals[i];
    FUZZ_CHECK(a->offset == b->offset && a->index == b->index && a->by_name == b->by_name &&
               a->straight == b->straight);
  }
}

static void one_code(const pks_code_value *args, size_t argc, unsigned flags) {
  pks_code_facts facts;
  pks_code_line line;
  FUZZ_CHECK(pks_code_inspect(&scratch, &mem, args, argc, flags, &facts) == PKS_OK);
  FUZZ_CHECK((facts.likely & ~facts.set) == 0 && (facts.set == 0) == (facts.kind == PKS_CODE_NONE));
  if (facts.kind == PKS_CODE_EXACT && !facts.given_magic && !flags) same_uses(&facts, args, argc);
  for (unsigned v = 0; v < PKS_CODE_VERSIONS; v++) {
    if (!(facts.set >> v & 1) || pks_code_list_start(&list, &mem, args, argc, flags, v)) continue;
    for (size_t end = 0; pks_code_list_next(&list, &line); end = line.end)
      FUZZ_CHECK(line.end > end);
    FUZZ_CHECK(list.at == list.size);
  }
}

/* Byte 1: shape and call; 2, 3: constants, names; 4: bytes of the line table; then that, bytecode. */
static void arguments(const uint8_t *data, size_t size) {
  pks_code_value args[18], items[64], *end;
  if (size < 5) return;
  size_t argc = (size_t[]){14, 15, 16, 18}[data[1] & 3],
         n = data[4] < size - 5 ? data[4] : size - 5;
  pks_code_value *code = &args[argc == 14 ? 4 : argc == 15 ? 5 : 6];
  for (size_t i = 0; i < 64; i++)
    items[i] = (pks_code_value){.kind = PKS_CV_STR, .text = {data, i & 3}};
  for (end = args; end < args + argc; end++) *end = (pks_code_value){.kind = PKS_CV_INT};
  code[-3].number = data[3] & 63; /* nlocals */
  code[-1].number = data[1] & 4 ? 3 : 67;
  code[0] = (pks_code_value){.kind = PKS_CV_BYTES, .text = {data + 5 + n, size - 5 - n}};
  code[1] = code[2] = code[3] = (pks_code_value){PKS_CV_TUPLE, 0, {0}, items, data[3] & 63};
  code[1].count = data[2] & 63;
  code[4] = code[5] = code[argc == 18 ? 6 : 5] = items[1];
  end[-1] = end[-2] = (pks_code_value){PKS_CV_TUPLE, 0, {0}, items, data[1] >> 6};
  end[-3] = end[argc == 18 ? -4 : -3] =
      (pks_code_value){.kind = PKS_CV_BYTES, .text = {data + 5, n}};
  one_code(args, argc, data[1] & 32 ? PKS_CODE_CLOUDPICKLE_OLD : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_memory memory;
  pks_alloc alloc = fuzz_memory_init(&memory, 200 * (uint64_t)size + 100000);
  pks_base_mem_init(&mem, &alloc, UINT64_MAX);
  if (size && data[0] == 'c') arguments(data, size);
  pks_status status =
      pks_code_marshal_any(&marshal, &mem, (pks_span){data + !!size, size - !!size});
  FUZZ_CHECK(status ? marshal.offset <= size : marshal.consumed <= size);
  for (size_t i = 0; i < marshal.codes.count; i++) {
    const pks_code_marshalled *code = &PKS_VEC_AT(&marshal.codes, pks_code_marshalled, i);
    one_code(code->args, code->argc, 0);
  }
  pks_code_list_free(&list, &mem);
  pks_code_scratch_free(&scratch, &mem);
  pks_code_scratch_free(&again, &mem);
  pks_code_marshal_free(&marshal, &mem);
  FUZZ_CHECK(memory.live == 0);
  return 0;
}
