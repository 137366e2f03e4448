/* The operations of a thread that are open while its events are read. */
#pragma once

#include "rank.h"

/* Lists of data about the requests that a call completed. */
enum { HIERA_OTF2_NUMBERS, HIERA_OTF2_SOURCES, HIERA_OTF2_TAGS, HIERA_OTF2_SIZES, HIERA_OTF2_LISTS };

/* An active request. */
typedef struct {
    gint64 number;   /* number in the trace */
    guint32 element; /* element that started it */
    gboolean receives;
} HieraOtf2Request;

typedef struct {
    const HieraOtf2Archive *archive;
    HieraOtf2Rank *rank;
    GArray *stack;                        /* open operations of the thread */
    gint64 now_ns;                        /* time of the last event */
    GHashTable *active;                   /* request id in the archive, guint64 → HieraOtf2Request */
    gint64 n_requests;                    /* numbers given so far */
    GString *completed[HIERA_OTF2_LISTS]; /* lists of requests completed by the innermost operation */
    GString *tested;                      /* requests that it tested without success */
} HieraOtf2Calls;

void hiera_otf2_calls_init(HieraOtf2Calls *calls, const HieraOtf2Archive *archive, HieraOtf2Rank *rank);
void hiera_otf2_calls_clear(HieraOtf2Calls *calls);
/* Set the current time to that of an event. */
void hiera_otf2_calls_see(HieraOtf2Calls *calls, OTF2_TimeStamp time);
/* Begin an operation. Return its index among the elements. */
guint32 hiera_otf2_calls_begin(HieraOtf2Calls *calls, OTF2_RegionRef region, HieraOtf2Element *element);
/* Return the index of the innermost open operation; G_MAXUINT32: none. */
guint32 hiera_otf2_calls_top(const HieraOtf2Calls *calls);
/* End the innermost operation of a region, and the operations inside it. Return its index; G_MAXUINT32 if none is open.
 */
guint32 hiera_otf2_calls_end(HieraOtf2Calls *calls, OTF2_RegionRef region);
/* End the events of a thread: operations that are still open have no end. */
void hiera_otf2_calls_end_thread(HieraOtf2Calls *calls);
/* Return the number of active receives. */
guint64 hiera_otf2_calls_count_receives(const HieraOtf2Calls *calls);
