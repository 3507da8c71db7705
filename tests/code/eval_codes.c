/* Feeds the code objects of files made by emit_codes.py to pks_code_inspect and prints how well the
 * answers agree with the interpreter that compiled them.
 *
 *   eval_codes [-q] [-m N] [-d OUT] FILE...
 *     -q      no table, only what is wrong; exit status 1 when a hard set misses the truth
 *     -m N    print the first N code objects whose set misses the truth or whose likely is wrong
 *     -d OUT  write "position hard likely" of each code object, in hex, for comparing with others
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "code/scan.h"
#include "codes_file.h"

/* ---- groups of code objects ---------------------------------------------------------------------- */

typedef struct tally {
  uint64_t groups, hit, hard_one, likely_one, likely_wrong;
} tally;

static void count(tally *t, const pks_code_join *join, pks_code_set truth) {
  pks_code_joint joint;
  pks_code_join_get(join, &joint);
  t->groups++;
  if (joint.set & truth) t->hit++;
  if (joint.set == truth) t->hard_one++;
  if (joint.likely == truth) t->likely_one++;
  if (!(joint.likely & truth)) t->likely_wrong++;
}

typedef struct series {
  unsigned every;
  int32_t module;
  pks_code_join join;
  tally tally;
} series;

static void series_add(series *s, int32_t module, const pks_code_facts *facts, pks_code_set truth) {
  if (module != s->module) memset(&s->join, 0, sizeof s->join);
  s->module = module;
  pks_code_join_add(&s->join, facts);
  if (s->join.count < s->every) return;
  count(&s->tally, &s->join, truth);
  memset(&s->join, 0, sizeof s->join);
}

typedef struct kept {
  pks_code_set set;
  uint16_t conflicts;
  uint16_t soft[PKS_CODE_VERSIONS];
  int32_t parent;
  bool function;
} kept;

static void merge(pks_code_join *join, const kept *k) {
  pks_code_facts facts;
  memset(&facts, 0, sizeof facts);
  facts.set = k->set;
  facts.conflicts = k->conflicts;
  memcpy(facts.soft, k->soft, sizeof facts.soft);
  pks_code_join_add(join, &facts);
}

/* A function with all code nested in it, for every function that is in no other. */
static void functions(tally *t, const kept *all, size_t n, pks_code_set truth) {
  pks_code_join *joins = calloc(n ? n : 1, sizeof *joins);
  for (size_t i = 0; i < n; i++) { /* nested ones come before */
    merge(&joins[i], &all[i]);
    int32_t parent = all[i].parent;
    if (parent < 0 || (size_t)parent >= n) continue;
    if (!all[parent].function) {
      if (all[i].function) count(t, &joins[i], truth);
    } else {
      pks_code_join *up = &joins[parent];
      const pks_code_join *down = &joins[i];
      up->all = up->any ? up->all & down->all : down->all;
      up->any |= down->any;
      up->count += down->count;
      for (unsigned v = 0; v < PKS_CODE_VERSIONS; v++) up->soft[v] += down->soft[v];
    }
  }
  free(joins);
}

/* ---- one file --------------------------------------------------------------------------------------- */

typedef struct totals {
  uint64_t codes, bytes, missed, hard_one, likely_one, likely_wrong, sizes, likelies, none,
      conflicting;
  uint64_t pypy_possible;
  uint64_t sets[64];
  pks_code_set set_of[64];
  double seconds;
} totals;

static int truth_of(const char *name) {
  for (size_t i = 0; i < pks_code_version_count(); i++)
    if (strcmp(pks_code_version_name(i), name) == 0) return (int)i;
  return -1;
}

static void set_text(pks_code_set set, char *out, size_t size) {
  size_t n = (size_t)snprintf(out, size, "{");
  for (unsigned i = 0; i < PKS_CODE_VERSIONS; i++) {
    if (!(set >> i & 1) || n >= size) continue;
    const char *name = pks_code_version_name(i);
    n += (size_t)snprintf(out + n, size - n, "%s%s", n > 1 ? "," : "",
                          strncmp(name, "cpython-3.", 10) ? name : name + 10);
  }
  if (n < size) snprintf(out + n, size - n, "}");
}

static void note_set(totals *t, pks_code_set set) {
  for (size_t i = 0; i < 64; i++) {
    if (t->sets[i] && t->set_of[i] != set) continue;
    t->set_of[i] = set;
    t->sets[i]++;
    return;
  }
}

/* The first check of the true version that fails. */
static const char *reason(const record *r, int version) {
  static const char *const names[] = {
#define X(name, text) text,
      PKS_CODE_CHECK_MAP(X)
#undef X
  };
  pks_mem mem;
  pks_vec text = {0}, starts = {0}, targets = {0};
  pks_code_facts facts;
  pks_code_view view;
  pks_code_scan scan = {0};
  pks_base_mem_init(&mem, NULL, UINT64_MAX);
  const pks_code_table *table = pks_code_table_of((unsigned)version);
  if (!table || !pks_code_unpack(&mem, &text, r->args, r->argc, 0, &facts, &view))
    return names[PKS_CHECK_SHAPE];
  size_t words = pks_code_words(view.size);
  if (!pks_base_vec_reserve(&mem, &starts, sizeof(uint64_t), words) ||
      !pks_base_vec_reserve(&mem, &targets, sizeof(uint64_t), words))
    return "no memory";
  scan.starts = &PKS_VEC_AT(&starts, uint64_t, 0);
  scan.targets = &PKS_VEC_AT(&targets, uint64_t, 0);
  bool starts_well = table->minor < 11 || pks_code_prefix(&view, table);
  pks_code_check check = starts_well ? pks_code_scan_run(&view, table, &scan) : PKS_CHECK_PREFIX;
  if (!check && !pks_code_lines_ok(&view, table, &scan)) check = PKS_CHECK_LINES;
  if (!check && table->minor >= 11 && !pks_code_exceptions_ok(&view, &scan))
    check = PKS_CHECK_EXCEPTIONS;
  pks_base_vec_free(&mem, &text, 1);
  pks_base_vec_free(&mem, &starts, sizeof(uint64_t));
  pks_base_vec_free(&mem, &targets, sizeof(uint64_t));
  return names[check];
}

static void show(const record *r, const pks_code_facts *f, size_t position, const char *why,
                 int version) {
  char hard[128], likely[128];
  set_text(f->set, hard, sizeof hard);
  set_text(f->likely, likely, sizeof likely);
  printf("  %s (%s) at %zu: %.*s, %.*s:%lld, %zu bytes, hard %s likely %s\n", why,
         reason(r, version), position, (int)f->name.size, (const char *)f->name.data,
         (int)f->file.size, (const char *)f->file.data, (long long)f->line, f->bytecode.size, hard,
         likely);
}

static double now(void) {
  struct timespec ts;
  timespec_get(&ts, TIME_UTC);
  return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static unsigned ones(pks_code_set set) { return pks_code_set_size(set); }

static int evaluate(const char *path, bool quiet, long show_most, FILE *dump) {
  file f;
  codes_open(&f, path);
  int version = truth_of(f.version);
  if (version < 0) codes_die("unknown version", f.version);
  pks_code_set truth = PKS_CODE_BIT(version);
  bool pypy = strncmp(f.version, "pypy", 4) == 0;
  totals t;
  memset(&t, 0, sizeof t);
  series five = {.every = 5, .module = -1}, twenty = {.every = 20, .module = -1};
  tally function = {0};
  pks_mem mem;
  pks_base_mem_init(&mem, NULL, UINT64_MAX);
  pks_code_scratch scratch;
  memset(&scratch, 0, sizeof scratch);
  record r;
  kept *all = NULL;
  size_t room = 0, n = 0;
  while (codes_next(&f, &r)) {
    pks_code_facts facts;
    double before = now();
    if (pks_code_inspect(&scratch, &mem, r.args, r.argc, 0, &facts)) codes_die("no memory", path);
    t.seconds += now() - before;
    pks_code_set set = pypy ? facts.pypy : facts.set;
    t.codes++;
    t.bytes += facts.bytecode.size;
    t.sizes += ones(facts.set);
    t.likelies += ones(facts.likely);
    t.none += facts.set == 0;
    t.conflicting += facts.kind == PKS_CODE_CONFLICTING;
    t.hard_one += facts.set == truth;
    t.likely_one += facts.likely == truth;
    t.pypy_possible += facts.pypy != 0;
    bool missed = !(set & truth), wrong = !pypy && !missed && !(facts.likely & truth);
    t.missed += missed;
    t.likely_wrong += wrong;
    note_set(&t, facts.set);
    if ((missed || wrong) && show_most-- > 0)
      show(&r, &facts, n, missed ? "missed" : "likely wrong", version);
    if (dump) fprintf(dump, "%zu %x %x\n", n, (unsigned)facts.set, (unsigned)facts.likely);
    series_add(&five, r.module, &facts, truth);
    series_add(&twenty, r.module, &facts, truth);
    if (n == room) {
      room = room ? room * 2 : 4096;
      all = realloc(all, room * sizeof *all);
      if (!all) codes_die("no memory", path);
    }
    all[n].set = facts.set;
    all[n].conflicts = facts.conflicts;
    all[n].parent = r.parent;
    all[n].function = facts.flags & 2; /* CO_NEWLOCALS */
    memcpy(all[n].soft, facts.soft, sizeof facts.soft);
    n++;
  }
  functions(&function, all, n, truth);
  pks_code_scratch_free(&scratch, &mem);

  double c = t.codes ? (double)t.codes : 1;
  if (!quiet) {
    printf("%-13s %7llu codes  missed %llu  none %llu  unique hard %.2f%% likely %.2f%%  average "
           "%.3f %.3f  "
           "likely wrong %llu (%.3f%%)  conflicting %llu  pypy possible %llu  %.0f ns each, %.2f "
           "ns/byte\n",
           f.version, (unsigned long long)t.codes, (unsigned long long)t.missed,
           (unsigned long long)t.none, 100 * (double)t.hard_one / c, 100 * (double)t.likely_one / c,
           (double)t.sizes / c, (double)t.likelies / c, (unsigned long long)t.likely_wrong,
           100 * (double)t.likely_wrong / c, (unsigned long long)t.conflicting,
           (unsigned long long)t.pypy_possible, t.seconds / c * 1e9,
           t.seconds / (double)(t.bytes ? t.bytes : 1) * 1e9);
    const struct {
      const char *name;
      const tally *tally;
    } lines[] = {{"function + nested", &function},
                 {"5 of a module", &five.tally},
                 {"20 of a module", &twenty.tally}};
    for (int i = 0; i < 3; i++) {
      const tally *g = lines[i].tally;
      double d = g->groups ? (double)g->groups : 1;
      printf("    %-18s %7llu groups  hit %.3f%%  unique hard %.2f%% likely %.2f%%  likely wrong "
             "%llu\n",
             lines[i].name, (unsigned long long)g->groups, 100 * (double)g->hit / d,
             100 * (double)g->hard_one / d, 100 * (double)g->likely_one / d,
             (unsigned long long)g->likely_wrong);
    }
    printf("    sets:");
    for (size_t i = 0; i < 64 && t.sets[i]; i++) {
      char text[128];
      set_text(t.set_of[i], text, sizeof text);
      printf(" %s %llu", text, (unsigned long long)t.sets[i]);
    }
    printf("\n");
  }
  if (t.missed)
    printf("eval_codes: %s: %llu of %llu code objects without the true version\n", path,
           (unsigned long long)t.missed, (unsigned long long)t.codes);
  free(all);
  free(f.values);
  free(f.data);
  return t.missed != 0;
}

int main(int argc, char **argv) {
  bool quiet = false;
  long most = 0;
  FILE *dump = NULL;
  int status = 0, i = 1;
  for (; i < argc && argv[i][0] == '-'; i++) {
    if (!strcmp(argv[i], "-q"))
      quiet = true;
    else if (!strcmp(argv[i], "-m") && i + 1 < argc)
      most = atol(argv[++i]);
    else if (!strcmp(argv[i], "-d") && i + 1 < argc)
      dump = fopen(argv[++i], "w");
    else
      codes_die("usage: eval_codes [-q] [-m N] [-d OUT] FILE...", argv[i]);
  }
  for (; i < argc; i++) status |= evaluate(argv[i], quiet, most, dump);
  if (dump) fclose(dump);
  return status;
}
