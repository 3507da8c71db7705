/* gate.c - a scheduler's gate: may this task go to that worker?
 *
 *   cc gate.c $(pkg-config --cflags --libs picklesight) -o gate
 *   ./gate cpython-3.12 cloudpickle==3.1.2 task.pkl
 *
 * Prints what stands in the way. Exit status: 0 loads, 1 unsure, 2 fails, 3 broken, 9 nothing was asked. */
#include <picklesight.h>
#include <stdio.h>

/* The objects are made once for each thread and used again: a task then costs no allocation. */
static pks_verdict gate(pks_inspector *inspector, pks_check *check, const pks_target *worker,
                        const void *task, size_t size) {
  pks_result answer = {.size = sizeof answer};
  pks_need need = {.size = sizeof need};
  if (pks_inspect(inspector, task, size, NULL) == PKS_E_NO_MEMORY) return PKS_VERDICT_UNSURE;
  if (pks_check_run(check, inspector, worker, &answer) != PKS_OK) return PKS_VERDICT_UNSURE;
  for (size_t i = 0; i < answer.needs; i++)
    if (pks_check_need(check, i, &need) == PKS_OK && need.state != PKS_STATE_MET)
      printf("%s (at %llu)\n", need.why, (unsigned long long)need.offset);
  return answer.verdict;
}

int main(int argc, char **argv) {
  static char task[1 << 20];
  pks_target *worker = NULL;
  pks_options options = {.size = sizeof options};
  FILE *file = argc == 4 ? fopen(argv[3], "rb") : NULL;
  if (!file || pks_target_builtin(argv[1], NULL, &worker) != PKS_OK ||
      pks_target_with(worker, argv[2]) != PKS_OK || pks_options_init(&options) != PKS_OK ||
      pks_target_options(worker, &options) != PKS_OK) /* read as the worker does */
    return 9;
  size_t size = fread(task, 1, sizeof task, file);
  fclose(file);

  pks_inspector *inspector = pks_inspector_new(&options, NULL, NULL);
  pks_check *check = pks_check_new(NULL);
  if (!inspector || !check) return 9;
  pks_verdict verdict = gate(inspector, check, worker, task, size);
  pks_check_free(check);
  pks_inspector_free(inspector);
  pks_target_free(worker);
  return (int)verdict;
}
