/* cli/cmd_targets.c - picklesight targets, picklesight show. */
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "cli/cli.h"
#include "match/target.h"

/* ---- targets ------------------------------------------------------------------------------------- */

static void write_json(pks_json *json, const pks_target_info *info) {
  pks_base_json_open(json, '{');
  pks_base_json_key_string(json, "id", info->id);
  pks_base_json_key_string(json, "name", info->name);
  pks_base_json_key_string(json, "implementation", info->implementation);
  pks_base_json_key_string(json, "version", info->version);
  pks_base_json_key(json, "magic");
  pks_base_json_uint(json, info->magic);
  pks_base_json_key(json, "max_protocol");
  pks_base_json_int(json, info->max_protocol);
  pks_base_json_close(json);
}

static void write_text(pks_text_out *out, const pks_target_info *info) {
  pks_report_put_spaces(out, 2);
  size_t width = pks_report_put_string(out, info->name);
  pks_report_put_spaces(out, width < 13 ? 13 - width : 1);
  pks_report_put(out, "  protocols up to ");
  pks_report_put_int(out, info->max_protocol);
  pks_report_put(out, ", bytecode magic ");
  pks_report_put_uint(out, info->magic);
  pks_report_put(out, "\n");
}

typedef struct output {
  pks_format format;
  pks_json json;
  pks_text_out text;
} output;

static void list_target(pks_cli *cli, output *out, const char *name) {
  pks_target *target = pks_cli_target_open(cli, name);
  pks_target_info info = {.size = sizeof info};
  if (!target) return;
  if (pks_target_describe(target, &info) == PKS_OK) {
    if (out->format == PKS_FORMAT_TEXT)
      write_text(&out->text, &info);
    else
      write_json(&out->json, &info);
    if (out->format == PKS_FORMAT_JSONL) pks_base_json_line(&out->json);
  }
  pks_target_free(target);
}

void pks_cli_cmd_targets(pks_cli *cli) {
  output out = {.format = cli->set.format};
  if (cli->set.operands) {
    pks_cli_usage(cli, "targets takes no", cli->set.operand[0], "(see show)");
    return;
  }
  pks_report_text_init(&out.text, pks_cli_write, cli);
  pks_base_json_init(&out.json, pks_cli_write, cli, out.format == PKS_FORMAT_JSON ? 2 : 0);
  if (out.format == PKS_FORMAT_JSON) {
    pks_base_json_open(&out.json, '{');
    pks_base_json_key_string(&out.json, "schema", "picklesight-targets/1");
    pks_base_json_key(&out.json, "targets");
    pks_base_json_open(&out.json, '[');
  }
  for (size_t i = 0; i < pks_target_count(); i++) list_target(cli, &out, pks_target_name(i));
  if (out.format == PKS_FORMAT_JSON) {
    pks_base_json_close(&out.json);
    pks_base_json_close(&out.json);
    pks_base_json_line(&out.json);
  }
  (void)pks_base_json_flush(&out.json);
  pks_report_text_flush(&out.text);
}

/* ---- show ---------------------------------------------------------------------------------------- */

#define LABEL 17u

static void label(pks_text_out *out, const char *text) {
  size_t width = strlen(text);
  pks_report_put_spaces(out, 2);
  pks_report_put(out, text);
  pks_report_put_spaces(out, width < LABEL ? LABEL - width : 1);
}

static void line(pks_text_out *out, const char *what, const char *text) {
  label(out, what);
  pks_report_put_string(out, text);
  pks_report_put(out, "\n");
}

static void number(pks_text_out *out, const char *what, int64_t value) {
  label(out, what);
  if (value < 0)
    pks_report_put(out, "not known");
  else
    pks_report_put_int(out, value);
  pks_report_put(out, "\n");
}

static void names(pks_text_out *out, const char *what, const pks_match_names *list, size_t most) {
  if (list->count == 0) return;
  label(out, what);
  for (uint32_t i = 0; i < list->count && i < most; i++) {
    if (i) pks_report_put(out, ", ");
    pks_report_put_text(out, list->text[i], 0);
  }
  if (list->count > most) {
    pks_report_put(out, " and ");
    pks_report_put_uint(out, list->count - most);
    pks_report_put(out, " more");
  }
  pks_report_put(out, "\n");
}

static void show_loader(pks_text_out *out, const pks_match_facts *f) {
  static const char *const persistent[] = {", perhaps a persistent_load", ", no persistent_load",
                                           ", a persistent_load"};
  static const char *const buffers[] = {"", ", no buffers", ", buffers"};
  label(out, "loader");
  pks_report_put_text(out, f->loader_name, 0);
  if (f->encoding) {
    pks_report_put(out, ", encoding ");
    pks_report_put_string(out, f->encoding);
  }
  if (f->errors && strcmp(f->errors, "strict") != 0) {
    pks_report_put(out, " ");
    pks_report_put_string(out, f->errors);
  }
  pks_report_put(out, persistent[f->persistent_load]);
  pks_report_put(out, buffers[f->buffers]);
  pks_report_put(out, "\n");
}

static void show_distributions(pks_text_out *out, const pks_match_facts *f) {
  if (f->distributions.count == 0) return;
  label(out, "distributions");
  for (uint32_t i = 0; i < f->distributions.count; i++) {
    if (i) pks_report_put(out, ", ");
    pks_report_put_text(out, f->distributions.text[i], 0);
    pks_report_put(out, " ");
    pks_report_put_text(out, f->distribution_version[i], 0);
  }
  pks_report_put(out, "\n");
}

/* What a missing name means there. */
static void show_worlds(pks_text_out *out, const pks_match_facts *f) {
  line(out, "standard library",
       f->version < 0 && f->table ? "not known"
       : f->table                 ? "known, by this version's table"
                                  : "as the fingerprint lists it");
  line(out, "other modules",
       f->complete & PKS_COMPLETE_TOP_LEVEL ? "none but those listed"
                                            : "may be there, listed or not");
  line(out, "__main__", f->main_open ? "may define any name" : "defines what is listed");
}

static void show(pks_cli *cli, const pks_target *target) {
  pks_text_out out;
  const pks_match_facts *f = &target->facts;
  size_t most = cli->set.verbose ? SIZE_MAX : 12;
  pks_report_text_init(&out, pks_cli_write, cli);
  out.color = cli->color;
  pks_report_paint(&out, PKS_PAINT_BOLD);
  pks_report_put_string(&out, target->name);
  pks_report_paint(&out, PKS_PAINT_PLAIN);
  pks_report_put(&out, "\n");
  line(&out, "id", target->id);
  number(&out, "protocols up to", f->max_protocol);
  number(&out, "bytecode magic", f->magic);
  number(&out, "code arguments", f->code_args);
  show_loader(&out, f);
  show_worlds(&out, f);
  show_distributions(&out, f);
  names(&out, "modules", &f->modules, most);
  names(&out, "absent", &f->absent, most);
  names(&out, "in __main__", &f->main, most);
  pks_report_text_flush(&out);
}

void pks_cli_cmd_show(pks_cli *cli) {
  if (cli->set.operands != 1) {
    pks_cli_usage(cli, "show takes one TARGET", NULL, NULL);
    return;
  }
  pks_target *target = pks_cli_target_open(cli, cli->set.operand[0]);
  if (target && pks_cli_target_change(cli, target, 0)) {
    if (cli->set.format == PKS_FORMAT_TEXT)
      show(cli, target);
    else
      (void)pks_target_write(target, pks_cli_write, cli);
  }
  pks_target_free(target);
}
