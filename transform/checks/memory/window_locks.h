/* Locks that ranks hold on windows. */
#pragma once

#include "buffer_uses.h"

enum { HIERA_LOCK_NONE, HIERA_LOCK_SHARED, HIERA_LOCK_EXCLUSIVE };

/* Return, by use, which lock its rank holds then on the memory that it uses, in whatever thread it locked it.
 * @param uses  HieraBufferUse;  memory: tables of the memory of windows, HieraBufferUse */
guint8 *hiera_window_locks_find(const HieraMatch *match, const GArray *uses, GHashTable *memory);
