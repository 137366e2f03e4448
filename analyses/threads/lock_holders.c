/* See lock_holders.h. */
#include "lock_holders.h"
#include "rank_threads.h"

/* A time in which a thread is in code that only one may enter, or has a lock; or the moment when it gives one back. */
typedef struct {
    gint64 begin_ns, end_ns;
    guint32 thread, row;
    gint32 number; /* which lock it is; HIERA_ABSENT: not known */
    gint32 change; /* 1: it takes the lock, which it can have already; -1: it gives it back; 0: critical section */
} Held;

static gint compare_held(gconstpointer left, gconstpointer right)
{
    const Held *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->begin_ns != b->begin_ns ? (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns)
                                      : (a->row > b->row) - (a->row < b->row);
}

/* Return what an operation does to the lock that it names: Held.change. */
static gint32 find_change(const HieraSite *site)
{
    if (hiera_site_is_openmp(site, HIERA_ACQUIRE "lock") || hiera_site_is_openmp(site, HIERA_ACQUIRE "nest lock"))
        return 1;
    return hiera_site_is_openmp(site, "release lock") || hiera_site_is_openmp(site, "release nest lock") ? -1 : 0;
}

/* Set until when each lock is held: until its thread has given it back as often as it took it, or another one gets it.
 * With LLVM's runtime a thread can say so only behind that. */
static void end_locks(const GArray *all)
{
    Held *open = NULL;
    gint32 depth = 0;
    for (guint i = 0; i < all->len; i++) {
        Held *held = &g_array_index(all, Held, i);
        gboolean goes_on = open && open->number == held->number && open->thread == held->thread;
        if (!goes_on && held->change < 0)
            continue;
        if (goes_on && held->change > 0)
            held->end_ns = held->begin_ns; /* it has the lock already */
        depth = goes_on ? depth + held->change : held->change;
        if (open && open->number == held->number && (!goes_on || depth == 0))
            open->end_ns = held->begin_ns;
        if (!goes_on || depth == 0)
            open = depth > 0 ? held : NULL;
    }
}

GArray *hiera_lock_holders_find(const HieraTrace *trace, guint32 processor)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(Held));
    const HieraProcessor *of = &trace->processors[processor];
    for (guint32 row = (guint32)of->first; row < of->first + of->n_operations; row++) {
        const HieraSite *site = hiera_trace_peek_site(trace, row);
        gint32 number = site->mpi ? HIERA_ABSENT : hiera_construct_number(trace, row);
        Held held = {trace->start_ns[row], trace->finish_ns[row], trace->thread[row], row, number, find_change(site)};
        if (held.change > 0) { /* until end_locks() knows better, to the end */
            held.begin_ns = held.end_ns;
            held.end_ns = G_MAXINT64;
        }
        if (held.change != 0 ? number != HIERA_ABSENT : hiera_site_is_openmp(site, "critical"))
            g_array_append_val(all, held);
    }
    g_array_sort(all, compare_held);
    end_locks(all);
    return all;
}

/* Return when a thread began to want what it has. */
static gint64 find_ask(const HieraTrace *trace, const Held *held)
{
    guint32 before = held->row - 1;
    if (held->change > 0)
        return trace->start_ns[held->row];
    gboolean waits = held->row > 0 && trace->thread[before] == held->thread &&
                     hiera_site_is_openmp(hiera_trace_peek_site(trace, before), HIERA_ACQUIRE "critical");
    return waits ? MIN(trace->start_ns[before], held->begin_ns) : held->begin_ns;
}

void hiera_lock_holders_visit(const GArray *holders, const HieraTrace *trace, HieraHandOverVisit visit, gpointer user)
{
    const Held *last = NULL;
    for (guint i = 0; i < holders->len; i++) {
        const Held *held = &g_array_index(holders, Held, i);
        gboolean goes_on = last && last->number == held->number, has_it = goes_on && last->thread == held->thread;
        if (held->number == HIERA_ABSENT || held->change < 0 || (has_it && held->end_ns == held->begin_ns))
            continue;
        if (goes_on && !has_it)
            visit(last->thread, MIN(last->end_ns, held->begin_ns), held->thread, find_ask(trace, held), held->begin_ns,
                  user);
        last = held;
    }
}

/* Return how many of `held` come before those of a lock that begin at a moment or later. */
static guint count_before(const GArray *held, const Held *wanted)
{
    guint low = 0, high = held->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (compare_held(&g_array_index(held, Held, middle), wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

HieraHolder hiera_lock_holders_ask(const GArray *holders, const HieraTrace *trace, guint32 row, gint64 begin_ns,
                                   gint64 end_ns)
{
    enum { LOOK_BACK = 64 }; /* without numbers, sections of other names can overlap */
    const Held wanted = {.begin_ns = end_ns, .number = hiera_construct_number(trace, row)};
    HieraHolder holder = {HIERA_NONE, HIERA_NONE, 0};
    guint at = count_before(holders, &wanted);
    gint64 most_ns = 0;
    if (wanted.number == HIERA_ABSENT && hiera_site_idles(hiera_trace_peek_site(trace, row)) != HIERA_IDLE_CRITICAL)
        return holder;
    for (guint n = 0; at-- > 0 && n < LOOK_BACK; n++) {
        const Held *held = &g_array_index(holders, Held, at);
        if (held->number != wanted.number)
            break;
        gint64 ns = MIN(held->end_ns, end_ns) - MAX(held->begin_ns, begin_ns);
        if (held->thread == trace->thread[row] || ns <= most_ns)
            continue;
        most_ns = ns;
        holder = (HieraHolder){held->thread, held->number == HIERA_ABSENT ? HIERA_NONE : held->row, held->end_ns};
    }
    return holder;
}
