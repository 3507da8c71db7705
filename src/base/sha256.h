/* base/sha256.h - SHA-256 (FIPS 180-4) of bytes that come in pieces. */
#ifndef PKS_BASE_SHA256_H
#define PKS_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define PKS_SHA256_SIZE 32

typedef struct pks_sha256 {
  uint32_t state[8];
  uint64_t bytes; /* taken so far */
  uint8_t block[64];
} pks_sha256;

void pks_base_sha256_start(pks_sha256 *sha);
void pks_base_sha256_feed(pks_sha256 *sha, const void *data, size_t size);
void pks_base_sha256_finish(pks_sha256 *sha, uint8_t digest[PKS_SHA256_SIZE]);

/* 64 lower-case digits and a NUL. */
void pks_base_sha256_hex(const uint8_t digest[PKS_SHA256_SIZE], char hex[2 * PKS_SHA256_SIZE + 1]);

#endif
