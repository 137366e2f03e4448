/* Classifies instructions of x86-64 by their effect on the flow of control. */
#include "decoder.h"
#include <string.h>

/* Set kind and target from the operand: `direct` for an address, `pointer` for a pointer at a fixed address. */
static void take_target(const cs_insn *raw, HieraInstruction *instruction, HieraFlowKind direct, HieraFlowKind pointer)
{
    const cs_x86 *x86 = &raw->detail->x86;
    const cs_x86_op *operand = &x86->operands[0];
    instruction->kind = (guint8)pointer;
    if (x86->op_count == 0)
        return;
    if (operand->type == X86_OP_IMM) {
        instruction->kind = (guint8)direct;
        instruction->target = (guint64)operand->imm;
    } else if (operand->type == X86_OP_MEM && operand->mem.base == X86_REG_RIP &&
               operand->mem.index == X86_REG_INVALID) {
        instruction->target = raw->address + raw->size + (guint64)operand->mem.disp;
    }
}

static gboolean jumps(const cs_insn *raw)
{
    for (guint i = 0; i < raw->detail->groups_count; i++)
        if (raw->detail->groups[i] == X86_GRP_JUMP)
            return TRUE;
    return FALSE;
}

void hiera_x86_classify(const cs_insn *raw, HieraInstruction *instruction)
{
    switch (raw->id) {
    case X86_INS_JMP:
        take_target(raw, instruction, HIERA_FLOW_JUMP, HIERA_FLOW_JUMP_POINTER);
        return;
    case X86_INS_CALL:
        take_target(raw, instruction, HIERA_FLOW_CALL, HIERA_FLOW_CALL_POINTER);
        return;
    case X86_INS_RET:
    case X86_INS_RETF:
    case X86_INS_RETFQ:
    case X86_INS_IRETQ:
    case X86_INS_SYSRET:
        instruction->kind = HIERA_FLOW_RETURN;
        return;
    case X86_INS_HLT:
    case X86_INS_UD2:
    case X86_INS_INT3:
    case X86_INS_LJMP:
        instruction->kind = HIERA_FLOW_STOP;
        return;
    case X86_INS_LOOP:
    case X86_INS_LOOPE:
    case X86_INS_LOOPNE:
    case X86_INS_XBEGIN:
        take_target(raw, instruction, HIERA_FLOW_BRANCH, HIERA_FLOW_ON);
        return;
    default:
        if (jumps(raw))
            take_target(raw, instruction, HIERA_FLOW_BRANCH, HIERA_FLOW_ON);
    }
}

/* Read the operand behind the opcode: ModRM, SIB, displacement. @return  its length; 0: there are too few bytes */
static guint read_operand(const guint8 *bytes, gsize n, HieraVector *vector, guint at)
{
    guint mod = n > 0 ? bytes[0] >> 6 : 3, rm = n > 0 ? bytes[0] & 7 : 0;
    gboolean sib = mod != 3 && rm == 4;
    if (n == 0 || (sib && n < 2))
        return 0;
    gboolean no_base = mod == 0 && (sib ? (bytes[1] & 7) == 5 : rm == 5);
    vector->is_relative = no_base && !sib;
    vector->displacement = mod == 2 || no_base ? (guint8)(at + 1 + sib) : 0;
    return 1 + sib + (mod == 1 ? 1 : mod == 2 || no_base ? 4 : 0);
}

/* Length of the prefix VEX or EVEX, and the map of opcodes it names; 0: it has none of them, or one of APX. */
static guint read_prefix(const guint8 *bytes, gsize n, guint *map)
{
    *map = 1;
    if (n < 4 || bytes[0] == 0xc5)
        return n < 4 ? 0 : 2;
    *map = bytes[1] & (bytes[0] == 0x62 ? 0x0f : 0x1f);
    gboolean is_evex = bytes[0] == 0x62 && (bytes[2] & 4) && ((*map >= 1 && *map <= 3) || *map == 5 || *map == 6);
    return is_evex ? 4 : bytes[0] == 0xc4 && *map >= 1 && *map <= 3 ? 3 : 0;
}

static gboolean is_one(guint map, guint8 opcode, const char *const opcodes[])
{
    return opcode != 0 && strchr(opcodes[map - 1], opcode);
}

/* Whether an instruction, which has an operand in memory, may write it. `kind`: 66 (1), f3 (2), or f2 (3) would stand
 * before it. */
static gboolean writes_memory(guint map, guint8 opcode, guint kind)
{
    static const char *const stores[] = {"\x11\x13\x17\x29\x2b\x7e\x7f\x91\xae\xd6\xe7",
                                         "\x2e\x2f\x49\x4b\x63\x8a\x8b\x8e\xa0\xa1\xa2\xa3",
                                         "\x14\x15\x16\x17\x19\x1b\x1d\x39\x3b"};
    if (map == 5)
        return opcode == 0x11 || opcode == 0x7e;
    if (map > 3)
        return FALSE;
    gboolean narrows = map == 2 && kind == 2 && (opcode & 0x0f) < 6 && opcode >= 0x10 && opcode <= 0x35;
    gboolean compares = map == 2 && opcode >= 0xe0 && opcode <= 0xef; /* and adds if they are as it wants them */
    return narrows || compares || is_one(map, opcode, stores);
}

/* Find what an instruction may read and write: all general registers if it has some without an operand for them.
 * `bytes`: its prefix; `operand`: ModRM and SIB. */
static void find_uses(HieraVector *vector, const guint8 *bytes, guint map, guint8 opcode, const guint8 *operand)
{
    static const char *const to_first[] = {"\x2c\x2d\x50\x78\x79\x93\xc5\xd7", "", ""},
                             *const to_second[] = {"\x7e", "", "\x14\x15\x16\x17"},
                             *const from_second[] = {"\x2a\x6e\x7b\x92\xc4", "\x7a\x7b\x7c", "\x20\x22"};
    gboolean is_long = bytes[0] != 0xc5, in_memory = operand[0] < 0xc0, has_sib = in_memory && (operand[0] & 7) == 4;
    guint kind = bytes[1 + is_long] & 3; /* 66, f3, or f2 would stand before it */
    guint first = (operand[0] >> 3 & 7) | ((bytes[1] & 0x80) == 0 ? 8 : 0);
    guint second = ((has_sib ? operand[1] : operand[0]) & 7) | (is_long && (bytes[1] & 0x20) == 0 ? 8 : 0);
    guint index = has_sib ? (operand[1] >> 3 & 7) | (is_long && (bytes[1] & 0x40) == 0 ? 8 : 0) : second;
    vector->reads = vector->writes = G_MAXUINT16;
    vector->stores = in_memory && writes_memory(map, opcode, kind);
    if (map > 3 || (map > 1 && opcode >= 0xe0) || (map == 3 && opcode >= 0x60 && opcode <= 0x63) || opcode == 0xf7)
        return;
    gboolean is_vector = (map == 1 && opcode == 0x7e && kind != 1) || (map == 1 && opcode >> 1 == 0x3c && kind < 2);
    gboolean reads = in_memory || is_one(map, opcode, from_second);
    vector->writes = (guint16)((!is_vector && is_one(map, opcode, to_first) ? 1 << first : 0) |
                               (!is_vector && !in_memory && is_one(map, opcode, to_second) ? 1 << second : 0));
    vector->reads = (guint16)(reads ? 1 << second | 1 << index : 0);
}

HieraVector hiera_x86_vector(const guint8 *bytes, gsize n)
{
    HieraVector vector = {0};
    guint map, segment = n > 0 && (bytes[0] == 0x64 || bytes[0] == 0x65);
    guint prefix = read_prefix(bytes + segment, n - segment, &map), at = segment + prefix;
    if (prefix == 0 || at >= n)
        return vector;
    guint8 opcode = bytes[at];
    if (map == 1 && opcode == 0x77) { /* vzeroupper, vzeroall: the only ones without an operand */
        vector.length = (guint8)(at + 1);
        return vector;
    }
    gboolean immediate =
        map == 3 ||
        (map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6)));
    guint operand = read_operand(bytes + at + 1, n - at - 1, &vector, at + 1), length = at + 1 + operand + immediate;
    vector.length = operand > 0 && length <= n ? (guint8)length : 0;
    if (vector.length > 0)
        find_uses(&vector, bytes + segment, map, opcode, bytes + at + 1);
    return vector;
}

const char *hiera_x86_tile_name(const guint8 *bytes, gsize n)
{
    static const struct {
        guint8 opcode;
        const char *names[4]; /* by the last two bits of the prefix */
    } known[] = {{0x49, {"ldtilecfg", "sttilecfg", NULL, "tilezero"}},
                 {0x4b, {NULL, "tileloaddt1", "tilestored", "tileloadd"}},
                 {0x5c, {NULL, NULL, "tdpbf16ps", "tdpfp16ps"}},
                 {0x5e, {"tdpbuud", "tdpbusd", "tdpbsud", "tdpbssd"}},
                 {0x6c, {"tcmmrlfp16ps", "tcmmimfp16ps", NULL, NULL}}};
    for (guint i = 0; n >= 5 && bytes[0] == 0xc4 && (bytes[1] & 0x1f) == 2 && i < G_N_ELEMENTS(known); i++)
        if (known[i].opcode == bytes[3])
            return bytes[3] == 0x49 && bytes[4] == 0xc0 ? "tilerelease" : known[i].names[bytes[2] & 3];
    return NULL;
}
