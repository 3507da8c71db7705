/* cli/mapping.c - a file in memory that may become shorter while it is read, or be on a bad disk.
 *
 * Touching what is not there raises SIGBUS, wherever that is: in the library, in zlib, while results are
 * written. So that nothing there is left half done, the handler puts zeros in its place and the reader
 * goes on; the source then sees what happened and has the file read again up to there. */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/source.h"

/* The one mapping there is: a signal handler has no argument for it. */
static uint8_t *volatile mapped;
static volatile size_t mapped_size, page_size;
static volatile size_t there; /* bytes that could be read so far */

static void on_bus_error(int number, siginfo_t *info, void *context) {
  int error = errno;
  uint8_t *start = mapped;
  uintptr_t at = (uintptr_t)info->si_addr - (uintptr_t)start;
  (void)context;
  if (start && at < mapped_size) {
    at -= at % page_size;
    void *zeros = mmap(start + at, mapped_size - at, PROT_READ,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (at < there) there = at;
    errno = error;
    if (zeros != MAP_FAILED) return;
  }
  signal(number, SIG_DFL); /* the instruction is tried once more, and that is the end */
}

static void watch(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = on_bus_error;
  sigaction(SIGBUS, &action, NULL);
}

const uint8_t *pks_cli_map(int fd, size_t size) {
  long page = sysconf(_SC_PAGESIZE);
  if (mapped || page <= 0) return NULL;
  void *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (map == MAP_FAILED) return NULL;
  page_size = (size_t)page;
  mapped_size = size;
  there = size;
  mapped = map;
  watch();
  if (size > PKS_CLI_PIECE) posix_madvise(map, size, POSIX_MADV_SEQUENTIAL);
  return map;
}

void pks_cli_unmap(void) {
  uint8_t *start = mapped;
  mapped = NULL;
  if (start) munmap(start, mapped_size);
}

size_t pks_cli_map_there(void) { return there; }
