/* Finds which ranks a call on a window (post, start, complete, wait) synchronizes with. */
#pragma once

#include "hiera_match.h"

typedef struct {
    HieraPair *forth, *back; /* pairs of calls on a window that wait for each other; `back`: both calls exchanged;
                                sorted by `start` */
    guint n;
    const HieraTrace *trace;
} Epochs;

void epochs_init(Epochs *epochs, const HieraMatch *match);
void epochs_clear(Epochs *epochs);
/* Set the partners of a call on a window. @param peers  GArray of guint32: receives the indices of their ranks */
void epochs_find_peers(const Epochs *epochs, guint32 row, GArray *peers);
