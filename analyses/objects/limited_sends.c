#include "limited_sends.h"
#include "hiera_summed.h"

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    guint8 *sends;      /* by row of the trace: 1 if the row sends a matched message */
    GHashTable *makers; /* number of the processor's persistent send request → 1 + row that made the request */
    HieraLimitedSendVisit visit;
    gpointer user;
} Search;

static void tell(const Search *search, guint32 row, guint32 by)
{
    gint32 peer = hiera_match_peer(search->match, by);
    if (peer >= 0)
        search->visit(row, by, (guint32)peer, search->user);
}

static void note_maker(const Search *search, guint32 row)
{
    const HieraRequest *request;
    if (hiera_trace_peek_requests(search->trace, row, &request) > 0)
        g_hash_table_insert(search->makers, GSIZE_TO_POINTER((gsize)request->number), GUINT_TO_POINTER(row + 1));
}

static void search_starts(const Search *search, guint32 row)
{
    const HieraRequest *requests;
    guint n = hiera_trace_peek_requests(search->trace, row, &requests);
    for (guint i = 0; i < n; i++) {
        guint by = GPOINTER_TO_UINT(g_hash_table_lookup(search->makers, GSIZE_TO_POINTER((gsize)requests[i].number)));
        if (by != 0)
            tell(search, row, by - 1);
    }
}

static void search_row(const Search *search, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(search->trace, row);
    gboolean sends = site->kind == HIERA_KIND_SEND || site->kind == HIERA_KIND_SEND_RECEIVE;
    if (site->starts == HIERA_KIND_SEND)
        note_maker(search, row);
    if (!(sends || site->kind == HIERA_KIND_START) || search->sends[row] ||
        hiera_match_reason(search->match, row) != HIERA_REASON_LIMIT || hiera_trace_is_failed(search->trace, row))
        return;
    if (sends)
        tell(search, row, row);
    else
        search_starts(search, row);
}

void hiera_limited_sends_visit(const HieraMatch *match, HieraLimitedSendVisit visit, gpointer user)
{
    guint n;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    const HieraMessage *messages = hiera_match_peek_messages(match, &n);
    if (!hiera_trace_has_sums(trace))
        return;
    g_autofree guint8 *sends = g_new0(guint8, (gsize)trace->n_operations + 1);
    g_autoptr(GHashTable) makers = g_hash_table_new(NULL, NULL);
    Search search = {match, trace, sends, makers, visit, user};
    for (guint i = 0; i < n; i++)
        sends[messages[i].from] = TRUE;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        g_hash_table_remove_all(makers);
        for (guint64 row = of->first; row < of->first + of->n_operations; row++)
            search_row(&search, (guint32)row);
    }
}
