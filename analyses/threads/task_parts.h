/** The search for what tasks need (task_needs.h): who creates which, and what depends on what. Private to task_needs.c
 * and task_regions.c. */
#pragma once

#include "rank_threads.h"

#define HIERA_NOT_KNOWN HIERA_NONE /* instead of the index of a creation */

typedef enum {
    HIERA_PART_OTHER,
    HIERA_PART_REGION,
    HIERA_PART_TASK,
    HIERA_PART_CREATE,
    HIERA_PART_GROUP,
    HIERA_PART_GROUP_END,
    HIERA_PART_WAIT,
    HIERA_PART_LOOP,
    HIERA_PART_DETACH,
    HIERA_PART_IN,
    HIERA_PART_OUT,
    HIERA_PART_MUTEX,
    HIERA_PART_SET,
    HIERA_PART_ALL
} HieraTaskPart;

typedef struct {
    guint32 row, region; /* region: row of the task around; HIERA_NONE: none */
    guint32 group;       /* row at which the innermost group begins that has it; HIERA_NONE: none */
    gint32 number;
    guint first, n;    /* its tasks, or the parts of its task, in `made`, by start */
    gboolean is_loop;  /* it makes many tasks, not one in parts */
    gboolean detaches; /* its task is not complete when its code ends */
} HieraCreation;

typedef struct {
    guint32 row;
    guint32 creation; /* index; HIERA_NOT_KNOWN */
} HieraCreatedTask;

/* `creation` has to wait for `before`; so has the wait of a row, if `creation` is HIERA_NOT_KNOWN. */
typedef struct {
    guint32 creation, row, before;
} HieraTaskEdge;

typedef struct {
    const HieraTrace *trace;
    guint32 first, behind;
    HieraTaskPart *parts;      /* by id of a site */
    GArray *creations, *tasks; /* HieraCreation, HieraCreatedTask, by row */
    GArray *made;              /* guint32: tasks by creation */
    GArray *lost;              /* gint64: ends of tasks whose creation is not known */
    GArray *edges;             /* HieraTaskEdge */
    GArray *joined;            /* edges to sets; only in task_regions.c */
    GHashTable *regions;       /* row + 1 → Region; only in task_regions.c */
    GArray *needs;
} HieraTaskSearch;

static inline HieraTaskPart hiera_task_part(const HieraTaskSearch *search, guint32 row)
{
    return search->parts[search->trace->site[row]];
}

static inline HieraCreation *hiera_creation_peek(const HieraTaskSearch *search, guint32 index)
{
    return &g_array_index(search->creations, HieraCreation, index);
}

/* Return the row of the task around a row; HIERA_NONE: none. */
static inline guint32 hiera_task_region(const HieraTaskSearch *search, guint32 row)
{
    for (row = search->trace->parent[row]; row != HIERA_NONE; row = search->trace->parent[row]) {
        HieraTaskPart part = hiera_task_part(search, row);
        if (part == HIERA_PART_REGION || part == HIERA_PART_TASK)
            break;
    }
    return row;
}

/* Return the row of a task, or of a part, by its index in `made`. */
static inline guint32 hiera_made_row(const HieraTaskSearch *search, guint i)
{
    return g_array_index(search->tasks, HieraCreatedTask, g_array_index(search->made, guint32, i)).row;
}

/** Go through the operations of a rank, and add the edges of its tasks and waits. */
void hiera_task_regions_take(HieraTaskSearch *search);
