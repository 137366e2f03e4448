/* A member's part of a collective operation, as steps. In a step it sends to one member and receives from one, both at
 * the same time; it continues when both are done. Members are numbered from 0, by their rank in the communicator. */
#pragma once

#include "simulator/machine.h"

#define NOBODY G_MAXUINT32

typedef struct {
    HieraSimCollective collective;
    HieraSimAlgorithm algorithm; /* algorithm with messages: neither AUTOMATIC nor ONE_STEP */
    guint32 n, me, root;
    gint64 bytes; /* size, with the meaning that HIERA_SIM_COLLECTIVES gives for each collective */
    guint32 step; /* number of the next step; 0 initially */
} Schedule;

typedef struct {
    guint32 to, from;  /* member to which this one sends, and the one from which it receives; NOBODY: none */
    gint64 bytes;      /* size of the message to send */
    gboolean combines; /* the received data are reduced with those of the receiver */
} ScheduleStep;
