/* Finds where a jump to a pointer goes, on aarch64. The instructions before it are evaluated: the pointer is the sum of
 * an address and a number of a table (1, 2 or 4 bytes, shifted). The comparison before the jump gives the length of the
 * table. */
#include "jump_values.h"

/* Number of a register: 0 to 30 for X0 to X30, 31 for SP; -1: another one. */
static int number_of(guint reg)
{
    if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
        return (int)(reg - ARM64_REG_X0);
    if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
        return (int)(reg - ARM64_REG_W0);
    if (reg == ARM64_REG_X29)
        return 29;
    if (reg == ARM64_REG_X30)
        return 30;
    if (reg == ARM64_REG_SP)
        return 31;
    return -1;
}

static gboolean has_immediate(const cs_arm64 *arm)
{
    return arm->op_count == 3 && arm->operands[2].type == ARM64_OP_IMM &&
           arm->operands[2].shift.type == ARM64_SFT_INVALID;
}

/* Find the address that the nearest "adrp x1, PAGE; add x1, x1, OFFSET" sets. See HieraRegisters. */
static HieraJumpValue look_far(const HieraJumpEvaluation *evaluation, int reg)
{
    const GArray *all = evaluation->flow->instructions;
    HieraJumpValue page = {.kind = HIERA_VALUE_UNKNOWN}, found = page;
    guint64 nearest = 0;
    for (guint i = 0; i < all->len; i++) {
        HieraInstruction instruction = g_array_index(all, HieraInstruction, i);
        if (instruction.address > evaluation->at || instruction.address < nearest ||
            instruction.kind != HIERA_FLOW_ON ||
            !hiera_decoder_decode(evaluation->flow->decoder, instruction.address, &instruction))
            continue;
        const cs_insn *raw = evaluation->flow->decoder->raw;
        const cs_arm64 *arm = &raw->detail->arm64;
        if (arm->op_count < 2 || arm->operands[0].type != ARM64_OP_REG || number_of(arm->operands[0].reg) != reg)
            continue;
        if (raw->id == ARM64_INS_ADRP)
            page = (HieraJumpValue){.kind = HIERA_VALUE_CONSTANT, .number = (guint64)arm->operands[1].imm};
        if (raw->id != ARM64_INS_ADD || !has_immediate(arm) || page.kind != HIERA_VALUE_CONSTANT ||
            number_of(arm->operands[1].reg) != reg)
            continue;
        found = (HieraJumpValue){.kind = HIERA_VALUE_CONSTANT, .number = page.number + (guint64)arm->operands[2].imm};
        nearest = instruction.address;
    }
    return found;
}

/* Number of table elements that the index of an operand can select; 0: not known. */
static guint64 count_elements(const HieraJumpEvaluation *evaluation, const cs_arm64_op *operand, guint size)
{
    guint64 n = hiera_count_of(evaluation, operand->mem.index, operand->ext == ARM64_EXT_UXTW ? 4 : sizeof(guint64));
    gboolean widened = operand->ext == ARM64_EXT_INVALID || operand->ext == ARM64_EXT_UXTW ||
                       operand->ext == ARM64_EXT_UXTX || operand->ext == ARM64_EXT_SXTX;
    return widened && 1u << operand->shift.value == size ? n : 0;
}

static HieraJumpValue load(const HieraJumpEvaluation *evaluation, const cs_arm64_op *operand, guint size,
                           gboolean is_signed)
{
    if (operand->type == ARM64_OP_MEM && operand->mem.index == ARM64_REG_INVALID &&
        hiera_value_of(evaluation, operand->mem.base, FALSE).kind == HIERA_VALUE_STACK)
        return (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
    if (operand->type != ARM64_OP_MEM || operand->mem.index == ARM64_REG_INVALID)
        return (HieraJumpValue){.kind = size == 8 ? HIERA_VALUE_POINTER : HIERA_VALUE_UNKNOWN};
    HieraJumpValue table = hiera_value_of(evaluation, operand->mem.base, TRUE);
    if (table.kind != HIERA_VALUE_CONSTANT)
        return (HieraJumpValue){.kind = HIERA_VALUE_ELEMENT};
    return (HieraJumpValue){.kind = HIERA_VALUE_LOADED,
                            .number = table.number,
                            .size = size,
                            .is_signed = is_signed,
                            .n = count_elements(evaluation, operand, size)};
}

/* Value of the sum of an address and a table element; the addition may sign-extend the element. */
static HieraJumpValue add_element(const HieraJumpEvaluation *evaluation, const cs_arm64_op *base,
                                  const cs_arm64_op *element)
{
    HieraJumpValue loaded = hiera_value_of(evaluation, element->reg, FALSE);
    if (loaded.kind != HIERA_VALUE_LOADED || loaded.size == 8)
        return loaded.kind == HIERA_VALUE_ELEMENT ? loaded : (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
    HieraJumpValue address = hiera_value_of(evaluation, base->reg, TRUE);
    if (address.kind != HIERA_VALUE_CONSTANT)
        return (HieraJumpValue){.kind = HIERA_VALUE_ELEMENT};
    loaded.kind = HIERA_VALUE_SUM;
    loaded.base = address.number;
    loaded.shift = element->shift.type == ARM64_SFT_LSL || element->ext != ARM64_EXT_INVALID ? element->shift.value : 0;
    loaded.is_signed |=
        element->ext == ARM64_EXT_SXTB || element->ext == ARM64_EXT_SXTH || element->ext == ARM64_EXT_SXTW;
    return loaded;
}

static HieraJumpValue add(const HieraJumpEvaluation *evaluation, const cs_arm64 *arm)
{
    if (has_immediate(arm)) {
        HieraJumpValue value = hiera_value_of(evaluation, arm->operands[1].reg, FALSE);
        value.number += (guint64)arm->operands[2].imm;
        return value.kind == HIERA_VALUE_CONSTANT || value.kind == HIERA_VALUE_STACK
                   ? value
                   : (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
    }
    if (arm->op_count != 3 || arm->operands[2].type != ARM64_OP_REG)
        return (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
    HieraJumpValue sum = add_element(evaluation, &arm->operands[1], &arm->operands[2]);
    return sum.kind == HIERA_VALUE_UNKNOWN && arm->operands[2].shift.value == 0
               ? add_element(evaluation, &arm->operands[2], &arm->operands[1])
               : sum;
}

/* Return the value that an instruction gives its first operand. See HieraRegisters. */
static HieraJumpValue evaluate(const HieraJumpEvaluation *evaluation, const cs_insn *raw)
{
    const cs_arm64 *arm = &raw->detail->arm64;
    switch (raw->id) {
    case ARM64_INS_ADRP:
    case ARM64_INS_ADR:
        return (HieraJumpValue){.kind = HIERA_VALUE_CONSTANT, .number = (guint64)arm->operands[1].imm};
    case ARM64_INS_ADD:
        return add(evaluation, arm);
    case ARM64_INS_LDRB:
        return load(evaluation, &arm->operands[1], 1, FALSE);
    case ARM64_INS_LDRH:
        return load(evaluation, &arm->operands[1], 2, FALSE);
    case ARM64_INS_LDRSB:
        return load(evaluation, &arm->operands[1], 1, TRUE);
    case ARM64_INS_LDRSH:
        return load(evaluation, &arm->operands[1], 2, TRUE);
    case ARM64_INS_LDRSW:
        return load(evaluation, &arm->operands[1], 4, TRUE);
    case ARM64_INS_LDR:
        return load(evaluation, &arm->operands[1],
                    arm->operands[0].reg >= ARM64_REG_W0 && arm->operands[0].reg <= ARM64_REG_W30 ? 4 : 8, FALSE);
    case ARM64_INS_MOV:
        return arm->op_count == 2 && arm->operands[1].type == ARM64_OP_REG
                   ? hiera_value_of(evaluation, arm->operands[1].reg, FALSE)
                   : (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
    default:
        return (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
    }
}

static int destination(const cs_insn *raw)
{
    const cs_arm64_op *to = &raw->detail->arm64.operands[0];
    return raw->detail->arm64.op_count > 1 && to->type == ARM64_OP_REG ? number_of(to->reg) : -1;
}

static gboolean compares(const cs_insn *raw)
{
    return raw->id == ARM64_INS_CMP || raw->id == ARM64_INS_CMN || raw->id == ARM64_INS_TST;
}

/* Find the number of table elements by the nearest comparison before the jump. See HieraRegisters. */
static guint find_bound(HieraDecoder *decoder, const guint64 *before, const gboolean *taken, guint n)
{
    arm64_cc condition = ARM64_CC_INVALID;
    gboolean is_taken = FALSE;
    for (guint i = 0; i < n; i++) {
        HieraInstruction instruction;
        if (!hiera_decoder_decode(decoder, before[i], &instruction))
            return 0;
        const cs_arm64 *arm = &decoder->raw->detail->arm64;
        guint id = decoder->raw->id;
        if ((id == ARM64_INS_CMP || (id == ARM64_INS_SUB && arm->update_flags)) && condition != ARM64_CC_INVALID) {
            const cs_arm64_op *last = &arm->operands[arm->op_count - 1];
            gboolean small = last->type == ARM64_OP_IMM && last->imm >= 0 && last->imm <= G_MAXUINT16;
            if (small && condition == (is_taken ? ARM64_CC_LS : ARM64_CC_HI))
                return (guint)last->imm + 1;
            if (small && condition == (is_taken ? ARM64_CC_LO : ARM64_CC_HS))
                return (guint)last->imm;
            condition = ARM64_CC_INVALID;
        }
        if (instruction.kind == HIERA_FLOW_BRANCH) {
            condition = id == ARM64_INS_B ? arm->cc : ARM64_CC_INVALID;
            is_taken = taken[i];
        }
    }
    return 0;
}

static HieraJumpValue target_of(const HieraJumpEvaluation *evaluation, const cs_insn *jump)
{
    return hiera_value_of(evaluation, (guint)jump->detail->arm64.operands[0].reg, FALSE);
}

/* Registers of aarch64; a call may change X0 to X18. */
const HieraRegisters hiera_aarch64_registers = {number_of,
                                                destination,
                                                compares,
                                                evaluate,
                                                look_far,
                                                target_of,
                                                find_bound,
                                                hiera_aarch64_effect,
                                                hiera_aarch64_condition,
                                                0x7ffff,
                                                31};
