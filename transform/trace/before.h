/* What went before a trace that begins later (HIERA_MODE=window): how many messages and collective calls there were on
 * each channel, so that matching goes on counting from there; and which of its calls were made before. Belongs to the
 * catalog. */
#ifndef HIERA_BEFORE_H
#define HIERA_BEFORE_H

#include "hiera_trace.h"

/* Where the number of calls that went before is not known. */
#define HIERA_BEFORE_UNKNOWN (-1)

typedef enum {
    HIERA_BEFORE_SENT,
    HIERA_BEFORE_RECEIVED,
    HIERA_BEFORE_CALLS,  /* collective calls on a communicator, window or file */
    HIERA_BEFORE_INITS,  /* calls that make a persistent collective */
    HIERA_BEFORE_STARTS, /* of a persistent collective */
} HieraBeforeSort;

/* How often one thing was done. */
typedef struct {
    HieraBeforeSort sort;
    guint32 comm;     /* communicator, window or file; HIERA_NONE of STARTS */
    const char *id;   /* of a window or file, which is declared later; else NULL */
    gint32 peer, tag; /* of messages, as ranks in the communicator */
    gboolean partitioned;
    gint64 request; /* number; of STARTS alone */
    gint64 count;   /* or HIERA_BEFORE_UNKNOWN */
} HieraWent;

/* A call that was made before the trace begins, and that later ones need. */
typedef struct {
    guint64 index; /* of the operation, in its processor */
    gint64 place;  /* calls on its channel before it; or HIERA_BEFORE_UNKNOWN */
} HieraCarried;

struct HieraBefore {
    GArray *went;      /* HieraWent */
    GArray *carried;   /* HieraCarried, by index */
    GHashTable *comms; /* those that the trace declares: their numbers */
    gboolean complete; /* `went` has all that is not 0 */
};

HieraBefore *hiera_before_new(void);
void hiera_before_free(gpointer before);

/* Count from where another one does. Nothing is `carried` yet. */
void hiera_before_take_counts(HieraBefore *before, const HieraBefore *from);

/* Return whether a row was made before its trace begins. `place` (may be NULL) receives how many calls there were
 * before it. */
gboolean hiera_before_is_carried(const HieraTrace *trace, guint32 row, gint64 *place);

/* Keep of `carried` what is among these operations, which are renumbered from 0 on. @param rows  guint32, rising */
void hiera_before_choose(const HieraBefore *before, const GArray *rows);

#endif
