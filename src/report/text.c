/* report/text.c - for people: what it looks up, calls and carries; what went wrong comes last. */
#include "report/report.h"

#include <string.h>

#define OUT (&report->out.text)
#define MAX_NAME 160 /* bytes of a name that are shown */
#define OFFSET_WIDTH 10

static void heading(pks_text_out *out, const char *text) {
  pks_report_put(out, "  ");
  pks_report_paint(out, PKS_PAINT_BOLD);
  pks_report_put(out, text);
  pks_report_paint(out, PKS_PAINT_PLAIN);
  pks_report_put(out, "\n");
}

/* "    123456  " */
static void at(pks_text_out *out, uint64_t offset) {
  pks_report_paint(out, PKS_PAINT_DIM);
  pks_report_put_offset(out, offset, OFFSET_WIDTH);
  pks_report_paint(out, PKS_PAINT_PLAIN);
  pks_report_put(out, "  ");
}

static void put_times(pks_text_out *out, uint64_t count) {
  if (count < 2) return;
  pks_report_put(out, "  x");
  pks_report_put_uint(out, count);
}

static void put_span(pks_text_out *out, pks_span text) { pks_report_put_text(out, text, MAX_NAME); }

/* "module name", with "?" for what only a run could tell */
static void put_name(pks_text_out *out, const pks_global *g, const char *between) {
  if (g->certain || g->module.size)
    put_span(out, g->module);
  else
    pks_report_put(out, "?");
  pks_report_put(out, between);
  if (g->certain || g->name.size)
    put_span(out, g->name);
  else
    pks_report_put(out, "?");
}

static void put_callee(pks_text_out *out, const pks_inspector *inspector, size_t call) {
  pks_global g;
  size_t results = pks_report_callee(inspector, call, &g);
  for (size_t i = 0; i < results; i++) pks_report_put(out, "result of ");
  if (pks_report_known(&g))
    put_name(out, &g, ".");
  else
    pks_report_put(out, results ? "?" : "something only a run could tell");
}

/* ---- groups ------------------------------------------------------------------------------------ */

static void put_format(pks_text_out *out, const pks_subject *s) {
  pks_pyc pyc = {.size = sizeof pyc};
  if (s->summary.format == PKS_PAYLOAD_PICKLE) {
    pks_report_put(out, " protocol ");
    pks_report_put_int(out, s->summary.protocol);
  } else if (s->summary.format == PKS_PAYLOAD_MARSHAL) {
    pks_report_put(out, " marshal");
  } else if (pks_inspector_pyc(s->inspector, &pyc) == PKS_OK) {
    pks_report_put(out, " .pyc with magic ");
    pks_report_put_uint(out, pyc.magic);
  } else {
    pks_report_put(out, " .pyc");
  }
}

static void write_head(pks_text_out *out, const pks_subject *s) {
  pks_report_paint(out, PKS_PAINT_BOLD);
  pks_report_put_string(out, s->place.path ? s->place.path : "payload");
  pks_report_paint(out, PKS_PAINT_PLAIN);
  if (s->place.member) {
    pks_report_put(out, ", ");
    pks_report_put_string(out, s->place.member);
  }
  if (s->place.offset > 0) {
    pks_report_put(out, ", pickle at ");
    pks_report_put_int(out, s->place.offset);
  }
  pks_report_put(out, ":");
  if (s->place.container && strcmp(s->place.container, "raw") != 0) {
    pks_report_put(out, " ");
    pks_report_put_string(out, s->place.container);
    pks_report_put(out, ",");
  }
  if (!s->inspector) {
    pks_report_put(out, s->place.skipped || s->error.status != PKS_OK ? " not read\n" : "\n");
    return;
  }
  put_format(out, s);
  if (s->bytes >= 0) {
    pks_report_put(out, ", ");
    pks_report_put_int(out, s->bytes);
    pks_report_put(out, s->bytes == 1 ? " byte" : " bytes");
  }
  if (!s->checked && s->summary.format == PKS_PAYLOAD_PICKLE) {
    pks_report_put(out, ", ");
    pks_report_put_uint(out, s->summary.ops);
    pks_report_put(out, s->summary.ops == 1 ? " opcode" : " opcodes");
  }
  pks_report_put(out, "\n");
}

static void put_used(pks_text_out *out, uint32_t used) {
  static const struct {
    uint32_t bit;
    const char *name;
  } words[] = {{PKS_USED_CALL, "called"},       {PKS_USED_NEW, "made by __new__"},
               {PKS_USED_BUILD, "given state"}, {PKS_USED_REFERENCE, "referred to"},
               {PKS_USED_BASE, "a base class"}, {PKS_USED_KEY, "a key"}};
  const char *before = ": ";
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (!(used & words[i].bit)) continue;
    pks_report_put(out, before);
    pks_report_put(out, words[i].name);
    before = ", ";
  }
}

static bool same(pks_span a, pks_span b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static void write_globals(pks_text_out *out, const pks_subject *s) {
  pks_global g = {.size = sizeof g};
  if (s->summary.globals) heading(out, "looks up");
  for (size_t i = 0; i < s->summary.globals; i++) {
    if (pks_inspector_global(s->inspector, i, &g) != PKS_OK) continue;
    at(out, g.offset);
    put_name(out, &g, " ");
    put_used(out, g.used);
    put_times(out, g.count);
    if (strcmp(g.via, "argument") == 0) pks_report_put(out, "  (named in an argument)");
    if (!g.certain) pks_report_put(out, "  (uncertain)");
    if (!same(g.module, g.spelled_module) || !same(g.name, g.spelled_name)) {
      pks_report_put(out, "  (spelled ");
      put_span(out, g.spelled_module);
      pks_report_put(out, " ");
      put_span(out, g.spelled_name);
      pks_report_put(out, ")");
    }
    pks_report_put(out, "\n");
  }
}

static void write_calls(pks_text_out *out, const pks_subject *s) {
  pks_call call = {.size = sizeof call};
  if (s->summary.calls) heading(out, "calls");
  for (size_t i = 0; i < s->summary.calls; i++) {
    if (pks_inspector_call(s->inspector, i, &call) != PKS_OK) continue;
    at(out, call.offset);
    put_callee(out, s->inspector, i);
    pks_report_put(out, "  by ");
    pks_report_put(out, call.via);
    put_times(out, call.count);
    pks_report_put(out, "\n");
  }
}

/* Which Python's bytecode it is. */
static void put_versions(pks_text_out *out, const pks_code *code) {
  if (code->magic_count == 0) pks_report_put(out, "  of no known Python");
  for (size_t i = 0; i < code->magic_count; i++) {
    pks_report_put(out, i ? " or " : "  ");
    pks_report_put(out, code->python[i]);
  }
}

static void write_codes(pks_report *report, const pks_subject *s) {
  pks_text_out *out = OUT;
  pks_code code = {.size = sizeof code};
  if (s->summary.codes) heading(out, "carries code");
  for (size_t i = 0; i < s->summary.codes; i++) {
    if (pks_inspector_code(s->inspector, i, &code) != PKS_OK) continue;
    at(out, code.offset);
    if (code.qualname.data || code.name.data)
      put_span(out, code.qualname.data ? code.qualname : code.name);
    else
      pks_report_put(out, "?");
    if (code.file.data) {
      pks_report_put(out, "  ");
      put_span(out, code.file);
      if (code.line >= 0) {
        pks_report_put(out, ":");
        pks_report_put_int(out, code.line);
      }
    }
    put_versions(out, &code);
    pks_report_put(out, "  (");
    pks_report_put(out, code.how);
    pks_report_put(out, ")\n");
    pks_report_text_listing(report, s, i, &code);
  }
}

static pks_status write_list(pks_report *report, const pks_subject *s, const char *what,
                             pks_module_list list) {
  pks_status status = pks_report_modules(report, s, list);
  if (status != PKS_OK || report->modules.count == 0) return status;
  pks_report_put(OUT, "  ");
  pks_report_put(OUT, what);
  for (size_t i = 0; i < report->modules.count; i++) {
    pks_report_put(OUT, i ? ", " : ": ");
    put_span(OUT, PKS_VEC_AT(&report->modules, pks_span, i));
  }
  pks_report_put(OUT, "\n");
  return status;
}

static pks_status write_modules(pks_report *report, const pks_subject *s) {
  pks_status first = write_list(report, s, "imports to load", PKS_MODULES_BY_REFERENCE);
  pks_status second = write_list(report, s, "carries by value from", PKS_MODULES_BY_VALUE);
  pks_status third = write_list(report, s, "its code may import", PKS_MODULES_WHEN_RUN);
  return first != PKS_OK ? first : second != PKS_OK ? second : third;
}

static void put_count(pks_text_out *out, const char *what, uint64_t count) {
  if (count == 0) return;
  pks_report_put(out, "  ");
  pks_report_put(out, what);
  pks_report_put(out, ": ");
  pks_report_put_uint(out, count);
  pks_report_put(out, "\n");
}

static void write_reading(pks_text_out *out, const pks_subject *s, size_t index) {
  static const char *const ways[] = {": ", ", as a stream: ", ", from a file: "};
  pks_other_reading reading = {.size = sizeof reading};
  const pks_inspector *other = pks_inspector_reading(s->inspector, index, &reading);
  pks_summary summary = {.size = sizeof summary};
  if (!other) return;
  pks_inspector_summary(other, &summary);
  pks_report_put(out, "    ");
  pks_report_put(out, reading.profile);
  pks_report_put(out, ways[reading.read]);
  pks_report_put(out,
                 reading.status == PKS_END ? "reads to the end" : pks_status_name(reading.status));
  for (size_t i = 0; i < summary.globals; i++) {
    pks_global g = {.size = sizeof g};
    if (pks_inspector_global(other, i, &g) != PKS_OK) continue;
    pks_report_put(out, i ? ", " : ", names ");
    put_name(out, &g, ".");
  }
  pks_report_put(out, "\n");
}

static void write_ambiguous(pks_text_out *out, const pks_subject *s) {
  if (!s->summary.ambiguous) return;
  pks_report_put(out, "  ambiguous: another interpreter or way of reading reads it differently\n");
  for (size_t i = 0; i < s->summary.readings; i++) write_reading(out, s, i);
}

static void write_asks(pks_text_out *out, const pks_subject *s) {
  put_count(out, "persistent ids (needs persistent_load)", s->summary.persistent_ids);
  put_count(out, "out-of-band buffers", s->summary.buffers);
  for (size_t i = 0; i < s->summary.extensions; i++) {
    uint32_t code = 0;
    uint64_t offset = 0;
    if (pks_inspector_extension(s->inspector, i, &code, &offset) != PKS_OK) continue;
    pks_report_put(out, i ? ", " : "  extension codes: ");
    pks_report_put_uint(out, code);
  }
  if (s->summary.extensions) pks_report_put(out, "\n");
  if (s->summary.encoding_needed) {
    pks_report_put(out, "  needs an encoding: Python 2 string at ");
    pks_report_put_uint(out, s->summary.encoding_offset);
    pks_report_put(out, "\n");
  }
  write_ambiguous(out, s);
}

static void write_assumed(pks_text_out *out, const pks_subject *s) {
  pks_assumption assumed = {.size = sizeof assumed};
  if (s->summary.assumed) heading(out, "assumes");
  for (size_t i = 0; i < s->summary.assumed; i++) {
    if (pks_inspector_assumption(s->inspector, i, &assumed) != PKS_OK) continue;
    at(out, assumed.offset);
    pks_report_put(out, assumed.text);
    put_times(out, assumed.count);
    pks_report_put(out, "\n");
  }
}

/* ---- the full sequence ------------------------------------------------------------------------- */

static void write_event(pks_text_out *out, const pks_inspector *inspector, const pks_event *event) {
  pks_global global = {.size = sizeof global};
  uint32_t code = 0;
  at(out, event->offset);
  switch (event->kind) {
    case PKS_EVENT_GLOBAL:
      pks_report_put(out, "look up ");
      if (pks_inspector_global(inspector, event->index, &global) == PKS_OK)
        put_name(out, &global, " ");
      break;
    case PKS_EVENT_CALL:
      pks_report_put(out, "call ");
      put_callee(out, inspector, event->index);
      break;
    case PKS_EVENT_PERSID: pks_report_put(out, "call persistent_load"); break;
    case PKS_EVENT_BUFFER: pks_report_put(out, "take a buffer"); break;
    case PKS_EVENT_EXTENSION:
      pks_report_put(out, "look up extension code ");
      (void)pks_inspector_extension(inspector, event->index, &code, NULL);
      pks_report_put_uint(out, code);
      break;
    case PKS_EVENT_BUILD: pks_report_put(out, "set state"); break;
  }
  pks_report_put(out, "\n");
}

static void write_events(pks_text_out *out, const pks_subject *s) {
  pks_event event = {.size = sizeof event};
  if (s->summary.events) heading(out, "in order");
  for (size_t i = 0; i < s->summary.events; i++)
    if (pks_inspector_event(s->inspector, i, &event) == PKS_OK)
      write_event(out, s->inspector, &event);
}

/* ---- what went wrong --------------------------------------------------------------------------- */

static void write_error(pks_text_out *out, const pks_subject *s) {
  pks_report_put(out, "  ");
  pks_report_paint(out, PKS_PAINT_RED);
  pks_report_put(out, "error");
  pks_report_paint(out, PKS_PAINT_PLAIN);
  pks_report_put(out, " at offset ");
  pks_report_put_uint(out, s->error.offset);
  if (s->error.opcode) {
    pks_report_put(out, ", ");
    pks_report_put(out, s->error.opcode);
  }
  pks_report_put(out, ": ");
  pks_report_put_string(out, s->error.text);
  pks_report_put(out, " (");
  pks_report_put(out, pks_status_name(s->error.status));
  if (s->error.exception) {
    pks_report_put(out, ", ");
    pks_report_put(out, s->error.exception);
  }
  pks_report_put(out, ")");
  pks_report_put_stored(out, &s->error);
  pks_report_put(out, "\n");
  if (s->place.looks_like) {
    pks_report_put(out, "  looks like ");
    pks_report_put_string(out, s->place.looks_like);
    pks_report_put(out, "\n");
  }
}

static void write_trouble(pks_text_out *out, const pks_subject *s) {
  if (s->place.skipped) {
    pks_report_put(out, "  skipped: ");
    pks_report_put_string(out, s->place.skipped);
    pks_report_put(out, "\n");
  }
  if (s->summary.limit != PKS_OK) {
    pks_report_put(out, "  not all was readable: ");
    pks_report_put(out, pks_status_text(s->summary.limit));
    pks_report_put(out, " (at ");
    pks_report_put_uint(out, s->summary.limit_offset);
    pks_report_put(out, ")");
    pks_report_put(out, "\n");
  }
  if (s->error.status != PKS_OK) write_error(out, s);
}

/* Verdicts; and what they do not say. Where a target's reader stops is said as a reason, but not of a
 * payload that no reader takes. */
static void write_checked(pks_report *report, const pks_subject *s) {
  pks_status_class class = pks_status_classify(s->error.status);
  bool told = class == PKS_CLASS_MALFORMED || class == PKS_CLASS_UNSUPPORTED;
  for (size_t i = 0; i < s->check_count; i++)
    if (!s->checks[i]->target || s->checks[i]->verdict == PKS_VERDICT_BROKEN) told = false;
  pks_report_text_results(report, s);
  if (s->inspector) write_ambiguous(OUT, s);
  if (s->verbose) write_assumed(OUT, s);
  if (!told || s->place.error || !s->inspector) write_trouble(OUT, s);
}

pks_status pks_report_text_facts(pks_report *report, const pks_subject *s) {
  OUT->color = s->place.color != 0;
  OUT->width = s->place.width > 0 ? (size_t)s->place.width : 0;
  if (report->payloads > 1) pks_report_put(OUT, "\n");
  write_head(OUT, s);
  if (s->checked) {
    write_checked(report, s);
    return PKS_OK;
  }
  write_globals(OUT, s);
  write_calls(OUT, s);
  write_codes(report, s);
  pks_status status = write_modules(report, s);
  write_asks(OUT, s);
  write_assumed(OUT, s);
  if (s->place.events) write_events(OUT, s);
  write_trouble(OUT, s);
  return status;
}

static void put_counted(pks_text_out *out, uint64_t count, const char *one, const char *many) {
  pks_report_put_uint(out, count);
  pks_report_put(out, " ");
  pks_report_put(out, count == 1 ? one : many);
}

/* One payload says all itself. */
void pks_report_text_end(pks_report *report, uint64_t files) {
  if (report->payloads < 2) return;
  pks_report_put(OUT, "\n");
  put_counted(OUT, files, "file", "files");
  pks_report_put(OUT, ", ");
  put_counted(OUT, report->payloads, "payload", "payloads");
  if (report->loads) {
    pks_report_put(OUT, ", ");
    put_counted(OUT, report->loads, "loads", "load");
  }
  if (report->fails) {
    pks_report_put(OUT, ", ");
    put_counted(OUT, report->fails, "fails", "fail");
  }
  if (report->broken) {
    pks_report_put(OUT, ", ");
    put_counted(OUT, report->broken, "broken", "broken");
  }
  if (report->unsure) {
    pks_report_put(OUT, ", ");
    put_counted(OUT, report->unsure, "unsure", "unsure");
  }
  if (report->skipped) {
    pks_report_put(OUT, ", ");
    put_counted(OUT, report->skipped, "skipped", "skipped");
  }
  pks_report_put(OUT, "\n");
}
