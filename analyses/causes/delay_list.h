/** The list of delays while the search runs: one delay sums up all waits with the same cause and the same place. */
#pragma once

#include "values/shares.h"

/** A cause of waits in one place. Times in nanoseconds. */
typedef struct {
    guint32 node;      /* node of the causing path; HIERA_NONE: unexplained */
    guint32 processor; /* the causing rank; HIERA_NONE: unexplained */
    guint32 at;        /* node of the waiting call */
    guint8 class;      /* HieraWaitClass */
    gint64 direct_ns, indirect_ns;
    gint64 unsure_ns; /* the part of direct_ns + indirect_ns in waits at `at` no longer than the possible difference of
                         the clocks */
    GArray *delayed;  /* HieraShare, by processor: the ranks that wait */
} HieraDelay;

typedef struct {
    GArray *delays;     /* HieraDelay */
    GHashTable *places; /* HieraDelayPlace → index + 1 in `delays` */
    GHashTable *shares; /* index of a delay and processor → index + 1 in its `delayed` */
} HieraDelayList;

/** The key of a HieraDelay. */
typedef struct {
    guint32 node, processor, at, class;
} HieraDelayPlace;

void hiera_delay_list_init(HieraDelayList *list);

/** Return the delay of a place; create it if there is none yet. Valid until the next call. */
HieraDelay *hiera_delay_list_find(HieraDelayList *list, const HieraDelayPlace *place);

/** Add to the time that a processor waits because of this delay. */
void hiera_delay_list_add_share(HieraDelayList *list, HieraDelay *delay, guint32 processor, gint64 time_ns);

/** Return the delays, to be freed with g_array_unref, and free the rest of the list. */
GArray *hiera_delay_list_take(HieraDelayList *list);
