/* Exchange of data about the page between processes; a single process gets its own data back. */
#pragma once

#include "hiera_measure.h"

/* Return, in every process, the sum of `own` over all processes. */
gint64 hiera_page_add_up(const HieraScope *scope, const HieraTrace *trace, gint64 own);
/* In process 0, append the bytes of the other processes to `own`. */
void hiera_page_gather_bytes(const HieraScope *scope, const HieraTrace *trace, GByteArray *own);
