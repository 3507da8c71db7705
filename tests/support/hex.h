/* hex.h - bytes written as hexadecimal digits. */
#ifndef TESTS_HEX_H
#define TESTS_HEX_H

#include <stddef.h>
#include <stdint.h>

/* Decodes pairs of digits; white space between pairs is skipped. Returns a block of exactly *size
 * bytes (free it; never NULL), so that a sanitizer sees a read past its end; or NULL when the text
 * is not that. */
uint8_t *hex_decode(const char *text, size_t *size);

#endif
