#include "shared_window.h"
#include "dependence_parts.h"
#include <stdlib.h>
#include <string.h>

/* An edge that names its node; it is set when all nodes of the window are known. */
typedef struct {
    guint32 edge;
    HieraNodeName to;
} NamedEdge;

typedef struct {
    HieraSharedWindow *window;
    guint n_processes;
    HieraSentHead *heads;    /* by process: what it has sent first */
    guint32 **joins;         /* by process, then index in its `joins`: node of the join in this window */
    guint32 *number;         /* by node (call): number of its operation in its processor */
    guint32 *node, *edge;    /* by processor: next node, and next edge, to be set */
    GArray *named;           /* NamedEdge */
    HieraSentNodes received; /* buffer for nodes from another process */
    GArray *join_names;      /* HieraNodeName: joins of this window, sorted, each once */
    guint32 *near;           /* by processor: node that find_number() found last */
    GHashTable *outside;     /* HieraNodeName → node, of nodes in other windows */
    GArray *outside_names;   /* HieraNodeName: nodes of other windows, by number from first_outside on */
    GArray *asked;           /* HieraNodeName: nodes of this window that another process asks for */
} Build;

/* --- finding nodes by name --- */

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

/* Return the node of an operation by its number; mostly it is one of those after the node that was found last. */
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

/* Return the node of this window with a name; HIERA_NONE: no process has sent it. */
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

/* --- what processes send first about a window: joins, numbers of nodes --- */

/* Pack what is sent first about the window of `process`; for the own window it is stored without being packed. */
static void pack_head(HieraPacker *to, guint process, gpointer user)
{
    const Build *build = user;
    HieraSentHead sent;
    if (process == build->window->window) {
        hiera_shared_nodes_fill_head(build->window->shared, process, &build->heads[process]);
        return;
    }
    hiera_sent_head_init(&sent);
    hiera_shared_nodes_fill_head(build->window->shared, process, &sent);
    hiera_pack_array(to, sent.joins);
    hiera_pack_array(to, sent.entries);
    hiera_pack_array(to, sent.names);
    hiera_pack_array(to, sent.processors);
    hiera_sent_head_clear(&sent);
}

static void unpack_head(HieraUnpacker *from, guint process, gpointer user)
{
    const Build *build = user;
    const HieraSentHead *sent = &build->heads[process];
    if (process == build->window->window)
        return;
    hiera_unpack_array(from, sent->joins);
    hiera_unpack_array(from, sent->entries);
    hiera_unpack_array(from, sent->names);
    hiera_unpack_array(from, sent->processors);
}

/* Set which nodes and edges each processor has: one node more than sent, for the first one behind the window. */
static void number_calls(const Build *build)
{
    HieraDependences *all = &build->window->all;
    const GArray *processors = build->window->processors;
    guint32 n = all->trace->n_processors;
    all->first_call = g_new0(guint32, (gsize)n + 1);
    for (guint i = 0; i < processors->len; i++) {
        const HieraSentProcessor *of = &g_array_index(processors, HieraSentProcessor, i);
        all->first_call[of->processor + 1] = of->n_nodes + 1;
        build->edge[of->processor + 1] = of->n_edges;
    }
    for (guint32 i = 0; i < n; i++) {
        all->first_call[i + 1] += all->first_call[i];
        build->edge[i + 1] += build->edge[i];
    }
    all->n_calls = all->first_call[n];
    memcpy(build->node, all->first_call, n * sizeof *build->node);
}

/* Set the last node of a processor, which stands for its next node in a later window, or for its end. */
static void fill_last(const Build *build, const HieraSentProcessor *of)
{
    const HieraDependences *all = &build->window->all;
    guint32 node = all->first_call[of->processor + 1] - 1;
    build->number[node] = of->next_number;
    all->start_ns[node] = all->finish_ns[node] = of->next_ns;
    all->first_edge[node + 1] = build->edge[of->processor + 1];
}

/* Set `join_names` from the joins that all processes sent: several of them may have sent parts of one. */
static void unite_joins(const Build *build)
{
    for (guint i = 0; i < build->n_processes; i++)
        g_array_append_vals(build->join_names, build->heads[i].joins->data, build->heads[i].joins->len);
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

static void find_joins(const Build *build)
{
    for (guint i = 0; i < build->n_processes; i++) {
        const GArray *joins = build->heads[i].joins;
        build->joins[i] = g_new(guint32, (gsize)joins->len + 1);
        for (guint k = 0; k < joins->len; k++)
            build->joins[i][k] = find_join(build, &g_array_index(joins, HieraNodeName, k));
    }
}

/* Allocate the arrays of nodes, and of edges of calls and joins. */
static void make_room(Build *build)
{
    HieraDependences *all = &build->window->all;
    gsize n = (gsize)all->n_calls + 1, n_edges = build->edge[all->trace->n_processors];
    for (guint i = 0; i < build->n_processes; i++)
        n_edges += build->heads[i].entries->len;
    all->start_ns = g_new(gint64, n);
    all->finish_ns = g_new(gint64, n);
    all->first_edge = g_new0(guint32, n + all->n_joins + 2);
    all->from = g_new(guint32, n_edges + 1);
    build->number = g_new(guint32, n);
}

static void use_heads(Build *build)
{
    GArray *processors = build->window->processors = g_array_new(FALSE, FALSE, sizeof(HieraSentProcessor));
    for (guint i = 0; i < build->n_processes; i++)
        g_array_append_vals(processors, build->heads[i].processors->data, build->heads[i].processors->len);
    number_calls(build);
    unite_joins(build);
    find_joins(build);
    make_room(build);
    for (guint i = 0; i < processors->len; i++)
        fill_last(build, &g_array_index(processors, HieraSentProcessor, i));
}

/* --- nodes of the window --- */

/* Set an edge; one that has a name is kept until all nodes are known. */
static void fill_edge(const Build *build, guint process, guint32 edge, const HieraSentEdge *sent, const GArray *names)
{
    const HieraDependences *all = &build->window->all;
    if (sent->processor == HIERA_EDGE_TO_NAME) {
        NamedEdge named = {edge, g_array_index(names, HieraNodeName, sent->place)};
        g_array_append_val(build->named, named);
    } else if (sent->processor == HIERA_EDGE_TO_JOIN) {
        all->from[edge] = build->joins[process][sent->place];
    } else {
        all->from[edge] = all->first_call[sent->processor] + sent->place;
    }
}

static void fill_nodes(const Build *build, guint process, guint32 processor, const HieraSentNodes *some)
{
    const HieraDependences *all = &build->window->all;
    guint32 node = build->node[processor], edge = build->edge[processor];
    for (guint i = 0; i < some->n_edges; i++)
        fill_edge(build, process, edge + i, &some->edges[i], some->names);
    for (guint i = 0; i < some->n_nodes; i++, node++) {
        const HieraSentNode *sent = &some->nodes[i];
        build->number[node] = sent->number;
        all->start_ns[node] = sent->start_ns;
        all->finish_ns[node] = sent->finish_ns;
        all->first_edge[node + 1] = edge += sent->n_edges;
    }
    build->node[processor] = node;
    build->edge[processor] = edge;
}

static void fill_own(guint32 processor, const HieraSentNodes *some, gpointer user)
{
    const Build *build = user;
    fill_nodes(build, build->window->window, processor, some);
}

static void pack_nodes(guint32 processor, const HieraSentNodes *some, gpointer to)
{
    hiera_pack_number(to, processor);
    hiera_sent_nodes_pack(some, to);
}

static void pack_window_nodes(HieraPacker *to, guint process, gpointer user)
{
    const HieraSharedWindow *window = ((Build *)user)->window;
    if (process == window->window) {
        hiera_shared_nodes_visit(window->shared, process, fill_own, user);
        return;
    }
    hiera_shared_nodes_visit(window->shared, process, pack_nodes, to);
    hiera_pack_number(to, HIERA_NONE);
}

static void unpack_nodes(HieraUnpacker *from, guint process, gpointer user)
{
    Build *build = user;
    if (process == build->window->window)
        return;
    for (guint32 processor; (processor = (guint32)hiera_unpack_number(from)) != HIERA_NONE;) {
        hiera_sent_nodes_unpack(&build->received, from);
        fill_nodes(build, process, processor, &build->received);
    }
}

/* --- edges and times of joins --- */

/* Set the edges of the joins, join after join; they follow the edges of the calls. */
static void fill_edges_of_joins(const Build *build)
{
    const HieraDependences *all = &build->window->all;
    guint32 *first = all->first_edge + all->n_calls;
    for (guint i = 0; i < build->n_processes; i++) {
        const GArray *joins = build->heads[i].joins;
        for (guint k = 0; k < joins->len; k++)
            first[build->joins[i][k] - all->n_calls + 2] += g_array_index(joins, HieraNodeName, k).n;
    }
    first[1] = first[0];
    for (guint32 i = 0; i < all->n_joins; i++)
        first[i + 2] += first[i + 1];
    for (guint i = 0; i < build->n_processes; i++) {
        const HieraSentHead *head = &build->heads[i];
        const HieraSentEdge *entry = (const HieraSentEdge *)(const void *)head->entries->data;
        for (guint k = 0; k < head->joins->len; k++) {
            guint32 *edge = &first[build->joins[i][k] - all->n_calls + 1];
            for (guint32 m = g_array_index(head->joins, HieraNodeName, k).n; m > 0; m--)
                fill_edge(build, i, (*edge)++, entry++, head->names);
        }
    }
}

static void find_named(const Build *build)
{
    for (guint i = 0; i < build->named->len; i++) {
        const NamedEdge *named = &g_array_index(build->named, NamedEdge, i);
        build->window->all.from[named->edge] = find_node(build, &named->to);
    }
}

/* Set the times of the joins. Nodes of other windows are joins without dependences, behind those of this window. */
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

/* --- nodes of other windows --- */

/* Ask the process of an earlier window for the nodes that this window depends on. */
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

static void unpack_asked(HieraUnpacker *from, guint process, gpointer user)
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
    gsize n = (gsize)nodes->of->trace->n_processors + 1;
    *window = (HieraSharedWindow){.shared = nodes,
                                  .window = hiera_scope_process(nodes->scope),
                                  .all = {.trace = nodes->of->trace},
                                  .common = g_new(HieraCommonNodes *, nodes->n_windows)};
    for (guint i = 0; i < nodes->n_windows; i++)
        window->common[i] = g_array_new(FALSE, FALSE, sizeof(guint32));
    *build = (Build){.window = window,
                     .n_processes = nodes->n_windows,
                     .heads = g_new(HieraSentHead, nodes->n_windows),
                     .joins = g_new0(guint32 *, nodes->n_windows),
                     .node = g_new0(guint32, n),
                     .edge = g_new0(guint32, n),
                     .named = g_array_new(FALSE, FALSE, sizeof(NamedEdge)),
                     .join_names = g_array_new(FALSE, FALSE, sizeof(HieraNodeName)),
                     .near = g_new0(guint32, n),
                     .outside = g_hash_table_new_full(hash_name, equal_names, g_free, NULL),
                     .outside_names = g_array_new(FALSE, FALSE, sizeof(HieraNodeName)),
                     .asked = g_array_new(FALSE, FALSE, sizeof(HieraNodeName))};
    for (guint i = 0; i < build->n_processes; i++)
        hiera_sent_head_init(&build->heads[i]);
    hiera_sent_nodes_init(&build->received);
}

static void build_clear(Build *build)
{
    for (guint i = 0; i < build->n_processes; i++) {
        hiera_sent_head_clear(&build->heads[i]);
        g_free(build->joins[i]);
    }
    g_free(build->heads);
    g_free(build->joins);
    g_free(build->number);
    g_free(build->node);
    g_free(build->edge);
    g_array_unref(build->named);
    hiera_sent_nodes_clear(&build->received);
    g_array_unref(build->join_names);
    g_free(build->near);
    g_hash_table_unref(build->outside);
    g_array_unref(build->outside_names);
    g_array_unref(build->asked);
}

void hiera_shared_window_init(HieraSharedWindow *window, const HieraSharedNodes *nodes)
{
    const HieraTrace *trace = nodes->of->trace;
    Build build;
    build_init(&build, window, nodes);
    hiera_scope_exchange(nodes->scope, trace, pack_head, unpack_head, &build);
    use_heads(&build);
    hiera_scope_exchange(nodes->scope, trace, pack_window_nodes, unpack_nodes, &build);
    fill_edges_of_joins(&build);
    memcpy(build.near, window->all.first_call, trace->n_processors * sizeof *build.near);
    find_named(&build);
    fill_joins(&build);
    hiera_scope_exchange(nodes->scope, trace, ask, unpack_asked, &build);
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
