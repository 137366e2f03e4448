/* The critical path: where the chain of operations that sets the run time spends it. */
#include "calls/path_rows.h"
#include "critical_walk.h"
#include "measures.h"
#include "values/shares.h"

static const HieraColumn columns[] = {
    HIERA_PATH_COLUMNS,
    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM},
    {"saves", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
};

typedef struct {
    HieraPathRows rows;
    const GArray *segments;
    guint32 at; /* the first segment of the processor that does not end before the current span; HIERA_NONE */
} Search;

static const HieraPathSegment *peek_segment(const Search *search)
{
    return search->at == HIERA_NONE ? NULL : &g_array_index(search->segments, HieraPathSegment, search->at);
}

/* Add what of a span is on the path. */
static void add_span(const HieraSpan *span, gpointer data)
{
    Search *search = data;
    for (const HieraPathSegment *segment; (segment = peek_segment(search)) && segment->begin_ns < span->end_ns;) {
        HieraSpan part = *span;
        part.begin_ns = MAX(span->begin_ns, segment->begin_ns);
        part.end_ns = MIN(span->end_ns, segment->end_ns);
        if (part.begin_ns < part.end_ns)
            (void)hiera_path_rows_add(&search->rows, part.doing, &part);
        if (segment->end_ns > span->end_ns)
            return;
        search->at = segment->next;
    }
}

/* Add the parts of the path on a processor that lie outside of its run. */
static void add_skew(Search *search, const HieraProcessor *processor)
{
    for (const HieraPathSegment *segment; (segment = peek_segment(search)); search->at = segment->next) {
        HieraSpan before = {segment->processor, HIERA_NONE,        HIERA_NONE,
                            HIERA_DOES_COMPUTE, segment->begin_ns, MIN(segment->end_ns, processor->init_ns)};
        HieraSpan after = {segment->processor,
                           HIERA_NONE,
                           HIERA_NONE,
                           HIERA_DOES_COMPUTE,
                           MAX(segment->begin_ns, processor->finalize_ns),
                           segment->end_ns};
        (void)hiera_path_rows_add(&search->rows, HIERA_DOES_NOTHING, &before);
        (void)hiera_path_rows_add(&search->rows, HIERA_DOES_NOTHING, &after);
    }
}

static void add_row(const HieraPathRows *rows, const HieraPathRow *row, gint64 run_ns, HieraTable *table)
{
    HieraCell cells[G_N_ELEMENTS(columns)];
    hiera_path_rows_cells(rows, row, table, cells);
    cells[HIERA_N_PATH_COLUMNS].number = row->time_ns;
    cells[HIERA_N_PATH_COLUMNS + 1].number = hiera_percent(row->time_ns, run_ns);
    cells[HIERA_N_PATH_COLUMNS + 2].number = row->time_ns == HIERA_TOO_LARGE ? row->time_ns : row->time_ns / 100;
    hiera_table_add(table, cells);
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GArray) waits = hiera_waits_find(match);
    HieraCriticalPath path;
    Search search;
    hiera_critical_path_init(&path, trace, waits);
    hiera_path_rows_init(&search.rows, trace, scope);
    search.segments = path.segments;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        search.at = path.first[i];
        hiera_timeline_visit(trace, i, add_span, &search);
        search.at = path.first[i];
        add_skew(&search, &trace->processors[i]);
    }
    hiera_path_rows_sort(&search.rows);
    gint64 run_ns = hiera_scope_clip(scope, path.begin_ns, path.end_ns);
    for (guint i = 0; i < search.rows.rows->len; i++)
        add_row(&search.rows, &g_array_index(search.rows.rows, HieraPathRow, i), run_ns, table);
    hiera_path_rows_clear(&search.rows);
    hiera_critical_path_clear(&path);
    return TRUE;
}

const HieraMeasure hiera_measure_critical_path = {
    .name = "critical-path",
    .help = "the chain of operations that sets the run time",
    .by = HIERA_PATH_BY,
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .protocol = HIERA_PROTOCOL_MATCH,
    .ordered = TRUE,
    .find = find,
};
