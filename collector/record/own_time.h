/* What the collector does outside of all operations is no computation of the program. What takes it more than a moment
 * becomes an element hieraFlush, like the writing of a buffer. */
#ifndef HIERA_OWN_TIME_H
#define HIERA_OWN_TIME_H

#include "record.h"

/* The collector has worked for this thread since that time. The last record needs no more room. */
void hiera_own_time(HieraThread *thread, uint64_t since);

/* The same before an operation whose record is not taken yet. There must be room for HIERA_FLUSH_BYTES behind it, or
 * nothing happens. Returns where the record is now. */
void *hiera_own_time_before(HieraThread *thread, HieraRecord *record, uint64_t since);

#endif
