/* An OTF2 archive as traces: the trace of each rank is generated, as text in full encoding, while it is read. A trace
 * of an archive has the path of the anchor file, "#" and its rank.
 *
 * This header needs no libotf2; without it, functions only return an error that says so. */
#pragma once

#include <glib.h>

typedef struct HieraOtf2Trace HieraOtf2Trace;

/* Return TRUE if a file begins like the anchor file of an OTF2 archive. */
gboolean hiera_otf2_is_anchor(const char *path);
/* Return the path of the anchor file if a path is that of a trace of an archive, else NULL. Free it with g_free. */
char *hiera_otf2_find_anchor(const char *path, guint32 *rank);
/* Append the paths of the traces of an archive, by rank, to be freed with g_free. Return FALSE with an error, which
 * does not name the file, if it cannot be read.
 * @param rest  set to a description of data that is in no trace, to be freed with g_free; NULL: nothing */
gboolean hiera_otf2_list_traces(const char *anchor, GPtrArray *paths, char **rest, GError **error);

/* Open the trace of one rank. @return NULL if it cannot be read, with an error that does not name the file */
HieraOtf2Trace *hiera_otf2_trace_open(const char *anchor, guint32 rank, GError **error);
/* Read up to `size` bytes of the trace's XML text. Return their number; 0: the end; -1: the rest cannot be read. */
gssize hiera_otf2_trace_read(HieraOtf2Trace *trace, char *buffer, gsize size);
/* Return why the rest of a trace cannot be read; NULL: it can. */
const char *hiera_otf2_trace_peek_problem(const HieraOtf2Trace *trace);
void hiera_otf2_trace_free(HieraOtf2Trace *trace);
