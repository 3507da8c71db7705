#include "report/text_out.h"

#include <string.h>

#include "base/json_out.h"

void pks_report_text_init(pks_text_out *out, pks_write_fn write, void *user) {
  memset(out, 0, sizeof *out);
  out->write = write;
  out->user = user;
}

bool pks_report_text_flush(pks_text_out *out) {
  if (out->used && !out->failed && out->write(out->user, out->buffer, out->used) != 0)
    out->failed = true;
  out->used = 0;
  return !out->failed;
}

static void put(pks_text_out *out, const char *data, size_t size) {
  while (size) {
    size_t room = sizeof out->buffer - out->used;
    size_t part = size < room ? size : room;
    memcpy(out->buffer + out->used, data, part);
    out->used += part;
    data += part;
    size -= part;
    if (out->used == sizeof out->buffer) pks_report_text_flush(out);
  }
}

void pks_report_put(pks_text_out *out, const char *text) { put(out, text, strlen(text)); }

void pks_report_put_ascii(pks_text_out *out, pks_span text) {
  for (size_t i = 0; i < text.size; i++)
    put(out, text.data[i] < 0x20 || text.data[i] >= 0x7f ? "?" : (const char *)&text.data[i], 1);
}

void pks_report_put_spaces(pks_text_out *out, size_t count) {
  while (count--) put(out, " ", 1);
}

void pks_report_put_offset(pks_text_out *out, uint64_t value, unsigned width) {
  char digits[20];
  size_t at = sizeof digits;
  do {
    digits[--at] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  size_t count = sizeof digits - at;
  if (count < width) pks_report_put_spaces(out, width - count);
  put(out, digits + at, count);
}

void pks_report_put_uint(pks_text_out *out, uint64_t value) {
  pks_report_put_offset(out, value, 0);
}

void pks_report_put_int(pks_text_out *out, int64_t value) {
  if (value < 0) put(out, "-", 1);
  pks_report_put_uint(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void pks_report_paint(pks_text_out *out, pks_paint paint) {
  static const char *const codes[] = {"\033[0m",  "\033[1m",  "\033[2m",
                                      "\033[31m", "\033[32m", "\033[33m"};
  if (out->color) pks_report_put(out, codes[paint]);
}

size_t pks_report_put_folded(pks_text_out *out, const char *text, size_t column, size_t indent) {
  size_t blank = 0;
  while (*text) {
    size_t word = strcspn(text, " ");
    if (word == 0) {
      blank = 1;
      text++;
      continue;
    }
    if (out->width && column > indent && column + blank + word > out->width) {
      put(out, "\n", 1);
      pks_report_put_spaces(out, indent);
      column = indent;
      blank = 0;
    }
    pks_report_put_spaces(out, blank);
    put(out, text, word);
    column += blank + word;
    text += word;
    blank = 0;
  }
  return column;
}

void pks_report_put_stored(pks_text_out *out, const pks_error *error) {
  if (!error->stored) return;
  pks_report_put(out, ", at byte ");
  pks_report_put_uint(out, error->stored);
  pks_report_put(out, " of the file");
}

/* ---- hostile text ------------------------------------------------------------------------------ */

/* Characters that a terminal obeys, hides or reorders by. */
static bool is_unsafe(uint32_t c) {
  static const uint32_t ranges[][2] = {
      {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},       {0x34f, 0x34f},    {0x61c, 0x61c},
      {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},   {0x200b, 0x200f},  {0x2028, 0x202e},
      {0x2060, 0x206f}, {0x3164, 0x3164}, {0xd800, 0xdfff},   {0xfe00, 0xfe0f},  {0xfeff, 0xfeff},
      {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (c >= ranges[i][0] && c <= ranges[i][1]) return true;
  return false;
}

static size_t put_escape(pks_text_out *out, char letter, uint32_t value, unsigned digits) {
  char text[10] = {'\\', letter};
  for (unsigned i = 0; i < digits; i++)
    text[2 + i] = "0123456789abcdef"[value >> 4 * (digits - 1 - i) & 15];
  put(out, text, digits + 2);
  return digits + 2;
}

static size_t put_unsafe(pks_text_out *out, uint32_t c) {
  if (c < 0x100) return put_escape(out, c < 0x80 ? 'x' : 'u', c, c < 0x80 ? 2 : 4);
  return c < 0x10000 ? put_escape(out, 'u', c, 4) : put_escape(out, 'U', c, 8);
}

size_t pks_report_put_text(pks_text_out *out, pks_span text, size_t most) {
  size_t i = 0, columns = 0;
  while (i < text.size) {
    size_t used;
    bool stray;
    if (most && i >= most) {
      put(out, "...", 3);
      return columns + 3;
    }
    uint32_t c = pks_base_json_char(text.data + i, text.size - i, &used, &stray);
    if (stray) {
      columns += put_escape(out, 'x', text.data[i], 2);
    } else if (is_unsafe(c)) {
      columns += put_unsafe(out, c);
    } else if (c == '\\') {
      put(out, "\\\\", 2);
      columns += 2;
    } else {
      put(out, (const char *)text.data + i, used);
      columns++;
    }
    i += used;
  }
  return columns;
}

size_t pks_report_put_string(pks_text_out *out, const char *text) {
  return pks_report_put_text(out, (pks_span){(const uint8_t *)text, strlen(text)}, 0);
}
