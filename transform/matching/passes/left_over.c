#include "left_over.h"
#include "hiera_load.h"
#include "matching/match.h"
#include "matching/settled.h"
#include "trace/before.h"
#include "trace/held_pieces.h"
#include "trace/replay.h"

/* Position of a collective without all its partners (hiera_match_position), found by the process that has all calls of
 * its rank. */
typedef struct {
    guint32 index; /* index of the operation among the kept ones of its processor */
    guint32 position;
} Position;

struct HieraLeftOver {
    HieraTrace *trace;
    HieraMatch *match;
    GArray *chosen; /* guint8 by row: 1 where --where holds; NULL: there is no --where */
};

/* What process 0 has received about one processor. */
typedef struct {
    gpointer piece;      /* the processor's operations, as the builder's sink keeps them */
    GArray *positions;   /* Position, for collectives without all their partners */
    GArray *chosen;      /* guint8, by kept operation: 1 where --where holds; empty: there is no --where */
    HieraBefore *before; /* counts before the processor's trace; NULL: the trace begins with the run */
} Left;

typedef struct {
    const HieraMatch *match;
    const HieraScope *scope;
    HieraSettled *settled;
    HieraBuilder *builder;
    HieraSink sink;
    Left *left; /* in process 0: what was received, by processor */
} Gathering;

/* --- packing the kept operations, in each process --- */

/* Add an operation to what is sent. If its partners may be left out, it goes without communicator and requests. */
static void add_operation(const Gathering *gathering, gpointer piece, const HieraProcessor *of, guint32 row,
                          const guint32 *places)
{
    HieraOperation operation = hiera_trace_make_operation(gathering->match->trace, of, row);
    if (operation.parent != HIERA_NO_PARENT)
        operation.parent = places[operation.parent];
    if (hiera_settled_is_alone(gathering->settled, row)) {
        operation.comm = operation.other = HIERA_NONE;
        operation.n_requests = 0;
    }
    gathering->sink.operation(piece, &operation);
}

/* Pack which kept operations began before the trace. @param places  old number → number among kept operations */
static void pack_carried(const Gathering *gathering, const HieraProcessor *of, const guint32 *places, HieraPacker *to)
{
    g_autoptr(GArray) left = g_array_new(FALSE, FALSE, sizeof(HieraCarried));
    for (guint i = 0; i < of->before->carried->len; i++) {
        HieraCarried carried = g_array_index(of->before->carried, HieraCarried, i);
        if (!hiera_settled_keeps(gathering->settled, (guint32)(of->first + carried.index)))
            continue;
        carried.index = places[carried.index];
        g_array_append_val(left, carried);
    }
    hiera_pack_array(to, left);
}

static void pack_processor(const Gathering *gathering, guint32 number, HieraPacker *to)
{
    const HieraTrace *trace = gathering->match->trace;
    const guint8 *chosen = gathering->scope->chosen;
    const HieraProcessor *of = &trace->processors[number];
    g_autofree guint32 *places = g_new(guint32, (gsize)of->n_operations + 1);
    g_autoptr(GArray) positions = g_array_new(FALSE, FALSE, sizeof(Position));
    g_autoptr(GArray) chosen_left = g_array_new(FALSE, FALSE, 1);
    gpointer piece = gathering->sink.begin(gathering->sink.user, of);
    guint32 n = 0;
    for (guint32 i = 0; i < of->n_operations; i++) {
        guint32 row = (guint32)of->first + i;
        const Position position = {n, hiera_match_position(gathering->match, row)};
        if (!hiera_settled_keeps(gathering->settled, row))
            continue;
        add_operation(gathering, piece, of, row, places);
        if (position.position != 0)
            g_array_append_val(positions, position);
        if (chosen)
            g_array_append_val(chosen_left, chosen[row]);
        places[i] = n++;
    }
    for (guint i = 0; i < trace->filtered->len; i++) {
        const HieraFilteredOf *filtered = &g_array_index(trace->filtered, HieraFilteredOf, i);
        if (filtered->processor == number)
            gathering->sink.filtered(piece, &filtered->sum);
    }
    gathering->sink.pack(piece, of, to);
    gathering->sink.end(gathering->sink.user, piece, of, FALSE);
    hiera_pack_array(to, positions);
    hiera_pack_array(to, chosen_left);
    if (of->before)
        pack_carried(gathering, of, places, to);
}

static void pack_all(HieraPacker *to, gpointer user)
{
    const Gathering *gathering = user;
    for (guint32 i = 0; i < gathering->match->trace->n_processors; i++) {
        if (!hiera_scope_is_own(gathering->scope, i))
            continue;
        hiera_pack_number(to, i);
        pack_processor(gathering, i, to);
    }
    hiera_pack_number(to, HIERA_NONE);
}

/* --- unpacking the kept operations, in process 0 --- */

static void unpack_processor(const Gathering *gathering, guint32 number, HieraUnpacker *from)
{
    const HieraTrace *trace = gathering->match->trace;
    const HieraProcessor *of = &trace->processors[number];
    Left *left = &gathering->left[number];
    left->piece = gathering->sink.unpack(gathering->sink.user, of, from);
    left->positions = g_array_new(FALSE, FALSE, sizeof(Position));
    left->chosen = g_array_new(FALSE, FALSE, 1);
    hiera_unpack_array(from, left->positions);
    hiera_unpack_array(from, left->chosen);
    if (!of->before)
        return;
    left->before = hiera_catalog_before(trace->catalog);
    hiera_before_take_counts(left->before, of->before);
    hiera_unpack_array(from, left->before->carried);
}

static void unpack_all(HieraUnpacker *from, gpointer user)
{
    for (guint32 i = (guint32)hiera_unpack_number(from); i != HIERA_NONE; i = (guint32)hiera_unpack_number(from))
        unpack_processor(user, i, from);
}

static HieraTrace *make_trace(const Gathering *gathering, GError **error)
{
    const HieraTrace *trace = gathering->match->trace;
    g_autoptr(GArray) processors = g_array_new(FALSE, FALSE, sizeof(HieraProcessor));
    guint64 first = 0;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        HieraProcessor processor = trace->processors[i];
        processor.first = first;
        processor.before = gathering->left[i].before;
        first += processor.n_operations = ((const HieraPiece *)gathering->left[i].piece)->n;
        g_array_append_val(processors, processor);
        gathering->sink.end(gathering->sink.user, gathering->left[i].piece, &processor, TRUE);
    }
    return hiera_builder_take_trace(gathering->builder, processors, error);
}

static void set_positions(const Gathering *gathering, const HieraMatch *match)
{
    for (guint32 i = 0; i < match->trace->n_processors; i++) {
        const GArray *positions = gathering->left[i].positions;
        for (guint n = 0; n < positions->len; n++) {
            const Position *of = &g_array_index(positions, Position, n);
            guint32 row = (guint32)match->trace->processors[i].first + of->index;
            g_hash_table_insert(match->position, GUINT_TO_POINTER(row), GUINT_TO_POINTER(of->position));
        }
    }
}

static GArray *join_chosen(const Gathering *gathering)
{
    GArray *chosen = g_array_new(FALSE, FALSE, 1);
    for (guint32 i = 0; i < gathering->match->trace->n_processors; i++) {
        const GArray *of = gathering->left[i].chosen;
        g_array_append_vals(chosen, of->data, of->len);
    }
    return chosen;
}

static HieraLeftOver *make(const Gathering *gathering, GError **error)
{
    HieraTrace *trace = make_trace(gathering, error);
    if (!trace)
        return NULL;
    HieraLeftOver *left = g_new(HieraLeftOver, 1);
    *left = (HieraLeftOver){trace, hiera_match_build(trace), gathering->scope->chosen ? join_chosen(gathering) : NULL};
    set_positions(gathering, left->match);
    return left;
}

static void clear(Left *left)
{
    g_clear_pointer(&left->positions, g_array_unref);
    g_clear_pointer(&left->chosen, g_array_unref);
}

HieraLeftOver *hiera_left_over_gather(const HieraMatch *match, const HieraScope *scope, GError **error)
{
    HieraTrace *trace = (HieraTrace *)match->trace;
    g_autoptr(HieraBuilder) builder = hiera_builder_new(trace->catalog, 0);
    g_autofree Left *received = g_new0(Left, (gsize)trace->n_processors + 1);
    Gathering gathering = {match,   scope, hiera_settled_find(match, scope), builder, hiera_builder_sink(builder),
                           received};
    hiera_scope_gather(scope, trace, pack_all, unpack_all, &gathering);
    hiera_settled_free(gathering.settled);
    HieraLeftOver *left = hiera_scope_leads(scope) ? make(&gathering, error) : NULL;
    for (guint32 i = 0; i < trace->n_processors; i++)
        clear(&received[i]);
    return left;
}

const HieraMatch *hiera_left_over_peek(const HieraLeftOver *left)
{
    return left->match;
}

const guint8 *hiera_left_over_peek_chosen(const HieraLeftOver *left)
{
    return left->chosen ? (const guint8 *)left->chosen->data : NULL;
}

void hiera_left_over_free(HieraLeftOver *left)
{
    if (!left)
        return;
    hiera_match_free(left->match);
    hiera_trace_free(left->trace);
    g_clear_pointer(&left->chosen, g_array_unref);
    g_free(left);
}
