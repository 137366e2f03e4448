/* Counts of messages and collective calls on each channel before a trace that begins late (HIERA_MODE=window), so that
 * matching goes on counting from there; and calls in the trace that were made before its begin. Belongs to the
 * catalog. */
#pragma once

#include "hiera_trace.h"

/* HieraWent.count or HieraCarried.place if the number of earlier calls is not known. */
#define HIERA_BEFORE_UNKNOWN (-1)

typedef enum {
    HIERA_BEFORE_SENT,
    HIERA_BEFORE_RECEIVED,
    HIERA_BEFORE_CALLS,  /* number of collective calls on a communicator, window or file */
    HIERA_BEFORE_INITS,  /* number of calls that make a persistent collective */
    HIERA_BEFORE_STARTS, /* number of starts of a persistent collective */
} HieraBeforeSort;

/* Number of calls or messages of one sort before the trace begins (element `hieraChannel`). */
typedef struct {
    HieraBeforeSort sort;
    guint32 comm;     /* index of the communicator, window or file; HIERA_NONE for STARTS */
    const char *id;   /* id of a window or file that the trace declares later; else NULL */
    gint32 peer, tag; /* of messages: rank in the communicator, and tag */
    gboolean partitioned;
    gint64 request; /* for STARTS only: number of the persistent request */
    gint64 count;   /* number of these calls or messages; HIERA_BEFORE_UNKNOWN: not known */
} HieraWent;

/* A call in the trace that was made before the trace begins, because later calls need it. */
typedef struct {
    guint64 index; /* index of the operation in its processor */
    gint64 place;  /* number of calls on the same channel before this one; HIERA_BEFORE_UNKNOWN: not known */
} HieraCarried;

struct HieraBefore {
    GArray *went;      /* HieraWent: what went before, by sort, communicator and peer */
    GArray *carried;   /* HieraCarried, sorted by `index` */
    GHashTable *comms; /* set of the indices of communicators that the trace declares */
    gboolean complete; /* whether numbers without an entry in `went` are 0; FALSE: they are not known */
};

HieraBefore *hiera_before_new(void);
void hiera_before_free(gpointer before);

/* Replace the counts of `before` by those of `from`; its `carried` stays empty. */
void hiera_before_take_counts(HieraBefore *before, const HieraBefore *from);

/* Return whether a row was made before its trace begins. `place` (may be NULL) becomes the number of calls
 * before it. */
gboolean hiera_before_is_carried(const HieraTrace *trace, guint32 row, gint64 *place);

/* Keep in `carried` only the operations in `rows`, with their index in `rows`. @param rows  guint32, rising */
void hiera_before_choose(const HieraBefore *before, const GArray *rows);
