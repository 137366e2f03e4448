/* Windows: types that the steps of their matching share. */
#pragma once

#include "matching/match_common.h"

typedef enum { HIERA_EPOCH_FENCE, HIERA_EPOCH_START, HIERA_EPOCH_LOCK, HIERA_EPOCH_POST } HieraEpochKind;

/* An access epoch of one rank, or (POST) an exposure epoch. */
typedef struct {
    HieraEpochKind kind;
    guint32 processor;
    guint32 window; /* index of the window among the communicators of the catalog */
    guint32 group;  /* for START and POST: index among the communicators; HIERA_NONE if not declared */
    guint32 open;   /* row that begins the epoch */
    guint32 close;  /* row that ends it, or HIERA_NONE */
} HieraEpoch;

/* A put, a get or an update. */
typedef struct {
    guint32 row, processor;
    gint32 target; /* world rank */
    guint32 epoch; /* index of its epoch, HIERA_NONE if it is outside of all epochs */
} HieraAccess;

/* Find the epochs of each rank, the accesses in them, and the calls that complete the accesses. Calls that break the
 * rules become misuses of the match.
 * @param epochs    receives HieraEpoch
 * @param accesses  receives HieraAccess */
void hiera_match_epochs(const HieraTrace *trace, HieraMatch *match, GArray *epochs, GArray *accesses);
