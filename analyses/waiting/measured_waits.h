/** Visits the waiting that profiles have measured (HIERA_SYNC=1): only at barriers and in N x N collectives. */
#pragma once

#include "calls/summed_paths.h"
#include "waiting.h"

/** Remark that only barriers and N x N collectives were measured, for measures that show such waiting. */
#define HIERA_MEASURED_WAITS_LIMIT                                                                                     \
    "profiles have the waiting at barriers and in N x N collectives that HIERA_SYNC=1 has measured, and no other: "    \
    "late senders and receivers need single operations"

typedef void (*HieraMeasuredWaitVisit)(guint32 node, HieraWaitClass class, const HieraWaited *waited, gpointer user);

/** Visit the waits that one processor has measured, in the order of the document, with their nodes in the call paths.
 */
void hiera_measured_waits_visit(HieraCallPaths *paths, const HieraScope *scope, guint32 processor,
                                HieraMeasuredWaitVisit visit, gpointer user);
