/* Epochs of windows: which ranks a post, a start, a complete or a wait is about. */
#ifndef HIERA_PREDICT_EPOCHS_H
#define HIERA_PREDICT_EPOCHS_H

#include "hiera_match.h"

typedef struct {
    HieraPair *forth, *back; /* the pairs of the match, by their first row, and turned round */
    guint n;
    const HieraTrace *trace;
} Epochs;

void epochs_init(Epochs *epochs, const HieraMatch *match);
void epochs_clear(Epochs *epochs);
/* Set the ranks, as indices of processors, that belong to a row. @param peers  GArray of guint32 */
void epochs_find_peers(const Epochs *epochs, guint32 row, GArray *peers);

#endif
