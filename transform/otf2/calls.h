/* The operations of a thread that are open while its events are read. */
#pragma once

#include "rank.h"

/* Lists about the requests that a call completed: numbers of requests; sources, tags and sizes of their messages. */
enum { HIERA_OTF2_NUMBERS, HIERA_OTF2_SOURCES, HIERA_OTF2_TAGS, HIERA_OTF2_SIZES, HIERA_OTF2_LISTS };

/* A request that was started and not completed. */
typedef struct {
    gint64 number;   /* number of the request in the trace */
    guint32 element; /* index of the element of the call that started the request */
    gboolean receives;
} HieraOtf2Request;

typedef struct {
    const HieraOtf2Archive *archive;
    HieraOtf2Rank *rank;
    GArray *stack;                        /* operations of the thread that have begun and not ended */
    gint64 now_ns;                        /* time of the event that is read */
    GHashTable *active;                   /* id of a request in the archive (guint64) → HieraOtf2Request */
    guint32 task;                         /* number of the task of OpenMP that begins next; 0: not known */
    gint64 n_requests;                    /* number of requests in the trace so far */
    GString *completed[HIERA_OTF2_LISTS]; /* texts about requests that the innermost operation completed */
    GString *tested;                      /* numbers of requests that the innermost operation tested without success */
} HieraOtf2Calls;

void hiera_otf2_calls_init(HieraOtf2Calls *calls, const HieraOtf2Archive *archive, HieraOtf2Rank *rank);
void hiera_otf2_calls_clear(HieraOtf2Calls *calls);
/* Set the current time to the time of an event, in ns from the begin of the trace. */
void hiera_otf2_calls_see(HieraOtf2Calls *calls, OTF2_TimeStamp time);
/* Begin an operation, which becomes the innermost one. Return the index of its element. */
guint32 hiera_otf2_calls_begin(HieraOtf2Calls *calls, OTF2_RegionRef region, HieraOtf2Element *element);
/* Return the index of the innermost open operation's element; G_MAXUINT32: none is open. */
guint32 hiera_otf2_calls_top(const HieraOtf2Calls *calls);
/* Return the region of an open operation, and its element. @param depth  how many open operations are inside of it.
 * OTF2_UNDEFINED_REGION, G_MAXUINT32: there is none */
OTF2_RegionRef hiera_otf2_calls_open(const HieraOtf2Calls *calls, guint depth, guint32 *element);
/* End the innermost operation of a region, and those inside it. Return its element's index; G_MAXUINT32: none open. */
guint32 hiera_otf2_calls_end(HieraOtf2Calls *calls, OTF2_RegionRef region);
/* Close the operations of a thread that are still open behind its last event, and mark them as without end. */
void hiera_otf2_calls_end_thread(HieraOtf2Calls *calls);
/* Return the number of receives that were started and not completed. */
guint64 hiera_otf2_calls_count_receives(const HieraOtf2Calls *calls);
