/* See copy.h. The copy has the instructions in the order of the original, so that each is where the rules of .eh_frame
 * expect it; what is executed on an edge alone stands there too, and others jump over it. */
#include "copy.h"
#include "frame_rules.h"
#include "points.h"
#include <string.h>

#define HEX "0x%" G_GINT64_MODIFIER "x"

typedef struct {
    HieraCopies *copies;
    HieraCodeOut *out;
    const HieraFlow *flow;
    HieraPoints points;
    guint function, loop;
    guint32 *blocks; /* position of each in the copy */
    GArray *events;  /* HieraPoint, for one place */
    char *reason;    /* why it cannot be copied */
} Copy;

HieraCopies hiera_copies_new(guint64 begin)
{
    static const guint8 pointer[8] = {0};
    HieraCopies copies = {.begin = begin};
    copies.code.bytes = g_byte_array_new();
    copies.code.fixups = g_array_new(FALSE, FALSE, sizeof(HieraPlanFixup));
    copies.code.jumps = g_array_new(FALSE, FALSE, sizeof(HieraCodeJump));
    copies.patches = g_array_new(FALSE, FALSE, sizeof(HieraPlanPatch));
    copies.places = g_array_new(FALSE, FALSE, sizeof(HieraPlanPlace));
    copies.frames = g_byte_array_new();
    copies.frame_fixups = g_array_new(FALSE, FALSE, sizeof(HieraPlanFixup));
    hiera_code_bytes(&copies.code, pointer, sizeof pointer);
    return copies;
}

void hiera_copies_clear(HieraCopies *copies)
{
    g_byte_array_unref(copies->code.bytes);
    g_array_unref(copies->code.fixups);
    g_array_unref(copies->code.jumps);
    g_array_unref(copies->patches);
    g_array_unref(copies->places);
    g_byte_array_unref(copies->frames);
    g_array_unref(copies->frame_fixups);
}

static void G_GNUC_PRINTF(2, 3) refuse(Copy *copy, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!copy->reason)
        copy->reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
}

static const HieraBlock *block_at(const Copy *copy, guint i)
{
    return &g_array_index(copy->flow->blocks, HieraBlock, i);
}

static const HieraInstruction *instruction_at(const Copy *copy, guint i)
{
    return &g_array_index(copy->flow->instructions, HieraInstruction, i);
}

static const HieraInstruction *last_of(const Copy *copy, guint block)
{
    return instruction_at(copy, block_at(copy, block)->first + block_at(copy, block)->n - 1);
}

static guint32 offset_of(const Copy *copy, guint64 address)
{
    return (guint32)(address - copy->copies->begin);
}

static gint64 target_of(const Copy *copy, guint64 address)
{
    return (gint64)(address - copy->copies->begin);
}

/* The block that begins at an address; HIERA_NO_NODE: none of this function. */
static guint block_from(const Copy *copy, guint64 address)
{
    guint block = hiera_flow_block(copy->flow, address);
    return block != HIERA_NO_NODE && block_at(copy, block)->begin == address ? block : HIERA_NO_NODE;
}

/* --- events --- */

/* Instructions that neither need the flags nor change them. */
static gboolean ignores_flags(const cs_insn *raw)
{
    switch (raw->id) {
    case X86_INS_MOV:
    case X86_INS_MOVABS:
    case X86_INS_LEA:
    case X86_INS_MOVZX:
    case X86_INS_MOVSX:
    case X86_INS_MOVSXD:
    case X86_INS_NOP:
        return TRUE;
    default:
        break;
    }
    for (guint i = 0; i < raw->detail->groups_count; i++)
        if ((raw->detail->groups[i] >= X86_GRP_SSE1 && raw->detail->groups[i] <= X86_GRP_SSSE3) ||
            raw->detail->groups[i] == X86_GRP_AVX || raw->detail->groups[i] == X86_GRP_AVX2)
            return raw->detail->regs_write_count == 0;
    return FALSE;
}

/* Instructions that set all flags that others need, without needing them. */
static gboolean sets_flags(const cs_insn *raw)
{
    return raw->id == X86_INS_CMP || raw->id == X86_INS_TEST || raw->id == X86_INS_ADD || raw->id == X86_INS_SUB ||
           raw->id == X86_INS_AND || raw->id == X86_INS_OR || raw->id == X86_INS_XOR;
}

/* Whether a block may need the flags that it is entered with. Functions get none, and return none. */
static gboolean needs_flags(const Copy *copy, guint block)
{
    const HieraBlock *of = block_at(copy, block);
    for (guint i = 0; i < of->n; i++) {
        const HieraInstruction *instruction = instruction_at(copy, of->first + i);
        HieraInstruction again;
        if (instruction->kind == HIERA_FLOW_CALL || instruction->kind == HIERA_FLOW_RETURN)
            return FALSE;
        if (instruction->kind != HIERA_FLOW_ON ||
            !hiera_decoder_decode(copy->flow->decoder, instruction->address, &again))
            return TRUE;
        if (sets_flags(copy->flow->decoder->raw))
            return FALSE;
        if (!ignores_flags(copy->flow->decoder->raw))
            return TRUE;
    }
    return TRUE;
}

/* Write the events that were collected. @param to  the block that comes next */
static void put_events(Copy *copy, guint to)
{
    for (guint i = 0; i < copy->events->len; i++) {
        const HieraPoint *point = &g_array_index(copy->events, HieraPoint, i);
        if (point->kind == HIERA_POINT_NEXT)
            hiera_code_count(copy->out, copy->loop + point->loop, needs_flags(copy, to));
        else
            hiera_code_event(copy->out, point->kind,
                             point->kind >= HIERA_PLAN_LOOP_IN ? copy->loop + point->loop : copy->function);
    }
    g_array_set_size(copy->events, 0);
}

static void put_of_function(Copy *copy, HieraPlanEvent kind)
{
    hiera_code_event(copy->out, kind, copy->function);
}

/* --- instructions --- */

/* The operand that is relative to the instruction's own address; NULL: there is none. */
static const cs_x86_op *relative_operand(const cs_insn *raw)
{
    const cs_x86 *x86 = &raw->detail->x86;
    for (guint i = 0; i < x86->op_count; i++)
        if (x86->operands[i].type == X86_OP_MEM &&
            (x86->operands[i].mem.base == X86_REG_RIP || x86->operands[i].mem.base == X86_REG_EIP))
            return &x86->operands[i];
    return NULL;
}

/* Copy an instruction with an operand that is relative to its address. Its distance is in the four bytes behind a ModRM
 * byte that says so; that Capstone and the bytes agree is checked. */
static void copy_relative(Copy *copy, const HieraInstruction *instruction, const guint8 *bytes,
                          const cs_x86_op *operand)
{
    const cs_insn *raw = copy->flow->decoder->raw;
    guint at = raw->detail->x86.encoding.disp_offset;
    gint32 distance = 0;
    guint64 target = instruction->address + instruction->length + (guint64)operand->mem.disp;
    if (at > 0 && at + 4 <= instruction->length)
        memcpy(&distance, bytes + at, sizeof distance);
    if (operand->mem.base != X86_REG_RIP || at < 2 || at + 4 > instruction->length || (bytes[at - 1] & 0xc7) != 5 ||
        GINT32_FROM_LE(distance) != operand->mem.disp) {
        refuse(copy, "the instruction at " HEX " has an operand that is not understood", instruction->address);
        return;
    }
    if (hiera_function_has(copy->flow->function, target) && target != copy->flow->function->address)
        refuse(copy, "the instruction at " HEX " takes an address inside the function", instruction->address);
    guint32 begin = copy->out->bytes->len;
    hiera_code_bytes(copy->out, bytes, instruction->length);
    const HieraPlanFixup fixup = {HIERA_PLAN_FILE_32, begin + at, begin + instruction->length,
                                  (gint32)target_of(copy, target)};
    g_array_append_val(copy->out->fixups, fixup);
}

/* An immediate number that may be an address inside the function, in a file that is loaded at its addresses. */
static gboolean has_inside_number(const Copy *copy, const cs_insn *raw)
{
    const cs_x86 *x86 = &raw->detail->x86;
    for (guint i = 0; copy->flow->functions->object->is_fixed && i < x86->op_count; i++) {
        guint64 number = x86->operands[i].type == X86_OP_IMM   ? (guint64)x86->operands[i].imm
                         : x86->operands[i].type == X86_OP_MEM ? (guint64)x86->operands[i].mem.disp
                                                               : 0;
        if (number != copy->flow->function->address && hiera_function_has(copy->flow->function, number))
            return TRUE;
    }
    return FALSE;
}

static gboolean is_call(guint id)
{
    return id == X86_INS_CALL || id == X86_INS_LCALL;
}

static void copy_call(Copy *copy, const HieraInstruction *instruction, const guint8 *bytes)
{
    const cs_insn *raw = copy->flow->decoder->raw;
    static const guint8 trap[] = {0x0f, 0x0b};
    const cs_x86_op *relative = relative_operand(raw);
    put_of_function(copy, HIERA_PLAN_CALL);
    if (raw->id == X86_INS_LCALL || raw->detail->x86.op_count != 1)
        refuse(copy, "the call at " HEX " is not understood", instruction->address);
    else if (raw->detail->x86.operands[0].type == X86_OP_IMM)
        hiera_code_call_far(copy->out, target_of(copy, (guint64)raw->detail->x86.operands[0].imm));
    else if (relative)
        copy_relative(copy, instruction, bytes, relative);
    else
        hiera_code_bytes(copy->out, bytes, instruction->length);
    if (instruction->kind == HIERA_FLOW_STOP) /* the address behind the call is the function's, too */
        hiera_code_bytes(copy->out, trap, sizeof trap);
    else
        put_of_function(copy, HIERA_PLAN_BACK);
}

static void add_place(Copy *copy, const HieraInstruction *instruction)
{
    const HieraPlanPlace place = {copy->out->bytes->len, offset_of(copy, instruction->address), instruction->length};
    g_array_append_val(copy->copies->places, place);
}

/* Copy an instruction that does not jump. */
static void copy_plain(Copy *copy, const HieraInstruction *instruction)
{
    const guint8 *bytes =
        hiera_object_bytes(copy->flow->functions->object, instruction->address, instruction->length, NULL);
    HieraInstruction again;
    if (!bytes || !hiera_decoder_decode(copy->flow->decoder, instruction->address, &again)) {
        refuse(copy, "the instruction at " HEX " cannot be decoded", instruction->address);
        return;
    }
    const cs_insn *raw = copy->flow->decoder->raw;
    const cs_x86_op *relative = raw->id == X86_INS_INVALID ? NULL : relative_operand(raw);
    if (raw->id == X86_INS_INVALID || raw->id == X86_INS_XBEGIN)
        refuse(copy, "the instruction at " HEX " is not one that can be moved", instruction->address);
    else if (has_inside_number(copy, raw) && instruction->kind == HIERA_FLOW_ON)
        refuse(copy, "the instruction at " HEX " has a number that may be an address inside the function",
               instruction->address);
    else if (is_call(raw->id))
        copy_call(copy, instruction, bytes);
    else if (relative)
        copy_relative(copy, instruction, bytes, relative);
    else
        hiera_code_bytes(copy->out, bytes, instruction->length);
}

/* --- jumps --- */

/* Go to an address: of the function, or of another one. `from`: the block that ends so. */
static void put_jump(Copy *copy, guint from, guint64 target)
{
    guint to = block_from(copy, target);
    if (to == HIERA_NO_NODE) {
        put_of_function(copy, HIERA_PLAN_FUNCTION_OUT);
        hiera_code_jump_far(copy->out, target_of(copy, target));
        return;
    }
    hiera_points_edge(&copy->points, from, to, copy->events);
    put_events(copy, to);
    hiera_code_jump_to_block(copy->out, to);
}

/* Go on to the code behind a block. */
static void put_on(Copy *copy, guint from, gboolean is_last)
{
    guint64 end = block_at(copy, from)->end;
    guint to = block_from(copy, end);
    if (to == HIERA_NO_NODE || to != from + 1 || is_last) {
        put_jump(copy, from, end);
        return;
    }
    hiera_points_edge(&copy->points, from, to, copy->events);
    put_events(copy, to);
}

/* The opcode of a jump behind its prefixes; -1: it has one that changes more than the speed. */
static int opcode_at(const guint8 *bytes, guint length)
{
    guint at = 0;
    while (at < length && (bytes[at] == 0x2e || bytes[at] == 0x3e || bytes[at] == 0xf2))
        at++;
    return at < length && (bytes[at] == 0x0f || (bytes[at] & 0xf0) == 0x70 || (bytes[at] & 0xf0) == 0xe0) ? (int)at
                                                                                                          : -1;
}

/* Is there something to be done on the edge, or does it leave the function? */
static gboolean is_quiet_edge(Copy *copy, guint from, guint64 target, guint *to)
{
    *to = block_from(copy, target);
    if (*to == HIERA_NO_NODE)
        return FALSE;
    hiera_points_edge(&copy->points, from, *to, copy->events);
    gboolean quiet = copy->events->len == 0;
    g_array_set_size(copy->events, 0);
    return quiet;
}

static void copy_branch(Copy *copy, guint from, const HieraInstruction *branch, const guint8 *bytes)
{
    int at = opcode_at(bytes, branch->length);
    guint to, opcode = at >= 0 ? bytes[at] : 0;
    gboolean is_near = opcode == 0x0f && (bytes[at + 1] & 0xf0) == 0x80;
    guint condition = is_near ? bytes[at + 1] & 0x0f : opcode & 0x0f;
    if (at < 0 || (opcode == 0x0f && !is_near)) {
        refuse(copy, "the jump at " HEX " is not one that can be moved", branch->address);
    } else if ((opcode & 0xf0) == 0xe0) { /* loop, jrcxz: they jump 127 bytes at most */
        if (opcode > 0xe3) {
            refuse(copy, "the jump at " HEX " is not one that can be moved", branch->address);
            return;
        }
        const guint8 over[] = {5};
        hiera_code_bytes(copy->out, bytes, branch->length - 1);
        guint32 distance = copy->out->bytes->len;
        hiera_code_bytes(copy->out, over, 1);
        guint32 gap = hiera_code_jump_over(copy->out);
        copy->out->bytes->data[distance] = (guint8)(copy->out->bytes->len - distance - 1);
        put_jump(copy, from, branch->target);
        hiera_code_here(copy->out, gap);
    } else if (is_quiet_edge(copy, from, branch->target, &to)) {
        hiera_code_branch_to_block(copy->out, condition, to);
    } else {
        guint32 gap = hiera_code_branch_over(copy->out, condition ^ 1);
        put_jump(copy, from, branch->target);
        hiera_code_here(copy->out, gap);
    }
}

static gboolean has_table(const Copy *copy, guint64 jump)
{
    for (guint i = 0; i < copy->flow->table_edges->len; i++)
        if (g_array_index(copy->flow->table_edges, HieraTableEdge, i).from == jump)
            return TRUE;
    return FALSE;
}

/* The end of a block. */
static void copy_last(Copy *copy, guint block, gboolean is_last)
{
    const HieraInstruction *last = last_of(copy, block);
    const guint8 *bytes = hiera_object_bytes(copy->flow->functions->object, last->address, last->length, NULL);
    if (!bytes) {
        refuse(copy, "the instruction at " HEX " cannot be decoded", last->address);
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
        copy_plain(copy, last);
        break;
    case HIERA_FLOW_RETURN:
        put_of_function(copy, HIERA_PLAN_FUNCTION_OUT);
        copy_plain(copy, last);
        break;
    case HIERA_FLOW_ON:
    case HIERA_FLOW_CALL:
    case HIERA_FLOW_CALL_POINTER:
        copy_plain(copy, last);
        put_on(copy, block, is_last);
        break;
    case HIERA_FLOW_STOP:
        copy_plain(copy, last);
        break;
    }
}

/* --- blocks --- */

static gboolean falls_through(const Copy *copy, guint block)
{
    guint kind = last_of(copy, block)->kind;
    return (kind == HIERA_FLOW_ON || kind == HIERA_FLOW_BRANCH || kind == HIERA_FLOW_CALL ||
            kind == HIERA_FLOW_CALL_POINTER) &&
           block_at(copy, block)->end == block_at(copy, block + 1)->begin;
}

static void add_patch(Copy *copy, guint64 address, guint32 at)
{
    const HieraPlanPatch patch = {offset_of(copy, address), at};
    g_array_append_val(copy->copies->patches, patch);
}

static gboolean is_header(const Copy *copy, guint block)
{
    for (guint i = 0; i < copy->flow->loops->len; i++)
        if (((const HieraLoop *)copy->flow->loops->pdata[i])->header == block)
            return TRUE;
    return FALSE;
}

/* Where tables of jumps lead: the tables are left as they are, so the original is redirected there. */
static void put_landing(Copy *copy, guint block)
{
    hiera_points_landing(&copy->points, block, copy->events);
    if (copy->events->len == 0)
        return;
    gboolean falls = block > 0 && falls_through(copy, block - 1);
    guint32 gap = falls ? hiera_code_jump_over(copy->out) : 0;
    add_patch(copy, block_at(copy, block)->begin, copy->out->bytes->len);
    put_events(copy, block);
    if (falls)
        hiera_code_here(copy->out, gap);
}

static void copy_block(Copy *copy, guint block)
{
    const HieraBlock *of = block_at(copy, block);
    gboolean is_landing = hiera_points_is_landing(&copy->points, block);
    guint n = copy->copies->patches->len;
    if (is_landing)
        put_landing(copy, block);
    /* The processor decodes a loop as fast as before. */
    if (is_header(copy, block))
        hiera_code_align(copy->out, of->begin);
    copy->blocks[block] = copy->out->bytes->len;
    if (is_landing && copy->copies->patches->len == n)
        add_patch(copy, of->begin, copy->out->bytes->len);
    for (guint i = 0; i < of->n && !copy->reason; i++) {
        add_place(copy, instruction_at(copy, of->first + i));
        if (i + 1 < of->n)
            copy_plain(copy, instruction_at(copy, of->first + i));
        else
            copy_last(copy, block, block + 1 == copy->flow->blocks->len);
    }
}

static void land_jumps(Copy *copy)
{
    for (guint i = 0; i < copy->out->jumps->len; i++) {
        const HieraCodeJump *jump = &g_array_index(copy->out->jumps, HieraCodeJump, i);
        gint32 distance = GINT32_TO_LE((gint32)(copy->blocks[jump->block] - (jump->at + 4)));
        memcpy(copy->out->bytes->data + jump->at, &distance, sizeof distance);
    }
    g_array_set_size(copy->out->jumps, 0);
}

/* --- frames --- */

/* What is at an address of the original, or behind it. Places of a range are in the order of their addresses. */
typedef struct {
    const HieraPlanPlace *places;
    guint n;
    guint32 end, begin_of_file;
    guint64 begin;
} RangeMap;

static guint32 find_copy(guint64 address, gconstpointer data)
{
    const RangeMap *map = data;
    guint32 offset = (guint32)(address - map->begin);
    for (guint i = 0; i < map->n; i++)
        if (map->places[i].offset >= offset)
            return map->places[i].copy;
    return map->end;
}

/* Whether the tables of frames have a description of the code at an address. */
static gboolean is_described(const Copy *copy, guint64 address)
{
    const GArray *frames = copy->flow->functions->object->frames;
    for (guint i = 0; i < frames->len; i++) {
        const HieraSymbol *frame = &g_array_index(frames, HieraSymbol, i);
        if (address >= frame->address && address - frame->address < frame->size)
            return TRUE;
    }
    return FALSE;
}

/* @param first  its first place */
static void copy_frame(Copy *copy, const HieraCodeRange *range, guint32 begin, guint first)
{
    HieraCopies *copies = copy->copies;
    HieraFrameRules rules;
    const RangeMap map = {&g_array_index(copies->places, HieraPlanPlace, first), copies->places->len - first,
                          copy->out->bytes->len, 0, copies->begin};
    guint32 address = 0;
    if (copy->reason)
        return;
    if (!hiera_frame_rules_find(copy->flow->functions->object, range->begin, &rules)) {
        if (is_described(copy, range->begin)) /* else no exception gets through the original either */
            refuse(copy, "its description in .eh_frame is not understood");
        return;
    }
    if (rules.has_landing_pads)
        refuse(copy, "it catches exceptions, or destroys objects when they pass");
    else if (rules.is_odd || rules.begin != range->begin || rules.end < range->end ||
             !hiera_frame_rules_copy(&rules, begin, copy->out->bytes->len, find_copy, &map, copies->frames, &address))
        refuse(copy, "its description in .eh_frame is not understood");
    const HieraPlanFixup fixup = {HIERA_PLAN_AREA_64, address, 0, (gint32)begin};
    g_array_append_val(copies->frame_fixups, fixup);
}

/* --- the function --- */

static guint range_of(const Copy *copy, guint block)
{
    const GArray *ranges = copy->flow->function->ranges;
    guint i = 0;
    while (i < ranges->len && (block_at(copy, block)->begin < g_array_index(ranges, HieraCodeRange, i).begin ||
                               block_at(copy, block)->begin >= g_array_index(ranges, HieraCodeRange, i).end))
        i++;
    return i;
}

static void copy_ranges(Copy *copy)
{
    const GArray *ranges = copy->flow->function->ranges;
    for (guint block = 0; block < copy->flow->blocks->len && !copy->reason;) {
        guint range = range_of(copy, block), first = copy->copies->places->len;
        guint32 begin = copy->out->bytes->len;
        if (block == 0) {
            hiera_points_entry(&copy->points, copy->events);
            put_events(copy, 0);
        }
        for (; block < copy->flow->blocks->len && range_of(copy, block) == range && !copy->reason; block++)
            copy_block(copy, block);
        if (range < ranges->len)
            copy_frame(copy, &g_array_index(ranges, HieraCodeRange, range), begin, first);
    }
}

/* The entry is redirected behind an instruction that marks it as the target of calls. */
static void redirect_entry(Copy *copy, guint32 begin)
{
    static const guint8 mark[] = {0xf3, 0x0f, 0x1e, 0xfa}; /* endbr64 */
    guint64 address = copy->flow->function->address;
    const guint8 *bytes = hiera_object_bytes(copy->flow->functions->object, address, sizeof mark, NULL);
    gboolean is_marked = bytes && memcmp(bytes, mark, sizeof mark) == 0;
    add_patch(copy, address + (is_marked ? sizeof mark : 0), begin);
}

HieraCopiesMark hiera_copies_mark(const HieraCopies *copies)
{
    return (HieraCopiesMark){copies->code.bytes->len, copies->code.fixups->len, copies->patches->len,
                             copies->places->len,     copies->frames->len,      copies->frame_fixups->len};
}

void hiera_copies_cut(HieraCopies *copies, const HieraCopiesMark *mark)
{
    g_byte_array_set_size(copies->code.bytes, mark->n_bytes);
    g_array_set_size(copies->code.fixups, mark->n_fixups);
    g_array_set_size(copies->patches, mark->n_patches);
    g_array_set_size(copies->places, mark->n_places);
    g_byte_array_set_size(copies->frames, mark->n_frames);
    g_array_set_size(copies->frame_fixups, mark->n_frame_fixups);
}

char *hiera_copies_add(HieraCopies *copies, const HieraFlow *flow, guint function, guint loop, guint depth)
{
    HieraCopiesMark mark = hiera_copies_mark(copies);
    Copy copy = {copies, &copies->code, flow, hiera_points_of(flow, depth), function, loop, NULL, NULL, NULL};
    copy.blocks = g_new0(guint32, flow->blocks->len);
    copy.events = g_array_new(FALSE, FALSE, sizeof(HieraPoint));
    hiera_code_align(copy.out, (mark.n_bytes + 63) & ~63u);
    redirect_entry(&copy, copies->code.bytes->len);
    copy_ranges(&copy);
    if (!copy.reason)
        land_jumps(&copy);
    g_array_set_size(copies->code.jumps, 0);
    if (copy.reason)
        hiera_copies_cut(copies, &mark);
    g_array_unref(copy.events);
    g_free(copy.blocks);
    hiera_points_clear(&copy.points);
    return copy.reason;
}
