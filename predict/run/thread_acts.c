/* Spans of a thread become acts; between them come the marks: what joins, critical sections and locks let it do at a
 * moment. * See thread_acts.h. */
#include "thread_acts.h"
#include "calls/timeline.h"
#include "threads/lock_holders.h"
#include "threads/rank_threads.h"
#include <string.h>

typedef struct {
    guint32 thread;
    gint64 at_ns;
    gint64 until_ns; /* end of the idle span that it stands for */
    Act act;
} Mark;

typedef struct {
    ActsFound *found;
    const HieraTrace *trace;
    guint32 processor;
    const HieraRankThreads *threads;
    HieraRankThreads regions; /* of a rank with one thread: what `threads` points to */
    GArray *marks;            /* Mark, by thread and time */
    GArray *spans; /* HieraThreadSpan of other threads than the main thread, and of that the idle ones, by thread and
                      time */
    GPtrArray *acts;
    guint n_left_out; /* of the joins */
    guint mark;       /* the next one */
} Search;

static void add_mark(Search *search, guint32 thread, gint64 at_ns, gint64 until_ns, Act act)
{
    const Mark mark = {thread, at_ns, until_ns, act};
    g_array_append_val(search->marks, mark);
}

/* --- marks of joins --- */

static void mark_join(Search *search, const HieraThreadJoin *join, const HieraJoinMember *members)
{
    static const ActKind kinds[] = {[HIERA_JOIN_BEGIN] = ACT_BEGIN,
                                    [HIERA_JOIN_BARRIER] = ACT_BARRIER,
                                    [HIERA_JOIN_TASK] = ACT_BARRIER,
                                    [HIERA_JOIN_END] = ACT_END};
    guint32 gate = search->found->n_gates++;
    for (guint i = 0; i < join->n; i++) {
        const HieraJoinMember *member = &members[i];
        gint64 open_ns = MAX(join->at_ns, member->arrival_ns);
        Act act = {.kind = kinds[join->kind], .team = join->team, .gate = gate, .adds = member->comes};
        if (join->kind == HIERA_JOIN_BEGIN && member->waits)
            act.kind = ACT_ENTER;
        if (member->waits) {
            act.needs = join->n_comes;
            act.after_ns = MAX(member->leave_ns - open_ns, 0);
        }
        add_mark(search, member->thread, member->arrival_ns, member->waits ? member->leave_ns : member->arrival_ns,
                 act);
    }
}

static void mark_joins(Search *search)
{
    HieraThreadJoins joins;
    hiera_thread_joins_find(&joins, search->threads, search->trace, search->processor);
    search->n_left_out = joins.n_left_out;
    for (guint i = 0; i < joins.joins->len; i++) {
        const HieraThreadJoin *join = &g_array_index(joins.joins, HieraThreadJoin, i);
        gboolean resizes = join->kind == HIERA_JOIN_TASK && search->found->n_threads > 0;
        if (join->kind != HIERA_JOIN_CRITICAL && !resizes)
            mark_join(search, join, &g_array_index(joins.members, HieraJoinMember, join->first));
    }
    hiera_thread_joins_clear(&joins);
}

/* --- marks of critical sections and locks --- */

/* Return the threads that have acts: a set of numbers. */
static GHashTable *find_threads(const Search *search)
{
    GHashTable *threads = g_hash_table_new(NULL, NULL);
    g_hash_table_add(threads, GUINT_TO_POINTER(0));
    for (guint i = 0; i < search->spans->len; i++)
        g_hash_table_add(threads, GUINT_TO_POINTER(g_array_index(search->spans, HieraThreadSpan, i).thread));
    return threads;
}

typedef struct {
    guint32 gate, n_left; /* how many of its sections were left before the current one */
    gint64 left_ns;       /* when the last one of them was */
    GArray *open;         /* gint64: when those before it are left that are not among these */
} Lock;

static void begin_lock(Search *search, Lock *lock)
{
    g_array_set_size(lock->open, 0);
    *lock = (Lock){search->found->n_gates++, 0, G_MININT64, lock->open};
    add_mark(search, 0, G_MININT64, G_MININT64, (Act){.kind = ACT_OPEN, .gate = lock->gate});
}

static void mark_left(Search *search, Lock *lock, const HieraLockHeld *held, const HieraLockHeld *next)
{
    gint64 at_ns = hiera_lock_held_until(held, next);
    add_mark(search, held->thread, at_ns, at_ns, (Act){.kind = ACT_RELEASE, .gate = lock->gate, .adds = 1});
    g_array_append_val(lock->open, at_ns);
}

/* Count the sections that were left before a moment. */
static void take_left(Lock *lock, gint64 ns)
{
    for (guint i = lock->open->len; i-- > 0;) {
        gint64 left_ns = g_array_index(lock->open, gint64, i);
        if (left_ns > ns)
            continue;
        lock->n_left++;
        lock->left_ns = MAX(lock->left_ns, left_ns);
        g_array_remove_index_fast(lock->open, i);
    }
}

static void mark_held(Search *search)
{
    g_autoptr(GHashTable) threads = find_threads(search);
    g_autoptr(GArray) all = hiera_locks_held_find(search->trace, search->processor, threads),
                      open = g_array_new(FALSE, FALSE, sizeof(gint64));
    Lock lock = {.open = open};
    for (guint i = 0; i < all->len; i++) {
        const HieraLockHeld *held = &g_array_index(all, HieraLockHeld, i);
        if (i == 0 || held[-1].lock != held->lock)
            begin_lock(search, &lock);
        take_left(&lock, held->begin_ns);
        gint64 open_ns = MAX(held->ask_ns, lock.left_ns);
        add_mark(search, held->thread, held->ask_ns, held->begin_ns,
                 (Act){.kind = ACT_ACQUIRE,
                       .gate = lock.gate,
                       .needs = lock.n_left,
                       .after_ns = MAX(held->begin_ns - open_ns, 0)});
        mark_left(search, &lock, held, i + 1 < all->len && held[1].lock == held->lock ? &held[1] : NULL);
    }
}

/* Of one moment, a section is left, then a barrier and an end come, then a begin, then another section; what the thread
 * then waits for is the last. */
static gint compare_marks(gconstpointer left, gconstpointer right)
{
    static const gint8 order[] = {[ACT_OPEN] = 0,  [ACT_RELEASE] = 1, [ACT_BARRIER] = 2, [ACT_END] = 3,
                                  [ACT_BEGIN] = 4, [ACT_ENTER] = 4,   [ACT_ACQUIRE] = 5};
    const Mark *a = left, *b = right;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    if (a->at_ns != b->at_ns)
        return a->at_ns < b->at_ns ? -1 : 1;
    if ((a->until_ns > a->at_ns) != (b->until_ns > b->at_ns))
        return a->until_ns > a->at_ns ? 1 : -1;
    return order[a->act.kind] - order[b->act.kind];
}

/* --- a thread --- */

static const Mark *peek_mark(const Search *search, guint32 thread)
{
    const Mark *mark = search->mark < search->marks->len ? &g_array_index(search->marks, Mark, search->mark) : NULL;
    return mark && mark->thread == thread ? mark : NULL;
}

/* Whether a thread begins to wait where a call without length is: then the call comes first. */
static gboolean is_behind(const Mark *mark, const HieraTimeSpan *span)
{
    return span && hiera_span_is_call(span) && span->begin_ns == span->end_ns && mark->at_ns == span->begin_ns &&
           mark->until_ns > mark->at_ns;
}

/* Take the marks of a thread up to a moment. A span that the last of them stands for is taken with it.
 * @return whether it is so */
static gboolean take_marks(Search *search, guint32 thread, gint64 until_ns, const HieraTimeSpan *span, GArray *acts)
{
    gboolean taken = FALSE;
    for (const Mark *mark; (mark = peek_mark(search, thread)) && mark->at_ns <= until_ns && !is_behind(mark, span);
         search->mark++) {
        Act act = mark->act;
        if (span && !hiera_span_is_call(span) && mark->at_ns == span->begin_ns && mark->until_ns > mark->at_ns) {
            act.span = *span;
            taken = TRUE;
        } else if (act.kind == ACT_ACQUIRE) {
            act.after_ns = 0; /* outside of teams a wait is computation */
        }
        g_array_append_val(acts, act);
    }
    return taken;
}

/* A thread that waits for a lock of a known number, and does not begin to have it, has it already. At a barrier that is
 * none of a team it waits for nobody. */
static void add_pause(const Search *search, const HieraTimeSpan *span, HieraIdle idles, GArray *acts)
{
    const Act act = {.kind = ACT_PAUSE, .after_ns = span->end_ns - span->begin_ns, .span = *span};
    gboolean is_known = hiera_span_is_call(span) || idles == HIERA_IDLE_START || idles == HIERA_IDLE_BARRIER ||
                        (idles == HIERA_IDLE_LOCK && hiera_construct_number(search->trace, span->row) != HIERA_ABSENT);
    search->found->n_paused += !is_known;
    g_array_append_val(acts, act);
}

/* Add a span, cut where the thread leaves a critical section while it lasts. */
static void add_span(Search *search, guint32 thread, const HieraTimeSpan *span, GArray *acts)
{
    Act act = {.span = *span};
    for (const Mark *mark; (mark = peek_mark(search, thread)) && mark->act.kind == ACT_RELEASE &&
                           mark->at_ns < span->end_ns && !hiera_span_is_call(span);) {
        act.span.end_ns = mark->at_ns;
        g_array_append_val(acts, act);
        act.span.begin_ns = mark->at_ns;
        act.span.end_ns = span->end_ns;
        take_marks(search, thread, mark->at_ns, NULL, acts);
    }
    g_array_append_val(acts, act);
}

static void take_span(Search *search, guint32 thread, const HieraTimeSpan *span, HieraIdle idles, GArray *acts)
{
    gboolean stands = idles != HIERA_IDLE_NOT || hiera_span_is_call(span);
    if (take_marks(search, thread, span->begin_ns, stands ? span : NULL, acts))
        return;
    if (idles == HIERA_IDLE_END && acts->len > 0 && g_array_index(acts, Act, acts->len - 1).kind == ACT_END)
        return; /* the next region lets it go on */
    if (idles != HIERA_IDLE_NOT || (thread != 0 && hiera_span_is_call(span)))
        add_pause(search, span, idles, acts);
    else
        add_span(search, thread, span, acts);
}

static GArray *new_acts(const Search *search)
{
    GArray *acts = g_array_new(FALSE, FALSE, sizeof(Act));
    g_ptr_array_add(search->acts, acts);
    return acts;
}

/* Add the acts of the main thread: its timeline, in which calls may have no length. @return index behind its spans */
static guint add_main(Search *search)
{
    HieraTimeline line;
    GArray *acts = new_acts(search);
    guint at = 0;
    hiera_timeline_open(&line, search->trace, search->processor);
    for (const HieraTimeSpan *span; (span = hiera_timeline_next(&line));) {
        const HieraThreadSpan *known = NULL;
        for (; at < search->spans->len; at++) {
            known = &g_array_index(search->spans, HieraThreadSpan, at);
            if (known->thread != 0 || known->begin_ns >= span->begin_ns)
                break;
        }
        gboolean idles = at < search->spans->len && known->thread == 0 && known->begin_ns == span->begin_ns &&
                         known->row == span->row && !hiera_span_is_call(span);
        take_span(search, 0, span, idles ? known->idles : HIERA_IDLE_NOT, acts);
    }
    hiera_timeline_close(&line);
    take_marks(search, 0, G_MAXINT64, NULL, acts);
    while (at < search->spans->len && g_array_index(search->spans, HieraThreadSpan, at).thread == 0)
        at++;
    return at;
}

static void add_others(Search *search, guint at)
{
    while (at < search->spans->len) {
        guint32 thread = g_array_index(search->spans, HieraThreadSpan, at).thread;
        GArray *acts = new_acts(search);
        while (search->mark < search->marks->len && g_array_index(search->marks, Mark, search->mark).thread < thread)
            search->mark++;
        for (; at < search->spans->len; at++) {
            const HieraThreadSpan *of = &g_array_index(search->spans, HieraThreadSpan, at);
            const HieraTimeSpan span = {search->processor, of->row, of->next, of->doing, of->begin_ns, of->end_ns};
            if (of->thread != thread)
                break;
            take_span(search, thread, &span, of->idles, acts);
        }
        take_marks(search, thread, G_MAXINT64, NULL, acts);
        for (guint i = 0; i < acts->len; i++)
            g_array_index(acts, Act, i).thread = thread;
    }
}

GPtrArray *thread_acts_find(ActsFound *found, const RecordedRun *run, guint32 processor)
{
    const HieraTrace *trace = run->trace;
    Search search = {.found = found, .trace = trace, .processor = processor};
    found->n_paused += hiera_other_threads_calls(trace, processor);
    search.threads = trace->processors[processor].threaded ? hiera_rank_threads_of(run->match, processor) : NULL;
    if (!search.threads && (found->n_threads == 0 || !hiera_rank_regions_find(&search.regions, trace, processor)))
        return NULL;
    gboolean is_one = !search.threads;
    search.threads = is_one ? &search.regions : search.threads;
    guint32 first_gate = found->n_gates;
    found->n_ranks++;
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(Mark));
    search.marks = marks;
    search.spans = search.threads->spans;
    search.acts = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    mark_joins(&search);
    mark_held(&search);
    g_array_sort(marks, compare_marks);
    add_others(&search, add_main(&search));
    if (is_one)
        hiera_rank_threads_clear(&search.regions);
    guint n_contradicted = search.n_left_out + stuck_acts_open(search.acts, first_gate, found->n_gates);
    found->n_contradicted += n_contradicted;
    if (found->n_threads > 0)
        found->n_nested += n_contradicted;
    if (found->n_threads > 0 && n_contradicted == 0)
        resized_teams_make(found, trace, &search.acts);
    return search.acts;
}
