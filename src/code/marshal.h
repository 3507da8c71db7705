/* code/marshal.h - marshal streams and .pyc files, without Python.
 *
 * What comes out are the values of code.h, and every code object as the arguments that its constructor
 * would get, so that pks_code_inspect and pks_code_list take them like those of a pickle. */
#ifndef PKS_CODE_MARSHAL_H
#define PKS_CODE_MARSHAL_H

#include "code/infer.h"

/* Nesting that CPython's reader takes (MAX_MARSHAL_STACK_DEPTH in Python/marshal.c; less on Windows). */
#define PKS_MARSHAL_DEPTH 2000

typedef struct pks_code_marshalled {
  pks_code_value args[PKS_SHAPE_18];
  size_t argc;     /* 14, 15, 16 or 18 */
  uint64_t offset; /* of its first byte in the stream */
} pks_code_marshalled;

/* A stream that was read. Zero-initialise; memory is kept from one read to the next. */
typedef struct pks_code_marshal {
  pks_code_value root;
  pks_vec codes;   /* pks_code_marshalled: nested ones before the one they are in; a value of kind
                           PKS_CV_CODE has its position as number */
  size_t consumed; /* bytes of the root object */
  pks_code_shape shape; /* layout that was read: 14, 15, 16, 18; NONE: there was no code object */
  pks_status status;    /* why reading ended; PKS_OK: it is all there */
  uint64_t offset;      /* of the first byte of the object at fault */
  const char *text;     /* one sentence, static; never NULL after a read */
  /* working memory */
  pks_vec stack, frames, refs, blocks;
  size_t block_index, block_used;
} pks_code_marshal;

void pks_code_marshal_free(pks_code_marshal *m, pks_mem *mem);

/* Reads one object. shape is the layout of code objects: 14 Python 2; 15 up to 3.7; 16 up to 3.10;
 * 18 from 3.11 on. Spans point into data, or into memory of m until the next read. Returns m->status:
 *   PKS_E_TRUNCATED    data ends inside an object
 *   PKS_E_CODE         no marshal of that layout
 *   PKS_E_LIMIT_DEPTH  nested deeper than PKS_MARSHAL_DEPTH
 *   PKS_E_FORMAT       a record of GraalPy, or another format that this does not read
 * or memory was refused. Never allocates by a number in data. */
PKS_MUST pks_status pks_code_marshal_read(pks_code_marshal *m, pks_mem *mem, pks_span data,
                                          pks_code_shape shape);

/* As above where nobody says which Python wrote it: tries the layouts, newest first, and keeps the one
 * that reads to the end; where none does, what the one that came farthest says. */
PKS_MUST pks_status pks_code_marshal_any(pks_code_marshal *m, pks_mem *mem, pks_span data);

/* ---- .pyc --------------------------------------------------------------------------------------- */

typedef struct pks_code_pyc {
  uint16_t magic;
  int version;                       /* PKS_CODE_..., -1: no Python that is known here */
  size_t header;                     /* bytes before the marshal stream */
  bool hashed;                       /* source_hash is there, else source_time and source_size */
  bool checked;                      /* the hash is compared with the source when it is imported */
  uint32_t source_time, source_size; /* size: 0 up to 3.2 */
  uint64_t source_hash;              /* as a little-endian number */
} pks_code_pyc;

/* Reads the first bytes of a .pyc. PKS_OK; PKS_E_TRUNCATED; PKS_E_FORMAT: not a .pyc (no CR LF after
 * the magic number, or flags that no version sets); PKS_E_PYTHON: an unknown magic number. */
PKS_MUST pks_status pks_code_pyc_header(pks_span data, pks_code_pyc *out);

/* Layout of that version's code objects; PKS_SHAPE_NONE: not marshal as CPython and PyPy write it. */
pks_code_shape pks_code_version_shape(unsigned version);

#endif
