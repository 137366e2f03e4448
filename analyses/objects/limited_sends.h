/** Messages in traces that switch to sums at a limit: the send is a single operation, while its receive is in the
 * sums of its rank. The match has no message for them. */
#pragma once

#include "hiera_match.h"

/** @param row   row that sends, or starts a persistent send
 * @param by    row with peer and size: `row` itself, or the row that made the request
 * @param peer  world rank of the receiver */
typedef void (*HieraLimitedSendVisit)(guint32 row, guint32 by, guint32 peer, gpointer user);

/** Visit, in the order of rows, the sends whose receive the receiver has only in sums of calls. O(1) without sums. */
void hiera_limited_sends_visit(const HieraMatch *match, HieraLimitedSendVisit visit, gpointer user);
