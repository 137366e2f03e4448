/* Measures of matches that several processes answer together: each finds the rows of its own ranks, process 0
 * makes the answer of all. */
#ifndef HIERA_CLI_SHARED_MEASURES_H
#define HIERA_CLI_SHARED_MEASURES_H

#include "hiera_measure.h"

/* Process 0, but of measures that are `together`: there it calls `find`. @param scope  with its own processors */
void shared_measure_lead(const HieraMeasure *measure, const HieraMatch *match, const HieraScope *scope,
                         HieraTable *table);
/* The others, for the same measures in the same order. @return FALSE if there is no answer, which process 0 finds too
 */
gboolean shared_measure_follow(const HieraMeasure *measure, const HieraMatch *match, const HieraScope *scope);

#endif
