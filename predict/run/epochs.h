/* Finds the ranks of a window's post, start, complete or wait (its epochs). */
#pragma once

#include "hiera_match.h"

typedef struct {
    HieraPair *forth, *back; /* pairs of the match sorted by first row, and the reversed pairs */
    guint n;
    const HieraTrace *trace;
} Epochs;

void epochs_init(Epochs *epochs, const HieraMatch *match);
void epochs_clear(Epochs *epochs);
/* Set the ranks, as indices, that belong to a row. @param peers  GArray of guint32 */
void epochs_find_peers(const Epochs *epochs, guint32 row, GArray *peers);
