/* Counters with known answers. The word says what the program does: regions, many, read, helper and how it ends. */
#include "expect.h"

#include <errno.h>
#include <fenv.h>
#include <hiera.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMORY = 64 << 20, STEPS = 5, THREADS = 4, MANY = 8000 };

static long steps;
static unsigned char small;
static double level;
static float real = 0.5F;

static double squares(void *data)
{
    long n = *(long *)data;
    return (double)(n * n);
}

static void register_all(void)
{
    HIERA_COUNTER("steps", steps, HIERA_COUNTER_GROWS, "", "steps done");
    HIERA_COUNTER("level", level, HIERA_COUNTER_LEVEL, "B", "a level");
    HIERA_COUNTER("small", small, HIERA_COUNTER_GROWS, NULL, NULL);
    HIERA_COUNTER("real", real, HIERA_COUNTER_GROWS, "ns", "halves");
    if (!hiera_counter_function("squares", squares, &steps, HIERA_COUNTER_GROWS, "", "squares of steps"))
        puts("no function");
}

/* --- regions --- */

/* Touch each page of new memory. */
static char *fill(size_t bytes)
{
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < bytes; i += 4096)
        ((volatile char *)memory)[i] = 1;
    return memory;
}

static void touch(void)
{
    HIERA_REGION("app", "touch", NULL);
    char *memory = fill(MEMORY);
    {
        HIERA_REGION("app", "full", NULL);
    }
    munmap(memory, MEMORY);
}

static void step(int rank)
{
    HIERA_REGION("app", "step", "rank=%d", rank);
    steps += rank + 1;
    small = (unsigned char)(small + 1);
    level = (double)(100 * steps);
    real += 0.5F;
    hiera_begin("oops", "Grid::sum", NULL);
    steps += 10;
    MPI_Barrier(MPI_COMM_WORLD);
    hiera_end();
    hiera_counter_sample("hand", (double)steps);
}

static jmp_buf back;

__attribute__((noinline)) static void leave(void)
{
    HIERA_REGION("app", "left", NULL);
    steps += 1000;
    longjmp(back, 1);
}

static void *of_thread(void *number)
{
    HIERA_REGION("app", "thread", NULL);
    munmap(fill(MEMORY / 16), MEMORY / 16);
    return number;
}

static void play_regions(int rank)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < STEPS; i++)
        step(rank);
    touch();
    if (setjmp(back) == 0)
        leave();
    hiera_begin("app", "outer", NULL);
    for (int i = 0; i < THREADS; i++) /* one after the other: they count for themselves */
        if (pthread_create(&threads[i], NULL, of_thread, NULL) == 0)
            pthread_join(threads[i], NULL);
    hiera_end();
    hiera_counter_remove("steps");
    hiera_begin("app", "removed", NULL);
    hiera_end();
}

/* More than a buffer, and one region around them all. */
static void play_many(void)
{
    HIERA_REGION("app", "all", NULL);
    for (int i = 0; i < MANY; i++) {
        HIERA_REGION("app", "one", NULL);
        steps += 3;
    }
}

/* --- reading --- */

static void check(int good, const char *what)
{
    if (!good)
        printf("wrong: %s\n", what);
}

static double value_of(const char *name)
{
    double value = -1;
    return hiera_counter_read(name, &value) ? value : -1;
}

static void read_all(void)
{
    double value = 42, resident = value_of("proc:self/status/VmRSS");
    int rss = hiera_counter_find("proc:rss");
    steps = 7;
    check(rss > 0 && rss == hiera_counter_find("proc:rss"), "one counter for each name");
    check(hiera_counter_get(rss, &value) && value > 1e6 && value < 1e12, "proc:rss");
    check(value_of("proc:peak_rss") >= resident && resident > 0, "the peak is the greatest");
    check(value_of("user:steps") == 7 && value_of("user:squares") == 49 && value_of("user:real") == 0.5, "user counters");
    check(value_of("sum(user:steps, user:squares)") == 56 && value_of("max(user:steps,user:squares)") == 49 &&
              value_of("mean(user:s*)") >= 0 && value_of("min(user:steps,user:none)") == 7,
          "aggregates");
    value = 42;
    check(!hiera_counter_read("user:none", &value) && value == 42, "what is not known changes nothing");
    check(hiera_counter_find("none:such") == 0 && hiera_counter_reason(hiera_counter_find("user:none")) != NULL, "reasons");
    check(hiera_counter_variable("a b", &steps, HIERA_TYPE_LONG, 0, "", "") == 0, "a name with a blank");
    check(hiera_counter_variable("pointer", &steps, HIERA_TYPE_POINTER, 0, "", "") == 0, "a type that is no number");
    check(value_of("perf:page-faults") > 0 && value_of("perf:task-clock") > 0, "perf");
    check(value_of("sum(proc:self/stat/minflt,proc:self/stat/majflt)") > 0, "a file of fields");
    for (int i = 0; i < 3; i++)
        check(value_of("proc:cpu/idle%") >= 0 && value_of("proc:cpu/idle%") <= 100, "a share of time");
}

/* PAPI, where it is, counts the same as the kernel. */
static void read_papi(void)
{
    double papi[2], perf[2];
    int of_papi = hiera_counter_find("papi:perf::PAGE-FAULTS"), of_perf = hiera_counter_find("perf:page-faults");
    if (!hiera_counter_get(of_papi, &papi[0])) {
        check(hiera_counter_reason(of_papi) != NULL, "a reason why there is no PAPI");
        return;
    }
    hiera_counter_get(of_perf, &perf[0]);
    munmap(fill(MEMORY / 16), MEMORY / 16);
    hiera_counter_get(of_perf, &perf[1]);
    hiera_counter_get(of_papi, &papi[1]);
    check(papi[1] - papi[0] >= perf[1] - perf[0] && papi[1] - papi[0] < perf[1] - perf[0] + 10, "page faults of PAPI");
}

/* Messages that nobody has asked for yet: Open MPI counts them in the communicator. */
static void read_mpi(int rank)
{
    enum { MESSAGES = 3 };
    double queued = 0;
    int flag = 0, token = 0, all = hiera_counter_find("mpi:pml_ob1_unexpected_msgq_length");
    int is_known = hiera_counter_get(all, &queued);
    check(is_known || hiera_counter_reason(all) != NULL, "a reason why MPI has no such variable");
    if (rank == 0) {
        for (int i = 0; i < MESSAGES; i++)
            MPI_Send(&token, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
        MPI_Send(&token, 1, MPI_INT, 1, MESSAGES, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&token, 1, MPI_INT, 0, MESSAGES, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* the others came before */
        if (is_known)
            check(hiera_counter_get(all, &queued) && queued == MESSAGES, "unexpected messages");
        for (int i = 0; i < MESSAGES; i++)
            MPI_Recv(&token, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Iprobe(MPI_ANY_SOURCE, 999, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    if (is_known)
        check(hiera_counter_get(all, &queued) && queued == 0, "no unexpected messages any more");
}

/* Neither errno nor the environment of floating point changes. */
static void read_carefully(void)
{
    static const char *const names[] = {"proc:cpu/user%", "proc:loadavg/1min", "user:real", "user:squares", "proc:rss",
                                        "mean(user:steps,user:real)", "proc:self/io/rchar", "perf:instructions",
                                        "proc:no/such", "papi:PAPI_TOT_INS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        value_of(names[i]);
    errno = 4711;
    feclearexcept(FE_ALL_EXCEPT);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        value_of(names[i]);
    check(errno == 4711 && fetestexcept(FE_ALL_EXCEPT) == 0, "errno and flags are kept");
}

/* --- the helper thread --- */

static void wait_ms(unsigned ms)
{
    usleep(ms * 1000);
}

static void fork_and_wait(void)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        double value = 0;
        wait_ms(50);
        int good = hiera_counter_read("user:steps", &value) && value == (double)steps &&
                   hiera_counter_read("perf:page-faults", &value) && hiera_counter_read("proc:rss", &value);
        exit(good ? 0 : 1);
    }
    waitpid(child, &status, 0);
    check(status == 0, "a forked child");
}

static void end_by(const char *how, char **argv)
{
    char *again[] = {argv[0], (char *)(uintptr_t)"nothing", NULL};
    if (strcmp(how, "exec") == 0)
        execv(argv[0], again);
    if (strcmp(how, "exit") == 0)
        exit(0);
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    if (strcmp(how, "signal") == 0)
        raise(SIGTERM);
}

int main(int argc, char **argv)
{
    int rank, size = 1;
    const char *what = argc > 1 ? argv[1] : "regions";
    if (strcmp(what, "nothing") == 0)
        return 0;
    register_all();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(what, "regions") == 0)
        play_regions(rank);
    else if (strcmp(what, "many") == 0)
        play_many();
    else if (strcmp(what, "read") == 0) {
        read_all();
        read_carefully();
        read_papi();
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        if (size > 1)
            read_mpi(rank);
    } else {
        wait_ms(100);
        fork_and_wait();
        if (argc > 2 && strcmp(argv[2], "finalize") != 0)
            end_by(argv[2], argv);
    }
    MPI_Finalize();
    if (strcmp(what, "helper") == 0)
        wait_ms(100);
    return 0;
}
