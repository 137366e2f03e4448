/* Number of operations of each processor by call site: the paper's tables 2 and 7. */
#include "measures.h"
#include "values/tally.h"

static const HieraColumn columns[] = {
    {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, {"level", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},    {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},      {"count", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
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

/* Add calls that a filter removed. Their call sites are unknown, so their rows have an empty file. */
static void filtered(gpointer state, const HieraFiltered *filtered)
{
    hiera_tally_add(state, filtered->site->id, (guint64)filtered->count);
}

static void add_site(const HieraSite *site, guint64 count, const HieraProcessor *processor, HieraTable *table)
{
    hiera_table_add(table, (HieraCell[]){{.number = processor->rank},
                                         {.text = site->level},
                                         {.text = site->operation},
                                         {.text = site->short_file},
                                         {.number = site->line},
                                         {.number = (gint64)count}});
}

static void end(gpointer state, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table)
{
    GArray *by_site = state;
    for (guint id = 0; table && id < by_site->len; id++) {
        guint64 count = g_array_index(by_site, guint64, id);
        if (count > 0)
            add_site(hiera_catalog_peek_site(catalog, id), count, processor, table);
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

const HieraMeasure hiera_measure_operations = {
    .name = "operations",
    .help = "operations of each processor by level, name and call site",
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
