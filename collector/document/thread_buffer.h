/* The memory for the records of a thread. */
#pragma once

#include "record/record.h"

/* Address space of the buffer and the state of a thread together, without a trace. */
enum { HIERA_UNTRACED_MAX = 128 << 10 };

/* Use the default buffer size if there is not enough memory for that of HIERA_BUFFER. */
void hiera_buffer_check(void);

/* Make the buffer; false if there is no memory. */
bool hiera_buffer_make(HieraThread *thread);
void hiera_buffer_free(HieraThread *thread);
/* Empty the buffer: its content is no longer needed. */
void hiera_buffer_reset(HieraThread *thread);

/* Before MPI_Init: use the whole buffer, then double it. Returns whether there is more room. */
bool hiera_buffer_grow(HieraThread *thread);
/* Without a trace: extend the used part of the buffer by this many bytes. Returns whether there is room. */
bool hiera_buffer_widen(HieraThread *thread, size_t bytes);
/* Whether a record may exceed the usual part of the buffer, while that part is not full. */
bool hiera_buffer_wants_wider(const HieraThread *thread, size_t bytes);
