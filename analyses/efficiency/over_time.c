/* What the ranks do over the run: useful computation, MPI and files in each of some equal parts of it. Waiting and
 * efficiencies, which need the partners of all operations, are in over_time_matched.c.
 *
 * Where the parts begin is known when all traces are read, so the spans of the main threads are kept until then, 16
 * bytes each; there are two for an MPI call. */
#include "calls/activity.h"
#include "measures.h"
#include "over_time_rows.h"
#include "values/unrecorded.h"

typedef struct {
    gint64 start_ns, finish_ns;
} Span;

/* What the main thread of one processor does. */
typedef struct {
    guint32 rank;
    HieraActivities activities;
    GArray *spans[HIERA_N_DOINGS]; /* by HieraDoing: Span, by time */
    gboolean settled;              /* TRUE if `spans` are complete */
} Rank;

typedef struct {
    const HieraScope *scope;
    HieraOverTimeForm form;
    gint64 first_ns, last_ns; /* earliest init and latest finalize of a rank */
    const char *past;         /* why a rank lacks calls; NULL: none does */
    GPtrArray *ranks;         /* Rank */
    HieraUnrecorded unrecorded;
    gboolean threaded;   /* whether a rank has operations of further threads */
    gboolean has_openmp; /* whether some of these are of OpenMP */
} Job;

/* --- spans of each rank --- */

static void rank_free(gpointer data)
{
    Rank *rank = data;
    for (guint i = 0; i < HIERA_N_DOINGS; i++)
        g_array_unref(rank->spans[i]);
    g_free(rank);
}

static void add_span(HieraDoing doing, gint64 start_ns, gint64 finish_ns, gpointer rank)
{
    Span span = {start_ns, finish_ns};
    g_array_append_val(((Rank *)rank)->spans[doing], span);
}

static Rank *rank_new(const HieraProcessor *processor)
{
    Rank *rank = g_new0(Rank, 1);
    rank->rank = processor->rank;
    for (guint i = 0; i < HIERA_N_DOINGS; i++)
        rank->spans[i] = g_array_new(FALSE, FALSE, sizeof(Span));
    return rank;
}

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    Rank *rank = rank_new(processor);
    hiera_activities_begin(&rank->activities, scope, processor, add_span, rank);
    return rank;
}

static void operation(gpointer rank, const HieraOperation *operation)
{
    hiera_activities_add(&((Rank *)rank)->activities, operation);
}

static void own_time(gpointer rank, const HieraOwnTime *own)
{
    hiera_activities_add_own(&((Rank *)rank)->activities, own);
}

static void settle(Rank *rank, const HieraProcessor *processor)
{
    if (!rank->settled)
        hiera_activities_end(&rank->activities, processor);
    rank->settled = TRUE;
}

static void pack(gpointer data, const HieraProcessor *processor, HieraPacker *to)
{
    Rank *rank = data;
    settle(rank, processor);
    for (guint i = 0; i < HIERA_N_DOINGS; i++)
        hiera_pack_array(to, rank->spans[i]);
}

static gpointer unpack(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    (void)scope;
    Rank *rank = rank_new(processor);
    rank->settled = TRUE;
    for (guint i = 0; i < HIERA_N_DOINGS; i++)
        hiera_unpack_array(from, rank->spans[i]);
    return rank;
}

static gpointer open_all(const HieraScope *scope)
{
    HieraOverTimeForm form = (HieraOverTimeForm)hiera_scope_find_by(scope, HIERA_OVER_TIME_BY);
    Job *all = g_new0(Job, 1);
    *all =
        (Job){scope, form, G_MAXINT64, G_MININT64, NULL, g_ptr_array_new_with_free_func(rank_free), {0}, FALSE, FALSE};
    return all;
}

static void merge(gpointer data, gpointer rank, const HieraProcessor *processor, gboolean keep)
{
    Job *all = data;
    settle(rank, processor);
    if (!keep) {
        rank_free(rank);
        return;
    }
    all->first_ns = MIN(all->first_ns, processor->init_ns);
    all->last_ns = MAX(all->last_ns, processor->finalize_ns);
    hiera_unrecorded_add(&all->unrecorded, processor);
    all->threaded = all->threaded || processor->threaded;
    all->has_openmp = all->has_openmp || processor->has_openmp;
    if (hiera_processor_is_past(processor))
        all->past = processor->past;
    g_ptr_array_add(all->ranks, rank);
}

/* --- rows of the table --- */

static void fill(HieraOverTime *over, const Rank *rank)
{
    for (guint doing = 0; doing < HIERA_N_DOINGS; doing++) {
        for (guint i = 0; i < rank->spans[doing]->len; i++) {
            const Span *span = &g_array_index(rank->spans[doing], Span, i);
            hiera_over_time_add(over, doing, span->start_ns, span->finish_ns);
        }
    }
}

static void add_all(const Job *all, HieraTable *table)
{
    HieraOverTime over;
    hiera_over_time_init(&over, all->scope, all->first_ns, all->last_ns, all->past);
    for (guint i = 0; i < all->ranks->len; i++) {
        const Rank *rank = g_ptr_array_index(all->ranks, i);
        fill(&over, rank);
        hiera_over_time_add_rank(&over, all->form, rank->rank, 0, table);
        hiera_over_time_end_rank(&over);
    }
    hiera_over_time_add_all(&over, all->form, table);
    const char *only = all->has_openmp ? HIERA_OVER_TIME_OF_MAIN : HIERA_ONLY_MAIN_THREADS("over-time");
    hiera_table_limit(table, HIERA_FINDING_MAIN_THREADS, all->threaded ? only : NULL);
    hiera_unrecorded_limit_of(&all->unrecorded, table);
    hiera_over_time_clear(&over);
}

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog;
    Job *all = data;
    if (table && all->ranks->len > 0)
        add_all(all, table);
    g_ptr_array_unref(all->ranks);
    g_free(all);
}

static const HieraColumn all_columns[] = {HIERA_OVER_TIME_ALL_COLUMNS};
static const HieraColumn rank_columns[] = {HIERA_OVER_TIME_RANK_COLUMNS};

#define FORM(of)                                                                                                       \
    {                                                                                                                  \
        .name = "over-time", .columns = of, .n_columns = G_N_ELEMENTS(of),                                             \
        .flags = HIERA_MEASURE_BINS | HIERA_MEASURE_WHOLE, .job = &(const HieraJobOps)                                 \
        {                                                                                                              \
            .read = {.begin = begin,                                                                                   \
                     .operation = operation,                                                                           \
                     .records = {.own_time = own_time},                                                                \
                     .pack = pack,                                                                                     \
                     .unpack = unpack},                                                                                \
            .open = open_all, .merge = merge, .close = close_all                                                       \
        }                                                                                                              \
    }
static const HieraMeasure of_all = FORM(all_columns), by_rank = FORM(rank_columns);
static const HieraMeasure *const forms[] = {&of_all,
                                            &by_rank,
                                            &hiera_over_time_waiting,
                                            &hiera_over_time_waiting_rank,
                                            &hiera_over_time_idle,
                                            &hiera_over_time_thread,
                                            &hiera_over_time_efficiency};

const HieraMeasure hiera_measure_over_time = {
    .name = "over-time",
    .help = "computation, MPI, waiting, idle threads, efficiencies over the run",
    .by = HIERA_OVER_TIME_BY,
    .forms = forms,
};
