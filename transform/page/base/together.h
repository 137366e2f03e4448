/* Data exchange of several processes about the page. With one process, nothing happens. */
#pragma once

#include "hiera_measure.h"

/* Return the sum of the numbers of all processes. */
gint64 hiera_page_add_up(const HieraScope *scope, const HieraTrace *trace, gint64 own);
/* Gather bytes: process 0 appends those of the other processes. */
void hiera_page_gather_bytes(const HieraScope *scope, const HieraTrace *trace, GByteArray *own);
