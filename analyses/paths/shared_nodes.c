#include "shared_nodes.h"
#include "replay.h"
#include <stdlib.h>

enum { SAMPLES = 256 }; /* number of calls per process whose end times decide on the limits of the windows */

/* --- which calls are nodes --- */

static gboolean is_own(const HieraSharedNodes *nodes, guint32 node)
{
    const HieraDependences *of = nodes->of;
    return node < of->n_calls && hiera_scope_is_own(nodes->scope, hiera_dependences_processor(of, node));
}

static void set_node(const HieraSharedNodes *nodes, guint32 call)
{
    nodes->bits[call / 64] |= G_GUINT64_CONSTANT(1) << call % 64;
}

/* Set `bits` of the nodes: calls with a dependence, calls that others depend on, and each processor's first call. */
static void find_nodes(const HieraSharedNodes *nodes)
{
    const HieraDependences *of = nodes->of;
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        if (of->first_call[i] < of->first_call[i + 1])
            set_node(nodes, of->first_call[i]);
    }
    for (guint32 node = 0; node < of->n_calls + of->n_joins; node++) {
        for (guint32 edge = of->first_edge[node]; edge < of->first_edge[node + 1]; edge++) {
            if (of->from[edge] == HIERA_NONE)
                continue;
            if (of->from[edge] < of->n_calls)
                set_node(nodes, of->from[edge]);
            if (node < of->n_calls)
                set_node(nodes, node);
        }
    }
}

static guint32 *count_nodes(const HieraSharedNodes *nodes)
{
    gsize n = (gsize)nodes->of->n_calls / 64 + 1;
    guint32 *before = g_new(guint32, n), sum = 0;
    for (gsize i = 0; i < n; i++) {
        before[i] = sum;
        sum += (guint32)__builtin_popcountll(nodes->bits[i]);
    }
    return before;
}

/* Return the number of nodes among the calls before `call`. */
static guint32 count_before(const HieraSharedNodes *nodes, guint32 call)
{
    guint64 those = (G_GUINT64_CONSTANT(1) << call % 64) - 1;
    return nodes->before[call / 64] + (guint32)__builtin_popcountll(nodes->bits[call / 64] & those);
}

guint32 hiera_shared_nodes_next(const HieraSharedNodes *nodes, guint32 call, guint32 behind)
{
    while (call < behind) {
        guint64 word = nodes->bits[call / 64] >> call % 64;
        if (word != 0)
            return MIN(call + (guint32)__builtin_ctzll(word), behind);
        call += 64 - call % 64;
    }
    return behind;
}

/* --- windows of time --- */

typedef struct {
    gint64 time_ns, weight;
} Sample;

static guint64 count_own(const HieraSharedNodes *nodes)
{
    const HieraDependences *of = nodes->of;
    guint64 n = 0;
    for (guint32 i = 0; i < of->trace->n_processors; i++)
        n += hiera_scope_is_own(nodes->scope, i) ? of->first_call[i + 1] - of->first_call[i] : 0;
    return n;
}

/* Return the end times of evenly chosen calls (Sample) of this process's processors. */
static GArray *take_samples(const HieraSharedNodes *nodes)
{
    const HieraDependences *of = nodes->of;
    GArray *samples = g_array_new(FALSE, FALSE, sizeof(Sample));
    guint32 step = (guint32)(count_own(nodes) / SAMPLES) + 1;
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        for (guint32 call = of->first_call[i]; hiera_scope_is_own(nodes->scope, i) && call < of->first_call[i + 1];
             call++) {
            Sample sample = {of->finish_ns[call], step};
            if ((call - of->first_call[i]) % step == step / 2)
                g_array_append_val(samples, sample);
        }
    }
    return samples;
}

static gint compare_samples(gconstpointer left, gconstpointer right)
{
    const Sample *a = left, *b = right;
    return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

/* Set the limits of the windows so that each has the same weight of samples. */
static void set_limits(const HieraSharedNodes *nodes, GArray *samples)
{
    gint64 sum = 0, before = 0;
    guint window = 0;
    g_array_sort(samples, compare_samples);
    for (guint i = 0; i < samples->len; i++)
        sum += g_array_index(samples, Sample, i).weight;
    for (guint i = 0; i < samples->len; i++) {
        const Sample *sample = &g_array_index(samples, Sample, i);
        before += sample->weight;
        for (; window + 1 < nodes->n_windows && before * nodes->n_windows >= sum * (window + 1); window++)
            nodes->limits[window] = sample->time_ns;
    }
    for (; window < nodes->n_windows; window++)
        nodes->limits[window] = G_MAXINT64;
}

static void pack_limits(HieraPacker *to, gpointer user)
{
    const HieraSharedNodes *nodes = user;
    hiera_pack_bytes(to, nodes->limits, nodes->n_windows * sizeof *nodes->limits);
}

static void unpack_limits(HieraUnpacker *from, gpointer user)
{
    const HieraSharedNodes *nodes = user;
    hiera_unpack_bytes(from, nodes->limits, nodes->n_windows * sizeof *nodes->limits);
}

static void agree_on_windows(HieraSharedNodes *nodes)
{
    g_autoptr(GArray) samples = take_samples(nodes);
    nodes->n_windows = hiera_scope_count_processes(nodes->scope);
    nodes->limits = g_new0(gint64, nodes->n_windows);
    hiera_scope_gather_array(nodes->scope, nodes->of->trace, samples);
    if (hiera_scope_leads(nodes->scope))
        set_limits(nodes, samples);
    hiera_scope_tell(nodes->scope, nodes->of->trace, pack_limits, unpack_limits, nodes);
}

guint hiera_shared_nodes_window(const HieraSharedNodes *nodes, gint64 time_ns)
{
    guint low = 0, high = nodes->n_windows - 1;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (nodes->limits[middle] < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

guint32 hiera_shared_nodes_first(const HieraSharedNodes *nodes, guint32 processor, guint window)
{
    const HieraDependences *of = nodes->of;
    guint32 low = of->first_call[processor], high = of->first_call[processor + 1];
    while (window > 0 && low < high) {
        guint32 middle = low + (high - low) / 2;
        if (of->finish_ns[middle] <= nodes->limits[window - 1])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* --- joins: their numbers, and their windows --- */

/* Whether this process sends a join: it does if one of its own calls belongs to it. A join without calls is sent by all
 * processes that know it. */
static gboolean sends_join(const HieraSharedNodes *nodes, guint32 join)
{
    const HieraDependences *of = nodes->of;
    gboolean any = FALSE, own = FALSE;
    for (guint32 edge = of->first_edge[of->n_calls + join]; edge < of->first_edge[of->n_calls + join + 1]; edge++) {
        any |= of->from[edge] < of->n_calls;
        own |= is_own(nodes, of->from[edge]);
    }
    return own || !any;
}

static void number_joins(HieraSharedNodes *nodes)
{
    const HieraDependences *of = nodes->of;
    nodes->ordinal = g_new(guint32, (gsize)of->n_joins + 1);
    nodes->join_window = g_new(guint32, (gsize)of->n_joins + 1);
    nodes->join_place = g_new(guint32, (gsize)of->n_joins + 1);
    g_autofree guint32 *n_sent = g_new0(guint32, nodes->n_windows);
    for (guint32 join = 0; join < of->n_joins; join++) {
        gboolean goes_on = join > 0 && of->join_row[join - 1] == of->join_row[join];
        nodes->ordinal[join] = goes_on ? nodes->ordinal[join - 1] + 1 : 1;
        nodes->join_window[join] =
            sends_join(nodes, join) ? hiera_shared_nodes_window(nodes, of->join_ns[join]) : HIERA_NONE;
        if (nodes->join_window[join] != HIERA_NONE)
            nodes->join_place[join] = n_sent[nodes->join_window[join]]++;
    }
}

void hiera_shared_nodes_init(HieraSharedNodes *nodes, const HieraDependences *of, const HieraScope *scope)
{
    *nodes = (HieraSharedNodes){.of = of, .scope = scope, .bits = g_new0(guint64, (gsize)of->n_calls / 64 + 1)};
    nodes->busy = hiera_ideal_find_busy(of->trace);
    find_nodes(nodes);
    nodes->before = count_nodes(nodes);
    agree_on_windows(nodes);
    number_joins(nodes);
}

void hiera_shared_nodes_clear(HieraSharedNodes *nodes)
{
    g_free(nodes->bits);
    g_free(nodes->ordinal);
    g_free(nodes->join_window);
    g_free(nodes->join_place);
    g_free(nodes->before);
    g_free(nodes->busy);
    g_free(nodes->limits);
}

/* --- nodes and joins that are sent --- */

void hiera_sent_head_init(HieraSentHead *head)
{
    *head = (HieraSentHead){
        g_array_new(FALSE, FALSE, sizeof(HieraNodeName)), g_array_new(FALSE, FALSE, sizeof(HieraSentEdge)),
        g_array_new(FALSE, FALSE, sizeof(HieraNodeName)), g_array_new(FALSE, FALSE, sizeof(HieraSentProcessor))};
}

void hiera_sent_head_clear(HieraSentHead *head)
{
    g_array_unref(head->joins);
    g_array_unref(head->entries);
    g_array_unref(head->names);
    g_array_unref(head->processors);
}

void hiera_sent_nodes_init(HieraSentNodes *some)
{
    *some = (HieraSentNodes){
        g_new(HieraSentNode, HIERA_SENT_NODES),          g_new(HieraSentEdge, HIERA_SENT_NODES), 0, 0, HIERA_SENT_NODES,
        g_array_new(FALSE, FALSE, sizeof(HieraNodeName))};
}

void hiera_sent_nodes_clear(const HieraSentNodes *some)
{
    g_free(some->nodes);
    g_free(some->edges);
    g_array_unref(some->names);
}

static void make_room(HieraSentNodes *some, guint n_edges)
{
    if (n_edges <= some->room)
        return;
    some->room = MAX(n_edges, 2 * some->room);
    some->edges = g_renew(HieraSentEdge, some->edges, some->room);
}

void hiera_sent_nodes_pack(const HieraSentNodes *some, HieraPacker *to)
{
    hiera_pack_number(to, some->n_nodes);
    hiera_pack_bytes(to, some->nodes, some->n_nodes * sizeof *some->nodes);
    hiera_pack_number(to, some->n_edges);
    hiera_pack_bytes(to, some->edges, some->n_edges * sizeof *some->edges);
    hiera_pack_array(to, some->names);
}

void hiera_sent_nodes_unpack(HieraSentNodes *some, HieraUnpacker *from)
{
    some->n_nodes = (guint)hiera_unpack_number(from);
    hiera_unpack_bytes(from, some->nodes, some->n_nodes * sizeof *some->nodes);
    some->n_edges = (guint)hiera_unpack_number(from);
    make_room(some, some->n_edges);
    hiera_unpack_bytes(from, some->edges, some->n_edges * sizeof *some->edges);
    g_array_set_size(some->names, 0);
    hiera_unpack_array(from, some->names);
}

/* State while this process sends its nodes of one window. */
typedef struct {
    const HieraSharedNodes *nodes;
    guint window;
    gint64 after_ns, last_ns; /* the window has the times after after_ns, up to last_ns */
    guint32 *first;           /* by own processor: its first node in the window */
    guint32 *n_before;        /* by own processor: count_before() of its first node in the window */
    guint32 near;             /* processor of the previous call, tried first for the next one */
} Sending;

static void sending_init(Sending *sending, const HieraSharedNodes *nodes, guint window)
{
    const HieraDependences *of = nodes->of;
    gsize n = (gsize)of->trace->n_processors + 1;
    *sending = (Sending){nodes,
                         window,
                         window > 0 ? nodes->limits[window - 1] : G_MININT64,
                         nodes->limits[window],
                         g_new0(guint32, n),
                         g_new0(guint32, n),
                         0};
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        if (!hiera_scope_is_own(nodes->scope, i))
            continue;
        sending->first[i] =
            hiera_shared_nodes_next(nodes, hiera_shared_nodes_first(nodes, i, window), of->first_call[i + 1]);
        sending->n_before[i] = count_before(nodes, sending->first[i]);
    }
}

static void sending_clear(const Sending *sending)
{
    g_free(sending->first);
    g_free(sending->n_before);
}

/* Return the processor of a call. Calls that depend on each other belong to few processors, so the last one is tried.
 */
static guint32 processor_of(Sending *sending, guint32 call)
{
    const HieraDependences *of = sending->nodes->of;
    if (call < of->first_call[sending->near] || call >= of->first_call[sending->near + 1])
        sending->near = hiera_dependences_processor(of, call);
    return sending->near;
}

static HieraNodeName name_of(const HieraSharedNodes *nodes, guint32 node)
{
    const HieraDependences *of = nodes->of;
    gboolean call = node < of->n_calls;
    guint32 row = call ? of->row[node] : of->join_row[node - of->n_calls];
    return (HieraNodeName){hiera_dependences_time(of, node), hiera_trace_find_processor(of->trace, row),
                           hiera_scope_number(nodes->scope, of->trace, row),
                           call ? 0 : nodes->ordinal[node - of->n_calls], 0};
}

static HieraSentEdge name_edge(const Sending *sending, guint32 node, GArray *names)
{
    HieraNodeName name = name_of(sending->nodes, node);
    g_array_append_val(names, name);
    return (HieraSentEdge){HIERA_EDGE_TO_NAME, names->len - 1};
}

/* Return an edge from a node. A node that another process sends is given by name, since its index is not known. */
static HieraSentEdge make_edge(Sending *sending, guint32 node, GArray *names)
{
    const HieraSharedNodes *nodes = sending->nodes;
    const HieraDependences *of = nodes->of;
    if (node >= of->n_calls) {
        guint32 join = node - of->n_calls;
        return nodes->join_window[join] == sending->window
                   ? (HieraSentEdge){HIERA_EDGE_TO_JOIN, nodes->join_place[join]}
                   : name_edge(sending, node, names);
    }
    guint32 processor = processor_of(sending, node);
    gint64 start_ns = of->start_ns[node];
    if (start_ns <= sending->after_ns || start_ns > sending->last_ns || !hiera_scope_is_own(nodes->scope, processor))
        return name_edge(sending, node, names);
    return (HieraSentEdge){processor, count_before(nodes, node) - sending->n_before[processor]};
}

static void add_join(Sending *sending, guint32 join, const HieraSentHead *head)
{
    const HieraSharedNodes *nodes = sending->nodes;
    const HieraDependences *of = nodes->of;
    guint32 node = of->n_calls + join;
    HieraNodeName name = name_of(nodes, node);
    for (guint32 edge = of->first_edge[node]; edge < of->first_edge[node + 1]; edge++) {
        if (of->from[edge] < of->n_calls && !is_own(nodes, of->from[edge]))
            continue;
        HieraSentEdge entry = make_edge(sending, of->from[edge], head->names);
        g_array_append_val(head->entries, entry);
        name.n++;
    }
    g_array_append_val(head->joins, name);
}

static guint32 count_edges(const HieraDependences *of, guint32 call)
{
    guint32 n = 0;
    for (guint32 edge = of->first_edge[call]; edge < of->first_edge[call + 1]; edge++)
        n += of->from[edge] != HIERA_NONE;
    return n;
}

/* Return the number of a call's operation in its processor, which is one of this process. */
static guint32 number_of(const HieraDependences *of, guint32 processor, guint32 call)
{
    return of->row[call] - (guint32)of->trace->processors[processor].first;
}

static void add_processor(const Sending *sending, guint32 processor, const HieraSentHead *head)
{
    const HieraSharedNodes *nodes = sending->nodes;
    const HieraDependences *of = nodes->of;
    guint32 behind = of->first_call[processor + 1], call = sending->first[processor];
    HieraSentProcessor all = {.processor = processor, .process = hiera_scope_process(nodes->scope)};
    for (; call < behind && of->finish_ns[call] <= sending->last_ns;
         call = hiera_shared_nodes_next(nodes, call + 1, behind)) {
        all.n_nodes++;
        all.n_edges += count_edges(of, call);
    }
    all.next_number = call < behind ? number_of(of, processor, call) : HIERA_NONE;
    all.next_ns = call < behind ? of->start_ns[call] : of->trace->processors[processor].finalize_ns;
    g_array_append_val(head->processors, all);
}

void hiera_shared_nodes_fill_head(const HieraSharedNodes *nodes, guint window, HieraSentHead *head)
{
    const HieraDependences *of = nodes->of;
    Sending sending;
    sending_init(&sending, nodes, window);
    for (guint32 join = 0; join < of->n_joins; join++) {
        if (nodes->join_window[join] == window)
            add_join(&sending, join, head);
    }
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        if (hiera_scope_is_own(nodes->scope, i))
            add_processor(&sending, i, head);
    }
    sending_clear(&sending);
}

/* Return the time that a rank needs between two nodes: computation, and operations that take as long on an ideal
 * network. */
static gint64 find_gap(const HieraSharedNodes *nodes, guint32 call, guint32 next, gint64 next_ns)
{
    const HieraDependences *of = nodes->of;
    gint64 gap_ns = hiera_ideal_busy_ns(of, nodes->busy, call);
    for (guint32 i = call + 1; i < next; i++) {
        gap_ns = hiera_plus(gap_ns, hiera_minus(of->start_ns[i], of->finish_ns[i - 1]));
        gap_ns = hiera_plus(gap_ns, hiera_ideal_busy_ns(of, nodes->busy, i));
    }
    return hiera_plus(gap_ns, hiera_minus(next_ns, of->finish_ns[next - 1]));
}

static void add_node(Sending *sending, guint32 processor, guint32 call, guint32 next, HieraSentNodes *some)
{
    const HieraSharedNodes *nodes = sending->nodes;
    const HieraDependences *of = nodes->of;
    guint before = some->n_edges;
    gint64 next_ns =
        next < of->first_call[processor + 1] ? of->start_ns[next] : of->trace->processors[processor].finalize_ns;
    make_room(some, before + of->first_edge[call + 1] - of->first_edge[call]);
    for (guint32 edge = of->first_edge[call]; edge < of->first_edge[call + 1]; edge++) {
        if (of->from[edge] != HIERA_NONE)
            some->edges[some->n_edges++] = make_edge(sending, of->from[edge], some->names);
    }
    some->nodes[some->n_nodes++] =
        (HieraSentNode){number_of(of, processor, call), some->n_edges - before, of->start_ns[call],
                        hiera_minus(next_ns, find_gap(nodes, call, next, next_ns))};
}

static void hand_over(guint32 processor, HieraSentNodes *some, HieraSentVisit visit, gpointer user)
{
    visit(processor, some, user);
    some->n_nodes = some->n_edges = 0;
    g_array_set_size(some->names, 0);
}

void hiera_shared_nodes_visit(const HieraSharedNodes *nodes, guint window, HieraSentVisit visit, gpointer user)
{
    const HieraDependences *of = nodes->of;
    Sending sending;
    HieraSentNodes some;
    sending_init(&sending, nodes, window);
    hiera_sent_nodes_init(&some);
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        guint32 behind = of->first_call[i + 1], call = sending.first[i], next;
        for (; hiera_scope_is_own(nodes->scope, i) && call < behind && of->finish_ns[call] <= sending.last_ns;
             call = next) {
            next = hiera_shared_nodes_next(nodes, call + 1, behind);
            add_node(&sending, i, call, next, &some);
            if (some.n_nodes == HIERA_SENT_NODES)
                hand_over(i, &some, visit, user);
        }
        if (some.n_nodes > 0)
            hand_over(i, &some, visit, user);
    }
    hiera_sent_nodes_clear(&some);
    sending_clear(&sending);
}
