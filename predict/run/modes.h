/* Modes of sends: standard, synchronous, buffered, ready. The mode of a persistent send is that of the call that made
 * it. */
#pragma once

#include "recorded_run.h"
#include "simulator/simulator.h"

typedef struct {
    const HieraTrace *trace;
    GHashTable *persistent; /* rank and request → mode; only non-standard ones */
} Modes;

void modes_init(Modes *modes, const RecordedRun *run);
void modes_clear(Modes *modes);
/* Return the mode of the send of a row. If it starts several persistent sends: that of the first non-standard one. */
HieraSimMode modes_find(const Modes *modes, guint32 row);
