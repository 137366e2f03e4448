/* Communicators of one trace; see communicator_ids.h. */
#include "communicator_ids.h"
#include "base/vocabulary.h"
#include <string.h>

void hiera_declarations_init(HieraDeclarations *declarations, HieraCatalog *catalog, const HieraProcessor *processor)
{
    *declarations = (HieraDeclarations){catalog, processor, g_hash_table_new(NULL, NULL), 0};
}

void hiera_declarations_clear(HieraDeclarations *declarations)
{
    g_hash_table_unref(declarations->by_id);
}

static void set_meaning(HieraDeclarations *declarations, const char *id, const HieraCommunicator *communicator)
{
    if (g_hash_table_lookup(declarations->by_id, id) == communicator)
        return;
    g_hash_table_insert(declarations->by_id, (gpointer)id, (gpointer)communicator);
    declarations->n_changes++;
}

static const HieraCommunicator *declare(HieraDeclarations *declarations, const char *id, const char *ranks,
                                        const char *remote, const char *name)
{
    const HieraCommunicator *communicator = hiera_catalog_communicator(declarations->catalog, id, ranks, remote, name);
    if (communicator)
        set_meaning(declarations, id, communicator);
    return communicator;
}

gboolean hiera_declarations_add(HieraDeclarations *declarations, const char *id, const char *ranks, const char *remote,
                                const char *name)
{
    return declare(declarations, id, ranks, remote, name) != NULL;
}

static const HieraCommunicator *declare_implicitly(HieraDeclarations *declarations, const char *id)
{
    const HieraProcessor *processor = declarations->processor;
    char ranks[32] = "";
    if (strcmp(id, HIERA_COMM_SELF) == 0)
        g_snprintf(ranks, sizeof ranks, "%u", processor->rank);
    else if (strcmp(id, HIERA_COMM_WORLD) == 0 && processor->size > 0)
        g_snprintf(ranks, sizeof ranks, "0-%" G_GINT64_FORMAT, processor->size - 1);
    return declare(declarations, id, hiera_catalog_intern(declarations->catalog, ranks, strlen(ranks)), "", NULL);
}

static const HieraCommunicator *find(HieraDeclarations *declarations, const char *id)
{
    const HieraCommunicator *communicator = g_hash_table_lookup(declarations->by_id, id);
    return communicator ? communicator : declare_implicitly(declarations, id);
}

guint32 hiera_declarations_make(HieraDeclarations *declarations, const char *id, const char *of)
{
    const HieraCommunicator *object = hiera_catalog_object(declarations->catalog, id, find(declarations, of));
    set_meaning(declarations, id, object);
    return object->index;
}

guint32 hiera_declarations_peek(const HieraDeclarations *declarations, const char *id)
{
    const HieraCommunicator *communicator = g_hash_table_lookup(declarations->by_id, id);
    return communicator ? communicator->index : HIERA_NONE;
}

guint32 hiera_declarations_find(HieraDeclarations *declarations, const char *id)
{
    return find(declarations, id)->index;
}
