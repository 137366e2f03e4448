/* Ranks of Debian's MPICH wait in a loop that looks for messages and never leaves the processor: where there are more ranks than
   processors, one that has nothing to do keeps the others from working. Preloaded, this lets the others go first, and sleeps
   where nothing comes for long. */
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

enum { LONG = 200 };

typedef unsigned Progress(void *worker);

Progress ucp_worker_progress;

/* A module that is loaded later (mpi4py) may bring the library, where what comes next does not see it. */
static Progress *find_progress(void)
{
    Progress *next = (Progress *)dlsym(RTLD_NEXT, "ucp_worker_progress");
    return next ? next : (Progress *)dlsym(dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD), "ucp_worker_progress");
}

unsigned ucp_worker_progress(void *worker)
{
    static const struct timespec moment = {0, 1000};
    static Progress *progress;
    static __thread unsigned idle;
    if (!progress)
        progress = find_progress();
    unsigned events = progress(worker);
    idle = events == 0 ? idle + 1 : 0;
    if (idle > LONG)
        nanosleep(&moment, NULL);
    else if (idle > 0)
        sched_yield();
    return events;
}
