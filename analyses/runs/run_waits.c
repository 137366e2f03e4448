/* Callbacks of HieraRunsOps that keep the waiting of a run; see run_waits.h. */
#include "run_waits.h"
#include "causes/cause_rows.h"
#include "waiting/measured_waits.h"
#include <string.h>

static void add_waits(HieraRunWaits *found, const HieraCallPaths *paths, const GArray *waits, const HieraScope *scope)
{
    found->n_nodes = paths->tree->nodes->len;
    found->by_class = g_malloc0_n(found->n_nodes, sizeof *found->by_class);
    for (guint i = 0; i < waits->len; i++) {
        const HieraWait *wait = &g_array_index(waits, HieraWait, i);
        guint32 processor = hiera_trace_find_processor(paths->trace, wait->row);
        if (!hiera_scope_accepts_rank(scope, paths->trace->processors[processor].rank))
            continue;
        gint64 *sum = &found->by_class[paths->node[wait->row]][wait->class];
        *sum = hiera_plus(*sum, hiera_scope_clip(scope, wait->begin_ns, wait->end_ns));
    }
}

static void add_measured_wait(guint32 node, HieraWaitClass class, const HieraWaited *waited, gpointer user)
{
    HieraRunWaits *found = user;
    if (node >= found->n_nodes) {
        found->by_class = g_realloc_n(found->by_class, node + 1, sizeof *found->by_class);
        memset(found->by_class[found->n_nodes], 0, (node + 1 - found->n_nodes) * sizeof *found->by_class);
        found->n_nodes = node + 1;
    }
    gint64 *sum = &found->by_class[node][class];
    *sum = hiera_plus(*sum, waited->time_ns);
}

static void add_causes(HieraRunWaits *found, const HieraDelays *delays, const HieraTrace *trace)
{
    g_autoptr(GArray) rows = hiera_cause_rows_make(delays->list);
    found->causes = g_array_sized_new(FALSE, FALSE, sizeof(HieraRunCause), rows->len);
    found->texts = hiera_table_new("", NULL, 0);
    for (guint i = 0; i < rows->len; i++) {
        const HieraCauseRow *row = &g_array_index(rows, HieraCauseRow, i);
        HieraRunCause cause = {row->at, row->node, row->direct_ns, row->indirect_ns,
                               hiera_cause_ranks(row->causing, trace, found->texts)};
        g_array_append_val(found->causes, cause);
    }
}

gpointer hiera_run_waits_look(const HieraMatch *match, const HieraScope *scope)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    HieraCallPaths paths;
    gboolean measured = hiera_trace_has_waits(trace);
    hiera_call_paths_init_all_ranks(&paths, trace, scope);
    g_autoptr(GArray) waits = hiera_waits_find(match);
    HieraRunWaits *found = g_new0(HieraRunWaits, 1);
    found->measured = measured;
    add_waits(found, &paths, waits, scope);
    for (guint32 i = 0; measured && i < trace->n_processors; i++)
        hiera_measured_waits_visit(&paths, scope, i, add_measured_wait, found);
    g_autoptr(HieraDelays) delays = hiera_delays_find(match, &paths, waits, scope);
    add_causes(found, delays, trace);
    found->tree = g_steal_pointer(&paths.tree);
    hiera_call_paths_clear(&paths);
    return found;
}

void hiera_run_waits_forget(gpointer data)
{
    HieraRunWaits *found = data;
    if (!found)
        return;
    hiera_call_tree_free(found->tree);
    g_free(found->by_class);
    g_array_unref(found->causes);
    hiera_table_free(found->texts);
    g_free(found);
}
