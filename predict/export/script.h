/* A recorded run as other simulators take it: computation, messages with tags, and waits. Collective operations become
 * the messages of the simulator's algorithms, unless the writer has a word for them. */
#ifndef HIERA_PREDICT_SCRIPT_H
#define HIERA_PREDICT_SCRIPT_H

#include "machine/speeds.h"
#include "run/recorded_run.h"
#include "simulator/simulator.h"

/* What a rank sends or receives. The tag tells the message from all others between the two ranks that are open at the
 * same time. */
typedef struct {
    gboolean sends;
    guint32 peer, tag;
    gint64 bytes;
    guint64 request;      /* to be waited for; 0: the rank goes on when it is done */
    const guint64 *after; /* requests that must be done before it begins, n_after of them: those of a non-blocking
                             collective */
    guint n_after;
} ScriptMessage;

/* A writer; ranks come one after the other. */
typedef struct {
    gboolean (*begin)(gpointer user, guint32 rank, GError **error);
    gboolean (*end)(gpointer user, GError **error);
    void (*compute)(gpointer user, gint64 ns);
    void (*message)(gpointer user, const ScriptMessage *message);
    void (*wait)(gpointer user, const guint64 *requests, guint n);
    /* A blocking collective of all ranks. NULL, or returns FALSE: it is to be written as messages. */
    gboolean (*collective)(gpointer user, const HieraSimOperation *operation);
    gpointer user;
} ScriptWriter;

/* What a script does not say. */
typedef struct {
    guint64 n_kept;      /* calls whose partners are not known, */
    guint64 n_one_sided; /* and accesses to windows: they are computation, as long as recorded */
} ScriptLimits;

/* Write a run. @param speeds  decided; computation takes its time by them */
gboolean script_write(const RecordedRun *run, const Speeds *speeds, const ScriptWriter *writer, ScriptLimits *limits,
                      GError **error);

#endif
