/* See shared_nodes.h. */
#include "shared_nodes.h"
#include "replay_parts.h"
#include <stdlib.h>

enum { SAMPLES = 256 }; /* of a process, for the windows */

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

/* All on which something depends, and that depend on something; the first of each processor. */
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

/* --- windows --- */

typedef struct {
    gint64 time_ns, weight;
} Sample;

typedef struct {
    HieraSharedNodes *nodes;
    GArray *samples; /* Sample */
} Survey;

static guint64 count_own(const HieraSharedNodes *nodes)
{
    const HieraDependences *of = nodes->of;
    guint64 n = 0;
    for (guint32 i = 0; i < of->trace->n_processors; i++)
        n += hiera_scope_is_own(nodes->scope, i) ? of->first_call[i + 1] - of->first_call[i] : 0;
    return n;
}

/* Tell the ends of some calls. */
static void tell_samples(HieraPacker *to, gpointer user)
{
    const HieraSharedNodes *nodes = ((const Survey *)user)->nodes;
    const HieraDependences *of = nodes->of;
    g_autoptr(GArray) samples = g_array_new(FALSE, FALSE, sizeof(Sample));
    guint32 step = (guint32)(count_own(nodes) / SAMPLES) + 1;
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        for (guint32 call = of->first_call[i]; hiera_scope_is_own(nodes->scope, i) && call < of->first_call[i + 1];
             call++) {
            Sample sample = {of->finish_ns[call], step};
            if ((call - of->first_call[i]) % step == step / 2)
                g_array_append_val(samples, sample);
        }
    }
    hiera_pack_array(to, samples);
}

static void hear_samples(HieraUnpacker *from, gpointer user)
{
    hiera_unpack_array(from, ((Survey *)user)->samples);
}

static gint compare_samples(gconstpointer left, gconstpointer right)
{
    const Sample *a = left, *b = right;
    return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

/* Cut the run where as many samples are on both sides as there should be. */
static void set_limits(const Survey *survey)
{
    const HieraSharedNodes *nodes = survey->nodes;
    gint64 sum = 0, before = 0;
    guint window = 0;
    g_array_sort(survey->samples, compare_samples);
    for (guint i = 0; i < survey->samples->len; i++)
        sum += g_array_index(survey->samples, Sample, i).weight;
    for (guint i = 0; i < survey->samples->len; i++) {
        const Sample *sample = &g_array_index(survey->samples, Sample, i);
        before += sample->weight;
        for (; window + 1 < nodes->n_windows && before * nodes->n_windows >= sum * (window + 1); window++)
            nodes->limits[window] = sample->time_ns;
    }
    for (; window < nodes->n_windows; window++)
        nodes->limits[window] = G_MAXINT64;
}

static void tell_limits(HieraPacker *to, gpointer user)
{
    const HieraSharedNodes *nodes = user;
    hiera_pack_bytes(to, nodes->limits, nodes->n_windows * sizeof *nodes->limits);
}

static void hear_limits(HieraUnpacker *from, gpointer user)
{
    const HieraSharedNodes *nodes = user;
    hiera_unpack_bytes(from, nodes->limits, nodes->n_windows * sizeof *nodes->limits);
}

static void agree_on_windows(HieraSharedNodes *nodes)
{
    g_autoptr(GArray) samples = g_array_new(FALSE, FALSE, sizeof(Sample));
    Survey survey = {nodes, samples};
    nodes->n_windows = hiera_scope_count_processes(nodes->scope);
    nodes->limits = g_new0(gint64, nodes->n_windows);
    hiera_scope_gather(nodes->scope, nodes->of->trace, tell_samples, hear_samples, &survey);
    if (hiera_scope_leads(nodes->scope))
        set_limits(&survey);
    hiera_scope_tell(nodes->scope, nodes->of->trace, tell_limits, hear_limits, nodes);
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

/* --- joins --- */

/* A process tells of a join its own calls; one that no call belongs to is told by all that know it. */
static gboolean tells_join(const HieraSharedNodes *nodes, guint32 join)
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
    for (guint32 join = 0; join < of->n_joins; join++) {
        gboolean goes_on = join > 0 && of->join_row[join - 1] == of->join_row[join];
        nodes->ordinal[join] = goes_on ? nodes->ordinal[join - 1] + 1 : 1;
        nodes->join_window[join] =
            tells_join(nodes, join) ? hiera_shared_nodes_window(nodes, of->join_ns[join]) : HIERA_NONE;
    }
}

void hiera_shared_nodes_init(HieraSharedNodes *nodes, const HieraDependences *of, const HieraScope *scope)
{
    *nodes = (HieraSharedNodes){.of = of, .scope = scope, .bits = g_new0(guint64, (gsize)of->n_calls / 64 + 1)};
    nodes->keeps = hiera_replay_find_keeping(of->trace);
    find_nodes(nodes);
    agree_on_windows(nodes);
    number_joins(nodes);
}

void hiera_shared_nodes_clear(HieraSharedNodes *nodes)
{
    g_free(nodes->bits);
    g_free(nodes->ordinal);
    g_free(nodes->join_window);
    g_free(nodes->keeps);
    g_free(nodes->limits);
}

/* --- what is told --- */

void hiera_told_window_init(HieraToldWindow *told)
{
    *told = (HieraToldWindow){
        g_array_new(FALSE, FALSE, sizeof(HieraNodeName)), g_array_new(FALSE, FALSE, sizeof(HieraNodeName)),
        g_array_new(FALSE, FALSE, sizeof(HieraToldProcessor)), g_array_new(FALSE, FALSE, sizeof(HieraToldNode)),
        g_array_new(FALSE, FALSE, sizeof(HieraNodeName))};
}

void hiera_told_window_clear(HieraToldWindow *told)
{
    g_array_unref(told->joins);
    g_array_unref(told->entries);
    g_array_unref(told->processors);
    g_array_unref(told->nodes);
    g_array_unref(told->edges);
}

static guint32 number_of(const HieraSharedNodes *nodes, guint32 row)
{
    return hiera_scope_number(nodes->scope, nodes->of->trace, row);
}

static HieraNodeName name_of(const HieraSharedNodes *nodes, guint32 node)
{
    const HieraDependences *of = nodes->of;
    gboolean call = node < of->n_calls;
    guint32 row = call ? of->row[node] : of->join_row[node - of->n_calls];
    return (HieraNodeName){hiera_dependences_time(of, node), hiera_trace_find_processor(of->trace, row),
                           number_of(nodes, row), call ? 0 : nodes->ordinal[node - of->n_calls], 0};
}

static void tell_join(const HieraSharedNodes *nodes, guint32 join, const HieraToldWindow *told)
{
    const HieraDependences *of = nodes->of;
    guint32 node = of->n_calls + join;
    HieraNodeName name = name_of(nodes, node);
    for (guint32 edge = of->first_edge[node]; edge < of->first_edge[node + 1]; edge++) {
        if (of->from[edge] < of->n_calls && !is_own(nodes, of->from[edge]))
            continue;
        HieraNodeName entry = name_of(nodes, of->from[edge]);
        g_array_append_val(told->entries, entry);
        name.n++;
    }
    g_array_append_val(told->joins, name);
}

/* Between two nodes a rank computes, and does what takes as long on an ideal network. */
static gint64 find_gap(const HieraSharedNodes *nodes, guint32 call, guint32 next, gint64 next_ns)
{
    const HieraDependences *of = nodes->of;
    gint64 gap_ns = hiera_replay_kept(of, nodes->keeps, call);
    for (guint32 i = call + 1; i < next; i++) {
        gap_ns = hiera_plus(gap_ns, hiera_minus(of->start_ns[i], of->finish_ns[i - 1]));
        gap_ns = hiera_plus(gap_ns, hiera_replay_kept(of, nodes->keeps, i));
    }
    return hiera_plus(gap_ns, hiera_minus(next_ns, of->finish_ns[next - 1]));
}

static guint32 tell_edges(const HieraSharedNodes *nodes, guint32 call, const HieraToldWindow *told)
{
    const HieraDependences *of = nodes->of;
    guint32 n = 0;
    for (guint32 edge = of->first_edge[call]; edge < of->first_edge[call + 1]; edge++) {
        if (of->from[edge] == HIERA_NONE)
            continue;
        HieraNodeName name = name_of(nodes, of->from[edge]);
        g_array_append_val(told->edges, name);
        n++;
    }
    return n;
}

static void tell_processor(const HieraSharedNodes *nodes, guint32 processor, guint window, const HieraToldWindow *told)
{
    const HieraDependences *of = nodes->of;
    guint32 behind = of->first_call[processor + 1];
    guint32 call = hiera_shared_nodes_next(nodes, hiera_shared_nodes_first(nodes, processor, window), behind);
    HieraToldProcessor all = {.processor = processor, .process = hiera_scope_process(nodes->scope)};
    gint64 finalize_ns = of->trace->processors[processor].finalize_ns;
    while (call < behind && of->finish_ns[call] <= nodes->limits[window]) {
        guint32 next = hiera_shared_nodes_next(nodes, call + 1, behind);
        gint64 next_ns = next < behind ? of->start_ns[next] : finalize_ns;
        HieraToldNode node = {number_of(nodes, of->row[call]), tell_edges(nodes, call, told), of->start_ns[call],
                              find_gap(nodes, call, next, next_ns)};
        g_array_append_val(told->nodes, node);
        all.n_nodes++;
        call = next;
    }
    all.next_number = call < behind ? number_of(nodes, of->row[call]) : HIERA_NONE;
    all.next_ns = call < behind ? of->start_ns[call] : finalize_ns;
    g_array_append_val(told->processors, all);
}

void hiera_shared_nodes_tell(const HieraSharedNodes *nodes, guint window, HieraToldWindow *told)
{
    const HieraDependences *of = nodes->of;
    for (guint32 join = 0; join < of->n_joins; join++) {
        if (nodes->join_window[join] == window)
            tell_join(nodes, join, told);
    }
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        if (hiera_scope_is_own(nodes->scope, i))
            tell_processor(nodes, i, window, told);
    }
}
