/* Writes the graph as GraphML, without igraph: vertices and edges go through the processors, kind after kind, so that
 * several processes can write it together. A message belongs to its sender, a collective to its first member, a pair to
 * the call that started it, or to the access to the window. */
#include "export/export_collectives.h"
#include "export/export_flows.h"
#include "export/export_numbers.h"
#include "export/export_parts.h"
#include "export/exports.h"
#include "graph/edge_visits.h"
#include "graphml_words.h"

/* Kinds of pairs in the match, and the kinds of edges that they become. */
static const struct {
    HieraPairs pairs;
    HieraEdge edge;
} kinds[] = {{HIERA_PAIRS_REQUEST, HIERA_EDGE_REQUEST},
             {HIERA_PAIRS_TRANSFER, HIERA_EDGE_TRANSFER},
             {HIERA_PAIRS_COMPLETION, HIERA_EDGE_COMPLETION},
             {HIERA_PAIRS_EPOCH, HIERA_EDGE_EPOCH}};

typedef struct {
    guint32 processor;
    HieraPair pair;
} OwnPair;

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraFlows flows;
    HieraExportCollectives collectives;
    guint32 *first_hub; /* by processor: number, from 0, of the first vertex among those of its collectives */
    GArray *pairs[G_N_ELEMENTS(kinds)]; /* by kind: OwnPair of this process's processors, sorted by processor */
    GArray *last;                       /* scratch memory of hiera_edges_visit_tree() */
    /* state while the part of one processor is written: */
    FILE *stream;
    guint32 processor, hub; /* the processor; number of the vertex of the current or next collective */
} Graphml;

static guint64 number_of_processor(const Graphml *graphml, guint32 processor)
{
    const guint32 *first = graphml->scope->share.first;
    return (first ? first[processor] : graphml->trace->processors[processor].first) + processor + 1;
}

static guint64 number_of(const Graphml *graphml, guint32 row)
{
    guint32 processor = hiera_trace_find_processor(graphml->trace, row);
    return (guint64)hiera_scope_row_of_all(graphml->scope, graphml->trace, row) + processor + 2;
}

static guint64 number_of_hub(const Graphml *graphml, guint32 hub)
{
    guint64 others = hiera_scope_count_operations(graphml->scope, graphml->trace);
    return others + graphml->trace->n_processors + hub + 1;
}

static gboolean has_vertex(const Graphml *graphml, guint32 collective)
{
    guint n;
    return hiera_collective_has_vertex(&hiera_match_peek_collectives(graphml->match, &n)[collective]);
}

/* --- writing vertices --- */

static void write_own_vertices(guint32 processor, FILE *stream, gpointer user)
{
    const Graphml *graphml = user;
    hiera_graphml_vertices(stream, graphml->trace, processor, number_of_processor(graphml, processor));
}

static void write_hub(guint32 number, guint32 index, gpointer user)
{
    Graphml *graphml = user;
    (void)number;
    if (has_vertex(graphml, index))
        hiera_graphml_collective(graphml->stream, number_of_hub(graphml, graphml->hub++));
}

static void visit_collectives(Graphml *graphml, guint32 processor, FILE *stream, HieraCollectiveVisit visit)
{
    graphml->stream = stream;
    graphml->hub = graphml->first_hub[processor];
    hiera_export_collectives_visit(&graphml->collectives, processor, visit, graphml);
}

static void write_hubs(guint32 processor, FILE *stream, gpointer user)
{
    visit_collectives(user, processor, stream, write_hub);
}

/* --- writing edges --- */

static void write_tree_edge(HieraEdge kind, guint32 from, guint32 to, gpointer user)
{
    const Graphml *graphml = user;
    const guint64 processor = number_of_processor(graphml, graphml->processor);
    /* Number of an operation's vertex, minus the operation's row. */
    const guint64 shift = processor + 1 - graphml->trace->processors[graphml->processor].first;
    hiera_graphml_edge(graphml->stream, kind, from == HIERA_NONE ? processor : from + shift, to + shift, FALSE);
}

static void write_tree(guint32 processor, FILE *stream, gpointer user)
{
    Graphml *graphml = user;
    graphml->stream = stream;
    graphml->processor = processor;
    hiera_edges_visit_tree(graphml->trace, processor, graphml->last, write_tree_edge, graphml);
}

static void write_messages(guint32 processor, FILE *stream, gpointer user)
{
    guint n;
    const Graphml *graphml = user;
    const HieraProcessor *of = &graphml->trace->processors[processor];
    const GArray *leaving = graphml->flows.leaving;
    const HieraMessage *messages = hiera_match_peek_messages(graphml->match, &n);
    for (guint i = hiera_flows_find(leaving, (guint32)of->first); i < leaving->len; i++) {
        const HieraExportFlow *flow = &g_array_index(leaving, HieraExportFlow, i);
        const HieraMessage *message = &messages[flow->message];
        if (flow->row >= of->first + of->n_operations)
            return;
        hiera_graphml_edge(stream, HIERA_EDGE_MESSAGE, number_of(graphml, message->from),
                           number_of(graphml, message->to), message->doubt != HIERA_DOUBT_NONE);
    }
}

static guint64 number_or_hub(const Graphml *graphml, guint32 row)
{
    return row == HIERA_NONE ? number_of_hub(graphml, graphml->hub) : number_of(graphml, row);
}

static void write_dependence(guint32 from, guint32 to, gpointer user)
{
    const Graphml *graphml = user;
    hiera_graphml_edge(graphml->stream, HIERA_EDGE_COLLECTIVE, number_or_hub(graphml, from), number_or_hub(graphml, to),
                       FALSE);
}

static void write_dependences(guint32 number, guint32 index, gpointer user)
{
    Graphml *graphml = user;
    (void)number;
    hiera_edges_visit_collective(graphml->match, index, write_dependence, graphml);
    graphml->hub += has_vertex(graphml, index);
}

static void write_collective_edges(guint32 processor, FILE *stream, gpointer user)
{
    visit_collectives(user, processor, stream, write_dependences);
}

static void write_pairs(const Graphml *graphml, guint kind, guint32 processor, FILE *stream)
{
    const GArray *pairs = graphml->pairs[kind];
    guint low = 0, high = pairs->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(pairs, OwnPair, middle).processor < processor)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < pairs->len && g_array_index(pairs, OwnPair, low).processor == processor; low++) {
        const HieraPair *pair = &g_array_index(pairs, OwnPair, low).pair;
        hiera_graphml_edge(stream, kinds[kind].edge, number_of(graphml, pair->start),
                           number_of(graphml, pair->completion), FALSE);
    }
}

static void write_requests(guint32 processor, FILE *stream, gpointer user)
{
    write_pairs(user, 0, processor, stream);
}

static void write_transfers(guint32 processor, FILE *stream, gpointer user)
{
    write_pairs(user, 1, processor, stream);
}

static void write_completions(guint32 processor, FILE *stream, gpointer user)
{
    write_pairs(user, 2, processor, stream);
}

static void write_epochs(guint32 processor, FILE *stream, gpointer user)
{
    write_pairs(user, 3, processor, stream);
}

/* --- finding the pairs of operations of this process's processors --- */

static gboolean is_access(const HieraTrace *trace, guint32 row)
{
    HieraKind kind = hiera_trace_peek_site(trace, row)->kind;
    return kind == HIERA_KIND_PUT || kind == HIERA_KIND_GET || kind == HIERA_KIND_UPDATE;
}

static gint compare_pairs(gconstpointer a, gconstpointer b)
{
    const OwnPair *x = a, *y = b;
    if (x->processor != y->processor)
        return x->processor < y->processor ? -1 : 1;
    if (x->pair.start != y->pair.start)
        return x->pair.start < y->pair.start ? -1 : 1;
    return (x->pair.completion > y->pair.completion) - (x->pair.completion < y->pair.completion);
}

static GArray *find_pairs(const Graphml *graphml, HieraPairs kind)
{
    guint n;
    const HieraPair *pairs = hiera_match_peek_pairs(graphml->match, kind, &n);
    GArray *own = g_array_new(FALSE, FALSE, sizeof(OwnPair));
    for (guint i = 0; i < n; i++) {
        gboolean of_start = kind != HIERA_PAIRS_TRANSFER || is_access(graphml->trace, pairs[i].start);
        guint32 processor = hiera_trace_find_processor(graphml->trace, of_start ? pairs[i].start : pairs[i].completion);
        const OwnPair pair = {processor, pairs[i]};
        if (hiera_scope_is_own(graphml->scope, processor))
            g_array_append_val(own, pair);
    }
    g_array_sort(own, compare_pairs);
    return own;
}

static void count_hub(guint32 number, guint32 index, gpointer user)
{
    Graphml *graphml = user;
    (void)number;
    graphml->hub += has_vertex(graphml, index);
}

static void number_hubs(Graphml *graphml)
{
    g_autofree guint32 *here = g_new0(guint32, graphml->trace->n_processors);
    for (guint32 i = 0; i < graphml->trace->n_processors; i++) {
        graphml->hub = 0;
        hiera_export_collectives_visit(&graphml->collectives, i, count_hub, graphml);
        here[i] = graphml->hub;
    }
    graphml->first_hub = hiera_export_number(graphml->scope, graphml->trace, here);
}

static void graphml_init(Graphml *graphml, const HieraExportInput *input)
{
    *graphml = (Graphml){.match = input->match, .trace = hiera_match_peek_trace(input->match), .scope = input->scope};
    hiera_flows_init(&graphml->flows, graphml->match, graphml->scope);
    hiera_export_collectives_init(&graphml->collectives, graphml->match, graphml->scope);
    number_hubs(graphml);
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
        graphml->pairs[i] = find_pairs(graphml, kinds[i].pairs);
    graphml->last = g_array_new(FALSE, TRUE, sizeof(guint32));
}

static void graphml_clear(Graphml *graphml)
{
    hiera_flows_clear(&graphml->flows);
    hiera_export_collectives_clear(&graphml->collectives);
    g_free(graphml->first_hub);
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
        g_array_unref(graphml->pairs[i]);
    g_array_unref(graphml->last);
}

gboolean hiera_export_graphml(const HieraExportInput *input, const char *target, GError **error)
{
    static HieraExportPart *const parts[] = {write_own_vertices, write_hubs,        write_tree,
                                             write_messages,     write_requests,    write_collective_edges,
                                             write_transfers,    write_completions, write_epochs};
    HieraOutputFile output;
    Graphml graphml;
    if (!hiera_export_open(&output, input->scope, target, error))
        return FALSE;
    graphml_init(&graphml, input);
    if (output.stream)
        hiera_graphml_head(output.stream);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        hiera_export_write_parts(graphml.scope, graphml.trace, parts[i], output.stream, &graphml);
    if (output.stream)
        hiera_graphml_end(output.stream);
    graphml_clear(&graphml);
    return hiera_export_close(&output, error);
}
