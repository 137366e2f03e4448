#include "plan_builder.h"
#include "certain.h"
#include "copy.h"
#include "exceptions.h"
#include "image/places/readable_name.h"
#include <string.h>

struct HieraPlanBuilder {
    const HieraFunctions *functions;
    HieraDecoder *decoder;
    HieraPlaces *places;
    HieraIncoming *incoming;
    gboolean has_unwinder; /* whether the file has an unwinder of its own */
    HieraCopies copies;
    GArray *moved;   /* HieraPlanFunction */
    GArray *loops;   /* HieraPlanLoop */
    GArray *refused; /* HieraPlanRefused */
    GArray *ranges;  /* HieraCodeRange */
    GByteArray *texts;
    GHashTable *text_places; /* text → position of the text in `texts` */
};

HieraPlanBuilder *hiera_plan_builder_new(const HieraFunctions *functions, HieraDecoder *decoder, HieraPlaces *places)
{
    static const guint8 none = 0;
    HieraPlanBuilder *builder = g_new0(HieraPlanBuilder, 1);
    builder->functions = functions;
    builder->decoder = decoder;
    builder->places = places;
    builder->incoming = hiera_incoming_new(functions->object);
    builder->has_unwinder = hiera_exceptions_are_own(functions->object);
    builder->copies = hiera_copies_new(hiera_object_first_page(functions->object));
    builder->moved = g_array_new(FALSE, TRUE, sizeof(HieraPlanFunction));
    builder->loops = g_array_new(FALSE, TRUE, sizeof(HieraPlanLoop));
    builder->refused = g_array_new(FALSE, TRUE, sizeof(HieraPlanRefused));
    builder->ranges = g_array_new(FALSE, FALSE, sizeof(HieraCodeRange));
    builder->texts = g_byte_array_append(g_byte_array_new(), &none, 1);
    builder->text_places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return builder;
}

static HieraPlanText add_text(HieraPlanBuilder *builder, const char *text)
{
    if (!text)
        return 0;
    gpointer known = g_hash_table_lookup(builder->text_places, text);
    if (known)
        return GPOINTER_TO_UINT(known);
    guint at = builder->texts->len;
    g_byte_array_append(builder->texts, (const guint8 *)text, (guint)strlen(text) + 1);
    g_hash_table_insert(builder->text_places, g_strdup(text), GUINT_TO_POINTER(at));
    return at;
}

/* Set offsets in the file of the begin and end of the function's first range. */
static void place(const HieraPlanBuilder *builder, const HieraFunction *function, guint32 *begin, guint32 *end)
{
    const HieraCodeRange *own = &g_array_index(function->ranges, HieraCodeRange, 0);
    *begin = (guint32)(own->begin - builder->copies.begin);
    *end = (guint32)(own->end - builder->copies.begin);
}

void hiera_plan_builder_refuse(HieraPlanBuilder *builder, const HieraFunction *function, const char *name,
                               const char *reason)
{
    HieraPlanRefused refused = {add_text(builder, name), add_text(builder, reason), 0, 0};
    if (function)
        place(builder, function, &refused.begin, &refused.end);
    g_array_append_val(builder->refused, refused);
}

/* --- functions and their loops in the plan --- */

/* Which loops of a function are in the plan. */
typedef struct {
    guint *numbers; /* by loop of the flow: number of the loop in the plan; HIERA_PLAN_NO_LOOP: not in the plan */
    guint *timed;   /* the same of those that are timed */
    HieraInduction *inductions; /* by loop of the flow */
} Listed;

static void clear_listed(Listed *listed)
{
    g_free(listed->numbers);
    g_free(listed->timed);
    g_free(listed->inductions);
}

static const HieraLoop *loop_of(const HieraFlow *flow, guint i)
{
    return flow->loops->pdata[i];
}

static guint count_loops(const HieraFlow *flow, guint depth)
{
    guint n = 0;
    for (guint i = 0; i < flow->loops->len; i++)
        n += loop_of(flow, i)->depth <= depth;
    return n;
}

static guint count_instructions(const HieraFlow *flow, const HieraLoop *loop)
{
    guint n = 0;
    for (guint i = 0; i < loop->nodes->len; i++)
        n += g_array_index(flow->blocks, HieraBlock, g_array_index(loop->nodes, guint, i)).n;
    return n;
}

/* Number of outermost loops that have more instructions than one of them, or as many and come before it. */
static guint rank_of(const HieraFlow *flow, guint loop)
{
    guint rank = 0, size = count_instructions(flow, loop_of(flow, loop));
    for (guint i = 0; i < flow->loops->len; i++)
        if (loop_of(flow, i)->depth == 1 && i != loop)
            rank += count_instructions(flow, loop_of(flow, i)) >= size + (i > loop);
    return rank;
}

/* List the loops of a function. If a plan cannot have so many, only the outer ones are listed: as many levels as there
 * is room for; of more outermost ones than that, those with the most instructions.
 *
 * @return NULL, and clear_listed() is to be called; or why that is not possible */
static char *list_loops(const HieraFlow *flow, guint first, guint depth, Listed *listed)
{
    guint room = HIERA_PLAN_LOOPS - first, deepest = G_MAXUINT;
    if (flow->loops->len > HIERA_PLAN_LOOPS)
        for (deepest = 0; count_loops(flow, deepest + 1) <= room;)
            deepest++;
    gboolean has_many = deepest == 0 && first == 0;
    deepest += has_many;
    if (deepest == 0 || (deepest == G_MAXUINT && flow->loops->len > room))
        return g_strdup_printf("there are more than %d loops then", HIERA_PLAN_LOOPS);
    *listed =
        (Listed){g_new(guint, flow->loops->len + 1), g_new(guint, flow->loops->len + 1), hiera_inductions_of(flow)};
    for (guint i = 0; i < flow->loops->len; i++) {
        const HieraLoop *loop = loop_of(flow, i);
        gboolean is_listed = loop->depth <= deepest && (!has_many || rank_of(flow, i) < HIERA_PLAN_LOOPS);
        listed->numbers[i] = is_listed ? first++ : HIERA_PLAN_NO_LOOP;
        listed->timed[i] = loop->depth <= depth ? listed->numbers[i] : HIERA_PLAN_NO_LOOP;
    }
    return NULL;
}

static void add_loop(HieraPlanBuilder *builder, const HieraFlow *flow, guint i, const Listed *listed)
{
    const HieraLoop *loop = loop_of(flow, i);
    HieraLines lines = {0};
    guint64 begin = G_MAXUINT64, end = 0;
    for (guint j = 0; j < loop->nodes->len; j++) {
        const HieraBlock *block = &g_array_index(flow->blocks, HieraBlock, g_array_index(loop->nodes, guint, j));
        begin = MIN(begin, block->begin);
        end = MAX(end, block->end);
    }
    if (builder->places)
        lines = hiera_places_loop(builder->places, flow, loop);
    const HieraPlanLoop of = {builder->moved->len,
                              loop->parent == HIERA_NO_NODE ? HIERA_PLAN_NO_LOOP : listed->numbers[loop->parent],
                              add_text(builder, lines.file),
                              (guint32)lines.first,
                              (guint32)lines.last,
                              (guint32)(begin - builder->copies.begin),
                              (guint32)(end - builder->copies.begin),
                              loop->irreducible,
                              listed->timed[i] != HIERA_PLAN_NO_LOOP,
                              listed->inductions[i].is_found   ? (guint32)ABS(listed->inductions[i].step)
                              : listed->inductions[i].is_spare ? 1
                                                               : 0,
                              listed->inductions[i].is_spare,
                              listed->inductions[i].is_doubled};
    g_array_append_val(builder->loops, of);
}

static void add_moved(HieraPlanBuilder *builder, const HieraFlow *flow, const char *name, const HieraLines *lines,
                      const Listed *listed)
{
    const GArray *ranges = flow->function->ranges;
    HieraPlanFunction moved = {.name = add_text(builder, name),
                               .file = add_text(builder, lines->file),
                               .first = (guint32)lines->first,
                               .last = (guint32)lines->last,
                               .loop = builder->loops->len};
    place(builder, flow->function, &moved.begin, &moved.end);
    for (guint i = 0; i < flow->loops->len; i++)
        if (listed->numbers[i] != HIERA_PLAN_NO_LOOP)
            add_loop(builder, flow, i, listed);
    moved.n_loops = builder->loops->len - moved.loop;
    g_array_append_val(builder->moved, moved);
    g_array_append_vals(builder->ranges, ranges->data, ranges->len);
}

/* Try to copy a function. @return  NULL: the function is copied; or why it is left alone */
static char *try(HieraPlanBuilder *builder, const HieraFlow *flow, const Listed *listed)
{
    HieraCopiesMark mark = hiera_copies_mark(&builder->copies);
    if (builder->has_unwinder)
        return g_strdup("its file may have an unwinder of its own, which knows no way through copies");
    char *reason = hiera_certain_function(flow, builder->incoming);
    if (!reason)
        reason = hiera_copies_add(&builder->copies, flow, builder->moved->len, listed->timed, listed->inductions);
    guint n = builder->copies.patches->len - mark.n_patches;
    if (!reason && n > 0) {
        const HieraPlanPatch *patches = &g_array_index(builder->copies.patches, HieraPlanPatch, mark.n_patches);
        reason = hiera_certain_patches(flow, builder->incoming, patches, n, builder->copies.begin);
        if (reason)
            hiera_copies_cut(&builder->copies, &mark);
    }
    return reason;
}

gboolean hiera_plan_builder_add(HieraPlanBuilder *builder, const HieraFunction *function, guint depth)
{
    g_autoptr(HieraFlow) flow = hiera_flow_decode(builder->functions, function, builder->decoder);
    HieraLines lines = {0};
    Listed listed = {0};
    hiera_flow_finish(flow);
    if (builder->places)
        lines = hiera_places_function(builder->places, flow);
    g_autofree char *name = hiera_readable_name(function->name, lines.file);
    g_autofree char *reason = list_loops(flow, builder->loops->len, depth, &listed);
    if (!reason)
        reason = try(builder, flow, &listed);
    if (reason)
        hiera_plan_builder_refuse(builder, function, name, reason);
    else
        add_moved(builder, flow, name, &lines, &listed);
    clear_listed(&listed);
    return reason == NULL;
}

char *hiera_plan_builder_reason(HieraPlanBuilder *builder, const HieraFlow *flow)
{
    HieraCopiesMark mark = hiera_copies_mark(&builder->copies);
    Listed listed = {0};
    char *reason = list_loops(flow, 0, G_MAXUINT, &listed);
    if (!reason)
        reason = try(builder, flow, &listed);
    hiera_copies_cut(&builder->copies, &mark);
    clear_listed(&listed);
    return reason;
}

/* --- writing the finished plan --- */

static HieraPlanPart put_part(GByteArray *plan, const void *bytes, guint n, guint size)
{
    static const guint8 zeros[16] = {0};
    g_byte_array_append(plan, zeros, -plan->len & 15);
    const HieraPlanPart part = {plan->len, n};
    if (n > 0)
        g_byte_array_append(plan, bytes, n * size);
    return part;
}

static HieraPlanPart put_array(GByteArray *plan, const GArray *array)
{
    return put_part(plan, array->data, array->len, g_array_get_element_size((GArray *)array));
}

static HieraPlanPart put_ranges(GByteArray *plan, const HieraPlanBuilder *builder)
{
    g_autoptr(GArray) ranges = g_array_new(FALSE, FALSE, sizeof(HieraPlanRange));
    for (guint i = 0; i < builder->ranges->len; i++) {
        const HieraCodeRange *from = &g_array_index(builder->ranges, HieraCodeRange, i);
        HieraPlanRange range = {(guint32)(from->begin - builder->copies.begin), 0, (guint32)(from->end - from->begin)};
        range.at =
            put_part(plan, hiera_object_bytes(builder->functions->object, from->begin, range.n, NULL), range.n, 1).at;
        g_array_append_val(ranges, range);
    }
    return put_array(plan, ranges);
}

/* Append the fixups. Frames are behind the area in memory; the kind of a fixup says in which of the two its position
 * is. */
static HieraPlanPart put_fixups(GByteArray *plan, HieraPlanBuilder *builder)
{
    g_array_append_vals(builder->copies.code.fixups, builder->copies.frame_fixups->data,
                        builder->copies.frame_fixups->len);
    return put_array(plan, builder->copies.code.fixups);
}

static void take_build(HieraPlan *plan, const char *hexadecimal)
{
    for (gsize i = 0; hexadecimal && hexadecimal[2 * i] && hexadecimal[2 * i + 1] && i < HIERA_PLAN_BUILD; i++) {
        const char digits[] = {hexadecimal[2 * i], hexadecimal[2 * i + 1], '\0'};
        plan->build[i] = (guint8)g_ascii_strtoull(digits, NULL, 16);
        plan->build_bytes = (guint32)i + 1;
    }
}

void hiera_plan_builder_free(HieraPlanBuilder *builder)
{
    if (!builder)
        return;
    hiera_incoming_free(builder->incoming);
    hiera_copies_clear(&builder->copies);
    g_array_unref(builder->moved);
    g_array_unref(builder->loops);
    g_array_unref(builder->refused);
    g_array_unref(builder->ranges);
    g_byte_array_unref(builder->texts);
    g_hash_table_unref(builder->text_places);
    g_free(builder);
}

GByteArray *hiera_plan_builder_end(HieraPlanBuilder *builder)
{
    static const guint8 end[4] = {0};
    HieraPlan head = {.magic = HIERA_PLAN_MAGIC};
    GByteArray *plan = g_byte_array_append(g_byte_array_new(), (const guint8 *)&head, sizeof head);
    take_build(&head, builder->functions->object->build_id);
    head.path = add_text(builder, builder->functions->object->path);
    g_byte_array_append(builder->copies.frames, end, sizeof end);
    head.functions = put_array(plan, builder->moved);
    head.loops = put_array(plan, builder->loops);
    head.refused = put_array(plan, builder->refused);
    head.ranges = put_ranges(plan, builder);
    head.patches = put_array(plan, builder->copies.patches);
    head.fixups = put_fixups(plan, builder);
    head.places = put_array(plan, builder->copies.places);
    head.area = put_part(plan, builder->copies.code.bytes->data, builder->copies.code.bytes->len, 1);
    head.frames = put_part(plan, builder->copies.frames->data, builder->copies.frames->len, 1);
    head.texts = put_part(plan, builder->texts->data, builder->texts->len, 1);
    head.bytes = plan->len;
    memcpy(plan->data, &head, sizeof head);
    hiera_plan_builder_free(builder);
    return plan;
}
