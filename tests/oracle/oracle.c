/* oracle.c - is there a stream that the C unpickler and picklesight read differently?
 *
 *   oracle [OPTION VALUE]...
 *     --count N      streams made by chance (default 200000), after those of the tables and the corpus
 *     --seconds N    stop after that time (default 0: no)
 *     --seed N       of the chance (default 1)
 *     --jobs N       processes (default 1)
 *     --save FOLDER  write differing streams there, shortened
 *     --with COMMAND the other reader: a command that runs batch.py (default: libpython, linked)
 *     --most N       stop after N differing streams (default 20)
 *     --as X.Y.Z     picklesight reads as that version does, not as the other reader: they must differ
 *
 * Exit status: 0 all agree, 1 some differ, 2 trouble, 3 no such reader. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "oracle.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/tsv.h"

/* ---- counting ------------------------------------------------------------------------------------- */

typedef enum source { EDGES, CORPUS, GENERATED, DAMAGED, WILD, MUTATED, SOURCES } source;
static const char *const source_names[] = {"edge streams", "corpus", "generated",
                                           "damaged",      "wild",   "mutated"};

typedef struct counts {
  uint64_t made, ran, accepted, verdict[V_COUNT];
} counts;

#define MOST_JOBS 16
typedef struct board { /* shared by all processes */
  counts by[SOURCES];
  uint64_t current[MOST_JOBS]; /* index of the stream that is being read */
  uint64_t different, pieces;
} board;
static board *shared;

static struct {
  uint64_t count, seed;
  unsigned seconds, jobs, most;
  const char *save, *with, *as, *table;
} option = {.count = 200000, .seed = 1, .jobs = 1, .most = 20};

static inputs known;
static reader other;
static uint64_t first_random; /* indexes below are known streams */

/* ---- the stream of an index ------------------------------------------------------------------------ */

#define VARIANTS 6 /* ways in which a known stream is read */

static source known_stream(uint64_t index, sample *s) {
  static const how variants[VARIANTS - 1] = {
      {.buffers = -1, .persid = true},
      {.encoding = 1, .buffers = 2, .persid = true},
      {.encoding = 3, .buffers = 0},
      {.encoding = 1, .buffers = 2, .persid = true, .reading = 1},
      {.encoding = 1, .buffers = 2, .persid = true, .reading = 3}};
  uint64_t which = index / VARIANTS, variant = index % VARIANTS;
  sample_copy(s, &known.list[which]);
  if (variant) s->how = variants[variant - 1];
  return which < known.edges ? EDGES : CORPUS;
}

/* Small streams are met more often. */
static const sample *some_known(rng *r) {
  for (;;) {
    const sample *s = &known.list[rng_below(r, (uint32_t)known.count)];
    if (s->data.size < 600 || (s->data.size < 20000 && rng_one_in(r, 8))) return s;
  }
}

static source random_stream(uint64_t index, sample *s) {
  rng r = {option.seed * 0x2545f4914f6cdd1dull + index};
  rng_next(&r);
  uint32_t choice = rng_below(&r, 20);
  sample_random_how(s, &r);
  if (choice < 9) {
    generate(s, &r, other.python, false);
    return GENERATED;
  }
  if (choice < 12) {
    do {
      generate(s, &r, other.python, false);
      mutate(s, &r, NULL);
    } while (judge_costly(s) && !rng_one_in(&r, 64));
    return DAMAGED;
  }
  if (choice < 16) {
    generate(s, &r, other.python, true);
    return WILD;
  }
  how given = s->how;
  do {
    sample_copy(s, some_known(&r));
    if (!rng_one_in(&r, 3)) s->how = given;
    mutate(s, &r, &some_known(&r)->data);
  } while (judge_costly(s) && !rng_one_in(&r, 64));
  return MUTATED;
}

static source stream_of(uint64_t index, sample *s) {
  return index < first_random ? known_stream(index, s) : random_stream(index, s);
}

/* ---- judging --------------------------------------------------------------------------------------- */

/* Streams of tests/oracle/differences.tsv, on which the unpickler itself dies. */
static tsv *differences;

static bool is_difference(const sample *s) {
  size_t column = tsv_column(differences, "hex");
  char *hex = malloc(2 * s->data.size + 1);
  bool is = false;
  if (!hex) abort();
  for (size_t i = 0; i < s->data.size; i++) snprintf(hex + 2 * i, 3, "%02x", s->data.data[i]);
  hex[2 * s->data.size] = 0;
  for (size_t i = 0; i < differences->count; i++)
    is = is || strcmp(tsv_field(&differences->row[i], column), hex) == 0;
  free(hex);
  return is;
}

static void save(const sample *s, uint64_t index) {
  char path[600];
  if (!option.save) return;
  snprintf(path, sizeof path, "%s/%llu-%llu.pkl", option.save, (unsigned long long)option.seed,
           (unsigned long long)index);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(s->data.data, 1, s->data.size, file) != s->data.size || fclose(file))
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
}

static void found(uint64_t index, source from, const sample *as_found) {
  static sample s;
  static reading ours, real;
  const sample *one = &s;
  if (__atomic_add_fetch(&shared->different, 1, __ATOMIC_RELAXED) > option.most) return;
  sample_copy(&s, as_found);
  judge_shrink(&other, &s);
  ours_read(&s, &ours);
  other.read(&one, 1, &real);
  printf("DIFFERENT: %s, number %llu, %zu bytes of %zu\n", source_names[from],
         (unsigned long long)index, s.data.size, as_found->data.size);
  judge_print(&other, &s, &ours, &real);
  save(&s, index);
}

/* Now and then the stream comes in pieces. */
static void in_pieces(const sample *s, uint64_t index, const reading *whole) {
  static reading pieces;
  rng r = {index};
  ours_read_pieces(s, &r, &pieces);
  __atomic_add_fetch(&shared->pieces, 1, __ATOMIC_RELAXED);
  bool same = pieces.ok == whole->ok && pieces.consumed == whole->consumed &&
              strcmp(pieces.exception, whole->exception) == 0 &&
              pieces.trace.size == whole->trace.size &&
              (whole->trace.size == 0 ||
               memcmp(pieces.trace.data, whole->trace.data, whole->trace.size) == 0);
  if (same || pieces.limited) return;
  if (__atomic_add_fetch(&shared->different, 1, __ATOMIC_RELAXED) > option.most) return;
  printf("DIFFERENT in pieces: number %llu\n", (unsigned long long)index);
  judge_print(&other, s, &pieces, whole);
  save(s, index);
}

#define BATCH 256 /* streams that a reader gets at a time */
#define AGAIN 9   /* status of a process that wants another one to go on */

typedef struct batch {
  sample samples[BATCH];
  reading ours[BATCH], real[BATCH];
  const sample *list[BATCH];
  source from[BATCH];
  uint64_t index[BATCH];
  size_t count;
} batch;

static void count_verdict(source from, verdict v) {
  __atomic_add_fetch(&shared->by[from].made, 1, __ATOMIC_RELAXED);
  __atomic_add_fetch(&shared->by[from].verdict[v], 1, __ATOMIC_RELAXED);
}

/* What was read before may have left little memory: such a stream gets a process of its own. */
static bool lacks_memory(const reading *real, bool first) {
  return !option.with && !first && strcmp(real->exception, "MemoryError") == 0;
}

static void finish(batch *b, uint64_t start) {
  other.read(b->list, b->count, b->real);
  for (size_t i = 0; i < b->count; i++) {
    verdict v = judge_after(&other, b->list[i], &b->ours[i], &b->real[i]);
    if (v == V_DIFFERENT && lacks_memory(&b->real[i], b->index[i] == start)) {
      fflush(NULL);
      _exit(AGAIN);
    }
    counts *c = &shared->by[b->from[i]];
    __atomic_add_fetch(&c->ran, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&c->accepted, b->real[i].ok, __ATOMIC_RELAXED);
    if (v == V_CRASH && !is_difference(b->list[i])) {
      printf("DIED: number %llu\n", (unsigned long long)b->index[i]);
      judge_print(&other, b->list[i], &b->ours[i], &b->real[i]);
      save(b->list[i], b->index[i]);
      v = V_DIFFERENT;
      __atomic_add_fetch(&shared->different, 1, __ATOMIC_RELAXED);
    } else if (v == V_DIFFERENT) {
      found(b->index[i], b->from[i], b->list[i]);
    }
    count_verdict(b->from[i], v);
  }
  b->count = 0;
}

static void run(uint64_t start, uint64_t end, unsigned job) {
  static const struct itimerval patience = {.it_value = {.tv_sec = 120}}; /* of a slice */
  static batch b;
  size_t most = option.with ? BATCH : 1;
  if (!option.with) setitimer(ITIMER_PROF, &patience, NULL); /* a busy machine is no reason */
  for (uint64_t index = start; index < end; index++) {
    sample *s = &b.samples[b.count];
    reading *ours = &b.ours[b.count];
    shared->current[job] = index;
    b.from[b.count] = stream_of(index, s);
    b.index[b.count] = index;
    ours_read(s, ours);
    if (ours->foreign) {
      s->how.extensions = false;
      ours_read(s, ours);
    }
    if (index % 64 == 0) in_pieces(s, index, ours);
    verdict v = judge_before(&other, s, ours);
    if (v != V_SAME)
      count_verdict(b.from[b.count], v);
    else
      b.list[b.count] = s, b.count++;
    if (b.count == most) finish(&b, start);
  }
  if (b.count) finish(&b, start);
}

/* ---- processes ------------------------------------------------------------------------------------- */

#define SLICE 20000 /* streams that a process reads; what the unpickler leaks goes with it */

typedef struct job {
  pid_t pid;
  uint64_t end;
} job;

static void launch(job *j, unsigned number, uint64_t start, uint64_t end) {
  fflush(NULL);
  shared->current[number] = start;
  j->end = end;
  j->pid = fork();
  if (j->pid < 0) {
    perror("fork");
    exit(2);
  }
  if (j->pid) return;
  struct rlimit most = {(rlim_t)4 << 30, (rlim_t)4 << 30}, none = {0, 0};
  setrlimit(RLIMIT_AS, &most);
  setrlimit(RLIMIT_CORE, &none);
  run(start, end, number);
  fflush(NULL);
  _exit(0);
}

/* The process died of the stream it was reading; the rest of its slice goes on. */
static uint64_t died(unsigned number, int status) {
  static sample s;
  static reading ours, real;
  uint64_t index = shared->current[number];
  source from = stream_of(index, &s);
  ours_read(&s, &ours);
  shared->by[from].ran++;
  if (is_difference(&s)) {
    count_verdict(from, V_CRASH);
    return index + 1;
  }
  real.crashed = true;
  printf("DIED (signal %d): %s, number %llu\n", WTERMSIG(status), source_names[from],
         (unsigned long long)index);
  if (s.data.size < 4096) judge_print(&other, &s, &ours, &real);
  save(&s, index);
  count_verdict(from, V_DIFFERENT);
  shared->different++;
  return index + 1;
}

static bool time_is_up(time_t start) {
  return shared->different >= option.most ||
         (option.seconds && time(NULL) - start >= (time_t)option.seconds);
}

static void run_slices(uint64_t total) {
  static job jobs[MOST_JOBS];
  uint64_t next = 0;
  unsigned live = 0;
  time_t start = time(NULL);
  for (;;) {
    for (unsigned i = 0; i < option.jobs && next < total && !time_is_up(start); i++) {
      if (jobs[i].pid) continue;
      uint64_t end = next + SLICE < total ? next + SLICE : total;
      launch(&jobs[i], i, next, end);
      next = end;
      live++;
    }
    if (live == 0) return;
    int status;
    pid_t pid = wait(&status);
    for (unsigned i = 0; i < option.jobs; i++) {
      if (jobs[i].pid != pid) continue;
      jobs[i].pid = 0;
      live--;
      if (!WIFSIGNALED(status) && WEXITSTATUS(status) == 0) continue;
      bool again = WIFEXITED(status) && WEXITSTATUS(status) == AGAIN;
      uint64_t from = again ? shared->current[i] : died(i, status);
      if (from < jobs[i].end && !time_is_up(start)) {
        launch(&jobs[i], i, from, jobs[i].end);
        live++;
      }
    }
  }
}

static void run_remote(uint64_t total) {
  time_t start = time(NULL);
  for (uint64_t next = 0; next < total && !time_is_up(start); next += BATCH * 8)
    run(next, next + BATCH * 8 < total ? next + BATCH * 8 : total, 0);
  remote_stop();
}

/* ---- the program ------------------------------------------------------------------------------------ */

static void print_counts(double seconds) {
  counts sum = {0};
  printf("%-13s %10s %10s %9s %10s %9s %9s %9s %6s\n", other.name + 8, "made", "ran", "accepted",
         "compared", "filtered", "limit", "unsure", "differ");
  for (int i = 0; i <= SOURCES; i++) {
    const counts *c = i < SOURCES ? &shared->by[i] : &sum;
    uint64_t filtered = c->verdict[V_MEMORY] + c->verdict[V_DEEP] + c->verdict[V_CRASH];
    uint64_t compared = c->verdict[V_SAME] + c->verdict[V_DIFFERENT];
    printf("%-13s %10llu %10llu %8.1f%% %10llu %9llu %9llu %9llu %6llu\n",
           i < SOURCES ? source_names[i] : "all", (unsigned long long)c->made,
           (unsigned long long)c->ran, c->ran ? 100.0 * (double)c->accepted / (double)c->ran : 0.0,
           (unsigned long long)compared, (unsigned long long)filtered,
           (unsigned long long)c->verdict[V_LIMIT], (unsigned long long)c->verdict[V_UNSURE],
           (unsigned long long)c->verdict[V_DIFFERENT]);
    if (i == SOURCES) break;
    sum.made += c->made;
    sum.ran += c->ran;
    sum.accepted += c->accepted;
    for (int v = 0; v < V_COUNT; v++) sum.verdict[v] += c->verdict[v];
  }
  printf("%.1f seconds, %.0f executions a second; %llu in pieces too; %llu different\n", seconds,
         (double)sum.ran / (seconds > 0 ? seconds : 1), (unsigned long long)shared->pieces,
         (unsigned long long)shared->different);
}

static void usage(void) {
  fprintf(stderr, "usage: oracle [--count N] [--seconds N] [--seed N] [--jobs N] [--save FOLDER]\n"
                  "              [--with COMMAND] [--most N] [--as X.Y.Z] [--table FILE]\n");
  exit(2);
}

static void read_options(int argc, char **argv) {
  for (int i = 1; i < argc; i += 2) {
    const char *name = argv[i], *value = argv[i + 1];
    if (!value || strncmp(name, "--", 2) != 0) usage();
    name += 2;
    if (strcmp(name, "count") == 0)
      option.count = strtoull(value, NULL, 10);
    else if (strcmp(name, "seconds") == 0)
      option.seconds = (unsigned)atoi(value);
    else if (strcmp(name, "seed") == 0)
      option.seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "jobs") == 0)
      option.jobs = (unsigned)atoi(value);
    else if (strcmp(name, "most") == 0)
      option.most = (unsigned)atoi(value);
    else if (strcmp(name, "save") == 0)
      option.save = value;
    else if (strcmp(name, "with") == 0)
      option.with = value;
    else if (strcmp(name, "as") == 0)
      option.as = value;
    else if (strcmp(name, "table") == 0)
      option.table = value;
    else
      usage();
  }
  if (option.jobs < 1 || option.jobs > MOST_JOBS) usage();
}

static uint32_t version_of(const char *text) {
  unsigned major = 0, minor = 0, micro = 0;
  if (sscanf(text, "%u.%u.%u", &major, &minor, &micro) != 3) usage();
  return (uint32_t)(major << 16 | minor << 8 | micro);
}

int main(int argc, char **argv) {
  read_options(argc, argv);
  /* memory that was used once is used again, not given back and cleared anew */
  mallopt(M_MMAP_THRESHOLD, 1 << 28);
  mallopt(M_TRIM_THRESHOLD, 1 << 29);
  if (option.with ? !remote_start(&other, option.with) : !real_start(&other)) {
    fprintf(stderr, "oracle: no reader: %s\n", other.name);
    return 3;
  }
  printf("%s, seed %llu\n", other.name, (unsigned long long)option.seed);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 2;
  differences = tsv_read("tests/oracle/differences.tsv");
  ours_start(option.as ? version_of(option.as) : other.python, other.pypy);
  inputs_load(&known, option.table);
  first_random = known.count * VARIANTS;
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  uint64_t total = first_random + option.count;
  option.with ? run_remote(total) : run_slices(total);
  clock_gettime(CLOCK_MONOTONIC, &end);
  print_counts((double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9);
  return shared->different ? 1 : 0;
}
