/* --html: runs the measures that the page shows, and writes the page. */
#ifndef HIERA_PAGE_WRITE_H
#define HIERA_PAGE_WRITE_H

#include "options.h"

/* @param scope  narrows the page: its ranks and times all of it, the rest of it the tables */
gboolean page_write(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                    const Options *options, GError **error);

#endif
