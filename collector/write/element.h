/* Writes the parts of an element of a trace: tag, call site and times. */
#pragma once

#include "base/clock.h"
#include "call_dictionary.h"
#include "trace_file.h"

/* Prepared text of elements that differ only in their times and in their last number. */
enum { HIERA_KEPT_TEXT = HIERA_TEXT_MARGIN };
typedef struct HieraKeptElement {
    char begin[HIERA_KEPT_TEXT]; /* text of the element before its times */
    char rest[HIERA_KEPT_TEXT];  /* text after the times, up to the end of the element, or up to the number if it has
                                    one: then only `"/>` follows the number */
    uint16_t begin_length, rest_length;
    bool has_number;
} HieraKeptElement;

/* Write such an element for an operation that has ended. Returns false if the block has too little room: then nothing
 * is written. */
bool hiera_element_put_kept(HieraTraceFile *stream, const HieraRecord *record, const HieraKeptElement *kept,
                            uint32_t number);

/* Begin an element on a new line. `text`: `<` and the element's name, perhaps with a first attribute; or empty. */
void hiera_element_open(HieraTraceFile *stream, const char *text, size_t length);

/* End an element of kind HIERA_FRAME_…, by "/>" if stream->start_tag_open, else by its end tag. */
void hiera_element_close(HieraTraceFile *stream, uint8_t element);

/* Call hiera_element_open() with a string literal. */
#define HIERA_ELEMENT_OPEN(stream, literal) hiera_element_open(stream, literal, sizeof literal - 1)

/* End a start tag, since an element inside follows. */
static inline void hiera_element_close_start_tag(HieraTraceFile *stream)
{
    if (stream->start_tag_open)
        hiera_text_char(stream->text, '>');
    stream->start_tag_open = false;
}

/* Call this before an element with this call site. If the call site has no line, write a declaration of its object
 * (program or library; hieraObject), unless the file already has it. Returns the bit of the object in
 * stream->state.objects; 0: none is needed. */
uint64_t hiera_element_declare_object(HieraTraceFile *stream, const void *address);
/* Declare a function's program or library before an element that names the function, if the function has no name. */
void hiera_element_declare_object_of_function(HieraTraceFile *stream, const void *function);

/* Declare the object at an address, unless the file has its declaration. `place` begins with the object's name, of
 * `name_length` bytes; 0: it has none. Returns the same as hiera_element_declare_object(). */
uint64_t hiera_element_declare_named(HieraTraceFile *stream, const void *address, const char *place,
                                     size_t name_length);

/* Declare a program or library that has been unloaded, by its name. */
struct HieraLoadedObject;
void hiera_element_declare_unloaded(HieraTraceFile *stream, const struct HieraLoadedObject *object, const char *name);

/* Write the call site of an element: the attributes ` file="…" line="…"`. */
void hiera_element_put_site(HieraTraceFile *stream, const void *address);

/* Write the attributes ` start_time="…" finish_time="…"`. If the element is still open, frame->patch becomes the
 * position in the file where its finish time is filled in later. `frame` NULL: it is not filled in later. */
void hiera_element_put_times(HieraTraceFile *stream, const HieraRecord *record, HieraFrame *frame);

/* Convert times to nanoseconds as in the file. Order in the file is order in time, in spite of rounding: no start is
 * before the start of the previous call of this function, and no finish is before that start. */
uint64_t hiera_element_start_ns(HieraTraceFile *stream, uint64_t ticks);
uint64_t hiera_element_finish_ns(const HieraTraceFile *stream, uint64_t ticks);

/* Start and finish, in ns as in the file, of an operation that has ended. */
typedef struct HieraElementTimes {
    uint64_t start, finish;
} HieraElementTimes;

extern uint64_t hiera_element_latest_ns HIERA_INTERNAL; /* latest time in any trace file */

/* Convert the times of an operation for which hiera_clock_is_late() is false: it began long ago. */
HieraElementTimes hiera_element_early_times(HieraTraceFile *stream, const HieraRecord *record);

/* Convert the times of an operation for which hiera_clock_is_late() is true: it is recent. */
static inline HieraElementTimes hiera_element_late_times(HieraTraceFile *stream, const HieraRecord *record)
{
    uint64_t start = hiera_clock_late_at_ns(record->start), finish = hiera_clock_late_at_ns(record->finish);
    if (start < stream->state.last_start_ns)
        start = stream->state.last_start_ns;
    if (finish < start)
        finish = start;
    if (HIERA_LIKELY(finish > hiera_element_latest_ns))
        hiera_element_latest_ns = finish;
    stream->state.last_start_ns = start;
    return (HieraElementTimes){start, finish};
}

static inline HieraElementTimes hiera_element_times(HieraTraceFile *stream, const HieraRecord *record)
{
    return HIERA_LIKELY(hiera_clock_is_late(record->start, record->finish)) ? hiera_element_late_times(stream, record)
                                                                            : hiera_element_early_times(stream, record);
}

/* Convert a time to ns without regard to the order of elements in the file. */
uint64_t hiera_element_time_ns(uint64_t ticks);

/* The end of the process, which was measured at `ticks`. Other threads may have finished operations later, so the
 * result is at least the latest time that was written. */
uint64_t hiera_element_end_ns(uint64_t ticks);

/* Compact encoding: begin a declaration (hieraCall), which may come before calls that are held back; begin a reference
 * to it (c), with its times. `frame` as above. */
void hiera_element_open_declaration(HieraTraceFile *stream, const HieraDeclared *declared);
void hiera_element_put_reference(HieraTraceFile *stream, const HieraDeclared *declared, const HieraRecord *record,
                                 HieraFrame *frame);

/* Write the whole element `c` of a call that has ended and has no other attributes. Only while no call is held back. */
static inline void hiera_element_put_whole_reference(HieraTraceFile *stream, const HieraDeclared *declared,
                                                     const HieraRecord *record)
{
    HieraText *text = stream->text;
    _Static_assert(1 + HIERA_CALL_BEGIN + HIERA_SPAN_MAX + 2 <= HIERA_TEXT_MARGIN, "room without a check");
    char *to = text->next;
    *to = '>';
    to += stream->start_tag_open;
    stream->start_tag_open = false;
    memcpy(to, declared->begin, HIERA_CALL_BEGIN);
    to += declared->begin_length;
    HieraElementTimes times = hiera_element_times(stream, record);
    to = hiera_text_put_span(to, &stream->near_span, times.start, times.finish);
    memcpy(to, "/>", 2);
    text->next = to + 2;
    hiera_text_check(text);
}

/* Fill in the finish time of an element that is already written, when the element ends at `ticks`. */
void hiera_element_patch_finish(HieraTraceFile *stream, HieraFrame frame, uint64_t ticks);
