/* inputs.c - streams that are there: tests/data/edge_*.tsv and the corpus. */
#include "oracle.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "support/hex.h"
#include "support/tsv.h"

static sample *add(inputs *all) {
  if ((all->count & (all->count - 1)) == 0)
    all->list = realloc(all->list, (all->count ? all->count * 2 : 1) * sizeof *all->list);
  if (!all->list) abort();
  sample *s = &all->list[all->count++];
  memset(s, 0, sizeof *s);
  s->how = (how){.buffers = -1, .persid = true};
  return s;
}

static uint8_t name_index(const char *name, const char *const *names, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (strcmp(name, names[i]) == 0) return (uint8_t)i;
  return 0;
}

static void load_edges(inputs *all, const char *path) {
  FILE *there = fopen(path, "rb");
  if (!there) return;
  fclose(there);
  tsv *table = tsv_read(path);
  size_t hex = tsv_column(table, "hex"), persid = tsv_column(table, "persid");
  size_t encoding = tsv_column(table, "encoding"), errors = tsv_column(table, "errors");
  size_t buffers = tsv_column(table, "buffers"), stub = tsv_column(table, "stub");
  const char *last = "?";
  for (size_t i = 0; i < table->count; i++) {
    const tsv_row *row = &table->row[i];
    const char *text = tsv_field(row, hex), *count = tsv_field(row, buffers);
    bool again = strcmp(text, last) == 0 && *tsv_field(row, 0) != '?'; /* of another interpreter */
    if (again || strcmp(tsv_field(row, stub), "type") != 0) continue;
    last = text;
    size_t size;
    uint8_t *data = hex_decode(text, &size);
    sample *s = add(all);
    if (!data) abort();
    bytes_put(&s->data, data, size);
    free(data);
    s->how.persid = *tsv_field(row, persid) == '1';
    if (*count) s->how.buffers = (int8_t)atoi(count);
    s->how.encoding = name_index(tsv_field(row, encoding), how_encodings, how_encoding_count);
    s->how.errors = name_index(tsv_field(row, errors), how_errors, how_error_count);
  }
  tsv_free(table);
}

/* Streams of a file one after the other (STOP ends one); gzip and zlib come off. */
static void load_file(inputs *all, const char *path) {
  gzFile file = gzopen(path, "rb");
  bytes data = {0};
  uint8_t piece[16384];
  int size;
  if (!file) return;
  while ((size = gzread(file, piece, sizeof piece)) > 0) bytes_put(&data, piece, (size_t)size);
  gzclose(file);
  if (data.size > 2 && data.data[0] == 0x78) {
    uLongf room = 1 << 22;
    uint8_t *out = malloc(room);
    if (out && uncompress(out, &room, data.data, data.size) == Z_OK) {
      data.size = 0;
      bytes_put(&data, out, room);
    }
    free(out);
  }
  sample *s = add(all);
  s->data = data;
  s->how.encoding = name_index("latin1", how_encodings, how_encoding_count);
  s->how.buffers = 8;
}

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void load_folder(inputs *all, const char *folder) {
  struct dirent **entry;
  int count = scandir(folder, &entry, visible, alphasort);
  for (int i = 0; i < count; i++) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
    load_file(all, path);
    free(entry[i]);
  }
  if (count >= 0) free(entry);
}

void inputs_load(inputs *all, const char *table) {
  memset(all, 0, sizeof *all);
  if (table) {
    load_edges(all, table);
    all->edges = all->count;
    return;
  }
  load_edges(all, "tests/data/edge_streams.tsv");
  load_edges(all, "tests/data/edge_more.tsv");
  all->edges = all->count;
  load_folder(all, "corpus/payloads");
  load_folder(all, "corpus/more");
  load_folder(all, "corpus/facts");
  load_folder(all, "corpus/decode");
}
