/* cli/options.c - arguments become settings, by the table in options.def. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "code/infer.h"

const pks_cli_option pks_cli_options[PKS_CLI_OPTION_COUNT] = {
#define OPTION(id, letter, name, argument, commands, choices, help) \
  {letter, name, argument, commands, choices, help},
#include "cli/options.def"
#undef OPTION
};

/* ---- values ------------------------------------------------------------------------------------ */

/* Digits only, to the end or to a suffix. */
static bool read_number(const char *text, uint64_t *value, const char **rest) {
  char *end;
  if (*text < '0' || *text > '9') return false;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  *value = number;
  *rest = end;
  return errno == 0;
}

static bool read_size(const char *text, uint64_t *value) {
  const char *rest;
  unsigned shift = 0;
  if (!read_number(text, value, &rest)) return false;
  if (*rest == 'k' || *rest == 'K') shift = 10;
  if (*rest == 'm' || *rest == 'M') shift = 20;
  if (*rest == 'g' || *rest == 'G') shift = 30;
  if (shift) rest++;
  if (*rest != 0 || *value > UINT64_MAX >> shift) return false;
  *value <<= shift;
  return true;
}

static bool set_limit(pks_cli_settings *set, const char *text) {
  const char *equals = strchr(text, '=');
  uint64_t value;
  if (strcmp(text, "help") == 0) {
    set->list_limits = true;
    return true;
  }
  if (!equals || !read_size(equals + 1, &value)) return false;
  size_t size = (size_t)(equals - text);
#define X(name, standard, what)                                     \
  if (size == sizeof #name - 1 && memcmp(text, #name, size) == 0) { \
    set->limits.name = value;                                       \
    return true;                                                    \
  }
  PKS_LIMITS_MAP(X)
#undef X
  if (size != 10 || memcmp(text, "max_output", size) != 0) return false;
  set->max_output = value;
  return true;
}

static void list_limit(FILE *file, const char *name, uint64_t value, const char *what) {
  fprintf(file, "  %-12s  %s (", name, what);
  if (value == UINT64_MAX)
    fprintf(file, "unlimited)\n");
  else if (value && value % (1 << 30) == 0)
    fprintf(file, "%llug)\n", (unsigned long long)(value >> 30));
  else if (value && value % (1 << 20) == 0)
    fprintf(file, "%llum)\n", (unsigned long long)(value >> 20));
  else
    fprintf(file, "%llu)\n", (unsigned long long)value);
}

#define MEMORY (1ull << 30) /* of the command line; the library's own default is lower */

void pks_cli_list_limits(FILE *file) {
  fprintf(file, "Limits, and their values when --limit NAME=VALUE does not set them:\n");
  pks_limits limits = {.size = sizeof limits};
  if (pks_limits_init(&limits) != PKS_OK) return;
  limits.max_memory = MEMORY;
#define X(name, value, what) list_limit(file, #name, limits.name, what);
  PKS_LIMITS_MAP(X)
#undef X
  list_limit(file, "max_output", PKS_CLI_MAX_OUTPUT,
             "bytes that one compressed file may inflate to");
}

static int word_index(const char *text, const char *const *words) {
  for (int i = 0; words[i]; i++)
    if (strcmp(text, words[i]) == 0) return i;
  return -1;
}

static bool set_when(pks_cli_when *when, const char *text) {
  static const char *const words[] = {"auto", "always", "never", NULL};
  int index = word_index(text, words);
  if (index >= 0) *when = (pks_cli_when)index;
  return index >= 0;
}

/* cpython-3.11, cpython-3.13.5; "cpython-" may be left out */
static bool set_python(pks_options *options, const char *text) {
  uint64_t part[3] = {0, 0, 0xff};
  size_t parts = 0;
  if (strncmp(text, "cpython-", 8) == 0) text += 8;
  for (; parts < 3; text++) {
    if (!read_number(text, &part[parts++], &text)) return false;
    if (*text != '.') break;
  }
  bool known = (part[0] == 3 && part[1] >= 6 && part[1] <= 15) || (part[0] == 2 && part[1] == 7);
  if (*text != 0 || parts < 2 || !known || part[2] > 0xff) return false;
  options->python = PKS_PYTHON(part[0], part[1], part[2]);
  return true;
}

/* "cpython-2.7", "3.11.4", "pypy-3.9": the magic number of its bytecode, or 0. */
static uint16_t bytecode_of(const char *text) {
  char name[32];
  const char *minor = strchr(text, '.'), *micro = minor ? strchr(minor + 1, '.') : NULL;
  size_t size = micro ? (size_t)(micro - text) : strlen(text);
  if (size >= sizeof name - 8) return 0;
  if (micro && micro[1 + strspn(micro + 1, "0123456789")]) return 0;
  snprintf(name, sizeof name, "%s%.*s", *text >= '0' && *text <= '9' ? "cpython-" : "", (int)size,
           text);
  for (size_t i = 0; i < pks_code_version_count(); i++)
    if (strcmp(pks_code_version_name(i), name) == 0) return pks_code_version_magic(i);
  return 0;
}

static bool set_as(pks_cli_settings *set, const char *text) {
  set->as_magic = bytecode_of(text);
  set->as_bytecode = set_python(&set->options, text) ? NULL : text;
  return set->as_magic || !set->as_bytecode;
}

static bool set_buffers(pks_options *options, const char *text) {
  uint64_t value;
  const char *rest;
  if (strcmp(text, "none") == 0) {
    options->buffers = PKS_BUFFERS_NONE;
    return true;
  }
  if (!read_number(text, &value, &rest) || *rest || value > INT64_MAX) return false;
  options->buffers = (int64_t)value;
  return true;
}

static bool set_jobs(const char *text) {
  uint64_t value;
  const char *rest;
  return read_number(text, &value, &rest) && *rest == 0 && value > 0 && value <= 4096;
}

static bool set_loader(pks_cli_settings *set, const char *text) {
  static const char *const words[] = {"pickle", "cloudpickle", "dill", "joblib",
                                      "torch",  "pandas",      NULL};
  set->loader = text;
  return word_index(text, words) >= 0;
}

static bool add_step(pks_cli_settings *set, pks_cli_option_id id, const char *text) {
  set->step[set->steps++] = (pks_cli_step){id, text};
  return !text || *text;
}

/* False: no value of this option. */
static bool set_value(pks_cli_settings *set, pks_cli_option_id id, const char *text) {
  static const char *const formats[] = {"text", "json", "jsonl", NULL};
  static const char *const opaques[] = {"unknown", "inert", NULL};
  static const char *const unsures[] = {"pass", "fail", NULL};
  static const char *const reads[] = {"whole", "stream", "file", NULL};
  int index;
  switch (id) {
    case PKS_CLI_OPTION_AGAINST:
    case PKS_CLI_OPTION_WITH:
    case PKS_CLI_OPTION_FOR:
    case PKS_CLI_OPTION_MODULES:
    case PKS_CLI_OPTION_BARE: return add_step(set, id, text);
    case PKS_CLI_OPTION_ANY: set->any = true; return true;
    case PKS_CLI_OPTION_ALL: set->all = true; return true;
    case PKS_CLI_OPTION_JSON: set->format = PKS_FORMAT_JSON; return true;
    case PKS_CLI_OPTION_QUIET: set->quiet = true; return true;
    case PKS_CLI_OPTION_VERBOSE: set->verbose = true; return true;
    case PKS_CLI_OPTION_HELP: set->help = true; return true;
    case PKS_CLI_OPTION_VERSION: set->version = true; return true;
    case PKS_CLI_OPTION_PERSISTENT: set->options.persistent_load = PKS_ANSWER_YES; return true;
    case PKS_CLI_OPTION_NO_PERSISTENT: set->options.persistent_load = PKS_ANSWER_NO; return true;
    case PKS_CLI_OPTION_OUTPUT: set->output = text; return *text != 0;
    case PKS_CLI_OPTION_FILES0: set->files0_from = text; return *text != 0;
    case PKS_CLI_OPTION_PYTHON: set->python = text; return *text != 0;
    case PKS_CLI_OPTION_MAIN: set->main = text; return *text != 0;
    case PKS_CLI_OPTION_FROM: set->from = text; return *text != 0;
    case PKS_CLI_OPTION_SCRIPT: set->script = true; return true;
    case PKS_CLI_OPTION_COMPLETION: set->completion = text; return true;
    case PKS_CLI_OPTION_ENCODING: set->options.encoding = text; return *text != 0;
    case PKS_CLI_OPTION_ERRORS: set->options.errors = text; return *text != 0;
    case PKS_CLI_OPTION_LIMIT: return set_limit(set, text);
    case PKS_CLI_OPTION_JOBS: return set_jobs(text);
    case PKS_CLI_OPTION_COLOR: return set_when(&set->color, text);
    case PKS_CLI_OPTION_PROGRESS: return set_when(&set->progress, text);
    case PKS_CLI_OPTION_CODE:
      set->code = true;
      set->options.listings = 1;
      return true;
    case PKS_CLI_OPTION_AS: return set_as(set, text);
    case PKS_CLI_OPTION_BUFFERS: return set_buffers(&set->options, text);
    case PKS_CLI_OPTION_LOADER: return set_loader(set, text);
    case PKS_CLI_OPTION_READ:
      index = word_index(text, reads);
      if (index >= 0) set->options.reading = (pks_read)index;
      return index >= 0;
    case PKS_CLI_OPTION_FORMAT:
      index = word_index(text, formats);
      if (index >= 0) set->format = (pks_format)index;
      return index >= 0;
    case PKS_CLI_OPTION_OPAQUE:
      index = word_index(text, opaques);
      if (index >= 0) set->options.opaque = (pks_opaque)index;
      return index >= 0;
    case PKS_CLI_OPTION_UNSURE:
      index = word_index(text, unsures);
      set->unsure = index;
      return index >= 0;
    case PKS_CLI_OPTION_COUNT: break;
  }
  return false;
}

/* ---- arguments --------------------------------------------------------------------------------- */

typedef struct parser {
  pks_cli *cli;
  char **argv; /* ended by NULL */
  size_t at;
} parser;

static void wrong_value(pks_cli *cli, const pks_cli_option *option, const char *text) {
  char before[64];
  snprintf(before, sizeof before, "--%s cannot be", option->name);
  pks_cli_usage(cli, before, text,
                option == &pks_cli_options[PKS_CLI_OPTION_LIMIT] ? "(--limit help lists the limits)"
                                                                 : NULL);
}

/* value NULL: the next argument is it, when the option takes one. */
static bool apply(parser *p, pks_cli_option_id id, const char *value) {
  const pks_cli_option *option = &pks_cli_options[id];
  if (option->argument && !value) {
    value = p->argv[p->at];
    if (!value) {
      pks_cli_usage(p->cli, "no value for --", option->name, NULL);
      return false;
    }
    p->at++;
  }
  if (!set_value(&p->cli->set, id, value)) {
    wrong_value(p->cli, option, value);
    return false;
  }
  p->cli->set.seen[(unsigned)id / 32] |= 1u << (unsigned)id % 32;
  return true;
}

static bool long_option(parser *p, const char *text) {
  const char *equals = strchr(text, '=');
  size_t size = equals ? (size_t)(equals - text) : strlen(text);
  for (int id = 0; id < PKS_CLI_OPTION_COUNT; id++) {
    const pks_cli_option *option = &pks_cli_options[id];
    if (strlen(option->name) != size || memcmp(option->name, text, size) != 0) continue;
    if (equals && !option->argument) {
      pks_cli_usage(p->cli, "no value goes with --", option->name, NULL);
      return false;
    }
    return apply(p, (pks_cli_option_id)id, equals ? equals + 1 : NULL);
  }
  pks_cli_usage(p->cli, "no option", text - 2, NULL);
  return false;
}

/* -q, -qv, -o FILE, -oFILE */
static bool short_options(parser *p, const char *text) {
  for (const char *letter = text + 1; *letter; letter++) {
    int id = 0;
    while (id < PKS_CLI_OPTION_COUNT && pks_cli_options[id].letter != *letter) id++;
    if (id == PKS_CLI_OPTION_COUNT) {
      pks_cli_usage(p->cli, "no option", text, NULL);
      return false;
    }
    bool takes = pks_cli_options[id].argument != NULL;
    if (!apply(p, (pks_cli_option_id)id, takes && letter[1] ? letter + 1 : NULL)) return false;
    if (takes) return true;
  }
  return true;
}

static bool operand(parser *p, char *text) {
  pks_cli_settings *set = &p->cli->set;
  if (set->command) {
    set->operand[set->operands++] = text;
    return true;
  }
  set->command = pks_cli_find_command(text);
  if (!set->command) pks_cli_usage(p->cli, "no command", text, NULL);
  return set->command != NULL;
}

/* Whether check knows what against. */
static bool has_target(pks_cli *cli) {
  const pks_cli_settings *set = &cli->set;
  if (set->command->bit != PKS_CLI_CHECK) return true;
  if (set->steps && set->step[0].option == PKS_CLI_OPTION_AGAINST) return true;
  if (set->steps)
    pks_cli_usage(cli, "no --against before --", pks_cli_options[set->step[0].option].name, NULL);
  else
    pks_cli_usage(cli, "check against what? (--against TARGET)", NULL, NULL);
  return false;
}

/* Whether the command takes the options that were given. */
static bool check(pks_cli *cli) {
  const pks_cli_settings *set = &cli->set;
  if (set->help || set->version || set->list_limits) return true;
  if (!set->command) {
    pks_cli_usage(cli, "no command", NULL, NULL);
    return false;
  }
  for (unsigned id = 0; id < PKS_CLI_OPTION_COUNT; id++) {
    if (!(set->seen[id / 32] >> id % 32 & 1)) continue;
    if (pks_cli_options[id].commands & set->command->bit) continue;
    char before[64];
    snprintf(before, sizeof before, "%s takes no --", set->command->name);
    pks_cli_usage(cli, before, pks_cli_options[id].name, NULL);
    return false;
  }
  if (set->as_bytecode && !set->code) {
    pks_cli_usage(cli, "--as cannot be", set->as_bytecode, "without --code");
    return false;
  }
  return has_target(cli);
}

/* What comes with the loader, when it was not said. */
static void loader_has(pks_cli_settings *set) {
  bool torch = set->loader && strcmp(set->loader, "torch") == 0;
  if (torch && set->options.persistent_load == PKS_ANSWER_UNKNOWN)
    set->options.persistent_load = PKS_ANSWER_YES;
}

static void defaults(pks_cli_settings *set) {
  set->unsure = 3;
  set->max_output = PKS_CLI_MAX_OUTPUT;
  set->limits.size = sizeof set->limits;
  set->options.size = sizeof set->options;
  (void)pks_limits_init(&set->limits);
  (void)pks_options_init(&set->options);
  set->limits.max_memory = MEMORY;
}

bool pks_cli_parse(pks_cli *cli, int argc, char **argv) {
  parser p = {cli, argv, argc > 0 ? 1 : 0};
  bool plain = false, good = true;
  defaults(&cli->set);
  while (good && argv[p.at]) {
    char *text = argv[p.at++];
    if (plain || text[0] != '-' || text[1] == 0)
      good = operand(&p, text);
    else if (strcmp(text, "--") == 0)
      plain = true;
    else if (text[1] == '-')
      good = long_option(&p, text + 2);
    else
      good = short_options(&p, text);
  }
  if (!good) return false;
  cli->set.options.events = cli->set.all;
  loader_has(&cli->set);
  return check(cli);
}
