/* Ways into a copy from the original: its entry, and the targets of tables of jumps. See copying.h. */
#include "copying.h"
#include <string.h>

void hiera_copying_add_patch(HieraCopying *copy, guint64 address)
{
    const HieraPlanPatch patch = {hiera_copying_offset(copy, address), copy->out->bytes->len};
    g_array_append_val(copy->copies->patches, patch);
}

/* --- the entry: most calls of a function that is called often are led back into the original --- */

guint64 hiera_copying_entry(const HieraCopying *copy)
{
    static const guint8 mark[] = {0xf3, 0x0f, 0x1e, 0xfa}; /* endbr64 */
    guint64 address = copy->flow->function->address;
    const guint8 *bytes = hiera_object_bytes(copy->flow->functions->object, address, sizeof mark, NULL);
    return address + (bytes && memcmp(bytes, mark, sizeof mark) == 0 ? sizeof mark : 0);
}

/* Whether the original may come to a jump into the copy on its own way: at its entry, or behind a table. */
static gboolean comes_back(const HieraCopying *copy)
{
    guint64 entry = hiera_copying_entry(copy);
    for (guint i = 0; i < copy->flow->instructions->len; i++) {
        const HieraInstruction *jump = hiera_copying_instruction(copy, i);
        if ((jump->kind == HIERA_FLOW_JUMP || jump->kind == HIERA_FLOW_BRANCH) &&
            (jump->target == entry || jump->target == copy->flow->function->address))
            return TRUE;
    }
    return copy->flow->table_edges->len > 0 && copy->tables->len == 0;
}

/* Number of instructions from `first`, that at the entry, over which the jump to the copy is written; 0: they cannot be
 * executed elsewhere. */
static guint count_replaced(const HieraCopying *copy, guint first)
{
    guint64 entry = hiera_copying_entry(copy), at = entry;
    guint n = 0;
    while (at < entry + HIERA_PLAN_JUMP && first + n < copy->flow->instructions->len) {
        const HieraInstruction *next = hiera_copying_instruction(copy, first + n);
        if (next->address != at || (next->kind != HIERA_FLOW_ON && next->kind != HIERA_FLOW_BRANCH))
            return 0;
        at += next->length;
        n++;
    }
    return at >= entry + HIERA_PLAN_JUMP ? n : 0;
}

/* Write a conditional jump as one into the original. @return  whether that is possible */
static gboolean put_branch(HieraCopying *copy, const HieraInstruction *branch)
{
    const guint8 *bytes = hiera_object_bytes(copy->flow->functions->object, branch->address, branch->length, NULL);
    int condition = bytes ? hiera_copying_condition(bytes, branch->length) : -1;
    if (condition >= 0)
        hiera_code_branch_far(copy->out, (guint)condition, (gint64)(branch->target - copy->copies->begin));
    return condition >= 0;
}

/* A function that returns within the bytes of the jump to the copy, or jumps to another one, has no way back into the
 * original: all of its calls would be timed, and take some hundred times as long. */
static gboolean returns_at_once(const HieraCopying *copy, guint first)
{
    guint64 entry = hiera_copying_entry(copy);
    for (guint i = first; i < copy->flow->instructions->len; i++) {
        const HieraInstruction *instruction = hiera_copying_instruction(copy, i);
        if (instruction->address < entry || instruction->address >= entry + HIERA_PLAN_JUMP)
            return FALSE;
        if (instruction->kind == HIERA_FLOW_RETURN || instruction->kind == HIERA_FLOW_JUMP_POINTER ||
            (instruction->kind == HIERA_FLOW_JUMP && !hiera_copying_is_inside(copy, instruction->target)))
            return TRUE;
    }
    return FALSE;
}

void hiera_copying_put_gate(HieraCopying *copy)
{
    const HieraBlock *block = hiera_copying_block(copy, 0);
    guint first = block->first + (hiera_copying_entry(copy) > block->begin), n = count_replaced(copy, first);
    if (returns_at_once(copy, first))
        hiera_copying_refuse(copy,
                             "it is too short: it returns, or jumps on, within %d bytes, and a timer takes longer",
                             HIERA_PLAN_JUMP);
    if (n == 0 || block->begin != copy->flow->function->address || comes_back(copy) ||
        (copy->live.blocks[0] & HIERA_LIVE_FLAGS) != 0)
        return;
    HieraCopiesMark mark = hiera_copies_mark(copy->copies);
    gboolean is_good = TRUE;
    hiera_copying_add_place(copy, block->begin, 0);
    guint32 gap = hiera_code_if_open(copy->out, copy->function);
    copy->stays = TRUE;
    for (guint i = first; i < first + n && is_good && !copy->reason; i++) {
        const HieraInstruction *instruction = hiera_copying_instruction(copy, i);
        hiera_copying_add_place(copy, instruction->address, instruction->length);
        if (instruction->kind == HIERA_FLOW_BRANCH)
            is_good = put_branch(copy, instruction);
        else
            hiera_copying_put(copy, instruction);
    }
    copy->stays = FALSE;
    const HieraInstruction *last = hiera_copying_instruction(copy, first + n - 1);
    hiera_copying_add_place(copy, last->address + last->length, 0);
    hiera_code_jump_far(copy->out, hiera_copying_offset(copy, last->address + last->length));
    hiera_code_here(copy->out, gap);
    if (!is_good)
        hiera_copies_cut(copy->copies, &mark);
}

/* --- tables of jumps --- */

void hiera_copying_put_tables(HieraCopying *copy)
{
    hiera_code_align(copy->out, 0, 64);
    for (guint i = 0; i < copy->tables->len; i++) {
        HieraCopiedTable *table = &g_array_index(copy->tables, HieraCopiedTable, i);
        table->at = copy->out->bytes->len;
        for (guint j = 0; j < table->n; j++)
            hiera_code_gap(copy->out);
    }
}

void hiera_copying_fill_tables(HieraCopying *copy)
{
    for (guint i = 0; i < copy->tables->len && !copy->reason; i++) {
        const HieraCopiedTable *table = &g_array_index(copy->tables, HieraCopiedTable, i);
        for (guint j = 0; j < table->n; j++) {
            gint32 element;
            memcpy(&element, hiera_object_bytes(copy->flow->functions->object, table->address + 4 * j, 4, NULL), 4);
            guint block = hiera_copying_block_from(copy, table->address + (guint64)(gint64)GINT32_FROM_LE(element));
            hiera_code_distance(copy->out, table->at + 4 * j, table->at, copy->landed[block]);
        }
    }
}

/* Whether the original needs no redirection at a target of jump tables, for which it would be too short: it goes on at
 * the next target, which is redirected, and no event happens before. */
static gboolean stays(HieraCopying *copy, guint block)
{
    const HieraBlock *of = hiera_copying_block(copy, block);
    if (of->end - of->begin >= HIERA_PLAN_JUMP || block + 1 == copy->flow->blocks->len ||
        hiera_copying_last(copy, block)->kind != HIERA_FLOW_ON || !hiera_copying_falls_through(copy, block) ||
        !hiera_points_is_landing(&copy->points, block + 1))
        return FALSE;
    hiera_copying_edge(copy, block, block + 1);
    hiera_points_landing(&copy->points, block + 1, copy->events);
    gboolean has_none = copy->events->len == 0;
    g_array_set_size(copy->events, 0);
    return has_none;
}

void hiera_copying_land(HieraCopying *copy, guint block)
{
    copy->landed[block] = copy->out->bytes->len;
    if (copy->tables->len == 0 && (copy->events->len > 0 || !stays(copy, block)))
        hiera_copying_add_patch(copy, hiera_copying_block(copy, block)->begin);
}

gboolean hiera_copying_put_landing(HieraCopying *copy, guint block)
{
    hiera_points_landing(&copy->points, block, copy->events);
    if (copy->events->len == 0)
        return FALSE;
    gboolean falls = block > 0 && hiera_copying_falls_through(copy, block - 1);
    guint32 gap = falls ? hiera_code_jump_over(copy->out) : 0;
    hiera_copying_land(copy, block);
    hiera_copying_add_place(copy, hiera_copying_block(copy, block)->begin, 0);
    hiera_copying_put_events(copy, block);
    if (falls)
        hiera_code_here(copy->out, gap);
    return TRUE;
}
