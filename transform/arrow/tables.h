/* The tables of a run, and their columns. */
#pragma once

#include "columns.h"

/* How much has to be known for a table. */
typedef enum { HIERA_ARROW_OF_TRACE, HIERA_ARROW_OF_MATCH, HIERA_ARROW_OF_GRAPH } HieraArrowNeed;

/* A table: its columns, and how many rows it has. */
typedef struct {
    HieraArrowNeed need;
    gsize (*count)(const HieraArrowRows *rows);
    const HieraArrowColumn *columns;
    gsize n_columns;
} HieraArrowTable;

/* All tables. */
#define HIERA_ARROW_TABLES(X)                                                                                          \
    X(operations) X(messages) X(collectives) X(members) X(ranks) X(counters) X(vertices) X(edges)
#define X(name) extern const HieraArrowTable hiera_arrow_##name;
HIERA_ARROW_TABLES(X)
#undef X

/* Define a function for the member `number` of a column that returns the value of an expression of `rows`, `row`. */
#define HIERA_ARROW_NUMBER(name, value)                                                                                \
    static gint64 name(HieraArrowRows *rows, gsize row)                                                                \
    {                                                                                                                  \
        (void)rows, (void)row;                                                                                         \
        return (gint64)(value);                                                                                        \
    }
/* Likewise for the member `text`. */
#define HIERA_ARROW_TEXT(name, value)                                                                                  \
    static char *name(const HieraArrowRows *rows, gsize key)                                                           \
    {                                                                                                                  \
        (void)rows, (void)key;                                                                                         \
        return g_strdup(value);                                                                                        \
    }

/* Return when an operation ended; HIERA_TIME_OPEN: it is HIERA_NONE, or the trace lacks its end. */
gint64 hiera_arrow_finish_ns(const HieraArrowRows *rows, guint32 row);
/* Texts of columns of several tables, by call site and by communicator. To be freed. */
char *hiera_arrow_site_name(const HieraArrowRows *rows, gsize site);
char *hiera_arrow_comm_id(const HieraArrowRows *rows, gsize comm);
