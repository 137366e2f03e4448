/* Conflicts in the memory of windows: two accesses to the same bytes, one of which writes, that nothing orders.
 *
 * What happens before what follows from the order of calls in a rank, and from messages, collectives, epochs. The
 * events of all ranks are visited in an order that agrees with it; `known[p]` of a rank is the last row of rank p that
 * happened before where it is. An access conflicts with an earlier one if the row that completes that one is not known.
 *
 * Two accesses under locks of which one is exclusive have some order. Ranks may also agree on one by what they read in
 * windows, which no trace shows: so nothing is said if that is possible. Threads of a rank, and tasks, are strands with
 * clocks of their own (thread_order.h). They may agree by variables, so what they do is a note. */
#include "buffer_uses.h"
#include "checks/call_data.h"
#include "thread_order.h"
#include <string.h>

enum { RANKS_MOST = 2048, OWN_LOCK = -1 };

/* A use of the memory of a rank, the target, by this or another rank. */
typedef struct {
    guint32 row, processor, target;
    guint32 strand; /* of the row */
    guint32 done;   /* row that completes it at the target; HIERA_NONE: none */
    gint64 address, bytes;
    HieraBufferSpan span; /* the same, and which of them */
    char use;
    const HieraDatatype *type; /* of an accumulate; NULL: not known */
    gboolean writes;
    gboolean one_sided; /* whether it is one of a one-sided call, or to memory of a window */
    guint8 lock;        /* that the rank holds on the target */
    guint32 *known;     /* what is before it, by strand */
} Access;
enum { LOCK_NONE, LOCK_SHARED, LOCK_EXCLUSIVE };

/* What a row has to do with other strands. Calls give before they take. */
typedef enum {
    TAKES_PLACE,
    GIVES_PLACE,
    GIVES_MESSAGE,
    GIVES_EPOCH,
    ARRIVES,
    TAKES_MESSAGE,
    TAKES_EPOCH,
    LEAVES,
    USES
} EventKind;
typedef struct {
    guint32 strand, row;
    gboolean behind; /* when an operation is over whose last row it is; `depth`: of that one */
    guint32 depth;
    EventKind kind;
    guint number; /* of the place, message, epoch, collective or use */
} Event;

typedef struct {
    const HieraCheck *check;
    const HieraMatch *match;
    HieraThreadOrder *order;
    guint32 n;                /* strands */
    guint32 n_processors;     /* ranks */
    gboolean *several;        /* by processor: whether it has several strands */
    GArray *uses;             /* HieraBufferUse */
    guint8 *lock_of;          /* by use: LOCK_…, what the rank holds on the target then */
    GArray *events;           /* Event, by strand and row */
    guint *next, *end;        /* by strand: index of its next event, and behind its last one */
    guint32 *known;           /* n numbers for each strand: rows + 1 that have happened before */
    guint32 **places;         /* by place: what was given to it, or NULL */
    guint32 *given_to;        /* by place: how often */
    guint32 *taken_from;      /* by place: how often; what was given is freed then */
    GHashTable *given;        /* number << 1 of a message, or of an epoch | 1 → what its giver knew */
    guint32 **joined;         /* by collective: what its members knew that have arrived, or NULL */
    guint32 *arrived;         /* by collective */
    GHashTable *memory;       /* processor and context of a window → HieraBufferUse: its memory */
    GHashTable *ends;         /* row of an access → row + 1 that completes it */
    GHashTable *locks;        /* of each processor: window and target → LOCK_… */
    GSequence **accesses;     /* by target: Access, by address */
    gint64 *longest;          /* by target: bytes of the longest access */
    GArray **reads, **writes; /* by processor, in the order of time: rows that may tell it something of others, or
                                 others of it */
    HieraDataOfCalls *data;
} Walk;

static guint32 *known_of(const Walk *walk, guint32 strand)
{
    return walk->known + (gsize)strand * walk->n;
}

static guint32 *copy_known(const Walk *walk, guint32 strand)
{
    return g_memdup2(known_of(walk, strand), walk->n * sizeof(guint32));
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

/* Whether nothing that the trace does not show can order an access: threads may agree by variables. */
static gboolean is_alone(const Walk *walk, const Access *access)
{
    const HieraProcessor *of = &walk->check->trace->processors[access->processor];
    return !walk->several[access->processor] || (!of->calls_in_threads && access->strand == access->processor);
}

static void report(const Walk *walk, const Access *first, const Access *second)
{
    const HieraCheck *check = walk->check;
    gboolean are_alone = is_alone(walk, first) && is_alone(walk, second);
    g_autofree char *subject =
        g_strdup_printf("%u %u", check->trace->site[first->row], check->trace->site[second->row]);
    gboolean is_own =
        !hiera_trace_peek_site(check->trace, first->row)->mpi || !hiera_trace_peek_site(check->trace, second->row)->mpi;
    HieraFindingCode code = is_own || !are_alone ? HIERA_FINDING_CONFLICT_OWN : HIERA_FINDING_CONFLICT;
    if (hiera_findings_repeat(check->findings, code, subject))
        return;
    g_autofree char *here = hiera_check_describe(check, second->row), *there = hiera_check_describe(check, first->row);
    hiera_check_add(check, code, second->row, first->row, subject,
                    "%s of rank %u conflicts with %s of rank %u (%s:%u): it %s memory of rank %u that the other %s, "
                    "and nothing orders them%s",
                    here, hiera_check_rank(check, second->row), there, hiera_check_rank(check, first->row),
                    hiera_check_path(check, first->row), hiera_check_line(check, first->row), name_use(second),
                    check->trace->processors[second->target].rank, name_use(first),
                    are_alone ? "" : ", unless threads agree by variables");
}

/* --- conflicts --- */

/* Whether a row begins after another one, of any thread of its rank. */
static gboolean is_later(const HieraTrace *trace, guint32 row, guint32 than)
{
    if (trace->start_ns[row] != trace->start_ns[than])
        return trace->start_ns[row] > trace->start_ns[than];
    return row > than;
}

/* Whether one of the rows, which are sorted by time, lies between two others; HIERA_NONE: before or after all. */
static gboolean has_between(const HieraTrace *trace, const GArray *rows, guint32 after, guint32 before)
{
    guint low = 0;
    for (guint high = rows->len; low < high && after != HIERA_NONE;) {
        guint middle = low + (high - low) / 2;
        if (!is_later(trace, g_array_index(rows, guint32, middle), after))
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->len && (before == HIERA_NONE || is_later(trace, before, g_array_index(rows, guint32, low)));
}

/* Whether rank of `second` may have read in a window what the rank of `first` wrote after this was complete. */
static gboolean may_tell(const Walk *walk, const Access *first, const Access *second, const GArray *writes)
{
    const HieraTrace *trace = walk->check->trace;
    guint32 known = first->known[second->strand];
    return first->done != HIERA_NONE && has_between(trace, writes, first->done, HIERA_NONE) &&
           has_between(trace, walk->reads[second->processor], known == 0 ? HIERA_NONE : known - 1, second->row);
}

/* Whether an access is over, at its target, before what is known. */
static gboolean is_before(const Walk *walk, const Access *first, const guint32 *known)
{
    return first->done != HIERA_NONE && first->done < known[hiera_thread_order_strand(walk->order, first->done)];
}

static gboolean are_locked(const Access *first, const Access *second)
{
    return first->lock != LOCK_NONE && second->lock != LOCK_NONE && MAX(first->lock, second->lock) == LOCK_EXCLUSIVE &&
           (first->processor != second->processor || first->strand == second->strand);
}

/* Whether both are of the rank itself, and no matter of windows, or are compared elsewhere (check_buffers.c). */
static gboolean are_local(const Access *first, const Access *second)
{
    return first->processor == first->target && second->processor == second->target && strchr("rw", first->use) &&
           strchr("rw", second->use) && (first->strand == second->strand || (!first->one_sided && !second->one_sided));
}

/* Whether accumulates of one type meet in parts of their values: MPI makes one after the other only what is the same
 * location (12.7.1), but for those of one rank (12.7.2). */
static gboolean are_shifted(const Access *first, const Access *second)
{
    gint64 value = hiera_datatype_value(first->type);
    return value > 1 && !first->span.gaps && !second->span.gaps && first->processor != second->processor &&
           (first->address - second->address) % value != 0;
}

/* Whether MPI makes one access after the other. */
static gboolean are_accumulated(const Walk *walk, const Access *first, const Access *second)
{
    if (first->use != 'a' || second->use != 'a')
        return FALSE;
    return !first->type || !second->type ||
           (hiera_call_data_compare(walk->data, first->type, second->type)->at == G_MAXINT64 &&
            !are_shifted(first, second));
}

static gboolean conflict(const Walk *walk, const Access *first, const Access *second)
{
    if ((!first->writes && !second->writes) || are_locked(first, second) || are_local(first, second) ||
        first->row == second->row || is_before(walk, first, known_of(walk, second->strand)) ||
        !hiera_buffers_overlap(&first->span, &second->span))
        return FALSE;
    if (are_accumulated(walk, first, second))
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
    return later->strand == earlier->strand && trace->site[later->row] == trace->site[earlier->row] &&
           later->address == earlier->address && later->bytes == earlier->bytes && later->use == earlier->use &&
           later->lock == earlier->lock && later->span.gaps == earlier->span.gaps &&
           later->span.stride == earlier->span.stride && later->span.part == earlier->span.part;
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
    access.known = copy_known(walk, access.strand);
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
        for (gint32 rank = 0; rank < (gint32)walk->n_processors; rank++)
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

static gboolean is_one_sided(const HieraTrace *trace, guint32 row)
{
    HieraKind kind = hiera_trace_peek_site(trace, row)->kind;
    return kind == HIERA_KIND_PUT || kind == HIERA_KIND_GET || kind == HIERA_KIND_UPDATE;
}

/* Use memory of the rank itself: of interest if it is that of a window, or if other threads may use it. */
static void use_own(Walk *walk, guint32 strand, const HieraBufferUse *use, guint8 lock)
{
    guint32 processor = walk->order->processor[strand];
    gboolean is_in = is_in_window(walk, processor, use);
    if (!is_in && !walk->several[processor])
        return;
    add_access(walk, (Access){.row = use->row,
                              .processor = processor,
                              .target = processor,
                              .strand = strand,
                              .done = use->until,
                              .address = use->address,
                              .bytes = use->bytes,
                              .span = hiera_buffer_span(use),
                              .use = use->use,
                              .writes = use->use == 'w',
                              .one_sided = is_in || is_one_sided(walk->check->trace, use->row),
                              .lock = lock});
}

static void use_target(Walk *walk, guint32 strand, const HieraBufferUse *use, guint8 lock)
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
    HieraBufferSpan span = hiera_buffer_span(use);
    span.address = memory->address + use->address * memory->offset + use->offset;
    add_access(walk, (Access){.row = use->row,
                              .processor = walk->order->processor[strand],
                              .target = target,
                              .strand = strand,
                              .done = done,
                              .address = span.address,
                              .bytes = use->bytes,
                              .span = span,
                              .use = use->use,
                              .type = type,
                              .writes = !reads,
                              .one_sided = TRUE,
                              .lock = lock});
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

static void add_lock_event(const Walk *walk, GArray *events, guint32 row, guint use)
{
    const LockEvent event = {hiera_trace_find_processor(walk->check->trace, row), row,
                             walk->check->trace->start_ns[row], use};
    g_array_append_val(events, event);
}

static void note_lock_of(Walk *walk, const LockEvent *event)
{
    const HieraTrace *trace = walk->check->trace;
    const HieraBufferUse *use = &g_array_index(walk->uses, HieraBufferUse, event->use);
    guint8 *lock = &walk->lock_of[event->use];
    if (use->use == 'r' || use->use == 'w')
        *lock = find_own_lock(walk, event->processor, use->address);
    else if (use->use != 'x')
        *lock = find_lock(walk, event->processor, trace->comm[use->row], trace->peer[use->row]);
}

/* Find the locks of all uses: those that the rank has at that time, in whatever thread. */
static void find_locks(Walk *walk)
{
    const HieraTrace *trace = walk->check->trace;
    g_autoptr(GArray) events = g_array_new(FALSE, FALSE, sizeof(LockEvent));
    for (guint32 row = 0; row < trace->n_operations; row++) {
        const HieraSite *site = hiera_trace_peek_site(trace, row);
        if (site->kind == HIERA_KIND_RMA && strstr(site->operation, "lock"))
            add_lock_event(walk, events, row, HIERA_NONE);
    }
    for (guint i = 0; events->len > 0 && i < walk->uses->len; i++)
        add_lock_event(walk, events, g_array_index(walk->uses, HieraBufferUse, i).row, i);
    g_array_sort(events, compare_lock_events);
    for (guint i = 0; i < events->len; i++) {
        const LockEvent *event = &g_array_index(events, LockEvent, i);
        if (event->use == HIERA_NONE)
            note_lock(walk, event->processor, event->row);
        else
            note_lock_of(walk, event);
    }
}

/* --- the walk --- */

static gpointer given_key(const Event *event)
{
    gboolean epoch = event->kind == GIVES_EPOCH || event->kind == TAKES_EPOCH;
    return (gpointer)(guintptr)((guint64)event->number << 1 | epoch);
}

static void arrive(Walk *walk, guint32 strand, guint number)
{
    if (!walk->joined[number])
        walk->joined[number] = copy_known(walk, strand);
    else
        join(walk, walk->joined[number], known_of(walk, strand));
    walk->arrived[number]++;
}

static void give_to_place(Walk *walk, guint32 strand, guint place)
{
    gboolean is_wanted = g_array_index(walk->order->takers, guint32, place) > walk->taken_from[place];
    if (is_wanted && !walk->places[place])
        walk->places[place] = copy_known(walk, strand);
    else if (is_wanted)
        join(walk, walk->places[place], known_of(walk, strand));
    walk->given_to[place]++;
}

static gboolean take_from_place(Walk *walk, guint32 strand, guint place, gboolean anyway)
{
    if (walk->given_to[place] < g_array_index(walk->order->givers, guint32, place) && !anyway)
        return FALSE;
    if (walk->places[place])
        join(walk, known_of(walk, strand), walk->places[place]);
    if (++walk->taken_from[place] == g_array_index(walk->order->takers, guint32, place))
        g_clear_pointer(&walk->places[place], g_free);
    return TRUE;
}

static gboolean take_given(Walk *walk, guint32 strand, const Event *event, gboolean anyway)
{
    const guint32 *taken = g_hash_table_lookup(walk->given, given_key(event));
    if (taken)
        join(walk, known_of(walk, strand), taken);
    if (taken)
        g_hash_table_remove(walk->given, given_key(event));
    return taken || anyway;
}

static gboolean leave(const Walk *walk, guint32 strand, guint number, gboolean anyway)
{
    if (walk->arrived[number] < g_array_index(walk->match->collectives, HieraCollective, number).n && !anyway)
        return FALSE;
    join(walk, known_of(walk, strand), walk->joined[number]);
    return TRUE;
}

static void use_memory(Walk *walk, guint32 strand, guint number)
{
    const HieraBufferUse *use = &g_array_index(walk->uses, HieraBufferUse, number);
    if (use->use == 'r' || use->use == 'w')
        use_own(walk, strand, use, walk->lock_of[number]);
    else if (use->use != 'x')
        use_target(walk, strand, use, walk->lock_of[number]);
}

/* Take part in an event; FALSE: what it takes is not there yet. @param anyway  go on without it */
static gboolean pass(Walk *walk, const Event *event, gboolean anyway)
{
    guint32 strand = event->strand;
    known_of(walk, strand)[strand] = event->row + 1;
    switch (event->kind) {
    case TAKES_PLACE:
        return take_from_place(walk, strand, event->number, anyway);
    case GIVES_PLACE:
        give_to_place(walk, strand, event->number);
        return TRUE;
    case GIVES_MESSAGE:
    case GIVES_EPOCH:
        g_hash_table_insert(walk->given, given_key(event), copy_known(walk, strand));
        return TRUE;
    case ARRIVES:
        arrive(walk, strand, event->number);
        return TRUE;
    case TAKES_MESSAGE:
    case TAKES_EPOCH:
        return take_given(walk, strand, event, anyway);
    case LEAVES:
        return leave(walk, strand, event->number, anyway);
    default:
        use_memory(walk, strand, event->number);
        return TRUE;
    }
}

/* Return the strand whose next event is the earliest; HIERA_NONE: there are no more events. */
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
                   pass(walk, &g_array_index(walk->events, Event, walk->next[i]), FALSE)) {
                walk->next[i]++;
                moved = TRUE;
            }
        if (!moved)
            pass(walk, &g_array_index(walk->events, Event, walk->next[earliest]++), TRUE);
    }
}

/* --- events --- */

static gint compare_events(gconstpointer a, gconstpointer b)
{
    const Event *left = a, *right = b;
    if (left->strand != right->strand)
        return left->strand < right->strand ? -1 : 1;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    if (left->behind != right->behind)
        return left->behind - right->behind;
    if (left->depth != right->depth)
        return left->depth > right->depth ? -1 : 1;
    return (gint)left->kind - (gint)right->kind;
}

static void add_event(Walk *walk, guint32 row, EventKind kind, guint number)
{
    if (row == HIERA_NONE)
        return;
    const Event event = {
        .strand = hiera_thread_order_strand(walk->order, row), .row = row, .kind = kind, .number = number};
    g_array_append_val(walk->events, event);
}

static void add_steps(Walk *walk)
{
    for (guint i = 0; i < walk->order->steps->len; i++) {
        const HieraOrderStep *step = &g_array_index(walk->order->steps, HieraOrderStep, i);
        const Event event = {.strand = step->strand,
                             .row = step->row,
                             .behind = step->behind,
                             .depth = step->behind ? step->depth : 0,
                             .kind = step->takes ? TAKES_PLACE : GIVES_PLACE,
                             .number = step->place};
        g_array_append_val(walk->events, event);
    }
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

/* Note calls by which a rank may learn of others, or others of it, without a message. */
static void note_row(Walk *walk, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(walk->check->trace, row);
    gboolean syncs = strcmp(site->operation, "win_sync") == 0;
    guint32 processor = hiera_trace_find_processor(walk->check->trace, row);
    if (site->kind == HIERA_KIND_GET || site->kind == HIERA_KIND_UPDATE || syncs)
        g_array_append_val(walk->reads[processor], row);
    if (site->kind == HIERA_KIND_PUT || site->kind == HIERA_KIND_UPDATE || syncs)
        g_array_append_val(walk->writes[processor], row);
}

static gint compare_times(gconstpointer a, gconstpointer b, gpointer trace)
{
    guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;
    return left == right ? 0 : is_later(trace, left, right) ? 1 : -1;
}

static void note_rows(Walk *walk)
{
    for (guint32 row = 0; row < walk->check->trace->n_operations; row++)
        note_row(walk, row);
    for (guint32 i = 0; i < walk->n_processors; i++) {
        g_array_sort_with_data(walk->reads[i], compare_times, (gpointer)walk->check->trace);
        g_array_sort_with_data(walk->writes[i], compare_times, (gpointer)walk->check->trace);
    }
}

static void add_events(Walk *walk)
{
    const HieraMatch *match = walk->match;
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
    add_steps(walk);
    note_rows(walk);
    g_array_sort(walk->events, compare_events);
}

static void share_events(Walk *walk)
{
    for (guint i = 0; i < walk->events->len; i++) {
        guint32 strand = g_array_index(walk->events, Event, i).strand;
        if (walk->end[strand] == 0)
            walk->next[strand] = i;
        walk->end[strand] = i + 1;
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

static void walk_init(Walk *walk, const HieraCheck *check, GArray *uses, HieraThreadOrder *order)
{
    guint32 n = order->n_strands, n_processors = check->trace->n_processors;
    const HieraMatch *match = check->match;
    *walk = (Walk){.check = check, .match = match, .order = order, .n = n, .n_processors = n_processors, .uses = uses};
    walk->several = g_new0(gboolean, n_processors + 1);
    for (guint32 i = n_processors; i < n; i++)
        walk->several[order->processor[i]] = TRUE;
    walk->lock_of = g_new0(guint8, uses->len + 1);
    walk->events = g_array_new(FALSE, FALSE, sizeof(Event));
    walk->next = g_new0(guint, n);
    walk->end = g_new0(guint, n);
    walk->known = g_new0(guint32, (gsize)n * n);
    walk->places = g_new0(guint32 *, order->givers->len + 1);
    walk->given_to = g_new0(guint32, order->givers->len + 1);
    walk->taken_from = g_new0(guint32, order->givers->len + 1);
    walk->given = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    walk->joined = g_new0(guint32 *, match->collectives->len + 1);
    walk->arrived = g_new0(guint32, match->collectives->len + 1);
    walk->memory = g_hash_table_new(NULL, NULL);
    walk->ends = g_hash_table_new(NULL, NULL);
    walk->locks = g_hash_table_new(NULL, NULL);
    walk->accesses = g_new0(GSequence *, n_processors);
    walk->longest = g_new0(gint64, n_processors);
    walk->reads = g_new0(GArray *, n_processors);
    walk->writes = g_new0(GArray *, n_processors);
    walk->data = hiera_data_of_calls_new(check->trace);
    for (guint32 i = 0; i < n_processors; i++) {
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
    for (guint32 i = 0; i < walk->n_processors; i++) {
        g_sequence_free(walk->accesses[i]);
        g_array_unref(walk->reads[i]);
        g_array_unref(walk->writes[i]);
    }
    for (guint i = 0; i < walk->match->collectives->len; i++)
        g_free(walk->joined[i]);
    for (guint i = 0; i < walk->order->givers->len; i++)
        g_free(walk->places[i]);
    g_array_unref(walk->events);
    g_hash_table_unref(walk->given);
    g_hash_table_unref(walk->memory);
    g_hash_table_unref(walk->ends);
    g_hash_table_unref(walk->locks);
    hiera_data_of_calls_free(walk->data);
    gpointer all[] = {walk->next,     walk->end,     walk->known,    walk->joined,    walk->arrived,
                      walk->accesses, walk->longest, walk->reads,    walk->writes,    walk->several,
                      walk->lock_of,  walk->places,  walk->given_to, walk->taken_from};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        g_free(all[i]);
}

static gboolean is_possible(const HieraCheck *check, const GArray *uses)
{
    gboolean any = FALSE;
    for (guint i = 0; i < uses->len && !any; i++)
        any = strchr("pga", g_array_index(uses, HieraBufferUse, i).use) != NULL;
    return any && !check->scope->share.own && check->trace->n_processors <= RANKS_MOST;
}

static void walk_all(const HieraCheck *check, GArray *uses, HieraThreadOrder *order)
{
    Walk walk;
    walk_init(&walk, check, uses, order);
    find_windows(&walk);
    find_locks(&walk);
    add_events(&walk);
    share_events(&walk);
    visit_all(&walk);
    walk_clear(&walk);
}

void hiera_check_windows(const HieraCheck *check)
{
    g_autoptr(GArray) uses = hiera_buffer_uses(check->match);
    if (check->part || !is_possible(check, uses))
        return;
    HieraThreadOrder *order = hiera_thread_order_new(check->trace);
    gboolean is_known = TRUE;
    for (guint32 i = 0; i < check->trace->n_processors; i++)
        is_known = is_known && order->is_known[i];
    if (is_known)
        walk_all(check, uses, order);
    hiera_thread_order_free(order);
}
