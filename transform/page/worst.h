/* The worst instances of what the measures say: the longest waits of each class, the longest calls of each operation,
 * and so on. Of them the page has all that is known, however long the run is. */
#ifndef HIERA_WORST_H
#define HIERA_WORST_H

#include "paths/critical_walk.h"
#include "timeline/lanes.h"
#include <stdio.h>

typedef struct {
    guint32 row; /* as one process has it that has all */
    guint32 unused;
    gint64 value;
} HieraWorstInstance;

/* Instances of one kind, the worst first. */
typedef struct {
    char *name;           /* of the kind, like "late sender" */
    const char *measures; /* that answer about it, with blanks between them */
    gboolean bytes;       /* values are bytes; else nanoseconds */
    GArray *instances;    /* HieraWorstInstance */
} HieraWorstList;

typedef struct {
    GArray *lists;  /* HieraWorstList */
    guint8 *known;  /* by row: whether the page has all that is known of it */
    GArray *wanted; /* guint32: operations that are to be known, as numbers */
} HieraWorst;

/* Find them. O(operations + messages + waits). Of several processes all call it, as all of these functions; the one
 * that leads has the lists of all. To be freed with hiera_worst_free.
 * @param waits  of the whole run, by row
 * @param path   likewise */
HieraWorst *hiera_worst_find(const HieraScene *scene, const GArray *waits, const HieraCriticalPath *path);
void hiera_worst_free(HieraWorst *worst);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraWorst, hiera_worst_free)

/* Want to know an operation, if the page shows it: in the one that leads. HIERA_NONE is allowed.
 * @param number  of hiera_scene_number() */
void hiera_worst_want(HieraWorst *worst, guint32 number);

/* Know what is wanted, and also what these wait for, what completes their requests, and the other ends of their
 * messages. To be called once. */
void hiera_worst_complete(HieraWorst *worst, const HieraScene *scene, const GArray *waits);

/* Write the blocks `worst`, `places` and `messages`. */
void hiera_worst_write(const HieraWorst *worst, const HieraScene *scene, FILE *stream);

#endif
