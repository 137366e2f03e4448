#include "file_jobs.h"
#include "base/findings.h"
#include "parallel/parallel.h"
#include "xml/trace_size.h"

#define PROGRESS_INTERVAL_US (100 * 1000)

void hiera_file_jobs_init(HieraFileJobs *all, const HieraLoadOptions *options, const HieraSink *sinks, guint n_sinks,
                          HieraCatalog *catalog)
{
    *all = (HieraFileJobs){.options = options, .sinks = sinks, .n_sinks = n_sinks, .catalog = catalog};
    g_mutex_init(&all->lock);
    g_cond_init(&all->done);
}

void hiera_file_jobs_clear(HieraFileJobs *all)
{
    g_cond_clear(&all->done);
    g_mutex_clear(&all->lock);
}

HieraFileJob hiera_file_job_new(const char *path, guint order)
{
    return (HieraFileJob){path, order, MAX(hiera_trace_size(path, NULL), 0), NULL, hiera_findings_new()};
}

static void read_job(HieraFileJob *job, HieraFileJobs *all)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HieraInputFile) source = hiera_input_file_open(job->path, &all->bytes_read, &error);
    if (!source) {
        hiera_findings_add(job->findings, HIERA_FINDING_FILE, job->path, 0, NULL, "%s", error->message);
        return;
    }
    HieraValidator *validator = all->options->validate ? hiera_validator_new(job->path, job->findings, FALSE) : NULL;
    job->reading = hiera_read(source, all->sinks, all->n_sinks, all->catalog, job->findings, validator);
    hiera_validator_free(validator);
}

static void run_job(gpointer data, gpointer user)
{
    HieraFileJobs *all = user;
    read_job(data, all);
    if (all->options->file_read)
        all->options->file_read(all->options->file_user);
    g_mutex_lock(&all->lock);
    all->n_done++;
    g_cond_signal(&all->done);
    g_mutex_unlock(&all->lock);
}

static guint64 sum_bytes(HieraFileJob *const *jobs, guint n)
{
    guint64 sum = 0;
    for (guint i = 0; i < n; i++)
        sum += (guint64)jobs[i]->bytes;
    return sum;
}

static int compare_bytes(const void *a, const void *b)
{
    const HieraFileJob *left = *(const HieraFileJob *const *)a, *right = *(const HieraFileJob *const *)b;
    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

static void wait_for_jobs(HieraFileJobs *all, guint n, guint64 bytes)
{
    g_mutex_lock(&all->lock);
    while (all->n_done < n) {
        if (!all->options->progress) {
            g_cond_wait(&all->done, &all->lock);
            continue;
        }
        g_cond_wait_until(&all->done, &all->lock, g_get_monotonic_time() + PROGRESS_INTERVAL_US);
        gsize done = GPOINTER_TO_SIZE(g_atomic_pointer_get(&all->bytes_read));
        all->options->progress(MIN(done, bytes), bytes, all->options->progress_user);
    }
    g_mutex_unlock(&all->lock);
}

static void run_in_threads(HieraFileJobs *all, HieraFileJob **jobs, guint n, guint threads, guint64 bytes)
{
    GThreadPool *pool = g_thread_pool_new(run_job, all, (gint)threads, FALSE, NULL);
    gboolean enough = TRUE;
    for (guint i = 0; i < n; i++)
        enough &= g_thread_pool_push(pool, jobs[i], NULL);
    if (!enough && all->options->too_few)
        all->options->too_few(all->options->file_user);
    wait_for_jobs(all, n, bytes);
    g_thread_pool_free(pool, FALSE, TRUE);
}

/* Run the jobs in threads; in the caller's own if one is enough and the caller need not report progress meanwhile. */
void hiera_file_jobs_run(HieraFileJobs *all, HieraFileJob **jobs, guint n)
{
    const HieraLoadOptions *options = all->options;
    guint threads = MIN(options->threads ? options->threads : hiera_parallel_threads(), MAX(n, 1));
    qsort(jobs, n, sizeof *jobs, compare_bytes);
    if (threads > 1 || options->progress)
        run_in_threads(all, jobs, n, threads, options->progress ? sum_bytes(jobs, n) : 0);
    else
        for (guint i = 0; i < n; i++)
            run_job(jobs[i], all);
}
