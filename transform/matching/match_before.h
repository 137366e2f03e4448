/* Numbers of calls that were made before a trace begins, where counting has to start (trace/before.h). */
#pragma once

#include "match_endpoints.h"
#include "trace/before.h"

/* Numbers of calls and messages before the traces begin. */
typedef struct HieraMatchBefore HieraMatchBefore;

/* Collect the numbers of earlier calls from all traces. NULL: every trace begins at the start of its rank. */
HieraMatchBefore *hiera_match_before_new(const HieraTrace *trace);
void hiera_match_before_free(HieraMatchBefore *before);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraMatchBefore, hiera_match_before_free)

/* Number of collective calls before the trace on a communicator, window or file, or of calls that make a persistent
 * collective; HIERA_BEFORE_UNKNOWN. 0 if `before` is NULL. */
gint64 hiera_match_before_calls(const HieraMatchBefore *before, guint32 processor, HieraBeforeSort sort, guint32 comm);
/* Number of starts, before the trace, of the persistent collective that `row` made; HIERA_BEFORE_UNKNOWN: not known. */
gint64 hiera_match_before_starts(const HieraMatchBefore *before, guint32 processor, guint32 row);

/* Add the numbers of earlier messages of all processors, by channel. Call it when the contexts are known. */
void hiera_match_before_number(HieraMatchBefore *before, const HieraMatch *match);
/* Number of messages of a channel before the trace of its sender begins (`received`: of its receiver). */
gint64 hiera_match_before_messages(const HieraMatchBefore *before, const HieraChannelKey *channel, gboolean received);

/* Whether a rank made its window or file before its trace begins. @param comm  the window or file */
gboolean hiera_match_before_made(const HieraTrace *trace, guint32 processor, guint32 comm);
