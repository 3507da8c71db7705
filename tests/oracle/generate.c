/* generate.c - programs that the unpickler takes: an abstract stack says what each opcode may be given. */
#include "gen.h"

#include <picklesight.h>
#include <stdlib.h>
#include <string.h>

/* ---- the abstract machine ------------------------------------------------------------------------ */

object *gen_object(gen *g, uint32_t index) { return &g->objects[index]; }

static uint32_t make(gen *g, value_kind kind) {
  if (g->object_count == g->object_capacity) {
    g->object_capacity = g->object_capacity ? g->object_capacity * 2 : 1024;
    g->objects = realloc(g->objects, g->object_capacity * sizeof *g->objects);
    if (!g->objects) abort();
  }
  g->objects[g->object_count] = (object){.kind = (uint8_t)kind};
  return g->object_count++;
}

void gen_push_old(gen *g, uint32_t index) {
  if (g->height == g->stack_capacity) {
    g->stack_capacity = g->stack_capacity ? g->stack_capacity * 2 : 1024;
    g->stack = realloc(g->stack, g->stack_capacity * sizeof *g->stack);
    if (!g->stack) abort();
  }
  g->stack[g->height++] = index;
}

uint32_t gen_push(gen *g, value_kind kind) {
  uint32_t index = make(g, kind);
  gen_push_old(g, index);
  return index;
}

object *gen_at(gen *g, size_t from_top) { return &g->objects[g->stack[g->height - 1 - from_top]]; }

size_t gen_items(const gen *g) { return g->height - g->fence; }

void gen_mark(gen *g) {
  g->marks[g->mark_count++] = g->height;
  g->fence = g->height;
}

size_t gen_pop_mark(gen *g) {
  size_t at = g->marks[--g->mark_count];
  g->fence = g->mark_count ? g->marks[g->mark_count - 1] : 0;
  return at;
}

bool gen_hashable(gen *g, uint32_t index) {
  const object *o = gen_object(g, index);
  switch ((value_kind)o->kind) {
    case K_LIST:
    case K_DICT:
    case K_SET:
    case K_BYTEARRAY:
    case K_VIEW: return false;
    case K_TUPLE: return !o->unhashable;
    case K_NONE:
    case K_BOOL:
    case K_INT:
    case K_FLOAT:
    case K_STR:
    case K_BYTES:
    case K_FROZENSET:
    case K_OPAQUE:
    case K_COUNT: break;
  }
  return true;
}

void gen_tuple(gen *g, size_t from) {
  object tuple = {.kind = K_TUPLE, .number = (int64_t)(g->height - from)};
  for (size_t i = from; i < g->height; i++) {
    const object *item = gen_object(g, g->stack[i]);
    if (!gen_hashable(g, g->stack[i])) tuple.unhashable = true;
    if (item->kind == K_TUPLE && item->depth >= tuple.depth)
      tuple.depth = (uint8_t)(item->depth + 1);
  }
  if (tuple.number == 2) {
    tuple.first = g->stack[from];
    tuple.second = g->stack[from + 1];
  }
  g->height = from;
  *gen_object(g, gen_push(g, K_TUPLE)) = tuple;
}

/* ---- the memo --------------------------------------------------------------------------------------- */

static void remember(gen *g, uint32_t index) {
  if (g->written_count < 256)
    g->written[g->written_count++] = index;
  else
    g->written[rng_below(g->r, 256)] = index;
}

static void memo_put(gen *g, uint32_t index) {
  uint32_t what = g->stack[g->height - 1];
  if (index < MEMO_DENSE) {
    if (!g->memo[index]) {
      g->occupied++;
      remember(g, index);
    }
    g->memo[index] = what;
    if (index >= g->memo_high) g->memo_high = index + 1;
    return;
  }
  for (uint32_t i = 0; i < g->sparse_count; i++) {
    if (g->sparse[i].index != index) continue;
    g->sparse[i].object = what;
    return;
  }
  g->sparse[g->sparse_count].index = index;
  g->sparse[g->sparse_count++].object = what;
  g->occupied++;
}

/* To Python 2 the key of PUT is the line, that of BINPUT a number: they do not meet. */
static bool line_keys(gen *g) { return g->protocol >= 4 || rng_one_in(g->r, 20); }

void gen_memoize(gen *g) {
  static const uint32_t some[] = {0, 1, 2, 3, 5, 7, 31, 32, 33, 64, 100, 255};
  uint32_t index = g->occupied;
  uint32_t choice = rng_below(g->r, 8);
  if (gen_items(g) == 0) return;
  if (choice < 4 && index < MEMO_DENSE && g->protocol >= 4) {
    bytes_byte(g->out, 0x94);
    memo_put(g, index);
    return;
  }
  if (choice == 4) index = RNG_PICK(g->r, some);
  if (choice == 5) index = rng_below(g->r, 4);
  if (rng_one_in(g->r, 200)) index = 1000 + rng_below(g->r, 100);
  if (rng_one_in(g->r, 1000)) index = 60000 + rng_below(g->r, 10000);
  if (index >= MEMO_DENSE && g->sparse_count == 8) index = 6;
  if (index < 256 && rng_one_in(g->r, 2)) {
    bytes_byte(g->out, 'q');
    bytes_byte(g->out, index);
  } else if (rng_one_in(g->r, 2) || !line_keys(g)) {
    bytes_byte(g->out, 'r');
    bytes_le(g->out, index, 4);
  } else {
    bytes_byte(g->out, 'p');
    spell_index(g, index);
  }
  memo_put(g, index);
}

static bool memo_get(gen *g, unsigned kinds) {
  uint32_t total = g->written_count + g->sparse_count;
  if (total == 0) return false;
  uint32_t pick = rng_below(g->r, total), index, what;
  if (pick < g->written_count) {
    index = g->written[pick];
    what = g->memo[index];
  } else {
    index = g->sparse[pick - g->written_count].index;
    what = g->sparse[pick - g->written_count].object;
  }
  if (!(kinds & IS(gen_object(g, what)->kind))) return false;
  if (index < 256 && rng_one_in(g->r, 2)) {
    bytes_byte(g->out, 'h');
    bytes_byte(g->out, index);
  } else if (rng_one_in(g->r, 2) || !line_keys(g)) {
    bytes_byte(g->out, 'j');
    bytes_le(g->out, index, 4);
  } else {
    bytes_byte(g->out, 'g');
    spell_index(g, index);
  }
  gen_push_old(g, what);
  return true;
}

/* ---- values ------------------------------------------------------------------------------------------ */

static void tuple_value(gen *g) {
  uint32_t count = rng_below(g->r, 4);
  size_t from = g->height;
  if (count && (rng_one_in(g->r, 3) || g->mark_count > 50)) {
    for (uint32_t i = 0; i < count; i++) gen_value(g, ANY);
    bytes_byte(g->out, 0x84 + count);
  } else {
    bytes_byte(g->out, '(');
    gen_mark(g);
    if (rng_one_in(g->r, 300)) count = 500 + rng_below(g->r, 20);
    for (uint32_t i = 0; i < count; i++) gen_value(g, ANY);
    bytes_byte(g->out, 't');
    gen_pop_mark(g);
  }
  gen_tuple(g, from);
}

static void list_or_dict(gen *g, value_kind kind) {
  uint32_t count = rng_below(g->r, 4) & (kind == K_DICT ? ~1u : ~0u);
  size_t from = g->height;
  bytes_byte(g->out, '(');
  gen_mark(g);
  for (uint32_t i = 0; i < count; i++)
    gen_value(g, kind == K_DICT && i % 2 == 0 ? IS(K_STR) | IS(K_INT) | IS(K_OPAQUE) | IS(K_NONE)
                                              : ANY);
  bytes_byte(g->out, kind == K_DICT ? 'd' : 'l');
  gen_pop_mark(g);
  g->height = from;
  object *o = gen_object(g, gen_push(g, kind));
  o->number = count;
  o->filled = count != 0;
}

void gen_value(gen *g, unsigned kinds) {
  unsigned later = g->protocol < 5 ? IS(K_BYTEARRAY) | IS(K_VIEW) : 0;
  if (g->protocol < 4) later |= IS(K_BYTES) | IS(K_SET) | IS(K_FROZENSET);
  if (kinds & ~later) kinds &= ~later;
  if (kinds & g->theme && !rng_one_in(g->r, 3)) kinds &= g->theme;
  if (g->depth > 3 && kinds & (IS(K_NONE) | IS(K_INT))) kinds &= IS(K_NONE) | IS(K_INT) | IS(K_STR);
  if (rng_one_in(g->r, 5) && memo_get(g, kinds)) return;
  if (gen_items(g) && rng_one_in(g->r, 12) && kinds & IS(gen_at(g, 0)->kind)) {
    bytes_byte(g->out, '2');
    gen_push_old(g, g->stack[g->height - 1]);
    return;
  }
  value_kind kind;
  do kind = (value_kind)rng_below(g->r, K_COUNT);
  while (!(kinds & IS(kind)));
  g->depth++;
  bool nested = g->depth <= 4 && g->mark_count < 60;
  if (kind == K_TUPLE && nested && !rng_one_in(g->r, 3))
    tuple_value(g);
  else if ((kind == K_LIST || kind == K_DICT) && nested && rng_one_in(g->r, 3))
    list_or_dict(g, kind);
  else
    gen_literal(g, kind);
  g->depth--;
  if (rng_one_in(g->r, 6)) gen_memoize(g);
}

/* ---- steps -------------------------------------------------------------------------------------------- */

static void frame(gen *g) {
  if (g->frame_count == FRAMES || g->protocol < 4) return;
  bytes_byte(g->out, 0x95);
  g->frames[g->frame_count++] = g->out->size;
  bytes_le(g->out, 0, 8);
}

static void readonly(gen *g) {
  unsigned buffers = IS(K_BYTES) | IS(K_BYTEARRAY) | IS(K_VIEW);
  if (g->protocol < 5) return;
  if (!gen_items(g) || !(buffers & IS(gen_at(g, 0)->kind))) gen_value(g, buffers);
  bytes_byte(g->out, 0x98);
  object *o = gen_at(g, 0);
  if (o->kind != K_BYTEARRAY) return;
  o->viewed = true;
  g->height--;
  gen_push(g, K_VIEW);
}

static void small_tuple(gen *g) {
  size_t count = gen_items(g) < 3 ? gen_items(g) : 3;
  if (count == 0 || gen_at(g, 0)->depth > 60) return;
  count = 1 + rng_below(g->r, (uint32_t)count);
  bytes_byte(g->out, 0x84 + (unsigned)count);
  gen_tuple(g, g->height - count);
}

static void pop(gen *g) {
  if (g->height == g->fence && g->mark_count == 0) return;
  bytes_byte(g->out, '0');
  if (g->mark_count && g->height == g->fence)
    gen_pop_mark(g);
  else
    g->height--;
}

void gen_action(gen *g) {
  uint32_t choice = rng_below(g->r, 40);
  if (choice < 10)
    gen_value(g, ANY);
  else if (choice < 16)
    gen_change(g);
  else if (choice < 18)
    gen_build(g);
  else if (choice < 20)
    gen_memoize(g);
  else if (choice < 23 && g->mark_count < 40)
    bytes_byte(g->out, '('), gen_mark(g);
  else if (choice < 28 && g->mark_count)
    gen_close_mark(g);
  else if (choice < 30)
    small_tuple(g);
  else if (choice < 32)
    pop(g);
  else if (choice < 33)
    frame(g);
  else if (choice < 34)
    readonly(g);
  else if (choice < 35) {
    bytes_byte(g->out, 0x80);
    bytes_byte(g->out, rng_below(g->r, g->protocol + 1));
  } else if (choice < 36)
    gen_value(g, IS(K_OPAQUE));
  else if (choice < 38)
    memo_get(g, ANY);
  else if (gen_items(g) && choice < 39)
    bytes_byte(g->out, '2'), gen_push_old(g, g->stack[g->height - 1]);
  else
    gen_value(g, ANY);
}

/* ---- programs ------------------------------------------------------------------------------------------ */

static void close_frames(gen *g) {
  for (size_t i = 0; i < g->frame_count; i++) {
    size_t left = g->out->size - g->frames[i] - 8;
    uint64_t length = rng_one_in(g->r, 3) ? rng_below(g->r, (uint32_t)left + 1) : left;
    for (unsigned byte = 0; byte < 8; byte++)
      g->out->data[g->frames[i] + byte] = (uint8_t)(length >> (8 * byte));
  }
}

static void start(gen *g, sample *s, rng *r, uint32_t python) {
  static const unsigned themes[] = {0,
                                    0,
                                    0,
                                    IS(K_BYTEARRAY) | IS(K_VIEW) | IS(K_INT) | IS(K_BYTES),
                                    IS(K_TUPLE) | IS(K_LIST) | IS(K_DICT) | IS(K_FROZENSET) |
                                        IS(K_SET),
                                    IS(K_TUPLE) | IS(K_DICT) | IS(K_NONE) | IS(K_STR),
                                    IS(K_OPAQUE) | IS(K_TUPLE),
                                    IS(K_STR) | IS(K_OPAQUE),
                                    IS(K_INT) | IS(K_FLOAT) | IS(K_BOOL)};
  g->r = r;
  g->out = &s->data;
  g->how = s->how;
  g->python = python;
  g->protocol = python >= 0x030800 ? 5 : python >= 0x030000 ? 4 : 2;
  g->decimal = python >= 0x030e00;
  g->theme = RNG_PICK(r, themes);
  g->depth = 0;
  g->buffers = s->how.buffers;
  g->height = g->mark_count = g->fence = 0;
  g->object_count = 0;
  make(g, K_NONE); /* index 0 is none */
  memset(g->memo, 0, g->memo_high * sizeof *g->memo);
  g->memo_high = g->written_count = g->occupied = g->sparse_count = 0;
  g->frame_count = 0;
  s->data.size = 0;
  if (!rng_one_in(r, 3)) {
    bytes_byte(g->out, 0x80);
    bytes_byte(g->out, rng_below(r, g->protocol + 1));
    if (rng_one_in(r, 4)) frame(g);
  }
}

void generate(sample *s, rng *r, uint32_t python, bool wild) {
  static gen g;
  start(&g, s, r, python);
  uint32_t steps = rng_below(r, wild ? 6 : 12);
  if (!wild && rng_one_in(r, 40)) steps = rng_below(r, 300);
  if (!wild && rng_one_in(r, 8000)) steps = 3000 + rng_below(r, 20000);
  while (steps--) gen_action(&g);
  if (wild) gen_wild(&g);
  if (gen_items(&g) == 0 || rng_one_in(r, 4)) gen_value(&g, ANY);
  bytes_byte(g.out, '.');
  if (rng_one_in(r, 10))
    for (uint32_t n = rng_below(r, 12); n; n--) bytes_byte(g.out, (unsigned)rng_next(r) & 0xff);
  close_frames(&g);
}
