/* The files of this process's trace: the trace itself, the parts of its other threads, what stands in its tail. With
 * the lock held throughout. */
#ifndef HIERA_TRACE_DOCUMENT_H
#define HIERA_TRACE_DOCUMENT_H

#include "session_state.h"

/* Make the file, or give it its name now that the rank is known. */
bool hiera_trace_open(void);

/* The path of the trace of a rank; false if it is too long. */
bool hiera_trace_path(char *path, size_t size, int rank);

/* A file beside the trace for the records of thread `number`, a section of the trace in the end. */
HieraTraceFile *hiera_trace_new_part(unsigned number);

/* For hiera_trace_file_end(): while the job runs; at the end, with the sections of all threads. */
void hiera_trace_tail(HieraTraceFile *stream);
void hiera_trace_final_tail(HieraTraceFile *stream);

/* The thread ends: its part becomes a section among those of threads that have ended. */
void hiera_trace_end_thread(HieraThread *thread);

#endif
