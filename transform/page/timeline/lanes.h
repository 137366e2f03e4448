/* Lanes: the threads of the ranks, by rank, then by thread. The main thread of each rank has one, also without
 * operations. */
#ifndef HIERA_LANES_H
#define HIERA_LANES_H

#include "export/export_labels.h"
#include "hiera_match.h"
#include "hiera_measure.h"

#define HIERA_MANY_OPERATIONS 2000000 /* of a run with more the page must take care not to take too much time */
#define HIERA_ALL_OPERATIONS                                                                                           \
    200000 /* of a run with so many the page has all, of a longer one as many as there is room for */

typedef struct {
    guint32 processor, thread;
    guint32 first, n_rows; /* rows of the trace */
    guint32 n_depths;
    guint32 shift; /* from its rows to those of a process that has all operations */
} HieraLane;

/* What the parts of the page have in common. */
typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    GArray *lanes;        /* HieraLane, of the own ranks */
    GArray *all;          /* HieraLane, of the ranks of all processes, with rows as one process has them that has all */
    HieraSiteOrder order; /* of call sites: it does not depend on which file was read first */
    guint32 *group;       /* by processor: the first processor that does the same operations; of several processes,
                             for the one that leads */
    guint32 *by_begin;    /* rows, lane by lane, by their begin; NULL if they stand in this order already */
    const gint64 *waiting;   /* by row, nanoseconds in the scope's times */
    const HieraScope *scope; /* its ranks and times narrow all that the page shows */
    gint64 begin_ns, end_ns; /* of the run, or of the part of it that the page shows */
    gboolean whole;          /* it shows all operations */
} HieraScene;

/* Of several processes that have shared the operations out, all call it, also of all that is made of it.
 *
 * @param scope    must outlive the scene
 * @param waiting  by row, nanoseconds; must outlive the scene */
void hiera_scene_init(HieraScene *scene, const HieraMatch *match, const HieraScope *scope, const gint64 *waiting);
void hiera_scene_clear(HieraScene *scene);

/* Whether the page shows an operation: its rank is in the scope, and it reaches into its times. O(log lanes). */
gboolean hiera_scene_shows(const HieraScene *scene, guint32 row);
/* The same for a row of a lane. O(1). */
gboolean hiera_scene_has(const HieraScene *scene, guint32 row);

/* Return which row an operation is where one process has all. */
guint32 hiera_scene_number(const HieraScene *scene, guint32 row);
/* Return the row of an operation that has this number; HIERA_NONE: this process does not have it. */
guint32 hiera_scene_find(const HieraScene *scene, guint32 number);
/* Whether an operation belongs to a rank for which this process answers. */
gboolean hiera_scene_owns(const HieraScene *scene, guint32 row);

/* Index in `all` of the lane of a row that is shown. O(log lanes). */
guint32 hiera_scene_lane(const HieraScene *scene, guint32 row);

/* Index in `all` of the lane of the main thread of a processor. O(log lanes). */
guint32 hiera_scene_main_lane(const HieraScene *scene, guint32 processor);
/* The same in `lanes`; NULL: it is not there. */
const HieraLane *hiera_scene_peek_main_lane(const HieraScene *scene, guint32 processor);

/* Times of a row from the begin of what is shown, cut at its begin and end; the end is not before the begin. */
gint64 hiera_scene_start(const HieraScene *scene, guint32 row);
gint64 hiera_scene_finish(const HieraScene *scene, guint32 row);

/* Rows of a lane by their begin: the i-th one, from the lane's `first` on. */
guint32 hiera_scene_row(const HieraScene *scene, guint32 i);
/* The first i of a lane whose row begins at a time or later; behind its last one if there is none. O(log rows). */
guint32 hiera_scene_search(const HieraScene *scene, const HieraLane *lane, gint64 begin_ns);

#endif
