/* Effect of x86-64 instructions on numbers that may be an index. See limits.h. */
#include "jump_values.h"

static int number_of(guint reg)
{
    return hiera_x86_registers.number_of(reg);
}

/* Whether a register is the second byte of another one (such as ah). */
static gboolean is_high(guint reg)
{
    return reg == X86_REG_AH || reg == X86_REG_BH || reg == X86_REG_CH || reg == X86_REG_DH;
}

/* Return operand `i` of an instruction; `size` 0: it is of a kind that is not tracked, such as ah. */
static HieraJumpOperand operand_of(const cs_insn *raw, guint i)
{
    const cs_x86_op *op = &raw->detail->x86.operands[i];
    const HieraJumpOperand none = {.reg = -1};
    if (op->type == X86_OP_REG)
        return number_of(op->reg) >= 0 && !is_high(op->reg)
                   ? (HieraJumpOperand){.reg = number_of(op->reg), .base = -1, .index = -1, .size = op->size}
                   : none;
    gboolean relative = op->mem.base == X86_REG_RIP;
    gboolean known = raw->detail->x86.addr_size == 8 && op->mem.segment == X86_REG_INVALID &&
                     (op->mem.base == X86_REG_INVALID || relative || number_of(op->mem.base) >= 0) &&
                     (op->mem.index == X86_REG_INVALID || number_of(op->mem.index) >= 0);
    if (op->type != X86_OP_MEM || !known)
        return none;
    return (HieraJumpOperand){.reg = -1,
                              .base = relative ? -1 : number_of(op->mem.base),
                              .index = number_of(op->mem.index),
                              .scale = (guint)op->mem.scale,
                              .offset = (guint64)op->mem.disp + (relative ? raw->address + raw->size : 0),
                              .size = op->size};
}

/* Condition of each branch instruction. */
static const struct {
    guint id;
    HieraCondition condition;
} conditions[] = {
    {X86_INS_JE, HIERA_JUMP_IF_EQUAL},    {X86_INS_JNE, HIERA_JUMP_IF_NOT_EQUAL},
    {X86_INS_JA, HIERA_JUMP_IF_ABOVE},    {X86_INS_JBE, HIERA_JUMP_IF_NOT_ABOVE},
    {X86_INS_JB, HIERA_JUMP_IF_BELOW},    {X86_INS_JAE, HIERA_JUMP_IF_NOT_BELOW},
    {X86_INS_JG, HIERA_JUMP_IF_GREATER},  {X86_INS_JLE, HIERA_JUMP_IF_NOT_GREATER},
    {X86_INS_JL, HIERA_JUMP_IF_LESS},     {X86_INS_JGE, HIERA_JUMP_IF_NOT_LESS},
    {X86_INS_JS, HIERA_JUMP_IF_NEGATIVE}, {X86_INS_JNS, HIERA_JUMP_IF_NOT_NEGATIVE},
};

HieraCondition hiera_x86_condition(const cs_insn *raw)
{
    for (guint i = 0; i < G_N_ELEMENTS(conditions); i++)
        if (conditions[i].id == raw->id)
            return conditions[i].condition;
    return HIERA_JUMP_IF_OTHER;
}

/* Whether a vector instruction sets flags. */
static gboolean compares_vectors(guint id)
{
    static const guint ids[] = {X86_INS_COMISS,     X86_INS_COMISD,     X86_INS_UCOMISS,    X86_INS_UCOMISD,
                                X86_INS_VCOMISS,    X86_INS_VCOMISD,    X86_INS_VUCOMISS,   X86_INS_VUCOMISD,
                                X86_INS_PTEST,      X86_INS_VPTEST,     X86_INS_VTESTPS,    X86_INS_VTESTPD,
                                X86_INS_PCMPESTRI,  X86_INS_PCMPESTRM,  X86_INS_PCMPISTRI,  X86_INS_PCMPISTRM,
                                X86_INS_VPCMPESTRI, X86_INS_VPCMPESTRM, X86_INS_VPCMPISTRI, X86_INS_VPCMPISTRM};
    for (guint i = 0; i < G_N_ELEMENTS(ids); i++)
        if (ids[i] == id)
            return TRUE;
    return FALSE;
}

/* Whether an instruction is known to keep the flags: only those usual between comparison and branch are known. */
static gboolean keeps_flags(const cs_insn *raw)
{
    static const guint ids[] = {X86_INS_MOV,     X86_INS_MOVABS, X86_INS_MOVZX,   X86_INS_MOVSX,   X86_INS_MOVSXD,
                                X86_INS_LEA,     X86_INS_CDQE,   X86_INS_CWDE,    X86_INS_CDQ,     X86_INS_CQO,
                                X86_INS_NOP,     X86_INS_PUSH,   X86_INS_POP,     X86_INS_MOVAPS,  X86_INS_MOVAPD,
                                X86_INS_MOVUPS,  X86_INS_MOVUPD, X86_INS_MOVDQA,  X86_INS_MOVDQU,  X86_INS_MOVSS,
                                X86_INS_MOVD,    X86_INS_MOVQ,   X86_INS_VMOVAPS, X86_INS_VMOVAPD, X86_INS_VMOVUPS,
                                X86_INS_VMOVUPD, X86_INS_VMOVSS, X86_INS_VMOVSD,  X86_INS_JMP};
    for (guint i = 0; i < G_N_ELEMENTS(ids); i++)
        if (ids[i] == raw->id)
            return TRUE;
    const cs_x86_op *to = &raw->detail->x86.operands[0];
    gboolean vector =
        raw->detail->x86.op_count > 0 && to->type == X86_OP_REG && to->reg >= X86_REG_XMM0 && to->reg <= X86_REG_ZMM31;
    return (vector && !compares_vectors(raw->id)) || (raw->id >= X86_INS_SETAE && raw->id <= X86_INS_SETS) ||
           (raw->id >= X86_INS_CMOVA && raw->id <= X86_INS_CMOVS) || hiera_x86_condition(raw) != HIERA_JUMP_IF_OTHER;
}

/* Whether an instruction may change memory; an operand in memory that it changes is the first one. */
static gboolean stores(const cs_insn *raw)
{
    const cs_x86 *x86 = &raw->detail->x86;
    switch (raw->id) {
    case X86_INS_NOP:
    case X86_INS_CMP:
    case X86_INS_TEST:
    case X86_INS_BT:
    case X86_INS_CDQ:
    case X86_INS_CDQE:
    case X86_INS_CQO:
    case X86_INS_CWDE:
        return FALSE;
    case X86_INS_PUSH:
    case X86_INS_XCHG:
    case X86_INS_MASKMOVQ:
    case X86_INS_MASKMOVDQU:
    case X86_INS_VMASKMOVDQU:
        return TRUE;
    default:
        return raw->id == 0 || x86->op_count == 0 || x86->operands[0].type == X86_OP_MEM;
    }
}

static HieraEffect copy(const cs_insn *raw, gboolean with_sign, HieraEffect effect)
{
    const cs_x86_op *from = &raw->detail->x86.operands[1];
    effect.with_sign = with_sign;
    if (from->type == X86_OP_IMM) {
        effect.kind = HIERA_EFFECT_NUMBER;
        effect.number =
            effect.to.size < 8 ? (guint64)from->imm & (((guint64)1 << (8 * effect.to.size)) - 1) : (guint64)from->imm;
        return effect;
    }
    effect.from = operand_of(raw, 1);
    gboolean whole = effect.to.reg < 0 || effect.to.size >= 4;
    if (whole && effect.from.size > 0)
        effect.kind = HIERA_EFFECT_COPY;
    else if (whole && !with_sign && from->size > 0 && from->size < 8 &&
             (from->type == X86_OP_MEM || is_high(from->reg))) {
        effect.kind = HIERA_EFFECT_MASK;
        effect.number = ((guint64)1 << (8 * from->size)) - 1;
    }
    return effect;
}

/* Effect of an instruction with two operands. */
static HieraEffect of_two(const cs_insn *raw, HieraEffect effect)
{
    const cs_x86_op *from = &raw->detail->x86.operands[1];
    gboolean immediate = from->type == X86_OP_IMM;
    gboolean same = from->type == X86_OP_REG && raw->detail->x86.operands[0].type == X86_OP_REG &&
                    from->reg == raw->detail->x86.operands[0].reg;
    switch (raw->id) {
    case X86_INS_MOV:
    case X86_INS_MOVABS:
    case X86_INS_MOVZX:
        return copy(raw, FALSE, effect);
    case X86_INS_MOVSX:
    case X86_INS_MOVSXD:
        return copy(raw, TRUE, effect);
    case X86_INS_XOR:
        effect.kind = same && effect.to.size >= 4 ? HIERA_EFFECT_NUMBER : HIERA_EFFECT_OTHER;
        break;
    case X86_INS_AND:
        effect.kind = immediate && effect.to.reg >= 0 ? HIERA_EFFECT_MASK : HIERA_EFFECT_OTHER;
        effect.from = effect.to;
        break;
    case X86_INS_SHR:
        effect.kind = immediate && effect.to.reg >= 0 && from->imm >= 0 && from->imm < 8 * (gint64)effect.to.size
                          ? HIERA_EFFECT_SHIFT
                          : HIERA_EFFECT_OTHER;
        effect.from = effect.to;
        break;
    case X86_INS_CMP:
    case X86_INS_SUB:
        effect.kind = immediate && effect.to.size > 0 ? HIERA_EFFECT_COMPARE : HIERA_EFFECT_OTHER;
        effect.from = effect.to;
        break;
    case X86_INS_TEST:
        effect.kind = same && effect.to.size > 0 ? HIERA_EFFECT_COMPARE : HIERA_EFFECT_OTHER;
        effect.from = effect.to;
        break;
    default:
        break;
    }
    if (immediate)
        effect.number =
            effect.to.size < 8 ? (guint64)from->imm & (((guint64)1 << (8 * effect.to.size)) - 1) : (guint64)from->imm;
    return effect;
}

HieraEffect hiera_x86_effect(const cs_insn *raw)
{
    const cs_x86 *x86 = &raw->detail->x86;
    HieraEffect effect = {.kind = HIERA_EFFECT_OTHER, .to = {.reg = -1}, .from = {.reg = -1}};
    effect.stores = stores(raw);
    effect.keeps_flags = keeps_flags(raw);
    if (raw->id == X86_INS_CDQE || raw->id == X86_INS_CWDE) {
        effect.kind = HIERA_EFFECT_COPY;
        effect.with_sign = TRUE;
        effect.to = (HieraJumpOperand){.reg = 0, .base = -1, .index = -1, .size = raw->id == X86_INS_CDQE ? 8 : 4};
        effect.from = (HieraJumpOperand){.reg = 0, .base = -1, .index = -1, .size = raw->id == X86_INS_CDQE ? 4 : 2};
        return effect;
    }
    if (x86->op_count == 0)
        return effect;
    if (!effect.stores || x86->operands[0].type == X86_OP_MEM)
        effect.to = operand_of(raw, 0);
    if (raw->id >= X86_INS_SETAE && raw->id <= X86_INS_SETS && effect.to.reg >= 0) {
        effect.kind = HIERA_EFFECT_MASK;
        effect.number = 1;
        return effect;
    }
    return x86->op_count == 2 ? of_two(raw, effect) : effect;
}
