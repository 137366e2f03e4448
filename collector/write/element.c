/* See element.h. An element that has not ended gets an empty finish time, followed by blanks. The finish time is filled
 * in when the element ends, in the block or in the file. */
#include "element.h"

#include "base/clock.h"
#include "base/kept.h"
#include "places/call_site.h"
#include "places/objects.h"

static const char indent[] = "\n                                ";
enum { INDENT_MAX = 16, INDENT_ROOM = sizeof indent - 1 };
_Static_assert(INDENT_ROOM == 1 + 2 * INDENT_MAX, "two blanks for each level");

/* The closing quote of an empty time attribute, and blanks that leave room for the longest time. */
static const char blank[] = "\"                     ";
enum { SLOT = sizeof blank - 1 };
_Static_assert(SLOT == HIERA_SECONDS_MAX + 1, "the room of a time that is filled in later");

/* Write the calls that are held back for folding (loops.h), because they come before any other element. */
static inline void put_held(HieraTraceFile *stream)
{
    if (HIERA_UNLIKELY(stream->n_held > 0))
        stream->put_held(stream);
}

/* Return the length of a newline and the indent of the next element. */
static inline size_t indent_length(const HieraTraceFile *stream)
{
    size_t depth = stream->dictionary ? 0 : stream->depth + 1;
    return 1 + 2 * (depth < INDENT_MAX ? depth : INDENT_MAX);
}

static void open_line(HieraTraceFile *stream, const char *element, size_t length)
{
    HieraText *text = stream->text;
    hiera_element_close_start_tag(stream);
    hiera_text_padded(text, indent, INDENT_ROOM, indent_length(stream));
    if (length > 0)
        hiera_text_short(text, element, length);
}

void hiera_element_open(HieraTraceFile *stream, const char *element, size_t length)
{
    put_held(stream);
    open_line(stream, element, length);
}

void hiera_element_close(HieraTraceFile *stream, uint8_t element)
{
    const char *tag = hiera_frame_end_tag(element);
    put_held(stream);
    if (stream->start_tag_open)
        HIERA_TEXT_LITERAL(stream->text, "/>");
    else
        open_line(stream, tag, strlen(tag));
    stream->start_tag_open = false;
}

uint64_t hiera_element_latest_ns HIERA_KEPT;

static uint64_t noted(uint64_t ns)
{
    if (ns > hiera_element_latest_ns)
        hiera_element_latest_ns = ns;
    return ns;
}

uint64_t hiera_element_start_ns(HieraTraceFile *stream, uint64_t ticks)
{
    uint64_t ns = hiera_clock_soon_ns(ticks);
    if (ns < stream->state.last_start_ns)
        ns = stream->state.last_start_ns;
    stream->state.last_start_ns = ns;
    return noted(ns);
}

uint64_t hiera_element_finish_ns(const HieraTraceFile *stream, uint64_t ticks)
{
    uint64_t ns = hiera_clock_soon_ns(ticks);
    return noted(ns > stream->state.last_start_ns ? ns : stream->state.last_start_ns);
}

HieraElementTimes hiera_element_early_times(HieraTraceFile *stream, const HieraRecord *record)
{
    uint64_t start = hiera_element_start_ns(stream, record->start);
    return (HieraElementTimes){start, hiera_element_finish_ns(stream, record->finish)};
}

uint64_t hiera_element_time_ns(uint64_t ticks)
{
    return noted(hiera_clock_ns(ticks));
}

uint64_t hiera_element_end_ns(uint64_t ticks)
{
    hiera_element_time_ns(ticks);
    return hiera_element_latest_ns;
}

void hiera_element_put_site(HieraTraceFile *stream, const void *address)
{
    const HieraSiteText *site = hiera_site_resolve(address);
    if (site->length <= HIERA_SITE_ROOM)
        hiera_text_padded(stream->text, site->attributes, HIERA_SITE_ROOM, site->length);
    else
        hiera_text_bytes(stream->text, site->attributes, site->length);
}

/* Return the length of `libfoo.so` in ` file="libfoo.so+0x1a2b" line="0"`; 0 if the call site has a source line. */
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

static void put_build_and_path(HieraText *text, const HieraLoadedObject *object)
{
    static const char digits[] = "0123456789abcdef";
    HIERA_TEXT_LITERAL(text, "\" build=\"");
    for (size_t i = 0; i < object->build_bytes; i++) {
        hiera_text_char(text, digits[object->build[i] >> 4]);
        hiera_text_char(text, digits[object->build[i] & 15]);
    }
    HIERA_TEXT_LITERAL(text, "\" path=\"");
    hiera_text_escaped(text, object->path, strlen(object->path));
    HIERA_TEXT_LITERAL(text, "\"/>");
}

uint64_t hiera_element_declare_named(HieraTraceFile *stream, const void *address, const char *place, size_t name_length)
{
    unsigned number = 0;
    const HieraLoadedObject *object = HIERA_UNLIKELY(name_length > 0) ? hiera_object_find(address, &number) : NULL;
    const uint64_t bit = object ? UINT64_C(1) << number : 0;
    if (!(bit & ~stream->state.objects))
        return bit;
    stream->state.objects |= bit;
    HIERA_ELEMENT_OPEN(stream, "<hieraObject name=\"");
    hiera_text_bytes(stream->text, place, name_length);
    put_build_and_path(stream->text, object);
    return bit;
}

void hiera_element_declare_unloaded(HieraTraceFile *stream, const HieraLoadedObject *object, const char *name)
{
    HIERA_ELEMENT_OPEN(stream, "<hieraObject name=\"");
    hiera_text_escaped(stream->text, name, strlen(name));
    put_build_and_path(stream->text, object);
}

uint64_t hiera_element_declare_object(HieraTraceFile *stream, const void *address)
{
    const HieraSiteText *site = hiera_site_resolve(address);
    return hiera_element_declare_named(stream, site->place ? site->place : address,
                                       site->attributes + sizeof " file=\"" - 1, object_name_length(site));
}

void hiera_element_declare_object_of_function(HieraTraceFile *stream, const void *function)
{
    const char *name = hiera_site_function_name(function)->name, *offset = strstr(name, "+0x");
    hiera_element_declare_named(stream, function, name, offset ? (size_t)(offset - name) : 0);
}

/* Close an attribute without a value. If `frame` is not NULL, note there where the value can be filled in later. */
static void leave_open(HieraTraceFile *stream, HieraFrame *frame)
{
    if (frame)
        frame->patch = hiera_trace_file_put_slot(stream, blank, SLOT);
    else
        HIERA_TEXT_LITERAL(stream->text, "\"");
}

void hiera_element_put_times(HieraTraceFile *stream, const HieraRecord *record, HieraFrame *frame)
{
    uint64_t start = hiera_element_start_ns(stream, record->start);
    if (HIERA_LIKELY(record->finish != 0)) {
        hiera_text_times_near(stream->text, &stream->near_times, start,
                              hiera_element_finish_ns(stream, record->finish));
        return;
    }
    HIERA_TEXT_LITERAL(stream->text, " start_time=\"");
    hiera_text_seconds(stream->text, start);
    HIERA_TEXT_LITERAL(stream->text, "\" finish_time=\"");
    leave_open(stream, frame);
}

/* Copy a text in pieces of constant size, which need no call of memcpy; `kept` may be read beyond `length`. */
static inline char *copy_kept(char *to, const char *kept, size_t length)
{
    enum { PIECE = 64 };
    _Static_assert(HIERA_KEPT_TEXT % PIECE == 0, "pieces");
    size_t done = 0;
    do
        memcpy(to + done, kept + done, PIECE);
    while ((done += PIECE) < length);
    return to + length;
}

bool hiera_element_put_kept(HieraTraceFile *stream, const HieraRecord *record, const HieraKeptElement *kept,
                            uint32_t number)
{
    enum { ROOM = 1 + INDENT_ROOM + HIERA_KEPT_TEXT + HIERA_TIMES_MAX + HIERA_KEPT_TEXT + HIERA_TEXT_MARGIN };
    HieraText *text = stream->text;
    char *to = text->next;
    if (HIERA_UNLIKELY(to + ROOM > text->limit || stream->n_held > 0))
        return false;
    *to = '>';
    to += stream->start_tag_open;
    stream->start_tag_open = false;
    memcpy(to, indent, INDENT_ROOM);
    to = copy_kept(to + indent_length(stream), kept->begin, kept->begin_length);
    HieraElementTimes times = hiera_element_times(stream, record);
    to = hiera_text_put_times(to, &stream->near_times, times.start, times.finish);
    to = copy_kept(to, kept->rest, kept->rest_length);
    if (kept->has_number) {
        to = hiera_text_put_number(to, &stream->near_request, number);
        memcpy(to, "\"/>", 3);
        to += 3;
    }
    text->next = to;
    return true;
}

void hiera_element_open_declaration(HieraTraceFile *stream, const HieraDeclared *declared)
{
    static const char begin[] = "<hieraCall id=\"c";
    open_line(stream, begin, sizeof begin - 1);
    hiera_text_unsigned(stream->text, declared->number);
    HIERA_TEXT_LITERAL(stream->text, "\"");
}

void hiera_element_put_reference(HieraTraceFile *stream, const HieraDeclared *declared, const HieraRecord *record,
                                 HieraFrame *frame)
{
    uint64_t start = hiera_element_start_ns(stream, record->start);
    put_held(stream);
    hiera_element_close_start_tag(stream);
    hiera_text_padded(stream->text, declared->begin, HIERA_CALL_BEGIN, declared->begin_length);
    if (HIERA_LIKELY(record->finish != 0)) {
        hiera_text_span_near(stream->text, &stream->near_span, start, hiera_element_finish_ns(stream, record->finish));
        return;
    }
    hiera_text_unsigned(stream->text, start);
    HIERA_TEXT_LITERAL(stream->text, "\" d=\"");
    leave_open(stream, frame);
    frame->start = start;
}

/* Fill in the finish time of an element that is already written, when the element ends at `ticks`. */
void hiera_element_patch_finish(HieraTraceFile *stream, HieraFrame frame, uint64_t ticks)
{
    char bytes[SLOT];
    uint64_t ns = hiera_element_finish_ns(stream, ticks);
    size_t n = frame.element == HIERA_FRAME_CALL ? hiera_text_format_unsigned(bytes, ns - frame.start)
                                                 : hiera_text_format_seconds(bytes, ns);
    memset(bytes + n, ' ', sizeof bytes - n);
    bytes[n] = '"';
    hiera_trace_file_patch(stream, frame.patch, bytes, sizeof bytes);
}
