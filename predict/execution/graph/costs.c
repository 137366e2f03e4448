/* Finds the cost class of an instruction by its name. See costs.h. */
#include "costs.h"
#include "execution_graph.h"
#include <string.h>

static const gdouble cycles[] = {
#define X(identifier, name, cycles) cycles,
    HIERA_COSTS(X)
#undef X
};

/* Cost class of the instructions whose name begins with `begin`; of several rows that fit, the first one counts. */
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

typedef struct {
    guint loads, stores;
} Accesses;

static Accesses accesses_of_x86(const cs_insn *raw)
{
    Accesses found = {raw->id == X86_INS_POP || raw->id == X86_INS_LEAVE, raw->id == X86_INS_PUSH};
    if (raw->id == X86_INS_LEA || raw->id == X86_INS_NOP)
        return (Accesses){0, 0};
    for (guint8 i = 0; i < raw->detail->x86.op_count; i++) {
        const cs_x86_op *operand = &raw->detail->x86.operands[i];
        found.loads += operand->type == X86_OP_MEM && operand->access & CS_AC_READ;
        found.stores += operand->type == X86_OP_MEM && operand->access & CS_AC_WRITE;
    }
    return found;
}

static const Row *find_row(const HieraDecoder *decoder)
{
    const Row *row = decoder->object->machine == HIERA_MACHINE_X86_64 ? x86 : aarch64;
    while (!g_str_has_prefix(decoder->raw->mnemonic, row->begin))
        row++;
    return row;
}

guint hiera_accesses_of(const HieraDecoder *decoder)
{
    if (!decoder->raw)
        return 0;
    if (decoder->object->machine != HIERA_MACHINE_X86_64) {
        HieraCost cost = find_row(decoder)->cost;
        return cost == HIERA_COST_LOAD || cost == HIERA_COST_STORE;
    }
    const Accesses found = accesses_of_x86(decoder->raw);
    return found.loads + found.stores;
}

gdouble hiera_cost_of(const HieraDecoder *decoder, const HieraInstruction *instruction)
{
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
    if (!decoder->raw)
        return cycles[HIERA_COST_VECTOR];
    Accesses found = {0, 0};
    if (decoder->object->machine == HIERA_MACHINE_X86_64)
        found = accesses_of_x86(decoder->raw);
    return cycles[find_row(decoder)->cost] + found.loads * cycles[HIERA_COST_LOAD] +
           found.stores * cycles[HIERA_COST_STORE];
}

void hiera_execution_cost_misses(HieraExecution *execution, guint first, gdouble misses, gdouble each)
{
    for (guint i = first; i < execution->vertices->len; i++)
        hiera_execution_vertex(execution, i)->cycles += misses * each * hiera_execution_vertex(execution, i)->accesses;
}
