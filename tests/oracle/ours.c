/* ours.c - picklesight's reading of a stream. */
#include "oracle.h"

#include <picklesight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pks_inspector *inspector;
static uint32_t python;
static bool is_pypy;
static how last;

static void set_options(const sample *s) {
  pks_options options = {.size = sizeof options};
  pks_options_init(&options);
  options.python = python;
  options.implementation = is_pypy ? PKS_IMPLEMENTATION_PYPY : PKS_IMPLEMENTATION_CPYTHON;
  options.opaque = PKS_OPAQUE_INERT;
  options.encoding = how_encodings[s->how.encoding];
  options.errors = how_errors[s->how.errors];
  options.buffers = s->how.buffers < 0 ? PKS_BUFFERS_NONE : s->how.buffers;
  options.persistent_load = s->how.persid ? PKS_ANSWER_YES : PKS_ANSWER_NO;
  options.extensions = s->how.extensions ? PKS_ANSWER_YES : PKS_ANSWER_NO;
  options.events = 1;
  static const pks_read readings[] = {PKS_READ_WHOLE, PKS_READ_STREAM, PKS_READ_FILE};
  options.reading = readings[how_readings[s->how.reading].kind];
  options.file_buffer = how_readings[s->how.reading].buffer;
  if (pks_inspector_options(inspector, &options) != PKS_OK) abort();
  last = s->how;
}

void ours_start(uint32_t version, bool pypy) {
  pks_limits limits = {.size = sizeof limits};
  pks_limits_init(&limits);
  limits.max_memory = 1ull << 30;
  python = version;
  is_pypy = pypy;
  inspector = pks_inspector_new(NULL, &limits, NULL);
  if (!inspector) abort();
  last.buffers = 127; /* no sample has that */
}

pks_decoder *ours_decoder(void) {
  pks_options options = {.size = sizeof options};
  pks_options_init(&options);
  options.python = python;
  pks_decoder *decoder = pks_decoder_new(&options, NULL, NULL);
  if (!decoder) abort();
  return decoder;
}

static void put_name(bytes *trace, pks_span text) {
  bytes_le(trace, text.size, 4);
  bytes_put(trace, text.data, text.size);
}

static void put_global(bytes *trace, size_t index) {
  pks_global g = {.size = sizeof g};
  if (pks_inspector_global(inspector, index, &g) != PKS_OK) abort();
  bytes_byte(trace, g.certain ? 'G' : 'g');
  if (!g.certain) return;
  put_name(trace, g.spelled_module);
  put_name(trace, g.spelled_name);
}

/* A registered code comes from a cache when it is there again. False: the code is not registered. */
static bool put_extension(bytes *trace, size_t index, uint64_t *seen) {
  uint32_t code = 0;
  if (pks_inspector_extension(inspector, index, &code, NULL) != PKS_OK) abort();
  for (size_t i = 0; i < ext_code_count; i++) {
    if (ext_codes[i] != code) continue;
    if (!(*seen >> i & 1)) {
      bytes_byte(trace, 'X');
      bytes_le(trace, code, 4);
    }
    *seen |= (uint64_t)1 << i;
    return true;
  }
  return false;
}

static void answer(const sample *s, pks_status status, reading *out) {
  pks_summary summary = {.size = sizeof summary};
  pks_error error = {.size = sizeof error};
  uint64_t seen = 0;
  pks_inspector_summary(inspector, &summary);
  pks_inspector_error(inspector, &error);
  out->ok = status == PKS_END;
  out->consumed = out->ok ? summary.bytes : 0;
  out->at = out->ok ? summary.bytes : error.offset;
  out->crashed = out->foreign = false;
  out->limited = pks_status_classify(status) == PKS_CLASS_LIMIT ||
                 pks_status_classify(summary.limit) == PKS_CLASS_LIMIT;
  out->unsure = summary.assumed != 0;
  snprintf(out->exception, sizeof out->exception, "%s",
           out->ok           ? "-"
           : error.exception ? error.exception
                             : pks_status_name(status));
  out->trace.size = 0;
  for (size_t i = 0; i < summary.events; i++) {
    pks_event event = {.size = sizeof event};
    if (pks_inspector_event(inspector, i, &event) != PKS_OK) abort();
    switch (event.kind) {
      case PKS_EVENT_GLOBAL: put_global(&out->trace, event.index); break;
      case PKS_EVENT_CALL: bytes_byte(&out->trace, 'C'); break;
      case PKS_EVENT_PERSID: bytes_byte(&out->trace, 'P'); break;
      case PKS_EVENT_BUFFER: bytes_byte(&out->trace, 'B'); break;
      case PKS_EVENT_EXTENSION:
        if (s->how.extensions && !put_extension(&out->trace, event.index, &seen))
          out->foreign = true;
        break;
      case PKS_EVENT_BUILD: bytes_byte(&out->trace, 'S'); break;
    }
  }
}

static void prepare(const sample *s) {
  if (memcmp(&last, &s->how, sizeof last) != 0) set_options(s);
}

void ours_read(const sample *s, reading *out) {
  prepare(s);
  answer(s, pks_inspect(inspector, s->data.data, s->data.size, NULL), out);
}

void ours_read_pieces(const sample *s, rng *r, reading *out) {
  pks_status status = PKS_NEED_MORE;
  prepare(s);
  pks_inspector_reset(inspector);
  for (size_t at = 0; status == PKS_NEED_MORE && at < s->data.size;) {
    size_t left = s->data.size - at;
    size_t size = 1 + rng_below(r, rng_one_in(r, 2) ? 4 : (uint32_t)left);
    if (size > left) size = left;
    uint8_t *copy = malloc(size);
    if (!copy) abort();
    memcpy(copy, s->data.data + at, size);
    pks_input in = {copy, size, 0};
    status = pks_inspector_feed(inspector, &in);
    memset(copy, 0x5a, size);
    free(copy);
    at += size;
  }
  if (status == PKS_NEED_MORE) status = pks_inspector_finish(inspector);
  answer(s, status, out);
}
