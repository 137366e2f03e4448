/* Copies vector instructions, by their bytes alone, and those that are relative to their address. See copying.h. */
#include "copying.h"
#include <string.h>

#define HEX "0x%" G_GINT64_MODIFIER "x"

void hiera_copying_refuse_instruction(HieraCopying *copy, const HieraInstruction *instruction, const guint8 *bytes,
                                      const char *why)
{
    const cs_insn *raw = copy->flow->decoder->raw;
    const char *tile = hiera_x86_tile_name(bytes, instruction->length);
    g_autoptr(GString) name = g_string_new(tile ? tile : raw->id != X86_INS_INVALID ? raw->mnemonic : "bytes");
    for (guint i = 0; !tile && raw->id == X86_INS_INVALID && i < instruction->length; i++)
        g_string_append_printf(name, " %02x", bytes[i]);
    hiera_copying_refuse(copy, "the instruction at " HEX " (%s) %s", instruction->address, name->str, why);
}

/* Copy an instruction whose four bytes at `at` are a distance from its end. */
static void put_distance(HieraCopying *copy, const HieraInstruction *instruction, const guint8 *bytes, guint at)
{
    gint32 distance;
    memcpy(&distance, bytes + at, sizeof distance);
    guint64 target = instruction->address + instruction->length + (guint64)(gint64)GINT32_FROM_LE(distance);
    guint32 begin = copy->out->bytes->len;
    for (guint i = 0; i < copy->tables->len && !copy->stays; i++) {
        const HieraCopiedTable *table = &g_array_index(copy->tables, HieraCopiedTable, i);
        if (table->address == target && copy->flow->decoder->raw->id == X86_INS_LEA) {
            hiera_code_bytes(copy->out, bytes, instruction->length);
            hiera_code_distance(copy->out, begin + at, begin + instruction->length, table->at);
            return;
        }
    }
    if (hiera_copying_is_inside(copy, target))
        hiera_copying_refuse_instruction(copy, instruction, bytes, "takes an address inside the function");
    hiera_code_bytes(copy->out, bytes, instruction->length);
    const HieraPlanFixup fixup = {HIERA_PLAN_FILE_32, begin + at, begin + instruction->length,
                                  (gint32)(gint64)(target - copy->copies->begin)};
    g_array_append_val(copy->out->fixups, fixup);
}

const cs_x86_op *hiera_copying_relative(const cs_insn *raw)
{
    const cs_x86 *x86 = &raw->detail->x86;
    for (guint i = 0; i < x86->op_count; i++)
        if (x86->operands[i].type == X86_OP_MEM &&
            (x86->operands[i].mem.base == X86_REG_RIP || x86->operands[i].mem.base == X86_REG_EIP))
            return &x86->operands[i];
    return NULL;
}

/* Copy an instruction with an operand relative to its address. The distance is in the four bytes behind a ModRM byte
 * with that addressing mode; it is checked that Capstone and the bytes agree. */
void hiera_copying_put_relative(HieraCopying *copy, const HieraInstruction *instruction, const guint8 *bytes,
                                const cs_x86_op *operand)
{
    guint at = copy->flow->decoder->raw->detail->x86.encoding.disp_offset;
    gint32 distance = 0;
    if (at > 0 && at + 4 <= instruction->length)
        memcpy(&distance, bytes + at, sizeof distance);
    if (operand->mem.base != X86_REG_RIP || at < 2 || at + 4 > instruction->length || (bytes[at - 1] & 0xc7) != 5 ||
        GINT32_FROM_LE(distance) != operand->mem.disp)
        hiera_copying_refuse_instruction(copy, instruction, bytes, "has an operand that is not understood");
    else
        put_distance(copy, instruction, bytes, at);
}

gboolean hiera_copying_is_inside(const HieraCopying *copy, guint64 number)
{
    guint block = hiera_flow_block(copy->flow, number), i = 0;
    if (number == copy->flow->function->address || !hiera_function_has(copy->flow->function, number))
        return FALSE;
    if (block == HIERA_NO_NODE)
        return TRUE;
    const HieraInstruction *first = hiera_copying_instruction(copy, hiera_copying_block(copy, block)->first);
    while (first[i].address + first[i].length <= number)
        i++;
    return first[i].address == number;
}

void hiera_copying_put_vector(HieraCopying *copy, const HieraInstruction *instruction, const guint8 *bytes,
                              const HieraVector *vector)
{
    gint32 number = 0;
    if (vector->displacement > 0)
        memcpy(&number, bytes + vector->displacement, sizeof number);
    if (hiera_x86_tile_name(bytes, instruction->length))
        hiera_copying_refuse_instruction(copy, instruction, bytes, "is not one that can be moved");
    else if (vector->is_relative)
        put_distance(copy, instruction, bytes, vector->displacement);
    else if (copy->flow->functions->object->is_fixed &&
             hiera_copying_is_inside(copy, (guint64)(gint64)GINT32_FROM_LE(number)))
        hiera_copying_refuse_instruction(copy, instruction, bytes,
                                         "has a number that may be an address inside the function");
    else
        hiera_code_bytes(copy->out, bytes, instruction->length);
}
