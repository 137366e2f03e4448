/* Values that assertions ask for and that the thread measures: CPU time, page faults, events that the CPU counts.
 *
 * Idea: everything that an assertion asks for is read at both ends of its execution. The differences become values of
 * the record at its end, so that messages of the run and its trace agree. Programs without such assertions pay nothing:
 * no system call is made, and no descriptor is opened, before an assertion asks. If the machine cannot count something,
 * its value is unknown, and the reason is printed once. */
#pragma once

#include "assertions/assertions.h"
#include "base/event_group.h"
#include "record.h"

/* Resources that a thread had used by the time of a reading. */
typedef struct HieraUsage {
    uint64_t values[HIERA_MEASURED_INSTRUCTIONS]; /* by HieraMeasured: all but events that the CPU counts */
    HieraEventCounts events;
} HieraUsage;

/* An execution of an assertion begins; it will be the open region with this index.
 *
 * @param asked  bits of HieraMeasured
 * @return  false if there is no memory */
bool hiera_measure_begin(HieraThread *thread, uint32_t asked, uint32_t index);

/* Read the resources at the end of an execution. Call it only if hiera_measure_begin() has returned true for the
 * region. */
void hiera_measure_end(HieraThread *thread, uint32_t asked, HieraUsage *end);

/* Compute how much of `what` was used since hiera_measure_begin().
 *
 * @return  false if it is not known */
bool hiera_measured_since(const HieraThread *thread, uint32_t index, const HieraUsage *end, HieraMeasured what,
                          uint64_t *value);

/* From now on events are not known: the thread ends, or this is a forked child, which must leave the counters of its
 * parent alone. */
void hiera_measure_stop(HieraThread *thread);

void hiera_measure_free(HieraThread *thread);
