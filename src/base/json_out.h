/* base/json_out.h - writes JSON piece by piece. Allocates nothing.
 *
 * Output is ASCII whatever the texts hold. The writer knows where commas, keys and line breaks go;
 * an error of `write` is final and told by pks_base_json_flush. */
#ifndef PKS_BASE_JSON_OUT_H
#define PKS_BASE_JSON_OUT_H

#include <stdbool.h>
#include <picklesight.h>

#define PKS_JSON_DEPTH 64 /* arrays and objects within each other */

typedef struct pks_json {
  pks_write_fn write;
  void *user;
  unsigned depth;   /* open arrays and objects                                             */
  unsigned pretty;  /* those of the outer `pretty` levels put each item on a line of its own */
  uint64_t objects; /* bit a level: it is an object                                        */
  uint64_t items;   /* bit a level: it has an item                                         */
  bool keyed;       /* a key was written, its value comes                                  */
  bool failed;
  size_t used;
  char buffer[2048];
} pks_json;

void pks_base_json_init(pks_json *json, pks_write_fn write, void *user, unsigned pretty);

/* bracket: '{' or '['. What is opened past PKS_JSON_DEPTH fails the writer. */
void pks_base_json_open(pks_json *json, char bracket);
void pks_base_json_close(pks_json *json);
/* key: ASCII without anything to escape. Then exactly one value. */
void pks_base_json_key(pks_json *json, const char *key);
/* The same with any key, written as a string is. */
void pks_base_json_key_text(pks_json *json, pks_span key);

void pks_base_json_null(pks_json *json);
void pks_base_json_bool(pks_json *json, bool value);
/* Past 2^53 in size: as a string, because most readers hold numbers as doubles. */
void pks_base_json_int(pks_json *json, int64_t value);
void pks_base_json_uint(pks_json *json, uint64_t value);
/* Bytes that are already a JSON value. */
void pks_base_json_raw(pks_json *json, const char *text, size_t size);

/* A string: UTF-8 with surrogatepass; a byte that is not becomes \udcXX (Python's surrogateescape).
 * data NULL: null. */
void pks_base_json_text(pks_json *json, pks_span text);
void pks_base_json_string(pks_json *json, const char *text);
/* A file's name, which is bytes: each that is not in a character of strict UTF-8 becomes \udcXX, those of
 * an encoded surrogate too, so that the bytes can be told from the string (os.fsencode does). */
void pks_base_json_path(pks_json *json, pks_span path);

/* A key, and its value. */
void pks_base_json_key_string(pks_json *json, const char *key, const char *text);
void pks_base_json_key_path(pks_json *json, const char *key, const char *path);
void pks_base_json_key_uint(pks_json *json, const char *key, uint64_t value);
void pks_base_json_key_known(pks_json *json, const char *key, int64_t value); /* below 0: null */
void pks_base_json_key_bool(pks_json *json, const char *key, bool value);

/* The same string in parts, each of which is whole characters. */
void pks_base_json_begin(pks_json *json);
void pks_base_json_part(pks_json *json, pks_span text);
void pks_base_json_end(pks_json *json);

/* A line break between documents (jsonl). Only at depth 0. */
void pks_base_json_line(pks_json *json);

/* Hands out what is buffered. False: a write failed, now or before. */
bool pks_base_json_flush(pks_json *json);

/* The character at data (size > 0) and how many bytes it takes; a byte that is not UTF-8 with
 * surrogatepass is 0xdc00 + byte, *escaped is then set. */
uint32_t pks_base_json_char(const uint8_t *data, size_t size, size_t *used, bool *escaped);

#endif
