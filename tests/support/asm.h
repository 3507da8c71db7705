/* asm.h - pickles written as the names of their opcodes.
 *
 *   pickle p = pickle_of("PROTO 4 SHORT_BINUNICODE 'os' MEMOIZE STOP");
 *
 * Words are divided by white space. After the name of an opcode comes its argument, by its kind in
 * src/decode/pickle_ops.def:
 *   U1 U2 U4 U8 I4    a number: "BININT1 7", "FRAME 0x10", "BININT -1"
 *   F8                a number: "BINFLOAT 1.5"
 *   N1 N4 N8, L1 L4   a text: "BINBYTES 'abc'"; "BINBYTES8 #1000 'abc'" claims another length
 *   LINE, LINE2       one or two texts, each without its newline: "GLOBAL 'os' 'path'"
 * In a text %XX is the byte with that hexadecimal number. The word =0a80 stands for these bytes. */
#ifndef TESTS_ASM_H
#define TESTS_ASM_H

#include <stddef.h>
#include <stdint.h>

typedef struct pickle {
  uint8_t *data;
  size_t size, capacity;
} pickle;

/* A new one, in a block of exactly its size. Aborts when `text` is no program. */
pickle pickle_of(const char *text);

/* An opcode, a line (%XX is a byte), its newline and STOP. */
pickle pickle_of_line(const char *name, const char *line);

/* Adds to one that may be {0}. */
void pickle_add(pickle *p, const char *text);
void pickle_add_times(pickle *p, size_t times, const char *text);
void pickle_add_raw(pickle *p, const void *data, size_t size);
/* An opcode with a number (U1 U2 U4 U8 I4), with a counted text (N1 N4 N8), with a line. */
void pickle_add_number(pickle *p, int op, uint64_t number);
void pickle_add_text(pickle *p, int op, const void *data, size_t size);
void pickle_add_line(pickle *p, int op, const char *line);
/* Bytes written as in a text: %XX is one of them. */
void pickle_add_escaped(pickle *p, const char *text);

/* Shrinks the block to the size, so that a sanitizer sees a read past it. */
void pickle_fit(pickle *p);
void pickle_free(pickle *p);

/* The opcode of that name; aborts when there is none. */
int pickle_opcode(const char *name, size_t size);

#endif
