/* Copies the exception handling of a function. See copying.h. Each way into a landing pad has events of its own: a loop
 * that contains the call may end there, another one may begin. */
#include "copying.h"
#include "exceptions.h"
#include "frame_rules.h"
#include <string.h>

#define HEX "0x%" G_GINT64_MODIFIER "x"

/* --- ways of exceptions into landing pads --- */

static gint compare_landings(gconstpointer a, gconstpointer b)
{
    const HieraCopiedLanding *x = a, *y = b;
    guint64 left = x->pad != y->pad ? x->pad : x->call, right = x->pad != y->pad ? y->pad : y->call;
    return left < right ? -1 : left > right;
}

static HieraCopiedLanding *landing_at(const HieraCopying *copy, guint i)
{
    return &g_array_index(copy->landings, HieraCopiedLanding, i);
}

void hiera_copying_find_landings(HieraCopying *copy)
{
    for (guint i = 0; i < copy->flow->landing_edges->len; i++) {
        const HieraTableEdge *edge = &g_array_index(copy->flow->landing_edges, HieraTableEdge, i);
        const HieraCopiedLanding landing = {edge->from, edge->to, 0};
        g_array_append_val(copy->landings, landing);
    }
    g_array_sort(copy->landings, compare_landings);
}

/* Return the index of the first of the sorted landings that is not before this pad and call. */
static guint find_landing(const HieraCopying *copy, guint64 pad, guint64 call)
{
    const HieraCopiedLanding wanted = {call, pad, 0};
    guint low = 0, high = copy->landings->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (compare_landings(landing_at(copy, middle), &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A way into a landing pad that is already written: its events, and the position of its code. */
typedef struct {
    GBytes *events;
    guint32 at;
} Way;

static void clear_way(gpointer way)
{
    g_bytes_unref(((Way *)way)->events);
}

static guint32 put_way(HieraCopying *copy, guint block, GArray *ways)
{
    g_autoptr(GBytes) events = g_bytes_new(copy->events->data, copy->events->len * sizeof(HieraPoint));
    for (guint i = 0; i < ways->len; i++) {
        const Way *way = &g_array_index(ways, Way, i);
        if (g_bytes_equal(way->events, events)) {
            g_array_set_size(copy->events, 0);
            return way->at;
        }
    }
    const Way way = {g_bytes_ref(events), copy->out->bytes->len};
    g_array_append_val(ways, way);
    hiera_copying_add_place(copy, hiera_copying_block(copy, block)->begin, 0);
    hiera_code_event(copy->out, HIERA_PLAN_BACK, copy->function);
    hiera_copying_put_events(copy, block);
    hiera_code_jump_to_block(copy->out, block);
    return way.at;
}

void hiera_copying_put_landings(HieraCopying *copy, guint block)
{
    guint64 pad = hiera_copying_block(copy, block)->begin;
    guint first = find_landing(copy, pad, 0), i = first;
    if (first == copy->landings->len || landing_at(copy, first)->pad != pad)
        return;
    g_autoptr(GArray) ways = g_array_new(FALSE, FALSE, sizeof(Way));
    g_array_set_clear_func(ways, clear_way);
    gboolean falls = block > 0 && hiera_copying_falls_through(copy, block - 1);
    guint32 gap = falls ? hiera_code_jump_over(copy->out) : 0;
    for (; i < copy->landings->len && landing_at(copy, i)->pad == pad; i++) {
        hiera_points_edge(&copy->points, hiera_flow_block(copy->flow, landing_at(copy, i)->call), block, copy->events);
        landing_at(copy, i)->at = put_way(copy, block, ways);
    }
    if (falls)
        hiera_code_here(copy->out, gap);
}

/* --- call sites in the exception data --- */

static const HieraPlanPlace *place_at(const HieraCopying *copy, const HieraCopiedRange *range, guint i)
{
    return &g_array_index(copy->copies->places, HieraPlanPlace, range->first_place + i);
}

/* Return the index of the first place of a range that is not before an address. Places are sorted by address. */
static guint find_place(const HieraCopying *copy, const HieraCopiedRange *range, guint64 address)
{
    guint32 offset = hiera_copying_offset(copy, address);
    guint low = 0, high = range->n_places;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (place_at(copy, range, middle)->offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static guint32 position_of(const HieraCopying *copy, const HieraCopiedRange *range, guint place)
{
    return place < range->n_places ? place_at(copy, range, place)->copy : range->end;
}

static void add_site(GArray *sites, const HieraCopiedRange *range, guint32 begin, guint32 end, guint32 pad,
                     guint64 action)
{
    const HieraCopiedSite site = {begin - range->begin, end - begin, pad, action};
    if (end > begin)
        g_array_append_val(sites, site);
}

/* Position in the copy where an exception of the call at `place` continues; 0: no call with this landing pad. */
static guint32 landing_of(const HieraCopying *copy, const HieraPlanPlace *place, guint64 pad)
{
    guint64 call = copy->copies->begin + place->offset;
    guint i = find_landing(copy, pad, call);
    if (i == copy->landings->len || landing_at(copy, i)->pad != pad || landing_at(copy, i)->call != call)
        return 0;
    return landing_at(copy, i)->at;
}

/* Copy a call site, as several sites if its calls have different ways to the landing pad. */
static void copy_site(HieraCopying *copy, const HieraCopiedRange *range, const HieraCallSite *site, GArray *sites)
{
    guint first = find_place(copy, range, site->begin), last = find_place(copy, range, site->end);
    guint32 begin = position_of(copy, range, first), end = position_of(copy, range, last), pad = 0;
    for (guint i = first; i < last && site->pad != 0; i++) {
        guint32 here = landing_of(copy, place_at(copy, range, i), site->pad);
        if (here == 0 || here == pad)
            continue;
        if (pad != 0) {
            add_site(sites, range, begin, position_of(copy, range, i), pad, site->action);
            begin = position_of(copy, range, i);
        }
        pad = here;
    }
    if (site->pad != 0 && pad == 0 && end > begin) { /* no call was found in the range of the call site */
        guint block = hiera_copying_block_from(copy, site->pad);
        if (block == HIERA_NO_NODE)
            hiera_copying_refuse(copy, "no call leads to the landing pad at " HEX, site->pad);
        else
            pad = copy->blocks[block];
    }
    add_site(sites, range, begin, end, pad, site->action);
}

/* Copy the exception data of a range. @return  position of the copied data; 0: there are none */
static guint32 copy_exceptions(HieraCopying *copy, const HieraCopiedRange *range, const HieraSymbol *frame,
                               const HieraFrameRules *rules)
{
    HieraExceptions exceptions;
    guint32 at = 0;
    if (frame->lsda == 0)
        return 0;
    g_autofree char *reason =
        hiera_exceptions_read(copy->flow->functions->object, copy->flow->decoder, frame, rules, &exceptions);
    if (reason) {
        hiera_copying_refuse(copy, "%s", reason);
    } else {
        g_autoptr(GArray) sites = g_array_new(FALSE, FALSE, sizeof(HieraCopiedSite));
        for (guint i = 0; i < exceptions.sites->len; i++)
            copy_site(copy, range, &g_array_index(exceptions.sites, HieraCallSite, i), sites);
        at = hiera_exceptions_write(&exceptions, sites, copy->copies->begin, copy->out);
    }
    hiera_exceptions_clear(&exceptions);
    return at;
}

/* --- unwind rules --- */

typedef struct {
    const HieraCopying *copy;
    const HieraCopiedRange *range;
} RangeMap;

static guint32 find_copy(guint64 address, gconstpointer data)
{
    const RangeMap *map = data;
    return position_of(map->copy, map->range, find_place(map->copy, map->range, address));
}

static void add_fixup(HieraCopying *copy, guint32 at, guint32 target)
{
    const HieraPlanFixup fixup = {HIERA_PLAN_AREA_64, at, 0, (gint32)target};
    g_array_append_val(copy->copies->frame_fixups, fixup);
}

void hiera_copying_put_frame(HieraCopying *copy, const HieraCopiedRange *range)
{
    const HieraCodeRange *original = &g_array_index(copy->flow->function->ranges, HieraCodeRange, range->range);
    const HieraObject *object = copy->flow->functions->object;
    const HieraSymbol *frame = hiera_object_frame(object, original->begin);
    const RangeMap map = {copy, range};
    const GArray *moves = copy->out->moves;
    const HieraFrameCopy to = {range->begin,
                               range->end,
                               find_copy,
                               &map,
                               &g_array_index(moves, HieraCodeMove, range->first_move),
                               moves->len - range->first_move};
    HieraFrameRules rules;
    HieraFrameGaps gaps = {0};
    if (!frame) /* without a frame no exception passes through the original either */
        return;
    if (!hiera_frame_rules_find(object, frame, &rules) || rules.is_odd || rules.begin != original->begin ||
        rules.end < original->end || !hiera_frame_rules_copy(&rules, &to, copy->copies->frames, &gaps)) {
        hiera_copying_refuse(copy, "its description in .eh_frame is not understood");
        return;
    }
    guint32 exceptions = copy_exceptions(copy, range, frame, &rules);
    add_fixup(copy, gaps.begin, range->begin);
    if (exceptions != 0)
        add_fixup(copy, gaps.lsda, exceptions);
    gint64 routine = rules.personality != 0 ? (gint64)(rules.personality - copy->copies->begin) : 0;
    add_fixup(copy, gaps.personality,
              hiera_code_personality(copy->out, routine, rules.personality_is_pointer, copy->function));
}
