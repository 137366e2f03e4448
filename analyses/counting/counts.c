/* Number of operations of all processors together, by level and name: the paper's tables 3 and 8. */
#include "measures.h"
#include "values/tally.h"

static const HieraColumn columns[] = {
    {"level", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"count", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
};

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    (void)scope, (void)processor;
    return hiera_tally_new();
}

static void operation(gpointer state, const HieraOperation *operation)
{
    hiera_tally_count(state, operation->site->id);
}

static void summed(gpointer state, const HieraSummed *summed)
{
    hiera_tally_add(state, summed->site->id, (guint64)summed->calls);
}

static void filtered(gpointer state, const HieraFiltered *filtered)
{
    hiera_tally_add(state, filtered->site->id, (guint64)filtered->count);
}

static void end(gpointer state, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table)
{
    (void)processor;
    GArray *by_site = state;
    for (guint id = 0; table && id < by_site->len; id++) {
        const HieraSite *site = hiera_catalog_peek_site(catalog, id);
        guint64 count = g_array_index(by_site, guint64, id);
        if (count > 0)
            hiera_table_add(table,
                            (HieraCell[]){{.text = site->level}, {.text = site->operation}, {.number = (gint64)count}});
    }
    g_array_unref(by_site);
}

static void pack(gpointer state, const HieraProcessor *processor, HieraPacker *to)
{
    (void)processor;
    hiera_pack_array(to, state);
}

static gpointer unpack(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    (void)scope, (void)processor;
    return hiera_tally_unpack_sites(from);
}

const HieraMeasure hiera_measure_counts = {
    .name = "counts",
    .help = "operations of all processors together by level and name",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .rank = &(const HieraRankOps){.read = {.begin = begin,
                                           .operation = operation,
                                           .filtered = filtered,
                                           .summed = summed,
                                           .pack = pack,
                                           .unpack = unpack},
                                  .end = end},
};
