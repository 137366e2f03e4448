/* The critical path: how much time the chain of operations that sets the run time spends in each call path. */
#include "calls/path_rows.h"
#include "calls/timeline.h"
#include "critical_walk.h"
#include "measures.h"
#include "threads/thread_joins.h"
#include "threads/thread_path.h"
#include "values/outermost.h"
#include "values/shares.h"
#include "values/unrecorded.h"
#include "waiting/clock_doubts.h"

static const HieraColumn columns[] = {
    HIERA_PATH_COLUMNS,
    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM},
    {"saves", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
};

typedef struct {
    const HieraMatch *match;
    HieraPathRows rows;
    HieraCriticalPath path;
    guint32 at; /* the processor's first segment that does not end before the current span; HIERA_NONE: none */
    gint64 run_ns, n_left_out; /* n_left_out: joins of threads (thread_joins.h) of ranks on the path */
} Search;

static const HieraPathSegment *peek_segment(const Search *search)
{
    return search->at == HIERA_NONE ? NULL : &g_array_index(search->path.segments, HieraPathSegment, search->at);
}

static void add_part(const HieraTimeSpan *part, gpointer search)
{
    (void)hiera_path_rows_add(&((Search *)search)->rows, part->doing, part);
}

/* Add those parts of a span that lie on the critical path to the rows. */
static void add_span(const HieraTimeSpan *span, gpointer data)
{
    Search *search = data;
    for (const HieraPathSegment *segment; (segment = peek_segment(search)) && segment->begin_ns < span->end_ns;) {
        HieraTimeSpan part = *span;
        part.begin_ns = MAX(span->begin_ns, segment->begin_ns);
        part.end_ns = MIN(span->end_ns, segment->end_ns);
        if (part.begin_ns < part.end_ns)
            add_part(&part, search);
        if (segment->end_ns > span->end_ns)
            return;
        search->at = segment->next;
    }
}

/* Add what threads do in the segments of a processor with several threads. */
static void add_threads(Search *search, guint32 processor)
{
    HieraThreadPath threads;
    if (hiera_scope_has_units(search->rows.scope) || !peek_segment(search) ||
        !hiera_thread_path_init(&threads, search->match, processor))
        return;
    search->n_left_out += threads.n_left_out;
    for (const HieraPathSegment *segment; (segment = peek_segment(search)); search->at = segment->next)
        hiera_thread_path_visit(&threads, segment->begin_ns, segment->end_ns, add_part, search);
    hiera_thread_path_clear(&threads);
}

/* Add as skew the parts of a processor's segments before its init or after its finalize. */
static void add_skew(Search *search, const HieraProcessor *processor)
{
    for (const HieraPathSegment *segment; (segment = peek_segment(search)); search->at = segment->next) {
        HieraTimeSpan before = {segment->processor, HIERA_NONE,        HIERA_NONE,
                                HIERA_DOES_COMPUTE, segment->begin_ns, MIN(segment->end_ns, processor->init_ns)};
        HieraTimeSpan after = {segment->processor,
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
    add_threads(search, processor);
}

static void fill_cells(const HieraPathRow *row, HieraCell *own, gpointer data)
{
    const Search *search = data;
    own[0].number = row->time_ns;
    own[1].number = hiera_percent(row->time_ns, search->run_ns);
    own[2].number = row->time_ns == HIERA_TOO_LARGE ? row->time_ns : row->time_ns / 100;
}

/* --- several processes: each sends the waits of its processors, process 0 follows the path, and each process finds
 * the operations of its processors on it --- */

static void pack_path(HieraPacker *to, gpointer user)
{
    hiera_pack_array(to, ((const HieraCriticalPath *)user)->segments);
}

static void unpack_path(HieraUnpacker *from, gpointer user)
{
    g_autoptr(GArray) segments = g_array_new(FALSE, FALSE, sizeof(HieraPathSegment));
    hiera_unpack_array(from, segments);
    for (guint i = 0; i < segments->len; i++) {
        const HieraPathSegment *segment = &g_array_index(segments, HieraPathSegment, i);
        hiera_critical_path_add(user, segment->processor, segment->begin_ns, segment->end_ns);
    }
}

static void find_path(HieraCriticalPath *path, const HieraMatch *match, const GArray *waits, const HieraScope *scope)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GArray) steps = hiera_path_steps_find(match, waits, scope);
    hiera_scope_gather_array(scope, trace, steps);
    if (hiera_scope_leads(scope))
        hiera_critical_path_follow(path, trace, steps);
    else
        hiera_critical_path_begin(path, trace);
    hiera_scope_tell(scope, trace, pack_path, unpack_path, path);
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GArray) waits = hiera_waits_find(match);
    Search search = {.match = match};
    find_path(&search.path, match, waits, scope);
    hiera_path_rows_init(&search.rows, trace, scope, begin, hiera_timeline_visit, add_span, &search);
    hiera_path_rows_gather(&search.rows);
    search.run_ns = hiera_scope_clip(scope, search.path.begin_ns, search.path.end_ns);
    hiera_path_rows_tell(&search.rows, table, fill_cells, &search);
    hiera_path_rows_clear(&search.rows);
    hiera_critical_path_clear(&search.path);
    HieraDoubtSums sums = hiera_clock_doubts_gather(trace, waits, scope);
    hiera_clock_doubts_limit(trace, &sums, table);
    const char *sentence = "critical-path: with --level, --depth or --where only main threads are on the path";
    if (hiera_scope_has_units(scope))
        hiera_main_threads_limit(trace, scope, sentence, sentence, table);
    else
        hiera_other_threads_limit(match, scope, table);
    hiera_thread_joins_limit(search.n_left_out, trace, scope, table);
    hiera_unrecorded_limit(trace, scope, table);
    return TRUE;
}

const HieraMeasure hiera_measure_critical_path = {
    .name = "critical-path",
    .help = "the chain of operations that sets the run time",
    .by = HIERA_PATH_BY,
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_TOGETHER,
    .find = find,
};
