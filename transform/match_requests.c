/* Requests: which operation completed what another one started, and what it tells about it.
 *
 * The first operation that names a number made the request. A start makes it active again (it is persistent), a
 * completion ends it and knows the source, the tag and the size of a message received. A message that a matched probe
 * took has a (negative) number too: the probe makes it, and one receive ends it. */
#include "match.h"
#include "vocabulary.h"
#include <string.h>

typedef struct {
    const HieraTrace *trace;
    HieraMatch *match;
    HieraFacts *facts;
    GArray *starts;
    GHashTable *made_by; /* number → row + 1 that made it */
    GHashTable *started; /* number → place + 1 in starts of the last start */
} Requests;

static const HieraFacts nothing_known = {HIERA_ABSENT, HIERA_ABSENT, -1, FALSE, FALSE, FALSE, HIERA_NONE, HIERA_NONE};

static gpointer key_of(gint64 number)
{
    return GSIZE_TO_POINTER((gsize)number);
}

static guint32 find(GHashTable *table, gint64 number)
{
    guint32 value = GPOINTER_TO_UINT(g_hash_table_lookup(table, key_of(number)));
    return value ? value - 1 : HIERA_NONE;
}

static void start(Requests *requests, guint32 row, guint32 made_by, gint64 number)
{
    HieraStart start = {row, made_by, nothing_known};
    requests->facts[made_by].persistent = TRUE;
    g_array_append_val(requests->starts, start);
    g_hash_table_insert(requests->started, key_of(number), GUINT_TO_POINTER(requests->starts->len));
}

static void complete(Requests *requests, guint32 row, guint32 made_by, const HieraRequest *request)
{
    guint32 started = find(requests->started, request->number);
    HieraStart *last = started == HIERA_NONE ? NULL : &g_array_index(requests->starts, HieraStart, started);
    HieraFacts *facts = last ? &last->facts : &requests->facts[made_by];
    HieraPair pair = {last ? last->row : made_by, row};
    if (facts->completion != HIERA_NONE)
        return;
    g_array_append_val(requests->match->requests, pair);
    facts->completion = row;
    facts->source = request->source;
    facts->tag = request->tag;
    facts->bytes = request->bytes;
}

static void use_request(Requests *requests, guint32 row, const HieraSite *site, const HieraRequest *request)
{
    guint32 made_by = find(requests->made_by, request->number);
    if (made_by == HIERA_NONE) {
        /* A completion or a start of what was not recorded makes nothing. */
        if (site->kind != HIERA_KIND_COMPLETE && site->kind != HIERA_KIND_START)
            g_hash_table_insert(requests->made_by, key_of(request->number), GUINT_TO_POINTER(row + 1));
    } else if (site->kind == HIERA_KIND_START) {
        start(requests, row, made_by, request->number);
    } else if (site->kind == HIERA_KIND_COMPLETE) {
        complete(requests, row, made_by, request);
    } else if (strcmp(site->operation, HIERA_OPERATION_CANCEL) == 0) {
        guint32 started = find(requests->started, request->number);
        if (started != HIERA_NONE)
            g_array_index(requests->starts, HieraStart, started).facts.cancelled = TRUE;
        else
            requests->facts[made_by].cancelled = TRUE;
    } else if (strcmp(site->operation, HIERA_OPERATION_REQUEST_FREE) == 0) {
        requests->facts[made_by].freed = TRUE;
    }
}

static void use_message(Requests *requests, guint32 row, HieraKind kind, gint64 number)
{
    if (kind == HIERA_KIND_PROBE) {
        g_hash_table_insert(requests->made_by, key_of(number), GUINT_TO_POINTER(row + 1));
        return;
    }
    guint32 probe = find(requests->made_by, number);
    if (kind != HIERA_KIND_RECEIVE || probe == HIERA_NONE || requests->facts[probe].probed != HIERA_NONE)
        return;
    requests->facts[probe].probed = row;
    requests->facts[row].probed = probe;
}

static int compare_rows(const void *a, const void *b)
{
    guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;
    return (left > right) - (left < right);
}

/* Those that a processor made and nothing gave back; a persistent one has to be freed. */
static void find_open(const Requests *requests)
{
    GHashTableIter at;
    gpointer number, value;
    GArray *open = requests->match->open_requests;
    guint before = open->len;
    g_hash_table_iter_init(&at, requests->made_by);
    while (g_hash_table_iter_next(&at, &number, &value)) {
        guint32 row = GPOINTER_TO_UINT(value) - 1;
        const HieraFacts *facts = &requests->facts[row];
        gboolean persistent = hiera_trace_peek_site(requests->trace, row)->starts != HIERA_KIND_LOCAL;
        if ((gint64)GPOINTER_TO_SIZE(number) > 0 && !facts->freed && (persistent || facts->completion == HIERA_NONE))
            g_array_append_val(open, row);
    }
    if (open->len > before)
        qsort(open->data + before * sizeof(guint32), open->len - before, sizeof(guint32), compare_rows);
}

static void use_processor(Requests *requests, guint32 processor)
{
    g_autofree guint32 *rows = hiera_match_order(requests->trace, processor, TRUE);
    g_hash_table_remove_all(requests->made_by);
    g_hash_table_remove_all(requests->started);
    for (guint32 i = 0; i < requests->trace->processors[processor].n_operations; i++) {
        const HieraRequest *request;
        guint n = hiera_trace_peek_requests(requests->trace, rows[i], &request);
        if (n == 0)
            continue;
        const HieraSite *site = hiera_trace_peek_site(requests->trace, rows[i]);
        for (guint j = 0; site->mpi && j < n; j++) {
            if (request[j].number > 0)
                use_request(requests, rows[i], site, &request[j]);
            else if (request[j].number < 0)
                use_message(requests, rows[i], site->kind, request[j].number);
        }
    }
    find_open(requests);
}

HieraFacts *hiera_match_requests(const HieraTrace *trace, HieraMatch *match, GArray *starts)
{
    Requests requests = {trace,
                         match,
                         g_new(HieraFacts, (gsize)trace->n_operations + 1),
                         starts,
                         g_hash_table_new(NULL, NULL),
                         g_hash_table_new(NULL, NULL)};
    for (guint32 row = 0; row < trace->n_operations; row++)
        requests.facts[row] = nothing_known;
    for (guint32 processor = 0; processor < trace->n_processors; processor++)
        use_processor(&requests, processor);
    g_hash_table_unref(requests.made_by);
    g_hash_table_unref(requests.started);
    return requests.facts;
}
