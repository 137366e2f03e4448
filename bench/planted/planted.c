/* Preloaded into a program that is compiled with -finstrument-functions and linked with -rdynamic: it plants a fault of
 * known kind, rank, place and size. Nothing else changes, and the calls go on to who is behind (Hiera, or nobody).
 *
 *   PLANTED_FUNCTION  name of the function at whose end time is lost
 *   PLANTED_RANKS     by these ranks: a list of "FIRST-LAST" or "RANK", with commas
 *   PLANTED_FACTOR    the time since the function began is lost again, this often
 *   PLANTED_SECONDS   and so much besides
 *   PLANTED_EVERY     only in each n-th call, the first of which is call n
 *   PLANTED_GROWS     1: in the n-th call n times as much
 *   PLANTED_STOP      1: not by sleeping; the process is stopped by SIGSTOP, and goes on after PLANTED_SECONDS
 *   PLANTED_FILE      in place of a function: each write to a file whose name has this word takes PLANTED_SECONDS
 * longer PLANTED_REPORT    at its end each rank adds a line "RANK TIMES SECONDS" to this file: what was really lost
 *
 * The rank is that of the launcher's environment, since nobody asks MPI before MPI_Init. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define NOT_INSTRUMENTED __attribute__((no_instrument_function))

typedef void Hook(void *function, void *site);

void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

enum { DEPTH = 64, NAME = 4096 };

static struct {
    bool is_mine, grows, stops;
    const char *function, *file, *report;
    double factor, seconds;
    long every;
    int rank;
} plan;

static Hook *enter_behind, *exit_behind;
static void *target; /* the function, once it was seen */
static __thread double began[DEPTH];
static __thread int depth;
static long calls, times;
static double lost;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int rank_of_launcher(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (getenv(names[i]))
            return atoi(getenv(names[i]));
    return 0;
}

static bool is_in(const char *ranks, int rank)
{
    while (ranks && *ranks) {
        char *end;
        long first = strtol(ranks, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        if (first <= rank && rank <= last)
            return true;
        ranks = *end == ',' ? end + 1 : "";
    }
    return false;
}

static double number(const char *name, double otherwise)
{
    return getenv(name) ? atof(getenv(name)) : otherwise;
}

__attribute__((constructor)) static void begin(void)
{
    plan.rank = rank_of_launcher();
    plan.function = getenv("PLANTED_FUNCTION");
    plan.file = getenv("PLANTED_FILE");
    plan.report = getenv("PLANTED_REPORT");
    plan.factor = number("PLANTED_FACTOR", 0);
    plan.seconds = number("PLANTED_SECONDS", 0);
    plan.every = (long)number("PLANTED_EVERY", 1);
    plan.grows = number("PLANTED_GROWS", 0) > 0;
    plan.stops = number("PLANTED_STOP", 0) > 0;
    plan.is_mine = is_in(getenv("PLANTED_RANKS"), plan.rank);
    *(void **)&enter_behind = dlsym(RTLD_NEXT, "__cyg_profile_func_enter");
    *(void **)&exit_behind = dlsym(RTLD_NEXT, "__cyg_profile_func_exit");
}

__attribute__((destructor)) static void end(void)
{
    char line[128];
    int n = snprintf(line, sizeof line, "%d %ld %.9f\n", plan.rank, times, lost);
    int file = plan.report && times > 0 ? open(plan.report, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (file >= 0 && write(file, line, (size_t)n) != n)
        perror("planted: the report");
    if (file >= 0)
        close(file);
}

static void sleep_until(double until)
{
    struct timespec time = {(time_t)until, (long)((until - (double)(time_t)until) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
        ;
}

/* A shell stops this process, and lets it go on. */
static void stop(double seconds)
{
    char command[256], *words[] = {"sh", "-c", command, NULL}, *nothing[] = {NULL};
    pid_t shell;
    snprintf(command, sizeof command, "kill -STOP %ld; sleep %.6f; kill -CONT %ld", (long)getpid(), seconds,
             (long)getpid());
    double until = now() + seconds;
    if (posix_spawn(&shell, "/bin/sh", NULL, NULL, words, nothing) == 0)
        sleep_until(until);
}

static void lose(double seconds)
{
    double since = now();
    if (seconds <= 0)
        return;
    if (plan.stops)
        stop(seconds);
    else
        sleep_until(since + seconds);
    lost += now() - since;
    times++;
}

/* Whether an address is that of the function. */
static bool is_target(void *function)
{
    Dl_info info;
    if (!target && plan.function && dladdr(function, &info) && info.dli_sname &&
        strcmp(info.dli_sname, plan.function) == 0)
        target = function;
    return function == target;
}

void __cyg_profile_func_enter(void *function, void *site)
{
    if (enter_behind)
        enter_behind(function, site);
    if (plan.is_mine && depth < DEPTH)
        began[depth] = now();
    depth++;
}

void __cyg_profile_func_exit(void *function, void *site)
{
    depth--;
    if (plan.is_mine && !plan.file && depth < DEPTH && is_target(function) && ++calls % plan.every == 0)
        lose((plan.factor * (now() - began[depth]) + plan.seconds) * (plan.grows ? (double)calls : 1));
    if (exit_behind)
        exit_behind(function, site);
}

/* --- a slow file: MPI-IO writes by one of these --- */

static void before_write(int file)
{
    char link[64], name[NAME];
    if (!plan.file || !plan.is_mine)
        return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t n = readlink(link, name, sizeof name - 1);
    name[n > 0 ? n : 0] = '\0';
    if (strstr(name, plan.file))
        lose(plan.seconds);
}

#define BEHIND(type, name)                                                                                             \
    (*(type *)__extension__({                                                                                          \
        static void *next;                                                                                             \
        if (!next)                                                                                                     \
            next = dlsym(RTLD_NEXT, name);                                                                             \
        &next;                                                                                                         \
    }))

ssize_t write(int file, const void *bytes, size_t n)
{
    before_write(file);
    return BEHIND(__typeof__(&write), "write")(file, bytes, n);
}

ssize_t pwrite(int file, const void *bytes, size_t n, off_t at)
{
    before_write(file);
    return BEHIND(__typeof__(&pwrite), "pwrite")(file, bytes, n, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t n, off64_t at)
{
    before_write(file);
    return BEHIND(__typeof__(&pwrite64), "pwrite64")(file, bytes, n, at);
}

ssize_t writev(int file, const struct iovec *parts, int n)
{
    before_write(file);
    return BEHIND(__typeof__(&writev), "writev")(file, parts, n);
}

ssize_t pwritev(int file, const struct iovec *parts, int n, off_t at)
{
    before_write(file);
    return BEHIND(__typeof__(&pwritev), "pwritev")(file, parts, n, at);
}
