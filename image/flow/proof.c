/* Whether jumps to pointers go where they were found to go. The walk looks at what is near; here that is held against
 * all paths, and what does not follow from them becomes a doubt. See README.md. */
#include "jump_values.h"
#include "walk.h"
#include <string.h>

/* No block is evaluated more often, on the average: values change at most a few times. */
enum { ROUNDS_MAX = 16 };
/* In larger functions nothing is proved: the values of all blocks take a kilobyte each. */
enum { BLOCKS_MAX = 50000 };

#define AT "jump at 0x%" G_GINT64_MODIFIER "x: "

typedef struct {
    HieraFlow *flow;
    HieraEvaluation evaluation;
    HieraValue *before; /* of each block: the registers at its begin */
    gboolean *is_known; /* of each block: whether something has led to it */
    gboolean *is_waiting;
    guint64 n_left;        /* instructions that may still be evaluated */
    gboolean inside_taken; /* the function makes an address of its own inside */
} Proof;

static HieraValue *registers_before(const Proof *proof, guint block)
{
    return proof->before + (gsize)block * HIERA_REGISTERS_MAX;
}

static gboolean is_same(const HieraValue *a, const HieraValue *b)
{
    return a->kind == b->kind && a->number == b->number && a->base == b->base && a->size == b->size &&
           a->shift == b->shift && a->is_signed == b->is_signed;
}

/* Whether a value is an address that is not inside the function. */
static gboolean leads_out(const HieraFlow *flow, const HieraValue *value)
{
    return value->kind == HIERA_VALUE_POINTER ||
           (value->kind == HIERA_VALUE_CONSTANT && !hiera_function_has(flow->function, value->number));
}

/* What is known of a value that is one or the other. */
static HieraValue join(const HieraFlow *flow, const HieraValue *a, const HieraValue *b)
{
    if (is_same(a, b))
        return *a;
    return (HieraValue){.kind = leads_out(flow, a) && leads_out(flow, b) ? HIERA_VALUE_POINTER : HIERA_VALUE_UNKNOWN};
}

/* The registers after a block are among those before the next one. */
static void lead_to(Proof *proof, guint block)
{
    HieraValue *before = registers_before(proof, block);
    gboolean changed = !proof->is_known[block];
    if (changed)
        memcpy(before, proof->evaluation.values, sizeof proof->evaluation.values);
    for (guint i = 0; proof->is_known[block] && i < HIERA_REGISTERS_MAX; i++) {
        HieraValue joined = join(proof->flow, &before[i], &proof->evaluation.values[i]);
        changed |= !is_same(&joined, &before[i]);
        before[i] = joined;
    }
    proof->is_known[block] = TRUE;
    proof->is_waiting[block] |= changed;
}

static void look_for_inside(Proof *proof)
{
    for (guint i = 0; i < HIERA_REGISTERS_MAX; i++) {
        const HieraValue *value = &proof->evaluation.values[i];
        proof->inside_taken |= value->kind == HIERA_VALUE_CONSTANT && value->number != proof->flow->function->address &&
                               hiera_function_has(proof->flow->function, value->number);
    }
}

/* At the landing pad of a call, only those registers are as before that a call may not change. */
static void lead_to_landing(Proof *proof, guint64 call)
{
    const HieraFlow *flow = proof->flow;
    guint64 pad = flow->landing_edges->len > 0 ? hiera_function_landing(flow->function, call) : 0;
    guint node = pad != 0 ? hiera_flow_block(flow, pad) : HIERA_NO_NODE;
    HieraValue kept[HIERA_REGISTERS_MAX];
    if (node == HIERA_NO_NODE)
        return;
    memcpy(kept, proof->evaluation.values, sizeof kept);
    for (guint i = 0; i < HIERA_REGISTERS_MAX; i++)
        if (proof->evaluation.registers->changed >> i & 1)
            proof->evaluation.values[i] = (HieraValue){.kind = HIERA_VALUE_UNKNOWN};
    lead_to(proof, node);
    memcpy(proof->evaluation.values, kept, sizeof kept);
}

/* Evaluate the first n instructions of a block. */
static void evaluate(Proof *proof, guint node, guint n)
{
    const HieraBlock *block = &g_array_index(proof->flow->blocks, HieraBlock, node);
    memcpy(proof->evaluation.values, registers_before(proof, node), sizeof proof->evaluation.values);
    for (guint i = 0; i < n; i++) {
        guint64 address = g_array_index(proof->flow->instructions, HieraInstruction, block->first + i).address;
        hiera_evaluate_step(&proof->evaluation, address);
        look_for_inside(proof);
        lead_to_landing(proof, address);
    }
}

/* @return false if it would take too long */
static gboolean pass(Proof *proof, guint node)
{
    const HieraFlowGraph *graph = proof->flow->graph;
    guint n = g_array_index(proof->flow->blocks, HieraBlock, node).n;
    proof->is_waiting[node] = FALSE;
    if (proof->n_left < n)
        return FALSE;
    proof->n_left -= n;
    evaluate(proof, node, n);
    for (guint i = graph->next.first[node]; i < graph->next.first[node + 1]; i++)
        lead_to(proof, graph->next.nodes[i]);
    return TRUE;
}

/* Find the values of registers before each block, along all paths from the entry. @return false if it takes too long */
static gboolean evaluate_all(Proof *proof)
{
    const HieraFlowGraph *graph = proof->flow->graph;
    for (guint i = 0; i < HIERA_REGISTERS_MAX; i++)
        proof->evaluation.values[i] = (HieraValue){.kind = HIERA_VALUE_POINTER};
    proof->evaluation.values[proof->evaluation.registers->stack] = (HieraValue){.kind = HIERA_VALUE_STACK};
    lead_to(proof, 0);
    for (gboolean again = TRUE; again;) {
        again = FALSE;
        for (guint i = 0; i < graph->n_reached; i++) {
            if (!proof->is_waiting[graph->order[i]])
                continue;
            if (!pass(proof, graph->order[i]))
                return FALSE;
            again = TRUE;
        }
    }
    return TRUE;
}

/* A jump to a pointer is a call of another function if the stack frame is gone or there never is one, the pointer was
 * made elsewhere, and nothing there or here knows an address inside the function. */
static void judge_call(Proof *proof, const HieraPointerJump *jump, const HieraValue *value)
{
    gboolean of_functions = value->kind == HIERA_VALUE_LOADED && value->size == 8;
    if (!leads_out(proof->flow, value) && !of_functions)
        hiera_flow_doubt(proof->flow, AT "its address is computed, it may stay in the function", jump->address);
    else if (proof->inside_taken || hiera_functions_inside_is_known(proof->flow->functions, proof->flow->function))
        hiera_flow_doubt(proof->flow, AT "it may go to an address inside the function, which is in the data",
                         jump->address);
    else if (proof->evaluation.moves_stack && !hiera_object_has_no_frame(proof->flow->functions->object, jump->address))
        hiera_flow_doubt(proof->flow, AT "the stack frame is not known to be gone, it may stay in the function",
                         jump->address);
}

static void judge(Proof *proof, const HieraPointerJump *jump)
{
    guint node = hiera_flow_block(proof->flow, jump->address);
    if (node == HIERA_NO_NODE || !proof->is_known[node])
        return;
    evaluate(proof, node, g_array_index(proof->flow->blocks, HieraBlock, node).n - 1);
    HieraValue value = hiera_evaluate_target(&proof->evaluation, jump->address);
    if (jump->leaves)
        judge_call(proof, jump, &value);
    else if (!is_same(&value, &jump->value))
        hiera_flow_doubt(proof->flow, AT "address of its table is not certain", jump->address);
}

void hiera_flow_prove(HieraFlow *flow)
{
    guint n = flow->blocks->len;
    if (flow->pointer_jumps->len == 0)
        return;
    if (n > BLOCKS_MAX) {
        hiera_flow_doubt(flow, "too large: where its jumps go is not certain");
        return;
    }
    g_autofree HieraValue *before = g_new(HieraValue, (gsize)n * HIERA_REGISTERS_MAX);
    g_autofree gboolean *is_known = g_new0(gboolean, n), *is_waiting = g_new0(gboolean, n);
    Proof proof = {.flow = flow, .before = before, .is_known = is_known, .is_waiting = is_waiting};
    proof.n_left = (guint64)flow->instructions->len * ROUNDS_MAX;
    proof.evaluation = (HieraEvaluation){
        .registers = hiera_registers_of(flow->decoder->object->machine), .flow = flow, .is_whole = TRUE};
    if (!evaluate_all(&proof))
        hiera_flow_doubt(flow, "too many paths: where its jumps go is not certain");
    for (guint i = 0; i < flow->pointer_jumps->len; i++)
        judge(&proof, &g_array_index(flow->pointer_jumps, HieraPointerJump, i));
}
