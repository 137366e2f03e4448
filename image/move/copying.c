/* Copies a function. See copy.h. The copy has the instructions in the order of the original, so that the rules of
 * .eh_frame apply to each; code that is executed on an edge alone is placed between them, and other paths jump over it.
 */
#include "copying.h"

HieraCopies hiera_copies_new(guint64 begin)
{
    static const guint8 pointers[HIERA_PLAN_POINTERS] = {0};
    HieraCopies copies = {.begin = begin};
    copies.code.bytes = g_byte_array_new();
    copies.code.fixups = g_array_new(FALSE, FALSE, sizeof(HieraPlanFixup));
    copies.code.jumps = g_array_new(FALSE, FALSE, sizeof(HieraCodeJump));
    copies.code.is_short = g_byte_array_new();
    copies.code.moves = g_array_new(FALSE, FALSE, sizeof(HieraCodeMove));
    copies.patches = g_array_new(FALSE, FALSE, sizeof(HieraPlanPatch));
    copies.places = g_array_new(FALSE, FALSE, sizeof(HieraPlanPlace));
    copies.frames = g_byte_array_new();
    copies.frame_fixups = g_array_new(FALSE, FALSE, sizeof(HieraPlanFixup));
    hiera_code_bytes(&copies.code, pointers, sizeof pointers);
    return copies;
}

void hiera_copies_clear(HieraCopies *copies)
{
    g_byte_array_unref(copies->code.bytes);
    g_array_unref(copies->code.fixups);
    g_array_unref(copies->code.jumps);
    g_byte_array_unref(copies->code.is_short);
    g_array_unref(copies->code.moves);
    g_array_unref(copies->patches);
    g_array_unref(copies->places);
    g_byte_array_unref(copies->frames);
    g_array_unref(copies->frame_fixups);
}

/* --- copying one block --- */

gboolean hiera_copying_falls_through(const HieraCopying *copy, guint block)
{
    guint kind = hiera_copying_last(copy, block)->kind;
    return (kind == HIERA_FLOW_ON || kind == HIERA_FLOW_BRANCH || kind == HIERA_FLOW_CALL ||
            kind == HIERA_FLOW_CALL_POINTER) &&
           hiera_copying_block(copy, block)->end == hiera_copying_block(copy, block + 1)->begin;
}

gboolean hiera_copying_has(const HieraCopying *copy, guint loop, guint block)
{
    const GArray *nodes = ((const HieraLoop *)copy->flow->loops->pdata[loop])->nodes;
    for (guint i = 0; i < nodes->len; i++)
        if (g_array_index(nodes, guint, i) == block)
            return TRUE;
    return FALSE;
}

guint hiera_copying_edge(HieraCopying *copy, guint from, guint to)
{
    guint n = 0;
    hiera_points_edge(&copy->points, from, to, copy->events);
    for (guint i = 0; i < copy->events->len; i++) { /* the first copy of a loop does not tell what happens in it */
        const HieraPoint point = g_array_index(copy->events, HieraPoint, i);
        if (!copy->points.inductions[point.loop].is_doubled || point.kind == HIERA_PLAN_LOOP_IN ||
            point.loop == copy->doubled)
            g_array_index(copy->events, HieraPoint, n++) = point;
    }
    g_array_set_size(copy->events, n);
    return copy->doubled != HIERA_NO_NODE && hiera_copying_has(copy, copy->doubled, to) ? copy->flow->blocks->len + to
                                                                                        : to;
}

/* Whether the code of a loop begins with a block. */
static gboolean is_to_align(const HieraCopying *copy, guint block)
{
    for (guint i = 0; i < copy->flow->loops->len; i++)
        if (hiera_copying_has(copy, i, block) && (block == 0 || !hiera_copying_has(copy, i, block - 1)))
            return TRUE;
    return FALSE;
}

void hiera_copying_add_place(HieraCopying *copy, guint64 address, guint length)
{
    const HieraPlanPlace place = {copy->out->bytes->len, hiera_copying_offset(copy, address), length};
    g_array_append_val(copy->copies->places, place);
}

static void put_instructions(HieraCopying *copy, guint block, gboolean is_last)
{
    const HieraBlock *of = hiera_copying_block(copy, block);
    for (guint i = 0; i < of->n && !copy->reason; i++) {
        const HieraInstruction *instruction = hiera_copying_instruction(copy, of->first + i);
        hiera_copying_add_place(copy, instruction->address, instruction->length);
        if (i + 1 < of->n)
            hiera_copying_put(copy, instruction);
        else
            hiera_copying_put_last(copy, block, is_last);
    }
}

/* At the begin of a loop that a register counts. */
static void put_count(HieraCopying *copy, guint block)
{
    for (guint i = 0; i < copy->flow->loops->len; i++) {
        const HieraLoop *loop = copy->flow->loops->pdata[i];
        if (loop->header == block && copy->points.loops[i] != HIERA_PLAN_NO_LOOP &&
            copy->points.inductions[i].is_spare && (!copy->points.inductions[i].is_doubled || copy->doubled == i)) {
            hiera_copying_add_place(copy, hiera_copying_block(copy, block)->begin, 0);
            hiera_code_count_spare(copy->out, &copy->points.inductions[i]);
        }
    }
}

/* Alignment as in the original, so that the CPU decodes a loop as fast as before, and finds as few jumps close
 * together.
 */
static void align(HieraCopying *copy, guint block, gboolean is_loop)
{
    enum { LINE = 64, WINDOW = 32 };
    guint64 begin = hiera_copying_block(copy, block)->begin;
    if (is_loop)
        hiera_code_align(copy->out, begin, LINE);
    else if (block > 0 && !hiera_copying_falls_through(copy, block - 1))
        hiera_code_align(copy->out, begin, WINDOW);
}

static void copy_block(HieraCopying *copy, guint block)
{
    gboolean is_landing = hiera_points_is_landing(&copy->points, block);
    hiera_copying_put_landings(copy, block);
    gboolean has_landed = is_landing && hiera_copying_put_landing(copy, block);
    align(copy, block, is_to_align(copy, block));
    copy->blocks[block] = copy->out->bytes->len;
    if (is_landing && !has_landed)
        hiera_copying_land(copy, block);
    put_count(copy, block);
    put_instructions(copy, block, block + 1 == copy->flow->blocks->len);
}

/* Fill in the distances of jumps. The first time, when all are long, find those that may be short: so far nothing but
 * alignment makes a distance longer. @return  whether all are right; else the function is to be written again */
static gboolean land_jumps(HieraCopying *copy)
{
    GByteArray *is_short = copy->out->is_short;
    gboolean is_first = is_short->len == 0, is_right = TRUE;
    g_byte_array_set_size(is_short, copy->out->jumps->len);
    for (guint i = 0; i < copy->out->jumps->len; i++) {
        const HieraCodeJump *jump = &g_array_index(copy->out->jumps, HieraCodeJump, i);
        gint32 distance = (gint32)(copy->blocks[jump->block] - (jump->at + 4));
        gboolean reaches = hiera_code_land(copy->out, jump, copy->blocks[jump->block]);
        if (is_first)
            is_short->data[i] = distance == (gint8)distance;
        else if (!reaches)
            is_short->data[i] = FALSE;
        is_right &= is_first ? !is_short->data[i] : reaches;
    }
    g_array_set_size(copy->out->jumps, 0);
    return is_right;
}

/* --- copying the whole function --- */

static guint range_of(const HieraCopying *copy, guint block)
{
    const GArray *ranges = copy->flow->function->ranges;
    guint i = 0;
    while (i < ranges->len &&
           (hiera_copying_block(copy, block)->begin < g_array_index(ranges, HieraCodeRange, i).begin ||
            hiera_copying_block(copy, block)->begin >= g_array_index(ranges, HieraCodeRange, i).end))
        i++;
    return i;
}

static HieraCopiedRange begin_range(HieraCopying *copy, guint range)
{
    copy->range = range;
    return (HieraCopiedRange){.range = range,
                              .first_place = copy->copies->places->len,
                              .first_move = copy->out->moves->len,
                              .begin = copy->out->bytes->len};
}

static void end_range(HieraCopying *copy, HieraCopiedRange *copied)
{
    copied->n_places = copy->copies->places->len - copied->first_place;
    copied->end = copy->out->bytes->len;
    if (copied->range < copy->flow->function->ranges->len && copied->end > copied->begin)
        g_array_append_val(copy->ranges, *copied);
}

/* Write the second copy of a loop. */
static void copy_again(HieraCopying *copy, guint number)
{
    const HieraLoop *loop = copy->flow->loops->pdata[number];
    guint n = copy->flow->blocks->len;
    guint first = 0;
    while (!hiera_copying_has(copy, number, first))
        first++;
    align(copy, first, TRUE);
    HieraCopiedRange copied = begin_range(copy, range_of(copy, loop->header));
    copy->doubled = number;
    for (guint block = first; block < n && !copy->reason; block++) {
        if (!hiera_copying_has(copy, number, block))
            continue;
        if (block > first)
            align(copy, block, FALSE);
        copy->blocks[n + block] = copy->out->bytes->len;
        put_count(copy, block);
        put_instructions(copy, block, block + 1 == n || !hiera_copying_has(copy, number, block + 1));
    }
    copy->doubled = HIERA_NO_NODE;
    end_range(copy, &copied);
}

static void put_gate(HieraCopying *copy)
{
    HieraCopiedRange copied = begin_range(copy, range_of(copy, 0));
    hiera_copying_put_gate(copy);
    end_range(copy, &copied);
}

static gint compare_behind(gconstpointer a, gconstpointer b)
{
    const HieraCopiedBehind *x = a, *y = b;
    if (x->range != y->range)
        return x->range < y->range ? -1 : 1;
    if (x->place.offset != y->place.offset)
        return x->place.offset < y->place.offset ? -1 : 1;
    return x->gap < y->gap ? -1 : x->gap > y->gap;
}

/* Write what stands behind all else, by range and place: so the rules of .eh_frame apply to it, too. */
static void put_behind(HieraCopying *copy, GArray *all, void (*put)(HieraCopying *, const HieraCopiedBehind *))
{
    guint bytes = g_array_get_element_size(all);
    g_array_sort(all, compare_behind);
    for (guint i = 0; i < all->len && !copy->reason;) {
        const HieraCopiedBehind *behind = (const void *)(all->data + (gsize)i * bytes);
        HieraCopiedRange copied = begin_range(copy, behind->range);
        for (; i < all->len && behind->range == copied.range && !copy->reason; i++) {
            const HieraPlanPlace place = {copy->out->bytes->len, behind->place.offset, behind->place.n};
            g_array_append_val(copy->copies->places, place);
            put(copy, behind);
            behind = (const void *)((const char *)behind + bytes);
        }
        end_range(copy, &copied);
    }
}

static void copy_ranges(HieraCopying *copy)
{
    put_gate(copy);
    for (guint block = 0; block < copy->flow->blocks->len && !copy->reason;) {
        HieraCopiedRange copied = begin_range(copy, range_of(copy, block));
        if (block == 0) {
            hiera_copying_add_place(copy, hiera_copying_block(copy, 0)->begin, 0);
            hiera_points_entry(&copy->points, copy->events);
            hiera_copying_put_events(copy, 0);
        }
        for (; block < copy->flow->blocks->len && range_of(copy, block) == copied.range && !copy->reason; block++)
            copy_block(copy, block);
        end_range(copy, &copied);
    }
    for (guint i = 0; i < copy->flow->loops->len && !copy->reason; i++)
        if (copy->points.inductions[i].is_doubled && copy->points.loops[i] != HIERA_PLAN_NO_LOOP)
            copy_again(copy, i);
    put_behind(copy, copy->exits, hiera_copying_put_exit);
    put_behind(copy, copy->asides, hiera_copying_put_aside);
    for (guint i = 0; i < copy->ranges->len && !copy->reason; i++)
        hiera_copying_put_frame(copy, &g_array_index(copy->ranges, HieraCopiedRange, i));
}

static void write_all(HieraCopying *copy, const HieraCopiesMark *from)
{
    hiera_copies_cut(copy->copies, from);
    g_array_set_size(copy->asides, 0);
    g_array_set_size(copy->exits, 0);
    g_array_set_size(copy->ranges, 0);
    g_array_set_size(copy->out->moves, 0);
    hiera_copying_put_tables(copy);
    hiera_code_align(copy->out, 0, 64);
    hiera_copying_add_patch(copy, hiera_copying_entry(copy));
    copy_ranges(copy);
    hiera_copying_fill_tables(copy);
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

char *hiera_copies_add(HieraCopies *copies, const HieraFlow *flow, guint function, const guint *loops,
                       const HieraInduction *inductions)
{
    HieraCopiesMark mark = hiera_copies_mark(copies);
    HieraCopying copy = {.copies = copies,
                         .out = &copies->code,
                         .flow = flow,
                         .points = hiera_points_of(flow, loops, inductions),
                         .function = function,
                         .doubled = HIERA_NO_NODE};
    copy.live = hiera_live_of(flow);
    copy.tables = hiera_tables_find(flow);
    copy.landed = g_new0(guint32, flow->blocks->len);
    copy.blocks = g_new0(guint32, 2 * flow->blocks->len);
    copy.events = g_array_new(FALSE, FALSE, sizeof(HieraPoint));
    copy.landings = g_array_new(FALSE, FALSE, sizeof(HieraCopiedLanding));
    copy.ranges = g_array_new(FALSE, FALSE, sizeof(HieraCopiedRange));
    copy.asides = g_array_new(FALSE, FALSE, sizeof(HieraCopiedAside));
    copy.exits = g_array_new(FALSE, FALSE, sizeof(HieraCopiedExit));
    hiera_copying_find_landings(&copy);
    g_byte_array_set_size(copies->code.is_short, 0);
    do
        write_all(&copy, &mark);
    while (!copy.reason && !land_jumps(&copy));
    g_array_set_size(copies->code.jumps, 0);
    if (copy.reason)
        hiera_copies_cut(copies, &mark);
    g_array_unref(copy.events);
    g_array_unref(copy.landings);
    g_array_unref(copy.ranges);
    g_array_unref(copy.asides);
    g_array_unref(copy.exits);
    hiera_live_clear(&copy.live);
    g_array_unref(copy.tables);
    g_free(copy.landed);
    g_free(copy.blocks);
    hiera_points_clear(&copy.points);
    return copy.reason;
}
