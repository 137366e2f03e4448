/** Time that calls spend, or wait, for others: for the messages and collectives that they begin and complete.
 *
 * A call that completes several requests gives each an equal share of its time. What a call began gets the duration of
 * the call and the shares of its completions. A call that sends or receives several messages gives each an equal share
 * of that. So no moment counts twice. Shares are rounded down to nanoseconds. */
#pragma once

#include "hiera_match.h"

typedef struct HieraMessageTime HieraMessageTime;

/** O(rows + messages + requests). To be freed by hiera_message_time_free. */
HieraMessageTime *hiera_message_time_new(const HieraMatch *match);
void hiera_message_time_free(HieraMessageTime *time);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraMessageTime, hiera_message_time_free)

/** The same of the waiting of calls (waiting/waiting.h) in place of their durations. */
HieraMessageTime *hiera_message_time_new_waiting(const HieraMatch *match);

/** Nanoseconds that a row spent for all that it did, completions elsewhere included. */
gint64 hiera_message_time_of_row(const HieraMessageTime *time, guint32 row);

/** Nanoseconds that a row, `from` or `to` of messages, spent for one of them. */
gint64 hiera_message_time_share(const HieraMessageTime *time, guint32 row);
