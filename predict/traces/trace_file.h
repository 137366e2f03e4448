/* Writes one trace of a predicted run during the simulation: memory does not grow with the trace. */
#pragma once

#include <glib.h>

/* Attributes of the trace's root element. Texts must outlive the trace. */
typedef struct {
    guint32 rank, size;
    const char *application, *host;
    guint64 job;
    const char *command; /* command line that makes the prediction */
} TraceHead;

typedef struct TraceFile TraceFile;

/* Create a trace; an existing file is overwritten. Errors are reported by trace_file_close(). */
TraceFile *trace_file_new(const char *path, const TraceHead *head);
/* Free a trace that was not closed; what was written so far stays in its file. */
void trace_file_free(TraceFile *file);

/* Set the time at which MPI_Init returns, and the one at which MPI_Finalize is called. */
void trace_file_init(TraceFile *file, gint64 ps);
void trace_file_finalize(TraceFile *file, gint64 ps);
/* Begin a function of the program, inside the innermost open function; end the innermost open function.
 * @param place  attributes of the function's region: ` file="…" line="…"` */
void trace_file_enter(TraceFile *file, const char *operation, const char *place, gint64 ps);
void trace_file_leave(TraceFile *file, gint64 ps);
/* Append a complete element to the trace, inside the innermost open function. */
void trace_file_add(TraceFile *file, const char *element);
/* Append a time as traces have it: seconds, nine digits behind the point. */
void trace_file_append_time(GString *text, gint64 ps);

/* End a trace, and free it. Open functions end, too.
 * @param ended  FALSE: the process never ends, or is killed; then open functions do not end, and MPI_Finalize was not
 * called
 * @param cause  how it ended without MPI_Finalize, as attributes of hieraEnd; NULL: it did not, or it is not known
 * @return FALSE with an error if something could not be written */
gboolean trace_file_close(TraceFile *file, gboolean ended, gint64 ps, const char *cause, GError **error);
