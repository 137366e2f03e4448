/* Reads exact times of functions and loops (hieraLoops, hieraTimed, hieraTimedLoop, hieraUntimed). */
#pragma once

#include "reading/context/read_context.h"

/* Read a hieraLoops: the number of lost timing events. */
HieraTimed hiera_timed_read_all(HieraReadContext *context, const HieraAttributes *attributes);

/* Read a hieraTimed, hieraTimedLoop or hieraUntimed; the caller sets kind and depth. */
void hiera_timed_read(HieraReadContext *context, const HieraAttributes *attributes, HieraTimed *timed);
