/* Each kind of waiting with a delay that is known, in each form in which it exists: in a region with the name of the kind
 * and of the form, one of two ranks (role 0 or 1) sleeps before its call. A barrier before each region lets both begin
 * together. Each rank prints when it was ready for the call that waits or is waited for, by the clock of the host, and the
 * line of this call. On two ranks the forms are those of the world and of an intercommunicator; on three ranks those of a
 * communicator of ranks 2 and 0, in this order, while rank 1 sleeps. */
#include "late.h"
#include "hiera.h"
#include <stdio.h>
#include <unistd.h>

enum { LEAVE = 9 }; /* a tag */

static const char *const mode_names[] = {"blocking", "non-blocking", "persistent"};

static int rank, nothing;

static void run(const LateKind *kind, const char *where)
{
    char region[80];
    snprintf(region, sizeof region, "%s / %s / %s", kind->name, mode_names[late.mode], where);
    late.is_late = late.role == (late.is_inter ? kind->late_in_inter : kind->late);
    late_begin();
    MPI_Barrier(late.world_of_two);
    hiera_begin("late", region, NULL);
    kind->part();
    hiera_end();
    printf("%s|%s|%d|%.9f|%d\n", region, late.is_late ? "late" : "waits", rank, late.ready_s, late.line);
}

static void run_all(const char *where)
{
    for (const LateKind *kind = late_kinds; kind->name; kind++) {
        for (late.mode = BLOCKING; late.mode <= kind->last; late.mode++) {
            int exists = late.mode < PERSISTENT || !kind->is_collective || MPI_VERSION >= 4;
            if (exists && (kind->has_inter || !late.is_inter))
                run(kind, where);
        }
    }
}

static void run_intra(const char *where)
{
    MPI_Group both;
    int memory[4];
    late.comm = late.world_of_two;
    MPI_Comm_rank(late.comm, &late.role);
    late.other = 1 - late.role;
    MPI_Cart_create(late.comm, 1, (int[]){2}, (int[]){1}, 0, &late.grid);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, late.comm, &late.win);
    MPI_Comm_group(late.comm, &both);
    MPI_Group_incl(both, 1, &late.other, &late.partner);
    MPI_Group_free(&both);
    run_all(where);
    MPI_Group_free(&late.partner);
    MPI_Win_free(&late.win);
    MPI_Comm_free(&late.grid);
}

static void run_inter(void)
{
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, late.other, 1, &late.comm);
    late.other = 0;
    late.is_inter = 1;
    run_all("intercommunicator");
    MPI_Comm_free(&late.comm);
}

/* Wait without taking the time of a processor. */
static void sleep_until_told(void)
{
    MPI_Request request;
    int done = 0;
    MPI_Irecv(&nothing, 1, MPI_INT, 0, LEAVE, MPI_COMM_WORLD, &request);
    for (; !done; usleep(10000))
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

static void run_in_some(void)
{
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, -rank, &late.world_of_two);
    if (rank == 1) {
        sleep_until_told();
        return;
    }
    run_intra("sub-communicator");
    if (rank == 0)
        MPI_Send(&nothing, 1, MPI_INT, 1, LEAVE, MPI_COMM_WORLD);
    MPI_Comm_free(&late.world_of_two);
}

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    late.world_of_two = MPI_COMM_WORLD;
    if (size == 2) {
        run_intra("world");
        run_inter();
    } else {
        run_in_some();
    }
    MPI_Finalize();
    return 0;
}
