/* cli/source.c - a file as bytes. Regular files are mapped; what comes through a pipe, and what is
 * inflated, is held one piece at a time. */
#include "cli/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(pks_cli_source *s, const char *text) {
  s->error.status = PKS_E_IO;
  s->error.text = text;
  s->error.stored = s->taken;
  return false;
}

bool pks_cli_source_shrank(pks_cli_source *s) {
  struct stat info;
  size_t there;
  if (!s->map || s->error.status != PKS_OK) return false;
  there = pks_cli_map_there();
  bool shorter = fstat(s->fd, &info) == 0 && (uintmax_t)info.st_size < s->map_size;
  if (!shorter && there >= s->map_size) return false;
  (void)fail(s, shorter ? "the file became shorter while it was read" : strerror(EIO));
  s->map_size = shorter ? (size_t)info.st_size : there;
  s->error.stored = s->map_size;
  return true;
}

/* ---- bytes as in the file ------------------------------------------------------------------------ */

static void took(pks_cli_source *s, size_t size) {
  s->taken += size;
  s->cli->bytes += size;
}

static bool read_piece(pks_cli_source *s) {
  uint8_t *buffer = s->cli->buffer;
  ssize_t size;
  if (s->map || s->at_end) return false;
  do size = read(s->fd, buffer, PKS_CLI_PIECE);
  while (size < 0 && errno == EINTR);
  if (size < 0) return fail(s, strerror(errno));
  s->at_end = size == 0;
  s->raw = (pks_input){buffer, (size_t)size, 0};
  took(s, (size_t)size);
  return size > 0;
}

/* ---- inflated ------------------------------------------------------------------------------------ */

static bool inflate_piece(pks_cli_source *s) {
  uint8_t *buffer = s->cli->buffer + PKS_CLI_PIECE;
  size_t size = 0;
  pks_status status;
  for (;;) {
    status = pks_inflate_next(s->inflate, &s->raw, buffer, PKS_CLI_PIECE, &size);
    if (s->map && pks_cli_map_there() < s->map_size && pks_cli_source_shrank(s)) return false;
    if (size) break;
    if (status == PKS_NEED_MORE && read_piece(s)) continue;
    if (s->error.status != PKS_OK) return false;
    if (pks_cli_source_shrank(s)) return false;
    if (status == PKS_NEED_MORE) status = pks_inflate_finish(s->inflate);
    if (status == PKS_END && (s->raw.pos < s->raw.size || read_piece(s))) {
      s->error.status = PKS_E_CONTAINER;
      s->error.stored = s->taken - (s->raw.size - s->raw.pos);
      s->error.text = "something follows the compressed data";
    } else if (status != PKS_END) {
      pks_inflate_error(s->inflate, &s->error);
      s->error.stored = s->error.offset;
      s->error.offset = 0;
    }
    return false;
  }
  s->in = (pks_input){buffer, size, 0};
  return true;
}

bool pks_cli_source_is_whole(const pks_cli_source *s) { return s->map && !s->inflate; }

bool pks_cli_source_next(pks_cli_source *s) {
  bool first = s->in.size == 0 && s->before == 0;
  s->before += s->in.size;
  s->in = (pks_input){NULL, 0, 0};
  if (s->error.status != PKS_OK) return false;
  if (s->inflate) {
    if (!inflate_piece(s)) return false;
  } else {
    /* the first piece was read to see what it is */
    if (s->raw.pos == s->raw.size && !read_piece(s)) return false;
    s->in = (pks_input){s->raw.data + s->raw.pos, s->raw.size - s->raw.pos, 0};
    s->raw.pos = s->raw.size;
  }
  if (first) {
    s->head_size = s->in.size < sizeof s->head ? s->in.size : sizeof s->head;
    memcpy(s->head, s->in.data, s->head_size);
  }
  return true;
}

/* ---- opening ------------------------------------------------------------------------------------- */

static bool map_file(pks_cli_source *s, const struct stat *info) {
  if (!S_ISREG(info->st_mode) || info->st_size <= 0) return false;
  if ((uintmax_t)info->st_size > SIZE_MAX) return false;
  size_t size = (size_t)info->st_size;
  s->map = pks_cli_map(s->fd, size);
  if (!s->map) return false;
  s->map_size = size;
  s->raw = (pks_input){s->map, size, 0};
  took(s, size);
  return true;
}

static bool open_file(pks_cli_source *s, const char *path) {
  struct stat info;
  if (strcmp(path, "-") == 0) {
    s->fd = STDIN_FILENO;
    return true;
  }
  s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (s->fd < 0 || fstat(s->fd, &info) != 0) return fail(s, strerror(errno));
  if (S_ISDIR(info.st_mode)) return fail(s, strerror(EISDIR));
  map_file(s, &info);
  return true;
}

/* To see what it is. */
static bool enough(const pks_cli_source *s) {
  bool code = pks_cli_may_be_code(s->raw.data, s->raw.size);
  return s->raw.size >= (code ? PKS_CLI_CODE_HEAD : 3);
}

bool pks_cli_source_open(pks_cli *cli, pks_cli_source *s, const char *path) {
  memset(s, 0, sizeof *s);
  s->cli = cli;
  s->fd = -1;
  s->error = (pks_error){.size = sizeof s->error, .text = ""};
  pks_base_mem_init(&s->mem, NULL, cli->set.limits.max_memory);
  if (!open_file(s, path)) return false;
  /* bytes may come one at a time */
  if (!s->map) {
    (void)read_piece(s);
    while (!s->at_end && s->error.status == PKS_OK && !enough(s)) {
      ssize_t size = read(s->fd, cli->buffer + s->raw.size, PKS_CLI_PIECE - s->raw.size);
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) return fail(s, strerror(errno));
      s->at_end = size == 0;
      s->raw.size += (size_t)size;
      took(s, (size_t)size);
    }
    if (s->error.status != PKS_OK) return false;
  }
  s->kind = pks_inflate_sniff(s->raw.data, s->raw.size);
  if (s->kind == PKS_INFLATE_NONE) {
    if (s->map) {
      s->head_size = s->map_size < sizeof s->head ? s->map_size : sizeof s->head;
      memcpy(s->head, s->map, s->head_size);
    }
    return true;
  }
  s->inflate = pks_inflate_new(&s->mem, s->kind, cli->set.max_output);
  if (s->inflate) return true;
  s->error.status = s->mem.status;
  s->error.text = pks_status_text(s->mem.status);
  return false;
}

void pks_cli_source_close(pks_cli_source *s) {
  pks_inflate_free(s->inflate);
  if (s->map) pks_cli_unmap();
  if (s->fd > STDIN_FILENO) close(s->fd);
}
