/* The causes of waits: one row for each call path that causes waits and each place where other ranks wait for it, the
 * most expensive first, with the causing ranks. For computation, samples give the loop that these ranks spend it in. */
#include "cause_rows.h"
#include "inside/hot_loops.h"
#include "measures.h"
#include "shared_causes.h"
#include "threads/rank_threads.h"

static const HieraColumn columns[] = {
    {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},    {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},      {"path", HIERA_CELL_CALLERS, HIERA_ROLE_DETAIL},
    {"processors", HIERA_CELL_TEXT, HIERA_ROLE_KEY},   {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"direct", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"indirect", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM},     {"class", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"at", HIERA_CELL_TEXT, HIERA_ROLE_KEY},           {"delayed", HIERA_CELL_TEXT, HIERA_ROLE_TELLING},
    {"unsure", HIERA_CELL_SECONDS, HIERA_ROLE_DOUBT},  {"hot", HIERA_CELL_SENTENCE, HIERA_ROLE_TELLING},
};

enum { LEAST = 50 }; /* least share of the run, in 0.01 %, of a cause whose hot loop is looked up */

static const char *find_loop(const HieraHotLoops *loops, const HieraCallPaths *paths, const HieraCauseRow *row,
                             gint64 run_ns, HieraTable *table)
{
    gint64 share = hiera_percent(hiera_plus(row->direct_ns, row->indirect_ns), run_ns);
    if (!loops || row->node == HIERA_NONE || share < LEAST)
        return "";
    g_autoptr(GArray) processors = hiera_cause_processors(row->causing);
    g_autofree char *sentence = hiera_hot_loops_tell(loops, paths->tree, paths->trace->catalog, row->node, processors);
    return sentence ? hiera_table_keep(table, sentence) : "";
}

static void add_row(const HieraCallPaths *paths, const HieraHotLoops *loops, const HieraCauseRow *row, gint64 run_ns,
                    HieraTable *table)
{
    const HieraSite *site = row->node == HIERA_NONE ? NULL : hiera_call_paths_site(paths, row->node);
    hiera_table_add(table, (HieraCell[]){
                               {.text = hiera_cause_name(paths, row->node, table)},
                               {.text = site ? site->short_file : ""},
                               {.number = site ? site->line : 0},
                               {.text = row->node == HIERA_NONE ? "" : hiera_call_paths_text(paths, row->node, table)},
                               {.text = hiera_cause_ranks(row->causing, paths->trace, table)},
                               {.number = hiera_plus(row->direct_ns, row->indirect_ns)},
                               {.number = row->direct_ns},
                               {.number = row->indirect_ns},
                               {.number = hiera_percent(hiera_plus(row->direct_ns, row->indirect_ns), run_ns)},
                               {.text = hiera_wait_name((HieraWaitClass)row->class)},
                               {.text = hiera_cause_place(paths, row->at, table)},
                               {.text = hiera_cause_ranks(row->delayed, paths->trace, table)},
                               {.number = row->unsure_ns},
                               {.text = find_loop(loops, paths, row, run_ns, table)},
                           });
}

/* Add a row for each cause. @param delays  HieraDelay; are sorted here */
static void add_rows(const HieraCallPaths *paths, const HieraHotLoops *loops, GArray *delays, const HieraScope *scope,
                     HieraTable *table)
{
    g_autoptr(GArray) rows = hiera_cause_rows_make(delays);
    gint64 run_ns = hiera_run_sum(paths->trace, scope);
    for (guint i = 0; i < rows->len; i++)
        add_row(paths, loops, &g_array_index(rows, HieraCauseRow, i), run_ns, table);
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    HieraCallPaths paths;
    g_autoptr(GArray) waits = hiera_waits_find(match);
    g_autoptr(HieraDelays) delays = hiera_delays_find_together(match, &paths, waits, scope);
    g_autoptr(HieraHotLoops) loops = hiera_hot_loops_gather(trace, scope);
    if (hiera_scope_leads(scope))
        add_rows(&paths, loops, delays->list, scope, table);
    hiera_call_paths_clear(&paths);
    hiera_other_threads_limit(match, scope, table);
    return TRUE;
}

const HieraMeasure hiera_measure_causes = {
    .name = "causes",
    .nothing = "nobody waits for anybody",
    .help = "what makes others wait, on which ranks, also through chains",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .refusal =
        ". Ranks that come late by turns have the same sums as ranks that are never late. Of profiles, "
        "--measure imbalance says where ranks compute longer than others, and --measure waits, with HIERA_SYNC=1, "
        "how long ranks wait at barriers and N x N collectives",
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_TOGETHER,
    .find = find,
};
