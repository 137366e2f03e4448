/* The worst instances of what the measures say: the longest waits of each class, the longest calls of each operation,
 * and so on. Of them the page has all that is known, however long the run is. */
#ifndef HIERA_WORST_H
#define HIERA_WORST_H

#include "lanes.h"
#include "waiting/waiting.h"
#include <stdio.h>

typedef struct {
    guint32 row;
    gint64 value;
} HieraInstance;

/* Instances of one kind, the worst first. */
typedef struct {
    char *name;           /* of the kind, like "late sender" */
    const char *measures; /* that answer about it, with blanks between them */
    gboolean bytes;       /* values are bytes; else nanoseconds */
    GArray *instances;    /* HieraInstance */
} HieraWorstList;

typedef struct {
    GArray *lists; /* HieraWorstList */
    guint8 *known; /* by row: whether the page has all that is known of it; others may add to them */
} HieraWorst;

/* Find them. O(operations + messages + waits). To be freed with hiera_worst_free.
 * @param waits  of the whole run, by row */
HieraWorst *hiera_worst_find(const HieraScene *scene, const GArray *waits);
void hiera_worst_free(HieraWorst *worst);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraWorst, hiera_worst_free)

/* Mark a row as known, if the page shows it. HIERA_NONE is allowed. */
void hiera_worst_know(HieraWorst *worst, const HieraScene *scene, guint32 row);

/* Know also what the known operations wait for, what completes their requests, and the other ends of their messages. To
 * be called once, when all others are known. */
void hiera_worst_complete(HieraWorst *worst, const HieraScene *scene, const GArray *waits);

/* Write the blocks `worst`, `places` and `messages`. */
void hiera_worst_write(const HieraWorst *worst, const HieraScene *scene, FILE *stream);

#endif
