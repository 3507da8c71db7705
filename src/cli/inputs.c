/* cli/inputs.c - operands to files: names as given, --files0-from, folders. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

/* ---- lists of names ------------------------------------------------------------------------------ */

typedef struct names {
  char **name;
  size_t count, capacity;
} names;

static bool push(names *list, char *name) {
  if (!name) return false;
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? list->capacity * 2 : 64;
    char **grown = realloc(list->name, capacity * sizeof *grown);
    if (!grown) {
      free(name);
      return false;
    }
    list->name = grown;
    list->capacity = capacity;
  }
  list->name[list->count++] = name;
  return true;
}

static char *join(const char *folder, const char *name) {
  size_t left = strlen(folder), right = strlen(name);
  while (left > 1 && folder[left - 1] == '/') left--;
  bool slash = left != 1 || folder[0] != '/';
  char *path = malloc(left + right + 2);
  if (!path) return NULL;
  memcpy(path, folder, left);
  if (slash) path[left++] = '/';
  memcpy(path + left, name, right + 1);
  return path;
}

static int backwards(const void *a, const void *b) {
  return strcmp(*(char *const *)b, *(char *const *)a);
}

/* ---- folders ------------------------------------------------------------------------------------- */

/* Puts what is in a folder on the stack, last name first, so that the first comes off first. */
static bool open_folder(pks_cli *cli, names *stack, const char *path,
                        const pks_cli_visitor *visitor) {
  DIR *folder = opendir(path);
  size_t start = stack->count;
  bool good = true;
  if (!folder) {
    pks_cli_fail_file(cli, path, errno, visitor);
    return true;
  }
  for (struct dirent *entry; good;) {
    errno = 0;
    entry = readdir(folder);
    if (!entry) break;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    good = push(stack, join(path, entry->d_name));
  }
  if (good && errno) pks_cli_fail_file(cli, path, errno, visitor);
  closedir(folder);
  if (stack->count > start)
    qsort(stack->name + start, stack->count - start, sizeof *stack->name, backwards);
  return good;
}

/* Whether what a link to a folder leads to is searched anyway. */
static bool is_inside(const char *link, const char *root) {
  char *to = realpath(link, NULL), *from = realpath(root, NULL);
  size_t size = from ? strlen(from) : 0;
  if (size == 1) size = 0; /* all is below "/" */
  bool inside = to && from && strncmp(to, from, size) == 0 && (to[size] == '/' || to[size] == 0);
  free(to);
  free(from);
  return inside;
}

/* A link to a folder is not followed, so there is no circle. What is neither file nor folder is
 * not opened: a FIFO would wait for ever. */
static bool visit(pks_cli *cli, names *stack, const char *root, const char *path,
                  const pks_cli_visitor *visitor) {
  struct stat info;
  if (lstat(path, &info) != 0 || (S_ISLNK(info.st_mode) && stat(path, &info) != 0)) {
    pks_cli_fail_file(cli, path, errno, visitor);
    return true;
  }
  if (S_ISREG(info.st_mode)) {
    pks_cli_read_file(cli, path, visitor);
  } else if (!S_ISDIR(info.st_mode)) {
    pks_cli_skip_file(cli, path, "not a regular file", visitor);
  } else if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
    return open_folder(cli, stack, path, visitor);
  } else if (is_inside(path, root)) {
    pks_cli_note(cli, path, "not followed: a link to a folder that is searched");
  } else {
    pks_cli_skip_file(cli, path, "a link to a folder somewhere else", visitor);
  }
  return true;
}

static void walk(pks_cli *cli, const char *root, const pks_cli_visitor *visitor) {
  names stack = {NULL, 0, 0};
  uint64_t files = cli->files;
  bool good = open_folder(cli, &stack, root, visitor);
  while (good && stack.count && !cli->stop) {
    char *path = stack.name[--stack.count];
    good = visit(cli, &stack, root, path, visitor);
    free(path);
  }
  if (!good) pks_cli_fail_file(cli, root, ENOMEM, visitor);
  while (stack.count) free(stack.name[--stack.count]);
  free(stack.name);
  if (cli->files > files || cli->stop) return;
  pks_cli_skip_file(cli, root, "no file in it", visitor);
  cli->outcome |= PKS_CLI_TROUBLE;
}

/* ---- names ----------------------------------------------------------------------------------------- */

static void input(pks_cli *cli, const char *path, const pks_cli_visitor *visitor) {
  struct stat info;
  if (cli->stop) return;
  if (strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
    walk(cli, path, visitor);
  else
    pks_cli_read_file(cli, path, visitor);
}

static void files0(pks_cli *cli, const char *list, const pks_cli_visitor *visitor) {
  bool standard = strcmp(list, "-") == 0;
  FILE *file = standard ? stdin : fopen(list, "rb");
  char *name = NULL;
  size_t capacity = 0;
  if (!file) {
    pks_cli_trouble_errno(cli, list, errno);
    return;
  }
  errno = 0;
  for (ssize_t size; !cli->stop && (size = getdelim(&name, &capacity, 0, file)) > 0; errno = 0) {
    if (*name == 0)
      pks_cli_trouble(cli, list, "an empty name");
    else if (standard && strcmp(name, "-") == 0)
      pks_cli_trouble(cli, list, "standard input cannot be both the list and in it");
    else
      input(cli, name, visitor);
  }
  if (ferror(file)) pks_cli_trouble_errno(cli, list, errno);
  free(name);
  if (!standard) fclose(file);
}

void pks_cli_read_all(pks_cli *cli, const pks_cli_visitor *visitor) {
  const pks_cli_settings *set = &cli->set;
  if (set->operands == 0 && !set->files0_from) {
    if (isatty(STDIN_FILENO))
      pks_cli_usage(cli, "no file (give - to read from the terminal)", NULL, NULL);
    else
      input(cli, "-", visitor);
  }
  bool list = set->files0_from && strcmp(set->files0_from, "-") == 0;
  for (size_t i = 0; i < set->operands; i++) {
    if (!list || strcmp(set->operand[i], "-") != 0) continue;
    pks_cli_usage(cli, "standard input cannot be both a file and --files0-from", NULL, NULL);
    return;
  }
  for (size_t i = 0; i < set->operands; i++) input(cli, set->operand[i], visitor);
  if (set->files0_from) files0(cli, set->files0_from, visitor);
}
