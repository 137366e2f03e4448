/* Measure `loops`: exact times of functions and their loops (HIERA_LOOPS). */
#include "loop_threads.h"
#include "loop_tree.h"
#include "measures.h"
#include "values/shares.h"

#define COLUMNS                                                                                                        \
    {"path", HIERA_CELL_PATH, HIERA_ROLE_KEY}, {"executions", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},                     \
        {"iterations", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL}, {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},           \
        {"own", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"share", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},              \
        {"state", HIERA_CELL_TEXT, HIERA_ROLE_ANSWER}, {"min", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},                 \
        {"max", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"uncertainty", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},        \
        {"own-uncertainty", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"timed", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},  \
        {"threads", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},                                                            \
        {"thread-imbalance", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},                                                   \
        {"rank-imbalance", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL}, {"slowest", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},    \
        {"slowest-thread", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL}, {"open", HIERA_CELL_INTEGER, HIERA_ROLE_DOUBT},        \
        {"reason", HIERA_CELL_SENTENCE, HIERA_ROLE_DOUBT},
static const HieraColumn columns[] = {COLUMNS};
static const HieraColumn thread_columns[] = {
    {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, {"thread", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"path", HIERA_CELL_PATH, HIERA_ROLE_KEY},         {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},  {"factor", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},
};
static const HieraColumn rank_columns[] = {{"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, COLUMNS};

/* Exact times of one rank, until the rows are made. */
typedef struct {
    gint64 rank, run_ns;
    GArray *timed; /* HieraTimed */
} Part;

typedef struct {
    gboolean by_rank, by_thread,
        is_narrow; /* is_narrow: TRUE if exact times cannot follow limits of the scope (level, times) */
    gint64 threshold;
    GArray *parts; /* Part of each rank */
} All;

static void clear_part(gpointer data)
{
    g_array_unref(((Part *)data)->timed);
}

static gpointer open_all(const HieraScope *scope)
{
    All *all = g_new0(All, 1);
    gint64 thresholds[HIERA_N_THRESHOLDS] = {0};
    hiera_thresholds_parse(scope->options.thresholds, thresholds);
    all->threshold = thresholds[HIERA_HYPOTHESIS_LOOPS];
    all->is_narrow =
        scope->level || scope->depth >= 0 || scope->from_ns != G_MININT64 || scope->to_ns != G_MAXINT64 || scope->where;
    all->parts = g_array_new(FALSE, FALSE, sizeof(Part));
    g_array_set_clear_func(all->parts, clear_part);
    return all;
}

static gpointer open_by_rank(const HieraScope *scope)
{
    All *all = open_all(scope);
    all->by_rank = TRUE;
    return all;
}

static gpointer open_by_thread(const HieraScope *scope)
{
    All *all = open_all(scope);
    all->by_thread = TRUE;
    return all;
}

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    (void)scope, (void)processor;
    return g_array_new(FALSE, FALSE, sizeof(HieraTimed));
}

static void operation(gpointer state, const HieraOperation *operation)
{
    (void)state, (void)operation;
}

static void summed(gpointer state, const HieraSummed *summed)
{
    (void)state, (void)summed;
}

static void timed(gpointer state, const HieraTimed *timed)
{
    g_array_append_val((GArray *)state, *timed);
}

static void merge(gpointer data, gpointer state, const HieraProcessor *processor, gboolean keep)
{
    const All *all = data;
    const Part part = {processor->rank, hiera_minus(processor->finalize_ns, processor->init_ns), state};
    if (keep)
        g_array_append_val(all->parts, part);
    else
        g_array_unref(part.timed);
}

static void pack(gpointer state, const HieraProcessor *processor, HieraPacker *to)
{
    const GArray *of = state;
    (void)processor;
    hiera_pack_number(to, of->len);
    for (guint i = 0; i < of->len; i++)
        hiera_pack_timed(to, &g_array_index(of, HieraTimed, i));
}

static gpointer unpack(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    GArray *of = begin(scope, processor);
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        const HieraTimed one = hiera_unpack_timed(from);
        g_array_append_val(of, one);
    }
    return of;
}

/* --- rows of the table --- */

typedef struct {
    const HieraLoopTree *tree;
    HieraTable *table;
    gint64 threshold, rank; /* `rank`: rank of the rows; -1: the table has no such column */
} Rows;

static const char *reason_of(const Rows *rows, const HieraLoopNode *node)
{
    gint64 percent = hiera_percent(node->iterations_doubt, node->iterations) / 100 + 1;
    if (!node->was_timed && !*node->reason)
        return "it lies deeper than was asked for";
    if (!node->is_estimated)
        return node->reason;
    g_autofree char *text = g_strdup_printf("what it counts is estimated by the executions that were timed, iterations "
                                            "to within %" G_GINT64_FORMAT " %%",
                                            percent);
    return hiera_table_keep(rows->table, text);
}

static void add_row(const Rows *rows, const char *path, guint32 number)
{
    const HieraLoopNode *node = hiera_loop_tree_peek(rows->tree, number);
    g_autofree char *slowest = node->slowest < 0 ? g_strdup("") : g_strdup_printf("%" G_GINT64_FORMAT, node->slowest);
    g_autofree char *thread = hiera_loop_tree_name_thread(node);
    const char *verdict = hiera_test_verdict_name(hiera_loop_tree_judge(rows->tree, number, rows->threshold));
    gint64 doubt = hiera_loop_tree_uncertainty(rows->tree, number) / 100;
    g_autofree char *state =
        doubt > 0 ? g_strdup_printf("%s, \302\261%" G_GINT64_FORMAT " %%", verdict, doubt) : g_strdup(verdict);
    const HieraCell cells[] = {{.number = rows->rank},
                               {.text = hiera_table_keep(rows->table, path)},
                               {.number = node->count},
                               {.number = node->iterations},
                               {.number = node->time_ns},
                               {.number = node->own_ns},
                               {.number = hiera_loop_tree_share(rows->tree, number)},
                               {.text = hiera_table_keep(rows->table, state)},
                               {.number = node->count > 0 ? node->min_ns : HIERA_UNKNOWN},
                               {.number = node->count > 0 || node->max_ns > 0 ? node->max_ns : HIERA_UNKNOWN},
                               {.number = node->uncertainty_ns},
                               {.number = node->own_uncertainty_ns},
                               {.number = node->timed},
                               {.number = node->threads},
                               {.number = hiera_loop_tree_thread_imbalance(node)},
                               {.number = hiera_loop_tree_rank_imbalance(node)},
                               {.text = hiera_table_keep(rows->table, slowest)},
                               {.text = hiera_table_keep(rows->table, thread)},
                               {.number = node->open},
                               {.text = reason_of(rows, node)}};
    G_STATIC_ASSERT(G_N_ELEMENTS(cells) == G_N_ELEMENTS(rank_columns));
    hiera_table_add(rows->table, rows->rank < 0 ? cells + 1 : cells);
}

static void add_children(const Rows *rows, GString *path, guint32 parent)
{
    for (guint32 i = hiera_loop_tree_peek(rows->tree, parent)->first; i != 0;
         i = hiera_loop_tree_peek(rows->tree, i)->next) {
        gsize length = path->len;
        if (length > 0)
            g_string_append_c(path, HIERA_PATH_SEPARATOR);
        g_string_append(path, hiera_loop_tree_peek(rows->tree, i)->step);
        add_row(rows, path->str, i);
        add_children(rows, path, i);
        g_string_truncate(path, length);
    }
}

/* Add the rows of the parts from `first` on, merged. @return number of events that the collector could not keep */
static gint64 add_parts(const All *all, guint first, guint n, HieraTable *table)
{
    HieraLoopTree tree;
    hiera_loop_tree_init(&tree);
    for (guint i = first; i < first + n; i++) {
        const Part *part = &g_array_index(all->parts, Part, i);
        hiera_loop_tree_add(&tree, (const HieraTimed *)(const void *)part->timed->data, part->timed->len, part->rank,
                            part->run_ns);
    }
    const Rows rows = {&tree, table, all->threshold, all->by_rank ? g_array_index(all->parts, Part, first).rank : -1};
    g_autoptr(GString) path = g_string_new(NULL);
    add_children(&rows, path, 0);
    gint64 missed = tree.missed;
    hiera_loop_tree_clear(&tree);
    return missed;
}

/* Add the rows of each thread of each rank. @return as add_parts() */
static gint64 add_threads(const All *all, HieraTable *table)
{
    gint64 missed = 0, unknown = 0;
    for (guint i = 0; i < all->parts->len; i++) {
        const Part *part = &g_array_index(all->parts, Part, i);
        const HieraTimed *timed = (const HieraTimed *)(const void *)part->timed->data;
        unknown += hiera_loop_threads_add_rows(table, timed, part->timed->len, part->rank, part->run_ns);
        for (guint k = 0; k < part->timed->len; k++)
            missed = hiera_plus(missed, timed[k].kind == HIERA_TIMED_ALL ? timed[k].count : 0);
    }
    g_autofree char *sentence = g_strdup_printf(
        "loops: of %" G_GINT64_FORMAT
        " functions and loops not all threads are known (more than 64, a process that was killed, older traces)",
        unknown);
    hiera_table_limit_too(table, HIERA_FINDING_THREADS, unknown > 0 ? sentence : NULL);
    return missed;
}

static void tell(const All *all, HieraTable *table)
{
    gint64 missed = 0;
    if (all->by_thread)
        missed = add_threads(all, table);
    else if (!all->by_rank)
        missed = add_parts(all, 0, all->parts->len, table);
    for (guint i = 0; all->by_rank && i < all->parts->len; i++)
        missed = hiera_plus(missed, add_parts(all, i, 1, table));
    if (all->is_narrow)
        hiera_table_limit(table, HIERA_FINDING_SUMS,
                          "loops: exact times are those of the whole run, of the ranks that were asked for");
    if (missed > 0) {
        g_autofree char *sentence = g_strdup_printf(
            "loops: %" G_GINT64_FORMAT " events did not fit (recursion that is too deep, signals, stacks of "
            "coroutines, too many threads): executions are missing, and times may be wrong",
            missed);
        hiera_table_limit(table, HIERA_FINDING_LOST, sentence);
    }
}

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    All *all = data;
    (void)catalog;
    if (table)
        tell(all, table);
    g_array_unref(all->parts);
    g_free(all);
}

#define OF(columns_, opens)                                                                                            \
    {                                                                                                                  \
        .name = "loops", .help = "exact times of functions and their loops (HIERA_LOOPS)",                             \
        .nothing = "no function was timed: record the run with HIERA_LOOPS=FUNCTION,…", .columns = columns_,           \
        .n_columns = G_N_ELEMENTS(columns_), .by = "job,rank,thread", .forms = forms,                                  \
        .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_THRESHOLDS, .job = &(const HieraJobOps)                         \
        {                                                                                                              \
            .read = {.begin = begin,                                                                                   \
                     .operation = operation,                                                                           \
                     .summed = summed,                                                                                 \
                     .records = {.timed = timed},                                                                      \
                     .pack = pack,                                                                                     \
                     .unpack = unpack},                                                                                \
            .open = opens, .merge = merge, .close = close_all                                                          \
        }                                                                                                              \
    }

static const HieraMeasure by_rank, by_thread;
static const HieraMeasure *const forms[] = {&hiera_measure_loops, &by_rank, &by_thread};
const HieraMeasure hiera_measure_loops = OF(columns, open_all);
static const HieraMeasure by_rank = OF(rank_columns, open_by_rank);
static const HieraMeasure by_thread = OF(thread_columns, open_by_thread);
