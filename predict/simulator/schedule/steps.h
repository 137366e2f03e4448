/* A member's part of a collective operation, as steps. In a step it sends to one member and receives from one, both at
 * the same time; it continues when both are done. Members are numbered from 0, by their rank in the communicator. */
#pragma once

#include "simulator/machine.h"

#define NOBODY G_MAXUINT32

typedef struct {
    HieraSimCollective collective;
    HieraSimAlgorithm algorithm; /* neither AUTOMATIC nor ONE_STEP */
    guint32 n, me, root;
    gint64 bytes; /* size, as in an operation */
    guint32 step; /* number of the next step; 0 initially */
} Schedule;

typedef struct {
    guint32 to, from;  /* members, or NOBODY */
    gint64 bytes;      /* bytes to send */
    gboolean combines; /* the received data are combined with the own ones */
} ScheduleStep;
