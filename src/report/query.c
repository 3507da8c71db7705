/* report/query.c - questions that more than one format asks of an inspector. */
#include "report/report.h"

#include <string.h>

bool pks_report_known(const pks_global *global) {
  return global->module.data && (global->certain || global->module.size || global->name.size);
}

size_t pks_report_callee(const pks_inspector *inspector, size_t index, pks_global *global) {
  pks_call call = {.size = sizeof call};
  size_t results = 0;
  memset(global, 0, sizeof *global);
  global->size = sizeof *global;
  if (pks_inspector_call(inspector, index, &call) != PKS_OK) return 0;
  while (call.result_of != SIZE_MAX && call.result_of < index) {
    if (results == PKS_REPORT_CHAIN) return results;
    index = call.result_of;
    results++;
    if (pks_inspector_call(inspector, index, &call) != PKS_OK) return results;
  }
  if (call.global != SIZE_MAX) (void)pks_inspector_global(inspector, call.global, global);
  return results;
}

/* ---- sorted modules ---------------------------------------------------------------------------- */

static int compare(const pks_span *a, const pks_span *b) {
  int order = memcmp(a->data, b->data, a->size < b->size ? a->size : b->size);
  return order ? order : (a->size > b->size) - (a->size < b->size);
}

static void sift(pks_span *items, size_t start, size_t count) {
  for (size_t root = start, child; (child = root * 2 + 1) < count; root = child) {
    if (child + 1 < count && compare(&items[child], &items[child + 1]) < 0) child++;
    if (compare(&items[root], &items[child]) >= 0) return;
    pks_span held = items[root];
    items[root] = items[child];
    items[child] = held;
  }
}

/* Heap sort: no recursion, no memory, and no input makes it slow. */
static void sort(pks_span *items, size_t count) {
  for (size_t start = count / 2; start-- > 0;) sift(items, start, count);
  for (size_t end = count; end-- > 1;) {
    pks_span held = items[0];
    items[0] = items[end];
    items[end] = held;
    sift(items, 0, end);
  }
}

static bool add(pks_report *report, pks_span name) {
  pks_vec *list = &report->modules;
  if (!name.data) return true;
  if (list->count && compare(&PKS_VEC_AT(list, pks_span, list->count - 1), &name) == 0) return true;
  pks_span *slot = pks_base_vec_push(&report->mem, list, sizeof *slot);
  if (slot) *slot = name;
  return slot != NULL;
}

static void unique(pks_vec *list) {
  pks_span *items = (pks_span *)(void *)list->data;
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (kept == 0 || compare(&items[kept - 1], &items[i]) != 0) items[kept++] = items[i];
  list->count = kept;
}

static bool add_looked_up(pks_report *report, const pks_subject *subject) {
  pks_global global = {.size = sizeof global};
  bool good = true;
  for (size_t i = 0; good && i < subject->summary.globals; i++) {
    if (pks_inspector_global(subject->inspector, i, &global) != PKS_OK) continue;
    if (global.certain && strcmp(global.via, "argument") != 0) good = add(report, global.module);
  }
  return good;
}

static bool add_named(pks_report *report, const pks_subject *subject, pks_module_kind kind) {
  pks_module module = {.size = sizeof module};
  bool good = true;
  for (size_t i = 0; good && i < subject->summary.modules; i++)
    if (pks_inspector_module(subject->inspector, i, &module) == PKS_OK && module.kind == kind)
      good = add(report, module.name);
  return good;
}

static bool add_imports(pks_report *report, const pks_subject *subject) {
  pks_code code = {.size = sizeof code};
  bool good = true;
  for (size_t i = 0; good && i < subject->summary.codes; i++) {
    if (pks_inspector_code(subject->inspector, i, &code) != PKS_OK) continue;
    for (size_t j = 0; good && j < code.import_count; j++)
      good = add(report,
                 code.imports[j].level > 0 ? code.imports[j].absolute : code.imports[j].module);
  }
  return good;
}

pks_status pks_report_modules(pks_report *report, const pks_subject *subject,
                              pks_module_list list) {
  bool good = true;
  report->modules.count = 0;
  switch (list) {
    case PKS_MODULES_BY_REFERENCE:
      good = add_looked_up(report, subject) && add_named(report, subject, PKS_MODULE_ARGUMENT);
      break;
    case PKS_MODULES_BY_VALUE: good = add_named(report, subject, PKS_MODULE_BY_VALUE); break;
    case PKS_MODULES_WHEN_RUN: good = add_imports(report, subject); break;
  }
  if (!good) return report->mem.status;
  sort((pks_span *)(void *)report->modules.data, report->modules.count);
  unique(&report->modules);
  return PKS_OK;
}
