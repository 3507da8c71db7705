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

static void key_string(pks_json *json, const char *key, const char *text) {
  pks_base_json_key(json, key);
  pks_base_json_string(json, text);
}

void pks_report_json_targets(pks_report *report) {
  pks_base_json_key(JSON, "targets");
  pks_base_json_open(JSON, '[');
  for (size_t i = 0; i < report->targets.count; i++) {
    pks_target_info info = {.size = sizeof info};
    if (!pks_match_describe(PKS_VEC_AT(&report->targets, const pks_match_target *, i), &info))
      continue;
    pks_base_json_open(JSON, '{');
    key_string(JSON, "id", info.id);
    key_string(JSON, "name", info.name);
    key_string(JSON, "implementation", info.implementation);
    key_string(JSON, "version", info.version);
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
    key_string(JSON, "kind", pks_needs_kind_name(need.kind));
    key_string(JSON, "phase", pks_needs_phase_name(need.phase));
    key_string(JSON, "what", need.what);
    key_string(JSON, "state", state_name(need.state));
    pks_base_json_key(JSON, "offset");
    pks_base_json_uint(JSON, need.offset);
    key_string(JSON, "why", need.why);
    key_string(JSON, "hint", need.hint);
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
    key_string(JSON, "target", known ? info.name : NULL);
    key_string(JSON, "verdict", pks_report_verdict_name(check->verdict));
    key_string(JSON, "parse", outcome_name(check->parse, false));
    key_string(JSON, "load", outcome_name(check->load, false));
    key_string(JSON, "run", outcome_name(check->run, true));
    write_needs(report, s, check);
    pks_base_json_close(JSON);
  }
  pks_base_json_close(JSON);
}

/* ---- text ------------------------------------------------------------------------------------------ */

static void write_need(pks_text_out *out, const pks_check *check, const pks_need *need) {
  pks_report_put(out, "    ");
  pks_report_put(out, need->what);
  if (check->target) {
    pks_report_put(out, ": ");
    pks_report_put(out, need->why);
  } else {
    pks_report_put(out, need->phase == PKS_PHASE_RUN ? ", to run" : "");
    pks_report_put(out, need->phase == PKS_PHASE_PARSE ? ", to read it" : "");
  }
  pks_report_paint(out, PKS_PAINT_DIM);
  pks_report_put(out, " (at ");
  pks_report_put_uint(out, need->offset);
  pks_report_put(out, ")");
  pks_report_paint(out, PKS_PAINT_PLAIN);
  pks_report_put(out, "\n");
  if (!check->target || !need->hint || need->state == PKS_STATE_MET) return;
  pks_report_put(out, "      ");
  pks_report_put(out, need->hint);
  pks_report_put(out, "\n");
}

/* "cpython-3.12: fails: it loads, but does not run" */
static void write_verdict(pks_text_out *out, const pks_check *check) {
  static const char *const run_words[] = {" and runs", "; running it is unsure", "; it fails to run",
                                          ""};
  pks_report_paint(out, check->verdict == PKS_VERDICT_LOADS ? PKS_PAINT_BOLD : PKS_PAINT_RED);
  pks_report_put(out, pks_report_verdict_name(check->verdict));
  pks_report_paint(out, PKS_PAINT_PLAIN);
  if (check->verdict == PKS_VERDICT_BROKEN) {
    pks_report_put(out, ": no Python reads it");
  } else if (check->verdict == PKS_VERDICT_LOADS) {
    pks_report_put(out, run_words[check->run]);
  } else if (check->parse == PKS_OUTCOME_NO) {
    pks_report_put(out, ": its unpickler cannot read it");
  } else if (check->load == PKS_OUTCOME_NO) {
    pks_report_put(out, ": loading it fails");
  } else {
    pks_report_put(out, check->load == PKS_OUTCOME_YES ? ": it loads" : ": loading it is unsure");
    pks_report_put(out, run_words[check->run]);
  }
  pks_report_put(out, "\n");
}

void pks_report_text_results(pks_report *report, const pks_subject *s) {
  pks_need need = {.size = sizeof need};
  for (size_t i = 0; s->inspector && i < s->check_count; i++) {
    pks_check *check = s->checks[i];
    pks_target_info info = {.size = sizeof info};
    if (describe(check, &info)) {
      pks_report_put(OUT, "  ");
      pks_report_put(OUT, info.name);
      pks_report_put(OUT, ": ");
      write_verdict(OUT, check);
    }
    for (size_t k = 0; k < check->findings.count; k++) {
      pks_match_explain(check, k, &need);
      if (is_shown(s, check, &need)) write_need(OUT, check, &need);
    }
  }
}
