/* cli/reader.c - the pickles of one file, one after the other. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/source.h"

#define PEEK ((size_t)64) /* first bytes of a payload that are looked at when it is none */

typedef struct reader {
  pks_cli *cli;
  const pks_cli_visitor *visitor;
  pks_cli_source source;
  pks_place place;
  uint64_t payloads; /* ended */
  bool told;         /* the file's error was said of a payload */
} reader;

/* ---- the end of a payload ------------------------------------------------------------------------ */

static void judge(pks_cli *cli, const pks_place *place, const pks_error *error) {
  bool limit = pks_status_classify(error->status) == PKS_CLASS_LIMIT;
  pks_cli_payload_error(cli, place, error);
  cli->outcome |= limit ? PKS_CLI_UNSURE : PKS_CLI_TROUBLE;
}

/* What the payload seems to be, when it is no pickle from its first opcodes on. */
static const char *looks_like(const reader *r, const pks_summary *summary, const pks_error *error,
                              const uint8_t *data, size_t size) {
  if (r->payloads) return error->offset == 0 ? pks_cli_sniff_rest(data, size) : NULL;
  if (r->source.head_size == 0) return "an empty file";
  if (r->visitor->code &&
      pks_cli_code_format(r->source.head, r->source.head_size) == PKS_PAYLOAD_MARSHAL)
    return "a code object as marshal writes it, but not whole or not alone";
  bool early = summary->ops <= 3 && summary->globals == 0 && error->offset < sizeof r->source.head;
  return pks_cli_sniff(r->source.head, r->source.head_size, !early);
}

/* The reader's own judgement: it was read to its end, or not. */
static void judge_payload(reader *r, const pks_summary *summary, const pks_error *error) {
  if (error->status != PKS_OK) {
    judge(r->cli, &r->place, error);
  } else if (!summary->complete) {
    pks_error limit = {.size = sizeof limit,
                       .status = summary->limit,
                       .offset = summary->limit_offset,
                       .text = pks_status_text(summary->limit)};
    judge(r->cli, &r->place, &limit);
  }
}

/* status: PKS_END, or a reader did not come to the end. data: the payload's first bytes, as far as they
 * are at hand. */
static void end_payload(reader *r, pks_status status, const uint8_t *data, size_t size) {
  const pks_inspector *inspector = r->cli->inspector[0];
  pks_summary summary = {.size = sizeof summary};
  pks_error error = {.size = sizeof error};
  pks_inspector_summary(inspector, &summary);
  pks_inspector_error(inspector, &error);
  bool file = r->source.error.status != PKS_OK && status != PKS_END;
  if (file) {
    r->source.error.offset = summary.bytes; /* the first opcode that is not all there */
    error = r->source.error;
    r->place.error = &r->source.error;
    r->told = true;
  }
  if (error.status != PKS_OK && error.status != PKS_E_IO && !summary.format)
    r->place.looks_like = looks_like(r, &summary, &error, data, size);
  if (file || !r->visitor->judges) judge_payload(r, &summary, &error);
  r->visitor->end(r->visitor->user, &r->place, inspector);
  r->payloads++;
  r->place.looks_like = NULL;
  r->place.error = NULL;
}

/* Nothing of a payload was read. */
static void end_file(reader *r) {
  r->source.error.offset = 0;
  judge(r->cli, &r->place, &r->source.error);
  r->place.bytes = -1; /* not that of the payload before it */
  r->place.error = &r->source.error;
  r->visitor->end(r->visitor->user, &r->place, NULL);
}

static void place_at(reader *r, uint64_t offset) {
  r->place.offset = r->source.inflate ? -1 : (int64_t)offset;
  r->place.bytes = -1;
}

static void begin_payload(reader *r, uint64_t offset) {
  place_at(r, offset);
  if (r->visitor->begin) r->visitor->begin(r->visitor->user, &r->place);
}

/* What came after the last payload, at `offset`, could not be read. */
static void end_rest(reader *r, uint64_t offset) {
  if (r->cli->stop || r->told) return;
  if (r->source.error.status == PKS_OK && !pks_cli_source_shrank(&r->source)) return;
  place_at(r, offset);
  end_file(r);
}

static void pass(reader *r, const uint8_t *data, size_t size) {
  if (r->visitor->bytes) r->visitor->bytes(r->visitor->user, r->cli->inspector[0], data, size);
}

/* ---- whole --------------------------------------------------------------------------------------- */

/* The payload ends where the first reader that comes to STOP ends it; PKS_END: there is one. Those that
 * know the opcodes all stop at the same place. */
static pks_status inspect_all(const pks_cli *cli, const uint8_t *data, size_t size, size_t *used) {
  pks_status status = PKS_OK;
  *used = size;
  for (size_t i = 0; i < cli->inspectors; i++) {
    size_t taken = 0;
    pks_status one = pks_inspect(cli->inspector[i], data, size, &taken);
    if (status == PKS_END) continue;
    status = one;
    if (one == PKS_END) *used = taken;
  }
  return status;
}

/* The payload at `at`; *size: of the file, which may have become less. False: there is none any more. */
static bool inspect_at(reader *r, const uint8_t *data, size_t at, size_t *size, size_t *used,
                       pks_status *status) {
  *status = inspect_all(r->cli, data + at, *size - at, used);
  bool good = *status == PKS_END && (!r->source.map || pks_cli_map_there() >= r->source.map_size);
  if (good || !pks_cli_source_shrank(&r->source)) return true;
  *size = r->source.map_size;
  if (at >= *size) return false;
  *status = inspect_all(r->cli, data + at, *size - at, used);
  return true;
}

/* data: the file's map, or what was held of it. */
static void read_whole(reader *r, const uint8_t *data, size_t size) {
  size_t at = 0;
  pks_status status = PKS_END;
  while (at < size && status == PKS_END && !r->cli->stop) {
    size_t used = 0;
    pks_cli_progress(r->cli, r->place.path);
    if (!inspect_at(r, data, at, &size, &used, &status)) break;
    begin_payload(r, at);
    r->place.bytes = (int64_t)used;
    pass(r, data + at, used);
    end_payload(r, status, data + at, size - at < PEEK ? size - at : PEEK);
    at += used;
  }
  end_rest(r, at);
}

/* ---- in pieces ----------------------------------------------------------------------------------- */

/* As pks_inspector_feed: PKS_END when one reader came to STOP, an error when all found one; *in is then
 * used up. */
static pks_status feed_all(const pks_cli *cli, pks_input *in) {
  pks_status status = PKS_OK;
  size_t end = in->size;
  for (size_t i = 0; i < cli->inspectors; i++) {
    pks_input own = *in;
    pks_status one = pks_inspector_feed(cli->inspector[i], &own);
    if (status == PKS_END) continue;
    if (one == PKS_END) end = own.pos;
    if (i == 0 || one == PKS_END || one == PKS_NEED_MORE) status = one;
  }
  in->pos = end;
  return status;
}

static pks_status finish_all(const pks_cli *cli) {
  pks_status status = PKS_OK;
  for (size_t i = 0; i < cli->inspectors; i++) {
    pks_status one = pks_inspector_finish(cli->inspector[i]);
    if (i == 0 || one == PKS_END) status = one;
  }
  return status;
}

/* Would a reader of the whole payload say more? It knows what other readers make of it. */
static bool whole_tells_more(const pks_cli *cli) {
  for (size_t i = 0; i < cli->inspectors; i++) {
    pks_summary summary = {.size = sizeof summary};
    pks_error error = {.size = sizeof error};
    pks_inspector_summary(cli->inspector[i], &summary);
    pks_inspector_error(cli->inspector[i], &error);
    if (error.status != PKS_OK || (summary.ambiguous && !summary.limit)) return true;
  }
  return false;
}

/* A payload that lies in one piece. */
static void read_again(const reader *r, const uint8_t *data, size_t size) {
  size_t used;
  if (size && r->source.error.status == PKS_OK && whole_tells_more(r->cli))
    (void)inspect_all(r->cli, data, size, &used);
}

/* One payload, from source->in on. */
static pks_status read_payload(reader *r) {
  pks_cli_source *s = &r->source;
  const uint8_t *piece = s->in.data ? s->in.data + s->in.pos : NULL;
  size_t piece_size = s->in.size - s->in.pos;
  uint64_t start = s->before + s->in.pos;
  size_t at = s->in.pos;
  uint8_t head[PEEK];
  size_t head_size = s->in.size - at < sizeof head ? s->in.size - at : sizeof head;
  pks_status status;
  if (head_size) memcpy(head, s->in.data + at, head_size);
  for (size_t i = 0; i < r->cli->inspectors; i++) pks_inspector_reset(r->cli->inspector[i]);
  begin_payload(r, start);
  for (;;) {
    at = s->in.pos;
    status = feed_all(r->cli, &s->in);
    pass(r, s->in.data + at, s->in.pos - at);
    if (status != PKS_NEED_MORE || r->cli->stop) break;
    pks_cli_progress(r->cli, r->place.path);
    if (!pks_cli_source_next(s)) {
      if (s->error.status == PKS_OK) status = finish_all(r->cli);
      break;
    }
    piece_size = 0; /* more than one */
  }
  read_again(r, piece, piece_size);
  if (status == PKS_END) r->place.bytes = (int64_t)(s->before + s->in.pos - start);
  end_payload(r, status, head, head_size);
  return status;
}

static void read_pieces(reader *r) {
  pks_cli_source *s = &r->source;
  pks_status status = PKS_END;
  while (status == PKS_END && !r->cli->stop) {
    if (s->in.pos == s->in.size && !pks_cli_source_next(s)) {
      if (s->error.status != PKS_OK)
        end_rest(r, s->before);
      else if (r->payloads == 0)
        (void)read_payload(r); /* an empty file is a broken payload */
      return;
    }
    status = read_payload(r);
  }
}

/* ---- code that is in no pickle -------------------------------------------------------------------- */

/* What the unpickler reads is a pickle, whatever else it looks like. Of other bytes a .pyc is told by its
 * first ones; a marshal stream must be one from end to end. */
static bool is_code(reader *r, pks_payload_format format, const uint8_t *data, size_t size,
                    pks_status *status) {
  size_t used;
  if (inspect_all(r->cli, data, size, &used) == PKS_END) return false;
  for (size_t i = 0; i < r->cli->inspectors; i++)
    *status = pks_inspect_code(r->cli->inspector[i], format, data, size, &used);
  return format == PKS_PAYLOAD_PYC || (*status == PKS_END && used == size) ||
         pks_status_classify(*status) == PKS_CLASS_LIMIT;
}

/* False: it is for others to read. */
static bool read_code(reader *r) {
  pks_cli_source *s = &r->source;
  pks_cli_held held = {NULL, 0, 0};
  bool whole = pks_cli_source_is_whole(s);
  if (!r->visitor->code) return false;
  if (!whole && s->in.pos == s->in.size && !pks_cli_source_next(s)) return false;
  const uint8_t *data = whole ? s->map : s->in.data + s->in.pos;
  size_t size = whole ? s->map_size : s->in.size - s->in.pos;
  pks_payload_format format = pks_cli_code_format(data, size);
  if (format == PKS_PAYLOAD_PICKLE) return false;
  if (!whole && !pks_cli_source_hold(s, &held)) {
    end_file(r);
    free(held.data);
    return true;
  }
  if (!whole) {
    data = held.data;
    size = held.size;
  }
  pks_status status = PKS_OK;
  bool code = is_code(r, format, data, size, &status);
  if (whole && pks_cli_source_shrank(s)) {
    size = s->map_size;
    code = is_code(r, format, data, size, &status);
  }
  if (code) {
    begin_payload(r, 0);
    r->place.bytes = (int64_t)size;
    end_payload(r, status, data, size);
    end_rest(r, size);
  } else {
    read_whole(r, data, size);
  }
  free(held.data);
  return true;
}

/* ---- a file -------------------------------------------------------------------------------------- */

bool pks_cli_inspector_add(pks_cli *cli, const pks_options *options) {
  pks_limits most = cli->set.limits;
  pks_inspector *inspector = pks_inspector_new(options, &cli->set.limits, NULL);
  if (inspector) {
    cli->inspector[cli->inspectors++] = inspector;
    return true;
  }
  most.max_memory = UINT64_MAX; /* was it the limit? */
  inspector = pks_inspector_new(options, &most, NULL);
  cli->refused = inspector ? PKS_E_LIMIT_MEMORY : PKS_E_NO_MEMORY;
  pks_inspector_free(inspector);
  return false;
}

/* Without targets one reads, as the options say. */
static bool have_inspector(pks_cli *cli) {
  if (cli->inspectors) return true;
  if (!cli->inspector) cli->inspector = calloc(1, sizeof *cli->inspector);
  if (!cli->inspector) cli->refused = PKS_E_NO_MEMORY;
  return cli->inspector && pks_cli_inspector_add(cli, &cli->set.options);
}

static void start(reader *r, pks_cli *cli, const pks_cli_visitor *visitor, const char *path) {
  *r = (reader){.cli = cli, .visitor = visitor};
  r->source.error = (pks_error){.size = sizeof r->source.error, .text = ""};
  r->place = (pks_place){.size = sizeof r->place,
                         .path = path,
                         .container = "raw",
                         .offset = 0,
                         .bytes = -1,
                         .color = cli->color,
                         .width = cli->width,
                         .events = cli->set.all,
                         .listings = cli->set.code,
                         .listing_magic = cli->set.as_magic};
  cli->files++;
}

void pks_cli_skip_file(pks_cli *cli, const char *path, const char *reason,
                       const pks_cli_visitor *visitor) {
  reader r;
  start(&r, cli, visitor, path);
  r.place.skipped = reason;
  cli->outcome |= PKS_CLI_UNSURE;
  pks_cli_skipped(cli, path, reason);
  visitor->end(visitor->user, &r.place, NULL);
}

void pks_cli_fail_file(pks_cli *cli, const char *path, int error, const pks_cli_visitor *visitor) {
  reader r;
  start(&r, cli, visitor, path);
  r.source.error.status = error == ENOMEM ? PKS_E_NO_MEMORY : PKS_E_IO;
  r.source.error.text = strerror(error);
  end_file(&r);
}

/* It is open, and there are inspectors to read it with. */
static bool is_ready(reader *r, const char *path) {
  if (!pks_cli_source_open(r->cli, &r->source, path)) return false;
  if (have_inspector(r->cli) && !r->cli->refused) return true;
  r->source.error.status = r->cli->refused;
  r->source.error.text = pks_status_text(r->cli->refused);
  return false;
}

void pks_cli_read_file(pks_cli *cli, const char *path, const pks_cli_visitor *visitor) {
  reader r;
  start(&r, cli, visitor, path);
  pks_cli_progress(cli, path);
  pks_cli_note(cli, path, "reading");
  bool opened = is_ready(&r, path);
  if (opened && r.source.kind != PKS_INFLATE_NONE) {
    r.place.container = pks_inflate_name(r.source.kind);
    r.place.offset = -1;
  }
  if (!opened)
    end_file(&r);
  else if (read_code(&r))
    ; /* done */
  else if (pks_cli_source_is_whole(&r.source))
    read_whole(&r, r.source.map, r.source.map_size);
  else
    read_pieces(&r);
  pks_cli_source_close(&r.source);
}
