/* Reads the streams of a file made by `emit_codes.py --marshal`, and compares what comes out with what
 * the interpreter that wrote them says of them.
 *
 *   eval_marshal FILE...
 *
 * Also reads each stream cut at every N-th byte and with bytes changed: it must give an error with an
 * offset inside the stream, or read it. Exit status 1 when anything is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/marshal.h"

typedef struct buffer {
  uint8_t *data;
  size_t size, room;
} buffer;

static void die(const char *what, const char *path) {
  fprintf(stderr, "eval_marshal: %s: %s\n", path, what);
  exit(2);
}

static void put(buffer *b, const void *data, size_t size) {
  if (b->room - b->size < size) {
    b->room = (b->size + size) * 2 + 4096;
    b->data = realloc(b->data, b->room);
    if (!b->data) die("no memory", "");
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
  if (!items) die("no memory", "");
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

static void put_codes(buffer *b, const pks_marshal *m) {
  int32_t *parents = malloc((m->codes.count + 1) * sizeof *parents);
  for (size_t i = 0; i < m->codes.count; i++) parents[i] = -1;
  for (size_t i = 0; i < m->codes.count; i++) {
    const pks_marshal_code *code = &PKS_VEC_AT(&m->codes, pks_marshal_code, i);
    const pks_code_value *consts = &code->args[code->argc == 14 ? 5 : code->argc == 15 ? 6 : 7];
    for (size_t k = 0; k < consts->count; k++)
      if (consts->items[k].kind == PKS_CV_CODE) parents[consts->items[k].number] = (int32_t)i;
  }
  for (size_t i = 0; i < m->codes.count; i++) {
    const pks_marshal_code *code = &PKS_VEC_AT(&m->codes, pks_marshal_code, i);
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

/* ---- one stream ------------------------------------------------------------------------------------- */

typedef struct totals {
  uint64_t streams, codes, wrong, hurt, refused;
} totals;

/* Every error has to point into the stream. */
static void hurt(pks_marshal *m, pks_mem *mem, const uint8_t *data, size_t size, pks_code_shape shape,
                 totals *t) {
  static uint32_t seed = 1;
  uint8_t *copy = malloc(size ? size : 1);
  for (int i = 0; i < 16 && size; i++) {
    seed = seed * 1664525u + 1013904223u;
    size_t place = seed % size, cut = size;
    memcpy(copy, data, size);
    if (i & 1) cut = place;
    else copy[place] = (uint8_t)(copy[place] ^ (1u << (seed >> 29)));
    uint8_t *exact = malloc(cut ? cut : 1); /* so that a sanitizer sees a read past the end */
    memcpy(exact, copy, cut);
    pks_status status = pks_marshal_read(m, mem, (pks_span){exact, cut}, shape);
    t->hurt++;
    if (status) t->refused++;
    if (status && m->offset > cut) t->wrong++;
    if ((i & 1) && status == PKS_OK) t->wrong++;
    free(exact);
  }
  free(copy);
}

static void stream(pks_marshal *m, pks_mem *mem, const uint8_t *data, size_t size, char kind, int version,
                   const uint8_t *wanted, size_t wanted_size, totals *t) {
  buffer out = {0};
  pks_span span = {data, size};
  if (kind == 'p') {
    pks_pyc pyc;
    if (pks_pyc_header(span, &pyc) || pyc.version != version) {
      t->wrong++;
      return;
    }
    span.data += pyc.header;
    span.size -= pyc.header;
  }
  pks_code_shape shape = pks_code_version_shape((unsigned)version);
  pks_status status = pks_marshal_read(m, mem, span, shape);
  t->streams++;
  t->codes += m->codes.count;
  if (!status) put_codes(&out, m);
  if (status || m->consumed != span.size || out.size != wanted_size || memcmp(out.data, wanted, out.size)) {
    if (t->wrong++ < 5)
      printf("  stream %llu: %s at %llu (%s), %zu of %zu bytes, %zu code objects\n",
             (unsigned long long)t->streams, pks_status_name(status), (unsigned long long)m->offset, m->text,
             m->consumed, span.size, m->codes.count);
  }
  if (pks_marshal_read_any(m, mem, span) || m->shape != shape || m->consumed != span.size) {
    if (t->wrong++ < 5) printf("  stream %llu: layout %d was taken\n", (unsigned long long)t->streams, m->shape);
  }
  hurt(m, mem, span.data, span.size, shape, t);
  free(out.data);
}

/* ---- files --------------------------------------------------------------------------------------------- */

static uint32_t u32(const uint8_t *p) {
  uint32_t n;
  memcpy(&n, p, 4);
  return n;
}

static bool file(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in || fseek(in, 0, SEEK_END)) die("cannot read", path);
  size_t size = (size_t)ftell(in), at = 6;
  rewind(in);
  uint8_t *data = malloc(size + 1);
  if (!data || fread(data, 1, size, in) != size || size < 8 || memcmp(data, "PKSM1\n", 6))
    die("not a file of emit_codes.py --marshal", path);
  fclose(in);
  data[size] = 0;
  char name[32];
  size_t n = strcspn((const char *)data + at, "\n");
  if (n >= sizeof name) die("bad version line", path);
  memcpy(name, data + at, n);
  name[n] = 0;
  at += n + 1;
  int version = -1;
  for (size_t i = 0; i < pks_code_version_count(); i++)
    if (!strcmp(pks_code_version_name(i), name)) version = (int)i;
  if (version < 0) die("unknown version", name);

  pks_mem mem;
  pks_marshal m;
  totals t = {0};
  pks_base_mem_init(&mem, NULL, UINT64_MAX);
  memset(&m, 0, sizeof m);
  while (at < size) {
    char kind = (char)data[at];
    uint32_t bytes = u32(data + at + 1);
    const uint8_t *bits = data + at + 5;
    uint32_t wanted = u32(bits + bytes);
    stream(&m, &mem, bits, bytes, kind, version, bits + bytes + 4, wanted, &t);
    at += 9 + (size_t)bytes + wanted;
  }
  pks_marshal_free(&m, &mem);
  if (mem.used) t.wrong++;
  printf("%-13s %6llu streams, %8llu code objects, %llu wrong; %llu hurt streams, %llu refused\n", name,
         (unsigned long long)t.streams, (unsigned long long)t.codes, (unsigned long long)t.wrong,
         (unsigned long long)t.hurt, (unsigned long long)t.refused);
  free(data);
  return t.wrong == 0;
}

int main(int argc, char **argv) {
  bool ok = true;
  for (int i = 1; i < argc; i++) ok &= file(argv[i]);
  return ok ? 0 : 1;
}
