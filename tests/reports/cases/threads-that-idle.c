/* ingredient: threads of OpenMP that idle for known reasons, in a program that counts by its own clock how long
 * source: found from outside, item *threads of OpenMP in every answer*
 * mpi: openmpi
 * needs: clang++
 * build: OMPI_CC=gcc mpicc -g -O1 -fopenmp %f -o app
 * build: OMPI_CXX=clang++ mpicxx -x c++ -g -O1 -fopenmp %f -o clang++
 * run: OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive hiera-run --library=$LIBHIERA --level=openmp mpirun -n 1 ./app
 * expect: answer python3 $CASES/../idle.py 2 app 2 clang++ => ^right\n$
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { STEP_MS = 6, ROWS = 32 };

/* What the program counts: idle time of each thread by class and line. */
static struct {
    const char *class_name;
    int line, taken; /* taken: line where the other thread has taken what this one waits for; 0: none */
    double time;
} rows[2][ROWS];
static double entered, left[2], in_mpi, in_tasks[2];
static double arrived[2]; /* when a thread has come to the barrier where it waits for its first task; 0: it does not */
static int made_in;       /* line where tasks are made */

static double clock_of(clockid_t id)
{
    struct timespec time;
    clock_gettime(id, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double now(void)
{
    return clock_of(CLOCK_MONOTONIC);
}

/* Compute for some processor time, whatever else this machine does. */
static void work(int steps)
{
    double end = clock_of(CLOCK_THREAD_CPUTIME_ID) + 1e-3 * STEP_MS * steps;
    while (clock_of(CLOCK_THREAD_CPUTIME_ID) < end)
        ;
}

static void add(int thread, const char *class_name, int line, double time)
{
    int i = 0;
    while (rows[thread][i].class_name &&
           (rows[thread][i].line != line || strcmp(rows[thread][i].class_name, class_name)))
        i++;
    rows[thread][i].class_name = class_name;
    rows[thread][i].line = line;
    rows[thread][i].time += time;
}

/* A thread begins its part of a region, and ends it. */
static void enter(int line)
{
    add(omp_get_thread_num(), "start of region", line, now() - entered);
}

static void leave(void)
{
    left[omp_get_thread_num()] = now();
}

/* The region has ended. */
static void join(int line)
{
    for (int i = 0; i < 2; i++)
        add(i, "end of region", line, now() - left[i]);
}

/* The first thread computes, the other one has nothing to do; then its part of the loop is longer. */
static void serial_and_loop(void)
{
    double begin = now();
    work(4);
    entered = now();
    add(1, "serial part", __LINE__ + 1, entered - begin);
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < 2; i++) {
        enter(__LINE__ - 2);
        work(i == 0 ? 2 : 22);
        leave();
    }
    join(__LINE__ - 6);
}

static void add_wait(const char *class_name, int line, int taken, double begin)
{
    int i = 0, thread = omp_get_thread_num();
    add(thread, class_name, line, now() - begin);
    while (rows[thread][i].line != line || strcmp(rows[thread][i].class_name, class_name))
        i++;
    rows[thread][i].taken = taken;
}

static void critical(void)
{
    entered = now();
#pragma omp parallel
    {
        enter(__LINE__ - 2);
        double begin = now();
#pragma omp critical
        {
            add_wait("wait for critical", __LINE__ - 2, __LINE__ - 2, begin);
            work(4);
        }
        leave();
    }
    join(__LINE__ - 11);
}

static void locks(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    entered = now();
#pragma omp parallel
    {
        enter(__LINE__ - 2);
        for (int i = 0; i < 2; i++) {
            double begin = now();
            omp_set_lock(&lock);
            add_wait("wait for lock", __LINE__ - 1, __LINE__ - 1, begin);
            work(3);
            omp_unset_lock(&lock);
        }
        leave();
    }
    join(__LINE__ - 12);
    omp_destroy_lock(&lock);
}

/* The first thread has a lock, and is in a section with a name; the other one waits in other lines, first before a
 * section of another name, where it need not wait. */
static void held_elsewhere(void)
{
    static int has_it;
    omp_lock_t lock;
    omp_init_lock(&lock);
    entered = now();
#pragma omp parallel
    {
        enter(__LINE__ - 2);
        const int lock_line = __LINE__ + 2, section_line = __LINE__ + 3;
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
#pragma omp critical(first)
            {
                __atomic_store_n(&has_it, 1, __ATOMIC_RELEASE);
                work(3);
            }
            work(3);
            omp_unset_lock(&lock);
        } else {
            while (!__atomic_load_n(&has_it, __ATOMIC_ACQUIRE))
                work(0);
#pragma omp critical(second)
            work(1);
            double begin = now();
#pragma omp critical(first)
            add_wait("wait for critical", __LINE__ - 1, section_line, begin);
            begin = now();
            omp_set_lock(&lock);
            add_wait("wait for lock", __LINE__ - 1, lock_line, begin);
            omp_unset_lock(&lock);
        }
        leave();
    }
    join(__LINE__ - 28);
    omp_destroy_lock(&lock);
}

static void run_task(void)
{
    int thread = omp_get_thread_num();
    double begin = now(), since = arrived[thread] > 0 ? arrived[thread] : begin;
    if (arrived[thread] > 0)
        add_wait("wait for tasks", made_in + 6, made_in, since);
    arrived[thread] = 0;
    work(2);
    in_tasks[thread] += now() - since;
}

/* The other thread waits until the first one makes tasks, which run in the barrier. */
static void late_tasks(void)
{
    entered = now();
#pragma omp parallel
    {
        enter(__LINE__ - 2);
        int thread = omp_get_thread_num();
        if (thread == 0) {
            work(5);
            made_in = __LINE__ + 2;
            for (int i = 0; i < 2; i++) {
#pragma omp task
                run_task();
            }
        }
        double begin = now(), before = in_tasks[thread];
        arrived[thread] = thread == 0 ? 0 : begin;
#pragma omp barrier
        arrived[thread] = 0;
        add(thread, "wait at barrier", __LINE__ - 2, now() - begin - (in_tasks[thread] - before));
        leave();
    }
    join(__LINE__ - 19);
}

/* The first thread is in MPI while the other one waits in the barrier of their team; then outside of all regions. */
static void communicate(int rank)
{
    entered = now();
#pragma omp parallel
    {
        enter(__LINE__ - 2);
        double begin = now();
        if (omp_get_thread_num() == 0) {
            work(rank == 0 ? 1 : 5);
            begin = now();
            MPI_Barrier(MPI_COMM_WORLD);
            in_mpi += now() - begin;
        }
        begin = now();
#pragma omp barrier
        add(omp_get_thread_num(), "wait at barrier", __LINE__ - 1, now() - begin);
        leave();
    }
    join(__LINE__ - 15);
    double begin = now(), call;
    work(rank == 0 ? 7 : 1);
    call = now();
    MPI_Barrier(MPI_COMM_WORLD);
    in_mpi += now() - call;
    add(1, "serial part", __LINE__ - 2, call - begin);
    add(1, "main thread in MPI", __LINE__ - 3, now() - call);
}

/* One file for each rank: class,line,thread,time,taken. */
static void write_rows(int rank, double all)
{
    char name[32];
    double lost = in_mpi;
    snprintf(name, sizeof name, "own.%d", rank);
    FILE *own = fopen(name, "w");
    for (int thread = 0; thread < 2; thread++)
        for (int i = 0; rows[thread][i].class_name; i++) {
            fprintf(own, "%s,%d,%d,%.9f,%d\n", rows[thread][i].class_name, rows[thread][i].line, thread,
                    rows[thread][i].time, rows[thread][i].taken);
            lost += rows[thread][i].time;
        }
    fprintf(own, "all,0,0,%.9f,0\nuseful,0,0,%.9f,0\n", all, all - lost);
    fclose(own);
}

int main(int argc, char **argv)
{
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    double begin = now();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    serial_and_loop();
    critical();
    locks();
    held_elsewhere();
    late_tasks();
    communicate(rank);
    write_rows(rank, 2 * (now() - begin));
    MPI_Finalize();
    return 0;
}
