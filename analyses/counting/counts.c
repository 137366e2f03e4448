/* Counts operations: of all processors together by level and name (the paper's tables 3 and 8), of each processor by
 * call site (tables 2 and 7) and by depth (tables 1 and 6). */
#include "measures.h"
#include "values/tally.h"

/* Return the state of a processor, a tally: number of operations by HieraSite.id, or by depth. */
static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    (void)scope, (void)processor;
    return hiera_tally_new();
}

static void pack(gpointer state, const HieraProcessor *processor, HieraPacker *to)
{
    (void)processor;
    hiera_pack_array(to, state);
}

/* --- counts by call site --- */

static void operation(gpointer state, const HieraOperation *operation)
{
    hiera_tally_count(state, operation->site->id);
}

static void summed(gpointer state, const HieraSummed *summed)
{
    hiera_tally_add(state, summed->site->id, (guint64)summed->calls);
}

/* Add calls that a filter removed. The trace has no file and line of them. */
static void filtered(gpointer state, const HieraFiltered *filtered)
{
    hiera_tally_add(state, filtered->site->id, (guint64)filtered->count);
}

static gpointer unpack(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    (void)scope, (void)processor;
    return hiera_tally_unpack_sites(from);
}

typedef void (*AddSite)(const HieraSite *site, gint64 count, const HieraProcessor *processor, HieraTable *table);

static void end_sites(GArray *by_site, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table,
                      AddSite add)
{
    for (guint id = 0; table && id < by_site->len; id++) {
        guint64 count = g_array_index(by_site, guint64, id);
        if (count > 0)
            add(hiera_catalog_peek_site(catalog, id), (gint64)count, processor, table);
    }
    g_array_unref(by_site);
}

static void add_name(const HieraSite *site, gint64 count, const HieraProcessor *processor, HieraTable *table)
{
    (void)processor;
    hiera_table_add(table, (HieraCell[]){{.text = site->level}, {.text = site->operation}, {.number = count}});
}

static void end_names(gpointer state, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table)
{
    end_sites(state, processor, catalog, table, add_name);
}

static void add_site(const HieraSite *site, gint64 count, const HieraProcessor *processor, HieraTable *table)
{
    hiera_table_add(table, (HieraCell[]){{.number = processor->rank},
                                         {.text = site->level},
                                         {.text = site->operation},
                                         {.text = site->short_file},
                                         {.number = site->line},
                                         {.number = count}});
}

static void end(gpointer state, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table)
{
    end_sites(state, processor, catalog, table, add_site);
}

#define LEVEL_AND_NAME                                                                                                 \
    {"level", HIERA_CELL_TEXT, HIERA_ROLE_KEY},                                                                        \
    {                                                                                                                  \
        "operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY                                                                   \
    }
#define RANK                                                                                                           \
    {                                                                                                                  \
        "processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY                                                                \
    }
#define COUNT                                                                                                          \
    {                                                                                                                  \
        "count", HIERA_CELL_INTEGER, HIERA_ROLE_SUM                                                                    \
    }
static const HieraColumn name_columns[] = {LEVEL_AND_NAME, COUNT};
static const HieraColumn site_columns[] = {RANK,
                                           LEVEL_AND_NAME,
                                           {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                           {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                           COUNT};
#define READ_SITES                                                                                                     \
    {                                                                                                                  \
        .begin = begin, .operation = operation, .summed = summed, .filtered = filtered, .pack = pack, .unpack = unpack \
    }

const HieraMeasure hiera_measure_counts = {
    .name = "counts",
    .help = "operations of all processors together by level and name",
    .columns = name_columns,
    .n_columns = G_N_ELEMENTS(name_columns),
    .rank = &(const HieraRankOps){.read = READ_SITES, .end = end_names},
};

const HieraMeasure hiera_measure_operations = {
    .name = "operations",
    .help = "operations of each processor by level, name and call site",
    .columns = site_columns,
    .n_columns = G_N_ELEMENTS(site_columns),
    .rank = &(const HieraRankOps){.read = READ_SITES, .end = end},
};

/* --- counts by depth --- */

static void operation_at_depth(gpointer state, const HieraOperation *operation)
{
    hiera_tally_count(state, operation->depth);
}

static void summed_at_depth(gpointer state, const HieraSummed *summed)
{
    hiera_tally_add(state, summed->depth, (guint64)summed->calls);
}

static gpointer unpack_depths(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    GArray *by_depth = begin(scope, processor);
    hiera_unpack_array(from, by_depth);
    return by_depth;
}

static void end_depths(gpointer state, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog;
    GArray *by_depth = state;
    for (guint depth = 0; table && depth < by_depth->len; depth++) {
        guint64 count = g_array_index(by_depth, guint64, depth);
        if (count > 0)
            hiera_table_add(table,
                            (HieraCell[]){{.number = processor->rank}, {.number = depth}, {.number = (gint64)count}});
    }
    g_array_unref(by_depth);
}

static const HieraColumn depth_columns[] = {RANK, {"depth", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, COUNT};

const HieraMeasure hiera_measure_levels = {
    .name = "levels",
    .help = "operations of each processor at each depth of the hierarchy",
    .columns = depth_columns,
    .n_columns = G_N_ELEMENTS(depth_columns),
    .rank = &(const HieraRankOps){.read = {.begin = begin,
                                           .operation = operation_at_depth,
                                           .summed = summed_at_depth,
                                           .pack = pack,
                                           .unpack = unpack_depths},
                                  .end = end_depths},
};
