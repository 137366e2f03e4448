/* Open epochs of windows, while the calls of a rank are gone through: match_epochs.c opens and closes them,
 * match_access_epochs.c finds the one that an access belongs to, and the call that completes it. */
#pragma once

#include "match_windows.h"

/* Open epochs of one window of one rank. */
typedef struct {
    guint32 fence, start, lock_all, post; /* index of the open epoch of this kind, or HIERA_NONE */
    GHashTable *locks;                    /* rank in the window → index + 1 of the open epoch of its lock */
    GHashTable *pending;                  /* rank in the window → GArray of the rows of incomplete accesses */
} HieraOpenEpochs;

typedef struct {
    const HieraTrace *trace;
    HieraMatch *match;
    GArray *epochs, *accesses;
    guint32 processor;
    GHashTable *windows; /* communicator → HieraOpenEpochs */
} HieraEpochs;

/* Return the index of the open epoch of a lock of a rank in the window; HIERA_NONE if there is none. */
guint32 hiera_epochs_find_lock(const HieraOpenEpochs *window, gint32 target);

/* Whether an epoch other than a fence epoch is open in which the rank may access the window. */
gboolean hiera_epochs_are_accessed(const HieraOpenEpochs *window);

/* Add an access: put, get or update. It gets its epoch, or a reason. */
void hiera_epochs_access(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row);

/* Note that call `by` completes the accesses to a target, or all accesses. */
void hiera_epochs_complete_target(const HieraEpochs *epochs, const HieraOpenEpochs *window, gint32 target, guint32 by);
void hiera_epochs_complete_all(const HieraEpochs *epochs, const HieraOpenEpochs *window, guint32 by);
