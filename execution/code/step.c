/* Instructions of x86-64 as steps. See step.h. */
#include "step.h"

/* Number of a register, and its width. @return FALSE if its value is not followed */
static gboolean register_of(x86_reg reg, HieraOperand *place)
{
    static const struct {
        x86_reg names[4]; /* of 8, 4, 2, 1 bytes */
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
    for (guint8 i = 0; i < G_N_ELEMENTS(all); i++) {
        for (guint8 size = 0; size < 4; size++) {
            if (all[i].names[size] == reg) {
                place->base = i;
                place->width = (guint8)(8 >> size);
                return TRUE;
            }
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

/* Number of a register that is a part of an address. */
static gboolean in_address(x86_reg reg, guint8 *number)
{
    HieraOperand place;
    *number = HIERA_NO_REGISTER;
    if (reg == X86_REG_INVALID)
        return TRUE;
    if (!register_of(reg, &place) || place.width != 8 || place.base >= HIERA_XMM)
        return FALSE;
    *number = place.base;
    return TRUE;
}

static HieraOperand place_of(const cs_insn *raw, guint i)
{
    HieraOperand place = {.kind = HIERA_OPERAND_UNKNOWN};
    if (i >= raw->detail->x86.op_count)
        return place;
    const cs_x86_op *operand = &raw->detail->x86.operands[i];
    place.width = operand->size;
    switch (operand->type) {
    case X86_OP_REG:
        register_of(operand->reg, &place);
        break;
    case X86_OP_IMM:
        place.kind = HIERA_OPERAND_NUMBER;
        place.number = operand->imm;
        break;
    case X86_OP_MEM:
        if (operand->mem.segment == X86_REG_FS || operand->mem.segment == X86_REG_GS)
            break;
        place.number = operand->mem.disp;
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

/* Forms of instructions: which operands are to, a and b. */
typedef enum {
    FORM_TO_FROM, /* to = f(a): operands 0, 1 */
    FORM_BOTH,    /* to = f(to, b): operands 0, 0, 1; or 0, 1, 2 if there are three */
    FORM_READ,    /* f(a, b): operands 0, 1 */
    FORM_THREE,   /* to = f(to, a, b): operands 0, 1, 2 */
    FORM_SELF,    /* to = f(to): operands 0, 0 */
    FORM_ONLY,    /* f(a): operand 0 */
    FORM_NONE
} Form;

typedef struct {
    guint id;
    HieraStepKind kind;
    Form form;
    guint8 width; /* of vector registers; 0: of the operands */
} Row;

#define SCALAR(name, kind, form)                                                                                       \
    {X86_INS_##name##SD, kind, form, 8}, {X86_INS_##name##SS, kind, form, 4}, {X86_INS_V##name##SD, kind, form, 8},    \
    {                                                                                                                  \
        X86_INS_V##name##SS, kind, form, 4                                                                             \
    }

static const Row rows[] = {
    {X86_INS_MOV, HIERA_STEP_MOVE, FORM_TO_FROM, 0},
    {X86_INS_MOVABS, HIERA_STEP_MOVE, FORM_TO_FROM, 0},
    {X86_INS_MOVZX, HIERA_STEP_MOVE, FORM_TO_FROM, 0},
    {X86_INS_MOVSX, HIERA_STEP_MOVE_SIGNED, FORM_TO_FROM, 0},
    {X86_INS_MOVSXD, HIERA_STEP_MOVE_SIGNED, FORM_TO_FROM, 0},
    {X86_INS_LEA, HIERA_STEP_ADDRESS, FORM_TO_FROM, 0},
    {X86_INS_ADD, HIERA_STEP_ADD, FORM_BOTH, 0},
    {X86_INS_SUB, HIERA_STEP_SUBTRACT, FORM_BOTH, 0},
    {X86_INS_ADC, HIERA_STEP_ADD_CARRY, FORM_BOTH, 0},
    {X86_INS_SBB, HIERA_STEP_SUBTRACT_CARRY, FORM_BOTH, 0},
    {X86_INS_AND, HIERA_STEP_AND, FORM_BOTH, 0},
    {X86_INS_OR, HIERA_STEP_OR, FORM_BOTH, 0},
    {X86_INS_XOR, HIERA_STEP_XOR, FORM_BOTH, 0},
    {X86_INS_CMP, HIERA_STEP_COMPARE, FORM_READ, 0},
    {X86_INS_TEST, HIERA_STEP_TEST, FORM_READ, 0},
    {X86_INS_NEG, HIERA_STEP_NEGATE, FORM_SELF, 0},
    {X86_INS_NOT, HIERA_STEP_NOT, FORM_SELF, 0},
    {X86_INS_INC, HIERA_STEP_INCREMENT, FORM_SELF, 0},
    {X86_INS_DEC, HIERA_STEP_DECREMENT, FORM_SELF, 0},
    {X86_INS_SHL, HIERA_STEP_LEFT, FORM_BOTH, 0},
    {X86_INS_SAL, HIERA_STEP_LEFT, FORM_BOTH, 0},
    {X86_INS_SHR, HIERA_STEP_RIGHT, FORM_BOTH, 0},
    {X86_INS_SAR, HIERA_STEP_RIGHT_SIGNED, FORM_BOTH, 0},
    {X86_INS_SHLD, HIERA_STEP_SHIFT_IN_LEFT, FORM_THREE, 0},
    {X86_INS_SHRD, HIERA_STEP_SHIFT_IN_RIGHT, FORM_THREE, 0},
    {X86_INS_DIV, HIERA_STEP_DIVIDE, FORM_ONLY, 0},
    {X86_INS_IDIV, HIERA_STEP_DIVIDE_SIGNED, FORM_ONLY, 0},
    {X86_INS_CDQ, HIERA_STEP_SPREAD_SIGN, FORM_NONE, 4},
    {X86_INS_CQO, HIERA_STEP_SPREAD_SIGN, FORM_NONE, 8},
    {X86_INS_PUSH, HIERA_STEP_PUSH, FORM_ONLY, 0},
    {X86_INS_POP, HIERA_STEP_POP, FORM_TO_FROM, 0},
    {X86_INS_LEAVE, HIERA_STEP_LEAVE, FORM_NONE, 8},
    {X86_INS_MOVD, HIERA_STEP_MOVE, FORM_TO_FROM, 4},
    {X86_INS_MOVQ, HIERA_STEP_MOVE, FORM_TO_FROM, 8},
    {X86_INS_MOVSS, HIERA_STEP_MOVE, FORM_TO_FROM, 4},
    {X86_INS_MOVSD, HIERA_STEP_MOVE, FORM_TO_FROM, 8},
    {X86_INS_VMOVD, HIERA_STEP_MOVE, FORM_TO_FROM, 4},
    {X86_INS_VMOVQ, HIERA_STEP_MOVE, FORM_TO_FROM, 8},
    SCALAR(ADD, HIERA_STEP_FLOAT_ADD, FORM_BOTH),
    SCALAR(SUB, HIERA_STEP_FLOAT_SUBTRACT, FORM_BOTH),
    SCALAR(MUL, HIERA_STEP_FLOAT_MULTIPLY, FORM_BOTH),
    SCALAR(DIV, HIERA_STEP_FLOAT_DIVIDE, FORM_BOTH),
    {X86_INS_SQRTSD, HIERA_STEP_FLOAT_ROOT, FORM_TO_FROM, 8},
    {X86_INS_SQRTSS, HIERA_STEP_FLOAT_ROOT, FORM_TO_FROM, 4},
    SCALAR(COMI, HIERA_STEP_FLOAT_COMPARE, FORM_READ),
    SCALAR(UCOMI, HIERA_STEP_FLOAT_COMPARE, FORM_READ),
    {X86_INS_CVTSI2SD, HIERA_STEP_TO_FLOAT, FORM_TO_FROM, 8},
    {X86_INS_CVTSI2SS, HIERA_STEP_TO_FLOAT, FORM_TO_FROM, 4},
    {X86_INS_CVTTSD2SI, HIERA_STEP_FROM_FLOAT, FORM_TO_FROM, 8},
    {X86_INS_CVTTSS2SI, HIERA_STEP_FROM_FLOAT, FORM_TO_FROM, 4},
    {X86_INS_CVTSS2SD, HIERA_STEP_FLOAT_RESIZE, FORM_TO_FROM, 4},
    {X86_INS_CVTSD2SS, HIERA_STEP_FLOAT_RESIZE, FORM_TO_FROM, 8},
};

/* Instructions that do the same in both halves of vector registers. */
#define VECTOR(name, kind, form)                                                                                       \
    {X86_INS_##name, kind, form, 8},                                                                                   \
    {                                                                                                                  \
        X86_INS_V##name, kind, form, 8                                                                                 \
    }

static const Row vectors[] = {
    VECTOR(MOVAPD, HIERA_STEP_MOVE, FORM_TO_FROM),
    VECTOR(MOVAPS, HIERA_STEP_MOVE, FORM_TO_FROM),
    VECTOR(MOVUPD, HIERA_STEP_MOVE, FORM_TO_FROM),
    VECTOR(MOVUPS, HIERA_STEP_MOVE, FORM_TO_FROM),
    VECTOR(MOVDQA, HIERA_STEP_MOVE, FORM_TO_FROM),
    VECTOR(MOVDQU, HIERA_STEP_MOVE, FORM_TO_FROM),
    VECTOR(PXOR, HIERA_STEP_XOR, FORM_BOTH),
    VECTOR(PAND, HIERA_STEP_AND, FORM_BOTH),
    VECTOR(ANDPD, HIERA_STEP_AND, FORM_BOTH),
    VECTOR(ANDPS, HIERA_STEP_AND, FORM_BOTH),
    VECTOR(POR, HIERA_STEP_OR, FORM_BOTH),
    VECTOR(ORPD, HIERA_STEP_OR, FORM_BOTH),
    VECTOR(ORPS, HIERA_STEP_OR, FORM_BOTH),
    VECTOR(XORPD, HIERA_STEP_XOR, FORM_BOTH),
    VECTOR(XORPS, HIERA_STEP_XOR, FORM_BOTH),
    VECTOR(ADDPD, HIERA_STEP_FLOAT_ADD, FORM_BOTH),
    VECTOR(SUBPD, HIERA_STEP_FLOAT_SUBTRACT, FORM_BOTH),
    VECTOR(MULPD, HIERA_STEP_FLOAT_MULTIPLY, FORM_BOTH),
    VECTOR(DIVPD, HIERA_STEP_FLOAT_DIVIDE, FORM_BOTH),
};

static const struct {
    guint jump, set, move;
    HieraStepCondition condition;
} conditions[] = {
    {X86_INS_JO, X86_INS_SETO, X86_INS_CMOVO, HIERA_IF_OVERFLOW},
    {X86_INS_JNO, X86_INS_SETNO, X86_INS_CMOVNO, HIERA_IF_NOT_OVERFLOW},
    {X86_INS_JB, X86_INS_SETB, X86_INS_CMOVB, HIERA_IF_BELOW},
    {X86_INS_JAE, X86_INS_SETAE, X86_INS_CMOVAE, HIERA_IF_NOT_BELOW},
    {X86_INS_JE, X86_INS_SETE, X86_INS_CMOVE, HIERA_IF_EQUAL},
    {X86_INS_JNE, X86_INS_SETNE, X86_INS_CMOVNE, HIERA_IF_NOT_EQUAL},
    {X86_INS_JBE, X86_INS_SETBE, X86_INS_CMOVBE, HIERA_IF_NOT_ABOVE},
    {X86_INS_JA, X86_INS_SETA, X86_INS_CMOVA, HIERA_IF_ABOVE},
    {X86_INS_JS, X86_INS_SETS, X86_INS_CMOVS, HIERA_IF_SIGN},
    {X86_INS_JNS, X86_INS_SETNS, X86_INS_CMOVNS, HIERA_IF_NOT_SIGN},
    {X86_INS_JP, X86_INS_SETP, X86_INS_CMOVP, HIERA_IF_PARITY},
    {X86_INS_JNP, X86_INS_SETNP, X86_INS_CMOVNP, HIERA_IF_NOT_PARITY},
    {X86_INS_JL, X86_INS_SETL, X86_INS_CMOVL, HIERA_IF_LESS},
    {X86_INS_JGE, X86_INS_SETGE, X86_INS_CMOVGE, HIERA_IF_NOT_LESS},
    {X86_INS_JLE, X86_INS_SETLE, X86_INS_CMOVLE, HIERA_IF_NOT_GREATER},
    {X86_INS_JG, X86_INS_SETG, X86_INS_CMOVG, HIERA_IF_GREATER},
};

/* The upper half of a place in vector registers or memory. */
static HieraOperand upper(HieraOperand place)
{
    if (place.kind == HIERA_OPERAND_REGISTER)
        place.base = (guint8)(place.base + HIERA_XMM_HIGH - HIERA_XMM);
    else if (place.kind == HIERA_OPERAND_MEMORY)
        place.number += 8;
    return place;
}

static void append_move(GArray *steps, HieraOperand to, HieraOperand from)
{
    const HieraStep step = {.kind = HIERA_STEP_MOVE, .to = to, .a = from};
    g_array_append_val(steps, step);
}

/* Instructions that take halves of vector registers apart and put them together. */
static gboolean append_halves(const cs_insn *raw, GArray *steps)
{
    guint n = raw->detail->x86.op_count;
    HieraOperand to = place_of(raw, 0), first = place_of(raw, n > 2 ? 1 : 0), last = place_of(raw, n - 1);
    to.width = first.width = last.width = 8;
    switch (raw->id) {
    case X86_INS_UNPCKLPD:
    case X86_INS_VUNPCKLPD:
    case X86_INS_PUNPCKLQDQ:
    case X86_INS_VPUNPCKLQDQ:
        append_move(steps, upper(to), last);
        if (n > 2)
            append_move(steps, to, first);
        return TRUE;
    case X86_INS_UNPCKHPD:
    case X86_INS_VUNPCKHPD:
        append_move(steps, to, upper(first));
        append_move(steps, upper(to), upper(last));
        return n == 2 || to.base != last.base;
    case X86_INS_CVTDQ2PD:
    case X86_INS_PUNPCKLDQ: {
        const HieraStep step = {.kind = raw->id == X86_INS_CVTDQ2PD ? HIERA_STEP_TO_FLOATS : HIERA_STEP_INTERLEAVE,
                                .to = to,
                                .a = raw->id == X86_INS_CVTDQ2PD ? last : first,
                                .b = last};
        g_array_append_val(steps, step);
        return TRUE;
    }
    case X86_INS_MOVDDUP:
        append_move(steps, to, last);
        append_move(steps, upper(to), last);
        return TRUE;
    case X86_INS_MOVHPD:
    case X86_INS_MOVHPS:
        if (to.kind == HIERA_OPERAND_REGISTER)
            append_move(steps, upper(to), last);
        else
            append_move(steps, to, upper(last));
        return n == 2;
    case X86_INS_MOVLPD:
    case X86_INS_MOVLPS:
        append_move(steps, to, last);
        return n == 2;
    default:
        return FALSE;
    }
}

/* What has no step of its own: all that it writes is unknown. */
static void forget(const HieraDecoder *decoder, GArray *steps)
{
    const cs_insn *raw = decoder->raw;
    cs_regs read, written;
    guint8 n_read = 0, n_written = 0;
    HieraStep step = {.kind = HIERA_STEP_FORGET};
    if (cs_regs_access(decoder->handle, raw, read, &n_read, written, &n_written) != CS_ERR_OK)
        n_written = 0;
    for (guint8 i = 0; i < n_written; i++) {
        if (written[i] == X86_REG_EFLAGS) {
            const HieraStep flags = {.kind = HIERA_STEP_FORGET_FLAGS};
            g_array_append_val(steps, flags);
        } else if (register_of(written[i], &step.to)) {
            step.to.width = 8;
            g_array_append_val(steps, step);
            if (step.to.base >= HIERA_XMM) {
                step.to = upper(step.to);
                g_array_append_val(steps, step);
            }
        }
    }
    for (guint8 i = 0; i < raw->detail->x86.op_count; i++) {
        const cs_x86_op *operand = &raw->detail->x86.operands[i];
        if (operand->type != X86_OP_MEM || !(operand->access & CS_AC_WRITE))
            continue;
        step.to = place_of(raw, i);
        if (step.to.kind == HIERA_OPERAND_MEMORY)
            g_array_append_val(steps, step);
    }
}

/* Fill the operands of a step. */
static void take_operands(const cs_insn *raw, const Row *row, HieraStep *step)
{
    guint n = raw->detail->x86.op_count;
    step->kind = row->kind;
    switch (row->form) {
    case FORM_TO_FROM:
        step->to = place_of(raw, 0);
        step->a = place_of(raw, n > 1 ? 1 : 0);
        break;
    case FORM_BOTH:
        step->to = place_of(raw, 0);
        step->a = place_of(raw, n > 2 ? 1 : 0);
        step->b = n > 1 ? place_of(raw, n - 1) : (HieraOperand){.kind = HIERA_OPERAND_NUMBER, .number = 1};
        break;
    case FORM_READ:
        step->a = place_of(raw, 0);
        step->b = place_of(raw, 1);
        break;
    case FORM_THREE:
        step->to = place_of(raw, 0);
        step->a = place_of(raw, 1);
        step->b = place_of(raw, 2);
        break;
    case FORM_SELF:
        step->to = step->a = place_of(raw, 0);
        step->b = (HieraOperand){.kind = HIERA_OPERAND_NUMBER, .width = step->a.width, .number = 1};
        break;
    case FORM_ONLY:
        step->a = place_of(raw, 0);
        break;
    case FORM_NONE:
        step->a.width = row->width;
        break;
    }
}

/* Vector registers have the width of the instruction; the numbers of integers in conversions keep theirs. */
static void take_width(const Row *row, HieraStep *step)
{
    HieraOperand *places[] = {&step->to, &step->a, &step->b};
    for (guint i = 0; row->width > 0 && i < G_N_ELEMENTS(places); i++) {
        HieraOperand *place = places[i];
        gboolean is_integer =
            (row->kind == HIERA_STEP_TO_FLOAT && i == 1) || (row->kind == HIERA_STEP_FROM_FLOAT && i == 0);
        if (!is_integer && (place->kind == HIERA_OPERAND_MEMORY || place->kind == HIERA_OPERAND_REGISTER) &&
            row->form != FORM_NONE)
            place->width = row->width;
    }
    if (row->kind == HIERA_STEP_FLOAT_RESIZE)
        step->to.width = row->width == 8 ? 4 : 8;
}

static gboolean append_condition(const cs_insn *raw, GArray *steps, HieraStepCondition *condition)
{
    for (guint i = 0; i < G_N_ELEMENTS(conditions); i++) {
        HieraStep step = {.condition = conditions[i].condition, .to = place_of(raw, 0)};
        if (raw->id == conditions[i].jump) {
            *condition = conditions[i].condition;
            return TRUE;
        }
        if (raw->id == conditions[i].set) {
            step.kind = HIERA_STEP_SET_IF;
        } else if (raw->id == conditions[i].move) {
            step.kind = HIERA_STEP_MOVE_IF;
            step.a = place_of(raw, 1);
        } else {
            continue;
        }
        g_array_append_val(steps, step);
        return TRUE;
    }
    return FALSE;
}

static gboolean append_vector(const cs_insn *raw, GArray *steps)
{
    for (guint i = 0; i < G_N_ELEMENTS(vectors); i++) {
        HieraStep step = {0};
        if (vectors[i].id != raw->id)
            continue;
        take_operands(raw, &vectors[i], &step);
        guint8 width = MAX(step.to.width, step.a.width);
        if (raw->detail->x86.operands[0].size > 16 && step.to.kind == HIERA_OPERAND_MEMORY) {
            HieraStep all = {.kind = HIERA_STEP_FORGET, .to = step.to};
            all.to.width = width;
            g_array_append_val(steps, all);
        }
        take_width(&vectors[i], &step);
        g_array_append_val(steps, step);
        step.to = upper(step.to);
        step.a = upper(step.a);
        step.b = upper(step.b);
        g_array_append_val(steps, step);
        return TRUE;
    }
    return FALSE;
}

/* imul with two or three operands, and both of one. */
static gboolean append_product(const cs_insn *raw, GArray *steps)
{
    guint n = raw->detail->x86.op_count;
    const HieraStep step = {.kind = HIERA_STEP_MULTIPLY,
                            .to = place_of(raw, 0),
                            .a = place_of(raw, n > 2 ? 1 : 0),
                            .b = place_of(raw, n - 1)};
    const HieraStep wide = {.kind = raw->id == X86_INS_MUL ? HIERA_STEP_MULTIPLY_WIDE : HIERA_STEP_MULTIPLY_WIDE_SIGNED,
                            .a = place_of(raw, 0)};
    if (n == 1)
        g_array_append_val(steps, wide);
    else
        g_array_append_val(steps, step);
    return TRUE;
}

/* cwde, cdqe: rax gets the sign of its lower half. */
static gboolean append_extension(const cs_insn *raw, GArray *steps)
{
    guint8 width = raw->id == X86_INS_CDQE ? 8 : raw->id == X86_INS_CWDE ? 4 : 0;
    const HieraStep step = {.kind = HIERA_STEP_MOVE_SIGNED,
                            .to = {.kind = HIERA_OPERAND_REGISTER, .base = HIERA_RAX, .width = width},
                            .a = {.kind = HIERA_OPERAND_REGISTER, .base = HIERA_RAX, .width = width / 2}};
    if (width > 0)
        g_array_append_val(steps, step);
    return width > 0;
}

HieraOperand hiera_step_operand(const HieraDecoder *decoder)
{
    gboolean is_known = decoder->object->machine == HIERA_MACHINE_X86_64 && decoder->raw;
    return is_known ? place_of(decoder->raw, 0) : (HieraOperand){.kind = HIERA_OPERAND_UNKNOWN};
}

static gboolean is_plain(const cs_insn *raw)
{
    switch (raw->id) {
    case X86_INS_NOP:
    case X86_INS_ENDBR64:
    case X86_INS_JMP:
    case X86_INS_CALL:
    case X86_INS_RET:
        return TRUE;
    default:
        return FALSE;
    }
}

HieraStepCondition hiera_steps_append(const HieraDecoder *decoder, GArray *steps)
{
    const cs_insn *raw = decoder->raw;
    HieraStepCondition condition = HIERA_IF_UNKNOWN;
    if (decoder->object->machine != HIERA_MACHINE_X86_64 || !raw || is_plain(raw))
        return condition;
    if (append_condition(raw, steps, &condition) || append_extension(raw, steps) ||
        ((raw->id == X86_INS_IMUL || raw->id == X86_INS_MUL) && append_product(raw, steps)) ||
        append_vector(raw, steps) || append_halves(raw, steps))
        return condition;
    gboolean repeated = raw->detail->x86.prefix[0] == X86_PREFIX_REP || raw->detail->x86.prefix[0] == X86_PREFIX_REPNE;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        HieraStep step = {0};
        if (rows[i].id != raw->id)
            continue;
        if (raw->id == X86_INS_MOVSD && repeated && raw->detail->x86.operands[0].type == X86_OP_MEM &&
            raw->detail->x86.operands[1].type == X86_OP_MEM)
            break;
        take_operands(raw, &rows[i], &step);
        take_width(&rows[i], &step);
        g_array_append_val(steps, step);
        return condition;
    }
    forget(decoder, steps);
    return condition;
}
