/** Rows of the measures that share out the time of ranks: by call path, rank, level or kind of activity.
 *
 * Time is handed over span by span; what belongs together becomes one row. */
#pragma once

#include "call_paths.h"

/** Words of --by, in the order of HieraPathBy. */
#define HIERA_PATH_BY "path,rank,level,kind"
typedef enum { HIERA_BY_PATH, HIERA_BY_RANK, HIERA_BY_LEVEL, HIERA_BY_KIND } HieraPathBy;

/** A kind beside those of HieraDoing: no rank that the time belongs to runs. */
#define HIERA_DOES_NOTHING HIERA_N_DOINGS
enum { HIERA_N_KINDS = HIERA_N_DOINGS + 1 };

typedef struct {
    guint32 node;      /* of the call paths; only by path */
    const char *level; /* "" outside of all operations; only by path and level */
    guint kind;        /* HieraDoing or HIERA_DOES_NOTHING */
    gint64 time_ns;
    GArray *shares;    /* HieraShare */
    __int128 weighted; /* Σ of slack · time */
    gint64 least_ns;   /* least slack */
    gint64 unsure;     /* calls with a dependence that contradicts the clocks */
} HieraPathRow;

typedef struct {
    const HieraScope *scope;
    HieraPathBy by;
    HieraCallPaths paths;
    GArray *rows;   /* HieraPathRow */
    GArray *places; /* guint32: index + 1 of the row, by node or processor, and kind */
} HieraPathRows;

/** Called before the spans of a processor. */
typedef void (*HieraProcessorVisit)(guint32 processor, gpointer user);

/** Make the rows of a trace, those with most time first.
 *
 * @param begin  called for each of the scope's own processors; then
 * @param span   for each of its spans, to add what of it belongs to rows; both get `user` */
void hiera_path_rows_init(HieraPathRows *rows, const HieraTrace *trace, const HieraScope *scope,
                          HieraProcessorVisit begin, HieraSpanVisit span, gpointer user);
void hiera_path_rows_clear(HieraPathRows *rows);

/** Of several processes all call it: the rows of the one that leads become those of all, and the paths of each those of
 * all. */
void hiera_path_rows_gather(HieraPathRows *rows);

/** Add the part of a span that is in the scope. Processors come in rising order.
 *
 * @param kind  of the row
 * @return the row to which it was added, valid until the next one is; NULL if no part of it is in the scope */
HieraPathRow *hiera_path_rows_add(HieraPathRows *rows, guint kind, const HieraTimeSpan *span);

/** Add to the time of a processor in a node, or take away from it where it is negative. Without effect on what is not
 * in the scope: node 0 if it has a level or a depth. */
void hiera_path_rows_add_time(HieraPathRows *rows, guint32 processor, guint32 node, guint kind, gint64 time_ns);

/** The first four columns of the measures, and their cells. */
#define HIERA_PATH_COLUMNS                                                                                             \
    {"path", HIERA_CELL_CALLERS, HIERA_ROLE_KEY}, {"level", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},                       \
        {"processors", HIERA_CELL_TEXT, HIERA_ROLE_KEY},                                                               \
    {                                                                                                                  \
        "kind", HIERA_CELL_TEXT, HIERA_ROLE_TELLING                                                                    \
    }
enum { HIERA_N_PATH_COLUMNS = 4, HIERA_OWN_COLUMNS_MAX = 4 };
void hiera_path_rows_cells(const HieraPathRows *rows, const HieraPathRow *row, HieraTable *table, HieraCell *cells);

/** Fills the cells of a row that a measure has behind these, HIERA_OWN_COLUMNS_MAX at most. */
typedef void (*HieraOwnCells)(const HieraPathRow *row, HieraCell *own, gpointer user);

/** Add all rows to a table. */
void hiera_path_rows_tell(const HieraPathRows *rows, HieraTable *table, HieraOwnCells own_cells, gpointer user);
