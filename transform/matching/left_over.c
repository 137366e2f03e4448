/* See left_over.h. */
#include "left_over.h"
#include "hiera_load.h"
#include "match.h"
#include "settled.h"
#include "trace/held_pieces.h"
#include "trace/replay.h"

/* The index, from 1, of a collective without all its partners, as the process knows it that has all calls of its rank.
 */
typedef struct {
    guint32 index; /* of the operation, among those of its processor that are left */
    guint32 position;
} Position;

struct HieraLeftOver {
    HieraTrace *trace;
    HieraMatch *match;
};

typedef struct {
    const HieraMatch *match;
    const HieraScope *scope;
    HieraSettled *settled;
    HieraBuilder *builder;
    HieraSink sink;
    gpointer *pieces;   /* by processor, of the sink */
    GArray **positions; /* by processor: Position */
} Gathering;

/* --- one process tells --- */

/* Without communicator a call has no partners, and is none. */
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

static void tell_processor(const Gathering *gathering, guint32 number, HieraPacker *to)
{
    const HieraTrace *trace = gathering->match->trace;
    const HieraProcessor *of = &trace->processors[number];
    g_autofree guint32 *places = g_new(guint32, (gsize)of->n_operations + 1);
    g_autoptr(GArray) positions = g_array_new(FALSE, FALSE, sizeof(Position));
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
}

static void tell(HieraPacker *to, gpointer user)
{
    const Gathering *gathering = user;
    for (guint32 i = 0; i < gathering->match->trace->n_processors; i++) {
        if (!hiera_scope_is_own(gathering->scope, i))
            continue;
        hiera_pack_number(to, i);
        tell_processor(gathering, i, to);
    }
    hiera_pack_number(to, HIERA_NONE);
}

/* --- the one that leads hears --- */

static void hear(HieraUnpacker *from, gpointer user)
{
    const Gathering *gathering = user;
    const HieraProcessor *processors = gathering->match->trace->processors;
    for (guint32 i = (guint32)hiera_unpack_number(from); i != HIERA_NONE; i = (guint32)hiera_unpack_number(from)) {
        gathering->pieces[i] = gathering->sink.unpack(gathering->sink.user, &processors[i], from);
        gathering->positions[i] = g_array_new(FALSE, FALSE, sizeof(Position));
        hiera_unpack_array(from, gathering->positions[i]);
    }
}

static HieraTrace *make_trace(const Gathering *gathering, GError **error)
{
    const HieraTrace *trace = gathering->match->trace;
    g_autoptr(GArray) processors = g_array_new(FALSE, FALSE, sizeof(HieraProcessor));
    guint64 first = 0;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        HieraProcessor processor = trace->processors[i];
        processor.first = first;
        first += processor.n_operations = ((const HieraPiece *)gathering->pieces[i])->n;
        g_array_append_val(processors, processor);
        gathering->sink.end(gathering->sink.user, gathering->pieces[i], &processor, TRUE);
    }
    return hiera_builder_take_trace(gathering->builder, processors, error);
}

static void set_positions(const Gathering *gathering, const HieraMatch *match)
{
    for (guint32 i = 0; i < match->trace->n_processors; i++) {
        const GArray *positions = gathering->positions[i];
        for (guint n = 0; n < positions->len; n++) {
            const Position *of = &g_array_index(positions, Position, n);
            guint32 row = (guint32)match->trace->processors[i].first + of->index;
            g_hash_table_insert(match->position, GUINT_TO_POINTER(row), GUINT_TO_POINTER(of->position));
        }
    }
}

static HieraLeftOver *make(const Gathering *gathering, GError **error)
{
    HieraTrace *trace = make_trace(gathering, error);
    if (!trace)
        return NULL;
    HieraLeftOver *left = g_new(HieraLeftOver, 1);
    *left = (HieraLeftOver){trace, hiera_match_build(trace)};
    set_positions(gathering, left->match);
    return left;
}

HieraLeftOver *hiera_left_over_gather(const HieraMatch *match, const HieraScope *scope, GError **error)
{
    HieraTrace *trace = (HieraTrace *)match->trace;
    g_autoptr(HieraBuilder) builder = hiera_builder_new(trace->catalog, 0);
    g_autofree gpointer *pieces = g_new0(gpointer, (gsize)trace->n_processors + 1);
    g_autofree GArray **positions = g_new0(GArray *, (gsize)trace->n_processors + 1);
    Gathering gathering = {match,  scope,    hiera_settled_find(match, scope), builder, hiera_builder_sink(builder),
                           pieces, positions};
    hiera_scope_gather(scope, trace, tell, hear, &gathering);
    hiera_settled_free(gathering.settled);
    HieraLeftOver *left = hiera_scope_leads(scope) ? make(&gathering, error) : NULL;
    for (guint32 i = 0; i < trace->n_processors; i++)
        g_clear_pointer(&positions[i], g_array_unref);
    return left;
}

const HieraMatch *hiera_left_over_peek(const HieraLeftOver *left)
{
    return left->match;
}

void hiera_left_over_free(HieraLeftOver *left)
{
    if (!left)
        return;
    hiera_match_free(left->match);
    hiera_trace_free(left->trace);
    g_free(left);
}
