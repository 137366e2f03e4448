/* Where the traces in a container begin. An index is made once for each container and kept. */
#pragma once

#include <glib.h>

#include "dtd/container.h"

typedef struct {
    guint32 rank;
    guint64 offset; /* offset of its first extent */
    guint64 length; /* bytes of its trace */
    gboolean is_compressed;
} HieraContainerPlace;

typedef struct {
    guint64 number;  /* number of the container */
    guint32 members; /* number of its ranks; 0 if its first page is damaged */
    guint n_damaged; /* extents that could not be read before all ranks were found */
    guint64 damaged; /* offset of the first damaged extent */
    gboolean passed; /* there are more ranks than the limit `files` allows */
    GArray *places;  /* HieraContainerPlace, by rank */
} HieraContainerIndex;

/* Return the index of an open container, to be released with hiera_container_index_unref(). */
HieraContainerIndex *hiera_container_index_get(const char *path, int fd);
void hiera_container_index_unref(HieraContainerIndex *index);
/* Return where the trace of a rank begins, or NULL. */
const HieraContainerPlace *hiera_container_index_find(const HieraContainerIndex *index, guint32 rank);

/* Read the head of an extent. Return FALSE if there is none, or it belongs to another container. `number` 0: any
 * container. */
gboolean hiera_extent_read_head(int fd, guint64 offset, guint64 number, HieraExtentHead *head);
