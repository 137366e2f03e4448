/* The sums of `over-time --by waiting-rank`, with more parts: one code makes both. */
#include "heat.h"
#include "block.h"
#include "calls/timeline.h"
#include "paths/over_time_sums.h"
#include "waiting/waiting.h"

enum { BINS = 128 };

/* What the browser shows, in this order. */
static const guint shown[] = {HIERA_DOES_COMPUTE, HIERA_DOES_COMMUNICATE, HIERA_DOES_IO, HIERA_OVER_WAITING};

typedef struct {
    const GArray *waits;
    guint at; /* the first wait of a later row */
    HieraOverTime over;
} Heat;

static void add_wait(const HieraSpan *part, const HieraWait *wait, gpointer user)
{
    Heat *heat = user;
    if (wait)
        hiera_over_time_add(&heat->over, HIERA_OVER_WAITING, part->begin_ns, part->end_ns);
}

static void add_span(const HieraSpan *span, gpointer user)
{
    Heat *heat = user;
    hiera_over_time_add(&heat->over, span->doing, span->begin_ns, span->end_ns);
    hiera_waits_cut(heat->waits, &heat->at, span, add_wait, heat);
}

/* Append the sums of the current rank: by what it does, by bin. */
static void add_rank(GByteArray *block, const HieraOverTime *over)
{
    for (guint what = 0; what < G_N_ELEMENTS(shown); what++) {
        for (guint bin = 0; bin < over->bins.n; bin++)
            hiera_block_add(block, over->rank[bin].ns[shown[what]]);
    }
}

void hiera_heat_write(const HieraScene *scene, const GArray *waits, FILE *stream)
{
    HieraScope scope = *scene->scope;
    Heat heat = {.waits = waits};
    g_autoptr(GByteArray) block = g_byte_array_new();
    scope.bins = BINS;
    hiera_over_time_init(&heat.over, &scope, scene->begin_ns, scene->end_ns);
    hiera_block_add(block, heat.over.bins.n);
    for (guint bin = 0; bin <= heat.over.bins.n && heat.over.bins.n > 0; bin++)
        hiera_block_add(block, hiera_minus(hiera_time_bins_edge(&heat.over.bins, bin), scene->begin_ns));
    for (guint32 i = 0; i < scene->trace->n_processors; i++) {
        if (!hiera_scope_accepts_rank(&scope, scene->trace->processors[i].rank))
            continue;
        hiera_timeline_visit(scene->trace, i, add_span, &heat);
        add_rank(block, &heat.over);
        hiera_over_time_end_rank(&heat.over);
    }
    hiera_block_write(block->data, block->len, stream, "heat");
    hiera_over_time_clear(&heat.over);
}
