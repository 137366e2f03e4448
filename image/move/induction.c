/* Finds what changes once in each iteration of a loop. See induction.h. */
#include "induction.h"
#include "spare.h"

enum { RSP = 4 };

static const HieraLoop *loop_of(const HieraFlow *flow, guint loop)
{
    return flow->loops->pdata[loop];
}

static const HieraBlock *block_of(const HieraFlow *flow, guint block)
{
    return &g_array_index(flow->blocks, HieraBlock, block);
}

static gboolean *mark_inside(const HieraFlow *flow, const HieraLoop *loop)
{
    gboolean *is_inside = g_new0(gboolean, flow->blocks->len);
    for (guint i = 0; i < loop->nodes->len; i++)
        is_inside[g_array_index(loop->nodes, guint, i)] = TRUE;
    return is_inside;
}

static gboolean is_crossed(const HieraFlow *flow, guint loop)
{
    g_autofree gboolean *is_inside = mark_inside(flow, loop_of(flow, loop));
    for (guint i = 0; i < flow->table_edges->len; i++) {
        const HieraTableEdge *edge = &g_array_index(flow->table_edges, HieraTableEdge, i);
        guint from = hiera_flow_block(flow, edge->from), to = hiera_flow_block(flow, edge->to);
        if (from == HIERA_NO_NODE || to == HIERA_NO_NODE || is_inside[from] != is_inside[to] ||
            (is_inside[to] && loop_of(flow, loop)->header == to))
            return TRUE;
    }
    return FALSE;
}

static gboolean dominates(const HieraInductionSearch *steps, guint by, guint block)
{
    return hiera_flow_graph_dominates(steps->flow->graph, by, block);
}

/* Mark the blocks that are reached from a block without a new iteration. */
static void reach(const HieraInductionSearch *steps, guint from, gboolean *reached)
{
    const HieraNeighbours *next = &steps->flow->graph->next;
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(open, from);
    while (open->len > 0) {
        guint block = g_array_index(open, guint, open->len - 1);
        g_array_set_size(open, open->len - 1);
        for (guint i = next->first[block]; i < next->first[block + 1]; i++) {
            guint to = next->nodes[i];
            if (!steps->is_inside[to] || to == steps->loop->header || reached[to])
                continue;
            reached[to] = TRUE;
            g_array_append_val(open, to);
        }
    }
}

gboolean hiera_induction_has_changed(const HieraFlow *flow, const HieraInduction *induction, guint from)
{
    return hiera_flow_graph_dominates(flow->graph, induction->block, from);
}

/* Whether a block is executed once in each iteration, and it is known at each exit whether it was in the last one. */
static gboolean is_once(const HieraInductionSearch *steps, guint block)
{
    for (guint i = 0; i < steps->loop->latches->len; i++)
        if (!dominates(steps, block, g_array_index(steps->loop->latches, guint, i)))
            return FALSE;
    for (guint i = 0; i < steps->flow->loops->len; i++) {
        const HieraLoop *inner = loop_of(steps->flow, i);
        for (guint j = 0; j < inner->nodes->len && inner->depth > steps->loop->depth; j++)
            if (g_array_index(inner->nodes, guint, j) == block)
                return FALSE;
    }
    g_autofree gboolean *reached = g_new0(gboolean, steps->flow->blocks->len);
    reach(steps, block, reached);
    for (guint i = 0; i < steps->loop->exits->len; i++) {
        guint from = g_array_index(steps->loop->exits, HieraFlowEdge, i).from;
        if (!dominates(steps, block, from) && reached[from])
            return FALSE;
    }
    return TRUE;
}

/* Whether each way on from a block is known, and none calls. */
static gboolean is_simple(const HieraInductionSearch *steps, guint block)
{
    const HieraBlock *of = block_of(steps->flow, block);
    for (guint i = 0; i < of->n; i++) {
        const HieraInstruction *instruction =
            &g_array_index(steps->flow->instructions, HieraInstruction, of->first + i);
        gboolean jumps = instruction->kind == HIERA_FLOW_JUMP || instruction->kind == HIERA_FLOW_BRANCH;
        if (!jumps && instruction->kind != HIERA_FLOW_ON && instruction->kind != HIERA_FLOW_JUMP_POINTER)
            return FALSE;
        if (jumps && hiera_flow_block(steps->flow, instruction->target) == HIERA_NO_NODE)
            return FALSE;
    }
    const HieraNeighbours *next = &steps->flow->graph->next;
    return next->first[block + 1] > next->first[block];
}

/* Whether a loop may be left from a block, in each iteration. */
static gboolean is_exit(const HieraInductionSearch *steps, guint block)
{
    for (guint i = 0; i < steps->loop->latches->len; i++)
        if (!dominates(steps, block, g_array_index(steps->loop->latches, guint, i)))
            return FALSE;
    for (guint i = 0; i < steps->loop->exits->len; i++)
        if (g_array_index(steps->loop->exits, HieraFlowEdge, i).from == block)
            return TRUE;
    return FALSE;
}

static void look_at_block(HieraInductionSearch *steps, guint block)
{
    const HieraBlock *of = block_of(steps->flow, block);
    gboolean is_exiting = is_exit(steps, block);
    HieraInstruction again;
    steps->loaded = NULL;
    steps->flags = (HieraStepsFlags){.of = NULL};
    for (int i = 0; i < HIERA_STEPS_REGISTERS; i++)
        steps->copied[i] = NULL;
    for (guint i = 0; i < of->n; i++) {
        const HieraInstruction *instruction =
            &g_array_index(steps->flow->instructions, HieraInstruction, of->first + i);
        if (hiera_decoder_decode(steps->flow->decoder, instruction->address, &again))
            hiera_induction_look(steps, block, is_exiting);
        else
            for (int j = 0; j < HIERA_STEPS_CANDIDATES; j++)
                steps->all[j].is_spoiled = TRUE;
    }
}

/* The first time finds numbers in the frame, the second time what changes them: a store may come before they are known.
 */
static void look_at_all(HieraInductionSearch *steps)
{
    for (int turn = 0; turn < 2; turn++) {
        for (guint i = 0; i < HIERA_STEPS_CANDIDATES; i++)
            steps->all[i] = (HieraCandidate){.is = steps->all[i].is};
        for (guint i = 0; i < steps->loop->nodes->len; i++)
            look_at_block(steps, g_array_index(steps->loop->nodes, guint, i));
    }
    hiera_induction_spoil_slots(steps);
}

static HieraInduction find(const HieraFlow *flow, guint loop, gboolean frame)
{
    HieraInduction found = {.is_crossed = is_crossed(flow, loop)};
    HieraInductionSearch steps = {.flow = flow, .loop = loop_of(flow, loop), .has_frame = frame};
    if (steps.loop->irreducible || found.is_crossed || steps.loop->depth > HIERA_PLAN_STARTS)
        return found;
    for (guint i = 0; i < steps.loop->nodes->len; i++)
        if (!is_simple(&steps, g_array_index(steps.loop->nodes, guint, i)))
            return found;
    steps.is_inside = mark_inside(flow, steps.loop);
    for (int i = 0; i < HIERA_STEPS_REGISTERS; i++)
        steps.all[i].is.reg = (guint8)i;
    look_at_all(&steps);
    for (guint i = 0; i < HIERA_STEPS_CANDIDATES; i++) {
        const HieraCandidate *one = &steps.all[i];
        gboolean is_good =
            i != RSP && one->n == 1 && !one->is_spoiled && (one->is.bytes == 8 || hiera_induction_ends(one));
        gboolean is_better = !found.is_found || (found.reg < HIERA_STEPS_REGISTERS && i < HIERA_STEPS_REGISTERS &&
                                                 one->is.bytes > found.bytes);
        if (is_good && is_better && is_once(&steps, one->is.block)) {
            found = one->is;
            found.is_found = TRUE;
            found.slot = (guint8)(steps.loop->depth - 1);
        }
    }
    g_free(steps.is_inside);
    return found;
}

HieraInduction *hiera_inductions_of(const HieraFlow *flow)
{
    HieraInduction *all = g_new0(HieraInduction, flow->loops->len + 1);
    gboolean frame = hiera_induction_has_frame(flow);
    for (guint i = 0; i < flow->loops->len; i++)
        all[i] = find(flow, i, frame);
    HieraLive live = hiera_live_of(flow);
    hiera_spare_find(flow, &live, all);
    hiera_live_clear(&live);
    return all;
}
