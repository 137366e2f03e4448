/* Write the parts of an element of a trace: its tag, call site and times. */
#ifndef HIERA_ELEMENT_H
#define HIERA_ELEMENT_H

#include "base/clock.h"
#include "call_dictionary.h"
#include "trace_file.h"

/* The text of an element whose times and last number are different in each call. */
enum { HIERA_KEPT_TEXT = HIERA_TEXT_MARGIN };
typedef struct HieraKeptElement {
    char begin[HIERA_KEPT_TEXT]; /* before the times */
    char rest[HIERA_KEPT_TEXT];  /* after them, to its end, or to the number: behind that is `"/>` alone */
    uint16_t begin_length, rest_length;
    bool has_number;
} HieraKeptElement;

/* Write it for an operation that has ended. Returns false if the block has too little room: nothing is written. */
bool hiera_element_put_kept(HieraTraceFile *stream, const HieraRecord *record, const HieraKeptElement *kept,
                            uint32_t number);

/* Begin an element on a new line. `text` is its name, perhaps with a first attribute. */
void hiera_element_open(HieraTraceFile *stream, const char *text, size_t length);

/* End an element (HIERA_FRAME_…) that was begun; stream->start_tag_open says whether nothing is in it. */
void hiera_element_close(HieraTraceFile *stream, uint8_t element);

/* The first for a string literal. */
#define HIERA_ELEMENT_OPEN(stream, literal) hiera_element_open(stream, literal, sizeof literal - 1)

/* Call this before an element with this call site. If the call site has no line, write which object (program, library)
 * it is in (hieraObject), unless the file already has that. */
void hiera_element_declare_object(HieraTraceFile *stream, const void *address);
/* The same before an element that names a function: if no name was found for it. */
void hiera_element_declare_object_of_function(HieraTraceFile *stream, const void *function);

/* Declare the object at an address, unless the file has its declaration. `place` begins with its name, of `name_length`
 * bytes; 0: it has none. */
void hiera_element_declare_named(HieraTraceFile *stream, const void *address, const char *place, size_t name_length);

/* Declare an object that is no longer there, by a name. */
struct HieraLoadedObject;
void hiera_element_declare_unloaded(HieraTraceFile *stream, const struct HieraLoadedObject *object, const char *name);

/* ` file="…" line="…"`. */
void hiera_element_put_site(HieraTraceFile *stream, const void *address);

/* ` start_time="…" finish_time="…"`. If the element is still open, frame->patch becomes the place in the file where its
 * finish time is filled in later. NULL: it is not filled in later. */
void hiera_element_put_times(HieraTraceFile *stream, const HieraRecord *record, HieraFrame *frame);

/* Times in nanoseconds, as in the file. The order in the file is the order in time, in spite of rounding: no start is
 * before the start of the previous call of this function, and no finish is before that start. */
uint64_t hiera_element_start_ns(HieraTraceFile *stream, uint64_t ticks);
uint64_t hiera_element_finish_ns(const HieraTraceFile *stream, uint64_t ticks);

/* Both times of an operation that has ended. */
typedef struct HieraElementTimes {
    uint64_t start, finish;
} HieraElementTimes;

extern uint64_t hiera_element_latest_ns HIERA_INTERNAL; /* the latest time in any file */

/* For one that began long ago. */
HieraElementTimes hiera_element_early_times(HieraTraceFile *stream, const HieraRecord *record);

/* For one of which hiera_clock_is_late() holds. */
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

/* A time to which this order does not apply. */
uint64_t hiera_element_time_ns(uint64_t ticks);

/* The end of the process, which was measured at `ticks`. Other threads may have finished operations later, so the
 * result is at least the latest time that was written. */
uint64_t hiera_element_end_ns(uint64_t ticks);

/* Compact spelling: begin a declaration (hieraCall), which may come before calls that are held back; begin a reference
 * to it (c), with its times. `frame` as above. */
void hiera_element_open_declaration(HieraTraceFile *stream, const HieraDeclared *declared);
void hiera_element_put_reference(HieraTraceFile *stream, const HieraDeclared *declared, const HieraRecord *record,
                                 HieraFrame *frame);

/* A whole reference: of a call that has ended and has nothing else. Only while nothing is held back. */
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

/* Fill in the finish time of an element that was written while it was open. */
void hiera_element_patch_finish(HieraTraceFile *stream, HieraFrame frame, uint64_t ticks);

#endif
