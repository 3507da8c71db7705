/* facts/listing.h - instructions of a code object that an inspector found. */
#ifndef PKS_FACTS_LISTING_H
#define PKS_FACTS_LISTING_H

#include "facts/facts.h"

pks_listing *pks_facts_listing_new(const pks_limits *limits, const pks_alloc *alloc);
void pks_facts_listing_free(pks_listing *listing);
pks_status pks_facts_listing_start(pks_listing *listing, const pks_inspector *f, size_t code,
                                   uint16_t magic);
/* False: at the end. */
bool pks_facts_listing_next(pks_listing *listing, pks_instruction *out);

#endif
