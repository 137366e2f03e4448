/* Copies of the begin records of a thread's open regions: a trace that begins later opens these regions again. With the
 * lock held. */
#pragma once

#include "record/record.h"

/* When a begin or end record of the thread is written: add a copy to its open regions, or remove the last one. */
void hiera_begins_follow(HieraThread *thread, const HieraRecord *record);

/* When the thread itself has written all its records: update the copies' pointers to names, which may have moved. */
void hiera_begins_settle(HieraThread *thread);

/* Begin record of the thread's n-th open region, 0 being the outermost; NULL: there is none. */
const HieraRecord *hiera_begins_at(const HieraThread *thread, uint32_t n);

void hiera_begins_free(HieraThread *thread);
