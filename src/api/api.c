/* api/api.c - the public functions over decode and facts: argument checks and calls down. */
#include <string.h>

#include "decode/decoder.h"
#include "facts/facts.h"
#include "facts/listing.h"

/* ---- decoder --------------------------------------------------------------------------------------- */

pks_decoder *pks_decoder_new(const pks_options *options, const pks_limits *limits,
                             const pks_alloc *alloc) {
  return pks_decode_decoder_new(options, limits, alloc);
}

void pks_decoder_free(pks_decoder *decoder) { pks_decode_decoder_free(decoder); }

void pks_decoder_reset(pks_decoder *decoder) {
  if (decoder) pks_decode_decoder_reset(decoder);
}

static int is_input(const pks_input *in) {
  return in && in->pos <= in->size && (in->data || in->size == 0);
}

pks_status pks_decoder_next(pks_decoder *decoder, pks_input *in, pks_op *op) {
  if (!decoder || !op || op->size < sizeof op->size || !is_input(in)) return PKS_E_USAGE;
  return pks_decode_next(decoder, in, op);
}

pks_status pks_decoder_finish(pks_decoder *decoder) {
  return decoder ? pks_decode_finish(decoder) : PKS_E_USAGE;
}

void pks_decoder_error(const pks_decoder *decoder, pks_error *error) {
  if (decoder && error)
    pks_decode_error(error, decoder->fail, decoder->fail_offset, decoder->fail_op);
}

/* ---- inspector -------------------------------------------------------------------------------------- */

pks_inspector *pks_inspector_new(const pks_options *options, const pks_limits *limits,
                                 const pks_alloc *alloc) {
  return pks_facts_new(options, limits, alloc);
}

void pks_inspector_free(pks_inspector *inspector) { pks_facts_free(inspector); }

void pks_inspector_reset(pks_inspector *inspector) {
  if (inspector) pks_facts_reset(inspector);
}

pks_status pks_inspector_options(pks_inspector *inspector, const pks_options *options) {
  return inspector ? pks_facts_set_options(inspector, options) : PKS_E_USAGE;
}

pks_status pks_inspect(pks_inspector *inspector, const void *data, size_t size, size_t *consumed) {
  if (!inspector || (!data && size)) return PKS_E_USAGE;
  return pks_facts_whole(inspector, data, size, consumed);
}

pks_status pks_inspect_code(pks_inspector *inspector, pks_payload_format format, const void *data,
                            size_t size, size_t *consumed) {
  if (!inspector || (!data && size)) return PKS_E_USAGE;
  if (format != PKS_PAYLOAD_MARSHAL && format != PKS_PAYLOAD_PYC) return PKS_E_USAGE;
  pks_status status = pks_facts_code_file(inspector, format, (pks_span){data, size});
  if (consumed) *consumed = (size_t)inspector->file.end;
  return status;
}

pks_status pks_inspector_feed(pks_inspector *inspector, pks_input *in) {
  return inspector && is_input(in) ? pks_facts_feed(inspector, in) : PKS_E_USAGE;
}

pks_status pks_inspector_finish(pks_inspector *inspector) {
  return inspector ? pks_facts_finish(inspector) : PKS_E_USAGE;
}

void pks_inspector_error(const pks_inspector *inspector, pks_error *error) {
  if (inspector && error) pks_facts_error(inspector, error);
}

/* ---- facts: copies as much of a record as the caller's struct holds -------------------------------- */

#define GIVE(out, value)                                                      \
  do {                                                                        \
    size_t given = (out)->size < sizeof(value) ? (out)->size : sizeof(value); \
    (value).size = given;                                                     \
    memcpy((out), &(value), given);                                           \
  } while (0)

void pks_inspector_summary(const pks_inspector *inspector, pks_summary *summary) {
  if (!inspector || !summary || summary->size < sizeof summary->size) return;
  pks_summary value;
  pks_facts_summary(inspector, &value);
  GIVE(summary, value);
}

#define ITEM(noun, type)                                                                     \
  pks_status pks_inspector_##noun(const pks_inspector *inspector, size_t index, type *out) { \
    type value;                                                                              \
    if (!inspector || !out || out->size < sizeof out->size) return PKS_E_USAGE;              \
    if (!pks_facts_get_##noun(inspector, index, &value)) return PKS_E_USAGE;                 \
    GIVE(out, value);                                                                        \
    return PKS_OK;                                                                           \
  }

ITEM(global, pks_global)
ITEM(call, pks_call)
ITEM(code, pks_code)
ITEM(module, pks_module)
ITEM(event, pks_event)
ITEM(assumption, pks_assumption)

const pks_inspector *pks_inspector_reading(const pks_inspector *inspector, size_t index,
                                           pks_other_reading *out) {
  pks_other_reading value;
  if (!inspector || (out && out->size < sizeof out->size)) return NULL;
  const pks_inspector *other = pks_facts_get_reading(inspector, index, &value);
  if (other && out) GIVE(out, value);
  return other;
}

pks_status pks_inspector_extension(const pks_inspector *inspector, size_t index, uint32_t *code,
                                   uint64_t *offset) {
  if (!inspector || index >= inspector->extensions.count) return PKS_E_USAGE;
  const pks_extension_record *record =
      &PKS_VEC_AT(&inspector->extensions, pks_extension_record, index);
  if (code) *code = record->code;
  if (offset) *offset = record->offset;
  return PKS_OK;
}

pks_status pks_inspector_pyc(const pks_inspector *inspector, pks_pyc *out) {
  pks_pyc value;
  if (!inspector || !out || out->size < sizeof out->size) return PKS_E_USAGE;
  if (!pks_facts_get_pyc(inspector, &value)) return PKS_E_USAGE;
  GIVE(out, value);
  return PKS_OK;
}

pks_status pks_inspector_bytecode(const pks_inspector *inspector, pks_code *out) {
  pks_code value;
  if (!inspector || !out || out->size < sizeof out->size) return PKS_E_USAGE;
  if (!pks_facts_bytecode(inspector, &value)) return PKS_E_USAGE;
  GIVE(out, value);
  return PKS_OK;
}

/* ---- listings ----------------------------------------------------------------------------------------- */

pks_listing *pks_listing_new(const pks_limits *limits, const pks_alloc *alloc) {
  return pks_facts_listing_new(limits, alloc);
}

void pks_listing_free(pks_listing *listing) { pks_facts_listing_free(listing); }

pks_status pks_listing_start(pks_listing *listing, const pks_inspector *inspector, size_t code,
                             uint16_t magic) {
  if (!listing || !inspector) return PKS_E_USAGE;
  return pks_facts_listing_start(listing, inspector, code, magic);
}

pks_status pks_listing_next(pks_listing *listing, pks_instruction *out) {
  pks_instruction value;
  if (!listing || !out || out->size < sizeof out->size) return PKS_E_USAGE;
  if (!pks_facts_listing_next(listing, &value)) return PKS_END;
  GIVE(out, value);
  return PKS_OK;
}
