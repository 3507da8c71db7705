/* chunks.h - every way of cutting a buffer that a stream's reader must not notice.
 *
 * A way is a list of cuts: offsets 0 .. size, not falling. `count` cuts make count + 1 pieces, of
 * which some may be empty. */
#ifndef TESTS_CHUNKS_H
#define TESTS_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Below this size every single cut is tried. */
#define CHUNKS_EVERY_CUT 300

/* Reads the buffer with these cuts; false ends the walk: the result was not the same. */
typedef bool (*chunks_run_fn)(void *user, const size_t *cuts, size_t count);

/* Calls run for the whole buffer (no cut); for pieces of 1, 2, 3, 4, 5, 7 and 4096 bytes; and, for
 * at most CHUNKS_EVERY_CUT bytes, for one cut at each offset 0 .. size, alone and with an empty
 * piece there. Returns whether all calls did. */
bool chunks_each(size_t size, chunks_run_fn run, void *user);

/* Takes one piece; false: no more pieces are wanted. */
typedef bool (*chunks_piece_fn)(void *user, const uint8_t *data, size_t size);

/* Hands out the pieces in order. Each lies in a block of its own and is gone after the call, so a
 * reader that keeps a pointer into it, or reads past it, is found. Returns whether all were taken. */
bool chunks_pieces(const uint8_t *data, size_t size, const size_t *cuts, size_t count,
                   chunks_piece_fn piece, void *user);

/* The cuts as text for a message: "whole", "at 3 of 9", "every 7 of 40". Until the next call. */
const char *chunks_text(size_t size, const size_t *cuts, size_t count);

#endif
