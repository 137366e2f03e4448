/* See exchanges.h. */
#include "exchanges.h"
#include <stdlib.h>

/* Numbers of requests: 2 i + 1 receives message i, 2 i + 2 sends it; behind them those of collectives, by row. */
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
    HieraPair *pairs; /* by start, then by completion */
    guint n_pairs;
    GArray *found; /* Exchange */
} Search;

/* The row that completed the last of the requests that a row started; HIERA_NONE if none is known. */
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

gboolean exchange_is_started(const HieraTrace *trace, guint32 row)
{
    const HieraRequest *first;
    return hiera_trace_peek_site(trace, row)->kind == HIERA_KIND_START ||
           hiera_trace_peek_requests(trace, row, &first) > 0;
}

static void add(const Search *search, guint32 row, ExchangeKind kind, guint32 message, guint64 request)
{
    const Exchange exchange = {row, kind, message, request};
    g_array_append_val(search->found, exchange);
}

/* A request that is complete in another call of the same processor, later. */
static void add_completion(const Search *search, guint32 start, guint32 completion, guint64 request)
{
    if (completion != HIERA_NONE && completion > start && search->run->is_call[completion])
        add(search, completion, EXCHANGE_COMPLETES, 0, request);
}

static void add_messages(const Search *search)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(search->run->match, &n);
    for (guint32 i = 0; i < n; i++) {
        guint32 from = messages[i].from, to = messages[i].to;
        if (!search->run->is_call[from] || !search->run->is_call[to])
            continue;
        gboolean receive_started = exchange_is_started(search->trace, to),
                 send_started = exchange_is_started(search->trace, from);
        add(search, to, EXCHANGE_RECEIVES, i, receive_started ? exchange_receive_request(i) : 0);
        add(search, from, EXCHANGE_SENDS, i, send_started ? exchange_send_request(i) : 0);
        if (receive_started)
            add_completion(search, to, messages[i].ended_by, exchange_receive_request(i));
        if (send_started)
            add_completion(search, from, find_completion(search, from), exchange_send_request(i));
    }
}

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
    if (search.n_pairs > 0)
        qsort(search.pairs, search.n_pairs, sizeof *search.pairs, compare_pairs);
    add_messages(&search);
    add_collectives(&search);
    exchanges->n = search.found->len;
    exchanges->all = (Exchange *)(void *)g_array_free(search.found, FALSE);
    if (exchanges->n > 0)
        qsort(exchanges->all, exchanges->n, sizeof *exchanges->all, compare_exchanges);
    g_free(search.pairs);
}

void exchanges_clear(Exchanges *exchanges)
{
    g_free(exchanges->all);
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
