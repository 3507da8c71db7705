#include "inflate/inflate.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

typedef enum step {
  STEP_DATA,    /* in a member or in the zlib stream */
  STEP_BETWEEN, /* after a gzip member: another one, zeros, or nothing */
  STEP_PADDING, /* zeros, to the end */
  STEP_DONE
} step;

struct pks_inflate {
  pks_mem *mem;
  z_stream stream;
  pks_inflate_kind kind;
  step step;
  uint64_t taken, given, max_output;
  pks_status status; /* PKS_OK, or the error */
  uint64_t offset;   /* of the error */
  const char *text;
};

/* zlib frees without saying how much, so each block begins with its size. */
#define HEAD 16

static voidpf take(voidpf user, uInt items, uInt size) {
  uint64_t bytes = (uint64_t)items * size + HEAD;
  uint8_t *block = pks_base_resize(user, NULL, 0, (size_t)bytes);
  if (!block) return Z_NULL;
  memcpy(block, &bytes, sizeof bytes);
  return block + HEAD;
}

static void give(voidpf user, voidpf block) {
  uint8_t *start = (uint8_t *)block - HEAD;
  uint64_t bytes;
  memcpy(&bytes, start, sizeof bytes);
  pks_base_release(user, start, (size_t)bytes);
}

/* ---- which ------------------------------------------------------------------------------------- */

/* zlib: method 8 with a 32 KiB window, as everything writes it, no dictionary, header checksum.
 * Smaller windows start with bytes that are opcodes. */
pks_inflate_kind pks_inflate_sniff(const uint8_t *data, size_t size) {
  if (size >= 3 && data[0] == 0x1f && data[1] == 0x8b && data[2] == 8) return PKS_INFLATE_GZIP;
  if (size >= 2 && data[0] == 0x78 && !(data[1] & 0x20) && (data[0] << 8 | data[1]) % 31 == 0)
    return PKS_INFLATE_ZLIB;
  return PKS_INFLATE_NONE;
}

const char *pks_inflate_name(pks_inflate_kind kind) {
  switch (kind) {
    case PKS_INFLATE_GZIP: return "gzip";
    case PKS_INFLATE_ZLIB: return "zlib";
    case PKS_INFLATE_NONE: break;
  }
  return "raw";
}

/* ---- the object -------------------------------------------------------------------------------- */

pks_inflate *pks_inflate_new(pks_mem *mem, pks_inflate_kind kind, uint64_t max_output) {
  pks_inflate *s = pks_base_resize(mem, NULL, 0, sizeof *s);
  if (!s) return NULL;
  memset(s, 0, sizeof *s);
  s->mem = mem;
  s->kind = kind;
  s->max_output = max_output;
  s->stream.zalloc = take;
  s->stream.zfree = give;
  s->stream.opaque = mem;
  mem->status = PKS_OK;
  if (inflateInit2(&s->stream, kind == PKS_INFLATE_GZIP ? 15 + 16 : 15) != Z_OK) {
    if (mem->status == PKS_OK) mem->status = PKS_E_NO_MEMORY;
    pks_base_release(mem, s, sizeof *s);
    return NULL;
  }
  return s;
}

void pks_inflate_free(pks_inflate *s) {
  if (!s) return;
  inflateEnd(&s->stream);
  pks_base_release(s->mem, s, sizeof *s);
}

void pks_inflate_error(const pks_inflate *s, pks_error *error) {
  size_t size = error->size;
  pks_error value = {.status = s->status, .offset = s->offset, .text = s->text ? s->text : ""};
  memcpy(error, &value, size < sizeof value ? size : sizeof value);
  error->size = size;
}

static pks_status fail(pks_inflate *s, pks_status status, const char *text) {
  s->status = status;
  s->offset = s->taken;
  s->text = text;
  return status;
}

/* ---- bytes ------------------------------------------------------------------------------------- */

/* zlib's messages are not kept: they change with its version. */
static pks_status fail_of(pks_inflate *s, int result) {
  switch (result) {
    case Z_MEM_ERROR:
      return fail(s, s->mem->status == PKS_OK ? PKS_E_NO_MEMORY : s->mem->status,
                  pks_status_text(s->mem->status == PKS_OK ? PKS_E_NO_MEMORY : s->mem->status));
    case Z_NEED_DICT: return fail(s, PKS_E_CONTAINER, "the compressed data ask for a dictionary");
    default: return fail(s, PKS_E_CONTAINER, "the compressed data are corrupt");
  }
}

static uInt at_most(size_t size) { return size > UINT_MAX / 2 ? UINT_MAX / 2 : (uInt)size; }

/* One call of zlib's: input to output, as much as goes. One byte more than the limit is asked for, to
 * know whether there is one. */
static pks_status inflate_some(pks_inflate *s, pks_input *in, uint8_t *out, size_t capacity,
                               size_t *written) {
  uint64_t left = s->max_output - s->given;
  uint8_t spare = 0;
  bool at_limit = left == 0;
  size_t room = at_limit ? 1 : left < capacity ? (size_t)left : capacity;
  union { /* next_in is not const in every zlib */
    const uint8_t *given;
    Bytef *wanted;
  } input = {in->data + in->pos};
  s->stream.next_in = input.wanted;
  s->stream.avail_in = at_most(in->size - in->pos);
  s->stream.next_out = at_limit ? &spare : out;
  s->stream.avail_out = at_most(room);
  uInt in_before = s->stream.avail_in, out_before = s->stream.avail_out;
  int result = inflate(&s->stream, Z_NO_FLUSH);
  uInt taken = in_before - s->stream.avail_in, made = out_before - s->stream.avail_out;
  in->pos += taken;
  s->taken += taken;
  if (at_limit && made) return fail(s, PKS_E_LIMIT_OUTPUT, pks_status_text(PKS_E_LIMIT_OUTPUT));
  s->given += made;
  *written += made;
  if (result == Z_STREAM_END) {
    s->step = s->kind == PKS_INFLATE_GZIP ? STEP_BETWEEN : STEP_DONE;
    return PKS_OK;
  }
  if (result != Z_OK && result != Z_BUF_ERROR) return fail_of(s, result);
  return PKS_OK;
}

static pks_status between(pks_inflate *s, const pks_input *in) {
  uint8_t next = in->data[in->pos];
  if (next == 0) {
    s->step = STEP_PADDING;
    return PKS_OK;
  }
  if (next != 0x1f)
    return fail(s, PKS_E_CONTAINER,
                "what follows the compressed data is neither more of them nor zero padding");
  s->step = STEP_DATA;
  return inflateReset(&s->stream) == Z_OK ? PKS_OK : fail_of(s, Z_DATA_ERROR);
}

static pks_status padding(pks_inflate *s, pks_input *in) {
  while (in->pos < in->size && in->data[in->pos] == 0) {
    in->pos++;
    s->taken++;
  }
  if (in->pos < in->size)
    return fail(s, PKS_E_CONTAINER, "what follows the zero padding is not zero");
  return PKS_OK;
}

pks_status pks_inflate_next(pks_inflate *s, pks_input *in, uint8_t *out, size_t capacity,
                            size_t *written) {
  *written = 0;
  while (s->status == PKS_OK) {
    bool more = in->pos < in->size;
    if (s->step == STEP_DONE) return PKS_END;
    if (s->step == STEP_BETWEEN || s->step == STEP_PADDING) {
      if (!more) return PKS_NEED_MORE;
      if ((s->step == STEP_BETWEEN ? between(s, in) : padding(s, in)) != PKS_OK) break;
      continue;
    }
    /* zlib may hold output back after the last input, so it is asked until it leaves room */
    if (*written == capacity) return PKS_OK;
    size_t before = *written, pos = in->pos;
    if (inflate_some(s, in, out + *written, capacity - *written, written) != PKS_OK) break;
    if (s->step == STEP_DATA && *written == before && in->pos == pos && !more) return PKS_NEED_MORE;
  }
  return s->status;
}

pks_status pks_inflate_finish(pks_inflate *s) {
  if (s->status != PKS_OK) return s->status;
  if (s->step == STEP_DATA) return fail(s, PKS_E_CONTAINER, "the compressed data are cut short");
  return PKS_END;
}
