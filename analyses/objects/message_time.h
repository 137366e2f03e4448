/** Time that calls spend, or wait, for other ranks: for the messages and collectives that they begin and complete.
 *
 * A call that completes several requests gives each an equal share of its time. What a call began gets the duration of
 * the call and the shares of its completions. A call that sends or receives several messages gives each an equal share
 * of that. So no moment counts twice. Shares are rounded down to nanoseconds. */
#pragma once

#include "hiera_match.h"

typedef struct HieraMessageTime HieraMessageTime;

/** Find the time of each row's messages. O(rows + messages + requests). To be freed by hiera_message_time_free. */
HieraMessageTime *hiera_message_time_new(const HieraMatch *match);
void hiera_message_time_free(HieraMessageTime *time);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraMessageTime, hiera_message_time_free)

/** As hiera_message_time_new, with the waiting times of the calls (waiting/waiting.h) instead of their durations. */
HieraMessageTime *hiera_message_time_new_waiting(const HieraMatch *match);

/** Return the time of a row's call, plus its share of the later calls that complete its requests, in ns. */
gint64 hiera_message_time_of_row(const HieraMessageTime *time, guint32 row);

/** Return the time of a row in ns, divided by the number of messages that the row sends or receives. */
gint64 hiera_message_time_share(const HieraMessageTime *time, guint32 row);
