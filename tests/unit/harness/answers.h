/* Answers of measures to small traces. */
#ifndef HIERA_UNIT_ANSWERS_H
#define HIERA_UNIT_ANSWERS_H

#include "harness.h"
#include "measures.h"

/* Calls of a trace. */
#define SEND_AT(start, finish, to)      SPAN(start, finish, "send", "dest=\"" #to "\" tag=\"0\"" WORLD)
#define RECEIVE_AT(start, finish, from) SPAN(start, finish, "receive", "rem=\"" #from "\" tag=\"0\"" WORLD)
#define BARRIER_AT(start, finish)       SPAN(start, finish, "barrier", WORLD)

/* Return the answer of a measure, with a word of --by or NULL; to be freed with hiera_table_free. */
HieraTable *answer(const HieraMatch *match, const HieraMeasure *measure, const char *by);

/* Return the number of a column; the test fails if there is none. */
guint column_of(const HieraMeasure *measure, const char *name);

gint64 number_at(const HieraTable *table, const HieraMeasure *measure, guint row, const char *column);

#endif
