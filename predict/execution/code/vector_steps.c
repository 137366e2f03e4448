#include "vector_steps.h"
#include "operands.h"

/* Rows for an instruction that does the same with the lower and the upper 8 bytes of its registers, and its VEX form.
 */
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
    VECTOR(MINPD, HIERA_STEP_FLOAT_LEAST, HIERA_FORM_BOTH),
    VECTOR(MAXPD, HIERA_STEP_FLOAT_MOST, HIERA_FORM_BOTH),
};

static void append_move(GArray *steps, HieraStepOperand to, HieraStepOperand from)
{
    const HieraStep step = {.kind = HIERA_STEP_MOVE, .to = to, .a = from};
    g_array_append_val(steps, step);
}

/* Append the steps of an instruction that moves single halves (8 bytes) of vector registers. @return FALSE: another one
 */
static gboolean append_halves(const cs_insn *raw, GArray *steps)
{
    guint n = raw->detail->x86.op_count;
    HieraStepOperand to = hiera_operand_of(raw, 0), first = hiera_operand_of(raw, n > 2 ? 1 : 0),
                     last = hiera_operand_of(raw, n - 1);
    to.width = first.width = last.width = 8;
    switch (raw->id) {
    case X86_INS_MOVHLPS:
    case X86_INS_VMOVHLPS: /* the upper half stays, or is that of the middle operand */
        append_move(steps, to, hiera_operand_upper(last));
        if (n > 2)
            append_move(steps, hiera_operand_upper(to), hiera_operand_upper(first));
        return TRUE;
    case X86_INS_MOVLHPS:
    case X86_INS_VMOVLHPS:
    case X86_INS_UNPCKLPD:
    case X86_INS_VUNPCKLPD:
        append_move(steps, hiera_operand_upper(to), last);
        if (n > 2)
            append_move(steps, to, first);
        return TRUE;
    case X86_INS_UNPCKHPD:
    case X86_INS_VUNPCKHPD:
        append_move(steps, to, hiera_operand_upper(first));
        append_move(steps, hiera_operand_upper(to), hiera_operand_upper(last));
        return TRUE;
    case X86_INS_CVTDQ2PD:
    case X86_INS_VCVTDQ2PD: {
        const HieraStep step = {.kind = HIERA_STEP_TO_FLOATS, .to = to, .a = last};
        g_array_append_val(steps, step);
        return TRUE;
    }
    case X86_INS_MOVDDUP:
    case X86_INS_VMOVDDUP:
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

typedef struct {
    guint id;
    guint8 what, width;
} LanesRow;

/* Rows for an instruction that works on lanes, and its VEX form. */
#define LANES(name, what, width)                                                                                       \
    {X86_INS_##name, HIERA_LANES_##what, width},                                                                       \
    {                                                                                                                  \
        X86_INS_V##name, HIERA_LANES_##what, width                                                                     \
    }

static const LanesRow lanes[] = {
    LANES(PADDB, ADD, 1),
    LANES(PSUBB, SUBTRACT, 1),
    LANES(PADDW, ADD, 2),
    LANES(PSUBW, SUBTRACT, 2),
    LANES(PADDD, ADD, 4),
    LANES(PSUBD, SUBTRACT, 4),
    LANES(PADDQ, ADD, 8),
    LANES(PSUBQ, SUBTRACT, 8),
    LANES(PCMPEQB, EQUAL, 1),
    LANES(PCMPGTB, GREATER, 1),
    LANES(PCMPEQW, EQUAL, 2),
    LANES(PCMPGTW, GREATER, 2),
    LANES(PCMPEQD, EQUAL, 4),
    LANES(PCMPGTD, GREATER, 4),
    LANES(PCMPEQQ, EQUAL, 8),
    LANES(PCMPGTQ, GREATER, 8),
    LANES(PMULLW, MULTIPLY, 2),
    LANES(PMULLD, MULTIPLY, 4),
    LANES(PMULUDQ, MULTIPLY_WIDE, 8),
    LANES(PMULDQ, MULTIPLY_WIDE_SIGNED, 8),
    LANES(PANDN, AND_NOT, 8),
    LANES(ANDNPD, AND_NOT, 8),
    LANES(ANDNPS, AND_NOT, 8),
    LANES(PMINUB, LEAST, 1),
    LANES(PMAXUB, MOST, 1),
    LANES(PMINSB, LEAST_SIGNED, 1),
    LANES(PMAXSB, MOST_SIGNED, 1),
    LANES(PMINUW, LEAST, 2),
    LANES(PMAXUW, MOST, 2),
    LANES(PMINSW, LEAST_SIGNED, 2),
    LANES(PMAXSW, MOST_SIGNED, 2),
    LANES(PMINUD, LEAST, 4),
    LANES(PMAXUD, MOST, 4),
    LANES(PMINSD, LEAST_SIGNED, 4),
    LANES(PMAXSD, MOST_SIGNED, 4),
    LANES(PSLLW, LEFT, 2),
    LANES(PSRLW, RIGHT, 2),
    LANES(PSLLD, LEFT, 4),
    LANES(PSRLD, RIGHT, 4),
    LANES(PSLLQ, LEFT, 8),
    LANES(PSRLQ, RIGHT, 8),
    LANES(PSRAW, RIGHT_SIGNED, 2),
    LANES(PSRAD, RIGHT_SIGNED, 4),
    LANES(PSLLDQ, BYTES_LEFT, 1),
    LANES(PSRLDQ, BYTES_RIGHT, 1),
    LANES(PUNPCKLBW, INTERLEAVE_LOW, 1),
    LANES(PUNPCKHBW, INTERLEAVE_HIGH, 1),
    LANES(PUNPCKLWD, INTERLEAVE_LOW, 2),
    LANES(PUNPCKHWD, INTERLEAVE_HIGH, 2),
    LANES(PUNPCKLDQ, INTERLEAVE_LOW, 4),
    LANES(PUNPCKHDQ, INTERLEAVE_HIGH, 4),
    LANES(PUNPCKLQDQ, INTERLEAVE_LOW, 8),
    LANES(PUNPCKHQDQ, INTERLEAVE_HIGH, 8),
    LANES(UNPCKLPS, INTERLEAVE_LOW, 4),
    LANES(UNPCKHPS, INTERLEAVE_HIGH, 4),
    LANES(PSHUFD, SHUFFLE, 4),
    LANES(SHUFPS, SHUFFLE_TWO, 4),
    LANES(SHUFPD, SHUFFLE_TWO, 8),
    LANES(PSHUFLW, SHUFFLE_LOW, 2),
    LANES(PSHUFHW, SHUFFLE_HIGH, 2),
    LANES(PMOVZXDQ, WIDEN, 4),
    LANES(PMOVSXDQ, WIDEN_SIGNED, 4),
    LANES(PINSRD, INSERT, 4),
    LANES(PINSRQ, INSERT, 8),
    LANES(PINSRW, INSERT, 2),
    LANES(PEXTRD, EXTRACT, 4),
    LANES(PEXTRQ, EXTRACT, 8),
    LANES(PEXTRW, EXTRACT, 2),
    LANES(PMOVMSKB, MASK, 1),
    LANES(MOVMSKPS, MASK, 4),
    LANES(MOVMSKPD, MASK, 8),
    {X86_INS_VPBROADCASTD, HIERA_LANES_REPEAT, 4},
    {X86_INS_VPBROADCASTQ, HIERA_LANES_REPEAT, 8},
};

/* Whether the row is right for the lower 16 bytes of this instruction's result, also if its registers have 32. */
static gboolean is_narrow(const cs_insn *raw, const LanesRow *row)
{
    gboolean wide = FALSE;
    for (guint i = 0; i < raw->detail->x86.op_count; i++)
        wide |= raw->detail->x86.operands[i].type == X86_OP_REG && raw->detail->x86.operands[i].size > 16;
    return !wide || row->what != HIERA_LANES_MASK;
}

/* Whether a result is tracked. Not tracked: 8-byte registers (MMX); a mask or an extracted lane written to memory. */
static gboolean is_followed(const HieraStepOperand *to, guint8 what)
{
    gboolean number = what == HIERA_LANES_EXTRACT || what == HIERA_LANES_MASK;
    return to->kind == HIERA_OPERAND_REGISTER && (to->base >= HIERA_XMM) != number;
}

static gboolean append_lanes(const cs_insn *raw, GArray *steps)
{
    guint n = raw->detail->x86.op_count;
    for (guint i = 0; i < G_N_ELEMENTS(lanes); i++) {
        if (lanes[i].id != raw->id)
            continue;
        gboolean by_number = lanes[i].what == HIERA_LANES_SHUFFLE_TWO || lanes[i].what == HIERA_LANES_INSERT;
        guint n_sources = by_number ? n - 1 : n;
        HieraStep step = {.kind = HIERA_STEP_LANES,
                          .condition = lanes[i].what,
                          .lane = lanes[i].width,
                          .to = hiera_operand_of(raw, 0),
                          .a = hiera_operand_of(raw, n_sources > 2 ? 1 : 0),
                          .b = hiera_operand_of(raw, n_sources - 1)};
        if (lanes[i].what == HIERA_LANES_MASK || lanes[i].what == HIERA_LANES_REPEAT ||
            lanes[i].what == HIERA_LANES_WIDEN || lanes[i].what == HIERA_LANES_WIDEN_SIGNED) {
            step.a = hiera_operand_of(raw, 1);
            step.b = (HieraStepOperand){.kind = HIERA_OPERAND_NONE};
        }
        if (by_number)
            step.to.number = hiera_operand_of(raw, n - 1).number;
        if (!is_narrow(raw, &lanes[i]) || !is_followed(&step.to, lanes[i].what))
            return FALSE;
        g_array_append_val(steps, step);
        return TRUE;
    }
    return FALSE;
}

static gboolean append_both_halves(const cs_insn *raw, GArray *steps)
{
    for (guint i = 0; i < G_N_ELEMENTS(vectors); i++) {
        HieraStep step = {0};
        if (vectors[i].id != raw->id)
            continue;
        hiera_step_take_operands(raw, &vectors[i], &step);
        guint8 width = MAX(step.to.width, step.a.width);
        if (raw->detail->x86.operands[0].size > 32 && step.to.kind == HIERA_OPERAND_MEMORY) {
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

/* Append the steps of a float comparison whose result is a mask, like cmpltsd. @return FALSE: another instruction */
static gboolean append_comparison(const cs_insn *raw, GArray *steps)
{
    static const struct {
        guint first;
        guint8 width;
        gboolean both;
    } kinds[] = {{X86_INS_CMPEQSS, 4, FALSE}, {X86_INS_CMPEQSD, 8, FALSE}, {X86_INS_CMPEQPD, 8, TRUE}};
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (raw->id < kinds[i].first || raw->id > kinds[i].first + HIERA_FLOAT_ORDERED)
            continue;
        HieraStep step = {.kind = HIERA_STEP_FLOAT_MASK,
                          .condition = (guint8)(raw->id - kinds[i].first),
                          .lane = !kinds[i].both,
                          .to = hiera_operand_of(raw, 0),
                          .b = hiera_operand_of(raw, 1)};
        step.to.width = step.b.width = kinds[i].width;
        step.a = step.to;
        g_array_append_val(steps, step);
        step.to = step.a = hiera_operand_upper(step.to);
        step.b = hiera_operand_upper(step.b);
        if (kinds[i].both)
            g_array_append_val(steps, step);
        return TRUE;
    }
    return FALSE;
}

/* --- registers of 32 bytes --- */

static void append_two_moves(GArray *steps, HieraStepOperand to, HieraStepOperand from)
{
    append_move(steps, to, from);
    append_move(steps, hiera_operand_upper(to), hiera_operand_upper(from));
}

static void append_unknown(GArray *steps, HieraStepOperand to)
{
    HieraStep step = {.kind = HIERA_STEP_FORGET, .to = to};
    g_array_append_val(steps, step);
    step.to = hiera_operand_upper(to);
    g_array_append_val(steps, step);
}

/* Append what moves a half (16 bytes) of a register as a whole. @return FALSE: another instruction */
static gboolean append_big_halves(const cs_insn *raw, GArray *steps)
{
    guint n = raw->detail->x86.op_count;
    gint64 number = hiera_operand_of(raw, n - 1).number;
    HieraStepOperand to = hiera_operand_of(raw, 0), from = hiera_operand_of(raw, 1), half = hiera_operand_of(raw, 2);
    to.width = from.width = half.width = 8;
    switch (raw->id) {
    case X86_INS_VEXTRACTF128:
    case X86_INS_VEXTRACTI128:
        append_two_moves(steps, to, number & 1 ? hiera_operand_second_half(from) : from);
        if (to.kind == HIERA_OPERAND_REGISTER)
            hiera_step_append_clear(steps, to);
        return TRUE;
    case X86_INS_VINSERTF128:
    case X86_INS_VINSERTI128:
        if (number & 1) { /* what is inserted may be `to` */
            append_two_moves(steps, hiera_operand_second_half(to), half);
            append_two_moves(steps, to, from);
        } else {
            append_two_moves(steps, hiera_operand_second_half(to), hiera_operand_second_half(from));
            append_two_moves(steps, to, half);
        }
        return TRUE;
    case X86_INS_VBROADCASTF128:
        append_two_moves(steps, hiera_operand_second_half(to), from);
        append_two_moves(steps, to, from);
        return TRUE;
    case X86_INS_VBROADCASTSD:
    case X86_INS_VPBROADCASTQ:
        append_move(steps, hiera_operand_upper(to), from);
        append_move(steps, hiera_operand_second_half(to), from);
        append_move(steps, hiera_operand_upper(hiera_operand_second_half(to)), from);
        append_move(steps, to, from);
        return raw->detail->x86.operands[0].size == 32 && (from.kind == HIERA_OPERAND_MEMORY || from.base >= HIERA_XMM);
    default:
        return FALSE;
    }
}

/* Whether the upper 16 bytes of the result are made of the lower ones of an operand. */
static gboolean crosses_halves(guint id)
{
    static const guint all[] = {X86_INS_VPMOVZXDQ, X86_INS_VPMOVSXDQ, X86_INS_VCVTDQ2PD, X86_INS_VPBROADCASTD,
                                X86_INS_VSHUFPD};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        if (id == all[i])
            return TRUE;
    return FALSE;
}

static gboolean is_shift(const HieraStep *step)
{
    return step->kind == HIERA_STEP_LANES && step->condition >= HIERA_LANES_LEFT &&
           step->condition <= HIERA_LANES_RIGHT_SIGNED;
}

/* Append the steps of the upper 16 bytes. @param first  where those of the lower ones begin */
static void append_second_half(GArray *steps, guint first)
{
    guint end = steps->len;
    for (guint i = first; i < end; i++) {
        HieraStep step = g_array_index(steps, HieraStep, i);
        step.to = hiera_operand_second_half(step.to);
        step.a = hiera_operand_second_half(step.a);
        step.b = is_shift(&step) ? step.b : hiera_operand_second_half(step.b);
        g_array_append_val(steps, step);
    }
}

/* Append what an instruction does to the upper bytes of the vector register that it writes: those of 16 bytes clear
 * them, except the ones without VEX. */
static void append_upper(const cs_insn *raw, GArray *steps, guint first)
{
    const cs_x86_op *to = &raw->detail->x86.operands[0];
    HieraStepOperand place = hiera_operand_of(raw, 0), second = hiera_operand_second_half(place);
    gboolean is_register = place.kind == HIERA_OPERAND_REGISTER && place.base >= HIERA_XMM;
    guint size = to->size;
    for (guint i = 0; i < raw->detail->x86.op_count; i++)
        if (raw->detail->x86.operands[i].type == X86_OP_REG)
            size = MAX(size, raw->detail->x86.operands[i].size);
    if (size == 32 && !crosses_halves(raw->id))
        append_second_half(steps, first);
    else if (size > 16 && is_register)
        append_unknown(steps, second);
    else if (is_register && hiera_is_vex(raw))
        hiera_step_append_clear(steps, place);
}

gboolean hiera_vector_steps_append(const cs_insn *raw, GArray *steps)
{
    guint first = steps->len;
    if (raw->id == X86_INS_VZEROUPPER) {
        hiera_step_append_clear(steps, (HieraStepOperand){.kind = HIERA_OPERAND_NONE});
        return TRUE;
    }
    if (append_big_halves(raw, steps))
        return TRUE;
    g_array_set_size(steps, first);
    gboolean found = append_both_halves(raw, steps) || append_halves(raw, steps) || append_lanes(raw, steps) ||
                     append_comparison(raw, steps);
    if (found)
        append_upper(raw, steps, first);
    else
        g_array_set_size(steps, first);
    return found;
}

void hiera_step_append_clear(GArray *steps, HieraStepOperand place)
{
    const HieraStep step = {.kind = HIERA_STEP_CLEAR_UPPER, .to = place};
    g_array_append_val(steps, step);
}

gboolean hiera_is_vex(const cs_insn *raw)
{
    return raw->mnemonic[0] == 'v';
}

gboolean hiera_is_masked(const cs_insn *raw)
{
    for (guint i = 0; i < raw->detail->x86.op_count; i++) {
        const cs_x86_op *operand = &raw->detail->x86.operands[i];
        if ((operand->type == X86_OP_REG && operand->reg >= X86_REG_K0 && operand->reg <= X86_REG_K7) ||
            operand->avx_bcast != X86_AVX_BCAST_INVALID)
            return TRUE;
    }
    return FALSE;
}
