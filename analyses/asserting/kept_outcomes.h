/** Outcomes of each rank, kept until all ranks were read, for rules that combine ranks. Without such rules nothing is
 * kept. */
#pragma once

#include "assertions/meter/meter.h"
#include "hiera_measure.h"

typedef struct HieraKeptOutcomes HieraKeptOutcomes;

HieraKeptOutcomes *hiera_kept_outcomes_new(const HieraRules *rules);
void hiera_kept_outcomes_free(HieraKeptOutcomes *kept);

/** Copy the outcome of a rank, if there are rules that combine ranks. Call it for ranks in ascending order. */
void hiera_kept_outcomes_add(HieraKeptOutcomes *kept, const HieraOutcome *outcome);

/** Return the kept outcomes by rank, without their verdicts; `n` becomes their number. */
const HieraOutcome *hiera_kept_outcomes_peek(const HieraKeptOutcomes *kept, guint *n);
