/* answer.h - what an inspector found, as the text that the tables of real unpicklers have. */
#ifndef TESTS_ANSWER_H
#define TESTS_ANSWER_H

#include <picklesight.h>
#include <stdbool.h>

typedef struct answer {
  char *lookups;      /* "hex:hex,..." or "-"; owned */
  char exception[32]; /* "-" when there is none */
  uint64_t consumed;  /* 0 when not ok */
  uint64_t ids, buffers;
  bool ok;
} answer;

/* spelled: names before the Python 2 mapping. options.events must have been set. Free with
 * answer_free. */
void answer_read(const pks_inspector *inspector, pks_status status, bool spelled, answer *out);
void answer_free(answer *a);
bool answer_same(const answer *a, const answer *b);

/* Reads it in pieces, in every cut. NULL: each time it is `whole`; else what differs, to be freed. */
char *answer_in_every_cut(pks_inspector *inspector, const uint8_t *data, size_t size, bool spelled,
                          const answer *whole);

#endif
