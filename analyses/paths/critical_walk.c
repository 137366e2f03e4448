/* Walks back from the end of the run, from wait to wait; see critical_walk.h. */
#include "critical_walk.h"
#include "threads/rank_threads.h"
#include "threads/thread_joins.h"
#include "threads/thread_path.h"

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
    gint64 at_ns = walk->path->end_ns, before_ns = at_ns;
    const HieraPathStep *step;
    while ((step = take_step(walk, processor, before_ns))) {
        if (step->causer == processor) {
            before_ns = step->begin_ns;
            continue;
        }
        before_ns = MIN(step->end_ns, before_ns);
        hiera_critical_path_add(walk->path, processor, before_ns, at_ns);
        at_ns = before_ns;
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

/* --- times in which the path is on other threads --- */

typedef struct {
    GArray *steps;
    guint32 processor;
    guint at, behind; /* waits of the processor: the first one that does not end before the last detour; behind all */
} Detours;

/* Append a detour in which the main thread waits for other ranks; others change nothing. */
static void add_detour(gint64 begin_ns, gint64 end_ns, gpointer user)
{
    Detours *detours = user;
    const HieraPathStep detour = {detours->processor, detours->processor, begin_ns, end_ns};
    while (detours->at < detours->behind &&
           g_array_index(detours->steps, HieraPathStep, detours->at).end_ns <= begin_ns)
        detours->at++;
    if (detours->at < detours->behind && g_array_index(detours->steps, HieraPathStep, detours->at).begin_ns < end_ns)
        g_array_append_val(detours->steps, detour);
}

static gint compare_steps(gconstpointer left, gconstpointer right)
{
    const HieraPathStep *a = left, *b = right;
    if (a->processor != b->processor)
        return a->processor < b->processor ? -1 : 1;
    if (a->end_ns != b->end_ns)
        return a->end_ns < b->end_ns ? -1 : 1;
    return (a->begin_ns < b->begin_ns) - (a->begin_ns > b->begin_ns);
}

/* Whether the main thread waits for another rank in a region. @param first, behind  steps of the processor */
static gboolean waits_in_region(const GArray *steps, guint first, guint behind, const HieraRankThreads *threads)
{
    for (guint i = first; i < behind; i++) {
        gint64 begin_ns = g_array_index(steps, HieraPathStep, i).begin_ns;
        const HieraThreadSpan *span = hiera_thread_span_before(threads, 0, begin_ns + 1);
        if (span && span->team != HIERA_NONE)
            return TRUE;
    }
    return FALSE;
}

/* Add the detours of the processors that have steps. */
static void add_detours(GArray *steps, const HieraMatch *match)
{
    guint n = steps->len;
    HieraThreadPath threads;
    for (guint first = 0, behind; first < n; first = behind) {
        guint32 processor = g_array_index(steps, HieraPathStep, first).processor;
        for (behind = first; behind < n && g_array_index(steps, HieraPathStep, behind).processor == processor; behind++)
            ;
        Detours detours = {steps, processor, first, behind};
        const HieraRankThreads *known = hiera_rank_threads_of(match, processor);
        if (!known || !waits_in_region(steps, first, behind, known) ||
            !hiera_thread_path_init(&threads, match, processor))
            continue;
        hiera_thread_path_detours(&threads, add_detour, &detours);
        hiera_thread_path_clear(&threads);
    }
    if (steps->len > n)
        g_array_sort(steps, compare_steps);
}

GArray *hiera_path_steps_find(const HieraMatch *match, const GArray *waits, const HieraScope *scope)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    GArray *steps = g_array_new(FALSE, FALSE, sizeof(HieraPathStep));
    for (guint i = 0; i < waits->len; i++) {
        const HieraWait *wait = &g_array_index(waits, HieraWait, i);
        guint32 processor = hiera_trace_find_processor(trace, wait->row);
        if (hiera_scope_is_own(scope, processor))
            add_step(steps, trace, wait, processor);
    }
    add_detours(steps, match);
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
