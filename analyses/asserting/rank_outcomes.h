/** Makes rows of the measure `assertions` from the outcomes of rules on the ranks of a job, wherever these were found.
 */
#pragma once

#include "assertions/meter/meter.h"
#include "hiera_measure.h"
#include "source_rows.h"

/** Judge the job, and add a row for each rule.
 *
 * @param measure   hiera_measure_assertions, or its form by rank
 * @param scope     has the rules; rules about the job are unknown if a rank is missing, unless `ranks` selects ranks
 * @param outcomes  n outcomes, by ascending rank
 * @param source    results of assertions in the source
 * @param table     table of `measure` */
void hiera_rank_outcomes_judge(const HieraMeasure *measure, const HieraScope *scope, const HieraOutcome *outcomes,
                               guint n, HieraSourceRows *source, HieraTable *table);
