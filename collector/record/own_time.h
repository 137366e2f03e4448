/* Time that the collector takes outside of all operations is no computation of the program. If it takes more than a
 * moment, the time becomes an element hieraFlush, as when a buffer is written. */
#pragma once

#include "record.h"

/* Record that the collector has worked from `since` until now for this thread. The last record must be complete. */
void hiera_own_time(HieraThread *thread, uint64_t since);

/* Record the collector's time in front of an operation whose record is not taken yet: this record is moved behind the
 * new one, if HIERA_FLUSH_BYTES are free behind it; else nothing happens. Returns the new address of the record. */
void *hiera_own_time_before(HieraThread *thread, HieraRecord *record, uint64_t since);
