/* values.c - opcodes that push an object of a kind. */
#include "gen.h"

#include <string.h>

/* ---- texts ---------------------------------------------------------------------------------------- */

/* `op` with a count of `width` bytes, then the text that is at the end of out from `start` on. */
static void counted(gen *g, unsigned op, unsigned width, size_t start) {
  uint8_t head[9] = {(uint8_t)op};
  uint64_t size = g->out->size - start;
  for (unsigned i = 0; i < width; i++) head[1 + i] = (uint8_t)(size >> (8 * i));
  bytes_replace(g->out, start, 0, head, width + 1);
}

static void py2_string(gen *g) {
  bool high = g->how.encoding == 1 || g->how.encoding == 2 || g->how.encoding == 3 ||
              (g->how.errors >= 2 && g->how.errors <= 5);
  size_t start = g->out->size;
  if (rng_one_in(g->r, 2)) {
    bytes_byte(g->out, 'S');
    /* escapes make bytes that are no UTF-8 */
    spell_string(g, high && g->how.encoding != 2);
  } else {
    spell_py2(g, g->out, high);
    bool is_short = g->out->size - start < 256 && !rng_one_in(g->r, 3);
    counted(g, is_short ? 'U' : 'T', is_short ? 1 : 4, start);
  }
}

static void text(gen *g) {
  size_t start = g->out->size;
  if (rng_one_in(g->r, 4)) {
    bytes_byte(g->out, 'V');
    spell_unicode(g);
    return;
  }
  spell_utf8(g->r, g->out);
  size_t size = g->out->size - start;
  if (g->protocol < 4)
    counted(g, 'X', 4, start);
  else if (size < 256 && rng_one_in(g->r, 2))
    counted(g, 0x8c, 1, start);
  else if (rng_one_in(g->r, 6))
    counted(g, 0x8d, 8, start);
  else
    counted(g, 'X', 4, start);
}

static void raw_bytes(gen *g, bool array) {
  size_t start = g->out->size;
  uint32_t size = rng_one_in(g->r, 100) ? rng_below(g->r, 1200) : rng_below(g->r, 6);
  /* past what the unpickler asks a file for at a time */
  if (rng_one_in(g->r, 4000)) size = 131072 - 20 + rng_below(g->r, 40);
  for (uint32_t i = 0; i < size; i++) bytes_byte(g->out, (unsigned)rng_next(g->r) & 0xff);
  if (array) {
    counted(g, 0x96, 8, start);
    gen_object(g, gen_push(g, K_BYTEARRAY))->number = size;
    return;
  }
  if (size < 256 && !rng_one_in(g->r, 3))
    counted(g, 'C', 1, start);
  else if (rng_one_in(g->r, 2))
    counted(g, 'B', 4, start);
  else
    counted(g, 0x8e, 8, start);
  gen_push(g, K_BYTES);
}

/* ---- numbers --------------------------------------------------------------------------------------- */

static void integer(gen *g) {
  static const int64_t some[] = {
      0,   0,   1,    1,  2,  3,  7,    10,   64,    100,   127,        128,          200,
      255, 256, 1000, -1, -2, -3, -128, -129, 65535, 65536, 2147483647, -2147483648ll};
  int64_t number = RNG_PICK(g->r, some);
  object *o;
  switch (rng_below(g->r, 8)) {
    case 0:
    case 1:
      number &= 0xff;
      bytes_byte(g->out, 'K');
      bytes_byte(g->out, (unsigned)number);
      break;
    case 2:
      number &= 0xffff;
      bytes_byte(g->out, 'M');
      bytes_le(g->out, (uint64_t)number, 2);
      break;
    case 3:
      bytes_byte(g->out, 'J');
      bytes_le(g->out, (uint64_t)number, 4);
      break;
    case 4: {
      bytes_byte(g->out, 'I');
      size_t start = g->out->size;
      spell_int(g, number);
      if (g->python < 0x030f00 && spell_is_bool(g->out->data + start, g->out->size - start)) {
        gen_push(g, K_BOOL);
        gen_at(g, 0)->number = number;
        return;
      }
      break;
    }
    case 5:
      bytes_byte(g->out, 'L');
      spell_long(g, number);
      break;
    default: {
      bool wide = rng_one_in(g->r, 4);
      uint32_t size = rng_below(g->r, 10), least = number ? 5 : 0;
      if (size < least) size = least;
      bytes_byte(g->out, wide ? 0x8b : 0x8a);
      bytes_le(g->out, size, wide ? 4 : 1);
      for (uint32_t i = 0; i < size; i++)
        bytes_byte(g->out, i < 8 ? (unsigned)(number >> (8 * i)) & 0xff : number < 0 ? 0xff : 0);
    }
  }
  o = gen_object(g, gen_push(g, K_INT));
  o->number = number;
}

/* Past 64 bits, or just at its edge. */
static void big_integer(gen *g) {
  bytes_byte(g->out, 0x8a);
  uint32_t size = 7 + rng_below(g->r, 6);
  bytes_byte(g->out, size);
  for (uint32_t i = 0; i < size; i++)
    bytes_byte(g->out, rng_one_in(g->r, 2) ? 0xff : (unsigned)rng_next(g->r) & 0xff);
  gen_object(g, gen_push(g, K_INT))->number = INT64_MAX;
}

/* ---- kinds ------------------------------------------------------------------------------------------ */

void gen_literal(gen *g, value_kind kind) {
  static const uint8_t doubles[] = {0, 0x3f, 0x7f, 0x80, 0xbf, 0xf0, 0xff};
  switch (kind) {
    case K_NONE:
      bytes_byte(g->out, 'N');
      gen_push(g, K_NONE);
      break;
    case K_BOOL: {
      bool yes = rng_one_in(g->r, 2);
      if (rng_one_in(g->r, 4))
        bytes_text(g->out, yes ? "I01\n" : "I00\n");
      else
        bytes_byte(g->out, yes ? 0x88 : 0x89);
      gen_object(g, gen_push(g, K_BOOL))->number = yes;
      break;
    }
    case K_INT: rng_one_in(g->r, 12) ? big_integer(g) : integer(g); break;
    case K_FLOAT:
      if (rng_one_in(g->r, 2)) {
        bytes_byte(g->out, 'F');
        spell_float(g);
      } else {
        bytes_byte(g->out, 'G');
        for (int i = 0; i < 8; i++)
          bytes_byte(g->out, rng_one_in(g->r, 2) ? RNG_PICK(g->r, doubles)
                                                 : (unsigned)rng_next(g->r) & 0xff);
      }
      gen_push(g, K_FLOAT);
      break;
    case K_STR:
      /* an encoding that is no text codec fails at the first string */
      if (rng_one_in(g->r, 3) && g->how.encoding < 5) {
        py2_string(g);
        gen_push(g, g->how.encoding == 3 ? K_BYTES : K_STR);
      } else {
        text(g);
        gen_push(g, K_STR);
      }
      break;
    case K_BYTES: raw_bytes(g, false); break;
    case K_SET:
      bytes_byte(g->out, 0x8f);
      gen_push(g, K_SET);
      break;
    case K_LIST:
      bytes_byte(g->out, ']');
      gen_push(g, K_LIST);
      break;
    case K_DICT:
      bytes_byte(g->out, '}');
      gen_push(g, K_DICT);
      break;
    case K_BYTEARRAY:
      if (g->buffers > 0 && rng_one_in(g->r, 2)) {
        g->buffers--;
        bytes_byte(g->out, 0x97);
        gen_object(g, gen_push(g, K_BYTEARRAY))->number = 4;
      } else {
        raw_bytes(g, true);
      }
      break;
    case K_VIEW:
      gen_value(g, IS(K_BYTEARRAY));
      bytes_byte(g->out, 0x98);
      gen_at(g, 0)->viewed = true;
      g->height--;
      gen_push(g, K_VIEW);
      break;
    case K_FROZENSET:
      bytes_byte(g->out, '(');
      gen_mark(g);
      while (rng_one_in(g->r, 2)) {
        gen_value(g, IS(K_INT) | IS(K_STR) | IS(K_NONE) | IS(K_TUPLE) | IS(K_OPAQUE));
        if (gen_hashable(g, g->stack[g->height - 1])) continue;
        bytes_byte(g->out, '0');
        g->height--;
      }
      bytes_byte(g->out, 0x91);
      g->height = gen_pop_mark(g);
      gen_push(g, K_FROZENSET);
      break;
    case K_TUPLE:
      bytes_byte(g->out, ')');
      gen_push(g, K_TUPLE);
      break;
    case K_OPAQUE: gen_opaque(g); break;
    case K_COUNT: break;
  }
}

/* ---- objects that only a run could tell ------------------------------------------------------------- */

static void global(gen *g) {
  if (g->protocol >= 4 && rng_one_in(g->r, 3)) {
    unsigned str = IS(K_STR);
    gen_value(g, str);
    gen_value(g, str);
    bytes_byte(g->out, 0x93);
    g->height -= 2;
  } else {
    bytes_byte(g->out, 'c');
    spell_name(g, false);
    spell_name(g, false);
  }
}

static void inst_or_obj(gen *g) {
  bool inst = rng_one_in(g->r, 2);
  bytes_byte(g->out, '(');
  gen_mark(g);
  if (!inst) gen_value(g, IS(K_OPAQUE));
  while (rng_one_in(g->r, 2)) gen_value(g, ANY);
  bytes_byte(g->out, inst ? 'i' : 'o');
  if (inst) {
    spell_name(g, true);
    spell_name(g, true);
  }
  g->height = gen_pop_mark(g);
}

static void call(gen *g) {
  gen_value(g, IS(K_OPAQUE));
  gen_value(g, IS(K_TUPLE));
  switch (rng_below(g->r, g->protocol < 4 ? 2 : 3)) {
    case 0: bytes_byte(g->out, 'R'); break;
    case 1: bytes_byte(g->out, 0x81); break;
    default:
      gen_value(g, IS(K_DICT));
      bytes_byte(g->out, 0x92);
      g->height--;
  }
  g->height -= 2;
}

static void persistent(gen *g) {
  if (rng_one_in(g->r, 2)) {
    size_t start = g->out->size + 1;
    bytes_byte(g->out, 'P');
    spell_name(g, true);
    if (rng_one_in(g->r, 6)) bytes_replace(g->out, start, g->out->size - start - 1, NULL, 0);
  } else {
    gen_value(g, ANY);
    bytes_byte(g->out, 'Q');
    g->height--;
  }
}

static void extension(gen *g) {
  uint32_t code = ext_codes[rng_below(g->r, (uint32_t)ext_code_count)];
  unsigned width = code < 256 && rng_one_in(g->r, 2)     ? 1
                   : code < 65536 && rng_one_in(g->r, 2) ? 2
                                                         : 4;
  bytes_byte(g->out, width == 4 ? 0x84 : 0x81 + width);
  bytes_le(g->out, code, width);
}

void gen_opaque(gen *g) {
  uint32_t choice = g->depth > 4 ? 0 : rng_below(g->r, 10);
  if (g->how.extensions && rng_one_in(g->r, 2))
    extension(g);
  else if (g->how.persid && choice == 1)
    persistent(g);
  else if (choice == 2)
    inst_or_obj(g);
  else if (choice >= 3 && choice <= 5)
    call(g);
  else
    global(g);
  gen_push(g, K_OPAQUE);
}
