/* oracle.h - one stream, read by CPython's C unpickler and by picklesight: do both say the same?
 *
 *   generate.c change.c values.c spell.c wild.c   programs over all opcodes, most of them valid
 *   mutate.c                    damage: bytes, opcodes, splices of two
 *   inputs.c                    edge streams and the corpus
 *   ours.c real.c remote.c      the readers: picklesight, libpython in this process, batch.py in another
 *   judge.c                     what is compared, what is not, and the shortest stream that differs
 *   oracle.c                    the program                                                      */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- bytes, chance ---------------------------------------------------------------------------- */

typedef struct bytes {
  uint8_t *data;
  size_t size, capacity;
} bytes;

uint8_t *bytes_room(bytes *b, size_t size); /* size more; where they go */
void bytes_put(bytes *b, const void *data, size_t size);
void bytes_byte(bytes *b, unsigned byte);
void bytes_le(bytes *b, uint64_t number, unsigned size);
void bytes_text(bytes *b, const char *text);
/* Takes `remove` bytes at `at` out and puts `size` others in their place. */
void bytes_replace(bytes *b, size_t at, size_t remove, const void *data, size_t size);
void bytes_free(bytes *b);

typedef struct rng {
  uint64_t state;
} rng;

uint64_t rng_next(rng *r);
uint32_t rng_below(rng *r, uint32_t count); /* 0 .. count - 1 */
static inline bool rng_one_in(rng *r, uint32_t count) { return rng_below(r, count) == 0; }
#define RNG_PICK(r, list) ((list)[rng_below((r), (uint32_t)(sizeof(list) / sizeof *(list)))])

/* ---- a stream, and how it is read -------------------------------------------------------------- */

typedef struct how {
  uint8_t encoding, errors; /* index in the lists below; 0: not given */
  int8_t buffers;           /* -1: not given */
  uint8_t reading;          /* index in how_readings */
  bool persid;              /* persistent_load is defined */
  bool extensions;          /* the codes of ext_codes are registered */
} how;
extern const char *const how_encodings[], *const how_errors[];
extern const size_t how_encoding_count, how_error_count;

/* pickle.loads; pickle.load of an object without peek; of one with a buffer of so many bytes. */
typedef enum reading_kind { READ_WHOLE, READ_STREAM, READ_FILE } reading_kind;
typedef struct how_reading {
  reading_kind kind;
  unsigned buffer;
} how_reading;
extern const how_reading how_readings[];
extern const size_t how_reading_count;

extern const uint32_t ext_codes[];
extern const size_t ext_code_count;

typedef struct sample {
  bytes data;
  how how;
} sample;

void sample_copy(sample *to, const sample *from);
void sample_random_how(sample *s, rng *r);

/* Seen from outside while a stream is read, in order: 'G' module name (find_class, each with its
 * size in 4 bytes before it), 'g' (find_class of a name that the reader does not know exactly),
 * 'X' code (a registered code is looked up), 'P' (persistent_load), 'B' (a buffer is taken),
 * 'C' (a call), 'S' (state is set). */
typedef struct reading {
  bool ok;
  char exception[40];
  uint64_t consumed; /* when ok */
  uint64_t at;       /* of the opcode that fails, or `consumed`; picklesight only */
  bool limited;      /* a limit of picklesight was reached */
  bool unsure;       /* picklesight took something for granted */
  bool foreign;      /* an extension code that is not among ext_codes; picklesight only */
  bool crashed;      /* the other reader did not answer */
  bytes trace;
} reading;

/* ---- readers ------------------------------------------------------------------------------------- */

void ours_start(uint32_t python, bool pypy);
void ours_read(const sample *s, reading *out);
/* A new one, for the Python of ours_start. */
struct pks_decoder *ours_decoder(void);
/* The same in pieces, cut by chance. */
void ours_read_pieces(const sample *s, rng *r, reading *out);

/* Reads `count` streams. */
typedef struct reader {
  char name[64];   /* "CPython 3.11.2" */
  uint32_t python; /* as PKS_PYTHON(...) */
  bool size32;
  bool pypy;
  void (*read)(const sample *const *samples, size_t count, reading *out);
} reader;

/* False: there is none; why is in reader->name. */
bool real_start(reader *out);
bool remote_start(reader *out, const char *command);
void remote_stop(void);

/* ---- streams ------------------------------------------------------------------------------------- */

typedef struct inputs {
  sample *list;
  size_t count, edges; /* the first `edges` are edge streams, the others are of the corpus */
} inputs;
/* table: as tests/data/edge_more.tsv, instead of all that; or NULL. */
void inputs_load(inputs *all, const char *table);

/* Writes a program for s->how over what s->data had. wild: its last step takes anything. */
void generate(sample *s, rng *r, uint32_t python, bool wild);
/* Changes s in one place (or a few). other: what is spliced in, or NULL. */
void mutate(sample *s, rng *r, const bytes *other);
/* Offsets of the opcodes and of the end of the last; how many opcodes. Until the call after the next. */
size_t mutate_find(const bytes *b, size_t **offsets);

/* ---- judging -------------------------------------------------------------------------------------- */

typedef enum verdict {
  V_SAME,
  V_DIFFERENT,
  V_LIMIT,  /* a limit of picklesight: nothing to compare */
  V_MEMORY, /* the real reader would ask for too much memory */
  V_DEEP,   /* the real reader's recursion limit */
  V_CRASH,  /* the real reader did not survive */
  V_UNSURE, /* picklesight says that it took something for granted */
  V_COUNT
} verdict;

/* Before the real reader runs: V_SAME, or why it shall not. */
verdict judge_before(const reader *who, const sample *s, const reading *ours);
/* Does it ask for so much memory that the reader takes its time? */
bool judge_costly(const sample *s);
verdict judge_after(const reader *who, const sample *s, const reading *ours, const reading *real);

/* Shortens s while who and picklesight still differ. */
void judge_shrink(const reader *who, sample *s);
/* Prints both readings, and the line that tests/data/edge_more.tsv would hold. */
void judge_print(const reader *who, const sample *s, const reading *ours, const reading *real);

#endif
