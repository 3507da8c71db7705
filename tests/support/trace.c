#include "support/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/chunks.h"

static void must(bool so, const char *what) {
  if (so) return;
  fprintf(stderr, "trace: not so: %s\n", what);
  abort();
}

/* ---- outcomes -------------------------------------------------------------------------------- */

void trace_outcome(char text[TRACE_OUTCOME], pks_status status, uint64_t end,
                   const pks_error *error) {
  if (pks_status_classify(status) == PKS_CLASS_PROGRESS) {
    snprintf(text, TRACE_OUTCOME, "%s %" PRIu64, pks_status_name(status), end);
    return;
  }
  must(error->status == status, "the error has the status that was returned");
  snprintf(text, TRACE_OUTCOME, "%s %" PRIu64 " %s %s", pks_status_name(status), error->offset,
           error->opcode ? error->opcode : "-", error->exception ? error->exception : "-");
}

void trace_inspector_outcome(char text[TRACE_OUTCOME], const pks_inspector *f, pks_status status) {
  pks_error error = {.size = sizeof error};
  pks_summary summary = {.size = sizeof summary};
  pks_inspector_error(f, &error);
  pks_inspector_summary(f, &summary);
  trace_outcome(text, status, summary.bytes, &error);
}

/* ---- opcodes --------------------------------------------------------------------------------- */

static void put_text(FILE *out, pks_span text) {
  for (size_t i = 0; i < text.size; i++) {
    uint8_t c = text.data[i];
    if (c > 0x20 && c < 0x7f && c != '\'' && c != '%')
      fputc(c, out);
    else
      fprintf(out, "%%%02x", c);
  }
}

static void put_quoted(FILE *out, pks_span text) {
  fputs(" '", out);
  put_text(out, text);
  fputc('\'', out);
}

static void put_op(FILE *out, const pks_op *op) {
  fprintf(out, "%" PRIu64 " %s", op->offset, op->name);
  switch ((pks_argument)op->argument) {
    case PKS_ARGUMENT_NONE: break;
    case PKS_ARGUMENT_NUMBER: fprintf(out, " %" PRId64, op->number); break;
    case PKS_ARGUMENT_REAL: fprintf(out, " %.17g", op->real); break;
    case PKS_ARGUMENT_TEXT:
    case PKS_ARGUMENT_BYTES:
      must(op->clipped ? op->length > op->arg.size : op->length == op->arg.size,
           "a clipped argument is shorter than its length, another is not");
      if (op->clipped) fprintf(out, " #%" PRIu64, op->length);
      put_quoted(out, op->arg);
      break;
    case PKS_ARGUMENT_NAMES:
      put_quoted(out, op->arg);
      put_quoted(out, op->arg2);
      break;
  }
  fputc('\n', out);
}

typedef struct decoding {
  pks_decoder *d;
  FILE *out;
  pks_status status;
  uint64_t end; /* after the last opcode */
} decoding;

/* An error, or the end, is given again and takes nothing. */
static void stays(pks_decoder *d, pks_status status, const uint8_t *data, size_t size) {
  pks_input in = {data, size, 0};
  pks_op op = {.size = sizeof op};
  must(pks_decoder_next(d, &in, &op) == status && in.pos == 0, "an end or error stays");
  must(pks_decoder_finish(d) == status, "an end or error stays at the finish");
}

static bool decode_piece(void *user, const uint8_t *data, size_t size) {
  decoding *run = user;
  pks_input in = {data, size, 0};
  pks_op op = {.size = sizeof op};
  for (;;) {
    size_t before = in.pos;
    run->status = pks_decoder_next(run->d, &in, &op);
    if (run->status != PKS_OK) break;
    must(in.pos > before, "an opcode takes a byte of its last piece");
    must(in.pos <= in.size, "pos <= size");
    put_op(run->out, &op);
    run->end = op.offset + 1; /* of the last one, STOP, which is one byte */
  }
  if (run->status == PKS_NEED_MORE) {
    must(in.pos == in.size, "NEED_MORE has taken all");
    return true;
  }
  stays(run->d, run->status, data, size);
  return false;
}

char *trace_decoder(pks_decoder *d, const uint8_t *data, size_t size, const size_t *cuts,
                    size_t count) {
  char *text = NULL, outcome[TRACE_OUTCOME];
  size_t text_size = 0;
  decoding run = {d, open_memstream(&text, &text_size), PKS_NEED_MORE, 0};
  pks_error error = {.size = sizeof error};
  must(run.out != NULL, "open_memstream");
  pks_decoder_reset(d);
  if (count == 0)
    decode_piece(&run, data, size);
  else
    chunks_pieces(data, size, cuts, count, decode_piece, &run);
  if (run.status == PKS_NEED_MORE) run.status = pks_decoder_finish(d);
  must(run.status != PKS_NEED_MORE && run.status != PKS_OK, "finish ends it");
  pks_decoder_error(d, &error);
  trace_outcome(outcome, run.status, run.end, &error);
  fprintf(run.out, "%s\n", outcome);
  fclose(run.out);
  return text;
}

typedef struct comparing {
  pks_decoder *d;
  pks_inspector *f;
  const uint8_t *data;
  size_t size;
  const char *which;
  char *whole, *result;
} comparing;

/* In pieces a payload is ambiguous when it may be; whole, when it is. What Python 2 makes of one that
 * fails is known only whole. */
static void forget_doubt(char *text, char *whole) {
  static const char doubt[] = " ambiguous";
  char *at = strstr(text, doubt), *own = strstr(whole, doubt);
  if (!at == !own) return;
  if (!at && text[0] == 'E' && text[1] == '_') at = own;
  if (at) memmove(at, at + strlen(doubt), strlen(at + strlen(doubt)) + 1);
}

/* The first way of cutting is the whole buffer; the first other text is kept with it. */
static bool compare(comparing *c, char *text, const size_t *cuts, size_t count) {
  if (c->whole) forget_doubt(text, c->whole);
  bool same = !c->whole || strcmp(text, c->whole) == 0;
  size_t size;
  if (!c->whole) {
    c->whole = text;
    return true;
  }
  if (!same) {
    FILE *out = open_memstream(&c->result, &size);
    must(out != NULL, "open_memstream");
    fprintf(out, "cut %s:\n%swhole:\n%s", chunks_text(c->size, cuts, count), text, c->whole);
    fclose(out);
  }
  free(text);
  return same;
}

static char *compared(comparing *c, chunks_run_fn run) {
  chunks_each(c->size, run, c);
  if (!c->result) return c->whole;
  free(c->whole);
  return c->result;
}

static bool decode_cut(void *user, const size_t *cuts, size_t count) {
  comparing *c = user;
  return compare(c, trace_decoder(c->d, c->data, c->size, cuts, count), cuts, count);
}

char *trace_decoder_cuts(pks_decoder *d, const uint8_t *data, size_t size) {
  comparing c = {.d = d, .data = data, .size = size};
  return compared(&c, decode_cut);
}

/* ---- facts ----------------------------------------------------------------------------------- */

typedef struct feeding {
  pks_inspector *f;
  pks_status status;
} feeding;

static bool feed_piece(void *user, const uint8_t *data, size_t size) {
  feeding *run = user;
  pks_input in = {data, size, 0};
  run->status = pks_inspector_feed(run->f, &in);
  must(run->status != PKS_OK, "feed never says OK");
  if (run->status == PKS_NEED_MORE) {
    must(in.pos == in.size, "NEED_MORE has taken all");
    return true;
  }
  pks_input more = {data, size, 0};
  must(pks_inspector_feed(run->f, &more) == run->status && more.pos == 0, "an end or error stays");
  return false;
}

pks_status trace_inspect(pks_inspector *f, const uint8_t *data, size_t size, const size_t *cuts,
                         size_t count) {
  feeding run = {f, PKS_NEED_MORE};
  size_t used = 0;
  if (!cuts) {
    pks_status status = pks_inspect(f, data, size, &used);
    must(status != PKS_OK && status != PKS_NEED_MORE, "inspect ends it");
    must(used <= size, "consumed <= size");
    return status;
  }
  pks_inspector_reset(f);
  chunks_pieces(data, size, cuts, count, feed_piece, &run);
  pks_status status = pks_inspector_finish(f);
  must(run.status == PKS_NEED_MORE || run.status == status, "finish says what feed said");
  must(status != PKS_OK && status != PKS_NEED_MORE, "finish ends it");
  return status;
}

static void put_global(FILE *out, const pks_inspector *f, size_t i) {
  pks_global g = {.size = sizeof g};
  must(pks_inspector_global(f, i, &g) == PKS_OK, "there is this global");
  bool mapped = g.module.data != g.spelled_module.data || g.name.data != g.spelled_name.data;
  fprintf(out, "%zu ", i);
  put_text(out, g.module);
  fputc(' ', out);
  put_text(out, g.name);
  if (mapped) {
    fputc('=', out);
    put_text(out, g.spelled_module);
    fputc(' ', out);
    put_text(out, g.spelled_name);
  }
  fprintf(out, " %s@%" PRIu64 " x%" PRIu64 " ", g.via, g.offset, g.count);
  for (size_t bit = 0; bit < 6; bit++)
    if (g.used >> bit & 1) fputc("CNBRSK"[bit], out);
  fputs(g.certain ? "\n" : "?\n", out);
}

static void put_call(FILE *out, const pks_inspector *f, size_t i) {
  pks_call c = {.size = sizeof c};
  must(pks_inspector_call(f, i, &c) == PKS_OK, "there is this call");
  fprintf(out, "%zu %s@%" PRIu64 " x%" PRIu64, i, c.via, c.offset, c.count);
  if (c.global != SIZE_MAX)
    fprintf(out, " global %zu\n", c.global);
  else if (c.result_of != SIZE_MAX)
    fprintf(out, " result %zu\n", c.result_of);
  else
    fputs(" -\n", out);
}

static void put_code(FILE *out, const pks_inspector *f, size_t i) {
  pks_code c = {.size = sizeof c};
  must(pks_inspector_code(f, i, &c) == PKS_OK, "there is this code");
  fprintf(out, "%zu %s@%" PRIu64 " %d", i, c.how, c.offset, c.arguments);
  put_quoted(out, c.name);
  put_quoted(out, c.qualname);
  put_quoted(out, c.file);
  fprintf(out, " %" PRId64, c.line);
  if (c.bytecode.data)
    put_quoted(out, c.bytecode);
  else
    fputs(" -", out);
  for (size_t n = 0; n < c.magic_count; n++)
    fprintf(out, "%s%s:%u", n ? "," : " ", c.python[n], c.magic[n]);
  for (size_t n = 0; n < c.import_count; n++) {
    fprintf(out, " import%+d%s", c.imports[n].level, c.imports[n].straight ? "!" : "");
    put_quoted(out, c.imports[n].module);
  }
  for (size_t n = 0; n < c.global_count; n++) {
    fputs(" uses", out);
    put_quoted(out, c.globals[n]);
  }
  fputc('\n', out);
}

static void put_module(FILE *out, const pks_inspector *f, size_t i) {
  pks_module m = {.size = sizeof m};
  must(pks_inspector_module(f, i, &m) == PKS_OK, "there is this module");
  fputs(m.kind == PKS_MODULE_BY_VALUE ? "value " : "argument ", out);
  put_text(out, m.name);
  fprintf(out, "@%" PRIu64 "\n", m.offset);
}

static void put_extension(FILE *out, const pks_inspector *f, size_t i) {
  uint32_t code;
  uint64_t offset;
  must(pks_inspector_extension(f, i, &code, &offset) == PKS_OK, "there is this extension");
  fprintf(out, "extension %" PRIu32 "@%" PRIu64 "\n", code, offset);
}

static void put_event(FILE *out, const pks_inspector *f, size_t i) {
  static const char *const kinds[] = {"?",      "GLOBAL",    "CALL", "PERSID",
                                      "BUFFER", "EXTENSION", "BUILD"};
  pks_event e = {.size = sizeof e};
  must(pks_inspector_event(f, i, &e) == PKS_OK, "there is this event");
  must(e.kind >= 1 && e.kind <= 6, "the event has a kind");
  fprintf(out, "%s@%" PRIu64, kinds[e.kind], e.offset);
  if (e.index == SIZE_MAX)
    fputs(" -\n", out);
  else
    fprintf(out, " %zu\n", e.index);
}

static void put_assumption(FILE *out, const pks_inspector *f, size_t i) {
  pks_assumption a = {.size = sizeof a};
  must(pks_inspector_assumption(f, i, &a) == PKS_OK, "there is this assumption");
  fprintf(out, "assumed@%" PRIu64 " x%" PRIu64 " %s\n", a.offset, a.count, a.text);
}

/* Not here: peak_memory, and the counts that the other lists show. */
static void put_summary(FILE *out, const pks_summary *s) {
  fprintf(out, "bytes %" PRIu64 " ops %" PRIu64 " protocol %d of %d", s->bytes, s->ops, s->protocol,
          s->min_protocol);
  if (s->complete) fputs(" complete", out);
  if (s->ambiguous) fputs(" ambiguous", out);
  if (s->encoding_needed) fprintf(out, " encoding@%" PRIu64, s->encoding_offset);
  if (s->load_calls) fprintf(out, " load_calls@%" PRIu64, s->load_calls_offset);
  if (s->persistent_ids) fprintf(out, " ids %" PRIu64, s->persistent_ids);
  if (s->buffers) fprintf(out, " buffers %" PRIu64, s->buffers);
  if (s->limit) fprintf(out, " %s at %" PRIu64, pks_status_name(s->limit), s->limit_offset);
  fputc('\n', out);
}

static void put_all(FILE *out, const pks_inspector *f, size_t count,
                    void (*put)(FILE *, const pks_inspector *, size_t)) {
  for (size_t i = 0; i < count; i++) put(out, f, i);
}

char *trace_facts(const pks_inspector *f, const char *which) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  pks_summary s = {.size = sizeof s};
  must(out != NULL, "open_memstream");
  pks_inspector_summary(f, &s);
  for (; *which; which++) switch (*which) {
      case 'g': put_all(out, f, s.globals, put_global); break;
      case 'c': put_all(out, f, s.calls, put_call); break;
      case 'k': put_all(out, f, s.codes, put_code); break;
      case 'm': put_all(out, f, s.modules, put_module); break;
      case 'x': put_all(out, f, s.extensions, put_extension); break;
      case 'e': put_all(out, f, s.events, put_event); break;
      case 'a': put_all(out, f, s.assumed, put_assumption); break;
      case 's': put_summary(out, &s); break;
      default: must(false, "a letter of trace.h");
    }
  fclose(out);
  return text;
}

static bool inspect_cut(void *user, const size_t *cuts, size_t count) {
  comparing *c = user;
  char outcome[TRACE_OUTCOME], *facts, *text = NULL;
  size_t size;
  pks_status status = trace_inspect(c->f, c->data, c->size, cuts, count);
  FILE *out = open_memstream(&text, &size);
  must(out != NULL, "open_memstream");
  trace_inspector_outcome(outcome, c->f, status);
  facts = trace_facts(c->f, c->which);
  fprintf(out, "%s\n%s", outcome, facts);
  free(facts);
  fclose(out);
  return compare(c, text, cuts, count);
}

char *trace_inspector_cuts(pks_inspector *f, const uint8_t *data, size_t size, const char *which) {
  comparing c = {.f = f, .data = data, .size = size, .which = which};
  return compared(&c, inspect_cut);
}
