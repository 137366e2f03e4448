/* What global_print() gathers: filled from states (totals.c) or from what they saved (load.c). */
#ifndef HIERA_PROBES_TOTALS_H
#define HIERA_PROBES_TOTALS_H

#include "aggregate.h"
#include "firing.h"

/* Of a global_print(). */
typedef struct HieraGathered {
    const HieraAction *action;
    HieraScriptName name; /* as in the script; its type may be known by saved bytes alone */
    HieraKeyed keyed;
    bool asked; /* a rank has reached it */
} HieraGathered;

struct HieraProbeTotals {
    const HieraProbeScript *script;
    HieraGathered *gathered; /* script->n_globals */
    HieraProbeHost host;
    HieraStore store;
};

/* Does it gather what this rank has? */
bool hiera_gathered_takes(const HieraGathered *gathered, int64_t rank);

#endif
