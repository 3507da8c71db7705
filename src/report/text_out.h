/* report/text_out.h - lines for people. What comes from a payload or a path is escaped. */
#ifndef PKS_REPORT_TEXT_OUT_H
#define PKS_REPORT_TEXT_OUT_H

#include <stdbool.h>
#include <picklesight.h>

typedef struct pks_text_out {
  pks_write_fn write;
  void *user;
  bool color;
  bool failed;
  size_t width; /* columns at which put_folded breaks lines; 0: nowhere */
  size_t used;
  char buffer[2048];
} pks_text_out;

typedef enum pks_paint {
  PKS_PAINT_PLAIN,
  PKS_PAINT_BOLD,
  PKS_PAINT_DIM,
  PKS_PAINT_RED,
  PKS_PAINT_GREEN,
  PKS_PAINT_YELLOW
} pks_paint;

void pks_report_text_init(pks_text_out *out, pks_write_fn write, void *user);
bool pks_report_text_flush(pks_text_out *out);

/* Our own words, as they are. */
void pks_report_put(pks_text_out *out, const char *text);
/* What has been escaped already: printable ASCII; anything else comes out as "?". */
void pks_report_put_ascii(pks_text_out *out, pks_span text);
void pks_report_put_uint(pks_text_out *out, uint64_t value);
void pks_report_put_int(pks_text_out *out, int64_t value);
/* Right aligned in `width`. */
void pks_report_put_offset(pks_text_out *out, uint64_t value, unsigned width);
void pks_report_paint(pks_text_out *out, pks_paint paint);

/* Any bytes, read as UTF-8: control, format and bidirectional characters, surrogates and what is not
 * UTF-8 come out as \xNN, \uNNNN or \UNNNNNNNN, a backslash as two. After `most` bytes: "..." (0: no
 * end). Returns how many columns that is, at one a character. */
size_t pks_report_put_text(pks_text_out *out, pks_span text, size_t most);
size_t pks_report_put_string(pks_text_out *out, const char *text);
/* Our own words, or escaped ones, on a line that has `column` columns: where `width` ends they go on in
 * the next line, after `indent` blanks. Returns the column after them. */
size_t pks_report_put_folded(pks_text_out *out, const char *text, size_t column, size_t indent);
/* ", at byte N of the file", when the error is of the file around the payload. */
void pks_report_put_stored(pks_text_out *out, const pks_error *error);
void pks_report_put_spaces(pks_text_out *out, size_t count);

#endif
