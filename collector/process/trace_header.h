/* The header of the trace: rank, job, clock. With the lock held. */
#ifndef HIERA_TRACE_HEADER_H
#define HIERA_TRACE_HEADER_H

/* Write it, or write over it now that more is known. */
void hiera_trace_put_header(void);

#endif
