/* decode/decode.h - pickle opcodes and their arguments: tables, numbers, texts, failures, windows.
 *
 * Two users: the public decoder (decoder.c), which delivers one opcode at a time, and the machine
 * (machine/run.c), whose dispatch loop is made from the same pickle_ops.def and reads arguments
 * with the inline readers below. */
#ifndef PKS_DECODE_DECODE_H
#define PKS_DECODE_DECODE_H

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

/* ---- failures ------------------------------------------------------------------------------- */

typedef enum pks_fail {
  PKS_FAIL_NONE = 0,
#define FAIL(id, status, exception, text) PKS_FAIL_##id,
#include "decode/fail.def"
#undef FAIL
  PKS_FAIL_COUNT
} pks_fail;

typedef struct pks_fail_info {
  pks_status status;
  const char *exception; /* NULL: CPython does not fail there */
  const char *text;
} pks_fail_info;
extern const pks_fail_info pks_decode_fails[PKS_FAIL_COUNT];

/* What a refused allocation is called. */
static inline pks_fail pks_decode_fail_of(const pks_mem *mem) {
  return mem->status == PKS_E_NO_MEMORY ? PKS_FAIL_ALLOC : PKS_FAIL_MEMORY;
}

/* Fills a public error; opcode < 0: none. */
void pks_decode_error(pks_error *out, pks_fail fail, uint64_t offset, int opcode);

/* ---- opcodes -------------------------------------------------------------------------------- */

typedef enum pks_arg {
  PKS_ARG_NONE,
  PKS_ARG_U1,
  PKS_ARG_U2,
  PKS_ARG_U4,
  PKS_ARG_U8,
  PKS_ARG_I4,
  PKS_ARG_F8,
  PKS_ARG_LINE,
  PKS_ARG_LINE2,
  PKS_ARG_N1,
  PKS_ARG_N4,
  PKS_ARG_N8,
  PKS_ARG_L1,
  PKS_ARG_L4
} pks_arg;

enum {
#define OP(byte, NAME, protocol, argument, need, mark, pops, pushes, effect) PKS_OP_##NAME = byte,
#include "decode/pickle_ops.def"
#undef OP
  PKS_OP_END
};

typedef struct pks_op_info {
  const char *name; /* NULL: no opcode */
  const char *effect;
  uint8_t protocol, argument, need, mark, pops, pushes;
} pks_op_info;
extern const pks_op_info pks_decode_ops[256];

/* ---- rules: which interpreter reads ---------------------------------------------------------- */

#define PKS_RULE_PROTO5 0x0001u        /* 3.8: protocol 5 and its opcodes                        */
#define PKS_RULE_DIGITS 0x0002u        /* decimal integers of at most 4300 digits                */
#define PKS_RULE_INT10 0x0004u         /* 3.14: INT and LONG are decimal (gh-126992)             */
#define PKS_RULE_BOOL_EXACT 0x0008u    /* 3.15: only 00 and 01 are bool (gh-135241)              */
#define PKS_RULE_FRAMES 0x0010u        /* 3.15, late 3.13 and 3.14: frames hold (gh-154848)      */
#define PKS_RULE_SIGNED_STRING 0x0020u /* 3.14: BINSTRING's length is signed                     */
#define PKS_RULE_PERSID_LATE 0x0040u   /* 3.13: the id is read before persistent_load is missed  */
#define PKS_RULE_MEMO_ARRAY 0x0080u    /* 3.15: MEMOIZE counts array entries only (gh-115952)    */
#define PKS_RULE_EMPTY_EXTEND 0x0100u  /* 3.15: appending nothing needs a list too (gh-135573)   */
#define PKS_RULE_MEMO_KEYERROR 0x0200u /* up to 3.8: KeyError                                    */
#define PKS_RULE_EMPTY_LOOKUP 0x0400u  /* up to 3.8: the codec is looked up for an empty string  */
#define PKS_RULE_SIZE32 0x0800u        /* 32-bit build                                           */
#define PKS_RULE_INDEX_FIRST 0x1000u   /* up to 3.10.5: bytearray[i] = v checks i first          */
#define PKS_RULE_APPEND_METHOD 0x2000u /* 3.6: appends one by one, never extend                  */
#define PKS_RULE_BYTES_WINDOW 0x4000u  /* up to 3.7: bytes are read like text, not allocated     */

#define PKS_RULE_TIX 0x10000u /* up to 3.12: Tix of Python 2 is tkinter.tix              */
#define PKS_RULE_CGI 0x20000u /* up to 3.14: CGIHTTPServer of Python 2 is http.server    */

#define PKS_RULE_CPICKLE 0x8000u /* Python 2.7: Modules/cPickle.c, another reader          */
#define PKS_RULE_PYPY 0x40000u   /* PyPy 3: its Lib/pickle.py, another reader              */

/* python: as in pks_options; Python 3 before 3.6 reads as 3.6, Python 2 as 2.7. */
uint32_t pks_decode_rules(uint32_t python);
/* Of a reader; pypy: of that version, and it is no CPython. */
uint32_t pks_decode_reader_rules(uint32_t python, bool pypy);
/* Of a version without its third number: the rules that came within it. */
uint32_t pks_decode_open_rules(uint32_t python);

/* io.DEFAULT_BUFFER_SIZE. open() takes the file system's block size instead where it says one (up to
 * 3.13) or says more (from 3.14). */
static inline uint32_t pks_decode_file_buffer(uint32_t python) {
  return python >= PKS_PYTHON(3, 14, 0) ? 131072 : 8192;
}

/* Does an interpreter with these rules know an opcode that this protocol brought? */
static inline bool pks_decode_knows(uint32_t rules, unsigned protocol) {
  if (rules & PKS_RULE_CPICKLE) return protocol <= 2;
  return protocol < 5 || rules & PKS_RULE_PROTO5;
}
static inline int pks_decode_highest_protocol(uint32_t rules) {
  return rules & PKS_RULE_CPICKLE ? 2 : rules & PKS_RULE_PROTO5 ? 5 : 4;
}

/* ---- arguments ------------------------------------------------------------------------------ */

static inline uint32_t pks_read2(const uint8_t *p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8; }
static inline uint32_t pks_read4(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint64_t pks_read8(const uint8_t *p) {
  return (uint64_t)pks_read4(p) | (uint64_t)pks_read4(p + 4) << 32;
}

/* Highest length that BINUNICODE8, BINBYTES8 and BYTEARRAY8 may claim. From 3.8 the bytes object is
 * made before it is read, and PyBytes_FromStringAndSize refuses what its header does not fit beside. */
static inline uint64_t pks_decode_most_bytes(int op, uint32_t rules) {
  bool made_first = op == PKS_OP_BINBYTES8 && !(rules & PKS_RULE_BYTES_WINDOW);
  return made_first ? (uint64_t)INT64_MAX - 33 : (uint64_t)INT64_MAX;
}

typedef struct pks_number {
  int64_t value;
  bool big;     /* does not fit 64 bits; value is saturated */
  bool boolean; /* INT only */
} pks_number;

/* A line with its newline (size >= 1; without one, the input ended there). */
pks_fail pks_decode_int_line(const uint8_t *line, size_t size, uint32_t rules, pks_number *out);
pks_fail pks_decode_long_line(const uint8_t *line, size_t size, uint32_t rules, pks_number *out);
pks_fail pks_decode_index_line(const uint8_t *line, size_t size, uint32_t rules, pks_number *out);
/* INT and LONG: is it spelled as picklers do, so that every CPython 3 takes it and for the same number? */
bool pks_decode_is_plain_number(int op, const uint8_t *line, size_t size);
pks_fail pks_decode_float_line(const uint8_t *line, size_t size, double *out);
/* The line of the opcode at p, of `size` bytes in all, as Python 2.7 reads it. *text: STRING's between
 * the quotes, else without its last byte. GET, PUT: number->big when the line is no decimal number as it
 * is commonly written; then its text alone is the key. */
pks_fail pks_decode_cpickle_line(const uint8_t *p, size_t size, pks_number *number, double *real,
                                 pks_span *text);
/* As pks_decode_cut. */
pks_fail pks_decode_cpickle_cut(const uint8_t *p, size_t size);
/* PyPy (decode/pypy.c). A line's text as its int() and float() take bytes; base 0 or 10. */
pks_fail pks_decode_pypy_int(pks_span text, unsigned base, uint32_t rules, pks_number *out);
/* zero: bool() of it is false. */
pks_fail pks_decode_pypy_float(pks_span text, bool *zero);
/* Digits of a number that pks_decode_pypy_int takes, as they are counted: no sign, underscores or zeros in
 * front. False: they need more than `capacity`. */
bool pks_decode_pypy_digits(pks_span text, uint8_t *buffer, size_t capacity, pks_span *out);
/* One character of raw-unicode-escape at *pos, or -1. *odd: a backslash before a byte >= 0x80, of which PyPy
 * makes something else each time. */
int64_t pks_decode_pypy_char(const uint8_t **pos, const uint8_t *end, bool *both, bool *odd);
pks_fail pks_decode_pypy_unicode(pks_span line, bool *odd);
/* LONG1 and LONG4: two's complement, little-endian, any size. */
void pks_decode_long_bytes(const uint8_t *data, size_t size, pks_number *out);
double pks_decode_double(const uint8_t *p); /* BINFLOAT: 8 bytes, big-endian */

/* ---- texts ----------------------------------------------------------------------------------- */

/* How Python 2 strings become str. */
typedef enum pks_encoding {
  PKS_ENCODING_UNKNOWN, /* nobody said: ASCII passes, anything else is a need */
  PKS_ENCODING_ASCII,
  PKS_ENCODING_LATIN1,
  PKS_ENCODING_UTF8,
  PKS_ENCODING_BYTES,  /* stays bytes */
  PKS_ENCODING_OTHER,  /* a text codec we do not decode: the result is taken for granted */
  PKS_ENCODING_WIDE,   /* one that does not even leave ASCII as it is */
  PKS_ENCODING_INVALID /* no text codec: LookupError */
} pks_encoding;
typedef enum pks_handler { /* errors= */
                           PKS_HANDLER_STRICT,
                           PKS_HANDLER_IGNORE,
                           PKS_HANDLER_REPLACE,
                           PKS_HANDLER_BACKSLASHREPLACE,
                           PKS_HANDLER_SURROGATEESCAPE,
                           PKS_HANDLER_SURROGATEPASS,
                           PKS_HANDLER_ENCODE, /* only for encoding: TypeError */
                           PKS_HANDLER_UNKNOWN /* LookupError */
} pks_handler;
typedef struct pks_strings {
  pks_encoding encoding;
  pks_handler errors;
  bool pypy; /* PyPy reads: UNICODE lines, too, decode otherwise */
} pks_strings;
void pks_decode_strings(pks_strings *out, const char *encoding, const char *errors);
/* Python 2.7 decodes nothing; its strings are shown as Latin-1. */
static inline void pks_decode_strings_cpickle(pks_strings *out) {
  *out = (pks_strings){PKS_ENCODING_LATIN1, PKS_HANDLER_STRICT, false};
}

/* STRING's line (quotes and escapes). *inside: between the quotes. */
pks_fail pks_decode_string_line(const uint8_t *line, size_t size, pks_span *inside);
/* Do we know what a text reads as? */
bool pks_decode_string_known(const pks_strings *strings, bool ascii);
/* What a text that does not decode is called; NONE: the handler makes something of it. */
pks_fail pks_decode_string_bad(const pks_strings *strings);
/* Has a byte >= 0x80 after unescaping, or would fail to decode? escaped: inside of a STRING line. */
bool pks_decode_string_ascii(pks_span text, bool escaped);
pks_fail pks_decode_string_check(const pks_strings *strings, uint32_t rules, pks_span text,
                                 bool escaped);
/* UNICODE's line without newline: raw-unicode-escape. */
pks_fail pks_decode_unicode_line(const uint8_t *line, size_t size);

/* The text of a value whose opcode stands at `op` (any of S T U V X 8c 8d, B C 8e): the bytes as
 * they stand when they need no work, else decoded into buffer (at most capacity bytes).
 * Text: UTF-8 with surrogatepass; bytes: raw. False: it does not fit. */
bool pks_decode_value_text(const uint8_t *op, const pks_strings *strings, uint8_t *buffer,
                           size_t capacity, pks_span *out);

/* ---- a counted argument whose bytes go by ------------------------------------------------------ */

static inline bool pks_decode_is_text(int op) {
  return op == PKS_OP_BINUNICODE || op == PKS_OP_SHORT_BINUNICODE || op == PKS_OP_BINUNICODE8;
}
static inline bool pks_decode_is_string(int op) {
  return op == PKS_OP_BINSTRING || op == PKS_OP_SHORT_BINSTRING;
}
static inline bool pks_decode_is_long(int op) { return op == PKS_OP_LONG1 || op == PKS_OP_LONG4; }

typedef struct pks_skip {
  uint64_t left, count;
  uint8_t op, last;       /* last: the newest byte */
  bool ascii, surrogates; /* surrogates: those of UTF-8 pass */
  bool zeros, ones;       /* LONG1, LONG4: all bytes from the ninth on are 00, or ff */
  uint64_t low;           /* and the first eight, the lowest first */
  pks_utf8 utf8;
} pks_skip;

void pks_decode_skip_start(pks_skip *skip, int op, uint64_t count, const pks_strings *strings);
/* Looks at up to `size` bytes; how many belong to the argument. */
size_t pks_decode_skip_feed(pks_skip *skip, const uint8_t *data, size_t size);
/* After the last byte: does the text decode? */
pks_fail pks_decode_skip_end(const pks_skip *skip, const pks_strings *strings);
/* LONG1 and LONG4, after the last byte: as pks_decode_long_bytes. */
void pks_decode_skip_number(const pks_skip *skip, pks_number *out);

/* ---- windows: a payload in pieces ------------------------------------------------------------ */

/* What a reader wants before it can go on with the bytes it was shown. */
typedef struct pks_want {
  uint64_t bytes; /* that many from the start of the unfinished opcode, or */
  bool line;      /* up to the next newline not yet there                  */
} pks_want;

/* Holds the start of an opcode whose end has not come. */
typedef struct pks_window {
  uint8_t *carry;
  size_t size, capacity;
  size_t done; /* bytes at the start that a delivered opcode used */
} pks_window;

/* Moves bytes from in to the carry until what `want` says is there. True: it is; false: in is used
 * up; *fail is set when there was no memory. */
bool pks_decode_window_fill(pks_mem *mem, pks_window *window, pks_input *in, const pks_want *want,
                            pks_fail *fail);
/* Forgets the first `used` bytes of the carry. */
void pks_decode_window_drop(pks_window *window, size_t used);
void pks_decode_window_free(pks_mem *mem, pks_window *window);

/* Is the opcode at p whole? Its size, or 0 and *want. *fail: a claimed length that no reader takes. */
size_t pks_decode_op_size(const uint8_t *p, size_t size, uint32_t rules, pks_want *want,
                          pks_fail *fail);
/* What CPython says of an opcode whose bytes end in the middle. */
pks_fail pks_decode_cut(const uint8_t *p, size_t size, uint32_t rules);

#endif
