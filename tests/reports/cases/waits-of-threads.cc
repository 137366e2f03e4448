/* ingredient: threads of the program, by pthread_create and std::thread, that wait for each other: long, short and not at all; one ends by pthread_exit
 * source: issue of the level threads: long waits are recorded, a million locks that nobody has are not, and nothing of MPI's own threads
 * mpi: openmpi
 * build: mpicxx -g %f -o app
 * build: g++ -g -fsanitize=thread -DALONE %f -o sane
 * run: hiera-run --library=$LIBHIERA --level=threads mpirun -n 1 ./app
 * expect: answer hiera-transform . --validate | tail -1 => ^errors: 0; warnings: 0; notes: 0$
 * expect: answer hiera-transform . --measure counts --where 'level == "threads"' --format csv => ^level,operation,count\nthreads,acquire mutex,1\nthreads,create,2\nthreads,join,2\nthreads,thread,2\nthreads,wait condition,1\n$
 * expect: answer HIERA_LEVELS=threads hiera-run --quiet --dir=named --library=$LIBHIERA mpirun -n 1 ./app; hiera-transform named --measure counts --format csv => ^level,operation,count\nthreads,acquire mutex,1\nthreads,create,2\nthreads,join,2\nthreads,thread,2\nthreads,wait condition,1\n$
 * expect: answer hiera-transform . --measure profile --columns path,calls --format csv => (?s)further threads > thread waits-of-threads.cc:\d+,1\n.* > join waits-of-threads.cc:\d+,1\n
 * expect: answer hiera-run --quiet --dir=sane.t --library=$LIBHIERA --level=threads ./sane 2>&1 | grep -c Thread; hiera-transform sane.t --measure counts --format csv | grep -c condition => ^0\n1$
 */
#ifndef ALONE
#include <mpi.h>
#endif

#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <thread>
#include <unistd.h>

#ifdef ALONE
enum { LONG_US = 30000, LOCKS = 100000 }; /* what looks for races takes a microsecond for each */
#else
enum { LONG_US = 30000, LOCKS = 1000000 };
#endif

static std::mutex mutex;
static std::condition_variable condition;
static bool is_ready;
static sem_t has_it;

static void *holder(void *)
{
    mutex.lock();
    sem_post(&has_it);
    usleep(LONG_US);
    mutex.unlock();
    pthread_exit(nullptr);
}

static void waiter()
{
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, [] { return is_ready; });
}

int main(int argc, char **argv)
{
    pthread_t thread;
#ifndef ALONE
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
#endif
    sem_init(&has_it, 0, 0);
    for (int i = 0; i < LOCKS; i++)
        std::lock_guard<std::mutex> lock(mutex);
    pthread_create(&thread, nullptr, holder, nullptr);
    while (sem_trywait(&has_it) != 0)
        usleep(100);
    mutex.lock();
    mutex.unlock();
    pthread_join(thread, nullptr);
    std::thread other(waiter);
    usleep(LONG_US);
    mutex.lock();
    is_ready = true;
    mutex.unlock();
    condition.notify_one();
    other.join();
#ifndef ALONE
    MPI_Finalize();
#endif
    return argc == 0 || !argv[0];
}
