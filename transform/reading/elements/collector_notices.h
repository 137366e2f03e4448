/* Reads the elements in which the collector reports problems of the run, and makes findings of them. */
#pragma once

#include "reading/context/read_context.h"

/* Read a `hieraLost`: number of calls that could not be recorded, and why. */
void hiera_notice_read_lost(HieraReadContext *context, const HieraAttributes *attributes);
/* Read a `hieraObject`: a program or library with call sites without a line. If its file is found, lines of later
 * call sites are looked up in it; otherwise add a finding. */
void hiera_notice_read_object(HieraReadContext *context, const HieraAttributes *attributes);
/* Read a `hieraPause`: a time during which the program had recording switched off. */
void hiera_notice_read_pause(HieraReadContext *context, const HieraAttributes *attributes);
/* Read a `hieraUsage`: threads of the program, and their processor time. */
void hiera_notice_read_usage(HieraReadContext *context, const HieraAttributes *attributes);
/* Read a `hieraUnbalanced`: how often the program's calls to begin and end a region did not match. */
void hiera_notice_read_unbalanced(HieraReadContext *context, const HieraAttributes *attributes);
/* Read a `hieraEnd`: how the process ended, if not normally. */
void hiera_notice_read_end(HieraReadContext *context, const HieraAttributes *attributes);
