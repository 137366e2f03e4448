/* --html: runs the measures that the page shows, and writes the page. */
#ifndef HIERA_PAGE_WRITE_H
#define HIERA_PAGE_WRITE_H

#include "hiera_match.h"

/* @param arguments  what the user named, NULL-terminated
 * @param path       of the page; "-": standard output */
gboolean page_write(const HieraMatch *match, const HieraFindings *findings, char **arguments, const char *path,
                    GError **error);

#endif
