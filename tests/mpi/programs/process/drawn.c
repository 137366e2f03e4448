/* For HIERA_MODE=window: calls that are drawn, the same ones on all ranks, of all kinds that are matched. Each rank makes the
 * same calls in each run with the same seed, so the calls of a window are the last ones of a whole trace. Needs an even number
 * of ranks. Arguments: steps, seed. */
#include <mpi.h>
#include <stdlib.h>

enum { MOST = 1 << 12, COMMS = 6, SLOTS = 8 };

static unsigned long long state;
static int rank, size, step, after, before; /* the ranks beside this one in MPI_COMM_WORLD */
static char out[MOST], in[SLOTS][MOST], all[64 * MOST];

/* What is there all the time, or for a while. */
static MPI_Comm comms[COMMS], halves;
static MPI_Request persistent[2], mixed[2], open_requests[SLOTS][2];
static MPI_Win window;
static MPI_File file;

/* The communicator of this step, and the ranks beside this one. */
static MPI_Comm comm;
static int which, me, right, left, chance;

static int draw(int n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)((state >> 11) % (unsigned)n);
}

static int bytes(void)
{
    return 1 + step % (MOST - 1);
}

static MPI_Comm make(int number)
{
    MPI_Comm new;
    if (number % 3 == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &new);
    else if (number % 3 == 1)
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &new);
    else
        MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &(int){1}, 0, &new);
    return new;
}

/* --- messages --- */

static void exchange(void)
{
    MPI_Sendrecv(out, bytes(), MPI_BYTE, right, chance, in[0], MOST, MPI_BYTE, left, chance, comm, MPI_STATUS_IGNORE);
}

static void finish(int slot)
{
    for (int i = 0; i < 2; i++)
        MPI_Wait(&open_requests[slot][(i + chance) % 2], MPI_STATUS_IGNORE);
}

/* Requests that stay open for a while. */
static void ahead(void)
{
    int slot = draw(SLOTS);
    finish(slot);
    MPI_Irecv(in[slot], MOST, MPI_BYTE, left, 10 + slot, comm, &open_requests[slot][0]);
    (chance ? MPI_Issend : MPI_Isend)(out, bytes(), MPI_BYTE, right, 10 + slot, comm, &open_requests[slot][1]);
}

/* Two receives of one channel; the later one is completed first. */
static void turned_round(void)
{
    MPI_Request requests[3];
    MPI_Irecv(in[0], MOST, MPI_BYTE, left, 20, comm, &requests[0]);
    MPI_Irecv(in[1], MOST, MPI_BYTE, left, 20, comm, &requests[1]);
    MPI_Isend(out, bytes(), MPI_BYTE, right, 20, comm, &requests[2]);
    MPI_Send(out, 1 + step % 500, MPI_BYTE, right, 20, comm);
    for (int i = 1; i < 4; i++)
        MPI_Wait(&requests[i % 3], MPI_STATUS_IGNORE);
}

/* From anybody with any tag; only one message can come. */
static void from_anybody(void)
{
    MPI_Request requests[2];
    MPI_Irecv(in[0], MOST, MPI_BYTE, MPI_ANY_SOURCE, chance ? MPI_ANY_TAG : 30, comms[1], &requests[0]);
    MPI_Barrier(comms[1]);
    MPI_Isend(out, bytes(), MPI_BYTE, (size - rank) % size, 30, comms[1], &requests[1]);
    for (int i = 0, index; i < 2; i++)
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    MPI_Barrier(comms[1]);
}

static void probed(void)
{
    MPI_Message message;
    MPI_Request request;
    if (me == 1)
        MPI_Ssend(out, bytes(), MPI_BYTE, 0, 40, comm);
    if (me != 0)
        return;
    MPI_Mprobe(chance ? MPI_ANY_SOURCE : 1, 40, comm, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(in[0], MOST, MPI_BYTE, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Persistent requests, of which one side may be an ordinary call. */
static void started(void)
{
    if (chance == 0) {
        MPI_Startall(2, persistent);
        MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
    } else if (chance == 1) {
        MPI_Start(&mixed[0]);
        MPI_Recv(in[0], MOST, MPI_BYTE, before, 51, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&mixed[0], MPI_STATUS_IGNORE);
    } else {
        MPI_Start(&mixed[1]);
        MPI_Send(out, bytes(), MPI_BYTE, after, 51, MPI_COMM_WORLD);
        MPI_Wait(&mixed[1], MPI_STATUS_IGNORE);
    }
}

/* Receives that nobody completes, or that are cancelled. */
static void given_up(void)
{
    MPI_Request request;
    MPI_Irecv(in[0], MOST, MPI_BYTE, left, 60 + chance, comm, &request);
    if (chance == 0) {
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Request_free(&request);
        MPI_Send(out, 1 + step % 64, MPI_BYTE, right, 60 + chance, comm);
    }
    MPI_Barrier(comm);
}

static void between_halves(void)
{
    MPI_Sendrecv(out, bytes(), MPI_BYTE, rank / 2, 70, in[0], MOST, MPI_BYTE, rank / 2, 70, halves, MPI_STATUS_IGNORE);
    if (chance)
        MPI_Barrier(halves);
}

/* --- collectives, windows and files, communicators --- */

static void together(void)
{
    MPI_Request requests[2];
    MPI_Bcast(out, bytes(), MPI_BYTE, draw(size), comm);
    MPI_Ibcast(out, bytes(), MPI_BYTE, draw(size), comm, &requests[0]);
    MPI_Ibarrier(comms[0], &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Reduce(out, all, bytes(), MPI_BYTE, MPI_BOR, draw(size), comm);
}

static void one_sided(void)
{
    MPI_Win_fence(0, window);
    MPI_Put(&step, 1, MPI_INT, after, rank, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    if (step % 16 == 0)
        MPI_File_write_at_all(file, 4 * rank, &step, 1, MPI_INT, MPI_STATUS_IGNORE);
}

static void replace(void)
{
    MPI_Comm_free(&comms[which]);
    comms[which] = make(which);
}

/* A communicator that is freed while a receive on it is open. */
static void short_lived(void)
{
    MPI_Comm copy;
    MPI_Request request;
    MPI_Comm_dup(comm, &copy);
    MPI_Irecv(in[0], MOST, MPI_BYTE, left, 5, copy, &request);
    MPI_Send(out, bytes(), MPI_BYTE, right, 5, copy);
    MPI_Comm_free(&copy);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* --- what came with MPI 4 --- */

#if MPI_VERSION >= 4
static MPI_Request parts[2], broadcast;

static void make_more(void)
{
    MPI_Bcast_init(out, 3, MPI_BYTE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &broadcast);
    MPI_Psend_init(all, 2, 8, MPI_BYTE, after, 52, MPI_COMM_WORLD, MPI_INFO_NULL, &parts[0]);
    MPI_Precv_init(in[1], 2, 8, MPI_BYTE, before, 52, MPI_COMM_WORLD, MPI_INFO_NULL, &parts[1]);
}

static void more(void)
{
    MPI_Start(&broadcast);
    MPI_Wait(&broadcast, MPI_STATUS_IGNORE);
    MPI_Startall(2, parts);
    MPI_Pready_range(0, 1, parts[0]);
    MPI_Waitall(2, parts, MPI_STATUSES_IGNORE);
}
#else
static void make_more(void)
{
}

static void more(void)
{
}
#endif

static void (*const calls[])(void) = {exchange, ahead,          ahead,    ahead,     turned_round, from_anybody, probed, started,
                                      given_up, between_halves, together, one_sided, replace,      short_lived,  more};
enum { CALLS = sizeof calls / sizeof *calls };

static void begin(void)
{
    static int *memory;
    MPI_Comm half;
    for (int i = 0; i < COMMS; i++)
        comms[i] = make(i);
    for (int i = 0; i < SLOTS; i++)
        open_requests[i][0] = open_requests[i][1] = MPI_REQUEST_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &halves);
    MPI_Win_allocate((MPI_Aint)sizeof(int) * size, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_File_open(MPI_COMM_WORLD, "drawn.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_Send_init(out, 9, MPI_BYTE, after, 50, MPI_COMM_WORLD, &persistent[0]);
    MPI_Recv_init(in[0], MOST, MPI_BYTE, before, 50, MPI_COMM_WORLD, &persistent[1]);
    MPI_Send_init(out, 11, MPI_BYTE, after, 51, MPI_COMM_WORLD, &mixed[0]);
    MPI_Recv_init(in[2], MOST, MPI_BYTE, before, 51, MPI_COMM_WORLD, &mixed[1]);
    make_more();
}

static void take_step(void)
{
    int number = draw(CALLS), flag;
    which = draw(COMMS);
    chance = draw(3);
    comm = comms[which];
    MPI_Comm_rank(comm, &me);
    right = (me + 1) % size;
    left = (me + size - 1) % size;
    for (int i = 0; i < rank + step % 3; i++) /* each rank records at a rate of its own */
        MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    calls[number]();
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 500;
    state = 88172645463325252ull + 7919ull * (unsigned long long)(argc > 2 ? atoi(argv[2]) : 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    after = (rank + 1) % size;
    before = (rank + size - 1) % size;
    begin();
    for (step = 0; step < steps; step++)
        take_step();
    for (int i = 0; i < SLOTS; i++)
        finish(i);
    MPI_Win_free(&window);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
