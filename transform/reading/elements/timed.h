/* Reads exact times of functions and loops (hieraLoops, hieraTimed, hieraTimedLoop, hieraUntimed). */
#ifndef HIERA_READ_TIMED_H
#define HIERA_READ_TIMED_H

#include "reading/context/read_context.h"

/* Read a hieraLoops: what is about all that is in it. */
HieraTimed hiera_timed_read_all(HieraReadContext *context, const HieraAttributes *attributes);

/* Read one of the others; kind, depth and the time of an event are the caller's. */
void hiera_timed_read(HieraReadContext *context, const HieraAttributes *attributes, HieraTimed *timed);

#endif
