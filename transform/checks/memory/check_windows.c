/* Conflicts in the memory of windows: two accesses to the same bytes, one of which writes, that nothing orders.
 *
 * What happens before what follows from the order of calls in a rank, and from messages, collectives, epochs. The
 * events of all ranks are visited in an order that agrees with it; `known[p]` of a rank is the last row of rank p that
 * happened before where it is. An access conflicts with an earlier one if the row that completes that one is not known.
 *
 * Two accesses under locks of which one is exclusive have some order. Ranks may also agree on one by what they read in
 * windows, which no trace shows: so nothing is said if that is possible. Nor is it for ranks with several threads. */
#include "buffer_uses.h"
#include "checks/call_data.h"
#include <string.h>

enum { RANKS_MOST = 2048, OWN_LOCK = -1 };

/* A use of the memory of a rank, the target, by this or another rank. */
typedef struct {
    guint32 row, processor, target;
    guint32 done; /* row that completes it at the target; HIERA_NONE: none */
    gint64 address, bytes;
    gboolean gaps;
    char use;
    const HieraDatatype *type; /* of an accumulate; NULL: not known */
    gboolean writes;
    guint8 lock;    /* that the rank holds on the target */
    guint32 *known; /* what is before it, by processor */
} Access;
enum { LOCK_NONE, LOCK_SHARED, LOCK_EXCLUSIVE };

/* What a row has to do with other ranks. Those that give come before those that take in a row. */
typedef enum { GIVES_MESSAGE, GIVES_EPOCH, ARRIVES, TAKES_MESSAGE, TAKES_EPOCH, LEAVES, USES } EventKind;
typedef struct {
    guint32 row;
    EventKind kind;
    guint number; /* of the message, epoch, collective or use */
} Event;

typedef struct {
    const HieraCheck *check;
    const HieraMatch *match;
    guint32 n;                /* processors */
    GArray *uses;             /* HieraBufferUse */
    GArray *events;           /* Event, by row */
    guint *next, *end;        /* by processor: index of its next event, and behind its last one */
    guint32 *known;           /* n numbers for each processor: rows + 1 that have happened before */
    GHashTable *given;        /* number << 1 of a message, or of an epoch | 1 → what its giver knew */
    guint32 **joined;         /* by collective: what its members knew that have arrived, or NULL */
    guint32 *arrived;         /* by collective */
    GHashTable *memory;       /* processor and context of a window → HieraBufferUse: its memory */
    GHashTable *ends;         /* row of an access → row + 1 that completes it */
    GHashTable *locks;        /* of each processor: window and target → LOCK_… */
    GSequence **accesses;     /* by target: Access, by address */
    gint64 *longest;          /* by target: bytes of the longest access */
    GArray **reads, **writes; /* by processor: rows that may tell it something of others, or others of it */
    HieraDataOfCalls *data;
} Walk;

static guint32 *known_of(const Walk *walk, guint32 processor)
{
    return walk->known + (gsize)processor * walk->n;
}

static guint32 *copy_known(const Walk *walk, guint32 processor)
{
    return g_memdup2(known_of(walk, processor), walk->n * sizeof(guint32));
}

static void join(const Walk *walk, guint32 *to, const guint32 *from)
{
    for (guint32 i = 0; i < walk->n; i++)
        to[i] = MAX(to[i], from[i]);
}

/* --- findings --- */

static const char *name_use(const Access *access)
{
    return access->writes ? "writes" : "reads";
}

static void report(const Walk *walk, const Access *first, const Access *second)
{
    const HieraCheck *check = walk->check;
    g_autofree char *subject =
        g_strdup_printf("%u %u", check->trace->site[first->row], check->trace->site[second->row]);
    gboolean is_own =
        !hiera_trace_peek_site(check->trace, first->row)->mpi || !hiera_trace_peek_site(check->trace, second->row)->mpi;
    HieraFindingCode code = is_own ? HIERA_FINDING_CONFLICT_OWN : HIERA_FINDING_CONFLICT;
    if (hiera_findings_repeat(check->findings, code, subject))
        return;
    g_autofree char *here = hiera_check_describe(check, second->row), *there = hiera_check_describe(check, first->row);
    hiera_check_add(check, code, second->row, first->row, subject,
                    "%s of rank %u conflicts with %s of rank %u (%s:%u): it %s memory of rank %u that the other %s, "
                    "and nothing orders them",
                    here, hiera_check_rank(check, second->row), there, hiera_check_rank(check, first->row),
                    hiera_check_path(check, first->row), hiera_check_line(check, first->row), name_use(second),
                    check->trace->processors[second->target].rank, name_use(first));
}

/* --- conflicts --- */

/* Whether one of the rows, which are sorted, lies between two others. */
static gboolean has_between(const GArray *rows, guint32 after, guint32 before)
{
    guint low = 0;
    for (guint high = rows->len; low < high;) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(rows, guint32, middle) <= after)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->len && g_array_index(rows, guint32, low) < before;
}

/* Whether rank of `second` may have read in a window what the rank of `first` wrote after this was complete. */
static gboolean may_tell(const Walk *walk, const Access *first, const Access *second, const GArray *writes)
{
    guint32 known = first->known[second->processor];
    return first->done != HIERA_NONE && has_between(writes, first->done, HIERA_NONE) &&
           has_between(walk->reads[second->processor], known == 0 ? 0 : known - 1, second->row);
}

static gboolean conflict(const Walk *walk, const Access *first, const Access *second)
{
    const guint32 *known = known_of(walk, second->processor);
    gboolean locked =
        first->lock != LOCK_NONE && second->lock != LOCK_NONE && MAX(first->lock, second->lock) == LOCK_EXCLUSIVE;
    gboolean local = first->processor == first->target && second->processor == second->target &&
                     strchr("rw", first->use) && strchr("rw", second->use);
    if ((!first->writes && !second->writes) || locked || local || first->row == second->row ||
        (first->done != HIERA_NONE && first->done < known[first->processor]) ||
        !hiera_buffers_overlap(first->address, first->bytes, first->gaps, second->address, second->bytes, second->gaps))
        return FALSE;
    if (first->use == 'a' && second->use == 'a' &&
        (!first->type || !second->type ||
         hiera_call_data_compare(walk->data, first->type, second->type)->at == G_MAXINT64))
        return FALSE;
    if (first->processor == second->processor)
        return TRUE;
    return !may_tell(walk, first, second, walk->writes[first->processor]) &&
           !may_tell(walk, second, first, walk->writes[second->processor]);
}

static gint compare_addresses(gconstpointer a, gconstpointer b, gpointer unused)
{
    const Access *left = a, *right = b;
    (void)unused;
    return (left->address > right->address) - (left->address < right->address);
}

/* Whether a later access of the same call site conflicts with all that an earlier one would conflict with. */
static gboolean replaces(const Walk *walk, const Access *later, const Access *earlier)
{
    const HieraTrace *trace = walk->check->trace;
    return later->processor == earlier->processor && trace->site[later->row] == trace->site[earlier->row] &&
           later->address == earlier->address && later->bytes == earlier->bytes && later->use == earlier->use &&
           later->lock == earlier->lock && later->gaps == earlier->gaps;
}

static void free_access(gpointer access)
{
    g_free(((Access *)access)->known);
    g_free(access);
}

static void add_access(Walk *walk, Access access)
{
    GSequence *all = walk->accesses[access.target];
    Access from = {.address = access.address - walk->longest[access.target]};
    GSequenceIter *at = g_sequence_search(all, &from, compare_addresses, NULL), *next;
    access.known = copy_known(walk, access.processor);
    for (; !g_sequence_iter_is_end(at); at = next) {
        const Access *other = g_sequence_get(at);
        next = g_sequence_iter_next(at);
        if (other->address >= access.address + access.bytes)
            break;
        if (conflict(walk, other, &access))
            report(walk, other, &access);
        if (replaces(walk, &access, other))
            g_sequence_remove(at);
    }
    walk->longest[access.target] = MAX(walk->longest[access.target], access.bytes);
    g_sequence_insert_sorted(all, g_memdup2(&access, sizeof access), compare_addresses, NULL);
}

/* --- accesses --- */

static gpointer window_key(const Walk *walk, guint32 processor, guint32 comm)
{
    return (gpointer)(guintptr)((guint64)processor << 32 | hiera_match_context(walk->match, comm));
}

static gpointer lock_key(guint32 processor, guint32 comm, gint32 target)
{
    return (gpointer)(guintptr)((guint64)processor << 44 | (guint64)comm << 20 | (guint32)(target & 0xfffff));
}

/* Return the strongest lock that a rank holds on a target, on one window or (comm HIERA_NONE) on any. */
static guint8 find_lock(const Walk *walk, guint32 processor, guint32 comm, gint32 target)
{
    GHashTable *locks = walk->locks;
    guint one = GPOINTER_TO_UINT(g_hash_table_lookup(locks, lock_key(processor, comm, target)));
    guint all = GPOINTER_TO_UINT(g_hash_table_lookup(locks, lock_key(processor, comm, OWN_LOCK)));
    return (guint8)MAX(one, all);
}

static guint8 find_own_lock(const Walk *walk, guint32 processor, gint64 address)
{
    GHashTableIter at;
    gpointer key, use;
    guint8 lock = LOCK_NONE;
    if (g_hash_table_size(walk->locks) == 0)
        return lock;
    g_hash_table_iter_init(&at, walk->memory);
    while (g_hash_table_iter_next(&at, &key, &use)) {
        const HieraBufferUse *memory = use;
        guint32 comm = hiera_trace_peek_sparse(walk->check->trace, memory->row)->other;
        if (hiera_trace_find_processor(walk->check->trace, memory->row) != processor || address < memory->address ||
            address >= memory->address + memory->bytes)
            continue;
        for (gint32 rank = 0; rank < (gint32)walk->n; rank++)
            if (hiera_match_world_rank(walk->match, comm, rank) ==
                (gint32)walk->check->trace->processors[processor].rank)
                lock = MAX(lock, find_lock(walk, processor, comm, rank));
    }
    return lock;
}

static gboolean is_in_window(const Walk *walk, guint32 processor, const HieraBufferUse *use)
{
    GHashTableIter at;
    gpointer key, value;
    g_hash_table_iter_init(&at, walk->memory);
    while (g_hash_table_iter_next(&at, &key, &value)) {
        const HieraBufferUse *memory = value;
        if (hiera_trace_find_processor(walk->check->trace, memory->row) == processor &&
            use->address < memory->address + memory->bytes && memory->address < use->address + use->bytes)
            return TRUE;
    }
    return FALSE;
}

/* Use memory of the rank itself: of interest only if it is that of a window. */
static void use_own(Walk *walk, guint32 processor, const HieraBufferUse *use)
{
    if (!is_in_window(walk, processor, use))
        return;
    add_access(walk, (Access){.row = use->row,
                              .processor = processor,
                              .target = processor,
                              .done = use->until,
                              .address = use->address,
                              .bytes = use->bytes,
                              .gaps = use->gaps,
                              .use = use->use,
                              .writes = use->use == 'w',
                              .lock = find_own_lock(walk, processor, use->address)});
}

static void use_target(Walk *walk, guint32 processor, const HieraBufferUse *use)
{
    const HieraTrace *trace = walk->check->trace;
    guint32 comm = trace->comm[use->row],
            target = hiera_trace_find_rank(trace, hiera_match_peer(walk->match, use->row));
    const HieraBufferUse *memory =
        target == HIERA_NONE ? NULL : g_hash_table_lookup(walk->memory, window_key(walk, target, comm));
    if (!memory)
        return;
    const HieraCallData *data = hiera_call_data_peek(walk->data, use->row);
    const HieraDatatype *type = NULL;
    if (data)
        type = data->receive ? data->receive : data->both;
    gboolean reads = use->use == 'g' || (data && data->op && strcmp(data->op, "MPI_NO_OP") == 0);
    guint32 done = GPOINTER_TO_UINT(g_hash_table_lookup(walk->ends, GUINT_TO_POINTER(use->row))) - 1;
    add_access(walk, (Access){.row = use->row,
                              .processor = processor,
                              .target = target,
                              .done = done,
                              .address = memory->address + use->address * memory->offset + use->offset,
                              .bytes = use->bytes,
                              .gaps = use->gaps,
                              .use = use->use,
                              .type = type,
                              .writes = !reads,
                              .lock = find_lock(walk, processor, comm, trace->peer[use->row])});
}

/* --- locks --- */

static void note_lock(Walk *walk, guint32 processor, guint32 row)
{
    const HieraTrace *trace = walk->check->trace;
    const char *name = hiera_trace_peek_site(trace, row)->operation;
    gboolean all = g_str_has_suffix(name, "_all");
    gpointer key = lock_key(processor, trace->comm[row], all ? OWN_LOCK : trace->peer[row]);
    if (g_str_has_prefix(name, "win_lock"))
        g_hash_table_insert(
            walk->locks, key,
            GUINT_TO_POINTER(all || hiera_lock_is_shared(trace->tag[row]) ? LOCK_SHARED : LOCK_EXCLUSIVE));
    else if (g_str_has_prefix(name, "win_unlock"))
        g_hash_table_remove(walk->locks, key);
}

/* --- the walk --- */

static gpointer given_key(const Event *event)
{
    gboolean epoch = event->kind == GIVES_EPOCH || event->kind == TAKES_EPOCH;
    return (gpointer)(guintptr)((guint64)event->number << 1 | epoch);
}

static void arrive(Walk *walk, guint32 processor, guint number)
{
    if (!walk->joined[number])
        walk->joined[number] = copy_known(walk, processor);
    else
        join(walk, walk->joined[number], known_of(walk, processor));
    walk->arrived[number]++;
}

/* Take part in an event; FALSE: what it takes is not there yet. @param anyway  go on without it */
static gboolean pass(Walk *walk, guint32 processor, const Event *event, gboolean anyway)
{
    const guint32 *taken;
    known_of(walk, processor)[processor] = event->row + 1;
    switch (event->kind) {
    case GIVES_MESSAGE:
    case GIVES_EPOCH:
        g_hash_table_insert(walk->given, given_key(event), copy_known(walk, processor));
        return TRUE;
    case ARRIVES:
        arrive(walk, processor, event->number);
        return TRUE;
    case TAKES_MESSAGE:
    case TAKES_EPOCH:
        taken = g_hash_table_lookup(walk->given, given_key(event));
        if (taken)
            join(walk, known_of(walk, processor), taken);
        if (taken)
            g_hash_table_remove(walk->given, given_key(event));
        return taken || anyway;
    case LEAVES:
        if (walk->arrived[event->number] < g_array_index(walk->match->collectives, HieraCollective, event->number).n &&
            !anyway)
            return FALSE;
        join(walk, known_of(walk, processor), walk->joined[event->number]);
        return TRUE;
    default:
        break;
    }
    if (event->number == HIERA_NONE) {
        note_lock(walk, processor, event->row);
        return TRUE;
    }
    const HieraBufferUse *use = &g_array_index(walk->uses, HieraBufferUse, event->number);
    if (use->use == 'r' || use->use == 'w')
        use_own(walk, processor, use);
    else if (use->use != 'x')
        use_target(walk, processor, use);
    return TRUE;
}

/* Return the rank whose next event is the earliest; HIERA_NONE: there are no more events. */
static guint32 find_earliest(const Walk *walk)
{
    guint32 found = HIERA_NONE;
    gint64 least = G_MAXINT64;
    for (guint32 i = 0; i < walk->n; i++) {
        if (walk->next[i] == walk->end[i])
            continue;
        gint64 ns = walk->check->trace->start_ns[g_array_index(walk->events, Event, walk->next[i]).row];
        if (found == HIERA_NONE || ns < least) {
            found = i;
            least = ns;
        }
    }
    return found;
}

static void visit_all(Walk *walk)
{
    for (guint32 earliest; (earliest = find_earliest(walk)) != HIERA_NONE;) {
        gboolean moved = FALSE;
        for (guint32 i = 0; i < walk->n; i++)
            while (walk->next[i] < walk->end[i] &&
                   pass(walk, i, &g_array_index(walk->events, Event, walk->next[i]), FALSE)) {
                walk->next[i]++;
                moved = TRUE;
            }
        if (!moved)
            pass(walk, earliest, &g_array_index(walk->events, Event, walk->next[earliest]++), TRUE);
    }
}

/* --- events --- */

static gint compare_events(gconstpointer a, gconstpointer b)
{
    const Event *left = a, *right = b;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    return (gint)left->kind - (gint)right->kind;
}

static void add_event(Walk *walk, guint32 row, EventKind kind, guint number)
{
    const Event event = {row, kind, number};
    if (row != HIERA_NONE)
        g_array_append_val(walk->events, event);
}

/* Members of a collective give when they enter it, and take when the call, or the request that it starts, is over. */
static void add_collectives(Walk *walk, GHashTable *completed)
{
    const HieraMatch *match = walk->match;
    for (guint i = 0; i < match->collectives->len; i++) {
        const HieraCollective *collective = &g_array_index(match->collectives, HieraCollective, i);
        if (collective->kind == HIERA_KIND_IO_ALL)
            continue;
        for (guint32 k = 0; k < collective->n; k++) {
            guint32 row = g_array_index(match->members, guint32, collective->first + k);
            guint32 end = GPOINTER_TO_UINT(g_hash_table_lookup(completed, GUINT_TO_POINTER(row)));
            add_event(walk, row, ARRIVES, i);
            add_event(walk, end ? end - 1 : row, LEAVES, i);
        }
    }
}

/* Note locks, and calls by which a rank may learn of others, or others of it, without a message. */
static void note_row(Walk *walk, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(walk->check->trace, row);
    gboolean syncs = strcmp(site->operation, "win_sync") == 0;
    if (site->kind == HIERA_KIND_RMA && strstr(site->operation, "lock"))
        add_event(walk, row, USES, HIERA_NONE);
    guint32 processor = hiera_trace_find_processor(walk->check->trace, row);
    if (site->kind == HIERA_KIND_GET || site->kind == HIERA_KIND_UPDATE || syncs)
        g_array_append_val(walk->reads[processor], row);
    if (site->kind == HIERA_KIND_PUT || site->kind == HIERA_KIND_UPDATE || syncs)
        g_array_append_val(walk->writes[processor], row);
}

static void add_events(Walk *walk)
{
    const HieraMatch *match = walk->match;
    const HieraTrace *trace = walk->check->trace;
    g_autoptr(GHashTable) completed = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < match->requests->len; i++) {
        const HieraPair *pair = &g_array_index(match->requests, HieraPair, i);
        g_hash_table_insert(completed, GUINT_TO_POINTER(pair->start), GUINT_TO_POINTER(pair->completion + 1));
    }
    for (guint i = 0; i < match->messages->len; i++) {
        const HieraMessage *message = &g_array_index(match->messages, HieraMessage, i);
        add_event(walk, message->from, GIVES_MESSAGE, i);
        add_event(walk, message->ended_by, TAKES_MESSAGE, i);
    }
    for (guint i = 0; i < match->epochs->len; i++) {
        const HieraPair *pair = &g_array_index(match->epochs, HieraPair, i);
        add_event(walk, pair->start, GIVES_EPOCH, i);
        add_event(walk, pair->completion, TAKES_EPOCH, i);
    }
    add_collectives(walk, completed);
    for (guint i = 0; i < walk->uses->len; i++)
        add_event(walk, g_array_index(walk->uses, HieraBufferUse, i).row, USES, i);
    for (guint32 row = 0; row < trace->n_operations; row++)
        note_row(walk, row);
    g_array_sort(walk->events, compare_events);
}

static void share_events(Walk *walk)
{
    for (guint i = 0; i < walk->events->len; i++) {
        guint32 processor = hiera_trace_find_processor(walk->check->trace, g_array_index(walk->events, Event, i).row);
        if (walk->end[processor] == 0)
            walk->next[processor] = i;
        walk->end[processor] = i + 1;
    }
}

static void find_windows(Walk *walk)
{
    const HieraTrace *trace = walk->check->trace;
    for (guint i = 0; i < walk->uses->len; i++) {
        const HieraBufferUse *use = &g_array_index(walk->uses, HieraBufferUse, i);
        guint32 comm = hiera_trace_peek_sparse(trace, use->row)->other;
        if (use->use == 'x' && comm != HIERA_NONE)
            g_hash_table_insert(walk->memory, window_key(walk, hiera_trace_find_processor(trace, use->row), comm),
                                (gpointer)use);
    }
}

static void walk_init(Walk *walk, const HieraCheck *check, GArray *uses)
{
    guint32 n = check->trace->n_processors;
    const HieraMatch *match = check->match;
    *walk = (Walk){.check = check, .match = match, .n = n, .uses = uses};
    walk->events = g_array_new(FALSE, FALSE, sizeof(Event));
    walk->next = g_new0(guint, n);
    walk->end = g_new0(guint, n);
    walk->known = g_new0(guint32, (gsize)n * n);
    walk->given = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    walk->joined = g_new0(guint32 *, match->collectives->len + 1);
    walk->arrived = g_new0(guint32, match->collectives->len + 1);
    walk->memory = g_hash_table_new(NULL, NULL);
    walk->ends = g_hash_table_new(NULL, NULL);
    walk->locks = g_hash_table_new(NULL, NULL);
    walk->accesses = g_new0(GSequence *, n);
    walk->longest = g_new0(gint64, n);
    walk->reads = g_new0(GArray *, n);
    walk->writes = g_new0(GArray *, n);
    walk->data = hiera_data_of_calls_new(check->trace);
    for (guint32 i = 0; i < n; i++) {
        walk->accesses[i] = g_sequence_new(free_access);
        walk->reads[i] = g_array_new(FALSE, FALSE, sizeof(guint32));
        walk->writes[i] = g_array_new(FALSE, FALSE, sizeof(guint32));
    }
    for (guint i = 0; i < match->completions->len; i++) {
        const HieraPair *pair = &g_array_index(match->completions, HieraPair, i);
        g_hash_table_insert(walk->ends, GUINT_TO_POINTER(pair->start), GUINT_TO_POINTER(pair->completion + 1));
    }
    /* A get whose data are at the origin has read its target. */
    for (guint i = 0; i < match->requests->len; i++) {
        const HieraPair *pair = &g_array_index(match->requests, HieraPair, i);
        guint32 end = GPOINTER_TO_UINT(g_hash_table_lookup(walk->ends, GUINT_TO_POINTER(pair->start))) - 1;
        if (hiera_trace_peek_site(match->trace, pair->start)->kind == HIERA_KIND_GET)
            g_hash_table_insert(walk->ends, GUINT_TO_POINTER(pair->start),
                                GUINT_TO_POINTER(MIN(end, pair->completion) + 1));
    }
}

static void walk_clear(Walk *walk)
{
    for (guint32 i = 0; i < walk->n; i++) {
        g_sequence_free(walk->accesses[i]);
        g_array_unref(walk->reads[i]);
        g_array_unref(walk->writes[i]);
    }
    for (guint i = 0; i < walk->match->collectives->len; i++)
        g_free(walk->joined[i]);
    g_array_unref(walk->events);
    g_hash_table_unref(walk->given);
    g_hash_table_unref(walk->memory);
    g_hash_table_unref(walk->ends);
    g_hash_table_unref(walk->locks);
    hiera_data_of_calls_free(walk->data);
    gpointer all[] = {walk->next,     walk->end,     walk->known, walk->joined, walk->arrived,
                      walk->accesses, walk->longest, walk->reads, walk->writes};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        g_free(all[i]);
}

static gboolean is_possible(const HieraCheck *check, const GArray *uses)
{
    gboolean any = FALSE;
    for (guint i = 0; i < uses->len && !any; i++)
        any = strchr("pga", g_array_index(uses, HieraBufferUse, i).use) != NULL;
    for (guint32 i = 0; i < check->trace->n_processors && any; i++)
        any = !check->trace->processors[i].threaded;
    return any && !check->scope->share.own && check->trace->n_processors <= RANKS_MOST;
}

void hiera_check_windows(const HieraCheck *check)
{
    g_autoptr(GArray) uses = hiera_buffer_uses(check->match);
    if (check->part || !is_possible(check, uses))
        return;
    Walk walk;
    walk_init(&walk, check, uses);
    find_windows(&walk);
    add_events(&walk);
    share_events(&walk);
    visit_all(&walk);
    walk_clear(&walk);
}
