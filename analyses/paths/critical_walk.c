/* The critical path; see critical_walk.h. */
#include "critical_walk.h"

typedef struct {
    HieraCriticalPath *path;
    const HieraTrace *trace;
    const GArray *waits;
    guint *low, *high; /* by processor: its waits that are not left yet are low to high - 1 */
} Walk;

/* Waits are in order of rows, so those of a processor are together. */
static void share_waits(const Walk *walk)
{
    guint at = 0;
    for (guint32 i = 0; i < walk->trace->n_processors; i++) {
        const HieraProcessor *processor = &walk->trace->processors[i];
        walk->low[i] = at;
        while (at < walk->waits->len &&
               g_array_index(walk->waits, HieraWait, at).row < processor->first + processor->n_operations)
            at++;
        walk->high[i] = at;
    }
}

static void add_segment(const Walk *walk, guint32 processor, gint64 begin_ns, gint64 end_ns)
{
    HieraPathSegment segment = {processor, walk->path->first[processor], begin_ns, end_ns};
    if (begin_ns >= end_ns)
        return;
    walk->path->first[processor] = walk->path->segments->len;
    g_array_append_val(walk->path->segments, segment);
}

/* Take the last wait of a processor that begins before a time and was not left yet.
 * @return NULL if there is none */
static const HieraWait *take_wait(const Walk *walk, guint32 processor, gint64 before_ns)
{
    const HieraProcessor *of = &walk->trace->processors[processor];
    while (walk->high[processor] > walk->low[processor]) {
        const HieraWait *wait = &g_array_index(walk->waits, HieraWait, --walk->high[processor]);
        if (wait->causer != HIERA_NONE && walk->trace->thread[wait->row] == 0 &&
            MAX(wait->begin_ns, of->init_ns) < MIN(MIN(wait->end_ns, before_ns), of->finalize_ns))
            return wait;
    }
    return NULL;
}

static guint32 find_last(const HieraTrace *trace)
{
    guint32 last = 0;
    for (guint32 i = 1; i < trace->n_processors; i++) {
        if (trace->processors[i].finalize_ns > trace->processors[last].finalize_ns)
            last = i;
    }
    return last;
}

static void follow(const Walk *walk)
{
    guint32 processor = find_last(walk->trace);
    gint64 at_ns = walk->path->end_ns;
    const HieraWait *wait;
    while ((wait = take_wait(walk, processor, at_ns))) {
        gint64 end_ns = MIN(MIN(wait->end_ns, at_ns), walk->trace->processors[processor].finalize_ns);
        add_segment(walk, processor, end_ns, at_ns);
        at_ns = end_ns;
        processor = hiera_trace_find_processor(walk->trace, wait->causer);
    }
    add_segment(walk, processor, walk->path->begin_ns, at_ns);
}

void hiera_critical_path_init(HieraCriticalPath *path, const HieraTrace *trace, const GArray *waits)
{
    g_autofree guint *low = g_new0(guint, (gsize)trace->n_processors + 1),
                     *high = g_new0(guint, (gsize)trace->n_processors + 1);
    Walk walk = {path, trace, waits, low, high};
    *path = (HieraCriticalPath){g_array_new(FALSE, FALSE, sizeof(HieraPathSegment)),
                                g_new(guint32, (gsize)trace->n_processors + 1), G_MAXINT64, G_MININT64};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        path->first[i] = HIERA_NONE;
        path->begin_ns = MIN(path->begin_ns, trace->processors[i].init_ns);
        path->end_ns = MAX(path->end_ns, trace->processors[i].finalize_ns);
    }
    if (trace->n_processors == 0)
        return;
    share_waits(&walk);
    follow(&walk);
}

void hiera_critical_path_clear(HieraCriticalPath *path)
{
    g_array_unref(path->segments);
    g_free(path->first);
}
