/* Two threads of rank 0, in each area once wrongly and once rightly. A line that a finding has to name ends in WRONG and
 * the rule. The argument is the level of thread support to ask for: multiple, serialized, funneled. Exit status 77: MPI
 * provides another one. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 5, LATE_US = 300000, PACKED = 4 << 20, TIMES = 50 };

static pthread_barrier_t both;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static MPI_Comm of_thread[2];
static char *packed[4];
static int rank;

/* --- collectives of one communicator --- */

static void *together(void *unused)
{
    pthread_barrier_wait(&both);
    MPI_Barrier(MPI_COMM_WORLD); /* WRONG concurrent-collectives */
    return unused;
}

static void *in_turn(void *unused)
{
    pthread_mutex_lock(&turn);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_mutex_unlock(&turn);
    return unused;
}

static void *apart(void *number)
{
    pthread_barrier_wait(&both);
    MPI_Barrier(of_thread[*(int *)number]);
    return number;
}

/* --- probes --- */

static void receive(const MPI_Status *status)
{
    int data;
    MPI_Recv(&data, 1, MPI_INT, status->MPI_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void *probe_both(void *unused)
{
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status); /* WRONG probe */
    pthread_barrier_wait(&both);
    receive(&status);
    return unused;
}

static void *probe_in_turn(void *unused)
{
    MPI_Status status;
    pthread_mutex_lock(&turn);
    MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
    receive(&status);
    pthread_mutex_unlock(&turn);
    return unused;
}

static void *probe_matched(void *unused)
{
    MPI_Message message;
    MPI_Status status;
    int data;
    MPI_Mprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &message, &status);
    pthread_barrier_wait(&both);
    MPI_Mrecv(&data, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    return unused;
}

/* --- the level --- */

static void pack(int number)
{
    for (int i = 0, position = 0; i < TIMES; i++, position = 0)
        MPI_Pack(packed[number], PACKED, MPI_BYTE, packed[2 + number], PACKED, &position, MPI_COMM_SELF); /* WRONG thread-level */
}

static void *pack_together(void *number)
{
    int version, subversion;
    pthread_barrier_wait(&both);
    MPI_Get_version(&version, &subversion); /* each thread may always ask that */
    pack(*(int *)number);
    return number;
}

static void *count_in_turn(void *unused)
{
    int size;
    pthread_mutex_lock(&turn);
    MPI_Type_size(MPI_INT, &size);
    pthread_mutex_unlock(&turn);
    return unused;
}

static void *ask(void *unused)
{
    int flag, size;
    MPI_Is_thread_main(&flag);
    MPI_Type_size(MPI_INT, &size); /* WRONG thread-level */
    return unused;
}

static void in_two_threads(void *(*work)(void *))
{
    static int numbers[] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

/* Rank 1 makes the calls of two threads of rank 0 one after the other, so `late` that both of them wait. */
static void collectives(void *(*work)(void *), const MPI_Comm *comms, int late)
{
    if (rank == 0) {
        in_two_threads(work);
        return;
    }
    usleep(late);
    for (int i = 0; i < 2; i++)
        MPI_Barrier(comms ? comms[i] : MPI_COMM_WORLD);
}

static void probes(void *(*work)(void *))
{
    if (rank == 0)
        in_two_threads(work);
    for (int i = 0; i < 2 && rank == 1; i++)
        MPI_Send(&rank, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void run_multiple(void)
{
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &of_thread[i]);
    collectives(together, NULL, LATE_US);
    collectives(in_turn, NULL, 0);
    collectives(apart, of_thread, 0);
    probes(probe_both);
    probes(probe_in_turn);
    probes(probe_matched);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&of_thread[i]);
}

static void run_serialized(void)
{
    in_two_threads(pack_together);
    in_two_threads(count_in_turn);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"multiple", "serialized", "funneled"};
    static const int levels[] = {MPI_THREAD_MULTIPLE, MPI_THREAD_SERIALIZED, MPI_THREAD_FUNNELED};
    int way = 0, provided;
    while (argc > 1 && way < 2 && strcmp(argv[1], names[way]) != 0)
        way++;
    MPI_Init_thread(&argc, &argv, levels[way], &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_barrier_init(&both, NULL, 2);
    for (int i = 0; i < 4; i++)
        packed[i] = calloc(1, PACKED);
    if (provided == levels[way] && way == 0)
        run_multiple();
    if (provided == levels[way] && way == 1 && rank == 0)
        run_serialized();
    if (provided == levels[way] && way == 2 && rank == 0)
        in_two_threads(ask);
    MPI_Finalize();
    return provided == levels[way] ? 0 : 77;
}
