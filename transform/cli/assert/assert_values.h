/* Values of measures that rules ask for: `job: efficiency.load_balance > 0.9`. */
#pragma once

#include "cli/options/options.h"

/* Measure what the rules of the options ask for, and answer them. @return  FALSE with an error if that is not possible
 */
gboolean assert_values_answer(const Options *options, GError **error);

/* Several processes: all get the answers that process 0 has. */
void assert_values_tell(HieraRules *rules);
