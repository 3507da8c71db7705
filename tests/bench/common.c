/* common.c - the handshake of a large cluster: what 1,000 different fingerprints have in common.
 *
 * Each is as long as that of a real environment (100 distributions, 110 modules, 6 KB); three versions in a hundred
 * differ from target to target, and each has a module that no other has. Prints what reading and comparing takes;
 * exit status 1 when comparing takes more than 50 ms. Arguments of `make bench` mean nothing here. */
#include <picklesight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TARGETS 1000u
#define RUNS 5

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static size_t document(unsigned i, char *out, size_t size) {
  static const unsigned minors[] = {12, 11, 10}, magics[] = {3531, 3495, 3439};
  unsigned python = i % 50 ? 0 : i / 50 % 3;
  size_t used = (size_t)snprintf(
      out, size,
      "{\"complete\":[\"distributions\",\"top_level\"],\"implementation\":\"cpython\",\"magic\":%u,"
      "\"max_protocol\":5,\"schema\":\"pickle-target/"
      "1\",\"stdlib\":\"table\",\"version\":[3,%u,1],\"distributions\":{",
      magics[python], minors[python]);
  for (unsigned k = 0; k < 100; k++)
    used += (size_t)snprintf(out + used, size - used, "\"some-distribution-%02u\":\"%u.%u.0\",", k,
                             k % 9, k % 33 == i % 33 ? i % 20 : k % 7);
  used += (size_t)snprintf(out + used, size - used, "\"worker-%u\":\"1.0\"},\"modules\":{", i);
  for (unsigned k = 0; k < 110; k++)
    used += (size_t)snprintf(out + used, size - used,
                             "\"module_%03u\":{\"d\":\"some-distribution-%02u\",\"k\":\"%c\"},", k,
                             k % 100, k % 3 ? 'p' : 'm');
  return used + (size_t)snprintf(out + used, size - used, "\"worker_%u\":{\"k\":\"p\"}}}", i);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(void) {
  static pks_target *target[TARGETS];
  static char text[16384];
  double run[RUNS], start, reading = 0;
  size_t bytes = 0, modules = 0, versions = 0;
  for (unsigned i = 0; i < TARGETS; i++) {
    size_t size = document(i, text, sizeof text);
    start = now();
    if (pks_target_read(text, size, NULL, &target[i], NULL) != PKS_OK) return 1;
    reading += now() - start;
    bytes += size;
  }
  for (int i = 0; i < RUNS; i++) {
    pks_common *common;
    start = now();
    if (pks_common_new((const pks_target *const *)target, TARGETS, NULL, &common) != PKS_OK)
      return 1;
    run[i] = now() - start;
    modules = pks_common_shared(common) + pks_common_partial(common);
    versions = pks_common_versions(common);
    pks_common_free(common);
  }
  qsort(run, RUNS, sizeof *run, by_value);
  for (unsigned i = 0; i < TARGETS; i++) pks_target_free(target[i]);
  printf("common: %u fingerprints, %zu bytes each: read in %.0f ms; %zu modules and %zu versions "
         "compared in %.1f ms\n",
         TARGETS, bytes / TARGETS, reading, modules, versions, run[RUNS / 2]);
  if (run[RUNS / 2] <= 50) return 0;
  printf("common: more than 50 ms\n");
  return 1;
}
