/* See clock_sync.h. The lowest rank that reads a clock is its leader, and measures for all ranks that read it.
 *
 * The leaders form a binomial tree. A child asks its parent for the time several times, and uses the answer that came
 * soonest. The parent read its clock at some moment between question and answer. The middle is assumed, so the error is
 * at most half of that interval. Then each parent sends its children the comparison of its own clock with the
 * reference. Errors add up along the path: with 1000 hosts it has ten edges.
 *
 * A rank takes part in every step even if an MPI call fails, so no other rank waits for it in vain. A comparison that
 * failed is marked as unknown. */
#include "clock_sync.h"

#include "mpi/call/own_calls.h"
#include "split.h"
#include "text/hash.h"

#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_QUESTIONS = 8, MOST_QUESTIONS = 64, PATIENCE_NS = 5000000 };
enum { TAG = 1, CHILDREN_MAX = 31, FIT_BYTES = sizeof(HieraClockFit) };

static struct Tree {
    MPI_Comm comm; /* communicator of the leaders, one rank per clock; MPI_COMM_NULL on other ranks */
    int parent;    /* rank in `comm` of this leader's parent in the tree of leaders; -1: this leader is the root */
    int children[CHILDREN_MAX],
        n_children; /* ranks of this leader's children in the tree; the child with the largest subtree is last */
} tree = {.comm = MPI_COMM_NULL};

static MPI_Comm one_clock =
    MPI_COMM_NULL; /* the ranks that read the same clock as this rank; rank 0 of them is the leader */
static HieraClockFit edge,
    own; /* offset from this clock to the parent's (`edge`), and to the reference clock (`own`) */

/* Return a key of the clock that this process reads. Times with a zero of their own (scale) count as a different clock.
 */
static uint64_t find_key(int64_t scale)
{
    char text[256] = "";
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text);
    if (fd >= 0)
        close(fd);
    if (n <= 0 && gethostname(text, sizeof text) ==
                      0) /* the host name may give one clock two keys, which is better than one key for two clocks */
        n = sizeof text;
    uint64_t key = hiera_hash_bytes(HIERA_HASH_BEGIN, text, n > 0 ? (size_t)n : 0);
    n = readlink("/proc/self/ns/time", text, sizeof text);
    key = hiera_hash_bytes(key, text, n > 0 ? (size_t)n : 0);
    return scale == 0 ? key : hiera_hash_bytes(key, &scale, sizeof scale);
}

/* --- comparison of a leader's clock with its parent's --- */

/* Compare this clock with the parent's. Each message to the parent says whether another one follows. */
static HieraClockPoint ask(int parent)
{
    int64_t begin = (int64_t)hiera_clock_monotonic_ns(), shortest = INT64_MAX, theirs = 0;
    HieraClockPoint best = {begin, 0, HIERA_CLOCK_UNKNOWN};
    int more = true;
    for (int n = 1; more; n++) {
        int64_t asked = (int64_t)hiera_clock_monotonic_ns();
        more = n < LEAST_QUESTIONS || (n < MOST_QUESTIONS && asked - begin < PATIENCE_NS);
        int sent = hiera_own.Send(&more, 1, MPI_INT, parent, TAG, tree.comm);
        int came = hiera_own.Recv(&theirs, 1, MPI_INT64_T, parent, TAG, tree.comm, MPI_STATUS_IGNORE);
        int64_t took = (int64_t)hiera_clock_monotonic_ns() - asked;
        if (sent != MPI_SUCCESS || came != MPI_SUCCESS || took >= shortest)
            continue;
        shortest = took;
        best = (HieraClockPoint){asked + took / 2, theirs - (asked + took / 2), took / 2 + 1};
    }
    return best;
}

static void answer(int child)
{
    int more;
    do {
        more = false;
        hiera_own.Recv(&more, 1, MPI_INT, child, TAG, tree.comm, MPI_STATUS_IGNORE);
        int64_t now = (int64_t)hiera_clock_monotonic_ns();
        hiera_own.Send(&now, 1, MPI_INT64_T, child, TAG, tree.comm);
    } while (more);
}

/* --- linear interpolation between two comparisons; in integers, which change no floating-point flags --- */

static int64_t distance(int64_t a, int64_t b)
{
    return a > b ? a - b : b - a;
}

/* Return the offset and error at the time `at_ns` of a clock, from the clock's fit: its two comparisons. */
static HieraClockPoint at(const HieraClockFit *fit, int64_t at_ns)
{
    const HieraClockPoint *first = &fit->first, *last = &fit->last;
    int64_t span = last->at_ns - first->at_ns;
    if (last->at_ns == 0 || span <= 0)
        return (HieraClockPoint){at_ns, first->offset_ns, first->error_ns};
    if (first->error_ns < 0 || last->error_ns < 0)
        return (HieraClockPoint){at_ns, first->offset_ns, HIERA_CLOCK_UNKNOWN};
    __int128 gain = (__int128)(last->offset_ns - first->offset_ns) * (at_ns - first->at_ns) / span;
    __int128 error = (__int128)first->error_ns * distance(last->at_ns, at_ns) +
                     (__int128)last->error_ns * distance(at_ns, first->at_ns);
    return (HieraClockPoint){at_ns, first->offset_ns + (int64_t)gain, (int64_t)((error + span - 1) / span)};
}

/* Add this clock's offset to the parent's clock and the parent's offset to the reference clock. */
static HieraClockPoint chain(const HieraClockPoint *to_parent, const HieraClockFit *parent)
{
    HieraClockPoint there = at(parent, to_parent->at_ns + to_parent->offset_ns);
    bool known = to_parent->error_ns >= 0 && there.error_ns >= 0;
    return (HieraClockPoint){to_parent->at_ns, to_parent->offset_ns + there.offset_ns,
                             known ? to_parent->error_ns + there.error_ns : HIERA_CLOCK_UNKNOWN};
}

/* --- the tree of leaders --- */

/* The parent of a rank is the rank without its lowest bit. The child with the largest subtree is served first on the
 * way down and last on the way up. Then the critical path has as many steps as the number of leaders has bits. */
static void build_tree(void)
{
    int rank = 0, size = 0;
    hiera_own.Comm_rank(tree.comm, &rank);
    hiera_own.Comm_size(tree.comm, &size);
    tree.parent = rank == 0 ? -1 : rank & (rank - 1);
    tree.n_children = 0;
    for (int bit = 1; bit < size - rank && (rank & bit) == 0 && tree.n_children < CHILDREN_MAX; bit <<= 1)
        tree.children[tree.n_children++] = rank + bit;
}

/* Compare clocks from the root to the leaves: a leader asks its parent before it answers its children. */
static void measure_downwards(void)
{
    if (tree.parent >= 0)
        edge.first = ask(tree.parent);
    for (int i = tree.n_children; i-- > 0;)
        answer(tree.children[i]);
}

/* From the leaves to the root: a rank answers its children before it asks its parent. So the two comparisons of the
 * parent are before and after those of the child, and the child can interpolate. */
static void measure_upwards(void)
{
    for (int i = 0; i < tree.n_children; i++)
        answer(tree.children[i]);
    if (tree.parent >= 0)
        edge.last = ask(tree.parent);
}

static void learn_from_parent(void)
{
    HieraClockFit theirs = {.first.error_ns = HIERA_CLOCK_UNKNOWN};
    hiera_own.Recv(&theirs, FIT_BYTES, MPI_BYTE, tree.parent, TAG, tree.comm, MPI_STATUS_IGNORE);
    own.first = chain(&edge.first, &theirs);
    if (edge.last.at_ns != 0)
        own.last = chain(&edge.last, &theirs);
}

/* Send each leader the fit of its parent's clock to the reference clock, and each other rank that of its leader. */
static void spread(void)
{
    if (tree.comm != MPI_COMM_NULL) {
        if (tree.parent >= 0)
            learn_from_parent();
        for (int i = tree.n_children; i-- > 0;)
            hiera_own.Send(&own, FIT_BYTES, MPI_BYTE, tree.children[i], TAG, tree.comm);
    }
    if (one_clock != MPI_COMM_NULL)
        hiera_own.Bcast(&own, FIT_BYTES, MPI_BYTE, 0, one_clock);
}

/* --- which ranks are leaders, and whether there is one clock only --- */

static bool leads(MPI_Comm part)
{
    int rank = -1;
    if (part != MPI_COMM_NULL)
        hiera_own.Comm_rank(part, &rank);
    return rank == 0;
}

/* Find the leaders among the ranks of `comm`, and the offsets of their clocks. */
static void compare(MPI_Comm comm)
{
    int rank = 0;
    hiera_own.Comm_rank(comm, &rank);
    one_clock = hiera_split_by_key(comm, true, own.clock, rank);
    tree.comm = hiera_split(comm, leads(one_clock) ? 0 : MPI_UNDEFINED, rank);
    own.first.error_ns = leads(tree.comm) ? 0 : HIERA_CLOCK_UNKNOWN;
    if (tree.comm != MPI_COMM_NULL) {
        build_tree();
        measure_downwards();
    }
    spread();
}

/* Whether all recording ranks read one clock. If so, *zero_ns becomes the earliest start. One reduction finds both, and
 * the minimum of the callers' *asked. */
static bool has_one_clock(MPI_Comm comm, bool records, uint64_t key, int64_t *zero_ns, int64_t *asked)
{
    int64_t least[4] = {INT64_MAX, INT64_MAX, INT64_MAX,
                        *asked}; /* minima over the ranks: start; key; ~key, which gives the largest key; *asked */
    if (records)
        memcpy(least, (int64_t[]){*zero_ns, (int64_t)key, (int64_t)~key}, 3 * sizeof *least);
    int64_t own_start = least[0];
    hiera_own.Allreduce(MPI_IN_PLACE, least, 4, MPI_INT64_T, MPI_MIN, comm);
    bool one = least[1] >= ~least[2];
    *asked = least[3];
    *zero_ns = one ? least[0] : own_start;
    return one;
}

HieraClockFit hiera_clock_sync_alone(int64_t scale)
{
    return (HieraClockFit){.clock = find_key(scale), .scale = scale, .first.error_ns = HIERA_CLOCK_UNKNOWN};
}

int64_t hiera_clock_sync_start(MPI_Comm comm, int64_t scale, bool records, int64_t *least, HieraClockFit *fit)
{
    int64_t zero_ns = (int64_t)hiera_clock_birth_ns();
    own = (HieraClockFit){.clock = find_key(scale), .scale = scale};
    if (!has_one_clock(comm, records, own.clock, &zero_ns, least)) {
        compare(comm);
        zero_ns += records ? own.first.offset_ns : 0;
        hiera_own.Allreduce(MPI_IN_PLACE, &zero_ns, 1, MPI_INT64_T, MPI_MIN, comm);
        zero_ns -= own.first.offset_ns;
    }
    *fit = own;
    return zero_ns;
}

static void release(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL)
        hiera_own.Comm_free(comm);
}

bool hiera_clock_sync_finish(HieraClockFit *fit)
{
    if (one_clock == MPI_COMM_NULL && tree.comm == MPI_COMM_NULL)
        return false;
    if (tree.comm != MPI_COMM_NULL)
        measure_upwards();
    spread();
    release(&tree.comm);
    release(&one_clock);
    *fit = own;
    return true;
}
