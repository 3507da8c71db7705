/* cli/cmd_capture.c - picklesight capture: the fingerprint of an interpreter and what is installed for it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "capture/script.h"
#include "cli/asks.h"
#include "cli/child.h"
#include "match/target.h"

#define SECONDS_EACH 20u /* for one import */

typedef struct capture {
  pks_cli *cli;
  pks_cli_asks asks;
  pks_vec main; /* pks_span */
  pks_capture_request request;
} capture;

/* ---- what is asked ------------------------------------------------------------------------------- */

/* open, closed, or NAME,... */
static bool read_main(capture *c) {
  const char *list = c->cli->set.main;
  c->request.main_open = !list || strcmp(list, "open") == 0;
  if (c->request.main_open || strcmp(list, "closed") == 0) return true;
  for (size_t size; *list; list += size + (list[size] == ',')) {
    size = strcspn(list, ",");
    pks_span *name = size ? pks_base_vec_push(&c->asks.mem, &c->main, sizeof *name) : NULL;
    if (size && !name) return false;
    if (name) *name = (pks_span){(const uint8_t *)list, size};
  }
  c->request.main = (const pks_span *)(const void *)c->main.data;
  c->request.mains = c->main.count;
  return true;
}

static bool read_report(capture *c, const char *path) {
  pks_cli_bytes bytes = {NULL, 0, 0};
  pks_error error = {.size = sizeof error, .text = ""};
  bool good = pks_cli_bytes_read(c->cli, path, &bytes);
  if (good && !pks_cli_asks_report(&c->asks, bytes.data, bytes.size, &error)) {
    const pks_place place = {.size = sizeof place, .path = path};
    pks_cli_file_error(c->cli, &place, &error);
    c->cli->outcome |= PKS_CLI_TROUBLE;
    good = false;
  }
  free(bytes.data);
  return good;
}

static bool read_asks(capture *c) {
  const pks_cli_settings *set = &c->cli->set;
  bool memory = read_main(c);
  for (size_t i = 0; i < set->steps; i++) {
    const pks_cli_step *step = &set->step[i];
    c->request.only |= step->option == PKS_CLI_OPTION_FOR;
    if (step->option == PKS_CLI_OPTION_FOR && !read_report(c, step->text)) return false;
    if (step->option == PKS_CLI_OPTION_MODULES)
      memory = memory && pks_cli_asks_modules(&c->asks, step->text);
  }
  if (!memory) pks_cli_trouble(c->cli, NULL, "no memory");
  return memory;
}

/* ---- the answer ------------------------------------------------------------------------------------ */

/* Reads what a capture printed and prints its shortest form. */
static void tell(pks_cli *cli, const char *from, const pks_cli_bytes *answer) {
  pks_target *target = NULL;
  pks_error error = {.size = sizeof error, .text = ""};
  if (pks_target_captured(answer->data, answer->size, NULL, &target, &error) != PKS_OK) {
    const pks_place place = {.size = sizeof place, .path = from};
    cli->outcome |= PKS_CLI_TROUBLE;
    pks_cli_file_error(cli, &place, &error);
  } else if (pks_cli_target_loading(cli, from, target)) {
    (void)pks_target_write(target, pks_cli_write, cli);
    pks_cli_note(cli, target->name, target->id);
  }
  pks_target_free(target);
}

static void say_failed(pks_cli *cli, const pks_cli_child *child) {
  char text[256];
  const char *colon = *child->last ? ": " : "";
  if (child->error)
    snprintf(text, sizeof text, "%s",
             child->error == ENOENT ? "no such interpreter" : strerror(child->error));
  else if (child->what)
    snprintf(text, sizeof text, "%s%s%s", child->what, colon, child->last);
  else if (WIFSIGNALED(child->status))
    snprintf(text, sizeof text, "was ended by signal %d%s%s", WTERMSIG(child->status), colon,
             child->last);
  else
    snprintf(text, sizeof text, "ended with exit status %d%s%s", WEXITSTATUS(child->status), colon,
             child->last);
  pks_cli_trouble(cli, child->program, text);
}

static int add_bytes(void *user, const char *data, size_t size) {
  return pks_cli_bytes_add(user, data, size) ? 0 : 1;
}

static void run(capture *c) {
  pks_cli *cli = c->cli;
  pks_cli_bytes program = {NULL, 0, 0};
  pks_cli_child child = {.program = cli->set.python ? cli->set.python : "python3"};
  c->request.fd = PKS_CLI_CHILD_FD;
  child.seconds = 60 + (SECONDS_EACH + 1) * (unsigned)(c->asks.asks.count % 100000);
  if (pks_capture_write(&c->request, pks_cli_asks_next, &c->asks, add_bytes, &program) != PKS_OK) {
    pks_cli_trouble(cli, NULL, "no memory");
  } else {
    child.program_text = (pks_span){(const uint8_t *)program.data, program.size};
    if (pks_cli_child_run(&child))
      tell(cli, child.program, &child.answer);
    else
      say_failed(cli, &child);
  }
  free(program.data);
  free(child.answer.data);
}

static void from_file(pks_cli *cli) {
  pks_cli_bytes answer = {NULL, 0, 0};
  if (pks_cli_bytes_read(cli, cli->set.from, &answer)) tell(cli, cli->set.from, &answer);
  free(answer.data);
}

void pks_cli_cmd_capture(pks_cli *cli) {
  capture c = {.cli = cli};
  if (cli->set.operands) {
    pks_cli_usage(cli, "capture takes no", cli->set.operand[0], "(see --python)");
    return;
  }
  if (cli->set.from) {
    from_file(cli);
    return;
  }
  pks_cli_asks_init(&c.asks, cli->set.limits.max_memory);
  c.request.fd = -1;
  c.request.timeout = SECONDS_EACH;
  if (read_asks(&c)) {
    if (cli->set.script)
      (void)pks_capture_write(&c.request, pks_cli_asks_next, &c.asks, pks_cli_write, cli);
    else
      run(&c);
  }
  pks_base_vec_free(&c.asks.mem, &c.main, sizeof(pks_span));
  pks_cli_asks_free(&c.asks);
}
