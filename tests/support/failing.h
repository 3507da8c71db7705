/* failing.h - an allocator that counts, distrusts its caller, and can refuse one request.
 *
 *   for (size_t n = 1;; n++) {
 *     failing memory;
 *     failing_init(&memory, n);
 *     ... the same work, with &memory.alloc ...
 *     ck_assert_uint_eq(memory.blocks, 0);
 *     if (memory.calls < n) break;            nothing was refused: every request has had its turn
 *   }
 *
 * Blocks move at every change of size, new bytes are not zero, and a wrong old_size aborts. */
#ifndef TESTS_FAILING_H
#define TESTS_FAILING_H

#include <picklesight.h>

typedef struct failing {
  pks_alloc alloc; /* pass &memory.alloc; memory must stay where it is */
  size_t fail_at;  /* the n-th request, counted from 1, returns NULL; 0: none does */
  size_t calls;    /* requests so far, refused ones counted, those that free not */
  size_t frees;
  size_t blocks;       /* live */
  uint64_t live, peak; /* bytes */
} failing;

void failing_init(failing *memory, size_t fail_at);

#endif
