/* Proves where jumps to pointers go. The walk looks at nearby instructions only; here its findings are checked on all
 * paths, and each that does not follow becomes a doubt. See README.md. */
#include "jump_values.h"
#include "walk.h"
#include <string.h>

/* Greatest average number of evaluations of a block; values change at most a few times, so more are not needed. */
enum { ROUNDS_MAX = 16 };
/* Greatest number of blocks of a function for which a proof is tried: the values of each block take a kilobyte. */
enum { BLOCKS_MAX = 50000 };

#define AT "jump at 0x%" G_GINT64_MODIFIER "x: "

typedef struct {
    HieraJumpValue values[HIERA_REGISTERS_MAX];
    HieraJumpLimits limits;
} State;

typedef struct {
    HieraFlow *flow;
    HieraJumpEvaluation evaluation;
    State *before;      /* by block: values known where the block begins */
    gboolean *is_known; /* by block: whether a path has reached the block */
    gboolean *is_waiting;
    guint64 n_left;        /* number of instructions that may still be evaluated */
    gboolean inside_taken; /* whether an instruction of the function computes an address inside the function */
} Proof;

static State keep(const Proof *proof)
{
    State state;
    memcpy(state.values, proof->evaluation.values, sizeof state.values);
    state.limits = proof->evaluation.limits;
    return state;
}

static void go_back_to(Proof *proof, const State *state)
{
    memcpy(proof->evaluation.values, state->values, sizeof state->values);
    proof->evaluation.limits = state->limits;
}

/* Whether a value is an address that is not inside the function. */
static gboolean leads_out(const HieraFlow *flow, const HieraJumpValue *value)
{
    return value->kind == HIERA_VALUE_POINTER ||
           (value->kind == HIERA_VALUE_CONSTANT && !hiera_function_has(flow->function, value->number));
}

/* Return what is known of a register that has, depending on the path, one of two values. */
static HieraJumpValue join(const HieraFlow *flow, const HieraJumpValue *a, const HieraJumpValue *b)
{
    HieraJumpValue joined = *a;
    if (!hiera_value_is_same(a, b))
        joined = (HieraJumpValue){.kind = leads_out(flow, a) && leads_out(flow, b) ? HIERA_VALUE_POINTER
                                                                                   : HIERA_VALUE_UNKNOWN};
    joined.n = a->n > 0 && b->n > 0 ? MAX(a->n, b->n) : 0;
    joined.limit = hiera_limit_join(&a->limit, &b->limit);
    return joined;
}

/* Join the current values of registers and memory into those before `block`, to which a path leads. */
static void lead_to(Proof *proof, guint block)
{
    State *before = &proof->before[block];
    gboolean changed = !proof->is_known[block];
    if (changed)
        *before = keep(proof);
    for (guint i = 0; proof->is_known[block] && i < HIERA_REGISTERS_MAX; i++) {
        HieraJumpValue joined = join(proof->flow, &before->values[i], &proof->evaluation.values[i]);
        changed |= !hiera_value_is_same(&joined, &before->values[i]) || joined.n != before->values[i].n ||
                   !hiera_limit_is_same(&joined.limit, &before->values[i].limit);
        before->values[i] = joined;
    }
    changed |= hiera_limits_join(&before->limits, &proof->evaluation.limits);
    proof->is_known[block] = TRUE;
    proof->is_waiting[block] |= changed;
}

static void look_for_inside(Proof *proof)
{
    for (guint i = 0; i < HIERA_REGISTERS_MAX; i++) {
        const HieraJumpValue *value = &proof->evaluation.values[i];
        proof->inside_taken |= value->kind == HIERA_VALUE_CONSTANT && value->number != proof->flow->function->address &&
                               hiera_function_has(proof->flow->function, value->number);
    }
}

/* Join the current values of registers into those at the landing pad of a call. Only registers that the call may not
 * change keep their values. */
static void lead_to_landing(Proof *proof, guint64 call)
{
    const HieraFlow *flow = proof->flow;
    guint64 pad = flow->landing_edges->len > 0 ? hiera_function_landing(flow->function, call) : 0;
    guint node = pad != 0 ? hiera_flow_block(flow, pad) : HIERA_NO_NODE;
    if (node == HIERA_NO_NODE)
        return;
    State kept = keep(proof);
    for (guint i = 0; i < HIERA_REGISTERS_MAX; i++)
        if (proof->evaluation.registers->changed >> i & 1)
            proof->evaluation.values[i] = (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
    lead_to(proof, node);
    go_back_to(proof, &kept);
}

/* Evaluate the first n instructions of a block. */
static void evaluate(Proof *proof, guint node, guint n)
{
    const HieraBlock *block = &g_array_index(proof->flow->blocks, HieraBlock, node);
    go_back_to(proof, &proof->before[node]);
    for (guint i = 0; i < n; i++) {
        guint64 address = g_array_index(proof->flow->instructions, HieraInstruction, block->first + i).address;
        hiera_evaluate_step(&proof->evaluation, address);
        look_for_inside(proof);
        lead_to_landing(proof, address);
    }
}

/* Restrict limits by the condition of the branch at the end of a block, on the edge to the block `next`. */
static void take_branch(Proof *proof, guint node, guint next)
{
    const HieraBlock *block = &g_array_index(proof->flow->blocks, HieraBlock, node);
    HieraInstruction last = g_array_index(proof->flow->instructions, HieraInstruction, block->first + block->n - 1);
    guint64 to = g_array_index(proof->flow->blocks, HieraBlock, next).begin;
    if (last.kind != HIERA_FLOW_BRANCH || last.target == block->end || (to != last.target && to != block->end) ||
        !hiera_decoder_decode(proof->flow->decoder, last.address, &last))
        return;
    HieraCondition condition = proof->evaluation.registers->condition(proof->flow->decoder->raw);
    if (condition != HIERA_JUMP_IF_OTHER)
        hiera_limits_branch(&proof->evaluation, to == last.target ? condition : (HieraCondition)(condition ^ 1));
}

/* Evaluate a block and pass its values on to its successors. @return  false if it would take too long */
static gboolean pass(Proof *proof, guint node)
{
    const HieraFlowGraph *graph = proof->flow->graph;
    guint n = g_array_index(proof->flow->blocks, HieraBlock, node).n;
    proof->is_waiting[node] = FALSE;
    if (proof->n_left < n)
        return FALSE;
    proof->n_left -= n;
    evaluate(proof, node, n);
    State state = keep(proof);
    for (guint i = graph->next.first[node]; i < graph->next.first[node + 1]; i++) {
        go_back_to(proof, &state);
        take_branch(proof, node, graph->next.nodes[i]);
        lead_to(proof, graph->next.nodes[i]);
    }
    return TRUE;
}

/* Find the values of registers before each block, along all paths from the entry. @return false if it takes too long */
static gboolean evaluate_all(Proof *proof)
{
    const HieraFlowGraph *graph = proof->flow->graph;
    for (guint i = 0; i < HIERA_REGISTERS_MAX; i++)
        proof->evaluation.values[i] = (HieraJumpValue){.kind = HIERA_VALUE_POINTER};
    proof->evaluation.values[proof->evaluation.registers->stack] = (HieraJumpValue){.kind = HIERA_VALUE_STACK};
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

/* Decide whether a jump to a pointer is a call of another function: the stack frame is gone or never existed, the
 * pointer was made elsewhere, and neither the data nor the function has an address inside the function. */
static void judge_call(Proof *proof, const HieraPointerJump *jump, const HieraJumpValue *value)
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

/* Decide whether the table of a jump is certain. @param n  number of elements that the index can select; 0: not known
 */
static void judge_table(Proof *proof, HieraPointerJump *jump, guint64 n)
{
    const HieraFlow *flow = proof->flow;
    jump->value.n = n;
    if (jump->n == 0)
        return;
    if (n == 0 || n > jump->n) {
        hiera_flow_doubt(proof->flow, AT "length of its table is not certain", jump->address);
        return;
    }
    if (!hiera_object_is_constant(flow->functions->object, jump->value.number, (guint64)jump->n * jump->value.size))
        hiera_flow_doubt(proof->flow, AT "its table may change", jump->address);
    for (guint i = 0; i < flow->table_edges->len; i++) {
        const HieraTableEdge *edge = &g_array_index(flow->table_edges, HieraTableEdge, i);
        guint block = edge->from == jump->address ? hiera_flow_block(flow, edge->to) : 0;
        if (block == HIERA_NO_NODE ||
            (edge->from == jump->address && g_array_index(flow->blocks, HieraBlock, block).begin != edge->to))
            hiera_flow_doubt(proof->flow, AT "its table leads out of the function", jump->address);
    }
}

static void judge(Proof *proof, HieraPointerJump *jump)
{
    guint node = hiera_flow_block(proof->flow, jump->address);
    if (node == HIERA_NO_NODE || !proof->is_known[node])
        return;
    evaluate(proof, node, g_array_index(proof->flow->blocks, HieraBlock, node).n - 1);
    HieraJumpValue value = hiera_evaluate_target(&proof->evaluation, jump->address);
    if (jump->leaves)
        judge_call(proof, jump, &value);
    else if (!hiera_value_is_same(&value, &jump->value))
        hiera_flow_doubt(proof->flow, AT "address of its table is not certain", jump->address);
    else
        judge_table(proof, jump, value.n);
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
    g_autofree State *before = g_new(State, n);
    g_autofree gboolean *is_known = g_new0(gboolean, n), *is_waiting = g_new0(gboolean, n);
    Proof proof = {.flow = flow, .before = before, .is_known = is_known, .is_waiting = is_waiting};
    proof.n_left = (guint64)flow->instructions->len * ROUNDS_MAX;
    proof.evaluation = (HieraJumpEvaluation){
        .registers = hiera_registers_of(flow->decoder->object->machine), .flow = flow, .is_whole = TRUE};
    if (!evaluate_all(&proof))
        hiera_flow_doubt(flow, "too many paths: where its jumps go is not certain");
    for (guint i = 0; i < flow->pointer_jumps->len; i++)
        judge(&proof, &g_array_index(flow->pointer_jumps, HieraPointerJump, i));
}
