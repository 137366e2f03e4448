/* Ids of communicators in one trace → communicators. An id means its last declaration. MPI_COMM_WORLD and
 * MPI_COMM_SELF need no declaration. */
#pragma once

#include "trace/catalog.h"

typedef struct {
    HieraCatalog *catalog;
    const HieraProcessor *processor;
    GHashTable *by_id; /* interned id → HieraCommunicator that the id now means */
    guint n_changes;   /* number of times that an id was declared again with another meaning */
} HieraCommunicatorIds;

void hiera_communicator_ids_init(HieraCommunicatorIds *ids, HieraCatalog *catalog, const HieraProcessor *processor);
void hiera_communicator_ids_clear(HieraCommunicatorIds *ids);
/* Declare a communicator or group; parameters as of hiera_catalog_communicator(). Return FALSE if a list is not a
 * list of ranks. */
gboolean hiera_communicator_ids_add(HieraCommunicatorIds *ids, const char *id, const char *ranks, const char *remote,
                                    const char *name);
/* Declare a window or file that was made from the communicator `of`; both ids are interned. Return its index.
 * @param name  interned; NULL: none */
guint32 hiera_communicator_ids_make(HieraCommunicatorIds *ids, const char *id, const char *of, const char *name);
/* Return the index of the communicator, group, window or file that an interned id means; HIERA_NONE: undeclared. */
guint32 hiera_communicator_ids_peek(const HieraCommunicatorIds *ids, const char *id);
/* Return the index of the communicator that an interned id means. An undeclared id is declared without ranks. */
guint32 hiera_communicator_ids_find(HieraCommunicatorIds *ids, const char *id);
