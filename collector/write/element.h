/* Parts of an element of a trace: its tag, place and times. */
#ifndef HIERA_ELEMENT_H
#define HIERA_ELEMENT_H

#include "call_dictionary.h"
#include "trace_file.h"

/* For the levels: begin an element on a line of its own, with its name and a first attribute given as text. */
void hiera_element_open(HieraTraceFile *stream, const char *text, size_t length);

/* The same of a literal. */
#define HIERA_ELEMENT_OPEN(stream, literal) hiera_element_open(stream, literal, sizeof literal - 1)

/* Before an element whose place has no line: say which object (program, library) that place is in, if this stream has
 * not said so (hieraObject). */
void hiera_element_declare_object(HieraTraceFile *stream, const void *address);
/* The same before an element that names a function, for which no name was found. */
void hiera_element_declare_object_of_function(HieraTraceFile *stream, const void *function);

/* ` file="…" line="…"`. */
void hiera_element_put_site(HieraTraceFile *stream, const void *address);

/* ` start_time="…" finish_time="…"`. `frame` is of an element that may be still open: it notes where its end is to be
 * filled in. NULL: it will not be. */
void hiera_element_put_times(HieraTraceFile *stream, const HieraRecord *record, HieraFrame *frame);

/* In nanoseconds, as those put there. The order in the document is the order in time, whatever the rounding of the
 * clock: no start is before the one that was asked for last, no finish before that. */
uint64_t hiera_element_start_ns(HieraTraceFile *stream, uint64_t ticks);
uint64_t hiera_element_finish_ns(const HieraTraceFile *stream, uint64_t ticks);

/* A time that has nothing to do with that order. */
uint64_t hiera_element_time_ns(uint64_t ticks);

/* The end of the process, which was noted at `ticks`. Other threads may have finished operations since: it is not
 * before any time that has been written. */
uint64_t hiera_element_end_ns(uint64_t ticks);

/* Compact spelling: begin a hieraCall; begin a `c` that refers to it, with its times. `frame` as above. */
void hiera_element_open_declaration(HieraTraceFile *stream, const HieraDeclared *declared);
void hiera_element_put_reference(HieraTraceFile *stream, const HieraDeclared *declared, const HieraRecord *record,
                                 HieraFrame *frame);

/* Fill in when an element ended that was written while it was open. */
void hiera_element_patch_finish(HieraTraceFile *stream, HieraFrame frame, uint64_t ticks);

#endif
