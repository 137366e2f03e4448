#include "roster.h"

#include "base/clock.h"
#include "base/life.h"
#include "base/safe_file.h"
#include "roster_folder.h"
#include "text/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef HIERA_ROSTER_PATIENCE_MS /* a test sets a smaller value with -D */
#define HIERA_ROSTER_PATIENCE_MS 10000
#endif

enum { LINK_MAX_BYTES = 4000 };

/* Identifies a clock: times of CLOCK_MONOTONIC are comparable within one boot of one host; else the real time is used.
 */
typedef struct Host {
    unsigned long long boot;
    long long real_minus_mono; /* CLOCK_REALTIME minus CLOCK_MONOTONIC, in ns */
} Host;

typedef struct Proposal {
    long long zero_ns;
    Host host;
    char ranks[LINK_MAX_BYTES]; /* ranks with Hiera: "0-3,7"; "-": none */
} Proposal;

static HieraLaunch launch;
static int obstacle; /* errno with which this process failed to make a proposal; 0: none */

static unsigned long long boot_number(void)
{
    char id[64] = "";
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, id, sizeof id);
    if (fd >= 0)
        close(fd);
    return n > 0 ? hiera_hash_bytes(HIERA_HASH_BEGIN, id, (size_t)n) : HIERA_HASH_BEGIN;
}

static Host own_host(void)
{
    struct timespec real;
    clock_gettime(CLOCK_REALTIME, &real);
    return (Host){boot_number(),
                  (long long)real.tv_sec * 1000000000 + real.tv_nsec - (long long)hiera_clock_monotonic_ns()};
}

static long long on_clock_of(const Host *own, long long ns, const Host *other)
{
    return own->boot == other->boot ? ns : ns + other->real_minus_mono - own->real_minus_mono;
}

/* --- this process's entry in the folder of the launch --- */

static void path_of_proposal(char path[PATH_MAX])
{
    hiera_entries_path_beside(path, ".all");
}

/* A proposal that exists before MPI_Init is left from an earlier launch, unless MPI_Init returned early in some
 * process. */
static void remove_stale_proposal(void)
{
    char path[PATH_MAX];
    path_of_proposal(path);
    if (hiera_entries_is_stale(path))
        unlink(path);
}

void hiera_roster_enter(const HieraLaunch *of, const char *dir)
{
    launch = *of;
    if (launch.key == 0 || launch.rank < 0 || launch.size == 1)
        return;
    /* If `dir` cannot be written, neither can the traces. With /tmp the processes of this host can still print one
     * message together. */
    if (hiera_entries_make(&launch, dir) || hiera_entries_make(&launch, P_tmpdir))
        remove_stale_proposal();
}

/* --- lists of ranks in proposals --- */

/* Write the ranks r with here[r] as "0-3,7"; "-" if there are none, or if the list is too long for a symbolic link. */
static void format_ranks(char *to, size_t room, const bool *here, int size)
{
    size_t n = 0;
    for (int first = 0, last; first < size; first = last + 1) {
        last = first;
        if (!here[first])
            continue;
        while (last + 1 < size && here[last + 1])
            last++;
        if (n + 32 > room) {
            n = 0;
            break;
        }
        n += (size_t)(first == last ? sprintf(to + n, ",%d", first) : sprintf(to + n, ",%d-%d", first, last));
    }
    if (n == 0)
        strcpy(to, "--");
    memmove(to, to + 1, strlen(to)); /* drop the first character, a comma */
}

/* Read a number below `size` at *list, and move *list behind the number; -1: there is no such number. */
static int parse_rank(const char **list, int size)
{
    char *end;
    if (**list < '0' || **list > '9')
        return -1;
    errno = 0;
    long rank = strtol(*list, &end, 10);
    *list = end;
    return errno == 0 && rank < size ? (int)rank : -1;
}

/* Read a list of ranks: ascending, all below `size` (a rank that MPI does not have would end the program). NULL if it
 * is anything else. */
static int *parse_ranks(const char *list, int size, int *n)
{
    int *ranks = malloc((size_t)size * sizeof *ranks), next = 0;
    *n = 0;
    while (ranks && *list) {
        int first = parse_rank(&list, size), last = first;
        if (*list == '-') {
            list++;
            last = parse_rank(&list, size);
        }
        if (first < next || last < first || (*list != ',' && *list != '\0')) {
            free(ranks);
            *n = 0;
            return NULL;
        }
        for (int rank = first; rank <= last; rank++)
            ranks[(*n)++] = rank;
        next = last + 1;
        list += *list == ',';
    }
    return ranks;
}

/* --- the proposal: which ranks run with Hiera --- */

static bool read_link(const char *path, char text[LINK_MAX_BYTES])
{
    ssize_t n = readlink(path, text, LINK_MAX_BYTES - 1);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static bool read_proposal(Proposal *proposal)
{
    char path[PATH_MAX], text[LINK_MAX_BYTES];
    path_of_proposal(path);
    return !hiera_entries_is_foreign(path) && read_link(path, text) &&
           sscanf(text, "%lld %llx %lld %3999s", &proposal->zero_ns, &proposal->host.boot,
                  &proposal->host.real_minus_mono, proposal->ranks) == 4;
}

/* Make the proposal, unless one exists or none is possible. Its zero of time is before the start of all processes: some
 * of them started before this one, and must not get negative times. */
static void propose(const Host *own, const char *ranks)
{
    static const long long margin_ns = 1000000000;
    char path[PATH_MAX], text[LINK_MAX_BYTES];
    path_of_proposal(path);
    snprintf(text, sizeof text, "%lld %llx %lld %s", (long long)hiera_clock_birth_ns() - margin_ns, own->boot,
             own->real_minus_mono, ranks);
    if (symlink(text, path) == 0 || errno == EEXIST)
        return;                               /* the link is made, or another process has made it first */
    if (errno == ENOSPC || errno == EDQUOT) { /* the disk is full: make room */
        hiera_entries_remove_own();
        if (symlink(text, path) == 0)
            return;
    }
    obstacle = errno;
}

static void propose_those_here(const Host *own, int size)
{
    char ranks[LINK_MAX_BYTES - 128];
    bool *here = calloc((size_t)size, sizeof *here);
    if (!here)
        return;
    hiera_entries_look_around(here, size);
    format_ranks(ranks, sizeof ranks, here, size);
    propose(own, ranks);
    free(here);
}

static bool is_proposal_foreign(void)
{
    char path[PATH_MAX];
    path_of_proposal(path);
    return hiera_entries_is_foreign(path);
}

/* Wait for a proposal. The lowest rank with an entry makes it; if that rank is late or fails, any process may finally
 * propose an empty list. All ranks together make about 50,000 requests per second to the file system. */
static bool agree(int rank, int size, const Host *own, Proposal *proposal)
{
    const int64_t longest_ns = size < 250 ? 5000000 : size < 25000 ? size * INT64_C(20000) : 500000000;
    if (hiera_entries_find_lowest(size) == rank)
        propose_those_here(own, size);
    uint64_t end = hiera_clock_monotonic_ns() + (HIERA_ROSTER_PATIENCE_MS + (uint64_t)size) * UINT64_C(1000000);
    for (struct timespec wait = {0, 50000}; !read_proposal(proposal); nanosleep(&wait, NULL)) {
        if (is_proposal_foreign()) {
            obstacle = HIERA_ERROR_FOREIGN;
            return false;
        }
        if (hiera_clock_monotonic_ns() > end) {
            propose(own, "-");
            return read_proposal(proposal);
        }
        wait.tv_nsec = 2 * wait.tv_nsec < longest_ns ? 2 * wait.tv_nsec : longest_ns;
        hiera_entries_look_again();
    }
    return true;
}

static bool contains(const HieraRoster *roster, int rank)
{
    for (int i = 0; i < roster->n; i++)
        if (roster->ranks[i] == rank)
            return true;
    return false;
}

static void follow(HieraRoster *roster, int rank, int size)
{
    Host own = own_host();
    Proposal proposal;
    HieraRoster proposed = {.known = true, .job = roster->job};
    if (!agree(rank, size, &own, &proposal))
        return;
    proposed.ranks = parse_ranks(proposal.ranks, size, &proposed.n);
    if (proposed.ranks && contains(&proposed, rank))
        *roster = proposed;
    else
        free(proposed.ranks);
}

static HieraRoster just_me(int rank, int size)
{
    static int alone;
    uint64_t unique = hiera_life_unique();
    alone = rank;
    return (HieraRoster){.known = size == 1,
                         .n = 1,
                         .ranks = &alone,
                         .job = launch.key  ? launch.key
                                : size == 1 ? unique
                                            : 0};
}

HieraRoster hiera_roster_close(int rank, int size)
{
    HieraRoster roster = just_me(rank, size);
    if (hiera_entries_are_made() && launch.rank == rank && size > 1)
        follow(&roster, rank, size);
    roster.obstacle = obstacle;
    if (hiera_entries_are_made())
        hiera_entries_remove_own();
    return roster;
}

void hiera_roster_leave(bool last)
{
    char path[PATH_MAX];
    if (!hiera_entries_are_made())
        return;
    path_of_proposal(path);
    if (last)
        unlink(path);
    hiera_entries_remove_folder();
}

/* --- programs without MPI_Init --- */

HieraRoster hiera_roster_look(const HieraLaunch *of, const char *dir, int rank, int size)
{
    Host own = own_host();
    Proposal proposal;
    hiera_roster_enter(of, dir);
    HieraRoster roster = just_me(rank, size);
    if (hiera_entries_are_made())
        propose(&own, "-");
    if (hiera_entries_are_made() && read_proposal(&proposal))
        roster.zero_ns = on_clock_of(&own, proposal.zero_ns, &proposal.host);
    return roster;
}

__attribute__((destructor(102))) static void leave_at_end(void)
{
    char path[PATH_MAX];
    if (!hiera_entries_are_made() || getpid() != hiera_life.pid)
        return;
    hiera_entries_remove_own();
    path_of_proposal(path);
    if (hiera_entries_remove_folder())
        unlink(path);
}
