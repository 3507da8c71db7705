/* api/api_report.c - the public functions over report. */
#include "report/report.h"

pks_report *pks_report_new(pks_format format, pks_write_fn write, void *user,
                           const pks_alloc *alloc) {
  if (!write || (int)format < PKS_FORMAT_TEXT || (int)format > PKS_FORMAT_JSONL) return NULL;
  return pks_report_make(format, write, user, alloc);
}

void pks_report_free(pks_report *report) { pks_report_drop(report); }

pks_status pks_report_facts(pks_report *report, const pks_place *place,
                            const pks_inspector *inspector) {
  return report && place ? pks_report_add(report, place, inspector, NULL, 0, 0, 0) : PKS_E_USAGE;
}

pks_status pks_report_target(pks_report *report, const pks_target *target) {
  return report && target ? pks_report_add_target(report, target) : PKS_E_USAGE;
}

pks_status pks_report_checks(pks_report *report, const pks_place *place,
                             const pks_inspector *inspector, pks_check *const *checks, size_t count,
                             int best, int verbose) {
  if (!report || !place || !checks) return PKS_E_USAGE;
  return pks_report_add(report, place, inspector, checks, count, best, verbose);
}

pks_status pks_report_finish(pks_report *report, uint64_t files) {
  return report ? pks_report_end(report, files) : PKS_E_USAGE;
}
