/* unbalanced MODE: begins and ends of regions that do not match. The case knows what the trace must contain. */
#include "unseen.h"

#include <hiera.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#define BEGIN(name) hiera_begin("app", name, NULL)

static void call(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Too many ends, too few ends, ends on another thread. */
static void *end_elsewhere(void *nothing)
{
    hiera_end();
    return nothing;
}

static void ends(void)
{
    pthread_t thread;
    for (volatile int i = 0; i < 3; i++)
        hiera_end();
    BEGIN("outer");
    pthread_create(&thread, NULL, end_elsewhere, NULL);
    pthread_join(thread, NULL);
    call();
    hiera_end();
    hiera_end_of("nothing of this name");
    BEGIN("never");
    BEGIN("never 2");
    call();
}

/* hiera_end_of() closes the region of that name and regions left open inside it, and no others. */
static void named(void)
{
    for (int i = 0; i < 2; i++) {
        BEGIN("step");
        BEGIN("forgotten");
        call();
        hiera_end_of("step");
    }
    BEGIN("step");
    hiera_end_of("forgotten");
    call();
    hiera_end_of("step");
    call();
}

/* A plain end inside a scope takes effect when the scope ends; regions left open in the scope end with it. */
static void crossed(void)
{
    BEGIN("plain");
    {
        HIERA_REGION("app", "scope", NULL);
        call();
        hiera_end();
        call();
    }
    call();
    {
        HIERA_REGION("app", "scope 2", NULL);
        BEGIN("left in it");
        call();
    }
    call();
}

static jmp_buf target;
static volatile int goes_on = 1;

__attribute__((noinline)) static void leave(int depth)
{
    volatile char room[200];
    HIERA_REGION("app", "jumps", "depth=%d", depth);
    room[0] = (char)depth;
    if (!goes_on)
        return;
    if (depth > 0) {
        leave(depth - 1 + room[0] - (char)depth);
    } else {
        BEGIN("plain in it");
        call();
        longjmp(target, 1);
    }
}

/* The last "again" ends with the region around it: judged by its address, its variable may still be alive. */
static void jumps(void)
{
    HIERA_REGION("app", "around", NULL);
    for (volatile int i = 0; i < 2; i++)
        if (setjmp(target) == 0)
            leave(2);
    BEGIN("after");
    call();
    hiera_end();
    for (volatile int i = 0; i < 1000; i++)
        if (setjmp(target) == 0) {
            HIERA_REGION("app", "again", NULL);
            longjmp(target, 1);
        }
    call();
}

/* An error handler leaves the MPI call by longjmp: later regions are not inside that call. */
static void handle(MPI_Comm *comm, int *error, ...)
{
    (void)comm;
    (void)error;
    BEGIN("within the call");
    hiera_end();
    longjmp(target, 1);
}

static void errors(void)
{
    MPI_Errhandler handler;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    UNSEEN(Comm_create_errhandler)(handle, &handler);
    UNSEEN(Comm_set_errhandler)(comm, handler);
    {
        HIERA_REGION("app", "around", NULL);
        if (setjmp(target) == 0)
            MPI_Send(NULL, 0, MPI_INT, 1000, 0, comm);
        BEGIN("after");
        hiera_end();
    }
    call();
}

/* Regions on two stacks in turn: an address on the other stack does not mean that a region is dead. */
static ucontext_t main_context, other_context;

static void other(void)
{
    HIERA_REGION("app", "on the other stack", NULL);
    call();
    swapcontext(&other_context, &main_context);
    call();
    swapcontext(&other_context, &main_context);
}

static void contexts(void)
{
    static char stack[256 << 10];
    getcontext(&other_context);
    other_context.uc_stack.ss_sp = stack;
    other_context.uc_stack.ss_size = sizeof stack;
    other_context.uc_link = &main_context;
    makecontext(&other_context, other, 0);
    swapcontext(&main_context, &other_context);
    BEGIN("on the main stack");
    call();
    hiera_end();
    swapcontext(&main_context, &other_context);
    call();
}

/* A thread leaves regions open, by pthread_exit and by cancellation. */
static void *exits(void *nothing)
{
    HIERA_REGION("app", "thread exits", NULL);
    BEGIN("in it");
    pthread_exit(nothing);
}

static void *is_cancelled(void *nothing)
{
    HIERA_REGION("app", "thread is cancelled", NULL);
    for (;;)
        pthread_testcancel(), usleep(100);
    return nothing;
}

static void threads(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, exits, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, is_cancelled, NULL);
    usleep(2000);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    call();
}

/* Open regions are remembered over flushes. */
static void flushes(void)
{
    char name[40];
    BEGIN("whole");
    HIERA_REGION("app", "scope", NULL);
    BEGIN("inner");
    for (int i = 0; i < 40000; i++) {
        snprintf(name, sizeof name, "a name of its own: %d", i);
        hiera_begin("app", name, "i=%d", i);
        hiera_end_of(name);
    }
    hiera_end_of("whole");
    call();
}

/* More regions without an end than the notes have room for. */
static void various(void)
{
    char name[40];
    for (int i = 0; i < 60; i++) {
        HIERA_REGION("app", "scope", NULL);
        snprintf(name, sizeof name, "left %d", i % 30);
        BEGIN(name);
    }
    call();
}

static void ends_the_process(void)
{
    HIERA_REGION("app", "exits", NULL);
    BEGIN("in it");
    call();
    MPI_Finalize();
    exit(0);
}

static const struct {
    const char *name;
    void (*run)(void);
} modes[] = {{"ends", ends},         {"named", named},     {"crossed", crossed}, {"jumps", jumps}, {"contexts", contexts}, {"errors", errors},
             {"threads", threads},   {"flushes", flushes}, {"various", various}, {"exit", ends_the_process}};

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
