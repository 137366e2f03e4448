/* The clock of a trace: reads its properties from the root element, and converts times of the trace to the job's time
 * axis. */
#pragma once

#include "arguments.h"

/* The correction of times. It changes linearly between two times of the trace, where it was measured, and is constant
 * before and after. */
typedef struct {
    gint64 offset_ns;      /* added to all times of the trace */
    gint64 drift;          /* rate of change: 1e-15 ns added for each ns between from_ns and to_ns */
    gint64 from_ns, to_ns; /* times of MPI_Init and MPI_Finalize in the trace, before correction */
    gint64 error_ns;       /* greatest possible error of corrected times; 0: it was not measured */
} HieraClock;

/* Read the clock from the attributes of the root element.
 *
 * @param processor  in: its times, uncorrected; out: name and error of its clock
 * @param clock      receives the correction */
void hiera_clock_read(const HieraPlace *place, const HieraAttributes *attributes, HieraCache *cache,
                      HieraProcessor *processor, HieraClock *clock);

/* Return a time of the trace on the job's time axis, in ns. It is never negative (if it would be by more than
 * the error of the clock explains, that is a finding); the order of times is kept. */
gint64 hiera_clock_correct(const HieraClock *clock, const HieraPlace *place, gint64 ns);
