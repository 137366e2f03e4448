/* See entry_times.h.
 *
 * Largest entry and least end are found by dissemination: in round k a member sends its values to the member 2^k ranks
 * behind it. Messages go over one duplicate of MPI_COMM_WORLD, so no communicator of the program needs a duplicate of
 * its own. Their tag, and a number in them, identify the communicator.
 *
 * No rank may hang here. Calls are valid without our messages: a call may fail on one rank only, or (without data) end
 * before other members come. So the exchange is after the call, only if it was successful, and no member waits longer
 * than LIMIT_NS: the members that were reached learn that this exchange has failed, and its late messages are dropped
 * by their turn. A member gives up a communicator after several failures. */
#include "entry_times.h"

#include "base/clock.h"
#include "base/life.h"
#include "base/settings.h"
#include "mpi/call/array_arguments.h"
#include "mpi/call/mpi_level.h"
#include "mpi/call/own_calls.h"
#include "mpi/handle/comms.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { FAILURES_MOST = 8, SPINS = 256, TAG_MOST = 0x3fffffff };

#define LIMIT_NS UINT64_C(1000000000)

/* What a member knows about itself and the members that it has heard of, in nanoseconds; sent in each round. */
typedef struct Message {
    uint64_t comm;       /* hash of the communicator's name */
    uint64_t turn;       /* index of this exchange among those of the communicator, from 1 */
    int64_t latest_ns;   /* latest time at which one of these members entered the call */
    int64_t earliest_ns; /* earliest time at which one of these members left the call */
    uint64_t has_failed;
} Message;

typedef struct Round {
    int to, from; /* the ranks in MPI_COMM_WORLD that this rank sends to and receives from */
    Message sent;
    MPI_Request request;
} Round;

typedef struct HieraEntryTimes {
    uint64_t comm, turn;
    int tag;
    bool is_off;   /* whether there is no exchange on this communicator (any more) */
    bool is_stuck; /* whether a send is incomplete, so that MPI may still read this memory */
    unsigned n_rounds, n_failures;
    HieraClockPace pace;
    Round rounds[];
} HieraEntryTimes;

static MPI_Comm world = MPI_COMM_NULL; /* Hiera's duplicate of MPI_COMM_WORLD */
static int tag_most;

bool hiera_entry_times_wanted(void)
{
    return hiera_settings.sync && hiera_settings.mode.is_profile && hiera_settings.trace && !hiera_life.closed;
}

static void set_flags(bool on)
{
    for (unsigned i = 0; i < hiera_mpi_call_count; i++)
        if (hiera_mpi_calls[i].is_for_all && on)
            __atomic_or_fetch(&hiera_mpi_filtered[i], HIERA_FILTERED_SYNC, __ATOMIC_RELAXED);
        else
            __atomic_and_fetch(&hiera_mpi_filtered[i], (uint8_t)~HIERA_FILTERED_SYNC, __ATOMIC_RELAXED);
}

void hiera_entry_times_begin(void)
{
    int *most, found = 0;
    if (hiera_own.Comm_dup(MPI_COMM_WORLD, &world) != MPI_SUCCESS) {
        world = MPI_COMM_NULL;
        return;
    }
    hiera_own.Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    hiera_own.Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found);
    tag_most = found && *most < TAG_MOST ? *most : TAG_MOST;
    set_flags(true);
}

void hiera_entry_times_end(void)
{
    if (world == MPI_COMM_NULL)
        return;
    set_flags(false);
    hiera_own.Comm_free(&world);
}

/* --- state of the exchange on a communicator --- */

static uint64_t number_of(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 0x100000001b3u;
    return hash ^ hash >> 31;
}

/* Return the ranks in MPI_COMM_WORLD of all members, to be freed; NULL if some member is not in it, or there is no
 * memory. */
static int *find_members(MPI_Comm comm, int size)
{
    MPI_Group all, part;
    int *ranks = malloc(2 * (size_t)size * sizeof *ranks);
    if (!ranks)
        return NULL;
    for (int i = 0; i < size; i++)
        ranks[size + i] = i;
    hiera_own.Comm_group(world, &all);
    hiera_own.Comm_group(comm, &part);
    bool is_known = hiera_own.Group_translate_ranks(part, size, ranks + size, all, ranks) == MPI_SUCCESS;
    hiera_own.Group_free(&part);
    hiera_own.Group_free(&all);
    for (int i = 0; is_known && i < size; i++)
        is_known = ranks[i] != MPI_UNDEFINED;
    if (is_known)
        return ranks;
    free(ranks);
    return NULL;
}

static unsigned rounds_of(int size)
{
    unsigned n = 0;
    while (INT64_C(1) << n < size)
        n++;
    return n;
}

static void plan(HieraEntryTimes *of, const int *members, int rank, int size)
{
    for (unsigned i = 0; i < of->n_rounds; i++) {
        int far = (int)(INT64_C(1) << i);
        of->rounds[i].to = members[((int64_t)rank + far) % size];
        of->rounds[i].from = members[((int64_t)rank - far + size) % size];
        of->rounds[i].request = MPI_REQUEST_NULL;
    }
}

/* Make the state of a communicator. It has no exchange if it is an intercommunicator, has members of other worlds, or
 * only one member. All members decide alike, unless one lacks memory: then the others soon give up. */
static HieraEntryTimes *make(MPI_Comm comm, const char *name)
{
    int is_inter = 0, rank = 0, size = 1;
    hiera_own.Comm_test_inter(comm, &is_inter);
    hiera_own.Comm_rank(comm, &rank);
    hiera_own.Comm_size(comm, &size);
    int *members = is_inter || size == 1 ? NULL : find_members(comm, size);
    unsigned n = members ? rounds_of(size) : 0;
    HieraEntryTimes *of = calloc(1, sizeof *of + n * sizeof of->rounds[0]);
    if (of) {
        of->comm = number_of(name);
        of->tag = (int)(of->comm % (uint64_t)tag_most);
        of->is_off = !members;
        of->n_rounds = n;
        of->pace = hiera_clock_pace();
        plan(of, members, rank, size);
    }
    free(members);
    return of;
}

/* Return the state of a communicator; NULL: it has no exchange. No other thread is using this communicator in a
 * collective call. */
static HieraEntryTimes *find(MPI_Comm comm)
{
    uint32_t number = hiera_handle_find(HIERA_HANDLE_COMM, HIERA_KEY(comm));
    HieraEntryTimes **place = hiera_comm_entry_times(number);
    if (!place)
        return NULL;
    if (!*place)
        *place = make(comm, hiera_comm_facts(number)->id);
    HieraEntryTimes *of = *place;
    if (of && of->is_stuck) { /* not freed, as MPI may still read this state; a new one without exchange replaces it */
        *place = calloc(1, sizeof **place);
        if (*place)
            (*place)->is_off = true;
    }
    return of && !of->is_off ? of : NULL;
}

/* --- exchange of entry times by messages --- */

/* Wait until the request is complete. Returns false if the deadline comes first. */
static bool wait_for(MPI_Request *request, uint64_t deadline)
{
    int is_done = 0;
    for (unsigned i = 0; hiera_own.Test(request, &is_done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !is_done; i++) {
        if (i < SPINS)
            continue;
        if (hiera_clock_monotonic_ns() > deadline)
            return false;
        sched_yield();
    }
    return is_done;
}

static bool receive_one(const HieraEntryTimes *of, const Round *round, Message *message, uint64_t deadline)
{
    MPI_Request request;
    if (hiera_own.Irecv(message, sizeof *message, MPI_BYTE, round->from, of->tag, world, &request) != MPI_SUCCESS)
        return false;
    if (wait_for(&request, deadline))
        return true;
    hiera_own.Cancel(&request);
    hiera_own.Wait(&request, MPI_STATUS_IGNORE); /* returns at once, because the request is cancelled */
    return false;
}

/* Receive the message of this round, and merge its times into *all. */
static void receive(HieraEntryTimes *of, const Round *round, Message *all, uint64_t deadline)
{
    Message message;
    do {
        if (!receive_one(of, round, &message, deadline)) {
            all->has_failed = true;
            return;
        }
    } while (message.comm == of->comm && message.turn < of->turn); /* skip messages of earlier, failed exchanges */
    of->is_off = message.comm != of->comm ||
                 message.turn != of->turn; /* this rank and the sender have counted different numbers of exchanges */
    all->has_failed |= message.has_failed | of->is_off;
    all->latest_ns = message.latest_ns > all->latest_ns ? message.latest_ns : all->latest_ns;
    all->earliest_ns = message.earliest_ns < all->earliest_ns ? message.earliest_ns : all->earliest_ns;
}

static void send(HieraEntryTimes *of, Round *round, const Message *all)
{
    round->sent = *all;
    if (hiera_own.Isend(&round->sent, sizeof round->sent, MPI_BYTE, round->to, of->tag, world, &round->request) !=
        MPI_SUCCESS)
        of->is_off = true;
}

/* Exchange messages until *all has the times of all members. */
static void spread(HieraEntryTimes *of, Message *all)
{
    uint64_t deadline = hiera_clock_monotonic_ns() + LIMIT_NS;
    for (unsigned i = 0; i < of->n_rounds && !of->is_off; i++) {
        send(of, &of->rounds[i], all);
        if (!of->is_off)
            receive(of, &of->rounds[i], all, deadline);
    }
    for (unsigned i = 0; i < of->n_rounds; i++)
        if (of->rounds[i].request != MPI_REQUEST_NULL && !wait_for(&of->rounds[i].request, deadline))
            of->is_off = of->is_stuck = true;
    of->n_failures = all->has_failed ? of->n_failures + 1 : 0;
    of->is_off = of->is_off || of->n_failures >= FAILURES_MOST;
}

/* --- waiting times of a call --- */

static void keep(HieraThread *thread, HieraMpiRecord *record, const HieraClockPace *pace, const Message *own,
                 const Message *all)
{
    uint32_t stored;
    int64_t *waits = hiera_mpi_put_space(thread, record, HIERA_TAIL_WAITS, HIERA_WAITS_OF_CALL, sizeof *waits, &stored);
    int64_t until_ns = all->latest_ns < own->earliest_ns ? all->latest_ns : own->earliest_ns;
    int64_t since_ns = all->latest_ns > all->earliest_ns ? all->latest_ns : all->earliest_ns;
    if (stored < HIERA_WAITS_OF_CALL)
        return;
    waits[HIERA_WAITS_MEMBERS] = until_ns - own->latest_ns;
    waits[HIERA_WAITS_COMPLETION] = own->earliest_ns > since_ns ? own->earliest_ns - since_ns : 0;
    waits[HIERA_WAITS_EXCHANGE] = hiera_clock_pace_ns(pace, hiera_clock_ticks()) - own->earliest_ns;
}

void hiera_entry_times_exchange(HieraThread *thread, HieraMpiRecord *record, MPI_Comm comm, int result,
                                uint64_t entered, uint64_t left)
{
    int saved_errno = errno;
    HieraEntryTimes *of = result == MPI_SUCCESS && world != MPI_COMM_NULL ? find(comm) : NULL;
    if (of) {
        if (left > of->pace.until)
            of->pace = hiera_clock_pace();
        Message own = {of->comm, ++of->turn, hiera_clock_pace_ns(&of->pace, entered),
                       hiera_clock_pace_ns(&of->pace, left), false};
        Message all = own;
        spread(of, &all);
        if (record && !all.has_failed)
            keep(thread, record, &of->pace, &own, &all);
    }
    errno = saved_errno;
}
