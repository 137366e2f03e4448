/* Walks back from the end of the run, from wait to wait; see critical_walk.h. */
#include "critical_walk.h"

typedef struct {
    HieraCriticalPath *path;
    const HieraTrace *trace;
    const GArray *steps; /* HieraPathStep */
    guint *low, *high; /* by processor: index of its first step, and after its last step that has not been taken yet */
} Walk;

static void share_steps(const Walk *walk)
{
    for (guint i = 0; i < walk->steps->len; i++) {
        guint32 processor = g_array_index(walk->steps, HieraPathStep, i).processor;
        if (walk->high[processor] == 0)
            walk->low[processor] = i;
        walk->high[processor] = i + 1;
    }
}

/* Take the last step of a processor that begins before a time and has not been taken yet.
 * @return NULL if there is none */
static const HieraPathStep *take_step(const Walk *walk, guint32 processor, gint64 before_ns)
{
    while (walk->high[processor] > walk->low[processor]) {
        const HieraPathStep *step = &g_array_index(walk->steps, HieraPathStep, --walk->high[processor]);
        if (step->begin_ns < MIN(step->end_ns, before_ns))
            return step;
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
    const HieraPathStep *step;
    while ((step = take_step(walk, processor, at_ns))) {
        gint64 end_ns = MIN(step->end_ns, at_ns);
        hiera_critical_path_add(walk->path, processor, end_ns, at_ns);
        at_ns = end_ns;
        processor = step->causer;
    }
    hiera_critical_path_add(walk->path, processor, walk->path->begin_ns, at_ns);
}

/* Append a wait for another rank as HieraPathStep, clipped to the run of its processor. */
static void add_step(GArray *steps, const HieraTrace *trace, const HieraWait *wait, guint32 processor)
{
    const HieraProcessor *of = &trace->processors[processor];
    if (wait->causer == HIERA_NONE || trace->thread[wait->row] != 0)
        return;
    HieraPathStep step = {processor, hiera_trace_find_processor(trace, wait->causer), MAX(wait->begin_ns, of->init_ns),
                          MIN(wait->end_ns, of->finalize_ns)};
    if (step.begin_ns < step.end_ns)
        g_array_append_val(steps, step);
}

GArray *hiera_path_steps_find(const HieraTrace *trace, const GArray *waits, const HieraScope *scope)
{
    GArray *steps = g_array_new(FALSE, FALSE, sizeof(HieraPathStep));
    for (guint i = 0; i < waits->len; i++) {
        const HieraWait *wait = &g_array_index(waits, HieraWait, i);
        guint32 processor = hiera_trace_find_processor(trace, wait->row);
        if (hiera_scope_is_own(scope, processor))
            add_step(steps, trace, wait, processor);
    }
    return steps;
}

void hiera_critical_path_begin(HieraCriticalPath *path, const HieraTrace *trace)
{
    *path = (HieraCriticalPath){g_array_new(FALSE, FALSE, sizeof(HieraPathSegment)),
                                g_new(guint32, (gsize)trace->n_processors + 1), G_MAXINT64, G_MININT64};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        path->first[i] = HIERA_NONE;
        path->begin_ns = MIN(path->begin_ns, trace->processors[i].init_ns);
        path->end_ns = MAX(path->end_ns, trace->processors[i].finalize_ns);
    }
}

void hiera_critical_path_add(HieraCriticalPath *path, guint32 processor, gint64 begin_ns, gint64 end_ns)
{
    HieraPathSegment segment = {processor, path->first[processor], begin_ns, end_ns};
    if (begin_ns >= end_ns)
        return;
    path->first[processor] = path->segments->len;
    g_array_append_val(path->segments, segment);
}

void hiera_critical_path_follow(HieraCriticalPath *path, const HieraTrace *trace, const GArray *steps)
{
    g_autofree guint *low = g_new0(guint, (gsize)trace->n_processors + 1),
                     *high = g_new0(guint, (gsize)trace->n_processors + 1);
    Walk walk = {path, trace, steps, low, high};
    hiera_critical_path_begin(path, trace);
    if (trace->n_processors == 0)
        return;
    share_steps(&walk);
    follow(&walk);
}

void hiera_critical_path_clear(HieraCriticalPath *path)
{
    g_array_unref(path->segments);
    g_free(path->first);
}
