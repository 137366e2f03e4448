/* Reads many files in parallel, and checks them together: missing ranks, mixed jobs, two files for one rank. Findings
 * and processors are sorted afterwards, so the result does not depend on threads and processes. */
#include "base/attribute_columns.h"
#include "base/findings.h"
#include "file_jobs.h"
#include "parallel/parallel.h"
#include "reading/elements/before.h"
#include "shared_load.h"

/* Compare two jobs by rank, then by the order of their files. Jobs without a usable rank come last. */
static int compare_jobs(const void *a, const void *b)
{
    const HieraFileJob *left = a, *right = b;
    gboolean left_usable = left->reading && left->reading->usable;
    gboolean right_usable = right->reading && right->reading->usable;
    if (left_usable != right_usable)
        return left_usable ? -1 : 1;
    if (left_usable && left->reading->processor.rank != right->reading->processor.rank)
        return left->reading->processor.rank < right->reading->processor.rank ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

static void end_sinks(const HieraFileJobs *load, const HieraReading *reading, gboolean keep)
{
    for (guint i = 0; i < load->n_sinks; i++)
        load->sinks[i].end(load->sinks[i].user, reading->states[i], &reading->processor, keep);
}

/* A trace is reported as ending early if it ends 0.1 s, and 1/100 of the job's time, before the last trace. */
enum { EARLY_NS = 100000000, EARLY_PART = 100 };

static void check_job(const HieraProcessor *first, const HieraProcessor *processor, HieraFindings *findings)
{
    if (*first->job && *processor->job && first->job != processor->job)
        hiera_findings_add(findings, HIERA_FINDING_MIXED_JOBS, processor->path, 0, "",
                           "belongs to job %s, but %s to job %s; measure one job at a time", processor->job,
                           first->path, first->job);
}

/* Set a processor's index and its first row in the trace of all ranks. `last` is the processor before it, or NULL. */
static void number_rows(HieraProcessor *processor, const HieraProcessor *last)
{
    processor->number = last ? last->number + 1 : 0;
    processor->first = last ? last->first + last->n_operations : 0;
}

/* Return the processors of the usable files, one per rank, sorted by rank; call `end` of the sinks for all files. */
static GArray *collect(HieraFileJobs *load, HieraFileJob *jobs, guint n, HieraFindings *findings)
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
        number_rows(&reading->processor, last);
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

/* Whether any process of the job has ended; whether any still runs. */
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
                               "operations since the last write of its buffer are missing (--recover may find them)",
                               processor->rank, (double)early / 1e9,
                               end.ended ? "it was killed" : "it was killed or still runs");
    }
}

/* Report attributes that expressions ask for and that no trace has. */
static void check_attributes(const GArray *processors, const char *name, HieraFindings *findings)
{
    guint32 found = 0;
    for (guint i = 0; i < processors->len; i++)
        found |= g_array_index(processors, HieraProcessor, i).attributes;
    for (guint i = 0; processors->len > 0 && i < hiera_attribute_columns_count(); i++) {
        const HieraAttributeColumn *column = hiera_attribute_columns_peek(i);
        if (!(found >> i & 1) && !column->wished)
            hiera_findings_add(findings, HIERA_FINDING_NOT_RECORDED, name ? name : "", 0, column->name,
                               "'%s' is recorded nowhere in these traces, so what is asked about it is not known",
                               column->name);
    }
}

static void read_all(HieraFileJobs *load, HieraFileJob *jobs, guint n)
{
    g_autofree HieraFileJob **all = g_new(HieraFileJob *, (gsize)n + 1);
    if (hiera_parallel_size() > 1) {
        hiera_shared_load_lead(load, jobs, n);
        return;
    }
    for (guint i = 0; i < n; i++)
        all[i] = &jobs[i];
    hiera_file_jobs_run(load, all, n);
}

/* Read all files, in a single process or in process 0. @return the processors, sorted by rank */
static GArray *lead(HieraFileJobs *load, const GPtrArray *paths, HieraFindings *findings)
{
    g_autofree HieraFileJob *jobs = g_new0(HieraFileJob, (gsize)paths->len + 1);
    for (guint i = 0; i < paths->len; i++)
        jobs[i] = hiera_file_job_new(g_ptr_array_index(paths, i), i);
    read_all(load, jobs, paths->len);
    for (guint i = 0; i < paths->len; i++) {
        hiera_findings_merge(findings, jobs[i].findings);
        hiera_findings_free(jobs[i].findings);
    }
    hiera_catalog_shorten_files(load->catalog);
    qsort(jobs, paths->len, sizeof *jobs, compare_jobs);
    GArray *processors = collect(load, jobs, paths->len, findings);
    check_together(processors, load->options->name, findings);
    check_ends(processors, findings);
    check_attributes(processors, load->options->name, findings);
    hiera_before_report(processors, load->options->name, findings);
    for (guint i = 0; i < paths->len; i++)
        hiera_reading_free(jobs[i].reading);
    return processors;
}

GArray *hiera_load(const GPtrArray *paths, const HieraLoadOptions *options, const HieraSink *sinks, guint n_sinks,
                   HieraCatalog *catalog, HieraFindings *findings)
{
    static const HieraLoadOptions defaults = {0};
    HieraFileJobs load;
    GArray *processors = NULL;
    hiera_attribute_columns_close();
    hiera_file_jobs_init(&load, options ? options : &defaults, sinks, n_sinks, catalog);
    if (hiera_parallel_leads())
        processors = lead(&load, paths, findings);
    else
        hiera_shared_load_follow(&load);
    hiera_file_jobs_clear(&load);
    return processors ? processors : g_array_new(FALSE, TRUE, sizeof(HieraProcessor));
}
