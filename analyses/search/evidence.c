/* Finds the evidence of all hypotheses from spans and waits; see evidence.h. */
#include "evidence.h"
#include "calls/timeline.h"
#include "calls/trace_sections.h"
#include "objects/object_names.h"
#include "threads/thread_path.h"
#include "threads/thread_teams.h"
#include "values/outermost.h"
#include "waiting/waiting.h"

enum { SMALL_BYTES = 1000 }; /* in bytes: a message that is shorter is small */

typedef struct {
    HieraEvidences *evidences;
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraCallPaths *paths;
    const HieraScope *scope;
    const GArray *waits;
    HieraObjectNames *names;
    guint at; /* index in `waits` from which hiera_waits_cut() searches */
} Search;

/* Add a portion of an interval, clipped to the scope, to the evidence of a hypothesis. @param place  rank, node,
 * communicator */
static void add_portion(const Search *search, HieraHypothesis hypothesis, const HieraEvidence *place, gint64 begin_ns,
                        gint64 end_ns, HieraPortion portion)
{
    const HieraScope *scope = search->scope;
    begin_ns = MAX(begin_ns, scope->from_ns);
    end_ns = MIN(end_ns, scope->to_ns);
    if (begin_ns >= end_ns || (place->node == 0 && hiera_scope_has_units(scope)) ||
        !hiera_scope_accepts_rank(scope, search->trace->processors[place->processor].rank))
        return;
    hiera_evidence_sums_add(&search->evidences->of[hypothesis], &search->evidences->parts, place, begin_ns, end_ns,
                            portion);
}

static void add(const Search *search, HieraHypothesis hypothesis, const HieraEvidence *place, gint64 begin_ns,
                gint64 end_ns)
{
    add_portion(search, hypothesis, place, begin_ns, end_ns, (HieraPortion){1, 1});
}

static HieraEvidence place_of(const Search *search, const HieraTimeSpan *span)
{
    guint32 node = span->row == HIERA_NONE ? 0 : search->paths->node[span->row];
    return (HieraEvidence){.processor = span->processor, .node = node, .comm = HIERA_NONE};
}

/* Return the bytes that a call, or the requests that it completes, carries in one direction; -1: not known. */
static gint64 find_bytes(const HieraTrace *trace, guint32 row)
{
    const HieraRequest *requests;
    guint n = hiera_trace_peek_requests(trace, row, &requests);
    gint64 bytes = MAX(trace->bytes[row], hiera_trace_peek_sparse(trace, row)->rbytes);
    for (guint i = 0; i < n; i++)
        bytes = MAX(bytes, requests[i].bytes);
    return bytes;
}

/* Add a part of a call as transfer, unless the part is waiting. @param wait  NULL: it is not */
static void add_part(const HieraTimeSpan *part, const HieraWait *wait, gpointer data)
{
    const Search *search = data;
    if (wait)
        return;
    HieraEvidence place = place_of(search, part);
    gint64 bytes = find_bytes(search->trace, part->row);
    place.comm = hiera_object_names_of_row(search->names, part->row);
    add(search, HIERA_HYPOTHESIS_TRANSFER, &place, part->begin_ns, part->end_ns);
    if (bytes >= 0 && bytes < SMALL_BYTES)
        add(search, HIERA_HYPOTHESIS_SMALL_MESSAGES, &place, part->begin_ns, part->end_ns);
}

static void add_span(const HieraTimeSpan *span, gpointer data)
{
    Search *search = data;
    HieraEvidence place = place_of(search, span);
    if (span->doing == HIERA_DOES_COMPUTE)
        add(search, HIERA_HYPOTHESIS_IMBALANCE, &place, span->begin_ns, span->end_ns);
    else if (span->doing == HIERA_DOES_IO) {
        place.comm = hiera_object_names_of_row(search->names, span->row);
        add(search, HIERA_HYPOTHESIS_IO, &place, span->begin_ns, span->end_ns);
    } else if (span->doing == HIERA_DOES_COMMUNICATE)
        hiera_waits_cut(search->waits, &search->at, span, add_part, search);
}

static void add_serial(const HieraTimeSpan *span, gpointer data)
{
    HieraEvidence place = place_of(data, span);
    add(data, HIERA_HYPOTHESIS_SERIAL, &place, span->begin_ns, span->end_ns);
}

/* --- threads of OpenMP --- */

typedef struct {
    const Search *search;
    guint32 processor;
    gint64 n_threads;
} Threads;

/* Add the time in which one thread of several idles, or some of them, as that part of the time of the rank. */
static void add_idle(const HieraTeamWait *wait, gpointer data)
{
    const Threads *threads = data;
    guint32 row = wait->region != HIERA_NONE ? wait->region : wait->inside;
    HieraEvidence place = {.processor = threads->processor,
                           .node = row == HIERA_NONE ? 0 : threads->search->paths->node[row],
                           .comm = HIERA_NONE};
    add_portion(threads->search, HIERA_HYPOTHESIS_THREADS, &place, wait->begin_ns, wait->end_ns,
                (HieraPortion){wait->n, threads->n_threads});
}

static void add_threads(const Search *search, guint32 processor)
{
    const HieraRankThreads *found = hiera_rank_threads_of(search->match, processor);
    if (!found)
        return;
    Threads threads = {search, processor, found->n_threads};
    hiera_team_waits_visit(found, search->trace, processor, add_idle, &threads);
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

/* Add all waits. A call that completes requests has the communicator of the operation that it waits for. */
static void add_waits(const Search *search)
{
    for (guint i = 0; i < search->waits->len; i++) {
        const HieraWait *wait = &g_array_index(search->waits, HieraWait, i);
        guint32 row =
            search->trace->comm[wait->row] == HIERA_NONE && wait->causer != HIERA_NONE ? wait->causer : wait->row;
        HieraEvidence place = {.processor = hiera_trace_find_processor(search->trace, wait->row),
                               .node = search->paths->node[wait->row],
                               .comm = hiera_object_names_of_row(search->names, row)};
        if (search->trace->thread[wait->row] == 0 && hiera_scope_is_own(search->scope, place.processor))
            add(search, hypothesis_of((HieraWaitClass)wait->class), &place, wait->begin_ns, wait->end_ns);
    }
}

/* --- several processes: process 0 gets the evidence of all --- */

static void pack_sums(HieraPacker *to, gpointer user)
{
    for (guint i = 0; i < HIERA_N_HYPOTHESES; i++)
        hiera_evidence_sums_pack(&((const HieraEvidences *)user)->of[i], to);
}

static void unpack_sums(HieraUnpacker *from, gpointer user)
{
    for (guint i = 0; i < HIERA_N_HYPOTHESES; i++)
        hiera_evidence_sums_unpack(&((HieraEvidences *)user)->of[i], from);
}

void hiera_evidences_init(HieraEvidences *evidences, const HieraMatch *match, const HieraCallPaths *paths,
                          const HieraScope *scope, HieraTable *table)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GArray) waits = hiera_waits_find(match);
    *evidences = (HieraEvidences){.why = ""};
    hiera_time_parts_init(&evidences->parts, paths, scope);
    for (guint i = 0; i < HIERA_N_HYPOTHESES; i++)
        hiera_evidence_sums_init(&evidences->of[i], evidences->parts.n);
    Search search = {evidences, match, trace, paths, scope, waits, hiera_object_names_new(match), 0};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (!hiera_scope_is_own(scope, i))
            continue;
        if (paths->units)
            hiera_timeline_visit(trace, i, add_span, &search);
        else
            hiera_leading_timeline_visit(match, i, add_span, &search);
        add_threads(&search, i);
    }
    add_waits(&search);
    hiera_serial_sections_visit(trace, scope, add_serial, &search);
    hiera_object_names_free(search.names);
    hiera_scope_gather_others(scope, trace, pack_sums, unpack_sums, evidences);
    hiera_evidences_limit(evidences, trace, table);
}

void hiera_evidences_clear(HieraEvidences *evidences)
{
    for (guint i = 0; i < HIERA_N_HYPOTHESES; i++)
        hiera_evidence_sums_clear(&evidences->of[i]);
    hiera_time_parts_clear(&evidences->parts);
}
