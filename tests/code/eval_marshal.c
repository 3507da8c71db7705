/* Reads the streams of a file made by `emit_codes.py --marshal`, and compares what comes out with what
 * the interpreter that wrote them says of them.
 *
 *   eval_marshal FILE...
 *
 * Also reads each stream cut at every N-th byte and with bytes changed: it must give an error with an
 * offset inside the stream, or read it. Exit status 1 when anything is wrong. */
#include "marshal_file.h"

/* ---- one stream ------------------------------------------------------------------------------------- */

typedef struct totals {
  uint64_t streams, codes, wrong, hurt, refused;
} totals;

/* Every error has to point into the stream. */
static void hurt(pks_code_marshal *m, pks_mem *mem, const uint8_t *data, size_t size,
                 pks_code_shape shape, totals *t) {
  static uint32_t seed = 1;
  uint8_t *copy = malloc(size ? size : 1);
  for (int i = 0; i < 16 && size; i++) {
    seed = seed * 1664525u + 1013904223u;
    size_t place = seed % size, cut = size;
    memcpy(copy, data, size);
    if (i & 1)
      cut = place;
    else
      copy[place] = (uint8_t)(copy[place] ^ (1u << (seed >> 29)));
    uint8_t *exact = malloc(cut ? cut : 1); /* so that a sanitizer sees a read past the end */
    memcpy(exact, copy, cut);
    pks_status status = pks_code_marshal_read(m, mem, (pks_span){exact, cut}, shape);
    t->hurt++;
    if (status) t->refused++;
    if (status && m->offset > cut) t->wrong++;
    if ((i & 1) && status == PKS_OK) t->wrong++;
    free(exact);
  }
  free(copy);
}

static void stream(pks_code_marshal *m, pks_mem *mem, const marshal_entry *e, int version,
                   totals *t) {
  buffer out = {0};
  pks_span span = e->stream;
  if (e->kind == 'p') {
    pks_code_pyc pyc;
    if (pks_code_pyc_header(span, &pyc) || pyc.version != version) {
      t->wrong++;
      return;
    }
    span.data += pyc.header;
    span.size -= pyc.header;
  }
  pks_code_shape shape = pks_code_version_shape((unsigned)version);
  pks_status status = pks_code_marshal_read(m, mem, span, shape);
  t->streams++;
  t->codes += m->codes.count;
  if (!status) put_codes(&out, m);
  if (status || m->consumed != span.size || out.size != e->wanted.size ||
      memcmp(out.data, e->wanted.data, out.size)) {
    if (t->wrong++ < 5)
      printf("  stream %llu: %s at %llu (%s), %zu of %zu bytes, %zu code objects\n",
             (unsigned long long)t->streams, pks_status_name(status), (unsigned long long)m->offset,
             m->text, m->consumed, span.size, m->codes.count);
  }
  if (pks_code_marshal_any(m, mem, span) || m->shape != shape || m->consumed != span.size) {
    if (t->wrong++ < 5)
      printf("  stream %llu: layout %d was taken\n", (unsigned long long)t->streams, m->shape);
  }
  hurt(m, mem, span.data, span.size, shape, t);
  free(out.data);
}

static bool file(const char *path) {
  marshal_file f;
  marshal_entry entry;
  pks_mem mem;
  pks_code_marshal m;
  totals t = {0};
  marshal_open(&f, path);
  pks_base_mem_init(&mem, NULL, UINT64_MAX);
  memset(&m, 0, sizeof m);
  while (marshal_next(&f, &entry)) stream(&m, &mem, &entry, f.version, &t);
  pks_code_marshal_free(&m, &mem);
  if (mem.used) t.wrong++;
  printf("%-13s %6llu streams, %8llu code objects, %llu wrong; %llu hurt streams, %llu refused\n",
         pks_code_version_name((size_t)f.version), (unsigned long long)t.streams,
         (unsigned long long)t.codes, (unsigned long long)t.wrong, (unsigned long long)t.hurt,
         (unsigned long long)t.refused);
  free(f.data);
  return t.wrong == 0;
}

int main(int argc, char **argv) {
  bool ok = true;
  for (int i = 1; i < argc; i++) ok &= file(argv[i]);
  return ok ? 0 : 1;
}
