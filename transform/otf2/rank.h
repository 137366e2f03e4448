/* Data made from the events of a rank. */
#pragma once

#include "definitions.h"
#include "elements.h"

typedef struct {
    HieraOtf2Elements elements;
    GArray *first;     /* guint32: by thread, index of its first element */
    GHashTable *comms; /* OTF2_CommRef + 1: communicators that operations use */
    gint64 init_ns, finalize_ns;
    guint64 n_unknown; /* number of receives whose message the archive does not describe */
    char *problem;     /* why reading stopped early; or NULL */
} HieraOtf2Rank;
