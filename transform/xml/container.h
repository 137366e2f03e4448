/* A container (dtd/container.h) holds the traces of many ranks; each is read as if it were a file. Such a trace has the
 * path of the container,
 * "#" and its rank.
 *
 * Opening a container reads the head of each rank's first extent, once for all ranks. A damaged extent loses the rest
 * of the trace of its own rank; no other rank is affected. */
#pragma once

#include <glib.h>

#include "base/findings.h"

/* Return TRUE if a file begins like a container, or has a container's name. */
gboolean hiera_container_is(const char *path);
/* Return the path of the container, to be freed with g_free, if a path is that of a trace in one; else NULL. */
char *hiera_container_find(const char *path, guint32 *rank);
/* Append the paths of the traces in a container, by rank, to be freed with g_free. Errors in it become findings.
 *  */
void hiera_container_list(const char *container, GPtrArray *paths, HieraFindings *findings);
/* Return the size of a trace in a container, in bytes, and whether it is compressed; 0 if there is none. */
gint64 hiera_container_trace_bytes(const char *container, guint32 rank, gboolean *compressed);

typedef struct HieraMember HieraMember;

/* Open the trace of a rank; NULL with an error, which does not name the file, if it cannot be read. */
HieraMember *hiera_member_open(const char *container, guint32 rank, GError **error);
/* Copy the first bytes of the trace; they are read again later. Return their number, at most n. */
gsize hiera_member_peek(HieraMember *member, char *bytes, gsize n);
/* Read up to `size` bytes. Return the number of bytes, 0 at the end, -1 if the rest cannot be read. */
gssize hiera_member_read(HieraMember *member, char *buffer, gsize size);
/* Return why the rest cannot be read. */
const char *hiera_member_peek_problem(const HieraMember *member);
void hiera_member_free(HieraMember *member);
