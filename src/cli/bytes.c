/* cli/bytes.c - a file, all of it, in memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static bool grow(pks_cli_bytes *b, size_t more) {
  size_t capacity = b->capacity ? b->capacity : 16384;
  while (capacity - b->size < more) {
    if (capacity > SIZE_MAX / 2) return false;
    capacity *= 2;
  }
  if (capacity == b->capacity) return true;
  char *data = realloc(b->data, capacity);
  if (!data) return false;
  b->data = data;
  b->capacity = capacity;
  return true;
}

bool pks_cli_bytes_add(pks_cli_bytes *b, const void *data, size_t size) {
  if (!grow(b, size)) return false;
  memcpy(b->data + b->size, data, size);
  b->size += size;
  return true;
}

static bool read_all(pks_cli *cli, const char *path, FILE *file, pks_cli_bytes *b) {
  for (;;) {
    if (!grow(b, 1)) {
      pks_cli_trouble(cli, path, "no memory");
      return false;
    }
    errno = 0;
    size_t size = fread(b->data + b->size, 1, b->capacity - b->size, file);
    b->size += size;
    if (ferror(file)) {
      pks_cli_trouble_errno(cli, path, errno ? errno : EIO);
      return false;
    }
    if (b->size > cli->set.limits.max_memory) {
      pks_cli_trouble(cli, path, "larger than the limit max_memory");
      return false;
    }
    if (size == 0) return true;
  }
}

bool pks_cli_bytes_read(pks_cli *cli, const char *path, pks_cli_bytes *b) {
  bool standard = strcmp(path, "-") == 0;
  FILE *file = standard ? stdin : fopen(path, "rb");
  if (!file) {
    pks_cli_trouble_errno(cli, path, errno);
    return false;
  }
  bool good = read_all(cli, path, file, b);
  if (!standard) fclose(file);
  return good;
}
