#include "support/tsv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *what, const char *which) {
  fprintf(stderr, "tsv: %s: %s\n", which, what);
  abort();
}

static void *grown(void *block, size_t count, size_t size) {
  block = realloc(block, count * size);
  if (!block) abort();
  return block;
}

static char *read_all(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t size = 0, got;
  if (!file) die("cannot be opened", path);
  do {
    text = grown(text, size + 65536 + 1, 1);
    got = fread(text + size, 1, 65536, file);
    size += got;
  } while (got > 0);
  if (ferror(file)) die("cannot be read", path);
  fclose(file);
  text[size] = '\0';
  if (strlen(text) != size) die("holds a zero byte", path);
  return text;
}

/* Splits a line where it stands. */
static tsv_row split(char *line, size_t number) {
  tsv_row row = {number, 0, NULL};
  while (line) {
    char *tab = strchr(line, '\t');
    if (tab) *tab++ = '\0';
    row.field = grown(row.field, row.count + 1, sizeof *row.field);
    row.field[row.count++] = line;
    line = tab;
  }
  return row;
}

tsv *tsv_read(const char *path) {
  tsv *table = grown(NULL, 1, sizeof *table);
  char *line, *next;
  memset(table, 0, sizeof *table);
  table->text = read_all(path);
  line = table->text;
  for (size_t number = 1; *line; number++, line = next) {
    size_t length = strcspn(line, "\n");
    next = line + length + (line[length] == '\n');
    line[length] = '\0';
    if (length > 0 && line[length - 1] == '\r') line[length - 1] = '\0';
    if (line[0] == '#' && number == 1 && strchr(line, '\t')) table->heading = split(line + 1, 1);
    if (line[0] == '#' || line[0] == '\0') continue;
    table->row = grown(table->row, table->count + 1, sizeof *table->row);
    table->row[table->count++] = split(line, number);
  }
  return table;
}

void tsv_free(tsv *table) {
  if (!table) return;
  for (size_t i = 0; i < table->count; i++) free(table->row[i].field);
  free(table->row);
  free(table->heading.field);
  free(table->text);
  free(table);
}

size_t tsv_column(const tsv *table, const char *name) {
  for (size_t i = 0; i < table->heading.count; i++) {
    if (strcmp(table->heading.field[i], name) == 0) return i;
  }
  die("no such column", name);
  return 0;
}

const char *tsv_field(const tsv_row *row, size_t column) {
  return column < row->count ? row->field[column] : "";
}
