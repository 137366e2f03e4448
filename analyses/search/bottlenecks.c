/* Automatic search for bottlenecks: which kind of time is lost, where, on which ranks, and when. */
#include "bottleneck_search.h"
#include "calls/packed_nodes.h"
#include "inside/loop_tree.h"
#include "loop_bottlenecks.h"
#include "measures.h"
#include "values/unrecorded.h"

static const HieraColumn columns[] = {
    {"hypothesis", HIERA_CELL_TEXT, HIERA_ROLE_KEY},      {"where", HIERA_CELL_PATH, HIERA_ROLE_KEY},
    {"from", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},      {"to", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},         {"value", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},
    {"threshold", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL}, {"verdict", HIERA_CELL_TEXT, HIERA_ROLE_ANSWER},
    {"missing", HIERA_CELL_TEXT, HIERA_ROLE_DOUBT},
};

typedef struct {
    const HieraEvidences *evidences;
    const gint64 *thresholds;
    HieraTable *table;
} Rows;

static void add_row(const HieraTestedHypothesis *tested, gpointer data)
{
    const Rows *rows = data;
    gboolean unknown = tested->verdict == HIERA_TEST_UNKNOWN, untested = tested->verdict == HIERA_TEST_UNTESTED;
    const char *why = tested->hypothesis == HIERA_HYPOTHESIS_LOOPS ? "executions" : rows->evidences->why;
    hiera_table_add(rows->table, (HieraCell[]){{.text = hiera_hypothesis_name(tested->hypothesis)},
                                               {.text = tested->where},
                                               {.number = tested->from_ns},
                                               {.number = tested->to_ns},
                                               {.number = untested ? HIERA_UNKNOWN : tested->time_ns},
                                               {.number = untested ? HIERA_UNKNOWN : tested->value},
                                               {.number = rows->thresholds[tested->hypothesis]},
                                               {.text = hiera_test_verdict_name(tested->verdict)},
                                               {.text = unknown ? why : ""}});
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    gint64 thresholds[HIERA_N_THRESHOLDS];
    HieraCallPaths paths;
    HieraEvidences evidences;
    if (!hiera_thresholds_parse(scope->options.thresholds, thresholds)) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "'%s' is not a list of thresholds",
                    scope->options.thresholds);
        return FALSE;
    }
    hiera_call_paths_init_together(&paths, hiera_match_peek_trace(match), scope);
    hiera_evidences_init(&evidences, match, &paths, scope, table);
    g_autoptr(GArray) timed = hiera_loop_tree_gather(hiera_match_peek_trace(match), scope);
    if (hiera_scope_leads(scope)) {
        Rows rows = {&evidences, thresholds, table};
        hiera_bottlenecks_search(match, &paths, scope, &evidences, thresholds, table, add_row, &rows);
        hiera_loop_bottlenecks_search(hiera_match_peek_trace(match), timed, scope, thresholds[HIERA_HYPOTHESIS_LOOPS],
                                      table, add_row, &rows);
    }
    hiera_main_threads_limit(
        hiera_match_peek_trace(match), scope,
        "bottlenecks: only main threads count, or the thread for which they wait; but for the hypothesis threads",
        HIERA_ONLY_MAIN_THREADS("bottlenecks"), table);
    hiera_unrecorded_limit(hiera_match_peek_trace(match), scope, table);
    hiera_evidences_clear(&evidences);
    hiera_call_paths_clear(&paths);
    return TRUE;
}

const HieraMeasure hiera_measure_bottlenecks = {
    .name = "bottlenecks",
    .help = "what slows the run down: hypotheses, where and when",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_THRESHOLDS | HIERA_MEASURE_ORDERED | HIERA_MEASURE_TOGETHER,
    .find = find,
};
