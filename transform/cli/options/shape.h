/* The shape of the tables: which columns they have (--columns), the order of the rows (--sort), and how many there are
 * (--top). */
#pragma once

#include "report/table.h"

typedef struct {
    char **columns; /* names of the columns to show, NULL-terminated; NULL: all columns */
    char *sort;     /* name of the column to sort by; NULL: keep the order of the measure */
    HieraOrder order;
    guint top; /* number of rows to keep; 0: all rows */
} Shape;

/* Set the shape from the values of --columns, --sort and --top, each of which may be NULL.
 * @param shape     to be cleared by shape_clear, also after an error
 * @param measures  const HieraMeasure *
 * @return          false with an error if there is no such column, or a value makes no sense */
gboolean shape_parse(Shape *shape, const char *columns, const char *sort, const char *top, const GPtrArray *measures,
                     GError **error);
void shape_clear(Shape *shape);
/* Sort, shorten and narrow a table. Columns that the table does not have are ignored. */
void shape_apply(const Shape *shape, HieraTable *table);
