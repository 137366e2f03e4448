/* Waiting ranks of Debian's MPICH look for messages in a loop and never give up the processor. If there are more ranks
 * than processors, waiting ranks keep the others from working. This library is preloaded: it lets other processes run
 * first, and sleeps if no message comes for long. */
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

enum { LONG = 200 };

typedef unsigned Progress(void *worker);

Progress ucp_worker_progress;

/* A module that is loaded later (mpi4py) may load MPI's library where dlsym(RTLD_NEXT) does not find it. */
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
