/* Preloaded into LAMMPS: on one rank the forces between pairs of atoms take longer. After LAMMPS' own function has
 * returned, the rank burns processor time, SLOW_SHARE of what the function took, so no number of LAMMPS changes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

#define COMPUTE "_ZN9LAMMPS_NS9PairLJCut7computeEii" /* LAMMPS_NS::PairLJCut::compute(int, int) */

void compute(void *pair, int eflag, int vflag) __asm__(COMPUTE);

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Return SLOW_SHARE on the rank that SLOW_RANK names, else 0. */
static double share(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *slow = getenv("SLOW_RANK"), *text = getenv("SLOW_SHARE");
    return rank && slow && text && atoi(rank) == atoi(slow) ? atof(text) : 0;
}

void compute(void *pair, int eflag, int vflag)
{
    static void (*real)(void *, int, int);
    static double more;
    if (!real) {
        real = (void (*)(void *, int, int))dlsym(RTLD_NEXT, COMPUTE);
        more = share();
    }
    double start_s = now_s();
    real(pair, eflag, vflag);
    double until_s = now_s();
    for (until_s += more * (until_s - start_s); now_s() < until_s;)
        ;
}
