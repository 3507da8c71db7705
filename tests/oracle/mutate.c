/* mutate.c - damage in one place: of bytes, of opcodes, or what two streams make when they are joined. */
#include "oracle.h"

#include <picklesight.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OPS 4096

/* As far as they can be read. */
size_t mutate_find(const bytes *b, size_t **offsets) {
  static size_t at[2][MOST_OPS + 1];
  static pks_decoder *decoder;
  static unsigned turn;
  if (!decoder) decoder = ours_decoder();
  pks_decoder_reset(decoder);
  pks_input in = {b->data, b->size, 0};
  pks_op op = {.size = sizeof op};
  size_t count = 0, *to = at[turn++ % 2];
  do to[count++] = in.pos;
  while (count <= MOST_OPS && pks_decoder_next(decoder, &in, &op) == PKS_OK);
  *offsets = to;
  return count - 1;
}

/* ---- bytes --------------------------------------------------------------------------------------- */

static void change_byte(bytes *b, rng *r) {
  static const uint8_t some[] = {0,   1,   0x7f, 0x80, 0xff, '\n', '(', '.',
                                 't', 'N', '0',  ' ',  '_',  '\\', '-'};
  if (b->size == 0) return;
  uint8_t *at = &b->data[rng_below(r, (uint32_t)b->size)];
  switch (rng_below(r, 4)) {
    case 0: *at ^= (uint8_t)(1u << rng_below(r, 8)); break;
    case 1: *at = (uint8_t)rng_next(r); break;
    case 2: *at = RNG_PICK(r, some); break;
    default: *at = (uint8_t)(*at + (rng_one_in(r, 2) ? 1 : 255));
  }
}

static void change_run(bytes *b, rng *r) {
  uint8_t some[8];
  size_t at = b->size ? rng_below(r, (uint32_t)b->size) : 0, left = b->size - at;
  size_t size = 1 + rng_below(r, rng_one_in(r, 4) ? 64 : 4);
  if (size > left) size = left;
  for (size_t i = 0; i < sizeof some; i++) some[i] = (uint8_t)rng_next(r);
  switch (rng_below(r, 4)) {
    case 0: bytes_replace(b, at, size, NULL, 0); break;
    case 1: bytes_replace(b, at, 0, some, 1 + rng_below(r, 4)); break;
    case 2: b->size = at; break;
    default: {
      bytes copy = {0};
      bytes_put(&copy, b->data + at, size);
      bytes_replace(b, rng_below(r, (uint32_t)b->size + 1), 0, copy.data, copy.size);
      bytes_free(&copy);
    }
  }
}

/* ---- opcodes -------------------------------------------------------------------------------------- */

/* Opcodes whose arguments have the same shape. */
static const char *const alike[] = {
    "()02.NRQabdeloQst12u}]\x81\x85\x86\x87\x88\x89\x8f\x90\x91\x92\x93\x94\x97\x98",
    "Khq\x80\x82",
    "M\x83",
    "Jjr\x84",
    "BTX\x8b",
    "CU\x8a\x8c",
    "FIgLpPSV",
    "\x8d\x8e\x96\x95G",
    "ci"};

static void swap_opcode(bytes *b, rng *r, size_t at) {
  for (size_t i = 0; at < b->size && b->data[at] && i < sizeof alike / sizeof *alike; i++) {
    if (!strchr(alike[i], (char)b->data[at])) continue;
    b->data[at] = (uint8_t)alike[i][rng_below(r, (uint32_t)strlen(alike[i]))];
    return;
  }
}

static void insert_opcode(bytes *b, rng *r, size_t at) {
  static const char *const some[] = {"N",
                                     "(",
                                     ")",
                                     "]",
                                     "}",
                                     "0",
                                     "1",
                                     "2",
                                     "R",
                                     "a",
                                     "b",
                                     "s",
                                     "t",
                                     "e",
                                     "u",
                                     "d",
                                     "l",
                                     "o",
                                     "Q",
                                     ".",
                                     "\x81",
                                     "\x85",
                                     "\x86",
                                     "\x87",
                                     "\x88",
                                     "\x8f",
                                     "\x90",
                                     "\x91",
                                     "\x92",
                                     "\x93",
                                     "\x94",
                                     "\x97",
                                     "\x98",
                                     "K\x01",
                                     "q\x01",
                                     "h\x01",
                                     "p1\n",
                                     "g1\n",
                                     "U\x01"
                                     "a",
                                     "\x8c\x01"
                                     "b",
                                     "cos\nx\n",
                                     "(ios\nx\n",
                                     "Px\n",
                                     "I01\n",
                                     "L5L\n",
                                     "F1\n",
                                     "S'x'\n",
                                     "Vx\n",
                                     "\x80\x04",
                                     "\x80\x02",
                                     "\x82\x01",
                                     "\x8a\x01\xff",
                                     "C\x02xy"};
  const char *piece = RNG_PICK(r, some);
  bytes_replace(b, at, 0, piece, strlen(piece));
}

static void change_opcodes(bytes *b, rng *r) {
  size_t *at, count = mutate_find(b, &at);
  if (count == 0) return;
  size_t i = rng_below(r, (uint32_t)count), size = at[i + 1] - at[i];
  switch (rng_below(r, 8)) {
    case 0:
    case 1: bytes_replace(b, at[i], size, NULL, 0); break;
    case 2:
    case 3: insert_opcode(b, r, at[i]); break;
    case 4:
    case 5: swap_opcode(b, r, at[i]); break;
    case 6: { /* again, here or elsewhere */
      bytes copy = {0};
      bytes_put(&copy, b->data + at[i], size);
      bytes_replace(b, at[rng_below(r, (uint32_t)count)], 0, copy.data, copy.size);
      bytes_free(&copy);
      break;
    }
    default: /* a byte of the argument */
      if (size < 2)
        swap_opcode(b, r, at[i]);
      else
        b->data[at[i] + 1 + rng_below(r, (uint32_t)size - 1)] = (uint8_t)rng_next(r);
  }
}

/* The start of one, the end of the other. */
static void splice(bytes *b, rng *r, const bytes *other) {
  size_t *ours, *theirs, head = mutate_find(b, &ours), tail = mutate_find(other, &theirs);
  size_t from = ours[rng_below(r, (uint32_t)head + 1)],
         to = theirs[rng_below(r, (uint32_t)tail + 1)];
  if (rng_one_in(r, 6) && other->size) to = rng_below(r, (uint32_t)other->size);
  bool middle = rng_one_in(r, 2);
  size_t size = other->size - to;
  if (middle && size > 64) size = 1 + rng_below(r, 64);
  bytes_replace(b, from, middle ? 0 : b->size - from, other->data + to, size);
}

void mutate(sample *s, rng *r, const bytes *other) {
  bytes *b = &s->data;
  uint32_t times = rng_one_in(r, 6) ? 1 + rng_below(r, 4) : 1;
  if (other && other->size && rng_one_in(r, 3)) {
    splice(b, r, other);
    if (rng_one_in(r, 2)) return;
  }
  while (times--) {
    switch (rng_below(r, 4)) {
      case 0: change_byte(b, r); break;
      case 1: change_run(b, r); break;
      default: change_opcodes(b, r);
    }
  }
}
