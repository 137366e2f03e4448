/* Finds the state of each rank when the run was ended. */
#include "hang_parts.h"
#include <string.h>

/* Signals that end a process from outside: sent by a launcher, a batch system, a user or a debugger. */
static const gint32 outside[] = {1, 2, 3, 9, 10, 12, 13, 14, 15, 24};

static gboolean is_from_outside(gint32 number)
{
    for (guint i = 0; i < G_N_ELEMENTS(outside); i++) {
        if (outside[i] == number)
            return TRUE;
    }
    return FALSE;
}

/* Whether a call returns at once and says whether something has happened, such as MPI_Test or MPI_Iprobe. */
static gboolean is_test(const HieraSite *site)
{
    return site->mpi &&
           (strstr(site->operation, "test") || strstr(site->operation, "probe") ||
            strcmp(site->operation, "request_get_status") == 0) &&
           strcmp(site->operation, "probe") != 0 && strcmp(site->operation, "mprobe") != 0 &&
           strcmp(site->operation, "test_cancelled") != 0;
}

static gboolean lies_in_call(const HieraTrace *trace, guint32 row)
{
    guint32 parent = trace->parent[row];
    return parent != HIERA_NONE && hiera_trace_peek_site(trace, parent)->mpi;
}

static void add_open_calls(const HieraHang *hang)
{
    const HieraTrace *trace = hang->trace;
    for (guint i = 0; i < trace->open->len; i++) {
        HieraHangCall call = {g_array_index(trace->open, guint32, i), FALSE, NULL};
        if (hiera_trace_peek_site(trace, call.row)->mpi && !lies_in_call(trace, call.row))
            g_array_append_val(hang->ranks[hiera_trace_find_processor(trace, call.row)].calls, call);
    }
}

/* Return the MPI call of a rank that ended last; HIERA_NONE: no call has ended. */
static guint32 find_last(const HieraTrace *trace, const HieraProcessor *processor)
{
    guint32 last = HIERA_NONE;
    for (guint64 row = processor->first; row < processor->first + processor->n_operations; row++) {
        if (hiera_trace_peek_site(trace, (guint32)row)->mpi && !lies_in_call(trace, (guint32)row) &&
            (last == HIERA_NONE || trace->finish_ns[row] >= trace->finish_ns[last]))
            last = (guint32)row;
    }
    return last;
}

/* True if MPI ended the process because its launcher is gone, so that the run was ended from outside. A library of Open
 * MPI then calls _exit with an error of PMIx, "_exit -61 (mca_ess_pmi.so)"; an exit by MPI_Abort is reported as such.
 */
static gboolean lost_its_launcher(const HieraProcessor *processor)
{
    static const char *const libraries[] = {"(mca_", "(libopen-", "(libpmix", "(libprrte", "(libmpi"};
    const char *library = strchr(processor->end, '(');
    gboolean is_mpi = FALSE;
    for (guint i = 0; library && i < G_N_ELEMENTS(libraries); i++)
        is_mpi = is_mpi || g_str_has_prefix(library, libraries[i]);
    return is_mpi && g_str_has_prefix(processor->end, "_exit -");
}

/* Return the state of a rank, not considering MPI calls that it is in.
 * @param last  its last MPI call that ended */
static HieraHangState find_state(const HieraTrace *trace, const HieraProcessor *processor, guint32 last)
{
    gboolean lost = lost_its_launcher(processor);
    gboolean stopped = (processor->end_signal != 0 && is_from_outside(processor->end_signal)) || lost;
    if (*processor->end && !stopped && !processor->alive)
        return HIERA_HANG_FAILED;
    if (!processor->cut && !lost) /* a process that lost its launcher calls _exit, and `finalize` is then its end */
        return stopped || processor->alive ? HIERA_HANG_FINALIZE : HIERA_HANG_ENDED;
    if (!stopped && !(processor->alive && processor->ended)) /* `ended`: the trace says what the process does now */
        return HIERA_HANG_UNKNOWN;
    if (hiera_processor_is_past(processor)) /* it may be in a call that was not recorded */
        return HIERA_HANG_UNKNOWN;
    return last != HIERA_NONE && is_test(hiera_trace_peek_site(trace, last)) ? HIERA_HANG_TESTS : HIERA_HANG_COMPUTES;
}

/* Return the state of a rank from the call that it is in. MPI_Finalize has a row only if the filter records it. */
static HieraHangState find_state_in_call(const HieraSite *site)
{
    if (strcmp(site->operation, "finalize") == 0)
        return HIERA_HANG_FINALIZE;
    return is_test(site) ? HIERA_HANG_TESTS : HIERA_HANG_WAITS;
}

static gint64 find_since(const HieraTrace *trace, const HieraProcessor *processor, const HieraHangRank *rank)
{
    if (rank->state == HIERA_HANG_WAITS || (rank->state == HIERA_HANG_FINALIZE && rank->calls->len > 0))
        return trace->start_ns[rank->row];
    if (rank->state == HIERA_HANG_FINALIZE || rank->state == HIERA_HANG_ENDED || rank->row == HIERA_NONE)
        return rank->row == HIERA_NONE && rank->state == HIERA_HANG_COMPUTES ? processor->init_ns
                                                                             : processor->finalize_ns;
    return trace->finish_ns[rank->row];
}

static void find_rank(HieraHang *hang, guint32 number)
{
    const HieraProcessor *processor = &hang->trace->processors[number];
    HieraHangRank *rank = &hang->ranks[number];
    rank->end_ns = MAX(processor->finalize_ns, processor->end_ns);
    guint32 last = find_last(hang->trace, processor);
    rank->row = rank->calls->len > 0 ? g_array_index(rank->calls, HieraHangCall, 0).row : last;
    rank->state = find_state(hang->trace, processor, last);
    gboolean ran = rank->state != HIERA_HANG_FAILED && rank->state != HIERA_HANG_ENDED;
    if (rank->calls->len > 0 && ran)
        rank->state = find_state_in_call(hiera_trace_peek_site(hang->trace, rank->row));
    if (rank->state == HIERA_HANG_TESTS && rank->calls->len == 0) {
        HieraHangCall call = {last, TRUE, NULL};
        g_array_append_val(rank->calls, call);
    }
    rank->since_ns = find_since(hang->trace, processor, rank);
    hang->hung = hang->hung || rank->state != HIERA_HANG_ENDED;
}

/* Set `hung` and, except the needs of calls, `ranks`. */
static void find_states(HieraHang *hang)
{
    for (guint32 i = 0; i < hang->trace->n_processors; i++)
        hang->ranks[i].calls = g_array_new(FALSE, FALSE, sizeof(HieraHangCall));
    add_open_calls(hang);
    for (guint32 i = 0; i < hang->trace->n_processors; i++)
        find_rank(hang, i);
}

HieraHang *hiera_hang_find(const HieraMatch *match)
{
    HieraHang *hang = g_new0(HieraHang, 1);
    hang->match = match;
    hang->trace = hiera_match_peek_trace(match);
    hang->ranks = g_new0(HieraHangRank, (gsize)hang->trace->n_processors + 1);
    hang->ends = g_array_new(FALSE, FALSE, sizeof(HieraHangEnd));
    hang->freed = g_array_new(FALSE, FALSE, sizeof(guint32));
    hang->locks = g_array_new(FALSE, FALSE, sizeof(guint32));
    hang->missing = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    hang->shared = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    find_states(hang);
    if (hang->hung) {
        hiera_hang_find_ends(hang);
        hiera_hang_find_needs(hang);
        if (!hiera_hang_peek_past(hang)) /* calls that were not recorded may be what ranks wait for */
            hiera_hang_find_stuck(hang);
    }
    return hang;
}

static void free_call(const HieraHangCall *call)
{
    for (guint i = 0; call->needs && i < call->needs->len; i++)
        g_array_unref(g_array_index(call->needs, HieraHangNeed, i).ranks);
    g_clear_pointer((GArray **)&call->needs, g_array_unref);
}

void hiera_hang_free(HieraHang *hang)
{
    if (!hang)
        return;
    for (guint32 i = 0; i < hang->trace->n_processors; i++) {
        for (guint j = 0; j < hang->ranks[i].calls->len; j++)
            free_call(&g_array_index(hang->ranks[i].calls, HieraHangCall, j));
        g_array_unref(hang->ranks[i].calls);
        if (hang->requests)
            g_hash_table_unref(hang->requests[i]);
    }
    g_array_unref(hang->ends);
    g_array_unref(hang->freed);
    g_array_unref(hang->locks);
    g_hash_table_unref(hang->missing);
    g_hash_table_unref(hang->shared);
    g_free(hang->partnered);
    g_free(hang->requests);
    g_free(hang->ranks);
    g_free(hang);
}
