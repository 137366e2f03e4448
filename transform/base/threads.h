/* How many threads read and analyse. One number for the process; change it before the first file is read. No result
 * depends on it. */
#ifndef HIERA_THREADS_H
#define HIERA_THREADS_H

#include <glib.h>

enum { HIERA_THREADS_MAX = 1024 };

/* @param n  0: as many as there are processors */
void hiera_threads_set(guint n);
/* Return the number, at least 1. */
guint hiera_threads_count(void);
/* Run a function in a thread of its own. @return NULL if it has to be called in this thread: only one is wanted, or no
 * other can be had */
GThread *hiera_threads_try(const char *name, GThreadFunc function, gpointer data);

#endif
