/* Reports the MPI calls of a thread to a meter of assertions (expect/), with the same values as in traces. For
 * HieraLevelOps. */
#pragma once

#include "write/level_ops.h"

/* Report a call to the meter, which measures values for assertions; a call in progress is reported without its end. */
void hiera_call_meter(struct HieraMeter *meter, HieraCallMeter *known, const HieraRecord *record);

/* Close the innermost open call in the meter: all calls in its callbacks have been reported. */
void hiera_call_meter_leave(struct HieraMeter *meter, HieraCallMeter *known);
