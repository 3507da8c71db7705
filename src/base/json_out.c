#include "base/json_out.h"

#include <string.h>

#include "base/utf8.h"

void pks_base_json_init(pks_json *json, pks_write_fn write, void *user, unsigned pretty) {
  memset(json, 0, sizeof *json);
  json->write = write;
  json->user = user;
  json->pretty = pretty;
}

bool pks_base_json_flush(pks_json *json) {
  if (json->used && !json->failed && json->write(json->user, json->buffer, json->used) != 0)
    json->failed = true;
  json->used = 0;
  return !json->failed;
}

static void put(pks_json *json, const char *data, size_t size) {
  while (size) {
    size_t room = sizeof json->buffer - json->used;
    size_t part = size < room ? size : room;
    memcpy(json->buffer + json->used, data, part);
    json->used += part;
    data += part;
    size -= part;
    if (json->used == sizeof json->buffer) pks_base_json_flush(json);
  }
}

static void put_char(pks_json *json, char c) { put(json, &c, 1); }

/* ---- where things go --------------------------------------------------------------------------- */

static void break_line(pks_json *json) {
  put_char(json, '\n');
  for (unsigned i = 0; i < json->depth; i++) put(json, "  ", 2);
}

/* Before an item: the comma after the one before, and the line break or space. */
static void before_item(pks_json *json) {
  if (json->depth == 0) return;
  uint64_t bit = 1ull << (json->depth - 1);
  bool first = !(json->items & bit);
  if (!first) put_char(json, ',');
  if (json->depth <= json->pretty)
    break_line(json);
  else if (!first)
    put_char(json, ' ');
  json->items |= bit;
}

/* Before a value: nothing after a key, else as for an item. */
static void before_value(pks_json *json) {
  if (json->keyed)
    json->keyed = false;
  else
    before_item(json);
}

void pks_base_json_open(pks_json *json, char bracket) {
  before_value(json);
  put_char(json, bracket);
  if (json->depth == PKS_JSON_DEPTH) {
    json->failed = true;
    return;
  }
  uint64_t bit = 1ull << json->depth++;
  json->items &= ~bit;
  json->objects = bracket == '{' ? json->objects | bit : json->objects & ~bit;
}

void pks_base_json_close(pks_json *json) {
  if (json->depth == 0) return;
  uint64_t bit = 1ull << --json->depth;
  if (json->items & bit && json->depth < json->pretty) break_line(json);
  put_char(json, json->objects & bit ? '}' : ']');
}

void pks_base_json_key(pks_json *json, const char *key) {
  before_item(json);
  put_char(json, '"');
  put(json, key, strlen(key));
  put(json, "\": ", 3);
  json->keyed = true;
}

void pks_base_json_line(pks_json *json) { put_char(json, '\n'); }

/* ---- values ------------------------------------------------------------------------------------ */

void pks_base_json_raw(pks_json *json, const char *text, size_t size) {
  before_value(json);
  put(json, text, size);
}

void pks_base_json_null(pks_json *json) { pks_base_json_raw(json, "null", 4); }

void pks_base_json_bool(pks_json *json, bool value) {
  pks_base_json_raw(json, value ? "true" : "false", value ? 4 : 5);
}

#define EXACT (1ull << 53)

static void put_number(pks_json *json, uint64_t value, bool negative) {
  char digits[24];
  size_t at = sizeof digits;
  bool quoted = value > EXACT;
  if (quoted) digits[--at] = '"';
  uint64_t left = value;
  do {
    digits[--at] = (char)('0' + left % 10);
    left /= 10;
  } while (left);
  if (negative) digits[--at] = '-';
  if (quoted) digits[--at] = '"';
  pks_base_json_raw(json, digits + at, sizeof digits - at);
}

void pks_base_json_int(pks_json *json, int64_t value) {
  put_number(json, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0);
}

void pks_base_json_uint(pks_json *json, uint64_t value) { put_number(json, value, false); }

/* ---- texts ------------------------------------------------------------------------------------- */

static uint32_t take_char(const uint8_t *data, size_t size, bool surrogates, size_t *used,
                          bool *escaped) {
  static const uint8_t payload[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint8_t lead = data[0];
  size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  *escaped = length > size || !pks_base_utf8_valid(data, length, surrogates);
  *used = 1;
  if (*escaped) return 0xdc00u + lead;
  uint32_t c = lead & payload[length];
  for (size_t i = 1; i < length; i++) c = c << 6 | (data[i] & 0x3fu);
  *used = length;
  return c;
}

uint32_t pks_base_json_char(const uint8_t *data, size_t size, size_t *used, bool *escaped) {
  return take_char(data, size, true, used, escaped);
}

static void put_unit(pks_json *json, uint32_t unit) {
  static const char hex[] = "0123456789abcdef";
  char escape[6] = {
      '\\', 'u', hex[unit >> 12 & 15], hex[unit >> 8 & 15], hex[unit >> 4 & 15], hex[unit & 15]};
  put(json, escape, sizeof escape);
}

static void put_escaped(pks_json *json, uint32_t c) {
  static const char named[][2] = {{'"', '"'},  {'\\', '\\'}, {'\n', 'n'}, {'\r', 'r'},
                                  {'\t', 't'}, {'\b', 'b'},  {'\f', 'f'}};
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    if (c != (uint32_t)named[i][0]) continue;
    put_char(json, '\\');
    put_char(json, named[i][1]);
    return;
  }
  if (c > 0xffff) {
    put_unit(json, 0xd7c0 + (c >> 10));
    put_unit(json, 0xdc00 + (c & 0x3ff));
  } else {
    put_unit(json, c);
  }
}

static bool is_plain(uint8_t c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

void pks_base_json_begin(pks_json *json) {
  before_value(json);
  put_char(json, '"');
}

static void put_text(pks_json *json, pks_span text, bool surrogates) {
  size_t i = 0;
  while (i < text.size) {
    size_t start = i, used;
    bool escaped;
    while (i < text.size && is_plain(text.data[i])) i++;
    put(json, (const char *)text.data + start, i - start);
    if (i == text.size) return;
    put_escaped(json, take_char(text.data + i, text.size - i, surrogates, &used, &escaped));
    i += used;
  }
}

void pks_base_json_part(pks_json *json, pks_span text) { put_text(json, text, true); }

void pks_base_json_end(pks_json *json) { put_char(json, '"'); }

void pks_base_json_key_text(pks_json *json, pks_span key) {
  before_item(json);
  put_char(json, '"');
  pks_base_json_part(json, key);
  put(json, "\": ", 3);
  json->keyed = true;
}

void pks_base_json_text(pks_json *json, pks_span text) {
  if (!text.data) {
    pks_base_json_null(json);
    return;
  }
  pks_base_json_begin(json);
  pks_base_json_part(json, text);
  pks_base_json_end(json);
}

void pks_base_json_string(pks_json *json, const char *text) {
  pks_base_json_text(json, (pks_span){(const uint8_t *)text, text ? strlen(text) : 0});
}

void pks_base_json_path(pks_json *json, pks_span path) {
  if (!path.data) {
    pks_base_json_null(json);
    return;
  }
  pks_base_json_begin(json);
  put_text(json, path, false);
  pks_base_json_end(json);
}

/* ---- keys with their values ---------------------------------------------------------------------- */

void pks_base_json_key_string(pks_json *json, const char *key, const char *text) {
  pks_base_json_key(json, key);
  pks_base_json_string(json, text);
}

void pks_base_json_key_path(pks_json *json, const char *key, const char *path) {
  pks_base_json_key(json, key);
  pks_base_json_path(json, (pks_span){(const uint8_t *)path, path ? strlen(path) : 0});
}

void pks_base_json_key_uint(pks_json *json, const char *key, uint64_t value) {
  pks_base_json_key(json, key);
  pks_base_json_uint(json, value);
}

void pks_base_json_key_known(pks_json *json, const char *key, int64_t value) {
  pks_base_json_key(json, key);
  if (value < 0)
    pks_base_json_null(json);
  else
    pks_base_json_int(json, value);
}

void pks_base_json_key_bool(pks_json *json, const char *key, bool value) {
  pks_base_json_key(json, key);
  pks_base_json_bool(json, value);
}
