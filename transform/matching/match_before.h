/* Start values for counting where a trace begins late (trace/before.h). */
#pragma once

#include "match_endpoints.h"
#include "trace/before.h"

/* Counts of calls before traces begin, by their keys. */
typedef struct HieraMatchBefore HieraMatchBefore;

/* Return NULL if all traces begin at the start of their ranks. */
HieraMatchBefore *hiera_match_before_new(const HieraTrace *trace);
void hiera_match_before_free(HieraMatchBefore *before);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraMatchBefore, hiera_match_before_free)

/* Number of collective calls before the trace on a communicator, window or file, or of calls that make a persistent
 * collective; HIERA_BEFORE_UNKNOWN. 0 if `before` is NULL. */
gint64 hiera_match_before_calls(const HieraMatchBefore *before, guint32 processor, HieraBeforeSort sort, guint32 comm);
/* Number of starts of a persistent collective before the trace. `row` made it. */
gint64 hiera_match_before_starts(const HieraMatchBefore *before, guint32 processor, guint32 row);

/* Number the messages of all processors by channel. Requires the contexts. */
void hiera_match_before_number(HieraMatchBefore *before, const HieraMatch *match);
/* Number of messages of a channel before the trace, at its sender or its receiver. */
gint64 hiera_match_before_messages(const HieraMatchBefore *before, const HieraChannelKey *channel, gboolean received);

/* Whether a rank's window or file (as communicator) was made before its trace begins. */
gboolean hiera_match_before_made(const HieraTrace *trace, guint32 processor, guint32 comm);
