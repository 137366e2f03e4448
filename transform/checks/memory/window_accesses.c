/* See window_accesses.h. Ranks may agree on an order by what they read in windows, which no trace shows: so nothing is
 * said if that is possible. Two accesses under locks of which one is exclusive have some order. */
#include "window_accesses.h"
#include "checks/call_data.h"
#include "window_locks.h"
#include <string.h>

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

struct HieraWindowAccesses {
    const HieraCheck *check;
    const HieraThreadStrands *strands;
    const GArray *uses;       /* HieraBufferUse */
    gboolean *several;        /* by processor: whether it has several strands */
    guint8 *lock_of;          /* by use: HIERA_LOCK_…, what the rank holds on the target then */
    GHashTable *memory;       /* processor and context of a window → HieraBufferUse: its memory */
    GHashTable *ends;         /* row of an access → row + 1 that completes it */
    GSequence **accesses;     /* by target: Access, by address */
    gint64 *longest;          /* by target: bytes of the longest access */
    GArray **reads, **writes; /* by processor, in the order of time: rows that may tell it something of others, or
                                 others of it */
    GArray **completing;      /* by processor, in the order of time: rows that complete accesses; of those with several
                                 strands */
    HieraDataOfCalls *data;
};

/* --- findings --- */

static const char *name_use(const Access *access)
{
    return access->writes ? "writes" : "reads";
}

/* Whether nothing that the trace does not show can order an access: threads may agree by variables. */
static gboolean is_alone(const HieraWindowAccesses *search, const Access *access)
{
    const HieraProcessor *of = &search->check->trace->processors[access->processor];
    return !search->several[access->processor] || (!of->calls_in_threads && access->strand == access->processor);
}

static void report(const HieraWindowAccesses *search, const Access *first, const Access *second)
{
    const HieraCheck *check = search->check;
    gboolean are_alone = is_alone(search, first) && is_alone(search, second);
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

static gboolean is_one_sided(const HieraTrace *trace, guint32 row)
{
    HieraKind kind = hiera_trace_peek_site(trace, row)->kind;
    return kind == HIERA_KIND_PUT || kind == HIERA_KIND_GET || kind == HIERA_KIND_UPDATE;
}

/* Whether a row begins after another one, of any thread of its rank. */
static gboolean is_later(const HieraTrace *trace, guint32 row, guint32 than)
{
    if (trace->start_ns[row] != trace->start_ns[than])
        return trace->start_ns[row] > trace->start_ns[than];
    return row > than;
}

/* Return the index of the first of the rows, which are sorted by time, that is later than another row. */
static guint find_later(const HieraTrace *trace, const GArray *rows, guint32 than)
{
    guint low = 0;
    for (guint high = rows->len; low < high;) {
        guint middle = low + (high - low) / 2;
        if (!is_later(trace, g_array_index(rows, guint32, middle), than))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether one of the rows, which are sorted by time, lies between two others; HIERA_NONE: before or after all. */
static gboolean has_between(const HieraTrace *trace, const GArray *rows, guint32 after, guint32 before)
{
    guint first = after == HIERA_NONE ? 0 : find_later(trace, rows, after);
    return first < rows->len && (before == HIERA_NONE || is_later(trace, before, g_array_index(rows, guint32, first)));
}

/* Whether rank of `second` may have read in a window what the rank of `first` wrote after this was complete. */
static gboolean may_tell(const HieraWindowAccesses *search, const Access *first, const Access *second,
                         const GArray *writes)
{
    const HieraTrace *trace = search->check->trace;
    guint32 known = first->known[second->strand];
    return first->done != HIERA_NONE && has_between(trace, writes, first->done, HIERA_NONE) &&
           has_between(trace, search->reads[second->processor], known == 0 ? HIERA_NONE : known - 1, second->row);
}

static gboolean knows(const HieraWindowAccesses *search, const Access *access, guint32 row)
{
    return row < access->known[hiera_thread_strands_peek(search->strands, row)];
}

/* Whether a call completes an access: at its target, or, for what its own rank does, at its origin. */
static gboolean completes(const HieraTrace *trace, guint32 row, const Access *access)
{
    const char *name = hiera_trace_peek_site(trace, row)->operation;
    gboolean of_one =
        strcmp(name, "win_flush") == 0 || strcmp(name, "win_flush_local") == 0 || strcmp(name, "win_unlock") == 0;
    return trace->comm[row] == trace->comm[access->row] && (!of_one || trace->peer[row] == trace->peer[access->row]) &&
           (!strstr(name, "local") || strchr("rwg", access->use));
}

/* Whether any call that began after an access completes it before another one. `done` is the first one by time: with
 * several strands it may be of a strand that is not known, while a later one is. */
static gboolean is_completed(const HieraWindowAccesses *search, const Access *first, const Access *second)
{
    enum { CALLS_MOST = 4096 }; /* that are looked at; where there are more, nothing is said */
    const HieraTrace *trace = search->check->trace;
    const GArray *rows = search->completing[first->processor];
    if (!is_one_sided(trace, first->row) || !knows(search, second, first->row))
        return FALSE;
    guint begin = find_later(trace, rows, first->row);
    for (guint i = begin; i < rows->len; i++) {
        guint32 row = g_array_index(rows, guint32, i);
        if (trace->start_ns[row] > trace->start_ns[second->row])
            break;
        if (i - begin >= CALLS_MOST || (trace->start_ns[row] >= trace->finish_ns[first->row] &&
                                        knows(search, second, row) && completes(trace, row, first)))
            return TRUE;
    }
    return FALSE;
}

/* Whether an access is over, at its target, before another one. */
static gboolean is_before(const HieraWindowAccesses *search, const Access *first, const Access *second)
{
    return (first->done != HIERA_NONE && knows(search, second, first->done)) ||
           (search->several[first->processor] && is_completed(search, first, second));
}

static gboolean are_locked(const Access *first, const Access *second)
{
    return first->lock != HIERA_LOCK_NONE && second->lock != HIERA_LOCK_NONE &&
           MAX(first->lock, second->lock) == HIERA_LOCK_EXCLUSIVE &&
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
static gboolean are_accumulated(const HieraWindowAccesses *search, const Access *first, const Access *second)
{
    if (first->use != 'a' || second->use != 'a')
        return FALSE;
    return !first->type || !second->type ||
           (hiera_call_data_compare(search->data, first->type, second->type)->at == G_MAXINT64 &&
            !are_shifted(first, second));
}

static gboolean conflict(const HieraWindowAccesses *search, const Access *first, const Access *second)
{
    if ((!first->writes && !second->writes) || are_locked(first, second) || are_local(first, second) ||
        first->row == second->row || is_before(search, first, second) ||
        !hiera_buffers_overlap(&first->span, &second->span))
        return FALSE;
    if (are_accumulated(search, first, second))
        return FALSE;
    if (first->processor == second->processor)
        return TRUE;
    return !may_tell(search, first, second, search->writes[first->processor]) &&
           !may_tell(search, second, first, search->writes[second->processor]);
}

static gint compare_addresses(gconstpointer a, gconstpointer b, gpointer unused)
{
    const Access *left = a, *right = b;
    (void)unused;
    return (left->address > right->address) - (left->address < right->address);
}

/* Whether a later access of the same call site conflicts with all that an earlier one would conflict with. */
static gboolean replaces(const HieraWindowAccesses *search, const Access *later, const Access *earlier)
{
    const HieraTrace *trace = search->check->trace;
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

static void add_access(HieraWindowAccesses *search, Access access)
{
    GSequence *all = search->accesses[access.target];
    Access from = {.address = access.address - search->longest[access.target]};
    GSequenceIter *at = g_sequence_search(all, &from, compare_addresses, NULL), *next;
    access.known = g_memdup2(access.known, search->strands->n * sizeof *access.known);
    for (; !g_sequence_iter_is_end(at); at = next) {
        const Access *other = g_sequence_get(at);
        next = g_sequence_iter_next(at);
        if (other->address >= access.address + access.bytes)
            break;
        if (conflict(search, other, &access))
            report(search, other, &access);
        if (replaces(search, &access, other))
            g_sequence_remove(at);
    }
    search->longest[access.target] = MAX(search->longest[access.target], access.bytes);
    g_sequence_insert_sorted(all, g_memdup2(&access, sizeof access), compare_addresses, NULL);
}

/* --- accesses --- */

static gpointer window_key(const HieraWindowAccesses *search, guint32 processor, guint32 comm)
{
    return (gpointer)(guintptr)((guint64)processor << 32 | hiera_match_context(search->check->match, comm));
}

static gboolean is_in_window(const HieraWindowAccesses *search, guint32 processor, const HieraBufferUse *use)
{
    GHashTableIter at;
    gpointer key, value;
    g_hash_table_iter_init(&at, search->memory);
    while (g_hash_table_iter_next(&at, &key, &value)) {
        const HieraBufferUse *memory = value;
        if (hiera_trace_find_processor(search->check->trace, memory->row) == processor &&
            use->address < memory->address + memory->bytes && memory->address < use->address + use->bytes)
            return TRUE;
    }
    return FALSE;
}

/* Use memory of the rank itself: of interest if it is that of a window, or if other threads may use it. */
static void use_own(HieraWindowAccesses *search, guint32 strand, const HieraBufferUse *use, guint8 lock, guint32 *known)
{
    guint32 processor = search->strands->processor[strand];
    gboolean is_in = is_in_window(search, processor, use);
    if (!is_in && !search->several[processor])
        return;
    add_access(search, (Access){.row = use->row,
                                .processor = processor,
                                .target = processor,
                                .strand = strand,
                                .done = use->until,
                                .address = use->address,
                                .bytes = use->bytes,
                                .span = hiera_buffer_span(use),
                                .use = use->use,
                                .writes = use->use == 'w',
                                .one_sided = is_in || is_one_sided(search->check->trace, use->row),
                                .lock = lock,
                                .known = known});
}

static void use_target(HieraWindowAccesses *search, guint32 strand, const HieraBufferUse *use, guint8 lock,
                       guint32 *known)
{
    const HieraTrace *trace = search->check->trace;
    guint32 comm = trace->comm[use->row],
            target = hiera_trace_find_rank(trace, hiera_match_peer(search->check->match, use->row));
    const HieraBufferUse *memory =
        target == HIERA_NONE ? NULL : g_hash_table_lookup(search->memory, window_key(search, target, comm));
    if (!memory)
        return;
    const HieraCallData *data = hiera_call_data_peek(search->data, use->row);
    const HieraDatatype *type = NULL;
    if (data)
        type = data->receive ? data->receive : data->both;
    gboolean reads = use->use == 'g' || (data && data->op && strcmp(data->op, "MPI_NO_OP") == 0);
    guint32 done = GPOINTER_TO_UINT(g_hash_table_lookup(search->ends, GUINT_TO_POINTER(use->row))) - 1;
    HieraBufferSpan span = hiera_buffer_span(use);
    span.address = memory->address + use->address * memory->offset + use->offset;
    add_access(search, (Access){.row = use->row,
                                .processor = search->strands->processor[strand],
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
                                .lock = lock,
                                .known = known});
}

/* --- all accesses --- */

/* Note calls by which a rank may learn of others, or others of it, without a message, and those that complete accesses.
 */
static void note_row(HieraWindowAccesses *search, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(search->check->trace, row);
    static const char *const completing[] = {
        "win_flush",  "win_flush_all",  "win_flush_local", "win_flush_local_all",
        "win_unlock", "win_unlock_all", "win_fence",       "win_complete",
    };
    gboolean syncs = strcmp(site->operation, "win_sync") == 0;
    guint32 processor = hiera_trace_find_processor(search->check->trace, row);
    if (site->kind == HIERA_KIND_GET || site->kind == HIERA_KIND_UPDATE || syncs)
        g_array_append_val(search->reads[processor], row);
    if (site->kind == HIERA_KIND_PUT || site->kind == HIERA_KIND_UPDATE || syncs)
        g_array_append_val(search->writes[processor], row);
    for (guint i = 0; search->several[processor] && i < G_N_ELEMENTS(completing); i++)
        if (site->mpi && strcmp(site->operation, completing[i]) == 0)
            g_array_append_val(search->completing[processor], row);
}

static gint compare_times(gconstpointer a, gconstpointer b, gpointer trace)
{
    guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;
    return left == right ? 0 : is_later(trace, left, right) ? 1 : -1;
}

static void note_rows(HieraWindowAccesses *search)
{
    for (guint32 row = 0; row < search->check->trace->n_operations; row++)
        note_row(search, row);
    for (guint32 i = 0; i < search->check->trace->n_processors; i++) {
        g_array_sort_with_data(search->reads[i], compare_times, (gpointer)search->check->trace);
        g_array_sort_with_data(search->writes[i], compare_times, (gpointer)search->check->trace);
        g_array_sort_with_data(search->completing[i], compare_times, (gpointer)search->check->trace);
    }
}

static void find_windows(HieraWindowAccesses *search)
{
    const HieraTrace *trace = search->check->trace;
    for (guint i = 0; i < search->uses->len; i++) {
        const HieraBufferUse *use = &g_array_index(search->uses, HieraBufferUse, i);
        guint32 comm = hiera_trace_peek_sparse(trace, use->row)->other;
        if (use->use == 'x' && comm != HIERA_NONE)
            g_hash_table_insert(search->memory, window_key(search, hiera_trace_find_processor(trace, use->row), comm),
                                (gpointer)use);
    }
}

static void find_ends(HieraWindowAccesses *search)
{
    const HieraMatch *match = search->check->match;
    for (guint i = 0; i < match->completions->len; i++) {
        const HieraPair *pair = &g_array_index(match->completions, HieraPair, i);
        g_hash_table_insert(search->ends, GUINT_TO_POINTER(pair->start), GUINT_TO_POINTER(pair->completion + 1));
    }
    /* A get whose data are at the origin has read its target. */
    for (guint i = 0; i < match->requests->len; i++) {
        const HieraPair *pair = &g_array_index(match->requests, HieraPair, i);
        guint32 end = GPOINTER_TO_UINT(g_hash_table_lookup(search->ends, GUINT_TO_POINTER(pair->start))) - 1;
        if (hiera_trace_peek_site(match->trace, pair->start)->kind == HIERA_KIND_GET)
            g_hash_table_insert(search->ends, GUINT_TO_POINTER(pair->start),
                                GUINT_TO_POINTER(MIN(end, pair->completion) + 1));
    }
}

HieraWindowAccesses *hiera_window_accesses_new(const HieraCheck *check, const GArray *uses,
                                               const HieraThreadStrands *strands)
{
    guint32 n = check->trace->n_processors;
    HieraWindowAccesses *search = g_new0(HieraWindowAccesses, 1);
    *search = (HieraWindowAccesses){.check = check, .strands = strands, .uses = uses};
    search->several = g_new0(gboolean, n + 1);
    for (guint32 i = n; i < strands->n; i++)
        search->several[strands->processor[i]] = TRUE;
    search->memory = g_hash_table_new(NULL, NULL);
    search->ends = g_hash_table_new(NULL, NULL);
    search->accesses = g_new0(GSequence *, n);
    search->longest = g_new0(gint64, n);
    search->reads = g_new0(GArray *, n);
    search->writes = g_new0(GArray *, n);
    search->completing = g_new0(GArray *, n);
    search->data = hiera_data_of_calls_new(check->trace);
    for (guint32 i = 0; i < n; i++) {
        search->accesses[i] = g_sequence_new(free_access);
        search->reads[i] = g_array_new(FALSE, FALSE, sizeof(guint32));
        search->writes[i] = g_array_new(FALSE, FALSE, sizeof(guint32));
        search->completing[i] = g_array_new(FALSE, FALSE, sizeof(guint32));
    }
    find_ends(search);
    find_windows(search);
    search->lock_of = hiera_window_locks_find(check->match, uses, search->memory);
    note_rows(search);
    return search;
}

void hiera_window_accesses_free(HieraWindowAccesses *search)
{
    for (guint32 i = 0; i < search->check->trace->n_processors; i++) {
        g_sequence_free(search->accesses[i]);
        g_array_unref(search->reads[i]);
        g_array_unref(search->writes[i]);
        g_array_unref(search->completing[i]);
    }
    g_hash_table_unref(search->memory);
    g_hash_table_unref(search->ends);
    hiera_data_of_calls_free(search->data);
    gpointer all[] = {search->accesses, search->longest, search->reads,      search->writes,
                      search->several,  search->lock_of, search->completing, search};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        g_free(all[i]);
}

void hiera_window_accesses_add(HieraWindowAccesses *search, guint number, guint32 strand, guint32 *known)
{
    const HieraBufferUse *use = &g_array_index(search->uses, HieraBufferUse, number);
    if (use->use == 'r' || use->use == 'w')
        use_own(search, strand, use, search->lock_of[number], known);
    else if (use->use != 'x')
        use_target(search, strand, use, search->lock_of[number], known);
}
