/* A trace that a script asks, for all ranks. */
#ifndef HIERA_PROBED_TRACE_H
#define HIERA_PROBED_TRACE_H

#include "hiera_measure.h"
#include "probes/probes.h"
#include "transfers.h"

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    const HieraProbeScript *script;
    HieraTransfers transfers;
    GPtrArray *names;   /* by id of a site: its name in full; NULL: not asked for yet */
    GPtrArray *clauses; /* by id of a site: GArray of the clauses whose names fit; NULL: not asked for yet */
    guint8 *waits; /* by id of a site: whether regions are suspended in it; 0: not asked for yet. NULL: no clause asks
                      for it */
} HieraProbedTrace;

void hiera_probed_trace_init(HieraProbedTrace *probed, const HieraMatch *match, const HieraScope *scope,
                             const HieraProbeScript *script);
void hiera_probed_trace_clear(HieraProbedTrace *probed);
/* The name of a site in full; owned. */
const char *hiera_probed_trace_name(const HieraProbedTrace *probed, const HieraSite *site);
/* The clauses that ask for operations of a site: numbers, guint; owned. */
const GArray *hiera_probed_trace_clauses(HieraProbedTrace *probed, const HieraSite *site);

/* Are regions suspended in calls of a site, and does a clause ask for it? */
gboolean hiera_probed_trace_waits(const HieraProbedTrace *probed, const HieraSite *site);

#endif
