/* suite.h - what the main of a unit program does with its suite. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>

static inline TCase *suite_case(Suite *suite, const char *name) {
  TCase *test_case = tcase_create(name);
  suite_add_tcase(suite, test_case);
  return test_case;
}

/* Runs and frees it; the program's exit status. */
static inline int suite_run(Suite *suite) {
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}

#endif
