/* See teams.h. Threads of OpenMP and the region in which they are meet by the region's place and times: the trace has
 * no number that they share. */
#include "teams.h"
#include <string.h>

#define MOST_STEPS 256 /* regions of other places that may have begun since */

typedef enum { OTHER, PARALLEL, IMPLICIT, TASK, WAIT } Part;

typedef struct {
    gint64 start_ns, finish_ns;
    const HieraSite *site;
} Region;

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope;
    gint64 *waiting;
    Part *parts;     /* by id of a site */
    GArray *regions; /* Region of the processor, by start */
} Teams;

static Part find_part(const HieraSite *site)
{
    static const struct {
        const char *name;
        Part part;
    } names[] = {{"parallel", PARALLEL}, {"teams", PARALLEL}, {"implicit task", IMPLICIT}, {"task", TASK},
                 {"barrier", WAIT},      {"taskwait", WAIT},  {"taskgroup", WAIT}};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(site->operation, names[i].name) == 0)
            return names[i].part;
    }
    return g_str_has_prefix(site->operation, "acquire ") ? WAIT : OTHER;
}

/* Return the parts of OpenMP by id of a site; NULL: the trace has none. */
static Part *find_parts(const HieraTrace *trace)
{
    guint n = hiera_catalog_count_sites(trace->catalog);
    g_autofree Part *parts = g_new0(Part, n + 1);
    gboolean any = FALSE;
    for (guint i = 0; i < n; i++) {
        const HieraSite *site = hiera_catalog_peek_site(trace->catalog, i);
        if (strcmp(site->level, "openmp") == 0)
            parts[i] = find_part(site);
        any |= parts[i] != OTHER;
    }
    return any ? g_steal_pointer(&parts) : NULL;
}

static Part part_of(const Teams *teams, guint32 row)
{
    return row == HIERA_NONE ? OTHER : teams->parts[teams->trace->site[row]];
}

/* Set what is left of an operation around: of a region, what is behind the last operation in it; of a wait, what is
 * in none of the operations in it. */
static void leave_out(const Teams *teams, guint32 row)
{
    const HieraTrace *trace = teams->trace;
    guint32 around = trace->parent[row];
    Part part = part_of(teams, around);
    if (part == WAIT)
        teams->waiting[around] = MAX(
            0, teams->waiting[around] - hiera_scope_clip(teams->scope, trace->start_ns[row], trace->finish_ns[row]));
    else if (part == PARALLEL)
        teams->waiting[around] = hiera_scope_clip(teams->scope, trace->finish_ns[row], trace->finish_ns[around]);
}

static void add_row(const Teams *teams, guint32 row)
{
    const HieraTrace *trace = teams->trace;
    Part part = part_of(teams, row);
    leave_out(teams, row);
    if (part == WAIT)
        teams->waiting[row] = hiera_scope_clip(teams->scope, trace->start_ns[row], trace->finish_ns[row]);
    if (part == PARALLEL) {
        const Region region = {trace->start_ns[row], trace->finish_ns[row], hiera_trace_peek_site(trace, row)};
        g_array_append_val(teams->regions, region);
    }
}

static gint compare_regions(gconstpointer a, gconstpointer b)
{
    const Region *x = a, *y = b;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* Return the region to which an implicit task of another thread belongs: the last one of its place that has begun by
 * then, if it has not ended. NULL: there is none. */
static const Region *find_region(const Teams *teams, guint32 row)
{
    const HieraTrace *trace = teams->trace;
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    guint low = 0, high = teams->regions->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(teams->regions, Region, middle).start_ns <= trace->start_ns[row])
            low = middle + 1;
        else
            high = middle;
    }
    for (guint steps = 0; low > 0 && steps < MOST_STEPS; low--, steps++) {
        const Region *region = &g_array_index(teams->regions, Region, low - 1);
        if (region->site->line == site->line && strcmp(region->site->file, site->file) == 0)
            return region->finish_ns > trace->finish_ns[row] ? region : NULL;
    }
    return NULL;
}

/* Find the waiting of a further thread behind an implicit task. The thread may run tasks there. */
static void add_behind(const Teams *teams, guint32 row, guint32 end)
{
    const HieraTrace *trace = teams->trace;
    const Region *region = find_region(teams, row);
    guint32 last = row;
    for (guint32 next = row + 1;
         region && next < end && trace->thread[next] == trace->thread[row] && trace->start_ns[next] < region->finish_ns;
         next++) {
        if (trace->depth[next] == 0 && part_of(teams, next) == IMPLICIT)
            break;
        if (trace->depth[next] == 0)
            last = next;
    }
    if (region)
        teams->waiting[last] = hiera_scope_clip(teams->scope, trace->finish_ns[last], region->finish_ns);
}

static void add_processor(Teams *teams, const HieraProcessor *of)
{
    guint32 first = (guint32)of->first, end = first + of->n_operations;
    g_array_set_size(teams->regions, 0);
    for (guint32 row = first; row < end; row++)
        add_row(teams, row);
    g_array_sort(teams->regions, compare_regions);
    for (guint32 row = first; row < end; row++) {
        if (part_of(teams, row) == IMPLICIT && teams->trace->thread[row] && teams->trace->depth[row] == 0)
            add_behind(teams, row, end);
    }
}

void hiera_teams_add_waits(const HieraTrace *trace, const HieraScope *scope, gint64 *waiting)
{
    g_autofree Part *parts = find_parts(trace);
    if (!parts)
        return;
    Teams teams = {trace, scope, waiting, parts, g_array_new(FALSE, FALSE, sizeof(Region))};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (hiera_scope_is_own(scope, i))
            add_processor(&teams, &trace->processors[i]);
    }
    g_array_unref(teams.regions);
}
