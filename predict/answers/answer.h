/* How the tables of an answer are written: --format and --columns. */
#ifndef HIERA_PREDICT_ANSWER_H
#define HIERA_PREDICT_ANSWER_H

#include "hiera_measure.h"

typedef struct {
    HieraFormat format;
    char **columns; /* NULL-terminated, in this order; NULL: all */
} AnswerShape;

/* Write tables to standard output. With columns, tables that have none of them are left out.
 *
 * @param tables    of HieraTable; they lose what is not written
 * @param findings  come with the tables in formats that hold them
 * @param error     HIERA_GRAPH_ERROR_USE: a column is in no table, or the output cannot be written */
gboolean answer_write(const AnswerShape *shape, GPtrArray *tables, const HieraFindings *findings, GError **error);

#endif
