/* Finds for each row the dependence that ends last, then makes intervals of the rows; see waiting.h. */
#include "values/outermost.h"
#include "waiting_parts.h"
#include <string.h>

static const char *const names[] = {
#define X(identifier, name) name,
    HIERA_WAITS(X)
#undef X
};

const char *hiera_wait_name(HieraWaitClass class)
{
    return names[class];
}

gboolean hiera_waiting_is_start(const HieraTrace *trace, guint32 row)
{
    const HieraRequest *requests;
    HieraKind kind = hiera_trace_peek_site(trace, row)->kind;
    return kind == HIERA_KIND_START || (kind != HIERA_KIND_COMPLETE && kind != HIERA_KIND_PROBE &&
                                        hiera_trace_peek_requests(trace, row, &requests) > 0);
}

gboolean hiera_waiting_returns_early(const HieraSite *site)
{
    static const char *const early[] = {
        "waitany", "waitsome", "testany", "testsome", "request_get_status_any", "request_get_status_some"};
    for (guint i = 0; i < G_N_ELEMENTS(early); i++) {
        if (strcmp(site->operation, early[i]) == 0)
            return TRUE;
    }
    return FALSE;
}

HieraDependence hiera_waiting_for(const HieraWaiting *waiting, guint32 start, gint64 finish_ns)
{
    HieraDependence last = waiting->needs[start];
    HieraDependence taken = hiera_waiting_taken(waiting, start);
    if (taken.until_ns != HIERA_NEVER && taken.until_ns <= finish_ns)
        hiera_waiting_later(&last, taken.until_ns, taken.causer, taken.class);
    return last;
}

/* Pass dependences of non-blocking operations on to the calls that complete them: after all others but tests. */
static void pass_to_completions(const HieraWaiting *waiting)
{
    guint n;
    const HieraPair *pairs = hiera_match_peek_pairs(waiting->match, HIERA_PAIRS_REQUEST, &n);
    g_autoptr(GHashTable) begun = g_hash_table_new(NULL, NULL); /* set of rows that return early, with a dependence */
    for (guint i = 0; i < n; i++) {
        guint32 by = pairs[i].completion;
        HieraDependence one = hiera_waiting_for(waiting, pairs[i].start, waiting->trace->finish_ns[by]);
        HieraDependence *last = &waiting->needs[by];
        if (!hiera_waiting_returns_early(hiera_trace_peek_site(waiting->trace, by)))
            hiera_waiting_later(last, one.until_ns, one.causer, one.class);
        else if (g_hash_table_add(begun, GUINT_TO_POINTER(by)) || one.until_ns < last->until_ns)
            *last = one;
    }
}

static void add_wait(GArray *waits, guint32 row, const HieraDependence *of, gint64 begin_ns, gint64 end_ns)
{
    HieraWait wait = {row, of->causer, begin_ns, end_ns, of->class};
    if (begin_ns < end_ns)
        g_array_append_val(waits, wait);
}

/* A call with its times, clipped to the run of its processor (init to finalize). */
typedef struct {
    guint32 row;
    gint64 start_ns, finish_ns;
} Call;

static Call clip_to_run(const HieraTrace *trace, const HieraProcessor *processor, guint32 row)
{
    return (Call){row, MAX(trace->start_ns[row], processor->init_ns),
                  MIN(trace->finish_ns[row], processor->finalize_ns)};
}

static void add_completion(const HieraWaiting *waiting, GArray *waits, const Call *call, gint64 waited_ns)
{
    guint n;
    guint32 collective = hiera_match_collective(waiting->match, call->row);
    gint64 from_ns = collective == HIERA_NONE ? HIERA_NEVER : waiting->complete_ns[collective];
    if (from_ns == HIERA_NEVER)
        return;
    gboolean barrier = waiting->needs[call->row].class == HIERA_WAIT_BARRIER;
    HieraDependence nobody = {0, HIERA_NONE, barrier ? HIERA_WAIT_BARRIER_COMPLETION : HIERA_WAIT_N_X_N_COMPLETION};
    (void)hiera_match_peek_members(waiting->match, collective, &n);
    if (n > 1)
        add_wait(waits, call->row, &nobody, MAX(from_ns, waited_ns), call->finish_ns);
}

/* Whether an operation belongs to the same rank and thread as a call, which then does not wait for it: a failed test of
 * a message that its thread sends to itself later. */
static gboolean is_own(const HieraTrace *trace, const HieraProcessor *processor, guint32 row, guint32 causer)
{
    return causer != HIERA_NONE && causer >= processor->first && causer < processor->first + processor->n_operations &&
           trace->thread[causer] == trace->thread[row];
}

static void add_waits(const HieraWaiting *waiting, GArray *waits, const HieraProcessor *processor, const Call *call)
{
    HieraDependence last = hiera_waiting_for(waiting, call->row, waiting->trace->finish_ns[call->row]);
    gint64 end_ns = MIN(last.until_ns, call->finish_ns);
    if (!is_own(waiting->trace, processor, call->row, last.causer))
        add_wait(waits, call->row, &last, call->start_ns, end_ns);
    add_completion(waiting, waits, call, MAX(call->start_ns, end_ns));
}

static void add_processor(const HieraWaiting *waiting, const HieraProcessor *processor, GArray *waits)
{
    const HieraTrace *trace = waiting->trace;
    HieraInside mpi = HIERA_OUTSIDE;
    guint32 end = (guint32)(processor->first + processor->n_operations);
    for (guint32 row = (guint32)processor->first; row < end; row++) {
        gboolean inside = hiera_inside_holds(&mpi, trace->depth[row], trace->thread[row]);
        if (!hiera_trace_peek_site(trace, row)->mpi || inside)
            continue;
        hiera_inside_enter(&mpi, trace->depth[row], trace->thread[row]);
        if (hiera_waiting_is_start(trace, row))
            continue;
        Call call = clip_to_run(trace, processor, row);
        add_waits(waiting, waits, processor, &call);
    }
}

static HieraDependence *new_dependences(guint32 n)
{
    HieraDependence *all = g_new(HieraDependence, (gsize)n + 1);
    for (guint32 i = 0; i < n; i++)
        all[i] = (HieraDependence){HIERA_NEVER, HIERA_NONE, HIERA_N_WAITS};
    return all;
}

static gpointer find_waits(const HieraMatch *match)
{
    guint n_collectives;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    (void)hiera_match_peek_collectives(match, &n_collectives);
    g_autofree HieraDependence *needs = new_dependences(trace->n_operations);
    g_autofree guint32 *taken = g_new0(guint32, (gsize)trace->n_operations + 1);
    g_autofree gint64 *complete_ns = g_new(gint64, (gsize)n_collectives + 1);
    HieraWaiting waiting = {match, trace, needs, taken, complete_ns};
    GArray *waits = g_array_new(FALSE, FALSE, sizeof(HieraWait));
    hiera_waiting_messages(&waiting);
    hiera_waiting_collectives(&waiting);
    hiera_waiting_windows(&waiting);
    pass_to_completions(&waiting);
    hiera_waiting_tests(&waiting);
    for (guint32 i = 0; i < trace->n_processors; i++)
        add_processor(&waiting, &trace->processors[i], waits);
    hiera_waiting_order(&waiting, waits);
    return waits;
}

GArray *hiera_waits_find(const HieraMatch *match)
{
    return g_array_ref(hiera_match_find_once(match, find_waits, (GDestroyNotify)g_array_unref));
}

gint64 hiera_waits_clip(const GArray *waits, guint *at, guint32 row, const HieraScope *scope)
{
    gint64 sum = 0;
    for (; *at < waits->len && g_array_index(waits, HieraWait, *at).row <= row; (*at)++) {
        const HieraWait *wait = &g_array_index(waits, HieraWait, *at);
        if (wait->row == row)
            sum = hiera_plus(sum, hiera_scope_clip(scope, wait->begin_ns, wait->end_ns));
    }
    return sum;
}

static void visit_part(HieraTimeSpan *rest, gint64 until_ns, const HieraWait *wait, HieraPartVisit visit, gpointer user)
{
    HieraTimeSpan part = *rest;
    part.end_ns = MIN(until_ns, rest->end_ns);
    if (part.begin_ns >= part.end_ns)
        return;
    visit(&part, wait, user);
    rest->begin_ns = part.end_ns;
}

void hiera_waits_cut(const GArray *waits, guint *at, const HieraTimeSpan *span, HieraPartVisit visit, gpointer user)
{
    if (!hiera_span_is_call(span) || *at >= waits->len ||
        g_array_index(waits, HieraWait, *at).row > span->row) { /* most spans have no wait, and are visited whole */
        if (span->begin_ns < span->end_ns)
            visit(span, NULL, user);
        return;
    }
    HieraTimeSpan rest = *span;
    for (; *at < waits->len; (*at)++) {
        const HieraWait *wait = &g_array_index(waits, HieraWait, *at);
        if (wait->row > span->row)
            break;
        if (wait->row < span->row)
            continue;
        visit_part(&rest, wait->begin_ns, NULL, visit, user);
        visit_part(&rest, wait->end_ns, wait, visit, user);
    }
    if (rest.begin_ns < rest.end_ns)
        visit(&rest, NULL, user);
}

gint64 *hiera_waits_by_row(const HieraMatch *match, const HieraScope *scope)
{
    gint64 *waiting = g_new0(gint64, (gsize)hiera_match_peek_trace(match)->n_operations + 1);
    g_autoptr(GArray) waits = hiera_waits_find(match);
    for (guint i = 0; i < waits->len; i++) {
        const HieraWait *wait = &g_array_index(waits, HieraWait, i);
        waiting[wait->row] = hiera_plus(waiting[wait->row], hiera_scope_clip(scope, wait->begin_ns, wait->end_ns));
    }
    return waiting;
}
