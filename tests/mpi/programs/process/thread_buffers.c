/* Two threads of OpenMP in rank 0 put into the same bytes of rank 1, in each way of ordering them once; some ways order
 * nothing. The case reads from this file which lines must have a finding: WRONG, severity, what it says. SEEN: only where
 * the system has watchpoints. No other line may have one. Exit status 77: MPI provides another level of threads. */
#include <mpi.h>
#include <omp.h>
#include <stddef.h>

enum { SLOTS = 32, ROUNDS = 2 };
static int data[SLOTS], rank, *memory;
static volatile int word;
static MPI_Win win;

static void flush(void)
{
    MPI_Win_flush(1, win);
}

/* Two threads, or two tasks, of which each puts. */
static void unordered(void)
{
#pragma omp parallel num_threads(2)
    {
        MPI_Put(data, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* WRONG note conflicts with put.*unless threads agree */
        flush();
    }
#pragma omp parallel for schedule(static, 1) num_threads(2)
    for (int i = 0; i < 2; i++) {
        MPI_Put(data, 1, MPI_INT, 1, 1, 1, MPI_INT, win); /* WRONG note conflicts with put */
        flush();
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 2; i++) {
#pragma omp task
        {
            MPI_Put(data, 1, MPI_INT, 1, 2, 1, MPI_INT, win); /* WRONG note conflicts with put */
            flush();
        }
    }
}

/* The threads agree by a variable, which Hiera does not see. */
static void ordered_by_variable(void)
{
    static int is_free;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            MPI_Put(&data[3], 1, MPI_INT, 1, 3, 1, MPI_INT, win);
            flush();
            __atomic_store_n(&is_free, 1, __ATOMIC_RELEASE);
        } else {
            while (!__atomic_load_n(&is_free, __ATOMIC_ACQUIRE))
                ;
            MPI_Sendrecv(data, 1, MPI_INT, 0, 0, &data[3], 1, MPI_INT, 0, 0, /* WRONG note unless threads agree */
                         MPI_COMM_SELF, MPI_STATUS_IGNORE);
        }
    }
}

static void alone(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
#pragma omp critical(put)
        {
            MPI_Put(data, 1, MPI_INT, 1, 4, 1, MPI_INT, win);
            flush();
        }
        omp_set_lock(&lock);
        MPI_Put(data, 1, MPI_INT, 1, 5, 1, MPI_INT, win);
        flush();
        omp_unset_lock(&lock);
        while (!omp_test_lock(&lock))
            ;
        MPI_Put(data, 1, MPI_INT, 1, 6, 1, MPI_INT, win);
        flush();
        omp_unset_lock(&lock);
    }
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered
        {
            MPI_Put(data, 1, MPI_INT, 1, 7, 1, MPI_INT, win);
            flush();
        }
    }
    omp_destroy_lock(&lock);
}

static void in_turn(void)
{
    for (int i = 0; i < ROUNDS; i++)
#pragma omp parallel num_threads(2)
        for (int turn = 0; turn < 2; turn++) {
            if (omp_get_thread_num() == turn) {
                MPI_Put(data, 1, MPI_INT, 1, 8, 1, MPI_INT, win);
                flush();
            }
#pragma omp barrier
        }
    for (int turn = 0; turn < 2; turn++)
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == turn) {
            MPI_Put(data, 1, MPI_INT, 1, 9, 1, MPI_INT, win);
            flush();
        }
#pragma omp parallel num_threads(2)
    for (int i = 0; i < ROUNDS; i++)
#pragma omp single
    {
        MPI_Put(data, 1, MPI_INT, 1, 10, 1, MPI_INT, win);
        flush();
    }
}

static void put_by_tasks(void)
{
    for (int i = 0; i < 2; i++) {
#pragma omp task depend(inout : data[11])
        {
            MPI_Put(data, 1, MPI_INT, 1, 11, 1, MPI_INT, win);
            flush();
        }
    }
    for (int i = 0; i < 2; i++) {
#pragma omp task
        {
            MPI_Put(data, 1, MPI_INT, 1, 12, 1, MPI_INT, win);
            flush();
        }
#pragma omp taskwait
    }
    for (int i = 0; i < 2; i++) {
#pragma omp taskgroup
#pragma omp task
        {
            MPI_Put(data, 1, MPI_INT, 1, 13, 1, MPI_INT, win);
            flush();
        }
    }
    for (int i = 0; i < 2; i++) {
#pragma omp task if (0)
        {
            MPI_Put(data, 1, MPI_INT, 1, 14, 1, MPI_INT, win);
            flush();
        }
    }
}

/* Wait for another task, for a second at most: perhaps one thread runs all. */
static void await(const int *is_done)
{
    for (double until = omp_get_wtime() + 1; !__atomic_load_n(is_done, __ATOMIC_ACQUIRE) && omp_get_wtime() < until;)
        ;
}

static void set(int *is_done)
{
    __atomic_store_n(is_done, 1, __ATOMIC_RELEASE);
}

/* Of two puts in order the first one is completed by another task, too, which neither of them waits for. */
static void put_beside_a_flush(void)
{
    static int is_put, is_flushed, is_over;
#pragma omp task depend(inout : data[21])
    {
        MPI_Put(data, 1, MPI_INT, 1, 21, 1, MPI_INT, win);
        set(&is_put);
        await(&is_flushed);
        flush();
    }
#pragma omp task depend(inout : data[21])
    {
        MPI_Put(data, 1, MPI_INT, 1, 21, 1, MPI_INT, win);
        flush();
        set(&is_over);
    }
#pragma omp task
    {
        await(&is_put);
        flush();
        set(&is_flushed);
        await(&is_over);
    }
}

static void tasks(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    put_by_tasks();
#pragma omp parallel num_threads(2)
#pragma omp single
    put_beside_a_flush();
#pragma omp parallel num_threads(2)
#pragma omp single nowait
    for (int i = 0; i < 2; i++) {
#pragma omp task
#pragma omp critical(put)
        {
            MPI_Put(data, 1, MPI_INT, 1, 15, 1, MPI_INT, win);
            flush();
        }
    }
}

/* Parallel regions in parallel regions, and a reduction, behind which one thread puts. */
static void nested(void)
{
    int sum = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp critical(put)
            {
                MPI_Put(data, 1, MPI_INT, 1, 16, 1, MPI_INT, win);
                flush();
            }
        }
#pragma omp barrier
#pragma omp single
        {
            MPI_Put(data, 1, MPI_INT, 1, 16, 1, MPI_INT, win);
            flush();
        }
    }
#pragma omp parallel num_threads(2)
    {
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < 4; i++)
            sum += i;
#pragma omp single
        {
            data[17] = sum;
            MPI_Put(&data[17], 1, MPI_INT, 1, 17, 1, MPI_INT, win);
            flush();
        }
    }
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
            MPI_Put(data, 1, MPI_INT, 1, 18, 1, MPI_INT, win);
            flush();
        }
#pragma omp section
        {
            MPI_Put(data, 1, MPI_INT, 1, 19, 1, MPI_INT, win);
            flush();
        }
    }
}

/* Loads of the window's first byte by the thread that makes no calls. */
static void own_accesses(void)
{
    memory[0] = 1;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        MPI_Get(memory, 1, MPI_INT, 1, 20, 1, MPI_INT, win);
        flush();
    } else {
        word = memory[0]; /* SEEN note reads memory of rank 0 that the other writes */
    }
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            MPI_Get(memory, 1, MPI_INT, 1, 20, 1, MPI_INT, win);
            flush();
        }
#pragma omp barrier
        word = memory[0];
    }
#pragma omp parallel num_threads(2)
#pragma omp critical(own)
    word = memory[0];
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(SLOTS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    void (*const all[])(void) = {unordered, ordered_by_variable, alone, in_turn, tasks, nested, own_accesses};
    for (size_t i = 0; rank == 0 && provided == MPI_THREAD_MULTIPLE && i < sizeof all / sizeof *all; i++)
        all[i]();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return provided == MPI_THREAD_MULTIPLE ? 0 : 77;
}
