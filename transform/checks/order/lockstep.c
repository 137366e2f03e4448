/* See lockstep.h. Waits for messages, probes, collectives and epochs, as matching has paired them. What is not known,
 * or need not wait, is left out. */
#include "lockstep.h"
#include "matching/match_common.h"
#include <string.h>

typedef struct {
    const HieraCheck *check;
    const HieraTrace *trace;
    const HieraMatch *match;
    HieraLockstep *lockstep;
    guint32 *completion; /* by row: the last call that completed a request of the row; HIERA_NONE: none */
} Finding;

static const HieraSite *site_of(const Finding *finding, guint32 row)
{
    return hiera_trace_peek_site(finding->trace, row);
}

static guint32 row_of_all(const Finding *finding, guint32 row)
{
    return hiera_scope_row_of_all(finding->check->scope, finding->trace, row);
}

/* The MPI call in whose callback a call was made; else the call itself. */
static guint32 outermost(const Finding *finding, guint32 row)
{
    const guint32 *parent = finding->trace->parent;
    while (parent[row] != HIERA_NONE && site_of(finding, parent[row])->mpi)
        row = parent[row];
    return row;
}

/* Whether a call that completed something could have gone on without it, or have completed something else. */
static gboolean may_go_on(const Finding *finding, guint32 row)
{
    const HieraSite *site = site_of(finding, row);
    if (site->kind == HIERA_KIND_PROBE)
        return site->operation[0] == 'i';
    if (site->kind == HIERA_KIND_EXPOSE_END)
        return strcmp(site->operation, "win_test") == 0;
    return site->kind == HIERA_KIND_COMPLETE && strcmp(site->operation, "wait") != 0 &&
           strcmp(site->operation, "waitall") != 0;
}

static void add(const Finding *finding, guint32 waiter, guint32 awaited, guint flags)
{
    if (!(flags & HIERA_AWAITED_OF) && outermost(finding, waiter) != waiter)
        return;
    if (!(flags & HIERA_AWAITED_OF) && may_go_on(finding, waiter))
        flags |= HIERA_AWAIT_MAYBE;
    if (!(flags & HIERA_AWAIT_GROUP))
        awaited = outermost(finding, awaited);
    HieraAwait await = {row_of_all(finding, waiter), row_of_all(finding, awaited), flags};
    g_array_append_val(finding->lockstep->awaits, await);
}

/* The call that cannot end before an operation is over; HIERA_NONE: none. */
static guint32 end_of(const Finding *finding, guint32 row)
{
    gboolean starts =
        site_of(finding, row)->kind == HIERA_KIND_START || hiera_match_begins_request(finding->trace, row);
    return starts ? finding->completion[row] : row;
}

static gboolean is_buffered_or_ready(const HieraSite *site)
{
    const char *name = site->operation + (site->operation[0] == 'i');
    return name[0] == 'b' || g_str_has_prefix(name, "rsend");
}

/* Whether a send never waits for its receive: a buffered one, or a ready one, whose receive is there before. */
static gboolean never_waits(const Finding *finding, guint32 row)
{
    if (site_of(finding, row)->kind == HIERA_KIND_SEND)
        return is_buffered_or_ready(site_of(finding, row));
    gboolean never = FALSE;
    for (guint32 n = 0, maker; !never && (maker = hiera_match_maker(finding->match, row, n)) != HIERA_NONE; n++)
        never = is_buffered_or_ready(site_of(finding, maker));
    return never;
}

static void find_message(const Finding *finding, const HieraMessage *message)
{
    guint doubt = message->doubt != HIERA_DOUBT_NONE ? HIERA_AWAIT_MAYBE : 0;
    if (hiera_check_is_own(finding->check, message->from) && !doubt && !never_waits(finding, message->from)) {
        guint32 end = end_of(finding, message->from);
        if (end != HIERA_NONE)
            add(finding, end, message->to, HIERA_AWAIT_SEND);
    }
    if (message->ended_by != HIERA_NONE && hiera_check_is_own(finding->check, message->to))
        add(finding, message->ended_by, message->from,
            doubt | (hiera_check_asks_any_source(finding->check, message->to) ? HIERA_AWAIT_MAYBE : 0));
}

static void find_probe(const Finding *finding, const HieraProbe *probe)
{
    const HieraMessage *message = &g_array_index(finding->match->messages, HieraMessage, probe->message);
    gboolean sure = message->doubt == HIERA_DOUBT_NONE && !hiera_trace_asks_any_source(finding->trace, probe->row);
    if (hiera_check_is_own(finding->check, probe->row))
        add(finding, probe->row, message->from, sure ? 0 : HIERA_AWAIT_MAYBE);
}

/* Whether all members of a collective may wait for each other. Calls on files and in neighbourhoods are left out,
 * MPI_Comm_free, which libraries make local, and what is started together with others. */
static gboolean waits_for_all(const Finding *finding, const HieraCollective *collective)
{
    const HieraRequest *requests;
    guint32 group = g_array_index(finding->match->members, guint32, collective->first);
    return hiera_trace_peek_requests(finding->trace, group, &requests) <= 1 && collective->whole && collective->n > 1 &&
           collective->kind != HIERA_KIND_IO_ALL && collective->kind != HIERA_KIND_NEIGHBOR &&
           !hiera_match_is_inter(finding->match, collective->comm) &&
           strcmp(site_of(finding, collective->made_by)->operation, "comm_free") != 0;
}

static void find_collective(const Finding *finding, const HieraCollective *collective)
{
    const guint32 *members = &g_array_index(finding->match->members, guint32, collective->first);
    guint32 group = members[0];
    for (guint32 i = 0; i < collective->n && waits_for_all(finding, collective); i++) {
        if (!hiera_check_is_own(finding->check, members[i]))
            continue;
        guint32 end = end_of(finding, members[i]);
        add(finding, group, members[i], HIERA_AWAITED_OF);
        if (end != HIERA_NONE)
            add(finding, end, group, HIERA_AWAIT_GROUP);
    }
}

static gint compare_received(gconstpointer a, gconstpointer b, gpointer messages)
{
    guint32 left = g_array_index((GArray *)messages, HieraMessage, *(const guint32 *)a).to;
    guint32 right = g_array_index((GArray *)messages, HieraMessage, *(const guint32 *)b).to;
    return (left > right) - (left < right);
}

/* A receive gets no message while one from any source, which was posted before it, has none: that one would get it. */
static void find_order(const Finding *finding)
{
    const GArray *messages = finding->match->messages;
    g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autoptr(GHashTable) last =
        g_hash_table_new(NULL, NULL); /* context → row + 1 of the last receive from any source */
    for (guint32 i = 0; i < messages->len; i++)
        if (hiera_check_is_own(finding->check, g_array_index(messages, HieraMessage, i).to))
            g_array_append_val(order, i);
    g_array_sort_with_data(order, compare_received, (gpointer)messages);
    guint32 processor = HIERA_NONE;
    for (guint i = 0; i < order->len; i++) {
        const HieraMessage *message = &g_array_index(messages, HieraMessage, g_array_index(order, guint32, i));
        gpointer context = GUINT_TO_POINTER(finding->match->context[message->comm]);
        if (hiera_trace_find_processor(finding->trace, message->to) != processor)
            g_hash_table_remove_all(last);
        processor = hiera_trace_find_processor(finding->trace, message->to);
        guint32 before = GPOINTER_TO_UINT(g_hash_table_lookup(last, context));
        if (before && message->ended_by != HIERA_NONE)
            add(finding, message->ended_by, before - 1, HIERA_AWAIT_GROUP | HIERA_AWAIT_MAYBE);
        if (!hiera_check_asks_any_source(finding->check, message->to))
            continue;
        HieraWildReceive wild = {row_of_all(finding, message->to), row_of_all(finding, message->from)};
        g_array_append_val(finding->lockstep->wild, wild);
        add(finding, message->to, message->from, HIERA_AWAITED_OF | HIERA_AWAIT_MAYBE);
        if (before)
            add(finding, message->to, before - 1, HIERA_AWAITED_OF | HIERA_AWAIT_GROUP | HIERA_AWAIT_MAYBE);
        g_hash_table_insert(last, context, GUINT_TO_POINTER(message->to + 1));
    }
}

static void find_unmatched_wild(const Finding *finding)
{
    for (guint i = 0; i < finding->trace->any_source->len; i++) {
        guint32 row = g_array_index(finding->trace->any_source, guint32, i);
        HieraWildReceive wild = {row_of_all(finding, row), HIERA_NONE};
        if (hiera_check_is_own(finding->check, row) && site_of(finding, row)->kind == HIERA_KIND_RECEIVE &&
            hiera_match_reason(finding->match, row) != HIERA_REASON_MATCHED)
            g_array_append_val(finding->lockstep->wild, wild);
    }
}

static void find_lanes(const Finding *finding)
{
    const HieraTrace *trace = finding->trace;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        guint64 first = trace->processors[i].first, end = first + trace->processors[i].n_operations;
        for (guint64 row = first; hiera_scope_is_own(finding->check->scope, i) && row < end; row++) {
            if (row > first && trace->thread[row] == trace->thread[row - 1])
                continue;
            HieraThreadRows lane = {row_of_all(finding, (guint32)row), trace->processors[i].rank};
            g_array_append_val(finding->lockstep->lanes, lane);
        }
    }
}

static void find_completions(Finding *finding)
{
    finding->completion = g_new(guint32, (gsize)finding->trace->n_operations + 1);
    memset(finding->completion, 0xff, sizeof(guint32) * finding->trace->n_operations);
    for (guint i = 0; i < finding->match->requests->len; i++) {
        const HieraPair *pair = &g_array_index(finding->match->requests, HieraPair, i);
        guint32 *completion = &finding->completion[pair->start];
        if (*completion == HIERA_NONE || *completion < pair->completion)
            *completion = pair->completion;
    }
}

void hiera_lockstep_find(const HieraCheck *check, HieraLockstep *lockstep)
{
    const HieraMatch *match = check->match;
    *lockstep = (HieraLockstep){g_array_new(FALSE, FALSE, sizeof(HieraAwait)),
                                g_array_new(FALSE, FALSE, sizeof(HieraThreadRows)),
                                g_array_new(FALSE, FALSE, sizeof(HieraWildReceive))};
    Finding finding = {check, check->trace, match, lockstep, NULL};
    find_lanes(&finding);
    find_completions(&finding);
    for (guint i = 0; i < match->messages->len; i++)
        find_message(&finding, &g_array_index(match->messages, HieraMessage, i));
    for (guint i = 0; i < match->probes->len; i++)
        find_probe(&finding, &g_array_index(match->probes, HieraProbe, i));
    for (guint i = 0; i < match->collectives->len; i++)
        find_collective(&finding, &g_array_index(match->collectives, HieraCollective, i));
    for (guint i = 0; i < match->epochs->len; i++) {
        const HieraPair *pair = &g_array_index(match->epochs, HieraPair, i);
        if (hiera_check_is_own(check, pair->completion))
            add(&finding, pair->completion, pair->start, 0);
    }
    if (check->trace->any_source->len > 0) {
        find_order(&finding);
        find_unmatched_wild(&finding);
    }
    g_free(finding.completion);
}

void hiera_lockstep_clear(HieraLockstep *lockstep)
{
    g_array_unref(lockstep->awaits);
    g_array_unref(lockstep->lanes);
    g_array_unref(lockstep->wild);
}
