/* Lanes of the timeline: one for each thread, by rank, then by thread. The main thread of each rank has a lane even
 * without operations. */
#pragma once

#include "export/export_labels.h"
#include "hiera_match.h"
#include "hiera_measure.h"

#define HIERA_MANY_OPERATIONS 2000000 /* number of operations from which on the page must limit its work */
#define HIERA_ALL_OPERATIONS                                                                                           \
    200000 /* number of operations up to which the page has all; of more, only what fits into the file */

typedef struct {
    guint32 processor, thread;
    guint32 first, n_rows; /* range of the thread's rows in the trace */
    guint32 n_depths;
    guint32 shift; /* added to a row: its number, which is its row in a process that has all operations */
} HieraLane;

/* What the page shows: data for all files that make blocks of the page. */
typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    GArray *lanes;         /* HieraLane of this process's ranks */
    GArray *all;           /* HieraLane of all processes' ranks, with numbers of operations instead of rows */
    HieraSiteOrder order;  /* order of call sites that does not depend on the order in which files are read */
    guint32 *group;        /* by rank: index of the first rank that does the same operations; only valid in process 0 */
    guint32 *by_begin;     /* rows sorted by begin within each lane; NULL: the trace's rows are in this order */
    const gint64 *waiting; /* by row: ns of waiting within the scope's times */
    const HieraScope *scope; /* ranks and times that limit what the page shows */
    gint64 begin_ns, end_ns; /* begin and end of the run, or of the part of it that the page shows */
    gboolean whole;          /* whether the page shows all operations */
} HieraScene;

/* Make the scene. If several processes share the operations, all must call this, and all functions that use the scene.
 *
 * @param scope    must outlive the scene
 * @param waiting  by row, nanoseconds; must outlive the scene */
void hiera_scene_init(HieraScene *scene, const HieraMatch *match, const HieraScope *scope, const gint64 *waiting);
void hiera_scene_clear(HieraScene *scene);

/* Whether the page shows an operation: its rank is in the scope, and it overlaps the scope's times. O(log lanes). */
gboolean hiera_scene_shows(const HieraScene *scene, guint32 row);
/* Whether the page shows an operation that is in a lane; as hiera_scene_shows, but O(1). */
gboolean hiera_scene_has(const HieraScene *scene, guint32 row);

/* Return the number of an operation, the same in all processes: its row in a process that has all operations. */
guint32 hiera_scene_number(const HieraScene *scene, guint32 row);
/* Return the row of the operation with a number (hiera_scene_number); HIERA_NONE: this process does not have it. */
guint32 hiera_scene_find(const HieraScene *scene, guint32 number);
/* Whether an operation belongs to one of this process's ranks. */
gboolean hiera_scene_owns(const HieraScene *scene, guint32 row);

/* Return the index in `all` of the lane of an operation that the page shows. O(log lanes). */
guint32 hiera_scene_lane(const HieraScene *scene, guint32 row);

/* Return the index in `all` of the lane of a rank's main thread. O(log lanes). */
guint32 hiera_scene_main_lane(const HieraScene *scene, guint32 processor);
/* Return the lane of a rank's main thread in `lanes`; NULL: this process does not have the rank. */
const HieraLane *hiera_scene_peek_main_lane(const HieraScene *scene, guint32 processor);

/* Return the times of a row relative to the begin of what is shown, cut to what is shown; the end is not before the
 * begin. */
gint64 hiera_scene_start(const HieraScene *scene, guint32 row);
gint64 hiera_scene_finish(const HieraScene *scene, guint32 row);

/* Return a row of a lane in order of begin. @param i  `first` of the lane plus the index in that order */
guint32 hiera_scene_row(const HieraScene *scene, guint32 i);
/* Return the first `i` of a lane whose row begins at `begin_ns` or later; the lane's end: none does. O(log rows). */
guint32 hiera_scene_search(const HieraScene *scene, const HieraLane *lane, gint64 begin_ns);
