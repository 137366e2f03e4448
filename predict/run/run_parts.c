#include "run_parts.h"
#include "hiera_parts.h"

struct RunParts {
    HieraCatalog *catalog;
    HieraFindings *findings;
    GPtrArray *paths;
    HieraParts *parts;
    Sizes *sizes;
    RecordedTimes times;
};

RunParts *run_parts_open(const char *const *arguments, guint64 rows, Sizes *sizes)
{
    const HieraPartsOptions options = {.rows = rows, .together = TRUE};
    RunParts *parts = g_new0(RunParts, 1);
    parts->sizes = sizes;
    parts->catalog = hiera_catalog_new();
    parts->findings = hiera_findings_new();
    parts->paths = hiera_trace_paths_expand(arguments, parts->findings);
    parts->parts = hiera_parts_open(parts->paths, &options, parts->catalog, parts->findings);
    return parts;
}

void run_parts_close(RunParts *parts)
{
    hiera_parts_close(parts->parts);
    recorded_times_clear(&parts->times);
    g_ptr_array_unref(parts->paths);
    hiera_findings_free(parts->findings);
    hiera_catalog_free(parts->catalog);
    g_free(parts);
}

/* Whether all calls of a part have their partners in this part. */
static gboolean is_closed(const RecordedRun *run)
{
    for (guint32 row = 0; row < run->trace->n_operations; row++) {
        HieraReason reason = hiera_match_reason(run->match, row);
        if (run->is_call[row] && reason != HIERA_REASON_NOT_COMMUNICATING && reason != HIERA_REASON_MATCHED &&
            reason != HIERA_REASON_PROC_NULL)
            return FALSE;
    }
    return TRUE;
}

RecordedRun *run_parts_next(RunParts *parts)
{
    HieraTrace *trace = hiera_parts_next(parts->parts);
    if (!trace)
        return NULL;
    RecordedRun *part = g_new0(RecordedRun, 1);
    part->trace = trace;
    if (recorded_run_complete(part, NULL) && is_closed(part)) {
        Sizes *sizes = sizes_fork(parts->sizes);
        sizes_decide(sizes, part->trace, part->match, part->is_call);
        part->sizes = sizes;
        recorded_times_add(&parts->times, part);
        return part;
    }
    run_parts_free_part(part);
    run_parts_give_up(parts);
    return NULL;
}

void run_parts_give_up(RunParts *parts)
{
    hiera_parts_give_up(parts->parts);
}

void run_parts_free_part(RecordedRun *part)
{
    if (!part)
        return;
    sizes_free((Sizes *)part->sizes);
    recorded_run_clear(part);
    g_free(part);
}

gboolean run_parts_are_complete(const RunParts *parts)
{
    return hiera_parts_peek_processors(parts->parts) != NULL;
}

const RecordedTimes *run_parts_peek_times(const RunParts *parts)
{
    return &parts->times;
}

HieraFindings *run_parts_peek_findings(const RunParts *parts)
{
    return parts->findings;
}
