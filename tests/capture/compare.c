/* compare.c - a captured fingerprint beside the table of its Python's standard library.
 *
 *   compare TARGET           prints the modules that the table has, with commas between
 *   compare FINGERPRINT KNOWN
 *                            prints "MODULE SIGN NAME" for what differs; a difference that a row of KNOWN
 *                            explains is only counted. Exit status 1 when one is not explained.
 *
 * SIGN: + there and not in the table, - in the table and not there, ! does not import. NAME "": the module.
 * KNOWN: lines of implementation-version pattern, module pattern, sign, name pattern, why; "*" matches any text. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/target.h"

typedef struct row {
  char *field[5];
} row;

static row *known;
static size_t knowns, explained, unexplained;

static char *slurp(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *data = NULL;
  size_t capacity = 0, got;
  *size = 0;
  if (!file) return NULL;
  do {
    if (capacity - *size < 4096) data = realloc(data, capacity = capacity * 2 + 65536);
    got = data ? fread(data + *size, 1, capacity - *size - 1, file) : 0;
    *size += got;
  } while (got);
  fclose(file);
  if (data) data[*size] = 0;
  return data;
}

static void read_known(const char *path) {
  size_t size;
  char *line = slurp(path, &size);
  for (char *next; line && *line; line = next) {
    char *end = strchr(line, '\n');
    next = end ? end + 1 : line + strlen(line);
    if (end) *end = 0;
    if (*line == '#' || !*line) continue;
    known = realloc(known, (knowns + 1) * sizeof *known);
    if (!known) exit(2);
    row *r = &known[knowns++];
    for (size_t i = 0; i < 5; i++) {
      r->field[i] = line;
      char *tab = i < 4 ? strchr(line, '\t') : NULL;
      if (tab) *tab++ = 0;
      line = tab ? tab : line + strlen(line);
    }
  }
}

static const char *text(pks_span span) {
  static char buffers[4][1100];
  static unsigned at;
  char *buffer = buffers[at++ % 4];
  snprintf(buffer, sizeof buffers[0], "%.*s", (int)span.size, (const char *)span.data);
  return buffer;
}

static void differs(const pks_match_target *t, pks_span module, char sign, pks_span name) {
  char signs[2] = {sign, 0};
  for (size_t i = 0; i < knowns; i++) {
    char **f = known[i].field;
    if (fnmatch(f[0], t->name, 0) == 0 && fnmatch(f[1], text(module), 0) == 0 &&
        (strcmp(f[2], signs) == 0 || strcmp(f[2], "*") == 0) && fnmatch(f[3], text(name), 0) == 0) {
      explained++;
      return;
    }
  }
  unexplained++;
  printf("%s\t%s\t%c\t%s\n", t->name, text(module), sign, text(name));
}

/* Names of one module, both ways. */
static void compare_names(const pks_match_target *t, const pks_match_target *table, pks_span module,
                          const pks_match_module *m) {
  uint32_t index = pks_match_stdlib_find(module), place = 0;
  pks_stdlib_fact fact;
  pks_span name;
  for (uint32_t i = 0; i < m->attributes.count; i++) {
    pks_match_answer a = pks_match_has_attribute(table, module, m->attributes.text[i], true);
    if (a.value != PKS_ANSWER_YES && a.why != PKS_WHY_SUBMODULE)
      differs(t, module, '+', m->attributes.text[i]);
  }
  while (pks_match_stdlib_attribute_next(index, &place, &name, &fact)) {
    if (memchr(name.data, '.', name.size) || fact.kind == PKS_STDLIB_LAZY) continue;
    if (pks_match_has_attribute(table, module, name, false).value == PKS_ANSWER_YES &&
        pks_match_names_find(&m->attributes, name) == PKS_MATCH_NONE)
      differs(t, module, '-', name);
  }
}

static int compare(const char *path) {
  size_t size;
  char *data = slurp(path, &size);
  pks_match_target *t = NULL, *table = NULL;
  pks_error error = {.size = sizeof error};
  if (!data || pks_match_target_read(NULL, data, size, &t, &error) != PKS_OK) {
    fprintf(stderr, "%s: %s\n", path, data ? error.text : "cannot be read");
    return 2;
  }
  if (pks_match_target_named(NULL, t->name, &table, NULL) != PKS_OK) {
    printf("%s: no table\n", t->name);
    return 0;
  }
  static const pks_span none = {(const uint8_t *)"", 0};
  const pks_match_facts *f = &t->facts;
  if (!f->table) differs(t, none, '!', none);
  uint32_t listed = 0;
  for (uint32_t i = 0; i < f->modules.count; i++) {
    pks_span module = f->modules.text[i];
    const pks_match_module *m = &f->module[i];
    pks_answer there = pks_match_has_module(table, module).value;
    if (m->why != PKS_WHY_LISTED || m->distribution.size > 0) continue;
    listed++;
    if (there == PKS_ANSWER_YES && m->broken) differs(t, module, '!', none);
    if (there == PKS_ANSWER_YES && m->has_attributes && !m->broken)
      compare_names(t, table, module, m);
    if (there == PKS_ANSWER_NO || there == PKS_ANSWER_UNKNOWN)
      if (!m->broken && m->has_attributes) differs(t, module, '+', none);
  }
  for (uint32_t i = 0; i < f->absent.count; i++) differs(t, f->absent.text[i], '-', none);
  printf("%s: %u modules listed beside the table, %zu differences explained, %zu not\n", t->name,
         (unsigned)listed, explained, unexplained);
  pks_match_target_free(table);
  pks_match_target_free(t);
  free(data);
  return unexplained > 0;
}

static int list(const char *name) {
  pks_match_target *t = NULL;
  const char *comma = "";
  if (pks_match_target_named(NULL, name, &t, NULL) != PKS_OK) return 2;
  for (uint32_t i = 0; i < pks_match_stdlib_count(); i++) {
    pks_span module = pks_match_stdlib_name(i);
    /* one opens a browser, one prints */
    if (pks_match_has_module(t, module).value != PKS_ANSWER_YES) continue;
    if (strcmp(text(module), "antigravity") == 0 || strcmp(text(module), "this") == 0) continue;
    printf("%s%s", comma, text(module));
    comma = ",";
  }
  pks_match_target_free(t);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2) return list(argv[1]);
  if (argc != 3) return 2;
  read_known(argv[2]);
  return compare(argv[1]);
}
