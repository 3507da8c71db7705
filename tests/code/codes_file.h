/* Reads the files that emit_codes.py writes: code objects as constructor arguments. */
#ifndef CODES_FILE_H
#define CODES_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/infer.h"

typedef struct record {
  int32_t module, parent;
  uint32_t argc;
  pks_code_value *args; /* until the next record */
} record;

typedef struct file {
  uint8_t *data;
  size_t size, at;
  char version[32];
  pks_code_value *values; /* arena, reused for each record */
  size_t used, room;
} file;

static void codes_die(const char *what, const char *path) {
  fprintf(stderr, "%s: %s\n", path, what);
  exit(2);
}

static void codes_open(file *f, const char *path) {
  FILE *in = fopen(path, "rb");
  memset(f, 0, sizeof *f);
  if (!in || fseek(in, 0, SEEK_END)) codes_die("cannot read", path);
  f->size = (size_t)ftell(in);
  rewind(in);
  f->data = malloc(f->size + 1);
  if (!f->data || fread(f->data, 1, f->size, in) != f->size) codes_die("cannot read", path);
  fclose(in);
  f->data[f->size] = 0;
  const char *line = strchr((const char *)f->data, '\n');
  if (memcmp(f->data, "PKSC1\n", 6) || !line) codes_die("not a file of emit_codes.py", path);
  line = strchr((const char *)f->data + 6, '\n');
  size_t n = (size_t)(line - (const char *)f->data) - 6;
  if (n >= sizeof f->version) codes_die("bad version line", path);
  memcpy(f->version, f->data + 6, n);
  f->at = 7 + n;
  f->room = 1 << 22;
  f->values = malloc(f->room * sizeof *f->values);
}

static uint32_t u32(file *f) {
  uint32_t v;
  memcpy(&v, f->data + f->at, 4);
  f->at += 4;
  return v;
}

static pks_code_value *take(file *f, size_t n) {
  if (f->room - f->used < n) codes_die("a record is too large", f->version);
  f->used += n;
  return f->values + f->used - n;
}

static void read_value(file *f, pks_code_value *out) {
  uint8_t kind = f->data[f->at++];
  memset(out, 0, sizeof *out);
  switch (kind) {
    case 'N': out->kind = PKS_CV_NONE; break;
    case 'T':
    case 'F':
      out->kind = PKS_CV_BOOL;
      out->number = kind == 'T';
      break;
    case 'i':
      out->kind = PKS_CV_INT;
      memcpy(&out->number, f->data + f->at, 8);
      f->at += 8;
      break;
    case 'f': out->kind = PKS_CV_FLOAT; break;
    case 's':
    case 'y':
      out->kind = kind == 's' ? PKS_CV_STR : PKS_CV_BYTES;
      out->text.size = u32(f);
      out->text.data = f->data + f->at;
      f->at += out->text.size;
      break;
    case 't':
    case 'z': {
      out->kind = kind == 't' ? PKS_CV_TUPLE : PKS_CV_FROZENSET;
      out->count = u32(f);
      pks_code_value *items = take(f, out->count);
      for (size_t i = 0; i < out->count; i++) read_value(f, &items[i]);
      out->items = items;
      break;
    }
    case 'c':
      out->kind = PKS_CV_CODE;
      out->number = (int32_t)u32(f);
      break;
    default: out->kind = PKS_CV_OTHER;
  }
}

static bool codes_next(file *f, record *r) {
  if (f->at >= f->size) return false;
  uint32_t size = u32(f);
  size_t end = f->at + size;
  r->module = (int32_t)u32(f);
  r->parent = (int32_t)u32(f);
  f->used = 0;
  r->args = take(f, 24);
  r->argc = 0;
  while (f->at < end) read_value(f, &r->args[r->argc++]);
  return true;
}

#endif
