/* What the ids of communicators mean in one trace: the last declaration of each. The two communicators that every
 * program has need none. */
#ifndef HIERA_COMMUNICATOR_IDS_H
#define HIERA_COMMUNICATOR_IDS_H

#include "trace/catalog.h"

typedef struct {
    HieraCatalog *catalog;
    const HieraProcessor *processor;
    GHashTable *by_id; /* id, interned → HieraCommunicator */
    guint n_changes;   /* of what ids mean */
} HieraCommunicatorIds;

void hiera_communicator_ids_init(HieraCommunicatorIds *ids, HieraCatalog *catalog, const HieraProcessor *processor);
void hiera_communicator_ids_clear(HieraCommunicatorIds *ids);
/* Declare; all texts interned, `name` NULL if none is given. @return false if a list of ranks is none */
gboolean hiera_communicator_ids_add(HieraCommunicatorIds *ids, const char *id, const char *ranks, const char *remote,
                                    const char *name);
/* Declare the window or file with an id as made of the communicator `of`; both ids interned. @return its index */
guint32 hiera_communicator_ids_make(HieraCommunicatorIds *ids, const char *id, const char *of);
/* Index of what was declared with an id (interned), HIERA_NONE if nothing was. */
guint32 hiera_communicator_ids_peek(const HieraCommunicatorIds *ids, const char *id);
/* Index of the communicator with an id (interned). One that nobody declared has an index, but no ranks. */
guint32 hiera_communicator_ids_find(HieraCommunicatorIds *ids, const char *id);

#endif
