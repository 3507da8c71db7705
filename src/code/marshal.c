/* Reads what Python/marshal.c writes: formats 0 to 6 (Python 2.7 and 3.4 to 3.15; PyPy writes the same).
 *
 * Objects nest, so a frame is kept for each container that is open, and finished objects wait on a
 * stack until their container closes and copies them to a place where they stay. */
#include "code/marshal.h"

#include <string.h>

#include "base/utf8.h"

#define FLAG_REF 0x80u

typedef struct frame {
  uint64_t offset;    /* of its first byte */
  uint64_t left;      /* items still to come; of no use in a dict or code object */
  size_t first;       /* position on the stack of its first item */
  size_t ref;         /* its place in refs, or SIZE_MAX */
  const char *fields; /* code object: what comes next; else NULL */
  uint8_t becomes;    /* pks_code_kind when it closes */
  bool pairs;         /* a dict: ends at a NULL */
} frame;

typedef struct block {
  uint8_t *data;
  size_t size;
} block;

typedef struct reader {
  pks_code_marshal *m;
  pks_mem *mem;
  const uint8_t *data;
  size_t size, at;
  uint64_t start; /* of the object at hand */
  pks_code_shape shape;
  bool done;
} reader;

/* Fields of a code object in the order of w_complex_object: l number of 32 bits, o object. */
static const char *layout(pks_code_shape shape) {
  switch (shape) {
    case PKS_SHAPE_14: return "lllloooooooolo";
    case PKS_SHAPE_15: return "llllloooooooolo";
    case PKS_SHAPE_16: return "lllllloooooooolo";
    case PKS_SHAPE_18: return "lllllooooooooloo";
    case PKS_SHAPE_NONE:
    case PKS_SHAPE_20:
    default: return "";
  }
}

/* ---- errors and memory ------------------------------------------------------------------------------ */

static bool fail(reader *r, pks_status status, const char *text) {
  r->m->status = status;
  r->m->offset = r->start;
  r->m->text = text;
  return false;
}

static bool refused(reader *r) { return fail(r, r->mem->status, pks_status_text(r->mem->status)); }

static bool truncated(reader *r) {
  return fail(r, PKS_E_TRUNCATED, "the marshal stream ends inside an object");
}

static bool bad(reader *r, const char *text) { return fail(r, PKS_E_CODE, text); }

/* Memory that stays until the next read: blocks, used again in their order. */
static void *keep(reader *r, size_t size) {
  pks_code_marshal *m = r->m;
  size = (size + 15) & ~(size_t)15;
  for (; m->block_index < m->blocks.count; m->block_index++, m->block_used = 0) {
    block *b = &PKS_VEC_AT(&m->blocks, block, m->block_index);
    if (b->size - m->block_used < size) continue;
    m->block_used += size;
    return b->data + (m->block_used - size);
  }
  size_t fresh = (size_t)4096 << (m->blocks.count < 8 ? m->blocks.count : 8);
  if (fresh < size) fresh = size;
  block *b = pks_base_vec_push(r->mem, &m->blocks, sizeof *b);
  if (!b) return NULL;
  b->size = fresh;
  b->data = pks_base_resize(r->mem, NULL, 0, fresh);
  if (!b->data) {
    m->blocks.count--;
    return NULL;
  }
  m->block_used = size;
  return b->data;
}

void pks_code_marshal_free(pks_code_marshal *m, pks_mem *mem) {
  for (size_t i = 0; i < m->blocks.count; i++) {
    block *b = &PKS_VEC_AT(&m->blocks, block, i);
    pks_base_release(mem, b->data, b->size);
  }
  pks_base_vec_free(mem, &m->blocks, sizeof(block));
  pks_base_vec_free(mem, &m->codes, sizeof(pks_code_marshalled));
  pks_base_vec_free(mem, &m->stack, sizeof(pks_code_value));
  pks_base_vec_free(mem, &m->frames, sizeof(frame));
  pks_base_vec_free(mem, &m->refs, sizeof(pks_code_value));
}

/* ---- bytes ---------------------------------------------------------------------------------------------- */

static bool take(reader *r, size_t size, const uint8_t **out) {
  if (r->size - r->at < size) return truncated(r);
  *out = r->data + r->at;
  r->at += size;
  return true;
}

static bool take_u32(reader *r, uint32_t *out) {
  const uint8_t *p;
  if (!take(r, 4, &p)) return false;
  *out = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
  return true;
}

static bool take_byte(reader *r, uint32_t *out) {
  const uint8_t *p;
  if (!take(r, 1, &p)) return false;
  *out = *p;
  return true;
}

/* A size of bytes or items. What is left bounds it, as an item is one byte at least. */
static bool take_size(reader *r, bool is_short, uint32_t *out) {
  if (!(is_short ? take_byte(r, out) : take_u32(r, out))) return false;
  if (*out > INT32_MAX) return bad(r, "a size is negative");
  if (*out > r->size - r->at) return truncated(r);
  return true;
}

static int64_t signed32(uint32_t n) {
  return n <= INT32_MAX ? (int64_t)n : (int64_t)n - ((int64_t)1 << 32);
}

/* ---- plain objects ---------------------------------------------------------------------------------------- */

static pks_code_value value_of(pks_code_kind kind, int64_t number) {
  pks_code_value value;
  memset(&value, 0, sizeof value);
  value.kind = kind;
  value.number = number;
  return value;
}

/* Digits of 15 bits, low ones first; the sign is that of their number. */
static bool take_long(reader *r, pks_code_value *out) {
  uint32_t n;
  const uint8_t *p;
  if (!take_u32(r, &n)) return false;
  int64_t sized = signed32(n);
  uint64_t digits = (uint64_t)(sized < 0 ? -sized : sized);
  if (digits > (r->size - r->at) / 2) return truncated(r);
  if (!take(r, (size_t)digits * 2, &p)) return false;
  uint64_t value = 0;
  for (uint64_t i = digits; i-- > 0;) {
    unsigned digit = p[i * 2] | (unsigned)p[i * 2 + 1] << 8;
    if (digit > 0x7fff) return bad(r, "a digit of a number is out of range");
    if (i == digits - 1 && digit == 0) return bad(r, "a number is not normalised");
    value = value << 15 | digit;
  }
  /* Four digits are 60 bits, five more than fit; a value that does not is saturated. */
  bool large = digits > 5 || (digits == 5 && (p[8] | p[9] << 8) > 7);
  *out = value_of(PKS_CV_INT, large ? INT64_MAX : (int64_t)value);
  if (sized < 0) out->number = large ? INT64_MIN : -out->number;
  return true;
}

static bool take_int64(reader *r, pks_code_value *out) {
  uint32_t low, high;
  if (!take_u32(r, &low) || !take_u32(r, &high)) return false;
  uint64_t bits = (uint64_t)high << 32 | low;
  int64_t number;
  memcpy(&number, &bits, sizeof number);
  *out = value_of(PKS_CV_INT, number);
  return true;
}

/* One float or two as text (with a length byte each) or in binary. */
static bool skip_floats(reader *r, unsigned count, bool text) {
  const uint8_t *p;
  for (; count; count--) {
    uint32_t n = 8;
    if (text && !take_byte(r, &n)) return false;
    if (!take(r, n, &p)) return false;
  }
  return true;
}

/* Characters that the stream calls ASCII are one byte each; above 0x7f (never written) they are
 * latin-1, and are made UTF-8 here. */
static bool one_byte_text(reader *r, pks_code_value *value) {
  pks_span *text = &value->text;
  size_t plain = pks_base_ascii_prefix(text->data, text->size), n = plain;
  if (plain == text->size) return true;
  uint8_t *copy = keep(r, text->size * 2);
  if (!copy) return refused(r);
  memcpy(copy, text->data, plain);
  for (size_t i = plain; i < text->size; i++) {
    unsigned c = text->data[i];
    if (c >= 0x80) copy[n++] = (uint8_t)(0xc0 | c >> 6);
    copy[n++] = (uint8_t)(c < 0x80 ? c : 0x80 | (c & 0x3f));
  }
  text->data = copy;
  text->size = n;
  return true;
}

static bool take_text(reader *r, unsigned type, pks_code_value *out) {
  uint32_t n;
  const uint8_t *p;
  if (!take_size(r, type == 'z' || type == 'Z', &n) || !take(r, n, &p)) return false;
  bool bytes = type == 's' || (type == 't' && r->shape == PKS_SHAPE_14);
  *out = value_of(bytes ? PKS_CV_BYTES : PKS_CV_STR, 0);
  out->text.data = p;
  out->text.size = n;
  if (bytes) return true;
  if (type != 'u' && type != 't') return one_byte_text(r, out);
  if (!pks_base_utf8_valid(p, n, true)) return bad(r, "a text is not UTF-8");
  return true;
}

/* ---- references --------------------------------------------------------------------------------------------- */

/* A place in refs for the object that starts here; *ref SIZE_MAX: it is not asked for. Until the object
 * is done its value is unknown, which no reference may mean. */
static bool reserve(reader *r, bool wanted, size_t *ref) {
  *ref = SIZE_MAX;
  if (!wanted) return true;
  pks_code_value *slot = pks_base_vec_push(r->mem, &r->m->refs, sizeof *slot);
  if (!slot) return refused(r);
  *slot = value_of(PKS_CV_UNKNOWN, 0);
  *ref = r->m->refs.count - 1;
  return true;
}

static void fill(reader *r, size_t ref, const pks_code_value *value) {
  if (ref != SIZE_MAX) PKS_VEC_AT(&r->m->refs, pks_code_value, ref) = *value;
}

static bool take_reference(reader *r, pks_code_value *out) {
  uint32_t n;
  if (!take_u32(r, &n)) return false;
  if (n >= r->m->refs.count) return bad(r, "a reference goes to no object");
  *out = PKS_VEC_AT(&r->m->refs, pks_code_value, n);
  if (out->kind == PKS_CV_UNKNOWN)
    return bad(r, "a reference goes to an object that is not finished");
  return true;
}

/* ---- code objects ----------------------------------------------------------------------------------------------- */

#define FAST_LOCAL 0x20u
#define FAST_CELL 0x40u
#define FAST_FREE 0x80u

/* The names of one kind, of a code object that keeps them in one tuple (co_localsplusnames). */
static bool names_of(reader *r, const pks_code_value *names, const pks_code_value *kinds,
                     unsigned mask, pks_code_value *out) {
  size_t n = 0;
  for (size_t i = 0; i < names->count; i++) n += (kinds->text.data[i] & mask) != 0;
  *out = value_of(PKS_CV_TUPLE, 0);
  out->count = n;
  pks_code_value *items = keep(r, n * sizeof *items);
  if (!items) return refused(r);
  out->items = items;
  for (size_t i = 0; i < names->count; i++)
    if (kinds->text.data[i] & mask) *items++ = names->items[i];
  return true;
}

/* Fields as marshalled to the constructor's arguments: 3.11 and later. */
static bool arrange_18(reader *r, const pks_code_value *f, pks_code_value *args) {
  const pks_code_value *names = &f[8], *kinds = &f[9];
  if (names->kind != PKS_CV_TUPLE || kinds->kind != PKS_CV_BYTES ||
      names->count != kinds->text.size)
    return bad(r, "a code object's names of locals do not match their kinds");
  memcpy(args, f, 3 * sizeof *f);           /* argcount, posonlyargcount, kwonlyargcount */
  memcpy(args + 4, f + 3, 5 * sizeof *f);   /* stacksize, flags, code, consts, names */
  memcpy(args + 10, f + 10, 6 * sizeof *f); /* filename .. exceptiontable */
  if (!names_of(r, names, kinds, FAST_LOCAL, &args[9]) ||
      !names_of(r, names, kinds, FAST_FREE, &args[16]) ||
      !names_of(r, names, kinds, FAST_CELL, &args[17]))
    return false;
  args[3] = value_of(PKS_CV_INT, (int64_t)args[9].count);
  return true;
}

/* Up to 3.10: freevars and cellvars come earlier than in the constructor. */
static void arrange(const pks_code_value *f, size_t fields, pks_code_value *args) {
  size_t head = fields - 6; /* .. varnames */
  memcpy(args, f, head * sizeof *f);
  memcpy(args + head, f + head + 2, 4 * sizeof *f); /* filename, name, firstlineno, lnotab */
  memcpy(args + head + 4, f + head, 2 * sizeof *f); /* freevars, cellvars */
}

static bool close_code(reader *r, const frame *fr, pks_code_value *out) {
  pks_code_marshal *m = r->m;
  const pks_code_value *fields = &PKS_VEC_AT(&m->stack, pks_code_value, fr->first);
  size_t count = m->stack.count - fr->first;
  pks_code_marshalled *code = pks_base_vec_push(r->mem, &m->codes, sizeof *code);
  if (!code) return refused(r);
  code->offset = fr->offset;
  code->argc = (size_t)r->shape;
  r->start = fr->offset;
  if (r->shape == PKS_SHAPE_18) {
    if (!arrange_18(r, fields, code->args)) return false;
  } else {
    arrange(fields, count, code->args);
  }
  size_t bytecode = r->shape == PKS_SHAPE_14 ? 4 : r->shape == PKS_SHAPE_15 ? 5 : 6;
  if (code->args[bytecode].kind != PKS_CV_BYTES || code->args[bytecode + 1].kind != PKS_CV_TUPLE ||
      code->args[bytecode + 2].kind != PKS_CV_TUPLE)
    return bad(r, "a field of a code object is of the wrong kind");
  m->shape = r->shape;
  *out = value_of(PKS_CV_CODE, (int64_t)m->codes.count - 1);
  return true;
}

/* ---- containers ----------------------------------------------------------------------------------------------------- */

static bool open_frame(reader *r, pks_code_kind becomes, uint64_t items, bool reference) {
  pks_code_marshal *m = r->m;
  size_t ref;
  if (m->frames.count + 1 >= PKS_MARSHAL_DEPTH)
    return fail(r, PKS_E_LIMIT_DEPTH, "objects are nested deeper than CPython reads");
  if (!reserve(r, reference, &ref)) return false;
  frame *f = pks_base_vec_push(r->mem, &m->frames, sizeof *f);
  if (!f) return refused(r);
  f->offset = r->start;
  f->left = items;
  f->first = m->stack.count;
  f->ref = ref;
  f->fields = becomes == PKS_CV_CODE ? layout(r->shape) : NULL;
  f->becomes = (uint8_t)becomes;
  f->pairs = false;
  return true;
}

/* Mutable containers can be referred to while they are still open. */
static bool open_mutable(reader *r, uint64_t items, bool pairs, bool reference) {
  if (!open_frame(r, PKS_CV_OTHER, items, reference)) return false;
  frame *f = &PKS_VEC_AT(&r->m->frames, frame, r->m->frames.count - 1);
  pks_code_value value = value_of(PKS_CV_OTHER, 0);
  f->pairs = pairs;
  fill(r, f->ref, &value);
  return true;
}

static bool close_frame(reader *r, pks_code_value *out) {
  pks_code_marshal *m = r->m;
  frame f = PKS_VEC_AT(&m->frames, frame, --m->frames.count);
  size_t count = m->stack.count - f.first;
  *out = value_of((pks_code_kind)f.becomes, 0);
  if (f.becomes == PKS_CV_CODE) {
    if (!close_code(r, &f, out)) return false;
  } else if (f.becomes != PKS_CV_OTHER) {
    pks_code_value *items = keep(r, count * sizeof *items);
    if (!items) return refused(r);
    if (count)
      memcpy(items, &PKS_VEC_AT(&m->stack, pks_code_value, f.first), count * sizeof *items);
    out->items = items;
    out->count = count;
  }
  m->stack.count = f.first;
  fill(r, f.ref, out);
  return true;
}

/* Does the top container have all it needs? Reads the numbers that come next in a code object. */
static bool complete(reader *r, bool *is) {
  frame *f = &PKS_VEC_AT(&r->m->frames, frame, r->m->frames.count - 1);
  *is = false;
  if (!f->fields) {
    *is = !f->pairs && f->left == 0;
    return true;
  }
  while (*f->fields == 'l') {
    uint32_t n;
    if (!take_u32(r, &n)) return false;
    pks_code_value *slot = pks_base_vec_push(r->mem, &r->m->stack, sizeof *slot);
    if (!slot) return refused(r);
    *slot = value_of(PKS_CV_INT, signed32(n));
    f->fields++;
  }
  *is = *f->fields == 0;
  return true;
}

/* Gives a finished object to the container it is in, and closes what is complete by that. */
static bool deliver(reader *r, pks_code_value value) {
  pks_code_marshal *m = r->m;
  for (;;) {
    if (m->frames.count == 0) {
      m->root = value;
      r->done = true;
      return true;
    }
    frame *f = &PKS_VEC_AT(&m->frames, frame, m->frames.count - 1);
    if (f->becomes != PKS_CV_OTHER) {
      pks_code_value *slot = pks_base_vec_push(r->mem, &m->stack, sizeof *slot);
      if (!slot) return refused(r);
      *slot = value;
    }
    if (f->fields)
      f->fields++;
    else if (!f->pairs)
      f->left--;
    bool is;
    if (!complete(r, &is)) return false;
    if (!is) return true;
    if (!close_frame(r, &value)) return false;
  }
}

/* After a container was opened: it may be empty, and a code object starts with numbers. */
static bool opened(reader *r) {
  bool is;
  pks_code_value value;
  if (!complete(r, &is)) return false;
  if (!is) return true;
  return close_frame(r, &value) && deliver(r, value);
}

static bool null_object(reader *r) {
  pks_code_value value;
  size_t n = r->m->frames.count;
  if (n == 0 || !PKS_VEC_AT(&r->m->frames, frame, n - 1).pairs)
    return bad(r, "a NULL stands where an object belongs");
  return close_frame(r, &value) && deliver(r, value);
}

/* ---- one object ---------------------------------------------------------------------------------------------------------- */

static bool plain(reader *r, unsigned type, bool reference) {
  pks_code_value value = value_of(PKS_CV_FLOAT, 0);
  size_t ref;
  uint32_t n;
  bool ok = true;
  if (!reserve(r, reference || (type == 't' && r->shape == PKS_SHAPE_14), &ref)) return false;
  switch (type) {
    case 'i':
      ok = take_u32(r, &n);
      if (ok) value = value_of(PKS_CV_INT, signed32(n));
      break;
    case 'I': ok = take_int64(r, &value); break;
    case 'l': ok = take_long(r, &value); break;
    case 'f': ok = skip_floats(r, 1, true); break;
    case 'g': ok = skip_floats(r, 1, false); break;
    case 'x':
    case 'y':
      ok = skip_floats(r, 2, type == 'x');
      value.kind = PKS_CV_OTHER;
      break;
    default: ok = take_text(r, type, &value);
  }
  if (!ok) return false;
  fill(r, ref, &value);
  return deliver(r, value);
}

static bool container(reader *r, unsigned type, bool reference) {
  uint32_t n = 0;
  bool sized = type != '{' && type != '}' && type != 'c' && type != ':';
  if (sized && !take_size(r, type == ')', &n)) return false;
  bool ok;
  switch (type) {
    case '(':
    case ')': ok = open_frame(r, PKS_CV_TUPLE, n, reference); break;
    case '>': ok = open_frame(r, PKS_CV_FROZENSET, n, reference); break;
    case 'c': ok = open_frame(r, PKS_CV_CODE, 0, reference); break;
    case ':': ok = open_frame(r, PKS_CV_OTHER, 3, reference); break;
    default: ok = open_mutable(r, n, !sized, reference);
  }
  return ok && opened(r);
}

static bool reference_to(reader *r) {
  pks_code_value value;
  return take_reference(r, &value) && deliver(r, value);
}

static bool object(reader *r) {
  uint32_t byte;
  r->start = r->at;
  if (!take_byte(r, &byte)) return false;
  bool reference = (byte & FLAG_REF) && r->shape != PKS_SHAPE_14;
  unsigned type = reference ? byte & ~FLAG_REF : byte;
  switch (type) {
    case '0': return null_object(r);
    case 'N': return deliver(r, value_of(PKS_CV_NONE, 0));
    case 'F': return deliver(r, value_of(PKS_CV_BOOL, 0));
    case 'T': return deliver(r, value_of(PKS_CV_BOOL, 1));
    case 'S':
    case '.': return deliver(r, value_of(PKS_CV_OTHER, 0));
    case 'i':
    case 'I':
    case 'l':
    case 'f':
    case 'g':
    case 'x':
    case 'y':
    case 's':
    case 't':
    case 'u': return plain(r, type, reference);
    case 'a':
    case 'A':
    case 'z':
    case 'Z':
      return r->shape == PKS_SHAPE_14 ? bad(r, "an unknown type code") : plain(r, type, reference);
    case '(':
    case ')':
    case '[':
    case '{':
    case '}':
    case '<':
    case '>':
    case ':':
    case 'c': return container(r, type, reference);
    case 'r': return r->shape == PKS_SHAPE_14 ? bad(r, "an unknown type code") : reference_to(r);
    case 'R': return r->shape != PKS_SHAPE_14 ? bad(r, "an unknown type code") : reference_to(r);
    case 'C': return fail(r, PKS_E_FORMAT, "a code object as GraalPy writes it");
    default: return bad(r, "an unknown type code");
  }
}

pks_status pks_code_marshal_read(pks_code_marshal *m, pks_mem *mem, pks_span data,
                                 pks_code_shape shape) {
  reader r = {.m = m, .mem = mem, .data = data.data, .size = data.size, .shape = shape};
  m->codes.count = m->stack.count = m->frames.count = m->refs.count = 0;
  m->block_index = m->block_used = 0;
  m->root = value_of(PKS_CV_UNKNOWN, 0);
  m->shape = PKS_SHAPE_NONE;
  m->status = PKS_OK;
  m->offset = 0;
  m->text = pks_status_text(PKS_OK);
  if (!*layout(shape)) fail(&r, PKS_E_FORMAT, "not marshal as CPython and PyPy write it");
  while (!m->status && !r.done && object(&r)) continue;
  m->consumed = r.at;
  return m->status;
}

pks_status pks_code_marshal_any(pks_code_marshal *m, pks_mem *mem, pks_span data) {
  static const pks_code_shape shapes[] = {PKS_SHAPE_18, PKS_SHAPE_16, PKS_SHAPE_15, PKS_SHAPE_14};
  pks_code_shape best = PKS_SHAPE_18;
  uint64_t farthest = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    pks_status status = pks_code_marshal_read(m, mem, data, shapes[i]);
    if (pks_status_classify(status) == PKS_CLASS_SYSTEM || status == PKS_E_LIMIT_MEMORY)
      return status;
    if (!status && m->consumed == data.size) return status;
    /* Read, with something behind it: better than any error. */
    uint64_t reached = status ? m->offset + 1 : UINT64_MAX;
    if (reached <= farthest) continue;
    farthest = reached;
    best = shapes[i];
  }
  return pks_code_marshal_read(m, mem, data, best);
}
