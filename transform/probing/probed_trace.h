/* A trace on which a script runs, with data shared by all ranks. */
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
    GPtrArray *names;   /* by site id: its full name; NULL: not made yet */
    GPtrArray *clauses; /* by site id: GArray of matching clauses; NULL: not found yet */
    guint8 *waits; /* by site id: whether regions are suspended in it; 0: not found yet. NULL: no clause needs it */
} HieraProbedTrace;

void hiera_probed_trace_init(HieraProbedTrace *probed, const HieraMatch *match, const HieraScope *scope,
                             const HieraProbeScript *script);
void hiera_probed_trace_clear(HieraProbedTrace *probed);
/* Return the full name of a site; owned. */
const char *hiera_probed_trace_name(const HieraProbedTrace *probed, const HieraSite *site);
/* Return the clauses that match operations of a site: numbers, guint; owned. */
const GArray *hiera_probed_trace_clauses(HieraProbedTrace *probed, const HieraSite *site);

/* Whether regions are suspended in calls of a site, and a clause needs this. */
gboolean hiera_probed_trace_waits(const HieraProbedTrace *probed, const HieraSite *site);
