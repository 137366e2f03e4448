/* The switch-over of a trace from single operations to sums (HIERA_MODE=trace,limit=…). Elements that are open then
 * stay open in the file until its end: the sums follow the contents that they have already, and then come their end
 * tags. So only the tail of the file and the finish times of these elements change from then on. */
#pragma once

#include "tree.h"
#include "write/trace_file.h"

typedef struct HieraSwitchOver {
    uint64_t objects, counters; /* numbers of declarations of both kinds in the file before the switch-over */
    size_t n_frames;
    HieraProfileNode *frames[]; /* by open element: its node; NULL: the element is filtered */
} HieraSwitchOver;

/* Switch the thread, whose buffer is empty, to sums. False: the file has an error, or there is no memory. */
bool hiera_switch_over_make(HieraThread *thread, void (*tail)(HieraTraceFile *));

/* Set the finish time of a region that has ended and whose element stays open in the file. */
void hiera_switch_over_end_frame(HieraProfile *profile, uint32_t frame, uint64_t ticks);

/* Write the sums and end tags of the elements that are open in the file, if its thread was switched to sums. */
void hiera_switch_over_put(HieraTraceFile *stream);

/* Free the tree of a thread that was switched to sums and has ended, and whose file is complete. */
void hiera_switch_over_forget(HieraProfile *profile);
