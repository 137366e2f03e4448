/* A library to be preloaded that makes one machine look like several. HIERA_TEST_CLOCKS="HOST,OFFSET,PPM …" has three
 * numbers for each rank: its host, and the error of that host's clock in nanoseconds and in parts per million. The
 * error is OFFSET alone at the time HIERA_TEST_BASE. True time is what the system call returns. With HIERA_TEST_COUNT
 * it also prints how often each rank called a function that communicates, of those that the collector uses, and with how many bytes. */
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static bool ready;
static int host;
static long long offset_ns, ppm, base_ns;

static void get_ready(void)
{
    const char *list = getenv("HIERA_TEST_CLOCKS"), *base = getenv("HIERA_TEST_BASE");
    const char *rank = getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
    for (int i = rank ? atoi(rank) : 0; list && i > 0; i--)
        list = strchr(list, ' ') ? strchr(list, ' ') + 1 : NULL;
    if (list)
        sscanf(list, "%d,%lld,%lld", &host, &offset_ns, &ppm);
    base_ns = base ? atoll(base) : 0;
    ready = true;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (!ready)
        get_ready();
    if (result == 0 && clock == CLOCK_MONOTONIC) {
        long long ns = now->tv_sec * 1000000000ll + now->tv_nsec;
        ns += offset_ns + (long long)((__int128)(ns - base_ns) * ppm / 1000000);
        now->tv_sec = ns / 1000000000;
        now->tv_nsec = ns % 1000000000;
    }
    return result;
}

/* Files of the kernel: the name of the host, and a clock source other than the processor's counter, whose reading has
 * no offset. */
static int pretend(const char *path)
{
    char text[32] = "hpet\n";
    if (!ready)
        get_ready();
    if (strcmp(path, "/proc/sys/kernel/random/boot_id") == 0)
        snprintf(text, sizeof text, "host %d\n", host);
    else if (strcmp(path, "/sys/devices/system/clocksource/clocksource0/current_clocksource") != 0)
        return -1;
    int fd = memfd_create("hosts", MFD_CLOEXEC);
    if (fd >= 0 && pwrite(fd, text, strlen(text), 0) < 0)
        return -1;
    return fd;
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...)                                                                        \
    {                                                                                                                  \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;                \
        va_end(more);                                                                                                  \
        int fd = pretend(path);                                                                                        \
        return fd >= 0 ? fd : (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode);                     \
    }
OPEN(open)
OPEN(open64)

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* What the collector calls that communicates: X(name, payload of this rank in bytes, parameters, arguments). A call that gathers
 * has a payload of each rank. */
#define CALLS(X)                                                                                                                        \
    X(Send, bytes(n, type), (const void *from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm), (from, n, type, to, tag, comm)) \
    X(Bcast, bytes(n, type), (void *from, int n, MPI_Datatype type, int root, MPI_Comm comm), (from, n, type, root, comm))               \
    X(Reduce, bytes(n, type), (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),                \
      (from, to, n, type, op, root, comm))                                                                                              \
    X(Allreduce, bytes(n, type), (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                       \
      (from, to, n, type, op, comm))                                                                                                    \
    X(Allgather, bytes(n, type) * size(comm), (const void *from, int n, MPI_Datatype type, void *to, int rn, MPI_Datatype rtype, MPI_Comm comm), \
      (from, n, type, to, rn, rtype, comm))                                                                                             \
    X(Gather, bytes(n, type) * size(comm), (const void *from, int n, MPI_Datatype type, void *to, int rn, MPI_Datatype rtype, int root, MPI_Comm comm), \
      (from, n, type, to, rn, rtype, root, comm))                                                                                       \
    X(Barrier, 0, (MPI_Comm comm), (comm))                                                                                              \
    X(Comm_dup, 0, (MPI_Comm comm, MPI_Comm *made), (comm, made))                                                                       \
    X(Comm_split, 0, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made))                                     \
    X(Comm_create_group, 0, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made), (comm, group, tag, made))

static long bytes(int n, MPI_Datatype type)
{
    int each = 0;
    PMPI_Type_size(type, &each);
    return (long)n * each;
}

static long size(MPI_Comm comm)
{
    int n = 0;
    PMPI_Comm_size(comm, &n);
    return n;
}

static struct {
    long calls, bytes;
} counts[16];
#define X(name, payload, parameters, arguments) COUNT_##name,
enum { CALLS(X) };
#undef X

#define X(name, payload, parameters, arguments)                                                                                         \
    int PMPI_##name parameters                                                                                                          \
    {                                                                                                                                   \
        if (size(comm) > 1) {                                                                                                           \
            counts[COUNT_##name].calls++;                                                                                               \
            counts[COUNT_##name].bytes += (payload);                                                                                    \
        }                                                                                                                               \
        return NEXT(PMPI_##name) arguments;                                                                                             \
    }
CALLS(X)
#undef X

__attribute__((destructor)) static void say_count(void)
{
    if (!getenv("HIERA_TEST_COUNT"))
        return;
#define X(name, payload, parameters, arguments) " " #name "=%ld:%ld"
    fprintf(stderr, "hosts:" CALLS(X) "\n"
#undef X
#define X(name, payload, parameters, arguments) , counts[COUNT_##name].calls, counts[COUNT_##name].bytes
    CALLS(X));
#undef X
}
