/* See types.h. The collector finds the same arguments in its records (collector/mpi/write/call_asked.c). */
#include "types.h"

void hiera_types_declare(HieraReadContext *context, const HieraAttributes *attributes)
{
    gint64 size = hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_SIZE, 0, G_MAXINT64, -1);
    const char *id = hiera_read_context_intern(context, attributes->at[HIERA_ATTRIBUTE_ID]);
    gint64 *known = g_hash_table_lookup(context->types, id);
    if (known && *known == size)
        return;
    context->communicators.n_changes += known != NULL;
    g_hash_table_replace(context->types, (gpointer)id, g_memdup2(&size, sizeof size));
}

static gboolean receives(HieraKind kind)
{
    return kind == HIERA_KIND_RECEIVE || kind == HIERA_KIND_SEND_RECEIVE;
}

static gint64 multiply(gint64 a, gint64 b)
{
    gint64 product;
    return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) ? -1 : product;
}

gint64 hiera_types_read_posted(HieraReadContext *context, const HieraAttributes *attributes, const HieraSite *site)
{
    gboolean sends_too = attributes->at[HIERA_ATTRIBUTE_RTYPE] != NULL;
    const HieraXmlAttribute *type = attributes->at[sends_too ? HIERA_ATTRIBUTE_RTYPE : HIERA_ATTRIBUTE_TYPE];
    if (!type || !(receives(site->kind) || receives(site->starts)))
        return -1;
    gint64 count = hiera_argument_number(&context->place, attributes,
                                         sends_too ? HIERA_ATTRIBUTE_RCOUNT : HIERA_ATTRIBUTE_COUNT, 0, G_MAXINT64, -1);
    gint64 partitions =
        hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_PARTITIONS, 0, G_MAXINT64, 1);
    const gint64 *size = g_hash_table_lookup(context->types, hiera_read_context_intern(context, type));
    return count == 0 ? 0 : multiply(multiply(count, partitions), size ? *size : -1);
}
