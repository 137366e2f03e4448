/* Finds where a jump to a pointer goes, on x86-64. The instructions before it are evaluated: the pointer is a number of
 * a table (8 bytes), or the sum of an address and a number of a table (4 bytes). The comparison before the jump gives
 * the length of the table. */
#include "jump_values.h"

/* Number of general registers: 0 for rax to 15 for r15; a part of a register has the number of the whole. */
enum { N_REGISTERS = 16 };

static int number_of(guint reg)
{
    static const x86_reg names[][N_REGISTERS] = {
        {X86_REG_RAX, X86_REG_RCX, X86_REG_RDX, X86_REG_RBX, X86_REG_RSP, X86_REG_RBP, X86_REG_RSI, X86_REG_RDI,
         X86_REG_R8, X86_REG_R9, X86_REG_R10, X86_REG_R11, X86_REG_R12, X86_REG_R13, X86_REG_R14, X86_REG_R15},
        {X86_REG_EAX, X86_REG_ECX, X86_REG_EDX, X86_REG_EBX, X86_REG_ESP, X86_REG_EBP, X86_REG_ESI, X86_REG_EDI,
         X86_REG_R8D, X86_REG_R9D, X86_REG_R10D, X86_REG_R11D, X86_REG_R12D, X86_REG_R13D, X86_REG_R14D, X86_REG_R15D},
        {X86_REG_AX, X86_REG_CX, X86_REG_DX, X86_REG_BX, X86_REG_SP, X86_REG_BP, X86_REG_SI, X86_REG_DI, X86_REG_R8W,
         X86_REG_R9W, X86_REG_R10W, X86_REG_R11W, X86_REG_R12W, X86_REG_R13W, X86_REG_R14W, X86_REG_R15W},
        {X86_REG_AL, X86_REG_CL, X86_REG_DL, X86_REG_BL, X86_REG_SPL, X86_REG_BPL, X86_REG_SIL, X86_REG_DIL,
         X86_REG_R8B, X86_REG_R9B, X86_REG_R10B, X86_REG_R11B, X86_REG_R12B, X86_REG_R13B, X86_REG_R14B, X86_REG_R15B}};
    for (guint width = 0; reg != X86_REG_INVALID && width < G_N_ELEMENTS(names); width++)
        for (int i = 0; i < N_REGISTERS; i++)
            if (names[width][i] == (x86_reg)reg)
                return i;
    return -1;
}

/* Return X of "lea REGISTER, [rip + X]"; 0 if the instruction is another one. */
static guint64 take_lea(const cs_insn *raw, int *reg)
{
    const cs_x86 *x86 = &raw->detail->x86;
    if (raw->id != X86_INS_LEA || x86->op_count != 2 || x86->operands[1].mem.base != X86_REG_RIP)
        return 0;
    *reg = number_of(x86->operands[0].reg);
    return raw->address + raw->size + (guint64)x86->operands[1].mem.disp;
}

/* Find the address that the nearest "lea REGISTER, [rip + X]" sets. See HieraRegisters. */
static HieraJumpValue look_far(const HieraJumpEvaluation *evaluation, int reg)
{
    const HieraFlow *flow = evaluation->flow;
    HieraJumpValue found = {.kind = HIERA_VALUE_UNKNOWN};
    guint64 nearest = 0;
    for (guint i = 0; i < flow->instructions->len; i++) {
        HieraInstruction instruction = g_array_index(flow->instructions, HieraInstruction, i);
        int set = -1;
        if (instruction.length != 7 || instruction.address > evaluation->at || instruction.address < nearest ||
            !hiera_decoder_decode(flow->decoder, instruction.address, &instruction))
            continue;
        guint64 number = take_lea(flow->decoder->raw, &set);
        if (number == 0 || set != reg)
            continue;
        found = (HieraJumpValue){.kind = HIERA_VALUE_CONSTANT, .number = number};
        nearest = instruction.address;
    }
    return found;
}

/* Value of a table element. @param n  number of elements that may be selected, 0: not known */
static HieraJumpValue element(guint64 table, guint size, gboolean is_signed, guint64 n)
{
    return (HieraJumpValue){.kind = HIERA_VALUE_LOADED, .number = table, .size = size, .is_signed = is_signed, .n = n};
}

/* Value that an operand in memory holds. */
static HieraJumpValue load(const HieraJumpEvaluation *evaluation, const cs_x86_op *operand, gboolean is_signed)
{
    guint size = operand->size;
    guint64 offset = (guint64)operand->mem.disp;
    x86_reg base = operand->mem.base, index = operand->mem.index;
    HieraJumpValue of_base = hiera_value_of(evaluation, base, FALSE);
    if (index == X86_REG_INVALID && of_base.kind == HIERA_VALUE_SCALED && of_base.size == size && operand->mem.disp > 0)
        return element(offset, size, is_signed, of_base.n);
    if (index == X86_REG_INVALID)
        return (HieraJumpValue){.kind = size == 8 && of_base.kind != HIERA_VALUE_STACK ? HIERA_VALUE_POINTER
                                                                                       : HIERA_VALUE_UNKNOWN};
    if (base == X86_REG_INVALID && operand->mem.scale == (int)size)
        return element(offset, size, is_signed, hiera_count_of(evaluation, index, sizeof(guint64)));
    HieraJumpValue of_index = hiera_value_of(evaluation, index, FALSE);
    if (operand->mem.scale == 1 && of_base.kind == HIERA_VALUE_SCALED && of_base.size == size &&
        of_index.kind == HIERA_VALUE_CONSTANT)
        return element(of_index.number + offset, size, is_signed, of_base.n);
    if (operand->mem.scale == 1 && of_index.kind == HIERA_VALUE_SCALED && of_index.size == size &&
        of_base.kind == HIERA_VALUE_CONSTANT)
        return element(of_base.number + offset, size, is_signed, of_index.n);
    of_base = hiera_value_of(evaluation, base, TRUE);
    if (operand->mem.scale == (int)size && of_base.kind == HIERA_VALUE_CONSTANT)
        return element(of_base.number + offset, size, is_signed, hiera_count_of(evaluation, index, sizeof(guint64)));
    /* A scaled index suggests an unknown table with elements of the size of the scale: the value is one of these. */
    gboolean scaled =
        of_base.kind == HIERA_VALUE_SCALED || of_index.kind == HIERA_VALUE_SCALED || operand->mem.scale > 1;
    return (HieraJumpValue){.kind = scaled ? HIERA_VALUE_ELEMENT : HIERA_VALUE_POINTER};
}

static HieraJumpValue add(const HieraJumpEvaluation *evaluation, const cs_x86 *x86)
{
    for (guint i = 0; i < 2 && x86->operands[1].type == X86_OP_REG; i++) {
        HieraJumpValue loaded = hiera_value_of(evaluation, x86->operands[i].reg, FALSE);
        if (loaded.kind == HIERA_VALUE_ELEMENT)
            return loaded;
        if (loaded.kind != HIERA_VALUE_LOADED || loaded.size == 8)
            continue;
        HieraJumpValue base = hiera_value_of(evaluation, x86->operands[1 - i].reg, TRUE);
        if (base.kind != HIERA_VALUE_CONSTANT)
            return (HieraJumpValue){.kind = HIERA_VALUE_ELEMENT};
        loaded.kind = HIERA_VALUE_SUM;
        loaded.base = base.number;
        return loaded;
    }
    return (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
}

/* Value of a register times `size`; its `n` is 0, not known, if the register may have too many values. */
static HieraJumpValue scale(const HieraJumpEvaluation *evaluation, guint reg, guint bytes, guint size)
{
    guint64 n = hiera_count_of(evaluation, reg, bytes);
    return (HieraJumpValue){.kind = HIERA_VALUE_SCALED, .size = size, .n = n <= G_MAXUINT16 + 1 ? n : 0};
}

static HieraJumpValue lea(const HieraJumpEvaluation *evaluation, const cs_insn *raw, const cs_x86 *x86)
{
    const x86_op_mem *mem = &x86->operands[1].mem;
    int reg;
    guint64 number = take_lea(raw, &reg);
    if (number != 0)
        return (HieraJumpValue){.kind = HIERA_VALUE_CONSTANT, .number = number};
    if (mem->base == X86_REG_INVALID && mem->index != X86_REG_INVALID && mem->disp == 0)
        return scale(evaluation, mem->index, sizeof(guint64), (guint)mem->scale);
    HieraJumpValue of_base = hiera_value_of(evaluation, mem->base, FALSE);
    return of_base.kind == HIERA_VALUE_STACK ? of_base : (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
}

static HieraJumpValue move(const HieraJumpEvaluation *evaluation, const cs_insn *raw, const cs_x86 *x86)
{
    const cs_x86_op *from = &x86->operands[1];
    if (from->type == X86_OP_IMM) /* Only in a file loaded at fixed addresses may an immediate number be an address. */
        return (HieraJumpValue){.kind = evaluation->flow->functions->object->is_fixed ? HIERA_VALUE_CONSTANT
                                                                                      : HIERA_VALUE_UNKNOWN,
                                .number = (guint64)from->imm};
    if (from->type == X86_OP_REG)
        return hiera_value_of(evaluation, from->reg, FALSE);
    return load(evaluation, from, raw->id != X86_INS_MOVZX);
}

/* Return the value that an instruction gives its first operand. See HieraRegisters. */
static HieraJumpValue evaluate(const HieraJumpEvaluation *evaluation, const cs_insn *raw)
{
    const cs_x86 *x86 = &raw->detail->x86;
    if (raw->id == X86_INS_CDQE)
        return evaluation->values[0];
    if (x86->op_count != 2)
        return (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
    switch (raw->id) {
    case X86_INS_LEA:
        return lea(evaluation, raw, x86);
    case X86_INS_MOV:
    case X86_INS_MOVABS:
    case X86_INS_MOVSXD:
    case X86_INS_MOVSX:
    case X86_INS_MOVZX:
        return move(evaluation, raw, x86);
    case X86_INS_ADD:
        return add(evaluation, x86);
    case X86_INS_SHL:
        if (x86->operands[1].type == X86_OP_IMM && (x86->operands[1].imm == 2 || x86->operands[1].imm == 3))
            return scale(evaluation, x86->operands[0].reg, x86->operands[0].size, 1u << x86->operands[1].imm);
        break;
    default:
        break;
    }
    return (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
}

static int destination(const cs_insn *raw)
{
    const cs_x86_op *to = &raw->detail->x86.operands[0];
    if (raw->id == X86_INS_CDQE)
        return number_of(X86_REG_RAX);
    return raw->detail->x86.op_count > 0 && to->type == X86_OP_REG ? number_of(to->reg) : -1;
}

static gboolean compares(const cs_insn *raw)
{
    return raw->id == X86_INS_TEST || raw->id == X86_INS_CMP;
}

/* Number of table elements that a branch behind a comparison with `number` allows; 0: it sets no limit. */
static guint bound_of(guint branch, gboolean taken, gint64 number)
{
    if (number < 0 || number > G_MAXUINT16)
        return 0;
    if (branch == (taken ? X86_INS_JBE : X86_INS_JA))
        return (guint)number + 1;
    return branch == (taken ? X86_INS_JB : X86_INS_JAE) ? (guint)number : 0;
}

/* Find the number of table elements by the nearest comparison or mask before the jump. See HieraRegisters. */
static guint find_bound(HieraDecoder *decoder, const guint64 *before, const gboolean *taken, guint n)
{
    guint branch = X86_INS_INVALID;
    gboolean is_taken = FALSE;
    for (guint i = 0; i < n; i++) {
        HieraInstruction instruction;
        if (!hiera_decoder_decode(decoder, before[i], &instruction))
            return 0;
        const cs_insn *raw = decoder->raw;
        const cs_x86 *x86 = &raw->detail->x86;
        gboolean number = x86->op_count == 2 && x86->operands[1].type == X86_OP_IMM;
        if (number && (raw->id == X86_INS_CMP || raw->id == X86_INS_SUB) && branch != X86_INS_INVALID) {
            guint bound = bound_of(branch, is_taken, x86->operands[1].imm);
            if (bound > 0)
                return bound;
            branch = X86_INS_INVALID;
        }
        if (number && raw->id == X86_INS_AND && x86->operands[1].imm > 0 && x86->operands[1].imm < 256 &&
            (x86->operands[1].imm & (x86->operands[1].imm + 1)) == 0)
            return (guint)x86->operands[1].imm + 1;
        if (instruction.kind == HIERA_FLOW_BRANCH) {
            branch = raw->id;
            is_taken = taken[i];
        }
    }
    return 0;
}

static HieraJumpValue target_of(const HieraJumpEvaluation *evaluation, const cs_insn *jump)
{
    const cs_x86_op operand = jump->detail->x86.operands[0];
    return operand.type == X86_OP_MEM ? load(evaluation, &operand, TRUE)
                                      : hiera_value_of(evaluation, operand.reg, FALSE);
}

/* Registers of x86-64; a call may change rax, rcx, rdx, rsi, rdi, r8 to r11. */
const HieraRegisters hiera_x86_registers = {
    number_of,        destination,         compares, evaluate, look_far, target_of, find_bound,
    hiera_x86_effect, hiera_x86_condition, 0xfc7,    4};
