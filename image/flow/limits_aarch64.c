/* Effect of aarch64 instructions on numbers that may be an index. See limits.h. */
#include "jump_values.h"

/* Return a register as an operand; `size` 0: it is no plain register, and is not tracked. */
static HieraJumpOperand register_of(const cs_arm64_op *op, guint size)
{
    int number = op->type == ARM64_OP_REG ? hiera_aarch64_registers.number_of(op->reg) : -1;
    gboolean plain = op->shift.type == ARM64_SFT_INVALID && op->ext == ARM64_EXT_INVALID;
    if (number < 0 || !plain)
        return (HieraJumpOperand){.reg = -1};
    guint whole = op->reg >= ARM64_REG_W0 && op->reg <= ARM64_REG_W30 ? 4 : 8;
    return (HieraJumpOperand){.reg = number, .base = -1, .index = -1, .size = size > 0 ? MIN(size, whole) : whole};
}

static HieraJumpOperand memory_of(const cs_arm64 *arm, const cs_arm64_op *op, guint size)
{
    int base = op->type == ARM64_OP_MEM ? hiera_aarch64_registers.number_of(op->mem.base) : -1;
    if (base < 0 || op->mem.index != ARM64_REG_INVALID || arm->writeback || arm->op_count != 2)
        return (HieraJumpOperand){.reg = -1};
    return (HieraJumpOperand){
        .reg = -1, .base = base, .index = -1, .offset = (guint64)(gint64)op->mem.disp, .size = size};
}

HieraCondition hiera_aarch64_condition(const cs_insn *raw)
{
    if (raw->id != ARM64_INS_B)
        return HIERA_JUMP_IF_OTHER;
    switch (raw->detail->arm64.cc) {
    case ARM64_CC_EQ:
        return HIERA_JUMP_IF_EQUAL;
    case ARM64_CC_NE:
        return HIERA_JUMP_IF_NOT_EQUAL;
    case ARM64_CC_HI:
        return HIERA_JUMP_IF_ABOVE;
    case ARM64_CC_LS:
        return HIERA_JUMP_IF_NOT_ABOVE;
    case ARM64_CC_LO:
        return HIERA_JUMP_IF_BELOW;
    case ARM64_CC_HS:
        return HIERA_JUMP_IF_NOT_BELOW;
    case ARM64_CC_GT:
        return HIERA_JUMP_IF_GREATER;
    case ARM64_CC_LE:
        return HIERA_JUMP_IF_NOT_GREATER;
    case ARM64_CC_LT:
        return HIERA_JUMP_IF_LESS;
    case ARM64_CC_GE:
        return HIERA_JUMP_IF_NOT_LESS;
    default:
        return HIERA_JUMP_IF_OTHER;
    }
}

static HieraEffect load(const cs_arm64 *arm, HieraEffect effect, guint size, gboolean with_sign)
{
    effect.from = memory_of(arm, &arm->operands[1], size);
    effect.with_sign = with_sign;
    effect.keeps_flags = TRUE;
    if (effect.from.size > 0) {
        effect.kind = HIERA_EFFECT_COPY;
    } else if (!with_sign && size < 8) {
        effect.kind = HIERA_EFFECT_MASK;
        effect.number = ((guint64)1 << (8 * size)) - 1;
    }
    return effect;
}

/* Effect of a store to memory. @param size  bytes that are stored; 0: size of the register */
static HieraEffect store(const cs_arm64 *arm, HieraEffect effect, guint size)
{
    HieraJumpOperand from = register_of(&arm->operands[0], size);
    effect.kind = from.size > 0 ? HIERA_EFFECT_COPY : HIERA_EFFECT_OTHER;
    effect.from = from;
    effect.to = memory_of(arm, &arm->operands[1], from.size);
    effect.keeps_flags = effect.stores = TRUE;
    return effect;
}

/* Effect of a copy to a register. @param size  bytes that are copied; 0: size of the register */
static HieraEffect copy(const cs_arm64 *arm, HieraEffect effect, guint size, gboolean with_sign)
{
    const cs_arm64_op *from = &arm->operands[1];
    effect.keeps_flags = TRUE;
    effect.with_sign = with_sign;
    effect.from = register_of(from, size);
    if (arm->op_count != 2)
        return effect;
    if (effect.from.size > 0)
        effect.kind = HIERA_EFFECT_COPY;
    if (from->type == ARM64_OP_IMM && from->shift.type == ARM64_SFT_INVALID) {
        effect.kind = HIERA_EFFECT_NUMBER;
        effect.number = effect.to.size == 4 ? (guint32)from->imm : (guint64)from->imm;
    }
    return effect;
}

/* Effect of an instruction with an immediate number: and, lsr, subs TO, FROM, NUMBER; cmp FROM, NUMBER. */
static HieraEffect with_number(const cs_arm64 *arm, HieraEffect effect, HieraEffectKind kind)
{
    guint first = kind == HIERA_EFFECT_COMPARE && arm->op_count == 2 ? 0 : 1;
    const cs_arm64_op *number = &arm->operands[first + 1];
    if (arm->op_count != first + 2 || number->type != ARM64_OP_IMM || number->shift.type != ARM64_SFT_INVALID)
        return effect;
    effect.from = register_of(&arm->operands[first], 0);
    effect.number = effect.from.size == 4 ? (guint32)number->imm : (guint64)number->imm;
    if (effect.from.size > 0 && (kind != HIERA_EFFECT_SHIFT || effect.number < 8 * effect.from.size))
        effect.kind = kind;
    return effect;
}

/* Instructions that move values, and the number of bytes moved; 0: size of the register. */
typedef enum { LOAD, STORE, COPY } MoveKind;
static const struct {
    unsigned id;
    MoveKind kind;
    guint size;
    gboolean with_sign;
} moves[] = {
    {ARM64_INS_LDRB, LOAD, 1, FALSE}, {ARM64_INS_LDRH, LOAD, 2, FALSE},  {ARM64_INS_LDRSB, LOAD, 1, TRUE},
    {ARM64_INS_LDRSH, LOAD, 2, TRUE}, {ARM64_INS_LDRSW, LOAD, 4, TRUE},  {ARM64_INS_LDR, LOAD, 0, FALSE},
    {ARM64_INS_LDUR, LOAD, 0, FALSE}, {ARM64_INS_STRB, STORE, 1, FALSE}, {ARM64_INS_STRH, STORE, 2, FALSE},
    {ARM64_INS_STR, STORE, 0, FALSE}, {ARM64_INS_STUR, STORE, 0, FALSE}, {ARM64_INS_MOV, COPY, 0, FALSE},
    {ARM64_INS_MOVZ, COPY, 0, FALSE}, {ARM64_INS_UXTB, COPY, 1, FALSE},  {ARM64_INS_UXTH, COPY, 2, FALSE},
    {ARM64_INS_UXTW, COPY, 4, FALSE}, {ARM64_INS_SXTB, COPY, 1, TRUE},   {ARM64_INS_SXTH, COPY, 2, TRUE},
    {ARM64_INS_SXTW, COPY, 4, TRUE},
};

static gboolean move(const cs_insn *raw, HieraEffect *effect)
{
    const cs_arm64 *arm = &raw->detail->arm64;
    guint i = 0;
    while (i < G_N_ELEMENTS(moves) && moves[i].id != raw->id)
        i++;
    if (i == G_N_ELEMENTS(moves))
        return FALSE;
    if (moves[i].kind == LOAD)
        *effect = load(arm, *effect, moves[i].size > 0 ? moves[i].size : effect->to.size, moves[i].with_sign);
    else if (moves[i].kind == STORE)
        *effect = store(arm, *effect, moves[i].size);
    else
        *effect = copy(arm, *effect, moves[i].size, moves[i].with_sign);
    return TRUE;
}

HieraEffect hiera_aarch64_effect(const cs_insn *raw)
{
    const cs_arm64 *arm = &raw->detail->arm64;
    HieraEffect effect = {.kind = HIERA_EFFECT_OTHER, .to = {.reg = -1}, .from = {.reg = -1}};
    if (arm->op_count > 0)
        effect.to = register_of(&arm->operands[0], 0);
    if (move(raw, &effect))
        return effect;
    switch (raw->id) {
    case ARM64_INS_AND:
        effect.keeps_flags = !arm->update_flags;
        return with_number(arm, effect, HIERA_EFFECT_MASK);
    case ARM64_INS_LSR:
        effect.keeps_flags = TRUE;
        return with_number(arm, effect, HIERA_EFFECT_SHIFT);
    case ARM64_INS_CMP:
        return with_number(arm, effect, HIERA_EFFECT_COMPARE);
    case ARM64_INS_SUB:
        effect.keeps_flags = !arm->update_flags;
        return arm->update_flags ? with_number(arm, effect, HIERA_EFFECT_COMPARE) : effect;
    case ARM64_INS_ADD:
    case ARM64_INS_LSL:
    case ARM64_INS_ADRP:
    case ARM64_INS_ADR:
    case ARM64_INS_CSEL:
    case ARM64_INS_CSET:
    case ARM64_INS_FMOV:
    case ARM64_INS_NOP:
    case ARM64_INS_B:
    case ARM64_INS_CBZ:
    case ARM64_INS_CBNZ:
    case ARM64_INS_TBZ:
    case ARM64_INS_TBNZ:
        effect.keeps_flags = !arm->update_flags;
        return effect;
    case ARM64_INS_LDP:
        effect.to = (HieraJumpOperand){.reg = -1};
        effect.keeps_flags = TRUE;
        return effect;
    default:
        /* Other instructions may store to an unknown place. */
        effect.stores = TRUE;
        effect.to = (HieraJumpOperand){.reg = -1};
        return effect;
    }
}
