/* cli/sniff.c - what bytes that are no pickle seem to be, for messages. Not a judgement: it is asked
 * only after the unpickler's rules refused them. */
#include <string.h>
#include <strings.h>

#include "cli/cli.h"

typedef struct magic {
  size_t offset, size;
  const char *bytes, *what;
} magic;

#define MAGIC(offset, bytes, what) \
  { offset, sizeof(bytes) - 1, bytes, what }
static const magic magics[] = {
    MAGIC(0, "version https://git-lfs", "a Git LFS pointer: the file itself was not fetched"),
    MAGIC(0, "version https://hawser", "a Git LFS pointer: the file itself was not fetched"),
    MAGIC(0, "PK\003\004", "a zip archive"),
    MAGIC(0, "PK\005\006", "an empty zip archive"),
    MAGIC(0, "\x93NUMPY", "a NumPy .npy array"),
    MAGIC(0, "\x89HDF\r\n\x1a\n", "an HDF5 file"),
    MAGIC(0, "\x89PNG\r\n", "a PNG image"),
    MAGIC(0, "\xff\xd8\xff", "a JPEG image"),
    MAGIC(0, "GIF8", "a GIF image"),
    MAGIC(0, "%PDF-", "a PDF document"),
    MAGIC(0,
          "\x7f"
          "ELF",
          "an ELF program or library"),
    MAGIC(0, "SQLite format 3", "an SQLite database"),
    MAGIC(0, "GGUF", "a GGUF model"),
    MAGIC(0, "PAR1", "a Parquet file"),
    MAGIC(0, "ARROW1", "an Arrow file"),
    MAGIC(0, "BZh", "bzip2 compressed data"),
    MAGIC(0,
          "\xfd"
          "7zXZ",
          "xz compressed data"),
    MAGIC(0, "\x28\xb5\x2f\xfd", "Zstandard compressed data"),
    MAGIC(0, "\x04\x22\x4d\x18", "LZ4 compressed data"),
    MAGIC(0, "\x1f\x8b", "gzip compressed data"),
    MAGIC(257, "ustar", "a tar archive"),
};

static size_t skip_space(const uint8_t *head, size_t size) {
  size_t i = size >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  while (i < size && (head[i] == ' ' || (head[i] >= '\t' && head[i] <= '\r'))) i++;
  return i;
}

static bool is_text(const uint8_t *head, size_t size) {
  for (size_t i = 0; i < size; i++)
    if ((head[i] < ' ' && !(head[i] >= '\t' && head[i] <= '\r')) || head[i] == 0x7f) return false;
  return true;
}

static const char *sniff_text(const uint8_t *head, size_t size) {
  size_t at = skip_space(head, size);
  size_t left = size - at;
  const char *text = (const char *)head + at;
  if (!is_text(head, size)) return NULL;
  if (left >= 14 && strncasecmp(text, "<!doctype html", 14) == 0) return "an HTML page";
  if (left >= 5 && strncasecmp(text, "<html", 5) == 0) return "an HTML page";
  if (left >= 5 && strncasecmp(text, "<?xml", 5) == 0) return "an XML document";
  if (left && *text == '<') return "a page or document in HTML or XML";
  if (left && (*text == '{' || *text == '[')) return "text, perhaps JSON";
  /* a protocol 0 pickle is text too: no blanks, and STOP at its end */
  bool pickled = size && head[size - 1] == '.' && !memchr(head, ' ', size);
  return pickled ? NULL : "text";
}

const char *pks_cli_sniff(const uint8_t *head, size_t size, bool binary_only) {
  for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
    const magic *m = &magics[i];
    if (size >= m->offset + m->size && memcmp(head + m->offset, m->bytes, m->size) == 0)
      return m->what;
  }
  return binary_only || size < 4 ? NULL : sniff_text(head, size);
}

static bool all_are(const uint8_t *head, size_t size, const char *set, size_t count) {
  for (size_t i = 0; i < size; i++)
    if (!memchr(set, head[i], count)) return false;
  return true;
}

const char *pks_cli_sniff_rest(const uint8_t *head, size_t size) {
  if (all_are(head, size, "", 1)) return "zero padding after the last pickle";
  if (all_are(head, size, " \t\r\n", 4)) return "white space after the last pickle";
  return "something else after the last pickle";
}
