/* Threads: MPI's level of thread support, collectives of one communicator by two threads, and probes.
 *
 * Calls overlap if one begins clearly before the other has ended: clocks of processors differ by less than
 * TOLERANCE_NS, and the calls of threads that take turns do not overlap by more. */
#include "base/hash.h"
#include "checks.h"
#include <string.h>

enum { TOLERANCE_NS = 1000 };

/* Order of the findings of several processes (hiera_check_stand). */
enum { PHASE_LEVEL, PHASE_COLLECTIVES, PHASE_PROBES };

/* Whether MPI allows every thread to make this call at any time (MPI 4.1, 11.4.1). */
static gboolean is_always_allowed(const char *name)
{
    static const char *const allowed[] = {"initialized",    "finalized",   "query_thread",
                                          "is_thread_main", "get_version", "get_library_version",
                                          "wtime",          "wtick",       "pcontrol"};
    static const char *const begins[] = {"info_",         "error_",   "errhandler_", "add_error_",
                                         "remove_error_", "session_", "aint_",       "t_"};
    for (guint i = 0; i < G_N_ELEMENTS(allowed); i++)
        if (strcmp(name, allowed[i]) == 0)
            return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(begins); i++)
        if (g_str_has_prefix(name, begins[i]))
            return TRUE;
    return FALSE;
}

/* A call of a thread, as far as the rules need it. */
typedef struct {
    gint64 start_ns, finish_ns;
    guint32 row, group; /* group: calls of different groups do not exclude each other */
} Call;

static gint compare_calls(gconstpointer a, gconstpointer b)
{
    const Call *left = a, *right = b;
    if (left->group != right->group)
        return left->group < right->group ? -1 : 1;
    if (left->start_ns != right->start_ns)
        return left->start_ns < right->start_ns ? -1 : 1;
    return (left->row > right->row) - (left->row < right->row);
}

/* Return the calls of a processor that `group_of` gives a group, by group and time; to be freed with g_array_unref.
 * A call that failed, or that an exception left, has no certain end. */
static GArray *gather(const HieraCheck *check, const HieraProcessor *processor,
                      guint32 (*group_of)(const HieraTrace *trace, guint32 row))
{
    const HieraTrace *trace = check->trace;
    GArray *calls = g_array_new(FALSE, FALSE, sizeof(Call));
    for (guint64 i = processor->first; i < processor->first + processor->n_operations; i++) {
        guint32 row = (guint32)i, group = group_of(trace, row);
        if (group == HIERA_NONE || hiera_trace_is_failed(trace, row))
            continue;
        const Call call = {trace->start_ns[row], trace->finish_ns[row], row, group};
        g_array_append_val(calls, call);
    }
    g_array_sort(calls, compare_calls);
    return calls;
}

/* Call `report` for each call that begins while another thread is in a call of its group. */
static void find_overlaps(const HieraCheck *check, const GArray *calls,
                          void (*report)(const HieraCheck *check, guint32 row, guint32 other))
{
    const Call *longest = NULL; /* the call of this group that ends last */
    for (guint i = 0; i < calls->len; i++) {
        const Call *call = &g_array_index(calls, Call, i);
        if (!longest || longest->group != call->group)
            longest = call;
        if (check->trace->thread[call->row] != check->trace->thread[longest->row] &&
            MIN(call->finish_ns, longest->finish_ns) - call->start_ns > TOLERANCE_NS)
            report(check, call->row, longest->row);
        if (call->finish_ns > longest->finish_ns)
            longest = call;
    }
}

/* --- collectives --- */

static guint32 group_of_collective(const HieraTrace *trace, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    return site->mpi && hiera_kind_collective(site->kind) ? trace->comm[row] : HIERA_NONE;
}

/* Return a text that is the same for equal findings: call sites, in any order, and file. To be freed with g_free. */
static char *make_subject(const HieraCheck *check, guint32 row, guint32 other)
{
    guint32 a = check->trace->site[row], b = check->trace->site[other];
    return g_strdup_printf("threads %u %u %s", MIN(a, b), MAX(a, b), hiera_check_path(check, row));
}

static void report_collectives(const HieraCheck *check, guint32 row, guint32 other)
{
    g_autofree char *subject = make_subject(check, row, other);
    if (hiera_findings_repeat(check->findings, HIERA_FINDING_CONCURRENT, subject))
        return;
    g_autofree char *here = hiera_check_describe(check, row), *there = hiera_check_describe(check, other);
    hiera_check_stand_at(check, PHASE_COLLECTIVES, row);
    hiera_check_add(check, HIERA_FINDING_CONCURRENT, row, other, subject,
                    "%s of thread %u on %s begins while thread %u is in %s (%s:%u) on it", here,
                    check->trace->thread[row],
                    hiera_catalog_peek_communicator(check->trace->catalog, check->trace->comm[row])->id,
                    check->trace->thread[other], there, hiera_check_path(check, other), hiera_check_line(check, other));
}

/* --- the level of thread support --- */

static guint32 group_of_call(const HieraTrace *trace, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    return site->mpi && !is_always_allowed(site->operation) ? 0 : HIERA_NONE;
}

static void report_overlap(const HieraCheck *check, guint32 row, guint32 other)
{
    g_autofree char *subject = make_subject(check, row, other);
    if (hiera_findings_repeat(check->findings, HIERA_FINDING_THREAD_LEVEL, subject))
        return;
    g_autofree char *here = hiera_check_describe(check, row), *there = hiera_check_describe(check, other);
    hiera_check_stand_at(check, PHASE_LEVEL, row);
    hiera_check_add(check, HIERA_FINDING_THREAD_LEVEL, row, other, subject,
                    "%s of thread %u begins while thread %u is in %s (%s:%u), but MPI has provided "
                    "MPI_THREAD_SERIALIZED: one thread at a time",
                    here, check->trace->thread[row], check->trace->thread[other], there, hiera_check_path(check, other),
                    hiera_check_line(check, other));
}

static void report_call(const HieraCheck *check, guint32 row, const char *level)
{
    g_autofree char *subject = g_strdup_printf("thread %u %s", check->trace->site[row], hiera_check_path(check, row));
    if (hiera_findings_repeat(check->findings, HIERA_FINDING_THREAD_LEVEL, subject))
        return;
    g_autofree char *here = hiera_check_describe(check, row);
    hiera_check_stand_at(check, PHASE_LEVEL, row);
    hiera_check_add(check, HIERA_FINDING_THREAD_LEVEL, row, HIERA_NONE, subject,
                    "%s is called by thread %u, but MPI has provided %s: only the main thread may call it", here,
                    check->trace->thread[row], level);
}

static void check_level(const HieraCheck *check, const HieraProcessor *processor)
{
    const char *level = processor->threads;
    gboolean one = strcmp(level, "MPI_THREAD_SINGLE") == 0 || strcmp(level, "MPI_THREAD_FUNNELED") == 0;
    if (!one && strcmp(level, "MPI_THREAD_SERIALIZED") != 0)
        return;
    g_autoptr(GArray) calls = gather(check, processor, group_of_call);
    if (!one)
        find_overlaps(check, calls, report_overlap);
    for (guint i = 0; one && i < calls->len; i++) {
        guint32 row = g_array_index(calls, Call, i).row;
        if (check->trace->thread[row] != 0)
            report_call(check, row, level);
    }
}

/* --- probes --- */

typedef struct {
    guint32 comm;
    gint32 source, tag;
} Channel;

static guint hash_channel(gconstpointer key)
{
    return hiera_hash(key, sizeof(Channel));
}

static gboolean equal_channels(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(Channel)) == 0;
}

static gboolean is_matched(const HieraTrace *trace, guint32 row)
{
    const HieraRequest *request;
    return hiera_trace_peek_requests(trace, row, &request) > 0 && request[0].number < 0;
}

/* Probes that found a message, and receives. */
static guint32 group_of_channel(const HieraTrace *trace, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    gboolean takes = site->mpi && (site->kind == HIERA_KIND_PROBE || site->kind == HIERA_KIND_RECEIVE);
    return takes && trace->source[row] >= 0 && trace->tag[row] >= 0 && !is_matched(trace, row) &&
                   !hiera_trace_is_open(trace, row)
               ? trace->comm[row]
               : HIERA_NONE;
}

/* Give the calls of each channel a group of their own, and sort them again. */
static void divide(const HieraTrace *trace, GArray *calls)
{
    g_autoptr(GHashTable) channels = g_hash_table_new_full(hash_channel, equal_channels, g_free, NULL);
    for (guint i = 0; i < calls->len; i++) {
        Call *call = &g_array_index(calls, Call, i);
        const Channel channel = {trace->comm[call->row], trace->source[call->row], trace->tag[call->row]};
        guint number = GPOINTER_TO_UINT(g_hash_table_lookup(channels, &channel));
        call->group = number > 0 ? number : g_hash_table_size(channels) + 1;
        if (number == 0)
            g_hash_table_insert(channels, g_memdup2(&channel, sizeof channel), GUINT_TO_POINTER(call->group));
    }
    g_array_sort(calls, compare_calls);
}

static void report_probe(const HieraCheck *check, guint32 row, guint32 taker)
{
    g_autofree char *subject = g_strdup_printf("probe %u %u %s", check->trace->site[row], check->trace->site[taker],
                                               hiera_check_path(check, row));
    if (hiera_findings_repeat(check->findings, HIERA_FINDING_PROBE, subject))
        return;
    g_autofree char *here = hiera_check_describe(check, row), *there = hiera_check_describe(check, taker);
    hiera_check_stand_at(check, PHASE_PROBES, row);
    hiera_check_add(check, HIERA_FINDING_PROBE, row, taker, subject,
                    "%s of thread %u found a message from rank %d with tag %d, and thread %u receives one like it (%s, "
                    "%s:%u) before this thread does",
                    here, check->trace->thread[row], check->trace->source[row], check->trace->tag[row],
                    check->trace->thread[taker], there, hiera_check_path(check, taker), hiera_check_line(check, taker));
}

/* Look for the receive that follows a probe in its thread, and for one of another thread before it. */
static void check_probe(const HieraCheck *check, const GArray *calls, guint at)
{
    const HieraTrace *trace = check->trace;
    const Call *probe = &g_array_index(calls, Call, at);
    guint32 taker = HIERA_NONE;
    for (guint i = at + 1; i < calls->len; i++) {
        const Call *call = &g_array_index(calls, Call, i);
        if (call->group != probe->group)
            return;
        gboolean own = trace->thread[call->row] == trace->thread[probe->row];
        gboolean receives = hiera_trace_peek_site(trace, call->row)->kind == HIERA_KIND_RECEIVE;
        if (own && receives && taker != HIERA_NONE)
            report_probe(check, probe->row, taker);
        if (own)
            return;
        if (receives && taker == HIERA_NONE && call->start_ns > probe->finish_ns + TOLERANCE_NS)
            taker = call->row;
    }
}

static void check_probes(const HieraCheck *check, const HieraProcessor *processor)
{
    g_autoptr(GArray) calls = gather(check, processor, group_of_channel);
    divide(check->trace, calls);
    for (guint i = 0; i < calls->len; i++)
        if (hiera_trace_peek_site(check->trace, g_array_index(calls, Call, i).row)->kind == HIERA_KIND_PROBE)
            check_probe(check, calls, i);
}

void hiera_check_threads(const HieraCheck *check)
{
    for (guint32 i = 0; i < check->trace->n_processors; i++) {
        const HieraProcessor *processor = &check->trace->processors[i];
        if (!processor->threaded || !hiera_scope_is_own(check->scope, i))
            continue;
        check_level(check, processor);
        g_autoptr(GArray) calls = gather(check, processor, group_of_collective);
        find_overlaps(check, calls, report_collectives);
        check_probes(check, processor);
    }
}
