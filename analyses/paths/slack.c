/* Slack: how much longer each call path could take without making the run longer. */
#include "calls/path_rows.h"
#include "calls/timeline.h"
#include "measures.h"
#include "shared_replay.h"
#include "thread_slack.h"
#include "threads/thread_joins.h"
#include "values/shares.h"

static const HieraColumn columns[] = {
    HIERA_PATH_COLUMNS,
    {"threads", HIERA_CELL_TEXT, HIERA_ROLE_TELLING},
    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"least", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},
    {"mean", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},
    {"unsure", HIERA_CELL_INTEGER, HIERA_ROLE_DOUBT},
};

typedef struct {
    const HieraMatch *match;
    HieraPathRows rows;
    const HieraDependences *of;
    const gint64 *slack; /* by call: how much later it could start */
    gint64 last_ns;      /* latest finalize of all processors */
    gint64 at_end;       /* slack after the last call of the current processor */
    guint32 call, end;   /* next call of the current processor; index after its last call */
    HieraThreadSlackDoubts doubts;
    gboolean threaded; /* whether the current processor has teams, whose spans have been added */
} Search;

/* Add a span to its row. @return NULL if no part of it is in the scope */
static HieraPathRow *add_part(Search *search, const HieraTimeSpan *span, gint64 slack)
{
    HieraPathRow *row = hiera_path_rows_add(&search->rows, span->doing, span);
    if (!row)
        return NULL;
    row->weighted += (__int128)slack * hiera_scope_clip(search->rows.scope, span->begin_ns, span->end_ns);
    row->least_ns = MIN(row->least_ns, slack);
    return row;
}

static void add_of_thread(const HieraTimeSpan *span, guint32 thread, gint64 slack, gpointer data)
{
    Search *search = data;
    gboolean call = thread == 0 && hiera_span_is_call(span);
    HieraPathRow *row = add_part(search, span, slack);
    if (call)
        search->call = hiera_dependences_before(search->of, search->call);
    const HieraShare share = {thread, span->end_ns - span->begin_ns};
    if (!row)
        return;
    g_array_append_val(row->threads, share);
    row->unsure += call && hiera_dependences_is_unsure(search->of, search->call);
}

static void begin(guint32 processor, gpointer data)
{
    Search *search = data;
    search->at_end = hiera_minus(search->last_ns, search->of->trace->processors[processor].finalize_ns);
    search->call = search->end = search->of->first_call[processor + 1];
    search->threaded = hiera_thread_slack_visit(search->match, search->of, processor, search->slack, search->at_end,
                                                &search->doubts, add_of_thread, search);
    search->call = search->of->first_call[processor];
}

static void add_span(const HieraTimeSpan *span, gpointer data)
{
    Search *search = data;
    gboolean call = hiera_span_is_call(span);
    guint32 next = search->call + call;
    if (search->threaded)
        return;
    HieraPathRow *row = add_part(search, span, next < search->end ? search->slack[next] : search->at_end);
    if (row)
        row->unsure += call && hiera_dependences_is_unsure(search->of, search->call);
    search->call = next;
}

static void fill_cells(const HieraPathRow *row, HieraCell *own, gpointer data)
{
    gboolean known = row->time_ns != HIERA_TOO_LARGE && row->least_ns != HIERA_TOO_LARGE;
    own[0].text = hiera_shares_name_ranks(row->threads, NULL, 0, data);
    own[1].number = row->time_ns;
    own[2].number = row->least_ns;
    own[3].number = known ? (gint64)MIN(row->weighted / row->time_ns, (__int128)HIERA_TOO_LARGE) : HIERA_TOO_LARGE;
    own[4].number = row->unsure;
}

static void say_doubts(const Search *search, HieraTable *table)
{
    const HieraScope *scope = search->rows.scope;
    gint64 n = search->doubts.n_unknown;
    hiera_scope_add_up(scope, search->of->trace, &n, 1);
    g_autofree char *unknown = g_strdup_printf(
        "waits of threads for what is not known (atomic or ordered code, tasks and locks of older traces: --measure "
        "threads has the places), and MPI calls of other threads than main threads, take as long as recorded: "
        "%" G_GINT64_FORMAT,
        n);
    hiera_other_threads_limit(search->match, scope, table);
    hiera_thread_joins_limit(search->doubts.n_left_out, search->of->trace, scope, table);
    hiera_table_limit_too(table, HIERA_FINDING_THREADS, n > 0 ? unknown : NULL);
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(HieraDependences) threaded = hiera_dependences_of_threads(match, scope);
    const HieraDependences *of = threaded ? threaded : hiera_dependences_of_scope(match, scope);
    g_autofree gint64 *slack = hiera_slack_find_shared(of, scope);
    Search search = {.match = match, .of = of, .slack = slack, .last_ns = hiera_last_finalize(trace)};
    hiera_path_rows_init(&search.rows, trace, scope, begin, hiera_timeline_visit, add_span, &search);
    hiera_path_rows_gather(&search.rows);
    hiera_path_rows_tell(&search.rows, table, fill_cells, table);
    say_doubts(&search, table);
    hiera_path_rows_clear(&search.rows);
    return TRUE;
}

const HieraMeasure hiera_measure_slack = {
    .name = "slack",
    .help = "how much longer call paths could take without harm",
    .by = HIERA_PATH_BY,
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_TOGETHER,
    .find = find,
};
