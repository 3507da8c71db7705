/* report/checks.c - verdicts and needs, for programs and for people. */
#include "needs/needs.h"
#include "match/check.h"
#include "report/report.h"

#include <string.h>

#define JSON (&report->out.json)
#define OUT (&report->out.text)

const char *pks_report_verdict_name(pks_verdict verdict) {
  static const char *const names[] = {"loads", "unsure", "fails", "broken"};
  return names[verdict];
}

static const char *outcome_name(pks_outcome outcome, bool run) {
  switch (outcome) {
    case PKS_OUTCOME_YES: return run ? "runs" : "loads";
    case PKS_OUTCOME_NO: return "fails";
    case PKS_OUTCOME_NONE: return "none";
    case PKS_OUTCOME_UNKNOWN: break;
  }
  return "unknown";
}

static const char *state_name(pks_state state) {
  static const char *const names[] = {"met", "missing", "different", "unknown"};
  return names[state];
}

pks_verdict pks_report_verdict(const pks_subject *s) {
  pks_verdict verdict = s->best ? PKS_VERDICT_BROKEN : PKS_VERDICT_LOADS;
  for (size_t i = 0; i < s->check_count; i++) {
    pks_verdict one = s->checks[i]->verdict;
    if (s->best ? one < verdict : one > verdict) verdict = one;
  }
  return verdict;
}

static bool describe(const pks_check *check, pks_target_info *info) {
  return check->target && pks_match_describe(check->target, info);
}

/* Met needs are shown only when asked for; without a target every need is. */
static bool is_shown(const pks_subject *s, const pks_check *check, const pks_need *need) {
  return s->verbose || !check->target || need->state != PKS_STATE_MET;
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

void pks_report_json_targets(pks_report *report) {
  pks_base_json_key(JSON, "targets");
  pks_base_json_open(JSON, '[');
  for (size_t i = 0; i < report->targets.count; i++) {
    pks_target_info info = {.size = sizeof info};
    if (!pks_match_describe(PKS_VEC_AT(&report->targets, const pks_match_target *, i), &info))
      continue;
    pks_base_json_open(JSON, '{');
    pks_base_json_key_string(JSON, "id", info.id);
    pks_base_json_key_string(JSON, "name", info.name);
    pks_base_json_key_string(JSON, "implementation", info.implementation);
    pks_base_json_key_string(JSON, "version", info.version);
    pks_base_json_key(JSON, "magic");
    pks_base_json_uint(JSON, info.magic);
    pks_base_json_key(JSON, "max_protocol");
    pks_base_json_int(JSON, info.max_protocol);
    pks_base_json_close(JSON);
  }
  pks_base_json_close(JSON);
}

static void write_needs(pks_report *report, const pks_subject *s, pks_check *check) {
  pks_need need = {.size = sizeof need};
  pks_base_json_key(JSON, "needs");
  pks_base_json_open(JSON, '[');
  for (size_t i = 0; i < check->findings.count; i++) {
    pks_match_explain(check, i, &need);
    if (!is_shown(s, check, &need)) continue;
    pks_base_json_open(JSON, '{');
    pks_base_json_key_string(JSON, "kind", pks_needs_kind_name(need.kind));
    pks_base_json_key_string(JSON, "phase", pks_needs_phase_name(need.phase));
    pks_base_json_key_string(JSON, "what", need.what);
    pks_base_json_key_string(JSON, "state", state_name(need.state));
    pks_base_json_key(JSON, "offset");
    pks_base_json_uint(JSON, need.offset);
    pks_base_json_key_string(JSON, "why", need.why);
    pks_base_json_key_string(JSON, "hint", need.hint);
    pks_base_json_close(JSON);
  }
  pks_base_json_close(JSON);
}

void pks_report_json_results(pks_report *report, const pks_subject *s) {
  pks_base_json_key(JSON, "results");
  pks_base_json_open(JSON, '[');
  for (size_t i = 0; s->inspector && i < s->check_count; i++) {
    pks_check *check = s->checks[i];
    pks_target_info info = {.size = sizeof info};
    bool known = describe(check, &info);
    pks_base_json_open(JSON, '{');
    pks_base_json_key_string(JSON, "target", known ? info.name : NULL);
    pks_base_json_key_string(JSON, "verdict", pks_report_verdict_name(check->verdict));
    pks_base_json_key_string(JSON, "parse", outcome_name(check->parse, false));
    pks_base_json_key_string(JSON, "load", outcome_name(check->load, false));
    pks_base_json_key_string(JSON, "run", outcome_name(check->run, true));
    write_needs(report, s, check);
    pks_base_json_close(JSON);
  }
  pks_base_json_close(JSON);
}

/* ---- text ------------------------------------------------------------------------------------------ */

#define MOST 10 /* reasons of a target that are shown without -v */

/* What follows the verdict. */
static const char *verdict_words(const pks_check *check) {
  static const char *const loads[] = {" and runs", "", "", ""};
  static const char *const run[] = {"", ": it loads; whether it runs is not known",
                                    ": it does not run", ""};
  switch (check->verdict) {
    case PKS_VERDICT_BROKEN: return ": no Python that is known here reads it to its end";
    case PKS_VERDICT_LOADS: return loads[check->run];
    case PKS_VERDICT_UNSURE:
    case PKS_VERDICT_FAILS: break;
  }
  if (check->parse == PKS_OUTCOME_NO) return ": its unpickler does not read it";
  if (check->load == PKS_OUTCOME_NO) return ": it does not load";
  if (check->load == PKS_OUTCOME_YES && check->run == PKS_OUTCOME_NO)
    return ": it loads, but does not run";
  if (check->parse == PKS_OUTCOME_UNKNOWN && check->run != PKS_OUTCOME_NO)
    return ": whether it can be read to its end is not known";
  if (check->load == PKS_OUTCOME_UNKNOWN && check->run != PKS_OUTCOME_NO)
    return ": whether it loads is not known";
  return run[check->run];
}

/* "cpython-3.12: fails: it loads, but does not run" */
static void write_verdict(pks_text_out *out, const pks_check *check, const char *name) {
  static const pks_paint paints[] = {PKS_PAINT_GREEN, PKS_PAINT_YELLOW, PKS_PAINT_RED,
                                     PKS_PAINT_RED};
  pks_report_put(out, "  ");
  pks_report_put_string(out, name);
  pks_report_put(out, ": ");
  pks_report_paint(out, paints[check->verdict]);
  pks_report_put(out, pks_report_verdict_name(check->verdict));
  pks_report_paint(out, PKS_PAINT_PLAIN);
  pks_report_put(out, verdict_words(check));
  pks_report_put(out, "\n");
}

static void put_at(pks_text_out *out, uint64_t offset, size_t column, size_t indent) {
  char text[32] = "(at ", digits[24];
  size_t at = sizeof digits, end = 4;
  do digits[--at] = (char)('0' + offset % 10);
  while (offset /= 10);
  memcpy(text + end, digits + at, sizeof digits - at);
  end += sizeof digits - at;
  memcpy(text + end, ")", 2);
  if (out->width && column + 1 + end + 1 > out->width) {
    pks_report_put(out, "\n");
    pks_report_put_spaces(out, indent);
  } else {
    pks_report_put(out, " ");
  }
  pks_report_paint(out, PKS_PAINT_DIM);
  pks_report_put(out, text);
  pks_report_paint(out, PKS_PAINT_PLAIN);
  pks_report_put(out, "\n");
}

/* The reason, where it is, and what would help, unless that was just said. */
static void write_need(pks_text_out *out, const pks_need *need, char *last) {
  bool met = need->state == PKS_STATE_MET;
  pks_report_put(out, met ? "    + " : need->state == PKS_STATE_UNKNOWN ? "    ? " : "    - ");
  put_at(out, need->offset, pks_report_put_folded(out, met ? need->what : need->why, 6, 6), 6);
  if (met || !need->hint || strcmp(need->hint, last) == 0) return;
  pks_report_put_spaces(out, 6);
  pks_report_paint(out, PKS_PAINT_BOLD);
  pks_report_put(out, "hint:");
  pks_report_paint(out, PKS_PAINT_PLAIN);
  pks_report_put(out, " ");
  pks_report_put_folded(out, need->hint, 12, 12);
  pks_report_put(out, "\n");
  memcpy(last, need->hint, strlen(need->hint) + 1);
}

/* 0: it fails there; 1: not known; 2: met */
static int rank(uint8_t state) {
  return state == PKS_STATE_MET ? 2 : state == PKS_STATE_UNKNOWN ? 1 : 0;
}

/* What fails comes first. */
static void write_reasons(pks_text_out *out, const pks_subject *s, pks_check *check) {
  char last[sizeof check->hint] = "";
  size_t shown = 0, left = 0;
  for (int wanted = 0; wanted <= (s->verbose ? 2 : 1); wanted++) {
    for (size_t i = 0; i < check->findings.count; i++) {
      pks_need need = {.size = sizeof need};
      if (rank(PKS_VEC_AT(&check->findings, pks_finding, i).state) != wanted) continue;
      if (shown == MOST && !s->verbose) {
        left++;
        continue;
      }
      pks_match_explain(check, i, &need);
      write_need(out, &need, last);
      shown++;
    }
  }
  if (left == 0) return;
  pks_report_put(out, "    and ");
  pks_report_put_uint(out, left);
  pks_report_put(out, " more (-v shows all)\n");
}

/* Without a target: what is asked, in the order in which it matters. */
static void write_asked(pks_text_out *out, pks_check *check) {
  static const char *const headings[] = {"to be read", "to be loaded", "to be run"};
  for (int phase = PKS_PHASE_PARSE; phase <= PKS_PHASE_RUN; phase++) {
    bool headed = false;
    for (size_t i = 0; i < check->findings.count; i++) {
      pks_need need = {.size = sizeof need};
      pks_match_explain(check, i, &need);
      if ((int)need.phase != phase) continue;
      if (!headed) {
        pks_report_put(out, "  ");
        pks_report_paint(out, PKS_PAINT_BOLD);
        pks_report_put(out, headings[phase]);
        pks_report_paint(out, PKS_PAINT_PLAIN);
        pks_report_put(out, "\n");
        headed = true;
      }
      pks_report_put(out, "    ");
      put_at(out, need.offset, pks_report_put_folded(out, need.what, 4, 6), 6);
    }
  }
}

void pks_report_text_results(pks_report *report, const pks_subject *s) {
  for (size_t i = 0; s->inspector && i < s->check_count; i++) {
    pks_check *check = s->checks[i];
    pks_target_info info = {.size = sizeof info};
    if (describe(check, &info)) {
      write_verdict(OUT, check, info.name);
      if (check->verdict != PKS_VERDICT_BROKEN) write_reasons(OUT, s, check);
    } else {
      write_asked(OUT, check);
    }
  }
}
