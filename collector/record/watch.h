/* Observers of the begins and ends of regions (probing/; the linker finds the functions). They are asked once, when a
 * name is new; regions that nobody observes cost no instruction. */
#pragma once

#include "record.h"

struct HieraName;
struct HieraOpen;

/* Return who observes regions of this name, as bits that only the observer interprets; 0: nobody. */
uint64_t hiera_watch_name(const struct HieraName *name);

/* Whether anybody may observe calls of instrumented functions. */
bool hiera_watch_functions(void);

/* Report the begin of an observed region, or of a function: the innermost entry of the stack of open regions. */
void hiera_watch_start(HieraThread *thread);

/* Report the end of an observed region or function, whose entry `open` still exists. `finish`: end time in ticks. */
void hiera_watch_stop(HieraThread *thread, const struct HieraOpen *open, uint64_t finish);
