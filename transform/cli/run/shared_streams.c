#include "shared_streams.h"
#include "trace/replay.h"

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraSink sink;
    gpointer *states; /* by processor: state of the measure; NULL: the processor belongs to another process */
} Replay;

/* Send the measure's states of this process's processors to process 0. */
static void pack_states(HieraPacker *to, gpointer user)
{
    const Replay *replay = user;
    for (guint32 i = 0; i < replay->trace->n_processors; i++) {
        if (!replay->states[i])
            continue;
        hiera_pack_number(to, (gint64)i + 1);
        replay->sink.pack(replay->states[i], &replay->trace->processors[i], to);
    }
    hiera_pack_number(to, 0);
}

static void unpack_states(HieraUnpacker *from, gpointer user)
{
    const Replay *replay = user;
    for (gint64 i; (i = hiera_unpack_number(from)) > 0;)
        replay->states[i - 1] = replay->sink.unpack(replay->sink.user, &replay->trace->processors[i - 1], from);
}

static void replay_own(HieraStream *stream, const HieraTrace *trace, const HieraScope *scope)
{
    g_autofree gpointer *states = g_new0(gpointer, (gsize)trace->n_processors + 1);
    Replay replay = {trace, scope, hiera_stream_sink(stream), states};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (hiera_scope_is_own(scope, i))
            states[i] = hiera_trace_replay_one(trace, scope->chosen, i, &replay.sink);
    }
    hiera_scope_gather_others(scope, trace, pack_states, unpack_states, &replay);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (states[i])
            replay.sink.end(replay.sink.user, states[i], &trace->processors[i], hiera_scope_leads(scope));
    }
}

void shared_stream_replay(HieraStream *stream, const HieraTrace *trace, const HieraScope *scope)
{
    HieraSink sink = hiera_stream_sink(stream);
    if (scope->share.own)
        replay_own(stream, trace, scope);
    else
        hiera_trace_replay(trace, scope->chosen, &sink);
    hiera_stream_finish(stream);
}
