/* Number of operations of each processor at each depth: the paper's tables 1 and 6. */
#include "measures.h"
#include "values/tally.h"

static const HieraColumn columns[] = {
    {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"depth", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"count", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
};

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    (void)scope, (void)processor;
    return hiera_tally_new();
}

static void operation(gpointer state, const HieraOperation *operation)
{
    hiera_tally_count(state, operation->depth);
}

static void summed(gpointer state, const HieraSummed *summed)
{
    hiera_tally_add(state, summed->depth, (guint64)summed->calls);
}

static void end(gpointer state, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table)
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

static void pack(gpointer state, const HieraProcessor *processor, HieraPacker *to)
{
    (void)processor;
    hiera_pack_array(to, state);
}

static gpointer unpack(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    GArray *by_depth = begin(scope, processor);
    hiera_unpack_array(from, by_depth);
    return by_depth;
}

const HieraMeasure hiera_measure_levels = {
    .name = "levels",
    .help = "operations of each processor at each depth of the hierarchy",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .rank =
        &(const HieraRankOps){
            .read = {.begin = begin, .operation = operation, .summed = summed, .pack = pack, .unpack = unpack},
            .end = end},
};
