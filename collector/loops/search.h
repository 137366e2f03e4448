/* HIERA_SEARCH: samples tell which functions take the time, and the loops of these are timed for a while, from the
 * outer to the inner ones.
 *
 * A thread of its own does it. A function that has more than a share of the samples outside MPI is moved with its
 * outermost loops alone. When it has been executed often and long enough, loops with more than this share of its time
 * are bottlenecks; those inside them are timed next, unless their begin and end would take a large part of their time.
 * Then the function is put back, and its place in the table of times keeps what was found. Each rank decides for
 * itself, or the first one for all (search_decision.h). */
#ifndef HIERA_SEARCH_H
#define HIERA_SEARCH_H

#include "base/settings.h"

#include <stddef.h>

/* Before threads are sampled: a search needs samples. */
void hiera_search_prepare(void);

/* When threads are sampled. */
void hiera_search_load(void);

/* In a child of fork, where it may begin again. */
void hiera_search_in_child(void);

/* Begin or end a search while the program runs, or change what is a bottleneck. Without the lock; one thread at a time.
 * @return  NULL, or why it is not possible */
const char *hiera_search_switch(const HieraSearch *wanted);

/* Name of the function that is timed now; "" if none is. */
void hiera_search_show(char *text, size_t room);

#endif
