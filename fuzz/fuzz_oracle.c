/* fuzz_oracle.c - claims that CPython's C unpickler (the libpython linked here) and picklesight answer
 * every stream alike, in what tests/oracle compares. The oracle's generator is the mutator. */
#include "fuzz.h"

#include "oracle/oracle.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* Python objects live as long as the process. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return 1; }

static reader *python(void) {
  static reader who;
  if (who.read) return &who;
  FUZZ_CHECK(real_start(&who));
  ours_start(who.python, false);
  return &who;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  reader *who = python();
  fuzz_tail tail = fuzz_tail_of(data, size);
  sample s = {{0}, {0}};
  reading ours = {0}, real = {0};
  const sample *one = &s;
  rng r = {fuzz_byte(&tail)};
  sample_random_how(&s, &r);
  s.how.extensions = false;
  bytes_put(&s.data, data, size);
  ours_read(&s, &ours);
  if (!judge_costly(&s) && judge_before(who, &s, &ours) == V_SAME) {
    who->read(&one, 1, &real);
    verdict v = judge_after(who, &s, &ours, &real);
    if (v == V_DIFFERENT) judge_print(who, &s, &ours, &real);
    FUZZ_CHECK(v != V_DIFFERENT);
  }
  bytes_free(&s.data);
  bytes_free(&ours.trace);
  bytes_free(&real.trace);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  sample s = {{0}, {0}};
  rng r = {seed};
  if (LLVMFuzzerMutate && rng_one_in(&r, 4)) return LLVMFuzzerMutate(data, size, most);
  sample_random_how(&s, &r);
  bytes_put(&s.data, data, size);
  if (rng_one_in(&r, 8))
    generate(&s, &r, python()->python, rng_one_in(&r, 2));
  else
    mutate(&s, &r, NULL);
  size = s.data.size < most ? s.data.size : most;
  if (size) memcpy(data, s.data.data, size);
  bytes_free(&s.data);
  return size;
}
