/** Delays while they are found: what has the same cause in the same place is one delay. */
#pragma once

#include "values/shares.h"

/** A cause of waits in one place. Times in nanoseconds. */
typedef struct {
    guint32 node;      /* what takes too long; HIERA_NONE: unexplained */
    guint32 processor; /* where; HIERA_NONE: unexplained */
    guint32 at;        /* node of the call that waits for it */
    guint8 class;      /* HieraWaitClass */
    gint64 direct_ns, indirect_ns;
    gint64 unsure_ns; /* the part of both for which ranks wait, at `at`, no longer than their clocks may differ */
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

/** Return the delay of a place, which is made if there is none yet; valid until the next call. */
HieraDelay *hiera_delay_list_find(HieraDelayList *list, const HieraDelayPlace *place);

/** Add to the time that a processor waits because of a delay. */
void hiera_delay_list_add_share(HieraDelayList *list, HieraDelay *delay, guint32 processor, gint64 time_ns);

/** Return the delays, to be freed with g_array_unref; nothing else of the list is left. */
GArray *hiera_delay_list_take(HieraDelayList *list);
