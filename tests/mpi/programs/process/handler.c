/* handler WHERE HOW: the program ends in a signal handler that has interrupted it at a bad moment. It prints if the
 * collector does what is forbidden there: to call malloc, which was interrupted, or to wait for a lock that its own
 * thread holds. */
#include <hiera.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

static volatile sig_atomic_t arm_malloc, arm_pwrite; /* the signal is to come there */
static volatile sig_atomic_t in_malloc;              /* the signal has come: a call of malloc would now wait for ever */
static volatile sig_atomic_t in_handler;
static const char *how;
static volatile int *volatile nowhere = (volatile int *)8;

static void say(const char *text)
{
    if (write(STDOUT_FILENO, text, strlen(text)) < 0)
        in_handler = 1;
}

static void check_malloc(void)
{
    if (in_malloc)
        say("malloc in the handler\n");
    if (arm_malloc) {
        arm_malloc = 0;
        in_malloc = 1;
        raise(SIGUSR2);
    }
}

void *malloc(size_t n)
{
    check_malloc();
    return __libc_malloc(n);
}

void *calloc(size_t n, size_t each)
{
    check_malloc();
    return __libc_calloc(n, each);
}

void *realloc(void *old, size_t n)
{
    check_malloc();
    return __libc_realloc(old, n);
}

void free(void *old)
{
    if (in_malloc && old)
        say("free in the handler\n");
    __libc_free(old);
}

/* Called while the collector writes: raise a fault in the middle of it, while it holds its lock. */
ssize_t pwrite(int fd, const void *bytes, size_t n, off_t offset)
{
    if (arm_pwrite) {
        arm_pwrite = 0;
        *nowhere = 1;
    }
    return syscall(SYS_pwrite64, fd, bytes, n, offset);
}

int nanosleep(const struct timespec *time, struct timespec *rest)
{
    if (in_handler)
        say("waits in the handler\n");
    return (int)syscall(SYS_nanosleep, time, rest);
}

/* MPI's own behaviour in a signal handler is not tested. */
int PMPI_Abort(MPI_Comm comm, int code)
{
    (void)comm;
    say("abort\n");
    syscall(SYS_exit_group, code);
    return 0;
}

static void end(int number)
{
    (void)number;
    in_handler = 1;
    say("handler\n");
    if (strcmp(how, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 7);
    exit(5);
}

static void pass(int number)
{
    (void)number;
}

/* Not inlined, so that its call sites are not resolved yet. */
static void barriers(int n)
{
    hiera_begin("app", "never ended", NULL);
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_SELF);
}

int main(int argc, char **argv)
{
    const char *where = argc > 1 ? argv[1] : "";
    how = argc > 2 ? argv[2] : "";
    MPI_Init(&argc, &argv);
    signal(SIGUSR2, end);
    signal(SIGSEGV, end);
    if (strcmp(where, "nowhere") == 0) { /* a handler has run and returned: call sites must be resolved */
        signal(SIGALRM, pass);
        raise(SIGALRM);
        barriers(10);
        exit(5);
    }
    if (strcmp(where, "malloc") == 0) {
        barriers(10);
        arm_malloc = 1;
        free(malloc(10));
    } else if (strcmp(where, "flush") == 0) {
        arm_pwrite = 1;
        barriers(100000);
    } else {
        barriers(10);
        raise(SIGUSR2);
    }
    return 99;
}
