/* tests/bench/bench.c - picklesight beside the C pickle.loads of the CPython this is linked with.
 *
 *   bench [--runs N] [--only KIND[,KIND]] [--json FILE] [--divide N]
 *   bench --write KIND [--divide N]      the payload itself, on standard output
 *
 * Inputs are made by that interpreter (inputs.py). One run measures, in turn: pickle.loads, gc off,
 * in process, its result freed after the clock has stopped; pks_inspect on the whole buffer, with an
 * inspector that is used again and again; the same in pieces of 64 KiB; and the same on an input of a
 * sixteenth of the size. Shown is the median of the runs. The clock is the processor time of this
 * thread, so that what else runs on the machine disturbs less. Exit status: 0 when all that was
 * checked holds, 1 when something does not, 2 when nothing could be measured. */
#include <stdio.h>

#ifndef PKS_HAVE_PYTHON

int main(void) {
  fputs("bench: no CPython to measure beside: python3-config --embed is missing"
        " (Debian: libpython3-dev); see `make bench-deps`\n",
        stderr);
  return 2;
}

#else

#include <Python.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <picklesight.h>

#define PIECE ((size_t)64 << 10)
#define MAX_RUNS 99
#define BATCH 100     /* results of pickle.loads that live at a time */
#define LEAST 5000000 /* nanoseconds that one measurement takes at least */
#define LINEAR 1.35
#define NEVER 0.0   /* nothing is required */
#define TASK 1000.0 /* nanoseconds for inspecting and checking a task */
#define CHECK 300.0 /* nanoseconds for checking ten names of an inspected payload */

/* ---- what is measured and what must hold ----------------------------------------------------- */

typedef struct kind {
  const char *name;
  double megabytes, ratio, pieces;
  bool linear, no_allocation;
} kind;

static const kind kinds[] = {
    {"ints", 50, 15, 1.3, true, false},   {"dicts", 50, 8, 1.3, true, false},
    {"strings", 45, 7, 2.2, true, false}, {"bytes", 200, 1000, NEVER, false, false},
    {"mix", 50, 8, 1.3, true, false},     {"text", 50, 7, 1.3, true, false},
    {"tasks", 6, 8, 1.3, true, true},     {"tasks+check", 6, 8, NEVER, true, true},
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* "tasks+check": the input of that name before the +, inspected and checked against a target. */
static bool is_checked(const kind *k) { return strchr(k->name, '+') != NULL; }

typedef struct result {
  bool ran;
  uint64_t bytes, ops, memo, memo_most;                         /* memo_most: of one payload */
  double loads, whole, pieces, whole_small, small_bytes, touch; /* nanoseconds */
  uint64_t peak, peak_pieces, allocations, again;
  size_t payloads;
  char wrong[256]; /* what does not hold */
} result;

typedef struct payloads {
  PyObject *list; /* of bytes */
  pks_span *at;
  size_t count;
  uint64_t bytes;
} payloads;

static struct {
  int runs;
  double divide;
  const char *only, *json, *write, *inputs;
} settings = {7, 1, NULL, NULL, NULL, "tests/bench/inputs.py"};

static _Noreturn void die(const char *what) {
  if (PyErr_Occurred()) PyErr_Print();
  fprintf(stderr, "bench: %s\n", what);
  exit(2);
}

static void *must(void *pointer, const char *what) {
  if (!pointer) die(what);
  return pointer;
}

/* ---- clocks ---------------------------------------------------------------------------------- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *samples, int count) {
  qsort(samples, (size_t)count, sizeof *samples, by_size);
  return count % 2 ? samples[count / 2] : (samples[count / 2 - 1] + samples[count / 2]) / 2;
}

/* ---- counted memory -------------------------------------------------------------------------- */

typedef struct counter {
  uint64_t used, peak, calls;
} counter;

static void *counted_resize(void *user, void *pointer, size_t old_size, size_t size) {
  counter *c = user;
  if (size == 0) {
    free(pointer);
    c->used -= old_size;
    return NULL;
  }
  void *block = realloc(pointer, size);
  if (!block) return NULL;
  c->calls++;
  c->used += size - old_size;
  if (c->used > c->peak) c->peak = c->used;
  return block;
}

/* ---- Python ---------------------------------------------------------------------------------- */

static PyObject *py_loads, *py_make;

static void start_python(void) {
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.parse_argv = 0;
  config.write_bytecode = 0;
  config.user_site_directory = 0;
  /* Without this it would look for the python3 that comes first on PATH, which may be another. */
  PyStatus status = PyConfig_SetBytesString(&config, &config.home, PKS_PYTHON_HOME);
  if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status)) die("Python does not start");
  if (PyRun_SimpleString("import gc; gc.disable()")) die("no gc module");

  PyObject *pickle = must(PyImport_ImportModule("_pickle"), "this Python has no C pickle");
  py_loads = must(PyObject_GetAttrString(pickle, "loads"), "no pickle.loads");
  Py_DECREF(pickle);

  FILE *file = must(fopen(settings.inputs, "r"), "no tests/bench/inputs.py: run me in the root");
  PyObject *names = must(PyModule_GetDict(PyImport_AddModule("bench_inputs")), "no namespace");
  if (PyDict_SetItemString(names, "__builtins__", PyEval_GetBuiltins())) die("no builtins");
  PyObject *done = PyRun_File(file, settings.inputs, Py_file_input, names, names);
  fclose(file);
  Py_DECREF(must(done, "inputs.py does not run"));
  py_make = must(PyDict_GetItemString(names, "make"), "inputs.py defines no make");
}

static void free_payloads(payloads *p) {
  Py_CLEAR(p->list);
  free(p->at);
  memset(p, 0, sizeof *p);
}

/* False: a module that the input needs is not installed. */
static bool make_payloads(payloads *p, const char *name, double megabytes) {
  memset(p, 0, sizeof *p);
  p->list = PyObject_CallFunction(py_make, "sd", name, megabytes);
  if (!p->list && PyErr_ExceptionMatches(PyExc_ImportError)) {
    PyErr_Clear();
    return false;
  }
  if (!p->list || !PyList_Check(p->list)) die("inputs.py makes no list");
  p->count = (size_t)PyList_GET_SIZE(p->list);
  p->at = must(calloc(p->count, sizeof *p->at), "no memory");
  for (size_t i = 0; i < p->count; i++) {
    PyObject *item = PyList_GET_ITEM(p->list, (Py_ssize_t)i);
    if (!PyBytes_Check(item)) die("inputs.py makes a list of something else than bytes");
    p->at[i] = (pks_span){(const uint8_t *)PyBytes_AS_STRING(item), (size_t)PyBytes_GET_SIZE(item)};
    p->bytes += p->at[i].size;
  }
  return true;
}

/* Results live until their batch is done and the clock stands: freeing them is not measured. */
static double time_loads(const payloads *p) {
  PyObject *results[BATCH];
  double sum = 0;
  for (size_t i = 0; i < p->count;) {
    size_t count = p->count - i < BATCH ? p->count - i : BATCH;
    double before = now();
    for (size_t j = 0; j < count; j++)
      results[j] = PyObject_CallOneArg(py_loads, PyList_GET_ITEM(p->list, (Py_ssize_t)(i + j)));
    sum += now() - before;
    for (size_t j = 0; j < count; j++) Py_DECREF(must(results[j], "pickle.loads fails"));
    i += count;
  }
  return sum;
}

/* ---- picklesight ----------------------------------------------------------------------------- */

typedef void (*pass_fn)(pks_inspector *inspector, const payloads *p);

static void pass_whole(pks_inspector *inspector, const payloads *p) {
  for (size_t i = 0; i < p->count; i++) {
    size_t used = 0;
    if (pks_inspect(inspector, p->at[i].data, p->at[i].size, &used) != PKS_END ||
        used != p->at[i].size)
      die("pks_inspect does not end with PKS_END at the end");
  }
}

static void pass_pieces(pks_inspector *inspector, const payloads *p) {
  for (size_t i = 0; i < p->count; i++) {
    pks_status status = PKS_NEED_MORE;
    pks_inspector_reset(inspector);
    for (size_t at = 0; at < p->at[i].size && status == PKS_NEED_MORE; at += PIECE) {
      size_t left = p->at[i].size - at;
      pks_input in = {p->at[i].data + at, left < PIECE ? left : PIECE, 0};
      status = pks_inspector_feed(inspector, &in);
    }
    if (status != PKS_END || pks_inspector_finish(inspector) != PKS_END) {
      pks_error error = {.size = sizeof error};
      pks_inspector_error(inspector, &error);
      fprintf(stderr, "bench: %s at %" PRIu64 "\n", error.text, error.offset);
      die("pks_inspector_feed does not end with PKS_END");
    }
  }
}

static const char *must_text(PyObject *text) {
  const char *utf8 = PyUnicode_AsUTF8(text);
  if (!utf8) die("no text");
  return utf8;
}

/* What tasks are checked against: this Python, with the cloudpickle that wrote them. */
static struct {
  pks_target *target;
  pks_check *check;
} worker;

static void open_worker(const pks_alloc *alloc) {
  char name[32], with[64];
  PyObject *module = must(PyImport_ImportModule("cloudpickle"), "no cloudpickle");
  PyObject *version = must(PyObject_GetAttrString(module, "__version__"), "no version");
  snprintf(name, sizeof name, "cpython-%d.%d", PY_MAJOR_VERSION, PY_MINOR_VERSION);
  snprintf(with, sizeof with, "cloudpickle==%s", must_text(version));
  if (pks_target_builtin(name, NULL, &worker.target) != PKS_OK ||
      pks_target_with(worker.target, with) != PKS_OK)
    die("no target");
  Py_DECREF(version);
  Py_DECREF(module);
  worker.check = must(pks_check_new(alloc), "no check");
}

static void close_worker(void) {
  pks_check_free(worker.check);
  pks_target_free(worker.target);
}

static void pass_checked(pks_inspector *inspector, const payloads *p) {
  pks_result answer = {.size = sizeof answer};
  for (size_t i = 0; i < p->count; i++) {
    if (pks_inspect(inspector, p->at[i].data, p->at[i].size, NULL) != PKS_END)
      die("pks_inspect does not end with PKS_END");
    if (pks_check_run(worker.check, inspector, worker.target, &answer) != PKS_OK ||
        answer.verdict != PKS_VERDICT_LOADS)
      die("a task does not load here");
  }
}

/* What reading in pieces costs by itself: each is copied to one place, as read(2) does. */
static void pass_touch(pks_inspector *inspector, const payloads *p) {
  static uint8_t piece[PIECE];
  static volatile uint8_t sink;
  (void)inspector;
  for (size_t i = 0; i < p->count; i++) {
    for (size_t at = 0; at < p->at[i].size; at += PIECE) {
      size_t left = p->at[i].size - at;
      memcpy(piece, p->at[i].data + at, left < PIECE ? left : PIECE);
      sink = piece[at % 4096];
    }
  }
  (void)sink;
}

/* How many passes take long enough for the clock. */
static int passes_for(pass_fn pass, pks_inspector *inspector, const payloads *p) {
  int passes = 1;
  for (;; passes *= 4) {
    double before = now();
    for (int i = 0; i < passes; i++) pass(inspector, p);
    double took = now() - before;
    if (took >= LEAST) return passes;
    if (took * 4 > LEAST) return passes * 4;
  }
}

static double time_pass(pass_fn pass, int passes, pks_inspector *inspector, const payloads *p) {
  double before = now();
  for (int i = 0; i < passes; i++) pass(inspector, p);
  return (now() - before) / passes;
}

static pks_inspector *new_inspector(counter *c) {
  pks_limits limits = {.size = sizeof limits};
  pks_alloc alloc = {counted_resize, c};
  if (pks_limits_init(&limits) != PKS_OK) die("pks_limits_init fails");
  limits.max_memory = (uint64_t)1 << 30; /* in pieces, 45 MB of strings are kept */
  return must(pks_inspector_new(NULL, &limits, c ? &alloc : NULL), "no inspector");
}

/* Opcodes and memo entries, told by the decoder alone. */
static void count_ops(result *r, const payloads *p) {
  pks_decoder *decoder = must(pks_decoder_new(NULL, NULL, NULL), "no decoder");
  pks_op op = {.size = sizeof op};
  for (size_t i = 0; i < p->count; i++) {
    pks_input in = {p->at[i].data, p->at[i].size, 0};
    uint64_t memo = 0;
    pks_status status;
    pks_decoder_reset(decoder);
    while ((status = pks_decoder_next(decoder, &in, &op)) == PKS_OK) {
      r->ops++;
      memo += op.byte == 0x94 || op.byte == 'q' || op.byte == 'r' || op.byte == 'p';
    }
    if (status != PKS_END) die("pks_decoder_next does not end with PKS_END");
    r->memo += memo;
    if (memo > r->memo_most) r->memo_most = memo;
  }
  pks_decoder_free(decoder);
}

static void count_memory(const kind *k, result *r, const payloads *p) {
  counter whole = {0}, pieces = {0};
  pks_alloc alloc = {counted_resize, &whole};
  pass_fn pass = is_checked(k) ? pass_checked : pass_whole;
  pks_inspector *inspector = new_inspector(&whole);
  if (is_checked(k)) open_worker(&alloc);
  pass(inspector, p);
  r->peak = whole.peak;
  r->allocations = whole.calls;
  pass(inspector, p);
  r->again = whole.calls - r->allocations;
  pks_summary summary = {.size = sizeof summary};
  pks_inspector_summary(inspector, &summary);
  if (p->count == 1 && (summary.ops != r->ops || !summary.complete))
    die("decoder and inspector count different opcodes");
  pks_inspector_free(inspector);
  if (is_checked(k)) close_worker();
  if (whole.used) die("pks_inspector_free does not free all");

  inspector = new_inspector(&pieces);
  pass_pieces(inspector, p);
  r->peak_pieces = pieces.peak;
  pks_inspector_free(inspector);
}

/* ---- one row --------------------------------------------------------------------------------- */

static void wrong(result *r, const char *what) {
  size_t used = strlen(r->wrong);
  snprintf(r->wrong + used, sizeof r->wrong - used, "%s%s", used ? ", " : "", what);
}

static double per_byte_growth(const result *r) {
  return (r->whole / (double)r->bytes) / (r->whole_small / r->small_bytes);
}

static uint64_t peak_allowed(const result *r) { return 16 * r->memo_most + 1000000; }

static void judge(const kind *k, result *r) {
  if (r->loads / r->whole < k->ratio) wrong(r, "ratio");
  if (k->pieces > 0 && r->pieces / r->whole > k->pieces) wrong(r, "pieces");
  if (r->peak > peak_allowed(r)) wrong(r, "peak");
  if (k->linear && per_byte_growth(r) > LINEAR) wrong(r, "1x to 16x");
  if (k->no_allocation && r->again) wrong(r, "allocations when reused");
  if (is_checked(k) && r->whole / (double)r->payloads > TASK) wrong(r, "time for each");
}

static bool measure(const kind *k, result *r) {
  double samples[5][MAX_RUNS];
  payloads big, small;
  double megabytes = k->megabytes / settings.divide;
  pass_fn pass = is_checked(k) ? pass_checked : pass_whole;
  char input[16];
  snprintf(input, sizeof input, "%.*s", (int)strcspn(k->name, "+"), k->name);
  if (!make_payloads(&big, input, megabytes)) return false;
  if (!make_payloads(&small, input, megabytes / 16)) return false;
  r->bytes = big.bytes;
  r->payloads = big.count;
  r->small_bytes = (double)small.bytes;
  count_ops(r, &big);
  count_memory(k, r, &big);
  if (is_checked(k)) open_worker(NULL);

  pks_inspector *a = new_inspector(NULL), *b = new_inspector(NULL), *c = new_inspector(NULL);
  int whole = passes_for(pass, a, &big), pieces = passes_for(pass_pieces, b, &big);
  int less = passes_for(pass, c, &small);
  time_loads(&small);
  for (int run = 0; run < settings.runs; run++) {
    samples[0][run] = time_loads(&big);
    samples[1][run] = time_pass(pass, whole, a, &big);
    samples[2][run] = time_pass(pass_pieces, pieces, b, &big);
    samples[3][run] = time_pass(pass, less, c, &small);
    samples[4][run] = time_pass(pass_touch, 1, NULL, &big);
  }
  r->loads = median(samples[0], settings.runs);
  r->whole = median(samples[1], settings.runs);
  r->pieces = median(samples[2], settings.runs);
  r->whole_small = median(samples[3], settings.runs);
  r->touch = median(samples[4], settings.runs);
  pks_inspector_free(a);
  pks_inspector_free(b);
  pks_inspector_free(c);
  if (is_checked(k)) close_worker();
  free_payloads(&big);
  free_payloads(&small);
  r->ran = true;
  judge(k, r);
  return true;
}

/* ---- ten names ------------------------------------------------------------------------------- */

/* Nanoseconds for checking a payload of ten names that is inspected already. */
static double time_names(void) {
  static const char names[] =
      "(cdatetime\ndatetime\ncdecimal\nDecimal\nccollections\nOrderedDict\ncfunctools\npartial\n"
      "cfractions\nFraction\ncpathlib\nPath\ncuuid\nUUID\ncre\ncompile\ncos.path\njoin\n"
      "cjson\nloads\nt.";
  double samples[MAX_RUNS];
  pks_result answer = {.size = sizeof answer};
  pks_inspector *inspector = new_inspector(NULL);
  pks_check *check = must(pks_check_new(NULL), "no check");
  pks_target *target = NULL;
  if (pks_target_builtin("cpython-3.12", NULL, &target) != PKS_OK ||
      pks_inspect(inspector, names, sizeof names - 1, NULL) != PKS_END)
    die("ten names are not read");
  for (int run = 0; run < settings.runs; run++) {
    double before = now();
    for (int i = 0; i < 100000; i++)
      if (pks_check_run(check, inspector, target, &answer) != PKS_OK) die("pks_check_run fails");
    samples[run] = (now() - before) / 100000;
  }
  if (answer.verdict != PKS_VERDICT_LOADS || answer.needs != 11) die("ten names are not there");
  pks_target_free(target);
  pks_check_free(check);
  pks_inspector_free(inspector);
  return median(samples, settings.runs);
}

/* ---- output ---------------------------------------------------------------------------------- */

static void print_head(void) {
  printf("CPython %s, C pickle.loads, gc off; picklesight %s; medians of %d\n\n",
         strtok((char[]){PY_VERSION " "}, " "), pks_version(), settings.runs);
  printf("%-11s %11s %10s | %9s %9s %6s %7s | %8s %6s | %6s %5s | %6s | %9s %9s %9s | %6s %6s\n",
         "input", "bytes", "opcodes", "loads ms", "pks ms", "ns/op", "MB/s", "ratio", "need",
         "pieces", "need", "16x/1x", "memo", "peak", "allowed", "allocs", "again");
}

static void print_row(const kind *k, const result *r) {
  char need[16] = "-", growth[16] = "-";
  if (k->pieces > 0) snprintf(need, sizeof need, "%.1f", k->pieces);
  if (k->linear) snprintf(growth, sizeof growth, "%.2f", per_byte_growth(r));
  double speed = (double)r->bytes * 1e3 / r->whole; /* MB/s */
  printf("%-11s %11" PRIu64 " %10" PRIu64 " | %9.2f %9.*f %6.2f ", k->name, r->bytes, r->ops,
         r->loads / 1e6, r->whole < 1e5 ? 5 : 2, r->whole / 1e6, r->whole / (double)r->ops);
  printf(speed < 1e6 ? "%7.0f" : "%7.1e", speed);
  printf(" | %8.1f %6.0f | ", r->loads / r->whole, k->ratio);
  if (r->pieces / r->whole < 1000)
    printf("%6.2f", r->pieces / r->whole);
  else
    printf("%6s", "*");
  printf(" %5s | %6s | %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " | %6" PRIu64 " %6" PRIu64 "  %s%s\n",
         need, growth, r->memo, r->peak, peak_allowed(r), r->allocations, r->again,
         *r->wrong ? "FAILED: " : "ok", r->wrong);
  fflush(stdout);
}

static void print_notes(const result *results) {
  puts("\nin pieces of 64 KiB:");
  for (size_t i = 0; i < KINDS; i++)
    if (results[i].ran && !is_checked(&kinds[i]))
      printf("  %-11s %9.2f ms, peak %" PRIu64 " bytes; copying the pieces alone %.2f ms\n",
             kinds[i].name, results[i].pieces / 1e6, results[i].peak_pieces,
             results[i].touch / 1e6);
  puts("ratio: loads / whole. pieces: pieces / whole. 16x/1x: time per byte against an input of a\n"
       "sixteenth. peak, allocs: of a fresh inspector; again: what the same inspector allocates "
       "when\n"
       "it reads the input once more. tasks: all payloads together; allowed is for one.");
}

static void write_json(const result *results) {
  FILE *out = must(fopen(settings.json, "w"), "cannot write the JSON file");
  fprintf(out,
          "{\"format\": \"picklesight-bench/1\", \"python\": \"%s\", \"runs\": %d, \"rows\": [",
          PY_VERSION, settings.runs);
  const char *comma = "";
  for (size_t i = 0; i < KINDS; i++) {
    const result *r = &results[i];
    if (!r->ran) continue;
    /* One row a line: compare.sh reads it. */
    fprintf(out, "%s\n{\"input\": \"%s\", \"bytes\": %" PRIu64 ", \"ops\": %" PRIu64, comma,
            kinds[i].name, r->bytes, r->ops);
    fprintf(out, ", \"loads_ns\": %.0f, \"whole_ns\": %.1f, \"pieces_ns\": %.1f", r->loads,
            r->whole, r->pieces);
    fprintf(out, ", \"ns_per_op\": %.4f, \"ratio\": %.2f, \"pieces_factor\": %.3f",
            r->whole / (double)r->ops, r->loads / r->whole, r->pieces / r->whole);
    fprintf(out, ", \"growth\": %.3f, \"memo\": %" PRIu64 ", \"peak\": %" PRIu64,
            per_byte_growth(r), r->memo, r->peak);
    fprintf(out,
            ", \"peak_pieces\": %" PRIu64 ", \"allocations\": %" PRIu64 ", \"again\": %" PRIu64,
            r->peak_pieces, r->allocations, r->again);
    fprintf(out, ", \"failed\": \"%s\"}", r->wrong);
    comma = ",";
  }
  fputs("\n]}\n", out);
  if (fclose(out)) die("cannot write the JSON file");
}

/* ---- command line ---------------------------------------------------------------------------- */

static bool named(const char *list, const char *name) {
  size_t size = strlen(name);
  for (const char *at = list; at; at = strchr(at, ',')) {
    if (*at == ',') at++;
    if (strncmp(at, name, size) == 0 && (at[size] == 0 || at[size] == ',')) return true;
  }
  return false;
}

static void read_arguments(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (!value)
      die("usage: bench [--runs N] [--only KIND,...] [--json FILE] [--divide N]"
          " [--write KIND] [--inputs FILE]");
    i++;
    if (strcmp(name, "--runs") == 0) {
      settings.runs = atoi(value);
    } else if (strcmp(name, "--divide") == 0) {
      settings.divide = atof(value);
    } else if (strcmp(name, "--only") == 0) {
      settings.only = value;
    } else if (strcmp(name, "--json") == 0) {
      settings.json = value;
    } else if (strcmp(name, "--write") == 0) {
      settings.write = value;
    } else if (strcmp(name, "--inputs") == 0) {
      settings.inputs = value;
    } else {
      die("no such option");
    }
  }
  if (settings.runs < 1 || settings.runs > MAX_RUNS) die("--runs takes 1 to 99");
  if (settings.divide < 1) die("--divide takes a number from 1 on");
}

static int write_payloads(void) {
  for (size_t i = 0; i < KINDS; i++) {
    payloads p;
    if (strcmp(kinds[i].name, settings.write) != 0) continue;
    if (!make_payloads(&p, kinds[i].name, kinds[i].megabytes / settings.divide))
      die("a module that this input needs is not installed");
    for (size_t j = 0; j < p.count; j++)
      if (fwrite(p.at[j].data, 1, p.at[j].size, stdout) != p.at[j].size) die("cannot write");
    if (fflush(stdout)) die("cannot write");
    return 0;
  }
  die("no such input");
}

int main(int argc, char **argv) {
  static result results[KINDS];
  int failed = 0, skipped = 0, passed = 0;
  read_arguments(argc, argv);
  start_python();
  if (settings.write) return write_payloads();
  print_head();
  for (size_t i = 0; i < KINDS; i++) {
    result *r = &results[i];
    if (settings.only && !named(settings.only, kinds[i].name)) continue;
    if (!measure(&kinds[i], r)) {
      printf("%-11s skipped: this Python has no cloudpickle (Debian: python3-cloudpickle);"
             " see `make bench-deps`\n",
             kinds[i].name);
      skipped++;
      continue;
    }
    print_row(&kinds[i], r);
    failed += *r->wrong != 0;
    passed += *r->wrong == 0;
  }
  print_notes(results);
  double names = settings.only ? 0 : time_names();
  if (!settings.only) {
    printf("checking ten names of an inspected payload: %.0f ns (at most %.0f)  %s\n", names, CHECK,
           names > CHECK ? "FAILED" : "ok");
    failed += names > CHECK;
    passed += names <= CHECK;
  }
  if (settings.json) write_json(results);
  printf("bench: %d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed != 0;
}

#endif
