/* Begins and ends of regions that do not fit: noted where they happen, said at the end of the trace.
 *
 * Without allocation, since some happen on the call path: a thread keeps a bounded number of notes, each with a count,
 * and hands them to the session when it ends. */
#ifndef HIERA_UNBALANCED_H
#define HIERA_UNBALANCED_H

#include "region_names.h"

#include <stdint.h>

/* X(identifier, the attribute `reason` of hieraUnbalanced). */
#define HIERA_IMBALANCES(X)                                                                                            \
    X(LEFT, "left")        /* it had no end; what is around it ended, or its stack frame was gone */                   \
    X(OPEN, "never_ended") /* … and its thread or the process was over */                                            \
    X(CROSSED, "crossed")  /* its end came within another one: it ends with that */                                    \
    X(ALONE, "end_alone")  /* an end, and nothing that it could have ended */

typedef enum HieraImbalance {
#define X(identifier, reason) HIERA_IMBALANCE_##identifier,
    HIERA_IMBALANCES(X)
#undef X
} HieraImbalance;

enum { HIERA_NOTES = 24, HIERA_NOTE_TEXT = 96 };

typedef struct HieraNote {
    HieraImbalance what;
    uint64_t count;
    const void *site;           /* of the begin; of the end if that is alone; of a function its address */
    bool has_name;              /* a region */
    char text[HIERA_NOTE_TEXT]; /* level and name, cut off if they are longer; empty for an end alone */
} HieraNote;

/* Notes of one kind about one place are one. The last one is for all that have no room. */
typedef struct HieraBalance {
    uint32_t n;
    HieraNote notes[HIERA_NOTES];
} HieraBalance;

/* Note it; `name` NULL for an end alone, and for a function. */
void hiera_balance_note(HieraThread *thread, HieraImbalance what, const HieraName *name, const void *site);

/* The thread ends: its notes become the session's. With the session's lock held. */
void hiera_balance_end_thread(HieraThread *thread);

/* The notes of all threads that have ended. With the session's lock held. */
const HieraBalance *hiera_balance_of_ended_threads(void);

#endif
