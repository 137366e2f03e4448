/* Waiting for messages: late sender; late sender, wrong order; late receiver. */
#include "waiting_parts.h"

void hiera_waiting_messages(const HieraWaiting *waiting)
{
    guint n;
    const HieraTrace *trace = waiting->trace;
    const HieraMessage *messages = hiera_match_peek_messages(waiting->match, &n);
    for (guint i = 0; i < n; i++) {
        guint32 from = messages[i].from, to = messages[i].to;
        hiera_waiting_later(&waiting->needs[to], trace->start_ns[from], from, HIERA_WAIT_LATE_SENDER);
        hiera_waiting_take(waiting, from, to);
    }
}

/* --- messages received in the wrong order --- */

/* Return the row in which a message was received: that of the call that completed the receive, if it is known. */
static guint32 received_in(const HieraMessage *message)
{
    return message->ended_by == HIERA_NONE ? message->to : message->ended_by;
}

/* Sort messages by the row in which they were received. Return their numbers; those of row r are at first[r] to
 * first[r + 1] - 1. To be freed with g_free.
 * @param first  has two elements more than there are rows, all 0 */
static guint32 *sort_by_receive(const HieraMessage *messages, guint n, guint32 n_rows, guint32 *first)
{
    guint32 *sorted = g_new(guint32, (gsize)n + 1);
    for (guint i = 0; i < n; i++)
        first[received_in(&messages[i]) + 2]++;
    for (guint32 row = 0; row < n_rows; row++)
        first[row + 2] += first[row + 1];
    for (guint i = 0; i < n; i++)
        sorted[first[received_in(&messages[i]) + 1]++] = i;
    return sorted;
}

/* By communicator: the earliest time at which a message was sent that the current rank receives later. */
typedef struct {
    gint64 *sent_ns;
    guint32 *of; /* 1 + processor for which `sent_ns` is valid */
} Earliest;

static gint64 earliest_of(const Earliest *earliest, guint32 comm, guint32 processor)
{
    return earliest->of[comm] == processor + 1 ? earliest->sent_ns[comm] : G_MAXINT64;
}

static void mark(HieraWait *wait, const HieraTrace *trace, const Earliest *earliest, guint32 comm, guint32 processor)
{
    if (wait->class == HIERA_WAIT_LATE_SENDER && earliest_of(earliest, comm, processor) < trace->start_ns[wait->causer])
        wait->class = HIERA_WAIT_WRONG_ORDER;
}

/* Go through the rows of a processor from the last to the first, so that messages already seen are received later.
 * @param at  index + 1 of the last wait whose row is not later than those of the processor; moved */
static void order_processor(const HieraWaiting *waiting, guint32 processor, const HieraMessage *messages,
                            const guint32 *sorted, const guint32 *first, const Earliest *earliest, GArray *waits,
                            guint *at)
{
    const HieraTrace *trace = waiting->trace;
    const HieraProcessor *of = &trace->processors[processor];
    for (guint32 row = (guint32)(of->first + of->n_operations); row-- > of->first;) {
        for (; *at > 0 && g_array_index(waits, HieraWait, *at - 1).row >= row; (*at)--) {
            for (guint32 i = first[row]; i < first[row + 1]; i++) {
                HieraWait *wait = &g_array_index(waits, HieraWait, *at - 1);
                if (messages[sorted[i]].from == wait->causer)
                    mark(wait, trace, earliest, messages[sorted[i]].comm, processor);
            }
        }
        for (guint32 i = first[row]; i < first[row + 1]; i++) {
            const HieraMessage *message = &messages[sorted[i]];
            gint64 sent_ns = MIN(trace->start_ns[message->from], earliest_of(earliest, message->comm, processor));
            earliest->sent_ns[message->comm] = sent_ns;
            earliest->of[message->comm] = processor + 1;
        }
    }
}

void hiera_waiting_order(const HieraWaiting *waiting, GArray *waits)
{
    guint n, n_comms = 0, at = waits->len;
    guint32 n_rows = waiting->trace->n_operations;
    const HieraMessage *messages = hiera_match_peek_messages(waiting->match, &n);
    g_autofree guint32 *first = g_new0(guint32, (gsize)n_rows + 3);
    g_autofree guint32 *sorted = sort_by_receive(messages, n, n_rows, first);
    for (guint i = 0; i < n; i++)
        n_comms = MAX(n_comms, (guint)messages[i].comm + 1);
    g_autofree gint64 *sent_ns = g_new(gint64, (gsize)n_comms + 1);
    g_autofree guint32 *of = g_new0(guint32, (gsize)n_comms + 1);
    Earliest earliest = {sent_ns, of};
    for (guint32 i = waiting->trace->n_processors; i-- > 0;)
        order_processor(waiting, i, messages, sorted, first, &earliest, waits, &at);
}
