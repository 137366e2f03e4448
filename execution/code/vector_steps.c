/* See vector_steps.h. */
#include "vector_steps.h"
#include "operands.h"

/* Instructions that do the same in both halves of vector registers. */
#define VECTOR(name, kind, form)                                                                                       \
    {X86_INS_##name, kind, form, 8},                                                                                   \
    {                                                                                                                  \
        X86_INS_V##name, kind, form, 8                                                                                 \
    }

static const HieraStepRow vectors[] = {
    VECTOR(MOVAPD, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM),
    VECTOR(MOVAPS, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM),
    VECTOR(MOVUPD, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM),
    VECTOR(MOVUPS, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM),
    VECTOR(MOVDQA, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM),
    VECTOR(MOVDQU, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM),
    VECTOR(PXOR, HIERA_STEP_XOR, HIERA_FORM_BOTH),
    VECTOR(PAND, HIERA_STEP_AND, HIERA_FORM_BOTH),
    VECTOR(ANDPD, HIERA_STEP_AND, HIERA_FORM_BOTH),
    VECTOR(ANDPS, HIERA_STEP_AND, HIERA_FORM_BOTH),
    VECTOR(POR, HIERA_STEP_OR, HIERA_FORM_BOTH),
    VECTOR(ORPD, HIERA_STEP_OR, HIERA_FORM_BOTH),
    VECTOR(ORPS, HIERA_STEP_OR, HIERA_FORM_BOTH),
    VECTOR(XORPD, HIERA_STEP_XOR, HIERA_FORM_BOTH),
    VECTOR(XORPS, HIERA_STEP_XOR, HIERA_FORM_BOTH),
    VECTOR(ADDPD, HIERA_STEP_FLOAT_ADD, HIERA_FORM_BOTH),
    VECTOR(SUBPD, HIERA_STEP_FLOAT_SUBTRACT, HIERA_FORM_BOTH),
    VECTOR(MULPD, HIERA_STEP_FLOAT_MULTIPLY, HIERA_FORM_BOTH),
    VECTOR(DIVPD, HIERA_STEP_FLOAT_DIVIDE, HIERA_FORM_BOTH),
};

static void append_move(GArray *steps, HieraOperand to, HieraOperand from)
{
    const HieraStep step = {.kind = HIERA_STEP_MOVE, .to = to, .a = from};
    g_array_append_val(steps, step);
}

/* Instructions that take halves of vector registers apart and put them together. */
static gboolean append_halves(const cs_insn *raw, GArray *steps)
{
    guint n = raw->detail->x86.op_count;
    HieraOperand to = hiera_operand_of(raw, 0), first = hiera_operand_of(raw, n > 2 ? 1 : 0),
                 last = hiera_operand_of(raw, n - 1);
    to.width = first.width = last.width = 8;
    switch (raw->id) {
    case X86_INS_UNPCKLPD:
    case X86_INS_VUNPCKLPD:
    case X86_INS_PUNPCKLQDQ:
    case X86_INS_VPUNPCKLQDQ:
        append_move(steps, hiera_operand_upper(to), last);
        if (n > 2)
            append_move(steps, to, first);
        return TRUE;
    case X86_INS_UNPCKHPD:
    case X86_INS_VUNPCKHPD:
        append_move(steps, to, hiera_operand_upper(first));
        append_move(steps, hiera_operand_upper(to), hiera_operand_upper(last));
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
        append_move(steps, hiera_operand_upper(to), last);
        return TRUE;
    case X86_INS_MOVHPD:
    case X86_INS_MOVHPS:
        if (to.kind == HIERA_OPERAND_REGISTER)
            append_move(steps, hiera_operand_upper(to), last);
        else
            append_move(steps, to, hiera_operand_upper(last));
        return n == 2;
    case X86_INS_MOVLPD:
    case X86_INS_MOVLPS:
        append_move(steps, to, last);
        return n == 2;
    default:
        return FALSE;
    }
}

static gboolean append_both_halves(const cs_insn *raw, GArray *steps)
{
    for (guint i = 0; i < G_N_ELEMENTS(vectors); i++) {
        HieraStep step = {0};
        if (vectors[i].id != raw->id)
            continue;
        hiera_step_take_operands(raw, &vectors[i], &step);
        guint8 width = MAX(step.to.width, step.a.width);
        if (raw->detail->x86.operands[0].size > 16 && step.to.kind == HIERA_OPERAND_MEMORY) {
            HieraStep all = {.kind = HIERA_STEP_FORGET, .to = step.to};
            all.to.width = width;
            g_array_append_val(steps, all);
        }
        hiera_step_take_width(&vectors[i], &step);
        g_array_append_val(steps, step);
        step.to = hiera_operand_upper(step.to);
        step.a = hiera_operand_upper(step.a);
        step.b = hiera_operand_upper(step.b);
        g_array_append_val(steps, step);
        return TRUE;
    }
    return FALSE;
}

gboolean hiera_vector_steps_append(const cs_insn *raw, GArray *steps)
{
    return append_both_halves(raw, steps) || append_halves(raw, steps);
}
