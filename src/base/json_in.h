/* base/json_in.h - a strict JSON reader (RFC 8259) over a whole text, one event at a time.
 *
 * Fill in the first group of fields, zero the rest, call next until END or FAILED, then close:
 *
 *   pks_json_in json = {.mem = mem, .data = data, .size = size, .max_depth = 64,
 *                       .malformed = PKS_E_FINGERPRINT};
 *   while ((event = pks_base_json_in_next(&json)) > PKS_JSON_END) ...
 *   pks_base_json_in_close(&json);
 *
 * UTF-8 only, no byte order mark, one value and nothing after it. Keys of one object must differ; a
 * key that occurs twice is found at the end of its object. Memory: 24 bytes a key of the objects
 * that are open, and the texts that hold an escape. */
#ifndef PKS_BASE_JSON_IN_H
#define PKS_BASE_JSON_IN_H

#include "base/arena.h"

typedef enum pks_json_event {
  PKS_JSON_FAILED = 0, /* status, why and offset say what and where; stays */
  PKS_JSON_END,        /* the value and the text are complete; stays      */
  PKS_JSON_OBJECT,
  PKS_JSON_OBJECT_END,
  PKS_JSON_ARRAY,
  PKS_JSON_ARRAY_END,
  PKS_JSON_KEY,     /* text; its value follows                             */
  PKS_JSON_TEXT,    /* text                                                */
  PKS_JSON_INTEGER, /* integer                                             */
  PKS_JSON_REAL,    /* text: as it is written; only with PKS_JSON_REALS    */
  PKS_JSON_FALSE,
  PKS_JSON_TRUE,
  PKS_JSON_NULL
} pks_json_event;

#define PKS_JSON_REALS 1u /* take numbers with a fraction or an exponent                    */
#define PKS_JSON_SURROGATES \
  2u /* take \ud800..\udfff alone; the text then is UTF-8 with
                                  surrogatepass, else UTF-8                                      */

typedef struct pks_json_in {
  pks_mem *mem;
  const uint8_t *data; /* must stay until close */
  size_t size;
  size_t max_depth; /* objects and arrays open at a time */
  unsigned flags;
  pks_status malformed; /* what a malformed text is called */

  size_t pos;
  size_t offset;   /* of the event's first byte, or of the fault    */
  pks_span text;   /* a view into data or a copy; until close       */
  int64_t integer; /* -0 is 0                                       */
  pks_status status;
  const char *why; /* static */

  unsigned char state;
  pks_arena texts;
  pks_vec open, keys;
} pks_json_in;

pks_json_event pks_base_json_in_next(pks_json_in *json);
void pks_base_json_in_close(pks_json_in *json);

#endif
