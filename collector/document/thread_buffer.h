/* The memory for the records of a thread: made, emptied, enlarged. */
#pragma once

#include "record/record.h"

/* Without a trace: address space for the state of a thread and its buffer together, in bytes. */
enum { HIERA_UNTRACED_MAX = 128 << 10 };

/* If memory for a buffer of HIERA_BUFFER bytes cannot be mapped, use the default size. */
void hiera_buffer_check(void);

/* Make the thread's buffer. Return false if there is no memory. */
bool hiera_buffer_make(HieraThread *thread);
void hiera_buffer_free(HieraThread *thread);
/* Empty the buffer, once its records are written or no longer needed. */
void hiera_buffer_reset(HieraThread *thread);

/* Before MPI_Init: use the whole buffer; if that is full, double its size. Returns whether there is more room. */
bool hiera_buffer_grow(HieraThread *thread);
/* Without a trace: move the end of the usable buffer to `bytes` behind the records. Returns whether they fit. */
bool hiera_buffer_widen(HieraThread *thread, size_t bytes);
/* Whether a record of `bytes` exceeds the usual part of the buffer, while that part is neither full nor widened. */
bool hiera_buffer_wants_wider(const HieraThread *thread, size_t bytes);
