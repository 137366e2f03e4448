/* Modes of sends: standard, synchronous, buffered, ready. The mode of a persistent send is that of the call that made
 * it. */
#pragma once

#include "recorded_run.h"
#include "simulator/simulator.h"

typedef struct {
    const HieraTrace *trace;
    GHashTable *persistent; /* rank and request number → HieraSimMode of the persistent send, if not STANDARD */
} Modes;

void modes_init(Modes *modes, const RecordedRun *run);
void modes_clear(Modes *modes);
/* Return the mode of a call that sends. If it starts several persistent sends: the first mode that is not STANDARD. */
HieraSimMode modes_find(const Modes *modes, guint32 row);
