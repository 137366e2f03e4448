/* ingredient: an error handler leaves the last MPI call of a thread by longjmp; then that thread, or the process, ends in one of several ways
 * source: found from outside, R6
 * mpi: openmpi
 * build: mpicc -g %f -o app -pthread
 * run: for way in thread _exit quick_exit exit deep signal; do hiera-run --quiet --dir=$way ./app $way; echo $?; done
 * expect: answer for way in thread _exit quick_exit exit deep signal; do grep -c 'comm_call_errhandler.*finish_time="[0-9.]*".*left="true"' $way/trace0.xml; done => ^(1\n){6}$
 * expect: answer hiera-transform thread --validate 2>&1 => ^(?!.*no end)[^\0]*warnings: 0
 * expect: answer hiera-transform signal _exit --validate 2>&1 => ^(?![^\0]*ended in this call)
 * expect: findings
 * expect: other output
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static jmp_buf before;

static void on_error(MPI_Comm *comm, int *error, ...)
{
    (void)comm, (void)error;
    longjmp(before, 1);
}

static void *leave_call(void *nothing)
{
    if (setjmp(before) == 0)
        MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
    return nothing;
}

static __attribute__((noinline)) void end(int depth)
{
    volatile char room[4096];
    memset((void *)room, 1, sizeof room);
    if (depth == 0)
        exit(room[7]);
    end(depth - 1);
    room[5] = 2;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int provided;
    pthread_t thread;
    MPI_Errhandler handler;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    if (strcmp(way, "thread") == 0) {
        pthread_create(&thread, NULL, leave_call, NULL);
        pthread_join(thread, NULL);
        MPI_Finalize();
        return 0;
    }
    leave_call(NULL);
    printf("%s\n", way);
    fflush(stdout);
    if (strcmp(way, "_exit") == 0)
        _exit(0);
    if (strcmp(way, "quick_exit") == 0)
        quick_exit(0);
    if (strcmp(way, "deep") == 0)
        end(20);
    if (strcmp(way, "signal") == 0)
        raise(SIGTERM);
    exit(0);
}
