/* facts/listing.c - instructions with what their arguments mean; constants as ascii() writes them. */
#include "facts/listing.h"

#include "base/settings.h"
#include "base/utf8.h"

#define SHOWN 240   /* bytes of a constant that are shown */
#define MAX_DEPTH 4 /* tuples within tuples */

struct pks_listing {
  pks_mem mem; /* first: pks_base_object_new */
  pks_code_list list;
  pks_code_marshal marshal; /* read again for code that marshal wrote */
  const pks_inspector *f;
  const uint8_t *stream; /* that marshal holds, of payload `serial` of f */
  uint64_t serial;
  bool started;
  const pks_code_record *record;
  size_t used;
  char text[SHOWN + 16];
};

pks_listing *pks_facts_listing_new(const pks_limits *limits, const pks_alloc *alloc) {
  pks_limits all;
  if (pks_base_limits(&all, limits) != PKS_OK) return NULL;
  return pks_base_object_new(alloc, all.max_memory, sizeof(pks_listing));
}

void pks_facts_listing_free(pks_listing *listing) {
  if (!listing) return;
  pks_code_list_free(&listing->list, &listing->mem);
  pks_code_marshal_free(&listing->marshal, &listing->mem);
  pks_base_object_free(listing, sizeof *listing);
}

/* ---- start ------------------------------------------------------------------------------------------------ */

/* The code objects of one stream are mostly asked for in their order: then it is read once. */
static pks_status read_stream(pks_listing *l, const pks_inspector *f,
                              const pks_code_record *record) {
  static const pks_code_shape shapes[] = {PKS_SHAPE_14, PKS_SHAPE_15, PKS_SHAPE_16, PKS_SHAPE_18};
  if (l->f == f && l->serial == f->serial && l->stream == record->stream.data && record->ordinal)
    return PKS_OK;
  l->stream = NULL;
  l->mem.status = PKS_OK;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    if ((int)shapes[i] != record->arguments) continue;
    pks_status status = pks_code_marshal_read(&l->marshal, &l->mem, record->stream, shapes[i]);
    if (status == PKS_E_LIMIT_MEMORY || status == PKS_E_NO_MEMORY) return status;
    l->stream = record->stream.data;
  }
  return PKS_OK;
}

pks_status pks_facts_listing_start(pks_listing *l, const pks_inspector *f, size_t code,
                                   uint16_t magic) {
  int version = pks_code_version_of_magic(magic);
  l->started = false;
  if (code >= f->codes.count) return PKS_E_USAGE;
  const pks_code_record *record = &PKS_VEC_AT(&f->codes, pks_code_record, code);
  const pks_code_value *args = record->args;
  if (record->stream.data) {
    pks_status status = read_stream(l, f, record);
    if (status) return status;
    if (l->stream && record->ordinal < l->marshal.codes.count)
      args = PKS_VEC_AT(&l->marshal.codes, pks_code_marshalled, record->ordinal).args;
  } else if (!args && f->options.listings == 0) {
    return PKS_E_USAGE;
  }
  l->f = f;
  l->serial = f->serial;
  if (version < 0) return PKS_E_PYTHON;
  if (!args) return PKS_E_CODE;
  l->mem.status = PKS_OK;
  l->record = record;
  pks_status status = pks_code_list_start(&l->list, &l->mem, args, (size_t)record->arguments,
                                          record->flags, (unsigned)version);
  l->started = status == PKS_OK;
  return status;
}

/* ---- constants ---------------------------------------------------------------------------------------------- */

static void put(pks_listing *l, const char *text) {
  for (; *text && l->used < SHOWN; text++) l->text[l->used++] = *text;
}

static void put_int(pks_listing *l, int64_t number) {
  char digits[24];
  size_t at = sizeof digits - 1;
  uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  digits[at] = 0;
  do digits[--at] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (number < 0) digits[--at] = '-';
  put(l, digits + at);
  /* the code room saturates */
  if (number == INT64_MAX || number == INT64_MIN) put(l, "...");
}

static void put_hex(pks_listing *l, char letter, uint32_t value, unsigned digits) {
  char text[12] = {'\\', letter};
  for (unsigned i = 0; i < digits; i++)
    text[2 + i] = "0123456789abcdef"[value >> 4 * (digits - 1 - i) & 15];
  put(l, text);
}

static void put_character(pks_listing *l, uint32_t c) {
  char text[3] = {(char)c, 0, 0};
  if (c == '\\' || c == '\'') {
    text[0] = '\\';
    text[1] = (char)c;
  } else if (c == '\n' || c == '\t' || c == '\r') {
    text[0] = '\\';
    text[1] = c == '\n' ? 'n' : c == '\t' ? 't' : 'r';
  } else if (c >= 0x10000) {
    put_hex(l, 'U', c, 8);
    return;
  } else if (c >= 0x100) {
    put_hex(l, 'u', c, 4);
    return;
  } else if (c < 0x20 || c >= 0x7f) {
    put_hex(l, 'x', c, 2);
    return;
  }
  put(l, text);
}

/* A text is UTF-8 with surrogatepass, checked when it was read. */
static void put_quoted(pks_listing *l, pks_span text, bool bytes) {
  put(l, bytes ? "b'" : "'");
  for (size_t i = 0; i < text.size && l->used < SHOWN;) {
    uint32_t c = text.data[i++];
    unsigned more = bytes || c < 0xc0 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    if (more) c &= 0x3fu >> more;
    for (; more && i < text.size; more--) c = c << 6 | (text.data[i++] & 0x3fu);
    put_character(l, c);
  }
  put(l, "'");
}

static void put_text(pks_listing *l, const pks_code_value *value) {
  if (value->text.data || value->text.size == 0)
    put_quoted(l, value->text, value->kind == PKS_CV_BYTES);
  else
    put(l, "<not kept>");
}

/* Code among the constants: its name, which an inspector's record has as the others. */
static void put_code(pks_listing *l, const pks_code_value *value) {
  uint64_t index = (uint64_t)value->number;
  size_t first = (size_t)(l->record - &PKS_VEC_AT(&l->f->codes, pks_code_record, 0));
  if (l->record->stream.data) index += first - l->record->ordinal;
  put(l, "<code ");
  if (value->number >= 0 && index < l->f->codes.count) {
    pks_span name = PKS_VEC_AT(&l->f->codes, pks_code_record, index).name;
    for (size_t i = 0; i < name.size && l->used < SHOWN; i++) put_character(l, name.data[i]);
  }
  put(l, ">");
}

static void put_plain(pks_listing *l, const pks_code_value *value) {
  switch (value->kind) {
    case PKS_CV_NONE: put(l, "None"); break;
    case PKS_CV_BOOL: put(l, value->number ? "True" : "False"); break;
    case PKS_CV_INT: put_int(l, value->number); break;
    case PKS_CV_FLOAT: put(l, "<float>"); break;
    case PKS_CV_STR:
    case PKS_CV_BYTES: put_text(l, value); break;
    case PKS_CV_FROZENSET: put(l, "<frozenset>"); break;
    case PKS_CV_CODE: put_code(l, value); break;
    case PKS_CV_UNKNOWN: put(l, "<only a run could tell>"); break;
    case PKS_CV_OTHER: put(l, "<other>"); break;
    case PKS_CV_TUPLE: put(l, "(...)"); break;
  }
}

static void put_value(pks_listing *l, const pks_code_value *value) {
  struct {
    const pks_code_value *at;
    size_t left, count;
  } stack[MAX_DEPTH + 1] = {{value, 1, 0}};
  unsigned depth = 0;
  while (l->used < SHOWN) {
    if (stack[depth].left == 0) {
      if (depth == 0) return;
      put(l, stack[depth].count == 1 ? ",)" : ")");
      depth--;
      if (stack[depth].left && depth) put(l, ", ");
      continue;
    }
    const pks_code_value *next = stack[depth].at++;
    stack[depth].left--;
    if (next->kind == PKS_CV_TUPLE && depth < MAX_DEPTH && (next->items || next->count == 0)) {
      put(l, "(");
      depth++;
      stack[depth].at = next->items;
      stack[depth].left = stack[depth].count = next->count;
      continue;
    }
    put_plain(l, next);
    if (stack[depth].left && depth) put(l, ", ");
  }
}

static pks_span constant(pks_listing *l, const pks_code_value *value) {
  l->used = 0;
  put_value(l, value);
  if (l->used >= SHOWN) {
    memcpy(l->text + SHOWN, "...", 3);
    l->used = SHOWN + 3;
  }
  return (pks_span){(const uint8_t *)l->text, l->used};
}

/* ---- instructions -------------------------------------------------------------------------------------------- */

bool pks_facts_listing_next(pks_listing *l, pks_instruction *out) {
  pks_code_line line;
  if (!l->started || !pks_code_list_next(&l->list, &line)) return false;
  *out = (pks_instruction){.offset = line.offset,
                           .name = line.name,
                           .number = line.number,
                           .labelled = line.labelled,
                           .arg = line.arg,
                           .operand = line.operand,
                           .text = line.text,
                           .text2 = line.text2,
                           .target = line.target == SIZE_MAX ? UINT64_MAX : line.target};
  if (line.operand == PKS_OPERAND_CONST && line.value) out->text = constant(l, line.value);
  return true;
}
