/* See shared_load.h. Process 0 shares the files out by their sizes. The others answer with their catalog, and with what
 * they have found in each file. */
#include "shared_load.h"
#include "base/findings.h"
#include "base/parse_numbers.h"
#include "packed_reading.h"
#include "parallel/parallel.h"
#include "trace/pack_process.h"

enum { FILE_BYTES = 4096 }; /* cost of opening a file, as that of reading so many bytes */

/* --- which process reads which files --- */

/* Return pointers to the jobs, sorted by `compare`; to be freed with g_free. */
static HieraFileJob **sort_jobs(HieraFileJob *jobs, guint n, int (*compare)(const void *a, const void *b))
{
    HieraFileJob **sorted = g_new(HieraFileJob *, (gsize)n + 1);
    for (guint i = 0; i < n; i++)
        sorted[i] = &jobs[i];
    qsort(sorted, n, sizeof *sorted, compare);
    return sorted;
}

static int compare_jobs(const void *a, const void *b)
{
    const HieraFileJob *left = *(const HieraFileJob *const *)a, *right = *(const HieraFileJob *const *)b;
    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

static guint find_least(const guint64 *bytes, guint n)
{
    guint least = 0;
    for (guint i = 1; i < n; i++)
        least = bytes[i] < bytes[least] ? i : least;
    return least;
}

static guint64 cost_of(const HieraFileJob *job)
{
    return (guint64)job->bytes + FILE_BYTES;
}

/* Assign files, the largest first, each to the process with the least work. @param owner  becomes, by index of the job,
 * its process */
static void share_by_size(HieraFileJob *jobs, guint n, guint *owner)
{
    guint size = hiera_parallel_size();
    g_autofree guint64 *bytes = g_new0(guint64, size);
    g_autofree HieraFileJob **sorted = sort_jobs(jobs, n, compare_jobs);
    for (guint i = 0; i < n; i++) {
        guint least = find_least(bytes, size);
        owner[sorted[i]->order] = least;
        bytes[least] += cost_of(sorted[i]);
    }
}

static int compare_ranks(const void *a, const void *b)
{
    const HieraFileJob *left = *(const HieraFileJob *const *)a, *right = *(const HieraFileJob *const *)b;
    int order = hiera_names_compare(left->path, right->path);
    return order != 0 ? order : (left->order > right->order) - (left->order < right->order);
}

/* Return the process for the middle of a block. @param besides  other work of process 0, which comes first
 * @param sum  of all work, including `besides` */
static guint find_process(guint64 middle, guint64 besides, guint64 sum)
{
    guint size = hiera_parallel_size();
    if (besides >= sum / size) /* work other than traces is enough for process 0 */
        return 1 + (guint)((unsigned __int128)(middle - besides) * (size - 1) / (sum - besides));
    return (guint)((unsigned __int128)middle * size / sum);
}

/* Assign a block of consecutive ranks to each process, ordered by the numbers in file names: neighbours communicate
 * most with each other, and a shell sorts trace10.xml before trace2.xml. */
static void share_in_blocks(HieraFileJob *jobs, guint n, guint percent_besides, guint *owner)
{
    guint64 sum = 0;
    g_autofree HieraFileJob **sorted = sort_jobs(jobs, n, compare_ranks);
    for (guint i = 0; i < n; i++)
        sum += cost_of(&jobs[i]);
    guint64 besides = sum / 100 * percent_besides, before = besides;
    for (guint i = 0; i < n; before += cost_of(sorted[i]), i++)
        owner[sorted[i]->order] = find_process(before + cost_of(sorted[i]) / 2, besides, sum + besides);
}

/* Decide which process reads each file. @return number of the process by index of the job; to be freed with g_free */
static guint *share_out(const HieraFileJobs *all, HieraFileJob *jobs, guint n)
{
    guint *owner = g_new(guint, (gsize)n + 1);
    if (all->options->in_blocks)
        share_in_blocks(jobs, n, all->options->besides, owner);
    else
        share_by_size(jobs, n, owner);
    return owner;
}

static void broadcast_shares(const HieraFileJob *jobs, const guint *owner, guint n)
{
    HieraPacker *packer = hiera_packer_new();
    hiera_pack_number(packer, n);
    for (guint i = 0; i < n; i++) {
        hiera_pack_number(packer, owner[i]);
        hiera_pack_text(packer, jobs[i].path);
    }
    hiera_packer_broadcast(packer);
}

/* Receive the jobs of this process from process 0. @return HieraFileJob; to be freed with g_array_unref */
static GArray *receive_share(HieraCatalog *catalog)
{
    HieraUnpacker *unpacker = hiera_unpacker_of_broadcast(catalog);
    GArray *jobs = g_array_new(FALSE, FALSE, sizeof(HieraFileJob));
    guint n = (guint)hiera_unpack_number(unpacker);
    for (guint i = 0; i < n; i++) {
        gboolean is_own = hiera_unpack_number(unpacker) == hiera_parallel_rank();
        const char *path = hiera_unpack_text(unpacker);
        HieraFileJob job = {.path = path};
        if (is_own)
            job = hiera_file_job_new(path, i);
        if (is_own)
            g_array_append_val(jobs, job);
    }
    hiera_unpacker_free(unpacker);
    return jobs;
}

/* Run the jobs whose `owner` is this process; without `owner` all. */
static void run_own(HieraFileJobs *all, HieraFileJob *jobs, const guint *owner, guint n)
{
    guint n_own = 0;
    g_autofree HieraFileJob **own = g_new(HieraFileJob *, (gsize)n + 1);
    for (guint i = 0; i < n; i++) {
        if (!owner || owner[i] == hiera_parallel_rank())
            own[n_own++] = &jobs[i];
    }
    hiera_file_jobs_run(all, own, n_own);
}

/* --- results from all processes to process 0 --- */

static void send_all(HieraCatalog *catalog, GArray *jobs, const HieraPackingSinks *packing)
{
    HieraPacker *packer = hiera_packer_to(0);
    hiera_catalog_pack(catalog, packer);
    hiera_pack_number(packer, jobs->len);
    for (guint i = 0; i < jobs->len; i++) {
        HieraFileJob *job = &g_array_index(jobs, HieraFileJob, i);
        hiera_pack_number(packer, job->order);
        hiera_findings_pack(job->findings, packer);
        hiera_reading_pack(job->reading, packing, packer);
        hiera_reading_free(job->reading);
        hiera_findings_free(job->findings);
    }
    hiera_packer_end(packer);
}

static void receive_job(HieraFileJobs *all, HieraFileJob *jobs, HieraUnpacker *from)
{
    HieraFileJob *job = &jobs[hiera_unpack_number(from)];
    hiera_findings_unpack(job->findings, from);
    job->reading = hiera_reading_unpack(all->sinks, all->n_sinks, all->catalog, job->findings, from);
}

static void receive_all(HieraFileJobs *all, HieraFileJob *jobs, guint process)
{
    HieraUnpacker *unpacker = hiera_unpacker_from(process, all->catalog);
    hiera_catalog_unpack(unpacker);
    for (gint64 n = hiera_unpack_number(unpacker); n > 0; n--)
        receive_job(all, jobs, unpacker);
    hiera_unpacker_free(unpacker);
}

void hiera_shared_load_lead(HieraFileJobs *all, HieraFileJob *jobs, guint n)
{
    g_autofree guint *owner = share_out(all, jobs, n);
    broadcast_shares(jobs, owner, n);
    run_own(all, jobs, owner, n);
    for (guint i = 1; i < hiera_parallel_size(); i++)
        receive_all(all, jobs, i);
}

void hiera_shared_load_follow(HieraFileJobs *all)
{
    HieraPackingSinks packing;
    g_autoptr(GArray) jobs = receive_share(all->catalog);
    hiera_packing_sinks_init(&packing, all->sinks, all->n_sinks, all->catalog);
    all->sinks = packing.sinks;
    all->n_sinks = packing.n;
    run_own(all, (HieraFileJob *)(void *)jobs->data, NULL, jobs->len);
    send_all(all->catalog, jobs, &packing);
    hiera_packing_sinks_clear(&packing);
}
