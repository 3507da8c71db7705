/* noise.h - numbers by chance, the same in every run. */
#ifndef TESTS_NOISE_H
#define TESTS_NOISE_H

#include <stdint.h>

static inline uint64_t noise(uint64_t *state) { /* splitmix64 */
  uint64_t x = *state += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

#endif
