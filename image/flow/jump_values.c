#include "jump_values.h"
#include <string.h>

/* Greatest size in bytes of a called function whose code is searched for the registers it writes. */
enum { CALLEE_MAX = 512 };

const HieraRegisters *hiera_registers_of(HieraArchitecture machine)
{
    return machine == HIERA_MACHINE_X86_64 ? &hiera_x86_registers : &hiera_aarch64_registers;
}

gboolean hiera_value_is_same(const HieraJumpValue *a, const HieraJumpValue *b)
{
    return a->kind == b->kind && a->number == b->number && a->base == b->base && a->size == b->size &&
           a->shift == b->shift && a->is_signed == b->is_signed;
}

guint64 hiera_count_of(const HieraJumpEvaluation *evaluation, guint reg, guint bytes)
{
    int number = evaluation->registers->number_of(reg);
    guint64 most = number >= 0 ? hiera_limit_of(&evaluation->values[number].limit, bytes) : G_MAXUINT64;
    return most < G_MAXUINT64 ? most + 1 : 0;
}

HieraJumpValue hiera_value_of(const HieraJumpEvaluation *evaluation, guint reg, gboolean far)
{
    int number = evaluation->registers->number_of(reg);
    if (number < 0)
        return (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
    HieraJumpValue value = evaluation->values[number];
    return far && !evaluation->is_whole && value.kind == HIERA_VALUE_UNKNOWN
               ? evaluation->registers->look_far(evaluation, number)
               : value;
}

/* Registers that the code of a range writes, as a bit mask. If the code calls or leaves the range: all registers that a
 * call may change. */
static guint32 find_written(const HieraJumpEvaluation *evaluation, const HieraCodeRange *range)
{
    const HieraRegisters *registers = evaluation->registers;
    HieraDecoder *decoder = evaluation->flow->decoder;
    guint32 found = 0;
    HieraInstruction instruction;
    for (guint64 at = range->begin; at < range->end; at += instruction.length) {
        cs_regs read, written;
        uint8_t n_read = 0, n_written = 0;
        if (!hiera_decoder_decode(decoder, at, &instruction) || decoder->raw->id == 0 ||
            cs_regs_access(decoder->handle, decoder->raw, read, &n_read, written, &n_written) != 0)
            return registers->changed;
        gboolean jumps = instruction.kind == HIERA_FLOW_JUMP || instruction.kind == HIERA_FLOW_BRANCH;
        gboolean stays = instruction.kind == HIERA_FLOW_ON || instruction.kind == HIERA_FLOW_RETURN ||
                         instruction.kind == HIERA_FLOW_STOP;
        if (!stays && !(jumps && instruction.target >= range->begin && instruction.target < range->end))
            return registers->changed;
        for (guint i = 0; i < n_written; i++)
            if (registers->number_of(written[i]) >= 0)
                found |= (guint32)1 << registers->number_of(written[i]);
    }
    return found & registers->changed;
}

/* Registers that a call may change, as a bit mask. A compiler that knows which of them the called function leaves alone
 * keeps values in these (gcc: -fipa-ra). */
static guint32 find_changed(const HieraJumpEvaluation *evaluation, const HieraInstruction *call)
{
    const HieraFunction *function = evaluation->is_whole && call->kind == HIERA_FLOW_CALL
                                        ? hiera_functions_at(evaluation->flow->functions, call->target)
                                        : NULL;
    if (!function || function->ranges->len != 1)
        return evaluation->registers->changed;
    const HieraCodeRange *range = &g_array_index(function->ranges, HieraCodeRange, 0);
    return range->end - range->begin > CALLEE_MAX ? evaluation->registers->changed : find_written(evaluation, range);
}

static void forget_after_call(HieraJumpEvaluation *evaluation, const HieraInstruction *call)
{
    guint32 changed = find_changed(evaluation, call);
    for (guint i = 0; i < HIERA_REGISTERS_MAX; i++)
        if (changed >> i & 1)
            evaluation->values[i] =
                (HieraJumpValue){.kind = evaluation->is_whole ? HIERA_VALUE_POINTER : HIERA_VALUE_UNKNOWN};
    memset(&evaluation->limits, 0, sizeof evaluation->limits);
}

static void step(HieraJumpEvaluation *evaluation, const HieraInstruction *instruction)
{
    const HieraRegisters *registers = evaluation->registers;
    const HieraDecoder *decoder = evaluation->flow->decoder;
    const cs_insn *raw = decoder->raw;
    cs_regs read, written;
    uint8_t n_read = 0, n_written = 0;
    evaluation->at = instruction->address;
    if (instruction->kind == HIERA_FLOW_CALL || instruction->kind == HIERA_FLOW_CALL_POINTER) {
        forget_after_call(evaluation, instruction);
        return;
    }
    if (instruction->kind == HIERA_FLOW_RETURN)
        return;
    if (raw->id == 0) { /* A vector instruction that Capstone does not know may write flags and memory. */
        for (guint i = 0; i < HIERA_REGISTERS_MAX; i++)
            if (hiera_x86_vector(raw->bytes, sizeof raw->bytes).writes >> i & 1)
                evaluation->values[i] = (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
        evaluation->values[registers->stack] = (HieraJumpValue){.kind = HIERA_VALUE_STACK};
        memset(&evaluation->limits, 0, sizeof evaluation->limits);
        return;
    }
    if (registers->compares(raw)) {
        HieraEffect comparison = registers->effect(raw);
        hiera_limits_compare(evaluation, &comparison);
        return;
    }
    int reg = registers->destination(raw);
    if (cs_regs_access(decoder->handle, raw, read, &n_read, written, &n_written) != 0)
        n_written = 0;
    gboolean writes = FALSE;
    for (guint i = 0; i < n_written; i++)
        writes |= reg >= 0 && registers->number_of(written[i]) == reg;
    /* A copy is used, because look_far() decodes other instructions into the same buffer. */
    g_autofree cs_detail *detail = g_memdup2(raw->detail, sizeof *raw->detail);
    cs_insn copy = *raw;
    copy.detail = detail;
    HieraEffect effect = registers->effect(&copy);
    HieraJumpValue value =
        writes ? registers->evaluate(evaluation, &copy) : (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
    hiera_limits_compare(evaluation, &effect);
    value.limit = hiera_limits_result(evaluation, &effect);
    hiera_limits_store(evaluation, &effect, &value.limit);
    for (guint i = 0; i < n_written; i++) {
        int number = registers->number_of(written[i]);
        evaluation->moves_stack |= number == registers->stack;
        if (number < 0)
            continue;
        evaluation->values[number] = (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
        hiera_limits_forget_register(evaluation, number);
    }
    if (writes)
        evaluation->values[reg] = value;
    evaluation->values[registers->stack] = (HieraJumpValue){.kind = HIERA_VALUE_STACK};
}

void hiera_evaluate_step(HieraJumpEvaluation *evaluation, guint64 address)
{
    HieraInstruction instruction;
    if (hiera_decoder_decode(evaluation->flow->decoder, address, &instruction))
        step(evaluation, &instruction);
}

HieraJumpValue hiera_evaluate_target(HieraJumpEvaluation *evaluation, guint64 jump)
{
    HieraInstruction instruction;
    if (!hiera_decoder_decode(evaluation->flow->decoder, jump, &instruction))
        return (HieraJumpValue){.kind = HIERA_VALUE_UNKNOWN};
    evaluation->at = jump;
    return evaluation->registers->target_of(evaluation, evaluation->flow->decoder->raw);
}

HieraJumpValue hiera_evaluate_jump(const HieraFlow *flow, guint64 jump, const HieraRegisters *registers,
                                   const guint64 *before, guint n)
{
    HieraJumpEvaluation evaluation = {.registers = registers, .flow = flow};
    for (guint i = n; i > 0; i--)
        hiera_evaluate_step(&evaluation, before[i - 1]);
    return hiera_evaluate_target(&evaluation, jump);
}
