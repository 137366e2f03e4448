/* See shared_causes.h. Nodes have the numbers that a single process would give them (calls/packed_nodes.h), because the
 * parts of a wait are in the order of these numbers. */
#include "shared_causes.h"
#include "calls/packed_nodes.h"
#include "delay_waits.h"

/* A wait as processes send it to each other: HieraWait and HieraDelayed. */
typedef struct {
    guint32 waiting, number; /* processor that waits; index of the wait in its process, rising with the processor */
    guint32 further;         /* 1 if the wait is on a further thread, else 0 */
    guint32 class, at, unsure, causing;
    guint32 operation; /* of HieraDelayed */
    gint64 begin_ns, end_ns;
    gint64 own_ns; /* part of the wait's time that is to be explained */
    gint64 causer_from_ns, causer_to_ns, waiter_from_ns;
} SentWait;

/* Time that the causing or the waiting rank of a wait spent in a node before it. */
typedef struct {
    guint32 place; /* of place_of(): index of the wait, and which of both ranks */
    guint32 node;
    gint64 time_ns;
} Part;

static guint32 place_of(guint32 wait, gboolean causing)
{
    return 2 * wait + (causing != FALSE);
}

/* --- the waits of all processes --- */

/* Find the call paths of all processors of this process, also of ranks outside the scope. */
static void init_own_paths(HieraCallPaths *paths, const HieraTrace *trace, const HieraScope *scope)
{
    HieraScope own = *scope;
    own.ranks = NULL;
    hiera_call_paths_init(paths, trace, &own);
}

static SentWait make_wait(const HieraDelayWaits *all, const HieraScope *scope, guint32 number)
{
    const HieraWait *wait = &g_array_index(all->waits, HieraWait, number);
    HieraDelayed of = hiera_delay_waits_describe((gpointer)all, number);
    return (SentWait){.waiting = of.waiting,
                      .number = number,
                      .further = all->trace->thread[wait->row] != 0,
                      .class = wait->class,
                      .at = of.at,
                      .unsure = of.unsure != FALSE,
                      .causing = of.causing,
                      .operation = of.operation,
                      .begin_ns = wait->begin_ns,
                      .end_ns = wait->end_ns,
                      .own_ns = hiera_delay_waits_amount(all, scope, number),
                      .causer_from_ns = of.causer_from_ns,
                      .causer_to_ns = of.causer_to_ns,
                      .waiter_from_ns = of.waiter_from_ns};
}

/* Sort waits as in a single process: by processor, then by their index in their process. */
static gint compare_waits(gconstpointer left, gconstpointer right)
{
    const SentWait *a = left, *b = right;
    if (a->waiting != b->waiting)
        return a->waiting < b->waiting ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Return, in each process, the waits of all processes (SentWait); to be freed with g_array_unref. */
static GArray *gather_waits(const HieraDelayWaits *all, const HieraScope *scope)
{
    const HieraTrace *trace = all->trace;
    GArray *sent = g_array_new(FALSE, FALSE, sizeof(SentWait));
    for (guint i = 0; i < all->waits->len; i++) {
        if (!hiera_scope_is_own(scope, hiera_trace_find_processor(trace, g_array_index(all->waits, HieraWait, i).row)))
            continue;
        SentWait wait = make_wait(all, scope, i);
        g_array_append_val(sent, wait);
    }
    hiera_scope_gather_array(scope, trace, sent);
    if (hiera_scope_leads(scope))
        g_array_sort(sent, compare_waits);
    hiera_scope_tell_array(scope, trace, sent);
    return sent;
}

static HieraDelayed describe_sent(const SentWait *wait)
{
    return (HieraDelayed){.waiting = wait->waiting,
                          .causing = wait->causing,
                          .operation = wait->operation,
                          .at = wait->at,
                          .unsure = wait->unsure != 0,
                          .causer_from_ns = wait->causer_from_ns,
                          .causer_to_ns = wait->causer_to_ns,
                          .waiter_from_ns = wait->waiter_from_ns,
                          .waiter_to_ns = wait->begin_ns};
}

/* --- where ranks spend their time before the waits --- */

typedef struct {
    GArray *parts; /* Part */
    guint32 place;
} Filling;

static void add_part(guint32 node, gint64 time_ns, gpointer user)
{
    const Filling *filling = user;
    Part part = {filling->place, node, time_ns};
    g_array_append_val(filling->parts, part);
}

/* Return, in process 0, the times that all processes have found (Part); to be freed with g_array_unref. */
static GArray *gather_parts(const HieraDelayWaits *all, const HieraScope *scope, const GArray *sent)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(Part));
    for (guint i = 0; i < 2 * sent->len; i++) {
        gboolean causing = i % 2 != 0;
        const HieraDelayed of = describe_sent(&g_array_index(sent, SentWait, i / 2));
        Filling filling = {parts, place_of(i / 2, causing)};
        if (of.causing != HIERA_NONE && hiera_scope_is_own(scope, causing ? of.causing : of.waiting))
            hiera_delay_waits_visit((gpointer)all, i / 2, &of, causing, add_part, &filling);
    }
    hiera_scope_gather_array(scope, all->trace, parts);
    return parts;
}

/* --- explanation of the waits, in process 0 --- */

typedef struct {
    const GArray *sent, *parts; /* arrays of SentWait, of Part */
    guint *sorted;              /* indices in `parts`, sorted by Part.place */
    guint *behind;              /* by place: index in `sorted` behind its parts, where those of the next place begin */
} Join;

static void sort_parts(Join *join)
{
    const Part *parts = (const Part *)(const void *)join->parts->data;
    guint n = join->parts->len;
    gsize n_places = 2 * (gsize)join->sent->len;
    join->sorted = g_new(guint, (gsize)n + 1);
    join->behind = g_new0(guint, n_places + 1);
    for (guint i = 0; i < n; i++)
        join->behind[parts[i].place + 1]++;
    for (gsize i = 0; i < n_places; i++)
        join->behind[i + 1] += join->behind[i];
    for (guint i = 0; i < n; i++)
        join->sorted[join->behind[parts[i].place]++] = i;
}

static HieraDelayed describe(gpointer user, guint32 wait)
{
    return describe_sent(&g_array_index(((const Join *)user)->sent, SentWait, wait));
}

static void visit_sent(gpointer user, guint32 wait, const HieraDelayed *of, gboolean causing, HieraNodeVisit visit,
                       gpointer data)
{
    const Join *join = user;
    guint32 place = place_of(wait, causing);
    (void)of;
    for (guint i = place > 0 ? join->behind[place - 1] : 0; i < join->behind[place]; i++) {
        const Part *part = &g_array_index(join->parts, Part, join->sorted[i]);
        visit(part->node, part->time_ns, data);
    }
}

/* Return HieraWait with times and classes only. @param own_ns  becomes, by wait, the time to be explained */
static GArray *unpack_waits(const GArray *sent, gint64 *own_ns)
{
    GArray *waits = g_array_new(FALSE, FALSE, sizeof(HieraWait));
    for (guint i = 0; i < sent->len; i++) {
        const SentWait *of = &g_array_index(sent, SentWait, i);
        HieraWait wait = {HIERA_NONE, HIERA_NONE, of->begin_ns, of->end_ns, (guint8)of->class};
        own_ns[i] = of->own_ns;
        g_array_append_val(waits, wait);
    }
    return waits;
}

/* Set for each processor the range of its main thread's waits in `sent`. */
static void find_ranges(const GArray *sent, guint32 n_processors, guint32 *first, guint32 *end)
{
    guint32 at = 0;
    for (guint32 i = 0; i < n_processors; i++) {
        first[i] = end[i] = at;
        for (; at < sent->len && g_array_index(sent, SentWait, at).waiting == i; at++)
            end[i] = g_array_index(sent, SentWait, at).further ? end[i] : at + 1;
    }
}

/* Return the causes (HieraDelay) of the waits of all processes. */
static GArray *explain(const GArray *sent, const GArray *parts, const HieraCallPaths *paths)
{
    gsize n_processors = (gsize)paths->trace->n_processors + 1;
    g_autofree guint32 *first = g_new(guint32, n_processors), *end = g_new(guint32, n_processors);
    g_autofree gint64 *own_ns = g_new(gint64, (gsize)sent->len + 1);
    g_autoptr(GArray) waits = unpack_waits(sent, own_ns);
    Join join = {.sent = sent, .parts = parts};
    sort_parts(&join);
    find_ranges(sent, paths->trace->n_processors, first, end);
    const HieraDelaySource source = {waits, first, end, own_ns, paths->tree->nodes->len, &join, describe, visit_sent};
    GArray *delays = hiera_delays_explain(&source);
    g_free(join.sorted);
    g_free(join.behind);
    return delays;
}

static GArray *explain_together(const HieraDelayWaits *all, const HieraScope *scope)
{
    g_autoptr(GArray) sent = gather_waits(all, scope), parts = gather_parts(all, scope, sent);
    return hiera_scope_leads(scope) ? explain(sent, parts, all->paths) : g_array_new(FALSE, FALSE, sizeof(HieraDelay));
}

/* A single process explains its waits in place: to copy them like several processes takes 6 % more instructions for the
 * whole of --measure causes, and 18 % more memory (130,000 calls, 42,000 waits). */
HieraDelays *hiera_delays_find_together(const HieraMatch *match, HieraCallPaths *paths, const GArray *waits,
                                        const HieraScope *scope)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    HieraDelayWaits all;
    if (!scope->share.own) {
        hiera_call_paths_init_all_ranks(paths, trace, scope);
        return hiera_delays_find(match, paths, waits, scope);
    }
    HieraDelays *found = g_new(HieraDelays, 1);
    init_own_paths(paths, trace, scope);
    hiera_delay_waits_init(&all, match, paths, waits, scope);
    g_autofree guint32 *to = hiera_nodes_unite(paths, scope);
    for (guint32 i = 0; i < trace->n_processors; i++)
        hiera_rank_times_move(&all.times[i], to);
    found->list = explain_together(&all, scope);
    found->n_processors = trace->n_processors;
    found->times = hiera_delay_waits_clear(&all);
    return found;
}
