/* functions MODE, compiled with -finstrument-functions: the level "function". Functions that must be long wait until a
 * given time has passed. */
#include <hiera.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define QUIET __attribute__((no_instrument_function))

static volatile long sink, goes_on = 1;

QUIET static void wait_long(void)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < 30000000);
}

static void tiny(void)
{
    sink++;
}

static void other_tiny(void)
{
    tiny();
    sink++;
}

static void takes_long(void)
{
    wait_long();
    for (int i = 0; i < 1000; i++)
        tiny();
}

static void calls_mpi(void)
{
    tiny();
    MPI_Barrier(MPI_COMM_WORLD);
    other_tiny();
}

static void wraps_begin(void)
{
    hiera_begin("app", "wrapped", NULL);
}

static void wraps_end(void)
{
    hiera_end();
}

static int deep(int n)
{
    if (n == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    return n == 0 ? 0 : 1 + deep(n - 1);
}

static void plain(void)
{
    HIERA_REGION("app", "region", NULL);
    for (int i = 0; i < 500; i++)
        tiny();
    takes_long();
    calls_mpi();
    sink += deep(700);
}

static void wrapped(void)
{
    wraps_begin();
    MPI_Barrier(MPI_COMM_WORLD);
    wraps_end();
    MPI_Barrier(MPI_COMM_WORLD);
}

static jmp_buf target;

/* Not inlined: of a function that was, nobody sees that longjmp has left it, since the stack frame around it is there. */
__attribute__((noinline)) static void jump(int n)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (!goes_on)
        return;
    if (n > 0)
        jump(n - 1);
    longjmp(target, 1);
}

static void jumps(void)
{
    if (setjmp(target) == 0)
        jump(2);
    calls_mpi();
}

static void handler(int number)
{
    sink += number;
    tiny();
}

static void signals(void)
{
    static char stack[64 << 10];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct timespec moment = {0, 20000};
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct itimerspec often = {moment, moment};
    for (int own_stack = 0; own_stack < 2; own_stack++) {
        if (own_stack) {
            sigaltstack(&alternate, NULL);
            action.sa_flags |= SA_ONSTACK;
        }
        sigaction(SIGUSR1, &action, NULL);
        timer_create(CLOCK_MONOTONIC, &event, &timer);
        timer_settime(timer, 0, &often, NULL);
        for (int i = 0; i < 100000; i++) {
            other_tiny();
            if (i % 100 == 0)
                calls_mpi();
        }
        timer_delete(timer);
    }
}

static void *work(void *nothing)
{
    takes_long();
    for (int i = 0; i < 1000; i++)
        other_tiny();
    return nothing;
}

static void threads(void)
{
    pthread_t all[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&all[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(all[i], NULL);
}

static void forks(void)
{
    pid_t child = fork();
    if (child == 0) {
        takes_long();
        _exit(0);
    }
    waitpid(child, NULL, 0);
    takes_long();
}

static void paused(void)
{
    hiera_pause();
    takes_long();
    hiera_resume();
    takes_long();
}

/* Fills the buffer many times. */
static void many(void)
{
    for (int i = 0; i < 7000; i++)
        calls_mpi();
}

__attribute__((constructor)) static void early(void)
{
    takes_long();
}

static const struct {
    const char *name;
    void (*run)(void);
} modes[] = {{"plain", plain},     {"wrapped", wrapped}, {"jumps", jumps},   {"signals", signals},
             {"threads", threads}, {"forks", forks},     {"paused", paused}, {"many", many}};

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (argc > 1 && strcmp(argv[1], modes[i].name) == 0)
            modes[i].run();
    MPI_Finalize();
    return 0;
}
