/* Children of fork. One of a process that has begun MPI records nothing: it shares the files and the buffers of its
 * parent, and must not call MPI. One that was made before (a harness that forks for each test, Python's
 * multiprocessing) may be the rank. It records nothing either until it begins MPI itself: then it is a process of its
 * own, with memory and files of its own. */
#ifndef HIERA_CHILDREN_H
#define HIERA_CHILDREN_H

#include <stdbool.h>

/* Once, when the collector is loaded. */
void hiera_children_load(void);

/* Before MPI begins in this process. */
void hiera_children_wake(void);

/* Has a child, or a child of one, begun MPI? */
bool hiera_children_have_job(void);

#endif
