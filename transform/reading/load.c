/* Reads many files in parallel, and checks them together: missing ranks, mixed jobs, two files for one rank.
 *
 * Each file is read by one thread of a pool. Large files come first, so that no thread has to read a large file alone
 * at the end. Findings and processors are sorted afterwards, so the result does not depend on the threads. */
#include "base/findings.h"
#include "base/threads.h"
#include "reader.h"
#include "trace/catalog.h"
#include <string.h>
#include <sys/stat.h>

#define PROGRESS_INTERVAL_US (100 * 1000)

typedef struct {
    const HieraLoadOptions *options;
    const HieraSink *sinks;
    guint n_sinks;
    HieraCatalog *catalog;
    GMutex lock;
    GCond done;
    guint n_done;
    gsize bytes_read;
} Load;

typedef struct {
    const char *path;
    guint order;           /* index among the files given */
    goffset bytes;         /* of the file; 0 if it is not a regular file */
    HieraReading *reading; /* NULL if the file could not be opened */
    HieraFindings *findings;
} Job;

static void read_job(Job *job, Load *load)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HieraInputFile) source = hiera_input_file_open(job->path, &load->bytes_read, &error);
    if (!source) {
        hiera_findings_add(job->findings, HIERA_FINDING_FILE, job->path, 0, NULL, "%s", error->message);
        return;
    }
    HieraValidator *validator = load->options->validate ? hiera_validator_new(job->path, job->findings, FALSE) : NULL;
    job->reading = hiera_read(source, load->sinks, load->n_sinks, load->catalog, job->findings, validator);
    hiera_validator_free(validator);
}

static void run_job(gpointer data, gpointer user)
{
    Load *load = user;
    read_job(data, load);
    g_mutex_lock(&load->lock);
    load->n_done++;
    g_cond_signal(&load->done);
    g_mutex_unlock(&load->lock);
}

static goffset count_bytes(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? status.st_size : 0;
}

static guint64 sum_bytes(const Job *jobs, guint n)
{
    guint64 sum = 0;
    for (guint i = 0; i < n; i++)
        sum += (guint64)jobs[i].bytes;
    return sum;
}

static int compare_bytes(const void *a, const void *b)
{
    const Job *left = *(const Job *const *)a, *right = *(const Job *const *)b;
    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

static void wait_for_jobs(Load *load, guint n_jobs, guint64 bytes)
{
    g_mutex_lock(&load->lock);
    while (load->n_done < n_jobs) {
        if (!load->options->progress) {
            g_cond_wait(&load->done, &load->lock);
            continue;
        }
        g_cond_wait_until(&load->done, &load->lock, g_get_monotonic_time() + PROGRESS_INTERVAL_US);
        gsize done = GPOINTER_TO_SIZE(g_atomic_pointer_get(&load->bytes_read));
        load->options->progress(MIN(done, bytes), bytes, load->options->progress_user);
    }
    g_mutex_unlock(&load->lock);
}

static void run_in_threads(Load *load, Job **by_size, guint n, guint threads, guint64 bytes)
{
    GThreadPool *pool = g_thread_pool_new(run_job, load, (gint)threads, FALSE, NULL);
    for (guint i = 0; i < n; i++)
        g_thread_pool_push(pool, by_size[i], NULL);
    wait_for_jobs(load, n, bytes);
    g_thread_pool_free(pool, FALSE, TRUE);
}

/* Run all jobs. If one thread is enough it is the caller's, unless the caller has to report progress meanwhile. */
static void run_jobs(Load *load, Job *jobs, const GPtrArray *paths)
{
    const HieraLoadOptions *options = load->options;
    guint threads = MIN(options->threads ? options->threads : hiera_threads_count(), MAX(paths->len, 1));
    g_autofree Job **by_size = g_new(Job *, paths->len + 1);
    for (guint i = 0; i < paths->len; i++) {
        const char *path = g_ptr_array_index(paths, i);
        jobs[i] = (Job){path, i, count_bytes(path), NULL, hiera_findings_new()};
        by_size[i] = &jobs[i];
    }
    qsort(by_size, paths->len, sizeof *by_size, compare_bytes);
    if (threads > 1 || options->progress)
        run_in_threads(load, by_size, paths->len, threads, options->progress ? sum_bytes(jobs, paths->len) : 0);
    else
        for (guint i = 0; i < paths->len; i++)
            run_job(by_size[i], load);
}

/* Compare two jobs by rank. Jobs without a usable rank come last; equal ranks keep the order of the files. */
static int compare_jobs(const void *a, const void *b)
{
    const Job *left = a, *right = b;
    gboolean left_usable = left->reading && left->reading->usable;
    gboolean right_usable = right->reading && right->reading->usable;
    if (left_usable != right_usable)
        return left_usable ? -1 : 1;
    if (left_usable && left->reading->processor.rank != right->reading->processor.rank)
        return left->reading->processor.rank < right->reading->processor.rank ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

static void end_sinks(const Load *load, const HieraReading *reading, gboolean keep)
{
    for (guint i = 0; i < load->n_sinks; i++)
        load->sinks[i].end(load->sinks[i].user, reading->states[i], &reading->processor, keep);
}

/* A trace ends early if it ends this long before the last one: 0.1 s, and 1/100 of the time of the job. */
enum { EARLY_NS = 100000000, EARLY_PART = 100 };

static void check_job(const HieraProcessor *first, const HieraProcessor *processor, HieraFindings *findings)
{
    if (*first->job && *processor->job && first->job != processor->job)
        hiera_findings_add(findings, HIERA_FINDING_MIXED_JOBS, processor->path, 0, "",
                           "belongs to job %s, but %s to job %s; measure one job at a time", processor->job,
                           first->path, first->job);
}

/* Return the processors of the usable readings, one for each rank, by rank; end their sinks. */
static GArray *collect(Load *load, Job *jobs, guint n, HieraFindings *findings)
{
    GArray *processors = g_array_new(FALSE, TRUE, sizeof(HieraProcessor));
    for (guint i = 0; i < n; i++) {
        HieraReading *reading = jobs[i].reading;
        if (!reading || !reading->usable)
            continue;
        HieraProcessor *last = processors->len ? &g_array_index(processors, HieraProcessor, processors->len - 1) : NULL;
        gboolean again = last && last->rank == reading->processor.rank;
        if (again)
            hiera_findings_add(findings, HIERA_FINDING_RANK, reading->processor.path, 0, NULL,
                               "is a second trace of rank P%u, after %s; it is ignored; give only one", last->rank,
                               last->path);
        end_sinks(load, reading, !again);
        if (!again)
            g_array_append_val(processors, reading->processor);
    }
    return processors;
}

static gint64 job_size(const GArray *processors)
{
    gint64 size = 0;
    for (guint i = 0; i < processors->len; i++)
        size = MAX(size, g_array_index(processors, HieraProcessor, i).size);
    return size;
}

static void check_together(const GArray *processors, const char *name, HieraFindings *findings)
{
    gint64 size = job_size(processors);
    g_autofree gint64 *ranks = g_new(gint64, processors->len + 1);
    for (guint i = 0; i < processors->len; i++) {
        const HieraProcessor *processor = &g_array_index(processors, HieraProcessor, i);
        ranks[i] = processor->rank;
        check_job(&g_array_index(processors, HieraProcessor, 0), processor, findings);
    }
    g_autofree char *missing = hiera_ranks_format_gaps(ranks, processors->len, size);
    if (*missing)
        hiera_findings_add(findings, HIERA_FINDING_MISSING_RANK, name ? name : "", 0, NULL,
                           "the job has %" G_GINT64_FORMAT " ranks; traces are missing for: %s", size, missing);
}

/* Whether a process of the job has ended, and whether one is still running. */
typedef struct {
    gboolean ended, runs;
} JobEnd;

static JobEnd find_end(const GArray *processors)
{
    JobEnd end = {FALSE, FALSE};
    for (guint i = 0; i < processors->len; i++) {
        const HieraProcessor *processor = &g_array_index(processors, HieraProcessor, i);
        end.ended |= !processor->cut || processor->ended;
        end.runs |= processor->alive;
    }
    return end;
}

/* Report traces without an end that stop long before the others: their processes were killed, and operations in their
 * buffers are lost. If no process of the job has ended, the process may still be running on another host. */
static void check_ends(const GArray *processors, HieraFindings *findings)
{
    gint64 last = 0;
    JobEnd end = find_end(processors);
    for (guint i = 0; i < processors->len; i++)
        last = MAX(last, g_array_index(processors, HieraProcessor, i).finalize_ns);
    for (guint i = 0; i < processors->len && !end.runs; i++) {
        const HieraProcessor *processor = &g_array_index(processors, HieraProcessor, i);
        gint64 early = last - processor->finalize_ns;
        if (processor->cut && !processor->ended && early >= EARLY_NS && early >= last / EARLY_PART)
            hiera_findings_add(findings, HIERA_FINDING_CUT, processor->path, 0, "",
                               "rank P%u stops %.3f s before the last rank, and its trace has no end: %s, and "
                               "operations since the last write of its buffer are %s",
                               processor->rank, (double)early / 1e9,
                               end.ended ? "it was killed" : "it was killed or still runs",
                               end.ended ? "lost" : "missing");
    }
}

/* Set the first row of each processor in the joined trace. */
static void number_rows(GArray *processors)
{
    guint32 first = 0;
    for (guint i = 0; i < processors->len; i++) {
        HieraProcessor *processor = &g_array_index(processors, HieraProcessor, i);
        processor->first = first;
        first += processor->n_operations;
    }
}

GArray *hiera_load(const GPtrArray *paths, const HieraLoadOptions *options, const HieraSink *sinks, guint n_sinks,
                   HieraCatalog *catalog, HieraFindings *findings)
{
    static const HieraLoadOptions defaults = {0};
    Load load = {.options = options ? options : &defaults, .sinks = sinks, .n_sinks = n_sinks, .catalog = catalog};
    g_mutex_init(&load.lock);
    g_cond_init(&load.done);
    g_autofree Job *jobs = g_new0(Job, paths->len + 1);
    run_jobs(&load, jobs, paths);
    for (guint i = 0; i < paths->len; i++) {
        hiera_findings_merge(findings, jobs[i].findings);
        hiera_findings_free(jobs[i].findings);
    }
    hiera_catalog_shorten_files(catalog);
    qsort(jobs, paths->len, sizeof *jobs, compare_jobs);
    GArray *processors = collect(&load, jobs, paths->len, findings);
    check_together(processors, load.options->name, findings);
    check_ends(processors, findings);
    number_rows(processors);
    for (guint i = 0; i < paths->len; i++)
        hiera_reading_free(jobs[i].reading);
    g_cond_clear(&load.done);
    g_mutex_clear(&load.lock);
    return processors;
}
