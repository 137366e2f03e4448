/* The start and the end of MPI, and the calls that steer the collector.
 *
 * Hand-written parts of MPI_Init, MPI_Init_thread, MPI_Finalize, MPI_Pcontrol, MPI_Abort (the rest of the `special`
 * calls is one line each in specials.h). All ranks take part in the exchanges here whether they record or not: a
 * setting that differs between ranks must not make them wait for each other. */
#include "specials.h"

#include "../hiera.h"
#include "../message.h"
#include "../session.h"
#include "../settings.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* What rank 0 tells the others. */
typedef struct Start {
    uint64_t job;
    uint64_t boot;           /* which boot of which kernel: the same means the same CLOCK_MONOTONIC */
    int64_t real_minus_mono; /* ns */
} Start;

static uint64_t boot_number(void)
{
    char id[64] = "";
    uint64_t hash = 0xcbf29ce484222325u;
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, id, sizeof id);
    if (fd >= 0)
        close(fd);
    for (ssize_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)id[i]) * 0x100000001b3u;
    return hash;
}

static int64_t real_minus_monotonic(void)
{
    struct timespec real;
    clock_gettime(CLOCK_REALTIME, &real);
    return (int64_t)real.tv_sec * 1000000000 + real.tv_nsec - (int64_t)hiera_clock_monotonic_ns();
}

static Start own_start(void)
{
    Start start = {0, boot_number(), real_minus_monotonic()};
    if (getrandom(&start.job, sizeof start.job, GRND_NONBLOCK) != (ssize_t)sizeof start.job)
        start.job = hiera_clock_monotonic_ns() ^ ((uint64_t)getpid() << 40);
    return start;
}

/* The job's common start on this host's clock: the earliest start of all ranks. Hosts are compared by their real time.
 */
static int64_t common_zero(const Start *own, const Start *first)
{
    int64_t offset = own->boot == first->boot ? 0 : own->real_minus_mono - first->real_minus_mono;
    int64_t birth = (int64_t)hiera_clock_birth_ns() + offset, zero = birth;
    PMPI_Allreduce(&birth, &zero, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    return zero - offset;
}

/* One message for the job: how many ranks have which trouble. */
static void report(int rank, int error, const uint64_t count, const char *what)
{
    uint64_t own[2] = {error != 0, count}, sum[2] = {0, 0};
    int worst = 0;
    PMPI_Reduce(own, sum, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    PMPI_Reduce(&error, &worst, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0 && sum[0] > 0)
        hiera_message(what, (unsigned long long)sum[0], (unsigned long long)sum[1], hiera_session.dir, strerror(worst));
}

void hiera_special_started(void)
{
    int saved_errno = errno;
    HieraJob job = {.init_ticks = hiera_clock_ticks()};
    PMPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &job.size);
    Start own = own_start(), first = own;
    PMPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
    job.id = first.job;
    job.zero_ns = common_zero(&own, &first);
    hiera_types_start();
    hiera_comms_start();
    int error = hiera_session_join(&job);
    report(job.rank, error, 0,
           "%llu ranks cannot write their trace (%llu operations lost so far): %s: %s; the program runs on without it");
    hiera_session.said_lost = error != 0;
    if (job.rank == 0) {
        hiera_settings_complain();
        if (!hiera_session.closed && error == 0)
            hiera_files_write(hiera_session.dir, hiera_files_application(), job.size);
    }
    /* Whatever a rank does once it is out of MPI_Init (die, and have the launcher kill the others), all files are
     * there. */
    PMPI_Barrier(MPI_COMM_WORLD);
    errno = saved_errno;
}

void hiera_special_finalizing(void)
{
    int saved_errno = errno, error = 0, initialized = 0, finalized = 0;
    uint64_t now = hiera_clock_ticks();
    PMPI_Initialized(&initialized);
    PMPI_Finalized(&finalized);
    if (!initialized || finalized)
        return; /* the program is wrong, and MPI will say so */
    if (!hiera_session.closed)
        hiera_session_settle(now);
    uint64_t lost = hiera_session_lost(&error);
    if (!hiera_session.said_lost)
        report(hiera_session.job.rank, error, lost,
               "the traces of %llu ranks lack %llu operations: %s: %s; the program is not affected");
    else
        report(-1, 0, 0, "");
    hiera_session.said_lost = true;
    hiera_comms_stop();
    errno = saved_errno;
}

void hiera_special_control(int level)
{
    static bool off;
    if (level == 0 && !off)
        hiera_pause();
    else if (level != 0 && off)
        hiera_resume();
    off = level == 0;
}

void hiera_special_aborting(void)
{
    hiera_session_write_all(true);
}
