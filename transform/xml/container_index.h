/* Offsets of the traces in a container. The index of a container is made once and cached. */
#pragma once

#include <glib.h>

#include "dtd/container.h"

typedef struct {
    guint32 rank;
    guint64 offset; /* offset in the container of the trace's first extent */
    guint64 length; /* length of the trace in bytes */
    gboolean is_compressed;
} HieraContainerPlace;

typedef struct {
    guint64 number;  /* number that identifies the container, also in each of its extents */
    guint32 members; /* number of ranks that have traces in the container; 0 if its first page is damaged */
    guint n_damaged; /* number of unreadable extents that were met before all ranks were found */
    guint64 damaged; /* offset of the first damaged extent */
    gboolean passed; /* whether there are more ranks than the limit `files` allows */
    GArray *places;  /* HieraContainerPlace, sorted by rank */
} HieraContainerIndex;

/* Return the index of a container that is open as `fd`, to be released with hiera_container_index_unref(). */
HieraContainerIndex *hiera_container_index_get(const char *path, int fd);
void hiera_container_index_unref(HieraContainerIndex *index);
/* Return the entry of a rank's trace in the index; NULL: the rank has none. */
const HieraContainerPlace *hiera_container_index_find(const HieraContainerIndex *index, guint32 rank);

/* Read the head of an extent. Return FALSE if there is none, or it belongs to another container. `number` 0: any
 * container. */
gboolean hiera_extent_read_head(int fd, guint64 offset, guint64 number, HieraExtentHead *head);
