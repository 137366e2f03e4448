/* ingredient: threads that make no MPI calls: a team of OpenMP of which one thread idles, a thread that computes, a thread that only sleeps
 * source: found from outside, N; a team of which a thread idles for 80 % of the run had a parallel efficiency of 100.0 %
 * build: cc=gcc; test $MPI = openmpi || cc=clang; OMPI_CC=$cc MPICH_CC=$cc mpicc -g -O1 -fopenmp %f -o app || mpicc -g -O1 -fopenmp %f -o app
 * build: printf '#!/bin/sh\nhiera-transform "$@" --measure summary,efficiency,imbalance,critical-path | tr -s " \\n" " "\n' > ask; chmod +x ask
 * run: hiera-run mpirun -n 5 ./app team computes calls sleeps alone
 * expect: calls barrier 62
 * expect: answer ./ask . --ranks 0 => parallel efficiency [0-9.]+ % of the MPI threads = .*Limits .*1 of 2 threads of rank 0 was not recorded; it used 1\d\.\d % of its processor time; .*all numbers here are of the MPI threads .*efficiency: .*of the MPI threads .*partial: 1 of 2 threads of rank 0 was not recorded
 * expect: answer ./ask . --ranks 1 => parallel efficiency [0-9.]+ % of the MPI threads = .*Limits .*threads of rank 1 that were not recorded used [1-5]\d\.\d % of its processor time
 * expect: answer for i in 2 4; do ./ask . --ranks $i; done | grep -c 'not recorded\|MPI threads' => ^0$
 * expect: answer ./ask . --ranks 3 => Limits .*1 of 2 threads of rank 3 was not recorded; it used [01]\.\d % of its processor time
 * expect: answer HIERA_DIR=k HIERA_BUFFER=64k hiera-run --quiet mpirun -n 1 ./app killed 2> err; hiera-transform --recover k; hiera-transform k --measure critical-path => 1 of 2 threads of rank 0 was not recorded; it used \d\d\.\d % of its processor time
 */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double used_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

static void work(double ms)
{
    for (double end = used_ms() + ms; used_ms() < end;)
        ;
}

static void call(int n)
{
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_SELF);
}

static void *compute(void *nothing)
{
    work(20);
    return nothing;
}

static void *call_and_compute(void *nothing)
{
    call(1);
    work(20);
    call(1);
    return nothing;
}

static void *rest(void *nothing)
{
    pause();
    return nothing;
}

static void team(int n)
{
    for (int i = 0; i < 10; i++) {
#pragma omp parallel num_threads(2)
        work(omp_get_thread_num() == 0 ? 5 : 1);
        call(n);
    }
}

/* The thread that sleeps is there until the process ends. */
static void beside(void *(*run)(void *), int is_joined)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    work(20);
    if (is_joined)
        pthread_join(thread, NULL);
    call(10);
}

int main(int argc, char **argv)
{
    int level, rank;
    setenv("OMP_WAIT_POLICY", "passive", 1);
    setenv("KMP_BLOCKTIME", "0", 1);
    if (!getenv("AGAIN")) { /* the library of OpenMP reads the variables when it is loaded */
        setenv("AGAIN", "1", 1);
        execv("/proc/self/exe", argv);
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *what = argv[1 + rank];
    if (strcmp(what, "team") == 0)
        team(1);
    else if (strcmp(what, "computes") == 0)
        beside(compute, 1);
    else if (strcmp(what, "calls") == 0)
        beside(call_and_compute, 1);
    else if (strcmp(what, "sleeps") == 0)
        beside(rest, 0);
    else
        call(20);
    if (strcmp(what, "killed") == 0) {
        team(1000);
        raise(SIGKILL);
    }
    MPI_Finalize();
    return 0;
}
