#include "support/rig.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/asm.h"
#include "support/trace.h"

static void must(bool good, const char *what, const char *want, const char *got) {
  if (good) return;
  fprintf(stderr, "rig: %s: %s, not %s\n", what, got, want);
  abort();
}

static rig *rig_of(pks_machine *m) { return m->user; }

static void put_value(const pks_machine *m, FILE *out, pks_value v) {
  static const char *const names[] = {
      "(none)",    "None",   "False",  "True",   "int",  "bigint",    "float",  "str",  "bytes",
      "frozenset", "tuple",  "set",    "list",   "dict", "bytearray", "list",   "dict", "bytearray",
      "view",      "global", "object", "persid", "ext",  "buffer",    "unknown"};
  unsigned kind = pks_kind(v);
  size_t count = 0;
  fputs(names[kind], out);
  if (kind == PKS_V_INT) fprintf(out, " %" PRId64, pks_int(v));
  if (kind == PKS_V_GLOBAL || kind == PKS_V_OBJECT) fprintf(out, " %" PRIu64, pks_payload(v));
  if (kind == PKS_V_TUPLE) {
    pks_machine_tuple(m, v, &count);
    fprintf(out, " %zu", count);
  }
  if (kind == PKS_V_LIST || kind == PKS_V_LIST_REF)
    fprintf(out, " %" PRIu64, pks_machine_state(m, v));
  if (kind == PKS_V_BYTEARRAY || kind == PKS_V_BYTEARRAY_REF)
    fprintf(out, " %" PRIu64, pks_machine_state(m, v) & PKS_BYTEARRAY_LENGTH);
}

static void put(pks_machine *m, const char *what, const char *name, pks_value v, uint64_t offset) {
  FILE *out = rig_of(m)->out;
  fprintf(out, "%s@%" PRIu64 "%s%s ", what, offset, *name ? " " : "", name);
  if (v) put_value(m, out, v);
  fputs("; ", out);
}

static pks_value on_lookup(pks_machine *m, int op, pks_span module, pks_span name, bool certain,
                           uint64_t offset) {
  fprintf(rig_of(m)->out, "lookup@%" PRIu64 " %s %.*s %.*s%s; ", offset, pks_decode_ops[op].name,
          (int)module.size, (const char *)module.data, (int)name.size, (const char *)name.data,
          certain ? "" : "?");
  return pks_make(PKS_V_GLOBAL, rig_of(m)->lookups++);
}
static void on_again(pks_machine *m, pks_value global) { put(m, "again", "", global, m->offset); }
static pks_value on_call(pks_machine *m, int op, pks_value callee, pks_value args,
                         uint64_t offset) {
  put(m, "call", pks_decode_ops[op].name, callee, offset);
  put(m, "with", "", args, offset);
  return pks_make(PKS_V_OBJECT, rig_of(m)->calls++);
}
static void on_build(pks_machine *m, pks_value object, pks_value state, uint64_t offset) {
  put(m, "build", "", object, offset);
  put(m, "state", "", state, offset);
}
static void on_method(pks_machine *m, int op, pks_value object, uint64_t count, uint64_t offset) {
  (void)count;
  put(m, "method", pks_decode_ops[op].name, object, offset);
}
static void on_key(pks_machine *m, pks_value object, uint64_t offset) {
  put(m, "key", "", object, offset);
}
static void on_item(pks_machine *m, uint64_t dict, pks_value key, pks_value value) {
  uint8_t buffer[32];
  pks_span text;
  must(pks_machine_text(m, key, buffer, sizeof buffer, &text), "a key has a text", "", "");
  fprintf(rig_of(m)->out, "item of %" PRIu64 " %.*s ", dict, (int)text.size,
          (const char *)text.data);
  put_value(m, rig_of(m)->out, value);
  fputs("; ", rig_of(m)->out);
}
static void on_persid(pks_machine *m, pks_value id, uint64_t offset) {
  put(m, "persid", "", id, offset);
}
static void on_buffer(pks_machine *m, uint64_t offset) { put(m, "buffer", "", 0, offset); }
static void on_extension(pks_machine *m, uint32_t code, uint64_t offset) {
  put(m, "extension", "", pks_make_int(code), offset);
}
static void on_assume(pks_machine *m, pks_assume what, uint64_t offset) {
  static const char *const names[] = {
#define X(id, text) #id,
      PKS_ASSUME_MAP(X)
#undef X
  };
  put(m, "assume", names[what], 0, offset);
}
static void on_encoding(pks_machine *m, uint64_t offset) { put(m, "encoding", "", 0, offset); }

static const pks_hooks hooks = {on_lookup, on_again,     on_call,   on_build,
                                on_method, on_key,       on_item,   on_persid,
                                on_buffer, on_extension, on_assume, on_encoding};

void rig_open(rig *r, uint32_t python, bool inert, const pks_limits *limits) {
  pks_limits most = {.size = sizeof most};
  pks_limits_init(&most);
  if (limits) most = *limits;
  memset(r, 0, sizeof *r);
  failing_init(&r->memory, 0);
  pks_base_mem_init(&r->mem, &r->memory.alloc, most.max_memory);
  r->m.mem = &r->mem;
  r->m.hooks = &hooks;
  r->m.user = r;
  r->m.rules = pks_decode_rules(python);
  r->m.inert = inert;
  r->m.buffers = PKS_BUFFERS_UNKNOWN;
  pks_decode_strings(&r->m.strings, inert ? "ASCII" : NULL, NULL);
  r->m.max_ops = most.max_ops;
  r->m.max_depth = most.max_depth;
  r->m.hash_depth = PKS_TUPLE_DEPTH_MAX;
  r->m.max_name = most.max_name;
  r->m.max_keep = most.max_keep;
  r->m.max_code = most.max_code;
  r->m.max_frame = most.max_frame;
  pks_machine_reset(&r->m);
}

char *rig_run(rig *r, const uint8_t *data, size_t size) {
  size_t used = 0;
  pks_error error = {.size = sizeof error};
  char outcome[TRACE_OUTCOME];
  r->out = open_memstream(&r->text, &r->text_size);
  r->m.whole = data;
  pks_status status = pks_machine_run(&r->m, data, size, true, &used);
  if (status == PKS_END) {
    must(used == size, "all is used", "", "");
    put_value(&r->m, r->out, *r->m.top);
  } else {
    pks_decode_error(&error, r->m.fail, r->m.fail_offset, r->m.fail_op);
    trace_outcome(outcome, status, used, &error);
    fputs(outcome, r->out);
  }
  fclose(r->out);
  return r->text;
}

void rig_close(rig *r) {
  pks_machine_free(&r->m);
  must(r->mem.used == 0 && r->memory.blocks == 0, "all memory is given back", "", "");
}

const char *rig_failure(const char *want) {
  const char *last = strrchr(want, ';');
  last = last ? last + 2 : want;
  return strncmp(last, "E_", 2) == 0 ? last : NULL;
}

/* The inspector ends where the machine does, in every cut. */
static void check_cuts(const pickle *p, uint32_t python, bool inert, const char *want) {
  pks_options options = {.size = sizeof options};
  pks_options_init(&options);
  options.python = python;
  options.opaque = inert ? PKS_OPAQUE_INERT : PKS_OPAQUE_UNKNOWN;
  options.persistent_load = PKS_ANSWER_YES;
  options.events = 1;
  pks_inspector *f = pks_inspector_new(&options, NULL, NULL);
  char *got = trace_inspector_cuts(f, p->data, p->size, "gcmxeas"), end[32];
  const char *outcome = rig_failure(want);
  snprintf(end, sizeof end, "END %zu", p->size);
  if (!outcome) outcome = end;
  must(strncmp(got, outcome, strlen(outcome)) == 0 && got[strlen(outcome)] == '\n',
       "it ends the same in every cut", want, got);
  free(got);
  pks_inspector_free(f);
}

void rig_check(const char *program, uint32_t python, bool inert, const char *want) {
  rig r;
  pickle p = {0};
  pickle_add(&p, program);
  if (!rig_failure(want)) pickle_add(&p, "STOP");
  pickle_fit(&p);
  rig_open(&r, python, inert, NULL);
  char *got = rig_run(&r, p.data, p.size);
  must(strcmp(got, want) == 0, program, want, got);
  free(got);
  rig_close(&r);
  check_cuts(&p, python, inert, want);
  pickle_free(&p);
}
