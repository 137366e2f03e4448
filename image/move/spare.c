#include "spare.h"

/* rax, rcx, rdx, rsi, rdi, r8, r9, r11: no stack frame counts from one of these, as it may from r10. */
#define USABLE ((guint32)0x0bc7)

static const HieraLoop *loop_of(const HieraFlow *flow, guint loop)
{
    return flow->loops->pdata[loop];
}

static guint32 bit_of(guint reg)
{
    int number = hiera_steps_register(reg);
    return number >= 0 ? (guint32)1 << number : 0;
}

/* The registers that the instruction decoded last has to do with; of one that is not known, all. */
static guint32 used_by(const HieraFlow *flow)
{
    const cs_insn *raw = flow->decoder->raw;
    const cs_x86 *x86 = &raw->detail->x86;
    cs_regs read, written;
    uint8_t n_read = 0, n_written = 0;
    guint32 used = 0;
    if (raw->id == 0 || cs_regs_access(flow->decoder->handle, raw, read, &n_read, written, &n_written) != 0)
        return USABLE;
    for (guint i = 0; i < n_read; i++)
        used |= bit_of(read[i]);
    for (guint i = 0; i < n_written; i++)
        used |= bit_of(written[i]);
    for (guint i = 0; i < x86->op_count; i++) {
        const cs_x86_op *operand = &x86->operands[i];
        if (operand->type == X86_OP_REG)
            used |= bit_of(operand->reg);
        else if (operand->type == X86_OP_MEM)
            used |= bit_of(operand->mem.base) | bit_of(operand->mem.index);
    }
    return hiera_steps_changes_others(raw) ? USABLE : used;
}

/* The registers that a block has to do with. */
static guint32 used_in(const HieraFlow *flow, guint block)
{
    const HieraBlock *of = &g_array_index(flow->blocks, HieraBlock, block);
    HieraInstruction again;
    guint32 used = 0;
    for (guint i = 0; i < of->n; i++) {
        const HieraInstruction *instruction = &g_array_index(flow->instructions, HieraInstruction, of->first + i);
        used |= hiera_decoder_decode(flow->decoder, instruction->address, &again) ? used_by(flow) : USABLE;
    }
    return used;
}

/* Whether execution goes from a block only to others, of the function, that are known. */
static gboolean is_simple(const HieraFlow *flow, guint block)
{
    const HieraBlock *of = &g_array_index(flow->blocks, HieraBlock, block);
    for (guint i = 0; i < of->n; i++) {
        const HieraInstruction *instruction = &g_array_index(flow->instructions, HieraInstruction, of->first + i);
        gboolean jumps = instruction->kind == HIERA_FLOW_JUMP || instruction->kind == HIERA_FLOW_BRANCH;
        if ((!jumps && instruction->kind != HIERA_FLOW_ON) ||
            (jumps && hiera_flow_block(flow, instruction->target) == HIERA_NO_NODE))
            return FALSE;
    }
    return flow->graph->next.first[block + 1] > flow->graph->next.first[block];
}

static gboolean is_target(const GArray *edges, guint64 address)
{
    for (guint i = 0; i < edges->len; i++)
        if (g_array_index(edges, HieraTableEdge, i).to == address)
            return TRUE;
    return FALSE;
}

static guint range_of(const HieraFlow *flow, guint block)
{
    guint64 begin = g_array_index(flow->blocks, HieraBlock, block).begin;
    for (guint i = 0; i < flow->function->ranges->len; i++) {
        const HieraCodeRange *range = &g_array_index(flow->function->ranges, HieraCodeRange, i);
        if (begin >= range->begin && begin < range->end)
            return i;
    }
    return G_MAXUINT;
}

/* Whether a loop has only simple blocks, in one range, to none of which a table leads. */
static gboolean is_plain(const HieraFlow *flow, guint number)
{
    const HieraLoop *loop = loop_of(flow, number);
    if (loop->irreducible)
        return FALSE;
    for (guint i = 0; i < number; i++)
        if (loop_of(flow, i)->header == loop->header)
            return FALSE;
    for (guint i = 0; i < loop->nodes->len; i++) {
        guint block = g_array_index(loop->nodes, guint, i);
        guint64 begin = g_array_index(flow->blocks, HieraBlock, block).begin;
        if (!is_simple(flow, block) || range_of(flow, block) != range_of(flow, loop->header) ||
            is_target(flow->table_edges, begin) || is_target(flow->landing_edges, begin))
            return FALSE;
    }
    return range_of(flow, loop->header) != G_MAXUINT;
}

/* The registers that are needed where a loop begins, and behind it. */
static guint32 needed_around(const HieraFlow *flow, const HieraLive *live, const HieraLoop *loop)
{
    guint32 needed = live->blocks[loop->header];
    for (guint i = 0; i < loop->nodes->len; i++) {
        guint block = g_array_index(loop->nodes, guint, i);
        for (guint j = flow->graph->next.first[block]; j < flow->graph->next.first[block + 1]; j++)
            needed |= live->blocks[flow->graph->next.nodes[j]];
    }
    return needed;
}

/* Find a register for a loop. It is one that nobody needs, so nothing has to be kept: a handler of a signal could
 * change what is kept. @param taken  those that count the loops around it */
static void find_register(const HieraFlow *flow, const HieraLive *live, const HieraLoop *loop, guint32 taken,
                          HieraInduction *found)
{
    guint32 used = taken | needed_around(flow, live, loop);
    for (guint i = 0; i < loop->nodes->len; i++)
        used |= used_in(flow, g_array_index(loop->nodes, guint, i));
    for (guint8 reg = 0; reg < HIERA_STEPS_REGISTERS && !found->is_spare; reg++)
        if ((USABLE & ~used) >> reg & 1) {
            found->is_spare = TRUE;
            found->reg = reg;
        }
}

void hiera_spare_find(const HieraFlow *flow, const HieraLive *live, HieraInduction *all)
{
    g_autofree guint32 *taken = g_new0(guint32, flow->loops->len + 1);
    for (guint i = 0; i < flow->loops->len; i++) {
        const HieraLoop *loop = loop_of(flow, i);
        gboolean is_innermost = i + 1 == flow->loops->len || loop_of(flow, i + 1)->parent != i;
        taken[i] = loop->parent == HIERA_NO_NODE ? 0 : taken[loop->parent];
        if (!is_plain(flow, i))
            continue;
        all[i].is_doubled = is_innermost;
        if (!all[i].is_found)
            find_register(flow, live, loop, taken[i], &all[i]);
        if (all[i].is_spare)
            taken[i] |= (guint32)1 << all[i].reg;
    }
}
