/* Which processes run with Hiera: see roster.h. */
#include "roster.h"

#include "clock.h"
#include "session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef HIERA_ROSTER_PATIENCE_MS /* a test has less */
#define HIERA_ROSTER_PATIENCE_MS 10000
#endif

enum { LINK_MAX_BYTES = 4000 };

/* A clock: times of one boot of one kernel compare as they are, others by the real time. */
typedef struct Host {
    unsigned long long boot;
    long long real_minus_mono; /* ns */
} Host;

typedef struct Proposal {
    unsigned long long job;
    long long zero_ns;
    Host host;
    char ranks[LINK_MAX_BYTES]; /* "0-3,7"; "-" for nobody */
} Proposal;

static HieraLaunch launch;
static char place[PATH_MAX - 64]; /* the folder; empty if this process is not in it */

static unsigned long long boot_number(void)
{
    char id[64] = "";
    unsigned long long hash = 0xcbf29ce484222325u;
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, id, sizeof id);
    if (fd >= 0)
        close(fd);
    for (ssize_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)id[i]) * 0x100000001b3u;
    return hash;
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

static unsigned long long random_number(void)
{
    unsigned long long number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number)
        number = hiera_clock_monotonic_ns() ^ ((unsigned long long)getpid() << 40);
    return number;
}

/* --- the folder --- */

static void path_of_entry(char path[PATH_MAX], int rank)
{
    snprintf(path, PATH_MAX, "%s/%d", place, rank);
}

/* Beside the folder: that is empty when all have read it. */
static void path_of_proposal(char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s.all", place);
}

static bool read_link(const char *path, char text[LINK_MAX_BYTES])
{
    ssize_t n = readlink(path, text, LINK_MAX_BYTES - 1);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static bool enter_in(const char *dir)
{
    char path[PATH_MAX], text[96];
    Host host = own_host();
    if (strlen(dir) + 32 > sizeof place || hiera_trace_make_dir(dir) != 0)
        return false;
    /* Another name if entries, proposal or what members do together ever changes: versions do not know each other. */
    snprintf(place, sizeof place, "%s/.hiera-1-%016llx", dir, (unsigned long long)launch.key);
    mkdir(place, 0777);
    path_of_entry(path, launch.rank);
    snprintf(text, sizeof text, "%llx %llu %lld", host.boot, (unsigned long long)hiera_clock_birth_ns(),
             host.real_minus_mono);
    if (symlink(text, path) == 0 || (errno == EEXIST && unlink(path) == 0 && symlink(text, path) == 0))
        return true;
    rmdir(place);
    place[0] = '\0';
    return false;
}

void hiera_roster_enter(const HieraLaunch *of, const char *dir)
{
    launch = *of;
    if (launch.key == 0 || launch.rank < 0 || launch.size == 1)
        return;
    if (!enter_in(dir)) /* then the traces cannot be written either: all on this host can still say so in one voice */
        enter_in(P_tmpdir);
}

static void remove_entry(void)
{
    char path[PATH_MAX];
    path_of_entry(path, launch.rank);
    unlink(path);
}

/* --- who is there --- */

/* Marks in `here` the ranks that have entered; sets *zero_ns to the earliest start. Returns the lowest rank, -1 if the
 * folder cannot be read. */
static int look_around(bool *here, int size, const Host *own, long long *zero_ns)
{
    DIR *folder = opendir(place);
    int lowest = -1;
    if (!folder)
        return -1;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[PATH_MAX], text[LINK_MAX_BYTES], *end;
        long rank = strtol(entry->d_name, &end, 10);
        Host host;
        long long birth;
        if (*end || end == entry->d_name || rank < 0 || rank >= size)
            continue;
        path_of_entry(path, (int)rank);
        if (!read_link(path, text) || sscanf(text, "%llx %lld %lld", &host.boot, &birth, &host.real_minus_mono) != 3)
            continue;
        birth = on_clock_of(own, birth, &host);
        *zero_ns = birth < *zero_ns ? birth : *zero_ns;
        here[rank] = true;
        lowest = lowest < 0 || rank < lowest ? (int)rank : lowest;
    }
    closedir(folder);
    return lowest;
}

/* "0-3,7"; "-" if there is nobody, or if the list would be too long for a link. */
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
    memmove(to, to + 1, strlen(to)); /* the first comma */
}

static int *parse_ranks(const char *list, int size, int *n)
{
    int *ranks = malloc((size_t)size * sizeof *ranks), first, last, length;
    *n = 0;
    while (ranks && sscanf(list, "%d%n", &first, &length) == 1 && first >= 0) {
        list += length;
        last = first;
        if (sscanf(list, "-%d%n", &last, &length) == 1)
            list += length;
        for (int rank = first; rank <= last && *n < size; rank++)
            ranks[(*n)++] = rank;
        list += *list == ',';
    }
    return ranks;
}

/* --- the proposal --- */

static bool read_proposal(Proposal *proposal)
{
    char path[PATH_MAX], text[LINK_MAX_BYTES];
    path_of_proposal(path);
    return read_link(path, text) && sscanf(text, "%llx %lld %llx %lld %3999s", &proposal->job, &proposal->zero_ns,
                                           &proposal->host.boot, &proposal->host.real_minus_mono, proposal->ranks) == 5;
}

/* False if another's stands already, or none can. */
static bool propose(const Host *own, long long zero_ns, const char *ranks)
{
    char path[PATH_MAX], text[LINK_MAX_BYTES];
    path_of_proposal(path);
    snprintf(text, sizeof text, "%llx %lld %llx %lld %s", random_number(), zero_ns, own->boot, own->real_minus_mono,
             ranks);
    return symlink(text, path) == 0;
}

/* The lowest that has entered proposes. It may take its time, or not be able to: in the end anybody can settle that
 * nobody takes part. */
static bool agree(int rank, int size, const Host *own, Proposal *proposal)
{
    long long zero_ns = (long long)hiera_clock_birth_ns();
    char ranks[LINK_MAX_BYTES - 128] = "-";
    bool *here = calloc((size_t)size, sizeof *here);
    if (here && look_around(here, size, own, &zero_ns) == rank) {
        format_ranks(ranks, sizeof ranks, here, size);
        propose(own, zero_ns, ranks);
    }
    free(here);
    uint64_t end = hiera_clock_monotonic_ns() + HIERA_ROSTER_PATIENCE_MS * UINT64_C(1000000);
    for (struct timespec wait = {0, 50000}; !read_proposal(proposal); nanosleep(&wait, NULL)) {
        if (hiera_clock_monotonic_ns() > end) {
            propose(own, zero_ns, "-");
            return read_proposal(proposal);
        }
        wait.tv_nsec = wait.tv_nsec < 5000000 ? 2 * wait.tv_nsec : wait.tv_nsec;
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
    HieraRoster proposed = {.known = true};
    if (!agree(rank, size, &own, &proposal))
        return;
    proposed.job = proposal.job;
    proposed.zero_ns = on_clock_of(&own, proposal.zero_ns, &proposal.host);
    proposed.ranks = parse_ranks(proposal.ranks, size, &proposed.n);
    if (!contains(&proposed, rank)) {
        free(proposed.ranks);
        return;
    }
    *roster = proposed;
}

static HieraRoster just_me(int rank)
{
    static int alone;
    alone = rank;
    return (HieraRoster){.n = 1,
                         .ranks = &alone,
                         .job = launch.key ? launch.key : random_number(),
                         .zero_ns = (int64_t)hiera_clock_birth_ns()};
}

HieraRoster hiera_roster_close(int rank, int size)
{
    HieraRoster roster = just_me(rank);
    roster.known = size == 1;
    if (place[0] && launch.rank == rank && size > 1)
        follow(&roster, rank, size);
    if (place[0])
        remove_entry();
    return roster;
}

void hiera_roster_leave(bool last)
{
    char path[PATH_MAX];
    if (!place[0])
        return;
    path_of_proposal(path);
    if (last)
        unlink(path);
    rmdir(place);
    place[0] = '\0';
}

/* --- without MPI_Init --- */

/* Processes of a job start one after the other: those before the first that looks shall not have negative times. */
static const long long margin_ns = 1000000000;

HieraRoster hiera_roster_look(const HieraLaunch *of, const char *dir, int rank)
{
    Host own = own_host();
    Proposal proposal;
    hiera_roster_enter(of, dir);
    HieraRoster roster = just_me(rank);
    if (!place[0])
        return roster;
    propose(&own, (long long)hiera_clock_birth_ns() - margin_ns, "-");
    if (read_proposal(&proposal))
        roster.zero_ns = on_clock_of(&own, proposal.zero_ns, &proposal.host);
    return roster;
}

__attribute__((destructor(102))) static void leave_at_end(void)
{
    char path[PATH_MAX];
    if (!place[0] || getpid() != hiera_session.pid)
        return;
    remove_entry();
    path_of_proposal(path);
    if (rmdir(place) == 0)
        unlink(path);
}
