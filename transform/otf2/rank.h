/* The content of a rank's trace, made from the rank's events. */
#pragma once

#include "definitions.h"
#include "elements.h"

typedef struct {
    HieraOtf2Elements elements;
    GArray *first;     /* guint32, by thread: index in `elements` of its first element */
    GHashTable *comms; /* set of OTF2_CommRef + 1: communicators that operations use */
    gint64 init_ns, finalize_ns;
    guint64 n_unknown; /* number of receives of which the archive does not say what they received */
    char *problem;     /* why events could not be read to the end; NULL: they could */
} HieraOtf2Rank;
