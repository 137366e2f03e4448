/** List of delays, filled while waits are explained: one delay sums up all waits with equal cause, place and class. */
#pragma once

#include "values/shares.h"

/** All waits in one call path (`at`) that one rank caused in one call path (`node`). Times in nanoseconds. */
typedef struct {
    guint32 node;      /* node of the call path that caused the waits; HIERA_NONE: unexplained */
    guint32 processor; /* processor of the causing rank; HIERA_NONE: unexplained */
    guint32 at;        /* node of the waiting calls */
    guint8 class;      /* HieraWaitClass of the waits */
    gint64 direct_ns, indirect_ns;
    gint64 unsure_ns; /* the part of direct_ns + indirect_ns in waits at `at` no longer than the possible difference of
                         the clocks */
    GArray *delayed;  /* HieraShare, by processor: time that each rank waits */
} HieraDelay;

typedef struct {
    GArray *delays;     /* HieraDelay */
    GHashTable *places; /* HieraDelayPlace → index in `delays` + 1 */
    GHashTable *shares; /* index in `delays`, processor → index + 1 of the processor in `delayed` */
} HieraDelayList;

/** Key of a HieraDelay: its members of the same names. */
typedef struct {
    guint32 node, processor, at, class;
} HieraDelayPlace;

void hiera_delay_list_init(HieraDelayList *list);

/** Return the delay with a key; make it if there is none. The pointer is valid until the next call. */
HieraDelay *hiera_delay_list_find(HieraDelayList *list, const HieraDelayPlace *place);

/** Add a time to what a processor waits because of a delay. */
void hiera_delay_list_add_share(HieraDelayList *list, HieraDelay *delay, guint32 processor, gint64 time_ns);

/** Return the delays, to be freed with g_array_unref, and free the rest of the list. */
GArray *hiera_delay_list_take(HieraDelayList *list);
