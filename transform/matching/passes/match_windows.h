/* One-sided communication: types that several passes of matching it share. */
#pragma once

#include "matching/match_common.h"

typedef enum { HIERA_EPOCH_FENCE, HIERA_EPOCH_START, HIERA_EPOCH_LOCK, HIERA_EPOCH_POST } HieraEpochKind;

/* An access epoch of one rank, or (POST) an exposure epoch. */
typedef struct {
    HieraEpochKind kind;
    guint32 processor;
    guint32 window; /* index of the window in the column `comm` */
    guint32 group;  /* of START and POST: index of the call's group, like `window`; HIERA_NONE: not declared */
    guint32 open;   /* row of the call that begins the epoch */
    guint32 close;  /* row of the call that ends the epoch; HIERA_NONE: none */
} HieraEpoch;

/* An access to a window: a put, a get or an update. */
typedef struct {
    guint32 row, processor;
    gint32 target; /* world rank of the access's target */
    guint32 epoch; /* index of the HieraEpoch in which the access lies; HIERA_NONE: in none */
} HieraAccess;

/* Find the epochs of each rank, the accesses in them, and the calls that complete the accesses. Calls that break the
 * rules become misuses of the match.
 * @param epochs    receives HieraEpoch
 * @param accesses  receives HieraAccess */
void hiera_match_epochs(const HieraTrace *trace, HieraMatch *match, GArray *epochs, GArray *accesses);
