/* See match_common.h. Helpers that several passes of matching use. */
#include "match_common.h"
#include "base/vocabulary.h"
#include <string.h>

/* The greater reason is the worse one, because HIERA_REASONS is sorted by severity. */
void hiera_match_set_reason(HieraMatch *match, guint32 row, HieraReason reason)
{
    match->reason[row] = (guint8)MAX(match->reason[row], reason);
}

/* Whether a process has ended without the end of its trace. */
static gboolean is_lost(const HieraProcessor *processor)
{
    return processor->cut && !processor->alive;
}

HieraReason hiera_match_blame(const HieraTrace *trace, const HieraMatch *match, guint32 own_processor, gint32 rank,
                              guint32 comm, guint lacks)
{
    if (rank == HIERA_STRANGER)
        return HIERA_REASON_ELSEWHERE;
    guint32 processor = hiera_trace_find_rank(trace, rank);
    if (processor == HIERA_NONE)
        return HIERA_REASON_NOT_TRACED;
    const HieraProcessor *other = &trace->processors[processor], *own = &trace->processors[own_processor];
    if (is_lost(other) || is_lost(own))
        return HIERA_REASON_CUT;
    if (other->cut || own->cut)
        return HIERA_REASON_RUNS;
    if (*other->seam || *own->seam)
        return HIERA_REASON_LIMIT;
    return hiera_match_lacks(trace, match, processor, comm, lacks) ? HIERA_REASON_FILTERED : HIERA_REASON_NO_PARTNER;
}

gboolean hiera_match_is_behind_sums(const HieraTrace *trace, guint32 processor, guint32 row)
{
    const HieraProcessor *of = &trace->processors[processor];
    return *of->seam && trace->start_ns[row] >= of->seam_ns && strcmp(of->seam, HIERA_SEAM_LOOPS) == 0;
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
        return rank; /* MPI_COMM_WORLD, whose ranks are world ranks */
    return hiera_ranks_at(communicator->remote ? communicator->remote : communicator->ranks, rank);
}

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

/* A wait may begin before another thread starts the request that it completes. So completions can be sorted by their
 * finish time. */
static gint64 moment_of(const HieraTrace *trace, guint32 row, gboolean completions_end)
{
    gboolean ends = completions_end && hiera_trace_peek_site(trace, row)->kind == HIERA_KIND_COMPLETE;
    return ends ? trace->finish_ns[row] : trace->start_ns[row];
}

static void sort_by_time(const HieraTrace *trace, guint32 *rows, guint32 n, gboolean completions_end)
{
    g_autofree Moment *moments = g_new(Moment, (gsize)n + 1); /* + 1: for n = 0, qsort must not get NULL */
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
