/* ingredient: threads of OpenMP that wait for each other; the program is built by GCC and by clang, each with its runtime
 * source: issue of the level openmp: both compilers give the same regions
 * mpi: openmpi
 * needs: clang
 * build: OMPI_CC=gcc mpicc -g -O1 -fopenmp %f -o app
 * build: OMPI_CC=clang mpicc -g -O1 -fopenmp %f -o llvm
 * build: gcc -g -O1 -fopenmp -shared -fPIC -DPLUG %f -o plug.so
 * build: mkdir named; ln -s "$(ldd llvm | grep -o '/.*libomp[^ ]*')" named/libgomp.so.1
 * run: OMP_NUM_THREADS=2 hiera-run --library=$LIBHIERA --level=openmp mpirun -n 2 ./app
 * expect: answer hiera-transform . --measure counts --where 'level == "openmp"' --format csv => level,operation,count\nopenmp,acquire critical,20\nopenmp,acquire lock,32\nopenmp,acquire nest lock,6\nopenmp,barrier,80\nopenmp,begin taskgroup,10\nopenmp,create task,60\nopenmp,critical,20\nopenmp,implicit task,96\nopenmp,loop,20\nopenmp,parallel,48\nopenmp,release lock,32\nopenmp,release nest lock,6\nopenmp,single,20\nopenmp,task,60\nopenmp,taskgroup,10\nopenmp,taskwait,20\n
 * expect: answer OMP_NUM_THREADS=2 hiera-run --quiet --dir=llvm.traces --library=$LIBHIERA --level=openmp mpirun -n 2 ./llvm; hiera-transform llvm.traces --validate | tail -1; hiera-transform llvm.traces --measure counts --where 'level == "openmp"' --format csv => errors: 0; warnings: 0; notes: 0\nlevel,operation,count\nopenmp,acquire critical,20\nopenmp,acquire lock,32\nopenmp,acquire nest lock,6\nopenmp,barrier,80\nopenmp,begin taskgroup,10\nopenmp,create task,60\nopenmp,critical,20\nopenmp,implicit task,96\nopenmp,loop,40\nopenmp,parallel,48\nopenmp,release lock,32\nopenmp,release nest lock,6\nopenmp,single,20\nopenmp,task,60\nopenmp,taskgroup,10\nopenmp,taskwait,20\n
 * expect: answer for d in . llvm.traces; do hiera-transform $d --measure profile --where 'operation == "critical" or operation == "parallel" and line in 116-118' --sort path --columns path,calls --format csv; done => (?s)^(path,calls\n.*(?=.*> parallel constructs-of-openmp.c:(\d+) > critical constructs-of-openmp.c:\d+,10\n.*> parallel constructs-of-openmp.c:(?!\2)\d+,10\n).*)\1$
 * expect: answer for d in . llvm.traces; do hiera-transform $d --measure counts --where 'operation == "acquire lock" and not inside("openmp", "taskgroup")' --format csv; done => level,operation,count\nopenmp,acquire lock,32\nlevel,operation,count\nopenmp,acquire lock,32\n
 * expect: answer for d in . llvm.traces; do hiera-transform $d --measure threads --by region --columns threads,count,load-balance --format csv | grep ^2,20,; grep -oh ' region=[0-9]*' $d/trace?.xml | sort -u | tr '\n' ' '; done => ^(2,20,[45][0-9]\.\d+\n region=1  region=2 ){2}$
 * expect: answer for p in . named; do LD_LIBRARY_PATH=$PWD/$p hiera-run --quiet --dir=$p/plugged --library=$LIBHIERA --level=openmp python3 -c 'import ctypes; print("sum", ctypes.CDLL("./plug.so").plugged())'; hiera-transform $p/plugged --measure profile --columns path,calls --format csv; done => ^(sum 6\npath,calls\nprocessors,1\n(processors > parallel constructs-of-openmp.c:\d+),1\n\2 > implicit task constructs-of-openmp.c:\d+,1\nprocessors > further threads,0\nprocessors > further threads > implicit task constructs-of-openmp.c:\d+,1\n){2}$
 */
#ifdef PLUG
/* The runtime is seen by this library alone. */
int plugged(void)
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < 4; i++)
        sum += i;
    return sum;
}
#else
#include <mpi.h>
#include <omp.h>
#include <time.h>

static volatile double sum;

static void work(long steps)
{
    for (long i = 0; i < steps; i++)
        sum += (double)i;
}

static void in_team(omp_lock_t *lock)
{
    work(1000 * (1 + omp_get_thread_num()));
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 4; i++)
        work(1000);
#pragma omp critical
    work(1000);
    omp_set_lock(lock);
    work(1000);
    omp_unset_lock(lock);
#pragma omp single
    {
        for (int i = 0; i < 3; i++) {
#pragma omp task
            work(1000);
        }
#pragma omp taskwait
#pragma omp taskgroup
        {
#pragma omp task
            work(1000);
            omp_set_lock(lock); /* it is in the group, but not in the wait at its end */
            omp_unset_lock(lock);
        }
    }
#pragma omp single nowait
    { /* it runs in the barrier at the end of the region, and waits there */
#pragma omp task
        {
#pragma omp task
            work(1000);
#pragma omp taskwait
        }
    }
}

/* Two regions in the same line at the same time: in one only the thread that began it has something to do, in the other
 * one only the other thread, so that useful time is half of what it could be. */
static void nested(void)
{
    const struct timespec nap = {.tv_nsec = 3000000};
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 5; i++) {
        int outer = omp_get_thread_num();
#pragma omp barrier
#pragma omp parallel num_threads(2)
        if (outer != omp_get_thread_num())
            nanosleep(&nap, NULL);
    }
}

/* Locks that are tried, once in vain, and one that its thread has already. */
static void try_locks(omp_lock_t *lock)
{
    omp_nest_lock_t nest;
    omp_init_nest_lock(&nest);
    omp_test_lock(lock);
    omp_test_lock(lock);
    omp_unset_lock(lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    omp_test_nest_lock(&nest);
    for (int i = 0; i < 3; i++)
        omp_unset_nest_lock(&nest);
    omp_destroy_nest_lock(&nest);
}

int main(int argc, char **argv)
{
    int provided;
    omp_lock_t lock;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    omp_init_lock(&lock);
    for (int i = 0; i < 5; i++) {
#pragma omp parallel
        in_team(&lock);
#pragma omp parallel for
        for (int k = 0; k < 4; k++)
            work(1000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    try_locks(&lock);
    omp_destroy_lock(&lock);
    omp_set_max_active_levels(2);
#pragma omp parallel
#pragma omp parallel num_threads(2)
    work(1000);
    nested();
    MPI_Finalize();
    return 0;
}
#endif
