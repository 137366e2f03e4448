/* Records → elements of a trace. */
#ifndef HIERA_WRITER_H
#define HIERA_WRITER_H

#include "call_dictionary.h"
#include "trace_file.h"

/* Write the records from `begin` to `end` (both on record boundaries) between hiera_stream_begin() and
 * hiera_stream_end(). Returns where it stopped: `end`, or, unless `all`, the first MPI call that is still in progress.
 */
const char *hiera_writer_write(HieraStream *stream, const char *begin, const char *end, bool all);

/* These records cannot be written: count their operations as lost, and keep the tree right for what follows. */
void hiera_writer_skip(HieraStream *stream, const char *begin, const char *end);

/* Look up the names of these records' call sites. */
void hiera_writer_name_sites(const char *begin, const char *end);

/* For the levels: begin an element on a line of its own, with its name and a first attribute given as text. */
void hiera_writer_open_element(HieraStream *stream, const char *text, size_t length);

/* Before an element whose place has no line: say which object (program, library) that place is in, if this stream has
 * not said so (hieraObject). */
void hiera_writer_declare_object(HieraStream *stream, const void *address);
/* The same before an element that names a function, for which no name was found. */
void hiera_writer_declare_object_of_function(HieraStream *stream, const void *function);

/* ` file="…" line="…"`. */
void hiera_writer_put_site(HieraStream *stream, const void *address);

/* ` start_time="…" finish_time="…"`. `frame` is of an element that may be still open: it notes where its end is to be
 * filled in. NULL: it will not be. */
void hiera_writer_put_times(HieraStream *stream, const HieraRecord *record, HieraFrame *frame);

/* In nanoseconds, as those put there. The order in the document is the order in time, whatever the rounding of the
 * clock: no start is before the one that was asked for last, no finish before that. */
uint64_t hiera_writer_start(HieraStream *stream, uint64_t ticks);
uint64_t hiera_writer_finish(const HieraStream *stream, uint64_t ticks);

/* A time that has nothing to do with that order. */
uint64_t hiera_writer_time(uint64_t ticks);

/* The end of the process, which was noted at `ticks`. Other threads may have finished operations since: it is not
 * before any time that has been written. */
uint64_t hiera_writer_end(uint64_t ticks);

/* Compact spelling: begin a hieraCall; begin a `c` that refers to it, with its times. `frame` as above. */
void hiera_writer_open_declaration(HieraStream *stream, const HieraDeclared *declared);
void hiera_writer_put_reference(HieraStream *stream, const HieraDeclared *declared, const HieraRecord *record,
                                HieraFrame *frame);

/* For the tail of a stream: the sums of what it only counted. */
void hiera_writer_put_sums(HieraStream *stream);

#endif
