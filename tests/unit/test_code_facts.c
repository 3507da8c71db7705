/* facts: code that marshal wrote, .pyc files, listings, packages of relative imports; cut, mutated, with memory
 * refused, and large. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "facts/facts.h"
#include "support/asm.h"
#include "support/failing.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static pickle read_file(const char *name) {
  char path[128];
  pickle p = {0};
  uint8_t buffer[4096];
  size_t size;
  snprintf(path, sizeof path, "tests/code/files/%s", name);
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "%s", path);
  while ((size = fread(buffer, 1, sizeof buffer, file)) > 0) pickle_add_raw(&p, buffer, size);
  fclose(file);
  pickle_fit(&p);
  return p;
}

static pks_inspector *new_inspector(bool listings, uint64_t memory, const pks_alloc *alloc) {
  pks_options options = {.size = sizeof options};
  pks_limits limits = {.size = sizeof limits};
  ck_assert_int_eq(pks_options_init(&options), PKS_OK);
  ck_assert_int_eq(pks_limits_init(&limits), PKS_OK);
  options.listings = listings;
  if (memory) limits.max_memory = memory;
  return pks_inspector_new(&options, &limits, alloc);
}

static pks_summary summary_of(const pks_inspector *f) {
  pks_summary s = {.size = sizeof s};
  pks_inspector_summary(f, &s);
  return s;
}

static pks_code code_of(const pks_inspector *f, size_t index) {
  pks_code code = {.size = sizeof code};
  ck_assert_int_eq(pks_inspector_code(f, index, &code), PKS_OK);
  return code;
}

static bool is(pks_span span, const char *text) {
  return span.size == strlen(text) && memcmp(span.data, text, span.size) == 0;
}

/* ---- files ----------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  pks_payload_format format;
  uint16_t magic; /* 0: several */
  const char *how;
  uint64_t offset; /* of the module's code */
} files[] = {
    {"cp27.pyc", PKS_PAYLOAD_PYC, 62211, "pyc", 8},
    {"cp36.pyc", PKS_PAYLOAD_PYC, 3379, "pyc", 12},
    {"cp39.pyc", PKS_PAYLOAD_PYC, 3425, "pyc", 16},
    {"cp39-hash.pyc", PKS_PAYLOAD_PYC, 3425, "pyc", 16},
    {"cp312.pyc", PKS_PAYLOAD_PYC, 3531, "pyc", 16},
    {"cp312-hash.pyc", PKS_PAYLOAD_PYC, 3531, "pyc", 16},
    {"cp313.pyc", PKS_PAYLOAD_PYC, 3571, "pyc", 16},
    {"pypy39.pyc", PKS_PAYLOAD_PYC, 336, "pyc", 16},
    {"cp27.marshal", PKS_PAYLOAD_MARSHAL, 62211, "marshal", 0},
    {"cp36.marshal", PKS_PAYLOAD_MARSHAL, 0, "marshal", 0},
    {"cp39.marshal", PKS_PAYLOAD_MARSHAL, 3425, "marshal", 0}, /* by one of its code objects */
    {"cp312.marshal", PKS_PAYLOAD_MARSHAL, 3531, "marshal", 0},
    {"cp313.marshal", PKS_PAYLOAD_MARSHAL, 3571, "marshal", 0},
};

static void check_module(const pks_inspector *f, size_t index) {
  pks_code code = code_of(f, index);
  ck_assert(is(code.name, "<module>"));
  ck_assert(is(code.file, "job.py"));
  ck_assert_uint_eq(code.import_count, 3);
  ck_assert(is(code.imports[0].module, "os"));
  /* Python 2 may look beside the module first */
  if (code.imports[0].level == 0) ck_assert(is(code.imports[0].absolute, "os"));
  if (code.imports[0].level != 0) ck_assert_int_eq(code.imports[0].level, -1);
  ck_assert_int_eq(code.imports[1].level, 1);
  ck_assert_uint_eq(code.imports[1].module.size, 0);
  ck_assert_ptr_null(code.imports[1].absolute.data);
  ck_assert(is(code.imports[1].names[0], "sibling"));
  ck_assert_int_eq(code.imports[2].level, 2);
  ck_assert(is(code.imports[2].module, "up"));
  ck_assert_uint_eq(code.imports[2].name_count, 2);
  ck_assert(is(code.imports[2].names[1], "c"));
  ck_assert(code.imports[2].straight);
  ck_assert_int_eq(code.argcount, 0);
  ck_assert_int_ge(code.flags, 0x40 & code.flags);
  pks_code inner = code_of(f, index - 1);
  ck_assert(is(inner.name, "f"));
  ck_assert_int_eq(inner.argcount, 2);
}

START_TEST(file_is) {
  pickle p = read_file(files[_i].name);
  pks_inspector *f = new_inspector(false, 0, NULL);
  pks_pyc pyc = {.size = sizeof pyc};
  pks_code all = {.size = sizeof all};
  size_t used = 0;
  ck_assert_int_eq(pks_inspect_code(f, files[_i].format, p.data, p.size, &used), PKS_END);
  ck_assert_uint_eq(used, p.size);
  pks_summary s = summary_of(f);
  ck_assert_int_eq(s.format, files[_i].format);
  ck_assert_int_eq(s.protocol, -1);
  ck_assert_int_eq(s.complete, 1);
  ck_assert_uint_eq(s.codes, 3);
  check_module(f, 2);
  ck_assert_str_eq(code_of(f, 2).how, files[_i].how);
  ck_assert_uint_eq(code_of(f, 2).offset, files[_i].offset);
  ck_assert_int_eq(pks_inspector_bytecode(f, &all), PKS_OK);
  if (files[_i].magic) {
    ck_assert_uint_eq(all.magic_count, 1);
    ck_assert_uint_eq(all.magic[0], files[_i].magic);
    ck_assert_uint_eq(all.likely, files[_i].magic);
  }
  bool is_pyc = files[_i].format == PKS_PAYLOAD_PYC;
  ck_assert_int_eq(pks_inspector_pyc(f, &pyc), is_pyc ? PKS_OK : PKS_E_USAGE);
  if (is_pyc) {
    bool hash = strstr(files[_i].name, "hash") != NULL;
    ck_assert_uint_eq(pyc.magic, files[_i].magic);
    ck_assert_int_eq(pyc.hashed, hash);
    ck_assert_int_eq(pyc.checked, hash);
    if (hash) ck_assert_uint_ne(pyc.source_hash, 0);
    if (!hash) ck_assert_uint_eq(pyc.source_time, 1700000000);
  }
  /* no pickle in pieces */
  pks_input in = {p.data, p.size, 0};
  ck_assert_int_eq(pks_inspector_feed(f, &in), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspector_finish(f), PKS_E_USAGE);
  pks_inspector_free(f);
  pickle_free(&p);
}
END_TEST

/* Cut anywhere it is an error that says where, in a block of exactly that size. */
START_TEST(file_is_cut) {
  pickle p = read_file(files[_i].name);
  pks_inspector *f = new_inspector(false, 0, NULL);
  for (size_t size = 0; size < p.size; size++) {
    uint8_t *data = malloc(size ? size : 1);
    pks_error error = {.size = sizeof error};
    memcpy(data, p.data, size);
    pks_status status = pks_inspect_code(f, files[_i].format, data, size, NULL);
    ck_assert_int_ne(status, PKS_END);
    pks_inspector_error(f, &error);
    ck_assert_int_eq(error.status, status);
    ck_assert_uint_le(error.offset, size);
    ck_assert_ptr_null(error.opcode);
    ck_assert_int_eq(summary_of(f).complete, 0);
    free(data);
  }
  pks_inspector_free(f);
  pickle_free(&p);
}
END_TEST

START_TEST(file_is_mutated) {
  pickle p = read_file(files[_i].name);
  pks_inspector *f = new_inspector(true, 0, NULL);
  pks_listing *listing = pks_listing_new(NULL, NULL);
  pks_instruction instruction = {.size = sizeof instruction};
  static const uint8_t changes[] = {0x01, 0x80, 0xff, 0x20};
  for (size_t at = 0; at < p.size; at++)
    for (size_t k = 0; k < COUNT(changes); k++) {
      p.data[at] ^= changes[k];
      pks_status status = pks_inspect_code(f, files[_i].format, p.data, p.size, NULL);
      ck_assert_int_ne(status, PKS_OK);
      for (size_t i = 0; i < summary_of(f).codes; i++) {
        pks_code code = code_of(f, i);
        uint16_t magic = code.magic_count ? code.magic[0] : 3531;
        if (pks_listing_start(listing, f, i, magic) != PKS_OK) continue;
        while (pks_listing_next(listing, &instruction) == PKS_OK) continue;
      }
      p.data[at] ^= changes[k];
    }
  pks_listing_free(listing);
  pks_inspector_free(f);
  pickle_free(&p);
}
END_TEST

START_TEST(file_is_refused) {
  pks_inspector *f = new_inspector(false, 0, NULL);
  pks_error error = {.size = sizeof error};
  ck_assert_int_eq(pks_inspect_code(NULL, PKS_PAYLOAD_PYC, "", 0, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspect_code(f, PKS_PAYLOAD_PICKLE, "", 0, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspect_code(f, PKS_PAYLOAD_PYC, NULL, 1, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_inspect_code(f, PKS_PAYLOAD_PYC, "\1\0\r\n", 4, NULL), PKS_E_PYTHON);
  ck_assert_int_eq(pks_inspect_code(f, PKS_PAYLOAD_MARSHAL, "N", 1, NULL), PKS_E_CODE);
  /* GraalPy: whose it is, and no more */
  ck_assert_int_eq(
      pks_inspect_code(f, PKS_PAYLOAD_PYC, "\x2a\x53\r\n\0\0\0\0\0\0\0\0\0\0\0\0C", 17, NULL),
      PKS_E_FORMAT);
  pks_inspector_error(f, &error);
  ck_assert_uint_eq(error.offset, 16);
  ck_assert_str_eq(code_of(f, 0).python[0], "graalpy-3.11");
  /* and a pickle after it */
  ck_assert_int_eq(pks_inspect(f, "N.", 2, NULL), PKS_END);
  ck_assert_int_eq(summary_of(f).format, PKS_PAYLOAD_PICKLE);
  ck_assert_uint_eq(summary_of(f).codes, 0);
  pks_inspector_free(f);
}
END_TEST

/* ---- marshal.loads ---------------------------------------------------------------------------------- */

static const char *const loads[] = {
    "cp27-loads-p0.pkl",  "cp27-loads-p2.pkl",  "cp36-loads-p2.pkl",
    "cp36-loads-p4.pkl",  "cp39-loads-p2.pkl",  "cp312-loads-p0.pkl",
    "cp312-loads-p2.pkl", "cp312-loads-p4.pkl", "pypy39-loads-p2.pkl"};

static void check_loads(pks_inspector *f) {
  ck_assert_uint_eq(summary_of(f).codes, 3);
  check_module(f, 2);
  ck_assert_str_eq(code_of(f, 2).how, "marshal");
  ck_assert_uint_gt(code_of(f, 2).magic_count, 0);
  ck_assert_uint_gt(summary_of(f).calls, 0);
}

static void feed_cut(void *user, const uint8_t *data, size_t size) {
  pks_input in = {data, size, 0};
  pks_status status = pks_inspector_feed(user, &in);
  ck_assert(status == PKS_NEED_MORE || status == PKS_END);
}

START_TEST(loads_is) {
  static const char *const encodings[] = {NULL, "latin1", "bytes", "utf-8"};
  pickle p = read_file(loads[_i]);
  for (size_t e = 0; e < (_i < 2 ? COUNT(encodings) : 1); e++) {
    pks_options options = {.size = sizeof options};
    ck_assert_int_eq(pks_options_init(&options), PKS_OK);
    options.encoding = encodings[e];
    pks_limits limits = {.size = sizeof limits};
    ck_assert_int_eq(pks_limits_init(&limits), PKS_OK);
    limits.max_name = 4096; /* protocol 0 spells bytes as text */
    pks_inspector *f = pks_inspector_new(&options, &limits, NULL);
    /* Python 3 would fail to decode it as UTF-8 */
    if (!encodings[e] || strcmp(encodings[e], "utf-8") != 0) {
      ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
      check_loads(f);
      pks_inspector_reset(f);
      for (size_t at = 0; at < p.size; at += 7)
        feed_cut(f, p.data + at, p.size - at < 7 ? p.size - at : 7);
      check_loads(f);
      ck_assert_int_eq(summary_of(f).limit, PKS_OK);
    } else {
      ck_assert_int_ne(pks_inspect(f, p.data, p.size, NULL), PKS_OK);
    }
    pks_inspector_free(f);
  }
  pickle_free(&p);
}
END_TEST

/* In pieces a long text is not kept: that is said. */
START_TEST(loads_not_kept) {
  pickle p = read_file("cp312-loads-p0.pkl");
  pks_inspector *f = new_inspector(false, 0, NULL);
  feed_cut(f, p.data, 100);
  feed_cut(f, p.data + 100, p.size - 100);
  ck_assert_uint_eq(summary_of(f).codes, 1);
  ck_assert_int_eq(code_of(f, 0).kind, PKS_CANDIDATES_NONE);
  ck_assert_int_eq(summary_of(f).limit, PKS_E_LIMIT_CODE);
  ck_assert_int_eq(summary_of(f).complete, 0);
  pks_inspector_free(f);
  pickle_free(&p);
}
END_TEST

/* Its argument's bytes are no marshal, or not there. */
START_TEST(loads_without_code) {
  static const struct {
    const char *program;
    size_t codes;
  } rows[] = {
      {"GLOBAL 'marshal' 'loads' SHORT_BINBYTES 'i%05%00%00%00' TUPLE1 REDUCE", 0},
      {"GLOBAL 'marshal' 'loads' SHORT_BINBYTES 'N' TUPLE1 REDUCE", 0},
      {"GLOBAL 'marshal' 'loads' SHORT_BINBYTES '' TUPLE1 REDUCE", 1},
      {"GLOBAL 'marshal' 'loads' SHORT_BINBYTES 'c%00%00' TUPLE1 REDUCE", 1},
      {"GLOBAL '_marshal' 'loads' SHORT_BINBYTES 'c%00%00' TUPLE1 REDUCE", 1},
      {"SHORT_BINUNICODE 'marshal' SHORT_BINUNICODE 'loads' STACK_GLOBAL SHORT_BINBYTES 'c' TUPLE1 "
       "REDUCE",
       1},
      {"GLOBAL 'marshal' 'loads' GLOBAL 'm' 'data' TUPLE1 REDUCE", 1},
      {"GLOBAL 'marshal' 'loads' NONE TUPLE1 REDUCE", 1},
      {"GLOBAL 'marshal' 'loads' EMPTY_TUPLE REDUCE", 1},
      {"GLOBAL 'marshal' 'loads' GLOBAL 'm' 'args' REDUCE", 1},
      {"GLOBAL 'marshal' 'load' SHORT_BINBYTES 'c' TUPLE1 REDUCE", 0},
      {"MARK SHORT_BINBYTES 'c' INST 'marshal' 'loads'", 1},
  };
  pks_inspector *f = new_inspector(false, 0, NULL);
  for (size_t i = 0; i < COUNT(rows); i++) {
    pickle p = {0};
    pickle_add(&p, rows[i].program);
    pickle_add(&p, "STOP");
    pickle_fit(&p);
    ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
    ck_assert_msg(summary_of(f).codes == rows[i].codes, "%s", rows[i].program);
    ck_assert_uint_eq(summary_of(f).calls, 1);
    if (rows[i].codes) {
      pks_code code = code_of(f, 0);
      ck_assert_str_eq(code.how, "marshal");
      ck_assert_int_eq(code.kind, PKS_CANDIDATES_NONE);
      ck_assert_uint_eq(code.magic_count, 0);
      ck_assert_int_eq(code.flags, -1);
      ck_assert_uint_eq(code.offset, p.size - 2 - (strstr(rows[i].program, "INST") ? 14 : 0));
    }
    pickle_free(&p);
  }
  pks_inspector_free(f);
}
END_TEST

/* A stream cut anywhere leaves the call reported and one code object that nobody can tell. */
START_TEST(loads_cut) {
  pickle code = read_file("cp312.marshal");
  pks_inspector *f = new_inspector(false, 0, NULL);
  for (size_t size = 0; size < code.size; size++) {
    pickle p = {0};
    pickle_add(&p, "GLOBAL 'marshal' 'loads'");
    pickle_add_text(&p, pickle_opcode("BINBYTES", 8), code.data, size);
    pickle_add(&p, "TUPLE1 REDUCE STOP");
    pickle_fit(&p);
    ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
    pks_summary s = summary_of(f);
    ck_assert_uint_eq(s.calls, 1);
    ck_assert_uint_ge(s.codes, 1);
    ck_assert_int_eq(code_of(f, s.codes - 1).kind, PKS_CANDIDATES_NONE);
    pickle_free(&p);
  }
  pks_inspector_free(f);
  pickle_free(&code);
}
END_TEST

/* ---- packages ---------------------------------------------------------------------------------------- */

START_TEST(package_is_known) {
  pickle p = read_file("cp312-package.pkl");
  pks_inspector *f = new_inspector(false, 0, NULL);
  ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
  pks_code code = code_of(f, 1);
  ck_assert_uint_eq(code.import_count, 2);
  ck_assert(is(code.imports[1].module, "deep"));
  ck_assert_int_eq(code.imports[1].level, 1);
  ck_assert(is(code.imports[1].absolute, "pkg.sub.deep"));
  ck_assert_uint_eq(code.imports[1].name_count, 2);
  ck_assert(is(code.imports[1].names[0], "q") && is(code.imports[1].names[1], "r"));
  pks_inspector_free(f);
  pickle_free(&p);
}
END_TEST

/* Functions of code that marshal wrote, with globals that say where they are from; nested code, too. */
START_TEST(package_of_globals) {
  static const struct {
    const char *globals, *sibling, *up, *deep;
  } rows[] = {
      {"EMPTY_DICT", NULL, NULL, NULL},
      {"EMPTY_DICT SHORT_BINUNICODE '__package__' SHORT_BINUNICODE 'p.q' SETITEM", "p.q", "p.up",
       "p.q.deep"},
      {"EMPTY_DICT SHORT_BINUNICODE '__name__' SHORT_BINUNICODE 'p.q.m' SETITEM", "p.q", "p.up",
       "p.q.deep"},
      {"EMPTY_DICT SHORT_BINUNICODE '__name__' SHORT_BINUNICODE 'm' SETITEM", NULL, NULL, NULL},
      {"EMPTY_DICT SHORT_BINUNICODE '__package__' SHORT_BINUNICODE 'p' SETITEM", "p", NULL,
       "p.deep"},
      {"BININT1 0 EMPTY_DICT SHORT_BINUNICODE '__package__' SHORT_BINUNICODE 'p' SETITEM", "p",
       NULL, "p.deep"},
  };
  pickle code = read_file("cp312.marshal");
  pks_inspector *f = new_inspector(false, 0, NULL);
  for (size_t i = 0; i < COUNT(rows); i++) {
    pickle p = {0};
    pickle_add(&p, "GLOBAL 'types' 'FunctionType' MARK GLOBAL 'marshal' 'loads'");
    pickle_add_text(&p, pickle_opcode("BINBYTES", 8), code.data, code.size);
    pickle_add(&p, "TUPLE1 REDUCE");
    pickle_add(&p, rows[i].globals);
    pickle_add(&p, "TUPLE REDUCE STOP");
    pickle_fit(&p);
    ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
    const char *want[] = {rows[i].sibling, rows[i].up, rows[i].deep};
    pks_span got[] = {code_of(f, 2).imports[1].absolute, code_of(f, 2).imports[2].absolute,
                      code_of(f, 1).imports[1].absolute};
    for (size_t k = 0; k < 3; k++) ck_assert(want[k] ? is(got[k], want[k]) : !got[k].data);
    pickle_free(&p);
  }
  pks_inspector_free(f);
  pickle_free(&code);
}
END_TEST

/* ---- listings ---------------------------------------------------------------------------------------- */

START_TEST(listing_calls) {
  pickle p = read_file("cp312-package.pkl"), q = read_file("cp312.pyc");
  pks_inspector *f = new_inspector(true, 0, NULL), *without = new_inspector(false, 0, NULL);
  pks_listing *l = pks_listing_new(NULL, NULL);
  pks_instruction i = {.size = sizeof i};
  ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
  ck_assert_int_eq(pks_inspect(without, p.data, p.size, NULL), PKS_END);
  ck_assert_int_eq(pks_listing_start(NULL, f, 0, 3531), PKS_E_USAGE);
  ck_assert_int_eq(pks_listing_start(l, NULL, 0, 3531), PKS_E_USAGE);
  ck_assert_int_eq(pks_listing_start(l, f, 2, 3531), PKS_E_USAGE);
  ck_assert_int_eq(pks_listing_start(l, f, 0, 1), PKS_E_PYTHON);
  ck_assert_int_eq(pks_listing_start(l, f, 0, 21290), PKS_E_PYTHON);
  ck_assert_int_eq(pks_listing_start(l, without, 0, 3531), PKS_E_USAGE);
  ck_assert_int_eq(pks_listing_next(l, &i), PKS_END);
  ck_assert_int_eq(pks_listing_start(l, f, 1, 3531), PKS_OK);
  ck_assert_int_eq(pks_listing_next(l, NULL), PKS_E_USAGE);
  ck_assert_int_eq(pks_listing_next(l, &i), PKS_OK);
  ck_assert_str_eq(i.name, "MAKE_CELL");
  ck_assert(is(i.text, "y"));
  /* what marshal wrote is read again, whatever the options */
  ck_assert_int_eq(pks_inspect_code(without, PKS_PAYLOAD_PYC, q.data, q.size, NULL), PKS_END);
  for (size_t code = 3; code-- > 0;) {
    ck_assert_int_eq(pks_listing_start(l, without, code, 3531), PKS_OK);
    ck_assert_int_eq(pks_listing_next(l, &i), PKS_OK);
    ck_assert_str_eq(i.name, code == 2 ? "RESUME" : code ? "MAKE_CELL" : "COPY_FREE_VARS");
  }
  pks_listing_free(l);
  pks_listing_free(NULL);
  pks_inspector_free(f);
  pks_inspector_free(without);
  pickle_free(&p);
  pickle_free(&q);
}
END_TEST

/* ---- memory ------------------------------------------------------------------------------------------- */

/* Everything above with the n-th request refused, for each n. */
static bool work_with(const pks_alloc *alloc, const pickle *p, pks_payload_format format) {
  pks_inspector *f = new_inspector(true, 0, alloc);
  pks_listing *l = pks_listing_new(NULL, alloc);
  pks_instruction i = {.size = sizeof i};
  bool done = false;
  if (f && l) {
    pks_status status = format == PKS_PAYLOAD_PICKLE
                            ? pks_inspect(f, p->data, p->size, NULL)
                            : pks_inspect_code(f, format, p->data, p->size, NULL);
    ck_assert_msg(status == PKS_END || status == PKS_E_NO_MEMORY, "%d", status);
    done = status == PKS_END;
    for (size_t code = 0; done && code < summary_of(f).codes; code++) {
      status = pks_listing_start(l, f, code, 3531);
      ck_assert(status == PKS_OK || status == PKS_E_NO_MEMORY);
      done = status == PKS_OK;
      while (done && pks_listing_next(l, &i) == PKS_OK) continue;
    }
  }
  pks_listing_free(l);
  pks_inspector_free(f);
  return done;
}

START_TEST(memory_is_refused) {
  static const struct {
    const char *name;
    pks_payload_format format;
  } rows[] = {{"cp312.pyc", PKS_PAYLOAD_PYC},
              {"cp312-loads-p2.pkl", PKS_PAYLOAD_PICKLE},
              {"cp312-package.pkl", PKS_PAYLOAD_PICKLE}};
  pickle p = read_file(rows[_i].name);
  bool done = false;
  for (size_t n = 1; !done; n++) {
    failing memory;
    failing_init(&memory, n);
    done = work_with(&memory.alloc, &p, rows[_i].format);
    ck_assert_uint_eq(memory.blocks, 0);
    ck_assert_uint_lt(n, 10000);
  }
  pickle_free(&p);
}
END_TEST

/* ---- large ---------------------------------------------------------------------------------------------- */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* co_code of `units` instructions, in the constructor's arguments of 3.8. */
static pickle long_code(size_t units) {
  pickle p = {0};
  uint8_t *code = malloc(units * 2);
  for (size_t i = 0; i < units; i++) {
    code[i * 2] = i + 1 == units ? 83 : i % 2 ? 1 : 100; /* LOAD_CONST, POP_TOP; RETURN_VALUE */
    code[i * 2 + 1] = 0;
  }
  code[units * 2 - 4] = 100;
  pickle_add(&p, "GLOBAL 'types' 'CodeType' MARK BININT1 0 BININT1 0 BININT1 0 BININT1 0 BININT1 1 "
                 "BININT1 0x43");
  pickle_add_text(&p, pickle_opcode("BINBYTES", 8), code, units * 2);
  pickle_add(&p, "NONE TUPLE1 EMPTY_TUPLE EMPTY_TUPLE SHORT_BINUNICODE 'a' SHORT_BINUNICODE 'f' "
                 "BININT1 1 SHORT_BINBYTES '' EMPTY_TUPLE EMPTY_TUPLE TUPLE REDUCE STOP");
  free(code);
  return p;
}

static pickle many_loads(size_t count) {
  pickle code = read_file("cp312.marshal"), p = {0};
  pickle_add(&p, "EMPTY_LIST MARK");
  for (size_t i = 0; i < count; i++) {
    pickle_add(&p, "GLOBAL 'marshal' 'loads'");
    pickle_add_text(&p, pickle_opcode("BINBYTES", 8), code.data, code.size);
    pickle_add(&p, "TUPLE1 REDUCE");
  }
  pickle_add(&p, "APPENDS STOP");
  pickle_free(&code);
  return p;
}

/* One marshal stream: a tuple of small code objects. */
static pickle many_codes(size_t count) {
  pickle p = {0};
  uint8_t head[5] = {'(', (uint8_t)count, (uint8_t)(count >> 8), (uint8_t)(count >> 16), 0};
  pickle stream = {0};
  pickle_add_raw(&stream, head, 5);
  static const uint8_t small[] =
      "c\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\x43\0\0\0s\4\0\0\0d\0S\0)\1N)\0)\0"
      ")\0)\0z\1az\1f\1\0\0\0s\0\0\0";
  for (size_t i = 0; i < count; i++) pickle_add_raw(&stream, small, sizeof small);
  pickle_add(&p, "GLOBAL 'marshal' 'loads'");
  pickle_add_text(&p, pickle_opcode("BINBYTES", 8), stream.data, stream.size);
  pickle_add(&p, "TUPLE1 REDUCE STOP");
  pickle_free(&stream);
  return p;
}

static double time_of(pickle p, size_t codes, pks_candidates kind) {
  pks_inspector *f = new_inspector(false, (uint64_t)1 << 30, NULL);
  double best = 1e9;
  for (int run = 0; run < 3; run++) {
    double start = seconds();
    ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
    double spent = seconds() - start;
    if (spent < best) best = spent;
  }
  ck_assert_uint_eq(summary_of(f).codes, codes);
  ck_assert_int_eq(summary_of(f).limit, PKS_OK);
  ck_assert_int_eq(code_of(f, codes - 1).kind, kind);
  pks_inspector_free(f);
  pickle_free(&p);
  return best;
}

/* Eight times as much takes about eight times as long. */
START_TEST(bytecode_of_10_mib) {
  size_t units = (size_t)5 << 20;
  double small = time_of(long_code(units / 8), 1, PKS_CANDIDATES_EQUIVALENT);
  double large = time_of(long_code(units), 1, PKS_CANDIDATES_EQUIVALENT);
  ck_assert_msg(large < 24 * small + 0.05, "%g and %g s", small, large);
}
END_TEST

START_TEST(code_objects_100000) {
  double small = time_of(many_codes(12500), 12500, PKS_CANDIDATES_EQUIVALENT);
  double large = time_of(many_codes(100000), 100000, PKS_CANDIDATES_EQUIVALENT);
  ck_assert_msg(large < 24 * small + 0.05, "%g and %g s", small, large);
  small = time_of(many_loads(4200), 12600, PKS_CANDIDATES_EXACT);
  large = time_of(many_loads(33600), 100800, PKS_CANDIDATES_EXACT);
  ck_assert_msg(large < 24 * small + 0.05, "%g and %g s", small, large);
}
END_TEST

/* What is named many times is looked at a bounded number of times. */
START_TEST(shared_arguments) {
  pickle p = {0};
  uint8_t *bytes = calloc(1, 1 << 20);
  pickle_add_text(&p, pickle_opcode("BINBYTES", 8), bytes, 1 << 20);
  pickle_add(&p, "BINPUT 0 POP GLOBAL 'marshal' 'loads' BINPUT 1 POP GLOBAL 'types' 'CodeType' "
                 "BINPUT 2 POP MARK");
  for (int i = 0; i < 30000; i++) pickle_add(&p, "NONE");
  pickle_add(&p, "TUPLE BINPUT 3 POP MARK");
  for (int i = 0; i < 20000; i++)
    pickle_add(&p,
               "BINGET 1 BINGET 0 TUPLE1 REDUCE BINGET 2 MARK BINGET 3 BINGET 3 BINGET 0 BINGET 0 "
               "TUPLE REDUCE");
  pickle_add(&p, "LIST STOP");
  pks_inspector *f = new_inspector(false, (uint64_t)1 << 30, NULL);
  double start = seconds();
  ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
  ck_assert_msg(seconds() - start < 20, "%g s", seconds() - start);
  ck_assert_int_eq(summary_of(f).limit, PKS_E_LIMIT_MEMORY);
  ck_assert_uint_ge(summary_of(f).codes, 40000);
  pks_inspector_free(f);
  pickle_free(&p);
  free(bytes);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("code_facts");
  TCase *tc = tcase_create("files");
  tcase_add_loop_test(tc, file_is, 0, COUNT(files));
  tcase_add_loop_test(tc, file_is_cut, 0, COUNT(files));
  tcase_add_loop_test(tc, file_is_mutated, 0, COUNT(files));
  tcase_add_test(tc, file_is_refused);
  suite_add_tcase(suite, tc);
  tc = tcase_create("loads");
  tcase_add_loop_test(tc, loads_is, 0, COUNT(loads));
  tcase_add_test(tc, loads_not_kept);
  tcase_add_test(tc, loads_without_code);
  tcase_add_test(tc, loads_cut);
  suite_add_tcase(suite, tc);
  tc = tcase_create("packages");
  tcase_add_test(tc, package_is_known);
  tcase_add_test(tc, package_of_globals);
  suite_add_tcase(suite, tc);
  tc = tcase_create("listings");
  tcase_add_test(tc, listing_calls);
  tcase_add_loop_test(tc, memory_is_refused, 0, 3);
  suite_add_tcase(suite, tc);
  tc = tcase_create("large");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, bytecode_of_10_mib);
  tcase_add_test(tc, code_objects_100000);
  tcase_add_test(tc, shared_arguments);
  suite_add_tcase(suite, tc);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
