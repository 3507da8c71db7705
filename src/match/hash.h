/* match/hash.h - one hash for names, those of the generated tables and those of fingerprints. */
#ifndef PKS_MATCH_HASH_H
#define PKS_MATCH_HASH_H

#include <picklesight.h>

static inline uint64_t pks_match_load4(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t pks_match_load8(const uint8_t *p) {
  return pks_match_load4(p) | pks_match_load4(p + 4) << 32;
}

static inline uint64_t pks_match_stir(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

/* Words of eight bytes, the last of which may overlap the one before. As hashed() of gen_stdlib.py. */
static inline uint64_t pks_match_hash(pks_span text) {
  const uint8_t *p = text.data;
  size_t size = text.size;
  uint64_t hash = (uint64_t)size * 0x9e3779b97f4a7c15u;
  if (size >= 8) {
    for (size_t at = 0; at < size - 8; at += 8)
      hash = pks_match_stir(hash, pks_match_load8(p + at));
    return pks_match_stir(hash, pks_match_load8(p + size - 8));
  }
  if (size >= 4)
    return pks_match_stir(hash, pks_match_load4(p) | pks_match_load4(p + size - 4) << 32);
  if (size == 0) return hash;
  return pks_match_stir(hash, p[0] | (uint64_t)p[size / 2] << 8 | (uint64_t)p[size - 1] << 16);
}

#endif
