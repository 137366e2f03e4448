/* How the tables of the answer are written: the values of --format and --columns. */
#pragma once

#include "hiera_measure.h"

typedef struct {
    HieraFormat format;
    char **columns; /* names of columns in output order, NULL-terminated; NULL: all columns */
} AnswerShape;

/* Write tables to standard output. With columns, tables that have none of them are left out.
 *
 * @param tables    HieraTable; columns that are not written are removed from them
 * @param findings  are written with the tables in formats that have a place for them
 * @param error     HIERA_GRAPH_ERROR_USE: a column is in no table, or the output cannot be written */
gboolean answer_write(const AnswerShape *shape, GPtrArray *tables, const HieraFindings *findings, GError **error);
