/* --rematch: calls that complete one or some of several requests (MPI_Waitany and similar) take those that complete
 * first in the simulation. Candidates are the open requests that calls at the same call site completed in the recorded
 * run. */
#pragma once

#include "exchanges.h"

typedef struct Choices Choices;

Choices *choices_new(const Exchanges *exchanges);
void choices_free(Choices *choices);
/* Whether a call completes one or some of several requests (MPI_Waitany, …), and completed one when it was recorded. */
gboolean choices_has(const Choices *choices, guint32 row);
/* Begin a rank's call for which choices_has() is TRUE.
 *
 * @param numbers  GArray of guint64: receives the requests that this call may complete; none if earlier calls at its
 * call site have completed as many requests as the calls up to this one did in the recorded run
 * @return condition of the wait */
HieraSimUntil choices_begin(Choices *choices, guint32 row, GArray *numbers);
/* Record which requests a call has completed. @param completed  n requests; NULL: all that choices_begin() gave */
void choices_end(Choices *choices, guint32 row, const guint64 *completed, guint n);
