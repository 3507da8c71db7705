/* wild.c - a last step that takes whatever there is: what does the unpickler say of operands that do not
 * fit, and in which order does it look at them? */
#include "gen.h"

#include <string.h>

typedef struct piece {
  const char *data;
  size_t size;
} piece;
#define P(text) \
  { text, sizeof text - 1 }

static void op(gen *g, unsigned byte) { bytes_byte(g->out, byte); }

/* Values that rules ask about. */
static void value(gen *g) {
  static const piece some[] = {
      P("N"), P("\x88"), P("\x89"), P("K\x00"), P("K\x01"), P("K\x02"), P("K\xff"), P("M\x00\x01"),
      P("J\xff\xff\xff\xff"), P("\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01"),
      P("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f"), P("F1\n"),
      P("\x8c\x01"
        "a"),
      P("\x8c\x00"),
      P("C\x01"
        "a"),
      P(")"), P("]"), P("}"), P("\x8f"), P("(\x91"), P("N\x85"), P("]\x85"), P("}\x85"),
      P("NN\x86"), P("N}\x86"), P("}}\x86"), P("}N\x86"), P("N]\x86"), P("]}\x86"), P("N}NNs\x86"),
      P("N}\x8c\x01"
        "aNs\x86"),
      P("N}\x8c\x09"
        "__class__Ns\x86"),
      P("}NNs"), P("]Na"), P("]Na\x85"), P("]NaNa"), P("(]t\x85"), P("cos\nsystem\n"), P("NNN\x87"),
      /* protocol 5 */
      P("\x96\x02\x00\x00\x00\x00\x00\x00\x00"
        "ab"),
      P("\x96\x00\x00\x00\x00\x00\x00\x00\x00"),
      P("\x96\x02\x00\x00\x00\x00\x00\x00\x00"
        "ab\x98"),
      P("C\x01"
        "b\x98"),
      P("\x97"), P("\x97\x98")};
  const uint32_t count = sizeof some / sizeof *some;
  if (rng_one_in(g->r, 3)) {
    gen_value(g, ANY);
    return;
  }
  const piece *pick = &some[rng_below(g->r, g->protocol >= 5 ? count : count - 6)];
  bytes_put(g->out, pick->data, pick->size);
  gen_push(g, K_NONE); /* what it is does not matter any more */
  if (rng_one_in(g->r, 12)) bytes_text(g->out, "q\x07");
}

static void values(gen *g, uint32_t count) {
  while (count--) value(g);
}

static void onto(gen *g, unsigned byte) {
  if (!rng_one_in(g->r, 12)) value(g);
  if (!rng_one_in(g->r, 12)) op(g, '(');
  values(g, rng_below(g->r, 5));
  op(g, byte);
}

static void line(gen *g) {
  static const uint8_t ops[] = {'I', 'I', 'L', 'L', 'F', 'F', 'g', 'p', 'S', 'V', 'P', 'c', 'i'};
  uint8_t byte = RNG_PICK(g->r, ops);
  if (byte == 'p' || byte == 'g') bytes_text(g->out, "Nq\x01");
  if (byte == 'i') op(g, '(');
  op(g, byte);
  spell_anything(g);
  if (byte == 'c' || byte == 'i') spell_anything(g);
}

/* The first index past the end of a list or bytearray, on either side, or the last one in it. */
static void edge_index(gen *g) {
  gen_value(g, IS(K_LIST) | IS(K_BYTEARRAY));
  object *o = gen_at(g, 0);
  if (o->kind != K_LIST && o->kind != K_BYTEARRAY) return;
  int64_t index = o->number - rng_below(g->r, 2);
  if (rng_one_in(g->r, 2)) index = -index - 1;
  op(g, 'J');
  bytes_le(g->out, (uint64_t)index, 4);
  bytes_text(g->out, "K\x07s");
}

/* Views of bytearrays, and bytearrays that shall grow. */
static void views(gen *g) {
  static const piece steps[] = {P("h\x00"),
                                P("h\x01"),
                                P("h\x02"),
                                P("\x98"),
                                P("q\x01"),
                                P("q\x02"),
                                P("0"),
                                P("2"),
                                P("K\x01"
                                  "a"),
                                P("h\x00K\x01"
                                  "a"),
                                P("\x85"),
                                P("]"),
                                P("a"),
                                P("("),
                                P("1"),
                                P("t"),
                                P("l"),
                                P("N"),
                                P("N0"),
                                P("e"),
                                P("h\x00\x98q\x01"),
                                P("0h\x00"),
                                P("h\x00\x98"
                                  "0"),
                                P("\x86"),
                                P("}"),
                                P("s"),
                                P("q\x00"),
                                P("h\x00K\x00K\x07s"),
                                P("(K\x02K\x03"
                                  "e"),
                                P("Q"),
                                P("cos\nx\n"),
                                P("R"),
                                P("b"),
                                P("d")};
  if (g->protocol < 5) return;
  bytes_put(g->out,
            "\x96\x02\x00\x00\x00\x00\x00\x00\x00"
            "abq\x00q\x01q\x02",
            17);
  for (uint32_t n = 2 + rng_below(g->r, 8); n; n--) {
    const piece *pick = &RNG_PICK(g->r, steps);
    bytes_put(g->out, pick->data, pick->size);
  }
}

/* The items of a tuple that was made long ago. */
static void old_tuple(gen *g) {
  static const char *const states[] = {"NN\x86",    "N}\x86",     "}N\x86",     "N]\x86",
                                       "N}NNs\x86", "NN\x86\x85", "N}q\x08\x86"};
  bytes_text(g->out, RNG_PICK(g->r, states));
  bytes_text(g->out, "q\x09"
                     "0");
  uint32_t count = rng_one_in(g->r, 20) ? 20000 + rng_below(g->r, 30000) : rng_below(g->r, 2000);
  while (count--)
    bytes_text(g->out, rng_one_in(g->r, 2) ? "NN\x86"
                                             "0"
                                           : "NNN\x87"
                                             "0");
  bytes_text(g->out, "]h\x09"
                     "b");
}

/* Many memo entries, each with a text of its own, in every order; then some are asked for. */
static void memo(gen *g) {
  static const uint32_t ranges[] = {4, 40, 300, 2000, 6000, 200000};
  uint32_t count = rng_one_in(g->r, 30) ? rng_below(g->r, 4000) : rng_below(g->r, 60);
  uint32_t range = RNG_PICK(g->r, ranges), next = 0, used[64] = {0};
  if (g->protocol < 4) return;
  bool ascending = rng_one_in(g->r, 2);
  for (uint32_t i = 0; i < count; i++) {
    bytes_text(g->out, "\x8c\x03");
    bytes_byte(g->out, 'a' + i % 26);
    bytes_byte(g->out, 'a' + i / 26 % 26);
    bytes_byte(g->out, 'a' + i / 676 % 26);
    uint32_t index = ascending ? next++ : rng_below(g->r, range);
    if (ascending && rng_one_in(g->r, 20)) next += rng_below(g->r, range / 4 + 1);
    if (rng_one_in(g->r, 3)) {
      op(g, 0x94);
    } else {
      op(g, 'r');
      bytes_le(g->out, index, 4);
      used[rng_below(g->r, 64)] = index;
    }
    op(g, '0');
  }
  for (uint32_t n = 1 + rng_below(g->r, 6); n; n--) {
    for (int i = 0; i < 2; i++) {
      op(g, 'j');
      bytes_le(g->out, rng_one_in(g->r, 3) ? rng_below(g->r, count + 1) : used[rng_below(g->r, 64)],
               4);
    }
    op(g, 0x93);
  }
}

/* A tuple in a tuple in a tuple ..., perhaps with something in it that has no hash, as a key. */
static void deep_key(gen *g) {
  uint32_t depth = rng_one_in(g->r, 50) ? rng_below(g->r, 9000) : rng_below(g->r, 40);
  static const uint8_t inside[] = {'N', 'N', ')', ']', '}', 0x8f};
  static const uint8_t keyed[] = {'d', 0x91, 's', 'u', 0x90};
  uint8_t what = RNG_PICK(g->r, inside), key = RNG_PICK(g->r, keyed);
  op(g, key == 0x90 ? 0x8f : '}');
  if (key != 's') op(g, '(');
  op(g, what);
  for (; depth; depth--) {
    if (rng_one_in(g->r, 6))
      bytes_text(g->out, "N\x86");
    else
      op(g, 0x85);
    if (rng_one_in(g->r, 30))
      bytes_text(g->out, "q\x05"
                         "0h\x05");
  }
  if (key != 0x91 && key != 0x90) op(g, 'N');
  op(g, key);
}

void gen_wild(gen *g) {
  static const uint8_t fixed[] = {'a',  'a',  's', 's',  'b',  'b',  'b', 'R', 0x81, 0x92,
                                  0x93, 0x98, 'Q', 0x85, 0x86, 0x87, '2', '0', 0x94};
  static const uint8_t marked[] = {'e', 0x90, 'u', 'u', 'd', 0x91, 'o', 't', 'l', '1', 'e', 0x90};
  static const uint8_t exts[] = {0x82, 0x83, 0x84};
  switch (rng_below(g->r, 13)) {
    case 0:
    case 1:
    case 2:
      values(g, rng_below(g->r, 4) + (rng_one_in(g->r, 6) ? 0 : 1));
      op(g, RNG_PICK(g->r, fixed));
      break;
    case 3:
    case 4:
    case 5: onto(g, RNG_PICK(g->r, marked)); break;
    case 6: line(g); break;
    case 7: views(g); break;
    case 12: edge_index(g); break;
    case 8:
      switch (rng_below(g->r, 40)) {
        case 0: old_tuple(g); break;
        case 1:
        case 2:
        case 3: memo(g); break;
        default: rng_one_in(g->r, 2) ? deep_key(g) : views(g);
      }
      break;
    case 9: {
      uint8_t ext = RNG_PICK(g->r, exts);
      op(g, ext);
      bytes_le(g->out, rng_next(g->r) & (rng_one_in(g->r, 2) ? 3 : ~0u),
               ext == 0x84 ? 4 : ext - 0x81u);
      break;
    }
    case 10: /* lengths that are not so */
    {
      static const uint8_t counted[] = {'B',  'T',  'X', 0x8b, 0x8d, 0x8e,
                                        0x96, 0x95, 'C', 'U',  0x8a, 0x8c};
      uint8_t byte = RNG_PICK(g->r, counted);
      unsigned width = byte == 'C' || byte == 'U' || byte == 0x8a || byte == 0x8c     ? 1
                       : byte == 0x8d || byte == 0x8e || byte == 0x96 || byte == 0x95 ? 8
                                                                                      : 4;
      static const uint64_t claims[] = {0,
                                        1,
                                        2,
                                        3,
                                        5,
                                        12,
                                        255,
                                        0x7fffffff,
                                        0x80000000,
                                        0xffffffff,
                                        INT64_MAX,
                                        (uint64_t)INT64_MAX + 1,
                                        UINT64_MAX,
                                        INT64_MAX - 9,
                                        INT64_MAX - 40,
                                        INT64_MAX - 33,
                                        INT64_MAX - 32,
                                        INT64_MAX - 1};
      op(g, byte);
      bytes_le(g->out, RNG_PICK(g->r, claims), width);
      values(g, rng_below(g->r, 3));
      break;
    }
    default: { /* bytes that are no text */
      static const uint8_t counted[] = {'U', 0x8c, 'V', 'S', 'c', 'i', 'P'};
      uint8_t byte = RNG_PICK(g->r, counted);
      uint32_t size = rng_below(g->r, 6);
      if (byte == 'i') op(g, '(');
      op(g, byte);
      if (byte == 'U' || byte == 0x8c) op(g, size);
      if (byte == 'S') op(g, '\'');
      for (; size; size--) {
        static const uint8_t some[] = {0xc0, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff,
                                       0x80, 0x9f, 0xa0, 0xbf, 0x90, 0x8f, 'a',  '\\', 'u',
                                       'U',  'x',  '0',  'd',  '\'', 0,    '\r'};
        op(g, RNG_PICK(g->r, some));
      }
      if (byte == 'S') op(g, '\'');
      if (byte != 'U' && byte != 0x8c) op(g, '\n');
      if (byte == 'c' || byte == 'i') bytes_text(g->out, "name\n");
    }
  }
  op(g, 'N');
}
