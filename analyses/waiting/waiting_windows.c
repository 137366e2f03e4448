/* Waiting in one-sided communication: late post, late complete, lock contention. Fences are collectives.
 *
 * Lock contention is an estimate, since a trace does not say who held a lock: the part of a win_lock, win_flush or
 * win_unlock before the last win_unlock of another rank that ended inside it, for the same target of the same window,
 * unless both locks are shared. */
#include "text/hash.h"
#include "waiting_parts.h"
#include <string.h>

/* --- epochs of windows --- */

static void visit_processor(const HieraTrace *trace, const HieraProcessor *processor, HieraEpochVisit visit,
                            gpointer user)
{
    g_autoptr(GHashTable) starts = g_hash_table_new(NULL, NULL); /* window → row of the processor's last win_start */
    gpointer start;
    for (guint64 i = processor->first; i < processor->first + processor->n_operations; i++) {
        HieraKind kind = hiera_trace_peek_site(trace, (guint32)i)->kind;
        gpointer window = GUINT_TO_POINTER(trace->comm[i]);
        if (kind == HIERA_KIND_ACCESS)
            g_hash_table_insert(starts, window, GUINT_TO_POINTER((guint32)i));
        else if (kind == HIERA_KIND_ACCESS_END && g_hash_table_lookup_extended(starts, window, NULL, &start))
            visit(GPOINTER_TO_UINT(start), (guint32)i, user);
    }
}

void hiera_waiting_visit_epochs(const HieraTrace *trace, HieraEpochVisit visit, gpointer user)
{
    for (guint32 i = 0; i < trace->n_processors; i++)
        visit_processor(trace, &trace->processors[i], visit, user);
}

/* Let a win_complete depend on the same posts as its win_start. The last post is in `taken` if the win_start did not
 * wait for it. */
static void follow_start(guint32 start, guint32 end, gpointer user)
{
    const HieraWaiting *waiting = user;
    if (waiting->taken[start] != 0)
        waiting->needs[end] = hiera_waiting_taken(waiting, start);
    else if (waiting->needs[start].class == HIERA_WAIT_LATE_POST)
        waiting->needs[end] = waiting->needs[start];
}

static void add_epochs(const HieraWaiting *waiting)
{
    guint n;
    const HieraTrace *trace = waiting->trace;
    const HieraPair *pairs = hiera_match_peek_pairs(waiting->match, HIERA_PAIRS_EPOCH, &n);
    for (guint i = 0; i < n; i++) {
        guint32 from = pairs[i].start, to = pairs[i].completion;
        gboolean post = hiera_trace_peek_site(trace, to)->kind == HIERA_KIND_ACCESS;
        gboolean too_late = post && trace->start_ns[from] > trace->finish_ns[to];
        if (too_late)
            hiera_waiting_take(waiting, to, from);
        else
            hiera_waiting_later(&waiting->needs[to], trace->start_ns[from], from,
                                post ? HIERA_WAIT_LATE_POST : HIERA_WAIT_LATE_COMPLETE);
    }
    if (n > 0)
        hiera_waiting_visit_epochs(trace, follow_start, (gpointer)waiting);
}

/* --- locks of windows --- */

typedef enum { NO_LOCK_CALL, LOCK, UNLOCK, FLUSH } LockCall;

/* A win_lock, win_flush or win_unlock, which may wait for another rank's lock. */
typedef struct {
    guint32 context, row, processor;
    gint32 target;
    LockCall call;
    gboolean exclusive;
    gint64 finish_ns;
} Use;

static LockCall call_of(const HieraSite *site)
{
    static const struct {
        const char *operation;
        LockCall call;
    } calls[] = {{"win_lock", LOCK}, {"win_unlock", UNLOCK}, {"win_flush", FLUSH}};
    for (guint i = 0; site->kind == HIERA_KIND_RMA && i < G_N_ELEMENTS(calls); i++) {
        if (strcmp(calls[i].operation, site->operation) == 0)
            return calls[i].call;
    }
    return NO_LOCK_CALL;
}

/* Append a Use for each lock call of a processor. A target stays shared or exclusive until it is unlocked. */
static void gather_uses(const HieraWaiting *waiting, guint32 number, GArray *uses)
{
    const HieraTrace *trace = waiting->trace;
    const HieraProcessor *processor = &trace->processors[number];
    g_autoptr(GHashTable) shared =
        g_hash_table_new(hiera_hash_pair, NULL); /* set of window and target of shared locks */
    for (guint64 i = processor->first; i < processor->first + processor->n_operations; i++) {
        guint32 row = (guint32)i;
        LockCall call = call_of(hiera_trace_peek_site(trace, row));
        if (call == NO_LOCK_CALL)
            continue;
        gpointer key = hiera_pair(trace->comm[row], (guint32)trace->peer[row]);
        if (call == LOCK && hiera_lock_is_shared(trace->tag[row]))
            g_hash_table_add(shared, key);
        Use use = {hiera_match_context(waiting->match, trace->comm[row]),
                   row,
                   number,
                   trace->peer[row],
                   call,
                   !g_hash_table_contains(shared, key),
                   trace->finish_ns[row]};
        if (call == UNLOCK)
            g_hash_table_remove(shared, key);
        if (use.context != HIERA_NONE)
            g_array_append_val(uses, use);
    }
}

static gint compare_uses(gconstpointer left, gconstpointer right)
{
    const Use *a = left, *b = right;
    if (a->context != b->context)
        return a->context < b->context ? -1 : 1;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    if (a->finish_ns != b->finish_ns)
        return a->finish_ns < b->finish_ns ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static gboolean same_lock(const Use *a, const Use *b)
{
    return a->context == b->context && a->target == b->target;
}

static gboolean conflict(const Use *use, const Use *other)
{
    return other->call == UNLOCK && other->processor != use->processor && (use->exclusive || other->exclusive);
}

/* Find the last unlock that ended inside a use. The list is sorted by end: earlier elements ended earlier, some later
 * ones at the same time. */
static void contend(const HieraWaiting *waiting, const GArray *uses, guint place)
{
    const Use *use = &g_array_index(uses, Use, place), *other;
    gint64 start_ns = waiting->trace->start_ns[use->row], found_ns = start_ns;
    guint behind = place + 1;
    while (behind < uses->len && same_lock(use, other = &g_array_index(uses, Use, behind)) &&
           other->finish_ns == use->finish_ns)
        behind++;
    for (guint i = behind; i-- > 0;) {
        other = &g_array_index(uses, Use, i);
        if (!same_lock(use, other) || other->finish_ns <= start_ns || other->finish_ns < found_ns)
            return;
        if (!conflict(use, other))
            continue;
        hiera_waiting_later(&waiting->needs[use->row], other->finish_ns, other->row, HIERA_WAIT_LOCK);
        found_ns = other->finish_ns;
    }
}

static void add_locks(const HieraWaiting *waiting)
{
    g_autoptr(GArray) uses = g_array_new(FALSE, FALSE, sizeof(Use));
    for (guint32 i = 0; i < waiting->trace->n_processors; i++)
        gather_uses(waiting, i, uses);
    g_array_sort(uses, compare_uses);
    for (guint i = 0; i < uses->len; i++)
        contend(waiting, uses, i);
}

void hiera_waiting_windows(const HieraWaiting *waiting)
{
    add_epochs(waiting);
    add_locks(waiting);
}
