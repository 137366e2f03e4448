/* The header of the trace: rank, job, clock. Called with the lock held. */
#ifndef HIERA_TRACE_HEADER_H
#define HIERA_TRACE_HEADER_H

/* Write the header, or overwrite it with new facts. */
void hiera_trace_put_header(void);

#endif
