/* Tell a meter of assertions (expect/) the MPI calls of a thread, with what traces have of them. For HieraLevelOps. */
#ifndef HIERA_CALL_METER_H
#define HIERA_CALL_METER_H

#include "write/level_ops.h"

/* Bytes of memory, zeroed, that a meter needs for the functions of MPI. */
size_t hiera_call_meter_bytes(void);

/* Tell a call; also one in progress, which then has no end. @param memory  that memory */
void hiera_call_meter(struct HieraMeter *meter, void *memory, const HieraRecord *record);

#endif
