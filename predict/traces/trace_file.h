/* One trace of a predicted run, written while the run is simulated: memory does not grow with it. */
#ifndef HIERA_PREDICT_TRACE_FILE_H
#define HIERA_PREDICT_TRACE_FILE_H

#include <glib.h>

/* What the root element says. Texts must outlive the trace. */
typedef struct {
    guint32 rank, size;
    const char *application, *host;
    guint64 job;
    const char *command; /* that predicts it */
} TraceHead;

typedef struct TraceFile TraceFile;

/* Make a file; one that is there is overwritten. Errors are kept until it is closed. */
TraceFile *trace_file_new(const char *path, const TraceHead *head);
/* Free a trace that was not closed: it stays as far as it was written. */
void trace_file_free(TraceFile *file);

/* MPI_Init has returned; MPI_Finalize is called. */
void trace_file_init(TraceFile *file, gint64 ps);
void trace_file_finalize(TraceFile *file, gint64 ps);
/* A function of the program begins, inside the one that has begun before; the innermost one ends.
 * @param place  ` file="…" line="…"` */
void trace_file_enter(TraceFile *file, const char *operation, const char *place, gint64 ps);
void trace_file_leave(TraceFile *file, gint64 ps);
/* A whole element. */
void trace_file_add(TraceFile *file, const char *element);
/* A time as traces have it, behind what is there. */
void trace_file_append_time(GString *text, gint64 ps);

/* End a trace, and free it. Functions that have begun end, too.
 * @param ended  FALSE: the process never ends, or is killed; then neither do they, nor has it called MPI_Finalize
 * @param cause  how it ended without MPI_Finalize, as attributes of hieraEnd; NULL: not so, or not known
 * @return FALSE with an error if something could not be written */
gboolean trace_file_close(TraceFile *file, gboolean ended, gint64 ps, const char *cause, GError **error);

#endif
