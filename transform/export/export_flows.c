/* See export_flows.h. Flows are two arrays, sorted by operation.
 *
 * Messages are numbered by their senders. So a process knows the numbers of its ranks' messages once it knows how
 * many messages the earlier ranks send; it sends these numbers to the processes of the receivers. Both have the same
 * messages between two ranks, in the same order: rows that a process has of a rank are in the order of its operations.
 */
#include "export_flows.h"
#include "export_numbers.h"

guint32 hiera_export_arrival(const HieraMessage *message)
{
    return message->ended_by == HIERA_NONE ? message->to : message->ended_by;
}

typedef struct {
    const HieraScope *scope;
    const HieraTrace *trace;
    const HieraMessage *messages;
    guint n;
    guint32 *numbers;   /* number of each message in the whole job, by its index in `messages` */
    guint32 *order;     /* indices of the messages, sorted by sender, receiver and completion */
    GPtrArray *sent;    /* by process: GArray of guint32, numbers of own messages to processors of that process */
    GPtrArray *awaited; /* by process: GArray of guint32, indices of messages from that process's processors */
} Numbering;

static gint compare_messages(gconstpointer a, gconstpointer b, gpointer messages)
{
    const HieraMessage *x = (const HieraMessage *)messages + *(const guint32 *)a,
                       *y = (const HieraMessage *)messages + *(const guint32 *)b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->ended_by > y->ended_by) - (x->ended_by < y->ended_by);
}

static void order_messages(const Numbering *all)
{
    for (guint32 i = 0; i < all->n; i++)
        all->order[i] = i;
    g_qsort_with_data(all->order, (gint)all->n, sizeof *all->order, compare_messages, (gpointer)all->messages);
}

static guint32 sender_of(const Numbering *all, guint32 message)
{
    return hiera_trace_find_processor(all->trace, all->messages[message].from);
}

static guint32 receiver_of(const Numbering *all, guint32 message)
{
    return hiera_trace_find_processor(all->trace, all->messages[message].to);
}

/* --- numbers of messages in the whole job --- */

static void number_sent(const Numbering *all)
{
    g_autofree guint32 *sent = g_new0(guint32, all->trace->n_processors);
    for (guint i = 0; i < all->n; i++) {
        guint32 sender = sender_of(all, i);
        sent[sender] += hiera_scope_is_own(all->scope, sender);
    }
    g_autofree guint32 *next = hiera_export_number(all->scope, all->trace, sent);
    for (guint i = 0; i < all->n; i++) {
        guint32 message = all->order[i], sender = sender_of(all, message);
        if (hiera_scope_is_own(all->scope, sender))
            all->numbers[message] = next[sender]++;
    }
}

static GPtrArray *make_lists(guint n)
{
    GPtrArray *lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(lists, g_array_new(FALSE, FALSE, sizeof(guint32)));
    return lists;
}

/* List, in `sent` and `awaited`, the messages between this process's processors and those of other processes. */
static void list_numbers(const Numbering *all)
{
    const HieraScope *scope = all->scope;
    for (guint i = 0; i < all->n; i++) {
        guint32 message = all->order[i], sender = sender_of(all, message), receiver = receiver_of(all, message);
        if (scope->share.own[sender] && !scope->share.own[receiver])
            g_array_append_val((GArray *)all->sent->pdata[scope->share.process[receiver]], all->numbers[message]);
        else if (!scope->share.own[sender] && scope->share.own[receiver])
            g_array_append_val((GArray *)all->awaited->pdata[scope->share.process[sender]], message);
    }
}

static void pack_numbers(HieraPacker *to, guint process, gpointer user)
{
    const Numbering *all = user;
    hiera_pack_array(to, all->sent->pdata[process]);
}

static void unpack_numbers(HieraUnpacker *from, guint process, gpointer user)
{
    const Numbering *all = user;
    const GArray *awaited = all->awaited->pdata[process];
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint32));
    hiera_unpack_array(from, numbers);
    /* Both processes list the messages between them, which they have matched alike. */
    g_assert(numbers->len == awaited->len);
    for (guint i = 0; i < numbers->len; i++)
        all->numbers[g_array_index(awaited, guint32, i)] = g_array_index(numbers, guint32, i);
}

static void number_received(Numbering *all)
{
    guint n = hiera_scope_count_processes(all->scope);
    if (!all->scope->share.own)
        return;
    all->sent = make_lists(n);
    all->awaited = make_lists(n);
    list_numbers(all);
    hiera_scope_exchange(all->scope, all->trace, pack_numbers, unpack_numbers, all);
    g_ptr_array_unref(all->sent);
    g_ptr_array_unref(all->awaited);
}

/* --- begins and ends of arrows, by operation --- */

static void add_flow(GArray *flows, const Numbering *all, guint32 row, guint32 message)
{
    const HieraExportFlow flow = {row, message, all->numbers[message]};
    if (hiera_scope_is_own(all->scope, hiera_trace_find_processor(all->trace, row)))
        g_array_append_val(flows, flow);
}

static gint compare_flows(gconstpointer a, gconstpointer b)
{
    const HieraExportFlow *x = a, *y = b;
    return x->row != y->row ? (x->row > y->row) - (x->row < y->row) : (x->number > y->number) - (x->number < y->number);
}

void hiera_flows_init(HieraFlows *flows, const HieraMatch *match, const HieraScope *scope)
{
    Numbering all = {.scope = scope, .trace = hiera_match_peek_trace(match)};
    all.messages = hiera_match_peek_messages(match, &all.n);
    g_autofree guint32 *numbers = all.numbers = g_new(guint32, (gsize)all.n + 1);
    g_autofree guint32 *order = all.order = g_new(guint32, (gsize)all.n + 1);
    order_messages(&all);
    number_sent(&all);
    number_received(&all);
    flows->leaving = g_array_sized_new(FALSE, FALSE, sizeof(HieraExportFlow), all.n);
    flows->arriving = g_array_sized_new(FALSE, FALSE, sizeof(HieraExportFlow), all.n);
    for (guint i = 0; i < all.n; i++) {
        add_flow(flows->leaving, &all, all.messages[order[i]].from, order[i]);
        add_flow(flows->arriving, &all, hiera_export_arrival(&all.messages[order[i]]), order[i]);
    }
    g_array_sort(flows->arriving, compare_flows);
}

void hiera_flows_clear(HieraFlows *flows)
{
    g_array_unref(flows->leaving);
    g_array_unref(flows->arriving);
}

guint hiera_flows_find(const GArray *flows, guint32 row)
{
    guint low = 0, high = flows->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(flows, HieraExportFlow, middle).row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
