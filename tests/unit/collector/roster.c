/* The roster, without MPI. Processes agree on the members of a job: if a process expects another one, that one must
 * expect the same members, however late processes are, and even if some never come. Otherwise MPI_Init would hang. */
#include "../../../collector/job/roster.h"
#include "../../../collector/base/clock.h"
#include "../../../collector/base/life.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RANKS = 8, ROUNDS = 30 };

typedef enum { ABSENT, PRESENT, STUCK } Fate; /* STUCK: enters the roster, then ends */

typedef struct Seen {
    bool known;
    uint64_t job;
    bool members[RANKS];
} Seen;

static Seen *seen;
static int *entered;
static char dir[] = "/tmp/hiera-roster-XXXXXX";
static int n_failed;

static void fail(const char *what, int round, int rank)
{
    fprintf(stderr, "round %d, rank %d: %s\n", round, rank, what);
    n_failed++;
}

/* Run a process of the job.
 *
 * @param held  wait between entering and closing the roster until all have entered, as in MPI_Init */
static void run_rank(int rank, const Fate *fates, uint64_t key, bool held)
{
    HieraLaunch launch = {key, rank, RANKS};
    int n = 0;
    hiera_roster_enter(&launch, dir);
    __atomic_add_fetch(entered, 1, __ATOMIC_ACQ_REL);
    for (int i = 0; i < RANKS; i++)
        n += fates[i] != ABSENT;
    while (held && __atomic_load_n(entered, __ATOMIC_ACQUIRE) < n)
        usleep(100);
    if (fates[rank] == STUCK)
        _exit(0);
    HieraRoster roster = hiera_roster_close(rank, RANKS);
    seen[rank] = (Seen){.known = roster.known, .job = roster.job};
    for (int i = 0; i < roster.n; i++)
        seen[rank].members[roster.ranks[i]] = true;
    _exit(0);
}

static void run_round(const Fate *fates, uint64_t key, bool held)
{
    memset(seen, 0, RANKS * sizeof *seen);
    *entered = 0;
    for (int rank = 0; rank < RANKS; rank++)
        if (fates[rank] != ABSENT && fork() == 0)
            run_rank(rank, fates, key, held);
    while (wait(NULL) > 0)
        ;
}

/* Check that processes which expect each other agree on the members. */
static void check_alike(const Fate *fates, int round)
{
    for (int rank = 0; rank < RANKS; rank++) {
        if (fates[rank] != PRESENT)
            continue;
        if (!seen[rank].members[rank])
            fail("is not a member of its own", round, rank);
        for (int other = 0; seen[rank].known && other < RANKS; other++)
            if (seen[rank].members[other] &&
                (fates[other] != PRESENT || !seen[other].known ||
                 memcmp(seen[rank].members, seen[other].members, sizeof seen->members) != 0))
                fail("expects one that does not expect it", round, rank);
    }
}

static void check_complete(const Fate *fates, int round)
{
    for (int rank = 0; rank < RANKS; rank++)
        for (int other = 0; fates[rank] == PRESENT && other < RANKS; other++)
            if (!seen[rank].known || seen[rank].members[other] != (fates[other] == PRESENT) ||
                seen[rank].job != (uint64_t)round + 1)
                fail("does not know who is there, or which job this is", round, rank);
}

/* Make a file as a launch with the same key leaves it if it was killed an hour ago. */
static void leave(const char *name, const char *text)
{
    char path[128];
    struct timespec then = {time(NULL) - 3600, 0};
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (symlink(text, path) != 0 ||
        utimensat(AT_FDCWD, path, (struct timespec[]){then, then}, AT_SYMLINK_NOFOLLOW) != 0)
        fail("cannot make what a killed launch leaves", -1, -1);
}

static void meet_what_was_left(const Fate *fates, int round)
{
    char path[128];
    snprintf(path, sizeof path, "%s/.hiera-2-%016x", dir, round + 1);
    mkdir(path, 0777);
    for (int rank = 0; rank < RANKS; rank++) {
        snprintf(path, sizeof path, ".hiera-2-%016x/%d", round + 1, rank);
        leave(path, "-");
    }
    snprintf(path, sizeof path, ".hiera-2-%016x.all", round + 1);
    leave(path, "0 0 0 0-7");
    run_round(fates, (uint64_t)round + 1, true);
    check_alike(fates, round);
    check_complete(fates, round);
}

/* A proposal that is not from this job, with ranks that do not exist or owned by another user, must be ignored. */
static void meet_false_proposal(int round, const char *ranks, uid_t owner)
{
    static const Fate fates[RANKS] = {PRESENT, PRESENT, PRESENT, PRESENT, PRESENT, PRESENT, PRESENT, PRESENT};
    char path[128], text[128];
    snprintf(path, sizeof path, "%s/.hiera-2-%016x.all", dir, round + 1);
    snprintf(text, sizeof text, "0 0 0 %s", ranks);
    if (symlink(text, path) != 0 || (owner != getuid() && lchown(path, owner, (gid_t)-1) != 0))
        return; /* only root can change the owner */
    run_round(fates, (uint64_t)round + 1, true);
    for (int rank = 0; rank < RANKS; rank++)
        if (seen[rank].known || !seen[rank].members[rank])
            fail("follows a false proposal", round, rank);
}

static void empty_dir(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s' && mkdir '%s'", dir, dir);
    if (system(command) != 0)
        fail("cannot empty the folder", -1, -1);
}

int main(void)
{
    hiera_clock_start("auto");
    if (!mkdtemp(dir))
        return 99;
    seen = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    entered = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    srand(7);
    for (int round = 0; round < ROUNDS; round++) {
        Fate fates[RANKS];
        for (int rank = 0; rank < RANKS; rank++)
            fates[rank] = rand() % 3 ? PRESENT : ABSENT;
        bool held = round % 2;
        run_round(fates, (uint64_t)round + 1, held);
        check_alike(fates, round);
        if (held)
            check_complete(fates, round);
    }
    /* Rank 0, which has to propose the members, is stuck. */
    Fate fates[RANKS] = {STUCK, PRESENT, PRESENT, ABSENT, PRESENT, PRESENT, PRESENT, PRESENT};
    run_round(fates, 1000, true);
    check_alike(fates, ROUNDS);
    if (seen[1].known || seen[7].known)
        fail("believes to know who is there though none could tell", ROUNDS, 1);
    meet_what_was_left((Fate[RANKS]){ABSENT, PRESENT, ABSENT, PRESENT, PRESENT, ABSENT, PRESENT, PRESENT}, 2000);
    meet_what_was_left((Fate[RANKS]){PRESENT, PRESENT, ABSENT, PRESENT, PRESENT, ABSENT, PRESENT, PRESENT}, 2001);
    meet_false_proposal(3000, "7-2147483647", getuid());
    meet_false_proposal(3001, "0-4,3-7", getuid());
    meet_false_proposal(3002, "0-7,99999999999999999999", getuid());
    meet_false_proposal(3003, "0-7", 12345);
    empty_dir();
    rmdir(dir);
    return n_failed != 0;
}
