/* Evidence for hypotheses; see evidence.h. */
#include "evidence.h"
#include "calls/timeline.h"
#include "objects/object_names.h"
#include "values/outermost.h"
#include "waiting/waiting.h"

enum { SMALL_BYTES = 1000 }; /* a message with fewer is small */

typedef struct {
    HieraEvidences *evidences;
    const HieraTrace *trace;
    const HieraCallPaths *paths;
    const HieraScope *scope;
    const GArray *waits;
    HieraObjectNames *names;
    guint at;       /* the first wait that does not belong to a row before the current one */
    GArray *useful; /* HieraEvidence: computation of all ranks */
} Search;

static void add(const Search *search, HieraHypothesis hypothesis, HieraEvidence evidence)
{
    const HieraScope *scope = search->scope;
    evidence.begin_ns = MAX(evidence.begin_ns, scope->from_ns);
    evidence.end_ns = MIN(evidence.end_ns, scope->to_ns);
    if (evidence.begin_ns >= evidence.end_ns || (evidence.node == 0 && hiera_scope_has_units(scope)) ||
        !hiera_scope_accepts_rank(scope, search->trace->processors[evidence.processor].rank))
        return;
    g_array_append_val(search->evidences->of[hypothesis], evidence);
}

/* Bytes that a call carries in one direction, or its completed requests; -1 if the trace does not say. */
static gint64 find_bytes(const HieraTrace *trace, guint32 row)
{
    const HieraRequest *requests;
    guint n = hiera_trace_peek_requests(trace, row, &requests);
    gint64 bytes = MAX(trace->bytes[row], hiera_trace_peek_sparse(trace, row)->rbytes);
    for (guint i = 0; i < n; i++)
        bytes = MAX(bytes, requests[i].bytes);
    return bytes;
}

static void add_transfer(const Search *search, const HieraEvidence *call, guint32 row, gint64 begin_ns, gint64 end_ns)
{
    HieraEvidence part = *call;
    gint64 bytes = find_bytes(search->trace, row);
    part.begin_ns = begin_ns;
    part.end_ns = end_ns;
    add(search, HIERA_HYPOTHESIS_TRANSFER, part);
    if (bytes >= 0 && bytes < SMALL_BYTES)
        add(search, HIERA_HYPOTHESIS_SMALL_MESSAGES, part);
}

/* Add what of a call is not waiting. */
static void add_call(Search *search, const HieraEvidence *call, guint32 row)
{
    gint64 at_ns = call->begin_ns;
    for (; search->at < search->waits->len; search->at++) {
        const HieraWait *wait = &g_array_index(search->waits, HieraWait, search->at);
        if (wait->row > row)
            break;
        if (wait->row < row)
            continue;
        add_transfer(search, call, row, at_ns, MIN(wait->begin_ns, call->end_ns));
        at_ns = MAX(at_ns, wait->end_ns);
    }
    add_transfer(search, call, row, at_ns, call->end_ns);
}

static void add_span(const HieraSpan *span, gpointer data)
{
    Search *search = data;
    gboolean outside = span->row == HIERA_NONE;
    HieraEvidence evidence = {span->processor, outside ? 0 : search->paths->node[span->row], HIERA_NONE, span->begin_ns,
                              span->end_ns};
    if (span->doing == HIERA_DOES_COMPUTE) {
        add(search, HIERA_HYPOTHESIS_IMBALANCE, evidence);
        g_array_append_val(search->useful, evidence);
        return;
    }
    evidence.comm = hiera_object_names_of_row(search->names, span->row);
    if (span->doing == HIERA_DOES_IO)
        add(search, HIERA_HYPOTHESIS_IO, evidence);
    else
        add_call(search, &evidence, span->row);
}

static HieraHypothesis hypothesis_of(HieraWaitClass class)
{
    switch (class) {
    case HIERA_WAIT_LATE_SENDER:
    case HIERA_WAIT_WRONG_ORDER:
        return HIERA_HYPOTHESIS_LATE_SENDERS;
    case HIERA_WAIT_LATE_RECEIVER:
        return HIERA_HYPOTHESIS_LATE_RECEIVERS;
    case HIERA_WAIT_FENCE:
    case HIERA_WAIT_LATE_POST:
    case HIERA_WAIT_LATE_COMPLETE:
    case HIERA_WAIT_LOCK:
        return HIERA_HYPOTHESIS_WINDOWS;
    default:
        return HIERA_HYPOTHESIS_SYNCHRONISATION;
    }
}

/* A call that completes requests has no communicator, but the operation that it waits for has. */
static void add_waits(const Search *search)
{
    for (guint i = 0; i < search->waits->len; i++) {
        const HieraWait *wait = &g_array_index(search->waits, HieraWait, i);
        guint32 row =
            search->trace->comm[wait->row] == HIERA_NONE && wait->causer != HIERA_NONE ? wait->causer : wait->row;
        HieraEvidence evidence = {hiera_trace_find_processor(search->trace, wait->row), search->paths->node[wait->row],
                                  hiera_object_names_of_row(search->names, row), wait->begin_ns, wait->end_ns};
        if (search->trace->thread[wait->row] == 0)
            add(search, hypothesis_of((HieraWaitClass)wait->class), evidence);
    }
}

/* --- serial sections --- */

/* A begin or an end of computation. */
typedef struct {
    gint64 at_ns;
    guint32 useful; /* index */
    gboolean begins;
} Turn;

/* At one time, ends come before begins. */
static gint compare_turns(gconstpointer left, gconstpointer right)
{
    const Turn *a = left, *b = right;
    if (a->at_ns != b->at_ns)
        return a->at_ns < b->at_ns ? -1 : 1;
    return a->begins != b->begins ? a->begins - b->begins : (a->useful > b->useful) - (a->useful < b->useful);
}

/* Return begins and ends of all computation in order of time; to be freed with g_array_unref. */
static GArray *make_turns(const GArray *useful)
{
    GArray *turns = g_array_sized_new(FALSE, FALSE, sizeof(Turn), useful->len * 2);
    for (guint32 i = 0; i < useful->len; i++) {
        const HieraEvidence *span = &g_array_index(useful, HieraEvidence, i);
        Turn begin = {span->begin_ns, i, TRUE}, end = {span->end_ns, i, FALSE};
        g_array_append_val(turns, begin);
        g_array_append_val(turns, end);
    }
    g_array_sort(turns, compare_turns);
    return turns;
}

/* Of a job of one rank nothing is serial. */
static void add_serial(const Search *search)
{
    g_autoptr(GArray) turns = make_turns(search->useful);
    guint active = 0;
    guint32 mixed = 0; /* exclusive or of the active ones: if there is one, this one */
    for (guint i = 0; search->trace->n_processors > 1 && i + 1 < turns->len; i++) {
        const Turn *turn = &g_array_index(turns, Turn, i);
        active += turn->begins ? 1 : (guint)-1;
        mixed ^= turn->useful;
        if (active != 1)
            continue;
        HieraEvidence alone = g_array_index(search->useful, HieraEvidence, mixed);
        alone.begin_ns = turn->at_ns;
        alone.end_ns = turn[1].at_ns;
        add(search, HIERA_HYPOTHESIS_SERIAL, alone);
    }
}

void hiera_evidences_init(HieraEvidences *evidences, const HieraMatch *match, const HieraCallPaths *paths,
                          const HieraScope *scope, HieraTable *table)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GArray) waits = hiera_waits_find(match), useful = g_array_new(FALSE, FALSE, sizeof(HieraEvidence));
    *evidences = (HieraEvidences){.why = ""};
    for (guint i = 0; i < HIERA_N_HYPOTHESES; i++)
        evidences->of[i] = g_array_new(FALSE, FALSE, sizeof(HieraEvidence));
    Search search = {evidences, trace, paths, scope, waits, hiera_object_names_new(match), 0, useful};
    for (guint32 i = 0; i < trace->n_processors; i++)
        hiera_timeline_visit(trace, i, add_span, &search);
    add_waits(&search);
    add_serial(&search);
    hiera_object_names_free(search.names);
    hiera_evidences_limit(evidences, trace, table);
}

void hiera_evidences_clear(HieraEvidences *evidences)
{
    for (guint i = 0; i < HIERA_N_HYPOTHESES; i++)
        g_array_unref(evidences->of[i]);
}
