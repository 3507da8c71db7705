/* replay_main.c - a fuzz target without a fuzzing engine.
 *
 *   usage: TARGET [-v] [FILE|FOLDER]...     -v: print each name before it is run
 *
 * Runs the empty input, then every file given and every file below every folder given, by name
 * order; hidden files are left out in folders. An input that breaks the target's claim aborts. */
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

static size_t ran, unreadable;
static bool verbose;

/* Says, with -v, what runs next: the last line before a crash is the culprit. */
static void announce(const char *name) {
  if (!verbose) return;
  printf("%s\n", name);
  fflush(stdout);
}

static void trouble(const char *path) {
  fprintf(stderr, "%s: %s\n", path, strerror(errno));
  unreadable++;
}

/* Each input lies in a block of its own size, so that a sanitizer sees a read past its end. */
static void run_file(const char *path, size_t size) {
  FILE *file = fopen(path, "rb");
  uint8_t *data = malloc(size > 0 ? size : 1);
  if (!file || !data || fread(data, 1, size, file) != size) {
    trouble(path);
  } else {
    announce(path);
    LLVMFuzzerTestOneInput(data, size);
    ran++;
  }
  free(data);
  if (file) fclose(file);
}

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void run_path(const char *path) {
  struct stat info;
  struct dirent **entry;
  int count;
  if (stat(path, &info) != 0) {
    trouble(path);
    return;
  }
  if (!S_ISDIR(info.st_mode)) {
    run_file(path, (size_t)info.st_size);
    return;
  }
  count = scandir(path, &entry, visible, alphasort);
  if (count < 0) {
    trouble(path);
    return;
  }
  for (int i = 0; i < count; i++) {
    size_t size = strlen(path) + strlen(entry[i]->d_name) + 2;
    char *name = malloc(size);
    if (name) {
      snprintf(name, size, "%s/%s", path, entry[i]->d_name);
      run_path(name);
    } else {
      trouble(path);
    }
    free(name);
    free(entry[i]);
  }
  free(entry);
}

int main(int argc, char **argv) {
  int first = 1;
  if (argc > 1 && strcmp(argv[1], "-v") == 0) {
    verbose = true;
    first = 2;
  }
  announce("(the empty input)");
  LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
  ran++;
  for (int i = first; i < argc; i++) run_path(argv[i]);
  printf("%zu passed, %zu failed\n", ran, unreadable);
  return unreadable > 0;
}
