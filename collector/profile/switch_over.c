#include "switch_over.h"

#include "awaited.h"
#include "memory/signal_safe_memory.h"
#include "tree_format.h"
#include "write/element.h"

#include <string.h>

static size_t switch_over_bytes(size_t n_frames)
{
    return sizeof(HieraSwitchOver) + n_frames * sizeof(HieraProfileNode *);
}

static HieraProfile *profile_of(const HieraTraceFile *stream)
{
    HieraProfile *profile = hiera_profiles;
    while (profile && (profile->stream != stream || !profile->switch_over))
        profile = profile->next;
    return profile;
}

/* Return 1 + the row of totals for an open filtered region; 0: the element is no filtered region. */
static uint32_t sum_of(HieraProfile *profile, const HieraTraceFile *stream, const HieraFrame *frame)
{
    const HieraSumRow *there = frame->sum != 0 ? &stream->sums.rows[frame->sum - 1] : NULL;
    if (!there || !there->level)
        return 0;
    HieraSumRow *row = hiera_sums_of_region(&profile->sums, there->level, there->level + strlen(there->level) + 1);
    return row ? (uint32_t)(row - profile->sums.rows) + 1 : 0;
}

/* Make a node for an element that is open in the file; operations inside the element get nodes below this one. */
static bool open_frame(HieraProfile *profile, const HieraTraceFile *stream, uint32_t i)
{
    const HieraFrame *frame = &stream->frames[i];
    HieraProfileOpen open = {.node = hiera_profile_inside(profile), .start = frame->start, .is_filtered = true};
    open.sum = sum_of(profile, stream, frame);
    if (frame->element != HIERA_FRAME_FILTERED) {
        open.node = hiera_node_search(profile, open.node, HIERA_NODE_FRAME, i, NULL);
        open.frame = i + 1;
        profile->switch_over->frames[i] = open.node;
    }
    return open.node && hiera_profile_push(profile, open);
}

static HieraProfile *open_profile(HieraThread *thread)
{
    HieraTraceFile *stream = thread->stream;
    HieraProfile *profile = hiera_profile_new(thread->number);
    if (!profile)
        return NULL;
    profile->switch_over_bytes = switch_over_bytes(stream->n_frames);
    bool good = (profile->switch_over = hiera_memory_new(profile->switch_over_bytes)) != NULL;
    if (good)
        profile->switch_over->n_frames = stream->n_frames;
    for (uint32_t i = 0; good && i < stream->n_frames; i++)
        good = open_frame(profile, stream, i);
    profile->unkept = (uint32_t)stream->state.unkept;
    profile->stream = stream;
    if (good)
        return profile;
    hiera_profile_free(profile);
    return NULL;
}

static void put_inside(HieraTraceFile *stream, size_t frame)
{
    const HieraProfile *profile = profile_of(stream);
    size_t depth = stream->depth;
    if (!profile || frame >= profile->switch_over->n_frames || !profile->switch_over->frames[frame])
        return;
    stream->depth = frame + 1;
    hiera_tree_put_inside(stream, profile, profile->switch_over->frames[frame]);
    stream->depth = depth;
}

bool hiera_switch_over_make(HieraThread *thread, void (*tail)(HieraTraceFile *))
{
    HieraTraceFile *stream = thread->stream;
    HieraProfile *profile = stream->error == 0 ? open_profile(thread) : NULL;
    if (!profile)
        return false;
    hiera_trace_file_begin(stream);
    HIERA_ELEMENT_OPEN(stream, "<hieraSeam time=\"");
    hiera_text_seconds(stream->text, hiera_element_time_ns(hiera_clock_ticks()));
    HIERA_TEXT_LITERAL(stream->text, "\" reason=\"recording limit\"/>");
    if (!hiera_trace_file_end(stream, tail, HIERA_FLUSH_MORE)) {
        hiera_profile_free(profile);
        return false;
    }
    profile->switch_over->objects = stream->state.objects;
    profile->switch_over->counters = stream->state.counters;
    stream->put_inside = put_inside;
    thread->profile = profile;
    return true;
}

void hiera_switch_over_end_frame(HieraProfile *profile, uint32_t frame, uint64_t ticks)
{
    const HieraFrame *there = &profile->stream->frames[frame];
    if (there->patch != 0)
        hiera_element_patch_finish(profile->stream, *there, ticks);
}

/* Write the tree into the tail. The next flush overwrites the tail, so declarations in it do not count as made. */
void hiera_switch_over_put(HieraTraceFile *stream)
{
    const HieraProfile *profile = profile_of(stream);
    size_t depth = stream->depth;
    if (!profile)
        return;
    stream->depth = 0;
    hiera_tree_put(stream, profile);
    stream->depth = depth;
    stream->declaring++;
    stream->state.objects = profile->switch_over->objects;
    stream->state.counters = profile->switch_over->counters;
}

static HieraProfileNode *no_node(const HieraProfileNode *node)
{
    (void)node;
    return NULL;
}

void hiera_switch_over_forget(HieraProfile *profile)
{
    hiera_awaited_move(profile, NULL, no_node);
    hiera_profile_free(profile);
}
