#include "check_in_parts.h"
#include "checks/all/check_parts.h"
#include "identity_check.h"

/* Cut regions to the time of the part: a region may continue from part to part, but the identities are checked within
 * one part. */
static void cut_regions(const HieraTrace *part)
{
    for (guint32 i = 0; i < part->n_processors; i++) {
        const HieraProcessor *of = &part->processors[i];
        for (guint64 row = of->first; row < of->first + of->n_operations; row++) {
            gboolean region = !hiera_trace_peek_site(part, (guint32)row)->mpi;
            if (region && part->finish_ns[row] > of->init_ns)
                part->start_ns[row] = MAX(part->start_ns[row], of->init_ns);
            if (region && part->start_ns[row] < of->finalize_ns)
                part->finish_ns[row] = MIN(part->finish_ns[row], of->finalize_ns);
        }
    }
}

static gboolean do_identities_hold(const HieraMatch *match)
{
    const HieraScope all = HIERA_SCOPE_ALL;
    cut_regions(hiera_match_peek_trace(match));
    return identity_check_holds(match, &all);
}

/* Data that the checks of all parts of the run share. */
typedef struct {
    HieraParts *parts;
    HieraCheckParts *checks;
    HieraFindings *findings;
    gboolean tables;
} Checking;

static gboolean check_part(const Checking *of, const HieraTrace *part, CheckedRun *checked)
{
    g_autofree guint32 *around = g_new(guint32, (gsize)part->n_processors + 1);
    for (guint32 i = 0; i < part->n_processors; i++)
        around[i] = hiera_parts_count_around(of->parts, i);
    g_autoptr(HieraMatch) match = hiera_match_build(part);
    const GArray *processors = hiera_parts_peek_processors(of->parts); /* NULL before the last part */
    if (!hiera_check_parts_add(of->checks, match, around, processors != NULL, of->findings) ||
        !do_identities_hold(match))
        return FALSE;
    if (!processors)
        return TRUE;
    checked->processors = g_array_ref((GArray *)processors);
    checked->tables = of->tables ? hiera_check_parts_make_tables(of->checks, part, of->findings) : NULL;
    return TRUE;
}

gboolean check_in_parts(const GPtrArray *paths, HieraPartsOptions how, HieraCatalog *catalog, HieraFindings *findings,
                        gboolean tables, CheckedRun *checked)
{
    how.keep = HIERA_KEEP_LINES | HIERA_KEEP_WILDCARDS;
    how.validate = TRUE;
    g_autoptr(HieraParts) parts = hiera_parts_open(paths, &how, catalog, findings);
    g_autoptr(HieraCheckParts) checks = hiera_check_parts_new();
    const Checking of = {parts, checks, findings, tables};
    *checked = (CheckedRun){NULL, NULL};
    for (HieraTrace *part; !checked->processors && (part = hiera_parts_next(parts));) {
        if (!check_part(&of, part, checked))
            hiera_parts_give_up(parts);
        hiera_trace_free(part);
    }
    return checked->processors != NULL;
}
