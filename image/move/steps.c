/* See steps.h. What is not known to leave a number alone is taken to change it. */
#include "steps.h"
#include "image/flow/jump_values.h"

enum { RBP = 5, STEP_MAX = 1 << 20 };

int hiera_steps_register(guint reg)
{
    switch (reg) {
    case X86_REG_AH:
        return 0;
    case X86_REG_CH:
        return 1;
    case X86_REG_DH:
        return 2;
    case X86_REG_BH:
        return 3;
    default:
        return hiera_x86_registers.number_of(reg);
    }
}

static gboolean is_in_frame(const HieraInductionSearch *steps, const cs_x86_op *operand)
{
    return operand->type == X86_OP_MEM && operand->mem.segment == X86_REG_INVALID &&
           (operand->mem.base == X86_REG_RSP || (operand->mem.base == X86_REG_RBP && steps->has_frame));
}

/* Return the candidate that an operand is; NULL: it is none. */
static HieraCandidate *candidate_of(HieraInductionSearch *steps, const cs_x86_op *operand)
{
    if (operand->type == X86_OP_REG && operand->size >= 4 && hiera_steps_register(operand->reg) >= 0)
        return &steps->all[hiera_steps_register(operand->reg)];
    if (!is_in_frame(steps, operand) || operand->mem.index != X86_REG_INVALID ||
        (operand->size != 4 && operand->size != 8) || operand->mem.disp != (gint32)operand->mem.disp)
        return NULL;
    guint base = (guint)hiera_steps_register(operand->mem.base);
    for (guint i = 0; i <= steps->n_slots && i < HIERA_STEPS_SLOTS; i++) {
        HieraCandidate *slot = &steps->all[HIERA_STEPS_REGISTERS + i];
        if (i == steps->n_slots) {
            steps->n_slots++;
            slot->is = (HieraInduction){.reg = HIERA_INDUCTION_STACK,
                                        .bytes = operand->size,
                                        .base = (guint8)base,
                                        .displacement = (gint32)operand->mem.disp};
        }
        if (slot->is.base == base && slot->is.displacement == operand->mem.disp && slot->is.bytes == operand->size)
            return slot;
    }
    return NULL;
}

/* The step by which an instruction changes its first operand; 0: it does something else. */
static gint64 step_of(const cs_insn *raw)
{
    const cs_x86 *x86 = &raw->detail->x86;
    const cs_x86_op *to = &x86->operands[0], *by = &x86->operands[1];
    switch (raw->id) {
    case X86_INS_INC:
        return 1;
    case X86_INS_DEC:
        return -1;
    case X86_INS_ADD:
        return x86->op_count == 2 && by->type == X86_OP_IMM ? by->imm : 0;
    case X86_INS_SUB:
        return x86->op_count == 2 && by->type == X86_OP_IMM ? -by->imm : 0;
    case X86_INS_LEA:
        return to->size == 8 && by->mem.base == to->reg && by->mem.index == X86_REG_INVALID ? by->mem.disp : 0;
    default:
        return 0;
    }
}

static void change(HieraCandidate *candidate, const cs_x86_op *operand, gint64 step, guint block)
{
    gboolean is_good = step != 0 && step <= STEP_MAX && step >= -STEP_MAX && operand->size >= 4;
    candidate->is_spoiled |= !is_good || candidate->n > 0;
    candidate->n++;
    candidate->is.step = is_good ? (gint32)step : 0;
    candidate->is.block = block;
    candidate->is.bytes = operand->size;
}

/* A store to the stack frame may change a part of what a candidate has. */
static void spoil_slots(HieraInductionSearch *steps, const cs_x86_op *to, const HieraCandidate *but)
{
    gboolean is_exact = to->mem.index == X86_REG_INVALID && to->size > 0;
    for (guint i = 0; i < steps->n_slots; i++) {
        HieraCandidate *slot = &steps->all[HIERA_STEPS_REGISTERS + i];
        gint64 at = slot->is.displacement;
        gboolean is_apart = is_exact && hiera_steps_register(to->mem.base) == slot->is.base &&
                            (to->mem.disp >= at + slot->is.bytes || to->mem.disp + to->size <= at);
        if (slot != but && !is_apart)
            slot->is_spoiled = TRUE;
    }
}

static void spoil_register(HieraInductionSearch *steps, int number)
{
    if (number < 0)
        return;
    steps->all[number].is_spoiled = TRUE;
    steps->copied[number] = NULL;
    for (guint i = 0; i < steps->n_slots; i++)
        steps->all[HIERA_STEPS_REGISTERS + i].is_spoiled |= steps->all[HIERA_STEPS_REGISTERS + i].is.base == number;
}

gboolean hiera_steps_changes_others(const cs_insn *raw)
{
    static const guint ids[] = {
        X86_INS_LOOP,  X86_INS_LOOPE,  X86_INS_LOOPNE, X86_INS_SYSCALL, X86_INS_SYSENTER,  X86_INS_INT,
        X86_INS_CPUID, X86_INS_RDTSC,  X86_INS_RDTSCP, X86_INS_CMPXCHG, X86_INS_CMPXCHG8B, X86_INS_CMPXCHG16B,
        X86_INS_ENTER, X86_INS_MOVSB,  X86_INS_MOVSW,  X86_INS_MOVSQ,   X86_INS_STOSB,     X86_INS_STOSW,
        X86_INS_STOSD, X86_INS_STOSQ,  X86_INS_LODSB,  X86_INS_LODSW,   X86_INS_LODSD,     X86_INS_LODSQ,
        X86_INS_SCASB, X86_INS_SCASW,  X86_INS_SCASD,  X86_INS_SCASQ,   X86_INS_CMPSB,     X86_INS_CMPSW,
        X86_INS_CMPSQ, X86_INS_XGETBV, X86_INS_RDPMC,  X86_INS_XLATB};
    const cs_x86_op *operands = raw->detail->x86.operands;
    for (guint i = 0; i < G_N_ELEMENTS(ids); i++)
        if (ids[i] == raw->id)
            return TRUE;
    gboolean is_string = operands[0].type == X86_OP_MEM && operands[1].type == X86_OP_MEM;
    return raw->id == 0 || ((raw->id == X86_INS_MOVSD || raw->id == X86_INS_CMPSD) && is_string);
}

/* The registers that an instruction changes, but for one that it changes by a step. */
static void spoil_registers(HieraInductionSearch *steps, const cs_insn *raw, int but)
{
    cs_regs read, written;
    uint8_t n_read = 0, n_written = 0;
    gboolean is_known = cs_regs_access(steps->flow->decoder->handle, raw, read, &n_read, written, &n_written) == 0;
    for (int i = 0; i < HIERA_STEPS_REGISTERS && (!is_known || hiera_steps_changes_others(raw)); i++)
        spoil_register(steps, i);
    for (guint i = 0; i < n_written; i++)
        if (hiera_steps_register(written[i]) != but)
            spoil_register(steps, hiera_steps_register(written[i]));
    for (guint i = 0; i < raw->detail->x86.op_count && !hiera_x86_registers.compares(raw); i++) {
        const cs_x86_op *operand = &raw->detail->x86.operands[i];
        gboolean may_change = i == 0 || raw->id == X86_INS_XCHG || raw->id == X86_INS_XADD || raw->id == X86_INS_MULX;
        if (operand->type == X86_OP_REG && may_change && hiera_steps_register(operand->reg) != but &&
            raw->id != X86_INS_PUSH)
            spoil_register(steps, hiera_steps_register(operand->reg));
    }
}

/* Load, add, store: how a number in memory is changed without optimisation. @return  the step of a store; else 0 */
static gint64 follow(HieraInductionSearch *steps, const cs_insn *raw, const HieraCandidate *to)
{
    const cs_x86 *x86 = &raw->detail->x86;
    const cs_x86_op *operands = x86->operands;
    gboolean is_move = raw->id == X86_INS_MOV && x86->op_count == 2;
    HieraCandidate *loaded = steps->loaded;
    gint64 added = steps->added, step = step_of(raw);
    steps->loaded = NULL;
    steps->added = 0;
    if (is_move && operands[0].type == X86_OP_REG && operands[1].type == X86_OP_MEM) {
        steps->loaded = candidate_of(steps, &operands[1]);
        steps->loaded_to = hiera_steps_register(operands[0].reg);
    } else if (loaded && added == 0 && step != 0 && operands[0].type == X86_OP_REG &&
               hiera_steps_register(operands[0].reg) == steps->loaded_to && operands[0].size == loaded->is.bytes) {
        steps->loaded = loaded;
        steps->added = step;
    } else if (loaded && is_move && to == loaded && operands[1].type == X86_OP_REG &&
               hiera_steps_register(operands[1].reg) == steps->loaded_to) {
        return added;
    }
    return 0;
}

/* The candidate that an operand is, or that its register was loaded from; NULL: it is none. */
static HieraCandidate *compared(HieraInductionSearch *steps, const cs_x86_op *operand)
{
    int number = operand->type == X86_OP_REG ? hiera_steps_register(operand->reg) : -1;
    HieraCandidate *copied = number >= 0 ? steps->copied[number] : NULL;
    return copied && operand->size <= copied->is.bytes ? copied : candidate_of(steps, operand);
}

/* Follow what the flags tell. @param changed  the candidate that the instruction changes by a step; or NULL */
static void follow_flags(HieraInductionSearch *steps, const cs_insn *raw, HieraCandidate *changed)
{
    const cs_x86_op *operands = raw->detail->x86.operands;
    gboolean is_test = raw->id == X86_INS_TEST && operands[0].type == X86_OP_REG && operands[1].type == X86_OP_REG &&
                       operands[0].reg == operands[1].reg;
    if (raw->id != 0 && hiera_x86_effect(raw).keeps_flags)
        return;
    steps->flags = (HieraStepsFlags){.bytes = raw->id != 0 ? operands[0].size : 0,
                                     .is_known = TRUE,
                                     .has_carry = raw->id != X86_INS_INC && raw->id != X86_INS_DEC};
    if (changed && raw->id != X86_INS_MOV)
        steps->flags.of = changed;
    else if (is_test)
        steps->flags.of = compared(steps, &operands[0]);
    if (raw->id != X86_INS_CMP)
        return;
    HieraCandidate *first = compared(steps, &operands[0]), *second = NULL;
    if (operands[1].type != X86_OP_IMM)
        second = compared(steps, &operands[1]);
    steps->flags.of = first;
    steps->flags.bound = second;
    steps->flags.is_known = second || operands[1].type == X86_OP_IMM;
}

/* Note that a branch ends the loop by a comparison of a candidate with `bound`, if that is known. */
static void end_by(const HieraStepsFlags *flags, HieraCandidate *one, HieraCandidate *bound, gboolean is_known,
                   HieraCondition condition)
{
    gboolean needs_carry = condition >= HIERA_JUMP_IF_ABOVE && condition <= HIERA_JUMP_IF_NOT_BELOW;
    gboolean is_order = condition >= HIERA_JUMP_IF_ABOVE && condition <= HIERA_JUMP_IF_NOT_LESS;
    gboolean is_sign = condition == HIERA_JUMP_IF_NEGATIVE || condition == HIERA_JUMP_IF_NOT_NEGATIVE;
    gboolean crosses = is_order || (is_sign && is_known && !bound);
    if (!one || flags->bytes != one->is.bytes || condition == HIERA_JUMP_IF_OTHER || one->end == HIERA_STEPS_CROSSES ||
        (!crosses && !is_known) || (needs_carry && !flags->has_carry))
        return;
    one->end = crosses ? HIERA_STEPS_CROSSES : HIERA_STEPS_EQUALS;
    one->bound = bound;
}

static void end_by_branch(HieraInductionSearch *steps, const cs_insn *raw)
{
    const HieraStepsFlags *flags = &steps->flags;
    HieraCondition condition = hiera_x86_condition(raw);
    end_by(flags, flags->of, flags->bound, flags->is_known, condition);
    end_by(flags, flags->bound, flags->of, flags->of != NULL, condition);
}

gboolean hiera_induction_ends(const HieraCandidate *candidate)
{
    const HieraCandidate *bound = candidate->bound;
    return candidate->end == HIERA_STEPS_CROSSES ||
           (candidate->end == HIERA_STEPS_EQUALS && ABS(candidate->is.step) == 1 &&
            (!bound || (bound->n == 0 && !bound->is_spoiled)));
}

void hiera_induction_look(HieraInductionSearch *steps, guint block, gboolean is_exiting)
{
    const cs_insn *raw = steps->flow->decoder->raw;
    const cs_x86 *x86 = &raw->detail->x86;
    const cs_x86_op *to = &x86->operands[0];
    gboolean compares = hiera_x86_registers.compares(raw), is_vector = raw->id == 0;
    HieraCandidate *candidate = x86->op_count > 0 && !is_vector ? candidate_of(steps, to) : NULL;
    gint64 step = compares ? 0 : step_of(raw), by_store = is_vector ? 0 : follow(steps, raw, candidate);
    gboolean is_change = candidate && !compares && (step != 0 || by_store != 0);
    follow_flags(steps, raw, is_change ? candidate : NULL);
    if (is_exiting && !is_vector)
        end_by_branch(steps, raw);
    if (is_change)
        change(candidate, to, step != 0 ? step : by_store, block);
    if (is_change && to->type == X86_OP_REG)
        steps->copied[candidate - steps->all] = NULL;
    spoil_registers(steps, raw, is_change && to->type == X86_OP_REG ? hiera_steps_register(to->reg) : -1);
    if (steps->loaded && steps->added == 0 && steps->loaded_to >= 0)
        steps->copied[steps->loaded_to] = steps->loaded;
    if (is_change && to->type == X86_OP_REG) /* addresses that count from it change */
        for (guint i = 0; i < steps->n_slots; i++)
            steps->all[HIERA_STEPS_REGISTERS + i].is_spoiled |=
                steps->all[HIERA_STEPS_REGISTERS + i].is.base == candidate - steps->all;
    HieraEffect effect = is_vector ? (HieraEffect){.stores = TRUE} : hiera_x86_effect(raw);
    if (!effect.stores || compares)
        return;
    if (x86->op_count > 0 && !is_vector && is_in_frame(steps, to))
        spoil_slots(steps, to, is_change ? candidate : NULL);
    else
        steps->stores = TRUE;
}

/* --- the whole function: is there a frame, and who may know addresses in it? --- */

gboolean hiera_induction_has_frame(const HieraFlow *flow)
{
    HieraInstruction again;
    guint n_set = 0;
    for (guint i = 0; i < flow->instructions->len; i++) {
        const HieraInstruction *instruction = &g_array_index(flow->instructions, HieraInstruction, i);
        const cs_insn *raw = flow->decoder->raw;
        if (!hiera_decoder_decode(flow->decoder, instruction->address, &again) || raw->id == 0)
            return FALSE;
        const cs_x86_op *operands = raw->detail->x86.operands;
        if (raw->id == X86_INS_LEAVE || raw->id == X86_INS_PUSH || raw->id == X86_INS_POP || raw->id == X86_INS_CMP ||
            raw->id == X86_INS_TEST || raw->detail->x86.op_count == 0 || operands[0].type != X86_OP_REG ||
            hiera_steps_register(operands[0].reg) != RBP)
            continue;
        if (raw->id != X86_INS_MOV || operands[1].type != X86_OP_REG || operands[1].reg != X86_REG_RSP || n_set++ > 0)
            return FALSE;
    }
    return n_set == 1;
}

void hiera_induction_spoil_slots(HieraInductionSearch *steps)
{
    HieraInstruction again;
    for (guint i = 0; i < steps->flow->instructions->len && steps->n_slots > 0 && steps->stores; i++) {
        const HieraInstruction *instruction = &g_array_index(steps->flow->instructions, HieraInstruction, i);
        const cs_insn *raw = steps->flow->decoder->raw;
        if (instruction->kind != HIERA_FLOW_ON ||
            !hiera_decoder_decode(steps->flow->decoder, instruction->address, &again))
            continue;
        const cs_x86_op *operands = raw->detail->x86.operands;
        gboolean is_lea = raw->id == X86_INS_LEA && is_in_frame(steps, &operands[1]);
        gboolean is_copy = raw->id == X86_INS_MOV && operands[1].type == X86_OP_REG &&
                           (operands[1].reg == X86_REG_RSP || (operands[1].reg == X86_REG_RBP && steps->has_frame)) &&
                           !(steps->has_frame && operands[0].type == X86_OP_REG && operands[0].reg == X86_REG_RBP);
        is_lea = is_lea && !(operands[0].type == X86_OP_REG && operands[0].reg == X86_REG_RSP);
        for (guint j = 0; j < steps->n_slots && (is_lea || is_copy); j++) {
            HieraCandidate *slot = &steps->all[HIERA_STEPS_REGISTERS + j];
            gboolean is_behind = is_lea && hiera_steps_register(operands[1].mem.base) == slot->is.base &&
                                 operands[1].mem.index == X86_REG_INVALID &&
                                 operands[1].mem.disp >= slot->is.displacement + slot->is.bytes;
            slot->is_spoiled |= !is_behind;
        }
    }
}
