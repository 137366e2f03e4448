/* See share_globals.h. The first member with such a script sends the others the identity of its file. Members with
 * another file, because they run on another computer or in another container, ask the server that the first member then
 * becomes. MPI is used only here: later questions use TCP, since the program may be allowed to call MPI in one thread
 * only. */
#include "share_globals.h"

#include "base/message.h"
#include "job/job.h"
#include "mpi/call/own_calls.h"
#include "probing/shared/server_place.h"
#include "probing/shared/stale_files.h"
#include "probing/shared_globals.h"

/* Message of the first member to the others: where the data is that their probe scripts share. */
typedef struct Meeting {
    uint64_t number,
        table; /* number that identifies the script of the first member, and its file with the shared data */
    HieraServerPlace place;
    int error; /* errno that says why there is no server; 0: there is one */
} Meeting;

typedef enum Part { NONE, OTHER_SCRIPT, SAME_FILE, REMOTE } Part;

static void broadcast(void *bytes, size_t n, int first, MPI_Comm members)
{
    hiera_own.Bcast(bytes, (int)n, MPI_BYTE, first, members);
}

static Part part_of(const Meeting *meeting, uint64_t number, uint64_t table, bool is_first)
{
    if (number == 0)
        return NONE;
    if (meeting->number != number)
        return OTHER_SCRIPT;
    return is_first || (table != 0 && meeting->table == table) ? SAME_FILE : REMOTE;
}

/* Use the shared file, or be or use the server, as `part` says. @return  0 or an errno */
static int take_part(Part part, Meeting *meeting, int n_remote, int first, bool is_first, MPI_Comm members)
{
    int error = part == SAME_FILE || part == OTHER_SCRIPT ? hiera_globals_use_file() : 0;
    if (n_remote == 0)
        return error;
    if (is_first)
        meeting->error = hiera_globals_be_server((unsigned)n_remote, &meeting->place);
    broadcast(meeting, sizeof *meeting, first, members);
    if (part == REMOTE)
        error = meeting->error ? meeting->error : hiera_globals_use_server(&meeting->place);
    return error;
}

/* Print on one rank how many ranks cannot share variables and locks with the others. */
static void report(Part part, int error, int first, bool is_first, MPI_Comm members)
{
    int own[3] = {part != NONE, error != 0, part == OTHER_SCRIPT}, sum[3] = {0}, worst = error;
    hiera_own.Reduce(own, sum, 3, MPI_INT, MPI_SUM, first, members);
    hiera_own.Reduce(&error, &worst, 1, MPI_INT, MPI_MAX, first, members);
    if (is_first && sum[1] > 0)
        hiera_message("%d of %d ranks do not share %s with the others: %s", sum[1], sum[0], hiera_globals_what(),
                      hiera_message_of(worst));
    if (is_first && sum[2] > 0)
        hiera_message("%d of %d ranks have another probe script: they share variables and locks on their computer only",
                      sum[2], sum[0]);
}

static void meet(MPI_Comm members, uint64_t number, int rank, int first)
{
    bool is_first = rank == first;
    if (is_first)
        hiera_stale_files_remove();
    uint64_t table = number ? hiera_globals_map() : 0;
    Meeting meeting = {.number = number, .table = table};
    broadcast(&meeting, sizeof meeting, first, members);
    Part part = part_of(&meeting, number, table, is_first);
    int remote = part == REMOTE, n_remote = 0;
    hiera_own.Allreduce(&remote, &n_remote, 1, MPI_INT, MPI_SUM, members);
    int error = take_part(part, &meeting, n_remote, first, is_first, members);
    report(part, error, first, is_first, members);
}

int64_t hiera_share_globals_rank(MPI_Comm members, int size)
{
    int rank = 0;
    if (members != MPI_COMM_NULL)
        hiera_own.Comm_rank(members, &rank);
    return size > 1 && hiera_globals_number() != 0 ? rank : HIERA_SHARES_NOTHING;
}

void hiera_share_globals(MPI_Comm members, int64_t first, bool takes_part)
{
    uint64_t number = takes_part && hiera_job.size > 1 ? hiera_globals_number() : 0;
    int rank = 0;
    if (members == MPI_COMM_NULL) {
        if (number && hiera_job.traced != 1)
            hiera_message("this rank alone has %s: nobody knows which ranks run with Hiera", hiera_globals_what());
        return;
    }
    hiera_own.Comm_rank(members, &rank);
    if (first != HIERA_SHARES_NOTHING)
        meet(members, number, rank, (int)first);
}
