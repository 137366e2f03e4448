/* Assertions about what their thread measures: time of the processor, page faults, events. Comments say how the executions of an
 * assertion end on each rank, where instructions are page faults (counted_kernel.c). The first argument says what becomes of
 * descriptors: `used`; `unused`: no counter can be opened; `unasked`: nothing asks for events. With `real` events are what they are;
 * with `may` the program says whether the kernel lets it count anything. */
#include <fcntl.h>
#include <hiera.h>
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N_PAGES = 64, PAGE = 4096, FIRST = 500, LAST = 1024 };

static int has_failed, n_pages = N_PAGES;
int may_count(void); /* counted_kernel.c */

static void check(int good, const char *what)
{
    if (good)
        return;
    printf("%s\n", what);
    has_failed = 1;
}

/* As many page faults as there are pages, and now and then one more in the collector. */
static void touch(void)
{
    char *pages = mmap(NULL, (size_t)N_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(pages, (size_t)N_PAGES * PAGE, MADV_NOHUGEPAGE);
    for (int i = 0; i < N_PAGES; i++)
        pages[(ptrdiff_t)i * PAGE] = 1;
    munmap(pages, (size_t)N_PAGES * PAGE);
}

/* --- what needs no counter --- */

static double computed(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void of_usage(void)
{
    {
        HIERA_ASSERT("CPUTime >= 30ms & CPUTime <= WallTime + 1ms & UserTime <= CPUTime + 10ms"); /* 1 ok */
        double begin = computed();
        while (computed() < begin + 30e6) {
        }
    }
    {
        HIERA_ASSERT("CPUTime < 0.5 * WallTime & ContextSwitches >= 3"); /* 1 ok */
        for (int i = 0; i < 3; i++)
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    HIERA_ASSERT("PageFaults >= 2 * $n_pages & PageFaults <= 2 * $n_pages + 16", n_pages); /* 1 ok */
    for (int i = 0; i < 2; i++) {
        HIERA_ASSERT("PageFaults >= $n_pages & PageFaults <= $n_pages + 8", n_pages); /* 2 ok */
        touch();
    }
}

/* --- descriptors --- */

static int is_counter(int fd)
{
    char link[64], target[64] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    return readlink(link, target, sizeof target - 1) > 0 && strstr(target, "[perf_event]");
}

static int n_counters(void)
{
    int n = 0;
    for (int fd = 0; fd < LAST; fd++) {
        n += is_counter(fd);
        if (is_counter(fd))
            check(fd >= FIRST && (fcntl(fd, F_GETFD) & FD_CLOEXEC), "a counter has a low number, or stays open over exec");
    }
    return n;
}

/* The program closes the counters, and a pipe gets their numbers. */
static void replaced(void)
{
    int ends[2], n = 0, n_left = 0;
    char text[8] = "";
    check(pipe(ends) == 0 && write(ends[1], "intact", 7) == 7, "no pipe");
    {
        HIERA_ASSERT("Instructions >= 0"); /* 1 unknown */
        for (int fd = FIRST; fd < LAST; fd++)
            n += is_counter(fd) && dup2(ends[0], fd) == fd;
    }
    {
        HIERA_ASSERT("Instructions >= $n_pages & Instructions <= $n_pages + 8", n_pages); /* 1 ok */
        touch();
    }
    check(read(ends[0], text, sizeof text) == 7 && strcmp(text, "intact") == 0, "the pipe was read");
    for (int fd = FIRST; fd < LAST; fd++)
        n_left += !is_counter(fd) && lseek(fd, 0, SEEK_CUR) < 0 && fcntl(fd, F_GETFL) == O_RDONLY && close(fd) == 0;
    check(n == n_left, "a pipe was closed");
}

static void closed(void)
{
    {
        HIERA_ASSERT("Instructions >= 0"); /* 1 unknown */
        for (int fd = FIRST; fd < LAST; fd++) {
            if (is_counter(fd))
                close(fd);
        }
    }
    HIERA_ASSERT("Instructions >= $n_pages & Instructions <= $n_pages + 8", n_pages); /* 1 ok */
    touch();
}

static void forked(void)
{
    int status = 1;
    HIERA_ASSERT("Instructions >= 2 * $n_pages", n_pages); /* 1 ok */
    touch();
    pid_t child = fork();
    if (child == 0) {
        HIERA_ASSERT("Instructions < 0");
        touch();
        _exit(n_counters());
    }
    waitpid(child, &status, 0);
    check(status == 0, "the child has counters of its parent");
    touch();
}

/* --- events --- */

static void nested(void)
{
    HIERA_ASSERT("Instructions >= 2 * $n_pages & Instructions <= 2 * $n_pages + 16", n_pages); /* 1 ok */
    for (int i = 0; i < 2; i++) {
        HIERA_ASSERT("Instructions >= $n_pages & Instructions <= $n_pages + 8 & Cycles > 0 & Cycles <= CPUTime + 1ms", n_pages); /* 2 ok */
        touch();
    }
    {
        HIERA_ASSERT("CacheReferences + CacheMisses + Branches + BranchMisses > 0 & Instructions < $n_pages", n_pages); /* 1 ok */
    }
}

static void *work(void *argument)
{
    HIERA_ASSERT("Instructions >= $n_pages & PageFaults >= $n_pages", n_pages); /* 40 ok */
    touch();
    return argument;
}

/* Each thread has its own counters, and takes them with it. */
static void threaded(void)
{
    int n = n_counters();
    HIERA_ASSERT("Instructions < 20 * $n_pages", n_pages); /* 1 ok */
    for (int i = 0; i < 20; i++) {
        pthread_t two[2];
        for (int k = 0; k < 2; k++)
            pthread_create(&two[k], NULL, work, NULL);
        for (int k = 0; k < 2; k++)
            pthread_join(two[k], NULL);
    }
    check(n_counters() == n, "a thread has left its counters");
}

static void of_this_machine(void)
{
    HIERA_ASSERT("Instructions > 2000000 & Cycles > 0 & Branches >= 1000000 & Branches < Instructions & BranchMisses < Branches"); /* not failed */
    for (volatile int i = 0; i < 1000000; i++) {
    }
}

static void of_events(int is_used)
{
    nested();
    check(n_counters() == (is_used ? 6 : 0), "not 6 counters");
    closed();
    replaced();
    forked();
    threaded();
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "used";
    MPI_Init(&argc, &argv);
    if (strcmp(how, "may") == 0) {
        printf("%s\n", may_count() ? "yes" : "no");
    } else if (strcmp(how, "real") == 0) {
        of_this_machine();
    } else {
        of_usage();
        check(n_counters() == 0, "a counter that nobody has asked for");
        if (strcmp(how, "unasked") != 0)
            of_events(strcmp(how, "used") == 0);
    }
    MPI_Finalize();
    return has_failed;
}
