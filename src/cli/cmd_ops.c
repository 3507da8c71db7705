/* cli/cmd_ops.c - picklesight ops: opcodes as the decoder gives them, the error as the inspector does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "cli/cli.h"
#include "report/report.h"

typedef struct state {
  pks_cli *cli;
  pks_decoder *decoder;
  pks_text_out text;
  pks_json json;
  uint64_t ops, payloads, broken, unsure, skipped;
  bool done; /* no more opcodes of this payload are shown */
} state;

#define SHOWN ((size_t)72) /* bytes of an argument in text */

/* ---- text ------------------------------------------------------------------------------------------ */

static void put_quoted(pks_text_out *out, pks_span text, uint64_t length) {
  size_t size = text.size < SHOWN ? text.size : SHOWN;
  /* not inside a character */
  while (size && size < text.size && (text.data[size] & 0xc0) == 0x80) size--;
  pks_report_put(out, "\"");
  for (size_t at = 0; at < size;) {
    const uint8_t *quote = memchr(text.data + at, '"', size - at);
    size_t end = quote ? (size_t)(quote - text.data) : size;
    pks_report_put_text(out, (pks_span){text.data + at, end - at}, 0);
    if (quote) pks_report_put(out, "\\\"");
    at = end + (quote != NULL);
  }
  pks_report_put(out, "\"");
  if (size < length) {
    pks_report_put(out, "... (");
    pks_report_put_uint(out, length);
    pks_report_put(out, " bytes)");
  }
}

static void put_bytes(pks_text_out *out, pks_span bytes, uint64_t length) {
  size_t size = bytes.size < SHOWN / 2 ? bytes.size : SHOWN / 2;
  pks_report_put(out, "b\"");
  for (size_t i = 0; i < size; i++) {
    char text[5] = {(char)bytes.data[i], 0};
    if (bytes.data[i] < 0x20 || bytes.data[i] >= 0x7f)
      snprintf(text, sizeof text, "\\x%02x", bytes.data[i]);
    else if (text[0] == '"' || text[0] == '\\')
      snprintf(text, sizeof text, "\\%c", bytes.data[i]);
    pks_report_put(out, text);
  }
  pks_report_put(out, "\"");
  if (size < length) {
    pks_report_put(out, "... (");
    pks_report_put_uint(out, length);
    pks_report_put(out, " bytes)");
  }
}

/* The number needs more than 64 bits, or perhaps does. */
static bool is_saturated(const pks_op *op) {
  return (op->number == INT64_MAX || op->number == INT64_MIN) &&
         (op->length == 0 || op->length > 8);
}

/* The shortest text that reads back as the same double. */
static void real_text(char *text, size_t size, double value) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, size, "%.*g", digits, value);
    if (strtod(text, NULL) == value) return;
  }
}

static void put_argument(pks_text_out *out, const pks_op *op) {
  char real[40];
  switch ((pks_argument)op->argument) {
    case PKS_ARGUMENT_NONE: break;
    case PKS_ARGUMENT_NUMBER:
      if (is_saturated(op)) pks_report_put(out, op->number < 0 ? "at most " : "at least ");
      pks_report_put_int(out, op->number);
      break;
    case PKS_ARGUMENT_REAL:
      real_text(real, sizeof real, op->real);
      pks_report_put(out, real);
      break;
    case PKS_ARGUMENT_TEXT: put_quoted(out, op->arg, op->length); break;
    case PKS_ARGUMENT_BYTES: put_bytes(out, op->arg, op->length); break;
    case PKS_ARGUMENT_NAMES:
      put_quoted(out, op->arg, op->arg.size);
      pks_report_put(out, " ");
      put_quoted(out, op->arg2, op->arg2.size);
      break;
  }
}

static void op_as_text(state *s, const pks_op *op) {
  pks_text_out *out = &s->text;
  pks_report_paint(out, PKS_PAINT_DIM);
  pks_report_put_offset(out, op->offset, 10);
  pks_report_paint(out, PKS_PAINT_PLAIN);
  pks_report_put(out, "  ");
  pks_report_put(out, op->name);
  if (op->argument != PKS_ARGUMENT_NONE) {
    size_t width = strlen(op->name);
    pks_report_put_spaces(out, width < 16 ? 18 - width : 2);
    put_argument(out, op);
  }
  pks_report_put(out, "\n");
}

static void head_as_text(state *s, const pks_place *place) {
  pks_text_out *out = &s->text;
  if (s->payloads) pks_report_put(out, "\n");
  pks_report_paint(out, PKS_PAINT_BOLD);
  pks_report_put_string(out, place->path);
  pks_report_paint(out, PKS_PAINT_PLAIN);
  if (place->offset > 0) {
    pks_report_put(out, ", pickle at ");
    pks_report_put_int(out, place->offset);
  }
  if (place->offset < 0) {
    pks_report_put(out, ", ");
    pks_report_put(out, place->container);
  }
  pks_report_put(out, ":\n");
}

static void error_as_text(state *s, const pks_place *place, const pks_error *error) {
  pks_text_out *out = &s->text;
  pks_report_put_offset(out, error->offset, 10);
  pks_report_put(out, "  ");
  pks_report_paint(out, PKS_PAINT_RED);
  pks_report_put(out, "error");
  pks_report_paint(out, PKS_PAINT_PLAIN);
  pks_report_put(out, ": ");
  pks_report_put_string(out, error->text);
  pks_report_put(out, " (");
  pks_report_put(out, pks_status_name(error->status));
  if (error->opcode) {
    pks_report_put(out, " at ");
    pks_report_put(out, error->opcode);
  }
  pks_report_put(out, ")");
  pks_report_put_stored(out, error);
  pks_report_put(out, "\n");
  if (place->looks_like) {
    pks_report_put(out, "            looks like ");
    pks_report_put_string(out, place->looks_like);
    pks_report_put(out, "\n");
  }
}

static void skipped_as_text(state *s, const pks_place *place) {
  pks_report_put_spaces(&s->text, 12);
  pks_report_put(&s->text, "skipped: ");
  pks_report_put_string(&s->text, place->skipped);
  pks_report_put(&s->text, "\n");
}

/* ---- json ------------------------------------------------------------------------------------------ */

static void write_hex(pks_json *json, pks_span bytes) {
  pks_base_json_begin(json);
  for (size_t i = 0; i < bytes.size; i++) {
    static const uint8_t digits[] = "0123456789abcdef";
    uint8_t pair[2] = {digits[bytes.data[i] >> 4], digits[bytes.data[i] & 15]};
    pks_base_json_part(json, (pks_span){pair, 2});
  }
  pks_base_json_end(json);
}

/* inf and nan are no JSON numbers. */
static void write_real(pks_json *json, double value) {
  char text[40];
  real_text(text, sizeof text, value);
  if (isfinite(value))
    pks_base_json_raw(json, text, strlen(text));
  else
    pks_base_json_string(json, text);
}

static void write_argument(pks_json *json, const pks_op *op) {
  static const char *const kinds[] = {"none", "number", "real", "text", "bytes", "names"};
  if (op->argument == PKS_ARGUMENT_NONE) return;
  pks_base_json_key_string(json, "kind", kinds[op->argument]);
  pks_base_json_key(json, "argument");
  switch ((pks_argument)op->argument) {
    case PKS_ARGUMENT_NUMBER: pks_base_json_int(json, op->number); break;
    case PKS_ARGUMENT_REAL: write_real(json, op->real); break;
    case PKS_ARGUMENT_TEXT: pks_base_json_text(json, op->arg); break;
    case PKS_ARGUMENT_BYTES: write_hex(json, op->arg); break;
    case PKS_ARGUMENT_NAMES:
      pks_base_json_open(json, '[');
      pks_base_json_text(json, op->arg);
      pks_base_json_text(json, op->arg2);
      pks_base_json_close(json);
      break;
    case PKS_ARGUMENT_NONE: break;
  }
  if (op->argument == PKS_ARGUMENT_NUMBER && is_saturated(op)) {
    pks_base_json_key(json, "saturated");
    pks_base_json_bool(json, true);
  }
  if (op->argument == PKS_ARGUMENT_TEXT || op->argument == PKS_ARGUMENT_BYTES)
    pks_base_json_key_uint(json, "length", op->length);
  if (op->clipped) {
    pks_base_json_key(json, "clipped");
    pks_base_json_bool(json, true);
  }
}

static void op_as_json(state *s, const pks_op *op) {
  pks_base_json_open(&s->json, '{');
  pks_base_json_key_uint(&s->json, "offset", op->offset);
  pks_base_json_key_string(&s->json, "opcode", op->name);
  write_argument(&s->json, op);
  pks_base_json_close(&s->json);
  if (s->cli->set.format == PKS_FORMAT_JSONL) pks_base_json_line(&s->json);
}

static void place_as_json(pks_json *json, const pks_place *place) {
  pks_base_json_key_path(json, "path", place->path);
  pks_base_json_key_path(json, "member", place->member);
  pks_base_json_key_string(json, "container", place->container);
  pks_base_json_key_known(json, "offset", place->offset);
}

static void end_as_json(state *s, const pks_place *place, const pks_error *error, bool complete,
                        int64_t size) {
  pks_json *json = &s->json;
  if (s->cli->set.format == PKS_FORMAT_JSONL) {
    pks_base_json_open(json, '{');
    place_as_json(json, place);
  } else {
    pks_base_json_close(json); /* the opcodes */
  }
  pks_base_json_key_known(json, "size", size);
  pks_base_json_key_uint(json, "count", s->ops);
  pks_base_json_key(json, "complete");
  pks_base_json_bool(json, complete);
  pks_report_json_error(json, error, place->looks_like);
  pks_base_json_key_string(json, "skipped", place->skipped);
  pks_base_json_close(json);
  if (s->cli->set.format == PKS_FORMAT_JSONL) pks_base_json_line(json);
}

static void summary_as_json(state *s) {
  pks_json *json = &s->json;
  if (s->cli->set.format == PKS_FORMAT_JSON)
    pks_base_json_close(json);
  else
    pks_base_json_open(json, '{');
  pks_base_json_key(json, "summary");
  pks_base_json_open(json, '{');
  pks_base_json_key_uint(json, "files", s->cli->files);
  pks_base_json_key_uint(json, "payloads", s->payloads);
  pks_base_json_key_uint(json, "unsure", s->unsure);
  pks_base_json_key_uint(json, "broken", s->broken);
  pks_base_json_key_uint(json, "skipped", s->skipped);
  pks_base_json_close(json);
  pks_base_json_close(json);
  pks_base_json_line(json);
}

/* ---- the visitor ----------------------------------------------------------------------------------- */

static void begin(void *user, const pks_place *place) {
  state *s = user;
  pks_decoder_reset(s->decoder);
  s->ops = 0;
  s->done = false;
  if (s->cli->set.format == PKS_FORMAT_TEXT) head_as_text(s, place);
  if (s->cli->set.format != PKS_FORMAT_JSON) return;
  pks_base_json_open(&s->json, '{');
  place_as_json(&s->json, place);
  pks_base_json_key(&s->json, "ops");
  pks_base_json_open(&s->json, '[');
}

/* Nothing past the opcode at fault is shown; past a frame that does not hold, what is there helps. */
static void bytes(void *user, const pks_inspector *inspector, const uint8_t *data, size_t size) {
  state *s = user;
  pks_input in = {data, size, 0};
  pks_op op = {.size = sizeof op};
  pks_error error = {.size = sizeof error};
  pks_inspector_error(inspector, &error);
  bool frame = error.opcode && strcmp(error.opcode, "FRAME") == 0;
  uint64_t last = error.status == PKS_OK || frame ? UINT64_MAX : error.offset;
  while (!s->done && !s->cli->stop && pks_decoder_next(s->decoder, &in, &op) == PKS_OK) {
    s->done = op.offset > last;
    if (s->done) break;
    s->ops++;
    if (s->cli->set.format == PKS_FORMAT_TEXT)
      op_as_text(s, &op);
    else
      op_as_json(s, &op);
  }
}

static void end(void *user, const pks_place *place, const pks_inspector *inspector) {
  state *s = user;
  pks_summary summary = {.size = sizeof summary};
  pks_error error = {.size = sizeof error};
  if (inspector) {
    pks_inspector_summary(inspector, &summary);
    pks_inspector_error(inspector, &error);
  } else {
    begin(s, place);
  }
  if (place->error) error = *place->error;
  bool complete = error.status == PKS_OK && summary.complete;
  s->skipped += place->skipped != NULL;
  s->broken += error.status != PKS_OK && pks_status_classify(error.status) != PKS_CLASS_LIMIT;
  s->unsure += error.status == PKS_OK ? !complete && !place->skipped
                                      : pks_status_classify(error.status) == PKS_CLASS_LIMIT;
  s->payloads++;
  if (s->cli->set.format != PKS_FORMAT_TEXT)
    end_as_json(s, place, &error, complete, complete ? (int64_t)summary.bytes : place->bytes);
  else if (place->skipped)
    skipped_as_text(s, place);
  else if (error.status != PKS_OK)
    error_as_text(s, place, &error);
  if (s->cli->set.format == PKS_FORMAT_TEXT)
    (void)pks_report_text_flush(&s->text);
  else
    (void)pks_base_json_flush(&s->json);
}

static void start_json(state *s) {
  bool one = s->cli->set.format == PKS_FORMAT_JSON;
  pks_base_json_init(&s->json, pks_cli_write, s->cli, one ? 4 : 0);
  if (!one) return;
  pks_base_json_open(&s->json, '{');
  pks_base_json_key_string(&s->json, "schema", "picklesight-ops/1");
  pks_base_json_key_string(&s->json, "version", pks_version());
  pks_base_json_key(&s->json, "payloads");
  pks_base_json_open(&s->json, '[');
}

void pks_cli_cmd_ops(pks_cli *cli) {
  state s = {.cli = cli};
  const pks_cli_visitor visitor = {.user = &s, .begin = begin, .bytes = bytes, .end = end};
  s.decoder = pks_decoder_new(&cli->set.options, &cli->set.limits, NULL);
  if (!s.decoder) cli->refused = PKS_E_NO_MEMORY; /* unless it is a limit: the inspector says so */
  pks_report_text_init(&s.text, pks_cli_write, cli);
  s.text.color = cli->color;
  start_json(&s);
  pks_cli_read_all(cli, &visitor);
  if (cli->set.format != PKS_FORMAT_TEXT) summary_as_json(&s);
  (void)pks_base_json_flush(&s.json);
  pks_decoder_free(s.decoder);
}
