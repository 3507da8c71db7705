/* tsv.h - tables: one row a line, fields divided by tabs, no quoting.
 *
 * Empty lines and those that begin with "#" are no rows. A first line "#name<TAB>name..." names the
 * columns. */
#ifndef TESTS_TSV_H
#define TESTS_TSV_H

#include <stddef.h>

typedef struct tsv_row {
  size_t line;  /* its number in the file, from 1, for messages */
  size_t count; /* fields */
  char **field;
} tsv_row;

typedef struct tsv {
  size_t count;
  tsv_row *row;
  tsv_row heading; /* count 0: there is none */
  char *text;      /* all of the file; fields point into it */
} tsv;

/* Reads a file by a path from the root of the repository, where tests run. Aborts with a message
 * when it cannot: a test without its data has nothing to say. */
tsv *tsv_read(const char *path);
void tsv_free(tsv *table);

/* The column of that name; aborts with a message when there is none. */
size_t tsv_column(const tsv *table, const char *name);

/* A field, or "" when the row is too short. */
const char *tsv_field(const tsv_row *row, size_t column);

#endif
