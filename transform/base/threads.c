/* The number of threads; see threads.h. */
#include "threads.h"

static guint wanted; /* 0: as many as there are processors */

void hiera_threads_set(guint n)
{
    wanted = n;
}

guint hiera_threads_count(void)
{
    return wanted > 0 ? wanted : g_get_num_processors();
}

GThread *hiera_threads_try(const char *name, GThreadFunc function, gpointer data)
{
    return hiera_threads_count() > 1 ? g_thread_try_new(name, function, data, NULL) : NULL;
}
