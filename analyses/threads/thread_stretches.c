/* Form of the measure `histogram`: how long threads compute without a break. */
#include "calls/timeline.h"
#include "rank_threads.h"
#include "thread_forms.h"
#include "values/bins.h"
#include "values/outermost.h"

static const HieraColumn columns[] = {{"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                      {"thread", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                      HIERA_BIN_COLUMNS(HIERA_CELL_SECONDS)};

/* Time in which a thread computes, and does nothing else. */
typedef struct {
    guint32 processor, thread;
    gint64 time_ns;
} Stretch;

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope;
    GArray *stretches;         /* Stretch */
    guint32 processor, thread; /* of the spans that come */
    gint64 begin_ns, end_ns;   /* of the stretch so far */
    guint32 unit;              /* that it is in; HIERA_NONE: there is none */
} Search;

static void end_stretch(Search *search)
{
    const Stretch stretch = {search->processor, search->thread,
                             hiera_scope_clip(search->scope, search->begin_ns, search->end_ns)};
    if (search->unit != HIERA_NONE && stretch.time_ns > 0)
        g_array_append_val(search->stretches, stretch);
    search->unit = HIERA_NONE;
}

/* @param unit  in which the thread computes; HIERA_NONE: it does not */
static void add_part(Search *search, guint32 unit, gint64 begin_ns, gint64 end_ns)
{
    if (unit != search->unit || begin_ns != search->end_ns) {
        end_stretch(search);
        search->unit = unit;
        search->begin_ns = begin_ns;
    }
    search->end_ns = end_ns;
}

guint32 hiera_row_unit(const HieraTrace *trace, const HieraScope *scope, guint32 row)
{
    guint32 unit = HIERA_NONE;
    if (!hiera_scope_has_units(scope))
        return 0;
    for (; row != HIERA_NONE; row = trace->parent[row])
        if (hiera_scope_accepts_row(scope, trace, row))
            unit = row;
    return unit;
}

guint32 hiera_thread_span_unit(const HieraTrace *trace, const HieraScope *scope, const HieraRankThreads *threads,
                               const HieraThreadSpan *span)
{
    guint32 unit = hiera_row_unit(trace, scope, span->row);
    return unit == HIERA_NONE && span->team != HIERA_NONE
               ? hiera_row_unit(trace, scope, g_array_index(threads->teams, HieraTeam, span->team).row)
               : unit;
}

static void add_span(const HieraTimeSpan *span, gpointer user)
{
    const Search *search = user;
    gboolean computes = span->doing == HIERA_DOES_COMPUTE;
    guint32 unit = computes ? hiera_row_unit(search->trace, search->scope, span->row) : HIERA_NONE;
    add_part(user, unit, span->begin_ns, span->end_ns);
}

static void add_threads(Search *search, const HieraRankThreads *threads)
{
    for (guint i = 0; i < threads->spans->len; i++) {
        const HieraThreadSpan *span = &g_array_index(threads->spans, HieraThreadSpan, i);
        gboolean computes = span->doing == HIERA_DOES_COMPUTE && span->idles == HIERA_IDLE_NOT;
        guint32 unit = computes ? hiera_thread_span_unit(search->trace, search->scope, threads, span) : HIERA_NONE;
        if (span->thread != search->thread)
            end_stretch(search);
        search->thread = span->thread;
        add_part(search, unit, span->begin_ns, span->end_ns);
    }
}

static void add_rank(Search *search, const HieraMatch *match, guint32 processor)
{
    const HieraRankThreads *threads = hiera_rank_threads_of(match, processor);
    search->processor = processor;
    search->thread = 0;
    if (threads)
        add_threads(search, threads);
    else
        hiera_timeline_visit(search->trace, processor, add_span, search);
    end_stretch(search);
}

static gint compare_threads(gconstpointer left, gconstpointer right)
{
    const Stretch *a = left, *b = right;
    return a->processor != b->processor ? (a->processor > b->processor) - (a->processor < b->processor)
                                        : (a->thread > b->thread) - (a->thread < b->thread);
}

/* Add the rows of a thread, whose stretches are those from `first` on. @return the index behind them */
static guint add_rows(const Search *search, const HieraTrace *trace, guint first, HieraTable *table)
{
    const Stretch *of = &g_array_index(search->stretches, Stretch, first);
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(gint64));
    guint i = first;
    for (; i < search->stretches->len; i++) {
        const Stretch *stretch = &g_array_index(search->stretches, Stretch, i);
        if (compare_threads(stretch, of) != 0)
            break;
        g_array_append_val(values, stretch->time_ns);
    }
    const HieraCell keys[] = {{.number = trace->processors[of->processor].rank}, {.number = of->thread}};
    hiera_bins_add(table, keys, G_N_ELEMENTS(keys), (const gint64 *)(const void *)values->data, values->len,
                   search->scope->options.bins);
    return i;
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GArray) stretches = g_array_new(FALSE, FALSE, sizeof(Stretch));
    Search search = {.trace = trace, .scope = scope, .stretches = stretches, .unit = HIERA_NONE};
    for (guint32 i = 0; i < trace->n_processors; i++)
        if (hiera_scope_accepts_rank(scope, trace->processors[i].rank) && hiera_scope_is_own(scope, i))
            add_rank(&search, match, i);
    hiera_scope_gather_array(scope, trace, stretches);
    g_array_sort(stretches, compare_threads);
    for (guint i = 0; hiera_scope_leads(scope) && i < stretches->len;)
        i = add_rows(&search, trace, i, table);
    hiera_other_threads_limit(match, scope, table);
    return TRUE;
}

const HieraMeasure hiera_histogram_by_thread = {
    .name = "histogram",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_BINS | HIERA_MEASURE_TOGETHER,
    .find = find,
};
