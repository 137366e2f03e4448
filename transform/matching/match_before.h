/* Counting goes on where a trace begins later (trace/before.h). */
#ifndef HIERA_MATCH_BEFORE_H
#define HIERA_MATCH_BEFORE_H

#include "match_endpoints.h"
#include "trace/before.h"

/* Looked up by what they count. */
typedef struct HieraMatchBefore HieraMatchBefore;

/* Return NULL if all traces begin with their ranks. */
HieraMatchBefore *hiera_match_before_new(const HieraTrace *trace);
void hiera_match_before_free(HieraMatchBefore *before);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraMatchBefore, hiera_match_before_free)

/* How many collective calls went before on a communicator, window or file, or calls that make a persistent collective;
 * HIERA_BEFORE_UNKNOWN. 0 if `before` is NULL. */
gint64 hiera_match_before_calls(const HieraMatchBefore *before, guint32 processor, HieraBeforeSort sort, guint32 comm);
/* How often a persistent collective was started before. `row` made it. */
gint64 hiera_match_before_starts(const HieraMatchBefore *before, guint32 processor, guint32 row);

/* Number the messages of all processors by channel. Requires the contexts. */
void hiera_match_before_number(HieraMatchBefore *before, const HieraMatch *match);
/* How many messages of a channel went before at its sender or its receiver. */
gint64 hiera_match_before_messages(const HieraMatchBefore *before, const HieraChannelKey *channel, gboolean received);

/* Whether a rank's window or file (as communicator) was made before its trace begins. */
gboolean hiera_match_before_made(const HieraTrace *trace, guint32 processor, guint32 comm);

#endif
