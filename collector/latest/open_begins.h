/* Copies of the begin records of a thread's open regions: a trace that begins later opens these regions again. With the
 * lock held. */
#pragma once

#include "record/record.h"

/* Update the open regions: a begin or end record of the thread is written. */
void hiera_begins_follow(HieraThread *thread, const HieraRecord *record);

/* The thread itself has written all its records: update the names of regions, which may have moved. */
void hiera_begins_settle(HieraThread *thread);

/* The n-th open region, the outermost first; NULL: there is none. */
const HieraRecord *hiera_begins_at(const HieraThread *thread, uint32_t n);

void hiera_begins_free(HieraThread *thread);
