/* Classifies instructions of aarch64 by their effect on the flow of control. */
#include "decoder.h"

/* Set the target to the last operand, which is the address, and set the kind. */
static void take_target(const cs_insn *raw, HieraInstruction *instruction, HieraFlowKind kind)
{
    const cs_arm64 *arm = &raw->detail->arm64;
    if (arm->op_count == 0 || arm->operands[arm->op_count - 1].type != ARM64_OP_IMM)
        return;
    instruction->kind = (guint8)kind;
    instruction->target = (guint64)arm->operands[arm->op_count - 1].imm;
}

void hiera_aarch64_classify(const cs_insn *raw, HieraInstruction *instruction)
{
    arm64_cc condition = raw->detail->arm64.cc;
    switch (raw->id) {
    case ARM64_INS_B:
        take_target(raw, instruction,
                    condition == ARM64_CC_INVALID || condition == ARM64_CC_AL || condition == ARM64_CC_NV
                        ? HIERA_FLOW_JUMP
                        : HIERA_FLOW_BRANCH);
        return;
    case ARM64_INS_CBZ:
    case ARM64_INS_CBNZ:
    case ARM64_INS_TBZ:
    case ARM64_INS_TBNZ:
        take_target(raw, instruction, HIERA_FLOW_BRANCH);
        return;
    case ARM64_INS_BL:
        take_target(raw, instruction, HIERA_FLOW_CALL);
        return;
    case ARM64_INS_BLR:
        instruction->kind = HIERA_FLOW_CALL_POINTER;
        return;
    case ARM64_INS_BR:
        instruction->kind = HIERA_FLOW_JUMP_POINTER;
        return;
    case ARM64_INS_RET:
    case ARM64_INS_ERET:
        instruction->kind = HIERA_FLOW_RETURN;
        return;
    case ARM64_INS_BRK:
    case ARM64_INS_HLT:
        instruction->kind = HIERA_FLOW_STOP;
        return;
    default:
        return;
    }
}
