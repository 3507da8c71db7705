/* cli/cmd_common.c - picklesight common: what a cluster can agree on. */
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "cli/cli.h"
#include "match/common.h"

typedef struct state {
  pks_cli *cli;
  pks_match_common *common;
  pks_json json;
  pks_text_out text;
} state;

#define EACH(type, item, list)                                     \
  for (const type *item = (const type *)(const void *)(list).data, \
                  *end_##item = item + (list).count;               \
       (list).count && item < end_##item; item++)

/* A built-in name as it is; a file without its folder and without .json. */
static pks_span name_of(const pks_cli *cli, uint32_t target) {
  const char *path = cli->set.operand[target], *slash = strrchr(path, '/');
  const char *name = slash && slash[1] ? slash + 1 : path;
  size_t size = strlen(name);
  if (size > 5 && strcmp(name + size - 5, ".json") == 0) size -= 5;
  return (pks_span){(const uint8_t *)name, size};
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

static void write_some(state *s, pks_match_some some) {
  pks_base_json_open(&s->json, '[');
  for (uint32_t i = 0; i < some.count; i++)
    pks_base_json_path(&s->json, name_of(s->cli, some.target[i]));
  pks_base_json_close(&s->json);
}

static void open_key(pks_json *json, const char *key, char bracket) {
  pks_base_json_key(json, key);
  pks_base_json_open(json, bracket);
}

static void write_groups(state *s) {
  open_key(&s->json, "bytecode_groups", '[');
  EACH(pks_match_group, group, s->common->groups) {
    pks_base_json_open(&s->json, '{');
    pks_base_json_key(&s->json, "magic");
    if (group->magic < 0)
      pks_base_json_null(&s->json);
    else
      pks_base_json_int(&s->json, group->magic);
    pks_base_json_key(&s->json, "targets");
    write_some(s, group->targets);
    pks_base_json_close(&s->json);
  }
  pks_base_json_close(&s->json);
}

static void write_modules(state *s) {
  open_key(&s->json, "modules", '{');
  open_key(&s->json, "shared", '[');
  EACH(pks_span, name, s->common->shared) pks_base_json_text(&s->json, *name);
  pks_base_json_close(&s->json);
  open_key(&s->json, "partial", '{');
  EACH(pks_match_partial, partial, s->common->partial) {
    pks_base_json_key_text(&s->json, partial->name);
    write_some(s, partial->targets);
  }
  pks_base_json_close(&s->json);
  pks_base_json_close(&s->json);
}

static void write_versions(state *s) {
  const pks_match_differing *before = NULL;
  open_key(&s->json, "versions_differ", '{');
  EACH(pks_match_differing, row, s->common->differing) {
    if (!before || pks_match_span_order(before->distribution, row->distribution) != 0) {
      if (before) pks_base_json_close(&s->json);
      pks_base_json_key_text(&s->json, row->distribution);
      pks_base_json_open(&s->json, '{');
    }
    pks_base_json_key_text(&s->json, row->version);
    write_some(s, row->targets);
    before = row;
  }
  if (before) pks_base_json_close(&s->json);
  pks_base_json_close(&s->json);
}

static void as_json(state *s) {
  pks_base_json_init(&s->json, pks_cli_write, s->cli,
                     s->cli->set.format == PKS_FORMAT_JSON ? 2 : 0);
  pks_base_json_open(&s->json, '{');
  pks_base_json_key(&s->json, "schema");
  pks_base_json_string(&s->json, "picklesight-common/1");
  pks_base_json_key(&s->json, "protocol");
  if (s->common->protocol < 0)
    pks_base_json_null(&s->json);
  else
    pks_base_json_int(&s->json, s->common->protocol);
  write_groups(s);
  write_modules(s);
  write_versions(s);
  pks_base_json_close(&s->json);
  pks_base_json_line(&s->json);
  (void)pks_base_json_flush(&s->json);
}

/* ---- text ---------------------------------------------------------------------------------------- */

static void heading(state *s, const char *text) {
  pks_report_paint(&s->text, PKS_PAINT_BOLD);
  pks_report_put(&s->text, text);
  pks_report_paint(&s->text, PKS_PAINT_PLAIN);
}

static void put_some(state *s, pks_match_some some) {
  for (uint32_t i = 0; i < some.count; i++) {
    pks_report_put(&s->text, i ? ", " : "");
    pks_report_put_text(&s->text, name_of(s->cli, some.target[i]), 0);
  }
  pks_report_put(&s->text, "\n");
}

static void put_groups(state *s) {
  heading(s, "bytecode");
  pks_report_put(&s->text, s->common->groups.count == 1 ? ": the same on all\n" : "\n");
  EACH(pks_match_group, group, s->common->groups) {
    pks_report_put(&s->text, "  magic ");
    if (group->magic < 0)
      pks_report_put(&s->text, "not known");
    else
      pks_report_put_int(&s->text, group->magic);
    pks_report_put(&s->text, ": ");
    put_some(s, group->targets);
  }
}

/* The modules within another are left out where that one is in the list too. */
static void put_partial(state *s) {
  size_t most = s->cli->set.verbose ? SIZE_MAX : 20, shown = 0;
  const pks_match_partial *before = NULL;
  EACH(pks_match_partial, partial, s->common->partial) {
    bool inside = before && partial->name.size > before->name.size &&
                  partial->name.data[before->name.size] == '.' &&
                  memcmp(partial->name.data, before->name.data, before->name.size) == 0;
    if (inside) continue;
    before = partial;
    if (shown++ >= most) continue;
    pks_report_put(&s->text, "  ");
    pks_report_put_text(&s->text, partial->name, 160);
    pks_report_put(&s->text, ": ");
    put_some(s, partial->targets);
  }
  if (shown <= most) return;
  pks_report_put(&s->text, "  and ");
  pks_report_put_uint(&s->text, shown - most);
  pks_report_put(&s->text, " more (-v lists them)\n");
}

static void as_text(state *s) {
  pks_report_text_init(&s->text, pks_cli_write, s->cli);
  s->text.color = s->cli->color;
  heading(s, "protocol");
  pks_report_put(&s->text, ": ");
  if (s->common->protocol < 0)
    pks_report_put(&s->text, "not known");
  else
    pks_report_put_int(&s->text, s->common->protocol);
  pks_report_put(&s->text, s->common->protocol < 0 ? "\n" : " is the highest that all read\n");
  put_groups(s);
  heading(s, "modules");
  pks_report_put(&s->text, ": ");
  pks_report_put_uint(&s->text, s->common->shared.count);
  pks_report_put(&s->text, " are known on all");
  pks_report_put(&s->text, s->common->partial.count ? "; known on some only:\n" : "\n");
  put_partial(s);
  if (s->common->differing.count) {
    heading(s, "versions that differ");
    pks_report_put(&s->text, "\n");
  }
  EACH(pks_match_differing, row, s->common->differing) {
    pks_report_put(&s->text, "  ");
    pks_report_put_text(&s->text, row->distribution, 160);
    pks_report_put(&s->text, " ");
    pks_report_put_text(&s->text, row->version, 160);
    pks_report_put(&s->text, ": ");
    put_some(s, row->targets);
  }
  pks_report_text_flush(&s->text);
}

/* ---- both ---------------------------------------------------------------------------------------- */

static bool open_all(pks_cli *cli) {
  cli->target = calloc(cli->set.operands, sizeof *cli->target);
  if (!cli->target) pks_cli_trouble(cli, NULL, "no memory");
  for (size_t i = 0; cli->target && i < cli->set.operands; i++) {
    cli->target[i] = pks_cli_target_open(cli, cli->set.operand[i]);
    if (!cli->target[i]) return false;
    cli->targets++;
  }
  return cli->target != NULL;
}

void pks_cli_cmd_common(pks_cli *cli) {
  state s = {.cli = cli};
  if (cli->set.operands < 2) {
    pks_cli_usage(cli, "common takes two TARGETs or more", NULL, NULL);
    return;
  }
  if (!open_all(cli)) return;
  pks_status status = pks_match_common_new(NULL, (const pks_match_target *const *)cli->target,
                                           (uint32_t)cli->targets, &s.common);
  if (status != PKS_OK)
    pks_cli_trouble(cli, NULL, pks_status_text(status));
  else if (cli->set.format == PKS_FORMAT_TEXT)
    as_text(&s);
  else
    as_json(&s);
  if (s.common && s.common->groups.count != 1) cli->outcome |= PKS_CLI_FAILS;
  pks_match_common_free(s.common);
}
