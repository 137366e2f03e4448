/* See probed_trace.h. Each call site is compared only once with the conditions of the script's clauses. */
#include "probed_trace.h"
#include "export/export_labels.h"

const char *hiera_probed_trace_name(const HieraProbedTrace *probed, const HieraSite *site)
{
    char **name = (char **)&g_ptr_array_index(probed->names, site->id);
    if (!*name)
        *name = hiera_export_name(site);
    return *name;
}

static GArray *find_clauses(HieraProbedTrace *probed, const HieraSite *site)
{
    GArray *clauses = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < hiera_probe_script_count(probed->script); i++) {
        HieraProbeKind kind = hiera_probe_clause_kind(probed->script, i);
        gboolean about =
            site->mpi ? kind == HIERA_PROBE_CALL || kind == HIERA_PROBE_MESSAGE : kind == HIERA_PROBE_REGION;
        if (about && hiera_probe_clause_fits(probed->script, i, hiera_probed_trace_name(probed, site)))
            g_array_append_val(clauses, i);
    }
    return clauses;
}

const GArray *hiera_probed_trace_clauses(HieraProbedTrace *probed, const HieraSite *site)
{
    GArray **clauses = (GArray **)&g_ptr_array_index(probed->clauses, site->id);
    if (!*clauses)
        *clauses = find_clauses(probed, site);
    return *clauses;
}

gboolean hiera_probed_trace_waits(const HieraProbedTrace *probed, const HieraSite *site)
{
    enum { UNKNOWN, NO, YES };
    if (!probed->waits || !site->mpi)
        return FALSE;
    guint8 *waits = &probed->waits[site->id];
    if (*waits == UNKNOWN)
        *waits = hiera_probe_call_waits(hiera_probed_trace_name(probed, site)) ? YES : NO;
    return *waits == YES;
}

static gboolean asks_for_waits(const HieraProbeScript *script)
{
    gboolean asks = FALSE;
    for (guint i = 0; i < hiera_probe_script_count(script); i++)
        asks = asks || hiera_probe_clause_has_event(script, i, HIERA_EVENT_REGION_SUSPEND) ||
               hiera_probe_clause_has_event(script, i, HIERA_EVENT_REGION_RESUME);
    return asks;
}

static void free_clauses(gpointer clauses)
{
    if (clauses)
        g_array_unref(clauses);
}

void hiera_probed_trace_init(HieraProbedTrace *probed, const HieraMatch *match, const HieraScope *scope,
                             const HieraProbeScript *script)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    guint n = hiera_catalog_count_sites(trace->catalog);
    *probed = (HieraProbedTrace){.match = match, .trace = trace, .scope = scope, .script = script};
    hiera_transfers_init(&probed->transfers, match, scope);
    probed->names = g_ptr_array_new_full(n, g_free);
    probed->clauses = g_ptr_array_new_full(n, free_clauses);
    probed->waits = asks_for_waits(script) ? g_new0(guint8, n) : NULL;
    g_ptr_array_set_size(probed->names, (gint)n);
    g_ptr_array_set_size(probed->clauses, (gint)n);
}

void hiera_probed_trace_clear(HieraProbedTrace *probed)
{
    hiera_transfers_clear(&probed->transfers);
    g_ptr_array_unref(probed->names);
    g_free(probed->waits);
    g_ptr_array_unref(probed->clauses);
}
