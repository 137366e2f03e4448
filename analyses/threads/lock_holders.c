/* See lock_holders.h. */
#include "lock_holders.h"

static gint compare_sections(gconstpointer left, gconstpointer right)
{
    const HieraLockHeld *a = left, *b = right;
    if (a->lock != b->lock)
        return a->lock < b->lock ? -1 : 1;
    if (a->begin_ns != b->begin_ns)
        return a->begin_ns < b->begin_ns ? -1 : 1;
    return a->end_ns != b->end_ns ? (a->end_ns > b->end_ns) - (a->end_ns < b->end_ns)
                                  : (a->row > b->row) - (a->row < b->row);
}

static gboolean is_wait(const HieraTrace *trace, guint32 row, guint32 critical)
{
    return trace->thread[row] == trace->thread[critical] &&
           hiera_site_is_openmp(hiera_trace_peek_site(trace, row), HIERA_ACQUIRE "critical");
}

/* Find what an operation has, or does to a lock. @return whether it does so */
static gboolean find_section(const HieraTrace *trace, guint32 row, guint32 first, HieraLockHeld *held)
{
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    gboolean is_openmp = g_str_equal(site->level, "openmp");
    gint64 begin_ns = trace->start_ns[row], end_ns = trace->finish_ns[row];
    *held = (HieraLockHeld){is_openmp ? hiera_construct_number(trace, row) : HIERA_ABSENT,
                            trace->thread[row],
                            row,
                            begin_ns,
                            begin_ns,
                            end_ns,
                            0};
    if (hiera_site_is_openmp(site, "critical")) {
        if (row > first && is_wait(trace, row - 1, row)) {
            held->ask_ns = MIN(trace->start_ns[row - 1], begin_ns);
            held->begin_ns = MIN(trace->finish_ns[row - 1], begin_ns); /* what is between both is not waiting */
        }
        return TRUE;
    }
    if (held->lock == HIERA_ABSENT || !g_str_has_suffix(site->operation, "lock"))
        return FALSE;
    held->change = g_str_has_prefix(site->operation, HIERA_ACQUIRE) ? 1 : -1;
    held->begin_ns = held->change > 0 ? end_ns : begin_ns;
    return TRUE;
}

/* Set until when locks are held: until the thread has given them back as often as it took them, or another one has
 * them, of which it may have been told first. What is no section then has no length. */
static void end_locks(const GArray *all, gint64 last_ns)
{
    HieraLockHeld *open = NULL;
    gint depth = 0;
    for (guint i = 0; i < all->len; i++) {
        HieraLockHeld *held = &g_array_index(all, HieraLockHeld, i);
        gboolean goes_on = open && open->lock == held->lock && open->thread == held->thread;
        if (held->change == 0)
            continue;
        held->end_ns = held->begin_ns;
        if (!goes_on && held->change < 0)
            continue;
        depth = goes_on ? depth + held->change : 1;
        if (open && open->lock == held->lock && (!goes_on || depth == 0))
            open->end_ns = held->begin_ns;
        if (goes_on) {
            held->ask_ns = held->begin_ns;
            open = depth > 0 ? open : NULL;
            continue;
        }
        held->end_ns = MAX(last_ns, held->begin_ns);
        open = held;
    }
}

static void leave_out(GArray *all, const HieraProcessor *of)
{
    guint n = 0;
    for (guint i = 0; i < all->len; i++) {
        const HieraLockHeld held = g_array_index(all, HieraLockHeld, i);
        if (held.end_ns > MAX(of->init_ns, held.ask_ns) && held.begin_ns < of->finalize_ns && held.change >= 0)
            g_array_index(all, HieraLockHeld, n++) = held;
    }
    g_array_set_size(all, n);
}

/* Whether two threads are in sections at the same time; `b` does not begin first. */
static gboolean sections_overlap(const HieraLockHeld *a, const HieraLockHeld *b)
{
    gint64 shorter_ns = MIN(a->end_ns - a->begin_ns, b->end_ns - b->begin_ns);
    return a->thread != b->thread && MIN(a->end_ns, b->end_ns) - b->begin_ns > shorter_ns / 2;
}

static gint64 lock_of_place(const HieraTrace *trace, guint32 row)
{
    return (gint64)HIERA_ABSENT - trace->site[row] - 1;
}

/* Decide which sections share a lock whose number is not known. They come first. */
static void choose_locks(GArray *all, const HieraTrace *trace)
{
    gboolean one = TRUE;
    for (guint i = 1; i < all->len && g_array_index(all, HieraLockHeld, i).lock == HIERA_ABSENT; i++) {
        const HieraLockHeld *a = &g_array_index(all, HieraLockHeld, i - 1), *b = &g_array_index(all, HieraLockHeld, i);
        one &= a->thread == b->thread ? b->begin_ns >= a->end_ns : !sections_overlap(a, b);
    }
    for (guint i = 0; !one && i < all->len; i++) {
        HieraLockHeld *held = &g_array_index(all, HieraLockHeld, i);
        if (held->lock == HIERA_ABSENT)
            held->lock = lock_of_place(trace, held->row);
    }
    g_array_sort(all, compare_sections);
}

GArray *hiera_locks_held_find(const HieraTrace *trace, guint32 processor, GHashTable *threads)
{
    const HieraProcessor *of = &trace->processors[processor];
    GArray *all = g_array_new(FALSE, FALSE, sizeof(HieraLockHeld));
    for (guint32 row = (guint32)of->first; row < of->first + of->n_operations; row++) {
        HieraLockHeld held;
        if (find_section(trace, row, (guint32)of->first, &held) &&
            (!threads || g_hash_table_contains(threads, GUINT_TO_POINTER(held.thread))))
            g_array_append_val(all, held);
    }
    g_array_sort(all, compare_sections);
    end_locks(all, of->finalize_ns);
    leave_out(all, of);
    choose_locks(all, trace);
    return all;
}

gint64 hiera_lock_held_until(const HieraLockHeld *held, const HieraLockHeld *next)
{
    return next && !sections_overlap(held, next) ? CLAMP(next->begin_ns, held->begin_ns, held->end_ns) : held->end_ns;
}

/* --- for whom a thread waits --- */

/* Return which lock a row waits for; G_MAXINT64: not known. */
static gint64 wanted_lock(const GArray *sections, const HieraTrace *trace, guint32 row)
{
    gint32 number = hiera_construct_number(trace, row);
    gboolean enters = number == HIERA_ABSENT && row + 1 < trace->n_operations && is_wait(trace, row, row + 1) &&
                      hiera_site_is_openmp(hiera_trace_peek_site(trace, row + 1), "critical");
    if (number != HIERA_ABSENT)
        return number;
    if (!enters || sections->len == 0)
        return G_MAXINT64;
    return g_array_index(sections, HieraLockHeld, 0).lock == HIERA_ABSENT ? HIERA_ABSENT
                                                                          : lock_of_place(trace, row + 1);
}

/* Return how many sections come before those of a lock that begin at a moment or later. */
static guint count_before(const GArray *sections, const HieraLockHeld *wanted)
{
    guint low = 0, high = sections->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (compare_sections(&g_array_index(sections, HieraLockHeld, middle), wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

HieraHolder hiera_lock_holders_ask(const GArray *sections, const HieraTrace *trace, guint32 row, gint64 begin_ns,
                                   gint64 end_ns)
{
    enum { LOOK_BACK = 64 }; /* without numbers, sections of other names can overlap */
    const HieraLockHeld wanted = {.begin_ns = end_ns, .lock = wanted_lock(sections, trace, row)};
    HieraHolder holder = {HIERA_NONE, HIERA_NONE, 0};
    guint at = count_before(sections, &wanted);
    gint64 most_ns = 0;
    for (guint n = 0; at-- > 0 && n < LOOK_BACK; n++) {
        const HieraLockHeld *held = &g_array_index(sections, HieraLockHeld, at);
        if (held->lock != wanted.lock)
            break;
        gint64 ns = MIN(held->end_ns, end_ns) - MAX(held->begin_ns, begin_ns);
        if (held->thread == trace->thread[row] || ns <= most_ns)
            continue;
        most_ns = ns;
        holder = (HieraHolder){held->thread, held->lock <= HIERA_ABSENT ? HIERA_NONE : held->row, held->end_ns};
    }
    return holder;
}
