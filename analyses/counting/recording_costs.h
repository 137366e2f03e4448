/** Cost of recording the operations of one processor, by call site. */
#pragma once

#include "hiera_measure.h"

/** Sums over operations of one site, or of several. Times in nanoseconds; costs are estimates (tracing_cost.h). */
typedef struct {
    const HieraSite *site;  /* call site of the operations, or of one of them; NULL if there are none */
    gint64 calls, filtered; /* number of operations that were recorded, and that a filter removed */
    gint64 time_ns;         /* sum of the durations of the recorded operations */
    gint64 own_ns;          /* cost of recording these operations, and of counting the removed ones */
    gint64 inside_ns;       /* own_ns plus the cost of recording the operations inside them */
    gint64 bytes;           /* size of the recorded operations in the trace */
} HieraCosts;

void hiera_costs_add(HieraCosts *to, const HieraCosts *from);

/** Return the costs of a site. @param sites  HieraCosts by HieraSite.id; is enlarged if needed */
HieraCosts *hiera_costs_find(GArray *sites, const HieraSite *site);

/** Return n times a cost; HIERA_TOO_LARGE if it does not fit. */
gint64 hiera_cost_times(gint64 n, gint64 each);

typedef struct HieraRecordingCosts HieraRecordingCosts;

/** Make the state of one processor. The scope must outlive it. To be freed by hiera_recording_costs_end. */
HieraRecordingCosts *hiera_recording_costs_new(const HieraScope *scope);
/** Take the next operation of the processor, in document order. It may be outside the scope, since it may be inside an
 * operation that is in the scope. */
void hiera_recording_costs_add(HieraRecordingCosts *costs, const HieraOperation *operation);
/** Count operations of the processor that a filter removed. */
void hiera_recording_costs_hide(HieraRecordingCosts *costs, const HieraFiltered *filtered);
/** Pack the costs of a processor that has been read, and unpack them in another process; there only
 * hiera_recording_costs_end() may follow. */
void hiera_recording_costs_pack(HieraRecordingCosts *costs, const HieraProcessor *processor, HieraPacker *to);
HieraRecordingCosts *hiera_recording_costs_unpack(const HieraScope *scope, HieraUnpacker *from);
/** End with the processor, and free all but the result.
 *
 * @return HieraCosts by site number, to be freed with g_array_unref */
GArray *hiera_recording_costs_end(HieraRecordingCosts *costs, const HieraProcessor *processor);
