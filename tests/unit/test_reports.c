/* Public reports of loads that failed (tests/data/load_failures.tsv), and pickles of libraries read with other
 * releases of them (library_loads.tsv): is the verdict right, and does it name the reason? */
#include <check.h>
#include <picklesight.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/tsv.h"

/* ---- files -------------------------------------------------------------------------------------- */

static uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t *data = malloc(*size + 1);
  ck_assert_uint_eq(fread(data, 1, *size, file), *size);
  fclose(file);
  return data;
}

/* "reports/x", "libraries/x", or a name in payloads/ or more/. */
static uint8_t *read_payload(const char *name, size_t *size) {
  static const char *const folders[] = {"corpus", "corpus/payloads", "corpus/more"};
  char path[512];
  for (size_t i = strchr(name, '/') ? 0 : 1; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%s.pkl", folders[i], name);
    uint8_t *data = read_file(path, size);
    if (data) return data;
  }
  ck_abort_msg("no payload %s", name);
  return NULL;
}

/* "cpython-3.8 numpy==1.19.5 bare loader=dill", or a file of tests/data/reports first. */
static pks_target *target_of(const char *text) {
  char copy[1024], path[512];
  pks_target *target = NULL;
  snprintf(copy, sizeof copy, "%s", text);
  char *word = strtok(copy, " ");
  if (strstr(word, ".json")) {
    size_t size = 0;
    snprintf(path, sizeof path, "tests/data/reports/%s", word);
    uint8_t *data = read_file(path, &size);
    ck_assert_msg(data != NULL, "%s", path);
    ck_assert_msg(pks_target_read(data, size, NULL, &target, NULL) == PKS_OK, "%s", path);
    free(data);
  } else {
    ck_assert_msg(pks_target_builtin(word, NULL, &target) == PKS_OK, "%s", word);
  }
  while ((word = strtok(NULL, " "))) {
    if (strcmp(word, "bare") == 0)
      ck_assert_int_eq(pks_target_bare(target), PKS_OK);
    else if (strncmp(word, "loader=", 7) == 0)
      ck_assert_int_eq(pks_target_loader(target, word + 7), PKS_OK);
    else
      ck_assert_int_eq(pks_target_with(target, word), PKS_OK);
  }
  return target;
}

/* "encoding=latin1", "buffers=1", "nobuffers", "persid", or "-". */
static pks_inspector *inspector_for(const pks_target *target, const char *reading) {
  pks_options options = {.size = sizeof options};
  ck_assert_int_eq(pks_options_init(&options), PKS_OK);
  if (strncmp(reading, "encoding=", 9) == 0) options.encoding = reading + 9;
  if (strncmp(reading, "buffers=", 8) == 0) options.buffers = atoi(reading + 8);
  if (strcmp(reading, "nobuffers") == 0) options.buffers = PKS_BUFFERS_NONE;
  if (strcmp(reading, "persid") == 0) options.persistent_load = PKS_ANSWER_YES;
  ck_assert_int_eq(pks_target_options(target, &options), PKS_OK);
  pks_inspector *f = pks_inspector_new(&options, NULL, NULL);
  ck_assert_ptr_nonnull(f);
  return f;
}

static const char *const verdicts[] = {"loads", "unsure", "fails", "broken"};
static const char *const states[] = {"met", "missing", "different", "unknown"};
static const char *const kinds[] = {
#define X(id, name) name,
    PKS_NEED_MAP(X)
#undef X
};

/* What a row of the table wants, "-": nothing. */
typedef struct wanted {
  const char *verdict, *kind, *state, *what, *hint;
} wanted;

static bool holds(const char *text, const char *part) {
  return strcmp(part, "-") == 0 || (text && strstr(text, part));
}

/* Is there such a need? `said` gets all that are not met. */
static bool has_need(pks_check *check, size_t needs, const wanted *want, char *said, size_t room) {
  bool found = strcmp(want->kind, "-") == 0;
  size_t used = 0;
  for (size_t i = 0; i < needs; i++) {
    pks_need need = {.size = sizeof need};
    ck_assert_int_eq(pks_check_need(check, i, &need), PKS_OK);
    if (need.state == PKS_STATE_MET) continue;
    if (used < room)
      used +=
          (size_t)snprintf(said + used, room - used, "  %s %s '%s' (%s; %s)\n", kinds[need.kind],
                           states[need.state], need.what, need.why, need.hint ? need.hint : "-");
    if (strcmp(kinds[need.kind], want->kind) == 0 && strcmp(states[need.state], want->state) == 0 &&
        holds(need.what, want->what) && holds(need.hint, want->hint))
      found = true;
  }
  return found;
}

static bool is_right(const char *payload, const char *target_text, const char *reading,
                     const wanted *want, char *said, size_t room) {
  size_t size;
  uint8_t *data = read_payload(payload, &size);
  pks_target *target = target_of(target_text);
  pks_inspector *f = inspector_for(target, reading);
  pks_check *check = pks_check_new(NULL);
  pks_result result = {.size = sizeof result};
  size_t consumed;
  pks_status status = pks_inspect(f, data, size, &consumed);
  ck_assert_int_ne(status, PKS_E_NO_MEMORY);
  ck_assert_int_eq(pks_check_run(check, f, target, &result), PKS_OK);
  int used = snprintf(said, room, "%s\n", verdicts[result.verdict]);
  bool right = has_need(check, result.needs, want, said + used, room - (size_t)used) &&
               strcmp(verdicts[result.verdict], want->verdict) == 0;
  pks_check_free(check);
  pks_inspector_free(f);
  pks_target_free(target);
  free(data);
  return right;
}

/* ---- tests ----------------------------------------------------------------------------------------- */

/* 121 reports. "right": each line is what the tool says. "undecided": it says so too, and the note names the
 * missing fact. */
START_TEST(reports) {
  static char said[8192];
  tsv *t = tsv_read("tests/data/load_failures.tsv");
  size_t wrong = 0, rows = 0, decided = 0;
  const char *last = "";
  for (size_t i = 0; i < t->count; i++) {
    const tsv_row *row = &t->row[i];
    const char *answer = tsv_field(row, tsv_column(t, "answer"));
    const char *payload = tsv_field(row, tsv_column(t, "payload"));
    const char *number = tsv_field(row, tsv_column(t, "row"));
    const char *note = tsv_field(row, tsv_column(t, "note"));
    if (strcmp(number, last) != 0) {
      rows++;
      if (strcmp(answer, "right") == 0) decided++;
      ck_assert_msg(strlen(note) > 5, "row %s has no note", number);
      ck_assert_msg(strcmp(answer, "right") != 0 || strcmp(payload, "-") != 0, "row %s", number);
    }
    last = number;
    if (strcmp(payload, "-") == 0) continue;
    wanted want = {tsv_field(row, tsv_column(t, "verdict")), tsv_field(row, tsv_column(t, "kind")),
                   tsv_field(row, tsv_column(t, "state")), tsv_field(row, tsv_column(t, "what")),
                   tsv_field(row, tsv_column(t, "hint"))};
    const char *target = tsv_field(row, tsv_column(t, "target"));
    if (is_right(payload, target, tsv_field(row, tsv_column(t, "reading")), &want, said,
                 sizeof said))
      continue;
    wrong++;
    printf("row %s: %s against %s: want %s %s %s '%s' (%s), is %s", number, payload, target,
           want.verdict, want.kind, want.state, want.what, want.hint, said);
  }
  printf("%d reports, %d decided rightly\n", (int)rows, (int)decided);
  ck_assert_uint_eq(rows, 121);
  ck_assert_uint_ge(decided * 100, rows * 70);
  ck_assert_uint_eq(wrong, 0);
  tsv_free(t);
}
END_TEST

/* What did load never "fails", what did not never "loads"; most are decided. */
START_TEST(libraries) {
  static char said[8192];
  static const wanted nothing = {"loads", "-", "-", "-", "-"};
  tsv *t = tsv_read("tests/data/library_loads.tsv");
  size_t wrong = 0, decided = 0;
  for (size_t i = 0; i < t->count; i++) {
    char name[256];
    const char *file = tsv_field(&t->row[i], tsv_column(t, "payload"));
    const char *target = tsv_field(&t->row[i], tsv_column(t, "target"));
    const char *outcome = tsv_field(&t->row[i], tsv_column(t, "outcome"));
    snprintf(name, sizeof name, "libraries/%.*s", (int)(strlen(file) - 4), file);
    (void)is_right(name, target, "-", &nothing, said, sizeof said);
    bool loads = strncmp(said, "loads", 5) == 0, fails = strncmp(said, "fails", 5) == 0;
    bool bad = (loads && strcmp(outcome, "ok") != 0) || (fails && strcmp(outcome, "fails") != 0);
    if (loads || fails) decided++;
    if (bad) wrong++;
    if (bad) printf("%s against %s: %s, but %s", file, target, outcome, said);
  }
  printf("%d loads, %d decided\n", (int)t->count, (int)decided);
  ck_assert_uint_eq(wrong, 0);
  ck_assert_uint_ge(decided * 100, t->count * 80);
  tsv_free(t);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("reports");
  TCase *tc = tcase_create("reports");
  tcase_add_test(tc, reports);
  tcase_add_test(tc, libraries);
  tcase_set_timeout(tc, 60);
  suite_add_tcase(suite, tc);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
