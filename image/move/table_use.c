/* Which tables of jumps a copy may have anew: those whose address goes nowhere but into their jumps. Follows what is in
 * each register on all paths. The address of a table has no name in the source, so nothing but an instruction of the
 * function itself can use it: what is left in registers where it calls, or returns, means nothing to others. */
#include "copying.h"
#include "image/flow/jump_values.h"
#include "steps.h"
#include <string.h>

enum { REGISTERS = 16, ELEMENT = 4 };

/* What a register has: nothing known to be of a table; different things on different paths; or, of a table, its
 * address, an element before and after it is extended to 8 bytes, their sum. 0: no path is known yet. */
typedef enum { NO_PATH, PLAIN, MIXED, ADDRESS, LOADED, EXTENDED, TARGET, KINDS } Kind;
typedef struct {
    guint8 kind;
    guint table;
} Content;

typedef struct {
    const HieraFlow *flow;
    GArray *tables;    /* HieraCopiedTable */
    Content *contents; /* REGISTERS for each block, as it begins */
    gboolean is_sure;  /* nothing was found that may depend on where a table is */
} Search;

static Content content(Kind kind, guint table)
{
    return (Content){(guint8)kind, table};
}

static gboolean is_of_table(Content is)
{
    return is.kind > PLAIN;
}

/* The table at an address; G_MAXUINT: none. */
static guint table_at(const GArray *tables, guint64 address)
{
    for (guint i = 0; i < tables->len; i++)
        if (g_array_index(tables, HieraCopiedTable, i).address == address)
            return i;
    return G_MAXUINT;
}

static const HieraPointerJump *jump_at(const HieraFlow *flow, guint64 address)
{
    for (guint i = 0; i < flow->pointer_jumps->len; i++)
        if (g_array_index(flow->pointer_jumps, HieraPointerJump, i).address == address)
            return &g_array_index(flow->pointer_jumps, HieraPointerJump, i);
    return NULL;
}

/* Add the table of a jump. @return  whether it is of the kind that compilers make for code at any address, all of whose
 * elements lead to blocks */
static gboolean add_table(const HieraFlow *flow, GArray *tables, const HieraPointerJump *jump)
{
    const HieraJumpValue *value = &jump->value;
    HieraCopiedTable table = {value->number, jump->n, 0};
    const guint8 *bytes = hiera_object_bytes(flow->functions->object, table.address, (gsize)jump->n * ELEMENT, NULL);
    if (value->kind != HIERA_VALUE_SUM || value->size != ELEMENT || value->shift != 0 || !value->is_signed ||
        value->base != value->number || jump->n == 0 || !bytes)
        return FALSE;
    for (guint i = 0; i < jump->n; i++) {
        gint32 element;
        memcpy(&element, bytes + i * ELEMENT, sizeof element);
        guint64 target = table.address + (guint64)(gint64)GINT32_FROM_LE(element);
        guint block = hiera_flow_block(flow, target);
        if (block == HIERA_NO_NODE || g_array_index(flow->blocks, HieraBlock, block).begin != target)
            return FALSE;
    }
    guint same = table_at(tables, table.address);
    if (same == G_MAXUINT)
        g_array_append_val(tables, table);
    else
        g_array_index(tables, HieraCopiedTable, same).n = MAX(table.n, g_array_index(tables, HieraCopiedTable, same).n);
    return TRUE;
}

/* --- what instructions do --- */

/* If an instruction has the address of a table, that must be all that it does. @return  whether it has */
static gboolean take_address(Search *search, const HieraInstruction *instruction, Content *contents)
{
    const cs_insn *raw = search->flow->decoder->raw;
    const cs_x86 *x86 = &raw->detail->x86;
    for (guint i = 0; i < x86->op_count; i++) {
        const cs_x86_op *operand = &x86->operands[i];
        guint64 address = operand->type == X86_OP_IMM   ? (guint64)operand->imm
                          : operand->type == X86_OP_MEM ? (guint64)operand->mem.disp
                                                        : 0;
        if (operand->type == X86_OP_MEM && operand->mem.base == X86_REG_RIP)
            address += instruction->address + instruction->length;
        guint table = table_at(search->tables, address);
        if (table == G_MAXUINT)
            continue;
        int to = hiera_steps_register(x86->operands[0].reg);
        gboolean is_good = raw->id == X86_INS_LEA && i == 1 && operand->mem.base == X86_REG_RIP &&
                           operand->mem.index == X86_REG_INVALID && x86->operands[0].size == 8 && to >= 0;
        search->is_sure &= is_good;
        if (is_good)
            contents[to] = content(ADDRESS, table);
        return is_good;
    }
    return FALSE;
}

/* Whether an instruction loads an element of a table: the address is that of the table plus something else. */
static gboolean load_element(const cs_insn *raw, Content *contents)
{
    const cs_x86 *x86 = &raw->detail->x86;
    const x86_op_mem *from = &x86->operands[1].mem;
    if ((raw->id != X86_INS_MOVSXD && raw->id != X86_INS_MOV) || x86->op_count != 2 ||
        x86->operands[0].type != X86_OP_REG || x86->operands[1].type != X86_OP_MEM ||
        x86->operands[1].size != ELEMENT || from->disp != 0 || from->segment != X86_REG_INVALID)
        return FALSE;
    int base = hiera_steps_register(from->base), index = hiera_steps_register(from->index);
    int to = hiera_steps_register(x86->operands[0].reg);
    if (base < 0 || index < 0 || to < 0)
        return FALSE;
    if (contents[index].kind == ADDRESS && from->scale == 1) { /* the two are the same then */
        int other = base;
        base = index;
        index = other;
    }
    if (contents[base].kind != ADDRESS || is_of_table(contents[index]))
        return FALSE;
    contents[to] = content(raw->id == X86_INS_MOV ? LOADED : EXTENDED, contents[base].table);
    return TRUE;
}

/* Whether an instruction extends an element, or adds it to the address of its table. */
static gboolean compute_target(const cs_insn *raw, Content *contents)
{
    const cs_x86 *x86 = &raw->detail->x86;
    gboolean is_pair = x86->op_count == 2 && x86->operands[0].type == X86_OP_REG && x86->operands[1].type == X86_OP_REG;
    int to = is_pair ? hiera_steps_register(x86->operands[0].reg) : 0;
    int from = is_pair ? hiera_steps_register(x86->operands[1].reg) : 0;
    if (to < 0 || from < 0)
        return FALSE;
    if (raw->id == X86_INS_CDQE || (is_pair && raw->id == X86_INS_MOVSXD)) {
        if (contents[from].kind != LOADED)
            return FALSE;
        contents[to] = content(EXTENDED, contents[from].table);
        return TRUE;
    }
    if (raw->id != X86_INS_ADD || !is_pair || x86->operands[0].size != 8 ||
        contents[to].table != contents[from].table ||
        !((contents[to].kind == ADDRESS && contents[from].kind == EXTENDED) ||
          (contents[to].kind == EXTENDED && contents[from].kind == ADDRESS)))
        return FALSE;
    contents[to] = content(TARGET, contents[to].table);
    return TRUE;
}

static void pass_other(Search *search, Content *contents)
{
    HieraUse use = hiera_live_use(search->flow->decoder->raw);
    for (guint i = 0; i < REGISTERS; i++) {
        if ((use.reads >> i & 1) != 0 && is_of_table(contents[i]))
            search->is_sure = FALSE;
        if ((use.writes >> i & 1) != 0)
            contents[i] = content(PLAIN, 0);
    }
}

/* A jump to a pointer: by the table that it should be, or by none. Of a call, likewise. */
static void pass_pointer(Search *search, const HieraInstruction *instruction, const Content *contents)
{
    const cs_x86 *x86 = &search->flow->decoder->raw->detail->x86;
    const cs_x86_op *to = &x86->operands[0];
    const HieraPointerJump *jump = jump_at(search->flow, instruction->address);
    int reg = to->type == X86_OP_REG ? hiera_steps_register(to->reg) : -1;
    if (jump && !jump->leaves) {
        search->is_sure &= reg >= 0 && contents[reg].kind == TARGET &&
                           contents[reg].table == table_at(search->tables, jump->value.number);
        return;
    }
    int base = to->type == X86_OP_MEM ? hiera_steps_register(to->mem.base) : reg;
    int index = to->type == X86_OP_MEM ? hiera_steps_register(to->mem.index) : -1;
    search->is_sure &= (base < 0 || !is_of_table(contents[base])) && (index < 0 || !is_of_table(contents[index]));
}

/* --- paths --- */

/* Add what registers have on a path to a block. @return  whether that is new */
static gboolean join(Search *search, guint block, const Content *contents)
{
    gboolean is_new = FALSE;
    for (guint i = 0; i < REGISTERS; i++) {
        Content *to = &search->contents[block * REGISTERS + i], old = *to;
        if (old.kind == NO_PATH)
            *to = contents[i];
        else if (old.kind != contents[i].kind || (old.kind > MIXED && old.table != contents[i].table))
            *to = content(MIXED, 0);
        is_new |= to->kind != old.kind;
    }
    return is_new;
}

/* A call may change registers, and an exception may lead from there to a landing pad. */
static gboolean pass_call(Search *search, guint64 call, Content *contents)
{
    gboolean is_new = FALSE;
    for (guint i = 0; i < REGISTERS; i++)
        if ((hiera_x86_registers.changed >> i & 1) != 0)
            contents[i] = content(PLAIN, 0);
    for (guint i = 0; i < search->flow->landing_edges->len; i++) {
        const HieraTableEdge *edge = &g_array_index(search->flow->landing_edges, HieraTableEdge, i);
        if (edge->from == call)
            is_new |= join(search, hiera_flow_block(search->flow, edge->to), contents);
    }
    return is_new;
}

/* Pass through a block. @return  whether something new is known of another one */
static gboolean pass_block(Search *search, guint block)
{
    const HieraFlow *flow = search->flow;
    const HieraBlock *of = &g_array_index(flow->blocks, HieraBlock, block);
    Content contents[REGISTERS];
    gboolean is_new = FALSE;
    memcpy(contents, &search->contents[block * REGISTERS], sizeof contents);
    if (contents[0].kind == NO_PATH)
        return FALSE;
    for (guint i = 0; i < of->n; i++) {
        const HieraInstruction *instruction = &g_array_index(flow->instructions, HieraInstruction, of->first + i);
        HieraInstruction again;
        const cs_insn *raw = flow->decoder->raw;
        gboolean calls = instruction->kind == HIERA_FLOW_CALL || instruction->kind == HIERA_FLOW_CALL_POINTER;
        if (!hiera_decoder_decode(flow->decoder, instruction->address, &again))
            search->is_sure = FALSE;
        else if (calls || instruction->kind == HIERA_FLOW_JUMP_POINTER)
            pass_pointer(search, instruction, contents);
        else if ((instruction->kind == HIERA_FLOW_ON || instruction->kind == HIERA_FLOW_BRANCH) &&
                 (raw->id == 0 || (!take_address(search, instruction, contents) && !load_element(raw, contents) &&
                                   !compute_target(raw, contents))))
            pass_other(search, contents);
        if (calls || instruction->kind == HIERA_FLOW_STOP)
            is_new |= pass_call(search, instruction->address, contents);
    }
    for (guint i = flow->graph->next.first[block]; i < flow->graph->next.first[block + 1]; i++)
        is_new |= join(search, flow->graph->next.nodes[i], contents);
    return is_new;
}

GArray *hiera_tables_find(const HieraFlow *flow)
{
    guint n = flow->blocks->len;
    Search search = {flow, g_array_new(FALSE, FALSE, sizeof(HieraCopiedTable)), g_new0(Content, n * REGISTERS), TRUE};
    Content begin[REGISTERS];
    for (guint i = 0; i < flow->pointer_jumps->len && search.is_sure; i++) {
        const HieraPointerJump *jump = &g_array_index(flow->pointer_jumps, HieraPointerJump, i);
        search.is_sure = jump->leaves || add_table(flow, search.tables, jump);
    }
    for (guint i = 0; i < REGISTERS; i++)
        begin[i] = content(PLAIN, 0);
    if (search.tables->len > 0)
        join(&search, 0, begin);
    for (gboolean goes_on = search.tables->len > 0; goes_on && search.is_sure;) {
        goes_on = FALSE;
        for (guint i = 0; i < n; i++)
            goes_on |= pass_block(&search, i);
    }
    if (!search.is_sure)
        g_array_set_size(search.tables, 0);
    g_free(search.contents);
    return search.tables;
}
