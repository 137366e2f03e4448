/* Counts of messages and collective calls on each channel before a trace that begins late (HIERA_MODE=window), so that
 * matching goes on counting from there; and calls in the trace that were made before its begin. Belongs to the
 * catalog. */
#pragma once

#include "hiera_trace.h"

/* The number of earlier calls is not known. */
#define HIERA_BEFORE_UNKNOWN (-1)

typedef enum {
    HIERA_BEFORE_SENT,
    HIERA_BEFORE_RECEIVED,
    HIERA_BEFORE_CALLS,  /* collective calls on a communicator, window or file */
    HIERA_BEFORE_INITS,  /* calls that make a persistent collective */
    HIERA_BEFORE_STARTS, /* starts of a persistent collective */
} HieraBeforeSort;

/* Number of calls or messages of one sort before the trace begins. */
typedef struct {
    HieraBeforeSort sort;
    guint32 comm;     /* communicator, window or file; HIERA_NONE for STARTS */
    const char *id;   /* id of a window or file, which is declared later; else NULL */
    gint32 peer, tag; /* peer and tag of messages; ranks in the communicator */
    gboolean partitioned;
    gint64 request; /* number of the request; for STARTS only */
    gint64 count;   /* how many, or HIERA_BEFORE_UNKNOWN */
} HieraWent;

/* A call that was made before the trace begins, and that later calls need. */
typedef struct {
    guint64 index; /* number of the operation in its processor */
    gint64 place;  /* calls on its channel before it; or HIERA_BEFORE_UNKNOWN */
} HieraCarried;

struct HieraBefore {
    GArray *went;      /* HieraWent */
    GArray *carried;   /* HieraCarried, by index */
    GHashTable *comms; /* communicators that the trace declares, by number */
    gboolean complete; /* `went` has an entry for every number that is not 0 */
};

HieraBefore *hiera_before_new(void);
void hiera_before_free(gpointer before);

/* Start with the counts of `from`. `carried` stays empty. */
void hiera_before_take_counts(HieraBefore *before, const HieraBefore *from);

/* Return whether a row was made before its trace begins. `place` (may be NULL) becomes the number of calls
 * before it. */
gboolean hiera_before_is_carried(const HieraTrace *trace, guint32 row, gint64 *place);

/* Reduce `carried` to these operations, which are renumbered from 0. @param rows  guint32, rising */
void hiera_before_choose(const HieraBefore *before, const GArray *rows);
