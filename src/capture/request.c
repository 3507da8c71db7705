/* capture/request.c - what a capture asks for, as Python. */
#include <string.h>

#include "capture/script.h"

typedef struct writer {
  pks_write_fn write;
  void *user;
  bool failed;
} writer;

static void put_bytes(writer *w, const char *text, size_t size) {
  if (!w->failed && w->write(w->user, text, size) != 0) w->failed = true;
}

static void put(writer *w, const char *text) { put_bytes(w, text, strlen(text)); }

static void put_number(writer *w, int64_t number) {
  char digits[24];
  size_t at = sizeof digits;
  uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  do {
    digits[--at] = (char)('0' + left % 10);
    left /= 10;
  } while (left > 0);
  if (number < 0) digits[--at] = '-';
  put_bytes(w, digits + at, sizeof digits - at);
}

/* ---- texts -------------------------------------------------------------------------------------- */

/* The character at data and how many bytes it has; a byte that begins none stands for itself. */
static uint32_t character(const uint8_t *data, size_t size, size_t *used) {
  size_t more = data[0] < 0xc2   ? 0
                : data[0] < 0xe0 ? 1
                : data[0] < 0xf0 ? 2
                : data[0] < 0xf5 ? 3
                                 : 0;
  uint32_t c = more ? data[0] & (0x3fu >> more) : data[0];
  *used = 1;
  if (more >= size) return data[0];
  for (size_t i = 1; i <= more; i++) {
    if ((data[i] & 0xc0) != 0x80) return data[0];
    c = c << 6 | (data[i] & 0x3fu);
  }
  *used = more + 1;
  return c;
}

/* A literal of both Pythons: printable ASCII stands for itself, but for what ends or escapes. */
static void put_text(writer *w, pks_span text) {
  put(w, "u'");
  for (size_t i = 0, used; i < text.size; i += used) {
    uint32_t c = character(text.data + i, text.size - i, &used);
    char escape[11] = "\\U";
    if (c >= 0x20 && c < 0x7f && c != '\'' && c != '\\') {
      put_bytes(w, (const char *)text.data + i, 1);
      continue;
    }
    for (unsigned digit = 0; digit < 8; digit++)
      escape[2 + digit] = "0123456789abcdef"[c >> (28 - 4 * digit) & 15];
    put_bytes(w, escape, 10);
  }
  put(w, "'");
}

static void put_flag(writer *w, const char *key, bool value) {
  put(w, key);
  put(w, value ? "True" : "False");
}

/* ---- the request ---------------------------------------------------------------------------------- */

static void put_main(writer *w, const pks_capture_request *request) {
  put_flag(w, "REQUEST = {'main': {'open': ", request->main_open);
  put(w, ", 'names': [");
  for (size_t i = 0; i < request->mains; i++) {
    put(w, i ? ", " : "");
    put_text(w, request->main[i]);
  }
  put(w, "]}");
}

/* Those of one kind: modules, or [module, name]. */
static void put_asks(writer *w, pks_capture_next_fn next, void *asks, bool names) {
  pks_capture_ask ask;
  for (size_t i = 0; next && next(asks, i, &ask); i++) {
    if (!ask.name == names) continue;
    put(w, "\n    ");
    put(w, names ? "[" : "");
    put_text(w, ask.module);
    if (names) {
      put(w, ", ");
      put_text(w, *ask.name);
      put(w, "]");
    }
    put(w, ",");
  }
}

pks_status pks_capture_write(const pks_capture_request *request, pks_capture_next_fn next,
                             void *asks, pks_write_fn write, void *user) {
  writer w = {write, user, false};
  put_main(&w, request);
  put(&w, ", 'modules': [");
  put_asks(&w, next, asks, false);
  put(&w, "], 'names': [");
  put_asks(&w, next, asks, true);
  put_flag(&w, "], 'only': ", request->only);
  put_flag(&w, ", 'inside': ", request->inside);
  put(&w, ", 'fd': ");
  put_number(&w, request->fd);
  put(&w, ", 'timeout': ");
  put_number(&w, request->timeout);
  put(&w, "}\n");
  put(&w, pks_capture_script);
  return w.failed ? PKS_E_IO : PKS_OK;
}
