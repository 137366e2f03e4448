/* See jump_values.h. */
#include "jump_values.h"

const HieraRegisters *hiera_registers_of(HieraMachine machine)
{
    return machine == HIERA_MACHINE_X86_64 ? &hiera_x86_registers : &hiera_aarch64_registers;
}

HieraValue hiera_value_of(const HieraEvaluation *evaluation, guint reg, gboolean far)
{
    int number = evaluation->registers->number_of(reg);
    if (number < 0)
        return (HieraValue){.kind = HIERA_VALUE_UNKNOWN};
    HieraValue value = evaluation->values[number];
    return far && value.kind == HIERA_VALUE_UNKNOWN ? evaluation->registers->look_far(evaluation, number) : value;
}

static void forget_after_call(HieraEvaluation *evaluation)
{
    for (guint i = 0; i < HIERA_REGISTERS_MAX; i++)
        if (evaluation->registers->changed >> i & 1)
            evaluation->values[i] = (HieraValue){.kind = HIERA_VALUE_UNKNOWN};
}

static void step(HieraEvaluation *evaluation, const HieraInstruction *instruction)
{
    const HieraRegisters *registers = evaluation->registers;
    const HieraDecoder *decoder = evaluation->walk->decoder;
    const cs_insn *raw = decoder->raw;
    cs_regs read, written;
    uint8_t n_read = 0, n_written = 0;
    evaluation->at = instruction->address;
    if (instruction->kind == HIERA_FLOW_CALL || instruction->kind == HIERA_FLOW_CALL_POINTER) {
        forget_after_call(evaluation);
        return;
    }
    int reg = registers->destination(raw);
    if (cs_regs_access(decoder->handle, raw, read, &n_read, written, &n_written) != 0)
        n_written = 0;
    gboolean writes = FALSE;
    for (guint i = 0; i < n_written; i++)
        writes |= reg >= 0 && registers->number_of(written[i]) == reg;
    /* look_far() decodes others. */
    g_autofree cs_detail *detail = g_memdup2(raw->detail, sizeof *raw->detail);
    cs_insn copy = *raw;
    copy.detail = detail;
    HieraValue value = writes ? registers->evaluate(evaluation, &copy) : (HieraValue){.kind = HIERA_VALUE_UNKNOWN};
    for (guint i = 0; i < n_written; i++) {
        int number = registers->number_of(written[i]);
        if (number >= 0)
            evaluation->values[number] = (HieraValue){.kind = HIERA_VALUE_UNKNOWN};
    }
    if (writes)
        evaluation->values[reg] = value;
}

HieraValue hiera_evaluate_jump(HieraWalk *walk, const HieraInstruction *jump, const HieraRegisters *registers,
                               const guint64 *before, guint n)
{
    HieraEvaluation evaluation = {.registers = registers, .walk = walk};
    HieraInstruction instruction;
    for (guint i = n; i > 0; i--)
        if (hiera_decoder_decode(walk->decoder, before[i - 1], &instruction))
            step(&evaluation, &instruction);
    if (!hiera_decoder_decode(walk->decoder, jump->address, &instruction))
        return (HieraValue){.kind = HIERA_VALUE_UNKNOWN};
    evaluation.at = jump->address;
    return registers->target_of(&evaluation, walk->decoder->raw);
}
