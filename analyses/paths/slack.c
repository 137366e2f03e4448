/* Slack: how much longer each call path could take without making the run longer. */
#include "calls/path_rows.h"
#include "calls/timeline.h"
#include "measures.h"
#include "shared_replay.h"

static const HieraColumn columns[] = {
    HIERA_PATH_COLUMNS,
    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"least", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},
    {"mean", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},
    {"unsure", HIERA_CELL_INTEGER, HIERA_ROLE_DOUBT},
};

typedef struct {
    HieraPathRows rows;
    const HieraDependences *of;
    const gint64 *slack; /* by call: how much later it could start */
    gint64 last_ns;      /* latest finalize of all processors */
    gint64 at_end;       /* slack after the last call of the current processor */
    guint32 call, end;   /* next call of the current processor; index after its last call */
} Search;

static void begin(guint32 processor, gpointer data)
{
    Search *search = data;
    search->at_end = hiera_minus(search->last_ns, search->of->trace->processors[processor].finalize_ns);
    search->call = search->of->first_call[processor];
    search->end = search->of->first_call[processor + 1];
}

static void add_span(const HieraTimeSpan *span, gpointer data)
{
    Search *search = data;
    gboolean call = hiera_span_is_call(span);
    guint32 next = search->call + call;
    gint64 slack = next < search->end ? search->slack[next] : search->at_end;
    HieraPathRow *row = hiera_path_rows_add(&search->rows, span->doing, span);
    if (row) {
        row->weighted += (__int128)slack * hiera_scope_clip(search->rows.scope, span->begin_ns, span->end_ns);
        row->least_ns = MIN(row->least_ns, slack);
        row->unsure += call && hiera_dependences_is_unsure(search->of, search->call);
    }
    search->call = next;
}

static void fill_cells(const HieraPathRow *row, HieraCell *own, gpointer data)
{
    (void)data;
    gboolean known = row->time_ns != HIERA_TOO_LARGE && row->least_ns != HIERA_TOO_LARGE;
    own[0].number = row->time_ns;
    own[1].number = row->least_ns;
    own[2].number = known ? (gint64)MIN(row->weighted / row->time_ns, (__int128)HIERA_TOO_LARGE) : HIERA_TOO_LARGE;
    own[3].number = row->unsure;
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    const HieraDependences *of = hiera_dependences_of_scope(match, scope);
    g_autofree gint64 *slack = hiera_slack_find_shared(of, scope);
    Search search = {.of = of, .slack = slack, .last_ns = hiera_last_finalize(trace)};
    hiera_path_rows_init(&search.rows, trace, scope, begin, hiera_timeline_visit, add_span, &search);
    hiera_path_rows_gather(&search.rows);
    hiera_path_rows_tell(&search.rows, table, fill_cells, NULL);
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
