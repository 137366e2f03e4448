#include "instruction.h"
#include "operands.h"
#include "vector_steps.h"
#include <string.h>

#define SCALAR(name, kind, form)                                                                                       \
    {X86_INS_##name##SD, kind, form, 8}, {X86_INS_##name##SS, kind, form, 4}, {X86_INS_V##name##SD, kind, form, 8},    \
    {                                                                                                                  \
        X86_INS_V##name##SS, kind, form, 4                                                                             \
    }

static const HieraStepRow rows[] = {
    {X86_INS_MOV, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM, 0},
    {X86_INS_MOVABS, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM, 0},
    {X86_INS_MOVZX, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM, 0},
    {X86_INS_MOVSX, HIERA_STEP_MOVE_SIGNED, HIERA_FORM_TO_FROM, 0},
    {X86_INS_MOVSXD, HIERA_STEP_MOVE_SIGNED, HIERA_FORM_TO_FROM, 0},
    {X86_INS_LEA, HIERA_STEP_ADDRESS, HIERA_FORM_TO_FROM, 0},
    {X86_INS_ADD, HIERA_STEP_ADD, HIERA_FORM_BOTH, 0},
    {X86_INS_SUB, HIERA_STEP_SUBTRACT, HIERA_FORM_BOTH, 0},
    {X86_INS_ADC, HIERA_STEP_ADD_CARRY, HIERA_FORM_BOTH, 0},
    {X86_INS_SBB, HIERA_STEP_SUBTRACT_CARRY, HIERA_FORM_BOTH, 0},
    {X86_INS_AND, HIERA_STEP_AND, HIERA_FORM_BOTH, 0},
    {X86_INS_OR, HIERA_STEP_OR, HIERA_FORM_BOTH, 0},
    {X86_INS_XOR, HIERA_STEP_XOR, HIERA_FORM_BOTH, 0},
    {X86_INS_CMP, HIERA_STEP_COMPARE, HIERA_FORM_READ, 0},
    {X86_INS_TEST, HIERA_STEP_TEST, HIERA_FORM_READ, 0},
    {X86_INS_NEG, HIERA_STEP_NEGATE, HIERA_FORM_SELF, 0},
    {X86_INS_NOT, HIERA_STEP_NOT, HIERA_FORM_SELF, 0},
    {X86_INS_INC, HIERA_STEP_INCREMENT, HIERA_FORM_SELF, 0},
    {X86_INS_DEC, HIERA_STEP_DECREMENT, HIERA_FORM_SELF, 0},
    {X86_INS_SHL, HIERA_STEP_LEFT, HIERA_FORM_BOTH, 0},
    {X86_INS_SAL, HIERA_STEP_LEFT, HIERA_FORM_BOTH, 0},
    {X86_INS_SHR, HIERA_STEP_RIGHT, HIERA_FORM_BOTH, 0},
    {X86_INS_SAR, HIERA_STEP_RIGHT_SIGNED, HIERA_FORM_BOTH, 0},
    {X86_INS_ROL, HIERA_STEP_ROTATE_LEFT, HIERA_FORM_BOTH, 0},
    {X86_INS_ROR, HIERA_STEP_ROTATE_RIGHT, HIERA_FORM_BOTH, 0},
    {X86_INS_SHLD, HIERA_STEP_SHIFT_IN_LEFT, HIERA_FORM_THREE, 0},
    {X86_INS_SHRD, HIERA_STEP_SHIFT_IN_RIGHT, HIERA_FORM_THREE, 0},
    {X86_INS_DIV, HIERA_STEP_DIVIDE, HIERA_FORM_ONLY, 0},
    {X86_INS_IDIV, HIERA_STEP_DIVIDE_SIGNED, HIERA_FORM_ONLY, 0},
    {X86_INS_XCHG, HIERA_STEP_EXCHANGE, HIERA_FORM_TO_FROM, 0},
    {X86_INS_XADD, HIERA_STEP_EXCHANGE_ADD, HIERA_FORM_TO_FROM, 0},
    {X86_INS_CMPXCHG, HIERA_STEP_EXCHANGE_IF_SAME, HIERA_FORM_TO_FROM, 0},
    {X86_INS_MULX, HIERA_STEP_MULTIPLY_INTO_TWO, HIERA_FORM_THREE, 0},
    {X86_INS_CWD, HIERA_STEP_SPREAD_SIGN, HIERA_FORM_NONE, 2},
    {X86_INS_CDQ, HIERA_STEP_SPREAD_SIGN, HIERA_FORM_NONE, 4},
    {X86_INS_CQO, HIERA_STEP_SPREAD_SIGN, HIERA_FORM_NONE, 8},
    {X86_INS_PUSH, HIERA_STEP_PUSH, HIERA_FORM_ONLY, 0},
    {X86_INS_POP, HIERA_STEP_POP, HIERA_FORM_TO_FROM, 0},
    {X86_INS_LEAVE, HIERA_STEP_LEAVE, HIERA_FORM_NONE, 8},
    {X86_INS_MOVD, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM, 4},
    {X86_INS_MOVQ, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM, 8},
    {X86_INS_MOVSS, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM, 4},
    {X86_INS_MOVSD, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM, 8},
    {X86_INS_VMOVSS, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM, 4},
    {X86_INS_VMOVSD, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM, 8},
    {X86_INS_VMOVD, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM, 4},
    {X86_INS_VMOVQ, HIERA_STEP_MOVE, HIERA_FORM_TO_FROM, 8},
    SCALAR(ADD, HIERA_STEP_FLOAT_ADD, HIERA_FORM_BOTH),
    SCALAR(SUB, HIERA_STEP_FLOAT_SUBTRACT, HIERA_FORM_BOTH),
    SCALAR(MUL, HIERA_STEP_FLOAT_MULTIPLY, HIERA_FORM_BOTH),
    SCALAR(DIV, HIERA_STEP_FLOAT_DIVIDE, HIERA_FORM_BOTH),
    SCALAR(MIN, HIERA_STEP_FLOAT_LEAST, HIERA_FORM_BOTH),
    SCALAR(MAX, HIERA_STEP_FLOAT_MOST, HIERA_FORM_BOTH),
    {X86_INS_SQRTSD, HIERA_STEP_FLOAT_ROOT, HIERA_FORM_TO_FROM_REST, 8},
    {X86_INS_SQRTSS, HIERA_STEP_FLOAT_ROOT, HIERA_FORM_TO_FROM_REST, 4},
    SCALAR(COMI, HIERA_STEP_FLOAT_COMPARE, HIERA_FORM_READ),
    SCALAR(UCOMI, HIERA_STEP_FLOAT_COMPARE, HIERA_FORM_READ),
    {X86_INS_VCVTSI2SD, HIERA_STEP_TO_FLOAT, HIERA_FORM_TO_FROM_REST, 8},
    {X86_INS_VCVTSI2SS, HIERA_STEP_TO_FLOAT, HIERA_FORM_TO_FROM_REST, 4},
    {X86_INS_VCVTTSD2SI, HIERA_STEP_FROM_FLOAT, HIERA_FORM_TO_FROM, 8},
    {X86_INS_VCVTTSS2SI, HIERA_STEP_FROM_FLOAT, HIERA_FORM_TO_FROM, 4},
    {X86_INS_VSQRTSD, HIERA_STEP_FLOAT_ROOT, HIERA_FORM_TO_FROM_REST, 8},
    {X86_INS_VSQRTSS, HIERA_STEP_FLOAT_ROOT, HIERA_FORM_TO_FROM_REST, 4},
    {X86_INS_VCVTSS2SD, HIERA_STEP_FLOAT_RESIZE, HIERA_FORM_TO_FROM_REST, 4},
    {X86_INS_VCVTSD2SS, HIERA_STEP_FLOAT_RESIZE, HIERA_FORM_TO_FROM_REST, 8},
    {X86_INS_CVTSI2SD, HIERA_STEP_TO_FLOAT, HIERA_FORM_TO_FROM_REST, 8},
    {X86_INS_CVTSI2SS, HIERA_STEP_TO_FLOAT, HIERA_FORM_TO_FROM_REST, 4},
    {X86_INS_CVTTSD2SI, HIERA_STEP_FROM_FLOAT, HIERA_FORM_TO_FROM, 8},
    {X86_INS_CVTTSS2SI, HIERA_STEP_FROM_FLOAT, HIERA_FORM_TO_FROM, 4},
    {X86_INS_CVTSS2SD, HIERA_STEP_FLOAT_RESIZE, HIERA_FORM_TO_FROM_REST, 4},
    {X86_INS_CVTSD2SS, HIERA_STEP_FLOAT_RESIZE, HIERA_FORM_TO_FROM_REST, 8},
};

/* Instructions about bits. */
static const struct {
    guint id;
    guint8 what, form;
} bits[] = {
    {X86_INS_BT, HIERA_BITS_TEST, HIERA_FORM_READ},
    {X86_INS_BTS, HIERA_BITS_SET, HIERA_FORM_BOTH},
    {X86_INS_BTR, HIERA_BITS_CLEAR, HIERA_FORM_BOTH},
    {X86_INS_BTC, HIERA_BITS_INVERT, HIERA_FORM_BOTH},
    {X86_INS_BSF, HIERA_BITS_FIRST, HIERA_FORM_TO_FROM},
    {X86_INS_BSR, HIERA_BITS_LAST, HIERA_FORM_TO_FROM},
    {X86_INS_TZCNT, HIERA_BITS_BELOW, HIERA_FORM_TO_FROM},
    {X86_INS_LZCNT, HIERA_BITS_ABOVE, HIERA_FORM_TO_FROM},
    {X86_INS_POPCNT, HIERA_BITS_COUNT, HIERA_FORM_TO_FROM},
    {X86_INS_BSWAP, HIERA_BITS_SWAP, HIERA_FORM_SELF},
    {X86_INS_MOVBE, HIERA_BITS_SWAP, HIERA_FORM_TO_FROM},
    {X86_INS_PDEP, HIERA_BITS_DEPOSIT, HIERA_FORM_BOTH},
    {X86_INS_PEXT, HIERA_BITS_GATHER, HIERA_FORM_BOTH},
    {X86_INS_ANDN, HIERA_BITS_AND_NOT, HIERA_FORM_BOTH},
    {X86_INS_BLSR, HIERA_BITS_WITHOUT_LOWEST, HIERA_FORM_TO_FROM},
    {X86_INS_BLSI, HIERA_BITS_LOWEST, HIERA_FORM_TO_FROM},
    {X86_INS_BLSMSK, HIERA_BITS_UP_TO_LOWEST, HIERA_FORM_TO_FROM},
    {X86_INS_BEXTR, HIERA_BITS_FIELD, HIERA_FORM_BOTH},
    {X86_INS_BZHI, HIERA_BITS_WITHOUT_HIGH, HIERA_FORM_BOTH},
};

/* Shifts and rotations that leave the flags alone. */
static const HieraStepRow without_flags[] = {
    {X86_INS_SHLX, HIERA_STEP_LEFT, HIERA_FORM_BOTH, 0},
    {X86_INS_SHRX, HIERA_STEP_RIGHT, HIERA_FORM_BOTH, 0},
    {X86_INS_SARX, HIERA_STEP_RIGHT_SIGNED, HIERA_FORM_BOTH, 0},
    {X86_INS_RORX, HIERA_STEP_ROTATE_RIGHT, HIERA_FORM_BOTH, 0},
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

/* Whether an instruction without a step of its own may write to its first operand, in memory. Capstone does not know
 * all that do. */
static gboolean writes_first(const cs_insn *raw)
{
    static const guint readers[] = {
        X86_INS_FLD,        X86_INS_FILD,       X86_INS_FADD,       X86_INS_FIADD,       X86_INS_FMUL,
        X86_INS_FIMUL,      X86_INS_FSUB,       X86_INS_FISUB,      X86_INS_FSUBR,       X86_INS_FISUBR,
        X86_INS_FDIV,       X86_INS_FIDIV,      X86_INS_FDIVR,      X86_INS_FIDIVR,      X86_INS_FCOM,
        X86_INS_FCOMP,      X86_INS_FICOM,      X86_INS_FICOMP,     X86_INS_FLDCW,       X86_INS_FLDENV,
        X86_INS_LDMXCSR,    X86_INS_BT,         X86_INS_PREFETCH,   X86_INS_PREFETCHW,   X86_INS_CLFLUSH,
        X86_INS_PREFETCHT0, X86_INS_PREFETCHT1, X86_INS_PREFETCHT2, X86_INS_PREFETCHNTA, X86_INS_CMPSB,
        X86_INS_CMPSQ,      X86_INS_SCASB,      X86_INS_LODSB,      X86_INS_LODSQ};
    for (guint i = 0; i < G_N_ELEMENTS(readers); i++)
        if (raw->id == readers[i])
            return FALSE;
    return TRUE;
}

/* Append steps that make all 32 bytes of a vector register unknown. */
static void forget_vector(HieraStepOperand low, GArray *steps)
{
    for (guint8 k = 0; k < 4; k++) {
        HieraStep step = {.kind = HIERA_STEP_FORGET, .to = k < 2 ? low : hiera_operand_second_half(low)};
        step.to = k % 2 ? hiera_operand_upper(step.to) : step.to;
        step.to.width = 8;
        g_array_append_val(steps, step);
    }
}

/* A store nobody knows where. */
static void append_lost(GArray *steps)
{
    const HieraStep step = {.kind = HIERA_STEP_LOSE};
    g_array_append_val(steps, step);
}

/* Whether it may store beside its operand in memory: a bit's number in a register may be beyond it. */
static gboolean is_beyond(const cs_insn *raw)
{
    return raw->id == X86_INS_BTS || raw->id == X86_INS_BTR || raw->id == X86_INS_BTC;
}

/* For a vector instruction that Capstone does not know. */
static void forget_undecoded(const cs_insn *raw, GArray *steps)
{
    const HieraStep all = {.kind = HIERA_STEP_FORGET_VECTORS};
    const HieraVector vector = hiera_x86_vector(raw->bytes, raw->size);
    g_array_append_val(steps, all);
    if (vector.stores)
        append_lost(steps);
    for (guint8 i = 0; i < 16; i++) {
        const HieraStep one = {.kind = HIERA_STEP_FORGET,
                               .to = {.kind = HIERA_OPERAND_REGISTER, .base = i, .width = 8}};
        if (i != HIERA_RSP && (vector.writes >> i & 1))
            g_array_append_val(steps, one);
    }
}

/* For an instruction without a step of its own: append steps that make all that it writes unknown. */
static void forget(const HieraDecoder *decoder, GArray *steps)
{
    const cs_insn *raw = decoder->raw;
    cs_regs read, written;
    guint8 n_read = 0, n_written = 0;
    HieraStep step = {.kind = HIERA_STEP_FORGET};
    if (raw->id == X86_INS_INVALID) {
        forget_undecoded(raw, steps);
        return;
    }
    if (cs_regs_access(decoder->handle, raw, read, &n_read, written, &n_written) != CS_ERR_OK)
        n_written = 0;
    if (raw->id == X86_INS_XLATB || raw->id == X86_INS_SYSCALL)
        written[n_written++] = X86_REG_RAX;
    if (raw->mnemonic[0] == 'k' || strstr(raw->mnemonic, "comi"))
        written[n_written++] = X86_REG_EFLAGS;
    for (guint8 i = 0; i < n_written; i++) {
        if (written[i] == X86_REG_EFLAGS) {
            const HieraStep flags = {.kind = HIERA_STEP_FORGET_FLAGS};
            g_array_append_val(steps, flags);
        } else if (hiera_register_of(written[i], &step.to)) {
            step.to.width = 8;
            step.to.index = 0;
            if (step.to.base >= HIERA_XMM)
                forget_vector(step.to, steps);
            else
                g_array_append_val(steps, step);
        }
    }
    gboolean gathers = g_str_has_prefix(raw->mnemonic, "vpgather") || g_str_has_prefix(raw->mnemonic, "vgather");
    for (guint8 i = 0; i < raw->detail->x86.op_count; i++) {
        const cs_x86_op *operand = &raw->detail->x86.operands[i];
        if (gathers && operand->type == X86_OP_REG && hiera_register_of(operand->reg, &step.to)) /* also its mask */
            forget_vector(step.to, steps);
        if (operand->type != X86_OP_MEM || !(operand->access & CS_AC_WRITE || (i == 0 && writes_first(raw))))
            continue;
        step.to = hiera_operand_of(raw, i);
        if (step.to.kind != HIERA_OPERAND_MEMORY || is_beyond(raw))
            append_lost(steps);
        if (step.to.kind == HIERA_OPERAND_MEMORY)
            g_array_append_val(steps, step);
    }
    if (g_str_has_prefix(raw->mnemonic, "vpscatter") || g_str_has_prefix(raw->mnemonic, "vscatter") ||
        strstr(raw->mnemonic, "maskmov"))
        append_lost(steps);
}

static gboolean append_condition(const cs_insn *raw, GArray *steps, HieraStepCondition *condition)
{
    for (guint i = 0; i < G_N_ELEMENTS(conditions); i++) {
        HieraStep step = {.condition = conditions[i].condition, .to = hiera_operand_of(raw, 0)};
        if (raw->id == conditions[i].jump) {
            *condition = conditions[i].condition;
            return TRUE;
        }
        if (raw->id == conditions[i].set) {
            step.kind = HIERA_STEP_SET_IF;
        } else if (raw->id == conditions[i].move) {
            step.kind = HIERA_STEP_MOVE_IF;
            step.a = hiera_operand_of(raw, 1);
        } else {
            continue;
        }
        g_array_append_val(steps, step);
        return TRUE;
    }
    return FALSE;
}

/* Append imul with two or three operands (register = product), or mul and imul with one (rdx:rax = product). */
static gboolean append_product(const cs_insn *raw, GArray *steps)
{
    guint n = raw->detail->x86.op_count;
    const HieraStep step = {.kind = HIERA_STEP_MULTIPLY,
                            .to = hiera_operand_of(raw, 0),
                            .a = hiera_operand_of(raw, n > 2 ? 1 : 0),
                            .b = hiera_operand_of(raw, n - 1)};
    const HieraStep wide = {.kind = raw->id == X86_INS_MUL ? HIERA_STEP_MULTIPLY_WIDE : HIERA_STEP_MULTIPLY_WIDE_SIGNED,
                            .a = hiera_operand_of(raw, 0)};
    if (n == 1)
        g_array_append_val(steps, wide);
    else
        g_array_append_val(steps, step);
    return TRUE;
}

/* Append an instruction about bits, or about the carry flag. @return FALSE: it is another instruction */
static gboolean append_bits(const cs_insn *raw, GArray *steps)
{
    for (guint i = 0; i < G_N_ELEMENTS(bits); i++) {
        HieraStep step = {0};
        if (raw->id != bits[i].id)
            continue;
        hiera_step_take_operands(raw, &(HieraStepRow){raw->id, HIERA_STEP_BITS, bits[i].form, 0}, &step);
        step.condition = bits[i].what;
        if (bits[i].form == HIERA_FORM_SELF)
            step.b.kind = HIERA_OPERAND_NONE;
        /* In memory, a bit's number in a register may be beyond the operand. */
        if (bits[i].what <= HIERA_BITS_INVERT && step.a.kind != HIERA_OPERAND_REGISTER &&
            step.b.kind != HIERA_OPERAND_NUMBER)
            return FALSE;
        g_array_append_val(steps, step);
        return TRUE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(without_flags); i++) {
        HieraStep step = {0};
        if (raw->id != without_flags[i].id)
            continue;
        hiera_step_take_operands(raw, &without_flags[i], &step);
        step.condition = 1;
        g_array_append_val(steps, step);
        return TRUE;
    }
    return FALSE;
}

/* Append clc, stc or cmc. @return FALSE: it is another instruction */
static gboolean append_carry(const cs_insn *raw, GArray *steps)
{
    static const guint ids[] = {X86_INS_CLC, X86_INS_STC, X86_INS_CMC};
    for (guint8 i = 0; i < G_N_ELEMENTS(ids); i++) {
        const HieraStep step = {.kind = HIERA_STEP_SET_CARRY, .condition = i};
        if (raw->id != ids[i])
            continue;
        g_array_append_val(steps, step);
        return TRUE;
    }
    return FALSE;
}

/* Append cbw, cwde or cdqe, which extend the lower half of ax, eax or rax with its sign. @return FALSE: it is another
 * instruction */
static gboolean append_extension(const cs_insn *raw, GArray *steps)
{
    guint8 width = 0;
    if (raw->id == X86_INS_CBW)
        width = 2;
    else if (raw->id == X86_INS_CWDE)
        width = 4;
    else if (raw->id == X86_INS_CDQE)
        width = 8;
    const HieraStep step = {.kind = HIERA_STEP_MOVE_SIGNED,
                            .to = {.kind = HIERA_OPERAND_REGISTER, .base = HIERA_RAX, .width = width},
                            .a = {.kind = HIERA_OPERAND_REGISTER, .base = HIERA_RAX, .width = width / 2}};
    if (width > 0)
        g_array_append_val(steps, step);
    return width > 0;
}

/* A string instruction that is not understood: where it stores is not known, nor what its registers have then. */
static void forget_string(GArray *steps)
{
    static const guint8 registers[] = {HIERA_RCX, HIERA_RSI, HIERA_RDI};
    append_lost(steps);
    for (guint i = 0; i < G_N_ELEMENTS(registers); i++) {
        const HieraStep one = {.kind = HIERA_STEP_FORGET,
                               .to = {.kind = HIERA_OPERAND_REGISTER, .base = registers[i], .width = 8}};
        g_array_append_val(steps, one);
    }
}

/* Append stos or movs, also repeated (rep), for rising addresses. @return FALSE: it is another instruction */
static gboolean append_string(const cs_insn *raw, GArray *steps)
{
    static const struct {
        guint fill, copy;
        guint8 width;
    } kinds[] = {{X86_INS_STOSB, X86_INS_MOVSB, 1},
                 {X86_INS_STOSW, X86_INS_MOVSW, 2},
                 {X86_INS_STOSD, X86_INS_MOVSD, 4},
                 {X86_INS_STOSQ, X86_INS_MOVSQ, 8}};
    const cs_x86 *detail = &raw->detail->x86;
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        gboolean copies = raw->id == kinds[i].copy && detail->op_count == 2 && detail->operands[0].type == X86_OP_MEM &&
                          detail->operands[1].type == X86_OP_MEM;
        const HieraStep step = {.kind = copies ? HIERA_STEP_COPY : HIERA_STEP_FILL,
                                .condition = detail->prefix[0] == X86_PREFIX_REP,
                                .a = {.width = kinds[i].width}};
        if (!copies && raw->id != kinds[i].fill)
            continue;
        if (kinds[i].width == 4 && detail->prefix[2] == 0x66) { /* Capstone takes `rep stosw` for stosd */
            forget_string(steps);
            return TRUE;
        }
        g_array_append_val(steps, step);
        return TRUE;
    }
    return FALSE;
}

HieraStepOperand hiera_step_operand(const HieraDecoder *decoder)
{
    gboolean is_known = decoder->object->machine == HIERA_MACHINE_X86_64 && decoder->raw;
    return is_known ? hiera_operand_of(decoder->raw, 0) : (HieraStepOperand){.kind = HIERA_OPERAND_UNKNOWN};
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

/* Whether a scalar move sets the upper 8 bytes of a vector register to 0. */
static gboolean clears_upper(const cs_insn *raw, const HieraStep *step)
{
    if (step->to.kind != HIERA_OPERAND_REGISTER || step->to.base < HIERA_XMM)
        return FALSE;
    switch (raw->id) {
    case X86_INS_MOVD:
    case X86_INS_MOVQ:
    case X86_INS_VMOVD:
    case X86_INS_VMOVQ:
        return TRUE;
    case X86_INS_MOVSD:
    case X86_INS_MOVSS:
    case X86_INS_VMOVSD:
    case X86_INS_VMOVSS:
        return step->a.kind == HIERA_OPERAND_MEMORY;
    default:
        return FALSE;
    }
}

/* Whether it is a scalar move between vector registers. */
static gboolean moves_lane(const cs_insn *raw)
{
    guint n = raw->detail->x86.op_count;
    gboolean is_scalar =
        raw->id == X86_INS_MOVSD || raw->id == X86_INS_MOVSS || raw->id == X86_INS_VMOVSD || raw->id == X86_INS_VMOVSS;
    return is_scalar && raw->detail->x86.operands[0].type == X86_OP_REG &&
           raw->detail->x86.operands[n - 1].type == X86_OP_REG;
}

static gboolean is_float(const HieraStepRow *row)
{
    return row->kind >= HIERA_STEP_FLOAT_ADD && row->kind <= HIERA_STEP_FLOAT_MOVE;
}

static void append_zero(GArray *steps, HieraStepOperand to)
{
    const HieraStep step = {.kind = HIERA_STEP_MOVE, .to = to, .a = {.kind = HIERA_OPERAND_NUMBER, .width = 8}};
    g_array_append_val(steps, step);
}

HieraStepCondition hiera_steps_append(const HieraDecoder *decoder, GArray *steps)
{
    const cs_insn *raw = decoder->raw;
    HieraStepCondition condition = HIERA_IF_UNKNOWN;
    if (decoder->object->machine != HIERA_MACHINE_X86_64 || !raw || is_plain(raw))
        return condition;
    if (raw->mnemonic[0] == 'v' && hiera_is_masked(raw)) {
        forget(decoder, steps);
        return condition;
    }
    if (append_condition(raw, steps, &condition) || append_extension(raw, steps) || append_string(raw, steps) ||
        append_bits(raw, steps) || append_carry(raw, steps) ||
        ((raw->id == X86_INS_IMUL || raw->id == X86_INS_MUL) && append_product(raw, steps)) ||
        hiera_vector_steps_append(raw, steps))
        return condition;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        HieraStep step = {0};
        if (rows[i].id != raw->id)
            continue;
        HieraStepRow row = rows[i];
        if (moves_lane(raw)) {
            row.kind = HIERA_STEP_FLOAT_MOVE;
            row.form = HIERA_FORM_TO_FROM_REST;
        }
        hiera_step_take_operands(raw, &row, &step);
        hiera_step_take_width(&row, &step);
        step.lane = is_float(&row);
        g_array_append_val(steps, step);
        if (clears_upper(raw, &step))
            append_zero(steps, hiera_operand_upper(step.to));
        if (step.to.kind == HIERA_OPERAND_REGISTER && step.to.base >= HIERA_XMM && hiera_is_vex(raw))
            hiera_step_append_clear(steps, step.to);
        return condition;
    }
    forget(decoder, steps);
    return condition;
}
