/* See thread_stops.h. */
#include "thread_stops.h"
#include "shared_replay.h"
#include "threads/rank_threads.h"
#include "threads/thread_joins.h"

/* The main thread comes to a join, and may wait there. */
typedef struct {
    gint64 begin_ns, end_ns;
    guint32 processor, number; /* number: in the order of joins */
    guint32 comes, waits;      /* the join that begins with it, and the one that it waits for; HIERA_NONE: none */
    guint32 call;              /* HIERA_NONE: the times of calls contradict it */
    gboolean first;            /* whether calls of the same moment come behind it */
} Stop;

typedef struct {
    gint64 begin_ns, end_ns;
    gboolean calls; /* whether the main thread calls MPI meanwhile */
} Stretch;

typedef struct {
    const HieraThreadStops *of;
    guint32 processor, row; /* row: of one of its regions */
    HieraThreadJoins joins;
    guint32 *own;     /* by member that comes: its own join */
    guint32 *stop;    /* by such a member of the main thread: its stop */
    GHashTable *last; /* thread → join where it went on, or which it has come to, + 1; not of the main thread */
} Search;

/* --- times of regions with calls --- */

static void add_stretch(GArray *stretches, const Stretch *stretch)
{
    if (stretch->begin_ns <= stretch->end_ns)
        g_array_append_val(stretches, *stretch);
}

/* Return when the main thread is in regions without a break (Stretch, in order of time). To be freed with
 * g_array_unref. */
static GArray *find_stretches(const HieraRankThreads *threads)
{
    const Stretch none = {G_MAXINT64, G_MININT64, FALSE};
    GArray *stretches = g_array_new(FALSE, FALSE, sizeof(Stretch));
    Stretch stretch = none;
    for (guint i = 0; i < threads->spans->len; i++) {
        const HieraThreadSpan *span = &g_array_index(threads->spans, HieraThreadSpan, i);
        if (span->thread != 0)
            break;
        if (span->team != HIERA_NONE) {
            stretch = (Stretch){MIN(stretch.begin_ns, span->begin_ns), span->end_ns, FALSE};
            continue;
        }
        add_stretch(stretches, &stretch);
        stretch = none;
    }
    add_stretch(stretches, &stretch);
    return stretches;
}

/* Mark the times in which the main thread calls MPI. @return whether there are some */
static gboolean mark_calls(const GArray *stretches, const HieraTrace *trace, guint32 processor)
{
    const HieraProcessor *of = &trace->processors[processor];
    gboolean any = FALSE;
    guint at = 0;
    for (guint32 row = (guint32)of->first; row < of->first + of->n_operations; row++) {
        if (trace->thread[row] != 0 || !hiera_trace_peek_site(trace, row)->mpi)
            continue;
        while (at < stretches->len && g_array_index(stretches, Stretch, at).end_ns < trace->start_ns[row])
            at++;
        if (at < stretches->len && g_array_index(stretches, Stretch, at).begin_ns <= trace->start_ns[row])
            any = g_array_index(stretches, Stretch, at).calls = TRUE;
    }
    return any;
}

/* --- joins --- */

static gint64 time_of(const Search *search, guint32 join)
{
    return g_array_index(search->of->times, gint64, join);
}

static guint32 add_join(const Search *search, gint64 at_ns)
{
    g_array_append_val(search->of->times, at_ns);
    g_array_append_val(search->of->rows, search->row);
    return search->of->times->len - 1;
}

/* Nothing comes before what it depends on: times that say so are contradicted. */
static void add_edge(const Search *search, guint32 from, guint32 to)
{
    HieraDependenceEdge edge = {from, to};
    if (time_of(search, from) <= time_of(search, to))
        g_array_append_val(search->of->edges, edge);
}

static void set_last(const Search *search, guint32 thread, guint32 join)
{
    g_hash_table_insert(search->last, GUINT_TO_POINTER(thread), GUINT_TO_POINTER(join + 1));
}

static guint32 add_stop(const Search *search, const HieraJoinMember *member, HieraJoinKind kind)
{
    GArray *stops = search->of->stops;
    Stop stop = {member->arrival_ns, member->waits ? member->leave_ns : member->arrival_ns,
                 search->processor,  stops->len,
                 HIERA_NONE,         HIERA_NONE,
                 HIERA_NONE,         kind == HIERA_JOIN_BEGIN};
    g_array_append_val(stops, stop);
    return stops->len - 1;
}

/* A thread comes to a join: that is a join of its own. */
static void come(const Search *search, guint32 index, HieraJoinKind kind)
{
    const HieraJoinMember *member = &g_array_index(search->joins.members, HieraJoinMember, index);
    guint32 join = search->own[index] = add_join(search, member->arrival_ns);
    if (member->thread == 0) {
        search->stop[index] = add_stop(search, member, kind);
        g_array_index(search->of->stops, Stop, search->stop[index]).comes = join;
        return;
    }
    guint32 last = GPOINTER_TO_UINT(g_hash_table_lookup(search->last, GUINT_TO_POINTER(member->thread)));
    if (last != 0)
        add_edge(search, last - 1, join);
    if (kind == HIERA_JOIN_END && !member->waits)
        g_hash_table_remove(search->last, GUINT_TO_POINTER(member->thread)); /* until it is in a region again */
    else
        set_last(search, member->thread, join);
}

static void go_on(const Search *search, guint32 index, HieraJoinKind kind, guint32 join)
{
    const HieraJoinMember *member = &g_array_index(search->joins.members, HieraJoinMember, index);
    if (member->thread != 0) {
        set_last(search, member->thread, join);
        return;
    }
    guint32 stop = member->comes ? search->stop[index] : add_stop(search, member, kind);
    g_array_index(search->of->stops, Stop, stop).waits = join;
}

/* All have come. If that is one thread, the join is its own. */
static void take_join(const Search *search, const HieraThreadJoin *join)
{
    const HieraJoinMember *members = &g_array_index(search->joins.members, HieraJoinMember, 0);
    guint32 all = join->n_comes > 1 ? add_join(search, join->at_ns) : HIERA_NONE;
    for (guint i = join->first; i < join->first + join->n; i++) {
        if (members[i].comes && join->n_comes > 1)
            add_edge(search, search->own[i], all);
        else if (members[i].comes)
            all = search->own[i];
    }
    for (guint i = join->first; i < join->first + join->n; i++) {
        if (members[i].waits)
            go_on(search, i, join->kind, all);
    }
}

/* Whether a moment is in regions with calls. */
static gboolean is_wanted(const GArray *stretches, gint64 at_ns)
{
    guint low = 0;
    for (guint high = stretches->len; low < high;) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(stretches, Stretch, middle).end_ns < at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    const Stretch *stretch = low < stretches->len ? &g_array_index(stretches, Stretch, low) : NULL;
    return stretch && stretch->begin_ns <= at_ns && stretch->calls;
}

static void take_joins(Search *search, const GArray *stretches)
{
    g_autoptr(GArray) moments = hiera_thread_moments_list(&search->joins);
    g_autofree guint32 *own = g_new(guint32, (gsize)search->joins.members->len + 1),
                       *stop = g_new(guint32, (gsize)search->joins.members->len + 1);
    search->own = own;
    search->stop = stop;
    for (guint i = 0; i < moments->len; i++) {
        const HieraThreadMoment *moment = &g_array_index(moments, HieraThreadMoment, i);
        const HieraThreadJoin *join = &g_array_index(search->joins.joins, HieraThreadJoin, moment->join);
        if (!is_wanted(stretches, join->at_ns))
            continue;
        if (moment->member == HIERA_NONE)
            take_join(search, join);
        else
            come(search, moment->member, join->kind);
    }
}

static void take_processor(HieraThreadStops *stops, const HieraTrace *trace, const HieraRankThreads *threads,
                           guint32 processor)
{
    g_autoptr(GArray) stretches = find_stretches(threads);
    g_autoptr(GHashTable) last = g_hash_table_new(NULL, NULL);
    Search search = {
        .of = stops, .processor = processor, .row = g_array_index(threads->teams, HieraTeam, 0).row, .last = last};
    if (!mark_calls(stretches, trace, processor))
        return;
    hiera_thread_joins_find(&search.joins, threads, trace, processor);
    take_joins(&search, stretches);
    hiera_thread_joins_clear(&search.joins);
}

/* --- stops as calls --- */

static gint compare_stops(gconstpointer left, gconstpointer right)
{
    const Stop *a = left, *b = right;
    if (a->processor != b->processor)
        return a->processor < b->processor ? -1 : 1;
    if (a->begin_ns != b->begin_ns)
        return a->begin_ns < b->begin_ns ? -1 : 1;
    if (a->end_ns != b->end_ns)
        return a->end_ns < b->end_ns ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

typedef struct {
    const HieraDependences *from;
    HieraDependences *to;
    guint32 *moved; /* by call of `from`: its number in `to` */
} Merge;

static void put(const Merge *merge, guint32 row, gint64 start_ns, gint64 finish_ns)
{
    HieraDependences *to = merge->to;
    to->row[to->n_calls] = row;
    to->start_ns[to->n_calls] = start_ns;
    to->finish_ns[to->n_calls++] = finish_ns;
}

static gboolean is_before(const Stop *stop, const HieraDependences *of, guint32 call)
{
    if (stop->begin_ns != of->start_ns[call])
        return stop->begin_ns < of->start_ns[call];
    return stop->end_ns != of->finish_ns[call] ? stop->end_ns < of->finish_ns[call] : stop->first;
}

/* Put a stop between the last call and `next`, unless it overlaps with one of them. */
static void put_stop(const Merge *merge, Stop *stop, guint32 next)
{
    const HieraDependences *from = merge->from;
    HieraDependences *to = merge->to;
    gboolean any = to->n_calls > to->first_call[stop->processor];
    if ((any && stop->begin_ns < to->finish_ns[to->n_calls - 1]) ||
        (next < from->first_call[stop->processor + 1] && stop->end_ns > from->start_ns[next]))
        return;
    stop->call = to->n_calls;
    to->stops[stop->call / 64] |= G_GUINT64_CONSTANT(1) << stop->call % 64;
    put(merge, any ? to->row[to->n_calls - 1] : (guint32)from->trace->processors[stop->processor].first, stop->begin_ns,
        stop->end_ns);
}

static void merge_all(const Merge *merge, const GArray *stops)
{
    const HieraDependences *from = merge->from;
    guint at = 0;
    for (guint32 i = 0; i < from->trace->n_processors; i++) {
        for (guint32 call = from->first_call[i]; call <= from->first_call[i + 1]; call++) {
            gboolean last = call == from->first_call[i + 1];
            for (Stop *stop; at < stops->len && (stop = &g_array_index(stops, Stop, at))->processor == i &&
                             (last || is_before(stop, from, call));
                 at++)
                put_stop(merge, stop, call);
            if (last)
                break;
            merge->moved[call] = merge->to->n_calls;
            put(merge, from->row[call], from->start_ns[call], from->finish_ns[call]);
        }
        merge->to->first_call[i + 1] = merge->to->n_calls;
    }
}

void hiera_thread_stops_insert(const HieraThreadStops *stops, HieraDependences *of, guint32 *call_of)
{
    HieraDependences from = *of;
    gsize n = (gsize)of->n_calls + stops->stops->len + 1;
    *of = (HieraDependences){.trace = from.trace,
                             .row = g_new(guint32, n),
                             .start_ns = g_new(gint64, n),
                             .finish_ns = g_new(gint64, n),
                             .first_call = g_new0(guint32, (gsize)from.trace->n_processors + 1),
                             .stops = g_new0(guint64, n / 64 + 1)};
    g_autofree guint32 *moved = g_new(guint32, (gsize)from.n_calls + 1);
    merge_all(&(const Merge){&from, of, moved}, stops->stops);
    for (guint32 row = 0; row < of->trace->n_operations; row++)
        call_of[row] = call_of[row] == HIERA_NONE ? HIERA_NONE : moved[call_of[row]];
    hiera_dependences_clear(&from);
}

void hiera_thread_stops_depend(const HieraThreadStops *stops, HieraDependences *of, GArray *edges)
{
    guint32 base = of->n_calls + of->n_joins;
    of->join_row = g_renew(guint32, of->join_row, (gsize)of->n_joins + stops->rows->len + 1);
    memcpy(of->join_row + of->n_joins, stops->rows->data, stops->rows->len * sizeof *of->join_row);
    of->n_joins += stops->rows->len;
    for (guint i = 0; i < stops->edges->len; i++) {
        const HieraDependenceEdge *known = &g_array_index(stops->edges, HieraDependenceEdge, i);
        const HieraDependenceEdge edge = {base + known->from, base + known->to};
        g_array_append_val(edges, edge);
    }
    for (guint i = 0; i < stops->stops->len; i++) {
        const Stop *stop = &g_array_index(stops->stops, Stop, i);
        const HieraDependenceEdge comes = {stop->call, base + stop->comes}, waits = {base + stop->waits, stop->call};
        if (stop->call != HIERA_NONE && stop->comes != HIERA_NONE)
            g_array_append_val(edges, comes);
        if (stop->call != HIERA_NONE && stop->waits != HIERA_NONE)
            g_array_append_val(edges, waits);
    }
}

HieraDependences *hiera_dependences_of_threads(const HieraMatch *match, const HieraScope *scope)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GArray) stops = g_array_new(FALSE, FALSE, sizeof(Stop)),
                      times = g_array_new(FALSE, FALSE, sizeof(gint64)),
                      rows = g_array_new(FALSE, FALSE, sizeof(guint32)),
                      edges = g_array_new(FALSE, FALSE, sizeof(HieraDependenceEdge));
    HieraThreadStops found = {stops, times, rows, edges};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraRankThreads *threads = hiera_scope_is_own(scope, i) ? hiera_rank_threads_of(match, i) : NULL;
        if (threads)
            take_processor(&found, trace, threads, i);
    }
    if (times->len == 0)
        return NULL;
    g_array_sort(stops, compare_stops);
    HieraDependences *of = hiera_dependences_make(match, &found);
    if (!scope->share.own)
        hiera_dependences_order(of);
    return of;
}
