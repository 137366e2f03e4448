/* Blocks and loops of a function that was decoded. See flow.h. */
#include "flow.h"
#include <stdlib.h>

void hiera_flow_free(HieraFlow *flow)
{
    if (!flow)
        return;
    g_array_unref(flow->instructions);
    g_array_unref(flow->calls);
    g_array_unref(flow->table_edges);
    g_array_unref(flow->landing_edges);
    g_array_unref(flow->pointer_jumps);
    g_ptr_array_unref(flow->doubts);
    if (flow->blocks)
        g_array_unref(flow->blocks);
    if (flow->loops)
        g_ptr_array_unref(flow->loops);
    hiera_flow_graph_free(flow->graph);
    g_free(flow);
}

/* Return the index of the range of a function that contains an address. */
static guint range_of(const HieraFunction *function, guint64 address)
{
    guint i = 0;
    while (i < function->ranges->len && (address < g_array_index(function->ranges, HieraCodeRange, i).begin ||
                                         address >= g_array_index(function->ranges, HieraCodeRange, i).end))
        i++;
    return i;
}

static int compare_addresses(const HieraFunction *function, guint64 a, guint64 b)
{
    guint x = range_of(function, a), y = range_of(function, b);
    if (x != y)
        return x < y ? -1 : 1;
    return a < b ? -1 : a > b;
}

static int compare_instructions(gconstpointer a, gconstpointer b, gpointer function)
{
    return compare_addresses(function, ((const HieraInstruction *)a)->address, ((const HieraInstruction *)b)->address);
}

static int compare_calls(gconstpointer a, gconstpointer b, gpointer function)
{
    return compare_addresses(function, ((const HieraCall *)a)->address, ((const HieraCall *)b)->address);
}

static int compare_table_edges(gconstpointer a, gconstpointer b)
{
    const HieraTableEdge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static void add_target(GHashTable *leaders, guint64 address)
{
    g_hash_table_add(leaders, g_memdup2(&address, sizeof address));
}

/* Find the addresses where blocks begin because jumps, jump tables or landing pads lead there. */
static GHashTable *find_leaders(const HieraFlow *flow)
{
    GHashTable *leaders = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint i = 0; i < flow->instructions->len; i++) {
        const HieraInstruction *instruction = &g_array_index(flow->instructions, HieraInstruction, i);
        if (instruction->kind == HIERA_FLOW_JUMP || instruction->kind == HIERA_FLOW_BRANCH)
            add_target(leaders, instruction->target);
    }
    for (guint i = 0; i < flow->table_edges->len; i++)
        add_target(leaders, g_array_index(flow->table_edges, HieraTableEdge, i).to);
    for (guint i = 0; i < flow->landing_edges->len; i++)
        add_target(leaders, g_array_index(flow->landing_edges, HieraTableEdge, i).to);
    return leaders;
}

static gboolean ends_block(const HieraInstruction *instruction)
{
    return instruction->kind != HIERA_FLOW_ON && instruction->kind != HIERA_FLOW_CALL &&
           instruction->kind != HIERA_FLOW_CALL_POINTER;
}

static void find_blocks(HieraFlow *flow)
{
    g_autoptr(GHashTable) leaders = find_leaders(flow);
    const HieraInstruction *last = NULL;
    for (guint i = 0; i < flow->instructions->len; i++) {
        const HieraInstruction *instruction = &g_array_index(flow->instructions, HieraInstruction, i);
        if (!last || ends_block(last) || last->address + last->length != instruction->address ||
            g_hash_table_contains(leaders, &instruction->address)) {
            const HieraBlock block = {.begin = instruction->address, .first = i};
            g_array_append_val(flow->blocks, block);
        }
        HieraBlock *block = &g_array_index(flow->blocks, HieraBlock, flow->blocks->len - 1);
        block->end = instruction->address + instruction->length;
        block->n++;
        last = instruction;
    }
}

guint hiera_flow_block(const HieraFlow *flow, guint64 address)
{
    guint low = 0, high = flow->blocks->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        const HieraBlock *block = &g_array_index(flow->blocks, HieraBlock, middle);
        if (address >= block->begin && address < block->end)
            return middle;
        if (compare_addresses(flow->function, block->begin, address) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return HIERA_NO_NODE;
}

static void add_edge(const HieraFlow *flow, GArray *edges, guint from, guint64 to)
{
    const HieraFlowEdge edge = {from, hiera_flow_block(flow, to)};
    if (edge.to != HIERA_NO_NODE && g_array_index(flow->blocks, HieraBlock, edge.to).begin == to)
        g_array_append_val(edges, edge);
}

/* Return the index of the first edge from the jump at `from`; if it has none, of the first edge from a later jump. */
static guint first_table_edge(const GArray *edges, guint64 from)
{
    guint low = 0, high = edges->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(edges, HieraTableEdge, middle).from < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_edges(const HieraFlow *flow, GArray *edges, guint from)
{
    const HieraBlock *block = &g_array_index(flow->blocks, HieraBlock, from);
    const HieraInstruction *last = &g_array_index(flow->instructions, HieraInstruction, block->first + block->n - 1);
    switch ((HieraFlowKind)last->kind) {
    case HIERA_FLOW_JUMP_POINTER:
        for (guint i = first_table_edge(flow->table_edges, last->address); i < flow->table_edges->len; i++) {
            const HieraTableEdge *edge = &g_array_index(flow->table_edges, HieraTableEdge, i);
            if (edge->from != last->address)
                break;
            add_edge(flow, edges, from, edge->to);
        }
        break;
    case HIERA_FLOW_BRANCH:
        add_edge(flow, edges, from, last->target);
        add_edge(flow, edges, from, block->end);
        break;
    case HIERA_FLOW_JUMP:
        add_edge(flow, edges, from, last->target);
        break;
    case HIERA_FLOW_ON:
    case HIERA_FLOW_CALL:
    case HIERA_FLOW_CALL_POINTER:
        add_edge(flow, edges, from, block->end);
        break;
    case HIERA_FLOW_RETURN:
    case HIERA_FLOW_STOP:
        break;
    }
}

/* Add a doubt if the code jumps into the middle of its own instructions. */
static void doubt_overlaps(HieraFlow *flow)
{
    for (guint i = 1; i < flow->instructions->len; i++) {
        const HieraInstruction *instruction = &g_array_index(flow->instructions, HieraInstruction, i),
                               *last = instruction - 1;
        if (instruction->address <= last->address || last->address + last->length <= instruction->address)
            continue;
        g_ptr_array_add(flow->doubts,
                        g_strdup_printf("instructions overlap at 0x%" G_GINT64_MODIFIER "x", instruction->address));
        return;
    }
}

/* Make the graph from edges that instructions name and edges to landing pads. Compilers let a landing pad also cover
 * later calls that cannot throw if that makes their tables shorter; so a call behind its landing pad gets no edge: an
 * exception does not go back. */
static void make_graph(HieraFlow *flow, GArray *edges)
{
    guint n = edges->len;
    for (guint i = 0; i < flow->landing_edges->len; i++) {
        const HieraTableEdge *edge = &g_array_index(flow->landing_edges, HieraTableEdge, i);
        add_edge(flow, edges, hiera_flow_block(flow, edge->from), edge->to);
    }
    flow->graph = hiera_flow_graph_new(flow->blocks->len, (const HieraFlowEdge *)edges->data, edges->len);
    guint kept = n;
    for (guint i = n; i < edges->len; i++) {
        const HieraFlowEdge edge = g_array_index(edges, HieraFlowEdge, i);
        if (!hiera_flow_graph_dominates(flow->graph, edge.to, edge.from))
            g_array_index(edges, HieraFlowEdge, kept++) = edge;
    }
    if (kept == edges->len)
        return;
    hiera_flow_graph_free(flow->graph);
    flow->graph = hiera_flow_graph_new(flow->blocks->len, (const HieraFlowEdge *)edges->data, kept);
}

void hiera_flow_finish(HieraFlow *flow)
{
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(HieraFlowEdge));
    g_array_sort_with_data(flow->instructions, compare_instructions, (gpointer)flow->function);
    g_array_sort_with_data(flow->calls, compare_calls, (gpointer)flow->function);
    g_array_sort(flow->table_edges, compare_table_edges);
    flow->blocks = g_array_new(FALSE, FALSE, sizeof(HieraBlock));
    doubt_overlaps(flow);
    find_blocks(flow);
    for (guint i = 0; i < flow->blocks->len; i++)
        add_edges(flow, edges, i);
    make_graph(flow, edges);
    hiera_flow_prove(flow);
    flow->loops = hiera_loops_find(flow->graph);
}
