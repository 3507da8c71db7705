/* report/report.c - the object, its counts, and what is gathered of a payload. */
#include "report/report.h"

#include <string.h>

pks_report *pks_report_make(pks_format format, pks_write_fn write, void *user,
                            const pks_alloc *alloc) {
  pks_limits limits = {.size = sizeof limits};
  if (pks_limits_init(&limits) != PKS_OK) return NULL;
  pks_report *report = pks_base_object_new(alloc, limits.max_memory, sizeof *report);
  if (!report) return NULL;
  report->format = format;
  if (format == PKS_FORMAT_TEXT)
    pks_report_text_init(&report->out.text, write, user);
  else
    pks_base_json_init(&report->out.json, write, user, format == PKS_FORMAT_JSON ? 4 : 0);
  return report;
}

void pks_report_drop(pks_report *report) {
  if (!report) return;
  pks_base_vec_free(&report->mem, &report->modules, sizeof(pks_span));
  pks_base_vec_free(&report->mem, &report->targets, sizeof(pks_match_target *));
  pks_listing_free(report->listing);
  pks_base_object_free(report, sizeof *report);
}

/* ---- a payload --------------------------------------------------------------------------------- */

static void gather(pks_subject *subject, const pks_place *place, const pks_inspector *inspector) {
  memset(subject, 0, sizeof *subject);
  subject->place.offset = subject->place.bytes = -1;
  size_t size = place->size < sizeof *place ? place->size : sizeof *place;
  memcpy(&subject->place, place, size);
  subject->inspector = inspector;
  subject->summary.size = sizeof subject->summary;
  subject->error.size = sizeof subject->error;
  if (inspector) {
    pks_inspector_summary(inspector, &subject->summary);
    pks_inspector_error(inspector, &subject->error);
  }
  if (subject->place.error) {
    size = subject->place.error->size;
    memcpy(&subject->error, subject->place.error,
           size < sizeof subject->error ? size : sizeof subject->error);
  }
  subject->complete = inspector && subject->summary.complete && subject->error.status == PKS_OK;
  subject->bytes = subject->place.bytes;
  if (subject->complete && subject->bytes < 0) subject->bytes = (int64_t)subject->summary.bytes;
}

static void count_facts(pks_report *report, const pks_subject *subject) {
  report->payloads++;
  if (subject->place.skipped)
    report->skipped++;
  else if (subject->error.status != PKS_OK &&
           pks_status_classify(subject->error.status) != PKS_CLASS_LIMIT)
    report->broken++;
  else if (!subject->complete)
    report->unsure++;
}

/* With checks every payload counts by its verdict. */
static void count_verdict(pks_report *report, const pks_subject *subject) {
  report->payloads++;
  if (subject->place.skipped || subject->place.error || !subject->inspector) {
    bool limit = pks_status_classify(subject->error.status) == PKS_CLASS_LIMIT;
    report->skipped += subject->place.skipped != NULL;
    report->unsure += subject->place.skipped == NULL && limit;
    report->broken += subject->place.skipped == NULL && !limit;
    return;
  }
  switch (pks_report_verdict(subject)) {
    case PKS_VERDICT_LOADS: report->loads++; break;
    case PKS_VERDICT_UNSURE: report->unsure++; break;
    case PKS_VERDICT_FAILS: report->fails++; break;
    case PKS_VERDICT_BROKEN: report->broken++; break;
  }
}

static bool flush(pks_report *report) {
  return report->format == PKS_FORMAT_TEXT ? pks_report_text_flush(&report->out.text)
                                           : pks_base_json_flush(&report->out.json);
}

pks_status pks_report_add_target(pks_report *report, const pks_match_target *target) {
  if (report->begun || report->payloads) return PKS_E_USAGE;
  const pks_match_target **slot = pks_base_vec_push(&report->mem, &report->targets, sizeof *slot);
  if (!slot) return report->mem.status;
  *slot = target;
  return PKS_OK;
}

pks_status pks_report_add(pks_report *report, const pks_place *place,
                          const pks_inspector *inspector, pks_check *const *checks, size_t count,
                          int best, int verbose) {
  pks_subject subject;
  if (report->ended || place->size < sizeof place->size) return PKS_E_USAGE;
  if (report->status != PKS_OK) return report->status;
  gather(&subject, place, inspector);
  subject.checks = checks;
  subject.check_count = count;
  subject.checked = checks != NULL;
  subject.best = best != 0;
  subject.verbose = verbose != 0;
  if (report->targets.count)
    count_verdict(report, &subject);
  else
    count_facts(report, &subject);
  pks_status status = report->format == PKS_FORMAT_TEXT ? pks_report_text_facts(report, &subject)
                                                        : pks_report_json_facts(report, &subject);
  if (!flush(report)) report->status = status = PKS_E_IO;
  return status;
}

pks_status pks_report_end(pks_report *report, uint64_t files) {
  if (report->ended) return PKS_E_USAGE;
  if (report->status != PKS_OK) return report->status;
  report->ended = true;
  if (report->format == PKS_FORMAT_TEXT)
    pks_report_text_end(report, files);
  else
    pks_report_json_end(report, files);
  if (!flush(report)) report->status = PKS_E_IO;
  return report->status;
}
