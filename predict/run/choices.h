/* --rematch: calls that complete one or some of several requests (MPI_Waitany and its like) take those that are
 * complete first in the simulation: of the requests that are open, and that calls at the same place completed. */
#ifndef HIERA_PREDICT_CHOICES_H
#define HIERA_PREDICT_CHOICES_H

#include "exchanges.h"

typedef struct Choices Choices;

Choices *choices_new(const Exchanges *exchanges);
void choices_free(Choices *choices);
/* Whether a call is such a one, and completed something. */
gboolean choices_has(const Choices *choices, guint32 row);
/* A rank has come to such a call.
 *
 * @param numbers  GArray of guint64: takes the requests that it may complete; none if the calls before have completed
 * as many as these and it did when they were recorded
 * @return what it waits for */
HieraSimUntil choices_begin(Choices *choices, guint32 row, GArray *numbers);
/* The call has completed requests; NULL: all of them. */
void choices_end(Choices *choices, guint32 row, const guint64 *completed, guint n);

#endif
