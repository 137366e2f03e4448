/* ingredient: teams of OpenMP at the edges: calls of old compilers, teams on the host, 100 nested tasks, cancelled constructs, a runtime that is paused,
 *   sizes that change, threads that come and go, a child process, MPI calls from all threads, a process that is killed in a parallel region
 * source: issue of the level openmp: whatever threads do, the program does the same and the trace is valid
 * mpi: openmpi
 * needs: clang
 * build: OMPI_CC=gcc mpicc -g -O1 -fopenmp %f -o app
 * build: OMPI_CC=clang mpicc -g -O1 -fopenmp -fopenmp-version=50 %f -o llvm
 * build: printf '#!/bin/sh\nfor of in "$@"; do hiera-transform $of --validate | tail -1; hiera-transform $of --measure counts --where "level == \\"openmp\\"" --format csv 2> err | tr "\\n" " "; echo; done\n' > ask; chmod +x ask
 * build: printf '#!/bin/sh\nexport OMP_CANCELLATION=true OMP_NUM_THREADS=2 HIERA_DIR=$1\nhiera-run --quiet --library=$LIBHIERA --level=openmp mpirun -n $2 $3 $4 > out 2>&1\n./ask $1\n' > hi; chmod +x hi
 * run: OMP_CANCELLATION=true OMP_NUM_THREADS=2 hiera-run --library=$LIBHIERA --level=openmp mpirun -n 2 ./app
 * expect: answer ./ask . => ^errors: 0; warnings: 0; notes: 0\nlevel,operation,count openmp,create task,200 openmp,implicit task,48 openmp,loop,4 openmp,parallel,24 openmp,task,200 openmp,teams,2 \n$
 * expect: answer grep -ho 'threads=[0-9]' trace1.xml | sort | uniq -c | tr -s ' \n' ' ' => ^ 1 threads=1 20 threads=2 3 threads=3 $
 * expect: answer HIERA_FORMAT=compact ./hi compact 2 ./llvm => ^errors: 0; warnings: 0; notes: 0\nlevel,operation,count openmp,barrier,8 openmp,create task,200 openmp,implicit task,52 openmp,loop,4 openmp,parallel,28 openmp,task,200 openmp,teams,2 \n$
 * expect: answer hiera-transform compact --measure profile --columns path,calls --format csv => (?s)further threads > parallel \S+:(\d+),2\n.* > teams \S+:\1,2\n[^\n]* > teams \S+:\1 > parallel \S+:\1,2\n
 * expect: answer ./hi killed.app 1 ./app killed; ./hi killed.llvm 1 ./llvm killed => ^(errors: 0; warnings: 1; notes: 1\nlevel,operation,count openmp,barrier,2 openmp,implicit task,2002 openmp,parallel,1001 \n){2}$
 * expect: answer HIERA_MODE=profile ./hi profile 1 ./llvm; HIERA_MODE=window ./hi window 1 ./app | head -1 => ^errors: 0; warnings: 0; notes: 1\n\nerrors: 0; warnings: 0; notes: 0$
 * expect: answer mpirun -n 1 ./app rare; for of in app llvm; do ./hi rare.$of 1 ./$of rare; cat out; done => ^4990 30940 261 14 155135\nerrors: 0; warnings: 0; notes: 0\nlevel,operation,count .*openmp,acquire doacross,40 openmp,acquire ordered,9 .*openmp,implicit task,23 openmp,loop,12 openmp,ordered,9 openmp,parallel,8 openmp,single,3 openmp,task,30141 .*openmp,taskloop,3 openmp,taskwait,1 \n4990 30940 261 14 155135\nerrors: 0; warnings: 0; notes: 0\nlevel,operation,count .*openmp,acquire doacross,50 openmp,acquire ordered,9 .*openmp,implicit task,23 openmp,loop,12 openmp,ordered,9 openmp,parallel,8 openmp,single,3 openmp,task,30168 .*\n4990 30940 261 14 155135$
 * expect: answer for of in app llvm; do ./hi untied.$of 1 ./$of untied; cat out; done => ^(errors: 0; warnings: 0; notes: 0\nlevel,operation,count (openmp,barrier,[23] )?openmp,create task,502 openmp,implicit task,3 openmp,parallel,2 openmp,single,2 openmp,task,(502|678) openmp,taskwait,176 \n110\n){2}$
 * expect: answer grep -ho 'barrier" file="[^"]*" line="0"' rare.app/trace0.xml => ^barrier" file="unknown" line="0"$
 */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile double sum;

static void work(long steps)
{
    for (long i = 0; i < steps; i++)
        sum += (double)i;
}

/* --- what compilers before GCC 4.9 made of a parallel region --- */

#ifndef __clang__
void GOMP_parallel_start(void (*body)(void *), void *data, unsigned threads);
void GOMP_parallel_end(void);
#endif

static void count(void *data)
{
    __atomic_add_fetch((int *)data, 1, __ATOMIC_RELAXED);
}

static int old_region(void)
{
    int n = 0;
#ifndef __clang__
    GOMP_parallel_start(count, &n, 2);
    count(&n);
    GOMP_parallel_end();
#else
#pragma omp parallel num_threads(2)
    count(&n);
#endif
    return n;
}

/* --- tasks, cancelled constructs --- */

static void nest(int depth)
{
#pragma omp task if (0)
    {
        work(10);
        if (depth > 1)
            nest(depth - 1);
    }
}

static int cancelled(void)
{
    int n = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(2)
    for (int i = 0; i < 1000; i++) {
#pragma omp cancel for
#pragma omp atomic
        n++;
    }
#pragma omp parallel num_threads(2)
    {
#pragma omp cancel parallel
#pragma omp atomic
        n++;
    }
    return n;
}

/* --- sizes, threads, processes --- */

static int sizes(void)
{
    int n = 0;
    for (int size = 3; size > 0; size -= 2) {
        omp_set_num_threads(size);
#pragma omp parallel
#pragma omp atomic
        n += omp_get_num_threads();
    }
    omp_set_num_threads(2);
    return n;
}

static void *in_thread(void *data)
{
#pragma omp parallel num_threads(2)
    count(data);
    return NULL;
}

static int threads_that_come_and_go(void)
{
    int n = 0;
    for (int i = 0; i < 5; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, in_thread, &n);
        pthread_join(thread, NULL);
    }
    return n;
}

static int child(void)
{
    int n = 0, status = -1;
    pid_t pid = fork();
    if (pid == 0) {
        in_thread(&n);
        _exit(n);
    }
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

/* --- rare constructs --- */

static int last;

static long tasks_in_loops(void)
{
    long n = 0;
#pragma omp parallel reduction(task, + : n) num_threads(3)
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : n)
        n += i;
    }
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : n)
#pragma omp taskloop in_reduction(+ : n) nogroup
    for (int i = 0; i < 40; i++)
        n++;
    return n;
}

/* Tasks of a loop that get copies of data: an array, by a function of the program; a number, at once. These are so many
 * that memory for each on the stack would be too much. */
static unsigned long long copies(void)
{
    enum { MANY = 30000 };
    unsigned long long n = 0, one = 1, steps[9] = {0, 1, 2};
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskloop grainsize(5) firstprivate(steps)
    for (unsigned long long i = 2; i < 42; i++) {
#pragma omp atomic
        n += i * steps[1] + steps[2];
    }
#pragma omp taskloop num_tasks(MANY) if (0) firstprivate(one) shared(n)
    for (int i = 0; i < MANY; i++)
        n += one;
    return n;
}

static unsigned long long ordered(void)
{
    unsigned long long n = 0;
#pragma omp parallel for ordered(2) schedule(static, 1) num_threads(3)
    for (unsigned long long i = 1; i < 6; i++)
        for (unsigned long long k = 1; k < 6; k++) {
#pragma omp ordered depend(sink : i - 1, k) depend(sink : i, k - 1)
#pragma omp atomic
            n += i * k;
#pragma omp ordered depend(source)
        }
#pragma omp parallel for ordered schedule(guided) num_threads(3)
    for (unsigned long long i = 0; i < 9; i++) {
#pragma omp ordered
        n += i;
    }
#pragma omp parallel for schedule(runtime) lastprivate(conditional : last) num_threads(3)
    for (int i = 0; i < 20; i++)
        if (i % 7 == 0)
            last = i;
    return n;
}

static int dependent(void)
{
    int sums[3] = {0};
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        for (int i = 0; i < 30; i++) {
#pragma omp task depend(inout : sums[i % 3]) firstprivate(i)
            sums[i % 3] += i;
        }
#pragma omp taskwait depend(in : sums[0])
    }
    return sums[0] + 1000 * sums[2];
}

/* --- MPI from all threads --- */

static int messages(int rank)
{
    int n = 0;
#pragma omp parallel num_threads(2) reduction(+ : n)
    {
        int mine = 1, other = 0, tag = omp_get_thread_num();
        MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, tag, &other, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        n += other;
    }
    return n;
}

/* The code of the region jumps to MPI, so that MPI returns to the one that called this code, which is Hiera. */
#ifndef __clang__
__attribute__((optimize("O2")))
#endif
static void
call_at_the_end(void)
{
#pragma omp parallel num_threads(2)
#pragma omp master
    MPI_Barrier(MPI_COMM_SELF);
}

static void until_killed(void)
{
    int n = 0;
    for (int i = 0; i < 1000; i++)
        in_thread(&n);
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
#pragma omp master
        kill(getpid(), SIGKILL);
    }
}

/* Tasks that any thread may go on with: clang makes each of two parts. */
static int fibonacci(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task untied shared(a)
    a = fibonacci(n - 1);
#pragma omp task untied shared(b)
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

static int untied(void)
{
    int found = 0;
    for (int n = 1; n <= 2; n++) { /* in a team of one they go on at once */
#pragma omp parallel num_threads(n)
#pragma omp single
        {
            found += fibonacci(10);
            nest(50 * n);
        }
    }
    return found;
}

int main(int argc, char **argv)
{
    int provided, rank, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1 && strcmp(argv[1], "killed") == 0)
        until_killed();
    if (argc > 1 && strcmp(argv[1], "untied") == 0) {
        printf("%d\n", untied());
        MPI_Finalize();
        return 0;
    }
    if (argc > 1) {
        long tasks = tasks_in_loops();
        unsigned long long iterations = ordered();
        printf("%ld %llu %llu %d %d\n", tasks, copies(), iterations, last, dependent());
        call_at_the_end();
        MPI_Finalize();
        return 0;
    }
    int forked = child(), old = old_region(); /* a child of a process with a team hangs in GNU's runtime */
#pragma omp teams num_teams(2)
    work(10);
#pragma omp parallel num_threads(2)
#pragma omp master
    nest(100);
    int cancels = cancelled();
    int paused = omp_pause_resource_all(omp_pause_soft);
    int all = sizes(), threads = threads_that_come_and_go(), sent = size > 1 ? messages(rank) : 0;
    if (rank == 0)
        printf("%d %d %d %d %d %d %d\n", old, cancels, paused, all, threads, forked, sent);
    MPI_Finalize();
    return 0;
}
