/* Records → elements of a trace: the walk over a buffer, the tree, times and places.
 *
 * An element whose end is not known yet gets an empty finish time and room behind it; its end fills that in, in the
 * block or in the file. */
#include "writer.h"

#include "base/clock.h"
#include "filter_rules.h"
#include "level_ops.h"
#include "places/call_site.h"
#include "places/objects.h"
#include "region_format.h"

enum { INDENT_MAX = 16 };

/* The end of a time's attribute, with room for the longest time. */
static const char blank[] = "\"                     ";
enum { SLOT = sizeof blank - 1 };
_Static_assert(SLOT == HIERA_SECONDS_MAX + 1, "the room of a time that is filled in later");

static void close_start_tag(HieraStream *stream)
{
    if (stream->start_tag_open) {
        hiera_text_char(stream->text, '>');
        stream->start_tag_open = false;
    }
}

void hiera_writer_open_element(HieraStream *stream, const char *element, size_t length)
{
    static const char indent[] = "\n                                ";
    _Static_assert(sizeof indent - 2 == 2 * INDENT_MAX, "two blanks for each level");
    HieraText *text = stream->text;
    size_t depth = stream->declarer ? 0 : stream->depth + 1;
    close_start_tag(stream);
    hiera_text_padded(text, indent, sizeof indent - 1, 1 + 2 * (depth < INDENT_MAX ? depth : INDENT_MAX));
    if (length > 0)
        hiera_text_short(text, element, length);
}

static uint64_t latest_ns; /* no time in any stream is later */

static uint64_t noted(uint64_t ns)
{
    if (ns > latest_ns)
        latest_ns = ns;
    return ns;
}

uint64_t hiera_writer_start(HieraStream *stream, uint64_t ticks)
{
    uint64_t ns = hiera_clock_ns(ticks);
    if (ns < stream->last_start_ns)
        ns = stream->last_start_ns;
    stream->last_start_ns = ns;
    return noted(ns);
}

uint64_t hiera_writer_finish(const HieraStream *stream, uint64_t ticks)
{
    uint64_t ns = hiera_clock_ns(ticks);
    return noted(ns > stream->last_start_ns ? ns : stream->last_start_ns);
}

uint64_t hiera_writer_time(uint64_t ticks)
{
    return noted(hiera_clock_ns(ticks));
}

uint64_t hiera_writer_end(uint64_t ticks)
{
    hiera_writer_time(ticks);
    return latest_ns;
}

void hiera_writer_put_site(HieraStream *stream, const void *address)
{
    const HieraSiteText *site = hiera_site_resolve(address);
    if (site->length <= HIERA_SITE_ROOM)
        hiera_text_padded(stream->text, site->attributes, HIERA_SITE_ROOM, site->length);
    else
        hiera_text_bytes(stream->text, site->attributes, site->length);
}

/* The name of the object in ` file="libfoo.so+0x1a2b" line="0"`: its length, 0 in all other places. */
static size_t object_name_length(const HieraSiteText *site)
{
    static const char begin[] = " file=\"", end[] = "\" line=\"0\"";
    size_t n = site->length;
    if (n < sizeof begin + sizeof end || memcmp(site->attributes + n - (sizeof end - 1), end, sizeof end - 1) != 0)
        return 0;
    const char *name = site->attributes + sizeof begin - 1, *at = site->attributes + n - sizeof end;
    while (at > name && strncmp(at, "+0x", 3) != 0)
        at--;
    return (size_t)(at - name);
}

static void put_object(HieraText *text, const HieraObject *object, const char *name, size_t name_length)
{
    static const char digits[] = "0123456789abcdef";
    HIERA_TEXT_LITERAL(text, " name=\"");
    hiera_text_bytes(text, name, name_length);
    HIERA_TEXT_LITERAL(text, "\" build=\"");
    for (size_t i = 0; i < object->build_bytes; i++) {
        hiera_text_char(text, digits[object->build[i] >> 4]);
        hiera_text_char(text, digits[object->build[i] & 15]);
    }
    HIERA_TEXT_LITERAL(text, "\" path=\"");
    hiera_text_escaped(text, object->path, strlen(object->path));
    HIERA_TEXT_LITERAL(text, "\"/>");
}

/* The object at an address; its name is what stands before the offset in `place`. */
static void declare_object(HieraStream *stream, const void *address, const char *place, size_t name_length)
{
    unsigned number = 0;
    const HieraObject *object = HIERA_UNLIKELY(name_length > 0) ? hiera_object_find(address, &number) : NULL;
    if (!object || stream->objects >> number & 1)
        return;
    stream->objects |= UINT64_C(1) << number;
    hiera_writer_open_element(stream, "<hieraObject", 12);
    put_object(stream->text, object, place, name_length);
}

void hiera_writer_declare_object(HieraStream *stream, const void *address)
{
    const HieraSiteText *site = hiera_site_resolve(address);
    declare_object(stream, address, site->attributes + sizeof " file=\"" - 1, object_name_length(site));
}

void hiera_writer_declare_object_of_function(HieraStream *stream, const void *function)
{
    const char *name = hiera_site_function_name(function)->name, *offset = strstr(name, "+0x");
    declare_object(stream, function, name, offset ? (size_t)(offset - name) : 0);
}

/* The attribute that has just been begun is for later. */
static void leave_open(HieraStream *stream, HieraFrame *frame)
{
    if (frame)
        frame->patch = hiera_stream_put_slot(stream, blank, SLOT);
    else
        HIERA_TEXT_LITERAL(stream->text, "\"");
}

void hiera_writer_put_times(HieraStream *stream, const HieraRecord *record, HieraFrame *frame)
{
    uint64_t start = hiera_writer_start(stream, record->start);
    if (HIERA_LIKELY(record->finish != 0)) {
        hiera_text_times_near(stream->text, &stream->near_times, start, hiera_writer_finish(stream, record->finish));
        return;
    }
    HIERA_TEXT_LITERAL(stream->text, " start_time=\"");
    hiera_text_seconds(stream->text, start);
    HIERA_TEXT_LITERAL(stream->text, "\" finish_time=\"");
    leave_open(stream, frame);
}

void hiera_writer_open_declaration(HieraStream *stream, const HieraDeclared *declared)
{
    hiera_writer_open_element(stream, "<hieraCall id=\"c", 16);
    hiera_text_unsigned(stream->text, declared->number);
    HIERA_TEXT_LITERAL(stream->text, "\"");
}

void hiera_writer_put_reference(HieraStream *stream, const HieraDeclared *declared, const HieraRecord *record,
                                HieraFrame *frame)
{
    uint64_t start = hiera_writer_start(stream, record->start);
    close_start_tag(stream);
    hiera_text_padded(stream->text, declared->begin, HIERA_CALL_BEGIN, declared->begin_length);
    if (HIERA_LIKELY(record->finish != 0)) {
        hiera_text_span_near(stream->text, &stream->near_span, start, hiera_writer_finish(stream, record->finish));
        return;
    }
    hiera_text_unsigned(stream->text, start);
    HIERA_TEXT_LITERAL(stream->text, "\" d=\"");
    leave_open(stream, frame);
    frame->start = start;
}

/* A region is called what it is called, and a method of OOPS also without its class. */
static bool region_is_named(const HieraSubject *subject, const char *word, size_t length, bool group)
{
    const char *name = subject->named,
               *colons = strcmp(subject->level, "oops") == 0 ? hiera_region_last_colons(name) : NULL;
    return !group && (hiera_rules_match(word, length, name) || (colons && hiera_rules_match(word, length, colons + 2)));
}

/* The row of the sums to which a region is to be added, NULL if it is recorded. `finish` is 0 while it is open. */
static HieraSumRow *hide_region(HieraStream *stream, const HieraRecord *record, uint64_t finish)
{
    if (HIERA_LIKELY(!hiera_rules_concern_regions()))
        return NULL;
    HieraTold told = hiera_region_told(record);
    uint64_t end = hiera_clock_ns(finish ? finish : hiera_clock_ticks()), start = hiera_clock_ns(record->start);
    HieraSubject subject = {
        .is_named = region_is_named, .named = told.name, .level = told.level, .bytes = -1, .open = !finish};
    subject.rank = hiera_job.rank;
    subject.file = told.function ? told.function->file : NULL;
    subject.time_ns = end > start ? (int64_t)(end - start) : 0;
    return hiera_rules_hide(&subject) ? hiera_sums_of_region(&stream->sums, told.level, told.name) : NULL;
}

/* It counts where it begins, its time where it ends. */
static HieraFrame count_region(HieraStream *stream, HieraSumRow *row, const HieraRecord *record)
{
    hiera_sums_add(row, -1, -1, 0);
    return (HieraFrame){
        .element = HIERA_FRAME_HIDDEN, .sum = (uint32_t)(row - stream->sums.rows) + 1, .start = record->start};
}

static void count_region_time(HieraStream *stream, HieraFrame frame, uint64_t finish)
{
    if (frame.sum != 0 && finish > frame.start)
        stream->sums.rows[frame.sum - 1].sum.time_ns += hiera_clock_ns(finish) - hiera_clock_ns(frame.start);
}

/* Returns whether it is an operation of the trace. */
static bool begin_region(HieraStream *stream, const HieraRecord *record)
{
    HieraFrame frame = {.element = HIERA_FRAME_HIDDEN};
    bool told = record->call == HIERA_RECORD_FUNCTION || record->call == HIERA_RECORD_REGION;
    if (!hiera_stream_make_room(stream)) {
        stream->lost_open += told;
        return false;
    }
    /* Its thread may end the region at any moment: look once. */
    HieraRecord head = {.site = record->site, .start = record->start};
    head.finish = __atomic_load_n(&record->finish, __ATOMIC_RELAXED);
    HieraSumRow *row = told ? hide_region(stream, record, head.finish) : NULL;
    if (row) {
        frame = count_region(stream, row, record);
    } else if (told) {
        frame = hiera_region_put_begin(stream, record, &head);
        stream->start_tag_open = true;
    }
    hiera_stream_push(stream, frame);
    return told && !row;
}

/* Fill in when an element ended that was written while it was open. */
static void patch_finish(HieraStream *stream, HieraFrame frame, uint64_t ticks)
{
    char bytes[SLOT];
    uint64_t ns = hiera_writer_finish(stream, ticks);
    memset(bytes, ' ', sizeof bytes);
    size_t n = frame.element == HIERA_FRAME_CALL ? hiera_text_format_unsigned(bytes, ns - frame.start)
                                                 : hiera_text_format_seconds(bytes, ns);
    bytes[n] = '"';
    hiera_stream_patch(stream, frame.patch, bytes, sizeof bytes);
}

static void end_region(HieraStream *stream, const HieraRecord *record)
{
    static const char *const element[] = {
        [HIERA_FRAME_REGION] = "</hieraRegion>", [HIERA_FRAME_OOPS] = "</hieraOOPS>", [HIERA_FRAME_CALL] = "</c>"};
    if (hiera_stream_end_unkept(stream) || stream->n_frames == 0)
        return;
    HieraFrame frame = hiera_stream_pop(stream);
    if (frame.patch != 0)
        patch_finish(stream, frame, record->start);
    count_region_time(stream, frame, record->start);
    if (frame.element == HIERA_FRAME_HIDDEN)
        return;
    if (stream->start_tag_open)
        HIERA_TEXT_LITERAL(stream->text, "/>");
    else
        hiera_writer_open_element(stream, element[frame.element], strlen(element[frame.element]));
    stream->start_tag_open = false;
}

static void write_flush(HieraStream *stream, const HieraRecord *record)
{
    hiera_writer_open_element(stream, "<hieraFlush", 11);
    hiera_writer_put_times(stream, record, NULL);
    HIERA_TEXT_LITERAL(stream->text, "/>");
}

/* Returns whether it is one operation of the trace. */
static bool write_record(HieraStream *stream, const HieraRecord *record)
{
    switch (record->call) {
    case HIERA_RECORD_END:
        end_region(stream, record);
        return false;
    case HIERA_RECORD_REGION:
    case HIERA_RECORD_FUNCTION:
    case HIERA_RECORD_HIDDEN:
        return begin_region(stream, record);
    case HIERA_RECORD_COUNTED:
        hiera_region_put_counted(stream, record);
        return false;
    case HIERA_RECORD_FLUSH:
        write_flush(stream, record);
        return false;
    default:
        if (hiera_level.hide(stream, record))
            return false;
        hiera_level.write(stream, record);
        return true;
    }
}

/* Begin and end of a region with nothing in it: many are such, and the tree need not hear of them. */
static bool write_leaf(HieraStream *stream, const HieraRecord *record, const char *end)
{
    const char *next = (const char *)record + record->bytes;
    if ((record->call != HIERA_RECORD_REGION && record->call != HIERA_RECORD_FUNCTION) || next >= end ||
        ((const HieraRecord *)(const void *)next)->call != HIERA_RECORD_END || hiera_rules_concern_regions())
        return false;
    HieraRecord head = {.start = record->start, .finish = __atomic_load_n(&record->finish, __ATOMIC_RELAXED)};
    if (head.finish == 0)
        return false;
    hiera_region_put_leaf(stream, record, &head);
    return true;
}

const char *hiera_writer_write(HieraStream *stream, const char *begin, const char *end, bool all)
{
    uint64_t operations = 0;
    const char *at = begin;
    while (at < end && stream->error == 0) {
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        if (!all && record->call >= HIERA_RECORD_CALLS && __atomic_load_n(&record->finish, __ATOMIC_ACQUIRE) == 0)
            break;
        bool leaf = write_leaf(stream, record, end);
        operations += leaf || write_record(stream, record);
        at += record->bytes + (leaf ? HIERA_END_BYTES : 0);
    }
    if (stream->start_tag_open && stream->error == 0) {
        hiera_text_char(stream->text, '>');
        stream->start_tag_open = false;
    }
    stream->unsure = operations;
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

/* What opens or closes in a record that is not written: its end needs no tag, but one in the file does. What would only
 * have been counted is counted. Returns how many operations are lost. */
static uint64_t skip_record(HieraStream *stream, const HieraRecord *record)
{
    bool told = record->call == HIERA_RECORD_REGION || record->call == HIERA_RECORD_FUNCTION;
    if ((told || record->call == HIERA_RECORD_HIDDEN) && !hiera_stream_make_room(stream))
        return told;
    if (told || record->call == HIERA_RECORD_HIDDEN) {
        HieraSumRow *row =
            told ? hide_region(stream, record, __atomic_load_n(&record->finish, __ATOMIC_RELAXED)) : NULL;
        hiera_stream_push(stream,
                          row ? count_region(stream, row, record) : (HieraFrame){.element = HIERA_FRAME_HIDDEN});
        return told && !row;
    }
    if (record->call == HIERA_RECORD_COUNTED)
        return ((const HieraCountedRecord *)(const void *)record)->count;
    if (record->call == HIERA_RECORD_END && !hiera_stream_end_unkept(stream) && stream->n_frames > 0) {
        HieraFrame frame = hiera_stream_pop(stream);
        if (frame.patch != 0)
            patch_finish(stream, frame, record->start);
        count_region_time(stream, frame, record->start);
        if (stream->n_common > stream->n_frames)
            stream->n_common = stream->n_frames;
    }
    return record->call >= HIERA_RECORD_CALLS && !hiera_level.hide(stream, record);
}

void hiera_writer_skip(HieraStream *stream, const char *begin, const char *end)
{
    for (const char *at = begin; at < end;) {
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        stream->lost += skip_record(stream, record);
        at += record->bytes;
    }
}
