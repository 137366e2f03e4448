/* See code_x86.h. Opcodes: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2. */
#include "code_x86.h"
#include <string.h>

#define PUT(out, ...) put_all(out, (const guint8[]){__VA_ARGS__}, sizeof((const guint8[]){__VA_ARGS__}))

static void put_all(HieraCodeOut *out, const guint8 *bytes, gsize n)
{
    g_byte_array_append(out->bytes, bytes, (guint)n);
}

void hiera_code_bytes(HieraCodeOut *out, const guint8 *bytes, gsize n)
{
    put_all(out, bytes, n);
}

guint32 hiera_code_gap(HieraCodeOut *out)
{
    PUT(out, 0, 0, 0, 0);
    return out->bytes->len - 4;
}

static void add_fixup(HieraCodeOut *out, guint kind, guint32 at, guint32 end, gint64 target)
{
    const HieraPlanFixup fixup = {kind, at, end, (gint32)target};
    g_array_append_val(out->fixups, fixup);
}

void hiera_code_far(HieraCodeOut *out, gint64 target)
{
    guint32 at = hiera_code_gap(out);
    add_fixup(out, HIERA_PLAN_FILE_32, at, at + 4, target);
}

void hiera_code_distance(HieraCodeOut *out, guint32 at, guint32 from, guint32 to)
{
    gint32 distance = GINT32_TO_LE((gint32)(to - from));
    memcpy(out->bytes->data + at, &distance, sizeof distance);
}

/* Fill a gap of four bytes with the distance from its end to a position. */
static void put_distance(HieraCodeOut *out, guint32 gap, guint32 to)
{
    hiera_code_distance(out, gap, gap + 4, to);
}

void hiera_code_here(HieraCodeOut *out, guint32 gap)
{
    put_distance(out, gap, out->bytes->len);
}

/* Append the opcode of a jump, the short one if it reaches the block, and the gap. */
static void put_jump(HieraCodeOut *out, guint8 opcode, const guint8 *longer, gsize n, guint block)
{
    gboolean is_short = out->jumps->len < out->is_short->len && out->is_short->data[out->jumps->len];
    const guint8 begin[] = {opcode, 0};
    put_all(out, is_short ? begin : longer, is_short ? sizeof begin : n);
    const HieraCodeJump jump = {is_short ? out->bytes->len - 1 : hiera_code_gap(out), block, is_short};
    g_array_append_val(out->jumps, jump);
}

gboolean hiera_code_land(HieraCodeOut *out, const HieraCodeJump *jump, guint32 to)
{
    if (!jump->is_short) {
        put_distance(out, jump->at, to);
        return TRUE;
    }
    gint32 distance = (gint32)(to - (jump->at + 1));
    out->bytes->data[jump->at] = (guint8)distance;
    return distance == (gint8)distance;
}

void hiera_code_jump_to_block(HieraCodeOut *out, guint block)
{
    put_jump(out, 0xeb, (const guint8[]){0xe9}, 1, block);
}

void hiera_code_jump_far(HieraCodeOut *out, gint64 target)
{
    PUT(out, 0xe9);
    hiera_code_far(out, target);
}

void hiera_code_call_far(HieraCodeOut *out, gint64 target)
{
    PUT(out, 0xe8);
    hiera_code_far(out, target);
}

void hiera_code_branch_to_block(HieraCodeOut *out, guint condition, guint block)
{
    put_jump(out, (guint8)(0x70 | condition), (const guint8[]){0x0f, (guint8)(0x80 | condition)}, 2, block);
}

void hiera_code_branch_far(HieraCodeOut *out, guint condition, gint64 target)
{
    PUT(out, 0x0f, (guint8)(0x80 | condition));
    hiera_code_far(out, target);
}

guint32 hiera_code_branch_over(HieraCodeOut *out, guint condition)
{
    PUT(out, 0x0f, (guint8)(0x80 | condition));
    return hiera_code_gap(out);
}

guint32 hiera_code_jump_over(HieraCodeOut *out)
{
    PUT(out, 0xe9);
    return hiera_code_gap(out);
}

void hiera_code_jump_back(HieraCodeOut *out, guint32 position)
{
    put_distance(out, hiera_code_jump_over(out), position);
}

/* Note by how much the stack pointer is lower from here on. */
static void set_moved(HieraCodeOut *out, guint32 by)
{
    const HieraCodeMove move = {out->bytes->len, by};
    g_array_append_val(out->moves, move);
}

enum { RAX = 0, RSP = 4, RED_ZONE = 128, WORD = 8 };

/* Write a call of the event routine. The 128 bytes below the stack pointer also belong to the function (System V ABI,
 * red zone). */
void hiera_code_event(HieraCodeOut *out, guint kind, guint number)
{
    PUT(out, 0x48, 0x8d, 0x64, 0x24, 0x80); /* lea -128(%rsp), %rsp */
    set_moved(out, RED_ZONE);
    PUT(out, 0x68); /* push EVENT */
    guint32 event = hiera_code_gap(out);
    add_fixup(out, HIERA_PLAN_EVENT_32, event, kind, number);
    set_moved(out, RED_ZONE + WORD);
    PUT(out, 0xff, 0x15); /* call *EVENT_AT(%rip) */
    put_distance(out, hiera_code_gap(out), HIERA_PLAN_EVENT_AT);
    PUT(out, 0x48, 0x8d, 0xa4, 0x24, 0x88, 0, 0, 0); /* lea 136(%rsp), %rsp */
    set_moved(out, 0);
}

guint32 hiera_code_personality(HieraCodeOut *out, gint64 routine, gboolean is_pointer, guint function)
{
    guint32 position = out->bytes->len;
    PUT(out, 0xf3, 0x0f, 0x1e, 0xfa); /* endbr64 */
    PUT(out, 0x4c, 0x8d, 0x0d);       /* lea UNWOUND(%rip), %r9: the sixth argument */
    guint32 gap = hiera_code_gap(out);
    PUT(out, 0xff, 0x25); /* jmp *UNWIND_AT(%rip) */
    put_distance(out, hiera_code_gap(out), HIERA_PLAN_UNWIND_AT);
    while (out->bytes->len % 4 != 0)
        PUT(out, 0);
    hiera_code_here(out, gap);
    guint32 at = hiera_code_gap(out);
    if (routine != 0)
        add_fixup(out, HIERA_PLAN_FILE_32, at, at, routine);
    PUT(out, is_pointer, 0, 0, 0);
    add_fixup(out, HIERA_PLAN_EVENT_32, hiera_code_gap(out), HIERA_PLAN_FUNCTION_OUT, function);
    return position;
}

/* --- numbers of the thread --- */

/* Append an instruction with a register and a number of the thread (%fs). @param is_wide  of 8 bytes, not 4 */
static void put_local(HieraCodeOut *out, gboolean is_wide, guint8 opcode, guint reg, HieraPlanLocal local, guint number)
{
    guint8 prefix = (guint8)(0x40 | is_wide << 3 | (reg >> 3) << 2);
    PUT(out, 0x64);
    if (prefix != 0x40)
        PUT(out, prefix);
    PUT(out, opcode, (guint8)(0x04 | (reg & 7) << 3), 0x25);
    add_fixup(out, HIERA_PLAN_LOCAL_32, hiera_code_gap(out), local, number);
}

/* Append an instruction of two registers, the second of which is changed. */
static void put_registers(HieraCodeOut *out, gboolean is_wide, guint8 opcode, guint reg, guint to)
{
    PUT(out, (guint8)(0x40 | is_wide << 3 | (reg >> 3) << 2 | to >> 3), opcode,
        (guint8)(0xc0 | (reg & 7) << 3 | (to & 7)));
}

/* Append: lea DISTANCE(REG), REG */
static void put_lea(HieraCodeOut *out, gboolean is_wide, guint reg, gint32 distance)
{
    gint32 little = GINT32_TO_LE(distance);
    PUT(out, (guint8)((is_wide ? 0x48 : 0x40) | (reg >> 3) << 2 | reg >> 3), 0x8d,
        (guint8)(0x80 | (reg & 7) << 3 | (reg & 7)));
    if ((reg & 7) == RSP)
        PUT(out, 0x24);
    hiera_code_bytes(out, (const guint8 *)&little, sizeof little);
}

/* Push rax below the bytes that belong to the function, behind `n` bytes that are there already. */
static void push_rax(HieraCodeOut *out, guint32 n)
{
    PUT(out, 0x50); /* push %rax */
    set_moved(out, RED_ZONE + n + WORD);
}

static void pop_rax(HieraCodeOut *out, guint32 n)
{
    PUT(out, 0x58); /* pop %rax */
    set_moved(out, RED_ZONE + n);
}

/* Go below those bytes. */
static void leave_red_zone(HieraCodeOut *out)
{
    put_lea(out, TRUE, RSP, -RED_ZONE);
    set_moved(out, RED_ZONE);
}

static void return_to_red_zone(HieraCodeOut *out)
{
    put_lea(out, TRUE, RSP, RED_ZONE);
    set_moved(out, 0);
}

/* Keep the flags in rax, and rax on the stack, where they are in use. */
static void save_flags(HieraCodeOut *out, const HieraCodeRoom *room)
{
    if (room->has_flags)
        return;
    if (room->scratch != RAX) {
        leave_red_zone(out);
        push_rax(out, 0);
    }
    PUT(out, 0x9f, 0x0f, 0x90, 0xc0); /* lahf; seto %al */
}

static void restore_flags(HieraCodeOut *out, const HieraCodeRoom *room)
{
    if (room->has_flags)
        return;
    PUT(out, 0x04, 0x7f, 0x9e); /* add $127, %al, which overflows if it is 1; sahf */
    if (room->scratch != RAX) {
        pop_rax(out, 0);
        return_to_red_zone(out);
    }
}

/* What is appended next is reached by a jump from where the flags are kept. */
static void come_with_flags(HieraCodeOut *out, guint32 gap, const HieraCodeRoom *room)
{
    hiera_code_here(out, gap);
    if (!room->has_flags && room->scratch != RAX)
        set_moved(out, RED_ZONE + WORD);
}

guint32 hiera_code_if_due(HieraCodeOut *out, HieraPlanLocal local, guint number, gboolean takes_one,
                          const HieraCodeRoom *room)
{
    save_flags(out, room);
    PUT(out, 0x64, takes_one ? 0xff : 0x83, takes_one ? 0x0c : 0x3c, 0x25); /* decl, or cmpl $0 */
    add_fixup(out, HIERA_PLAN_LOCAL_32, hiera_code_gap(out), local, number);
    if (!takes_one)
        PUT(out, 0);
    guint32 gap = hiera_code_branch_over(out, 0xe); /* jle */
    restore_flags(out, room);
    return gap;
}

void hiera_code_due(HieraCodeOut *out, guint32 gap, guint kind, guint number, const HieraCodeRoom *room)
{
    come_with_flags(out, gap, room);
    restore_flags(out, room);
    hiera_code_event(out, kind, number);
}

guint32 hiera_code_unless_hidden(HieraCodeOut *out, guint number, const HieraCodeRoom *room)
{
    save_flags(out, room);
    PUT(out, 0x64, 0xff, 0x0c, 0x25); /* decl */
    add_fixup(out, HIERA_PLAN_LOCAL_32, hiera_code_gap(out), HIERA_PLAN_DOWN, number);
    guint32 gap = hiera_code_branch_over(out, 0x9); /* jns */
    restore_flags(out, room);
    return gap;
}

guint32 hiera_code_if_open(HieraCodeOut *out, guint function)
{
    PUT(out, 0x64, 0xff, 0x0c, 0x25); /* decl */
    add_fixup(out, HIERA_PLAN_LOCAL_32, hiera_code_gap(out), HIERA_PLAN_GATES, function);
    return hiera_code_branch_over(out, 0xe); /* jle */
}

void hiera_code_if_now(HieraCodeOut *out, guint32 gap, guint number, const HieraCodeRoom *room)
{
    come_with_flags(out, gap, room);
    guint32 not_now = hiera_code_branch_over(out, 0xf); /* jg */
    restore_flags(out, room);
    hiera_code_event(out, HIERA_PLAN_LOOP_DUE, number);
    guint32 end = room->has_flags ? 0 : hiera_code_jump_over(out);
    come_with_flags(out, not_now, room);
    restore_flags(out, room);
    if (!room->has_flags)
        hiera_code_here(out, end);
}

/* Make room for code that needs a register, and perhaps changes the flags: save on the stack what is in use, below the
 * bytes that belong to the function. @return  the register */
static guint begin_room(HieraCodeOut *out, const HieraCodeRoom *room, gboolean changes_flags)
{
    if (room->scratch != HIERA_CODE_NO_REGISTER && (room->has_flags || !changes_flags))
        return room->scratch;
    leave_red_zone(out);
    if (changes_flags && !room->has_flags) {
        PUT(out, 0x9c); /* pushfq */
        set_moved(out, RED_ZONE + WORD);
    }
    push_rax(out, changes_flags && !room->has_flags ? WORD : 0);
    return RAX;
}

static void end_room(HieraCodeOut *out, const HieraCodeRoom *room, gboolean changes_flags)
{
    if (room->scratch != HIERA_CODE_NO_REGISTER && (room->has_flags || !changes_flags))
        return;
    pop_rax(out, changes_flags && !room->has_flags ? WORD : 0);
    if (changes_flags && !room->has_flags) {
        PUT(out, 0x9d); /* popfq */
        set_moved(out, RED_ZONE);
    }
    return_to_red_zone(out);
}

/* Bytes by which begin_room() moves the stack pointer. */
static gint32 moved_by(const HieraCodeRoom *room, gboolean changes_flags)
{
    if (room->scratch != HIERA_CODE_NO_REGISTER && (room->has_flags || !changes_flags))
        return 0;
    return RED_ZONE + 8 + (changes_flags && !room->has_flags ? 8 : 0);
}

void hiera_code_count(HieraCodeOut *out, guint loop, const HieraCodeRoom *room)
{
    if (room->has_flags) {
        put_local(out, TRUE, 0xff, 0, HIERA_PLAN_COUNT, loop); /* incq */
        return;
    }
    guint reg = begin_room(out, room, FALSE);
    put_local(out, TRUE, 0x8b, reg, HIERA_PLAN_COUNT, loop);
    put_lea(out, TRUE, reg, 1);
    put_local(out, TRUE, 0x89, reg, HIERA_PLAN_COUNT, loop);
    end_room(out, room, FALSE);
}

/* Append: mov NUMBER, REG. @param moved  bytes by which the stack pointer is below that of the function */
static void put_load(HieraCodeOut *out, const HieraInduction *induction, guint reg, gint32 moved)
{
    gboolean is_wide = induction->bytes == 8;
    if (induction->reg != HIERA_INDUCTION_STACK) {
        if (induction->reg != reg)
            put_registers(out, is_wide, 0x89, induction->reg, reg);
        return;
    }
    gint32 little = GINT32_TO_LE(induction->displacement + (induction->base == RSP ? moved : 0));
    PUT(out, (guint8)(0x40 | is_wide << 3 | (reg >> 3) << 2), 0x8b, (guint8)(0x80 | (reg & 7) << 3 | induction->base));
    if (induction->base == RSP)
        PUT(out, 0x24);
    hiera_code_bytes(out, (const guint8 *)&little, sizeof little);
}

void hiera_code_begin_count(HieraCodeOut *out, const HieraInduction *induction, const HieraCodeRoom *room)
{
    gboolean is_wide = induction->bytes == 8;
    if (induction->reg != HIERA_INDUCTION_STACK) {
        put_local(out, is_wide, 0x89, induction->reg, HIERA_PLAN_START, induction->slot);
        return;
    }
    guint reg = begin_room(out, room, FALSE);
    put_load(out, induction, reg, moved_by(room, FALSE));
    put_local(out, is_wide, 0x89, reg, HIERA_PLAN_START, induction->slot);
    end_room(out, room, FALSE);
}

void hiera_code_end_count(HieraCodeOut *out, const HieraInduction *induction, guint loop, gboolean has_changed,
                          const HieraCodeRoom *room)
{
    gboolean is_wide = induction->bytes == 8;
    guint reg = begin_room(out, room, TRUE);
    put_load(out, induction, reg, moved_by(room, TRUE));
    if (induction->step < 0) {
        put_registers(out, is_wide, 0xf7, 3, reg); /* neg REG */
        put_local(out, is_wide, 0x03, reg, HIERA_PLAN_START, induction->slot);
    } else {
        put_local(out, is_wide, 0x2b, reg, HIERA_PLAN_START, induction->slot);
    }
    if (has_changed)
        put_lea(out, is_wide, reg, -ABS(induction->step));
    put_local(out, TRUE, 0x01, reg, HIERA_PLAN_COUNT, loop);
    end_room(out, room, TRUE);
}

/* The begin of the first iteration counts, too. */
void hiera_code_begin_spare(HieraCodeOut *out, const HieraInduction *induction)
{
    PUT(out, (guint8)(0x48 | induction->reg >> 3), 0xc7, (guint8)(0xc0 | (induction->reg & 7)), 0xff, 0xff, 0xff,
        0xff); /* mov $-1, REG */
}

void hiera_code_count_spare(HieraCodeOut *out, const HieraInduction *induction)
{
    guint reg = induction->reg;
    PUT(out, (guint8)(0x48 | (reg >> 3) << 2 | reg >> 3), 0x8d, (guint8)(0x40 | (reg & 7) << 3 | (reg & 7)), 1);
}

void hiera_code_end_spare(HieraCodeOut *out, const HieraInduction *induction, guint loop, const HieraCodeRoom *room)
{
    begin_room(out, room, TRUE);
    put_local(out, TRUE, 0x01, induction->reg, HIERA_PLAN_COUNT, loop);
    end_room(out, room, TRUE);
}

void hiera_code_align(HieraCodeOut *out, guint64 position, guint size)
{
    /* No-operation instructions by length, each in the form that all CPUs decode fast. */
    static const guint8 nops[][8] = {{0x90},
                                     {0x66, 0x90},
                                     {0x0f, 0x1f, 0},
                                     {0x0f, 0x1f, 0x40, 0},
                                     {0x0f, 0x1f, 0x44, 0, 0},
                                     {0x66, 0x0f, 0x1f, 0x44, 0, 0},
                                     {0x0f, 0x1f, 0x80, 0, 0, 0, 0},
                                     {0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0}};
    for (guint n = (guint)(position - out->bytes->len) & (size - 1); n > 0;) {
        guint length = MIN(n, 8);
        put_all(out, nops[length - 1], length);
        n -= length;
    }
}
