#include "job_containers.h"

#include "base/life.h"
#include "clock_sync.h"
#include "document/session_state.h"
#include "document/trace_document.h"
#include "folder/claim.h"
#include "mpi/call/own_calls.h"
#include "split.h"
#include "store/container.h"
#include "text/hash.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

static struct {
    MPI_Comm mates; /* ranks with traces in the same container file; MPI_COMM_NULL: none, or only this rank */
    int first;      /* the container's first rank, in MPI_COMM_WORLD; -1: this process has no container */
    int size;
    HieraFileList list;
} container = {.mates = MPI_COMM_NULL, .first = -1};

/* Return a key of what this rank can write into. Ranks with the same key can share a container file: they run under one
 * kernel, and see one folder. */
static uint64_t key_of_place(void)
{
    struct stat status;
    uint64_t key = hiera_clock_sync_alone(0).clock;
    if (stat(hiera_session.dir, &status) == 0)
        key = hiera_hash_more(hiera_hash_more(key, status.st_dev), status.st_ino);
    return key;
}

static int rank_in_world(MPI_Comm comm, int rank)
{
    MPI_Group part, world;
    int there = MPI_UNDEFINED;
    hiera_own.Comm_group(comm, &part);
    hiera_own.Comm_group(MPI_COMM_WORLD, &world);
    hiera_own.Group_translate_ranks(part, 1, &rank, world, &there);
    hiera_own.Group_free(&part);
    hiera_own.Group_free(&world);
    return there;
}

/* Find the ranks that share a container with this rank: each host's ranks are divided into groups of `each`. */
static void find_mates(MPI_Comm members, const HieraJob *job, int64_t each)
{
    int rank = 0;
    MPI_Comm host = hiera_split_by_key(members, !hiera_life.closed, key_of_place(), job->rank);
    if (host == MPI_COMM_NULL)
        return;
    hiera_own.Comm_rank(host, &rank);
    container.mates = hiera_split(host, (int)(rank / each), rank);
    hiera_own.Comm_free(&host);
    if (container.mates == MPI_COMM_NULL)
        return;
    hiera_own.Comm_size(container.mates, &container.size);
    container.first = rank_in_world(container.mates, 0);
}

static int compare_ints(const void *a, const void *b)
{
    int one = *(const int *)a, two = *(const int *)b;
    return (one > two) - (one < two);
}

/* Sort the numbers, and remove duplicates and negative ones; returns how many remain. */
static int keep_distinct(int *numbers, int n)
{
    int kept = 0;
    qsort(numbers, (size_t)n, sizeof *numbers, compare_ints);
    for (int i = 0; i < n; i++)
        if (numbers[i] >= 0 && (kept == 0 || numbers[i] != numbers[kept - 1]))
            numbers[kept++] = numbers[i];
    return kept;
}

/* Collect on the first member the first rank of each container, which is in the container's name. */
static void list_all(MPI_Comm members)
{
    int rank = 0, n = 0, *all = NULL;
    hiera_own.Comm_rank(members, &rank);
    hiera_own.Comm_size(members, &n);
    if (rank == 0)
        all = malloc((size_t)n * sizeof *all);
    hiera_own.Gather(&container.first, 1, MPI_INT, all, 1, MPI_INT, 0, members);
    if (all)
        container.list = (HieraFileList){all, keep_distinct(all, n), true};
}

void hiera_containers_form(MPI_Comm members, const HieraJob *job, int64_t each)
{
    if (members != MPI_COMM_NULL) {
        find_mates(members, job, each);
        list_all(members);
    } else if (!hiera_life.closed) {
        container.first = job->rank;
        container.size = 1;
        container.list = (HieraFileList){&container.first, 1, true};
    }
}

int hiera_containers_first(void)
{
    return container.first;
}

HieraFileList hiera_containers_list(void)
{
    return container.list;
}

static int make(const HieraJob *job)
{
    char path[PATH_MAX];
    int error = ENAMETOOLONG, fd = -1;
    if (hiera_trace_container_path(path, sizeof path, job->rank))
        fd = hiera_claim_make_trace(path, &error);
    if (fd < 0)
        return hiera_container_refuse(error);
    return hiera_container_make(path, fd, (uint32_t)container.size, (unsigned long long)job->id);
}

static void open_made(int error)
{
    char path[PATH_MAX];
    if (error == 0 && !hiera_trace_container_path(path, sizeof path, container.first))
        error = ENAMETOOLONG;
    if (error != 0)
        hiera_container_refuse(error);
    else
        hiera_container_join(path);
}

void hiera_containers_make(const HieraJob *job)
{
    if (container.first < 0)
        return;
    int error = container.first == job->rank ? make(job) : 0;
    if (container.mates != MPI_COMM_NULL) {
        hiera_own.Bcast(&error, 1, MPI_INT, 0, container.mates);
        hiera_own.Comm_free(&container.mates);
    }
    if (container.first != job->rank)
        open_made(error);
}
