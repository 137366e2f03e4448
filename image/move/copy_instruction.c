/* Copies instructions and adds events. See copying.h. */
#include "copying.h"
#include <stdarg.h>
#include <string.h>

#define HEX "0x%" G_GINT64_MODIFIER "x"

void hiera_copying_refuse(HieraCopying *copy, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!copy->reason)
        copy->reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
}

static gint64 target_of(const HieraCopying *copy, guint64 address)
{
    return (gint64)(address - copy->copies->begin);
}

guint hiera_copying_block_from(const HieraCopying *copy, guint64 address)
{
    guint block = hiera_flow_block(copy->flow, address);
    return block != HIERA_NO_NODE && hiera_copying_block(copy, block)->begin == address ? block : HIERA_NO_NODE;
}

/* --- code that reports events, and what it may change --- */

/* Registers with the numbers by which the loops that are left on an edge are counted, but for the only one. */
static guint32 counting_registers(const HieraCopying *copy)
{
    guint32 registers = 0, n = 0;
    for (guint i = 0; i < copy->events->len; i++) {
        const HieraPoint *point = &g_array_index(copy->events, HieraPoint, i);
        const HieraInduction *induction = &copy->points.inductions[point->loop];
        if (point->kind != HIERA_PLAN_LOOP_OUT || !induction->is_found)
            continue;
        registers |= (guint32)1 << (induction->reg == HIERA_INDUCTION_STACK ? induction->base : induction->reg);
        n++;
    }
    return n > 1 ? registers : 0;
}

/* Registers that count loops which have a block, or are left on an edge. */
static guint32 spare_registers(const HieraCopying *copy, guint block)
{
    guint32 registers = 0;
    for (guint i = 0; i < copy->flow->loops->len; i++)
        if (copy->points.inductions[i].is_spare && hiera_copying_has(copy, i, block))
            registers |= (guint32)1 << copy->points.inductions[i].reg;
    for (guint i = 0; i < copy->events->len; i++) {
        const HieraPoint *point = &g_array_index(copy->events, HieraPoint, i);
        if (point->kind >= HIERA_PLAN_LOOP_IN && copy->points.inductions[point->loop].is_spare)
            registers |= (guint32)1 << copy->points.inductions[point->loop].reg;
    }
    return registers;
}

/* What code before a block may change. Registers that are kept for the caller are left alone: a handler of a signal may
 * unwind, and the stack frame may count from one of them. */
static HieraCodeRoom room_before(const HieraCopying *copy, guint block)
{
    enum { KEPT = 0xf038 }; /* rbx, rsp, rbp, r12 to r15 */
    guint32 live = copy->live.blocks[block] | counting_registers(copy) | spare_registers(copy, block) | KEPT;
    HieraCodeRoom room = {HIERA_CODE_NO_REGISTER, (live & HIERA_LIVE_FLAGS) == 0};
    for (guint8 i = 0; i < 16 && room.scratch == HIERA_CODE_NO_REGISTER; i++)
        if ((live >> i & 1) == 0)
            room.scratch = i;
    return room;
}

static void put_begin_of_count(HieraCopying *copy, guint loop, const HieraCodeRoom *room)
{
    const HieraInduction *induction = &copy->points.inductions[loop];
    if (induction->is_found)
        hiera_code_begin_count(copy->out, induction, room);
    else if (induction->is_spare)
        hiera_code_begin_spare(copy->out, induction);
}

/* A jump that was just written leads behind all else; it belongs to the current place. */
static HieraCopiedBehind behind_here(const HieraCopying *copy, guint32 gap)
{
    const GArray *places = copy->copies->places;
    return (HieraCopiedBehind){copy->range, g_array_index(places, HieraPlanPlace, places->len - 1), gap};
}

/* Remember something that is to be written behind all else. Where it goes on is here. */
static void put_aside(HieraCopying *copy, HieraCopiedAside aside)
{
    aside.back = copy->out->bytes->len;
    g_array_append_val(copy->asides, aside);
}

/* A loop begins or ends. Most executions are only counted: one of several is timed, which the thread's count says. */
static void put_loop(HieraCopying *copy, const HieraPoint *point, const HieraCodeRoom *room)
{
    const HieraInduction *induction = &copy->points.inductions[point->loop];
    gboolean begins = point->kind == HIERA_PLAN_LOOP_IN;
    guint number = copy->points.loops[point->loop], kind = point->kind;
    if (!begins && induction->is_found)
        hiera_code_end_count(copy->out, induction, number, point->has_changed, room);
    else if (!begins && induction->is_spare)
        hiera_code_end_spare(copy->out, induction, number, room);
    if (induction->is_crossed) {
        hiera_code_event(copy->out, begins ? HIERA_PLAN_LOOP_HERE : kind, number);
    } else {
        guint32 gap = hiera_code_if_due(copy->out, HIERA_PLAN_DOWN, number, begins, room);
        put_aside(copy, (HieraCopiedAside){.behind = behind_here(copy, gap),
                                           .kind = begins ? HIERA_PLAN_LOOP_DUE : kind,
                                           .number = number,
                                           .block = HIERA_NO_NODE,
                                           .room = *room});
    }
    if (begins)
        put_begin_of_count(copy, point->loop, room);
}

/* A loop begins that has two copies. */
static void put_two_ways(HieraCopying *copy, guint loop, guint to, const HieraCodeRoom *room)
{
    guint32 gap = hiera_code_unless_hidden(copy->out, copy->points.loops[loop], room);
    put_aside(copy, (HieraCopiedAside){.behind = behind_here(copy, gap), .loop = loop, .block = to, .room = *room});
}

void hiera_copying_put_events(HieraCopying *copy, guint to)
{
    HieraCodeRoom room = room_before(copy, to);
    for (guint i = 0; i < copy->events->len; i++) {
        const HieraPoint *point = &g_array_index(copy->events, HieraPoint, i);
        if (point->kind == HIERA_POINT_NEXT)
            hiera_code_count(copy->out, copy->points.loops[point->loop], &room);
        else if (point->kind == HIERA_PLAN_LOOP_IN && copy->points.inductions[point->loop].is_doubled)
            put_two_ways(copy, point->loop, to, &room);
        else if (point->kind >= HIERA_PLAN_LOOP_IN)
            put_loop(copy, point, &room);
        else
            hiera_code_event(copy->out, point->kind, copy->function);
    }
    g_array_set_size(copy->events, 0);
}

static void put_of_function(HieraCopying *copy, HieraPlanEvent kind)
{
    hiera_code_event(copy->out, kind, copy->function);
}

/* --- copying instructions that do not jump --- */

/* Whether an instruction has an immediate number that may be an address inside the function, in a file loaded at fixed
 * addresses. */
static gboolean has_inside_number(const HieraCopying *copy, const cs_insn *raw)
{
    const cs_x86 *x86 = &raw->detail->x86;
    for (guint i = 0; copy->flow->functions->object->is_fixed && i < x86->op_count; i++) {
        guint64 number = x86->operands[i].type == X86_OP_IMM   ? (guint64)x86->operands[i].imm
                         : x86->operands[i].type == X86_OP_MEM ? (guint64)x86->operands[i].mem.disp
                                                               : 0;
        if (hiera_copying_is_inside(copy, number))
            return TRUE;
    }
    return FALSE;
}

/* Append a call that was just decoded. */
static void put_call(HieraCopying *copy, const HieraInstruction *instruction, const guint8 *bytes)
{
    const cs_insn *raw = copy->flow->decoder->raw;
    const cs_x86_op *relative = hiera_copying_relative(raw);
    if (raw->id == X86_INS_LCALL || raw->detail->x86.op_count != 1)
        hiera_copying_refuse(copy, "the call at " HEX " is not understood", instruction->address);
    else if (raw->detail->x86.operands[0].type == X86_OP_IMM)
        hiera_code_call_far(copy->out, target_of(copy, (guint64)raw->detail->x86.operands[0].imm));
    else if (relative)
        hiera_copying_put_relative(copy, instruction, bytes, relative);
    else
        hiera_code_bytes(copy->out, bytes, instruction->length);
    if (instruction->kind == HIERA_FLOW_STOP) /* if it returns all the same, the original goes on */
        hiera_code_jump_far(copy->out, hiera_copying_offset(copy, instruction->address + instruction->length));
}

/* Most calls are only counted; one of several is timed, which is done aside. */
static void copy_call(HieraCopying *copy, const HieraInstruction *instruction, const guint8 *bytes)
{
    gsize number = (gsize)(instruction - (const HieraInstruction *)(const void *)copy->flow->instructions->data);
    const HieraCodeRoom room = {HIERA_CODE_NO_REGISTER, !copy->live.flags_behind[number]};
    guint site = copy->copies->n_sites++ % HIERA_PLAN_SITES;
    guint32 gap = hiera_code_if_due(copy->out, HIERA_PLAN_CALLS, site, TRUE, &room);
    put_call(copy, instruction, bytes);
    put_aside(copy, (HieraCopiedAside){.behind = behind_here(copy, gap),
                                       .kind = HIERA_PLAN_CALL + site * HIERA_PLAN_SITE,
                                       .number = copy->function,
                                       .call = instruction,
                                       .block = HIERA_NO_NODE,
                                       .room = room});
}

void hiera_copying_put_aside(HieraCopying *copy, const HieraCopiedBehind *behind)
{
    const HieraCopiedAside *aside = (const HieraCopiedAside *)behind;
    HieraInstruction again;
    const HieraInstruction *call = aside->call;
    if (aside->block != HIERA_NO_NODE) {
        hiera_code_if_now(copy->out, behind->gap, copy->points.loops[aside->loop], &aside->room);
        put_begin_of_count(copy, aside->loop, &aside->room);
        hiera_code_jump_to_block(copy->out, copy->flow->blocks->len + aside->block);
        return;
    }
    hiera_code_due(copy->out, behind->gap, aside->kind, aside->number, &aside->room);
    if (call && hiera_decoder_decode(copy->flow->decoder, call->address, &again)) {
        put_call(copy, call, hiera_object_bytes(copy->flow->functions->object, call->address, call->length, NULL));
        if (call->kind == HIERA_FLOW_STOP)
            return;
        hiera_code_event(copy->out, HIERA_PLAN_BACK, copy->function);
    }
    hiera_code_jump_back(copy->out, aside->back);
}

void hiera_copying_put(HieraCopying *copy, const HieraInstruction *instruction)
{
    const guint8 *bytes =
        hiera_object_bytes(copy->flow->functions->object, instruction->address, instruction->length, NULL);
    HieraInstruction again;
    if (!bytes || !hiera_decoder_decode(copy->flow->decoder, instruction->address, &again)) {
        hiera_copying_refuse(copy, "the instruction at " HEX " cannot be decoded", instruction->address);
        return;
    }
    const cs_insn *raw = copy->flow->decoder->raw;
    const HieraVector vector = hiera_x86_vector(bytes, instruction->length);
    const cs_x86_op *relative = vector.length > 0 ? NULL : hiera_copying_relative(raw);
    if (vector.length > 0)
        hiera_copying_put_vector(copy, instruction, bytes, &vector);
    else if (raw->id == X86_INS_XBEGIN)
        hiera_copying_refuse_instruction(copy, instruction, bytes, "is not one that can be moved");
    else if (has_inside_number(copy, raw) && instruction->kind == HIERA_FLOW_ON)
        hiera_copying_refuse_instruction(copy, instruction, bytes,
                                         "has a number that may be an address inside the function");
    else if (raw->id == X86_INS_CALL || raw->id == X86_INS_LCALL)
        copy_call(copy, instruction, bytes);
    else if (relative)
        hiera_copying_put_relative(copy, instruction, bytes, relative);
    else
        hiera_code_bytes(copy->out, bytes, instruction->length);
}

/* --- copying jumps at the end of a block --- */

/* Append a jump to an address of this function or of another one. `from`: the block that ends with this jump. */
static void put_jump(HieraCopying *copy, guint from, guint64 target)
{
    guint to = hiera_copying_block_from(copy, target);
    if (to == HIERA_NO_NODE) {
        put_of_function(copy, HIERA_PLAN_FUNCTION_OUT);
        hiera_code_jump_far(copy->out, target_of(copy, target));
        return;
    }
    guint of_copy = hiera_copying_edge(copy, from, to);
    hiera_copying_put_events(copy, to);
    hiera_code_jump_to_block(copy->out, of_copy);
}

/* Append what leads from the end of a block to the code behind the block: events, or a jump. */
static void put_on(HieraCopying *copy, guint from, gboolean is_last)
{
    guint64 end = hiera_copying_block(copy, from)->end;
    guint to = hiera_copying_block_from(copy, end);
    if (to == HIERA_NO_NODE || to != from + 1 || is_last) {
        put_jump(copy, from, end);
        return;
    }
    hiera_copying_edge(copy, from, to);
    hiera_copying_put_events(copy, to);
}

/* Offset of a jump's opcode behind the prefixes; -1: no known jump, or a prefix that affects more than speed. */
static int opcode_at(const guint8 *bytes, guint length)
{
    guint at = 0;
    while (at < length && (bytes[at] == 0x2e || bytes[at] == 0x3e || bytes[at] == 0xf2))
        at++;
    return at < length && (bytes[at] == 0x0f || (bytes[at] & 0xf0) == 0x70 || (bytes[at] & 0xf0) == 0xe0) ? (int)at
                                                                                                          : -1;
}

int hiera_copying_condition(const guint8 *bytes, guint length)
{
    int at = opcode_at(bytes, length);
    if (at < 0 || (bytes[at] == 0x0f ? (bytes[at + 1] & 0xf0) != 0x80 : (bytes[at] & 0xf0) != 0x70))
        return -1;
    return (bytes[at] == 0x0f ? bytes[at + 1] : bytes[at]) & 0x0f;
}

/* Whether an edge leads to a block of the function and has no events, or some of which one is that a loop ends. */
static gboolean is_quiet_edge(HieraCopying *copy, guint from, guint64 target, guint *to, gboolean *leaves)
{
    *leaves = FALSE;
    *to = hiera_copying_block_from(copy, target);
    if (*to == HIERA_NO_NODE)
        return FALSE;
    *to = hiera_copying_edge(copy, from, *to);
    for (guint i = 0; i < copy->events->len; i++)
        *leaves |= g_array_index(copy->events, HieraPoint, i).kind == HIERA_PLAN_LOOP_OUT;
    gboolean quiet = copy->events->len == 0;
    g_array_set_size(copy->events, 0);
    return quiet;
}

static void branch_out(HieraCopying *copy, guint from, guint64 target, int condition)
{
    const HieraCopiedExit at = {behind_here(copy, hiera_code_branch_over(copy->out, (guint)condition)), from,
                                copy->doubled, target};
    g_array_append_val(copy->exits, at);
}

void hiera_copying_put_exit(HieraCopying *copy, const HieraCopiedBehind *behind)
{
    const HieraCopiedExit *at = (const HieraCopiedExit *)behind;
    hiera_code_here(copy->out, behind->gap);
    copy->doubled = at->doubled;
    put_jump(copy, at->from, at->target);
    copy->doubled = HIERA_NO_NODE;
}

static void copy_branch(HieraCopying *copy, guint from, const HieraInstruction *branch, const guint8 *bytes)
{
    int at = opcode_at(bytes, branch->length), condition = hiera_copying_condition(bytes, branch->length);
    guint to, opcode = at >= 0 ? bytes[at] : 0;
    gboolean leaves;
    if ((opcode & 0xf0) == 0xe0 && opcode <= 0xe3) { /* the instructions loop and jrcxz reach 127 bytes at most */
        const guint8 over[] = {5};
        hiera_code_bytes(copy->out, bytes, branch->length - 1);
        guint32 distance = copy->out->bytes->len;
        hiera_code_bytes(copy->out, over, 1);
        guint32 gap = hiera_code_jump_over(copy->out);
        copy->out->bytes->data[distance] = (guint8)(copy->out->bytes->len - distance - 1);
        put_jump(copy, from, branch->target);
        hiera_code_here(copy->out, gap);
    } else if (condition < 0) {
        hiera_copying_refuse(copy, "the jump at " HEX " is not one that can be moved", branch->address);
    } else if (is_quiet_edge(copy, from, branch->target, &to, &leaves)) {
        hiera_code_branch_to_block(copy->out, (guint)condition, to);
    } else if (leaves) {
        branch_out(copy, from, branch->target, condition);
    } else {
        guint32 gap = hiera_code_branch_over(copy->out, (guint)condition ^ 1);
        put_jump(copy, from, branch->target);
        hiera_code_here(copy->out, gap);
    }
}

static gboolean has_table(const HieraCopying *copy, guint64 jump)
{
    for (guint i = 0; i < copy->flow->table_edges->len; i++)
        if (g_array_index(copy->flow->table_edges, HieraTableEdge, i).from == jump)
            return TRUE;
    return FALSE;
}

void hiera_copying_put_last(HieraCopying *copy, guint block, gboolean is_last)
{
    const HieraInstruction *last = hiera_copying_last(copy, block);
    const guint8 *bytes = hiera_object_bytes(copy->flow->functions->object, last->address, last->length, NULL);
    if (!bytes) {
        hiera_copying_refuse(copy, "the instruction at " HEX " cannot be decoded", last->address);
        return;
    }
    switch ((HieraFlowKind)last->kind) {
    case HIERA_FLOW_JUMP:
        put_jump(copy, block, last->target);
        break;
    case HIERA_FLOW_BRANCH:
        copy_branch(copy, block, last, bytes);
        put_on(copy, block, is_last);
        break;
    case HIERA_FLOW_JUMP_POINTER:
        if (!has_table(copy, last->address))
            put_of_function(copy, HIERA_PLAN_FUNCTION_OUT);
        hiera_copying_put(copy, last);
        break;
    case HIERA_FLOW_RETURN:
        put_of_function(copy, HIERA_PLAN_FUNCTION_OUT);
        hiera_copying_put(copy, last);
        break;
    case HIERA_FLOW_ON:
    case HIERA_FLOW_CALL:
    case HIERA_FLOW_CALL_POINTER:
        hiera_copying_put(copy, last);
        if (last->kind == HIERA_FLOW_ON) /* the rules of .eh_frame behind it apply to the events on the edge, too */
            hiera_copying_add_place(copy, last->address + last->length, 0);
        put_on(copy, block, is_last);
        break;
    case HIERA_FLOW_STOP:
        hiera_copying_put(copy, last);
        break;
    }
}
