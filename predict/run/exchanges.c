#include "exchanges.h"
#include <stdlib.h>
#include <string.h>

/* Numbers of requests: 2 i + 1 receives message i, 2 i + 2 sends it; higher numbers are those of collectives, by row.
 */
guint64 exchange_receive_request(guint32 message)
{
    return (guint64)message * 2 + 1;
}

guint64 exchange_send_request(guint32 message)
{
    return (guint64)message * 2 + 2;
}

guint64 exchange_collective_request(guint32 row)
{
    return (G_GUINT64_CONSTANT(1) << 40) + row;
}

static int compare_exchanges(const void *a, const void *b)
{
    const Exchange *first = a, *second = b;
    if (first->row != second->row)
        return first->row < second->row ? -1 : 1;
    if (first->kind != second->kind)
        return first->kind < second->kind ? -1 : 1;
    return first->request != second->request ? first->request < second->request ? -1 : 1
                                             : (first->message > second->message) - (first->message < second->message);
}

static int compare_pairs(const void *a, const void *b)
{
    const HieraPair *first = a, *second = b;
    if (first->start != second->start)
        return first->start < second->start ? -1 : 1;
    return (first->completion > second->completion) - (first->completion < second->completion);
}

typedef struct {
    const RecordedRun *run;
    const Groups *groups;
    const HieraTrace *trace;
    HieraPair *pairs; /* starts and completions of requests, sorted by start, then by completion */
    guint n_pairs;
    GArray *found;     /* Exchange: sends, receives and completions found so far */
    GArray *neighbors; /* NeighborMessage: messages of neighbourhood collectives */
} Search;

/* Return the row that completed the last of the requests that row `start` started; HIERA_NONE: not known. */
static guint32 find_completion(const Search *search, guint32 start)
{
    guint begin = 0, end = search->n_pairs;
    while (begin < end) {
        guint middle = begin + (end - begin) / 2;
        if (search->pairs[middle].start <= start)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin > 0 && search->pairs[begin - 1].start == start ? search->pairs[begin - 1].completion : HIERA_NONE;
}

/* Only positive numbers are requests: a negative one is a message of MPI_Mprobe. */
gboolean exchange_is_started(const HieraTrace *trace, guint32 row)
{
    const HieraRequest *first;
    guint n = hiera_trace_peek_requests(trace, row, &first);
    gboolean started = hiera_trace_peek_site(trace, row)->kind == HIERA_KIND_START;
    for (guint i = 0; i < n; i++)
        started |= first[i].number > 0;
    return started;
}

static void add(const Search *search, guint32 row, ExchangeKind kind, guint32 message, guint64 request)
{
    const Exchange exchange = {row, kind, message, request};
    g_array_append_val(search->found, exchange);
}

/* Add the completion of a request, if a later simulated call of the same rank completes it. */
static void add_completion(const Search *search, guint32 start, guint32 completion, guint64 request)
{
    if (completion != HIERA_NONE && completion > start && search->run->is_call[completion])
        add(search, completion, EXCHANGE_COMPLETES, 0, request);
}

/* @param ended_by  row of the call that completes the receive; used only if the receive is non-blocking */
static void add_message(const Search *search, guint32 message, guint32 from, guint32 to, guint32 ended_by)
{
    gboolean receive_started = exchange_is_started(search->trace, to),
             send_started = exchange_is_started(search->trace, from);
    add(search, to, EXCHANGE_RECEIVES, message, receive_started ? exchange_receive_request(message) : 0);
    add(search, from, EXCHANGE_SENDS, message, send_started ? exchange_send_request(message) : 0);
    if (receive_started)
        add_completion(search, to, ended_by, exchange_receive_request(message));
    if (send_started)
        add_completion(search, from, find_completion(search, from), exchange_send_request(message));
}

static void add_messages(const Search *search)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(search->run->match, &n);
    for (guint32 i = 0; i < n; i++) {
        if (search->run->is_call[messages[i].from] && search->run->is_call[messages[i].to])
            add_message(search, i, messages[i].from, messages[i].to, messages[i].ended_by);
    }
}

/* --- messages of neighbourhood collectives --- */

typedef struct {
    const Search *search;
    const guint32 *members;
    guint32 *n_to; /* by member: number of neighbours to which it sends */
    guint32 first; /* index of the first message of neighbourhood collectives, behind those of the match */
} Neighbors;

static void count_neighbor(guint32 from, guint32 to, gpointer data)
{
    (void)to;
    ((Neighbors *)data)->n_to[from]++;
}

/* Return the bytes of a message to one neighbour: all that the member sends (allgather), or an equal share. */
static gint64 neighbor_bytes(const Neighbors *neighbors, guint32 from)
{
    const HieraTrace *trace = neighbors->search->trace;
    guint32 row = neighbors->members[from];
    gboolean same = strstr(hiera_trace_peek_site(trace, row)->operation, "allgather") != NULL;
    gint64 bytes = MAX(trace->bytes[row], 0);
    return same ? bytes : bytes / MAX(neighbors->n_to[from], 1);
}

static void add_neighbor(guint32 from, guint32 to, gpointer data)
{
    const Neighbors *neighbors = data;
    const Search *search = neighbors->search;
    const NeighborMessage message = {neighbors->members[from], neighbors->members[to], neighbor_bytes(neighbors, from)};
    guint32 number = neighbors->first + search->neighbors->len;
    if (!search->run->is_call[message.from] || !search->run->is_call[message.to])
        return;
    g_array_append_val(search->neighbors, message);
    add_message(search, number, message.from, message.to, find_completion(search, message.to));
}

static void add_neighbors(const Search *search, guint32 first)
{
    guint n, n_members;
    const HieraCollective *collectives = hiera_match_peek_collectives(search->run->match, &n);
    for (guint32 i = 0; i < n; i++) {
        if (collectives[i].kind != HIERA_KIND_NEIGHBOR || !collectives[i].whole)
            continue;
        const guint32 *members = hiera_match_peek_members(search->run->match, i, &n_members);
        g_autofree guint32 *n_to = g_new0(guint32, (gsize)n_members + 1);
        Neighbors neighbors = {search, members, n_to, first};
        hiera_match_visit_neighbors(search->run->match, i, count_neighbor, &neighbors);
        hiera_match_visit_neighbors(search->run->match, i, add_neighbor, &neighbors);
    }
}

/* --- completions of non-blocking collectives --- */

static void add_collectives(const Search *search)
{
    const HieraMatch *match = search->run->match;
    guint n, n_members;
    hiera_match_peek_collectives(match, &n);
    for (guint32 i = 0; i < n; i++) {
        const guint32 *members = hiera_match_peek_members(match, i, &n_members);
        for (guint member = 0; groups_peek_call(search->groups, i)->known && member < n_members; member++) {
            if (exchange_is_started(search->trace, members[member]))
                add_completion(search, members[member], find_completion(search, members[member]),
                               exchange_collective_request(members[member]));
        }
    }
}

void exchanges_init(Exchanges *exchanges, const RecordedRun *run, const Groups *groups)
{
    Search search = {.run = run, .groups = groups, .trace = run->trace};
    const HieraPair *pairs = hiera_match_peek_pairs(run->match, HIERA_PAIRS_REQUEST, &search.n_pairs);
    search.pairs = g_memdup2(pairs, search.n_pairs * sizeof *pairs);
    search.found = g_array_new(FALSE, FALSE, sizeof(Exchange));
    search.neighbors = g_array_new(FALSE, FALSE, sizeof(NeighborMessage));
    exchanges->run = run;
    hiera_match_peek_messages(run->match, &exchanges->n_messages);
    if (search.n_pairs > 0)
        qsort(search.pairs, search.n_pairs, sizeof *search.pairs, compare_pairs);
    add_messages(&search);
    add_neighbors(&search, exchanges->n_messages);
    add_collectives(&search);
    exchanges->neighbors = search.neighbors;
    exchanges->n = search.found->len;
    exchanges->all = (Exchange *)(void *)g_array_free(search.found, FALSE);
    if (exchanges->n > 0)
        qsort(exchanges->all, exchanges->n, sizeof *exchanges->all, compare_exchanges);
    g_free(search.pairs);
}

void exchanges_clear(Exchanges *exchanges)
{
    g_free(exchanges->all);
    g_array_unref(exchanges->neighbors);
}

static const NeighborMessage *peek_neighbor(const Exchanges *exchanges, const Exchange *exchange)
{
    return exchange->message < exchanges->n_messages
               ? NULL
               : &g_array_index(exchanges->neighbors, NeighborMessage, exchange->message - exchanges->n_messages);
}

guint32 exchanges_partner(const Exchanges *exchanges, const Exchange *exchange)
{
    guint n;
    const NeighborMessage *neighbor = peek_neighbor(exchanges, exchange);
    gboolean sends = exchange->kind == EXCHANGE_SENDS;
    if (neighbor)
        return sends ? neighbor->to : neighbor->from;
    const HieraMessage *message = &hiera_match_peek_messages(exchanges->run->match, &n)[exchange->message];
    return sends ? message->to : message->from;
}

gint64 exchanges_bytes(const Exchanges *exchanges, const Exchange *exchange)
{
    const NeighborMessage *neighbor = peek_neighbor(exchanges, exchange);
    const guint32 ends[] = {exchange->row, exchanges_partner(exchanges, exchange)};
    gint64 bytes = neighbor ? neighbor->bytes : hiera_match_message_bytes(exchanges->run->match, exchange->message);
    return sizes_of(exchanges->run->sizes, MAX(bytes, 0), ends, G_N_ELEMENTS(ends));
}

guint32 exchanges_start(const Exchanges *exchanges, guint64 request)
{
    if (request >= exchange_collective_request(0))
        return (guint32)(request - exchange_collective_request(0));
    guint32 message = (guint32)((request - 1) / 2);
    gboolean sent = request == exchange_send_request(message);
    const Exchange of_partner = {.kind = sent ? EXCHANGE_RECEIVES : EXCHANGE_SENDS, .message = message};
    return exchanges_partner(exchanges, &of_partner);
}

const Exchange *exchanges_find(const Exchanges *exchanges, guint32 row)
{
    guint begin = 0, end = exchanges->n;
    while (begin < end) {
        guint middle = begin + (end - begin) / 2;
        if (exchanges->all[middle].row < row)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < exchanges->n && exchanges->all[begin].row == row ? &exchanges->all[begin] : NULL;
}
