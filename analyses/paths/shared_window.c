/* See shared_window.h. */
#include "shared_window.h"
#include "dependence_parts.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    HieraSharedWindow *window;
    HieraToldWindow told;
    guint32 *number;       /* by node: of the operation */
    guint32 *edges_of;     /* by processor as told: index of the first one of its edges among those told */
    GArray *join_names;    /* HieraNodeName of joins here, each once */
    guint32 *near;         /* by processor: the node that was found last */
    GHashTable *outside;   /* HieraNodeName → its node */
    GArray *outside_names; /* HieraNodeName, of nodes from first_outside on */
    GArray *asked;         /* HieraNodeName: what another process asks for */
} Build;

/* --- names --- */

static gint compare_names(gconstpointer left, gconstpointer right)
{
    const HieraNodeName *a = left, *b = right;
    if (a->processor != b->processor)
        return a->processor < b->processor ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->join > b->join) - (a->join < b->join);
}

static guint hash_name(gconstpointer key)
{
    const HieraNodeName *name = key;
    return (name->processor * 31 + name->number) * 31 + name->join;
}

static gboolean equal_names(gconstpointer left, gconstpointer right)
{
    return compare_names(left, right) == 0;
}

/* Return the place of a number among those of a processor: mostly it is a little behind the last one. */
static guint32 find_number(const Build *build, guint32 processor, guint32 number)
{
    const HieraDependences *all = &build->window->all;
    guint32 low = all->first_call[processor], high = all->first_call[processor + 1];
    guint32 near = build->near[processor];
    for (guint32 i = 0; i < 8 && near + i < high; i++) {
        if (build->number[near + i] == number)
            return build->near[processor] = near + i;
    }
    while (low < high) {
        guint32 middle = low + (high - low) / 2;
        if (build->number[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    build->near[processor] = low;
    return low < all->first_call[processor + 1] && build->number[low] == number ? low : HIERA_NONE;
}

static guint32 find_join(const Build *build, const HieraNodeName *name)
{
    guint place;
    if (!g_array_binary_search(build->join_names, name, compare_names, &place))
        return HIERA_NONE;
    return build->window->all.n_calls + place;
}

/* Return a node of this window; HIERA_NONE if nobody has told it. */
static guint32 find_inside(const Build *build, const HieraNodeName *name)
{
    return name->join == 0 ? find_number(build, name->processor, name->number) : find_join(build, name);
}

static guint32 add_outside(const Build *build, const HieraNodeName *name)
{
    gpointer known;
    if (g_hash_table_lookup_extended(build->outside, name, NULL, &known))
        return GPOINTER_TO_UINT(known);
    guint32 node = build->window->first_outside + build->outside_names->len;
    g_hash_table_insert(build->outside, g_memdup2(name, sizeof *name), GUINT_TO_POINTER(node));
    g_array_append_vals(build->outside_names, name, 1);
    return node;
}

static guint32 find_node(const Build *build, const HieraNodeName *name)
{
    const HieraSharedWindow *window = build->window;
    gboolean inside = hiera_shared_nodes_window(window->shared, name->time_ns) == window->window;
    guint32 node = inside ? find_inside(build, name) : HIERA_NONE;
    return node != HIERA_NONE ? node : add_outside(build, name);
}

/* --- what all have told --- */

static void free_elements(GArray *array)
{
    g_free(g_array_steal(array, NULL));
}

static void pack_and_free(GArray *array, HieraPacker *to)
{
    hiera_pack_array(to, array);
    free_elements(array);
}

/* What a process tells itself stays where it is. */
static void tell(HieraPacker *to, guint process, gpointer user)
{
    Build *build = user;
    HieraToldWindow told;
    if (process == build->window->window) {
        hiera_shared_nodes_tell(build->window->shared, process, &build->told);
        return;
    }
    hiera_told_window_init(&told);
    hiera_shared_nodes_tell(build->window->shared, process, &told);
    pack_and_free(told.joins, to);
    pack_and_free(told.entries, to);
    pack_and_free(told.processors, to);
    pack_and_free(told.nodes, to);
    pack_and_free(told.edges, to);
    hiera_told_window_clear(&told);
}

static void hear(HieraUnpacker *from, guint process, gpointer user)
{
    const Build *build = user;
    const HieraToldWindow *told = &build->told;
    if (process == build->window->window)
        return;
    hiera_unpack_array(from, told->joins);
    hiera_unpack_array(from, told->entries);
    hiera_unpack_array(from, told->processors);
    hiera_unpack_array(from, told->nodes);
    hiera_unpack_array(from, told->edges);
}

/* --- nodes --- */

/* Give each processor its calls. */
static void number_calls(const Build *build)
{
    const GArray *processors = build->told.processors;
    HieraDependences *all = &build->window->all;
    guint32 n = all->trace->n_processors;
    all->first_call = g_new0(guint32, (gsize)n + 1);
    for (guint i = 0; i < processors->len; i++) {
        const HieraToldProcessor *of = &g_array_index(processors, HieraToldProcessor, i);
        all->first_call[of->processor + 1] = of->n_nodes + 1;
    }
    for (guint32 i = 0; i < n; i++)
        all->first_call[i + 1] += all->first_call[i];
    all->n_calls = all->first_call[n];
}

/* Fill in the nodes of a processor. @return how many edges they have */
static guint32 fill_nodes(const Build *build, const HieraToldProcessor *of, const HieraToldNode *nodes)
{
    const HieraDependences *all = &build->window->all;
    guint32 node = all->first_call[of->processor], n_edges = 0;
    for (guint32 i = 0; i < of->n_nodes; i++, node++) {
        gint64 next_ns = i + 1 < of->n_nodes ? nodes[i + 1].start_ns : of->next_ns;
        build->number[node] = nodes[i].number;
        all->start_ns[node] = nodes[i].start_ns;
        all->finish_ns[node] = hiera_minus(next_ns, nodes[i].gap_ns);
        all->first_edge[node + 1] = nodes[i].n_edges;
        n_edges += nodes[i].n_edges;
    }
    build->number[node] = of->next_number;
    all->start_ns[node] = all->finish_ns[node] = of->next_ns;
    all->first_edge[node + 1] = 0;
    return n_edges;
}

static void fill_all_nodes(Build *build)
{
    HieraDependences *all = &build->window->all;
    const GArray *processors = build->told.processors;
    guint32 at = 0, edge = 0;
    all->start_ns = g_new(gint64, (gsize)all->n_calls + 1);
    all->finish_ns = g_new(gint64, (gsize)all->n_calls + 1);
    all->first_edge = g_new0(guint32, (gsize)all->n_calls + 2);
    build->number = g_new(guint32, (gsize)all->n_calls + 1);
    build->edges_of = g_new(guint32, (gsize)processors->len + 1);
    for (guint i = 0; i < processors->len; i++) {
        const HieraToldProcessor *of = &g_array_index(processors, HieraToldProcessor, i);
        build->edges_of[i] = edge;
        edge += fill_nodes(build, of, &g_array_index(build->told.nodes, HieraToldNode, at));
        at += of->n_nodes;
    }
    for (guint32 node = 0; node < all->n_calls; node++)
        all->first_edge[node + 1] += all->first_edge[node];
}

/* Make joins that several processes have told one. */
static void unite_joins(const Build *build)
{
    for (guint i = 0; i < build->told.joins->len; i++)
        g_array_append_vals(build->join_names, &g_array_index(build->told.joins, HieraNodeName, i), 1);
    g_array_sort(build->join_names, compare_names);
    guint n = 0;
    for (guint i = 0; i < build->join_names->len; i++) {
        HieraNodeName *names = (HieraNodeName *)(void *)build->join_names->data;
        if (n == 0 || compare_names(&names[n - 1], &names[i]) != 0)
            names[n++] = names[i];
    }
    g_array_set_size(build->join_names, n);
    build->window->all.n_joins = n;
    build->window->first_outside = build->window->all.n_calls + n;
}

/* --- edges --- */

static void fill_edges_of_calls(const Build *build)
{
    HieraDependences *all = &build->window->all;
    const GArray *processors = build->told.processors;
    all->from = g_new(guint32, (gsize)build->told.edges->len + build->told.entries->len + 1);
    for (guint i = 0; i < processors->len; i++) {
        guint32 processor = g_array_index(processors, HieraToldProcessor, i).processor, told = build->edges_of[i];
        guint32 behind = all->first_edge[all->first_call[processor + 1]];
        memcpy(build->near, all->first_call, all->trace->n_processors * sizeof *build->near);
        for (guint32 edge = all->first_edge[all->first_call[processor]]; edge < behind; edge++)
            all->from[edge] = find_node(build, &g_array_index(build->told.edges, HieraNodeName, told++));
    }
}

/* The edges of joins come behind those of calls, sorted by join. */
static void fill_edges_of_joins(const Build *build)
{
    HieraDependences *all = &build->window->all;
    const GArray *joins = build->told.joins;
    guint32 at = 0;
    all->first_edge = g_renew(guint32, all->first_edge, (gsize)all->n_calls + all->n_joins + 3);
    guint32 *first = all->first_edge + all->n_calls;
    memset(first + 1, 0, ((gsize)all->n_joins + 2) * sizeof *first);
    for (guint i = 0; i < joins->len; i++) {
        const HieraNodeName *join = &g_array_index(joins, HieraNodeName, i);
        first[find_join(build, join) - all->n_calls + 2] += join->n;
    }
    first[1] = first[0];
    for (guint32 i = 0; i < all->n_joins; i++)
        first[i + 2] += first[i + 1];
    for (guint i = 0; i < joins->len; i++) {
        const HieraNodeName *join = &g_array_index(joins, HieraNodeName, i);
        guint32 *edge = &first[find_join(build, join) - all->n_calls + 1];
        for (guint32 k = 0; k < join->n; k++)
            all->from[(*edge)++] = find_node(build, &g_array_index(build->told.entries, HieraNodeName, at++));
    }
}

/* What lies in other windows counts as joins on which nothing is known. */
static void fill_joins(const Build *build)
{
    HieraDependences *all = &build->window->all;
    guint32 n_inside = all->n_joins, n_edges = all->first_edge[all->n_calls + n_inside];
    const HieraNodeName *names = (const HieraNodeName *)(const void *)build->join_names->data,
                        *outside = (const HieraNodeName *)(const void *)build->outside_names->data;
    all->n_joins += build->outside_names->len;
    all->join_ns = g_new(gint64, (gsize)all->n_joins + 1);
    all->first_edge = g_renew(guint32, all->first_edge, (gsize)all->n_calls + all->n_joins + 3);
    for (guint32 join = 0; join < all->n_joins; join++) {
        all->join_ns[join] = join < n_inside ? names[join].time_ns : outside[join - n_inside].time_ns;
        if (join >= n_inside)
            all->first_edge[all->n_calls + join + 1] = n_edges;
    }
}

/* --- other windows --- */

/* Ask a window for what this one depends on. */
static void ask(HieraPacker *to, guint process, gpointer user)
{
    const Build *build = user;
    const HieraSharedWindow *window = build->window;
    g_autoptr(GArray) asked = g_array_new(FALSE, FALSE, sizeof(HieraNodeName));
    for (guint i = 0; process < window->window && i < build->outside_names->len; i++) {
        const HieraNodeName *name = &g_array_index(build->outside_names, HieraNodeName, i);
        guint32 node = window->first_outside + i;
        if (hiera_shared_nodes_window(window->shared, name->time_ns) != process)
            continue;
        g_array_append_vals(asked, name, 1);
        g_array_append_val(window->common[process], node);
    }
    hiera_pack_array(to, asked);
}

static void hear_asked(HieraUnpacker *from, guint process, gpointer user)
{
    const Build *build = user;
    const HieraSharedWindow *window = build->window;
    g_array_set_size(build->asked, 0);
    hiera_unpack_array(from, build->asked);
    for (guint i = 0; i < build->asked->len; i++) {
        guint32 node = find_inside(build, &g_array_index(build->asked, HieraNodeName, i));
        g_array_append_val(window->common[process], node);
    }
}

static void build_init(Build *build, HieraSharedWindow *window, const HieraSharedNodes *nodes)
{
    *window = (HieraSharedWindow){.shared = nodes,
                                  .window = hiera_scope_process(nodes->scope),
                                  .all = {.trace = nodes->of->trace},
                                  .common = g_new(HieraCommonNodes *, nodes->n_windows)};
    for (guint i = 0; i < nodes->n_windows; i++)
        window->common[i] = g_array_new(FALSE, FALSE, sizeof(guint32));
    *build = (Build){.window = window,
                     .join_names = g_array_new(FALSE, FALSE, sizeof(HieraNodeName)),
                     .near = g_new0(guint32, (gsize)nodes->of->trace->n_processors + 1),
                     .outside = g_hash_table_new_full(hash_name, equal_names, g_free, NULL),
                     .outside_names = g_array_new(FALSE, FALSE, sizeof(HieraNodeName)),
                     .asked = g_array_new(FALSE, FALSE, sizeof(HieraNodeName))};
    hiera_told_window_init(&build->told);
}

static void build_clear(const Build *build)
{
    g_free(build->number);
    g_free(build->edges_of);
    g_array_unref(build->join_names);
    g_free(build->near);
    g_hash_table_unref(build->outside);
    g_array_unref(build->outside_names);
    g_array_unref(build->asked);
}

void hiera_shared_window_init(HieraSharedWindow *window, const HieraSharedNodes *nodes)
{
    Build build;
    build_init(&build, window, nodes);
    hiera_scope_exchange(nodes->scope, nodes->of->trace, tell, hear, &build);
    number_calls(&build);
    fill_all_nodes(&build);
    free_elements(build.told.nodes);
    unite_joins(&build);
    fill_edges_of_calls(&build);
    free_elements(build.told.edges);
    fill_edges_of_joins(&build);
    fill_joins(&build);
    window->processors = g_array_ref(build.told.processors);
    hiera_told_window_clear(&build.told);
    hiera_scope_exchange(nodes->scope, nodes->of->trace, ask, hear_asked, &build);
    build_clear(&build);
    window->circles = hiera_dependences_order(&window->all);
}

void hiera_shared_window_clear(HieraSharedWindow *window)
{
    hiera_dependences_clear(&window->all);
    g_array_unref(window->processors);
    for (guint i = 0; i < window->shared->n_windows; i++)
        g_array_unref(window->common[i]);
    g_free(window->common);
}
