/** What recording the operations of one processor cost, by call site. */
#pragma once

#include "hiera_measure.h"

/** Operations of one site, or of several. Times in nanoseconds; those of costs are estimates (tracing_cost.h). */
typedef struct {
    const HieraSite *site; /* NULL: no operations */
    gint64 calls, hidden;  /* recorded; only counted */
    gint64 time_ns;        /* in recorded operations */
    gint64 own_ns;         /* cost of recording or hiding them */
    gint64 inside_ns;      /* and of recording what is inside them */
    gint64 bytes;          /* of them in the trace */
} HieraCosts;

void hiera_costs_add(HieraCosts *to, const HieraCosts *from);

/** Return the costs of a site in an array of HieraCosts by number of the site, which grows on demand. */
HieraCosts *hiera_costs_find(GArray *sites, const HieraSite *site);

/** Return n times a cost, or HIERA_TOO_LARGE. */
gint64 hiera_cost_times(gint64 n, gint64 each);

typedef struct HieraRecordingCosts HieraRecordingCosts;

/** Begin with a processor. The scope must outlive the result. */
HieraRecordingCosts *hiera_recording_costs_new(const HieraScope *scope);
/** Take the next operation of the processor, in document order, also if it is not in the scope: it may be inside one
 * that is. */
void hiera_recording_costs_add(HieraRecordingCosts *costs, const HieraOperation *operation);
/** Take operations that were only counted. */
void hiera_recording_costs_hide(HieraRecordingCosts *costs, const HieraFiltered *filtered);
/** The costs of a processor that has been read, as bytes for another process, and there: for the end alone. */
void hiera_recording_costs_pack(HieraRecordingCosts *costs, const HieraProcessor *processor, HieraPacker *to);
HieraRecordingCosts *hiera_recording_costs_unpack(const HieraScope *scope, HieraUnpacker *from);
/** End with the processor, and free all but the answer.
 *
 * @return HieraCosts by number of the site, to be freed with g_array_unref */
GArray *hiera_recording_costs_end(HieraRecordingCosts *costs, const HieraProcessor *processor);
