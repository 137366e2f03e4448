/* Open epochs of windows, while the calls of a rank are gone through: match_epochs.c opens and closes them,
 * match_access_epochs.c finds the one that an access belongs to, and the call that completes it. */
#pragma once

#include "match_windows.h"

/* The open epochs of one rank on one window. */
typedef struct {
    guint32 fence, start, lock_all, post; /* index of the open epoch that such a call began; HIERA_NONE: none is open */
    guint32 locked;      /* row that began the first lock's epoch with an access since the last fence; or HIERA_NONE */
    GHashTable *locks;   /* target's rank in the window → index + 1 of the open epoch of its win_lock */
    GHashTable *pending; /* target's rank in the window → GArray of guint32: rows of accesses that are not complete */
} HieraOpenEpochs;

typedef struct {
    const HieraTrace *trace;
    HieraMatch *match;
    GArray *epochs, *accesses;
    guint32 processor;
    GHashTable *windows; /* of the current processor: index of a window → HieraOpenEpochs */
} HieraEpochs;

/* Report a call that breaks a rule of epochs, unless calls that were not recorded may explain it. */
void hiera_epochs_add_misuse(const HieraEpochs *epochs, guint32 row, const char *text);

/* Return the index of the open epoch that a win_lock of the target began; HIERA_NONE: there is none. */
guint32 hiera_epochs_find_lock(const HieraOpenEpochs *window, gint32 target);

/* Whether an access epoch is open that win_start, win_lock or win_lock_all began. */
gboolean hiera_epochs_are_accessed(const HieraOpenEpochs *window);

/* Add an access (put, get or update) with its epoch; without epoch or target, set why the row has no partner. */
void hiera_epochs_access(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row);

/* Note that the call `by` completes the accesses to a target (next: to all targets). */
void hiera_epochs_complete_target(const HieraEpochs *epochs, const HieraOpenEpochs *window, gint32 target, guint32 by);
void hiera_epochs_complete_all(const HieraEpochs *epochs, const HieraOpenEpochs *window, guint32 by);
