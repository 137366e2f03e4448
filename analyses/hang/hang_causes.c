/* Chooses the sentences on why the run as a whole did not end. */
#include "hang_parts.h"
#include <string.h>

enum { CAUSES_MOST = 3, CYCLE_MOST = 8 }; /* most sentences of one kind; most ranks of a cycle that are named */
enum { LONG_NS = 1000000000 }; /* of a rank that goes on, only what has lasted for so long is worth a sentence */

const char *hiera_hang_verdict_name(HieraHangVerdict verdict)
{
    static const char *const names[] = {
#define X(identifier, name) name,
        HIERA_HANG_VERDICTS(X)
#undef X
    };
    return names[verdict];
}

static guint32 rank_of(const HieraHang *hang, guint32 processor)
{
    return hang->trace->processors[processor].rank;
}

/* Add "rank 0 waits in MPI_Recv (app.c:31) for …; WHY". @param why  "": the reason is not known */
static void add_wait(const HieraHang *hang, GPtrArray *causes, guint32 processor, const HieraHangNeed *need,
                     const char *why)
{
    const HieraHangRank *rank = &hang->ranks[processor];
    g_autofree char *call = hiera_hang_call(hang, rank->row), *wanted = hiera_hang_describe_need(hang, need);
    g_autofree char *made = need->made_by == rank->row ? NULL : hiera_hang_call(hang, need->made_by);
    g_ptr_array_add(causes, g_strdup_printf("rank %u waits in %s%s%s%s %s%s%s", rank_of(hang, processor), call,
                                            made ? ", whose " : "", made ? made : "", made ? " needs" : " for", wanted,
                                            *why ? "; " : "", why));
}

/* --- collectives that differ between their members --- */

static void add_difference(const HieraHang *hang, GPtrArray *causes, guint32 row, guint32 other)
{
    char *text = hiera_hang_describe_difference(hang, row, other);
    for (guint i = 0; i < causes->len; i++) {
        if (strcmp(g_ptr_array_index(causes, i), text) == 0) {
            g_free(text);
            return;
        }
    }
    g_ptr_array_add(causes, text);
}

/* Add a sentence on each communicator's first differing collective, after which later ones differ too. */
static void add_differences(const HieraHang *hang, GPtrArray *causes)
{
    const HieraTrace *trace = hang->trace;
    g_autoptr(GHashTable) reported = g_hash_table_new(NULL, NULL);
    for (guint32 row = 0; row < trace->n_operations && causes->len < CAUSES_MOST; row++) {
        guint32 other = hiera_match_differing(hang->match, row);
        if (other == HIERA_NONE || hiera_match_reason(hang->match, row) != HIERA_REASON_MISMATCH)
            continue;
        gpointer context = GUINT_TO_POINTER(hiera_match_context(hang->match, trace->comm[row]));
        if (g_hash_table_add(reported, context))
            add_difference(hang, causes, row, other);
    }
}

/* --- reasons for waits: an operation in the way, or one that nearly fits --- */

/* Add sentences on waits whose reason is known. Of two operations that nearly fit each other, one is reported. */
static void add_near(const HieraHang *hang, GPtrArray *causes, GHashTable *reported)
{
    guint before = causes->len;
    for (guint32 i = 0; i < hang->trace->n_processors && causes->len < before + CAUSES_MOST; i++) {
        const HieraHangNeed *need = hiera_hang_first_need(hang, i);
        if (!need || (need->never && need->kind != HIERA_KIND_COMPLETE) ||
            g_hash_table_contains(reported, GUINT_TO_POINTER(need->act)))
            continue;
        g_autofree char *why = hiera_hang_describe_why(hang, i, need);
        if (!*why && need->kind != HIERA_KIND_COMPLETE)
            continue;
        add_wait(hang, causes, i, need, why);
        g_hash_table_add(reported, GUINT_TO_POINTER(need->act));
        g_hash_table_add(reported, GUINT_TO_POINTER(hiera_hang_find_near(hang, i, need).act));
    }
}

/* --- ranks that are missing at a call --- */

/* Return the ranks that a need waits for and that have ended: these are not marked as stuck, but can do nothing. */
static GArray *find_gone(const HieraHang *hang, const HieraHangNeed *need)
{
    GArray *gone = g_array_new(FALSE, FALSE, sizeof(gint32));
    for (guint i = 0; i < need->ranks->len; i++) {
        gint32 rank = g_array_index(need->ranks, gint32, i);
        guint32 processor = hiera_trace_find_rank(hang->trace, rank);
        if (processor != HIERA_NONE && hiera_hang_has_ended(hang, processor))
            g_array_append_val(gone, rank);
    }
    return gone;
}

/* Add "rank 1 is missing at MPI_Barrier (app.c:12) on MPI_COMM_WORLD, where rank 0 waits: rank 1 is in …". */
static void add_absence(const HieraHang *hang, GPtrArray *causes, guint32 processor, const HieraHangNeed *need)
{
    g_autofree char *missing = hiera_hang_ranks(need->ranks), *call = hiera_hang_call(hang, need->made_by);
    g_autofree char *states = hiera_hang_describe_ranks(hang, need->ranks);
    g_ptr_array_add(causes, g_strdup_printf("%s %s missing at %s on %s, where rank %u waits: %s", missing,
                                            need->ranks->len == 1 ? "is" : "are", call,
                                            hiera_match_comm_id(hang->match, hang->trace->comm[need->made_by]),
                                            rank_of(hang, processor), states));
}

/* Add the collectives that cannot complete, each once.
 * @param gone  TRUE: those for which a rank is missing that has ended; else the others */
static void add_absences(const HieraHang *hang, GPtrArray *causes, GHashTable *reported, gboolean gone)
{
    guint before = causes->len;
    g_autoptr(GHashTable) collectives = g_hash_table_new(NULL, NULL);
    for (guint32 i = 0; i < hang->trace->n_processors && causes->len < before + CAUSES_MOST; i++) {
        const HieraHangNeed *need = hiera_hang_first_need(hang, i);
        g_autoptr(GArray) absent = need ? find_gone(hang, need) : NULL;
        if (need && !need->never && hiera_hang_is_collective(need->kind) && (absent->len > 0) == gone &&
            !g_hash_table_contains(reported, GUINT_TO_POINTER(need->act)) &&
            g_hash_table_add(collectives, GUINT_TO_POINTER(hiera_match_collective(hang->match, need->act))))
            add_absence(hang, causes, i, need);
    }
}

/* Add the waits for ranks that have ended, one sentence for each call site that waits. */
static void add_gone(const HieraHang *hang, GPtrArray *causes, GHashTable *reported)
{
    guint before = causes->len;
    g_autoptr(GHashTable) sites = g_hash_table_new(NULL, NULL);
    for (guint32 i = 0; i < hang->trace->n_processors && causes->len < before + CAUSES_MOST; i++) {
        const HieraHangNeed *need = hiera_hang_first_need(hang, i);
        if (!need || need->never || hiera_hang_is_collective(need->kind) ||
            g_hash_table_contains(reported, GUINT_TO_POINTER(need->act)))
            continue;
        g_autoptr(GArray) gone = find_gone(hang, need);
        if (gone->len == 0 || (!need->all && gone->len < need->ranks->len) ||
            !g_hash_table_add(sites, GUINT_TO_POINTER(hang->trace->site[hang->ranks[i].row])))
            continue;
        g_autofree char *why = hiera_hang_describe_ranks(hang, gone);
        add_wait(hang, causes, i, need, why);
    }
}

/* --- cycles of ranks that wait for each other --- */

/* Return the next rank of the chain of waits, which is itself stuck; HIERA_NONE if there is none, or if the need cannot
 * be met whatever that rank does. */
static guint32 next_of(const HieraHang *hang, guint32 processor)
{
    const HieraHangNeed *need = hiera_hang_first_need(hang, processor);
    for (guint i = 0; need && !need->never && i < need->ranks->len; i++) {
        guint32 next = hiera_trace_find_rank(hang->trace, g_array_index(need->ranks, gint32, i));
        if (next != HIERA_NONE && hang->ranks[next].stuck)
            return next;
    }
    return HIERA_NONE;
}

/* Follow the chain of waits from a rank. Return a rank of the cycle at its end; HIERA_NONE: there is none. */
static guint32 find_cycle(const HieraHang *hang, guint32 from, guint8 *seen)
{
    while (from != HIERA_NONE && seen[from] == 0) {
        seen[from] = 1;
        from = next_of(hang, from);
    }
    guint32 cycle = from != HIERA_NONE && seen[from] == 1 ? from : HIERA_NONE;
    for (; from != HIERA_NONE && seen[from] == 1; from = next_of(hang, from))
        seen[from] = 2;
    return cycle;
}

static void add_cycle(const HieraHang *hang, GPtrArray *causes, guint32 first)
{
    GString *text = g_string_new(next_of(hang, first) == first ? "it waits for itself: " : "each waits for the next: ");
    guint32 at = first;
    for (guint n = 0; n < CYCLE_MOST && (n == 0 || at != first); n++, at = next_of(hang, at)) {
        const HieraHangNeed *need = hiera_hang_first_need(hang, at);
        g_autofree char *call = hiera_hang_call(hang, hang->ranks[at].row);
        g_autofree char *made = need->made_by == hang->ranks[at].row ? NULL : hiera_hang_call(hang, need->made_by);
        g_string_append_printf(text, "rank %u in %s%s%s → ", rank_of(hang, at), call, made ? ", for its " : "",
                               made ? made : "");
    }
    if (at != first)
        g_string_append(text, "… → ");
    g_string_append_printf(text, "rank %u", rank_of(hang, first));
    g_ptr_array_add(causes, g_string_free(text, FALSE));
}

static void add_cycles(const HieraHang *hang, GPtrArray *causes)
{
    g_autofree guint8 *seen = g_new0(guint8, (gsize)hang->trace->n_processors + 1);
    guint before = causes->len;
    for (guint32 i = 0; i < hang->trace->n_processors && causes->len < before + CAUSES_MOST; i++) {
        guint32 cycle = hang->ranks[i].stuck ? find_cycle(hang, i, seen) : HIERA_NONE;
        if (cycle != HIERA_NONE)
            add_cycle(hang, causes, cycle);
        for (guint32 j = 0; j < hang->trace->n_processors; j++)
            seen[j] = seen[j] ? 2 : 0;
    }
}

/* --- runs without a deadlock --- */

static gint64 count_state(const HieraHang *hang, HieraHangState state, guint32 *first)
{
    gint64 n = 0;
    for (guint32 i = hang->trace->n_processors; i-- > 0;) {
        if (hang->ranks[i].state == state) {
            *first = i;
            n++;
        }
    }
    return n;
}

/* For a run whose ranks are all in MPI_Finalize: add messages that were never received, and receives without a message.
 */
static void add_left_over(const HieraHang *hang, GPtrArray *causes)
{
    for (guint i = 0; i < hang->ends->len && causes->len < CAUSES_MOST; i++) {
        const HieraHangEnd *end = &g_array_index(hang->ends, HieraHangEnd, i);
        g_autofree char *call = hiera_hang_call(hang, end->made_by);
        g_autofree char *envelope = hiera_hang_envelope(hang, end->tag, hang->trace->comm[end->made_by]);
        g_autofree char *peer = end->peer == HIERA_ANY ? g_strdup("any rank") : g_strdup_printf("rank %d", end->peer);
        g_ptr_array_add(causes,
                        g_strdup_printf("%s of rank %u %s %s%s was never %s", call, rank_of(hang, end->processor),
                                        end->sent ? "to" : "from", peer, envelope, end->sent ? "received" : "sent"));
    }
}

static gint64 last_end(const HieraHang *hang)
{
    gint64 last_ns = 0;
    for (guint32 i = 0; i < hang->trace->n_processors; i++)
        last_ns = MAX(last_ns, hang->ranks[i].end_ns);
    return last_ns;
}

/* Whether a rank still runs and has come into its state just now; of one that is far: was seen just now. */
static gboolean goes_on(const HieraHang *hang, guint32 processor)
{
    const HieraHangRank *rank = &hang->ranks[processor];
    gint64 ns = hiera_hang_is_far(hang, processor) ? last_end(hang) - rank->end_ns : rank->end_ns - rank->since_ns;
    return hang->trace->processors[processor].alive && !hiera_hang_is_stopped(hang, processor) && ns < LONG_NS;
}

/* Add the ranks that were outside of MPI, in tests without success, or stopped, when the run was ended, or seen last.
 */
static void add_busy(const HieraHang *hang, GPtrArray *causes)
{
    for (guint32 i = 0; i < hang->trace->n_processors && causes->len < CAUSES_MOST; i++) {
        HieraHangState state = hang->ranks[i].state;
        gboolean is_lost = state == HIERA_HANG_UNKNOWN && hiera_hang_is_far(hang, i);
        if ((state != HIERA_HANG_COMPUTES && state != HIERA_HANG_TESTS && !is_lost &&
             !hiera_hang_is_stopped(hang, i)) ||
            goes_on(hang, i))
            continue;
        g_autofree char *text = hiera_hang_describe_rank(hang, (gint32)rank_of(hang, i));
        g_ptr_array_add(causes, g_strdup_printf("rank %u %s", rank_of(hang, i), text));
    }
}

/* Add the ranks that wait, while other threads of them may do what is waited for. */
static void add_threads(const HieraHang *hang, GPtrArray *causes)
{
    for (guint32 i = 0; i < hang->trace->n_processors && causes->len < CAUSES_MOST; i++) {
        const HieraHangRank *rank = &hang->ranks[i];
        if (rank->state != HIERA_HANG_WAITS || !hiera_hang_open_need(hang, i) || !rank->has_free_thread ||
            goes_on(hang, i))
            continue;
        g_autofree char *call = hiera_hang_call(hang, rank->row);
        g_ptr_array_add(causes, g_strdup_printf("rank %u is in %s, and has threads that are in no MPI call: one of "
                                                "them may do what others wait for, or it has ended",
                                                rank_of(hang, i), call));
    }
}

/* Add the calls that could have ended, because other ranks had done what the calls need. */
static void add_ready(const HieraHang *hang, GPtrArray *causes)
{
    for (guint32 i = 0; i < hang->trace->n_processors && causes->len < CAUSES_MOST; i++) {
        if (hang->ranks[i].state != HIERA_HANG_WAITS || hiera_hang_open_need(hang, i) || goes_on(hang, i))
            continue;
        guint32 row = hang->ranks[i].row;
        g_autofree char *call = hiera_hang_call(hang, row);
        gboolean fence = strcmp(hiera_trace_peek_site(hang->trace, row)->operation, "win_fence") == 0;
        g_ptr_array_add(causes, g_strdup_printf("rank %u is in %s: what it waited for had come, and MPI had not yet "
                                                "ended the call (%s)",
                                                rank_of(hang, i), call,
                                                fence ? "do accesses lie inside of the window, and do asserts fit?"
                                                      : "do counts and types fit?"));
    }
}

static void add_failed(const HieraHang *hang, GPtrArray *causes)
{
    for (guint32 i = 0; i < hang->trace->n_processors && causes->len < CAUSES_MOST; i++) {
        if (hang->ranks[i].state != HIERA_HANG_FAILED)
            continue;
        g_autofree char *how = hiera_hang_describe_reason(hang, i);
        g_ptr_array_add(causes, g_strdup_printf("rank %u %s", rank_of(hang, i), how));
    }
}

static void add_deadlock(const HieraHang *hang, GPtrArray *causes)
{
    g_autoptr(GHashTable) reported = g_hash_table_new(NULL, NULL);
    add_differences(hang, causes);
    add_near(hang, causes, reported);
    add_absences(hang, causes, reported, TRUE);
    add_gone(hang, causes, reported);
    add_cycles(hang, causes);
    add_absences(hang, causes, reported, FALSE);
}

static gboolean still_runs(const HieraHang *hang)
{
    for (guint32 i = 0; i < hang->trace->n_processors; i++) {
        if (hang->trace->processors[i].alive)
            return TRUE;
    }
    return FALSE;
}

static HieraHangVerdict add_stopped(const HieraHang *hang, GPtrArray *causes)
{
    guint32 first;
    gint64 n = hang->trace->n_processors;
    if (count_state(hang, HIERA_HANG_FINALIZE, &first) + count_state(hang, HIERA_HANG_ENDED, &first) == n) {
        add_differences(hang, causes);
        add_left_over(hang, causes);
        g_ptr_array_add(causes, g_strdup("all ranks are in MPI_Finalize"));
    } else if (count_state(hang, HIERA_HANG_UNKNOWN, &first) > 0 && !hiera_hang_is_far(hang, first)) {
        g_ptr_array_add(causes,
                        g_strdup_printf("the trace of rank %u does not say how it ended", rank_of(hang, first)));
        return HIERA_HANG_RUN_UNFINISHED;
    } else {
        add_busy(hang, causes);
        add_ready(hang, causes);
        if (causes->len == 0)
            add_threads(hang, causes);
    }
    gboolean runs = still_runs(hang);
    if (causes->len == 0)
        g_ptr_array_add(causes, g_strdup(runs ? "no rank waits for what cannot come any more"
                                              : "no rank waited for what could not come any more"));
    return runs ? HIERA_HANG_RUN_RUNS : HIERA_HANG_RUN_STOPPED;
}

GPtrArray *hiera_hang_causes(const HieraHang *hang, HieraHangVerdict *verdict)
{
    GPtrArray *causes = g_ptr_array_new_with_free_func(g_free);
    guint32 first, n = hang->trace->n_processors;
    const char *past = hiera_hang_peek_past(hang);
    *verdict = HIERA_HANG_RUN_ENDED;
    if (!hang->hung)
        g_ptr_array_add(causes,
                        g_strdup_printf("all ranks%s %s",
                                        n > 0 && n < hang->trace->processors[0].size ? " that have a trace here" : "",
                                        past ? "ended by themselves" : "called MPI_Finalize and ended"));
    else if (count_state(hang, HIERA_HANG_FAILED, &first) > 0) {
        *verdict = HIERA_HANG_RUN_FAILED;
        add_failed(hang, causes);
    } else if (past) {
        *verdict = HIERA_HANG_RUN_UNFINISHED;
        g_ptr_array_add(causes, g_strdup_printf("%s: ranks may wait in them, or for them", past));
    } else if (hang->stuck) {
        *verdict = HIERA_HANG_RUN_DEADLOCK;
        add_deadlock(hang, causes);
    } else
        *verdict = add_stopped(hang, causes);
    return causes;
}
