/* A signal ends the job while the main thread of rank 0 writes its buffer, where it blocks signals: so another thread gets
 * it. To be sure of that, this program has its own pthread_setcancelstate(), which Hiera calls when it has left its lock:
 * there the signal is sent, and has its time, before the main thread goes on. The file `counted` has how many barriers have
 * returned. */
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile bool armed;
static pthread_t main_thread;

/* As a launcher does; the kernel lets a process pretend that to itself alone. */
static void end_job(void)
{
    static const struct timespec moment = {0, 50000000};
    siginfo_t info = {.si_signo = SIGTERM, .si_code = SI_USER};
    info.si_pid = getppid();
    syscall(SYS_rt_sigqueueinfo, getpid(), SIGTERM, &info);
    nanosleep(&moment, NULL);
}

int pthread_setcancelstate(int state, int *before)
{
    static int (*next)(int, int *);
    if (!next)
        next = (int (*)(int, int *))(intptr_t)dlsym(RTLD_NEXT, "pthread_setcancelstate");
    int result = next(state, before);
    if (armed && state == PTHREAD_CANCEL_ENABLE && !before && pthread_equal(main_thread, pthread_self())) {
        armed = false;
        end_job();
    }
    return result;
}

static void *wait_for_signals(void *unused)
{
    for (;;)
        pause();
    return unused;
}

static volatile uint64_t *open_counted(void)
{
    int file = open("counted", O_RDWR | O_CREAT, 0666);
    if (file < 0 || ftruncate(file, sizeof(uint64_t)) != 0)
        exit(92);
    void *counted = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return counted;
}

int main(int argc, char **argv)
{
    enum { FIRST = 100, MOST = 1000000 };
    pthread_t thread;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    alarm(60);
    if (rank == 0) {
        volatile uint64_t *counted = open_counted();
        main_thread = pthread_self();
        pthread_create(&thread, NULL, wait_for_signals, NULL);
        for (int i = 0; i < MOST; i++) {
            MPI_Barrier(MPI_COMM_SELF);
            ++*counted;
            armed |= i == FIRST;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
