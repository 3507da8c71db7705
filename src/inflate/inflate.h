/* inflate/inflate.h - compressed bytes in, plain bytes out, in pieces of any size.
 *
 * gzip (all members, one after the other, and zero padding after them) and zlib. */
#ifndef PKS_INFLATE_INFLATE_H
#define PKS_INFLATE_INFLATE_H

#include "base/mem.h"

typedef enum pks_inflate_kind {
  PKS_INFLATE_NONE = 0,
  PKS_INFLATE_GZIP,
  PKS_INFLATE_ZLIB
} pks_inflate_kind;

/* By the first bytes; no pickle that CPython reads begins like these. */
pks_inflate_kind pks_inflate_sniff(const uint8_t *data, size_t size);
/* "gzip", "zlib", "raw". Static. */
const char *pks_inflate_name(pks_inflate_kind kind);

typedef struct pks_inflate pks_inflate;

/* NULL: mem->status says why. mem must outlive it and stay where it is. */
pks_inflate *pks_inflate_new(pks_mem *mem, pks_inflate_kind kind, uint64_t max_output);
void pks_inflate_free(pks_inflate *inflate);

/* Writes at most `capacity` bytes to out; *written says how many, also beside an error.
 *   PKS_OK         out is full; call again with the same input
 *   PKS_NEED_MORE  all input was taken
 *   PKS_END        the compressed data are over; in->pos is after them. A gzip file may go on with
 *                  another member, so it says PKS_NEED_MORE to the last: ask pks_inflate_finish
 *   else           PKS_E_CONTAINER, PKS_E_LIMIT_OUTPUT, PKS_E_NO_MEMORY or PKS_E_LIMIT_MEMORY; final */
pks_status pks_inflate_next(pks_inflate *inflate, pks_input *in, uint8_t *out, size_t capacity,
                            size_t *written);

/* Says that no input follows: PKS_END, or an error. */
pks_status pks_inflate_finish(pks_inflate *inflate);

/* offset: in the compressed file. status PKS_OK: none. */
void pks_inflate_error(const pks_inflate *inflate, pks_error *error);

#endif
