#include "support/hex.h"

#include <stdlib.h>
#include <string.h>

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

uint8_t *hex_decode(const char *text, size_t *size) {
  uint8_t *wide = malloc(strlen(text) / 2 + 1);
  uint8_t *exact = NULL;
  size_t count = 0;
  if (!wide) abort();
  while (*text) {
    int high, low;
    if (strchr(" \t\r\n", *text)) {
      text++;
      continue;
    }
    high = digit(text[0]);
    low = high < 0 ? -1 : digit(text[1]);
    if (low < 0) break;
    wide[count++] = (uint8_t)(high << 4 | low);
    text += 2;
  }
  if (!*text) {
    exact = malloc(count > 0 ? count : 1);
    if (!exact) abort();
    memcpy(exact, wide, count);
    *size = count;
  }
  free(wide);
  return exact;
}
