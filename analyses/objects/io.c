/* MPI calls on files: bytes moved, rate, imbalance between ranks, and waiting time. */
#include "calls/span_cutter.h"
#include "measures.h"
#include "object_sums.h"
#include "values/outermost.h"

#define SUM_COLUMNS                                                                                                    \
    {"calls", HIERA_CELL_INTEGER, HIERA_ROLE_SUM}, {"bytes", HIERA_CELL_BYTES, HIERA_ROLE_SUM},                        \
        {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM}, {"waiting", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},                 \
        {"rate", HIERA_CELL_RATE, HIERA_ROLE_TELLING}, {"mean_bytes", HIERA_CELL_BYTES, HIERA_ROLE_DETAIL},
#define IMBALANCE_COLUMN {"imbalance", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
static const HieraColumn file_columns[] = {{"file_name", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                           {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                           SUM_COLUMNS IMBALANCE_COLUMN};
static const HieraColumn operation_columns[] = {{"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                                SUM_COLUMNS IMBALANCE_COLUMN};
static const HieraColumn rank_columns[] = {
    {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, SUM_COLUMNS};

static const char *word_of(const HieraSite *site)
{
    return hiera_site_does(site) == HIERA_DOES_IO ? site->operation : NULL;
}

static void add_rows(const HieraMatch *match, const HieraScope *scope, const HieraObjectGrouping *grouping,
                     HieraTable *table)
{
    g_autoptr(GArray) sums = hiera_object_sums(match, scope, grouping);
    for (guint i = 0; i < sums->len; i++) {
        const HieraObjectSum *sum = &g_array_index(sums, HieraObjectSum, i);
        HieraCell cells[G_N_ELEMENTS(file_columns)], *cell = cells;
        if (grouping->by_object)
            (cell++)->text = sum->object;
        if (grouping->by_rank)
            (cell++)->number = sum->rank;
        (cell++)->text = sum->word;
        (cell++)->number = sum->calls;
        (cell++)->number = sum->bytes;
        (cell++)->number = sum->time_ns;
        (cell++)->number = sum->waiting_ns;
        (cell++)->number = hiera_object_sum_rate(sum);
        (cell++)->number = sum->sized > 0 ? sum->bytes / sum->sized : 0;
        cell->number = hiera_object_sum_imbalance(sum, match, scope); /* one rank has no imbalance */
        hiera_table_add(table, cells);
    }
    if (hiera_trace_has_sums(hiera_match_peek_trace(match)))
        hiera_table_limit(table, HIERA_FINDING_SUMS,
                          "profiles have sums: waiting, and what non-blocking calls take after them, are those of "
                          "single operations alone");
}

static gboolean find_files(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    add_rows(match, scope, &(const HieraObjectGrouping){TRUE, FALSE, word_of}, table);
    return TRUE;
}

static gboolean find_operations(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    add_rows(match, scope, &(const HieraObjectGrouping){FALSE, FALSE, word_of}, table);
    return TRUE;
}

static gboolean find_ranks(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    add_rows(match, scope, &(const HieraObjectGrouping){FALSE, TRUE, word_of}, table);
    return TRUE;
}

#define FORM(of, function, further_flags)                                                                              \
    {                                                                                                                  \
        .name = "io", .columns = of, .n_columns = G_N_ELEMENTS(of), .nothing = "no MPI call on a file",                \
        .flags = HIERA_MEASURE_TOGETHER | further_flags, .find = function                                              \
    }
static const HieraMeasure by_file = FORM(file_columns, find_files, 0),
                          by_operation = FORM(operation_columns, find_operations, HIERA_MEASURE_SUMS),
                          by_rank = FORM(rank_columns, find_ranks, HIERA_MEASURE_SUMS);
static const HieraMeasure *const forms[] = {&by_file, &by_operation, &by_rank};

const HieraMeasure hiera_measure_io = {
    .name = "io",
    .help = "MPI calls on files: bytes, time, waits, rate, imbalance",
    .by = "file,operation,rank",
    .forms = forms,
};
