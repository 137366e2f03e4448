/* Modes of sends: standard, synchronous, buffered, ready. Those of persistent ones are known from the calls that made
 * them. */
#ifndef HIERA_PREDICT_MODES_H
#define HIERA_PREDICT_MODES_H

#include "recorded_run.h"
#include "simulator/simulator.h"

typedef struct {
    const HieraTrace *trace;
    GHashTable *persistent; /* processor and request → mode; only those that are not standard */
} Modes;

void modes_init(Modes *modes, const RecordedRun *run);
void modes_clear(Modes *modes);
/* Return the mode of what a row sends. Of a call that starts several persistent sends: of the first one that is not
 * standard. */
HieraSimMode modes_find(const Modes *modes, guint32 row);

#endif
