/* The sink of hiera_load that passes operations to a measure while they are read. */
#include "hiera_measure.h"

struct HieraStream {
    const HieraMeasure *measure;
    const HieraReadOps *read;
    const HieraJobOps *job; /* NULL: each row of the measure is about one rank */
    const HieraScope *scope;
    const HieraCatalog *catalog;
    HieraTable *table;
    gpointer all; /* with `job`: the measure's state for all ranks, until HieraJobOps.close; else NULL */
};

/* State of one processor; `inner` is the state that the measure made for it, NULL if it is not in the scope. */
typedef struct {
    const HieraStream *stream;
    gpointer inner;
} State;

static gpointer begin(gpointer user, const HieraProcessor *processor)
{
    const HieraStream *stream = user;
    State *state = g_new0(State, 1);
    state->stream = stream;
    if (hiera_scope_accepts_rank(stream->scope, processor->rank))
        state->inner = stream->read->begin(stream->scope, processor);
    return state;
}

static void operation(gpointer data, const HieraOperation *operation)
{
    State *state = data;
    const HieraStream *stream = state->stream;
    if (state->inner && (hiera_measure_is(stream->measure, HIERA_MEASURE_WHOLE) ||
                         (hiera_scope_accepts_operation(stream->scope, operation) &&
                          hiera_scope_accepts_time(stream->scope, operation->start_ns))))
        stream->read->operation(state->inner, operation);
}

/* Pass calls that a filter left out, unless the scope has a depth, times or --where: filtered calls have none of these.
 *  */
static void filtered(gpointer data, const HieraFiltered *filtered)
{
    State *state = data;
    const HieraScope *scope = state->stream->scope;
    gboolean narrowed = scope->depth >= 0 || scope->where || scope->from_ns != G_MININT64 || scope->to_ns != G_MAXINT64;
    if (state->inner && state->stream->read->filtered && !narrowed && hiera_scope_accepts_site(scope, filtered->site))
        state->stream->read->filtered(state->inner, filtered);
}

static void summed(gpointer data, const HieraSummed *summed)
{
    State *state = data;
    const HieraStream *stream = state->stream;
    if (state->inner && stream->read->summed &&
        (hiera_measure_is(stream->measure, HIERA_MEASURE_WHOLE) || hiera_scope_accepts_summed(stream->scope, summed)))
        stream->read->summed(state->inner, summed);
}

static void asserted(gpointer data, const HieraAsserted *asserted)
{
    State *state = data;
    if (state->inner && state->stream->read->records.asserted)
        state->stream->read->records.asserted(state->inner, asserted);
}

static void counted(gpointer data, const HieraCounted *counted)
{
    State *state = data;
    if (state->inner && state->stream->read->records.counted)
        state->stream->read->records.counted(state->inner, counted);
}

static void saved(gpointer data, const char *line)
{
    State *state = data;
    if (state->inner && state->stream->read->records.saved)
        state->stream->read->records.saved(state->inner, line);
}

#define X(type, name, texts)                                                                                           \
    static void name(gpointer data, const type *record)                                                                \
    {                                                                                                                  \
        State *state = data;                                                                                           \
        if (state->inner && state->stream->read->records.name)                                                         \
            state->stream->read->records.name(state->inner, record);                                                   \
    }
HIERA_RECORDS(X)
#undef X

static void end(gpointer user, gpointer data, const HieraProcessor *processor, gboolean keep)
{
    const HieraStream *stream = user;
    State *state = data;
    if (state->inner && stream->job)
        stream->job->merge(stream->all, state->inner, processor, keep);
    else if (state->inner)
        stream->measure->rank->end(state->inner, processor, stream->catalog, keep ? stream->table : NULL);
    g_free(state);
}

/* --- states of processors from other processes --- */

static void pack(gpointer data, const HieraProcessor *processor, HieraPacker *to)
{
    const State *state = data;
    hiera_pack_number(to, state->inner != NULL);
    if (state->inner)
        state->stream->read->pack(state->inner, processor, to);
}

static gpointer unpack(gpointer user, const HieraProcessor *processor, HieraUnpacker *from)
{
    const HieraStream *stream = user;
    State *state = g_new0(State, 1);
    state->stream = stream;
    if (hiera_unpack_number(from))
        state->inner = stream->read->unpack(stream->scope, processor, from);
    return state;
}

/* --- making and ending a HieraStream --- */

HieraStream *hiera_stream_new(const HieraMeasure *measure, const HieraScope *scope, const HieraCatalog *catalog,
                              HieraTable *table)
{
    HieraStream *stream = g_new0(HieraStream, 1);
    *stream = (HieraStream){
        measure, hiera_measure_peek_read(measure), hiera_measure_peek_job(measure), scope, catalog, table, NULL};
    if (stream->job)
        stream->all = stream->job->open(scope);
    return stream;
}

static void close_all(HieraStream *stream, HieraTable *table)
{
    if (stream->all)
        stream->job->close(stream->all, stream->catalog, table);
    stream->all = NULL;
}

void hiera_stream_finish(HieraStream *stream)
{
    close_all(stream, stream->table);
}

gpointer hiera_stream_peek(const HieraStream *stream)
{
    return stream->all;
}

void hiera_stream_free(HieraStream *stream)
{
    close_all(stream, NULL);
    g_free(stream);
}

HieraSink hiera_stream_sink(HieraStream *stream)
{
    gboolean packs = stream->read->pack != NULL;
    return (HieraSink){
        .begin = begin,
        .operation = operation,
        .end = end,
        .user = stream,
        .filtered = filtered,
        .asserted = asserted,
        .counted = counted,
        .saved = saved,
#define X(type, name, texts) .name = stream->read->records.name ? name : NULL,
        HIERA_RECORDS(X)
#undef X
            .summed = summed,
        .pack = packs ? pack : NULL,
        .unpack = packs ? unpack : NULL,
    };
}
