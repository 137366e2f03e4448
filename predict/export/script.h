/* A recorded run for other simulators: computation, messages with tags, and waits. Collective operations become the
 * messages of the simulator's algorithms, unless the format has an action for them. */
#pragma once

#include "machine/speeds.h"
#include "run/recorded_run.h"
#include "simulator/simulator.h"

/* A send or receive of a rank. The tag distinguishes the message from all others that are open between the two ranks at
 * the same time. */
typedef struct {
    gboolean sends;
    guint32 peer, tag;
    gint64 bytes;
    guint64 request;      /* number by which a later wait names the operation; 0: the operation blocks */
    const guint64 *after; /* n_after requests of a non-blocking collective to complete before this message */
    guint n_after;
} ScriptMessage;

/* The callbacks that write one format; ranks are written one after the other. */
typedef struct {
    gboolean (*begin)(gpointer user, guint32 rank, GError **error);
    gboolean (*end)(gpointer user, GError **error);
    void (*compute)(gpointer user, gint64 ns);
    void (*message)(gpointer user, const ScriptMessage *message);
    void (*wait)(gpointer user, const guint64 *requests, guint n);
    /* Write a blocking collective of all ranks. NULL, or returns FALSE: the collective is written as messages. */
    gboolean (*collective)(gpointer user, const HieraSimOperation *operation);
    gpointer user;
} ScriptWriter;

/* How many MPI calls are written as computation of the recorded length, and why. */
typedef struct {
    guint64 n_kept;      /* calls whose partners are not known */
    guint64 n_one_sided; /* accesses to windows of one-sided communication */
} ScriptLimits;

/* Write a run with the callbacks of a format. @param speeds  already decided; factors on the time of computation */
gboolean script_write(const RecordedRun *run, const Speeds *speeds, const ScriptWriter *writer, ScriptLimits *limits,
                      GError **error);
