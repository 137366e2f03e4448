/* Children of fork. A child of a process that has begun MPI records nothing: it shares the files and the buffers of its
 * parent, and must not call MPI. A child that was made earlier (by a harness that forks for each test, or by Python's
 * multiprocessing) may become the rank. It records nothing either until it begins MPI itself: then it is a process of
 * its own, with memory and files of its own. */
#pragma once

#include <stdbool.h>

/* Install the fork handlers. Called once, when the collector is loaded. */
void hiera_children_load(void);

/* In a forked child: begin to record. Called before MPI begins in the process. */
void hiera_children_wake(void);

/* Whether a forked child of this process, or a child of such a child, has begun MPI. */
bool hiera_children_have_job(void);
