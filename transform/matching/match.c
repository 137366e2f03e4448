/* Matching: what its parts share; see match.h. */
#include "match.h"
#include "base/vocabulary.h"
#include <string.h>

static const struct {
    HieraSeverity severity;
    const char *text;
} reasons[] = {
#define X(identifier, severity, text) {HIERA_SEVERITY_##severity, text},
    HIERA_REASONS(X)
#undef X
};

const char *hiera_reason_text(HieraReason reason)
{
    return reasons[reason].text;
}

HieraSeverity hiera_reason_severity(HieraReason reason)
{
    return reasons[reason].severity;
}

/* The rows of the table of reasons stand in order: the later, the worse. */
void hiera_match_set_reason(HieraMatch *match, guint32 row, HieraReason reason)
{
    match->reason[row] = (guint8)MAX(match->reason[row], reason);
}

HieraReason hiera_match_blame(const HieraTrace *trace, const HieraMatch *match, guint32 own_processor, gint32 rank,
                              guint32 comm, guint what)
{
    if (rank == HIERA_STRANGER)
        return HIERA_REASON_ELSEWHERE;
    guint32 processor = hiera_trace_find_rank(trace, rank);
    if (processor == HIERA_NONE)
        return HIERA_REASON_NOT_TRACED;
    if (trace->processors[processor].cut || trace->processors[own_processor].cut)
        return HIERA_REASON_CUT;
    return hiera_match_lacks(trace, match, processor, comm, what) ? HIERA_REASON_FILTERED : HIERA_REASON_NO_PARTNER;
}

const HieraCommunicator *hiera_match_communicator(const HieraTrace *trace, guint32 comm)
{
    if (comm == HIERA_NONE)
        return NULL;
    const HieraCommunicator *communicator = hiera_catalog_peek_communicator(trace->catalog, comm);
    return communicator->declared || strcmp(communicator->id, HIERA_COMM_WORLD) == 0 ? communicator : NULL;
}

gint32 hiera_match_translate(const HieraCommunicator *communicator, gint32 rank)
{
    if (!communicator->declared)
        return rank; /* that of all ranks */
    return hiera_ranks_at(communicator->remote ? communicator->remote : communicator->ranks, rank);
}

/* Does a call only begin what another one completes? */
gboolean hiera_match_begins_request(const HieraTrace *trace, guint32 row)
{
    const HieraRequest *request;
    for (guint i = 0, n = hiera_trace_peek_requests(trace, row, &request); i < n; i++) {
        if (request[i].number > 0)
            return TRUE;
    }
    return FALSE;
}

typedef struct {
    gint64 ns;
    guint32 row;
} Moment;

static int compare_moments(const void *a, const void *b)
{
    const Moment *left = a, *right = b;
    if (left->ns != right->ns)
        return left->ns < right->ns ? -1 : 1;
    return (left->row > right->row) - (left->row < right->row);
}

/* A call that completes may have begun before another thread started what it completes; it tells so at its end. */
static gint64 moment_of(const HieraTrace *trace, guint32 row, gboolean completions_end)
{
    gboolean ends = completions_end && hiera_trace_peek_site(trace, row)->kind == HIERA_KIND_COMPLETE;
    return ends ? trace->finish_ns[row] : trace->start_ns[row];
}

static void sort_by_time(const HieraTrace *trace, guint32 *rows, guint32 n, gboolean completions_end)
{
    g_autofree Moment *moments = g_new(Moment, (gsize)n + 1); /* memory even if there is none to sort */
    for (guint32 i = 0; i < n; i++)
        moments[i] = (Moment){moment_of(trace, rows[i], completions_end), rows[i]};
    qsort(moments, n, sizeof *moments, compare_moments);
    for (guint32 i = 0; i < n; i++)
        rows[i] = moments[i].row;
}

guint32 *hiera_match_order(const HieraTrace *trace, guint32 processor, gboolean completions_end)
{
    const HieraProcessor *of = &trace->processors[processor];
    if (!of->threaded)
        return NULL;
    guint32 *rows = g_new(guint32, (gsize)of->n_operations + 1);
    for (guint32 i = 0; i < of->n_operations; i++)
        rows[i] = (guint32)of->first + i;
    sort_by_time(trace, rows, (guint32)of->n_operations, completions_end);
    return rows;
}

/* A call that returned an error did nothing that others could answer, and may not tell on what or with whom. */
static void blame_failures(const HieraTrace *trace, HieraMatch *match)
{
    for (guint i = 0; i < trace->failed->len; i++) {
        guint8 *reason = &match->reason[g_array_index(trace->failed, guint32, i)];
        if (*reason == HIERA_REASON_UNDECLARED || *reason == HIERA_REASON_UNKNOWN_PEER ||
            *reason == HIERA_REASON_NO_PARTNER)
            *reason = HIERA_REASON_FAILED;
    }
}

/* What a trace with pauses does not declare may have been made in one. */
static void blame_pauses(const HieraTrace *trace, HieraMatch *match)
{
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        for (guint64 row = of->first; of->paused_calls > 0 && row < of->first + of->n_operations; row++)
            if (match->reason[row] == HIERA_REASON_UNDECLARED)
                match->reason[row] = HIERA_REASON_FILTERED;
    }
}

HieraMatch *hiera_match_build(const HieraTrace *trace)
{
    HieraMatch *match = g_new0(HieraMatch, 1);
    match->messages = g_array_new(FALSE, FALSE, sizeof(HieraMessage));
    match->n_traffic = hiera_catalog_count_communicators(trace->catalog);
    match->traffic = g_new0(HieraTraffic, (gsize)match->n_traffic + 1);
    match->collectives = g_array_new(FALSE, FALSE, sizeof(HieraCollective));
    match->members = g_array_new(FALSE, FALSE, sizeof(guint32));
    match->requests = g_array_new(FALSE, FALSE, sizeof(HieraPair));
    match->reason = g_new0(guint8, (gsize)trace->n_operations + 1);
    match->collective_behind = g_new0(guint32, (gsize)trace->n_operations + 1);
    match->lacking = hiera_match_find_filtered(trace);
    match->transfers = g_array_new(FALSE, FALSE, sizeof(HieraPair));
    match->completions = g_array_new(FALSE, FALSE, sizeof(HieraPair));
    match->epochs = g_array_new(FALSE, FALSE, sizeof(HieraPair));
    match->misuses = g_array_new(FALSE, FALSE, sizeof(HieraMisuse));
    match->open_requests = g_array_new(FALSE, FALSE, sizeof(guint32));
    match->left = g_array_new(FALSE, FALSE, sizeof(HieraLeft));
    match->position = g_hash_table_new(NULL, NULL);
    match->differs = g_hash_table_new(NULL, NULL);
    g_autoptr(GArray) starts = g_array_new(FALSE, FALSE, sizeof(HieraStart));
    g_autofree HieraFacts *facts = hiera_match_requests(trace, match, starts);
    hiera_match_collectives(trace, match, starts);
    hiera_match_messages(trace, match, facts, starts);
    hiera_match_windows(trace, match);
    blame_failures(trace, match);
    blame_pauses(trace, match);
    return match;
}

void hiera_match_free(HieraMatch *match)
{
    if (!match)
        return;
    g_array_unref(match->messages);
    g_free(match->traffic);
    g_array_unref(match->collectives);
    g_array_unref(match->members);
    g_array_unref(match->requests);
    g_free(match->reason);
    g_free(match->context);
    g_hash_table_unref(match->lacking);
    g_array_unref(match->transfers);
    g_array_unref(match->completions);
    g_array_unref(match->epochs);
    g_array_unref(match->misuses);
    g_array_unref(match->open_requests);
    g_array_unref(match->left);
    g_hash_table_unref(match->position);
    g_hash_table_unref(match->differs);
    g_free(match->collective_behind);
    g_free(match);
}
