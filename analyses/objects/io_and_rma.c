/* MPI calls on files, and one-sided communication: how much they move, how fast, how evenly, how long they wait, and
 * what it costs to synchronise windows. */
#include "calls/span_cutter.h"
#include "measures.h"
#include "object_sums.h"
#include "values/outermost.h"
#include "window_calls.h"

/* Columns behind the key columns; `role_of_rate` is the HieraRole of the column `rate`. */
#define SUM_COLUMNS(role_of_rate)                                                                                      \
    {"calls", HIERA_CELL_INTEGER, HIERA_ROLE_SUM}, {"bytes", HIERA_CELL_BYTES, HIERA_ROLE_SUM},                        \
        {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM}, {"waiting", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},                 \
        {"rate", HIERA_CELL_RATE, role_of_rate}, {"mean_bytes", HIERA_CELL_BYTES, HIERA_ROLE_DETAIL},
#define KEY(name, type)                                                                                                \
    {                                                                                                                  \
        name, type, HIERA_ROLE_KEY                                                                                     \
    }
#define IMBALANCE_COLUMN {"imbalance", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},

typedef HieraCell *(*PutKeys)(HieraCell *cells, const HieraObjectSum *sum);
enum { MOST_CELLS = 10 };

static gboolean add_rows(const HieraMatch *match, const HieraScope *scope, HieraTable *table,
                         const HieraObjectGrouping *grouping, PutKeys put_keys)
{
    g_autoptr(GArray) sums = hiera_object_sums(match, scope, grouping);
    for (guint i = 0; i < sums->len; i++) {
        const HieraObjectSum *sum = &g_array_index(sums, HieraObjectSum, i);
        HieraCell cells[MOST_CELLS], *cell = put_keys(cells, sum);
        (cell++)->number = sum->calls;
        (cell++)->number = sum->bytes;
        (cell++)->number = sum->time_ns;
        (cell++)->number = sum->waiting_ns;
        (cell++)->number = hiera_object_sum_rate(sum);
        (cell++)->number = sum->sized > 0 ? sum->bytes / sum->sized : 0;
        cell->number = hiera_object_sum_imbalance(sum, match, scope); /* the imbalance has no column with --by rank */
        hiera_table_add(table, cells);
    }
    if (hiera_trace_has_sums(hiera_match_peek_trace(match)))
        hiera_table_limit(table, HIERA_FINDING_SUMS,
                          "profiles have sums: waiting, and what non-blocking calls take after them, are those of "
                          "single operations alone");
    return TRUE;
}

static HieraCell *put_object_and_word(HieraCell *cells, const HieraObjectSum *sum)
{
    (cells++)->text = sum->object;
    (cells++)->text = sum->word;
    return cells;
}

static HieraCell *put_word(HieraCell *cells, const HieraObjectSum *sum)
{
    (cells++)->text = sum->word;
    return cells;
}

static HieraCell *put_rank_and_word(HieraCell *cells, const HieraObjectSum *sum)
{
    (cells++)->number = sum->rank;
    (cells++)->text = sum->word;
    return cells;
}

/* Define the function `find_NAME`, the `find` of a HieraMeasure. */
#define FIND(name, by_object, by_rank, word, put_keys)                                                                 \
    static gboolean find_##name(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)   \
    {                                                                                                                  \
        (void)error;                                                                                                   \
        return add_rows(match, scope, table, &(const HieraObjectGrouping){by_object, by_rank, word}, put_keys);        \
    }
#define FORM(measure, of, way, meaning_of_nothing, further_flags)                                                      \
    {                                                                                                                  \
        .name = measure, .columns = of, .n_columns = G_N_ELEMENTS(of), .nothing = meaning_of_nothing,                  \
        .flags = HIERA_MEASURE_TOGETHER | further_flags, .find = find_##way                                            \
    }

/* --- calls on files (MPI-IO) --- */

static const char *word_of_file_call(const HieraSite *site)
{
    return hiera_site_does(site) == HIERA_DOES_IO ? site->operation : NULL;
}

FIND(files, TRUE, FALSE, word_of_file_call, put_object_and_word)
FIND(file_operations, FALSE, FALSE, word_of_file_call, put_word)
FIND(file_ranks, FALSE, TRUE, word_of_file_call, put_rank_and_word)

static const HieraColumn file_columns[] = {KEY("file_name", HIERA_CELL_TEXT), KEY("operation", HIERA_CELL_TEXT),
                                           SUM_COLUMNS(HIERA_ROLE_TELLING) IMBALANCE_COLUMN};
static const HieraColumn file_operation_columns[] = {KEY("operation", HIERA_CELL_TEXT),
                                                     SUM_COLUMNS(HIERA_ROLE_TELLING) IMBALANCE_COLUMN};
static const HieraColumn file_rank_columns[] = {KEY("processor", HIERA_CELL_INTEGER), KEY("operation", HIERA_CELL_TEXT),
                                                SUM_COLUMNS(HIERA_ROLE_TELLING)};

#define NO_FILE "no MPI call on a file"
static const HieraMeasure io_by_file = FORM("io", file_columns, files, NO_FILE, 0),
                          io_by_operation =
                              FORM("io", file_operation_columns, file_operations, NO_FILE, HIERA_MEASURE_SUMS),
                          io_by_rank = FORM("io", file_rank_columns, file_ranks, NO_FILE, HIERA_MEASURE_SUMS);
static const HieraMeasure *const io_forms[] = {&io_by_file, &io_by_operation, &io_by_rank};

const HieraMeasure hiera_measure_io = {
    .name = "io",
    .help = "MPI calls on files: bytes, time, waits, rate, imbalance",
    .by = "file,operation,rank",
    .forms = io_forms,
};

/* --- calls on windows (one-sided communication) --- */

static const char *word_of_window_call(const HieraSite *site)
{
    return hiera_window_call_kind(site) ? site->operation : NULL;
}

static HieraCell *put_window_kind_and_word(HieraCell *cells, const HieraObjectSum *sum)
{
    (cells++)->text = sum->object;
    (cells++)->text = hiera_window_call_kind(sum->site);
    (cells++)->text = sum->word;
    return cells;
}

FIND(window_operations, TRUE, FALSE, word_of_window_call, put_window_kind_and_word)
FIND(window_kinds, TRUE, FALSE, hiera_window_call_kind, put_object_and_word)
FIND(window_ranks, FALSE, TRUE, hiera_window_call_kind, put_rank_and_word)

static const HieraColumn window_operation_columns[] = {KEY("window", HIERA_CELL_TEXT), KEY("kind", HIERA_CELL_TEXT),
                                                       KEY("operation", HIERA_CELL_TEXT),
                                                       SUM_COLUMNS(HIERA_ROLE_DETAIL) IMBALANCE_COLUMN};
static const HieraColumn window_kind_columns[] = {KEY("window", HIERA_CELL_TEXT), KEY("kind", HIERA_CELL_TEXT),
                                                  SUM_COLUMNS(HIERA_ROLE_DETAIL) IMBALANCE_COLUMN};
static const HieraColumn window_rank_columns[] = {KEY("processor", HIERA_CELL_INTEGER), KEY("kind", HIERA_CELL_TEXT),
                                                  SUM_COLUMNS(HIERA_ROLE_DETAIL)};
G_STATIC_ASSERT(G_N_ELEMENTS(window_operation_columns) == MOST_CELLS);

#define NO_WINDOW "no MPI call on a window"
static const HieraMeasure rma_by_operation = FORM("rma", window_operation_columns, window_operations, NO_WINDOW, 0),
                          rma_by_kind = FORM("rma", window_kind_columns, window_kinds, NO_WINDOW, 0),
                          rma_by_rank = FORM("rma", window_rank_columns, window_ranks, NO_WINDOW, HIERA_MEASURE_SUMS);
static const HieraMeasure *const rma_forms[] = {&rma_by_operation, &rma_by_kind, &rma_by_rank};

const HieraMeasure hiera_measure_rma = {
    .name = "rma",
    .help = "one-sided communication: accesses, synchronisation, bytes, waits",
    .by = "operation,kind,rank",
    .forms = rma_forms,
};
