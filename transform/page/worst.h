/* The worst operations of each kind that a measure is about: the longest waits of each class, the longest calls of each
 * operation, and so on. The page has all details of them, however long the run is. */
#pragma once

#include "paths/critical_walk.h"
#include "timeline/lanes.h"
#include <stdio.h>

typedef struct {
    guint32 row; /* row of the operation in a process that has all operations (hiera_scene_number) */
    guint32 unused;
    gint64 value;
} HieraWorstInstance;

/* The worst operations of one kind, the worst first. */
typedef struct {
    char *name;           /* name of the kind, for example "late sender" */
    const char *measures; /* names of the measures about this kind, separated by blanks */
    gboolean bytes;       /* whether values are bytes; else they are nanoseconds */
    GArray *instances;    /* HieraWorstInstance */
} HieraWorstList;

typedef struct {
    GArray *lists;  /* HieraWorstList */
    guint8 *known;  /* by row: whether the page has all details of the operation */
    GArray *wanted; /* guint32: numbers of operations (hiera_scene_number) that shall become known */
} HieraWorst;

/* Find the worst instances. O(operations + messages + waits). With several processes, all must call it, and the
 * functions below; process 0 gets the lists of all. To be freed with hiera_worst_free.
 * @param waits  of the whole run, by row
 * @param path   critical path of the whole run */
HieraWorst *hiera_worst_find(const HieraScene *scene, const GArray *waits, const HieraCriticalPath *path);
void hiera_worst_free(HieraWorst *worst);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraWorst, hiera_worst_free)

/* Request full details on the page for an operation, if the page shows it. To be called in process 0; HIERA_NONE is
 * allowed.
 * @param number  from hiera_scene_number() */
void hiera_worst_want(HieraWorst *worst, guint32 number);

/* Mark the wanted operations as known (full details on the page), and with them the causes of their waits, the
 * completions of their requests, and the other ends of their messages. To be called once. */
void hiera_worst_complete(HieraWorst *worst, const HieraScene *scene, const GArray *waits);

/* Write the blocks `worst`, `places` and `messages`. */
void hiera_worst_write(const HieraWorst *worst, const HieraScene *scene, FILE *stream);
