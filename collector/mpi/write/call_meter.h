/* Tell a meter of assertions (expect/) the MPI calls of a thread, with what traces have of them. For HieraLevelOps. */
#ifndef HIERA_CALL_METER_H
#define HIERA_CALL_METER_H

#include "write/level_ops.h"

/* Tell a call; also one in progress, which then has no end. */
void hiera_call_meter(struct HieraMeter *meter, HieraCallMeter *known, const HieraRecord *record);

/* The calls in callbacks of the innermost open call have been told. */
void hiera_call_meter_leave(struct HieraMeter *meter, HieraCallMeter *known);

#endif
