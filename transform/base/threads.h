/* Number of threads that read and analyse: one number for the process; change it before the first file is read. No
 * result depends on it. */
#pragma once

#include <glib.h>

enum { HIERA_THREADS_MAX = 1024 };

/* Set the number of threads. @param n  0: as many as there are CPUs */
void hiera_threads_set(guint n);
/* Whether hiera_threads_set() has set a number other than 0. */
gboolean hiera_threads_are_set(void);
/* Return the number of threads to use, at least 1. */
guint hiera_threads_count(void);
/* Run a function in a new thread. @return NULL if the caller must run it itself: only one thread is wanted, or none
 * could be started */
GThread *hiera_threads_try(const char *name, GThreadFunc function, gpointer data);

/* A job function. @param job  number of the job, from 0 */
typedef void (*HieraThreadsJob)(guint job, gpointer user);
/* Run jobs in parallel, in as many threads as there are jobs and threads, including the calling one. They start in
 * rising order. Returns when all are done. */
void hiera_threads_each(guint n_jobs, HieraThreadsJob function, gpointer user);
