/* How many threads read and analyse. One number for the process; change it before the first file is read. No result
 * depends on it. */
#ifndef HIERA_TRANSFORM_THREADS_H
#define HIERA_TRANSFORM_THREADS_H

#include <glib.h>

enum { HIERA_THREADS_MAX = 1024 };

/* @param n  0: as many as there are processors */
void hiera_threads_set(guint n);
/* Whether the user has named a number. */
gboolean hiera_threads_are_set(void);
/* Return the number, at least 1. */
guint hiera_threads_count(void);
/* Run a function in a thread of its own. @return NULL if it has to be called in this thread: only one is wanted, or no
 * other can be had */
GThread *hiera_threads_try(const char *name, GThreadFunc function, gpointer data);

/* One of several jobs. @param job  its number, from 0 */
typedef void (*HieraThreadsJob)(guint job, gpointer user);
/* Do jobs side by side, in as many threads as there are jobs and threads; the calling one is among them. They begin in
 * rising order. Returns when all are done. */
void hiera_threads_each(guint n_jobs, HieraThreadsJob function, gpointer user);

#endif
