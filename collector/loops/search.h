/* HIERA_SEARCH: samples show which functions take the time, and their loops are timed for a while, from the outer to
 * the inner ones.
 *
 * A separate thread does it. A function that has more than a share of the samples outside MPI is moved, with only its
 * outermost loops timed. When it has been executed often and long enough, loops with more than this share of its time
 * are bottlenecks; their inner loops are timed next, unless their events would take a large part of the loops' time.
 * Then the function is put back, and its entries in the table of times keep the results. Each rank decides for itself,
 * or the first one for all (search_decision.h). */
#pragma once

#include "base/settings.h"

#include <stddef.h>

/* Called before sampling begins: switch samples on if a search, which needs samples, may begin. */
void hiera_search_prepare(void);

/* Begin the search, if HIERA_SEARCH asks for it; called after sampling has begun. */
void hiera_search_load(void);

/* In a child of fork, which has no thread for the search: allow to begin one. */
void hiera_search_in_child(void);

/* Begin or end a search while the program runs, or change the share that makes a bottleneck. Without the lock; one
 * thread at a time. @return  NULL, or why it is not possible */
const char *hiera_search_switch(const HieraSearch *wanted);

/* Copy the name of the function that is timed now into `text`; "": none is. */
void hiera_search_show(char *text, size_t room);
