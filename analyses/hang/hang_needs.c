/* Finds the needs of calls: operations of other ranks without which a call cannot end. */
#include "hang_parts.h"
#include <string.h>

enum { EAGER_BYTES = 4096 }; /* size in bytes: most networks end a send of a shorter message before it is received */

void hiera_hang_need_rank(HieraHangNeed *need, gint32 rank)
{
    if (rank >= 0)
        g_array_append_val(need->ranks, rank);
}

static HieraHangNeed new_need(guint32 made_by, guint32 act, HieraKind kind)
{
    return (HieraHangNeed){.made_by = made_by,
                           .act = act,
                           .ranks = g_array_new(FALSE, FALSE, sizeof(gint32)),
                           .kind = kind,
                           .other = HIERA_NONE};
}

/* Add to a need all members of its communicator except the rank itself. */
static void need_members(const HieraHang *hang, guint32 processor, HieraHangNeed *need)
{
    gint32 rank, own = (gint32)hang->trace->processors[processor].rank;
    for (gint64 n = 0; n <= hang->trace->n_processors; n++) {
        rank = hiera_match_member(hang->match, hang->trace->comm[need->made_by], n);
        if (rank == HIERA_ABSENT)
            return;
        if (rank != own)
            hiera_hang_need_rank(need, rank);
    }
}

/* --- needs of messages --- */

static HieraHangEnd receive_of(const HieraHang *hang, guint32 processor, guint32 made_by, guint32 act)
{
    return (HieraHangEnd){
        made_by, act, processor, hiera_hang_source(hang, made_by), hiera_hang_receive_tag(hang, made_by), FALSE};
}

/* Whether two receives of a rank could take the same message. */
static gboolean compete(const HieraHang *hang, const HieraHangEnd *a, const HieraHangEnd *b)
{
    return hiera_match_context(hang->match, hang->trace->comm[a->made_by]) ==
               hiera_match_context(hang->match, hang->trace->comm[b->made_by]) &&
           (a->peer == b->peer || a->peer == HIERA_ANY || b->peer == HIERA_ANY) &&
           (a->tag == b->tag || a->tag == HIERA_ANY || b->tag == HIERA_ANY);
}

/* Return the number of receives that are still posted, were posted before this one, and could take its message.
 * @param first  receives the first of them, HIERA_NONE if there is none */
static guint count_earlier(const HieraHang *hang, const HieraHangEnd *receive, guint32 *first)
{
    GHashTableIter iter;
    gpointer value;
    guint n = 0;
    *first = HIERA_NONE;
    g_hash_table_iter_init(&iter, hang->requests[receive->processor]);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const HieraHangRequest *request = value;
        gboolean persistent = hiera_trace_peek_site(hang->trace, request->made_by)->starts != HIERA_KIND_LOCAL;
        guint32 act = persistent ? request->start : request->made_by;
        if (hiera_hang_kind(hang->trace, request->made_by) != HIERA_KIND_RECEIVE || act >= receive->act)
            continue;
        HieraHangEnd other = receive_of(hang, receive->processor, request->made_by, act);
        if (!compete(hang, &other, receive) || (other.peer != HIERA_ANY && other.tag != HIERA_ANY))
            continue;
        *first = MIN(*first, act);
        n++;
    }
    return n;
}

static guint count_fitting(const HieraHang *hang, const HieraHangEnd *receive)
{
    guint n = 0;
    for (guint i = 0; i < hang->ends->len; i++) {
        const HieraHangEnd *end = &g_array_index(hang->ends, HieraHangEnd, i);
        n += end->sent && hiera_hang_fits(hang, end, receive);
    }
    return n;
}

/* Find whether a message is missing. A message matched by the order of calls may in fact have gone to an earlier
 * receive from any source: then MPI's order differed from the matching, which does not know the source of an unended
 * receive. */
static void need_message(const HieraHang *hang, guint32 processor, HieraHangNeed *need)
{
    HieraHangEnd receive = receive_of(hang, processor, need->made_by, need->act);
    gboolean wild = receive.peer == HIERA_ANY || receive.tag == HIERA_ANY || need->kind == HIERA_KIND_PROBE;
    guint earlier = count_earlier(hang, &receive, &need->other);
    if (receive.peer == HIERA_ANY)
        need_members(hang, processor, need);
    else
        hiera_hang_need_rank(need, receive.peer);
    need->met = need->ranks->len == 0;
    if (hiera_hang_is_partnered(hang, need->made_by, need->act, HIERA_HANG_RECEIVED)) {
        need->met = earlier == 0;
        return;
    }
    need->met = need->met || (wild && count_fitting(hang, &receive) > earlier);
    need->other = HIERA_NONE;
}

static const HieraHangEnd *find_send(const HieraHang *hang, const HieraHangNeed *need)
{
    for (guint i = 0; i < hang->ends->len; i++) {
        const HieraHangEnd *end = &g_array_index(hang->ends, HieraHangEnd, i);
        if (end->sent && end->made_by == need->made_by && end->act == need->act)
            return end;
    }
    return NULL;
}

/* Whether a receive with a wildcard is posted that may take a send without partner: such a receive has its partner when
 * it is completed. Earlier sends take one each. */
static gboolean has_wild_receive(const HieraHang *hang, const HieraHangNeed *need)
{
    const HieraTrace *trace = hang->trace;
    const HieraHangEnd *send = find_send(hang, need);
    guint n_receives = 0, n_earlier = 0;
    gboolean any_tag = FALSE;
    for (guint i = 0; send && i < hang->ends->len; i++) {
        const HieraHangEnd *end = &g_array_index(hang->ends, HieraHangEnd, i);
        gboolean is_wild = end->peer == HIERA_ANY || end->tag == HIERA_ANY;
        if (end->sent || !is_wild || !hiera_hang_fits(hang, send, end))
            continue;
        any_tag = any_tag || end->tag == HIERA_ANY;
        n_receives++;
    }
    for (guint i = 0; n_receives > 0 && i < hang->ends->len; i++) {
        const HieraHangEnd *end = &g_array_index(hang->ends, HieraHangEnd, i);
        n_earlier += end->sent && end->peer == send->peer && (any_tag || end->tag == send->tag) &&
                     trace->start_ns[end->act] < trace->start_ns[send->act] &&
                     hiera_match_context(hang->match, trace->comm[end->made_by]) ==
                         hiera_match_context(hang->match, trace->comm[send->made_by]);
    }
    return n_receives > n_earlier;
}

static void need_receiver(const HieraHang *hang, HieraHangNeed *need)
{
    static const char *const lazy[] = {"send", "isend", "send_init", "send_c", "isend_c", "send_init_c"};
    const HieraSite *site = hiera_trace_peek_site(hang->trace, need->made_by);
    gint64 bytes = hang->trace->bytes[need->made_by];
    hiera_hang_need_rank(need, hiera_hang_peer(hang, need->made_by, hang->trace->peer[need->made_by]));
    need->met = need->ranks->len == 0 || hiera_hang_is_partnered(hang, need->made_by, need->act, HIERA_HANG_SENT) ||
                strstr(site->operation, "bsend") != NULL || has_wild_receive(hang, need);
    for (guint i = 0; i < G_N_ELEMENTS(lazy); i++)
        need->unsure = need->unsure || (strcmp(site->operation, lazy[i]) == 0 && bytes >= 0 && bytes < EAGER_BYTES);
}

/* --- needs of collectives --- */

/* Return the members that did not take part in a collective, as an array of gint32 that the hang owns.
 * @param comm  communicator of the collective */
static GArray *find_missing(const HieraHang *hang, guint32 collective, guint32 comm)
{
    GArray *missing = g_hash_table_lookup(hang->missing, GUINT_TO_POINTER(collective + 1));
    if (missing)
        return missing;
    guint n;
    const guint32 *members = hiera_match_peek_members(hang->match, collective, &n);
    g_autoptr(GHashTable) present = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < n; i++) {
        guint32 rank = hang->trace->processors[hiera_trace_find_processor(hang->trace, members[i])].rank;
        g_hash_table_add(present, GUINT_TO_POINTER(rank));
    }
    missing = g_array_new(FALSE, FALSE, sizeof(gint32));
    g_hash_table_insert(hang->missing, GUINT_TO_POINTER(collective + 1), missing);
    gint32 rank;
    for (gint64 i = 0; (rank = hiera_match_member(hang->match, comm, i)) != HIERA_ABSENT; i++) {
        if (rank >= 0 && !g_hash_table_contains(present, GUINT_TO_POINTER((guint)rank)))
            g_array_append_val(missing, rank);
        if (i > 2 * (gint64)hang->trace->n_processors) /* stop: a broken trace may claim billions of ranks */
            break;
    }
    return missing;
}

static void need_collective(const HieraHang *hang, HieraHangNeed *need)
{
    guint32 collective = hiera_match_collective(hang->match, need->act);
    need->all = TRUE;
    need->other = hiera_match_differing(hang->match, need->act);
    if (collective != HIERA_NONE) {
        g_array_unref(need->ranks);
        need->ranks = g_array_ref(find_missing(hang, collective, hang->trace->comm[need->made_by]));
        need->met = need->ranks->len == 0;
    } else if (need->other != HIERA_NONE) {
        need->never = TRUE;
        guint32 differing = hiera_trace_find_processor(hang->trace, need->other);
        hiera_hang_need_rank(need, (gint32)hang->trace->processors[differing].rank);
    } else
        need->met = TRUE; /* no other member is known, because the communicator is unknown */
}

/* --- needs of all calls that had not ended --- */

static void add_need(const HieraHang *hang, guint32 processor, HieraHangCall *call, HieraHangNeed need)
{
    if (need.kind == HIERA_KIND_RECEIVE || need.kind == HIERA_KIND_PROBE)
        need_message(hang, processor, &need);
    else if (need.kind == HIERA_KIND_SEND)
        need_receiver(hang, &need);
    else if (hiera_hang_is_collective(need.kind))
        need_collective(hang, &need);
    else
        hiera_hang_window_need(hang, processor, &need);
    g_array_append_val(call->needs, need);
}

static void add_needs(const HieraHang *hang, guint32 processor, HieraHangCall *call, guint32 made_by, guint32 act)
{
    HieraKind kind = act == made_by ? hiera_trace_peek_site(hang->trace, made_by)->kind
                                    : hiera_trace_peek_site(hang->trace, made_by)->starts;
    if (kind == HIERA_KIND_SEND_RECEIVE) {
        add_need(hang, processor, call, new_need(made_by, act, HIERA_KIND_SEND));
        add_need(hang, processor, call, new_need(made_by, act, HIERA_KIND_RECEIVE));
    } else
        add_need(hang, processor, call, new_need(made_by, act, kind));
}

static void add_request(const HieraHang *hang, guint32 processor, HieraHangCall *call, const HieraHangRequest *request)
{
    gboolean persistent = hiera_trace_peek_site(hang->trace, request->made_by)->starts != HIERA_KIND_LOCAL;
    if (!persistent)
        add_needs(hang, processor, call, request->made_by, request->made_by);
    else if (request->start != HIERA_NONE)
        add_needs(hang, processor, call, request->made_by, request->start);
}

/* Add the needs of a call that waits for requests: what other ranks must do so that each request completes. */
static void add_requests(const HieraHang *hang, guint32 processor, HieraHangCall *call)
{
    const HieraRequest *given;
    for (guint i = 0, n = hiera_trace_peek_requests(hang->trace, call->row, &given); i < n; i++) {
        const HieraHangRequest *request = g_hash_table_lookup(hang->requests[processor], &given[i].number);
        if (request)
            add_request(hang, processor, call, request);
    }
}

/* Return the call that completed a request; for number 0 the last MPI_Request_free of a rank that freed an active
 * request. HIERA_NONE if there is none.
 * @param number  of the request; 0: not known */
static guint32 find_gone(const HieraHang *hang, guint32 processor, gint64 number)
{
    const HieraTrace *trace = hang->trace;
    const HieraRequest *named;
    const HieraProcessor *of = &trace->processors[processor];
    for (guint64 i = 0; number > 0 && i < of->n_operations; i++) {
        guint32 row = (guint32)(of->first + i);
        gboolean completes = hiera_trace_peek_site(trace, row)->kind == HIERA_KIND_COMPLETE;
        for (guint j = 0, n = completes ? hiera_trace_peek_requests(trace, row, &named) : 0; j < n; j++) {
            if (named[j].number == number && !hiera_trace_is_open(trace, row))
                return row;
        }
    }
    for (guint i = hang->freed->len; number == 0 && i-- > 0;) {
        guint32 row = g_array_index(hang->freed, guint32, i);
        if (hiera_trace_find_processor(trace, row) == processor)
            return row;
    }
    return HIERA_NONE;
}

/* Add a need that is never met if a call waits for a request that is already freed or completed, and nothing else. */
static void add_gone(const HieraHang *hang, guint32 processor, HieraHangCall *call)
{
    const HieraRequest *given;
    guint32 row = HIERA_NONE;
    for (guint i = 0; i < call->needs->len; i++) {
        if (!g_array_index(call->needs, HieraHangNeed, i).met)
            return;
    }
    for (guint i = 0, n = hiera_trace_peek_requests(hang->trace, call->row, &given); i < n && row == HIERA_NONE; i++) {
        if (!g_hash_table_contains(hang->requests[processor], &given[i].number))
            row = find_gone(hang, processor, given[i].number);
    }
    if (row == HIERA_NONE)
        return;
    HieraHangNeed need = new_need(call->row, call->row, HIERA_KIND_COMPLETE);
    need.never = TRUE;
    need.other = row;
    g_array_append_val(call->needs, need);
}

/* Add all open requests: a loop may test several requests in turn, so the last test does not name all, and each could
 * end the loop. */
static void add_open_requests(const HieraHang *hang, guint32 processor, HieraHangCall *call)
{
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, hang->requests[processor]);
    while (g_hash_table_iter_next(&iter, NULL, &value))
        add_request(hang, processor, call, value);
}

/* Set the needs of sends of short messages to met if the call also waits for operations that are surely not met. */
static void settle_unsure(HieraHangCall *call)
{
    gboolean sure = FALSE;
    for (guint i = 0; i < call->needs->len; i++) {
        const HieraHangNeed *need = &g_array_index(call->needs, HieraHangNeed, i);
        sure = sure || (!need->met && !need->unsure);
    }
    for (guint i = 0; sure && !call->one && i < call->needs->len; i++) {
        HieraHangNeed *need = &g_array_index(call->needs, HieraHangNeed, i);
        need->met = need->met || need->unsure;
    }
}

static gint compare_needs(gconstpointer a, gconstpointer b)
{
    const HieraHangNeed *left = a, *right = b;
    return (left->act > right->act) - (left->act < right->act);
}

static void find_call(const HieraHang *hang, guint32 processor, HieraHangCall *call)
{
    const HieraSite *site = hiera_trace_peek_site(hang->trace, call->row);
    const HieraRequest *given;
    gboolean tests = hang->ranks[processor].state == HIERA_HANG_TESTS;
    call->needs = g_array_new(FALSE, FALSE, sizeof(HieraHangNeed));
    call->one = tests || strstr(site->operation, "any") || strstr(site->operation, "some");
    if (site->kind == HIERA_KIND_COMPLETE && hiera_trace_peek_requests(hang->trace, call->row, &given) > 0)
        add_requests(hang, processor, call);
    else if (site->kind == HIERA_KIND_COMPLETE)
        add_open_requests(hang, processor, call);
    else if (site->kind != HIERA_KIND_START)
        add_needs(hang, processor, call, call->row, call->row);
    g_array_sort(call->needs, compare_needs);
    settle_unsure(call);
    if (site->kind == HIERA_KIND_COMPLETE && !tests)
        add_gone(hang, processor, call);
}

void hiera_hang_find_needs(HieraHang *hang)
{
    for (guint32 i = 0; i < hang->trace->n_processors; i++) {
        for (guint j = 0; j < hang->ranks[i].calls->len; j++)
            find_call(hang, i, &g_array_index(hang->ranks[i].calls, HieraHangCall, j));
    }
}
