/* api/api_target.c - the public functions over match. */
#include "match/check.h"

pks_status pks_target_builtin(const char *name, const pks_alloc *alloc, pks_target **out) {
  if (!name || !out) return PKS_E_USAGE;
  return pks_match_target_named(alloc, name, out, NULL);
}

pks_status pks_target_read(const void *json, size_t size, const pks_alloc *alloc, pks_target **out,
                           pks_error *error) {
  if ((!json && size) || !out) return PKS_E_USAGE;
  return pks_match_target_read(alloc, json, size, out, error);
}

pks_status pks_target_captured(const void *json, size_t size, const pks_alloc *alloc,
                               pks_target **out, pks_error *error) {
  if ((!json && size) || !out) return PKS_E_USAGE;
  return pks_match_target_captured(alloc, json, size, out, error);
}

void pks_target_free(pks_target *target) { pks_match_target_free(target); }

pks_status pks_target_with(pks_target *target, const char *requirement) {
  if (!target || !requirement) return PKS_E_USAGE;
  return pks_match_target_with(target, requirement, NULL);
}

pks_status pks_target_bare(pks_target *target) {
  return target ? pks_match_target_bare(target, NULL) : PKS_E_USAGE;
}

pks_status pks_target_loader(pks_target *target, const char *loader) {
  pks_match_loading loading = {.loader = loader};
  if (!target || !loader) return PKS_E_USAGE;
  return pks_match_target_loading(target, &loading, NULL);
}

pks_status pks_target_describe(const pks_target *target, pks_target_info *info) {
  if (!target || !info || info->size < sizeof info->size) return PKS_E_USAGE;
  return pks_match_describe(target, info) ? PKS_OK : PKS_E_USAGE;
}

size_t pks_target_count(void) { return pks_match_version_count; }

const char *pks_target_name(size_t index) {
  return index < pks_match_version_count ? pks_match_version_name((unsigned)index) : NULL;
}

/* ASCII, strictly, is what a loader has that was told nothing. It is left to the check, so that the reading
 * goes on past the first string that it does not decode. */
pks_status pks_target_options(const pks_target *target, pks_options *options) {
  if (!target || !options || options->size < sizeof *options) return PKS_E_USAGE;
  const pks_match_facts *f = &target->facts;
  pks_strings strings;
  options->python = f->python;
  bool pypy = strcmp(target->implementation, "pypy") == 0 && f->python >= PKS_PYTHON(3, 0, 0);
  options->implementation = pypy ? PKS_IMPLEMENTATION_PYPY : PKS_IMPLEMENTATION_CPYTHON;
  /* pickle5, the unpickler of 3.8 for 3.5 to 3.7 */
  if (f->max_protocol == 5 && f->python >= PKS_PYTHON(3, 5, 0) && f->python < PKS_PYTHON(3, 8, 0))
    options->python = PKS_PYTHON(3, 8, 0);
  if (f->python < PKS_PYTHON(3, 0, 0)) options->encoding = options->errors = NULL; /* it has none */
  if (!options->encoding && f->encoding) {
    const char *errors = options->errors ? options->errors : f->errors;
    pks_decode_strings(&strings, f->encoding, errors);
    if (strings.encoding != PKS_ENCODING_ASCII || strings.errors != PKS_HANDLER_STRICT) {
      options->encoding = f->encoding;
      options->errors = errors;
    }
  }
  if (options->persistent_load == PKS_ANSWER_UNKNOWN && f->persistent_load == PKS_ANSWER_YES)
    options->persistent_load = PKS_ANSWER_YES;
  return PKS_OK;
}

typedef struct sink {
  pks_write_fn write;
  void *user;
  pks_status status;
} sink;

static void write_piece(void *user, const void *data, size_t size) {
  sink *to = user;
  if (to->status == PKS_OK && to->write(to->user, data, size) != 0) to->status = PKS_E_IO;
}

pks_status pks_target_write(const pks_target *target, pks_write_fn write, void *user) {
  sink to = {write, user, PKS_OK};
  if (!target || !write) return PKS_E_USAGE;
  pks_match_target_write(target, write_piece, &to);
  return to.status;
}

/* ---- checks ---------------------------------------------------------------------------------------- */

pks_check *pks_check_new(const pks_alloc *alloc) { return pks_match_check_new(alloc); }

void pks_check_free(pks_check *check) { pks_match_check_free(check); }

pks_status pks_check_run(pks_check *check, const pks_inspector *inspector, const pks_target *target,
                         pks_result *result) {
  if (!check || !inspector) return PKS_E_USAGE;
  if (result && result->size < sizeof result->size) return PKS_E_USAGE;
  pks_status status = pks_match_check(check, inspector, target);
  if (status != PKS_OK || !result) return status;
  pks_result all = {.verdict = check->verdict,
                    .parse = check->parse,
                    .load = check->load,
                    .run = check->run,
                    .needs = check->findings.count};
  all.size = result->size < sizeof all ? result->size : sizeof all;
  memcpy(result, &all, all.size);
  return PKS_OK;
}

pks_status pks_check_need(pks_check *check, size_t index, pks_need *out) {
  pks_need all;
  if (!check || !out || out->size < sizeof out->size || index >= check->findings.count)
    return PKS_E_USAGE;
  pks_match_explain(check, index, &all);
  all.size = out->size < sizeof all ? out->size : sizeof all;
  memcpy(out, &all, all.size);
  return PKS_OK;
}
