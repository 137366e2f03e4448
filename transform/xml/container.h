/* A container (dtd/container.h) holds the traces of many ranks; each is read as if it were a file. Such a trace has the
 * path of the container,
 * "#" and its rank.
 *
 * Opening a container reads the head of each rank's first extent, once for all ranks. A damaged extent loses the rest
 * of the trace of its own rank; no other rank is affected. */
#pragma once

#include <glib.h>

#include "base/findings.h"

/* Whether a file begins like a container (a file with the traces of many ranks), or has a container's suffix. */
gboolean hiera_container_is(const char *path);
/* If a path names a trace in a container, return the container's path, to be freed with g_free; else NULL. */
char *hiera_container_find(const char *path, guint32 *rank);
/* Append the paths of the traces in a container, by rank, to be freed with g_free. Errors in it become findings.
 *  */
void hiera_container_list(const char *container, GPtrArray *paths, HieraFindings *findings);
/* Return the size in bytes of a trace in a container, and whether it is compressed; 0: no such trace. */
gint64 hiera_container_trace_bytes(const char *container, guint32 rank, gboolean *compressed);

typedef struct HieraMember HieraMember;

/* Open the trace of a rank in a container; NULL with an error, which does not name the file, if it cannot be read. */
HieraMember *hiera_member_open(const char *container, guint32 rank, GError **error);
/* Copy the trace's first bytes without consuming them. Return their number, at most n. */
gsize hiera_member_peek(HieraMember *member, char *bytes, gsize n);
/* Read up to `size` bytes of the trace. Return their number, 0 at the end, -1 if the rest cannot be read. */
gssize hiera_member_read(HieraMember *member, char *buffer, gsize size);
/* Return why the rest of the trace cannot be read. */
const char *hiera_member_peek_problem(const HieraMember *member);
void hiera_member_free(HieraMember *member);
