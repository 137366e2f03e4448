/* Classifies instructions of x86-64 by their effect on the flow of control. */
#include "decoder.h"

/* Set kind and target from the operand: `direct` for an address, `pointer` for a pointer at a fixed address. */
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

/* Length in bytes of an operand behind the opcode: ModRM, SIB, displacement; 0: there are too few bytes. */
static guint operand_length(const guint8 *bytes, gsize n)
{
    guint mod = n > 0 ? bytes[0] >> 6 : 3, rm = n > 0 ? bytes[0] & 7 : 0;
    gboolean sib = mod != 3 && rm == 4;
    if (n == 0 || (sib && n < 2))
        return 0;
    gboolean no_base = mod == 0 && (sib ? (bytes[1] & 7) == 5 : rm == 5);
    return 1 + sib + (mod == 1 ? 1 : mod == 2 || no_base ? 4 : 0);
}

guint hiera_x86_vector_length(const guint8 *bytes, gsize n)
{
    if (n < 6)
        return 0;
    guint prefix = bytes[0] == 0x62 ? 4 : bytes[0] == 0xc4 ? 3 : bytes[0] == 0xc5 ? 2 : 0;
    guint map = bytes[0] == 0x62 ? bytes[1] & 7 : bytes[0] == 0xc4 ? bytes[1] & 0x1f : 1;
    if (prefix == 0 || map < 1 || map > 3)
        return 0;
    guint8 opcode = bytes[prefix];
    gboolean immediate =
        map == 3 ||
        (map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6)));
    guint operand = operand_length(bytes + prefix + 1, n - prefix - 1), length = prefix + 1 + operand + immediate;
    return operand > 0 && length <= n ? length : 0;
}
