/* Makes the block `heat`: times like the measure `over-time --by waiting-rank`, but for more and shorter intervals. */
#include "heat.h"
#include "base/block.h"
#include "base/rank_parts.h"
#include "calls/timeline.h"
#include "efficiency/over_time_sums.h"
#include "waiting/waiting.h"

enum { BINS = 128 };

/* Activities that the page's script expects, in this order. */
static const guint shown[] = {HIERA_DOES_COMPUTE, HIERA_DOES_COMMUNICATE, HIERA_DOES_IO, HIERA_OVER_WAITING};

typedef struct {
    const GArray *waits;
    guint at; /* index in `waits` of the first wait of an operation that was not visited yet */
    HieraOverTime over;
} Heat;

static void add_wait(const HieraTimeSpan *part, const HieraWait *wait, gpointer user)
{
    Heat *heat = user;
    if (wait)
        hiera_over_time_add(&heat->over, HIERA_OVER_WAITING, part->begin_ns, part->end_ns);
}

static void add_span(const HieraTimeSpan *span, gpointer user)
{
    Heat *heat = user;
    hiera_over_time_add(&heat->over, span->doing, span->begin_ns, span->end_ns);
    hiera_waits_cut(heat->waits, &heat->at, span, add_wait, heat);
}

/* Replace the useful time of a rank with several threads by the mean of them. */
static void take_means(const HieraOverTime *over)
{
    for (guint bin = 0; bin < over->bins.n; bin++) {
        gint64 *ns = over->rank[bin].ns;
        if (ns[HIERA_OVER_THREADS] > 1)
            ns[HIERA_DOES_COMPUTE] = ns[HIERA_OVER_ALL_USEFUL] / ns[HIERA_OVER_THREADS];
    }
}

/* Append the current rank's times: the number of its threads, and for each activity, its time in each bin. */
static void add_rank(GByteArray *block, const HieraOverTime *over)
{
    gint64 n_threads = 1;
    for (guint bin = 0; bin < over->bins.n; bin++)
        n_threads = MAX(n_threads, over->rank[bin].ns[HIERA_OVER_THREADS]);
    hiera_block_add(block, n_threads);
    for (guint what = 0; what < G_N_ELEMENTS(shown); what++) {
        for (guint bin = 0; bin < over->bins.n; bin++)
            hiera_block_add(block, over->rank[bin].ns[shown[what]]);
    }
}

static void add_edges(GByteArray *block, const HieraTimeBins *bins, gint64 begin_ns)
{
    hiera_block_add(block, bins->n);
    for (guint bin = 0; bin <= bins->n && bins->n > 0; bin++)
        hiera_block_add(block, hiera_minus(hiera_time_bins_edge(bins, bin), begin_ns));
}

GByteArray *hiera_heat_make(const HieraScene *scene, const HieraMatch *match, const GArray *waits)
{
    HieraScope scope = *scene->scope;
    Heat heat = {.waits = waits};
    GByteArray *block = g_byte_array_new();
    g_autoptr(GPtrArray) ranks = hiera_rank_parts_new(scene->trace->n_processors);
    scope.options.bins = BINS;
    hiera_over_time_init(&heat.over, &scope, scene->begin_ns, scene->end_ns, NULL);
    add_edges(block, &heat.over.bins, scene->begin_ns);
    for (guint32 i = 0; i < scene->trace->n_processors; i++) {
        if (!hiera_scope_accepts_rank(&scope, scene->trace->processors[i].rank) || !hiera_scope_is_own(&scope, i))
            continue;
        hiera_timeline_visit(scene->trace, i, add_span, &heat);
        hiera_over_time_add_threads(&heat.over, match, i, NULL);
        take_means(&heat.over);
        add_rank(hiera_rank_parts_of(ranks, i), &heat.over);
        hiera_over_time_end_rank(&heat.over);
    }
    hiera_rank_parts_gather(ranks, &scope, scene->trace);
    hiera_rank_parts_join(ranks, block);
    hiera_over_time_clear(&heat.over);
    return block;
}
