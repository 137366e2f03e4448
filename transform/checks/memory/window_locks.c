/* See window_locks.h. */
#include "window_locks.h"
#include "base/vocabulary.h"
#include <string.h>

enum { OWN_LOCK = -1 };

typedef struct {
    const HieraTrace *trace;
    const HieraMatch *match;
    const GArray *uses;
    GHashTable *memory;
    GHashTable *locks; /* of each processor: window and target → HIERA_LOCK_… */
    guint8 *lock_of;
} Search;

static gpointer lock_key(guint32 processor, guint32 comm, gint32 target)
{
    return (gpointer)(guintptr)((guint64)processor << 44 | (guint64)comm << 20 | (guint32)(target & 0xfffff));
}

/* Return the strongest lock that a rank holds on a target, on one window or (comm HIERA_NONE) on any. */
static guint8 find_lock(const Search *search, guint32 processor, guint32 comm, gint32 target)
{
    GHashTable *locks = search->locks;
    guint one = GPOINTER_TO_UINT(g_hash_table_lookup(locks, lock_key(processor, comm, target)));
    guint all = GPOINTER_TO_UINT(g_hash_table_lookup(locks, lock_key(processor, comm, OWN_LOCK)));
    return (guint8)MAX(one, all);
}

static guint8 find_own_lock(const Search *search, guint32 processor, gint64 address)
{
    GHashTableIter at;
    gpointer key, use;
    guint8 lock = HIERA_LOCK_NONE;
    if (g_hash_table_size(search->locks) == 0)
        return lock;
    g_hash_table_iter_init(&at, search->memory);
    while (g_hash_table_iter_next(&at, &key, &use)) {
        const HieraBufferUse *memory = use;
        guint32 comm = hiera_trace_peek_sparse(search->trace, memory->row)->other;
        if (hiera_trace_find_processor(search->trace, memory->row) != processor || address < memory->address ||
            address >= memory->address + memory->bytes)
            continue;
        for (gint32 rank = 0; rank < (gint32)search->trace->n_processors; rank++)
            if (hiera_match_world_rank(search->match, comm, rank) == (gint32)search->trace->processors[processor].rank)
                lock = MAX(lock, find_lock(search, processor, comm, rank));
    }
    return lock;
}

static void note_lock(Search *search, guint32 processor, guint32 row)
{
    const HieraTrace *trace = search->trace;
    const char *name = hiera_trace_peek_site(trace, row)->operation;
    gboolean all = g_str_has_suffix(name, "_all");
    gpointer key = lock_key(processor, trace->comm[row], all ? OWN_LOCK : trace->peer[row]);
    if (g_str_has_prefix(name, "win_lock"))
        g_hash_table_insert(
            search->locks, key,
            GUINT_TO_POINTER(all || hiera_lock_is_shared(trace->tag[row]) ? HIERA_LOCK_SHARED : HIERA_LOCK_EXCLUSIVE));
    else if (g_str_has_prefix(name, "win_unlock"))
        g_hash_table_remove(search->locks, key);
}

typedef struct {
    guint32 processor, row;
    gint64 ns;
    guint use; /* HIERA_NONE: the row locks, or unlocks */
} LockEvent;

static gint compare_lock_events(gconstpointer a, gconstpointer b)
{
    const LockEvent *left = a, *right = b;
    if (left->processor != right->processor)
        return left->processor < right->processor ? -1 : 1;
    if (left->ns != right->ns)
        return left->ns < right->ns ? -1 : 1;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    return (left->use > right->use) - (left->use < right->use);
}

static void add_lock_event(const Search *search, GArray *events, guint32 row, guint use)
{
    const LockEvent event = {hiera_trace_find_processor(search->trace, row), row, search->trace->start_ns[row], use};
    g_array_append_val(events, event);
}

static void note_lock_of(Search *search, const LockEvent *event)
{
    const HieraTrace *trace = search->trace;
    const HieraBufferUse *use = &g_array_index(search->uses, HieraBufferUse, event->use);
    guint8 *lock = &search->lock_of[event->use];
    if (use->use == 'r' || use->use == 'w')
        *lock = find_own_lock(search, event->processor, use->address);
    else if (use->use != 'x')
        *lock = find_lock(search, event->processor, trace->comm[use->row], trace->peer[use->row]);
}

static void find_locks(Search *search)
{
    const HieraTrace *trace = search->trace;
    g_autoptr(GArray) events = g_array_new(FALSE, FALSE, sizeof(LockEvent));
    for (guint32 row = 0; row < trace->n_operations; row++) {
        const HieraSite *site = hiera_trace_peek_site(trace, row);
        if (site->kind == HIERA_KIND_RMA && strstr(site->operation, "lock"))
            add_lock_event(search, events, row, HIERA_NONE);
    }
    for (guint i = 0; events->len > 0 && i < search->uses->len; i++)
        add_lock_event(search, events, g_array_index(search->uses, HieraBufferUse, i).row, i);
    g_array_sort(events, compare_lock_events);
    for (guint i = 0; i < events->len; i++) {
        const LockEvent *event = &g_array_index(events, LockEvent, i);
        if (event->use == HIERA_NONE)
            note_lock(search, event->processor, event->row);
        else
            note_lock_of(search, event);
    }
}

guint8 *hiera_window_locks_find(const HieraMatch *match, const GArray *uses, GHashTable *memory)
{
    Search search = {.trace = match->trace, .match = match, .uses = uses, .memory = memory};
    search.locks = g_hash_table_new(NULL, NULL);
    search.lock_of = g_new0(guint8, uses->len + 1);
    find_locks(&search);
    g_hash_table_unref(search.locks);
    return search.lock_of;
}
