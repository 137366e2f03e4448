/* Threads that were not recorded: who has them, and the sentence about them; see unrecorded.h. */
#include "unrecorded.h"
#include "dtd/names.h"
#include "shares.h"

static gint64 unrecorded_ns(const HieraThreadUse *usage)
{
    return MAX(usage->time_ns - usage->recorded_ns, 0);
}

/* Return the part of the processor time that the threads used, in 0.01 %; 0 if it is not known. */
static gint64 share_of(const HieraThreadUse *usage)
{
    return hiera_percent(unrecorded_ns(usage), usage->time_ns);
}

/* Where threads of OpenMP are recorded, one that has no operation yet computes nothing. */
static gboolean matters(const HieraProcessor *processor)
{
    const HieraThreadUse *usage = &processor->usage;
    gboolean are_busy = share_of(usage) > HIERA_UNRECORDED_SHARE && unrecorded_ns(usage) > HIERA_UNRECORDED_NS;
    return are_busy || (usage->has_openmp && usage->n_unrecorded > 0 && !processor->threaded);
}

void hiera_unrecorded_add(HieraUnrecorded *unrecorded, const HieraProcessor *processor)
{
    const HieraThreadUse *usage = &processor->usage;
    unrecorded->n_ranks++;
    if (!matters(processor))
        return;
    if (unrecorded->n_with == 0 || share_of(usage) > share_of(&unrecorded->worst)) {
        unrecorded->worst = *usage;
        unrecorded->worst_rank = processor->rank;
    }
    unrecorded->n_with++;
}

HieraUnrecorded hiera_unrecorded_find(const HieraTrace *trace, const HieraScope *scope)
{
    HieraUnrecorded unrecorded = {0};
    for (guint32 i = 0; i < trace->n_processors; i++)
        if (hiera_scope_accepts_rank(scope, trace->processors[i].rank))
            hiera_unrecorded_add(&unrecorded, &trace->processors[i]);
    return unrecorded;
}

/* Whether a rank in the scope has operations of further threads; with `openmp`, of OpenMP. */
static gboolean are_threaded(const HieraTrace *trace, const HieraScope *scope, gboolean openmp)
{
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        if ((openmp ? of->has_openmp : of->threaded) && hiera_scope_accepts_rank(scope, of->rank))
            return TRUE;
    }
    return FALSE;
}

const char *hiera_unrecorded_of(const HieraTrace *trace, const HieraScope *scope)
{
    if (hiera_unrecorded_find(trace, scope).n_with > 0)
        return HIERA_OF_MPI_THREADS;
    return are_threaded(trace, scope, FALSE) ? HIERA_OF_MAIN_THREADS : "";
}

void hiera_main_threads_limit(const HieraTrace *trace, const HieraScope *scope, const char *sentence,
                              const char *without_openmp, HieraTable *table)
{
    const char *said = are_threaded(trace, scope, TRUE) ? sentence : without_openmp;
    hiera_table_limit_too(table, HIERA_FINDING_MAIN_THREADS, are_threaded(trace, scope, FALSE) ? said : NULL);
}

/* Add "1 of 2 threads of rank 0 was not recorded; it used 17.0 % of its processor time". */
static void add_rank(GString *text, const HieraThreadUse *usage, guint32 rank)
{
    char share[HIERA_NUMBER_BYTES];
    const char *they = usage->n_unrecorded == 1 ? "it" : "they";
    hiera_percent_format(share, share_of(usage));
    if (usage->n_unrecorded == 0)
        g_string_append_printf(text, "threads of rank %u that were not recorded used %s of its processor time", rank,
                               share);
    else
        g_string_append_printf(text, "%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " threads of rank %u %s not recorded",
                               usage->n_unrecorded, MAX(usage->n_threads, usage->n_unrecorded), rank,
                               usage->n_unrecorded == 1 ? "was" : "were");
    if (usage->n_unrecorded > 0 && usage->time_ns > 0)
        g_string_append_printf(text, "; %s used %s of its processor time", they, share);
    else if (usage->n_unrecorded > 0)
        g_string_append_printf(text, "; how much processor time %s used is not known", they);
    if (usage->n_cpus > 0 && usage->n_threads > usage->n_cpus)
        g_string_append_printf(text, "; %" G_GINT64_FORMAT " threads share %" G_GINT64_FORMAT " CPU%s",
                               usage->n_threads, usage->n_cpus, usage->n_cpus == 1 ? "" : "s");
}

char *hiera_unrecorded_say(const HieraUnrecorded *unrecorded)
{
    if (unrecorded->n_with == 0)
        return NULL;
    GString *text = g_string_new(NULL);
    if (unrecorded->n_with > 1)
        g_string_append_printf(text, "%u of %u ranks have threads that were not recorded; worst: ", unrecorded->n_with,
                               unrecorded->n_ranks);
    add_rank(text, &unrecorded->worst, unrecorded->worst_rank);
    g_string_append_printf(text, "; all numbers here are %s",
                           unrecorded->of_threads ? unrecorded->of_threads : HIERA_OF_MPI_THREADS);
    return g_string_free(text, FALSE);
}

void hiera_unrecorded_limit_of(const HieraUnrecorded *unrecorded, HieraTable *table)
{
    g_autofree char *sentence = hiera_unrecorded_say(unrecorded);
    hiera_table_limit_too(table, HIERA_FINDING_THREADS, sentence);
}

void hiera_unrecorded_limit(const HieraTrace *trace, const HieraScope *scope, HieraTable *table)
{
    HieraUnrecorded unrecorded = hiera_unrecorded_find(trace, scope);
    hiera_unrecorded_limit_of(&unrecorded, table);
}

/* --- threads that waited for a processor --- */

/* Return the part of the time in which threads could run that they waited for a processor, in 0.01 %. */
static gint64 queued_share(const HieraThreadUse *usage)
{
    return hiera_percent(usage->queued_ns, hiera_plus(usage->queued_ns, usage->recorded_ns));
}

static gboolean has_processor(const GArray *crowded, guint32 processor)
{
    for (guint i = 0; crowded && i < crowded->len; i++)
        if (g_array_index(crowded, HieraShare, i).processor == processor)
            return TRUE;
    return FALSE;
}

/* Ranks whose threads waited for a processor. */
typedef struct {
    HieraThreadUse all; /* sums */
    gint64 run_ns;      /* Σ of their run times */
    guint n, n_scope;   /* number of these ranks, and of all in the scope */
    const HieraProcessor *worst;
} Queued;

static Queued find_queued(const HieraTrace *trace, const HieraScope *scope, const GArray *crowded, gboolean are_crowded)
{
    Queued queued = {.n = 0};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        gboolean is_in_scope = hiera_scope_accepts_rank(scope, of->rank);
        queued.n_scope += is_in_scope;
        if (!is_in_scope || of->usage.recorded_ns == 0 || has_processor(crowded, i) != are_crowded)
            continue;
        queued.n++;
        queued.all.queued_ns = hiera_plus(queued.all.queued_ns, of->usage.queued_ns);
        queued.all.recorded_ns = hiera_plus(queued.all.recorded_ns, of->usage.recorded_ns);
        queued.run_ns = hiera_plus(queued.run_ns, hiera_minus(of->finalize_ns, of->init_ns));
        if (!queued.worst || queued_share(&of->usage) > queued_share(&queued.worst->usage))
            queued.worst = of;
    }
    return queued;
}

char *hiera_queued_how_long(const HieraTrace *trace, const HieraScope *scope, const GArray *crowded,
                            gboolean are_crowded)
{
    enum { LEAST_OF_ALL = 500, LEAST_OF_RANK = 1000, LEAST_OF_RUN = 100, LEAST_NS = 1000000 };
    const Queued queued = find_queued(trace, scope, crowded, are_crowded);
    char share[HIERA_NUMBER_BYTES], of_worst[HIERA_NUMBER_BYTES];
    if (!queued.worst || queued.all.queued_ns < LEAST_NS ||
        hiera_percent(queued.all.queued_ns, queued.run_ns) < LEAST_OF_RUN ||
        (queued_share(&queued.all) < LEAST_OF_ALL && queued_share(&queued.worst->usage) < LEAST_OF_RANK))
        return NULL;
    hiera_percent_format(share, queued_share(&queued.all));
    hiera_percent_format(of_worst, queued_share(&queued.worst->usage));
    g_autofree char *where = queued.n == 1 && (are_crowded || queued.n_scope == 1)
                                 ? g_strdup("") /* the sentence, or the run, has this rank alone */
                                 : g_strdup_printf(" (rank %u: %s)", queued.worst->rank, of_worst);
    return g_strdup_printf("for %s of the time in which they could run%s", share, where);
}

char *hiera_queued_say(const HieraTrace *trace, const HieraScope *scope, const GArray *crowded)
{
    g_autofree char *how_long = hiera_queued_how_long(trace, scope, crowded, FALSE);
    return how_long
               ? g_strdup_printf("threads waited for a processor %s: more threads than processors, or other programs",
                                 how_long)
               : NULL;
}

void hiera_queued_limit(const HieraTrace *trace, const HieraScope *scope, const GArray *crowded, HieraTable *table)
{
    g_autofree char *sentence = hiera_queued_say(trace, scope, crowded);
    hiera_table_limit_too(table, HIERA_FINDING_THREADS, sentence);
}
