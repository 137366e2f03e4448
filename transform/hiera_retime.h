/** Traces of runs that did not happen: the operations and arguments of a recorded run with other times; or
 * traces made elsewhere, for which the files beside them are written. */
#ifndef HIERA_RETIME_H
#define HIERA_RETIME_H

#include "hiera_trace.h"

/** The new times of a run, in nanoseconds, none negative. They rise in the same order as the trace's times. */
typedef struct {
    const gint64 *start_ns, *finish_ns;  /* by row of the trace */
    const gint64 *init_ns, *finalize_ns; /* by index of the processor in the trace */
    const char *const *hosts;            /* by index of the processor: name of its host; NULL: hosts as recorded */
    const char *note;                    /* where the times come from, for the attribute `predicted` of the traces */
} HieraNewTimes;

/** Write the traces of a run again, with new times: all elements and arguments stay as they are, in the
 * encoding (full or compact) of the first trace. Other times in a trace (flushes, pauses) keep their
 * relative position between the times of the main thread around them; before init and behind finalize they keep their
 * distance. Attributes of clocks and of the process are left out: new times are those of the job.
 *
 * @param trace   with the paths of its processors, which are read again
 * @param folder  is made if necessary; must not be the folder of one of the traces
 * @return  false with an error if a trace cannot be read or written, or would be overwritten */
HIERA_API gboolean hiera_traces_retime(const HieraTrace *trace, const HieraNewTimes *times, const char *folder,
                                       GError **error);

/** Set the times of operations of further threads that are negative: as hiera_traces_retime moves other times.
 *
 * @param start_ns   those of `times`, to be changed; and
 * @param finish_ns  likewise */
HIERA_API void hiera_threads_retime(const HieraTrace *trace, const HieraNewTimes *times, gint64 *start_ns,
                                    gint64 *finish_ns);

/** Move the times that the collector took to where hiera_traces_retime puts them.
 *
 * @param trace      with the times as recorded
 * @param own_times  HieraOwnTime of it, by processor; changed */
HIERA_API void hiera_own_times_retime(const HieraTrace *trace, const HieraNewTimes *times, GArray *own_times);

/** Write the files that belong beside the traces of a predicted run: hieraCollector.xml, the DTDs and the stylesheet.
 *
 * @param folder       is made if necessary
 * @param application  the name of the program
 * @param n            ranks; their traces are trace0.xml to trace<n-1>.xml
 * @return  FALSE with an error if one of the files cannot be written, or the folder has a trace that was recorded */
HIERA_API gboolean hiera_traces_folder(const char *folder, const char *application, guint32 n, GError **error);

#endif
