#include "where_stream.h"
#include "trace/catalog.h"

struct WhereStream {
    const Where *where;
    HieraCatalog *catalog;
    HieraSink *sinks;
    guint n_sinks;
    gboolean unsure, chosen; /* of all processors: whether answers are void; whether the expression ever holds */
};

/* State while the operations of one processor are read. */
typedef struct {
    const WhereStream *stream;
    WhereWalk walk;
    gpointer *states; /* by sink: the sink's state of this processor */
    gboolean chosen;  /* the expression holds for at least one operation of the processor */
} State;

WhereStream *where_stream_new(const Where *where, HieraCatalog *catalog, const HieraSink *sinks, guint n_sinks)
{
    WhereStream *stream = g_new0(WhereStream, 1);
    *stream = (WhereStream){where, catalog, g_memdup2(sinks, n_sinks * sizeof *sinks), n_sinks, FALSE, FALSE};
    return stream;
}

void where_stream_free(WhereStream *stream)
{
    if (stream)
        g_free(stream->sinks);
    g_free(stream);
}

static gpointer begin(gpointer user, const HieraProcessor *processor)
{
    const WhereStream *stream = user;
    State *state = g_new0(State, 1);
    state->stream = stream;
    where_walk_init(&state->walk, stream->catalog, processor, NULL);
    state->states = g_new(gpointer, stream->n_sinks + 1);
    for (guint i = 0; i < stream->n_sinks; i++)
        state->states[i] = stream->sinks[i].begin(stream->sinks[i].user, processor);
    return state;
}

static void operation(gpointer data, const HieraOperation *operation)
{
    State *state = data;
    const WhereStream *stream = state->stream;
    HieraOperation judged = *operation;
    where_walk_step(&state->walk, operation);
    judged.refused = !where_holds(stream->where, &state->walk);
    state->chosen = state->chosen || !judged.refused;
    for (guint i = 0; i < stream->n_sinks; i++)
        stream->sinks[i].operation(state->states[i], &judged);
}

static void filtered(gpointer data, const HieraFiltered *filtered)
{
    State *state = data;
    const WhereStream *stream = state->stream;
    for (guint i = 0; i < stream->n_sinks; i++) {
        if (stream->sinks[i].filtered)
            stream->sinks[i].filtered(state->states[i], filtered);
    }
}

static void asserted(gpointer data, const HieraAsserted *asserted)
{
    State *state = data;
    const WhereStream *stream = state->stream;
    for (guint i = 0; i < stream->n_sinks; i++) {
        if (stream->sinks[i].asserted)
            stream->sinks[i].asserted(state->states[i], asserted);
    }
}

static void counted(gpointer data, const HieraCounted *counted)
{
    State *state = data;
    const WhereStream *stream = state->stream;
    for (guint i = 0; i < stream->n_sinks; i++) {
        if (stream->sinks[i].counted)
            stream->sinks[i].counted(state->states[i], counted);
    }
}

static void saved(gpointer data, const char *line)
{
    State *state = data;
    const WhereStream *stream = state->stream;
    for (guint i = 0; i < stream->n_sinks; i++) {
        if (stream->sinks[i].saved)
            stream->sinks[i].saved(state->states[i], line);
    }
}

#define X(type, name, texts)                                                                                           \
    static void name(gpointer data, const type *record)                                                                \
    {                                                                                                                  \
        State *state = data;                                                                                           \
        const WhereStream *stream = state->stream;                                                                     \
        for (guint i = 0; i < stream->n_sinks; i++) {                                                                  \
            if (stream->sinks[i].name)                                                                                 \
                stream->sinks[i].name(state->states[i], record);                                                       \
        }                                                                                                              \
    }
HIERA_RECORDS(X)
#undef X

static void see_attribute(gpointer data, const HieraAttributeValue *value)
{
    where_walk_see(&((State *)data)->walk, value);
    attribute(data, value);
}

static void end(gpointer user, gpointer data, const HieraProcessor *processor, gboolean keep)
{
    WhereStream *stream = user;
    State *state = data;
    for (guint i = 0; i < stream->n_sinks; i++)
        stream->sinks[i].end(stream->sinks[i].user, state->states[i], processor, keep);
    stream->unsure = stream->unsure || (keep && state->walk.unsure);
    stream->chosen = stream->chosen || (keep && state->chosen);
    where_walk_clear(&state->walk);
    g_free(state->states);
    g_free(state);
}

static void pack(gpointer data, const HieraProcessor *processor, HieraPacker *to)
{
    const State *state = data;
    const WhereStream *stream = state->stream;
    hiera_pack_number(to, state->walk.unsure);
    hiera_pack_number(to, state->chosen);
    for (guint i = 0; i < stream->n_sinks; i++)
        stream->sinks[i].pack(state->states[i], processor, to);
}

static gpointer unpack(gpointer user, const HieraProcessor *processor, HieraUnpacker *from)
{
    const WhereStream *stream = user;
    State *state = g_new0(State, 1);
    state->stream = stream;
    where_walk_init(&state->walk, stream->catalog, processor, NULL);
    state->walk.unsure = (gboolean)hiera_unpack_number(from);
    state->chosen = (gboolean)hiera_unpack_number(from);
    state->states = g_new(gpointer, stream->n_sinks + 1);
    for (guint i = 0; i < stream->n_sinks; i++)
        state->states[i] = stream->sinks[i].unpack(stream->sinks[i].user, processor, from);
    return state;
}

static gboolean all_pack(const WhereStream *stream)
{
    gboolean all = TRUE;
    for (guint i = 0; i < stream->n_sinks; i++)
        all = all && stream->sinks[i].pack;
    return all;
}

HieraSink where_stream_sink(WhereStream *stream)
{
    gboolean packs = all_pack(stream);
    /* `summed` stays NULL, because --where is refused for traces with sums */
    HieraSink sink = {
        .begin = begin,
        .operation = operation,
        .end = end,
        .user = stream,
        .filtered = filtered,
        .asserted = asserted,
        .counted = counted,
        .saved = saved,
#define X(type, name, texts) .name = name,
        HIERA_RECORDS(X)
#undef X
            .pack = packs ? pack : NULL,
        .unpack = packs ? unpack : NULL,
    };
    sink.attribute = see_attribute;
    return sink;
}

gboolean where_stream_is_sure(const WhereStream *stream)
{
    return !stream->unsure && (!where_asks_files(stream->where) || hiera_catalog_has_plain_files(stream->catalog));
}

gboolean where_stream_has_chosen(const WhereStream *stream)
{
    return stream->chosen;
}
