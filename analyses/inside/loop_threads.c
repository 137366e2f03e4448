/* A row for each thread, and function or loop that it executed; see loop_threads.h. */
#include "loop_threads.h"
#include "loop_tree.h"
#include "timed_threads.h"

typedef struct {
    const HieraTimed *timed; /* by index: elements of the rank */
    guint n;
    GPtrArray *shares; /* by index: of hiera_timed_threads_of() */
    GPtrArray *paths;  /* by index: text of the table; NULL: it stands for no function or loop */
    gint64 rank, run_ns;
    HieraTable *table;
} Rows;

static gint64 time_of(const Rows *rows, guint index, guint32 thread)
{
    const HieraShare wanted = {thread, 0};
    guint at;
    GArray *shares = g_ptr_array_index(rows->shares, index);
    return g_array_binary_search(shares, &wanted, hiera_timed_threads_compare, &at)
               ? g_array_index(shares, HieraShare, at).time_ns
               : -1;
}

static void add_thread(const Rows *rows, guint32 thread)
{
    gint64 function_ns = 0, window_ns = 0;
    for (guint i = 0; i < rows->n; i++) {
        const HieraTimed *of = &rows->timed[i];
        gint64 time_ns = time_of(rows, i, thread);
        if (of->depth == 0) {
            function_ns = time_ns;
            window_ns = of->watched_ns > 0 ? of->watched_ns : rows->run_ns;
        }
        if (time_ns < 0)
            continue;
        hiera_table_add(rows->table,
                        (HieraCell[]){{.number = rows->rank},
                                      {.number = thread},
                                      {.text = g_ptr_array_index(rows->paths, i)},
                                      {.number = time_ns},
                                      {.number = hiera_percent(time_ns, of->depth == 0 ? window_ns : function_ns)},
                                      {.number = hiera_ratio(time_ns, hiera_mean(of->time_ns, of->threads))}});
    }
}

/* Return the threads of all elements (HieraShare), each once. */
static GArray *find_threads(const Rows *rows)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(HieraShare));
    guint n = 0;
    for (guint i = 0; i < rows->n; i++) {
        const GArray *shares = g_ptr_array_index(rows->shares, i);
        g_array_append_vals(all, shares->data, shares->len);
    }
    g_array_sort(all, hiera_timed_threads_compare);
    for (guint i = 0; i < all->len; i++)
        if (i == 0 || hiera_timed_threads_compare(&g_array_index(all, HieraShare, i),
                                                  &g_array_index(all, HieraShare, n - 1)) != 0)
            g_array_index(all, HieraShare, n++) = g_array_index(all, HieraShare, i);
    g_array_set_size(all, n);
    return all;
}

/* Find the paths of all elements: those of a tree that has this rank alone, one node for each, in their order. */
static void find_paths(const Rows *rows)
{
    HieraLoopTree tree;
    guint32 node = 0;
    hiera_loop_tree_init(&tree);
    hiera_loop_tree_add(&tree, rows->timed, rows->n, rows->rank, rows->run_ns);
    for (guint i = 0; i < rows->n; i++) {
        g_autoptr(GString) path = g_string_new(NULL);
        for (guint32 up = rows->timed[i].kind == HIERA_TIMED_ALL ? 0 : ++node; up != 0;
             up = hiera_loop_tree_peek(&tree, up)->parent) {
            g_string_prepend(path, path->len > 0 ? "\x1f" : "");
            g_string_prepend(path, hiera_loop_tree_peek(&tree, up)->step);
        }
        g_ptr_array_add(rows->paths, (gpointer)hiera_table_keep(rows->table, path->str));
    }
    hiera_loop_tree_clear(&tree);
}

gint64 hiera_loop_threads_add_rows(HieraTable *table, const HieraTimed *timed, guint n, gint64 rank, gint64 run_ns)
{
    g_autoptr(GPtrArray) shares = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    g_autoptr(GPtrArray) paths = g_ptr_array_new();
    const Rows rows = {timed, n, shares, paths, rank, run_ns, table};
    gint64 unknown = 0;
    for (guint i = 0; i < n; i++) {
        GArray *of = hiera_timed_threads_of(&timed[i]);
        g_ptr_array_add(shares, of);
        unknown += (gint64)of->len < timed[i].threads;
    }
    find_paths(&rows);
    g_autoptr(GArray) threads = find_threads(&rows);
    for (guint i = 0; i < threads->len; i++)
        add_thread(&rows, g_array_index(threads, HieraShare, i).processor);
    return unknown;
}
