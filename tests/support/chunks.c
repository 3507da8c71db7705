#include "support/chunks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t piece_sizes[] = {1, 2, 3, 4, 5, 7, 4096};

static void *must(void *block) {
  if (!block) abort();
  return block;
}

bool chunks_each(size_t size, chunks_run_fn run, void *user) {
  bool good = run(user, NULL, 0);
  size_t *cuts = must(malloc((size + 2) * sizeof *cuts));
  for (size_t i = 0; good && i < sizeof piece_sizes / sizeof *piece_sizes; i++) {
    size_t count = 0;
    for (size_t at = piece_sizes[i]; at < size; at += piece_sizes[i]) cuts[count++] = at;
    if (count > 0) good = run(user, cuts, count);
  }
  for (size_t at = 0; good && size <= CHUNKS_EVERY_CUT && at <= size; at++) {
    cuts[0] = cuts[1] = at;
    good = run(user, cuts, 1) && run(user, cuts, 2);
  }
  free(cuts);
  return good;
}

bool chunks_pieces(const uint8_t *data, size_t size, const size_t *cuts, size_t count,
                   chunks_piece_fn piece, void *user) {
  bool good = true;
  size_t start = 0;
  for (size_t i = 0; good && i <= count; i++) {
    size_t end = i < count ? cuts[i] : size;
    uint8_t *copy = must(malloc(end - start + 1));
    if (end > start) {
      /* At the end of its block, which begins one byte early: one past the end is off the block. */
      memcpy(copy + 1, data + start, end - start);
    }
    good = piece(user, copy + 1, end - start);
    memset(copy, 0x5a, end - start + 1);
    free(copy);
    start = end;
  }
  return good;
}

const char *chunks_text(size_t size, const size_t *cuts, size_t count) {
  static char text[80];
  if (count == 0) return "whole";
  if (count > 2 || (count == 2 && cuts[1] == 2 * cuts[0])) {
    snprintf(text, sizeof text, "every %zu of %zu", cuts[0], size);
  } else if (count == 2) {
    snprintf(text, sizeof text, "at %zu and %zu of %zu", cuts[0], cuts[1], size);
  } else {
    snprintf(text, sizeof text, "at %zu of %zu", cuts[0], size);
  }
  return text;
}
