#include "base/json_in.h"

#include <string.h>

#include "base/utf8.h"

/* What comes next. */
enum { VALUE = 0, FIRST_KEY, FIRST_ITEM, AFTER, DONE, BROKEN };

typedef struct open_one {
  size_t keys; /* where its keys begin */
  bool object;
} open_one;

typedef struct one_key {
  pks_span text;
  size_t offset;
} one_key;

static pks_json_event fail(pks_json_in *json, size_t offset, const char *why) {
  json->state = BROKEN;
  json->status = json->malformed;
  json->offset = offset;
  json->why = why;
  return PKS_JSON_FAILED;
}

static pks_json_event fail_memory(pks_json_in *json, size_t offset) {
  fail(json, offset, pks_status_text(json->mem->status));
  json->status = json->mem->status;
  return PKS_JSON_FAILED;
}

/* The byte at pos; 0 (which is none of JSON's) at the end. */
static uint8_t peek(const pks_json_in *json) {
  return json->pos < json->size ? json->data[json->pos] : 0;
}

static void skip_space(pks_json_in *json) {
  while (json->pos < json->size) {
    uint8_t c = json->data[json->pos];
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return;
    json->pos++;
  }
}

/* Something else was expected at pos. */
static pks_json_event fail_here(pks_json_in *json, const char *why) {
  return fail(json, json->pos, json->pos < json->size ? why : "the text ends too early");
}

/* ---- texts ------------------------------------------------------------------------------------ */

static int hex_digit(uint8_t c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* The four digits at `at`, or -1. */
static int hex4(const pks_json_in *json, size_t at) {
  int value = 0;
  if (json->size - at < 4) return -1;
  for (size_t i = 0; i < 4; i++) {
    int digit = hex_digit(json->data[at + i]);
    if (digit < 0) return -1;
    value = value << 4 | digit;
  }
  return value;
}

/* Checks the text that begins at pos, after its quote, and moves pos past its closing quote. *plain:
 * no escape in it. */
static bool scan_text(pks_json_in *json, bool *plain) {
  pks_utf8 utf8 = {0};
  *plain = true;
  while (json->pos < json->size) {
    uint8_t c = json->data[json->pos];
    if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\' && utf8.left == 0) {
      json->pos++;
      continue;
    }
    if (utf8.left == 0 && c == '"') {
      json->pos++;
      return true;
    }
    if (utf8.left == 0 && c < 0x20) {
      fail(json, json->pos, "a control character in a text");
      return false;
    }
    if (utf8.left == 0 && c == '\\') {
      *plain = false;
      json->pos += 2; /* an escaped quote is not the end; decode checks the rest */
      continue;
    }
    if (c >= 0x80 || utf8.left) pks_base_utf8_feed(&utf8, &c, 1, false);
    if (utf8.bad) {
      fail(json, json->pos, "a text that is not UTF-8");
      return false;
    }
    json->pos++;
  }
  fail(json, json->size, "the text ends too early");
  return false;
}

static size_t put_utf8(uint8_t *out, uint32_t c) {
  size_t more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const uint8_t lead[4] = {0, 0xc0, 0xe0, 0xf0};
  out[0] = (uint8_t)(lead[more] | c >> 6 * more);
  for (size_t i = 1; i <= more; i++) out[i] = (uint8_t)(0x80 | (c >> 6 * (more - i) & 0x3f));
  return more + 1;
}

/* The \u escape whose digits begin at *at, surrogate pairs put together; moves *at. UINT32_MAX: failed. */
static uint32_t unicode_escape(pks_json_in *json, size_t *at) {
  int high = hex4(json, *at), low;
  if (high < 0) {
    fail(json, *at - 2, "\\u without four hexadecimal digits");
    return UINT32_MAX;
  }
  *at += 4;
  if (high < 0xd800 || high > 0xdfff) return (uint32_t)high;
  if (high < 0xdc00 && json->size - *at >= 6 && json->data[*at] == '\\' &&
      json->data[*at + 1] == 'u') {
    low = hex4(json, *at + 2);
    if (low >= 0xdc00 && low <= 0xdfff) {
      *at += 6;
      return 0x10000 + ((uint32_t)(high - 0xd800) << 10 | (uint32_t)(low - 0xdc00));
    }
  }
  if (json->flags & PKS_JSON_SURROGATES) return (uint32_t)high;
  fail(json, *at - 6, "half of a surrogate pair");
  return UINT32_MAX;
}

/* Decodes data[from .. to), which holds escapes, into a copy. */
static bool decode_text(pks_json_in *json, size_t from, size_t to) {
  static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  uint8_t *copy = pks_base_arena_take(json->mem, &json->texts, to - from);
  size_t size = 0;
  if (!copy) {
    fail_memory(json, from);
    return false;
  }
  while (from < to) {
    uint8_t c = json->data[from++];
    if (c != '\\') {
      copy[size++] = c;
      continue;
    }
    c = json->data[from++];
    const char *known = c ? strchr(escapes, c) : NULL;
    if (c == 'u') {
      uint32_t value = unicode_escape(json, &from);
      if (value == UINT32_MAX) return false;
      size += put_utf8(copy + size, value);
    } else if (known) {
      copy[size++] = (uint8_t)meant[known - escapes];
    } else {
      fail(json, from - 2, "an escape that JSON does not have");
      return false;
    }
  }
  json->text.data = copy;
  json->text.size = size;
  return true;
}

/* The text whose quote is at pos. */
static bool read_text(pks_json_in *json) {
  size_t from = ++json->pos;
  bool plain;
  if (!scan_text(json, &plain)) return false;
  if (!plain) return decode_text(json, from, json->pos - 1);
  json->text.data = json->data + from;
  json->text.size = json->pos - 1 - from;
  return true;
}

/* ---- numbers ----------------------------------------------------------------------------------- */

static bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

/* One digit or more; their value goes on in *value, downwards, so that INT64_MIN fits. */
static bool read_digits(pks_json_in *json, int64_t *value, bool *overflow) {
  if (!is_digit(peek(json))) {
    fail_here(json, "a digit is missing");
    return false;
  }
  for (; is_digit(peek(json)); json->pos++) {
    int digit = peek(json) - '0';
    if (*value < (INT64_MIN + digit) / 10)
      *overflow = true;
    else
      *value = *value * 10 - digit;
  }
  return true;
}

static pks_json_event read_number(pks_json_in *json) {
  int64_t value = 0, unused = 0;
  bool overflow = false, ignored = false, real = false, negative = peek(json) == '-';
  if (negative) json->pos++;
  bool zero = peek(json) == '0';
  size_t first = json->pos;
  if (!read_digits(json, &value, &overflow)) return PKS_JSON_FAILED;
  if (zero && json->pos > first + 1) return fail(json, first, "a number that begins with 0");
  if (peek(json) == '.') {
    real = true;
    json->pos++;
    if (!read_digits(json, &unused, &ignored)) return PKS_JSON_FAILED;
  }
  if (peek(json) == 'e' || peek(json) == 'E') {
    real = true;
    json->pos++;
    if (peek(json) == '+' || peek(json) == '-') json->pos++;
    if (!read_digits(json, &unused, &ignored)) return PKS_JSON_FAILED;
  }
  json->text.data = json->data + json->offset;
  json->text.size = json->pos - json->offset;
  if (real && !(json->flags & PKS_JSON_REALS))
    return fail(json, json->offset, "a number that is no integer");
  if (real) return PKS_JSON_REAL;
  if (overflow || (!negative && value == INT64_MIN))
    return fail(json, json->offset, "an integer that needs more than 64 bits");
  json->integer = negative ? value : -value;
  return PKS_JSON_INTEGER;
}

/* ---- keys that occur twice ------------------------------------------------------------------------- */

static int key_order(const one_key *a, const one_key *b) {
  size_t least = a->text.size < b->text.size ? a->text.size : b->text.size;
  int order = least ? memcmp(a->text.data, b->text.data, least) : 0;
  return order != 0 ? order : (a->text.size > b->text.size) - (a->text.size < b->text.size);
}

static bool key_less(const one_key *a, const one_key *b) {
  int order = key_order(a, b);
  return order != 0 ? order < 0 : a->offset < b->offset;
}

static void sift(one_key *key, size_t root, size_t count) {
  one_key moved = key[root];
  for (size_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && key_less(&key[child], &key[child + 1])) child++;
    if (!key_less(&moved, &key[child])) break;
    key[root] = key[child];
  }
  key[root] = moved;
}

/* Offset of a second key of the same text, or SIZE_MAX. Sorts (heap sort: no input is slow). */
static size_t find_twin(one_key *key, size_t count) {
  size_t sorted = 1; /* canonical documents are */
  while (sorted < count && key_order(&key[sorted - 1], &key[sorted]) < 0) sorted++;
  if (sorted == count) return SIZE_MAX;
  for (size_t i = count / 2; i-- > 0;) sift(key, i, count);
  for (size_t end = count; end > 1;) {
    one_key last = key[--end];
    key[end] = key[0];
    key[0] = last;
    sift(key, 0, end);
  }
  for (size_t i = 1; i < count; i++) {
    const pks_span *a = &key[i - 1].text, *b = &key[i].text;
    if (a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0))
      return key[i].offset;
  }
  return SIZE_MAX;
}

/* ---- structure --------------------------------------------------------------------------------- */

static pks_json_event open_value(pks_json_in *json, bool object) {
  if (json->open.count >= json->max_depth) return fail(json, json->offset, "nested too deeply");
  open_one *one = pks_base_vec_push(json->mem, &json->open, sizeof *one);
  if (!one) return fail_memory(json, json->offset);
  one->keys = json->keys.count;
  one->object = object;
  json->pos++;
  json->state = object ? FIRST_KEY : FIRST_ITEM;
  return object ? PKS_JSON_OBJECT : PKS_JSON_ARRAY;
}

static pks_json_event close_value(pks_json_in *json) {
  open_one one = PKS_VEC_AT(&json->open, open_one, --json->open.count);
  if (one.object && json->keys.count > one.keys + 1) {
    size_t twin =
        find_twin(&PKS_VEC_AT(&json->keys, one_key, one.keys), json->keys.count - one.keys);
    if (twin != SIZE_MAX) return fail(json, twin, "a key that occurs twice");
  }
  json->keys.count = one.keys;
  json->pos++;
  json->state = AFTER;
  return one.object ? PKS_JSON_OBJECT_END : PKS_JSON_ARRAY_END;
}

static pks_json_event read_key(pks_json_in *json) {
  if (peek(json) != '"') return fail_here(json, "a key is missing");
  if (!read_text(json)) return PKS_JSON_FAILED;
  one_key *key = pks_base_vec_push(json->mem, &json->keys, sizeof *key);
  if (!key) return fail_memory(json, json->offset);
  key->text = json->text;
  key->offset = json->offset;
  skip_space(json);
  if (peek(json) != ':') return fail_here(json, "a colon is missing");
  json->pos++;
  json->state = VALUE;
  return PKS_JSON_KEY;
}

static pks_json_event read_word(pks_json_in *json, const char *word, pks_json_event event) {
  size_t size = strlen(word);
  if (json->size - json->pos < size || memcmp(json->data + json->pos, word, size) != 0)
    return fail(json, json->pos, "not a value of JSON");
  json->pos += size;
  return event;
}

static pks_json_event read_value(pks_json_in *json) {
  uint8_t c = peek(json);
  if (c == '{' || c == '[') return open_value(json, c == '{');
  json->state = AFTER;
  if (c == '"') return read_text(json) ? PKS_JSON_TEXT : PKS_JSON_FAILED;
  if (c == '-' || is_digit(c)) return read_number(json);
  if (c == 't') return read_word(json, "true", PKS_JSON_TRUE);
  if (c == 'f') return read_word(json, "false", PKS_JSON_FALSE);
  if (c == 'n') return read_word(json, "null", PKS_JSON_NULL);
  return fail_here(json, "not a value of JSON");
}

/* After a value: a comma, the end of what is open, or the end of the text. */
static pks_json_event read_after(pks_json_in *json) {
  if (json->open.count == 0) {
    if (json->pos < json->size) return fail(json, json->pos, "something after the value");
    json->state = DONE;
    return PKS_JSON_END;
  }
  bool object = PKS_VEC_AT(&json->open, open_one, json->open.count - 1).object;
  if (peek(json) == (object ? '}' : ']')) return close_value(json);
  if (peek(json) != ',') return fail_here(json, "a comma is missing");
  json->pos++;
  skip_space(json);
  json->offset = json->pos;
  return object ? read_key(json) : read_value(json);
}

pks_json_event pks_base_json_in_next(pks_json_in *json) {
  if (json->state == DONE) return PKS_JSON_END;
  if (json->state == BROKEN) return PKS_JSON_FAILED;
  skip_space(json);
  json->offset = json->pos;
  switch (json->state) {
    case FIRST_KEY: return peek(json) == '}' ? close_value(json) : read_key(json);
    case FIRST_ITEM: return peek(json) == ']' ? close_value(json) : read_value(json);
    case AFTER: return read_after(json);
    default: return read_value(json);
  }
}

void pks_base_json_in_close(pks_json_in *json) {
  pks_base_arena_free(json->mem, &json->texts);
  pks_base_vec_free(json->mem, &json->open, sizeof(open_one));
  pks_base_vec_free(json->mem, &json->keys, sizeof(one_key));
}
