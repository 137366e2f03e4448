/* A trace with a probe script that runs on it, and what all ranks share. */
#pragma once

#include "hiera_measure.h"
#include "probes/probes.h"
#include "transfers.h"

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    const HieraProbeScript *script;
    HieraTransfers transfers;
    GPtrArray *names;   /* by id of the call site: full name of the operation; NULL: not made yet */
    GPtrArray *clauses; /* by id of the call site: GArray of numbers of matching clauses; NULL: not found yet */
    guint8 *waits;      /* by call site's id: whether calls suspend regions; 0: not found yet. NULL: not needed */
} HieraProbedTrace;

void hiera_probed_trace_init(HieraProbedTrace *probed, const HieraMatch *match, const HieraScope *scope,
                             const HieraProbeScript *script);
void hiera_probed_trace_clear(HieraProbedTrace *probed);
/* Return the full name of a call site's operation; owned by `probed`. */
const char *hiera_probed_trace_name(const HieraProbedTrace *probed, const HieraSite *site);
/* Return the numbers (guint) of clauses that match operations of a call site; owned by `probed`. */
const GArray *hiera_probed_trace_clauses(HieraProbedTrace *probed, const HieraSite *site);

/* Whether calls of a call site suspend the regions around them, and a clause of the script needs this. */
gboolean hiera_probed_trace_waits(const HieraProbedTrace *probed, const HieraSite *site);
