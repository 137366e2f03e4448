/* Reads exact times of functions and loops (hieraLoops, hieraTimed, hieraTimedLoop, hieraUntimed). */
#pragma once

#include "reading/context/read_context.h"

/* Read a hieraLoops: the number of lost timing events, and the cost of one event. */
HieraTimed hiera_timed_read_all(HieraReadContext *context, const HieraAttributes *attributes);

/* Read a hieraTimed, hieraTimedLoop or hieraUntimed; the caller sets kind, depth and the time of an event. */
void hiera_timed_read(HieraReadContext *context, const HieraAttributes *attributes, HieraTimed *timed);
