#include "message_time.h"
#include "waiting/waiting.h"

struct HieraMessageTime {
    const HieraTrace *trace;
    gint64 *waiting_ns;    /* waiting time by row; NULL: the durations of the calls are used instead */
    gint64 *completion_ns; /* by row: its share of the time of the calls that complete the row's requests */
    guint32 *messages;     /* by row: number of messages that the row sent or received */
};

/* Return the duration of a call, or its waiting time if `waiting_ns` is set. */
static gint64 own_of(const HieraMessageTime *time, guint32 row)
{
    return time->waiting_ns ? time->waiting_ns[row]
                            : hiera_minus(time->trace->finish_ns[row], time->trace->start_ns[row]);
}

static void add_completions(HieraMessageTime *time, const HieraMatch *match)
{
    guint n;
    const HieraPair *pairs = hiera_match_peek_pairs(match, HIERA_PAIRS_REQUEST, &n);
    g_autofree guint32 *completed = g_new0(guint32, (gsize)time->trace->n_operations + 1);
    for (guint i = 0; i < n; i++)
        completed[pairs[i].completion]++;
    for (guint i = 0; i < n; i++) {
        guint32 completion = pairs[i].completion;
        gint64 *sum = &time->completion_ns[pairs[i].start];
        *sum = hiera_plus(*sum, own_of(time, completion) / completed[completion]);
    }
}

/* @param waiting_ns  waiting time by row, freed with the result; NULL: durations of the calls are used */
static HieraMessageTime *make(const HieraMatch *match, gint64 *waiting_ns)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    HieraMessageTime *time = g_new0(HieraMessageTime, 1);
    *time = (HieraMessageTime){trace, waiting_ns, g_new0(gint64, (gsize)trace->n_operations + 1),
                               g_new0(guint32, (gsize)trace->n_operations + 1)};
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(match, &n);
    for (guint i = 0; i < n; i++) {
        time->messages[messages[i].from]++;
        time->messages[messages[i].to]++;
    }
    add_completions(time, match);
    return time;
}

HieraMessageTime *hiera_message_time_new(const HieraMatch *match)
{
    return make(match, NULL);
}

HieraMessageTime *hiera_message_time_new_waiting(const HieraMatch *match)
{
    return make(match, hiera_waits_by_row(match, &HIERA_SCOPE_ALL));
}

void hiera_message_time_free(HieraMessageTime *time)
{
    g_free(time->waiting_ns);
    g_free(time->completion_ns);
    g_free(time->messages);
    g_free(time);
}

gint64 hiera_message_time_of_row(const HieraMessageTime *time, guint32 row)
{
    return hiera_plus(own_of(time, row), time->completion_ns[row]);
}

gint64 hiera_message_time_share(const HieraMessageTime *time, guint32 row)
{
    gint64 all_ns = hiera_message_time_of_row(time, row);
    return all_ns == HIERA_TOO_LARGE ? all_ns : all_ns / MAX(time->messages[row], 1);
}
