/* cli/child.c - runs an interpreter: a program goes to its standard input, an answer comes back on descriptor
 * 3, the last line of its standard error is kept for a message. Its standard output goes nowhere, because
 * what an environment prints as it starts is no part of the answer. */
#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

typedef struct running {
  pks_cli_child *child;
  pid_t pid;
  int in, out, err; /* our ends; -1: closed */
  size_t written;
  int64_t deadline; /* milliseconds */
} running;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void shut(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

/* ---- starting --------------------------------------------------------------------------------------- */

/* Both ends above what the child will have, so that none is closed when another takes its number. */
static bool make_pipe(int ends[2]) {
  int low[2];
  if (pipe(low) != 0) return false;
  for (int i = 0; i < 2; i++) {
    ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 10);
    close(low[i]);
  }
  if (ends[0] >= 0 && ends[1] >= 0) return true;
  shut(&ends[0]);
  shut(&ends[1]);
  return false;
}

static int spawn(running *r, int in, int out, int err) {
  /* -B: nothing is written beside the modules that are imported. */
  static const char start[] = "import sys; exec(sys.stdin.read())";
  const char *const arguments[] = {r->child->program, "-B", "-W", "ignore", "-c", start, NULL};
  union { /* posix_spawn takes no const */
    const char *const *given;
    char *const *wanted;
  } argv = {arguments};
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = posix_spawn_file_actions_adddup2(&actions, in, 0);
  if (!error) error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, err, 2);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, out, PKS_CLI_CHILD_FD);
  if (!error)
    error = posix_spawnp(&r->pid, r->child->program, &actions, NULL, argv.wanted, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static int start(running *r) {
  int in[2], out[2], err[2];
  if (!make_pipe(in)) return errno;
  r->in = in[1];
  if (!make_pipe(out)) {
    int error = errno;
    close(in[0]);
    return error;
  }
  r->out = out[0];
  if (!make_pipe(err)) {
    int error = errno;
    close(in[0]);
    close(out[1]);
    return error;
  }
  r->err = err[0];
  int error = spawn(r, in[0], out[1], err[1]);
  close(in[0]);
  close(out[1]);
  close(err[1]);
  return error;
}

/* ---- talking ---------------------------------------------------------------------------------------- */

static void give(running *r) {
  pks_cli_child *c = r->child;
  ssize_t size = write(r->in, c->program_text.data + r->written, c->program_text.size - r->written);
  if (size > 0) r->written += (size_t)size;
  bool again = size < 0 && (errno == EINTR || errno == EAGAIN);
  if (r->written == c->program_text.size || (size < 0 && !again)) shut(&r->in);
}

static bool take(running *r) {
  char piece[16384];
  ssize_t size = read(r->out, piece, sizeof piece);
  if (size < 0 && errno == EINTR) return true;
  if (size <= 0) {
    shut(&r->out);
    return true;
  }
  return pks_cli_bytes_add(&r->child->answer, piece, (size_t)size);
}

/* Keeps the last line that is not empty. */
static void listen_to(running *r) {
  char piece[1024], *last = r->child->last;
  ssize_t size = read(r->err, piece, sizeof piece);
  if (size < 0 && errno == EINTR) return;
  if (size <= 0) shut(&r->err);
  for (ssize_t i = 0; i < size; i++) {
    size_t used = strlen(last);
    if (piece[i] == '\n' || piece[i] == '\r') {
      r->child->line_ended = true;
      continue;
    }
    if (r->child->line_ended) last[used = 0] = '\0';
    r->child->line_ended = false;
    if (used + 1 < sizeof r->child->last && piece[i]) {
      last[used] = piece[i];
      last[used + 1] = '\0';
    }
  }
}

/* Until the child has closed what it answers on. NULL, or what went wrong. */
static const char *talk(running *r) {
  while (r->out >= 0) {
    struct pollfd fds[3] = {{r->in, POLLOUT, 0}, {r->out, POLLIN, 0}, {r->err, POLLIN, 0}};
    int64_t left = r->deadline - now();
    int ready = left > 0 ? poll(fds, 3, left > 60000 ? 60000 : (int)left) : -2;
    if (ready == -2) return "did not answer in time";
    if (ready < 0 && errno != EINTR) return strerror(errno);
    if (ready <= 0) continue;
    if (fds[0].revents) give(r);
    if (fds[2].revents) listen_to(r);
    if (fds[1].revents && !take(r)) return "no memory";
    if (r->child->answer.size > PKS_CLI_CHILD_MOST) return "answered with more than 64 MiB";
  }
  return NULL;
}

/* The end of the child, which has closed its answer or is killed now. */
static int wait_for(running *r, bool kill_it) {
  int status = 0;
  if (kill_it) kill(r->pid, SIGKILL);
  while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR) continue;
  while (r->err >= 0 && !kill_it) {
    struct pollfd fd = {r->err, POLLIN, 0};
    if (poll(&fd, 1, 0) <= 0) break; /* a process that it left behind may hold it */
    listen_to(r);
  }
  return status;
}

bool pks_cli_child_run(pks_cli_child *child) {
  running r = {.child = child, .pid = -1, .in = -1, .out = -1, .err = -1};
  r.deadline = now() + (int64_t)child->seconds * 1000;
  signal(SIGPIPE, SIG_IGN);
  child->error = start(&r);
  child->what = NULL;
  child->line_ended = true;
  if (child->error == 0) {
    (void)fcntl(r.in, F_SETFL, O_NONBLOCK);
    child->what = talk(&r);
    child->status = wait_for(&r, child->what != NULL);
  }
  shut(&r.in);
  shut(&r.out);
  shut(&r.err);
  signal(SIGPIPE, SIG_DFL);
  return child->error == 0 && !child->what && child->status == 0;
}
