/* cli/code_files.c - .pyc files and marshal streams, told by their first bytes. */
#include <stdlib.h>
#include <string.h>

#include "cli/source.h"
#include "code/marshal.h"

/* ---- what it is ---------------------------------------------------------------------------------- */

/* A code object: its type, and numbers (of arguments and locals) that are small in all code there is. */
static bool is_code_object(const uint8_t *p, size_t size) {
  return size >= 13 && (p[0] & 0x7f) == 'c' && !p[2] && !p[3] && !p[4] && !p[7] && !p[8] &&
         !p[11] && !p[12];
}

bool pks_cli_may_be_code(const uint8_t *head, size_t size) {
  return size >= 3 && (head[2] == '\r' || ((head[0] & 0x7f) == 'c' && head[2] == 0));
}

pks_payload_format pks_cli_code_format(const uint8_t *head, size_t size) {
  pks_code_pyc pyc;
  if (is_code_object(head, size)) return PKS_PAYLOAD_MARSHAL;
  if (size < 4 || head[2] != '\r' || head[3] != '\n') return PKS_PAYLOAD_PICKLE;
  if (pks_code_pyc_header((pks_span){head, size}, &pyc) != PKS_E_PYTHON) return PKS_PAYLOAD_PYC;
  /* no magic number that is known here; the code comes after 8, 12 or 16 bytes */
  for (size_t at = 8; at <= 16; at += 4)
    if (at < size && is_code_object(head + at, size - at)) return PKS_PAYLOAD_PYC;
  return PKS_PAYLOAD_PICKLE;
}

/* ---- all of it ------------------------------------------------------------------------------------- */

static bool no_room(pks_cli_source *s, pks_status status) {
  s->error.status = status;
  s->error.stored = s->taken;
  s->error.text = pks_status_text(status);
  return false;
}

/* The current piece goes to the end of `held`. */
static bool hold(pks_cli_source *s, pks_cli_held *held) {
  size_t size = s->in.size - s->in.pos;
  if (size > held->capacity - held->size) {
    size_t capacity = held->capacity ? held->capacity * 2 : 4 * PKS_CLI_PIECE;
    if (capacity > s->cli->set.limits.max_memory) return no_room(s, PKS_E_LIMIT_MEMORY);
    uint8_t *data = realloc(held->data, capacity);
    if (!data) return no_room(s, PKS_E_NO_MEMORY);
    held->data = data;
    held->capacity = capacity;
  }
  memcpy(held->data + held->size, s->in.data + s->in.pos, size);
  held->size += size;
  s->in.pos = s->in.size;
  return true;
}

bool pks_cli_source_hold(pks_cli_source *s, pks_cli_held *held) {
  do
    if (!hold(s, held)) return false;
  while (!s->cli->stop && pks_cli_source_next(s));
  return true;
}
