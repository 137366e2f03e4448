#include "part_agreement.h"
#include "trace/catalog.h"

/* Return a table: world rank → PartReading. */
static GHashTable *index_ranks(const GPtrArray *readings)
{
    GHashTable *by_rank = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < readings->len; i++) {
        PartReading *reading = g_ptr_array_index(readings, i);
        g_hash_table_insert(by_rank, GUINT_TO_POINTER(part_reading_rank(reading)), reading);
        part_counts_empty(part_reading_needs(reading));
    }
    return by_rank;
}

/* Require that `rank` reads on until its count has reached `count`. @return FALSE if the rank has no trace */
static gboolean ask(GHashTable *by_rank, guint32 rank, PartCountSort sort, guint32 key, gsize count)
{
    PartReading *reading = g_hash_table_lookup(by_rank, GUINT_TO_POINTER(rank));
    if (reading && part_counts_find(part_reading_peek_counts(reading), sort, key) < count)
        part_counts_need(part_reading_needs(reading), sort, key, count);
    return reading != NULL;
}

/* Require that all members read on until they have made `count` collectives. @return FALSE: members are not known */
static gboolean ask_members(const HieraCatalog *catalog, GHashTable *by_rank, guint32 comm, gsize count)
{
    const HieraCommunicator *of = hiera_catalog_peek_communicator(catalog, comm);
    gint64 n = of->declared && !of->remote && !of->open ? hiera_ranks_count(of->ranks) : 0;
    gboolean known = n > 0;
    for (gint64 i = 0; i < n && known; i++) {
        gint32 world = hiera_ranks_at(of->ranks, i);
        known = world >= 0 && ask(by_rank, (guint32)world, PART_COUNT_CALLS, comm, count);
    }
    return known;
}

static gboolean ask_others(const HieraCatalog *catalog, GHashTable *by_rank, const PartReading *reading)
{
    guint32 rank = part_reading_rank(reading);
    gboolean known = TRUE;
    for (guint sort = 0; sort < PART_COUNT_SORTS; sort++) {
        GHashTableIter at;
        gpointer key, value;
        g_hash_table_iter_init(&at, part_reading_peek_counts(reading)->by_sort[sort]);
        while (known && g_hash_table_iter_next(&at, &key, &value)) {
            guint32 with = GPOINTER_TO_UINT(key);
            gsize count = GPOINTER_TO_SIZE(value);
            if (sort == PART_COUNT_CALLS)
                known = ask_members(catalog, by_rank, with, count);
            else
                known = ask(by_rank, with, sort == PART_COUNT_SENT ? PART_COUNT_GOT : PART_COUNT_SENT, rank, count);
        }
    }
    return known;
}

PartAgreement part_agreement_find(const GPtrArray *readings, HieraCatalog *catalog)
{
    g_autoptr(GHashTable) by_rank = index_ranks(readings);
    PartAgreement found = PART_AGREEMENT_NOW;
    for (guint i = 0; i < readings->len; i++)
        if (!ask_others(catalog, by_rank, g_ptr_array_index(readings, i)))
            return PART_AGREEMENT_NEVER;
    for (guint i = 0; i < readings->len && found != PART_AGREEMENT_LAST; i++) {
        PartReading *reading = g_ptr_array_index(readings, i);
        if (!part_counts_are_empty(part_reading_needs(reading)))
            found = part_reading_is_at_stop(reading) ? PART_AGREEMENT_LATER : PART_AGREEMENT_LAST;
    }
    return found;
}
