/* What several processes tell each other about the page. Without others nothing happens. */
#ifndef HIERA_PAGE_TOGETHER_H
#define HIERA_PAGE_TOGETHER_H

#include "hiera_measure.h"

/* Return the sum of the numbers of all processes. */
gint64 hiera_page_add_up(const HieraScope *scope, const HieraTrace *trace, gint64 own);
/* The one that leads appends the bytes of the others. */
void hiera_page_gather_bytes(const HieraScope *scope, const HieraTrace *trace, GByteArray *own);

#endif
