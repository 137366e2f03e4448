/* Columns that are described row by row become arrays of Arrow. */
#pragma once

#include "hiera_arrow.h"
#include "hiera_graph.h"

/* What the rows of a table are read from. */
typedef struct {
    const HieraTrace *trace;
    const HieraMatch *match;        /* NULL unless the table needs it */
    const HieraGraph *graph;        /* NULL unless the table needs it */
    const HieraArrowValues *values; /* the column of hiera_arrow_export_values(); else NULL */
    guint32 at; /* processor, or collective, of the last row that was asked for: rows are asked for in rising order */
} HieraArrowRows;

/* A column of a table. Either `borrow` is set, or `number`. */
typedef struct {
    const char *name;
    const char *format; /* of Arrow: "I" guint32, "i" gint32, "l" gint64, "g" gdouble, "b" truth; "u": texts */
    gint64 none;        /* number that means: no value, unless the rows are of `values`; HIERA_ARROW_NEVER_NONE */
    const void *(*borrow)(const HieraArrowRows *rows); /* returns all values, as they are in memory */
    gint64 (*number)(HieraArrowRows *rows, gsize row); /* returns a value; of a gdouble its bits, of a text its key */
    char *(*text)(const HieraArrowRows *rows, gsize key); /* returns the text of a key, to be freed; "" or NULL: none */
    gboolean (*is_none)(const HieraArrowRows *rows, gsize row); /* of `borrow`: whether a row has no value; or NULL */
} HieraArrowColumn;
#define HIERA_ARROW_NEVER_NONE G_MININT64

/* Make the type of a column. */
void hiera_arrow_make_type(const HieraArrowColumn *column, struct ArrowSchema *schema);
/* Make the values of a column. @param run  stays in memory as long as an array that borrows values from it */
void hiera_arrow_make_column(const HieraArrowColumn *column, HieraArrowRows *rows, gsize n_rows, HieraArrow *run,
                             struct ArrowArray *array);
/* Make the type of a structure of n_columns columns, and its values: the caller fills in their children. */
void hiera_arrow_make_struct_type(gsize n_columns, struct ArrowSchema *schema);
void hiera_arrow_make_struct(gsize n_columns, gsize n_rows, struct ArrowArray *array);

/* Return the run, which is now kept once more, until hiera_arrow_free() is called once more. */
HieraArrow *hiera_arrow_keep(HieraArrow *run);
