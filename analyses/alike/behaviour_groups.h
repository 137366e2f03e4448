/** Whether a rank does the same operations as most ranks, regardless of times; see `--measure imbalance --by group`. */
#pragma once

#include "hiera_measure.h"

typedef enum {
    HIERA_BEHAVES_UNCLEAR, /* no group has more than half of the ranks */
    HIERA_BEHAVES_AS_MOST,
    HIERA_BEHAVES_APART
} HieraBehaviourLike;

typedef struct {
    HieraBehaviourLike like;
    const char *does, *others_do; /* if APART: the rank's first different operation; that of most ranks; "end": none */
} HieraBehaviour;

/** Compare a rank with the largest group. O(operations). With several processes all must call it, for the same rank.
 * @param table  owns the texts */
HieraBehaviour hiera_behaviour_of(const HieraTrace *trace, const HieraScope *scope, guint32 processor,
                                  HieraTable *table);
