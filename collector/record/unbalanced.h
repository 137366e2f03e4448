/* Notes about begins and ends of regions that do not match. They are written at the end of the trace.
 *
 * Some are made on the call path, so they allocate nothing: a thread has a bounded number of notes, each with a count,
 * and hands them over to the process when it ends. */
#pragma once

#include "region_names.h"

#include <stdint.h>

/* X(identifier, value of the attribute `reason` of hieraUnbalanced). */
#define HIERA_IMBALANCES(X)                                                                                            \
    X(LEFT, "left") /* the region got no end before the region around it ended, or before its stack frame was gone */  \
    X(OPEN, "never_ended") /* the region got no end before its thread or the process ended */                          \
    X(CROSSED, "crossed")  /* the region's end came inside another region: both are closed together */                 \
    X(ALONE, "end_alone")  /* an end came when no region was open */                                                   \
    X(OTHER, "other")      /* any of the reasons above, once there is no room for further notes */

typedef enum HieraImbalance {
#define X(identifier, reason) HIERA_IMBALANCE_##identifier,
    HIERA_IMBALANCES(X)
#undef X
} HieraImbalance;

enum { HIERA_NOTES = 24, HIERA_NOTE_TEXT = 96 };

typedef struct HieraNote {
    HieraImbalance what;
    uint64_t count;
    const void *site;           /* call site of the begin, or of an end alone; a function's address; NULL: OTHER */
    bool has_name;              /* true for a region; false for an end alone or a function */
    char text[HIERA_NOTE_TEXT]; /* the region's level, NUL, name, NUL, cut if too long; or empty */
} HieraNote;

/* The notes of a thread or of the process. One note for each kind and place; the last one counts all others if there
 * are too many. */
typedef struct HieraBalance {
    uint32_t n;
    HieraNote notes[HIERA_NOTES];
} HieraBalance;

/* Add a note, or count an equal one. `name` is NULL for an end without a region, and for a function. */
void hiera_balance_note(HieraThread *thread, HieraImbalance what, const HieraName *name, const void *site);

/* Add the notes of a thread that ends to those of the process. The lock must be held. */
void hiera_balance_end_thread(HieraThread *thread);

/* Return the notes of all threads that have ended. The lock must be held. */
const HieraBalance *hiera_balance_of_ended_threads(void);
