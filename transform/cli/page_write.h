/* --html and --serve: run the measures that the page shows, and write or serve the page. */
#ifndef HIERA_PAGE_WRITE_H
#define HIERA_PAGE_WRITE_H

#include "options.h"

/* @param scope  narrows the page: its ranks and times all of it, the rest of it the tables */
gboolean page_write(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                    const Options *options, GError **error);

/* Serve the page until a signal comes. */
gboolean page_serve(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                    const Options *options, GError **error);

#endif
