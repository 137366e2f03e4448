/* See match.h. Runs all passes of matching; then corrects, with their results, why calls have no partner. */
#include "matching/match_before.h"

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

/* A failed call may have done nothing, and its communicator and peer may be invalid. So the error is
 * the better reason. */
static void blame_failures(const HieraTrace *trace, HieraMatch *match)
{
    for (guint i = 0; i < trace->failed->len; i++) {
        guint8 *reason = &match->reason[g_array_index(trace->failed, guint32, i)];
        if (*reason == HIERA_REASON_UNDECLARED || *reason == HIERA_REASON_UNKNOWN_PEER ||
            *reason == HIERA_REASON_NO_PARTNER)
            *reason = HIERA_REASON_FAILED;
    }
}

/* Change the reason UNDECLARED to FILTERED if recording was paused: a call in a pause may have made the communicator */
static void blame_pauses(const HieraTrace *trace, HieraMatch *match)
{
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        for (guint64 row = of->first; of->paused_calls > 0 && row < of->first + of->n_operations; row++)
            if (match->reason[row] == HIERA_REASON_UNDECLARED)
                match->reason[row] = HIERA_REASON_FILTERED;
    }
}

/* Change UNDECLARED and UNKNOWN_PEER to BEFORE in traces that begin late: what the call refers to may be earlier. */
static void blame_begins(const HieraTrace *trace, HieraMatch *match)
{
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        for (guint64 row = of->first; of->before && row < of->first + of->n_operations; row++)
            if (match->reason[row] == HIERA_REASON_UNDECLARED || match->reason[row] == HIERA_REASON_UNKNOWN_PEER)
                match->reason[row] = HIERA_REASON_BEFORE;
    }
}

/* Change the reason UNDECLARED to LIMIT behind summed calls, one of which may have created the communicator. */
static void blame_sums(const HieraTrace *trace, HieraMatch *match)
{
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        for (guint64 row = of->first; *of->seam && row < of->first + of->n_operations; row++)
            if (match->reason[row] == HIERA_REASON_UNDECLARED && hiera_match_is_behind_sums(trace, i, (guint32)row))
                match->reason[row] = HIERA_REASON_LIMIT;
    }
}

HieraMatch *hiera_match_build(const HieraTrace *trace)
{
    return hiera_match_build_part(trace, NULL);
}

HieraMatch *hiera_match_build_part(const HieraTrace *trace, const guint8 *own)
{
    HieraMatch *match = g_new0(HieraMatch, 1);
    match->trace = trace;
    match->own = own;
    match->messages = g_array_new(FALSE, FALSE, sizeof(HieraMessage));
    match->arguments = g_array_new(FALSE, FALSE, sizeof(HieraMessageArguments));
    match->n_traffic = hiera_catalog_count_communicators(trace->catalog);
    match->traffic = g_new0(HieraTraffic, (gsize)match->n_traffic + 1);
    match->collectives = g_array_new(FALSE, FALSE, sizeof(HieraCollective));
    match->members = g_array_new(FALSE, FALSE, sizeof(guint32));
    match->requests = g_array_new(FALSE, FALSE, sizeof(HieraPair));
    match->probes = g_array_new(FALSE, FALSE, sizeof(HieraProbe));
    match->reason = g_new0(guint8, (gsize)trace->n_operations + 1);
    match->collective_behind = g_new0(guint32, (gsize)trace->n_operations + 1);
    match->before = hiera_match_before_new(trace);
    match->lacking = hiera_match_find_unrecorded(trace);
    match->results = hiera_match_results_new();
    match->transfers = g_array_new(FALSE, FALSE, sizeof(HieraPair));
    match->completions = g_array_new(FALSE, FALSE, sizeof(HieraPair));
    match->epochs = g_array_new(FALSE, FALSE, sizeof(HieraPair));
    match->misuses = g_array_new(FALSE, FALSE, sizeof(HieraMisuse));
    match->open_requests = g_array_new(FALSE, FALSE, sizeof(guint32));
    match->request_faults = g_array_new(FALSE, FALSE, sizeof(HieraRequestFault));
    match->unmatched = g_array_new(FALSE, FALSE, sizeof(HieraUnmatched));
    match->position = g_hash_table_new(NULL, NULL);
    match->differs = g_hash_table_new(NULL, NULL);
    match->starts = g_array_new(FALSE, FALSE, sizeof(HieraStart));
    g_autofree HieraFacts *facts = hiera_match_requests(trace, match, match->starts);
    hiera_match_collectives(trace, match, match->starts);
    hiera_match_messages(trace, match, facts, match->starts);
    hiera_match_windows(trace, match);
    blame_failures(trace, match);
    blame_pauses(trace, match);
    blame_begins(trace, match);
    blame_sums(trace, match);
    return match;
}

void hiera_match_free(HieraMatch *match)
{
    if (!match)
        return;
    hiera_match_results_free(match->results);
    hiera_match_before_free(match->before);
    g_array_unref(match->messages);
    g_array_unref(match->arguments);
    g_free(match->traffic);
    g_array_unref(match->collectives);
    g_array_unref(match->members);
    g_array_unref(match->requests);
    g_array_unref(match->starts);
    g_array_unref(match->probes);
    g_free(match->reason);
    g_free(match->context);
    g_hash_table_unref(match->lacking);
    g_array_unref(match->transfers);
    g_array_unref(match->completions);
    g_array_unref(match->epochs);
    g_array_unref(match->misuses);
    g_array_unref(match->open_requests);
    g_array_unref(match->request_faults);
    g_array_unref(match->unmatched);
    g_hash_table_unref(match->position);
    g_hash_table_unref(match->differs);
    g_free(match->collective_behind);
    g_free(match);
}
