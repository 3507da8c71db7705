/* trace.h - what a reader said, as text, so that two readings can be compared and an expected one
 * written down.
 *
 * An outcome: "END 12" (bytes taken), or "E_STACK 3 REDUCE UnpicklingError" (status, offset, opcode,
 * exception, "-" for none). */
#ifndef TESTS_TRACE_H
#define TESTS_TRACE_H

#include <picklesight.h>

#define TRACE_OUTCOME 96

void trace_outcome(char text[TRACE_OUTCOME], pks_status status, uint64_t end,
                   const pks_error *error);
void trace_inspector_outcome(char text[TRACE_OUTCOME], const pks_inspector *f, pks_status status);

/* Resets the decoder and reads data with these cuts (chunks.h) to the end: one line an opcode, as
 * asm.h spells them after the offset ("2 BININT1 7", "4 BINUNICODE #3000 'ab'" when clipped), then the
 * outcome. Aborts where the stream contract is broken (progress, errors that stay). Free it. */
char *trace_decoder(pks_decoder *d, const uint8_t *data, size_t size, const size_t *cuts,
                    size_t count);

/* The trace of the whole; or, where some cut of chunks_each says something else, both, after a line
 * that begins with "cut". */
char *trace_decoder_cuts(pks_decoder *d, const uint8_t *data, size_t size);

/* Reads data whole (cuts NULL) or with these cuts (a count of 0: one piece, fed). */
pks_status trace_inspect(pks_inspector *f, const uint8_t *data, size_t size, const size_t *cuts,
                         size_t count);

/* Facts, a line each; which: letters of the lists that are wanted, in their order:
 *   g  0 os system GLOBAL@3 x2 CR        index, names ("posix system=os system": looked up as =
 *                                        spelled), first seen, count, use: C call N new B build R
 *                                        reference S base K key, ? uncertain
 *   c  0 REDUCE@8 x1 global 0            or "result 3", or "-"
 *   k  0 types@9 18 'f' 'q.f' 'f.py' 3 '%97%00' cpython-3.11:3495 import+0! 'os' uses 'len'
 *                                        how, arguments, name, qualname, file, line, bytecode or -,
 *                                        candidates, imports (level, ! straight), globals used
 *   m  value json@5                      or "argument json@5"
 *   x  extension 7@2
 *   e  GLOBAL@3 0                        an event and its index
 *   a  assumed@8 x1 a sentence
 *   s  a summary in one line
 * Free it. */
char *trace_facts(const pks_inspector *f, const char *which);

/* The outcome and these facts in every cut, as trace_decoder_cuts. */
char *trace_inspector_cuts(pks_inspector *f, const uint8_t *data, size_t size, const char *which);

#endif
