/* decode/decoder.h - one opcode at a time, from bytes in any cut. The public pks_decoder. */
#ifndef PKS_DECODE_DECODER_H
#define PKS_DECODE_DECODER_H

#include "decode/decode.h"

struct pks_decoder {
  pks_mem mem; /* first: pks_base_object_new */
  uint32_t rules;
  pks_strings strings;
  uint64_t max_ops, max_name;
  uint64_t offset, ops;
  pks_window window;
  pks_want want;
  pks_skip skip; /* of the clipped opcode at the start of the carry */
  bool clipped, stopped;
  pks_fail fail;
  uint64_t fail_offset;
  int fail_op;
};

pks_decoder *pks_decode_decoder_new(const pks_options *options, const pks_limits *limits,
                                    const pks_alloc *alloc);
void pks_decode_decoder_free(pks_decoder *d);
void pks_decode_decoder_reset(pks_decoder *d);
pks_status pks_decode_next(pks_decoder *d, pks_input *in, pks_op *op);
pks_status pks_decode_finish(pks_decoder *d);

#endif
