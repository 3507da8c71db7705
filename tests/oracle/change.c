/* change.c - opcodes that change an object, and those that take all above a mark. */
#include "gen.h"

/* ---- what changes an object --------------------------------------------------------------------------- */

static bool is_byte(const object *o) {
  return (o->kind == K_INT || o->kind == K_BOOL) && o->number >= 0 && o->number <= 255;
}

static void push_index(gen *g, int64_t length) {
  if (rng_one_in(g->r, 3)) {
    bytes_byte(g->out, 'J');
    bytes_le(g->out, (uint64_t) - (1 + (int64_t)rng_below(g->r, (uint32_t)length)), 4);
  } else {
    bytes_byte(g->out, 'K');
    bytes_byte(g->out, rng_below(g->r, (uint32_t)(length < 256 ? length : 256)));
  }
  gen_push(g, K_INT);
}

static void push_byte(gen *g) {
  bytes_byte(g->out, 'K');
  uint32_t value = rng_below(g->r, 256);
  bytes_byte(g->out, value);
  gen_object(g, gen_push(g, K_INT))->number = value;
}

static void push_key(gen *g) {
  gen_value(g, ANY);
  if (gen_hashable(g, g->stack[g->height - 1])) return;
  bytes_byte(g->out, '0');
  g->height--;
  gen_value(g, IS(K_INT) | IS(K_STR));
}

/* The stack at `target` has the object; what is pushed for it goes in. */
static void add_items(gen *g, size_t target, bool pairs) {
  uint32_t what = g->stack[target];
  value_kind kind = (value_kind)gen_object(g, what)->kind;
  bool many = g->mark_count < 60 && rng_one_in(g->r, 2);
  uint32_t count = many ? rng_below(g->r, 4) : 1;
  if (many) {
    bytes_byte(g->out, '(');
    gen_mark(g);
  }
  int64_t length = gen_object(g, what)->number;
  for (uint32_t i = 0; i < count; i++) {
    if (pairs && (kind == K_LIST || kind == K_BYTEARRAY))
      push_index(g, length);
    else if (pairs)
      push_key(g);
    if (kind == K_SET)
      push_key(g);
    else if (kind == K_BYTEARRAY)
      push_byte(g);
    else
      gen_value(g, ANY);
  }
  if (many) {
    bytes_byte(g->out, pairs ? 'u' : kind == K_SET ? 0x90 : 'e');
    gen_pop_mark(g);
  } else {
    bytes_byte(g->out, pairs ? 's' : 'a');
  }
  g->height = target + 1;
  object *o = gen_object(g, what);
  if (!pairs) o->number += count;
  if (pairs && count) o->filled = true;
}

void gen_change(gen *g) {
  unsigned kinds = IS(K_LIST) | IS(K_DICT) | IS(K_SET) | IS(K_BYTEARRAY) | IS(K_OPAQUE);
  if (!gen_items(g) || !(kinds & IS(gen_at(g, 0)->kind))) gen_value(g, kinds);
  const object *o = gen_at(g, 0);
  bool indexed = o->kind == K_LIST || o->kind == K_BYTEARRAY;
  bool pairs = o->kind == K_DICT || (o->kind == K_OPAQUE && rng_one_in(g->r, 2)) ||
               (indexed && o->number > 0 && rng_one_in(g->r, 2));
  if (o->kind == K_SET && (g->mark_count >= 60 || pairs)) return;
  if (o->kind == K_SET) { /* ADDITEMS only */
    size_t target = g->height - 1;
    bytes_byte(g->out, '(');
    gen_mark(g);
    while (rng_one_in(g->r, 2)) push_key(g);
    bytes_byte(g->out, 0x90);
    gen_pop_mark(g);
    g->height = target + 1;
    return;
  }
  /* a view of it may be alive */
  if (o->kind == K_BYTEARRAY && o->viewed && !pairs && !rng_one_in(g->r, 3)) return;
  add_items(g, g->height - 1, pairs);
}

void gen_build(gen *g) {
  if (!gen_items(g) || rng_one_in(g->r, 3)) gen_value(g, rng_one_in(g->r, 4) ? ANY : IS(K_OPAQUE));
  if (gen_at(g, 0)->kind == K_OPAQUE) {
    gen_value(g, ANY);
  } else if (rng_one_in(g->r, 2)) {
    bytes_text(g->out, "N");
    gen_push(g, K_NONE);
  } else {
    bytes_text(g->out, "N}\x86");
    gen_push(g, K_TUPLE);
  }
  bytes_byte(g->out, 'b');
  g->height--;
}

/* ---- closing a mark ----------------------------------------------------------------------------------- */

static bool all_hashable(gen *g, size_t from, size_t step) {
  for (size_t i = from; i < g->height; i += step)
    if (!gen_hashable(g, g->stack[i])) return false;
  return true;
}

static bool all_bytes(gen *g, size_t from) {
  for (size_t i = from; i < g->height; i++)
    if (!is_byte(gen_object(g, g->stack[i]))) return false;
  return true;
}

/* APPENDS, ADDITEMS or SETITEMS on what stands below the mark. */
static bool close_onto(gen *g, size_t from) {
  size_t outer = g->mark_count > 1 ? g->marks[g->mark_count - 2] : 0;
  if (from <= outer) return false;
  object *o = gen_object(g, g->stack[from - 1]);
  size_t count = g->height - from;
  unsigned op = 0;
  if (count == 0 && g->python < 0x030f00) {
    static const uint8_t any[] = {'e', 'u', 0x90};
    op = any[rng_below(g->r, g->protocol < 4 ? 2 : 3)];
  } else if (o->kind == K_LIST || (o->kind == K_BYTEARRAY && !o->viewed && all_bytes(g, from))) {
    op = 'e';
    o->number += (int64_t)count;
  } else if (o->kind == K_SET && all_hashable(g, from, 1)) {
    op = 0x90;
  } else if (o->kind == K_DICT && count % 2 == 0 && all_hashable(g, from, 2)) {
    op = 'u';
    o->filled = o->filled || count;
  } else if (o->kind == K_OPAQUE) {
    op = rng_one_in(g->r, 2) || g->protocol < 4  ? 'e'
         : count % 2 == 0 && rng_one_in(g->r, 2) ? 'u'
                                                 : 0x90;
  }
  if (!op) return false;
  bytes_byte(g->out, op);
  gen_pop_mark(g);
  g->height = from;
  return true;
}

void gen_close_mark(gen *g) {
  size_t from = g->marks[g->mark_count - 1], count = g->height - from;
  uint32_t choice = rng_below(g->r, 9);
  if (choice < 3 && close_onto(g, from)) return;
  if (choice == 3 && count % 2 == 0 && all_hashable(g, from, 2)) {
    bytes_byte(g->out, 'd');
    gen_pop_mark(g);
    g->height = from;
    gen_object(g, gen_push(g, K_DICT))->filled = count != 0;
  } else if (choice == 4 && g->protocol >= 4 && all_hashable(g, from, 1)) {
    bytes_byte(g->out, 0x91);
    gen_pop_mark(g);
    g->height = from;
    gen_push(g, K_FROZENSET);
  } else if (choice == 5) {
    bytes_byte(g->out, count == 0 && rng_one_in(g->r, 2) ? '0' : '1');
    g->height = gen_pop_mark(g);
  } else if (choice == 6 && count && gen_object(g, g->stack[from])->kind == K_OPAQUE) {
    bytes_byte(g->out, 'o');
    g->height = gen_pop_mark(g);
    gen_push(g, K_OPAQUE);
  } else if (choice == 7) {
    bytes_byte(g->out, 'i');
    spell_name(g, true);
    spell_name(g, true);
    g->height = gen_pop_mark(g);
    gen_push(g, K_OPAQUE);
  } else if (choice == 8) {
    bytes_byte(g->out, 'l');
    gen_pop_mark(g);
    g->height = from;
    gen_object(g, gen_push(g, K_LIST))->number = (int64_t)count;
  } else {
    bytes_byte(g->out, 't');
    gen_pop_mark(g);
    gen_tuple(g, from);
  }
}
