/* Preloaded into programs that run at once (bench/predict_accuracy --together): none leaves MPI_Init before the others
 * have come there, as in a run of all. ABREAST_FILE is a file of at least 4 bytes, zeros before, that all of them
 * share; ABREAST_RUNS is their number. Hiera, in front, counts the waiting as a part of MPI_Init. */
#include "bench.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#pragma GCC visibility push(default) /* exported: these functions replace those of MPI */

/* How long to wait for the other programs: one that has failed never arrives. */
#define PATIENCE_NS 30000000000

static void wait_for_others(void)
{
    const char *file = getenv("ABREAST_FILE"), *runs = getenv("ABREAST_RUNS");
    int fd = file && runs ? open(file, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    _Atomic uint32_t *arrived = mmap(NULL, sizeof *arrived, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (arrived == MAP_FAILED)
        return;
    uint32_t all = (uint32_t)atoi(runs);
    int64_t last_ns = bench_now_ns() + PATIENCE_NS;
    atomic_fetch_add(arrived, 1);
    while (atomic_load(arrived) < all && bench_now_ns() < last_ns)
        sched_yield();
    munmap((void *)arrived, sizeof *arrived);
}

int PMPI_Init(int *argc, char ***argv)
{
    int (*behind)(int *, char ***);
    *(void **)&behind = dlsym(RTLD_NEXT, "PMPI_Init");
    int result = behind(argc, argv);
    wait_for_others();
    return result;
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int (*behind)(int *, char ***, int, int *);
    *(void **)&behind = dlsym(RTLD_NEXT, "PMPI_Init_thread");
    int result = behind(argc, argv, required, provided);
    wait_for_others();
    return result;
}
