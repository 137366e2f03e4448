/** Messages of traces that go over to sums at a limit: sends that are single operations, of which the receive is in the
 * sums of its rank. They are no messages of a match. */
#pragma once

#include "hiera_match.h"

/** @param row   that sends, or starts a persistent send
 * @param by    that names peer and size: the row itself, or that which made the request
 * @param peer  world rank */
typedef void (*HieraLimitedSendVisit)(guint32 row, guint32 by, guint32 peer, gpointer user);

/** Visit them, by row. Costs nothing where nothing is summed up. */
void hiera_limited_sends_visit(const HieraMatch *match, HieraLimitedSendVisit visit, gpointer user);
