/* What instructions of x86-64 do to the flow of control. */
#include "decoder.h"

/* Where an operand leads: an address, or the pointer at a fixed address. */
static void take_target(const cs_insn *raw, HieraInstruction *instruction, HieraFlowKind direct, HieraFlowKind pointer)
{
    const cs_x86 *x86 = &raw->detail->x86;
    const cs_x86_op *operand = &x86->operands[0];
    instruction->kind = (guint8)pointer;
    if (x86->op_count == 0)
        return;
    if (operand->type == X86_OP_IMM) {
        instruction->kind = (guint8)direct;
        instruction->target = (guint64)operand->imm;
    } else if (operand->type == X86_OP_MEM && operand->mem.base == X86_REG_RIP &&
               operand->mem.index == X86_REG_INVALID) {
        instruction->target = raw->address + raw->size + (guint64)operand->mem.disp;
    }
}

static gboolean jumps(const cs_insn *raw)
{
    for (guint i = 0; i < raw->detail->groups_count; i++)
        if (raw->detail->groups[i] == X86_GRP_JUMP)
            return TRUE;
    return FALSE;
}

void hiera_x86_classify(const cs_insn *raw, HieraInstruction *instruction)
{
    switch (raw->id) {
    case X86_INS_JMP:
        take_target(raw, instruction, HIERA_FLOW_JUMP, HIERA_FLOW_JUMP_POINTER);
        return;
    case X86_INS_CALL:
        take_target(raw, instruction, HIERA_FLOW_CALL, HIERA_FLOW_CALL_POINTER);
        return;
    case X86_INS_RET:
    case X86_INS_RETF:
    case X86_INS_RETFQ:
    case X86_INS_IRETQ:
    case X86_INS_SYSRET:
        instruction->kind = HIERA_FLOW_RETURN;
        return;
    case X86_INS_HLT:
    case X86_INS_UD2:
    case X86_INS_INT3:
    case X86_INS_LJMP:
        instruction->kind = HIERA_FLOW_STOP;
        return;
    case X86_INS_LOOP:
    case X86_INS_LOOPE:
    case X86_INS_LOOPNE:
    case X86_INS_XBEGIN:
        take_target(raw, instruction, HIERA_FLOW_BRANCH, HIERA_FLOW_ON);
        return;
    default:
        if (jumps(raw))
            take_target(raw, instruction, HIERA_FLOW_BRANCH, HIERA_FLOW_ON);
    }
}
