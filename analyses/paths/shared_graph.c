/* See shared_graph.h. A call is known by its processor and its number there, a join by the first member of its
 * collective; edges go as such names, and become nodes when all are there. */
#include "shared_graph.h"
#include "dependence_parts.h"
#include "replay_parts.h"
#include "values/outermost.h"
#include <stdlib.h>
#include <string.h>

/* --- what is a node --- */

static gboolean is_own(const HieraDependences *of, const HieraScope *scope, guint32 call)
{
    return call < of->n_calls && hiera_scope_is_own(scope, hiera_dependences_processor(of, call));
}

static void set_node(const HieraSharedGraph *graph, guint32 call)
{
    graph->nodes[call / 64] |= G_GUINT64_CONSTANT(1) << call % 64;
}

/* All on which something depends, and that depend on something; the first of each processor. */
static void find_nodes(const HieraSharedGraph *graph, const HieraDependences *of)
{
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        if (of->first_call[i] < of->first_call[i + 1])
            set_node(graph, of->first_call[i]);
    }
    for (guint32 node = 0; node < of->n_calls + of->n_joins; node++) {
        for (guint32 edge = of->first_edge[node]; edge < of->first_edge[node + 1]; edge++) {
            if (of->from[edge] == HIERA_NONE)
                continue;
            if (of->from[edge] < of->n_calls)
                set_node(graph, of->from[edge]);
            if (node < of->n_calls)
                set_node(graph, node);
        }
    }
}

/* --- a process tells --- */

typedef struct {
    const HieraSharedGraph *graph;
    const HieraDependences *of;
    const HieraScope *scope;
    guint32 *number_of; /* by join: its number among those that this process tells; HIERA_NONE: it does not */
    const guint8 *keeps;
} Teller;

/* Mark a join, and those before it that it depends on. */
static void mark_join(const Teller *teller, guint32 join)
{
    const HieraDependences *of = teller->of;
    for (gboolean more = TRUE; more && teller->number_of[join] == HIERA_NONE;) {
        guint32 node = of->n_calls + join;
        teller->number_of[join] = 0;
        more = FALSE;
        for (guint32 edge = of->first_edge[node]; edge < of->first_edge[node + 1] && !more; edge++) {
            more = of->from[edge] >= of->n_calls && of->from[edge] != HIERA_NONE;
            join = more ? of->from[edge] - of->n_calls : join;
        }
    }
}

/* Number the joins of own calls: that depend on them, or on which they depend. @return how many there are */
static guint32 number_joins(const Teller *teller)
{
    const HieraDependences *of = teller->of;
    guint32 n = 0;
    memset(teller->number_of, 0xff, ((gsize)of->n_joins + 1) * sizeof *teller->number_of);
    for (guint32 node = 0; node < of->n_calls + of->n_joins; node++) {
        gboolean call = node < of->n_calls, own = call && is_own(of, teller->scope, node);
        for (guint32 edge = of->first_edge[node]; edge < of->first_edge[node + 1]; edge++) {
            guint32 from = of->from[edge];
            if (call && own && from != HIERA_NONE && from >= of->n_calls)
                mark_join(teller, from - of->n_calls);
            else if (!call && is_own(of, teller->scope, from))
                mark_join(teller, node - of->n_calls);
        }
    }
    for (guint32 join = 0; join < of->n_joins; join++)
        teller->number_of[join] = teller->number_of[join] == HIERA_NONE ? HIERA_NONE : n++;
    return n;
}

/* The name of a node: of a call its processor, and how far its number is from another one; of a join its number. */
static void tell_name(const Teller *teller, guint32 node, guint32 near, HieraPacker *to)
{
    const HieraDependences *of = teller->of;
    if (node >= of->n_calls) {
        hiera_pack_number(to, -1 - (gint64)teller->number_of[node - of->n_calls]);
        return;
    }
    hiera_pack_number(to, hiera_dependences_processor(of, node));
    hiera_pack_number(to, (gint64)hiera_scope_number(teller->scope, of->trace, of->row[node]) - near);
}

/* The own calls and the joins that a join depends on. */
static void tell_join(const Teller *teller, guint32 join, HieraPacker *to)
{
    const HieraDependences *of = teller->of;
    guint32 row = of->join_row[join], node = of->n_calls + join, ordinal = 0, n = 0;
    while (ordinal < join && of->join_row[join - ordinal - 1] == row)
        ordinal++;
    hiera_pack_number(to, hiera_trace_find_processor(of->trace, row));
    hiera_pack_number(to, hiera_scope_number(teller->scope, of->trace, row));
    hiera_pack_number(to, ordinal);
    for (guint32 edge = of->first_edge[node]; edge < of->first_edge[node + 1]; edge++)
        n += of->from[edge] >= of->n_calls || is_own(of, teller->scope, of->from[edge]);
    hiera_pack_number(to, n);
    for (guint32 edge = of->first_edge[node]; edge < of->first_edge[node + 1]; edge++) {
        if (of->from[edge] >= of->n_calls || is_own(of, teller->scope, of->from[edge]))
            tell_name(teller, of->from[edge], 0, to);
    }
}

static void tell_node(const Teller *teller, guint32 call, guint32 number, HieraPacker *to)
{
    const HieraDependences *of = teller->of;
    guint32 n = 0;
    for (guint32 edge = of->first_edge[call]; edge < of->first_edge[call + 1]; edge++)
        n += of->from[edge] != HIERA_NONE;
    hiera_pack_number(to, n);
    for (guint32 edge = of->first_edge[call]; edge < of->first_edge[call + 1]; edge++) {
        if (of->from[edge] != HIERA_NONE)
            tell_name(teller, of->from[edge], number, to);
    }
}

/* The nodes of a processor. From the end of one, without the waiting, to the start of the next one a rank computes, and
 * does what takes as long on an ideal network. */
static void tell_processor(const Teller *teller, guint32 processor, HieraPacker *to)
{
    const HieraDependences *of = teller->of;
    gint64 gap_ns = 0, last_ns = of->trace->processors[processor].init_ns, start_ns = 0;
    guint32 number = 0;
    for (guint32 call = of->first_call[processor]; call < of->first_call[processor + 1]; call++) {
        gap_ns = hiera_plus(gap_ns, hiera_minus(of->start_ns[call], last_ns));
        if (hiera_shared_graph_is_node(teller->graph, call)) {
            guint32 before = number;
            number = hiera_scope_number(teller->scope, of->trace, of->row[call]);
            hiera_pack_number(to, 1 + (gint64)number - before);
            hiera_pack_number(to, of->start_ns[call] - start_ns);
            hiera_pack_number(to, gap_ns);
            tell_node(teller, call, number, to);
            start_ns = of->start_ns[call];
            gap_ns = 0;
        }
        gap_ns = hiera_plus(gap_ns, hiera_replay_kept(of, teller->keeps, call));
        last_ns = of->finish_ns[call];
    }
    hiera_pack_number(to, 0);
    hiera_pack_number(to, hiera_plus(gap_ns, hiera_minus(of->trace->processors[processor].finalize_ns, last_ns)));
}

/* --- the process that leads hears --- */

typedef struct {
    gint64 start_ns, gap_ns;
    guint32 number, n_edges;
} Node;

typedef struct {
    GArray *nodes;  /* Node */
    GArray *edges;  /* guint64: names of what they depend on */
    gint64 tail_ns; /* from the end of the last node to finalize */
} Nodes;

/* A join as one process has told it. */
typedef struct {
    guint32 processor, number, ordinal; /* the same in all processes */
    guint32 told;                       /* in the order in which they were told */
} Join;

typedef struct {
    guint64 from;
    guint32 join; /* as told */
} JoinEdge;

typedef struct {
    Teller teller;
    guint32 n_processors;
    Nodes *of;        /* by processor */
    GArray *joins;    /* Join */
    GArray *entries;  /* JoinEdge */
    guint32 *join_of; /* by join as told: the join */
} Gather;

#define IS_JOIN (G_GUINT64_CONSTANT(1) << 63)

static void tell(HieraPacker *to, gpointer user)
{
    const Teller *teller = &((const Gather *)user)->teller;
    const HieraDependences *of = teller->of;
    hiera_pack_number(to, number_joins(teller));
    for (guint32 join = 0; join < of->n_joins; join++) {
        if (teller->number_of[join] != HIERA_NONE)
            tell_join(teller, join, to);
    }
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        hiera_pack_number(to, hiera_scope_is_own(teller->scope, i));
        if (hiera_scope_is_own(teller->scope, i))
            tell_processor(teller, i, to);
    }
}

/* @param first  the first join that this process has told */
static guint64 hear_name(HieraUnpacker *from, guint32 near, guint32 first)
{
    gint64 processor = hiera_unpack_number(from);
    if (processor < 0)
        return IS_JOIN | (guint64)((gint64)first - 1 - processor);
    return (guint64)processor << 32 | (guint32)(hiera_unpack_number(from) + near);
}

static void hear_joins(const Gather *gather, guint32 first, HieraUnpacker *from)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        Join join = {.told = gather->joins->len};
        join.processor = (guint32)hiera_unpack_number(from);
        join.number = (guint32)hiera_unpack_number(from);
        join.ordinal = (guint32)hiera_unpack_number(from);
        for (gint64 k = hiera_unpack_number(from); k > 0; k--) {
            JoinEdge edge = {hear_name(from, 0, first), join.told};
            g_array_append_val(gather->entries, edge);
        }
        g_array_append_val(gather->joins, join);
    }
}

static void hear_processor(Nodes *of, guint32 first, HieraUnpacker *from)
{
    Node node = {0};
    for (gint64 step; (step = hiera_unpack_number(from)) != 0;) {
        node.number += (guint32)(step - 1);
        node.start_ns += hiera_unpack_number(from);
        node.gap_ns = hiera_unpack_number(from);
        node.n_edges = (guint32)hiera_unpack_number(from);
        for (guint32 i = 0; i < node.n_edges; i++) {
            guint64 name = hear_name(from, node.number, first);
            g_array_append_val(of->edges, name);
        }
        g_array_append_val(of->nodes, node);
    }
    of->tail_ns = hiera_unpack_number(from);
}

static void hear(HieraUnpacker *from, gpointer user)
{
    Gather *gather = user;
    guint32 first = gather->joins->len;
    hear_joins(gather, first, from);
    for (guint32 i = 0; i < gather->n_processors; i++) {
        if (hiera_unpack_number(from) != 0)
            hear_processor(&gather->of[i], first, from);
    }
}

/* --- joins of all processes --- */

static int compare_joins(const void *left, const void *right)
{
    const Join *a = left, *b = right;
    if (a->processor != b->processor)
        return a->processor < b->processor ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

/* Make those that several processes have told one. @return how many there are */
static guint32 unite_joins(Gather *gather)
{
    Join *joins = (Join *)(void *)gather->joins->data;
    guint32 n = 0;
    gather->join_of = g_new(guint32, (gsize)gather->joins->len + 1);
    if (gather->joins->len > 0)
        qsort(joins, gather->joins->len, sizeof *joins, compare_joins);
    for (guint i = 0; i < gather->joins->len; i++) {
        n += i == 0 || compare_joins(&joins[i - 1], &joins[i]) != 0;
        gather->join_of[joins[i].told] = n - 1;
    }
    return n;
}

/* --- the graph of all --- */

/* Return the node of a name; HIERA_NONE if nobody has told it. */
static guint32 find_node(const Gather *gather, const HieraDependences *all, guint64 name)
{
    guint32 processor = (guint32)(name >> 32), low = 0;
    if (name & IS_JOIN)
        return all->n_calls + gather->join_of[name & ~IS_JOIN];
    const GArray *nodes = gather->of[processor].nodes;
    for (guint32 high = nodes->len; low < high;) {
        guint32 middle = low + (high - low) / 2;
        if (g_array_index(nodes, Node, middle).number < (guint32)name)
            low = middle + 1;
        else
            high = middle;
    }
    return low < nodes->len && g_array_index(nodes, Node, low).number == (guint32)name
               ? all->first_call[processor] + low
               : HIERA_NONE;
}

/* The times and edges of a processor's nodes. */
static void fill_calls(const Gather *gather, HieraDependences *all, guint32 processor, guint32 *n_edges)
{
    const Nodes *of = &gather->of[processor];
    guint32 first = all->first_call[processor], behind = first + of->nodes->len, edge = 0;
    for (guint32 i = 0; i < of->nodes->len; i++) {
        const Node *node = &g_array_index(of->nodes, Node, i);
        all->start_ns[first + i] = node->start_ns;
        if (i > 0)
            all->finish_ns[first + i - 1] = hiera_minus(node->start_ns, node->gap_ns);
        all->first_edge[first + i] = *n_edges;
        for (guint32 k = 0; k < node->n_edges; k++)
            all->from[(*n_edges)++] = find_node(gather, all, g_array_index(of->edges, guint64, edge++));
    }
    if (first < behind)
        all->finish_ns[behind - 1] = hiera_minus(all->trace->processors[processor].finalize_ns, of->tail_ns);
}

/* The edges of joins come behind those of calls, sorted by join. */
static void fill_joins(const Gather *gather, HieraDependences *all, guint32 n_edges)
{
    guint32 *first = all->first_edge + all->n_calls;
    memset(first, 0, ((gsize)all->n_joins + 2) * sizeof *first);
    for (guint i = 0; i < gather->entries->len; i++)
        first[gather->join_of[g_array_index(gather->entries, JoinEdge, i).join] + 2]++;
    first[0] = n_edges;
    first[1] = n_edges;
    for (guint32 i = 0; i < all->n_joins; i++)
        first[i + 2] += first[i + 1];
    for (guint i = 0; i < gather->entries->len; i++) {
        const JoinEdge *edge = &g_array_index(gather->entries, JoinEdge, i);
        all->from[first[gather->join_of[edge->join] + 1]++] = find_node(gather, all, edge->from);
    }
}

static void find_join_times(HieraDependences *all)
{
    all->join_ns = g_new(gint64, (gsize)all->n_joins + 1);
    for (guint32 i = 0; i < all->n_joins; i++) { /* it depends on calls, and on joins before it */
        guint32 node = all->n_calls + i;
        all->join_ns[i] = G_MININT64;
        for (guint32 edge = all->first_edge[node]; edge < all->first_edge[node + 1]; edge++) {
            if (all->from[edge] != HIERA_NONE)
                all->join_ns[i] = MAX(all->join_ns[i], hiera_dependences_time(all, all->from[edge]));
        }
    }
}

static void make_graph(Gather *gather, HieraDependences *all)
{
    guint32 n_edges = 0;
    gsize room = gather->entries->len;
    all->n_joins = unite_joins(gather);
    all->first_call = g_new0(guint32, (gsize)gather->n_processors + 1);
    for (guint32 i = 0; i < gather->n_processors; i++) {
        all->first_call[i + 1] = all->n_calls += gather->of[i].nodes->len;
        room += gather->of[i].edges->len;
    }
    all->start_ns = g_new(gint64, (gsize)all->n_calls + 1);
    all->finish_ns = g_new(gint64, (gsize)all->n_calls + 1);
    all->first_edge = g_new(guint32, (gsize)all->n_calls + all->n_joins + 3);
    all->from = g_new(guint32, room + 1);
    for (guint32 i = 0; i < gather->n_processors; i++)
        fill_calls(gather, all, i, &n_edges);
    fill_joins(gather, all, n_edges);
    find_join_times(all);
}

/* Find the order, and remember which edges it leaves out. */
static void find_order(HieraSharedGraph *graph)
{
    HieraDependences *all = &graph->all;
    hiera_dependences_order(all);
    for (guint32 i = 0; i < all->trace->n_processors; i++) {
        for (guint32 node = all->first_call[i]; node < all->first_call[i + 1]; node++) {
            for (guint32 edge = all->first_edge[node]; edge < all->first_edge[node + 1]; edge++) {
                HieraCircle circle = {i, node - all->first_call[i], edge - all->first_edge[node]};
                if (all->from[edge] == HIERA_NONE)
                    g_array_append_val(graph->circles, circle);
            }
        }
    }
}

static void gather_init(Gather *gather)
{
    gather->n_processors = gather->teller.of->trace->n_processors;
    gather->joins = g_array_new(FALSE, FALSE, sizeof(Join));
    gather->entries = g_array_new(FALSE, FALSE, sizeof(JoinEdge));
    gather->of = g_new0(Nodes, (gsize)gather->n_processors + 1);
    for (guint32 i = 0; i < gather->n_processors; i++)
        gather->of[i] = (Nodes){g_array_new(FALSE, FALSE, sizeof(Node)), g_array_new(FALSE, FALSE, sizeof(guint64)), 0};
}

static void gather_clear(Gather *gather)
{
    for (guint32 i = 0; i < gather->n_processors; i++) {
        g_array_unref(gather->of[i].nodes);
        g_array_unref(gather->of[i].edges);
    }
    g_free(gather->of);
    g_array_unref(gather->joins);
    g_array_unref(gather->entries);
    g_free(gather->join_of);
}

void hiera_shared_graph_gather(HieraSharedGraph *graph, const HieraDependences *of, const HieraScope *scope)
{
    *graph = (HieraSharedGraph){g_new0(guint64, (gsize)of->n_calls / 64 + 1),
                                {.trace = of->trace},
                                g_array_new(FALSE, FALSE, sizeof(HieraCircle))};
    g_autofree guint32 *number_of = g_new(guint32, (gsize)of->n_joins + 1);
    g_autofree guint8 *keeps = hiera_replay_find_keeping(of->trace);
    Gather gather = {.teller = {graph, of, scope, number_of, keeps}};
    gather_init(&gather);
    find_nodes(graph, of);
    hiera_scope_gather(scope, of->trace, tell, hear, &gather);
    if (hiera_scope_leads(scope)) {
        make_graph(&gather, &graph->all);
        find_order(graph);
    }
    gather_clear(&gather);
}

void hiera_shared_graph_clear(HieraSharedGraph *graph)
{
    hiera_dependences_clear(&graph->all);
    g_free(graph->nodes);
    g_array_unref(graph->circles);
}

/* --- circles --- */

/* Take an edge out: one of those of a call that are left. */
static void cut(const HieraDependences *of, guint32 call, guint32 which)
{
    for (guint32 edge = of->first_edge[call]; edge < of->first_edge[call + 1]; edge++) {
        if (of->from[edge] != HIERA_NONE && which-- == 0) {
            of->from[edge] = HIERA_NONE;
            return;
        }
    }
}

void hiera_shared_graph_cut_circles(const HieraSharedGraph *graph, const HieraDependences *of, const HieraScope *scope)
{
    for (guint i = graph->circles->len; i-- > 0;) { /* the last edge of a node first */
        const HieraCircle *circle = &g_array_index(graph->circles, HieraCircle, i);
        guint32 call = of->first_call[circle->processor], node = 0;
        if (!hiera_scope_is_own(scope, circle->processor))
            continue;
        while (!hiera_shared_graph_is_node(graph, call) || node++ < circle->node)
            call++;
        cut(of, call, circle->edge);
    }
}
