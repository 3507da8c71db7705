/* cli/source.h - the bytes of one file: all of them at once, or the next piece. */
#ifndef PKS_CLI_SOURCE_H
#define PKS_CLI_SOURCE_H

#include "cli/cli.h"
#include "inflate/inflate.h"

typedef struct pks_cli_source {
  pks_cli *cli;
  int fd;
  const uint8_t *map; /* NULL: the file comes in pieces */
  size_t map_size;
  pks_inflate *inflate; /* NULL: it is not compressed */
  pks_inflate_kind kind;
  pks_mem mem;     /* of inflate */
  pks_input raw;   /* as in the file */
  uint64_t taken;  /* bytes of the file that came into raw */
  pks_input in;    /* the current piece, inflated; the reader moves its pos */
  uint64_t before; /* bytes of the pieces before `in` */
  bool at_end;
  pks_error error;   /* of the file around the payloads; status PKS_OK: none */
  uint8_t head[512]; /* first bytes, inflated */
  size_t head_size;
} pks_cli_source;

/* Opens a file; "-" is standard input. False: source->error.text says why (read it before close). */
bool pks_cli_source_open(pks_cli *cli, pks_cli_source *source, const char *path);
void pks_cli_source_close(pks_cli_source *source);

/* All bytes lie at map, and nothing is compressed: payloads can be read whole. */
bool pks_cli_source_is_whole(const pks_cli_source *source);

/* Goes on to the next piece; source->in is used up. False: there is none, or source->error. */
bool pks_cli_source_next(pks_cli_source *source);

/* A file that was mapped has become shorter, or a part could not be read: source->error says so, and
 * map_size is what there is before it (what was read behind it is not in the file). Once. */
bool pks_cli_source_shrank(pks_cli_source *source);

/* ---- mapping.c --------------------------------------------------------------------------------- */

/* The bytes of a file, one file at a time; NULL: it cannot be mapped. What cannot be read is zero. */
const uint8_t *pks_cli_map(int fd, size_t size);
void pks_cli_unmap(void);
/* How many bytes of it could be read: all, unless it was touched where there are none. */
size_t pks_cli_map_there(void);

/* ---- code_files.c ------------------------------------------------------------------------------ */

/* From 3 bytes on: can it be a .pyc or a marshalled code object? */
bool pks_cli_may_be_code(const uint8_t *head, size_t size);
/* PKS_PAYLOAD_PICKLE: it is neither. */
pks_payload_format pks_cli_code_format(const uint8_t *head, size_t size);
#define PKS_CLI_CODE_HEAD ((size_t)32) /* bytes that tell */

/* All bytes of a file that comes in pieces. */
typedef struct pks_cli_held {
  uint8_t *data; /* malloc */
  size_t size, capacity;
} pks_cli_held;
/* From the current piece to the end. False: too much, source->error says so. */
bool pks_cli_source_hold(pks_cli_source *source, pks_cli_held *held);

#endif
