/* Observers of the begins and ends of regions (probing/; the linker finds the functions). They are asked once, when a
 * name is new; regions that nobody observes cost no instruction. */
#pragma once

#include "record.h"

struct HieraName;
struct HieraOpen;

/* Return the observers of regions of this name, as bits that only the observer interprets; 0: nobody. */
uint64_t hiera_watch_name(const struct HieraName *name);

/* Whether somebody may observe functions. */
bool hiera_watch_functions(void);

/* An observed region, or a function, begins: its entry is the last one. */
void hiera_watch_start(HieraThread *thread);

/* An observed region or function ends: it still has its entry. */
void hiera_watch_stop(HieraThread *thread, const struct HieraOpen *open, uint64_t finish);
