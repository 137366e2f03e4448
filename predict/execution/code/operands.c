#include "operands.h"

gboolean hiera_register_of(x86_reg reg, HieraStepOperand *place)
{
    static const struct {
        x86_reg names[4]; /* of one register: its names for 8, 4, 2 and 1 bytes */
    } all[] = {
        {{X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL}},
        {{X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL}},
        {{X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL}},
        {{X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL}},
        {{X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL}},
        {{X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL}},
        {{X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL}},
        {{X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL}},
        {{X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B}},
        {{X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B}},
        {{X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B}},
        {{X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B}},
        {{X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B}},
        {{X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B}},
        {{X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B}},
        {{X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B}},
    };
    place->kind = HIERA_OPERAND_REGISTER;
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        for (guint8 size = 0; size < 4; size++) {
            if (all[i].names[size] == reg) {
                place->base = (guint8)i;
                place->width = (guint8)(8 >> size);
                return TRUE;
            }
        }
    }
    static const x86_reg seconds[] = {X86_REG_AH, X86_REG_CH, X86_REG_DH, X86_REG_BH};
    for (guint i = 0; i < G_N_ELEMENTS(seconds); i++) {
        if (reg == seconds[i]) {
            place->base = (guint8)i;
            place->index = place->width = 1;
            return TRUE;
        }
    }
    place->width = 8;
    static const x86_reg vectors[] = {X86_REG_XMM0, X86_REG_YMM0, X86_REG_ZMM0};
    for (guint i = 0; i < G_N_ELEMENTS(vectors); i++) {
        if (reg >= vectors[i] && reg < vectors[i] + 32) {
            place->base = (guint8)(HIERA_XMM + (reg - vectors[i]));
            return TRUE;
        }
    }
    place->kind = HIERA_OPERAND_UNKNOWN;
    return FALSE;
}

/* Find the number of a register that is used in an address. @return FALSE: its value is not tracked */
static gboolean in_address(x86_reg reg, guint8 *number)
{
    HieraStepOperand place;
    *number = HIERA_NO_REGISTER;
    if (reg == X86_REG_INVALID)
        return TRUE;
    if (!hiera_register_of(reg, &place) || place.width != 8 || place.base >= HIERA_XMM)
        return FALSE;
    *number = place.base;
    return TRUE;
}

HieraStepOperand hiera_operand_of(const cs_insn *raw, guint i)
{
    HieraStepOperand place = {.kind = HIERA_OPERAND_UNKNOWN};
    if (i >= raw->detail->x86.op_count)
        return place;
    const cs_x86_op *operand = &raw->detail->x86.operands[i];
    place.width = operand->size;
    switch (operand->type) {
    case X86_OP_REG:
        hiera_register_of(operand->reg, &place);
        break;
    case X86_OP_IMM:
        place.kind = HIERA_OPERAND_NUMBER;
        place.number = operand->imm;
        break;
    case X86_OP_MEM:
        if (operand->mem.segment == X86_REG_GS)
            break;
        place.number = operand->mem.disp + (operand->mem.segment == X86_REG_FS ? (gint64)HIERA_THREAD : 0);
        place.scale = (guint8)operand->mem.scale;
        if (operand->mem.base == X86_REG_RIP) {
            place.base = place.index = HIERA_NO_REGISTER;
            place.number += (gint64)(raw->address + raw->size);
            place.kind = HIERA_OPERAND_MEMORY;
        } else if (in_address(operand->mem.base, &place.base) && in_address(operand->mem.index, &place.index)) {
            place.kind = HIERA_OPERAND_MEMORY;
        }
        break;
    default:
        break;
    }
    return place;
}

HieraStepOperand hiera_operand_upper(HieraStepOperand place)
{
    if (place.kind == HIERA_OPERAND_REGISTER)
        place.base = (guint8)(place.base + HIERA_XMM_HIGH - HIERA_XMM);
    else if (place.kind == HIERA_OPERAND_MEMORY)
        place.number += 8;
    return place;
}

HieraStepOperand hiera_operand_second_half(HieraStepOperand place)
{
    if (place.kind == HIERA_OPERAND_REGISTER && place.base >= HIERA_XMM)
        place.base = (guint8)(place.base + HIERA_YMM - HIERA_XMM);
    else if (place.kind == HIERA_OPERAND_MEMORY)
        place.number += 16;
    return place;
}

void hiera_step_take_operands(const cs_insn *raw, const HieraStepRow *row, HieraStep *step)
{
    guint n = raw->detail->x86.op_count;
    step->kind = row->kind;
    switch (row->form) {
    case HIERA_FORM_TO_FROM:
        step->to = hiera_operand_of(raw, 0);
        step->a = hiera_operand_of(raw, n - 1); /* if there are three operands, the step ignores the middle one */
        break;
    case HIERA_FORM_TO_FROM_REST:
        step->to = hiera_operand_of(raw, 0);
        step->a = hiera_operand_of(raw, n - 1);
        step->b = hiera_operand_of(raw, n > 2 ? 1 : 0);
        break;
    case HIERA_FORM_BOTH:
        step->to = hiera_operand_of(raw, 0);
        step->a = hiera_operand_of(raw, n > 2 ? 1 : 0);
        step->b = n > 1 ? hiera_operand_of(raw, n - 1) : (HieraStepOperand){.kind = HIERA_OPERAND_NUMBER, .number = 1};
        break;
    case HIERA_FORM_READ:
        step->a = hiera_operand_of(raw, 0);
        step->b = hiera_operand_of(raw, 1);
        break;
    case HIERA_FORM_THREE:
        step->to = hiera_operand_of(raw, 0);
        step->a = hiera_operand_of(raw, 1);
        step->b = hiera_operand_of(raw, 2);
        break;
    case HIERA_FORM_SELF:
        step->to = step->a = hiera_operand_of(raw, 0);
        step->b = (HieraStepOperand){.kind = HIERA_OPERAND_NUMBER, .width = step->a.width, .number = 1};
        break;
    case HIERA_FORM_ONLY:
        step->a = hiera_operand_of(raw, 0);
        break;
    case HIERA_FORM_NONE:
        step->a.width = row->width;
        break;
    }
}

void hiera_step_take_width(const HieraStepRow *row, HieraStep *step)
{
    HieraStepOperand *places[] = {&step->to, &step->a, &step->b};
    for (guint i = 0; row->width > 0 && i < G_N_ELEMENTS(places); i++) {
        HieraStepOperand *place = places[i];
        gboolean is_integer =
            (row->kind == HIERA_STEP_TO_FLOAT && i == 1) || (row->kind == HIERA_STEP_FROM_FLOAT && i == 0);
        if (!is_integer && (place->kind == HIERA_OPERAND_MEMORY || place->kind == HIERA_OPERAND_REGISTER) &&
            row->form != HIERA_FORM_NONE)
            place->width = row->width;
    }
    if (row->kind == HIERA_STEP_FLOAT_RESIZE)
        step->to.width = row->width == 8 ? 4 : 8;
}
