/* The switch-over of a trace from single operations to sums (HIERA_MODE=trace,limit=…). Elements that are open then
 * stay open in the file until its end: the sums follow the contents that they have already, and then come their end
 * tags. So only the tail of the file and the finish times of these elements change from then on. */
#pragma once

#include "tree.h"
#include "write/trace_file.h"

typedef struct HieraSeam {
    uint64_t objects, counters; /* number of declarations in the file before the switch-over */
    size_t n_frames;
    HieraProfileNode *frames[]; /* node of each open element; NULL: it is filtered */
} HieraSeam;

/* Switch the thread, whose buffer is empty, over to sums. False: the file has an error, or there is no memory. */
bool hiera_seam_make(HieraThread *thread, void (*tail)(HieraTraceFile *));

/* A region whose element is open in the file has ended. */
void hiera_seam_end_frame(HieraProfile *profile, uint32_t frame, uint64_t ticks);

/* Write the sums and end tags of the open elements, if this file has been switched over. */
void hiera_seam_put(HieraTraceFile *stream);

/* Free the switch-over state: the thread has ended, and its file is complete. */
void hiera_seam_forget(HieraProfile *profile);
