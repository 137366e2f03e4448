/* See trace_file.h. Here are the functions for open elements and for declarations of a trace file. */
#include "memory/signal_safe_memory.h"
#include "trace_file.h"

/* Double the room for open elements. If there is no memory, nothing changes: the three arrays must have the same size.
 */
static bool make_room(HieraTraceFile *stream)
{
    size_t old = stream->room_frames, room = old ? 2 * old : 32, each = sizeof *stream->frames;
    HieraFrame *frames = hiera_memory_new(room * each), *kept = hiera_memory_new(room * each);
    uint8_t *safe_frames = hiera_memory_new(room);
    if (!frames || !kept || !safe_frames) {
        hiera_memory_free(frames, room * each);
        hiera_memory_free(kept, room * each);
        hiera_memory_free(safe_frames, room);
        return false;
    }
    if (old > 0) {
        memcpy(frames, stream->frames, old * each);
        memcpy(kept, stream->kept, old * each);
        memcpy(safe_frames, stream->safe_frames, old);
    }
    HieraTraceFile was = *stream;
    stream->frames = frames;
    stream->kept = kept;
    stream->safe_frames = safe_frames;
    stream->room_frames = room;
    hiera_memory_free(was.frames, old * each);
    hiera_memory_free(was.kept, old * each);
    hiera_memory_free(was.safe_frames, old);
    return true;
}

bool hiera_trace_file_make_room(HieraTraceFile *stream)
{
    if (stream->state.unkept == 0 && (stream->n_frames < stream->room_frames || make_room(stream)))
        return true;
    stream->state.unkept++;
    return false;
}

bool hiera_trace_file_end_unkept(HieraTraceFile *stream)
{
    if (stream->state.unkept == 0)
        return false;
    stream->state.unkept--;
    return true;
}

bool hiera_trace_file_push(HieraTraceFile *stream, HieraFrame frame)
{
    if (stream->n_frames == stream->room_frames && !make_room(stream))
        return false;
    stream->frames[stream->n_frames++] = frame;
    stream->depth += frame.element != HIERA_FRAME_FILTERED;
    return true;
}

HieraFrame hiera_trace_file_pop(HieraTraceFile *stream)
{
    HieraFrame frame = stream->frames[--stream->n_frames];
    stream->depth -= frame.element != HIERA_FRAME_FILTERED;
    return frame;
}

bool hiera_trace_file_has_declared(const HieraTraceFile *stream, HieraDeclaredKind kind, uint32_t id)
{
    const HieraDeclaration *declared = hiera_stable_at(&stream->declared[kind], id);
    return declared && declared->version != 0 && declared->declaring == stream->declaring;
}

bool hiera_trace_file_declare(HieraTraceFile *stream, HieraDeclaredKind kind, uint32_t id, uint32_t version)
{
    HieraDeclaration *declared = hiera_stable_at(&stream->declared[kind], id);
    if (declared && declared->version == version && declared->declaring == stream->declaring)
        return true;
    declared = hiera_stable_make(&stream->declared[kind], id);
    if (!declared)
        return true; /* no memory: the declaration is missing in the file, but operations that refer to it are not */
    *declared = (HieraDeclaration){version, stream->declaring};
    return false;
}

void hiera_trace_file_forget_declared(HieraTraceFile *stream, HieraDeclaredKind kind, uint32_t id)
{
    hiera_stable_drop(&stream->declared[kind], id);
}
