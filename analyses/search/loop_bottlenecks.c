#include "loop_bottlenecks.h"
#include "inside/loop_tree.h"

typedef struct {
    HieraLoopTree tree;
    gint64 threshold, from_ns, to_ns;
    HieraTable *table;
    HieraTestedVisit visit;
    gpointer user;
} Search;

static void tell(const Search *search, const char *where, gint64 time_ns, gint64 share, HieraTestVerdict verdict)
{
    const HieraTestedHypothesis tested = {.hypothesis = HIERA_HYPOTHESIS_LOOPS,
                                          .where = hiera_table_keep(search->table, where),
                                          .from_ns = search->from_ns,
                                          .to_ns = search->to_ns,
                                          .time_ns = time_ns,
                                          .value = share,
                                          .verdict = verdict};
    search->visit(&tested, search->user);
}

/* Append a step to a path, after HIERA_PATH_SEPARATOR. */
static void extend(GString *path, const char *step)
{
    if (path->len > 0)
        g_string_append_c(path, HIERA_PATH_SEPARATOR);
    g_string_append(path, step);
}

/* Report a row with the number of loops for which the hypothesis is false, and with the greatest share of them. */
static void tell_others(const Search *search, GString *path, guint n, gint64 time_ns, gint64 share)
{
    gsize length = path->len;
    g_autofree char *step = g_strdup_printf("%u other %s", n, n == 1 ? "loop" : "loops");
    extend(path, step);
    tell(search, path->str, time_ns, share, HIERA_TEST_FALSE);
    g_string_truncate(path, length);
}

static void test_loops(const Search *search, GString *path, guint32 parent)
{
    guint n_false = 0;
    gint64 most_ns = 0, most = 0;
    for (guint32 i = hiera_loop_tree_peek(&search->tree, parent)->first; i != 0;
         i = hiera_loop_tree_peek(&search->tree, i)->next) {
        const HieraLoopNode *node = hiera_loop_tree_peek(&search->tree, i);
        gint64 share = hiera_loop_tree_share(&search->tree, i);
        gsize length = path->len;
        if (share < search->threshold) {
            most_ns = MAX(most_ns, node->time_ns);
            most = MAX(most, share);
            n_false++;
            continue;
        }
        extend(path, node->step);
        tell(search, path->str, node->time_ns, share, HIERA_TEST_TRUE);
        test_loops(search, path, i);
        g_string_truncate(path, length);
    }
    if (n_false > 0)
        tell_others(search, path, n_false, most_ns, most);
}

static void find_times(Search *search, const HieraTrace *trace, const HieraScope *scope)
{
    search->from_ns = G_MAXINT64;
    search->to_ns = 0;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        if (!hiera_scope_accepts_rank(scope, processor->rank))
            continue;
        search->from_ns = MIN(search->from_ns, processor->init_ns);
        search->to_ns = MAX(search->to_ns, processor->finalize_ns);
    }
}

void hiera_loop_bottlenecks_search(const HieraTrace *trace, const GArray *timed, const HieraScope *scope,
                                   gint64 threshold, HieraTable *table, HieraTestedVisit visit, gpointer user)
{
    Search search = {.threshold = threshold, .table = table, .visit = visit, .user = user};
    g_autoptr(GString) path = g_string_new(NULL);
    hiera_loop_tree_init(&search.tree);
    hiera_loop_tree_add_trace(&search.tree, trace, timed, scope);
    find_times(&search, trace, scope);
    for (guint32 i = hiera_loop_tree_peek(&search.tree, 0)->first; i != 0;
         i = hiera_loop_tree_peek(&search.tree, i)->next) {
        const HieraLoopNode *node = hiera_loop_tree_peek(&search.tree, i);
        HieraTestVerdict verdict = hiera_loop_tree_judge(&search.tree, i, threshold);
        g_string_assign(path, node->step);
        tell(&search, path->str, node->time_ns, hiera_loop_tree_share(&search.tree, i), verdict);
        if (verdict == HIERA_TEST_TRUE)
            test_loops(&search, path, i);
    }
    hiera_loop_tree_clear(&search.tree);
}
