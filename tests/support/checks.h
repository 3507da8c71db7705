/* checks.h - targets, readers and checks written as text. What cannot be made aborts. */
#ifndef TESTS_CHECKS_H
#define TESTS_CHECKS_H

#include <picklesight.h>

/* "cpython-3.12 cloudpickle==3.1.2 bare": a name or a fingerprint's text, then what is added. */
pks_target *check_target(const char *text, const pks_alloc *alloc);
/* An inspector that reads as the target does, as far as `how` says nothing else:
 * "encoding=latin1 errors=ignore buffers=2 nobuffers persid nopersid noext inert", or NULL. */
pks_inspector *check_inspector(const pks_target *target, const char *how);
/* "fails: loads fails none", then a line an unmet need: "load module missing 'module x' @0". Until the next
 * call, as of the next function. */
char *check_text(pks_check *check, const pks_result *result);
/* Reads the payload, whole (cuts NULL) or with these cuts, and checks it. */
char *check_run(const pks_target *target, const char *how, const uint8_t *data, size_t size,
                const size_t *cuts, size_t count);

#define WORKER                                                                                   \
  "{\"schema\": \"pickle-target/1\", \"implementation\": \"cpython\", \"version\": [3, 12, 1],"  \
  "\"complete\": [\"top_level\", \"extensions\"], \"modules\": {\"app\": {\"k\": \"m\", \"a\": " \
  "[\"f\"]}},"                                                                                   \
  "\"main\": {\"names\": [\"g\"], \"open\": false}, \"extensions\": {\"7\": \"app:f\"},"         \
  "\"loader\": {\"name\": \"ours\", \"buffers\": false, \"encoding\": \"latin1\"}}"

#endif
