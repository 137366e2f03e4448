/* Creates and frees many communicators, datatypes and groups.
 *
 *   released memory N [quiet]   N rounds, and then nine times as many; prints by how many bytes the process has grown
 *                               in the second part. quiet: recording is paused
 *   released names              each object has its own size or name, is used and freed at once, in two threads
 */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*s %ld", &pages) != 1)
        exit(2);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

/* Creates eight datatypes, one of them with a name, a group, and one communicator for each way of naming. */
static void come_and_go(int round)
{
    MPI_Datatype types[8];
    MPI_Comm same, later, few;
    MPI_Group group;
    MPI_Request request;
    int in[4], out[4] = {1, 2, 3, 4};
    for (int i = 0; i < 8; i++) {
        MPI_Type_contiguous(2, MPI_INT, &types[i]);
        MPI_Type_commit(&types[i]);
    }
    MPI_Type_set_name(types[0], "a pair");
    MPI_Type_set_name(types[0], "a pair of numbers");
    if (round % 8 == 0) {
        MPI_Comm_dup(MPI_COMM_SELF, &same);
        MPI_Comm_set_name(same, "same");
        MPI_Comm_idup(same, &later, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_group(later, &group);
        MPI_Comm_create_group(same, group, 7, &few);
        MPI_Sendrecv(out, 1, types[1], 0, 0, in, 1, types[2], 0, 0, few, MPI_STATUS_IGNORE);
        MPI_Group_free(&group);
        MPI_Comm_free(&few);
        MPI_Comm_free(&same);
        MPI_Comm_free(&later);
    }
    for (int i = 0; i < 8; i++)
        MPI_Type_free(&types[i]);
}

static void grow(int rounds, bool quiet)
{
    int round = 0;
    MPI_Pcontrol(quiet ? 0 : 1);
    while (round < rounds)
        come_and_go(round++);
    long before = resident();
    while (round < 10 * rounds)
        come_and_go(round++);
    printf("grown %ld\n", resident() - before);
    MPI_Pcontrol(1);
}

enum { ROUNDS = 1200, LISTS = 1000 };

typedef struct Worker {
    int id;
    MPI_Comm comm;
} Worker;

/* A datatype of `ints` ints has the name "N ints". It is used for a message to the process itself, or in a list. */
static void use(MPI_Comm comm, int ints, int tag)
{
    static __thread int in[64], out[64];
    char name[32];
    MPI_Datatype type, list[1];
    MPI_Type_contiguous(ints, MPI_INT, &type);
    snprintf(name, sizeof name, "%d ints", ints);
    MPI_Type_commit(&type);
    MPI_Type_set_name(type, name);
    list[0] = type;
    if (ints % 4 != 0)
        MPI_Sendrecv(out, 1, type, 0, tag, in, 1, type, 0, tag, comm, MPI_STATUS_IGNORE);
    else
        MPI_Alltoallw(out, (int[]){1}, (int[]){0}, list, in, (int[]){1}, (int[]){0}, list, comm);
    MPI_Type_free(&type);
}

/* Only a list contains the datatype. */
static void use_in_lists(void)
{
    int in[64], out[64] = {0};
    for (int i = 0; i < LISTS; i++) {
        MPI_Datatype type;
        MPI_Pcontrol(0);
        MPI_Type_contiguous(62, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Type_set_name(type, "62 ints");
        MPI_Pcontrol(1);
        MPI_Alltoallw(out, (int[]){1}, (int[]){0}, &type, in, (int[]){1}, (int[]){0}, &type, MPI_COMM_SELF);
        MPI_Pcontrol(0);
        MPI_Type_free(&type);
        MPI_Pcontrol(1);
    }
}

static void *work(void *argument)
{
    const Worker *worker = argument;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm comm;
        char name[32];
        if (i % 100 == 0) {
            MPI_Comm_dup(worker->comm, &comm);
            snprintf(name, sizeof name, "thread %d, %d", worker->id, i);
            MPI_Comm_set_name(comm, name);
            use(comm, 1 + i % 60, worker->id);
            MPI_Comm_free(&comm);
        } else {
            use(worker->comm, 1 + i % 60, worker->id);
        }
    }
    return NULL;
}

/* An idle thread keeps the objects that it used last in its buffer. The program keeps one datatype all the time. */
static void *wait_for_the_others(void *argument)
{
    pthread_barrier_t *end = argument;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_name(comm, "idle");
    use(comm, 63, 9);
    MPI_Comm_free(&comm);
    pthread_barrier_wait(end);
    return NULL;
}

static void name_all(void)
{
    pthread_t threads[3];
    pthread_barrier_t end;
    Worker workers[2] = {{0, MPI_COMM_NULL}, {1, MPI_COMM_NULL}};
    MPI_Datatype kept;
    int in[64], out[64] = {0};
    MPI_Type_contiguous(61, MPI_INT, &kept);
    MPI_Type_commit(&kept);
    MPI_Type_set_name(kept, "61 ints");
    pthread_barrier_init(&end, NULL, 2);
    pthread_create(&threads[2], NULL, wait_for_the_others, &end);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &workers[i].comm);
        pthread_create(&threads[i], NULL, work, &workers[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_wait(&end);
    pthread_join(threads[2], NULL);
    use_in_lists();
    MPI_Sendrecv(out, 1, kept, 0, 1, in, 1, kept, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Type_free(&kept);
}

int main(int argc, char **argv)
{
    int provided;
    bool names = argc > 1 && strcmp(argv[1], "names") == 0;
    MPI_Init_thread(&argc, &argv, names ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    if (!names)
        grow(atoi(argv[2]), argc > 3);
    else if (provided == MPI_THREAD_MULTIPLE)
        name_all();
    else
        puts("no threads");
    MPI_Finalize();
    return 0;
}
