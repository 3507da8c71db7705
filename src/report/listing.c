/* report/listing.c - instructions of code objects, as dis shows them. Nothing is run. */
#include "code/infer.h"
#include "report/report.h"

#include <string.h>

/* Under which versions it is listed: into magic; how many. */
static size_t versions(const pks_subject *s, const pks_code *code, const uint16_t **magic) {
  if (s->place.listing_magic) {
    *magic = &s->place.listing_magic;
    return 1;
  }
  *magic = code->magic;
  if (code->magic_count == 0 || code->kind == PKS_CANDIDATES_CONFLICTING) return code->magic_count;
  for (size_t i = 0; i < code->magic_count; i++)
    if (code->magic[i] == code->likely) *magic = &code->magic[i];
  return 1;
}

/* "cpython-3.11", or NULL. */
static const char *name_of(uint16_t magic) {
  int version = pks_code_version_of_magic(magic);
  return version < 0 ? NULL : pks_code_version_name((size_t)version);
}

static pks_status start(pks_report *report, const pks_subject *s, size_t index, uint16_t magic) {
  pks_limits limits = {.size = sizeof limits};
  if (!report->listing) {
    /* it holds no more than the inspector did before */
    if (pks_limits_init(&limits) != PKS_OK) return PKS_E_USAGE;
    limits.max_memory = UINT64_MAX;
    report->listing = pks_listing_new(&limits, &report->mem.alloc);
    if (!report->listing) return PKS_E_NO_MEMORY;
  }
  return pks_listing_start(report->listing, s->inspector, index, magic);
}

/* ---- json -------------------------------------------------------------------------------------- */

static void key_text(pks_json *json, const char *key, pks_span text) {
  pks_base_json_key(json, key);
  pks_base_json_text(json, text);
}

static void json_operand(pks_json *json, const pks_instruction *i) {
  switch (i->operand) {
    case PKS_OPERAND_NONE:
    case PKS_OPERAND_NUMBER: break;
    case PKS_OPERAND_NAME: key_text(json, "name", i->text); break;
    case PKS_OPERAND_CONST: key_text(json, "constant", i->text); break;
    case PKS_OPERAND_LOCAL: key_text(json, "local", i->text); break;
    case PKS_OPERAND_LOCALS:
      key_text(json, "local", i->text);
      key_text(json, "local2", i->text2);
      break;
    case PKS_OPERAND_JUMP:
      pks_base_json_key(json, "target");
      if (i->target == UINT64_MAX)
        pks_base_json_null(json);
      else
        pks_base_json_uint(json, i->target);
      break;
    case PKS_OPERAND_OPERATOR: key_text(json, "operator", i->text); break;
  }
}

static void json_instruction(pks_json *json, const pks_instruction *i) {
  pks_base_json_open(json, '{');
  pks_base_json_key_uint(json, "offset", i->offset);
  pks_base_json_key(json, "opcode");
  pks_base_json_string(json, i->name);
  pks_base_json_key_uint(json, "number", i->number);
  if (i->operand != PKS_OPERAND_NONE) pks_base_json_key_uint(json, "arg", i->arg);
  json_operand(json, i);
  if (i->labelled) {
    pks_base_json_key(json, "labelled");
    pks_base_json_bool(json, true);
  }
  pks_base_json_close(json);
}

void pks_report_json_listing(pks_report *report, const pks_subject *s, size_t index,
                             const pks_code *code) {
  pks_json *json = &report->out.json;
  pks_instruction instruction = {.size = sizeof instruction};
  const uint16_t *magic;
  if (!s->place.listings) return;
  pks_base_json_key(json, "listing");
  pks_base_json_open(json, '[');
  size_t count = versions(s, code, &magic);
  for (size_t i = 0; i < count; i++) {
    pks_base_json_open(json, '{');
    pks_base_json_key_uint(json, "magic", magic[i]);
    pks_base_json_key(json, "python");
    pks_base_json_string(json, name_of(magic[i]));
    pks_status status = start(report, s, index, magic[i]);
    pks_base_json_key(json, "error");
    pks_base_json_string(json, status == PKS_OK ? NULL : pks_status_name(status));
    pks_base_json_key(json, "instructions");
    pks_base_json_open(json, '[');
    while (status == PKS_OK && pks_listing_next(report->listing, &instruction) == PKS_OK)
      json_instruction(json, &instruction);
    pks_base_json_close(json);
    pks_base_json_close(json);
  }
  pks_base_json_close(json);
}

/* ---- text -------------------------------------------------------------------------------------- */

#define OFFSET_WIDTH 18
#define NAME_WIDTH 28
#define MAX_NAME 160 /* bytes of a name that are shown */

static void put_name(pks_text_out *out, pks_span text) {
  if (text.data)
    pks_report_put_text(out, text, MAX_NAME);
  else
    pks_report_put(out, "?");
}

static void text_operand(pks_text_out *out, const pks_instruction *i) {
  if (i->operand == PKS_OPERAND_NONE || i->operand == PKS_OPERAND_NUMBER) return;
  pks_report_put(out, " (");
  switch (i->operand) {
    case PKS_OPERAND_NAME:
    case PKS_OPERAND_LOCAL:
    case PKS_OPERAND_OPERATOR: put_name(out, i->text); break;
    case PKS_OPERAND_CONST: /* printable ASCII */
      if (i->text.data)
        pks_report_put_ascii(out, i->text);
      else
        pks_report_put(out, "?");
      break;
    case PKS_OPERAND_LOCALS:
      put_name(out, i->text);
      pks_report_put(out, ", ");
      put_name(out, i->text2);
      break;
    case PKS_OPERAND_JUMP:
      pks_report_put(out, "to ");
      if (i->target == UINT64_MAX)
        pks_report_put(out, "?");
      else
        pks_report_put_uint(out, i->target);
      break;
    case PKS_OPERAND_NONE:
    case PKS_OPERAND_NUMBER: break;
  }
  pks_report_put(out, ")");
}

static void text_instruction(pks_text_out *out, const pks_instruction *i) {
  pks_report_put(out, i->labelled ? "          >>" : "            ");
  pks_report_put_offset(out, i->offset, OFFSET_WIDTH - 12);
  pks_report_put(out, "  ");
  pks_report_put(out, i->name);
  if (strcmp(i->name, "?") == 0) {
    pks_report_put(out, " ");
    pks_report_put_uint(out, i->number);
  } else if (i->operand != PKS_OPERAND_NONE) {
    size_t width = strlen(i->name);
    pks_report_put_spaces(out, width < NAME_WIDTH ? NAME_WIDTH - width : 1);
    pks_report_put_offset(out, i->arg, 4);
    text_operand(out, i);
  }
  pks_report_put(out, "\n");
}

static void text_version(pks_text_out *out, const pks_code *code, uint16_t magic) {
  const char *name = name_of(magic);
  pks_report_put(out, "            as ");
  pks_report_put(out, name ? name : "?");
  if (name && code->kind != PKS_CANDIDATES_EXACT && magic == code->likely)
    pks_report_put(out, " (likely)");
}

void pks_report_text_listing(pks_report *report, const pks_subject *s, size_t index,
                             const pks_code *code) {
  pks_text_out *out = &report->out.text;
  pks_instruction instruction = {.size = sizeof instruction};
  const uint16_t *magic;
  if (!s->place.listings) return;
  size_t count = versions(s, code, &magic);
  if (count == 0)
    pks_report_put(out, "            not listed: of no known Python (--as says which)\n");
  for (size_t i = 0; i < count; i++) {
    text_version(out, code, magic[i]);
    pks_status status = start(report, s, index, magic[i]);
    if (status != PKS_OK) {
      pks_report_put(out, ": not listed: ");
      pks_report_put(out,
                     status == PKS_E_CODE ? "its bytecode is not there" : pks_status_text(status));
      pks_report_put(out, "\n");
      continue;
    }
    pks_report_put(out, ":\n");
    while (pks_listing_next(report->listing, &instruction) == PKS_OK)
      text_instruction(out, &instruction);
  }
}
