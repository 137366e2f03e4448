/* The critical path: where the chain of operations that sets the run time spends it. */
#include "calls/path_rows.h"
#include "critical_walk.h"
#include "measures.h"
#include "values/shares.h"
#include "waiting/clock_doubts.h"

static const HieraColumn columns[] = {
    HIERA_PATH_COLUMNS,
    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM},
    {"saves", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
};

typedef struct {
    HieraPathRows rows;
    HieraCriticalPath path;
    guint32 at; /* the first segment of the processor that does not end before the current span; HIERA_NONE */
    gint64 run_ns;
} Search;

static const HieraPathSegment *peek_segment(const Search *search)
{
    return search->at == HIERA_NONE ? NULL : &g_array_index(search->path.segments, HieraPathSegment, search->at);
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

static void begin(guint32 processor, gpointer data)
{
    Search *search = data;
    search->at = search->path.first[processor];
    add_skew(search, &search->rows.paths.trace->processors[processor]);
    search->at = search->path.first[processor];
}

static void fill_cells(const HieraPathRow *row, HieraCell *own, gpointer data)
{
    const Search *search = data;
    own[0].number = row->time_ns;
    own[1].number = hiera_percent(row->time_ns, search->run_ns);
    own[2].number = row->time_ns == HIERA_TOO_LARGE ? row->time_ns : row->time_ns / 100;
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GArray) waits = hiera_waits_find(match);
    Search search;
    hiera_critical_path_init(&search.path, trace, waits);
    search.run_ns = hiera_scope_clip(scope, search.path.begin_ns, search.path.end_ns);
    hiera_path_rows_init(&search.rows, trace, scope, begin, add_span, &search);
    hiera_path_rows_tell(&search.rows, table, fill_cells, &search);
    hiera_path_rows_clear(&search.rows);
    hiera_critical_path_clear(&search.path);
    hiera_clock_doubts_limit(trace, waits, table);
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
