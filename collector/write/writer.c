/* See writer.h. Walks over the records of a buffer and keeps the stack of open elements. */
#include "writer.h"

#include "base/clock.h"
#include "element.h"
#include "filter_rules.h"
#include "filtered_regions.h"
#include "level_ops.h"
#include "loops.h"
#include "places/call_site.h"
#include "record/assertion.h"
#include "region_format.h"
#include "repeats.h"

/* Add a filtered region to its totals when it begins; its time is added when it ends. Returns the frame to push. */
static HieraFrame count_region(HieraTraceFile *stream, HieraSumRow *row, const HieraRecord *record)
{
    hiera_sums_add(row, -1, -1, 0);
    return (HieraFrame){
        .element = HIERA_FRAME_FILTERED, .sum = (uint32_t)(row - stream->sums.rows) + 1, .start = record->start};
}

static void count_region_time(HieraTraceFile *stream, HieraFrame frame, uint64_t finish)
{
    if (frame.sum != 0 && finish > frame.start)
        stream->sums.rows[frame.sum - 1].sum.time_ns += hiera_clock_ns(finish) - hiera_clock_ns(frame.start);
}

/* Whether this record begins the calls in callbacks of the last call; it is a FILTERED record without a call site. */
static bool begins_callbacks(const HieraRecord *record)
{
    return record->call == HIERA_RECORD_FILTERED && !record->site;
}

/* Whether this record begins the calls in callbacks of the last call, whose element was left open for them. */
static bool is_held(HieraTraceFile *stream, const HieraRecord *record)
{
    bool held = stream->state.holds && begins_callbacks(record);
    stream->state.holds = false;
    return held;
}

/* Whether the last call's element was left open for calls in callbacks in vain: this record does not begin them. */
static bool is_held_in_vain(const HieraTraceFile *stream, const HieraRecord *record)
{
    return HIERA_UNLIKELY(stream->state.holds) && record->call != HIERA_RECORD_FLUSH && !begins_callbacks(record);
}

/* Write the begin of a region. Returns whether the record counts as an operation of the trace. */
static bool begin_region(HieraTraceFile *stream, const HieraRecord *record)
{
    HieraFrame frame = {.element = HIERA_FRAME_FILTERED};
    bool is_region = record->call == HIERA_RECORD_FUNCTION || record->call == HIERA_RECORD_REGION;
    if (is_held(stream, record))
        return false;
    if (!hiera_trace_file_make_room(stream)) {
        stream->state.lost_open += is_region;
        return false;
    }
    /* Read `finish` only once, because the region's thread may set it at any moment. */
    HieraRecord head = {.site = record->site, .start = record->start};
    head.finish = __atomic_load_n(&record->finish, __ATOMIC_RELAXED);
    HieraSumRow *row = is_region ? hiera_region_hide(&stream->sums, record, head.finish) : NULL;
    if (row) {
        frame = count_region(stream, row, record);
    } else if (is_region) {
        frame = hiera_region_put_begin(stream, record, &head);
        if (!frame.is_held)
            stream->start_tag_open = true;
    }
    hiera_trace_file_push(stream, frame);
    return is_region && !row;
}

static void end_region(HieraTraceFile *stream, const HieraRecord *record)
{
    if (hiera_trace_file_end_unkept(stream) || stream->n_frames == 0)
        return;
    HieraFrame frame = hiera_trace_file_pop(stream);
    if (frame.patch != 0)
        hiera_element_patch_finish(stream, frame, record->start);
    count_region_time(stream, frame, record->start);
    if (frame.element == HIERA_FRAME_FILTERED)
        return;
    if (stream->loops && frame.element == HIERA_FRAME_CALL)
        hiera_loops_add_end(stream, frame.element);
    else
        hiera_element_close(stream, frame.element);
}

static void close_held(HieraTraceFile *stream)
{
    stream->state.holds = false;
    hiera_element_close(stream, hiera_trace_file_pop(stream).element);
}

static void write_flush(HieraTraceFile *stream, const HieraRecord *record)
{
    HIERA_ELEMENT_OPEN(stream, "<hieraFlush");
    hiera_element_put_times(stream, record, NULL);
    HIERA_TEXT_LITERAL(stream->text, "/>");
}

/* Whether the innermost open region has an element; a filtered region has none. */
static bool is_in_element(const HieraTraceFile *stream)
{
    return stream->state.unkept == 0 && stream->n_frames > 0 &&
           stream->frames[stream->n_frames - 1].element != HIERA_FRAME_FILTERED;
}

static void write_values(HieraTraceFile *stream, const HieraValuesRecord *record)
{
    if (is_in_element(stream))
        hiera_region_put_values(stream, record);
}

static void write_counters(HieraTraceFile *stream, const HieraCountersRecord *record)
{
    if (is_in_element(stream))
        hiera_region_put_counters(stream, record);
}

/* Write a record that is no MPI call. Returns whether the record counts as an operation of the trace. */
static bool write_record(HieraTraceFile *stream, const HieraRecord *record)
{
    switch (record->call) {
    case HIERA_RECORD_END:
        end_region(stream, record);
        return false;
    case HIERA_RECORD_REGION:
    case HIERA_RECORD_FUNCTION:
    case HIERA_RECORD_FILTERED:
        return begin_region(stream, record);
    case HIERA_RECORD_COUNTED:
        hiera_region_put_counted(stream, record);
        return false;
    case HIERA_RECORD_VALUES:
        write_values(stream, (const HieraValuesRecord *)(const void *)record);
        return false;
    case HIERA_RECORD_COUNTERS:
        write_counters(stream, (const HieraCountersRecord *)(const void *)record);
        return false;
    case HIERA_RECORD_FLUSH:
        write_flush(stream, record);
        return false;
    default:
        return false;
    }
}

/* Fast path for regions without nested elements, which are frequent: begin and end are written at once, and the tree
 * does not change. */
static inline bool write_leaf(HieraTraceFile *stream, const HieraRecord *record, const char *end)
{
    const char *next = (const char *)record + record->bytes;
    if ((record->call != HIERA_RECORD_REGION && record->call != HIERA_RECORD_FUNCTION) || next >= end ||
        ((const HieraRecord *)(const void *)next)->call != HIERA_RECORD_END ||
        __atomic_load_n(&record->finish, __ATOMIC_RELAXED) == 0) /* not ended yet: `finish` is set only once */
        return false;
    hiera_region_put_leaf(stream, record);
    return true;
}

/* Return the first record from `at` on that is not part of a sum (repeats.h). */
static inline const char *pass_sums(HieraTraceFile *stream, const char *at)
{
    return HIERA_UNLIKELY(stream->repeats != NULL) ? stream->repeats_ops->pass(stream, at) : at;
}

const char *hiera_writer_write(HieraTraceFile *stream, const char *begin, const char *end, bool all)
{
    uint64_t operations = 0;
    const char *at = begin;
    const bool may_be_leaf = !hiera_rules_concern_regions();
    stream->filtered = 0;
    hiera_loops_begin(stream);
    if (stream->repeats)
        stream->repeats_ops->decide(stream, begin, end);
    while (at < end && stream->error == 0) {
        if (is_held_in_vain(stream, (const HieraRecord *)(const void *)at))
            close_held(stream);
        const char *single = pass_sums(stream, at);
        if (single != at) {
            at = single;
            continue;
        }
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        if (record->call >= HIERA_RECORD_CALLS) {
            if (!all && __atomic_load_n(&record->finish, __ATOMIC_ACQUIRE) == 0)
                break;
            hiera_level.write(stream, record);
            at += record->bytes;
            operations++;
            continue;
        }
        bool leaf = may_be_leaf && write_leaf(stream, record, end);
        operations += leaf || write_record(stream, record);
        at += record->bytes + (leaf ? HIERA_END_BYTES : 0);
    }
    if (stream->n_held > 0 && stream->error == 0)
        hiera_loops_write(stream);
    if (stream->start_tag_open && stream->error == 0) {
        hiera_text_char(stream->text, '>');
        stream->start_tag_open = false;
    }
    stream->unsure = operations - stream->filtered;
    return at;
}

void hiera_writer_name_sites(const char *begin, const char *end)
{
    for (const char *at = begin; at < end;) {
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        if (record->call >= HIERA_RECORD_CALLS || record->call == HIERA_RECORD_REGION ||
            record->call == HIERA_RECORD_FUNCTION)
            hiera_site_resolve(record->site);
        at += record->bytes;
    }
}

static void leave_common(HieraTraceFile *stream)
{
    if (stream->n_common > stream->n_frames)
        stream->n_common = stream->n_frames;
}

static void skip_held(HieraTraceFile *stream)
{
    stream->state.holds = false;
    hiera_trace_file_pop(stream);
    leave_common(stream);
}

/* Update the tree for a record that is not written: a region that begins here needs no end tag, but a region that is
 * open in the file does. Filtered operations are counted. Returns the number of lost operations. */
static uint64_t skip_record(HieraTraceFile *stream, const HieraRecord *record)
{
    bool is_region = record->call == HIERA_RECORD_REGION || record->call == HIERA_RECORD_FUNCTION;
    if (is_held_in_vain(stream, record))
        skip_held(stream);
    if (record->call == HIERA_RECORD_FILTERED && is_held(stream, record))
        return 0;
    if ((is_region || record->call == HIERA_RECORD_FILTERED) && !hiera_trace_file_make_room(stream))
        return is_region;
    if (is_region || record->call == HIERA_RECORD_FILTERED) {
        HieraSumRow *row =
            is_region ? hiera_region_hide(&stream->sums, record, __atomic_load_n(&record->finish, __ATOMIC_RELAXED))
                      : NULL;
        hiera_trace_file_push(stream,
                              row ? count_region(stream, row, record) : (HieraFrame){.element = HIERA_FRAME_FILTERED});
        return is_region && !row;
    }
    if (record->call == HIERA_RECORD_COUNTED)
        return ((const HieraCountedRecord *)(const void *)record)->count;
    if (record->call == HIERA_RECORD_END && !hiera_trace_file_end_unkept(stream) && stream->n_frames > 0) {
        HieraFrame frame = hiera_trace_file_pop(stream);
        if (frame.patch != 0)
            hiera_element_patch_finish(stream, frame, record->start);
        count_region_time(stream, frame, record->start);
        leave_common(stream);
    }
    return record->call >= HIERA_RECORD_CALLS && !hiera_level.hide(&stream->sums, record);
}

void hiera_writer_skip(HieraTraceFile *stream, const char *begin, const char *end)
{
    for (const char *at = begin; at < end;) {
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        if (stream->repeats && stream->repeats_ops->is_sum(stream, at)) {
            at += record->bytes;
            continue;
        }
        stream->lost += skip_record(stream, record);
        at += record->bytes;
    }
}
