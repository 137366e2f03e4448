/* Messages in the timeline, by level of detail: each part of a level shows the longest, and how many there are. */
#pragma once

#include "longest.h"

/* Find all messages, with their levels; details and on_demand as in hiera_longest_new().
 * @param scene  must outlive the result */
HieraLongest *hiera_arrows_find(const HieraScene *scene, const GArray *details, gboolean on_demand);

/* Make the block `messages-ROW`: the messages that an operation sends or completes. O(messages). To be freed with
 * g_byte_array_unref. */
GByteArray *hiera_arrows_of(const HieraScene *scene, guint32 row);

/* Make the block `messages`: the messages of some operations. O(messages). With several processes, all must call it;
 * process 0 gets the block. To be freed with g_byte_array_unref.
 * @param rows  by row: whether it is one of these operations */
GByteArray *hiera_arrows_of_rows(const HieraScene *scene, const guint8 *rows);

/* Return the row at whose end a message has visibly arrived: the call that completes the receive. */
guint32 hiera_arrow_end(const HieraMessage *message);
/* Return the time from the begin of a message's send to its arrival; -1 if the page does not show the message. */
gint64 hiera_arrow_duration(const HieraScene *scene, const HieraMessage *message);
