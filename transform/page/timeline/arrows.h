/* Messages by level of detail: the page draws those that take longest, and knows how many there are. */
#ifndef HIERA_ARROWS_H
#define HIERA_ARROWS_H

#include "longest.h"

/* Find all messages, with their levels; details and on_demand as in hiera_longest_new().
 * @param scene  must outlive the result */
HieraLongest *hiera_arrows_find(const HieraScene *scene, const GArray *details, gboolean on_demand);

/* Make the block `messages-ROW`: the messages that an operation sends or completes. O(messages). To be freed with
 * g_byte_array_unref. */
GByteArray *hiera_arrows_of(const HieraScene *scene, guint32 row);

/* Make the block `messages`: those of some operations. O(messages). Of several processes all call it; it is that of the
 * one that leads. To be freed with g_byte_array_unref.
 * @param rows  by row: whether it is one of them */
GByteArray *hiera_arrows_of_rows(const HieraScene *scene, const guint8 *rows);

/* The call at whose end a person sees a message arrive. */
guint32 hiera_arrow_end(const HieraMessage *message);
/* How long a message is under way, from the begin of its send until it has arrived; -1 if the page does not show it. */
gint64 hiera_arrow_duration(const HieraScene *scene, const HieraMessage *message);

#endif
