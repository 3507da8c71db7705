/* remote.c - the reading of another interpreter: batch.py in a process of its own.
 *
 * It says who it is (one line: version, bits), then answers batches: a size (8 bytes) and that many
 * bytes of streams, each as size (4), encoding, errors, buffers, flags, reading (1 each) and its bytes; for
 * each, ok (1), the exception's name (size 1, text), consumed (8), trace (size 4, bytes). All little-endian. */
#include "oracle.h"

#include <picklesight.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *command;
static pid_t child;
static FILE *to, *from;

static bool start_child(void) {
  int in[2], out[2];
  if (pipe(in) || pipe(out)) return false;
  fflush(NULL);
  child = fork();
  if (child == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    close(in[0]);
    close(in[1]);
    close(out[0]);
    close(out[1]);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  to = fdopen(in[1], "wb");
  from = fdopen(out[0], "rb");
  return child > 0 && to && from;
}

void remote_stop(void) {
  if (to) fclose(to);
  if (from) fclose(from);
  if (child > 0) waitpid(child, NULL, 0);
  to = from = NULL;
  child = 0;
}

static bool hello(reader *out) {
  char line[128];
  unsigned major, minor, micro = 0, bits;
  if (!fgets(line, sizeof line, from)) return false;
  if (sscanf(line, "picklesight %u.%u.%u %u", &major, &minor, &micro, &bits) != 4) return false;
  out->pypy = strstr(line, " pypy") != NULL;
  snprintf(out->name, sizeof out->name, "%s %u.%u.%u", out->pypy ? "PyPy" : "CPython", major, minor,
           micro);
  out->python = PKS_PYTHON(major, minor, micro);
  out->size32 = bits == 32;
  return true;
}

static uint64_t get(unsigned size) {
  uint64_t number = 0;
  for (unsigned i = 0; i < size; i++) {
    int c = getc(from);
    number |= (uint64_t)(c == EOF ? 0 : c) << (8 * i);
  }
  return number;
}

static void send(const sample *const *samples, size_t count) {
  bytes out = {0};
  bytes_le(&out, 0, 8);
  for (size_t i = 0; i < count; i++) {
    const sample *s = samples[i];
    bytes_le(&out, s->data.size, 4);
    bytes_byte(&out, s->how.encoding);
    bytes_byte(&out, s->how.errors);
    bytes_byte(&out, (uint8_t)s->how.buffers);
    bytes_byte(&out, (unsigned)s->how.persid | (unsigned)s->how.extensions << 1);
    bytes_byte(&out, s->how.reading);
    bytes_put(&out, s->data.data, s->data.size);
  }
  for (unsigned i = 0; i < 8; i++) out.data[i] = (uint8_t)((uint64_t)(out.size - 8) >> (8 * i));
  fwrite(out.data, 1, out.size, to);
  fflush(to);
  bytes_free(&out);
}

/* False: it is gone. */
static bool receive(reading *out) {
  int ok = getc(from);
  if (ok == EOF) return false;
  memset(out->exception, 0, sizeof out->exception);
  out->crashed = out->limited = out->unsure = out->foreign = false;
  out->ok = ok == 1;
  size_t size = (size_t)get(1);
  for (size_t i = 0; i < size; i++) {
    int c = getc(from);
    if (i < sizeof out->exception - 1) out->exception[i] = (char)c;
  }
  out->consumed = get(8);
  size = (size_t)get(4);
  out->trace.size = 0;
  if (size && fread(bytes_room(&out->trace, size), 1, size, from) != size) return false;
  return !feof(from);
}

static void restart(void) {
  char line[128];
  remote_stop();
  if (start_child() && fgets(line, sizeof line, from)) return;
  fprintf(stderr, "oracle: the other interpreter does not start again\n");
  exit(2);
}

static void remote_read(const sample *const *samples, size_t count, reading *out) {
  size_t done = 0;
  send(samples, count);
  while (done < count && receive(&out[done])) done++;
  if (done == count) return;
  restart();
  /* it answers when a batch is done: the one that it died of is found by asking one by one */
  for (done = 0; done < count; done++) {
    send(&samples[done], 1);
    if (receive(&out[done])) continue;
    out[done].crashed = true;
    out[done].ok = false;
    out[done].trace.size = 0;
    restart();
  }
}

bool remote_start(reader *out, const char *what) {
  signal(SIGPIPE, SIG_IGN);
  command = what;
  out->read = remote_read;
  if (start_child() && hello(out)) return true;
  remote_stop();
  snprintf(out->name, sizeof out->name, "no answer");
  return false;
}
