/* Exact times of functions and loops, as they were measured: own time is a part of the time, that of the longest thread
 * too, and loops take no longer than what is around them. Each number is rounded to nanoseconds. */
#include "checks.h"

/* What is inside an element, added up, and the number of elements. */
typedef struct {
    gint64 time_ns, longest_ns, own_ns, n;
} Inside;

static void complain(const HieraCheck *check, const HieraTimed *timed, const char *rule)
{
    const char *path = check->trace->processors[timed->processor].path;
    g_autofree char *subject = g_strdup_printf("timed %s %s", rule, path);
    hiera_check_stand(check, 0, timed->processor);
    hiera_findings_add(check->findings, HIERA_FINDING_NESTING, path, 0, subject, "exact times of %s (line %u): %s",
                       timed->kind == HIERA_TIMED_FUNCTION ? timed->operation : "a loop", timed->line, rule);
}

static void check_one(const HieraCheck *check, const HieraTimed *timed, const Inside *within)
{
    gint64 inside_ns = timed->inner > 0 ? within->longest_ns : within->time_ns;
    if (timed->own_ns > timed->time_ns)
        complain(check, timed, "its own time is longer than its time");
    if (timed->thread_ns > timed->time_ns)
        complain(check, timed, "a thread took longer than all");
    if (timed->watched_ns > 0 && timed->thread_ns > hiera_plus(timed->watched_ns, 1))
        complain(check, timed, "a thread took longer than the function was timed");
    if (inside_ns > hiera_plus(timed->time_ns, within->n))
        complain(check, timed, "the loops inside took longer");
    if (within->own_ns > hiera_plus(timed->own_ns, within->n))
        complain(check, timed, "the own times of the loops inside are longer than its own");
}

/* Check the elements of one processor, the inner ones first. */
static void check_processor(const HieraCheck *check, const HieraTimed *timed, guint n)
{
    g_autoptr(GArray) below = g_array_new(FALSE, TRUE, sizeof(Inside)); /* by depth: since the last shallower element */
    for (guint i = n; i-- > 0;) {
        guint32 depth = timed[i].depth;
        if (below->len < depth + 2)
            g_array_set_size(below, depth + 2);
        Inside *sums = (Inside *)(void *)below->data;
        if (timed[i].kind == HIERA_TIMED_FUNCTION || timed[i].kind == HIERA_TIMED_LOOP)
            check_one(check, &timed[i], &sums[depth + 1]);
        sums[depth].time_ns = hiera_plus(sums[depth].time_ns, timed[i].time_ns);
        sums[depth].longest_ns = MAX(sums[depth].longest_ns, timed[i].time_ns);
        sums[depth].own_ns = hiera_plus(sums[depth].own_ns, timed[i].own_ns);
        sums[depth].n++;
        sums[depth + 1] = (Inside){0};
    }
}

void hiera_check_timed(const HieraCheck *check)
{
    const GArray *timed = check->trace->timed;
    const HieraTimed *all = (const HieraTimed *)(const void *)timed->data;
    for (guint first = 0, end; first < timed->len; first = end) {
        end = first + 1;
        while (end < timed->len && all[end].processor == all[first].processor)
            end++;
        if (hiera_scope_is_own(check->scope, all[first].processor))
            check_processor(check, all + first, end - first);
    }
}
