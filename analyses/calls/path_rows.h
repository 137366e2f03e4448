/** Rows of measures that divide the time of ranks: by call path, rank, level or kind of activity.
 *
 * Time is handed over span by span; what belongs together becomes one row. */
#pragma once

#include "call_paths.h"

/** Words of --by, in the order of HieraPathBy. */
#define HIERA_PATH_BY "path,rank,level,kind"
typedef enum { HIERA_BY_PATH, HIERA_BY_RANK, HIERA_BY_LEVEL, HIERA_BY_KIND } HieraPathBy;

/** A further kind beside HieraDoing: time when the ranks that it is counted for have not begun, or have ended. */
#define HIERA_DOES_NOTHING HIERA_N_DOINGS
enum { HIERA_N_KINDS = HIERA_N_DOINGS + 1 };

typedef struct {
    guint32 node;      /* node of the row's call path; 0 unless HIERA_BY_PATH */
    const char *level; /* level of the operations, "" outside of all; set by HIERA_BY_PATH and HIERA_BY_LEVEL */
    guint kind;        /* activity: HieraDoing or HIERA_DOES_NOTHING */
    gint64 time_ns;
    GArray *shares;    /* HieraShare: time of the row, by processor */
    __int128 weighted; /* sum over the row's times of slack · time; in ns² */
    gint64 least_ns;   /* smallest slack of a time in the row */
    gint64 unsure;     /* number of calls in the row with a dependence that contradicts the clocks */
    GArray *threads;   /* HieraShare: time by number of the thread, of ranks with teams; measures fill it */
} HieraPathRow;

typedef struct {
    const HieraScope *scope;
    HieraPathBy by;
    HieraCallPaths paths;
    GArray *rows;   /* HieraPathRow */
    GArray *places; /* guint32 by (node or processor, kind): 1 + index in `rows`; 0: no row */
} HieraPathRows;

/** Called with each processor before its spans are visited. */
typedef void (*HieraProcessorVisit)(guint32 processor, gpointer user);

/** Visits the spans of a processor, as hiera_timeline_visit(). */
typedef void (*HieraTimelineVisit)(const HieraTrace *trace, guint32 processor, HieraSpanVisit visit, gpointer user);

/** Make the rows of a trace, sorted by time, most first.
 *
 * @param begin  called for each processor of this process; then
 * @param span   for each of its spans, which
 * @param visit  visits: it adds the span's time to rows; both get `user` */
void hiera_path_rows_init(HieraPathRows *rows, const HieraTrace *trace, const HieraScope *scope,
                          HieraProcessorVisit begin, HieraTimelineVisit visit, HieraSpanVisit span, gpointer user);
void hiera_path_rows_clear(HieraPathRows *rows);

/** If there are several processes, all call this: process 0 gets the rows of all, and every process gets the paths of
 * all. */
void hiera_path_rows_gather(HieraPathRows *rows);

/** Add the part of a span that is in the scope. Call it for processors in ascending order.
 *
 * @param kind  kind of the row
 * @return the changed row, valid until the next one is added; NULL if no part of the span is in the scope */
HieraPathRow *hiera_path_rows_add(HieraPathRows *rows, guint kind, const HieraTimeSpan *span);

/** Add to the time of a processor in a node; a negative time is subtracted. Ignored if the node is not
 * in the scope: node 0 if the scope has a level or a depth. */
void hiera_path_rows_add_time(HieraPathRows *rows, guint32 processor, guint32 node, guint kind, gint64 time_ns);

/** The first four columns of the measures with HieraPathRow, and a row's cells in them. */
#define HIERA_PATH_COLUMNS                                                                                             \
    {"path", HIERA_CELL_CALLERS, HIERA_ROLE_KEY}, {"level", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},                       \
        {"processors", HIERA_CELL_TEXT, HIERA_ROLE_KEY},                                                               \
    {                                                                                                                  \
        "kind", HIERA_CELL_TEXT, HIERA_ROLE_TELLING                                                                    \
    }
enum { HIERA_N_PATH_COLUMNS = 4, HIERA_OWN_COLUMNS_MAX = 5 };
void hiera_path_rows_cells(const HieraPathRows *rows, const HieraPathRow *row, HieraTable *table, HieraCell *cells);

/** Fill the cells that a measure has behind HIERA_PATH_COLUMNS, HIERA_OWN_COLUMNS_MAX at most. */
typedef void (*HieraOwnCells)(const HieraPathRow *row, HieraCell *own, gpointer user);

/** Add all rows to a table, with the cells that `own_cells` fills. */
void hiera_path_rows_tell(const HieraPathRows *rows, HieraTable *table, HieraOwnCells own_cells, gpointer user);
