#include "base/sha256.h"

#include <string.h>

#define BLOCK 64u

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint32_t rotate(uint32_t x, unsigned by) { return x >> by | x << (32 - by); }

static inline uint32_t big4(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void compress(uint32_t state[8], const uint8_t *block) {
  uint32_t w[64];
  for (size_t i = 0; i < 16; i++) w[i] = big4(block + 4 * i);
  for (size_t i = 16; i < 64; i++) {
    uint32_t x = w[i - 15], y = w[i - 2];
    w[i] = w[i - 16] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + w[i - 7] +
           (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
  }
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  for (size_t i = 0; i < 64; i++) {
    uint32_t t = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) +
                 constants[i] + w[i];
    uint32_t u = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t;
    d = c, c = b, b = a, a = t + u;
  }
  const uint32_t end[8] = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < 8; i++) state[i] += end[i];
}

void pks_base_sha256_start(pks_sha256 *sha) {
  static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(sha->state, start, sizeof start);
  sha->bytes = 0;
}

void pks_base_sha256_feed(pks_sha256 *sha, const void *data, size_t size) {
  const uint8_t *p = data;
  size_t held = (size_t)(sha->bytes % BLOCK);
  sha->bytes += size;
  if (held > 0) {
    size_t take = size < BLOCK - held ? size : BLOCK - held;
    if (take > 0) memcpy(sha->block + held, p, take);
    if (held + take < BLOCK) return;
    compress(sha->state, sha->block);
    p += take;
    size -= take;
  }
  for (; size >= BLOCK; p += BLOCK, size -= BLOCK) compress(sha->state, p);
  if (size > 0) memcpy(sha->block, p, size);
}

void pks_base_sha256_finish(pks_sha256 *sha, uint8_t digest[PKS_SHA256_SIZE]) {
  static const uint8_t padding[BLOCK] = {0x80};
  uint64_t bits = sha->bytes * 8;
  uint8_t length[8];
  for (size_t i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
  pks_base_sha256_feed(sha, padding, 1 + (BLOCK + 55 - (size_t)(sha->bytes % BLOCK)) % BLOCK);
  pks_base_sha256_feed(sha, length, sizeof length);
  for (size_t i = 0; i < PKS_SHA256_SIZE; i++)
    digest[i] = (uint8_t)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
}

void pks_base_sha256_hex(const uint8_t digest[PKS_SHA256_SIZE], char hex[2 * PKS_SHA256_SIZE + 1]) {
  for (size_t i = 0; i < PKS_SHA256_SIZE; i++) {
    hex[2 * i] = "0123456789abcdef"[digest[i] >> 4];
    hex[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
  }
  hex[2 * PKS_SHA256_SIZE] = '\0';
}
