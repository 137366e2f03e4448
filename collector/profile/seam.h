/* A trace that goes over to sums (HIERA_MODE=trace,limit=…). The elements that are open then stay open in the file
 * until its end: their sums come behind what is in them already, and only then their end tags. So the file changes no
 * more but for its tail and the finish times of these elements. */
#ifndef HIERA_SEAM_H
#define HIERA_SEAM_H

#include "tree.h"
#include "write/trace_file.h"

typedef struct HieraSeam {
    uint64_t objects, counters; /* that the file had declared before it */
    size_t n_frames;
    HieraProfileNode *frames[]; /* of the open elements; NULL: it is filtered */
} HieraSeam;

/* The thread, whose buffer is empty, goes over. False: the file has an error, or there is no memory. */
bool hiera_seam_make(HieraThread *thread, void (*tail)(HieraTraceFile *));

/* A region that was open in the file has ended. */
void hiera_seam_end_frame(HieraProfile *profile, uint32_t frame, uint64_t ticks);

/* Write what belongs behind the end tags of the open elements, if this is the file of such a thread. */
void hiera_seam_put(HieraTraceFile *stream);

/* The thread has ended, and its file has everything. */
void hiera_seam_forget(HieraProfile *profile);

#endif
