#include "communicator_ids.h"
#include "base/vocabulary.h"
#include <string.h>

void hiera_communicator_ids_init(HieraCommunicatorIds *ids, HieraCatalog *catalog, const HieraProcessor *processor)
{
    *ids = (HieraCommunicatorIds){catalog, processor, g_hash_table_new(NULL, NULL), 0};
}

void hiera_communicator_ids_clear(HieraCommunicatorIds *ids)
{
    g_hash_table_unref(ids->by_id);
}

static void set_meaning(HieraCommunicatorIds *ids, const char *id, const HieraCommunicator *communicator)
{
    if (g_hash_table_lookup(ids->by_id, id) == communicator)
        return;
    g_hash_table_insert(ids->by_id, (gpointer)id, (gpointer)communicator);
    ids->n_changes++;
}

static const HieraCommunicator *declare(HieraCommunicatorIds *ids, const char *id, const char *ranks,
                                        const char *remote, const char *name)
{
    const HieraCommunicator *communicator = hiera_catalog_communicator(ids->catalog, id, ranks, remote, name);
    if (communicator)
        set_meaning(ids, id, communicator);
    return communicator;
}

gboolean hiera_communicator_ids_add(HieraCommunicatorIds *ids, const char *id, const char *ranks, const char *remote,
                                    const char *name)
{
    return declare(ids, id, ranks, remote, name) != NULL;
}

/* Declare an id that the trace uses without a declaration: MPI_COMM_SELF, MPI_COMM_WORLD, or a communicator with
 * unknown members. */
static const HieraCommunicator *declare_implicitly(HieraCommunicatorIds *ids, const char *id)
{
    const HieraProcessor *processor = ids->processor;
    char ranks[32] = "";
    if (strcmp(id, HIERA_COMM_SELF) == 0)
        g_snprintf(ranks, sizeof ranks, "%u", processor->rank);
    else if (strcmp(id, HIERA_COMM_WORLD) == 0 && processor->size > 0)
        g_snprintf(ranks, sizeof ranks, "0-%" G_GINT64_FORMAT, processor->size - 1);
    return declare(ids, id, hiera_catalog_intern(ids->catalog, ranks, strlen(ranks)), "", NULL);
}

static const HieraCommunicator *find(HieraCommunicatorIds *ids, const char *id)
{
    const HieraCommunicator *communicator = g_hash_table_lookup(ids->by_id, id);
    return communicator ? communicator : declare_implicitly(ids, id);
}

guint32 hiera_communicator_ids_make(HieraCommunicatorIds *ids, const char *id, const char *of, const char *name)
{
    const HieraCommunicator *object = hiera_catalog_object(ids->catalog, id, find(ids, of), name);
    set_meaning(ids, id, object);
    return object->index;
}

guint32 hiera_communicator_ids_peek(const HieraCommunicatorIds *ids, const char *id)
{
    const HieraCommunicator *communicator = g_hash_table_lookup(ids->by_id, id);
    return communicator ? communicator->index : HIERA_NONE;
}

guint32 hiera_communicator_ids_find(HieraCommunicatorIds *ids, const char *id)
{
    return find(ids, id)->index;
}
