/* Who observes the begins and ends of regions as they happen (probing/; the linker finds it). Asked when a name is new;
 * regions of other names need no instruction for that. */
#ifndef HIERA_WATCH_H
#define HIERA_WATCH_H

#include "record.h"

struct HieraName;
struct HieraOpen;

/* Who is interested in regions of this name, as bits of the watcher's own; 0: nobody. */
uint64_t hiera_watch_name(const struct HieraName *name);

/* Whether somebody may be interested in functions. */
bool hiera_watch_functions(void);

/* A region of such a name, or a function, begins: it has its entry, the last one. */
void hiera_watch_start(HieraThread *thread);

/* A region or function that is watched ends: it still has its entry. */
void hiera_watch_stop(HieraThread *thread, const struct HieraOpen *open, uint64_t finish);

#endif
