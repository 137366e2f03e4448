/* The files of this process's trace: the trace, the parts of its other threads, and the tail. All functions are called
 * with the lock held. */
#pragma once

#include "session_state.h"

/* Create the file of the trace; once the rank is known, rename it. Returns false if that is not possible. */
bool hiera_trace_open(void);

/* Make the path of a rank's trace. Second: of the container file of first rank `rank`. False if it is too long. */
bool hiera_trace_path(char *path, size_t size, int rank);
bool hiera_trace_container_path(char *path, size_t size, int rank);

/* Create a file beside the trace for the records of thread `number`; at the end it becomes a section of the trace. */
HieraTraceFile *hiera_trace_new_part(unsigned number);

/* Callbacks for hiera_trace_file_end() that write the tail: the first while the job runs, the second at the end, with
 * the sections of all threads. */
void hiera_trace_tail(HieraTraceFile *stream);
void hiera_trace_final_tail(HieraTraceFile *stream);

/* Append a part to the sections of ended threads. *of, which points to the part, becomes NULL in the same step: so a
 * part is either separate or among the ended ones, never both. */
void hiera_trace_append_section(HieraTraceFile *ended, const HieraTraceFile *part, HieraTraceFile **of);

/* When a thread ends: move its part of the trace to the file with the sections of ended threads. */
void hiera_trace_end_thread(HieraThread *thread);
