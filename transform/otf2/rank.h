/* What is made of the events of a rank. */
#ifndef HIERA_OTF2_RANK_H
#define HIERA_OTF2_RANK_H

#include "definitions.h"
#include "elements.h"

typedef struct {
    HieraOtf2Elements elements;
    GArray *first;     /* guint32: by thread, index of its first element */
    GHashTable *comms; /* OTF2_CommRef + 1: those that operations name */
    gint64 init_ns, finalize_ns;
    guint64 n_unknown; /* receives of which the archive does not tell what they got */
    char *problem;     /* why not all could be read; NULL */
} HieraOtf2Rank;

#endif
