/* Decodes instructions. See decoder.h. */
#include "decoder.h"
#include <string.h>

/* Greatest number of instructions of a stub (.plt). */
enum { STUB_LENGTH = 5 };

HieraDecoder *hiera_decoder_new(const HieraObject *object, GError **error)
{
    gboolean x86 = object->machine == HIERA_MACHINE_X86_64;
    HieraDecoder *decoder = g_new0(HieraDecoder, 1);
    cs_err code = cs_open(x86 ? CS_ARCH_X86 : CS_ARCH_ARM64, x86 ? CS_MODE_64 : CS_MODE_ARM, &decoder->handle);
    if (code != CS_ERR_OK) {
        g_set_error(error, HIERA_IMAGE_ERROR, 0, "%s: Capstone cannot decode this machine: %s", object->path,
                    cs_strerror(code));
        g_free(decoder);
        return NULL;
    }
    cs_option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
    decoder->object = object;
    decoder->raw = cs_malloc(decoder->handle);
    return decoder;
}

void hiera_decoder_free(HieraDecoder *decoder)
{
    if (!decoder)
        return;
    cs_free(decoder->raw, 1);
    cs_close(&decoder->handle);
    g_free(decoder);
}

/* Skip a vector instruction that Capstone does not know. */
static gboolean skip_vector(HieraDecoder *decoder, const guint8 *bytes, guint length, HieraInstruction *instruction)
{
    instruction->length = (guint8)length;
    decoder->raw->id = 0;
    decoder->raw->address = instruction->address;
    decoder->raw->size = instruction->length;
    memcpy(decoder->raw->bytes, bytes, length);
    memset(decoder->raw->detail, 0, sizeof *decoder->raw->detail);
    return instruction->length > 0;
}

gboolean hiera_decoder_decode(HieraDecoder *decoder, guint64 address, HieraInstruction *instruction)
{
    gsize available = 0;
    const guint8 *bytes = hiera_object_bytes(decoder->object, address, 1, &available), *behind = bytes;
    uint64_t at = address;
    size_t n = MIN(available, 16), left = n;
    *instruction = (HieraInstruction){.address = address, .kind = HIERA_FLOW_ON};
    if (!bytes)
        return FALSE;
    guint vector = decoder->object->machine == HIERA_MACHINE_X86_64 ? hiera_x86_vector(bytes, n).length : 0;
    if (!cs_disasm_iter(decoder->handle, &behind, &left, &at, decoder->raw) || decoder->raw->size == 0 ||
        (vector > 0 && vector != decoder->raw->size))
        return skip_vector(decoder, bytes, vector, instruction);
    instruction->length = (guint8)decoder->raw->size;
    if (decoder->object->machine == HIERA_MACHINE_X86_64)
        hiera_x86_classify(decoder->raw, instruction);
    else
        hiera_aarch64_classify(decoder->raw, instruction);
    return TRUE;
}

const char *hiera_decoder_import(const HieraDecoder *decoder, guint64 pointer)
{
    return g_hash_table_lookup(decoder->object->imports, &pointer);
}

/* Return the address of the pointer that a stub of aarch64 loads: adrp x16, PAGE; ldr x17, [x16, OFFSET]. */
static guint64 take_pointer(const cs_insn *raw, guint64 *page)
{
    const cs_arm64 *arm = &raw->detail->arm64;
    if (raw->id == ARM64_INS_ADRP && arm->op_count == 2)
        *page = (guint64)arm->operands[1].imm;
    if (raw->id == ARM64_INS_LDR && arm->op_count == 2 && arm->operands[1].type == ARM64_OP_MEM && *page)
        return *page + (guint64)(gint64)arm->operands[1].mem.disp;
    return 0;
}

const char *hiera_decoder_stub(HieraDecoder *decoder, guint64 address)
{
    HieraInstruction instruction;
    guint64 page = 0, pointer;
    for (guint i = 0; i < STUB_LENGTH && hiera_decoder_decode(decoder, address, &instruction); i++) {
        if (instruction.kind == HIERA_FLOW_JUMP_POINTER && instruction.target)
            return hiera_decoder_import(decoder, instruction.target);
        if (decoder->object->machine == HIERA_MACHINE_AARCH64 && (pointer = take_pointer(decoder->raw, &page)))
            return hiera_decoder_import(decoder, pointer);
        if (instruction.kind != HIERA_FLOW_ON)
            return NULL;
        address += instruction.length;
    }
    return NULL;
}
