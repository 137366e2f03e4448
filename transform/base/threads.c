/* See threads.h. Each thread takes the next job until none is left. */
#include "threads.h"

static guint wanted; /* number of threads that the user wants; 0: as many as there are CPUs */

void hiera_threads_set(guint n)
{
    wanted = n;
}

gboolean hiera_threads_are_set(void)
{
    return wanted > 0;
}

guint hiera_threads_count(void)
{
    return wanted > 0 ? wanted : g_get_num_processors();
}

GThread *hiera_threads_try(const char *name, GThreadFunc function, gpointer data)
{
    return hiera_threads_count() > 1 ? g_thread_try_new(name, function, data, NULL) : NULL;
}

typedef struct {
    HieraThreadsJob function;
    gpointer user;
    guint n;
    gint next; /* number of the next job to start */
} Jobs;

static gpointer do_some(gpointer data)
{
    Jobs *jobs = data;
    for (;;) {
        guint job = (guint)g_atomic_int_add(&jobs->next, 1);
        if (job >= jobs->n)
            return NULL;
        jobs->function(job, jobs->user);
    }
}

void hiera_threads_each(guint n_jobs, HieraThreadsJob function, gpointer user)
{
    Jobs jobs = {function, user, n_jobs, 0};
    guint n_threads = MAX(MIN(hiera_threads_count(), n_jobs), 1) - 1;
    g_autofree GThread **threads = g_new0(GThread *, (gsize)n_threads + 1);
    for (guint i = 0; i < n_threads; i++)
        threads[i] = hiera_threads_try("jobs", do_some, &jobs);
    do_some(&jobs);
    for (guint i = 0; i < n_threads; i++) {
        if (threads[i])
            g_thread_join(threads[i]);
    }
}
