/* A trace in another spelling: full or compact (docs/format.md). What is read and what is written say the same. */
#ifndef HIERA_CONVERT_H
#define HIERA_CONVERT_H

#include <glib.h>
#include <stdio.h>

typedef enum { HIERA_SPELLING_FULL, HIERA_SPELLING_COMPACT } HieraSpelling;

/* Write a trace, whatever its own spelling, in one of the two. Comments are left out; a trace that is cut short stays
 * so. The error's message begins with the path. */
gboolean hiera_convert(const char *path, HieraSpelling spelling, FILE *out, GError **error);

/* The traces of processors (GArray of HieraProcessor, not empty) into a folder, which is made, beside their
 * configuration, grammar and stylesheet. None of them may lie there. */
gboolean hiera_convert_all(const GArray *processors, HieraSpelling spelling, const char *folder, GError **error);

#endif
