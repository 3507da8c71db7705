/* Reads the files of `emit_codes.py --marshal`: marshal streams and .pyc files, each with the code
 * objects that the interpreter saw in it. */
#ifndef MARSHAL_FILE_H
#define MARSHAL_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/marshal.h"

typedef struct buffer {
  uint8_t *data;
  size_t size, room;
} buffer;

static void marshal_die(const char *what, const char *path) {
  fprintf(stderr, "%s: %s\n", path, what);
  exit(2);
}

static void put(buffer *b, const void *data, size_t size) {
  if (b->room - b->size < size) {
    b->room = (b->size + size) * 2 + 4096;
    b->data = realloc(b->data, b->room);
    if (!b->data) marshal_die("no memory", "");
  }
  if (size) memcpy(b->data + b->size, data, size);
  b->size += size;
}

static void put_u32(buffer *b, uint32_t n) { put(b, &n, 4); }

/* ---- a code object in the form of emit_codes.py ------------------------------------------------ */

static void put_value(buffer *b, const pks_code_value *v);

static int by_bytes(const void *a, const void *b) {
  const buffer *x = a, *y = b;
  int order = memcmp(x->data, y->data, x->size < y->size ? x->size : y->size);
  return order ? order : (x->size > y->size) - (x->size < y->size);
}

/* A set's items in the order of their bytes, as it has none of its own. */
static void put_set(buffer *b, const pks_code_value *v) {
  buffer *items = calloc(v->count ? v->count : 1, sizeof *items);
  if (!items) marshal_die("no memory", "");
  for (size_t i = 0; i < v->count; i++) put_value(&items[i], &v->items[i]);
  qsort(items, v->count, sizeof *items, by_bytes);
  for (size_t i = 0; i < v->count; i++) {
    put(b, items[i].data, items[i].size);
    free(items[i].data);
  }
  free(items);
}

static void put_value(buffer *b, const pks_code_value *v) {
  static const char kinds[] = "?NTifsytzco";
  char kind = kinds[v->kind];
  if (v->kind == PKS_CV_BOOL) kind = v->number ? 'T' : 'F';
  put(b, &kind, 1);
  switch (kind) {
    case 'i': put(b, &v->number, 8); break;
    case 's':
    case 'y':
      put_u32(b, (uint32_t)v->text.size);
      put(b, v->text.data, v->text.size);
      break;
    case 'z':
      put_u32(b, (uint32_t)v->count);
      put_set(b, v);
      break;
    case 't':
      put_u32(b, (uint32_t)v->count);
      for (size_t i = 0; i < v->count; i++) put_value(b, &v->items[i]);
      break;
    case 'c': put_u32(b, (uint32_t)v->number); break;
    default: break;
  }
}

static void put_codes(buffer *b, const pks_code_marshal *m) {
  int32_t *parents = malloc((m->codes.count + 1) * sizeof *parents);
  for (size_t i = 0; i < m->codes.count; i++) parents[i] = -1;
  for (size_t i = 0; i < m->codes.count; i++) {
    const pks_code_marshalled *code = &PKS_VEC_AT(&m->codes, pks_code_marshalled, i);
    const pks_code_value *consts = &code->args[code->argc == 14 ? 5 : code->argc == 15 ? 6 : 7];
    for (size_t k = 0; k < consts->count; k++)
      if (consts->items[k].kind == PKS_CV_CODE) parents[consts->items[k].number] = (int32_t)i;
  }
  for (size_t i = 0; i < m->codes.count; i++) {
    const pks_code_marshalled *code = &PKS_VEC_AT(&m->codes, pks_code_marshalled, i);
    size_t at = b->size;
    put_u32(b, 0);
    put_u32(b, UINT32_MAX);
    put_u32(b, (uint32_t)parents[i]);
    for (size_t k = 0; k < code->argc; k++) put_value(b, &code->args[k]);
    uint32_t size = (uint32_t)(b->size - at - 4);
    memcpy(b->data + at, &size, 4);
  }
  free(parents);
}

/* ---- files --------------------------------------------------------------------------------------- */

typedef struct marshal_file {
  uint8_t *data;
  size_t size, at;
  int version; /* PKS_CODE_... */
} marshal_file;

typedef struct marshal_entry {
  char kind;               /* m: a marshal stream, p: a .pyc file */
  pks_span stream, wanted; /* wanted: what put_codes is to write */
} marshal_entry;

static uint32_t marshal_u32(const uint8_t *p) {
  uint32_t n;
  memcpy(&n, p, 4);
  return n;
}

static void marshal_open(marshal_file *f, const char *path) {
  FILE *in = fopen(path, "rb");
  memset(f, 0, sizeof *f);
  if (!in || fseek(in, 0, SEEK_END)) marshal_die("cannot read", path);
  f->size = (size_t)ftell(in);
  rewind(in);
  f->data = malloc(f->size + 1);
  if (!f->data || fread(f->data, 1, f->size, in) != f->size || f->size < 8 ||
      memcmp(f->data, "PKSM1\n", 6))
    marshal_die("not a file of emit_codes.py --marshal", path);
  fclose(in);
  f->data[f->size] = 0;
  const char *name = (const char *)f->data + 6;
  size_t n = strcspn(name, "\n");
  f->version = -1;
  for (size_t i = 0; i < pks_code_version_count(); i++) {
    const char *known = pks_code_version_name(i);
    if (strlen(known) == n && !memcmp(known, name, n)) f->version = (int)i;
  }
  if (f->version < 0) marshal_die("unknown version", path);
  f->at = 7 + n;
}

static bool marshal_next(marshal_file *f, marshal_entry *out) {
  if (f->at >= f->size) return false;
  const uint8_t *p = f->data + f->at;
  out->kind = (char)p[0];
  out->stream.size = marshal_u32(p + 1);
  out->stream.data = p + 5;
  p += 5 + out->stream.size;
  out->wanted.size = marshal_u32(p);
  out->wanted.data = p + 4;
  f->at += 9 + out->stream.size + out->wanted.size;
  return true;
}

#endif
