/* report/json.c - picklesight-report/1: one object, or a payload a line. */
#include "report/report.h"

#include <string.h>

#define JSON (&report->out.json)

static void key_text(pks_json *json, const char *key, pks_span text) {
  pks_base_json_key(json, key);
  pks_base_json_text(json, text);
}

static void key_open(pks_json *json, const char *key, char bracket) {
  pks_base_json_key(json, key);
  pks_base_json_open(json, bracket);
}

static void key_empty(pks_json *json, const char *key) {
  key_open(json, key, '[');
  pks_base_json_close(json);
}

/* ---- error ------------------------------------------------------------------------------------- */

void pks_report_json_error(pks_json *json, const pks_error *error, const char *looks_like) {
  pks_base_json_key(json, "error");
  if (error->status == PKS_OK) {
    pks_base_json_null(json);
    return;
  }
  pks_base_json_open(json, '{');
  pks_base_json_key_string(json, "status", pks_status_name(error->status));
  pks_base_json_key_uint(json, "offset", error->offset);
  pks_base_json_key_string(json, "opcode", error->opcode);
  pks_base_json_key_string(json, "exception", error->exception);
  pks_base_json_key_string(json, "text", error->text);
  if (error->stored) pks_base_json_key_uint(json, "stored_offset", error->stored);
  if (looks_like) pks_base_json_key_string(json, "looks_like", looks_like);
  pks_base_json_close(json);
}

/* ---- names ------------------------------------------------------------------------------------- */

static bool same(pks_span a, pks_span b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* A name nobody can tell is null; an empty one that the payload spells is "". */
static void write_name(pks_json *json, const pks_global *g) {
  pks_span none = {NULL, 0};
  key_text(json, "module", g->certain || g->module.size ? g->module : none);
  key_text(json, "name", g->certain || g->name.size ? g->name : none);
}

/* As find_class gets it, when it looks another name up. */
static void write_spelled(pks_json *json, const pks_global *g) {
  if (same(g->module, g->spelled_module) && same(g->name, g->spelled_name)) return;
  key_open(json, "spelled", '{');
  key_text(json, "module", g->spelled_module);
  key_text(json, "name", g->spelled_name);
  pks_base_json_close(json);
}

static void write_used(pks_json *json, uint32_t used) {
  static const struct {
    uint32_t bit;
    const char *name;
  } words[] = {{PKS_USED_CALL, "call"},   {PKS_USED_NEW, "new"},
               {PKS_USED_BUILD, "build"}, {PKS_USED_REFERENCE, "reference"},
               {PKS_USED_BASE, "base"},   {PKS_USED_KEY, "key"}};
  key_open(json, "used", '[');
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (used & words[i].bit) pks_base_json_string(json, words[i].name);
  pks_base_json_close(json);
}

static void write_globals(pks_json *json, const pks_subject *s) {
  pks_global g = {.size = sizeof g};
  key_open(json, "globals", '[');
  for (size_t i = 0; i < s->summary.globals; i++) {
    if (pks_inspector_global(s->inspector, i, &g) != PKS_OK) continue;
    pks_base_json_open(json, '{');
    write_name(json, &g);
    pks_base_json_key_uint(json, "offset", g.offset);
    pks_base_json_key_string(json, "via", g.via);
    write_used(json, g.used);
    pks_base_json_key_uint(json, "count", g.count);
    pks_base_json_key_bool(json, "certain", g.certain != 0);
    write_spelled(json, &g);
    pks_base_json_close(json);
  }
  pks_base_json_close(json);
}

/* ---- calls ------------------------------------------------------------------------------------- */

static void part(pks_json *json, const char *text) {
  pks_base_json_part(json, (pks_span){(const uint8_t *)text, strlen(text)});
}

static void write_callee(pks_json *json, const pks_inspector *inspector, size_t call) {
  pks_global g;
  size_t results = pks_report_callee(inspector, call, &g);
  pks_base_json_key(json, "callee");
  if (!pks_report_known(&g) && results == 0) {
    pks_base_json_null(json);
    return;
  }
  pks_base_json_begin(json);
  for (size_t i = 0; i < results; i++) part(json, "result of ");
  if (pks_report_known(&g)) {
    pks_base_json_part(json, g.module);
    part(json, ".");
    pks_base_json_part(json, g.name);
  } else {
    part(json, "?");
  }
  pks_base_json_end(json);
}

static void write_calls(pks_json *json, const pks_subject *s) {
  pks_call call = {.size = sizeof call};
  key_open(json, "calls", '[');
  for (size_t i = 0; i < s->summary.calls; i++) {
    if (pks_inspector_call(s->inspector, i, &call) != PKS_OK) continue;
    pks_base_json_open(json, '{');
    pks_base_json_key_uint(json, "offset", call.offset);
    write_callee(json, s->inspector, i);
    pks_base_json_key_string(json, "via", call.via);
    pks_base_json_key_uint(json, "count", call.count);
    pks_base_json_close(json);
  }
  pks_base_json_close(json);
}

/* ---- code -------------------------------------------------------------------------------------- */

static void write_candidates(pks_json *json, const pks_code *c) {
  key_open(json, "magic", '[');
  for (size_t i = 0; i < c->magic_count; i++) pks_base_json_uint(json, c->magic[i]);
  pks_base_json_close(json);
  key_open(json, "python", '[');
  for (size_t i = 0; i < c->magic_count; i++) pks_base_json_string(json, c->python[i]);
  pks_base_json_close(json);
}

static const char *kind_name(pks_candidates kind) {
  switch (kind) {
    case PKS_CANDIDATES_EXACT: return "exact";
    case PKS_CANDIDATES_EQUIVALENT: return "equivalent";
    case PKS_CANDIDATES_CONFLICTING: return "conflicting";
    case PKS_CANDIDATES_NONE: break;
  }
  return "none";
}

/* A relative import as it is written, with its dots. */
static void write_import(pks_json *json, const pks_import *import) {
  pks_base_json_begin(json);
  for (int i = 0; i < import->level; i++) part(json, ".");
  pks_base_json_part(json, import->module);
  pks_base_json_end(json);
}

/* All that is known of each import. */
static void write_imports(pks_json *json, const pks_code *c) {
  key_open(json, "imports", '[');
  for (size_t i = 0; i < c->import_count; i++) write_import(json, &c->imports[i]);
  pks_base_json_close(json);
  key_open(json, "import_details", '[');
  for (size_t i = 0; i < c->import_count; i++) {
    const pks_import *import = &c->imports[i];
    pks_base_json_open(json, '{');
    key_text(json, "module", import->module);
    pks_base_json_key(json, "level");
    pks_base_json_int(json, import->level);
    key_text(json, "absolute", import->absolute);
    key_open(json, "names", '[');
    for (size_t j = 0; j < import->name_count; j++) pks_base_json_text(json, import->names[j]);
    pks_base_json_close(json);
    pks_base_json_key_bool(json, "straight", import->straight != 0);
    pks_base_json_key_uint(json, "offset", import->offset);
    pks_base_json_close(json);
  }
  pks_base_json_close(json);
}

static void write_code(pks_report *report, const pks_subject *s, size_t index, const pks_code *c) {
  pks_json *json = JSON;
  pks_base_json_open(json, '{');
  pks_base_json_key_uint(json, "offset", c->offset);
  pks_base_json_key_string(json, "how", c->how);
  key_text(json, "name", c->name);
  key_text(json, "qualname", c->qualname);
  key_text(json, "file", c->file);
  pks_base_json_key_known(json, "line", c->line);
  pks_base_json_key_known(json, "arguments", c->arguments);
  pks_base_json_key_known(json, "flags", c->flags);
  pks_base_json_key_known(json, "argcount", c->argcount);
  pks_base_json_key_known(json, "posonlyargcount", c->posonlyargcount);
  pks_base_json_key_known(json, "kwonlyargcount", c->kwonlyargcount);
  pks_base_json_key_known(json, "nlocals", c->nlocals);
  pks_base_json_key_known(json, "stacksize", c->stacksize);
  write_candidates(json, c);
  pks_base_json_key_string(json, "kind", kind_name(c->kind));
  pks_base_json_key_known(json, "likely", c->likely ? c->likely : -1);
  write_imports(json, c);
  key_open(json, "globals", '[');
  for (size_t i = 0; i < c->global_count; i++) pks_base_json_text(json, c->globals[i]);
  pks_base_json_close(json);
  pks_report_json_listing(report, s, index, c);
  pks_base_json_close(json);
}

static void write_codes(pks_report *report, const pks_subject *s) {
  pks_code code = {.size = sizeof code};
  key_open(JSON, "code", '[');
  for (size_t i = 0; i < s->summary.codes; i++)
    if (pks_inspector_code(s->inspector, i, &code) == PKS_OK) write_code(report, s, i, &code);
  pks_base_json_close(JSON);
}

static void write_requires(pks_json *json, const pks_subject *s) {
  pks_code all = {.size = sizeof all};
  key_open(json, "requires", '{');
  pks_base_json_key_known(json, "min_protocol", s->inspector ? s->summary.min_protocol : -1);
  if (s->summary.codes == 0) {
    pks_base_json_key_string(json, "magic", NULL);
    pks_base_json_key_string(json, "python", NULL);
  } else {
    if (pks_inspector_bytecode(s->inspector, &all) != PKS_OK) all.magic_count = 0;
    write_candidates(json, &all);
  }
  pks_base_json_close(json);
}

/* ---- modules and the rest ---------------------------------------------------------------------- */

static pks_status write_modules(pks_report *report, const pks_subject *s, const char *key,
                                pks_module_list list) {
  pks_status status = pks_report_modules(report, s, list);
  pks_base_json_key(JSON, key);
  if (status != PKS_OK) {
    pks_base_json_null(JSON);
    return status;
  }
  pks_base_json_open(JSON, '[');
  for (size_t i = 0; i < report->modules.count; i++)
    pks_base_json_text(JSON, PKS_VEC_AT(&report->modules, pks_span, i));
  pks_base_json_close(JSON);
  return PKS_OK;
}

static pks_status write_module_lists(pks_report *report, const pks_subject *s) {
  key_open(JSON, "modules", '{');
  pks_status first = write_modules(report, s, "by_reference", PKS_MODULES_BY_REFERENCE);
  pks_status second = write_modules(report, s, "by_value", PKS_MODULES_BY_VALUE);
  pks_status third = write_modules(report, s, "when_run", PKS_MODULES_WHEN_RUN);
  pks_base_json_close(JSON);
  return first != PKS_OK ? first : second != PKS_OK ? second : third;
}

static void write_asks(pks_json *json, const pks_subject *s) {
  pks_base_json_key_uint(json, "persistent_ids", s->summary.persistent_ids);
  pks_base_json_key_uint(json, "buffers", s->summary.buffers);
  key_open(json, "extensions", '[');
  for (size_t i = 0; i < s->summary.extensions; i++) {
    uint32_t code = 0;
    uint64_t offset = 0;
    if (pks_inspector_extension(s->inspector, i, &code, &offset) != PKS_OK) continue;
    pks_base_json_open(json, '{');
    pks_base_json_key_uint(json, "code", code);
    pks_base_json_key_uint(json, "offset", offset);
    pks_base_json_close(json);
  }
  pks_base_json_close(json);
  pks_base_json_key_bool(json, "encoding_needed", s->summary.encoding_needed != 0);
}

static void write_assumed(pks_json *json, const pks_subject *s) {
  pks_assumption assumed = {.size = sizeof assumed};
  key_open(json, "assumed", '[');
  for (size_t i = 0; i < s->summary.assumed; i++) {
    if (pks_inspector_assumption(s->inspector, i, &assumed) != PKS_OK) continue;
    pks_base_json_open(json, '{');
    pks_base_json_key_uint(json, "offset", assumed.offset);
    pks_base_json_key_string(json, "text", assumed.text);
    pks_base_json_key_uint(json, "count", assumed.count);
    pks_base_json_close(json);
  }
  pks_base_json_close(json);
}

/* ---- the full sequence ------------------------------------------------------------------------- */

static void write_event(pks_json *json, const pks_inspector *inspector, const pks_event *event) {
  pks_global global = {.size = sizeof global};
  pks_call call = {.size = sizeof call};
  uint32_t code = 0;
  const char *kind = "?";
  switch (event->kind) {
    case PKS_EVENT_GLOBAL: kind = "global"; break;
    case PKS_EVENT_CALL: kind = "call"; break;
    case PKS_EVENT_PERSID: kind = "persistent_id"; break;
    case PKS_EVENT_BUFFER: kind = "buffer"; break;
    case PKS_EVENT_EXTENSION: kind = "extension"; break;
    case PKS_EVENT_BUILD: kind = "build"; break;
  }
  pks_base_json_open(json, '{');
  pks_base_json_key_string(json, "kind", kind);
  pks_base_json_key_uint(json, "offset", event->offset);
  if (event->kind == PKS_EVENT_GLOBAL &&
      pks_inspector_global(inspector, event->index, &global) == PKS_OK) {
    write_name(json, &global);
    write_spelled(json, &global);
    pks_base_json_key_string(json, "via", global.via);
    if (!global.certain) pks_base_json_key_bool(json, "certain", false);
  }
  if (event->kind == PKS_EVENT_CALL &&
      pks_inspector_call(inspector, event->index, &call) == PKS_OK) {
    write_callee(json, inspector, event->index);
    pks_base_json_key_string(json, "via", call.via);
  }
  if (event->kind == PKS_EVENT_EXTENSION &&
      pks_inspector_extension(inspector, event->index, &code, NULL) == PKS_OK)
    pks_base_json_key_uint(json, "code", code);
  pks_base_json_close(json);
}

static void write_events(pks_json *json, const pks_subject *s) {
  pks_event event = {.size = sizeof event};
  key_open(json, "events", '[');
  for (size_t i = 0; i < s->summary.events; i++)
    if (pks_inspector_event(s->inspector, i, &event) == PKS_OK)
      write_event(json, s->inspector, &event);
  pks_base_json_close(json);
}

/* ---- a payload, the whole ---------------------------------------------------------------------- */

/* How else it is read: each with its own error, names and calls. */
static void write_readings(pks_json *json, const pks_subject *s) {
  key_open(json, "readings", '[');
  for (size_t i = 0; i < s->summary.readings; i++) {
    static const char *const ways[] = {"whole", "stream", "file"};
    pks_other_reading reading = {.size = sizeof reading};
    pks_subject other = *s;
    other.inspector = pks_inspector_reading(s->inspector, i, &reading);
    if (!other.inspector) continue;
    pks_inspector_summary(other.inspector, &other.summary);
    pks_inspector_error(other.inspector, &other.error);
    pks_base_json_open(json, '{');
    pks_base_json_key_string(json, "profile", reading.profile);
    pks_base_json_key_string(json, "read", ways[reading.read]);
    pks_report_json_error(json, &other.error, other.place.looks_like);
    write_globals(json, &other);
    write_calls(json, &other);
    pks_base_json_close(json);
  }
  pks_base_json_close(json);
}

static void begin(pks_report *report) {
  if (report->begun || report->format != PKS_FORMAT_JSON) return;
  report->begun = true;
  pks_base_json_open(JSON, '{');
  pks_base_json_key_string(JSON, "schema", "picklesight-report/1");
  pks_base_json_key_string(JSON, "version", pks_version());
  pks_report_json_targets(report);
  key_open(JSON, "payloads", '[');
}

/* A payload that is no pickle. */
static void write_format(pks_json *json, const pks_subject *s) {
  pks_pyc pyc = {.size = sizeof pyc};
  if (s->summary.format == PKS_PAYLOAD_PICKLE) return;
  pks_base_json_key_string(json, "format",
                           s->summary.format == PKS_PAYLOAD_PYC ? "pyc" : "marshal");
  if (pks_inspector_pyc(s->inspector, &pyc) != PKS_OK) return;
  key_open(json, "pyc", '{');
  pks_base_json_key_uint(json, "magic", pyc.magic);
  pks_base_json_key_string(json, "python", pyc.python);
  if (pyc.hashed) {
    char text[17];
    for (unsigned i = 0; i < 16; i++) {
      uint8_t byte = (uint8_t)(pyc.source_hash >> i / 2 * 8);
      text[i] = "0123456789abcdef"[i & 1 ? byte & 15 : byte >> 4];
    }
    text[16] = 0;
    pks_base_json_key_string(json, "source_hash", text);
    pks_base_json_key_bool(json, "checked", pyc.checked != 0);
  } else {
    pks_base_json_key_uint(json, "source_time", pyc.source_time);
    pks_base_json_key_uint(json, "source_size", pyc.source_size);
  }
  pks_base_json_close(json);
}

static void write_head(pks_json *json, const pks_subject *s) {
  pks_base_json_key_path(json, "path", s->place.path);
  pks_base_json_key_path(json, "member", s->place.member);
  pks_base_json_key_string(json, "container", s->place.container);
  pks_base_json_key_known(json, "offset", s->place.offset);
  pks_base_json_key_known(json, "size", s->bytes);
  write_format(json, s);
  pks_base_json_key_known(json, "protocol", s->inspector ? s->summary.protocol : -1);
  pks_base_json_key_bool(json, "complete", s->complete);
  pks_base_json_key_bool(json, "ambiguous", s->summary.ambiguous != 0);
  pks_report_json_error(json, &s->error, s->place.looks_like);
  pks_base_json_key_string(json, "skipped", s->place.skipped);
  pks_base_json_key(json, "limit");
  if (s->summary.limit == PKS_OK)
    pks_base_json_null(json);
  else
    pks_base_json_string(json, pks_status_name(s->summary.limit));
  if (s->summary.limit != PKS_OK)
    pks_base_json_key_uint(json, "limit_offset", s->summary.limit_offset);
  pks_base_json_key_uint(json, "ops", s->summary.ops);
}

pks_status pks_report_json_facts(pks_report *report, const pks_subject *s) {
  begin(report);
  pks_base_json_open(JSON, '{');
  write_head(JSON, s);
  write_globals(JSON, s);
  write_calls(JSON, s);
  write_codes(report, s);
  pks_status status = write_module_lists(report, s);
  write_asks(JSON, s);
  write_assumed(JSON, s);
  write_requires(JSON, s);
  write_readings(JSON, s);
  pks_report_json_results(report, s);
  key_empty(JSON, "findings");
  if (s->place.events) write_events(JSON, s);
  pks_base_json_close(JSON);
  if (report->format == PKS_FORMAT_JSONL) pks_base_json_line(JSON);
  return status;
}

void pks_report_json_end(pks_report *report, uint64_t files) {
  begin(report);
  if (report->format == PKS_FORMAT_JSON)
    pks_base_json_close(JSON);
  else
    pks_base_json_open(JSON, '{');
  key_open(JSON, "summary", '{');
  pks_base_json_key_uint(JSON, "files", files);
  pks_base_json_key_uint(JSON, "payloads", report->payloads);
  pks_base_json_key_uint(JSON, "loads", report->loads);
  pks_base_json_key_uint(JSON, "unsure", report->unsure);
  pks_base_json_key_uint(JSON, "fails", report->fails);
  pks_base_json_key_uint(JSON, "broken", report->broken);
  pks_base_json_key_uint(JSON, "skipped", report->skipped);
  pks_base_json_key_uint(JSON, "findings", 0);
  pks_base_json_close(JSON);
  pks_base_json_close(JSON);
  pks_base_json_line(JSON);
}
