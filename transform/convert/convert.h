/* Converts traces between the full and the compact spelling (docs/format.md), without loss. */
#ifndef HIERA_CONVERT_H
#define HIERA_CONVERT_H

#include <glib.h>
#include <stdio.h>

typedef enum { HIERA_SPELLING_FULL, HIERA_SPELLING_COMPACT } HieraSpelling;

/* Write a trace in a spelling; the trace may have either. Comments are not copied. A trace that ends too early is
 * written up to its end.
 *
 * @param path   of the trace
 * @param out    is written to, not closed; check it for write errors
 * @param error  the message begins with the path
 * @return  FALSE with an error if the trace has no element that can be read */
gboolean hiera_convert(const char *path, HieraSpelling spelling, FILE *out, GError **error);

/* Write traces into a folder, with their configuration file, DTDs and stylesheet.
 *
 * @param processors  GArray of HieraProcessor, not empty: their traces are converted
 * @param folder      is made if necessary; must not be the folder of one of the traces
 * @return  FALSE with an error if a trace cannot be read or written, or would be overwritten */
gboolean hiera_convert_all(const GArray *processors, HieraSpelling spelling, const char *folder, GError **error);

#endif
