/* Forms of over-time that need the partners of all operations: where the ranks wait, and the efficiencies of each part
 * of the run, which are those of `efficiency` between its two times. */
#include "efficiency_spans.h"
#include "over_time_rows.h"
#include "values/outermost.h"
#include "waiting/clock_doubts.h"

typedef struct {
    HieraOverTimeForm form;
    const HieraScope *scope;
    const HieraDependences *of;
    const HieraIdealRun *ideal;
    const GArray *waits; /* HieraWait, by row; NULL if the form has none */
    guint at;            /* the first wait of a later row */
    HieraEfficiencyRegions regions;
    GArray *units; /* HieraEfficiencyUnit of the current processor; NULL if the scope has none */
    HieraOverTime over;
} Search;

static void add_wait(const HieraSpan *part, const HieraWait *wait, gpointer data)
{
    Search *search = data;
    if (wait)
        hiera_over_time_add(&search->over, HIERA_OVER_WAITING, part->begin_ns, part->end_ns);
}

static void add_span(const HieraEfficiencySpan *found, gpointer data)
{
    Search *search = data;
    const HieraSpan *span = &found->span;
    hiera_over_time_add(&search->over, span->doing, span->begin_ns, span->end_ns);
    hiera_over_time_add(&search->over, HIERA_OVER_IDEAL, span->begin_ns, found->ideal_end_ns);
    if (search->waits)
        hiera_waits_cut(search->waits, &search->at, span, add_wait, search);
}

static void add_processors(Search *search, HieraTable *table)
{
    const HieraTrace *trace = search->of->trace;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        guint32 rank = trace->processors[i].rank;
        if (!hiera_scope_accepts_rank(search->scope, rank))
            continue;
        if (search->units) {
            g_array_set_size(search->units, 0);
            hiera_efficiency_units_find(&search->regions, i, search->units);
        }
        hiera_efficiency_spans_visit(search->of, search->ideal, search->units, i, add_span, search);
        hiera_over_time_add_rank(&search->over, search->form, rank, table);
        hiera_over_time_end_rank(&search->over);
    }
    hiera_over_time_add_all(&search->over, search->form, table);
}

/* Begin with the time from the first init to the last finalize of the ranks in the scope. */
static void init_bins(Search *search)
{
    const HieraTrace *trace = search->of->trace;
    gint64 first_ns = G_MAXINT64, last_ns = G_MININT64;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        if (!hiera_scope_accepts_rank(search->scope, processor->rank))
            continue;
        first_ns = MIN(first_ns, processor->init_ns);
        last_ns = MAX(last_ns, processor->finalize_ns);
    }
    hiera_over_time_init(&search->over, search->scope, MIN(first_ns, last_ns), last_ns);
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    HieraOverTimeForm form = (HieraOverTimeForm)hiera_scope_find_by(scope, HIERA_OVER_TIME_BY);
    const HieraDependences *of = hiera_dependences_find(match);
    g_autoptr(GArray) waits = form == HIERA_OVER_TIME_EFFICIENCY ? NULL : hiera_waits_find(match);
    g_autoptr(GArray) units = g_array_new(FALSE, FALSE, sizeof(HieraEfficiencyUnit));
    HieraIdealRun ideal;
    hiera_ideal_run_init(&ideal, of);
    Search search = {.form = form, .scope = scope, .of = of, .ideal = &ideal, .waits = waits};
    search.units = hiera_scope_has_units(scope) ? units : NULL;
    hiera_efficiency_regions_init(&search.regions, of->trace, scope, HIERA_EFFICIENCY_RUN, table);
    init_bins(&search);
    add_processors(&search, table);
    hiera_over_time_clear(&search.over);
    g_array_unref(search.regions.sums);
    hiera_efficiency_regions_clear(&search.regions);
    hiera_ideal_run_clear(&ideal);
    if (waits)
        hiera_clock_doubts_limit(of->trace, waits, table);
    return TRUE;
}

static const HieraColumn waiting_columns[] = {HIERA_OVER_TIME_WAITING_COLUMNS};
static const HieraColumn waiting_rank_columns[] = {HIERA_OVER_TIME_RANK_COLUMN HIERA_OVER_TIME_WAITING_COLUMNS};
static const HieraColumn efficiency_columns[] = {HIERA_OVER_TIME_EFFICIENCY_COLUMNS};

#define FORM(of)                                                                                                       \
    {                                                                                                                  \
        .name = "over-time", .bins = TRUE, .columns = of, .n_columns = G_N_ELEMENTS(of),                               \
        .protocol = HIERA_PROTOCOL_MATCH, .find = find                                                                 \
    }
const HieraMeasure hiera_over_time_waiting = FORM(waiting_columns);
const HieraMeasure hiera_over_time_waiting_rank = FORM(waiting_rank_columns);
const HieraMeasure hiera_over_time_efficiency = FORM(efficiency_columns);
