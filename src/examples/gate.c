/* gate.c - a scheduler's gate: may this task go to that worker?
 *
 *   cc gate.c -lpicklesight -o gate && ./gate cpython-3.12 task.pkl */
#include <picklesight.h>
#include <stdio.h>

int main(int argc, char **argv) {
  static char task[1 << 20];
  pks_target *worker = NULL;
  pks_result answer = {.size = sizeof answer};
  FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
  if (!file || pks_target_builtin(argv[1], NULL, &worker) != PKS_OK) return 2;
  size_t size = fread(task, 1, sizeof task, file);
  fclose(file);

  pks_inspector *inspector = pks_inspector_new(NULL, NULL, NULL); /* one a thread, reused */
  pks_check *check = pks_check_new(NULL);
  pks_status read = pks_inspect(inspector, task, size, NULL);
  if (pks_check_run(check, inspector, worker, &answer) != PKS_OK) return 2;
  for (size_t i = 0; i < answer.needs; i++) {
    pks_need need = {.size = sizeof need};
    if (pks_check_need(check, i, &need) == PKS_OK && need.state != PKS_STATE_MET)
      printf("%s: %s\n", need.what, need.why);
  }
  pks_check_free(check);
  pks_inspector_free(inspector);
  pks_target_free(worker);
  return read != PKS_END ? 2 : answer.verdict == PKS_VERDICT_FAILS ? 1 : 0;
}
