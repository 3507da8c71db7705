#include "support/asm.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"

static void die(const char *what, const char *at) {
  fprintf(stderr, "asm: %s: %.60s\n", what, at);
  abort();
}

void pickle_add_raw(pickle *p, const void *data, size_t size) {
  if (size > p->capacity - p->size) {
    p->capacity = (p->size + size) * 2;
    p->data = realloc(p->data, p->capacity);
    if (!p->data) abort();
  }
  if (size) memcpy(p->data + p->size, data, size);
  p->size += size;
}

void pickle_fit(pickle *p) {
  p->capacity = p->size;
  p->data = realloc(p->data, p->size ? p->size : 1);
  if (!p->data) abort();
}

void pickle_free(pickle *p) {
  free(p->data);
  memset(p, 0, sizeof *p);
}

static void add_integer(pickle *p, uint64_t number, size_t bytes) {
  for (; bytes; bytes--, number >>= 8) {
    uint8_t byte = (uint8_t)number;
    pickle_add_raw(p, &byte, 1);
  }
}

int pickle_opcode(const char *name, size_t size) {
  for (int op = 0; op < 256; op++) {
    const char *known = pks_decode_ops[op].name;
    if (known && strlen(known) == size && memcmp(known, name, size) == 0) return op;
  }
  die("no opcode", name);
  return -1;
}

/* ---- opcodes with a value at hand ------------------------------------------------------------ */

static size_t number_bytes(int op) {
  switch ((int)pks_decode_ops[op].argument) {
    case PKS_ARG_U1: return 1;
    case PKS_ARG_U2: return 2;
    case PKS_ARG_U4:
    case PKS_ARG_I4: return 4;
    case PKS_ARG_U8: return 8;
    default: return 0;
  }
}

static size_t count_bytes(int op) {
  switch ((int)pks_decode_ops[op].argument) {
    case PKS_ARG_N1:
    case PKS_ARG_L1: return 1;
    case PKS_ARG_N4:
    case PKS_ARG_L4: return 4;
    case PKS_ARG_N8: return 8;
    default: return 0;
  }
}

void pickle_add_number(pickle *p, int op, uint64_t number) {
  if (!number_bytes(op)) die("takes no number", pks_decode_ops[op].name);
  add_integer(p, (uint64_t)op, 1);
  add_integer(p, number, number_bytes(op));
}

static void add_counted(pickle *p, int op, uint64_t claimed, const void *data, size_t size) {
  if (!count_bytes(op)) die("takes no counted text", pks_decode_ops[op].name);
  add_integer(p, (uint64_t)op, 1);
  add_integer(p, claimed, count_bytes(op));
  pickle_add_raw(p, data, size);
}

void pickle_add_text(pickle *p, int op, const void *data, size_t size) {
  add_counted(p, op, size, data, size);
}

void pickle_add_line(pickle *p, int op, const char *line) {
  add_integer(p, (uint64_t)op, 1);
  pickle_add_raw(p, line, strlen(line));
  pickle_add_raw(p, "\n", 1);
}

/* ---- programs -------------------------------------------------------------------------------- */

static const char *blanks(const char *at) {
  while (isspace((unsigned char)*at)) at++;
  return at;
}

static int digit(char c) {
  const char *digits = "0123456789abcdef", *found = strchr(digits, tolower((unsigned char)c));
  return c && found ? (int)(found - digits) : -1;
}

static uint8_t hex_pair(const char *at) {
  int high = digit(at[0]), low = high < 0 ? -1 : digit(at[1]);
  if (low < 0) die("not two hexadecimal digits", at);
  return (uint8_t)(high << 4 | low);
}

static void add_escaped(pickle *p, const char *from, const char *end) {
  for (; from < end; from++) {
    uint8_t byte = (uint8_t)*from;
    if (*from == '%') {
      byte = hex_pair(from + 1);
      from += 2;
    }
    pickle_add_raw(p, &byte, 1);
  }
}

void pickle_add_escaped(pickle *p, const char *text) { add_escaped(p, text, text + strlen(text)); }

/* 'text' at *at, into a pickle of its own. */
static pickle quoted(const char **at) {
  pickle text = {0};
  const char *start = blanks(*at), *end = *start == '\'' ? strchr(start + 1, '\'') : NULL;
  if (!end) die("a text in quotes is missing", *at);
  add_escaped(&text, start + 1, end);
  *at = end + 1;
  return text;
}

static uint64_t number(const char **at) {
  char *end;
  const char *p = blanks(*at);
  uint64_t value = *p == '-' ? (uint64_t)strtoll(p, &end, 0) : strtoull(p, &end, 0);
  if (end == p) die("a number is missing", p);
  *at = end;
  return value;
}

static void add_double(pickle *p, const char **at) {
  char *end;
  double value = strtod(*at, &end);
  uint64_t bits;
  if (end == *at) die("a number is missing", *at);
  memcpy(&bits, &value, sizeof bits);
  for (int shift = 56; shift >= 0; shift -= 8) add_integer(p, bits >> shift & 0xff, 1);
  *at = end;
}

static void add_line(pickle *p, const char **at) {
  pickle text = quoted(at);
  pickle_add_raw(p, text.data, text.size);
  pickle_add_raw(p, "\n", 1);
  pickle_free(&text);
}

static void add_count(pickle *p, int op, const char **at) {
  const char *after = blanks(*at) + 1;
  bool claims = after[-1] == '#';
  uint64_t claimed = claims ? number(&after) : 0;
  if (claims) *at = after;
  pickle text = quoted(at);
  add_counted(p, op, claims ? claimed : text.size, text.data, text.size);
  pickle_free(&text);
}

static void add_opcode(pickle *p, const char **at) {
  const char *name = *at;
  size_t size = 0;
  while (name[size] && !isspace((unsigned char)name[size])) size++;
  int op = pickle_opcode(name, size);
  pks_arg kind = (pks_arg)pks_decode_ops[op].argument;
  *at += size;
  if (number_bytes(op)) {
    pickle_add_number(p, op, number(at));
  } else if (count_bytes(op)) {
    add_count(p, op, at);
  } else {
    add_integer(p, (uint64_t)op, 1);
    if (kind == PKS_ARG_F8) add_double(p, at);
    if (kind == PKS_ARG_LINE || kind == PKS_ARG_LINE2) add_line(p, at);
    if (kind == PKS_ARG_LINE2) add_line(p, at);
  }
}

void pickle_add(pickle *p, const char *text) {
  for (const char *at = blanks(text); *at; at = blanks(at)) {
    if (*at != '=') {
      add_opcode(p, &at);
      continue;
    }
    for (at++; *at && !isspace((unsigned char)*at); at += 2) add_integer(p, hex_pair(at), 1);
  }
}

void pickle_add_times(pickle *p, size_t times, const char *text) {
  pickle once = {0};
  pickle_add(&once, text);
  for (; times; times--) pickle_add_raw(p, once.data, once.size);
  pickle_free(&once);
}

pickle pickle_of(const char *text) {
  pickle p = {0};
  pickle_add(&p, text);
  pickle_fit(&p);
  return p;
}

pickle pickle_of_line(const char *name, const char *line) {
  uint8_t op = (uint8_t)pickle_opcode(name, strlen(name));
  pickle p = {0};
  pickle_add_raw(&p, &op, 1);
  pickle_add_escaped(&p, line);
  pickle_add_raw(&p, "\n", 1);
  pickle_add(&p, "STOP");
  pickle_fit(&p);
  return p;
}
