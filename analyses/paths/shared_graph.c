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

static guint32 count_edges(const HieraDependences *of, guint32 call)
{
    guint32 n = 0;
    for (guint32 edge = of->first_edge[call]; edge < of->first_edge[call + 1]; edge++)
        n += of->from[edge] != HIERA_NONE;
    return n;
}

static void tell_node(const Teller *teller, guint32 call, guint32 number, HieraPacker *to)
{
    const HieraDependences *of = teller->of;
    hiera_pack_number(to, count_edges(of, call));
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

/* A join as one process has told it. */
typedef struct {
    guint32 processor, number, ordinal; /* the same in all processes */
    guint32 told;                       /* in the order in which they were told */
} Join;

typedef struct {
    guint64 from;
    guint32 join; /* as told */
} JoinEdge;

/* All that is told goes where it stays, since how much it is is told before. */
typedef struct {
    Teller teller;
    HieraDependences *all;
    guint32 *number;  /* by node */
    guint32 *n_edges; /* by processor: how many its nodes have; then where the first one is */
    guint64 *names;   /* by edge: what a node depends on */
    GArray *joins;    /* Join */
    GArray *entries;  /* JoinEdge */
    guint32 *join_of; /* by join as told: the join */
} Gather;

#define IS_JOIN (G_GUINT64_CONSTANT(1) << 63)

static void tell_counts(HieraPacker *to, gpointer user)
{
    const Teller *teller = &((const Gather *)user)->teller;
    const HieraDependences *of = teller->of;
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        gint64 n_nodes = 0, n_edges = 0;
        for (guint32 call = of->first_call[i]; hiera_scope_is_own(teller->scope, i) && call < of->first_call[i + 1];
             call++) {
            n_nodes += hiera_shared_graph_is_node(teller->graph, call);
            n_edges += count_edges(of, call);
        }
        hiera_pack_number(to, n_nodes);
        hiera_pack_number(to, n_edges);
    }
}

static void hear_counts(HieraUnpacker *from, gpointer user)
{
    const Gather *gather = user;
    for (guint32 i = 0; i < gather->all->trace->n_processors; i++) {
        gather->all->first_call[i + 1] += (guint32)hiera_unpack_number(from);
        gather->n_edges[i] += (guint32)hiera_unpack_number(from);
    }
}

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

static void hear_processor(const Gather *gather, guint32 processor, guint32 first, HieraUnpacker *from)
{
    HieraDependences *all = gather->all;
    guint32 node = all->first_call[processor], edge = gather->n_edges[processor], number = 0;
    gint64 start_ns = 0, finalize_ns = all->trace->processors[processor].finalize_ns;
    for (gint64 step; (step = hiera_unpack_number(from)) != 0; node++) {
        gather->number[node] = number += (guint32)(step - 1);
        all->start_ns[node] = start_ns += hiera_unpack_number(from);
        gint64 gap_ns = hiera_unpack_number(from);
        if (node > all->first_call[processor])
            all->finish_ns[node - 1] = hiera_minus(start_ns, gap_ns);
        all->first_edge[node] = edge;
        for (gint64 n = hiera_unpack_number(from); n > 0; n--)
            gather->names[edge++] = hear_name(from, number, first);
    }
    gint64 tail_ns = hiera_unpack_number(from);
    if (node > all->first_call[processor])
        all->finish_ns[node - 1] = hiera_minus(finalize_ns, tail_ns);
}

static void hear(HieraUnpacker *from, gpointer user)
{
    Gather *gather = user;
    guint32 first = gather->joins->len;
    hear_joins(gather, first, from);
    for (guint32 i = 0; i < gather->all->trace->n_processors; i++) {
        if (hiera_unpack_number(from) != 0)
            hear_processor(gather, i, first, from);
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
static guint32 find_node(const Gather *gather, guint64 name)
{
    const HieraDependences *all = gather->all;
    guint32 processor = (guint32)(name >> 32), number = (guint32)name;
    if (name & IS_JOIN)
        return all->n_calls + gather->join_of[name & ~IS_JOIN];
    guint32 low = all->first_call[processor], behind = all->first_call[processor + 1];
    for (guint32 high = behind; low < high;) {
        guint32 middle = low + (high - low) / 2;
        if (gather->number[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < behind && gather->number[low] == number ? low : HIERA_NONE;
}

/* The edges of joins come behind those of calls, sorted by join. */
static void fill_joins(const Gather *gather, guint32 n_edges)
{
    HieraDependences *all = gather->all;
    guint32 *first = all->first_edge + all->n_calls;
    memset(first, 0, ((gsize)all->n_joins + 2) * sizeof *first);
    for (guint i = 0; i < gather->entries->len; i++)
        first[gather->join_of[g_array_index(gather->entries, JoinEdge, i).join] + 2]++;
    first[0] = first[1] = n_edges;
    for (guint32 i = 0; i < all->n_joins; i++)
        first[i + 2] += first[i + 1];
    for (guint i = 0; i < gather->entries->len; i++) {
        const JoinEdge *edge = &g_array_index(gather->entries, JoinEdge, i);
        all->from[first[gather->join_of[edge->join] + 1]++] = find_node(gather, edge->from);
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

/* Make room for what is told. @return the number of edges of nodes */
static guint32 make_room(Gather *gather)
{
    HieraDependences *all = gather->all;
    guint32 n_edges = 0;
    for (guint32 i = 0; i < all->trace->n_processors; i++) {
        guint32 n = gather->n_edges[i];
        all->first_call[i + 1] += all->first_call[i];
        gather->n_edges[i] = n_edges;
        n_edges += n;
    }
    all->n_calls = all->first_call[all->trace->n_processors];
    all->start_ns = g_new(gint64, (gsize)all->n_calls + 1);
    all->finish_ns = g_new(gint64, (gsize)all->n_calls + 1);
    all->first_edge = g_new(guint32, (gsize)all->n_calls + 2);
    gather->number = g_new(guint32, (gsize)all->n_calls + 1);
    gather->names = g_new(guint64, (gsize)n_edges + 1);
    return n_edges;
}

static void make_graph(Gather *gather, guint32 n_edges)
{
    HieraDependences *all = gather->all;
    all->n_joins = unite_joins(gather);
    all->first_edge = g_renew(guint32, all->first_edge, (gsize)all->n_calls + all->n_joins + 3);
    all->from = g_new(guint32, (gsize)n_edges + gather->entries->len + 1);
    for (guint32 edge = 0; edge < n_edges; edge++)
        all->from[edge] = find_node(gather, gather->names[edge]);
    fill_joins(gather, n_edges);
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

static void gather_clear(Gather *gather)
{
    g_free(gather->number);
    g_free(gather->n_edges);
    g_free(gather->names);
    g_free(gather->join_of);
    g_array_unref(gather->joins);
    g_array_unref(gather->entries);
}

void hiera_shared_graph_gather(HieraSharedGraph *graph, const HieraDependences *of, const HieraScope *scope)
{
    *graph = (HieraSharedGraph){g_new0(guint64, (gsize)of->n_calls / 64 + 1),
                                {.trace = of->trace},
                                g_array_new(FALSE, FALSE, sizeof(HieraCircle))};
    g_autofree guint32 *number_of = g_new(guint32, (gsize)of->n_joins + 1);
    g_autofree guint8 *keeps = hiera_replay_find_keeping(of->trace);
    gsize n_processors = (gsize)of->trace->n_processors + 1;
    Gather gather = {
        .teller = {graph, of, scope, number_of, keeps}, .all = &graph->all, .n_edges = g_new0(guint32, n_processors)};
    gather.joins = g_array_new(FALSE, FALSE, sizeof(Join));
    gather.entries = g_array_new(FALSE, FALSE, sizeof(JoinEdge));
    graph->all.first_call = g_new0(guint32, n_processors);
    find_nodes(graph, of);
    hiera_scope_gather(scope, of->trace, tell_counts, hear_counts, &gather);
    guint32 n_edges = make_room(&gather);
    hiera_scope_gather(scope, of->trace, tell, hear, &gather);
    if (hiera_scope_leads(scope)) {
        make_graph(&gather, n_edges);
        g_clear_pointer(&gather.number, g_free);
        g_clear_pointer(&gather.names, g_free);
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
