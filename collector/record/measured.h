/* What assertions ask for that their thread measures: time of the processor, page faults, events that the processor
 * counts.
 *
 * Idea: at both ends of an execution everything that its assertion asks for is read; the differences become values of
 * the record at its end, so that the run and its trace tell the same. Nobody else pays: no system call is made, and no
 * descriptor is opened, before an assertion asks. What the machine does not count is not known, and the reason is said
 * once. */
#ifndef HIERA_MEASURED_H
#define HIERA_MEASURED_H

#include "assertions/assertions.h"
#include "base/event_group.h"
#include "record.h"

/* What a thread had used at some time. */
typedef struct HieraUsage {
    uint64_t values[HIERA_MEASURED_INSTRUCTIONS]; /* of what is no event */
    HieraEventCounts events;
} HieraUsage;

/* An execution begins, which will be the open region with this index.
 *
 * @param asked  bits of HieraMeasured
 * @return  false if there is no memory */
bool hiera_measure_begin(HieraThread *thread, uint32_t asked, uint32_t index);

/* It ends: only after such a begin. */
void hiera_measure_end(HieraThread *thread, uint32_t asked, HieraUsage *end);

/* How much there was of it since hiera_measure_begin().
 *
 * @return  false if it is not known */
bool hiera_measured_since(const HieraThread *thread, uint32_t index, const HieraUsage *end, HieraMeasured what,
                          uint64_t *value);

/* From now on events are not known: the thread ends, or this is a forked child, which must leave the counters of its
 * parent alone. */
void hiera_measure_stop(HieraThread *thread);

void hiera_measure_free(HieraThread *thread);

#endif
