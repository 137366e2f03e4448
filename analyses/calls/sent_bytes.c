/* A hash table has the bytes of persistent requests; see sent_bytes.h. */
#include "sent_bytes.h"

void hiera_sent_bytes_clear(HieraSentBytes **sent)
{
    g_clear_pointer(sent, g_hash_table_unref);
}

/* Store the bytes that each start of a persistent request will send. */
static void remember(HieraSentBytes **sent, gint64 request, gint64 bytes)
{
    if (!*sent)
        *sent = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    g_hash_table_replace(*sent, g_memdup2(&request, sizeof request), g_memdup2(&bytes, sizeof bytes));
}

static gint64 started(HieraSentBytes *sent, const HieraRequest *requests, guint n)
{
    gint64 sum = 0;
    for (guint i = 0; sent && i < n; i++) {
        const gint64 *bytes = g_hash_table_lookup(sent, &requests[i].number);
        sum = hiera_plus(sum, bytes ? *bytes : 0);
    }
    return sum;
}

gint64 hiera_sent_bytes_of(HieraSentBytes **sent, const HieraSite *site, const HieraRequest *requests, guint n,
                           gint64 bytes)
{
    if (!site->mpi)
        return 0;
    if (site->kind == HIERA_KIND_START)
        return started(*sent, requests, n);
    if (site->starts != HIERA_KIND_LOCAL && n > 0 && bytes > 0)
        remember(sent, requests[0].number, bytes);
    else if (*sent && n > 0 && strcmp(site->operation, "request_free") == 0)
        g_hash_table_remove(*sent, &requests[0].number);
    return hiera_site_gives(site) ? MAX(bytes, 0) : 0;
}

gint64 hiera_sent_bytes_of_row(HieraSentBytes **sent, const HieraTrace *trace, guint32 row)
{
    const HieraRequest *requests;
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    guint n = site->mpi ? hiera_trace_peek_requests(trace, row, &requests) : 0;
    return hiera_sent_bytes_of(sent, site, n > 0 ? requests : NULL, n, trace->bytes[row]);
}

/* In a profile, messages of persistent requests are counted at the calls that made these requests. */
gint64 hiera_sent_bytes_of_summed(const HieraSummed *summed)
{
    gint64 sum = 0;
    if (summed->site->starts == HIERA_KIND_LOCAL)
        return hiera_site_gives(summed->site) ? MAX(summed->bytes, 0) : 0;
    for (guint i = 0; summed->parts && summed->site->starts != HIERA_KIND_RECEIVE && i < summed->parts->len; i++)
        sum = hiera_plus(sum, MAX(g_array_index(summed->parts, HieraPart, i).bytes, 0));
    return sum;
}
