#include "live.h"
#include "image/flow/jump_values.h"
#include "steps.h"
#include <string.h>

enum { REGISTERS = 16 };
#define ALL ((guint32)0x1ffff)
/* The stack pointer: it is always needed. */
#define STACK ((guint32)1 << 4)
/* rcx, rsi, rdi and r8 to r11: neither kept for the caller nor results. A caller that knows this function may still
 * count on those that it does not write. */
#define SCRATCH ((guint32)0x0fc2)

/* Whether a register has no part in common with a general one. */
static gboolean is_other(guint reg)
{
    return reg == X86_REG_INVALID || reg == X86_REG_RIP || reg == X86_REG_EIP ||
           (reg >= X86_REG_XMM0 && reg <= X86_REG_ZMM31) || (reg >= X86_REG_MM0 && reg <= X86_REG_MM7) ||
           (reg >= X86_REG_K0 && reg <= X86_REG_K7) || (reg >= X86_REG_ST0 && reg <= X86_REG_ST7);
}

/* The bit of a register that is read; one that is not known stands for all. */
static guint32 bit_of(guint reg)
{
    int number = hiera_steps_register(reg);
    return number >= 0 ? (guint32)1 << number : is_other(reg) ? 0 : ALL & ~HIERA_LIVE_FLAGS;
}

/* Whether an instruction does not read the flags. */
static gboolean reads_no_flags(const cs_insn *raw)
{
    static const guint ids[] = {
        X86_INS_MOV,   X86_INS_MOVABS, X86_INS_LEA,    X86_INS_MOVZX, X86_INS_MOVSX,   X86_INS_MOVSXD, X86_INS_NOP,
        X86_INS_CDQE,  X86_INS_CWDE,   X86_INS_CDQ,    X86_INS_CQO,   X86_INS_PUSH,    X86_INS_POP,    X86_INS_LEAVE,
        X86_INS_INC,   X86_INS_DEC,    X86_INS_NOT,    X86_INS_SHL,   X86_INS_SHR,     X86_INS_SAR,    X86_INS_IMUL,
        X86_INS_MUL,   X86_INS_DIV,    X86_INS_IDIV,   X86_INS_JMP,   X86_INS_ENDBR64, X86_INS_BSF,    X86_INS_BSR,
        X86_INS_TZCNT, X86_INS_LZCNT,  X86_INS_POPCNT, X86_INS_BSWAP, X86_INS_BT,      X86_INS_ROL,    X86_INS_ROR,
        X86_INS_XCHG,  X86_INS_FLD,    X86_INS_FSTP,   X86_INS_FILD};
    for (guint i = 0; i < G_N_ELEMENTS(ids); i++)
        if (ids[i] == raw->id)
            return TRUE;
    for (guint i = 0; i < raw->detail->groups_count; i++)
        if ((raw->detail->groups[i] >= X86_GRP_SSE1 && raw->detail->groups[i] <= X86_GRP_SSSE3) ||
            raw->detail->groups[i] == X86_GRP_BMI2)
            return raw->detail->regs_write_count == 0 && raw->detail->regs_read_count == 0 &&
                   raw->id != X86_INS_MASKMOVQ && raw->id != X86_INS_MASKMOVDQU;
    return FALSE;
}

/* Whether an instruction sets all flags that others may read, without reading them. */
static gboolean sets_flags(const cs_insn *raw)
{
    static const guint ids[] = {X86_INS_CMP,      X86_INS_TEST,     X86_INS_ADD,   X86_INS_SUB,     X86_INS_AND,
                                X86_INS_OR,       X86_INS_XOR,      X86_INS_NEG,   X86_INS_COMISS,  X86_INS_COMISD,
                                X86_INS_UCOMISS,  X86_INS_UCOMISD,  X86_INS_PTEST, X86_INS_VCOMISS, X86_INS_VCOMISD,
                                X86_INS_VUCOMISS, X86_INS_VUCOMISD, X86_INS_VPTEST};
    for (guint i = 0; i < G_N_ELEMENTS(ids); i++)
        if (ids[i] == raw->id)
            return TRUE;
    return FALSE;
}

/* Whether an instruction depends on the flags, and reads nothing else that is no operand of it. */
static gboolean has_condition(const cs_insn *raw)
{
    const cs_detail *detail = raw->detail;
    gboolean jumps = FALSE;
    for (guint i = 0; i < detail->groups_count; i++)
        jumps |= detail->groups[i] == X86_GRP_JUMP;
    if (jumps)
        return raw->mnemonic[0] == 'j' && !strstr(raw->mnemonic, "cxz");
    return strncmp(raw->mnemonic, "cmov", 4) == 0 ||
           (strncmp(raw->mnemonic, "set", 3) == 0 && detail->x86.op_count == 1 && detail->x86.operands[0].size == 1);
}

/* Registers that an instruction reads although they are no operands of it. */
static guint32 reads_beside(const cs_insn *raw)
{
    switch (raw->id) {
    case X86_INS_CDQE:
    case X86_INS_CWDE:
    case X86_INS_CDQ:
    case X86_INS_CQO:
        return bit_of(X86_REG_RAX);
    case X86_INS_LEAVE:
        return bit_of(X86_REG_RBP);
    case X86_INS_MUL:
    case X86_INS_DIV:
    case X86_INS_IDIV:
        return bit_of(X86_REG_RAX) | bit_of(X86_REG_RDX);
    case X86_INS_IMUL:
        return raw->detail->x86.op_count == 1 ? bit_of(X86_REG_RAX) : 0;
    case X86_INS_SBB:
    case X86_INS_ADC:
        return 0;
    default:
        return sets_flags(raw) || reads_no_flags(raw) || has_condition(raw) ? 0 : ALL;
    }
}

/* The register of which an instruction changes all bits without reading it; 0: none is known. */
static guint32 written_by(const cs_insn *raw)
{
    const cs_x86 *x86 = &raw->detail->x86;
    const cs_x86_op *to = &x86->operands[0];
    if (x86->op_count == 0 || to->type != X86_OP_REG || to->size < 4 || hiera_steps_register(to->reg) < 0)
        return 0;
    if (raw->id == X86_INS_POP)
        return bit_of(to->reg);
    gboolean is_zero = raw->id == X86_INS_XOR && x86->operands[1].type == X86_OP_REG && x86->operands[1].reg == to->reg;
    gboolean is_copy = raw->id == X86_INS_MOV || raw->id == X86_INS_MOVABS || raw->id == X86_INS_LEA ||
                       raw->id == X86_INS_MOVZX || raw->id == X86_INS_MOVSX || raw->id == X86_INS_MOVSXD;
    return is_zero || is_copy ? bit_of(to->reg) : 0;
}

HieraUse hiera_live_use(const cs_insn *raw)
{
    const cs_x86 *x86 = &raw->detail->x86;
    const HieraVector vector = hiera_x86_vector(raw->bytes, sizeof raw->bytes);
    if (vector.length > 0 && vector.reads < G_MAXUINT16)
        return (HieraUse){.reads = vector.reads, .writes = vector.writes | (sets_flags(raw) ? HIERA_LIVE_FLAGS : 0)};
    if (raw->id == 0)
        return (HieraUse){.reads = ALL};
    if (raw->id == X86_INS_NOP) /* its operand fills space */
        return (HieraUse){0};
    HieraUse use = {.reads = reads_beside(raw) & ~HIERA_LIVE_FLAGS, .writes = written_by(raw)};
    for (guint i = 0; i < x86->op_count; i++) {
        const cs_x86_op *operand = &x86->operands[i];
        if (operand->type == X86_OP_MEM)
            use.reads |= bit_of(operand->mem.base) | bit_of(operand->mem.index);
        else if (operand->type == X86_OP_REG && (i > 0 || use.writes == 0) && raw->id != X86_INS_XOR)
            use.reads |= bit_of(operand->reg);
        else if (operand->type == X86_OP_REG && raw->id == X86_INS_XOR)
            use.reads |= bit_of(operand->reg) & ~use.writes; /* a zero does not depend on what it is made of */
    }
    if (sets_flags(raw))
        use.writes |= HIERA_LIVE_FLAGS;
    else if (!reads_no_flags(raw))
        use.reads |= HIERA_LIVE_FLAGS;
    return use;
}

static HieraUse use_at(const HieraFlow *flow, const HieraInstruction *instruction, guint32 written)
{
    HieraInstruction again;
    switch ((HieraFlowKind)instruction->kind) {
    case HIERA_FLOW_JUMP: /* one that leaves the function needs all: see find_block() */
        return (HieraUse){0};
    case HIERA_FLOW_CALL: /* it may leave the flags alone, or have a result in them */
    case HIERA_FLOW_CALL_POINTER:
        return (HieraUse){.reads = ALL & ~HIERA_LIVE_FLAGS};
    case HIERA_FLOW_RETURN: /* what compilers make has a description for unwinding, and no result in the flags */
        if (!hiera_object_frame(flow->functions->object, instruction->address))
            return (HieraUse){.reads = ALL & ~(SCRATCH & written)};
        return (HieraUse){.reads = ALL & ~HIERA_LIVE_FLAGS & ~(SCRATCH & written), .writes = HIERA_LIVE_FLAGS};
    case HIERA_FLOW_ON:
    case HIERA_FLOW_BRANCH:
        if (hiera_decoder_decode(flow->decoder, instruction->address, &again))
            return hiera_live_use(flow->decoder->raw);
        break;
    case HIERA_FLOW_STOP:
        return (HieraUse){.reads = ALL & ~HIERA_LIVE_FLAGS, .writes = HIERA_LIVE_FLAGS};
    case HIERA_FLOW_JUMP_POINTER:
        break;
    }
    return (HieraUse){.reads = ALL};
}

static const HieraInstruction *instruction_of(const HieraFlow *flow, guint block, guint i)
{
    const HieraBlock *of = &g_array_index(flow->blocks, HieraBlock, block);
    return i < of->n ? &g_array_index(flow->instructions, HieraInstruction, of->first + i) : NULL;
}

/* The use of a whole block. A way on that leads nowhere in the function leads to another one. */
static HieraUse find_block(const HieraFlow *flow, guint block, guint32 written)
{
    const HieraBlock *of = &g_array_index(flow->blocks, HieraBlock, block);
    const HieraInstruction *last = instruction_of(flow, block, of->n - 1);
    HieraUse whole = {0};
    gboolean jumps = last->kind == HIERA_FLOW_JUMP || last->kind == HIERA_FLOW_BRANCH;
    gboolean falls = last->kind != HIERA_FLOW_JUMP && last->kind != HIERA_FLOW_RETURN;
    if ((jumps && hiera_flow_block(flow, last->target) == HIERA_NO_NODE) ||
        (falls && hiera_flow_block(flow, of->end) == HIERA_NO_NODE))
        whole.reads = ALL;
    for (guint i = of->n; i > 0; i--) {
        HieraUse use = use_at(flow, instruction_of(flow, block, i - 1), written);
        whole.reads = (whole.reads & ~use.writes) | use.reads;
        whole.writes |= use.writes;
    }
    return whole;
}

/* Registers that the function itself writes, but for those that it gives back: it may keep them for its caller. */
static guint32 find_written(const HieraFlow *flow)
{
    guint32 written = 0, restored = 0;
    HieraInstruction again;
    for (guint i = 0; i < flow->instructions->len; i++) {
        const HieraInstruction *instruction = &g_array_index(flow->instructions, HieraInstruction, i);
        const cs_insn *raw = flow->decoder->raw;
        if (instruction->kind != HIERA_FLOW_ON || !hiera_decoder_decode(flow->decoder, instruction->address, &again) ||
            raw->id == 0)
            continue;
        if (raw->id == X86_INS_POP)
            restored |= written_by(raw);
        else
            written |= written_by(raw);
    }
    return written & ~restored;
}

/* What is needed behind a block in the function. */
static guint32 behind(const HieraFlow *flow, guint block, const guint32 *live)
{
    guint32 all = 0;
    for (guint i = flow->graph->next.first[block]; i < flow->graph->next.first[block + 1]; i++)
        all |= live[flow->graph->next.nodes[i]];
    return all;
}

/* Mark the calls of a block behind which flags are needed. */
static void mark_calls(const HieraFlow *flow, guint block, guint32 written, HieraLive *live)
{
    guint32 needed = behind(flow, block, live->blocks);
    for (guint i = g_array_index(flow->blocks, HieraBlock, block).n; i > 0; i--) {
        const HieraInstruction *instruction = instruction_of(flow, block, i - 1);
        gboolean calls = instruction->kind == HIERA_FLOW_CALL || instruction->kind == HIERA_FLOW_CALL_POINTER;
        HieraUse use = use_at(flow, instruction, written);
        live->flags_behind[g_array_index(flow->blocks, HieraBlock, block).first + i - 1] =
            calls && (needed & HIERA_LIVE_FLAGS) != 0;
        needed = (needed & ~use.writes) | use.reads;
    }
}

HieraLive hiera_live_of(const HieraFlow *flow)
{
    guint n = flow->blocks->len;
    HieraLive live = {g_new0(guint32, n), g_new0(gboolean, flow->instructions->len)};
    guint32 written = find_written(flow);
    g_autofree HieraUse *uses = g_new(HieraUse, n);
    for (guint i = 0; i < n; i++)
        uses[i] = find_block(flow, i, written);
    for (gboolean changed = TRUE; changed;) {
        changed = FALSE;
        for (guint i = n; i > 0; i--) {
            guint32 before = (behind(flow, i - 1, live.blocks) & ~uses[i - 1].writes) | uses[i - 1].reads | STACK;
            changed |= before != live.blocks[i - 1];
            live.blocks[i - 1] = before;
        }
    }
    for (guint i = 0; i < n; i++)
        mark_calls(flow, i, written, &live);
    return live;
}

void hiera_live_clear(HieraLive *live)
{
    g_free(live->blocks);
    g_free(live->flags_behind);
}
