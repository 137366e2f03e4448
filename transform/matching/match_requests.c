/* Requests: pairs each operation that started a request with the one that completed it.
 *
 * The first operation that names a request's number made the request. A start activates it again (it is persistent).
 * A completion ends it, and reports source, tag and size of a received message. A message that a matched probe took
 * has a number too, a negative one: the probe makes it, and one receive ends it. */
#include "base/key_index.h"
#include "base/vocabulary.h"
#include "match_common.h"
#include <string.h>

/* How the number of a request is used at the moment. */
typedef struct {
    guint32 made_by; /* row that made the request; HIERA_NONE: not recorded */
    guint32 started; /* index in `starts` of the request's last start; HIERA_NONE: not persistent, or not started */
} Use;

typedef struct {
    const HieraTrace *trace;
    HieraMatch *match;
    HieraFacts *facts;
    GArray *starts;
    HieraKeyIndex *numbers;
    GArray *uses; /* Use, by index of the request's number in `numbers` */
} Requests;

static const HieraFacts nothing_known = {HIERA_NONE, HIERA_NONE, HIERA_NONE, FALSE, FALSE, FALSE};

const HieraFacts *hiera_match_peek_facts(const HieraTrace *trace, const HieraFacts *facts, guint32 row)
{
    const HieraRequest *first;
    return hiera_trace_peek_requests(trace, row, &first) > 0 ? &facts[trace->requests[row]] : &nothing_known;
}

/* Return what is known about the operation that a row began. The row must name a request. */
static HieraFacts *facts_of(const Requests *requests, guint32 row)
{
    return &requests->facts[requests->trace->requests[row]];
}

static Use *find(Requests *requests, gint64 number)
{
    const Use unused = {HIERA_NONE, HIERA_NONE};
    guint32 at = hiera_key_index_add(requests->numbers, &number);
    if (at == requests->uses->len)
        g_array_append_val(requests->uses, unused);
    return &g_array_index(requests->uses, Use, at);
}

static void add_fault(const Requests *requests, guint32 row, guint32 began, HieraRequestFaultKind kind)
{
    HieraRequestFault fault = {row, began, kind};
    g_array_append_val(requests->match->request_faults, fault);
}

/* The start of a request that is active; HIERA_NONE: it is not persistent, or not active. */
static guint32 active_start(const Requests *requests, const Use *use)
{
    if (use->started == HIERA_NONE)
        return HIERA_NONE;
    const HieraStart *start = &g_array_index(requests->starts, HieraStart, use->started);
    return start->facts.completion == HIERA_NONE ? start->row : HIERA_NONE;
}

static void start(Requests *requests, guint32 row, Use *use)
{
    HieraStart start = {row, use->made_by, nothing_known};
    if (active_start(requests, use) != HIERA_NONE)
        add_fault(requests, row, active_start(requests, use), HIERA_REQUEST_STARTED_AGAIN);
    facts_of(requests, use->made_by)->persistent = TRUE;
    use->started = requests->starts->len;
    g_array_append_val(requests->starts, start);
}

/* Return what is known about a request's last start; without start, about the row that made the request. */
static HieraFacts *facts_of_use(const Requests *requests, const Use *use)
{
    return use->started == HIERA_NONE ? facts_of(requests, use->made_by)
                                      : &g_array_index(requests->starts, HieraStart, use->started).facts;
}

static void complete(Requests *requests, guint32 row, const Use *use, const HieraRequest *request)
{
    HieraFacts *facts = facts_of_use(requests, use);
    HieraPair pair = {use->made_by, row};
    if (use->started != HIERA_NONE)
        pair.start = g_array_index(requests->starts, HieraStart, use->started).row;
    if (facts->completion != HIERA_NONE)
        return;
    g_array_append_val(requests->match->requests, pair);
    facts->completion = row;
    facts->status = (guint32)(request - requests->trace->request);
}

/* A call frees a request. Requests of collectives and of one-sided calls must not be freed while they are active. */
static void free_request(Requests *requests, guint32 row, const Use *use)
{
    const HieraFacts *facts = facts_of_use(requests, use);
    const HieraSite *made = hiera_trace_peek_site(requests->trace, use->made_by);
    guint32 began = made->starts == HIERA_KIND_LOCAL ? use->made_by : active_start(requests, use);
    HieraKind kind = made->starts == HIERA_KIND_LOCAL ? made->kind : made->starts;
    gboolean forever =
        hiera_kind_collective(kind) || kind == HIERA_KIND_PUT || kind == HIERA_KIND_GET || kind == HIERA_KIND_UPDATE;
    facts_of(requests, use->made_by)->freed = TRUE;
    if (began != HIERA_NONE && facts->completion == HIERA_NONE && (forever || !facts->cancelled))
        add_fault(requests, row, began, forever ? HIERA_REQUEST_FREED_FOREVER : HIERA_REQUEST_FREED_ACTIVE);
}

static void use_request(Requests *requests, guint32 row, const HieraSite *site, const HieraRequest *request)
{
    Use *use = find(requests, request->number);
    if (use->made_by == HIERA_NONE) {
        /* If a completion or a start is the first to name a request, the call that made it was not recorded. */
        if (site->kind != HIERA_KIND_COMPLETE && site->kind != HIERA_KIND_START)
            use->made_by = row;
    } else if (site->kind == HIERA_KIND_START) {
        start(requests, row, use);
    } else if (site->kind == HIERA_KIND_COMPLETE) {
        complete(requests, row, use, request);
    } else if (strcmp(site->operation, HIERA_OPERATION_CANCEL) == 0) {
        facts_of_use(requests, use)->cancelled = TRUE;
    } else if (strcmp(site->operation, HIERA_OPERATION_REQUEST_FREE) == 0) {
        free_request(requests, row, use);
    }
}

static void use_message(Requests *requests, guint32 row, HieraKind kind, gint64 number)
{
    Use *use = find(requests, number);
    if (kind == HIERA_KIND_PROBE) {
        use->made_by = row;
        return;
    }
    guint32 probe = use->made_by;
    if (kind != HIERA_KIND_RECEIVE || probe == HIERA_NONE || facts_of(requests, probe)->probed != HIERA_NONE)
        return;
    facts_of(requests, probe)->probed = row;
    facts_of(requests, row)->probed = probe;
}

static int compare_rows(const void *a, const void *b)
{
    guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;
    return (left > right) - (left < right);
}

/* Add the rows of a processor whose requests no call completed or freed. Persistent requests must be freed. Also the
 * matched probes whose message nobody received. */
static void find_open(const Requests *requests)
{
    GArray *open = requests->match->open_requests;
    guint before = open->len;
    for (guint32 i = 0; i < requests->uses->len; i++) {
        const Use *use = &g_array_index(requests->uses, Use, i);
        guint32 row = use->made_by;
        gint64 number;
        memcpy(&number, hiera_key_index_peek(requests->numbers, i), sizeof number);
        if (row == HIERA_NONE)
            continue;
        const HieraFacts *facts = facts_of(requests, row);
        gboolean persistent = hiera_trace_peek_site(requests->trace, row)->starts != HIERA_KIND_LOCAL;
        if (number < 0 && facts->probed == HIERA_NONE)
            add_fault(requests, row, row, HIERA_REQUEST_MESSAGE_LOST);
        if (number < 0 || facts->freed || !(persistent || facts->completion == HIERA_NONE))
            continue;
        row = active_start(requests, use) == HIERA_NONE ? row : active_start(requests, use);
        g_array_append_val(open, row);
    }
    if (open->len > before)
        qsort(open->data + before * sizeof(guint32), open->len - before, sizeof(guint32), compare_rows);
}

static void use_row(Requests *requests, guint32 row)
{
    const HieraRequest *request;
    guint n = hiera_trace_peek_requests(requests->trace, row, &request);
    const HieraSite *site = n > 0 ? hiera_trace_peek_site(requests->trace, row) : NULL;
    if (n > 0 && site->kind == HIERA_KIND_COMPLETE && hiera_trace_is_open(requests->trace, row))
        return; /* the call did not return, so it completed no request */
    for (guint i = 0; i < n && site->mpi; i++) {
        if (request[i].number > 0)
            use_request(requests, row, site, &request[i]);
        else if (request[i].number < 0)
            use_message(requests, row, site->kind, request[i].number);
    }
}

/* Pair starts and completions of one processor's requests. Request numbers are unique within a processor only. */
static void use_processor(Requests *requests, guint32 processor)
{
    const HieraProcessor *of = &requests->trace->processors[processor];
    g_autofree guint32 *order = hiera_match_order(requests->trace, processor, TRUE);
    requests->numbers = hiera_key_index_new(sizeof(gint64) / sizeof(guint32));
    g_array_set_size(requests->uses, 0);
    for (guint64 i = 0; i < of->n_operations; i++)
        use_row(requests, hiera_match_row(order, of, i));
    find_open(requests);
    g_clear_pointer(&requests->numbers, hiera_key_index_free);
}

HieraFacts *hiera_match_requests(const HieraTrace *trace, HieraMatch *match, GArray *starts)
{
    g_autoptr(GArray) uses = g_array_new(FALSE, FALSE, sizeof(Use));
    Requests requests = {trace, match, g_new(HieraFacts, (gsize)trace->n_requests + 1), starts, NULL, uses};
    for (guint32 i = 0; i < trace->n_requests; i++)
        requests.facts[i] = nothing_known;
    for (guint32 processor = 0; trace->n_requests > 0 && processor < trace->n_processors; processor++)
        use_processor(&requests, processor);
    return requests.facts;
}
