/* Difficult programs. The first argument says which. The case checks output and exit code. */
#include <hiera.h>
#include <mpi.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static int rank, size, argument;

static void barriers(int n)
{
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_SELF);
}

/* Fills the buffer, from call sites that are new: these are looked up on this small stack. */
static void *little_room(void *none)
{
    for (int i = 0; i < 3000; i++) {
        hiera_begin("app", "step", NULL);
        hiera_end();
    }
    return none;
}

/* The argument is the stack size in kilobytes, without what libc needs itself. */
static int small_stacks(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    for (int i = 0; i < 4; i++) {
        pthread_attr_init(&attributes);
        int error = pthread_attr_setstacksize(&attributes, (size_t)argument << 10);
        error = error ? error : pthread_create(&thread, &attributes, little_room, NULL);
        if (error)
            return printf("no thread: %s\n", strerror(error));
        pthread_join(thread, NULL);
    }
    fputs("joined\n", stdout); /* one write: MPICH makes the stream unbuffered, and its launcher mixes the output of ranks */
    return 0;
}

static volatile int *volatile nowhere = (volatile int *)8;

static void *faulty(void *none)
{
    hiera_begin("app", "never ended", NULL);
    *nowhere = 1;
    return none;
}

static int thread_faults(void)
{
    pthread_t thread;
    barriers(10);
    pthread_create(&thread, NULL, faulty, NULL);
    pthread_join(thread, NULL);
    return 0;
}

static volatile int deep;

/* Written so that the compiler makes neither a tail call nor a loop of it. */
static int overflow(int n)
{
    volatile char room[4096];
    room[0] = (char)n;
    deep = n;
    return deep < 0 ? 0 : overflow(n + 1) + room[0];
}

static char *of_thread; /* the alternate stack of a thread while it ran */

static void *overflown(void *own)
{
    stack_t mine = {.ss_sp = own, .ss_size = 1 << 16}, seen;
    if (own)
        sigaltstack(&mine, NULL);
    hiera_begin("app", "never ended", NULL);
    barriers(10);
    sigaltstack(NULL, &seen);
    printf("%s\n", own && seen.ss_sp != own ? "another stack" : "as it should be");
    fflush(stdout);
    overflow(0);
    return NULL;
}

/* With an argument, the thread has an alternate stack of its own. */
static int thread_overflows(void)
{
    pthread_t thread;
    barriers(10);
    pthread_create(&thread, NULL, overflown, argument ? malloc(1 << 16) : NULL);
    pthread_join(thread, NULL);
    return 0;
}

static void on_overflow(int number)
{
    static const char text[] = "mine\n";
    _exit(write(STDOUT_FILENO, text, sizeof text - 1) < 0 ? 1 : number);
}

/* The program handles the overflow, on an alternate stack of its own. */
static int handled_overflow(void)
{
    struct sigaction mine = {.sa_handler = on_overflow, .sa_flags = SA_ONSTACK};
    sigaction(SIGSEGV, &mine, NULL);
    argument = 1;
    return thread_overflows();
}

static void *visitor(void *none)
{
    stack_t seen;
    barriers(1);
    sigaltstack(NULL, &seen);
    of_thread = seen.ss_flags & SS_DISABLE ? NULL : seen.ss_sp;
    return none;
}

/* The alternate stack that Hiera gives to a thread must be freed when the thread ends. */
static int stacks_go(void)
{
    pthread_t thread;
    unsigned char there;
    int given = 0, left = 0;
    for (int i = 0; i < 20; i++) {
        pthread_create(&thread, NULL, visitor, NULL);
        pthread_join(thread, NULL);
        given += of_thread != NULL;
        left += of_thread && mincore((void *)((uintptr_t)of_thread & ~(uintptr_t)4095), 4096, &there) == 0;
    }
    printf("given %d, left %d\n", given, left);
    return 0;
}

static void *cancelled(void *none)
{
    pthread_cancel(pthread_self()); /* the next cancellation point ends the thread; Hiera's own calls must not be one */
    for (int i = 0; i < 20000; i++) {
        hiera_begin("app", "step", NULL);
        hiera_end();
    }
    *(int *)none = 1;
    pthread_testcancel();
    *(int *)none = 2;
    return none;
}

static int cancels(void)
{
    pthread_t thread;
    int reached = 0;
    pthread_create(&thread, NULL, cancelled, &reached);
    pthread_join(thread, NULL);
    barriers(20000);
    printf("reached %d\n", reached);
    return 0;
}

static void finalize(void)
{
    barriers(5);
    MPI_Finalize();
}

static int at_exit(void)
{
    atexit(finalize);
    barriers(5);
    exit(6);
}

/* All floating-point traps are on and rounding is changed: the collector must cause no trap and change no setting. */
static int traps(void)
{
    int wrong = 0;
    feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(FE_ALL_EXCEPT);
    fesetround(FE_TOWARDZERO);
    for (int i = 0; i < 10000; i++) {
        errno = 42;
        hiera_begin("app", "step", "i=%d", i);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        hiera_end();
        wrong += errno != 42 || fegetround() != FE_TOWARDZERO || fegetexcept() != FE_ALL_EXCEPT || fetestexcept(FE_ALL_EXCEPT);
    }
    fedisableexcept(FE_ALL_EXCEPT);
    fesetround(FE_TONEAREST);
    printf("wrong: %d\n", wrong);
    return 0;
}

static int fatal_error(void)
{
    barriers(10);
    MPI_Send(&rank, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    return 0;
}

static int one_exits(void)
{
    barriers(10);
    if (rank == 0)
        exit(0);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

/* Limit memory or descriptors to what is in use now. */
static void barriers_with_less(int resource, rlim_t least)
{
    struct rlimit before, less;
    getrlimit(resource, &before);
    less = before;
    less.rlim_cur = least;
    setrlimit(resource, &less);
    barriers(20000);
    setrlimit(resource, &before);
    fputs("done\n", stdout);
}

static int no_memory(void)
{
    barriers_with_less(RLIMIT_AS, 1 << 20);
    return 0;
}

static int no_descriptors(void)
{
    barriers_with_less(RLIMIT_NOFILE, 0);
    return 0;
}

static void on_fault(int number)
{
    (void)number;
    fputs("mine\n", stdout);
    fflush(stdout);
    exit(8);
}

/* Signal actions that the program sets before or after MPI_Init are kept. */
static int own_actions(void)
{
    struct sigaction seen;
    barriers(10);
    signal(SIGTERM, on_fault);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_DFL);
    raise(SIGINT);
    sigaction(SIGTERM, NULL, &seen);
    printf("%d", seen.sa_handler == on_fault);
    sigaction(SIGHUP, NULL, &seen);
    printf("%d\n", seen.sa_handler == SIG_DFL);
    raise(argument);
    return 1;
}

static struct Counted {
    uint64_t barriers, signals;
} *counted; /* in a file, for the case that ends the process */

static void goes_on(int number)
{
    (void)number;
    counted->signals++;
}

/* With an argument, SIGTERM does not end the program. */
static void open_counted(void)
{
    int fd = open("counted", O_RDWR | O_CREAT, 0666);
    if (fd < 0 || ftruncate(fd, sizeof *counted) != 0)
        exit(92);
    counted = mmap(NULL, sizeof *counted, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    alarm(60); /* ends the program if nobody else does */
    if (argument)
        signal(SIGTERM, goes_on);
}

static _Noreturn int counts(void)
{
    for (;;) {
        barriers(1);
        counted->barriers++;
    }
}

static const struct {
    const char *name;
    int (*run)(void);
} modes[] = {
    {"small-stacks", small_stacks}, {"cancels", cancels}, {"thread-faults", thread_faults}, {"at-exit", at_exit}, {"traps", traps}, {"fatal-error", fatal_error}, {"one-exits", one_exits},
    {"no-memory", no_memory}, {"no-descriptors", no_descriptors}, {"own-actions", own_actions},
    {"thread-overflows", thread_overflows}, {"handled-overflow", handled_overflow}, {"stacks-go", stacks_go},
    {"counts", counts},
};

static int early_rank = -1;

/* Runs before main(), as constructors of C++ objects do. */
__attribute__((constructor)) static void early(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "constructor") != 0)
        return;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &early_rank);
    barriers(5);
}

__attribute__((destructor)) static void late(void)
{
    if (early_rank < 0)
        return;
    barriers(5);
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    argument = argc > 2 ? atoi(argv[2]) : 0;
    if (early_rank >= 0)
        return 0;
    if (argc > 1 && strcmp(argv[1], "counts") == 0)
        open_counted();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int result = 95;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (argc > 1 && strcmp(argv[1], modes[i].name) == 0)
            result = modes[i].run();
    MPI_Finalize();
    return result;
}
