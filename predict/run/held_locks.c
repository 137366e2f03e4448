/* See held_locks.h. */
#include "held_locks.h"
#include "threads/thread_spans.h"

static gint compare_sections(gconstpointer left, gconstpointer right)
{
    const HeldLock *a = left, *b = right;
    if (a->lock != b->lock)
        return a->lock < b->lock ? -1 : 1;
    if (a->begin_ns != b->begin_ns)
        return a->begin_ns < b->begin_ns ? -1 : 1;
    return a->end_ns != b->end_ns ? (a->end_ns > b->end_ns) - (a->end_ns < b->end_ns)
                                  : (a->row > b->row) - (a->row < b->row);
}

/* Find what an operation has, or does to a lock. @return whether it does so */
static gboolean find_section(const HieraTrace *trace, guint32 row, guint32 first, HeldLock *held)
{
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    gboolean is_openmp = g_str_equal(site->level, "openmp");
    gint64 begin_ns = trace->start_ns[row], end_ns = trace->finish_ns[row];
    *held = (HeldLock){is_openmp ? hiera_construct_number(trace, row) : HIERA_ABSENT,
                       trace->thread[row],
                       row,
                       begin_ns,
                       begin_ns,
                       end_ns,
                       0};
    if (hiera_site_is_openmp(site, "critical")) {
        if (row > first && trace->thread[row - 1] == held->thread &&
            hiera_site_is_openmp(hiera_trace_peek_site(trace, row - 1), HIERA_ACQUIRE "critical")) {
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
    HeldLock *open = NULL;
    gint depth = 0;
    for (guint i = 0; i < all->len; i++) {
        HeldLock *held = &g_array_index(all, HeldLock, i);
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
        const HeldLock held = g_array_index(all, HeldLock, i);
        if (held.end_ns > MAX(of->init_ns, held.ask_ns) && held.begin_ns < of->finalize_ns && held.change >= 0)
            g_array_index(all, HeldLock, n++) = held;
    }
    g_array_set_size(all, n);
}

gboolean sections_overlap(const HeldLock *a, const HeldLock *b)
{
    gint64 shorter_ns = MIN(a->end_ns - a->begin_ns, b->end_ns - b->begin_ns);
    return a->thread != b->thread && MIN(a->end_ns, b->end_ns) - b->begin_ns > shorter_ns / 2;
}

/* Decide which sections share a lock whose number is not known. They come first. */
static void choose_locks(GArray *all, const HieraTrace *trace)
{
    gboolean one = TRUE;
    for (guint i = 1; i < all->len && g_array_index(all, HeldLock, i).lock == HIERA_ABSENT; i++) {
        const HeldLock *a = &g_array_index(all, HeldLock, i - 1), *b = &g_array_index(all, HeldLock, i);
        one &= a->thread == b->thread ? b->begin_ns >= a->end_ns : !sections_overlap(a, b);
    }
    for (guint i = 0; !one && i < all->len; i++) {
        HeldLock *held = &g_array_index(all, HeldLock, i);
        if (held->lock == HIERA_ABSENT)
            held->lock -= (gint64)trace->site[held->row] + 1;
    }
    g_array_sort(all, compare_sections);
}

GArray *held_locks_find(const HieraTrace *trace, guint32 processor, GHashTable *threads)
{
    const HieraProcessor *of = &trace->processors[processor];
    GArray *all = g_array_new(FALSE, FALSE, sizeof(HeldLock));
    for (guint32 row = (guint32)of->first; row < of->first + of->n_operations; row++) {
        HeldLock held;
        if (find_section(trace, row, (guint32)of->first, &held) &&
            g_hash_table_contains(threads, GUINT_TO_POINTER(held.thread)))
            g_array_append_val(all, held);
    }
    g_array_sort(all, compare_sections);
    end_locks(all, of->finalize_ns);
    leave_out(all, of);
    choose_locks(all, trace);
    return all;
}
