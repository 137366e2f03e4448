/* Windows: what the parts of their matching share. */
#ifndef HIERA_MATCH_WINDOWS_H
#define HIERA_MATCH_WINDOWS_H

#include "match_common.h"

typedef enum { HIERA_EPOCH_FENCE, HIERA_EPOCH_START, HIERA_EPOCH_LOCK, HIERA_EPOCH_POST } HieraEpochKind;

/* A time in which one rank may reach a window of others, or (POST) others that of its own. */
typedef struct {
    HieraEpochKind kind;
    guint32 processor, window; /* communicator of that name */
    guint32 group;             /* of START and POST; HIERA_NONE where it is not declared */
    guint32 open, close;       /* rows; HIERA_NONE if nothing closes it */
} HieraEpoch;

/* A put, a get or an update. */
typedef struct {
    guint32 row, processor;
    gint32 target; /* world rank */
    guint32 epoch; /* place in the epochs, HIERA_NONE if it lies in none */
} HieraAccess;

/* Find the epochs of each rank, what lies in them, and what completes it; note what breaks their rules. */
void hiera_match_epochs(const HieraTrace *trace, HieraMatch *match, GArray *epochs, GArray *accesses);

#endif
