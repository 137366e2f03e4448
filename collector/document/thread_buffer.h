/* The memory for the records of a thread. */
#ifndef HIERA_THREAD_BUFFER_H
#define HIERA_THREAD_BUFFER_H

#include "record/record.h"

/* Without a trace, the buffer and the state of the thread together have this much of address space. */
enum { HIERA_UNTRACED_MAX = 128 << 10 };

/* Is there enough memory for the buffer size of the settings? Else change it. */
void hiera_buffer_check(void);

/* Make the buffer; false if there is no memory. */
bool hiera_buffer_make(HieraThread *thread);
void hiera_buffer_free(HieraThread *thread);
/* Begin again: nothing in it is needed any more. */
void hiera_buffer_reset(HieraThread *thread);

/* Before MPI_Init: use the whole buffer, then double it. Returns whether there is more room then. */
bool hiera_buffer_grow(HieraThread *thread);
/* Without a trace: use so much more of the buffer. Returns whether there is room then. */
bool hiera_buffer_widen(HieraThread *thread, size_t bytes);
/* May a record be longer than what is usually used of the buffer, while that is not full? */
bool hiera_buffer_wants_wider(const HieraThread *thread, size_t bytes);

#endif
