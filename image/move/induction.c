/* Finds what changes once in each iteration of a loop. See induction.h. */
#include "induction.h"
#include "image/flow/jump_values.h"
#include <string.h>

enum { REGISTERS = 16, RSP = 4, RBP = 5, SLOTS = 16, CANDIDATES = REGISTERS + SLOTS, STEP_MAX = 1 << 20 };

/* A register or a number in the stack frame, and how it changes in a loop. */
typedef struct {
    HieraInduction is;
    guint n;              /* number of instructions that change it as wanted */
    gboolean is_spoiled;  /* it changes in other ways, too */
    gboolean is_compared; /* a block from which the loop may be left compares it */
} Candidate;

typedef struct {
    const HieraFlow *flow;
    const HieraLoop *loop;
    gboolean *is_inside; /* by block */
    Candidate all[CANDIDATES];
    guint n_slots;
    gboolean has_frame; /* rbp is the begin of the stack frame, and stays that */
    gboolean stores;    /* the loop stores through pointers */
    Candidate *loaded;  /* of the instructions just before: what they loaded into a register, and added to that */
    int loaded_to;
    gint64 added;
} Search;

/* Number of the register of which one is a part; -1: it is no general register. */
static int number_of(guint reg)
{
    switch (reg) {
    case X86_REG_AH:
        return 0;
    case X86_REG_CH:
        return 1;
    case X86_REG_DH:
        return 2;
    case X86_REG_BH:
        return 3;
    default:
        return hiera_x86_registers.number_of(reg);
    }
}

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

/* --- what instructions change --- */

static gboolean is_in_frame(const Search *search, const cs_x86_op *operand)
{
    return operand->type == X86_OP_MEM && operand->mem.segment == X86_REG_INVALID &&
           (operand->mem.base == X86_REG_RSP || (operand->mem.base == X86_REG_RBP && search->has_frame));
}

/* Return the candidate that an operand is; NULL: it is none. */
static Candidate *candidate_of(Search *search, const cs_x86_op *operand)
{
    if (operand->type == X86_OP_REG && operand->size >= 4 && number_of(operand->reg) >= 0)
        return &search->all[number_of(operand->reg)];
    if (!is_in_frame(search, operand) || operand->mem.index != X86_REG_INVALID ||
        (operand->size != 4 && operand->size != 8) || operand->mem.disp != (gint32)operand->mem.disp)
        return NULL;
    guint base = (guint)number_of(operand->mem.base);
    for (guint i = 0; i <= search->n_slots && i < SLOTS; i++) {
        Candidate *slot = &search->all[REGISTERS + i];
        if (i == search->n_slots) {
            search->n_slots++;
            slot->is = (HieraInduction){.reg = HIERA_INDUCTION_STACK,
                                        .bytes = operand->size,
                                        .base = (guint8)base,
                                        .displacement = (gint32)operand->mem.disp};
        }
        if (slot->is.base == base && slot->is.displacement == operand->mem.disp && slot->is.bytes == operand->size)
            return slot;
    }
    return NULL;
}

/* The step by which an instruction changes its first operand; 0: it does something else. */
static gint64 step_of(const cs_insn *raw)
{
    const cs_x86 *x86 = &raw->detail->x86;
    const cs_x86_op *to = &x86->operands[0], *by = &x86->operands[1];
    switch (raw->id) {
    case X86_INS_INC:
        return 1;
    case X86_INS_DEC:
        return -1;
    case X86_INS_ADD:
        return x86->op_count == 2 && by->type == X86_OP_IMM ? by->imm : 0;
    case X86_INS_SUB:
        return x86->op_count == 2 && by->type == X86_OP_IMM ? -by->imm : 0;
    case X86_INS_LEA:
        return to->size == 8 && by->mem.base == to->reg && by->mem.index == X86_REG_INVALID ? by->mem.disp : 0;
    default:
        return 0;
    }
}

static void change(Candidate *candidate, const cs_x86_op *operand, gint64 step, guint block)
{
    gboolean is_good = step != 0 && step <= STEP_MAX && step >= -STEP_MAX && operand->size >= 4;
    candidate->is_spoiled |= !is_good || candidate->n > 0;
    candidate->n++;
    candidate->is.step = is_good ? (gint32)step : 0;
    candidate->is.block = block;
    candidate->is.bytes = operand->size;
}

/* A store to the stack frame may change a part of what a candidate has. */
static void spoil_slots(Search *search, const cs_x86_op *to, const Candidate *but)
{
    gboolean is_exact = to->mem.index == X86_REG_INVALID && to->size > 0;
    for (guint i = 0; i < search->n_slots; i++) {
        Candidate *slot = &search->all[REGISTERS + i];
        gint64 at = slot->is.displacement;
        gboolean is_apart = is_exact && number_of(to->mem.base) == slot->is.base &&
                            (to->mem.disp >= at + slot->is.bytes || to->mem.disp + to->size <= at);
        if (slot != but && !is_apart)
            slot->is_spoiled = TRUE;
    }
}

static void spoil_register(Search *search, int number)
{
    if (number < 0)
        return;
    search->all[number].is_spoiled = TRUE;
    for (guint i = 0; i < search->n_slots; i++)
        search->all[REGISTERS + i].is_spoiled |= search->all[REGISTERS + i].is.base == number;
}

/* Whether an instruction changes registers that are none of its operands: it is taken to change all. */
static gboolean changes_others(const cs_insn *raw)
{
    static const guint ids[] = {
        X86_INS_LOOP,  X86_INS_LOOPE,  X86_INS_LOOPNE, X86_INS_SYSCALL, X86_INS_SYSENTER,  X86_INS_INT,
        X86_INS_CPUID, X86_INS_RDTSC,  X86_INS_RDTSCP, X86_INS_CMPXCHG, X86_INS_CMPXCHG8B, X86_INS_CMPXCHG16B,
        X86_INS_ENTER, X86_INS_MOVSB,  X86_INS_MOVSW,  X86_INS_MOVSQ,   X86_INS_STOSB,     X86_INS_STOSW,
        X86_INS_STOSD, X86_INS_STOSQ,  X86_INS_LODSB,  X86_INS_LODSW,   X86_INS_LODSD,     X86_INS_LODSQ,
        X86_INS_SCASB, X86_INS_SCASW,  X86_INS_SCASD,  X86_INS_SCASQ,   X86_INS_CMPSB,     X86_INS_CMPSW,
        X86_INS_CMPSQ, X86_INS_XGETBV, X86_INS_RDPMC,  X86_INS_XLATB};
    const cs_x86_op *operands = raw->detail->x86.operands;
    for (guint i = 0; i < G_N_ELEMENTS(ids); i++)
        if (ids[i] == raw->id)
            return TRUE;
    gboolean is_string = operands[0].type == X86_OP_MEM && operands[1].type == X86_OP_MEM;
    return raw->id == 0 || ((raw->id == X86_INS_MOVSD || raw->id == X86_INS_CMPSD) && is_string);
}

/* The registers that an instruction changes, but for one that it changes by a step. */
static void spoil_registers(Search *search, const cs_insn *raw, int but)
{
    cs_regs read, written;
    uint8_t n_read = 0, n_written = 0;
    gboolean is_known = cs_regs_access(search->flow->decoder->handle, raw, read, &n_read, written, &n_written) == 0;
    for (int i = 0; i < REGISTERS && (!is_known || changes_others(raw)); i++)
        spoil_register(search, i);
    for (guint i = 0; i < n_written; i++)
        if (number_of(written[i]) != but)
            spoil_register(search, number_of(written[i]));
    for (guint i = 0; i < raw->detail->x86.op_count && !hiera_x86_registers.compares(raw); i++) {
        const cs_x86_op *operand = &raw->detail->x86.operands[i];
        gboolean may_change = i == 0 || raw->id == X86_INS_XCHG || raw->id == X86_INS_XADD || raw->id == X86_INS_MULX;
        if (operand->type == X86_OP_REG && may_change && number_of(operand->reg) != but && raw->id != X86_INS_PUSH)
            spoil_register(search, number_of(operand->reg));
    }
}

/* Load, add, store: how a number in memory is changed without optimisation. @return  the step of a store; else 0 */
static gint64 follow(Search *search, const cs_insn *raw, const Candidate *to)
{
    const cs_x86 *x86 = &raw->detail->x86;
    const cs_x86_op *operands = x86->operands;
    gboolean is_move = raw->id == X86_INS_MOV && x86->op_count == 2;
    Candidate *loaded = search->loaded;
    gint64 added = search->added, step = step_of(raw);
    search->loaded = NULL;
    search->added = 0;
    if (is_move && operands[0].type == X86_OP_REG && operands[1].type == X86_OP_MEM) {
        search->loaded = candidate_of(search, &operands[1]);
        search->loaded_to = number_of(operands[0].reg);
    } else if (loaded && added == 0 && step != 0 && operands[0].type == X86_OP_REG &&
               number_of(operands[0].reg) == search->loaded_to && operands[0].size == loaded->is.bytes) {
        search->loaded = loaded;
        search->added = step;
    } else if (loaded && is_move && to == loaded && operands[1].type == X86_OP_REG &&
               number_of(operands[1].reg) == search->loaded_to) {
        return added;
    }
    return 0;
}

static void look(Search *search, const cs_insn *raw, guint block, gboolean is_exiting)
{
    const cs_x86 *x86 = &raw->detail->x86;
    const cs_x86_op *to = &x86->operands[0];
    gboolean compares = hiera_x86_registers.compares(raw), is_vector = raw->id == 0;
    Candidate *candidate = x86->op_count > 0 && !is_vector ? candidate_of(search, to) : NULL;
    gint64 step = compares ? 0 : step_of(raw), by_store = is_vector ? 0 : follow(search, raw, candidate);
    gboolean is_change = candidate && !compares && (step != 0 || by_store != 0);
    for (guint i = 0; i < x86->op_count && is_exiting && !is_vector; i++) {
        Candidate *read = candidate_of(search, &x86->operands[i]);
        if (read && (compares || (is_change && raw->id != X86_INS_LEA) || x86->operands[i].type == X86_OP_MEM))
            read->is_compared = TRUE;
    }
    if (is_change)
        change(candidate, to, step != 0 ? step : by_store, block);
    spoil_registers(search, raw, is_change && to->type == X86_OP_REG ? number_of(to->reg) : -1);
    if (is_change && to->type == X86_OP_REG) /* addresses that count from it change */
        for (guint i = 0; i < search->n_slots; i++)
            search->all[REGISTERS + i].is_spoiled |= search->all[REGISTERS + i].is.base == candidate - search->all;
    HieraEffect effect = is_vector ? (HieraEffect){.stores = TRUE} : hiera_x86_effect(raw);
    if (!effect.stores || compares)
        return;
    if (x86->op_count > 0 && !is_vector && is_in_frame(search, to))
        spoil_slots(search, to, is_change ? candidate : NULL);
    else
        search->stores = TRUE;
}

/* --- the whole function: is there a frame, and who may know addresses in it? --- */

/* Whether rbp is made the begin of the stack frame, and changes only where the function ends. */
static gboolean has_frame(const HieraFlow *flow)
{
    HieraInstruction again;
    guint n_set = 0;
    for (guint i = 0; i < flow->instructions->len; i++) {
        const HieraInstruction *instruction = &g_array_index(flow->instructions, HieraInstruction, i);
        const cs_insn *raw = flow->decoder->raw;
        if (!hiera_decoder_decode(flow->decoder, instruction->address, &again) || raw->id == 0)
            return FALSE;
        const cs_x86_op *operands = raw->detail->x86.operands;
        if (raw->id == X86_INS_LEAVE || raw->id == X86_INS_PUSH || raw->id == X86_INS_POP || raw->id == X86_INS_CMP ||
            raw->id == X86_INS_TEST || raw->detail->x86.op_count == 0 || operands[0].type != X86_OP_REG ||
            number_of(operands[0].reg) != RBP)
            continue;
        if (raw->id != X86_INS_MOV || operands[1].type != X86_OP_REG || operands[1].reg != X86_REG_RSP || n_set++ > 0)
            return FALSE;
    }
    return n_set == 1;
}

/* A slot whose address, or that of something that may begin before it, is taken somewhere: a store through a pointer
 * may change it. */
static void spoil_known_slots(Search *search)
{
    HieraInstruction again;
    for (guint i = 0; i < search->flow->instructions->len && search->n_slots > 0 && search->stores; i++) {
        const HieraInstruction *instruction = &g_array_index(search->flow->instructions, HieraInstruction, i);
        const cs_insn *raw = search->flow->decoder->raw;
        if (instruction->kind != HIERA_FLOW_ON ||
            !hiera_decoder_decode(search->flow->decoder, instruction->address, &again))
            continue;
        const cs_x86_op *operands = raw->detail->x86.operands;
        gboolean is_lea = raw->id == X86_INS_LEA && is_in_frame(search, &operands[1]);
        gboolean is_copy = raw->id == X86_INS_MOV && operands[1].type == X86_OP_REG &&
                           (operands[1].reg == X86_REG_RSP || (operands[1].reg == X86_REG_RBP && search->has_frame)) &&
                           !(search->has_frame && operands[0].type == X86_OP_REG && operands[0].reg == X86_REG_RBP);
        is_lea = is_lea && !(operands[0].type == X86_OP_REG && operands[0].reg == X86_REG_RSP);
        for (guint j = 0; j < search->n_slots && (is_lea || is_copy); j++) {
            Candidate *slot = &search->all[REGISTERS + j];
            gboolean is_behind = is_lea && number_of(operands[1].mem.base) == slot->is.base &&
                                 operands[1].mem.index == X86_REG_INVALID &&
                                 operands[1].mem.disp >= slot->is.displacement + slot->is.bytes;
            slot->is_spoiled |= !is_behind;
        }
    }
}

/* --- ways through the loop --- */

static gboolean dominates(const Search *search, guint by, guint block)
{
    return hiera_flow_graph_dominates(search->flow->graph, by, block);
}

/* Mark the blocks that are reached from a block without a new iteration. */
static void reach(const Search *search, guint from, gboolean *reached)
{
    const HieraNeighbours *next = &search->flow->graph->next;
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(open, from);
    while (open->len > 0) {
        guint block = g_array_index(open, guint, open->len - 1);
        g_array_set_size(open, open->len - 1);
        for (guint i = next->first[block]; i < next->first[block + 1]; i++) {
            guint to = next->nodes[i];
            if (!search->is_inside[to] || to == search->loop->header || reached[to])
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
static gboolean is_once(const Search *search, guint block)
{
    for (guint i = 0; i < search->loop->latches->len; i++)
        if (!dominates(search, block, g_array_index(search->loop->latches, guint, i)))
            return FALSE;
    for (guint i = 0; i < search->flow->loops->len; i++) {
        const HieraLoop *inner = loop_of(search->flow, i);
        for (guint j = 0; j < inner->nodes->len && inner->depth > search->loop->depth; j++)
            if (g_array_index(inner->nodes, guint, j) == block)
                return FALSE;
    }
    g_autofree gboolean *reached = g_new0(gboolean, search->flow->blocks->len);
    reach(search, block, reached);
    for (guint i = 0; i < search->loop->exits->len; i++) {
        guint from = g_array_index(search->loop->exits, HieraFlowEdge, i).from;
        if (!dominates(search, block, from) && reached[from])
            return FALSE;
    }
    return TRUE;
}

/* Whether each way on from a block is known, and none calls. */
static gboolean is_simple(const Search *search, guint block)
{
    const HieraBlock *of = block_of(search->flow, block);
    for (guint i = 0; i < of->n; i++) {
        const HieraInstruction *instruction =
            &g_array_index(search->flow->instructions, HieraInstruction, of->first + i);
        gboolean jumps = instruction->kind == HIERA_FLOW_JUMP || instruction->kind == HIERA_FLOW_BRANCH;
        if (!jumps && instruction->kind != HIERA_FLOW_ON && instruction->kind != HIERA_FLOW_JUMP_POINTER)
            return FALSE;
        if (jumps && hiera_flow_block(search->flow, instruction->target) == HIERA_NO_NODE)
            return FALSE;
    }
    const HieraNeighbours *next = &search->flow->graph->next;
    return next->first[block + 1] > next->first[block];
}

static gboolean is_exit(const Search *search, guint block)
{
    for (guint i = 0; i < search->loop->exits->len; i++)
        if (g_array_index(search->loop->exits, HieraFlowEdge, i).from == block)
            return TRUE;
    return FALSE;
}

static void look_at_block(Search *search, guint block)
{
    const HieraBlock *of = block_of(search->flow, block);
    gboolean is_exiting = is_exit(search, block);
    HieraInstruction again;
    search->loaded = NULL;
    for (guint i = 0; i < of->n; i++) {
        const HieraInstruction *instruction =
            &g_array_index(search->flow->instructions, HieraInstruction, of->first + i);
        if (hiera_decoder_decode(search->flow->decoder, instruction->address, &again))
            look(search, search->flow->decoder->raw, block, is_exiting);
        else
            for (int j = 0; j < CANDIDATES; j++)
                search->all[j].is_spoiled = TRUE;
    }
}

/* The first time finds numbers in the frame, the second time what changes them: a store may come before they are known.
 */
static void look_at_all(Search *search)
{
    for (int turn = 0; turn < 2; turn++) {
        for (guint i = 0; i < CANDIDATES; i++)
            search->all[i] = (Candidate){.is = search->all[i].is};
        for (guint i = 0; i < search->loop->nodes->len; i++)
            look_at_block(search, g_array_index(search->loop->nodes, guint, i));
    }
    spoil_known_slots(search);
}

static HieraInduction find(const HieraFlow *flow, guint loop, gboolean frame)
{
    HieraInduction found = {.is_crossed = is_crossed(flow, loop)};
    Search search = {.flow = flow, .loop = loop_of(flow, loop), .has_frame = frame};
    if (search.loop->irreducible || found.is_crossed || search.loop->depth > HIERA_PLAN_STARTS)
        return found;
    for (guint i = 0; i < search.loop->nodes->len; i++)
        if (!is_simple(&search, g_array_index(search.loop->nodes, guint, i)))
            return found;
    search.is_inside = mark_inside(flow, search.loop);
    for (int i = 0; i < REGISTERS; i++)
        search.all[i].is.reg = (guint8)i;
    look_at_all(&search);
    for (guint i = 0; i < CANDIDATES; i++) {
        const Candidate *one = &search.all[i];
        gboolean is_good = i != RSP && one->n == 1 && !one->is_spoiled && (one->is.bytes == 8 || one->is_compared);
        gboolean is_better = !found.is_found || (found.reg < REGISTERS && i < REGISTERS && one->is.bytes > found.bytes);
        if (is_good && is_better && is_once(&search, one->is.block)) {
            found = one->is;
            found.is_found = TRUE;
            found.slot = (guint8)(search.loop->depth - 1);
        }
    }
    g_free(search.is_inside);
    return found;
}

HieraInduction *hiera_inductions_of(const HieraFlow *flow)
{
    HieraInduction *all = g_new0(HieraInduction, flow->loops->len + 1);
    gboolean frame = has_frame(flow);
    for (guint i = 0; i < flow->loops->len; i++)
        all[i] = find(flow, i, frame);
    return all;
}
