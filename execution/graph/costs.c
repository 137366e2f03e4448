/* Classes of instructions, by their names. See costs.h. */
#include "costs.h"
#include <string.h>

static const gdouble cycles[] = {
#define X(identifier, name, cycles) cycles,
    HIERA_COSTS(X)
#undef X
};

/* The first row whose text a name begins with counts. */
typedef struct {
    const char *begin;
    HieraCost cost;
} Row;

static const Row x86[] = {
    {"nop", HIERA_COST_NOTHING},       {"endbr", HIERA_COST_NOTHING},     {"rep ", HIERA_COST_STRING},
    {"repne ", HIERA_COST_STRING},     {"lock ", HIERA_COST_ATOMIC},      {"syscall", HIERA_COST_SYSTEM},
    {"rdtsc", HIERA_COST_SYSTEM},      {"cpuid", HIERA_COST_SYSTEM},      {"mfence", HIERA_COST_SYSTEM},
    {"imul", HIERA_COST_MULTIPLY},     {"mulx", HIERA_COST_MULTIPLY},     {"idiv", HIERA_COST_DIVIDE},
    {"sqrt", HIERA_COST_ROOT},         {"vsqrt", HIERA_COST_ROOT},        {"vcvt", HIERA_COST_CONVERT},
    {"cvt", HIERA_COST_CONVERT},       {"vdiv", HIERA_COST_FLOAT_DIVIDE}, {"divs", HIERA_COST_FLOAT_DIVIDE},
    {"divp", HIERA_COST_FLOAT_DIVIDE}, {"div", HIERA_COST_DIVIDE},        {"fdiv", HIERA_COST_FLOAT_DIVIDE},
    {"fsqrt", HIERA_COST_ROOT},        {"adds", HIERA_COST_FLOAT},        {"addp", HIERA_COST_FLOAT},
    {"subs", HIERA_COST_FLOAT},        {"subp", HIERA_COST_FLOAT},        {"muls", HIERA_COST_FLOAT},
    {"mulp", HIERA_COST_FLOAT},        {"mul", HIERA_COST_MULTIPLY},      {"vadd", HIERA_COST_FLOAT},
    {"vsub", HIERA_COST_FLOAT},        {"vmul", HIERA_COST_FLOAT},        {"vfm", HIERA_COST_FLOAT},
    {"vfnm", HIERA_COST_FLOAT},        {"comis", HIERA_COST_FLOAT},       {"ucomis", HIERA_COST_FLOAT},
    {"vcomis", HIERA_COST_FLOAT},      {"vucomis", HIERA_COST_FLOAT},     {"mins", HIERA_COST_FLOAT},
    {"maxs", HIERA_COST_FLOAT},        {"minp", HIERA_COST_FLOAT},        {"maxp", HIERA_COST_FLOAT},
    {"vmin", HIERA_COST_FLOAT},        {"vmax", HIERA_COST_FLOAT},        {"haddp", HIERA_COST_FLOAT},
    {"fcom", HIERA_COST_FLOAT},        {"fucom", HIERA_COST_FLOAT},       {"fadd", HIERA_COST_FLOAT},
    {"fsub", HIERA_COST_FLOAT},        {"fmul", HIERA_COST_FLOAT},        {"f", HIERA_COST_FLOAT},
    {"sh", HIERA_COST_SHIFT},          {"sa", HIERA_COST_SHIFT},          {"ro", HIERA_COST_SHIFT},
    {"movz", HIERA_COST_INTEGER},      {"movsx", HIERA_COST_INTEGER},     {"movabs", HIERA_COST_MOVE},
    {"movap", HIERA_COST_VECTOR},      {"movup", HIERA_COST_VECTOR},      {"movdq", HIERA_COST_VECTOR},
    {"mov", HIERA_COST_MOVE},          {"push", HIERA_COST_MOVE},         {"pop", HIERA_COST_MOVE},
    {"v", HIERA_COST_VECTOR},          {"p", HIERA_COST_VECTOR},          {"unpck", HIERA_COST_VECTOR},
    {"xorp", HIERA_COST_VECTOR},       {"andp", HIERA_COST_VECTOR},       {"orp", HIERA_COST_VECTOR},
    {"", HIERA_COST_INTEGER},
};

static const Row aarch64[] = {
    {"nop", HIERA_COST_NOTHING},    {"bti", HIERA_COST_NOTHING},   {"svc", HIERA_COST_SYSTEM},
    {"dmb", HIERA_COST_SYSTEM},     {"mrs", HIERA_COST_SYSTEM},    {"ldax", HIERA_COST_ATOMIC},
    {"stlx", HIERA_COST_ATOMIC},    {"cas", HIERA_COST_ATOMIC},    {"fdiv", HIERA_COST_FLOAT_DIVIDE},
    {"fsqrt", HIERA_COST_ROOT},     {"fcvt", HIERA_COST_CONVERT},  {"scvt", HIERA_COST_CONVERT},
    {"ucvt", HIERA_COST_CONVERT},   {"fmov", HIERA_COST_MOVE},     {"f", HIERA_COST_FLOAT},
    {"sdiv", HIERA_COST_DIVIDE},    {"udiv", HIERA_COST_DIVIDE},   {"mul", HIERA_COST_MULTIPLY},
    {"madd", HIERA_COST_MULTIPLY},  {"msub", HIERA_COST_MULTIPLY}, {"smull", HIERA_COST_MULTIPLY},
    {"umull", HIERA_COST_MULTIPLY}, {"lsl", HIERA_COST_SHIFT},     {"lsr", HIERA_COST_SHIFT},
    {"asr", HIERA_COST_SHIFT},      {"ld", HIERA_COST_LOAD},       {"st", HIERA_COST_STORE},
    {"mov", HIERA_COST_MOVE},       {"", HIERA_COST_INTEGER},
};

static gdouble memory_of_x86(const cs_insn *raw)
{
    gdouble sum = 0;
    if (raw->id == X86_INS_LEA || raw->id == X86_INS_NOP)
        return 0;
    for (guint8 i = 0; i < raw->detail->x86.op_count; i++) {
        const cs_x86_op *operand = &raw->detail->x86.operands[i];
        if (operand->type != X86_OP_MEM)
            continue;
        sum += operand->access & CS_AC_READ ? cycles[HIERA_COST_LOAD] : 0;
        sum += operand->access & CS_AC_WRITE ? cycles[HIERA_COST_STORE] : 0;
    }
    if (raw->id == X86_INS_PUSH)
        sum += cycles[HIERA_COST_STORE];
    if (raw->id == X86_INS_POP || raw->id == X86_INS_LEAVE)
        sum += cycles[HIERA_COST_LOAD];
    return sum;
}

gdouble hiera_cost_of(const HieraDecoder *decoder, const HieraInstruction *instruction)
{
    const cs_insn *raw = decoder->raw;
    gboolean is_x86 = decoder->object->machine == HIERA_MACHINE_X86_64;
    const Row *row = is_x86 ? x86 : aarch64;
    switch ((HieraFlowKind)instruction->kind) {
    case HIERA_FLOW_CALL:
    case HIERA_FLOW_CALL_POINTER:
        return cycles[HIERA_COST_CALL];
    case HIERA_FLOW_RETURN:
        return cycles[HIERA_COST_RETURN];
    case HIERA_FLOW_JUMP:
    case HIERA_FLOW_JUMP_POINTER:
        return cycles[HIERA_COST_JUMP];
    case HIERA_FLOW_BRANCH:
        return cycles[HIERA_COST_BRANCH];
    default:
        break;
    }
    if (!raw)
        return cycles[HIERA_COST_VECTOR];
    while (!g_str_has_prefix(raw->mnemonic, row->begin))
        row++;
    return cycles[row->cost] + (is_x86 ? memory_of_x86(raw) : 0);
}
